import numpy as np
from numpy.typing import NDArray

def sequences(
    coups: NDArray[np.uint8], sizes: NDArray[np.int32], full: NDArray[np.int32], out: NDArray[np.float64]
) -> None: ...
def least(
    shoe: NDArray[np.uint8],
    coups: NDArray[np.uint8],
    sizes: NDArray[np.int32],
    links: NDArray[np.int32],
    ended: NDArray[np.int32],
    full: NDArray[np.int32],
    logs: NDArray[np.float64],
    falling: NDArray[np.float64],
    inside: bool,
    where: NDArray[np.int32],
) -> float: ...
def expected(
    x: float,
    sizes: NDArray[np.int32],
    links: NDArray[np.int32],
    logs: NDArray[np.float64],
    falling: NDArray[np.float64],
) -> float: ...
