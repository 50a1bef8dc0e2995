"""The files of the examples are the same on every machine, and writing them replaces no other file."""

import hashlib
import json
import shlex
from pathlib import Path

import pytest
from documents import DOCS
from extent import LONG

from counting.cli import main
from counting.cli.example import EXAMPLES

DIGESTS = {
    "coups.csv": "a6e08569c0795390866f42bd22ad1caf3316331de58f178854e26f9b534e450d",
    "bets.csv": "8c911f48c02dcd2f71b78068d90b3fa1abca7d754c7ea2a5e66a9d9102c3ccee",
}


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def test_the_log_is_the_same_on_every_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "a new" / "folder"
    assert main(["example", "audit", "--out", str(folder)]) == 0
    assert digests(folder) == DIGESTS
    said = capsys.readouterr().out
    assert main(["example", "audit", "--out", str(folder)]) == 0
    assert digests(folder) == DIGESTS
    assert capsys.readouterr().out == said


@pytest.mark.usefixtures("undrawn")
def test_the_next_command_is_one_and_flags_the_counter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["example", "audit", "--out", "a log"]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("Next: counting "))
    words = shlex.split(line)[2:]
    assert "a log/coups.csv" in words
    in_tutorial = shlex.join(["counting", *(word.removeprefix("a log/") for word in words)])
    assert in_tutorial in (DOCS / "tutorials" / "03-review-a-log.md").read_text().splitlines()  # and runs there
    if LONG:
        assert main([*words, "--out", "audit"]) == 0
        said = capsys.readouterr().out
        assert said.startswith("Dealing: no error in 2,456 coups of 30 shoes. Paying: no wrong payout")


@pytest.mark.parametrize("file", DIGESTS)
def test_a_file_with_other_data_stays_and_none_is_written(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / file).write_text("mine")
    assert main(["example", "audit", "--out", str(tmp_path)]) == 2
    assert f"{file}: holds other data, should be a new file or this example's\n" in capsys.readouterr().err
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(file, "mine")]


def test_the_examples_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["example", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)["examples"]
    assert [row["example"] for row in listed] == [*EXAMPLES]
    assert listed[0]["files"] == [*DIGESTS]
    assert main(["example"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(EXAMPLES)


def test_a_name_or_folder_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["example", "audti"]) == 2
    assert (
        capsys.readouterr().err == "counting: example 'audti': should be one of audit, results; did you mean 'audit'?\n"
    )
    (tmp_path / "file").write_text("")
    assert main(["example", "audit", "--out", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err.endswith("file: a file, should be a folder\n")
