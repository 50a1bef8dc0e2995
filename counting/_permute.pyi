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
