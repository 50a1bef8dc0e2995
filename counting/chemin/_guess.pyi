import numpy as np
from numpy.typing import NDArray

def reduce(
    counted: NDArray[np.int64],
    free: NDArray[np.uint8],
    must: NDArray[np.uint8],
    strictly: bool,
    form: NDArray[np.int64],
    opened: NDArray[np.int32],
    state: NDArray[np.uint8],
) -> int: ...
def guess(form: NDArray[np.int64], m: int, found: NDArray[np.int8]) -> bool: ...
def mixes(form: NDArray[np.float64], longest: int, found: NDArray[np.float64]) -> bool: ...
