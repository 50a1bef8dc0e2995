"""Journeys through the application, from the first screen to a PDF: a table's rules, one bet, the archive."""

import re
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from app.conftest import Served, serving
from browser.journeys import (
    ANSWER,
    BY_SCREEN,
    answer,
    broken,
    browsing,
    entered,
    fits,
    is_whole,
    made_again,
    printed,
    sheets,
    tab_to,
    typed,
)
from extent import LONG
from lighter import closed

from counting.app.subjects import RELATED, SUBJECTS

FORMS = [f"/{each.address}" for each in (*SUBJECTS, *RELATED) if each.verb and each.address != "log"]
BET = {"game": "ez-baccarat", "bet": "panda-8", "shoes": "2000"}


def number(page: Any) -> int:
    """The number of the job that a page shows."""
    return int(re.search(r"job=(\d+)", page.url)[1])  # type: ignore[index]


def equal_to_the_command(page: Any, application: Served, elsewhere: Path) -> None:
    file = made_again(page, application.folder, elsewhere)
    assert (elsewhere / file).read_bytes() == (application.folder / file).read_bytes()


@pytest.fixture
def undrawn_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command in this process sets up no figures, like the application."""
    for name in ("single", "svg"):
        monkeypatch.setattr(f"counting.reports.drawing.{name}", closed)


@pytest.mark.usefixtures("undrawn_alike")
def test_rules_are_stated_bettered_and_compared_with_the_mouse(
    screen: Any, application: Served, tmp_path: Path
) -> None:
    is_whole(screen)
    entered(screen, "Set a table's rules")
    fields = {"name": "Pit 3", "side_bets": "dragon-7", "cut": "20", "most_bet": "100", "burn": "first-card"}
    for name, text in {**fields, "casino": "Golden <b>House</b>", "table": "BJ 12"}.items():
        screen.fill(f"#{name}", text)
    screen.click("text=More rules")
    screen.fill("#shoes", "1000")
    screen.click("text=Save and write the statement")
    assert "should be 2,000 or more" in screen.locator("#shoes-help .wrong").inner_text()
    is_whole(screen)
    screen.fill("#shoes", "2000")
    screen.click("text=Save and write the statement")
    assert screen.locator(".panel h2").inner_text() == "Statement: pit-3"
    is_whole(screen)  # while the answer is worked out
    stated = answer(screen)
    assert stated.locator(".verdict").inner_text().endswith("NOT MET")
    assert "side bets of up to" in stated.locator(".headline").inner_text()
    assert "Golden <b>House</b>" in stated.locator("body").inner_text()
    is_whole(screen)
    assert sheets(printed(screen, lambda: screen.get_by_role("button", name="PDF").click())) == 1

    screen.click("text=Which limits are enough?")
    assert screen.input_value("#game") == "rules/pit-3.toml"
    fits(screen)
    screen.fill("#most_bet", "10, 100")
    screen.fill("#tie_in", "0")
    screen.click("text=More rules")
    screen.fill("#model", "sit-out")
    screen.fill("#deepest", "30")
    screen.fill("#shoes", "2000")
    screen.click("button.main")
    cheapest = answer(screen).locator("table.data").first
    assert cheapest.locator("td[data-label='new rule: largest bet']").first.inner_text() == "10"
    fits(screen)

    screen.goto(f"http://{application.host}/rules?rules=rules/pit-3.toml")
    screen.fill("#name", "Pit 3, small bets")
    screen.fill("#most_bet", "10")
    screen.locator("button", has_text=re.compile("^Save$")).click()
    screen.goto(f"http://{application.host}/rules?rules=rules/pit-3.toml")
    screen.click("text=Compare these rules with others")
    screen.select_option("#second", "rules/pit-3-small-bets.toml")
    screen.click("text=More rules")
    screen.fill("#shoes", "2000")
    screen.click("button.main")
    assert re.search("NOT MET.*MET", answer(screen).locator("body").inner_text(), re.DOTALL)
    fits(screen)
    equal_to_the_command(screen, application, tmp_path)
    assert sheets(printed(screen, lambda: screen.get_by_role("button", name="PDF").click())) == 1


@pytest.mark.usefixtures("undrawn_alike")
def test_rules_are_stated_and_printed_with_the_keyboard_alone(screen: Any, application: Served, tmp_path: Path) -> None:
    tab_to(screen, ".questions a[href='/rules']")
    screen.keyboard.press("Enter")
    screen.wait_for_url("**/rules")
    typed(screen, name="Pit 4", game="EZ", side_bets="panda-8", cut="14", most_bet="5")
    tab_to(screen, "summary")
    screen.keyboard.press("Enter")
    typed(screen, shoes="2000")
    tab_to(screen, "button.main")
    screen.keyboard.press("Enter")
    screen.wait_for_url("**job=*")
    assert answer(screen).locator("h1").inner_text() == "EZ Baccarat, Pit 4: house rules"
    equal_to_the_command(screen, application, tmp_path)
    tab_to(screen, ".panel .buttons button")
    assert sheets(printed(screen, lambda: screen.keyboard.press("Enter"))) == 1


@pytest.mark.usefixtures("undrawn_alike")
def test_a_bet_is_judged_and_printed_with_the_mouse(screen: Any, application: Served, tmp_path: Path) -> None:
    entered(screen, "Judge one bet")
    screen.select_option("#game", "ez-baccarat")
    screen.fill("#bet", "dragon-8")
    screen.click("button.main")
    assert "dragon-8" in screen.locator(".wrong").inner_text()
    is_whole(screen)
    screen.fill("#bet", "dragon-7")
    screen.click("text=More rules")
    screen.fill("#shoes", "2000")
    screen.click("button.main")
    assert answer(screen).locator("h1").inner_text() == "Dragon 7, 40 to 1: what counting wins"
    is_whole(screen)
    equal_to_the_command(screen, application, tmp_path)
    assert sheets(printed(screen, lambda: screen.get_by_role("button", name="PDF").click())) == 2
    with screen.expect_download() as download:
        screen.get_by_role("link", name="Excel").click()
    assert Path(download.value.path()).read_bytes().startswith(b"PK")


@pytest.mark.long
def test_a_bet_is_judged_printed_and_closed_with_the_keyboard_alone(screen: Any, application: Served) -> None:
    tab_to(screen, ".questions a[href='/bet']")
    screen.keyboard.press("Enter")
    screen.wait_for_url("**/bet")
    typed(screen, game="EZ", bet="panda-8", cut="26")
    tab_to(screen, "form[method=post] > details > summary")
    screen.keyboard.press("Enter")
    typed(screen, shoes="2000")
    screen.keyboard.press("Enter")
    screen.wait_for_url("**job=*")
    answer(screen)
    tab_to(screen, ".panel .buttons button")
    assert sheets(printed(screen, lambda: screen.keyboard.press("Enter"))) == 2
    tab_to(screen, ".panel details:has(form) > summary")
    screen.keyboard.press("Enter")
    tab_to(screen, "[name=name]")
    screen.keyboard.type("Ann Smith")
    tab_to(screen, ".closing button")
    screen.keyboard.press("Enter")
    screen.get_by_text("Closed by Ann Smith on").wait_for(timeout=ANSWER)
    assert screen.get_by_text("No file has changed since.").is_visible()
    is_whole(screen)


@pytest.fixture
def a_bet(application: Served) -> str:
    """The folder of an answer in the archive, as a command would write it there."""
    _, location, _ = application.post("/ask/bet", BET)
    job = re.search(r"job=(\d+)", location)
    assert job is not None
    page = re.search(r'href="/files/(reports/.*)/report.html"', application.finished(int(job[1])))
    assert page is not None
    copy = "reports/of-a-command"
    shutil.copytree(application.folder / page[1], application.folder / copy)
    return copy


@pytest.mark.long
def test_an_answer_is_found_closed_and_a_later_change_is_seen(screen: Any, application: Served, a_bet: str) -> None:
    screen.get_by_role("link", name="Archive").click()
    screen.fill("#words", "panda of-a-command nowhere")
    screen.click("text=Find")
    assert screen.get_by_text("No answer has these words.").is_visible()
    is_whole(screen)
    screen.fill("#words", "PANDA of-a-command")
    screen.click("text=Find")
    assert screen.locator("tbody tr").count() == 1
    fits(screen)
    screen.click("tbody a")
    assert answer(screen).locator("h1").inner_text() == screen.locator("h1").inner_text()
    is_whole(screen)
    screen.click("text=Close this answer")
    screen.fill("[name=name]", "Ann <b>Smith</b>")
    screen.fill("[name=date]", "2026-11-26")
    screen.get_by_role("button", name="Close").click()
    screen.get_by_text("Closed by Ann <b>Smith</b> on 2026-11-26").wait_for(timeout=ANSWER)
    page = application.folder / a_bet / "report.html"
    assert not page.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
    page.chmod(0o644)
    page.write_text(page.read_text() + " ")
    screen.reload()
    assert "report.html" in screen.locator("strong.wrong", has_text="Changed since it was closed").inner_text()
    is_whole(screen)
    screen.get_by_role("link", name="Archive").click()
    assert "CHANGED" in screen.locator(f"tr:has(a[href$='/{a_bet}'])").inner_text()
    is_whole(screen)


@pytest.mark.long
def test_a_job_is_cancelled_and_goes_on_and_another_browser_sees_the_end(
    screen: Any, application: Served, chromium: Any
) -> None:
    entered(screen, "Judge one bet")
    screen.select_option("#game", "ez-baccarat")
    screen.fill("#bet", "dragon-7")
    screen.fill("#cut", "33")
    screen.click("text=More rules")
    screen.fill("#shoes", "15000")
    screen.click("button.main")
    screen.locator("progress[value]").wait_for(timeout=ANSWER)
    screen.click("text=Cancel")
    screen.get_by_text("Cancelled.").wait_for()
    is_whole(screen)
    screen.click("text=Go on")
    other = chromium.new_context()
    second = other.new_page()
    second.goto(application.address)
    second.goto(f"http://{application.host}/jobs/{number(screen)}")
    assert second.get_attribute("[data-job]", "data-state").startswith(("waiting", "running"))
    for page in (second, screen):
        assert answer(page).locator("h1").inner_text() == "Dragon 7, 40 to 1: what counting wins"
    other.close()


@pytest.mark.long
def test_a_job_goes_on_after_the_server_was_killed(chromium: Any, tmp_path: Path) -> None:
    folder = tmp_path / "Baccarat studies"
    context = chromium.new_context()
    page = context.new_page()
    with serving(folder) as served:
        page.goto(served.address)
        entered(page, "Judge one bet")
        page.select_option("#game", "ez-baccarat")
        page.fill("#bet", "dragon-7")
        page.click("text=More rules")
        page.fill("#shoes", "10000")
        page.click("button.main")
        page.locator("progress[value]").wait_for(timeout=ANSWER)
        served.process.kill()
        served.process.wait()
    with serving(folder) as served:
        page.goto(served.address)
        page.locator(".list a", has_text="One bet: ez-baccarat, dragon-7").click()
        answer(page)
        equal_to_the_command(page, served, tmp_path / "again")
    context.close()


@pytest.fixture(scope="module")
def one_screen(chromium: Any, application: Served) -> Iterator[Any]:
    """One screen, in which the pages are opened one after the other."""
    with browsing(chromium, application.address, refused=True) as page:
        yield page


@pytest.mark.parametrize("address", [f"/{each.address}" for each in (*SUBJECTS, *RELATED)] + ["/archive", "/nowhere"])
def test_every_page_is_whole_at_first(one_screen: Any, application: Served, address: str) -> None:
    """Most pages are the form of a question. Their colours are those of the page on one bet, the first of them."""
    screen = one_screen
    found = screen.goto(f"http://{application.host}{address}")
    assert found.status == (400 if address == "/nowhere" else 200)
    if address in FORMS[1:] and not LONG:
        assert broken(screen, without=BY_SCREEN) == []
        fits(screen)
    else:
        is_whole(screen)


def test_a_job_that_fails_says_why(screen: Any, application: Served) -> None:
    (application.folder / "logs/nothing.csv").write_text("a,b\n1,2\n")
    _, location, _ = application.post("/ask/shuffle", {"coups": "logs/nothing.csv"})
    screen.goto(f"http://{application.host}{location}")
    screen.get_by_text("This could not be answered.").wait_for(timeout=ANSWER)
    assert "nothing.csv" in screen.locator(".panel .mistakes").inner_text()
    is_whole(screen)
