"""The command of macao and Victoria."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from counting.cli.asked import Terminal
from counting.cli.options import SEVERAL, SHOE, Whole, option_values
from counting.errors import InputError
from counting.io.tables import Format, prose, put
from counting.requests import asked_shoe


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
    """Macao and Victoria: what a punter wins against Banker's fixed rule, exactly, and the punter's best play.

    In the table of the punter's play, D draws, S stands, R rejects a ten or face, and K keeps it. With *, the play
    depends on the cards of the hand.

    Example: counting chemin macao

    Example: counting chemin macao victoria --simulate 100000

    Parameters
    ----------
    game
        macao, early-macao, victoria, or the path of a TOML file.
    chart
        Let the punter play by this chart of totals, not the best play. A chart has ten letters, D (draw) or S (stand),
        for totals 0 to 9; give one chart for each number of cards drawn so far.
    keep_tens
        With --chart, the punter keeps tens and faces.
    simulate
        Deal this number of coups too, and compare them with the exact distribution.
    seed
        The seed of the dealt coups, a whole number; by default 1. The same seed deals the same coups again.
    format
        table, json or csv. csv has a row for each state of the best reply; with --chart or --simulate, a row for each
        amount won.
    """
    from counting.chemin.macao import MOST_DECKS, Chart, best_reply, load_macao, odds
    from counting.chemin.macao import simulate as deal
    from counting.reports.chemin import LEGEND, changes, distribution_rows, headline, macao_data, reply_rows, state_rows
    from counting.reports.chemin.headings import DISTRIBUTION
    from counting.reports.terminal import put_table, rows_table

    rules = load_macao(game)
    unseen = asked_shoe(shoe, decks, rules.decks, MOST_DECKS)
    if keep_tens and chart is None:
        raise InputError("--keep-tens: needs --chart; the best reply keeps tens and faces where that is best")
    if seed is not None and simulate is None:
        raise InputError(f"--seed {seed}: needs --simulate; nothing is dealt without it")
    reply = best_reply(unseen, rules) if chart is None else None
    punter = reply or Chart(tuple(option_values(chart, "--chart")), not keep_tens)
    exact = odds(unseen, rules, punter) if isinstance(punter, Chart) else punter.odds
    played = None
    if simulate is not None:
        with Terminal().stage("Dealing", "blocks of coups") as progress:
            played = deal(unseen, rules, punter, simulate, 1 if seed is None else seed, progress)
    rows = distribution_rows(exact, played, exact=format == "csv")
    data = macao_data(rules, unseen, exact, played)
    if isinstance(punter, Chart):
        data["played_chart"] = {"rows": punter.rows, "rejects": punter.rejects}
    if reply:
        data["chart"], data["states"] = reply_rows(reply), state_rows(reply)
    if format != "table":
        put(state_rows(reply) if reply and not played else rows, data, format)
        return
    punter_words = "the punter's best play" if reply else "the punter's play by the chart"
    print(prose(*headline(rules, unseen, exact, punter_words)), end="\n\n")
    put_table(rows, data, format, DISTRIBUTION)
    if played:
        error = f"with a standard error of {played.mean_se:.2g}"
        print(f"\nIn {played.coups:,} coups dealt, the mean win is {played.mean:.6g}, {error}.")
    if reply:
        print()
        print(rows_table(reply_rows(reply)), end="")
        print(prose(LEGEND, *changes(reply)))
