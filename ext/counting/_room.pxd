# A compiled function checks once per call, in every build, that the arrays are large enough. An array that is too small
# raises an error, and nothing is written beyond its end.


cdef inline int room(bint enough, str what) except -1:
    """Raise `ValueError` unless `enough`; `what` names the array."""
    if not enough:
        raise ValueError(f"{what}: too small or of another shape, should fit the other arrays")
    return 0
