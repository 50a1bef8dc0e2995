"""The sentences of an audit: first the verdict, then errors of dealing and paying, and last what the log leaves
open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from counting.io.tables import percent
from counting.logs import TWICE
from counting.numbers import many
from counting.reports import error_rates, knowledge, pages
from counting.reports.numbers import amount
from counting.review import (
    FOLLOWS,
    KNOWS,
    RULES,
    Audit,
    LogPart,
    Results,
    better_game,
    fewest_decks,
    gross,
    repeats_of,
    results_alone,
    untested,
)

_TABLES = 5  # the most tables named at the top of a page
NAMED = 10  # the most flagged patrons that get a sentence each
COUPS_PER_HOUR = 70  # the pace for money per hour
EXPOSED = 3  # with more flagged patrons, the first line has their names without their results
DEALING, PAYOUT, EARLY = "error of dealing", "wrong payout", "shoe ended early"
_LITTLE = 0.5  # if a smaller share of the hands can swap places with another hand, the page reports it
_MOST_OF = 0.9  # "most" of a bet's wins, or of the wrong payouts, means more than this share
_SHOES_TO_TELL = 5
_RECORD = ("record", "stale-card", "repeat")
_KINDS = {
    (*(rule for rule in RULES if rule not in ("payment", "winner", "unknown-bet", "early-end", *_RECORD)),): DEALING,
    _RECORD: "fault of the record",
    ("early-end",): EARLY,
    ("payment",): PAYOUT,
    ("winner",): "wrong recorded winner",
    ("unknown-bet",): "bet of a name that neither the game nor the catalog has",
}
_CARDS = (
    "tens and pictures", "aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines",
)  # fmt: skip


def sentences(audit: Audit) -> list[str]:
    """First the answer in short, then sentences on flagged patrons, on errors of dealing and paying, and on what is
    missing."""
    if results := results_alone(audit.log, audit.game, audit.decks):
        return [*_of_results(audit, results), *_reading(audit)]
    lines = _no_verdict(audit) or [_in_short(audit), *_verdict(audit)]
    return [*lines, *_dealing(audit), *_payouts(audit), *error_rates.sentences(audit), *_reading(audit)]


def _of_results(audit: Audit, results: Results) -> list[str]:
    """What a log without cards shows, and what it cannot show."""
    came = ", ".join(
        f"{name} {results.number[name]:,} ({results.expected[name]:,.1f} expected)" for name in results.number
    )
    chance = "are unlikely by chance" if results.p < audit.settings.level else "are within chance"
    lines = [
        f"The log has results alone. In {many(sum(results.number.values()), 'coup')} of {audit.game.name} with "
        f"{many(audit.decks, 'deck')} they are: {came}. These numbers {chance} ({p_is(results.p)}; the level is "
        f"{audit.settings.level:.4g})."
    ]
    if audit.log.bets.height:
        lines.append(
            f"{many(results.wrong, PAYOUT)} among {many(results.payouts, 'payout')} that depend on the winner alone. "
            f"In all, the log has {many(audit.log.bets.height, 'bet')}."
        )
    return [
        *lines,
        "Without cards nothing else can be judged: not the drawing rules, not the shuffle, not the cut card, and not "
        "whether anyone counts or knows coming cards. If the cards are in a separate file, start a layout for that "
        "file with this command: counting layouts card-rows > ours.toml",
    ]


def _no_verdict(audit: Audit) -> list[str]:
    if not audit.unread:
        return []
    return [
        no_verdict(audit.unread, audit.allowed),
        "Patrons are not tested. The listed errors are from the part that was read. For lines that were not "
        "read, the reasons are in the remarks on the page and in remarks.csv.",
    ]


def no_verdict(parts: Sequence[LogPart], allowed: float) -> str:
    """That there is no verdict, because too much of these parts of a log cannot be used, and what may help."""

    def unread(part: LogPart) -> str:
        most = allowed if part.allowed is None else part.allowed
        share = f"{percent(part.share, 1)}; at most {percent(most, 1)} allowed"
        return f"{part.what}, {part.unread:,} of {part.of:,} ({share})"

    remedies = list(dict.fromkeys(part.remedy for part in parts if part.remedy))
    if any(part.allowed is None and not part.remedy for part in parts):
        remedies.append("To allow another share of cards, coups and bets, set “Allowed unread” (allow-unread).")
    if any(part.allowed is not None for part in parts):
        remedies.append("The log may have another game, number of decks or layout than you gave.")
    return (
        "No verdict: the log cannot be relied on. Too much is missing or in doubt: "
        f"{'; '.join(map(unread, parts))}. {' '.join(remedies)}"
    )


def _in_short(audit: Audit) -> str:
    """Whether the table was dealt and paid by the rules, how many patrons are flagged, and where to look first."""
    return f"Dealing: {_dealt(audit)}. Paying: {_paid(audit)}. Patrons: {_flagged(audit)}."


def _dealt(audit: Audit) -> str:
    (of_dealing,) = (rules for rules, what in _KINDS.items() if what == DEALING)
    wrong = audit.errors.filter(pl.col("rule").is_in(of_dealing))
    extent = f"{many(audit.coverage['coups'], 'coup')} of {many(audit.coverage['shoes'], 'shoe')}"
    extent += " (the cut card is not judged, because no cut was given)" * (audit.dealing is None)
    if wrong.is_empty():
        return f"no error in {extent}"
    first = "the first " * (wrong.height > 1)
    return f"{many(wrong.height, 'error')} in {extent}, {first}at {place(wrong.row(0, named=True))}"


def _paid(audit: Audit) -> str:
    with_result, wrong = audit.log.bets["won"].count(), audit.errors.filter(rule="payment")
    if not with_result:
        return "not checked, as no result of a bet is logged"
    checked = f"{many(with_result, 'bet')} with a result"
    if wrong.is_empty():
        return f"no {PAYOUT} in {checked}"
    return f"{many(wrong.height, PAYOUT)} in {checked}, in all {signed(float(wrong['off'].sum()))} for the patrons"


def _flagged(audit: Audit) -> str:
    if not audit.log.bets.height:
        return "not tested, as no bet is logged"
    names, tested = audit.flagged["patron"].unique(maintain_order=True), f"{audit.coverage['patrons']:,}"
    at = f"at a level of {audit.settings.level:.4g} for all tests together"
    if names.is_empty():
        return f"none of {tested} flagged, {at}"
    labels = pages.labels(audit.game)
    shown = [_exposure(name, audit.flagged, len(names) <= EXPOSED, labels) for name in names.head(NAMED)]
    listed = ("; " if len(names) <= EXPOSED else ", ").join(shown)
    return f"{len(names):,} of {tested} flagged, {at}: {listed}{', ...' * (len(names) > NAMED)}"


def place(row: Mapping[str, Any]) -> str:
    """The place of an error: its table, shoe and coup."""
    named = str(row["table"])
    table = named if named.lower().startswith("table") else f"table {named}"
    return f"{table}, shoe {row['shoe']}, coup {row['coup']}"


def _verdict(audit: Audit) -> list[str]:
    if not audit.log.bets.height:
        return []
    labels, c, flagged = pages.labels(audit.game), audit.coverage, audit.flagged
    lines = knowledge.sentences(audit)
    follows = flagged.filter(pl.col("flagged_for").str.contains(FOLLOWS, literal=True))
    lines += [patron_sentence(row, labels) for row in follows.head(NAMED).iter_rows(named=True)]
    lines += _guarantee(audit)
    if c["missing_coups"] or c["unread_cards"] or c["coup_lines_skipped"] or c["bet_lines_skipped"]:
        lines.append("The log is incomplete. The level still holds if what is missing does not depend on the cards.")
    few = audit.patrons.filter(pl.col("can_be_flagged").not_())["patron"].n_unique()
    if few:
        lines.append(
            f"{many(few, 'patron')} could not be flagged for following the edge on one or more bets, because there are "
            "too few shoes or the stakes hardly vary. For these bets, the log cannot show whether the stakes follow "
            "the edge."
        )
    if audit.moving is not None and audit.moving < _LITTLE:
        lines.append(
            f"Only {percent(audit.moving, 0)} of the two-card hands have another hand with which they can swap places. "
            "So the test for following the edge has little power on this log."
        )
    return lines


def _exposure(patron: str, flagged: pl.DataFrame, with_results: bool, labels: Mapping[str, str]) -> str:
    """Words on a flagged patron: the name and, if `with_results` is set, the reason, what the flagged bets won, and
    what they were expected to win by the exact edge. If the cards of one value may explain the bets, the words say
    so."""
    rows = flagged.filter(pl.col("patron") == patron).to_dicts()
    notes = []
    if with_results:
        if all(row["won"] is not None for row in rows):
            notes.append(_result(sum(row["won"] for row in rows)))
        notes.append(f"the exact edge predicts {signed(sum(row['gain'] for row in rows))}")
    if all(_may_watch_one_value(row) for row in rows):
        notes.append(f"watching {_CARDS[rows[0]['one_value']]} alone may explain the bets")
    why = _why(rows, labels) if with_results else ""
    return f"{patron}{why} ({'; '.join(notes)})" if notes else f"{patron}{why}"


def _result(won: float) -> str:
    return f"{'won' if won > 0 else 'lost'} {abs(won):,.2f}" if round(won, 2) else "won as much as they lost"


def _why(rows: Sequence[Mapping[str, Any]], labels: Mapping[str, str]) -> str:
    """Why a patron is flagged, as words to follow the name. `rows`: the patron's flagged bets. If the patron is flagged
    as part of a team, the words name the other members."""
    follows = [f'"{labels[row["bet"]]}"' for row in rows if FOLLOWS in row["flagged_for"]]
    knows = [row["flagged_with"] for row in rows if KNOWS in row["flagged_for"]]
    reasons = [f"whose bets on {' and '.join(follows)} follow the edge"] if follows else []
    if knows and knows[0]:
        others = " and ".join(knows[0].rsplit(", ", 1))
        reasons.append(f"in a team with {others}, of which one or more seem to know the coming cards")
    elif knows:
        reasons.append("who seems to know the coming cards")
    return f", {', and '.join(reasons)}" if reasons else ""


def _may_watch_one_value(row: Mapping[str, Any]) -> bool:
    """Whether one value may explain a flagged bet: the patron is flagged only for following the edge, the cards of one
    value may explain the stakes, and no count describes them."""
    return KNOWS not in row["flagged_for"] and not row["beyond_one_value"] and row["count_used"] is None


def _guarantee(audit: Audit) -> list[str]:
    """Sentences on the patrons for whom the level is guaranteed, and on those for whom it is not."""
    level = f"{audit.settings.level:.4g}"
    lines = [
        "Consider all patrons who bet by results, totals, third cards, pairs, time, money or chance. The chance that "
        f"one or more of them are flagged is at most {level}, if the game and the number of decks are right and the "
        "shoes are well shuffled.",
        'A patron who bets by the faces of cards ("sevens are due", or "after a nine with a picture") is outside this '
        "guarantee. Such a patron may be flagged for following the edge without being a counter.",
    ]
    if audit.patrons["beyond_one_value"].any():
        lines.append(
            "A second guarantee covers patrons who bet by the cards of one value. This report may state, wrongly, that "
            "no single value explains the stakes of such a patron. The chance that it does so for one or more of them "
            f"is at most {level}."
        )
    return lines


def patron_sentence(row: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    """Sentences on a patron flagged for following the edge. They state the mean edge of the stakes, what the bets won
    and were expected to win by the exact edge, and what may explain the stakes."""
    won = "Results are not logged" if row["won"] is None else f"The result of these bets is {signed(row['won'])}"
    text = (
        f'{row["patron"]} {FOLLOWS} on "{labels[row["bet"]]}": {_size(row)}The patron made '
        f"{many(row['bets'], 'bet')}, of {row['staked'] / row['bets']:,.4g} on average, in "
        f"{many(row['coups'], 'coup')} of {many(row['shoes'], 'shoe')}. {won}. The exact edge predicts "
        f"{signed(row['gain'])}, or {row['gain_units']:+.3g} units. At {COUPS_PER_HOUR} coups per hour, this is "
        f"{signed(COUPS_PER_HOUR * row['gain'] / row['coups'])} per hour"
        f"{'. The patron follows the edge at a loss' * (row['gain'] <= 0)}. {percent(row['on_positive'], 0)} of the "
        "stakes were at a positive edge."
    )
    return f"{text}{_what_explains(row)}"


def _size(row: Mapping[str, Any]) -> str:
    """The mean edge of the stakes, compared with random stakes and with a perfect counter's stakes."""
    counter = "; no coup of these shoes had a positive edge"
    if row["edge_counter"] is not None:
        counter = (
            f", and {edge(row['edge_counter'])} for a perfect counter who bets the same amount at every positive edge "
            "in these shoes"
        )
    return (
        f"the mean edge of the stakes is {edge(row['edge'])}. It would be {edge(row['edge_random'])} for random stakes "
        f"in this log{counter}. "
    )


