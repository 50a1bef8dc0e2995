"""Search for counts: for every bet and level, the tags and the trigger with the largest exact gain.

A candidate is a true count with whole tags and a whole trigger. Its start is chosen so that the running count ends at
zero. The gain of a candidate is the sum of exact edges over the coups at which it bets, with its best trigger, in a
sample of coups from whole shoes (`samples`). The search (`search`) begins at several counts, and moves to neighbours
until no neighbour wins more. The counts are then checked on other shoes. If the count of a level wins less there than
the count of the level below, the level gets the tags of the level below. A count that wins less than two standard
errors there is left out. If a bet depends on suits, counts of ranks and counts of suits are searched, and the better
count of each level is taken. `experiments/own_counts/notes.md` states what the counts win on still other shoes.

    python -m experiments.own_counts.run counting/systems/searched/own.toml [BET ...]

Without BET, the bets that are not in the file are searched. Named bets are searched again, and the counts in the file
are further starts. The file is written bet by bet, and lists bets without a winning count. So after an interruption,
the same command searches the missing bets.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from counting import Shoe, load_game
from counting.errors import InputError
from counting.exact import Effects, required_detail
from counting.exact.hand_counts import hand_counter
from counting.games import Bet, Game, catalog, unfit
from counting.io.outputs import write_text
from counting.io.toml import read_toml
from counting.systems.system import LEVELS
from experiments.own_counts.samples import DECKS, Sample, counted, samples
from experiments.own_counts.search import Search, lowest, written

SEED, CHECKED = 2026, 2027
SHOES = 300_000  # shoes for the search; the check uses the same number
FEWER = 3  # a bet settled by the cards of the hands is searched on a third of the shoes
LONG, FEWEST = 10_000, 10  # bets with more draws to count per coup are searched on a tenth of the shoes
TOGETHER = 20  # the most bets that are priced together on the same shoes
SURE = 2  # a count is left out if it wins less than this number of standard errors in the check


def search(
    game: Game, bet: str, sample: Sample, other: Sample, held: Iterable[Sequence[int]] = ()
) -> list[dict[str, Any]]:
    """The best count of each level, with its gains in the search (`sample`) and in the check (`other`). `held`: further
    tags to start from."""
    if not (sample.perfect and other.perfect):
        return []
    knows = required_detail(game.only([bet]).bet(bet))
    effects = Effects.of(game, bet, Shoe.decks(DECKS), "value" if knows == "value" else "rank")
    work = Search(sample, effects, SEED)
    known = [lowest(list(tags)) for tags in held]
    below, picked = list[Any](), list[tuple[Any, int]]()
    for level in LEVELS:
        below.append(work.best(level, [*below, *known]))
        # The count of the level below comes first, so it is taken if the new count is not better.
        tops = [*picked[-1:], (below[-1], work.tried[below[-1]][1])]
        picked.append(max(tops, key=lambda count: other.gain(*count)))
    rows = []
    for level, (tags, most) in zip(LEVELS, picked, strict=True):
        listed, trigger = written(tags, most)
        gains = {"gain": sample.gain(tags, most), "checked": other.gain(tags, most)}
        if gains["checked"] > SURE * other.error(tags, most):
            rows.append({"bet": bet, "level": level, "trigger": trigger, "tags": listed} | gains)
    return rows


def better(found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The count of each level that is best in the check. `found`: counts of several kinds of cards."""
    best = dict[int, dict[str, Any]]()
    for row in sorted(found, key=lambda row: -row["checked"]):
        best.setdefault(row["level"], row)
    return [best[level] for level in sorted(best)]


def games() -> dict[str, Game]:
    """The bets to search, each with its game: the catalog and the main bets at punto banco, and bets of other games
    that are not in the catalog."""
    punto, louisiana = load_game("punto-banco"), load_game("louisiana")
    bets = {name: punto for name, bet in catalog().items() if not unfit(bet, punto.tableau)}
    bets |= dict.fromkeys(punto.bet_names, punto)
    return bets | dict.fromkeys(("seven-seven-40", "seven-seven-45"), louisiana)


