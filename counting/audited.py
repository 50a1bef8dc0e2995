"""The page of an audit: who was flagged and why, what was dealt or paid wrongly, and what the log leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
from markupsafe import Markup

import counting
from counting import plots, report
from counting.audit import Audit
from counting.conduct import RULES
from counting.fits import better
from counting.folders import write_text
from counting.follows import ARRANGED
from counting.output import as_csv, as_json, cell
from counting.report import Section, percent
from counting.tested import FOLLOWS, KNOWS

LISTED = 200  # rows of a table of the page; the CSV beside it has them all
NAMED = 10  # flagged patrons with a sentence of their own
EXPLAINED = 3  # patrons with a sentence because they only seem to follow the edge
DEALING = "error of dealing"
_SEEMING = 3.0  # standard deviations beyond random times
_LITTLE = 0.5  # of the hands can be moved: less is said
_KINDS = {
    (*(rule for rule in RULES if rule not in ("payment", "winner", "unknown-bet", "early-end")),): DEALING,
    ("early-end",): "shoe ended early",
    ("payment",): "wrong payout",
    ("winner",): "wrong recorded winner",
    ("unknown-bet",): "bet that no table offers",
}
_SOURCES = {
    "player-first": "Player's first card",
    "banker-first": "Banker's first card",
    "payouts": "what the bet paid",
}
_CLEAN = (DEALING, "wrong payout", "shoe ended early")  # kinds of which "none" is reported too
_HOW = (
    "Two tests of every patron on every bet. All tests of the log share one level (Holm's method): if nobody counts or "
    "knows coming cards, the chance that anyone is flagged is at most the level.",
    "Follows the edge. Every bet has an exact edge before every coup, worked out from the cards seen so far. To see "
    f"whether stakes follow it, every shoe is laid out anew, {ARRANGED} times or more: two-card hands with the same "
    "total change places, pairs with pairs only; third cards stay. What everyone at the table saw is the same in all "
    "of them: totals, pairs, third cards, every result. A shuffled shoe deals each of them with the same chance. A "
    "patron who goes by results, totals, third cards, pairs, time, money or chance would have staked the same in each; "
    "only someone who follows which cards are gone fits the shoe that was really dealt. The p-value is the chance that "
    "the same stakes fit a random one of these layouts as well. It is exact for every such patron; in an "
    "incomplete log it is exact if what is missing does not depend on the cards.",
    "Knows the coming cards (edge sorting, marked cards, a tip). Past cards, even perfectly counted, cannot tell the "
    "next card from the others that are left. So a wager at exact odds that larger stakes come before better cards is "
    "a fair game against any patron who only looks back. It is made on the hands' first cards and on the payouts. The "
    "p-value is 1 divided by the largest capital that such a wager reached, starting from 1 (Ville's inequality): "
    "1/1,000 if a gambler had turned 1 into 1,000. A patron who saw cards that the log lost knows a little more than "
    "the log.",
    "What the tests cannot show. A patron who counts by totals or third cards alone is not flagged as following the "
    "edge: they go by what everyone saw. A patron who bets on nearly every coup alike, or in a few shoes only, shows "
    "little. A patron who copies a counter's bets follows the edge as the counter does. A patron who follows single "
    "cards or suits is a counter by this definition. A low p-value says that stakes follow the edge, not why.",
)


def sentences(found: Audit) -> list[str]:
    """The verdict first: who was flagged, what was dealt or paid wrongly, what is missing."""
    labels, c = report.labels(found.game), found.coverage
    said = _no_verdict(found) or _verdict(found, labels)
    extent = f"{_many(c['coups'], 'coup')} of {_many(c['shoes'], 'shoe')}"
    for rules, what in _KINDS.items():
        here = found.errors.filter(pl.col("rule").is_in(rules))
        counted = here["rule"].value_counts(sort=True, name="n").rows()
        listed = ", ".join(f"{rule} {n:,}" for rule, n in sorted(counted, key=lambda pair: (-pair[1], pair[0])))
        if counted:
            said.append(f"{_many(here.height, what)} in {extent}" + (f": {listed}." if len(rules) > 1 else "."))
        elif what in _CLEAN and not found.unread and _checked(found, what):
            said.append(f"No {what} in {extent}.")
    unpaid = found.log.bets["won"].null_count()
    if unpaid:
        said.append(f"{_many(unpaid, 'bet')} of {found.log.bets.height:,} without a result: payouts not checked.")
    fit = better(found.log, found.game, found.errors)
    if fit is not None:
        said.append(f"The payouts fit {fit.game} better: {_many(fit.payouts, 'wrong payout')} by its pay table.")
    wrong = paid_wrongly(found.errors)
    if wrong.height:
        named = "; ".join(f"{who} {n:,}, {_signed(off)}" for who, n, off in wrong.head(NAMED).rows())
        more = f"; {_many(wrong.height - NAMED, 'other patron')}" if wrong.height > NAMED else ""
        said.append(f"Wrong payouts by patron, and the sum paid too much (+) or too little (-): {named}{more}.")
    said.append(
        f"{_many(c['missing_coups'], 'coup')} missing between those logged and {_many(c['unread_cards'], 'card')} not "
        f"read count as unseen. {_many(c['remarks'], 'remark')} on the reading of the files."
    )
    return said


def _checked(found: Audit, what: str) -> bool:
    """Whether the log has what such an error shows in."""
    if what == "wrong payout":
        return bool(found.log.bets["won"].count())
    return what != "shoe ended early" or found.dealing is not None


def _no_verdict(found: Audit) -> list[str]:
    if not found.unread:
        return []
    lost = "; ".join(
        f"{part.unread:,} of {part.of:,} {part.what} ({percent(part.share, 1)})" if part.of else f"no {part.what}"
        for part in found.unread
    )
    return [
        f"No verdict: too little of the log could be read. Not read: {lost}; {percent(found.allowed, 1)} is allowed "
        "(--allow-unread).",
        "Patrons are not tested. The errors listed are those of the part that could be read. The remarks give the "
        "reason for each line.",
    ]


def _verdict(found: Audit, labels: Mapping[str, str]) -> list[str]:
    c, flagged = found.coverage, found.flagged
    if not found.log.bets.height:
        return ["No bets are logged: only the dealing was checked."]
    level = f"{found.settings.level:.4g}"
    if flagged.is_empty():
        said = [f"No patron is flagged, of {_many(c['patrons'], 'patron')}, at a level of {level} for all together."]
    else:
        names = flagged["patron"].unique(maintain_order=True)
        listed = f"{', '.join(names.head(NAMED))}{', ...' * (len(names) > NAMED)}"
        said = [
            f"Flagged: {listed}. {len(names):,} of {_many(c['patrons'], 'patron')}, at a level of {level} for all "
            "together."
        ]
    said += [patron_sentence(row, labels) for row in flagged.head(NAMED).iter_rows(named=True)]
    said.append(
        "A patron who goes by results, totals, third cards, pairs, time, money or chance is flagged with a probability "
        f"of at most {level}, all such patrons at the table taken together."
    )
    seeming = found.patrons.filter(~pl.col("flagged"), pl.col("z") > _SEEMING).sort("z", descending=True)
    said += [
        f"{row['patron']} on {labels[row['bet']]} is not flagged: the stakes follow the edge by {row['z']:.1f} "
        f"standard deviations more than at random times, but no more than what everyone at the table saw explains "
        f"({_p_is(row['p_follows'])}). By the exact edge the bets were worth {_signed(row['gain'])}."
        for row in seeming.head(EXPLAINED).iter_rows(named=True)
    ]
    few = found.patrons.filter(pl.col("can_be_flagged").not_())["patron"].n_unique()
    if few:
        said.append(
            f"{_many(few, 'patron')} bet in too few shoes to be flagged for following the edge at this level, on some "
            "bet."
        )
    if found.moving is not None and found.moving < _LITTLE:
        said.append(
            f"Only {percent(found.moving, 0)} of the two-card hands have another to change places with: the test for "
            "following the edge has little power on this log."
        )
    if c["missing_coups"] or c["unread_cards"] or c["coup_lines_skipped"] or c["bet_lines_skipped"]:
        said.append("The log is incomplete. The p-values hold if what is missing does not depend on the cards.")
    return said


def paid_wrongly(errors: pl.DataFrame) -> pl.DataFrame:
    """Of each patron with a wrong payout how many, and the sum in money, above 0 where too much was paid."""
    return (
        errors.filter(pl.col("rule") == "payment")
        .group_by("patron", maintain_order=True)
        .agg(pl.len().alias("payouts"), pl.col("off").sum())
        .sort(pl.col("off").abs(), descending=True, maintain_order=True)
    )


def _many(number: int, what: str) -> str:
    """A number of things: 1 coup, 2 coups, 3 errors of dealing."""
    first, _, rest = what.partition(" ")
    plural = f"{what}s" if first in ("wrong", "other") else f"{first}s{' ' * bool(rest)}{rest}"
    return f"{number:,} {what if number == 1 else plural}"


def _p(value: float) -> str:
    """A p-value in two digits."""
    return "< 0.0001" if value < 1e-4 else f"{value:.2g}"


def _p_is(value: float) -> str:
    return f"p {'' if value < 1e-4 else '= '}{_p(value)}"


def _signed(money: float) -> str:
    return f"{money:+,.2f}"


def patron_sentence(row: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    """What a flagged patron did, won in fact, and was worth by the edge; who follows it at a loss is shown as such."""
    unit = row["staked"] / row["bets"]
    won = "Results are not logged" if row["won"] is None else f"They won {_signed(row['won'])} in fact"
    at_loss = row["gain"] <= 0 and FOLLOWS in row["flagged_for"]
    text = (
        f"{row['patron']} on {labels[row['bet']]} {row['flagged_for'].replace(', ', ' and ')}: {row['bets']:,} bets of "
        f"{unit:,.4g} on average in {row['coups']:,} coups of {_many(row['shoes'], 'shoe')}. {won}; by the exact edge "
        f"the bets were worth {_signed(row['gain'])}, or {row['gain_units']:+.3g} units"
        f"{': the patron follows the edge at a loss' * at_loss}; {percent(row['on_positive'], 0)} of the stakes were "
        "at a positive edge."
    )
    if KNOWS in row["flagged_for"]:
        text += f" The stakes know {_SOURCES[row['knows_by']]} ({_p_is(row['p_knows'])})."
    if FOLLOWS in row["flagged_for"]:
        text += f" They follow the edge: {_p_is(row['p_follows'])}."
    if row["count_used"] is not None:
        perfect = row["count_used"] == "perfect"
        at = "a positive edge" if perfect else f"the count {_count(row)} or more"
        text += (
            f" {'Their' if perfect else 'Best described by'} {'larger bets came at' if perfect else ''} {at}: "
            f"{percent(row['bets_at_trigger'], 0)} of the larger bets, on {percent(row['coups_at_trigger'], 0)} of "
            "such coups."
        ).replace("  ", " ")
    return text


def page(found: Audit, files: Mapping[str, str], command: str) -> str:
    """The page as HTML. `files` are digests of the log's files by name, `command` is what makes it again."""
    first, *rest = sentences(found)
    labels = report.labels(found.game)
    shown = found.patrons.head(LISTED).to_dicts()
    wrong = paid_wrongly(found.errors)
    sections = []
    if shown:
        sections += [
            Section(
                "Patrons and bets",
                f"The least likely first{_all(found.patrons, 'patrons.csv')}; flagged patrons are in red.",
                _drawn(found.patrons),
                "Each patron and bet: the edge of the stakes beyond random times within the same shoes, and the "
                "smaller of the two p-values.",
                (
                    "", "patron", "bet", "shoes", "bets", "staked", "won", "worth by the edge", "p, follows",
                    "p, knows", "p, all tests", "at a positive edge",
                ),
                [_row(i, row, labels) for i, row in enumerate(shown, 1)],
                labels=3,
            ),
            *_why(found, labels),
        ]  # fmt: skip
    if wrong.height:
        sections.append(
            Section(
                "Wrong payouts by patron",
                "Paid in all beyond what the pay table gives: + too much, - too little.",
                columns=("patron", "wrong payouts", "sum"),
                rows=[[who, f"{n:,}", _signed(off)] for who, n, off in wrong.head(LISTED).rows()],
            )
        )
    sections += [
        Section(
            "Errors of dealing and paying",
            f"{'None, by' if found.errors.is_empty() else 'By'} the rules of {found.game.title}"
            f"{_all(found.errors, 'errors.csv')}.",
            columns=("file", "line", "table", "shoe", "coup", "patron", "rule", "found"),
            rows=[
                [cell(value) for value in row]
                for row in found.errors.head(LISTED)
                .select("file", "line", "table", "shoe", "coup", "patron", "rule", "found")
                .rows()
            ],
            words=True,
        ),
        Section(
            "What was skipped, or read with a caveat",
            f"{_many(found.log.remarks.height, 'remark')}{_all(found.log.remarks, 'remarks.csv')}.",
            columns=("file", "line", "column", "value", "reason"),
            rows=[[cell(value) for value in row] for row in found.log.remarks.head(LISTED).rows()],
            words=True,
        ),
        *([Section("How patrons are tested", rows=[[part] for part in _HOW], columns=("",), words=True)] * bool(shown)),
        Section(
            "What is checked",
            columns=("", ""),
            rows=[(rule, said) for rule, said in RULES.items() if found.dealing is not None or rule != "after-cut"],
            words=True,
        ),
        Section("Provenance", columns=("", ""), rows=_provenance(found, files, command), words=True),
    ]  # fmt: skip
    under = found.dealing.words if found.dealing else f"{found.decks} decks; where the cut card stood was not told"
    title = "Audit of a table's log"
    return report.render(title, f"{found.game.title}, {under}.", first, _UNIT, sections, rest)


