"""Read an input line by line, with a layout fitted to it. A line records a coup, bets, a correction, an event, the
beginning of a shoe, or a part of a coup.

Fields and hands are parsed by the same functions as in `read_log`, which reads files in blocks of rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import polars as pl

from counting.games import Tableau
from counting.logs.bets import bet_form, constant_values
from counting.logs.card_words import pair
from counting.logs.cards import CardWords, hand_codes
from counting.logs.coups import coup_form
from counting.logs.csv_files import fields_of
from counting.logs.events import Events
from counting.logs.fields import NONE
from counting.logs.files import Form, Lost
from counting.logs.fitting import PLACES, BetFit, Fit, Numbering, constants_of_bets
from counting.logs.frames import frames_in
from counting.logs.hands import LISTED, PROGRESS, OneByOne, words_listed
from counting.logs.joined import sides
from counting.logs.json_files import Within, lists_of, records_in
from counting.logs.layouts import HANDS, KEY, FileForm, Layout
from counting.logs.patterns import pattern_of
from counting.logs.records import LONGEST, field_text, record_of, text_of, too_long
from counting.logs.remarks import SKIPPED, Reason, short
from counting.logs.shoe_lines import SHOE, Shoes, shoe_pattern_of
from counting.logs.sources import AND, column_key
from counting.logs.values import at_path, without_point
from counting.logs.views import FieldPlan, field_plan

UNDO = "undo"
Holds = Literal["coups", "bets", "both", "cards", "frames"]
_BLANKS = " \t\r\n\0\ufeff"


class Wrong(NamedTuple):
    """Something unreadable: the column (None for the whole line), the text, and the reason."""

    column: str | None
    value: str
    reason: str


class Said(NamedTuple):
    """What a line records. `key` has the table, the shoe, the coup's number, and the log's own number or time if coups
    are numbered anew. `values` are the values of the fields. A coup's values also have the codes of the cards:
    `player`, `banker`, and `burn`, the cards that left the shoe before the coup. `progress`: whether the coup is in
    progress."""

    kind: Literal["coup", "bet", "undo", "out", "card", "frame", "shoe"]
    key: tuple[str, str | int, int | None, int | None]
    values: dict[str, Any]


NOWHERE = ("", "", None, None)


@dataclass(frozen=True)
class Reading:
    """How to read an input. `holds` names the content: coups, bets, coups and bets in JSON lines ("both"), cards, or
    frames. `names` and `mark`: a CSV's columns and the mark that separates them. Without `names`, each line is a JSON
    value with records at the paths `within`. `bets` states how to read bets. `cards`: the columns of a file with a row
    for each card, or the column that links coups with this file."""

    fit: Fit
    holds: Holds
    names: tuple[str, ...] = ()
    mark: str = ""
    encoding: str | None = None
    bets: BetFit | None = None
    cards: Mapping[str, str] | None = None
    within: tuple[Within, ...] = ((),)

    @cached_property
    def gathers(self) -> bool:
        """Whether a coup may have several rows: one for each card, or one for each stage of the deal. Frames do not
        count as rows."""
        layout = self.fit.layout
        again = layout.numbers.repeated == "last" and self.fit.numbering.order != "file"
        return again or layout.card_rows is not None

    def ends(self, line: bytes) -> list[int]:
        """The places in a line where its records end: the end of each frame, or only the end of the line."""
        if self.holds != "frames":
            return [len(line)]
        encoding = self.encoding or "utf-8"
        text = line.decode(encoding, errors="replace")
        ends = [len(text[:end].encode(encoding)) for end, *_ in frames_in(text.rstrip())][:-1]
        return [*ends, len(line)]

    def said(self, line: bytes, tableau: Tableau, shoes: Shoes | None = None) -> list[Said | Wrong]:
        """What a line records, in order. Empty if the line is blank, has the column names, or is left out by the
        layout. `shoes`: the shoes that earlier lines began, if the layout has lines that begin shoes."""
        if len(line) > LONGEST and len(line) > LONGEST + 2 * (len(line) - len(line.rstrip(b"\r\n\0"))):
            return [Wrong(None, short(line[-80:].decode(errors="replace")), too_long().text)]
        text = text_of(line)[0] if self.encoding is None else line.decode(self.encoding, errors="replace")
        text = text.strip(_BLANKS) if self.names == () else text.lstrip("\ufeff").rstrip("\r\n\0")
        if not text.strip().strip(_BLANKS):
            return []
        if self.holds == "frames":
            return self._frame(text)
        if self._form.line is not None:
            return self._of_pattern(self._form.line, text, tableau, shoes or Shoes())
        if self.names:
            fields = self._fields(text)
            if isinstance(fields, Reason):
                return [] if fields.kept else [Wrong(None, short(text), fields.text)]
            return [] if fields is None else self._row(fields, tableau)
        record = record_of(text)
        if isinstance(record, Reason):
            return [Wrong(None, short(text), record.text)]
        if isinstance(record, list):
            record = dict(zip(self.fit.layout.file.names, record, strict=False))
        if self.holds == "both":
            return self._of_stream(record, text, tableau)
        return self._rows_in(record, tableau)

    # Texts of fields

    def _fields(self, text: str) -> dict[str, str] | Reason | None:
        """The texts of a line in the columns that are read; None for the line of column names."""
        parts = fields_of(text, self.mark, len(self.names))
        if isinstance(parts, Reason):
            return parts
        parts = [part.strip() for part in parts]
        if tuple(parts) == self.names:
            return None
        return {name: parts[at] for name, at in self._places.items()}

    def _of_pattern(self, pattern: str, text: str, tableau: Tableau, shoes: Shoes) -> list[Said | Wrong]:
        """What a line records if the layout has a pattern: a coup or bet, the beginning of a shoe, or nothing."""
        begins = None if self._form.shoe_line is None else shoe_pattern_of(self._form.shoe_line, pattern)
        fields = pattern_of(pattern).groups(text)
        if fields is not None:
            if begins is not None:
                fields[SHOE] = shoes.at(fields[begins.table] if begins.table else "")
            return self._row({name: fields[column] for name, column in self._plan.base.items()}, tableau)
        (begun,) = [None] if begins is None else begins.begun(pl.Series([text]))
        return [] if begun is None else [Said("shoe", (*begun, None, None), {})]

    @cached_property
    def _form(self) -> FileForm:
        """The form of the input, as the layout states it."""
        layout = self.fit.layout
        return {"bets": layout.bets_file, "cards": FileForm()}.get(self.holds, layout.file)

    @cached_property
    def _plan(self) -> FieldPlan:
        """How to make a row's fields from the input's columns."""
        return field_plan(self._form, self._columns, self._own_column)

    @cached_property
    def _any_plan(self) -> FieldPlan:
        """The plan for corrections, which may be in any record. The layout's `only` does not apply."""
        return field_plan(self._form.model_copy(update={"only": {}}), self._columns, self._own_column)

    @cached_property
    def _bet_plan(self) -> FieldPlan:
        """The plan for the bets of a stream, which may be in any record. The layout's `only` does not apply."""
        assert self.bets is not None
        return field_plan(self._form.model_copy(update={"only": {}}), self.bets.columns, self._own_column)

    def _own_column(self, name: str) -> str | None:
        """The input's spelling of a column's name; None if it lacks the column. JSON has no list of columns: there, the
        result is `name` itself, or None if `name` joins two columns."""
        if not self.names:
            return None if AND in name else name
        return next((own for own in self.names if column_key(own) == column_key(name)), None)

    @cached_property
    def _coup_columns(self) -> dict[str, str]:
        return {**self.fit.columns, **(self.cards or {})}

    @cached_property
    def _columns(self) -> Mapping[str, str]:
        """The input's column of each field of a row."""
        match self.holds:
            case "bets":
                return self.bets.columns if self.bets is not None else {}
            case "cards":
                return self.cards or {}
        return self._coup_columns

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: self.names.index(column) for name, column in self._plan.base.items()}

    @cached_property
    def _paths(self) -> dict[str, list[str]]:
        return {name: column.split(".") for name, column in self._plan.base.items()}

    @cached_property
    def _bet_paths(self) -> dict[str, list[str]]:
        return {name: column.split(".") for name, column in self._bet_plan.base.items()}

    def _texts(self, record: object, paths: Mapping[str, list[str]] | None = None) -> dict[str, str]:
        texts = {}
        for name, path in (paths or self._paths).items():
            value = record.get(path[0]) if len(path) == 1 and isinstance(record, dict) else at_path(record, path)
            texts[name] = "" if value is None else field_text(value)
        return texts

    # Rows

    def _row(self, columns: Mapping[str, str], tableau: Tableau) -> list[Said | Wrong]:
        """What a row records. Empty if the layout's `only` leaves the row out."""
        texts = self._plan.record(columns)
        if texts is None:
            return []
        if self.holds == "cards":
            return [self._card(texts)]
        if self.holds != "bets" and self.cards and "hand" in self.cards:
            return [self._dealt(texts, tableau)]
        return [self._bet(texts) if self.holds == "bets" else self.coup(texts, tableau)]

    def _rows_in(self, record: object, tableau: Tableau) -> list[Said | Wrong]:
        return [said for each in records_in(record, self.within) for said in self._row(self._texts(each), tableau)]

    def _of_stream(self, record: dict[str, Any], text: str, tableau: Tableau) -> list[Said | Wrong]:
        """What a record of a stream has: a correction, a bet, or coups and perhaps a list of bets. Bets come before
        coups in the result."""
        if record.get(UNDO) is True:
            texts = self._any_plan.record(self._texts(record)) or {}
            values = self._coup_form.row({name: each for name, each in texts.items() if name in KEY})
            return [_wrong(values) if isinstance(values, Lost) else Said("undo", self._key(values), {})]
        if self._is_bet(record):
            return [self._stream_bet(record)]
        return [*map(self._stream_bet, self._bets_in(record, text)), *self._rows_in(record, tableau)]

    def _stream_bet(self, record: object) -> Said | Wrong:
        return self._bet(self._bet_plan.record(self._texts(record, self._bet_paths)) or {})

    def _is_bet(self, record: object) -> bool:
        return all(at_path(record, path) not in (None, "") for path in self._bet_marks)

    @cached_property
    def _bet_marks(self) -> list[list[str]]:
        """The paths of patron and bet. A record with texts at these paths is a bet."""
        return [self._bet_paths[name] for name in ("patron", "bet") if name in self._bet_paths]

    @cached_property
    def _bet_names(self) -> list[str]:
        return [self._bet_paths[name][-1] for name in ("patron", "bet", "amount") if name in self._bet_paths]

    def _bets_in(self, record: dict[str, Any], text: str) -> list[object]:
        """The bets in a coup's record, from its first list of bets."""
        for name in self._bet_names:
            if f'"{name}"' not in text:
                return []
        paths = [path for path, names in lists_of(record) if names.issuperset(map(str.lower, self._bet_names))]
        return [bet for bet in records_in(record, paths[:1]) if self._is_bet(bet)]

    @cached_property
    def _coup_form(self) -> Form:
        return coup_form(self.fit, self._events())

    @cached_property
    def _hands(self) -> OneByOne:
        return OneByOne({*self._coup_columns, *self.fit.constants}, self.fit)

    @cached_property
    def _bet_form(self) -> Form:
        return bet_form(self.fit, self.bets)

    @cached_property
    def _bet_constants(self) -> dict[str, Any]:
        return constant_values(self._bet_form, self.bets.constants if self.bets is not None else {})

    def _events(self) -> Events:
        hands = [name for name in ("cards", *HANDS, *PLACES) if name in self.fit.columns]
        return Events(hands, self.fit.layout.events, self.fit.by)

    def _key(self, values: Mapping[str, Any], constants: Mapping[str, str] | None = None) -> Any:
        constants = self.fit.constants if constants is None else constants
        table, shoe, coup = values.get("table"), values.get("shoe"), values.get("coup")
        if constants:
            table, shoe, coup = (constants.get(name, values.get(name)) for name in KEY)
        match self.fit.numbering.order:
            case "number":
                return table, shoe, coup, None
            case "file":
                return table, shoe, None, None
        return table, shoe, None, coup

    def _bet(self, texts: Mapping[str, str]) -> Said | Wrong:
        assert self.bets is not None
        values = self._bet_form.row(texts)
        if isinstance(values, Lost):
            return _wrong(values)
        values |= self._bet_constants
        return Said("bet", self._key(values, {}), values)

    def coup(self, texts: Mapping[str, str], tableau: Tableau) -> Said | Wrong:
        """The coup, or the event, with these texts of its fields."""
        if texts.get("event") and self._events().takes_out(texts):
            return self._event(texts)
        if "cards" in texts:
            words = words_listed(texts["cards"], self.fit.layout.cards.order)
            texts = {**texts, **dict(zip(LISTED, words, strict=True))}
        values = self._coup_form.row({**self.fit.constants, **texts} if self.fit.constants else texts)
        if isinstance(values, Lost):
            return _wrong(values)
        player, banker, refused = ((), (), []) if self.cards else self._hands.hands(values, tableau)
        in_progress = bool(self.cards)
        for why in refused:
            in_progress = why.kind == PROGRESS or (why.kind == NONE and self.gathers)
            if not in_progress:
                return Wrong(why.column, short(texts.get(why.column, why.value)), f"{why.reason}; {SKIPPED}")
        burn = (*(values.get("burn") or ()), *(values.get("exposed") or ()))
        cards = {"player": player, "banker": banker, "burn": burn, "progress": in_progress}
        return Said("coup", self._key(values), {**values, **cards, "id": without_point(texts.get("id", ""))})

    def _event(self, texts: Mapping[str, str]) -> Said | Wrong:
        """An event, with the cards that left the shoe in this event."""
        events = self._events()
        events.taken_out(pl.DataFrame([{"line": 0, **texts}], {"line": pl.Int32, **dict.fromkeys(texts, pl.String)}))
        event = events.frame().row(0, named=True)
        needs = KEY if event["dead"] else KEY[:2]
        values = self._coup_form.row({name: text for name, text in texts.items() if name in needs})
        if isinstance(values, Lost):
            return _wrong(values)
        key = self._key(values) if event["dead"] else (*self._key(values)[:2], None, None)
        return Said("out", key, {"event": event["event"], "cards": tuple(event["cards"])})

    @cached_property
    def _sides(self) -> dict[str, str]:
        assert self.fit.layout.card_rows is not None
        return sides(self.fit.layout.card_rows)

    def _card(self, texts: Mapping[str, str]) -> Said | Wrong:
        """A card, from a separate file with a row for each card."""
        word = texts["hand"]
        side = self._sides.get(word.lower())
        if side is None:
            return Wrong("hand", short(word), "should be player or banker")
        place = re.fullmatch(r"0*([0-9]{1,2})(\.0+)?", texts.get("place", "0"))
        if place is None:
            return Wrong("place", short(texts["place"]), "should be the place of the card, as 1")
        text = texts["card"] if "card" in texts else pair(texts["rank"], texts.get("suit", ""))
        codes, bad = hand_codes(text or "?", self.fit.by)
        if len(codes) != 1 or bad:
            return Wrong("card", short(text), "should be a card as 9h, or ? where it could not be read")
        at = int(place[1]) + ("place" in texts)  # places may be counted from 0
        return Said("card", NOWHERE, {"of": without_point(texts["of"]), "card": (side, at, codes[0])})

    def _dealt(self, texts: Mapping[str, str], tableau: Tableau) -> Said | Wrong:
        """A card with its coup, from a file of coups with a row for each card."""
        card = self._card({**texts, "of": ""})
        coup = self.coup(texts, tableau)
        if isinstance(card, Wrong) or isinstance(coup, Wrong):
            return card if isinstance(card, Wrong) else coup
        return coup._replace(values={**coup.values, "card": card.values["card"], "winner": None})

    def _frame(self, text: str) -> list[Said | Wrong]:
        for _, data, wrong in frames_in(text):
            return [Said("frame", NOWHERE, {"data": data}) if wrong is None else Wrong(None, short(text), wrong.text)]
        return []

    # Data for the journal

    def to_dict(self) -> dict[str, Any]:
        """The reading as data for JSON."""
        fit, bets = self.fit, self.bets
        return {
            "layout": fit.layout.model_dump(mode="json", exclude_defaults=True), "name": fit.name,
            "columns": dict(fit.columns), "constants": dict(fit.constants), "order": fit.order,
            "words": {**fit.by._asdict(), "none": sorted(fit.by.none)}, "numbering": list(fit.numbering),
            "holds": self.holds, "names": list(self.names), "mark": self.mark, "encoding": self.encoding,
            "bets": None if bets is None else list(bets), "cards": self.cards,
            "within": [list(path) for path in self.within],
        }  # fmt: skip

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Reading:
        """The reading from the data that `to_dict` makes."""
        words, bets = data["words"], data["bets"]
        names = tuple(map(tuple, words["names"]))
        by = CardWords(**{**words, "none": frozenset(words["none"]), "names": names})
        fit = Fit(
            data["name"], Layout.model_validate(data["layout"]), data["columns"], data["constants"], by,
            Numbering(*data["numbering"]), order=data["order"],
        )  # fmt: skip
        of_bets = None if bets is None else BetFit(*bets)._replace(guessed=tuple(bets[-1]))
        return cls(
            fit, data["holds"], tuple(data["names"]), data["mark"], data["encoding"], of_bets, data["cards"],
            tuple(map(tuple, data["within"])),
        )  # fmt: skip


def _wrong(lost: Lost) -> Wrong:
    return Wrong(lost.name, short(lost.text), lost.reason.text)


def stream_bets(fit: Fit) -> BetFit:
    """How to read bets in a stream of coups. The stream's first lines may have no bets, so the layout decides how bets
    are read."""
    columns = {name: column for name, column in fit.layout.bets.model_dump(exclude_none=True).items()
               if name in _BET_FIELDS}  # fmt: skip
    constants = {name: value for name, value in fit.constants.items() if name in KEY} | constants_of_bets(columns)
    paths = {name: column for name, column in columns.items() if name not in constants}
    decimal = fit.layout.decimal
    return BetFit(paths, constants, decimal == ",", decimal is None, fit.numbering.first, fit.numbering.first)


_BET_FIELDS: Sequence[str] = (*KEY, "patron", "bet", "amount")