def shoes_of(bet: Bet, game: Game) -> int:
    """The number of shoes on which a bet is searched."""
    if bet.shows != "hands":
        return SHOES
    return SHOES // (FEWEST if hand_counter(bet.conditions, game.tableau).work > LONG else FEWER)


def together(bets: Mapping[str, Game]) -> Iterable[list[str]]:
    """Groups of bets to price together. The bets of a group are of the same game, need the same detail of cards, and
    are searched on the same number of shoes."""
    alike: dict[tuple[str, str, int], list[str]] = {}
    for name, game in bets.items():
        bet = game.only([name]).bet(name)
        alike.setdefault((game.name, required_detail(bet), shoes_of(bet, game)), []).append(name)
    for group in alike.values():
        yield from (group[i : i + TOGETHER] for i in range(0, len(group), TOGETHER))


def text(counts: Iterable[Mapping[str, Any]], without: Iterable[str] = ()) -> str:
    rows = [
        '  {{ bet = "{bet}", level = {level}, trigger = {trigger}, tags = {tags} }},\n'.format(**count)
        for count in counts
    ]
    head = (
        "# The project's own counts. Tags of A, 2 ... 9 and tens and faces; of A, 2 ... K; or of spades, hearts, "
        "diamonds, clubs.\n\n"
        'source = "experiments/own_counts.py: searched on the exact gain, 8 decks, first card burned, 14 cards '
        'behind the cut card"\n'
        f"decks = {DECKS}\ncounts = [\n"
    )
    listed = "".join(f'  "{bet}",\n' for bet in without)
    tail = f"# Bets on which none of the counts searched won anything on the checking shoes.\nwithout = [\n{listed}]\n"
    return head + "".join(rows) + "]\n" + tail


def searched(
    game: Game, bets: Sequence[str], held: Mapping[str, Sequence[Sequence[int]]]
) -> Iterable[tuple[str, list[dict[str, Any]]]]:
    """The counts of each bet, for the bets of one group (see `together`). `held`: further tags to start from, by
    bet."""
    own = game.only(bets[:1]).bet(bets[0])
    shoes = shoes_of(own, game)
    drawn = [[samples(game, bets, shoes, seed, of) for seed in (SEED, CHECKED)] for of in counted(required_detail(own))]
    results = dict[str, list[dict[str, Any]]]()
    for bet in bets:
        before = (other for other in results if not held[bet] and not held[other] and _alike(drawn, bet, other))
        twin = next(before, None)
        rows = [row | {"bet": bet} for row in results[twin]] if twin else list[dict[str, Any]]()
        for here, there in drawn if twin is None else ():
            tags = [listed for listed in held[bet] if len(listed) == here[bet].kinds]
            rows += search(game, bet, here[bet], there[bet], tags)
        results[bet] = better(rows)
        yield bet, results[bet]


def _alike(drawn: Iterable[Iterable[Mapping[str, Sample]]], bet: str, other: str) -> bool:
    """Whether two bets have the same edge at every coup. Bets on Player's pair and on Banker's pair are an example."""
    return all(of[bet].equals(of[other]) for kinds in drawn for of in kinds)


def main(out: Path, named: Sequence[str] = ()) -> None:
    every = games()
    for bet in named:
        if bet not in every:
            raise InputError(f"bet {bet!r}: neither in the catalog at punto banco nor a bet of one of the games")
    data = read_toml(out) if out.exists() else {}
    held: dict[str, list[dict[str, Any]]] = {bet: [] for bet in data.get("without", ())}
    for row in data.get("counts", ()):
        held.setdefault(row["bet"], []).append(row)
    wanted = {bet: game for bet, game in every.items() if bet in (named or every.keys() - held.keys())}
    order = [*every, *(bet for bet in held if bet not in every)]
    out.parent.mkdir(exist_ok=True)
    for bets in together(wanted):
        game = every[bets[0]]
        for bet, found in searched(game, bets, {bet: [row["tags"] for row in held.get(bet, ())] for bet in bets}):
            held[bet] = found
            counts = [row for name in order for row in held.get(name, ())]
            write_text(out, text(counts, [name for name in order if not held.get(name, [None])]))
            for row in found:
                print(*row.values(), flush=True)
            if not found:
                print(bet, "no count wins anything", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