_UNIT = "Edges are the bettor's, exact for the unseen cards; amounts are in the log's money."


def _why(found: Audit, labels: Mapping[str, str]) -> list[Section]:
    """Of stakes that seem to follow the edge, what explains it."""
    seeming = found.patrons.filter(pl.col("p_within").is_not_null()).sort("z", descending=True).head(LISTED)
    if seeming.is_empty():
        return []
    return [
        Section(
            "What else may explain stakes that follow the edge",
            "Patrons whose stakes follow the edge by more than 2 standard deviations beyond random times within the "
            "same shoes. Three innocent explanations, each with the chance of stakes that follow it as well: random "
            "timing, always betting at the same depth of the shoe, and reacting to streaks of the bet. They explain; "
            "the verdict is by the tests above.",
            columns=(
                "patron", "bet", "worth by the edge", "at random times", "standard deviations", "p, random times",
                "p, same depth", "p, streaks", "correlation", "best described by",
            ),
            rows=[
                [
                    row["patron"], labels[row["bet"]], _signed(row["gain"]), _signed(row["random"]), f"{row['z']:.1f}",
                    *(_p(row[name]) for name in ("p_within", "p_across", "p_results")),
                    "" if row["correlation"] is None else f"{row['correlation']:.3f}",
                    _count(row),
                ]
                for row in seeming.iter_rows(named=True)
            ],
            labels=2,
        )
    ]  # fmt: skip


