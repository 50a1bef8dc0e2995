"""Side bets of the catalog and of the pay table editor: their prices and files are as the commands make them."""

import json
import os
import re
import sys
from html import unescape
from pathlib import Path

import pytest
from app.conftest import Served
from app.test_jobs import number
from extent import one_of_each

from counting.app.side_bets import GAMES, KIND, file_text, form_of_file, game_of, lines_of
from counting.cards import Shoe
from counting.cli import main
from counting.errors import InputError
from counting.exact import price_shoe
from counting.games import Bet, Game, catalog, condition_choices, condition_value, load_game

NINE = {
    "title": "Lucky nine", "game": "punto-banco", "decks": "6",
    "odds-1": "25:1", "key-1-1": "winner", "value-1-1": "player", "key-1-2": "player_third_value", "value-1-2": "9",
    "odds-2": "push", "key-2-1": "number_of", "value-2-1": "9=2-3 red=1,2",
    "odds-3": "8:1", "key-3-1": "player_first_two", "value-3-1": "Q K, A 9",
}  # fmt: skip
BY_HAND = """
title = "Punto banco with Lucky nine"
source = "Jacobs and Brecher, How is baccarat played?; Baccarat (encyclopedia article, March 2018)"
decks = 6
tableau = "punto-banco"
bets = [
  { name = "player", pays = [{ winner = "player", odds = "1:1" }, { winner = "tie", odds = "push" }] },
  { name = "banker-5", title = "Banker, 5% commission", pays = [
    { winner = "banker", odds = "19:20" }, { winner = "tie", odds = "push" } ] },
  BANKER_4
  { name = "lucky-nine", title = "Lucky nine", pays = [
    { winner = "player", player_third_value = 9, odds = "25:1" },
    { number_of = { 9 = "2-3", red = [1, 2] }, odds = "push" },
    { player_first_two = ["K Q", "9 A"], odds = "8:1" } ] },
]
"""

ODDS = "should be odds as 40:1, 40 to 1 or 19:20, push or lose"


def bet_form(bet: Bet, game: str) -> dict[str, str] | None:
    """The form as typed for a bet; None for a bet with conditions that the editor does not have."""
    form = {"game": game, "name": bet.name, "title": "", "decks": ""}
    for i, line in enumerate(bet.pays, 1):
        if not {*line.plain} <= {*condition_choices()}:
            return None
        form[f"odds-{i}"] = line.odds
        for j, (key, wanted) in enumerate(line.plain.items(), 1):
            form |= {f"key-{i}-{j}": key, f"value-{i}-{j}": typed(wanted)}
    return form


def typed(wanted: object) -> str:
    if isinstance(wanted, bool):
        return "true" if wanted else "false"
    assert isinstance(wanted, list)
    if isinstance(wanted[0], list):
        return " ".join(f"{of}={typed(numbers)}" for of, numbers in wanted)
    return ",".join(map(str, wanted))


def own(form: dict[str, str]) -> Game:
    return game_of({"title": "", "decks": "", "name": "lucky-nine", **form})


@pytest.mark.long
def test_a_price_is_that_of_the_command_to_the_fraction(served: Served, capsys: pytest.CaptureFixture[str]) -> None:
    status, location, text = served.post("/side-bet/own", {**NINE, "do": "save"})
    assert (status, location) == (303, "/side-bet/own?file=games/lucky-nine.toml"), text
    assert main(["edges", str(served.folder / "games/lucky-nine.toml"), "--format", "json"]) == 0
    exact = json.loads(capsys.readouterr().out)["bets"]["lucky-nine"]["exact"]
    priced = price_shoe(load_game(served.folder / "games/lucky-nine.toml"), Shoe.decks(6))
    for page in (served.get(location), served.post("/side-bet/own", {**NINE, "do": "price"})[2]):
        assert f"exactly: <code>{exact}</code>" in page
        for figure in (
            f"House edge <strong>{-100 * float(priced.edges['lucky-nine']):.4f}%</strong>",
            f"hit frequency <strong>{100 * float(priced.hit_frequencies['lucky-nine']):.4f}%</strong>",
            f"standard deviation <strong>{priced.standard_deviations['lucky-nine']:.4f}</strong>",
        ):
            assert figure in page


