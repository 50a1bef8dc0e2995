"""Guesses from column headings, words for cards and mappings: what is found, what is not guessed, and that each guess
is shown."""

import json
import tomllib
from pathlib import Path

import polars as pl
import pytest
from twins.seen_logs import SUIT_WORDS

from counting import InputError
from counting.cards import RANKS, SUITS
from counting.cli import main
from counting.logs import Layout, Log, card_name, load_layout, read_log
from counting.logs.cards import CardWords, hand_codes
from counting.logs.drafting import _key, _quoted, draft
from counting.logs.values import as_text

HANDS = [("9h Kd", "2c 3d 5s"), ("2s 3h", "7c Kd"), ("4h Ad 3s", "10c Js 2d"), ("8h 8d", "6c 2h 9s")]


def log_of(folder: Path, head: str, rows: list[str], layout: Layout | None = None) -> Log:
    (folder / "log.csv").write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return read_log(folder / "log.csv", None, layout)


def rows_of(*more: str) -> list[str]:
    return [",".join([str(at), *pair, *more]) for at, pair in enumerate(HANDS, 1)]


@pytest.mark.parametrize("language", SUIT_WORDS)
def test_every_card_in_words(language: str) -> None:
    """Each of the 52 cards as an object, and as text: rank and suit apart, joined, with "of" between them, and with the
    suit first."""
    for suit, word in zip(SUITS, SUIT_WORDS[language], strict=True):
        for rank in RANKS:
            card = [f"{rank}{suit}"]
            for text in (as_text([{"rank": rank, "suit": word}]), f"{rank} {word}", f"{word} {rank}", f"{rank}{word}",
                         f"{word.upper()}{rank.lower()}", f"{rank} of {word}"):  # fmt: skip
                codes, bad = hand_codes(text)
                assert [card_name(code) for code in codes] == card, text
                assert not bad


@pytest.mark.parametrize(
    ("value", "cards"),
    [
        ([{"rank": 1, "suit": "♠"}, {"rank": 13.0, "suit": "Hearts"}], "As Kh"),
        ([{"value": "KING", "suit": "HEARTS", "code": "KH"}], "Kh"),
        ([{"face": "10", "suit": "d", "value": 0}], "10d"),
        ([{"Rank": "q", "Suit": "c"}, None, {"rank": None, "suit": None}, {}], "Qc"),
        ([{"card": "9h"}, {"card": "Kd"}], "9h Kd"),
        ([{"rank": "9", "suit": "X"}], "9"),
        ([{"rank": "?", "suit": "?"}], "?"),
    ],
)
def test_cards_as_objects(value: object, cards: str) -> None:
    codes, _ = hand_codes("" if value is None else as_text(value).replace("{}", ""))
    assert " ".join(card_name(code) for code in codes) == cards


def test_a_layout_has_its_own_words_for_cards() -> None:
    layout = Layout.model_validate({"cards": {"suits": {"s": ["P", "Piek"], "h": "H"}, "ranks": {"Q": "V", "J": "B"}}})
    by = layout.words("cards", joined=False)
    assert [card_name(code) for code in hand_codes("VP 9~Piek B~H 8 Piek", by)[0]] == ["Qs", "9s", "Jh", "8s"]
    assert [card_name(code) for code in hand_codes("9~Piek", CardWords())[0]] == ["9"]


def test_the_columns_guessed_are_shown_and_others_are_not_taken(tmp_path: Path) -> None:
    log = log_of(tmp_path, "hand_number,player_cards,banker_cards,result,game", rows_of("P", "baccarat"))
    assert log.coups.height == 4
    (looks,) = log.looks
    assert "player from player_cards, banker from banker_cards, winner from result, coup from hand_number" in looks
    assert "counting layouts --draft FILE" in looks
    # A column whose name fits but whose words do not is not taken for the winner, nor are totals taken for hands.
    log = log_of(tmp_path, "hand_number,player_cards,banker_cards,result", rows_of("9 to 0"))
    assert log.coups["winner"].null_count() == 4
    with pytest.raises(InputError, match="missing; the file has"):
        log_of(tmp_path, "round,player_points,banker_points,player,banker", ["1,9,0,9,0", "2,5,7,5,7"])


def test_a_column_beside_the_usual_ones_is_found_by_its_heading(tmp_path: Path) -> None:
    rows = [f"1,1,{row}" for row in rows_of("Banker")]
    log = log_of(tmp_path, "table,shoe,coup,player,banker,outcome", rows)
    assert log.coups["winner"].to_list() == ["banker"] * 4
    assert "winner from outcome" in log.looks[0]


OLD = """
[coups]
winner = "w"
[winner]
X = "player"
Y = "banker"
Z = "tie"
[cards.suits]
Z = "c"
"""
NEW = """
[coups]
winner = "w"
[winner]
player = "X"
banker = ["Y", "y"]
tie = "Z"
[cards.suits]
c = "Z"
"""


