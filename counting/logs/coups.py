"""The coups of a log, from the fields of its file: the cards of each hand, whatever they stood in, and a number from 1
in each shoe."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.cards import DECK
from counting.games import Tableau
from counting.logs import fields
from counting.logs.cards import MOST_CODE, NO_CARD, TEN_OR_FACE, UNREAD
from counting.logs.deal_order import Hands, ListOrder, hands_of, lawful_share
from counting.logs.events import Events, all_cards, with_events, without_dead
from counting.logs.fields import MOST_COUPS, MOST_HAND
from counting.logs.files import Form, LogFile
from counting.logs.fitting import LIST_MARKS, PLACES, Fit
from counting.logs.layouts import HANDS, KEY, words_of
from counting.logs.remarks import SKIPPED, Schema
from counting.logs.rows import COUPS, NAME, card_codes, coup_keys, is_head

LISTED = tuple(f"card_{at}" for at in range(1, 1 + MOST_HAND))  # the cards of a coup in one list
_MAY_LACK = frozenset(
    ["winner", "burn", "player_total", "banker_total", "player_pair", "banker_pair", "decks", "dealer"]
)
_MOSTLY = 0.5  # of coups dealt by the rules, where cards are at the places assumed
RAW = "raw"  # a coup's number or time as the file has it, where coups are numbered anew
_NO_CARD_WORD = r"(?i)(^|[\s,;/|])(?:-1(?:\.0+)?|n/a|<na>)([\s,;/|]|$)"
_WORD = r"[^\s,;/|+&_\[\](){}\"'-]+"
COUP_NAME = pl.format("table {}, shoe {}, coup {}", *(pl.col(name).cast(pl.String) for name in KEY))


def coup_parsers(fit: Fit) -> dict[str, fields.Parser]:
    """How the text of each field of a coup is read by a layout."""
    hand, card = fields.hand(fit.by), fields.one_card(fit.by)
    numbered = {"number": fields.coup_number(fit.numbering.first), "time": fields.time_of_day}
    return {
        "table": fields.name, "shoe": fields.running_number if fit.layout.numbers.new_shoe else fields.name,
        "coup": numbered.get(fit.numbering.order, fields.running_number), "player": hand, "banker": hand,
        **dict.fromkeys((*PLACES, *LISTED), card), "winner": fields.winner(words_of(fit.layout.winner)),
        "burn": fields.cards(fit.by), "exposed": fields.cards(fit.by),
        **{f"{name}_total": fields.total for name in HANDS}, **{f"{name}_pair": fields.flag for name in HANDS},
        "decks": fields.decks, "dealer": fields.name,
    }  # fmt: skip


def coup_form(fit: Fit, events: Events) -> Form:
    """How the fields of coups are read by a layout."""
    parsers = coup_parsers(fit)
    types: Schema = {
        "table": NAME, "shoe": pl.Int64 if fit.layout.numbers.new_shoe else NAME, "coup": pl.Int64,
        "player": pl.Int64, "banker": pl.Int64, **dict.fromkeys((*PLACES, *LISTED), pl.Int8),
        **{name: COUPS[name] for name in COUPS if name in _MAY_LACK}, "exposed": COUPS["burn"],
    }  # fmt: skip
    has = {name: dtype for name, dtype in types.items() if name in fit.columns or name in _MAY_LACK}
    columns = {name: column for name, column in fit.columns.items() if name in types or name in ("cards", "event")}
    if "cards" in columns:
        has |= {name: types[name] for name in LISTED}
    if "exposed" in columns:
        has["exposed"] = types["exposed"]

    constants = [pl.lit(value).alias(name) for name, value in fit.constants.items() if name in _MAY_LACK]

    def prepared(texts: pl.DataFrame) -> pl.DataFrame:
        coups = events.taken_out(texts).with_columns(constants)
        return listed(coups, fit.layout.cards.order) if "cards" in coups.columns else coups

    one_card = frozenset(name for name in has if name in PLACES)
    return Form(
        "coups", columns, {name: parsers[name] for name in has}, has,
        frozenset(["table", "shoe", "coup", *_MAY_LACK - {"winner", "burn"}, "cards"]) | one_card,
        _MAY_LACK | {"exposed"}, prepared,
    )  # fmt: skip


def listed(texts: pl.DataFrame, order: str | None) -> pl.DataFrame:
    """A coup's cards in one list, each in a column of its own; a list with empty places keeps them."""
    bare = pl.col("cards").str.strip_chars("[](){} ").str.replace_all(r"[\"' ]+", " ").str.strip_chars()
    for _ in range(2):  # neighbours share the mark between them
        bare = bare.str.replace_all(_NO_CARD_WORD, "$1$2")
    words = bare.str.extract_all(_WORD)
    parts = words
    for mark in LIST_MARKS[::-1]:
        parts = pl.when(bare.str.contains(mark, literal=True)).then(bare.str.split(mark)).otherwise(parts)
    chosen = words if order in ("dealt", "player-first") else parts
    listed = texts.select(chosen.alias("words"))["words"]
    columns = [listed.list.get(at, null_on_oob=True).fill_null("").str.strip_chars().alias(name)
               for at, name in enumerate(LISTED)]  # fmt: skip
    return texts.drop("cards").with_columns(columns)


