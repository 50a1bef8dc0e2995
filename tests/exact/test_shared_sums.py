"""Sums that several bets share, compared with the combinations of counts that they replace."""

import numpy as np
import pytest
from extent import long_or

from counting import load_game
from counting.exact import settlement
from counting.exact.shared_sums import SharedSums
from counting.games import catalog, unfit


def added_up(sums: SharedSums, counts: list[int]) -> list[int]:
    """The combinations of these counts, computed with Python's integers. Asserts that no sum is above the last count,
    which is the number of all deals. From 409 cards on, twice that number would not be exact in floats."""
    values = list(counts)
    for parts in sums.parts:
        values.append(sum(values[part] for part in parts))
        assert values[-1] <= counts[-1]
    events = values[len(counts) :]
    return [sum(int(value) * events[event] for event, value in pairs) for pairs in sums.combinations]


def test_shared_sums_are_the_combinations_and_share() -> None:
    rng = np.random.default_rng(1)
    for _ in range(long_or(200, 40)):
        classes, bets = rng.integers(1, 30), rng.integers(0, 12)
        coefficients = rng.integers(-2, 3, (classes + 1, bets)) * rng.integers(0, 2, (classes + 1, bets))
        counts = rng.integers(0, 1000, classes).tolist()
        counts.append(sum(counts))
        sums = SharedSums.of(coefficients)
        assert added_up(sums, counts) == (np.array(counts) @ coefficients).tolist()
        assert len({tuple(sorted(parts)) for parts in sums.parts}) == len(sums.parts)
        for pairs in sums.combinations:
            assert len({event for event, _ in pairs}) == len(pairs)
    nested = np.tril(np.ones((9, 8), int))[:, ::-1]
    nested[-1] = 0
    assert [len(parts) for parts in SharedSums.of(nested).parts] == [1, *[2] * 7]


@pytest.mark.parametrize("name", ["punto-banco", "louisiana"])
def test_the_catalog_takes_few_additions(name: str) -> None:
    """The bets share 117 sums, each of a few additions, which replace about 2,700 coefficients of 133 bets."""
    game = load_game(name)
    bets = tuple(bet.name for bet in catalog().values() if bet.shows == "outcome" and not unfit(bet, game.tableau))
    coefficients = settlement(game.also(bets), bets).parts[0].coefficients
    parts = SharedSums.of(coefficients).parts
    assert sum(map(len, parts)) < 7 * len(parts) < np.count_nonzero(coefficients) / 3
