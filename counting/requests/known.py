"""The request for what known cards are worth: a card at a place, sorted backs, a slug."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from counting.errors import InputError, keyword, text
from counting.requests.answers import Answer
from counting.requests.request import (
    BetNames,
    File,
    GameLike,
    Request,
    ShoeLike,
    Whole,
    Written,
    as_whole,
    asked_game,
    given_bets,
)
from counting.requests.studies import choices_taken
from counting.requests.unseen import shoe_of

if TYPE_CHECKING:
    from counting.cards import Shoe
    from counting.exact import KnownCardsWorth
    from counting.requests.hosts import Host
else:
    KnownCardsWorth = object

_COUPS_PER_DECK = 10


@dataclass(frozen=True, kw_only=True)
class KnownRequest(Request[KnownCardsWorth]):
    """What it is worth to know cards before betting: a card at a place, sorted backs, a slug that was seen.

    In the first case, the patron knows one card, at one of the six places in dealing order (P1, B1, P2, B2, then the
    fifth and the sixth). In the second case, the backs show to which of two groups a card belongs. There are figures
    for each set of cards whose backs the patron may read: Player's first card; both hands' first cards; Player's first
    two cards; both hands' first two cards; all six cards. The figures are the edge of each bet, the share of coups on
    which the bet is worth making, and the gain per coup and per shoe. All figures are exact, for a full shoe or the
    unseen cards of --shoe. The patron bets one unit on the best bet, if any bet has an edge.

    Example: counting known punto-banco

    Example: counting known ez-baccarat --bet dragon-7 panda-8 --slug v:6,0,2,4,6,8,8,6,0,0

    Parameters
    ----------
    game
        A game's name, as punto-banco (see `counting games`), or the path of a TOML file.
    bet
        Bets that the patron may make, as player dragon-7: from the game or the catalog (see `counting bets`), or
        written out. By default all bets of the game, but only the first of several main bets on the same result, and
        only the first of several bets that differ only in their odds.
    commission
        Banker's commission, as 2.5%; by default the game's.
    decks
        Decks in the full shoe; by default the game's.
    shoe
        The unseen cards, as 8d-7-7-K (see `counting edges`); by default a full shoe.
    sorted
        The cards whose backs form the first of two groups, as 6-9 or 7,8,9. All other cards form the second group.
    slug
        A slug whose cards were seen: the cards, as "9 9 8 K", or their counts by value (v: and 10 numbers), rank (r:
        and 13) or card (c: and 52). The patron knows the slug's cards, but not their order, and bets on the coup that
        begins with the slug's first card.
    coups_per_shoe
        Coups per shoe, as 80; by default 10 per deck.
    out
        A folder for a page: report.html, report.json, tables and a figure.
    """

    holds: ClassVar[str] = "known"
    game: GameLike = field(kw_only=False)
    bet: BetNames | None = None
    commission: Written | None = None
    decks: Whole | None = None
    shoe: ShoeLike | None = None
    sorted: str = "6-9"
    slug: ShoeLike | None = None
    coups_per_shoe: Whole | None = None
    out: File | None = None

    def answered(self, host: Host, drawn: bool = True) -> Answer[KnownCardsWorth]:
        """The answer. `drawn`: with the figure."""
        from counting.exact import KnownCards, KnownCardsWorth
        from counting.reports.known import report

        game, bets = given_bets(self.bet, "bet", asked_game(self.game, self.commission))
        host.say(*choices_taken(game))
        decks = as_whole(self.decks, "decks")
        shoe = shoe_of(game, self.shoe, decks)
        listed = text(self.sorted, keyword("sorted"), "6-9")
        try:
            group = KnownCards.parse(f"P1={re.sub(r'[ ,]+', ',', listed.strip())}").cards[0]
        except InputError:
            raise InputError(f"{keyword('sorted')}: {listed!r}", "cards, as 6-9 or 7,8,9") from None
        coups = _COUPS_PER_DECK * game.dealt_from(decks) if self.coups_per_shoe is None else self.coups_per_shoe
        slug = self._known_slug(shoe)
        worth = KnownCardsWorth(game, shoe, bets or game.offered, group, as_whole(coups, "coups_per_shoe"), slug)
        page = report(worth, listed, host.command, drawn)
        settings = {"game": game.digest, "bets": list(worth.bets), "shoe": str(shoe), "sorted": listed}
        settings |= {} if worth.slug is None else {"slug": str(worth.slug)}
        return self.published(host, page, worth, settings)

    def _known_slug(self, shoe: Shoe) -> Shoe | None:
        """The slug, from its counts or its cards. Raises `InputError` if the shoe does not have these cards."""
        from counting.cards import Shoe, as_shoe, coarser

        if not isinstance(self.slug, str) or ":" in self.slug:
            return None if self.slug is None else as_shoe(self.slug)
        rest = shoe.without(self.slug)
        had = coarser(shoe.counts, rest.knows)
        return Shoe(rest.knows, tuple(n - left for n, left in zip(had, rest.counts, strict=True)))
