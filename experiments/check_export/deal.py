"""Check an export against its rules, in plain Python only: python experiments/check_export/deal.py FOLDER

The million orders of six values are dealt by tableau.csv, with both orders of a hand's first two cards together. Each
deal is looked up in outcomes.csv, or the conditions of lines.csv are tried on it; this gives the weights again. Lines
that depend on ranks, suits or colours are checked by example: small random shoes of four different cards are dealt in
every order, and each line is tried on every deal.
"""

import csv
import json
import random
import sys
from collections import Counter, defaultdict
from functools import cache
from itertools import combinations_with_replacement, groupby, product
from math import perm, prod
from operator import itemgetter
from pathlib import Path

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
SHOES = 30  # the number of small random shoes for each bet


def deals(kinds, value, draws):
    """Every order of six cards of these kinds, dealt by the tableau: both hands, the six cards, and how many orders the
    deal stands for. It stands for several, as a hand's first two cards are dealt only in rising order."""
    pairs = [(two, sum(map(value, two)) % 10) for two in combinations_with_replacement(kinds, 2)]
    for (two, total), (other, against) in product(pairs, repeat=2):
        ways = (1 + (two[0] != two[1])) * (1 + (other[0] != other[1]))
        letter, stood = draws["player", ""][total], draws["banker", "none"][against]
        for card, last in product(kinds, repeat=2):
            player, banker = two, other
            if letter == "D" and stood != "E":
                player += (card,)
                if draws["banker", str(value(card))][against] == "D":
                    banker += (last,)
            elif stood == "D" and letter != "E":
                banker += (card,)
            yield player, banker, (*two, *other, card, last), ways


def orders(draws):
    """The deals of the million orders of six values, with the six values sorted."""
    return [(player, banker, tuple(sorted(six)), ways) for player, banker, six, ways in deals(range(10), int, draws)]


def outcomes_of(dealt):
    """For each outcome (both totals and numbers of cards): how many orders of each multiset of six values give it."""
    shown = defaultdict(Counter)
    for (player, banker), deals_of in groupby(dealt, itemgetter(0, 1)):
        of = shown[sum(player) % 10, sum(banker) % 10, len(player), len(banker)]
        for _, _, six, ways in deals_of:
            of[six] += ways
    return shown


def by_the_outcomes(dealt, listed):
    """For each event: how many orders of each multiset of six values give it, summed over the event's outcomes."""
    shown, weights = outcomes_of(dealt), defaultdict(Counter)
    if odd := listed.keys() ^ shown.keys():
        sys.exit(f"outcomes.csv: {min(odd)} is listed and never dealt, or dealt and not listed")
    for outcome, events in listed.items():
        for event in events:
            weights[event].update(shown[outcome])
    return weights


# Conditions of lines. A card is (rank, suit), with ranks from 1 to 13.


def worth(card):
    return card[0] % 13 if card[0] < 10 else 0


@cache
def names(card):
    """The names of a card: its rank, its suit, its colour, and "face" for a picture."""
    colour = "red" if card[1] in ("h", "d") else "black"
    return {RANKS[card[0] - 1], SUITS[card[1]], colour} | ({"face"} if card[0] > 10 else set())


@cache
def shown(hand):
    """For each key of conditions, the values that a hand shows. A condition holds if it names one of these values."""
    (first, second), third = hand[:2], hand[2:]
    ranks, suits, one_hand = [rank for rank, _ in hand], {suit for _, suit in hand}, set.intersection(*map(names, hand))
    pair, two, kind = ranks[0] == ranks[1], names(first) & names(second), ("mixed", "coloured", "perfect")
    runs = [{low, low + 1, low + 2} for low in range(1, 12)] + [{12, 13, 1}]
    texts = [RANKS[rank - 1] for rank in ranks[:2]]
    return {
        "total": {sum(map(worth, hand)) % 10},
        "cards": {len(hand)},
        "first_total": {sum(map(worth, hand[:2])) % 10},
        "natural": {sum(map(worth, hand[:2])) % 10 > 7},
        "pair": {pair},
        "suited": {first[1] == second[1]},
        "pair_kind": {kind[len(two & {"red", "black"}) + (first[1] == second[1])]} if pair else set(),
        "pair_rank": {texts[0]} if pair else set(),
        "first_two": {" ".join(texts), " ".join(texts[::-1])},
        "first_colour": two,
        "colour": one_hand,
        "suit": one_hand,
        "third_value": set(map(worth, third)),
        **{f"third_{of}": names(third[0]) if third else set() for of in ("rank", "suit", "colour")},
        "three_of_a_kind": {len(third) == 1 and len(set(ranks)) == 1},
        "flush": {len(third) == 1 and len(suits) == 1},
        "straight": {len(third) == 1 and set(ranks) in runs},
        "different_cards": {len(set(hand))},
        "number_of": Counter(name for card in hand for name in names(card)),
    }


