"""The arguments of requests that play shoes, and the plan that they make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from counting.errors import InputError, Mistakes, instance, keyword, whole
from counting.requests.hosts import resumable
from counting.requests.request import (
    Arguments,
    Cards,
    GameLike,
    Systems,
    Whole,
    Written,
    as_whole,
    asked_game,
    given_values,
)

if TYPE_CHECKING:
    from counting.simulation import Dealing
    from counting.sweep import Plan

    DealingLike = Dealing | str
else:
    DealingLike = str


@dataclass(frozen=True, kw_only=True)
class ShoesArguments(Arguments):
    """How many shoes are played, and by which threads or machines.

    Parameters
    ----------
    shoes
        Shoes to deal; more shoes take longer and give narrower limits.
    seed
        The seed of the shoes, a whole number. With the same decks, a shoe's cards depend only on the seed and the
        shoe's number.
    workers
        Threads; by default one per core. Their number does not change results.
    cluster
        The address of a Dask scheduler, as tcp://host:8786, to play on its machines instead; the results are identical.
    """

    shoes: Whole = 100_000
    seed: Whole = 1
    workers: Whole | None = None
    cluster: str | None = None

    @contextmanager
    def pool(self, say: Callable[[str], None]) -> Iterator[dict[str, Any]]:
        """The workers, as keyword arguments for `counting.sweep.run`. `say` is called with lines about a cluster that
        is not ready yet."""
        workers = as_whole(self.workers, "workers")
        if self.cluster is None:
            with resumable():
                yield {"workers": workers}
            return
        from counting.cluster import ClusterError, cluster

        if workers is not None:
            raise InputError(
                f"{keyword('workers')} {workers} and {keyword('cluster')} {self.cluster}: should be one or the other"
            )
        try:
            with resumable(), cluster(self.cluster, say) as (executor, threads):
                yield {"executor": executor, "shared": False, "workers": threads}
        except ClusterError as error:
            raise InputError(
                f"{error}; the same command, with --cluster or without, resumes where it stopped"
            ) from error


@dataclass(frozen=True, kw_only=True)
class DealtArguments(Arguments):
    """Banker's commission, how shoes are dealt, and which counts are scored.

    Parameters
    ----------
    commission
        Banker's commission, as 2.5%; by default the game's.
    decks
        Decks in the shoe; by default the game's.
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
    dealing
        A procedure by name, which sets --cut, --burn and --after-cut, except where you give these yourself. With
        seventh-last: cut 7, burn first-card, after-cut 0,0. With jacobson: cut 14, burn first-card, after-cut 1,0. With
        macau: cut 12, a card burned for each deck, after-cut 1,0. With macau-first-card: cut 12, burn first-card,
        after-cut 1,0. With louisiana-75: a quarter of the shoe behind the cut card, no burn, after-cut 1,0.
    system
        Counting systems to score, as dragon-7: names or TOML files (see `counting systems`).
    """

    commission: Written | None = None
    decks: Whole | None = None
    cut: Cards | None = None
    burn: str | int | None = None
    after_cut: str | None = None
    dealing: DealingLike | None = None
    system: Systems | None = None


@dataclass(frozen=True, kw_only=True)
class PlayedArguments(DealtArguments, ShoesArguments):
    """The shoes that are played, and their plan."""

    def plan(
        self,
        game: GameLike,
        bets: Sequence[str] = (),
        keep_rows: int = 0,
        penetration: bool = True,
        spread: bool = False,
    ) -> Plan:
        """The plan. Raises a single `InputError` for all mistakes in the arguments. If there are none, `Plan` may still
        raise its own errors."""
        from counting.simulation import MOST_SEED, Dealing, as_after_cut
        from counting.sweep import MOST_SHOES, Plan
        from counting.systems import as_system

        mistakes = Mistakes()
        given: dict[str, Any] = {
            "decks": None,
            "cut": None,
            "shoes": 1,
            "seed": 1,
        }  # used in place of arguments that are no numbers, which are reported as mistakes
        loaded, base, after, systems = None, Dealing(), None, []
        with mistakes.gathered():
            loaded = asked_game(game, self.commission)
        for name in given:
            with mistakes.gathered():
                given[name] = as_whole(getattr(self, name), name, "cards" if name == "cut" else "whole")
        decks = given["decks"] if given["decks"] is not None else loaded.decks if loaded else 8
        with mistakes.gathered():
            base = _dealing(self.dealing, decks)
        with mistakes.gathered():
            after = base.after_cut if self.after_cut is None else as_after_cut(self.after_cut)
        with mistakes.gathered():
            base = Dealing(
                base.decks,
                base.cut if given["cut"] is None else given["cut"],
                base.burn if self.burn is None else str(self.burn),
                after or base.after_cut,
            )
        for system in given_values(self.system, "system"):
            with mistakes.gathered():
                systems.append(as_system(system))
        for name, low, high in (("seed", 0, MOST_SEED), ("shoes", 1, MOST_SHOES)):
            with mistakes.gathered():
                whole(given[name], name, low, high)
        mistakes.report()
        assert loaded is not None
        priced = tuple(dict.fromkeys(bets))
        return Plan(
            loaded, base, given["shoes"], given["seed"], tuple(systems), priced, keep_rows, penetration, spread=spread
        )


def _dealing(dealing: DealingLike | None, decks: int) -> Dealing:
    """The dealing procedure with this name; by default the usual procedure."""
    from counting.simulation import Dealing

    if dealing is None:
        return Dealing(decks)
    if isinstance(dealing, str):
        return Dealing.named(dealing, decks)
    return instance(dealing, Dealing, "dealing", "Dealing(cut=14) or Dealing.named('jacobson')")
