"""Every page in a browser: no column lost on a screen, a phone, in the dark and on A4, and no rule of axe broken."""

from pathlib import Path
from typing import Any

import pytest

from counting.audit.synthetic import Counter, Flat, deal, log_frames
from counting.cli import main
from counting.games import load_game
from counting.simulation import Dealing

PIT = """title = "EZ Baccarat, main floor"
table = "BJ 12"
currency = "USD"
date = 2026-11-01
game = "ez-baccarat"
side_bets = ["dragon-7"]
cut = 20
burn = "first-card"
minimum = 25
most_bet = 100
bound = "10/hour"
"""
LIMITS = ("limits", "ez-baccarat", "--bet", "dragon-7", "--bound", "0.1/shoe", "--shoes", "2000", "--deepest", "40")
COUNTED = ("--shoes", "400", "--system", "dragon-7")
PAGES = {
    "study": ("study", "ez-baccarat", *COUNTED),
    "vulnerability": ("vulnerability", "ez-baccarat", "dragon-7", *COUNTED),
    "limits": LIMITS,
    "statement": ("statement", "pit.toml", "--shoes", "2000", "--fit", "500"),
    "audit": ("audit", "ez-baccarat", "--coups", "coups.csv", "--bets", "bets.csv"),
    "shuffle": ("shuffle", "coups.csv"),
    "verification": ("verify", "ez-baccarat", "--shoes", "200"),
}
A4 = 718  # pixels between the margins
# Cells that a reader cannot see whole: of no size, beyond the edge of the page, or cut off by what they are in.
LOST = """(width) => [...document.querySelectorAll("table td, table tbody th")].filter((cell) => {
    const box = cell.getBoundingClientRect();
    const inside = cell.scrollWidth <= cell.clientWidth + 1 || getComputedStyle(cell).display === "inline";
    return !box.width || !box.height || box.right > width + 1 || box.left < -1 || !inside;
}).map((cell) => cell.textContent)"""
OVER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pages")
    game = load_game("ez-baccarat")
    patrons = {"Ms Flat": Flat("dragon-7", 25.0, 0.3), "Mr Count": Counter("dragon-7", 100.0)}
    coups, bets = log_frames(deal(game, Dealing(), 1, 0, 12), patrons, game, 1)
    coups.write_csv(made / "coups.csv")
    bets.write_csv(made / "bets.csv")
    (made / "pit.toml").write_text(PIT)
    return made


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_whole_for_every_reader(
    name: str, folder: Path, window: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    monkeypatch.chdir(folder)
    assert main([*PAGES[name], "--out", name]) == 0
    (page,) = (folder / name).glob("*.html")
    window.goto(page.as_uri())
    cells = window.locator("table td").count()
    assert cells > 10
    for width, dark in ((1200, False), (400, False), (1200, True)):
        window.emulate_media(color_scheme="dark" if dark else "light")
        window.set_viewport_size({"width": width, "height": 900})
        assert window.evaluate(OVER) == 0
        assert window.evaluate(LOST, width) == []
        broken = {
            rule["id"]: [node["target"] for node in rule["nodes"]] for rule in axe.run(window).response["violations"]
        }
        assert broken == {}
    window.set_viewport_size({"width": 1200, "height": 900})
    first = window.locator("main figure, main table").first.bounding_box()
    assert first is not None
    assert first["y"] < 450  # the first figure begins on the first screen
    window.emulate_media(media="print", color_scheme="light")
    window.set_viewport_size({"width": A4, "height": 1000})
    assert window.locator("table td").count() == cells
    across = window.locator(".aside table").count()
    assert window.evaluate(LOST, A4 if not across else 1047) == []
    assert window.pdf(format="A4")[:5] == b"%PDF-"


def test_a_table_sorts_by_value_and_comes_back(folder: Path, window: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert main(["study", "ez-baccarat", "--shoes", "400", "--out", "sorted"]) == 0
    window.goto((folder / "sorted" / "report.html").as_uri())
    table = window.locator("table.data").first
    read = "(table) => [...table.tBodies[0].rows].map((row) => row.cells[1].textContent)"
    first = table.evaluate(read)
    head = table.get_by_role("button", name="house edge")
    head.click()
    edges = [float(text.rstrip("%")) for text in table.evaluate(read)]
    assert edges == sorted(edges, reverse=True)
    head.click()
    assert [float(text.rstrip("%")) for text in table.evaluate(read)] == sorted(edges)
    head.click()
    assert table.evaluate(read) == first
