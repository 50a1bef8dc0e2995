"""What else real logs hold: faults of the record, repeated coups, events, cards burned in mid-shoe, other numbers of
decks."""

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from counting import Dealing, InputError, load_game
from counting.cards import Knows
from counting.games import STOOD
from counting.logs import Log, read_log
from counting.reports.audit_text import sentences
from counting.review import Rounding, audit, dealing_errors, fewest_decks, repeats_of, without_repeats
from counting.review.repeats import chance_of_repeat
from counting.review.synthetic import Flat, deal, log_frames
from counting.review.unseen_cards import UnseenCards

EZ = load_game("ez-baccarat")
PUNTO = load_game("punto-banco")
HEAD = "table,shoe,coup,player,banker,winner,burn,event"


def written(folder: Path, coups: pl.DataFrame, bets: pl.DataFrame | None = None) -> Log:
    coups.write_csv(folder / "coups.csv")
    if bets is not None:
        bets.write_csv(folder / "bets.csv")
    return read_log(folder / "coups.csv", None if bets is None else folder / "bets.csv")


def lines(folder: Path, *rows: str, head: str = HEAD) -> Log:
    (folder / "coups.csv").write_text("\n".join([head, *rows]) + "\n")
    return read_log(folder / "coups.csv")


@pytest.fixture(scope="module")
def coups() -> pl.DataFrame:
    return log_frames(deal(EZ, Dealing(), 5, 0, 3), {"Ann": Flat("player", 25)}, EZ, 1)[0]


def left(log: Log, decks: int = 8) -> dict[tuple[str, int], list[int]]:
    """How many of each card are unseen before each coup."""
    unseen = UnseenCards(log, decks).left("card").tolist()
    return dict(zip(log.coups.select(pl.col("shoe").cast(pl.String), "coup").rows(), unseen, strict=True))


def test_cards_that_left_the_shoe_count_as_seen(tmp_path: Path, coups: pl.DataFrame) -> None:
    """The same cards leave the shoe in three ways: burned before the next coup, dealt in a dead game, and shown in an
    event."""
    whole = written(tmp_path, coups)
    dead = pl.col("coup") == 7
    cards = coups.filter(dead).select(pl.format("{} {}", "player", "banker")).to_series().to_list()
    of_shoe = pl.col("shoe").rank("dense").replace_strict(dict(enumerate(cards, 1)), default=None)
    later = pl.col("coup") - (pl.col("coup") > 7)
    burned = coups.filter(~dead).with_columns(
        coup=later, burn=pl.when(pl.col("coup") == 8).then(of_shoe).otherwise("burn")
    )
    event = coups.with_columns(event=pl.when(dead).then(pl.lit("Void")).otherwise(pl.lit("")))
    shown = event.with_columns(
        pl.when(dead).then(pl.lit("")).otherwise("player").alias("player"),
        pl.when(dead).then(pl.lit("")).otherwise("banker").alias("banker"),
        pl.when(dead).then(pl.lit("card exposed")).otherwise("event").alias("event"),
        pl.when(dead).then(pl.format("{} {}", "player", "banker")).otherwise("burn").alias("burn"),
        coup=pl.when(dead).then(None).otherwise(later),
    )
    expected = {(shoe, at - (at > 7)): cards for (shoe, at), cards in left(whole).items() if at != 7}
    for at, frame in enumerate((burned, event, shown)):
        (tmp_path / str(at)).mkdir()
        log = written(tmp_path / str(at), frame)
        assert left(log) == expected
        assert log.remarks.is_empty()
        assert dealing_errors(log, EZ, 8).is_empty()
    assert log.events["event"].to_list() == ["card exposed"] * 3
    said = " ".join(sentences(audit(log, EZ, 8)))
    assert (
        f"3 events besides coups: card exposed 3. In these events, {sum(len(c.split()) for c in cards)} cards left the"
        in said
    )


