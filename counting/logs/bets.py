"""The bets of a log: the fields of the bets' file are parsed, and each bet is matched with its coup."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from counting.errors import InputError
from counting.logs import fields
from counting.logs.coups import COUP_NAME, RAW
from counting.logs.fields import MOST_COUPS
from counting.logs.files import Form, LogFile
from counting.logs.fitting import BetFit, Fit
from counting.logs.layouts import KEY, file_words
from counting.logs.remarks import SKIPPED, short
from counting.logs.rows import BETS, coup_rows, repeated
from counting.logs.sources import column_key

_BLOCK, _MOST_NAMED = 10, 3  # the fewest rows of a block that repeats another, and the most such blocks that are named
TWICE = "twice"  # the kind of remark on bets that repeat an earlier bet


def bet_parsers(fit: Fit, comma: bool, thousands: bool = False, first: int | None = None) -> dict[str, fields.Parser]:
    """The parser of each field of a bet. `comma`: the decimal sign is a comma. `thousands`: a point may separate
    thousands. `first`: the number that the bets' file gives a shoe's first coup; None if it is the same as in the
    coups' file."""
    numbered = {"running": fields.running_number, "time": fields.time_of_day}
    begins = fit.numbering.first if first is None else first
    return {
        "table": fields.name, "shoe": fields.name,
        "coup": numbered.get(fit.numbering.order, fields.coup_number(begins)), "patron": fields.name,
        "bet": fields.bet(file_words(fit.layout.bet_names)), "amount": fields.money(False, comma, thousands=thousands),
        "won": fields.money(True, comma, "read as not logged", thousands), "currency": fields.one_currency(),
    }  # fmt: skip


def bet_form(fit: Fit, bets: BetFit | None) -> Form:
    """How the fields of bets are read: their columns, parsers and types."""
    comma, thousands, first = (bets.comma, bets.thousands, bets.first) if bets else (False, False, None)
    parsers = bet_parsers(fit, comma, thousands, first)
    types = {name: BETS.get(name, pl.String) for name in parsers} | {"coup": pl.Int64}
    return Form(
        "bets", bets.columns if bets else {}, parsers, types,
        frozenset(["table", "shoe", "coup", "patron", "amount", "won"]), frozenset(["won"]),
    )  # fmt: skip


def _from_one(bets: pl.DataFrame, coups: pl.DataFrame, coups_from: int) -> bool:
    """Whether the file of bets numbers coups from 1, although the bets were read as if numbered from 0. True if more
    bets find their coup when they are read as numbered from 1. If both readings find a coup for the same number of
    bets, the numbering of the coups' file decides."""
    without, lower = (
        int((coup_rows(numbered, coups) < 0).sum()) for numbered in (bets, bets.with_columns(pl.col("coup") - 1))
    )
    return lower < without + coups_from


def _refuse_several(file: LogFile, fit: BetFit, bets: pl.DataFrame) -> None:
    """Refuse bets at several tables, or in several shoes, if the coups do not name their table or shoe."""
    for name in fit.constants:
        names = bets[name].drop_nulls().unique(maintain_order=True).cast(pl.String).to_list() if name in KEY else []
        if len(names) > 1:
            raise InputError(
                f"{file.source and file.source.path}: column {column_key(fit.columns[name])} has {len(names):,} names "
                f"({short(', '.join(names[:3]), 60)}), should have one: the coups have no column {name}"
            )


def constant_values(form: Form, constants: Mapping[str, str]) -> dict[str, Any]:
    """The values of those fields of bets for which the layout has constants. Raises `InputError` for an invalid
    value."""
    values = {}
    for name, text in constants.items():
        if name in form.types:
            values[name], reason = form.parsers[name](text)
            if reason is not None:
                raise InputError(f"layout: bets, {name}: constant {text!r}: {reason.text.removesuffix(f'; {SKIPPED}')}")
    return values


def _remark_alike(file: LogFile, bets: pl.DataFrame) -> None:
    """Add a remark for patrons whose names differ only in capitals or in zeros at the beginning."""
    name = pl.col("patron")
    firsts = bets.select("line", name).unique("patron", keep="first", maintain_order=True)
    firsts = firsts.with_columns(name.cast(pl.String))
    plain = firsts.with_columns(plain=name.str.to_lowercase().str.replace("^0+([0-9])", "$1"))
    known = plain.with_columns(earlier=pl.col("patron").first().over("plain"))
    alike = pl.format("differs from {} only in capitals or zeros; they are taken for two patrons", "earlier")
    file.remarks.add(known.filter(pl.col("patron") != pl.col("earlier")), "patron", "alike", name, alike)


