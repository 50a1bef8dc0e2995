"""Every documented Python call as a script that a type checker reads: the examples of the documents and notebooks, and
of the docstrings of public names, as written.

    python docs/typed_calls.py FOLDER

writes a file for each into an empty folder; `nox -s lint` has `mypy --strict` and basedpyright, in pyright's strict
mode, check them.
"""

from __future__ import annotations

import doctest
import inspect
import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from packages import BESIDE, LINE

DOCS = Path(__file__).parent
FENCE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
MAGIC = re.compile(r"^[%!].*$", re.MULTILINE)


def script(text: str) -> str:
    """The code of an example, without prompts and what is printed."""
    if ">>>" not in text:
        return MAGIC.sub("", text)
    return "".join(example.source for example in doctest.DocTestParser().get_examples(text))


def of_documents() -> Iterator[tuple[str, str]]:
    """A script for each page and notebook that has examples, and for each program on a page."""
    for page in (DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))):
        examples = FENCE.findall(page.read_text())
        shown = [text for text in examples if ">>>" in text]
        if shown:
            yield page.stem, "\n".join(map(script, shown))
        for number, text in enumerate(text for text in examples if ">>>" not in text):
            yield f"{page.stem}_{number}", text
    for notebook in sorted(DOCS.glob("notebooks/*.ipynb")):
        cells = json.loads(notebook.read_text())["cells"]
        yield notebook.stem, "\n".join(script("".join(c["source"])) for c in cells if c["cell_type"] == "code")


def of_docstrings() -> Iterator[tuple[str, str]]:
    """A script for each public name with an example in its docstring or in a method's docstring."""
    for package in ("", *(f".{name}" for name in (*LINE, *BESIDE))):
        face = import_module(f"counting{package}")
        for name in face.__all__:
            value = getattr(face, name)
            if not (inspect.isclass(value) or inspect.isroutine(value)):
                continue
            for test in doctest.DocTestFinder(recurse=True).find(value, name, import_module(value.__module__)):
                if test.examples:
                    yield f"{package[1:] or 'counting'}_{test.name}", script(test.docstring)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    strict = {"typeCheckingMode": "strict", "reportUnusedExpression": False, "reportUnusedVariable": False}
    (folder / "pyrightconfig.json").write_text(json.dumps(strict))  # an example may only show a value, or only name it
    for name, text in (*of_documents(), *of_docstrings()):
        (folder / f"{re.sub(r'[^a-z0-9_]', '_', name.lower())}.py").write_text(text)
    print(len([*folder.glob("*.py")]), "scripts")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
