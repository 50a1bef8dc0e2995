"""Logs in layouts that were seen elsewhere: no card is lost, and the audit reads a file as the watch reads its
lines."""

from pathlib import Path

import polars as pl
import pytest
from extent import long_or
from twins import other_logs
from twins.seen_logs import HEADED, ONE_TABLE, SUIT_WORDS, WHOLE, Writer

from counting import Dealing, load_game
from counting.cli import main
from counting.live import COUPS, Watch, WatchSettings, open_input
from counting.live.events import DealtCoup
from counting.live.records import recorded_event
from counting.logs import NO_CARD, PLACES, Layout, load_layout, read_log
from counting.logs.drafting import draft
from counting.reports.audit_text import sentences
from counting.review import audit
from counting.review.synthetic import Flat, deal, log_frames

EZ = load_game("ez-baccarat")
SEEN = WHOLE | HEADED | ONE_TABLE
FEW = [name for name in SEEN if name.partition(", ")[2] not in SUIT_WORDS or name.endswith("Vietnamese")]
Key = tuple[str, str, int]


@pytest.fixture(scope="module")
def coups() -> pl.DataFrame:
    frame, _ = log_frames(deal(EZ, Dealing(), 7, 0, 2), {"anyone": Flat("player", 5)}, EZ, 1)
    return frame.select("table", "shoe", "coup", "player", "banker", "winner").filter(pl.col("coup") <= long_or(25, 14))


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, coups: pl.DataFrame) -> pl.DataFrame:
    return read_log(other_logs.SAME["own"](tmp_path_factory.mktemp("own"), coups)[0]).coups


def written(folder: Path, coups: pl.DataFrame, writer: Writer) -> tuple[Path, Layout | None]:
    path, text = writer(folder, coups)
    if not text:
        return path, None
    (folder / "layout.toml").write_text(text, encoding="utf-8")
    return path, load_layout(folder / "layout.toml")


def keyed_cards(frame: pl.DataFrame) -> dict[Key, list[int]]:
    keys = frame.select(pl.col("table", "shoe").cast(pl.String), "coup").rows()
    return dict(zip(keys, frame.select(PLACES).to_numpy().tolist(), strict=True))


def cards_watched(path: Path, layout: Layout | None, pieces: int) -> dict[Key, list[int]]:
    """The cards of each coup, as answered by a watch that gets `pieces` lines at a time."""
    source = open_input(str(path), COUPS)
    lines = []
    while some := source.read():
        lines += some
    source.close()
    watch = Watch(WatchSettings(EZ, 8, level=0), layout)
    answered: dict[Key, list[int]] = {}
    for at in range(0, len(lines), pieces):
        for answer in watch.take(lines[at : at + pieces]):
            record = answer.record
            if record["did"] in ("coup", "late", "replaced"):
                event = recorded_event(record)
                assert isinstance(event, DealtCoup)
                hands = [[*hand, *[NO_CARD] * (3 - len(hand))] for hand in (event.player, event.banker)]
                answered[record["table"], str(record["shoe"]), record["coup"]] = hands[0] + hands[1]
    assert watch.numbers["bad"] == 0
    return answered


@pytest.mark.parametrize("name", SEEN)
def test_every_card_of_a_seen_form_is_read(tmp_path: Path, coups: pl.DataFrame, own: pl.DataFrame, name: str) -> None:
    path, layout = written(tmp_path, coups, SEEN[name])
    log = read_log(path, None, layout)
    assert log.skipped["coups"] == 0
    tables = log.coups["table"].unique().cast(pl.String).sort().to_list()
    for table in tables:
        read = log.coups.filter(pl.col("table").cast(pl.String) == table)
        assert read.select(PLACES).equals(own.select(PLACES)), log.remarks
        if name not in HEADED and name != "chat":
            assert read["winner"].equals(own["winner"])
    assert tables == (["13", "14"] if name == "keyed" else ["1"] if name in HEADED | ONE_TABLE else ["table 1"])


def is_array(name: str) -> bool:
    return name == "objects in one array"


@pytest.mark.usefixtures("unpriced")
@pytest.mark.parametrize("name", [name for name in FEW if not is_array(name)])
def test_a_watch_reads_the_lines_of_a_seen_form_as_the_audit_reads_the_file(
    tmp_path: Path, coups: pl.DataFrame, name: str
) -> None:
    path, layout = written(tmp_path, coups, SEEN[name])
    assert cards_watched(path, layout, 5) == keyed_cards(read_log(path, None, layout).coups)


@pytest.mark.parametrize("name", FEW)
def test_a_draft_of_a_seen_form_reads_every_card(
    tmp_path: Path, coups: pl.DataFrame, own: pl.DataFrame, name: str
) -> None:
    path, _ = written(tmp_path, coups, SEEN[name])
    text = draft(path)
    (tmp_path / "draft.toml").write_text(text, encoding="utf-8")
    log = read_log(path, None, load_layout(tmp_path / "draft.toml"))
    assert log.skipped["coups"] == 0
    for table in log.coups["table"].unique().to_list():
        read = log.coups.filter(pl.col("table") == table)
        assert read.select(PLACES).equals(own.select(PLACES)), text
    assert log.coups.height == own.height * (1 + (name == "keyed"))
    assert f"# With this layout: {log.coups.height} coups, 0 lines skipped." in text
    assert ('only = { type = "result" }' in text) == (name == "a socket")


