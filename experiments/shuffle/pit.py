"""A pit in plain Python. It deals cards, gathers them into the discard rack and shuffles them. Faults can be planted in
its logs.

It follows what dealers do, and does not use the package's code for orders and distances. A card is 4 x rank + suit,
from 0 to 51, with ranks from ace to king. A shoe is a list that begins with its first card; a rack is a list that
begins with its top card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from counting.logs import COUPS, NO_CARD, PLACES, UNREAD, Log

DECKS, CUT = 8, 14
SIZE = 52 * DECKS
MISSING = 4 * 6 + 1  # the seven of hearts
KING = 4 * 12 + 1  # the king of hearts

Cards = list[int]
Coup = tuple[Cards, Cards]  # Player's cards and Banker's cards, as dealt
Gather = Callable[[np.random.Generator, Coup], Cards]
Shuffle = Callable[[np.random.Generator, Cards], Cards]


def value(card: int) -> int:
    return 0 if card >= 36 else card // 4 + 1


def new_decks(up: Sequence[bool] = (True, True, True, True)) -> Cards:
    """New decks, in the order in which they come out of their boxes. `up`: for each suit, whether it runs from ace to
    king; otherwise it runs from king to ace."""
    deck = [4 * rank + suit for suit in range(4) for rank in (range(13) if up[suit] else range(12, -1, -1))]
    return deck * DECKS


def at_random(rng: np.random.Generator) -> Cards:
    return rng.permutation(new_decks()).tolist()


@dataclass
class Shoe:
    """A shoe as dealt: the burned cards, of which the first is shown, the coups, and the cards that were not dealt."""

    burned: Cards
    coups: list[Coup]
    rest: Cards


def one_coup(cards: Cards) -> Coup:
    """Deal a coup by the rules of punto banco. `cards`: at least six cards."""
    player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
    p, b = (sum(map(value, two)) % 10 for two in (player, banker))
    if max(p, b) >= 8:
        return player, banker
    if p >= 6:
        return player, [*banker, cards[4]] if b <= 5 else banker
    third = value(cards[4])
    answers = {3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: {2, 3, 4, 5, 6, 7}, 5: {4, 5, 6, 7}, 6: {6, 7}}
    draws = b <= 2 or third in answers.get(b, ())
    return [*player, cards[4]], [*banker, cards[5]] if draws else banker


def dealt(cards: Cards, cut: int = CUT) -> Shoe:
    """Deal a shoe. The first card is burned. Its value is the number of further cards that are burned, ten for a ten or
    a picture. After the coup in which the cut card comes out, one more coup is dealt."""
    at = 1 + (value(cards[0]) or 10)
    burned, coups = cards[:at], []
    last = False
    while len(cards) - at >= 6:
        coups.append(one_coup(cards[at : at + 6]))
        at += sum(map(len, coups[-1]))
        if last:
            break
        last = len(cards) - at < cut
    return Shoe(burned, coups, cards[at:])


# Ways to pick up a coup. Each gives the coup's cards, from the top of the packet.
GATHERED: dict[str, Gather] = {
    "hand by hand": lambda _, coup: [*coup[0], *coup[1]],
    "Banker's hand first, turned": lambda _, coup: [*coup[1][1::-1], *coup[1][2:], *coup[0][1::-1], *coup[0][2:]],
    "hands mirrored": lambda _, coup: [*coup[0], *coup[1][::-1]],
    "dealing order": lambda _, coup: [card for i in range(3) for hand in coup for card in hand[i : i + 1]],
    "third card in the middle": lambda _, coup: [card for hand in coup for card in (hand[0], *hand[2:], hand[1])],
    "winner's hand first": lambda _, coup: [*_winner(coup)[0], *_winner(coup)[1]],
    "swept from the right": lambda _, coup: [card for i in (2, 1, 0) for hand in coup for card in hand[i : i + 1]],
    "anyhow": lambda rng, coup: rng.permutation([*coup[0], *coup[1]]).tolist(),
}


def _winner(coup: Coup) -> Coup:
    player, banker = (sum(map(value, hand)) % 10 for hand in coup)
    return coup if player >= banker else coup[::-1]


def rack(rng: np.random.Generator, shoe: Shoe, gather: Gather, last_on_top: bool = True, racks: int = 1) -> Cards:
    """The discards of a shoe, from the top. Coups are put into the rack one on top of the other, or into two racks
    alternately. The burned cards are below the coups, and the cards that were not dealt are at the bottom."""
    packets = [gather(rng, coup) for coup in shoe.coups]
    if last_on_top:
        packets.reverse()
    packets = [packet for first in range(racks) for packet in packets[first::racks]]
    return [*(card for packet in packets for card in packet), *shoe.burned, *shoe.rest]


def riffle(rng: np.random.Generator, cards: Cards) -> Cards:
    """A riffle by the model of Gilbert, Shannon and Reeds: the size of the cut is binomial, and all ways to interleave
    the two parts are equally likely."""
    left = int(rng.binomial(len(cards), 0.5))
    from_left = rng.permutation(np.arange(len(cards)) < left)
    after = np.empty(len(cards), np.int64)
    after[from_left], after[~from_left] = cards[:left], cards[left:]
    return after.tolist()


def cut(rng: np.random.Generator, cards: Cards) -> Cards:
    at = int(rng.integers(len(cards) // 4, 3 * len(cards) // 4))
    return cards[at:] + cards[:at]


def strip(rng: np.random.Generator, cards: Cards) -> Cards:
    """Strip the cards: packets of 15 to 40 cards are taken from the top, and each packet is put on top of the packets
    before it."""
    packets = []
    while cards:
        size = int(rng.integers(15, 41))
        packets.append(cards[:size])
        cards = cards[size:]
    return [card for packet in packets[::-1] for card in packet]


def wash(rng: np.random.Generator, cards: Cards, spread: float = 40) -> Cards:
    """Wash the cards on the table: each card moves by about `spread` places."""
    return [cards[i] for i in np.argsort(np.arange(len(cards)) + rng.normal(0, spread, len(cards)))]


def riffles(number: int, stripped: bool = False) -> Shuffle:
    """A shuffle: `number` riffles of the whole shoe, then a cut. `stripped`: with a strip between two riffles."""

    def shuffle(rng: np.random.Generator, cards: Cards) -> Cards:
        for i in range(number):
            cards = riffle(rng, strip(rng, cards) if stripped and i else cards)
        return cut(rng, cards)

    return shuffle


def washed(number: int) -> Shuffle:
    return lambda rng, cards: riffles(number)(rng, wash(rng, cards))


def by_parts(passes: int, stripped: bool = False) -> Shuffle:
    """A shuffle by parts. In each pass, half a deck is taken from each half of the shoe, riffled together three times
    and put on a stack, until both halves are used up. The last pass is followed by a cut."""

    def shuffle(rng: np.random.Generator, cards: Cards) -> Cards:
        for _ in range(passes):
            half, stack = len(cards) // 2, []
            for at in range(0, half, 26):
                part = cards[at : at + 26] + cards[half + at : half + at + 26]
                for _ in range(3):
                    part = riffle(rng, part)
                stack = (strip(rng, part) if stripped else part) + stack
            cards = stack
        return cut(rng, cards)

    return shuffle


def slug(
    rng: np.random.Generator, discards: Cards, length: int, first: int, with_others: int = 0, turned: bool = False
) -> Cards:
    """The next shoe with a slug. `length` cards of the rack, from card `first` on, stay together; all other cards are
    shuffled at random. The slug is first riffled `with_others` times with the same number of other cards. `turned`: the
    order of the slug is reversed."""
    kept = discards[first : first + length]
    rest = discards[:first] + discards[first + length :]
    rest = [rest[i] for i in rng.permutation(len(rest))]
    if turned:
        kept = kept[::-1]
    if with_others:
        kept, rest = kept + rest[:length], rest[length:]
        for _ in range(with_others):
            kept = riffle(rng, kept)
    at = int(rng.integers(20, len(rest) - len(kept) - 60))  # before the cut card
    return rest[:at] + kept + rest[at:]


def arranged(rng: np.random.Generator, coups: int, kind: str) -> Cards:
    """A shoe whose first `coups` coups are arranged. `natural`: all are natural wins of Banker. `naturals by turns`:
    natural wins of Player and Banker alternate. `wins` and `wins by turns`: the same, with wins that are not
    natural."""
    while True:
        cards = at_random(rng)
        start = 1 + (value(cards[0]) or 10)
        head, rest, done = cards[:start], cards[start:], []
        for coup in range(coups):
            for _ in range(20_000):
                take = rng.choice(len(rest), 6, replace=False)
                six = [rest[i] for i in take]
                player, banker = one_coup(six)
                p, b = (sum(map(value, hand)) % 10 for hand in (player, banker))
                natural = max(sum(map(value, hand[:2])) % 10 for hand in (player, banker)) >= 8
                sign = -1 if "turns" in kind and coup % 2 else 1
                if sign * (b - p) > 0 and natural == kind.startswith("natural"):
                    used = len(player) + len(banker)
                    done += six[:used]
                    gone = set(take[:used].tolist())
                    rest = [card for i, card in enumerate(rest) if i not in gone]
                    break
            else:
                break
        else:
            return head + done + rest


def table_log(shoes: Sequence[Shoe], missing: float = 0.0, rng: np.random.Generator | None = None) -> Log:
    """The log of shoes at one table. The first burned card is logged, and the others are unknown. `missing`: the share
    of coups that are left out."""
    rows = []
    for number, shoe in enumerate(shoes):
        for coup, (player, banker) in enumerate(shoe.coups):
            if rng is not None and rng.random() < missing:
                continue
            cards = [*player, *[NO_CARD] * (3 - len(player)), *banker, *[NO_CARD] * (3 - len(banker))]
            burn = [shoe.burned[0], *[UNREAD] * (len(shoe.burned) - 1)] if coup == 0 else None
            rows.append((len(rows) + 1, "1", str(number + 1), coup + 1, *cards, burn))
    names = ("line", "table", "shoe", "coup", *PLACES, "burn")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    frame = pl.DataFrame({name: pl.Series(name, values, COUPS[name]) for name, values in columns.items()})
    rest = [pl.Series(name, [None] * len(rows), of) for name, of in COUPS.items() if name not in columns]
    return Log(frame.with_columns(rest).select(list(COUPS)), pl.DataFrame(), pl.DataFrame())


def without_suits(log: Log, values: bool = False) -> Log:
    """The log with ranks only. With `values`, it has values only: all tens and faces are tens."""
    most = 9 if values else 12
    codes = {place: log.coups[place].to_numpy() for place in PLACES}
    ranks = {place: np.where(cards >= 0, 52 + np.minimum(cards // 4, most), cards) for place, cards in codes.items()}
    burn = log.coups["burn"].list.eval(
        pl.when(pl.element() >= 0).then(52 + (pl.element() // 4).clip(0, most)).otherwise(pl.element())
    )
    frame = log.coups.with_columns(**{place: pl.Series(of.astype(np.int8)) for place, of in ranks.items()})
    return Log(frame.with_columns(burn.cast(COUPS["burn"]).alias("burn")), log.bets, log.remarks)


def one_after_another(
    rng: np.random.Generator,
    shoes: int,
    gather: Gather,
    shuffle: Shuffle,
    last_on_top: bool = True,
    racks: int = 1,
    batches: int = 1,
) -> list[Shoe]:
    """The shoes of a table, each shuffled from the discards of the shoe before. If there are several batches of cards,
    they are used in turn, and a shoe is shuffled from the discards of its batch."""
    result = [dealt(at_random(rng)) for _ in range(batches)]
    while len(result) < shoes:
        discards = rack(rng, result[-batches], gather, last_on_top, racks)
        result.append(dealt(shuffle(rng, discards)))
    return result[:shoes]
