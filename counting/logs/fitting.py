"""Find the layout of a file, from its columns and from the cards and numbers in its first thousand lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

import polars as pl

from counting.errors import InputError
from counting.logs import layouts
from counting.logs.cards import PLAIN, CardWords, Written, card_code, hand_codes, is_no_card, parted, style_of, words_of
from counting.logs.deal_order import ListOrder
from counting.logs.fields import time_of_day, winner
from counting.logs.guessing import guessed, more_columns, texts_of
from counting.logs.headings import columns_of
from counting.logs.layouts import CONSTANT, DRAFT, HANDS, KEY, OPTIONAL, Layout
from counting.logs.remarks import short
from counting.logs.sources import Source, column_key

PLACES = ("player_1", "player_2", "player_3", "banker_1", "banker_2", "banker_3")
_MISSED = 5  # the largest step from a shoe's last number to the next shoe's first number
UNREAD_HANDS = "? ?"  # the text of each hand if only results are logged
LIST_MARKS = ",;|/"  # marks between the cards of a list, which may have empty places
MOST_WINNERS = 12  # a column of winners has at most this number of different words
_SEVERAL = 0.01  # what occurs in more than this share of a sample is not taken for a mistake
# Signs that the point is a decimal sign: one, two, or more than three digits follow it, four digits or a lone 0 precede
# it, or a comma separates thousands.
_DECIMAL_POINT = re.compile(r"\.([0-9]{1,2}|[0-9]{4,})(?![0-9])|[0-9]{4}\.|(?<![0-9])0\.|,[0-9]{3}(?![0-9])")
_NAMES = {
    "values": "cards by value, 0 or 10 for ten, jack, queen and king",
    "ranks": "ranks as numbers, 11 for a jack",
    "codes": "codes of cards from 1 to 52",
}


class Numbering(NamedTuple):
    """How coups get their numbers: from the file's numbers ("number"), or anew in the order of the file ("file"), of a
    time ("time") or of a number that runs on from shoe to shoe ("running"). `first`: the number of a shoe's first coup
    in the file."""

    order: str = "number"
    first: int = 1


USUAL = Numbering()


@dataclass(frozen=True)
class Fit:
    """A layout fitted to a file. `columns`: the file's column of each field. `constants`: the values of fields without
    a column. `by` and `numbering`: how cards and numbers are read. `cards` and `read`: how many cards the sample has,
    and how many of them can be read. `looks`: sentences on the form of the file. `guessed`: phrases that state what was
    guessed, such as "shoe from boot"."""

    name: str
    layout: Layout
    columns: Mapping[str, str]
    constants: Mapping[str, str]
    by: CardWords = PLAIN
    numbering: Numbering = USUAL
    cards: int = 0
    read: int = 0
    looks: tuple[str, ...] = ()
    order: ListOrder = "dealt"  # the order of cards in one list
    guessed: tuple[str, ...] = ()


def fit_coups(source: Source, stated: Layout | None, name: str = "") -> Fit:
    """How to read a file of coups. If a layout is stated, it is used. If the file lacks columns of this layout, the
    columns that the layout does not name are found by their headings. Without a stated layout, the shipped layouts are
    tried, and the one that reads the largest share of the cards is used. If no layout that fits has columns for table,
    shoe and coup, columns are also found by their headings. Raises `InputError` if columns are missing under every
    layout and are not found by usual headings."""
    if stated is not None:
        return _settled(_as_stated(source, name, stated), source)
    fits = []
    for shipped, layout in _candidates():
        try:
            fits.append(_settled(_placed(source, shipped, layout), source))
        except LackingError:
            continue
        if fits[-1].name == layouts.OWN and fits[-1].read == fits[-1].cards:
            break
    if not fits or all(len(fit.columns.keys() & set(KEY)) < len(KEY) for fit in fits):
        with suppress(LackingError):
            fits.append(_settled(_by_headings(source, "", layouts.own_layout()), source))
    if not fits:
        with suppress(LackingError):
            return _settled(_results_alone(source), source)
        return _settled(_placed(source, layouts.OWN, layouts.own_layout()), source)  # raises and names what is missing
    best = max(fits, key=lambda fit: (fit.read / max(1, fit.cards), len(fit.columns.keys() & set(KEY)), bool(fit.name),
                                      len(fit.columns)))  # fmt: skip
    return _with_more(best, source) if best.name == layouts.OWN else best


def _as_stated(source: Source, name: str, layout: Layout) -> Fit:
    """The fit of a layout that the user gave. If it names no cards, the file may have results alone."""
    try:
        return _placed_or_guessed(source, name, layout)
    except LackingError:
        if not layout.coups.model_fields_set & {"cards", *HANDS, *PLACES}:
            with suppress(LackingError):
                return _results_alone(source, name, layout)
        raise


def _placed_or_guessed(source: Source, name: str, layout: Layout) -> Fit:
    try:
        return _placed(source, name, layout)
    except LackingError:
        with suppress(LackingError):
            return _by_headings(source, name, layout)
        raise


def _by_headings(source: Source, name: str, layout: Layout) -> Fit:
    """The fit of a layout. Columns that the layout does not name are found by their headings. Raises `LackingError` if
    they are not found."""
    guess = guessed(source, layout)
    if guess is None:
        raise LackingError("")
    fit = _placed(source, name, guess.layout)
    return replace(fit, guessed=guess.words)


def _results_alone(source: Source, name: str = "", layout: Layout | None = None) -> Fit:
    """The fit of a file of coups with winners and without cards. All cards are unread. `layout` may name columns."""
    unread = dict.fromkeys(HANDS, f"{CONSTANT}: {UNREAD_HANDS}")
    coups = layouts.CoupColumns(**unread) if layout is None else layout.coups.model_copy(update=unread)
    alone = Layout(coups=coups) if layout is None else layout.model_copy(update={"coups": coups})
    guess = guessed(source, alone)
    if layout is None and (guess is None or "winner" not in guess.layout.coups.model_fields_set):
        raise LackingError("")
    fit = _placed(source, name, alone if guess is None else guess.layout)
    twice = [name for name, number in Counter(source.names).items() if number > 1 and re.search("[0-9]", name)]
    if "winner" not in fit.columns or len(twice) > 1:
        raise LackingError("")  # several headings that come twice are of cards, as Card 1 and Card 2
    look = f"{source.path}: results alone: without cards, no bet, deal, shuffle or patron can be judged"
    return replace(fit, guessed=() if guess is None else guess.words, looks=(look,))


def _with_more(fit: Fit, source: Source) -> Fit:
    """The fit, with optional columns such as the winner added, if the file has them under other usual headings."""
    guess = more_columns(source, fit.layout)
    if guess is None:
        return fit
    return _settled(replace(_placed(source, fit.name, guess.layout), guessed=guess.words), source)


def _candidates() -> Iterator[tuple[str, Layout]]:
    """The project's own layout, then the shipped layouts except the layouts of frames."""
    yield layouts.OWN, layouts.own_layout()
    yield from ((name, layout) for name, layout in layouts.shipped_layouts().items() if layout.frames is None)


