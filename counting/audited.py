"""The page of an audit: who bets with the edge, what was dealt or paid wrongly, and what the log leaves open."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
from markupsafe import Markup

import counting
from counting import plots, report
from counting.audit import Audit
from counting.conduct import RULES
from counting.errors import InputError
from counting.folders import claim, write_text
from counting.output import as_csv, as_json, cell
from counting.report import Section, percent

LISTED = 200  # rows of a table of the page; the CSV beside it has them all
NAMED = 10  # patrons called who have a sentence of their own
DEALING = "error of dealing"
_FEW_LOST = 0.01  # of a file's lines: more are told first
_KINDS = {
    (*(rule for rule in RULES if rule not in ("payment", "winner", "unknown-bet")),): DEALING,
    ("payment",): "payment not by the pay line",
    ("winner",): "winner not by the cards",
    ("unknown-bet",): "bet that no table offers",
}
_HOW = (
    "For each patron and bet the exact edge at each coup of the shoes he bet in is worked out from the cards that the "
    "log has shown before it; missing coups and unread cards stay unseen. His gain is the sum of stake times edge, "
    "compared with what the same stakes would have come to by three laws of chance: within shoes, each of his stakes "
    "falling on any coup of its shoe alike; across shoes, his stakes of a shoe falling on another at the same number "
    "of cards dealt, so that who always comes late in a shoe is not taken for a counter; and by results, his stakes "
    "falling on any coups before which the bet had won or lost as often in a row, so that who chases his losses is not "
    "taken for one either. The p-value is the largest of the three. He is called when it is so small that, with all "
    "patrons and bets tested together (Holm's method), the chance to call anyone who bets at random times, by the "
    "time, or by wins and losses in a row is at most the level. What was won and lost before are cards dealt: who bets "
    "on while he is behind in a shoe, say, can follow the edge a little too. A low p-value says that stakes follow the "
    "edge, not why."
)


def sentences(found: Audit) -> list[str]:
    """The answer first: who was called, what was dealt wrongly, what is missing."""
    labels, c = report.labels(found.game), found.coverage
    called = found.called
    level = f"at a level of {found.settings.level:g} for all together"
    said = _lost(c)
    if not found.log.bets.height:
        said.append("There are no bets to judge: only the dealing was.")
    elif called.is_empty():
        said.append(f"No patron's bets follow the edge beyond chance, of {_many(c['patrons'], 'patron')} {level}.")
    else:
        who = called["patron"].n_unique()
        said.append(
            f"The bets of {who} of {_many(c['patrons'], 'patron')} follow the edge, {level}: "
            f"{', '.join(called['patron'].unique(maintain_order=True).head(NAMED))}{', ...' * (who > NAMED)}."
        )
    few = found.patrons.filter(pl.col("can_be_called").not_())["patron"].n_unique()
    if few:
        said.append(f"Of {_many(few, 'patron')} nothing can be said at this level on some bet: too few shoes.")
    said += [_of(row, labels) for row in called.head(NAMED).iter_rows(named=True)]
    extent = f"{_many(c['coups'], 'coup')} of {_many(c['shoes'], 'shoe')}"
    for rules, what in _KINDS.items():
        here = found.errors.filter(pl.col("rule").is_in(rules))
        counted = here["rule"].value_counts(sort=True, name="n").rows()
        listed = ", ".join(f"{rule} {n:,}" for rule, n in sorted(counted, key=lambda pair: (-pair[1], pair[0])))
        if counted:
            said.append(f"{_many(here.height, what)} in {extent}" + (f": {listed}." if len(rules) > 1 else "."))
        elif what == DEALING:
            said.append(f"No error of dealing in {extent}.")
    said.append(
        f"{_many(c['missing_coups'], 'coup')} missing between those logged and {_many(c['unread_cards'], 'card')} not "
        f"read count as unseen. {_many(c['remarks'], 'remark')} on the reading of the files."
    )
    return said


def _many(number: int, what: str) -> str:
    """A number of things: 1 coup, 2 coups, 3 errors of dealing."""
    first, _, rest = what.partition(" ")
    return f"{number:,} {first}{'s' * (number != 1)}{' ' * bool(rest)}{rest}"


def _lost(coverage: Mapping[str, int]) -> list[str]:
    """What of the files could not be read, before anything is said of the rest."""
    said = []
    for file, kept in (("bet", coverage["bets"]), ("coup", coverage["coups"])):
        gone = coverage[f"{file}_lines_skipped"]
        if gone > kept or gone > _FEW_LOST * (gone + kept):
            said.append(
                f"Of {_many(gone + kept, f'line of {file}s')} {gone:,} could not be read, and what follows holds for "
                "the others alone: see the remarks."
            )
    return said


def _of(row: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    unit = row["staked"] / row["bets"]
    text = (
        f"{row['patron']} on {labels[row['bet']]}: {row['bets']:,} bets of {unit:,.4g} on average in {row['coups']:,} "
        f"coups, by the edge worth {row['gain_units']:+.3g} units, {row['random'] / unit:+.3g} at random times "
        f"({row['z']:.1f} standard deviations; {percent(row['on_positive'], 0)} of the stakes at a positive edge)."
    )
    if row["count_used"] is not None:
        at = "positive edge" if row["count_used"] == "perfect" else f"count {row['count_used']} at {row['trigger']:g}"
        text += (
            f" Best told by the {at}{'' if row['count_used'] == 'perfect' else ' or more'}: "
            f"{percent(row['bets_at_trigger'], 0)} of his larger bets were there, on "
            f"{percent(row['coups_at_trigger'], 0)} of such coups."
        )
    return text


def page(found: Audit, files: Mapping[str, str], command: str) -> str:
    """The page as HTML. `files` are digests of the log's files by name, `command` is what makes it again."""
    first, *rest = sentences(found)
    labels = report.labels(found.game)
    shown = found.patrons.head(LISTED).to_dicts()
    sections = [
        Section(
            "Patrons and bets",
            f"The least likely first{_all(found.patrons, 'patrons.csv')}; called are those in red.",
            _drawn(found.patrons),
            "Each patron and bet: what his stakes were worth beyond random times, a unit staked, and the p-value.",
            (
                "", "patron", "bet", "shoes", "bets", "staked", "worth by the edge", "at random times", "z", "p",
                "p, all", "correlation", "at a positive edge", "best told by",
            ),
            [_row(i, row, labels) for i, row in enumerate(shown, 1)],
            labels=3,
        ),
        Section(
            "Errors of dealing and paying",
            f"{'None, by' if found.errors.is_empty() else 'By'} the rules of {found.game.title}"
            f"{_all(found.errors, 'errors.csv')}.",
            columns=("file", "line", "table", "shoe", "coup", "rule", "found"),
            rows=[[cell(value) for value in row] for row in found.errors.head(LISTED).rows()],
            words=True,
        ),
        Section(
            "What was skipped, or read with a caveat",
            f"{_many(found.log.remarks.height, 'remark')}{_all(found.log.remarks, 'remarks.csv')}.",
            columns=("file", "line", "column", "value", "reason"),
            rows=[[cell(value) for value in row] for row in found.log.remarks.head(LISTED).rows()],
            words=True,
        ),
        Section("How patrons are tested", _HOW),
        Section(
            "What is checked",
            columns=("", ""),
            rows=[(rule, said) for rule, said in RULES.items() if found.dealing is not None or rule != "after-cut"],
            words=True,
        ),
        Section("Provenance", columns=("", ""), rows=_provenance(found, files, command), words=True),
    ]  # fmt: skip
    if found.patrons.is_empty():
        sections = [section for section in sections if "atrons" not in section.title]
    under = found.dealing.words if found.dealing else f"{found.decks} decks; where the cut card stood was not told"
    title = "Audit of a table's log"
    return report.render(title, f"{found.game.title}, {under}.", first, _UNIT, sections, rest)


