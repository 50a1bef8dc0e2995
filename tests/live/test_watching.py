"""A watch: its edges, corrections, shoes, bets and alerts, which are the same however the lines are batched."""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from extent import long_or
from twins.streams import GAME, interleaved, lines, records, with_corrections, with_mistyped_shoes

from counting import load_game
from counting.exact import required_detail
from counting.games import Game
from counting.live import InputLine, LineAnswer, Watch, WatchSettings, line_words, lines_counted, parse_rules
from counting.live.events import StakedBet
from counting.live.judging import IMPOSSIBLE
from counting.live.shoes import CODES, CoupCards, LiveShoe, State
from counting.logs import load_layout, read_log
from counting.review.synthetic import Counter, Flat, Patron
from counting.review.unseen_cards import UnseenCards, unseen_edges
from counting.simulation import Dealing
from counting.systems import load_system

DRAGON = load_system("dragon-7")
RULES = (
    "edge > 2% for dragon-7", "trigger dragon-7", "stake > 50 and edge > 0", "raise > 3", "edge > 0 and cards < 60",
    "bets >= 2 and positive > 40%",
)  # fmt: skip
PATRONS: dict[str, Patron] = {
    "Ann": Flat("dragon-7", 25.0, 0.3), "Bo": Flat("player", 60.0, 0.5), "Cat": Counter("dragon-7", 100, DRAGON),
}  # fmt: skip


def settings(*rules: str, game: Game = GAME, decks: int = 8) -> WatchSettings:
    systems = (DRAGON,)
    limits = dict.fromkeys(game.bet_names, 500.0)
    return WatchSettings(game, decks, systems, parse_rules(rules, game, systems, True), limits)


def as_lines(raw: Sequence[bytes], start: int = 0) -> list[InputLine]:
    ends = np.cumsum([len(line) for line in raw]).tolist()
    return [InputLine(0, line, start + end, at) for at, (line, end) in enumerate(zip(raw, ends, strict=True), 1)]


def said(raw: Sequence[bytes], *rules: str, batches: Iterable[int] = (), **how: Any) -> tuple[Watch, list[LineAnswer]]:
    """A watch and its answers to lines that come in batches of these sizes, and then all the rest at once."""
    watch, out, todo = Watch(settings(*rules, **how)), [], as_lines(raw)
    for size in (*batches, len(todo)):
        some, todo = todo[:size], todo[size:]
        out += watch.take(some)
    return watch, out


def after(out: Sequence[LineAnswer]) -> dict[tuple[str, str, int], list[float]]:
    """The last edges that a watch answered after each coup."""
    return {(answer.record["table"], str(answer.record["shoe"]), answer.record["coup"]): answer.state.edges
            for answer in out if answer.state is not None}  # fmt: skip


# Edges


def twin(stream: Sequence[dict[str, Any]], game: Game, folder: Path) -> dict[tuple[str, str, int], list[float]]:
    """The edges after each coup except a shoe's last, as the audit reads the log and computes them."""
    path = folder / "coups.jsonl"
    path.write_bytes(b"".join(lines([record for record in stream if "patron" not in record])))
    log = read_log(path)
    unseen = UnseenCards(log, game.decks)
    columns = np.stack([unseen_edges(unseen, game, bet) for bet in game.bet_names], axis=1)
    coups = log.coups.select("table", "shoe", "coup").rows()
    return {(str(coups[at - 1][0]), str(coups[at - 1][1]), coups[at - 1][2]): columns[at].tolist()
            for at in range(1, len(coups)) if coups[at][:2] == coups[at - 1][:2]}  # fmt: skip


def compare(stream: Sequence[dict[str, Any]], game: Game, folder: Path) -> int:
    _, out = said(lines(stream), game=game)
    ours, theirs = after(out), twin(stream, game, folder)
    for key, expected in theirs.items():
        np.testing.assert_array_equal(ours[key], expected, err_msg=str(key))
    return len(theirs)