def test_the_file_is_as_one_written_by_hand(tmp_path: Path) -> None:
    base = load_game("punto-banco")
    form = {**NINE, "name": "lucky-nine"}
    ours, hand = tmp_path / "ours/lucky-nine.toml", tmp_path / "hand/lucky-nine.toml"
    for path in (ours, hand):
        path.parent.mkdir()
    ours.write_text(file_text(form, game_of(form)))
    rest = "".join(f"{{ name = {json.dumps(bet.name)}, title = {json.dumps(bet.title)}, pays = [" + ", ".join(
        f'{{ winner = "{line.winner[0]}", odds = "{line.odds}" }}' for line in bet.pays if line.winner) + "] },\n  "
        for bet in base.bets[2:])  # fmt: skip
    hand.write_text(BY_HAND.replace("BANKER_4", rest))
    assert load_game(ours).bets[-1] == load_game(hand).bets[-1]
    assert load_game(ours).digest == load_game(hand).digest == game_of(form).digest


def test_every_bet_of_the_catalog_can_be_typed_saved_and_opened(tmp_path: Path) -> None:
    forms = {name: bet_form(bet, "punto-banco") for name, bet in catalog().items()}
    assert [name for name, form in forms.items() if form is None] == [
        "high-tie-max", "monkey-6", "monkey-6-tie",  # their conditions have `any` or `not`
    ]  # fmt: skip
    bets = [(name, bet) for name, bet in catalog().items() if forms[name] is not None]
    for name, bet in one_of_each(bets, lambda named: frozenset(key for line in named[1].pays for key in line.plain)):
        form = forms[name]
        assert form is not None
        made = game_of(form)
        plain = [(line.plain, line.odds) for line in made.bets[-1].pays]
        assert plain == [(line.plain, line.odds) for line in bet.pays], name
        file = tmp_path / f"{name}.toml"
        file.write_text(file_text(form, made))
        assert load_game(file).digest == made.digest
        assert game_of(form_of_file(file)) == made


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_the_base(game: str, tmp_path: Path) -> None:
    made = own({"game": game, "odds-1": "7:1", "key-1-1": "winner", "value-1-1": "tie"})
    file = tmp_path / "lucky-nine.toml"
    file.write_text(file_text({"game": game}, made))
    assert load_game(file).digest == made.digest
    assert load_game(file).tableau == load_game(game).tableau
    assert load_game(file).bet_names == (*load_game(game).bet_names, "lucky-nine")
    assert KIND.is_one(file)


def test_every_word_that_a_condition_offers_is_one_that_it_takes() -> None:
    for key, words in condition_choices().items():
        assert words, key
        for word in words:
            line = {key: condition_value(key, word), "odds": "1:1"}
            assert Bet(name="x", pays=[line]).pays[0].plain.keys() == {key}


