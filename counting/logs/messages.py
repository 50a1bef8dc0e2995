"""Find the records at a path within a JSON value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

ANY = "*"  # stands for any key of a path; the key is then in the column "*"


def records_at(value: object, path: Sequence[str], around: Mapping[str, object] | None = None) -> Iterator[object]:
    """The records at a path, each with the fields around it. Every list on the way is searched."""
    around = around or {}
    if isinstance(value, list):
        for each in value:
            yield from records_at(each, path, around)
    elif not path:
        if value is not None:
            yield {**around, **value} if isinstance(value, dict) else value
    elif isinstance(value, dict):
        first, *rest = path
        if first != ANY:
            outer = {key: part for key, part in value.items() if key != first}
            yield from records_at(value.get(first), rest, {**around, **outer})
            return
        for key, inner in value.items():
            if isinstance(inner, dict | list):
                yield from records_at(inner, rest, {**around, ANY: key})
