"""Folders of results: a command that was cut short can be run again; with other settings it gets another folder."""

import contextlib
import json
import re
import shutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

import left_out
import pytest
from extent import long_or

import counting.requests
from counting.cli import main
from counting.errors import InputError
from counting.io.folders import Record, alone, claimed, default_folder, refuse_differing
from counting.io.outputs import write_bytes

COUPS = "table,shoe,coup,player,banker,winner,burn\n12,1,1,9h Kd,3s 4c,player,\n12,1,2,5c 5s 2d,7h Qd,banker,\n"
PIT = 'title = "Pit"\ngame = "ez-baccarat"\nside_bets = ["dragon-7"]\ncut = 20\nminimum = 25\nmost_bet = 100\n'

# Commands that fill the folder given by --out, by what the folder then holds.
COMMANDS = {
    "sweep": ["sweep", "punto-banco", "--shoes", "250", "--bets", "player"],
    "study": ["study", "punto-banco", "--shoes", "250", "--bet", "player"],
    "vulnerability report": ["vulnerability", "ez-baccarat", "panda-8", "--shoes", "250", "--system", "panda-8"],
    "statement": ["statement", "pit.toml", "--shoes", "2000", "--fit", "200"],
    "audit": ["audit", "punto-banco", "--coups", "coups.csv"],
    "export": ["export", "punto-banco"],
    "report": ["report", "played"],
}


@pytest.fixture(autouse=True)
def _there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("coups.csv").write_text(COUPS)
    Path("pit.toml").write_text(PIT)
    monkeypatch.setattr("counting.bounds.statements.least_bets", lambda _: 0)  # no search for rare main bets
    left_out.figures(monkeypatch)


