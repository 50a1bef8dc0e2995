"""Logs in other people's layouts. Every layout has the same coups.

A writer takes coups in the project's own layout (`table`, `shoe`, `coup`, `player`, `banker`, `winner`, with cards as
`9h Kd`), and writes them into a file. It returns the file, and its layout; the layout is None if the reader recognises
the form by itself.
"""

import gzip
import json
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

import polars as pl

Written = tuple[Path, str | None]
Writer = Callable[[Path, pl.DataFrame], Written]

RANKS = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
SUITS = "shdc"
VALUE = {rank: min(i + 1, 10) % 10 for i, rank in enumerate(RANKS)}


def hands(row: dict[str, str]) -> tuple[list[str], list[str]]:
    return row["player"].split(), row["banker"].split()


def total(cards: list[str]) -> int:
    return sum(VALUE[card[:-1]] for card in cards) % 10


def each_card(coups: pl.DataFrame, written: Callable[[str], str], between: str = " ") -> pl.DataFrame:
    def hand(text: str) -> str:
        return between.join(written(card) for card in text.split())

    return coups.with_columns(pl.Series(name, map(hand, coups[name])) for name in ("player", "banker"))


def csv(name: str, change: Callable[[pl.DataFrame], pl.DataFrame] = lambda coups: coups, mark: str = ",") -> Writer:
    def write(folder: Path, coups: pl.DataFrame) -> Written:
        path = folder / f"{name}.csv"
        change(coups).write_csv(path, separator=mark)
        return path, None

    return write


def in_words(written: Callable[[str], str], between: str = " ") -> Callable[[pl.DataFrame], pl.DataFrame]:
    return lambda coups: each_card(coups, written, between)


def suit_first(card: str) -> str:
    return card[-1] + card[:-1]


def symbol(card: str) -> str:
    return dict(zip(SUITS, "♠♥♦♣", strict=True))[card[-1]]


def unicode_card(card: str) -> str:
    rank = RANKS.index(card[:-1]) + 1
    return chr(0x1F0A0 + 16 * SUITS.index(card[-1]) + rank + (rank > 11))


def code(card: str, suits: str) -> int:
    return 13 * suits.index(card[-1]) + RANKS.index(card[:-1]) + 1


def dot(card: str) -> str:
    return f"{card[-1].upper()}.{RANKS.index(card[:-1]) + 1}"


def places(row: dict[str, str]) -> list[str]:
    """The cards in the order P1 B1 P2 B2 P3 B3, with an empty text for a card that was not dealt."""
    player, banker = ([*hand, ""][:3] for hand in hands(row))
    return [card for pair in zip(player, banker, strict=True) for card in pair]


def in_columns(coups: pl.DataFrame) -> pl.DataFrame:
    rows = [dict(zip(("p1", "b1", "p2", "b2", "p3", "b3"), places(row), strict=True)) for row in coups.to_dicts()]
    return pl.concat([coups.drop("player", "banker"), pl.DataFrame(rows)], how="horizontal").rename(
        {"table": "table_id", "coup": "hand_num"}
    )


def with_totals(coups: pl.DataFrame) -> pl.DataFrame:
    totals = {f"{name}_total": [total(text.split()) for text in coups[name]] for name in ("player", "banker")}
    return coups.with_columns(pl.Series(name, values) for name, values in totals.items())


def one_list(order: str) -> Writer:
    """All cards in one list, in the order dealt or with Player's first. The totals decide who has the fifth card."""

    def write(folder: Path, coups: pl.DataFrame) -> Written:
        listed = []
        for row in coups.to_dicts():
            player, banker = hands(row)
            dealt = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
            listed.append(",".join(dealt if order == "dealt" else [*player, *banker]))
        layout = folder / f"{order}.toml"
        layout.write_text(
            f'[coups]\ncards = "cards"\nwinner = "winner"\nplayer_total = "player_total"\n'
            f'banker_total = "banker_total"\n[cards]\norder = "{order}"\n'
        )
        path = folder / f"{order}.csv"
        with_totals(coups).with_columns(cards=pl.Series(listed)).drop("player", "banker").write_csv(path)
        return path, str(layout)

    return write


