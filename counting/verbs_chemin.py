"""The verbs of the games with choices: chemin de fer, solved and as tables; own cards, banque and macao."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from counting.errors import InputError
from counting.options import SEVERAL, Whole, asked_shoe, bar, given
from counting.output import Format, put

if TYPE_CHECKING:
    from counting.cards import Shoe
    from counting.chemin import Rules

app = App(
    name="chemin",
    help="The games with choices: chemin de fer and banque solved exactly for any shoe, own cards, and macao.",
    help_format="plaintext",
)

_SHOE = Parameter(help="The unseen cards, as 6d-7-7-K or v: and ten counts; by default --decks.")
_DECKS = Parameter(help="Full decks; by default six.")
_MODEL = Parameter(
    help="A: with replacement, B: without; 1: each side sees its total, 2: Banker his two cards, 3: both sides theirs."
)
_RULES = Parameter(
    help="classical, modern (Banker free in two cells), punto-banco (nobody is free), or the path of a TOML file."
)


def _unseen(shoe: str | None, decks: int | None, model: str) -> Shoe:
    from counting.chemin import MODELS

    if model in MODELS and MODELS[model].with_replacement:
        for option, value in (("--shoe", shoe), ("--decks", decks)):
            if value is not None:
                raise InputError(f"{option} {value}: should be left out, model {model} draws with replacement")
    return asked_shoe(shoe, decks, 6)


def _asked(shoe: str | None, decks: int | None, model: str, rules: str) -> tuple[Shoe, Rules]:
    from counting.chemin import load_rules

    return _unseen(shoe, decks, model), load_rules(rules)


@app.command
def solve(
    *,
    shoe: Annotated[str | None, _SHOE] = None,
    decks: Annotated[Whole | None, _DECKS] = None,
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
    from counting.chemin import equilibria
    from counting.chemin import solve as run
    from counting.chemin.commission_words import equilibrium_data, told
    from counting.chemin.words import as_data, banker_cell, heading, player_cell, sentences, setting

    unseen, allowed = _asked(shoe, decks, model, rules)
    if commission is not None:
        found = equilibria(unseen, model, allowed, commission)
        rows = [equilibrium_data(one) for one in found]
        if format == "table":
            print(*told(found, commission, heading(unseen, model, allowed)), sep="\n")
            return
        data = {**setting(unseen, model, allowed), "commission": commission}
        short = [
            {name: value for name, value in row.items() if name not in ("replies", "extreme_replies")} for row in rows
        ]
        put(short, {**data, "equilibria": rows}, format)
        return
    solution = run(unseen, model, allowed)
    if format == "table":
        print(*sentences(solution), sep="\n")
        return
    rows = [
        *({"side": "player", "cell": player_cell(c), "draws": str(p)} for c, p in solution.player.items()),
        *({"side": "banker", "cell": banker_cell(c), "draws": str(p)} for c, p in solution.banker.items()),
    ]
    put(rows, as_data(solution), format, ("side", "cell", "draws"))


@app.command
def table(
    *,
    shoe: Annotated[str | None, _SHOE] = None,
    decks: Annotated[Whole | None, _DECKS] = None,
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
    from counting.chemin import solve as run
    from counting.chemin.words import folded, heading, setting, strategy_rows

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
    shoe: Annotated[str | None, _SHOE] = None,
    decks: Annotated[Whole | None, _DECKS] = None,
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
    from counting.chemin import Course
    from counting.chemin import solve as run
    from counting.chemin.words import course_rows, heading, setting

    unseen, allowed = _asked(shoe, decks, model, rules)
    course = Course.of(run(unseen, model, allowed), commission)
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
def own(
    game: str = "louisiana",
    *,
    shoe: Annotated[str | None, _SHOE] = None,
    decks: Annotated[Whole | None, Parameter(help="Full decks; by default the game's.")] = None,
    sees: str = "hand",
    format: Format = "table",
) -> None:
    """Own cards: a bettor on Player who plays a hand of his own against a bank that draws by the game's tableau.

    Example: counting chemin own louisiana --decks 8

    Parameters
    ----------
    game
        A game's name or the path of a TOML file.
    sees
        What he goes by: hand, its two cards, or total.
    format
        table, json or csv.
    """
    from counting.chemin import own_cards
    from counting.chemin.words import own_data, own_rows, own_sentence, own_table
    from counting.rules import load_game

    loaded = load_game(game)
    found = own_cards(loaded, asked_shoe(shoe, decks, loaded.decks), sees)
    if format == "table":
        print(own_sentence(loaded, found), end="\n\n")
    put(own_table(found) if format == "table" else own_rows(found), own_data(loaded, found, sees), format)


@app.command
def banque(
    *,
    theta: Annotated[list[str] | None, SEVERAL] = None,
    shoe: Annotated[str | None, _SHOE] = None,
    decks: Annotated[Whole | None, _DECKS] = None,
    model: Annotated[str, Parameter(help="A1, A2, B1 or B2, as for solve; the Players see their totals.")] = "B2",
    leaves_third: Annotated[bool, Parameter(negative="")] = False,
    cells: Annotated[bool, Parameter(negative="")] = False,
    format: Format = "table",
) -> None:
    """Baccara banque: two Players, who play together, against one Banker; its value and all play, by their stakes.

    Example: counting chemin banque --decks 6 --theta 0 1/4 1/2 3/4 1

    Parameters
    ----------
    theta
        The first Player's part of the stakes, from 0 to 1, as 1/3 or 0.25; one or more, by default 1/2.
    leaves_third
        The second Player leaves the first's third card aside.
    cells
        Banker's strategy: D draws, S stands, * mixes, . cannot come to be; for one theta.
    format
        table, json or csv; csv has a row for each probability of all play.
    """
    from counting.chemin import banque as run
    from counting.chemin.banque_words import (
        banque_cells,
        banque_data,
        banque_heading,
        banque_rows,
        banque_sentences,
        play_rows,
        together,
        two_cell,
    )
    from counting.chemin.words import mixed, named

    unseen = _unseen(shoe, decks, model)
    thetas = given(theta, "--theta") or ["1/2"]
    if cells and len(thetas) != 1:
        raise InputError(f"--cells: {len(thetas)} thetas given, should be one")
    found = [run(unseen, part, model, uses_third=not leaves_third) for part in thetas]
    data = {"shoe": None if model.startswith("A") else str(unseen), "model": model, "uses_third": not leaves_third}
    if cells:
        rows, one = banque_cells(found[0]), found[0]
        mixes = named(mixed(one.banker), two_cell)
        if format == "table":
            print(f"{banque_heading(one)}, {one.theta} of the stakes on the first Player. {together(one)}")
            print("Banker's strategy while no hand is a natural: by what the first Player drew, and the second.\n")
        put(rows, {**data, "theta": str(one.theta), "value": str(one.value), "rows": rows, "mixed": mixes}, format)
    elif format == "table" and len(found) == 1:
        print(*banque_sentences(found[0]), sep="\n")
    elif format == "csv":
        put([row for one in found for row in play_rows(one)], {}, format)
    else:
        if format == "table":
            print(f"{banque_heading(found[0])}. {together(found[0])}")
            print("theta: of the stakes on the first; value: to both, per unit staked; first, second: on each hand,")
            print("per unit staked on it; draws: on five; alike: both or neither; banker_mixes: in so many cells.\n")
        put(banque_rows(found), {**data, "thetas": list(map(banque_data, found))}, format)


@app.command
def macao(
    game: str = "macao",
    *,
    shoe: Annotated[str | None, _SHOE] = None,
    decks: Annotated[Whole | None, Parameter(help="Full decks; by default the game's.")] = None,
    chart: Annotated[list[str] | None, SEVERAL] = None,
    keep_tens: Annotated[bool, Parameter(negative="")] = False,
    simulate: Whole | None = None,
    seed: Whole | None = None,
    format: Format = "table",
) -> None:
    """Macao and Victoria: what a punter wins against Banker's fixed rule, exactly, and how he plays best.

    In the table of his play D draws, S stands, R rejects a ten or face, K keeps it, * goes by the cards of the hand.

    Example: counting chemin macao victoria --simulate 100000

    Parameters
    ----------
    game
        macao, early-macao, victoria, or the path of a TOML file.
    chart
        A punter who goes by his total instead: ten letters D or S for each number of cards drawn so far.
    keep_tens
        He of the chart keeps tens and faces.
    simulate
        Deal so many coups too, and set them beside the exact law.
    seed
        Of the coups that are dealt, 1 by default; a block's depend on it and the block's number alone.
    format
        table, json or csv; csv has a row a state of the best reply, or with a chart or coups, a row an amount won.
    """
    from counting.chemin.macao import MOST_DECKS, Chart, load_macao
    from counting.chemin.macao_words import LEGEND, changes, headline, law_rows, macao_data, reply_rows, state_rows
    from counting.chemin.played import simulate as deal
    from counting.chemin.punter import best_reply, odds

    rules = load_macao(game)
    unseen = asked_shoe(shoe, decks, rules.decks, MOST_DECKS)
    if keep_tens and chart is None:
        raise InputError("--keep-tens: needs --chart, the best reply keeps what is worth keeping")
    if seed is not None and simulate is None:
        raise InputError(f"--seed {seed}: needs --simulate, nothing is dealt without it")
    reply = best_reply(unseen, rules) if chart is None else None
    punter = reply or Chart(tuple(given(chart, "--chart")), not keep_tens)
    found = odds(unseen, rules, punter) if isinstance(punter, Chart) else punter.odds
    played = None
    if simulate is not None:
        with bar("dealing", "blocks of coups") as progress:
            played = deal(unseen, rules, punter, simulate, 1 if seed is None else seed, progress)
    rows = law_rows(found, played, exact=format == "csv")
    data = macao_data(rules, unseen, found, played)
    if isinstance(punter, Chart):
        data["played_chart"] = {"rows": punter.rows, "rejects": punter.rejects}
    if reply:
        data["chart"], data["states"] = reply_rows(reply), state_rows(reply)
    if format != "table":
        put(state_rows(reply) if reply and not played else rows, data, format)
        return
    who = "a punter who plays his best" if reply else "a punter by the chart"
    print(*headline(rules, unseen, found, who), sep="\n", end="\n\n")
    put(rows, data, format)
    if played:
        print(f"\n{played.coups:,} coups dealt: mean {played.mean:.6g}, standard error {played.mean_se:.2g}.")
    if reply:
        print()
        put(reply_rows(reply), data, format)
        print(LEGEND, *changes(reply), sep="\n")


@app.command
def removal(
    *,
    shoe: Annotated[str | None, _SHOE] = None,
    decks: Annotated[Whole | None, _DECKS] = None,
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
    from counting.chemin.words import heading, removal_rows, setting

    unseen, allowed = _asked(shoe, decks, model, rules)
    rows = removal_rows(unseen, model, allowed)
    aside = {"changed"} if format == "csv" else {"changed", "otherwise", "exact"}
    short = [{name: value for name, value in row.items() if name not in aside} for row in rows]
    if format == "table":
        print(f"{heading(unseen, model, allowed)}, one card taken out.\n")
    put(short, {**setting(unseen, model, allowed), "removals": rows}, format)
