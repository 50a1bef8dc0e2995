"""The page of a patron's trip: theoretical win, the distribution of the result, and what offers cost."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from markupsafe import Markup

from counting.io.tables import percent
from counting.numbers import many
from counting.reports import drawing, pages, plots
from counting.reports.numbers import amount, figure, in_percent, money
from counting.reports.pages import Report, Section
from counting.trips import Trip
from counting.version import __version__

FIGURES, QUANTILES, BREAK_EVEN, OFFERS = "The trip", "Quantiles of the result", "Break-even rates", "Offers"
PRINTED = (FIGURES, QUANTILES, OFFERS, BREAK_EVEN)  # the tables on a terminal
SHARES = (0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999)
_BARS = 120
_TITLE = "Distribution of the patron's result"
_NOTE = (
    "Results are in money, from the patron's side: a loss is below 0. Coups are taken as independent, each with the "
    "exact chances of the full shoe.{} All figures are for a patron who does not count cards, and whose stakes do not "
    "depend on earlier results."
)
_WITH_MEMORY = (
    " Only the standard deviation allows for the shoe's memory: it includes the exact covariance of coups of the same "
    "shoe, for the given number of coups per shoe."
)


def report(trip: Trip, command: str = "", drawn: bool = True) -> Report:
    """The page of a trip. `drawn`: with the figure."""
    return _Page(trip, command, drawn).report


class _Page:
    def __init__(self, trip: Trip, command: str, drawn: bool) -> None:
        self.trip, self.command, self.drawn = trip, command, drawn
        self.game, self.plays = trip.plays.game, trip.plays

    @property
    def report(self) -> Report:
        trip = self.trip
        return Report(
            title="A patron's trip: the result and what offers cost",
            procedure=f"{self.game.heading}, {many(self.plays.decks, 'deck')}, {many(trip.coups, 'coup')} (hands). "
            f"{self._staked}.{self._offered}",
            sentences=self.sentences,
            note=_NOTE.format("" if trip.shoe_factor is None else _WITH_MEMORY),
            sections=self.sections,
            data=self.data,
            tables=self.tables,
            figures=self.figures,
            names={"bet": self.names},
            sheets=1,
        )

    @cached_property
    def names(self) -> dict[str, str]:
        return pages.labels(self.game)

    @property
    def _staked(self) -> str:
        stakes = self.plays.stakes
        if len(stakes) > 4:
            return f"{len(stakes)} amounts on {pages.title_of(self.plays.bets, self.names)}"
        return "; ".join(
            f"{money(float(stake.amount))} on {self.names[stake.bet]}"
            + (f" on {percent(float(stake.share), 1)} of coups" if stake.share is not None else "")
            for stake in stakes
        )

    @property
    def _offered(self) -> str:
        chips = f" Dead chips: {percent(float(self.plays.dead_chips), 3)} back." if self.plays.dead_chips else ""
        return f" A discount of {self.trip.discount} on the loss {self._per}.{chips}" if self.trip.discount else chips

    # Sentences

    @property
    def sentences(self) -> list[str]:
        answer = self._of_result or self._best_exits  # on the actual result or, without one, on the offer
        lines = [*answer, self._expected, self._memory, self._spread, *self._ends]
        rest = [*self._programme, *self._discount, *self._best_exits, *self._worthless]
        lines += [line for line in rest if line not in answer]
        if not self.trip.exact:
            lines.append(
                "The chances are approximate: the common unit of these amounts is too small for a trip of this size. "
                f"Pays are rounded at random to multiples of at most {amount(float(self.trip.path.step))}, which keeps "
                "their mean."
            )
        return lines

    @property
    def _expected(self) -> str:
        trip = self.trip
        edge = percent(abs(trip.theoretical_win) / trip.staked, 3)
        who = f"The house expects to win {money(trip.theoretical_win)}" if trip.theoretical_win >= 0 else (
            f"The patron has the edge and expects to win {money(-trip.theoretical_win)}"
        )  # fmt: skip
        return (
            f"{who} in {many(trip.coups, 'coup')} (theoretical win). This is {edge} of the {money(trip.staked)} "
            f"staked. The standard deviation is {money(trip.deviation)}."
        )

    @property
    def _of_result(self) -> list[str]:
        trip, unusual = self.trip, self.trip.unusual
        if unusual is None or trip.result is None:
            return []
        won = float(trip.result)
        if won > 0:
            what = f"a win of {money(won)} or {'more' if unusual.above else 'less'}"
        elif won < 0:
            what = f"a loss of {money(-won)} or {'less' if unusual.above else 'more'}"
        else:
            what = "an even result or " + ("a win" if unusual.above else "a loss")
        line = (
            f"At the end of {many(trip.coups, 'coup')}, {what} has a chance of {_chance(unusual.p_at_end)}; the result "
            f"is {abs(unusual.z):.2f} standard deviations {'above' if unusual.above else 'below'} the mean."
        )
        if unusual.above == (won > 0) and won:
            side = "ahead" if won > 0 else "behind"
            line += (
                f" The chance of being {side} by this much at some time within these coups is "
                f"{_chance(unusual.p_ever)}. Use this figure if the patron could leave at any moment."
            )
        lines = [line]
        if unusual.p_among is not None and trip.among is not None:
            lines.append(
                f"The chance that at least one of {many(trip.among, 'independent trip')} like this one ends with "
                f"{what} is {_chance(unusual.p_among)}."
            )
        return lines

    @property
    def _memory(self) -> str:
        factor = self.trip.shoe_factor
        if factor is None:
            return (
                "The standard deviation is for independent coups: the shoe's memory is not worked out for bets that "
                "depend on suits."
            )
        change = f"{figure(100 * abs(factor - 1), None)}% {'smaller' if factor < 1 else 'larger'} than"
        return (
            "The standard deviation allows for the shoe's memory: coups of one shoe share its cards. With "
            f"{many(self.trip.coups_per_shoe, 'coup')} per shoe, the standard deviation is "
            f"{change if factor != 1 else 'the same as'} for independent coups. All chances are for independent coups."
        )

    @property
    def _spread(self) -> str:
        result = self.trip.distribution
        low, high = result.quantile(0.05), result.quantile(0.95)
        return (
            f"The patron's result is {money(low)} or less in at least 5% of such trips, and {money(high)} or more in "
            f"at least 5% of them. The patron is ahead at the end of {percent(result.above_zero, 1)} of trips."
        )

    @property
    def _ends(self) -> list[str]:
        trip, ends = self.trip, self.trip.ends
        if ends is None:
            return []
        stops, parts = [], []
        if trip.goal is not None:
            stops.append(f"a win of {money(float(trip.goal))}")
            parts.append(f"reaches this win in {_chance(ends.upper)} of trips")
        if trip.bankroll is not None:
            stops.append(f"a loss of {money(float(trip.bankroll))}")
            parts.append(f"reaches this loss in {_chance(ends.lower)} of trips")
        return [
            f"A patron who stops at {' or '.join(stops)} {', '.join(parts)}, and plays all coups in "
            f"{_chance(ends.neither)} of trips. The trip lasts {ends.coups:,.1f} coups on average. The last bet is "
            "made in full, so the result may go beyond these amounts."
        ]

    @property
    def _programme(self) -> list[str]:
        trip, plays = self.trip, self.plays
        if not plays.dead_chips:
            return []
        before = trip.theoretical_win + trip.programme_cost
        per_chip = before / float(plays.coup.lost * trip.coups) if plays.coup.lost else 0.0
        share = percent(trip.programme_cost / before, 1) if before > 0 else ""
        of = f", which is {share} of the theoretical win without the programme" if share else ""
        return [
            f"The rolling-chip programme pays back {percent(float(plays.dead_chips), 3)} of the dead chips lost. The "
            f"patron loses {money(float(plays.coup.lost * trip.coups))} in dead chips on average, so the programme "
            f"costs {money(trip.programme_cost)}{of}. Without the programme, the house wins {percent(per_chip, 3)} of "
            "each dead chip lost. A programme that pays back this rate would give all of the theoretical win away."
        ]

    @property
    def _per(self) -> str:
        discount = self.trip.discount
        assert discount is not None
        return {"trip": "of the trip", "day": "of each day", "shoe": "of each shoe"}[discount.settled]

    @property
    def _discount(self) -> list[str]:
        trip, cost = self.trip, self.trip.discount_cost
        if cost is None or trip.discount is None:
            return []
        on = " (each rate applies to the whole loss)" if trip.discount.whole else ""
        share = (
            f" ({percent(cost.cost / trip.theoretical_win, 1)} of the theoretical win)"
            if trip.theoretical_win > 0
            else ""
        )
        lines = [
            f"A discount of {trip.discount} on the loss {self._per}{on} costs {money(cost.cost)} on average{share} for "
            f"a patron who plays all coups, and leaves a theoretical win of {money(trip.theoretical_win - cost.cost)}."
        ]
        if cost.turns_at is not None:
            if len(trip.discount.tiers) == 1:
                at = f"At a rate of {percent(cost.turns_at * float(trip.discount.most), 2)}"
            else:
                at = f"At {cost.turns_at:.3g} times these rates"
            lines.append(f"{at}, the discount would cost all of the theoretical win from this patron.")
        return lines

    @property
    def _best_exits(self) -> list[str]:
        trip, exits = self.trip, self.trip.exits
        if exits is None or trip.discount is None:
            return []
        (times, coups), *_ = trip.settlements
        if exits.win is None or exits.loss is None:
            return [
                "The discount gives no edge to a patron with these stakes who does not count, whenever the patron "
                f"stops within {coups:,} coups."
            ]
        each = "" if len(trip.settlements) == 1 and times == 1 else f" per settlement ({coups:,} coups)"
        (first, *others), drawn = self.plays.stakes, not self.plays.flat
        at_most = trip.discount.convex and not (others or drawn or self.plays.commission_step)
        who = "whose amounts are drawn at random and who stops" if drawn else "with these stakes who stops"
        return [
            f"With the discount, a patron {who} at the best moment wins {money(exits.value)} on average{each}. This "
            f"patron stops at a win of {money(exits.win)} or a loss of {money(exits.loss)}, after {exits.coups:,.1f} "
            "coups on average." + f' Smaller amounts on "{self.names[first.bet]}" would not win more.' * at_most
        ]

    @property
    def _worthless(self) -> list[str]:
        trip, exits = self.trip, self.trip.exits
        rates = trip.break_even
        least = min(rates, key=rates.__getitem__)
        if not rates[least]:
            return []
        lines = [
            f"Up to a rate of {percent(float(rates[least]), 3)}, a discount on the net loss gives the patron no edge, "
            "at whatever moment the patron stops. This holds for a patron who does not count and makes only these "
            f'bets, in these amounts. The rate is the house edge of "{self.names[least]}" divided by the mean loss of '
            "this bet, in which a coup that is not lost counts as 0. Both are per unit staked."
        ]
        if exits is None or exits.win is None:
            return lines
        if trip.worthless_from:
            lines.append(
                "At the rate offered, the discount gives this patron no edge if it is paid only on the part of the "
                f"loss above {money(trip.worthless_from)}."
            )
        if exits.least_coups and exits.least_coups <= trip.settlements[0][1]:
            turnover = exits.least_coups * float(self.plays.coup.staked)
            lines.append(
                f"The discount also gives no edge if it is paid only after {exits.least_coups:,} coups at these stakes "
                f"(a turnover of {money(turnover)}), however long the patron then plays. Make the turnover the "
                "condition, not the number of coups."
            )
        return lines

    # Tables

    @cached_property
    def data(self) -> dict[str, Any]:
        trip, plays = self.trip, self.plays
        return {
            "game": self.game.name,
            "decks": plays.decks,
            "stakes": [
                {"bet": s.bet, "amount": float(s.amount), "share": None if s.share is None else float(s.share)}
                for s in plays.stakes
            ],
            **self._figures,
            "discount": None if trip.discount is None else [
                {"rate": float(tier.rate), "loss": float(tier.loss)} for tier in trip.discount.tiers
            ],
            "quantiles": self.tables["quantiles"].to_dicts(),
            "break_even": self.tables["break_even"].to_dicts(),
            "game_digest": self.game.digest,
        }  # fmt: skip

    @cached_property
    def _figures(self) -> dict[str, Any]:
        """All results in one row; null for results that were not asked for."""
        trip, plays = self.trip, self.plays
        unusual, ends, cost, exits = trip.unusual, trip.ends, trip.discount_cost, trip.exits
        return {
            "coups": trip.coups,
            "staked": trip.staked,
            "theoretical_win": trip.theoretical_win,
            "hold": trip.theoretical_win / trip.staked,
            "hold_sd": trip.deviation / trip.staked,
            "sd": trip.deviation,
            "sd_independent": trip.deviation_independent,
            "shoe_factor": trip.shoe_factor,
            "p_ahead": trip.distribution.above_zero,
            "is_exact": trip.exact,
            "result": None if trip.result is None else float(trip.result),
            "z": unusual and unusual.z,
            "p_at_end": unusual and unusual.p_at_end,
            "p_ever": unusual and unusual.p_ever,
            "p_among": unusual and unusual.p_among,
            "p_goal": ends.upper if ends and trip.goal is not None else None,
            "p_bankroll_lost": ends.lower if ends and trip.bankroll is not None else None,
            "p_all_coups": ends and ends.neither,
            "mean_coups": ends and ends.coups,
            "dead_chips_lost": float(plays.coup.lost * trip.coups) if plays.dead_chips else None,
            "programme_cost": trip.programme_cost if plays.dead_chips else None,
            "discount_cost": cost and cost.cost,
            "discount_turns_at": cost and cost.turns_at,
            "best_value": exits and exits.value,
            "best_win_exit": exits and exits.win,
            "best_loss_exit": exits and exits.loss,
            "best_coups": exits and exits.coups,
            "worthless_from": trip.worthless_from,
            "least_coups": exits and exits.least_coups,
        }

    @cached_property
    def tables(self) -> dict[str, pl.DataFrame]:
        rates = self.trip.break_even
        result = self.trip.distribution
        return {
            "figures": pl.DataFrame([self._figures], infer_schema_length=None),
            "quantiles": pl.DataFrame({"share": SHARES, "result": [result.quantile(share) for share in SHARES]}),
            "break_even": pl.DataFrame({"bet": [*rates], "rate": [float(rate) for rate in rates.values()]}),
            "distribution": self._bars,
        }

    @property
    def _bars(self) -> pl.DataFrame:
        """The distribution in ranges of equal width, without the rare results at both ends."""
        result = self.trip.distribution
        low, high = (int(np.searchsorted(result.below, share)) for share in (5e-5, 1 - 5e-5))
        width = max(1, -(-(high - low + 1) // _BARS))
        starts = np.arange(low, high + 1, width)
        heights = np.add.reduceat(result.chances[: starts[-1] + width], starts)
        edges = result.amounts[starts] - float(result.step) / 2
        return pl.DataFrame(
            {"result_from": edges, "result_to": edges + width * float(result.step), "probability": heights}
        )

    @cached_property
    def figures(self) -> Mapping[str, str]:
        if not self.drawn:
            return {}
        trip, result = self.trip, self.trip.distribution
        marks = {"mean": -trip.theoretical_win, "5%": result.quantile(0.05), "95%": result.quantile(0.95)}
        if trip.result is not None:
            marks["actual result"] = float(trip.result)
        drawn = drawing.single(plots.result_distribution, self.tables["distribution"], marks)
        source = f"{self.game.heading}; {self._staked}; {many(trip.coups, 'independent coup')}. counting {__version__}"
        return {"distribution": drawing.svg(drawn, _TITLE, source)}

    @property
    def sections(self) -> list[Section]:
        trip = self.trip
        result, drawn = trip.distribution, "distribution" in self.figures
        lead = [
            ("Coups", f"{trip.coups:,}"),
            ("Staked (handle)", money(trip.staked)),
            ("Theoretical win of the house", money(trip.theoretical_win)),
            ("Standard deviation", money(trip.deviation)),
            ("Hold on turnover", f"{percent(trip.theoretical_win / trip.staked, 3)} ± "
             f"{percent(trip.deviation / trip.staked, 3)} (one standard deviation)"),
            ("Chance that the patron ends ahead", percent(result.above_zero, 2)),
        ]  # fmt: skip
        if trip.unusual is not None:
            lead += [
                ("Actual result", money(float(trip.result or 0))),
                ("Standard deviations from the mean", f"{trip.unusual.z:+.2f}"),
                ("Chance at the end", _chance(trip.unusual.p_at_end)),
                ("Chance at any time", _chance(trip.unusual.p_ever)),
            ]
        sections = [
            Section(
                FIGURES,
                figure=Markup(self.figures["distribution"]) if drawn else None,
                caption=f"{_TITLE}. The most extreme results, which come in one of 10,000 trips, are left out." * drawn,
                columns=("figure", "value"),
                rows=lead,
                words=True,
            ),
            Section(
                QUANTILES,
                columns=("share of trips", "result at most"),
                rows=[(f"{100 * share:g}%", money(value)) for share, value in self.tables["quantiles"].rows()],
            ),
        ]
        if offers := self._offers:
            sections.append(Section(OFFERS, columns=("figure", "value"), rows=offers, words=True))
        sections.append(
            Section(
                BREAK_EVEN,
                "Up to this rate, a discount on the net loss gives no edge to a patron who makes only this bet and "
                "does not count, whenever the patron stops.",
                columns=("bet", "rate"),
                rows=[(self.names[bet], percent(float(rate), 3)) for bet, rate in trip.break_even.items()],
            )
        )
        made = pages.provenance_of_game(self.game, self.command)
        sections.append(Section("Provenance", columns=("", ""), rows=made, words=True))
        return sections

    @property
    def _offers(self) -> list[tuple[str, str]]:
        trip, exits = self.trip, self.trip.exits
        rows = []
        if self.plays.dead_chips:
            rows.append(("Cost of the rolling-chip programme", money(trip.programme_cost)))
        if trip.discount_cost is not None:
            rows.append(("Cost of the discount for a patron who plays all coups", money(trip.discount_cost.cost)))
        if exits is not None:
            rows.append(("Value to a patron who stops at the best moment, per settlement", money(exits.value)))
        if exits is not None and exits.win is not None and exits.loss is not None:
            rows.append(
                (
                    "This patron stops at this win; at this loss",
                    f"{money(exits.win)}; {money(exits.loss)}",
                )
            )
            if trip.worthless_from:
                rows.append(
                    ("No edge if the discount is paid only on the loss above this amount", money(trip.worthless_from))
                )
            if exits.least_coups and exits.least_coups <= trip.settlements[0][1]:
                rows.append(
                    ("No edge if the discount is paid only after this number of coups", f"{exits.least_coups:,}")
                )
        return rows


def _chance(chance: float) -> str:
    """A chance in percent; a small chance also as odds."""
    text = in_percent(chance)
    return text if not 0 < chance < 0.01 else f"{text} (1 in {1 / chance:,.0f})" if chance > 1e-12 else text
