"""Compiled modules. For tests, COUNTING_SAFE=1 builds them with bounds and overflow checks, COUNTING_SANITIZE=1
with the compiler's sanitizers of addresses and undefined behaviour (`.ci/sanitize` runs that build)."""

import os
import sys
from glob import glob
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

SAFE = os.environ.get("COUNTING_SAFE", "0") == "1"
SANITIZE = os.environ.get("COUNTING_SANITIZE", "0") == "1"

# Event counts are integers below 2^53, exact with or without fused multiply-add: contraction is on for these, which
# count them, and off everywhere else.
FUSED = {"counting.exact._forms", "counting.exact._law", "counting.exact._census"}

# Cython's own code for arrays, generated and compiled once and not in every kernel. It hands arrays over: no loop of a
# kernel is in it.
SHARED = "ext/counting/_memoryviews.c"

flags: list[str] = []
linked: list[str] = []
if sys.platform != "win32":
    # Python's own flags ask for debugging symbols, a quarter of the time that a kernel takes to compile.
    flags = ["-O3", "-g0", "-std=c11", "-fno-math-errno", "-Wall", "-Wextra", "-Wno-unused-function"]

if SANITIZE:
    linked = ["-fsanitize=address,undefined"]
    flags += [*linked, "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-g", "-O1"]


def named(source: str) -> str:
    return ".".join(Path(source).relative_to("ext").with_suffix("").parts)


def extension(source: str) -> Extension:
    own = [f"-ffp-contract={'fast' if named(source) in FUSED else 'off'}"] if sys.platform != "win32" else []
    if source == SHARED and own:
        own += ["-O1"]
    return Extension(
        named(source),
        [source],
        include_dirs=["ext/counting"],
        depends=glob("ext/counting/**/*.h", recursive=True),
        extra_compile_args=flags + own,
        extra_link_args=linked,
    )


setup(
    ext_modules=cythonize(
        [extension(source) for source in (SHARED, *sorted(glob("ext/counting/**/*.pyx", recursive=True)))],
        shared_utility_qualified_name=named(SHARED),
        include_path=["ext"],
        compiler_directives={
            "language_level": 3,
            "boundscheck": SAFE,
            "wraparound": False,
            "initializedcheck": SAFE,
            "overflowcheck": SAFE,
            "cdivision": not SAFE,
            "freethreading_compatible": True,
            "autotestdict": False,
            "auto_pickle": False,
        },
        force=SAFE,
    ),
    options={"build_ext": {"parallel": True}},  # a compiler for each core
)
