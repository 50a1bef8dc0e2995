"""The programs of `experiments` import names that there are."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "experiments"


@pytest.mark.parametrize("program", sorted(map(str, (path.relative_to(FOLDER) for path in FOLDER.rglob("*.py")))))
def test_what_a_program_imports_is_there(program: str) -> None:
    for node in ast.walk(ast.parse((FOLDER / program).read_text())):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("counting"):
            module = import_module(str(node.module))
            for alias in node.names:
                assert hasattr(module, alias.name) or import_module(f"{node.module}.{alias.name}")
        elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("experiments"):
            stem = str(node.module).removeprefix("experiments").lstrip(".").replace(".", "/")
            for alias in node.names:
                file = (FOLDER / stem).with_suffix(".py") if stem else FOLDER / f"{alias.name}.py"
                assert file.is_file() or (FOLDER / stem / f"{alias.name}.py").is_file(), (node.module, alias.name)