def json_file(name: str, shape: Callable[[pl.DataFrame], object], layout: str | None = None) -> Writer:
    def write(folder: Path, coups: pl.DataFrame) -> Written:
        path = folder / f"{name}.json"
        shaped = shape(coups)
        text = "\n".join(map(json.dumps, shaped)) if name.endswith("lines") else json.dumps(shaped)  # type: ignore[call-overload]
        path.write_text(text)
        return path, layout

    return write


def objects(coups: pl.DataFrame) -> list[dict[str, object]]:
    return [{**row, "player": hands(row)[0], "banker": hands(row)[1]} for row in coups.to_dicts()]


def nested(coups: pl.DataFrame) -> object:
    """Nested JSON: a table has shoes, and a shoe has coups. Each card is an object."""
    shoes = [
        {"shoe": shoe, "rounds": [
            {"coup": row["coup"], "result": {"winner": row["winner"]},
             "player": [{"card": card} for card in hands(row)[0]], "banker": [{"card": card} for card in hands(row)[1]]}
            for row in of.to_dicts()
        ]}
        for (shoe,), of in coups.group_by("shoe", maintain_order=True)
    ]  # fmt: skip
    return {"table": coups["table"][0], "shoes": shoes}


NESTED = """
[file]
rows = "shoes.rounds"
[coups]
player = "player.card"
banker = "banker.card"
winner = "result.winner"
"""


def nested_json(folder: Path, coups: pl.DataFrame) -> Written:
    layout = folder / "nested.toml"
    layout.write_text(NESTED)
    return json_file("nested", nested)(folder, coups)[0], str(layout)


def states(coups: pl.DataFrame) -> list[dict[str, object]]:
    """A studio's messages: the state of a table after one card to each hand, and at the end of the coup. Coups are
    numbered by a clock."""
    messages: list[dict[str, object]] = []
    for at, row in enumerate(coups.to_dicts()):
        out = 6 * (row["coup"] - 1)
        player, banker = hands(row)
        clock = f"{(21 + at // 120) % 24:02}:{at // 2 % 60:02}:{30 * (at % 2):02}"
        for dealt in (1, 3):
            state = {
                "gameNumber": clock, "result": {"winner": row["winner"].title()},
                "gameData": {
                    "playerHand": {"cards": [c.upper() for c in player[:dealt]], "score": total(player[:dealt])},
                    "bankerHand": {"cards": [c.upper() for c in banker[:dealt]], "score": total(banker[:dealt])},
                },
            }  # fmt: skip
            messages.append({"args": {"tableId": row["table"], "currentGame": state, "shoeCardsOut": out + dealt}})
    return messages


def sqlite(folder: Path, coups: pl.DataFrame) -> Written:
    path = folder / "hands.db"
    link = sqlite3.connect(path)
    with link:
        link.execute("CREATE TABLE notes (id INTEGER)")
        link.execute(
            'CREATE TABLE hands ("table" TEXT, shoe TEXT, coup INTEGER, player TEXT, banker TEXT, winner TEXT)'
        )
        link.executemany("INSERT INTO hands VALUES (?, ?, ?, ?, ?, ?)", coups.rows())
    link.close()
    return path, None


