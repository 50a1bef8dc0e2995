import numpy as np
from numpy.typing import NDArray

def sums(
    edges: NDArray[np.float64],
    steep: float,
    amounts: NDArray[np.float64],
    first: int,
    out: NDArray[np.float64],
    level: int,
) -> None: ...
def best_level() -> int: ...
