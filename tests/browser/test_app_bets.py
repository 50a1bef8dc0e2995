"""Side bets and a shoe in the application: the journeys by mouse and by keyboard alone, in the light and the dark."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from app.conftest import Served, serving
from browser.journeys import browsing, fits, is_whole, tab_to

from counting.cards import Shoe
from counting.exact import exact_edges
from counting.games import load_game


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("app") / "Baccarat studies") as running:
        yield running


@pytest.fixture
def app(chromium: Any, served: Served) -> Iterator[Any]:
    """The first screen. An error that its page prints fails the test."""
    with browsing(chromium, served.address, scheme="dark") as page:
        yield page


def enter(page: Any, selector: str, address: str) -> None:
    """Tab to a link or a button, and follow it by Enter."""
    tab_to(page, selector)
    page.keyboard.press("Enter")
    page.wait_for_url(address)


def is_priced(page: Any) -> str:
    """The price, read as soon as it includes all that was typed."""
    page.wait_for_selector("#priced[aria-busy='false']")
    return str(page.inner_text(".price"))


def edge_of(served: Served, name: str) -> str:
    game = load_game(served.folder / f"games/{name}.toml")
    return str(exact_edges(game, Shoe.decks(game.decks))[name])


def test_a_bet_of_the_catalog_by_mouse(app: Any) -> None:
    app.click("text=Offer a side bet")
    app.wait_for_url("**/side-bet")
    app.fill("#words", "panda")
    app.click("text=Find")
    app.wait_for_load_state()
    app.select_option("#game", "ez-baccarat")  # takes effect without a button
    app.wait_for_url("**words=panda&game=ez-baccarat")
    app.get_by_role("link", name=re.compile("Panda 8")).first.click()
    assert (app.input_value("#game"), app.input_value("#bet")) == ("ez-baccarat", "panda-8")


def test_a_bet_of_the_catalog_by_keyboard(app: Any) -> None:
    enter(app, ".questions a[href='/side-bet']", "**/side-bet")
    tab_to(app, "#words")
    app.keyboard.type("dragon 7")
    app.keyboard.press("Enter")
    app.wait_for_url("**words=dragon*")
    enter(app, "a[href$='bet=dragon-7']", "**/bet?**")
    assert app.input_value("#bet") == "dragon-7"


def test_an_own_bet_by_mouse(app: Any, served: Served) -> None:
    app.click("text=Offer a side bet")
    app.click("text=Make your own bet")
    fits(app)
    app.fill("#title", "Lucky nine")
    app.fill("#odds-1", "30")
    app.wait_for_selector("#line-1-help >> text=line 1: odds '30', should be odds as 40:1")
    assert app.get_attribute("#odds-1", "aria-invalid") == "true"
    app.fill("#odds-1", "30:1")
    app.select_option("#key-1-1", "player_third_value")
    app.wait_for_selector("#value-1-1[list='list-player_third_value']")
    app.fill("#value-1-1", "9")
    app.wait_for_selector("#key-1-2")
    app.select_option("#key-1-2", "winner")
    app.fill("#value-1-2", "player")
    first = is_priced(app)
    assert not app.get_attribute("#odds-1", "aria-invalid")
    app.fill("#odds-2", "8:1")
    app.select_option("#key-2-1", "number_of")
    app.fill("#value-2-1", "9=2 red=1-3")
    assert is_priced(app) != first
    app.wait_for_selector("#line-2-help >> text=of all coups")
    is_whole(app)
    shown = app.inner_text("#priced code")
    app.click("text=Save")
    app.wait_for_url("**/own?file=**")
    assert app.inner_text("#priced code") == shown == edge_of(served, "lucky-nine")
    is_whole(app)
    app.click("text=Judge this bet")
    assert (app.input_value("#game"), app.input_value("#bet")) == ("games/lucky-nine.toml", "lucky-nine")


def test_an_own_bet_by_keyboard(app: Any, served: Served) -> None:
    enter(app, ".questions a[href='/side-bet']", "**/side-bet")
    enter(app, "a[href='/side-bet/own']", "**/side-bet/own")
    tab_to(app, "#title")
    app.keyboard.type("Any tie")
    tab_to(app, "#odds-1")
    app.keyboard.type("9:1")
    tab_to(app, "#key-1-1")
    app.keyboard.type("Winner")
    tab_to(app, "#value-1-1")
    app.keyboard.type("tie")
    app.wait_for_selector("#line-1-help >> text=of all coups")
    assert app.evaluate("document.activeElement.id") == "value-1-1"
    enter(app, "button[value='save']", "**/own?file=**")
    assert app.inner_text("#priced code") == edge_of(served, "any-tie")
    enter(app, "a[href^='/bet?']", "**/bet?**")
    assert app.input_value("#bet") == "any-tie"


def test_the_pages_are_whole_without_scripts(chromium: Any, served: Served) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(served.address)
    page.click("text=Offer a side bet")
    page.click("text=Make your own bet")
    page.fill("#title", "No script")
    for i, (odds, result) in enumerate((("9:1", "tie"), ("1:2", "player")), 1):
        page.fill(f"#odds-{i}", odds)
        page.select_option(f"#key-{i}-1", "winner")
        page.fill(f"#value-{i}-1", result)
        page.click("button[value='price']")
        assert "House edge" in page.inner_text("#priced")
    page.click("text=Save")
    assert page.inner_text("#priced code") == edge_of(served, "no-script")
    context.close()


def test_a_stale_answer_leaves_no_line(app: Any) -> None:
    app.goto(f"{app.url}side-bet/own")
    for i in (1, 2, 3):
        app.fill(f"#odds-{i}", "x")
        app.wait_for_selector(f"#line-{i}-help >> text=line {i}: odds 'x'")
        app.wait_for_selector(f"#odds-{i + 1}")
    for i in (3, 2):
        app.fill(f"#odds-{i}", "")
        app.wait_for_selector(f"#line-{i}-help:empty", state="attached")
    assert "line 1" in app.inner_text("#line-1-help")


def deal(page: Any, cards: str) -> None:
    for card in cards:
        page.keyboard.press(card)


def test_a_shoe_by_mouse(app: Any, served: Served) -> None:
    app.click("text=Price a shoe")
    app.wait_for_load_state()
    app.select_option("#game", "ez-baccarat")
    app.fill("#cut", "26")
    app.get_by_role("button", name="Show").click()
    app.wait_for_url("**/shoe?game=ez-baccarat**")
    frame = app.frame_locator("iframe")
    for card in ("9", "2", "K", "4"):
        frame.locator(f"[data-card='{card}']").click()
    assert "Player won" in frame.locator("#coup-title").inner_text()
    with app.expect_download() as saved:
        frame.locator("#save").click()
    assert "ez-baccarat,1,1,9 K,2 4,player," in Path(saved.value.path()).read_text()
    is_whole(app)
    app.click("text=Save as a file")
    app.wait_for_selector("text=Saved: reports/ez-baccarat-calculator.html")
    assert (served.folder / "reports/ez-baccarat-calculator.html").is_file()
    with app.expect_download() as file:
        app.click("a[download]")
    assert Path(file.value.path()).read_bytes() == (served.folder / "reports/ez-baccarat-calculator.html").read_bytes()


def test_a_shoe_by_keyboard(app: Any) -> None:
    enter(app, ".questions a[href='/shoe']", "**/shoe")
    tab_to(app, "#game")
    app.keyboard.type("EZ")
    app.wait_for_url("**/shoe?game=ez-baccarat**")
    tab_to(app, "iframe")
    deal(app, "92K4")
    frame = app.frame_locator("iframe")
    frame.locator("#coup-title >> text=Player won").wait_for()
    app.keyboard.press("Backspace")
    frame.locator("#next >> text=Banker's second card").wait_for()
    tab_to(app, "details > summary", 150)  # the focus can leave the frame again


def test_a_tapped_shoe_is_copied_and_moves_to_a_window_of_its_own(app: Any) -> None:
    app.click("text=Price a shoe")
    app.wait_for_load_state()
    app.select_option("#game", "ez-baccarat")  # the calculator changes to this game
    app.wait_for_url("**/shoe?game=ez-baccarat**")
    frame = app.frame_locator("iframe")
    for card in "92K4" + "7K2":
        frame.locator(f"[data-card='{card}']").click()
    frame.locator("#copy").click()
    frame.locator("#print-message >> text=Copied.").wait_for()
    app.wait_for_function('decodeURIComponent(document.getElementById(\'own-window\').hash).includes(\'"7","K","2"\')')
    with app.context.expect_page() as opened:
        app.click("#own-window")
    page = opened.value
    page.wait_for_selector("text=Next: Banker's second card.")
    assert page.input_value("#print").splitlines()[1:] == ["ez-baccarat,1,1,9 K,2 4,player,"]
    page.click("#lines")
    page.keyboard.press("Control+V")
    assert page.input_value("#lines") == page.input_value("#print")
    page.locator("[data-card='8']").click()
    page.reload()
    page.wait_for_selector("text=Next: Player's first card.")  # Player's 7 2 is a natural, so the coup is over


def test_a_shoe_is_printed_whole(app: Any, tmp_path: Path) -> None:
    app.click("text=Price a shoe")
    with app.context.expect_page() as opened:
        app.click("text=Open in a separate window")
    page = opened.value
    page.wait_for_selector("[data-card='A']")
    page.fill("#lines", "\n".join(["9 K,2 4", "8 Q,3 5", "7 A,J 6"] * 14))
    page.click("#read")
    page.locator("#read-message >> text=42 coups read.").wait_for()
    page.focus("#undo")
    deal(page, "Q65")  # the last coup is not over
    page.emulate_media(media="print")
    log = page.input_value("#print")
    assert log.count("\n") > 40
    assert page.inner_text("#printed").split() == log.split()
    assert not page.is_visible("#print")
    width = "chart => chart.getBoundingClientRect().width"
    wide = page.locator("#strip svg").evaluate(width)
    page.set_viewport_size({"width": 690, "height": 900})  # the width of A4 between the margins
    assert page.locator("#strip svg").evaluate(width) <= 690 < wide
    paper = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert paper == "rgb(255, 255, 255)"
    if shutil.which("pdftotext"):
        page.pdf(path=str(tmp_path / "shoe.pdf"), prefer_css_page_size=True)
        text = subprocess.run(["pdftotext", str(tmp_path / "shoe.pdf"), "-"], capture_output=True, check=True).stdout
        assert set(log.split()) <= set(text.decode().split())
