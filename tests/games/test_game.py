"""Games as data: the rule sheets, and the mistakes a file can have."""

import pickle
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from extent import long_or, one_of_each

from counting import Bet, Dealing, InputError, Plan, load_game
from counting.cli import main
from counting.games import STOOD, Game, Line, Outcome, catalog, catalog_families, unfit
from counting.io.toml import shipped

PUNTO = load_game("punto-banco")
LOUISIANA = load_game("louisiana")


def test_player_draws_to_five_and_stands_on_six_and_seven() -> None:
    assert PUNTO.tableau.player == (True,) * 6 + (False,) * 2


def test_banker_three_stands_on_an_eight() -> None:
    assert [third for third in range(10) if not PUNTO.tableau.banker[3][third]] == [8]


def test_banker_follows_players_rule_when_player_stood() -> None:
    assert [PUNTO.tableau.banker[total][STOOD] for total in range(8)] == list(PUNTO.tableau.player)


def test_banker_draws_by_the_one_line_formula() -> None:
    # Encyclopedia article, "Tableau of drawing rules": count 8 and 9 as -2 and -1, halve rounding towards
    # zero, add three; Banker draws on that total or less.
    for total, third in product(range(8), range(10)):
        counted = third - 10 if third >= 8 else third
        assert PUNTO.tableau.banker[total][third] == (total <= int(counted / 2) + 3)


def test_louisiana_banker_five_does_the_opposite_of_what_player_did() -> None:
    for game in (LOUISIANA, load_game("louisiana-stand-5")):
        assert game.tableau.banker[5] == (False,) * 10 + (True,)
        assert all(all(row) for row in game.tableau.banker[:5])
        assert not any(any(row) for row in game.tableau.banker[6:])


def test_stand_5_is_louisiana_with_player_standing_on_five_and_no_side_bet() -> None:
    game = load_game("louisiana-stand-5")
    assert [a != b for a, b in zip(game.tableau.player, LOUISIANA.tableau.player, strict=True)] == [
        total == 5 for total in range(8)
    ]
    assert game.bet_names == ("player",)


def test_shipped_bets() -> None:
    assert PUNTO.bet_names == ("player", "banker-5", "banker-4", "tie-8", "tie-9")
    side = [f"big-win-{hand}-{top}" for hand in ("player", "banker") for top in (25, 30, 35)]
    main = ["player", "banker", "banker-5", "banker-4", "tie-9", "seven-seven-40", "seven-seven-45"]
    assert list(LOUISIANA.bet_names) == main + side


def test_louisiana_banker_loses_on_seven_seven_and_pushes_on_other_ties() -> None:
    banker = LOUISIANA.bet("banker")
    assert banker.pay(Outcome(7, 7, 2, 2)) == -1
    assert banker.pay(Outcome(6, 6, 2, 2)) == 0
    assert banker.pay(Outcome(6, 7, 2, 2)) == 1
    assert LOUISIANA.bet("banker-5").pay(Outcome(7, 7, 2, 2)) == 0
    assert LOUISIANA.bet("banker-4").pay(Outcome(0, 7, 2, 2)) == Fraction(24, 25)


@pytest.mark.parametrize(
    ("outcome", "pay"),
    [
        (Outcome(9, 0, 2, 2), 1),  # a natural, not a win by nine
        (Outcome(9, 0, 3, 3), 30),
        (Outcome(9, 1, 3, 2), 10),
        (Outcome(7, 0, 2, 3), 5),
        (Outcome(7, 1, 2, 3), 3),
        (Outcome(5, 2, 3, 3), 1),
        (Outcome(4, 2, 3, 3), -1),
        (Outcome(9, 9, 2, 2), -1),  # a natural tie loses, as every tie does
        (Outcome(0, 9, 3, 3), -1),
    ],
)
def test_big_win_bonus(outcome: Outcome, pay: int) -> None:
    assert LOUISIANA.bet("big-win-player-30").pay(outcome) == pay
    swapped = Outcome(outcome.banker_total, outcome.player_total, outcome.banker_cards, outcome.player_cards)
    assert LOUISIANA.bet("big-win-banker-30").pay(swapped) == pay


