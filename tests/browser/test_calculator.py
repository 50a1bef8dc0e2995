"""The calculator in a browser has the same integers as Python, and the same shoe whether it is tapped, typed or
pasted."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from browser.journeys import broken, called
from extent import long_or
from twins.other_logs import BY_RANK, BY_VALUE, SAME, Written, card_rows, frame, frames, states

from counting.cards import CARDS, DECK, RANKS, VALUE_OF_RANK, Shoe
from counting.cli import main
from counting.exact import price_shoe
from counting.games import Bet, Game, load_game
from counting.io.toml import shipped
from counting.logs import NO_CARD, PLACES, card_name, load_layout, read_log, shipped_layouts
from counting.reports.calculator import MOST_DECKS, calculator, page_data
from counting.simulation import Dealing, play
from counting.simulation.dealing import AFTER_CUT
from counting.systems import System, load_system

SHIPPED = ("punto-banco", "no-commission", "ez-baccarat", "louisiana", "louisiana-stand-5")
ON_CARDS = [
    "player-pair", "either-pair", "perfect-pair", "perfect-pairs-200", "fabulous-pair-player", "monkey", "grand-monkey",
    "high-tie-max", "bellagio-match-banker", "tiger-pair", "player-red", "majestic-match-banker",
    "fortune-4-pair-player", "lucky-8-player", "lucky-win-player", "perfect-9", "three-giving-8", "monkey-6",
]  # fmt: skip
TAGS = dict(zip((*RANKS[:9], "T"), (1, -1, 0, 2, 0, 0, -2, 0, 3, -1), strict=True))

# Clicks the cards of each coup, and returns what the page shows before each coup.
DEAL = """(shoe) => {
  const click = (card) => document.querySelector(`[data-card="${card}"]`).click();
  const shown = () => ({
    ...facts(page.state().before, page.prices()),
    edges: [...document.querySelectorAll("#bets .edge")].map((cell) => cell.textContent),
    running: [...document.querySelectorAll("#counts tr")].map((row) => row.cells[1].textContent),
    marks: [...document.querySelectorAll("#bets tr")].map((row) => [row.className, row.cells[2].textContent]),
    reached: [...document.querySelectorAll("#counts .mark")].map((cell) => cell.textContent === "▲ yes"),
  });
  const facts = (before, prices) => ({
    beyondCut: page.state().beyondCut, left: before.unseen.card, undealt: before.undealt, unseen: before.cards,
    exact: prices.prices.map((price) => `${price.numerator}/${price.denominator}`),
  });
  const rows = [];
  let taps = 0;
  for (const [i, coup] of shoe.entries()) {
    if (i > 0) rows.push(shown());
    for (const card of coup) {
      click(card);
      if (++taps % 5 === 0) {
        document.querySelector(".tap:enabled:not(.word)").click();
        document.getElementById("undo").click();
      }
    }
  }
  rows.push(shown());
  return rows;
}"""
PRICE = """(rows) => rows.map(([game, unseen]) => {
  const { deals, prices } = pricing.price(games[game], unseen);
  return [String(deals), prices.map((price) => price && [
    price.counts.map(String), String(price.numerator), String(price.denominator)])];
})"""


def opened(window: Any, folder: Path, html: str) -> Any:
    (folder / "calc.html").write_text(html)
    window.goto((folder / "calc.html").as_uri())
    return window


def unseen_of(cards: Sequence[int]) -> dict[str, list[int]]:
    shoe = Shoe.from_cards(cards)
    return {"card": [*shoe.counts], "rank": [*shoe.ranks], "value": [*shoe.values]}


def random_shoes(number: int, decks: int, seed: int) -> list[list[int]]:
    """Random parts of a full shoe, as counts of each card. Their sizes are random, from six cards up."""
    random = np.random.default_rng(seed)
    sizes = random.integers(6, DECK * decks + 1, number)
    return [random.multivariate_hypergeometric([decks] * DECK, size).tolist() for size in sizes]


def priced(game: Game, cards: Sequence[int]) -> list[Any]:
    """The same values as from `PRICE`, worked out in Python."""
    priced_shoe = price_shoe(game, Shoe.from_cards(cards))
    bets = []
    for bet in game.bets:
        edge = priced_shoe.edges[bet.name]
        lines = [str(priced_shoe.counts[event]) for event, _ in game.settlement[bet.name]]
        bets.append([lines, str(edge.numerator), str(edge.denominator)])
    return [str(priced_shoe.total), bets]


def test_its_integers_are_pythons_on_a_thousand_shoes(window: Any, tmp_path: Path) -> None:
    games = {name: load_game(name) for name in SHIPPED}
    games["on-cards"] = load_game("punto-banco").only(ON_CARDS)
    text = shipped("games")["punto-banco"].read_text()
    for whose in ("player", "banker", "both"):
        path = tmp_path / f"drawn-on-{whose}.toml"
        path.write_text(text.replace("[tableau]", f'[tableau]\ndrawn_on = "{whose}"'))
        games[path.stem] = load_game(path)
    opened(window, tmp_path, calculator(games["punto-banco"], Dealing()))
    data = {name: page_data(game, Dealing(), ()) for name, game in games.items()}
    window.evaluate("(data) => { globalThis.games = data; }", data)
    rows = [
        (name, cards)
        for seed, name in enumerate(games)
        for decks in (6, 8)
        for cards in random_shoes(long_or(800, 92) if name in SHIPPED else long_or(400, 40), decks, seed)
    ]
    one_card = [[455 if i == card else 0 for i in range(DECK)] for card in range(0, DECK, 4)]
    rows += [(name, cards) for name in games for cards in (*one_card, [9] * 39 + [8] * 13)]
    rows += [("louisiana", [8] * DECK), ("on-cards", [8] * DECK), ("on-cards", [6] * DECK)]
    assert len(rows) > 1000
    answers = called(window, PRICE, [[name, unseen_of(cards)] for name, cards in rows])
    for (name, cards), page in zip(rows, answers, strict=True):
        assert page == priced(games[name], cards), (name, cards)


def counter(**how: Any) -> System:
    given: dict[str, Any] = {"title": "a count", "source": "here", "count": "true", "trigger": 0.25, "tags": TAGS}
    return System(**{"name": "mine", **given, **how})


SYSTEMS = (
    *map(load_system, ("dragon-7", "dragon-7-unbalanced", "88-89-98-99", "tie-8-level-2")),
    counter(title="undealt", per="undealt", estimate="half", rounding="down", start=-7),
    counter(title="whole", estimate="whole", start="to-zero", trigger=-0.125),
    counter(title="both ends", trigger=2.5, distance_from=-1),
    counter(title="ranks", tags={**TAGS, **dict.fromkeys(("10", "J", "Q"), 1), "K": -3, "T": None}),
    counter(title="suits", tags={"s": 1, "h": -2, "d": 0, "c": 2}),
)


DEALT = [("ez-baccarat", Dealing(8, 14, "first-card")), ("on-cards", Dealing(6, 32, after_cut=(2, 2)))]


def cards_of(shoe: Any, burned: bool) -> list[list[str]]:
    """The cards of a shoe as they are shown: the first card if it is burned, then the cards of each coup."""
    dealt = [[CARDS[card] for card in row[5 : 5 + row[2] + row[3]]] for row in shoe.shown.tolist()]
    first = [CARDS[card] for card in np.flatnonzero(shoe.left[0] < shoe.left[0].max())]
    return [first, *dealt] if burned else [[], *dealt]


@pytest.mark.parametrize(("name", "dealing"), DEALT)
def test_a_shoe_dealt_by_taps_has_the_edges_and_counts_of_the_sweep(
    name: str, dealing: Dealing, window: Any, tmp_path: Path
) -> None:
    on_cards = load_game("punto-banco").only(["tie-8", "perfect-pair", "monkey", "lucky-8-player"])
    game = load_game(name) if name in SHIPPED else on_cards
    opened(window, tmp_path, calculator(game, dealing, SYSTEMS))
    window.set_checked("#by-suit", True)
    shoe = play(game.tableau, dealing, 5, 3, 1, "card")
    rows = called(window, DEAL, cards_of(shoe, dealing.burn == "first-card"))
    assert len(rows) == len(shoe.left) + 1 > 50
    assert [row["beyondCut"] for row in rows] == [False] * len(shoe.left) + [True]
    for k, row in enumerate(rows[:-1]):
        left = shoe.left[k]
        assert (row["left"], row["undealt"], row["unseen"]) == (left.tolist(), int(shoe.undealt[k]), int(left.sum()))
        edges = price_shoe(game, Shoe.from_cards(left.tolist())).edges
        assert [Fraction(exact) for exact in row["exact"]] == [edges[bet] for bet in game.bet_names]
        shown = [float(text.replace("−", "-").rstrip("%")) for text in row["edges"]]
        assert shown == pytest.approx([100 * float(edges[bet]) for bet in game.bet_names], abs=0.0005001)
        assert row["marks"] == [["positive", "▲ positive"] if edges[bet] > 0 else ["", ""] for bet in game.bet_names]
        assert counts_shown(row) == counts_in_python(left, row["unseen"], row["undealt"], dealing.decks)

    assert name != "ez-baccarat" or any(["positive", "▲ positive"] in row["marks"] for row in rows)


def counts_shown(row: Any) -> list[tuple[int, bool]]:
    running = [int(text.replace("−", "-")) for text in row["running"]]
    return list(zip(running, row["reached"], strict=True))


def counts_in_python(left: Any, unseen: int, undealt: int, decks: int) -> list[tuple[int, bool]]:
    """The running count and whether the trigger is reached, for each trigger of each system."""
    counts = []
    for system in SYSTEMS:
        running = system.running(left[np.newaxis], decks)
        reached = int(system.reached(running, np.array([unseen]), np.array([undealt]))[0])
        triggers = system.trigger.values() if isinstance(system.trigger, dict) else [system.trigger]
        counts += [(int(running[0]), reached > system.scored.index(trigger)) for trigger in triggers]
    return counts


FOLLOW = """([settings, burned, coups]) => {
  const game = {...page.game};
  const events = [...burned];
  const states = [];
  for (const coup of [...coups, []]) {
    const { beyondCut, undealt, before, over, inProgress } = shoe.follow(game, settings, events);
    states.push([beyondCut || over, undealt, before.undealt, before.cards, inProgress]);
    events.push(...coup);
  }
  return states;
}"""


def test_the_cut_card_ends_a_shoe_where_the_sweep_ends_it(window: Any, tmp_path: Path) -> None:
    game = load_game("punto-banco")
    opened(window, tmp_path, calculator(game, Dealing()))
    burns = ("none", "first-card", "3", "5-shown")
    for seed, after_cut in product(range(long_or(100, 12)), AFTER_CUT):
        dealing = Dealing(1 + seed % 8, 14 + 3 * seed % 28, burns[seed % 4], after_cut)
        if seed % 5 == 4:  # the cut card is the first card
            dealing = replace(dealing, cut=dealing.least_undealt)
        shoe = play(game.tableau, dealing, seed, 0, 1, "card")
        full = np.full(DECK, dealing.decks) - shoe.left[0]
        burned = [CARDS[card] for card in np.repeat(np.arange(DECK), full)]
        settings = {"decks": dealing.decks, "cut": dealing.cut, "burn": dealing.burn, "after_cut": after_cut}
        states = called(window, FOLLOW, [settings, burned, cards_of(shoe, False)[1:]])
        undealt, unseen = shoe.undealt.tolist(), shoe.left.sum(axis=1).tolist()
        assert states[:-1] == [[False, u, u, n, False] for u, n in zip(undealt, unseen, strict=True)]
        assert states[-1][0]


READ = """([listed, decks, before]) =>
  listed.map((system) => before.map((one) => counts.read(system, decks, one)))"""


def test_every_way_to_divide_a_count_is_pythons(window: Any, tmp_path: Path) -> None:
    game = load_game("punto-banco")
    opened(window, tmp_path, calculator(game, Dealing()))
    triggers = {f"at-{i}": at for i, at in enumerate((-3.5, -1.3, -0.125, 0.0, 0.25, 1.0, 2.75, 6.0))}
    systems = [
        counter(per=per, estimate=estimate, rounding=rounding, start=start, trigger=triggers)
        for per in ("unseen", "undealt")
        for estimate in ("exact", "whole", "half", "quarter")
        for rounding in ("nearest", "down")
        for start in (0, -7, "to-zero")
    ] + [counter(count="running", start=start, trigger=triggers) for start in (0, 5, "to-zero")]
    apart = {bet: abs(at) for bet, at in triggers.items()}
    systems += [
        counter(count=count, trigger=apart, distance_from=centre)
        for count in ("true", "running")
        for centre in (0, -2.5, 1.333)
    ]
    listed = page_data(game, Dealing(), systems)["systems"]
    left = np.array(random_shoes(long_or(300, 30), 6, 8), np.int32)
    unseen = left.sum(axis=1, dtype=np.int64)
    undealt = unseen - np.minimum(np.arange(len(left)) % 12, unseen - 6)
    before = [
        {"unseen": unseen_of(cards), "cards": n, "undealt": u}
        for cards, n, u in zip(left.tolist(), unseen.tolist(), undealt.tolist(), strict=True)
    ]
    for system, counts in zip(systems, called(window, READ, [listed, 6, before]), strict=True):
        running, divisor = system.running(left, 6), system.divisor(unseen, undealt)
        assert [[count["running"], count["divisor"]] for count in counts] == np.stack([running, divisor], 1).tolist()
        reached, places = (
            system.reached(running, unseen, undealt),
            [system.scored.index(at) for at in system.trigger.values()],
        )
        assert [count["reached"] for count in counts] == (reached[:, np.newaxis] > places).tolist()
        if system.count == "true":
            hundredths = 100 * DECK * running.astype(np.int64) // divisor
            assert [count["value"] for count in counts] == (hundredths / 100).tolist()


def test_sums_that_doubles_do_not_hold_are_exact(window: Any, tmp_path: Path) -> None:
    """If each weight is multiplied by 2^40 + 1, so is each count, exactly."""
    game = load_game("punto-banco").only(["lucky-8-player", "perfect-pairs-200", "high-tie-max"])
    opened(window, tmp_path, calculator(game, Dealing()))
    times = 2**40 + 1
    scaled = """(times) => ({...page.game, bets: page.game.bets.map((bet) => ({...bet, hands: {...bet.hands,
      by_value: {...bet.hands.by_value, weight: bet.hands.by_value.weight.map((weight) => weight * times)}}}))})"""
    found = window.evaluate(
        f"""([unseen, times]) => [page.game, ({scaled})(times)].map((game) =>
        pricing.price(game, unseen).prices.map((price) => price.counts.map(String)))""",
        [unseen_of([8] * DECK), times],
    )
    assert [[str(int(n) * times) for n in bet] for bet in found[0]] == found[1]


def log_of(shoe: Any, names: Sequence[str]) -> str:
    """A shoe as the lines of a log, with these names for the cards."""
    lines = ["table,shoe,coup,player,banker,winner,burn"]
    for coup, row in enumerate(shoe.shown.tolist(), 1):
        cards = [names[card] for card in row[5 : 5 + row[2] + row[3]]]
        player = [cards[0], cards[2], *cards[4 : 4 + row[2] - 2]]
        banker = [cards[1], cards[3], *cards[2 + row[2] :]]
        lines.append(f"12,7,{coup},{' '.join(player)},{' '.join(banker)},,")
    return "\n".join(lines)


PASTE = """([text, isNew]) => {
  const at = (id) => document.getElementById(id);
  if (isNew) at("new-shoe").click();
  at("lines").value = text;
  at("read").click();
  return at("read-message").textContent;
}"""
STATE = "() => JSON.stringify([page.state().coups, page.state().before, page.state().exposed])"
EXACT = "page.prices().prices.map((price) => price && `${price.numerator}/${price.denominator}`)"
UNICODE = [f"{card[:-1]}{'♠♥♦♣'['shdc'.index(card[-1])]}" for card in CARDS]
SUIT_FIRST = [card[-1].upper() + "." + card[:-1] for card in CARDS]


@pytest.fixture(scope="module")
def calculator_page(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A calculator page of punto banco's main bets, into which several tests paste logs."""
    page = chromium.new_page()
    game = load_game("punto-banco").only(["player", "banker-5", "tie-8"])
    yield opened(page, tmp_path_factory.mktemp("calculator"), calculator(game, Dealing()))
    page.close()


