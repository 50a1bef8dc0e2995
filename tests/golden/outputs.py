"""Small outputs of every command, and their digests: figures, seeds, formats and digests may not change.

    python tests/golden/outputs.py                    # what differs from outputs.csv
    python tests/golden/outputs.py --keep new         # the same, and every output as text in the folder `new`
    python tests/golden/outputs.py --accept 'study/*' # accept the present outputs of these names
    python tests/golden/outputs.py --slow             # also the outputs that take minutes

Tests run the group `long` only with `pytest --long`, and the group `slow` never.

Run it with --keep in both versions, and `diff -r old new` shows the differences. Commands run in this process, each
group in a new folder, so no output contains a path. An output is frozen as text, by its kind:

json, csv   (JSON lines too.) Floats to nine significant digits. Standard errors (`_se`), which are roots of
            differences, to six, and below 1e-12 as 0: least squares and BLAS differ between machines. Whole numbers,
            fractions and names as they are. Texts under the keys `PROSE` are left out, and texts under the keys `NAMES`
            are kept. Other texts with blanks keep their numbers and single capitals, but not their words. A
            verification's checks by instruction set are left out: a machine has only some of them.
parquet     The schema and all values of a table's parts, floats as above, but to six digits for play that is fitted.
arrays      Names, types, shapes and values of arrays that are fitted, to four significant digits: least squares differ
            by processor.
figure      An SVG's lines, areas and markers, as places within its axes to four decimals, and the numbers at its ticks.
            No words, colours or legend.
page        A page's figures, and the cells of its tables that are numbers. Cells with words, and a
            verification's checks by instruction set, are left out.
bytes       The file as it is. A file that polars encodes, or that has digests of such a file, is compared only under
            the version of polars that wrote it: the kind names the version.

Tables on the terminal (`--format table`), help and error lines are words, and are not compared here.
"""

from __future__ import annotations

import os

