"""A logged table against a twin in plain Python, which deals the cards again by the text of the rules."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, floor
from pathlib import Path
from statistics import median
from typing import Any

import polars as pl
import pytest
from extent import crossed, long_or

from counting import InputError, load_game
from counting.cards import CARDS
from counting.logs import NO_CARD, PLACES, UNREAD, Log, card_name, read_log
from counting.review import RULES, dealing_errors
from counting.review.dealing.error_rows import ERRORS
from counting.review.synthetic import Flat, deal, log_frames
from counting.simulation import Dealing
from counting.simulation.dealing import AFTER_CUT

Card = tuple[int, int]  # rank, suit
Hands = tuple[Sequence[Card], Sequence[Card]]
Errors = Counter[tuple[str, int, str]]  # the file, the line and the rule


# The twin: the rules as their sheets have them


def value(card: Card) -> int:
    return card[0] + 1 if card[0] < 9 else 0


def total(hand: Sequence[Card]) -> int:
    return sum(map(value, hand)) % 10


def winner(hands: Hands) -> str:
    player, banker = map(total, hands)
    return "player" if player > banker else "banker" if banker > player else "tie"


def even(on: str, pays: Fraction = Fraction(1)) -> Callable[[Hands], Fraction]:
    return lambda hands: {on: pays, "tie": Fraction(0)}.get(winner(hands), Fraction(-1))


def if_so(odds: int, happened: Callable[[Hands], bool]) -> Callable[[Hands], Fraction]:
    return lambda hands: Fraction(odds if happened(hands) else -1)


def louisiana_banker(hands: Hands) -> Fraction:
    return Fraction(-1) if seven_seven(hands) else even("banker")(hands)


def seven_seven(hands: Hands) -> bool:
    return total(hands[0]) == total(hands[1]) == 7


def big_win(hands: Hands) -> Fraction:
    """On Player: a natural win pays 1; others by the margin."""
    if winner(hands) != "player":
        return Fraction(-1)
    if len(hands[0]) == len(hands[1]) == 2 and total(hands[0]) >= 8:
        return Fraction(1)
    return Fraction({9: 25, 8: 10, 7: 5, 6: 3, 5: 1, 4: 1, 3: 1}.get(total(hands[0]) - total(hands[1]), -1))


def pair(hand: Sequence[Card]) -> bool:
    return hand[0][0] == hand[1][0]


def perfect(hand: Sequence[Card]) -> bool:
    return hand[0] == hand[1]


EZ = load_game("ez-baccarat")
PAIRS: dict[str, Callable[[Hands], Fraction]] = {
    "player-pair": if_so(11, lambda hands: pair(hands[0])),
    "either-pair": if_so(5, lambda hands: pair(hands[0]) or pair(hands[1])),
    "perfect-pairs-200": lambda hands: Fraction((-1, 25, 200)[perfect(hands[0]) + perfect(hands[1])]),
    "banker-suited": lambda hands: Fraction(143, 50) if hands[1][0][1] == hands[1][1][1] else Fraction(-1),
}


@dataclass(frozen=True)
class Sheet:
    """A game's rules: who draws with what (Banker told Player's third card, or None), and what bets pay."""

    player: Callable[[int], bool]
    banker: Callable[[int, int | None], bool]
    pays: dict[str, Callable[[Hands], Fraction]]


def punto_banco(banker: int, third: int | None) -> bool:
    if third is None:
        return banker <= 5
    return banker <= 2 or third in {
        3: (0, 1, 2, 3, 4, 5, 6, 7, 9),
        4: (2, 3, 4, 5, 6, 7),
        5: (4, 5, 6, 7),
        6: (6, 7),
    }.get(banker, ())


def opposite(banker: int, third: int | None) -> bool:
    return banker <= 4 or (banker == 5 and third is None)


SHEETS = {
    "punto-banco": Sheet(
        lambda total: total <= 5,
        punto_banco,
        {
            "player": even("player"),
            "banker": even("banker", Fraction(19, 20)),
            "banker-4": even("banker", Fraction(24, 25)),
            "tie-8": if_so(8, lambda hands: winner(hands) == "tie"),
            "dragon-7": if_so(
                40, lambda hands: winner(hands) == "banker" and total(hands[1]) == 7 and len(hands[1]) == 3
            ),
            **PAIRS,
        },
    ),
    "louisiana": Sheet(
        lambda total: total <= 5,
        opposite,
        {
            "player": even("player"),
            "banker": louisiana_banker,
            "banker-5": even("banker", Fraction(19, 20)),
            "seven-seven-45": if_so(45, seven_seven),
            "big-win-player-25": big_win,
            **PAIRS,
        },
    ),
    "louisiana-stand-5": Sheet(lambda total: total <= 4, opposite, {"player": even("player"), **PAIRS}),
}


def draws(sheet: Sheet, hands: Hands) -> set[str]:
    """Of a coup whose cards are all known, the rules broken by who drew."""
    player, banker = total(hands[0][:2]), total(hands[1][:2])
    third = value(hands[0][2]) if len(hands[0]) == 3 else None
    natural = player >= 8 or banker >= 8
    broken = set()
    for who, hand, should in (
        ("player", hands[0], sheet.player(player)),
        ("banker", hands[1], sheet.banker(banker, third)),
    ):
        if len(hand) == 3 and (natural or not should):
            broken.add(f"{who}-stands")
        if len(hand) == 2 and should and not natural:
            broken.add(f"{who}-draws")
    return {*broken, "natural"} if natural and broken else broken


def might_be(codes: Sequence[int], by_card: bool) -> Iterator[list[Card]]:
    """Every hand that these may have been; where only values matter, a card of each will do."""
    cards: list[list[Card]] = []
    for code in codes:
        if code == UNREAD:
            cards.append([(rank, suit) for rank in range(13 if by_card else 10) for suit in range(4 if by_card else 1)])
        elif code >= 52:
            cards.append([(code - 52, suit) for suit in range(4 if by_card else 1)])
        else:
            cards.append([divmod(code, 4)])
    yield from map(list, product(*cards))


def hands_of(row: dict[str, Any]) -> tuple[list[int], list[int]]:
    player, banker = ([row[place] for place in PLACES[at : at + 3] if row[place] != NO_CARD] for at in (0, 3))
    return player, banker


def regular(row: dict[str, Any]) -> bool:
    return min(map(len, hands_of(row))) >= 2 and row["more"] is None


def twin(log: Log, sheet: Sheet, decks: int, dealing: Dealing | None) -> Errors:
    """What is wrong, each with the number of times that it is reported."""
    found: Errors = Counter()
    shoes: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in log.coups.iter_rows(named=True):
        shoes.setdefault((row["table"], row["shoe"]), []).append(row)
        if not regular(row):
            found["coups", row["line"], "hand-size"] += 1
            continue
        worlds = list(product(*(might_be(hand, False) for hand in hands_of(row))))
        broken = set.intersection(*(draws(sheet, hands) for hands in worlds))
        for rule in {"natural"} if "natural" in broken else broken:
            found["coups", row["line"], rule] += 1
        if row["winner"] and row["winner"] not in map(winner, worlds):
            found["coups", row["line"], "winner"] += 1
    for rows in shoes.values():
        found += counted(rows, decks) + exceeded(rows, decks, dealing)
        if dealing:
            found += after_cut(rows, decks, dealing) + ended_early(rows, decks, dealing)
    if not dealing:
        found += ended_before_others(list(shoes.values()), decks)
    by_coup = {(row["table"], row["shoe"], row["coup"]): row for rows in shoes.values() for row in rows}
    for bet in log.bets.iter_rows(named=True):
        row = by_coup[bet["table"], bet["shoe"], bet["coup"]]
        if bet["bet"] not in sheet.pays:
            found["bets", bet["line"], "unknown-bet"] += 1
        elif bet["won"] is not None and regular(row) and not paid(sheet, bet, hands_of(row)):
            found["bets", bet["line"], "payment"] += 1
    return found


def paid(sheet: Sheet, bet: dict[str, Any], hands: tuple[list[int], list[int]]) -> bool:
    """Whether a bet won what it should, or what it should have cannot be told."""
    on_pairs = bet["bet"] in PAIRS
    player, banker = (tuple(hand[:2] if on_pairs else hand) for hand in hands)
    pays = may_pay(sheet.pays[bet["bet"]], player, banker, on_pairs)
    due = next(iter(pays)) * bet["amount"]
    return len(pays) > 1 or bet["won"] in (floor(due), ceil(due))


@cache
def may_pay(
    pay: Callable[[Hands], Fraction], player: tuple[int, ...], banker: tuple[int, ...], by_card: bool
) -> frozenset[Fraction]:
    """What a bet pays on all hands that these may have been."""
    return frozenset(pay(world) for world in product(might_be(player, by_card), might_be(banker, by_card)))


def counted(rows: list[dict[str, Any]], decks: int) -> Errors:
    seen: Counter[str] = Counter()
    found: Errors = Counter()
    for row in rows:
        for code in [*(row["burn"] or []), *(row[place] for place in PLACES), *(row["more"] or [])]:
            if code >= 0:
                rank = code - 52 if code >= 52 else code // 4
                for kind, most in ((f"rank {rank}", 4 * decks), *([(f"card {code}", decks)] if code < 52 else [])):
                    seen[kind] += 1
                    found["coups", row["line"], "too-many"] += seen[kind] == most + 1
    return +found


def burned(first: dict[str, Any], dealing: Dealing | None) -> set[int]:
    """How many cards may have been burned."""
    listed = first["burn"] or []
    if dealing is None or dealing.burn == "none":
        return {len(listed)}
    known = [card for (card,) in might_be(listed[:1], False)] if listed else [(rank, 0) for rank in range(10)]
    return {max(len(listed), 1 + (value(card) or 10)) for card in known}


def taken(row: dict[str, Any]) -> int:
    return sum(map(len, hands_of(row))) + len(row["more"] or [])


def exceeded(rows: list[dict[str, Any]], decks: int, dealing: Dealing | None) -> Errors:
    """At the first coup by whose end more was dealt than there is, those not logged taking four cards."""
    dealt, number = min(burned(rows[0], dealing)), 0
    for row in rows:
        dealt += 4 * (row["coup"] - number - 1) + taken(row)
        number = row["coup"]
        if dealt > 52 * decks:
            return Counter({("coups", row["line"], "shoe-exceeded"): 1})
    return Counter()


def after_cut(rows: list[dict[str, Any]], decks: int, dealing: Dealing) -> Errors:
    """Coups that the dealer should not have begun, however many cards were burned."""
    logged = [row for i, row in enumerate(rows) if row["coup"] == i + 1]
    late = None
    for burn in burned(rows[0], dealing):
        left, more = 52 * decks - burn, None
        wrong = set()
        for row in logged:
            if more == 0 or left < 6:
                wrong.add(row["line"])
                more = 0
            elif more is not None:
                more -= 1
            elif left == dealing.cut:  # the cut card is the first card
                more = dealing.after_cut[1]
            left -= taken(row)
            if more is None and left < dealing.cut:
                more = dealing.after_cut[0]
        late = wrong if late is None else late & wrong
    return Counter({("coups", line, "after-cut"): 1 for line in late or ()})


def ended_early(rows: list[dict[str, Any]], decks: int, dealing: Dealing) -> Errors:
    """A shoe after whose last coup another was due, however many cards were burned."""
    if [row["coup"] for row in rows] != list(range(1, len(rows) + 1)):
        return Counter()
    for burn in burned(rows[0], dealing):
        left, more = 52 * decks - burn, None
        for row in rows:
            if more is None and left == dealing.cut:
                more = dealing.after_cut[1]
            elif more:
                more -= 1
            left -= taken(row)
            if more is None and left < dealing.cut:
                more = dealing.after_cut[0]
        if more == 0 or left < 6:
            return Counter()
    return Counter({("coups", rows[-1]["line"], "early-end"): 1})


def ended_before_others(shoes: list[list[dict[str, Any]]], decks: int) -> Errors:
    """Of a table with five complete shoes or more those, but for its first and last shoe, that ended a deck or more
    before the middle one."""
    found: Errors = Counter()
    for table in {rows[0]["table"] for rows in shoes}:
        here = [rows for rows in shoes if rows[0]["table"] == table]
        whole = [rows for rows in here if [row["coup"] for row in rows] == list(range(1, len(rows) + 1))]
        left = [52 * decks - min(burned(rows[0], None)) - sum(map(taken, rows)) for rows in whole]
        for rows, cards in zip(whole, left, strict=True):
            ends = rows is here[0] or rows is here[-1]
            if not ends and len(whole) >= 5 and cards >= median(left) + 52:
                found["coups", rows[-1]["line"], "early-end"] += 1
    return found


# Logs dealt by the rules, and errors put into them


@dataclass(frozen=True)
class Coup:
    table: str
    shoe: int
    coup: int
    player: tuple[int, ...]
    banker: tuple[int, ...]
    burn: str = ""
    winner: str = ""

    @property
    def hands(self) -> Hands:
        return [divmod(card, 4) for card in self.player], [divmod(card, 4) for card in self.banker]


def dealt(rng: random.Random, sheet: Sheet, dealing: Dealing, shoes: int) -> list[Coup]:
    """Shoes dealt by the rules to their ends."""
    found: list[Coup] = []
    for shoe in range(shoes):
        cards = list(range(52)) * dealing.decks
        rng.shuffle(cards)
        burn = ""
        if dealing.burn == "first-card":
            hidden = value(divmod(cards[0], 4)) or 10
            burn = rng.choice([CARDS[cards[0]] + " ?" * rng.randrange(hidden + 1), "?", ""])
            del cards[: 1 + hidden]
        number, more = 0, None
        while len(cards) >= 6 and more != 0:
            if more is not None:
                more -= 1
            elif len(cards) == dealing.cut:
                more = dealing.after_cut[1]
            player, banker = [cards.pop(0), cards.pop(1)], [cards.pop(0), cards.pop(0)]
            hands = [[divmod(card, 4) for card in hand] for hand in (player, banker)]
            if max(map(total, hands)) < 8:
                third = None
                if sheet.player(total(hands[0])):
                    player.append(cards.pop(0))
                    third = value(divmod(player[2], 4))
                if sheet.banker(total(hands[1]), third):
                    banker.append(cards.pop(0))
            number += 1
            coup = Coup(f"T{shoe % 2}", shoe, number, tuple(player), tuple(banker), burn if number == 1 else "")
            found.append(replace(coup, winner=winner(coup.hands)))
            if more is None and len(cards) < dealing.cut:
                more = dealing.after_cut[0]
    return found


def blanked(rng: random.Random, hand: Sequence[int], share: float) -> str:
    """A hand as text; so often a card is not read, or its suit is not."""
    texts = [CARDS[card] for card in hand]
    for i, text in enumerate(texts):
        if rng.random() < share:
            texts[i] = rng.choice(["?", "X", text[:-1]])
    return " ".join(texts)


@dataclass(frozen=True)
class Bet:
    coup: Coup
    bet: str
    amount: int
    won: int


def placed(rng: random.Random, sheet: Sheet, coups: Sequence[Coup]) -> list[Bet]:
    """A bet on every coup, paid as it should be, rounded either way."""
    bets = []
    for coup in coups:
        bet, amount = rng.choice(list(sheet.pays)), rng.randrange(1, 10_000)
        won = rng.choice((floor, ceil))(sheet.pays[bet](coup.hands) * amount)
        bets.append(Bet(coup, bet, amount, won))
    return bets


def written(
    folder: Path, rng: random.Random, coups: Sequence[Coup], bets: Sequence[Bet] = (), share: float = 0.0
) -> Log:
    lines = ["table,shoe,coup,player,banker,winner,burn"]
    for c in coups:
        hands = (blanked(rng, hand, share) for hand in (c.player, c.banker))
        lines.append(",".join([c.table, str(c.shoe), str(c.coup), *hands, c.winner, c.burn]))
    (folder / "coups.csv").write_text("\n".join(lines))
    lines = ["table,shoe,coup,patron,bet,amount,won"]
    for b in bets:
        money = (f"{amount / 100:.2f}" for amount in (b.amount, b.won))
        lines.append(",".join([b.coup.table, str(b.coup.shoe), str(b.coup.coup), "Ann", b.bet, *money]))
    (folder / "bets.csv").write_text("\n".join(lines))
    log = read_log(folder / "coups.csv", folder / "bets.csv")
    assert log.remarks.is_empty()
    return log


def found_by(log: Log, name: str, decks: int, dealing: Dealing | None) -> Errors:
    frame = dealing_errors(log, load_game(name), decks, dealing)
    assert frame.schema == pl.Schema(ERRORS)
    assert set(frame["rule"]) <= set(RULES)
    assert all(text.isprintable() and text for text in frame["found"])
    return Counter(frame.select("file", "line", "rule").iter_rows())


DEALINGS = [
    Dealing(8, 14),
    Dealing(6, 0, "first-card", (0, 0)),
    Dealing(8, 60, "first-card", (2, 1)),
    Dealing(2, 30, "none", (2, 2)),
    Dealing(1, 7, "first-card", (1, 1)),
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "dealing"), crossed(SHEETS, DEALINGS), ids=str)
def test_a_log_dealt_by_the_rules_has_no_errors(tmp_path: Path, name: str, dealing: Dealing) -> None:
    rng = random.Random(name)
    coups = dealt(rng, SHEETS[name], dealing, long_or(3, 2))
    bets = placed(rng, SHEETS[name], coups)
    for share in long_or((0.0, 0.1, 0.4), (0.2,)):  # cards that are not read
        log = written(tmp_path, rng, coups, bets, share)
        for judged_by in (None, dealing):
            assert not found_by(log, name, dealing.decks, judged_by)


# Errors, each put into a coup; the rule that it breaks


def draw(rng: random.Random, hand: tuple[int, ...]) -> tuple[int, ...]:
    return (*hand, rng.randrange(52))


def natural(coup: Coup) -> bool:
    return max(total(hand[:2]) for hand in coup.hands) >= 8


def wrongly(rng: random.Random, rule: str, c: Coup) -> Coup | None:
    """The coup with this rule broken, if it can be broken here."""
    if rule == "hand-size":
        return rng.choice([replace(c, player=c.player[:1]), replace(c, banker=(*c.banker[:2], 1, 2, 3))])
    if rule == "winner":
        return replace(c, winner=rng.choice([w for w in ("player", "banker", "tie") if w != c.winner]))
    if (rule == "natural") != natural(c):
        return None
    if rule == "natural":
        return rng.choice([replace(c, player=draw(rng, c.player)), replace(c, banker=draw(rng, c.banker))])
    who, what = rule.split("-")
    hand = c.player if who == "player" else c.banker
    if (what == "draws") != (len(hand) == 3):
        return None
    changed = hand[:2] if what == "draws" else draw(rng, hand)
    return replace(c, player=changed) if who == "player" else replace(c, banker=changed)


def true_winner(coup: Coup) -> Coup:
    return replace(coup, winner=winner(coup.hands))


BY_HAND = ["hand-size", "natural", "player-draws", "player-stands", "banker-draws", "banker-stands", "winner"]


@pytest.mark.long
@pytest.mark.parametrize(("name", "rule"), crossed(SHEETS, BY_HAND))
def test_an_error_put_into_a_coup_is_found_there_and_no_other(tmp_path: Path, name: str, rule: str) -> None:
    rng = random.Random(f"{name} {rule}")
    sheet, planted = SHEETS[name], 0
    coups = dealt(rng, sheet, Dealing(), 3)
    expected: Errors = Counter()
    for at in rng.sample(range(len(coups)), len(coups)):
        wrong = wrongly(rng, rule, coups[at])
        if wrong is not None and planted < 8:
            planted += 1
            coups[at] = wrong if rule in ("winner", "hand-size") else true_winner(wrong)
            expected["coups", at + 2, rule] = 1
    assert planted == 8
    log = written(tmp_path, rng, coups)
    errors = found_by(log, name, 8, None)
    assert errors >= expected
    # A draw of Player's too many or too few may make Banker's wrong; a card put in may be one too many.
    knock_on = {"banker-draws", "banker-stands"} if rule.startswith("player") else set()
    assert all(rule in {*knock_on, "too-many"} for _, _, rule in errors - expected)
    assert errors == twin(log, sheet, 8, None)


@pytest.mark.parametrize("seed", range(long_or(5, 1)))
@pytest.mark.parametrize("name", SHEETS)
def test_the_twin_finds_the_same_in_any_log(
    tmp_path: Path, name: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shoes with cards, draws, winners, payments, bets, coups and decks wrong, cards not read and coups not logged."""
    rng = random.Random(f"{name} {seed}")
    sheet, decks = SHEETS[name], rng.choice([1, 6, 8])
    burn = rng.choice(["none", "first-card"])
    dealing = Dealing(decks, rng.choice([0, 7, 14]), burn, rng.choice(AFTER_CUT))  # type: ignore[arg-type]
    coups = dealt(rng, sheet, dealing, 2 if decks > 1 else 12)
    for at, coup in enumerate(coups):
        if rng.random() < 0.2:
            coups[at] = wrongly(rng, rng.choice(BY_HAND), coup) or coup
        elif rng.random() < 0.1:
            coups[at] = replace(coup, player=tuple(rng.randrange(52) for _ in range(rng.choice([2, 3]))))
    coups = [coup for coup in coups if rng.random() < 0.99]
    bets = placed(rng, sheet, [coup for coup in coups if min(len(coup.player), len(coup.banker)) >= 2])
    for at, bet in enumerate(bets):
        if rng.random() < 0.1:
            bets[at] = replace(bet, won=bet.won + rng.choice([-1, 1, 100]))
        elif rng.random() < 0.05:
            bets[at] = replace(bet, bet="playr")
    log = written(tmp_path, rng, coups, bets, share=rng.choice([0.0, 0.05, 0.15]))
    other = replace(dealing, cut=dealing.cut + 12)
    rules = set()
    for judged_by in (None, dealing, other):
        errors = found_by(log, name, decks, judged_by)
        assert errors == twin(log, sheet, decks, judged_by)
        rules |= {rule for _, _, rule in errors}
    whole = dealing_errors(log, load_game(name), decks, dealing)
    for module in ("hands", "dealing.payments"):
        monkeypatch.setattr(f"counting.review.{module}.SLICE", 30)
    assert dealing_errors(log, load_game(name), decks, dealing).equals(whole)
    assert len(rules) >= 7


