"""Games as data: a tableau, bets with their pay lines, and a source.

A game is a TOML file (see `games/punto-banco.toml` for the schema). Loading validates and reports
every mistake at once; a loaded `Game` is frozen and trusted from then on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict

from counting.cards import MOST_DECKS
from counting.config import digest, duplicated, find, read_toml, text, validated
from counting.errors import InputError, Mistakes, nearest

STOOD = 10  # the column of Banker's table for when Player stood
# Largest pay of a bet in units of the common denominator of its odds. No tableau has more than 400 classes of
# outcomes, so twice that many such pays stay below 2^30, which is what pricing in 64 bits asks (`_settle.pyx`).
MOST_PAY = 1 << 20
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAIN_EVENTS = {"player-win": "player", "banker-win": "banker", "tie": "tie"}

_WINNERS = ("player", "banker", "tie")


class Outcome(NamedTuple):
    """What a coup shows when it is over: the totals (0 to 9) and the number of cards (2 or 3) of each hand."""

    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int

    @property
    def winner(self) -> str:
        if self.player_total == self.banker_total:
            return "tie"
        return "player" if self.player_total > self.banker_total else "banker"

    @property
    def margin(self) -> int:
        return abs(self.player_total - self.banker_total)

    @property
    def cards(self) -> int:
        return self.player_cards + self.banker_cards

    @property
    def natural(self) -> bool:
        """A hand had 8 or 9 on two cards, which ends the coup; the winner's hand, unless it is a tie."""
        return self.cards == 4 and max(self.player_total, self.banker_total) >= 8


def _numbers(low: int, high: int) -> BeforeValidator:
    allowed = f'should be {low} to {high}, a list as [{low}, {high}] or a range as "{low}-{high}"'

    def check(given: object) -> tuple[int, ...]:
        if isinstance(given, str) and (match := re.fullmatch(r"\s*([0-9])\s*-\s*([0-9])\s*", given)):
            numbers: list[Any] = list(range(int(match[1]), int(match[2]) + 1))
        else:
            numbers = given if isinstance(given, list) else [given]
        if not numbers or not all(type(n) is int and low <= n <= high for n in numbers):
            raise ValueError(allowed)
        return tuple(sorted(set(numbers)))

    return BeforeValidator(check)


def _winners(given: object) -> tuple[str, ...]:
    winners = given if isinstance(given, list) else [given]
    if not winners or not all(w in _WINNERS for w in winners):
        raise ValueError(f"should be {', '.join(map(repr, _WINNERS))} or a list of them")
    return tuple(w for w in _WINNERS if w in winners)


def _odds(given: object) -> str:
    text = given if isinstance(given, str) else ""
    if text in ("push", "lose") or re.fullmatch(r"[1-9][0-9]{0,5}:[1-9][0-9]{0,5}", text):
        return text
    raise ValueError('should be odds as "40:1" or "19:20", "push" or "lose"')


def _name(given: object) -> str:
    if isinstance(given, str) and NAME.fullmatch(given) and len(given) <= 64:
        return given
    raise ValueError("should be lower case letters and digits with hyphens, as 'seven-seven-40'")


def _letters(length: int) -> Callable[[object], tuple[bool, ...]]:
    def check(given: object) -> tuple[bool, ...]:
        letters = "".join(given.split()).upper() if isinstance(given, str) else ""
        if len(letters) != length or set(letters) - {"D", "S"}:
            raise ValueError(f"should be {length} letters, D for draw or S for stand")
        return tuple(letter == "D" for letter in letters)

    return check


def _rows(given: object) -> object:
    if not isinstance(given, list) or len(given) != 8:
        raise ValueError("should be a list of eight rows, for Banker's totals 0 to 7")
    return tuple(given)