for _variable in ("OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(_variable, "1")

import argparse
import csv
import hashlib
import io
import json
import math
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from fnmatch import fnmatch
from html.parser import HTMLParser
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any
from unittest.mock import patch
from xml.etree import ElementTree

import numpy as np
import polars as pl

HERE = Path(__file__).parent
DIGESTS = HERE / "outputs.csv"
_TEXT = {"csv": "utf-8-sig"}  # the encoding of a report's tables, which begin with a mark
GIVEN = (HERE.parent / "games" / "rulers.toml", HERE.parent / "systems" / "unbalanced.toml")
"""The files that commands name, besides the files in `inputs`."""

GROUPS = {
    "pricing": """
        games.json: games --format json
        games.csv: games --format csv
        layouts.csv: layouts --format csv
        bets.json: bets ez-baccarat --decks 1 --format json
        systems.json: systems --format json
        systems.csv: systems dragon-7 --format csv
        edges.json: edges louisiana --shoe 8d-7-7-K --format json
        edges.csv: edges no-commission --remove "9 9 A" --format csv
        edges-own-file.json: edges rulers.toml --decks 6 --format json
        edges-by-rank.json: edges punto-banco --bets player-pair tie-8 --shoe r:4,1,3,2,5,0,3,2,4,2,3,1,4 --format json
        edges-by-suit.json: edges punto-banco --bets perfect-pair --shoe 1d-7h-Ks --format json
        edges-known.json: edges punto-banco --known P1=6-9 B2=A,K --format json
        trip.json: trip punto-banco --bet banker-5:100 --coups 60 --result 900 --discount 10% --format json
        trip.csv: trip ez-baccarat --bet dragon-7:25 --coups 40 --format csv
        sample.json: sample --rate 10 --errors 2 --compare 10 40 --format json
        known.json: known punto-banco --decks 1 --slug 9,9,8,8,7,7 --format json
        team.json: team ez-baccarat dragon-7 --target 1000 --bankroll 2000 --runs 20 --format json
        calculator.json: calculator punto-banco --bets tie-8 perfect-pair monkey --system dragon-7 unbalanced.toml
            --decks 6 --burn first-card --out calculator.html --format json
        calculator.csv: calculator louisiana --out calculator-louisiana.html --format csv
        edges-seen.csv: edges punto-banco --known "P1=?" --format csv
        lightning.json: lightning lightning.toml --format json
        lightning.csv: lightning lightning.toml --shoe 2d-7h-Ks --format csv
        effects.json: effects ez-baccarat dragon-7 --decks 1 --system dragon-7 --cards-left 14 26 --format json
        effects.csv: effects punto-banco player-pair --decks 1 --cards-left 26 --format csv
        export.json: export louisiana --out export --format json
        export-suits.json: export punto-banco --bets perfect-pair tie-8 --decks 1 --out export-suits --format json
        simulate.json: simulate punto-banco --coups 2000 --format json
        simulate-replaced.csv: simulate louisiana --coups 1000 --with-replacement --seed 2 --format csv
    """,
    "laws": """
        census.json: census punto-banco tie-8 --decks 1 --cards 6:9 --format json
        census-bins.csv: census ez-baccarat dragon-7 --cards 7 --histogram 5 --format csv
        census-tie-in.json: census ez-baccarat dragon-7 --cards 6:8 --tie-in 1/2 --format json
        census-counter.csv: census ez-baccarat dragon-7 --cards 8 --system dragon-7 --format csv
        estimate.json: estimate punto-banco tie-8 --cards 60:100:40 --samples 1000 --format json
        estimate.csv: estimate ez-baccarat dragon-7 --cards 52 --samples 1000 --seed 3 --format csv
        chemin-solve.json: chemin solve --decks 1 --format json
        chemin-solve.csv: chemin solve --shoe 6d-7-7-K --model B2 --rules modern --format csv
        chemin-solve-commission.json: chemin solve --model A1 --commission 0.05 --format json
        chemin-solve-commission.csv: chemin solve --decks 1 --commission 2.5% --format csv
        chemin-table.json: chemin table --decks 6 --format json
        chemin-table.csv: chemin table --decks 6 --undecided --format csv
        chemin-removal.json: chemin removal --decks 1 --model B1 --format json
        chemin-removal.csv: chemin removal --decks 2 --format csv
        chemin-decks.csv: chemin decks 2 --format csv
        chemin-bank.json: chemin bank --decks 2 --model B1 --wins 3 --format json
        chemin-bank.csv: chemin bank --decks 1 --commission 0 --wins 2 --format csv
        chemin-banque.json: chemin banque --model A1 --theta 0 1/2 --format json
        chemin-banque.csv: chemin banque --decks 1 --leaves-third --theta 1/3 --format csv
        chemin-banque-by-hand.csv: chemin banque --shoe v:3,1,0,1,1,3,1,0,0,1 --model B3 --leaves-third --format csv
        chemin-banque-apart.json: chemin banque --model A1 --theta 0 1/4 --apart --format json
        chemin-macao.json: chemin macao victoria --decks 1 --format json
        chemin-macao.csv: chemin macao macao --decks 1 --simulate 5000 --format csv
        chemin-own.json: chemin own --decks 1 --format json
        chemin-gains.json: chemin gains 6:8:2 --decks 2 --format json
        chemin-gains.csv: chemin gains 7 --commission 1/40 --format csv
        chemin-own.csv: chemin own louisiana --decks 1 --sees total --format csv
        chemin-own-cards.csv: chemin own louisiana --cards 6:7 --format csv
        chemin-own-cards.json: chemin own ez-baccarat --decks 2 --cards 8 --format json
    """,
    "sweeps": """
        sweep.json: sweep rulers.toml --decks 1 --shoes 450 --burn first-card --bets dragon-7 super-6
            --system dragon-7 unbalanced.toml --out sweep --format json
        sweep-pairs.csv: sweep punto-banco --decks 1 --cut 20 --shoes 250 --seed 9 --bets player-pair tie-8
            --rows-every 7 --no-penetration --after-cut 2,1 --out sweep-pairs --format csv
        sweep-sums.csv: sweep louisiana --decks 2 --dealing louisiana-75 --shoes 201 --bets seven-seven-45 banker
            --no-rows --out sweep-sums --format csv
        summary-systems.csv: summary sweep --by systems --cut 14 20 --format csv
        summary-penetration.json: summary sweep --by penetration --cut 14 26 --format json
        summary-cards-left.csv: summary sweep --by cards-left --format csv
        summary-dealing.json: summary sweep --by dealing --format json
        summary-other-game.csv: summary sweep --game ez-baccarat --format csv
        score.json: score sweep --bankroll 20000 --stake 100 --horizon 400 --check --format json
        score.csv: score sweep --every --format csv
        report.json: report sweep --out report --format json
        vulnerability.json: vulnerability ez-baccarat dragon-7 --decks 1 --shoes 400 --system dragon-7
            dragon-7-unbalanced --out vulnerability --format json
        vulnerability.csv: vulnerability ez-baccarat dragon-7 --decks 1 --shoes 400 --system dragon-7
            dragon-7-unbalanced --out vulnerability --format csv
    """,
    "limits": """
        limits.json: limits ez-baccarat --bet dragon-7 --bound 10/hour --tie-in 0 --most-bet 50 100 --minimum 25
            --decks 1 --deepest 14 --shoes 2000 --model sit-out --system dragon-7 --out limits --format json
        statement.json: statement pit.toml --shoes 2000 --out statement --format json
        audit.json: audit ez-baccarat --coups coups.csv --bets bets.csv --cut 14 --burn first-card --allow-unread 0.05
            --out audit --format json
        results.json: results ez-baccarat --coups coups.csv --level 0.05 --format json
        watch.jsonl: watch ez-baccarat --coups coups.csv --bets bets.csv --system dragon-7 --most-bet 100
            --rule "edge > 0" "trigger dragon-7" "stake > 20 and edge > 0" --once --format json
    """,
    "shoes": """
        shuffle.json: shuffle coups.csv --draws 839 --allow-unread 0.05 --out shuffle --format json
    """,
    "long": """
        bets.csv: bets louisiana --decks 1 --format csv
        chemin-decks.json: chemin decks 1:3 --model B1 B2 --figure decks.svg --format json
        chemin-banque-by-hand.json: chemin banque --decks 1 --model B3 --theta 1/3 1/2 --format json
        chemin-banque-apart.csv: chemin banque --shoe v:5,0,0,1,0,0,3,0,0,2 --model B1 --theta 1/4 --apart --format csv
        limits-two.csv: limits louisiana --bet seven-seven-45 tie-9 --together --bound 0.05/shoe --tie-in 0 2 --decks 1
            --deepest 14 --shoes 2000 --model sit-out --out limits-two --format csv
        compare.json: compare louisiana-45-most-25 louisiana-45-shuffle-75 --shoes 2000 --out compare --format json
        audit.csv: audit punto-banco --coups coups.csv --bets bets.csv --decks 8 --level 0.05 --seed 2
            --allow-unread 1 --out audit-punto-banco --format csv
        shuffle.csv: shuffle coups.csv --seed 3 --level 0.1 --allow-unread 0.05 --format csv
        study.json: study punto-banco --decks 1 --shoes 300 --out study --format json
    """,
    "slow": """
        verify.json: verify punto-banco --shoes 100 --out verify --format json
        limits-rare.json: limits ez-baccarat --bet dragon-7 panda-8 --bound 0.1/100-coups --tie-in 0 1 --side-share 1/4
            --decks 2 --cut 40 --deepest 41 --shoes 2000 --system dragon-7 --missed 0.05 --main player banker
            --model sit-out skip-3 play-all:1 --out limits-rare --format json
        statement-share.json: statement louisiana-45-quarter --shoes 2000 --out statement-share --format json
    """,
}

PROSE = {
    "answer", "check", "command", "dealing", "how", "machine", "rare", "reason", "source", "stated", "subject", "title",
    "upper_limits", "what",
}  # fmt: skip
NAMES = {"bet", "bets", "known", "shoe", "verdict"}
BYTES = {"plan.json", "manifest.json", "bracket.json", ".counting.json"}
ENCODED = f"bytes of polars {pl.__version__}"
KINDS = {".html": "page", ".npz": "arrays", ".svg": "figure"}
LEFT_OUT = "…"
COLUMNS = ("name", "group", "kind", "digest", "command")
_NUMBER = re.compile(r"[-+−]?(\d[\d,]*\.?\d*|\.\d+)([eE][-+]?\d+)?")


@dataclass(frozen=True)
class Output:
    """One output of a command. `text` is what is frozen of it. `name` is its name in `GROUPS` if the command prints it,
    and its path if the command writes it."""

    name: str
    kind: str
    command: str
    text: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


def commands(group: str) -> Iterator[tuple[str, list[str]]]:
    """For each command of the group, the name of the output that it prints, and the words of the command."""
    for line in re.split(r"\n {8}(?! )", GROUPS[group].rstrip())[1:]:
        name, words = line.split(":", 1)
        yield name, shlex.split(words)


def outputs(group: str) -> list[Output]:
    """What the commands of the group print and write."""
    made: list[Output] = []
    with tempfile.TemporaryDirectory() as folder, _setting(Path(folder)):
        known = set(_files())
        for name, words in commands(group):
            line, kind = shlex.join(words), name.rpartition(".")[2]
            made.append(Output(name, kind, line, frozen(kind, _printed(words))))
            new = [path for path in _files() if path not in known]
            known.update(new)
            made += _written(new, line)
    return made


@contextmanager
def _setting(folder: Path) -> Iterator[None]:
    """Work in a new folder that has only the files that commands name, with a separate cache. Lines are drawn with
    all points."""
    import matplotlib as mpl

    run = folder / "run"
    run.mkdir()
    for path in (*GIVEN, *(HERE / "inputs").iterdir()):
        shutil.copy(path, run)
    cache = {"COUNTING_CACHE": str(folder / "cache")}
    with chdir(run), patch.dict(os.environ, cache), mpl.rc_context({"path.simplify": False}):
        yield


def _printed(words: Sequence[str]) -> str:
    (script,) = entry_points(group="console_scripts", name="counting")
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = script.load()(list(words))
    if status != 0:
        raise RuntimeError(f"counting {shlex.join(words)}: status {status}: {err.getvalue()}")
    return out.getvalue()


def _files() -> list[Path]:
    """The files in this folder, without locks, and without the records that a sweep removes when it is finished."""
    return sorted(path for path in Path().rglob("*") if path.is_file() and path.name not in (".lock", ".sha256"))


def _written(files: Iterable[Path], command: str) -> Iterator[Output]:
    """The outputs of these files. The parts of a table are one output, and the digests of all parts of a sweep are
    another."""
    parts: dict[Path, list[Path]] = {}
    sweeps: dict[Path, list[Path]] = {}
    for path in files:
        kind = KINDS.get(path.suffix, path.suffix[1:])
        if kind == "parquet":
            parts.setdefault(path.parent, []).append(path)
            if _of_sweep(path):
                sweeps.setdefault(path.parents[1], []).append(path)
        elif kind == "arrays":
            yield Output(path.as_posix(), kind, command, _arrays(path))
        elif path.name == "manifest.json" and (path.parent / "plan.json").exists():
            yield Output(path.as_posix(), ENCODED, command, path.read_text())
        else:
            kind = "bytes" if path.name in BYTES else kind
            yield Output(path.as_posix(), kind, command, frozen(kind, path.read_text(_TEXT.get(kind, "utf-8"))))
    for folder, paths in parts.items():
        texts = (f"{path.name}\n{_parquet(path)}" for path in paths)
        yield Output(f"{folder.as_posix()}/parts", "parquet", command, "".join(texts))
    for folder, paths in sweeps.items():
        digests = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n" for path in paths)
        yield Output(f"{folder.as_posix()}/digests", ENCODED, command, "".join(digests))


def _of_sweep(part: Path) -> bool:
    return (part.parents[1] / "plan.json").exists()


def frozen(kind: str, text: str) -> str:
    """The part of an output that is kept, as text that can be compared line by line."""
    match kind:
        case "json":
            return json.dumps(_plain(json.loads(text)), indent=1, ensure_ascii=False) + "\n"
        case "jsonl":
            return "".join(
                json.dumps(_plain(json.loads(line)), ensure_ascii=False) + "\n" for line in text.splitlines()
            )
        case "csv":
            return _csv(text)
        case "figure":
            return "".join(f"{line}\n" for line in _figure(text))
        case "page":
            return "".join(f"{line}\n" for line in _page(text))
        case "bytes":
            return text
    raise ValueError(f"{kind}: no kind of output")


def _float(value: float, key: str = "", digits: int = 9) -> str:
    if not math.isfinite(value):
        return str(value)
    return f"{0.0 if abs(value) < 1e-12 else value:.{6 if key.endswith('_se') else digits}g}"


def _text(text: str, key: str) -> str:
    """What is kept of a text under this key."""
    if key in PROSE:
        return LEFT_OUT
    if " " not in text.strip() or key in NAMES:
        return text
    return " ".join([LEFT_OUT, *re.findall(r"[-+−]?\d[\w.,/:%]*(?<![.,:])|\b[A-Z]\b", text)])


def _plain(data: Any, key: str = "") -> Any:
    if isinstance(data, dict) and any(" " in name for name in data):  # the keys are names of cells
        return [[_text(name, key), _plain(value, key)] for name, value in data.items()]
    if isinstance(data, dict):
        return {name: _plain(value, key if key in PROSE else name) for name, value in data.items()}
    if isinstance(data, list):
        return [_plain(value, key) for value in data if not _is_by_instruction_set(value)]
    if isinstance(data, float):
        return f"float {_float(data, key)}"
    return _text(data, key) if isinstance(data, str) else data


_INSTRUCTION_SET = r"\b(plain|avx2|avx512)\b"


def _is_by_instruction_set(value: Any) -> bool:
    return isinstance(value, dict) and bool(re.match(_INSTRUCTION_SET, str(value.get("subject"))))


def _csv(text: str) -> str:
    rows = list(csv.reader(io.StringIO(text)))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows(rows[:1])
    for row in rows[1:]:
        writer.writerow([_cell(value, key) for value, key in zip(row, rows[0], strict=True)])
    return out.getvalue()


def _cell(text: str, key: str) -> str:
    if re.fullmatch(r"-?\d+(\.\d+([eE][-+]?\d+)?|[eE][-+]?\d+)", text):
        return _float(float(text), key)
    return _text(text, key)


def _parquet(path: Path) -> str:
    frame, digits = pl.read_parquet(path), 9 if _of_sweep(path) else 6
    schema = "".join(f"{name}: {kind}\n" for name, kind in frame.schema.items())
    floats = [name for name, kind in frame.schema.items() if kind.is_float()]
    values = frame.with_columns(
        *(
            pl.Series(name, [None if v is None else _float(v, name, digits) for v in frame[name]], pl.String)
            for name in floats
        )
    )
    return schema + values.write_csv()


def _arrays(path: Path) -> str:
    with np.load(path) as arrays:
        return "".join(
            f"{name}: {array.dtype} {array.shape} {' '.join(_number(value) for value in array.flat)}\n"
            for name, array in sorted(arrays.items())
        )


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, np.floating) else str(value)