def _what_explains(row: Mapping[str, Any]) -> str:
    """What may explain the stakes: the cards of one value, or a count."""
    cards, p = _CARDS[row["one_value"]], p_is(row["p_one_value"])
    text = f" Results, totals, third cards, pairs and time do not explain the stakes ({p_is(row['p_follows'])})."
    if row["beyond_one_value"]:
        text += f" The cards of a single value do not explain them either; {cards} come nearest ({p})."
    else:
        text += f" Watching {cards} alone may explain the stakes ({p})."
    if row["count_used"] is None:
        return f"{text} No count of the library describes the stakes."
    at = "a positive edge" if row["count_used"] == "perfect" else f"the count {count_of(row)} or more"
    return (
        f"{text} The stakes are best described by {at}: {percent(row['bets_at_trigger'], 0)} of the larger bets are on "
        f"coups with {at if row['count_used'] == 'perfect' else 'this count'}, and "
        f"{percent(row['coups_at_trigger'], 0)} of these coups have a larger bet."
    )


def count_of(row: Mapping[str, Any]) -> str:
    """The count that best describes when the patron bets more than usual, with its trigger."""
    if row["count_used"] in (None, "perfect"):
        return row["count_used"] or ""
    return f"{row['count_used']} at {row['trigger']:g}"


