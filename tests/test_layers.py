"""Packages are in an order, and a package imports only packages before it, by their public names."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from rlcompleter import Completer

import pytest

import counting

LINE = [
    "ground", "games", "systems", "exact", "simulation", "sweep", "analysis", "bounds", "reports", "requests",
    "app", "cli",
]  # fmt: skip
# Packages outside the order, with the last package that each may import.
UP_TO = {
    "chemin": "games",
    "logs": "games",
    "live": "simulation",
    "review": "simulation",
    "verify": "analysis",
    "trips": "exact",
}
ALSO = {
    "live": {"review", "logs"},
    "review": {"logs"},
    "verify": {"chemin"},
    "reports": {"review", "chemin", "logs", "verify", "live", "trips"},
    "requests": {"review", "logs", "live", "trips"},
    "app": {"logs", "live"},
    "cli": {*UP_TO},
}

HOME = Path(counting.__file__).parent
GROUND = {file.stem for file in HOME.glob("*.py")} - {"__init__"} | {"io"}
FILES = {".".join(file.relative_to(HOME).with_suffix("").parts): file for file in sorted(HOME.rglob("*.py"))}
FACES = [name.removesuffix(".__init__") for name in FILES if name.endswith(".__init__") and name != "io.__init__"]


def package(module: str) -> str:
    first = module.partition(".")[0]
    return "ground" if first in GROUND else first


def statements(within: ast.AST) -> Iterator[ast.AST]:
    """The statements within a module or a statement, at every depth. Imports are statements, so expressions are left
    out."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for statement in getattr(within, part, ()):
            yield statement
            yield from statements(statement)


@cache
def imports(file: Path) -> tuple[tuple[str, str], ...]:
    """Every name that a file imports from the package, with the name's module."""
    imported = []
    for node in statements(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "counting":
            of = str(node.module).removeprefix("counting").removeprefix(".")
            imported += [(of, alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            assert not any(alias.name.split(".")[0] == "counting" for alias in node.names), file
    return tuple(imported)


def modules(name: str) -> set[str]:
    """The modules of the package that a module imports, including compiled modules and packages."""
    called = {(of, what): f"{of}.{what}".removeprefix(".") for of, what in imports(FILES[name])}
    return {full if full in FILES or what.startswith("_") else of for (of, what), full in called.items()}


def allowed(name: str) -> set[str]:
    if name in LINE:
        return {*LINE[: LINE.index(name) + 1], *ALSO.get(name, ())}
    return {*LINE[: LINE.index(UP_TO[name]) + 1], name, *ALSO.get(name, ())}


def test_every_package_has_its_place() -> None:
    folders = {path.parent.name for path in HOME.glob("*/__init__.py")}
    assert folders == {*LINE, *UP_TO, "io"} - {"ground"}


def test_a_package_imports_only_packages_before_it() -> None:
    used = {name: {package(module) for module in modules(name)} for name in FILES if name != "__init__"}
    assert {
        name: others - allowed(package(name)) for name, others in used.items() if others - allowed(package(name))
    } == {}


def test_a_name_of_a_face_is_imported_from_it_by_others() -> None:
    past_the_face = []
    for name, file in FILES.items():
        for module, what in () if name.endswith("__init__") else imports(file):
            home = module.rpartition(".")[0]
            if home in FACES and package(module) != package(name) and what in import_module(f"counting.{home}").__all__:
                past_the_face.append(f"{name}: from counting.{home} import {what}")
    assert past_the_face == []


@pytest.mark.parametrize("name", FACES)
def test_a_face_loads_the_names_it_shows(name: str) -> None:
    face = import_module(f"counting.{name}".removesuffix(".__init__"))
    shown = {what for module, what in imports(FILES.get(f"{name}.__init__", FILES["__init__"])) if module != "faces"}
    assert sorted(shown) == face.__all__
    for what in face.__all__:
        assert getattr(face, what) is not None
    with pytest.raises(AttributeError):
        _ = face.nothing


@pytest.mark.parametrize("name", ["", *FACES])
def test_tab_shows_every_public_name_and_package(name: str) -> None:
    face = import_module(f"counting.{name}".rstrip("."))
    shown = {match.removeprefix("face.").rstrip("()") for match in Completer({"face": face}).attr_matches("face.")}
    inside = {each.rpartition(".")[2] for each in FACES if each.rpartition(".")[0] == name}
    assert shown - {"io"} == ({*face.__all__} | inside) - {"__version__"}


@pytest.mark.parametrize("name", FACES)
def test_no_name_of_a_face_is_a_file_of_its_package(name: str) -> None:
    """Otherwise an import could give the name or the file, depending on earlier imports."""
    folder = FILES.get(f"{name}.__init__", FILES["__init__"]).parent
    beside = {file.stem for file in folder.glob("*.py")} | {file.parent.name for file in folder.glob("*/__init__.py")}
    assert beside.isdisjoint(import_module(f"counting.{name}".removesuffix(".__init__")).__all__)


def test_a_room_of_the_review_imports_no_other_room() -> None:
    """The folders of the review share the files above them. Only the review and its package import several of these
    folders."""
    rooms = {"dealing", "patrons", "shuffle", "winners"}
    for name in FILES:
        where = name.split(".")
        if where[0] == "review" and name not in ("review.__init__", "review.review"):
            used = {module.split(".")[1] for module in modules(name) if module.startswith("review.")}
            assert used & rooms <= {where[1]}, name


def test_the_twin_shares_no_code_with_the_evaluator() -> None:
    twin = {"verify.reference", "verify.pay_lines"}
    used = {module for name in twin for module in modules(name)} - twin
    assert {package(module) for module in used} == {"ground", "games"}
    assert not used & {"games.hands", "games.hand_tables"}


def test_the_check_of_a_certificate_shares_no_code_with_the_solver() -> None:
    def of_chemin(name: str) -> set[str]:
        return {module for module in modules(name) if package(module) == "chemin"}

    assert of_chemin("chemin.certificate") == {"chemin.rules"}
    of_banque = {"chemin.banque.coups_dealt", "chemin.banque.by_hand_certificate"}
    assert of_chemin("chemin.banque.coups_dealt") == {"chemin.rules", "chemin.certificate"}
    for name in ("by_hand_certificate", "certificate", "apart_certificate"):
        checks = of_banque | {"chemin.banque.certificate", "chemin.rules", "chemin.certificate"}
        assert of_chemin(f"chemin.banque.{name}") <= checks


def test_dealt_coups_of_macao_share_no_code_with_its_exact_law() -> None:
    def of_macao(name: str) -> set[str]:
        return {module for module in modules(name) if package(module) == "chemin"}

    assert of_macao("chemin.macao.simulator") == {"chemin.macao.rules", "chemin.macao.reply"}
    assert of_macao("chemin.macao.reply") == {"chemin.macao.rules"}


def test_packages_up_to_the_dealing_need_no_frames_and_no_figures() -> None:
    for name, file in FILES.items():
        source = file.read_text()
        if package(name) in LINE[: LINE.index("sweep")] and name not in ("exact.censuses", "simulation.estimates"):
            assert not re.search("^ *(import|from) polars", source, re.MULTILINE), name
        if package(name) not in ("reports", "cli"):
            assert not re.search("^ *(import|from) matplotlib", source, re.MULTILINE), name


def test_exact_figures_write_no_file_but_the_censuss_cache() -> None:
    writers = {name for name in FILES if package(name) == "exact" and {"io.outputs", "io.folders"} & modules(name)}
    assert writers <= {"exact.censuses"}