def pasted(window: Any, text: str, new: bool = True) -> str:
    """What the page says about a pasted text. By default, the text begins a new shoe."""
    return str(window.evaluate(PASTE, [text, new]))


def test_a_pasted_log_gives_the_shoe_that_was_tapped_and_prints_lines_to_paste(window: Any, tmp_path: Path) -> None:
    game = load_game("louisiana")
    shoe = play(game.tableau, Dealing(), 5, 9, 1, "card").only(slice(0, 30))
    opened(window, tmp_path, calculator(game, Dealing()))
    window.set_checked("#by-suit", True)
    window.evaluate(DEAL, cards_of(shoe, False))
    tapped = window.evaluate(STATE)
    for text in (log_of(shoe, CARDS), log_of(shoe, UNICODE).replace(",", ";"), window.input_value("#print")):
        assert pasted(window, text).startswith("30 coups read. Layout coups, fields separated by ")
        assert window.evaluate(STATE) == tapped
    first, second = log_of(shoe, SUIT_FIRST).split("\n12,7,13,")
    assert pasted(window, first).startswith("12 coups read.")
    says = (
        "18 coups read. No column names, read as table,shoe,coup,player,banker,winner,burn, fields separated by "
        "commas, "
    )
    assert pasted(window, "12,7,13," + second, new=False).startswith(says + "cards as ")
    assert window.evaluate(STATE) == tapped
    (tmp_path / "printed.csv").write_text(window.input_value("#print"))
    coups = read_log(tmp_path / "printed.csv", tableau=game.tableau).coups
    assert [[card_name(c) for c in row if c != NO_CARD] for row in coups.select(PLACES).rows()] == [
        coup["player"] + coup["banker"] for coup in window.evaluate("page.state().coups")
    ]
    assert coups["winner"].to_list() == [coup["winner"] for coup in window.evaluate("page.state().coups")]


