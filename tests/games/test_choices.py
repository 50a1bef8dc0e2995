"""Hands that may draw or stand: each method of counting, dealing and judging against a separate enumeration."""

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from extent import LONG, examples, long_or
from hypothesis import given
from hypothesis import strategies as st

from counting import Bet, Shoe, exact_edges, load_game
from counting.cards import CARDS, VALUE_OF_CARD
from counting.chemin import MODERN, PUNTO_BANCO, load_rules
from counting.cli import main
from counting.errors import InputError
from counting.exact import all_deals, counter, joint_distribution, price_shoe, with_choices, worth_of_choices
from counting.games import STOOD, Choice, Game, Outcome, Tableau, catalog
from counting.io.toml import shipped
from counting.logs.cards import NO_CARD
from counting.logs.deal_order import hands_of, is_dealt_out
from counting.review.hands import NONE, SHAPE, hand_class
from counting.review.repeats import chance_of_repeat
from counting.simulation import Dealing
from counting.simulation.shoes import play_orders
from counting.verify import reference

PUNTO = load_game("punto-banco")
FIVE, NINE, FOUR = Choice(5), Choice(3, 9), Choice(5, 4)
STAY = Choice(6, STOOD)
CELLS = (FIVE, NINE, FOUR, STAY)
BETS = ("player", "tie-8", "dragon-7", "panda-8", "perfect-pair", *(["lucky-8-player"] if LONG else []))
BY_HANDS = Bet(
    name="heart",
    pays=[  # a coup may meet several of these lines: the first counts
        {"player_third_suit": "hearts", "banker_total": 8, "odds": "25:1"},
        {"player_third_suit": "hearts", "winner": "banker", "odds": "15:1"},
        {"banker_total": "8-9", "odds": "4:1"},
    ],
)


def text(letters: str) -> str:
    """Punto banco's file with a choice in each of `CELLS`. `letters`: the moves that are taken there."""
    rules = shipped("games")["punto-banco"].read_text()
    for fixed, free in (
        ('"D D D D D D S S"', f'"D D D D D * S S"\nchoices = "{letters}"'),
        ('"D D D D D D D D S D  D", # 3', '"D D D D D D D D S *  D", # 3'),
        ('"S S S S D D D D S S  D", # 5', '"S S S S * D D D S S  D", # 5'),
        ('"S S S S S S D D S S  S", # 6', '"S S S S S S D D S S  *", # 6'),
    ):
        assert fixed in rules
        rules = rules.replace(fixed, free)
    return rules


def game_of(tmp_path: Path, letters: str = "DSDS", bets: tuple[str, ...] = ()) -> Game:
    path = tmp_path / "free.toml"
    path.write_text(text(letters))
    return load_game(path).also(bets)


@pytest.fixture(scope="module")
def free(tmp_path_factory: pytest.TempPathFactory) -> Game:
    game = game_of(tmp_path_factory.mktemp("free"), bets=tuple(b for b in BETS if b not in PUNTO.bet_names))
    return game.with_bets(BY_HANDS)


def coup(values: tuple[int, ...], draws: dict[Choice, bool]) -> tuple[int, int, int, int]:
    """Deal six cards by the rules in words, with these moves. Returns both totals and how many cards each hand has."""
    player, banker, rest = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10, [*values[4:]]
    if player > 7 or banker > 7:
        return player, banker, 2, 2
    third, cards, final = None, [2, 2], [player, banker]
    if player < 5 or (player == 5 and draws[FIVE]):
        third = rest.pop(0)
        final[0], cards[0] = (player + third) % 10, 3
    if third is None:
        answers = banker < 6 or (banker == 6 and draws[STAY])
    elif (banker, third) == (3, 9):
        answers = draws[NINE]
    elif (banker, third) == (5, 4):
        answers = draws[FOUR]
    elif banker == 3:
        answers = third != 8
    elif banker in (4, 5, 6):
        answers = 2 * (banker - 3) <= third <= 7
    else:
        answers = banker < 3
    if answers:
        final[1], cards[1] = (banker + rest.pop(0)) % 10, 3
    return final[0], final[1], cards[0], cards[1]


