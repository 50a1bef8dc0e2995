"""Logs in forms seen in public repositories. Every form has the same coups, and was written from a description of the
form.

A writer takes coups in the project's own layout, and writes them into a file. It returns the file, and its layout as
TOML; the layout is empty if the reader recognises the form by itself.
"""

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
from twins.other_logs import hands, total

Writer = Callable[[Path, pl.DataFrame], tuple[Path, str]]

SUIT_WORDS = {
    "English": ("Spades", "Hearts", "Diamonds", "Clubs"),
    "German": ("Pik", "Herz", "Karo", "Kreuz"),
    "French": ("Pique", "Cœur", "Carreau", "Trèfle"),
    "Spanish": ("Picas", "Corazones", "Diamantes", "Tréboles"),
    "Italian": ("Picche", "Cuori", "Quadri", "Fiori"),
    "Portuguese": ("Espadas", "Copas", "Ouros", "Paus"),
    "Chinese": ("黑桃", "红桃", "方块", "梅花"),
    "Japanese": ("スペード", "ハート", "ダイヤ", "クラブ"),
    "Korean": ("스페이드", "하트", "다이아몬드", "클럽"),
    "Vietnamese": ("Bích", "Cơ", "Rô", "Chuồn"),
    "Russian": ("Пики", "Червы", "Бубны", "Трефы"),
}
EMOJI = dict(zip("shdc", ("♠️", "♥️", "♦️", "♣️"), strict=True))


def suit(card: str, language: str = "English") -> str:
    return SUIT_WORDS[language]["shdc".index(card[-1])]


def objects(hand: list[str], language: str | None = None) -> list[dict[str, str]]:
    """The cards of a hand as objects such as `{"rank": "K", "suit": "h"}`. `language`: write suits as words."""
    return [{"rank": card[:-1], "suit": suit(card, language) if language else card[-1]} for card in hand]


def of_objects(rows: pl.DataFrame, language: str | None = None) -> list[dict[str, object]]:
    listed = []
    for row in rows.to_dicts():
        player, banker = (objects(hand, language) for hand in hands(row))
        listed.append({"table": row["table"], "shoe": row["shoe"], "coup": row["coup"], "player": player,
                       "banker": banker, "winner": row["winner"]})  # fmt: skip
    return listed


def lines(path: Path, values: list[object]) -> Path:
    path.write_text("".join(f"{json.dumps(value, ensure_ascii=False)}\n" for value in values), encoding="utf-8")
    return path


def object_lines(language: str | None = None) -> Writer:
    return lambda folder, coups: (lines(folder / "objects.jsonl", list(of_objects(coups, language))), "")


def object_array(folder: Path, coups: pl.DataFrame) -> tuple[Path, str]:
    """One JSON array on one line, as `json.dump` writes it."""
    path = folder / "objects.json"
    path.write_text(json.dumps(of_objects(coups)))
    return path, ""


def two_columns(language: str) -> Writer:
    """Two columns for each card, with its rank and its suit. Suits are words."""

    def write(folder: Path, coups: pl.DataFrame) -> tuple[Path, str]:
        rows = []
        for row in coups.to_dicts():
            cells = {name: row[name] for name in ("table", "shoe", "coup")}
            for side, hand in zip(("player", "banker"), hands(row), strict=True):
                for at, card in enumerate([*hand, ""][:3], 1):
                    cells[f"{side}_card_{at}_rank"] = card[:-1]
                    cells[f"{side}_card_{at}_suit"] = suit(card, language) if card else ""
            rows.append(cells | {"winner": row["winner"]})
        path = folder / "suits.csv"
        pl.DataFrame(rows).write_csv(path)
        return path, ""

    return write


def in_a_text(language: str) -> Writer:
    """Hands as texts such as `9 Hearts, K Spades`."""

    def write(folder: Path, coups: pl.DataFrame) -> tuple[Path, str]:
        path = folder / "texts.csv"
        spelled = {
            name: [", ".join(f"{card[:-1]} {suit(card, language)}" for card in text.split()) for text in coups[name]]
            for name in ("player", "banker")
        }
        coups.with_columns(pl.Series(name, texts) for name, texts in spelled.items()).write_csv(path)
        return path, ""

    return write


def socket(folder: Path, coups: pl.DataFrame) -> tuple[Path, str]:
    """The messages of a web socket, each on a line of JSON: a new game, a table's state, and a result."""
    messages: list[object] = []
    for row in coups.to_dicts():
        player, banker = hands(row)
        key = {"table": row["table"], "shoe": row["shoe"], "round": row["coup"]}
        messages.append({"type": "new_game", **key})
        messages += [{"type": "state", **key, "player": player[:at], "banker": banker[:at]} for at in (0, 1, 2)]
        messages += [{"type": "ping"}, {"type": "result", **key, "player": player, "banker": banker,
                                        "winner": row["winner"]}]  # fmt: skip
    layout = '[file]\nonly = { type = "result" }\n[coups]\ncoup = "round"\n'
    return lines(folder / "socket.jsonl", messages), layout


