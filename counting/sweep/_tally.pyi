import numpy as np
from numpy.typing import NDArray

def columns() -> tuple[int, int, int, int]: ...
def tally(
    edges: NDArray[np.float64],
    squares: NDArray[np.float64],
    classes: NDArray[np.int32],
    pays: NDArray[np.float64],
    shoe: NDArray[np.uint16],
    coup: NDArray[np.uint16],
    cards_left: NDArray[np.int64],
    reached: NDArray[np.int32],
    first_cell: NDArray[np.int32],
    system_bets: NDArray[np.int32],
    bets_start: NDArray[np.int32],
    cells: NDArray[np.float64],
    ledger: NDArray[np.float64],
    depth: NDArray[np.float64],
    coups_sums: NDArray[np.float64],
    place: NDArray[np.int32],
    scale: NDArray[np.float64],
    whole: NDArray[np.int64],
    first_by_cut: NDArray[np.int32],
    by_cut: NDArray[np.int64],
) -> None: ...
