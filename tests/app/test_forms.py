"""Forms: each field is described in words for a form, which mention no commands or paths."""

import re

import pytest

from counting import InputError
from counting.app.asking import _stem
from counting.app.forms import asked_values, form_of, in_words, typed_values
from counting.app.jobs import request_class
from counting.app.subjects import BY_ADDRESS, HIDDEN
from counting.requests.table_questions import _money

OF_COMMANDS = re.compile("--|`|TOML|counting [a-z]+[ )]|error line|docs/|the path of")


@pytest.mark.parametrize("verb", [each.verb for each in BY_ADDRESS.values() if each.verb])
def test_no_field_speaks_of_commands_or_paths(verb: str) -> None:
    kind = request_class(verb)
    for field in form_of(kind, [name for name in kind.arguments() if name not in HIDDEN], {}):
        words = f"{field.help} {field.more} {field.usual}"
        assert not OF_COMMANDS.search(words), (field.name, words)
        assert field.help not in ("", "."), field.name


def test_words_of_commands_are_left_out() -> None:
    assert in_words("A bet of the game's (see `counting bets`).") == "A bet of the game's."
    assert in_words("An eighth of --shoes, at most 15,000.") == "An eighth of “Shoes”, at most 15,000."
    assert in_words("Its name or the path of a TOML file. Required; if it is missing, the error line names it.") == (
        "Its name."
    )


def test_a_bet_that_is_written_out_is_one_bet_of_a_form_and_names_its_job() -> None:
    text = "big-tie: tie player_total=1,3 = 30 to 1; tie = push"
    asked = asked_values(request_class("known"), {"game": "punto-banco", "bet": f"player, tie-8, {text}"})
    assert asked_values(request_class("known"), typed_values(asked)) == asked
    assert asked["bet"] == ["player", "tie-8", text]
    assert [_stem(each) for each in asked["bet"]] == ["player", "tie-8", "big-tie"]


@pytest.mark.parametrize(
    ("text", "says"),
    [("0,5", "should be a number; a decimal has a point: 0.5"), ("five", "should be a number$"),
     ("1.000,50", "should be a number; thousands have a comma, a decimal has a point: 1,000.50")],
)  # fmt: skip
def test_a_wrong_number_in_a_form_has_a_hint(text: str, says: str) -> None:
    with pytest.raises(InputError, match=f"^coups_per_hour: .*{says}"):
        asked_values(request_class("sample"), {"rate": "10", "coups_per_hour": text})


@pytest.mark.parametrize(
    ("text", "meant"), [("2.000", "2000"), ("$ 1.000.000", r"\$ 1000000"), ("1.000,50", "1000.50")]
)
def test_thousands_with_points_are_refused_with_the_amount_that_is_meant(text: str, meant: str) -> None:
    with pytest.raises(InputError, match=f"should be {meant}; a point begins decimals"):
        _money("most_bet")(text)
    for amount in ("1,000.000", "0.500"):
        assert _money("most_bet")(amount) == {"most_bet": amount}


def test_a_default_with_a_colon_or_a_point_is_shown_whole() -> None:
    kind = request_class("results")
    usual = {field.name: field.usual for field in form_of(kind, kind.arguments(), {})}
    assert (usual["shifts"], usual["decks"]) == ("06:00,14:00,22:00", "the game's")