def test_burned_and_exposed_cards_are_read_and_printed(window: Any, tmp_path: Path) -> None:
    opened(window, tmp_path, calculator(load_game("punto-banco"), Dealing(burn="first-card")))
    text = "12,7,1,9h Kd,3s 4c,P,8d ? ?\n12,7,2,8h Kd,3s 4c,P,2c ?"
    assert pasted(window, text).startswith("2 coups read.")
    state = window.evaluate("({undealt: page.state().undealt, cards: page.state().before.cards})")
    assert state == {"undealt": 416 - 8 - 5, "cards": 416 - 8 - 2}
    printed = window.input_value("#print")
    assert printed.endswith("1,9h Kd,3s 4c,player,8d ? ?\npunto-banco,1,2,8h Kd,3s 4c,player,2c ?\n")
    assert pasted(window, printed).startswith("2 coups read.")
    assert window.input_value("#print") == printed


HEAD = "table,shoe,coup,player,banker,winner,burn\n"
ONE = "No coup was taken. Layout coups, fields separated by commas, cards as "
BAD = [
    ("", "line 1: no coup, should be a coup as table,shoe,coup,player,banker,winner,burn or player,banker or a column"),
    (HEAD, "line 1: no coup, should be a coup as"),
    ("nonsense", "line 1: cards: nonsense, should be cards as 9h or h9, 9, K, 0 (a ten or face)"),
    ("id,cards_seen,time,note", "line 1: 4 fields, should be a coup as"),
    (HEAD + "1,1,1,9h Zd,3s 4c,,", "line 2: player: Zd, should be cards as 9h or h9, 9, K, 0 (a ten or face)\n" + ONE),
    (HEAD + "\n1,1,1,9h ?,3s 4c,,", "line 3: player: 9h ?, should be cards that were seen"),
    (HEAD + "1,1,1,9h,3s 4c,,", "line 2: player: 9h, should be two or three cards"),
    (HEAD + "1,1,1,9h Kd,3s 4c,P", "line 2: 6 fields, should be 7: table,shoe,coup,player,banker,winner,burn"),
    (HEAD + "1,1,2,9h Kd,3s 4c,,", "line 2: coup 2, should be 1: every coup of the shoe is needed, in order\n" + ONE),
    (HEAD + "1,1,1,9h Kd,3s 4c,,\n1,2,1,9h Kd,3s 4c,,", "line 3: table 1, shoe 2: should be one shoe, as the lines"),
    (HEAD + "1,1,1,9h Kd,3s 4c,house,", "line 2: winner: house, should be player, banker or tie"),
    (HEAD + "1,1,x,9h Kd,3s 4c,,", "line 2: coup x, should be a number from 1"),
    ('9h Kd,"3s 4c', "line 1: a quote is not closed"),
    ("player,banker,player\n9h Kd,3s 4c,9h Kd", "line 1: column player: occurs twice, should occur once"),
    ("\n".join(["9s Ks,9s Qd"] * 5), "line 5: card 9s: none is left in a shoe of 8 decks\nNo coup was taken."),
    ("\n".join([HEAD.strip() + ",event", "1,1,1,9h Kd,3s 4c,,,undo"]), "line 2: event: undo, should be empty"),
    ("p1,p2,p3,b1,b2,b3\n9h Kd,2c,,3s,4c,", "line 2: player_1: 9h Kd, should be one card"),
    ("cards,player_total\n9h Kd 3s 4c 2h,15", "line 2: player_total: 15, should be 0 to 9"),
    (
        "shoe,seq,cards\n1,0,9 9 0 0 9",
        "line 2: cards: 9 9 0 0 9, which hand has the fifth card is not clear without the totals",
    ),
    ("109,87\n98,76", "line 1: player: 109, should be cards with a gap between: 10 is one card or two"),
    ("coup,player,banker\n21:05,98,76\n21:04,98,76", "line 3: coup 21:04, should not be earlier than the line before"),
    ('{"player": "9h Kd", "banker": "3s 4c"}\n{"player"', "line 2: not JSON, should be a record in braces"),
]