def ahead(p, b):
    """Player's total less Banker's."""
    return min(p["total"]) - min(b["total"])


BOTH = {  # for each key, the values that both hands show together, from what each hand shows
    "winner": lambda p, b: {"tie" if ahead(p, b) == 0 else "player" if ahead(p, b) > 0 else "banker"},
    "margin": lambda p, b: {abs(ahead(p, b))},
    "cards": lambda p, b: {min(p["cards"]) + min(b["cards"])},
    "natural": lambda p, b: {True in p["natural"] | b["natural"]},
    "pairs": lambda p, b: {(p["pair"] == {True}) + (b["pair"] == {True})},
    "perfect_pairs": lambda p, b: {(p["pair_kind"] == {"perfect"}) + (b["pair_kind"] == {"perfect"})},
    "pairs_of_one_rank": lambda p, b: {bool(p["pair_rank"] & b["pair_rank"])},
    "colour": lambda p, b: p["colour"] & b["colour"],
    "first_colour": lambda p, b: p["first_colour"] & b["first_colour"],
}


def meets(line, player, banker):
    """Whether two hands meet all conditions of a line."""
    return all(holds(key, wanted, player, banker) for key, wanted in line.items())


def holds(key, wanted, player, banker):
    if key in ("any", "all", "not"):
        each = (meets(table, player, banker) for table in wanted)
        return all(each) if key == "all" else any(each) == (key == "any")
    if key.endswith("number_of"):
        most = 2 if "first_" in key else 3
        of = [hand[:most] for other, hand in (("banker", player), ("player", banker)) if other not in key]
        return all(sum(shown(hand)["number_of"][name] for hand in of) in numbers for name, numbers in wanted)
    hand = player if key.startswith("player") else banker
    shows = BOTH[key](shown(player), shown(banker)) if key in BOTH else shown(hand)[key[7:]]
    return not shows.isdisjoint(wanted if isinstance(wanted, list) else [wanted])


def settled(lines, player, banker):
    """The events of two hands: for each bet, the first line of lines.csv that the hands meet."""
    return [
        row["event"]
        for row in lines
        if meets(row["line"], player, banker) and not any(meets(line, player, banker) for line in row["before"])
    ]


# The two checks


of_spades = cache(lambda values: tuple((value or 13, "s") for value in values))


def by_the_lines(lines, dealt):
    """As `by_the_outcomes`, for lines that depend only on values. Each order is tried with spades of its values."""
    weights = defaultdict(Counter)
    for (player, banker), deals_of in groupby(dealt, itemgetter(0, 1)):
        events = settled(lines, of_spades(player), of_spades(banker))
        for (_, _, six, ways), event in product(deals_of, events):
            weights[event][six] += ways
    return weights


def read(kinds, by_kind, by_value):
    """Read a bet's rows in three tables: the kind of each card, the draws by kind, and the draws by value."""
    kind_of = {(row["rank"], row["suit"]): row["kind"] for row in kinds}
    drawn = [(row["sum"], int(row["weight"]), Counter(row["kinds"].split())) for row in by_kind]
    paths = [list(zip(r["values"].split(), map(int, r["drawn_before"].split()), strict=True)) for r in by_value]
    after = [(r["event"], r["sum"], int(r["weight"]), int(r["dealt"])) for r in by_value]
    return kind_of, drawn, list(zip(after, paths, strict=True))


def by_the_sums(rows, shoe):
    """The number of deals of a shoe with each event of a bet, from the bet's rows in the tables."""
    kind_of, drawn, after = rows
    kinds, values, sums, counts = Counter(), Counter(), Counter(), Counter()
    for card, n in shoe.items():
        rank = RANKS[card[0] - 1]
        kinds[kind_of[rank, card[1]] if (rank, card[1]) in kind_of else kind_of[rank, ""]] += n
        values[str(worth(card))] += n
        values["any"] += n
    for name, weight, cards in drawn:
        sums[name] += weight * prod(perm(kinds[kind], n) for kind, n in cards.items())
    for (event, name, weight, dealt), path in after:
        ways = prod(values[value] - n for value, n in path)
        counts[event] += weight * ways * perm(values["any"] - dealt, 6 - dealt) * sums[name]
    return counts


