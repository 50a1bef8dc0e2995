"""Small outputs of commands are as they were, and with `--long` those of every command. A sweep begun earlier is
finished; a sweep of another version is refused."""

import re
import shutil
from pathlib import Path

import polars as pl
import pytest
from extent import long_or
from golden import outputs

from counting.cli import main
from counting.version import __version__

SCRIPT = "python tests/golden/outputs.py"
NOT_NOW = long_or(("slow",), ("slow", "long"))  # groups
BEGUN = outputs.HERE / "begun-sweep"  # a sweep of three blocks, stopped after the first
COMMAND = ["sweep", "punto-banco", "--bets", "tie-8", "player-pair", "--decks", "1", "--cut", "20", "--shoes", "450"]
COMMAND += ["--rows-every", "100", "--no-penetration", "--system", str(outputs.HERE / "tie-8-level-1.toml"), "--out"]


@pytest.mark.parametrize("group", [group for group in outputs.GROUPS if group not in NOT_NOW])
def test_outputs_are_as_they_were(group: str) -> None:
    different = outputs.differences(group, outputs.outputs(group))
    assert not different, (
        f"{len(different)} outputs are other than in {outputs.DIGESTS.name}:\n"
        + "".join(f"  {name}: {what}\n" for name, what in different.items())
        + f"To see how: `{SCRIPT} --keep new` here, `--keep old` with the version before, and `diff -r old new`.\n"
        + f"If it is meant: `{SCRIPT} --accept {' '.join(different)}`, and a line in CHANGELOG.md."
    )


OF_WORDS = ("app", "completion", "new", "example", "help")  # commands that print no number of their own


def verbs(capsys: pytest.CaptureFixture[str], *command: str) -> list[str]:
    assert main([*command, "--help"]) == 0
    return [" ".join((*command, verb)) for verb in re.findall(r"^│ ([a-z]+) ", capsys.readouterr().out, re.MULTILINE)]


def test_every_command_has_outputs(capsys: pytest.CaptureFixture[str]) -> None:
    frozen = [row["command"] for row in outputs.accepted().values()]
    every = [verb for verb in verbs(capsys) if verb not in ("chemin", *OF_WORDS)] + verbs(capsys, "chemin")
    assert len(every) > 25
    assert [verb for verb in every if not any(f"{command} ".startswith(f"{verb} ") for command in frozen)] == []
    assert list(outputs.GROUPS) == list(dict.fromkeys(row["group"] for row in outputs.accepted().values()))


def test_numbers_of_an_output_are_kept_and_its_words_are_not() -> None:
    answer = (
        '{"answer": "so", "se": 0.12345678941, "x_se": 0.12345678941, "n": 3, "cell": "on (4, 9) D", "exact": "1/3"}'
    )
    other = answer.replace('"so"', '"as"').replace("on (", "at (").replace("8941", "8949")
    assert outputs.frozen("json", answer) == outputs.frozen("json", other)
    for changed in ('": 3', '"1/3', "4, 9", '"n', "0.123456"):
        assert outputs.frozen("json", answer) != outputs.frozen("json", answer.replace(changed, changed[:-1] + "8"))
    page = "<p>2</p><table><tr><th>bets</th></tr><tr><td>Tie</td><td>2.35 ± 0.07%</td></tr></table>"
    words = page.replace("<p>2", "<p>3").replace("bets", "wagers").replace("Tie", "Tie, 8 to 1")
    assert outputs.frozen("page", page) == outputs.frozen("page", words)
    assert outputs.frozen("page", page) != outputs.frozen("page", page.replace("2.35", "2.36"))


def files(folder: Path) -> dict[str, Path]:
    return {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*.*")) if path.name != ".lock"}


def test_a_sweep_begun_before_is_resumed_without_playing_its_part_again(tmp_path: Path) -> None:
    """`begun-sweep` was made by COMMAND, stopped after the first of its blocks."""
    shutil.copytree(BEGUN, tmp_path / "begun")
    before = {place: path.stat() for place, path in files(tmp_path / "begun").items() if path.suffix == ".parquet"}
    assert len(before) == 4
    for folder in ("begun", "fresh"):
        assert main([*COMMAND, str(tmp_path / folder)]) == 0
    begun, fresh = files(tmp_path / "begun"), files(tmp_path / "fresh")
    assert begun.keys() == fresh.keys()
    for place, stat in before.items():
        now = begun[place].stat()
        assert (now.st_ino, now.st_mtime_ns) == (stat.st_ino, stat.st_mtime_ns), f"{place}: played again"
        assert pl.read_parquet(begun[place]).equals(pl.read_parquet(fresh[place])), place
    same_polars = outputs.accepted()["sweep/digests"]["kind"] == outputs.ENCODED
    for place in begun:
        if same_polars or not (place in before or place == "manifest.json"):
            assert begun[place].read_bytes() == fresh[place].read_bytes(), place


def test_a_sweep_of_another_version_is_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "before"
    shutil.copytree(BEGUN, folder)
    plan = folder / "plan.json"
    plan.write_text(plan.read_text().replace(f'"version": "{__version__}"', '"version": "0.1.0"'))
    assert main([*COMMAND, str(folder)]) == 2
    says = f'differs in version ("0.1.0" in the folder, "{__version__}" now), should be another folder (--out)'
    assert capsys.readouterr().err == f"counting: {folder}: holds a sweep that {says}\n"
