import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

def best_level() -> int: ...

@disjoint_base
class Table:
    def __init__(
        self,
        first: NDArray[np.int32],
        low: NDArray[np.int32],
        rest: NDArray[np.float64],
        jump_of: NDArray[np.int32],
        next: NDArray[np.int32],
        slope: float,
        coefs: NDArray[np.float64],
        end: NDArray[np.float64],
    ) -> None: ...

@disjoint_base
class Coups:
    def __init__(
        self,
        table: Table,
        slice: NDArray[np.int32],
        cls: NDArray[np.int32],
        known: NDArray[np.float64],
        moved: NDArray[np.float64],
        chances: NDArray[np.float64],
    ) -> None: ...

def upper(
    table: Table,
    coups: Coups,
    starts: NDArray[np.int32],
    low: int,
    high: int,
    out: NDArray[np.float64],
    level: int,
) -> None: ...
def worth(table: Table, coups: Coups, out: NDArray[np.float64], level: int) -> None: ...
def lower(
    table: Table,
    coups: Coups,
    starts: NDArray[np.int32],
    pays: NDArray[np.float64],
    standing: NDArray[np.float64],
    pushed: NDArray[np.float64],
    net: NDArray[np.float64],
    chosen: NDArray[np.int32],
    taken: NDArray[np.float64],
    level: int,
) -> None: ...
