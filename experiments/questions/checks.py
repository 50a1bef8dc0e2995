"""Answer the questions a second time, with short plain programs: sums over all coups of a full shoe, plain dealing, and
simple sums.

Nothing here uses the package. `ALL` and `OF_LOGS` have the function that answers each question, by the question's
number.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from functools import cache
from math import comb
from pathlib import Path
from random import Random

import numpy as np

from experiments.questions.logs import ERRORS
from experiments.results import plain
from experiments.verdicts import pit

FULL = (128, *[32] * 9)
P1, B1, P2, B2, FIFTH, SIXTH = range(6)
CUT_ONE_DECK, STANDARD = 52, 14


class Coups:
    """All coups of six cards by value, in dealing order, with both totals and who drew a third card."""

    def __init__(self) -> None:
        self.cards = cards = np.indices([10] * 6, np.int8).reshape(6, -1)
        p, b = (cards[P1] + cards[P2]) % 10, (cards[B1] + cards[B2]) % 10
        self.natural = np.maximum(p, b) >= 8
        self.player_drew = ~self.natural & (p <= 5)
        draws = np.array([[plain.banker_draws(total, third) for third in range(10)] for total in range(10)])
        self.banker_drew = ~self.natural & np.where(self.player_drew, draws[b, cards[FIFTH]], b <= 5)
        last = np.where(self.player_drew, cards[SIXTH], cards[FIFTH])
        self.player = np.where(self.player_drew, (p + cards[FIFTH]) % 10, p)
        self.banker = np.where(self.banker_drew, (b + last) % 10, b)
        self.tie = self.player == self.banker

    def even(self, on_player: bool, win: float) -> np.ndarray:
        """What a bet on Player or Banker pays on each coup. `win`: what it pays if it wins."""
        ahead = self.player > self.banker if on_player else self.banker > self.player
        return np.where(self.tie, 0.0, np.where(ahead, win, -1.0))

    @property
    def dragon(self) -> np.ndarray:
        return (self.banker == 7) & self.banker_drew & (self.banker > self.player)


@cache
def coups() -> Coups:
    return Coups()


def earlier(cards: np.ndarray) -> np.ndarray:
    """For each card of each coup: how many cards of the same value come before it in the coup (6, coups)."""
    return np.array([(cards[:place] == cards[place]).sum(axis=0) for place in range(6)], np.int8)


def chances(left: Sequence[int], cards: np.ndarray, before: np.ndarray) -> np.ndarray:
    """The chance of each coup. `left`: the cards left, by value. `cards` and `before`: the coups' cards and the result
    of `earlier`, both (6, coups)."""
    ways, total = np.ones(cards.shape[1]), sum(left)
    for place in range(6):
        ways *= np.maximum(np.array(left)[cards[place]] - before[place], 0) / (total - place)
    return ways


@cache
def full() -> np.ndarray:
    return chances(FULL, coups().cards, earlier(coups().cards))


@cache
def main_bets() -> tuple[np.ndarray, ...]:
    each = coups()
    return each.even(True, 1), each.even(False, 0.95), np.where(each.tie, 8.0, -1.0)


def gain(seen: np.ndarray, bets: Sequence[np.ndarray]) -> tuple[float, np.ndarray, np.ndarray]:
    """Three results: the gain per coup of a bettor who makes the best bet for what is seen, if it has an edge; the
    chance of each thing that may be seen; and the edge of the best bet for it."""
    share = np.bincount(seen, full())
    sums = np.array([np.bincount(seen, full() * bet) for bet in bets])
    best = sums.max(axis=0)
    return float(np.maximum(best, 0).sum()), share, best / share


def percent(*figures: float) -> str:
    return ", ".join(f"{100 * figure:.3f}%" for figure in figures)


def first_card() -> str:
    return percent(*(gain(coups().cards[place], main_bets())[0] for place in (P1, B1, FIFTH, SIXTH)))


def both_hands() -> str:
    high = (coups().cards >= 6) & (coups().cards <= 9)
    seen = 3 * (high[P1].astype(int) + high[P2]) + high[B1] + high[B2]
    value, share, edges = gain(seen, main_bets())
    return f"{percent(value)} over all; {percent(edges[3])} in {percent(share[3])} of coups"


def exposed() -> str:
    left = list(FULL)
    for value in (9, 9, 9, 8, 8, 0, 0):
        left[value] -= 1
    ways = chances(left, coups().cards, earlier(coups().cards))
    return percent(*(float(ways @ bet) for bet in main_bets()))


def marked() -> str:
    seen = (coups().cards[P1] >= 7).astype(np.int64)
    share, edges = gain(seen, main_bets()[:1])[1:]
    return f"{percent(edges[1])} in {percent(share[1])} of coups"


def nine() -> str:
    mine = coups().cards[P1] == 9
    return percent(float((full() * main_bets()[0])[mine].sum() / full()[mine].sum()))


def sixth_card() -> str:
    return percent(gain(coups().cards[SIXTH], [np.where(coups().dragon, 40.0, -1.0)])[0])


def lucky_6() -> str:
    """Lucky 6 with Shackleford's tags, bet at a true count of 6 or more."""
    each = coups()
    six = (each.banker == 6) & (each.banker > each.player)
    pays = np.where(six, np.where(each.banker_drew, 23.0, 12.0), -1.0)
    mean, error = dealt_edges(600, 4, STANDARD, True, pays, counted((0, 0, 0, 0, 0, 0, -3, 1, 1, 1), 6), False)
    return f"{percent(float(full() @ pays))} on a full shoe; {mean:.3f} ± {error:.3f} units per 100 coups"