@pytest.mark.parametrize(
    ("name", "also"),
    [("ez-baccarat", ()), ("louisiana", ()), ("punto-banco", ("player-pair", "perfect-pair", "dragon-bonus-player"))],
)
def test_edges_after_every_coup_are_those_of_the_audit(name: str, also: tuple[str, ...], tmp_path: Path) -> None:
    game = load_game(name).also(also)
    assert len({required_detail(bet) for bet in game.bets}) == (3 if also else 1)
    streams = [records(table, long_or(3, 1), seed, {"a": Flat("player", 5.0, 0.1)}, game, Dealing())
               for seed, table in enumerate("AB")]  # fmt: skip
    assert compare(interleaved(*streams), game, tmp_path) > 100


def test_cards_unread_and_coups_missing_are_unseen_as_in_the_audit(tmp_path: Path) -> None:
    game = load_game("punto-banco").also(("player-pair", "perfect-pair"))
    stream = [record for record in records("A", 1, 3, game=GAME, dealing=Dealing()) if "patron" not in record]
    del stream[20], stream[30]
    stream[5]["player"] = "? " + stream[5]["player"].split(" ", 1)[1]
    stream[40]["banker"] = stream[40]["banker"].translate({ord(suit): None for suit in "shdc"})
    assert compare(stream, game, tmp_path) > 60
    _, out = said(lines(stream), game=game)
    assert (out[-1].record["missing"], out[-1].record["unread"]) == (2, 1)
    last = dict(zip(game.bet_names, out[-1].state.edges, strict=True))  # type: ignore[union-attr]
    assert np.isnan(last["perfect-pair"])
    assert np.isfinite(last["player-pair"])


def test_tens_and_faces_logged_alike_price_bets_on_values_alone() -> None:
    game = load_game("punto-banco").also(("player-pair",))
    coups = [{"table": 1, "shoe": 1, "coup": at, "player": ["0", "9"], "banker": ["1", "7"]} for at in (1, 2, 3)]
    watch = Watch(settings(game=game), load_layout_of_values())
    out = watch.take(as_lines(lines(coups)))
    state = out[-1].state
    assert state is not None
    assert state.left == 416 - 12
    assert np.isnan(state.edges[game.bet_names.index("player-pair")])
    assert np.isfinite(state.edges[game.bet_names.index("player")])


def load_layout_of_values() -> Any:
    from counting.logs.layouts import CardNotation, own_layout

    return own_layout().model_copy(update={"cards": CardNotation(written="values")})


# Batches


def dealt(shoes: int = 1) -> list[dict[str, Any]]:
    return interleaved(records("A", shoes, 1, PATRONS), records("B", shoes, 2, PATRONS))


@cache
def corrected() -> tuple[list[bytes], list[LineAnswer]]:
    """Lines with corrections, and a watch's answers to all of them at once."""
    raw = lines(with_corrections(dealt()))
    return raw, said(raw, *RULES)[1]


def test_what_is_said_does_not_depend_on_the_batches() -> None:
    raw, whole = corrected()
    _, singly = said(raw, *RULES, batches=[1] * len(raw))
    rng = np.random.default_rng(1)
    _, some = said(raw, *RULES, batches=rng.integers(1, 30, 20).tolist())
    assert (
        [answer.record for answer in whole]
        == [answer.record for answer in singly]
        == [answer.record for answer in some]
    )
    assert {answer.record["did"] for answer in whole} >= {"coup", "bet", "replaced", "late", "undone", "again", "bad"}
    kinds = [alert for answer in whole for alert in answer.alerts]
    assert any("withdrawn" in alert for alert in kinds)
    assert any("corrected" in alert for alert in kinds)


@pytest.mark.long
def test_a_watch_that_takes_up_its_records_goes_on_as_one_that_never_stopped() -> None:
    raw, whole = corrected()
    everything = [answer.record for answer in whole]
    for stop in long_or((1, 2, 50, 151, 200, 290), (1, 151)):
        first, second = Watch(settings(*RULES)), Watch(settings(*RULES))
        every = as_lines(raw)
        out = [answer.record for answer in first.take(every[:stop])]
        for record in json.loads(json.dumps(out)):
            second.replay(record)
        second.settle()
        assert out + [answer.record for answer in second.take(every[stop:])] == everything, stop


