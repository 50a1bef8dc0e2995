"""Games as data: a tableau, bets with their pay table lines, and a source.

A game is a TOML file (see `games/punto-banco.toml` for the schema). Loading checks the file and reports the mistakes in
its keys and bets together. If a file is not TOML, or the game that it names under `like` cannot be loaded, only this is
reported, and nothing else is checked. A `commission` without a bet to charge, or with too many decimals, is reported
only if there is no other mistake. A loaded `Game` is frozen, and is not checked again. A bet of the catalog can be
added to any game whose coups can meet each line of the bet.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator

from counting.cards import MOST_DECKS
from counting.errors import InputError, Mistakes, keyword, nearest, printable, several, whole
from counting.games.bets import Bet, Shown, catalog, is_written, line_events, unfit
from counting.games.tableau import Tableau
from counting.io.toml import Frozen, Text, digest, duplicated, find, read_toml, shipped, validated, value_text
from counting.numbers import exact, plain, share
from counting.synonyms import letters

MAIN_EVENTS = {"player-win": "player", "banker-win": "banker", "tie": "tie"}


def _decks(value: object) -> int:
    if type(value) is int and 1 <= value <= MOST_DECKS:
        return value
    raise ValueError(f"should be a whole number from 1 to {MOST_DECKS}")


Decks = Annotated[int, BeforeValidator(_decks)]


def _several_decks(value: object) -> tuple[int, ...]:
    """Numbers of decks in rising order, each once."""
    try:
        if isinstance(value, list) and value:
            return tuple(sorted({*map(_decks, value)}))
    except ValueError:
        pass
    raise ValueError(f"should be a list of whole numbers from 1 to {MOST_DECKS}, as [6, 8]")


def _on_banker_at(percent: str) -> str:
    """The name of the bet on Banker at a commission."""
    return f"banker-{percent.replace('.', '-')}"


def _commission(value: object) -> Fraction:
    rate = exact(str(value), percent=True) if type(value) in (str, int, float) else None
    if rate is None or rate >= 1:
        raise ValueError('should be a share below 1, as "2.5%" or 0.025')
    return rate


class _Head(Frozen):
    """The keys of a game's file. With `like`, keys that the file leaves out are taken from the base, which is the game
    that `like` names."""

    like: Text | None = None
    title: Text
    source: Text
    decks: Decks
    decks_allowed: Annotated[tuple[int, ...] | None, BeforeValidator(_several_decks)] = None
    tableau: Any
    commission: Annotated[Fraction | None, BeforeValidator(_commission)] = None
    without: list[Any] | None = None
    bets: list[Any]


@dataclass(frozen=True, repr=False)
class Game:
    """A loaded game. `name` is the name of its file without `.toml`. `decks` is the usual number of decks.
    `decks_allowed` are the numbers that the rules allow; None allows any number from 1 to 27.

    >>> from counting import load_game
    >>> load_game("louisiana")
    <Game louisiana: 8 decks, 13 bets>
    """

    name: str
    title: str
    source: str
    decks: int
    tableau: Tableau
    bets: tuple[Bet, ...]
    decks_allowed: tuple[int, ...] | None = None

    def __hash__(self) -> int:
        """A cheap hash: games are cache keys."""
        return hash((self.name, self.decks, self.bet_names))

    @cached_property
    def bet_names(self) -> tuple[str, ...]:
        return tuple(bet.name for bet in self.bets)

    @cached_property
    def _by_name(self) -> dict[str, Bet]:
        return {bet.name: bet for bet in reversed(self.bets)}

    def bet(self, name: str) -> Bet:
        if isinstance(name, str) and (bet := self._by_name.get(name)) is not None:
            return bet
        names = self.bet_names
        raise InputError(f"bet {name!r}: {self.name} has {', '.join(names)}{nearest(str(name), names)}")

    def bet_name(self, text: str) -> str:
        """The name of the bet that a text means: one of the game's bets or, if none fits, of the catalog's. An exact
        name of either comes first.

        The text is a name or a title. Its capitals, blanks and hyphens do not matter, and a title may be cut off at its
        first comma, colon or bracket. The text may also be a bet that is written out, as `Bet.written` reads it. A text
        that means no bet is returned unchanged.

        Names are compared first, then whole titles, then titles that are cut off. Raises `InputError` for a text that
        fits several bets equally well, and for mistakes in a bet that is written out.

        >>> from counting import load_game
        >>> load_game("punto-banco").bet_name("Dragon 7")
        'dragon-7'
        """
        if not isinstance(text, str):
            raise InputError(f"bet {text!r}: should be a name")
        if is_written(text):
            return Bet.written(text).name
        if text in self._by_name or text in catalog() or not (wanted := letters(text)):
            return text
        for bets in (self.bets, [*catalog().values()]):
            spellings = [(bet.name, bet.title or "", re.split("[,:(]", bet.title or "")[0]) for bet in bets]
            for alike in zip(*spellings, strict=True):
                meant = [bet.name for bet, spelled in zip(bets, alike, strict=True) if letters(spelled) == wanted]
                if len(meant) > 1:
                    raise InputError(f"bet {text!r}: may be {' or '.join(meant)}", "one of them")
                if meant:
                    return meant[0]
        return text

    def dealt_from(self, decks: int | None = None) -> int:
        """The number of decks to deal from: `decks`, or by default the game's usual number.

        Raises `InputError` for a number that the rules do not allow, or that is not from 1 to 27.
        """
        if decks is None:
            return self.decks
        decks = whole(decks, "decks", 1, MOST_DECKS)
        if self.decks_allowed is not None and decks not in self.decks_allowed:
            allowed = " or ".join(map(str, self.decks_allowed))
            raise InputError(f"decks: {decks}, should be {allowed}: {self.name} is dealt from no other number of decks")
        return decks

    def also(self, bets: Iterable[str]) -> Game:
        """The game with these bets added. Bets that the game lacks come from the catalog, or are written out as
        `Bet.written` reads them.

        Raises `InputError` for

        - an unknown bet
        - a bet with a line that can never happen in this game
        - mistakes in a bet that is written out, such as the name of another bet
        """
        bets = several(bets, "bets")
        offered = {bet.name: bet for bet in self.bets}
        named: dict[str, frozenset[Shown]] | None = None
        mistakes = Mistakes()
        for name in bets:
            if isinstance(name, str) and name in offered:
                continue
            if isinstance(name, str) and ":" in name:
                with mistakes.gathered():
                    own = self._own(name, offered)
                    offered[own.name] = own
                continue
            if not isinstance(name, str) or name not in catalog():
                if str(name) in shipped("games"):
                    mistakes.append(f"bet {name!r}: is a game, should be a bet, as {self.bets[0].name}")
                    continue
                hint = self._at_its_commission(str(name)) or nearest(str(name), (*self.bet_names, *catalog()))
                mistakes.append(
                    f"bet {name!r}: {self.name} has {', '.join(self.bet_names)}; the catalog has no such bet{hint}"
                )
                continue
            bet = catalog()[name]
            mistakes += [f"bet {name!r}: {self.name}: {wrong}" for wrong in unfit(bet, self.tableau)]
            if named is None:
                named = _named(self.tableau, self.bets, _main_events(self.tableau))[0]
            with_bet, wrong = (
                _named(self.tableau, [bet], named) if any(line.event for line in bet.pays) else (named, [])
            )
            if wrong:  # the bet's names for events clash with the game's names, and the game's names stay
                bet = bet.model_copy(
                    update={"pays": tuple(line.model_copy(update={"event": None}) for line in bet.pays)}
                )
            else:
                named = with_bet
            offered[name] = bet
        mistakes.report()
        return self if len(offered) == len(self.bets) else replace(self, bets=tuple(offered.values()))

    def _own(self, text: str, offered: Mapping[str, Bet]) -> Bet:
        """The bet that a text writes out. It may be a bet that the game has already. Otherwise its name must be new to
        the game and the catalog, and for each line there must be a coup that meets it."""
        bet = Bet.written(text)
        if offered.get(bet.name) == bet:
            return bet
        if bet.name in offered or bet.name in catalog():
            whose = self.name if bet.name in offered else "the catalog"
            raise InputError(f"bet {text!r}: {whose} has another bet {bet.name!r}, should have another name")
        mistakes = Mistakes(f"bet {bet.name!r}: {self.name}: {wrong}" for wrong in unfit(bet, self.tableau))
        mistakes.report()
        return bet

    def asked(self, bets: Iterable[str]) -> tuple[Game, tuple[str, ...]]:
        """The game with these bets added, and the names of these bets, each once. A bet of the game or the catalog is
        given by its name or title, as `bet_name` reads it. Other bets are written out, as `Bet.written` reads them.
        Errors are as for `bet_name` and `also`.

        >>> from counting import load_game
        >>> load_game("punto-banco").asked(["Dragon 7", "big-tie: tie player_total=8-9 = 30:1"])[1]
        ('dragon-7', 'big-tie')
        """
        texts = several(bets, "bets")
        names = tuple(map(self.bet_name, texts))
        more = self.also(text if is_written(text) else name for text, name in zip(texts, names, strict=True))
        return more, tuple(dict.fromkeys(names))

    def only(self, bets: Iterable[str]) -> Game:
        """The game with only these bets, in this order, each once. Bets and errors are as for `asked`."""
        more, names = self.asked(bets)
        return replace(self, bets=tuple(map(more.bet, names)))

    def at_commission(self, commission: Fraction | str) -> Game:
        """The game with a bet on Banker that pays even money less this commission, which is a share such as 1/40 or
        "2.5%". The new bet replaces the game's main bets on Banker that pay every win at one price below even money. If
        there are none, it replaces the first main bet on Banker, if this bet pays all wins at even money. Lines of the
        replaced bet that do not win are kept.

        Raises `InputError` for a commission that is not from 0 to below 100%, or has too many decimals, and for a game
        without a bet to replace.

        >>> from counting import load_game
        >>> load_game("punto-banco").at_commission("2.5%").bet_names
        ('player', 'banker-2-5', 'tie-8', 'tie-9')
        """
        commission = share(str(commission), keyword("commission"))
        percent = plain(commission * 100)
        if commission == 1:
            raise InputError(f"{keyword('commission')}: 100%", "less than 100%")
        on_banker = self._mains_on("banker")
        prices = [{line.pay for line in bet.pays if line.pay > 0} for bet in on_banker]
        charged = [bet for bet, paid in zip(on_banker, prices, strict=True) if len(paid) == 1 and max(paid) < 1]
        changed = charged or [bet for bet, paid in zip(on_banker[:1], prices, strict=False) if paid == {Fraction(1)}]
        if not changed:
            raise InputError(
                f"commission {percent}%: {self.name} has no bet on Banker that pays every win at one price, "
                "should be left out"
            )
        paid = 1 - commission
        data = changed[0].model_dump(exclude_none=True, mode="json", by_alias=True)
        for line, was in zip(data["pays"], changed[0].pays, strict=True):
            line["odds"] = f"{paid.numerator}:{paid.denominator}" if was.pay > 0 else was.odds
        data |= {"name": _on_banker_at(percent), "title": f"Banker, {percent}% commission"}
        try:
            at = Bet(**data)
        except InputError:
            given = commission if "/" in percent else f"{percent}%"
            raise InputError(
                f"{keyword('commission')}: {given}", "a percentage with at most three decimals, as 5% or 2.125%"
            ) from None
        bets = tuple(at if bet is changed[0] else bet for bet in self.bets if bet is changed[0] or bet not in changed)
        title = re.sub(r", [0-9.]+% commission$", "", self.title)
        return replace(self, title=f"{title}, {percent}% commission", bets=bets)

    def _at_its_commission(self, name: str) -> str:
        """A hint with this game's name for the bet on Banker, if the game's title has a commission and `name` is the
        bet at another commission. Otherwise empty."""
        percent = re.search(r", ([0-9.]+)% commission$", self.title)
        if percent is None or not re.fullmatch("banker(-[0-9]+)+", name):
            return ""
        return f"; at {percent[1]}% commission it is {_on_banker_at(percent[1])!r}"

    def with_bets(self, *bets: Bet) -> Game:
        """The game with your own bets added; they are priced, played and studied like the game's bets.

        Raises `InputError` for

        - a bet with the name of a bet that the game has
        - a bet without lines, or with a line that can never happen in this game
        - odds that are too large over their common denominator
        - lines that look at too much of the hands
        - a name for an event that is already another event's name
        - a second name for an event that already has a name

        >>> from counting import Bet, Shoe, exact_edges, load_game
        >>> tie = Bet.of("tie-8-7", {"tie": "35:4"})
        >>> exact_edges(load_game("punto-banco").with_bets(tie), Shoe.decks(8))["tie-8-7"]
        Fraction(-48214592333, 667521137220)
        """
        mistakes = Mistakes()
        names = list(self.bet_names)
        for bet in bets:
            if not isinstance(bet, Bet):
                mistakes.append(f"bet {bet!r}: should be a Bet, as Bet.of makes; `also` adds the catalog's by name")
                continue
            if bet.name in names:
                mistakes.append(f"bet {bet.name!r}: {self.name} has this bet, should have another name")
            names.append(bet.name)
            mistakes += [f"bet {bet.name!r}: {wrong}" for wrong in unfit(bet, self.tableau)]
        mistakes.report()
        mistakes += [f"bet {wrong}" for wrong in _name_events(self.tableau, [*self.bets, *bets])[1]]
        mistakes.report()
        return replace(self, bets=(*self.bets, *bets))

    @cached_property
    def main_bets(self) -> dict[str, str]:
        """The main bet on each result: `player`, `banker` and `tie`. This is the first bet that meets these conditions:

        - it is settled by outcomes alone
        - it never loses on the result, and sometimes wins on it
        - it always loses the whole stake if the other hand wins; for `tie`, if either hand wins

        A result without such a bet is left out. If several bets qualify, a table offers one of them."""
        on = {winner: self._mains_on(winner) for winner in MAIN_EVENTS.values()}
        return {winner: bets[0].name for winner, bets in on.items() if bets}

    @cached_property
    def offered(self) -> tuple[str, ...]:
        """The bets that one table offers. Of several main bets on the same result, or several bets with the same
        conditions, the table offers the first.

        >>> from counting import load_game
        >>> load_game("punto-banco").offered
        ('player', 'banker-5', 'tie-8')
        """
        others = {bet.name for winner in MAIN_EVENTS.values() for bet in self._mains_on(winner)[1:]}
        first = {bet.conditions: bet.name for bet in reversed(self.bets)}
        return tuple(bet.name for bet in self.bets if bet.name not in others and first[bet.conditions] == bet.name)

    def _mains_on(self, winner: str) -> list[Bet]:
        """The bets that qualify as main bets on this result; `main_bets` has the conditions."""
        listed = []
        for bet in self.bets:
            pays = {on: bet.may_pay(outcomes) for on, outcomes in self.tableau.by_winner.items()}
            others = {"player", "banker"} - {winner}
            if min(pays[winner]) >= 0 < max(pays[winner]) and all(pays[on] == {Fraction(-1)} for on in others):
                listed.append(bet)
        return listed

    def main_bet(self, name: str) -> str:
        """The name of a bet. If the game has no bet of this name, `player`, `banker` and `tie` mean the main bets on
        these results; other names are returned unchanged."""
        if not isinstance(name, str):
            raise InputError(f"bet {name!r}", "a name")
        return name if name in self.bet_names else self.main_bets.get(name, name)

    def mains(self, names: Iterable[str] | None = None) -> tuple[str, ...]:
        """The bets that these names mean, as in `main_bet`; by default all main bets of the game."""
        return tuple(self.main_bets.values() if names is None else map(self.main_bet, several(names, "main bets")))

    @cached_property
    def events(self) -> dict[str, frozenset[Shown]]:
        """The events that settle the bets, by name. An event is a set of outcomes, of what first cards show (`First`),
        or of lines that hands meet (`LineHit`).

        The three winners come first, then the events of the pay table lines.
        """
        return _name_events(self.tableau, self.bets)[0]

    @cached_property
    def settlement(self) -> dict[str, tuple[tuple[str, Fraction], ...]]:
        """For each bet, its events and their pays. On any other coup the bet loses."""
        name_of = {outcomes: name for name, outcomes in self.events.items()}
        return {
            bet.name: tuple(
                (name_of[settled], line.pay)
                for line, settled in zip(bet.pays, line_events(bet, self.tableau), strict=True)
            )
            for bet in self.bets
        }

    @property
    def heading(self) -> str:
        """The title and, if hands may choose, the moves that prices assume. If there are more than three choices, only
        their number is given."""
        return f"{self.title}{self.tableau.taken}"

    @property
    def caveat(self) -> str:
        """A sentence to add to figures, which says that other moves may win more. It is empty if no hand may choose."""
        return " A bettor who chooses the moves may win more." if self.tableau.choices else ""

    def __repr__(self) -> str:
        return f"<Game {self.name}: {self.decks} decks, {len(self.bets)} bets>"

    def to_dict(self) -> dict[str, Any]:
        """The game as plain data. `from_dict` reads this form."""
        kept: dict[str, Any] = {"name": self.name, "title": self.title, "source": self.source, "decks": self.decks}
        if self.decks_allowed is not None:
            kept["decks_allowed"] = [*self.decks_allowed]
        kept["tableau"] = self.tableau.to_dict()
        kept["bets"] = [bet.model_dump(exclude_none=True, mode="json", by_alias=True) for bet in self.bets]
        return kept

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Game:
        return _game(data["name"], {k: v for k, v in data.items() if k != "name"}, data["name"], None)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the game as data, its name included. Comments and layout of the file do not change it."""
        return digest(self.to_dict())