@pytest.mark.parametrize("odds", ["25 to 1", "25/1", " 25 : 1 ", "25:1", "25 TO 1"])
def test_odds_are_typed_as_people_write_them(odds: str, tmp_path: Path) -> None:
    form = {"game": "ez-baccarat", "name": "lucky-eights", "title": "", "decks": ""}
    form |= {"odds-1": odds, "key-1-1": "winner", "value-1-1": "Banker", "key-1-2": "banker_total", "value-1-2": "8"}
    (tmp_path / "lucky-eights.toml").write_text(file_text(form, game_of(form)))
    assert 'odds = "25:1"' in (tmp_path / "lucky-eights.toml").read_text()
    assert load_game(tmp_path / "lucky-eights.toml").bet("lucky-eights").pays[0].plain == {
        "winner": ["banker"],
        "banker_total": [8],
    }


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"odds-2": "8"}, f"line 2: odds '8', {ODDS}; did you mean 8:1?"),
        ({"odds-2": "12.5 to 1"}, f"line 2: odds '12.5 to 1', {ODDS}; did you mean 25:2?"),
        ({"odds-2": "x2"}, f"line 2: odds 'x2', {ODDS}"),
        ({"odds-2": "10% of meter"}, "line 2: odds '10% of meter', should be odds"),
        ({"odds-2": "0:1"}, 'line 2: odds = "0:1": should be odds as "40:1"'),
        ({"value-1-2": "12"}, 'line 1: player_third_value = "12": should be 0 to 9'),
        ({"value-1-2": ""}, "line 1: player_third_value = "),
        ({"key-1-2": ""}, "line 1: '9', should have its condition from the list"),
        ({"key-1-2": "event"}, "line 1: '9', should have its condition from the list"),
        ({"key-1-2": "winner"}, "line 1: winner occurs twice, should occur once, with several values"),
        ({"key-1-2": "player_cards", "value-1-2": "4"}, "line 1: player_cards = "),
        ({"key-3-1": "winner", "value-3-1": "player", "key-3-2": "player_third_value", "value-3-2": "9"},
         "line 3: no coup meets this line, should be a line that can happen"),
        ({"odds-3": "", "key-3-1": "", "value-3-1": "", "odds-5": "nothing"}, "line 5: odds 'nothing'"),
        ({"odds-2": "", "key-2-1": "", "value-2-1": "", "odds-4": "2:1", "key-4-1": "winner", "value-4-1": "x"},
         "line 4: winner = "),
        ({"name": "Lucky Nine"}, 'name = "Lucky Nine": should be lower case letters and digits with hyphens'),
        ({"name": "player"}, "name = 'player': an earlier bet has this name"),
        ({"title": "Banker, 5% commission"}, "title = 'Banker, 5% commission': an earlier bet has this title"),
        ({"decks": "99"}, "decks = 99: should be a whole number from 1 to"),
        ({"decks": "some"}, 'decks = "some": should be a whole number from 1 to'),
        ({"game": "../punto-banco.toml"}, "game: '../punto-banco.toml', should be one of"),
        ({"title": "", "name": ""}, "name: missing, should be lower case letters"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_by_its_pay_line(served: Served, changed: dict[str, str], line: str) -> None:
    before = sorted((served.folder / "games").iterdir())
    status, _, text = served.post("/side-bet/own", {**NINE, "do": "save", **changed})
    assert status == 400
    shown = re.findall(r'<strong class="wrong">(.*?)</strong>', text)
    assert [unescape(said)[: len(line)] for said in shown] == [line]
    assert "House edge" not in text
    assert sorted((served.folder / "games").iterdir()) == before


def test_a_file_of_another_is_neither_opened_nor_replaced(served: Served) -> None:
    file = served.folder / "games/mine.toml"
    form = {**NINE, "name": "mine", "do": "save"}
    assert served.post("/side-bet/own", form)[0] == 303
    written = file.read_text()
    assert served.post("/side-bet/own", form)[0] == 303  # the same bet again
    for path in ("/side-bet/own", "/side-bet/own?file=games/mine.toml"):
        status, _, text = served.post(path, {**form, "odds-1": "26:1"})
        assert (status, file.read_text()) == (400, written)
        assert "games/mine.toml is there already, should be another name; or press Replace it" in text
        assert '<button name="do" value="replace">Replace it</button>' in text
    assert "Replace it" not in served.get("/side-bet/own?file=games/mine.toml")
    assert served.post("/side-bet/own", {**form, "odds-1": "26:1", "do": "replace"})[0] == 303
    assert file.read_text() == written.replace("25:1", "26:1")
    file.write_text(written.replace("25:1", "30:1").replace("# Written", "# Changed. Written"))
    for path in ("/side-bet/own?file=games/mine.toml", "/side-bet"):
        assert "mine</a>" not in served.ask("GET", path)[2]
    assert served.ask("GET", "/side-bet/own?file=games/mine.toml")[0] == 400
    status, _, text = served.post("/side-bet/own?file=games/mine.toml", form)
    assert (status, "holds other data, should be a new file or one that the pay table editor wrote" in text) == (
        400,
        True,
    )
    assert "30:1" in file.read_text()
    for path in ("../secret.toml", "rules/x.toml", "games/none.toml"):
        assert served.ask("GET", f"/side-bet/own?file={path}")[0] == 400


def test_a_saved_bet_can_be_judged_and_edited(served: Served) -> None:
    form = {**NINE, "name": "judged", "title": 'Nine "and" <b>more</b>', "do": "save"}
    page = served.get(served.post("/side-bet/own", form)[1])
    assert 'href="/bet?game=games/judged.toml&amp;bet=judged"' in page
    assert 'value="Nine &#34;and&#34; &lt;b&gt;more&lt;/b&gt;"' in page
    assert '<a href="/side-bet/own?file=games/judged.toml">judged</a>' in served.get("/side-bet")
    judged = served.get("/bet?game=games/judged.toml&bet=judged")
    assert 'value="games/judged.toml"' in judged
    assert 'value="judged"' in judged
    asked = {"game": "games/judged.toml", "bet": "judged", "shoes": "200"}
    status, location, text = served.post("/ask/bet", asked)
    assert status == 303, text
    assert "Nine" in served.finished(number((303, location, "")))


@pytest.mark.long
def test_the_catalog_is_found_by_words(served: Served, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bets", "ez-baccarat", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["bets"]
    page = served.get("/side-bet?game=ez-baccarat")
    assert f"{len(rows)} of {len(rows)} bets" in page
    for row in rows:
        assert f'href="/bet?game=ez-baccarat&amp;bet={row["bet"]}"' in page
        assert f"{100 * row['house_edge']:.4f}%" in page
    for words, wanted in (
        ("DRAGON bonus", "family"),
        ("pennsylvania", "source"),
        ("lucky 6", "title"),
        ("big-tiger", "bet"),
    ):
        found = [row["bet"] for row in rows if all(
            word in " ".join(row[key] for key in ("bet", "title", "family", "source")).casefold()
            for word in words.casefold().split())]  # fmt: skip
        assert any(words.casefold().split()[0] in row[wanted].casefold() for row in rows if row["bet"] in found)
        page = served.get(f"/side-bet?words={words}&game=ez-baccarat")
        assert re.findall(r"&amp;bet=([a-z0-9-]+)", page) == found
    assert "0 of 171 bets have these words" in served.get("/side-bet?words=atlantis")
    assert served.ask("GET", "/side-bet?game=../x.toml")[0] == 400


def test_markup_in_every_field_stays_text(served: Served) -> None:
    markup = '"><script>alert(1)</script>'
    for path in ("/side-bet?words=", "/side-bet?game=", "/side-bet/own?file="):
        assert "<script>alert" not in served.ask("GET", path + "%22%3E%3Cscript%3Ealert(1)%3C/script%3E")[2]
    for field in ("title", "name", "game", "decks", *NINE):
        status, _, text = served.post("/side-bet/own", {**NINE, "do": "price", field: markup})
        assert (status, "<script>alert" in text, "&lt;script&gt;alert" in text) == (200, False, True), field


def test_a_form_has_bounds() -> None:
    many = {f"odds-{i}": "1:1" for i in range(1, 100)} | {f"key-1-{j}": "winner" for j in range(1, 100)}
    lines = lines_of(many)
    assert (len(lines), len(lines[1][1])) == (25, 8)
    with pytest.raises(InputError, match="line 1: winner occurs twice"):
        own({**many, "game": "punto-banco"})


@pytest.mark.skipif(sys.platform != "linux", reason="reads the CPU time of a process from /proc")
def test_a_changed_pay_line_is_priced_in_a_tenth_of_a_second_of_cpu(served: Served) -> None:
    """The time of the processor is the same on a busy machine."""

    def cpu() -> float:
        used = Path(f"/proc/{served.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, used[11:13])) / os.sysconf("SC_CLK_TCK")

    for form in (NINE, bet_form(catalog()["lucky-8-player"], "punto-banco")):
        assert form is not None
        for won in range(1, 12):
            if won == 2:  # from the first change on
                begun = cpu()
            assert "House edge" in served.post("/side-bet/own", {**form, "odds-1": f"{won}:1"})[2]
        assert 0 < cpu() - begun < 10 * 0.1
