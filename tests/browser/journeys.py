"""Helpers for tests that use the application with mouse and keyboard, and the checks that every page must pass."""

import json
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

import pytest
from extent import long_or

from counting.cli import main

ANSWER = 120_000  # milliseconds for an answer of the safe build on a busy machine
# The rules of axe whose result may depend on the width of the window or on the colours.
BY_SCREEN = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]

# Marks the elements with a text whose contrast axe is to measure: fields, and the first element of each look. Two
# elements look alike if they and all elements around them have the same colours, font, opacity, position and clip.
MARK_LOOKS = """() => {
  const looks = new Map([[null, ""]]), seen = new Set();
  const look = (element) => {
    if (!looks.has(element)) {
      const style = getComputedStyle(element), around = look(element.parentElement);
      const own = ["color", "backgroundColor", "backgroundImage", "opacity", "fontSize", "fontWeight", "textShadow",
        "position", "clip", "clipPath"]; // a label for screen readers alone is clipped
      const isDisabled = element.matches(":disabled, [aria-disabled]");
      looks.set(element, [around, ...own.map((name) => style[name]), isDisabled].join());
    }
    return looks.get(element);
  };
  for (const element of document.querySelectorAll("body, body *")) {
    element.removeAttribute("data-look");
    const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    const text = texts.map((node) => node.data.trim()).join("");
    const isNew = () => {
      const key = `${look(element)} ${text.length > 1}`;
      return !seen.has(key) && seen.add(key);
    };
    const isField = element.matches("input, select, textarea");
    if (isField || text && element.checkVisibility({ visibilityProperty: true }) && isNew()) element.dataset.look = "";
  }
}"""

WIDTH = "document.documentElement.scrollWidth"


def errors_of(page: Any) -> list[str]:
    """A list to which the errors that a page prints from now on are added."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    return errors


def called(page: Any, function: str, argument: object) -> Any:
    """What a function of a page returns for an argument. Both are passed as JSON, which takes less time than
    Playwright's own form for thousands of numbers."""
    text = page.evaluate(f"(text) => JSON.stringify(({function})(JSON.parse(text)))", json.dumps(argument))
    return json.loads(text)


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
    words = shlex.split(command)
    with chdir(elsewhere), pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", words)  # pages have the command that made them
        assert main(words[1:]) == 0
    file: str = page.get_by_role("link", name="The page itself").get_attribute("href")
    return Path(file.removeprefix("/files/"))


def broken(page: Any, rules: Sequence[str] = (), without: Sequence[str] = ()) -> list[tuple[str, list[str]]]:
    """Which of these rules of axe a page breaks (by default, of all rules but those in `without`), each with the
    elements that break it. The contrast is measured on one element of each look; with `--long`, on all elements."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    if not page.evaluate("'axe' in window"):  # once for the page
        page.evaluate(axe.axe_script)
        measured = {"id": "color-contrast", "selector": long_or("*", "[data-look]")}
        page.evaluate("rule => axe.configure({ rules: [rule] })", measured)
    page.evaluate(MARK_LOOKS)
    options: dict[str, Any] = {"resultTypes": ["violations"], "rules": {rule: {"enabled": False} for rule in without}}
    if rules:
        options["runOnly"] = {"type": "rule", "values": [*rules]}
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
        assert page.evaluate(WIDTH) <= width
    page.emulate_media(color_scheme="null")
    page.set_viewport_size({"width": 360, "height": 900})
    assert page.evaluate(WIDTH) <= 360
    page.set_viewport_size(size)


def fits(page: Any) -> None:
    """Assert that nothing is wider than the window at a page's own width and at 360 pixels. For a page whose template
    another test checks with axe."""
    size = page.viewport_size
    for width in (360, size["width"]):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(WIDTH) <= width