def test_the_first_line_that_fits_pays() -> None:
    assert LOUISIANA.bet("banker").line(Outcome(7, 7, 3, 2)) == 1
    assert LOUISIANA.bet("banker").line(Outcome(9, 7, 3, 2)) is None


def test_every_event_can_happen_and_the_winners_share_out_the_outcomes() -> None:
    for name in shipped("games"):
        game = load_game(name)
        events = game.events
        assert all(events.values())
        assert list(events)[:3] == ["player-win", "banker-win", "tie"]
        assert sum(len(events[w]) for w in list(events)[:3]) == len(game.tableau.outcomes)


def test_a_name_given_to_an_event_is_kept(tmp_path: Path) -> None:
    # From its conditions, the earlier line would get the same name, but for another set of outcomes.
    lines = '{ winner = "player", natural = true, odds = "1:1" }, { winner = "player", margin = 9, odds = "9:1" }'
    other = (
        '[[bets]]\nname = "nine"\npays = [{ winner = "player", margin = 9, odds = "9:1", event = "player-win-by-9" }]\n'
    )
    text = changed('[{ winner = "tie", odds = "8:1" }]', f"[{lines}]") + other
    (tmp_path / "game.toml").write_text(text)
    game = load_game(tmp_path / "game.toml")
    assert game.settlement["nine"] == (("player-win-by-9", Fraction(9)),)
    assert game.settlement["tie-8"][1][0] == "player-win-by-9-2"


def test_a_game_survives_as_data() -> None:
    for name in shipped("games"):
        game = load_game(name)
        again = Game.from_dict(game.to_dict())
        assert again == game
        assert again.digest == game.digest


def test_what_is_sent_to_another_process_is_the_fields_alone() -> None:
    """The hash and other values that were worked out are not sent, because another process hashes words differently."""
    for bet in (*LOUISIANA.bets, Bet.of("nines", {"tie player_total=9": "10% of meter"}, meter=500)):
        assert hash(bet) == hash(bet.model_copy())
        assert bet.pay(LOUISIANA.tableau.outcomes[0]) is bet.pay(LOUISIANA.tableau.outcomes[0])
        assert set(bet.__getstate__()["__dict__"]) == set(Bet.model_fields)
        sent = pickle.loads(pickle.dumps(bet))
        assert sent == bet
        assert [line.pay for line in sent.pays] == [line.pay for line in bet.pays]
        assert {sent: 1}[bet] == 1


def test_a_shipped_game_is_read_once_and_a_users_own_each_time(tmp_path: Path) -> None:
    assert load_game("louisiana") is load_game("louisiana")
    own = tmp_path / "own.toml"
    own.write_text(changed("decks = 8", "decks = 6"))
    assert load_game(own).decks == 6
    own.write_text(changed("decks = 8", "decks = 4"))
    assert load_game(own).decks == 4


@pytest.mark.long
@pytest.mark.parametrize("name", shipped("games"))
def test_events_keep_their_names_when_all_bets_are_added(name: str) -> None:
    """The names of a game's own bets prevail; an event has one name, and a name one event."""
    game = load_game(name)
    more = game.also(bet for bet, offered in catalog().items() if not unfit(offered, game.tableau))
    own = [line.event for bet in game.bets for line in bet.pays if line.event]
    assert [more.events[event] for event in own] == [game.events[event] for event in own]
    assert len({*more.events.values()}) == len(more.events)
    one_by_one = game
    for bet in more.bet_names:
        one_by_one = one_by_one.also([bet])
    assert one_by_one.events == more.events
    assert one_by_one.digest == more.digest


def test_comments_and_layout_are_no_part_of_the_digest(tmp_path: Path) -> None:
    text = shipped("games")["punto-banco"].read_text()
    (tmp_path / "punto-banco.toml").write_text("# another comment\n" + text.replace('"D D D', '"DDD'))
    assert load_game(tmp_path / "punto-banco.toml").digest == PUNTO.digest
    (tmp_path / "punto-banco.toml").write_text(text.replace('"8:1"', '"9:1"', 1))
    assert load_game(tmp_path / "punto-banco.toml").digest != PUNTO.digest


