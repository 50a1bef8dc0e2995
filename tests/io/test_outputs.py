"""Files that commands write: a command replaces only files of its kind, whole or not at all, and keeps permissions."""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from counting import InputError
from counting.cli import main
from counting.io.folders import claimed, digests_by_name
from counting.io.outputs import Output, clear_temporary, marked, write_bytes

KIND = marked("a letter of ours", "<!-- ours -->")
COUPS = "table,shoe,coup,player,banker,winner,burn\n12,1,1,9h Kd,3s 4c,player,\n12,1,2,5c 5s 2d,7h Qd,banker,\n"
LETTER = "Dear Ann,\nyours, Bob"


@pytest.fixture(autouse=True)
def _there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    Path("coups.csv").write_text(COUPS)
    Path("letter").write_text(LETTER)
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: str) -> int:
    return stat.S_IMODE(Path(path).stat().st_mode)


def test_a_file_of_another_kind_and_every_way_to_an_input_are_refused() -> None:
    Path("ours").write_text("<!-- ours --> old")
    Path("hard").hardlink_to("ours")
    Path("soft").symlink_to("ours")
    Path("ring").symlink_to("ring")
    Path("folder").mkdir()
    Path("folder/up").symlink_to("..")
    for path in ("ours", "hard", "soft", "folder/up/ours"):
        with pytest.raises(InputError, match=f"--out {path}: this command uses ours for something else"):
            Output(Path(path), KIND, "--out", ["none", None, "ours"])
    for path, why in {
        "letter": "other data, should be a new file or a letter of ours; if version 0.2 wrote it: rm letter",
        "folder": "a folder or a device",
        "none/new": "the folder none is not there", "/dev/null": "a folder or a device", "ring": "no path of a file",
        "nul\0l": "no path of a file", "\udcff": "should be a name in UTF-8", "x" * 256: "cannot be written",
    }.items():  # fmt: skip
        with pytest.raises(InputError, match=why):
            Output(Path(path), KIND, "--out")
    assert Path("ours").read_text() == "<!-- ours --> old"
    assert Path("letter").read_text() == LETTER


def test_a_new_file_an_empty_one_and_one_of_the_kind_are_written() -> None:
    Path("empty").touch()
    Path("ours").write_text("<!-- ours --> old")
    Path("soft").symlink_to("ours")
    Path("to come").symlink_to("made")
    for path in ("new", "empty", "ours", "soft", "to come"):
        Output(Path(path), KIND, "--out").write(b"<!-- ours --> new")
        assert Path(path).read_bytes() == b"<!-- ours --> new"
    assert Path("soft").is_symlink()
    assert Path("ours").read_bytes() == Path("made").read_bytes() == b"<!-- ours --> new"
    assert not list(Path().glob(".counting*"))


def test_a_file_that_another_program_put_there_meanwhile_stays() -> None:
    output = Output(Path("new"), KIND, "--out")
    Path("new").write_text(LETTER)
    with pytest.raises(InputError, match="holds other data"):
        output.write(b"<!-- ours -->")
    assert Path("new").read_text() == LETTER


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_a_file_keeps_its_permissions_and_a_new_one_follows_the_umask() -> None:
    for wanted in (0o600, 0o640, 0o664, 0o755):
        write_bytes(Path(f"kept-{wanted}"), b"1")
        Path(f"kept-{wanted}").chmod(wanted)
        write_bytes(Path(f"kept-{wanted}"), b"2")
        assert mode(f"kept-{wanted}") == wanted
    for mask, wanted in ((0o022, 0o644), (0o077, 0o600), (0o002, 0o664)):
        os.umask(mask)
        write_bytes(Path(f"new-{mask}"), b"1")
        assert mode(f"new-{mask}") == wanted


def test_a_write_that_fails_leaves_the_file_as_it_was_and_nothing_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("ours").write_text("<!-- ours --> old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left") as caught:
        Output(Path("ours"), KIND, "--out").write(b"<!-- ours --> new")
    assert Path(caught.value.filename).name == "ours"
    assert Path("ours").read_text() == "<!-- ours --> old"
    assert {path.name for path in Path().iterdir()} == {"coups.csv", "letter", "ours"}


def test_half_written_files_alone_are_cleared() -> None:
    others = {".letter.2024", ".counting.json", ".counting-notes", "counting-1.part", ".x.part", "coups.csv", "letter"}
    for name in (*others, ".counting-0f.part"):
        Path(name).touch()
    clear_temporary(Path(), 3600)
    assert Path(".counting-0f.part").exists()
    clear_temporary(Path())
    assert {path.name for path in Path().iterdir()} == others


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_the_folder_of_an_audit_is_its_owners_alone() -> None:
    assert main(["audit", "punto-banco", "--coups", "coups.csv", "--out", "in/new"]) == 0
    assert mode("in/new") == 0o700
    Path("there").mkdir(0o755)
    assert main(["audit", "punto-banco", "--coups", "coups.csv", "--out", "there"]) == 0
    assert mode("there") == 0o755
    with claimed(Path("shared"), "export", {}):
        assert mode("shared") == 0o755