def four_percent() -> str:
    return f"{100 * float(full() @ coups().even(False, 0.96)):.5f}%"


def meter() -> str:
    each = coups()
    hit = each.tie & (each.player == 9) & each.player_drew & each.banker_drew
    p, other = full()[hit].sum(), full()[each.tie & ~hit].sum()
    return f"{10 * (1 - p - 9 * other) / p:.1f} units"


def dealt_edges(
    shoes: int, seed: int, behind: int, burn: bool, wins: np.ndarray, bets: Callable[[Sequence[int]], bool], knows: bool
) -> tuple[float, float]:
    """The sum of the edges of a counter's bets per 100 coups, and its error. Shoes are dealt card by card. The counter
    bets if `bets` is true for the cards left. The bet's edge is then computed from the coups on which the bet does not
    lose. With `knows`, the counter knows this edge, and bets only if it is positive."""
    columns = np.flatnonzero(wins != -1)
    cards, pays = coups().cards[:, columns], wins[columns] + 1
    before, rng = earlier(cards), Random(seed)
    totals, numbers = np.zeros(shoes), np.zeros(shoes)
    for shoe in range(shoes):
        order = [min(rank, 10) % 10 for rank in plain.shoe(rng)]
        left, at, last = list(FULL), 0, False
        if burn:
            at = 1 + (order[0] or 10)
            left[order[0]] -= 1
        while not last:
            last = at >= len(order) - behind
            if bets(left):
                edge = float(chances(left, cards, before) @ pays) - 1
                totals[shoe] += max(edge, 0) if knows else edge
            used = plain.coup([value or 10 for value in order[at : at + 6]], 0).cards
            for value in order[at : at + used]:
                left[value] -= 1
            at += used
            numbers[shoe] += 1
    mean = totals.sum() / numbers.sum()
    return 100 * mean, 100 * float((totals - mean * numbers).std()) * shoes**0.5 / numbers.sum()


def counted(tags: Sequence[int], trigger: float) -> Callable[[Sequence[int]], bool]:
    """A function that tells whether the true count is at the trigger or above, from the cards left. Tags are by value,
    from 0 to 9."""
    return lambda left: (
        52 * sum(tag * (of - now) for tag, of, now in zip(tags, FULL, left, strict=True)) >= trigger * sum(left)
    )


def shift() -> str:
    """The Dragon 7 with bets of 25, over 8 hours with 70 coups each. Coups with Jacobson's true count below 1.5 are not
    priced."""
    may = counted((0, 0, 0, 0, -1, -1, -1, -1, 2, 2), 1.5)
    mean, error = dealt_edges(600, 1, CUT_ONE_DECK, False, np.where(coups().dragon, 40.0, -1.0), may, True)
    return f"{mean:.3f} ± {error:.3f} units per 100 coups, {25 * 5.6 * mean:.1f} ± {25 * 5.6 * error:.1f} per shift"


def half_on_six() -> str:
    """Banker, with half paid on a winning six. Coups with more than 36 cards left are not priced."""
    each = coups()
    pays = np.where((each.banker == 6) & (each.banker > each.player), 0.5, each.even(False, 1.0))
    mean, error = dealt_edges(400, 2, STANDARD, True, pays, lambda left: sum(left) <= 36, True)
    return f"{mean:.4f} ± {error:.4f} units per 100 coups"


