from typing import final

import numpy as np
from numpy.typing import NDArray

def columns() -> tuple[int, int, int]: ...
def steps() -> tuple[int, int, int]: ...

@final
class Layout:
    def __init__(
        self,
        first_cell: NDArray[np.int32],
        first_by_cut: NDArray[np.int32],
        system_bets: NDArray[np.int32],
        bets_start: NDArray[np.int32],
        triggers: NDArray[np.int32],
        scale: NDArray[np.float64],
    ) -> None: ...

def tally(
    layout: Layout,
    edges: NDArray[np.float64],
    squares: NDArray[np.float64],
    classes: NDArray[np.int32],
    reached: NDArray[np.int32],
    shoe: NDArray[np.uint16],
    coup: NDArray[np.uint16],
    cards_left: NDArray[np.int64],
    place: NDArray[np.int32],
    pays: NDArray[np.float64],
    column: NDArray[np.int32],
    ledger: NDArray[np.float64],
    depth: NDArray[np.float64],
    coups_sums: NDArray[np.float64],
    by_cut: NDArray[np.int64],
    spread: NDArray[np.int32],
    lowest: int,
) -> None: ...
def cells(spread: NDArray[np.int32]) -> int: ...
def gather(spread: NDArray[np.int32], out: NDArray[np.int32]) -> None: ...
