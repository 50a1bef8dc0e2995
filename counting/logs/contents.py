"""Find a file's columns from what they hold, where the headings are not known. Only drafts of layouts use this, for a
person to check."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain, islice, permutations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.cards import DECK
from counting.games import Tableau
from counting.logs.cards import hand_codes, is_no_card
from counting.logs.deal_order import lawful_share, places_of
from counting.logs.guessing import Guess, guessed, has_cards
from counting.logs.layouts import CONSTANT, HANDS, CoupColumns, Layout
from counting.logs.sources import Source

_MOST = 60  # columns looked at
_MOST_HANDS = 4  # columns of hands of which two are tried as Player's and Banker's
_MOST_THIRDS = 4  # columns of single cards that most rows lack: third cards, a burned card
_MOST_TABLES = 20  # tables in a file whose coups are not parted by table
_LAWFUL = 0.9  # hands or cards are in an order if this share of the coups, or more, agrees with the drawing rules
_NEARLY_ALL, _MOSTLY = 0.9, 0.8
_DATE = re.compile(r"[0-9]+[-./年][0-9]+[-./月][0-9]+.*")
_NUMBER = re.compile(r"[0-9]{1,9}")
Rows = NDArray[np.bool_]
Columns = tuple[str, ...]
Ways = list[tuple[Columns, Columns]]  # Player's columns and Banker's


def by_contents(source: Source, layout: Layout, tableau: Tableau) -> Guess | None:
    """The layout with the columns that hold both hands, and with the columns of table, shoe and coup. Headings are
    used where they are known. None if no columns of cards are found, if the file has no headings, and for records of
    JSON, whose keys say more."""
    if source.nested or len(source.names) < len(HANDS):
        return None
    once = (name for name in source.names if name and source.names.count(name) == 1)
    names = list(islice(once, _MOST))
    if any(code < DECK for name in names for code in _codes(name)):
        return None  # the first row has cards: the file has no headings
    hands = _hands(source, names, tableau)
    if hands is None:
        return None
    guess = guessed(source, layout.model_copy(update={"coups": CoupColumns.model_validate(hands)}))
    if guess is None:
        return None
    coups, numbers = guess.layout.coups, guess.layout.numbers
    used = [part for column in coups.model_dump(exclude_none=True).values()
            for part in ([column] if isinstance(column, str) else column)]  # fmt: skip
    found = _key(source, [name for name in names if name not in used], coups)
    if "shoe" in found:
        numbers = numbers.model_copy(update={"new_shoe": "falls" if found["shoe"] == found.get("coup") else None})
    made = guess.layout.model_copy(update={"coups": coups.model_copy(update=dict(found)), "numbers": numbers})
    return Guess(made, guess.words)


def _hands(source: Source, names: Sequence[str], tableau: Tableau) -> Mapping[str, str | tuple[str, ...]] | None:
    """The columns of Player's and Banker's cards: one for each hand, or three. The drawing rules decide which is
    which."""
    rows = source.sample({str(at): name for at, name in enumerate(names)})
    codes = {name: [_codes(text) for text in rows[str(at)]] for at, name in enumerate(names)}
    filled = [name for name in names if _filled(codes[name]) >= _NEARLY_ALL]
    hands = [name for name in filled if has_cards(source, name)]
    if len(hands) >= 2:
        ways: Ways = [((player,), (banker,)) for player, banker in permutations(hands[:_MOST_HANDS], 2)]
    else:
        ways = _ways_by_card({name: rows[str(at)] for at, name in enumerate(names)}, codes, filled)

    def share(way: tuple[Columns, Columns]) -> float:
        """The share of coups that agree with the drawing rules."""
        columns = [[codes[name] for name in hand] for hand in way]
        player, banker = ([[*chain(*row)] for row in zip(*of_hand, strict=True)] for of_hand in columns)
        return lawful_share(places_of(player, banker), "places", tableau)

    shares = list(map(share, ways))
    most = max(shares, default=0.0)
    if most < _LAWFUL:
        return None
    best = ways[shares.index(most)]
    return {hand: columns[0] if len(columns) == 1 else columns for hand, columns in zip(HANDS, best, strict=True)}


def _ways_by_card(
    texts: Mapping[str, pl.Series], codes: Mapping[str, Sequence[Sequence[int]]], filled: Sequence[str]
) -> Ways:
    """The ways in which six columns of single cards may be the hands: four columns are filled, and two have third
    cards."""
    cards = []
    for name in texts:
        words = [text for text in texts[name] if text and not is_no_card(text)]
        single = sum(len(of_text) == 1 for of_text in codes[name]) >= _NEARLY_ALL * max(1, len(words))
        if words and single and any(not text.isdigit() for text in words):
            cards.append(name)
    full = [name for name in cards if name in filled]
    thirds = [name for name in cards if name not in filled]
    if len(full) != 4 or not 2 <= len(thirds) <= _MOST_THIRDS:
        return []
    return [
        ((full[a], full[b], third), (full[c], full[d], other))
        for a, b, c, d in ((0, 1, 2, 3), (0, 2, 1, 3), (2, 3, 0, 1), (1, 3, 0, 2))
        for third, other in permutations(thirds, 2)
    ]


def _codes(text: str) -> list[int]:
    """The codes of the cards in a text; empty if it has anything else."""
    codes, bad = hand_codes(text)
    return [] if bad or is_no_card(text) else codes


def _filled(codes: Sequence[Sequence[int]]) -> float:
    return sum(map(bool, codes)) / max(1, len(codes))


def _key(source: Source, names: Sequence[str], coups: CoupColumns) -> Mapping[str, str]:
    """Those columns of coup, shoe and table that `coups` lacks. A column numbers coups if it mostly rises by one, or
    mostly falls by one, at each table if there are several. A shoe begins where it does not. A column names the shoe if
    it changes just there; without such a column, a new shoe begins where the number falls. A column names the table if
    the same shoe comes again without it, or if it has one text only."""
    known = {field: name for field in ("coup", "shoe") if (name := getattr(coups, field)) not in (CONSTANT, None)}
    if known.get("shoe") == known.get("coup"):
        known.pop("shoe", None)
    names = [name for name in names if name not in known.values()]
    hands = [hand if isinstance(hand, str) else hand[0] for hand in (coups.player, coups.banker)]
    rows = source.sample(
        {str(at): name for at, name in enumerate(names)} | known | {f"of {hand}": hand for hand in hands}
    )
    rows = rows.filter(pl.all_horizontal(pl.col(f"of {hand}") != "" for hand in hands))  # no notes and totals
    columns = {name: rows[str(at)] for at, name in enumerate(names)}
    columns = {name: texts for name, texts in columns.items() if (texts != "").all() and len(texts) > 2}
    found: dict[str, str] = {}
    table, coup = pl.Series([""] * rows.height, dtype=pl.String), rows["coup"] if "coup" in known else None
    if coup is None:
        tables = ["", *(name for name, texts in columns.items() if 1 < texts.n_unique() <= _MOST_TABLES)]
        ways = [(name, by) for by in tables for name in columns if _counts(columns[name], columns.get(by, table))]
        parted = [(name, by) for name, by in ways if _begins(columns[name], columns.get(by, table)).sum() > 1]
        if not ways:
            return {}
        found["coup"], by = (parted or ways)[0]
        coup, table = columns.pop(found["coup"]), columns.pop(by, table)
        if by and coups.table == CONSTANT:
            found["table"] = by
    begins = _begins(coup, table)
    if "shoe" not in known:
        shoes = [name for name, texts in columns.items() if _changes_with(texts, begins, table)]
        shoes.sort(key=lambda name: (_comes_again([columns[name]]), not _is_numbers(columns[name])))
        if shoes:
            found["shoe"] = shoes[0]
        elif begins.sum() > 1 and table.n_unique() == 1 and "coup" in found:
            found["shoe"] = found["coup"]
    shoe = rows["shoe"] if "shoe" in known else columns.pop(found.get("shoe", ""), None)
    if coups.table == CONSTANT and "table" not in found and shoe is not None:
        again = _comes_again([shoe])
        for name, texts in columns.items():
            parts = texts.n_unique() > 1 and not _comes_again([texts, shoe])
            if (parts if again else texts.n_unique() == 1) and not _dates(texts):
                found["table"] = name
                break
    return found


def _is_numbers(texts: pl.Series) -> bool:
    return all(map(_NUMBER.fullmatch, texts))


def _steps(coup: pl.Series, table: pl.Series) -> NDArray[np.int64]:
    """What each coup's number adds to the number of the coup before it at the same table; 0 for the first coup."""
    numbers = coup.str.extract(r"^([0-9]{1,9})").cast(pl.Int64).fill_null(0)
    rows = pl.DataFrame({"number": numbers, "table": table})
    steps: NDArray[np.int64] = rows.select(pl.col("number").diff().over("table").fill_null(0))["number"].to_numpy()
    return steps


