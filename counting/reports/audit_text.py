"""What an audit says: the verdict first, then what was dealt or paid wrongly, then what the log leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from counting.audit import FOLLOWS, KNOWS, RULES, TWICE, Audit, Part, better, fewest_decks, untested
from counting.io.tables import percent
from counting.reports import pages

NAMED = 10  # flagged patrons with a sentence of their own
EXPLAINED = 3  # patrons with a sentence because they only seem to follow the edge
DEALING, PAYOUT, EARLY = "error of dealing", "wrong payout", "shoe ended early"
_SEEMING = 3.0  # standard deviations beyond random times
_EXPLAINED_BY = 0.05  # a p-value from which on what everyone saw explains the stakes
_LITTLE = 0.5  # of the hands can be moved: less is reported
_MOST_OF = 0.9  # of a bet's wins, or of payouts
_SHOES_TO_TELL = 5
_KINDS = {
    (*(rule for rule in RULES if rule not in ("payment", "winner", "unknown-bet", "early-end")),): DEALING,
    ("early-end",): EARLY,
    ("payment",): PAYOUT,
    ("winner",): "wrong recorded winner",
    ("unknown-bet",): "bet of a name that neither the game nor the catalog has",
}
_SOURCES = {
    "player-first": "better first cards of Player's hand",
    "banker-first": "better first cards of Banker's hand",
    "payouts": "better payouts",
}


def sentences(found: Audit) -> list[str]:
    """The verdict first: who was flagged, what was dealt or paid wrongly, what is missing."""
    said = _no_verdict(found) or _verdict(found)
    return [*said, *_dealing(found), *_payouts(found), *_reading(found)]


def _no_verdict(found: Audit) -> list[str]:
    if not found.unread:
        return []

    def of(part: Part) -> str:
        allowed = found.allowed if part.allowed is None else part.allowed
        share = f"{percent(part.share, 1)}; {percent(allowed, 1)} allowed"
        return f"{part.unread:,} of {part.of:,} {part.what} ({share})"

    return [
        f"No verdict: the log cannot be relied on. {'; '.join(map(of, found.unread))}. Another share of cards, coups "
        "and bets is allowed with --allow-unread.",
        "Patrons are not tested. The errors listed are those of the part that could be read. The remarks give the "
        "reason for each line.",
    ]


def _verdict(found: Audit) -> list[str]:
    if not found.log.bets.height:
        return ["No bets are logged: only the dealing was checked."]
    labels, c, flagged = pages.labels(found.game), found.coverage, found.flagged
    at = f"at a level of {found.settings.level:.4g} for all together"
    if flagged.is_empty():
        said = [f"No patron is flagged: {many(c['patrons'], 'patron')} tested, {at}."]
    else:
        names = flagged["patron"].unique(maintain_order=True)
        listed = f"{', '.join(names.head(NAMED))}{', ...' * (len(names) > NAMED)}"
        said = [f"Flagged: {listed}. {len(names):,} of {many(c['patrons'], 'patron')}, {at}."]
    said += [patron_sentence(row, labels) for row in flagged.head(NAMED).iter_rows(named=True)]
    said.append(
        "If the game and the number of decks are right and the shoes well shuffled, a patron who goes by results, "
        "totals, third cards, pairs, time, money or chance is flagged with a probability of at most "
        f"{found.settings.level:.4g}, all such patrons at the table taken together."
    )
    if c["missing_coups"] or c["unread_cards"] or c["coup_lines_skipped"] or c["bet_lines_skipped"]:
        said.append("The log is incomplete: this holds if what is missing does not depend on the cards.")
    seeming = found.patrons.filter(~pl.col("flagged"), pl.col("z") > _SEEMING, pl.col("least_p") < 1)
    said += [_seeming(row, labels) for row in seeming.sort("z", descending=True).head(EXPLAINED).iter_rows(named=True)]
    few = found.patrons.filter(pl.col("can_be_flagged").not_())["patron"].n_unique()
    if few:
        said.append(
            f"{many(few, 'patron')} could not have been flagged for following the edge on some bet: too few shoes, or "
            "stakes that hardly vary."
        )
    if found.moving is not None and found.moving < _LITTLE:
        said.append(
            f"Only {percent(found.moving, 0)} of the two-card hands have another to change places with: the test for "
            "following the edge has little power on this log."
        )
    return said


def _seeming(row: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    why = "and what everyone at the table saw explains it"
    if row["p_follows"] < _EXPLAINED_BY:
        why = "which is not enough to be flagged at this level for all together"
    return (
        f'{row["patron"]} on "{labels[row["bet"]]}" is not flagged: the stakes follow the edge by {row["z"]:.1f} '
        f"standard deviations more than at random times, {why} ({p_is(row['p_follows'])}). By the exact edge the bets "
        f"were worth {signed(row['gain'])}."
    )


def patron_sentence(row: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    """What a flagged patron did, won in fact, and was worth by the edge; one who follows it at a loss is shown so."""
    won = "Results are not logged" if row["won"] is None else f"They won {signed(row['won'])} in fact"
    at_loss = row["gain"] <= 0 and FOLLOWS in row["flagged_for"]
    text = (
        f'{row["patron"]} on "{labels[row["bet"]]}" {row["flagged_for"].replace(", ", " and ")}: {row["bets"]:,} bets '
        f"of {row['staked'] / row['bets']:,.4g} on average in {row['coups']:,} coups of {many(row['shoes'], 'shoe')}. "
        f"{won}; by the exact edge the bets were worth {signed(row['gain'])}, or {row['gain_units']:+.3g} units"
        f"{': the patron follows the edge at a loss' * at_loss}; {percent(row['on_positive'], 0)} of the stakes were "
        "at a positive edge."
    )
    if KNOWS in row["flagged_for"]:
        text += (
            f" Larger stakes came before {_SOURCES[row['knows_by']]} than past cards can tell ({p_is(row['p_knows'])})."
        )
    if FOLLOWS in row["flagged_for"]:
        text += f" They follow the edge: {p_is(row['p_follows'])}."
        if row["count_used"] is not None:
            at = "a positive edge" if row["count_used"] == "perfect" else f"the count {count_of(row)} or more"
            text += (
                f" Best described by {at}: {percent(row['bets_at_trigger'], 0)} of the larger bets, on "
                f"{percent(row['coups_at_trigger'], 0)} of such coups."
            )
    return text


def count_of(row: Mapping[str, Any]) -> str:
    """The count that tells best when the patron bets more than usual, and its trigger."""
    if row["count_used"] in (None, "perfect"):
        return row["count_used"] or ""
    return f"{row['count_used']} at {row['trigger']:g}"


def _dealing(found: Audit) -> list[str]:
    c, said = found.coverage, []
    extent = f"{many(c['coups'], 'coup')} of {many(c['shoes'], 'shoe')}"
    clean = {DEALING} if found.dealing is None else {DEALING, EARLY}
    for rules, what in _KINDS.items():
        here = found.errors.filter(pl.col("rule").is_in(rules))
        counted = here["rule"].value_counts(sort=True, name="n").rows()
        listed = ", ".join(f"{rule} {n:,}" for rule, n in sorted(counted, key=lambda pair: (-pair[1], pair[0])))
        if counted and what != PAYOUT:
            said.append(f"{many(here.height, what)} in {extent}" + (f": {listed}." if len(rules) > 1 else "."))
        elif what in clean and not found.unread:
            said.append(f"No {what} in {extent}.")
    early = found.errors.filter(rule="early-end").height
    if found.dealing is not None and 2 * early > c["shoes"]:
        said.append("Most shoes seem to end early: is the cut card, or the burning (--burn), another?")
    if found.dealing is None and c["coups"]:
        said.append(
            f"The middle shoe ends with {c['left_at_end']:,} cards left. Without --cut a shoe ended early is reported "
            "only beside the table's others."
        )
    fewest = fewest_decks(found.log)
    if fewest < found.decks and c["shoes"] >= _SHOES_TO_TELL:
        said.append(
            f"Every shoe logged would fit {many(fewest, 'deck')} too. If {found.decks} is wrong, so are the edges "
            "(--decks)."
        )
    fit = better(found.log, found.game, found.errors)
    if fit is not None:
        said.append(f"The log fits {fit.game} better: {fit.words} by its rules.")
    return said


def _payouts(found: Audit) -> list[str]:
    """Wrong payouts, by patron, and what may explain many of them."""
    with_result = found.log.bets["won"].count()
    wrong = found.errors.filter(rule="payment").join(found.log.bets.select("line", "bet", "amount"), on="line")
    without = found.log.bets.height - with_result
    said = (
        [f"{many(without, 'bet')} of {found.log.bets.height:,} without a result: payouts not checked."]
        if without
        else []
    )
    if wrong.is_empty():
        checked = with_result and not found.unread
        return [*said, *([f"No wrong payout in {many(with_result, 'bet')} with a result."] if checked else [])]
    said.append(f"{many(wrong.height, PAYOUT)} in {many(with_result, 'bet')} with a result.")
    by_patron = paid_wrongly(found.errors)
    named = "; ".join(f"{who} {n:,}, {signed(off)}" for who, n, off in by_patron.head(NAMED).rows())
    more = f"; {many(by_patron.height - NAMED, 'other patron')}" if by_patron.height > NAMED else ""
    said.append(f"Wrong payouts by patron, and the sum paid too much (+) or too little (-): {named}{more}.")
    gross = wrong.filter((pl.col("off") - pl.col("amount") / 100).abs() < 0.015).height
    if gross > _MOST_OF * wrong.height and wrong.height > with_result / 10:
        said.append("The wrong payouts would be right if results include the stake: should won be the net result?")
    wins = found.log.bets.filter(pl.col("won") > 0)["bet"].value_counts()
    for bet, number in wins.sort("bet").rows():
        off = wrong.filter(bet=bet).height
        if off > _MOST_OF * number and off >= _SHOES_TO_TELL:
            said.append(
                f"{off:,} payouts of {bet} are wrong, with {number:,} wins: another pay table, a commission rounded or "
                "collected later?"
            )
    return said


def paid_wrongly(errors: pl.DataFrame) -> pl.DataFrame:
    """Of each patron with a wrong payout how many, and the sum in money, above 0 where too much was paid."""
    return (
        errors.filter(pl.col("rule") == "payment")
        .group_by("patron", maintain_order=True)
        .agg(pl.len().alias("payouts"), pl.col("off").sum())
        .sort(pl.col("off").abs(), descending=True, maintain_order=True)
    )


def _reading(found: Audit) -> list[str]:
    c = found.coverage
    nameless = untested(found.errors, found.log, found.allowed)
    said = []
    if nameless.height:
        named = "; ".join(f"{who} ({n:,} of {of:,} bets)" for who, n, of in nameless.head(NAMED).rows())
        said.append(f"Not tested on bets of unknown names: {named}{'; ...' * (nameless.height > NAMED)}.")
    if again := found.log.remarked(TWICE):
        said.append(f"{many(again, 'line')} of bets repeat another; they are kept and add up.")
    said.append(
        f"{many(c['missing_coups'], 'coup')} missing in the shoes' numbering and {many(c['unread_cards'], 'card')} not "
        f"read count as unseen. {many(c['remarks'], 'remark')} on the reading of the files."
    )
    return said


def many(number: int, what: str) -> str:
    """A number of things: 1 coup, 2 coups, 3 errors of dealing."""
    first, _, rest = what.partition(" ")
    plural = f"{what}s" if first in ("wrong", "other") else f"{first}s{' ' * bool(rest)}{rest}"
    return f"{number:,} {what if number == 1 else plural}"


def p_value(value: float) -> str:
    """A p-value in two digits."""
    return "< 0.0001" if value < 1e-4 else f"{value:.2g}"


def p_is(value: float) -> str:
    return f"p {'' if value < 1e-4 else '= '}{p_value(value)}"


def signed(money: float) -> str:
    return f"{money:+,.2f}"