def _dealing(audit: Audit) -> list[str]:
    c, lines = audit.coverage, []
    extent = f"{many(c['coups'], 'coup')} of {many(c['shoes'], 'shoe')}"
    for rules, what in _KINDS.items():
        errors = audit.errors.filter(pl.col("rule").is_in(rules))
        counted = errors["rule"].value_counts(sort=True, name="n").rows()
        listed = ", ".join(f"{rule} {n:,}" for rule, n in sorted(counted, key=lambda pair: (-pair[1], pair[0])))
        if counted and what != PAYOUT:
            lines.append(f"{many(errors.height, what)} in {extent}" + (f": {listed}." if len(rules) > 1 else "."))
        elif what == EARLY and audit.dealing is not None and not audit.unread:
            lines.append(f"No {what} in {extent}.")
    early = audit.errors.filter(rule="early-end").height
    if audit.dealing is not None and 2 * early > c["shoes"]:
        lines.append("Most shoes seem to end early. Check the cut and the burned cards that you gave.")
    if audit.dealing is None and c["coups"]:
        lines.append(
            f"The median shoe ends with {many(c['left_at_end'], 'card')} left. No cut was given, so a shoe is "
            "reported as ended early only if it ended early compared with the other shoes."
        )
    stale = audit.errors.filter(rule="stale-card").height
    if stale:
        contradicted = stale + audit.errors.filter(rule="record").height
        lines.append(
            f"In {stale:,} of {many(contradicted, 'coup')} whose cards contradict the recorded totals, a third card "
            "is left over from the line before. There the record is at fault, not the dealer."
        )
    repeated = audit.errors.filter(rule="repeat").height
    if repeated:
        by_chance = repeats_of(audit.log.coups, audit.game.tableau).expected
        lines.append(
            f"{many(repeated, 'coup')} of {c['coups']:,} {'repeats' if repeated == 1 else 'repeat'} the coup before "
            f"card for card; by chance, {amount(by_chance)} would be expected. A coup that is logged twice takes its "
            "cards out of the shoe twice. Repeated coups can be left out."
        )
    fewest = fewest_decks(audit.log)
    if fewest < audit.decks and c["shoes"] >= _SHOES_TO_TELL:
        lines.append(
            f"Every shoe in the log would also fit {many(fewest, 'deck')}. If the shoes did not have {audit.decks} "
            "decks, the edges in this report are wrong."
        )
    fit = better_game(audit.log, audit.game, audit.errors)
    if fit is not None:
        lines.append(f"The log fits the game {fit.game} better: by the rules of that game, it has {fit.words}.")
    return lines