# Rules of whole shoes


def coups_of(folder: Path, *lines: str) -> Log:
    (folder / "coups.csv").write_text("\n".join(["table,shoe,coup,player,banker,winner,burn", *lines]))
    return read_log(folder / "coups.csv")


def said(log: Log, decks: int = 8, dealing: Dealing | None = None, game: str = "punto-banco") -> list[tuple[Any, ...]]:
    return dealing_errors(log, load_game(game), decks, dealing).select("coup", "rule", "found").rows()


def test_a_card_seen_too_often_is_named_where_it_first_is(tmp_path: Path) -> None:
    rng = random.Random(3)
    coups = dealt(rng, SHEETS["louisiana"], Dealing(cut=14), 2)
    places = [(at, who, i) for at, coup in enumerate(coups) if coup.shoe == 1 for who in ("player", "banker")
              for i, card in enumerate(getattr(coup, who)) if card // 4 == 6]  # fmt: skip
    for at, who, i in places[:9]:  # nine sevens become sevens of hearts
        hand = list(getattr(coups[at], who))
        hand[i] = 25
        coups[at] = replace(coups[at], **{who: tuple(hand)})
    seen = [at for at, coup in enumerate(coups) if coup.shoe == 1 for card in coup.player + coup.banker if card == 25]
    log = written(tmp_path, rng, coups)
    assert found_by(log, "louisiana", 8, None) == {("coups", seen[8] + 2, "too-many"): 1}
    assert said(log, game="louisiana")[0][2] == "7h seen 9 times in the shoe by then; the shoe has 8"


def test_a_rank_counts_cards_of_which_the_suit_is_not_known(tmp_path: Path) -> None:
    log = coups_of(tmp_path, "1,a,1,9 9,9h K,,", "1,a,2,9s K,A 6,player,", "1,a,3,8 K,9c 9d,,9")
    assert said(log, 1)[0][:2] == (3, "too-many")
    assert said(log, 1)[0][2] == "9 seen 5 times in the shoe by then; the shoe has 4"
    assert said(log, 2) == []
    first = coups_of(tmp_path, "1,a,1,9h K,A 6,,9h 9s", "1,a,2,9h 9d,A 6,,")
    assert [row[:2] for row in said(first, 1)] == [(1, "too-many"), (2, "too-many")]
    assert [row[2].split(" seen ")[0] for row in said(first, 1)] == ["9h", "9"]


def test_coups_that_cannot_fit_exceed_the_shoe(tmp_path: Path) -> None:
    lines = ["1,a,103,9 8,7 A,,", "1,a,104,K K,9 K,,", "1,a,105,9 8,7 A,,", "1,b,1,9 8,7 A,,"]
    assert said(coups_of(tmp_path, *lines)) == [
        (105, "shoe-exceeded", "at least 420 cards dealt by the end of the coup; the shoe has 416")
    ]
    assert said(coups_of(tmp_path, "1,a,104,K K,9 K,,3 ? ?"))[0][:2] == (104, "shoe-exceeded")
    burned = Dealing(8, 0, "first-card")
    assert said(coups_of(tmp_path, "1,a,104,K K,9 K,,"), 8, burned)[0][:2] == (104, "shoe-exceeded")


@pytest.mark.long
@pytest.mark.parametrize(("after", "burned"), crossed(AFTER_CUT, [("none", (40, 104)), ("first-card", (40, 93))]))
def test_coups_beyond_the_cut_are_found_one_for_one(
    tmp_path: Path, after: tuple[int, int], burned: tuple[Any, tuple[int, int]]
) -> None:
    burn, cuts = burned
    rng = random.Random(f"{burn} {after}")
    coups = dealt(rng, SHEETS["punto-banco"], Dealing(2, 0, burn, (2, 2)), 8)
    coups = [replace(coup, burn=coup.burn if "?" not in coup.burn[:1] else "") for coup in coups]
    log = written(tmp_path, rng, coups)
    for cut in cuts:
        errors = found_by(log, "punto-banco", 2, Dealing(2, cut, burn, after))
        assert errors == twin(log, SHEETS["punto-banco"], 2, Dealing(2, cut, burn, after))
        assert errors.total() > 30
        assert {rule for _, _, rule in errors} == {"after-cut"}


def test_a_coup_is_judged_by_the_cut_card_where_all_before_it_are_logged(tmp_path: Path) -> None:
    rng = random.Random(5)
    coups = dealt(rng, SHEETS["punto-banco"], Dealing(1, 0, "none", (2, 2)), 1)
    late = Dealing(1, 26, "none", (1, 0))
    whole = said(written(tmp_path, rng, coups), 1, late)
    last = len(coups) - len(whole)
    assert [row[0] for row in whole] == list(range(last + 1, len(coups) + 1))
    assert f"with 26 behind the cut card, coup {last} should be the last" in whole[0][2]
    assert said(written(tmp_path, rng, coups[:1] + coups[2:]), 1, late) == []
    assert [row[0] for row in said(written(tmp_path, rng, coups[:-1]), 1, late)] == [row[0] for row in whole][:-1]


def test_decks_are_those_of_the_dealing(tmp_path: Path) -> None:
    log = coups_of(tmp_path, "1,a,1,9 8,7 A,,")
    with pytest.raises(InputError, match="decks: 6, should be 8"):
        dealing_errors(log, load_game("punto-banco"), 6, Dealing())
    with pytest.raises(InputError, match="decks: 0, should be a whole number from 1 to 27"):
        dealing_errors(log, load_game("punto-banco"), 0)


# Sentences, and what unread cards leave decided


OF_COUPS: list[tuple[str, list[tuple[str, str]]]] = [
    ("5 10,9h Kd,,", []),
    ("5 10,7h Kd,,", [("player-draws", "Player had 5 and 10: Player stood, but should draw")]),
    ("6h Ks Qs,7h Kd,,", [("player-stands", "Player had 6h and Ks: Player drew, but should stand")]),
    ("2 3 8,3 K,,", []),
    ("2 3 8,3 K 5,,", [("banker-stands", "Banker had 3 and K, and Player drew 8: Banker drew, but should stand")]),
    ("7 K,5 K,,", [("banker-draws", "Banker had 5 and K, and Player stood: Banker stood, but should draw")]),
    ("9 K 5,9 8,,", [("natural", "Player had 9 and K, a natural: Player drew, but no hand should draw")]),
    ("2 3 5,8 K 2,,", [("natural", "Banker had 8 and K, a natural: Player and Banker drew, but no hand should draw")]),
    ("9,7 K,,", [("hand-size", "Player had 1 card and Banker 2 cards, should be two or three each")]),
    ("9 K,7 K 2 3,,", [("hand-size", "Player had 2 cards and Banker 4 cards, should be two or three each")]),
    ("9 K 1h? 5,7 K 2,,", [("hand-size", "Player and Banker had 7 cards together, should be two or three each")]),
    ("9 K,7 K,B,", [("winner", "recorded banker, should be player: Player had 9, Banker 7")]),
    # With cards unread
    ("? K,7 K,,", []),
    ("? K 5,7 K,,", []),
    ("? ? 5,9 K,,", [("natural", "Banker had 9 and K, a natural: Player drew, but no hand should draw")]),
    ("7 K 5,? 2,,", [("player-stands", "Player had 7 and K: Player drew, but should stand")]),
    ("? 2 5,7 K 3,,", [("banker-stands", "Banker had 7 and K, and Player drew 5: Banker drew, but should stand")]),
    ("2 3 ?,2 K,,", [("banker-draws", "Banker had 2 and K, and Player drew ?: Banker stood, but should draw")]),
    ("2 3 ?,3 K,,", []),
    ("2 3 ?,3 K 4,,", []),
    ("2 3 ?,7 K 4,,", [("banker-stands", "Banker had 7 and K, and Player drew ?: Banker drew, but should stand")]),
    ("? 8,9 K,P,", [("winner", "recorded player, should be banker or tie")]),
    ("? 8,9 K,T,", []),
]


@pytest.fixture(scope="module")
def of_coups(tmp_path_factory: pytest.TempPathFactory) -> list[list[tuple[str, str]]]:
    """What is reported of each of these, the first coups of tables of their own."""
    lines = (f"{table},a,1,{line}" for table, (line, _) in enumerate(OF_COUPS))
    log = coups_of(tmp_path_factory.mktemp("coups"), *lines)
    errors = dealing_errors(log, load_game("punto-banco"), 8)
    assert errors["coup"].to_list() == [1] * errors.height
    said = errors.select("table", "rule", "found").rows()
    return [[row[1:] for row in said if row[0] == str(table)] for table in range(len(OF_COUPS))]


@pytest.mark.parametrize("place", range(len(OF_COUPS)), ids=[line for line, _ in OF_COUPS])
def test_what_is_said_of_a_coup(place: int, of_coups: list[list[tuple[str, str]]]) -> None:
    assert of_coups[place] == OF_COUPS[place][1]


COUPS = {
    1: "9h Kd,7s 2c",  # a tie at 9
    2: "9h ?,7s Kc",
    3: "9 9,7s 7s",
    4: "9h 8?,5 5h",
    5: "2h 3h 3c,7s Kc",  # Player 8 to 7
    6: "9h Kd 5,7s 2c",  # dealt wrong: Player 4, Banker 9
    7: "9h,7s 2c",
}


OF_PAYMENTS: list[tuple[int, str, str, str, str | None]] = [
    (1, "player", "100", "0", None),
    (1, "player", "100", "-100", "100.00 on player recorded as -100.00, should be 0.00"),
    (1, "tie-8", "12.50", "100", None),
    (1, "tie", "12.50", "112.5", "12.50 on tie recorded as 112.50, should be 100.00"),
    (1, "seven-seven-45", "1", "45", "1.00 on seven-seven-45 recorded as 45.00, should be -1.00"),
    (5, "banker-5", "10", "-9.99", "10.00 on banker-5 recorded as -9.99, should be -10.00"),
    (6, "banker-5", "0.33", "0.31", None),
    (6, "banker-5", "0.33", "0.32", None),
    (6, "banker-5", "0.33", "0.33", "0.33 on banker-5 recorded as 0.33, should be 0.31 or 0.32"),
    (6, "banker", "100", "100", "100.00 on banker recorded as 100.00, should be 95.00"),
    (2, "player", "100", "77", None),  # open
    (2, "player-pair", "1", "3", None),
    (2, "banker-pair", "1", "0", "1.00 on banker-pair recorded as 0.00, should be -1.00"),
    (3, "player-pair", "1", "11", None),
    (3, "player-pair", "1", "12", "1.00 on player-pair recorded as 12.00, should be 11.00"),
    (3, "perfect-pair", "1", "25", None),  # one is certain
    (3, "perfect-pair", "1", "-1", "1.00 on perfect-pair recorded as -1.00, should be 25.00"),
    (3, "perfect-pairs-200", "1", "7", None),  # whether both are is not known
    (4, "banker-suited", "0.01", "5", None),
    (4, "either-pair", "1", "-1", "1.00 on either-pair recorded as -1.00, should be 5.00"),
    (7, "tie-8", "1", "5", None),  # no coup
]


@pytest.fixture(scope="module")
def of_payments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pl.DataFrame]:
    """What is reported of these by two games' rules; each is a patron's own."""
    folder = tmp_path_factory.mktemp("payments")
    lines = ["table,shoe,coup,player,banker", *(f"1,a,{number},{hands}" for number, hands in COUPS.items())]
    (folder / "coups.csv").write_text("\n".join(lines))
    bets = (f"1,a,{coup},{i},{bet},{amount},{won}" for i, (coup, bet, amount, won, _) in enumerate(OF_PAYMENTS))
    (folder / "bets.csv").write_text("\n".join(["table,shoe,coup,patron,bet,amount,won", *bets]))
    log = read_log(folder / "coups.csv", folder / "bets.csv")
    errors = {game: dealing_errors(log, load_game(game), 8) for game in ("punto-banco", "louisiana")}
    for frame in errors.values():
        lines = frame.filter(pl.col("file") == "bets")["line"]
        assert lines.is_between(2, 1 + len(OF_PAYMENTS)).all()
    return errors


