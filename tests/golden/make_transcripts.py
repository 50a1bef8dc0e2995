"""Makes transcripts.csv and macao.csv: a dozen coups of each shipped game from seed 1.

transcripts.csv is from shoe 0, with the first card burned. A row is what a dealer's log has: the cards in dealing
order, the totals, and what each bet pays. macao.csv is from block 0. Each row has the first cards of a different
shoe, as values, and what a punter wins who plays as in `macao`. `test_transcripts.py` replays both files from the cards
by hand, and from the seed. A change here changes what a seed promises, and belongs under "Numbers that changed" in the
changelog.
"""

import csv
import sys
from pathlib import Path

import numpy as np

from counting import load_game
from counting.cards import RANKS
from counting.chemin.macao import Chart, load_macao, simulator
from counting.games import Outcome
from counting.io.toml import shipped
from counting.simulation import Dealing, _deal, play

COUPS = 12
SHOWN = 16  # how many first cards of a shoe a row has; no coup here takes more


def transcript() -> list[dict[str, str]]:
    order = np.empty(416, np.uint8)
    _deal.order(1, 0, 8, order)
    lines = []
    for name in shipped("games"):
        game = load_game(name)
        coups = play(game.tableau, Dealing(burn="first-card"), 1, 0, 1)
        for i in range(COUPS):
            start, end = (416 - int(coups.undealt[j]) for j in (i, i + 1))
            outcome = Outcome(*map(int, coups.shown[i][:4]))
            lines.append(
                {
                    "game": name,
                    "coup": str(i + 1),
                    "cards": " ".join(RANKS[card // 4] + "shdc"[card % 4] for card in order[start:end]),
                    "player": f"{outcome.player_total} on {outcome.player_cards}",
                    "banker": f"{outcome.banker_total} on {outcome.banker_cards}",
                    "pays": " ".join(f"{bet.name}={bet.pay(outcome)}" for bet in game.bets),
                }
            )
    return lines


def macao() -> list[dict[str, str]]:
    """The rows of macao.csv. The punter draws to totals up to 4, and after one drawn card to totals up to 3, and
    rejects tens and faces where the rules allow it."""
    chart = Chart(("DDDDDSSSSS", "DDDDSSSSSS"))
    lines = []
    for name in shipped("chemin/macao"):
        rules = load_macao(name)
        orders = simulator._orders(np.repeat(np.arange(10, dtype=np.uint8), rules.shoe.values), COUPS, 1, 0)
        won = simulator._coups(orders, rules, chart).tolist()
        for i, (order, units) in enumerate(zip(orders[:, :SHOWN].tolist(), won, strict=True)):
            lines.append({"game": name, "coup": str(i + 1), "cards": " ".join(map(str, order)), "won": str(units)})
    return lines


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for name, rows in (("transcripts.csv", transcript()), ("macao.csv", macao())):
        with (folder / name).open("w") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