def keyed(folder: Path, coups: pl.DataFrame) -> tuple[Path, str]:
    """Messages with a key for each table. One of the tables deals another game. Shoe and coup are in the same field."""
    messages: list[object] = []
    for row in coups.to_dicts():
        player, banker = hands(row)
        for at in (1, 3):
            state = {"rn": f"{row['shoe']}-{row['coup']}", "p": player[:at], "b": banker[:at],
                     "w": row["winner"] if at == 3 else None}  # fmt: skip
            messages.append({"sl": {"13": state, "14": state, "21": {"rn": "4-9", "number": 17}}})
        messages.append({"time": 5})
    layout = (
        '[file]\nrows = "sl.*"\nonly = { p = "*" }\nsplit = { rn = "(?P<shoe>[0-9]+)-(?P<coup>[0-9]+)" }\n'
        '[coups]\ntable = "*"\nplayer = "p"\nbanker = "b"\nwinner = "w"\n[numbers]\nrepeated = "last"\n'
    )
    return lines(folder / "keyed.jsonl", messages), layout


def chat_line(row: dict[str, str], number: int, mark: str = "✅", is_before: bool = True) -> str:
    """A coup as a line of a chat, such as `#N1248 ✅9 (K♥️ 9♦️) - 7 (A♠️ 6♣️)`. The winner's mark is before the winner's
    total or after the winner's cards."""
    marks = {"player": (mark, ""), "banker": ("", mark), "tie": ("", "")}[row["winner"]]
    sides = []
    for won, hand in zip(marks, hands(row), strict=True):
        side = f"{total(hand)} ({' '.join(card[:-1] + EMOJI[card[-1]] for card in hand)})"
        sides.append(f"{won}{side}" if is_before else f"{side} {won}".strip())
    return f"#N{number} {sides[0]} - {sides[1]}"


def chat(folder: Path, coups: pl.DataFrame) -> tuple[Path, str]:
    """Lines of a chat. The coups' numbers run on from shoe to shoe, and there is talk between the coups."""
    said = ["Welcome to the table!"]
    for at, row in enumerate(coups.to_dicts()):
        said.append(chat_line(row, 1248 + at))
        said += ["nice (very)"] * (at % 9 == 0)
    path = folder / "chat.txt"
    path.write_text("\n".join(said) + "\n", encoding="utf-8")
    layout = (
        "[file]\nline = '#N(?P<coup>[0-9]+).*?\\((?P<player>[^)]*)\\).*?\\((?P<banker>[^)]*)\\)'\n"
        '[coups]\ntable = "constant"\nshoe = "constant"\n'
    )
    return path, layout


def headed(*names: str) -> Writer:
    """Coups under these headings, for the coup's number and for cards: a column for each hand, or a column for each
    card."""

    def write(folder: Path, coups: pl.DataFrame) -> tuple[Path, str]:
        rows = []
        for row in coups.to_dicts():
            player, banker = hands(row)
            cards = [*[*player, ""][:3], *[*banker, ""][:3]] if len(names) > 5 else [row["player"], row["banker"]]
            rows.append([row["shoe"], row["coup"], *cards])
        path = folder / "headed.csv"
        pl.DataFrame(rows, ["shoe", *names], orient="row").write_csv(path)
        return path, ""

    return write


WHOLE: dict[str, Writer] = {
    "objects, a line each": object_lines(),
    "objects, suits in words": object_lines("English"),
    "objects in one array": object_array,
    **{f"two columns, {language}": two_columns(language) for language in SUIT_WORDS},
    **{f"a text, {language}": in_a_text(language) for language in SUIT_WORDS},
    "a socket": socket,
}
HEADED: dict[str, Writer] = {
    "hand_number, player_cards": headed("hand_number", "player_cards", "banker_cards"),
    "round_no": headed("round_no", "Player Hand", "Banker Hand"),
    "rounds": headed("rounds", "playerCards", "bankerCards"),
    "COUNTER": headed("COUNTER", "P", "B"),
    "Player Card 1": headed("round_no", *(f"{side} Card {at}" for side in ("Player", "Banker") for at in (1, 2, 3))),
    "pcard1": headed("COUNTER", *(f"{side}card{at}" for side in "pb" for at in (1, 2, 3))),
}
ONE_TABLE: dict[str, Writer] = {"keyed": keyed, "chat": chat}
