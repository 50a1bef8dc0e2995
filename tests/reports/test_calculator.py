"""The data of the calculator's page give the exact edges, integer for integer, by plain arithmetic."""

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from fractions import Fraction
from math import perm, prod
from pathlib import Path
from typing import Any

import pytest
from extent import long_or

from counting import InputError, Shoe, exact_edges, load_game
from counting.cards import RANKS, VALUE_OF_RANK
from counting.cli import main
from counting.games import Game, Outcome, catalog, unfit
from counting.reports.calculator import MOST_DECKS, SCRIPTS, calculator, page_data, published_for, script
from counting.simulation import Dealing
from counting.systems import System, load_system
from counting.verify import reference

SHOES = ("8d", "6d-9h-9h-7s-Kd", "c:" + ",".join("3" if i % 5 else "0" for i in range(52)))
ON_CARDS = ("perfect-pairs-200", "either-pair", "monkey", "high-tie-max", "lucky-8-player", "perfect-9", "player-red")


def tree_sums(tree: dict[str, Any], counts: Sequence[int], bases: Sequence[int]) -> list[int]:
    """The sums that a tree of the page's data gives for these counts. The path to a node is a sequence of draws."""
    sums, path = [0] * tree["slots"], [0] * 8
    for i, (depth, draw, less) in enumerate(zip(tree["depth"], tree["draw"], tree["less"], strict=True)):
        path[depth] = bases[draw] if depth == 0 else counts[draw] - less
        for k in range(tree["first"][i], tree["first"][i + 1]):
            sums[tree["slot"][k]] += tree["weight"][k] * prod(path[: depth + 1])
    return sums


def lines_of_hands(hands: dict[str, Any], shoe: Shoe) -> list[int]:
    kinds = [0] * hands["kinds"]
    counts = {"card": shoe.cards, "rank": shoe.ranks, "value": shoe.values}[hands["knows"]]
    for count, kind in zip(counts, hands["kind_of"], strict=True):
        kinds[kind] += count
    left = shoe.cards_left
    sums = tree_sums(hands["by_value"], [*shoe.values, left], tree_sums(hands["by_kind"], kinds, [1]))
    sizes = len(sums) // hands["lines"]
    return [
        sum(sums[line * sizes + i] * perm(left - 2 - i, 4 - i) for i in range(sizes)) for line in range(hands["lines"])
    ]


