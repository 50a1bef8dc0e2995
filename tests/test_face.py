"""What a researcher imports from `counting`: public names, strings in place of files, bets written on one line, and
errors in words."""

import doctest
import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import left_out
import pytest
from extent import long_or

import counting
from counting import (
    Bet,
    Dealing,
    Effects,
    Game,
    InputError,
    Plan,
    Shoe,
    System,
    edges,
    estimate,
    events,
    exact_edges,
    load_game,
    load_system,
    open_sweep,
)  # fmt: skip
from counting.cli.commands import COMMANDS
from counting.exact import census
from counting.games import Tableau, as_game
from counting.sweep import run

PACKAGES = [
    path.parent.name for path in Path(counting.__file__).parent.glob("*/__init__.py") if path.parent.name != "io"
]
TAGS = {"A": 0, "2": 0, "3": 0, "4": -1, "5": -1, "6": -1, "7": -1, "8": 2, "9": 2, "T": 0}
COUNT: dict[str, Any] = {"title": "a count", "source": "here", "count": "true", "trigger": 4, "tags": TAGS}


def test_every_public_name_is_there_with_a_docstring_and_an_example() -> None:
    for name in counting.__all__:
        value = getattr(counting, name)
        assert name == "__version__" or len(inspect.getdoc(value) or "") > 40, name
        assert name == "__version__" or ">>>" in (inspect.getdoc(value) or ""), name


def test_the_docstring_says_what_answers_a_command_in_python() -> None:
    _, _, listed = (counting.__doc__ or "").partition("in Python\n")
    commands = dict(line.split(maxsplit=1) for line in listed.partition("\n\n")[0].strip().split("\n"))
    assert {command for command in commands if command in counting.__all__} == {"edges", "results"}
    page = (Path(__file__).parents[1] / "docs" / "reference" / "questions.md").read_text()
    for command, text in commands.items():
        names = re.findall(r"[a-z]\w*(?:\.\w+)*", re.sub(r"\(.*?\)| for \w+ \w+| for many", "", text))
        assert f"| `{command}` | {', '.join(f'`{name}`' for name in names)} |" in page
        for name in names:
            value: Any = import_module(name.rpartition(".")[0]) if "." in name else counting
            assert callable(getattr(value, name.rpartition(".")[2])), name
    for command in ("bets", "layouts", "summary", "export"):
        with pytest.raises(AttributeError, match=f"^module 'counting' has no attribute '{command}'; use ") as refused:
            getattr(counting, command)
        assert commands[command].split(", ")[0] in str(refused.value)
    with pytest.raises(AttributeError, match=r"^module 'counting' has no attribute 'nothing'$"):
        getattr(counting, "nothing")  # noqa: B009


@pytest.mark.parametrize("name", sorted({*COMMANDS, *PACKAGES} - {*counting.__all__}))
def test_a_command_that_is_no_function_and_a_called_package_name_the_call(name: str) -> None:
    def ask() -> object:
        called: Any = getattr(counting, name)
        return called("louisiana", shoes=100)

    missing = f"module 'counting' has no attribute '{name}'"
    refused = f"counting.{name}: a package, which cannot be called"
    with pytest.raises((AttributeError, InputError), match=f"^({missing}|{refused}); use [a-z]") as error:
        ask()
    for use in re.findall(r"counting\.([a-z_.]+)", str(error.value).partition("; use ")[2]):
        home, _, function = use.rpartition(".")
        assert inspect.isfunction(getattr(import_module(f"counting.{home}".rstrip(".")), function)), use


def test_a_called_sweep_says_what_plays_a_sweep() -> None:
    sweep: Any = counting.sweep
    with pytest.raises(InputError, match=r"use counting.run\(counting.Plan\(game, counting.Dealing\(\), shoes\)"):
        sweep("louisiana")


def test_verbs_name_arguments_and_no_options() -> None:
    verbs = [getattr(counting, name) for name in ("audit", "limits", "shuffle", "statement", "study", "vulnerability")]
    docs = {verb.__name__: inspect.getdoc(verb) or "" for verb in verbs}
    assert not [name for name, text in docs.items() if re.search("--[a-z]", text)]
    assert "With `round_to`: how wins are rounded" in docs["audit"]


