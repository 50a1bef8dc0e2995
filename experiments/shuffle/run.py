"""How many shoes show a poor shuffle? Logs with known faults, tested as `counting shuffle` does.

    python -m experiments.shuffle.run FOLDER

FOLDER keeps what is done: a run that was stopped goes on. Writes power.csv, sizes.csv, power.svg and the tables of
notes.md, and the shoes needed for 90% into the package (`counting/audit/shuffle_power.csv`), from which the command
says what it could have seen. Three quarters of an hour on two cores.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

import counting
from counting import load_game
from counting.arrays import Ints
from counting.audit.repeated_stretches import chance_of_stretch, longest_stretch
from counting.audit.shoe_counts import Layout, counted, drawn
from counting.audit.shoe_orders import ShoeOrders, completed, shoe_orders
from counting.audit.shuffle import DRAWS, LEVEL, ORDER_TESTS, TESTS, Statistics, holm, simulated
from counting.audit.synthetic.dealt_table import deal
from counting.audit.unseen_cards import KIND
from counting.cards import CARDS, DECK, Knows
from counting.logs import COUPS, PLACES, Log
from counting.simulation import Dealing
from counting.simulation.shoes import play_orders
from experiments._notes import put
from experiments._plots import detected

HERE = Path(__file__).parent
SHIPPED = Path(counting.__file__).parent / "audit" / "shuffle_power.csv"
DECKS = 8
DEALING = Dealing(DECKS, cut=14)
SHOES = (1, 2, 3, 5, 8, 13, 20, 30, 50, 80, 130, 200, 300, 500, 1000)
MOST = {"card": 1000, "rank": 500, "value": 130}  # shoes, by what the cards are known by
REPEATED, REPEATED_LARGE = 200, 100  # logs; of more than 100 shoes each
LARGE = 100
SURE = 0.9
MISSING = CARDS.index("7h")
SIZE = DECK * DECKS

Shoes = NDArray[np.uint8]  # (logs, cards): a shoe of each log
Shuffle = Callable[[np.random.Generator, Shoes], Shoes]


def fair(rng: np.random.Generator, logs: int) -> Shoes:
    deck = np.tile(np.arange(DECK, dtype=np.uint8), DECKS)
    return rng.permuted(np.broadcast_to(deck, (logs, SIZE)), axis=1)


def riffled(rng: np.random.Generator, shoes: Shoes, riffles: int) -> Shoes:
    """Gilbert-Shannon-Reeds riffles of whole shoes, as one shuffle of 2^riffles packets (Bayer and Diaconis 1992)."""
    packet = rng.integers(0, 2**riffles, shoes.shape, dtype=np.uint16)
    after = np.empty_like(shoes)
    np.put_along_axis(after, np.argsort(packet, axis=1, kind="stable"), shoes, axis=1)
    return after


def by_parts(rng: np.random.Generator, shoes: Shoes, passes: int, riffles: int = 3) -> Shoes:
    """A casino's shuffle by hand: the shoe in two piles, half a deck from each riffled together and put on the stack,
    until the piles are used up; `passes` times, and a cut at the end."""
    for _ in range(passes):
        piles = shoes.reshape(len(shoes), 2, -1, DECK // 2)
        parts = np.concatenate([piles[:, 0], piles[:, 1]], axis=2)  # (logs, parts, a deck)
        shape = parts.shape
        shoes = riffled(rng, parts.reshape(-1, DECK), riffles).reshape(shape)[:, ::-1].reshape(len(shoes), -1)
    cut = rng.integers(SIZE // 4, 3 * SIZE // 4, (len(shoes), 1))
    return np.take_along_axis(shoes, (np.arange(SIZE) + cut) % SIZE, axis=1)


def one_after_another(shuffle: Shuffle, batches: int = 1) -> Callable[[np.random.Generator, int, int], Iterator[Shoes]]:
    """Shoes that are shuffled from the shoe before, or by turns from that of one of several batches."""

    def shoes_of(rng: np.random.Generator, logs: int, shoes: int) -> Iterator[Shoes]:
        before = [fair(rng, logs) for _ in range(batches)]
        yield from before[:shoes]
        for i in range(batches, shoes):
            before[i % batches] = shuffle(rng, before[i % batches])
            yield before[i % batches]

    return shoes_of


def from_new(riffles: int) -> Callable[[np.random.Generator, int, int], Iterator[Shoes]]:
    """Every shoe is of new decks, riffled."""
    new = np.tile(np.concatenate([np.arange(DECK).reshape(-1, 4)[:, suit] for suit in range(4)]), DECKS)

    def shoes_of(rng: np.random.Generator, logs: int, shoes: int) -> Iterator[Shoes]:
        for _ in range(shoes):
            yield riffled(rng, np.broadcast_to(new.astype(np.uint8), (logs, SIZE)), riffles)

    return shoes_of


def lacking(rng: np.random.Generator, logs: int, shoes: int) -> Iterator[Shoes]:
    """A card is missing: it is put behind the last cards, which are never dealt."""
    for _ in range(shoes):
        cards = fair(rng, logs)
        at = (cards == MISSING).argmax(axis=1)
        places = np.arange(SIZE - 1) + (np.arange(SIZE - 1) >= at[:, np.newaxis])
        last = np.full((logs, 1), MISSING, np.uint8)
        yield np.concatenate([np.take_along_axis(cards, places, axis=1), last], axis=1)


def one_more(rng: np.random.Generator, logs: int, shoes: int) -> Iterator[Shoes]:
    """A card more than the decks have; the last card of the 417 is left away, as it is never dealt."""
    for _ in range(shoes):
        more = np.concatenate([fair(rng, logs), np.full((logs, 1), MISSING, np.uint8)], axis=1)
        yield rng.permuted(more, axis=1)[:, :SIZE]


def once_again(rng: np.random.Generator, logs: int, shoes: int) -> Iterator[Shoes]:
    """The last shoe is the first again."""
    first = fair(rng, logs)
    yield first
    for _ in range(shoes - 2):
        yield fair(rng, logs)
    if shoes > 1:
        yield first


FAULTS: dict[str, Callable[[np.random.Generator, int, int], Iterator[Shoes]]] = {
    **{
        f"{k} riffle{'s' * (k > 1)} of the shoe before": one_after_another(lambda rng, s, k=k: riffled(rng, s, k))
        for k in range(1, 11)
    },
    "7 riffles, two batches by turns": one_after_another(lambda rng, s: riffled(rng, s, 7), 2),
    "shuffled by parts, 1 pass": one_after_another(lambda rng, s: by_parts(rng, s, 1)),
    "shuffled by parts, 2 passes": one_after_another(lambda rng, s: by_parts(rng, s, 2)),
    "shuffled by parts, 3 passes": one_after_another(lambda rng, s: by_parts(rng, s, 3)),
    **{f"new decks, {k} riffles": from_new(k) for k in (5, 7, 9, 10)},
    "a card missing": lacking,
    "an extra card": one_more,
    "a shoe that comes again": once_again,
}


def tested(
    layout: Layout, kinds: list[Shoes], dealt: Ints, follows: NDArray[np.uint8], rng: np.random.Generator, draws: Ints
) -> tuple[bool, str]:
    """Whether a log is flagged, and by which test first; `kinds` are its shoes, `dealt` the numbers of cards seen."""
    filled, known = [], []
    for shoe, seen in zip(kinds, dealt, strict=True):
        if (np.bincount(shoe[:seen], minlength=len(layout.full)) > layout.full).any():
            return True, "extra card"
        cards, places = completed(shoe[:seen].astype(np.int64), layout.full, rng)
        filled.append(cards)
        known.append(places)
    number = len(filled)
    orders = ShoeOrders(
        DECKS, layout.knows, np.array(filled), np.array(known), follows, pl.DataFrame(), [], 0, 0, []
    )  # fmt: skip
    p_values = simulated(Statistics(layout, number), counted(layout, orders.cards, follows), [draws])
    left_out = {name for lag, name in enumerate(ORDER_TESTS[:2]) if number <= lag + 1}
    left_out |= {"same-suit"} if layout.knows != "card" else set()
    p_values = {name: p for name, p in p_values.items() if name not in left_out}
    if number > 1:
        stretch = longest_stretch(orders)
        p_values["stretches"] = chance_of_stretch(stretch.cards if stretch else 0, number, layout.full)
    best = holm(p_values, LEVEL)[0]
    return best.flagged, best.test.name


def seen_cards(tableau: object, shoes: Shoes) -> Ints:
    """The number of cards dealt of each shoe by the drawing rules and the cut card."""
    coups = play_orders(tableau, DEALING, shoes)  # type: ignore[arg-type]
    last = np.append(coups.shoe[1:] != coups.shoe[:-1], True)
    return (SIZE - coups.undealt[last].astype(int)) + coups.shown[last, 2:4].astype(int).sum(axis=1)


def power(fault: str, knows: Knows, folder: Path) -> list[dict[str, object]]:
    """A row for each number of shoes, up to the first two at which nearly all logs are flagged; kept in the folder."""
    path = folder / f"{knows}, {fault}.json"
    if path.exists():
        return json.loads(path.read_text())
    layout, tableau = Layout(knows, DECKS), load_game("punto-banco").tableau
    kind = KIND[knows].astype(np.uint8)
    rows: list[dict[str, object]] = []
    sure = 0
    for shoes in SHOES:
        if shoes == 1 and ("before" in fault or "by" in fault or "again" in fault):
            continue
        if sure >= 2 or shoes > MOST[knows]:
            break
        follows = np.zeros((shoes, 2), np.uint8)
        follows[1:, 0] = follows[2:, 1] = 1
        draws = np.load(folder / f"{knows}-{shoes}.npy")
        logs = REPEATED if shoes <= LARGE else REPEATED_LARGE
        rng = np.random.default_rng([shoes, *fault.encode()])
        series = list(FAULTS[fault](rng, logs, shoes))
        dealt = np.array([seen_cards(tableau, shoe) for shoe in series])
        flagged, by = [], []
        for log in range(logs):
            kinds = [kind[shoe[log]] for shoe in series]
            found, name = tested(layout, kinds, dealt[:, log], follows, rng, draws)
            flagged.append(found)
            by += [name] * found
        share = float(np.mean(flagged))
        first = max(sorted(set(by)), key=by.count) if by else None
        rows.append({"fault": fault, "knows": knows, "shoes": shoes, "logs": logs, "flagged": share, "by": first})
        sure = sure + 1 if share >= 0.99 else 0
    path.write_text(json.dumps(rows))
    return rows


def null(knows: Knows, shoes: int, folder: Path) -> None:
    """The draws for logs of this number of shoes, kept while the experiment runs."""
    path = folder / f"{knows}-{shoes}.npy"
    if path.exists():
        return
    follows = np.zeros((shoes, 2), np.uint8)
    follows[1:, 0] = follows[2:, 1] = 1
    rows = np.concatenate(list(drawn(Layout(knows, DECKS), follows, DRAWS, 1, 2)))
    np.save(path, rows)


def log_of(cards: NDArray[np.int8], shoe: NDArray[np.uint32], coup: NDArray[np.uint16]) -> Log:
    """A log of these coups at one table."""
    columns = {name: cards[:, i] for i, name in enumerate(PLACES)}
    frame = pl.DataFrame({"shoe": shoe, "coup": coup, **columns}).with_columns(
        pl.col("shoe").cast(pl.String), line=pl.int_range(1, pl.len() + 1), table=pl.lit("1"), more=None, winner=None,
        burn=None,
    )  # fmt: skip
    return Log(
        frame.select(
            (pl.col(name) if name in frame.columns else pl.lit(None)).cast(of).alias(name) for name, of in COUPS.items()
        ),
        pl.DataFrame(),
        pl.DataFrame(),
    )


def sizes(shoes: int, logs: int, folder: Path) -> pl.DataFrame:
    """How often each test has a p-value of 5% or less in logs of well-shuffled shoes, dealt by the rules with burned
    cards that are not logged, and how often a log is flagged."""
    game, layout = load_game("punto-banco"), Layout("card", DECKS)
    table = deal(game, Dealing(DECKS, cut=14, burn="first-card"), 99, 0, shoes * logs)
    first = np.searchsorted(table.shoe, np.arange(0, shoes * logs + 1, shoes))
    draws = np.load(folder / f"card-{shoes}.npy")
    small = dict.fromkeys([*TESTS, "any, after Holm"], 0)
    for log in range(logs):
        rows = slice(first[log], first[log + 1])
        orders = shoe_orders(log_of(table.cards[rows], table.shoe[rows], table.coup[rows]), DECKS, log)
        own = counted(layout, orders.cards, orders.follows)
        p_values = simulated(Statistics(layout, shoes), own, [draws])
        stretch = longest_stretch(orders)
        p_values["stretches"] = chance_of_stretch(stretch.cards if stretch else 0, shoes, layout.full)
        for name, p in p_values.items():
            small[name] += p <= 0.05
        small["any, after Holm"] += holm(p_values, LEVEL)[0].flagged
    return pl.DataFrame(
        {"test": list(small), "shoes": shoes, "logs": logs, "share": [number / logs for number in small.values()]}
    )


def needed(frame: pl.DataFrame) -> pl.DataFrame:
    """The fewest shoes at which 90% of logs are flagged, there and at the next larger number played."""
    rows = []
    for (fault, knows), of in frame.group_by("fault", "knows", maintain_order=True):
        shares = of.sort("shoes")
        enough = shares["flagged"] >= SURE
        enough = enough & enough.shift(-1, fill_value=True)
        shoes = shares["shoes"].filter(enough).min()
        by = shares.filter(pl.col("shoes") == shoes)["by"].first() if shoes else None
        rows.append({"fault": fault, "knows": knows, "shoes": shoes, "most": shares["shoes"].max(), "by": by})
    return pl.DataFrame(rows, infer_schema_length=None)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for knows in ("card", "rank", "value"):
        for shoes in SHOES:
            if shoes <= MOST[knows]:
                null(knows, shoes, folder)
    checked = pl.concat([sizes(3, 2000, folder), sizes(20, 1000, folder)])
    checked.write_csv(HERE / "sizes.csv")
    print(checked)
    cases = [(fault, knows) for knows in ("card", "rank", "value") for fault in FAULTS]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        rows = []
        for some in executor.map(power, *zip(*cases, strict=True), [folder] * len(cases)):
            rows += some
            print(some[-1], flush=True)
    frame = pl.DataFrame(rows, infer_schema_length=None)
    frame.write_csv(HERE / "power.csv")
    write(frame, checked)


def write(frame: pl.DataFrame, checked: pl.DataFrame) -> None:
    """The tables, the figure, and the file of the package."""
    from counting.reports import drawing

    table = needed(frame)
    table.write_csv(SHIPPED)
    columns = {
        knows: {
            row["fault"]: f"{row['shoes']:,} ({row['by']})" if row["shoes"] else f"more than {row['most']:,}"
            for row in table.filter(knows=knows).to_dicts()
        }
        for knows in ("card", "rank", "value")
    }
    headings = ["fault", "cards known", "ranks only", "values only"]
    put(HERE / "notes.md", headings, [[fault, *(of[fault] for of in columns.values())] for fault in FAULTS], "needed")
    shares = [
        [test, *(f"{100 * share:.1f}%" for share in of["share"])]
        for (test,), of in checked.group_by("test", maintain_order=True)
    ]
    put(HERE / "notes.md", ["test", "3 shoes", "20 shoes"], shares, "sizes")
    riffles = frame.filter(pl.col("fault").str.ends_with("of the shoe before"), knows="card")
    (HERE / "power.svg").write_text(drawing.svg(drawing.single(detected, riffles)))


if __name__ == "__main__":
    main()
