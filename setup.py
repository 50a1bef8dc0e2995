"""Build the compiled modules. For tests, COUNTING_SAFE=1 builds them with checks of bounds, overflow and division, and
COUNTING_SANITIZE=1 with the compiler's sanitizers of addresses and undefined behaviour (see `.ci/sanitize`).

If SOURCE_DATE_EPOCH is set, the sdist and the wheel have the same bytes in every build with the same tools. The bytes
do not depend on the folder, the times and permissions of the files, or the user. `nox -s reproducible` checks this."""

import gzip
import os
import sys
import sysconfig
import tarfile
import time
from glob import glob
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

SAFE = os.environ.get("COUNTING_SAFE", "0") == "1"
SANITIZE = os.environ.get("COUNTING_SANITIZE", "0") == "1"

# With CPython's limited API, as of 3.11, one build works with this version and all later versions. Free-threaded Python
# has no limited API.
LIMITED = not sysconfig.get_config_var("Py_GIL_DISABLED")
MACROS = [("Py_LIMITED_API", "0x030B0000"), ("CYTHON_LIMITED_API", "1")] if LIMITED else []

# These modules count in integers below 2^53, which are exact with or without fused multiply-add. So the compiler
# may contract operations in these modules, but not in others.
FUSED = {"counting.exact._forms", "counting.exact._law", "counting.chemin._law", "counting.review._successors"}

# Cython's code for arrays, generated and compiled once instead of in every kernel. It passes arrays on, and contains no
# loop of a kernel.
SHARED = "ext/counting/_memoryviews.c"

GNU = sys.platform != "win32"  # flags of GCC, which Clang takes too; Visual Studio from 2022 contracts nothing
flags: list[str] = ["/O2", "/std:c11", "/fp:precise"]
linked: list[str] = []
if GNU:
    # Python's default flags ask for debugging symbols, which take a quarter of the time to compile a kernel. No kernel
    # looks at the processor's floating-point exceptions, so a choice of two numbers may be made in vector lanes.
    flags = ["-O3", "-g0", "-std=c11", "-fno-math-errno", "-fno-trapping-math"]
    flags += ["-Wall", "-Wextra", "-Wno-unused-function"]
    if SAFE:
        flags += ["-O1"]  # takes half of the time to compile, and the tests take a tenth more

if SANITIZE:
    linked = ["-fsanitize=address,undefined"]
    flags += [*linked, "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-g", "-O1"]


def named(source: str) -> str:
    return ".".join(Path(source).relative_to("ext").with_suffix("").parts)


def extension(source: str) -> Extension:
    own = [f"-ffp-contract={'fast' if named(source) in FUSED else 'off'}"] if GNU else []
    if source == SHARED and own:
        own += ["-O1"]
    return Extension(
        named(source),
        [source],
        include_dirs=["ext/counting"],
        depends=glob("ext/counting/**/*.h", recursive=True),
        define_macros=MACROS,
        extra_compile_args=flags + own,
        extra_link_args=linked,
        py_limited_api=LIMITED,
    )


class Build(build_ext):
    """Removes other files of a module that an earlier build left. Python would import `_law.cpython-311-*.so` before
    `_law.abi3.so`, and a wheel would contain both."""

    def build_extension(self, ext: Extension) -> None:
        super().build_extension(ext)
        self._remove_others(ext)

    def copy_extensions_to_source(self) -> None:
        super().copy_extensions_to_source()
        for ext in self.extensions:
            self._remove_others(ext)

    def _remove_others(self, ext: Extension) -> None:
        built = Path(self.get_ext_fullpath(ext.name))
        for other in built.parent.glob(f"{ext.name.rpartition('.')[2]}.*{built.suffix}"):
            if other.name != built.name:
                other.unlink()


def mode(path: Path) -> int:
    """A file's permissions in an archive, which do not depend on the umask of the build."""
    return 0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644


class SourceArchive(sdist):
    """Writes the files in order, without the names and times of this machine."""

    def make_archive(self, base_name, format, root_dir=None, base_dir=None, owner=None, group=None):  # type: ignore
        assert format == "gztar"
        built = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
        archive = Path(f"{base_name}.tar.gz")
        archive.parent.mkdir(parents=True, exist_ok=True)
        with (
            archive.open("wb") as file,
            gzip.GzipFile("", "wb", 9, file, built) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
        ):
            for path in sorted(path for path in Path(base_dir).rglob("*") if path.is_file()):
                entry = tarfile.TarInfo(path.as_posix())
                entry.size, entry.mode, entry.mtime = path.stat().st_size, mode(path), built
                with path.open("rb") as content:
                    tar.addfile(entry, content)
        return str(archive)


class Wheel(bdist_wheel):
    """Packs files with permissions that do not depend on the umask."""

    def write_wheelfile(self, *given, **named):  # type: ignore
        super().write_wheelfile(*given, **named)
        for path in Path(self.bdist_dir).rglob("*"):
            path.chmod(mode(path))


extensions = [extension(source) for source in (SHARED, *sorted(glob("ext/counting/**/*.pyx", recursive=True)))]
if not {"dist_info", "egg_info", "sdist"}.intersection(sys.argv):  # these need no C
    extensions = cythonize(
        extensions,
        shared_utility_qualified_name=named(SHARED),
        include_path=["ext"],
        compiler_directives={
            "language_level": 3,
            "boundscheck": SAFE,
            "wraparound": False,
            "initializedcheck": SAFE,
            "overflowcheck": SAFE,
            "cdivision": not SAFE,
            "freethreading_compatible": True,
            "autotestdict": False,
            "auto_pickle": False,
        },
        force=SAFE,
    )

setup(
    ext_modules=extensions,
    cmdclass={"bdist_wheel": Wheel, "build_ext": Build, "sdist": SourceArchive},
    options={
        "build_ext": {"parallel": True},  # one compiler on each core
        "bdist_wheel": {"py_limited_api": "cp311"} if LIMITED else {},
    },
)
