"""What the tests of logs share."""

import pytest
from extent import long_or


@pytest.fixture
def undamaged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --long, do not read each Parquet file in another process first, as a check for damage that would end the
    process. The check takes a quarter of a second, and the files of these tests have no such damage."""
    if not long_or(True, False):
        monkeypatch.setattr("counting.logs.parquet_files.refuse_deadly_parquet", lambda file, path: None)