class LackingError(InputError):
    """The file lacks columns of the layout."""


def _placed(source: Source, name: str, layout: Layout) -> Fit:
    """The fit of a layout to a file, with the columns and constants only. `_settled` then adds how cards and numbers
    are read."""
    without = set(HANDS) if layout.coups.cards is not None else set()
    wanted = layout.coups.model_dump(exclude_none=True, exclude=without)
    fields: dict[str, str] = {}
    for field, column in wanted.items():
        if isinstance(column, tuple):
            fields |= {f"{field}_{at}": each for at, each in enumerate(column, 1)}
        else:
            fields[field] = column
    constants = constants_in(fields)
    _refuse_constant_cards(fields, constants)
    if name and "table" in constants and source.column("table") is not None:  # the layout is a shipped one
        fields["table"] = "table"
        del constants["table"]
    columns, missing = {}, []
    for field, column in fields.items():
        if field in constants:
            continue
        own = source.column(column)
        if own is not None:
            columns[field] = own
        elif field == "table":
            constants[field] = "1"
        elif field not in OPTIONAL:
            missing.append(column)
    if missing:
        listed = ", ".join(missing)
        raise LackingError(
            f"{source.path}: column{'s' * (len(missing) > 1)} {listed} missing; the file has {source.has()}"
            + (_unknown_winners(source) if missing == [*HANDS] else "")
            + f"; for a layout that says which column is which: {DRAFT}" * (name == layouts.OWN)
        )
    _refuse_twice(source, columns)
    return Fit(name, layout, columns, constants)