# Corrections


def test_after_corrections_all_is_as_in_a_log_that_was_right_from_the_start() -> None:
    right = dealt()
    coups = [record for record in right if "player" in record and record["table"] == "A"]
    slips = [dict(record) for record in right]
    wrong = {7: "9h 8h", 30: "8s 8d", 55: "7c Ah"}
    for record in slips:
        if record["table"] == "A" and "player" in record and record["coup"] in wrong:
            record["player"] = wrong[record["coup"]]
    for record in [
        record for record in slips if record.get("coup") == 20 and "player" in record and record["table"] == "A"
    ]:
        slips.remove(record)  # this coup comes late
    fixes = [record for record in coups if record["coup"] in wrong]
    late = next(record for record in coups if record["coup"] == 20)
    extra = {"table": "A", "shoe": 0, "coup": coups[-1]["coup"] + 1, "player": "9h 8h", "banker": "9s Ks"}
    undo = {name: extra[name] for name in ("table", "shoe", "coup")} | {"undo": True}
    first, told_right = said(lines(right), *RULES)
    second, told_late = said(lines([*slips, extra, *fixes, late, undo]), *RULES)
    for answer, other in zip(first.tables, second.tables, strict=True):
        assert answer.shoe.state == other.shoe.state
        assert (answer.shoe.coups, answer.shoe.seen, answer.shoe.bets) == (
            other.shoe.coups,
            other.shoe.seen,
            other.shoe.bets,
        )
        assert (answer.shoe.fired, answer.shoe.holding, answer.shoe.missing) == (
            other.shoe.fired,
            other.shoe.holding,
            0,
        )
    replayed = {coup: positive for answer in told_late for coup, _, positive in answer.record.get("replayed", ())
                if answer.record["table"] == "A"}  # fmt: skip
    now = {answer.record["coup"]: answer.record["positive"] for answer in told_right
           if answer.record.get("is") == "coup"
           and answer.record["table"] == "A"}  # fmt: skip
    assert all(now[coup] == positive for coup, positive in replayed.items() if coup in now and coup > 55)
    on_bets = {(rule, at) for rule, at in first.tables.of("A").shoe.fired}
    alerts = {(alert["rule"], alert["patron"], alert["coup"]): "withdrawn" not in alert
              for answer in told_late for alert in answer.alerts
              if "patron" in alert and alert["table"] == "A"}  # fmt: skip
    assert sum(alerts.values()) == len(on_bets)


def coup(number: int, player: str = "9h 8h", banker: str = "7s Ks", shoe: object = 1, **more: object) -> dict[str, Any]:
    return {"table": 1, "shoe": shoe, "coup": number, "player": player, "banker": banker, **more}


def did(*stream: dict[str, Any]) -> list[str]:
    return [answer.record["did"] for answer in said(lines(stream))[1]][1:]


def test_a_line_of_a_shoe_that_is_over_is_not_counted_and_a_name_may_come_again() -> None:
    again = coup(1, "Ah 2h")
    assert did(coup(1), coup(2), coup(1, shoe=2), coup(2, "Ah 2h"), coup(1), again, coup(2, shoe=1)) == [
        "coup", "coup", "coup", "old", "old", "coup", "coup",
    ]  # fmt: skip


def shoes(*stream: dict[str, Any]) -> list[tuple[str, str, int, str | None]]:
    """For each line: what it did, its shoe, how many cards are unseen, and the shoe that it sets aside."""
    answers = [answer.record for answer in said(lines(stream))[1]][1:]
    return [(answer["did"], answer["shoe"], answer.get("left", 0), answer.get("aside")) for answer in answers]


