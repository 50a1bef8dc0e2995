from typing import final

import numpy as np
from numpy.typing import NDArray

@final
class Tables:
    def __init__(
        self,
        cards: int,
        most: int,
        planes: NDArray[np.int32],
        start: NDArray[np.int32],
        choose: NDArray[np.float64],
        choose_ways: NDArray[np.float64],
        pairs: NDArray[np.int32],
        basis: NDArray[np.float64],
        ways: NDArray[np.float64],
        ways_start: NDArray[np.int64],
    ) -> None: ...

def visit(
    fixed: Tables,
    coefficients: NDArray[np.float64],
    level: int,
    nine: int,
    eight: int,
    low: float,
    scale: float,
    histogram: NDArray[np.float64],
    tags: NDArray[np.int32],
    pair_tags: NDArray[np.int32],
    lowest: int,
    by_count: NDArray[np.float64],
    shares: NDArray[np.float64],
) -> tuple[float, float, float, float, float, float, list[int]]: ...
