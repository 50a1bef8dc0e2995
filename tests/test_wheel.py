"""The contents of the wheel that COUNTING_WHEEL names. `pip wheel --no-deps --wheel-dir wheels .` builds a wheel.

On Python with the GIL, the wheel is for this version of Python and all later ones. It has the package's files and a
compiled module for each kernel, and nothing else.
"""

import os
from email.parser import BytesParser
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
NAMED = os.environ.get("COUNTING_WHEEL", "")
COMPILED = (".abi3.so", ".pyd")  # on Windows, file names do not state the ABI

pytestmark = pytest.mark.skipif(
    not NAMED, reason="needs COUNTING_WHEEL=wheels/counting-*.whl, which `pip wheel --no-deps -w wheels .` builds"
)


@pytest.fixture(scope="module")
def wheel() -> ZipFile:
    return ZipFile(NAMED)


@pytest.fixture(scope="module")
def names(wheel: ZipFile) -> set[str]:
    """The names of the package's files."""
    return {name for name in wheel.namelist() if name.startswith("counting/") and not name.endswith("/")}


def modules(names: set[str]) -> list[str]:
    """The names of the compiled modules, without their endings."""
    ends = [(name, end) for name in names for end in COMPILED if name.endswith(end)]
    return sorted(name.removesuffix(end) for name, end in ends)


def test_it_is_for_every_later_python(wheel: ZipFile) -> None:
    (facts,) = (name for name in wheel.namelist() if name.endswith(".dist-info/WHEEL"))
    tags = BytesParser().parsebytes(wheel.read(facts)).get_all("Tag", [])
    assert tags
    assert all(tag.startswith("cp311-abi3-") for tag in tags)
    assert "-cp311-abi3-" in Path(NAMED).name


def test_it_has_each_kernel_once(names: set[str]) -> None:
    kernels = [path.relative_to(ROOT / "ext").with_suffix("") for path in ROOT.glob("ext/counting/**/*.pyx")]
    assert modules(names) == sorted(["counting/_memoryviews", *(path.as_posix() for path in kernels)])


def test_it_has_the_files_of_the_package_and_no_other(names: set[str]) -> None:
    # The wheel has all files of the folder (Python, stubs, games, systems, layouts, tables, templates), except sources
    # that are compiled.
    there = (path.relative_to(ROOT) for path in ROOT.glob("counting/**/*") if path.is_file())
    files = {path.as_posix() for path in there if "__pycache__" not in path.parts}
    assert {name for name in names if not name.endswith(COMPILED)} == {
        name for name in files if not name.endswith((".so", ".pyd"))
    }
    for kind in (".pyi", ".toml", ".csv", ".html", ".js", ".css", "py.typed"):
        assert any(name.endswith(kind) for name in names), kind


def test_it_has_no_test_and_no_source_of_a_kernel(wheel: ZipFile) -> None:
    paths = [PurePosixPath(name) for name in wheel.namelist()]
    assert {path.parts[0].partition("-")[0] for path in paths} == {"counting"}
    assert not [path for path in paths if path.suffix in {".c", ".h", ".pyx", ".pxd"} or "tests" in path.parts]


def test_its_files_have_permissions_that_depend_on_no_umask(wheel: ZipFile) -> None:
    if wheel.infolist()[0].create_system == 3:  # Unix
        modes = {entry.external_attr >> 16 & 0o777 for entry in wheel.infolist()}
        assert modes <= {0o644, 0o755, 0o664}  # the last is for the file RECORD


def test_it_has_the_command_and_the_licence(wheel: ZipFile) -> None:
    (commands,) = (name for name in wheel.namelist() if name.endswith(".dist-info/entry_points.txt"))
    assert "counting = counting.cli:main" in wheel.read(commands).decode()
    assert any(name.endswith("/licenses/LICENSE") for name in wheel.namelist())
