from typing import final

import numpy as np
from numpy.typing import NDArray

@final
class Index:
    def __init__(
        self,
        product: NDArray[np.int32],
        part_group: NDArray[np.int32],
        group_rows: NDArray[np.int32],
        group_start: NDArray[np.int32],
        inner: NDArray[np.int32],
        wide_start: NDArray[np.int32],
        wide: NDArray[np.int32],
        part_single: NDArray[np.int32],
        single: NDArray[np.int32],
    ) -> None: ...

def best_level() -> int: ...
def sequences(
    player: NDArray[np.int32],
    banker: NDArray[np.int32],
    classes: NDArray[np.int32],
    allowed: NDArray[np.int32],
    step: NDArray[np.int32],
    low_base: NDArray[np.int32],
    high_local: NDArray[np.int32],
    out: NDArray[np.int32],
) -> None: ...
def counts_float64(
    values: NDArray[np.int32],
    index: Index,
    weights: NDArray[np.float64],
    wide_weights: NDArray[np.float64],
    single_weights: NDArray[np.float64],
    out: NDArray[np.float64],
    level: int,
) -> None: ...
def counts_int64(
    values: NDArray[np.int32],
    index: Index,
    weights: NDArray[np.int64],
    wide_weights: NDArray[np.int64],
    single_weights: NDArray[np.int64],
    out: NDArray[np.int64],
) -> None: ...
