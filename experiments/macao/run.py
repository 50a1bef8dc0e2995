"""Macao and Victoria: what a punter wins with best play, what each doubtful point of the rules is worth, and which
drawing rule is best for Banker.

All games have two decks. In each shipped game, one key of the rules is changed at a time, and some keys are changed
together. This is done with Banker's shipped drawing rule, and with the best of 25 rules. For the shipped games the
value is also computed for each of Banker's rules of one form: Banker draws the first card up to one total, and further
cards up to another. A million coups of each game are dealt. Writes `macao.csv` with the values, and the tables of
`notes.md`. This takes about two minutes.

    python -m experiments.macao.run
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from counting.chemin.macao import Macao, best_reply, load_macao, odds, simulate
from counting.reports.chemin import distribution_rows, reply_rows
from counting.reports.chemin.macao import as_chart
from experiments._notes import put, put_frame

HERE = Path(__file__).parent
PAGE, SHIPPED = HERE / "notes.md", "as shipped"
GAMES = {name: load_macao(name) for name in ("macao", "early-macao", "victoria")}
COUPS, SEED = 1_000_000, 21


def drawing_to(*ups: int) -> list[str]:
    """Rows of a chart, one for each of `ups`: draw on this total or less, and stand on more."""
    return ["D" * (up + 1) + "S" * (9 - up) for up in ups]


def variants(rules: Macao) -> list[tuple[str, Macao]]:
    """The rules with one key changed or, in some cases, two or three. Changes that the other keys do not allow are left
    out."""
    first, second = rules.banker
    changes: list[tuple[str, dict[str, Any]]] = [
        ('rejects = "nobody"', {"rejects": "nobody"}),
        ('rejects = "both"', {"rejects": "both"}),
        ("most_drawn = 1", {"most_drawn": 1, "banker": [first]}),
        ("most_drawn = 3", {"most_drawn": 3, "banker": [first, second, second]}),
        ("naturals_shown = false", {"naturals_shown": False}),
        ('equal = "push"', {"equal": "push"}),
        ('equal = "banker"', {"equal": "banker"}),
        ("pays_nine = 2", {"pays_nine": 2}),
        ("pays_nine = 2, pays_eight = 1", {"pays_nine": 2, "pays_eight": 1}),
        ("banker_nine_takes = 3, banker_eight_takes = 2", {"banker_nine_takes": 3, "banker_eight_takes": 2}),
        (
            'rejects = "both", pays_nine = 2, pays_eight = 1',
            {"rejects": "both", "pays_nine": 2, "pays_eight": 1},
        ),
        (
            'rejects = "nobody", pays_nine = 2, pays_eight = 1',
            {"rejects": "nobody", "pays_nine": 2, "pays_eight": 1},
        ),
        (
            'rejects = "both", banker_nine_takes = 3, banker_eight_takes = 2',
            {"rejects": "both", "banker_nine_takes": 3, "banker_eight_takes": 2},
        ),
    ]
    if rules.cards == 2:
        changes.append(("pays_pair = 2", {"pays_pair": 2}))
    elif rules.over_nine == "bust":
        changes.append(('both_bust = "push"', {"both_bust": "push"}))
        changes.append(('over_nine = "modulo"', {"over_nine": "modulo", "both_bust": None}))
    else:
        changes.append(('over_nine = "bust"', {"over_nine": "bust"}))
    return [(name, other) for name, change in changes if (other := rules.varied(**change)) != rules]


def option_values(game: str, rules: Macao) -> list[dict[str, Any]]:
    every = [(SHIPPED, rules), *variants(rules)]
    return [valued(game, "option", change, other) for change, other in every] + [
        valued(game, "best", change, best_for_banker(other)) for change, other in every
    ]


def best_for_banker(rules: Macao) -> Macao:
    """The rules with Banker's best drawing rule. It is the best of 25: the first card is drawn up to a total of 3 to 7,
    and further cards up to a total of 3 to 7. If only one card may be drawn, it is the best of five."""
    tried = [
        rules.varied(banker=drawing_to(up, *[then] * (rules.most_drawn - 1)))
        for up in range(3, 8)
        for then in (range(3, 8) if rules.most_drawn > 1 else [0])
    ]
    return min(tried, key=lambda one: best_reply(one.shoe, one).value)


def banker_values(game: str, rules: Macao) -> list[dict[str, Any]]:
    """The values for every pair of totals up to which Banker draws the first card and further cards; -1 means never.
    Banker stands on a first 8, which is shown."""
    pairs = [(up, then) for up in range(-1, 8) for then in range(-1, 10)]
    return [valued(game, "banker", f"{up}, {then}", rules.varied(banker=drawing_to(up, then))) for up, then in pairs]


def valued(game: str, what: str, change: str, rules: Macao) -> dict[str, Any]:
    value = best_reply(rules.shoe, rules).value
    draws_to = ", ".join(str(row.count("D") - 1) for row in rules.banker)
    return {
        "game": game,
        "what": what,
        "change": change,
        "banker": draws_to,
        "value": float(value),
        "exact": str(value),
    }


def put_options(frame: pl.DataFrame) -> None:
    """Put a table with a row for each change and a column for each game. A cell has the value, and its difference from
    the value of the shipped rules."""
    values = {(game, change): value for game, change, value in frame.select("game", "change", "value").iter_rows()}
    rows = []
    for change in dict.fromkeys(frame["change"]):
        cells = []
        for game in GAMES:
            value = values.get((game, change))
            off = "" if value is None or change == SHIPPED else f" ({value - values[game, SHIPPED]:+.5f})"
            cells.append("" if value is None else f"{value:.5f}{off}")
        rows.append([change if change == SHIPPED else f"`{change}`", *cells])
    put(PAGE, ["change", *GAMES], rows, "options")


def put_best(frame: pl.DataFrame) -> None:
    """Put a table like that of `put_options`, but for Banker's best drawing rule. The totals up to which Banker draws
    are in brackets."""
    rows = []
    for change in dict.fromkeys(frame["change"]):
        at = {row["game"]: row for row in frame.filter(pl.col("change") == change).to_dicts()}
        cells = [f"{at[game]['value']:.5f} ({at[game]['banker']})" if game in at else "" for game in GAMES]
        rows.append([change if change == SHIPPED else f"`{change}`", *cells])
    put(PAGE, ["change", *GAMES], rows, "best")


def put_banker(game: str, frame: pl.DataFrame) -> None:
    """Put a table of values. The rows are the totals up to which Banker draws the first card, and the columns the
    totals up to which Banker draws further cards. The smallest value is bold."""
    values = dict(frame.select("change", "value").iter_rows())
    least = min(values.values())

    def cell(up: int, then: int) -> str:
        value = values[f"{up}, {then}"]
        return f"**{value:.5f}**" if value == least else f"{value:.5f}"

    ups, thens = range(3, 8), range(3, 9)
    heads = ["draws to, at first", *(f"then to {then}" for then in thens)]
    put(PAGE, heads, [[str(up), *(cell(up, then) for then in thens)] for up in ups], game)


def main() -> None:
    values, laws, plays, charts = [], [], [], []
    for game, rules in GAMES.items():
        reply = best_reply(rules.shoe, rules)
        played = simulate(rules.shoe, rules, reply, COUPS, SEED)
        laws += [{"game": game, **row} for row in distribution_rows(reply.odds, played)]
        plays += [{"game": game, **row} for row in reply_rows(reply)]
        chart = as_chart(reply)
        charts.append(
            {
                "game": game, "value": float(reply.value), "deviation": reply.odds.deviation, "mean": played.mean,
                "mean_se": played.mean_se, "z": (played.mean - float(reply.value)) / played.mean_se,
                "chart": ", ".join(chart.rows),
                "lost": float(reply.value - odds(rules.shoe, rules, chart).value),
            }
        )  # fmt: skip
        values += option_values(game, rules) + banker_values(game, rules)
    frame = pl.DataFrame(values)
    frame.write_csv(HERE / "macao.csv")
    worth = {"game": "{game}", "value": "{value:.8f}", "standard deviation of a coup": "{deviation:.4f}"}
    worth |= {"mean of the coups dealt": "{mean:.5f} ± {mean_se:.5f}", "z": "{z:+.2f}"}
    put_frame(PAGE, worth, pl.DataFrame(charts), "worth")
    law = {"game": "{game}", "won": "{won}", "probability": "{probability:.8f}", "coups dealt": "{coups:,}"}
    put_frame(PAGE, {**law, "z": "{z:+.2f}"}, pl.DataFrame(laws), "law")
    put(PAGE, list(plays[0]), [list(map(str, row.values())) for row in plays], "plays")
    put_frame(PAGE, {"game": "{game}", "chart": "{chart}", "loses": "{lost:.1e}"}, pl.DataFrame(charts), "charts")
    put_options(frame.filter(pl.col("what") == "option"))
    put_best(frame.filter(pl.col("what") == "best"))
    for game in GAMES:
        put_banker(game, frame.filter(pl.col("what") == "banker", pl.col("game") == game))


if __name__ == "__main__":
    main()