def _count(row: Mapping[str, Any]) -> str:
    """The count that tells best when the patron bets more than usual, and its trigger."""
    if row["count_used"] in (None, "perfect"):
        return row["count_used"] or ""
    return f"{row['count_used']} at {row['trigger']:g}"


def _drawn(patrons: pl.DataFrame) -> Markup | None:
    if patrons.is_empty():
        return None
    return Markup(plots.svg(plots.single(plots.follows_edge, patrons, size=(9, 3.6))))


def _all(frame: pl.DataFrame, file: str) -> str:
    return f", {LISTED} of {frame.height:,} ({file} has all)" if frame.height > LISTED else ""


def _row(i: int, row: Mapping[str, Any], labels: Mapping[str, str]) -> list[Any]:
    cells = [
        i,
        row["patron"],
        labels[row["bet"]],
        row["shoes"],
        f"{row['bets']:,}",
        f"{row['staked']:,.0f}",
        "" if row["won"] is None else f"{row['won']:+,.0f}",
        f"{row['gain']:+,.0f}",
        _p(row["p_follows"]),
        _p(row["p_knows"]),
        _p(row["p_holm"]),
        percent(row["on_positive"], 0),
    ]
    return [Markup('<span class="flagged">{}</span>').format(value) for value in cells] if row["flagged"] else cells