def _unknown_winners(source: Source) -> str:
    """A clause of an error line on a file of results alone that has unknown words for winners. Empty for a file of
    bets, and for any other file."""
    if columns_of("patron", source.names, bets=True) and columns_of("amount", source.names, bets=True):
        return "; this looks like a file of bets"
    name = next(iter(columns_of("winner", source.names)), None)
    words = list(dict.fromkeys(texts_of(source, name))) if name is not None else []
    known = winner({})
    unknown = [word for word in words if known(word)[0] is None]
    if not unknown or len(words) > MOST_WINNERS:
        return ""
    seen = short(", ".join(unknown), 80)
    return (
        f"; column {name} could be the winner, but these words are not known: {seen}; a layout says which is which, as "
        f'[winner] player = "{short(unknown[0])}"'
    )


def constants_in(columns: Mapping[str, str]) -> dict[str, str]:
    """The fields that a layout defines as constants, each with its value: the text after the colon, or 1."""
    return {field: column.partition(":")[2].strip() or "1" for field, column in columns.items()
            if column.partition(":")[0] == CONSTANT}  # fmt: skip


def _refuse_constant_cards(fields: Mapping[str, str], constants: Mapping[str, str]) -> None:
    """Refuse a layout in which all columns of a hand, or the column of all cards, are constants. Only a constant hand
    of unread cards is allowed, for results alone."""
    for name, places in (("cards", ["cards"]), (HANDS[0], PLACES[:3]), (HANDS[1], PLACES[3:])):
        stated = [place for place in places if place in fields]
        constant = bool(stated) and all(place in constants for place in stated)
        if constant or constants.get(name, UNREAD_HANDS) != UNREAD_HANDS:
            raise InputError(f"layout: coups, {name}: {CONSTANT}, should be a column of cards")


def constants_of_bets(columns: Mapping[str, str]) -> dict[str, str]:
    """The fields of bets that a layout defines as constants. Raises `InputError` for a constant coup or bet without a
    value."""
    for field, what in (("coup", "constant: 1"), ("bet", "constant: tie")):
        if columns.get(field) == CONSTANT:
            raise InputError(
                f"layout: bets, {field}: {CONSTANT} without a value, should be a column, or {what!r} where all bets "
                f"are on one {field}"
            )
    return constants_in(columns)


def _refuse_twice(source: Source, columns: Mapping[str, str]) -> None:
    """Refuse a file if another column has the same name as a column that is read."""
    names = [column_key(name) for name in source.names]
    twice = dict.fromkeys(column_key(own) for own in columns.values() if names.count(column_key(own)) > 1)
    if twice:
        raise InputError("\n".join(f"{source.path}: column {name} occurs twice, should occur once" for name in twice))


