"""The commands that play a sweep, and read a finished sweep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from counting.cli.asked import Handed, Terminal, asked, print_answer
from counting.cli.options import BETS, Cuts, GameName, Whole, option_values, say
from counting.errors import InputError, whole
from counting.io.tables import Format, put
from counting.requests import GameLike, PlayedArguments, ScoreRequest, choices_taken, play, widen

# The columns of tables on a terminal. JSON and CSV have all columns.
_SHORT = {
    "bets": ("bet", "cut", "coups_per_shoe", "coups_per_shoe_se", "positive_share", "positive_share_se",
             "mean_positive_edge", "mean_positive_edge_se", "units_per_shoe", "units_per_shoe_se",
             "units_per_100_coups", "units_per_100_coups_se"),
    "penetration": ("system", "trigger", "bet", "cut", "penetration", "coups_per_shoe", "bets_per_shoe", "mean_edge",
                    "mean_edge_se", "units_per_shoe", "units_per_shoe_se"),
    "systems": ("system", "trigger", "bet", "cut", "bets_per_shoe", "mean_edge", "mean_edge_se", "units_per_shoe",
                "units_per_shoe_se", "captured_share", "captured_share_se", "truly_positive_share",
                "truly_positive_share_se"),
}  # fmt: skip
By = Literal["bets", "systems", "penetration", "cards-left", "dealing"]


def _summary(folder: Path, by: By, format: Format, cuts: Sequence[int] = (), game: str | None = None) -> None:
    from counting.analysis import by_penetration, remarks, widest
    from counting.analysis import summary as s
    from counting.cards import Shoe
    from counting.exact import probabilities
    from counting.games import load_game
    from counting.sweep import open_sweep

    sweep = open_sweep(folder)
    plan = sweep.plan
    dealing = plan.dealing
    priced = load_game(game) if game is not None else plan.game
    if by == "penetration" and game is not None:
        raise InputError(f"--game {game}: should be left out; for another game, give --by bets and --cut")
    again = by != "penetration" and (bool(cuts) or game is not None)
    sweep = widest(sweep, rows=again)
    plan = sweep.plan
    say(*choices_taken(priced))
    ledger, depth, dealt = sweep.retally(priced, cuts=cuts) if again else sweep.tallies
    tables = {
        "bets": lambda: s.by_bet(ledger),
        "systems": lambda: s.by_system(ledger),
        "penetration": lambda: by_penetration(sweep, cuts or (dealing.usual_cuts if format == "table" else ())).lazy(),
        "cards-left": lambda: s.by_cards_left(depth, ledger),
        "dealing": lambda: s.dealing_table(
            dealt, probabilities(priced, Shoe.decks(dealing.decks)), dealing.certain_coups
        ),
    }
    chosen = tables[by]().collect().to_dicts()
    shown = _SHORT.get(by) if format == "table" else None
    if by == "penetration" and shown:
        own = {(system.name, system.on(bet), bet) for system in plan.systems for bet in system.bets or plan.bets}
        chosen = [row for row in chosen if row["trigger"] is None or (row["system"], row["trigger"], row["bet"]) in own]
    if shown:
        chosen = [{name: row[name] for name in shown} for row in chosen]
    data: dict[str, Any] = {"game": priced.name, "plan_digest": plan.digest, "decks": dealing.decks}
    data |= {
        "burn": dealing.burn,
        "after_cut": list(dealing.after_cut),
        "shoes": plan.shoes,
        "seed": plan.seed,
    }
    data[by.replace("-", "_")] = chosen
    if by == "bets" and plan.systems:
        data["systems"] = tables["systems"]().collect().to_dicts()
    if format == "table":
        from counting.reports.terminal import rows_table

        print(rows_table(chosen), end="")
    else:
        put(chosen, data, format)
    if by in ("bets", "systems") and not again:
        say(*remarks(sweep))


@dataclass(frozen=True, kw_only=True)
class SweepArguments(PlayedArguments):
    """Play shoes, price every bet exactly at every coup, keep the results as Parquet, and print a summary.

    If the sweep is stopped at any moment, the same command resumes it.

    Example: counting sweep louisiana --cut 14 --after-cut 1,0 --shoes 100000 --seed 1 --out louisiana-sweep

    Example: counting sweep ez-baccarat --bet dragon-7 --dealing jacobson --system dragon-7 --no-rows --out dragon-7

    Parameters
    ----------
    game
        A game's name, as punto-banco (see `counting games`), or the path of a TOML file.
    """

    game: GameLike = field(kw_only=False)


@asked
def sweep(
    played: SweepArguments,
    *,
    out: Path,
    bets: Annotated[list[str] | None, BETS] = None,
    rows: bool = True,
    rows_every: Whole = 1,
    penetration: bool = True,
    spread: bool = False,
    format: Format = "table",
) -> None:
    """
    Parameters
    ----------
    out
        The folder of the sweep: new, empty, or begun by the same command, perhaps with fewer shoes.
    bets
        Bets to price, the game's or the catalog's (see `counting bets`); by default all of the game's.
    rows
        Keep a row for every coup. --no-rows keeps only the sums, which takes less space; other games cannot be priced
        on these coups later.
    rows_every
        Keep only the rows of every n-th shoe, as 10 for every tenth.
    penetration
        Keep the sums by cut. From these sums, `counting summary --by penetration` gives the results for the sweep's
        cut, for every larger cut up to half of the shoe, and beyond half of the shoe for every multiple of eight.
    spread
        Keep the spread of each bet's edges by cards left, which the page of `counting report` draws. A sweep with rows
        needs no --spread.
    format
        table, json or csv.
    """
    from counting.sweep import MOST_SHOES

    if not rows and rows_every != 1:
        raise InputError(f"--no-rows and --rows-every {rows_every}: should be one or the other")
    whole(rows_every, "--rows-every", 1, MOST_SHOES)
    plan = played.plan(played.game, option_values(bets, "--bet"), rows_every if rows else 0, penetration, spread)
    terminal = Terminal()
    with played.pool(say) as pool:
        widen(terminal, play(terminal, plan, out, pool), pool)
    _summary(out, "bets", format)


def summary(
    dir: Path,
    *,
    by: By = "bets",
    cut: Cuts | None = None,
    game: GameName | None = None,
    format: Format = "table",
) -> None:
    """Summarise a finished sweep by bet, counting system, penetration or cards left, or check its dealing.

    Example: counting summary louisiana-sweep --cut 14 52 104 --format csv

    Example: counting summary dragon-7-sweep --by penetration

    Parameters
    ----------
    dir
        The folder of a sweep, or of a study that holds one.
    by
        How the rows are grouped: bets, systems, penetration (by cut) or cards-left. dealing checks the dealing.
    cut
        Other cuts, in cards as 52 104, or in decks as 1.5d. The results are for the same shoes, dealt to these cuts. A
        cut must have at least the sweep's number of cards behind the cut card.
    game
        Another game with the same tableau, to price its bets on the same coups.
    format
        table, json or csv.
    """
    _summary(dir, by, format, option_values(cut, "--cut"), game)


@asked
def score(request: ScoreRequest, handed: Handed, *, format: Format = "table") -> None:
    """
    Parameters
    ----------
    format
        table, json or csv.
    """
    handed.check(request.out)
    answer = handed.over(request.answered(Terminal(), drawn=request.out is not None))
    from counting.reports.scores import PRINTED

    print_answer(answer, PRINTED, format, lambda: answer.data["scores"])
    say(*answer.remarks)