def test_every_line_that_cannot_be_read_is_named_and_then_no_coup_is_taken(window: Any, tmp_path: Path) -> None:
    opened(window, tmp_path, calculator(load_game("punto-banco"), Dealing()))
    for text, says in BAD:
        assert pasted(window, text).startswith(says), text
        assert window.evaluate("page.state().coups.length") == 0
    rows = ["9h Kd,3s 4c", "9h Zd,3s 4c", "9h Kd,3s", "9h,3s 4c", "9h,3s 4c", "8h Kd,3s 4c"]
    assert pasted(window, "\n".join(rows)).split("\n") == [
        "line 2: player: Zd, should be cards as 9h or h9, 9, K, 0 (a ten or face)",
        *(f"line{line}: {hand}, should be two or three cards, cards as 9h or h9, 9, K, 0 (a ten or face)"
          for line, hand in ((" 3", "banker: 3s"), (" 4 to 5", "player: 9h"))),
        "No coup was taken. No column names, read as player,banker, fields separated by commas, cards as 9h.",
    ]  # fmt: skip
    for text, says in (
        ("9h Kd,3s 4c 2d", "Coup 1 was not dealt by the drawing rules."),
        (HEAD + "1,1,1,9h Kd,3s 4c,banker,", "Coup 1: the winner is banker in the log, but player by the cards."),
        ("coup,player,banker,player_total,note\n9001,9h Kd,3s 4c,7,",
         "Columns not used: note. The log numbers its coups from 9001. They are read as coups from 1. "
         "Coup 1: Player's total is 7 in the log, but 9 by the cards."),
    ):  # fmt: skip
        answer = pasted(window, text)
        assert answer.startswith("1 coup read. ")
        assert answer.endswith(says)
        assert window.evaluate("page.state().undealt") == 416 - len(re.findall(r"[a-z0-9]+[shdc]\b", text, re.I))


