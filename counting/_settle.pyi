import numpy as np
from numpy.typing import NDArray

def settle(
    values: NDArray[np.int32],
    counts: NDArray[np.int64],
    coefficients: NDArray[np.int64],
    denominators: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
