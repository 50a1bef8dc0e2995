import numpy as np
from numpy.typing import NDArray

def count(
    counts: NDArray[np.int64],
    taken: int,
    score: NDArray[np.int64],
    hands: NDArray[np.int32],
    column: NDArray[np.int32],
    row: NDArray[np.int32],
    out: NDArray[np.int64],
) -> int: ...
def banque(
    counts: NDArray[np.int64],
    taken: int,
    score: NDArray[np.int64],
    hands: NDArray[np.int32],
    column: NDArray[np.int32],
    out: NDArray[np.int64],
) -> None: ...
