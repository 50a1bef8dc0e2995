"""Add up an export again, in plain Python only: python experiments/check_export/add_up.py FOLDER"""

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

TABLES = {"tableau.csv", "outcomes.csv", "weights.csv", "shoe.csv", "counts.csv", "bets.csv", "edges.csv"}


def agree(what, found, stated):
    """Print that the entries found agree with the entries stated, or stop at the first difference."""
    told = dict(stated)
    for key in found | told:
        if found.get(key) != told.get(key):
            sys.exit(f"{what}: {key}: {told.get(key, 'missing')}, should be {found.get(key, 'left out')}")
    if len(told) < len(stated):
        sys.exit(f"{what}: an entry stands twice")
    print(f"{what}: {len(told)} agree")


folder = Path(sys.argv[1])
manifest = json.loads((folder / "manifest.json").read_bytes())
texts = {name: (folder / name).read_bytes() for name in sorted(TABLES | manifest["sha256"].keys())}
digests = [(name, hashlib.sha256(text).hexdigest()) for name, text in texts.items() if name in manifest["sha256"]]
agree("SHA-256", dict.fromkeys(TABLES, "of no digest") | manifest["sha256"], digests)
rows = {name: list(csv.DictReader(text.decode().splitlines())) for name, text in texts.items()}
shoe = Counter({(row["rank"], row["suit"], row["value"]): int(row["count"]) for row in rows["shoe.csv"]})
values = [sum(n for card, n in shoe.items() if card[2] == str(value)) for value in range(10)]
agree("shoe.csv", {"cards": sum(int(row["count"]) for row in rows["shoe.csv"])}, [("cards", manifest["cards_left"])])
deals, counts, shown, edges = perm(sum(values), 6), Counter(), Counter(), {}
for row in rows["weights.csv"]:
    ways = prod(perm(n, int(row.pop(f"of_{value}"))) for value, n in enumerate(values))
    counts.update({event: int(weight) * ways for event, weight in row.items()})
if "first_cards.csv" in rows:  # Player's two cards, then Banker's, in every order; the last two may be any cards
    marks = Counter(mark for card in shoe.elements() for mark in card[:2])  # the cards of each rank and of each suit
    for a, b in product(+shoe, repeat=2):
        rest, held = shoe - Counter([a, b]), marks - Counter([*a[:2], *b[:2]])
        ways = shoe[a] * (shoe[b] - (a == b)) * perm(sum(values) - 4, 2)
        for c, n in rest.items():  # Banker's second card: the same rank and suit, rank only, suit only, or neither
            like = n - 1, held[c[0]] - n, held[c[1]] - n, rest.total() - held[c[0]] - held[c[1]] + n
            for how, m in zip(product((True, False), repeat=2), like, strict=True):
                shown[a[0] == b[0], a[1] == b[1], *how] += ways * n * m
    for row in rows["first_cards.csv"]:
        n = shown[tuple(row.pop(key) == "1" for key in list(row)[:4])]
        counts.update({event: int(happens) * n for event, happens in row.items()})
if "draws_by_value.csv" in rows:  # lines that depend on ranks or suits
    kinds, sums = Counter(), Counter()
    for row in rows["kinds.csv"]:
        held = (n for card, n in shoe.items() if card[0] == row["rank"] and row["suit"] in ("", card[1]))
        kinds[row["bet"], row["kind"]] += sum(held)
    for row in rows["draws_by_kind.csv"]:
        drawn = Counter(row["kinds"].split())
        ways = prod(perm(kinds[row["bet"], kind], n) for kind, n in drawn.items())
        sums[row["bet"], row["sum"]] += int(row["weight"]) * ways
    for row in rows["draws_by_value.csv"]:
        unseen = [sum(values) if value == "any" else values[int(value)] for value in row["values"].split()]
        ways = prod(n - int(before) for n, before in zip(unseen, row["drawn_before"].split(), strict=True))
        ways *= perm(sum(values) - int(row["dealt"]), 6 - int(row["dealt"]))
        counts[row["event"]] += int(row["weight"]) * sums[row["bet"], row["sum"]] * ways
left_out = {event for long in manifest.get("left_out", []) for event in long["events"]} - counts.keys()
unpriced = {row["bet"] for row in rows["bets.csv"] if row["event"] in left_out}
stated = [(n["event"], f"{n['count']} of {n['deals']}") for n in rows["counts.csv"] if n["event"] not in left_out]
agree("counts.csv", {event: f"{n} of {deals}" for event, n in counts.items()}, stated)
for row in [row for row in rows["bets.csv"] if row["bet"] not in unpriced]:
    pay = Fraction(int(row["pay_numerator"]), int(row["pay_denominator"]))
    chance = Fraction(counts[row["event"]], deals) if row["event"] in counts else sys.exit(f"bets.csv: {row}: no such")
    edges[row["bet"]] = edges.get(row["bet"], -1) + (pay + 1) * chance
found = {bet: f"{n.numerator}/{n.denominator}, {round(n * 10**12) * Decimal('1e-12'):.12f}" for bet, n in edges.items()}
told = [(row["bet"], f"{row['numerator']}/{row['denominator']}, {row['edge']}") for row in rows["edges.csv"]]
agree("edges.csv", found, [(bet, edge) for bet, edge in told if bet not in unpriced])
if left_out:
    print(f"left out of the tables, not added up: {', '.join(sorted(left_out))}; bets {', '.join(sorted(unpriced))}")
print(f"{manifest['game']['name']}, {manifest['shoe']}: {len(counts)} events and {len(edges)} edges agree")
