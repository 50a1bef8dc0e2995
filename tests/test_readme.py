"""The README is true."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from counting.chemin.macao import Macao
from counting.cli import app_for, main
from counting.sweep import open_sweep

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", README, re.DOTALL)


def test_python_examples_print_what_they_say() -> None:
    examples = [block for block in blocks("python") if ">>>" in block]
    test = doctest.DocTestParser().get_doctest("\n".join(examples), {}, "README", "README.md", 0)
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert results.attempted >= 7
    assert results.failed == 0


def test_the_example_with_processes_runs(tmp_path: Path) -> None:
    (example,) = (block for block in blocks("python") if "ProcessPoolExecutor" in block)
    (tmp_path / "example.py").write_text(example)
    subprocess.run([sys.executable, "-P", "example.py"], cwd=tmp_path, check=True, timeout=120)
    assert open_sweep(tmp_path / "two-processes").plan.shoes == 2000


def test_the_first_screen_has_the_two_commands_a_line_each() -> None:
    assert blocks("sh")[0] == (
        "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/counting study louisiana\n"
    )
    assert blocks("sh")[1] == "python3 -m venv .venv && .venv/bin/pip install '.[test]' && .venv/bin/pytest\n"


@pytest.mark.parametrize("line", re.findall(r"^(?:\| `)?(counting [a-z]+[^`\n]*)", README, re.MULTILINE))
def test_every_command_in_it_is_understood(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command, bound, _ = app_for().parse_args(shlex.split(line)[1:], exit_on_error=False, print_error=False)
    assert command.__name__ in line.split()[1:3]
    assert bound.arguments or line in ("counting games", "counting layouts")


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).is_file(), target


def test_the_error_message_is_the_real_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "counting" / "games" / "punto-banco.toml").read_text()
    (tmp_path / "mine.toml").write_text(text.replace('"19:20"', '"5%"'))
    assert main(["edges", "mine.toml"]) == 2
    assert capsys.readouterr().err in "".join(blocks("text"))


def test_the_logs_it_shows_are_dealt_and_paid_by_the_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    coups, bets = (block for block in blocks("text") if block.startswith("table,shoe,coup,"))
    (tmp_path / "coups.csv").write_text(coups)
    (tmp_path / "bets.csv").write_text(bets)
    command = ["audit", "ez-baccarat", "--coups", "coups.csv", "--bets", "bets.csv"]
    assert main(command) == 2  # one card of nine is not read
    assert capsys.readouterr().out.startswith("No verdict: the log cannot be relied on. 1 of 9 cards not read")
    assert main([*command, "--allow-unread", "0.2"]) == 0
    said = capsys.readouterr().out
    assert "No error of dealing in 2 coups of 1 shoe" in said
    assert "0 remarks on the reading of the files" in said


def test_the_rules_of_chemin_de_fer_it_shows_are_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (text,) = (block for block in blocks("toml") if 'player = "DDDDD*SS"' in block)
    (file := tmp_path / "house.toml").write_text(text)
    assert main(["chemin", "solve", "--rules", str(file)]) == 0
    assert capsys.readouterr().out.startswith("House chemin de fer, model B3, shoe 6d: 2^5 against 2^")


def test_every_key_of_macao_is_explained() -> None:
    _, section = README.split("Its forerunners, macao and Victoria")
    explained = {
        key for line in section.splitlines() if line.startswith("| `") for key in line.split("|")[1].split("`")
    }
    assert set(Macao.model_fields) <= explained
