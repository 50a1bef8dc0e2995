"""The verbs of the other games with choices: own cards, banque and macao; commands beside those of chemin de fer."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from counting.cli.chemin import DECKS, SHOE, app, of_model
from counting.cli.options import SEVERAL, Whole, asked_shoe, bar, given
from counting.errors import InputError
from counting.io.tables import Format, put


def own(
    game: str = "louisiana",
    *,
    shoe: Annotated[str | None, SHOE] = None,
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
    from counting.chemin import own_cards, own_data, own_rows, own_sentence, own_table, the_tables_hand
    from counting.games import load_game

    loaded = load_game(game)
    found = own_cards(loaded, asked_shoe(shoe, decks, loaded.decks), sees)
    tables = the_tables_hand(loaded, found.game.shoe)
    if format == "table":
        print(own_sentence(loaded, found, tables), end="\n\n")
        put(own_table(found), None, format)
        return
    put(own_rows(found), own_data(found, sees, tables) if format == "json" else None, format, ("cell", "plays"))


def banque(
    *,
    theta: Annotated[list[str] | None, SEVERAL] = None,
    shoe: Annotated[str | None, SHOE] = None,
    decks: Annotated[Whole | None, DECKS] = None,
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
    from counting.chemin import known, mixed, named
    from counting.chemin.banque import banque as run
    from counting.chemin.banque import (
        banque_cells,
        banque_data,
        banque_heading,
        banque_rows,
        banque_sentences,
        play_rows,
        together,
        two_cell,
    )

    unseen = of_model(shoe, decks, model)
    thetas = given(theta, "--theta") or ["1/2"]
    if cells and len(thetas) != 1:
        raise InputError(f"--cells: {len(thetas)} thetas given, should be one")
    found = [run(unseen, part, model, uses_third=not leaves_third) for part in thetas]
    data = {"shoe": known(unseen, model), "model": model, "uses_third": not leaves_third}
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


def macao(
    game: str = "macao",
    *,
    shoe: Annotated[str | None, SHOE] = None,
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
    from counting.chemin.macao import (
        LEGEND,
        MOST_DECKS,
        Chart,
        best_reply,
        changes,
        headline,
        law_rows,
        load_macao,
        macao_data,
        odds,
        reply_rows,
        state_rows,
    )
    from counting.chemin.macao import simulate as deal

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


for verb in (own, banque, macao):
    app.command(verb)