def load_game(name_or_path: str | Path) -> Game:
    """A shipped game by its name or title, or your own game by the path of its TOML file.

    Raises `InputError` for an unknown name, and for mistakes in a file, with a line for each. A line gives the file,
    the key and, where they help, the value and what is allowed.

    >>> from counting import load_game
    >>> load_game("punto-banco").bet_names
    ('player', 'banker-5', 'banker-4', 'tie-8', 'tie-9')
    """
    if (path := shipped("games").get(str(name_or_path))) is not None:
        return _shipped(path)
    try:
        path = find(name_or_path, "games")
    except InputError:
        if (titled := _by_title(str(name_or_path))) is not None:
            return titled
        if games := games_with(str(name_or_path)):
            raise InputError(f"game {name_or_path!r}: is a bet, should be a game, as {games[0]}") from None
        raise
    return _read(path)


def _by_title(text: str) -> Game | None:
    """The shipped game of this name or title, whatever its capitals, blanks and hyphens."""
    games = [load_game(name) for name in shipped("games")]
    return {letters(each): game for game in games for each in (game.title, game.name)}.get(letters(text))


def game_beside(path: Path, name: str) -> Game:
    """The game that a file names. The name may be the path of a game file, relative to the folder of the file that
    names it. Any other name is read as for `load_game`."""
    beside = path.parent / name
    return load_game(beside if os.path.isfile(beside) else name)


