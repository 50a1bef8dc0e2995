import numpy as np
from numpy.typing import NDArray

def tables(
    full: NDArray[np.int32],
    ways: NDArray[np.float64],
    chances: NDArray[np.float64],
    binomials: NDArray[np.float64],
) -> None: ...
def sums(full: NDArray[np.int32], binomials: NDArray[np.float64], rest: NDArray[np.float64]) -> None: ...
def counts(
    which: NDArray[np.intp],
    left: NDArray[np.int64],
    chance: NDArray[np.float64],
    binomials: NDArray[np.float64],
    rest: NDArray[np.float64],
    most_cells: int,
    out: NDArray[np.int32],
) -> None: ...
def exchanges(
    at: NDArray[np.int32],
    full: NDArray[np.int32],
    which: NDArray[np.float64],
    chance: NDArray[np.float64],
    tried: NDArray[np.int32],
    moved: NDArray[np.int32],
) -> int: ...
