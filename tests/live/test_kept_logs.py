"""Logs as others keep them: no card and no bet is lost, and the audit reads a file as the watch reads its lines."""

import json
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest
from extent import long_or
from twins.kept_logs import LAYOUTS, Kept

from counting import Dealing, InputError, load_game
from counting.live import COUPS, Watch, WatchSettings, open_input
from counting.live.events import DealtCoup, StakedBet
from counting.live.records import BETS, CARDS, InputLine, recorded_event
from counting.logs import NO_CARD, PLACES, TEN_OR_FACE, UNREAD, Layout, cards_beside, load_layout, read_log
from counting.review.synthetic import Flat, deal, log_frames

EZ = load_game("ez-baccarat")
STAKES = (2500, 100000, 73245, 1234550, 100, 99999999)  # hundredths
COUPS_EACH = long_or(20, 8)
Key = tuple[str, str, int]
Cards = dict[Key, list[int]]
Bets = list[tuple[object, ...]]
WATCHED = (".csv", ".jsonl")


@pytest.fixture(scope="module")
def frames() -> tuple[pl.DataFrame, pl.DataFrame]:
    """The first coups of each of three shoes, and a bet on each coup."""
    dealt = deal(EZ, Dealing(), 7, 0, 3)
    coups, bets = (
        frame.filter(pl.col("coup") <= COUPS_EACH) for frame in log_frames(dealt, {"Ann": Flat("player", 1)}, EZ, 1)
    )
    amount = pl.Series([STAKES[at % len(STAKES)] for at in range(bets.height)])
    bets = bets.with_columns(amount=amount, won=(amount * pl.col("won").sign()).cast(pl.Int64))
    return coups.drop("burn"), bets


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, frames: tuple[pl.DataFrame, pl.DataFrame]) -> pl.DataFrame:
    """The coups, as the audit reads them in the project's own form."""
    path = tmp_path_factory.mktemp("own") / "own.csv"
    frames[0].write_csv(path)
    return read_log(path).coups


def known(cards: pl.DataFrame, known: str) -> pl.DataFrame:
    """The cards, with only as much known of each as `known` names."""
    ranks = {4 * rank + suit: 52 + rank for rank in range(13) for suit in range(4)}
    values = {code: TEN_OR_FACE if rank >= 52 + 9 else rank for code, rank in ranks.items()}
    if known == "nothing":
        codes = {place: NO_CARD if place.endswith("3") else UNREAD for place in PLACES}
        return cards.select(pl.col(place) * 0 + pl.lit(code, pl.Int8) for place, code in codes.items())
    return cards.select(pl.col(PLACES).replace({"card": {}, "rank": ranks, "value": values}[known]))


def layout_of(kept: Kept) -> Layout | None:
    if "\n" not in kept.layout:
        return load_layout(kept.layout) if kept.layout else None
    path = kept.coups.with_suffix(".toml")
    path.write_text(kept.layout, encoding="utf-8")
    return load_layout(path)


def watched(kept: Kept, layout: Layout | None) -> tuple[Cards, Bets]:
    """The cards of each coup and the bets, as a watch answers them. The watch gets each input in as many shares as
    there are coups."""
    paths = {COUPS: kept.coups, BETS: kept.bets}
    if layout is not None and layout.card_rows is not None:
        paths[CARDS] = cards_beside(kept.coups, layout.card_rows)
    lines: dict[int, list[InputLine]] = {of: [] for of, path in paths.items() if path is not None}
    for of, each in lines.items():
        with closing(open_input(str(paths[of]), of)) as source:
            while some := source.read():
                each += some
    watch, cards, bets = Watch(WatchSettings(EZ, 8, level=0), layout), dict[Key, list[int]](), Bets()
    number = len(lines[COUPS])
    for at in range(number):
        some = [line for of in (CARDS, BETS, COUPS) for each in [lines.get(of, [])]
                for line in each[len(each) * at // number : len(each) * (at + 1) // number]]  # fmt: skip
        for answer in watch.take(some):
            event = recorded_event(answer.record)
            where = (answer.record.get("table"), str(answer.record.get("shoe")), answer.record.get("coup"))
            if isinstance(event, DealtCoup):
                hands = [[*hand, *[NO_CARD] * (3 - len(hand))] for hand in (event.player, event.banker)]
                cards[where] = hands[0] + hands[1]
            elif isinstance(event, StakedBet):
                bets.append((*where, event.patron, event.bet, event.amount))
    watch.end()
    assert not {"bad", "old", "again"} & watch.numbers.keys()
    return cards, bets


@pytest.mark.usefixtures("undamaged", "unpriced")
@pytest.mark.parametrize("name", LAYOUTS)
def test_no_card_and_no_bet_of_a_kept_form_is_lost(
    tmp_path: Path, frames: tuple[pl.DataFrame, pl.DataFrame], own: pl.DataFrame, name: str
) -> None:
    coups, bets = frames
    kept = LAYOUTS[name](tmp_path, coups.to_dicts(), bets.to_dicts())
    layout = layout_of(kept)
    log = read_log(kept.coups, kept.bets, layout)
    number = COUPS_EACH if "object" in name else own.height
    assert known(log.coups, "card").equals(known(own.head(number), kept.known)), log.remarks
    assert set(log.skipped.values()) == {0}
    if name.startswith(("winner", "results alone")):
        assert log.coups["winner"].equals(own["winner"])
    if kept.bets is not None:
        has = ("amount", "won") if kept.won else ("amount",)
        assert log.bets.select(has).equals(bets.select(has).cast(pl.Int64))
    if kept.coups.suffix in WATCHED:
        cards, placed = watched(kept, layout)
        where = [pl.col("table", "shoe").cast(pl.String), pl.col("coup")]
        assert cards == dict(zip(log.coups.select(where).rows(), log.coups.select(PLACES).to_numpy().tolist(),
                                 strict=True))  # fmt: skip
        assert placed == log.bets.select(*where, pl.col("patron", "bet").cast(pl.String), "amount").rows()


def test_records_that_are_no_coups_may_come_first(tmp_path: Path, frames: tuple[pl.DataFrame, pl.DataFrame]) -> None:
    """A watch that gets single lines reads on if nine records without a coup come first. It refuses ten, or fewer if
    the input ends after them."""
    greetings = [{"type": "hello", "at": at} for at in range(12)]
    coups = frames[0].to_dicts()
    for number in (9, 10, 3):
        file = tmp_path / "stream.jsonl"
        file.write_text("".join(f"{json.dumps(record)}\n" for record in [*greetings[:number], *coups]))
        with closing(open_input(str(file), COUPS)) as source:
            lines = source.read()
        watch = Watch(WatchSettings(EZ, 8), None, {COUPS: "stream"})
        if number == 10:
            with pytest.raises(InputError, match="stream: columns shoe, coup, player, banker missing"):
                [watch.take([line]) for line in lines]
            continue
        some = lines if number == 9 else lines[:number]
        answers = [answer.record for line in some for answer in watch.take([line])]
        if number == 9:
            watch.end()
            assert sum(record["did"] == "coup" for record in answers) == len(coups)
            assert watch.numbers["bad"] == 9
        else:
            assert answers == []
            with pytest.raises(InputError, match=r"stream: columns .* missing"):
                watch.end()