def states_of(folder: Path, coups: pl.DataFrame) -> Written:
    path = folder / "states.jsonl"
    path.write_text("\n".join(map(json.dumps, states(coups))))
    return path, None


def rows_of_cards(folder: Path, coups: pl.DataFrame) -> Written:
    """Write coups and cards as two CSV files, which are pasted together. Returns the file of coups and its layout."""
    path, layout = card_rows(folder, coups)
    for name in ("coups", "cards"):
        pl.read_parquet(path.parent / f"{name}.parquet").write_csv(path.parent / f"{name}.csv")
        (path.parent / f"{name}.parquet").unlink()
    return path.with_suffix(".csv"), layout


def text_of(path: Path) -> str:
    """A log as text, followed by its table of cards if it has one."""
    cards = path.with_name("cards.csv")
    return path.read_text("utf-8") + (cards.read_text("utf-8") if cards.exists() else "")


LOGS = {
    name: SAME[name]
    for name in (
        "own", "semicolons", "tabs", "bars", "json", "json lines", "suit first", "symbols", "symbols last",
        "unicode cards", "joined", "plus between", "json in csv", "ten as T", "ten as 0", "numbers and suits",
        "a column a card", "dots", "chinese", "korean", "coups from 0",
    )
} | {name: writer for name, writer in (BY_VALUE | BY_RANK).items() if name != "archive"} | {
    "frames": frames, "card rows": rows_of_cards, "states": states_of,
}  # fmt: skip
HANDS = "page.state().coups.map(({ player, banker, winner }) => [player, banker, winner])"


def by_values(hands: Any) -> list[list[int]]:
    return [[0 if card == "0" else VALUE_OF_RANK[RANKS.index(card.rstrip("shdc"))] for card in hand] for hand in hands]


def test_the_lines_of_other_layouts_are_read_as_python_reads_them(window: Any, tmp_path: Path) -> None:
    game = load_game("punto-banco")
    shoe = play(game.tableau, Dealing(), 5, 9, 1, "card").only(slice(0, long_or(90, 30)))
    (tmp_path / "log.csv").write_text(log_of(shoe, CARDS))
    coups = read_log(tmp_path / "log.csv", tableau=game.tableau).coups
    rows = pl.read_csv(tmp_path / "log.csv", schema_overrides={"table": pl.String, "shoe": pl.String}).drop("burn")
    rows = rows.with_columns(winner=pl.Series(winners_of(coups)))
    opened(window, tmp_path, calculator(game, Dealing()))
    for name, writer in LOGS.items():
        path, layout = writer(tmp_path, rows)
        answer = pasted(window, text_of(path))
        assert answer.startswith(f"{rows.height} coups read. Layout "), (name, answer)
        given = {} if layout is None else {"layout": load_layout(layout)}
        read = read_log(path, tableau=game.tableau, **given).coups
        cards = [[card_name(c) for c in row] for row in read.select(PLACES).rows()]
        shown = window.evaluate(HANDS)
        for places, (player, banker, winner), row in zip(cards, shown, rows.to_dicts(), strict=True):
            hands = [[card for card in places[at : at + 3] if card != "?"] for at in (0, 3)]
            assert by_values([player, banker]) == by_values(hands), name
            if name != "values side by side":
                assert [player, banker] == hands, name
            assert winner == row["winner"]


def winners_of(coups: pl.DataFrame) -> list[str]:
    totals = [[sum(VALUE_OF_RANK[RANKS.index(card_name(c)[:-1])] for c in row[at : at + 3] if c != NO_CARD) % 10
               for at in (0, 3)] for row in coups.select(PLACES).rows()]  # fmt: skip
    return ["player" if p > b else "banker" if b > p else "tie" for p, b in totals]


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("9h Kd,3s 4c", "No column names, read as player,banker, fields separated by commas, cards as 9h."),
        ("9h,Kd;3s,4c", "No column names, read as player,banker, fields separated by semicolons, cards as 9h."),
        (
            "9h Kd\t3s 4c\tBanker wins",
            "No column names, read as player,banker,winner, fields separated by tabs, cards as 9h.",
        ),
        ("♥9 ♦K | ♠3 ♣4", "No column names, read as player,banker, fields separated by bars, cards as ♥9."),
        ("🂹🃎;🂣🃔", "No column names, read as player,banker, fields separated by semicolons, cards as 🂹🃎."),
        ("9h,Kd,,3s,4c,", "read as player_1,player_2,player_3,banker_1,banker_2,banker_3, fields separated by commas,"),
        ("9;10;0;3;4;0", "banker_3, fields separated by semicolons, cards by value, 0 or 10 for a ten or face."),
        ("9 13;3 4", "read as player,banker, fields separated by semicolons, ranks as numbers, 11 for a jack."),
        ("9h 3s Kd 4c", "No column names, read as cards, cards as 9h."),
        ("P1;P2;P3;B1;B2;B3\n9;13;;3;4;", "Layout card-columns, fields separated by semicolons, ranks as numbers"),
        ("shoe_id,seq,cards\n1,0,9 0 3 4", "Layout camera-archive, fields separated by commas, cards by value"),
        ('[{"id": 7001, "player": ["9h", "Kd"], "banker": ["3s", "4c"]}]', "Layout card-objects, JSON, cards as 9h."),
        ("靴;局;闲;庄;结果\n1;1;9♥ K♦;3♠ 4♣;闲赢", "Layout chinese, fields separated by semicolons, cards as 9♥."),
        (
            "table;round;pk;winner\n1;1;H.9,S.3,D.13,C.4,,;P",
            "Layout live-dealer-dots, fields separated by semicolons, cards",
        ),
        (
            "table\tcards.0\tcards.2\tcards.1\tcards.3\n1\t22\t26\t3\t4",
            "Layout result-codes, fields separated by tabs, codes",
        ),
    ],
)
def test_one_coup_is_read_in_any_layout_and_the_layout_is_named(
    text: str, how: str, calculator_page: Any, tmp_path: Path
) -> None:
    answer = pasted(calculator_page, text)
    assert answer.startswith("1 coup read. ")
    assert how in answer
    player, banker, winner = calculator_page.evaluate(HANDS)[0]
    assert ([*by_values([player, banker])], winner) == ([[9, 0], [3, 4]], "player")


