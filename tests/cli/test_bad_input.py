"""Bad input from a file or a closed stream gives one line of error. No control sequence in the input reaches the
terminal."""

import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest
from extent import LONG

from counting.bounds import Seat, bracket, load_house
from counting.chemin.macao import load_macao
from counting.cli import main
from counting.errors import MOST_MISTAKES, InputError, Mistakes, printable
from counting.games import load_game
from counting.io.tables import as_csv, as_table
from counting.io.toml import MOST_TOML, read_toml, shipped
from counting.logs import read_log
from counting.simulation import Dealing
from counting.sweep import Plan, Stakes, open_sweep, run
from counting.systems import load_system

ESCAPE = '"\\u001b[2J" = 1\n'
SYSTEM = """title = "a"\nsource = "b"\ncount = "running"\ntags = {A=0,2=0,3=0,4=0,5=0,6=0,7=-1,8=-1,9=0,T=0}\n"""


def toml(folder: Path, text: str) -> Path:
    path = folder / "own.toml"
    path.write_text(text)
    return path


def counting(*command: str | bytes, closed: str = "", files: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command line in a separate process, with these streams closed and at most this number of open files."""

    def limited() -> None:
        for stream in closed:
            os.close(int(stream))
        if files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    given = [sys.executable, "-m", "counting.cli", *command]
    return subprocess.run(given, capture_output=True, text=True, errors="replace", preexec_fn=limited, check=False)


# TOML


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("decks = " + "9" * 5000, "not TOML: a whole number of too many digits"),
        ("decks = 0x" + "f" * 5000, "decks: a whole number beyond 64 bits"),
        ("decks = 9223372036854775808", "decks: a whole number beyond 64 bits"),
        ("a = [[1, {b = 0b" + "1" * 70 + "}]]", "b: a whole number beyond 64 bits"),
        (".".join("a" * 3000) + " = 1", "not TOML: nested too deeply"),
        ("[" + ".".join(["a"] * 100_000) + "]", "not TOML: nested too deeply"),
        ("'a'" + " . 'a'" * 60_000 + " = 1", "not TOML: nested too deeply"),
        ("a = " + "[" * 17 + "]" * 17, "not TOML: nested too deeply"),
        ("a = " + "[" * 5000, "not TOML: nested too deeply"),
        ("a = " + "{a = " * 20_000, "not TOML: nested too deeply"),
        ("#" * (MOST_TOML + 1), "has more than 1,000,000 bytes, should be a TOML file of fewer"),
        ('"\\u001b[2J" = 1\n"\\u001b[2J" = 1', "not TOML: Cannot overwrite a value"),
    ],
)
def test_toml_beyond_measure_is_one_line_at_once(tmp_path: Path, text: str, says: str) -> None:
    path = toml(tmp_path, text)
    begun = time.monotonic()
    for load in (load_game, load_system, load_house):
        with pytest.raises(InputError) as failure:
            load(path)
        assert "\n" not in str(failure.value)
        assert says in str(failure.value)
    assert time.monotonic() - begun < 5


def test_toml_up_to_the_measure_is_read(tmp_path: Path) -> None:
    text = "a = " + "[" * 14 + "9223372036854775807" + "]" * 14 + "\nb = '" + "One. Two. " * 5000 + "'\nc.d.e = -127\n"
    assert read_toml(toml(tmp_path, text + "#" * (MOST_TOML - len(text))))["c"] == {"d": {"e": -127}}


def test_of_very_many_mistakes_the_first_are_told(tmp_path: Path) -> None:
    many = "".join(f"k{i} = 1\n" for i in range(10_000))
    for text, loads in (
        (many, (load_game, load_system)),
        ("[[bets]]\n" * 10_000, (load_game,)),
        (f"[tags]\n{many}", (load_system,)),
    ):
        for load in loads:
            with pytest.raises(InputError, match=r"and (1 more mistake|[\d,]+ more mistakes)$") as failure:
                load(toml(tmp_path, text))
            assert str(failure.value).count("\n") <= MOST_MISTAKES
    mistakes = Mistakes(map(str, range(MOST_MISTAKES)))
    with pytest.raises(InputError, match=r"\n99$"):
        mistakes.report()


def test_macao_without_a_row_for_banker_is_refused(tmp_path: Path) -> None:
    text = re.sub(r"(?s)banker = \[.*?\]", "banker = []", shipped("chemin/macao")["macao"].read_text())
    with pytest.raises(InputError, match="banker: 0 rows, should be 2"):
        load_macao(toml(tmp_path, text))


# What a file says


@pytest.mark.parametrize(
    "text",
    [
        ESCAPE,
        '"a\\nb: forged" = 1\n',
        '"a\\u2028b" = 1\n',
        f"{SYSTEM}[trigger]\n{ESCAPE}",
        f'{SYSTEM}trigger = 1\nbets = ["\\u001b[2J"]\n',
        f'{SYSTEM}trigger = 1\n[published]\ndealing = "x"\n{ESCAPE}',
        '[[bets]]\nname = "\\u001b[2J"\nx = 1\n',
        '[[bets]]\nname = "a\\nb"\n[[bets.pays]]\n"\\u001b" = 1\n',
        'side_bets = ["\\u001b[2J"]\nholds_seat = ["a\\nb"]\n',
        'game = "\\u202e"\n',
    ],
)
def test_keys_and_names_of_a_file_are_told_escaped(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = toml(tmp_path, text)
    for load in (load_game, load_system, load_house):
        with pytest.raises(InputError) as failure:
            load(path)
        for line in str(failure.value).split("\n"):
            assert line.startswith(str(path))
            assert line.isprintable()
    assert main(["edges", str(path)]) == 2
    err = capsys.readouterr().err
    assert all(line.startswith("counting: ") and line.isprintable() for line in err.removesuffix("\n").split("\n"))


def test_printable_changes_nothing_that_prints() -> None:
    assert printable("Müller 9♥ ") == "Müller 9♥ "
    assert printable("\x1b[2J\n\u2028\udcff") == r"\x1b[2J\n\u2028\udcff"


def test_tables_and_csv_on_a_terminal_have_no_commands() -> None:
    assert "\x1b" not in as_table([{"a": "\x1b[2J"}])
    for sign in "=+-@＝＋－＠":
        assert as_csv([{"a": f"{sign}A1"}]).split("\n")[1].startswith("'")


# Names of files


def test_a_name_that_is_not_utf8_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"g\xff.toml")).write_bytes(b"")
    for load in (load_game, load_system, load_house):
        with pytest.raises(InputError, match="should be a name in UTF-8"):
            load(tmp_path / os.fsdecode(b"g\xff.toml"))
    for command in (
        ["sweep", "punto-banco", "--shoes", "1000000000", "--out", os.fsdecode(b"r\xff")],
        ["report", os.fsdecode(b"\xff"), "--out", str(tmp_path / "r")],
        ["study", "punto-banco", "--system", os.fsdecode(b"s\xff.toml")],
    ):
        assert main(command) == 2


def test_a_name_that_no_system_takes_is_one_line(tmp_path: Path) -> None:
    for name in ("a" * 5000, "a" * 5000 + ".toml", "\0", "/" * 5000, str(tmp_path)):
        for load in (load_game, load_system, load_house):
            with pytest.raises(InputError):
                load(name)


# Plans


def _deep(plan: dict[str, object]) -> str:
    return json.dumps(plan | {"bets": 0}).replace('"bets": 0', '"bets": ' + "[" * 50_000 + "]" * 50_000)


@pytest.mark.parametrize(
    "edit",
    [
        lambda plan: json.dumps(plan | {"systems": []}),
        lambda plan: json.dumps(plan | {"systems": {"a": 1}}),
        lambda plan: json.dumps(plan | {"bettors": [1]}),
        lambda plan: json.dumps(plan | {"bettors": [{}]}),
        lambda plan: json.dumps(plan | {"rows": "text"}),
        lambda plan: json.dumps(plan | {"shoes": float("nan")}),
        lambda plan: json.dumps(plan | {"seed": float("inf")}),
        lambda plan: json.dumps(plan | {"after_cut": [0]}),
        lambda plan: json.dumps(plan | {"decks": "\x1b[2J"}),
        lambda plan: json.dumps(plan | {"version": "\x1b[2J\nforged"}),
        lambda plan: json.dumps(plan | {"game": 1}),
        lambda _: "[]",
        lambda _: "[{}]",
        lambda _: "1" * 5000,
        lambda _: "[" * 50_000,
        _deep,
    ],
)
def test_an_edited_plan_is_one_line(tmp_path: Path, edit: Callable[[dict[str, object]], str]) -> None:
    run(Plan(load_game("punto-banco"), Dealing(1), 4), tmp_path)
    plan = tmp_path / "plan.json"
    plan.write_text(edit(json.loads(plan.read_text())))
    with pytest.raises(InputError) as failure:
        open_sweep(tmp_path)
    assert str(failure.value).isprintable()


def test_an_edited_bracket_is_one_line(tmp_path: Path) -> None:
    seat = Seat(load_game("punto-banco"), Dealing(1), Stakes.of(("tie-8",), ()), None)
    bracket(seat, 9, 1, tmp_path)
    for text in ("[", "1" * 5000, "[" * 50_000, "{}", '{"\\u001b[2J\\nforged": 1}'):
        (tmp_path / "bracket.json").write_text(text)
        with pytest.raises(InputError, match=r"cannot be read as JSON$|should be another folder \(--out\)$") as failure:
            bracket(seat, 9, 1, tmp_path)
        assert str(failure.value).isprintable()


# Streams and limits


def test_a_closed_stdout_is_one_line() -> None:
    done = counting("games", closed="1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "counting: output: closed, should be open for what the command prints\n"


def test_with_stderr_closed_nothing_else_is_on_stdout() -> None:
    assert counting("games", "x", closed="2").stdout == ""
    if LONG:
        assert counting("games", "--format", "json", closed="2").returncode == 0
    assert counting("games", closed="12").returncode == 2


@pytest.mark.parametrize("files", [6, 8, 12] if LONG else [8])
def test_too_few_open_files_is_no_traceback(tmp_path: Path, files: int) -> None:
    sweep = ("sweep", "punto-banco", "--shoes", "9", "--out", str(tmp_path / "s"))
    for command in (("edges", "punto-banco"), sweep) if LONG else (sweep,):
        done = counting(*command, files=files)
        assert done.returncode in (0, 2), done.stderr
        assert "Traceback" not in done.stderr


def test_a_damaged_parquet_log_is_one_line_and_no_panic(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    columns = ("table", "shoe", "coup", "player", "banker")
    path, panics = tmp_path / "log.parquet", 0
    pl.DataFrame({name: [f"{name} {i % 9}" for i in range(200)] for name in columns}).write_parquet(path)
    whole = path.read_bytes()
    for number, at in enumerate(range(4, len(whole), max(1, len(whole) // 150))):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        try:
            panicked = False
            pl.read_parquet(path)
        except pl.exceptions.PanicException:
            panicked = True
        except Exception:
            pass
        capfd.readouterr()
        panics += panicked
        # `read_log` first reads a file in a separate process, which takes time. So by default only two of the files
        # that panic, and one that does not, are read.
        if LONG or (panicked and panics <= 2) or number == 75:
            with suppress(InputError):
                read_log(path)
            assert capfd.readouterr().err == ""
    assert panics
    print("still here", file=sys.stderr, flush=True)
    assert capfd.readouterr().err == "still here\n"
