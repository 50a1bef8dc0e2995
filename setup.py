"""Compiled modules. For tests, COUNTING_SAFE=1 builds them with bounds and overflow checks, COUNTING_SANITIZE=1
with the compiler's sanitizers of addresses and undefined behaviour (`.ci/sanitize` runs that build)."""

import os
import sys
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup

SAFE = os.environ.get("COUNTING_SAFE", "0") == "1"
SANITIZE = os.environ.get("COUNTING_SANITIZE", "0") == "1"

flags: list[str] = []
if sys.platform != "win32":
    flags = ["-O3", "-std=c11", "-fno-math-errno", "-Wall", "-Wextra", "-Wno-unused-function"]
    # Event counts are integers below 2^53, exact with or without fused multiply-add: contraction
    # is on for the evaluator and off everywhere else.
    contract = ["-ffp-contract=fast"], ["-ffp-contract=off"]
else:
    contract = [], []

linked: list[str] = []
if SANITIZE:
    linked = ["-fsanitize=address,undefined"]
    flags += [*linked, "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-g", "-O1"]


def extension(name: str, more: list[str]) -> Extension:
    source = f"ext/counting/{name}.pyx"
    return Extension(
        f"counting.{name}",
        [source],
        depends=glob("ext/counting/*.h"),
        extra_compile_args=flags + more,
        extra_link_args=linked,
    )


setup(
    ext_modules=cythonize(
        [
            extension("_forms", contract[0]),
            *(
                extension(name, contract[1])
                for name in ("_pairs", "_settle", "_deal", "_tally", "_bettors", "_permute", "_chemin", "_coming")
            ),
            extension("_census", contract[0]),
        ],
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
)