def _settled(fit: Fit, source: Source) -> Fit:
    """The fit, completed with how cards and numbers are read. The layout states this, or else the sample shows it."""
    sample = source.sample(fit.columns)
    fit = _cards_settled(_placeless(fit, sample), sample, source)
    numbers, looks = fit.layout.numbers, list(fit.looks)
    numbering = _numbering(sample, fit.layout)
    if numbering.order == "running" and numbers.order is None:
        looks.append(f"{source.path}: coup numbers run on from shoe to shoe: numbered anew in each shoe")
    if numbering.first == 0 and numbers.first is None:
        looks.append(f"{source.path}: coups numbered from 0")
    if numbering.order == "time" and numbers.order is None:
        looks.append(f"{source.path}: coups numbered by a clock: numbered anew in the order of time")
    if "table" in fit.constants and fit.layout.coups.table.partition(":")[0] != CONSTANT:
        looks.append(f"{source.path}: no column table: read as one table")
    if fit.guessed:
        looks.append(
            f"{source.path}: read by its headings: {', '.join(fit.guessed)}; for a layout that states them: {DRAFT}"
        )
    return replace(fit, numbering=numbering, looks=tuple(looks))


def _placeless(fit: Fit, sample: pl.DataFrame) -> Fit:
    """The fit, changed to read cards in dealing order if the layout lists cards by place and the sample has no mark
    that could show an empty place."""
    if fit.layout.cards.order != "places" or any(mark in text for text in sample["cards"] for mark in LIST_MARKS):
        return fit
    cards = fit.layout.cards.model_copy(update={"order": "dealt"})
    return replace(fit, layout=fit.layout.model_copy(update={"cards": cards}))


def _hand_texts(fit: Fit, sample: pl.DataFrame) -> tuple[list[str], list[str]]:
    """The texts of cards in the sample: first from all columns except the columns of third cards, then from the columns
    of third cards."""
    whole = [name for name in ("cards", *HANDS, *PLACES) if name in sample.columns]
    thirds = [name for name in whole if name in (PLACES[2], PLACES[5])]
    first = [name for name in whole if name not in thirds]
    return ([text for name in names for text in sample[name]] for names in (first, thirds))  # type: ignore[return-value]


def _cards_settled(fit: Fit, sample: pl.DataFrame, source: Source) -> Fit:
    texts, thirds = _hand_texts(fit, sample)
    own = fit.layout.words("cards", joined=False)
    words, last = (Counter(word for text in some for word in words_of(text, own)) for some in (texts, thirds))
    cards = fit.layout.cards
    several = any(name in fit.columns for name in (*HANDS, "cards"))
    joined = cards.joined if cards.joined is not None else several and _are_joined(texts)
    none = frozenset(["0"]) if not cards.none and _zero_is_none(words, last) else frozenset[str]()
    every = Counter({word: n for word, n in (words + last).items() if not (word in none or is_no_card(word))})
    stated: Written | None = "cards" if fit.layout.frames is not None else cards.written  # frames write 9 or 9h
    written: Written = stated or _written(every, joined, texts)
    if written == "codes" and cards.written is None and not words["0"]:
        none = frozenset(["0"])
    by = fit.layout.words(written, joined, none)
    is_open = "first_code" not in cards.model_fields_set
    if is_open and written == "codes" and "0" not in by.none and words["0"] and not every["52"]:
        by = by._replace(first_code=0)
    counted, read, styles = 0, 0, Counter[str]()
    for word, number in every.items():
        if is_no_card(word, by):
            continue
        codes, bad = hand_codes(word, by)
        counted += number * max(1, len(codes))
        read += number * (len(codes) - len(bad))
        for part in [word] if card_code(word, by) is not None else parted(word, by):
            styles[_name(by) or style_of(part) or "cards"] += number
    return replace(fit, by=by, cards=counted, read=read, looks=fit.looks + _looks(fit, styles, read, counted, source))


def _name(by: CardWords) -> str | None:
    return "codes of cards from 0 to 51" if by.written == "codes" and by.first_code == 0 else _NAMES.get(by.written)


