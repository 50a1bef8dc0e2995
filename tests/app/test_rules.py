"""House rules: the form writes the file that the commands read."""

import html
import io
import json
import re
from html import escape
from pathlib import Path

import pytest
from app.conftest import Served
from app.test_jobs import number

from counting.app.subjects import RELATED, SUBJECTS
from counting.bounds import load_house
from counting.cli import main

RULES = {
    "name": "Pit 3", "was": "", "game": "louisiana", "side_bets": "seven-seven-45", "decks": "8", "cut": "1.5d",
    "minimum": "25", "most_bet": "100", "mid_shoe_entry": "yes", "bound": "10/hour", "burn": "none",
    "date": "2026-11-26", "casino": "Golden <b>", "table": "T12", "tie_in": "2", "together": "yes", "shoes": "2000",
}  # fmt: skip
HIGH_LIMIT = {**RULES, "name": "High limit", "shoes": "2345"}


@pytest.fixture(scope="module")
def stated(served: Served) -> str:
    """The panel of a statement on the rules "High limit"."""
    return served.finished(number(served.post("/rules", HIGH_LIMIT)))


CHANGED = {**HIGH_LIMIT, "was": "rules/high-limit.toml", "most_bet": "1"}


@pytest.fixture(scope="module")
def changed(served: Served, stated: str) -> tuple[str, str]:
    """The panel of a statement on `CHANGED`, and its folder. Before, the rules as they were are stated again."""
    assert f'id="job-{number(served.post("/rules", {**CHANGED, "most_bet": "100"}))}"' in stated
    again = number(served.post("/rules", CHANGED))
    panel = served.finished(again)
    return panel, json.loads((served.folder / f"jobs/{again:05}.json").read_text())["folder"]


@pytest.fixture(scope="module")
def closed(served: Served, changed: tuple[str, str]) -> str:
    """The folder of the statement on `CHANGED`, which Quentin closed."""
    assert "No answer has these words" in served.get("/archive?words=statement quentin")
    form = {"name": "Quentin", "date": "2026-11-27"}
    assert served.post(f"/answers/{changed[1]}/close", form)[0] == 303
    return changed[1]