def _payouts(audit: Audit) -> list[str]:
    """Sentences on wrong payouts by patron, and on what may explain many of them."""
    with_result = audit.log.bets["won"].count()
    errors = audit.errors.filter(rule="payment")
    wrong = errors.join(audit.log.bets_on(errors["line"]).select("line", "bet", "amount"), on="line")
    without = audit.log.bets.height - with_result
    lines = (
        [f"{many(without, 'bet')} of {audit.log.bets.height:,} have no result, so their payouts are not checked."]
        if without
        else []
    )
    if wrong.is_empty():
        return lines
    lines.append(f"{many(wrong.height, PAYOUT)} in {many(with_result, 'bet')} with a result.")
    by_patron = paid_wrongly(audit.errors)
    named = "; ".join(
        f"{row['patron']} with {row['payouts']:,} ({signed(row['off'])})" for row in by_patron.head(NAMED).to_dicts()
    )
    more = f"; {many(by_patron.height - NAMED, 'other patron')}" if by_patron.height > NAMED else ""
    lines.append(
        f"Patrons with wrong payouts, and in brackets the sum paid too much (+) or too little (-): {named}{more}."
    )
    if gross(audit.log, errors) > _MOST_OF * wrong.height and wrong.height > with_result / 10:
        lines.append(
            'The wrong payouts would be right if the results included the stake. Does the column "won" give the net '
            "result?"
        )
    wins = audit.log.bets.filter(pl.col("won") > 0)["bet"].value_counts()
    for bet, number in wins.sort("bet").rows():
        off = wrong.filter(bet=bet).height
        if off > _MOST_OF * number and off >= _SHOES_TO_TELL:
            lines.append(
                f"{off:,} payouts of {bet} are wrong; the bet won {number:,} times. Does another pay table apply, or "
                "was the commission rounded or collected later?"
            )
    return lines


