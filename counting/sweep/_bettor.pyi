import numpy as np
from numpy.typing import NDArray

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
