"""The coups of a log, read from its file. Hands are read in any of the forms that logs use. Each coup gets a number
from 1 within its shoe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.cards import DECK
from counting.games import Tableau
from counting.logs import fields
from counting.logs.cards import NO_CARD, TEN_OR_FACE, UNREAD
from counting.logs.events import Events, all_cards, with_events, without_dead
from counting.logs.fields import MOST_COUPS, NONE
from counting.logs.files import Form, LogFile
from counting.logs.fitting import PLACES, Fit
from counting.logs.hands import FILLS, LISTED, PROGRESS, LoggedHands, hands_of_coups, list_columns, list_order
from counting.logs.layouts import HANDS, KEY, file_words
from counting.logs.remarks import SKIPPED, Schema, short
from counting.logs.rows import COUPS, NAME, card_codes, coup_keys, is_head, tables_once
from counting.logs.sources import Source

_MAY_LACK = frozenset(
    ["winner", "burn", "player_total", "banker_total", "player_pair", "banker_pair", "decks", "dealer", "natural",
     "time"]
)  # fmt: skip
_MOST_NAMED = 5  # at most this number of tables get a remark
RAW = "raw"  # the column with the file's number or time of a coup, if coups are numbered anew
COUP_NAME = pl.format("table {}, shoe {}, coup {}", *(pl.col(name).cast(pl.String) for name in KEY))


def coup_parsers(fit: Fit) -> dict[str, fields.Parser]:
    """The parser of each field of a coup."""
    hand, card = fields.hand(fit.by), fields.one_card(fit.by)
    numbered = {"number": fields.coup_number(fit.numbering.first), "time": fields.time_of_day}
    return {
        "table": fields.name, "shoe": fields.running_number if fit.layout.numbers.new_shoe else fields.name,
        "coup": numbered.get(fit.numbering.order, fields.running_number), "player": hand, "banker": hand,
        **dict.fromkeys((*PLACES, *LISTED), card), "winner": fields.winner(file_words(fit.layout.winner)),
        "burn": fields.cards(fit.by), "exposed": fields.cards(fit.by),
        **{f"{name}_total": fields.total for name in HANDS}, **{f"{name}_pair": fields.flag for name in HANDS},
        "decks": fields.decks, "dealer": fields.dealer, "natural": fields.flag, "time": fields.clock,
    }  # fmt: skip


def coup_form(fit: Fit, events: Events) -> Form:
    """How the fields of coups are read: their columns, parsers and types."""
    parsers = coup_parsers(fit)
    types: Schema = {
        "table": NAME, "shoe": pl.Int64 if fit.layout.numbers.new_shoe else NAME, "coup": pl.Int64,
        "player": pl.Int64, "banker": pl.Int64, **dict.fromkeys((*PLACES, *LISTED), pl.Int8),
        **{name: COUPS[name] for name in COUPS if name in _MAY_LACK}, "exposed": COUPS["burn"],
    }  # fmt: skip
    has = {name: dtype for name, dtype in types.items() if name in fit.columns or name in _MAY_LACK}
    columns = {name: column for name, column in fit.columns.items() if name in types or name in ("cards", "event")}
    if fit.numbering.order == "time":
        columns.setdefault("time", columns["coup"])
    if "cards" in columns:
        has |= {name: types[name] for name in LISTED}
    if "exposed" in columns:
        has["exposed"] = types["exposed"]

    of_hands = {name: types[name] for name in HANDS if name in fit.constants}
    has |= of_hands
    constants = [
        pl.lit(value).alias(name) for name, value in fit.constants.items() if name in _MAY_LACK or name in of_hands
    ]

    def prepared(texts: pl.DataFrame) -> pl.DataFrame:
        coups = events.taken_out(texts).with_columns(constants)
        return list_columns(coups, fit.layout.cards.order) if "cards" in coups.columns else coups

    one_card = frozenset(name for name in has if name in PLACES)
    return Form(
        "coups", columns, {name: parsers[name] for name in has}, has,
        frozenset(["table", "shoe", "coup", *_MAY_LACK - {"burn"}, "cards"]) | one_card,
        _MAY_LACK | {"exposed"}, prepared, frozenset(HANDS),
    )  # fmt: skip


def coups_of(
    file: LogFile, fit: Fit, tableau: Tableau, events: Events
) -> tuple[pl.DataFrame, pl.DataFrame | None, list[str]]:
    """Three results: the coups; a frame with the file's number of each coup, or None if bets name coups by their new
    numbers; and remarks on what the file leaves out."""
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
        lacks.append("Coups are numbered anew, in their order: a coup that was not logged may go unnoticed.")
    if "exposed" in read.columns:
        read = read.with_columns(burn=all_cards("burn", "exposed")).drop("exposed")
    read = with_events(read, events.frame())
    coups = _in_order(file, read)
    file.formulas(coups, ("table", "shoe"))
    return coups.select(pl.col(name).cast(dtype) for name, dtype in COUPS.items()), raw, lacks


def ordered(fit: Fit, source: Source, tableau: Tableau) -> Fit:
    """The fit, with the order of cards added if all cards of a coup are in one list. The order is stated by the layout,
    or found from the first coups."""
    if "cards" not in fit.columns:
        return fit
    if fit.layout.cards.order is not None:
        return replace(fit, order=fit.layout.cards.order)
    texts = source.sample({"cards": fit.columns["cards"]})
    words = list_columns(texts.filter(pl.col("cards") != ""), None).select(LISTED)
    card = fields.one_card(fit.by)
    codes = [[UNREAD if (code := card(word)[0]) is None else code for word in row] for row in words.iter_rows()]
    return replace(fit, order=list_order(np.array(codes, np.int8).reshape(-1, len(LISTED)), tableau))


def _with_hands(file: LogFile, fit: Fit, read: pl.DataFrame, tableau: Tableau) -> tuple[pl.DataFrame, list[str]]:
    """The coups whose hands can be read, with the columns `PLACES`, `more` and `ruled`; other coups get a remark. The
    second result is a sentence on coups whose cards are in one list. It is empty unless the drawing rules decided, for
    some of these coups, which hand has the fifth card."""
    values = {name: read[name].fill_null(fill).to_numpy() for name, fill in FILLS.items() if name in read.columns}
    of_coups = hands_of_coups(values | {"won": read["winner"].is_not_null().to_numpy()}, fit, tableau)
    whole = of_coups.whole
    read = read.drop([name for name in (*HANDS, *PLACES, *LISTED) if name in read.columns])
    over = read.filter(pl.Series(whole))
    shoe = () if fit.layout.numbers.new_shoe else ("shoe",)
    key = [name for name in ("table", *shoe, "coup") if name in read.columns]
    for refused in of_coups.refused:
        rows = read.filter(pl.Series(refused.rows))
        may_go_on = refused.kind in (PROGRESS, NONE) and "coup" in key
        again = rows.join(over, on=key, how="semi") if may_go_on else rows.clear()
        rest = rows.join(again, on="line", how="anti")
        file.remarks.skipped += rest.height
        if (refused.kind == NONE or refused.value == "0") and refused.column in fit.columns:
            continue  # the hand's text has a remark already
        for some, end in ((again, "another line has all of it"), (rest, SKIPPED)):
            file.remarks.add(some, refused.column, refused.kind, refused.value, f"{refused.reason}; {end}")
    hands = [hand[whole] for hand in of_coups[:2]]
    places = {f"{hand}_{at + 1}": codes[:, at] for hand, codes in zip(HANDS, hands, strict=True) for at in range(3)}
    ruled = pl.lit(False) if of_coups.ruled is None else pl.Series(of_coups.ruled[whole])
    over = over.with_columns(
        *(pl.Series(place, codes) for place, codes in places.items()), more=_more(hands), ruled=ruled
    )
    return over, _of_lists(of_coups)


def _of_lists(of_coups: LoggedHands) -> list[str]:
    ruled = 0 if of_coups.ruled is None else int(of_coups.ruled.sum())
    if not ruled:
        return []
    return [
        f"In {ruled:,} of {of_coups.five:,} coups with five cards in one list, the drawing rules decided which hand "
        "has three: a drawing error there cannot be seen."
    ]


def _numbered_anew(
    file: LogFile, fit: Fit, read: pl.DataFrame, events: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame | None]:
    """The coups, numbered from 1 within each shoe, and a frame of the file's numbers. The frame is None if the file's
    numbers are used, or if coups are numbered in the order of the file."""
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
    """Times as numbers that rise in the order of play. A shoe may run past midnight: if clock times have no dates, the
    shoe's first coup is taken to be the first one after the longest pause."""
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
    """The coups with numbers up to `MOST_COUPS`. The other coups are skipped, with a remark."""
    beyond = read.filter(pl.col("coup") > MOST_COUPS)
    file.remarks.add(beyond, "coup", "number", pl.col("coup").cast(pl.String),
                     f"a shoe of more than {MOST_COUPS} coups; {SKIPPED}")  # fmt: skip
    file.remarks.skipped += beyond.height
    return read.filter(pl.col("coup") <= MOST_COUPS)