EVERY = [dict(zip(CELLS, moves, strict=True)) for moves in product((True, False), repeat=len(CELLS))]
TAKEN = dict(zip(CELLS, (True, False, True, False), strict=True))


def test_a_file_says_who_may_choose_and_how_prices_take_it(tmp_path: Path) -> None:
    game = game_of(tmp_path)
    tableau = game.tableau
    assert set(tableau.choices) == {*CELLS}
    assert {cell: tableau.draws(cell) for cell in CELLS} == TAKEN
    assert game.heading == (f"{game.title} (4 choices taken as the game's file says)")
    kept = game.to_dict()["tableau"]
    assert (kept["player"], kept["choices"]) == ("DDDDD*SS", "DSDS")
    assert kept["banker"][3] == "DDDDDDDDS*D"
    assert Game.from_dict(game.to_dict()) == game
    assert game_of(tmp_path, "DDDD").digest != game.digest != PUNTO.digest
    assert game_of(tmp_path, "D") == game_of(tmp_path, "DDDD")
    assert "choices" not in PUNTO.to_dict()["tableau"]
    other = tableau.model_copy(update={"choices": (FIVE, NINE)})
    assert (
        replace(PUNTO, tableau=other).heading
        == "Punto banco (Player's 5 taken to draw; Banker's 3 after a 9 taken to stand)"
    )


def test_a_tableau_made_by_its_class_is_that_of_the_file(tmp_path: Path) -> None:
    tableau = game_of(tmp_path).tableau
    assert Tableau(**tableau.to_dict()) == Tableau.model_validate(tableau.to_dict()) == tableau
    assert Tableau(**PUNTO.tableau.to_dict()) == PUNTO.tableau


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('choices = "DSDS"', "", "tableau: choices: missing where 4 letters are *, should be D or S for all of"),
        ('"DSDS"', '"DS"', "tableau: choices = 'DS': 4 letters are *, should be D or S for all of them, or 4 of these"),
        ('"DSDS"', '"X"', "tableau: choices = 'X': should be D or S for every *, or one letter for each * in order"),
        ("D D D D D * S S", "D D D D D ? S S", "should be 8 letters, D for draw, S for stand or * for a choice"),
        ("D D D D D * S S", "D D D D D * S", "should be 8 letters, D for draw, S for stand or * for a choice"),
    ],
)  # fmt: skip
def test_a_mistake_in_choices_is_a_line(tmp_path: Path, old: str, new: str, line: str) -> None:
    (path := tmp_path / "free.toml").write_text(text("DSDS").replace(old, new))
    with pytest.raises(InputError, match=re.escape(line)):
        load_game(path)


def test_choices_where_no_hand_may_choose_are_refused(tmp_path: Path) -> None:
    rules = shipped("games")["punto-banco"].read_text().replace("[tableau]\n", '[tableau]\nchoices = "D"\n')
    (path := tmp_path / "fixed.toml").write_text(rules)
    with pytest.raises(InputError, match=r"tableau: choices = 'D': no letter is \*, should be left out"):
        load_game(path)


SOME = long_or(EVERY, [EVERY[i] for i in (0, 6, 10, 13)])


