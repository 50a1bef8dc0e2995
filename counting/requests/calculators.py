"""The arguments of the calculator, and the data of its page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counting.errors import keyword
from counting.io.outputs import Output, marked
from counting.requests.request import (
    Arguments,
    BetNames,
    Cards,
    File,
    GameLike,
    Systems,
    Whole,
    Written,
    as_whole,
    asked_game,
    given_bets,
    given_values,
)

if TYPE_CHECKING:
    from counting.games import Game
    from counting.simulation import Dealing

_KIND = marked("a calculator's page", '<meta name="generator" content="counting calculator">')


@dataclass(frozen=True, kw_only=True)
class CalculatorArguments(Arguments):
    """Write a calculator as one HTML file: tap the cards, read the exact edge of every bet and the counts, offline.

    Example: counting calculator ez-baccarat --out calc.html

    Example: counting calculator punto-banco --bet banker-5 tie-8 perfect-pair --decks 6 --cut 26 --burn first-card

    Parameters
    ----------
    game
        A game's name, as punto-banco (see `counting games`), or the path of a TOML file.
    commission
        Banker's commission, as 2.5%; by default the game's.
    bet
        Bets on the table, as dragon-7 panda-8, from the game or the catalog (see `counting bets`); by default all bets
        of the game.
    system
        Counting systems to show: names or TOML files; by default the published counts for these bets.
    decks
        Decks in the shoe, 8 at most; by default the game's. The page can change the decks, the cut, the burn and the
        coups after the cut card.
    cut
        Cards behind the cut card, as 20, or decks, as 1.5d; by default 14.
    burn
        The burn at the start of a shoe. With none (the default), no card is burned. With first-card, the first card is
        shown, then its value in cards is burned unseen (10 for tens and faces). With a number, as 3, this many cards
        are burned unseen; with 3-shown, they are burned face up.
    after_cut
        Coups dealt after the cut card, as two numbers, such as 1,0. The first number applies if the cut card comes out
        during a coup: that coup is finished, and this number of coups follow it. The second applies if the cut card
        comes out as a coup begins: that coup is dealt, and this number of coups follow it. One of 0,0; 1,0 (the
        default); 1,1; 2,1; 2,2.
    out
        The file to write; by default the game's name with -calculator.html.
    """

    game: GameLike = field(kw_only=False)
    commission: Written | None = None
    bet: BetNames | None = None
    system: Systems | None = None
    decks: Whole | None = None
    cut: Cards | None = None
    burn: str | None = None
    after_cut: str | None = None
    out: File | None = None

    @property
    def output(self) -> Output:
        """The file to write. Raises `InputError` for an existing file that is not a calculator."""
        from counting.games import as_game

        path = Path(self.out or f"{as_game(self.game).name}-calculator.html")
        return Output(path, _KIND, keyword("out"), [str(self.game), *map(str, given_values(self.system, "system"))])

    def made(self) -> tuple[Game, Dealing, Mapping[str, Any]]:
        """The game with the bets on the table, how shoes are dealt, and the data from which `page_of` makes the
        page."""
        from counting.reports.calculator import page_data, published_for
        from counting.simulation import Dealing, as_after_cut
        from counting.systems import as_system

        game = asked_game(self.game, self.commission)
        if self.bet is not None:
            given_values(self.bet, "bet")
            game, bets = given_bets(self.bet, "bet", game)
            game = game.only(bets)
        systems = [as_system(each) for each in given_values(self.system, "system")]
        usual = Dealing(game.dealt_from(as_whole(self.decks, "decks")))
        dealing = Dealing(
            usual.decks,
            usual.cut if self.cut is None else as_whole(self.cut, "cut", "cards"),
            usual.burn if self.burn is None else self.burn,
            usual.after_cut if self.after_cut is None else as_after_cut(self.after_cut),
        )
        return game, dealing, page_data(game, dealing, published_for(game) if self.system is None else systems)
