"""Forms: the words of each field are those of a form, not of a command."""

import re

import pytest

from counting.app.forms import form_of, in_words
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
