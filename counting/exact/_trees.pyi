from typing import final

import numpy as np
from numpy.typing import NDArray

@final
class Program:
    def __init__(
        self,
        depth: NDArray[np.uint8],
        less: NDArray[np.uint8],
        draw: NDArray[np.int32],
        first: NDArray[np.int64],
        slot: NDArray[np.int32],
        weight: NDArray[np.int64],
        slots: int,
    ) -> None: ...

def sums(
    program: Program, counts: NDArray[np.int64], bases: NDArray[np.int64], out: NDArray[np.int64], level: int
) -> None: ...
def lines(
    by_kind: Program,
    by_value: Program,
    kind: NDArray[np.int32],
    value: NDArray[np.int32],
    cards: NDArray[np.int32],
    out: NDArray[np.int64],
    level: int,
) -> None: ...
