import numpy as np
from numpy.typing import NDArray

def visit(
    coefficients: NDArray[np.float64],
    planes: NDArray[np.int32],
    start: NDArray[np.int32],
    level: int,
    cards: int,
    nine: int,
    eight: int,
    most: int,
    choose: NDArray[np.float64],
    choose_ways: NDArray[np.float64],
    pairs: NDArray[np.int32],
    basis: NDArray[np.float64],
    ways: NDArray[np.float64],
    ways_start: NDArray[np.int64],
    low: float,
    scale: float,
    histogram: NDArray[np.float64],
    tags: NDArray[np.int32],
    pair_tags: NDArray[np.int32],
    lowest: int,
    by_count: NDArray[np.float64],
    shares: NDArray[np.float64],
) -> tuple[float, float, float, float, float, float, list[int]]: ...
