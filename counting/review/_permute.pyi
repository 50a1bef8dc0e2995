import numpy as np
from numpy.typing import NDArray

def within(
    seed: int,
    stream: int,
    stakes: NDArray[np.float64],
    stake_of: NDArray[np.int32],
    edges: NDArray[np.float64],
    edge_of: NDArray[np.int32],
    least: float,
    enough: int,
    most: int,
) -> tuple[int, int]: ...
def across(
    seed: int,
    stream: int,
    sums: NDArray[np.float64],
    group_of: NDArray[np.int32],
    order: NDArray[np.int32],
    least: float,
    enough: int,
    most: int,
) -> tuple[int, int]: ...
def rearrange(
    seed: int,
    stream: int,
    class_of: NDArray[np.int32],
    hands: NDArray[np.int32],
    place_of: NDArray[np.int32],
    stay: NDArray[np.int32],
    full: NDArray[np.int32],
    order: NDArray[np.int32],
    left: NDArray[np.int32],
) -> None: ...
def picked(
    seed: int, stream: int, sums: NDArray[np.float64], least: float, enough: int, most: int
) -> tuple[int, int]: ...
