"""Coups as report programs, spreadsheets and database clients export them: titles above the columns, headings in two
rows, lines between rows, totals and counts of rows below. A writer is as in `other_logs`."""

from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl
import xlsxwriter
from twins.other_logs import Writer, Written, hands

Rows = list[list[object]]
HEADINGS = ["table", "shoe", "coup", "player", "banker", "winner"]
GROUPED = ["Table", "Shoe", "Hand", *["Card 1", "Card 2", "Card 3"] * 2, "Result"]
CARDS = ["", "", "", "Player", "", "", "Banker", "", "", ""]


def plain(coups: pl.DataFrame) -> Rows:
    return [list(row) for row in coups.select(HEADINGS).rows()]


def by_card(coups: pl.DataFrame) -> Rows:
    """A row of ten cells for each coup, with a cell for each card."""
    cards = [[card for hand in hands(row) for card in [*hand, ""][:3]] for row in coups.to_dicts()]
    return [[*row[:3], *of_row, row[5]] for row, of_row in zip(plain(coups), cards, strict=True)]


def as_csv(rows: Callable[[pl.DataFrame], Rows], mark: str = ",", start: str = "") -> Writer:
    def write(folder: Path, coups: pl.DataFrame) -> Written:
        path = folder / "export.csv"
        lines = [mark.join(map(str, row)) for row in rows(coups)]
        path.write_text(start + "\n".join(lines) + "\n", encoding="utf-8")
        return path, None

    return write


def as_sheet(rows: Callable[[pl.DataFrame], Rows]) -> Writer:
    def write(folder: Path, coups: pl.DataFrame) -> Written:
        path = folder / "export.xlsx"
        with xlsxwriter.Workbook(path) as book:
            sheet = book.add_worksheet("March")
            for at, row in enumerate(rows(coups)):
                for place, cell in enumerate(row):
                    if cell != "":
                        sheet.write(at, place, cell)
        return path, None

    return write


def titled(*titles: Sequence[object]) -> Callable[[pl.DataFrame], Rows]:
    return lambda coups: [*map(list, titles), HEADINGS, *plain(coups)]


def in_groups(*above: Sequence[object]) -> Callable[[pl.DataFrame], Rows]:
    return lambda coups: [*map(list, above), CARDS, GROUPED, *by_card(coups)]


def in_merged_groups(coups: pl.DataFrame) -> Rows:
    """Headings in two rows. A heading without parts is in the upper row, as in merged cells."""
    upper = [upper or lower for upper, lower in zip(CARDS, [*GROUPED[:3], *[""] * 6, GROUPED[-1]], strict=True)]
    lower = ["", "", "", "1st", "2nd", "3rd", "1st", "2nd", "3rd", ""]
    return [["March 2026"], upper, lower, *by_card(coups)]


def with_totals(coups: pl.DataFrame) -> Rows:
    rows = plain(coups)
    half = len(rows) // 2
    total: list[object] = ["Total", "", len(rows), "", "", ""]
    return [HEADINGS, *rows[:half], ["Sub-total:", "", half, "", "", ""], *rows[half:], total]


def as_texts(coups: pl.DataFrame) -> tuple[list[list[str]], list[int]]:
    """Headings and rows as texts, each column in one width, and the widths."""
    rows = [list(map(str, row)) for row in (HEADINGS, *plain(coups))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows], widths


def postgres(folder: Path, coups: pl.DataFrame) -> Written:
    """The output of `psql`."""
    path = folder / "psql.txt"
    rows, widths = as_texts(coups)
    head, *lines = map(" | ".join, rows)
    rule = "-+-".join("-" * width for width in widths)
    path.write_text("\n".join([head, rule, *lines, f"({len(lines)} rows)", ""]))
    return path, None


def mysql(folder: Path, coups: pl.DataFrame) -> Written:
    """The output of the `mysql` client."""
    path = folder / "mysql.txt"
    rows, widths = as_texts(coups)
    head, *lines = (f"| {' | '.join(row)} |" for row in rows)
    rule = f"+{'+'.join('-' * (width + 2) for width in widths)}+"
    path.write_text("\n".join([rule, head, rule, *lines, rule, f"{len(lines)} rows in set (0.01 sec)", ""]))
    return path, None


def oracle(folder: Path, coups: pl.DataFrame) -> Written:
    """The output of SQL*Plus: columns in fixed places, numbers at the right, and the headings again on each page."""
    path = folder / "spool.lst"
    rows, widths = as_texts(coups)
    head, *lines = (
        " ".join(
            cell.strip().rjust(width) if name in ("shoe", "coup") else cell
            for name, cell, width in zip(HEADINGS, row, widths, strict=True)
        ).rstrip()
        for row in rows
    )
    above = [head.upper(), " ".join("-" * width for width in widths)]
    pages = [[*above, *lines[at : at + 20], ""] for at in range(0, len(lines), 20)]
    told = [
        "SQL> SELECT * FROM coups;",
        "",
        *(line for page in pages for line in page),
        f"{len(lines)} rows selected.",
        "",
    ]
    path.write_text("\n".join(told))
    return path, None


def in_fixed_places(folder: Path, coups: pl.DataFrame) -> Written:
    """The output of `sqlcmd`: no titles, wide columns, Windows line ends."""
    path = folder / "out.rpt"
    rows, widths = as_texts(coups)
    widths = [max(10, width) for width in widths]
    lines = [" ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    rule = " ".join("-" * width for width in widths)
    told = [lines[0], rule, *lines[1:], "", f"({coups.height} rows affected)", ""]
    path.write_bytes("\r\n".join(told).encode("utf-8-sig"))
    return path, None


TITLES = (["Grand Casino, the 1st of March"], ["Printed by", "J. Smith"], [], ["Pit", "4", "Shift", "day"])
EXPORTS: dict[str, Writer] = {
    "a title": as_csv(titled(["Report of baccarat coups"])),
    "titles, semicolons": as_csv(titled(*TITLES), ";"),
    "blank lines first": as_csv(titled(["Report"], []), ",", "\n\n"),
    "a title padded with marks": as_csv(titled(['"Baccarat, all tables"', "", "", "", "", ""])),
    "many titles": as_csv(titled(*[[f"note {number}"] for number in range(15)])),
    "groups": as_csv(in_groups()),
    "titles and groups": as_csv(in_groups(["Grand Casino"], [])),
    "merged groups": as_csv(in_merged_groups),
    "totals": as_csv(with_totals),
    "sheet, titles": as_sheet(titled(*TITLES)),
    "sheet, groups": as_sheet(in_groups(["Grand Casino"], [])),
    "sheet, merged groups": as_sheet(in_merged_groups),
    "sheet, totals": as_sheet(with_totals),
    "psql": postgres,
    "mysql": mysql,
    "sqlplus": oracle,
    "sqlcmd": in_fixed_places,
    "sqlcmd, commas": as_csv(
        lambda coups: [HEADINGS, ["-----"] * 6, *plain(coups), [f"\n({coups.height} rows affected)"]]
    ),
}