@pytest.mark.parametrize("place", range(len(OF_PAYMENTS)), ids=lambda place: "{} {} {} {}".format(*OF_PAYMENTS[place]))
def test_what_is_said_of_a_payment(place: int, of_payments: dict[str, pl.DataFrame]) -> None:
    *_, bet, _, _, expected = OF_PAYMENTS[place]
    errors = of_payments["louisiana" if bet == "seven-seven-45" else "punto-banco"]
    errors = errors.filter(pl.col("file") == "bets", pl.col("line") == 2 + place)
    assert errors["found"].to_list() == ([] if expected is None else [expected])
    assert errors["rule"].to_list() == ["payment"] * errors.height


def test_a_bet_that_nobody_has_is_named(tmp_path: Path) -> None:
    (tmp_path / "coups.csv").write_text("table,shoe,coup,player,banker\n1,a,1,9 8,7 A")
    bets = "table,shoe,coup,patron,bet,amount,won\n1,a,1,Ann,playr,1,5\n1,a,1,Ann,dragon-7,1,"
    (tmp_path / "bets.csv").write_text(bets)
    log = read_log(tmp_path / "coups.csv", tmp_path / "bets.csv")
    row = dealing_errors(log, load_game("punto-banco"), 8).filter(pl.col("file") == "bets").row(0, named=True)
    assert (row["line"], row["coup"], row["rule"]) == (2, 1, "unknown-bet")
    assert row["found"] == "a bet on 'playr', which neither punto-banco nor the catalog has; did you mean 'player'?"