def coups_of(
    file: LogFile, fit: Fit, tableau: Tableau, events: Events
) -> tuple[pl.DataFrame, pl.DataFrame | None, list[str]]:
    """The coups; their numbers in the file where they are numbered anew; and what their form does not say."""
    read = file.read()
    read = read.with_columns(pl.lit(value).cast(NAME).alias(name) for name, value in fit.constants.items()
                             if name in KEY)  # fmt: skip
    read, lacks = _with_hands(file, fit, read, tableau)
    if fit.layout.numbers.new_shoe:
        falls = (pl.col("shoe").diff().over("table") < 0).fill_null(False)
        read = read.with_columns(shoe=(falls.cum_sum().over("table") + 1).cast(pl.String).cast(NAME))
    if fit.layout.numbers.repeated == "last":
        read = read.unique(["table", "shoe", "coup"], keep="last", maintain_order=True)
    read, raw = _numbered_anew(file, fit, read, events.frame())
    if raw is not None and fit.numbering.order != "number":
        lacks.append("Coups are numbered anew, in their order: a coup that was not logged may not be missed.")
    if "exposed" in read.columns:
        read = read.with_columns(burn=all_cards("burn", "exposed")).drop("exposed")
    read = with_events(read, events.frame())
    coups = _in_order(file, read)
    file.formulas(coups, ("table", "shoe"))
    return coups.select(pl.col(name).cast(dtype) for name, dtype in COUPS.items()), raw, lacks


def _with_hands(file: LogFile, fit: Fit, read: pl.DataFrame, tableau: Tableau) -> tuple[pl.DataFrame, list[str]]:
    """The coups with their cards at `PLACES` and `more`."""
    lacks: list[str] = []
    if LISTED[0] in read.columns:
        codes = read.select(LISTED).to_numpy().astype(np.int8).reshape(-1, len(LISTED))
        order = list_order(fit, codes, tableau)
        totals = read.select(pl.col(f"{name}_total").fill_null(-1) for name in HANDS).to_numpy().astype(np.int8)
        parted = hands_of(codes, order, totals.reshape(-1, 2), tableau)
        keep = parted.read & ~parted.open
        _remark_lists(file, read, codes, parted)
        lacks = _of_lists(parted, (codes != NO_CARD).sum(axis=1) == 5)
        hands = [np.pad(hand, ((0, 0), (0, MOST_HAND - 3)), constant_values=NO_CARD)
                 for hand in (parted.player, parted.banker)]  # fmt: skip
        read, hands = read.filter(pl.Series(keep)), [hand[keep] for hand in hands]
        read = read.drop(LISTED)
    else:
        hands = [_hand(read, name) for name in HANDS]
        lost = np.logical_or.reduce([(hand == NO_CARD).all(axis=1) for hand in hands])
        if lost.any():
            file.remarks.add(read.filter(pl.Series(lost)), "player", "none", "",
                             f"the cards are missing, should be as 9h Kd or ? ?; {SKIPPED}")  # fmt: skip
            file.remarks.skipped += int(lost.sum())
            read, hands = read.filter(pl.Series(~lost)), [hand[~lost] for hand in hands]
        read = read.drop([name for name in (*HANDS, *PLACES) if name in read.columns])
    places = {f"{hand}_{at + 1}": codes[:, at] for hand, codes in zip(HANDS, hands, strict=True) for at in range(3)}
    return read.with_columns(*(pl.Series(place, codes) for place, codes in places.items()), more=_more(hands)), lacks


def _hand(read: pl.DataFrame, name: str) -> NDArray[np.int8]:
    """The codes of a hand's cards (rows, 8), from one column or from one a card."""
    if name in read.columns:
        return _unpacked(read[name])
    places = [place for place in PLACES if place.startswith(name) and place in read.columns]
    codes = read.select(pl.col(place).fill_null(NO_CARD) for place in places).to_numpy().astype(np.int8)
    closed = closed_hands(codes.reshape(-1, len(places)))
    return np.pad(closed, ((0, 0), (0, MOST_HAND - len(places))), constant_values=NO_CARD)


