"""Pages in a browser: nothing runs off the side, wide or narrow, and a page prints."""

from pathlib import Path
from typing import Any

import pytest

from counting.audit.synthetic import Flat, deal, log_frames
from counting.cli import main
from counting.games import load_game
from counting.simulation import Dealing

PIT = 'title = "Pit"\ngame = "ez-baccarat"\nside_bets = ["dragon-7"]\ncut = 26\nminimum = 25\nmost_bet = 100\n'
PAGES = {
    "study": ("study", "ez-baccarat", "--shoes", "400", "--system", "dragon-7"),
    "vulnerability": ("vulnerability", "ez-baccarat", "dragon-7", "--shoes", "400", "--system", "dragon-7"),
    "limits": (
        "limits",
        "ez-baccarat",
        "--bet",
        "dragon-7",
        "--bound",
        "0.1/shoe",
        "--shoes",
        "2000",
        "--deepest",
        "40",
    ),
    "statement": ("statement", "pit.toml", "--shoes", "2000", "--fit", "500"),
    "audit": ("audit", "ez-baccarat", "--coups", "coups.csv", "--bets", "bets.csv"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pages")
    game = load_game("ez-baccarat")
    coups, bets = log_frames(deal(game, Dealing(), 1, 0, 4), {"a": Flat("dragon-7", 25.0, 0.3)}, game, 1)
    coups.write_csv(made / "coups.csv")
    bets.write_csv(made / "bets.csv")
    (made / "pit.toml").write_text(PIT)
    return made


def page_of(name: str, folder: Path) -> Path:
    (page,) = (folder / name).glob("*.html")
    return page


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_its_window_and_prints(
    name: str, folder: Path, window: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert main([*PAGES[name], "--out", name]) == 0
    window.goto(page_of(name, folder).as_uri())
    for width in (1200, 400):
        window.set_viewport_size({"width": width, "height": 900})
        assert window.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert window.pdf()[:5] == b"%PDF-"
