"""Samples of logs in the layouts of `tests/twins/other_logs.py`: `python make.py` writes them.

The samples have the same forty coups of two shoes, dealt by the project; `shoe.hex` has the first shoe alone. Nothing
in them is anybody's record.
"""

import sys
from pathlib import Path

import polars as pl

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))

from twins import other_logs  # noqa: E402

from counting import Dealing, load_game  # noqa: E402
from counting.review.synthetic import Flat, deal, log_frames  # noqa: E402

GROUPS = {
    "same": other_logs.SAME,
    "lists": other_logs.LISTS,
    "values": other_logs.BY_VALUE,
    "ranks": other_logs.BY_RANK,
}
COUPS = 20  # of each shoe


def coups() -> pl.DataFrame:
    game = load_game("ez-baccarat")
    frame, _ = log_frames(deal(game, Dealing(), 11, 0, 2), {"anyone": Flat("player", 5)}, game, 1)
    return frame.filter(pl.col("coup") <= COUPS).select("table", "shoe", "coup", "player", "banker", "winner")


def write(folder: Path) -> None:
    """Write each sample into a separate folder, named by its group and its name, and the two streams into `folder`
    itself."""
    for group, writers in GROUPS.items():
        for name, writer in writers.items():
            place = folder / group / name.replace(" ", "-").replace(",", "").replace("'", "")
            place.mkdir(parents=True, exist_ok=True)
            writer(place, coups())
    (folder / "states.jsonl").write_text("\n".join(map(other_logs.json.dumps, other_logs.states(coups()))) + "\n")
    shoe = coups().filter(pl.col("shoe") == coups()["shoe"][0])
    other_logs.frames(folder, shoe)


if __name__ == "__main__":
    write(HERE)