@pytest.mark.parametrize("number", [3, 4])
def test_a_line_under_a_mistyped_shoe_ends_no_shoe(number: int) -> None:
    """If the fourth coup follows, the line was the third coup, whose cards are then missing. If the third follows, the
    line was a coup of another table."""
    assert shoes(coup(1), coup(2), coup(3, shoe=21), coup(number), coup(5)) == [
        ("coup", "1", 412, None), ("coup", "1", 408, None), ("coup", "21", 412, None), ("coup", "1", 404, "21"),
        ("coup", "1", 400, None),
    ]  # fmt: skip
    _, out = said(lines([coup(1), coup(2), coup(3, shoe=21), coup(4)]))
    _, plain = said(lines([coup(1), coup(2), coup(4)]))
    assert out[-1].state == plain[-1].state
    assert out[-1].record["missing"] == 1
    assert line_words(out[-1], settings()) == (
        "table 1, shoe 1, coup 4: 404 cards unseen, no bet has a positive edge, 1 coup missing; shoe 1 goes on after a "
        "line of shoe 21: a mistyped name?"
    )


def test_several_lines_under_mistyped_shoes_end_none_even_where_a_shoe_has_just_begun() -> None:
    stream = [coup(1), coup(2), coup(3, shoe="a"), coup(3, shoe="b"), coup(3), coup(1, shoe=2), coup(2, shoe="c"),
              coup(2, shoe=2), coup(3, shoe=2)]  # fmt: skip
    assert [(did, shoe) for did, shoe, *_ in shoes(*stream)] == [("coup", str(each["shoe"])) for each in stream]
    assert shoes(*stream, coup(4))[-1][:2] == ("old", "1")  # shoe 2 had two coups in a row


def test_a_coup_of_the_shoe_before_that_comes_late_does_not_end_the_new_one() -> None:
    assert shoes(coup(1), coup(2), coup(1, shoe=2), coup(3), coup(2, shoe=2), coup(3, shoe=2), coup(4)) == [
        ("coup", "1", 412, None), ("coup", "1", 408, None), ("coup", "2", 412, None), ("coup", "1", 404, "2"),
        ("coup", "2", 408, "1"), ("coup", "2", 404, None), ("old", "1", 0, None),
    ]  # fmt: skip


def test_a_bet_under_a_mistyped_shoe_ends_no_shoe_and_bets_go_on() -> None:
    bet = {"table": 1, "shoe": 1, "coup": 3, "patron": "A", "bet": "player", "amount": 10}
    late = bet | {"coup": 2, "patron": "B"}
    assert [each[:2] for each in shoes(coup(1), coup(2), bet | {"shoe": "x"}, late, bet, coup(3))] == [
        ("coup", "1"), ("coup", "1"), ("bet", "x"), ("bet", "1"), ("bet", "1"), ("coup", "1"),
    ]  # fmt: skip
    for again in (coup(2), coup(2, "2h 3d 4s"), bet | {"coup": 1}, {"undo": True, "table": 1, "shoe": 1, "coup": 2}):
        assert shoes(coup(1), coup(2), coup(3, shoe="x"), again)[-1][:2] == ("old", "1")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(long_or(20, 2)))
def test_with_mistyped_shoes_every_other_figure_is_as_if_those_lines_were_not_there(seed: int) -> None:
    stream = interleaved(*(records(f"table {at}", 2, at, PATRONS) for at in range(2)))
    mistyped = with_mistyped_shoes(stream, seed=seed)
    others = [record for record in mistyped if not str(record["shoe"]).startswith("x")]
    strays = {record["shoe"] for record in mistyped} - {record["shoe"] for record in others}
    assert len(strays) == 8
    _, out = said(lines(mistyped), *RULES, batches=[3, 100, 7])
    _, plain = said(lines(others), *RULES)
    kept = [answer for answer in out[1:] if answer.record["shoe"] not in strays]
    assert [answer.state for answer in kept] == [answer.state for answer in plain[1:]]
    told = [{**alert, "alert": 0} for answer in kept for alert in answer.alerts]
    assert told == [{**alert, "alert": 0} for answer in plain for alert in answer.alerts]
    assert {answer.record.get("aside") for answer in out} - {None} == strays


