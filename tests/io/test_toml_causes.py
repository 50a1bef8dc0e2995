"""A line that is not TOML is shown, with its usual cause and what to type instead."""

from pathlib import Path

import pytest

from counting.bounds import load_house
from counting.errors import InputError
from counting.io.toml import read_toml


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("title = EZ Bac", '(at line 1, column 9): title = EZ Bac; a text has quotes around it: title = "EZ Bac"'),
        ("bound = $10/hour", 'bound = $10/hour; a text has quotes around it: bound = "$10/hour"'),
        ("title = “EZ”", "title = “EZ”; “ is a word processor's quote, should be a straight quote"),
        ("title = ‘EZ’", "‘ is a word processor's quote, should be a straight quote"),
        ("cut 20", "cut 20; put = between a key and its value: cut = 20"),
        ("cut: 20", "cut: 20; put = between a key and its value: cut = 20"),
        ("most bet = 100", "most bet = 100; a key is one word: most_bet = 100"),
        ("cut", "cut; a key is followed by = and its value"),
        ("rebate = 0,5 # half", "rebate = 0,5 # half; a decimal has a point: rebate = 0.5"),
        ("rebate = 0,005", "rebate = 0,005; a decimal has a point: rebate = 0.005"),
        ("most_bet = 25,000", "most_bet = 25,000; thousands have no comma: most_bet = 25000"),
        ("bound = 50,000.00", "thousands have no comma: bound = 50000.00"),
        ('title = "it\'s C:\\x"', 'a \\ within double quotes is written twice: title = "it\'s C:\\\\x"'),
        ("cut = 07", "cut = 07; a whole number has no leading 0: cut = 7"),
        ("rebate = .5", "a decimal has a digit before its point: rebate = 0.5"),
        ("rebate = 5.", "a decimal has a digit after its point: rebate = 5.0"),
        ("stand = True", "write true or false in small letters, without quotes: stand = true"),
        ("stand = no", "write true or false in small letters, without quotes: stand = false"),
        ('title = "EZ', '(at end of document), line 1: title = "EZ; the quotes do not come in pairs'),
        ('a = 1\r\ntitle = "EZ\r\nb = 2', "the quotes do not come in pairs"),
        ('game = "C:\\users"', "a text with \\ has single quotes around it: game = 'C:\\users'"),
        ('title = "say "hi" x"', "a text has quotes before it and after it, and none inside"),
        ("cut = 1\nburn = 2\ncut = 3\n[x]", "cut = 3; cut is in line 1 already"),
        ("[tags]\nA = 1\n[tags]\nA = 2", "[tags]; tags is in line 1 already"),
        ('side_bets = ["a" "b"]', "the entries of a list have commas between them, and ] comes after the last"),
        ('side_bets = ["a", "b"\ncut = 2', "(at line 2, column 1): cut = 2; the entries of a list have commas"),
        ("cut = 1 burn = 2", "each key and its value have a line of their own"),
        ("cut =\nburn = 1", "cut =; cut has no value"),
        ("\u00a0cut = 1", "there is a special space, as web pages"),
        ("cut = \x1b[2J", "cut = \\x1b[2J"),
    ],
)  # fmt: skip
def test_the_line_is_shown_with_its_cause(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "pit.toml").write_text(text, newline="")
    with pytest.raises(InputError) as failure:
        read_toml(tmp_path / "pit.toml")
    line = str(failure.value)
    assert line.startswith(f"{tmp_path / 'pit.toml'}: not TOML: ")
    assert says in line
    assert line.isprintable()


def test_a_long_line_is_shortened(tmp_path: Path) -> None:
    for text in ("title = " + "x" * 500_000, "a" + " " * 500_000 + "b"):
        (tmp_path / "pit.toml").write_text(text)
        with pytest.raises(InputError) as failure:
            read_toml(tmp_path / "pit.toml")
        assert len(str(failure.value)) < len(str(tmp_path)) + 250


def test_a_file_beside_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "louisiana-44.toml").write_text("")
    (tmp_path / "pit.toml").write_text("")
    (tmp_path / "pit.txt").write_text("")
    for asked, hint in (
        ("pit", "did you mean 'pit.toml'?"),
        ("louisiana-44", "did you mean 'louisiana-44.toml'?"),
        ("louisiana-41", "did you mean 'louisiana-40'?"),
        ("pitt.toml", "pitt.toml: no such file; did you mean 'pit.toml'?"),
        (str(tmp_path / "pitt.toml"), f"did you mean '{tmp_path / 'pit.toml'}'?"),
        ("none/pit.toml", "none/pit.toml: no such file"),
        ("zzzzzzz.toml", "zzzzzzz.toml: no such file"),
    ):
        with pytest.raises(InputError) as failure:
            load_house(asked)
        assert str(failure.value).endswith(hint)