@lru_cache
def _shipped(path: Path) -> Game:
    return _read(path)


def _read(path: Path, above: tuple[Path, ...] = ()) -> Game:
    """The game of a file. `above` are the files that led to this file; each of them names the next file under
    `like`."""
    data = read_toml(path)
    return _game(path.stem, data, str(path), _base(data["like"], path, above) if "like" in data else None)


def _base(like: object, path: Path, above: tuple[Path, ...]) -> Game:
    """The game that a file names under `like`: a shipped game, or the game of a file in the same folder."""
    games, where = shipped("games"), f"{path}: like = {value_text(like)}"
    allowed = "the name of a shipped game, or of a TOML file in the same folder"
    if not isinstance(like, str) or {"/", "\\"} & {*like}:
        raise InputError(where, allowed)
    if like in games:
        return _shipped(games[like])
    beside = path.parent / like
    if not like.endswith(".toml") or not beside.is_file():
        raise InputError(f"{where}, should be {allowed}{nearest(like, games)}")
    files = (*above, path.resolve())
    if beside.resolve() in files:
        raise InputError(f"{where}: leads back to this file, should be another game")
    return _read(beside, files)


def games_with(bet: str) -> list[str]:
    """The shipped games that have a bet, or that can have it from the catalog. Empty if the text is no bet's name."""
    games = [load_game(name) for name in shipped("games")]
    can = [game for game in games if bet in catalog() and not unfit(catalog()[bet], game.tableau)]
    return list(dict.fromkeys(game.name for game in (*(game for game in games if bet in game.bet_names), *can)))


