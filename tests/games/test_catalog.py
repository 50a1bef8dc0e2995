"""Each bet of the catalog has a source, reproduces its printed house edge, and fits any game that shows what it
needs."""

import re
from collections import Counter
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from counting import InputError, Shoe, exact_edges, load_game
from counting.exact import price_shoe
from counting.games import Game, catalog, catalog_families
from counting.games.hands import atoms
from counting.io.toml import read_toml, shipped

PUNTO = load_game("punto-banco")
PRINTED = {name: found for name, bet in catalog().items() if (found := re.search(r"house edge ([\d.]+)%", bet.source))}

NOBODY_DRAWS = """
title = "Nobody draws"
source = "made up"
decks = 8
bets = [{ name = "tie", pays = [{ winner = "tie", odds = "8:1" }] }]
[tableau]
player = "SSSSSSSS"
banker = [STILL]
""".replace("STILL", ", ".join(['"SSSSSSSSSSS"'] * 8))


def test_every_bet_of_the_issue_is_there() -> None:
    names = set(catalog())
    families = {
        "dragon-7", "panda-8", "any-natural", "small", "big", "cards-4", "cards-5", "cards-6", "player-three-cards",
        "banker-three-cards", "super-6", "super-6-15", "lucky-6", "lucky-6-23", "small-tiger", "big-tiger", "tiger-tie",
        "ox-6", "9-over-7", "natural-9-over-8", "88-89-98-99", "player-pair", "banker-pair", "either-pair",
        "perfect-pair", "perfect-pairs-200", "player-suited", "banker-suited",
    }  # fmt: skip
    hands = ("player", "banker")
    families |= {f"dragon-bonus-{hand}{table}" for hand in hands for table in ("", "-20", "-30-4")}
    families |= {f"egalite-{total}" for total in range(10)}
    families |= {f"egalite-group-{group}" for group in ("0", "1-3", "4-5", "6-7", "8-9")}
    families |= {f"{hand}-wins-{total}" for hand in hands for total in range(1, 10) if (hand, total) != ("banker", 6)}
    families |= {f"{hand}-natural-{total}" for hand in hands for total in (8, 9)}
    assert families <= names


def test_every_bet_has_a_title_and_a_source_and_a_name_of_its_own() -> None:
    listed = [bet["name"] for path in shipped("games/catalog").values() for bet in read_toml(path)["bets"]]
    assert Counter(listed) == Counter(list(catalog()))
    titles = Counter(bet.title for bet in catalog().values())
    assert set(titles.values()) == {1}
    assert all(bet.title and bet.source for bet in catalog().values())


@cache
def edges() -> dict[str, Fraction]:
    return exact_edges(PUNTO.also(catalog()), Shoe.decks(8))


def edge(bet: str) -> Decimal:
    fraction = -100 * edges()[bet]
    return Decimal(fraction.numerator) / fraction.denominator


@pytest.mark.parametrize("name", PRINTED)
def test_the_house_edge_that_the_source_prints(name: str) -> None:
    printed = Decimal(PRINTED[name][1])
    assert edge(name).quantize(printed, ROUND_HALF_UP) == printed


def test_most_bets_have_a_printed_edge() -> None:
    assert len(PRINTED) >= 95


def test_lucky_bonus_is_a_bet_for_the_bettor() -> None:
    assert f"{edge('lucky-bonus'):.4f}" == "-2.3411"
    both = -(10 * edges()["banker-half-on-6"] + edges()["lucky-bonus"]) / 11  # 1 unit on the bonus, 10 on Banker
    assert f"{float(100 * both):.4f}" == "1.1127"


# Hit frequency in percent and standard deviation, as Jacobson prints them.
JACOBSON = [
    ("dragon-7", "2.2534", "6.0849"),  # Card Counting the Dragon/Fortune 7 Baccarat Side Bet
    ("big-tiger", "1.662", "6.519"),  # Card Counting the Big Tiger, 2024
]


@pytest.mark.parametrize(("name", "hits", "deviation"), JACOBSON)
def test_the_hit_frequency_and_standard_deviation_that_the_source_prints(name: str, hits: str, deviation: str) -> None:
    priced = price_shoe(PUNTO, Shoe.decks(8), bets=[name])
    places = [len(figure.partition(".")[2]) for figure in (hits, deviation)]
    assert f"{float(100 * priced.hit_frequencies[name]):.{places[0]}f}" == hits
    assert f"{priced.standard_deviations[name]:.{places[1]}f}" == deviation


def test_a_push_is_no_hit() -> None:
    priced = price_shoe(PUNTO, Shoe.decks(8), bets=["dragon-bonus-player"])
    pays = priced.game.settlement["dragon-bonus-player"]
    assert priced.hit_frequencies["dragon-bonus-player"] == sum(priced.probabilities[e] for e, pay in pays if pay > 0)
    assert 0 in {pay for _, pay in pays}