@pytest.mark.long
@given(st.lists(st.integers(0, 9), min_size=6, max_size=7), st.sampled_from(SOME))
@examples(long=60, short=5)
def test_outcomes_are_those_of_an_enumeration(free: Game, values: list[int], draws: dict[Choice, bool]) -> None:
    """The counter, the joint distribution and the reference implementation agree with the enumeration for any moves; by
    default, for four sets of moves. In these, no two choices always have the same move, or always different moves. The
    tableau's outcomes include the outcomes of these moves."""
    game, shoe = with_choices(free, draws), Shoe.from_values([values.count(value) for value in range(10)])
    deals = Counter[Outcome]()
    for six, times in Counter(permutations(values, 6)).items():
        deals[Outcome(*coup(six, draws))] += times
    apart, of_values = counter(game.tableau, game.tableau.outcomes), np.array([shoe.values], np.int32)
    assert set(deals) <= {*game.tableau.outcomes}
    expected = [deals[outcome] for outcome in game.tableau.outcomes]
    assert apart.classes(shoe.values) == expected
    assert joint_distribution(game.tableau).outcomes(of_values)[0].tolist() == expected
    assert reference.outcomes(game, shoe) == +deals


def test_outcomes_are_all_that_any_moves_deal(free: Game) -> None:
    possible = set()
    for p, b, third, fourth in product(range(10), repeat=4):
        for draws in EVERY:
            possible.add(Outcome(*coup((p, b, 0, 0, third, fourth), draws)))
    assert set(free.tableau.outcomes) == possible > set(PUNTO.tableau.outcomes)
    assert {outcome for way in free.tableau.ways for outcome in way.outcomes} == possible


@pytest.mark.long
def test_every_edge_and_the_best_moves_are_those_of_all_tableaux(free: Game) -> None:
    """Each bet's edge for each set of moves, on a partial shoe and, with --long, on others and a full one. The best
    moves are found by trying all."""
    rng = np.random.default_rng(3)
    for cards in long_or((416, 40, 12), (40,)):
        shoe = Shoe.from_cards(rng.multivariate_hypergeometric([8] * 52, cards).tolist())
        worth = worth_of_choices(free, shoe)
        by_moves = [exact_edges(with_choices(free, draws), shoe) for draws in EVERY]
        for bet in free.bet_names:
            for draws, edges in zip(EVERY, by_moves, strict=True):
                assert worth.edge(bet, draws) == edges[bet]
            assert worth.edge(bet) == exact_edges(free, shoe)[bet]
            for side, held in (("both", ()), ("player", CELLS[1:]), ("banker", CELLS[:1])):
                tried = [edges[bet] for draws, edges in zip(EVERY, by_moves, strict=True)
                         if all(draws[cell] == TAKEN[cell] for cell in held)]  # fmt: skip
                best = worth.best(bet, side)
                assert best.edge == max(tried) == worth.edge(bet, best.moves)
        assert worth.best("perfect-pair").moves == TAKEN  # no move matters, so all stay as taken


@pytest.mark.long
def test_a_choice_on_five_is_what_enumerated_deals_are_worth(free: Game) -> None:
    """Each bet's edge follows from all ordered deals of six of seven cards, and its best choice on five from the pays
    of both moves in these deals."""
    cards = [3, 29, 33, 30, 20, 44, 12]
    shoe = Shoe.from_cards([cards.count(card) for card in range(52)])
    tableaux = {draws: with_choices(free, {**TAKEN, FIVE: draws}) for draws in (True, False)}
    paid = {draws: reference.exact_edges(game, shoe) for draws, game in tableaux.items()}
    for six in permutations(cards, 6):
        values = tuple(VALUE_OF_CARD[card] for card in six)
        for draws, game in tableaux.items():
            assert reference._shown(game, six)[0] == coup(values, {**TAKEN, FIVE: draws})
    worth = worth_of_choices(free, shoe)
    for bet in free.bet_names:
        assert worth.best(bet, "player").edge == max(paid[True][bet], paid[False][bet])
        assert worth.edge(bet, {FIVE: False}) == paid[False][bet]


