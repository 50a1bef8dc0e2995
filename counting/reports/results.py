"""The page of results without cards: flagged tests, numbers of wins, the order of results, and how many coups it takes
to show a fault."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import ceil, floor, log10
from typing import Any

import polars as pl
from markupsafe import Markup

from counting.io.tables import cell, percent
from counting.numbers import many
from counting.reports import drawing, pages, plots
from counting.reports.audit_text import no_verdict, p_is, p_value
from counting.reports.pages import Report, Section
from counting.review import POWER, Fault, ResultsReview, ResultTest
from counting.version import __version__

TESTS, COUNTS, STREAKS, PLAN, CONTRADICTIONS = (
    "Tests", "Counts of all coups", "Streaks", "Coups needed to see a fault", "Lines that contradict themselves",
)  # fmt: skip
PRINTED = (TESTS, COUNTS, STREAKS, PLAN)  # the tables on a terminal
LISTED, LISTED_TESTS, NAMED, DRAWN = 200, 20, 5, 24
_GROSS = 0.1  # a fault that changes a chance by more than this counts as gross
_LEAST_P = 1.01e-4  # just above the least p-value that random draws can give
_FLAGGED, _CLEAN = "FLAGGED", "NOT FLAGGED"
_OF_PART = (
    "The tables are of the part that was read, and nothing is flagged for it. With --out, remarks.csv lists the lines "
    "that were not read, with the reasons."
)
_TITLES = {
    "winner": "winners", "player_pair": "Player pairs", "banker_pair": "Banker pairs", "natural": "naturals",
    "player_total": "Player's totals", "banker_total": "Banker's totals", "changes": "changes of the winner",
    "streaks": "lengths of streaks", "longest streak": "longest streak", "repeat": "stretch as in the shoe before",
}  # fmt: skip
_ONE = {
    "player_pair": "a Player pair", "banker_pair": "a Banker pair", "natural": "a natural",
    "player_total": "Player's total", "banker_total": "Banker's total",
}  # fmt: skip
_HOW = {"dealt": "dealt shoes", "chi-squared": "chi-squared", "arranged": "arrangements"}
_SIDES = {"player": "Player", "banker": "Banker", "tie": "Tie"}
_NAMES = dict.fromkeys(("test", "feature"), _TITLES) | dict.fromkeys(("category", "winner"), _SIDES) | {
    "what": {"winner": "winner", **_ONE}, "how": _HOW, "by": {"all": "all coups"}, "group": {"all": ""}
}  # fmt: skip
_METHODS = (
    "Counts. Before any card of a shoe is seen, each coup that the shoe is sure to reach has the same chances as the "
    "first coup of the shoe. These chances are worked out exactly from the game's rules. The misfit of the log is a "
    "quadratic form in the differences between the counts and the expected counts. To find its p-value, logs are "
    "dealt by the rules: the p-value is the share of dealt logs with a misfit at least as large. For each shoe of the "
    "log a whole shoe is dealt, without replacement, and the same number of its coups is counted. If at least 1,000 "
    "coups are expected in every category, the dealt shoes serve only to estimate the covariance of the counts, and "
    "the p-value comes from the chi-squared distribution.",
    "Order. In a well-shuffled shoe, all orders of the coups are equally likely, whatever the cards, the number of "
    "decks and the drawing rules are. So the results of each shoe are rearranged at random, and the log is compared "
    "with these arrangements. The last three results of a shoe stay in place, because the cut card makes their order "
    "depend on the cards. There are four tests, and ties do not count in the first three. Changes of the winner: the "
    "test looks for too few or too many changes. Lengths of streaks: it counts the streaks of 1, 2, 3, 4, 5, and 6 or "
    "more results. Longest streak: it looks for a streak that is too long. Stretch as in the shoe before: it looks for "
    "the longest run of results that repeats a run of the table's previous shoe.",
    "All tests share one level by Holm's method. Random draws end early once 20 of them are at least as extreme as the "
    "log (Besag and Clifford, Biometrika 78, 1991). Tables, dealers and shifts with fewer than 50 coups are "
    "not tested.",
    "What is assumed. Each shoe is shuffled at random from whole decks. The log starts, stops and leaves coups out "
    "without regard to their results. A shoe that was logged because it looked odd breaks this assumption.",
)


def results_report(review: ResultsReview, files: Mapping[str, str], command: str = "", drawn: bool = True) -> Report:
    """The page and its JSON file. `files`: the digest of each of the log's files. `drawn`: with the figure."""
    return _Page(review, files, command, drawn).report