def closed_hands(codes: NDArray[np.int8]) -> NDArray[np.int8]:
    """The cards of hands (rows, places) side by side, from a place each. A hand has two cards at least: one that is not
    there was not read."""
    codes = codes.copy()
    codes[:, :2] = np.where((codes[:, :2] == NO_CARD) & (codes != NO_CARD).any(axis=1)[:, None], UNREAD, codes[:, :2])
    order = np.argsort(codes == NO_CARD, axis=1, kind="stable")
    return np.take_along_axis(codes, order, axis=1)


def list_order(fit: Fit, codes: NDArray[np.int8], tableau: Tableau) -> ListOrder:
    """The order of cards in one list: the layout's, or the one in which the drawing rules deal most coups."""
    if fit.layout.cards.order is not None:
        return fit.layout.cards.order
    some = codes[:1000]
    gaps = ((some[:, :-1] == NO_CARD) & (some[:, 1:] != NO_CARD)).any()
    if gaps and lawful_share(some, "places", tableau) > _MOSTLY:
        return "places"
    orders: tuple[ListOrder, ...] = ("dealt", "player-first")
    return max(orders, key=lambda order: lawful_share(some, order, tableau))


def _remark_lists(file: LogFile, read: pl.DataFrame, codes: NDArray[np.int8], parted: Hands) -> None:
    number = (codes != NO_CARD).sum(axis=1)
    for wrong, kind, reason in (
        (~parted.read, "number", f"has {{}} cards in one list, should be four to six; {SKIPPED}"),
        (parted.read & parted.open, "five", f"{{}} cards in one list: either hand may have three; {SKIPPED}"),
    ):
        if wrong.any():
            rows = read.select("line", number=pl.Series(number)).filter(pl.Series(wrong))
            file.remarks.add(rows, "cards", kind, pl.col("number").cast(pl.String), pl.format(reason, "number"))
            file.remarks.skipped += rows.height


def _of_lists(parted: Hands, five: NDArray[np.bool_]) -> list[str]:
    ruled = int((parted.by_rules & ~parted.open).sum())
    if not ruled:
        return []
    return [
        f"Of {int(five.sum()):,} coups with five cards in one list the drawing rules said in {ruled:,} which hand has "
        "three: an error of drawing there cannot be seen."
    ]


def _numbered_anew(
    file: LogFile, fit: Fit, read: pl.DataFrame, events: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame | None]:
    """The coups with numbers from 1 within each shoe; the file's own beside, where they are others."""
    order = fit.numbering.order
    if order == "number":
        renumbered = without_dead(read, events, fields.coup_number(fit.numbering.first))
        if renumbered is read:
            return read, None
        return renumbered, renumbered.select("table", "shoe", "coup", read["coup"].alias(RAW))
    if order == "file":
        read = read.with_columns(coup=pl.int_range(1, pl.len() + 1).over("table", "shoe").cast(pl.Int64))
        return _few(file, read), None
    raw = read.with_columns(pl.col("coup").alias(RAW))
    if order == "time":
        raw = raw.with_columns(coup=_through_midnight(raw))
    else:
        raw = raw.with_columns(coup=pl.col("coup") - pl.col("coup").min().over("table", "shoe"))
    steps = raw.select(pl.col("coup").sort().diff().over("table", "shoe", mapping_strategy="explode")).to_series()
    runs = order == "running" and steps.drop_nulls().len() and (steps.drop_nulls() == 1).mean() > 0.9  # type: ignore[operator]
    number = pl.col("coup") + 1 if runs else pl.col("coup").rank("dense").over("table", "shoe").cast(pl.Int64)
    read = _few(file, raw.with_columns(coup=number))
    return read.drop(RAW), read.select("table", "shoe", "coup", RAW).unique(["table", "shoe", RAW])


def _through_midnight(raw: pl.DataFrame) -> pl.Expr:
    """Times of a clock in the order in which they went by: from the end of the longest pause of a shoe's day."""
    day = 24 * 60 * 61 * 10**6
    if (raw["coup"] >= day).any():
        return pl.col("coup")
    by = ["table", "shoe"]
    sorted_times = raw.select(*by, "coup").unique().sort("coup")
    gaps = sorted_times.with_columns(
        pause=(pl.col("coup") - pl.col("coup").shift()).over(by),
        around=pl.col("coup").min().over(by) + day - pl.col("coup").max().over(by),
    ).with_columns(pause=pl.col("pause").fill_null(pl.col("around")))
    starts = gaps.sort("pause", descending=True).unique(by, keep="first", maintain_order=True)
    start = raw.join(starts.select(*by, start="coup"), on=by, how="left", maintain_order="left")["start"]
    return (pl.col("coup") - start) % day


