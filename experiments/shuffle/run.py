"""How many shoes does it take to detect a poor shuffle? Logs of a pit with known faults are tested as in `counting
shuffle`.

    python -m experiments.shuffle.run FOLDER [PART ..]

The parts are `power`, `slugs`, `coolers`, `counts`, `size`, `whole` and `write`; by default, all run. Each finished
cell is kept in FOLDER, so that an interrupted run can continue. `whole` also writes its logs as CSV, so that another
version can read them; before.csv has, for each case, the number of these logs that version 0.2 flags. `write` writes
power.csv, slugs.csv, coolers.csv, size.csv, power.svg and the tables of notes.md. It also writes a table into the
package (`counting/review/shuffle/`): how many shoes it takes to reach a power of 90%. All parts take two hours on one
core.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import counting
from counting.cards import Knows
from counting.games import load_game
from counting.logs import card_name
from counting.reports import drawing
from counting.review.shuffle.coolers import coolers
from counting.review.shuffle.order_tests import NEW_DECKS, ORDER_TESTS
from counting.review.shuffle.review import (
    REGULATORS,
    TESTS,
    TOTAL_WEIGHT,
    ShuffleSettings,
    Statistics,
    extra_cards,
    shuffle_review,
    simulated,
)
from counting.review.shuffle.shoe_counts import CountLayout, count_shoes, draw_counts
from counting.review.shuffle.slugs import slug
from experiments._notes import put
from experiments._plots import detected
from experiments.shuffle import pit
from experiments.shuffle.power import layout_of, orders_of, pair_columns, shares

SHOES = (2, 3, 5, 8, 13, 20, 30)
LEVEL = 0.05
AMONG = {name: LEVEL * test.weight / TOTAL_WEIGHT for name, test in TESTS.items()}  # each test's share of LEVEL
NEW_SHOES = (1, 2, 3, 5, 8, 13)
CHAIN = 30
LOGS = 200  # the least number of logs, which are cut from chains of 30 shoes
SINGLE = 20  # a shoe with a slug or with arranged coups is tested as one of this number of shoes
PICKUP = "P123-B123-last-on-top"
GATHERINGS = {  # how a coup is picked up, whether the last coup is on top, and the number of racks
    "hand by hand": ("hand by hand", False, 1),
    "hand by hand, last coup on top": ("hand by hand", True, 1),
    "Banker's hand first, turned": ("Banker's hand first, turned", True, 1),
    "dealing order": ("dealing order", False, 1),
    "hands mirrored": ("hands mirrored", True, 1),
    "third card in the middle": ("third card in the middle", True, 1),
    "winner's hand first": ("winner's hand first", True, 1),
    "swept from the right": ("swept from the right", True, 1),
    "two racks by turns": ("hand by hand", True, 2),
    "anyhow": ("anyhow", True, 1),
}
TRIED = "hand by hand, last coup on top"
SHUFFLES: dict[str, pit.Shuffle] = {
    **{f"{k} riffle{'s' * (k > 1)}": pit.riffles(k) for k in range(1, 10)},
    "5 riffles with strips": pit.riffles(5, True),
    "wash, 1 riffle": pit.washed(1),
    "wash, 2 riffles": pit.washed(2),
    "by parts, 1 pass": pit.by_parts(1),
    "by parts, 2 passes": pit.by_parts(2),
    "by parts, 3 passes": pit.by_parts(3),
    "by parts and a strip, 2 passes": pit.by_parts(2, True),
}


RIFFLES = [name for name in SHUFFLES if name.endswith(("riffle", "riffles")) and name[0].isdigit()]


def kept(path: Path, cell: str, work: Callable[[], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The rows of a cell. They are read from the file `path`, or else worked out and added to this file."""
    done = {}
    if path.exists():
        done = {line["cell"]: line["rows"] for line in map(json.loads, path.read_text().splitlines())}
    if cell not in done:
        done[cell] = work()
        with path.open("a") as file:
            file.write(json.dumps({"cell": cell, "rows": done[cell]}) + "\n")
        print(cell, done[cell], flush=True)
    return done[cell]


