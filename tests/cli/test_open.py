"""--open shows the page in the browser, or says where it is."""

import sys
import webbrowser
from pathlib import Path

import pytest
from extent import long_or

from counting.cli import main

STUDY = ["study", "punto-banco", "--shoes", "20", "--decks", "1", "--out", "study"]


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that are opened in the browser. The test works in an empty folder and without a display."""
    pages: list[str] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(webbrowser, "open", lambda page: not pages.append(page))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    return pages


@pytest.mark.long
@pytest.mark.usefixtures("few_weighted", "undrawn")
def test_the_page_is_opened_where_there_is_a_display(
    opened: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(STUDY) == 0
    assert opened == []
    monkeypatch.setenv("DISPLAY", ":0")
    for argv, page in (
        (STUDY, "study/report.html"),
        (["report", "study", "--out", "page"], "page/report.html"),
        *long_or(((["statement", "louisiana-40", "--shoes", "2000", "--out", "paper"], "paper/statement.html"),), ()),
    ):
        assert main([*argv, "--open"]) == 0
        assert opened[-1] == (tmp_path / page).as_uri()
        assert (tmp_path / page).is_file()
    assert "browser" not in capsys.readouterr().err


@pytest.mark.usefixtures("undrawn")
def test_without_a_display_the_path_is_printed(opened: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*STUDY, "--open", "--format", "json"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("{")
    assert shown.err.endswith("counting: --open: no browser here; the page: study/report.html\n")
    assert opened == []


@pytest.mark.parametrize("command", [["shuffle", "coups.csv"], ["verify"]])
def test_a_command_that_writes_no_page_opens_none(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--open"]) == 2
    assert capsys.readouterr().err == "counting: --open: needs --out, the folder for the page\n"