def test_saved_rules_are_those_of_the_command(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = "louisiana\nseven-seven-45\n8\n1.5d\n25\n100\nyes\n10/hour\nnone\nnone\nGolden <b>\nT12\n2026-11-26\n"
    monkeypatch.chdir(served.folder)
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    assert main(["new", "rules/asked.toml"]) == 0
    plain = {name: text for name, text in RULES.items() if name not in ("tie_in", "together")}
    status, location, _ = served.post("/rules", {**plain, "only": "1"})
    assert (status, location) == (303, "/rules?rules=rules/pit-3.toml")
    typed, asked = ((served.folder / f"rules/{name}.toml").read_text() for name in ("pit-3", "asked"))
    assert typed == asked.replace("asked.toml", "pit-3.toml")


@pytest.mark.long
def test_rules_are_stated_and_shown_again(served: Served, stated: str) -> None:
    assert "counting statement rules/high-limit.toml --out statements/high-limit-statement --shoes 2345" in stated
    assert "Golden &lt;b&gt; T12" in served.get("/archive?words=golden t12")
    house = load_house(served.folder / "rules/high-limit.toml").house
    assert (house.cut, house.together, str(house.tie_in)) == (78, True, "2")
    page = served.get("/rules?rules=rules/high-limit.toml")
    for shown in ('value="78"', 'value="seven-seven-45"', "<option selected>yes</option>", 'value="2026-11-26"'):
        assert shown in page


def test_changed_rules_are_stated_anew(stated: str, changed: tuple[str, str]) -> None:
    assert "The answer is here. NOT MET" in stated
    assert "The answer is here. MET" in changed[0]


def test_rules_with_a_mistake_of_the_statement_are_kept_and_corrected(served: Served) -> None:
    status, _, text = served.post("/rules", {**RULES, "name": "Few", "shoes": "1000"})
    assert (status, "should be 2,000 or more" in text, 'name="was" value="rules/few.toml"' in text) == (400, True, True)
    assert served.post("/rules", {**RULES, "name": "Few", "was": "rules/few.toml", "only": "1"})[0] == 303


def test_every_mistake_stands_by_its_field_and_nothing_is_saved(served: Served) -> None:
    wrong = {"bound = ": {"bound": "much", "most_bet": "-5"}, "most_bet = ": {"bound": "much", "most_bet": "-5"}}
    wrong |= {"cut: 999": {"cut": "999"}, "bet &#39;nix&#39;": {"side_bets": "nix"}, "decks: ": {"decks": "many"}}
    wrong |= {"mid_shoe_entry: maybe": {"mid_shoe_entry": "maybe"}}
    for words, fields in wrong.items():
        status, _, text = served.post("/rules", {**RULES, "name": "Wrong", **fields})
        assert (status, (served.folder / "rules/wrong.toml").exists()) == (400, False), words
        assert f'<strong class="wrong">{words}' in text, words


def test_rules_of_another_are_neither_replaced_nor_lost(served: Served) -> None:
    served.post("/rules", {**RULES, "name": "Taken", "only": "1"})
    status, _, text = served.post("/rules", {**RULES, "name": "taken", "cut": "20", "only": "1"})
    assert (status, "name: rules/taken.toml is there already" in text) == (400, True)
    hand = served.folder / "rules/by-hand.toml"
    hand.write_text('title = "T"\ngame = "louisiana"\nside_bets = ["seven-seven-45"]\ncut = 14\nside_share = "1/4"\n')
    before = hand.read_bytes()
    assert "was written by hand" in served.get("/rules?rules=rules/by-hand.toml")
    fields = {**RULES, "name": "by-hand", "was": "rules/by-hand.toml", "only": "1"}
    assert served.post("/rules", fields)[0] == 400
    assert hand.read_bytes() == before
    assert served.post("/rules", {**fields, "name": "a copy"})[0] == 303
    assert 'side_share = "1/4"' in (served.folder / "rules/a-copy.toml").read_text()


def test_games_outside_the_folder_are_refused(served: Served) -> None:
    (served.folder.parent / "mine.toml").write_text("title = 'x'")
    for game in ("../mine.toml", "../../mine.toml", "games/../../mine.toml", str(served.folder.parent / "mine.toml")):
        status, _, text = served.post("/rules", {**RULES, "name": "outside", "game": game})
        assert (status, "game" in text) == (400, True)
        assert not (served.folder / "rules/outside.toml").exists()


def test_the_rules_of_a_closed_statement_stay(served: Served, closed: str) -> None:
    before = (served.folder / "rules/high-limit.toml").read_bytes()
    form = {**CHANGED, "cut": "20"}
    status, _, text = served.post("/rules", form)
    assert (status, f"{closed} is closed and was made from rules/high-limit.toml" in text) == (400, True)
    assert (served.folder / "rules/high-limit.toml").read_bytes() == before
    assert served.post("/rules", {**form, "name": "closed b", "only": "1"})[0] == 303
    page = served.get(f"/answers/{closed}")
    assert ("SHA-256 of the PDF" in page) == (served.folder / closed / "statement.pdf").is_file()
    headers = served.ask("GET", f"/files/{closed}/statement.xlsx")[1]
    assert headers["content-disposition"] == f'attachment; filename="{Path(closed).name}.xlsx"'


def test_bets_and_burned_cards_are_typed_as_the_pages_print_them(served: Served) -> None:
    typed = {**RULES, "name": "Titles", "game": "ez-baccarat", "side_bets": "Dragon 7, Panda 8", "burn": "First card"}
    assert served.post("/rules", {**typed, "cut": "20 cards", "only": "1"})[0] == 303
    house = load_house(served.folder / "rules/titles.toml").house
    assert (house.side_bets, house.burn, house.cut) == (("dragon-7", "panda-8"), "first-card", 20)
    status, _, text = served.post("/rules", {**RULES, "name": "Wrong", "side_bets": "7-7"})
    assert (status, "may be seven-seven-40 or seven-seven-45, should be one of them" in text) == (400, True)
    status, _, text = served.post("/rules", {**RULES, "name": "Wrong", "cut": "many"})
    assert (status, "should be a number of cards, as 20, or of decks, as 1.5d" in text) == (400, True)


def test_an_amount_has_a_currency_and_no_points_between_thousands(served: Served) -> None:
    form = {**RULES, "name": "Amounts", "game": "ez-baccarat", "side_bets": "dragon-7", "only": "1"}
    assert served.post("/rules", {**form, "most_bet": "HK$ 2,000", "minimum": "MOP$300"})[0] == 303
    house = load_house(served.folder / "rules/amounts.toml").house
    assert (house.most_bet, house.minimum) == (2000, 300)
    status, _, text = served.post("/rules", {**form, "was": "rules/amounts.toml", "most_bet": "2.000"})
    assert (status, "most_bet: 2.000: should be 2000; a point begins decimals" in text) == (400, True)


def test_rules_have_their_titles_where_they_are_chosen(served: Served) -> None:
    served.post("/rules", {**RULES, "name": "Pit 31", "casino": "", "table": "", "only": "1"})
    page = served.get("/rules?rules=macau-pairs")
    assert '<option value="macau-pairs" selected>macau-pairs: Macau: pairs, 5% commission' in page
    assert '<option value="rules/pit-31.toml">pit-31: Louisiana Baccarat, Pit 31: house rules</option>' in page
    assert "pit-31: Louisiana Baccarat, Pit 31: house rules</option>" in served.get("/compare")


def test_the_title_names_the_table_and_follows_it(served: Served) -> None:
    served.post("/rules", {**RULES, "name": "Titled", "casino": "", "table": "7", "only": "1"})
    file = served.folder / "rules/titled.toml"
    assert load_house(file).house.title == "Louisiana Baccarat, table 7: house rules"
    served.post("/rules", {**RULES, "name": "Titled", "was": "rules/titled.toml", "table": "", "only": "1"})
    assert load_house(file).house.title == "Louisiana Baccarat, Golden <b>: house rules"
    file.write_text(file.read_text().replace('title = "Louisiana Baccarat, Golden <b>: house rules"', 'title = "Ours"'))
    served.post("/rules", {**RULES, "name": "Titled", "was": "rules/titled.toml", "table": "9", "only": "1"})
    assert load_house(file).house.title == "Ours"


def test_saved_rules_lead_to_each_of_their_bets(served: Served) -> None:
    served.post("/rules", {**RULES, "name": "Two", "side_bets": "seven-seven-45, dragon-7", "only": "1"})
    page = served.get("/rules?rules=rules/two.toml")
    links = re.findall(r'href="(/bet\?[^"]*)"', page)
    assert [link.rpartition("bet=")[2] for link in links] == ["seven-seven-45", "dragon-7"]
    shown = served.get(html.unescape(links[1]))
    for name, value in {"bet": "dragon-7", "cut": "78", "burn": "none", "stake": "100", "bound": "10/hour"}.items():
        assert f'name="{name}" id="{name}" value="{value}"' in shown
    assert '<option value="louisiana" selected>' in shown
    assert "/bet?" not in served.get("/rules")


@pytest.mark.usefixtures("stated")
def test_the_shoes_of_the_last_statement_are_shown_again(served: Served) -> None:
    assert 'name="shoes" id="shoes" value="2345"' in served.get("/rules?rules=rules/high-limit.toml")
    assert 'name="shoes" id="shoes" value="100000"' in served.get("/rules")


def test_a_name_that_is_taken_hides_no_other_mistake(served: Served) -> None:
    served.post("/rules", {**RULES, "name": "Hiding", "only": "1"})
    status, _, text = served.post("/rules", {**RULES, "name": "Hiding", "cut": "999"})
    assert status == 400
    for line in ("choose it above to change it", "cut: 999"):
        assert line in text


def test_what_an_empty_field_means_is_shown(served: Served) -> None:
    page = served.get("/rules")
    for name, words in {"minimum": "no minimum", "coups_per_hour": "70", "bound": "no bound"}.items():
        assert re.search(f'id="{name}"[^>]* placeholder="Empty: {words}"', page), name
    assert '<option value="">Empty: no</option>' in page


@pytest.mark.usefixtures("closed")
def test_a_closed_answer_is_found_by_who_closed_it(served: Served) -> None:
    page = served.get("/archive?words=statement quentin")
    assert page.count('href="/answers/') == 1
    assert '<td data-label="Closed" class="left">Quentin, 2026-11-27</td>' in page


def test_every_subject_has_a_page_from_the_first_screen(served: Served) -> None:
    home = served.get("/")
    for each in (*SUBJECTS, *RELATED):
        assert f'href="/{each.address}"' in home
        assert f"<h1>{escape(each.wish)}" in served.get(f"/{each.address}").replace("&#39;", "&#x27;")


def test_a_patrons_trip_is_judged(served: Served) -> None:
    trip = {"game": "punto-banco", "bet": "banker-5:30000", "coups": "900", "result": "-HK$350,000"}
    panel = served.finished(number(served.post("/ask/trip", trip)))
    assert "counting trip punto-banco --bet banker-5:30000 --coups 900 --result -350000" in panel
    won = number(served.post("/ask/trip", trip | {"result": "2300000"}))
    served.post(f"/jobs/{won}/cancel", {})
    assert json.loads((served.folder / f"jobs/{won:05}.json").read_text())["arguments"]["result"] == 2300000
    page = (served.folder / "reports/punto-banco-banker-5-30000-900-trip/report.html").read_text()
    assert "2.371%" in page  # the break-even rate of Banker


def test_limits_on_rules_with_a_held_seat_say_that_they_take_minutes(served: Served) -> None:
    rules = 'title = "Pit"\ngame = "ez-baccarat"\nside_bets = ["dragon-7"]\ncut = 20\nbound = "10/hour"\n'
    rules += "minimum = 25\nmost_bet = 100\n"
    for name, entry, says in (("held", "false", True), ("free", "true", False)):
        (served.folder / f"rules/{name}.toml").write_text(f"{rules}mid_shoe_entry = {entry}\n")
        page = served.get(f"/limits?game=rules/{name}.toml")
        said = re.search("Counters must hold a seat here: the answer takes about [0-9]+ (min|s|h)", page)
        assert (said is not None) is says
