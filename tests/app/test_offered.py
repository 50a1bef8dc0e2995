"""The lists that fields are completed from."""

from pathlib import Path

from counting.app.forms import Field, offers
from counting.app.studies import Studies

BET = Field(name="bet", label="Bet", kind="bet", help="", offers="bets")


def listed(folder: Path, game: str) -> list[str]:
    (folder / "games").mkdir(exist_ok=True)
    chosen = Field(name="game", label="Game", kind="game", help="", offers="games", value=game)
    return [*offers(Studies(folder), [chosen, BET])["bets"]]


def test_the_bets_of_the_chosen_game_come_first(tmp_path: Path) -> None:
    assert listed(tmp_path, "louisiana")[4:6] == ["tie-9", "seven-seven-40"]
    assert listed(tmp_path, "no-commission")[:4] == ["player", "banker", "tie-8", "super-6"]
    assert sorted(listed(tmp_path, "louisiana")) == sorted(listed(tmp_path, "no-commission"))


def test_a_game_that_is_none_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games/broken.toml").write_text("title = 3")
    assert listed(tmp_path, "games/broken.toml") == listed(tmp_path, "nix") == listed(tmp_path, "")


def test_a_count_is_offered_with_its_title(tmp_path: Path) -> None:
    counts = Field(name="system", label="Counts", kind="systems", help="", offers="systems")
    offered = offers(Studies(tmp_path), [counts])["systems"]
    assert offered["thorp-eights"] == "Thorp's count of eights"
    assert all(offered.values())
