"""Verbs of Python, the command line and workbooks: one question has one answer."""

from __future__ import annotations

import csv
import json
import pkgutil
import re
import shlex
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from html import unescape
from importlib import import_module
from inspect import signature
from math import isclose, isnan
from pathlib import Path
from typing import Any, get_type_hints
from xml.etree.ElementTree import Element, fromstring
from zipfile import ZipFile

import left_out
import polars as pl
import pytest

import counting
from counting import Dealing, InputError, load_game, load_system
from counting.cli import app_for, main
from counting.cli.asked import _OPTIONS
from counting.io.tables import as_json
from counting.reports.headings import headings
from counting.reports.known import BEST
from counting.reports.workbook import _named, tables
from counting.requests import (
    KINDS,
    Answer,
    AuditRequest,
    CensusRequest,
    CompareRequest,
    EffectsRequest,
    LimitsRequest,
    ReportRequest,
    Request,
    ScoreRequest,
    ShuffleRequest,
    StatementRequest,
    StudyRequest,
    VulnerabilityRequest,
)
from counting.review.synthetic import Flat, deal, log_frames

pytestmark = pytest.mark.usefixtures("few_weighted", "limits_once")

REQUESTS: list[type[Request[Any]]] = [
    AuditRequest, CensusRequest, CompareRequest, EffectsRequest, LimitsRequest, ReportRequest, ScoreRequest,
    ShuffleRequest, StatementRequest, StudyRequest, VulnerabilityRequest,
]  # fmt: skip
PIT = """title = "Pit 3"
game = "louisiana"
side_bets = ["seven-seven-45"]
decks = 2
cut = 14
most_bet = 100
bound = "10/hour"
"""
Asked = tuple[Callable[[], Answer[Any]], str]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log, house rules, and nothing else."""
    folder = tmp_path_factory.mktemp("verbs")
    game = load_game("louisiana")
    table = deal(game, Dealing(), 3, 0, 2)
    coups, bets = log_frames(table, {"=1+1": Flat("tie-9", 25.0)}, game, 1)
    coups.write_csv(folder / "coups.csv")
    bets.write_csv(folder / "bets.csv")
    (folder / "pit.toml").write_text(PIT)
    plan = counting.Plan(load_game("ez-baccarat"), Dealing(), 300, 1, [load_system("dragon-7")], ["dragon-7"], 1)
    counting.run(plan, folder / "played")
    (folder / "new.toml").write_text(PIT.replace("most_bet = 100", "most_bet = 5"))
    return folder


@pytest.fixture(autouse=True)
def _left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    left_out.figures(monkeypatch)
    left_out.depths(monkeypatch)


@pytest.fixture
def inside(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(here)
    return here


ASKED: dict[str, Asked] = {
    "study": (
        lambda: counting.study(
            "ez-baccarat", bet=["dragon-7", "player"], shoes=300, cut="1d", system=load_system("dragon-7")
        ),
        "study ez-baccarat --bet dragon-7 player --shoes 300 --cut 1d --system dragon-7",
    ),
    "vulnerability": (
        lambda: counting.vulnerability("ez-baccarat", "dragon-7", shoes=300, stake=50, system=["dragon-7"], workers=1),
        "vulnerability ez-baccarat dragon-7 --shoes 300 --stake 50 --system dragon-7 --workers 1",
    ),
    "limits": (
        lambda: counting.limits(
            load_game("louisiana"), bet="seven-seven-45", bound="10/hour", most_bet=[25, 50.0], tie_in=[0, 1],
            main="player", model=["sit-out"], shoes=2000, decks=2, deepest="1d", minimum=25,
        ),
        "limits louisiana --bet seven-seven-45 --bound 10/hour --most-bet 25 50.0 --tie-in 0 1 --main player "
        "--model sit-out --shoes 2000 --decks 2 --deepest 1d --minimum 25",
    ),
    "statement": (lambda: counting.statement("pit.toml", shoes=2000), "statement pit.toml --shoes 2000"),
    "limits of house rules": (
        lambda: counting.limits("pit.toml", tie_in=0, main="tie-9", shoes=2000, deepest="1d", minimum=25),
        "limits pit.toml --tie-in 0 --main tie-9 --shoes 2000 --deepest 1d --minimum 25",
    ),
    "compare": (
        lambda: counting.compare("pit.toml", "new.toml", shoes=2000, players=3),
        "compare pit.toml new.toml --shoes 2000 --players 3",
    ),
    "audit": (
        lambda: counting.audit("louisiana", coups="coups.csv", bets=Path("bets.csv"), cut=14),
        "audit louisiana --coups coups.csv --bets bets.csv --cut 14",
    ),
    "shuffle": (
        lambda: counting.shuffle("coups.csv", draws=250, level=0.2),
        "shuffle coups.csv --draws 250 --level 0.2 --out written",
    ),
    "effects": (
        lambda: counting.effects(
            "ez-baccarat", "dragon-7", decks=1, system=load_system("dragon-7"), cards_left=[26, 14]
        ),
        "effects ez-baccarat dragon-7 --decks 1 --system dragon-7 --cards-left 26 14 --out written",
    ),
    "effects on a shoe": (
        lambda: counting.effects("louisiana", "tie-9", shoe=counting.Shoe.parse("v:9,2,2,2,2,2,2,2,2,2"), second=True),
        "effects louisiana tie-9 --shoe v:9,2,2,2,2,2,2,2,2,2 --second --out written",
    ),
    "effects alike": (
        lambda: counting.effects("punto-banco", "either-pair", decks=1, second=True),
        "effects punto-banco either-pair --decks 1 --second --out written",
    ),
    "census": (
        lambda: counting.census("ez-baccarat", "dragon-7", cards=range(6, 9), system="dragon-7", cache=False),
        "census ez-baccarat dragon-7 --cards 6 7 8 --system dragon-7 --no-cache --out written",
    ),
    "census of several": (
        lambda: counting.census("louisiana", ["tie-9", "player"], cards="6", decks=1, histogram=4),
        "census louisiana tie-9 player --cards 6 --decks 1 --histogram 4 --out written",
    ),
    "census with a requirement": (
        lambda: counting.census("louisiana", "tie-9", cards="6:7", tie_in=0.5, main=["player", "banker"], workers=1),
        "census louisiana tie-9 --cards 6:7 --tie-in 0.5 --main player banker --workers 1 --out written",
    ),
    "trip": (
        lambda: counting.trip(
            "louisiana", bet=["banker:100", "tie-9:5"], coups=14, result=-900.0, among=30, goal=600, bankroll="1k",
            discount=["5%", "10%:500"], per="day", coups_per_day=6, dead_chips=0.001, commission_step=5,
        ),
        "trip louisiana --bet banker:100 tie-9:5 --coups 14 --result -900 --among 30 --goal 600 --bankroll 1k "
        "--discount 5% 10%:500 --per day --coups-per-day 6 --dead-chips 0.001 --commission-step 5 --out written",
    ),
    "known": (
        lambda: counting.known("ez-baccarat", commission="5%", decks=6, sorted="7-9", slug="9 9 8 8 7 7"),
        "known ez-baccarat --commission 5% --decks 6 --sorted 7-9 --slug '9 9 8 8 7 7' --out written",
    ),
    "trip of a spread": (
        lambda: counting.trip("louisiana", bet="player:100-300/100@50%", coups=80, decks=6, discount="20%", per="shoe"),
        "trip louisiana --bet player:100-300/100@50% --coups 80 --decks 6 --discount 20% --per shoe --out written",
    ),
    "sample": (
        lambda: counting.sample(rate="20", errors=2, true_rate=1, compare=(10, 40), power=0.7, coups_per_hour=60),
        "sample --rate 20 --errors 2 --true-rate 1 --compare 10 40 --power 0.7 --coups-per-hour 60 --out written",
    ),
    "score": (
        lambda: counting.score("played", bankroll=20_000, stake=100, horizon=1000, check=True),
        "score played --bankroll 20000 --stake 100 --horizon 1000 --check --out written",
    ),
    "score at every trigger": (
        lambda: counting.score(counting.open_sweep("played"), system=["dragon-7"], every=True),
        "score played --system dragon-7 --every --out written",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def asked() -> Callable[[str], Answer[Any]]:
    """A function that gives Python's answer to a question of `ASKED`. Each answer is kept for the next test."""
    return cache(lambda verb: ASKED[verb][0]())


