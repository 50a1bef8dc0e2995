"""Templates, scripts and styles for pages, and data within pages."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from counting.reports.page_tables import markup_cell

if TYPE_CHECKING:
    import jinja2


@cache
def asset(name: str) -> str:
    """The text of a file in the folder of templates."""
    return (resources.files("counting.reports") / "templates" / name).read_text(encoding="utf-8")


@cache
def template(name: str) -> jinja2.Template:
    """A page's template. All values are escaped except `Markup`."""
    import jinja2  # slow to load, and not needed for a table on a terminal

    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    environment.filters["cell"] = markup_cell
    return environment.from_string(asset(name))


def inlined(data: Any) -> Markup:
    """Data as JSON, for a script element of a page. Texts in the data are escaped, so that none can close the
    element."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return Markup(text.replace("<", "\\u003c"))