def test_a_shoe_that_is_an_earlier_one_again_is_named_when_it_is_over() -> None:
    """The earlier shoe may be at the same table or another. A short shoe may be alike by chance, and a shoe with one
    other card is another shoe."""
    first, second = records("A", 2, 1)[:], records("B", 1, 2)
    again = [record | {"table": "B", "shoe": "x"} for record in first if record["shoe"] == 0]
    other = [record | {"shoe": "y"} for record in again]
    other[-1] = other[-1] | {"player": "9h 8h", "banker": "7s Ks"}
    short = [record | {"table": "C", "shoe": shoe} for shoe in (1, 2) for record in first[:5]]
    end = [coup(at) | {"table": table, "shoe": "end"} for table in "BC" for at in (1, 2)]
    watch, out = said(lines([*first, *second, *again, *other, *short, *end]))
    named = [(answer.record["table"], answer.record["shoe"], answer.record["shoes_again"]) for answer in out
             if "shoes_again" in answer.record]  # fmt: skip
    assert named == [("B", "y", [["x", "A", "0"]])]
    assert "1 shoe that is the same as an earlier shoe" in lines_counted(watch)
    (line,) = (line_words(answer, settings()) for answer in out if "shoes_again" in answer.record)
    assert line is not None
    assert "shoe x had the same cards as table A, shoe 0, in the same order: logged twice?" in line
    second_watch = Watch(settings())
    second_watch.restore(json.loads(json.dumps(watch.kept())))
    assert second_watch.tables.over == watch.tables.over
    assert len(watch.tables.over) == 3


def test_cards_that_leave_the_shoe_in_no_coup_are_seen_and_a_dead_game_is_not_missing() -> None:
    exposed = {"table": 1, "shoe": 1, "event": "card exposed", "exposed": "9h 7d"}
    dead = coup(2, "8s 8d", "? 3c", event="Misdeal")
    _, out = said(lines([coup(1), exposed, exposed, dead, coup(3)]), *RULES)
    _, same = said(lines([coup(1), coup(2, burn="9h 7d 8s 8d 3c ?")]), *RULES)
    assert [answer.record["did"] for answer in out[1:]] == ["coup", "out", "again", "out", "coup"]
    assert [answer.record["left"] for answer in out[1:] if answer.state] == [412, 410, 407, 403]
    assert out[-1].state == same[-1].state
    assert "missing" not in out[-1].record
    second, third = Watch(settings(*RULES)), Watch(settings(*RULES))
    for answer in out:
        second.replay(json.loads(json.dumps(answer.record)))
    second.settle()
    third.restore(json.loads(json.dumps(second.kept())))
    for table in second.tables:
        third.restore_table(json.loads(json.dumps(table.kept())))
    third.settle()
    for watch in (second, third):
        shoe = watch.tables.of("1").shoe
        assert (shoe.state, shoe.missing) == (out[-1].state, 0)
        assert [sum(shoe.before(number)) for number in (1, 2, 3, 4)] == [0, 4 + 5, 4 + 5, 8 + 5]


def test_a_coup_is_late_whether_one_was_dealt_since_or_several() -> None:
    assert did(coup(1), coup(3), coup(2), coup(6), coup(5), coup(4), coup(7)) == [
        "coup", "coup", "late", "coup", "late", "late", "coup",
    ]  # fmt: skip


@pytest.mark.parametrize("order", [[1, 2, 3, 4], [4, 2, 1, 3]])
def test_cards_seen_before_a_coup_are_those_of_coups_before_and_of_burns_up_to_it(order: Sequence[int]) -> None:
    dealt = {number: CoupCards((number, 10 + number), (20 + number, -2), (30 + number,)) for number in order}
    shoe = LiveShoe("1")
    for number in order:
        shoe.add(number, dealt[number])
    for number in range(1, 6):
        seen = [
            card for at in range(1, 5) for card in dealt[at].hands * (at < number) + dealt[at].burn * (at <= number)
        ]
        assert shoe.before(number) == [seen.count(code) for code in range(CODES)], number


