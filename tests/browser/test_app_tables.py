"""A table under watch in the application, from the first screen to a PDF: by the mouse, by the keyboard alone, and in
two browsers at once."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from app.conftest import Served, serving
from browser.journeys import browsing, fits, is_whole, tab_to
from twins.streams import lines, records

STREAM = lines(records("7", 3, 2))


@pytest.fixture
def served(tmp_path: Path, printing: dict[str, str]) -> Iterator[Served]:
    """An application whose folder has the beginning of a table's log."""
    with serving(tmp_path / "Baccarat studies", **printing) as running:
        grow(running, STREAM[:5])
        yield running


def grow(served: Served, raw: list[bytes]) -> None:
    """Append lines to the log, as the table's system does."""
    with (served.folder / "live/T12.jsonl").open("ab") as file:
        file.writelines(raw)


def begin(page: Any) -> None:
    page.click("text=Watch a table")
    page.select_option("#game", "ez-baccarat")
    page.fill("#coups", "live/T12.jsonl")
    page.click("text=An edge above 2%")
    page.click("button.main")
    page.wait_for_url("**/table/t12")


def test_a_watch_by_the_mouse(chromium: Any, served: Served) -> None:
    with browsing(chromium, served.address) as page:
        page.click("text=Watch a table")
        assert str(served.folder / "live") in page.inner_text("main")
        page.click("text=A count at its trigger")  # the field for the count is empty and gets the focus
        assert page.evaluate("document.activeElement.id") == "system"
        page.fill("#system", "dragon-7")
        page.click("text=A count at its trigger")
        page.click("text=An edge above 2%")
        assert page.input_value("#rule") == "trigger dragon-7\nedge > 2%"
        fits(page)
        page.select_option("#game", "ez-baccarat")
        page.fill("#coups", "live/T12.jsonl")
        page.fill("#rule", "edge > 2%")
        page.click("button.main")
        page.wait_for_selector("text=On. 0 alerts, 0 open.")
        grow(served, STREAM[5:])
        page.wait_for_selector("#alert-8")
        assert page.title() == "(8) t12 – Baccarat studies"
        tables = page.frame_locator("iframe")
        tables.locator("text=243 coups").wait_for()
        page.click("th >> text=Edge")
        edges = [float(text.rstrip("%")) for text in page.locator("td[data-label=Edge]").all_inner_texts()]
        assert len(edges) == 8
        assert edges == sorted(edges, reverse=True)
        is_whole(page)
        page.fill("#name", "Ann <b>Lee</b>")
        page.click("#alert-3")
        page.wait_for_selector("text=On. 8 alerts, 7 open.")
        page.click("text=Acknowledged (1)")
        assert "Ann <b>Lee</b>, 20" in page.inner_text("td[data-label=Acknowledged]")
        assert page.input_value("#name") == "Ann <b>Lee</b>"
        for which in ("PDF of the alerts", "PDF"):
            with page.expect_download() as printed:
                page.get_by_role("button", name=which, exact=True).click()
            assert printed.value.path().read_bytes()[:5] == b"%PDF-"
        assert page.title() == "(7) t12 – Baccarat studies"
        other = page.context.new_page()
        other.goto(page.url.partition("/table")[0] + "/table")
        assert "on" in other.inner_text("#watches tbody")
        page.click("text=Stop")
        page.wait_for_selector("text=Off. 8 alerts, 7 open.")
        other.bring_to_front()
        other.locator("#watches td >> text=off").wait_for()


@pytest.mark.long
def test_a_watch_by_the_keyboard_alone(chromium: Any, served: Served) -> None:
    with browsing(chromium, served.address) as page:
        tab_to(page, ".questions a[href='/table']")
        page.keyboard.press("Enter")
        page.wait_for_url("**/table")
        for field, text in (("#game", "EZ"), ("#coups", "live/T12.jsonl")):
            tab_to(page, field)
            page.keyboard.type(text)
        tab_to(page, "[data-rule^=edge]")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "rule"
        tab_to(page, "button.main")
        page.keyboard.press("Enter")
        page.wait_for_url("**/table/t12")
        grow(served, STREAM[5:-20])
        page.wait_for_selector("#alert-6")
        tab_to(page, "#name")
        page.keyboard.type("Bo")
        page.keyboard.press("Enter")  # this alone acknowledges nothing
        tab_to(page, "thead th:nth-child(6) button")
        page.keyboard.press("Enter")
        before = page.locator("tbody tr").count()
        grow(served, STREAM[-20:])  # an alert comes: the order and the focus stay
        page.wait_for_function("before => document.querySelectorAll('tbody tr').length > before", arg=before)
        page.wait_for_selector("th[aria-sort=descending]")
        assert page.evaluate("document.activeElement.closest('th').cellIndex") == 5
        tab_to(page, "#alert-8")
        page.keyboard.press("Enter")
        page.wait_for_url("**#alerts")
        page.wait_for_selector("text=7 open.")
        tab_to(page, "#alert-7")  # few tabs lead to the next alert
        kept = served.folder / "live/t12.acknowledged"
        assert [json.loads(line)["name"] for line in kept.read_text().splitlines()] == ["Bo"]


@pytest.mark.long
def test_two_browsers_see_what_each_acknowledges(chromium: Any, served: Served) -> None:
    with browsing(chromium, served.address) as one, browsing(chromium, served.address) as other:
        begin(one)
        other.goto(f"http://{served.host}/table/t12")
        grow(served, STREAM[5:])
        for page, name in ((one, "Ann"), (other, "Bob")):
            page.wait_for_selector("#alert-8")
            page.fill("#name", name)
        one.click("#alert-2")
        other.wait_for_selector("#alert-2", state="detached")
        assert other.input_value("#name") == "Bob"
        other.click("#alert-5")
        one.wait_for_selector("text=8 alerts, 6 open.")
        assert one.locator("#alert-5").count() == 0
