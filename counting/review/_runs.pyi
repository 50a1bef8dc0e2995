import numpy as np
from numpy.typing import NDArray

def greatest(
    events: NDArray[np.uint8],
    starts: NDArray[np.int32],
    shortest: int,
    scores: NDArray[np.float64],
    out: NDArray[np.float64],
    where: NDArray[np.int32],
) -> None: ...
