"""The study and its page."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest
from extent import LONG, long_or
from lighter import closed
from plain_tables import plain

from counting import InputError, Shoe
from counting.analysis.summary import dealing_table
from counting.cli import main
from counting.exact import exact_edges, probabilities
from counting.games import load_game
from counting.io.folders import claimed
from counting.reports import Report, drawing, render, study
from counting.reports.numbers import figure, share
from counting.reports.pages import labels
from counting.reports.publish import publish
from counting.reports.study import Findings, dealing_reading, report_of, sentences
from counting.simulation import Dealing
from counting.sweep import Plan, Sweep, run

HERE = Path(__file__).parents[1]
DRAWN = {study.TITLES[name] for name in ("gain-per-shoe", "edge-quantiles")}
RULERS = str(HERE / "games" / "rulers.toml")


def studied(plan: Plan, folder: Path) -> Report:
    with claimed(folder, study.KIND, {}, was="sweep"):
        sweep = run(plan, folder / "sweep")
        findings = study.report(sweep, "counting study")
        publish(findings, folder)
    return findings


@pytest.fixture(scope="module")
def findings(louisiana_sweep: Sweep) -> Findings:
    return study.findings(louisiana_sweep)


@pytest.fixture(scope="module")
def drawn(findings: Findings) -> Report:
    """The page. Only two of its figures are drawn for a phone; with --long, all are."""
    narrow = drawing._narrow
    with pytest.MonkeyPatch.context() as patch:
        if not LONG:
            patch.setattr(drawing, "_narrow", lambda *of: narrow(*of) if of[1] in DRAWN else closed())
        return report_of(findings, "counting study louisiana")


@pytest.fixture(scope="module")
def html(drawn: Report) -> str:
    return render(drawn)


@pytest.fixture
def two_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the four figures of a study, only one of a single plot and the one of panels are drawn, and not for a phone;
    with --long, all are, for both."""
    svg = drawing.svg
    if not LONG:
        monkeypatch.setattr(drawing, "_narrow", closed)
        monkeypatch.setattr(
            "counting.reports.drawing.svg",
            lambda figure, title, source: (svg if title in DRAWN else closed)(figure, title, source),
        )


def test_the_page_is_whole_and_asks_for_nothing(html: str, whole_page: Callable[[str], None]) -> None:
    whole_page(html)
    assert html.count("<svg") == 8  # each figure for two widths


def test_the_answer_comes_first_with_its_numbers(html: str, findings: Findings) -> None:
    headline, *said = sentences(findings)
    row = findings.bets.filter(pl.col("bet") == "seven-seven-45").row(0, named=True)
    assert headline.startswith("The bet most exposed to counting is 7-7, 45 to 1. ")
    assert f"is worth {row['units_per_shoe']:.2f} units per shoe" in headline
    assert html.index(headline) < html.index("<svg") < html.index("<table")
    assert "Tie, 9 to 1 (house edge 5.671% on a full shoe)" in " ".join(said)
    assert said[-1].startswith("On these shoes, none of the 8 other bets is worth more than 0.0")


def test_the_gain_at_every_cut_is_that_of_a_sweep_with_it(findings: Findings, louisiana_sweep: Sweep) -> None:
    assert findings.cuts["cut"].unique().sort().to_list() == [14, 26, 52, 78, 104, 130, 156, 182, 208]
    own = findings.bets.filter(pl.col("bet") == "tie-9").row(0, named=True)
    at = {row["cut"]: row for row in findings.cuts.filter(pl.col("bet") == "tie-9").to_dicts()}
    assert at[14]["units_per_shoe"] == pytest.approx(own["units_per_shoe"], abs=1e-8)  # sums are in units of 2^-33
    assert at[14]["coups_per_shoe"] > at[26]["coups_per_shoe"] > at[208]["coups_per_shoe"]
    assert at[14]["units_per_shoe"] > at[26]["units_per_shoe"] > at[104]["units_per_shoe"]


def test_half_of_the_gain_is_won_below_the_number_said(findings: Findings) -> None:
    rows = findings.cards_left.filter(pl.col("bet") == "seven-seven-45")
    half = study._half_won(findings.cards_left, "seven-seven-45")
    total = rows["units_per_shoe"].sum()
    assert rows.filter(pl.col("cards_left") <= half)["units_per_shoe"].sum() >= total / 2
    assert rows.filter(pl.col("cards_left") < half)["units_per_shoe"].sum() < total / 2


def test_the_page_has_every_bet_its_edge_and_where_it_comes_from(html: str, findings: Findings) -> None:
    names = labels(findings.game)
    assert all(name in html for name in names.values())
    assert "-8.1304%" in html
    assert "-9859989941/121273250085" in html
    for text in (
        findings.plan.digest,
        findings.game.digest,
        findings.game.source,
        "counting study louisiana",
        "sevens",
    ):
        assert text in html