def by_card(folder: Path, coups: pl.DataFrame, form: str) -> Path:
    """A file with a row per card: rank and suit of each hand in order, or cards in the order dealt."""
    rows: list[dict[str, object]] = []
    for coup in coups.to_dicts():
        hands = [(side, at, card) for side in ("player", "banker") for at, card in enumerate(coup[side].split(), 1)]
        if form == "dealt":
            hands.sort(key=lambda each: (each[1], each[0] == "banker"))
        for number, (side, at, card) in enumerate(hands, 1):
            key = {name: coup[name] for name in ("table", "shoe", "coup")}
            if form == "dealt":
                key = {"game": f"g{len(rows)}", "table_id": key["table"], "shoe_no": key["shoe"], "round": key["coup"]}
                rows.append({**key, "seq": number, "side": side[0].upper(), "card": card})
            else:
                suit = {"s": "Spades", "h": "Hearts", "d": "Diamonds", "c": "Clubs"}[card[-1]]
                rows.append({**key, "hand": side, "position": at, "rank": card[:-1], "suit": suit})
    path = folder / f"cards.{form if form == 'jsonl' else 'csv'}"
    frame = pl.DataFrame(rows)
    if form == "jsonl":
        frame.write_ndjson(path)
    else:
        frame.write_csv(path)
    return path


@pytest.mark.usefixtures("unpriced")
@pytest.mark.parametrize("form", ["csv", "jsonl", "dealt"])
def test_a_file_with_a_row_per_card_is_read_whole_and_line_by_line(
    tmp_path: Path, coups: pl.DataFrame, own: pl.DataFrame, form: str
) -> None:
    path = by_card(tmp_path, coups, form)
    log = read_log(path)
    assert log.skipped["coups"] == 0
    assert keyed_cards(log.coups) == keyed_cards(own)
    assert any(f"{path}: a row per card: " in look for look in log.looks)
    assert cards_watched(path, None, 1) == keyed_cards(own)
    drafted = draft(path)
    (tmp_path / "draft.toml").write_text(drafted)
    layout = load_layout(tmp_path / "draft.toml")
    assert keyed_cards(read_log(path, None, layout).coups) == keyed_cards(own)
    assert cards_watched(path, layout, 7) == keyed_cards(own)


def test_frames_are_read_line_by_line_and_with_their_suits(
    tmp_path: Path, coups: pl.DataFrame, own: pl.DataFrame
) -> None:
    shoe = coups.filter(pl.col("shoe") == coups["shoe"][0])
    path, _ = other_logs.frames(tmp_path, shoe)
    path.write_text(path.read_text() + "\n")
    (tmp_path / "suits.toml").write_text(draft(path).replace("# suits", "suits"))
    layout = load_layout(tmp_path / "suits.toml")
    read = read_log(path, None, layout).coups
    assert read.select(PLACES).equals(own.head(shoe.height).select(PLACES))
    assert read["winner"].to_list() == shoe["winner"].to_list()
    assert cards_watched(path, layout, 3) == keyed_cards(read)


def test_where_most_lines_are_other_messages_a_draft_is_proposed_and_reads_the_coups(
    tmp_path: Path, coups: pl.DataFrame, own: pl.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = written(tmp_path, coups, SEEN["a socket"])
    for command in (
        ["audit", "ez-baccarat", "--coups", str(path), "--out", str(tmp_path / "out")],
        ["shuffle", str(path)],
    ):
        assert main(command) == 2
        said = capsys.readouterr().out.splitlines()[0]
        assert "counting layouts --draft FILE > ours.toml, and then --layout ours.toml" in said
        assert "--allow-unread" not in said
    assert main(["layouts", "--draft", str(path)]) == 0
    (tmp_path / "ours.toml").write_text(capsys.readouterr().out)
    read = audit(read_log(path, None, load_layout(tmp_path / "ours.toml")), EZ, 8)
    assert (read.coverage["coups"], read.coverage["coup_lines_skipped"], read.unread) == (own.height, 0, [])


def test_few_lines_without_cards_are_no_other_messages(tmp_path: Path, coups: pl.DataFrame) -> None:
    coups.with_columns(player=pl.when(pl.col("coup") % 20 == 3).then(pl.lit("")).otherwise("player")).write_csv(
        tmp_path / "gaps.csv"
    )
    said = sentences(audit(read_log(tmp_path / "gaps.csv"), EZ, 8))[0]
    assert said.endswith("To allow another share of cards, coups and bets, set “Allowed unread” (allow-unread).")
    assert "--draft" not in said
