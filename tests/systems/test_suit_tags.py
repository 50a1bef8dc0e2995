"""Counts of suits agree with a plain loop over the cards, wherever a count is read."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting import System, load_game, load_system
from counting.analysis import at_best, score
from counting.cards import CARDS, SUITS, Shoe
from counting.errors import InputError
from counting.exact import Effects, edges
from counting.live.prices import Prices
from counting.live.shoes import CODES
from counting.reports.calculator import page_data
from counting.simulation import Dealing, play
from counting.sweep import Plan, run

PUNTO = load_game("punto-banco")
TAGS = {"s": 3, "h": -1, "d": 0, "c": 2}


def suits(tags: dict[str, int] = TAGS, **how: object) -> System:
    return System.from_dict(
        {"name": "suits", "title": "Suits", "source": "here", "count": "true", "trigger": 1, "tags": tags, **how}
    )


@given(st.lists(st.integers(0, 8), min_size=52, max_size=52), st.lists(st.integers(-100, 100), min_size=4, max_size=4))
def test_the_running_count_is_that_of_the_cards_seen(left: list[int], tags: list[int]) -> None:
    count = suits(dict(zip(SUITS, tags, strict=True)))
    seen = sum(dict(zip(SUITS, tags, strict=True))[card[-1]] * (8 - n) for card, n in zip(CARDS, left, strict=True))
    assert count.running(np.array([left], np.int32), 8).tolist() == [seen]
    assert count.end(8) == 8 * 13 * sum(tags)
    assert count.drifts(8) == (sum(tags) != 0)


def test_a_file_of_suits_is_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "suits.toml"
    path.write_text(
        'title = "Suits"\nsource = "here"\ncount = "true"\ntrigger = 1\n[tags]\ns = 3\nh = -1\nd = 0\nc = 2\n'
    )
    count = load_system(path)
    assert count == suits() == System.from_dict(json.loads(json.dumps(count.to_dict())))
    assert (count.knows, count.level, count.tag_line) == ("card", 3, "s 3 h -1 d 0 c 2")
    assert load_system("dragon-7").tag_line == "0 0 0 -1 -1 -1 -1 2 2 0 0 0 0"


@pytest.mark.parametrize(
    ("tags", "line"),
    [
        ({"s": 1, "h": 2, "d": 3}, r"tags, c: missing$"),
        ({**TAGS, "A": 1}, r"tags = .*: should be by suit, s, h, d and c, or by rank, not both$"),
        ({**TAGS, "s": 1.5}, r"tags, s = 1.5: should be a whole number from -100 to 100$"),
        ({"A": 1, "x": 2}, r"tags, x = 2: unknown key, should be one of A, 2, 3"),
    ],
)
def test_other_tables_of_tags_are_refused(tags: dict[str, int], line: str) -> None:
    with pytest.raises(InputError, match=line):
        suits(tags)


def test_where_suits_are_not_known_it_is_said() -> None:
    with pytest.raises(InputError, match=r"^system suits: counts suits, needs shoes known by card$"):
        suits().running(np.zeros((1, 13), np.int32), 8)


def test_a_sweep_scores_reds_as_a_plain_loop_does(tmp_path: Path) -> None:
    """For a bet on two red cards, a count of red against black cards says nearly all there is to know."""
    reds = suits({"s": 1, "h": -1, "d": -1, "c": 1}, bets=["player-red"], trigger=9)
    plan = Plan(PUNTO, Dealing.named("jacobson", 8), 150, 3, (reds,), ("player-red",), keep_rows=False)
    rows = score(run(plan, tmp_path).ledger).collect()
    left = play(PUNTO.tableau, Dealing.named("jacobson", 8), 3, 0, 150, "card").left
    priced = edges(PUNTO.only(["player-red"]), left, ["player-red"])[:, 0]
    (at_nine,) = rows.filter((pl.col("system") == "suits") & (pl.col("trigger") == 9)).to_dicts()
    won = bets = 0.0
    for cards, edge in zip(left.tolist(), priced.tolist(), strict=True):
        blacks = sum(n for card, n in zip(CARDS, cards, strict=True) if card[-1] in "sc")
        if 52 * (2 * blacks - sum(cards)) <= -9 * sum(cards):
            won, bets = won + edge, bets + 1
    assert at_nine["bets"] == bets > 0
    assert at_nine["units_per_shoe"] == pytest.approx(won / 150)
    best = {row["system"]: row for row in at_best(rows.lazy()).collect().to_dicts()}
    assert best["suits"]["captured_share"] > 0.95


def test_effects_of_removal_are_by_card_for_it() -> None:
    effects = Effects.of(PUNTO, "player-red", Shoe.decks(8), "card")
    assert effects.correlation(suits({"s": 1, "h": -1, "d": -1, "c": 1})) == pytest.approx(1)
    assert effects.correlation(load_system("dragon-7")) == pytest.approx(0, abs=1e-9)


def test_the_watch_reads_it_where_every_suit_seen_is_known() -> None:
    prices = Prices(PUNTO.only(["tie-8"]), 8, (suits(bets=["tie-8"], start="to-zero"),))
    known, vague = [0] * CODES, [0] * CODES
    known[CARDS.index("7s")] = known[CARDS.index("Ks")] = 1
    vague[52 + 6] = 1  # a 7 of some suit
    one, other = prices.of([tuple(known), tuple(vague)])
    assert one.counts == [pytest.approx(-(8 * 13 * 4 - 2 * 3) * 52 / 414)]
    assert np.isnan(other.counts[0])


def test_the_calculator_has_a_tag_for_every_card() -> None:
    (system,) = page_data(PUNTO, Dealing(), (suits(),))["systems"]
    assert system["knows"] == "card"
    assert system["tags"] == tuple(TAGS[card[-1]] for card in CARDS)
