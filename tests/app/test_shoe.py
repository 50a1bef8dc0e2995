"""The calculator in the application is the command's own page. It runs in a sandbox, and is saved as by the command."""

import re
import shlex
from html import unescape
from urllib.parse import quote, urlencode

import pytest
from app.conftest import Served

from counting.app.guard import REPORTS
from counting.cli import main
from counting.games import load_game
from counting.reports.calculator import calculator
from counting.simulation import Dealing
from counting.systems import load_system

ASKED = {"game": "ez-baccarat", "bet": "dragon-7, tie-8", "decks": "6", "cut": "1.5d", "burn": "first-card",
         "system": "dragon-7", "after_cut": "0,0"}  # fmt: skip


def test_the_page_is_the_commands(served: Served) -> None:
    html = calculator(
        load_game("ez-baccarat").only(["dragon-7", "tie-8"]),
        Dealing(6, 78, "first-card", (0, 0)),
        [load_system("dragon-7")],
    )
    assert served.get(f"/shoe/page?{urlencode(ASKED)}") == html
    assert served.get("/shoe/page?game=punto-banco") == calculator("punto-banco", Dealing())


def test_it_runs_as_nobody_and_reaches_nothing(served: Served) -> None:
    policy = served.ask("GET", "/shoe/page?game=louisiana")[1]["content-security-policy"]
    assert policy == REPORTS.replace("sandbox allow-scripts", "sandbox allow-scripts allow-downloads")
    page = served.get("/shoe?game=louisiana")
    assert 'src="/shoe/page?game=louisiana" sandbox="allow-scripts allow-downloads"' in page


def test_it_is_saved_as_the_command_saves_it(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    status, location, text = served.post("/shoe", ASKED)
    assert status == 303, text
    file = served.folder / "reports/ez-baccarat-calculator.html"
    written = file.read_bytes()
    page = served.get(location)
    assert f'<a href="/files/reports/{file.name}" download>' in page
    assert served.get(f"/files/reports/{file.name}") == written.decode()
    file.unlink()
    monkeypatch.chdir(served.folder)
    (command,) = re.findall(r"<code>(counting calculator .*?)</code>", page)
    assert main(shlex.split(unescape(command))[1:]) == 0
    assert file.read_bytes() == written
    assert served.post("/shoe", ASKED)[0] == 303  # it replaces its own file
    file.write_text("mine")
    status, _, text = served.post("/shoe", ASKED)
    assert (status, "holds other data, should be a new file or a calculator&#39;s page" in text) == (400, True)
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"game": "ez"}, "game 'ez': should be one of"),
        ({"game": ""}, "game: missing"),
        ({"game": "../mine.toml"}, "game: '../mine.toml': should be a file in"),
        ({"game": "games/none.toml"}, "game: games/none.toml: is not there"),
        ({"bet": "dragon-77"}, "bet 'dragon-77': ez-baccarat has"),
        ({"decks": "9"}, "decks: 9, a shoe of 468 cards; should be at most 8"),
        ({"cut": "much"}, "cut: 'much'"),
        ({"burn": "all"}, "burn: 'all'"),
        ({"after_cut": "9,9"}, "after-cut: '9,9'"),
        ({"system": "../count.toml"}, "system: '../count.toml': should be a file in"),
    ],
)
def test_a_mistake_is_one_line_by_its_field(served: Served, changed: dict[str, str], line: str) -> None:
    before = sorted((served.folder / "reports").iterdir())
    for status, text in (
        served.ask("GET", f"/shoe?{urlencode({**ASKED, **changed})}")[::2],
        served.post("/shoe", {**ASKED, **changed})[::2],
    ):
        assert status == 400
        assert [unescape(said)[: len(line)] for said in re.findall(r'<strong class="wrong">(.*?)</strong>', text)] == [
            line
        ]
        assert "iframe" not in text
    assert served.ask("GET", f"/shoe/page?{urlencode({**ASKED, **changed})}")[0] == 400
    assert sorted((served.folder / "reports").iterdir()) == before


def test_markup_in_every_field_stays_text(served: Served) -> None:
    markup = '"><script>alert(1)</script>'
    for field in ASKED:
        for status, text in (
            served.ask("GET", f"/shoe?{urlencode({**ASKED, field: markup})}")[::2],
            served.post("/shoe", {**ASKED, field: markup})[::2],
            served.ask("GET", f"/shoe/page?game={quote(markup)}")[::2],
        ):
            assert (status, "<script>alert" in text, "&lt;script&gt;alert" in text) == (400, False, True), field
    (served.folder / "games/marked.toml").write_text(
        'title = "<script>alert(1)</script>"\nsource = "</script><script>alert(2)</script>"\ndecks = 8\n'
        'tableau = "punto-banco"\n[[bets]]\nname = "tie"\ntitle = "<b>tie</b>"\n'
        'pays = [{ winner = "tie", odds = "8:1" }]\n'
    )
    page = served.get("/shoe/page?game=games/marked.toml")
    assert "<script>alert" not in page
    assert "<b>tie" not in page