def paid_wrongly(errors: pl.DataFrame, by: str = "patron") -> pl.DataFrame:
    """A row for each patron, table or dealer with a wrong payout. A row gives the number of wrong payouts, and in money
    the sum of their errors, the sum overpaid and the sum underpaid. An error is above 0 if too much was paid."""
    return (
        errors.filter(pl.col("rule") == "payment")
        .group_by(by, maintain_order=True)
        .agg(
            pl.len().alias("payouts"),
            pl.col("off").sum(),
            over=pl.col("off").filter(pl.col("off") > 0).sum(),
            under=pl.col("off").filter(pl.col("off") < 0).sum(),
        )
        .sort(pl.col("off").abs(), descending=True, maintain_order=True)
    )


def _reading(audit: Audit) -> list[str]:
    c = audit.coverage
    nameless = untested(audit.errors, audit.log, audit.allowed)
    lines = []
    if nameless.height:
        named = "; ".join(f"{patron} ({n:,} of {many(bets, 'bet')})" for patron, n, bets in nameless.head(NAMED).rows())
        lines.append(
            f"On bets with unknown names, these patrons are not tested: {named}{'; ...' * (nameless.height > NAMED)}."
        )
    if again := audit.log.remarked(TWICE):
        repeat = "repeats" if again == 1 else "repeat"
        lines.append(f"{many(again, 'line')} of bets {repeat} another line; both lines are kept and added up.")
    if audit.log.events.height:
        kinds = audit.log.events["event"].value_counts(sort=True).rows()
        shown = int(audit.log.events["cards"].list.len().sum())
        listed = ", ".join(f"{kind} {n:,}" for kind, n in sorted(kinds, key=lambda pair: (-pair[1], pair[0])))
        lines.append(
            f"The log has {many(audit.log.events.height, 'event')} besides coups: {listed}. In these events, "
            f"{many(shown, 'card')} left the shoe before the next coup."
        )
    lines += audit.log.lacks
    lacking = "No coup is missing from the numbering, and every card could be read."
    if c["missing_coups"] or c["unread_cards"]:
        lacking = (
            f"The numbering lacks {many(c['missing_coups'], 'coup')}, and {many(c['unread_cards'], 'card')} could not "
            "be read. All cards that are missing for one of these reasons count as unseen."
        )
    lines.append(f"{lacking} The reading of the files gave {many(c['remarks'], 'remark')}.")
    return lines


def tables_named(column: pl.Series) -> tuple[str, str]:
    """The heading and the names of the tables in a column, for the top of a page."""
    tables = column.cast(pl.String).unique(maintain_order=True).to_list()
    others = f" and {len(tables) - _TABLES:,} others" * (len(tables) > _TABLES)
    return "table" if len(tables) == 1 else "tables", ", ".join(tables[:_TABLES]) + others


def p_value(value: float) -> str:
    """A p-value, to two digits."""
    return "< 0.0001" if value < 1e-4 else f"{value:.2g}"


def p_is(value: float) -> str:
    return f"p {'' if value < 1e-4 else '= '}{p_value(value)}"


def edge(share: float) -> str:
    """An edge in percent, with its sign."""
    return f"{100 * share:+.1f}%"


def signed(money: float) -> str:
    return f"{money:+,.2f}"
