"""Workers: results come in order, and failures and interruptions end the wait."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from counting.workers import in_order


def test_results_come_in_the_order_of_their_arguments() -> None:
    with ThreadPoolExecutor(4) as executor:
        made = in_order(executor, lambda at, late: (time.sleep(late), at)[1], range(4), [0.2, 0.1, 0.0, 0.0])
        assert list(made) == [0, 1, 2, 3]


def test_a_failure_is_raised_where_it_stands_and_the_rest_is_not_begun() -> None:
    begun: list[int] = []

    def work(at: int) -> int:
        begun.append(at)
        if at == 1:
            raise TimeoutError("of the work itself")
        time.sleep(0.05)
        return at

    with ThreadPoolExecutor(1) as executor, pytest.raises(TimeoutError, match="of the work itself"):
        list(in_order(executor, work, range(50)))
    assert len(begun) < 10


def test_a_wait_wakes_for_an_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counting.workers.WAKE", 0.01)
    waits = []
    plain = threading.Event()

    def counted(*args: object, **more: object) -> object:
        waits.append(1)
        if len(waits) == 5:
            raise KeyboardInterrupt
        return wait(*args, **more)  # type: ignore[arg-type]

    from concurrent.futures import wait

    monkeypatch.setattr("counting.workers.wait", counted)
    with ThreadPoolExecutor(1) as executor:
        with pytest.raises(KeyboardInterrupt):
            list(in_order(executor, lambda _: plain.wait(5), [0]))
        plain.set()
    assert len(waits) == 5
