"""A loader reads any file, or raises `InputError` with lines on what is wrong. There is no other exception and no
crash.

Every run tries a hundred mutated files, and a thousand with --long. With COUNTING_MUTATIONS=100000, it tries 100000.
"""

import copy
import json
import os
import random
import re
import shutil
import sys
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from extent import long_or
from own_process import measured
from twins.lines import conditions

from counting.bounds import load_house
from counting.cards import RANKS
from counting.chemin import load_rules
from counting.chemin.macao import load_macao
from counting.errors import InputError
from counting.games import load_game
from counting.games.conditions import CARD_CLASSES, KEYS
from counting.io.toml import shipped
from counting.logs import read_log
from counting.review.synthetic import Flat, deal, log_frames
from counting.simulation import Dealing
from counting.sweep import Plan, open_sweep, run
from counting.systems import load_system

CASES = int(os.environ.get("COUNTING_MUTATIONS", long_or("1000", "108")))
ROUNDS = long_or(20, 6)  # the number of tests among which the cases are divided
TEXTS = (
    "", " ", "\x1b[2J", "a\nb", "a\u2028b", "\u202e", "=1+1", "\N{FULLWIDTH EQUALS SIGN}1", "player", "dragon-7", "1:1",
    "minimum", "to-zero", "x" * 5000, "\0", "../x", "DDDDDSSSSS", "nan", "1/0", "1e999", "\N{BLACK SPADE SUIT}",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    *TEXTS, -1, 1, 8, 52, 417, 2**31, 2**63 - 1, -(2**63), 2**64, 10**40, 0.5, -0.0, 1e308, float("nan"), float("inf"),
    True, False, None, [], {}, [[]], [{}], [1, "a"], {"a": 1}, ["player"], [None], {"": {}}, {"\x1b[2J": 1},
)  # fmt: skip


# Writing TOML: Python has no writer


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return {"nan": "nan", "inf": "inf"}.get(str(value), repr(value))
    return '"none"' if value is None else json.dumps(value)


def written(data: dict[str, Any]) -> bytes:
    return "".join(f"{json.dumps(str(key))} = {toml(value)}\n" for key, value in data.items()).encode(errors="replace")


