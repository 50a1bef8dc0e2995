"""Typed values as texts, and what stands at a path of nested records."""

import pytest

from counting.logs.values import as_text, at_path, paths_of

RECORD = {"id": 7, "hands": [{"cards": ["9h", "Kd"]}, {"cards": ["5c"]}], "empty": []}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("id", 7),
        ("hands.0.cards.1", "Kd"),
        ("hands.1.cards.0", "5c"),
        ("hands.1.cards.1", None),
        ("hands.2.cards", None),
        ("empty.0", None),
        ("hands.cards", [["9h", "Kd"], ["5c"]]),
        ("hands.cards.1", ["Kd", None]),
        ("id.0", None),
        ("none.cards", None),
    ],
)
def test_what_stands_at_a_path_and_nothing_beyond_a_lists_end(path: str, value: object) -> None:
    assert at_path(RECORD, path.split(".")) == value


def test_every_path_of_a_record_leads_to_what_it_holds() -> None:
    record = {"id": 7, "hands": [{"cards": ["9h", "Kd"]}, {"cards": ["5c", "2s"]}]}
    paths = paths_of(record)
    assert paths == ["id", "hands", "hands.cards", "hands.cards.0", "hands.cards.1"]
    assert [at_path(record, path.split(".")) for path in paths] == [
        7, record["hands"], [["9h", "Kd"], ["5c", "2s"]], ["9h", "5c"], ["Kd", "2s"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "text"),
    [(1e22, "1" + "0" * 22), (3.0, "3"), (1e-7, "0.0000001"), (732.4499999999999, "732.4499999999999"),
     (float("inf"), "inf"), (True, "true"), (None, ""), ([1, [2.0, None]], "1,2,"), (b" x ", "x")],
)  # fmt: skip
def test_a_value_is_the_text_that_a_csv_would_have(value: object, text: str) -> None:
    assert as_text(value) == text
