"""What alerts were worth: the coups of a journal that had an alert, and their chances to win, against a twin and by
hand."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from twins.streams import GAME, Record, interleaved, lines, records

import counting
from counting import Game, InputError, Shoe, load_game, price_shoe
from counting.cli import main
from counting.live import AlertHits, Journal, Watch, WatchSettings, alert_hits, parse_rules
from counting.live.records import InputLine
from counting.review import wins_tails
from counting.review.synthetic import Flat
from counting.systems import load_system

DRAGON = load_system("dragon-7")
RULES = ("edge > 1% for dragon-7", "cards < 200 for banker player", "trigger dragon-7")
WINS = {"dragon-7": "dragon-7", "player": "player-win", "banker": "banker-win-not-dragon-7"}
OF_BETS = "stake > 20 and cards < 380 for dragon-7"


def journal(path: Path, stream: Sequence[Record], rules: Sequence[str] = RULES, game: Game = GAME) -> Path:
    """Write the journal of a watch of these records."""
    settings = WatchSettings(game, game.decks, (DRAGON,), parse_rules(rules, game, (DRAGON,), False), level=0)
    kept, watch, end, read = Journal(path, settings.to_dict()), Watch(settings), 0, []
    assert not list(kept.records())
    for number, raw in enumerate(lines(stream), 1):
        end += len(raw)
        read.append(InputLine(0, raw, end, number))
    kept.append(answer.record for answer in watch.take(read))
    kept.close()
    return path


@pytest.fixture(scope="module")
def stream() -> list[Record]:
    return interleaved(*(records(f"table {at}", 1, at, {"Ann": Flat("dragon-7", 25.0, 0.3)}) for at in range(2)))


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory, stream: list[Record]) -> Path:
    return journal(tmp_path_factory.mktemp("day") / "day.journal", stream, (*RULES, OF_BETS))


@pytest.fixture(scope="module")
def hits(day: Path) -> AlertHits:
    return alert_hits(GAME, [day])


def test_coups_and_chances_are_those_of_the_shoes(hits: AlertHits, stream: list[Record]) -> None:
    """The twin takes each shoe's cards out coup by coup, prices the cards left exactly, and applies the rules as they
    are worded."""
    expected: dict[tuple[str, str], list[tuple[str, int, float, bool]]] = {}
    left: dict[str, list[str]] = {}
    staked = {(bet["table"], bet["coup"]) for bet in stream if "patron" in bet}
    for coup in stream:
        if "player" not in coup:
            continue
        table, number, hands = coup["table"], coup["coup"], (coup["player"].split(), coup["banker"].split())
        seen = left.setdefault(table, [])
        if number > 1:
            priced = price_shoe(GAME, Shoe.decks(8).without(seen))
            cards, edge = 416 - len(seen), float(priced.edges["dragon-7"])
            tags = sum(_tag(card) for card in seen)
            held = [("edge > 1% for dragon-7", "dragon-7")] * (edge > 0.01)
            held += [("cards < 200 for banker player", bet) for bet in ("banker", "player")] * (cards < 200)
            held += [("trigger dragon-7", "dragon-7")] * (tags * 52 >= 4 * cards)
            held += [(OF_BETS, "dragon-7")] * ((table, number) in staked and cards < 380)
            for rule, bet in held:
                chance = float(priced.probabilities[WINS[bet]])
                expected.setdefault((rule, bet), []).append((table, number, chance, _won(hands, bet)))
        seen += [card for card in (*hands[0], *hands[1], *coup.get("burn", "").split()) if card != "?"]
    # A rule on bets gives an alert when it begins to hold, and none for the patron's next bets while it goes on
    # holding.
    found = hits.coups.sort("table", "coup")
    for (rule, bet), rows in expected.items():
        of_rule = found.filter(rule=rule, bet=bet).select("table", "coup", "chance", "won").rows()
        if rule == OF_BETS:
            assert 0 < len(of_rule) <= len(rows)
            rows = [row for row in rows if row[:2] in {other[:2] for other in of_rule}]
        assert [row[:2] + row[3:] for row in of_rule] == [row[:2] + row[3:] for row in sorted(rows)], rule
        assert [row[2] for row in of_rule] == pytest.approx([row[2] for row in sorted(rows)], rel=1e-12)
    assert {*zip(found["rule"], found["bet"], strict=True)} == {*expected}


def _tag(card: str) -> int:
    return {"4": -1, "5": -1, "6": -1, "7": -1, "8": 2, "9": 2}.get(card[0], 0)


def _won(hands: tuple[list[str], list[str]], bet: str) -> bool:
    player, banker = (sum("A23456789".find(card[0]) + 1 for card in hand) % 10 for hand in hands)
    dragon = banker == 7 and len(hands[1]) == 3 and player < 7
    return {"player": player > banker, "banker": banker > player and not dragon, "dragon-7": dragon}[bet]


def test_sums_are_those_of_the_coups(hits: AlertHits) -> None:
    row = hits.by_rule.filter(rule=RULES[1], bet="player").row(0, named=True)
    coups = hits.coups.filter(rule=RULES[1], bet="player")
    assert (row["coups"], row["wins"]) == (coups.height, coups["won"].sum())
    assert row["expected"] == pytest.approx(coups["chance"].sum())
    assert row["expected_units"] == pytest.approx(coups["edge"].sum())
    assert row["units"] == coups["paid"].sum()
    assert row["p_holm"] >= row["p"]
    by_table = hits.summed(["table", "rule", "bet"]).filter(rule=RULES[1], bet="player")
    assert by_table["coups"].sum() == row["coups"]
    assert row["alerts"] == 2  # one per table


def test_a_coup_counts_once_and_as_it_was_corrected(tmp_path: Path, stream: list[Record], hits: AlertHits) -> None:
    of_rule = hits.coups.filter(rule=RULES[1], bet="player", table="table 0", won=True).head(2)
    (shoe, first), (_, second) = of_rule.select("shoe", "coup").rows()
    coups = [record for record in stream if "player" in record]
    key = {"table": "table 0", "shoe": next(coup["shoe"] for coup in coups if str(coup["shoe"]) == shoe)}
    end = max(i for i, record in enumerate(stream) if record["table"] == "table 0")
    replaced = {**key, "coup": first, "player": "2h 3d Tc", "banker": "9s Kc"}
    corrected = [*stream[: end + 1], replaced, {**key, "coup": second, "undo": True}, *stream[end + 1 :]]
    path = journal(tmp_path / "other.journal", corrected)
    other = alert_hits(GAME, [path])
    was, now = (each.by_rule.filter(rule=RULES[1], bet="player").row(0, named=True) for each in (hits, other))
    assert (now["coups"], now["wins"]) == (was["coups"] - 1, was["wins"] - 2)
    assert other.left_out["taken back later"] >= 1
    copy = shutil.copy(path, tmp_path / "copy.journal")
    both = alert_hits(GAME, [path, Path(copy)])
    assert both.by_rule["coups"].to_list() == other.by_rule["coups"].to_list()
    assert both.left_out["logged before"] == other.coups.height


def test_chances_of_pairs_and_ties_are_exact(tmp_path: Path) -> None:
    game = load_game("punto-banco").also(["player-pair", "tie-8"])
    coups = [{"table": "T", "shoe": 1, "coup": k, "player": "9h Kd", "banker": "8s 8d"} for k in (1, 2, 3)]
    rule = "cards < 413 for player-pair tie-8"
    path = journal(tmp_path / "pairs.journal", coups, [rule], game)
    found = alert_hits(game, [path]).coups
    priced = price_shoe(game, Shoe.decks(8).without("9h Kd 8s 8d"))
    pair = found.filter(bet="player-pair", coup=2).row(0, named=True)
    assert pair["chance"] == pytest.approx((float(priced.edges["player-pair"]) + 1) / 12, rel=1e-12)
    tie = found.filter(bet="tie-8", coup=2).row(0, named=True)
    assert tie["chance"] == pytest.approx((float(priced.edges["tie-8"]) + 1) / 9, rel=1e-12)
    assert not pair["won"]
    assert pair["paid"] == -1


def test_tails_are_those_of_every_way_to_win() -> None:
    chances = np.random.default_rng(1).random(9)
    ways = [(sum(way), prod(np.where(way, chances, 1 - chances))) for way in product((0, 1), repeat=9)]
    for wins in range(10):
        below = sum(chance for number, chance in ways if number <= wins)
        above = sum(chance for number, chance in ways if number >= wins)
        assert wins_tails(chances, wins) == (pytest.approx(below), pytest.approx(above))
    assert wins_tails(np.empty(0), 0) == (1, 1)


def test_a_journal_of_another_game_or_changed_is_refused(tmp_path: Path, day: Path) -> None:
    with pytest.raises(InputError, match="a watch of another game"):
        alert_hits(load_game("louisiana"), [day])
    raw = day.read_bytes()
    for name, text, says in (
        ("changed", raw.replace(b'"coup":9,', b'"coup":8,', 1), "is not as counting watch wrote it"),
        ("other", b'{"a": 1}\n', "not a journal"),
        ("empty", b"", "empty, should be a journal"),
    ):
        (tmp_path / name).write_bytes(text)
        with pytest.raises(InputError, match=says):
            alert_hits(GAME, [tmp_path / name])
    (tmp_path / "cut").write_bytes(raw[:-20])  # the last record is still being written
    assert alert_hits(GAME, [tmp_path / "cut"]).journals[0].records == raw.count(b"\n") - 1


def test_the_report_is_a_page_and_a_verb(day: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "ez-baccarat", "--report", str(day), "--out", str(tmp_path / "page"), "--xlsx"]) == 0
    said = capsys.readouterr().out
    assert "Every alert was given before its coup was dealt" in said
    data = json.loads((tmp_path / "page" / "report.json").read_text())
    assert [row["rule"] for row in data["alerts"]] == sorted(row["rule"] for row in data["alerts"])
    assert (tmp_path / "page" / "report.xlsx").is_file()
    answer = counting.alerts("ez-baccarat", report=str(day))
    assert answer.answer in said
    assert answer.report.data["alerts"] == data["alerts"]
    assert pl.read_csv(tmp_path / "page" / "coups.csv").height == answer.result.coups.height


@pytest.mark.parametrize(
    ("name", "also", "commission"),
    [
        ("ez-baccarat", "x: tie = 5:1", None),
        ("ez-baccarat", ["Dragon 7", "x: tie = 5:1"], None),
        ("punto-banco", ["x: tie = 5:1", "dragon-7"], "2.5%"),
    ],
)
def test_a_report_reads_the_journal_of_a_watch_with_these_options(
    name: str, also: str | list[str], commission: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The options have a bet that is written out, or another commission."""
    log, kept, options = tmp_path / "coups.jsonl", tmp_path / "x.journal", ["--also"]
    log.write_bytes(b"".join(lines(records("1", 1, 1)[:9])))
    options += [also] if isinstance(also, str) else also
    options += ["--commission", commission] if commission else []
    watched = [name, *options, "--rule", "cards > 9 for x", "--level", "0"]
    assert main(["watch", *watched, "--coups", str(log), "--once", "--journal", str(kept)]) == 0
    assert main(["watch", name, *options, "--report", str(kept), "--format", "json"]) == 0
    assert '"bet": "x"' in capsys.readouterr().out
    answer = counting.alerts(name, report=str(kept), also=also, commission=commission)
    assert set(answer.result.coups["bet"]) == {"x"}
    with pytest.raises(InputError, match=r"with other bets \(--also\) or another commission \(--commission\), should"):
        counting.alerts(name, report=str(kept))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ([], "--coups: missing, should be a file, or - for standard input"),
        (["--coups", "live.csv", "--out", "page"], "--out page: needs --report"),
        (["--report", "nowhere"], "nowhere: cannot be read"),
        (["--report", "nowhere", "--open"], "--open: needs --out"),
    ],
)
def test_mistakes_are_named(options: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "ez-baccarat", *options]) == 2
    assert says in capsys.readouterr().err