def test_only_choices_of_the_game_have_moves(free: Game) -> None:
    for game, moves, line in (
        (load_game("punto-banco"), {Choice(5): False}, "Player's 5 is no choice, should be left out: no hand has"),
        (free, {FIVE: True, Choice(2): True}, f"{free.name}: Player's 2 is no choice, should be "),
        (free, {FIVE: "draw"}, f"{FIVE}: 'draw', should be True to draw or False to stand"),
    ):
        with pytest.raises(InputError, match=re.escape(line)):
            with_choices(game, moves)  # type: ignore[arg-type]
    worth = worth_of_choices(free.only(["player"]), "v:0,0,0,2,2,2,2,2,2,0")
    with pytest.raises(InputError, match="Player's 2 is no choice"):
        worth.edge("player", {Choice(2): True})


def test_a_line_that_only_another_choice_meets_is_a_line(tmp_path: Path) -> None:
    """A line on a Player's five that stands is possible. Its chance is 0 while this five is taken to draw."""
    five = 'player_total = 5, player_cards = 2, banker_total = "0-7"'
    line = f'[[bets]]\nname = "five"\npays = [{{ {five}, odds = "10:1" }}]\n'
    shape = '[[bets]]\nname = "flush"\npays = [{ player_flush = true, player_first_total = 5, odds = "100:1" }]\n'
    (path := tmp_path / "five.toml").write_text(text("DSDS") + "\n" + line + shape)
    game, shoe = load_game(path), Shoe.from_cards([int(card in (0, 4, 8, 12, 16, 20, 44)) for card in range(52)])
    assert price_shoe(game, shoe).edges["five"] == -1
    stands = with_choices(game, dict.fromkeys(CELLS, False))
    assert price_shoe(stands, shoe).edges["flush"] == -1
    assert price_shoe(stands, shoe).edges["five"] == reference.exact_edges(stands, shoe)["five"] > -1
    (path := tmp_path / "fixed.toml").write_text(shipped("games")["punto-banco"].read_text() + "\n" + line)
    with pytest.raises(InputError, match="no coup meets this line"):
        load_game(path)


def test_dragon_7_on_eight_decks(tmp_path: Path) -> None:
    """Standing on five adds seven percentage points to the edge of the Dragon 7, but for the Player bet a draw is
    best."""
    game = game_of(tmp_path, "DDDS", ("dragon-7",))
    worth = worth_of_choices(game, Shoe.decks(8))
    assert worth.edge("dragon-7") == exact_edges("ez-baccarat", Shoe.decks(8))["dragon-7"]
    assert worth.edge("player") == exact_edges("punto-banco", Shoe.decks(8))["player"]
    standing = worth.best("dragon-7", "player")
    assert standing.moves[FIVE] is False
    assert float(standing.edge) == pytest.approx(-0.004789832804651604, abs=1e-15)
    assert worth.best("player", "player").moves[FIVE] is True


def test_shoes_are_dealt_as_the_choices_are_taken(free: Game) -> None:
    rng = np.random.default_rng(4)
    orders = np.array([rng.permutation(np.repeat(np.arange(52, dtype=np.uint8), 2)) for _ in range(20)])
    coups = play_orders(free.tableau, Dealing(2, 6, "none"), orders, knows="card")
    fives = 0
    for shown in coups.shown.tolist():
        values = tuple(VALUE_OF_CARD[card] for card in shown[5:])
        assert tuple(shown[:4]) == coup(values, TAKEN)
        fives += (values[0] + values[2]) % 10 == 5
    assert fives > 20


