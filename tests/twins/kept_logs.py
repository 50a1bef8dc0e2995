"""Logs in forms that other people use. All are written from the same coups and bets, each from a description of its
form.

The forms come from cameras, studios, generators and spreadsheets. A writer takes a folder, coups and bets, and writes
its files into the folder. A coup has `table`, `shoe`, `coup`, `player`, `banker` and `winner`, with cards as `9h Kd`. A
bet has `table`, `shoe`, `coup`, `patron`, `bet`, `amount` and `won`, with amounts in hundredths.
"""

import csv
import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

Row = dict[str, Any]


class Kept(NamedTuple):
    """The files of a log. `layout`: a layout as TOML, or its name; empty if the reader recognises the form by itself.
    `known`: what the log has of a card, which is `card`, `rank`, `value` or `nothing`. `won`: whether the bets have
    results."""

    coups: Path
    layout: str = ""
    bets: Path | None = None
    known: str = "card"
    won: bool = True


Writer = Callable[[Path, list[Row], list[Row]], Kept]

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def rank(card: str) -> int:
    """The rank of a card, from 1 for an ace to 13 for a king."""
    return RANKS.index(card[:-1]) + 1


def value(card: str) -> int:
    return rank(card) if rank(card) < 10 else 0


def hands(coup: Row) -> tuple[list[str], list[str]]:
    return coup["player"].split(), coup["banker"].split()


def total(hand: Sequence[str]) -> int:
    return sum(map(value, hand)) % 10


def in_turn(coup: Row, nothing: Any) -> list[Any]:
    """The cards in the order P1 B1 P2 B2 P3 B3, with `nothing` for a card that was not dealt."""
    player, banker = ([*hand, nothing][:3] for hand in hands(coup))
    return [card for both in zip(player, banker, strict=True) for card in both]


def key(coup: Row) -> Row:
    return {name: coup[name] for name in ("table", "shoe", "coup")}


def table_of(path: Path, rows: Sequence[Row], mark: str = ",", encoding: str = "utf-8") -> Path:
    with path.open("w", newline="", encoding=encoding) as out:
        writer = csv.DictWriter(out, list(rows[0]), delimiter=mark)
        writer.writeheader()
        writer.writerows(rows)
    return path


def lines_of(path: Path, records: Iterable[object]) -> Path:
    path.write_text("".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records), encoding="utf-8")
    return path


# Layouts


def camera_rows(coups: list[Row]) -> list[Row]:
    """Rows with shoe_id, seq from 0, winner, totals, pair flags, margin, and all cards by value in one list, Player's
    before Banker's."""
    rows = []
    for coup in coups:
        player, banker = hands(coup)
        pairs = [int(hand[0][:-1] == hand[1][:-1]) for hand in (player, banker)]
        rows.append({
            "shoe_id": coup["shoe"], "seq": coup["coup"] - 1, "winner": coup["winner"], "player_total": total(player),
            "banker_total": total(banker), "player_pair": pairs[0], "banker_pair": pairs[1],
            "margin": abs(total(player) - total(banker)), "cards": ",".join(map(str, map(value, player + banker))),
        })  # fmt: skip
    return rows


