"""How well shoes were shuffled: the verdict, each test, and what this number of shoes could have shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from counting.audit import (
    TESTS,
    ShoesNeeded,
    ShuffleReview,
    ShuffleTest,
    extra_cards,
    fewest_decks,
    impossible_shoes,
    shoes_needed,
)
from counting.audit.shuffle import REGULATORS
from counting.audit.shuffle_power import POWER_CUT, POWER_DECKS, POWER_LEVEL
from counting.io.tables import percent
from counting.logs import Log
from counting.reports.audit_text import many, p_is, p_value
from counting.reports.pages import Report, Section
from counting.version import __version__

_KNOWN = {"card": "rank and suit", "rank": "rank", "value": "point value"}
_SHOES_TO_TELL = 5
_NAMED = 5
_WHOLE = 0.9  # of the cards seen: less than in the simulated logs
_HOW = (
    "The hypothesis of every test is that each order of a shoe is equally likely, whatever the shoes before. A shoe is "
    "seen from its first card to its last, or to its first gap: a missing coup or a card that could not be read. Its "
    "unseen cards are added in random order. If the shoes are well shuffled, the completed shoes are well shuffled "
    "too, wherever the cut card is and whatever the drawing rules are. What comes after a gap is not used.",
    "Each statistic is compared with that of the same number of shoes shuffled by random numbers, again and again. The "
    "p-value is the share of these draws, the log counted as one of them, in which the statistic is at least as "
    "extreme. It is exact. For the longest common stretch it is an upper bound. All tests share one level (Holm's "
    "method).",
    "Order of the shoe before: cards that follow one another as they did in the shoe before, forwards or backwards, at "
    "the next place or some places later. A riffle keeps the order of the cards of each packet, so that few riffles "
    "leave rising sequences (Bayer and Diaconis, Annals of Applied Probability 2, 1992, p. 294). The same is done with "
    "the shoe before that, as two batches often take turns, and with new decks, suit by suit from ace to king.",
    "Cards are taken in the order Player, Banker, Player, Banker, third cards. Where burned cards are logged they come "
    "first. Otherwise the shoe begins with its first logged card. The shoe "
    "before is the one that the log has before it at the same table.",
)


def shuffle_sentences(review: ShuffleReview) -> list[str]:
    """The verdict first, then what it rests on and what the log could have shown."""
    if review.unread or not review.orders.number:
        return [*_no_verdict(review), *_extra(review)]
    return [
        _verdict(review),
        *(_finding(review, result.test, result.p, result.adjusted) for result in review.flagged),
        *_extra(review),
        "If every order of every shoe is equally likely, the probability that any test flags it is at most "
        f"{review.settings.level:.4g}"
        + (", if what is missing in the log does not depend on the cards." if _gaps(review) else "."),
        _regulators(review),
        *_extent(review),
        *_left_out(review),
        *_power(review),
    ]


def rows_of_tests(review: ShuffleReview) -> list[dict[str, Any]]:
    """A row for each test, those left out last."""
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


def shuffle_report(review: ShuffleReview, files: Mapping[str, str], command: str = "") -> Report:
    """The page and its JSON twin; `files` are the digests of the log's files by name."""
    lines, orders = shuffle_sentences(review), review.orders
    stretch, odd = review.stretch, review.odd_card
    data = {
        "answer": list(lines),
        "verdict": _word(review),
        "decks": orders.decks,
        "known_by": orders.knows,
        "shoes": orders.number,
        "cards_seen": int(orders.known.sum()),
        "cards_after_gaps": orders.after,
        "shoes_too_short": orders.short,
        "shoes_impossible": impossible_shoes(orders.surplus),
        "level": review.settings.level,
        "draws": review.settings.drawn,
        "seed": review.settings.seed,
        "tests": rows_of_tests(review),
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
        title="Were the shoes well shuffled?",
        procedure=f"{orders.decks} decks, cards known by {_KNOWN[orders.knows]}.",
        sentences=lines,
        note="A small p-value shows that a shoe's order is not one of chance, not why.",
        sections=_sections(review, files, command),
        data=data,
        tables={"tests": pl.DataFrame(rows_of_tests(review), infer_schema_length=None)} if review.results else {},
        quoted=True,
    )