def hexed(*frames: bytes) -> str:
    return "".join(f"{each.hex(' ')}\n" for each in frames)


FRAMED = "\n".join([
    *(frame(at, "I", place, card).hex(" ") for at, (place, card) in
      enumerate([(0x81, 0xA9), (0x91, 0x93), (0x82, 0xBD), (0x92, 0xC4)])),
    "{}" + frame(4, "G", 0x90).hex(" "),
])  # fmt: skip
RANKS_ALONE = [["9", "K"], ["3", "4"]]
COUPS = "id,table,shoe,coup,winner\n7,1,1,1,P\n"
CARDS_OF = "coup_id,hand,place,rank,suit\n7,P,2,K,d\n7,player,1,9,h\n7,banker,1,3,s\n7,B,2,4,c\n"


def state(clock: str, out: int, player: str, banker: str, **more: Any) -> str:
    hands = {f"{name}Hand": {"cards": cards.split()} for name, cards in (("player", player), ("banker", banker))}
    game = {"gameNumber": clock, "result": {"winner": more.get("winner")}, "gameData": hands}
    return json.dumps({"args": {"tableId": more.get("table", "5"), "currentGame": game, "shoeCardsOut": out}})


DEALT_OUT = "9h Kd", "3s 4c"
STATES = [state("23:59:40", 0, "", ""), state("23:59:40", 2, "9h", "3s"), state("23:59:40", 4, *DEALT_OUT, winner="P")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (FRAMED.format(""), "Layout electronic-shoe, frames in hex, cards as 9."),
        (FRAMED.format("").replace("\n", " "), "frames in hex"),
        (FRAMED.format("").replace(" ", "").upper(), "frames in hex"),
        (FRAMED.format("") + "\n" + hexed(frame(5, "I", 0x81, 0xA9)),
         "Cards after the last result belong to no coup and are left out."),
        (FRAMED.format(hexed(frame(6, "R"), frame(7, "E", 9), frame(8, "i", 0x81, 0x91))),
         "Coup 1: the shoe reported card returned, error 09."),
        (COUPS + CARDS_OF, "Layout card-rows, fields separated by commas, cards in a table of their own, cards as 9h. "
                           "Columns not used: id."),
        (CARDS_OF + "\n" + COUPS, "cards in a table of their own"),
        (COUPS.replace(",", ";") + CARDS_OF.replace("7,", "7.0,"), "fields separated by semicolons, cards in a table"),
        (COUPS + CARDS_OF + "8,banker,2,4,c\n8,banker,1,4,c", "Columns not used: id. Cards of 1 other coup left out."),
        ("\n".join(json.dumps(row) for row in (
            {"id": 7, "table": 1, "shoe": 1, "coup": 1, "winner": "P"},
            *({"coup_id": 7, "hand": hand, "place": at, "rank": card[:-1], "suit": card[-1]}
              for hand, cards in zip("PB", DEALT_OUT, strict=True) for at, card in enumerate(cards.split(), 1)),
        )), "Layout card-rows, JSON, cards in a table of their own"),
        ("\n".join(STATES), "Layout live-dealer-states, JSON, cards as 9h. 1 state without cards in both hands left "
                            "out. Coups are numbered by a clock"),
        (f"[{','.join(STATES)}]", "Layout live-dealer-states, JSON"),
    ],
)  # fmt: skip
def test_frames_rows_of_cards_and_states_are_read_as_one_coup(text: str, says: str, calculator_page: Any) -> None:
    answer = pasted(calculator_page, text)
    assert answer.startswith("1 coup read. Layout ")
    assert says in answer
    hands = RANKS_ALONE if "frames" in answer else [["9h", "Kd"], ["3s", "4c"]]
    assert calculator_page.evaluate(HANDS) == [[*hands, "player"]]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("05 0\n" + FRAMED.format(""), "line 1: not bytes in hex"),
        (FRAMED.format("05 30 49 91\n"), "line 5: not a frame: 05, digit, letter, data, 03, two check digits"),
        (FRAMED.format(hexed(frame(9, "I", 0x81, 0xFF))), "line 6: player: ? K, should be cards that were seen"),
        (frame(4, "G", 0x90).hex(" "), "line 1: player: nothing, should be two or three cards"),
        (CARDS_OF, "line 1: cards alone, should be with the table of their coups above or below, which has"),
        (COUPS + CARDS_OF.replace("B", "house"), "line 7: hand: house, should be player or banker"),
        (COUPS + CARDS_OF.replace("B,2", "B,x"), "line 7: place: x, should be a number"),
        (COUPS + CARDS_OF.replace("B,2", "B,1"), "line 7: coup 7: two cards at place 1 of banker"),
        (COUPS + CARDS_OF.replace("4,c", "4"), "line 7: 4 fields, should be 5: coup_id,hand,place,rank,suit"),
        (COUPS + "8,1,1,2,P\n" + CARDS_OF, "line 3: player: nothing, should be two or three cards"),
        (COUPS + CARDS_OF.replace("K,d", ","), "line 2: player: 9h ?, should be cards that were seen"),
        ("\n".join([*STATES, state("00:00:10", 2, "9h", "3s")]), "line 4: player: 9H, should be two or three cards"),
        ("\n".join([*STATES, state("00:00:10", 3, *DEALT_OUT)]), "line 4: table 5, shoe 2: should be one shoe"),
        ("\n".join([*STATES, state("00:00:10", 8, *DEALT_OUT, table="6")]), "line 4: table 6, shoe 1: should be one"),
        ("\n".join([state("new", 0, *DEALT_OUT), *STATES]), "line 1: coup new, should be a time as 21:04:30"),
        ("\n".join([*STATES, STATES[2].replace("4}", '"x"}')]), "line 4: shoe: x, should be a whole number"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_frames_rows_of_cards_and_states_is_named(
    text: str, says: str, calculator_page: Any
) -> None:
    answer = pasted(calculator_page, text)
    assert answer.lower().startswith(says.lower())
    assert calculator_page.evaluate("page.state().coups.length") == 0


def test_states_through_midnight_are_read_as_python_reads_them(calculator_page: Any, tmp_path: Path) -> None:
    """Each coup has several states. In the first log the clock is a time alone, in the second a date with a time, and
    in the third seconds."""
    hands = ["9h Kd|3s 4c", "8h Qd|2s 3c", "7c 7d 6h|6s 6c"]
    for clocks in (
        ["23:59:10", "23:59:50", "00:00:30"],
        ["2026-03-01 23:59:10", "2026-03-02 00:00:01", "2026-03-02T00:01"],
        ["1772405950", "1772405990", "1772406030"],
    ):
        lines = [
            state(clock, 6 * at + part, " ".join(player.split()[:part]), " ".join(banker.split()[:part]))
            for at, (clock, (player, banker)) in enumerate(zip(clocks, (h.split("|") for h in hands), strict=True))
            for part in (1, 2, 3)
        ]
        (tmp_path / "states.jsonl").write_text("\n".join(lines))
        answer = pasted(calculator_page, "\n".join(lines))
        assert answer.startswith("3 coups read. Layout live-dealer-states, JSON"), answer
        coups = read_log(tmp_path / "states.jsonl").coups
        cards = [[card_name(c) for c in row if c != NO_CARD] for row in coups.select(PLACES).rows()]
        assert cards == [player + banker for player, banker, _ in calculator_page.evaluate(HANDS)]
        assert cards == [hand.replace("|", " ").split() for hand in hands]


def test_every_shipped_layout_can_be_pasted(calculator_page: Any) -> None:
    names = calculator_page.evaluate("page.game.layouts.map(({ name }) => name)")
    assert names == ["coups", *shipped_layouts()]


def test_no_shoe_has_more_of_a_card_than_its_decks(window: Any, tmp_path: Path) -> None:
    opened(window, tmp_path, calculator(load_game("punto-banco"), Dealing(1, 0)))
    window.evaluate("for (let i = 0; i < 4; i++) document.querySelector('[data-card=\"9\"]').click()")
    assert window.is_disabled("[data-card='9']")
    window.focus("body")
    window.keyboard.press("9")
    assert window.inner_text("#message") == "card 9: none is left in a shoe of 1 deck"
    window.evaluate("for (let i = 0; i < 16; i++) document.querySelector('[data-card=\"0\"]').click()")
    assert all(window.is_disabled(f"[data-card='{rank}']") for rank in ("0", "10", "J", "Q", "K"))
    window.evaluate("document.getElementById('settings').open = true")
    window.fill("#cut", "53")
    window.keyboard.press("Tab")
    assert window.inner_text("#settings-message") == "cut: 53, should be 0 to 52 cards"
    assert window.input_value("#cut") == "0"
    for values, says in (([8] * 10, ""), ([-1, *[9] * 9], "counts should be whole"), ([46] * 10, "shoe of 460 cards")):
        assert says in window.evaluate("(values) => pricing.refusal(values, page.game.most_cards)", values)
    refused = window.evaluate(
        "() => { try { pricing.price(page.game, {value: Array(10).fill(46)}); } catch (e) { return e.message; } }"
    )
    assert refused == "shoe of 460 cards: should be 6 to 455, which doubles count exactly"


def test_fewer_decks_than_the_cards_that_were_seen_are_refused(window: Any, tmp_path: Path) -> None:
    opened(window, tmp_path, calculator(load_game("punto-banco"), Dealing()))
    assert pasted(window, "9s Ks,9s Qd\n9s Ks,9s Qd").startswith("2 coups read.")
    window.evaluate("document.getElementById('settings').open = true")
    window.select_option("#decks", "1")
    assert window.inner_text("#settings-message") == "card 9s: none is left in a shoe of 1 deck"
    assert window.input_value("#decks") == "8"
    window.select_option("#decks", "6")
    edges = price_shoe("punto-banco", Shoe.decks(6).without("9s Ks 9s Qd 9s Ks 9s Qd")).edges
    assert [Fraction(exact) for exact in window.evaluate(EXACT)] == [*edges.values()]


def test_keys_deal_cards_and_take_them_back(window: Any, tmp_path: Path) -> None:
    opened(window, tmp_path, calculator(load_game("punto-banco"), Dealing()))
    hands = """() => {
      const { coups, hands } = page.state();
      return [...coups, hands].map((coup) => [coup.player, coup.banker]);
    }"""
    for key in "a20jqk9":
        window.keyboard.press(key)
    assert window.evaluate(hands) == [[["A", "10", "Q"], ["2", "J", "K"]], [["9"], []]]
    for _ in range(3):
        window.keyboard.press("Backspace")
    assert window.evaluate(hands) == [[["A", "10"], ["2", "J"]]]
    window.keyboard.press("f")
    assert window.evaluate("page.state().hands.player") == ["A", "10", "0"]
    window.set_checked("#by-suit", True)
    window.focus("#undo")
    for key in ("7", "Escape", "8", "h"):
        window.keyboard.press(key)
    assert window.evaluate("page.state().coups.length") == 1
    assert window.evaluate("page.state().coups[0].banker") == ["2", "J", "8h"]
    window.focus("#lines")
    window.keyboard.press("9")
    window.keyboard.press("Backspace")
    assert window.evaluate("page.state().coups.length") == 1


def test_a_card_without_rank_or_suit_leaves_the_bets_that_need_it_unpriced(window: Any, tmp_path: Path) -> None:
    game = load_game("punto-banco").only(["player", "player-pair", "perfect-pair"])
    opened(window, tmp_path, calculator(game, Dealing(), (SYSTEMS[-1],)))
    rows = "[...document.querySelectorAll('#bets tr, #counts tr')].map((row) => row.textContent)"
    window.click("[data-card='9h']")
    assert not any("needs" in row for row in window.evaluate(rows))
    pasted(window, "9 Kd,3s 4c")
    assert ["every card's suit" in row for row in window.evaluate(rows)] == [False, False, True, False]
    pasted(window, "9h 0,3s 4c")
    says = [row.split("needs ")[-1] for row in window.evaluate(rows)]
    assert says[1:3] == ["every card's rank", "every card's suit"]
    assert "needs ranks" in window.evaluate(rows)[3]
    edge = price_shoe(game.only(["player"]), Shoe.decks(8).without("9 K 3 4")).edges["player"]
    assert Fraction(window.evaluate(EXACT)[0]) == edge


NINES = Bet.of("nines", {"tie player_total=9": "12.5% of meter", "tie": "push"}, meter=500)
PAIRS = Bet.of("two-pairs", {"perfect_pairs=2": "meter", "pairs=2": "10% of meter", "pairs=1": "1:1"}, meter=90)


def test_a_progressive_bet_is_priced_at_the_meter_that_is_typed(window: Any, tmp_path: Path) -> None:
    base = load_game("punto-banco").only(["banker-5", "tie-8"])
    game = base.with_bets(NINES, PAIRS)
    opened(window, tmp_path, calculator(game, Dealing()))
    seen = "9h Kd,3s 4c\n5c 5s 2h,7h Qd"
    pasted(window, seen)
    shoe = Shoe.decks(8).without(seen.replace(",", " "))

    def edges(nines: Bet, pairs: Bet = PAIRS) -> list[Fraction]:
        return [*price_shoe(base.with_bets(nines, pairs), shoe).edges.values()]

    assert window.get_by_label("Meter of").count() == 2
    assert [Fraction(text) for text in window.evaluate(EXACT)] == edges(NINES)
    for typed, meter in (("777", 777), ("12,345", 12_345), ("1", 1), ("999999", 999_999)):
        window.fill("#meter-nines", typed)
        window.keyboard.press("Tab")
        assert [Fraction(text) for text in window.evaluate(EXACT)] == edges(NINES.at_meter(meter))
        assert f"(meter {meter})" in window.inner_text("#bets")
        assert window.input_value("#meter-nines") == str(meter)
    window.reload()
    assert [Fraction(text) for text in window.evaluate(EXACT)] == edges(NINES.at_meter(999_999))
    for typed in ("0", "1000000", "1.5", "12,34", "x", ""):
        window.fill("#meter-nines", typed)
        window.keyboard.press("Tab")
        says = f"meter: {typed or 'nothing'}, should be a whole number of units of the stake, 1 to 999,999"
        assert window.inner_text("#meters-message") == says
        assert window.input_value("#meter-nines") == "999999"
    window.fill("#meter-two-pairs", "15")
    window.keyboard.press("Tab")
    assert [Fraction(text) for text in window.evaluate(EXACT)] == edges(NINES.at_meter(999_999), PAIRS.at_meter(15))
    window.click("#undo")
    window.fill("#meter-nines", "60")
    window.keyboard.press("Tab")
    window.click("#undo")
    assert [Fraction(text) for text in window.evaluate(EXACT)] == edges(NINES.at_meter(999_999))


def test_anyone_can_read_and_work_it_wide_and_on_a_phone(window: Any, tmp_path: Path) -> None:
    game = load_game("louisiana").also(["perfect-pair"]).with_bets(NINES)
    opened(window, tmp_path, calculator(game, Dealing(), SYSTEMS))
    shoe = play(game.tableau, Dealing(), 5, 9, 1, "card").only(slice(0, 40))
    assert pasted(window, log_of(shoe, CARDS)).startswith("40 coups read.")
    window.click("[data-card='7h']")
    window.set_checked("#exact", True)
    window.evaluate("document.getElementById('settings').open = true")
    for width, scheme in ((1200, "light"), (400, "dark")):
        window.set_viewport_size({"width": width, "height": 900})
        window.emulate_media(color_scheme=scheme)
        assert window.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
        assert broken(window) == []


def test_one_may_look_back_at_any_coup_and_reload_the_page(window: Any, tmp_path: Path) -> None:
    game = load_game("ez-baccarat")
    opened(window, tmp_path, calculator(game, Dealing()))
    shoe = play(game.tableau, Dealing(), 5, 9, 1, "card").only(slice(0, 9))
    pasted(window, log_of(shoe, CARDS))
    edges = "[...document.querySelectorAll('#bets .edge')].map((cell) => cell.title.replaceAll('\u202f', ''))"
    coming = window.evaluate(edges)
    assert len(window.query_selector_all("#look option")) == 10
    window.select_option("#look", "5")
    left = price_shoe(game, Shoe.from_cards(shoe.left[4].tolist())).edges
    assert [Fraction(text.replace(" ", "").replace("−", "-")) for text in window.evaluate(edges)] == [*left.values()]
    window.wait_for_timeout(1000)  # a busy Chromium saves a window's storage a moment later
    window.reload()
    assert window.evaluate("page.state().coups.length") == 9
    assert window.evaluate(edges) == coming


def test_it_asks_for_nothing_from_a_network(window: Any, tmp_path: Path) -> None:
    asked: list[str] = []
    window.on("request", lambda request: asked.append(request.url))
    html = calculator(load_game("ez-baccarat"), Dealing())
    opened(window, tmp_path, html)
    pasted(window, "9h Kd,3s 4c")
    assert asked == [(tmp_path / "calc.html").as_uri()]
    assert "default-src 'none'" in html
    assert not re.search(r"(src|href)=|url\(|@import|\bfetch\(|XMLHttpRequest|WebSocket", html)


def test_the_command_writes_the_page(window: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "calc.html"
    assert main(["calculator", "ez-baccarat", "--cut", "26", "--decks", "6", "--out", str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"{path}: EZ Baccarat, 5 bets, 6 decks, no burn cards, 26 cards behind")
    window.goto(path.as_uri())
    window.set_viewport_size({"width": 400, "height": 900})
    assert window.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert window.inner_text("#dealing") == "6 decks, burn none, 26 cards behind the cut card"
    assert MOST_DECKS == 8
