"""What the tests of watches share."""

import pytest
from quick_reading import undamage, unprice


@pytest.fixture
def undamaged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are not read in another process first. For tests whose files have no damage."""
    undamage(monkeypatch.setattr)


@pytest.fixture
def unpriced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Watches do not work out edges. For tests that only look at how lines are read."""
    unprice(monkeypatch.setattr)
