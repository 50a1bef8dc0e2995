from typing import Self, final

import numpy as np
from numpy.typing import NDArray

def best_level() -> int: ...

@final
class Law:
    @property
    def level(self) -> int: ...
    def __new__(
        cls,
        win: float,
        lose: float,
        hands: NDArray[np.int8],
        choice: NDArray[np.int8],
        totals: NDArray[np.int8],
        letter: NDArray[np.int8],
        player: NDArray[np.float64],
        banker: NDArray[np.float64],
        word: int,
        fine: float,
        level: int,
    ) -> Self: ...
    def rows(self, counts: NDArray[np.float64], out: NDArray[np.int64]) -> None: ...
    def orders(
        self, counts: NDArray[np.int8], tallies: NDArray[np.int64], unsure: NDArray[np.int8]
    ) -> tuple[int, int]: ...
