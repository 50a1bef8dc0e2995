"""What a sweep shows, in tables of figures. Most figures have standard errors.

A perfect counter stakes one unit if and only if the edge is positive. Scores are sums of exact edges, not of results;
results only check the dealing.

Errors are clustered by shoe, because the shoes of a sweep are independent, but the coups of a shoe are not. Some errors
need products that the ledger does not have by shoe, such as a system's gain times the perfect counter's gain. These
errors are clustered by the blocks of the sweep, which the column `part` numbers.

A standard error is null where the sweep cannot show it: if there is only one shoe or one block, and where nothing
varied. A share that is observed as 0 of n, or as n of n, is not known for certain. If the true share were more than 4.6
/ n (4.6 is log(100)), the chance that n shoes show at least one case would be 99% or more. A figure that holds by
definition has the error 0. For example, all bets of the perfect counter are truly positive.

Float sums over blocks are taken in the order of the blocks, so a summary has the same bits on every machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from pathlib import Path

import numpy as np
import polars as pl

from counting.arrays import Ints
from counting.cards import DECK, MOST_DECKS
from counting.errors import InputError, several, whole
from counting.exact import edges
from counting.games import Game, as_game
from counting.sweep import DEPTH, GROUP, LOWEST, Sweep, left_of, step_ends
from counting.systems import PERFECT

_COUNTS = (
    "shoes",
    "coups",
    "coups_sq",
    "bets",
    "positive_bets",
    "shoes_betting",
    "first_coup",
    "bets_sq",
    "bets_coups",
)
_SUMS = ("gain", "gain_sq", "bets_gain", "gain_coups", "square", "won", "won_sq")


def _added(
    frame: pl.LazyFrame,
    keys: Sequence[str],
    counts: Sequence[str],
    sums: Sequence[str],
    by_part: Sequence[str] = (),
) -> pl.LazyFrame:
    """The sums of columns over the parts of a table, for each group of equal `keys`. Groups are in the order of their
    first rows.

    For the columns in `by_part`, the value of each part is kept too, in lists named `..._by_part`."""
    return (
        frame.sort("part", maintain_order=True)
        .group_by(keys, maintain_order=True)
        .agg(
            *(pl.col(name).sum() for name in counts),
            *(pl.col(name) for name in sums),
            *(pl.col(name).cast(pl.Float64).alias(f"{name}_by_part") for name in by_part),
        )
        .with_columns(pl.col(name).list.sum() for name in sums)
    )


def _added_in_turn(
    parts: pl.LazyFrame | Iterable[pl.DataFrame], keys: Sequence[str], sums: Sequence[str]
) -> pl.LazyFrame:
    """The sums of columns over the blocks of a table, for each group of equal `keys`. Blocks are added one after
    another, in their order."""
    frames = [parts.collect()] if isinstance(parts, pl.LazyFrame) else parts
    added: pl.DataFrame | None = None
    for block in chain.from_iterable(frame.partition_by("part", maintain_order=True) or [frame] for frame in frames):
        own = block.select(*keys, *sums)
        together = own if added is None else pl.concat([added, own])
        added = together.group_by(keys, maintain_order=True).agg(pl.col(name).sum() for name in sums)
    assert added is not None
    return added.lazy()


def mean_se(square: pl.Expr, total: pl.Expr, n: pl.Expr) -> pl.Expr:
    """The standard error of the mean of n figures, from their sum and their sum of squares. Null for fewer than two
    figures."""
    return pl.when(n > 1).then(((square - total**2 / n).clip(0) / (n * (n - 1))).sqrt())


def _ratio_se(top: str, bottom: str, top_sq: str, cross: str, bottom_sq: str) -> pl.Expr:
    """The standard error of sum(top) / sum(bottom), linearised and clustered by shoe."""
    n, ratio = pl.col("shoes"), pl.col(top) / pl.col(bottom)
    spread = pl.col(top_sq) - 2 * ratio * pl.col(cross) + ratio**2 * pl.col(bottom_sq)
    return pl.when(n > 1).then((n / (n - 1) * spread.clip(0)).sqrt() / pl.col(bottom))


def varied(error: pl.Expr) -> pl.Expr:
    """The standard error; null if it is 0 because nothing varied."""
    return pl.when(error > 0).then(error)


def _ratio_by_part_se(top: str, bottom: str) -> pl.Expr:
    """The standard error of sum(top) / sum(bottom), linearised and clustered by part. Null for one part, and if all
    parts have the same ratio."""
    tops, bottoms = pl.col(f"{top}_by_part"), pl.col(f"{bottom}_by_part")
    parts, ratio = tops.list.len(), tops.list.sum() / bottoms.list.sum()
    beyond = tops - bottoms * ratio
    spread = (beyond * beyond).list.sum()
    return pl.when(parts > 1).then(varied((parts / (parts - 1) * spread).sqrt() / bottoms.list.sum()))


def scores(ledger: pl.LazyFrame) -> pl.LazyFrame:
    """The ledger's parts added up: one row per bettor, bet and cut, with means, their errors, and the share of the
    perfect counter's gain.

    The errors of this share and of `truly_positive_share` are from the spread between parts. Other errors are from the
    spread between shoes."""
    is_perfect = pl.col("system") == PERFECT
    best = pl.col("gain").filter(is_perfect).first()
    added = _added(
        ledger.with_columns(best.over("part", "cut", "bet").alias("perfect")),
        ["cut", "system", "trigger", "bet"],
        _COUNTS,
        _SUMS,
        ("bets", "positive_bets", "gain", "perfect"),
    )
    shoes, coups, bets, gain = (pl.col(name) for name in ("shoes", "coups", "bets", "gain"))
    perfect, betting = best.over("cut", "bet"), pl.col("shoes_betting")
    edge_se = _ratio_se("gain", "bets", "gain_sq", "bets_gain", "bets_sq")
    per_100_se = 100 * _ratio_se("gain", "coups", "gain_sq", "gain_coups", "coups_sq")
    zero = pl.lit(0.0)
    return added.with_columns(
        (coups / shoes).alias("coups_per_shoe"),
        varied(mean_se(pl.col("coups_sq"), coups, shoes)).alias("coups_per_shoe_se"),
        (bets / shoes).alias("bets_per_shoe"),
        varied(mean_se(pl.col("bets_sq"), bets, shoes)).alias("bets_per_shoe_se"),
        (bets / coups).alias("bet_share"),
        varied(_ratio_se("bets", "coups", "bets_sq", "bets_coups", "coups_sq")).alias("bet_share_se"),
        pl.when(bets > 0).then(gain / bets).alias("mean_edge"),
        pl.when(betting > 1).then(varied(edge_se)).alias("mean_edge_se"),
        (gain / shoes).alias("units_per_shoe"),
        varied(mean_se(pl.col("gain_sq"), gain, shoes)).alias("units_per_shoe_se"),
        (100 * gain / coups).alias("units_per_100_coups"),
        varied(per_100_se).alias("units_per_100_coups_se"),
        (betting / shoes).alias("shoes_betting_share"),
        varied(mean_se(betting, betting, shoes)).alias("shoes_betting_share_se"),
        pl.when(bets > 0).then(pl.col("first_coup") / betting).alias("mean_first_coup"),
        pl.when(bets > 0).then(pl.col("positive_bets") / bets).alias("truly_positive_share"),
        pl.when(bets > 0)
        .then(pl.when(is_perfect).then(zero).otherwise(_ratio_by_part_se("positive_bets", "bets")))
        .alias("truly_positive_share_se"),
        pl.when(perfect > 0).then(gain / perfect).alias("captured_share"),
        pl.when(perfect > 0)
        .then(pl.when(is_perfect).then(zero).otherwise(_ratio_by_part_se("gain", "perfect")))
        .alias("captured_share_se"),
    ).drop(pl.selectors.ends_with("_by_part"))


def _ledger(of: Sweep | pl.LazyFrame) -> pl.LazyFrame:
    """A ledger, or a sweep's ledger. A sweep's ledger is read into memory, because its folder may be gone before a lazy
    table is read."""
    return of.ledger.collect().lazy() if isinstance(of, Sweep) else of


def by_bet(ledger: Sweep | pl.LazyFrame) -> pl.LazyFrame:
    """One row per bet and cut: how often the bet's edge is positive, by how much, and what a perfect counter wins with
    it. `ledger` is a sweep, or its ledger.

    - `positive_share`: the share of coups with a positive edge
    - `mean_positive_edge`: the mean edge of these coups
    - `units_per_shoe` and `units_per_100_coups`: the gain of one unit that is staked exactly when the edge is positive
    - `shoes_positive_share`: the share of shoes in which the edge turns positive
    - `mean_first_positive_coup`: the number of the first coup with a positive edge, on average over these shoes

    >>> from counting import Dealing, Plan, by_bet
    >>> from counting.sweep import run
    >>> sweep = run(Plan("ez-baccarat", Dealing(), 40), "forty-shoes")
    >>> by_bet(sweep).collect().columns[:4]
    ['bet', 'cut', 'shoes', 'coups']
    """
    return (
        scores(_ledger(ledger).filter(pl.col("system") == PERFECT))
        .rename(
            {
                "bet_share": "positive_share",
                "bet_share_se": "positive_share_se",
                "mean_edge": "mean_positive_edge",
                "mean_edge_se": "mean_positive_edge_se",
                "shoes_betting_share": "shoes_positive_share",
                "shoes_betting_share_se": "shoes_positive_share_se",
                "mean_first_coup": "mean_first_positive_coup",
            }
        )
        .select(
            "bet", "cut", "shoes", "coups", "coups_per_shoe", "coups_per_shoe_se", "positive_share",
            "positive_share_se", "mean_positive_edge", "mean_positive_edge_se", "units_per_shoe", "units_per_shoe_se",
            "units_per_100_coups", "units_per_100_coups_se", "shoes_positive_share", "shoes_positive_share_se",
            "mean_first_positive_coup",
        )
    )  # fmt: skip


def by_system(ledger: Sweep | pl.LazyFrame) -> pl.LazyFrame:
    """One row per system, trigger, bet and cut: what the system's counter bets and wins, in exact edges. `ledger` is a
    sweep, or its ledger.

    - `captured_share`: the share of the perfect counter's gain
    - `truly_positive_share`: the share of the bets with a positive edge

    >>> from counting import Dealing, Plan, by_system
    >>> from counting.sweep import run
    >>> sweep = run(Plan("ez-baccarat", Dealing(), 40, systems=["dragon-7"]), "counted-shoes")
    >>> by_system(sweep).collect().columns[:4]
    ['system', 'trigger', 'bet', 'cut']
    """
    return (
        scores(_ledger(ledger))
        .filter(pl.col("system") != PERFECT)
        .select(
            "system", "trigger", "bet", "cut", "shoes", "coups", "bets", "bets_per_shoe", "bets_per_shoe_se",
            "bet_share", "bet_share_se", "mean_edge", "mean_edge_se", "units_per_shoe", "units_per_shoe_se",
            "units_per_100_coups", "units_per_100_coups_se", "captured_share", "captured_share_se",
            "truly_positive_share", "truly_positive_share_se",
        )
    )  # fmt: skip


def by_cards_left(
    depth: Sweep | pl.LazyFrame | Iterable[pl.DataFrame], ledger: pl.LazyFrame | None = None
) -> pl.LazyFrame:
    """One row per bet, cut and number of unseen cards: where in the shoe the bet's edge turns positive.

    `depth` is a sweep, or its table `depth`. With the table, the sweep's `ledger` must be given too. If the table is
    given part by part, only one part at a time is in memory. Raises `InputError` for a table without its `ledger`.

    All figures are for the coups that begin with this number of unseen cards:

    - `positive_share`: the share of coups with a positive edge
    - `mean_edge` and `mean_positive_edge`: the mean edge of all coups, and of the coups with a positive edge
    - `units_per_shoe` and `units_per_100_coups`: what a perfect counter wins on these coups
    - `first_positive_share`: the share of shoes in which the edge first turned positive at this number

    A shoe has at most one coup that begins with a given number of cards, so errors over coups are errors over shoes.

    >>> from counting import Dealing, Plan, by_cards_left
    >>> from counting.sweep import run
    >>> sweep = run(Plan("ez-baccarat", Dealing(), 40), "forty-shoes")
    >>> by_cards_left(sweep).collect()["cards_left"].max()
    416
    """
    if isinstance(depth, Sweep):
        ledger, depth = _ledger(depth), depth.parts(DEPTH)
    if ledger is None:
        raise InputError(
            "ledger: missing, should be the ledger that belongs to the depth; or give the sweep instead of its depth"
        )
    counts = ("coups", "positive_coups", "first_positive")
    shoes = ledger.filter(pl.col("system") == PERFECT).group_by("cut", "bet").agg(pl.col("shoes").sum())
    coups, positive, gain = pl.col("coups"), pl.col("positive_coups"), pl.col("gain")
    share, square, first = positive / coups, pl.col("gain_sq"), pl.col("first_positive")
    return (
        _added_in_turn(depth, ["cut", "bet", "cards_left"], (*counts, "gain", "gain_sq", "edge"))
        .join(shoes, on=["cut", "bet"], how="left", maintain_order="left")
        .select(
            "bet",
            "cut",
            "cards_left",
            "coups",
            share.alias("positive_share"),
            varied((share * (1 - share) / coups).sqrt()).alias("positive_share_se"),
            (pl.col("edge") / coups).alias("mean_edge"),
            pl.when(positive > 0).then(gain / positive).alias("mean_positive_edge"),
            mean_se(square, gain, positive).alias("mean_positive_edge_se"),
            (gain / pl.col("shoes")).alias("units_per_shoe"),
            varied(mean_se(square, gain, pl.col("shoes"))).alias("units_per_shoe_se"),
            (100 * gain / coups).alias("units_per_100_coups"),
            varied(100 * mean_se(square, gain, coups)).alias("units_per_100_coups_se"),
            (first / pl.col("shoes")).alias("first_positive_share"),
            varied(mean_se(first, first, pl.col("shoes"))).alias("first_positive_share_se"),
        )
        .sort("cut", "bet", "cards_left", maintain_order=True)
    )


def dealing_table(dealt: pl.LazyFrame, probabilities: Mapping[str, Fraction], certain: int) -> pl.LazyFrame:
    """A check of the simulated dealing: one row per event and coup number, for coups that every shoe reaches.

    `certain` is the number of these coups (`Dealing.certain_coups`). Before any card is seen, an event is as likely at
    each of them as at the first coup, so it is compared with its exact probability on a full shoe.

    - `z`: the difference from this probability, in standard deviations
    - `z_rare`: the signed root of the deviance; it stays close to a normal deviate even where the event is expected
      only a few times"""
    exact = pl.LazyFrame({"event": list(probabilities), "probability": list(map(float, probabilities.values()))})
    n, p = pl.col("coups"), pl.col("probability")
    x = pl.col("happened")

    def term(count: pl.Expr, expected: pl.Expr) -> pl.Expr:
        return pl.when(count > 0).then(count * (count / expected).log()).otherwise(0.0)

    return (
        _added(dealt, ["cut", "coup", "event"], ("coups", "happened"), ())
        .filter(pl.col("coup") <= certain)
        .join(exact, on="event", how="left", maintain_order="left")
        .with_columns(
            (x / n).alias("share"),
            pl.when(p.is_between(0, 1, closed="none")).then((x - n * p) / (n * p * (1 - p)).sqrt()).alias("z"),
            ((x - n * p).sign() * (2 * (term(x, n * p) + term(n - x, n * (1 - p)))).clip(0).sqrt()).alias("z_rare"),
        )
    )


def price(coups: pl.LazyFrame, game: Game | str | Path, bets: Iterable[str] | None = None) -> pl.LazyFrame:
    """The table of coups with a further float64 column for each bet. The column is named after the bet, and gives the
    bet's exact edge.

    This works for every game with the tableau that was dealt, so another pay table or bet needs no new sweep. Raises
    `InputError` for a bet that the game does not have, and for a bet with the name of a column."""
    loaded = as_game(game)
    names = loaded.bet_names if bets is None else several(bets, "bets")
    columns = coups.collect_schema()
    for name in names:
        loaded.bet(name)
        if name in columns:
            raise InputError(f"bet {name!r}: the name of a column of the coups, should be another name")
    schema = {**columns, **dict.fromkeys(names, pl.Float64())}

    def priced(frame: pl.DataFrame) -> pl.DataFrame:
        priced_edges = edges(loaded, left_of(frame), names)
        return frame.with_columns(pl.Series(name, priced_edges[:, i]) for i, name in enumerate(names))

    return coups.map_batches(priced, schema=schema, streamable=True)


def quantiles(priced: pl.LazyFrame, bets: Sequence[str], levels: Sequence[float], every: int = 1) -> pl.LazyFrame:
    """Quantiles of each bet's edge by cards left, in bins of `every` cards. The columns are bet, cards_left, coups, q05
    and so on.

    `priced` has one column per bet, as `price` makes it. `cards_left` is the lower end of the bin. Raises `InputError`
    for no bets, a bet that is not priced, levels outside 0 to 1, and bins wider than the largest shoe."""
    every = whole(every, "every", 1, DECK * MOST_DECKS)
    unknown = [bet for bet in bets if bet not in priced.collect_schema()]
    if unknown:
        raise InputError(f"bet {unknown[0]!r}: not priced in this table, should be a bet that was priced")
    if not bets or not all(0 <= level <= 1 for level in levels):
        raise InputError("quantiles: should have one bet or more, and levels from 0 to 1")
    bins = (pl.col("cards_left") // every * every).alias("cards_left")
    return pl.concat(
        [
            priced.select(bins, pl.col(bet).alias("edge"))
            .group_by("cards_left")
            .agg(
                pl.len().alias("coups"),
                *(pl.col("edge").quantile(q, "linear").alias(f"q{round(100 * q):02d}") for q in levels),
            )
            .select(pl.lit(bet).alias("bet"), pl.all())
            .sort("cards_left")
            for bet in bets
        ]
    )


def spread_quantiles(parts: Iterable[pl.DataFrame], bets: Sequence[str], levels: Sequence[float]) -> pl.DataFrame:
    """Quantiles of each bet's edge by cards left, each accurate to one part in 64. The columns are bet, cards_left,
    coups, q05 and so on.

    `parts` are the parts of the table `spread`. Four successive numbers of unseen cards make one row; `cards_left` is
    the lowest of the four. The table counts edges in steps, and edges within one step are assumed to be spread
    evenly."""
    counts = {bet: np.zeros((0, 0), np.int64) for bet in bets}
    for part in parts:
        groups, steps = part["cards_left"].to_numpy() // GROUP, part["step"].to_numpy() - LOWEST
        coups, end = part["coups"].to_numpy(), 0
        for length, bet in part["bet"].rle().struct.unnest().iter_rows():  # the rows of a bet are together
            first, end = end, end + length
            if bet in counts:
                places = groups[first:end], steps[first:end]
                counts[bet] = wide = _wide_enough(counts[bet], places)
                wide[places] += coups[first:end]
    return pl.DataFrame(
        _quantiles_row(bet, group, of_group, levels)
        for bet, held in counts.items()
        for group, of_group in enumerate(held)
        if of_group.any()
    )


def _wide_enough(held: Ints, places: tuple[Ints, Ints]) -> Ints:
    """The array `held`, padded with zeros at the ends of its axes until all indices in `places` are inside it."""
    beyond = [max(0, int(of.max()) + 1 - size) for of, size in zip(places, held.shape, strict=True)]
    return np.pad(held, [(0, more) for more in beyond]) if any(beyond) else held


def _quantiles_row(bet: str, group: int, counts: Ints, levels: Sequence[float]) -> dict[str, object]:
    (used,) = np.nonzero(counts)
    before = np.concatenate([[0], np.cumsum(counts[used])])
    low, high = step_ends(used + LOWEST)
    wanted = np.array(levels) * (before[-1] - 1) + 0.5  # coup i, counted from 0, is put at i + 0.5
    place = np.minimum(np.searchsorted(before[1:], wanted), len(used) - 1)
    values = low[place] + (high - low)[place] * (wanted - before[place]) / counts[used][place]
    named = {f"q{round(100 * level):02d}": float(value) for level, value in zip(levels, values, strict=True)}
    return {"bet": bet, "cards_left": group * GROUP, "coups": int(before[-1]), **named}