def edges_by_data(data: dict[str, Any], game: Game, shoe: Shoe) -> dict[str, Fraction]:
    """The edges that follow from the page's data and the reference implementation's counts of outcomes."""
    counts = reference.outcomes(game, shoe) if any("line_of" in bet for bet in data["bets"]) else {}
    edges = {}
    for bet in data["bets"]:
        lines = lines_of_hands(bet["hands"], shoe) if "hands" in bet else [0] * len(bet["lines"])
        for code, line in zip(data["outcomes"], bet.get("line_of", ()), strict="hands" not in bet):
            if line >= 0:
                lines[line] += counts[Outcome(code // 40, code % 40 // 4, 2 + code % 4 // 2, 2 + code % 2)]
        won = sum((1 + Fraction(*line["pay"])) * n for line, n in zip(bet["lines"], lines, strict=True))
        edges[bet["name"]] = won / perm(shoe.cards_left, 6) - 1
    return edges


@pytest.mark.parametrize("name", ["punto-banco", "ez-baccarat", "no-commission", "louisiana", "louisiana-stand-5"])
def test_the_data_of_a_shipped_game_make_its_exact_edges(name: str) -> None:
    game = load_game(name)
    data = json.loads(json.dumps(page_data(game, Dealing(), ())))
    for text in long_or(SHOES, SHOES[-1:]):
        assert edges_by_data(data, game, Shoe.parse(text)) == exact_edges(game, Shoe.parse(text))


def test_the_data_of_bets_on_ranks_and_suits_make_their_exact_edges() -> None:
    game = load_game("punto-banco").only(ON_CARDS)
    data = json.loads(json.dumps(page_data(game, Dealing(), ())))
    assert all("hands" in bet for bet in data["bets"])
    for text in SHOES:
        assert edges_by_data(data, game, Shoe.parse(text)) == exact_edges(game, Shoe.parse(text))


def test_every_bet_of_the_catalog_is_priced_on_the_page() -> None:
    game = load_game("punto-banco")
    fit = [name for name, bet in catalog().items() if not unfit(bet, game.tableau)]
    data = page_data(game.also(fit), Dealing(), ())
    assert {bet["name"] for bet in data["bets"]} >= {*fit}
    assert all(("hands" in bet) != ("line_of" in bet) for bet in data["bets"])


def test_the_tableau_and_the_systems_are_those_of_the_library() -> None:
    game = load_game("ez-baccarat")
    systems = published_for(game)
    assert [system.name for system in systems] == [
        "dragon-7-unbalanced",
        "dragon-7",
        "panda-8-two-person",
        "panda-8-unbalanced",
        "panda-8",
    ]
    data = page_data(game, Dealing(), systems)
    assert [bool(draws) for row in data["tableau"]["banker"] for draws in row] == [
        draws for row in game.tableau.banker for draws in row
    ]
    for system, own in zip(systems, data["systems"], strict=True):
        (trigger,) = own["triggers"]
        assert (own["tags"], Fraction(trigger["scaled"], own["scale"])) == (system.by_rank, Fraction(system.on("x")))


def test_the_words_for_the_hands_are_in_one_order() -> None:
    """The words are read from sets, whose order changes from run to run."""
    layouts = page_data(load_game("punto-banco"), Dealing(), ())["layouts"]
    (hands,) = (layout["card_rows"]["hands"] for layout in layouts if layout.get("card_rows"))
    assert [*hands] == sorted(hands) != []


def test_triggers_with_decimals_are_whole_over_their_scale() -> None:
    tags = dict.fromkeys(RANKS, 0)
    system = System(
        name="mine", title="Mine", source="here", count="true", tags=tags, trigger={"tie-8": 0.25, "tie-9": -1.3}
    )
    (shown,) = page_data(load_game("punto-banco"), Dealing(), [system])["systems"]
    assert [Fraction(t["scaled"], shown["scale"]) for t in shown["triggers"]] == [Fraction(1, 4), Fraction(-13, 10)]
    assert [(t["for"], t["at"]) for t in shown["triggers"]] == [("Tie, 8 to 1", "0.25"), ("Tie, 9 to 1", "-1.3")]


def test_more_cards_than_doubles_count_exactly_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert MOST_DECKS == 8
    with pytest.raises(InputError, match="decks: 9, a shoe of 468 cards; should be at most 8: the calculator counts"):
        calculator(load_game("punto-banco"), Dealing(9))
    assert main(["calculator", "punto-banco", "--decks", "9", "--out", str(tmp_path / "x.html")]) == 2
    assert "should be at most 8" in capsys.readouterr().err
    assert not (tmp_path / "x.html").exists()


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["nothing"], "nothing"),
        (["ez-baccarat", "--bets", "dragon-8"], "did you mean 'dragon-7'?"),
        (["ez-baccarat", "--system", "dragon-77"], "dragon-77"),
        (["ez-baccarat", "--cut", "417"], "cut: 417, should be a whole number from 0 to 416"),
        (["ez-baccarat", "--burn", "first"], "did you mean 'first-card'?"),
        (["ez-baccarat", "--after-cut", "3"], "after-cut: '3'"),
    ],
)
def test_bad_input_gets_one_line(
    argv: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calculator", *argv, "--out", str(tmp_path / "x.html")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line


def test_the_decks_that_the_rules_allow_are_those_of_the_page() -> None:
    game = Game.from_dict({**load_game("punto-banco").to_dict(), "decks_allowed": [6, 8, 12]})
    assert page_data(game, Dealing(6), ())["decks_allowed"] == [6, 8]
    with pytest.raises(InputError, match="6 or 8 or 12"):
        page_data(game, Dealing(7), ())


def test_text_of_a_file_cannot_leave_its_place_on_the_page() -> None:
    game = Game.from_dict({**load_game("punto-banco").to_dict(), "title": "</script><b>Mine</b>"})
    html = calculator(game, Dealing(), [load_system("dragon-7")])
    assert "<b>Mine" not in html
    assert html.count("</script>") == 2
    data = re.search(r'id="game">(.*?)</script>', html, re.DOTALL)
    assert data is not None
    assert json.loads(data[1])["title"] == game.title


def test_the_script_is_strict_javascript(tmp_path: Path) -> None:
    parts = script().count("= (() => {\n")
    assert parts == script().count('"use strict";') == len(SCRIPTS)
    if (node := shutil.which("node")) is not None:
        (tmp_path / "page.js").write_text(script())
        done = subprocess.run([node, "--check", tmp_path / "page.js"], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_ranks_and_values_of_the_script_are_the_packages() -> None:
    assert f"const RANKS = {json.dumps(RANKS)};" in script()
    assert f"const VALUE_OF_RANK = {json.dumps(VALUE_OF_RANK)};" in script()
