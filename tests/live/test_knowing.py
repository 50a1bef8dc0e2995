"""Patrons who seem to know the coming cards: the audit's evidence, gathered coup by coup."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from extent import crossed, long_or
from twins.streams import GAME, Record, lines, records, with_corrections, with_mistyped_shoes

from counting.live import Alerts, InputLine, Journal, Watch, WatchSettings, keep, open_input, run_watch, take_up
from counting.live.knowing import KNOWS, Knowing
from counting.logs import read_log
from counting.review import UnseenCards
from counting.review.patrons.channels import Bets, Channels
from counting.review.patrons.foreknowledge import Bettor, by_patron, capital_log, capitals_of
from counting.review.patrons.patron_stakes import stakes_of
from counting.review.synthetic import Counter, Flat, Sorter
from counting.systems import load_system

PATRONS = {
    "Ann": Flat("dragon-7", 25.0, 0.3),
    "Cat": Counter("dragon-7", 100, load_system("dragon-7")),
    "Kay": Sorter("player", 100),
    "Max": Flat("banker", 50.0),
}
SHOES = long_or(4, 3)
STREAM = records("pit 1", SHOES, 3, PATRONS)
SETTINGS = WatchSettings(GAME, 8)


def watched(stream: list[Record], settings: WatchSettings = SETTINGS) -> tuple[Watch, list[Record]]:
    """A watch of these records, and its alerts."""
    watch, end, taken = Watch(settings), 0, []
    for number, raw in enumerate(lines(stream), 1):
        end += len(raw)
        taken.append(InputLine(0, raw, end, number))
    return watch, [alert for answer in watch.take(taken) for alert in answer.alerts]


@pytest.fixture(scope="module")
def whole() -> tuple[Watch, list[Record]]:
    """A watch of all records, and its alerts."""
    return watched(STREAM)


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    return by_audit(STREAM, tmp_path_factory.mktemp("audited"))


def capitals(watch: Watch) -> dict[str, float]:
    """The logarithm of each patron's capital."""
    knowing = watch._knowing
    assert knowing is not None
    return {name: knowing.log(name) for name in knowing.patrons}


def by_audit(stream: list[Record], folder: Path) -> dict[str, float]:
    """The logarithm of each patron's capital, from the audit of the log."""
    coups = [record for record in stream if "player" in record]
    bets = [record for record in stream if "patron" in record]
    pl.DataFrame(coups).write_csv(folder / "coups.csv")
    pl.DataFrame(bets).write_csv(folder / "bets.csv")
    log = read_log(folder / "coups.csv", folder / "bets.csv")
    unseen = UnseenCards(log, 8)
    staked = by_patron(stakes_of(log, unseen, GAME))
    of_game = Bets.of(GAME, GAME.bet_names)
    grown = capitals_of(Channels(log, unseen, GAME, of_game), [Bettor.of(own, of_game) for own in staked.values()])
    return dict(zip(staked, map(capital_log, grown), strict=True))


def test_capitals_are_those_of_the_audit(whole: tuple[Watch, list[Record]], audited: dict[str, float]) -> None:
    by_watch = capitals(whole[0])
    assert by_watch.keys() == audited.keys() == PATRONS.keys()
    assert by_watch == pytest.approx(audited, abs=1e-9)
    assert by_watch["Kay"] > math.log(1e4) > 0 > by_watch["Max"]


def test_capitals_are_those_of_the_audit_though_shoes_are_mistyped(tmp_path: Path, audited: dict[str, float]) -> None:
    """For the watch and the audit alike, each mistyped name is a shoe of one line."""
    stream = with_mistyped_shoes(STREAM, 30)
    coups = {(record["shoe"], record["coup"]) for record in stream if "player" in record}
    stream = [record for record in stream if (record["shoe"], record["coup"]) in coups]
    by_watch = capitals(watched(stream)[0])
    assert by_watch == pytest.approx(by_audit(stream, tmp_path), abs=1e-9)
    assert by_watch != pytest.approx(audited, abs=1e-3)


def test_a_shoe_that_is_logged_twice_is_evidence_once() -> None:
    last = max(record["shoe"] for record in STREAM)
    twice = [record | {"shoe": f"{record['shoe']} again"} for record in STREAM if record["shoe"] == last]
    begins = [
        {**record, "shoe": "next"} for record in records("pit 1", 1, 99) if "player" in record and record["coup"] < 3
    ]
    once, both = (capitals(watched([*stream, *begins])[0]) for stream in (STREAM, [*STREAM, *twice]))
    assert once == both
    open_yet = capitals(watched([*STREAM, *twice])[0])
    assert open_yet["Kay"] > once["Kay"] + 1


def test_unread_cards_weaken_the_evidence_as_in_the_audit(tmp_path: Path) -> None:
    stream = [dict(record) for record in STREAM]
    coups = [record for record in stream if "player" in record]
    for record in coups[5::9]:
        record["player"] = " ".join(["?", *record["player"].split()[1:]])
    for record in coups[7::11]:
        record["banker"] = " ".join([*record["banker"].split()[:-1], "?"])
    assert capitals(watched(stream)[0]) == pytest.approx(by_audit(stream, tmp_path), abs=1e-9)


def test_a_bet_that_comes_after_its_coup_is_no_evidence() -> None:
    """In this log, the bets on a coup come after its cards, as if the log were filled in when the coup is over."""
    late: list[Record] = []
    waiting: list[Record] = []
    for record in STREAM:
        if "patron" in record:
            waiting.append(record)
        else:
            late += [record, *waiting]
            waiting = []
    watch, alerts = watched(late)
    assert not alerts
    assert set(capitals(watch).values()) == {0.0}


