"""Faces of packages: their public names, each loaded when first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

_Face = tuple[list[str], Callable[[str], object], Callable[[], list[str]]]


def lazily(package: str, names: Mapping[str, str], instead: Mapping[str, str] = MappingProxyType({})) -> _Face:
    """`__all__`, `__getattr__` and `__dir__` of a package (PEP 562), from the public names of each of its files and its
    own packages. Tab shows them all, and pricing one edge loads neither polars nor matplotlib. `instead`: what to use
    in place of names that it lacks."""
    home = {name: file for file, listed in names.items() for name in listed.split()}

    def get(name: str) -> object:
        if name in home:
            return getattr(import_module(f"{package}.{home[name]}"), name)
        if (_folder(package) / name / "__init__.py").is_file():
            return import_module(f"{package}.{name}")
        if _compiled(package, name):
            try:
                return import_module(f"{package}.{name}")
            except ModuleNotFoundError:
                raise ImportError(
                    "counting: this is the source folder, which has no compiled modules; start Python in another "
                    "folder, or build them here with: python setup.py build_ext --inplace"
                ) from None
        use = f"; use {instead[name]}" if name in instead else ""
        raise AttributeError(f"module {package!r} has no attribute {name!r}{use}")

    def shown() -> list[str]:
        return sorted({*home, *(path.parent.name for path in _folder(package).glob("*/__init__.py"))})

    return sorted(home), get, shown


def _compiled(package: str, name: str) -> bool:
    """Whether a name is that of a compiled module, which has a stub."""
    return name.startswith("_") and not name.startswith("__") and (_folder(package) / f"{name}.pyi").is_file()


def _folder(package: str) -> Path:
    return Path(__file__).parent.joinpath(*package.split(".")[1:])