# Mutations of data, then of bytes


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every place in nested tables and lists: the table or list, and the key."""
    paths = []
    rest = [data]
    while rest:
        here = rest.pop()
        keys = list(here) if isinstance(here, dict) else range(len(here))
        for key in keys:
            paths.append((here, key))
            if isinstance(here[key], dict | list):
                rest.append(here[key])
    return paths


def mutated(data: Any, rng: random.Random) -> Any:
    """A copy in which a few values, keys or parts are changed, added, removed, repeated or nested."""
    data = json.loads(json.dumps(data))
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        there = places(data)
        if not there:
            break
        holder, key = rng.choice(there)
        way = rng.randrange(7)
        if way == 0:
            del holder[key]
        elif way == 1 and isinstance(holder, dict):
            holder[rng.choice(TEXTS)] = holder.pop(key)
        elif way == 2 and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]))
        elif way == 3:
            for _ in range(rng.choice((1, 3, 40))):
                holder[key] = [holder[key]] if rng.random() < 0.5 else {"a": holder[key]}
        elif way == 4 and isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
            number = holder[key]
            holder[key] = rng.choice((-number, number + 1, number * 1000, float(number), str(number)))
        elif way == 5:
            other, name = rng.choice(there)
            if name in other if isinstance(other, dict) else name < len(other):
                copied = json.dumps(other[name])
                holder[key] = json.loads(copied) if len(copied) < 200 else []  # keeps the data small
        else:
            holder[key] = copy.deepcopy(rng.choice(VALUES))
    return data


def torn(content: bytes, rng: random.Random) -> bytes:
    """A copy of the bytes in which some are flipped, removed, repeated or inserted."""
    damaged = bytearray(content)
    for _ in range(rng.choice((1, 1, 3, 20))):
        at = rng.randrange(len(damaged) + 1)
        way = rng.randrange(5)
        if way == 0 and at < len(damaged):
            damaged[at] ^= 1 << rng.randrange(8)
        elif way == 1:
            del damaged[at : at + rng.choice((1, 5, 100))]
        elif way == 2:
            damaged[at:at] = damaged[max(0, at - 20) : at]
        elif way == 3:
            damaged[at:at] = rng.choice((b"\0", b"\xff", b'"', b"'''", b"[", b"{", b"=", b"\n", b"#", b".", b"9" * 50))
        else:
            del damaged[at:]
    return bytes(damaged)


# Loaders, each with the files that it reads


def _toml_files(folder: str) -> list[Path]:
    return list(shipped(folder).values())


@cache
def sweep_folder(folder: Path) -> Path:
    return run(Plan("ez-baccarat", Dealing(1), 4, 1, ("dragon-7",), ("dragon-7",)), folder / "a").folder


@cache
def log_texts() -> tuple[bytes, bytes]:
    game = load_game("punto-banco")
    coups, bets = log_frames(deal(game, Dealing(1), 1, 0, 2), {"a": Flat("player", 5.0, 0.5)}, game, 1)
    return coups.write_csv().encode(), bets.write_csv().encode()


def load_toml(folder: str, load: Callable[[Path], object]) -> Callable[[random.Random, Path], None]:
    def case(rng: random.Random, at: Path) -> None:
        content = rng.choice(_toml_files(folder)).read_bytes()
        if rng.random() < 0.7:
            content = written(mutated(tomllib.loads(content.decode()), rng))
        if rng.random() < 0.4:
            content = torn(content, rng)
        path = at / "own-file.toml"
        path.write_bytes(content)
        load(path)

    return case


def load_lines(rng: random.Random, at: Path) -> None:
    """Load a game whose pay table lines have random conditions. Some have values that no key allows, deep nesting, or
    very many values."""
    data = tomllib.loads(_toml_files("games")[0].read_text())
    for i in range(rng.choice((1, 1, 2, 5))):
        lines = [{**conditions(rng, rng.choice((0, 1))), "odds": f"{n + 2}:1"} for n in range(rng.choice((1, 2, 4)))]
        data["bets"].append({"name": f"lines-{i}", "pays": lines})
    line = rng.choice(data["bets"][-1]["pays"])
    way = rng.randrange(8)
    if way == 0:
        line[rng.choice((*KEYS, "any", "all", "not"))] = copy.deepcopy(rng.choice(VALUES))
    elif way == 1:
        line[rng.choice(("player_number_of", "first_number_of", "number_of"))] = {
            rng.choice((*CARD_CLASSES, *TEXTS)): copy.deepcopy(rng.choice((*VALUES, "0-9", [1, 2])))
        }
    elif way == 2:
        for _ in range(rng.choice((1, 3, 4, 40))):
            line = {rng.choice(("any", "all", "not")): rng.choice((line, [line], [line, {"winner": "tie"}]))}
        data["bets"][-1]["pays"][0] = {**line, "odds": "2:1"}
    elif way == 3:
        line["number_of"] = {name: [0, 1, 2] for name in CARD_CLASSES}
    elif way == 4:
        line["any"] = [conditions(rng, 2) for _ in range(rng.choice((10, 300)))]
    elif way == 5:
        line["player_first_two"] = [f"{a} {b}" for a in RANKS for b in RANKS] * rng.choice((1, 20))
    elif way == 6:
        data["bets"][-1]["pays"] = [{**line, "odds": f"{n + 1}:1"} for n in range(rng.choice((5, 500)))]
    path = at / "lines.toml"
    path.write_bytes(written(mutated(data, rng) if rng.random() < 0.3 else data))
    load_game(path)


def load_plan(rng: random.Random, at: Path) -> None:
    folder = at / "sweep"
    text = (folder / "plan.json").read_text()
    try:
        content = json.dumps(mutated(json.loads(text), rng)).encode()
        (folder / "plan.json").write_bytes(torn(content, rng) if rng.random() < 0.3 else content)
        open_sweep(folder)
    finally:
        (folder / "plan.json").write_text(text)


def load_log(rng: random.Random, at: Path) -> None:
    coups, bets = (torn(text, rng) if rng.random() < 0.7 else text for text in log_texts())
    if rng.random() < 0.3:
        rows = [line.split(b",") for line in coups.split(b"\n")]
        rows[rng.randrange(len(rows))] = [rng.choice(TEXTS).encode(errors="replace") for _ in range(6)]
        coups = b"\n".join(map(b",".join, rows))
    (at / "coups.csv").write_bytes(coups)
    (at / "bets.csv").write_bytes(bets)
    read_log(at / "coups.csv", at / "bets.csv")


def load_parquet(rng: random.Random, at: Path) -> None:
    path = at / "coups.parquet"
    frame = pl.read_csv(log_texts()[0]).head(5)
    frame.with_columns(pl.col("coup").cast(rng.choice((pl.Int8, pl.Float64, pl.String)))).write_parquet(path)
    path.write_bytes(torn(path.read_bytes(), rng))
    read_log(path)


LOADERS: dict[str, Callable[[random.Random, Path], None]] = {
    "game": load_toml("games", load_game),
    "lines": load_lines,
    "system": load_toml("systems", load_system),
    "house": load_toml("bounds/houses", load_house),
    "macao": load_toml("chemin/macao", load_macao),
    "chemin": load_toml("games", load_rules),
    "plan": load_plan,
    "log": load_log,
    "parquet": load_parquet,
}


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_a_mutated_file_is_read_or_refused_in_lines(turn: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    at = tmp_path_factory.mktemp("mutated")
    shutil.copytree(sweep_folder(tmp_path_factory.getbasetemp()), at / "sweep")
    for number in range(turn, CASES, ROUNDS):
        rng = random.Random(number)
        loader = list(LOADERS)[(number // ROUNDS) % len(LOADERS)]
        if loader == "parquet" and CASES <= 1000 and rng.random() < 0.8:  # slow, as each file starts a process
            loader = "log"
        try:
            LOADERS[loader](rng, at)
        except InputError as error:
            for line in str(error).split("\n"):
                assert line
                assert line.isprintable(), (number, loader, line)
        except BaseException as error:
            raise AssertionError(f"case {number}, {loader}") from error


WIDE = {
    "too-many-numbers": [{"number_of": {name: [1, 2] for name in CARD_CLASSES}}],
    "every-two-ranks": [{f"{hand}_first_two": f"{a} {b}"} for i, a in enumerate(RANKS) for b in RANKS[i:]
                        for hand in ("player", "banker")],
    "pairs-and-numbers": [{"pairs_of_one_rank": True}, {"perfect_pairs": 1}, {"player_suit": "hearts"},
                          {"first_number_of": {"K": [1, 2]}},
                          *({"number_of": {name: [1, 2]}} for name in ("A", "5", "9", "face"))],
}  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="there is no resource on Windows")
def test_a_bet_whose_lines_look_at_too_much_is_refused_in_one_line(tmp_path: Path) -> None:
    """Several such bets together take no more time and memory than one may."""
    data = tomllib.loads(_toml_files("games")[0].read_text())
    data["bets"] += [
        {"name": name, "pays": [{**line, "odds": "2:1"} for line in lines]} for name, lines in WIDE.items()
    ]
    path = tmp_path / "wide.toml"
    path.write_bytes(written(data))
    run = measured("-m", "counting.cli", "edges", path)
    assert run.status == 2
    for name, line in zip(WIDE, run.stderr.splitlines(), strict=True):
        assert re.fullmatch(
            rf"counting: {path}: bets \d+ \({name}\), pays: the lines look at .*, should look at fewer.*", line
        )
    assert run.seconds < 20
    assert run.kilobytes < 10**6
