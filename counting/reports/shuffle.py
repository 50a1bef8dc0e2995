"""The page on shuffling: the verdict, each finding with its shoe and coups, each test, and the faults that a log of
this size could show."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import polars as pl

from counting.io.tables import percent
from counting.logs import Log
from counting.numbers import many
from counting.reports.audit_text import p_is, p_value, signed, tables_named
from counting.reports.pages import Report, Section
from counting.review import (
    TESTS,
    Finding,
    ShoesNeeded,
    ShuffleReview,
    extra_cards,
    fewest_decks,
    gathering,
    impossible_shoes,
    shoes_needed,
)
from counting.review.shuffle.review import REGULATORS
from counting.review.shuffle.shuffle_power import POWER_CUT, POWER_DECKS, POWER_LEVEL
from counting.version import __version__

_KNOWN = {"card": "rank and suit", "rank": "rank", "value": "point value"}
_SHOES_TO_TELL = 5
_NAMED = 5
_EXTRA = "AN EXTRA CARD, OR ONE MISREAD."  # the verdict if two shoes show too many of the same card
_BETTORS = 3  # the most patrons named in a sentence
_WHOLE = 0.9  # in the simulated logs, at least this share of the cards is seen; a log with less needs more shoes
_BY_PARTS = (
    "A shuffle by parts takes half a deck from each half of the shoe, riffles these cards together three times, and "
    "goes on until both halves are used up."
)
_EVENTS = {
    "Player wins": "Player wins",
    "Banker wins": "Banker wins",
    "natural wins of Player": "Player wins with a natural",
    "natural wins of Banker": "Banker wins with a natural",
    "coups with a natural": "a hand has a natural",
    "ties": "the hands tie",
}
_FORMER = {"shoe-before": "the shoe before", "two-before": "the shoe before that"}
_HOW = (
    "The hypothesis of every test is that each order of a shoe is equally likely, whatever the earlier shoes were. A "
    "coup that is missing, or has an unread card, counts as five unseen cards. Unseen cards are added in random order. "
    "If the shoes are shuffled at random, the shoes completed in this way are in random order too, wherever the cut "
    "card is and whatever the drawing rules are.",
    "Each statistic is compared with the same statistic of shoes shuffled by random numbers, again and again. The "
    "p-value is the share of these draws in which the statistic is at least as extreme; the log counts as one draw. "
    "For coups that come again, and for the longest common stretch, the p-value is an upper bound. All tests share one "
    "level by Holm's method with weights. The test of the order of the shoe before has weight 4, each test of single "
    "shoes has weight 2, and every other test has weight 1. A test of single shoes divides its weight among the shoes.",
    "Order of the shoe before: this test looks at pairs of cards that were near one another in the discard rack. "
    "After a given number of riffles and any cut, the distance between two such cards has a known distribution (Bayer "
    "and Diaconis, Annals of Applied Probability 2, 1992, p. 294). If the pit's order is given, only this order is "
    "tried, from either end. Otherwise the test does not know in which order the cards of the shoe before lay in the "
    "rack, so it tries these: 64 orders hand by hand, the dealing order and its reverse, and the coups in order with "
    "no order assumed within a coup. The same is done with the second shoe before (two batches often take turns). It "
    "is also done with new decks, in which each suit may run up or down. The order and the number of riffles that fit "
    "best are only a description. The p-value allows for all orders and numbers that were tried.",
    "Single shoes: each shoe is compared in the same way with the whole shoe before and, in addition, with stretches "
    "of 20 coups of the shoe before. Coups that come again: the test takes the least likely stretch that repeats "
    "coups of one of the three shoes before, or of the shoe itself. The cards of each coup may come in any order. "
    "Runs: the test looks for stretches of 4 to 40 coups with too many wins of one side, too many naturals or too "
    "many ties, compared with random shoes dealt by the drawing rules of punto banco.",
    "The cards of a coup are taken in this order: Player, Banker, Player, Banker, then the third cards. If burned "
    "cards are logged, the shoe begins with these cards. Otherwise it begins with the first logged card of a coup. The "
    "shoe before is the previous shoe of the same table in the log.",
)


def shuffle_sentences(review: ShuffleReview) -> list[str]:
    """Sentences: the verdict, its reasons, and the faults that a log of this size could have shown."""
    if review.unread or not review.orders.number:
        return [*_no_verdict(review), *_repeated(review), *_extra(review)]
    return [
        _verdict(review),
        *(finding_sentence(review, finding) for finding in review.findings),
        *_repeated(review),
        *_extra(review),
        _guarantee(review),
        _regulators(review),
        *_extent(review),
        *_left_out(review),
        *_power(review),
    ]


def rows_of_tests(review: ShuffleReview) -> list[dict[str, Any]]:
    """A row for each test. Tests that could not be made come last."""
    rows: list[dict[str, Any]] = [
        {
            "test": result.test.name,
            "p": result.p,
            "p_holm": result.adjusted,
            "flagged": result.flagged,
            "what": result.test.title,
        }
        for result in review.results
    ]
    blank = {"p": None, "p_holm": None, "flagged": None}
    rows += [{"test": name, **blank, "what": f"not tested: {why}"} for name, why in review.left_out.items()]
    return rows


def rows_of_findings(review: ShuffleReview) -> list[dict[str, Any]]:
    """A row for each finding, as in the JSON file: `kind`, `table`, `shoe`, `coups`, `places`, `p`, a `sentence`, and
    further fields if they are known."""
    rows = []
    for finding in review.findings:
        row = {name: value for name, value in finding._asdict().items() if value is not None and name != "bettors"}
        row = {name: list(value) if isinstance(value, tuple) else value for name, value in row.items()}
        blank = dict.fromkeys(("kind", "table", "shoe", "coups", "places", "p"))
        bettors = [bettor._asdict() for bettor in finding.bettors]
        rows.append({**blank, **row, "bettors": bettors, "sentence": finding_sentence(review, finding)})
    return rows


def shuffle_report(review: ShuffleReview, files: Mapping[str, str], command: str = "") -> Report:
    """The page and its JSON file. `files`: the digest of each of the log's files."""
    lines, orders = shuffle_sentences(review), review.orders
    stretch, odd = review.stretch, review.odd_card
    data = {
        "answer": list(lines),
        "verdict": _word(review),
        "findings": rows_of_findings(review),
        "decks": orders.decks,
        "known_by": orders.knows,
        "shoes": orders.number,
        "cards_seen": int(orders.known.sum()),
        "coups_hidden": orders.hidden,
        "coups_repeated": review.repeated,
        "shoes_too_short": orders.short,
        "shoes_impossible": impossible_shoes(orders.surplus),
        "level": review.settings.level,
        "draws": review.settings.draws,
        "seed": review.settings.seed,
        "pickup": review.settings.pickup,
        "tests": rows_of_tests(review),
        "shoes_tested": _shoes_tested(review),
        "chi_squared_p": review.regulators,
        "longest_stretch": stretch
        and {"cards": stretch.cards, "shoes": [orders.name(row) for row in stretch.shoes], "places": stretch.places},
        "rest_card": odd and {"card": odd[0], "excess_per_shoe": odd[1]},
        "extra_cards": [{"card": card, "shoes": shoes} for card, shoes in extra_cards(orders)],
        "unread": [{"what": part.what, "unread": part.unread, "of": part.of} for part in review.unread],
        "shoes_needed": [needed._asdict() for needed in shoes_needed(orders.knows)],
        "files": dict(files),
        "made_by": f"counting {__version__}",
    }
    return Report(
        title="Were the shoes shuffled?",
        procedure=f"{many(orders.decks, 'deck')}, cards known by {_KNOWN[orders.knows]}.",
        stamp=[tables_named(orders.shoes["table"]), ("files", ", ".join(files))],
        sentences=lines,
        note="A small p-value is evidence that an order is not random. It does not show why, or who did it.",
        sections=_sections(review, files, command),
        data=data,
        tables={"tests": pl.DataFrame(rows_of_tests(review), infer_schema_length=None)} if review.results else {},
        headings={"tests": {"test": ""}},
        quoted=True,
    )


