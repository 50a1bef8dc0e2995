"""The verbs of rules: what a casino may allow."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from counting.errors import InputError, whole
from counting.options import SEVERAL, Played, Whole, bar, given, on_disk
from counting.output import Format, as_json, put

_SHORT = ("bet", "model", "cut", "tie_in", "units_per_shoe", "new_cut", "new_tie_in", "new_units_per_shoe",
          "coups_lost_per_shoe")  # fmt: skip
_UNITS = {
    "shoe": "units a shoe, upper 99% limit",
    "100-coups": "units per 100 coups, upper 99% limit",
    "hour": "money an hour, upper 99% limit",
}


def limits(
    game: str,
    *,
    bet: Annotated[list[str], SEVERAL],
    bound: str,
    tie_in: Annotated[list[str] | None, SEVERAL] = None,
    in_force: str = "0",
    model: Annotated[list[str] | None, SEVERAL] = None,
    main: Annotated[list[str] | None, SEVERAL] = None,
    most_bet: float = 1.0,
    coups_per_hour: float = 70.0,
    team: Whole = 1,
    deepest: Whole = 156,
    out: Path | None = None,
    played: Played | None = None,
    format: Format = "table",
) -> None:
    """Which cut card, tie-in and largest bet keep a counter's gain under a bound, and the cheapest rule that does.

    The perfect counter, who knows every edge, puts the tie-in on the main bet that costs least. A bound is met when
    the upper 99% limit of his gain is below it.

    Example: counting limits louisiana --bet seven-seven-45 --bound 0.05/shoe

    Parameters
    ----------
    game
        A game's name or the path of a TOML file.
    bet
        Side bets, the game's or the catalog's.
    bound
        The most he may win, in units of the side bet, 0.05/shoe or 0.1/100-coups, or in money, 25/hour.
    tie_in
        Units on main bets per unit of the side bet, as many as are to be compared; by default 0 to 8.
    in_force
        The tie-in in force, from which changes are counted; the cut in force is --cut.
    model
        Counters: sit-out, play-all, skip-3 (at most three coups in a row); play-all:1 has one unit on a main bet
        while he waits, play-all the tie-in. By default sit-out, play-all and play-all:1.
    main
        Main bets; by default the game's first on Player, Banker and Tie.
    most_bet
        The largest side bet, in money, for a bound an hour.
    coups_per_hour
        For a bound an hour.
    team
        So many counters at one table.
    deepest
        The most cards behind the cut card that are considered.
    out
        The folder for the sweep, the frontier, its figures and limits.json; by default the game's name and -limits.
    format
        table, json or csv; a table has the cheapest rules, csv the whole frontier.
    """
    from fractions import Fraction

    from counting import plots
    from counting.bettors import units_of
    from counting.folders import claim, write_text
    from counting.limits import MODELS, Bound, Model, Terms, cheapest, frontier, judged, plan_of
    from counting.sweep import Sweep, run

    asked = Bound.parse(bound)
    tie_ins = tuple(sorted({units_of(text) for text in (*given(tie_in, "--tie-in"), in_force)}))
    if tie_in is None:
        tie_ins = tuple(sorted({*map(Fraction, range(9)), *tie_ins}))
    models = tuple(map(Model.parse, given(model, "--model"))) or MODELS
    whole(team, "--team", 1, 1000)
    for value, option in ((most_bet, "--most-bet"), (coups_per_hour, "--coups-per-hour")):
        if not 0 < value <= 1e9:
            raise InputError(f"{option} {value:g}: should be more than 0, at most 1,000,000,000")
    played = played or Played()
    bets = tuple(dict.fromkeys(given(bet, "--bet")))
    plan = played.plan(game, bets)
    terms = Terms(
        bets,
        plan.game.mains(given(main, "--main") or None),
        tie_ins,
        models,
    )
    plan = plan_of(plan, terms)
    cut = plan.dealing.cut
    cuts = [int(c) for c in plan.dealing.cuts if c <= whole(deepest, "--deepest", cut, int(plan.dealing.cuts[-1]))]
    folder = out or Path(f"{plan.game.name}-limits")
    claim(folder, "sweep", "frontier")
    with played.pool() as pool, bar("playing") as progress:
        swept = Sweep(run(plan, folder / "sweep", progress=progress, space=on_disk, **pool), plan)
    found = judged(frontier(swept, terms, cuts), asked, most_bet, coups_per_hour, team)
    change = cheapest(found, cut, float(units_of(in_force)))
    (folder / "figures").mkdir(exist_ok=True)
    write_text(folder / "frontier.csv", found.write_csv())
    for name in bets:
        of_bet = found.filter(found["bet"] == name)
        drawing = plots.limit_panels(of_bet, asked.judges, asked.amount, _UNITS[asked.per])
        write_text(folder / "figures" / f"{name}.svg", plots.svg(drawing))
    data: dict[str, Any] = {
        "game": plan.game.name,
        "plan": plan.to_dict(),
        "plan_digest": plan.digest,
        "bound": str(asked),
        "main_bets": list(terms.main),
        "cheapest": change.to_dicts(),
        "frontier": found.to_dicts(),
    }
    write_text(folder / "limits.json", as_json(data))
    if format == "table":
        put([{name: row[name] for name in _SHORT} for row in change.to_dicts()], None, format)
        print(f"\nThe frontier, its figures and limits.json: {folder}")
        return
    put(found.to_dicts(), data, format)
