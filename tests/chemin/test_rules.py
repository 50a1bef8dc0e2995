"""Rules of chemin de fer as data: made in Python, by name and from a file. Mistakes in rules get error lines."""

from dataclasses import replace
from pathlib import Path

import pytest

from counting import InputError, Shoe
from counting.chemin import CLASSICAL, MODERN, PUNTO_BANCO, CheminRules, check_certificate, load_rules, solve

SIX = Shoe.decks(6)


def test_rules_that_do_not_fit_are_refused_all_at_once() -> None:
    with pytest.raises(InputError) as raised:
        CheminRules("", "", "DDDDD*S", ("D" * 11, "X" * 11, *("S" * 11,) * 6))
    assert str(raised.value).splitlines() == [
        "player: 'DDDDD*S', should be 8 letters: D draws, S stands, * has the choice",
        "banker, row of total 1: 'XXXXXXXXXXX', should be 11 letters: D draws, S stands, * has the choice",
    ]
    with pytest.raises(InputError, match="should be 8 rows"):
        CheminRules("", "", "DDDDD*SS", ("D" * 11,))
    for options in ({"player": (8,)}, {"banker": ((3, 11),)}, {"banker": (3,)}):
        with pytest.raises(InputError, match="should be"):
            PUNTO_BANCO.free("", "", **options)


def test_rules_are_values() -> None:
    assert CheminRules(CLASSICAL.title, CLASSICAL.source, "d d d d d * s s", [" ".join("*" * 11)] * 8) == CLASSICAL
    assert sum(row.count("*") for row in MODERN.banker) == 2
    assert "*" not in PUNTO_BANCO.player + "".join(PUNTO_BANCO.banker)


OWN = """
title = "A house of its own"
source = "its rule book"
player = "DDDD**SS"
banker = [
  # 0 1 2 3 4 5 6 7 8 9 stood
  "D D D D D D D D D D D",
  "D D D D D D D D D D D",
  "D D D D D D D D D D D",
  "D D D D D D D D S * D",
  "S * D D D D D D S S D",
  "S S S S * D D D S S D",
  "S S S S S S D D S S *",
  "S S S S S S S S S S S",
]
"""


def test_rules_from_a_file_or_by_name(tmp_path: Path) -> None:
    (file := tmp_path / "own.toml").write_text(OWN)
    rules = load_rules(file)
    solution = solve(SIX, "A1", rules)
    assert (rules.title, len(solution.player), len(solution.banker)) == ("A house of its own", 2, 4)
    assert solution.player[4] == 1  # standing on four does not pay
    assert solution.value == solve(SIX, "A1").value  # these rules have the choices that matter
    check_certificate(solution.certificate, SIX, "A1", rules)
    assert [load_rules(name) for name in ("classical", "modern", "punto-banco")] == [CLASSICAL, MODERN, PUNTO_BANCO]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("title", "titel", r"titel = .*: unknown key, should be one of title, source, .*; did you mean 'title'\?"),
        ("title", "titel", "title: missing"),
        ('"its rule book"', '""', 'source = "": should be a text in quotes, on one line and not empty'),
        ('"DDDD**SS"', '"DDDD**S"', "player: 'DDDD..S', should be 8 letters: D draws, S stands, . has the choice"),
        ('"DDDD**SS"', "5", "player: 5, should be 8 letters: D draws, S stands, . has the choice"),
        ('"DDDD**SS"', '"DDDD**ß"', "player: 'DDDD..ß', should be 8 letters"),
        ('S * D"', 'S D"', "banker, row of total 3: 'D D D .*', should be 11 letters"),
        ('  "S S S S S S S S S S S",\n', "", "banker: .*, should be 8 rows, for Banker's totals 0 to 7"),
        ("banker = [", "banker = 3 #", "not TOML"),
        (OWN[OWN.index("banker") :], "banker = 3\n", "banker: 3, should be 8 rows"),
        (OWN[OWN.index("banker") :], "", "banker: missing"),
    ],
)
def test_mistakes_in_a_file_of_rules(old: str, new: str, says: str, tmp_path: Path) -> None:
    assert old in OWN
    (file := tmp_path / "own.toml").write_text(OWN.replace(old, new, 1))
    with pytest.raises(InputError, match=says) as raised:
        load_rules(file)
    assert all(line.startswith(f"{file}: ") for line in str(raised.value).splitlines())


def test_all_mistakes_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    text = OWN.replace("title", "titel").replace("DDDD**SS", "DDDD").replace("S * D D", "S D D", 1)
    (file := tmp_path / "own.toml").write_text(text)
    with pytest.raises(InputError) as raised:
        load_rules(file)
    said = [line.removeprefix(f"{file}: ").split(":")[0].split(" =")[0] for line in str(raised.value).splitlines()]
    assert sorted(said) == ["banker, row of total 4", "player", "titel", "title"]


def test_what_is_no_certificate_and_no_rules_is_told() -> None:
    certificate = solve(SIX).certificate
    for wrong, said in (
        (None, "certificate: None, should be a Certificate"),
        (replace(certificate, player=None), "certificate, player: None, should be a probability for each cell"),
    ):
        with pytest.raises(InputError, match=said):
            check_certificate(wrong, SIX)
    with pytest.raises(InputError, match="title: None, should be a text\nsource: 3, should be a text"):
        CheminRules(None, 3, "DDDDD*SS", ("D" * 11,) * 8)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="player: 5, should be several"):
        PUNTO_BANCO.free("", "", player=5)  # type: ignore[arg-type]
