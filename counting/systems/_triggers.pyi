import numpy as np
from numpy.typing import NDArray

def best_level() -> int: ...
def reached(
    left: NDArray[np.int32],
    divisors: NDArray[np.float64],
    tags: NDArray[np.int32],
    begun: NDArray[np.int32],
    count_of: NDArray[np.int32],
    divisor_of: NDArray[np.int32],
    scale: NDArray[np.float64],
    centre: NDArray[np.float64],
    triggers: NDArray[np.float64],
    first: NDArray[np.int32],
    out: NDArray[np.int32],
    level: int,
) -> None: ...