# By the option that names the file that a command writes: the command without it, and bytes that such a file contains.
COMMANDS = {
    "--coups-out": (["audit", "punto-banco", "--coups", "coups.csv", "--out", "in"], b"PAR1"),
    "--page": (["watch", "punto-banco", "--coups", "coups.csv", "--once"], b"Tables under watch"),
    "--out": (["calculator", "punto-banco"], b"calculator"),
    "--figure": (["chemin", "decks", "6", "--model", "B1"], b"<svg"),
}


@pytest.mark.parametrize("option", [*COMMANDS, "--alerts"])
def test_no_command_harms_an_input_or_a_letter(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, _ = COMMANDS.get(option, (COMMANDS["--page"][0], b""))
    Path("letter").rename("letter.svg")
    for path, text in {"letter.svg": LETTER, "coups.csv": COUPS}.items():
        assert main([*command, option, path]) == 2
        assert capsys.readouterr().err.startswith(f"counting: {option} {path}: ")
        assert Path(path).read_text() == text


@pytest.mark.parametrize("option", COMMANDS)
def test_every_command_replaces_its_own_file(option: str) -> None:
    command, has = COMMANDS[option]
    for _ in range(2):
        assert main([*command, option, "file.svg"]) == 0
        assert has in Path("file.svg").read_bytes()


def test_a_file_of_coups_out_that_is_the_log_is_not_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    """The file is of the kind that the command replaces, but it is also an input."""
    audit = ["audit", "punto-banco", "--coups", "coups.csv", "--coups-out"]
    assert main([*audit, "log.parquet"]) == 0
    before = Path("log.parquet").read_bytes()
    Path("link.parquet").hardlink_to("log.parquet")
    again = ["audit", "punto-banco", "--coups", "log.parquet", "--coups-out", "link.parquet"]
    assert main(again) == 2
    assert "link.parquet: this command uses log.parquet for something else" in capsys.readouterr().err
    assert Path("log.parquet").read_bytes() == before


def test_the_files_of_a_watch_are_kept_apart(capsys: pytest.CaptureFixture[str]) -> None:
    watch = ["watch", "punto-banco", "--coups", "coups.csv", "--once", "--format", "none"]
    for first, second in (("--alerts", "--page"), ("--journal", "--alerts"), ("--journal", "--page")):
        assert main([*watch, first, "same", second, "same"]) == 2
        assert "this command uses same for something else" in capsys.readouterr().err
    Path("coups.csv").write_bytes(b"")
    assert main([*watch, "--journal", "coups.csv"]) == 2
    assert Path("coups.csv").read_bytes() == b""


@pytest.mark.parametrize("ending", ["told", "state", "state.new"])
def test_a_file_that_has_the_name_of_one_beside_the_journal_stays(
    ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = f"pit.{ending}"
    Path(name).write_text(LETTER)
    assert main(["watch", "punto-banco", "--coups", "coups.csv", "--once", "--journal", "pit"]) == 2
    assert f"--journal {name}: holds other data" in capsys.readouterr().err
    assert Path(name).read_text() == LETTER


def test_logs_are_named_by_file_and_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("out").mkdir()
    for name, more in {"audit": [], "shuffle": ["--allow-unread", "1"]}.items():
        game = ["punto-banco"] if name == "audit" else []
        command = [name, *game, "--coups", str(tmp_path / "coups.csv"), "--out", str(tmp_path / "out" / name), *more]
        if name == "shuffle":
            command.remove("--coups")
        monkeypatch.setattr("sys.argv", ["counting", *command])
        main(command)
        files = list((tmp_path / "out" / name).iterdir())
        assert len(files) > 3
        for file in files:
            assert str(tmp_path) not in file.read_text(), file
        assert "coups.csv" in (tmp_path / "out" / name / "report.html").read_text()


def test_logs_of_one_name_are_told_apart_by_their_folders() -> None:
    for folder in ("may/a", "june/a"):
        Path(folder).mkdir(parents=True)
        Path(folder, "log.csv").write_text(folder)
    assert set(digests_by_name([Path("may/a/log.csv"), Path("june/a/log.csv")])) == {"may/a/log.csv", "june/a/log.csv"}
    assert set(digests_by_name([Path("may/a/log.csv"), Path("coups.csv")])) == {"log.csv", "coups.csv"}
    assert set(digests_by_name([Path("coups.csv"), Path("coups.csv")])) == {"coups.csv"}