def as_game(game: Game | str | Path) -> Game:
    """The game itself, if `game` is a `Game`; otherwise the game of a shipped name or of a file's path. Errors are as
    for `load_game`."""
    return game if isinstance(game, Game) else load_game(game)


def _game(name: str, data: dict[str, Any], where: str, base: Game | None) -> Game:
    """The game of a file's data. Keys that the data leave out are taken from the base, if there is a base. Raises
    `InputError` with a line per mistake."""
    mistakes = Mistakes()

    def complain(mistake: str) -> None:
        mistakes.append(f"{where}: {mistake}")

    if base is None and (only := {"like", "without"} & data.keys()):
        complain(
            f"{min(only)}: should be in a file that has like" if only == {"without"} else "like: should be in a file"
        )
    data = data if base is None else _keys_of(base) | data
    head = validated(_Head, data, [], complain)
    tableau = _tableau(data["tableau"], complain) if "tableau" in data else None
    bets = []
    listed = data["bets"] if isinstance(data.get("bets"), list) else []
    names = _each(listed, "name")
    if listed == [] and isinstance(data.get("bets"), list) and base is None:
        complain("bets: should be one bet or more")
    for key in ("name", "title"):
        for i, repeated in duplicated(_each(listed, key)).items():
            complain(f"bets {i + 1}, {key} = {repeated!r}: an earlier bet has this {key}")
    for i, raw in enumerate(listed):
        place = [f"bets {i + 1} ({printable(names[i])})" if i in names else f"bets {i + 1}"]
        if isinstance(raw, dict) and set(raw) == {"name"} and i in names:
            if names[i] not in catalog():
                hint = nearest(names[i], catalog())
                complain(f"{place[0]}: has no pays and is no bet of the catalog (see `counting bets`){hint}")
                continue
            bet: Bet | None = catalog()[names[i]]
        else:
            bet = validated(Bet, raw, place, complain)
        if bet is None:
            continue
        wrong = unfit(bet, tableau)
        for what in wrong:
            complain(f"{place[0]}, {what}")
        if not wrong:
            bets.append(bet)
    if base is not None and head is not None:
        bets = _beside_base(base, bets, head.without or [], tableau, complain)
    if tableau is not None:
        for what in _name_events(tableau, bets)[1]:
            complain(what)
    if head is not None and head.decks_allowed is not None and head.decks not in head.decks_allowed:
        complain(f"decks = {head.decks}: should be one of decks_allowed, {' or '.join(map(str, head.decks_allowed))}")
    mistakes.report()
    assert head is not None
    assert tableau is not None
    game = Game(name, head.title, head.source, head.decks, tableau, tuple(bets), head.decks_allowed)
    if head.commission is None:
        return game
    with mistakes.gathered():
        charged = game.at_commission(head.commission)
        return replace(charged, title=data["title"]) if base is None or data["title"] != base.title else charged
    raise InputError("\n".join(f"{where}: {mistake}" for mistake in mistakes))