def _shoes_tested(review: ShuffleReview) -> list[dict[str, Any]]:
    """The p-values of each single shoe, not adjusted for the number of tests."""
    rows = []
    for row in range(review.orders.number):
        table, shoe = review.orders.shoes.row(row)
        rows.append({"table": table, "shoe": shoe} | {name: of.get(row) for name, of in review.shoes.items()})
    return rows


def _sections(review: ShuffleReview, files: Mapping[str, str], command: str) -> list[Section]:
    provenance = [
        *((f"digest of {name}", digest) for name, digest in files.items()),
        ("draws and seed", f"{review.settings.draws:,} draws from seed {review.settings.seed}"),
        ("made by", f"counting {__version__}"),
        ("to make it again", command),
    ]
    tests = [
        [result.test.title, p_value(result.p), p_value(result.adjusted), "yes" * result.flagged, result.test.shows]
        for result in review.results
    ]
    tests += [[TESTS[name].title, "", "", "", f"not tested: {why}"] for name, why in review.left_out.items()]
    needed = [[row.fault, f"{row.assumed}{_within(row)}", _needs(row)] for row in shoes_needed(review.orders.knows)]
    sections = [
        Section(
            "Tests",
            "The tests with the smallest p-values come first.",
            columns=("test", "p", "p, all tests together", "flagged", "what it would show"),
            rows=tests,
            words=True,
        ),
        Section(
            "Shoes needed to see a fault",
            "With the number of shoes in the last column, the fault is flagged in at least nine of ten simulated logs, "
            f"at a level of {POWER_LEVEL:g}. The simulated shoes have {POWER_DECKS} decks and {POWER_CUT} cards behind "
            f"the cut card, and their cards are known by {_KNOWN[review.orders.knows]} (experiments/shuffle). Each row "
            "holds only under the assumption in its second column. If the largest number simulated is too small, the "
            f'last column says "more than" this number. {_BY_PARTS}',
            columns=("fault", "assumed", "shoes"),
            rows=needed,
            words=True,
        ),
        Section("How shoes are tested", rows=[[part] for part in _HOW], columns=("",), words=True),
        Section("Provenance", columns=("", ""), rows=provenance, words=True),
    ]
    if review.findings:
        found = [
            [finding.shoe or "all", _range(finding.coups), _looks_like(finding), p_value(finding.p), _bettors(finding)]
            for finding in review.findings
        ]
        sections.insert(0, Section(
            "Findings", "The findings on single shoes come first. Each p is for all tests together.",
            columns=("shoe", "coups", "what it looks like", "p", "who bet on these coups"), rows=found, words=True,
        ))  # fmt: skip
    return sections if review.results else sections[1:]