@pytest.mark.usefixtures("two_figures")
def test_text_of_a_game_is_escaped(louisiana_sweep: Sweep, findings: Findings) -> None:
    hostile = replace(louisiana_sweep.plan.game, title="<script>alert(1)</script>", source="a & b <i>")
    bets = tuple(b.model_copy(update={"title": f"<b>{b.name}</b> & $x^2$"}) for b in hostile.bets)
    plan = replace(findings.plan, game=replace(hostile, bets=bets))
    shown = findings.bets.filter(pl.col("bet").is_in(["tie-9", "seven-seven-45"]))
    html = render(report_of(replace(findings, plan=plan, bets=shown), "<u>"))
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)" in html
    assert "<b>tie-9" not in html
    assert "&lt;b&gt;tie-9&lt;/b&gt; &amp; $x^2$" in html
    assert "<u>" not in html


@pytest.mark.long
@pytest.mark.usefixtures("two_figures")
def test_figures_are_functions_of_their_tables(findings: Findings, drawn: Report) -> None:
    again = study.figures(findings)
    assert set(again) == {"gain-per-shoe", "gain-by-cut", "positive-share", "edge-quantiles"}
    for name, (frame, shown) in again.items():
        assert shown in {drawn.figures[f"figures/{name}"], closed()}
        assert shown.startswith("<svg")
        assert frame.equals(drawn.tables[f"figures/{name}"])


@pytest.mark.parametrize(
    ("value", "error", "reads"),
    [
        (2.3486, 0.0106, "2.349 ± 0.011"),
        (1.07273, 0.0064, "1.0727 ± 0.0064"),
        (81.3, 1.24, "81.3 ± 1.2"),
        (0.0, 0.0, "0"),
        (1234.5, 120.0, "1,234 ± 120"),
        (0.25, None, "0.2500"),
        (1234.5, None, "1,234"),
        (0.00000004, None, "< 0.0001"),
        (-0.00000004, 1e-9, "> -0.0001"),
        (0.00000004, 0.001, "0.0000 ± 0.0010"),
    ],
)
def test_figures_are_written_to_two_digits_of_their_error(value: float, error: float, reads: str) -> None:
    assert figure(value, error) == reads


@pytest.mark.parametrize(
    ("value", "error", "reads"),
    [(0.189341, 0.00021, "18.934 ± 0.021%"), (0.8, 0.0123, "80.0 ± 1.2%"), (0.0, None, "0.00%"), (None, None, "")],
)
def test_shares_are_written_in_percent_with_their_error(value: float | None, error: float | None, reads: str) -> None:
    assert share(value, error) == reads


def test_tables_of_the_page_have_errors(html: str, findings: Findings) -> None:
    html = plain(html)
    row = findings.bets.filter(pl.col("bet") == "seven-seven-45").row(0, named=True)
    for name in ("positive_share", "mean_positive_edge", "shoes_positive_share"):
        assert f"<td>{share(row[name], row[name + '_se'])}</td>" in html
    cut = findings.cuts.filter(pl.col("cut") == 52).row(0, named=True)
    assert f"<td>{figure(cut['coups_per_shoe'], cut['coups_per_shoe_se'])}</td>" in html
    system = findings.systems.filter(pl.col("captured_share_se").is_not_null()).row(0, named=True)
    assert f"<td>{share(system['captured_share'], system['captured_share_se'])}</td>" in html


def test_the_reading_of_the_dealing_check(findings: Findings) -> None:
    assert "agrees with the exact probabilities" in dealing_reading(findings.dealing)
    wrong = findings.dealing.with_columns(pl.col("z_rare") + 6)
    assert "DISAGREES" in dealing_reading(wrong)
    assert dealing_reading(findings.dealing.clear()) == (
        "The dealing was not checked, because there is no coup that every shoe is certain to reach."
    )


@pytest.mark.parametrize("shoes", [10, 100])
def test_few_shoes_raise_no_false_alarm(shoes: int, tmp_path: Path) -> None:
    game = load_game("louisiana")
    exact = probabilities(game, Shoe.decks(8))
    for seed in range(long_or(20, 6)):
        plan = Plan(game, Dealing(), shoes, seed, keep_rows=False)
        dealt = run(plan, tmp_path / str(seed)).tallies[2]
        assert "agrees with" in dealing_reading(dealing_table(dealt, exact, plan.dealing.certain_coups).collect())


def test_a_bet_that_never_turns_positive_is_said_so(findings: Findings) -> None:
    never = findings.bets.with_columns(pl.lit(0.0).alias("units_per_shoe"), pl.lit(0.0).alias("positive_share"))
    headline, *said = sentences(replace(findings, bets=never))
    assert headline == "No bet ever turned positive."
    assert "the edge was never positive in" in said[0]


