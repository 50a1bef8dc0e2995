from typing import final

import numpy as np
from numpy.typing import NDArray

@final
class Allowed:
    def __init__(
        self,
        bets: int,
        first: NDArray[np.int32],
        bet: NDArray[np.int32],
        amount: NDArray[np.float64],
        on_side: NDArray[np.uint8],
        seated: bool,
    ) -> None: ...

def best_level() -> int: ...
def best(
    edges: NDArray[np.float64],
    rebate: float,
    stakes: Allowed,
    gain: NDArray[np.float64],
    staked: NDArray[np.uint8],
    level: int,
) -> None: ...
def add(
    gain: NDArray[np.float64],
    staked: NDArray[np.uint8],
    place: NDArray[np.int64],
    unit: float,
    sums: NDArray[np.int64],
) -> None: ...
def add_best(
    edges: NDArray[np.float64],
    stakes: list[Allowed],
    rebate: NDArray[np.float64],
    unit: NDArray[np.float64],
    number: NDArray[np.int64],
    place: NDArray[np.int64],
    sums: NDArray[np.int64],
    level: int,
) -> None: ...
def follow(
    shoe: NDArray[np.uint16],
    wants: NDArray[np.uint8],
    side: NDArray[np.float64],
    mains: NDArray[np.float64],
    best: NDArray[np.int32],
    won_side: NDArray[np.float64],
    won_mains: NDArray[np.float64],
    tie_in: float,
    idle: float,
    skips: int,
    standing: bool,
    loss_rebate: float,
    gain: NDArray[np.float64],
    staked: NDArray[np.uint8],
) -> None: ...
