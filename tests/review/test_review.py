"""The audit of a table's log: edges and stakes by hand, who is flagged and who is not, what was not read, the page."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import groupby
from math import log as ln
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from extent import LONG, long_or

from counting import InputError, Shoe, exact_edges, load_game
from counting.cli import main
from counting.games import Game
from counting.logs import Log, read_log
from counting.reports import render
from counting.reports.audit import report
from counting.reports.audit_text import sentences
from counting.reports.publish import publish
from counting.review import ARRANGED, FOLLOWS, KNOWS, Audit, PatronSettings, audit, missing_game
from counting.review.dealing.game_fit import GameFit
from counting.review.patrons import arrangements
from counting.review.patrons.best_count import told_by
from counting.review.patrons.edge_following import FEW_SHOES
from counting.review.patrons.patron_stakes import stakes_of
from counting.review.synthetic import Counter, Flat, Patron, Progressive, Sorter, Trend, Visitor, deal, log_frames
from counting.review.unseen_cards import UnseenCards, unseen_edges
from counting.review.winning_streaks import Streaks
from counting.simulation import Dealing
from counting.systems import load_system

EZ = load_game("ez-baccarat")
JACOBSON = Dealing.named("jacobson", 8)
DRAGON = load_system("dragon-7")
SHOES = long_or(60, 40)  # of the log that several tests look at


@pytest.fixture
def drawn_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are drawn for a wide page only; with --long, for a phone too."""
    if not LONG:
        monkeypatch.setattr("counting.reports.drawing._narrow", lambda *_: "")


@pytest.fixture
def few_arrangements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patrons seen in only two shoes are tested on the usual number of arrangements. For tests that are not about
    p-values."""
    monkeypatch.setitem(FEW_SHOES, 2, ARRANGED)


def logged(folder: Path, patrons: dict[str, Patron], shoes: int = 12, seed: int = 7, game: Game = EZ) -> Log:
    coups, bets = log_frames(deal(game, JACOBSON, seed, 0, shoes), patrons, game, 1)
    return spoiled(folder, coups, bets)


def spoiled(folder: Path, coups: pl.DataFrame, bets: pl.DataFrame) -> Log:
    coups.write_csv(folder / "coups.csv")
    bets.write_csv(folder / "bets.csv")
    return read_log(folder / "coups.csv", folder / "bets.csv")


def test_the_cards_left_at_a_shoes_end(tmp_path: Path) -> None:
    """In a shoe's last coup, a fourth card in a hand counts as dealt, so it is not left in the shoe."""
    log = tmp_path / "coups.csv"
    log.write_text("table,shoe,coup,player,banker\n1,1,1,9h Kd,7s Kc\n1,1,2,2h 3d Ks,4s Ac Kh 2c\n")
    assert audit(read_log(log), EZ, 8).coverage["left_at_end"] == 8 * 52 - 4 - 7


def test_the_unseen_by_hand(tmp_path: Path) -> None:
    """Cards of missing coups and unread cards count as unseen. Burned cards that were shown and cards without a suit do
    not."""
    coups, bets = log_frames(deal(EZ, JACOBSON, 3, 0, 3), {"one": Flat("dragon-7", 5)}, EZ, 1)
    rng = np.random.default_rng(1)
    coups = coups.filter(pl.Series(rng.random(len(coups)) < 0.9) | (pl.col("coup") == 1))
    hands = [
        [" ".join(rng.choice([c, c[:-1], "?"], p=[0.8, 0.1, 0.1]) for c in hand.split()) for hand in coups[name]]
        for name in ("player", "banker")
    ]
    coups = coups.with_columns(pl.Series("player", hands[0]), pl.Series("banker", hands[1]))
    log = spoiled(tmp_path, coups, bets.join(coups, on=["table", "shoe", "coup"], how="semi"))
    unseen = UnseenCards(log, 8)
    lost = int((pl.Series(hands[0] + hands[1]).str.count_matches(r"\?")).sum())
    assert (unseen.unread, unseen.missing) == (
        lost,
        coups.group_by("shoe").agg(pl.col("coup").max())["coup"].sum() - len(coups),
    )
    edge = unseen_edges(unseen, EZ, "dragon-7")
    pairs = EZ.also(["player-pair"])
    of_pair = unseen_edges(unseen, pairs, "player-pair")
    row = 0
    for _, of_shoe in groupby(coups.iter_rows(named=True), key=lambda coup: coup["shoe"]):
        seen: list[str] = []
        for coup in of_shoe:
            if coup["burn"] is not None and not seen:
                seen += [card for card in coup["burn"].split() if card != "?"]
            shoe = Shoe.decks(8).without([card.rstrip("shdc") for card in seen])
            assert unseen.cards[row] == shoe.cards_left
            if row % 7 == 0:
                assert edge[row] == pytest.approx(float(exact_edges(EZ, shoe)["dragon-7"]), abs=1e-14)
                assert of_pair[row] == pytest.approx(float(exact_edges(pairs, shoe)["player-pair"]), abs=1e-14)
            seen += [card for card in f"{coup['player']} {coup['banker']}".split() if card != "?"]
            row += 1
    assert row == len(coups)


def test_suits_are_needed_for_some_bets_only(tmp_path: Path) -> None:
    coups, bets = log_frames(deal(EZ, JACOBSON, 3, 0, 2), {"one": Flat("dragon-7", 5)}, EZ, 1)
    plain = [hand if shoe == 0 or coup < 9 else re.sub("[shdc]", "", hand)
             for shoe, coup, hand in coups.select("shoe", "coup", "player").rows()]  # fmt: skip
    unseen = UnseenCards(spoiled(tmp_path, coups.with_columns(pl.Series("player", plain)), bets), 8)
    game = EZ.also(["perfect-pair"])
    priced = ~np.isnan(unseen_edges(unseen, game, "perfect-pair"))
    first = unseen.start[1]
    assert priced[: first + 9].all()
    assert not priced[first + 9 :].any()
    assert not np.isnan(unseen_edges(unseen, game, "dragon-7")).any()


