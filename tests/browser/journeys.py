"""Helpers for tests that use the application with mouse and keyboard, and the checks that every page must pass."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import lighter
import pytest

ANSWER = 120_000  # milliseconds for an answer of the safe build on a busy machine
# The rules of axe whose result may depend on the width of the window or on the colours.
BY_SCREEN = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]


def errors_of(page: Any) -> list[str]:
    """A list to which the errors that a page prints from now on are added."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    return errors


@contextmanager
def browsing(chromium: Any, address: str, refused: bool = False, scheme: str = "light") -> Iterator[Any]:
    """A browser at the first screen of the application. An error that its pages print fails the test. `refused`:
    whether a status of 400, for a refused form, is allowed."""
    context = chromium.new_context(viewport={"width": 1200, "height": 900}, color_scheme=scheme)
    context.set_default_timeout(40_000)
    page = context.new_page()
    errors = errors_of(page)
    page.goto(address)
    yield page
    context.close()
    assert [error for error in errors if not (refused and "status of 400" in error)] == []


def entered(page: Any, subject: str) -> None:
    """Go from the first screen to a subject by a click."""
    page.locator(".questions a", has_text=subject).click()
    page.wait_for_load_state()


def tab_to(page: Any, selector: str, most: int = 60) -> None:
    """Press Tab until the focus is on the element of the selector."""
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
    """Wait for the answer, and return its frame."""
    page.locator(".panel iframe").wait_for(timeout=ANSWER)
    frame = page.frame_locator(".panel iframe")
    frame.locator("h1").wait_for()
    return frame


def printed(page: Any, press: Any) -> bytes:
    """The PDF that is downloaded when `press` presses its button."""
    with page.expect_download(timeout=ANSWER) as download:
        press()
    return Path(download.value.path()).read_bytes()


def sheets(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def made_again(page: Any, folder: Path, elsewhere: Path) -> Path:
    """Run the command of the answer in another folder, with the same rules, games, logs and layouts. Return the path of
    the answer's page relative to that folder."""
    command = page.locator(".panel pre").text_content()
    for room in ("rules", "games", "logs", "layouts"):
        shutil.copytree(folder / room, elsewhere / room, dirs_exist_ok=True)
    words = [lighter.python(elsewhere), "-P", "-m", "counting.cli", *shlex.split(command)[1:]]
    subprocess.run(words, cwd=elsewhere, check=True, capture_output=True)
    file: str = page.get_by_role("link", name="The page itself").get_attribute("href")
    return Path(file.removeprefix("/files/"))


def broken(page: Any, rules: Sequence[str] = ()) -> list[tuple[str, list[str]]]:
    """Which of these rules of axe a page breaks (by default, of all rules), each with the elements that break it."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    if not page.evaluate("'axe' in window"):  # once for the page
        page.evaluate(axe.axe_script)
    options = {"resultTypes": ["violations"]} | ({"runOnly": {"type": "rule", "values": [*rules]}} if rules else {})
    found = page.evaluate("options => axe.run(options).then((results) => results.violations)", options)
    return [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]


def is_whole(page: Any) -> None:
    """Assert that a page breaks no rule of axe in the light theme at its own width, and no rule that depends on width
    or colours in the dark theme at 400 pixels. At these two widths and at 360 pixels, nothing is wider than the
    window."""
    size = page.viewport_size
    for scheme, width, rules in (("light", size["width"], ()), ("dark", 400, BY_SCREEN)):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        assert broken(page, rules) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 360, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_viewport_size(size)
    page.emulate_media(color_scheme="null")