def dragon_bonus() -> str:
    """The Dragon Bonus on Player with How's tags, bet at a true count of 5 or more."""
    each = coups()
    margin = each.player - each.banker
    by = np.array([-1.0, -1, -1, -1, 1, 2, 4, 6, 10, 30])[np.maximum(margin, 0)]
    pays = np.where(each.natural, np.where(margin > 0, 1.0, np.where(margin == 0, 0.0, -1.0)), by)
    tags = (-1, 1, 2, 2, 1, 1, 0, -1, -1, -1)
    mean, error = dealt_edges(200, 3, STANDARD, True, pays, counted(tags, 5), False)
    return f"{percent(float(full() @ pays))} on a full shoe; {mean:.3f} ± {error:.3f} units per 100 coups"


def steps(rounds: int) -> np.ndarray:
    """The distribution of the net result of `rounds` bets of 10,000 on Banker, in steps of 500. A win is 19 steps, a
    loss 20 steps, and a tie 0."""
    each = coups()
    win, loss = full()[each.banker > each.player].sum(), full()[each.banker < each.player].sum()
    law = np.zeros(39 * rounds + 1)
    law[20 * rounds] = 1
    for _ in range(rounds):
        law = (1 - win - loss) * law + win * np.roll(law, 19) + loss * np.roll(law, -20)
    return law


def three_days() -> str:
    law = steps(960)
    amounts = 500 * (np.arange(len(law)) - 20 * 960)
    low, high = (amounts[np.searchsorted(law.cumsum(), share)] for share in (0.05, 0.95))
    return f"5% at {low:,}, 95% at {high:,}; ahead in {100 * law[amounts > 0].sum():.2f}%"


def rebate() -> str:
    """The break-even rate of a rebate, and what a rebate of 10% is worth to a patron who stops at a win of 17,000 or a
    loss of 17,500. Amounts are in steps of 500."""
    each = coups()
    win, loss = full()[each.banker > each.player].sum(), full()[each.banker < each.player].sum()
    rate = 1 - 0.95 * win / loss
    paid, now = 0.0, {0: 1.0}
    for _ in range(400):
        after: dict[int, float] = {}
        for at, chance in now.items():
            for step, share in ((19, win), (-20, loss), (0, 1 - win - loss)):
                to = at + step
                if to >= 34 or to <= -35:
                    paid += chance * share * 500 * (to if to > 0 else 0.9 * to)
                else:
                    after[to] = after.get(to, 0.0) + chance * share
        now = after
    return f"worth something above a rate of {percent(float(rate))}; 10% is worth {paid:.0f}"


def wash() -> str:
    """The mean and the standard deviation of a coup's result, if half of the bets are on Player and half on Banker, and
    1.6% of each lost chip is paid back."""
    results = [np.where(bet == -1, -1 + 0.016, bet) for bet in main_bets()[:2]]
    mean = sum(float(full() @ result) for result in results) / 2
    square = sum(float(full() @ result**2) for result in results) / 2
    number, chip = 11_055, 100_000
    deviation = chip * (number * (square - mean**2)) ** 0.5
    return f"{(4_000_000 - chip * number * mean) / deviation:.2f} standard deviations of {deviation:,.0f}"


def streak(folder: Path) -> str:
    """The longest streak of the shoe, and its exact chance. All arrangements of the shoe's wins of Player and Banker
    are counted."""
    line = (folder / "streak.txt").read_text().strip().replace("T", "")
    found = max(map(len, (line.replace("PB", "P B").replace("BP", "B P")).split()))
    numbers = {side: line.count(side) for side in "PB"}
    shorter = _arranged(numbers["P"], numbers["B"], found)
    every = comb(len(line), numbers["P"])
    return f"{found} in a row; as long in {100 * (1 - shorter / every):.3f}% of the arrangements of this shoe"


def _arranged(players: int, bankers: int, most: int) -> int:
    """The number of arrangements of wins without a streak of `most`."""

    @cache
    def ways(this: int, other: int) -> int:
        """The number of arrangements that begin with a streak of the first side."""
        if not other:
            return int(0 < this < most)
        return sum(ways(other, this - run) for run in range(1, min(this, most - 1) + 1))

    return ways(players, bankers) + ways(bankers, players)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def stacked(folder: Path) -> str:
    """The shoe that begins with the most natural wins of Banker in a row, and the chance of such a win."""
    runs: dict[str, int] = {}
    over: set[str] = set()
    for row in rows(folder / "stacked.csv"):
        banker = row["banker"].split()
        if len(banker) == 2 and pit.total(banker) >= 8 and row["winner"] == "banker" and row["shoe"] not in over:
            runs[row["shoe"]] = runs.get(row["shoe"], 0) + 1
        else:
            over.add(row["shoe"])
    each = coups()
    chance = full()[each.natural & (each.banker > each.player) & ~each.banker_drew].sum()
    most = max(runs, key=lambda shoe: runs[shoe])
    return f"shoe {most} begins with {runs[most]} natural wins of Banker, each with a chance of {chance:.4f}"


