"""The command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.cli.commands import app as app
    from counting.cli.commands import main as main
else:
    __all__, __getattr__ = lazily(
        __name__,
        {
            "commands": "app main",
        },
    )