def test_taking_back_what_is_not_there_changes_nothing() -> None:
    assert did(coup(1), {"undo": True, "table": 1, "shoe": 1, "coup": 5}) == ["coup", "nothing"]


def test_a_bet_of_a_shoe_to_come_begins_it() -> None:
    bet = {"table": 1, "shoe": 2, "coup": 1, "patron": "Ann", "bet": "tie", "amount": 10}
    watch, out = said(lines([coup(1), bet, bet, coup(1, shoe=2)]))
    assert [answer.record["did"] for answer in out[1:]] == ["coup", "bet", "again", "coup"]
    assert out[2].record["bet"] == "tie-8"
    assert [table.shoe.name for table in watch.tables] == ["2"]


# Alerts


def alerts(out: Sequence[LineAnswer]) -> list[dict[str, Any]]:
    return [alert for answer in out for alert in answer.alerts]


def test_a_rule_alerts_when_it_begins_to_hold_and_again_in_the_next_shoe() -> None:
    _, out = said(lines(records("A", 4, 2)), "edge > 2% for dragon-7")
    price = {
        (answer.record["shoe"], answer.record["coup"]): answer.state.edges[3]
        for answer in out
        if answer.state is not None
    }
    begins, holds, shoe = [], False, None
    for (name, number), edge in price.items():
        holds = holds and name == shoe
        if edge > 0.02 and not holds:
            begins.append((str(name), number, edge))
        holds, shoe = edge > 0.02, name
    assert [(alert["shoe"], alert["after"], alert["edge"]) for alert in alerts(out)] == begins
    assert len(begins) > len({name for name, *_ in begins}) > 1
    assert all(alert["worth"] == 500 * alert["edge"] for alert in alerts(out))


def test_a_bet_is_judged_by_the_edge_before_its_coup_whenever_its_line_comes() -> None:
    stream = [record for record in dealt() if record["table"] == "A"]
    later = sorted(stream, key=lambda record: (record["coup"], "patron" in record))
    rule = "stake >= 25 and edge > 0"
    early, late = (alerts(said(lines(each), rule)[1]) for each in (stream, later))
    names = ("patron", "coup", "bet", "edge", "stake")
    facts = [sorted(tuple(alert[name] for name in names) for alert in each) for each in (early, late)]
    assert facts[0] == facts[1] != []


def test_a_raise_is_over_the_median_of_three_earlier_stakes_on_the_bet_in_the_shoe() -> None:
    stakes = [10, 30, 20, 100, 100, 20]
    bets = [{"table": 1, "shoe": 1, "coup": at, "patron": "Ann", "bet": "player", "amount": stake}
            for at, stake in enumerate(stakes, 1)]  # fmt: skip
    _, out = said(lines([coup(1), *bets]), "raise > 3")
    assert [answer.record.get("raise") for answer in out[2:]] == [None, None, None, 100 / 20, 100 / 25, 20 / 30]
    assert [alert["coup"] for alert in alerts(out)] == [4]


def test_a_rule_on_a_patrons_bets_alerts_when_it_begins_to_hold_and_after_a_bet_of_which_it_does_not() -> None:
    stakes = [("Ann", 60), ("Bo", 80), ("Ann", 70), ("Bo", 10), ("Bo", 90), ("Ann", 80), ("Ann", 20), ("Ann", 60)]
    bets = [{"table": 1, "shoe": 1, "coup": at, "patron": patron, "bet": "player", "amount": stake}
            for at, (patron, stake) in enumerate(stakes, 1)]  # fmt: skip
    _, out = said(lines([coup(1, shoe=0), *bets]), "stake > 50")
    assert [(alert["patron"], alert["coup"]) for alert in alerts(out)] == [("Ann", 1), ("Bo", 2), ("Bo", 5), ("Ann", 8)]