def of_cell(
    knows: Knows,
    gathered: str,
    shuffled: str,
    lag: int = 1,
    missing: float = 0.0,
    pickup: str | None = None,
    logs: int = LOGS,
    most: int = CHAIN,
) -> list[dict[str, Any]]:
    """The share of logs that a test of order flags: at 5% as a single test, and at its level among all tests."""
    name, last_on_top, racks = GATHERINGS[gathered]
    rng = np.random.default_rng([*f"{knows} {gathered} {shuffled} {lag} {missing}".encode()])
    layout, columns, rows = layout_of(knows, pickup), [], []
    for shoes in SHOES:
        if shoes > most:
            break
        while len(columns) < -(-logs // ((CHAIN - lag) // max(1, shoes - lag))):
            chain = pit.one_after_another(
                rng, CHAIN, pit.GATHERED[name], SHUFFLES[shuffled], last_on_top, racks, batches=lag
            )
            columns.append(pair_columns(layout, orders_of(chain, knows, missing, len(columns)), lag))
        if shoes <= lag:
            continue
        number, (alone, among) = shares(knows, columns, lag, shoes, (LEVEL, AMONG[ORDER_TESTS[lag - 1]]), pickup)
        rows.append({
            "knows": knows, "gathered": gathered, "shuffle": shuffled, "lag": lag, "missing": missing,
            "pickup": bool(pickup), "shoes": shoes, "logs": number, "alone": alone, "among": among,
        })  # fmt: skip
        if len(rows) > 1 and min(row["among"] for row in rows[-2:]) >= 0.995:
            break
    return rows


def new_decks(knows: Knows, up: tuple[bool, ...], number: int) -> list[dict[str, Any]]:
    """The same shares as in `of_cell`, for shoes that are shuffled from new decks."""
    rng, layout = np.random.default_rng([number, *up]), layout_of(knows, None)
    chains = [
        pair_columns(
            layout, orders_of([pit.dealt(pit.riffles(number)(rng, pit.new_decks(up))) for _ in range(CHAIN)], knows), 0
        )
        for _ in range(-(-LOGS // (CHAIN // NEW_SHOES[-1])))
    ]
    rows = []
    for shoes in NEW_SHOES:
        some = chains[: -(-LOGS // (CHAIN // shoes))]
        logs, (alone, among) = shares(knows, some, 0, shoes, (LEVEL, AMONG[NEW_DECKS]))
        rows.append({"knows": knows, "up": list(up), "riffles": number, "shoes": shoes, "logs": logs, "alone": alone,
                     "among": among})  # fmt: skip
    return rows


def power(folder: Path) -> None:
    path = folder / "power.jsonl"
    cells: list[tuple[Any, ...]] = []
    for k in (7, 5):
        cells += [("card", gathered, f"{k} riffles") for gathered in (TRIED, "anyhow", "third card in the middle")]
    cells += [("card", TRIED, "7 riffles", 1, 0.0, PICKUP), ("card", TRIED, "7 riffles", 1, 0.03)]
    cells += [("card", TRIED, f"{k} riffles") for k in (8, 6, 3, 9)]
    cells += [("card", TRIED, f"{k} riffles", 2) for k in (5, 7)]
    cells += [("card", TRIED, name) for name in SHUFFLES if not name[0].isdigit() or "strips" in name]
    cells += [("card", "anyhow", name) for name in ("3 riffles", "6 riffles", "wash, 1 riffle")]
    cells += [(knows, TRIED, name) for knows in ("rank", "value") for name in RIFFLES[:5]]
    cells += [(knows, "anyhow", name) for knows in ("rank", "value") for name in RIFFLES[:5:2]]
    for k in (7, 5):
        cells += [("card", gathered, f"{k} riffles") for gathered in GATHERINGS]
    cells += [("card", gathered, name) for gathered in (TRIED, "anyhow") for name in RIFFLES[:5]]
    cells += [
        ("card", "anyhow", "8 riffles"),
        ("card", "anyhow", "7 riffles", 2),
        ("card", TRIED, "5 riffles", 1, 0.03),
    ]
    cells += [("card", TRIED, "8 riffles", 1, 0.0, PICKUP)]
    cells += [(knows, TRIED, name) for knows in ("rank", "value") for name in (*RIFFLES[5:7], "by parts, 2 passes")]
    cells = list(dict.fromkeys(cells))
    for cell in cells:
        kept(path, ", ".join(map(str, cell)), lambda cell=cell: of_cell(*cell))
    for knows in ("card", "rank", "value"):
        for up in ((True,) * 4, (False,) * 4, (True, True, False, False)):
            for number in (5, 7, 8, 9, 10):
                kept(path, f"new decks, {knows}, {up}, {number}", lambda k=knows, u=up, n=number: new_decks(k, u, n))


SLUG_ORDERS = {
    "as dealt": ("dealing order", False), "as dealt, turned": ("dealing order", True),
    "Player first, last on top": ("hand by hand", True),
    "Banker first, last on top": ("Banker's hand first, turned", True),
    "anyhow": ("anyhow", True),
}  # fmt: skip


def slugs(folder: Path) -> None:
    """A slug from one of the three shoes before, in one of 20 shoes: how often it is flagged if all tests share the
    level."""
    lengths = {"card": (7, 8, 10, 20, 50), "rank": (10, 12, 16, 20), "value": (12, 16, 20, 30)}
    for knows in ("card", "rank", "value"):
        for missing in (0.0, 0.03) if knows == "card" else (0.0,):
            for order in SLUG_ORDERS:
                for length in lengths[knows]:
                    kept(folder / "slugs.jsonl", f"{knows}, {missing}, {order}, {length}",
                         lambda k=knows, m=missing, o=order, n=length: [_slugs(k, m, o, n)])  # fmt: skip


def _slugs(knows: Knows, missing: float, order: str, length: int, logs: int = LOGS) -> dict[str, Any]:
    gathered, last_on_top = SLUG_ORDERS[order]
    rng = np.random.default_rng([*f"{knows} {missing} {order} {length}".encode()])
    flagged = right = 0
    for log in range(logs):
        shoes = [pit.dealt(pit.at_random(rng)) for _ in range(3)]
        discards = pit.rack(rng, shoes[2 - log % 3], pit.GATHERED[gathered], last_on_top)
        seen = sum(len(p) + len(b) for p, b in shoes[2 - log % 3].coups)
        first = int(rng.integers(0, seen - length))
        shoes.append(pit.dealt(pit.slug(rng, discards, length, first)))
        orders = orders_of(shoes, knows, missing, log)
        piles = [orders.piles[row] for row in (2, 1, 0)]
        found = slug(orders.cards[3], orders.known[3], orders.piles[3], piles, pit.DECKS, knows)
        hit = found is not None and found.p * SINGLE <= AMONG["slugs"]
        flagged += hit
        right += bool(hit and found and found.former == log % 3)
    return {
        "knows": knows, "missing": missing, "order": order, "cards": length, "logs": logs,
        "flagged": flagged / logs, "right_shoe": right / logs,
    }  # fmt: skip


def arranged(folder: Path) -> None:
    """Arranged coups in one of 20 shoes: how often they are flagged if all tests share the level, and at 5% by a single
    test."""
    tableau = load_game("punto-banco").tableau
    for kind in ("natural", "naturals by turns", "wins", "wins by turns"):
        for number in (6, 8, 10, 12, 16, 20):

            def work(kind: str = kind, number: int = number, logs: int = LOGS) -> list[dict[str, Any]]:
                rng = np.random.default_rng([*kind.encode(), number])
                shoes = [pit.dealt(pit.arranged(rng, number, kind)) for _ in range(logs)]
                found = coolers(orders_of(shoes, "card").piles, pit.DECKS, "card", tableau, 30_000, 1)
                return [{
                    "kind": kind, "coups": number, "logs": len(found),
                    "flagged": float(np.mean([one.p * SINGLE <= AMONG["coolers"] for one in found])),
                    "alone": float(np.mean([one.p <= LEVEL for one in found])),
                }]  # fmt: skip

            kept(folder / "coolers.jsonl", f"{kind}, {number}", work)


COUNTED = {  # the cards that are missing or extra, and what their faults are called if not all cards are alike
    "card": {"": pit.MISSING},
    "rank": {"": pit.MISSING},
    "value": {" of 1 to 9 points": pit.MISSING, " of 0 points": pit.KING},
}


def counted_faults(folder: Path) -> None:
    """A card missing from every shoe, or one card too many in every shoe: how often a log is flagged."""
    layout = {}
    for knows, kinds in COUNTED.items():
        layout[knows] = CountLayout(knows, pit.DECKS)
        for fault, (kind, card) in product(("a card missing", "an extra card"), kinds.items()):
            for shoes in (2, 3, 5, 8, 13, 20, 30, 50):

                def work(
                    knows: Knows = knows, fault: str = fault, kind: str = kind, card: int = card, shoes: int = shoes
                ) -> list[dict[str, Any]]:
                    rng = np.random.default_rng([*knows.encode(), *fault.encode(), *kind.encode(), shoes])
                    draws = np.concatenate(list(draw_counts(layout[knows], shoes, 999, 1, 1)))
                    flagged = 0
                    for log in range(LOGS):
                        table = []
                        for _ in range(shoes):
                            cards = pit.new_decks()
                            if fault == "a card missing":
                                cards.remove(card)
                            else:
                                cards.append(card)
                            # A shoe that lacks a card is dealt as if it had a last card, which is never reached.
                            shuffled = [cards[i] for i in rng.permutation(len(cards))]
                            table.append(pit.dealt([*shuffled, card][: pit.SIZE]))
                        orders = orders_of(table, knows, 0.0, log)
                        if fault == "an extra card":
                            flagged += any(number > 1 for _, number in extra_cards(orders))
                            continue
                        own = count_shoes(layout[knows], orders.cards)
                        statistics = Statistics(layout[knows], orders.number)
                        flagged += simulated(statistics, own, [draws])["rest"] <= AMONG["rest"]
                    return [{"knows": knows, "fault": fault + kind, "shoes": shoes, "logs": LOGS,
                             "among": flagged / LOGS}]  # fmt: skip

                row = kept(folder / "counts.jsonl", f"{knows}, {fault}{kind}, {shoes}", work)[0]
                if row["among"] >= 0.99:
                    break


def random_log(rng: np.random.Generator, shoes: int) -> list[pit.Shoe]:
    return [pit.dealt(pit.at_random(rng)) for _ in range(shoes)]


def size(folder: Path) -> None:
    """In random logs, how often each test has a p-value of at most 5%, and how often a log is flagged."""
    for shoes, logs in ((3, 1000), (8, 200)):
        for part in range(0, logs, 20):

            def work(shoes: int = shoes, part: int = part) -> list[dict[str, Any]]:
                rows = []
                for log in range(part, part + 20):
                    rng = np.random.default_rng([9, shoes, log])
                    missing = 0.005 if log % 2 else 0.0
                    review = shuffle_review(
                        pit.table_log(random_log(rng, shoes), missing, rng),
                        pit.DECKS,
                        ShuffleSettings(seed=log),
                        allow_unread=0.05,
                    )
                    row = {result.test.name: result.p for result in review.results}
                    rows.append({"log": log, "shoes": shoes, "flagged": bool(review.findings), **row})
                return rows

            kept(folder / "size.jsonl", f"{shoes}, {part}", work)


def _with_slug(gathered: str, last_on_top: bool, length: int, others: int = 0) -> Callable[..., list[pit.Shoe]]:
    def shoes_of(rng: np.random.Generator) -> list[pit.Shoe]:
        shoes = random_log(rng, 3)
        discards = pit.rack(rng, shoes[-1], pit.GATHERED[gathered], last_on_top)
        shoes.append(pit.dealt(pit.slug(rng, discards, length, int(rng.integers(40, 300)), others)))
        return [*shoes, pit.dealt(pit.at_random(rng))]

    return shoes_of


def _riffled(gathered: str, shuffled: str, shoes: int) -> Callable[..., list[pit.Shoe]]:
    name, last_on_top, racks = GATHERINGS[gathered]
    return lambda rng: pit.one_after_another(rng, shoes, pit.GATHERED[name], SHUFFLES[shuffled], last_on_top, racks)


def _cooler(rng: np.random.Generator) -> list[pit.Shoe]:
    shoes = random_log(rng, 4)
    return [*shoes[:2], pit.dealt(pit.arranged(rng, 12, "natural")), *shoes[3:]]


WHOLE: dict[str, tuple[int, Callable[..., list[pit.Shoe]]]] = {
    "one random shoe": (20, lambda rng: random_log(rng, 1)),
    "one shoe of new decks, 7 riffles": (20, lambda rng: [pit.dealt(pit.riffles(7)(rng, pit.new_decks()))]),
    "one shoe of new decks, two suits up, two down, 7 riffles": (
        20, lambda rng: [pit.dealt(pit.riffles(7)(rng, pit.new_decks((True, True, False, False))))]),
    "one shoe, 12 natural wins of Banker": (20, lambda rng: [pit.dealt(pit.arranged(rng, 12, "natural"))]),
    "5 riffles, last coup on top, 5 shoes": (10, _riffled(TRIED, "5 riffles", 5)),
    "7 riffles, last coup on top, 8 shoes": (10, _riffled(TRIED, "7 riffles", 8)),
    "slug of 50, as dealt": (10, _with_slug("dealing order", False, 50)),
    "slug of 50, as dealt, turned": (10, _with_slug("dealing order", True, 50)),
    "slug of 50, Player first, last on top": (10, _with_slug("hand by hand", True, 50)),
    "slug of 50, Banker first, last on top": (10, _with_slug("Banker's hand first, turned", True, 50)),
    "12 natural wins of Banker, 4 shoes": (10, _cooler),
    "slug of 50, Player first, riffled once": (10, _with_slug("hand by hand", True, 50, 1)),
    "slug of 50, anyhow, riffled once": (10, _with_slug("anyhow", True, 50, 1)),
    "3 riffles, last coup on top, 3 shoes": (10, _riffled(TRIED, "3 riffles", 3)),
    "5 riffles, last coup on top, 3 shoes": (10, _riffled(TRIED, "5 riffles", 3)),
    "5 riffles, third card in the middle, 3 shoes": (10, _riffled("third card in the middle", "5 riffles", 3)),
    "5 riffles, anyhow, 3 shoes": (10, _riffled("anyhow", "5 riffles", 3)),
    "wash, 1 riffle, 5 shoes": (10, _riffled(TRIED, "wash, 1 riffle", 5)),
    "7 riffles, dealing order, 8 shoes": (10, _riffled("dealing order", "7 riffles", 8)),
}  # fmt: skip


def whole(folder: Path) -> None:
    """How many logs the command flags, and in how many of them it names the faulty shoe."""
    for name, (logs, shoes_of) in WHOLE.items():

        def work(name: str = name, logs: int = logs, shoes_of: Callable[..., list[pit.Shoe]] = shoes_of) -> list[Any]:
            flagged, named, failed, kinds = 0, 0, 0, []
            for log in range(logs):
                rng = np.random.default_rng([*name.encode(), log])
                shoes = shoes_of(rng)
                path = folder / "logs" / f"{name}-{log}.csv"
                path.parent.mkdir(exist_ok=True)
                lines = ["table,shoe,coup,player,banker,burn"]
                for number, shoe in enumerate(shoes):
                    burn = " ".join([card_name(shoe.burned[0]), *"?" * (len(shoe.burned) - 1)])
                    for coup, hands in enumerate(shoe.coups):
                        cards = [" ".join(map(card_name, hand)) for hand in hands]
                        lines.append(f"1,{number + 1},{coup + 1},{','.join(cards)},{burn if coup == 0 else ''}")
                path.write_text("\n".join(lines) + "\n")
                review = shuffle_review(pit.table_log(shoes), pit.DECKS)
                flagged += bool(review.findings)
                failed += review.regulators is not None and review.regulators <= REGULATORS
                kinds += [finding.kind for finding in review.findings]
                where = {"slug": "4", "12 n": "3", "one s": "1"}
                shoe = next((shoe for start, shoe in where.items() if name.startswith(start)), None)
                named += any(finding.shoe == shoe for finding in review.findings) if shoe else 0
            return [{"case": name, "logs": logs, "flagged": flagged, "named": named, "regulators": failed,
                     "kinds": {kind: kinds.count(kind) for kind in sorted(set(kinds))}}]  # fmt: skip

        kept(folder / "whole.jsonl", name, work)


HERE = Path(__file__).parent
SHIPPED = Path(counting.__file__).parent / "review" / "shuffle" / "shuffle_power.csv"
SURE = 0.9
_THEN = ", and the whole shoe is then shuffled and cut"
ASSUMED = {
    TRIED: f"the discards are gathered hand by hand, in one of the 66 orders tried{_THEN}",
    "anyhow": f"the cards of each coup are gathered in no fixed order{_THEN}",
    "third card in the middle": "a hand's third card is gathered between its first two cards (none of the 66 orders "
    f"allows for this){_THEN}",
    "pickup": f"the pit always gathers the discards in the same order, which is given to the test{_THEN}",
    "new": "every shoe consists of new decks in order, and is then shuffled as a whole",
    "slug": "one shoe has a slug that came unshuffled from one of the three shoes before it, and the cards of each "
    "coup in the slug may be in any order",
    "one": "one shoe has coups that were arranged",
    "all": "every shoe lacks the same card, or has the same extra card; an extra card is found if two shoes show it "
    "too often",
}
IN_WORDS = {  # shuffles and faults as the file in the package names them, if not by their names here
    "5 riffles with strips": "5 riffles, with strips between them,",
    "wash, 1 riffle": "a wash and 1 riffle",
    "wash, 2 riffles": "a wash and 2 riffles",
    "by parts, 1 pass": "1 shuffle by parts",
    "by parts, 2 passes": "2 shuffles by parts",
    "by parts, 3 passes": "3 shuffles by parts",
    "by parts and a strip, 2 passes": "2 shuffles by parts, with strips,",
    **{f"a card missing{kind}": f"a missing card{kind}" for kinds in COUNTED.values() for kind in kinds},
}


def rows_of(folder: Path, name: str) -> list[dict[str, Any]]:
    path = folder / f"{name}.jsonl"
    if not path.exists():
        return []
    return [row for line in path.read_text().splitlines() for row in json.loads(line)["rows"]]


def fewest(rows: list[dict[str, Any]]) -> tuple[int | None, int, int]:
    """Three numbers: the number of shoes that is enough, the largest number of shoes tried, and the number of logs. A
    number of shoes is enough if at least nine of ten logs are flagged at this number and at every larger number tried;
    None if no number tried is enough."""
    rows = sorted(rows, key=lambda row: row["shoes"])
    enough = None
    for row in reversed(rows):
        if row["among"] < SURE:
            break
        enough = row
    return (enough and enough["shoes"]), rows[-1]["shoes"], (enough or rows[-1])["logs"]


def write(folder: Path) -> None:
    """Write the tables, and the file in the package."""
    needed: list[dict[str, Any]] = []

    def add(fault: str, assumed: str, in_a_row: bool, knows: str, found: tuple[int | None, int, int]) -> None:
        shoes, most, logs = found
        single = assumed in (ASSUMED["slug"], ASSUMED["one"])
        needed.append({"fault": fault, "assumed": assumed, "largest_log": SINGLE if single else None,
                       "in_a_row": str(in_a_row).lower(), "knows": knows, "shoes": shoes, "most": most,
                       "logs": logs})  # fmt: skip

    power_rows, new_rows = [], []
    for row in rows_of(folder, "power"):
        (new_rows if "riffles" in row and "up" in row else power_rows).append(row)
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in power_rows:
        if not row["missing"]:
            gathered = "pickup" if row["pickup"] else row["gathered"]
            groups.setdefault((row["knows"], gathered, row["shuffle"], row["lag"]), []).append(row)
    order = list(ASSUMED)
    for key in sorted(groups, key=lambda key: (order.index(key[1]) if key[1] in order else 99, key[3], names(key[2]))):
        knows, gathered, shuffled, lag = key
        if gathered in ASSUMED:
            words = IN_WORDS.get(shuffled, shuffled)
            fault = f"{words} of the shoe before" if lag == 1 else f"{words}, with two batches that take turns"
            add(fault, ASSUMED[gathered], True, knows, fewest(groups[key]))
    new: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in new_rows:
        new.setdefault((row["knows"], len(set(row["up"])) > 1, row["riffles"]), []).append(row)
    for (knows, mixed, number), rows in sorted(new.items(), key=lambda item: (item[0][1], item[0][2])):
        worst = []
        for shoes in sorted({row["shoes"] for row in rows}):
            some = [row for row in rows if row["shoes"] == shoes]
            worst.append({**some[0], "among": min(row["among"] for row in some)})
        add(f"{number} riffles{' (two suits up, two down)' * mixed}", ASSUMED["new"], False, knows, fewest(worst))
    by_length: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in rows_of(folder, "slugs"):
        if not row["missing"]:
            by_length.setdefault((row["knows"], row["cards"]), []).append(row)
    for knows in ("card", "rank", "value"):
        sure = [
            (length, min(row["logs"] for row in rows)) for (known, length), rows in sorted(by_length.items())
            if known == knows and len(rows) == len(SLUG_ORDERS) and min(row["flagged"] for row in rows) >= SURE
        ]  # fmt: skip
        if sure:
            add(f"a slug of {sure[0][0]} cards", ASSUMED["slug"], True, knows, (2, 2, sure[0][1]))
    words = {"natural": "natural wins of one side in a row", "naturals by turns": "naturals in a row",
             "wins": "wins of one side in a row",
             "wins by turns": "wins in a row, by the two sides in turn"}  # fmt: skip
    for kind, word in words.items():
        rows = [row for row in rows_of(folder, "coolers") if row["kind"] == kind]
        sure = [row["coups"] for row in rows if row["flagged"] >= SURE]
        for knows in ("card", "rank", "value"):
            if rows:
                add(f"{sure[0] if sure else rows[-1]['coups']} {word}", ASSUMED["one"], False, knows,
                    (1 if sure else None, 20, rows[0]["logs"]))  # fmt: skip
    counts: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows_of(folder, "counts"):
        counts.setdefault((row["knows"], row["fault"]), []).append(row)
    for (knows, fault), rows in counts.items():
        add(IN_WORDS.get(fault, fault), ASSUMED["all"], False, knows, fewest(rows))
    needed.sort(key=lambda row: list(ASSUMED.values()).index(row["assumed"]))
    pl.DataFrame(needed, infer_schema_length=None).write_csv(SHIPPED)
    pl.DataFrame(power_rows, infer_schema_length=None).write_csv(HERE / "power.csv")
    riffles = [
        {"fault": f"{row['shuffle']}, {row['gathered']}", "shoes": row["shoes"], "flagged": row["among"]}
        for row in power_rows
        if row["knows"] == "card" and row["lag"] == 1 and not row["missing"] and not row["pickup"]
        and row["gathered"] in (TRIED, "anyhow", "third card in the middle") and row["shuffle"] in RIFFLES[4:8]
    ]  # fmt: skip
    if riffles:
        (HERE / "power.svg").write_text(drawing.svg(drawing.single(detected, pl.DataFrame(riffles))))
    for name in ("slugs", "coolers", "size"):
        if rows := rows_of(folder, name):
            pl.DataFrame(rows, infer_schema_length=None).write_csv(HERE / f"{name}.csv")
    _tables(folder, power_rows, needed)


def names(shuffled: str) -> int:
    return list(SHUFFLES).index(shuffled)


def _tables(folder: Path, power_rows: list[dict[str, Any]], needed: list[dict[str, Any]]) -> None:
    notes = HERE / "notes.md"
    faults: dict[tuple[str, str], dict[str, str]] = {}
    for row in needed:
        shown = f"{row['shoes']}" if row["shoes"] else f"more than {row['most']}"
        within = f", in a log of at most {row['largest_log']} shoes" if row["largest_log"] else ""
        faults.setdefault((row["assumed"] + within, row["fault"]), {})[row["knows"]] = f"{shown} ({row['logs']})"
    put(notes, ["assumed", "fault", "cards known", "ranks only", "values only"],
        [[*key, *(of.get(knows, "") for knows in ("card", "rank", "value"))] for key, of in faults.items()],
        "needed")  # fmt: skip
    cells: dict[tuple[Any, ...], dict[int, str]] = {}
    for row in power_rows:
        name = row["gathered"] + ", its order given" * row["pickup"] + ", 3% of coups missing" * bool(row["missing"])
        key = (row["knows"], name, row["shuffle"] + ", two batches by turns" * (row["lag"] > 1))
        cells.setdefault(key, {})[row["shoes"]] = f"{row['alone']:.2f} / {row['among']:.2f} ({row['logs']})"
    put(notes, ["known", "gathered", "shuffled", *(f"{shoes} shoes" for shoes in SHOES)],
        [[*key, *(of.get(shoes, "") for shoes in SHOES)] for key, of in cells.items()], "power")  # fmt: skip
    slug_rows = rows_of(folder, "slugs")
    lengths = sorted({row["cards"] for row in slug_rows})
    of_slugs: dict[tuple[Any, ...], dict[int, str]] = {}
    for row in slug_rows:
        key = (row["knows"], f"{row['missing']:.0%}", row["order"])
        of_slugs.setdefault(key, {})[row["cards"]] = f"{row['flagged']:.2f} ({row['logs']})"
    put(notes, ["known", "coups missing", "order", *map(str, lengths)],
        [[*key, *(of.get(length, "") for length in lengths)] for key, of in of_slugs.items()], "slugs")  # fmt: skip
    cooler_rows = rows_of(folder, "coolers")
    numbers = sorted({row["coups"] for row in cooler_rows})
    kinds = {row["kind"]: {} for row in cooler_rows}
    for row in cooler_rows:
        kinds[row["kind"]][row["coups"]] = f"{row['flagged']:.2f} / {row['alone']:.2f}"
    put(notes, ["coups arranged", *map(str, numbers)],
        [[kind, *(of.get(number, "") for number in numbers)] for kind, of in kinds.items()], "coolers")  # fmt: skip
    sizes = rows_of(folder, "size")
    tests = [name for name in TESTS if any(name in row for row in sizes)]
    shoes = sorted({row["shoes"] for row in sizes})
    table = []
    for name in [*tests, "flagged"]:
        cells_of = []
        for number in shoes:
            some = [row for row in sizes if row["shoes"] == number]
            hits = sum(row["flagged"] if name == "flagged" else row.get(name, 1.0) <= LEVEL for row in some)
            cells_of.append(f"{100 * hits / len(some):.1f}% of {len(some)}")
        table.append(["any, all tests together" if name == "flagged" else name, *cells_of])
    put(notes, ["test", *(f"{number} shoes" for number in shoes)], table, "sizes")
    whole_rows = rows_of(folder, "whole")
    before = {}
    if (HERE / "before.csv").exists():
        before = {row["case"]: row for row in pl.read_csv(HERE / "before.csv").to_dicts()}
    heads = ["log", "logs", "version 0.2", "flagged", "faulty shoe named", "fail the regulators' test", "by test"]
    table = []
    for row in whole_rows:
        numbers = row["logs"], before.get(row["case"], {}).get("flagged", ""), row["flagged"], row["named"]
        kinds = ", ".join(f"{kind} {n}" for kind, n in row["kinds"].items())
        table.append([row["case"], *map(str, numbers), str(row["regulators"]), kinds])
    put(notes, heads, table, "whole")


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    parts = {
        "power": power, "slugs": slugs, "coolers": arranged, "counts": counted_faults, "whole": whole, "size": size,
        "write": write,
    }  # fmt: skip
    for name in sys.argv[2:] or parts:
        parts[name](folder)


if __name__ == "__main__":
    main()