def test_arrangements_keep_cards_burned_in_mid_shoe(tmp_path: Path, coups: pl.DataFrame) -> None:
    """At each coup, every arrangement has as many cards left as the shoe, since the same cards are burned in it."""
    from counting.review.patrons.arrangements import Arrangements

    log = written(tmp_path, coups.with_columns(burn=pl.when(pl.col("coup") == 9).then(pl.lit("Ks ? 2d"))
                                               .otherwise("burn")))  # fmt: skip
    unseen = UnseenCards(log, 8)
    arranged = Arrangements(log, unseen, EZ, 1).left(1, "card", 5)
    assert np.array_equal(arranged[0], unseen.left("card")[unseen.start[1] : unseen.end[1]])
    totals = arranged.sum(axis=2)
    assert (totals == totals[0]).all()
    assert totals[0][7] - totals[0][8] >= 6


def test_each_shoe_has_its_own_decks(tmp_path: Path, coups: pl.DataFrame) -> None:
    decks = coups["shoe"].rank("dense").replace_strict({1: 8, 2: 6, 3: 8})
    log = written(tmp_path, coups.with_columns(decks=decks))
    for number in (6, 8):
        shoe = decks == number
        (tmp_path / str(number)).mkdir()
        alone = written(tmp_path / str(number), coups.filter(shoe))
        assert left(alone, number).items() <= left(log, 1).items()
    few = written(tmp_path, coups.with_columns(decks=pl.lit(4)))
    assert set(dealing_errors(few, EZ, 8)["rule"]) >= {"shoe-exceeded"}


def test_cards_that_contradict_the_totals_are_a_fault_of_the_record(tmp_path: Path) -> None:
    head = "table,shoe,coup,player,banker,winner,player_total,banker_total,player_pair"
    rows = [
        "1,a,1,2h 3d 4s,9c Kc,tie,9,9,false",  # a natural drawn on
        "1,a,2,9h Kd 4s,7c 2c,tie,9,9,0",  # 4s is left over from the line before
        "1,a,3,9h Kd,7c Ac,player,8,8,0",  # a wrong total: 9 against 8
        "1,a,4,8h 8d,7c Ac,banker,6,8,no",  # a pair recorded as none
        "1,a,5,9h Kd,7c Ac,tie,9,8,",  # wrong winner
        "1,a,6,9h ?,7c Ac,player,9,8,true",  # a card is unread, so nothing can be checked
    ]
    log = lines(tmp_path, *rows, head=head)
    errors = dealing_errors(log, PUNTO, 8).select("line", "rule", "found").rows()
    assert [(line, rule) for line, rule, _ in errors] == [
        (2, "natural"), (3, "stale-card"), (4, "record"), (5, "record"), (6, "winner")
    ]  # fmt: skip
    assert errors[1][2] == (
        "Player was recorded with 9, but the cards make 3; "
        "a third card is left over from the line before: a fault of the record"
    )
    assert errors[2][2] == "Player was recorded with 8, but the cards make 9: a fault of the record"
    assert errors[3][2] == "Player was recorded without a pair, but the cards are 8h and 8d: a fault of the record"


def test_a_lawful_third_card_of_no_value_is_no_fault_of_the_record(tmp_path: Path) -> None:
    """A third card of value 0 that the rules deal is no fault, even if the line before has the same card and other
    lines have left-over cards."""
    head = "table,shoe,coup,player,banker,winner,player_total,banker_total"
    rows = [
        "1,a,1,2 3 0,9 0,banker,5,9",  # a natural drawn on; no line before it, so nothing is left over
        "1,a,2,2 2 0,7 0,banker,4,7",  # a third 0 again, but dealt by the rules
        "1,a,3,9 0 0,7 0,player,9,7",  # a third 0 again, and the rules deal none
        "1,a,4,2 2 3,7 0,tie,7,7",
        "1,a,5,9 0 3,7 0,player,9,7",  # the 3 is left over: with it, the total is 2, not 9
    ]
    errors = dealing_errors(lines(tmp_path, *rows, head=head), PUNTO, 8).select("line", "rule", "found").rows()
    assert [(line, rule) for line, rule, _ in errors] == [(2, "natural"), (4, "stale-card"), (6, "stale-card")]
    assert errors[1][2] == "a third card is left over from the line before: a fault of the record"


