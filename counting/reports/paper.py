"""Print a page to PDF with an installed browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from counting.errors import InputError, keyword
from counting.io.outputs import Kind, Output

_MARK = b"% counting\n"  # the last line of a PDF that the toolkit printed
_SECONDS = 120
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge", "microsoft-edge")
_MAC = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
_WINDOWS = (r"Google\Chrome\Application\chrome.exe", r"Microsoft\Edge\Application\msedge.exe")


class NoBrowserError(InputError):
    """No browser is installed that can print."""


def print_pdf(html: str, file: Path) -> Path:
    """Print a page to a PDF file. Raises `InputError` if there is no browser, if the browser prints nothing, or if the
    file exists and the toolkit did not print it."""
    output = Output(file, Kind("a PDF that counting printed", _is_one), keyword("pdf"))
    output.write(pdf(html))
    return file


def _is_one(file: Path) -> bool:
    return file.read_bytes().endswith(_MARK)


def browser() -> str:
    """The path of Chrome, Chromium or Edge. Raises `NoBrowserError` if none is installed."""
    places = [shutil.which(name) for name in _NAMES]
    if sys.platform == "darwin":
        places += _MAC
    for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
        if os.environ.get(variable):
            places += [os.path.join(os.environ[variable], name) for name in _WINDOWS]
    for place in places:
        if place and Path(place).is_file():
            return place
    raise NoBrowserError(
        f"{keyword('pdf')}: no Chrome, Chromium or Edge here to print with, should be one of them; "
        "or open the page in any browser and print it from there"
    )


def pdf(html: str) -> bytes:
    """The bytes of the PDF."""
    found = browser()
    with TemporaryDirectory(prefix="counting-", ignore_cleanup_errors=True) as folder:
        page, printed = Path(folder) / "page.html", Path(folder) / "page.pdf"
        page.write_text(html, encoding="utf-8")
        sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []  # root has no sandbox
        words = [
            found, "--headless", "--disable-gpu", *sandbox, f"--user-data-dir={Path(folder) / 'profile'}",
            "--no-pdf-header-footer", f"--print-to-pdf={printed}", page.as_uri(),
        ]  # fmt: skip
        try:
            done = subprocess.run(words, capture_output=True, timeout=_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise InputError(f"{keyword('pdf')}: {found} does not print: {error}") from None
        if not printed.is_file():
            said = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
            raise InputError(f"{keyword('pdf')}: {found} does not print: {said[0]}")
        return printed.read_bytes() + _MARK
