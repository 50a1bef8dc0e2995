"""The steps of the tutorials, taken in the application. All that they name and quote is seen there, and
their pictures are of this application.

`COUNTING_PICTURES=1 pytest -n 0 tests/browser/test_app_tutorials.py` makes the pictures again.
"""

import os
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from browser.journeys import answer, entered
from documents import DOCS
from extent import long_or

from counting.cli import main

TUTORIALS = DOCS / "tutorials"
PICTURES = TUTORIALS / "pictures"
LARGEST = 100_000  # a picture has at most this number of bytes


class Tour:
    """A walk through the application, which collects the words seen on the way and the names of the pictures."""

    def __init__(self, page: Any) -> None:
        self.page, self.words, self.pictures = page, "", list[str]()
        page.set_viewport_size({"width": 1200, "height": 900})

    def look(self) -> None:
        """Read the page, and the answer in it."""
        frames = [frame.locator("body").inner_text() for frame in self.page.frames]
        self.words += plain(" ".join(frames)) + " "

    def picture(self, name: str, part: str, height: int = 620) -> None:
        """Look at the page, and take a picture of it. The picture begins with this part of the page and is as wide."""
        self.look()
        self.pictures.append(name)
        self.page.evaluate("scrollTo(0, 0)")
        box = self.page.locator(part).first.bounding_box()
        assert box is not None
        if os.environ.get("COUNTING_PICTURES"):
            from PIL import Image  # installed with matplotlib

            self.page.wait_for_timeout(500)
            left, top = max(box["x"] - 16, 0), max(box["y"] - 8, 0)
            clip = {"x": left, "y": top, "width": min(box["width"] + 32, 1200 - left), "height": height}
            shot = self.page.screenshot(full_page=True, clip=clip)
            PICTURES.mkdir(exist_ok=True)
            Image.open(BytesIO(shot)).convert("RGB").quantize(64).save(PICTURES / f"{name}.png", optimize=True)


def plain(text: str) -> str:
    return " ".join(text.split())


def first_report(tour: Tour, _folder: Path) -> None:
    page = tour.page
    tour.picture("first-screen", "body", 345)
    entered(page, "Judge one bet")
    page.select_option("#game", "ez-baccarat")
    page.fill("#bet", "dragon-7")
    page.fill("#burn", "first-card")
    tour.picture("one-bet", ".form")
    page.click("button.main")
    answer(page)
    tour.picture("one-bet-answer", ".panel")


def house_rules(tour: Tour, _folder: Path) -> None:
    page = tour.page
    tour.look()
    entered(page, "Set a table's rules")
    typed = {"name": "pit 3", "side_bets": "dragon-7", "cut": "20", "burn": "first-card", "most_bet": "100"}
    for name, text in typed.items():
        page.fill(f"#{name}", text)
    tour.picture("rules", ".field:has(#game)")
    page.click("text=More rules")
    page.fill("#shoes", "2000")
    tour.look()
    page.click("text=Save and write the statement")
    answer(page)
    tour.picture("statement", ".panel")
    allowed = re.search(r"side bets of up to (\d+);", tour.words)
    assert allowed is not None
    page.fill("#most_bet", allowed[1])
    before = page.url
    page.click("text=Save and write the statement")
    page.wait_for_url(lambda url: url != before)
    assert "NOT" not in answer(page).locator(".verdict").inner_text()
    tour.picture("statement-met", ".panel", 500)


def review_a_log(tour: Tour, folder: Path) -> None:
    page = tour.page
    tour.look()
    assert main(["example", "audit", "--out", str(folder)]) == 0
    entered(page, "Review a log")
    tour.look()
    page.set_input_files("#dropped", [folder / "coups.csv", folder / "bets.csv"])
    page.wait_for_selector("text=The first coups")
    tour.picture("log-read", "main")
    page.select_option("#game", "ez-baccarat")
    page.fill("#cut", "14")
    page.fill("#burn", "first-card")
    page.click("text=Review, and check the shuffle")
    page.locator(".panel iframe").nth(1).wait_for(timeout=120_000)
    for frame in page.frames[1:]:
        frame.wait_for_selector("h1")
    tour.picture("log-answer", ".panel")


WALKS: dict[str, Callable[[Tour, Path], None]] = {
    "01-first-report": first_report,
    "02-house-rules": house_rules,
    "03-review-a-log": review_a_log,
}


@pytest.mark.parametrize("tutorial", long_or([*WALKS], ["01-first-report", "02-house-rules"]))
def test_a_tutorial_says_what_is_seen(tutorial: str, screen: Any, tmp_path: Path) -> None:
    tour = Tour(screen)
    WALKS[tutorial](tour, tmp_path)
    text = (TUTORIALS / f"{tutorial}.md").read_text()
    section = text.partition("\n## In the application\n")[2].partition("\n## ")[0]
    named = re.findall(r"\*\*(.+?)\*\*", plain(section))
    blocks = re.findall(r"(?m)(?:^ *> .*\n)+", section)
    quoted = [plain(re.sub(r"(?m)^ *> ", "", block)) for block in blocks]
    assert len(named) >= 4
    assert quoted
    assert [words for words in (*named, *quoted) if words not in tour.words] == []
    assert re.findall(r"\]\(pictures/(.+?)\.png\)", section) == tour.pictures
    assert all((PICTURES / f"{name}.png").stat().st_size <= LARGEST for name in tour.pictures)