def test_a_bet_on_a_coup_that_was_dealt_is_late() -> None:
    shoe = LiveShoe("1")
    for number in (1, 2, 4):
        shoe.add(number, CoupCards((1,), (2,), ()))
    placed = [shoe.place(number, StakedBet("1", "1", number, None, "Ann", "player", 500)) for number in (1, 3, 4, 5, 9)]
    assert [stake.is_late for stake in placed if stake] == [True, True, True, False, False]
    assert {number: len(bets) for number, bets in shoe.in_time.items()} == {5: 1, 9: 1}


def test_the_share_of_a_patrons_bets_at_a_positive_edge_counts_those_of_the_shoe() -> None:
    stream = [record for record in dealt() if record["table"] == "A"]
    _, out = said(lines(stream), "bets >= 3 and positive >= 25%")
    edge = {answer.record["coup"] + 1: answer.state.edges for answer in out if answer.state is not None}
    placed: dict[tuple[str, str], list[bool]] = {}
    expected, held = [], dict[tuple[str, str], bool]()
    for record in stream:
        if "patron" in record:
            key = record["patron"], GAME.main_bet(record["bet"])
            own = placed.setdefault(key, [])
            own.append(record["coup"] > 1 and edge[record["coup"]][GAME.bet_names.index(key[1])] > 0)
            holds = len(own) >= 3 and sum(own) >= 0.25 * len(own)
            if holds and not held.get(key):
                expected.append((*key, record["coup"]))
            held[key] = holds
    assert [(alert["patron"], alert["bet"], alert["coup"]) for alert in alerts(out)] == expected != []


def test_more_cards_than_the_shoe_has_are_an_alert_of_their_own() -> None:
    _, out = said(lines([coup(at, "9h 9h", "9h 8h") for at in range(1, 7)]), decks=2)
    assert [(alert["rule"], alert["after"]) for alert in alerts(out)] == [(IMPOSSIBLE, 1)]
    assert out[-1].state is not None
    assert np.isnan(out[-1].state.edges).all()


# Lines that cannot be read

BET = b'{"table":1,"shoe":1,"coup":1,"patron":"a","bet":"%s","amount":%s}'


