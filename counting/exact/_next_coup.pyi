import numpy as np
from numpy.typing import NDArray

def deal(
    compositions: NDArray[np.int32],
    copies: int,
    seed: int,
    streams: NDArray[np.uint64],
    values: NDArray[np.uint8],
    player: NDArray[np.int32],
    banker: NDArray[np.int32],
    left: NDArray[np.int32],
    used: NDArray[np.uint8],
) -> None: ...
