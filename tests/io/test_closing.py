"""Closed results: a record of digests shows any later change."""

from datetime import date
from pathlib import Path

import pytest

from counting.errors import InputError
from counting.io.closing import close, differences, is_as_closed, record_of
from counting.io.folders import claimed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "statement"
    made.mkdir()
    (made / "statement.html").write_text("<h1>MET</h1>")
    (made / "statement.json").write_text("{}")
    (made / ".lock").write_text("")
    return made


def test_every_file_is_recorded_and_read_only(folder: Path) -> None:
    record = close(folder, " A. Analyst ", "2026-11-26")
    assert (record["name"], record["date"], set(record["files"])) == (
        "A. Analyst",
        "2026-11-26",
        {"statement.html", "statement.json"},
    )
    assert record_of(folder) == record
    assert {path.stat().st_mode & 0o222 for path in folder.iterdir() if path.name[0] != "."} == {0}
    assert differences(folder, record) == []
    assert is_as_closed(folder / "statement.html")[0]


def test_a_change_is_seen_wherever_it_is(folder: Path) -> None:
    record = close(folder, "A", "2026-11-26")
    page = folder / "statement.html"
    page.chmod(0o644)
    page.write_text("<h1>NOT MET</h1>")
    (folder / "statement.json").unlink()
    assert differences(folder, record) == ["statement.html: has changed", "statement.json: is not there"]
    assert not is_as_closed(page)[0]


def test_one_file_in_the_place_of_another_is_no_closed_file(folder: Path) -> None:
    close(folder, "A", "2026-11-26")
    page, twin = folder / "statement.html", folder / "statement.json"
    page.chmod(0o644)
    page.write_bytes(twin.read_bytes())
    assert not is_as_closed(page)[0]
    copied = folder / "sent.html"
    copied.write_bytes(twin.read_bytes())
    assert is_as_closed(copied)[0]  # a copy under another name


def test_nothing_is_written_into_a_closed_folder(folder: Path) -> None:
    with claimed(folder.parent / "claimed", "statement", {}):
        (folder.parent / "claimed" / "statement.html").write_text("MET")
    folder = folder.parent / "claimed"
    close(folder, "A", "2026-11-26")
    with (
        pytest.raises(InputError, match="its results are closed, should be another folder"),
        claimed(folder, "statement"),
    ):
        pass
    with pytest.raises(InputError, match="is closed already"):
        close(folder, "B", "2026-11-27")


@pytest.mark.parametrize(
    ("name", "day", "words"),
    [
        ("", "2026-11-26", "name: '', should be a name"),
        ("x" * 121, "2026-11-26", "should be a name"),
        ("A", "26.11.2026", "date: '26.11.2026', should be a date as 2027-01-31"),
        ("A", "2026-13-01", "should be a date"),
        ("A", "", "should be a date"),
    ],
)
def test_names_and_dates(folder: Path, name: str, day: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        close(folder, name, day)
    assert record_of(folder) is None


def test_a_file_without_a_record(folder: Path) -> None:
    with pytest.raises(
        InputError, match=r"no closed\.json beside it: only answers .* closed in counting app .* \"to make it again\""
    ):
        is_as_closed(folder / "statement.html")
    with pytest.raises(InputError, match="is not there"):
        is_as_closed(folder / "other.html")
    (folder / "closed.json").write_text('{"files": 1}')
    with pytest.raises(InputError, match="is no record of closed results"):
        is_as_closed(folder / "statement.html")


def test_line_breaks_in_a_name_stay_on_one_line(folder: Path) -> None:
    assert close(folder, "A\nB", date(2026, 1, 2).isoformat())["name"] == "A\\nB"
