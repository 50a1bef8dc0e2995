"""What the tests of logs share."""

import pytest
from extent import long_or


@pytest.fixture
def undamaged(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process of its own goes through a file first, for the damage that ends a process: that takes a quarter of a
    second, and these files have none."""
    if not long_or(True, False):
        monkeypatch.setattr("counting.logs.parquet_files.refuse_deadly_parquet", lambda file, path: None)
