"""Pages in a browser: nothing runs off the side, wide or narrow, and a page prints. Only with COUNTING_BROWSER, the
path of a Chromium, as `nox -s browser` sets it."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from counting.audit.synthetic import Flat, deal, log_frames
from counting.cli import main
from counting.games import load_game
from counting.simulation import Dealing

CHROMIUM = os.environ.get("COUNTING_BROWSER", "")
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="COUNTING_BROWSER is not set")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=2000")
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
# What runs off the side of the window is written where the browser's DOM can be read.
LOOK = (
    "<script>addEventListener('load',()=>{const w=document.documentElement;"
    "document.title='overflow '+(w.scrollWidth-w.clientWidth)})</script></body>"
)


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
def test_a_page_fits_its_window_and_prints(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert main([*PAGES[name], "--out", name]) == 0
    page = page_of(name, folder)
    looked = folder / f"{name}.html"
    looked.write_text(page.read_text().replace("</body>", LOOK))
    for width in (1280, 420):
        command = [CHROMIUM, *FLAGS, f"--window-size={width},900", "--dump-dom", looked.as_uri()]
        dom = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert re.search(r"<title>overflow 0</title>", dom), (width, re.findall("<title>.*?</title>", dom))
    printed = folder / f"{name}.pdf"
    subprocess.run([CHROMIUM, *FLAGS, f"--print-to-pdf={printed}", page.as_uri()], capture_output=True, check=True)
    assert printed.read_bytes()[:5] == b"%PDF-"
