"""How the tests go through the application: with the mouse and the keyboard, and what every page of it must keep."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ANSWER = 60_000  # milliseconds for an answer on a busy machine


def entered(page: Any, subject: str) -> None:
    """From the first screen to a subject, by a click."""
    page.locator(".questions a", has_text=subject).click()
    page.wait_for_load_state()


def tab_to(page: Any, selector: str, most: int = 100) -> None:
    """Press Tab until the focus is there."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
    raise AssertionError(f"{selector}: is not reached by {most} tabs")


def typed(page: Any, **fields: str) -> None:
    """Go to these fields in their order by Tab, and type over what they hold."""
    for name, text in fields.items():
        tab_to(page, f"#{name}")
        page.keyboard.type(text)


def answer(page: Any) -> Any:
    """The frame with the answer, when it is there."""
    page.locator(".panel iframe").wait_for(timeout=ANSWER)
    frame = page.frame_locator(".panel iframe")
    frame.locator("h1").wait_for()
    return frame


def printed(page: Any, press: Any) -> bytes:
    """The PDF that a press of its button brings."""
    with page.expect_download(timeout=ANSWER) as download:
        press()
    return Path(download.value.path()).read_bytes()


def sheets(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def made_again(page: Any, folder: Path, elsewhere: Path) -> Path:
    """The page that the command of the answer makes, in a folder that has the same rules, games and logs."""
    command = page.locator(".panel pre").text_content()
    for room in ("rules", "games", "logs", "layouts"):
        shutil.copytree(folder / room, elsewhere / room, dirs_exist_ok=True)
    words = [sys.executable, "-P", "-m", "counting.cli", *shlex.split(command)[1:]]
    subprocess.run(words, cwd=elsewhere, check=True, capture_output=True)
    file: str = page.get_by_role("link", name="The page itself").get_attribute("href")
    return Path(file.removeprefix("/files/"))


def is_whole(page: Any) -> None:
    """No rule of axe is broken in the light and in the dark, and nothing is wider than a phone."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        broken = axe.run(page).response["violations"]
        assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in broken] == []
    size = page.viewport_size
    for width in (400, 360):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size(size)
    page.emulate_media(color_scheme="light")
