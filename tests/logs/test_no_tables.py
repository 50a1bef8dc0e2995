"""Files that hold no table are named for what they are."""

import gzip
import zipfile
from pathlib import Path

import pytest

from counting import InputError, read_log

BEGINNINGS = {
    b"%PDF-1.4\n%\xe2\xe3": "a PDF",
    b"\x89PNG\r\n\x1a\n": "an image",
    b"\xff\xd8\xff\xe0": "an image",
    b"\n<!DOCTYPE html>\n<html>": "a web page",
    b"\xef\xbb\xbf<HTML><body>": "a web page",
    b"{\\rtf1\\ansi": "a text document",
}


@pytest.mark.parametrize("start", BEGINNINGS)
@pytest.mark.parametrize("opened", [Path.open, gzip.open])
def test_a_file_without_a_table_is_named(start: bytes, opened: object, tmp_path: Path) -> None:
    with opened(tmp_path / "coups.csv", "wb") as file:  # type: ignore[operator]
        file.write(start + b"\n" * 200)
    with pytest.raises(InputError) as wrong:
        read_log(tmp_path / "coups.csv")
    line = f"coups.csv: this is {BEGINNINGS[start]}, should be the table: CSV, Excel, JSON"
    assert str(wrong.value).endswith(line)


@pytest.mark.parametrize(("part", "kind"), [("word/document.xml", "a Word document"), ("a.csv", "a zip archive")])
def test_an_archive_that_is_no_workbook_is_named(part: str, kind: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "coups.zip", "w") as archive:
        archive.writestr(part, "table,shoe,coup,player,banker\n1,1,1,9h 8h,2c 2d\n")
    with pytest.raises(InputError, match=f"coups.zip: this is {kind}, should be the table: CSV, Excel, JSON"):
        read_log(tmp_path / "coups.zip")


def test_a_first_column_of_such_a_name_is_none(tmp_path: Path) -> None:
    (tmp_path / "coups.csv").write_text("table,shoe,coup,player,banker,pdf\n1,1,1,9h 8h,2c 2d,%PDF-1.4\n")
    assert read_log(tmp_path / "coups.csv").coups.height == 1
