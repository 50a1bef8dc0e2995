"""Forms: each field has the words of a form, not of a command."""

import re

import pytest

from counting.app.asking import _stem
from counting.app.forms import asked_values, form_of, in_words, typed_values
from counting.app.jobs import request_class
from counting.app.subjects import BY_ADDRESS, HIDDEN

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
