import numpy as np
from numpy.typing import NDArray

def ratios(
    left: NDArray[np.int32],
    cards: NDArray[np.int8],
    unread: NDArray[np.int32],
    good: NDArray[np.uint8],
    out: NDArray[np.float64],
) -> None: ...
def coup(
    odds: list[NDArray[np.float64]],
    shoes: list[NDArray[np.float64]],
    bounds: list[NDArray[np.float64]],
    taken: NDArray[np.int16],
    size: NDArray[np.float64],
    scales: NDArray[np.float64],
    sided: NDArray[np.float64],
    shares: NDArray[np.float64],
    weights: NDArray[np.float64],
    risked: NDArray[np.float64],
    split: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
def grow(
    ratio: NDArray[np.float64],
    first: NDArray[np.int32],
    coups: NDArray[np.int32],
    taken: NDArray[np.int16],
    size: NDArray[np.float64],
    scales: NDArray[np.float64],
    sided: NDArray[np.float64],
    shares: NDArray[np.float64],
    weights: NDArray[np.float64],
    risked: NDArray[np.float64],
    through: NDArray[np.float64],
    apart: NDArray[np.float64],
) -> None: ...
def agree(taken: NDArray[np.int16], won: NDArray[np.float64], out: NDArray[np.float64]) -> None: ...
