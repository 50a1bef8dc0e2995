"""If a key, option or argument is not known, a hint leads from other words for it to the right name."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import counting
from counting import InputError
from counting.bounds import load_house
from counting.cli import app_for, main
from counting.cli.commands import COMMANDS
from counting.errors import nearest
from counting.synonyms import SYNONYMS, meant

KEYS = tomllib.loads((Path(__file__).parent.parent / "docs" / "meanings" / "keys.toml").read_text())


def options() -> set[str]:
    """The options of all commands, written like keys."""
    apps = [app_for(name)[name] for name in COMMANDS if name != "chemin"]
    names = [name for app in apps for each in app.assemble_argument_collection() for name in each.names]
    return {name.removeprefix("--").replace("-", "_") for name in names}


def test_every_synonym_leads_to_a_name_in_use() -> None:
    in_use = {key for group in KEYS.values() for key in group["keys"]} | options()
    for name, words in SYNONYMS.items():
        assert name in in_use, name
        assert name not in words.split(), name
        assert len({*words.split()}) == len(words.split()), name


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("limits louisiana --max-bet 5", "--max-bet: unknown option, see --help; did you mean '--most-bet'"),
        ("vulnerability louisiana tie-9 --hands-per-hour=70", "--hands-per-hour: .*'--coups-per-hour'"),
        ("simulate louisiana --rounds 5", "--rounds: .*'--coups'"),
        ("study louisiana --penetration 52", "--penetration: .*'--cut'"),
        ("limits louisiana --table-min 5", "--table-min: .*'--minimum'"),
        ("chemin own --number-of-decks 6", "--number-of-decks: .*'--decks'"),
        ("edges louisiana --deck 8", "--deck: .*'--decks'"),
        ("edges louisiana --zzz", "--zzz: unknown option, see --help$"),
    ],
)
def test_unknown_options(command: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command.split()) == 2
    assert re.search(says, capsys.readouterr().err.strip())


def test_unknown_keys_of_house_rules_keep_their_hint_however_long_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    meanings = {
        "max_bet": "most_bet",
        "hands_per_hour": "coups_per_hour",
        "min_bet": "minimum",
        "requirement": "tie_in",
        "penetration": "cut",
        "commission": "main_bets",
        "discount": "loss_rebate",
    }
    file = tmp_path / "pit.toml"
    file.write_text('game = "louisiana"\n' + "".join(f"{word} = 1\n" for word in meanings))
    with pytest.raises(InputError):
        load_house(file)
    assert main(["statement", str(file)]) == 2
    lines = capsys.readouterr().err.split("\n")
    for word, key in meanings.items():
        assert any(f": {word} = 1: unknown key" in line and line.endswith(f"'{key}'?") for line in lines), word


def test_unknown_arguments_of_verbs() -> None:
    with pytest.raises(TypeError, match=r"limits\(\) has no argument 'max_bet'; did you mean 'most_bet'\?"):
        counting.limits("louisiana", max_bet=5)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"no argument 'threads'; did you mean 'workers'"):
        counting.study("louisiana", threads=2)  # type: ignore[call-arg]


def test_the_first_meaning_that_is_allowed_is_meant() -> None:
    assert meant("--max-bet", ["--most-bet", "--maximum"]) == "--most-bet"
    assert meant("max_bet", ["maximum", "minimum"]) == "maximum"
    assert meant("max_bet", ["cut"]) is None
    assert nearest("rounds", ["coups", "rows"]) == "; did you mean 'coups'?"
    assert nearest("zzz", ["coups"]) == ""
