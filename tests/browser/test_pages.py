"""Every page in a browser loses no column on a screen, on a phone, in the dark or on A4, and breaks no rule of axe."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser.journeys import BY_SCREEN, broken

import counting
from counting import InputError
from counting.cli import main
from counting.games import MAIN_EVENTS, load_game
from counting.reports import paper, verification
from counting.reports.pages import Report, render
from counting.reports.publish import publish
from counting.review.synthetic import Counter, Flat, deal, log_frames
from counting.simulation import Dealing
from counting.verify.check import Check
from counting.verify.dealt_checks import ByCardsLeft
from counting.verify.run import Extent, Verified

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
    "compare": ("compare", "pit.toml", "louisiana-45-quarter", "--shoes", "2000"),
    "audit": ("audit", "ez-baccarat", "--coups", "coups.csv", "--bets", "bets.csv"),
    "shuffle": ("shuffle", "coups.csv", "--draws", "99", "--level", "0.5"),
    "effects": (
        "effects",
        "ez-baccarat",
        "dragon-7",
        "--system",
        "dragon-7",
        "--second",
        "--cards-left",
        "14",
        "52",
        "104",
    ),
    "census": ("census", "ez-baccarat", "dragon-7", "--cards", "6:14", "--system", "dragon-7", "--histogram", "20"),
    "score": ("score", "played", "--bankroll", "20000", "--stake", "100", "--horizon", "1000", "--check"),
    "trip": ("trip", "punto-banco", "--bet", "banker-5:30000", "--coups", "90", "--result", "300000"),
    "known": ("known", "punto-banco", "--slug", "9 9 8 8 7 7 6 6 6 6"),
    "results": ("results", "punto-banco", "--coups", "results.csv"),
    "sample": ("sample", "--rate", "10", "--compare", "10", "30"),
    "team": ("team", "ez-baccarat", "dragon-7", "--target", "1000", "--bankroll", "2000", "--runs", "20"),
    "alerts": ("watch", "ez-baccarat", "--report", "pit.journal"),
}
SHEETS = {
    "statement": 1,
    "compare": 1,
    "score": 1,
    "effects": 2,
    "census": 2,
    "vulnerability": 2,
    "limits": 2,
    "study": 3,
}
A4 = 718  # the width between the margins, in pixels
# The cells that a reader cannot see whole: cells with a text but without a size, cells that reach beyond the edge of
# the page, and cells too small for their text.
LOST = """(width) => [...document.querySelectorAll("table:not(.u-legend) td, table tbody th")].filter((cell) => {
    const box = cell.getBoundingClientRect();
    const inside = cell.scrollWidth <= cell.clientWidth + 1 || getComputedStyle(cell).display === "inline";
    const isShown = box.width && box.height;
    return isShown ? box.right > width + 1 || box.left < -1 || !inside : cell.textContent !== "";
}).map((cell) => cell.textContent)"""
# How many labels have no value beside them, where the page shows the rows of a table as cards.
BARE = """() => [...document.querySelectorAll("table.data tr:has(td:not(:empty)) td:empty")]
    .filter((cell) => cell.offsetHeight && getComputedStyle(cell, "::before").content !== "none").length"""
# For each mark of a figure, the title that appears if the pointer is at the middle of the mark; empty if none does.
TITLES = """() => [...document.querySelectorAll(".drawing svg:first-child g[pointer-events] > *")].map((mark) => {
    mark.scrollIntoView({ block: "center", inline: "center" });
    const { left, top, width, height } = mark.getBoundingClientRect();
    const under = document.elementFromPoint(left + width / 2, top + height / 2);
    return under?.closest("g[pointer-events]") ? under.querySelector("title").textContent : "";
})"""
MARKED = {
    "study": r"Dragon 7, 40 to 1, \d+ unseen cards: [\d.]+ ± [\d.]+% of coups",
    "vulnerability": r"perfect: [\d.]+ ± [\d.]+ units per 100 coups, bet on [\d.]+% of coups",
    "limits": r"perfect, play-all, cut \d+, requirement 0: -?[\d.]+ ± [\d.]+, at most -?[\d.]+ \(99%\)",
    "effects": r"level-1, \d+ unseen cards: [\d.]+ units per 100 coups, [\d.]+% of perfect play",
    "census": r"6 unseen cards: median -?[\d.]+%, 50% of coups -?[\d.]+% to [\d.]+%, 90% -?[\d.]+% to [\d.]+%",
    "score": r"dragon-7 from [\d.]+: [\d.]+ ± [\d.]+ units per 100 coups, bet on [\d.]+% of coups",
    "statement": r"Dragon 7, 40 to 1: [\d.]+, 99% bounds [\d.]+ and [\d.]+ USD per hour",
    "audit": r"\d+: Mr Count on dragon-7, mean edge of the stakes [+-][\d.]+%, of random stakes [+-][\d.]+%; p-value "
    r"[\d.]+",
}
# The texts in figures that are too small to read or reach outside their figure, and the widths of figures that scroll.
CRAMPED = """() => [...document.querySelectorAll(".drawing, .plot")].flatMap((figure) => {
    const over = figure.scrollWidth > figure.clientWidth ? [figure.scrollWidth] : [];
    return over.concat([...figure.querySelectorAll("svg text")].filter((text) => text.getClientRects().length)
        .filter((text) => {
            const { left, right, top, bottom } = text.getBoundingClientRect(), { a, b } = text.getScreenCTM();
            const frame = text.ownerSVGElement.getBoundingClientRect();
            const outside = left < frame.left - 2 || right > frame.right + 2
                || top < frame.top - 2 || bottom > frame.bottom + 2;
            return outside || parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b) < 9.9;
        }).map((text) => text.textContent));
})"""
OVER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pages")
    game = load_game("ez-baccarat")
    patrons = {"Ms Flat": Flat("dragon-7", 25.0, 0.3), "Mr Count": Counter("dragon-7", 100.0)}
    coups, bets = log_frames(deal(game, Dealing(), 1, 0, 12), patrons, game, 1)
    coups.write_csv(made / "coups.csv")
    bets.write_csv(made / "bets.csv")
    watch = ("--coups", made / "coups.csv", "--once", "--format", "none", "--rule", "edge > -2% for dragon-7")
    assert main(["watch", "ez-baccarat", *map(str, watch), "--journal", str(made / "pit.journal")]) == 0
    assert main(["example", "results", "--out", str(made)]) == 0
    rows = (made / "results.csv").read_text().splitlines(keepends=True)
    (made / "results.csv").write_text("".join(rows[:1200]))
    (made / "pit.toml").write_text(PIT)
    counting.run(counting.Plan(game, Dealing(), 400, 1, ["dragon-7"], ["dragon-7"], 1), made / "played")
    return made


def checked() -> Verified:
    """A verification with checks that agree, one that does not, and the comparison by cards left."""
    game = load_game("ez-baccarat")
    exact = [Check("events", f"{name}, all instruction sets", 1_234_567, 0.0) for name in ("ez-baccarat", "louisiana")]
    dealt = [
        Check("dealt", f"{event} by number of the coup", 80, 2.5, f"coup {event}", 0.4, 1e-6) for event in "abcdef"
    ]
    wrong = Check("integers", "dragon-7 of a shoe of 52 cards", 1000, 3.0, "4444444444444455555", bound=0.0)
    beside = tuple(
        ByCardsLeft(game.name, left, 10_000, of, 0.46, 0.4586)
        for left in Extent(1000).cards_left
        for of in (*MAIN_EVENTS, "dragon-7")
    )
    return Verified((game,), Extent(1000), 1, (*exact, *dealt, wrong), beside)


def drawn(window: Any, faults: str, *width: int) -> Any:
    """Wait at most five seconds until a page, whose plots are drawn for another width, has no faults. Returns the
    faults that are left."""
    for _ in range(50):
        if not window.evaluate(faults, *width):
            break
        window.wait_for_timeout(100)
    return window.evaluate(faults, *width)


def make(name: str, folder: Path) -> Path:
    """The page of this name, made in the current folder if it is not there."""
    made = folder / name
    if not made.exists():
        if name == "verification":
            made.mkdir()
            publish(verification.report(checked(), "counting verify"), made)
        elif name == "watch":
            made.mkdir()
            logs = ("--coups", "coups.csv", "--bets", "bets.csv", "--once", "--format", "none")
            page = ("--page", "watch/page.html", "--refresh", "600", "--rule", "edge > 2% for dragon-7")
            assert main(["watch", "ez-baccarat", *logs, *page]) == 0
        else:
            assert main([*PAGES[name], "--out", name]) == 0
    (page_made,) = made.glob("*.html")
    return page_made


@pytest.mark.parametrize("name", [*PAGES, "verification", "watch"])
def test_a_page_is_whole_for_every_reader(
    name: str, folder: Path, window: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    window.goto(make(name, folder).as_uri())
    cells = window.locator("table td").count()
    assert cells > 10
    for width, dark in ((1200, False), (360, False), (400, True)):
        window.emulate_media(color_scheme="dark" if dark else "light")
        window.set_viewport_size({"width": width, "height": 900})
        assert drawn(window, OVER) == 0
        assert drawn(window, LOST, width) == []
        assert window.evaluate(BARE) == 0
        if width <= 400:
            assert window.evaluate(CRAMPED) == []
        assert width == 360 or broken(window, BY_SCREEN if dark else ()) == []
    window.set_viewport_size({"width": 1200, "height": 900})
    first = window.locator("main figure, main table").first.bounding_box()
    assert first is not None
    assert first["y"] < 450  # the first figure begins on the first screen
    titles = window.evaluate(TITLES)
    assert all(titles)
    assert name not in MARKED or any(re.match(MARKED[name], text) for title in titles for text in title.split("\n"))
    window.emulate_media(media="print", color_scheme="light")
    window.set_viewport_size({"width": A4, "height": 1000})
    assert window.locator("table td").count() == cells
    across = window.locator(".aside table").count()
    assert window.evaluate(LOST, A4 if not across else 1047) == []
    assert window.evaluate(BARE) == 0
    assert all(
        window.locator(".plot canvas").evaluate_all(
            f"(all) => all.map((one) => one.getBoundingClientRect().right <= {A4})"
        )
    )
    sheets = len(re.findall(rb"/Type\s*/Page\b", window.pdf(prefer_css_page_size=True)))
    assert sheets == SHEETS.get(name, sheets) < 8


def test_a_table_sorts_by_value_and_comes_back(folder: Path, window: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    window.goto(make("study", folder).as_uri())
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


def test_a_page_under_watch_loads_itself_again_until_it_is_stopped(window: Any, tmp_path: Path) -> None:
    report = Report(title="Tables", procedure="", sentences=["No table."], note="", sections=[], data={}, refresh=1)
    page = tmp_path / "page.html"
    page.write_text(render(report))
    window.goto(page.as_uri())
    page.write_text(render(replace(report, sentences=["One table."])))
    window.get_by_text("One table.").wait_for(timeout=20_000)
    window.get_by_role("button", name="Pause").click()
    page.write_text(render(replace(report, sentences=["Two tables."])))
    window.wait_for_timeout(2_500)
    assert window.get_by_text("One table.").count() == 1
    window.get_by_role("button", name="Go on").click()
    window.get_by_text("Two tables.").wait_for(timeout=20_000)


def test_a_page_is_printed_to_a_file_and_no_other_file_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printing: dict[str, str]
) -> None:
    """The installed browser prints the page on one sheet, and the browser of the tests prints it again over the
    same file."""
    answer = counting.statement(tomllib.loads(PIT), shoes=2000)
    for variables in ({}, printing):
        for variable, value in variables.items():
            monkeypatch.setenv(variable, value)
        file = answer.to_pdf(tmp_path / "pit.pdf")
        assert file.read_bytes().startswith(b"%PDF")
        assert len(re.findall(rb"/Type\s*/Page\b", file.read_bytes())) == 1
    file.write_bytes(b"%PDF of others")
    with pytest.raises(InputError, match=r"^pdf .*pit\.pdf: holds other data"):
        answer.to_pdf(file)
    assert file.read_bytes() == b"%PDF of others"


def test_without_a_browser_a_line_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "_NAMES", ())
    monkeypatch.setattr(paper, "_MAC", ())
    monkeypatch.setattr(paper, "_WINDOWS", ())
    with pytest.raises(InputError, match=r"^pdf: no Chrome, Chromium or Edge here to print with"):
        paper.print_pdf("<p>a page</p>", tmp_path / "page.pdf")
    assert not (tmp_path / "page.pdf").exists()