def archive(folder: Path, coups: pl.DataFrame) -> Written:
    """A camera's database: cards by value in one list, with Player's first; coups are numbered from 0."""
    path = folder / "archive.db"
    link = sqlite3.connect(path)
    with link:
        link.execute(
            "CREATE TABLE hands (shoe_id INTEGER, seq INTEGER, winner TEXT, player_total INTEGER, banker_total INTEGER,"
            " "
            "player_pair INTEGER, banker_pair INTEGER, margin INTEGER, cards TEXT)"
        )
        for row in coups.to_dicts():
            player, banker = hands(row)
            cards = ",".join(str(VALUE[card[:-1]]) for card in (*player, *banker))
            totals = total(player), total(banker)
            pairs = [int(hand[0][:-1] == hand[1][:-1]) for hand in (player, banker)]
            link.execute(
                "INSERT INTO hands VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (row["shoe"], row["coup"] - 1, row["winner"], *totals, *pairs, abs(totals[0] - totals[1]), cards),
            )
    link.close()
    return path, None


def workbook(folder: Path, coups: pl.DataFrame, bets: pl.DataFrame | None = None, title: str = "") -> Written:
    """A minimal workbook with a sheet of coups and, if `bets` is given, a sheet of bets. `title`: a text above the
    columns."""

    def cell(value: object) -> str:
        return (
            f'<c t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'
            if isinstance(value, str)
            else f"<c><v>{value}</v></c>"
        )

    def cells(frame: pl.DataFrame) -> str:
        rows = [*([[title], []] if title else []), frame.columns, *frame.rows()]
        return "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)

    sheets = {f"sheet{i}": cells(frame) for i, frame in enumerate([coups] if bets is None else [coups, bets], 1)}
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kinds}.sheet.main+xml"/>'
        + "".join(
            f'<Override PartName="/xl/worksheets/{name}.xml" ContentType="{kinds}.worksheet+xml"/>' for name in sheets
        )
        + "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        + "".join(f'<sheet name="{name}" sheetId="{i}" r:id="r{i}"/>' for i, name in enumerate(sheets, 1))
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        + "".join(
            f'<Relationship Id="r{i}" Type="{office}/worksheet" Target="worksheets/{name}.xml"/>'
            for i, name in enumerate(sheets, 1)
        )
        + "</Relationships>",
        **{
            f"xl/worksheets/{name}.xml": f'<worksheet xmlns="{main}"><sheetData>{sheet}</sheetData></worksheet>'
            for name, sheet in sheets.items()
        },
    }
    path = folder / "hands.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        for name, text in parts.items():
            book.writestr(name, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>{text}')
    return path, None


def parquet(name: str, change: Callable[[pl.DataFrame], pl.DataFrame] = lambda coups: coups) -> Writer:
    def write(folder: Path, coups: pl.DataFrame) -> Written:
        path = folder / f"{name}.parquet"
        change(coups).write_parquet(path)
        return path, None

    return write


def card_rows(folder: Path, coups: pl.DataFrame) -> Written:
    inner = folder / "card-rows"
    inner.mkdir()
    coups = coups.with_row_index("id", 100)
    cards = [
        {"coup_id": row["id"], "hand": side.title(), "place": at, "rank": card[:-1], "suit": card[-1]}
        for row in coups.to_dicts() for side in ("banker", "player") for at, card in enumerate(row[side].split(), 1)
    ]  # fmt: skip
    pl.DataFrame(cards).sample(fraction=1, shuffle=True, seed=1).write_parquet(inner / "cards.parquet")
    coups.drop("player", "banker").write_parquet(inner / "coups.parquet")
    return inner / "coups.parquet", "card-rows"


def encoded(name: str, encoding: str) -> Writer:
    def write(folder: Path, coups: pl.DataFrame) -> Written:
        path = folder / f"{name}.csv"
        path.write_bytes(coups.write_csv().encode(encoding))
        return path, None

    return write


def packed(folder: Path, coups: pl.DataFrame) -> Written:
    path = folder / "packed.csv.gz"
    path.write_bytes(gzip.compress(coups.write_csv().encode()))
    return path, None


def codes(folder: Path, coups: pl.DataFrame) -> Written:
    """Codes 1 to 52 in the order that one studio uses: spades, hearts, clubs, diamonds. The layout states the order."""
    layout = folder / "codes.toml"
    columns = "\n".join(f'{hand} = ["{hand[0]}1", "{hand[0]}2", "{hand[0]}3"]' for hand in ("player", "banker"))
    layout.write_text(
        f'[coups]\ntable = "table_id"\ncoup = "hand_num"\nwinner = "winner"\n{columns}\n'
        '[cards]\nwritten = "codes"\ncodes = "shcd"\nnone = ["0"]\n'
    )
    path = folder / "codes.csv"
    cards = [f"{hand}{at}" for hand in "pb" for at in (1, 2, 3)]
    number = {card: str(code(card, "shcd")) for card in (f"{rank}{suit}" for rank in RANKS for suit in SUITS)}
    in_columns(coups).with_columns(pl.col(cards).replace(number | {"": "0"})).write_csv(path)
    return path, str(layout)


def chinese(folder: Path, coups: pl.DataFrame) -> Written:
    names = {"table": "桌", "shoe": "靴", "coup": "局", "player": "闲", "banker": "庄", "winner": "结果"}
    words = {"player": "闲赢", "banker": "庄赢", "tie": "和局"}
    path = folder / "chinese.csv"
    coups.with_columns(pl.col("winner").replace(words)).rename(names).write_csv(path)
    return path, None


def korean(folder: Path, coups: pl.DataFrame) -> Written:
    names = {"table": "테이블", "shoe": "슈", "coup": "게임", "player": "플레이어", "banker": "뱅커", "winner": "결과"}
    words = {"player": "플레이어", "banker": "뱅커", "tie": "타이"}
    path = folder / "korean.csv"
    coups.with_columns(pl.col("winner").replace(words)).rename(names).write_csv(path)
    return path, None


def dots(folder: Path, coups: pl.DataFrame) -> Written:
    rows = [
        {"table": row["table"], "shoe": row["shoe"], "round": row["coup"],
         "pk": ",".join(dot(card) if card else "" for card in places(row)), "winner": row["winner"][0].upper()}
        for row in coups.to_dicts()
    ]  # fmt: skip
    path = folder / "dots.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path, None


def result_codes(folder: Path, coups: pl.DataFrame) -> Written:
    """Codes whose order of suits is not stated, followed by the totals."""
    rows = []
    for row in coups.to_dicts():
        cards = [code(card, "dchs") if card else 0 for card in places(row)]
        rows.append({"table": row["table"], "shoe": row["shoe"], "round": row["coup"],
                     "cards": [*cards, -1, -1, *map(total, hands(row))]})  # fmt: skip
    path = folder / "codes.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path, None


def frame(number: int, letter: str, *data: int) -> bytes:
    """A frame of an electronic shoe: 05, a digit, a letter, data, 03, and two hex digits, the XOR of all bytes from the
    digit to 03."""
    inner = bytes([ord(str(number % 10)), ord(letter), *data, 0x03])
    check = 0
    for byte in inner:
        check ^= byte
    return b"\x05" + inner + f"{check:02X}".encode()


def frames(folder: Path, coups: pl.DataFrame) -> Written:
    """The frames of one shoe. The suits are 9 to 12, in the order of `SUITS`. Every third frame comes twice, and every
    second card is repeated by a frame with a small letter. There are also frames for the place of each card, and for
    the start and the end of each coup."""
    sent: list[bytes] = []

    def send(letter: str, *data: int) -> None:
        sent.append(frame(len(sent), letter, *data))

    for row in coups.to_dicts():
        player, banker = hands(row)
        dealt = [(0x81, player[0]), (0x91, banker[0]), (0x82, player[1]), (0x92, banker[1])]
        dealt += [(0x83, card) for card in player[2:]] + [(0x93, card) for card in banker[2:]]
        send("S")
        for at, (place, card) in enumerate(dealt):
            send("D", place)
            send("I", place, 16 * (9 + SUITS.index(card[-1])) + RANKS.index(card[:-1]) + 1)
            if at % 2:
                sent.append(frame(len(sent) - 1, "i", *sent[-1][3:5]))
        send("G", {"banker": 0xC0, "player": 0x90, "tie": 0xA0}[row["winner"]] + row["coup"] % 4)
        send("P")
    twice = [part for at, part in enumerate(sent) for part in [part] * (1 + (at % 3 == 0))]
    path = folder / "shoe.hex"
    path.write_text("\n".join(part.hex(" ") for part in twice))
    return path, "electronic-shoe"


SAME: dict[str, Writer] = {
    "own": csv("own"),
    "semicolons": csv("semicolons", mark=";"),
    "tabs": csv("tabs", mark="\t"),
    "bars": csv("bars", mark="|"),
    "utf-16": encoded("utf-16", "utf-16"),
    "utf-16 without a mark": encoded("utf-16-le", "utf-16-le"),
    "gzip": packed,
    "parquet": parquet("own"),
    "parquet, lists": parquet("lists", lambda coups: coups.with_columns(pl.col("player", "banker").str.split(" "))),
    "sqlite": sqlite,
    "workbook": workbook,
    "json": json_file("array", objects),
    "json lines": json_file("json-lines", objects),
    "json, nested": nested_json,
    "suit first": csv("suit-first", in_words(suit_first)),
    "symbols": csv("symbols", in_words(lambda card: symbol(card) + card[:-1])),
    "symbols last": csv("symbols-last", in_words(lambda card: card[:-1] + symbol(card))),
    "unicode cards": csv("unicode", in_words(unicode_card, "")),
    "joined": csv("joined", in_words(str, "")),
    "bars between": csv("bars-between", in_words(str, "|")),
    "plus between": csv("plus-between", in_words(str, "+")),
    "json in csv": csv("json-in-csv", lambda coups: coups.with_columns(
        pl.Series(name, [json.dumps(text.split()) for text in coups[name]]) for name in ("player", "banker"))),
    "ten as T": csv("ten", in_words(lambda card: card.replace("10", "T").upper())),
    "ten as 0": csv("zero", in_words(lambda card: card.replace("10", "0"))),
    "numbers and suits": csv("numbers", in_words(lambda card: f"{RANKS.index(card[:-1]) + 1}{card[-1]}")),
    "a column a card": csv("columns", in_columns),
    "dots": dots,
    "codes": codes,
    "card rows": card_rows,
    "chinese": chinese,
    "korean": korean,
    "coups from 0": csv("zero-based", lambda coups: coups.with_columns(pl.col("coup") - 1)),
}  # fmt: skip


def by_value(card: str) -> str:
    return str(VALUE[card[:-1]])


def by_number(card: str) -> str:
    return str(RANKS.index(card[:-1]) + 1)


def value_columns(coups: pl.DataFrame) -> pl.DataFrame:
    values = in_columns(each_card(coups, lambda card: f"{by_value(card)}s"))
    return values.with_columns(pl.col("^[pb][123]$").str.strip_chars_end("s"))


LISTS = {"dealt": one_list("dealt"), "player-first": one_list("player-first")}
BY_VALUE: dict[str, Writer] = {
    "values": csv("values", in_words(by_value)),
    "values, tens as 10": csv("tens", in_words(lambda card: "10" if by_value(card) == "0" else by_value(card))),
    "values side by side": csv("side-by-side", in_words(by_value, "")),
    "a value a column": csv("value-columns", value_columns),
    "archive": archive,
}  # fmt: skip
BY_RANK: dict[str, Writer] = {
    "ranks": csv("ranks", in_words(lambda card: card[:-1])),
    "ranks joined": csv("ranks-joined", in_words(lambda card: card[:-1], "")),
    "numbers": csv("rank-numbers", in_words(by_number)),
    "codes without suits": result_codes,
}
