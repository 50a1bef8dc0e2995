"""The packages and what they import, as `docs/packages.svg`: `python docs/packages.py [--check]`.

The picture is drawn from the imports of every file; `--check` compares the file with them.
"""

from __future__ import annotations

import ast
import sys
from html import escape
from importlib.util import find_spec
from pathlib import Path

FILE = Path(__file__).with_name("packages.svg")
LINE = ("games", "systems", "exact", "simulation", "sweep", "analysis", "bounds", "reports", "requests", "app", "cli")
BESIDE = {
    "chemin": "games",
    "logs": "games",
    "trips": "exact",
    "review": "simulation",
    "live": "sweep",
    "verify": "analysis",
}  # packages outside the line: each is drawn above this package of the line, and so above all that it imports
WORDS = {
    "ground": "cards, errors, files, workers",
    "games": "coups, tableaux, bets, games",
    "systems": "counting systems",
    "exact": "events, edges, effects, census",
    "simulation": "dealing, shoes, estimates",
    "sweep": "plan, play, keep, read",
    "analysis": "summaries, scores, bankrolls",
    "bounds": "brackets, frontiers, rules",
    "reports": "pages, figures, text",
    "requests": "verbs, answers, workbooks",
    "app": "the application",
    "cli": "the command line",
    "chemin": "chemin de fer, banque, macao",
    "logs": "other people's logs, layouts",
    "live": "tables while they deal",
    "trips": "a patron's result, offers",
    "review": "dealers, patrons",
    "verify": "the project against itself",
}
_WIDTH, _HEIGHT, _STEP, _LEFT, _TOP = 190, 44, 58, 30, 30


def package(module: str) -> str:
    """The package of a module of `counting`: files at the root, and `io`, are the ground."""
    first = module.removeprefix("counting").lstrip(".").split(".")[0]
    return first if first in {*LINE, *BESIDE} else "ground"


def arrows() -> dict[tuple[str, str], int]:
    """For each pair of packages, how many files of the first import the second."""
    spec = find_spec("counting")
    assert spec is not None
    home = Path(str(spec.origin)).parent
    found: dict[tuple[str, str], int] = {}
    for file in sorted(home.rglob("*.py")):
        if file == home / "__init__.py":
            continue
        own = package("counting." + ".".join(file.relative_to(home).with_suffix("").parts))
        nodes = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.ImportFrom)]
        used = {package(str(node.module)) for node in nodes if str(node.module).split(".")[0] == "counting"}
        for other in used - {own}:
            found[own, other] = found.get((own, other), 0) + 1
    return found


def drawing(found: dict[tuple[str, str], int]) -> str:
    """The picture as SVG: the line from the ground upwards, the packages beside it, and a curve for each import of a
    package by another."""
    order = ("ground", *LINE)
    column = {name: (_LEFT + 110, _TOP + _STEP * (len(order) - 1 - at)) for at, name in enumerate(order)}
    tops = [*BESIDE.values()]
    across = [_LEFT + 460 + (_WIDTH + 30) * tops[:at].count(top) for at, top in enumerate(tops)]
    place = column | {
        name: (x, column[top][1] - _STEP // 2) for x, (name, top) in zip(across, BESIDE.items(), strict=True)
    }
    width, height = max(across) + _WIDTH + 60, _TOP + _STEP * len(order) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        'font-size="12" fill="none">',
        "<title>The packages of counting: each imports only those below it</title>",
        "<style>text{fill:#222}path{stroke:#777}rect{stroke:#444;fill:#f4f4f4}@media(prefers-color-scheme:dark)"
        "{text{fill:#ddd}path{stroke:#999}rect{stroke:#aaa;fill:#222}}</style>",
    ]
    for (own, other), files in sorted(found.items()):
        (x1, y1), (x2, y2) = place[own], place[other]
        label = escape(f"{own} imports {other} in {files} {'file' if files == 1 else 'files'}")
        if own in column and other in column:
            bend = 14 * (order.index(own) - order.index(other))
            curve = f"M{x1} {y1 + _HEIGHT // 2} C{x1 - bend} {y1 + _HEIGHT} {x2 - bend} {y2} {x2} {y2 + _HEIGHT // 2}"
        elif own in BESIDE and other in BESIDE:
            right = x1 + _WIDTH
            curve = f"M{right} {y1 + _HEIGHT // 2} C{right + 50} {y1} {right + 50} {y2} {right} {y2 + _HEIGHT // 2}"
        else:
            from_, to = (x1, x2 + _WIDTH) if x1 > x2 else (x1 + _WIDTH, x2)
            curve = f"M{from_} {y1 + _HEIGHT // 2} L{to} {y2 + _HEIGHT // 2}"
        parts.append(f'<path d="{curve}" stroke-width="{min(4, 0.5 + files / 4):g}"><title>{label}</title></path>')
    for name, (x, y) in place.items():
        parts.append(f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="5"/>')
        parts.append(f'<text x="{x + 10}" y="{y + 18}" font-weight="bold">{name}</text>')
        parts.append(f'<text x="{x + 10}" y="{y + 34}">{escape(WORDS[name])}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    text = drawing(arrows())
    if "--check" not in sys.argv:
        FILE.write_text(text)
    elif not FILE.is_file() or FILE.read_text() != text:
        sys.exit(f"{FILE}: not as the imports are, should be drawn anew: python docs/packages.py")