def _provenance(found: Audit, files: Mapping[str, str], command: str) -> list[tuple[str, str]]:
    game = found.game
    return [
        ("game", f"{game.title} ({game.name}), {found.decks} decks"),
        ("source of the rules", game.source),
        ("digest of the game", game.digest),
        *((f"digest of {name}", value) for name, value in files.items()),
        *(
            (f"not read: {part.what}", f"{part.unread:,} of {part.of:,}; {percent(found.allowed, 1)} allowed")
            for part in found.parts
            if part.unread
        ),
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
        "verdict": not found.unread,
        "answer": sentences(found),
        "read": [part._asdict() | {"share": part.share} for part in found.parts],
        "allow_unread": found.allowed,
        "hands_that_move": found.moving,
        "coverage": found.coverage,
        "patrons": found.patrons.to_dicts(),
        "errors": found.errors.to_dicts(),
        "remarks": found.log.remarks.to_dicts(),
    }


def write(found: Audit, folder: Path, files: Mapping[str, str], command: str) -> None:
    """`report.html`, `report.json` and three tables as CSV into a folder that was claimed for them."""
    for name, frame in (("patrons", found.patrons), ("errors", found.errors), ("remarks", found.log.remarks)):
        head = ",".join(frame.columns) + "\n"
        write_text(folder / f"{name}.csv", as_csv(frame.to_dicts()) or head)
    write_text(folder / "report.json", as_json(as_data(found, files)))
    write_text(folder / "report.html", page(found, files, command))