def _range(span: tuple[int, int] | None) -> str:
    return "" if span is None else f"{span[0]} to {span[1]}" if span[0] != span[1] else f"{span[0]}"


def _looks_like(finding: Finding) -> str:
    """A finding in a few words."""
    if finding.kind in ("slugs", "stretches"):
        return f"{finding.cards} cards as in shoe {finding.former}, coups {_range(finding.former_coups)}"
    if finding.kind == "coolers":
        return f"{finding.event} in {finding.times} coups"
    if finding.like is not None and (finding.kind != "new-decks"):
        return _order_words(finding)
    return TESTS[finding.kind].shows


def _order_words(finding: Finding) -> str:
    """In words, what the order of a shoe's cards is most like."""
    if finding.like == "places":
        return "cards that were near one another stayed near, as after a poor wash, or if parts were not mixed"
    times = many(finding.riffles or 0, "riffle")
    if finding.like == "new-decks" or finding.kind == "new-decks":
        return f"{times} of new decks"
    if finding.order is None:
        return f"{times} of discards gathered with no fixed order within a coup"
    return f"{times} of discards gathered {gathering(finding.order).words}"


def _bettors(finding: Finding) -> str:
    named = [
        f"{bettor.patron} staked {bettor.staked:,.2f} on {many(bettor.coups, 'coup')}"
        + ("" if bettor.won is None else f", with a net result of {signed(bettor.won)}")
        for bettor in finding.bettors[:_BETTORS]
    ]
    more = len(finding.bettors) - _BETTORS
    return "; ".join([*named, f"{many(more, 'other patron')}"] if more > 0 else named)


def _word(review: ShuffleReview) -> str:
    if review.unread or not (review.orders.number or _often(review)):
        return "none"
    return "flagged" if review.flagged else "extra card" if _often(review) else "no sign"


def _often(review: ShuffleReview) -> bool:
    """Whether two shoes or more show too many of the same card."""
    return any(shoes > 1 for _, shoes in extra_cards(review.orders))