def camera(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
    rows = camera_rows(coups)
    with closing(sqlite3.connect(folder / "camera.db")) as link, link:
        link.execute(f"CREATE TABLE hands ({', '.join(rows[0])})")
        link.executemany(f"INSERT INTO hands VALUES ({','.join('?' * len(rows[0]))})",
                         [list(row.values()) for row in rows])  # fmt: skip
    return Kept(folder / "camera.db", known="value")


def camera_csv(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
    """The rows of `camera_rows` as CSV, as a database exports them."""
    return Kept(table_of(folder / "camera.csv", camera_rows(coups)), known="value")


def dots(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
    """JSON lines in which one field has all cards, as in `"pk":"C.7,C.8,H.11,D.7,,C.7"`."""
    records = []
    for coup in coups:
        cards = [f"{card[-1].upper()}.{rank(card)}" if card else "" for card in in_turn(coup, "")]
        records.append({"table": coup["table"], "shoe": coup["shoe"], "round": coup["coup"], "pk": ",".join(cards)})
    return Kept(lines_of(folder / "dots.jsonl", records))


def messages(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
    """A message after each coup. Cards are written as `"6D"`; there are also shoeCardsOut and whether the cut card is
    out. Coups are numbered by a clock."""
    records, out, shoe = [], 0, None
    for at, coup in enumerate(coups):
        player, banker = ([card.upper() for card in hand] for hand in hands(coup))
        out = len(player + banker) + (out if coup["shoe"] == shoe else 0)
        shoe = coup["shoe"]
        game = {
            "gameNumber": f"{19 + at // 60:02}:{at % 60:02}:05", "result": {"winner": coup["winner"].title()},
            "playerHand": {"cards": player, "score": total(hands(coup)[0])},
            "bankerHand": {"cards": banker, "score": total(hands(coup)[1])},
        }  # fmt: skip
        records.append({"tableId": coup["table"], "game": game, "shoeCardsOut": out, "cutCardOut": out > 380})
    return Kept(lines_of(folder / "messages.jsonl", records))


def results(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
    """Lists such as `[26,20,39,23,14,0,-1,-1,1,7]`: the codes 1 to 52 of P1 B1 P2 B2 P3 B3, with 0 for no card; then -1
    twice; then the totals."""
    records = []
    for coup in coups:
        codes = [13 * "dchs".index(card[-1]) + rank(card) if card else 0 for card in in_turn(coup, "")]
        cards = [*codes, -1, -1, *map(total, hands(coup))]
        records.append({"table": coup["table"], "shoe": coup["shoe"], "round": coup["coup"], "cards": cards})
    return Kept(lines_of(folder / "results.jsonl", records), known="rank")


OTHER_CODES = """
[coups]
table = "desk"
shoe = "deck_no"
coup = "game_no"
cards = "codes"
[cards]
written = "codes"
codes = "dchs"
order = "places"
none = ["0"]
"""


def other_results(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
    """The codes of `results`, in a list with another name. The layout states the order of suits."""
    records = []
    for coup in coups:
        codes = [13 * "dchs".index(card[-1]) + rank(card) if card else 0 for card in in_turn(coup, "")]
        records.append({"desk": coup["table"], "deck_no": coup["shoe"], "game_no": coup["coup"], "codes": codes})
    return Kept(lines_of(folder / "codes.jsonl", records), OTHER_CODES)


def other_results_csv(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
    """The records of `other_results` as CSV; a cell has the list as JSON."""
    records = [json.loads(line) for line in other_results(folder, coups, bets).coups.read_text().splitlines()]
    rows = [record | {"codes": json.dumps(record["codes"])} for record in records]
    return Kept(table_of(folder / "codes.csv", rows), OTHER_CODES)


def shorter_results(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
    """The records of `other_results`, with cards in the order dealt, and no code for a card that was not dealt."""
    records = [json.loads(line) for line in other_results(folder, coups, bets).coups.read_text().splitlines()]
    short = [record | {"codes": [code for code in record["codes"] if code]} for record in records]
    return Kept(lines_of(folder / "short.jsonl", short), OTHER_CODES.replace('"places"', '"dealt"'))


def archive(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
    """The columns table_id, shoe, hand_num, p1..p3, b1..b3, and the edges of two bets."""
    rows = [{"table_id": coup["table"], "shoe": coup["shoe"], "hand_num": coup["coup"],
             **dict(zip(("p1", "b1", "p2", "b2", "p3", "b3"), in_turn(coup, ""), strict=True)),
             "edge_player": "-0.0124", "edge_tie": "-0.1436"} for coup in coups]  # fmt: skip
    return Kept(table_of(folder / "archive.csv", rows))


def value_columns(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
    """A column for the value of each card; tens are 0."""
    rows = []
    for coup in coups:
        cells = {f"{side}{at}": value(card) for side, hand in zip("pb", hands(coup), strict=True)
                 for at, card in enumerate(hand, 1)}  # fmt: skip
        names = [f"{side}{at}" for side in "pb" for at in (1, 2, 3)]
        rows.append({"table_id": coup["table"], "shoe": coup["shoe"], "hand_num": coup["coup"],
                     **{name: cells.get(name, "") for name in names}})  # fmt: skip
    return Kept(table_of(folder / "values.csv", rows), known="value")


def array(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
    """An array of objects `{id, player: [..], banker: [..]}`, for the first shoe only."""
    first = [coup for coup in coups if coup["shoe"] == coups[0]["shoe"]]
    path = folder / "array.json"
    path.write_text(json.dumps([{"id": coup["coup"], "player": hands(coup)[0], "banker": hands(coup)[1]}
                                for coup in first]))  # fmt: skip
    return Kept(path)


def array_lines(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
    return Kept(lines_of(folder / "array.jsonl", json.loads(array(folder, coups, bets).coups.read_text())))


CHILDREN = """
[coups]
table = "pit_table"
shoe = "shoe_no"
coup = "hand_no"
[card_rows]
file = "dealt.{0}"
id = "hand_id"
of = "parent"
hand = "owner"
place = "seq"
rank = "face"
suit = "colour"
[card_rows.hands]
player = "Spieler"
banker = ["Bank", "Croupier"]
"""


def children(form: str, parent: str = "h{}", child: str = "h{}") -> Writer:
    """A table of coups and a table of cards, linked by an id. `parent` and `child`: how the two tables write the id.
    Rank and suit are in two columns, with unusual words."""

    def write(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
        parents, cards = [], []
        for at, coup in enumerate(coups):
            parents.append({"hand_id": parent.format(1000 + at), "pit_table": coup["table"], "shoe_no": coup["shoe"],
                            "hand_no": coup["coup"], "result": coup["winner"]})  # fmt: skip
            for side, words, hand in zip("pb", (("Spieler",) * 2, ("Bank", "Croupier")), hands(coup), strict=True):
                for place, card in enumerate(hand, 1):
                    suit = dict(zip("shdc", ("Pik", "Herz", "Karo", "Kreuz"), strict=True))[card[-1]]
                    cards.append({"parent": child.format(1000 + at), "owner": words[at % 2], "seq": place,
                                  "face": card[:-1], "colour": suit, "n": side})  # fmt: skip
        for name, rows in (("hands", parents), ("dealt", cards)):
            if form == "csv":
                table_of(folder / f"{name}.csv", rows)
            elif form == "jsonl":
                lines_of(folder / f"{name}.jsonl", rows)
            else:
                pl.DataFrame(rows).write_parquet(folder / f"{name}.parquet")
        return Kept(folder / f"hands.{form}", CHILDREN.format(form))

    return write


def spelled(spell: Callable[[list[str]], str], known: str = "card") -> Writer:
    """A column for each hand. `spell` makes the text of a hand."""

    def write(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
        rows = [{**key(coup), "player": spell(hands(coup)[0]), "banker": spell(hands(coup)[1])} for coup in coups]
        return Kept(table_of(folder / "spelled.csv", rows), known=known)

    return write


def symbol(card: str) -> str:
    return dict(zip("shdc", "♠♥♦♣", strict=True))[card[-1]]


def playing_card(card: str) -> str:
    """The Unicode sign of a card. Unicode has the suits in the order spades, hearts, diamonds, clubs, and a knight
    after the jack."""
    return chr(0x1F0A0 + 0x10 * "shdc".index(card[-1]) + rank(card) + (rank(card) > 11))


def won(words: dict[str, str]) -> Writer:
    """A log with these words for the winner."""

    def write(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
        rows = [{**coup, "winner": words[coup["winner"]]} for coup in coups]
        return Kept(table_of(folder / "won.csv", rows))

    return write


def numbered(number: Callable[[int, Row], Any], heading: str = "coup", layout: str = "") -> Writer:
    """A log whose coups are numbered by `number`."""

    def write(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
        rows = [{"table": coup["table"], "shoe": coup["shoe"], heading: number(at, coup), "player": coup["player"],
                 "banker": coup["banker"], "winner": coup["winner"]} for at, coup in enumerate(coups)]  # fmt: skip
        return Kept(table_of(folder / "numbered.csv", rows), layout)

    return write


def one_table(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
    """A log without a column for the table."""
    return Kept(
        table_of(folder / "one.csv", [{name: coup[name] for name in coup if name != "table"} for coup in coups])
    )


def staked(amount: Callable[[int], str], mark: str = ",", encoding: str = "utf-8", patron: str = "", shoe: str = "",
           coup_shoe: str = "") -> Writer:  # fmt: skip
    """A log with a file of bets. `amount` writes the amounts; a loss is in brackets. `shoe` and `coup_shoe`: how bets
    and coups write a shoe's number."""

    def write(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
        dealt = [{**coup, "shoe": coup_shoe.format(coup["shoe"]) or coup["shoe"]} for coup in coups]
        placed = []
        for bet in bets:
            won = f"({amount(-bet['won'])})" if bet["won"] < 0 else amount(bet["won"])
            placed.append({**key(bet), "shoe": shoe.format(bet["shoe"]) or bet["shoe"], "bet": bet["bet"],
                           "patron": patron or bet["patron"], "amount": amount(bet["amount"]), "won": won})  # fmt: skip
        return Kept(table_of(folder / "coups.csv", dealt, mark, encoding), "",
                    table_of(folder / "bets.csv", placed, mark, encoding))  # fmt: skip

    return write


def floats(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
    """Coups in JSON lines, with numbers as floats; and bets in CSV, without their results."""
    records = [{**coup, "shoe": float(coup["shoe"]), "coup": float(coup["coup"])} for coup in coups]
    placed = [{**bet, "amount": thousands(bet["amount"]), "won": ""} for bet in bets]
    return Kept(lines_of(folder / "floats.jsonl", records), "", table_of(folder / "bets.csv", placed), won=False)


def old_lines(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
    """Coups and bets in JSON lines, in Windows-1252."""
    dealt = [{**coup, "table": "Tisch für Zoë"} for coup in coups]
    placed = [{**bet, "table": "Tisch für Zoë", "patron": "Müller", "amount": f"€ {thousands(bet['amount'])}",
               "won": bet["won"] / 100} for bet in bets]  # fmt: skip
    for name, records in (("coups", dealt), ("bets", placed)):
        text = "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)
        (folder / f"{name}.jsonl").write_bytes(text.encode("cp1252"))
    return Kept(folder / "coups.jsonl", "", folder / "bets.jsonl")


def results_alone(folder: Path, coups: list[Row], bets: list[Row]) -> Kept:
    """A CSV file with the columns `table,shoe,coup,winner`."""
    rows = [{**key(coup), "winner": coup["winner"]} for coup in coups]
    return Kept(table_of(folder / "results.csv", rows), known="nothing")


def thousands(amount: int, mark: str = ",", point: str = ".") -> str:
    return f"{amount // 100:,}".replace(",", mark) + f"{point}{amount % 100:02}"


LAYOUTS: dict[str, Writer] = {
    "camera archive": camera,
    "camera archive, as CSV": camera_csv,
    "message with dots": dots,
    "message with a time": messages,
    "result message": results,
    "codes in another list": other_results,
    "codes in a column": other_results_csv,
    "codes as dealt": shorter_results,
    "archive": archive,
    "a column a card, values": value_columns,
    "array of objects": array,
    "objects, a line each": array_lines,
    **{f"parent and child, {form}": children(form) for form in ("parquet", "csv", "jsonl")},
    "parent and child, 1000.0": children("csv", "{}", "{}.0"),
    "parent and child, 1000.0 in JSON": children("jsonl", "{}.0", "{}"),
    '["9h","Kd"]': spelled(json.dumps),
    "9h|Kd": spelled("|".join),
    "9h+Kd": spelled("+".join),
    "9hKd": spelled("".join),
    "9K": spelled(lambda hand: "".join(card[:-1] for card in hand), "rank"),
    "9♥": spelled(lambda hand: " ".join(card[:-1] + symbol(card) for card in hand)),
    "♥9": spelled(lambda hand: " ".join(symbol(card) + card[:-1] for card in hand)),
    "Unicode": spelled(lambda hand: "".join(map(playing_card, hand))),
    "winner, Chinese": won({"player": "闲", "banker": "庄", "tie": "和"}),
    "winner, Korean": won({"player": "플레이어", "banker": "뱅커", "tie": "타이"}),
    "winner, punto": won({"player": "punto", "banker": "bank", "tie": "égalité"}),
    "winner wins!": won({"player": "Player wins!", "banker": "Banker wins!", "tie": "Tie!"}),
    "coups from 0": numbered(lambda at, coup: coup["coup"] - 1),
    "coups by a clock": numbered(
        lambda at, coup: f"{18 + at // 60:02}:{at % 60:02}:30", "time", '[coups]\ncoup = "time"\n'
    ),
    "coups over 1,000": numbered(lambda at, coup: 24_817 + at),
    "no table": one_table,
    "$1,000.00": staked(lambda amount: f"${thousands(amount)}"),
    "1.000,00": staked(lambda amount: thousands(amount, ".", ","), ";"),
    "1 000,00 €": staked(lambda amount: f"{thousands(amount, chr(0xA0), ',')} €", ";"),
    "1'000.00": staked(lambda amount: f"CHF {thousands(amount, chr(39))}"),
    "R$ 1.000,00": staked(lambda amount: f"R$ {thousands(amount, '.', ',')}", ";"),
    "1 000,00 kr": staked(lambda amount: f"{thousands(amount, ' ', ',')} kr", ";"),
    "￥1,000.00元": staked(lambda amount: f"￥{thousands(amount)}元"),
    "732.4499999999999": staked(lambda amount: repr(amount / 100 - 1e-13) if amount % 100 else str(amount // 100)),
    "Windows-1252": staked(lambda amount: f"€{thousands(amount)}", encoding="cp1252", patron="Müller, Zoë"),
    "UTF-16": staked(thousands, encoding="utf-16", patron="Müller, Zoë"),
    "Windows-1252, JSON lines": old_lines,
    "floats": floats,
    "results alone": results_alone,
    "shoe 0.0": staked(thousands, coup_shoe="{}.0"),
    "shoe 0.0 of bets": staked(thousands, shoe="{}.0"),
}  # fmt: skip
