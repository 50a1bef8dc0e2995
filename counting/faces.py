"""The public names of packages. Each is loaded when it is first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import NoReturn

_Face = tuple[list[str], Callable[[str], object], Callable[[], list[str]]]
_INSTEAD: dict[str, str] = {}  # what to use in place of a dotted name that is missing or is a package


class _Package(ModuleType):
    """A package. If a user calls it like a function, it raises an error that names what to use instead."""

    def __call__(self, *_: object, **__: object) -> NoReturn:
        from counting.errors import InputError

        use = _INSTEAD.get(self.__name__, "a function in it, as dir() lists them")
        raise InputError(f"{self.__name__}: a package, which cannot be called; use {use}")


def lazily(package: str, names: Mapping[str, str], instead: Mapping[str, str] = MappingProxyType({})) -> _Face:
    """Make the `__all__`, `__getattr__` and `__dir__` with which a package loads its files only when they are needed
    (PEP 562). The Tab key still shows all names. For example, pricing an edge loads neither polars nor matplotlib.
    `names`: for each file, its public names, separated by blanks. `instead`: what to use in place of a name that the
    package lacks, or in place of a package that a user calls like a function."""
    sys.modules[package].__class__ = _Package
    _INSTEAD.update({f"{package}.{name}": use for name, use in instead.items()})
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
    """Whether a name is a compiled module of the package, which is recognised by its stub file."""
    return name.startswith("_") and not name.startswith("__") and (_folder(package) / f"{name}.pyi").is_file()


def _folder(package: str) -> Path:
    return Path(__file__).parent.joinpath(*package.split(".")[1:])