def _no_verdict(review: ShuffleReview) -> list[str]:
    parts = [
        f"{part.unread:,} of {part.of:,} {part.what} ({percent(part.share, 1)}; "
        f"{percent(review.allowed if part.allowed is None else part.allowed, 1)} allowed)"
        for part in review.unread
    ]
    if not parts:
        short = f" In {many(review.orders.short, 'shoe')}, less than a quarter of the cards were seen."
        none = f"no shoe can be used.{short * bool(review.orders.short)}"
        return [f"{_EXTRA} No verdict on the shuffle: {none}" if _often(review) else f"No verdict: {none}"]
    remedies = list(dict.fromkeys(part.remedy for part in review.unread if part.remedy))
    if any(not part.remedy for part in review.unread):
        remedies.append("To allow another share, set “Allowed unread” (allow-unread).")
    return [f"No verdict: the log cannot be relied on. {'; '.join(parts)}. {' '.join(remedies)}"]


def _verdict(review: ShuffleReview) -> str:
    shoes, level = many(review.orders.number, "shoe"), f"{review.settings.level:.4g}"
    tests = f"{many(len(review.results), 'test')} together"
    clean = f"In {shoes}, no sign of the faults listed, at a level of {level} for {tests}."
    if review.findings:
        first = {(finding.table, finding.shoe): finding for finding in reversed(review.findings) if finding.shoe}
        single = [_place(review, finding) for finding in reversed(first.values())]
        titles = [TESTS[finding.kind].title for finding in review.findings if finding.shoe is None]
        named = [*single[:_NAMED], *([f"{many(len(single) - _NAMED, 'other shoe')}"] if len(single) > _NAMED else [])]
        flagged = "; ".join([*named, *titles])
        return f"NOT SHUFFLED AT RANDOM. Flagged: {flagged}. Tested: {shoes}, at a level of {level} for {tests}."
    if _often(review):
        return f"{_EXTRA} {clean}"
    return clean


def _place(review: ShuffleReview, finding: Finding) -> str:
    """The place of a finding: its shoe and coups, and its table if the log has several."""
    several = review.orders.shoes["table"].n_unique() > 1
    coups = "" if finding.coups is None else f", coups {_range(finding.coups)}"
    return f"shoe {finding.shoe}{f' of table {finding.table}' * several}{coups}"


def finding_sentence(review: ShuffleReview, finding: Finding) -> str:
    """A sentence on a finding: the place, the fault, the p-value, what the fault looks like, and who bet there."""
    sure = f"p {'' if finding.p < 1e-4 else '= '}{p_value(finding.p)} for all tests together"
    if finding.shoe is None:
        return _of_log(review, finding, sure)
    where = f"S{_place(review, finding)[1:]}"
    places = "" if finding.places is None else f"cards {_range(finding.places)}"
    if finding.kind in ("slugs", "stretches"):
        same = "this shoe" if finding.former == finding.shoe else f"shoe {finding.former}"
        span = finding.former_coups or (0, 0)
        turned = " and in reverse order" * (span[0] > span[1])
        by = "" if finding.known_by == "card" else f" (cards are compared by {_KNOWN[finding.known_by or 'card']})"
        text = (
            f"{where} ({places}): {finding.cards} cards repeat coups {_range(span)} of {same}, coup by "
            f"coup{turned}{by}; {sure}. This looks like a slug that was not shuffled, or a slug that was prepared. A "
            "shoe or coups that were logged twice look like this too."
        )
    elif finding.kind == "coolers":
        assert finding.event is not None
        coups = (finding.coups[1] - finding.coups[0] + 1) if finding.coups else 0
        text = (
            f"{where} ({places}): in {finding.times} of {many(coups, 'coup')}, {_EVENTS[finding.event]}; {sure}. This "
            "looks like coups that were arranged."
        )
    else:
        former = (
            "new decks" if finding.former is None else f"coups {_range(finding.former_coups)} of shoe {finding.former}"
        )
        text = (
            f"{where} ({places}): the cards still show the order of {former}; {sure}. The order looks like this: "
            f"{_order_words(finding)}. This is only a description of the cards. Most of the cards that show this order "
            "are at the places given in brackets."
        )
    return text + (f" Bets on these coups: {_bettors(finding)}." if finding.bettors else "")


