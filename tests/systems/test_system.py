"""Counting systems as data."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting import InputError, Shoe, load_game
from counting.games import catalog
from counting.io.toml import shipped
from counting.simulation import Dealing
from counting.sweep import Plan
from counting.systems import System, load_system

HERE = Path(__file__).parents[1]
DRAGON = load_system("dragon-7")
TEXT = shipped("systems")["dragon-7"].read_text()


def test_the_published_dragon_7_count() -> None:
    assert DRAGON.by_value == (0, 0, 0, 0, -1, -1, -1, -1, 2, 2)
    assert (DRAGON.count, DRAGON.trigger, DRAGON.bets) == ("true", 4.0, ("dragon-7",))


def test_shipped_systems_say_what_was_published_of_them() -> None:
    for name in shipped("systems"):
        system = load_system(name)
        assert (sum(system.by_card) == 0) == (system.count == "true"), name
        assert (system.published is None) == name.startswith("thorp-"), name  # of Thorp, only triggers were read
        assert catalog().keys() >= set(system.bets or ()), name


def test_counts_are_compared_by_what_they_say() -> None:
    """Values that have been worked out from a count are not compared."""
    first, other = DRAGON.model_copy(), DRAGON.model_copy()
    seen = np.array([Shoe.decks(7).values], np.int32)
    for system, decks in ((first, 8), (other, 9)):
        assert system.exact_triggers[1].size > 1
        assert system.running(seen, decks).size == 1
    assert first == other
    assert hash(first) == hash(other)
    assert first != DRAGON.model_copy(update={"trigger": 5.0})
    assert first != DRAGON.name
    game = load_game("ez-baccarat")
    assert Plan(game, Dealing(), 10, 1, (first,)) == Plan(game, Dealing(), 10, 1, (other,))


def test_the_running_count_is_of_seen_cards() -> None:
    seen = Shoe.decks(8).without("8 9 4 K")
    assert DRAGON.running(np.array([seen.values], np.int32), 8).tolist() == [3]
    start = DRAGON.model_copy(update={"start": -7})
    assert start.running(np.array([Shoe.decks(8).values], np.int32), 8).tolist() == [-7]


@given(st.integers(-1000, 1000), st.integers(6, 1404), st.integers(-(10**11), 10**11), st.booleans())
def test_triggers_are_reached_in_exact_arithmetic(running: int, cards_left: int, millionths: int, small: bool) -> None:
    # `own` has any trigger that a file may give, and the triggers around it are scored too.
    trigger = millionths / 10**6 / (10**4 if small else 1)
    own = DRAGON.model_copy(update={"trigger": round(trigger, 6)})
    for system in (own, DRAGON, load_system(HERE / "systems" / "sevens.toml")):
        reached = system.reached(np.array([running], np.int32), np.array([cards_left]), np.array([6]))
        true_count = Fraction(52 * running, cards_left)
        assert reached.tolist() == [sum(true_count >= Fraction(str(t)) for t in system.scored)]


@given(st.integers(-1000, 1000), st.integers(6, 1404), st.integers(-(10**8), 10**8), st.integers(0, 10**8))
def test_a_distance_is_reached_on_either_side(running: int, cards_left: int, centre: int, trigger: int) -> None:
    system = DRAGON.model_copy(update={"distance_from": centre / 10**6, "trigger": trigger / 10**6})
    distance = abs(Fraction(52 * running, cards_left) - Fraction(str(centre / 10**6)))
    where = np.array([running], np.int32), np.array([cards_left]), np.array([6])
    assert system.reached(*where).tolist() == [sum(distance >= Fraction(str(t)) for t in system.scored)]
    assert system.whole_count(*where).tolist() == [distance // 1]
    assert system.scored[0] >= 0


def test_a_distance_is_data_and_not_below_0(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(TEXT.replace("trigger = 4", "trigger = 4\ndistance_from = -1.5"))
    mine = load_system(tmp_path / "mine.toml")
    assert (mine.distance_from, mine.at(4), DRAGON.at(4)) == (-1.5, "4 away from -1.5", "4")
    assert System.from_dict(mine.to_dict()) == mine
    assert "distance_from" not in DRAGON.to_dict()
    for wrong in ("trigger = -4", "trigger = 4\ntriggers = [-1, 5]"):
        (tmp_path / "mine.toml").write_text(TEXT.replace("trigger = 4", f"{wrong}\ndistance_from = 0"))
        with pytest.raises(InputError, match="trigger, triggers: should be 0 or more with distance_from"):
            load_system(tmp_path / "mine.toml")


def test_a_count_at_the_trigger_bets() -> None:
    # The trigger is 4 per 52 unseen cards, which is exactly 8 with 104 cards.
    below, at = (DRAGON.reached(np.array([n], np.int32), np.array([104]), np.array([90]))[0] for n in (7, 8))
    assert at == below + 1


def test_triggers_to_score() -> None:
    decimal = DRAGON.model_copy(update={"trigger": 2.2})
    assert decimal.scored == (-1.8, -0.8, 0.2, 1.2, 2.2, 3.2, 4.2, 5.2, 6.2, 7.2, 8.2)
    assert DRAGON.scored == tuple(float(t) for t in range(11))
    assert load_system(HERE / "systems" / "sevens.toml").scored == (0, 1, 2.5, 40)


def test_a_count_by_rank_tells_faces_apart(tmp_path: Path) -> None:
    (tmp_path / "kings.toml").write_text(TEXT.replace("T = 0", "10 = 0\nJ = 0\nQ = 0\nK = 3"))
    kings = load_system(tmp_path / "kings.toml")
    assert (kings.knows, kings.by_rank[9:], kings.level) == ("rank", (0, 0, 0, 3), 3)
    unseen = Shoe.decks(8).without("Kh Qs 8d")
    for counts in (unseen.ranks, unseen.cards):
        assert kings.running(np.array([counts], np.int32), 8).tolist() == [5]
    assert Plan(load_game("ez-baccarat"), Dealing(), 1, systems=(DRAGON,)).knows == "value"
    assert Plan(load_game("ez-baccarat"), Dealing(), 1, systems=(kings,)).knows == "rank"
    assert DRAGON.running(np.array([unseen.cards], np.int32), 8).tolist() == [2]
    with pytest.raises(InputError, match="system kings: counts ranks"):
        kings.running(np.array([unseen.values], np.int32), 8)


@pytest.mark.parametrize(
    ("setting", "cards", "read_as"),
    [
        ("", 65, 65),
        ('estimate = "whole"', 77, 52),
        ('estimate = "whole"', 78, 104),
        ('estimate = "whole"\nrounding = "down"', 103, 52),
        ('estimate = "half"', 65, 78),
        ('estimate = "half"\nrounding = "down"', 65, 52),
        ('estimate = "quarter"', 58, 52),
        ('estimate = "quarter"', 59, 65),
        ('estimate = "whole"', 7, 52),
        ('estimate = "quarter"\nrounding = "down"', 7, 13),
    ],
)
def test_decks_as_people_estimate_them(setting: str, cards: int, read_as: int, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(TEXT.replace('count = "true"', 'count = "true"\nper = "undealt"\n' + setting))
    system = load_system(tmp_path / "mine.toml")
    for running in range(-5, 40):
        (reached,) = system.reached(np.array([running], np.int32), np.array([400]), np.array([cards]))
        assert reached == sum(Fraction(52 * running, read_as) >= Fraction(str(t)) for t in system.scored)


def test_an_unbalanced_count_that_ends_at_zero(tmp_path: Path) -> None:
    text = TEXT.replace("T = 0", "T = 1").replace('count = "true"', 'count = "true"\nstart = "to-zero"')
    (tmp_path / "mine.toml").write_text(text)
    mine = load_system(tmp_path / "mine.toml")
    for decks in (1, 6, 8):
        assert mine.running(np.array([Shoe.decks(decks).values], np.int32), decks).tolist() == [-16 * decks]
    assert mine.running(np.array([Shoe.parse("v:0,0,0,0,0,0,0,0,0,3").values], np.int32), 8).tolist() == [-6]
    assert mine.running(np.zeros((1, 10), np.int32), 8).tolist() == [0]


def test_one_count_for_several_bets(tmp_path: Path) -> None:
    text = TEXT.replace("trigger = 4", "trigger = { dragon-7 = 4, panda-8 = 6.5 }").replace('bets = ["dragon-7"]', "")
    (tmp_path / "both.toml").write_text(text)
    both = load_system(tmp_path / "both.toml")
    assert both.bets == ("dragon-7", "panda-8")
    assert (both.on("dragon-7"), both.on("panda-8"), DRAGON.on("dragon-7")) == (4, 6.5, 4)
    assert {0.0, 2.5, 4.0, 6.5, 10.0, 12.5} <= set(both.scored)
    assert System.from_dict(both.to_dict()) == both


def test_a_system_survives_as_data() -> None:
    for system in (DRAGON, load_system(HERE / "systems" / "sevens.toml")):
        assert System.from_dict(system.to_dict()) == system


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("A = 0", "", "tags, A: missing"),
        ("A = 0", "A = 0.5", "tags, A = 0.5: should be a whole number from -100 to 100"),
        ("A = 0", "A = 0\nK = 0", "tags = .*: should have T for tens and faces, or each of 10, J, Q and K"),
        ("A = 0", "A = 0\nX = 0", "tags, X = 0: unknown key, should be one of A, 2, 3"),
        ("T = 0", "J = 0", "tags = .*: should have T for tens and faces, or each of 10, J, Q and K"),
        ("trigger = 4", "trigger = 4\nstart = 'zero'", "start = .*: should be a whole number .*, or 'to-zero'"),
        ("trigger = 4", "trigger = {}", "trigger = {}: should be a number, or a table of numbers by bet"),
        ("trigger = 4", "trigger = { panda-8 = 4 }", "bets: should be left out where trigger names them, panda-8"),
        ("trigger = 4", "trigger = { dragon-7 = 'four' }", "trigger = .*: dragon-7: should be a number"),
        ('count = "true"', 'count = "running"\nper = "undealt"', "estimate, rounding: should be left out, a running"),
        ('count = "true"', 'count = "true"\nestimate = "third"', "should be 'exact', 'whole', 'half' or 'quarter'"),
        ("A = 0", "A = true", "tags, A = true: should be a whole number"),
        ('count = "true"', 'count = "truth"', "count = \"truth\": should be 'true' or 'running'"),
        ("trigger = 4", 'trigger = "4"', 'trigger = "4": should be a number'),
        ("trigger = 4", "trigger = 0.1234567", "with at most 6 decimals"),
        ("trigger = 4", "trigger = 1e-20", "with at most 6 decimals"),
        ("trigger = 4", "trigger = 1e300", "a number from -100,000 to 100,000"),
        ("trigger = 4", "trigger = nan", "should be a number"),
        ("trigger = 4", "trigger = 4\ntriggers = 5", "triggers = 5: should be a list in brackets"),
        ("trigger = 4", "trigger = 4\ntrigers = [5]", "trigers = .*unknown key, .*did you mean 'trigger"),
        ("source", "sorce", "source: missing"),
        ("title", 'name = "x"\ntitle', "name = 'x': unknown key, the system's name is the file's"),
        ("bets = ", "bets = 7 #", "bets = 7: should be a list in brackets"),
        ("decks = 8", "decks = 0", "decks = 0: should be a whole number from 1 to 27"),
    ],
)
def test_a_malformed_system_says_where_what_and_what_is_allowed(old: str, new: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(TEXT.replace(old, new, 1))
    with pytest.raises(InputError, match=says):
        load_system(tmp_path / "mine.toml")


def test_a_systems_file_has_a_plain_name(tmp_path: Path) -> None:
    (tmp_path / "My Count.toml").write_text(TEXT)
    with pytest.raises(InputError, match="file's name should be lower case"):
        load_system(tmp_path / "My Count.toml")
    (tmp_path / "perfect.toml").write_text(TEXT)
    with pytest.raises(InputError, match="perfect is reserved for the perfect counter"):
        load_system(tmp_path / "perfect.toml")
    with pytest.raises(InputError, match="did you mean 'dragon-7'"):
        load_system("dragoon7")


def test_a_copy_with_other_values_has_nothing_worked_out_from_the_old_ones() -> None:
    """A system keeps the values that it has worked out beside its fields. A copy must work them out again."""
    shoe = np.array([Shoe.decks(8).without("7 7").values], np.int32)
    before = DRAGON.running(shoe, 8)
    assert DRAGON.reached(before, shoe.sum(axis=1), shoe.sum(axis=1)).shape == (1,)
    other = DRAGON.model_copy(update={"start": -7, "triggers": (-1_000.0,), "trigger": -1_000.0})
    assert (other.running(shoe, 8) - before).tolist() == [-7 - (DRAGON.start if isinstance(DRAGON.start, int) else 0)]
    assert other.reached(other.running(shoe, 8), shoe.sum(axis=1), shoe.sum(axis=1)).tolist() == [1]


@pytest.mark.parametrize("trigger", range(10, 25))
def test_an_unbalanced_running_count_drifts_where_its_pivot_is_not_scored(trigger: int) -> None:
    """The four nines of a deck count 2 each, so the count ends at 16 with two decks. The triggers that are scored go
    from four steps below the trigger to six above."""
    tags = dict.fromkeys("A2345678T", 0) | {"9": 2}
    fields = {"title": "x", "source": "x", "count": "running", "trigger": trigger, "tags": tags}
    system = System(**fields)  # type: ignore[arg-type]
    assert system.end(2) == 16
    assert system.drifts(2) == (not trigger - 4 <= 16 <= trigger + 6)
    assert not System(**fields | {"start": -16}).drifts(2)  # type: ignore[arg-type]


def test_the_ends_of_the_triggers_scored_are_the_lowest_and_the_highest() -> None:
    assert [trigger for trigger in range(-2, 13) if DRAGON.is_end(trigger)] == [0, 10]


def test_errors_of_a_system_without_a_name_have_its_title() -> None:
    fields = {"title": "Mine", "source": "notes", "count": "true", "tags": dict.fromkeys("A2345678T", 1) | {"9": -9}}
    by_bet = System(**fields, trigger={"tie-8": 1})  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^bet 'x': Mine has triggers for tie-8$"):
        by_bet.on("x")
    with pytest.raises(InputError, match=r"^Mine: trigger = 1000000: "):
        by_bet.to_zero(10**6)
    with pytest.raises(InputError, match=r"^system Mine: bets = 'x': "):
        Plan("ez-baccarat", Dealing(), 9, systems=[System(**fields, trigger={"x": 1})])  # type: ignore[arg-type]
    assert System(**fields, trigger=1).drift(1).startswith("Mine is unbalanced")  # type: ignore[arg-type]
    suits = System(**fields | {"trigger": 1, "tags": {"s": 1, "h": 2, "d": 3, "c": 4}})  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^system Mine: counts suits"):
        _ = suits.by_rank
