"""The request for the scores of a sweep: what each counter bets and wins, and what this means for a bankroll."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from counting.errors import InputError, keyword, nearest, path
from counting.requests.answers import Answer
from counting.requests.request import (
    Amount,
    BetNames,
    File,
    Request,
    Share,
    SweepLike,
    Systems,
    Whole,
    as_whole,
    given_texts,
    given_values,
)
from counting.requests.studies import choices_taken

if TYPE_CHECKING:
    from counting.analysis import Bankroll
    from counting.requests.hosts import Host
    from counting.sweep import Sweep
else:
    Sweep = object


@dataclass(frozen=True, kw_only=True)
class ScoreRequest(Request[Sweep]):
    """What each counter of a finished sweep bets and wins, with its spread, and what this means for a bankroll.

    There is a row for the perfect counter of each bet, and a row for each system at its own trigger and at its best
    trigger.

    Example: counting score dragon-7-sweep --bankroll 20000 --stake 100 --horizon 40000

    Example: counting score dragon-7-sweep --system dragon-7 --every --out dragon-7-score

    Parameters
    ----------
    dir
        The folder of a sweep, or of a study that holds one.
    bet
        Only these bets.
    system
        Only these counters, by name; the name perfect means the perfect counter.
    every
        Give a row for every trigger.
    bankroll
        The money that a counter starts with. The answer then also gives the Kelly stake, the risk of ruin and the
        chance to be ahead.
    stake
        Money on each bet; ruin is a bankroll of less than one stake.
    kelly
        Instead of --stake: bet this share of the Kelly stake, as 0.5 for half. Ruin is then the loss of half the
        bankroll.
    horizon
        Number of coups dealt, for the risk of ruin within them and the chance to be ahead after them.
    check
        Add the risk of ruin and the chance to be ahead as counted on the dealt coups, in sessions of --horizon coups.
        The sweep must have kept its rows.
    out
        A folder for a page: report.html, report.json, tables and a figure.
    """

    holds: ClassVar[str] = "score"
    dir: SweepLike = field(kw_only=False)
    bet: BetNames | None = None
    system: Systems | None = None
    every: bool = False
    bankroll: Amount | None = None
    stake: Amount | None = None
    kelly: Share | None = None
    horizon: Whole = 10_000
    check: bool = False
    out: File | None = None

    def answered(self, host: Host, drawn: bool = True) -> Answer[Sweep]:
        """The answer. `drawn`: with the figure."""
        from counting.analysis import remarks, score, widest
        from counting.reports.scores import report
        from counting.sweep import Sweep, open_sweep

        purse = self._purse()
        asked = self.dir.result if isinstance(self.dir, Answer) else self.dir
        played = asked if isinstance(asked, Sweep) else open_sweep(path(asked, "dir"))
        host.kept = played  # keeps the folder, which the answer's sweep reads
        finished = widest(played)
        host.say(*choices_taken(finished.plan.game))
        scored = score(finished.ledger).collect()
        rows = self._chosen(scored.to_dicts(), finished)
        if purse is not None:
            as_dealt = widest(played, rows=True) if self.check else None
            for row in rows:
                row |= {"bankroll": purse.money, "stake": purse.stake, "kelly": purse.kelly, "horizon": purse.horizon}
                row |= self._prospects(purse, row, as_dealt)
        noted = remarks(finished)
        page = report(finished.plan, scored, rows, purse, noted, host.command, drawn)
        return self.published(host, page, finished, {"sweep": finished.plan.stamp}, noted)

    def _purse(self) -> Bankroll | None:
        from counting.analysis import Bankroll

        named = {name: keyword(name) for name in ("bankroll", "stake", "kelly", "check")}
        if self.bankroll is None:
            if self.stake is not None or self.kelly is not None or self.check:
                raise InputError(
                    f"{named['stake']}, {named['kelly']}, {named['check']}: should come with a {named['bankroll']}"
                )
            return None
        if self.stake is None and self.kelly is None:
            raise InputError(f"{named['bankroll']}: should come with a {named['stake']}, or with {named['kelly']}")
        stake, kelly = (None if given is None else float(given) for given in (self.stake, self.kelly))
        return Bankroll(float(self.bankroll), as_whole(self.horizon, "horizon"), stake, kelly)

    def _chosen(self, rows: list[dict[str, Any]], sweep: Sweep) -> list[dict[str, Any]]:
        """The rows that were asked for. A new column `which` states whether a row's trigger is the system's own, the
        best trigger, or both."""
        systems = {count.name: count for count in sweep.plan.systems}
        for row in rows:
            own = row["system"] in systems and row["trigger"] == systems[row["system"]].on(row["bet"])
            row["which"] = " and ".join(["own"] * own + ["best"] * row.pop("best"))
        rows = [row for row in rows if self.every or row["which"] or row["system"] not in systems]
        counters = [str(getattr(each, "name", each)) for each in given_values(self.system, "system")]
        from counting.games import bet_texts

        texts = [bet for text in given_texts(self.bet, "bet") for bet in bet_texts(text)]
        bets = [sweep.plan.game.bet_name(bet) for bet in texts]
        for name, chosen in (("bet", bets), ("system", counters)):
            has = {row[name]: 0 for row in rows}
            for each in chosen or ():
                if each not in has:
                    raise InputError(
                        f"{keyword(name)} {each}: not in the sweep, which has {', '.join(has)}{nearest(each, has)}"
                    )
            rows = [row for row in rows if not chosen or row[name] in chosen]
        return rows

    def _prospects(self, purse: Bankroll, row: dict[str, Any], as_dealt: Sweep | None) -> dict[str, Any]:
        from counting.analysis import results

        figures: dict[str, Any] = purse.prospects(row)
        if as_dealt is not None:
            figures |= purse.played(results(as_dealt, row["system"], row["trigger"], row["bet"]), row)
        return figures
