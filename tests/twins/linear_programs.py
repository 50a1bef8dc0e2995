"""Solve linear programs with HiGHS."""

from collections.abc import Sequence

import highspy
import numpy as np
from numpy.typing import ArrayLike

NO_LIMIT = highspy.kHighsInf
_OPTIONS = {
    "output_flag": False,
    "presolve": "off",  # presolve may not tell an impossible program from an unbounded one
    "primal_feasibility_tolerance": 1e-10,
    "dual_feasibility_tolerance": 1e-10,
}


def least(
    costs: ArrayLike,
    *,
    at_most: tuple[ArrayLike, ArrayLike] = ((), ()),
    equal: tuple[ArrayLike, ArrayLike] = ((), ()),
    ranges: Sequence[tuple[float, float]],
) -> float | None:
    """The least `costs @ x`. The conditions: x is within `ranges`, and `rows @ x` is at most, or equal to, the
    right-hand side. None if no x is possible."""
    program = highspy.HighsLp()
    program.col_cost_ = np.asarray(costs, float)
    program.num_col_ = len(ranges)
    program.col_lower_, program.col_upper_ = np.array(ranges, float).T.copy()
    (above, highest), (on, exactly) = [[np.asarray(array, float) for array in part] for part in (at_most, equal)]
    rows = np.vstack([above.reshape(-1, len(ranges)), on.reshape(-1, len(ranges))])
    program.num_row_ = len(rows)
    program.row_lower_ = np.append(np.full(len(highest), -NO_LIMIT), exactly)
    program.row_upper_ = np.append(highest, exactly)
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.append(0, np.count_nonzero(rows, axis=1).cumsum()).astype(np.int32)
    program.a_matrix_.index_ = np.nonzero(rows)[1].astype(np.int32)
    program.a_matrix_.value_ = rows[rows != 0]
    solver = highspy.Highs()
    for option, value in _OPTIONS.items():
        solver.setOptionValue(option, value)
    solver.passModel(program)
    solver.run()
    status = solver.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return None
    assert status == highspy.HighsModelStatus.kOptimal, status
    return float(solver.getInfo().objective_function_value)
