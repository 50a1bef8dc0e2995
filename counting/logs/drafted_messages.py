"""Find, from the first values of a JSON file, the path of the records of coups, and a column that distinguishes these
records from other messages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from counting.logs.cards import hand_codes
from counting.logs.drafted_lines import literal
from counting.logs.messages import ANY
from counting.logs.sources import SAMPLE, Source

_LOOKED_AT, _SEVERAL = 50, 5  # how many values are looked at; if there are 5 or more, a path must be in two of them
_DEEPEST, _MOST_OF_VALUE, _MOST_PATHS = 6, 1000, 8
_ALIKE = 0.5  # objects of the same kind have more than this share of their keys in common
_WHOLE = 0.9
_MOST_KINDS = 30
_TWO_NUMBERS = re.compile(r"[A-Za-z]{0,8}[0-9]{1,12}([-_/:.#|])[A-Za-z]{0,3}([0-9]{1,3})")


class Kinds(NamedTuple):
    """How to distinguish coups from other records: the `column`, its `words` in records of coups, and its words in
    other records (`others`)."""

    column: str
    words: tuple[str, ...]
    others: tuple[str, ...]


def paths_to_records(values: Iterable[object]) -> list[str]:
    """The commonest paths of objects within the first values, the shortest first. In a path, `*` stands for keys that
    are names, for example of tables. If there are five values or more, a path must be in at least two of them."""
    paths, first = Counter[tuple[str, ...]](), list(islice(values, _LOOKED_AT))
    for value in first:
        paths.update(list(dict.fromkeys(islice(_paths(value, (), 0), _MOST_OF_VALUE))))
    least = 1 if len(first) < _SEVERAL else 2
    most = [found for found, number in paths.most_common() if found and number >= least][:_MOST_PATHS]
    return [".".join(found) for found in sorted(most, key=lambda found: (len(found), found))]


def _paths(value: object, path: tuple[str, ...], depth: int) -> Iterator[tuple[str, ...]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for each in islice((each for each in value if isinstance(each, dict | list)), 3):
            yield from _paths(each, path, depth + 1)
    elif isinstance(value, dict):
        yield path
        if _is_keyed(value):
            for each in islice(value.values(), 3):
                yield from _paths(each, (*path, ANY), depth + 1)
            return
        for key, inner in value.items():
            if isinstance(inner, dict | list) and "." not in key:
                yield from _paths(inner, (*path, key), depth + 1)


def _is_keyed(value: dict[str, object]) -> bool:
    """Whether the keys of an object are names, for example of tables. All values must be objects. Also, either all keys
    must have digits, or there must be three objects or more that share most of their keys."""
    inner = [each for each in value.values() if isinstance(each, dict)]
    if not inner or len(inner) < len(value):
        return False
    if all(re.search("[0-9]", key) for key in value):
        return True
    keys = [set(each) for each in inner]
    shared = set.intersection(*keys)
    return len(inner) > 2 and len(shared) > _ALIKE * max(map(len, keys))


def message_kinds(source: Source, hands: Sequence[str], names: Sequence[str]) -> Kinds | None:
    """The column that distinguishes coups from other messages. The column has few different words. A word means a coup
    if at least nine in ten of the records with this word have two cards or more in every hand. None if all records or
    no records have such hands, or if there is no such column."""
    columns = {f"hand {at}": name for at, name in enumerate(hands)}
    rows = source.sample(columns | {name: name for name in names}).head(SAMPLE)
    whole = [all(len(hand_codes(row[name])[0]) >= 2 for name in columns) for row in rows.select(*columns).to_dicts()]
    if all(whole) or not any(whole):
        return None
    best: tuple[tuple[int, int], Kinds] | None = None
    for name in names:
        words = rows[name].to_list()
        of_word, of_whole = (
            Counter(words),
            Counter(word for word, is_whole in zip(words, whole, strict=True) if is_whole),
        )
        chosen = tuple(word for word in of_whole if word and of_whole[word] >= _WHOLE * of_word[word])
        others = tuple(word for word in of_word if word not in chosen)
        if not chosen or not others or len(of_word) > _MOST_KINDS or 2 * len(of_word) > len(words):
            continue
        merit = (sum(of_whole[word] for word in chosen), -len(chosen))
        if best is None or merit > best[0]:
            best = merit, Kinds(name, chosen, others)
    return None if best is None else best[1]


def split_of(texts: Sequence[str]) -> str | None:
    """A pattern that splits a field such as `13-41` into shoe and coup; None if the texts are not of this form."""
    found = [_TWO_NUMBERS.fullmatch(text) for text in texts if text]
    matches = [match for match in found if match is not None]
    if not matches or len(matches) < _WHOLE * len(found):
        return None
    marks = {match[1] for match in matches}
    if len(marks) != 1 or len({match[2] for match in matches}) < min(2, len(matches)):
        return None
    mark = literal(marks.pop())
    return rf"^(?P<shoe>.*[0-9]){mark}[A-Za-z]*(?P<coup>[0-9]+)$"
