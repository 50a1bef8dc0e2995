"""Add up again what `counting export` wrote, in plain Python alone: python experiments/check_export.py FOLDER"""

import csv
import hashlib
import json
import sys
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import perm, prod
from pathlib import Path


def agree(what, found, stated):
    """Say that two mappings are the same, or stop with the first entry in which they differ."""
    for key in found | stated:
        if found.get(key) != stated.get(key):
            sys.exit(f"{what}: {key}: {stated.get(key, 'missing')}, should be {found.get(key, 'left out')}")
    print(f"{what}: {len(stated)} agree")


def check(folder):
    manifest = json.loads((folder / "manifest.json").read_bytes())
    texts = {name: (folder / name).read_bytes() for name in manifest["sha256"]}
    agree("SHA-256", {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()}, manifest["sha256"])
    rows = {name: list(csv.DictReader(text.decode().splitlines())) for name, text in texts.items()}

    shoe = Counter({(row["rank"], row["suit"], row["value"]): int(row["count"]) for row in rows["shoe.csv"]})
    values = [sum(n for card, n in shoe.items() if card[2] == str(value)) for value in range(10)]
    deals, counts = perm(sum(values), 6), Counter()
    for row in rows["weights.csv"]:
        ways = prod(perm(n, int(row.pop(f"of_{value}"))) for value, n in enumerate(values))
        for event, weight in row.items():
            counts[event] += int(weight) * ways
    if "first_cards.csv" in rows:
        shown = Counter()  # Player's two cards in each order, Banker's two from the rest, then any two
        for a, b in product(shoe, repeat=2):
            rest, ways = shoe - Counter([a, b]), shoe[a] * (shoe[b] - (a == b)) * perm(sum(values) - 4, 2)
            for c, d in product(rest, repeat=2):
                shown[a[0] == b[0], a[1] == b[1], c[0] == d[0], c[1] == d[1]] += ways * rest[c] * (rest[d] - (c == d))
        for row in rows["first_cards.csv"]:
            n = shown[tuple(row.pop(key) == "1" for key in list(row)[:4])]
            for event, happens in row.items():
                counts[event] += int(happens) * n
    stated = {row.pop("event"): " of ".join(row.values()) for row in rows["counts.csv"]}
    agree("counts.csv", {event: f"{n} of {deals}" for event, n in counts.items()}, stated)

    edges = {}
    for row in rows["bets.csv"]:
        pay = Fraction(int(row["pay_numerator"]), int(row["pay_denominator"]))
        edges[row["bet"]] = edges.get(row["bet"], -1) + (pay + 1) * Fraction(counts[row["event"]], deals)
    decimals = {bet: f"{Decimal(round(edge * 10**12)).scaleb(-12):.12f}" for bet, edge in edges.items()}
    found = {bet: f"{edge.numerator}, {edge.denominator}, {decimals[bet]}" for bet, edge in edges.items()}
    agree("edges.csv", found, {row.pop("bet"): ", ".join(row.values()) for row in rows["edges.csv"]})
    print(f"{manifest['game']['name']}, {manifest['shoe']}: {len(counts)} events and {len(edges)} edges agree")


if __name__ == "__main__":
    check(Path(sys.argv[1]))