def _keys_of(base: Game) -> dict[str, Any]:
    """The keys that a file takes from its base, unless the file has these keys itself."""
    keys: dict[str, Any] = {"title": base.title, "source": base.source, "decks": base.decks, "tableau": base.tableau}
    return keys | {"bets": []} | ({} if base.decks_allowed is None else {"decks_allowed": [*base.decks_allowed]})


def _beside_base(
    base: Game, own: list[Bet], without: list[Any], tableau: Tableau | None, complain: Callable[[str], None]
) -> list[Bet]:
    """The bets of the base, then the bets of the file (`own`). The base's bets under `without` are left out. A bet of
    the file takes the place of the base's bet of the same name."""
    for name in without:
        if name not in base.bet_names:
            of_base = f"{', '.join(base.bet_names)}{nearest(str(name), base.bet_names)}"
            complain(f"without: {value_text(name)}, should be a bet of {base.name}: {of_base}")
    by_name = {bet.name: bet for bet in own}
    kept = [by_name.pop(bet.name, bet) for bet in base.bets if bet.name not in without]
    for bet in kept:
        if bet not in own:
            for what in unfit(bet, tableau):
                complain(f"bet {bet.name} of {base.name}, {what}; or leave it out under without")
    bets = [*kept, *by_name.values()]
    titles = {i: bet.title for i, bet in enumerate(bets) if bet.title}
    for repeated in duplicated(titles).values():
        complain(f"title = {repeated!r}: two bets have this title, one of them from {base.name}")
    if not bets:
        complain("without: should leave one bet or more")
    return bets