class _Cells(HTMLParser):
    """The cells of a page's tables that are numbers, one line for each row. Rows about an instruction set are left
    out."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.row: list[str] = []
        self.words = ""
        self.cell: str | None = None

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag == "table":
            self.lines.append("table")
        elif tag == "tr":
            self.row, self.words = [], ""
        elif tag == "td":
            self.cell = ""

    def handle_data(self, data: str) -> None:
        self.words += f"{data} "
        if self.cell is not None:
            self.cell += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "td" and self.cell is not None:
            self.row.append(self.cell.strip() if _is_number(self.cell) else LEFT_OUT)
            self.cell = None
        elif tag == "tr" and self.row and not re.search(_INSTRUCTION_SET, self.words):
            self.lines.append(" | ".join(self.row))


def _is_number(text: str) -> bool:
    """Whether a cell has only figures and signs, such as `2.35 ± 0.07%`, `-1/3` or a digest."""
    left = _NUMBER.sub("", text)
    return bool(re.fullmatch(r"[0-9a-f]{64}", text.strip())) or (left != text and not re.search(r"\w", left))


def _page(text: str) -> Iterator[str]:
    drawn = re.compile(r"<svg.*?</svg>", re.DOTALL)
    for figure in drawn.findall(text):
        yield "figure"
        yield from _figure(figure)
    cells = _Cells()
    cells.feed(drawn.sub("", text))
    yield from cells.lines


Box = tuple[float, float, float, float]


def _figure(text: str) -> Iterator[str]:
    yield from _drawn(ElementTree.fromstring(text), "", None)


def _drawn(element: Any, within: str, box: Box | None) -> Iterator[str]:
    """The lines, areas, markers and numbers in an element; `box` are the axes' edges."""
    tag, name = element.tag.rpartition("}")[2], element.get("id", "")
    if tag == "defs" or name.startswith("legend"):
        return
    if tag == "text" and _is_number(element.text):
        yield f"{within} {element.text.strip()}"
    elif tag == "path" and box and "text" not in within:
        yield f"{within} {_places(element.get('d', ''), box)}"
    elif tag == "use" and box and "text" not in within:
        yield f"{within} {_places(' '.join((element.get('x', '0'), element.get('y', '0'))), box)}"
    if name.startswith("axes"):
        box = _box(element)
    for child in element:
        yield from _drawn(child, f"{within}/{name}" if name else within, box)


