"""The commands of chemin de fer: solutions, strategy charts, effects of removal, comparisons of decks, and the bank's
course."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from counting.cli.banque import banque
from counting.cli.counting_gains import gains
from counting.cli.macao import macao
from counting.cli.options import DECKS, SEVERAL, SHOE, Whole, of_model, option_values
from counting.cli.own_cards import own
from counting.errors import InputError
from counting.io.outputs import Output, marked
from counting.io.tables import Format, Rows, prose, put
from counting.requests import numbers_of

if TYPE_CHECKING:
    from counting.cards import Shoe
    from counting.chemin import CheminRules

app = App(
    name="chemin",
    help="Games with decisions: chemin de fer and banque, solved exactly for any shoe; a hand of your own; and macao.",
    help_format="plaintext",
    group_commands="Commands",
)

_MARK = "<!-- counting chemin decks -->"
_MODEL = Parameter(
    help="A letter and a digit, as B3. A: cards are drawn with replacement; B: without. 1: each side sees its total; "
    "2: Banker sees its two cards; 3: both sides see their two cards."
)
_RULES = Parameter(
    help="classical, modern (Banker may choose in two cells), punto-banco (nobody may choose), or the path of a TOML "
    "file with rules or with a game. In a game, hands may choose where the tableau has a *."
)


def _shoe_and_rules(shoe: str | None, decks: int | None, model: str, rules: str) -> tuple[Shoe, CheminRules]:
    from counting.chemin import load_rules

    return of_model(shoe, decks, model), load_rules(rules)


def _figure(path: Path, rules: str) -> Output:
    if path.suffix != ".svg":
        raise InputError(f"--figure {path}: should be a new file ending in .svg")
    return Output(path, marked("a figure of counting chemin decks", _MARK), "--figure", [rules])


def _without(rows: Rows, *columns: str) -> Rows:
    """The rows without these columns."""
    return [{name: value for name, value in row.items() if name not in columns} for row in rows]


@app.command
def solve(
    *,
    shoe: Annotated[str | None, SHOE] = None,
    decks: Annotated[Whole | None, DECKS] = None,
    model: Annotated[str, _MODEL] = "B3",
    rules: Annotated[str, _RULES] = "classical",
    commission: str | None = None,
    format: Format = "table",
) -> None:
    """The value of a shoe to Player, and both sides' optimal strategies: as fractions, with bounds that prove them.

    Example: counting chemin solve --decks 6

    Example: counting chemin solve --shoe 6d-8-8-9 --model B2 --commission 5%

    Parameters
    ----------
    commission
        The commission on Banker's wins, as 0.05. With it, the equilibria are printed, with the profits of Player,
        Banker and the house.
    format
        table, json or csv; csv has a row for each cell with a decision or, with --commission, for each equilibrium.
    """
    from counting.chemin import solve as run
    from counting.chemin import under_commission
    from counting.reports.chemin import (
        banker_cell,
        commission_data,
        commission_sentences,
        heading,
        player_cell,
        sentences,
        setting,
        solution_data,
    )

    unseen, allowed = _shoe_and_rules(shoe, decks, model, rules)
    if commission is not None:
        charged = under_commission(unseen, model, allowed, commission)
        if format == "table":
            print(prose(*commission_sentences(charged, commission, heading(unseen, model, allowed))))
            return
        rows = commission_data(charged)
        data = {**setting(unseen, model, allowed), "commission": commission, "complete": charged.equilibria is not None}
        put(
            _without(rows, "player_draws", "extreme_draws", "replies", "extreme_replies"),
            {**data, "equilibria": rows},
            format,
        )
        return
    solution = run(unseen, model, allowed)
    if format == "table":
        print(prose(*sentences(solution)))
        return
    rows = [
        *({"side": "player", "cell": player_cell(c), "draws": str(p)} for c, p in solution.player.items()),
        *({"side": "banker", "cell": banker_cell(c), "draws": str(p)} for c, p in solution.banker.items()),
    ]
    put(rows, solution_data(solution) if format == "json" else None, format, ("side", "cell", "draws"))


@app.command
def table(
    *,
    shoe: Annotated[str | None, SHOE] = None,
    decks: Annotated[Whole | None, DECKS] = None,
    model: Annotated[str, _MODEL] = "B3",
    rules: Annotated[str, _RULES] = "classical",
    undecided: Annotated[bool, Parameter(negative="")] = False,
    format: Format = "table",
) -> None:
    """Banker's strategy as a chart: a row for each hand of Banker's, a column for each third card of Player's.

    D draws, S stands, * mixes, . cannot occur. Hands of the same total share a row if they are played alike.

    Example: counting chemin table --decks 6

    Example: counting chemin table --decks 6 --undecided

    Parameters
    ----------
    undecided
        Show the chart before the game is solved. * marks a cell in which the best move depends on what Player does.
    format
        table, json or csv.
    """
    from counting.chemin import solve as run
    from counting.reports.chemin import folded_rows, heading, setting, strategy_rows
    from counting.reports.terminal import rows_table

    unseen, allowed = _shoe_and_rules(shoe, decks, model, rules)
    rows = strategy_rows(run(unseen, model, allowed), undecided)
    if format == "table":
        what = "cells before solving" if undecided else "strategy"
        print(prose(f"{heading(unseen, model, allowed)}: Banker's {what}, by what Player drew.\n"))
        print(rows_table(folded_rows(rows)), end="")
        print("\nD draws, S stands, * " + ("is undecided" if undecided else "mixes") + ", . cannot occur.")
        return
    put(rows, {**setting(unseen, model, allowed), "rows": rows}, format)


@app.command
def bank(
    *,
    shoe: Annotated[str | None, SHOE] = None,
    decks: Annotated[Whole | None, DECKS] = None,
    model: Annotated[str, _MODEL] = "B3",
    rules: Annotated[str, _RULES] = "classical",
    commission: str = "0.05",
    wins: Whole = 10,
    format: Format = "table",
) -> None:
    """The bank's course: how often the bank wins n coups before it is lost, and how large the bank is after these wins,
    if Players cover all of it each time.

    Example: counting chemin bank --decks 6 --commission 0.05

    Example: counting chemin bank --decks 6 --wins 20

    Parameters
    ----------
    commission
        The commission on Banker's wins.
    wins
        The largest number of wins to list.
    format
        table, json or csv.
    """
    from counting.chemin import BankCourse
    from counting.chemin import solve as run
    from counting.reports.chemin import course_rows, heading, setting
    from counting.reports.chemin.headings import BANK, SHARES
    from counting.reports.terminal import put_table

    unseen, allowed = _shoe_and_rules(shoe, decks, model, rules)
    course = BankCourse.of(run(unseen, model, allowed), commission)
    rows = course_rows(course, wins)
    data = {**setting(unseen, model, allowed), "commission": commission}
    if format == "table":
        head = f"{heading(unseen, model, allowed)}. The commission on Banker's wins is {commission}."
        play = "Both sides play as they would without it."
        what = "The table counts wins in a row before the bank is lost. Ties do not count."
        print(prose(f"{head} {play}", f"{what} The bank begins at 1, and the profit is in % of this amount.\n"))
    put_table(rows, {**data, "mean_coups": str(course.mean_coups), "wins": rows}, format, BANK, SHARES)
    if format == "table":
        print(
            prose(f"\nA bank lasts {float(course.mean_coups):.4f} coups on average, including the coup that ends it.")
        )


@app.command
def removal(
    *,
    shoe: Annotated[str | None, SHOE] = None,
    decks: Annotated[Whole | None, DECKS] = None,
    model: Annotated[str, _MODEL] = "B3",
    rules: Annotated[str, _RULES] = "classical",
    format: Format = "table",
) -> None:
    """Effects of removal (EOR): how taking one card out of the shoe changes the value to Player and both sides'
    strategies.

    Mixes are probabilities of drawing. The column "cells turned" counts the cells in which a side now always draws or
    always stands, but played differently with the full shoe. CSV names these cells; JSON has every changed probability
    as a fraction.

    Example: counting chemin removal --decks 6

    Example: counting chemin removal --decks 6 --model B1 --format csv

    Parameters
    ----------
    format
        table, json or csv.
    """
    from counting.chemin import solve as run
    from counting.reports.chemin import heading, removal_rows, setting
    from counting.reports.chemin.headings import REMOVAL, SHARES
    from counting.reports.terminal import put_table

    unseen, allowed = _shoe_and_rules(shoe, decks, model, rules)
    full = run(unseen, model, allowed)
    rows = removal_rows(full)
    short = _without(rows, *(["changed"] if format == "csv" else ["changed", "otherwise", "exact"]))
    if format == "table":
        print(prose(f"{heading(unseen, model, allowed)}, one card removed.\n"))
    data = {**setting(unseen, model, allowed), "value": str(full.value), "removals": rows}
    put_table(short, data, format, REMOVAL, SHARES)


@app.command
def decks(
    numbers: str = "1:12",
    *,
    model: Annotated[list[str] | None, SEVERAL] = None,
    rules: Annotated[str, _RULES] = "classical",
    figure: Path | None = None,
    format: Format = "table",
) -> None:
    """The value to Player of full shoes with different numbers of decks, and the cells in which each side mixes.

    Example: counting chemin decks 1:12 --model B1 B2 B3 --figure decks.svg

    Example: counting chemin decks 6

    Parameters
    ----------
    numbers
        Numbers of decks: 6, or a range like 1:12 or 2:8:2.
    model
        B1, B2 or B3; one or more, by default B3.
    figure
        An SVG of value and mixes by number of decks: a new file, or an earlier figure of this command to replace.
    format
        table, json or csv; the table leaves out the value as a fraction.
    """
    from counting.chemin import load_rules
    from counting.reports.chemin import deck_rows
    from counting.reports.chemin.headings import DECKS, SHARES
    from counting.reports.terminal import put_table

    counts = numbers_of(numbers, "NUMBERS", "decks", "1:12 or 2:8:2")
    allowed, models = load_rules(rules), tuple(dict.fromkeys(option_values(model, "--model"))) or ("B3",)
    output = None if figure is None else _figure(figure, rules)
    rows = deck_rows(counts, models, allowed)
    if output is not None:
        import polars as pl

        from counting.reports import drawing, plots

        drawn = drawing.svg(plots.by_decks(pl.DataFrame(rows, infer_schema_length=None)))
        output.write(drawn.replace(">", f">{_MARK}", 1).encode())
    if format == "table":
        print(prose(f"{allowed.title}: the value to Player, and where both sides mix.\n"))
    put_table(rows, {"rules": allowed.title, "source": allowed.source, "decks": rows}, format, DECKS, SHARES)


for verb in (own, banque, macao, gains):
    app.command(verb)
