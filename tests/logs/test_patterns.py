"""Patterns that take lines apart: what they read, what is refused, and that none of them hangs."""

import re
import time
from pathlib import Path

import polars as pl
import pytest

from counting import InputError
from counting.logs import load_layout, read_log
from counting.logs.patterns import LONGEST, Pattern

CHAT = r"#N(?P<coup>[0-9]+).*?\((?P<player>[^)]*)\).*?\((?P<banker>[^)]*)\)"


def test_the_groups_of_a_block_are_those_of_its_lines() -> None:
    texts = ["#N1248 ✅9 (K♥️ 9♦️) - 7 (A♠️ 6♣️)", "hello (all)", "", "#N7 () - ()", f"{'#N1 (a) (b)':<{LONGEST + 1}}"]
    pattern = Pattern(CHAT)
    assert pattern.names == ("coup", "player", "banker")
    block = pattern.frame(pl.Series(texts)).to_dicts()
    assert block[0] == {"coup": "1248", "player": "K♥️ 9♦️", "banker": "A♠️ 6♣️"}
    assert block[3] == {"coup": "7", "player": "", "banker": ""}
    for text, row in zip(texts, block, strict=True):
        assert pattern.groups(text) == (None if row["coup"] is None else row)
    for text, groups in zip(texts[:4], block, strict=False):  # Python's own engine agrees; it is quick on these texts
        match = re.search(CHAT, text)
        assert (match and match.groupdict()) == (None if groups["coup"] is None else groups)


# On the line beside it, each pattern takes longer than a test may last, in Python's own engine or in an automaton
# without a bound.
CATASTROPHIC = [
    (r"(?P<a>(a+)+)$", "a" * 999 + "!"),
    (r"(?P<a>(a|a)*)b", "a" * 1000),
    (r"(?P<a>(a|aa)+)$", "a" * 999 + "!"),
    (r"(?P<a>(.*)*)b", "a" * 1000),
    (r"(?P<a>(\w+\s?)*)!", "word " * 200),
    (r"(?P<a>(.*.*.*.*.*.*.*.*))b", "é" * 1000),
    (r"(?P<a>(([a-y]*)*)*z|([a-y]+)+q|.{0,900})", "ab" * 500),
]


@pytest.mark.parametrize(("pattern", "text"), CATASTROPHIC)
def test_a_catastrophic_pattern_ends(pattern: str, text: str) -> None:
    made = Pattern(pattern)
    start = time.process_time()
    made.frame(pl.Series([text] * 50))
    assert time.process_time() - start < 5  # in fact some tenths of a second at most


WRONG = [
    ("(?P<a", "should be a regular expression: unclosed capture group name"),
    (r"(?P<a>.)\1", "should be a regular expression: backreferences are not supported"),
    ("(?=x)(?P<a>.)", "look-around"),
    ("[0-9]+", "should have named groups, as (?P<coup>[0-9]+)"),
    ("(?P<a>((a{0,9}){0,9}){0,9})", "should repeat groups at most 20 times"),
    ("(?P<a>(a?){100,}a)", "should repeat groups at most 20 times"),
    ("(?x) (?P<a>(a?) {900})", "should repeat groups at most 20 times"),
    (r"(?P<a>(\w{900}\w{900}\w{900}\w{900}))", "exceeds size limit"),
    ("(?P<a>" + "x" * 1000 + ")", "should be a pattern of at most 1,000 characters"),
]


@pytest.mark.parametrize("key", ["line = '{}'", "split = {{ rn = '{}' }}"])
@pytest.mark.parametrize(("pattern", "said"), WRONG)
def test_what_is_no_pattern_is_refused_in_a_line(tmp_path: Path, pattern: str, said: str, key: str) -> None:
    path = tmp_path / "layout.toml"
    path.write_text(f"[file]\n{key.format(pattern)}\n")
    with pytest.raises(InputError) as refused:
        load_layout(path)
    assert said in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_lines_that_do_not_fit_are_no_coups_and_are_counted(tmp_path: Path) -> None:
    (tmp_path / "layout.toml").write_text(f"[file]\nline = '{CHAT}'\n[coups]\ntable = 'constant'\nshoe = 'constant'\n")
    coups = [f"#N{at} 9 (K♥️ 9♦️) - 7 (A♠️ 6♣️)" for at in range(1, 6)]
    long = f"#N9 9 (K♥️ 9♦️) - 7 (A♠️ 6♣️){' ' * LONGEST}"
    (tmp_path / "chat.txt").write_text("\n".join(["hello", *coups, long, "bye"]), encoding="utf-8")
    log = read_log(tmp_path / "chat.txt", None, load_layout(tmp_path / "layout.toml"))
    assert log.coups["coup"].to_list() == [1, 2, 3, 4, 5]
    assert log.skipped["coups"] == 1  # the long line, which may have been a coup
    assert log.remarks.select("line", "reason").rows() == [
        (1, "does not fit the layout's pattern; not read as a coup"),
        (7, "is too long, should be at most 1,000 characters; line skipped"),
        (8, "does not fit the layout's pattern; not read as a coup"),
    ]