def _box(axes: Any) -> Box:
    """The edges of axes. They are the edges of the first path in the axes, which is their background."""
    path = next(element for element in axes.iter() if str(element.tag).endswith("}path"))
    numbers = [float(n[0]) for n in _NUMBER.finditer(path.get("d"))]
    return min(numbers[::2]), max(numbers[1::2]), max(numbers[::2]), min(numbers[1::2])


def _places(path: str, box: Box) -> str:
    """A path's points within the axes, from 0 at the left and bottom edges to 1 at the right and top edges."""
    left, low, right, high = box
    points = [float(n[0]) for n in _NUMBER.finditer(path)]
    x = (f"{(value - left) / (right - left) + 0:.4f}" for value in points[::2])
    y = (f"{(value - low) / (high - low) + 0:.4f}" for value in points[1::2])
    return " ".join(f"{a},{b}".replace("-0.0000", "0.0000") for a, b in zip(x, y, strict=True))


def accepted() -> dict[str, dict[str, str]]:
    """The lines of outputs.csv, by name."""
    with DIGESTS.open(newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def differences(group: str, made: Sequence[Output]) -> dict[str, str]:
    """What is different about each output of a group that is not as accepted, by its name."""
    rows = {name: row for name, row in accepted().items() if row["group"] == group}
    changes = dict.fromkeys(rows, "is gone")
    for output in made:
        row = rows.get(output.name)
        if row is None:
            changes[output.name] = "is new"
        elif (row["kind"], row["digest"]) == (output.kind, output.digest) or _of_other_polars(row["kind"], output.kind):
            del changes[output.name]
        else:
            changes[output.name] = f"differs ({output.kind} of `counting {output.command}`)"
    return changes


def _of_other_polars(before: str, now: str) -> bool:
    return before != now == ENCODED and before.startswith(ENCODED.rpartition(" ")[0])


def accept(group: str, made: Sequence[Output], patterns: Sequence[str]) -> None:
    """Write the outputs of a group whose names match a pattern into outputs.csv, and remove matching names that are
    gone."""
    rows = accepted() if DIGESTS.exists() else {}
    now = {output.name: output for output in made}
    for name in {*now, *(name for name, row in rows.items() if row["group"] == group)}:
        if any(fnmatch(name, pattern) for pattern in patterns):
            rows.pop(name, None)
            if name in now:
                output = now[name]
                values = (output.name, group, output.kind, output.digest, output.command)
                rows[name] = dict(zip(COLUMNS, values, strict=True))
    order = list(GROUPS)
    with DIGESTS.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows.values(), key=lambda row: (order.index(row["group"]), row["name"])))


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare small outputs of every command with those accepted.")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write what is compared there, a text each")
    parser.add_argument("--accept", nargs="+", default=[], metavar="NAME", help="as study/*: take them as they are now")
    parser.add_argument("--slow", action="store_true", help="also the outputs that take minutes")
    options = parser.parse_args()
    differ = False
    for group in GROUPS:
        if group == "slow" and not options.slow:
            continue
        made = outputs(group)
        for output in made if options.keep else ():
            path = options.keep / f"{output.name}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(output.text)
        if options.accept:
            accept(group, made, options.accept)
        for name, what in differences(group, made).items():
            print(f"{name}: {what}")
            differ = True
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
