# The room that a compiled function writes into is checked once a call, in every build: what is too small is an error
# of the caller's, never a write beyond an array.


cdef inline int room(bint enough, str what) except -1:
    """Raise `ValueError` unless `enough`; `what` names the array."""
    if not enough:
        raise ValueError(f"{what}: too small or of another shape, should fit the other arrays")
    return 0