def test_a_legal_draw_or_stand_is_no_error(free: Game) -> None:
    """All pairs of first totals with all third cards: hands that some moves deal break no rule; all other hands break
    one."""
    for p, b, third, fourth in product(range(10), range(10), (*range(10), NONE), (4, NONE)):
        drawn = [z for z in (third, fourth) if z != NONE]
        sizes = (2 + (third != NONE), 2 + (fourth != NONE))
        values = (p, b, 0, 0, *drawn, *[0] * (2 - len(drawn)))
        lawful = any(coup(values, draws)[2:] == sizes for draws in EVERY)
        number = hand_class(free.tableau, int(np.ravel_multi_index((p, b, third, fourth), SHAPE)))
        assert (not number.broken) == lawful, (p, b, third, fourth)
    drew = hand_class(free.tableau, int(np.ravel_multi_index((5, 7, 1, 4), SHAPE)))
    assert drew.broken == {"banker-stands"}  # Player's draw was allowed


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_an_audit_pays_what_the_choices_deal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the first coup Player stands on five and loses to a 7 of three cards, a Dragon 7. In the second, Player draws
    on five and loses to a 7 of two cards."""
    game_of(tmp_path)
    monkeypatch.chdir(tmp_path)
    Path("coups.csv").write_text(
        "table,shoe,coup,player,banker,winner\n1,1,1,5s Kh,2c 2d 3h,banker\n1,1,2,5d Kd 9s,7c Kc,banker\n"
    )
    Path("bets.csv").write_text(
        "table,shoe,coup,patron,bet,amount,won\n"
        "1,1,1,a,dragon-7,10,400\n1,1,1,b,player,10,-10\n1,1,2,a,dragon-7,10,-10\n1,1,2,b,player,10,10\n"
    )
    command = "audit free.toml --coups coups.csv --bets bets.csv --out audit"
    assert main(command.split()) == 0
    errors = [line.split(",") for line in Path("audit/errors.csv").read_text().splitlines()]
    rule, row = errors[0].index("rule"), errors[0].index("coup")
    assert [(line[row], line[rule]) for line in errors[1:]] == [("2", "payment")]


def _codes(*values: int) -> list[int]:
    return [CARDS.index("Ks" if v == 0 else f"{'A23456789'[v - 1]}s") for v in values]


def test_a_coup_is_over_only_when_no_choice_deals_a_card(free: Game) -> None:
    for p, b in product(range(10), range(10)):
        over = all(coup((p, b, 0, 0, 0, 0), draws)[2:] == (2, 2) for draws in EVERY)
        assert is_dealt_out(_codes(p, 0), _codes(b, 0), free.tableau) == over
    assert not is_dealt_out(_codes(5, 0, 9), _codes(3, 0), free.tableau)
    assert is_dealt_out(_codes(5, 0, 8), _codes(3, 0), free.tableau)


def test_the_fifth_card_of_a_list_is_whose_the_choice_allows(free: Game) -> None:
    """A list has the cards in order P B P B and one more. If both hands might have drawn this card lawfully, the logged
    totals say which did."""
    rows = [(5, 4, 0, 0, 1), (5, 7, 0, 0, 2), (6, 4, 0, 0, 2), (4, 7, 0, 0, 2)]
    codes = np.array([[*_codes(*row), *[NO_CARD] * 3] for row in rows], np.int8)
    unknown, logged = np.full((4, 2), -1, np.int8), np.array([[6, 4], [7, 7], [6, 6], [6, 7]], np.int8)
    parted = hands_of(codes, "dealt", unknown, free.tableau)
    assert parted.open.tolist() == [True, False, False, False]
    assert [int((hand != NO_CARD).sum()) for hand in parted.player[1:]] == [3, 2, 3]
    parted = hands_of(codes, "dealt", logged, free.tableau)
    assert not parted.open.any()
    assert [int((hand != NO_CARD).sum()) for hand in parted.player] == [3, 3, 2, 3]


def test_repeats_are_bounded_whatever_is_chosen(free: Game) -> None:
    bound = chance_of_repeat("value", free.tableau)
    each = [chance_of_repeat("value", with_choices(free, draws).tableau.fixed) for draws in EVERY]
    assert max(each) <= bound < 1.02 * max(each)


def test_rules_of_chemin_de_fer_are_free_where_a_game_is(tmp_path: Path) -> None:
    (path := tmp_path / "modern.toml").write_text(text("D").replace("S S D D S S  *", "S S D D S S  S"))
    rules = load_rules(path)
    assert (rules.player, rules.banker) == (MODERN.player, MODERN.banker)
    fixed = load_rules(shipped("games")["punto-banco"])
    assert (fixed.player, fixed.banker) == (PUNTO_BANCO.player, PUNTO_BANCO.banker)


def test_edges_by_choice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = game_of(tmp_path, bets=("dragon-7",))
    worth, name = worth_of_choices(game, Shoe.decks(8)), str(tmp_path / "free.toml")
    for choice, moves in (
        ("draw", dict.fromkeys(CELLS, True)), ("stand", dict.fromkeys(CELLS, False)),
        ("best:dragon-7", worth.best("dragon-7").moves),
    ):  # fmt: skip
        assert main(["edges", name, "--bet", "player,dragon-7", "--choice", choice, "--format", "csv"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert [line.split(",")[-1] for line in lines[1:3]] == [
            str(worth.edge(bet, moves)) for bet in ("player", "dragon-7")
        ]
    assert main(["edges", name, "--bet", "dragon-7", "--choice", "each", "--format", "csv"]) == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()[1:]]
    said = {(choice, move): Fraction(exact) for _, choice, move, _, exact, _ in rows}
    assert said["Player's 5", "stand"] == worth.edge("dragon-7", {FIVE: False})
    assert said["both hands' choices", "best"] == worth.best("dragon-7").edge
    assert len(said) == 2 * len(CELLS) + 3


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["edges", "free.toml", "--choice", "hit"], "--choice 'hit': should be draw, stand, best:BET, as best"),
        (["edges", "free.toml", "--choice", "best:"], "--choice 'best:': should be draw, stand, best:BET"),
        (["edges", "free.toml", "--choice", "each", "--known", "P1=?"], "--choice each: cannot be used with a card"),
        (["edges", "punto-banco", "--choice", "draw"], "punto-banco: no hand has a choice, should be a game with the "),
        (["calculator", "free.toml"], "free: a hand may choose, and the calculator supports only fixed drawing rules"),
    ],
)  # fmt: skip
def test_what_a_choice_cannot_do_is_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], line: str
) -> None:
    game_of(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert error.startswith(f"counting: {line}")


@pytest.mark.usefixtures("few_weighted")
def test_figures_without_a_heading_say_how_choices_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game_of(tmp_path)
    monkeypatch.chdir(tmp_path)
    listed = {name: catalog()[name] for name in ("dragon-7", "panda-8")}  # pricing all bets takes long
    monkeypatch.setattr("counting.reports.catalog.catalog", lambda: listed)
    for words in (
        "census free.toml tie-8 --cards 6", "estimate free.toml tie-8 --cards 60 --samples 1000", "bets free.toml",
        "sweep free.toml --decks 1 --shoes 50 --bets tie-8 --out sweep", "summary sweep", "score sweep",
    ):  # fmt: skip
        assert main(words.split()) == 0
        note = "free (4 choices taken as the game's file says): A bettor who chooses the moves may win more."
        assert capsys.readouterr().err.splitlines().count(note) == 1, words


@pytest.mark.long
def test_counting_by_law_and_by_forms_on_any_choices(free: Game) -> None:
    rng = np.random.default_rng(8)
    shoes = np.array([rng.multivariate_hypergeometric(Shoe.decks(8).values, n) for n in (6, 9, 40, 200, 416)], np.int32)
    for _ in range(long_or(30, 1)):
        player = "".join(rng.choice(["D", "S", "*"], 8))
        rows = ["".join(rng.choice(["D", "S", "*"], 11)) for _ in range(8)]
        stars = "".join([player, *rows]).count("*")
        moves = "".join(rng.choice(["D", "S"], stars))
        tableau = Tableau.model_validate({"player": player, "banker": rows, "choices": moves})
        apart = counter(tableau, tableau.outcomes)
        by_forms = np.column_stack([apart.forms(shoes), all_deals(shoes)]) @ apart.of_class.T
        assert (joint_distribution(tableau).outcomes(shoes) == by_forms).all()
