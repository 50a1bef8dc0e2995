from libc.stdint cimport uint32_t, uint64_t

cdef extern from "_philox.h":
    enum:
        PHILOX_BLOCKS
    ctypedef struct philox:
        pass
    void philox_start(philox *, uint64_t, uint64_t, int) noexcept nogil
    uint32_t philox_half(philox *) noexcept nogil
    uint32_t philox_below(philox *, uint32_t) noexcept nogil