def by_every_deal(lines, draws, shoe):
    """The number of deals of a shoe with each event of a bet, by dealing every order."""
    counts, met, ways_of = Counter(), {}, {}
    for player, banker, six, both in deals(list(shoe), worth, draws):
        drawn = tuple(map(six.count, shoe))
        if drawn not in ways_of:
            ways_of[drawn] = prod(map(perm, shoe.values(), drawn))
        if ways := both * ways_of[drawn]:
            if (player, banker) not in met:
                met[player, banker] = settled(lines, player, banker)
            for event in met[player, banker]:
                counts[event] += ways
    return counts


def small_shoes(lines, name):
    """Random shoes of four different cards. Ranks that the bet's lines name are drawn more often than others."""
    chance, text = random.Random(name), json.dumps([row["line"] for row in lines])
    named = [i for i, rank in enumerate(RANKS, 1) if f'"{rank}"' in text or f'"{rank} ' in text or f' {rank}"' in text]
    for i in range(SHOES):
        low, cards = chance.randint(1, 11), set()
        ranks = [list(range(1, 14)), [low, low + 1, low + 2], [low, 13], named or [8, 9, 12]][i % 4]
        suits = chance.sample("shdc", chance.choice((1, 2, 2, 4)))
        while len(cards) < 4:
            cards.add((chance.choice(ranks if chance.random() < 0.8 else range(1, 14)), chance.choice(suits)))
        yield Counter({card: chance.randint(2, 6) for card in sorted(cards)})


def check_sums(folder, tables, lines, draws):
    """Compare the sums of each bet with all deals of small shoes. This is a check by example, not a proof."""
    kinds, by_kind, by_value = of_bets = [defaultdict(list) for _ in range(3)]
    for rows, name in zip(of_bets, ("kinds", "draws_by_kind", "draws_by_value"), strict=True):
        for row in tables[f"{name}.csv"]:
            rows[row["bet"]].append(row)
    for bet in kinds:
        events = {row["event"] for row in by_value[bet]}
        own, happened = [row for row in lines if row["event"] in events], set()
        if len(own) < len(events):
            sys.exit(f"lines.csv: a line of {bet} is missing")
        rows = read(kinds[bet], by_kind[bet], by_value[bet])
        for shoe in small_shoes(own, bet):
            sums, dealt = by_the_sums(rows, shoe), by_every_deal(own, draws, shoe)
            happened |= dealt.keys()
            for event in sorted(events):
                if sums[event] != dealt[event]:
                    cards = ", ".join(f"{n} {RANKS[rank - 1]}{suit}" for (rank, suit), n in shoe.items())
                    sys.exit(f"draws_by_value.csv: {event} of {cards}: {sums[event]}, should be {dealt[event]}")
        never = f", in which never happened: {', '.join(sorted(events - happened))}" * bool(events - happened)
        print(f"{folder}: {bet}: by example, not by proof: its sums are right on {SHOES} small shoes{never}")


def check(folder):
    tables = {file.name: list(csv.DictReader(file.read_text().splitlines())) for file in sorted(folder.glob("*.csv"))}
    tableau, outcomes, stated = (tables[name] for name in ("tableau.csv", "outcomes.csv", "weights.csv"))
    draws = {(row["hand"], row["player_third"]): [*[*row.values()][2:], "E", "E"][:10] for row in tableau}  # E: ends
    listed = {tuple(map(int, list(row.values())[:4])): [e for e in list(row)[4:] if row[e] == "1"] for row in outcomes}
    dealt = orders(draws)
    weights = by_the_outcomes(dealt, listed)
    lines = [
        {"event": row["event"], "line": json.loads(row["line"]), "before": json.loads(row["before"])}
        for row in tables.get("lines.csv", [])
    ]
    if of_values := [row for row in lines if row["event"] in stated[0]]:
        weights.update(by_the_lines(of_values, dealt))
    for row in stated:
        cards = tuple(value for value in range(10) for _ in range(int(row.pop(f"of_{value}"))))
        for event, weight in row.items():
            ways = weights[event].pop(cards, 0)
            if int(weight) != ways:
                sys.exit(f"weights.csv: {event} of {cards}: {weight}, should be {ways}")
    for event, left in weights.items():
        for cards, ways in left.items():
            sys.exit(f"weights.csv: {event} of {cards}: missing, should be {ways}")
    print(f"{folder}: 1,000,000 deals by its tableau give the weights of its {len(stated):,} multisets")
    if "draws_by_value.csv" in tables:
        check_sums(folder, tables, lines, draws)


if __name__ == "__main__":
    check(Path(sys.argv[1]))