def _tableau(value: object, complain: Callable[[str], None]) -> Tableau | None:
    """A tableau written out, or a shipped game's tableau."""
    if isinstance(value, Tableau):
        return value
    if isinstance(value, dict):
        return validated(Tableau, value, ["tableau"], complain)
    games = shipped("games")
    if isinstance(value, str) and value in games:
        return _tableau(read_toml(games[value])["tableau"], complain)
    complain(
        f"tableau = {value!r}: should be a table with player and banker, or the name of a shipped game"
        f"{nearest(str(value), games)}"
    )
    return None


def _each(listed: list[Any], key: str) -> dict[int, str]:
    """The texts that the tables in a list have under `key`, each by its table's index in the list."""
    return {i: row[key] for i, row in enumerate(listed) if isinstance(row, dict) and isinstance(row.get(key), str)}


def _name_events(tableau: Tableau, bets: Sequence[Bet]) -> tuple[dict[str, frozenset[Shown]], list[str]]:
    """The events by name: the winners, then the events that lines name, then the events of other lines, with names made
    from the lines' conditions. Also returns the mistakes in names: an event must not have two names, nor two events the
    same name."""
    events, wrong = _named(tableau, bets, _main_events(tableau))
    name_of = {event: name for name, event in reversed(events.items())}
    for line, event in (pair for bet in bets for pair in zip(bet.pays, line_events(bet, tableau), strict=True)):
        if event not in name_of:
            name, n = line.label, 2
            while name in events:
                name, n = f"{line.label}-{n}", n + 1
            events[name] = event
            name_of[event] = name
    return events, wrong


def _main_events(tableau: Tableau) -> dict[str, frozenset[Shown]]:
    return {name: tableau.by_winner[winner] for name, winner in MAIN_EVENTS.items()}


def _named(
    tableau: Tableau, bets: Sequence[Bet], named: Mapping[str, frozenset[Shown]]
) -> tuple[dict[str, frozenset[Shown]], list[str]]:
    """The events in `named`, and the events that the bets' lines name. Also returns the mistakes in the lines'
    names."""
    events = dict(named)
    name_of = {event: name for name, event in events.items()}
    wrong = []
    for bet in bets:
        for j, (line, event) in enumerate(zip(bet.pays, line_events(bet, tableau), strict=True), 1):
            if not line.event or not event:
                continue
            place = f"{bet.name}, pays {j}, event = {line.event!r}"
            if events.setdefault(line.event, event) != event:
                wrong.append(f"{place}: is the name of another event, should be a new name")
            elif name_of.setdefault(event, line.event) != line.event:
                earlier = f"{name_of[event]!r}, this event's name in an earlier line"
                wrong.append(f"{place}: should be {earlier}, or left out")
    return events, wrong
