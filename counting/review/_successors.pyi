import numpy as np
from numpy.typing import NDArray

def best_level() -> int: ...
def columns(
    shoes: NDArray[np.uint8],
    edges: NDArray[np.int32],
    pairs: NDArray[np.int32],
    ends: NDArray[np.int32],
    groups: NDArray[np.int32],
    lines: NDArray[np.int32],
    members: NDArray[np.int32],
    scored_by: NDArray[np.int32],
    shared: NDArray[np.int32],
    scores: NDArray[np.float64],
    local: NDArray[np.float64],
    reach: NDArray[np.float64],
    running: NDArray[np.uint16],
    table: NDArray[np.uint16],
    sums: NDArray[np.int32],
    out: NDArray[np.float64],
    level: int,
) -> None: ...
def shuffled(seed: int, first: int, new: NDArray[np.uint8], out: NDArray[np.uint8]) -> None: ...
