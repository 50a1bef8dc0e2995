import numpy as np
from numpy.typing import NDArray

def counts(
    shoes: NDArray[np.uint8],
    rank: NDArray[np.uint8],
    ranks: int,
    places: int,
    suits: bool,
    tails: NDArray[np.int32],
    out: NDArray[np.int64],
) -> None: ...
def drawn(
    seed: int,
    first: int,
    new: NDArray[np.uint8],
    shoes: int,
    rank: NDArray[np.uint8],
    ranks: int,
    places: int,
    suits: bool,
    tails: NDArray[np.int32],
    out: NDArray[np.int64],
) -> None: ...
