"""A hand of your own at Louisiana Baccarat: published figures, and every other decision tried."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counting import InputError, Shoe, exact_edges, load_game
from counting.chemin import CheminRules, own_cards, own_rules, solve
from counting.cli import main

LOUISIANA, STANDS = load_game("louisiana"), load_game("louisiana-stand-5")
shoes = st.lists(st.integers(0, 12), min_size=10, max_size=10).filter(lambda n: sum(n) >= 6).map(Shoe.from_values)


@pytest.mark.parametrize(("decks", "printed"), [(8, 0.764), (6, 0.766)])
def test_by_total_it_is_to_stand_on_five_as_published(decks: int, printed: float) -> None:
    """The source is Louisiana Baccarat, other variations: "Player bet when standing on 5". It prints the house edge in
    percent."""
    rows = own_cards(LOUISIANA, Shoe.decks(decks), "total")
    assert round(-100 * float(rows.value), 3) == printed
    assert rows.value == exact_edges(STANDS, Shoe.decks(decks))["player"]
    assert {total: int(p) for total, p in rows.player.items()} == {t: int(t < 5) for t in range(8)}


def test_by_its_cards_a_ten_and_a_five_draw() -> None:
    rows = own_cards(LOUISIANA, Shoe.decks(8))
    assert [hand for hand, p in rows.player.items() if sum(hand) % 10 == 5 and p] == [(0, 5)]
    assert rows.value > own_cards(LOUISIANA, Shoe.decks(8), "total").value


@given(shoe=shoes)
@settings(max_examples=15)
def test_no_other_move_is_better(shoe: Shoe) -> None:
    """Playing one total the other way does not increase the value. Neither does playing by the house's own rule."""
    best, rules = own_cards(LOUISIANA, shoe, "total"), own_rules(LOUISIANA)
    assert best.value >= exact_edges(LOUISIANA, shoe)["player"]
    assert own_cards(LOUISIANA, shoe).value >= best.value
    played = "".join("D" if best.player.get(total, Fraction()) else "S" for total in range(8))
    for total in range(8):
        other = played[:total] + ("S" if played[total] == "D" else "D") + played[total + 1 :]
        fixed = CheminRules("other", "made up for this test", other, rules.banker)
        assert solve(shoe, "B1", fixed).value <= best.value


def test_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chemin", "own", "--decks", "8", "--sees", "total"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Louisiana Baccarat, shoe 8d. A bet on a hand of your own, played best, has the edge -")
    assert said.splitlines()[-3:] == ["5             S", "6             S", "7             S"]
    assert main(["chemin", "own"]) == 0
    rows = capsys.readouterr().out.splitlines()[-4:-2]
    assert [row.split(maxsplit=1) for row in rows] == [["5", "(0, 5)      D"], ["5", "all others  S"]]
    assert main(["chemin", "own", "--format", "csv"]) == 0
    said = capsys.readouterr().out
    assert '"on (0, 5)",D' in said
    assert '"on (6, 9)",S' in said
    assert main(["chemin", "own", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert Fraction(data["tables_hand"]) == exact_edges(LOUISIANA, Shoe.decks(8))["player"]
    assert main(["chemin", "own", "--sees", "all"]) == 2
    assert capsys.readouterr().err == "counting: sees: 'all', should be hand or total\n"
    with pytest.raises(InputError, match=r"cards, should be 6 to"):
        own_cards(LOUISIANA, Shoe.from_values([1] * 5 + [0] * 5))