def _sections(review: ShuffleReview, files: Mapping[str, str], command: str) -> list[Section]:
    provenance = [
        *((f"digest of {name}", digest) for name, digest in files.items()),
        ("draws and seed", f"{review.settings.drawn:,} draws from seed {review.settings.seed}"),
        ("made by", f"counting {__version__}"),
        ("to make it again", command),
    ]
    tests = [
        [result.test.title, p_value(result.p), p_value(result.adjusted), "yes" * result.flagged, result.test.shows]
        for result in review.results
    ]
    tests += [[TESTS[name].title, "", "", "", f"not tested: {why}"] for name, why in review.left_out.items()]
    needed = [[row.fault, _needs(row), _title(row.by)] for row in shoes_needed(review.orders.knows)]
    sections = [
        Section(
            "Tests",
            "The least likely first.",
            columns=("test", "p", "p, all tests together", "flagged", "what it would show"),
            rows=tests,
            words=True,
        ),
        Section(
            "Shoes needed to see a fault",
            f"In nine of ten logs, at a level of {POWER_LEVEL:g}, in shoes of {POWER_DECKS} decks with {POWER_CUT} "
            f"cards behind the cut card and cards known by {_KNOWN[review.orders.knows]} (experiments/shuffle).",
            columns=("fault", "shoes", "flagged by"),
            rows=needed,
            words=True,
        ),
        Section("How shoes are tested", rows=[[part] for part in _HOW], columns=("",), words=True),
        Section("Provenance", columns=("", ""), rows=provenance, words=True),
    ]
    return sections[0 if review.results else 2 :]


def _title(name: str) -> str:
    return TESTS[name].title if name in TESTS else name


def _word(review: ShuffleReview) -> str:
    if review.unread or not review.orders.number:
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
        short = many(review.orders.short, "shoe")
        return [f"No verdict: no shoe can be used. {short} with less than a quarter dealt before the end or a gap."]
    return [f"No verdict: the log cannot be relied on. {'; '.join(parts)}. To allow another share, use --allow-unread."]


def _verdict(review: ShuffleReview) -> str:
    shoes, level = many(review.orders.number, "shoe"), f"{review.settings.level:.4g}"
    tests = f"{many(len(review.results), 'test')} together"
    clean = f"No sign of a poor shuffle in {shoes}, at a level of {level} for {tests}."
    if review.flagged:
        titles = "; ".join(result.test.title for result in review.flagged)
        return f"NOT WELL SHUFFLED. {shoes}, at a level of {level} for {tests}. Flagged: {titles}."
    if _often(review):
        return f"AN EXTRA CARD, OR ONE MISREAD. {clean}"
    return clean


def _finding(review: ShuffleReview, test: ShuffleTest, p: float, adjusted: float) -> str:
    text = (
        f"{test.title[0].upper()}{test.title[1:]}: {p_is(p)}, {p_value(adjusted)} for all tests together. "
        f"This is what shows {test.shows}."
    )
    if test.name == "rest" and review.odd_card is not None:
        card, more = review.odd_card
        what = "more often: one may be missing from the shoe" if more > 0 else "less often: there may be an extra one"
        text += f" {card} is left at the end {abs(more):.2f} cards per shoe {what}."
    if test.name == "stretches" and review.stretch is not None:
        (a, b), (first, second) = review.stretch.shoes, review.stretch.places
        text += (
            f" {review.orders.name(a)} from card {first} and {review.orders.name(b)} from card {second} have "
            f"{review.stretch.cards} cards in the same order. A shoe that was logged twice looks like this too."
        )
    return text


