"""The application: forms in a browser for the commands, and pages with their answers. It runs on this machine only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.app.server import serve as serve
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "server": "serve",
        },
    )