def missing_remarks(coups: pl.DataFrame) -> list[str]:
    """Remarks on what a log leaves out about cards and winners, and on tables that occur in one line only."""
    codes = card_codes(coups)
    seen = codes[codes >= 0]
    if not len(seen):
        return []
    lacks = [
        f"Table {short(table)} occurs in line {line:,} only: a mistyped name? It is not counted as a table with gaps."
        for line, table in tables_once(coups).head(_MOST_NAMED).iter_rows()
    ]
    if (seen == TEN_OR_FACE).any():
        lacks.append("Tens and faces are logged alike, so bets on ranks or suits cannot be priced.")
    elif (seen >= DECK).all():
        lacks.append("Suits are not logged, so bets on suits cannot be priced.")
    if not coups["winner"].count():
        lacks.append("Winners are not logged, so they are not compared with the cards.")
    return lacks


_ALIKE = pl.struct(*PLACES, "more", "winner", "burn")  # two lines of a coup agree if these are equal


def _in_order(file: LogFile, coups: pl.DataFrame) -> pl.DataFrame:
    """The coups sorted by table, shoe and number, without repeated coups."""
    heads = coups.lazy().filter(is_head()).select("line", "table", "shoe")
    shoes = heads.unique(["table", "shoe"], keep="first", maintain_order=True)
    shoes = shoes.sort(pl.col("line").min().over("table"), "line", maintain_order=True).select("table", "shoe")
    numbers = coup_keys(coups, shoes.collect())
    if (np.diff(numbers) > 0).all():
        return coups
    keys = pl.Series(numbers)
    twice = keys.is_duplicated()
    if twice.any():
        lost = _more_than_once(file, coups.filter(twice).with_columns(row=pl.Series(np.flatnonzero(twice))))
        kept = ~pl.int_range(coups.height, eager=True).is_in(lost.implode())
        coups, keys = coups.filter(kept), keys.filter(kept)
    return coups[keys.arg_sort()]


