"""The commands of house rules: what a casino may allow."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from counting.cli.options import (
    BETS,
    NO_NEGATIVE,
    OPEN,
    SEVERAL,
    Amount,
    Cut,
    GameName,
    Played,
    RulesName,
    Shoes,
    Whole,
    bar,
    command,
    in_browser,
    note_choices,
    on_disk,
    per_hour,
    remark,
    values_of,
)
from counting.errors import InputError, whole
from counting.io.tables import Format, put
from counting.numbers import money, positive, share

if TYPE_CHECKING:
    from counting.bounds import Patronage
    from counting.reports import Report
    from counting.sweep import TableLimits

_SHORT = ("bet", "counter", "model", "cut", "tie_in", "most_bet", "verdict", "lower_units_per_shoe",
          "upper_units_per_shoe", "limit", "new_cut", "new_tie_in",
          "new_most_bet", "new_limit", "coups_lost_per_shoe", "theo_given_up_per_shoe", "most_side_bet")  # fmt: skip


def limits(
    game: GameName,
    *,
    bet: Annotated[list[str], BETS],
    bound: str,
    tie_in: Annotated[list[str] | None, SEVERAL] = None,
    in_force: str = "0",
    model: Annotated[list[str] | None, SEVERAL] = None,
    main: Annotated[list[str] | None, SEVERAL] = None,
    most_bet: Annotated[list[str] | None, SEVERAL] = None,
    minimum: str = "0",
    maximum: str | None = None,
    least_bet: str | None = None,
    bound_covers: Literal["all", "side"] = "side",
    side_share: str | None = None,
    together: Annotated[bool, NO_NEGATIVE] = False,
    missed: str = "0",
    main_on_count: str | None = None,
    rebate: str = "0",
    loss_rebate: str = "0",
    stand: Annotated[bool, NO_NEGATIVE] = False,
    coups_per_hour: Amount = 70.0,
    team: Whole = 1,
    players: Whole = 6,
    average_bet: str | None = None,
    average_side_bet: str = "10",
    deepest: Cut | None = None,
    strict: Annotated[bool, NO_NEGATIVE] = False,
    out: Path | None = None,
    played: Played | None = None,
    browse: Annotated[bool, OPEN] = False,
    format: Format = "table",
) -> int:
    """Which cut card, main-bet requirement and largest bet keep counters under a bound, and the cheapest such rule.

    The perfect counter knows every edge and makes the best bets within the rules; --system adds counters who know only
    a count. A bound is MET if no counter of the model can win as much (99% confidence), NOT MET if a counter wins
    more, otherwise UNDECIDED. Figures are those of one table; a counter who moves between K such tables wins at most K
    times as much. The cheapest rule is that which gives up the least theoretical win per shoe.

    Example: counting limits louisiana --bet seven-seven-45 --bound 0.05/shoe

    Example: counting limits ez-baccarat --bet dragon-7 --bound 10/hour --most-bet 25 50 100 --minimum 25 --cut 20

    Parameters
    ----------
    game
        A game's name or the path of a TOML file.
    bet
        Side bets, the game's or the catalog's.
    bound
        The most that a counter may win: in units of the side bet, 0.05/shoe or 0.1/100-coups, or in money, 25/hour.
    tie_in
        Main-bet requirements to compare: units on the main bets for each unit of the side bet; by default 0 to 8.
    in_force
        The requirement now in force; changes are measured from it. The cut in force is --cut.
    model
        Counters: sit-out (back-counting: any coup may be skipped), play-all (no coup may), skip-3 (sits out at most 3
        coups in a row, otherwise out until the next shoe), no-entry (no mid-shoe entry: every coup until leaving). On a
        coup without a full side bet, the requirement on the main bets holds the seat, or the minimum where that is
        more; with play-all:1 one unit, with :minimum the table's minimum, with :any any bet. By default sit-out,
        play-all, play-all:1.
    main
        Main bets; by default the game's first on Player, Banker and Tie. A system's counter bets the first.
    most_bet
        The largest side bet, in money; if several are compared, the largest is in force. By default there is no
        limit, and minimums do not matter.
    minimum
        The least main bet at the table, in money.
    maximum
        The largest main bet at the table, in money.
    least_bet
        The least side bet, in money; by default 1.
    bound_covers
        all: main bets up to --maximum; side: no larger than the requirement or the minimum.
    side_share
        The side bet is at most this multiple of the main bets, as 1/4.
    together
        All named side bets at once, under one requirement.
    missed
        The share of dealt cards that a system's counter misses, as 0.05.
    main_on_count
        The main bet that a system's counter makes with a side bet, instead of the first.
    rebate
        The share of every unit staked that is paid back, as 0.005.
    loss_rebate
        The share of a shoe's net loss that is paid back, as 0.1. Perfect counters then have two figures.
    stand
        Main bets stay for the next coup after a push.
    coups_per_hour
        For a bound per hour.
    team
        Number of counters at one table.
    players
        Ordinary players at the table, for the theoretical win that a rule gives up.
    average_bet
        Their average main bet, in money; by default twice the minimum, or 50 without one.
    average_side_bet
        Their average side bet, in money, on every coup and on each of the side bets.
    deepest
        The most cards behind the cut card to consider, or decks as 3d; by default 156.
    strict
        Exit status 1 unless the bound is MET under the rules in force.
    out
        The folder for the sweep, the frontier, its page and figures, and limits.json; by default the game's name with
        -limits; for another plan, digits are added.
    format
        table, json or csv; a table has the cheapest rules, csv the whole frontier.
    """
    from counting.bounds import MODELS, Bound, CounterModel, LimitsQuestion, Per, Terms, Verdict, answer
    from counting.games import units_of
    from counting.reports.limits import KIND, assumed, report
    from counting.reports.publish import play, publish
    from counting.sweep import TableLimits, folder_for

    target = Bound.parse(bound)
    tie_ins = tuple(sorted({units_of(text) for text in (*values_of(tie_in, "--tie-in"), in_force)}))
    if tie_in is None:
        tie_ins = tuple(sorted({*map(Fraction, range(9)), *tie_ins}))
    models = tuple(dict.fromkeys(map(CounterModel.parse, values_of(model, "--model")))) or MODELS
    coups_per_hour = per_hour(coups_per_hour)
    table = TableLimits(
        minimum=money(minimum, "--minimum"),
        maximum=None if maximum is None else positive(maximum, "--maximum"),
        least_bet=Fraction(1) if least_bet is None else positive(least_bet, "--least-bet"),
        side_share=None if side_share is None else positive(side_share, "--side-share", read=share),
        covers=bound_covers,
    )
    if bound_covers == "all" and (table.maximum is None or not most_bet):
        lacking = "--maximum" if table.maximum is None else "--most-bet"
        raise InputError(f"--bound-covers all: needs {lacking}: without it nothing bounds the main bets in units")
    if table.maximum is not None and table.maximum < table.minimum:
        raise InputError(f"--maximum {maximum}: should be the minimum, {minimum}, or more")
    amounts = sorted({positive(text, "--most-bet") for text in values_of(most_bet, "--most-bet")})
    if target.per is Per.HOUR and not amounts:
        raise InputError("--most-bet: missing, should be an amount for a bound in money")
    most_bets: tuple[Fraction | None, ...] = tuple(amounts) or (None,)
    played = played or Played()
    bets = tuple(dict.fromkeys(values_of(bet, "--bet")))
    plan = played.plan(game, bets)
    note_choices(plan.game)
    mains = plan.game.mains(values_of(main, "--main") or None)
    terms = Terms(
        bets=bets,
        main=mains,
        tie_ins=tie_ins,
        models=models,
        together=together,
        most_bets=most_bets,
        table=table,
        systems=plan.systems,
        missed=share(missed, "--missed"),
        main_on_count=None if main_on_count is None else plan.game.mains([main_on_count])[0],
        rebate=share(rebate, "--rebate"),
        loss_rebate=share(loss_rebate, "--loss-rebate"),
        stand=stand,
    )
    if least_bet is not None:
        terms.refuse_least_bet()
    compared: tuple[int, ...] = ()
    if deepest is not None:
        cuts = plan.dealing.cuts.tolist()
        last = whole(deepest, "--deepest", cuts[0], cuts[-1])
        compared = tuple(cut for cut in cuts if cut <= last)
    question = LimitsQuestion(
        plan=plan,
        terms=terms,
        bound=target,
        in_force=float(units_of(in_force)),
        compared=compared,
        coups_per_hour=coups_per_hour,
        team=team,
        patronage=_patronage(players, average_bet, average_side_bet, table),
    )
    plan = question.played
    folder = out or folder_for(plan, f"{plan.game.name}-limits", KIND)
    with (
        played.pool() as pool,
        bar("playing") as progress,
        play(plan, folder, KIND, progress=progress, space=on_disk, **pool) as sweep,
    ):
        page = report(answer(question, sweep, folder, progress, **pool), command(sys.argv))
        publish(page, folder, data="limits")
    in_browser(folder / "report.html", browse)
    remark(sweep, of_bettors=True)
    if format == "table":
        _print_cheapest(page, len(most_bets) > 1, assumed(question), folder)
    else:
        put(page.data["frontier"], page.data, format)
    return int(strict and any(row["verdict"] != Verdict.MET.value for row in page.data["cheapest"]))


def _print_cheapest(page: Report, several: bool, assumed: str, folder: Path) -> None:
    """Print the cheapest rules as tables and sentences; `several`: several largest bets are compared; `assumed`: what
    is assumed of ordinary players."""
    from counting.bounds import rounded_down

    changes = page.data["cheapest"]
    for row in changes:
        if row.get("most_side_bet"):
            row["most_side_bet"] = rounded_down(row["most_side_bet"], 6)
    shown = [name for name in _SHORT if several or name not in ("most_bet", "new_most_bet")]
    put([{name: row[name] for name in shown if name in row} for row in changes], None, "table")
    if several:
        print("\nThe cheapest rule for each largest bet:")
        put(page.data["cheapest_by_most_bet"], None, "table")
    print("", *page.sentences, assumed, sep="\n")
    print(f"\nThe page, the frontier, its figures and limits.json: {folder}")


def _patronage(players: int, average_bet: str | None, average_side_bet: str, table: TableLimits) -> Patronage:
    """The ordinary players of the options."""
    from counting.bounds import Patronage

    main_bet = 2 * table.minimum or Fraction(50)
    if average_bet is not None:
        main_bet = positive(average_bet, "--average-bet")
    return Patronage(players, float(main_bet), float(positive(average_side_bet, "--average-side-bet")))


def statement(
    rules: RulesName,
    *,
    out: Path | None = None,
    fit: Whole | None = None,
    strict: Annotated[bool, NO_NEGATIVE] = False,
    shoes: Shoes | None = None,
    browse: Annotated[bool, OPEN] = False,
    format: Format = "table",
) -> int:
    """House rules in, a one-page statement out: what counters can win under them, to be reviewed and signed.

    Example: counting statement louisiana-45-shuffle-75

    Example: counting statement pit.toml --strict

    Parameters
    ----------
    rules
        The path of a TOML file with game, side bets, dealing, main-bet requirement (tie_in) and limits (see
        docs/reference/keys.md), or the name of shipped rules: louisiana-40, louisiana-45-most-25, louisiana-45-quarter,
        louisiana-45-shuffle-75, macau-lucky-6, macau-pairs.
    out
        The folder for statement.html, statement.json and the figures of every shoe; by default the rules' name with
        -statement; for other rules, digits are added.
    fit
        Shoes used to fit the counter's play where a seat must be held or a loss is paid back in part; by default an
        eighth of --shoes, at most 15,000, or 4,000 with a rebate on losses.
    strict
        Exit status 1 unless the bound is met.
    format
        table, json or csv; a table has the sentences, csv the two figures of each side bet.
    """
    from counting.bounds import load_house, state, statement_settings
    from counting.io.folders import claimed, default_folder, refuse_other
    from counting.io.toml import digest
    from counting.reports.publish import publish
    from counting.reports.statement import report

    shoes = shoes or Shoes()
    loaded = load_house(rules)
    if strict and loaded.house.bound is None:
        raise InputError(f"--strict: needs a bound, {rules} has none")
    plan = loaded.plan(shoes.shoes, shoes.seed)
    of_this = statement_settings(loaded, plan, fit)
    folder = out or default_folder(
        f"{Path(rules).stem}-statement",
        digest(of_this),
        lambda path: refuse_other(path, "statement", of_this, was="brackets"),
    )
    with shoes.pool() as pool, bar("playing") as progress:
        pool.pop("shared", None)
        with claimed(folder, "statement", of_this, was="brackets"):
            page = report(state(loaded, plan, folder, progress, fit=fit, **pool), command(sys.argv))
            publish(page, folder, "statement")
    in_browser(folder / "statement.html", browse)
    if format == "table":
        print("\n".join(page.sentences))
        print(f"\nThe page: {folder / 'statement.html'}")
    else:
        put(page.data["sides"], page.data, format)
    return int(strict and not page.data["met"])
