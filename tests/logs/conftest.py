"""What the tests of logs share."""

import pytest
from extent import long_or


@pytest.fixture
def undamaged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --long, Parquet files are not first read in another process, to find damage that would end the process.
    This takes a quarter of a second, and the files of these tests have no such damage."""
    if not long_or(True, False):
        monkeypatch.setattr("counting.logs.parquet_files.refuse_deadly_parquet", lambda file, path: None)
