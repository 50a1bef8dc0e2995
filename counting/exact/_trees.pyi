import numpy as np
from numpy.typing import NDArray

def sums(
    counts: NDArray[np.int64],
    bases: NDArray[np.int64],
    depth: NDArray[np.uint8],
    less: NDArray[np.uint8],
    draw: NDArray[np.int32],
    first: NDArray[np.int64],
    slot: NDArray[np.int32],
    weight: NDArray[np.int64],
    out: NDArray[np.int64],
) -> None: ...