@pytest.mark.parametrize(
    ("line", "column", "reason"),
    [
        (b"rubbish\n", None, "not JSON"),
        (b"7\n", None, "not a record"),
        (b'[{"table": 1}, {"table": 1}]', None, "one JSON value of several records"),
        (json.dumps(coup(0)).encode(), "coup", "should be a whole number from 1 to 999"),
        (json.dumps(coup(1) | {"player": ""}).encode(), "player", "the cards are missing"),
        (json.dumps(coup(1) | {"shoe": "\n"}).encode(), "shoe", "should be 1 to 80 printable characters"),
        (BET % (b"tie", b'"x"'), "amount", "should be a positive amount"),
        (BET % (b"panda", b"1"), "bet", "has no such bet; did you mean"),
        (BET % (b"lucky-6", b"1"), "bet", "to price it: --also"),
        (b'{"undo":true,"table":1,"shoe":1}', "coup", "should be a whole number"),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_read_is_counted_and_said(line: bytes, column: str | None, reason: str) -> None:
    watch, out = said([*lines([coup(1)]), line, *lines([coup(2)])], batches=[1])
    record = out[2].record
    assert record["did"] == "bad"
    assert record.get("column") == column
    assert reason in record["reason"]
    assert watch.numbers["bad"] == 1
    assert out[3].record["did"] == "coup"


def test_a_line_of_csv_with_other_fields_than_its_names_is_not_read() -> None:
    raw = as_csv([coup(1), coup(2), coup(3)], ("table", "shoe", "coup", "player", "banker"))
    raw[2] = raw[2].replace(b"9h 8h", b"9h,8h")
    raw.insert(3, b"1,1\n")
    _, out = said(raw)
    assert [answer.record["did"] for answer in out] == ["reads", "blank", "coup", "bad", "bad", "coup"]
    assert [answer.record["reason"] for answer in out[3:5]] == [f"has {n} fields, should be 5" for n in (6, 2)]


# Layouts


def as_csv(stream: Sequence[dict[str, Any]], columns: Sequence[str]) -> list[bytes]:
    rows = [",".join(str(record.get(name, "")) for name in columns) for record in stream]
    return [f"{row}\n".encode() for row in (",".join(columns), *rows)]


@pytest.mark.parametrize("first", [0, 5000], ids=["numbered", "running"])
def test_two_files_of_csv_say_what_one_of_json_says(first: int) -> None:
    stream = interleaved(records("A", 2, 1, PATRONS), records("B", 1, 2, PATRONS))
    numbered = [answer | {"coup": answer["coup"] + first} for answer in stream]
    coups = as_csv(
        [answer for answer in numbered if "player" in answer], ("table", "shoe", "coup", "player", "banker", "burn")
    )
    bets = as_csv(
        [answer for answer in numbered if "patron" in answer], ("table", "shoe", "coup", "patron", "bet", "amount")
    )
    watch = Watch(settings(*RULES))
    both = [*as_lines(coups), *(line._replace(input=1) for line in as_lines(bets))]
    out = watch.take(both)
    _, expected = said(lines(stream), *RULES)
    assert watch.numbers["old"] == watch.numbers["bad"] == 0
    facts = [[{k: v for k, v in alert.items() if k != "alert"} for alert in alerts(each)] for each in (out, expected)]
    key = json.dumps
    assert sorted(map(key, facts[0])) == sorted(map(key, facts[1]))
    assert after(out) == after(expected)


def test_any_layout_of_a_line_a_coup_is_read() -> None:
    from counting.logs.layouts import CardNotation, CoupColumns, Layout

    stream = [record for record in records("A", 1, 1, dealing=Dealing()) if "player" in record]
    suit_first = [
        {"t": 9, "s": record["shoe"], "n": record["coup"] - 1 + 5_000_000,
         "pk": ",".join(f"{card[-1].upper()}.{card[:-1]}" if card else "" for card in in_places(record))}
        for record in stream
    ]  # fmt: skip
    layout = Layout(coups=CoupColumns(table="t", shoe="s", coup="n", cards="pk"), cards=CardNotation(order="places"))
    watch = Watch(settings(), layout)
    out = watch.take(as_lines(lines(suit_first)))
    _, expected = said(lines(stream))
    assert [answer.state for answer in out[1:]] == [answer.state for answer in expected[1:]]


SAMPLES = Path(__file__).parent.parent / "data" / "logs"
OF_LINES = [file for file in sorted(SAMPLES.glob("*/*/*")) if file.suffix in (".csv", ".jsonl")
            and not file.name.startswith("utf-16")]  # fmt: skip


@pytest.mark.parametrize("sample", OF_LINES, ids=lambda sample: f"{sample.parent.parent.name}-{sample.stem}")
def test_every_sample_with_a_line_a_coup_is_read_as_the_projects_own(sample: Path) -> None:
    """Samples of values show less of the cards, but the edges of bets on values are the same."""
    also = () if sample.parent.parent.name == "values" else ("player-pair",)
    own = states_of(SAMPLES / "same" / "own" / "own.csv", None, also)
    assert states_of(sample, next(sample.parent.glob("*.toml"), None), also) == own != []


@cache
def states_of(file: Path, layout: Path | None, also: tuple[str, ...]) -> list[State]:
    """The states after the lines of a sample."""
    game = load_game("punto-banco").also(also)
    watch = Watch(settings(game=game), None if layout is None else load_layout(layout))
    out = watch.take(as_lines(file.read_bytes().splitlines(keepends=True)))
    assert watch.numbers["bad"] == 0
    return [answer.state for answer in out if answer.state is not None]


def in_places(record: dict[str, Any]) -> list[str]:
    player, banker = ([*record[hand].split(), ""][:3] for hand in ("player", "banker"))
    return [card for pair in zip(player, banker, strict=True) for card in pair]


def test_coups_numbered_from_0_are_seen_by_the_first() -> None:
    assert did(coup(0), coup(1), coup(2)) == ["coup"] * 3
    assert [answer.record["coup"] for answer in said(lines([coup(0), coup(1)]), batches=[1])[1][1:]] == [1, 2]
