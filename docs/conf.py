"""The settings of Sphinx, for `nox -s docs` or `sphinx-build -W docs build/docs` after `pip install '.[docs]'`.

In a repository the documents link files outside `docs/`. Here the notes of the experiments are pages beside them,
copied into `docs/experiments`, and other files outside are shown by their paths.
"""

import os
import re
import shutil
from pathlib import Path

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from counting.version import __version__

HERE = Path(__file__).parent
ROOT = HERE.parent
NOTES = HERE / "experiments"

project = "counting"
release = version = __version__
copyright = "The counting developers"
extensions = ["myst_nb", "sphinx.ext.autodoc"]
html_theme = "furo"
html_math_renderer = "mathml"  # no script and no network
html_title = f"counting {release}"
exclude_patterns = ["meanings"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_execution_show_tb = True

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
toc_object_entries = False  # each public name has a heading


LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def copy_notes() -> None:
    """The notes of the experiments with their figures, tables and programs, beside the documents."""
    for file in sorted(ROOT.glob("experiments/*/*")):
        if file.suffix in (".md", ".svg", ".csv", ".py"):
            (NOTES / file.parent.name).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, NOTES / file.parent.name / file.name)


def relinked(text: str, folder: Path) -> str:
    """A page's text with links to the copied notes, and other files outside by their paths."""
    home = ROOT / folder.relative_to(HERE) if folder.is_relative_to(NOTES) else folder

    def link(found: re.Match[str]) -> str:
        words, target, anchor = found.groups("")
        file = Path(os.path.normpath(home / target))
        if re.match(r"[a-z]+:", target):
            return found[0]
        if file.is_relative_to(ROOT / "experiments"):
            file = HERE / file.relative_to(ROOT)
        if file.is_relative_to(HERE) and file.is_file():
            return f"[{words}]({os.path.relpath(file, folder)}{anchor})"
        return f"{words} (`{os.path.relpath(file, ROOT)}`)"

    return LINK.sub(link, text)


def on_source(app: Sphinx, name: str, source: list[str]) -> None:
    """Called with the text of every page before it is parsed."""
    source[0] = relinked(source[0], (HERE / name).parent)


def formula(writer: HTML5Translator, node: nodes.math) -> None:
    """Write a formula within a line of text."""
    writer.body.append(convert(node.astext()))
    raise nodes.SkipNode


def displayed(writer: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula that stands on a line alone."""
    writer.body.append(convert(node.astext(), display="block"))
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    copy_notes()
    app.add_html_math_renderer("mathml", (formula, None), (displayed, None))
    app.connect("source-read", on_source)
