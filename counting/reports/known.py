"""The page of known cards: what it is worth, before betting, to know the card at a certain place, to read the backs of
sorted cards, or to know which cards are in a slug."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import polars as pl
from markupsafe import Markup

from counting.cards import Shoe
from counting.exact import PLACES, Knowledge, KnownCards, KnownCardsWorth
from counting.exact.effects import KINDS
from counting.games import load_game
from counting.io.tables import percent
from counting.numbers import many
from counting.reports import drawing, pages, plots
from counting.reports.numbers import figure
from counting.reports.pages import Report, Section
from counting.version import __version__

CARDS, SORTS, BY_BET, BY_CARD, CASES, SLUG, PUBLISHED = (
    "One card known", "Sorted backs", "Bet by bet", "The best bet by card and place", "Both hands sorted, case by case",
    "The slug", "Published figures",
)  # fmt: skip
PRINTED = (CARDS, SORTS, SLUG, PUBLISHED)  # the tables on a terminal
BEST = "best of these"
_BOTH_HANDS = "Both hands' first two cards"
_PLACES = (
    "P1 and P2 are Player's first and second card, and B1 and B2 are Banker's. 5th and 6th are the next two cards of "
    "the shoe, which are dealt as third cards if hands draw."
)
_IN_WORDS = {"P1": "first", "B1": "second", "P2": "third", "B2": "fourth", "5": "fifth", "6": "sixth"}
_NOTE = (
    "The patron knows the card, or sees the backs, before betting. The patron stakes one unit on the best bet, or "
    "nothing if no bet has an edge. The gain per coup is the mean over all coups, including coups without a bet. "
    "Edges are exact for the first coup of the shoe. On each later coup that every shoe reaches, the gain is the same "
    "on average for a patron who ignores the cards dealt so far and always makes the bet that this page calls best. "
    "A patron who also counts may gain more. The units per shoe are the gain per coup times the number of coups. They "
    "assume the same knowledge on every coup; a card that is tracked through the shoe is known on one coup only."
)
_JACOBSON = "E. Jacobson, Advanced Advantage Play, Baccarat: The Known Card"
_SORTED = "E. Jacobson, Edge Sorting in Baccarat, apheat.net, August 18, 2012"


def report(worth: KnownCardsWorth, sorted_cards: str, command: str = "", drawn: bool = True) -> Report:
    """The page of known cards. `sorted_cards`: the cards that the backs distinguish from all other cards, as the user
    wrote them. `drawn`: with the figure."""
    return _Page(worth, sorted_cards, command, drawn).report


class _Page:
    def __init__(self, worth: KnownCardsWorth, sorted_cards: str, command: str, drawn: bool) -> None:
        self.worth, self.sorted_cards, self.command, self.drawn = worth, sorted_cards, command, drawn
        self.game, self.bets = worth.game, worth.bets
        self.names = pages.labels(self.game)

    @property
    def report(self) -> Report:
        shoe = self.worth.shoe
        return Report(
            title="Known cards: what they are worth before a bet",
            procedure=f"{self.game.heading}, {shoe.cards_left} unseen cards ({shoe}). Bets: {self._listed}.",
            sentences=self.sentences,
            note=_NOTE,
            sections=self.sections,
            data=self.data,
            tables=self.tables,
            figures=self.figures,
            names={"bet": self.names, "known": {name: _shown(name) for name in PLACES}},
            sheets=2,
        )

    @property
    def _listed(self) -> str:
        return "; ".join(self.names[bet] for bet in self.bets)

    def _units(self, gain: Fraction) -> str:
        return figure(float(gain * self.worth.coups), None)

    def _best(self, knowledge: Knowledge) -> str:
        case, bet, edge = knowledge.most(self.bets)
        return f"{case.seen}: {self.names[bet]} {_signed(edge)}, in {percent(float(case.chance), 3)} of coups"

    # Sentences

    @property
    def sentences(self) -> list[str]:
        by_place = {known.name: known.worth(self.bets) for known in self.worth.cards}
        best = max(by_place, key=lambda name: by_place[name].gain)
        if not by_place[best].gain:
            none = "No single known card makes any of these bets worth making."
            return [none, *self._of_sorts, *self._of_slug, self._assumed]
        lead = PLACES[0] if by_place[PLACES[0]].gain else best
        worth = by_place[lead]
        lines = [
            f"A patron who knows the {_IN_WORDS[lead]} card of every coup (hand) gains {percent(float(worth.gain), 3)} "
            f"of a stake per coup on the best of these bets, or {self._units(worth.gain)} units in a shoe of "
            f"{self.worth.coups} coups. A bet is worth making in {percent(float(worth.frequency), 1)} of coups."
        ]
        if best != lead:
            lines.append(
                f"The {_IN_WORDS[best]} card is worth most: {percent(float(by_place[best].gain), 3)} of a stake per "
                f"coup, with a bet in {percent(float(by_place[best].frequency), 1)} of coups."
            )
        return [*lines, *self._of_sorts, *self._of_slug, self._assumed]

    @property
    def _of_sorts(self) -> list[str]:
        sorts = {known.name: known for known in self.worth.sorts}
        first, card = sorts["Player's first card"].worth(self.bets).gain, self.worth.cards[0].worth(self.bets).gain
        both = sorts[_BOTH_HANDS]
        gain = both.worth(self.bets).gain
        if not gain:
            return []
        case, bet, edge = both.most(self.bets)
        as_much = (
            "as much as the card itself" if first == card > 0 else f"{percent(float(first), 3)} of a stake per coup"
        )
        return [
            f"If the backs distinguish {self.sorted_cards} from all other cards, the back of Player's first card is "
            f"worth {as_much}.",
            f"The backs of both hands' first two cards are worth {percent(float(gain), 3)} of a stake per coup. The "
            f'best case, by the number of cards from {self.sorted_cards} in each hand, is "{case.seen}". The best bet '
            f'is then "{self.names[bet]}", with an edge of {_signed(edge)}. This case comes in '
            f"{percent(float(case.chance), 3)} of coups.",
        ]

    @property
    def _of_slug(self) -> list[str]:
        slug = self.worth.slug_worth
        if slug is None:
            return []
        bet, edge = slug.best(self.bets)
        what = f"A slug of {slug.slug.cards_left} cards ({_by_kind(slug.slug)})"
        if edge <= 0:
            return [f"{what} gives no edge on its first coup with any of these bets."]
        dealt = f"at least {many(slug.coups, 'coup')}"
        these = f"each of these {slug.coups} coups" if slug.coups > 1 else "this coup"
        return [
            f"{what} is worth {percent(float(edge), 3)} of a stake per coup to a patron who bets on "
            f'"{self.names[bet]}" while coups are dealt from the slug. The patron saw which cards went into the slug, '
            "and knows which coup begins with the slug's first card, but not the order of the cards. The slug gives "
            f"{dealt}. A patron who stakes one unit on this bet at {these} wins "
            f"{figure(float(edge * slug.coups), None)} units on average. A patron who also counts the cards that leave "
            "the slug may win more."
        ]

    @property
    def _assumed(self) -> str:
        full = self.worth.shoe == Shoe.decks(self.worth.shoe.cards_left // 52 or 1)
        of = "a full shoe" if full else "these unseen cards"
        return (
            f"The figures assume {of}, and no error in reading cards or backs. The patron stakes one unit on the best "
            "bet of each coup, or makes no bet."
        )

    # Tables

    @cached_property
    def data(self) -> dict[str, Any]:
        slug = self.worth.slug_worth
        return {
            "game": self.game.name,
            "shoe": str(self.worth.shoe),
            "bets": list(self.bets),
            "sorted": self.sorted_cards,
            "coups_per_shoe": self.worth.coups,
            **{name: frame.to_dicts() for name, frame in self.tables.items()},
            "slug_cards": None if slug is None else str(slug.slug),
            "slug_certain_coups": None if slug is None else slug.coups,
            "slug_cards_per_coup": None if slug is None else float(slug.cards),
            "game_digest": self.game.digest,
        }

    def _rows(self, knowledge: Sequence[Knowledge]) -> pl.DataFrame:
        """Rows for each kind of knowledge. The first row gives what the knowledge is worth to a patron who makes the
        best of the bets. Then comes a row for each bet, for a patron who makes only this bet."""
        rows = []
        for known in knowledge:
            for name, bets in ((BEST, self.bets), *((bet, (bet,)) for bet in self.bets)):
                worth, (case, _, edge) = known.worth(bets), known.most(bets)
                rows.append(
                    {
                        "known": known.name,
                        "bet": name,
                        "gain": float(worth.gain),
                        "frequency": float(worth.frequency),
                        "mean_edge": None if worth.edge is None else float(worth.edge),
                        "units_per_shoe": float(worth.gain * self.worth.coups),
                        "best_case": case.seen,
                        "best_edge": float(edge),
                        "best_probability": float(case.chance),
                    }
                )
        return pl.DataFrame(rows, schema_overrides={"mean_edge": pl.Float64})

    def _edges(self, knowledge: Sequence[Knowledge]) -> pl.DataFrame:
        """The bets' edges: a row for each kind of knowledge, each case that the knowledge distinguishes, and each
        bet."""
        return pl.DataFrame(
            [
                {"known": known.name, "case": case.seen, "probability": float(case.chance), "bet": bet,
                 "edge": float(case.edges[bet]), "exact": str(case.edges[bet])}
                for known in knowledge for case in known.cases for bet in self.bets
            ]
        )  # fmt: skip

    @cached_property
    def tables(self) -> dict[str, pl.DataFrame]:
        tables = {
            "cards": self._rows(self.worth.cards),
            "sorts": self._rows(self.worth.sorts),
            "card_edges": self._edges(self.worth.cards),
            "sort_edges": self._edges(self.worth.sorts),
        }
        if (slug := self.worth.slug_worth) is not None:
            edges = [slug.edges[bet] for bet in self.bets]
            made = {"bet": self.bets, "edge": [*map(float, edges)], "exact": [*map(str, edges)]}
            tables["slug"] = pl.DataFrame(made)
        return tables

    @cached_property
    def figures(self) -> Mapping[str, str]:
        if not self.drawn:
            return {}
        rows = [
            {"place": _shown(known.name), "card": case.seen, "edge": float(case.best(self.bets)[1])}
            for known in self.worth.cards
            for case in known.cases
        ]
        drawn = drawing.single(plots.edges_by_card, pl.DataFrame(rows))
        source = f"{self.game.heading}; {self._listed}; {self.worth.shoe}. counting {__version__}"
        return {"card_edges": drawing.svg(drawn, BY_CARD, source)}

    @property
    def sections(self) -> list[Section]:
        drawn = "card_edges" in self.figures
        columns = ("gain per coup", "coups with a bet", "edge of a bet", f"units per shoe, {self.worth.coups} coups")
        best = [self.tables[name].filter(bet=BEST) for name in ("cards", "sorts")]
        sections = [
            Section(
                CARDS,
                _PLACES,
                figure=Markup(self.figures["card_edges"]) if drawn else None,
                caption=f"{BY_CARD}." * drawn,
                columns=("card known", *columns),
                rows=[_row(row) for row in best[0].iter_rows(named=True)],
            ),
            Section(
                SORTS,
                f"The backs distinguish {self.sorted_cards} from all other cards. The last column describes the best "
                f'case by the number of cards from {self.sorted_cards} in each hand. "5th in" means that the fifth '
                'card is one of these cards, and "5th out" means that it is not.',
                columns=("backs read", *columns, "best case"),
                rows=[
                    (*_row(row), self._best(known))
                    for row, known in zip(best[1].iter_rows(named=True), self.worth.sorts, strict=True)
                ],
            ),
            Section(
                BY_BET,
                "The gain of a patron who may make only the bet in the row.",
                columns=("known", "bet", *columns),
                labels=2,
                rows=[
                    (_shown(row["known"]), self.names[row["bet"]], *_row(row)[1:])
                    for name in ("cards", "sorts")
                    for row in self.tables[name].filter(pl.col("bet") != BEST).iter_rows(named=True)
                ],
            ),
            self._by_card,
            self._cases,
        ]
        return [*sections, *self._slug, *self._published, self._provenance]

    @property
    def _by_card(self) -> Section:
        seen = list(dict.fromkeys(case.seen for known in self.worth.cards for case in known.cases))
        by_place = [{case.seen: case for case in known.cases} for known in self.worth.cards]
        rows = []
        for card in seen:
            best = [cases[card].best(self.bets) if card in cases else ("", Fraction()) for cases in by_place]
            rows.append(
                (card, *(f"{self.names[bet]} {_signed(edge, 2)}" if edge > 0 else "none" for bet, edge in best))
            )
        return Section(
            BY_CARD, columns=("card", *(_shown(known.name) for known in self.worth.cards)), rows=rows, words=True
        )

    @property
    def _cases(self) -> Section:
        (both,) = (known for known in self.worth.sorts if known.name == _BOTH_HANDS)
        rows = []
        for case in sorted(both.cases, key=lambda case: -case.chance):
            bet, edge = case.best(self.bets)
            edges = (_signed(case.edges[each]) for each in self.bets)
            rows.append((case.seen, percent(float(case.chance), 3), *edges, self.names[bet] if edge > 0 else "none"))
        return Section(
            CASES,
            f"The first column gives the number of cards from {self.sorted_cards} among the first two cards of each "
            "hand.",
            columns=("backs read", "share of coups", *(self.names[bet] for bet in self.bets), "best bet"),
            rows=rows,
        )

    @property
    def _slug(self) -> list[Section]:
        slug = self.worth.slug_worth
        if slug is None:
            return []
        rows = [
            (self.names[bet], _signed(edge), figure(float(max(edge, Fraction()) * slug.coups), None))
            for bet, edge in ((bet, slug.edges[bet]) for bet in self.bets)
        ]
        certain = "1 coup is sure to be dealt from the slug."
        if slug.coups > 1:
            certain = f"{slug.coups} coups are sure to be dealt from the slug. The edge is the average on each coup."
        text = (
            f"The slug consists of {slug.slug.cards_left} cards ({_by_kind(slug.slug)}) that stayed together, in "
            f"unknown order. A coup begins with the slug's first card. A coup takes {float(slug.cards):.2f} cards on "
            f"average and at most six, so {certain}"
        )
        heads = ("bet", "edge on each coup", f"units in {many(slug.coups, 'coup')}")
        return [Section(SLUG, text, columns=heads, rows=rows)]

    @property
    def _published(self) -> list[Section]:
        """A table of published values beside this page's values; none if the page is for other bets, rules or cards
        than the published values."""
        game, eight = load_game("punto-banco"), Shoe.decks(8)
        pays = [self.game.bet(bet).pays for bet in self.bets]
        if pays != [game.bet(bet).pays for bet in game.offered] or self.game.tableau != game.tableau:
            return []
        if self.worth.shoe.values != eight.values:
            return []
        cards = {known.name: float(known.worth(self.bets).gain) for known in self.worth.cards}
        rows = [
            (f"{name} known", "gain per coup", printed, percent(cards[place], 3), _JACOBSON)
            for name, place, printed in (
                ("P1 or P2", "P1", "6.765%"), ("B1 or B2", "B1", "6.406%"), ("fifth card", "5", "8.973%"),
                ("sixth card", "6", "9.098%"),
            )
        ]  # fmt: skip
        if self.worth.group == KnownCards.parse("P1=6-9").cards[0]:
            first, *_, both, _ = self.worth.sorts
            case, _, edge = both.most(self.bets)
            ties = [each.chance for each in both.cases if each.best(self.bets)[0] == self.bets[2]]
            none = [each.chance for each in both.cases if each.best(self.bets)[1] <= 0]
            figures = [
                ("Player's first card sorted", "gain per coup", "6.765%", first.worth(self.bets).gain),
                ("both hands sorted", "gain per coup", "20.928%", both.worth(self.bets).gain),
                (f"both hands sorted: {case.seen}", "edge", "36.332%", edge),
                (f"both hands sorted: {case.seen}", "share of coups", "20.502%", case.chance),
                ("both hands sorted", "share of coups with Tie best", "19.075%", sum(ties)),
                ("both hands sorted", "share of coups without a bet", "22.824%", sum(none)),
            ]
            rows += [(what, of, printed, percent(float(own), 3), _SORTED) for what, of, printed, own in figures]
        return [Section(PUBLISHED, columns=("known", "figure", "printed", "here", "source"), rows=rows, words=True)]

    @property
    def _provenance(self) -> Section:
        made = pages.provenance_of_game(self.game, self.command)
        return Section("Provenance", columns=("", ""), rows=made, words=True)


def _signed(edge: Fraction, digits: int = 3) -> str:
    return f"{100 * float(edge):+.{digits}f}%"


def _shown(known: str) -> str:
    """What is known, in words. Place 5 is called "5th", so that it is not taken for a card of value 5."""
    return f"{known}th" if known in ("5", "6") else known


def _by_kind(slug: Shoe) -> str:
    """A slug's cards by kind: `2×7 2×8` for two sevens and two eights."""
    return " ".join(f"{n}×{kind}" for kind, n in zip(KINDS[slug.knows], slug.counts, strict=True) if n)


def _row(row: Mapping[str, Any]) -> tuple[str, ...]:
    edge = row["mean_edge"]
    return (
        _shown(row["known"]),
        percent(row["gain"], 3),
        percent(row["frequency"], 1),
        "" if edge is None else percent(edge, 3),
        figure(row["units_per_shoe"], None),
    )