@pytest.mark.long
@pytest.mark.usefixtures("few_weighted")
@pytest.mark.parametrize(
    "name", [name for name in counting.__all__ if name not in ("__version__", *long_or((), ("limits",)))]
)
def test_the_examples_run(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    left_out.figures(monkeypatch)
    left_out.depths(monkeypatch)
    monkeypatch.chdir(tmp_path)
    value = getattr(counting, name)
    module = import_module(value.__module__)
    tests = doctest.DocTestFinder(recurse=True).find(value, name, module, globs={})
    assert sum(len(test.examples) for test in tests) > 0
    for test in tests:
        assert doctest.DocTestRunner().run(test).failed == 0


def test_a_look_at_an_edge_needs_neither_polars_nor_matplotlib() -> None:
    looks = "counting.load_system", "counting.exact_edges('punto-banco', counting.Shoe.decks(8))"
    script = "import sys, counting"
    for look in looks:
        script += f"; {look}; print({{'polars', 'matplotlib'}} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n" * len(looks)


# Names and strings


def test_a_plan_and_a_sweep_by_name(tmp_path: Path) -> None:
    plan = Plan("ez-baccarat", Dealing(), 40, 1, ("dragon-7",))  # type: ignore[arg-type]
    assert plan == Plan(load_game("ez-baccarat"), Dealing(), 40, 1, (load_system("dragon-7"),))
    sweep = run(plan, str(tmp_path / "sweep"))
    assert open_sweep(str(tmp_path / "sweep")).plan == sweep.plan
    assert repr(sweep) == f"<Sweep ez-baccarat: 40 shoes, {plan.dealing.words}, in {tmp_path / 'sweep'}>"
    overview = sweep._repr_html_()
    dealt = sweep.coups.collect().height
    for part in ("EZ Baccarat", "dragon-7", f"<td>{dealt:,}</td>", plan.dealing.words):
        assert part in overview


@pytest.mark.parametrize(
    ("game", "systems", "says"),
    [
        ("ez-bacarat", (), "game 'ez-bacarat': should be one of .*; did you mean 'ez-baccarat'?"),
        ("ez-baccarat", ("dragon",), "system 'dragon': should be one of"),
        ("no/such.toml", (), "no/such.toml: no such file"),
    ],
)
def test_names_that_a_plan_does_not_know(game: str, systems: tuple[str, ...], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Plan(game, Dealing(), 40, 1, systems)  # type: ignore[arg-type]


def test_edges_of_some_bets_on_a_shoe_that_knows_no_suits() -> None:
    shoe, game = Shoe.parse("v:120,32,32,32,30,32,32,32,32,32"), load_game("louisiana")
    suited = game.also(["perfect-pair"])
    with pytest.raises(InputError, match="should be priced on a shoe known by card"):
        exact_edges(suited, shoe)
    whole = exact_edges(game, shoe)
    assert exact_edges(suited, shoe, bets=["tie-9", "player"]) == {name: whole[name] for name in ("tie-9", "player")}
    assert exact_edges("louisiana", shoe, "P1=9", bets=["tie-9"]) == exact_edges(game.only(["tie-9"]), shoe, "P1=9")
    assert list(events(suited, shoe, bets=["tie-9"])) == ["player-win", "banker-win", "tie"]
    with pytest.raises(InputError, match="bet 'tei-8'"):
        events("louisiana", shoe, bets=["tei-8"])


def test_decks_are_the_games_where_none_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counting.simulation.importance._CHAINS", long_or(2000, 200))
    monkeypatch.setattr("counting.simulation.importance._PILOT", long_or(30_000, 1000))
    six = Game.from_dict({**load_game("ez-baccarat").to_dict(), "decks": 6})
    for law in (census, estimate):
        options: dict[str, Any] = {"cache": False} if law is census else {"samples": 1000}
        assert law(six, "dragon-7", [10], **options).equals(law(six, "dragon-7", [10], 6, **options))
        assert not law(six, "dragon-7", [10], **options).equals(law(six, "dragon-7", [10], 8, **options))


def test_as_game_takes_a_game_a_name_and_a_path(tmp_path: Path) -> None:
    game = load_game("punto-banco")
    path = tmp_path / "mine.toml"
    path.write_text((Path(counting.__file__).parent / "games" / "punto-banco.toml").read_text())
    assert as_game(game) is game
    assert as_game("punto-banco") == game
    assert as_game(path).bets == as_game(str(path)).bets == game.bets


# Bets and systems made in Python


def test_a_bet_of_odds_by_condition() -> None:
    lucky = Bet.of("lucky-6", {"banker banker_total=6 banker_cards=2": "12:1", "banker banker_total=6": "20:1"})
    written = {"winner": "banker", "banker_total": 6}
    lines: Any = [{**written, "banker_cards": 2, "odds": "12:1"}, {**written, "odds": "20:1"}]
    same = Bet(name="lucky-6", pays=lines)
    assert lucky == same
    as_tuples = Bet(
        name="lucky-6", pays=tuple({**written, "banker_total": (6,), "odds": line.odds} for line in lucky.pays)
    )  # type: ignore[arg-type]
    assert as_tuples.pays[1] == lucky.pays[1]
    assert Bet.of("three", {"player_total=1,3": "2:1", "margin=4-9 natural=false": "push"}).pays[1].margin == (
        4,
        5,
        6,
        7,
        8,
        9,
    )
    game = load_game("punto-banco").with_bets(lucky)
    edge = exact_edges(game, Shoe.decks(8), bets=["lucky-6"])["lucky-6"]
    assert edges(game, [[128, *[32] * 9]], ["lucky-6"])[0, 0] == pytest.approx(float(edge), abs=1e-15)
    tie = load_game("punto-banco").with_bets(Bet.of("mine", {"tie": "8:1"}))
    assert exact_edges(tie, Shoe.decks(8), bets=["mine"])["mine"] == exact_edges(tie, Shoe.decks(8))["tie-8"]
    assert Fraction(-1) < edge < 0


LOUISIANA = load_game("louisiana")
TWO = Bet.of("b", {"tie": "7:1"})
ODD = Bet.of("no", {"player_total=3 winner=tie margin=2": "1:1"})
MISTAKES: list[tuple[Callable[[], Any], str]] = [
    (lambda: Bet(name="X y", pays=[{"odds": "1:1"}]), 'bet X y, name = "X y": should be lower case letters'),  # type: ignore
    (lambda: Bet(name="a", pays=[{"winer": "tie"}]), 'bet a, pays 1, odds: missing\nbet a, pays 1, winer = "tie": unk'),  # type: ignore
    (lambda: Bet(name="a", pays=3), "bet a, pays = 3: should be a list in brackets"),  # type: ignore[arg-type]
    (lambda: Bet(**{}), "bet, name: missing\nbet, pays: missing"),
    (lambda: Bet.of("a", {"tie foo=3": "8:1"}), "bet a, 'foo=3': should be player, banker, tie, or one of winner"),
    (lambda: Bet.of("a", {"margin": "8:1"}), "bet a, 'margin': should be"),
    (lambda: Bet.of("a", {"tie tie": "8:1"}), "bet a, 'tie tie': winner occurs twice, should occur once"),
    (lambda: Bet.of("a", {"tie": "8 to 1"}), 'bet a, pays 1, odds = "8 to 1": should be odds as "40:1"'),
    (lambda: Bet.of("a", "8:1"), "bet a: pays = '8:1', should be odds by condition"),  # type: ignore[arg-type]
    (lambda: System(**{**COUNT, "trigger": "four"}), 'system, trigger = "four": should be a number'),
    (lambda: System(**{**COUNT, "tags": {**TAGS, "8": 200}}), "system, tags, 8 = 200: should be a whole number from"),
    (lambda: System(**{**COUNT, "count": "running", "per": "undealt"}), "system: per, estimate, rounding: should be"),
    (lambda: Tableau(player="DDDDDDSS", banker=["D" * 11] * 7), "tableau, banker = ["),  # type: ignore[arg-type]
    (lambda: LOUISIANA.with_bets(Bet.of("tie-9", {"tie": "7:1"})), "bet 'tie-9': louisiana has this bet"),
    (lambda: LOUISIANA.with_bets("tie-9"), "bet 'tie-9': should be a Bet, as Bet.of makes"),  # type: ignore[arg-type]
    (lambda: LOUISIANA.with_bets(ODD), "bet 'no': pays 1: no coup meets this line"),
    (lambda: LOUISIANA.with_bets(TWO, TWO), "bet 'b': louisiana has this bet, should have another name"),
]


@pytest.mark.parametrize(("make", "says"), MISTAKES)
def test_mistakes_made_in_python_are_told_in_lines(make: Callable[[], Any], says: str) -> None:
    with pytest.raises(InputError) as raised:
        make()
    assert str(raised.value).startswith(says)


def test_one_line_and_a_table_for_a_notebook() -> None:
    assert repr(load_game("louisiana")) == "<Game louisiana: 8 decks, 13 bets>"
    own = System(**{**COUNT, "name": "mine", "bets": ("dragon-7",)})
    assert repr(own) == "<System mine: true count, level 2, for dragon-7>"
    assert "<th>K</th>" in own._repr_html_()
    assert "<td>-1</td>" in own._repr_html_()
    effects = Effects.of("ez-baccarat", "dragon-7", Shoe.decks(8))
    assert repr(effects).startswith("<Effects of removal, dragon-7 at ez-baccarat, shoe 8d: edge -0.076")
    assert effects._repr_html_().count("<tr>") == 11


@pytest.mark.parametrize("name", [name for name in counting.__all__ if isinstance(getattr(counting, name), type)])
def test_the_signature_of_a_class_has_types_and_no_checks(name: str) -> None:
    assert "Validator" not in str(inspect.signature(getattr(counting, name)))