@pytest.mark.usefixtures("few_weighted")
@pytest.mark.parametrize("decks", long_or([3, 4, 6], [3]))
def test_a_game_of_fewer_decks_by_default_is_dealt_from_them(
    decks: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "few.toml"
    file.write_text(changed("decks = 8", f"decks = {decks}"))
    assert load_game(file).dealt_from() == decks
    assert load_game(file).dealt_from(8) == 8
    texts = [
        "edges",
        "simulate --coups 200",
        "effects",
        "bets",
        "census --cards 6",
        "estimate --cards 12 --samples 1000",
    ]
    for text in texts:
        command, *options = text.split()
        bet = {"effects": ["player-pair"], "census": ["tie-8"], "estimate": ["tie-8"]}.get(command, [])
        printed = []
        for more in ([], ["--decks", str(decks)]):
            assert main([command, str(file), *bet, *options, *more]) == 0
            printed.append(capsys.readouterr().out)
        assert printed[0] == printed[1]
    assert Plan(load_game(file), Dealing(decks), 10).dealing.decks == decks


@pytest.mark.long
def test_numbers_of_decks_that_the_rules_do_not_allow_are_refused_with_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "few.toml").write_text(changed("decks = 8", "decks = 6\ndecks_allowed = [8, 6]"))
    game = load_game("few.toml")
    assert (game.decks, game.decks_allowed) == (6, (6, 8))
    assert Game.from_dict(game.to_dict()) == game
    assert game.digest != load_game("punto-banco").digest
    (tmp_path / "house.toml").write_text('title = "a"\ngame = "few.toml"\nside_bets = ["tie-8"]\ndecks = 7\ncut = 14\n')
    commands = [
        "edges few.toml", "effects few.toml tie-8", "simulate few.toml --coups 10", "bets few.toml", "export few.toml",
        "census few.toml tie-8 --cards 6", "estimate few.toml tie-8 --cards 12", "sweep few.toml --out s --shoes 10",
        "study few.toml --shoes 10", "vulnerability few.toml tie-8 --shoes 10", "watch few.toml --coups -",
        "audit few.toml --coups none.csv", "limits few.toml --bet tie-8 --shoes 10 --bound 1/shoe",
        "chemin own few.toml",
    ]  # fmt: skip
    line = "decks: 7, should be 6 or 8: few is dealt from no other number of decks"
    for command in commands:
        assert main([*command.split(), "--decks", "7"]) == 2, command
        assert capsys.readouterr().err == f"counting: {line}\n"
    assert main(["edges", "few.toml", "--shoe", "7d-A-K"]) == 2
    assert "decks: 7, should be 6 or 8" in capsys.readouterr().err
    assert main(["statement", "house.toml"]) == 2
    assert "house.toml: decks: 7, should be 6 or 8" in capsys.readouterr().err
    for unseen in ("--decks 8", "--shoe 8d-A", "--shoe v:9,1,1,1,1,1,1,1,1,1"):
        assert main(["edges", "few.toml", *unseen.split()]) == 0
    assert not [*tmp_path.glob("*-*")]


def changed(old: str, new: str) -> str:
    text = shipped("games")["punto-banco"].read_text()
    assert old in text
    return text.replace(old, new, 1)


