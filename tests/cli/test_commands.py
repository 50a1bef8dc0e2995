"""The command line: what it prints, and that bad input gets one clear line and exit status 2."""

import csv
import io
import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from cyclopts import Token
from extent import LONG, crossed, long_or
from own_process import measured

from counting import Shoe, events, exact_edges, load_game
from counting.cli import main
from counting.cli.options import one_amount, one_share
from counting.io.tables import as_csv, as_table
from counting.io.toml import shipped
from counting.simulation import Dealing
from counting.sweep import Plan, run
from counting.systems import load_system

HERE = Path(__file__).parents[1]


def ran(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(list(argv)) == 0
    printed = capsys.readouterr()
    on_counts = r"([\w-]+: (its best trigger|this count wins nothing|this count never bets) .*\n)*"
    assert re.fullmatch(rf"(about [0-9.]+ [kM]B on disk\n)?{on_counts}", printed.err)
    return printed.out


def test_games(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(ran(capsys, "games", "--format", "json"))["games"]
    assert {g["game"] for g in listed} == {
        "punto-banco",
        "no-commission",
        "ez-baccarat",
        "louisiana",
        "louisiana-stand-5",
    }
    assert all(len(g["digest"]) == 64 for g in listed)
    assert "Louisiana Baccarat" in ran(capsys, "games")


@pytest.mark.parametrize("shoe", ["8d", "8d-7-7-K", "v:9,1,0,2,3,0,1,2,2,1"])
def test_edges_as_json(shoe: str, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(ran(capsys, "edges", "louisiana", "--shoe", shoe, "--format", "json"))
    game, cards = load_game("louisiana"), Shoe.parse(shoe)
    assert set(data) == {"game", "shoe", "bets", "events"}
    assert (data["game"], data["shoe"]) == ("louisiana", shoe)
    exact = exact_edges(game, cards)
    assert {name: Fraction(bet["exact"]) for name, bet in data["bets"].items()} == exact
    assert all(bet["edge"] == float(exact[name]) for name, bet in data["bets"].items())
    assert {name: e["count"] for name, e in data["events"].items()} == events(game, cards)
    main_events = [data["events"][name]["probability"] for name in ("player-win", "banker-win", "tie")]
    assert sum(main_events) == pytest.approx(1)


def test_edges_of_a_shoe_after_removals(capsys: pytest.CaptureFixture[str]) -> None:
    edges = json.loads(ran(capsys, "edges", "punto-banco", "--decks", "8", "--remove", "7 7 K", "--format", "json"))
    two = json.loads(ran(capsys, "edges", "punto-banco", "--shoe", "8d-7-7-K", "--format", "json"))
    assert edges == two
    assert json.loads(ran(capsys, "edges", "punto-banco", "--format", "json"))["shoe"] == "8d"


def test_bets_are_named_by_commas_by_blanks_or_again(capsys: pytest.CaptureFixture[str]) -> None:
    ways = [
        "--bet dragon-7,panda-8",
        "--bet dragon-7 panda-8",
        "--bet dragon-7 --bet panda-8",
        "--bets dragon-7, panda-8",
    ]
    shown = [ran(capsys, "edges", "ez-baccarat", *way.split(), "--format", "json") for way in ways]
    assert list(json.loads(shown[0])["bets"]) == ["dragon-7", "panda-8"]
    assert len(set(shown)) == 1


def test_edges_as_a_table_and_as_csv(capsys: pytest.CaptureFixture[str]) -> None:
    table = ran(capsys, "edges", "louisiana")
    assert "-8.13039%" in table
    assert "0.019971654" in table
    rows = list(csv.DictReader(io.StringIO(ran(capsys, "edges", "louisiana", "--format", "csv"))))
    assert {row["name"] for row in rows if row["kind"] == "bet"} == set(load_game("louisiana").bet_names)


def test_a_users_own_file_works_as_a_name_does(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(ran(capsys, "edges", str(HERE / "games" / "rulers.toml"), "--format", "json"))
    assert data["game"] == "rulers"
    assert data["bets"]["dragon-7"]["edge"] == pytest.approx(-0.076113, abs=1e-6)


def test_simulate(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(ran(capsys, "simulate", "punto-banco", "--coups", "20000", "--format", "json"))
    assert [e["name"] for e in data["events"]] == ["player-win", "banker-win", "tie"]
    assert all(abs(e["z"]) < 5 for e in data["events"] + data["house_edges"])
    assert "with replacement" in ran(capsys, "simulate", "punto-banco", "--coups", "1000", "--with-replacement")
    assert "house edge" in ran(capsys, "simulate", "punto-banco", "--coups", "1000", "--format", "csv")


def test_sweep_prints_its_summary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["sweep", "punto-banco", "--decks", "8", "--cut", "14", "--burn", "first-card", "--after-cut", "1,0"]
    argv += ["--shoes", "300", "--seed", "1", "--system", str(HERE / "systems" / "sevens.toml"), "--out", str(tmp_path)]
    swept = json.loads(ran(capsys, *argv, "--format", "json"))
    assert [row["bet"] for row in swept["bets"]] == ["player", "banker-5", "banker-4", "tie-8", "tie-9"]
    assert {row["system"] for row in swept["systems"]} == {"sevens"}
    assert swept == json.loads(ran(capsys, "summary", str(tmp_path), "--format", "json"))
    assert swept["bets"][0]["cut"] == 14


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A sweep with two bets. The system wins on one of them, and wins nothing on the other."""
    system, bets = load_system(HERE / "systems" / "sevens.toml"), ("player", "seven-seven-45")
    plan = Plan(load_game("louisiana"), Dealing(), long_or(450, 250), 1, (system,), bets)
    return str(run(plan, tmp_path_factory.mktemp("sweep")).folder)


@pytest.mark.long
def test_summary_of_every_kind(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    for by in ("bets", "systems", "penetration", "cards-left", "dealing"):
        data = json.loads(ran(capsys, "summary", folder, "--by", by, "--format", "json"))
        rows = list(csv.DictReader(io.StringIO(ran(capsys, "summary", folder, "--by", by, "--format", "csv"))))
        assert len(rows) == len(data[by.replace("-", "_")]) > 0
        if not LONG and by not in ("systems", "penetration"):
            continue
        shown = ran(capsys, "summary", folder, "--by", by).count("\n") - 2  # less the heading and the line below it
        assert shown == len(rows) if by != "penetration" else 0 < shown < len(rows)
    cuts = json.loads(ran(capsys, "summary", folder, "--cut", "14", "52", "--format", "json"))["bets"]
    assert [row["cut"] for row in cuts] == [14] * 2 + [52] * 2


def test_another_pay_table_is_priced_from_the_same_sweep(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shipped("games")["louisiana"].read_text().replace('"40:1"', '"50:1"').replace("seven-40", "seven-50")
    (tmp_path / "mine.toml").write_text(text)
    argv = ["summary", folder, "--game", str(tmp_path / "mine.toml"), "--format", "json"]
    gain = {row["bet"]: row["units_per_shoe"] for row in json.loads(ran(capsys, *argv))["bets"]}
    assert gain["seven-seven-50"] > gain["seven-seven-45"] > 2


BAD_LINES = {
    "unknown verb": (["edgs", "louisiana"], 'Did you mean "edges"'),
    "no game": (["edges", "--decks", "6"], "GAME: missing, should be one of ez-baccarat, louisiana-stand-5, louisiana, "
        "no-commission, punto-banco, or the path of a TOML file, as: counting edges louisiana --decks 6"),
    "no decks to simulate": (["simulate", "punto-banco", "--coups", "5", "--decks", "0"], "decks: 0, should be"),
    "huge number": (["simulate", "punto-banco", "--coups", "9" * 30], "of at most 19 digits"),
    "a long word": (["edges", "x" * 5000], "x ..."),
    "no folder's name": (["sweep", "punto-banco", "--shoes", "5", "--out", ""], "should be the name"),
    "a folder's name of no text": (["sweep", "punto-banco", "--shoes", "5", "--out", "\udcff"], "a name in UTF-8"),
    "systems without a name": (["sweep", "punto-banco", "--out", "x", "--system"], "followed by one value or more"),
    "a cut without a number": (["summary", "x", "--cut"], "followed by one value or more"),
    "a folder as a game": (["edges", "."], "is not a file, should be a TOML file"),
    "unknown game": (["edges", "lousiana"], "did you mean 'louisiana'"),
    "no file": (["edges", "no/such/game.toml"], "no such file"),
    "a folder": (["edges", "/tmp.toml"], "no such file"),
    "unknown option": (["edges", "louisiana", "--deck", "8"], "--deck"),
    "decks in words": (["edges", "louisiana", "--decks", "eight"], "eight"),
    "no decks": (["edges", "louisiana", "--decks", "0"], "decks: 0, should be a whole number from 1 to 27"),
    "decks and shoe": (["edges", "louisiana", "--decks", "8", "--shoe", "8d"], "should be one or the other"),
    "unknown format": (["edges", "louisiana", "--format", "xml"], "xml"),
    "no shoe": (["edges", "louisiana", "--shoe", ""], "should be decks with cards removed"),
    "shoe of nothing": (["edges", "louisiana", "--shoe", "v:0,0,0,0,0,0,0,0,0,0"], "0 cards, should be 6 to 1,404"),
    "shoe too large": (["edges", "louisiana", "--shoe", "v:9999,0,0,0,0,0,0,0,0,0"], "9999 cards, should be 6"),
    "unknown card": (["edges", "louisiana", "--remove", "7 Z"], "card 'Z': should be one of A 2 3"),
    "card not there": (["edges", "louisiana", "--decks", "1", "--remove", "7 7 7 7 7"], "none is left"),
    "no coups": (["simulate", "punto-banco"], "coups"),
    "coups in words": (["simulate", "punto-banco", "--coups", "many"], "many"),
    "minus coups": (["simulate", "punto-banco", "--coups", "-5"], "coups: -5"),
    "two shoes": (["simulate", "punto-banco", "--coups", "5", "--decks", "8", "--with-replacement"], "one or the"),
    "no folder": (["sweep", "punto-banco"], "--out: missing"),
    "cut too deep": (["sweep", "punto-banco", "--cut", "417", "--out", "x"], "cut: 417, should be a whole number"),
    "cut in words": (["sweep", "punto-banco", "--cut", "half", "--out", "x"], "half"),
    "unknown burn": (["sweep", "punto-banco", "--burn", "two", "--out", "x"], "burn: 'two', should be none"),
    "after-cut no range": (["sweep", "punto-banco", "--after-cut", "0,1", "--out", "x"], "do not form a range"),
    "after-cut three": (["sweep", "punto-banco", "--after-cut", "3", "--out", "x"], "at most two more coups"),
    "after-cut words": (["sweep", "punto-banco", "--after-cut", "one", "--out", "x"], "after-cut: 'one'"),
    "unknown procedure": (["sweep", "punto-banco", "--dealing", "jacobsen", "--out", "x"], "did you mean 'jacobson'"),
    "no shoes": (["sweep", "punto-banco", "--shoes", "0", "--out", "x"], "shoes: 0, should be a whole number"),
    "half a shoe": (["sweep", "punto-banco", "--shoes", "0.5", "--out", "x"], "0.5"),
    "minus seed": (["sweep", "punto-banco", "--seed", "-1", "--out", "x"], "seed: -1"),
    "no workers": (["sweep", "punto-banco", "--workers", "0", "--out", "x"], "workers: 0"),
    "unknown system": (["sweep", "punto-banco", "--system", "dragon", "--out", "x"], "system 'dragon': should be"),
    "system of no bet": (["sweep", "punto-banco", "--system", "dragon-7", "--out", "x"], "for one of the bets priced"),
    "unknown bet": (["sweep", "punto-banco", "--bets", "tie-7", "--out", "x"], "bet 'tie-7': punto-banco has"),
    "no sweep": (["summary", "/nowhere"], "holds no sweep"),
    "few shoes to verify": (["verify", "--shoes", "99"], "shoes: 99, should be a whole number from 100 to"),
    "a game to verify": (["verify", "lousiana"], "did you mean 'louisiana'"),
    "a seed to verify": (["verify", "--seed", "-1"], "seed: -1"),
    "workers to verify": (["verify", "--workers", "0"], "workers: 0"),
    "no folder to verify": (["verify", "--out", ""], "should be the name"),
    "half a deck": (["edges", "louisiana", "--decks", "8.5"], "'8.5' should be a whole number"),
    "half a cut": (["summary", "x", "--cut", "14", "26.5"], "'26.5' should be a number of cards"),
    "unknown kind": (["summary", "x", "--by", "moon"], "moon"),
    "study of nothing": (["study", "punto"], "did you mean 'punto-banco'"),
    "effects of no bet": (["effects", "louisiana"], "BET: missing"),
    "effects for no such bet": (["effects", "louisiana", "tie-99"], "did you mean 'tie-9'"),
    "nothing to remove": (["effects", "louisiana", "player", "--shoe", "v:6,0,0,0,0,0,0,0,0,0"], "should be 7 or more"),
    "values for a pair": (["effects", "punto-banco", "player-pair", "--shoe", "v:9,9,0,0,0,0,0,0,0,0"], "by rank"),
    "five cards left": (["effects", "louisiana", "player", "--cards-left", "5"], "cards left: 5, should be a whole"),
    "no such system": (["effects", "louisiana", "player", "--system", "drgon-7"], "did you mean 'dragon-7'"),
    "full and not": (["effects", "louisiana", "player", "--decks", "8", "--shoe", "8d"], "one or the other"),
    "export of no game": (["export", "lousiana"], "did you mean 'louisiana'"),
    "export of two shoes": (["export", "louisiana", "--decks", "8", "--shoe", "8d"], "should be one or the other"),
    "export of five cards": (["export", "louisiana", "--shoe", "v:5,0,0,0,0,0,0,0,0,0"], "5 cards, should be 6"),
    "export of pairs by value": (
        ["export", "punto-banco", "--bets", "player-pair", "--shoe", "v:16,4,4,4,4,4,4,4,4,4"],
        "player-pair should be priced on a shoe known by rank",
    ),
    "export of no bets": (["export", "louisiana", "--bets"], "followed by one value or more"),
    "export to no folder": (["export", "louisiana", "--out", ""], "should be the name of a new or empty folder"),
    "a bet for a game": (["edges", "dragon-7"], "game 'dragon-7': is a bet, should be a game, as ez-baccarat"),
    "a bet before its game": (["effects", "dragon-7", "ez-baccarat"], "is a bet, should be a game, as ez-baccarat"),
    "a bet without its game": (["vulnerability", "dragon-7"], "GAME: missing before the bet 'dragon-7'"),
    "a game for a bet": (["edges", "louisiana", "--bet", "ez-baccarat"], "bet 'ez-baccarat': is a game, should be"),
    "no such bet of systems": (["systems", "dragon7"], "did you mean 'dragon-7'"),
    "no bets between commas": (["edges", "louisiana", "--bet", ","], "--bet: should be followed by one value or more"),
    "two games": (["edges", "louisiana", "punto-banco"], "punto-banco"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_LINES)
def test_bad_input_gets_one_clear_line(
    case: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    argv, says = BAD_LINES[case]
    assert main(argv) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert printed.err.startswith("counting: ")
    assert any(word in printed.err for word in says.split("|"))
    assert not list(tmp_path.iterdir())


def test_a_file_with_two_mistakes_gets_two_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shipped("games")["punto-banco"].read_text().replace('"19:20"', '"5%"').replace("decks = 8", "decks = 80")
    (tmp_path / "mine.toml").write_text(text)
    assert main(["edges", str(tmp_path / "mine.toml")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[0] for line in lines] == ["counting", "counting"]
    assert any('odds = "5%": should be odds as "40:1" or "19:20", "push", "lose", ' in line for line in lines)


def test_mistakes_in_options_are_reported_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["sweep", "puntobanca", "--cut", "-5", "--seed", "-1", "--burn", "zzz", "--system", "a", "b", "--shoes", "0"]
    assert main([*argv, "--out", "x"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[1].split()[0] for line in lines] == [
        "game",
        "burn",
        "cut",
        "system",
        "system",
        "seed",
        "shoes",
    ]


@pytest.mark.long
def test_one_shoe_is_summed_up_without_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["sweep", "punto-banco", "--shoes", "1", "--out", str(tmp_path)]
    rows = json.loads(ran(capsys, *argv, "--format", "json"))["bets"]
    assert all(row["units_per_shoe_se"] is None for row in rows)
    kinds, formats = ("bets", "systems", "penetration", "cards-left", "dealing"), ("table", "json", "csv")
    for by, format in [*crossed(kinds, formats), *crossed(kinds, formats[::-1])]:
        assert "nan" not in ran(capsys, "summary", str(tmp_path), "--by", by, "--format", format)


def test_a_full_disk_ends_with_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "part-000000.parquet")

    monkeypatch.setattr("counting.sweep.folder.write_bytes", full)
    assert main(["sweep", "punto-banco", "--shoes", "10", "--out", str(tmp_path)]) == 2
    _, said = capsys.readouterr().err.splitlines()
    assert said == (
        "counting: part-000000.parquet: No space left on device; files written so far are complete: make room and run "
        "the same command again"
    )


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("at", "command", "says"),
    [
        ("sweep.runner.run", ["sweep", "punto-banco", "--out", "x"], "the same command resumes where it stopped"),
        (
            "reports.publish.publish",
            ["study", "punto-banco", "--shoes", "1"],
            "the same command resumes where it stopped",
        ),
        ("exact.censuses.census", ["census", "punto-banco", "tie-8"], "the same command resumes where it stopped"),
        (
            "exact.censuses.census",
            ["census", "punto-banco", "tie-8", "--no-cache"],
            "the same command starts again from the beginning",
        ),
        (
            "simulation.simulator.simulate",
            ["simulate", "punto-banco", "--coups", "9"],
            "the same command starts again from the beginning",
        ),
        ("verify.run.verify", ["verify"], "the same command starts again from the beginning"),
    ],
)
def test_an_interrupted_command_says_whether_it_goes_on(
    at: str,
    command: list[str],
    says: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(f"counting.{at}", stop)
    assert main(command) == 130
    assert capsys.readouterr().err.splitlines()[-1] == f"counting: stopped; {says}"


def test_no_traceback_from_a_shell_and_no_bar_in_a_pipe(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "counting.cli"]
    bad = subprocess.run([*command, "edges", "nothing"], capture_output=True, text=True, check=False)
    assert bad.returncode == 2
    assert "Traceback" not in bad.stderr
    argv = ["sweep", "punto-banco", "--shoes", "5", "--out", str(tmp_path)]
    good = subprocess.run([*command, *argv], capture_output=True, text=True, check=True)
    assert re.fullmatch(r"about [0-9.]+ kB on disk\n", good.stderr)


def test_edges_need_neither_polars_nor_matplotlib() -> None:
    probe = "import sys; from counting.cli import main; main(['edges', 'louisiana']); "
    probe += "sys.exit('polars' in sys.modules or 'matplotlib' in sys.modules)"
    subprocess.run([sys.executable, "-P", "-c", probe], check=True, capture_output=True)


def test_tables_line_up_and_csv_holds_no_formula() -> None:
    rows = [{"bet": "=1+1", "edge": 0.5}, {"bet": "tie", "edge": None}]
    assert as_table(rows) == "bet   edge\n=1+1   0.5\ntie\n"
    assert as_csv(rows) == "bet,edge\n'=1+1,0.5\ntie,\n"
    assert as_table([]) == "nothing\n"


_LIMITS = """
import ctypes, os, re, sys
for name in [name for name in os.environ if name.endswith("_NUM_THREADS")]:
    del os.environ[name]
from counting.cli import main
sys.argv[0] = "counting"
status = main()
libraries = {line.split()[-1] for line in open("/proc/self/maps") if "openblas" in line}
names = [f"{start}openblas_get_num_threads{end}" for start in ("scipy_", "") for end in ("64_", "")]
loaded = [ctypes.CDLL(path) for path in libraries]
print([getattr(library, name)() for library in loaded for name in names if hasattr(library, name)], file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_program_solves_on_one_thread_whatever_the_machine(tmp_path: Path) -> None:
    """The bytes of a fit depend on the number of threads. The number that the tests set is removed first."""
    words = "limits ez-baccarat --bet dragon-7 --most-bet 100 --bound 10/hour --model skip-1 --shoes 500"
    done = measured("-c", _LIMITS, *words.split(), "--out", tmp_path / "out")
    refused, threads = done.stderr.splitlines()  # numpy is imported before the error for too few shoes
    assert refused.startswith("counting: shoes: 500, should be 2,000 or more")
    assert threads in ("[1]", "[]")  # empty if numpy has no OpenBLAS


def test_shares_and_amounts_keep_their_sign() -> None:
    shares = {"5%": 0.05, "-5%": -0.05, "0.05": 0.05, "-0.5": -0.5, "0": 0.0}
    assert [one_share(None, [Token(value=text)]) for text in shares] == [*shares.values()]
    amounts = {"70": 70.0, "-2.5": -2.5, "20,000": 20_000.0}
    assert [one_amount(None, [Token(value=text)]) for text in amounts] == [*amounts.values()]