Text = Annotated[str, BeforeValidator(text)]


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Tableau(_Frozen):
    """Who draws a third card. `player[total]`; `banker[total][third]`, where third 10 is: Player stood."""

    by_total: ClassVar = ("banker",)

    player: Annotated[tuple[bool, ...], BeforeValidator(_letters(8))]
    banker: Annotated[tuple[Annotated[tuple[bool, ...], BeforeValidator(_letters(11))], ...], BeforeValidator(_rows)]

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Every outcome that some coup has, in order."""
        return tuple(sorted(set(self._outcomes())))

    def _outcomes(self) -> Iterable[Outcome]:
        digits = range(10)
        for p in digits:
            for b in digits:
                if p >= 8 or b >= 8:
                    yield Outcome(p, b, 2, 2)
                elif not self.player[p]:
                    yield from (Outcome(p, (b + c) % 10, 2, 3) for c in digits if self.banker[b][STOOD])
                    if not self.banker[b][STOOD]:
                        yield Outcome(p, b, 2, 2)
                else:
                    for third in digits:
                        total = (p + third) % 10
                        if self.banker[b][third]:
                            yield from (Outcome(total, (b + c) % 10, 3, 3) for c in digits)
                        else:
                            yield Outcome(total, b, 3, 2)


class Line(_Frozen):
    """A pay line: conditions that a coup must all fit, and the odds. Sets of numbers are sorted tuples."""

    winner: Annotated[tuple[str, ...] | None, BeforeValidator(_winners)] = None
    margin: Annotated[tuple[int, ...] | None, _numbers(0, 9)] = None
    player_total: Annotated[tuple[int, ...] | None, _numbers(0, 9)] = None
    banker_total: Annotated[tuple[int, ...] | None, _numbers(0, 9)] = None
    player_cards: Annotated[tuple[int, ...] | None, _numbers(2, 3)] = None
    banker_cards: Annotated[tuple[int, ...] | None, _numbers(2, 3)] = None
    cards: Annotated[tuple[int, ...] | None, _numbers(4, 6)] = None
    natural: bool | None = None
    odds: Annotated[str, BeforeValidator(_odds)]
    event: Annotated[str | None, BeforeValidator(_name)] = None

    @property
    def pay(self) -> Fraction:
        """Profit per unit staked: 40 for "40:1", 0 for a push, -1 for a loss."""
        if ":" in self.odds:
            won, staked = map(int, self.odds.split(":"))
            return Fraction(won, staked)
        return Fraction(0 if self.odds == "push" else -1)

    def fits(self, outcome: Outcome) -> bool:
        if self.natural not in (None, outcome.natural):
            return False
        return all(getattr(outcome, key) in wanted for key, wanted in self._asked)

    @cached_property
    def _asked(self) -> list[tuple[str, tuple[Any, ...]]]:
        keys = ("winner", "margin", "player_total", "banker_total", "player_cards", "banker_cards", "cards")
        return [(key, wanted) for key in keys if (wanted := getattr(self, key)) is not None]

    @property
    def label(self) -> str:
        """A name for what the line pays on, made from its conditions, unless it has one of its own."""
        if self.event:
            return self.event
        words = []
        if self.winner:
            words.append("-or-".join(w if w == "tie" else f"{w}-win" for w in self.winner))
        for key, word in (
            ("margin", "by"),
            ("player_total", "player"),
            ("banker_total", "banker"),
            ("player_cards", "player-cards"),
            ("banker_cards", "banker-cards"),
            ("cards", "cards"),
        ):
            numbers = getattr(self, key)
            if numbers:
                run = len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1
                ends = f"{numbers[0]}-to-{numbers[-1]}"
                words.append(f"{word}-{ends if run else '-or-'.join(map(str, numbers))}")
        if self.natural is not None:
            words.append("natural" if self.natural else "no-natural")
        return "-".join(words) or "any"


class Bet(_Frozen):
    """A bet: the first line that a coup fits pays; a coup that fits none loses the stake."""

    name: Annotated[str, BeforeValidator(_name)]
    title: Text | None = None
    pays: Annotated[tuple[Line, ...], BeforeValidator(lambda given: tuple(given) if isinstance(given, list) else given)]

    def line(self, outcome: Outcome) -> int | None:
        """The number of the line that settles the bet, None where it loses for want of one."""
        return next((i for i, line in enumerate(self.pays) if line.fits(outcome)), None)

    def pay(self, outcome: Outcome) -> Fraction:
        i = self.line(outcome)
        return Fraction(-1) if i is None else self.pays[i].pay

    @property
    def denominator(self) -> int:
        """The least whole stake that every line pays in whole units."""
        return lcm(*(line.pay.denominator for line in self.pays))


def _decks(given: object) -> int:
    if type(given) is int and 1 <= given <= MOST_DECKS:
        return given
    raise ValueError(f"should be a whole number from 1 to {MOST_DECKS}")


Decks = Annotated[int, BeforeValidator(_decks)]


class _Head(_Frozen):
    title: Text
    source: Text
    decks: Decks
    tableau: Any
    bets: list[Any]


@dataclass(frozen=True)
class Game:
    """A loaded game. `name` is the shipped name, or the file's name without `.toml`."""

    name: str
    title: str
    source: str
    decks: int
    tableau: Tableau
    bets: tuple[Bet, ...]

    @property
    def bet_names(self) -> tuple[str, ...]:
        return tuple(bet.name for bet in self.bets)

    def bet(self, name: str) -> Bet:
        for bet in self.bets:
            if bet.name == name:
                return bet
        names = self.bet_names
        raise InputError(f"bet {name!r}: {self.name} has {', '.join(names)}{nearest(name, names)}")

    @cached_property
    def events(self) -> dict[str, frozenset[Outcome]]:
        """The sets of outcomes that the bets are made of, by name: who won first, then the pay lines' own."""
        return _name_events(self.tableau, self.bets)[0]

    @cached_property
    def settlement(self) -> dict[str, tuple[tuple[str, Fraction], ...]]:
        """For each bet its events with what they pay; on any other coup the bet loses."""
        name_of = {outcomes: name for name, outcomes in self.events.items()}
        return {
            bet.name: tuple(
                (name_of[settled], line.pay)
                for line, settled in zip(bet.pays, _settled(bet, self.tableau), strict=True)
            )
            for bet in self.bets
        }

    def to_dict(self) -> dict[str, Any]:
        """The game as plain data, from which `from_dict` makes it again."""
        kept: dict[str, Any] = {"name": self.name, "title": self.title, "source": self.source, "decks": self.decks}
        rows = ["".join("SD"[d] for d in row) for row in self.tableau.banker]
        kept["tableau"] = {"player": "".join("SD"[d] for d in self.tableau.player), "banker": rows}
        kept["bets"] = [bet.model_dump(exclude_none=True, mode="json") for bet in self.bets]
        return kept

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Game:
        return _game(data["name"], {k: v for k, v in data.items() if k != "name"}, data["name"])

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the game as data; two files that differ in comments or layout alone have the same."""
        return digest(self.to_dict())


@lru_cache(maxsize=1024)
def _settled(bet: Bet, tableau: Tableau) -> tuple[frozenset[Outcome], ...]:
    """For each line, the outcomes that it settles: those that fit it and no earlier line."""
    settled: list[set[Outcome]] = [set() for _ in bet.pays]
    for outcome in tableau.outcomes:
        i = bet.line(outcome)
        if i is not None:
            settled[i].add(outcome)
    return tuple(frozenset(s) for s in settled)


def load_game(name_or_path: str | Path) -> Game:
    """A shipped game by name, or a user's own by the path of its TOML file.

    Raises `InputError` with a line for every mistake: file, key, value and what is allowed.
    """
    path = find(name_or_path, "games")
    return _game(path.stem, read_toml(path), str(path))


def _game(name: str, data: dict[str, Any], where: str) -> Game:
    mistakes = Mistakes()

    def complain(mistake: str) -> None:
        mistakes.append(f"{where}: {mistake}")

    head = validated(_Head, data, [], complain)
    tableau = None
    if isinstance(data.get("tableau"), dict):
        tableau = validated(Tableau, data["tableau"], ["tableau"], complain)
    elif "tableau" in data:
        complain("tableau: should be a table with player and banker")
    bets = []
    listed = data["bets"] if isinstance(data.get("bets"), list) else []
    names = _each(listed, "name")
    if listed == [] and isinstance(data.get("bets"), list):
        complain("bets: should be one bet or more")
    for key in ("name", "title"):
        for i, repeated in duplicated(_each(listed, key)).items():
            complain(f"bets {i + 1}, {key} = {repeated!r}: an earlier bet has this {key}")
    for i, raw in enumerate(listed):
        place = [f"bets {i + 1} ({names[i]})" if i in names else f"bets {i + 1}"]
        bet = validated(Bet, raw, place, complain)
        if bet is None:
            continue
        bets.append(bet)
        if not bet.pays:
            complain(f"{place[0]}, pays: should be one line or more")
            continue
        if max(Fraction(1), *(line.pay for line in bet.pays)) * bet.denominator > MOST_PAY:
            complain(f"{place[0]}, pays: odds over their common denominator should be at most {MOST_PAY:,}")
        if tableau is not None:
            for j, settled in enumerate(_settled(bet, tableau), 1):
                if not settled:
                    complain(f"{place[0]}, pays {j}: no coup comes to this line, should be one that can happen")
    if tableau is not None:
        for wrong in _name_events(tableau, bets)[1]:
            complain(wrong)
    mistakes.report()
    assert head is not None
    assert tableau is not None
    return Game(name, head.title, head.source, head.decks, tableau, tuple(bets))


def _each(listed: list[Any], key: str) -> dict[int, str]:
    """The texts under a key of the tables in a list, by place."""
    return {i: row[key] for i, row in enumerate(listed) if isinstance(row, dict) and isinstance(row.get(key), str)}


def _name_events(tableau: Tableau, bets: Sequence[Bet]) -> tuple[dict[str, frozenset[Outcome]], list[str]]:
    """Who won, the events that lines name, then the other lines' sets under names made of their conditions.

    Also what is wrong with the names given: one name has one set of outcomes, and one set one name.
    """
    found = {name: frozenset(o for o in tableau.outcomes if o.winner == w) for name, w in MAIN_EVENTS.items()}
    name_of = {outcomes: name for name, outcomes in found.items()}
    lines = [
        (bet, j, *pair) for bet in bets for j, pair in enumerate(zip(bet.pays, _settled(bet, tableau), strict=True))
    ]
    wrong = []
    for bet, j, line, settled in lines:
        if not line.event or not settled:
            continue
        place = f"{bet.name}, pays {j + 1}, event = {line.event!r}"
        if found.setdefault(line.event, settled) != settled:
            wrong.append(f"{place}: the name of another event, should be its own")
        elif name_of.setdefault(settled, line.event) != line.event:
            wrong.append(f"{place}: should be {name_of[settled]!r}, as elsewhere, or left out")
    for _, _, line, settled in lines:
        if settled not in name_of:
            name, n = line.label, 2
            while name in found:
                name, n = f"{line.label}-{n}", n + 1
            found[name] = settled
            name_of[settled] = name
    return found, wrong