def test_cards_that_the_shoe_cannot_have_had_are_not_priced(tmp_path: Path) -> None:
    coups, bets = log_frames(deal(EZ, JACOBSON, 3, 0, 2), {"one": Flat("dragon-7", 5)}, EZ, 1)
    log = spoiled(tmp_path, coups, bets)
    unseen = UnseenCards(log, 1)  # with one deck, more cards of a value are soon seen than it has
    edge, left = unseen_edges(unseen, EZ, "dragon-7"), unseen.values
    possible = (left >= 0).all(axis=1) & (left.sum(axis=1) >= 6)
    assert (np.isnan(edge) == ~possible).all()
    assert 2 < possible.sum() < 40
    patron = audit(log, EZ, 1, allow_unread=1).patrons.row(0, named=True)
    assert patron["coups"] == possible.sum()


def test_stakes_by_hand(tmp_path: Path) -> None:
    patrons = {"a": Flat("dragon-7", 5, 0.3), "b": Trend(("player", "dragon-7"), 2.5, 1)}
    log = logged(tmp_path, patrons, 4)
    twice = log.bets.head(1).with_columns(line=pl.lit(9999, pl.Int32))
    log = Log(log.coups, pl.concat([log.bets, twice]), log.remarks)
    unseen = UnseenCards(log, 8)
    by_patron = {
        (patron_stakes.patron, patron_stakes.bet): patron_stakes for patron_stakes in stakes_of(log, unseen, EZ)
    }
    assert set(by_patron) == {("a", "dragon-7"), ("b", "player"), ("b", "dragon-7")}
    for (patron, bet), patron_stakes in by_patron.items():
        his = log.bets.filter(pl.col("patron") == patron)
        shoes = set(his["shoe"])
        rows = [i for i, shoe in enumerate(log.coups["shoe"]) if shoe in shoes]
        assert patron_stakes.rows.tolist() == rows
        for row, stake in zip(rows, patron_stakes.stakes, strict=True):
            coup = log.coups.row(row, named=True)
            at = his.filter(pl.col("bet") == bet, pl.col("shoe") == coup["shoe"], pl.col("coup") == coup["coup"])
            assert stake == at["amount"].sum() / 100
        assert patron_stakes.won == pytest.approx(his.filter(pl.col("bet") == bet)["won"].sum() / 100)
        stakes, first = patron_stakes.stakes, int((patron_stakes.end - patron_stakes.start)[:2].sum())
        assert patron_stakes.at(7, 100).tolist() == stakes[7:100].tolist()
        assert patron_stakes.of_first(2).stakes.tolist() == stakes[:first].tolist()


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    patrons: dict[str, Patron] = {
        "counts": Counter("dragon-7", 100, DRAGON),
        "covers": Counter("dragon-7", 100, DRAGON, cover=0.3),
        "level 1": Counter("dragon-7", 100, load_system("dragon-7-level-1")),
        "knows": Counter("dragon-7", 100),
        "<b>flat</b>": Flat("dragon-7", 25, 0.3),
        "=SUM(A1)": Flat("player", 25),
        "late": Visitor("dragon-7", 25, 60),
        "doubles": Progressive("banker", 25, 2, 800),
        "trend": Trend(("player", "banker", "dragon-7"), 25),
        "sorts": Sorter("player", 100),
    }
    steps: list[tuple[int, int]] = []
    log = logged(tmp_path_factory.mktemp("audit"), patrons, SHOES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrangements, "PRICES", long_or(arrangements.PRICES, arrangements.PRICES // 2))
        reviewed = audit(log, EZ, 8, JACOBSON, progress=lambda done, total: steps.append((done, total)))
    assert steps == sorted(steps)
    assert {total for _, total in steps} == {SHOES * (1 + log.bets["bet"].n_unique())}
    assert steps[0][0] == 0
    assert steps[-1][0] == steps[-1][1]
    assert len(set(steps)) > 10  # enough to estimate the time left
    return reviewed


def test_counters_and_sorters_are_flagged_and_nobody_else(audited: Audit) -> None:
    counters = {"counts", "covers", "level 1", "knows"}
    assert dict(audited.flagged.select("patron", "flagged_for").rows()) == {
        **dict.fromkeys(counters, FOLLOWS),
        "sorts": KNOWS,
    }
    assert audited.flagged["patron"][0] == "sorts"
    assert audited.flagged["knows_by"][0] == "most by Player's first card"
    by = {row["patron"]: row for row in audited.patrons.iter_rows(named=True)}
    assert (by["counts"]["count_used"], by["counts"]["trigger"]) == ("dragon-7", 4.0)
    assert (by["counts"]["bets_at_trigger"], by["counts"]["coups_at_trigger"]) == (1.0, 1.0)
    assert by["covers"]["count_used"] == "dragon-7"
    assert by["covers"]["bets_at_trigger"] == pytest.approx(0.7, abs=0.05)
    assert by["level 1"]["count_used"] == "dragon-7-level-1"
    assert by["knows"]["count_used"] == "perfect"
    assert by["knows"]["on_positive"] == 1
    assert by["=SUM(A1)"]["p_follows"] == 1  # this patron stakes the same on every coup
    assert by["counts"]["correlation"] > by["covers"]["correlation"] > 0.2 > abs(by["<b>flat</b>"]["correlation"])


def test_a_row_by_hand(audited: Audit) -> None:
    row = audited.patrons.filter(pl.col("patron") == "covers").row(0, named=True)
    unseen = UnseenCards(audited.log, 8)
    patron_stakes = next(o for o in stakes_of(audited.log, unseen, EZ) if o.patron == "covers")
    edge = unseen_edges(unseen, EZ, "dragon-7")[patron_stakes.rows]
    shoe = unseen.shoe[patron_stakes.rows]
    assert row["gain"] == pytest.approx(float(patron_stakes.stakes @ edge))
    by_shoe = [(patron_stakes.stakes[shoe == s], edge[shoe == s]) for s in np.unique(shoe)]
    assert row["random"] == pytest.approx(sum(a.sum() * e.mean() for a, e in by_shoe))
    variance = sum(((a - a.mean()) ** 2).sum() * ((e - e.mean()) ** 2).sum() / (len(a) - 1) for a, e in by_shoe)
    assert row["z"] == pytest.approx((row["gain"] - row["random"]) / variance**0.5)
    off = [(a - a.mean(), e - e.mean()) for a, e in by_shoe]
    a, e = (np.concatenate(parts) for parts in zip(*off, strict=True))
    assert row["correlation"] == pytest.approx(np.corrcoef(a, e)[0, 1])
    assert row["staked"] == patron_stakes.stakes.sum()
    assert row["gain_units"] == pytest.approx(row["gain"] / patron_stakes.stakes[patron_stakes.stakes > 0].mean())
    assert row["coups_positive"] == pytest.approx((edge > 0).mean())
    assert (row["shoes"], row["coups"], row["bets"]) == (len(by_shoe), len(edge), (patron_stakes.stakes > 0).sum())
    assert row["edge"] == pytest.approx(
        sum(s * e for s, e in zip(patron_stakes.stakes, edge, strict=True)) / patron_stakes.stakes.sum()
    )
    assert row["edge_random"] == pytest.approx(np.mean(unseen_edges(unseen, EZ, "dragon-7")))
    positive = [e for e in edge if e > 0]
    assert row["edge_counter"] == pytest.approx(sum(positive) / len(positive))


def test_results_by_hand(tmp_path: Path) -> None:
    """Wins and losses in a row, for a main bet and for bets on the first cards. A result that cannot be known counts as
    a push: the hand is unread, has a wrong number of cards, or has no suits where the bet needs them."""
    coups, bets = log_frames(deal(EZ, JACOBSON, 3, 0, 4), {"one": Flat("dragon-7", 5)}, EZ, 1)
    game = EZ.also(["player-pair", "perfect-pair"])
    lost, plain = {(1, 7): "? ?", (2, 9): "9h"}, (3, 11)
    keys = coups.select("shoe", "coup").rows()
    hands = [lost.get(key, hand) for key, hand in zip(keys, coups["player"], strict=True)]
    hands[keys.index(plain)] = re.sub("[shdc]", "", hands[keys.index(plain)])
    log = spoiled(tmp_path, coups.with_columns(pl.Series("player", hands)), bets)
    results = Streaks(log, UnseenCards(log, 8), game)

    def paid(bet: str, player: list[str], banker: list[str], winner: str) -> int:
        if bet == "player":
            return {"player": 1, "tie": 0, "banker": -1}[winner]
        if bet == "player-pair":
            return 1 if player[0].rstrip("shdc") == player[1].rstrip("shdc") else -1
        return 1 if player[0] == player[1] or banker[0] == banker[1] else -1

    for bet in ("player", "player-pair", "perfect-pair"):
        run, expected = 0, []
        for key, hand, other, winner in zip(keys, hands, coups["banker"], coups["winner"], strict=True):
            run = 0 if key[1] == 1 else run
            expected.append(run)
            is_known = key not in lost and (key != plain or bet != "perfect-pair")
            won = paid(bet, hand.split(), other.split(), winner) if is_known else 0
            run = max(run, 0) + 1 if won > 0 else min(run, 0) - 1 if won < 0 else run
        assert results.of(bet).tolist() == expected


@pytest.mark.long
def test_few_shoes_have_more_arrangements_and_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert FEW_SHOES == {1: 9_999, 2: 999, 3: 199}
    monkeypatch.setitem(FEW_SHOES, 1, long_or(9_999, 199))
    level = 1 / (FEW_SHOES[1] + 1)
    log = logged(tmp_path, {"knows": Counter("dragon-7", 100)}, 3)
    audited = audit(log, EZ, 8)
    row = audited.patrons.row(0, named=True)
    arranged = FEW_SHOES.get(row["shoes"], ARRANGED) + 1
    assert row["least_p"] == pytest.approx(arranged ** -row["shoes"], rel=0.5)
    coups = log.coups.filter(pl.col("shoe") == log.bets["shoe"][0])
    alone = Log(coups, log.bets.join(coups, on=["table", "shoe", "coup"], how="semi"), log.remarks)
    reviewed = audit(alone, EZ, 8, None, PatronSettings(level))
    row = reviewed.patrons.row(0, named=True)
    assert (row["shoes"], row["can_be_flagged"], row["flagged"]) == (1, False, False)
    said = sentences(reviewed)
    assert (
        "1 patron could not be flagged for following the edge on one or more bets, because there are too few shoes or "
        "the stakes hardly vary. For these bets, the log cannot show whether the stakes follow the edge." in said
    )
    assert not any("knows" in s.split() for s in said)
    assert audit(alone, EZ, 8, None, PatronSettings(0.1)).patrons["can_be_flagged"].item()


def test_a_patron_s_p_values_are_his_own(tmp_path: Path) -> None:
    """A patron's p-values do not depend on the other patrons or on the order of the lines."""
    log = logged(tmp_path, {"a": Flat("dragon-7", 5, 0.2), "b": Flat("dragon-7", 5, 0.4)}, long_or(20, 8))
    both = audit(log, EZ, 8).patrons.filter(pl.col("patron") == "b").drop("p_holm", "can_be_flagged")
    alone = Log(log.coups, log.bets.filter(pl.col("patron") == "b").reverse(), log.remarks)
    assert audit(alone, EZ, 8).patrons.drop("p_holm", "can_be_flagged").equals(both)


def test_the_count_that_tells_best_by_hand() -> None:
    rng = np.random.default_rng(4)
    edge, reached = rng.normal(size=300) - 1, rng.integers(0, 12, 300).astype(np.int32)
    more = (reached >= 9) ^ (rng.random(300) < 0.1)
    system = DRAGON.model_copy(update={"triggers": tuple(float(t) for t in range(11)), "trigger": 4.0})
    p_value = told_by(more, edge, [(system, reached)])

    def likelihood(rows: Any) -> float:
        n, k = len(rows), int(rows.sum())
        return sum(x * ln(x / n) for x in (k, n - k) if x)

    splits = {("perfect", 0.0): edge > 0} | {("dragon-7", float(t)): reached > t for t in range(11)}
    best = max(
        (key for key, at in splits.items() if 0 < at.sum() < 300 and more[at].mean() > more[~at].mean()),
        key=lambda key: likelihood(more[splits[key]]) + likelihood(more[~splits[key]]),
    )
    assert p_value[:2] == best == ("dragon-7", 8.0)
    at = splits[best]
    assert p_value[2:] == pytest.approx((more[at].sum() / more.sum(), more[at].mean()))
    assert told_by(np.ones(300, np.bool_), edge, [(system, reached)]) == (None, None, None, None)
    low = reached < 3  # bets at low counts, so no trigger of the count explains the bets
    assert told_by(low, np.full(300, -1.0), [(system, reached)]) == (None, None, None, None)


@pytest.mark.usefixtures("drawn_wide")
def test_the_page(audited: Audit, tmp_path: Path, whole_page: Callable[[str], None]) -> None:
    of_log = report(audited, {"coups.csv": "a1b2"}, "counting audit <x>")
    (tmp_path / "out").mkdir()
    publish(of_log, tmp_path / "out")
    text = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "&lt;b&gt;flat&lt;/b&gt;" in text
    assert "<b>flat" not in text
    assert "counting audit &lt;x&gt;" in text
    whole_page(text)
    said = sentences(audited)
    assert "Patrons: 5 of 10 flagged, at a level of 0.01 for all tests together: sorts, " in said[0]
    (counts,) = (s for s in said if s.startswith("counts follows the edge on "))
    assert re.match(
        r'counts follows the edge on "Dragon 7, 40 to 1": the mean edge of the stakes is \+\d\.\d%\. It would be '
        r"-[67]\.\d% for random stakes in this log, and \+\d\.\d% for a perfect counter who bets the same amount "
        r"at every positive edge in these shoes\. The patron made [\d,]+ bets, of 100 on average, ",
        counts,
    )
    assert re.search(
        r" Results, totals, third cards, pairs and time do not explain the stakes \(p < 0\.0001\)\. The cards "
        r"of a single value do not explain them either; (eights|nines) come nearest \(p < 0\.0001\)\. The stakes are "
        r"best described by the count dragon-7 at 4 or more: 100% of the larger bets are on coups with this count, "
        r"and 100% of these coups have a larger bet\.$",
        counts,
    )
    assert sum("outside this guarantee" in s for s in said) == 1
    assert sum("The chance that it does so for one or more of them is at most 0.01." in s for s in said) == 1
    sorts = next(s for s in said if s.startswith("sorts seems to know the coming cards: the evidence is "))
    assert "most of it by Player's first card; " in sorts
    assert re.search(
        rf"At least half of the evidence came from [0-9]+ shoes of {SHOES}\. The 3 shoes with the most evidence are: "
        r"table 1, shoe [0-9]+",
        sorts,
    )
    assert any("Late bets look exactly like knowledge" in s for s in said)
    (knows,) = of_log.data["knows"]
    assert (knows["patrons"], knows["part"], len(knows["shoes"])) == (["sorts"], "main", SHOES)
    assert "Who knows the coming cards" in text
    assert "The chance that one or more of them are flagged is at most 0.01, if the game" in " ".join(said)
    assert said[0].startswith(f"Dealing: no error in {audited.coverage['coups']:,} ")
    data = json.loads((tmp_path / "out" / "report.json").read_text())
    assert data == json.loads(json.dumps(of_log.data))
    assert data["answer"] == said
    rows = pl.read_csv(tmp_path / "out" / "patrons.csv")
    assert len(rows) == len(audited.patrons)
    assert "'=SUM(A1)" in rows["patron"].to_list()
    assert (tmp_path / "out" / "remarks.csv").read_text("utf-8-sig").startswith("file,line,column,value,reason")


@pytest.mark.usefixtures("undrawn")
def test_nothing_to_review(tmp_path: Path) -> None:
    log = logged(tmp_path, {"one": Flat("dragon-7", 5)}, 1)
    alone = read_log(tmp_path / "coups.csv")
    empty = audit(alone, EZ, 8)
    assert sentences(empty)[0].endswith(
        "Paying: not checked, as no result of a bet is logged. Patrons: not tested, as no bet is logged."
    )
    assert "Patrons and bets" not in {section.title for section in report(empty, {}).sections}
    nothing = Log(log.coups.clear(), log.bets.clear(), log.remarks)
    of_nothing = audit(nothing, EZ, 8)
    assert of_nothing.coverage["coups"] == 0
    assert sentences(of_nothing)[0].startswith(
        "No verdict: the log cannot be relied on. Too much is missing or in doubt: coups not read or missing, 0 of 0"
    )
    render(report(of_nothing, {}))


@pytest.mark.parametrize(("level", "seed"), [(0.0, 1), (1e-320, 1), (1.0, 1), (0.01, -1)])
def test_settings_that_cannot_be(level: float, seed: int, audited: Audit) -> None:
    with pytest.raises(InputError, match=r"^(level|seed): "):
        audit(audited.log, EZ, 8, None, PatronSettings(level, seed))


@pytest.mark.usefixtures("undrawn")
def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logged(tmp_path, {"counts": Counter("dragon-7", 100, DRAGON), "flat": Flat("tie", 5, 0.2)}, long_or(20, 10))
    command = ["audit", "ez-baccarat", "--coups", str(tmp_path / "coups.csv"), "--bets", str(tmp_path / "bets.csv")]
    command += ["--cut", "14", "--burn", "first-card", "--out", str(tmp_path / "out")]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert re.match(
        r"Dealing: .*\. Paying: .*\. Patrons: 1 of 2 flagged, at a level of 0\.01 for all tests together: "
        r"counts, whose bets on \"[^\"]+\" follow the edge "
        r"\((won|lost) [\d,.]+; the exact edge predicts \+[\d,.]+\)\.\n",
        said,
    )
    assert main([*command[:-1], str(tmp_path)]) == 2  # the folder holds other files
    assert "holds other files" in capsys.readouterr().err
    assert main(["audit", "ez-baccarat", "--coups", str(tmp_path / "none.csv")]) == 2
    beside = tmp_path / "bets.csv"
    assert capsys.readouterr().err == f"counting: {tmp_path / 'none.csv'}: no such file; did you mean '{beside}'?\n"
    other = ["--coups", str(tmp_path / "coups.csv"), "--out", str(tmp_path / "out")]
    assert main(["audit", "ez-baccarat", *other]) == 2
    assert "holds an audit that differs in files, should be another folder (--out)" in capsys.readouterr().err
    assert main(["audit", "ez-baccarat", *other[:2], "--burn", "first-card"]) == 2
    assert capsys.readouterr().err.startswith("counting: --cut: missing")


@pytest.mark.long
@pytest.mark.usefixtures("undrawn", "few_arrangements")
def test_the_formats_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Punto banco has no Dragon 7, but the catalog of bets has it, so the log can still be audited."""
    logged(tmp_path, {"one": Flat("dragon-7", 100, 0.5), "flat": Flat("tie", 5, 0.2)}, long_or(4, 2))
    command = ["audit", "punto-banco", "--coups", str(tmp_path / "coups.csv"), "--bets", str(tmp_path / "bets.csv")]
    command += ["--out", str(tmp_path / "out")]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "Patrons: none of 2 flagged" in said
    assert main([*command, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"][0] in said
    assert main([*command, "--format", "csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


@pytest.mark.usefixtures("undrawn")
def test_planted_errors_are_told_by_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    coups, bets = log_frames(deal(EZ, JACOBSON, 3, 0, 2), {"one": Flat("player", 5)}, EZ, 1)
    other = {"player": "banker", "banker": "tie", "tie": "player"}
    coups = coups.with_columns(
        winner=pl.when(pl.col("coup") == 5).then(pl.col("winner").replace(other)).otherwise("winner")
    )
    bets = bets.with_columns(won=pl.when(pl.col("coup") == 9).then(pl.col("won") + 1).otherwise("won"))
    coups.write_csv(tmp_path / "coups.csv")
    bets.write_csv(tmp_path / "bets.csv")
    command = ["audit", "ez-baccarat", "--coups", str(tmp_path / "coups.csv"), "--bets", str(tmp_path / "bets.csv")]
    assert main([*command, "--out", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out.splitlines()
    coups = f"{len(coups)} coups of 2 shoes"
    assert f"Dealing: no error in {coups} (the cut card is not judged, because no cut was given). " in said[0]
    assert f"2 wrong payouts in {len(bets)} bets with a result." in said
    assert f"2 wrong recorded winners in {coups}." in said
    paid = "Patrons with wrong payouts, and in brackets the sum paid too much (+) or too little (-): one with 2 (+2"
    assert any(line.startswith(paid) for line in said)


# What was not read


def suit_first(text: str) -> str:
    return " ".join(card[-1] + card[:-1] for card in text.split())


@cache
def two_shoes() -> tuple[pl.DataFrame, pl.DataFrame]:
    return log_frames(deal(EZ, JACOBSON, 3, 0, 2), {"one": Flat("dragon-7", 5)}, EZ, 1)


SPOILED: dict[str, tuple[Callable[[pl.DataFrame, pl.DataFrame], tuple[pl.DataFrame, pl.DataFrame]], str]] = {
    "cards in a way that nobody knows": (
        lambda c, b: (c.with_columns(pl.col("player", "banker").str.replace_all(r"(\S+)", "<$1>")), b),
        r"cards not read, ([0-9,]+) of \1 \(100\.0%",
    ),
    "one hand in 20 unread": (
        lambda c, b: (c.with_columns(player=pl.when(pl.col("coup") % 20 < 1).then(pl.lit("?")).otherwise("player")), b),
        r"cards not read, [0-9,]+ of [0-9,]+ \((1|2)\.[0-9]%",
    ),
    "money in chips": (
        lambda c, b: (c, b.with_columns(amount=pl.format("{} chips", pl.lit("25")))),
        r"bets not read, ([0-9]+) of \1 \(100\.0%",
    ),
    "coups skipped": (
        lambda c, b: (c.with_columns(player=pl.when(pl.col("coup") < 4).then(pl.lit("123")).otherwise("player")), b),
        r"coups not read or missing, 6 of [0-9]+ \(3\.[0-9]%; at most 1\.0% allowed\); .* bets",
    ),
    "shoes logged twice": (
        lambda c, b: tuple(
            pl.concat([of, of.with_columns(shoe=pl.format("{}-again", "shoe"))])
            for of in (each.with_columns(pl.col("shoe").cast(pl.String)) for each in (c, b))
        ),
        r"coups of shoes that repeat an earlier shoe card for card, ([0-9]+) of [0-9]+ "
        r"\(50\.0%; at most 1\.0% allowed\)",
    ),
    "coups missing": (
        lambda c, b: (c.filter(~pl.col("coup").is_in([5, 6])), b.filter(~pl.col("coup").is_in([5, 6]))),
        r"coups not read or missing, 4 of [0-9]+ \(2\.[0-9]%",
    ),
    "every coup's line": (
        lambda c, b: (c.with_columns(coup=pl.lit("none")), b),
        r"coups not read or missing, ([0-9]+) of \1 \(100\.0%; at most 1\.0% allowed\); .* bets",
    ),
    "bets of no known name": (
        lambda c, b: (c, b.with_columns(bet=pl.lit("Dragon seven"))),
        r"bets of unknown names, ([0-9]+) of \1 \(100\.0%",
    ),
    "bets on suits that are not logged": (
        lambda c, b: (
            c.with_columns(pl.col("player", "banker", "burn").str.replace_all("[shdc]", "")),
            b.with_columns(bet=pl.lit("perfect-pair"), won=None),
        ),
        r"bets that cannot be priced from the logged cards \(no suits\?\), ([0-9]+) of \1 \(100\.0%",
    ),
    "results": (
        lambda c, b: (c, b.with_columns(won=pl.lit("5;0"))),
        r"results of bets not read, ([0-9]+) of \1 \(100\.0%",
    ),
    "winners": (
        lambda c, b: (c.with_columns(winner=pl.lit("1")), b),
        r"winners not read, ([0-9]+) of \1 \(100\.0%",
    ),
    "winners of a log that is there twice": (
        lambda c, b: (pl.concat([c, c]).with_columns(winner=pl.lit("1")), b),
        r"winners not read, ([0-9]+) of \1 \(100\.0%",
    ),
    "third card first": (
        lambda c, b: (c.with_columns(pl.col("player", "banker").str.split(" ").list.reverse().list.join(" ")), b),
        r"coups dealt against the rules of ez-baccarat, [0-9]+ of [0-9]+ \([0-9.]+%; at most 5\.0% allowed",
    ),
    "hands of one card": (
        lambda c, b: (c.with_columns(pl.col("player", "banker").str.split(" ").list.first()), b),
        r"coups dealt against the rules of ez-baccarat, ([0-9]+) of \1 \(100\.0%; at most 5\.0% allowed",
    ),
    "winners of the other hand": (
        lambda c, b: (
            c.with_columns(winner=pl.col("winner").replace({"player": "banker", "banker": "player"})),
            b.with_columns(won=None),
        ),
        r"winners that contradict the cards, [0-9]+ of [0-9]+ \([89][0-9]\.[0-9]%; at most 5\.0% allowed",
    ),
    "faces as tens": (
        lambda c, b: (c.with_columns(pl.col("player", "banker").str.replace_all("[JQK]", "T")), b),
        r"coups before which a card was seen more often than 8 decks have it, [0-9]+ of [0-9]+",
    ),
}  # fmt: skip
ANYWAY = {  # no verdict even with --allow-unread 1
    "third card first", "hands of one card", "winners of the other hand", "every coup's line",
}  # fmt: skip
BY_COMMAND = {*long_or(SPOILED, ["every coup's line"]), "faces as tens"}  # also tried with the command
VERDICTS = ("Patrons: none", "Dealing: no error", "Paying: no wrong payout", "Patrons and bets")


@pytest.mark.usefixtures("undrawn", "few_arrangements")
@pytest.mark.parametrize("kind", SPOILED)
def test_no_verdict_on_what_was_not_read(tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The first line gives the reason, the page has no verdict, and the exit status is 2. With --allow-unread 1 there
    is a verdict, except for the logs in `ANYWAY`."""
    change, expected = SPOILED[kind]
    coups, bets = change(*two_shoes())
    log = spoiled(tmp_path, coups, bets)
    reviewed = audit(log, EZ, 8)
    said = sentences(reviewed)
    assert re.match(rf"No verdict: the log cannot be relied on\. Too much is missing or in doubt: {expected}", said[0])
    assert not any(verdict in " ".join(said) for verdict in VERDICTS)
    assert reviewed.patrons.is_empty()
    again = kind not in ANYWAY and (LONG or kind in {*BY_COMMAND, "bets of no known name", "money in chips", "results"})
    allowed = audit(log, EZ, 8, allow_unread=1) if again else replace(reviewed, allowed=1.0)
    first = sentences(allowed)[0]
    assert first.startswith("No verdict" if kind in ANYWAY else "Dealing: ")
    if kind not in BY_COMMAND:
        return
    command = ["audit", "ez-baccarat", "--coups", str(tmp_path / "coups.csv"), "--bets", str(tmp_path / "bets.csv")]
    command += ["--out", str(tmp_path / "out")]
    assert main(command) == 2
    out = capsys.readouterr().out
    assert out.splitlines()[0] == said[0]
    text = (tmp_path / "out" / "report.html").read_text()
    assert '<p class="headline">No verdict: ' in text
    assert not any(verdict in out + text for verdict in VERDICTS)
    data = json.loads((tmp_path / "out" / "report.json").read_text())
    assert (data["verdict"], data["patrons"]) == (False, [])
    assert main([*command, "--allow-unread", "1"]) == (2 if kind in ANYWAY else 0)
    assert capsys.readouterr().out.splitlines()[0] == first
    if kind == "faces as tens":
        assert main([*command, "--format", "csv"]) == 2
        assert capsys.readouterr().err.startswith("counting: No verdict: ")


@pytest.mark.long
def test_a_wrong_decks_number_is_no_verdict(tmp_path: Path) -> None:
    log = logged(tmp_path, {"one": Flat("dragon-7", 5)}, 2)
    first = sentences(audit(log, EZ, 1))[0]
    assert re.search(r"coups before which a card was seen more often than 1 decks have it, [0-9]+ of [0-9]+", first)
    six = audit(logged(tmp_path, {"one": Flat("dragon-7", 5)}, 6), EZ, 12)
    fits = "Every shoe in the log would also fit 8 decks. If the shoes did not have 12 decks, the edges in this report"
    assert any(line.startswith(fits) for line in sentences(six))


def test_little_unread_is_allowed_and_said(tmp_path: Path) -> None:
    coups, bets = log_frames(deal(EZ, JACOBSON, 3, 0, 12), {"one": Flat("dragon-7", 5, 0.5)}, EZ, 1)
    coups = coups.with_columns(player=pl.when(pl.col("coup") == 7).then(pl.lit("? 5h")).otherwise("player"))
    audited = audit(spoiled(tmp_path, coups, bets), EZ, 8)
    said = sentences(audited)
    assert "Patrons: none of 1 flagged, at a level of 0.01" in said[0]
    assert "The log is incomplete. The level still holds if what is missing does not depend on the cards." in said
    assert sentences(audit(audited.log, EZ, 8, allow_unread=0))[0].startswith("No verdict")
    for share in (-0.1, 1.5, float("nan")):
        with pytest.raises(InputError, match=r"^--allow-unread: .* should be a share from 0 to 1, as 0\.05$"):
            audit(audited.log, EZ, 8, allow_unread=share)


# Which game


def test_the_game_is_required_and_the_one_that_fits_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logged(tmp_path, {"one": Flat("banker", 5), "two": Flat("dragon-7", 5)}, long_or(4, 2))
    coups, bets = str(tmp_path / "coups.csv"), str(tmp_path / "bets.csv")
    assert main(["audit", "--coups", coups, "--bets", bets, "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert re.fullmatch(
        r"counting: GAME: missing; of the shipped games ez-baccarat fits the log best, with 0 wrong payouts "
        r"\(.*punto-banco [0-9]+ wrong payouts.*\): counting audit ez-baccarat \.\.\.\n",
        said,
    )
    assert not (tmp_path / "out").exists()
    assert main(["audit", "--coups", coups]) == 2
    assert re.search(r"of the shipped games .*ez-baccarat.* fit the log best, with 0 wrong", capsys.readouterr().err)
    audited = audit(read_log(Path(coups), Path(bets)), load_game("punto-banco"), 8)
    fits = "The log fits the game ez-baccarat better: by the rules of that game, it has 0 wrong payouts."
    assert fits in sentences(audited)


def test_every_misfit_of_a_game_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unknown bets count as misfits too, so the message names their number for each of the games that fit best."""
    fits = GameFit("a", 0, 7, 0), GameFit("b", 7, 0, 0), GameFit("c", 1, 1, 6), GameFit("d", 1_000, 0, 1)
    assert [fit.words for fit in fits] == [
        "0 wrong payouts and 7 unknown bets", "7 wrong payouts", "1 wrong payout, 1 unknown bet and 6 wrong draws",
        "1,000 wrong payouts and 1 wrong draw",
    ]  # fmt: skip
    monkeypatch.setattr("counting.review.dealing.game_fit.fits", lambda log: fits)
    assert missing_game(None) == (  # type: ignore[arg-type]  # the fits are given
        "GAME: missing; of the shipped games a, with 0 wrong payouts and 7 unknown bets, and b, with 7 wrong payouts, "
        "fit the log best (c 1 wrong payout, 1 unknown bet and 6 wrong draws; d 1,000 wrong payouts and 1 wrong draw): "
        "counting audit a ..."
    )


# Who only seems to follow the edge


@pytest.mark.usefixtures("drawn_wide")
def test_a_hit_and_run_bettor_is_not_flagged(tmp_path: Path) -> None:
    """In each shoe, the patron stops after a win, and by the edge loses some 2.7 units. Version 0.1.0 flagged a patron
    of this kind, at 12.8 standard deviations."""
    shoes = long_or(200, 60)
    table = deal(EZ, JACOBSON, 10, 0, shoes)

    class HitAndRun:
        bets = ("dragon-7",)

        def stakes(self, table: Any, known: Any, rng: Any) -> Any:
            paid = known.pays[:, known.place("dragon-7")]
            won = np.cumsum(paid > 0) - (paid > 0)
            first = np.searchsorted(table.coups.shoe, table.coups.shoe)
            return known.on("dragon-7", 1.0 * (won == won[first]))

    patrons: dict[str, Patron] = {"hits and runs": HitAndRun(), "counts": Counter("dragon-7", 1, DRAGON)}
    coups, bets = log_frames(table, patrons, EZ, 1)
    audited = audit(spoiled(tmp_path, coups, bets), EZ, 8)
    row = audited.patrons.filter(patron="hits and runs").row(0, named=True)
    assert row["gain_units"] < -2 * shoes
    assert row["z"] > 5
    assert row["p_within"] < 0.01
    assert not row["flagged"]
    assert audited.flagged["patron"].to_list() == ["counts"]
    assert row["one_value"] is row["beyond_one_value"] is row["count_used"] is None
    assert not any("hits and runs" in s or "deviation" in s for s in sentences(audited))
    page = render(report(audited, {}))
    assert "standard deviation" not in page
    assert page.count("hits and runs") == 2  # the patron's point in the figure and row in the table


def test_who_follows_the_edge_at_a_loss_is_shown_as_such(tmp_path: Path) -> None:
    """A counter who bets at every edge above -10% follows the edge, but loses money."""
    audited = audit(logged(tmp_path, {"early": Counter("dragon-7", 100, trigger=-0.1)}, long_or(40, 14)), EZ, 8)
    row = audited.flagged.row(0, named=True)
    assert row["gain"] < 0
    (said,) = (s for s in sentences(audited) if s.startswith("early follows the edge on "))
    assert ". The patron follows the edge at a loss. " in said
    assert row["edge_random"] < row["edge"] < row["edge_random"] / 2 + row["edge_counter"] / 2
    assert row["count_used"] is None  # a count fits, but the patron's edge is far below a counter's
    assert said.endswith(" No count of the library describes the stakes.")


@pytest.mark.usefixtures("few_arrangements")
def test_payouts_are_judged_in_words(tmp_path: Path) -> None:
    """The audit has sentences for missing results, results that include the stake, a commission paid otherwise, bets
    with unknown names, and repeated lines."""
    patrons: dict[str, Patron] = {"one": Flat("banker", 5), "two": Flat("dragon-7", 5, 0.1)}
    coups, bets = log_frames(deal(EZ, JACOBSON, 3, 0, long_or(4, 2)), patrons, EZ, 1)
    few = bets.with_columns(won=pl.when(pl.int_range(pl.len()) < 3).then("won"))
    said = sentences(audit(spoiled(tmp_path, coups, few), EZ, 8))
    assert "Paying: no wrong payout in 3 bets with a result." in said[0]
    assert f"{len(bets) - 3} bets of {len(bets)} have no result, so their payouts are not checked." in said
    gross = bets.with_columns(won=pl.col("won") + pl.col("amount"))
    said = sentences(audit(spoiled(tmp_path, coups, gross), EZ, 8))
    stake = (
        f"results of bets that would be right if they included the stake, {len(bets)} of {len(bets)} (100.0%; at most"
    )
    assert said[0].startswith(
        f"No verdict: the log cannot be relied on. Too much is missing or in doubt: {stake} 50.0%"
    )
    assert any(s.startswith("The wrong payouts would be right if the results included the stake. Does") for s in said)
    five = bets.with_columns(won=pl.when((pl.col("won") > 0) & (pl.col("bet") == "banker")).then(4.75).otherwise("won"))
    said = sentences(audit(spoiled(tmp_path, coups, five), EZ, 8))
    assert any(
        re.fullmatch(
            r"([0-9]+) payouts of banker are wrong; the bet won \1 times\. Does another pay table apply, or was .*",
            s,
        )
        for s in said
    )
    other = bets.with_columns(bet=pl.when(pl.col("patron") == "two").then(pl.lit("d7")).otherwise("bet"))
    other = pl.concat([other.filter(patron="one"), other.filter(patron="two").head(5)])
    said = sentences(audit(spoiled(tmp_path, coups, other), EZ, 8, allow_unread=0.02))
    assert "On bets with unknown names, these patrons are not tested: two (5 of 5 bets)." in said
    twice = pl.concat([bets, bets.head(3)])
    said = sentences(audit(spoiled(tmp_path, coups, twice), EZ, 8))
    assert "3 lines of bets repeat another line; both lines are kept and added up." in said


def test_lines_in_no_encoding_are_no_verdict(tmp_path: Path) -> None:
    """A line in Windows-1252 is read, with a remark. A line with a byte that Windows-1252 does not define is not
    read."""
    coups, bets = log_frames(
        deal(EZ, JACOBSON, 3, 0, 6), {"Ann": Flat("player", 5), "Jose": Flat("tie", 5, 0.01)}, EZ, 1
    )
    coups.write_csv(tmp_path / "coups.csv")
    text = bets.write_csv().replace("Jose", "Jos\u00e9")
    (tmp_path / "bets.csv").write_bytes(text.encode("latin-1"))
    log = read_log(tmp_path / "coups.csv", tmp_path / "bets.csv")
    assert set(log.bets["patron"].cast(pl.String)) == {"Ann", "Jos\u00e9"}
    assert log.skipped == {"coups": 0, "bets": 0}
    assert log.remarked("windows-1252") == text.count("Jos\u00e9")
    (tmp_path / "bets.csv").write_bytes(text.encode("latin-1").replace(b"\xe9", b"\x81"))
    log = read_log(tmp_path / "coups.csv", tmp_path / "bets.csv")
    assert re.search(
        r"lines that are not UTF-8, [0-9]+ of [0-9]+ \(0\.[0-9]%; at most 0\.0% allowed\)",
        sentences(audit(log, EZ, 8))[0],
    )


def test_unread_third_cards_flag_nobody(tmp_path: Path) -> None:
    """A quarter of the third cards is lost at random. If coups with a lost card were left out, too many of the
    remaining coups would have four cards. A patron who bets on four cards would then seem to know the cards."""
    coups, bets = log_frames(deal(EZ, JACOBSON, 100, 0, long_or(60, 40)), {"flat": Flat("small", 25)}, EZ, 1)
    rng = np.random.default_rng(1)

    def lost(hand: str) -> str:
        cards = hand.split()
        return " ".join([*cards[:2], "?"]) if len(cards) == 3 and rng.random() < 0.25 else hand

    hands = [pl.Series(name, [lost(hand) for hand in coups[name]]) for name in ("player", "banker")]
    audited = audit(spoiled(tmp_path, coups.with_columns(hands), bets), EZ, 8, allow_unread=0.05)
    assert not audited.unread
    assert audited.patrons["p_knows"].item() > 0.2


def test_the_order_of_shoes_in_the_file_does_not_matter(tmp_path: Path) -> None:
    """The patron stakes more after shoes in which Player lost. One of the two logs has the newest shoe first."""

    class Chaser:
        bets = ("player",)

        def stakes(self, table: Any, known: Any, rng: Any) -> Any:
            paid = known.pays[:, known.place("player")]
            by_shoe = np.bincount(table.coups.shoe, paid)
            behind = np.cumsum(by_shoe) - by_shoe
            return known.on("player", np.clip(50 - behind, 1, 200)[table.coups.shoe])

    coups, bets = log_frames(deal(EZ, JACOBSON, 31, 0, long_or(20, 12)), {"chases": Chaser()}, EZ, 1)
    columns = ["p_follows", "p_knows", "gain"]
    forth = audit(spoiled(tmp_path, coups, bets), EZ, 8).patrons.select(columns)
    newest = ["shoe", "coup"]
    back = spoiled(tmp_path, *(x.sort(newest, descending=[True, False]) for x in (coups, bets)))
    for a, b in zip(forth.row(0), audit(back, EZ, 8).patrons.select(columns).row(0), strict=True):
        assert a == pytest.approx(b, rel=0.35)