MALFORMED = {
    "not-toml": ("title = ", "not TOML"),
    "empty": ("", "title: missing"),
    "no-source": (changed("source =", "# source ="), "source: missing"),
    "title-number": (changed('title = "Punto banco"', "title = 7"), "title = 7: should be a text"),
    "no-decks": (changed("decks = 8", ""), "decks: missing"),
    "half-a-deck": (changed("decks = 8", "decks = 0.5"), "decks = 0.5: should be a whole number from 1 to 27"),
    "too-many-decks": (changed("decks = 8", "decks = 28"), "decks = 28: should be a whole number from 1 to 27"),
    "decks-in-quotes": (changed("decks = 8", 'decks = "8"'), 'decks = "8": should be a whole number'),
    "unknown-key": (changed("decks = 8", "deck = 8"), "deck = 8: unknown key, .*did you mean 'decks'"),
    "player-seven-letters": (changed('"D D D D D D S S"', '"D D D D D D S"'), "tableau, player = .*8 letters"),
    "player-other-letter": (changed('"D D D D D D S S"', '"D D D D D D S X"'), "tableau, player = .*D for draw"),
    "banker-seven-rows": (changed('  "S S S S S S S S S S  S", # 7\n', ""), "tableau, banker = .*eight rows"),
    "banker-short-row": (
        changed('"S S S S S S D D S S  S"', '"S"'),
        'banker, row of total 6 = "S": should be 11',
    ),
    "tableau-text": (
        changed("[tableau]\n", 'tableau = "usual"\n[other]\n'),
        "tableau = .*should be a table|tableau: should be a table",
    ),
    "no-bets": (shipped("games")["punto-banco"].read_text().split("[[bets]]")[0], "bets: missing"),
    "bets-empty": (
        "bets = []\n" + shipped("games")["punto-banco"].read_text().split("[[bets]]")[0],
        "bets: should be one bet or more",
    ),
    "same-name": (changed('name = "tie-9"', 'name = "tie-8"'), "bets 5, name = 'tie-8': an earlier bet"),
    "capital-name": (changed('name = "tie-9"', 'name = "Tie 9"'), 'bets 5 .*name = "Tie 9": .*lower case'),
    "no-pays": (changed('pays = [{ winner = "tie", odds = "8:1" }]', ""), r"bets 4 \(tie-8\), pays: missing"),
    "pays-empty": (changed('pays = [{ winner = "tie", odds = "8:1" }]', "pays = []"), "pays: should be one line"),
    "no-odds": (changed(', odds = "8:1"', ""), "pays 1, odds: missing"),
    "odds-number": (changed('odds = "8:1"', "odds = 8"), 'odds = 8: should be odds as "40:1"'),
    "odds-word": (changed('odds = "8:1"', 'odds = "8 to 1"'), 'odds = "8 to 1": should be odds'),
    "odds-nothing": (changed('odds = "8:1"', 'odds = "0:1"'), 'odds = "0:1": should be odds'),
    "odds-huge": (changed('odds = "8:1"', 'odds = "999998:7"'), None),
    "odds-too-huge": (
        changed(
            'pays = [{ winner = "tie", odds = "8:1" }]',
            'pays = [{ winner = "tie", odds = "999998:7" }, { winner = "player", odds = "1:13" }]',
        ),
        "at most 1,048,576",
    ),
    "winner-typo": (changed('winner = "player"', 'winner = "plyer"'), "pays 1, winner = \"plyer\": should be 'player'"),
    "key-typo": (changed('winner = "player"', 'winer = "player"'), "winer = .*unknown key, .*did you mean 'winner'"),
    "total-ten": (changed('winner = "tie"', "player_total = 10"), "player_total = 10: should be 0 to 9, a list"),
    "total-range": (changed('winner = "tie"', 'player_total = "9-3"'), "player_total = .*should be 0 to 9"),
    "total-half": (changed('winner = "tie"', "player_total = [1, 2.5]"), "player_total = .*should be 0 to 9"),
    "cards-four": (changed('winner = "tie"', "player_cards = 4"), "player_cards = 4: should be 2 to 3"),
    "natural-word": (changed('winner = "tie"', 'natural = "yes"'), 'natural = "yes": should be true or false'),
    "event-name": (changed('winner = "tie"', 'winner = "tie", event = "A b"'), 'event = "A b": should be lower case'),
    "cannot-happen": (
        changed('winner = "tie"', "natural = true, player_cards = 3"),
        "bets 1 .*pays 2: no coup meets this line",
    ),
    "decks-not-allowed": (
        changed("decks = 8", "decks = 8\ndecks_allowed = [3, 6]"),
        "decks = 8: should be one of decks_allowed, 3 or 6",
    ),
    "decks-allowed-number": (
        changed("decks = 8", "decks = 8\ndecks_allowed = 8"),
        r"decks_allowed = 8: should be a list of whole numbers from 1 to 27, as \[6, 8\]",
    ),
    "decks-allowed-empty": (changed("decks = 8", "decks = 8\ndecks_allowed = []"), "should be a list of whole numbers"),
    "decks-allowed-too-many": (changed("decks = 8", "decks = 8\ndecks_allowed = [8, 28]"), "numbers from 1 to 27"),
    "title-empty": (changed('"Punto banco"', '""'), 'title = "": should be a text in quotes, on one line'),
    "title-two-lines": (changed('"Punto banco"', '"Punto\\nbanco"'), "on one line and not empty"),
    "same-title": (changed("Tie, 9 to 1", "Tie, 8 to 1"), "bets 5, title = 'Tie, 8 to 1': an earlier bet"),
    "bets-words": (
        'bets = ["dragon-7"]\n' + shipped("games")["punto-banco"].read_text().split("[[bets]]")[0],
        'bets 1 = "dragon-7": should be a table',
    ),
    "event-of-another": (
        changed('winner = "player", odds = "1:1"', 'winner = "player", odds = "1:1", event = "tie"'),
        "pays 1, event = 'tie': is the name of another event",
    ),
    "event-of-two-names": (
        changed('winner = "tie", odds = "push"', 'winner = "tie", odds = "push", event = "my-tie"'),
        "pays 2, event = 'my-tie': should be 'tie', this event's name in an earlier line, or",
    ),
    "nested": ("a = " + "[" * 3000, "nested too deeply|not TOML"),
    "odds-huge-denominators": (
        changed(
            'odds = "1:1" }, { winner = "tie", odds = "push"',
            'odds = "1:999983" }, { winner = "tie", odds = "1:999979"',
        ),
        "at most 1,048,576",
    ),
    "shadowed": (
        changed('winner = "tie", odds = "8:1"', 'odds = "8:1" }, { winner = "tie", odds = "9:1"'),
        "bets 4 .*pays 2: no coup meets",
    ),
}


