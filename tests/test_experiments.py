"""The programs of `experiments` import only names that exist, and the commands in its scripts run."""

import ast
import re
import shlex
import shutil
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from extent import long_or

from counting.cli import main
from counting.review.synthetic import Facts, Sorter, deal
from experiments.attack import mutations
from experiments.attack.arm import run as arm
from experiments.attack.mutations import HEAD, MUTATIONS, ROOT, Mutation, Result, note
from experiments.audit import knowers
from experiments.audit import tests as experiment
from experiments.audit.honest import HABITS, Seen

FOLDER = Path(__file__).parent.parent / "experiments"


@pytest.mark.long
@pytest.mark.parametrize("program", sorted(map(str, (path.relative_to(FOLDER) for path in FOLDER.rglob("*.py")))))
def test_what_a_program_imports_is_there(program: str) -> None:
    for node in ast.walk(ast.parse((FOLDER / program).read_text())):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("counting"):
            module = import_module(str(node.module))
            for alias in node.names:
                assert hasattr(module, alias.name) or import_module(f"{node.module}.{alias.name}")
        elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("experiments"):
            stem = str(node.module).removeprefix("experiments").lstrip(".").replace(".", "/")
            for alias in node.names:
                file = (FOLDER / stem).with_suffix(".py") if stem else FOLDER / f"{alias.name}.py"
                assert file.is_file() or (FOLDER / stem / f"{alias.name}.py").is_file(), (node.module, alias.name)


@pytest.mark.parametrize("script", sorted(FOLDER.glob("*/run.sh")), ids=lambda script: script.parent.name)
def test_a_script_gives_the_commands_of_its_notes_and_they_run(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = [line for line in script.read_text().splitlines() if line.startswith("counting ")]
    noted = re.findall(r"^counting .*", (script.parent / "notes.md").read_text(), re.M)
    assert set(noted) <= set(commands)
    monkeypatch.chdir(tmp_path)
    for command in commands:
        few = re.sub(r"--shoes \d+", "--shoes 400", command).replace("--horizon 8000", "--horizon 900")
        monkeypatch.setattr("sys.argv", shlex.split(few))
        assert main() in (None, 0), command


def test_the_audits_experiment_reads_its_logs_and_tests_a_patron() -> None:
    table = deal(experiment.EZ, experiment.DEALING, 1, 0, 3)
    known = Facts(experiment.EZ, ("player",), table)
    sorter = Sorter("player", 100.0).stakes(table, known, np.random.default_rng(1))[:, 0]
    for spoiled in (False, True):
        assert 0.001 < experiment.Look(table, experiment.EZ, "player", 3, 1, spoiled).p(sorter, 1) <= 1


def test_the_experiment_on_knowers_has_their_evidence_after_each_look() -> None:
    table = deal(knowers.EZ, knowers.DEALING, 1, 0, 4)
    known = Facts(knowers.EZ, knowers.BETS, table)
    asked = knowers.Evidence(*knowers.log_of(table))
    sorter = Sorter("player", 100.0).stakes(table, known, np.random.default_rng(1))
    after = asked.after(sorter, (1, 4))
    assert after[1] > after[0] > 4
    honest = HABITS["flat on Player"](Seen(table, known), np.random.default_rng(1))
    assert max(asked.after(honest, (1, 4))) < 1
    informed = knowers.stakes_of_knower(knowers.Knows("B1"), 3, table, known.pays, np.random.default_rng(1))
    assert (informed == knowers.LARGE).sum() == 12


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler is called cc")
@pytest.mark.parametrize("broken", long_or([False, True], [False]))
def test_kernels_built_for_another_processor_are_compared_with_this_ones(
    broken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By default, the compiler does nothing to make the kernels fast."""
    few = ["--shoes", "11", "--random", "0", *["--broken"] * broken]
    assert "-O3" in arm.FLAGS
    monkeypatch.setattr(arm, "FLAGS", arm.FLAGS.replace("-O3", long_or("-O3", "-O0")))
    monkeypatch.setattr("sys.argv", ["run", *few])
    with pytest.raises(SystemExit) as exit:
        arm.main()
    assert exit.value.code == broken


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: f"{mutation.file}: {mutation.slip}")
def test_a_slip_can_be_planted_where_the_table_says_and_has_tests_of_its_own_part(mutation: Mutation) -> None:
    assert (ROOT / mutation.file).read_text().count(mutation.old) == 1
    assert mutation.new != mutation.old
    assert all((ROOT / test).exists() and test.startswith(mutation.folder) for test in mutation.tests.split())


def test_results_of_slips_are_noted_in_the_order_of_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text(f"before\n\n{HEAD}\nafter\n")
    monkeypatch.setattr(mutations, "NOTES", notes)
    first, second = MUTATIONS[:2]
    note([(second, Result("", 2.4))])
    note([(first, Result("tests/games/test_game.py::test_x[a|b]", 70.2))])
    note([(second, Result("tests/games/test_game.py::test_y", 3.6))])
    rows = f"{first.row} `games/test_game.py::test_x[a\\|b]` | 70 |\n{second.row} `games/test_game.py::test_y` | 4 |\n"
    assert notes.read_text() == f"before\n\n{HEAD}{rows}\nafter\n"