def _few(file: LogFile, read: pl.DataFrame) -> pl.DataFrame:
    """The coups whose number is not beyond the most that a shoe can have."""
    beyond = read.filter(pl.col("coup") > MOST_COUPS)
    file.remarks.add(beyond, "coup", "number", pl.col("coup").cast(pl.String),
                     f"a shoe of more than {MOST_COUPS} coups; {SKIPPED}")  # fmt: skip
    file.remarks.skipped += beyond.height
    return read.filter(pl.col("coup") <= MOST_COUPS)


def lacking(coups: pl.DataFrame) -> list[str]:
    """What a log does not say of its cards."""
    codes = card_codes(coups)
    seen = codes[codes >= 0]
    if not len(seen):
        return []
    lacks = []
    if (seen == TEN_OR_FACE).any():
        lacks.append("Tens and faces are logged alike: bets on ranks or suits cannot be priced.")
    elif (seen >= DECK).all():
        lacks.append("Suits are not logged: bets on suits cannot be priced.")
    if not coups["winner"].count():
        lacks.append("Winners are not logged: they are not compared with the cards.")
    return lacks


_ALIKE = pl.struct(*PLACES, "more", "winner", "burn")  # of two lines with the same record of a coup
_UNPACKED = np.array([NO_CARD, UNREAD, NO_CARD, *range(MOST_CODE + 1)], np.int8)


def _in_order(file: LogFile, coups: pl.DataFrame) -> pl.DataFrame:
    """The coups by table, shoe and number, each once."""
    heads = coups.lazy().filter(is_head()).select("line", "table", "shoe")
    shoes = heads.unique(["table", "shoe"], keep="first", maintain_order=True)
    shoes = shoes.sort(pl.col("line").min().over("table"), "line", maintain_order=True).select("table", "shoe")
    numbers = coup_keys(coups, shoes.collect())
    if (np.diff(numbers) > 0).all():
        return coups
    keys = pl.Series(numbers)
    twice = keys.is_duplicated()
    if twice.any():
        lost = _more_than_once(file, coups.with_row_index("row").filter(twice))
        kept = ~pl.int_range(coups.height, eager=True).is_in(lost.implode())
        coups, keys = coups.filter(kept), keys.filter(kept)
    return coups[keys.arg_sort()]


def _more_than_once(file: LogFile, twice: pl.DataFrame) -> pl.Series:
    """The places of rows that are left out: of those with the same record of a coup all but the first, of differing
    ones all."""
    first, place = pl.col("line").min().over(KEY), pl.col("row").min().over(KEY)
    twice = twice.with_columns(first=first, place=place, differ=_ALIKE.n_unique().over(KEY) > 1)
    again = twice.filter(~pl.col("differ") & (pl.col("row") > pl.col("place")))
    file.remarks.add(again, "coup", "again", COUP_NAME, pl.format(f"the same as line {{}}; {SKIPPED}", "first"))
    differ = twice.filter("differ")
    other = pl.col("line").sort().over(KEY, mapping_strategy="join")
    rival = pl.when(pl.col("line") > pl.col("first")).then("first").otherwise(other.list.get(1))
    differ = differ.with_columns(rival=rival)  # of all lines, not of those listed
    unlike = pl.format(f"not the same as line {{}}, and which is right cannot be known; {SKIPPED}", "rival")
    file.remarks.add(differ, "coup", "differ", COUP_NAME, unlike)
    file.remarks.skipped += differ.height
    return pl.concat([again["row"], differ["row"]])


def _unpacked(hands: pl.Series) -> NDArray[np.int8]:
    """The codes of the cards of packed hands (rows, 8)."""
    packed = np.ascontiguousarray(hands.to_numpy().astype("<i8"))
    return _UNPACKED[packed.view(np.uint8).reshape(-1, MOST_HAND)]


def _more(hands: Sequence[NDArray[np.int8]]) -> pl.Series:
    """The cards of both hands beyond their third; null where there are none."""
    rows = np.flatnonzero(np.logical_or.reduce([codes[:, 3] != NO_CARD for codes in hands]))
    if not len(rows):
        return pl.Series("more", [None], COUPS["more"]).new_from_index(0, len(hands[0]))
    more = [[int(code) for codes in hands for code in codes[row, 3:] if code != NO_CARD] for row in rows.tolist()]
    listed = pl.DataFrame({"row": rows, "more": more}, {"row": pl.Int64, "more": COUPS["more"]})
    every = pl.int_range(len(hands[0]), eager=True).alias("row").to_frame()
    return every.join(listed, on="row", how="left", maintain_order="left")["more"]
