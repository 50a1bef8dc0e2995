from typing import final

import numpy as np
from numpy.typing import NDArray

ONE: int
FIVE: int
FOUR: int
ZERO: int
FREE: int
LANES: tuple[int, int, int, int]

@final
class Program:
    def __init__(
        self,
        lanes: int,
        slots: int,
        stage: NDArray[np.int32],
        gather: NDArray[np.int32],
        scaled: NDArray[np.int32],
        picked: NDArray[np.int32],
        line: NDArray[np.int32],
        tile: NDArray[np.int32],
        pick: NDArray[np.int32],
        term: NDArray[np.int32],
        add: NDArray[np.int32],
        gather_int: NDArray[np.int64],
        add_int: NDArray[np.int64],
        gather_float: NDArray[np.float64],
        add_float: NDArray[np.float64],
    ) -> None: ...

@final
class Bets:
    def __init__(
        self,
        class_start: NDArray[np.int32],
        cell: NDArray[np.int32],
        event_start: NDArray[np.int32],
        part: NDArray[np.int32],
        bet_start: NDArray[np.int32],
        of_event: NDArray[np.int32],
        coefficient: NDArray[np.float64],
        denominator: NDArray[np.float64],
    ) -> None: ...

def counts_float64(
    values: NDArray[np.int32], program: Program, bets: Bets, out: NDArray[np.float64], level: int
) -> None: ...
def quotients(
    values: NDArray[np.int32], program: Program, bets: Bets, out: NDArray[np.float64], level: int
) -> None: ...
def counts_int64(values: NDArray[np.int32], program: Program, bets: Bets, out: NDArray[np.int64]) -> None: ...