_UNIT = "Edges are the bettor's, exact for the unseen cards; amounts are in the log's money."


def _drawn(patrons: pl.DataFrame) -> Markup | None:
    if patrons.is_empty():
        return None
    return Markup(plots.svg(plots.single(plots.follows_edge, patrons, size=(9, 3.6))))


def _all(frame: pl.DataFrame, file: str) -> str:
    return f", {LISTED} of {frame.height:,} ({file} has all)" if frame.height > LISTED else ""


def _row(i: int, row: Mapping[str, Any], labels: Mapping[str, str]) -> list[Any]:
    told = row["count_used"]
    trigger = "" if told in (None, "perfect") else f" at {row['trigger']:g}"
    cells = [
        i,
        row["patron"],
        labels[row["bet"]],
        row["shoes"],
        f"{row['bets']:,}",
        f"{row['staked']:,.0f}",
        f"{row['gain']:,.2f}",
        f"{row['random']:,.2f}",
        f"{row['z']:.2f}",
        f"{row['p']:.2g}",
        f"{row['p_holm']:.2g}",
        "" if row["correlation"] is None else f"{row['correlation']:.3f}",
        percent(row["on_positive"], 0),
        "" if told is None else f"{told}{trigger}",
    ]
    return [Markup('<span class="good">{}</span>').format(value) for value in cells] if row["called"] else cells


def _provenance(found: Audit, files: Mapping[str, str], command: str) -> list[tuple[str, str]]:
    game = found.game
    return [
        ("game", f"{game.title} ({game.name}), {found.decks} decks"),
        ("source of the rules", game.source),
        ("digest of the game", game.digest),
        *((f"digest of {name}", value) for name, value in files.items()),
        ("level, and seed of the draws", f"{found.settings.level:g}, {found.settings.seed}"),
        ("made by", f"counting {counting.__version__}"),
        ("made again by", command),
    ]


def as_data(found: Audit, files: Mapping[str, str]) -> dict[str, Any]:
    """The page's JSON twin."""
    return {
        "game": found.game.name,
        "game_digest": found.game.digest,
        "decks": found.decks,
        "dealing": None if found.dealing is None else found.dealing.words,
        "level": found.settings.level,
        "seed": found.settings.seed,
        "files": dict(files),
        "answer": sentences(found),
        "coverage": found.coverage,
        "patrons": found.patrons.to_dicts(),
        "errors": found.errors.to_dicts(),
        "remarks": found.log.remarks.to_dicts(),
    }


def refuse_other(folder: Path, files: Mapping[str, str]) -> None:
    """Make the folder, or refuse one that holds something else, or the audit of other files."""
    claim(folder, "report.json", "audit")
    if (folder / "report.json").exists():
        try:
            there = json.loads((folder / "report.json").read_text())["files"]
        except (OSError, ValueError, TypeError, KeyError):
            there = None
        if there != dict(files):
            raise InputError(f"{folder}: holds the report of other files, should be another folder (--out)")


def write(found: Audit, folder: Path, files: Mapping[str, str], command: str) -> None:
    """`report.html`, `report.json` and three tables as CSV into a new or empty folder, or one of an earlier audit."""
    refuse_other(folder, files)
    for name, frame in (("patrons", found.patrons), ("errors", found.errors), ("remarks", found.log.remarks)):
        head = ",".join(frame.columns) + "\n"
        write_text(folder / f"{name}.csv", as_csv(frame.to_dicts()) or head)
    write_text(folder / "report.json", as_json(as_data(found, files)))
    write_text(folder / "report.html", page(found, files, command))