class _Page:
    def __init__(self, review: ResultsReview, files: Mapping[str, str], command: str, drawn: bool) -> None:
        self.review, self.files, self.command, self.drawn = review, files, command, drawn
        self.game, self.level = review.game, f"{100 * review.settings.level:.4g}%"
        self.coups = review.coups.height

    @property
    def report(self) -> Report:
        review = self.review
        return Report(
            title="Results without cards",
            procedure=f"{self.game.heading}, {many(review.decks, 'deck')}, {many(self.coups, 'coup')} (hands) of "
            f"{many(review.shoes, 'shoe')}.",
            sentences=self.sentences,
            note="Expected counts are exact for the game's rules and whole decks.",
            sections=self.sections,
            data=self.data,
            verdict="" if self.review.unread else _FLAGGED if self._is_flagged else _CLEAN,
            tables=self.tables,
            figures=self.figures,
            names=_NAMES,
            quoted=True,
        )

    @property
    def _is_flagged(self) -> bool:
        return bool(self.review.flagged) or not self.review.contradictions.is_empty()

    # Sentences

    @cached_property
    def sentences(self) -> list[str]:
        if self.review.unread:
            return [no_verdict(self.review.unread, self.review.allowed), _OF_PART, *self._record, *self._never]
        return [*self._first, *self._findings, *self._power, *self._record, *self._never]

    @property
    def _first(self) -> list[str]:
        flagged, tests = self.review.flagged, len(self.review.tests)
        together = f"{many(tests, 'test')} together" if tests > 1 else "one test"
        at = f"at a level of {self.level} for {together}"
        if not self._is_flagged:
            return [
                f"{_CLEAN}. The results of {many(self.coups, 'coup')} are within chance for {self.game.heading} with "
                f"{many(self.review.decks, 'deck')}, {at}."
            ]
        named = [_place(test) for test in flagged[:NAMED]]
        if len(flagged) > NAMED:
            named.append(many(len(flagged) - NAMED, "other test"))
        if wrong := self.review.contradictions.height:
            named.append(f"{many(wrong, 'line')} with totals that contradict the recorded winner or natural")
        return [
            f"{_FLAGGED}. These parts of the log do not fit the game: {'; '.join(named)}. Tested: "
            f"{many(self.coups, 'coup')}, {at}."
        ]

    @property
    def _findings(self) -> list[str]:
        lines = [self._finding(test) for test in self.review.flagged[:NAMED]]
        if self.review.flagged:
            lines.append(
                "A misfit does not show its cause. A fault of the record, of the deal, of the shuffle or of the cards "
                "may look the same, and so may a game other than the stated game."
            )
        return lines

    def _finding(self, test: ResultTest) -> str:
        least = test.how != "chi-squared" and test.p < _LEAST_P  # no random draw was as extreme
        sure = f"p {'at most ' + p_value(test.p_holm) if least else p_is(test.p_holm)[2:]} for all tests together"
        where = "" if test.by == "all" else f" at {test.by} {test.group}"
        if test.how == "arranged":
            return f"{self._of_order(test)} ({sure})."
        rows = self.review.counts.filter(by=test.by, group=test.group, what=test.test)
        row = rows.sort(pl.col("z").abs(), descending=True).row(0, named=True)
        what = _ONE.get(test.test, row["category"].capitalize())
        if test.test.endswith("total"):
            what += f" was {row['category']} in"
        else:
            what += " came in"
        return (
            f"{what[:1].upper()}{what[1:]} {row['came']:,} of {many(row['coups'], 'coup')}{where}, "
            f"and {row['expected']:,.1f} were expected ({sure})."
        )

    def _of_order(self, test: ResultTest) -> str:
        review, streaks = self.review, self.review.streaks
        if test.test == "repeat" and (repeat := review.order.longest_repeat):
            before, after = (review.coups.row(row, named=True) for row in (repeat.before, repeat.after))
            return (
                f"{many(repeat.coups, 'result')} of table {after['table']}, shoe {after['shoe']}, from coup "
                f"{after['coup']} on, are the same as in the shoe before (shoe {before['shoe']}), from coup "
                f"{before['coup']} on, as if the shoe had not been shuffled or had been logged twice"
            )
        if test.test == "longest streak":
            return f"The longest streak, ties aside, has {many(review.longest_streak, 'result')}"
        number = {name: streaks[name].sum() for name in ("came", "expected")}
        said = (
            f"{many(int(number['came']), 'streak')} against {number['expected']:,.1f} on average in random arrangements"
        )
        return f"The winner changes too {'often' if number['came'] > number['expected'] else 'rarely'}: {said}" if (
            test.test == "changes"
        ) else f"The lengths of the streaks are not as in random arrangements: {said}"  # fmt: skip

    @property
    def _power(self) -> list[str]:
        review, change = self.review, f"{100 * self.review.settings.change:g}"
        least = review.plan.least_change(self.coups)
        needed = {row.fault: row for row in review.plan.rows if row.feature == "winner"}
        coups = (
            f"{_coups(needed[f'{name.capitalize()} comes more often'].coups_holm)} coups for {name.capitalize()}"
            for name in least
        )
        lines = [
            f"Suppose that one winner comes {change} percentage point{'s' * (change != '1')} more often, and that the "
            f"others come less often in proportion. It takes these numbers of coups to flag the change in "
            f"{POWER:.0%} of logs: {', '.join(coups)}."
        ]
        if max(least.values()) > _GROSS:
            lines.append(f"{many(self.coups, 'coup')} can show gross faults only.")
        else:
            points = ", ".join(
                f"{_rounded_up(100 * value, 2):g} for {name.capitalize()}" for name, value in least.items()
            )
            lines.append(
                f"With {many(self.coups, 'coup')}, a rise of one winner's chance is flagged in {POWER:.0%} of logs if "
                f"it is at least this large, in percentage points: {points}."
            )
        return lines

    @property
    def _record(self) -> list[str]:
        review, lines = self.review, []
        if not review.has_ties and not review.unread:
            lines.append(
                f"There is no tie in {many(self.coups, 'coup')}, so it is assumed that ties are not logged. Player's "
                "and Banker's wins are compared with their chances in coups without a tie. If ties were logged, their "
                "absence is a fault."
            )
        if review.marks:
            names = " and ".join(_TITLES[name] for name in review.marks)
            lines.append(f'The log marks only the coups in which {names} came, so a blank is read as "none".')
        unread = review.log.coups.height - self.coups
        if unread:
            lines.append(f"The tests leave out {many(unread, 'coup')} without a winner that could be read.")
        if remarked := review.log.remarked():
            line, *what, reason = review.log.remarks.select("line", "column", "value", "reason").row(0)
            place = ", ".join(filter(None, (f"line {line}", *what)))
            lines.append(f"The reading of the file gave {many(remarked, 'remark')}. The first is on {place}: {reason}.")
        if review.too_long:
            lines.append(
                f"The log has {many(review.too_long, 'shoe')} with more coups than {many(review.decks, 'deck')} can "
                "have. Either several shoes were logged as one, or the number of decks is wrong."
            )
        if review.missing:
            lines.append(
                f"The numbers of the coups have {many(review.missing, 'gap')}. Gaps are assumed to be independent of "
                "the results; a streak ends at a gap."
            )
        no_time = review.coups["time"].null_count()
        if 0 < no_time < self.coups:
            lines.append(
                f"{many(no_time, 'coup')} without a time {'counts' if no_time == 1 else 'count'} for no shift."
            )
        lines += [f"Left out: {why}." for why in review.left_out]
        return lines

    @property
    def _never(self) -> list[str]:
        rows = {(row.fault, row.feature): row for row in self.review.plan.rows}
        nines = next(row for (fault, of), row in rows.items() if "nines" in fault and of == "winner")
        decks = next(row for (fault, of), row in rows.items() if "decks" in fault and of == "winner")
        lacking = nines.fault.removesuffix(" from the shoe")
        return [
            "Results alone never show a card. They cannot show who counts, who knows coming cards, whether hands were "
            "drawn and paid by the rules, or which cards a shoe lacks.",
            f"With {lacking}, a single test needs the winners of {_coups(nines.coups)} coups before it is likely to "
            f"show that anything is wrong. With {decks.fault}, it needs {_coups(decks.coups)} coups. If the log has "
            "cards, two commands answer these questions: 'counting audit' and 'counting shuffle'.",
        ]

    # Tables

    @cached_property
    def tables(self) -> dict[str, pl.DataFrame]:
        review = self.review
        tests = pl.DataFrame([test._asdict() for test in review.tests], infer_schema_length=None)
        plan = pl.DataFrame([row._asdict() for row in review.plan.rows])
        tables = {"tests": tests, "counts": review.counts, "streaks": review.streaks, "plan": plan}
        if not review.contradictions.is_empty():
            tables["contradictions"] = review.contradictions
        if not review.log.remarks.is_empty():
            tables["remarks"] = review.log.remarks_told()
        return tables

    @cached_property
    def data(self) -> dict[str, Any]:
        review, repeat = self.review, self.review.order.longest_repeat
        return {
            "answer": list(self.sentences),
            "verdict": None if review.unread else not self._is_flagged,
            "game": self.game.name,
            "game_digest": self.game.digest,
            "decks": review.decks,
            "shoes": review.shoes,
            "coups": self.coups,
            "gaps": review.missing,
            "level": review.settings.level,
            "seed": review.settings.seed,
            "change": review.settings.change,
            "least_change": review.plan.least_change(self.coups),
            "longest_streak": review.longest_streak,
            "longest_repeat": None if repeat is None else repeat.coups,
            **{name: self.tables[name].to_dicts() for name in ("tests", "counts", "streaks", "plan")},
            "contradictions": review.contradictions.to_dicts(),
            "remarks": review.log.remarks.to_dicts(),
            "not_tested": list(review.left_out),
            "files": dict(self.files),
        }

    @cached_property
    def _deviations(self) -> pl.DataFrame:
        """For the figure: rows with a group's name, a winner, and the difference from the expected number of wins in
        standard deviations. Only all coups together, and the groups with the largest differences, are included."""
        rows = self.review.counts.filter(what="winner").with_columns(
            name=pl.when(pl.col("by") == "all").then(pl.lit("all coups")).otherwise(pl.format("{} {}", "by", "group"))
        )
        furthest = pl.col("z").abs().max().over("by", "group")
        order = rows.with_columns(far=furthest, is_all=pl.col("by") == "all")
        names = order.sort("is_all", "far", descending=True, maintain_order=True)["name"].unique(maintain_order=True)
        return rows.filter(pl.col("name").is_in(names.head(DRAWN).implode())).select("name", "category", "z", "came",
                                                                                    "expected")  # fmt: skip

    @cached_property
    def figures(self) -> Mapping[str, str]:
        if not self.drawn:
            return {}
        groups = self._deviations["name"].n_unique()
        figure = drawing.single(plots.result_deviations, self._deviations, size=(9, 1.6 + 0.28 * groups))
        source = f"{self.game.heading}, {many(self.review.decks, 'deck')}; {many(self.coups, 'coup')} in the log. "
        return {
            "winners": drawing.svg(figure, "Winners against their exact chances", f"{source}counting {__version__}")
        }

    @property
    def sections(self) -> list[Section]:
        review, plan = self.review, self.review.plan.rows
        all_counts = review.counts.filter(by="all")
        sections = [
            Section(
                COUNTS,
                figure=Markup(self.figures["winners"]) if self.figures else None,
                caption="The figure shows how far each winner's number is from the "
                        "expected number." * bool(self.figures),
                columns=("what", "came", "of coups", "share", "exact chance", "expected",
                         "standard deviations from expected"),
                rows=[
                    [
                        _category(row), f"{row['came']:,}", f"{row['coups']:,}", percent(row["came"] / row["coups"], 2),
                        percent(row["expected"] / row["coups"], 3), f"{row['expected']:,.1f}", f"{row['z']:+.2f}",
                    ]
                    for row in all_counts.iter_rows(named=True)
                ],
            ),
            Section(
                TESTS,
                f"The smallest p-values come first{_all(len(review.tests), 'tests.csv', LISTED_TESTS)}.",
                columns=("test", "of", "coups", "p", "p, all tests", "flagged", "p-value from"),
                rows=[
                    [
                        _TITLES[test.test], _group(test), f"{test.coups:,}", p_value(test.p), p_value(test.p_holm),
                        "yes" * test.flagged, _HOW[test.how],
                    ]
                    for test in review.tests[:LISTED_TESTS]
                ],
                labels=2,
                flagged=frozenset(at for at, test in enumerate(review.tests[:LISTED_TESTS]) if test.flagged),
            ),
            *self._groups,
            Section(
                STREAKS,
                'A streak is a series of wins of one side; ties do not count. "Expected" is the mean of random '
                "arrangements.",
                columns=("length", "came", "expected"),
                rows=[[length, f"{came:,}", f"{mean:,.1f}"] for length, came, mean in review.streaks.rows()],
            ),
            Section(
                PLAN,
                f"The last two columns give the number of coups that it takes to flag a fault in {POWER:.0%} of logs, "
                f"at a level of {self.level}. One column is for a single test, and the other is for the "
                f"{many(len(review.tests), 'test')} of this log together. One percentage point is one coup in a "
                "hundred.",
                columns=("fault", "seen in", "chance", "chance with the fault", "coups, one test", "coups, all tests"),
                rows=[_planned(row) for row in plan],
                labels=2,
            ),
        ]  # fmt: skip
        if not review.contradictions.is_empty():
            shown = review.contradictions.head(LISTED)
            sections.append(
                Section(
                    CONTRADICTIONS,
                    "In these lines, the recorded totals contradict the recorded winner or natural"
                    f"{_all(review.contradictions.height, 'contradictions.csv')}.",
                    columns=[name.replace("_", " ") for name in shown.columns],
                    rows=[[cell(value) for value in row] for row in shown.rows()],
                    words=True,
                )
            )
        sections.append(
            Section("How results are tested", rows=[[part] for part in _METHODS], columns=("",), words=True)
        )
        made = pages.provenance_of_game(
            self.game, self.command,
            *((f"digest of {name}", digest) for name, digest in self.files.items()),
            ("seed of draws", str(review.settings.seed)),
        )  # fmt: skip
        return [*sections, Section("Provenance", columns=("", ""), rows=made, words=True)]

    @property
    def _groups(self) -> list[Section]:
        """Tables of winners by table, dealer and shift."""
        counts = self.review.counts.filter(what="winner")
        sections = []
        for by in ("table", "dealer", "shift"):
            rows = counts.filter(by=by)
            if rows.is_empty():
                continue
            names = rows["group"].unique(maintain_order=True).to_list()
            sections.append(
                Section(
                    f"Winners by {by}",
                    f"The expected numbers are in brackets{_all(len(names), 'counts.csv')}.",
                    columns=(by, "coups", *(name.capitalize() for name in self.review.features[0].categories)),
                    rows=[_of_group(name, rows.filter(group=name)) for name in names[:LISTED]],
                )
            )
        return sections


