"""A row for every coup: each figure again from the cards, one coup after another."""

import polars as pl
import pytest

from counting import Dealing, Shoe, exact_edges, load_game
from counting.logs import Log, card_name, read_log
from counting.review import UnseenCards, best_shoe, every_coup
from counting.review.synthetic import Flat, deal, log_frames
from counting.systems import counts_for

EZ = load_game("ez-baccarat")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    folder = tmp_path_factory.mktemp("log")
    coups, bets = log_frames(
        deal(EZ, Dealing(burn="first-card"), 5, 0, 2),
        {"Ann": Flat("player", 25), "Bo": Flat("dragon-7", 10, 0.3)},
        EZ,
        1,
    )
    coups.with_columns(player=pl.when(pl.col("coup") == 60).then(pl.lit("? ?")).otherwise("player")).write_csv(
        folder / "coups.csv"
    )
    bets.write_csv(folder / "bets.csv")
    return read_log(folder / "coups.csv", folder / "bets.csv")


def test_every_coup(log: Log) -> None:
    table = every_coup(log, EZ, 8)
    assert table.height == log.coups.height
    systems = {system.name: system for bet in EZ.bet_names for system in counts_for(bet)}
    assert {name.removeprefix("count_") for name in table.columns if name.startswith("count_")} == set(systems)
    shoe, name = Shoe.decks(8), None
    for i, row in enumerate(table.to_dicts()):
        if row["shoe"] != name:
            name = row["shoe"]
            shoe = Shoe.decks(8).without([card_name(log.coups["burn"][i][0])])
        assert row["cards_left"] == shoe.cards_left
        assert tuple(row[f"left_{value}"] for value in range(10)) == shoe.values
        if i % 17 == 0:
            priced = exact_edges(EZ, shoe)
            for bet in EZ.bet_names:
                assert row[f"edge_{bet}"] == pytest.approx(float(priced[bet]), abs=1e-15)
        for system in systems.values():
            if system.knows == "value":
                seen = [full - left for full, left in zip(Shoe.decks(8).values, shoe.values, strict=True)]
                start = 0 if system.start == "to-zero" else int(system.start)
                count = start + sum(tag * n for tag, n in zip(system.by_value, seen, strict=True))
                if system.start != "to-zero":
                    assert row[f"count_{system.name}"] == count
        assert row["staked"] == pytest.approx(sum(stake["amount"] for stake in row["stakes"]))
        for stake in row["stakes"]:
            bet = EZ.main_bet(stake["bet"])
            assert stake["expected"] == pytest.approx(stake["amount"] * row[f"edge_{bet}"])
        shoe = shoe.without([card for card in f"{row['player']} {row['banker']}".split() if card != "?"])
    stakes = table.select("stakes").explode("stakes").drop_nulls().unnest("stakes")
    assert stakes["amount"].sum() == log.bets["amount"].sum() / 100
    assert stakes.height == log.bets.height


def test_the_shoe_of_a_patron(log: Log) -> None:
    unseen = UnseenCards(log, 8)
    table = every_coup(log, EZ, 8)
    name, shoe, coups = best_shoe(log, unseen, EZ, "Bo", "dragon-7")
    worth = {}
    for row in table.to_dicts():
        staked = sum(stake["amount"] for stake in row["stakes"] if stake["patron"] == "Bo")
        key = row["table"], row["shoe"]
        worth[key] = worth.get(key, 0.0) + staked * row["edge_dragon-7"]
    assert (name, shoe) == max(worth, key=lambda key: worth[key])
    of_shoe = table.filter(shoe=shoe)
    assert coups["edge"].to_list() == of_shoe["edge_dragon-7"].to_list()
    assert coups["coup"].to_list() == of_shoe["coup"].to_list()
