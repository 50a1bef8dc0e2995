"""Use few weighted shoes in tests that do not look at limits of rare bets. This works in the test's process, and in
processes that the test starts."""

import importlib
import os
import runpy
import sys
from collections.abc import Callable
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

FEW = (
    ("counting.bounds.confidence_limits", "WEIGHTED", 1000),
    ("counting.reports.recommendation", "_WEIGHTED", 1000),
    ("counting.simulation.importance", "_CHAINS", 300),
    ("counting.simulation.importance", "_PILOT", 2000),
    ("counting.simulation.importance", "_TILTS", 8),
    ("counting.simulation.importance", "_LOOKS", 1),
    ("counting.simulation.importance", "_STEPS", 5),
    ("counting.simulation.aims", "_TRIED", 1400),
    ("counting.bounds.continuation", "COPIES", 4),
    ("counting.bounds.continuation", "POLICY_COPIES", 2),
    ("counting.bounds.evaluation", "_CHOSEN_ON", 100),
    ("counting.bounds.net_evaluation", "_CHOSEN_ON", 100),
    ("counting.review.shuffle.order_tests", "PILOT", 25),
    ("counting.review.shuffle.order_tests", "_FIRST", 49),
    ("counting.review.shuffle.order_tests", "_CHUNK", 10),
)

UNDRAWN = "COUNTING_TESTS_UNDRAWN"
"""If the environment has this variable, processes that `python` starts do not draw figures."""


def lighten(put: Callable[[Any, str, int], None] = setattr) -> None:
    """Use few weighted shoes, and few chains to find the weights. Standard errors are then larger, and are printed so.
    With `--long`, nothing changes. `put` sets a name in a module."""
    if os.environ.get("COUNTING_LONG_TESTS") != "1":
        for module, constant, few in FEW:
            put(importlib.import_module(module), constant, few)


def closed(*_: object, **__: object) -> str:
    """Replaces `counting.reports.drawing.svg`: the figure is set up, but not drawn."""
    return '<svg viewBox="0 0 1 1"></svg>'


def python(folder: Path) -> str:
    """The path of a script that runs a module as Python does, but with few weighted shoes. The module sees the script
    as `sys.executable`. On Windows, this is Python."""
    if os.name != "posix":
        return sys.executable
    script = folder / "python"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{__file__}" "$0" "$@"\n')
    script.chmod(0o755)
    return str(script)


def _put() -> list[tuple[str, str, Any]]:
    """The changes in a process that `python` starts: a module, a name in it, and the new value."""
    undrawn = [("counting.reports.drawing", name, closed) for name in ("single", "svg")]  # figures are not set up
    return [*FEW, *(undrawn if UNDRAWN in os.environ else [])]


class _Lighter:
    """An importer that makes the changes of `_put` when their modules are imported."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        if name not in {module for module, _, _ in _put()}:
            return None
        spec = PathFinder.find_spec(name, path, target)
        assert spec is not None
        assert spec.loader is not None
        execute = spec.loader.exec_module

        def lightened(module: Any) -> None:
            execute(module)
            vars(module).update({put: value for of, put, value in _put() if of == name})

        spec.loader.exec_module = lightened  # type: ignore[method-assign]
        return spec


if __name__ == "__main__":
    if os.environ.get("COUNTING_LONG_TESTS") != "1":
        sys.meta_path.insert(0, _Lighter)  # type: ignore[arg-type]
    os.nice = lambda _: 0  # on a busy machine, the process would wait
    _, sys.executable, _, _, *sys.argv = sys.argv
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
