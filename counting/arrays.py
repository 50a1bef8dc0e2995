"""Short names for types of arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Int32s = NDArray[np.int32]
Ints = NDArray[np.int64]