def test_a_large_payment_is_exact(tmp_path: Path) -> None:
    (tmp_path / "coups.csv").write_text("table,shoe,coup,player,banker\n1,a,1,9 K,7 K\n1,a,2,7 K,9 K")
    head = "table,shoe,coup,patron,bet,amount,won\n"
    (tmp_path / "bets.csv").write_text(
        head + "1,a,2,A,banker-5,999999999.99,949999999.99\n1,a,2,A,banker-5,999999999.99,950000000.00\n"
        "1,a,2,A,banker-5,999999999.99,949999999.98\n1,a,1,A,player,1000000000,\n"
    )
    log = read_log(tmp_path / "coups.csv", tmp_path / "bets.csv")
    errors = dealing_errors(log, load_game("punto-banco"), 8)
    assert errors["line"].to_list() == [4]


def test_an_empty_log_has_no_errors(tmp_path: Path) -> None:
    assert said(coups_of(tmp_path), 8, Dealing()) == []


def test_a_card_is_named_as_it_was_logged() -> None:
    assert [card_name(code) for code in (35, 52 + 8, UNREAD)] == ["9c", "9", "?"]


@pytest.mark.parametrize("burn", ["none", "first-card"])
def test_an_early_end_is_reported(tmp_path: Path, burn: str) -> None:
    """Two coups less than the cut card allows, and with no cut card told, 15 less than other shoes."""
    dealing = Dealing(8, 14, burn, (1, 0))  # type: ignore[arg-type]
    coups, _ = log_frames(deal(EZ, dealing, 3, 0, 5), {"one": Flat("player", 5)}, EZ, 1)
    last = coups.group_by("shoe").agg(pl.col("coup").max().alias("last"))

    @cache
    def ending_early(less: int, shoe: int) -> Log:
        kept = coups.join(last, on="shoe", maintain_order="left").filter(
            (pl.col("shoe") != shoe) | (pl.col("coup") <= pl.col("last") - less)
        )
        kept.drop("last").write_csv(tmp_path / "coups.csv")
        return read_log(tmp_path / "coups.csv")

    def early(less: int, shoe: int, given: Dealing | None) -> list[tuple[str, str]]:
        errors = dealing_errors(ending_early(less, shoe), EZ, 8, given)
        return [(row["shoe"], row["found"]) for row in errors.filter(rule="early-end").iter_rows(named=True)]

    assert early(0, 2, dealing) == early(0, 2, None) == []
    ((shoe, said),) = early(3, 2, dealing)
    assert shoe == "2"
    assert "with 14 behind the cut card, another coup should follow" in said
    assert "unless" not in said
    ((_, of_the_last),) = early(3, 4, dealing)
    assert of_the_last.endswith("another coup should follow, unless it was still being dealt when the log ends")
    assert early(3, 2, None) == []
    ((shoe, said),) = early(15, 2, None)
    assert shoe == "2"
    assert "the table's shoes mostly end with" in said


