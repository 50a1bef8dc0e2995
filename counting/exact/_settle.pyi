import numpy as np
from numpy.typing import NDArray

def cards(compositions: NDArray[np.int32], out: NDArray[np.int64]) -> None: ...
def settle(
    cards: NDArray[np.int64],
    counts: NDArray[np.int64],
    coefficients: NDArray[np.int64],
    denominators: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
