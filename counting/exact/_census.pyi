from typing import final

import numpy as np
from numpy.typing import NDArray

def lanes(level: int) -> int: ...

@final
class Tables:
    def __init__(
        self,
        cards: int,
        most: int,
        level: int,
        planes: NDArray[np.int32],
        start: NDArray[np.int32],
        choose: NDArray[np.float64],
        choose_ways: NDArray[np.float64],
        binomials: NDArray[np.float64],
        lines: NDArray[np.int32],
        lines_start: NDArray[np.int64],
        ways: NDArray[np.float64],
    ) -> None: ...

def visit(
    fixed: Tables,
    coefficients: NDArray[np.float64],
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
