"""Packs the application into a folder that starts by a double click, without a network, a compiler or an installation.

    python docs/pack.py FOLDER --wheel counting-*.whl [--python ARCHIVE] [--platform win_amd64]

The folder gets the wheel, all that it needs for the version of Python that runs this script, and a starter:
`counting.bat` on Windows, `counting.command` on macOS, `counting.desktop` on Linux. ARCHIVE is the Python that comes
with the folder. Windows needs one, the embeddable zip of python.org. Elsewhere it is a tar whose folder `python` has
`bin/python3`; without an archive, the machine's Python of this version runs the application.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import sysconfig
from compileall import compile_dir
from pathlib import Path
from py_compile import PycInvalidationMode

VERSION = "{}.{}".format(*sys.version_info[:2])
WINDOWS_ALSO = ("colorama",)  # needed only on Windows: pip leaves it out if another system packs
BAT = """@echo off
rem Starts the application: by a double click, or from a terminal.
set PYTHONUTF8=1
"%~dp0python\\python.exe" -m counting.cli app %*
if errorlevel 1 pause
"""
COMMAND = """#!/bin/sh
# Starts the application: by a double click, or from a terminal.
here=$(cd "$(dirname "$0")" && pwd) || exit
export PYTHONPATH="$here/packages" PYTHONNOUSERSITE=1
for python in "$here/python/bin/python3" python{version} python3; do
  if "$python" -c 'import sys; sys.exit("{version}" != "%d.%d" % sys.version_info[:2])' 2>/dev/null; then
    exec "$python" -P -m counting.cli app "$@"
  fi
done
echo "This needs Python {version}: see https://www.python.org/downloads/" >&2
if [ -t 0 ]; then read -r _; fi
exit 1
"""
DESKTOP = r"""[Desktop Entry]
Type=Application
Version=1.5
Name=Baccarat studies
Comment=Rules, bets, logs and tables of baccarat, in the browser
Exec=sh -c "exec \\"\\$(dirname \\"\\$1\\")/counting.command\\"" counting %k
Terminal=true
Categories=Office;
"""


def pack(folder: Path, wheel: Path, platform: str, python: Path | None) -> None:
    """Fill a new or empty folder."""
    if folder.exists() and any(folder.iterdir()):
        raise SystemExit(f"{folder}: should be a new or empty folder")
    windows, packages = platform.startswith("win"), folder / "packages"
    if windows and python is None:
        raise SystemExit("--python: should be the embeddable zip of python.org, as Windows has no Python")
    other = ["--platform", platform] if platform != here() else []
    words = ["install", "--quiet", "--no-compile", "--only-binary", ":all:", *other]
    also = WINDOWS_ALSO if windows else ()
    subprocess.run([sys.executable, "-m", "pip", *words, str(wheel), *also, "--target", str(packages)], check=True)
    # The compiled files must not depend on times: a copied folder has other times, so the first start would compile
    # again.
    compile_dir(packages, quiet=2, workers=0, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
    if windows and python is not None:
        shutil.unpack_archive(python, folder / "python", "zip")
        (paths,) = (folder / "python").glob("python*._pth")
        paths.write_text(f"{paths.read_text().rstrip()}\n..\\packages\n", newline="\r\n")
        write(folder / "counting.bat", BAT.replace("\n", "\r\n"))
        return
    if python is not None:
        shutil.unpack_archive(python, folder, filter="data")
    write(folder / "counting.command", COMMAND.replace("{version}", VERSION))
    if "linux" in platform:
        write(folder / "counting.desktop", DESKTOP)


def here() -> str:
    """The platform that runs this script, as wheels name it."""
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def write(file: Path, text: str) -> None:
    file.write_bytes(text.encode())
    file.chmod(0o755)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--wheel", type=Path, required=True)
    parser.add_argument("--python", type=Path)
    parser.add_argument("--platform", default=here())
    asked = parser.parse_args()
    pack(asked.folder, asked.wheel, asked.platform, asked.python)


if __name__ == "__main__":
    main()
