"""Write the logs for some questions. They are dealt by the plain pits of other experiments, and have a planted
event."""

from __future__ import annotations

import csv
from pathlib import Path
from random import Random

import numpy as np

from experiments.results import plain
from experiments.shuffle import pit as cards
from experiments.verdicts import pit, run

SHOES = 10
ERRORS = {"D-1": 0.0002, "D-2": 0.0002, "D-3": 0.004}  # a dealer's chance to leave out a third card that is due


def stacked(folder: Path) -> None:
    """Write ten shoes. The first twelve coups of shoe 4 are natural wins of Banker."""
    rng = np.random.default_rng(4)
    orders = [cards.at_random(rng) for _ in range(SHOES)]
    orders[3] = cards.arranged(rng, 12, "natural")
    shoes = [[pit.Coup(*map(_named, coup)) for coup in cards.dealt(order).coups] for order in orders]
    pit.write_coups(folder / "stacked.csv", shoes)


def _named(hand: list[int]) -> list[str]:
    return [pit.RANKS[card // 4] + pit.SUITS[card % 4] for card in hand]


def slug(folder: Path) -> None:
    """Write twenty shoes. 50 cards of the rack went into shoe 9 in unchanged order."""
    run.with_slug(folder, 500, pit.hand_by_hand, last_on_top=True)
    (folder / "coups.csv").rename(folder / "slug.csv")


class Late(pit.KnowsFirstCard):
    """Comes late in each shoe, and makes small bets on either side. On up to three coups, the patron knows the first
    card and bets the maximum."""

    def __call__(self, rng: Random, before: list[pit.Coup], coup: pit.Coup) -> list[tuple[str, int]]:
        if len(before) <= 60:
            self.left = self.coups
            return []
        if self.left and rng.random() < 0.3:
            self.left -= 1
            return [("player" if 6 <= pit.value(coup.player[0]) <= 9 else "banker", self.large)]
        return [(rng.choice(pit.SIDES), self.small)]


def late(folder: Path) -> None:
    """Write thirty shoes. Three patrons are of class `Late`, and five others are honest."""
    patrons = {f"K-{number}": Late(3) for number in (1, 2, 3)}
    honest = {name: run.HONEST[name]() for name in ("flat", "random", "doubler", "late", "streaks")}
    run.log(folder, 10, 30, {**patrons, **honest})
    for name in ("coups", "bets"):
        (folder / f"{name}.csv").rename(folder / f"late-{name}.csv")


def errors(folder: Path) -> None:
    """Write 600 shoes by three dealers in turn. In an error, the dealer does not deal Player's third card or, if only
    Banker draws, Banker's."""
    rng = Random(15)
    with (folder / "errors.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["table", "shoe", "coup", "dealer", "player", "banker"])
        for shoe in range(1, 601):
            for number, coup in enumerate(pit.deal_shoe(pit.shuffled(rng))[0], 1):
                dealer = f"D-{(shoe + number // 20) % 3 + 1}"
                player, banker = coup
                if rng.random() < ERRORS[dealer] and max(len(player), len(banker)) == 3:
                    player, banker = (player[:2], banker) if len(player) == 3 else (player, banker[:2])
                rows.writerow(["T1", shoe, number, dealer, " ".join(player), " ".join(banker)])


def streak(folder: Path) -> None:
    """Write the results of the first shoe in which Banker wins thirteen coups in a row, without a tie in between."""
    rng = Random(13)
    while "B" * 13 not in (line := "".join(coup.winner[0].upper() for coup in plain.dealt(plain.shoe(rng)))):
        pass
    (folder / "streak.txt").write_text(line + "\n")