def _overlaps(twice: pl.DataFrame) -> list[str]:
    """Sentences on blocks of bets that repeat an earlier block row for row, as where exports overlap. `twice`: the bets
    that come more than once, each with its `row`, its `line` and the `first` line with the same bet."""
    step = pl.col("row") - pl.col("row").min().over("first")
    steps = twice.select(step=step).filter(pl.col("step") >= _BLOCK)["step"].value_counts(sort=True)["step"]
    said: list[str] = []
    for rows in steps.head(_MOST_NAMED).sort():
        before = twice.select(pl.col("row") + rows, "first", before="line")
        same = twice.join(before, on=["row", "first"]).sort("row")
        run = (pl.col("row").diff() != 1).fill_null(True).cum_sum().alias("run")
        ends = [pl.col(name).sort_by("row").get(at) for name in ("line", "before") for at in (0, -1)]
        named = [end.alias(f"end {at}") for at, end in enumerate(ends)]
        blocks = same.group_by(run, maintain_order=True).agg(pl.len(), *named).filter(pl.col("len") >= _BLOCK)
        said += [
            f"In the file of bets, lines {line:,} to {last:,} repeat lines {first:,} to {end:,} row for row, as where "
            "exports overlap. Both are read, so these bets count twice. If they are the same bets, leave the lines out."
            for _, _, line, last, first, end in blocks.rows()
        ]
    return said[:_MOST_NAMED]


def bets_of(file: LogFile, fit: BetFit | None, coups: pl.DataFrame, raw: pl.DataFrame | None) -> pl.DataFrame:
    if fit is None:
        return pl.DataFrame(schema=BETS)
    bets = file.read()
    _refuse_several(file, fit, bets)
    constants = constant_values(file.form, fit.constants)
    bets = bets.with_columns(pl.lit(value).cast(file.form.types[name]).alias(name) for name, value in constants.items())
    if raw is None and fit.first == 0 and _from_one(bets, coups, fit.coups_from):
        bets = bets.with_columns(pl.col("coup") - 1)
        if fit.coups_from == 0:
            file.remarks.add(bets.head(1), "coup", "numbers", pl.lit("1"), "coups are numbered from 0, bets from 1")
        zeros = bets.filter(pl.col("coup") == 0)
        file.remarks.add(zeros, "coup", fields.ZERO, "0", f"should be a whole number from 1 to {MOST_COUPS}; {SKIPPED}")
        file.remarks.skipped += zeros.height
        bets = bets.filter(pl.col("coup") > 0)
    if raw is not None:
        bets = bets.rename({"coup": RAW}).join(raw, on=["table", "shoe", RAW], how="left", maintain_order="left")
        bets = bets.with_columns(pl.col("coup").fill_null(0))
    file.formulas(bets, ("table", "shoe", "patron", "bet"))
    _remark_alike(file, bets)
    nowhere = pl.Series(coup_rows(bets, coups) < 0)
    if nowhere.any():
        reason = f"no such coup was read, so its cards are not known; {SKIPPED}"
        file.remarks.add(bets.filter(nowhere), "coup", "nowhere", COUP_NAME, reason)
        file.remarks.skipped += int(nowhere.sum())
        bets = bets.filter(~nowhere)
    rest = [name for name in BETS if name != "line"]
    twice = bets.with_row_index("row").filter(pl.Series(repeated(bets.select(rest))))
    twice = twice.filter(pl.struct(rest).is_duplicated()).with_columns(first=pl.col("line").min().over(rest))
    again = twice.filter(pl.col("line") > pl.col("first"))
    alike = pl.format("the same as line {}; both are kept and add up", "first")
    file.remarks.add(again, None, TWICE, pl.col("bet").cast(pl.String), alike)
    file.lacks += _overlaps(twice.select(pl.col("row").cast(pl.Int64), "line", "first"))
    return bets.select(pl.col(name).cast(dtype) for name, dtype in BETS.items())
