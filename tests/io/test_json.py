"""JSON is that of Python's `json` with an indent, without numbers that JSON does not have."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from extent import examples
from hypothesis import given
from hypothesis import strategies as st

from counting.io.tables import as_json

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
keys = st.text(max_size=3) | st.integers() | st.booleans() | st.none()
values = st.recursive(
    scalars, lambda some: st.lists(some, max_size=4) | st.tuples(some) | st.dictionaries(keys, some, max_size=4)
)


def known(value: Any) -> Any:
    """The value with None for each infinity and NaN."""
    if isinstance(value, dict):
        return {key: known(of_key) for key, of_key in value.items()}
    if isinstance(value, list | tuple):
        return [known(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@given(values)
@examples(2000, 120)
def test_the_text_is_that_of_json(value: Any) -> None:
    assert as_json(value) == json.dumps(known(value), indent=2) + "\n"


def test_what_is_no_data_is_refused() -> None:
    for value in (object(), [{"a": object()}], [[], object()]):
        with pytest.raises(TypeError, match="not JSON serializable"):
            as_json(value)