def _counts(texts: pl.Series, table: pl.Series) -> bool:
    """Whether these texts are numbers that mostly rise by one, or mostly fall by one."""
    if not _is_numbers(texts):
        return False
    steps = _steps(texts, table)
    return bool(max((steps == 1).mean(), (steps == -1).mean()) >= _MOSTLY)


def _begins(coup: pl.Series, table: pl.Series) -> Rows:
    """Where a shoe begins: at each table's first coup, and where the numbers go back, against their direction."""
    steps = _steps(coup, table)
    begins: Rows = steps * np.sign(np.median(steps)) <= 0
    return begins


def _changes_with(texts: pl.Series, begins: Rows, table: pl.Series) -> bool:
    """Whether these texts change, at each table, just where a shoe begins, with at most a tenth of exceptions."""
    rows = pl.DataFrame({"text": texts, "table": table})
    changes = rows.select((pl.col("text") != pl.col("text").shift()).over("table").fill_null(True))["text"].to_numpy()
    return bool(begins.sum() > 1 and 10 * (changes ^ begins).sum() <= begins.sum())


def _comes_again(columns: Sequence[pl.Series]) -> bool:
    """Whether the same texts in these columns come again after others."""
    joined = list(zip(*columns, strict=True))
    runs = [each for at, each in enumerate(joined) if not at or each != joined[at - 1]]
    return len(set(runs)) < len(runs)


def _dates(texts: pl.Series) -> bool:
    return _DATE.fullmatch(texts[0]) is not None
