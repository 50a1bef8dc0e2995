"""House rules: the form writes the file that the commands read."""

import subprocess
import sys

from app.conftest import Served
from app.test_jobs import number

from counting.bounds import load_house

RULES = {
    "name": "Pit 3", "was": "", "game": "louisiana", "side_bets": "seven-seven-45", "decks": "8", "cut": "1.5d",
    "minimum": "25", "most_bet": "100", "mid_shoe_entry": "yes", "bound": "10/hour", "burn": "none",
    "date": "2026-11-26", "casino": "Golden <b>", "table": "T12", "tie_in": "2", "together": "yes", "shoes": "2000",
}  # fmt: skip


def test_saved_rules_are_those_of_the_command(served: Served) -> None:
    answers = "louisiana\nseven-seven-45\n8\n1.5d\n25\n100\nyes\n10/hour\nnone\nnone\nGolden <b>\nT12\n2026-11-26\n"
    words = [sys.executable, "-P", "-m", "counting.cli", "new", "rules/asked.toml"]
    subprocess.run(words, cwd=served.folder, input=answers, text=True, check=True, capture_output=True)
    plain = {name: text for name, text in RULES.items() if name not in ("tie_in", "together")}
    status, location, _ = served.post("/rules", {**plain, "only": "1"})
    assert (status, location) == (303, "/rules?rules=rules/pit-3.toml")
    typed, asked = ((served.folder / f"rules/{name}.toml").read_text() for name in ("pit-3", "asked"))
    assert typed == asked.replace("asked.toml", "pit-3.toml")


def test_rules_are_stated_and_shown_again(served: Served) -> None:
    asked = number(served.post("/rules", {**RULES, "name": "High limit"}))
    panel = served.finished(asked)
    assert "counting statement rules/high-limit.toml --out statements/high-limit-statement --shoes 2000" in panel
    assert "Golden &lt;b&gt; T12" in served.get("/archive?words=golden t12")
    house = load_house(served.folder / "rules/high-limit.toml").house
    assert (house.cut, house.together, str(house.tie_in)) == (78, True, "2")
    page = served.get("/rules?rules=rules/high-limit.toml")
    for shown in ('value="78"', 'value="seven-seven-45"', "<option selected>yes</option>", 'value="2026-11-26"'):
        assert shown in page


def test_changed_rules_are_stated_anew(served: Served) -> None:
    fields = {**RULES, "name": "Changed"}
    first = number(served.post("/rules", fields))
    fields |= {"was": "rules/changed.toml"}
    assert "The answer is here. NOT MET" in served.finished(first)
    assert number(served.post("/rules", fields)) == first
    again = number(served.post("/rules", {**fields, "most_bet": "1"}))
    assert "The answer is here. MET" in served.finished(again)


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


def test_the_rules_of_a_closed_statement_stay(served: Served) -> None:
    asked = number(served.post("/rules", {**RULES, "name": "closed", "tie_in": "", "together": ""}))
    served.finished(asked)
    assert served.post("/answers/statements/closed-statement/close", {"name": "A", "date": "2026-11-26"})[0] == 303
    before = (served.folder / "rules/closed.toml").read_bytes()
    form = {**RULES, "name": "closed", "was": "rules/closed.toml", "cut": "20"}
    status, _, text = served.post("/rules", form)
    assert (status, "statements/closed-statement is closed and was made from rules/closed.toml" in text) == (400, True)
    assert (served.folder / "rules/closed.toml").read_bytes() == before
    assert served.post("/rules", {**form, "name": "closed b", "only": "1"})[0] == 303
    page = served.get("/answers/statements/closed-statement")
    assert ("SHA-256 of the PDF" in page) == (served.folder / "statements/closed-statement/statement.pdf").is_file()
    headers = served.ask("GET", "/files/statements/closed-statement/statement.xlsx")[1]
    assert headers["content-disposition"] == 'attachment; filename="closed-statement.xlsx"'
