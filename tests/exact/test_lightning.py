"""Lightning multipliers: expected products, compared with every draw of lightning cards and every deal of small
shoes."""

import random
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import comb

import pytest
from extent import long_or

from counting import InputError, Shoe, exact_edges, load_game
from counting.exact import Lightning, LightningBet, lightning_prices
from counting.games import Game
from counting.verify import reference

PUNTO = load_game("punto-banco")
LOUISIANA = load_game("louisiana")
FEW = Lightning.of({1: "1/2", 2: "1/3", 3: "1/6"}, {2: "3/5", 5: "3/10", 8: "1/10"})
FIVE = Lightning.of({1: "0.3", 2: "0.3", 3: "0.2", 5: "0.2"}, {2: "1/2", 3: "1/4", 8: "1/4"}, "1/5")
BETS = {
    "player": LightningBet.of("player", 1), "banker": LightningBet.of("banker", "19/20"),
    "banker-returned": LightningBet.of("banker", 1, "1/20"), "tie": LightningBet.of("tie", 5),
    "player-pair": LightningBet.of("player-pair", 9), "banker-pair": LightningBet.of("banker-pair", 9),
}  # fmt: skip


def by_every_draw(lightning: Lightning, pattern: tuple[int, ...], power: int) -> Fraction:
    """The expected product of a hand's multipliers, raised to `power`. Every set of lightning cards is drawn, and each
    drawn card in the hand gets every multiplier. The hand's cards are 0, 1 ..., and `pattern` states how often each
    occurs."""
    total = Fraction()
    for number, chance in lightning.cards:
        draws = Counter(
            tuple(k for card, k in enumerate(pattern) if card in drawn) for drawn in combinations(range(52), number)
        )
        for of_hand, ways in draws.items():
            for some in product(lightning.multipliers, repeat=len(of_hand)):
                worth = chance * ways / comb(52, number)
                for (multiplier, likely), k in zip(some, of_hand, strict=True):
                    worth *= likely * multiplier ** (k * power)
                total += worth
    return total


@pytest.mark.parametrize("pattern", [(1,), (2,), (1, 1), (3,), (2, 1), (1, 1, 1), (2, 2, 1, 1)])
def test_the_expected_multiplier_is_that_of_every_draw(pattern: tuple[int, ...]) -> None:
    lightning = Lightning.of({1: "1/2", 2: "1/2"}, dict(FEW.multipliers)) if len(pattern) > 2 else FEW
    assert lightning.expected(pattern) == by_every_draw(lightning, pattern, 1)
    assert lightning.expected(pattern, 2) == by_every_draw(lightning, pattern, 2)


@lru_cache
def expected(lightning: Lightning, times: tuple[int, ...], power: int) -> Fraction:
    """The expected product for a hand in which the different cards occur these numbers of `times`, summed over which of
    them are drawn as lightning cards."""
    total = Fraction()
    for number, chance in lightning.cards:
        for size in range(min(number, len(times)) + 1):
            for drawn in combinations(times, size):
                worth = chance * Fraction(comb(52 - len(times), number - size), comb(52, number))
                for k in drawn:
                    worth *= sum(p * m ** (k * power) for m, p in lightning.multipliers)
                total += worth
    return total