def test_recorded_totals_are_no_cards(tmp_path: Path) -> None:
    """Formerly, recorded totals were counted as cards when the fewest decks that fit were looked for."""
    head = "table,shoe,coup,player,banker,player_total,banker_total"
    log = lines(tmp_path, *(f"1,a,{at},{at}s 9h,{at}d 2c,0,0" for at in range(1, 10)), head=head)
    assert log.coups["player_total"].to_list() == [0] * 9
    assert fewest_decks(log) == 9  # nine of 9h and of 2c


@pytest.mark.parametrize(("suits", "tens"), [("hdcs", "TJQK"), ("h", "TJQK"), ("", "TJ"), ("", "0")])
def test_the_fewest_decks_are_those_of_a_count_by_hand(tmp_path: Path, suits: str, tens: str) -> None:
    """The two agree for cards with all suits, with one suit, with ranks alone, and with tens and faces alike. Burned
    cards count too."""
    rng = np.random.default_rng(5)
    cards = [rank + suit for rank in [*"A23456789", *tens] for suit in suits or [""]]
    rows, shoes = [], {"a": Counter[str](), "b": Counter[str]()}
    for shoe, seen in shoes.items():
        for coup in range(1, 30):
            five = [str(card) for card in rng.choice(cards, 5)]
            rows.append(f"1,{shoe},{coup},{' '.join(five[:2])},{' '.join(five[2:4])},,{five[4]}")
            seen.update(five)
    needed = [1]
    for seen in shoes.values():
        ranks = Counter[str]()
        for card, number in seen.items():
            ranks[card[0]] += number
        of_tens = sum(ranks[rank] for rank in tens)
        needed += [-(-of_tens // 16), -(-seen.total() // 52), *(-(-ranks[rank] // 4) for rank in ranks if rank != "0")]
        needed += seen.values() if suits else []
    log = lines(tmp_path, *rows, head="table,shoe,coup,player,banker,winner,burn")
    assert fewest_decks(log) == max(needed)


def test_a_generator_that_leaves_third_cards_standing_has_no_verdict(tmp_path: Path, coups: pl.DataFrame) -> None:
    """A public generator of logs has this fault: 16,384 of its naturals seem to be drawn on."""
    value = {rank: min(i + 1, 10) % 10 for i, rank in enumerate(["A", *map(str, range(2, 11)), "J", "Q", "K"])}
    frame, third = [], ""
    for row in coups.to_dicts():
        hand = row["player"].split()
        total = sum(value[card[:-1]] for card in hand) % 10
        left_over = third if len(hand) == 2 and third and third not in hand else ""
        third = hand[2] if len(hand) == 3 else left_over
        frame.append({**row, "player": f"{row['player']} {left_over}".strip(), "player_total": total})
    log = written(tmp_path, pl.DataFrame(frame))
    errors = dealing_errors(log, EZ, 8)["rule"].value_counts()
    counted = dict(errors.rows())
    assert counted["stale-card"] > 50
    assert not {"natural", "player-stands", "banker-draws", "banker-stands"} & counted.keys()
    said = " ".join(sentences(audit(log, EZ, 8)))
    assert f"In {counted['stale-card']:,} of {counted['stale-card']:,} coups whose cards contradict" in said
    assert said.startswith("No verdict")


@pytest.mark.parametrize("knows", ["value", "rank", "card"])
def test_the_chance_of_a_repeat(knows: Knows) -> None:
    """The sum of the squared chances of all coups, here with plain loops over the cards. By value, about one coup in
    eight thousand repeats the coup before."""
    weight = {value: (4 if value == 0 else 1) / 13 for value in range(10)}
    kinds = {"value": dict.fromkeys(weight, 1), "rank": {v: 4 if v == 0 else 1 for v in weight},
             "card": {v: 16 if v == 0 else 4 for v in weight}}[knows]  # fmt: skip
    total = 0.0
    square = [weight[v] ** 2 / kinds[v] for v in range(10)]
    for four in product(range(10), repeat=4):
        p, b = (four[0] + four[2]) % 10, (four[1] + four[3]) % 10
        base = square[four[0]] * square[four[1]] * square[four[2]] * square[four[3]]
        if max(p, b) >= 8:
            total += base
            continue
        draws = PUNTO.tableau.player[p]
        for third in range(10) if draws else [STOOD]:
            answer = PUNTO.tableau.banker[b][third]
            rest = (square[third] if draws else 1.0) * (sum(square) if answer else 1.0)
            total += base * rest
    assert chance_of_repeat(knows, PUNTO.tableau) == pytest.approx(total, rel=1e-12)
    if knows == "value":
        assert 1 / total == pytest.approx(8_000, rel=0.25)


def test_repeats_are_reported_where_chance_does_not_explain_them(tmp_path: Path, coups: pl.DataFrame) -> None:
    bets = log_frames(deal(EZ, Dealing(), 5, 0, 3), {"Ann": Flat("player", 25)}, EZ, 1)[1]
    plain = written(tmp_path, coups, bets)
    rows = []
    for row in coups.to_dicts():
        earlier = sum(1 for at in (5, 9, 30) if at < row["coup"])
        rows.append({**row, "coup": row["coup"] + earlier})
        if row["coup"] in (5, 9, 30):
            rows.append({**row, "coup": row["coup"] + earlier + 1, "burn": None})
    shift = pl.sum_horizontal((pl.col("coup") > at).cast(pl.Int64) for at in (5, 9, 30))
    twice = written(tmp_path, pl.DataFrame(rows), bets.with_columns(coup=pl.col("coup") + shift))
    repeats = repeats_of(twice.coups, EZ.tableau)
    assert len(repeats.rows) == 9
    assert repeats.expected < 0.1
    assert (dealing_errors(twice, EZ, 8)["rule"] == "repeat").sum() == 9
    assert "9 coups of" in " ".join(line for line in sentences(audit(twice, EZ, 8)) if "repeat the coup before" in line)
    dropped, number = without_repeats(twice, EZ.tableau)
    assert number == 9
    assert dropped.coups.drop("line").equals(plain.coups.drop("line"))
    assert dropped.bets.drop("line").equals(plain.bets.drop("line"))
    assert without_repeats(plain, EZ.tableau) == (plain, 0)


def test_one_repeat_in_many_coups_is_chance(tmp_path: Path) -> None:
    deck = ["9 8,7 6", "2 3 4,9 K", "9 9,8 8"]
    rows = [f"1,{at // 60},{at % 60 + 1},{deck[at % 3]},,," for at in range(600)]
    rows[301] = f"1,5,2,{deck[300 % 3]},,,"
    log = lines(tmp_path, *rows)
    repeats = repeats_of(log.coups, PUNTO.tableau)
    assert len(repeats.rows) == 1
    assert repeats.p > 1e-3
    assert "repeat" not in set(dealing_errors(log, PUNTO, 8)["rule"])


def test_a_coup_with_a_fourth_card_is_no_repeat_of_one_without(tmp_path: Path) -> None:
    four, three = "2 3 4 5,9 8", "2 3 4,9 8"
    log = lines(tmp_path, *[f"1,1,{at},{cards},,," for at, cards in enumerate((four, three, three, four, four), 1)])
    assert repeats_of(log.coups, PUNTO.tableau).rows.tolist() == [2]


ROUNDED = [
    ("0.01", "house", 1010, [959]), ("0.01", "patron", 1010, [960]), ("0.01", "nearest", 1010, [959, 960]),
    ("1", "house", 2500, [2300]), ("1", "patron", 2500, [2400]), ("1", "nearest", 2500, [2400]),
    ("0.25", "nearest", 2500, [2375]), ("0.5", "house", 1000, [950]), ("5", "patron", 10000, [9500]),
]  # fmt: skip


@pytest.mark.parametrize(("unit", "favour", "amount", "due"), ROUNDED)
def test_commission_rounded_by_the_house_s_rule(
    tmp_path: Path, unit: str, favour: str, amount: int, due: list[int]
) -> None:
    rule = Rounding(Fraction(unit), favour)  # type: ignore[arg-type]
    assert rule.due(amount, Fraction(19, 20)) == due
    (tmp_path / "coups.csv").write_text("table,shoe,coup,player,banker\n1,a,1,2 3 4,K 8\n1,a,2,9 9,9 K\n")
    units = {rule.hundredths, 100}
    around = sorted({*range(due[0] - 3, due[-1] + 4), *(due[0] - u for u in units), *(due[-1] + u for u in units)})
    rows = [f"1,a,2,p{won},banker-5,{amount / 100},{won / 100:.2f}" for won in around]
    (tmp_path / "bets.csv").write_text("\n".join(["table,shoe,coup,patron,bet,amount,won", *rows]))
    log = read_log(tmp_path / "coups.csv", tmp_path / "bets.csv")
    wrong = dealing_errors(log, PUNTO, 8, None, rule).filter(rule="payment")
    assert set(wrong["patron"]) == {f"p{won}" for won in around if won not in due}
    off = dict(wrong.select("patron", "off").rows())
    for won in around:
        if won not in due:
            assert off[f"p{won}"] == pytest.approx(min((won - each for each in due), key=abs) / 100)


def test_a_rounding_that_cannot_be_is_refused() -> None:
    for unit, favour, said in (
        (Fraction(0), "house", "--round-to: 0"),
        (Fraction(1, 3), "house", "--round-to: 0.33"),
        (Fraction(1), "me", "--round-for: 'me', should be house, patron or nearest"),
    ):
        with pytest.raises(InputError, match=said):
            Rounding(unit, favour)  # type: ignore[arg-type]


def test_wrong_payouts_by_table_and_dealer(tmp_path: Path, coups: pl.DataFrame) -> None:
    from counting.reports.audit import report

    bets = log_frames(deal(EZ, Dealing(), 5, 0, 3), {"Ann": Flat("player", 25)}, EZ, 1)[1]
    wrong = pl.int_range(pl.len()) % 20
    bets = bets.with_columns(won=pl.when(wrong == 3).then(pl.col("won") + 5).when(wrong == 4).then(pl.col("won") - 2)
                             .otherwise("won"))  # fmt: skip
    dealer = pl.when(pl.col("coup") % 2 == 0).then(pl.lit("Li")).otherwise(pl.lit("Wu"))
    page = report(audit(written(tmp_path, coups.with_columns(dealer=dealer), bets), EZ, 8), {"a": "b"})
    by = {section.title: section for section in page.sections if section.title.startswith("Wrong payouts")}
    assert list(by) == ["Wrong payouts by patron", "Wrong payouts by dealer"]
    rows = [list(row) for row in by["Wrong payouts by patron"].rows]
    assert rows[0][0] == "Ann"
    over, under = (float(str(cell).replace(",", "")) for cell in rows[0][3:])
    assert over > 0 > under
    assert over / 5 + under / -2 == int(str(rows[0][1]))
    dealers = [list(row) for row in by["Wrong payouts by dealer"].rows]
    assert sorted(row[0] for row in dealers) == ["Li", "Wu"]
    assert sum(int(str(row[1])) for row in dealers) == int(str(rows[0][1]))