def _extra(review: ShuffleReview) -> list[str]:
    cards = extra_cards(review.orders)
    if not cards:
        return []
    number = impossible_shoes(review.orders.surplus)
    named = ", ".join(f"{card} in {many(shoes, 'shoe')}" for card, shoes in cards[:_NAMED])
    return [
        f"{many(number, 'shoe')} with more of a card than {review.orders.decks} decks have, left out of the tests: "
        f"{named}{', ...' * (len(cards) > _NAMED)}. A card was misread, there is an extra card, or the number of decks "
        "is another (--decks)."
    ]


def _regulators(review: ShuffleReview) -> str:
    p = review.regulators or 0.0
    met = "is met" if p > REGULATORS else "is NOT met"
    return (
        f"A standard chi-squared test at 95% (COMAR 36.05.02.17 F), made of the ranks by quarter of the shoe, {met} "
        f"({p_is(p)}). It is reported beside the others and is not part of the verdict: well-shuffled shoes fail it in "
        "one of 20 logs."
    )


def _gaps(review: ShuffleReview) -> bool:
    return bool(review.orders.after or review.orders.short or any(part.unread for part in review.orders.parts))


def _extent(review: ShuffleReview) -> list[str]:
    orders = review.orders
    lines = [
        f"Used: {int(orders.known.sum()):,} cards in the order dealt, {percent(float(orders.known.mean()), 1)} of the "
        f"{many(orders.number, 'shoe')} of {orders.decks} decks, known by {_KNOWN[orders.knows]}. The other cards are "
        "unseen."
    ]
    if orders.after or orders.short:
        lines.append(
            f"Not used: {many(orders.after, 'card')} after a gap; {many(orders.short, 'shoe')} with a gap in the first "
            "quarter."
        )
    return lines


def _left_out(review: ShuffleReview) -> list[str]:
    named = "; ".join(f"{TESTS[name].title} ({why})" for name, why in review.left_out.items())
    return [f"Not tested: {named}."] if named else []


def _power(review: ShuffleReview) -> list[str]:
    """What the log's number of shoes could have shown, by simulated logs."""
    orders, rows = review.orders, shoes_needed(review.orders.knows)
    in_a_row = 1 + int(orders.follows[:, 0].sum())
    seen = [row for row in rows if row.shoes and row.shoes <= (in_a_row if row.in_a_row else orders.number)]
    unseen = [row for row in rows if row not in seen]
    shoes = many(orders.number, "shoe")
    where = (
        f"({POWER_DECKS} decks, {POWER_CUT} cards behind the cut card, level {POWER_LEVEL:g}, whole shoes known by "
        f"{_KNOWN[orders.knows]}; experiments/shuffle)"
    )
    lines = []
    if orders.number > 1 and in_a_row < orders.number:
        lines.append(f"Shoes that come after another used one at the same table: {in_a_row - 1:,} of {shoes}.")
    if orders.known.mean() < _WHOLE:
        lines.append(f"Only {percent(float(orders.known.mean()), 0)} of the cards were seen: more shoes are needed.")
    if seen:
        lines.append(f"{shoes} would show in nine of ten logs {where}: {'; '.join(row.fault for row in seen)}.")
    else:
        lines.append(f"{shoes} would show none of the faults tried in nine of ten logs {where}.")
    if unseen:
        needs = "; ".join(f"{row.fault} ({_needs(row)})" for row in unseen)
        lines.append(f"Not to be seen in {shoes}, with the shoes needed: {needs}.")
    return lines


def _needs(row: ShoesNeeded) -> str:
    return f"{row.shoes:,}" if row.shoes else f"more than {row.most:,}"


def fewer_decks(review: ShuffleReview, log: Log) -> list[str]:
    """A hint where every shoe would also be one of fewer decks."""
    fewest = fewest_decks(log)
    if fewest >= review.orders.decks or review.orders.number < _SHOES_TO_TELL:
        return []
    return [
        f"Every shoe in the log would also fit {many(fewest, 'deck')}. If {review.orders.decks} decks is wrong, so are "
        "the p-values (--decks)."
    ]
