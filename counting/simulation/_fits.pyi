import numpy as np
from numpy.typing import NDArray

def sums(
    compositions: NDArray[np.float64],
    weights: NDArray[np.float64],
    logs: NDArray[np.float64],
    out: NDArray[np.float64],
    level: int,
) -> None: ...
def best_level() -> int: ...
