import numpy as np
from numpy.typing import NDArray

def play(
    seed: int,
    first: int,
    shoes: int,
    decks: int,
    burn: int,
    burn_shown: bool,
    cut: int,
    after_inside: int,
    after_first: int,
    player: NDArray[np.int32],
    banker: NDArray[np.int32],
    kind: NDArray[np.uint8],
    orders: NDArray[np.uint8],
    left_at: NDArray[np.int32],
    rows: NDArray[np.uint16],
    shown: NDArray[np.uint8],
) -> int: ...
def play_with_replacement(
    seed: int, stream: int, player: NDArray[np.int32], banker: NDArray[np.int32], shown: NDArray[np.uint8]
) -> None: ...
def order(seed: int, shoe: int, decks: int, out: NDArray[np.uint8]) -> None: ...
def arrange(
    seed: int,
    first: int,
    deck: NDArray[np.uint8],
    full: NDArray[np.int32],
    last: NDArray[np.int32],
    out: NDArray[np.uint8],
) -> None: ...
def halves(seed: int, stream: int, out: NDArray[np.uint32]) -> None: ...
def below(seed: int, stream: int, limit: int, out: NDArray[np.uint32]) -> None: ...
