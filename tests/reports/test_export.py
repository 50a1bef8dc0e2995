"""Exports: what a folder contains. The two plain programs that check an export confirm it, and notice any change."""

import ast
import csv
import hashlib
import importlib.util
import io
import json
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest
from extent import LONG, crossed, long_or
from twins.lines import conditions

from counting import Bet, Game, InputError, Shoe, events, exact_edges, load_game
from counting.cli import main
from counting.games import catalog, unfit
from counting.games.conditions import KEYS, Conditions
from counting.io.toml import shipped
from counting.reports import exported_lines
from counting.reports.export import CHECKERS, export, files, listing, tables
from counting.verify import pay_lines

ROOT = Path(__file__).parents[2]
CHECKER, DEALER = (ROOT / program for program in CHECKERS)
GAMES = list(shipped("games"))
PUNTO = load_game("punto-banco")
FEW_BY_CARD = ",".join(str(2 if i < 16 else 0) for i in range(52))  # A to 4: enough for every case of the first cards
EVERY_RANK = ",".join(str(2 if i < 16 or i % 4 == 0 else 0) for i in range(52))  # A to 4 by suit, others in one suit
BLACK_AND_RED = ",".join(str(3 if i % 4 < 2 else 0) for i in range(52))
BY_CARD = ",".join(str(i % 3 if i % 4 < 2 else 0) for i in range(52))


