"""The packed folder, which starts with a double click: its starter finds the Python and the packages in it, wherever
the folder is."""

import os
import runpy
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

PACK: dict[str, Any] = runpy.run_path(str(Path(__file__).parent.parent / "docs" / "pack.py"))
TELLS = "import counting, os, sys\nprint(sys.argv[1:], os.path.dirname(counting.__file__))\n"


def packed(folder: Path, monkeypatch: pytest.MonkeyPatch, platform: str, python: Path | None = None) -> Path:
    """A packed folder in which a small package replaces the toolkit. It prints its path and its arguments."""

    def pip(words: list[str], check: bool) -> None:
        target = Path(words[words.index("--target") + 1])
        (target / "counting/cli").mkdir(parents=True)
        (target / "counting/__init__.py").touch()
        (target / "counting/cli/__init__.py").touch()
        (target / "counting/cli/__main__.py").write_text(TELLS)

    monkeypatch.setattr(PACK["subprocess"], "run", pip)
    PACK["pack"](folder, Path("counting.whl"), platform, python)
    monkeypatch.undo()
    return folder


posix = pytest.mark.skipif(os.name != "posix", reason="starts a shell")


@posix
def test_the_desktop_file_starts_the_application_wherever_its_folder_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed(tmp_path / "packed", monkeypatch, "linux_x86_64")
    folder = tmp_path / "Ordner mit $ und Ü"
    shutil.copytree(tmp_path / "packed", folder)
    text = (folder / "counting.desktop").read_text()
    line = next(line.removeprefix("Exec=") for line in text.splitlines() if line.startswith("Exec="))
    words = line.replace("\\\\", "\\").replace("%k", shlex.quote(str(folder / "counting.desktop")))  # as GLib reads it
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    done = subprocess.run(
        ["sh", "-c", words], cwd="/", env={"PATH": path, "HOME": "", "PYTHONPATH": "/elsewhere"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == f"['app'] {folder / 'packages/counting'}"


@posix
def test_another_python_is_named_and_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = packed(tmp_path / "packed", monkeypatch, "macosx_11_0_arm64")
    (folder / "bin").mkdir()
    other = folder / "bin/python3"
    other.write_text("#!/bin/sh\nexit 1\n")
    other.chmod(0o755)
    for tool in ("dirname", "sh"):
        (folder / "bin" / tool).symlink_to(str(shutil.which(tool)))
    environment = {"PATH": str(folder / "bin")}
    done = subprocess.run(
        ["sh", folder / "counting.command"], stdin=subprocess.DEVNULL, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    version = "{}.{}".format(*sys.version_info[:2])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"This needs Python {version}: see https://www.python.org/downloads/\n"
    assert not (folder / "counting.desktop").exists()


def test_windows_has_its_own_python_which_finds_the_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embeddable = tmp_path / "python-embed-amd64.zip"
    with zipfile.ZipFile(embeddable, "w") as file:
        file.writestr("python.exe", "MZ")
        file.writestr("python311._pth", "python311.zip\r\n.\r\n\r\n#import site\r\n")
    folder = packed(tmp_path / "packed", monkeypatch, "win_amd64", embeddable)
    paths = (folder / "python/python311._pth").read_bytes().decode()
    assert paths == "python311.zip\r\n.\r\n\r\n#import site\r\n..\\packages\r\n"
    lines = (folder / "counting.bat").read_bytes().decode("ascii").split("\r\n")
    assert '"%~dp0python\\python.exe" -m counting.cli app %*' in lines
    assert "\n" not in "".join(lines)
    with pytest.raises(SystemExit, match="should be the embeddable zip"):
        PACK["pack"](tmp_path / "other", Path("counting.whl"), "win_amd64", None)
    with pytest.raises(SystemExit, match="should be a new or empty folder"):
        PACK["pack"](folder, Path("counting.whl"), "win_amd64", embeddable)