def test_mappings_have_one_direction_and_the_old_one_is_read_with_a_note(tmp_path: Path) -> None:
    rows = [f"1,1,{at},9h Kd,2Z 3d 5s,{won}" for at, won in enumerate("XYZ", 1)]
    for text, notes in ((OLD, 2), (NEW, 0)):
        (tmp_path / "ours.toml").write_text(text)
        log = log_of(tmp_path, "table,shoe,coup,player,banker,w", rows, load_layout(tmp_path / "ours.toml"))
        assert log.coups["winner"].to_list() == ["player", "banker", "tie"]
        assert card_name(log.coups["banker_1"][0]) == "2c"
        assert len(log.looks) == notes
    (tmp_path / "ours.toml").write_text('[bet_names]\n"闲" = "player"\n"MB" = "mine"\n')
    layout = load_layout(tmp_path / "ours.toml")
    assert layout.bet_names == {"player": ("闲",), "mine": ("MB",)}
    assert layout.notes == (
        '[bet_names]: 闲 = "player" should be player = "闲", the toolkit\'s word on the left; this version still '
        "reads the old order, a later one will not",
    )
    assert Layout.model_validate(layout.model_dump(mode="json")) == layout


def test_a_choice_that_no_record_is_of_is_refused_with_what_there_is(tmp_path: Path) -> None:
    record = {"type": "state", "table": 1, "shoe": 1, "coup": 1, "player": ["9h", "Kd"], "banker": ["2c", "6d"]}
    (tmp_path / "log.jsonl").write_text("".join(f"{json.dumps(record | {'coup': at})}\n" for at in range(1, 4)))
    layout = Layout.model_validate({"file": {"only": {"type": "result"}}})
    with pytest.raises(InputError, match="only: picks none of the first 3 records; type is state"):
        read_log(tmp_path / "log.jsonl", None, layout)


def test_a_draft_says_what_it_does_not_know(tmp_path: Path) -> None:
    """The log's results are numbers, which the draft explains from the cards; it also lists a column that nothing
    reads. A second log has results without cards."""
    won = {"9h Kd": "1", "2s 3h": "2", "4h Ad 3s": "1", "8h 8d": "2"}
    rows = [f"{at},{p},{b},{won[p]},late" for at, (p, b) in enumerate(HANDS * 5, 1)]
    log_of(tmp_path, "no,player_cards,banker_cards,result,note", rows)
    text = draft(tmp_path / "log.csv")
    assert 'player = "1"' in text
    assert 'banker = "2"' in text
    assert "#   note: late" in text
    (tmp_path / "draft.toml").write_text(text)
    log = read_log(tmp_path / "log.csv", None, load_layout(tmp_path / "draft.toml"))
    assert log.coups["winner"].to_list() == [{"1": "player", "2": "banker"}[won[p]] for p, _ in HANDS * 5]
    (tmp_path / "results.csv").write_text("table,shoe,coup,winner\n1,1,1,P\n1,1,2,B\n")
    text = draft(tmp_path / "results.csv")
    assert text.startswith("# Results alone, in winner: without cards no bet can be priced.")
    assert "# With this layout: 2 coups, 0 lines skipped." in text


