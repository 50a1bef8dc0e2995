"""The verbs of chemin de fer: solved, as tables, by removed cards and by decks, and the bank's course."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from counting.cli.banque import banque
from counting.cli.macao import macao
from counting.cli.options import DECKS, SEVERAL, SHOE, Whole, given, numbers_of, of_model
from counting.cli.own_cards import own
from counting.errors import InputError
from counting.io.tables import Format, Rows, put

if TYPE_CHECKING:
    from counting.cards import Shoe
    from counting.chemin import Rules

app = App(
    name="chemin",
    help="The games with choices: chemin de fer and banque solved exactly for any shoe, own cards, and macao.",
    help_format="plaintext",
)

_MODEL = Parameter(
    help="A: with replacement, B: without; 1: each side sees its total, 2: Banker his two cards, 3: both sides theirs."
)
_RULES = Parameter(
    help="classical, modern (Banker free in two cells), punto-banco (nobody is free), or the path of a TOML file."
)


def _asked(shoe: str | None, decks: int | None, model: str, rules: str) -> tuple[Shoe, Rules]:
    from counting.chemin import load_rules

    return of_model(shoe, decks, model), load_rules(rules)


def _may_be_written(figure: Path) -> bool:
    """Whether there is no such file in a folder that there is, or one that is an SVG already."""
    if not figure.exists():
        return figure.parent.is_dir()
    return figure.is_file() and figure.read_bytes()[:4] == b"<svg"


def _without(rows: Rows, *aside: str) -> Rows:
    """The rows with some columns left out."""
    return [{name: value for name, value in row.items() if name not in aside} for row in rows]


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
    """The value of a shoe to Player and both sides' optimal play, as fractions, with bounds that prove it.

    Example: counting chemin solve --decks 6

    Parameters
    ----------
    commission
        On Banker's wins, as 0.05: then the equilibria, of models A1, A2, B1 and B2.
    format
        table, json or csv; csv has a row a cell with a choice.
    """
    from counting.chemin import (
        as_data,
        banker_cell,
        equilibria,
        equilibria_sentences,
        equilibrium_data,
        heading,
        player_cell,
        sentences,
        setting,
    )
    from counting.chemin import solve as run

    unseen, allowed = _asked(shoe, decks, model, rules)
    if commission is not None:
        found = equilibria(unseen, model, allowed, commission)
        rows = [equilibrium_data(one) for one in found]
        if format == "table":
            print(*equilibria_sentences(found, commission, heading(unseen, model, allowed)), sep="\n")
            return
        data = {**setting(unseen, model, allowed), "commission": commission}
        put(_without(rows, "replies", "extreme_replies"), {**data, "equilibria": rows}, format)
        return
    solution = run(unseen, model, allowed)
    if format == "table":
        print(*sentences(solution), sep="\n")
        return
    rows = [
        *({"side": "player", "cell": player_cell(c), "draws": str(p)} for c, p in solution.player.items()),
        *({"side": "banker", "cell": banker_cell(c), "draws": str(p)} for c, p in solution.banker.items()),
    ]
    put(rows, as_data(solution) if format == "json" else None, format, ("side", "cell", "draws"))


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
    """Banker's strategy as it is printed: a row for each of his hands, a column for each third card of Player's.

    D draws, S stands, * mixes, . cannot come to be. Hands of a total that play alike share a row.

    Example: counting chemin table --decks 6

    Parameters
    ----------
    undecided
        Before it is solved: * where neither move is as good as the other whatever Player does.
    format
        table, json or csv.
    """
    from counting.chemin import folded, heading, setting, strategy_rows
    from counting.chemin import solve as run

    unseen, allowed = _asked(shoe, decks, model, rules)
    rows = strategy_rows(run(unseen, model, allowed), undecided)
    if format == "table":
        what = "cells before solving" if undecided else "strategy"
        print(f"{heading(unseen, model, allowed)}: Banker's {what}, by what Player drew.\n")
        put(folded(rows), {}, format)
        print("\nD draws, S stands, * " + ("is undecided" if undecided else "mixes") + ", . cannot come to be.")
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
    """The bank's course: how often it wins so many coups before it is lost, and what it is then, all of it covered.

    Example: counting chemin bank --decks 6 --commission 0.05

    Parameters
    ----------
    commission
        On Banker's wins.
    wins
        So many wins at most.
    format
        table, json or csv.
    """
    from counting.chemin import BankCourse, course_rows, heading, setting
    from counting.chemin import solve as run

    unseen, allowed = _asked(shoe, decks, model, rules)
    course = BankCourse.of(run(unseen, model, allowed), commission)
    rows = course_rows(course, wins)
    data = {**setting(unseen, model, allowed), "commission": commission}
    if format == "table":
        print(f"{heading(unseen, model, allowed)}, commission {commission} on Banker's wins, both as without it.")
        print("chance: of so many wins, ties aside, before it is lost; bank: what it is then, 1 at first;")
        print("expected_profit: of who passes it on then, in units of the first bank.\n")
    put(rows, {**data, "mean_coups": str(course.mean_coups), "wins": rows}, format)
    if format == "table":
        print(f"\nA bank lasts {float(course.mean_coups):.4f} coups on average, the one that ends it among them.")


@app.command
def removal(
    *,
    shoe: Annotated[str | None, SHOE] = None,
    decks: Annotated[Whole | None, DECKS] = None,
    model: Annotated[str, _MODEL] = "B3",
    rules: Annotated[str, _RULES] = "classical",
    format: Format = "table",
) -> None:
    """Effects of removal: how the value to Player changes when one card of a value is taken out, and both sides' play.

    Mixes are probabilities of drawing; turned, how many other cells are played otherwise than with the card. CSV names
    them, JSON has every changed probability as a fraction.

    Example: counting chemin removal --decks 6 --model B3

    Parameters
    ----------
    format
        table, json or csv.
    """
    from counting.chemin import heading, removal_rows, setting
    from counting.chemin import solve as run

    unseen, allowed = _asked(shoe, decks, model, rules)
    full = run(unseen, model, allowed)
    rows = removal_rows(full)
    short = _without(rows, *(["changed"] if format == "csv" else ["changed", "otherwise", "exact"]))
    if format == "table":
        print(f"{heading(unseen, model, allowed)}, one card taken out.\n")
    put(short, {**setting(unseen, model, allowed), "value": str(full.value), "removals": rows}, format)


@app.command
def decks(
    numbers: str = "1:12",
    *,
    model: Annotated[list[str] | None, SEVERAL] = None,
    rules: Annotated[str, _RULES] = "classical",
    figure: Path | None = None,
    format: Format = "table",
) -> None:
    """Full shoes of one number of decks after another: the value to Player, and where both sides mix.

    Example: counting chemin decks 1:12 --model B1 B2 B3 --figure decks.svg

    Parameters
    ----------
    numbers
        Of decks: 6, or a range as 1:12 or 2:8:2.
    model
        B1, B2 or B3; one or more, by default B3.
    figure
        An SVG of value and mixes against the number of decks: a new file, or an SVG, which it replaces.
    format
        table, json or csv; a terminal's table leaves out the value as a fraction.
    """
    from counting.chemin import deck_rows, load_rules

    asked = numbers_of(numbers, "NUMBERS", "decks", "1:12 or 2:8:2")
    allowed, models = load_rules(rules), tuple(dict.fromkeys(given(model, "--model"))) or ("B3",)
    if figure is not None and (figure.suffix != ".svg" or not _may_be_written(figure)):
        raise InputError(f"--figure {figure}: should be a new file ending in .svg or an SVG, in a folder that is there")
    rows = deck_rows(asked, models, allowed)
    if figure is not None:
        import polars as pl

        from counting.io.folders import write_text
        from counting.reports import plots

        write_text(figure, plots.svg(plots.by_decks(pl.DataFrame(rows, infer_schema_length=None))))
    short = _without(rows, "value", "p_float", "q_float") if format == "table" else rows
    if format == "table":
        print(f"{allowed.title}: where Player mixes he draws with p, Banker with q.\n")
    put(short, {"rules": allowed.title, "source": allowed.source, "decks": rows}, format)


for verb in (own, banque, macao):
    app.command(verb)
