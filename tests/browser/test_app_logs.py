"""A log in the application, from the first screen to both answers: by the mouse, and by the keyboard alone."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from app.conftest import Served, serving
from browser.journeys import browsing, is_whole, tab_to

from counting import Dealing, load_game
from counting.review.synthetic import Flat, deal, log_frames

EZ = load_game("ez-baccarat")
DROP = """([files, target]) => {
  const given = new DataTransfer();
  for (const [name, text] of files)
    given.items.add(new File([Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))], name));
  for (const kind of ["dragenter", "dragover", "drop"])
    document.querySelector(target).dispatchEvent(
      new DragEvent(kind, { dataTransfer: given, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, printing: dict[str, str]) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("logs") / "Baccarat studies", **printing) as served:
        yield served


@pytest.fixture
def page(chromium: Any, running: Served) -> Iterator[Any]:
    """The first screen. An error that its pages print fails the test, unless it is about a refused form."""
    with browsing(chromium, running.address, refused=True) as first:
        yield first


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A file of coups with unknown headings for table and coup, and a file of bets."""
    coups, bets = log_frames(deal(EZ, Dealing(), 7, 0, 3), {"Ann": Flat("dragon-7", 25, 0.4)}, EZ, 1)
    folder = tmp_path_factory.mktemp("files")
    coups = coups.with_row_index("hand_number", 1200).rename({"table": "Gaming Table", "coup": "round_no"})
    coups.drop("shoe_starts", strict=False).write_csv(folder / "Tisch Übung.csv")
    bets.write_csv(folder / "bets.csv")
    return folder / "Tisch Übung.csv", folder / "bets.csv"


def wait_for_both(page: Any) -> None:
    page.locator(".panel iframe").nth(1).wait_for(timeout=120_000)


def test_two_files_are_dropped_corrected_and_answered_by_the_mouse(page: Any, files: tuple[Path, Path]) -> None:
    page.click("text=Review a log >> nth=0")
    page.wait_for_selector(".drop")
    content = [[path.name, base64.b64encode(path.read_bytes()).decode()] for path in files]
    page.evaluate(DROP, [content, ".drop"])
    page.wait_for_selector("text=The first coups")
    assert (page.input_value("#coups"), page.input_value("#bets")) == ("logs/Tisch Übung.csv", "logs/bets.csv")
    assert "0 bets are read" in page.inner_text("main")
    is_whole(page)
    page.select_option('[id="coups.table"]', "Gaming Table")
    page.select_option('[id="coups.coup"]', "round_no")
    page.click("text=Read again")
    assert "bets are read, 0 lines skipped" in page.inner_text("main")
    page.fill("#name", "Saal Ost")
    page.click("text=Save the layout")
    page.wait_for_url("**layout=layouts%2Fsaal-ost.toml")
    assert page.input_value("#game") == "ez-baccarat"  # recognized from the payouts
    assert "EZ Baccarat is chosen: change it if that is wrong." in page.inner_text("#game-help")
    is_whole(page)
    page.fill("#cut", "14")
    page.click("text=Review, and check the shuffle")
    wait_for_both(page)
    titles = [frame.query_selector("h1").inner_text() for frame in page.frames[1:] if frame.wait_for_selector("h1")]
    assert titles == ["Audit of a table's log", "Were the shoes shuffled?"]
    is_whole(page)
    response = page.context.request.get(page.url)
    assert "layouts/saal-ost.toml" in response.text()


@pytest.mark.long
def test_a_log_is_chosen_answered_and_printed_by_the_keyboard_alone(
    page: Any, files: tuple[Path, Path], tmp_path: Path
) -> None:
    plain = tmp_path / "plain.csv"
    pl.read_csv(files[0]).rename({"Gaming Table": "table", "round_no": "coup"}).drop("hand_number").write_csv(plain)
    tab_to(page, 'a[href="/log"]', 120)
    page.keyboard.press("Enter")
    page.wait_for_url("**/log")
    tab_to(page, "#dropped", 120)
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Space")
    chooser.value.set_files([plain, files[1]])
    page.wait_for_url("**coups=logs%2Fplain.csv&bets=logs%2Fbets.csv")
    tab_to(page, "#game", 120)
    page.keyboard.type("EZ")
    tab_to(page, "button.main", 120)
    page.keyboard.press("Enter")
    page.wait_for_url("**&job=*")
    wait_for_both(page)
    tab_to(page, ".panel button", 120)
    with page.expect_download(timeout=60_000) as printed:
        page.keyboard.press("Enter")
    assert Path(printed.value.path()).read_bytes().startswith(b"%PDF")


def test_what_is_refused_is_told_where_it_was_dropped(page: Any, tmp_path: Path, running: Served) -> None:
    page.goto(f"http://{running.host}/log")
    page.evaluate(DROP, [[[f"{number}.csv", ""] for number in range(3)], ".drop"])
    assert page.inner_text("#told") == "Should be one file or two: the coups, and perhaps the bets."
    page.evaluate(DROP, [[["nothing.csv", ""]], ".drop"])
    page.locator("#told", has_text="nothing.csv: is empty, should be a log").wait_for()
    with (tmp_path / "large.csv").open("wb") as file:
        file.truncate(1 << 30)
    page.set_input_files("#dropped", tmp_path / "large.csv")
    page.locator("#told", has_text="large.csv: should have at most 256 MB").wait_for()
    assert page.evaluate("document.getElementById('told').classList.contains('wrong')")
    assert page.url.endswith("/log")
    assert not [path for path in (running.folder / "logs").iterdir() if path.name.startswith(("large", "nothing", "."))]