def test_a_wrong_payout_names_patron_and_sum(tmp_path: Path) -> None:
    coups, bets = log_frames(deal(EZ, Dealing(), 3, 0, 2), {"one": Flat("player", 5), "two": Flat("banker", 3)}, EZ, 1)
    wrong = pl.col("won") + pl.when(pl.col("coup") == 4).then(1.5).when(pl.col("coup") == 5).then(-2).otherwise(0)
    coups.write_csv(tmp_path / "coups.csv")
    bets.with_columns(won=wrong).write_csv(tmp_path / "bets.csv")
    errors = dealing_errors(read_log(tmp_path / "coups.csv", tmp_path / "bets.csv"), EZ, 8)
    assert set(errors["rule"]) == {"payment"}
    assert errors.select("patron", "off").rows() == [
        (who, off) for _ in range(2) for off in (1.5, -2.0) for who in ("one", "two")
    ]


def test_the_result_of_a_bet_on_several_lines_may_stand_on_one(tmp_path: Path) -> None:
    coups, bets = log_frames(deal(EZ, Dealing(), 3, 0, 1), {"one": Flat("player", 30)}, EZ, 1)
    parts = [(10, 0), (20, 1)]
    lines = pl.concat([bets.with_columns(amount=pl.lit(float(a)), won=pl.col("won") * w) for a, w in parts])
    coups.write_csv(tmp_path / "coups.csv")

    def wrong(lines: pl.DataFrame) -> int:
        lines.write_csv(tmp_path / "bets.csv")
        return dealing_errors(read_log(tmp_path / "coups.csv", tmp_path / "bets.csv"), EZ, 8).height

    assert wrong(lines) == 0
    assert wrong(lines.with_columns(won=pl.col("won") * 2)) > 50


def test_the_ends_of_a_log_are_not_early_for_sure(tmp_path: Path) -> None:
    """A log that begins in the middle of a shoe, and one of whose shoes has hours missing."""
    coups, _ = log_frames(deal(EZ, Dealing(8, 14), 3, 0, 8), {"one": Flat("player", 5)}, EZ, 1)
    middle = coups.filter((pl.col("shoe") != 0) | (pl.col("coup") > 40)).with_columns(
        coup=pl.when(pl.col("shoe") == 0).then(pl.col("coup") - 40).otherwise("coup")
    )
    middle.write_csv(tmp_path / "coups.csv")
    (said,) = dealing_errors(read_log(tmp_path / "coups.csv"), EZ, 8, Dealing(8, 14))["found"]
    assert said.endswith("another coup should follow, unless the log begins within the shoe")
    assert dealing_errors(read_log(tmp_path / "coups.csv"), EZ, 8).is_empty()
    coups.filter((pl.col("shoe") != 3) | (pl.col("coup") > 60)).write_csv(tmp_path / "coups.csv")
    assert dealing_errors(read_log(tmp_path / "coups.csv"), EZ, 8).is_empty()