def _more_than_once(file: LogFile, twice: pl.DataFrame) -> pl.Series:
    """The indices of the rows to leave out, among rows that record a coup several times. If the rows are the same, the
    first is kept. If they record the coup at several stages of the deal, the last is kept. If they differ in any other
    way, none is kept."""
    twice = twice.with_columns(differ=_ALIKE.n_unique().over(KEY) > 1)
    grown = _grown(twice.filter("differ"))
    file.remarks.add(grown, "coup", PROGRESS, COUP_NAME, pl.format("a hand in progress: line {} has all of it", "last"))
    twice = twice.filter(~pl.col("row").is_in(grown["row"].implode()))
    first, place = pl.col("line").min().over(KEY), pl.col("row").min().over(KEY)
    twice = twice.with_columns(first=first, place=place, differ=_ALIKE.n_unique().over(KEY) > 1)
    again = twice.filter(~pl.col("differ") & (pl.col("row") > pl.col("place")))
    file.remarks.add(again, "coup", "again", COUP_NAME, pl.format(f"the same as line {{}}; {SKIPPED}", "first"))
    differ = twice.filter("differ")
    other = pl.col("line").sort().over(KEY, mapping_strategy="join")
    rival = pl.when(pl.col("line") > pl.col("first")).then("first").otherwise(other.list.get(1))
    differ = differ.with_columns(rival=rival)  # first, as `add` evaluates `unlike` only on the rows that it lists
    unlike = pl.format(f"not the same as line {{}}, and which is right cannot be known; {SKIPPED}", "rival")
    file.remarks.add(differ, "coup", "differ", COUP_NAME, unlike)
    file.remarks.skipped += differ.height
    return pl.concat([grown["row"], again["row"], differ["row"]])


def _grown(lines: pl.DataFrame) -> pl.DataFrame:
    """The lines on which a coup is still in progress. `lines` are lines that disagree on their coup. The coup is in
    progress on a line without a winner if a later line of this coup has the same cards and further cards, or the same
    cards and a winner. The column `last` has the number of this later line."""
    numbers = pl.sum_horizontal(pl.col(place) != NO_CARD for place in PLACES)
    most = pl.col("cards").max().over(KEY)
    lines = lines.with_columns(cards=numbers).with_columns(most=most)
    whole = lines.filter(pl.col("cards") == most).sort("row").unique(KEY, keep="last", maintain_order=True)
    ends = [pl.col(name).alias(f"{name}_last") for name in (*PLACES, "winner")]
    whole = whole.select(*KEY, *ends, last="line", last_row="row")
    both = lines.join(whole, on=list(KEY), how="left", maintain_order="left")
    begins = pl.all_horizontal(
        (pl.col(place) == pl.col(f"{place}_last")) | (pl.col(place) == NO_CARD) for place in PLACES
    )
    is_less = (pl.col("cards") < pl.col("most")) | pl.col("winner_last").is_not_null()
    return both.filter(begins & is_less & (pl.col("row") < pl.col("last_row")) & pl.col("winner").is_null())


def _more(hands: Sequence[NDArray[np.int8]]) -> pl.Series:
    """The fourth and later cards of both hands, in one list; null where there are none."""
    rows = np.flatnonzero(np.logical_or.reduce([codes[:, 3] != NO_CARD for codes in hands]))
    if not len(rows):
        return pl.Series("more", [None], COUPS["more"]).new_from_index(0, len(hands[0]))
    more = [[int(code) for codes in hands for code in codes[row, 3:] if code != NO_CARD] for row in rows.tolist()]
    listed = pl.DataFrame({"row": rows, "more": more}, {"row": pl.Int64, "more": COUPS["more"]})
    every = pl.int_range(len(hands[0]), eager=True).alias("row").to_frame()
    return every.join(listed, on="row", how="left", maintain_order="left")["more"]