def files(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


@pytest.mark.parametrize("kind", COMMANDS)
def test_a_command_that_was_cut_short_runs_again(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is cut short before its first write or a later one, and leaves a temporary file as after a kill."""
    if kind == "report":
        assert main(["sweep", "punto-banco", "--shoes", "250", "--bets", "player", "--out", "played"]) == 0
    command = [*COMMANDS[kind], "--out"]
    assert main([*command, "in"]) == 0
    whole = files(Path("in"))
    shutil.rmtree("in")
    for step in long_or((1, len(whole) - 3), (len(whole) - 3,) if kind in ("study", "report") else (1,)):
        left = [step]

        def killed(path: Path, content: bytes, left: list[int] = left, **how: bool) -> None:
            if not left[0]:
                path.with_name(".counting-12345678.part").write_bytes(content[:10])
                raise SystemExit
            left[0] -= 1
            write_bytes(path, content, **how)

        with monkeypatch.context() as patched, contextlib.suppress(SystemExit):
            for module in ("io.outputs", "io.folders", "sweep.folder"):
                patched.setattr(f"counting.{module}.write_bytes", killed)
            main([*command, "in"])
        assert main([*command, "in"]) == 0
        again = files(Path("in"))
        assert set(again) == set(whole)
        different = [name for name in whole if again[name] != whole[name]]
        assert not [name for name in different if name.endswith((".parquet", ".csv", ".npz"))]
        shutil.rmtree("in")


@pytest.mark.long
def test_every_kind_of_folder_is_refused_by_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    """By default, each kind is refused by three of the others, and each command meets at least two kinds."""
    commands = {**COMMANDS, "verification": ["verify", "--shoes", "100"]}
    assert main(["sweep", "punto-banco", "--shoes", "250", "--out", "played"]) == 0
    for kind, command in COMMANDS.items():
        if kind in ("sweep", "export"):
            assert main([*command, "--out", kind]) == 0
        else:
            with claimed(Path(kind), kind, {}):
                pass
    before = {kind: files(Path(kind)) for kind in COMMANDS}
    capsys.readouterr()
    for held in COMMANDS:
        an = "an" if held[0] in "aeiou" else "a"
        others = [kind for kind in commands if kind != held]
        at = list(COMMANDS).index(held)
        for kind in long_or(others, [others[(at + turn) % len(others)] for turn in (0, 2, 5)]):
            assert main([*commands[kind], "--out", held]) == 2
            said = f"counting: {held}: holds {an} {held}, should be a new or empty folder (--out)\n"
            assert capsys.readouterr().err == said
    assert {kind: files(Path(kind)) for kind in COMMANDS} == before


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "change", "name"),
    [
        (COMMANDS["study"], ["--cut", "20"], "punto-banco-study"),
        (COMMANDS["vulnerability report"], ["--seed", "2"], "panda-8-vulnerability"),
        (COMMANDS["export"], ["--decks", "6"], "punto-banco-export"),
    ],
)
def test_a_command_with_another_rule_has_a_folder_of_its_own(
    command: list[str], change: list[str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made() -> set[str]:
        return {one.name for one in Path().iterdir() if one.is_dir()}

    assert main(command) == 0
    assert made() == {name}
    first = files(Path(name))
    assert main([*command, *change]) == 0
    (other,) = made() - {name}
    assert re.fullmatch(rf"{name}-[0-9a-f]{{8}}", other)
    assert files(Path(name)) == first
    parts = {file: file.stat().st_mtime_ns for file in Path().rglob("*.parquet")}
    for again in (command, [*command, *change]):
        assert main(again) == 0
    assert made() == {name, other}
    assert {file: file.stat().st_mtime_ns for file in Path().rglob("*.parquet")} == parts


def test_an_audit_of_other_files_has_a_folder_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    command = COMMANDS["audit"]
    assert main(command) == 0
    Path("coups.csv").write_text(COUPS.replace("Kd", "Qd"))
    for _ in range(2):
        assert main(command) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"The page: {next(Path().glob('audit-*'))}/report.html"
    assert len(list(Path().glob("audit*"))) == 2


def test_more_shoes_extend_the_default_folder() -> None:
    command = ["study", "punto-banco", "--bet", "player", "--shoes"]
    assert main([*command, "200"]) == 0
    first = {file: file.stat().st_mtime_ns for file in Path().rglob("part-000000.parquet")}
    assert main([*command, "400"]) == 0
    assert [path.name for path in Path().glob("*study*")] == ["punto-banco-study"]
    assert all(file.stat().st_mtime_ns == when for file, when in first.items())
    assert json.loads(Path("punto-banco-study/report.json").read_text())["plan"]["shoes"] == 400
    assert main([*command, "200"]) == 0
    assert main([*command, "400"]) == 0
    assert len(list(Path().glob("*study*"))) == 2


@pytest.mark.long
def test_a_folder_that_the_version_before_began_is_gone_on_with() -> None:
    """The version before wrote no mark into the folder."""
    for kind in ("study", "vulnerability report"):
        assert main([*COMMANDS[kind], "--out", kind]) == 0
        (Path(kind) / ".counting.json").unlink()
        assert main([*COMMANDS[kind], "--out", kind]) == 0
        assert json.loads((Path(kind) / ".counting.json").read_text())["holds"] == kind


def test_a_default_name_that_is_taken_gets_the_next_digits() -> None:
    plan = "0123456789abcdef" * 4
    Path("mine").write_text("a file")
    assert default_folder("mine", plan) == Path("mine-01234567")
    Path("mine-01234567").mkdir()
    assert default_folder("mine", plan) == Path("mine-01234567")
    (Path("mine-01234567") / "letter.txt").touch()
    assert default_folder("mine", plan) == Path("mine-89abcdef")
    Path("mine").unlink()
    assert default_folder("mine", plan) == Path("mine")


def test_a_folder_is_for_one_process_and_its_stray_files_are_cleared() -> None:
    Path("in/tables").mkdir(parents=True)
    Path("in/sweep").mkdir()
    own = (".counting-1a.part", "tables/.counting-2b.part")
    others = {".notes.2024", ".report.html.12", "sweep/.lock", "sweep/.counting-3c.part", ".counting.json", ".a.part"}
    for name in (*own, *others):
        (Path("in") / name).touch()
    with alone(Path("in")):
        assert set(files(Path("in"))) == {".lock", *others}
        with pytest.raises(counting.InputError, match="another command is running in it"), alone(Path("in")):
            pass


def test_a_damaged_mark_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with claimed(Path("in"), "audit", {"files": {}}):
        pass
    (Path("in") / ".counting.json").write_text("{")
    assert main([*COMMANDS["audit"], "--out", "in"]) == 2
    assert capsys.readouterr().err == "counting: in/.counting.json: cannot be read as JSON\n"


def test_a_mark_that_says_of_nothing_what_it_holds_is_written_again() -> None:
    """One flipped bit damages the mark in this way. Other files in the folder show what it holds."""
    assert main([*COMMANDS["study"], "--out", "in"]) == 0
    mark = Path("in/.counting.json")
    whole = mark.read_text()
    mark.write_text(whole.replace("holds", "iolds"))
    assert main([*COMMANDS["study"], "--out", "in"]) == 0
    assert mark.read_text() == whole


def test_one_setting_that_differs_is_named_with_its_values_and_several_by_name(tmp_path: Path) -> None:
    held = {"shoes": 5, "seed": 1, "cut": 14, "burn": "none", "game": "x"}
    for changes, words in (
        ({"seed": 2}, "seed (1 in the folder, 2 now)"),
        ({"burn": "first-card"}, 'burn ("none" in the folder, "first-card" now)'),
        ({"game": "y" * 200}, "game"),
        ({"seed": 2, "cut": 15}, "seed, cut"),
        ({"shoes": 6, "seed": 2, "cut": 15, "burn": "1", "game": "y"}, "shoes, seed, cut and 2 more"),
    ):
        expected = rf"holds a sweep that differs in {re.escape(words)}, should be another folder \(--out\)$"
        with pytest.raises(InputError, match=expected):
            refuse_differing(tmp_path, "sweep", held, held | changes)
    refuse_differing(tmp_path, "sweep", held, held | {"seed": 2}, but=["seed"])


@pytest.mark.parametrize("cut", range(1, 70))
def test_a_line_of_a_record_that_was_cut_short_takes_no_other_with_it(cut: int, tmp_path: Path) -> None:
    Record(tmp_path).write("a", b"first")
    Record(tmp_path).write("b", b"second")
    whole = (tmp_path / ".sha256").read_bytes()
    (tmp_path / ".sha256").write_bytes(whole[:-cut])
    record = Record(tmp_path)
    record.write("c", b"third")
    record.write("d", b"fourth")
    again = Record(tmp_path)
    assert {name for name in "abcd" if again.is_good(name)} >= {"c", "d"} | ({"a"} if cut < 68 else set())
    assert again.digests.keys() <= {*"abcd"}


NO_FOLDERS = {
    "a\0b": "'a\\x00b': should be the name of a new or empty folder",
    "\udcff": "'\\udcff': should be the name of a new or empty folder",
    "-x": "'-x': should be the name of a new or empty folder",
    "": "'.': should be the name of a new or empty folder",
    f"new/{'x' * 256}": f"new/{'x' * 36}...: a name is too long, should have at most 255 bytes",
    "x/" * 3000: f"{'x/' * 20}...: cannot be made: ",
    "pit.toml": "pit.toml: cannot be made: it is a file, should be a new or empty folder",
    "pit.toml/new/out": "pit.toml/new/out: cannot be made: pit.toml is a file, should be a new or empty folder",
}


@cache
def answer() -> counting.Answer[Any]:
    """An answer without a folder."""
    return counting.sample(rate=10)


@pytest.mark.parametrize("out", NO_FOLDERS)
def test_a_folder_that_cannot_be_made_is_refused_before_the_work(out: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform == "win32" and len(out) > 5000:
        pytest.skip("Windows has no such limit")
    made = answer()
    monkeypatch.setattr("counting.requests.Host.stage", lambda *_: pytest.fail("the work began"))
    for ask in (counting.study, lambda game, out: counting.effects(game, "player", out=out)):
        with pytest.raises(InputError, match=f"^{re.escape(NO_FOLDERS[out])}") as failure:
            ask("punto-banco", out=out)
        assert len(str(failure.value).splitlines()) == 1
    with pytest.raises(InputError):
        made.save(out)
    assert sorted(path.name for path in Path().iterdir()) == ["coups.csv", "pit.toml"]


# A command for each request that fills its folder only after the work.
FILLED_AFTER = {
    "effects": ["effects", "punto-banco", "player"],
    "census": ["census", "punto-banco", "player", "--cards", "6:30"],
    "trip": ["trip", "punto-banco", "--bet", "banker-5:100", "--coups", "80"],
    "team": ["team", "ez-baccarat", "dragon-7", "--stake", "25", "--target", "1000", "--tables", "2"],
    "sample": ["sample", "--rate", "10"],
    "known": ["known", "punto-banco"],
    "score": ["score", "played"],
    "shuffle": ["shuffle", "coups.csv"],
    "results": ["results", "punto-banco", "--coups", "coups.csv"],
    "alerts": ["watch", "punto-banco", "--report", "journal"],
    "audit": COMMANDS["audit"],
}


def test_a_folder_of_something_else_is_refused_before_the_work(capsys: pytest.CaptureFixture[str]) -> None:
    """The commands' log, journal and sweep are missing, so a command that read one of them first would report this."""
    Path("coups.csv").unlink()
    holding_others, holding_a_sweep = Path("others"), Path("swept")
    holding_others.mkdir()
    (holding_others / "letter.txt").write_text("mine")
    with claimed(holding_a_sweep, "study", {}):
        pass
    kinds = [getattr(counting.requests, name) for name in counting.requests.__all__ if name.endswith("Request")]
    assert {*FILLED_AFTER} == {kind.holds for kind in kinds} - {""}
    for kind, command in FILLED_AFTER.items():
        for folder, held in ((holding_others, f"other files and no {kind}"), (holding_a_sweep, "a study")):
            assert main([*command, "--out", str(folder)]) == 2
            said = f"counting: {folder}: holds {held}, should be a new or empty folder (--out)\n"
            assert capsys.readouterr().err == said
    assert files(holding_others) == {"letter.txt": b"mine"}
