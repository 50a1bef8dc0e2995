"""Bets, counts and burn rules are found by their titles on the pages, as games are."""

from pathlib import Path

import pytest

from counting import Dealing, InputError, Plan, Shoe, edges, exact_edges, load_game, load_system
from counting.bounds import house_of
from counting.requests import WatchArguments


def test_a_bet_is_found_by_its_title() -> None:
    game = load_game("ez-baccarat")
    spellings = {"Dragon 7": "dragon-7", "DRAGON-7": "dragon-7", "dragon 7, 40 to 1": "dragon-7", "Tie": "tie-8"}
    spellings |= {"Tiger Tie": "tiger-tie", "Super 6, 15 to 1": "super-6-15", "nothing such": "nothing such"}
    for text, name in spellings.items():
        assert game.bet_name(text) == name
    assert game.only(["Dragon 7", "dragon-7", "Tiger Pair"]).bet_names == ("dragon-7", "tiger-pair")
    assert Plan(game, Dealing(), 10, bets=["Dragon 7"]).bets == ("dragon-7",)
    assert edges(game, [[32] * 9 + [128]], "Dragon 7") == edges(game, [[32] * 9 + [128]], "dragon-7")
    assert [*exact_edges(game.only("Panda 8"), Shoe.decks(8))] == ["panda-8"]


def test_every_title_of_a_shipped_game_means_its_bet() -> None:
    for name in ("ez-baccarat", "louisiana", "no-commission", "punto-banco"):
        game = load_game(name)
        assert {bet.name: game.bet_name(bet.title or bet.name) for bet in game.bets} == {
            bet: bet for bet in game.bet_names
        }


def test_a_title_of_several_bets_names_them() -> None:
    with pytest.raises(InputError, match="bet 'Tie': may be tie-8 or tie-9, should be one of them"):
        load_game("punto-banco").only(["Tie"])
    with pytest.raises(InputError, match="may be seven-seven-40 or seven-seven-45"):
        load_game("louisiana").bet_name("7-7")


def test_house_rules_take_titles_and_keep_names(tmp_path: Path) -> None:
    rules = {"title": "T", "game": "EZ Baccarat", "side_bets": ["Dragon 7", "Panda 8"], "cut": 14, "burn": "First card"}
    house = house_of(rules, tmp_path / "r.toml")
    assert house.side_bets == ("dragon-7", "panda-8")
    assert (house.house.side_bets, house.house.burn) == (("dragon-7", "panda-8"), "first-card")


def test_counts_and_burned_cards_are_found_whatever_their_capitals() -> None:
    assert [load_system(name).name for name in ("Dragon 7", "dragon 7 level 2")] == ["dragon-7", "dragon-7-level-2"]
    assert [Dealing(burn=text).burn for text in ("None", "First card", "First-Card", "3 shown", "3")] == [
        "none", "first-card", "first-card", "3-shown", "3",
    ]  # fmt: skip
    with pytest.raises(InputError, match="burn: 'second card'"):
        Dealing(burn="second card")
    with pytest.raises(InputError, match="did you mean 'dragon-7'"):
        load_system("Dragon 77")


def test_a_game_without_main_bets_keeps_their_words() -> None:
    assert load_game("louisiana-stand-5").main_bet("banker") == "banker"


def test_a_watch_takes_titles() -> None:
    settings = WatchArguments(game="punto-banco", coups="-", also=["Dragon 7"], most_bet=["Dragon 7=100"]).settings
    assert settings.game.bet_names[-1] == "dragon-7"
    assert settings.most_bet == {"dragon-7": 100.0}