def test_a_verb_is_no_package() -> None:
    """After every module is imported, the verbs are still functions."""
    for module in pkgutil.walk_packages(counting.__path__, "counting."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for verb in {asked.partition(" ")[0] for asked in ASKED}:
        assert callable(getattr(counting, verb)), verb
        assert verb in dir(counting)


@pytest.mark.parametrize("verb", ASKED)
def test_python_the_command_line_and_the_workbook_have_the_same_figures(
    verb: str,
    asked: Callable[[str], Answer[Any]],
    inside: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer, typed = asked(verb), ASKED[verb][1]
    capsys.readouterr()
    out = [] if "--out" in typed else ["--out", str(tmp_path / "out")]
    status = main([*shlex.split(typed.replace("written", str(tmp_path / "out"))), *out, "--format", "json", "--xlsx"])
    printed = capsys.readouterr().out
    assert status in (0, 2)
    assert json.loads(printed) == json.loads(as_json(answer.data))
    folder = answer.save(tmp_path / "saved")
    page = answer.named[0]
    for place in answer.report.tables:
        assert (folder / f"{place}.csv").read_bytes() == (tmp_path / "out" / f"{place}.csv").read_bytes()
    (_, first), *others = cells(tmp_path / "out" / f"{page}.xlsx").items()
    said = " ".join(str(cell) for row in first for cell in row)
    assert answer.answer in said
    assert answer.verdict in said
    assert len(others) == len(answer.tables)
    for (name, frame), (_, (head, *rows)) in zip(answer.tables.items(), others, strict=True):
        assert len(rows) == frame.height, name
        words = headings(frame.columns, answer.report.headings.get(name))
        assert head == [*words.values()]
        assert len(set(head)) == len(head)
        for place, column in enumerate(words):
            names = answer.report.names.get(column, {})
            for ours, row in zip(frame[column].to_list(), rows, strict=True):
                same(names.get(ours, ours) if isinstance(ours, str) else ours, row[place] if place < len(row) else "")


@pytest.mark.parametrize("verb", ASKED)
def test_the_workbook_names_a_bet_as_the_page_does(
    verb: str, asked: Callable[[str], Answer[Any]], inside: Path
) -> None:
    answer = asked(verb)
    page, raw = unescape(answer.to_html()), {*counting.catalog(), *counting.load_game("punto-banco").bet_names}
    for name, frame in tables(answer.report).items():
        for bet in _named(frame, answer.report.names)["bet"].unique() if "bet" in frame.columns else ():
            assert bet not in raw, name
            assert bet in page or bet == BEST, name


def same(ours: Any, theirs: str) -> None:
    """Assert that a value and its text in a workbook are the same. A workbook has 16 digits of a number."""
    if ours is None:
        assert theirs == ""
    elif isinstance(ours, bool):
        assert theirs == str(int(ours))
    elif isinstance(ours, int | float):
        assert isclose(float(theirs), ours, rel_tol=1e-15) or (isnan(float(theirs)) and isnan(ours))
    else:
        assert theirs == ours


_NAMES = {"": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}


def cells(file: Path) -> dict[str, list[list[str]]]:
    """The rows of each sheet of a workbook, with the text of each cell; empty for a cell that the file does not
    have."""
    with ZipFile(file) as archive:
        texts = ["".join(each.itertext()) for each in fromstring(archive.read("xl/sharedStrings.xml"))]
        names = [
            each.get("name", "")
            for each in fromstring(archive.read("xl/workbook.xml")).iterfind("sheets/sheet", _NAMES)
        ]
        sheets = {}
        for number, name in enumerate(names, 1):
            root = fromstring(archive.read(f"xl/worksheets/sheet{number}.xml"))
            sheets[name] = [row_of(row, texts) for row in root.iterfind("sheetData/row", _NAMES)]
    return sheets


def row_of(row: Element, texts: list[str]) -> list[str]:
    line: list[str] = []
    for cell in row.iterfind("c", _NAMES):
        place = 0
        for letter in re.sub("[0-9]", "", cell.get("r", "")):
            place = 26 * place + ord(letter) - 64
        line += [""] * (place - len(line))
        value = cell.findtext("v", "", _NAMES)
        line[place - 1] = texts[int(value)] if cell.get("t") == "s" else value
    return line


def test_a_patron_s_name_is_no_formula(asked: Callable[[str], Answer[Any]], inside: Path, tmp_path: Path) -> None:
    answer = asked("audit")
    file = answer.to_xlsx(tmp_path / "log.xlsx")
    with ZipFile(file) as archive:
        assert [name for name in archive.namelist() if b"<f>" in archive.read(name)] == []
    assert any("=1+1" in row for row in cells(file)["Patrons"])
    assert "=1+1" in answer.tables["patrons"]["patron"].to_list()
    with (answer.save(tmp_path / "saved") / "patrons.csv").open(newline="", encoding="utf-8-sig") as rows:
        assert {row["patron"] for row in csv.DictReader(rows)} == {"'=1+1"}


def test_only_what_the_toolkit_wrote_is_replaced(
    asked: Callable[[str], Answer[Any]], inside: Path, tmp_path: Path
) -> None:
    answer, file = asked("audit"), tmp_path / "log.xlsx"
    answer.to_xlsx(file)
    answer.to_xlsx(file)
    pl.DataFrame({"a": [1]}).write_excel(file)
    theirs = file.read_bytes()
    with pytest.raises(InputError, match=r"^xlsx .*log\.xlsx: holds other data"):
        answer.to_xlsx(file)
    assert file.read_bytes() == theirs


@pytest.mark.long
@pytest.mark.parametrize("verb", ASKED)
def test_an_answer_says_the_command_that_asks_the_same(
    verb: str, asked: Callable[[str], Answer[Any]], inside: Path
) -> None:
    """The command line parses this command to the same request."""
    answer, typed = asked(verb), ASKED[verb][1]
    pairs = [pair for section in answer.report.sections if section.pairs for pair in section.rows]
    (made,) = (value for name, value in pairs if name == "to make it again")
    words = shlex.split(made)
    assert words[0] == "counting"
    verb = verb.partition(" ")[0]
    parsed, bound, _ = app_for(verb).parse_args(words[1:], exit_on_error=False, print_error=False)
    typed_too, same, _ = app_for(verb).parse_args(
        shlex.split(typed.removesuffix(" --out written")), exit_on_error=False, print_error=False
    )
    assert parsed is typed_too
    wanted, given = (each.arguments for each in (same, bound))
    assert {name: str(value) for name, value in given.items()} | {"minimum": "25"} == {
        name: str(value) for name, value in wanted.items()
    } | {"minimum": "25"}


@pytest.mark.parametrize("request_kind", REQUESTS)
def test_every_argument_has_a_meaning_and_a_kind(request_kind: type[Request[Any]]) -> None:
    assert [name for name, text in request_kind.meanings().items() if not text] == []
    hints = get_type_hints(request_kind, include_extras=True)
    for name in request_kind.arguments():
        kinds = [each for each in KINDS if f"'{each}'" in repr(hints[name])]
        assert kinds or any(plain in repr(hints[name]) for plain in ("str", "bool", "Literal")), name


@pytest.mark.parametrize("verb", ["audit", "shuffle"])
def test_an_exit_status_is_of_the_command_line_alone(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "xit status" not in getattr(counting, verb).__doc__
    with suppress(SystemExit):
        main([verb, "--help"])
    assert "Exit status 2 if too little of the log could be read for a verdict." in capsys.readouterr().out


def test_every_kind_has_an_option() -> None:
    assert _OPTIONS.keys() == KINDS.keys()


def test_errors_name_arguments_in_python_and_options_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=r"^most_bet: missing, should be an amount for a bound in money$"):
        counting.limits("louisiana", bet="seven-seven-45", bound="10/hour")
    assert main(shlex.split("limits louisiana --bet seven-seven-45 --bound 10/hour")) == 2
    assert capsys.readouterr().err == "counting: --most-bet: missing, should be an amount for a bound in money\n"
    with pytest.raises(InputError, match=r"^most_bet: "):
        counting.limits("louisiana", bet="seven-seven-45", bound="10/hour", most_bet="-3")


def test_an_unknown_argument_is_named_with_the_nearest() -> None:
    with pytest.raises(TypeError, match=r"limits\(\) has no argument 'most_bets'; did you mean 'most_bet'\?"):
        counting.limits("louisiana", bet="seven-seven-45", bound="1/shoe", most_bets=3)  # type: ignore[call-arg]


@pytest.mark.long
def test_what_is_saved_is_what_the_command_writes(inside: Path, tmp_path: Path) -> None:
    """Both folders have the same files, including the played shoes."""
    answer = counting.study("louisiana", shoes=300)
    folder = answer.save(tmp_path / "saved")
    assert main([*shlex.split("study louisiana --shoes 300 --out"), str(tmp_path / "typed")]) == 0
    typed = tmp_path / "typed"
    files, typed_files = (
        {str(path.relative_to(of)) for path in of.rglob("*") if path.is_file() and path.name != ".lock"}
        for of in (folder, typed)
    )
    assert files == typed_files
    differ = [name for name in files if (folder / name).read_bytes() != (typed / name).read_bytes()]
    assert differ in ([], ["report.html"])  # its page names the command with the folder
    with pytest.raises(InputError, match=r"holds a study"):
        counting.sample(rate=10).save(folder)


def test_an_answer_lasts_without_a_folder_and_takes_it_away() -> None:
    answer = counting.study("louisiana", bet="tie-9", shoes=100)
    folder = answer.folder
    assert folder is not None
    assert (folder / "report.html").read_text() == answer.to_html()
    assert "\n" not in repr(answer)
    assert "<li>" in answer._repr_html_()
    assert answer.figures.keys() <= answer.tables.keys()
    del answer
    assert not folder.exists()


def test_an_answer_shows_its_verdict_or_its_finding_in_short(asked: Callable[[str], Answer[Any]], inside: Path) -> None:
    audited = asked("audit")
    assert repr(audited) == f"<Audit of a table's log: {audited.answer.rstrip('.')}; {len(audited.tables)} tables>"
    assert re.search(r"<.*: (NOT MET|MET|UNDECIDED); 3 tables", repr(asked("statement")))
    scored = repr(asked("score"))
    assert "\n" not in scored
    assert len(scored) < 400


def test_house_rules_of_a_mapping_are_named_as_the_argument_is() -> None:
    with pytest.raises(InputError) as refused:
        counting.statement({"title": "x", "game": "louisiana", "side_bets": []})
    assert str(refused.value) == "rules: cut: missing"
    rules = counting.load_house("louisiana-45-most-25")
    assert repr(rules) == f"<HouseRules louisiana: seven-seven-45; {rules.dealing.words}>"


def test_the_sweep_of_an_answer_lasts_without_the_answer() -> None:
    sweep = counting.study("louisiana", bet="tie-9", shoes=100).result
    assert counting.by_bet(sweep).collect().height == len(sweep.plan.bets)
    scored = counting.score(sweep)
    folder = sweep.folder
    del sweep
    assert scored.result.dealt.collect().height > 0  # the scores keep the sweep's folder
    del scored
    assert not folder.exists()
    lost = counting.Sweep(folder, counting.Plan("louisiana", Dealing(), 300))
    with pytest.raises(InputError, match=r": the sweep's folder is gone; with out=FOLDER "):
        counting.by_bet(lost)
    played = counting.study("louisiana", bet="tie-9", shoes=100)
    assert counting.score(played).tables["scores"].equals(counting.score(played.result).tables["scores"])


GOOD: dict[str, dict[str, Any]] = {
    "study": {"game": "louisiana", "shoes": 20},
    "vulnerability": {"game": "ez-baccarat", "bet": "dragon-7", "shoes": 20, "system": "dragon-7"},
    "limits": {
        "game": "louisiana",
        "bet": "seven-seven-45",
        "bound": "1/shoe",
        "shoes": 2000,
        "tie_in": 0,
        "deepest": 20,
    },
    "statement": {"rules": "pit.toml", "shoes": 2000},
    "audit": {"game": "louisiana", "coups": "coups.csv", "bets": "bets.csv", "cut": 14},
    "shuffle": {"coups": "coups.csv", "draws": 999},
    "effects": {"game": "louisiana", "bet": "tie-9", "decks": 1, "cards_left": 26},
    "census": {"game": "louisiana", "bet": "tie-9", "cards": 6, "decks": 1, "tie_in": 1},
    "score": {"dir": "played", "bankroll": 20_000, "stake": 100},
    "trip": {"game": "louisiana", "bet": "banker:100", "coups": 20, "discount": "10%"},
    "sample": {"rate": 20, "compare": [10, 40]},
    "known": {"game": "louisiana", "bet": "banker", "decks": 1, "slug": "9 9 8 8 7 7"},
}


def test_a_frame_in_place_of_a_file_is_one_line_that_says_how_to_write_it() -> None:
    class Pandas:
        """A frame that is not polars'."""

        columns, to_csv = ["table"], None

    frame = pl.DataFrame({"table": ["1"] * 60})
    polars = "a DataFrame, should be a file: frame.write_csv('coups.csv')"
    asked: list[tuple[Callable[[], object], str]] = [
        (lambda: counting.audit("ez-baccarat", coups=frame), f"coups: {polars}"),  # type: ignore[arg-type]
        (lambda: counting.shuffle(frame), f"coups: {polars}"),  # type: ignore[arg-type]
        (lambda: counting.read_log(frame), f"coups: {polars}"),  # type: ignore[arg-type]
        (
            lambda: counting.shuffle("coups.csv", bets=Pandas()),  # type: ignore[arg-type]
            "bets: a Pandas, should be a file: frame.to_csv('bets.csv')",
        ),
        (
            lambda: counting.study(frame),  # type: ignore[arg-type]
            "game: a DataFrame, should be a game's name, or the path of a TOML file",
        ),
    ]
    for ask, line in asked:
        with pytest.raises(InputError) as refused:
            ask()
        assert str(refused.value) == line


@pytest.mark.parametrize(
    ("verb", "argument"),
    [(verb, name) for verb in GOOD for name in signature(getattr(counting, verb)).parameters if name != "progress"],
)
def test_a_wrong_argument_is_one_line(verb: str, argument: str, inside: Path) -> None:
    ask, taken = getattr(counting, verb), list[Any]()
    for value in (object(), float("nan"), b"x", [object()], "\0"):
        with suppress(InputError):
            ask(**GOOD[verb] | {argument: value})
            taken.append(value)
    assert taken == []


def test_a_docstring_promises_no_more_than_the_first_mistake() -> None:
    with pytest.raises(InputError) as refused:
        counting.study("louisiana", bet="nosuch", decks=99)
    assert str(refused.value).count("\n") == 0
    says = "Raises `InputError` for a mistake in the arguments. If there are several mistakes, the error may report"
    assert says in (counting.study.__doc__ or "")


def test_a_watch_in_python_gives_the_command_s_alerts(inside: Path, tmp_path: Path) -> None:
    """The alerts are the same except for their times, and `stop` ends the watch."""
    rule = "edge > -0.05"
    watched = counting.watch("louisiana", coups="coups.csv", bets="bets.csv", rule=rule, once=True)
    alerts = [dict(alert) for alert in watched]
    file = tmp_path / "alerts.jsonl"
    command = ["watch", "louisiana", "--coups", "coups.csv", "--bets", "bets.csv", "--rule", rule, "--once"]
    assert main([*command, "--format", "none", "--alerts", str(file)]) == 0
    written = [json.loads(line) for line in file.read_text().splitlines()]
    kept = [{key: value for key, value in alert.items() if key in alerts[0]} for alert in written]
    assert len(alerts) > 1
    assert kept == json.loads(json.dumps(alerts))
    assert watched.tables().height == 1
    follows = counting.watch("louisiana", coups="coups.csv", rule=rule)
    assert next(follows) == alerts[0]
    follows.stop()
    assert len(list(follows)) < len(alerts)


def test_a_bet_that_is_never_positive_is_answered() -> None:
    """The answer is a verdict, not an error that the gain of the bet cannot be estimated."""
    never = "never: tie player_total=9 = 1 to 1"
    exposed = counting.vulnerability("punto-banco", never, stake=25, bound="10/hour", shoes=2000)
    assert exposed.verdict == "MET"
    assert "no counter wins anything" in exposed.answer
