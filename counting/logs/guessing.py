"""Guess a layout for a file that no known layout fits. Columns are guessed by their headings. Most guesses are checked
against the column's texts. Exceptions are columns with one card each, columns of suits, and the table, shoe and coup of
a file with a row per card."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from counting.logs import fields
from counting.logs.cards import PLAIN, CardWords, hand_codes, is_no_card
from counting.logs.headings import card_columns, columns_of, squeezed
from counting.logs.joined import Grouped, sides
from counting.logs.joined import card_row_columns as card_columns_of
from counting.logs.layouts import CONSTANT, HANDS, KEY, CardRows, CoupColumns, Layout, file_words
from counting.logs.roads import unrolled
from counting.logs.sources import Source

_SOME, _MOSTLY, _NEARLY_ALL = 0.2, 0.5, 0.9
_FALLS = 0.5  # a column whose numbers fall at more than this share of the rows does not number coups
_WAYS = (PLAIN, CardWords(joined=True), CardWords("values", joined=True), CardWords("ranks"), CardWords("codes"))
_NUMBER = re.compile(r"[0-9]{1,15}(\.0+)?")

Check = Callable[[str], bool]


class Guess(NamedTuple):
    """A layout with guessed columns, and phrases that state the guesses, such as "shoe from boot"."""

    layout: Layout
    words: tuple[str, ...]


def guessed(source: Source, layout: Layout) -> Guess | None:
    """The layout, completed with columns of the file. None if neither the layout nor the headings give columns of
    cards."""
    stated = layout.coups.model_fields_set
    columns = {field: getattr(layout.coups, field) for field in stated}
    names = [name for name in source.names if name not in columns.values() and not _is_place(name)]
    words: list[str] = []

    def take(field: str, column: str | Sequence[str]) -> None:
        columns[field] = column if isinstance(column, str) else tuple(column)
        for each in [column] if isinstance(column, str) else column:
            for part in each.split("+"):
                if part in names:
                    names.remove(part)
        if column != field:
            shown = column if isinstance(column, str) else ", ".join(column)
            words.append(f"{field} from {shown}")

    if not (stated & {*HANDS, "cards"}) and not _take_hands(source, names, take):
        return None
    for field, check in _checks(layout).items():
        if field not in columns:
            found = next((name for name in columns_of(field, names) if _fits(source, name, check)), None)
            if found is not None:
                take(field, found)
    numbers = layout.numbers
    if "coup" not in columns:
        columns["coup"] = CONSTANT
        words.append("coups in the order of the file")
    if "shoe" not in columns:
        columns["shoe"] = CONSTANT
        if _restarts(source, columns["coup"], columns.get("table", CONSTANT)):
            columns["shoe"] = columns["coup"]
            numbers = numbers.model_copy(update={"new_shoe": "falls"})
            words.append(f"a new shoe where {columns['coup']} falls")
        else:
            words.append("one shoe")
    if "table" not in columns:
        columns["table"] = CONSTANT
        words.append("one table")
    coups = CoupColumns(**columns)
    return Guess(layout.model_copy(update={"coups": coups, "numbers": numbers}), tuple(words))


_OF_CARD_ROWS = {
    "hand": "hand side who owner seat dealt_to recipient to participant",
    "place": "place position pos seq sequence index card_index card_no card_number order deal_order number no nr n",
    "card": "card card_name card_code name",
    "rank": "rank card_rank face value card_value",
    "suit": "suit card_suit suite",
}  # usual headings in a file with a row per card


def grouped(source: Source, stated: Layout | None) -> tuple[Source, Layout | None, tuple[str, ...]]:
    """A source with a row per coup, its layout, and sentences on guesses. A file with a row per card is converted. So
    is a file with a road of results in each row, if no layout is stated."""
    if stated is None and not source.look:
        source = unrolled(source) or source
    if stated is None and source.look:
        return source, None, (source.look,)
    if stated is not None and (stated.card_rows is None or stated.card_rows.is_apart):
        return source, stated, ()
    rows = _card_rows(source) if stated is None else stated.card_rows
    if rows is None:
        return source, stated, ()
    layout, words = (stated or Layout()).model_copy(update={"card_rows": rows}), []
    columns = {}
    for field in KEY:
        column = getattr(layout.coups, field)
        if column != field or source.column(column) is not None:
            columns[field] = column
            continue
        used = [*columns.values(), *card_columns_of(rows).values()]
        found = next(iter(columns_of(field, [name for name in source.names if name not in used])), None)
        columns[field] = found or CONSTANT
        words.append(f"{field} from {found}" if found else f"one {field}")
    layout = layout.model_copy(update={"coups": layout.coups.model_copy(update=columns)})
    key = [column for column in columns.values() if column.partition(":")[0] != CONSTANT]
    if stated is None:
        words += [f"{field} from {column}" for field, column in card_columns_of(rows).items()]
    look = f"{source.path}: a row per card: {', '.join(words)}"
    return Grouped(source, rows, key), layout, (look,) if words else ()


def _card_rows(source: Source) -> CardRows | None:
    """The columns of a file with a row per card; None for any other file."""
    if all(source.column(hand) is not None for hand in HANDS) or source.column("coup") == "card":
        return None
    columns: dict[str, str] = {}
    names = [name for name in source.names if not _is_place(name)]
    for field, words in _OF_CARD_ROWS.items():
        wanted = [squeezed(word) for word in words.split()]
        ranked = sorted((wanted.index(end), name) for name in names if (end := squeezed(name)) in wanted)
        for _, name in ranked:
            if name not in columns.values() and _is_of_card(source, field, name):
                columns[field] = name
                break
    if "hand" not in columns or not {"card", "rank"} & columns.keys():
        return None
    if "card" in columns:
        columns = {field: column for field, column in columns.items() if field not in ("rank", "suit")}
    return CardRows.model_validate(columns)


def _is_of_card(source: Source, field: str, name: str) -> bool:
    """Whether the texts of a column can be this field of a card."""
    texts = texts_of(source, name)
    if field == "hand":
        return bool(texts) and sum(text.lower() in sides(None) for text in texts) >= _NEARLY_ALL * len(texts)
    if field in ("card", "rank"):
        cards = [hand_codes(text, PLAIN) for text in texts]
        return bool(texts) and sum(len(codes) == 1 and not bad for codes, bad in cards) >= _NEARLY_ALL * len(texts)
    return field == "suit" or _fits(source, name, _is_number)


def more_columns(source: Source, layout: Layout) -> Guess | None:
    """The layout with further columns, such as the winner, that the file has under other headings; None if there are
    none."""
    columns = layout.coups.model_dump(exclude_none=True)
    words = []
    used = {name for column in columns.values() for name in ([column] if isinstance(column, str) else column)}
    names = [name for name in source.names if name.strip().lower() not in used and not _is_place(name)]
    for field, check in _checks(layout).items():
        if field in KEY or source.column(columns[field]) is not None:
            continue
        found = next((name for name in columns_of(field, names) if _fits(source, name, check)), None)
        if found is not None:
            names.remove(found)
            columns[field] = found
            words.append(f"{field} from {found}")
    if not words:
        return None
    return Guess(layout.model_copy(update={"coups": CoupColumns(**columns)}), tuple(words))


def _take_hands(source: Source, names: Sequence[str], take: Callable[[str, str | Sequence[str]], None]) -> bool:
    """Find the columns of both hands, and pass them to `take`: a column for each card, a column for each hand, or one
    column for all cards. Returns whether they were found."""
    by_card = [card_columns(hand, names) for hand in HANDS]
    if all(by_card):
        for hand, of_hand in zip(HANDS, by_card, strict=True):
            take(hand, of_hand)
        return True
    by_hand = [next((name for name in columns_of(hand, names) if has_cards(source, name)), None) for hand in HANDS]
    if all(by_hand):
        for hand, name in zip(HANDS, by_hand, strict=True):
            take(hand, name or "")
        return True
    listed = next((name for name in columns_of("cards", names) if has_cards(source, name, 4)), None)
    if listed is not None:
        take("cards", listed)
    return listed is not None


def _is_place(name: str) -> bool:
    """Whether a path ends at, or passes through, a numbered place in a list."""
    return bool(re.search(r"\.[0-9]+(\.|\Z)", name))


def texts_of(source: Source, name: str) -> list[str]:
    """The texts of a column in the sample, without blanks and words for no card."""
    return [text for text in source.sample({"of": name})["of"] if text and not is_no_card(text)]


def has_cards(source: Source, name: str, least: int = 2) -> bool:
    """Whether a column has hands. True if most texts are cards, and some texts have at least `least` cards; texts with
    fewer may be hands in progress."""
    texts = texts_of(source, name)
    if not texts:
        return False
    for way in _WAYS:
        read = [hand_codes(text, way) for text in texts]
        cards = [len(codes) for codes, bad in read if codes and not bad]
        if len(cards) > _MOSTLY * len(texts) and sum(number >= least for number in cards) > _SOME * len(texts):
            return True
    return False


def _fits(source: Source, name: str, check: Check) -> bool:
    texts = texts_of(source, name)
    return bool(texts) and sum(map(check, texts)) >= _NEARLY_ALL * len(texts)


def _restarts(source: Source, coup: str, table: str) -> bool:
    """Whether a column may count the coups of each shoe. True if it has whole numbers that fall at no more than half of
    the rows."""
    if coup == CONSTANT or not _fits(source, coup, _is_number):
        return False
    rows = source.sample({"coup": coup} | ({} if table == CONSTANT else {"table": table}))
    last: dict[str, int] = {}
    falls = 0
    for row in rows.iter_rows(named=True):
        if _is_number(row["coup"]):
            number, of = int(float(row["coup"])), row.get("table", "")
            falls += number < last.get(of, 0)
            last[of] = number
    return falls <= _FALLS * rows.height


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


def _without_reason(parser: fields.Parser) -> Check:
    def check(text: str) -> bool:
        value, reason = parser(text)
        return value is not None and reason is None

    return check


def _checks(layout: Layout) -> dict[str, Check]:
    """For each field, the check of a text. Words for winners are those of the layout, and the known ones."""
    return {**_CHECKS, "winner": _without_reason(fields.winner(file_words(layout.winner)))}


_CHECKS: dict[str, Check] = {
    "table": _without_reason(fields.name),
    "shoe": _without_reason(fields.name),
    "winner": _without_reason(fields.winner({})),
    **dict.fromkeys(("player_total", "banker_total"), _without_reason(fields.total)),
    **dict.fromkeys(("player_pair", "banker_pair"), _without_reason(fields.flag)),
    "decks": _without_reason(fields.decks),
    **dict.fromkeys(("burn", "exposed"), _without_reason(fields.cards(PLAIN))),
    "dealer": _without_reason(fields.name),
    "natural": _without_reason(fields.flag),
    "time": _without_reason(fields.clock),
    "coup": lambda text: _is_number(text) or fields.time_of_day(text)[0] is not None,
}