def slug(folder: Path) -> str:
    """The longest run of successive cards in a shoe that also occurs in the rack of the shoe before."""
    shoes: dict[int, list[pit.Coup]] = {}
    for row in rows(folder / "slug.csv"):
        shoes.setdefault(int(row["shoe"]), []).append(pit.Coup(row["player"].split(), row["banker"].split()))
    best = []
    for shoe in range(2, len(shoes) + 1):
        rack = pit.rack(shoes[shoe - 1], pit.hand_by_hand, last_on_top=True)
        before = [0] * (len(rack) + 1)
        for place, card in enumerate(card for coup in shoes[shoe] for card in pit.as_dealt(coup)):
            now = [0] * (len(rack) + 1)
            for at, other in enumerate(rack, 1):
                if card == other:
                    now[at] = before[at - 1] + 1
            best.append((max(now), shoe, place + 1))
            before = now
    length, shoe, _ = max(best)
    others = max(each for each, of, _ in best if of != shoe)
    return f"{length} cards of shoe {shoe} lie as in the rack; no other shoe has more than {others}"


def late(folder: Path) -> str:
    """For each patron: how many of the large bets are on the side that Player's first card favours."""
    first = {(row["shoe"], row["coup"]): row["player"].split()[0] for row in rows(folder / "late-coups.csv")}
    right: dict[str, list[bool]] = {}
    for row in rows(folder / "late-bets.csv"):
        if row["patron"].startswith("K") and float(row["amount"]) == 5000:
            high = 6 <= pit.value(first[row["shoe"], row["coup"]]) <= 9
            right.setdefault(row["patron"], []).append(high == (row["bet"] == "player"))
    return "; ".join(
        f"{name}: {sum(of)} of {len(of)} large bets on the side that the first card favours"
        for name, of in sorted(right.items())
    )


def errors(folder: Path) -> str:
    """The number of errors of each dealer, by the rules, and the interval for all dealers together, by sums of the
    binomial distribution."""
    found, seen = dict.fromkeys(ERRORS, 0), dict.fromkeys(ERRORS, 0)
    for row in rows(folder / "errors.csv"):
        player, banker = row["player"].split(), row["banker"].split()
        dealer = row["dealer"]
        seen[dealer] += 1
        p, b = pit.total(player[:2]), pit.total(banker[:2])
        drew, third = p <= 5 and max(p, b) < 8, len(player) == 3
        if drew != third:
            found[dealer] += 1
        elif max(p, b) < 8:
            card = pit.value(player[2]) if third else None
            found[dealer] += pit.banker_draws(b, card) != (len(banker) == 3)
    number, of = sum(seen.values()), sum(found.values())
    low, high = (_rate(number, of - at, tail) for at, tail in ((1, 0.975), (0, 0.025)))
    by = ", ".join(f"{name} {found[name]} of {seen[name]:,}" for name in found)
    return f"{by}; {1e5 * of / number:.1f} per 100,000, {1e5 * low:.1f} to {1e5 * high:.1f}"


def _rate(coups: int, errors: int, tail: float) -> float:
    """The rate at which `errors` or fewer errors have the chance `tail`."""
    low, high = 0.0, 0.1
    for _ in range(60):
        rate = (low + high) / 2
        below = sum(comb(coups, k) * rate**k * (1 - rate) ** (coups - k) for k in range(errors + 1))
        low, high = (rate, high) if below > tail else (low, rate)
    return low


ALL: dict[str, Callable[[], str]] = {
    "1": shift, "2": half_on_six, "3": first_card, "4": both_hands, "5": exposed, "5b": marked, "6": nine,
    "7": sixth_card, "11": rebate, "12": three_days, "14": meter, "17": wash, "18": dragon_bonus, "19": lucky_6,
    "20": four_percent,
}  # fmt: skip
OF_LOGS: dict[str, Callable[[Path], str]] = {
    "8": stacked, "9": slug, "10": late, "15": errors, "21": streak,
}  # fmt: skip
