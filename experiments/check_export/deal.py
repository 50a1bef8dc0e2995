"""Find the weights of an export anew from its rules, in plain Python alone: python experiments/check_export/deal.py
FOLDER

Deals each of the million orders of six values by tableau.csv, and looks up what it shows in outcomes.csv.
"""

import csv
import sys
from collections import Counter
from itertools import product
from pathlib import Path


def deal(cards, draws):
    """The totals and numbers of cards when six values go to Player, Banker, Player, Banker, then by the tableau."""
    player, banker, left = [cards[0], cards[2]], [cards[1], cards[3]], list(cards[4:])
    if sum(player) % 10 < 8 and sum(banker) % 10 < 8:
        if draws["player", ""][sum(player) % 10] == "D":
            player.append(left.pop(0))
        third = str(player[2]) if len(player) == 3 else "none"
        if draws["banker", third][sum(banker) % 10] == "D":
            banker.append(left.pop(0))
    return sum(player) % 10, sum(banker) % 10, len(player), len(banker)


def orders(draws):
    """In how many orders of each multiset of six values each outcome shows."""
    return Counter((deal(cards, draws), tuple(sorted(cards))) for cards in product(range(10), repeat=6))


def check(folder):
    names = ("tableau.csv", "outcomes.csv", "weights.csv")
    tableau, outcomes, stated = (list(csv.DictReader((folder / name).read_text().splitlines())) for name in names)
    dealt = orders({(row["hand"], row["player_third"]): list(row.values())[2:] for row in tableau})
    listed = {tuple(map(int, list(row.values())[:4])): [e for e in list(row)[4:] if row[e] == "1"] for row in outcomes}
    if odd := listed.keys() ^ {outcome for outcome, _ in dealt}:
        sys.exit(f"outcomes.csv: {min(odd)} is listed and never dealt, or dealt and not listed")
    weights = Counter()
    for (outcome, cards), ways in dealt.items():
        for event in listed[outcome]:
            weights[event, cards] += ways
    for row in stated:
        cards = tuple(value for value in range(10) for _ in range(int(row.pop(f"of_{value}"))))
        for event, weight in row.items():
            ways = weights.pop((event, cards), 0)
            if int(weight) != ways:
                sys.exit(f"weights.csv: {event} of {cards}: {weight}, should be {ways}")
    for event, cards in weights:
        sys.exit(f"weights.csv: {event} of {cards}: missing, should be {weights[event, cards]}")
    print(f"{folder}: 1,000,000 deals by its tableau give the weights of its {len(stated):,} multisets")


if __name__ == "__main__":
    check(Path(sys.argv[1]))