def _looks(fit: Fit, styles: Counter[str], read: int, cards: int, source: Source) -> tuple[str, ...]:
    """A sentence on the form of a file, unless it has the project's own layout with cards as `9h`, or a guessed layout
    that reads all cards."""
    style, _ = styles.most_common(1)[0] if styles else ("", 0)
    usual = fit.name == layouts.OWN and fit.by.written == "cards" and not fit.by.joined
    if (usual and (not style or style.startswith("rank"))) or (not fit.name and read == cards):
        return ()
    of = f"{fit.name}, " if fit.name not in ("", layouts.OWN) else ""
    return (f"{source.path}: looks like {of}{style}: {read:,} of {cards:,} cards",)


def _are_joined(texts: list[str]) -> bool:
    """Whether hands are written without gaps and without suits, as 9K or 98."""
    hands = [text for text in texts if text and not is_no_card(text)]
    if not hands:
        return False
    letters = sum(len(text) > 1 and not text.isdecimal() and len(words_of(text)) == 1 and len(parted(text)) > 1
                  and style_of(parted(text)[0]) == "ranks, as 9 or K" for text in hands)  # fmt: skip
    digits = sum(bool(re.fullmatch("[0-9]{2,3}", text)) for text in hands)
    return letters > _SEVERAL * len(hands) or (digits > 0.95 * len(hands) and len(set(hands)) > 20)


def _zero_is_none(words: Counter[str], last: Counter[str]) -> bool:
    """Whether 0 means "no card". True if 0 is common among third cards, and no first or second card is 0."""
    return not words["0"] and last["0"] > _SEVERAL * sum(last.values()) > 0


def _written(words: Counter[str], joined: bool, texts: list[str]) -> Written:
    """What bare numbers mean, as one of the forms of `CardWords.written`."""
    number = sum(words.values())
    lettered = sum(n for word, n in words.items() if not word.isdecimal() and word.upper() != "A" and _is_card(word))
    if joined:
        zeros = sum("0" in text.replace("10", "") for text in texts)
        return "values" if zeros > _SEVERAL * len(texts) and not lettered else "cards"
    if not number or lettered > _SEVERAL * number:
        return "cards"
    numbers = Counter({int(word): n for word, n in words.items() if word.isdecimal() and len(word) <= 2})
    high = sum(n for value, n in numbers.items() if 13 < value <= 52)
    if high > 0.2 * number and max(numbers) <= 52 and len(numbers) > 26:
        return "codes"
    if sum(numbers[value] for value in (11, 12, 13)) > _SEVERAL * number and all(numbers[v] for v in (11, 12, 13)):
        return "ranks"
    if not lettered and (numbers[0] or numbers[10]):  # a 10 may be any card of value 0
        return "values"
    return "cards"


def _is_card(word: str) -> bool:
    return all(card_code(part) is not None and card_code(part) != -2 for part in parted(word))


def _numbering(sample: pl.DataFrame, layout: Layout) -> Numbering:
    if "coup" not in sample.columns:
        return Numbering("file")
    texts = [text for text in sample["coup"] if text]
    stated = layout.numbers
    numbers, by = _numbers(sample, stated.new_shoe is not None)
    order = stated.order
    if order is None:
        clock = sum(":" in text and time_of_day(text)[0] is not None for text in texts)
        large = sum(bool(re.fullmatch(r"[0-9]{4,15}(\.0+)?", text)) for text in texts)
        runs = 2 * large > len(texts) or _runs_on(numbers, by, layout.file.shoe_line is not None)
        order = "time" if 2 * clock > len(texts) else "running" if runs else "number"
    first = stated.first
    if first is None:
        first = 0 if order == "number" and _from_zero(numbers, by) else 1
    return Numbering(order, first)


def _numbers(sample: pl.DataFrame, falls: bool) -> tuple[pl.DataFrame, list[str]]:
    """The numbers of the sample's coups, and the columns that name their table and shoe. `falls`: the shoe's column has
    no names, but a number that falls when a shoe begins."""
    by = [name for name in KEY[:2] if name in sample.columns and not (name == "shoe" and falls)]
    number = pl.col("coup").str.replace(r"\.0+$", "").cast(pl.Int64, strict=False)
    return sample.lazy().select(*by, number=number).drop_nulls("number").collect(), by