def by_every_deal(game: Game, shoe: Shoe, lightning: Lightning) -> dict[str, tuple[Fraction, Fraction]]:
    """For each bet: the expected profit, and the expected square of the profit, from every deal of six cards."""
    alike: Counter[tuple[str, str, tuple[int, ...] | None]] = (
        Counter()
    )  # by bet, winner, and how often each card of the paid hand occurs
    hands = reference.every_deal(shoe, game)
    for (player, banker), ways in hands.items():
        totals = [sum(min(card // 4 + 1, 10) for card in hand) % 10 for hand in (player, banker)]
        winner = "player" if totals[0] > totals[1] else "banker" if totals[0] < totals[1] else "tie"
        winning = {"player": player, "banker": banker, "tie": player + banker}[winner]
        for name, bet in BETS.items():
            cards: tuple[int, ...] | None = winning if bet.on == winner else None
            if bet.on.endswith("pair"):
                first = (player if bet.on == "player-pair" else banker)[:2]
                cards = first if first[0] // 4 == first[1] // 4 else None
            alike[name, winner, cards and tuple(sorted(Counter(cards).values()))] += ways
    sums = {name: [Fraction(), Fraction()] for name in BETS}
    for (name, winner, times), ways in alike.items():
        bet = BETS[name]
        fixed = -lightning.fee - (
            bet.commission if times else 0 if winner == "tie" and bet.on in ("player", "banker") else 1
        )
        mean, square = (expected(lightning, times, power) if times else Fraction() for power in (1, 2))
        sums[name][0] += ways * (bet.odds * mean + fixed)
        sums[name][1] += ways * (bet.odds**2 * square + 2 * bet.odds * mean * fixed + fixed**2)
    total = sum(hands.values())
    return {name: (mean / total, square / total) for name, (mean, square) in sums.items()}


@pytest.mark.parametrize("game", [PUNTO, LOUISIANA], ids=["punto-banco", "louisiana"])
def test_prices_are_those_of_every_deal(game: Game) -> None:
    rng = random.Random(52)
    for i in range(long_or(4, 2)):
        counts = [0] * 52
        for card in rng.sample(range(52), 3) if i else [0, 1, 48]:  # first two aces and a king, for many ties
            counts[card] = rng.randint(2, 4)
        counts[33] += 1
        shoe = Shoe.from_cards(counts)
        prices = lightning_prices(game, shoe, FIVE, BETS)
        assert {name: (price.edge, price.square) for name, price in prices.items()} == by_every_deal(game, shoe, FIVE)


@pytest.mark.long
def test_without_multipliers_a_bet_has_its_usual_edge_less_the_fee() -> None:
    for shoe in (Shoe.decks(8), Shoe.parse("6d-9h-9h-Kd-As-2c")):
        for plain in (Lightning.of({0: 1}, {8: 1}), Lightning.of({4: 1}, {1: 1})):
            prices = lightning_prices("punto-banco", shoe, plain, {**BETS, "tie": LightningBet.of("tie", 8)})
            usual = exact_edges("punto-banco", shoe, bets=["player", "banker-5", "tie-8"])
            for name, bet in (
                ("player", "player"),
                ("banker", "banker-5"),
                ("banker-returned", "banker-5"),
                ("tie", "tie-8"),
            ):
                assert prices[name].edge == usual[bet] - Fraction(1, 5)
                assert prices[name].returned == 1 + (usual[bet] - Fraction(1, 5)) / Fraction(6, 5)


def test_every_card_drawn_with_one_multiplier_multiplies_by_it_a_card() -> None:
    # If all 52 cards are drawn with a multiplier of 2, a hand of n cards pays 2^n times the odds. This is true only if
    # equal cards count separately.
    every = Lightning((((52, Fraction(1))),), ((2, Fraction(1)),), Fraction())
    for pattern in ((2,), (1, 1), (2, 1), (3,), (2, 2, 1, 1), (6,)):
        assert every.expected(pattern) == 2 ** sum(pattern)
        assert every.expected(pattern, 2) == 4 ** sum(pattern)


def test_a_fraction_of_a_multiplier_more_is_never_worse() -> None:
    shoe = Shoe.decks(8)
    more = Lightning.of(dict(FIVE.cards), {2: "1/2", 3: "1/4", 8: "1/8", 9: "1/8"})
    low, high = (lightning_prices(PUNTO, shoe, table, BETS) for table in (FIVE, more))
    assert all(low[name].edge < high[name].edge and low[name].square < high[name].square for name in BETS)


@pytest.mark.long
def test_the_printed_returns_agree_if_banker_commission_is_of_the_stake() -> None:
    # Printed returns: Banker 98.59% (a house edge of 1.41%), and Player 98.76% or, with two digits exchanged, 98.67%.
    # The chances of cards and multipliers are not published, so random chances are tried. In each case, the share of
    # coups with lightning cards, and of multipliers above 2, is set so that Banker's return is the printed one. Then
    # Player's return follows.
    shoe, rng = Shoe.decks(8), random.Random(9859)
    on_player: dict[str, list[float]] = {"banker": [], "banker-returned": []}
    for _ in range(5):
        of_number, high = [rng.randint(1, 9) for _ in range(5)], [rng.randint(1, 9) for _ in range(4)]
        number = {n: Fraction(w, sum(of_number)) for n, w in enumerate(of_number, 1)}

        def law(share: Fraction, number: dict[int, Fraction] = number, high: list[int] = high) -> Lightning:
            multipliers = {m: share * Fraction(w, sum(high)) for m, w in zip((3, 4, 5, 8), high, strict=True)}
            return Lightning.of(
                {0: 1 - share, **{n: share * p for n, p in number.items()}}, {2: 1 - share, **multipliers}
            )

        for name, returns in on_player.items():
            bets = {name: BETS[name], "player": BETS["player"]}

            def off(share: Fraction, name: str = name, bets: dict[str, LightningBet] = bets) -> Fraction:
                return lightning_prices(PUNTO, shoe, law(share), bets)[name].returned - Fraction("0.9859")

            # Find the share at which Banker's return is the printed one, by the secant method. The return rises with
            # the share.
            last, share = Fraction(0), Fraction(1)
            off_last, off_here = off(last), off(share)
            if not off_last <= 0 <= off_here:
                continue
            for _ in range(12):
                if abs(off_here) >= Fraction(1, 10**6):
                    following = share - off_here * (share - last) / (off_here - off_last)
                    last, off_last, share = share, off_here, following.limit_denominator(10**9)
                    off_here = off(share)
            assert abs(off_here) < Fraction(1, 10**6)
            returns.append(float(lightning_prices(PUNTO, shoe, law(share), bets)["player"].returned))
    assert len(on_player["banker-returned"]) >= 3
    assert all(0.987 < returned < 0.9885 for returned in on_player["banker-returned"])
    assert all(returned > 0.995 for returned in on_player["banker"])


@pytest.mark.parametrize(
    ("cards", "multipliers", "fee", "mistake"),
    [
        ({1: "1/2"}, {2: 1}, 0, "cards: chances add up to 1/2, should add up to 1"),
        ({1: 1}, {}, 0, "multipliers: {}, should be chances by number"),
        ({11: 1}, {2: 1}, 0, "cards: 11, should be a whole number from 0 to 10"),
        ({1: 1}, {0: 1}, 0, "multipliers: 0, should be a whole number from 1 to 1000"),
        ({1: 2, 2: -1}, {2: 1}, 0, "cards, 2: -1, should be 0 or more"),
        ({1: "half"}, {2: 1}, 0, "cards, 1: 'half', should be a fraction"),
        ({1: 1}, {2: 1}, 2, "fee: 2, should be from 0 to 1"),
    ],
)
def test_mistakes_have_one_line(cards: dict[int, str], multipliers: dict[int, str], fee: int, mistake: str) -> None:
    with pytest.raises(InputError) as error:
        Lightning.of(cards, multipliers, fee)
    assert str(error.value).startswith(mistake)


def test_a_shoe_known_by_value_and_an_unknown_bet_are_refused() -> None:
    with pytest.raises(InputError, match="multipliers need a shoe known by card"):
        lightning_prices("punto-banco", Shoe.parse("v:8,2,2,2,2,2,2,2,2,2"), FIVE, BETS)
    with pytest.raises(InputError, match="on: 'dragon', should be one of player"):
        LightningBet.of("dragon", 1)  # type: ignore[arg-type]