def by_itself(folder: Path) -> tuple[int, str, str]:
    """The exit status, output and errors of the checker, run by a Python that sees only the standard library."""
    command = [sys.executable, "-I", "-S", str(CHECKER), str(folder)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.returncode, run.stdout, run.stderr


@cache
def checker() -> CodeType:
    return compile(CHECKER.read_text(), str(CHECKER), "exec")


def checked(folder: Path) -> tuple[int, str, str]:
    """The same as `by_itself`, but run in this process. If the checker exits with a text, the text is an error and the
    status is 1."""
    said, wrong, status = io.StringIO(), io.StringIO(), 0
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(said), redirect_stderr(wrong):
        patch.setattr(sys, "argv", [str(CHECKER), str(folder)])
        try:
            exec(checker(), {"__name__": "__main__"})
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
            if isinstance(stop.code, str):
                print(stop.code, file=wrong)
    return status, said.getvalue(), wrong.getvalue()


@cache
def everything(game: str) -> Game:
    """The game with bets of the catalog that fit it: with --long every bet, and without it those that have a condition
    or a kind of odds that no bet before them has."""
    loaded, seen, more = load_game(game), set[str](), []
    for name, bet in catalog().items():
        if not unfit(bet, loaded.tableau):
            of_bet = {bet.shows, *re.findall(r'"(\w+)":', json.dumps([line.plain for line in bet.pays]))}
            of_bet |= {"stays" if line.stays else line.odds for line in bet.pays if line.stays or ":" not in line.odds}
            if LONG or not of_bet <= seen:
                more.append(name)
            seen |= of_bet
    return loaded.also(more)


@pytest.fixture(scope="module")
def dealer() -> ModuleType:
    """The program that checks an export by dealing. It keeps the deals of each tableau, and their results by outcome
    and by pay table line, so that they are worked out only once."""
    spec = importlib.util.spec_from_file_location("deal_export", DEALER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.orders, module.outcomes_of = by_text(module.orders), by_object(module.outcomes_of)  # type: ignore[attr-defined]
    module.SHOES = long_or(30, 8)  # type: ignore[attr-defined]
    module.by_the_lines = by_line(module.by_the_lines)  # type: ignore[attr-defined]
    return module


def by_text(function: Callable[[object], Any]) -> Callable[[object], Any]:
    """The function, with its results kept by the text of its argument."""
    results: dict[str, Any] = {}

    def once(of: object) -> Any:
        if str(of) not in results:
            results[str(of)] = function(of)
        return results[str(of)]

    return once


def by_line(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The function, with its results kept by pay table line and by the object with the deals. It returns copies,
    because its caller uses them up."""
    results: dict[tuple[str, int], Counter[Any]] = {}

    def once(lines: Any, dealt: Any) -> Any:
        if new := [line for line in lines if (str(line), id(dealt)) not in results]:
            weights = function(new, dealt)
            results.update({(str(line), id(dealt)): weights[line["event"]] for line in new})
        return {line["event"]: Counter(results[str(line), id(dealt)]) for line in lines}

    return once


def by_object(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The function, with its results kept by the identity of its argument. The argument is kept too, so that no other
    object gets this identity."""
    results: dict[int, tuple[Any, Any]] = {}

    def once(of: Any) -> Any:
        if id(of) not in results:
            results[id(of)] = of, function(of)
        return results[id(of)][1]

    return once


@pytest.fixture(scope="module")
def louisiana(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(load_game("louisiana"), Shoe.decks(8), tmp_path_factory.mktemp("export") / "louisiana")


@pytest.fixture(scope="module")
def few_bets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export of Louisiana with some of its bets; with --long, all."""
    game = load_game("louisiana")
    some = game.only(long_or(game.bet_names, ["player", "banker", "seven-seven-45", "big-win-banker-35"]))
    return export(some, Shoe.decks(8), tmp_path_factory.mktemp("export") / "few-bets")


@pytest.fixture(scope="module")
def punto_banco(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export of punto banco with bets of the catalog."""
    shoe = Shoe.parse("c:" + EVERY_RANK)
    return export(everything("punto-banco"), shoe, tmp_path_factory.mktemp("export") / "punto-banco")


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    game = PUNTO.only(["player", "perfect-pair", "either-pair"])
    return export(game, Shoe.parse("c:" + FEW_BY_CARD), tmp_path_factory.mktemp("export") / "pairs")


def changed(folder: Path, to: Path, file: str, change: Callable[[list[list[str]]], None]) -> Path:
    """A copy of the folder in which the cells of one file are changed, with the digest of the changed file."""
    shutil.copytree(folder, to)
    cells = list(csv.reader((to / file).read_text().splitlines()))
    change(cells)
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(cells)
    text = written.getvalue()
    assert text != (to / file).read_text()
    (to / file).write_text(text)
    manifest = json.loads((to / "manifest.json").read_text())
    manifest["sha256"][file] = hashlib.sha256(text.encode()).hexdigest()
    (to / "manifest.json").write_text(json.dumps(manifest))
    return to


def cell(row: int, column: str, value: str) -> Callable[[list[list[str]]], None]:
    def change(cells: list[list[str]]) -> None:
        cells[row][cells[0].index(column)] = value

    return change


def both(*changes: Callable[[list[list[str]]], None]) -> Callable[[list[list[str]]], None]:
    def change(cells: list[list[str]]) -> None:
        for each in changes:
            each(cells)

    return change


def without_last_row(cells: list[list[str]]) -> None:
    cells.pop()


def first_row_twice(cells: list[list[str]]) -> None:
    cells.insert(1, cells[1])


@pytest.mark.parametrize(("name", "shoe"), crossed(GAMES, ["full", "v:9,1,0,2,3,0,1,2,2,1", "27d"]))
def test_the_checker_confirms_every_shipped_game(name: str, shoe: str, tmp_path: Path) -> None:
    game = load_game(name)
    cards = Shoe.decks(game.decks) if shoe == "full" else Shoe.parse(shoe)
    status, said, wrong = checked(export(game, cards, tmp_path / name))
    assert (status, wrong) == (0, "")
    assert said.splitlines()[-1] == (f"{name}, {cards}: {len(game.events)} events and {len(game.bets)} edges agree")


@pytest.mark.long
def test_the_checker_confirms_every_bet_of_the_catalog(punto_banco: Path, tmp_path: Path) -> None:
    game, more = everything("punto-banco"), long_or(["c:" + BY_CARD, "1d-7h-Ks-As"], [])
    for folder in (punto_banco, *(export(game, Shoe.parse(shoe), tmp_path / shoe[:2]) for shoe in more)):
        status, said, wrong = checked(folder)
        assert (status, wrong) == (0, "")
        assert f" and {len(game.bets)} edges agree\n" in said


def test_the_readme_prints_what_the_checker_says(louisiana: Path) -> None:
    status, said, wrong = by_itself(louisiana)
    assert (status, wrong) == (0, "")
    assert f"```text\n{said.splitlines()[-1]}\n```" in (ROOT / "docs" / "how-to" / "check-the-figures.md").read_text()


def test_the_checker_needs_the_standard_library_alone(hands: Path, tmp_path: Path) -> None:
    status, said, wrong = by_itself(hands)
    assert (status, wrong, said.count(" agree\n")) == (0, "", 5)
    other = changed(hands, tmp_path / "changed", "shoe.csv", cell(1, "count", "7"))
    found = by_itself(other)
    assert found == checked(other)
    assert found[0] == 1


def test_pairs_are_counted_on_a_shoe_known_by_rank(tmp_path: Path) -> None:
    game = PUNTO.only(["player-pair", "either-pair"])
    assert checked(export(game, Shoe.parse("8d-7-7-K"), tmp_path / "ranks"))[0] == 0


@pytest.mark.parametrize("name", long_or(GAMES, ["punto-banco", "louisiana-stand-5"]))
def test_a_million_deals_by_the_tableau_give_the_weights(
    name: str,
    tmp_path: Path,
    dealer: ModuleType,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dealer, "SHOES", long_or(30, 4))  # one shoe for each of the four ways to draw ranks
    if name in ("punto-banco", "louisiana"):
        folder = request.getfixturevalue(name.replace("-", "_"))
    else:
        folder = export(load_game(name), Shoe.decks(8), tmp_path / name)
    dealer.check(folder)
    assert "1,000,000 deals by its tableau give the weights of its 5,005 multisets" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("file", "change", "says"),
    [
        ("weights.csv", cell(1, "tie", "2"), "counts.csv: tie: "),
        ("weights.csv", without_last_row, "counts.csv: tie: "),
        ("shoe.csv", cell(1, "count", "7"), "shoe.csv: cards: 416, should be 415"),
        (
            "shoe.csv",
            both(cell(1, "count", "7"), cell(5, "count", "9")),
            "counts.csv: player-win: 2244099846135808 of ",
        ),
        ("counts.csv", cell(4, "count", "92511846173201"), "counts.csv: tie-7-7: 92511846173201 of "),
        ("counts.csv", cell(4, "deals", "1"), "of 1, should be "),
        ("counts.csv", without_last_row, "missing, should be "),
        ("bets.csv", cell(1, "pay_numerator", "2"), "edges.csv: player: -30237132448/"),
        ("bets.csv", cell(1, "event", "tie"), "edges.csv: player: "),
        ("bets.csv", cell(1, "event", "nonesuch"), "no such"),
        ("edges.csv", first_row_twice, "edges.csv: an entry stands twice"),
        ("counts.csv", first_row_twice, "counts.csv: an entry stands twice"),
        ("edges.csv", cell(1, "numerator", "-30237132447"), "edges.csv: player: -30237132447/3904998652737, "),
        ("edges.csv", cell(1, "edge", "-0.007743186398"), "edges.csv: player: "),
        ("edges.csv", without_last_row, "edges.csv: big-win-banker-35: missing, should be "),
    ],
)
def test_the_checker_notices_a_changed_figure(
    few_bets: Path, tmp_path: Path, file: str, change: Callable[[list[list[str]]], None], says: str
) -> None:
    status, said, wrong = checked(changed(few_bets, tmp_path / "changed", file, change))
    assert status == 1
    assert wrong.count("\n") == 1
    assert wrong.startswith(says) or says in wrong
    assert "events and" not in said


def test_the_checker_wants_every_table_in_the_manifest(louisiana: Path, tmp_path: Path) -> None:
    shutil.copytree(louisiana, tmp_path / "struck")
    manifest = json.loads((tmp_path / "struck" / "manifest.json").read_text())
    del manifest["sha256"]["tableau.csv"]
    (tmp_path / "struck" / "manifest.json").write_text(json.dumps(manifest))
    status, _, wrong = checked(tmp_path / "struck")
    assert status == 1
    assert wrong.startswith("SHA-256: tableau.csv: missing, should be of no digest")


@pytest.mark.parametrize("row", [1, 4, 16])
def test_the_checker_notices_a_changed_pair(pairs: Path, tmp_path: Path, row: int) -> None:
    was = tables(PUNTO.only(["player", "perfect-pair", "either-pair"]), Shoe.parse("c:" + FEW_BY_CARD))[
        "first_cards.csv"
    ]
    other = str(1 - was[row - 1]["perfect-pair"])
    status, _, wrong = checked(changed(pairs, tmp_path / "x", "first_cards.csv", cell(row, "perfect-pair", other)))
    assert status == 1
    assert wrong.startswith("counts.csv: perfect-pair: ")


@pytest.mark.parametrize("file", sorted(set(files(load_game("louisiana"), Shoe.decks(8))) - {"manifest.json"}))
def test_a_changed_byte_breaks_a_digest(louisiana: Path, tmp_path: Path, file: str) -> None:
    shutil.copytree(louisiana, tmp_path / "changed")
    with (tmp_path / "changed" / file).open("a") as text:
        text.write("\n")
    status, _, wrong = checked(tmp_path / "changed")
    assert status == 1
    assert wrong.startswith(f"SHA-256: {file}: ")


@pytest.mark.parametrize(
    ("file", "change", "says"),
    [
        ("weights.csv", cell(1, "tie", "2"), r"weights\.csv: tie of \(0, 0, 0, 0, 0, 0\): 2, should be 1"),
        ("weights.csv", without_last_row, r"weights\.csv: .*\(9, 9, 9, 9, 9, 9\): missing, should be 1"),
        ("outcomes.csv", cell(1, "tie-7-7", "1"), r"weights\.csv: tie-7-7 of \(0, 0, 0, 0, 0, 0\): 0, should be 1"),
        ("outcomes.csv", without_last_row, r"outcomes\.csv: \(9, 9, 3, 3\) is listed and never dealt, or dealt and"),
        *long_or([("tableau.csv", cell(4, "total_5", "D"), r"weights\.csv: ")], []),
    ],
)
def test_the_dealer_notices_a_changed_rule_or_weight(
    louisiana: Path,
    tmp_path: Path,
    dealer: ModuleType,
    file: str,
    change: Callable[[list[list[str]]], None],
    says: str,
) -> None:
    with pytest.raises(SystemExit, match=says):
        dealer.check(changed(louisiana, tmp_path / "changed", file, change))


@pytest.mark.parametrize(("program", "most"), [(CHECKER, 80), (DEALER, 280)])
def test_the_programs_are_short_and_of_the_standard_library(program: Path, most: int) -> None:
    text = program.read_text()
    assert len(text.splitlines()) <= most
    digests: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            digests |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            digests.add(node.module or ".")
    assert digests <= sys.stdlib_module_names
    assert "csv" in digests


# Bets settled by the hands


@cache
def on_hands() -> Game:
    lines: dict[str, list[dict[str, Any]]] = {
        "giving": [
            {"any": [{"player_first_total": 3, "banker_third_value": 8}, {"first_number_of": {"9": 3}}], "odds": "9:1"},
            {"player_number_of": {"A": 2}, "not": [{"winner": "tie"}], "odds": "5:1"},
        ],
        "one-rank": [{"pairs_of_one_rank": True, "odds": "100:1"}, {"pairs": 2, "odds": "20:1"}],
        "royal": [
            {"player_first_two": "K Q", "player_suited": True, "odds": "75:1"},
            {"player_first_two": "Q K", "odds": "30:1"},
        ],
        "red-pair": [{"player_first_colour": "red", "player_pair": True, "winner": "player", "odds": "9:1"}],
    }
    bets = [Bet(name=name, pays=pays) for name, pays in lines.items()]  # type: ignore[arg-type]
    return PUNTO.only(["player", "player-pair", "tie-8"]).with_bets(*bets)


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(on_hands(), Shoe.parse("c:" + BLACK_AND_RED), tmp_path_factory.mktemp("export") / "hands")


def test_games_without_lines_of_hands_have_no_tables_of_them(louisiana: Path) -> None:
    assert {file.name for file in louisiana.iterdir()} & {"lines.csv", "kinds.csv"} == set()
    assert "left_out" not in json.loads((louisiana / "manifest.json").read_text())


def test_both_programs_confirm_lines_of_hands(
    hands: Path, tmp_path: Path, dealer: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dealer, "SHOES", long_or(30, 4))
    if LONG:
        hands = export(on_hands(), Shoe.parse("8d-7h-Ks-As"), tmp_path / "hands")
    status, said, wrong = checked(hands)
    assert (status, wrong) == (0, "")
    assert said.splitlines()[-1].endswith(f": {len(on_hands().events)} events and 7 edges agree")
    dealer.check(hands)
    said = capsys.readouterr().out
    assert "give the weights of its 5,005 multisets" in said
    for bet in ("one-rank", "royal", "red-pair"):
        assert f"{bet}: by example, not by proof: its sums are right on {dealer.SHOES} small shoes" in said
    assert "giving" not in said  # not checked by example: all deals give its weights


@pytest.mark.parametrize(
    ("file", "change", "says"),
    [
        ("kinds.csv", cell(1, "kind", "1"), "counts.csv: "),
        ("draws_by_kind.csv", cell(1, "weight", "7"), "counts.csv: "),
        ("draws_by_kind.csv", without_last_row, "counts.csv: "),
        ("draws_by_value.csv", cell(1, "weight", "7"), "counts.csv: "),
        ("draws_by_value.csv", cell(-1, "dealt", "3"), "counts.csv: player-win-player-pair-player-first-colour-red: "),
        ("draws_by_value.csv", cell(1, "event", "tie"), "counts.csv: tie: "),
        ("weights.csv", cell(1, "player-first-two-qk", "1"), "no such column"),
    ],
)
def test_the_checker_notices_a_changed_sum(
    hands: Path, tmp_path: Path, file: str, change: Callable[[list[list[str]]], None], says: str
) -> None:
    if says == "no such column":
        assert "player-first-two-qk" not in (hands / file).read_text().splitlines()[0]
        return
    status, _, wrong = checked(changed(hands, tmp_path / "changed", file, change))
    assert status == 1
    assert wrong.count("\n") == 1
    assert wrong.startswith(says)


def line_of(event: str, column: str, was: str, now: str) -> Callable[[list[list[str]]], None]:
    def change(cells: list[list[str]]) -> None:
        place = cells[0].index(column)
        (row,) = (row for row in cells if row[0] == event)
        assert was in row[place]
        row[place] = row[place].replace(was, now)

    return change


@pytest.mark.parametrize(
    ("file", "change", "says"),
    [
        *long_or(
            [
                ("lines.csv", line_of("player-number-of-a-2-not-tie", column, was, now), r"weights\.csv: player-number")
                for column, was, now in (("before", "[8]", "[7]"), ("line", '"A"', '"2"'))
            ],
            [],
        ),
        ("lines.csv", line_of("pairs-2", "line", "[2]", "[1]"), r"draws_by_value\.csv: pairs-2 of "),
        ("lines.csv", line_of("pairs-2", "before", "true", "false"), r"draws_by_value\.csv: pairs-2 of "),
        ("lines.csv", without_last_row, r"weights\.csv: player-number|lines\.csv: a line of red-pair is missing"),
        (
            "draws_by_value.csv",
            cell(-1, "weight", "9"),
            r"draws_by_value\.csv: player-win-player-pair-player-first-col",
        ),
        ("kinds.csv", cell(1, "kind", "1"), r"draws_by_value\.csv: "),
        (
            "weights.csv",
            cell(1, "player-number-of-a-2-not-tie", "2"),
            r"weights\.csv: player-number-of-a-2-not-tie of ",
        ),
    ],
)
def test_the_dealer_notices_a_changed_line_or_sum(
    hands: Path,
    tmp_path: Path,
    dealer: ModuleType,
    file: str,
    change: Callable[[list[list[str]]], None],
    says: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if file == "kinds.csv":  # the change concerns one card, which few small shoes contain
        monkeypatch.setattr(dealer, "SHOES", 30)
    with pytest.raises(SystemExit, match=says):
        dealer.check(changed(hands, tmp_path / "changed", file, change))


def test_bets_of_long_tables_are_left_out_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dealer: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(exported_lines, "MOST_ROWS", 1000)
    game = long_or(on_hands(), on_hands().only(["player", "royal", "red-pair"]))
    exported_lines._counted.cache_clear()
    try:
        folder = export(game, Shoe.decks(8), tmp_path / "short")
    finally:
        exported_lines._counted.cache_clear()
    (long,) = json.loads((folder / "manifest.json").read_text())["left_out"]
    assert long["bet"] == "red-pair"
    assert long["rows"] > 1000
    status, said, wrong = checked(folder)
    assert (status, wrong) == (0, "")
    assert f"left out of the tables, not added up: {long['events'][0]}; bets red-pair\n" in said
    assert said.splitlines()[-1].endswith(f": {len(game.events) - 1} events and {len(game.bets) - 1} edges agree")
    monkeypatch.setattr(dealer, "SHOES", long_or(30, 4))
    dealer.check(folder)
    assert "red-pair" not in capsys.readouterr().out


def test_every_condition_is_tried_as_in_the_reference_implementation(dealer: ModuleType) -> None:
    """The dealing program has its own version of the conditions. Both versions agree on random hands."""
    rng, tried = random.Random(5), Counter[str]()
    for _ in range(long_or(20_000, 2000)):
        cards = [rng.choice([*range(52), *range(36, 52), 4, 5]) for _ in range(6)]
        player, banker = cards[: rng.choice((2, 3))], cards[3 : rng.choice((5, 6))]
        line = Conditions.model_validate(conditions(rng, 1)).plain
        as_pairs = [tuple((card // 4 + 1, "shdc"[card % 4]) for card in hand) for hand in (player, banker)]
        met = dealer.meets(line, *as_pairs)
        assert met == pay_lines.meets(line, player, banker), (line, player, banker)
        tried.update([*line])
    assert tried.keys() >= {*KEYS}


def test_the_tables_say_what_exact_says() -> None:
    game, shoe = load_game("louisiana"), Shoe.parse("8d-7-7-K")
    by_file = tables(game, shoe)
    assert {row["event"]: row["count"] for row in by_file["counts.csv"]} == events(game, shoe)
    edges = {row["bet"]: Fraction(row["numerator"], row["denominator"]) for row in by_file["edges.csv"]}
    assert edges == exact_edges(game, shoe)
    assert all(
        abs(Fraction(row["edge"]) - edges[row["bet"]]) <= Fraction(1, 2 * 10**12) for row in by_file["edges.csv"]
    )
    assert sum(row["count"] for row in by_file["shoe.csv"]) == shoe.cards_left
    assert [row["rank"] for row in by_file["shoe.csv"] if row["count"] < 32] == ["7", "K"]
    orders = [sum(row[name] for name in ("player-win", "banker-win", "tie")) for row in by_file["weights.csv"]]
    assert sum(orders) == 10**6
    assert (len(orders), max(orders), min(orders)) == (5005, 720, 1)


def test_an_export_is_the_same_bytes_again_and_below_a_megabyte(louisiana: Path, tmp_path: Path) -> None:
    again = export(load_game("louisiana"), Shoe.decks(8), tmp_path / "again")
    names = sorted(file.name for file in louisiana.iterdir())
    assert names == sorted(file.name for file in again.iterdir())
    assert all((louisiana / name).read_bytes() == (again / name).read_bytes() for name in names)
    assert sum((again / name).stat().st_size for name in names) < 10**6
    for row in listing(again):
        assert row["sha256"] == hashlib.sha256((again / row["file"]).read_bytes()).hexdigest()


def test_an_event_may_be_named_as_nothing_else_is(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'title = "Mine"\nsource = "mine"\ndecks = 8\ntableau = "punto-banco"\n[[bets]]\nname = "event"\n'
        'pays = [{ winner = "tie", player_total = 0, odds = "8:1", event = "of-0" }]\n'
    )
    assert checked(export(load_game(tmp_path / "mine.toml"), Shoe.decks(1), tmp_path / "mine"))[0] == 0


def test_a_folder_is_filled_once(tmp_path: Path) -> None:
    folder = export(PUNTO, Shoe.decks(8), tmp_path / "mine")
    (folder / "edges.csv").unlink()
    (folder / "manifest.json").unlink()
    assert export(PUNTO, Shoe.decks(8), folder) == folder  # an export that was cut short is completed
    assert checked(folder)[0] == 0
    with pytest.raises(
        InputError, match=r'holds an export that differs in shoe \("8d" in the folder, "6d" now\), should be another'
    ):
        export(PUNTO, Shoe.decks(6), folder)
    (folder / "shoe.csv").write_text("mine")
    with pytest.raises(InputError, match=r"its shoe\.csv was changed, should be a new or empty folder"):
        export(PUNTO, Shoe.decks(8), folder)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="holds other files and no export, should be a new or empty folder"):
        export(PUNTO, Shoe.decks(8), tmp_path / "other")
    assert [file.name for file in (tmp_path / "other").iterdir()] == ["notes.txt"]
    with pytest.raises(InputError, match="cannot be made"):
        export(PUNTO, Shoe.decks(8), tmp_path / "other" / "notes.txt")


def test_the_command_prints_the_files_and_how_to_check_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (
        main(["export", "ez-baccarat", "--bets", "dragon-7", "player-pair", "--shoe", "r:4,1,3,2,5,0,3,2,4,2,3,1,4"])
        == 0
    )
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.splitlines()[0].split() == ["file", "rows", "sha256"]
    assert said.out.splitlines()[-2:] == [f"python {program} ez-baccarat-export" for program in CHECKERS]
    assert (tmp_path / "ez-baccarat-export" / "first_cards.csv").is_file()
    assert main(["export", "ez-baccarat", "--decks", "6", "--out", "six", "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["files"] == listing(Path("six"))
    assert printed["check"][0] == "python experiments/check_export/add_up.py six"
    assert main(["export", "ez-baccarat", "--decks", "6", "--out", "six", "--format", "csv"]) == 0
    assert capsys.readouterr().out.startswith("file,rows,sha256\ntableau.csv,12,")
    assert main(["export", "ez-baccarat", "--out", "six"]) == 2
    assert capsys.readouterr().err == (
        'counting: six: holds an export that differs in shoe ("6d" in the folder, "8d" now), should be another folder '
        "(--out)\n"
    )
