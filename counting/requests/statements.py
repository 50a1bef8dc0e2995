"""The requests for a statement on house rules, and for a comparison of two sets of house rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from counting.io.folders import claimed
from counting.requests.answers import Answer, published
from counting.requests.house_rules import PatronageArguments
from counting.requests.pits import PitArguments, refuse_units
from counting.requests.played import ShoesArguments
from counting.requests.request import File, Request, RulesLike, Whole, as_whole
from counting.requests.studies import playing

if TYPE_CHECKING:
    from counting.bounds import Comparison, Statement
    from counting.requests.hosts import Host
else:
    Comparison = Statement = object


_NO_STAKE = "rules with a largest bet (most_bet)"


@dataclass(frozen=True, kw_only=True)
class StatementRequest(PitArguments, ShoesArguments, Request[Statement]):
    """A one-page statement on house rules: what counters can win under them, to be reviewed and signed.

    The verdict comes first. If the verdict is not MET, the statement names single changes of the rules that would meet
    the bound, as far as such changes are known. It tries changes of the largest side bet, the cut card and the main-bet
    requirement; without side bets, of the largest main bet and the cut card.

    Example: counting statement louisiana-45-shuffle-75

    Example: counting statement pit.toml --strict

    Parameters
    ----------
    rules
        The path of a TOML file with game, side bets, dealing, main-bet requirement (tie_in) and limits (see
        docs/reference/keys.md), or the name of shipped rules: louisiana-40, louisiana-45-most-25, louisiana-45-quarter,
        louisiana-45-shuffle-75, macau-lucky-6, macau-pairs.
    out
        The folder for statement.html, statement.json and the results shoe by shoe. The command's default is the rules'
        name with -statement; if that folder has a statement on other rules, digits are added to the name.
    fit
        The number of shoes to which the counter's play is fitted, if a seat must be held or a part of a loss is paid
        back. By default an eighth of --shoes, but at least 500 and at most 15,000. With a rebate on losses, at least
        1,000 and at most 4,000.
    """

    rules: RulesLike = field(kw_only=False)
    out: File | None = None
    fit: Whole | None = None

    def answered(self, host: Host) -> Answer[Statement]:
        from counting.bounds import Per, load_house, state, statement_settings, with_remedies
        from counting.io.folders import default_folder, refuse_other
        from counting.io.toml import digest
        from counting.reports.statement import report, sentences

        loaded = load_house(self.rules)
        plan, fit = loaded.plan(as_whole(self.shoes, "shoes"), as_whole(self.seed, "seed")), as_whole(self.fit, "fit")
        pit = self.pit(loaded.pit)
        refuse_units(pit, Per.SHOE if loaded.stake is None else Per.HOUR, _NO_STAKE)
        of_this = statement_settings(loaded, plan, fit)
        folder = host.folder(
            self.out,
            lambda: default_folder(
                f"{_stem(self.rules)}-statement",
                digest(of_this),
                lambda path: refuse_other(path, "statement", of_this, was="brackets"),
            ),
        )
        claim = partial(claimed, kind="statement", settings=of_this, was="brackets")
        with self.pool(host.say) as pool:
            pool.pop("shared", None)
            with claim(folder):
                with host.stage(playing(plan)) as progress:
                    stated = replace(state(loaded, plan, folder, progress, fit=fit, **pool), pit=pit)
                if stated.met is False:
                    host.tell(sentences(stated)[0])
                with host.stage("Looking for rules that would meet the bound", after=2) as progress:
                    stated = with_remedies(stated, folder, progress, fit=fit, **pool)
                answer = published(
                    host, folder, report(stated, host.command), stated, claim, named=("statement", "statement")
                )
        return answer


@dataclass(frozen=True, kw_only=True)
class CompareRequest(PatronageArguments, PitArguments, ShoesArguments, Request[Comparison]):
    """Two sets of house rules side by side: what changes for a counter, and how theoretical win changes.

    Each set gets a statement, as `counting statement` makes it, on shoes from the same seed: the verdict, what a
    counter wins, and an upper bound for every counter. The theoretical win assumes the same ordinary players under both
    sets of rules.

    Example: counting compare pit.toml proposed.toml

    Example: counting compare louisiana-40 louisiana-45-quarter --shoes 20k --open

    Parameters
    ----------
    first
        The rules as they are: the path of a TOML file, or the name of shipped rules, as for `statement`.
    second
        The rules to compare with the first.
    average_bet
        The ordinary players' average main bet, in money; by default twice the larger of the two minimums, or 50 without
        a minimum.
    fit
        The number of shoes to which the counter's play is fitted, if a seat must be held or a part of a loss is paid
        back, as for `statement`.
    out
        The folder for report.html, report.json, comparison.csv and the results shoe by shoe. The command's default is
        the names of both rules with -and- between them; if that folder has a comparison of other rules, digits are
        added to the name.
    """

    first: RulesLike = field(kw_only=False)
    second: RulesLike = field(kw_only=False)
    fit: Whole | None = None
    out: File | None = None

    def answered(self, host: Host) -> Answer[Comparison]:
        from counting.bounds import Comparison, Per, load_house, ordinary_main_bets, state, statement_settings
        from counting.io.folders import default_folder, refuse_other
        from counting.io.toml import digest
        from counting.reports.compare import KIND, report

        both = [load_house(rules) for rules in (self.first, self.second)]
        shoes, seed, fit = as_whole(self.shoes, "shoes"), as_whole(self.seed, "seed"), as_whole(self.fit, "fit")
        for rules in both:
            ordinary_main_bets(rules.game, rules.main)  # refuses a game without a main bet
        plans = [rules.plan(shoes, seed) for rules in both]
        pits = [self.pit(rules.pit) for rules in both]
        for pit, rules in zip(pits, both, strict=True):
            refuse_units(pit, Per.SHOE if rules.stake is None else Per.HOUR, _NO_STAKE)
        patronage = self.patronage(max(rules.limits.minimum for rules in both))
        of_these = {
            name: statement_settings(rules, plan, fit)
            for name, rules, plan in zip(("first", "second"), both, plans, strict=True)
        }
        folder = host.folder(
            self.out,
            lambda: default_folder(
                f"{_stem(self.first)}-and-{_stem(self.second)}",
                digest(of_these),
                lambda path: refuse_other(path, KIND, of_these),
            ),
        )
        claim = partial(claimed, kind=KIND, settings=of_these)
        with self.pool(host.say) as pool, claim(folder):
            pool.pop("shared", None)
            stated = []
            for name, rules, plan, pit in zip(of_these, both, plans, pits, strict=True):
                (folder / name).mkdir(exist_ok=True)
                with host.stage(f"{playing(plan)}, {name} rules") as progress:
                    stated.append(replace(state(rules, plan, folder / name, progress, fit=fit, **pool), pit=pit))
            first, second = stated
            compared = Comparison(first, second, patronage)
            return published(host, folder, report(compared, host.command), compared, claim)


def _stem(rules: RulesLike) -> str:
    """The part of the default folder's name that stands for these rules."""
    return "rules" if isinstance(rules, Mapping) else Path(rules).stem