@pytest.mark.long
def test_a_corrected_log_is_one_that_was_right_from_the_start() -> None:
    """Corrections replace one coup and take another back, two or three coups later. The bets on both were placed
    before."""
    right = [record for record in STREAM if "patron" in record or record["coup"] != 30]
    wrong = [{**record, "player": "2c 3c 4c", "banker": "9c 9d"} if record.get("coup") == 20 and "player" in record
             else record for record in STREAM]  # fmt: skip
    corrected: list[Record] = []
    for record in wrong:
        corrected.append(record)
        key = {name: record[name] for name in ("table", "shoe", "coup")}
        if "player" in record and record["coup"] == 22:
            corrected += [
                each for each in right if "player" in each and each["shoe"] == key["shoe"] and each["coup"] == 20
            ]
        if "player" in record and record["coup"] == 33:
            corrected.append(key | {"undo": True, "coup": 30})
    assert corrected != STREAM
    assert capitals(watched(corrected)[0]) == pytest.approx(capitals(watched(right)[0]), abs=1e-9)


def test_an_alert_comes_once_and_says_what_it_rests_on(whole: tuple[Watch, list[Record]]) -> None:
    (alert,) = whole[1]
    assert (alert["rule"], alert["patron"], alert["level"]) == (KNOWS, "Kay", 0.01)
    assert alert["evidence"] >= alert["needed"] == pytest.approx(math.log10(math.pi**2 * alert["patrons"] ** 2 / 0.06))
    assert not watched(STREAM, WatchSettings(GAME, 8, level=0))[1]


def test_the_level_is_shared_over_all_patrons() -> None:
    knowing = Knowing(Watch(SETTINGS).prices, 0.01)
    shares = [10 ** -knowing.needed(number) for number in range(1, 100_001)]
    assert 0.01 - 1e-6 < sum(shares) + 6 * 0.01 / math.pi**2 / 100_000 < 0.01 + 1e-6
    assert sum(shares) < 0.01


def test_an_alert_is_withdrawn_if_a_correction_takes_its_evidence(whole: tuple[Watch, list[Record]]) -> None:
    """In the shoe of the alert, every first card of Player's is corrected to an ace."""
    (first,) = whole[1]
    here = [each for each in STREAM if (str(each["shoe"]), each["coup"]) <= (first["shoe"], first["after"])]
    aces = [
        {**each, "player": " ".join(["Ac", *each["player"].split()[1:]])}
        for each in here
        if str(each["shoe"]) == first["shoe"] and "player" in each
    ]
    alerts = [alert for alert in watched(here + aces)[1] if alert["rule"] == KNOWS]
    assert [(alert["patron"], "withdrawn" in alert) for alert in alerts] == [("Kay", False), ("Kay", True)]
    assert alerts[1]["evidence"] < alerts[1]["needed"]


@pytest.mark.parametrize(("number", "has_it"), [(4, True), (5, False), (6, False)])
def test_a_capital_kept_after_a_shoe_has_that_shoe_once(
    number: int, has_it: bool, whole: tuple[Watch, list[Record]]
) -> None:
    """A patron's capital may be saved later than a shoe's end is written to the journal. Reading the journal again must
    not count that shoe twice."""
    watch, _ = whole
    (table,) = watch.tables
    kept, shoe = watch._knowing.patrons["Kay"].kept(), table.open[-1]
    knowing = Knowing(watch.prices, 0.01)
    knowing.restore("Kay", kept, 5)
    knowing.replay(table.name, shoe, number)
    assert (knowing.patrons["Kay"].kept() == kept) is has_it


def with_a_shoe_again(stream: list[Record]) -> list[Record]:
    """The stream with its second shoe repeated as the third."""
    again = [record | {"shoe": "again"} for record in stream if record["shoe"] == 1]
    return [
        *(record for record in stream if record["shoe"] < 2),
        *again,
        *(each for each in stream if each["shoe"] >= 2),
    ]


@pytest.mark.parametrize(
    ("share", "slips"), crossed([0.3, 0.55, 0.8], [with_corrections, with_mistyped_shoes, with_a_shoe_again])
)
def test_a_watch_taken_up_goes_on_as_one_that_never_stopped(
    tmp_path: Path, share: float, slips: Callable[[list[Record]], list[Record]]
) -> None:
    stream = slips([record for record in STREAM if record["shoe"] < long_or(SHOES, 2)])
    whole = lines(stream)
    undisturbed, alerts = watched(stream)
    path = tmp_path / "live.jsonl"
    for part in (whole[: int(share * len(whole))], whole):
        path.write_bytes(b"".join(part))
        watch = Watch(SETTINGS)
        journal = Journal(tmp_path / "journal", SETTINGS.to_dict())
        sent = Alerts(tmp_path / "alerts", (), tmp_path / "told", lambda text: None, lambda: "now")
        inputs = {0: open_input(str(path), 0)}
        take_up(watch, journal, inputs, sent)
        run_watch(watch, inputs, sent, journal, once=True)
        if part is not whole:
            keep(watch, journal)
        inputs[0].close()
        sent.close()
        journal.close()
    told = [json.loads(line) for line in (tmp_path / "alerts").read_text().splitlines()]
    assert capitals(watch) == capitals(undisturbed)
    assert [{**alert, "time": "now"} for alert in alerts] == told
    assert any(alert["rule"] == KNOWS for alert in told)
