"""The command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.cli.commands import app_for as app_for
    from counting.cli.commands import main as main
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "commands": "app_for main",
        },
    )
