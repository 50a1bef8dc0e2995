"""A patron who watches the cards of one value: the arrangements that keep them, the test's size, the sentences."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from extent import long_or

from counting import load_game
from counting.cards import SUITS, VALUE_OF_RANK
from counting.games import Game
from counting.logs import Log, read_log
from counting.reports.audit_text import sentences
from counting.review import FOLLOWS, audit
from counting.review.patrons import patron_tests
from counting.review.patrons.arrangements import Arrangements
from counting.review.patrons.edge_following import Scored
from counting.review.patrons.kept_edges import KeptEdges
from counting.review.patrons.patron_tests import beyond_one_value
from counting.review.synthetic import DealtTable, Facts, deal, log_frames
from counting.review.synthetic.patrons import Floats
from counting.review.unseen_cards import UnseenCards
from counting.simulation import Dealing

EZ = load_game("ez-baccarat")
SEVENTH = EZ.also(["egalite-7"])  # a tie at seven: a seven gone costs four times as much as any other card
JACOBSON = Dealing.named("jacobson", 8)


class Sevens:
    """Bets while the sevens, and nothing else, are behind what the cards gone would have."""

    bets = ("egalite-7",)

    def rule(self, table: DealtTable) -> Floats:
        values = np.append(np.repeat(VALUE_OF_RANK, len(SUITS)), -1)[table.cards]
        gone, sevens = ((of.sum(axis=1)) for of in (values >= 0, values == 7))
        first = np.searchsorted(table.coups.shoe, table.coups.shoe)
        gone, sevens = (np.cumsum(of) - of - (np.cumsum(of) - of)[first] for of in (gone, sevens))
        return 25.0 * (gone / 13 - sevens >= 2)

    def stakes(self, table: DealtTable, known: Facts, rng: np.random.Generator) -> Floats:
        return known.on("egalite-7", self.rule(table))


def logged(folder: Path, game: Game, who: dict[str, Sevens], shoes: int, seed: int) -> tuple[DealtTable, Log]:
    table = deal(game, JACOBSON, seed, 0, shoes)
    coups, bets = log_frames(table, who, game, 1)
    coups.write_csv(folder / "coups.csv")
    bets.write_csv(folder / "bets.csv")
    return table, read_log(folder / "coups.csv", folder / "bets.csv")


@pytest.mark.parametrize("value", [0, 7])
def test_hands_with_a_card_of_the_value_stay_and_others_move(value: int, tmp_path: Path) -> None:
    """The cards of the value leave in the same coups in every arrangement, with the cards beside them."""
    table, log = logged(tmp_path, SEVENTH, {"one": Sevens()}, 2, 5)
    arranged = Arrangements(log, UnseenCards(log, 8), SEVENTH, 1)
    values = np.append(np.repeat(VALUE_OF_RANK, len(SUITS)), -1)[table.cards]
    for shoe in range(2):
        of_shoe = values[table.coups.shoe == shoe]
        left = arranged.holding(value).left(shoe, "value", 60)
        gone = left[:, :-1] - left[:, 1:]
        assert (gone[:, :, value] == (of_shoe == value).sum(axis=1)[:-1]).all()
        hands = of_shoe[:-1][:, [[0, 1], [3, 4]]]
        both_stay = (hands == value).any(axis=2).all(axis=1)
        assert both_stay.any()
        assert (gone[:, both_stay] == gone[0, both_stay]).all()
        assert (gone[1:, ~both_stay] != gone[0, ~both_stay]).any(axis=(0, 2)).mean() > 0.5
        free = arranged.left(shoe, "value", 60)
        assert (free[:, :-1, value] - free[:, 1:, value] != gone[:, :, value]).any()


@pytest.mark.long
def test_who_watches_one_value_is_exact_with_its_hands_in_place(tmp_path: Path) -> None:
    """On a bet that one value decides, such a patron follows the edge for sure. With the hands of that value in place,
    about 1 of 12 tables has a p-value of at most 10%, and 6 in one run of 1,800."""
    tables, small, held = long_or(60, 12), 0, 0
    table, log = logged(tmp_path, SEVENTH, {"one": Sevens()}, 6 * tables, 100)
    amounts, unseen = Sevens().rule(table), UnseenCards(log, 8)
    for seed in range(tables):
        here = range(6 * seed, 6 * seed + 6)
        shoes = np.unique(table.coups.shoe[(amounts > 0) & np.isin(table.coups.shoe, here)]).astype(np.int64)
        rows = np.flatnonzero(np.isin(table.coups.shoe, shoes))
        arranged = Arrangements(log, unseen, SEVENTH, seed)
        for arrangements in (arranged, arranged.holding(7)):
            scored = Scored(KeptEdges(arrangements, ["egalite-7"], shoes, 39).of("egalite-7"))
            p = scored.tests(shoes, [amounts[rows]], 300, seed, [1])[0].p
            small, held = (
                small + (arrangements is arranged and p <= 0.1),
                held + (arrangements is not arranged and p <= 0.1),
            )
    assert small >= 0.7 * tables
    assert held <= long_or(14, 5)


@pytest.mark.long
def test_the_value_that_explains_the_stakes_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, log = logged(tmp_path, SEVENTH, {"likes sevens": Sevens()}, 25, 3)
    audited = audit(log, EZ, 8)
    row = audited.patrons.row(0, named=True)
    assert (row["flagged_for"], row["one_value"], row["beyond_one_value"]) == (FOLLOWS, 7, False)
    assert row["p_follows"] < 1e-4
    assert row["p_one_value"] > 0.01
    said = sentences(audited)
    (of_patron,) = (s for s in said if s.startswith("likes sevens follows the edge on "))
    assert " Watching sevens alone may explain the stakes (p = 0." in of_patron
    assert "The cards of a single value do not" not in of_patron
    assert not any("no single value explains" in s for s in said)
    monkeypatch.setattr(patron_tests, "_SHOES", 10)  # the first shoes are enough for the second test
    fewer = audit(log, EZ, 8).patrons.row(0, named=True)
    assert fewer["p_follows"] == row["p_follows"]
    assert fewer["one_value"] == 7
    assert fewer["p_one_value"] != row["p_one_value"]


def test_the_second_guarantee_by_hand() -> None:
    """Half of the level for this test, a quarter of that for each of four rows."""
    frame = pl.DataFrame({"p_one_value": [0.0012, 0.0013, None, 0.5]})
    assert beyond_one_value(frame, 0.01)["beyond_one_value"].to_list() == [True, False, None, False]
