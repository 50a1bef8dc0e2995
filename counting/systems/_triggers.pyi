import numpy as np
from numpy.typing import NDArray

def end() -> int: ...
def reached(
    left: NDArray[np.int32],
    divisors: NDArray[np.int64],
    tags: NDArray[np.int32],
    begun: NDArray[np.int32],
    count_of: NDArray[np.int32],
    divisor_of: NDArray[np.int32],
    scale: NDArray[np.int64],
    centre: NDArray[np.int64],
    triggers: NDArray[np.int64],
    first: NDArray[np.int32],
    out: NDArray[np.int32],
) -> None: ...
