"""The examples in the errata of the literature prove them, and the errata quote the results of experiments
correctly."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ERRATA = ROOT / "docs" / "research" / "errata.md"
FOUND = ROOT / "docs" / "research" / "what-we-found.md"
EXPERIMENT = re.compile(r"\]\(\.\./\.\./(experiments/\w+/notes\.md|tests/golden/remarks\.md)\)")


def test_the_lines_of_every_erratum_show_it() -> None:
    blocks = re.findall(r"```python\n(.*?)```", ERRATA.read_text(), re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "errata", str(ERRATA), 0)
    results = doctest.DocTestRunner().run(test)
    assert results.attempted >= 35
    assert results.failed == 0


def figures(text: str) -> list[str]:
    """The numbers in a text: decimals and percentages, but not the small whole numbers in sentences."""
    return re.findall(r"(?<![\w.,/])[+-]?\d[\d,]*(?:\.\d+)?%|(?<![\w.,/])\d[\d,]*\.\d+(?![\w.])", text)


def test_figures_are_told_from_words() -> None:
    assert figures("at 8 to 1, 0.98 times; 12% of 1,234.5 in v0.1.0 and 70%.") == ["0.98", "12%", "1,234.5", "70%"]


def passages(page: Path) -> list[tuple[str, str, str]]:
    """For each section of a page that has links to experiments: its heading, its text, and the notes and tables of the
    experiments."""
    sections = []
    for section in re.split(r"(?m)^(?=#{2,3} )", page.read_text())[1:]:
        links = EXPERIMENT.findall(section)
        if links:
            folders = [(ROOT / link).parent if link.startswith("experiments") else (ROOT / link) for link in links]
            files = [file for place in folders for file in (sorted(place.glob("*.md")) if place.is_dir() else [place])]
            text = re.sub(r"```.*?```", "", section, flags=re.DOTALL)
            sections.append((section.split("\n")[0], text, "\n".join(file.read_text() for file in files)))
    return sections


@pytest.mark.parametrize("page", [ERRATA, FOUND], ids=lambda page: page.stem)
def test_every_figure_is_one_that_its_experiment_has(page: Path) -> None:
    cited = passages(page)
    assert len(cited) >= 3
    missing = [
        f"{heading}: {figure}"
        for heading, text, notes in cited
        for figure in figures(text)
        if not re.search(rf"(?<![\d.]){re.escape(figure.lstrip('+').removesuffix('%'))}(?!\.?\d)", notes)
    ]
    assert missing == []


def test_the_numbers_of_logs_with_poor_shuffles_are_the_sums_of_their_table() -> None:
    notes = (ROOT / "experiments" / "shuffle" / "notes.md").read_text().partition("<!-- whole -->")[2]
    heads, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in notes.split("\n\n")[1].split("\n"))
    faulty = [dict(zip(heads, row, strict=True)) for row in rows if row[0] != "one random shoe"]
    logs, failed, flagged = (
        sum(int(row[name]) for row in faulty) for name in ("logs", "fail the regulators' test", "flagged")
    )
    said = f"Of {logs} logs with such faults, {failed} fail this test, and one of 20 random logs fails it too;"
    assert f"{said} the command flags {flagged}. " in " ".join(FOUND.read_text().split())


def test_every_other_figure_of_the_errata_is_in_their_lines_or_among_the_remarks() -> None:
    remarks = (ROOT / "tests" / "golden" / "remarks.md").read_text()
    proved = 0
    for section in re.split(r"(?m)^(?=#{2,3} )", ERRATA.read_text())[1:]:
        code = "".join(re.findall(r"```python\n(.*?)```", section, re.DOTALL))
        if EXPERIMENT.search(section) or not code:
            continue
        proved += 1
        known = section.split("\n")[0] + code + remarks
        for figure in figures(re.sub(r"```.*?```", "", section, flags=re.DOTALL)):
            assert re.search(rf"(?<![\d.]){re.escape(figure.removesuffix('%'))}(?!\d)", known), figure
    assert proved >= 12