def _of_log(review: ShuffleReview, finding: Finding, sure: str) -> str:
    test = TESTS[finding.kind]
    text = f"{test.title[0].upper()}{test.title[1:]}: {sure}. This is a sign of {test.shows}."
    if finding.like is not None:
        text += f" The order looks like this: {_order_words(finding)}. This is a description, not a part of the test."
    if test.name == "rest" and review.odd_card is not None:
        card, more = review.odd_card
        count, fault = ("more", "a card may be missing") if more > 0 else ("fewer", "there may be an extra card")
        text += (
            f" At the end of a shoe, {abs(more):.2f} {count} cards of {card} than expected are unseen on average, so "
            f"{fault}."
        )
    return text


def _guarantee(review: ShuffleReview) -> str:
    missing = ", and if the gaps in the log do not depend on the cards" * bool(_gaps(review))
    return (
        f"If every order of every shoe is equally likely{missing}, the probability that any test flags the log is at "
        f"most {review.settings.level:.4g}. For the tests that combine several shoes, this has been tested on random "
        "logs, not proved."
    )


def _repeated(review: ShuffleReview) -> list[str]:
    if not review.repeated:
        return []
    coups, have = many(review.repeated, "coup"), "has" if review.repeated == 1 else "have"
    return [f"{coups} {have} the same cards as the coup before, as if logged twice, and {have} been left out."]


def _extra(review: ShuffleReview) -> list[str]:
    cards = extra_cards(review.orders)
    if not cards:
        return []
    number = impossible_shoes(review.orders.surplus)
    named = ", ".join(f"{card} in {many(shoes, 'shoe')}" for card, shoes in cards[:_NAMED])
    have, decks = "has" if number == 1 else "have", many(review.orders.decks, "deck")
    return [
        f"{many(number, 'shoe')} {have} more copies of a card than {decks}, and {have} been left out of the tests: "
        f"{named}{', ...' * (len(cards) > _NAMED)}. Either a card was misread, or there is an extra card, or the "
        "number of decks is wrong."
    ]


def _regulators(review: ShuffleReview) -> str:
    p = review.regulators or 0.0
    met = "is met" if p > REGULATORS else "is NOT met"
    return (
        f"The standard chi-squared test at 95% (COMAR 36.05.02.17 F) of the ranks in each quarter of the shoe {met} "
        f"({p_is(p)}). This test is reported in addition. It is not part of the verdict, because random shoes fail it "
        "in one of 20 logs."
    )


def _gaps(review: ShuffleReview) -> bool:
    return bool(review.orders.hidden or review.orders.short or any(part.unread for part in review.orders.parts))


def _extent(review: ShuffleReview) -> list[str]:
    orders = review.orders
    lines = [
        f"The tests use {int(orders.known.sum()):,} cards in the order dealt, known by {_KNOWN[orders.knows]}. These "
        f"are {percent(float(orders.known.mean()), 1)} of the cards of {many(orders.number, 'shoe')} of "
        f"{many(orders.decks, 'deck')}; the other cards are unseen."
    ]
    if orders.hidden:
        gap = "is missing or has" if orders.hidden == 1 else "are missing or have"
        lines.append(f"{many(orders.hidden, 'coup')} {gap} an unread card; each counts as five unseen cards.")
    if orders.short:
        used = "is" if orders.short == 1 else "are"
        shoes = f"{many(orders.short, 'shoe')} {used} not used"
        lines.append(f"{shoes}, because less than a quarter of the cards were seen.")
    if orders.number == 1:
        lines.append(
            "A single shoe is tested for the order of new decks, for coups that come again within it, and for arranged "
            "coups. Whether it keeps the order of the shoe before cannot be tested without a log of that shoe."
        )
    return lines


def _left_out(review: ShuffleReview) -> list[str]:
    named = "; ".join(f"{TESTS[name].title} ({why})" for name, why in review.left_out.items())
    return [f"These tests were not made: {named}."] if named else []