@pytest.mark.long
@pytest.mark.usefixtures("two_figures")
@pytest.mark.parametrize("game", long_or(["punto-banco", "louisiana-stand-5", RULERS], [RULERS]))
def test_a_study_of_any_game(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(load_game(game), Dealing(burn="first-card", cut=20), long_or(150, 60), 2)
    findings = studied(plan, tmp_path)
    data = json.loads((tmp_path / "report.json").read_text())
    assert [row["bet"] for row in data["bets"]] == list(plan.game.bet_names)
    assert data["answer"] == list(findings.sentences)
    edges = exact_edges(plan.game, Shoe.decks(plan.dealing.decks))
    assert {bet: Fraction(e["exact"]) for bet, e in data["edges"].items()} == edges
    for name in ("gain-per-shoe", "edge-quantiles"):
        assert (tmp_path / "figures" / f"{name}.svg").stat().st_size > 1000
        assert (tmp_path / "figures" / f"{name}.csv").stat().st_size > 20
    assert (tmp_path / "report.html").read_text().count("<svg") == long_or(8, 6)  # each drawn figure for two widths
    first = {file: file.read_bytes() for file in tmp_path.rglob("*.*") if file.is_file()}
    drawings = {study.TITLES[Path(name).name]: drawing for name, drawing in findings.figures.items()}
    monkeypatch.setattr("counting.reports.drawing.svg", lambda _, title, __: drawings[title])  # as from the same tables
    studied(plan, tmp_path)
    assert {file: file.read_bytes() for file in tmp_path.rglob("*.*") if file.is_file()} == first


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_a_study_of_one_shoe(tmp_path: Path) -> None:
    findings = studied(Plan(load_game("louisiana"), Dealing(after_cut=(0, 0)), 1), tmp_path)
    page = (tmp_path / "report.html").read_text()
    assert not re.search(r"\bnan\b", re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL))
    assert "the coup in which it appears is the last. The penetration is 96.6%. 1 shoe." in page
    assert findings.tables["tables/bets"]["shoes"].unique().to_list() == [1]


@pytest.mark.usefixtures("undrawn")
def test_a_study_takes_no_folder_with_other_files(tmp_path: Path) -> None:
    plan = Plan(load_game("punto-banco"), Dealing(), 5)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "report.html").write_text("mine")
    with pytest.raises(InputError, match="holds other files and no study"):
        studied(plan, tmp_path / "mine")
    assert (tmp_path / "mine" / "report.html").read_text() == "mine"
    run(plan, tmp_path / "sweep")
    with pytest.raises(InputError, match="holds a sweep, should be a new or empty folder"):
        studied(plan, tmp_path / "sweep")


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_a_page_of_a_finished_sweep(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], whole_page: Callable[[str], None]
) -> None:
    played = ["--shoes", long_or("300", "100"), "--seed", "3", "--out", str(tmp_path / "sweep")]
    sums = ["--no-rows", "--spread"]
    assert main(["sweep", "ez-baccarat", *sums, *played]) == 0
    before = {file: file.read_bytes() for file in (tmp_path / "sweep").rglob("*.*")}
    assert main(["report", str(tmp_path / "sweep")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"The page: {tmp_path / 'sweep' / 'report.html'}"
    assert all(file.read_bytes() == content for file, content in before.items())
    assert main(["sweep", "ez-baccarat", *sums, *played]) == 0  # the folder still holds a sweep
    assert main(["study", "ez-baccarat", *played[:-1], str(tmp_path / "study")]) == 0
    pages = [(tmp_path / name / "report.json").read_text() for name in ("sweep", "study")]
    assert pages[0] == pages[1]
    whole_page((tmp_path / "sweep" / "report.html").read_text())


@pytest.mark.usefixtures("undrawn")
def test_a_page_of_sums_alone(tmp_path: Path, whole_page: Callable[[str], None]) -> None:
    """Without rows the page has no quantiles, and without sums by cut no other cuts. The rest is the same."""
    plan = Plan(load_game("louisiana"), Dealing(), long_or(300, 100), 3)
    whole = study.report(run(plan, tmp_path / "a"))
    bare = replace(plan, keep_rows=0, penetration=False)
    findings = study.report(run(bare, tmp_path / "b"))
    assert findings.data["bets"] == whole.data["bets"]
    html = render(findings)
    whole_page(html)
    titles = re.findall(r"<h2>(.*)</h2>", html)
    assert titles == [
        "What a perfect counter wins",
        "In detail",
        "Where in the shoe the bets turn positive",
        "Exact edges, full shoe",
        "Check of the simulated dealing",
        "Provenance",
    ]
    assert {section.title for section in whole.sections} - {*titles} == {
        "What if: another cut card, larger bets, more counters",
        "Moving the cut card",
        "How large the edges get",
    }


@pytest.mark.usefixtures("undrawn")
def test_a_sweep_of_bettors_has_its_own_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("counting.bounds.confidence_limits.FEW_BETS", 0)  # limits from the sweep alone are enough here
    monkeypatch.setattr("counting.bounds.confidence_limits.FEW_PER_SHOE", 0.0)
    out = str(tmp_path / "out")
    command = [
        "limits",
        "louisiana",
        "--bet",
        "seven-seven-45",
        "--bound",
        "0.5/shoe",
        "--tie-in",
        "1",
        "--deepest",
        "20",
    ]
    assert main([*command, "--shoes", "2000", "--out", out]) == 0
    capsys.readouterr()
    assert main(["report", out]) == 2
    assert "was played for limits: counting limits writes its page" in capsys.readouterr().err
    assert main(["report", str(tmp_path)]) == 2
    assert "holds no sweep" in capsys.readouterr().err