def _runs_on(numbers: pl.DataFrame, by: Sequence[str], of_one: bool) -> bool:
    """Whether the numbers of coups run on from shoe to shoe. True if most shoes begin with a number that is 1 to 5
    above the largest number of the table's previous shoe. False without a column of shoes. If there are no two shoes to
    compare, `of_one` is returned."""
    if "shoe" not in by:
        return False
    ends = {"least": pl.col("number").min(), "most": pl.col("number").max()}
    shoes = numbers.lazy().group_by(by, maintain_order=True).agg(**ends)
    step = pl.col("least") - pl.col("most").shift()
    steps = shoes.select(step.over("table") if "table" in by else step).drop_nulls().collect().to_series()
    return 2 * int(((steps >= 1) & (steps <= _MISSED)).sum()) > len(steps) if len(steps) else of_one


def _from_zero(numbers: pl.DataFrame, by: Sequence[str]) -> bool:
    """Whether most of the shoes have a coup 0 and further coups."""
    if not (numbers["number"] == 0).any():
        return False
    least = (numbers.group_by(by) if by else numbers.group_by(pl.lit(1))).agg(pl.col("number").min(), n=pl.len())
    return 2 * int(((least["number"] == 0) & (least["n"] > 1)).sum()) > least.height


class BetFit(NamedTuple):
    """How to read a file of bets. `columns`: the file's column of each field. `constants`: the values of fields without
    a column. `comma`: a comma is the decimal sign. `thousands`: a point may separate thousands. `first`: the number of
    a shoe's first coup in this file. `coups_from`: the same number in the coups' file. `guessed`: phrases that state
    what was guessed."""

    columns: Mapping[str, str]
    constants: Mapping[str, str]
    comma: bool
    thousands: bool = False
    first: int = 1
    coups_from: int = 1
    guessed: tuple[str, ...] = ()


def fit_bets(source: Source, fit: Fit) -> BetFit:
    """How to read the file of bets that belongs to coups with this fit."""
    wanted = fit.layout.bets.model_dump(exclude_none=True)
    columns, missing, constants, words = {}, [], constants_of_bets(wanted), []
    stated = fit.layout.bets.model_fields_set
    names = [name for name in source.names if column_key(name) not in map(column_key, wanted.values())]
    for field, column in wanted.items():
        if field in constants:
            continue
        own = source.column(column)
        if field in fit.constants:
            constants[field] = fit.constants[field]
        if own is None and field not in constants and field not in stated:
            own = next(iter(columns_of(field, names, bets=True)), None)
            if own is not None:
                names.remove(own)
                words.append(f"{field} from {own}")
        if own is not None:
            columns[field] = own
        elif field in constants:
            continue
        elif field not in layouts.BET_OPTIONAL:
            missing.append(column)
    if missing:
        raise InputError(
            f"{source.path}: column{'s' * (len(missing) > 1)} {', '.join(missing)} missing; the file has {source.has()}"
        )
    _refuse_twice(source, columns)
    comma, thousands = fit.layout.decimal == ",", False
    sample = source.sample({name: columns[name] for name in ("coup", "amount", "won") if name in columns})
    zero = "coup" in columns and sample["coup"].str.contains(r"^0+(\.0+)?$").any()
    first = 0 if zero else fit.numbering.first
    if fit.layout.decimal is None:
        texts = [text for column in sample.drop("line", "coup", strict=False).get_columns() for text in column]
        point = any(re.search(r"\.[0-9]{1,2}\)?$", text) for text in texts)
        comma = not point and (
            any(re.search(r"[0-9],[0-9]{1,2}\b(?!,)", text) for text in texts) or getattr(source, "mark", "") == ";"
        )
        thousands = not comma and not any(_DECIMAL_POINT.search(text) for text in texts)
    return BetFit(columns, constants, comma, thousands, first, fit.numbering.first, tuple(words))