def test_the_command_drafts_and_refuses_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log_of(tmp_path, "round_no,pcard1,pcard2,pcard3,bcard1,bcard2,bcard3", ["1,9h,Kd,,2c,6d,", "2,9h,Kd,,2c,6d,"])
    assert main(["layouts", "--draft", str(tmp_path / "log.csv")]) == 0
    drafted = capsys.readouterr().out
    assert 'player = ["pcard1", "pcard2", "pcard3"]' in drafted
    assert "coup 2: player 9h Kd, banker 2c 6d" in drafted
    for arguments in (["--draft", str(tmp_path / "none.csv")], ["korean", "--draft", str(tmp_path / "log.csv")]):
        assert main(["layouts", *arguments]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


READS = "# Saved with > ours.toml, this reads the log: counting audit GAME --coups LOG --layout ours.toml"
OPEN = (
    "# Save this with > ours.toml and complete its keys. Then try: counting audit GAME --coups LOG --layout ours.toml"
)
WINNERS = "# Saved with > ours.toml, this reads the winners: counting results GAME --coups LOG --layout ours.toml"


@pytest.mark.parametrize(
    ("text", "says", "last"),
    [
        ("shoe,coup,player,banker\n1,1,9h Kd,5c 2s\n", "1 coups, 0 lines skipped. The first of them:\n", READS),
        ("05 36 49 81 b2 03 34 46\n", "0 coups, 0 lines skipped.\n", READS),  # no coup is over yet
        ("table,shoe,coup,player,banker\n1,1,x,9h Kd,5c 2s\n", "0 coups, 1 lines skipped. The first of them:\n", OPEN),
        ("hello\nno cards\n", "cannot be read yet", OPEN),
        ("table,shoe,coup,winner\n1,1,1,P\n1,1,2,B\n", "2 coups, 0 lines skipped. The first of them:\n", WINNERS),
        ("shoe,coup,player,banker,winner\n1,1,9h Kd,5c 2s,X\n", "not read, line 2: should be player, banker", OPEN),
        ("winner\nplayer\nbanker\n", "2 coups, 0 lines skipped. The first of them:\n", WINNERS),
    ],
)  # fmt: skip
def test_a_draft_ends_with_what_to_do_next(tmp_path: Path, text: str, says: str, last: str) -> None:
    (tmp_path / "log").write_text(text)
    drafted = draft(tmp_path / "log")
    assert says in drafted
    assert drafted.splitlines()[-1] == last
    if last == WINNERS:
        assert read_log(tmp_path / "log").coups["winner"].to_list()[:2] == ["player", "banker"]


@pytest.mark.parametrize("name", ["\ud800", "\udcff\N{GRINNING FACE}\udc00", 'a\0\x7f"\\'])
def test_texts_of_a_draft_are_toml(name: str) -> None:
    """The name of a file that is not in UTF-8 can have lone surrogates. TOML cannot, so they are replaced."""
    whole = "".join("\N{REPLACEMENT CHARACTER}" if "\ud800" <= sign <= "\udfff" else sign for sign in name)
    assert tomllib.loads(f"{_key(name)} = {_quoted(name)}") == {whole: whole}


def test_constants_of_coups_need_no_column(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text('[coups]\ntable = "constant: 7"\nshoe = "constant"\ndecks = "constant: 6"\n')
    rows = [f"{at},{p},{b}" for at, (p, b) in enumerate(HANDS, 1)]
    log = log_of(tmp_path, "coup,player,banker", rows, load_layout(tmp_path / "ours.toml"))
    assert log.coups.select(pl.col("table", "shoe").cast(pl.String), "decks").unique().rows() == [("7", "1", 6)]


def test_a_draft_of_messages_by_table_and_game_reads_the_log_and_says_how_to_go_on(tmp_path: Path) -> None:
    """Each message has three games at once, and one field has both shoe and coup."""
    hands = [
        (["8C", "4C"], ["KS", "8C"], "B"),
        (["2D", "AC", "10C"], ["4C", "3H"], "B"),
        (["9S", "KS"], ["JD", "8D"], "P"),
    ]
    messages = [
        {"sl": {"7": {"gm": "bac", "rn": f"{at // 30 + 1}-{at % 30 + 1}", "pc": player, "bc": banker, "w": won},
                "13": {"gm": "roulette", "rn": f"2-{at}", "num": at % 37},
                "14": {"gm": "dragontiger", "rn": f"9-{at}", "dc": "8C", "tc": "10D"}}}
        for at, (player, banker, won) in enumerate(hands * 20)
    ]  # fmt: skip
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(message) + "\n" for message in messages))
    text = draft(path)
    assert text.endswith(
        "\n# Saved with > ours.toml, this reads the log: counting audit GAME --coups LOG --layout ours.toml\n"
    )
    (tmp_path / "ours.toml").write_text(text)
    read = read_log(path, layout=load_layout(tmp_path / "ours.toml"))
    assert read.coups.height == 60
    assert read.coups["shoe"].unique().sort().to_list() == ["1", "2"]
    assert read.remarked() == 0


def test_a_shoe_and_a_coup_in_one_field_are_told_how_to_be_split(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(
        "shoe,coup,player,banker\n" + "".join(f"1,{at},9h Kd,3s 4c\n" for at in range(1, 60)) + "1,1-60,9h Kd,3s 4c\n"
    )
    (reason,) = read_log(path).remarks["reason"].to_list()
    assert "[file] split = { FIELD = '(?P<shoe>[0-9]+)-(?P<coup>[0-9]+)' }" in reason


def test_a_key_that_only_other_messages_fill_is_a_remark_of_a_draft(tmp_path: Path) -> None:
    path, records = tmp_path / "log.jsonl", []
    for at, (player, banker) in enumerate(HANDS * 5, 1):
        key = {"tableId": "7", "shoeNo": 1, "gameNo": at}
        records.append({"type": "table_state", "data": {"tableId": "7", "dealer": "Mia"}})
        records.append({"type": "result", "data": key | {"playerCards": player, "bankerCards": banker}})
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    text = draft(path)
    assert '\n# dealer = "data.dealer"  # nothing seen\n' in text
    (tmp_path / "ours.toml").write_text(text)
    assert read_log(path, layout=load_layout(tmp_path / "ours.toml")).remarked() == 0