@pytest.mark.parametrize("mistake", [name for name, (_, says) in MALFORMED.items() if says])
def test_a_malformed_file_says_where_what_and_what_is_allowed(mistake: str, tmp_path: Path) -> None:
    text, says = MALFORMED[mistake]
    file = tmp_path / f"{mistake}.toml"
    file.write_text(text)
    with pytest.raises(InputError, match=says or "") as error:
        load_game(file)
    assert all(line.startswith(f"{file}: ") for line in str(error.value).splitlines())


def test_odds_to_the_allowed_limit_load(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(MALFORMED["odds-huge"][0])
    assert load_game(tmp_path / "game.toml").bet("tie-8").pays[0].pay == Fraction(999998, 7)


def test_all_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    text = changed("decks = 8", "decks = 0").replace('"19:20"', '"19/20"').replace('winner = "tie", odds = "9:1"', "")
    text = text.replace('"S S S S S S D D S S  S"', '"S"').replace('name = "tie-8"', 'name = "player"')
    (tmp_path / "game.toml").write_text(text)
    with pytest.raises(InputError) as error:
        load_game(tmp_path / "game.toml")
    said = str(error.value)
    for key in ("decks = 0", 'odds = "19/20"', "odds: missing", "row of total 6", "name = 'player'"):
        assert key in said
    assert len(said.splitlines()) == 5


def test_an_unknown_game_names_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'louisiana'"):
        load_game("lousiana")
    with pytest.raises(InputError, match="no such file"):
        load_game("mine.toml")
    with pytest.raises(InputError, match="did you mean 'tie-9'"):
        LOUISIANA.bet("tie-8")


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    text = shipped("games")["punto-banco"].read_text()
    (tmp_path / "punto-banco.toml").write_text(text, encoding="utf-8-sig")
    assert load_game(tmp_path / "punto-banco.toml") == PUNTO


def test_a_system_given_as_a_game_is_refused() -> None:
    with pytest.raises(InputError, match="tableau: missing"):
        load_game(shipped("systems")["dragon-7"])


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_bytes(b"title = \xff")
    with pytest.raises(InputError, match="not a text in UTF-8"):
        load_game(tmp_path / "game.toml")
    with pytest.raises(InputError):
        load_game(tmp_path)


def test_main_bets_are_player_banker_and_tie_the_first_of_each() -> None:
    mains = {name: load_game(name).main_bets for name in shipped("games")}
    assert mains == {
        "punto-banco": {"player": "player", "banker": "banker-5", "tie": "tie-8"},
        "ez-baccarat": {"player": "player", "banker": "banker", "tie": "tie-8"},
        "no-commission": {"player": "player", "banker": "banker", "tie": "tie-8"},
        "louisiana": {"player": "player", "banker": "banker", "tie": "tie-9"},
        "louisiana-stand-5": {"player": "player"},
    }
    for game in one_of_each(map(load_game, shipped("games")), lambda game: game.tableau):
        catalogued = game.only(name for name, bet in catalog().items() if not unfit(bet, game.tableau))
        assert set(catalogued.main_bets.values()) <= set(catalog_families()["commission-free"])
    data = PUNTO.to_dict()
    either = {"name": "no-tie", "pays": [{"winner": ["player", "banker"], "odds": "1:20"}]}
    assert Game.from_dict({**data, "bets": [either, *data["bets"]]}).main_bets == PUNTO.main_bets
    assert PUNTO.main_bet("banker") == "banker-5"
    assert LOUISIANA.main_bet("banker") == "banker"
    assert PUNTO.main_bet("dragon-7") == "dragon-7"


def test_a_line_pays_the_share_of_the_meter_that_it_names() -> None:
    pays = {"100% of meter": 800, "meter": 800, "99.99% of meter": Fraction(79992, 100), "0.5% of meter": 4}
    for odds, pay in pays.items():
        assert Bet.of("x", {"tie": odds}, meter=800).pays[0].pay == pay


def test_a_line_with_odds_pays_them_at_any_meter() -> None:
    line = Line(winner="tie", odds="8:1")
    assert line.at_meter(500).pay == 8
    assert Bet.of("x", {"tie": "8:1", "player": "meter"}, meter=500).at_meter(9).pays[0].pay == 8
    assert Line(winner="tie", odds="10% of meter").at_meter(500).at_meter(90).pay == 9
    for meter in (0, -5, 1.5, "a", None):
        with pytest.raises(InputError, match=r"^meter: .*, should be a whole number from 1 to 999,999$"):
            line.at_meter(meter)  # type: ignore[arg-type]


def test_a_line_that_multiplies_has_no_pay_and_comes_before_a_line_that_wins() -> None:
    with pytest.raises(
        InputError, match=r"^odds = 'x2': multiplies what later lines of a bet pay, and has no pay itself$"
    ):
        _ = Line(winner="tie", odds="x2").pay
    for last in ("x2", "push", "lose"):
        with pytest.raises(InputError, match=r"pays = .*: odds = 'x2': no later line wins, should come before"):
            Bet.of("x", {"tie": "8:1", "natural=true": "x2", "player": last})


@pytest.mark.parametrize(
    ("conditions", "name"),
    [
        ("player_total=6", "player-6"),
        ("player_total=6,7", "player-6-or-7"),
        ("player_total=6-8", "player-6-to-8"),
        ("player_total=6,8,9", "player-6-or-8-or-9"),
        ("tie banker_total=0-2 natural=false", "tie-banker-0-to-2-no-natural"),
        ("margin=4 player", "player-win-by-4"),
    ],
)
def test_an_event_is_named_by_its_conditions(conditions: str, name: str) -> None:
    assert Bet.of("x", {conditions: "2:1"}).pays[0].label == name


def test_a_stake_stands_after_a_push_or_a_win_and_not_where_it_is_lost() -> None:
    for odds in ("push", "1:2"):
        (line,) = Bet(name="x", pays=[{"winner": "tie", "odds": odds, "stays": True}]).pays  # type: ignore[arg-type]
        assert line.stays
    for odds in ("lose", "x2"):
        with pytest.raises(InputError, match=f'should be on a line with odds or "push", not {odds!r}'):
            Bet(name="x", pays=[{"winner": "tie", "odds": odds, "stays": True}])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("EZ Baccarat", "ez-baccarat"),
        ("Louisiana", "louisiana"),
        ("louisiana baccarat", "louisiana"),
        ("Punto Banco", "punto-banco"),
        ("PUNTO_BANCO", "punto-banco"),
        ("No-commission baccarat (Super 6, Punto 2000)", "no-commission"),
    ],
)
def test_a_game_by_its_title_or_in_capitals(words: str, name: str) -> None:
    assert load_game(words) == load_game(name)
    assert load_game(words).name == name


@pytest.mark.parametrize("words", ["", "--", "Louisiana Stand", "baccarat"])
def test_words_that_are_no_title(words: str) -> None:
    with pytest.raises(InputError, match="should be one of ez-baccarat"):
        load_game(words)


def test_a_file_goes_before_a_title(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Punto Banco").write_text(shipped("games")["punto-banco"].read_text().replace("decks = 8", "decks = 6"))
    assert load_game("Punto Banco").decks == 6
