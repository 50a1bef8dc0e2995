"""How a line of a log is read as it comes.

A `Reading` is a layout as it fits one input. It is made from the first lines, kept in the journal, and then reads every
line by itself.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from counting.games import Tableau
from counting.logs import NO_CARD, UNREAD, Layout, sides
from counting.logs.bets import bet_parsers
from counting.logs.cards import CardWords
from counting.logs.coups import LISTED, closed_hands, coup_parsers, listed
from counting.logs.deal_order import LEAST, ListOrder, hands_of
from counting.logs.events import dead_words
from counting.logs.fields import MOST_HAND
from counting.logs.fitting import Fit, Numbering
from counting.logs.frames import frames_in
from counting.logs.layouts import HANDS, KEY
from counting.logs.remarks import short
from counting.logs.values import as_text, at_path
from counting.watch.events import Bad, Bet, Cards, Coup, Event, Frame, Key, Out, Part, Undo

_BET_FIELDS = ("patron", "bet", "amount")
UNDO = "undo"


@dataclass(frozen=True)
class Reading:
    """How an input is read. `names` and `mark` are a CSV's columns and what parts them; without names each line is a
    JSON record. `bets` are the columns of bets: of their own file, or of records among those of coups; `cards` those of
    a file with a row a card, or the column of a coup that names it there; `holds` says what the input has: coups, bets,
    both of them in JSON lines, cards or frames. `comma` and `thousands` are of money, as `bet_parsers` has
    them."""

    fit: Fit
    holds: str
    names: tuple[str, ...] = ()
    mark: str = ""
    order: ListOrder = "dealt"
    bets: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    comma: bool = False
    encoding: str | None = None
    thousands: bool = False
    cards: Mapping[str, str] = field(default_factory=dict)

    @property
    def gathers(self) -> bool:
        """Whether a coup comes in several rows; frames are no rows."""
        layout = self.fit.layout
        again = layout.numbers.repeated == "last" and self.fit.numbering.order != "file"
        return again or layout.card_rows is not None

    def ends(self, line: bytes) -> list[int]:
        """Where what a line says ends in it: its end, or that of each of its frames."""
        if self.holds != "frames":
            return [len(line)]
        encoding = self.encoding or "utf-8"
        text = line.decode(encoding, errors="replace")
        ends = [len(text[:end].encode(encoding)) for end, *_ in frames_in(text.rstrip())][:-1]
        return [*ends, len(line)]

    def event(self, line: bytes, tableau: Tableau) -> Event:
        """What a line says."""
        try:
            text = line.decode(self.encoding or "utf-8")
        except UnicodeDecodeError:
            text = line.decode("cp1252", errors="replace")
        if not text.strip(" \t\r\n\0\ufeff"):
            return None
        if self.holds == "frames":
            return self._frame(text.strip(" \t\r\n\0\ufeff"))
        return self._of_record(text, tableau) if not self.names else self._of_fields(text, tableau)

    def _frame(self, text: str) -> Event:
        for _, data, wrong in frames_in(text):
            return Frame(data) if wrong is None else Bad(None, short(text), wrong.text)
        return None

    def _of_fields(self, text: str, tableau: Tableau) -> Event:
        try:
            fields = next(csv.reader([text.lstrip("\ufeff").rstrip("\r\n")], delimiter=self.mark))
        except (csv.Error, StopIteration):
            return Bad(None, short(text), "not a line of CSV")
        if tuple(part.strip() for part in fields) == self.names:
            return None
        if len(fields) != len(self.names):
            return Bad(None, short(text), f"has {len(fields)} fields, should have {len(self.names)}")
        texts = {name: fields[at].strip() for name, at in self._places.items()}
        if self.holds == "cards":
            return self._card(texts)
        return self._bet(texts) if self.holds == "bets" else self.coup(texts, tableau)

    def _of_record(self, text: str, tableau: Tableau) -> Event:
        try:
            record = json.loads(text)
        except (ValueError, RecursionError) as error:
            return Bad(None, short(text), f"not JSON: {error}")
        if not isinstance(record, dict | list):
            return Bad(None, short(text), "not a record, should be an object or a list")
        if isinstance(record, list) and any(isinstance(each, dict) for each in record):
            return Bad(None, short(text), "one JSON value of several records, should be a record a line")
        if isinstance(record, list):
            record = {
                name: record[at] if at < len(record) else None for at, name in enumerate(self.fit.layout.file.names)
            }
        if self.holds == "cards":
            return self._card(self._texts(record, self._card_paths))
        if record.get(UNDO) is True:
            return self._undo(self._texts(record, self._coup_paths))
        if self.holds == "bets" or (self.holds == "both" and _holds(record, self._bet_paths, ("patron", "bet"))):
            return self._bet(self._texts(record, self._bet_paths))
        return self.coup(self._texts(record, self._coup_paths), tableau)

    def _texts(self, record: object, paths: Mapping[str, list[str]]) -> dict[str, str]:
        return {name: as_text(at_path(record, path)) for name, path in paths.items()}

    @cached_property
    def _places(self) -> dict[str, int]:
        columns = {"bets": self.bets, "cards": self.cards}.get(self.holds, self._coup_columns)
        return {name: self.names.index(column) for name, column in columns.items()}

    @cached_property
    def _coup_columns(self) -> dict[str, str]:
        return {name: column for name, column in self.fit.columns.items() if _is_read(name)} | dict(self.cards)

    @cached_property
    def _coup_paths(self) -> dict[str, list[str]]:
        return {name: column.split(".") for name, column in self._coup_columns.items()}

    @cached_property
    def _card_paths(self) -> dict[str, list[str]]:
        return {name: column.split(".") for name, column in self.cards.items()}

    @cached_property
    def _bet_paths(self) -> dict[str, list[str]]:
        return {name: column.split(".") for name, column in self.bets.items()}

    @cached_property
    def _coup_parsers(self) -> dict[str, Any]:
        return coup_parsers(self.fit)

    @cached_property
    def _bet_parsers(self) -> dict[str, Any]:
        return bet_parsers(self.fit, self.comma, self.thousands)

    def _key(self, texts: Mapping[str, str], parsers: Mapping[str, Any], constants: Mapping[str, str]) -> Key | Bad:
        """What a line is of, or why that is not known."""
        values: list[Any] = []
        for name in KEY:
            if name == "coup" and self.fit.numbering.order == "file":
                values.append(None)
                continue
            text = constants.get(name, texts.get(name, ""))
            value, reason = parsers[name](text)
            if value is None:
                return Bad(name, short(text), reason.text if reason else "is missing")
            values.append(value)
        table, shoe, number = values
        return (table, shoe, number, None) if self.fit.numbering.order == "number" else (table, shoe, None, number)

    def _undo(self, texts: Mapping[str, str]) -> Event:
        key = self._key(texts, self._coup_parsers, self.fit.constants)
        return key if isinstance(key, Bad) else Undo(*key)

    def _bet(self, texts: Mapping[str, str]) -> Event:
        key = self._key(texts, self._bet_parsers, self.constants)
        if isinstance(key, Bad):
            return key
        values = []
        for name in _BET_FIELDS:
            value, reason = self._bet_parsers[name](texts.get(name, ""))
            if value is None:
                return Bad(name, short(texts.get(name, "")), reason.text if reason else "is missing")
            values.append(value)
        return Bet(*key, *values)

    @cached_property
    def _dead(self) -> frozenset[str]:
        """Words for a dead game."""
        return dead_words(self.fit.layout.events)

    def _out(self, texts: Mapping[str, str]) -> Event:
        """An event, with the cards that left the shoe."""
        word = texts["event"].lower()
        is_dead = word in self._dead
        key = self._key(texts if is_dead else {**texts, "coup": "1"}, self._coup_parsers, self.fit.constants)
        if isinstance(key, Bad):
            return key
        names = [name for name in texts if _is_hand(name) or name in ("cards", "burn", "exposed")]
        text = " ".join(texts[name] for name in names)
        cards = tuple(self._coup_parsers["burn"](text)[0] or ())
        return Out(key[0], key[1], key[2] if is_dead else None, key[3] if is_dead else None, short(word), cards)

    def coup(self, texts: Mapping[str, str], tableau: Tableau) -> Event:
        """What the fields of a coup say."""
        if texts.get("event") and (texts["event"].lower() in self._dead or not _has_hands(texts)):
            return self._out(texts)
        key = self._key(texts, self._coup_parsers, self.fit.constants)
        if isinstance(key, Bad):
            return key
        hands = self._listed(texts, tableau) if "cards" in texts else self._hands(texts)
        if isinstance(hands, Bad):
            return hands
        decks = self._coup_parsers["decks"](texts["decks"])[0] if texts.get("decks") else None
        burned = [code for name in ("burn", "exposed") if texts.get(name)
                  for code in self._coup_parsers[name](texts[name])[0] or ()]  # fmt: skip
        coup = Coup(*key, player=hands[0], banker=hands[1], burn=tuple(burned), decks=decks)
        if not self.gathers:
            return coup
        won = self._coup_parsers["winner"](texts.get("winner", ""))[0] is not None
        shoe = key[1] if isinstance(key[1], str) else ""
        of = texts["id"] if "id" in texts else " ".join(map(str, (key[0], shoe, *key[2:])))
        return Part(of, coup, won=won)

    def _card(self, texts: Mapping[str, str]) -> Event:
        """A card of a file with a row a card."""
        word = texts["hand"]
        side = self._sides.get(word) or self._sides.get(word.lower())
        if side is None:
            return Bad("hand", short(word), "should be player or banker")
        place = 0
        if "place" in texts:
            match = re.fullmatch(r"0*([0-9]{1,2})(\.0+)?", texts["place"])
            if match is None:
                return Bad("place", short(texts["place"]), "should be the place of the card, as 1")
            place = int(match[1]) + 1  # which may begin with 0
        text = texts["card"] if "card" in texts else texts["rank"] + texts.get("suit", "")
        codes = self._hand("player", text or "?")
        if isinstance(codes, Bad) or len(codes) != 1:
            return Bad("card", short(text), "should be a card as 9h, or ? where it could not be read")
        return Part(texts["of"], None, (side, place, codes[0]))

    @cached_property
    def _sides(self) -> dict[str, str]:
        assert self.fit.layout.card_rows is not None
        return sides(self.fit.layout.card_rows)

    def _hand(self, name: str, text: str) -> Cards | Bad:
        packed, reason = self._coup_parsers[name](text)
        if packed is None:
            return () if self.gathers and reason.kind == "none" else Bad(name, short(text), reason.text)
        return tuple(byte - 3 for byte in packed.to_bytes(MOST_HAND, "little") if byte)

    def _hands(self, texts: Mapping[str, str]) -> Any:
        if self.cards:
            return (), ()
        hands: list[Cards] = []
        for name in HANDS:
            if name in texts:
                codes = self._hand(name, texts[name])
                if isinstance(codes, Bad):
                    return codes
                hands.append(codes)
                continue
            columns = [f"{name}_{at}" for at in (1, 2, 3) if f"{name}_{at}" in texts]
            cards = [self._coup_parsers[column](texts[column])[0] for column in columns]
            closed = closed_hands(np.array([cards], np.int8))[0].tolist()
            hands.append(tuple(card for card in closed if card != NO_CARD))
            if not hands[-1] and not self.gathers:
                return Bad(name, "", "the cards are missing, should be as 9h Kd or ? ?; line skipped")
        return hands

    def _listed(self, texts: Mapping[str, str], tableau: Tableau) -> Any:
        codes = self.list_codes([texts["cards"]])[0]
        totals = [[-1 if (total := self._coup_parsers[f"{name}_total"](texts.get(f"{name}_total", ""))[0]) is None
                   else total for name in HANDS]]  # fmt: skip
        hands = hands_of(np.array([codes], np.int8), self.order, np.array(totals, np.int8), tableau)
        number = sum(code != NO_CARD for code in codes)
        if not hands.read[0]:
            if self.gathers and number < LEAST:
                return (), ()
            return Bad("cards", short(texts["cards"]), f"has {number} cards in one list, should be four to six")
        if hands.open[0]:
            return Bad("cards", short(texts["cards"]), f"{number} cards in one list: either hand may have three")
        return [tuple(code for code in hand[0].tolist() if code != NO_CARD) for hand in (hands.player, hands.banker)]

    def list_codes(self, texts: Sequence[str]) -> list[list[int]]:
        """The codes of cards in one list, a place each, eight of them, for each text."""
        words = listed(pl.DataFrame({"cards": texts}, {"cards": pl.String}), self.fit.layout.cards.order)
        card = self._coup_parsers["card_1"]
        codes = [[card(word)[0] for word in row] for row in words.select(LISTED).iter_rows()]
        return [[UNREAD if code is None else code for code in row] for row in codes]

    def to_dict(self) -> dict[str, Any]:
        """As the journal has it."""
        fit, by = self.fit, self.fit.by
        return {
            "layout": fit.layout.model_dump(mode="json", exclude_defaults=True), "name": fit.name,
            "columns": dict(fit.columns), "constants": dict(fit.constants), "written": by.written, "joined": by.joined,
            "none": sorted(by.none), "numbering": list(fit.numbering), "holds": self.holds, "names": list(self.names),
            "mark": self.mark, "order": self.order, "bets": dict(self.bets), "bet_constants": dict(self.constants),
            "comma": self.comma, "encoding": self.encoding, "thousands": self.thousands, "cards": dict(self.cards),
        }  # fmt: skip

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Reading:
        layout = Layout.model_validate(data["layout"])
        by: CardWords = layout.words(data["written"], data["joined"], frozenset(data["none"]))
        fit = Fit(data["name"], layout, data["columns"], data["constants"], by, Numbering(*data["numbering"]))
        return cls(
            fit, data["holds"], tuple(data["names"]), data["mark"], data["order"], data["bets"], data["bet_constants"],
            data["comma"], data["encoding"], data["thousands"], data.get("cards", {}),
        )  # fmt: skip


def _is_read(name: str) -> bool:
    """Whether a coup's field says something of its cards."""
    return name in (*KEY, "cards", "burn", "exposed", "event", "decks", "winner") or (
        name.startswith(HANDS) and not name.endswith("_pair")
    )


def _has_hands(texts: Mapping[str, str]) -> bool:
    """Whether a line has cards of hands."""
    return any(text for name, text in texts.items() if name == "cards" or _is_hand(name))


def _is_hand(name: str) -> bool:
    return name.startswith(HANDS) and not name.endswith("_total")


def _holds(record: Mapping[str, object], paths: Mapping[str, list[str]], names: Sequence[str]) -> bool:
    """Whether something stands in a record at each of these fields' paths."""
    return all(at_path(record, paths[name]) not in (None, "") for name in names if name in paths)
