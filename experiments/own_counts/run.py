"""Search the project's own counts: for every bet and level, the tags and trigger with the largest exact gain.

A candidate is a count of whole tags that starts so that it ends at zero, read as a true count per unseen cards,
with a whole trigger. Its gain is the sum of exact edges over the coups at which it bets, in a sample of coups from
whole shoes (`samples`), at the best of all triggers. The search (`search`) moves from several starts to neighbours
until none wins more. What it finds is checked on other shoes: a level whose count wins less there than the one below
has the tags of the one below, and a count that wins nothing there is left out. What the counts win is stated from
still other shoes (`experiments/own_counts/notes.md`).

    python -m experiments.own_counts.run counting/systems/searched/own.toml [BET ...]

Bets without counts in the file are searched, or those named: these start from the counts that the file has too. Rows
are written bet by bet: after a stop the same command searches what is missing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from counting import Shoe, load_game
from counting.errors import InputError
from counting.exact import Effects, needs
from counting.games import Game, catalog, unfit
from counting.io.folders import write_text
from counting.io.toml import read_toml
from counting.systems.system import LEVELS
from experiments.own_counts.samples import DECKS, Sample, counted, samples
from experiments.own_counts.search import Search, lowest, written

SEED, CHECKED = 2026, 2027
SHOES = 300_000  # searched, and as many checked
TOGETHER = 20  # bets priced on the same shoes at once


def search(
    game: Game, bet: str, sample: Sample, other: Sample, held: Iterable[Sequence[int]] = ()
) -> list[dict[str, Any]]:
    """The best count of each level, with its gain on the shoes searched and on the others; `held`: tags to start from
    too."""
    effects = Effects.of(game, bet, Shoe.decks(DECKS), counted(needs(game.only([bet]).bet(bet))))
    work = Search(sample, effects, SEED)
    known = [lowest(list(tags)) for tags in held]
    below, picked = list[Any](), list[tuple[Any, int]]()
    for level in LEVELS:
        below.append(work.best(level, [*below, *known]))
        # The count of the level below comes first: of equally good counts it stays.
        tops = [*picked[-1:], (below[-1], work.tried[below[-1]][1])]
        picked.append(max(tops, key=lambda count: other.gain(*count)))
    rows = []
    for level, (tags, most) in zip(LEVELS, picked, strict=True):
        listed, trigger = written(tags, most)
        gains = {"gain": sample.gain(tags, most), "checked": other.gain(tags, most)}
        rows.append({"bet": bet, "level": level, "trigger": trigger, "tags": listed} | gains)
    return [row for row in rows if row["checked"] > 0]


def games() -> dict[str, Game]:
    """Every bet of the catalog at punto banco, and the bets of the games that the catalog lacks."""
    punto, louisiana = load_game("punto-banco"), load_game("louisiana")
    bets = {name: punto for name, bet in catalog().items() if not unfit(bet, punto.tableau)}
    bets |= dict.fromkeys(("tie-8", "tie-9"), punto)
    return bets | dict.fromkeys(("seven-seven-40", "seven-seven-45"), louisiana)


def together(bets: Mapping[str, Game]) -> Iterable[list[str]]:
    """Bets to price at once: of the same game, that look at the same of a card."""
    alike: dict[tuple[str, str], list[str]] = {}
    for bet, game in bets.items():
        alike.setdefault((game.name, needs(game.only([bet]).bet(bet))), []).append(bet)
    for group in alike.values():
        yield from (group[i : i + TOGETHER] for i in range(0, len(group), TOGETHER))


def text(counts: Iterable[Mapping[str, Any]]) -> str:
    rows = [
        '  {{ bet = "{bet}", level = {level}, trigger = {trigger}, tags = {tags} }},\n'.format(**count)
        for count in counts
    ]
    head = (
        "# The project's own counts. Tags of A, 2 ... 9 and tens and faces, or of A, 2 ... K.\n\n"
        'source = "experiments/own_counts.py: searched on the exact gain, 8 decks, first card burned, 14 cards '
        'behind the cut card"\n'
        f"decks = {DECKS}\ncounts = [\n"
    )
    return head + "".join(rows) + "]\n"


def main(out: Path, named: Sequence[str] = ()) -> None:
    every = games()
    for bet in named:
        if bet not in every:
            raise InputError(f"bet {bet!r}: neither of the catalog at punto banco nor one of the games'")
    held: dict[str, list[Mapping[str, Any]]] = {}
    for row in read_toml(out)["counts"] if out.exists() else ():
        held.setdefault(row["bet"], []).append(row)
    wanted = {bet: game for bet, game in every.items() if bet in (named or every.keys() - held.keys())}
    order = [*every, *(bet for bet in held if bet not in every)]
    out.parent.mkdir(exist_ok=True)
    for bets in together(wanted):
        game = every[bets[0]]
        searched, others = (samples(game, bets, SHOES, seed) for seed in (SEED, CHECKED))
        for bet in bets:
            tags = [row["tags"] for row in held.get(bet, ())]
            found = search(game, bet, searched[bet], others[bet], tags)
            held[bet] = list(found)
            write_text(out, text(row for name in order for row in held.get(name, ())))
            for row in found:
                print(*row.values(), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