def _of_group(name: str, rows: pl.DataFrame) -> list[str]:
    counts = [f"{came:,} ({expected:,.1f})" for came, expected in rows.select("came", "expected").rows()]
    return [name, f"{rows['coups'][0]:,}", *counts]


def _group(test: ResultTest) -> str:
    return "all coups" if test.by == "all" else f"{test.by} {test.group}"


def _place(test: ResultTest) -> str:
    """A flagged test in a few words, for the first sentence."""
    return _TITLES[test.test] + (f" at {test.by} {test.group}" if test.by != "all" else "")


def _category(row: Mapping[str, Any]) -> str:
    if row["what"] == "winner":
        return str(row["category"]).capitalize()
    if row["what"].endswith("total"):
        return f"{_ONE[row['what']]} {row['category']}"
    return _ONE[row["what"]].removeprefix("a ").capitalize()


def _planned(row: Fault) -> list[str]:
    chances = [percent(chance, 3) for chance in (row.chance, row.shifted)]
    return [row.fault, _TITLES[row.feature], *chances, _coups(row.coups), _coups(row.coups_holm)]


def _coups(number: float) -> str:
    """A number of coups to three digits, rounded up."""
    return f"{_rounded_up(number, 3):,.0f}"


def _rounded_up(value: float, digits: int) -> float:
    step = 10.0 ** (floor(log10(value)) - digits + 1)
    return round(ceil(value / step - 1e-9) * step, 12)


def _all(number: int, file: str, listed: int = LISTED) -> str:
    return f". The page has {listed} of {number:,} rows; {file} has all of them" if number > listed else ""