def test_every_bet_is_in_one_family_and_the_readme_counts_them() -> None:
    families = catalog_families()
    assert [name for bets in families.values() for name in bets] == list(catalog())
    assert sorted(families) == sorted(path.stem for path in shipped("games/catalog").values())
    documents = Path(__file__).parents[2] / "docs"
    assert f": {len(catalog())} by family" in (documents / "reference" / "questions.md").read_text()
    first_report = (documents / "tutorials" / "01-first-report.md").read_text()
    assert f"catalog has {len(catalog())} bets by family" in first_report


def test_names_of_events_agree_throughout_the_catalog() -> None:
    together = PUNTO.also(catalog())
    assert [bet for bet in together.bets if bet.name in catalog()] == list(catalog().values())


def test_a_games_own_names_for_events_stand(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(
        'title = "Mine"\nsource = "mine"\ndecks = 8\ntableau = "punto-banco"\n[[bets]]\nname = "dragon"\n'
        'pays = [{ winner = "banker", banker_total = 7, banker_cards = 3, odds = "39:1", event = "drago" }]\n'
        '[[bets]]\nname = "other"\npays = [{ winner = "tie", player_total = 0, odds = "8:1", event = "panda-8" }]\n'
    )
    game = load_game(mine).also(["dragon-7", "panda-8"])
    assert game.settlement["dragon-7"][0][0] == "drago"
    assert game.settlement["panda-8"][0][0] == "player-win-player-8-player-cards-3"
    assert (
        exact_edges(game, Shoe.decks(8))["dragon-7"] == exact_edges(PUNTO.only(["dragon-7"]), Shoe.decks(8))["dragon-7"]
    )


def test_a_bet_goes_with_a_game_that_shows_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "still.toml").write_text(NOBODY_DRAWS)
    still = load_game(tmp_path / "still.toml")
    assert exact_edges(still.only(["player-pair", "cards-4"]), Shoe.decks(8))["cards-4"] == 1.5
    with pytest.raises(InputError, match=r"bet 'dragon-7': still: pays 1: no coup meets this line"):
        still.also(["dragon-7"])
    with pytest.raises(InputError, match=r"bet 'dragn-7': .*; the catalog has no such bet; did you mean 'dragon-7'\?"):
        PUNTO.only(["dragn-7"])


def test_only_and_also_keep_what_they_should() -> None:
    assert PUNTO.only(["tie-8", "panda-8", "tie-8"]).bet_names == ("tie-8", "panda-8")
    assert PUNTO.also(["panda-8", "tie-8"]).bet_names == (*PUNTO.bet_names, "panda-8")
    assert PUNTO.also(["tie-8"]) is PUNTO
    game = PUNTO.also(catalog())
    assert Game.from_dict(game.to_dict()) == game


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ('[[bets]]\nname = "panda-9"', r"bets 1 \(panda-9\): has no pays and is no bet of the catalog .*'panda-8'\?"),
        (
            '[[bets]]\nname = "x"\npays = [{ player_pair = 1, odds = "8:1" }]',
            "player_pair = 1: should be true or false",
        ),
        ('[[bets]]\nname = "x"\npays = [{ pairs = 3, odds = "8:1" }]', "pairs = 3: should be 0 to 2"),
        (
            '[[bets]]\nname = "x"\npays = [{ pairs = 0, player_pair = true, odds = "8:1" }]',
            "pays 1: no coup meets this line",
        ),
    ],
)
def test_a_mistaken_bet_says_what_is_allowed(tmp_path: Path, lines: str, says: str) -> None:
    (tmp_path / "x.toml").write_text(f'title = "X"\nsource = "x"\ndecks = 8\ntableau = "punto-banco"\n{lines}\n')
    with pytest.raises(InputError, match=says):
        load_game(tmp_path / "x.toml")


@pytest.mark.parametrize("given", ['"punto-bank"', "7", "[1]"])
def test_a_tableau_is_written_out_or_a_shipped_games(tmp_path: Path, given: str) -> None:
    (tmp_path / "x.toml").write_text(
        f'title = "X"\nsource = "x"\ndecks = 8\nbets = [{{ name = "big" }}]\ntableau = {given}\n'
    )
    with pytest.raises(
        InputError, match=r"tableau = .* should be a table with player and banker, or the name of a shipped"
    ):
        load_game(tmp_path / "x.toml")


@pytest.mark.parametrize("key", ["player_height", "height"])
def test_a_condition_that_nothing_is_written_for_is_named(key: str) -> None:
    with pytest.raises(NotImplementedError, match=f"^condition '{key}': what it looks at is not written here"):
        atoms(key, (1,))