def _power(review: ShuffleReview) -> list[str]:
    """Sentences on the faults that a log with this number of shoes would show, according to simulated logs, with the
    assumptions."""
    orders, rows = review.orders, shoes_needed(review.orders.knows)
    in_a_row = 1 + int(orders.follows[:, 0].sum())
    shoes = many(orders.number, "shoe")
    lines = []
    if orders.number > 1 and in_a_row < orders.number:
        follow = f"{in_a_row - 1:,} directly {'follows' if in_a_row == 2 else 'follow'}"
        if in_a_row == 1:
            follow = "none directly follows"
        lines.append(
            f"Among {shoes}, {follow} another used shoe of the same table. The order of the shoe before can be tested "
            "only in a shoe that does."
        )
    if orders.known.mean() < _WHOLE:
        lines.append(
            f"Only {percent(float(orders.known.mean()), 0)} of the cards were seen. To show a fault, the log therefore "
            "needs more shoes than the next sentences assume."
        )
    lines.append(
        f"The next sentences state which faults a log of {shoes} would show. A log would show a fault if at least nine "
        f"of ten simulated logs with this fault are flagged, at a level of {POWER_LEVEL:g} (experiments/shuffle). The "
        "fault '3 riffles of the shoe before' means that the cards of the previous shoe were riffled only three "
        f"times and then dealt as the next shoe. The simulated shoes have {POWER_DECKS} decks and {POWER_CUT} cards "
        f"behind the cut card, and are logged whole, by {_KNOWN[orders.knows]}. {_BY_PARTS}"
    )
    known = [row for row in rows if row.largest_log is None or row.largest_log >= orders.number]
    for assumed, some in groupby(known, key=lambda row: row.assumed):
        group = list(some)
        seen = [row for row in group if row.shoes and row.shoes <= (in_a_row if row.in_a_row else orders.number)]
        short = [row for row in group if row.shoes and row not in seen]
        parts = [f"Assume that {assumed}."]
        shown = "; ".join(_in_runs([row.fault for row in seen]))
        parts.append(
            f"The log would show {_these(seen)}: {shown}."
            if seen
            else "The log would show none of the faults that were simulated."
        )
        for row_by_row, few in groupby(short, key=lambda row: row.in_a_row):
            needed = [f"{row.fault} ({_needs(row)})" for row in few]
            kind = "shoes in a row at a table" if row_by_row else "shoes"
            parts.append(
                f"The log has too few {kind} for {_these(needed)} (in brackets, the number needed): "
                f"{'; '.join(needed)}."
            )
        for most, some_rows in groupby((row for row in group if not row.shoes), key=lambda row: row.most):
            never = [row.fault for row in some_rows]
            parts.append(
                f"The largest logs simulated have {most:,} shoes. Fewer than nine of ten of them showed "
                f"{_these(never)}, so the log may not show {'them' if len(never) > 1 else 'it'}: "
                f"{'; '.join(_in_runs(never))}."
            )
        lines.append(" ".join(parts))
    single = [row.fault for row in rows if row not in known and row.shoes]
    if single:
        most = max(row.largest_log or 0 for row in rows)
        lines.append(
            f"Faults of a single shoe were simulated in logs of at most {most} shoes, and this log has "
            f"{orders.number:,}. A single shoe among more shoes needs a smaller p-value to be flagged, so this log may "
            f"not show what a log of {most} shoes would show: {'; '.join(single)}."
        )
    return lines


def _within(row: ShoesNeeded) -> str:
    return f"; the log has at most {row.largest_log} shoes" if row.largest_log else ""


def _these(faults: Sequence[object]) -> str:
    return "these faults" if len(faults) > 1 else "this fault"


def _in_runs(faults: Sequence[str]) -> list[str]:
    """Faults in words. Neighbouring faults that differ only in the number of riffles or shuffles are joined, as "1 to 6
    riffles"."""

    def run(place: tuple[int, str]) -> tuple[str, int]:
        at, fault = place
        match = re.fullmatch(r"(\d+) (riffle|shuffle)s?(.*)", fault)
        return (match[2] + match[3], int(match[1]) - at) if match else (fault, 0)

    runs = [[fault for _, fault in some] for _, some in groupby(enumerate(faults), run)]
    return [some[0] if len(some) == 1 else f"{some[0].split()[0]} to {some[-1]}" for some in runs]


def _needs(row: ShoesNeeded) -> str:
    return f"{row.shoes:,}" if row.shoes else f"more than {row.most:,}"


def fewer_decks(review: ShuffleReview, log: Log) -> list[str]:
    """A hint if the cards of every shoe would fit into fewer decks; otherwise empty."""
    fewest = fewest_decks(log)
    if fewest >= review.orders.decks or review.orders.number < _SHOES_TO_TELL:
        return []
    return [
        f"Every shoe in the log would also fit {many(fewest, 'deck')}. If the log is not of {review.orders.decks} "
        "decks, the p-values are wrong too."
    ]
