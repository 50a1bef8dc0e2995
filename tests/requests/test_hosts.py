"""Stages of the work: how far each is, and how much time it still takes."""

import sys
from pathlib import Path

import pytest

from counting.bounds.progress import part_of
from counting.cli.asked import Terminal
from counting.numbers import duration, in_bytes
from counting.requests import Host, Pace, Stage, StudyRequest, hosts


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(hosts, "monotonic", made)
    return made


def stages(clock: Clock, seconds: list[float], before: int = 0, step: int = 100, total: int = 10_000) -> list[Stage]:
    """The reports on a stage whose steps take these seconds. `before`: how much an earlier run did."""
    told: list[Stage] = []
    pace = Pace(Stage("Playing EZ Baccarat", "shoes"), told.append)
    pace(before, total)
    for number, taken in enumerate(seconds, 1):
        clock.now += taken
        pace(before + number * step, total)
    return told


def test_the_time_left_is_known_once_it_is_measured(clock: Clock) -> None:
    """A step takes half a second. The time left is known after three seconds, a tenth of the work and five steps."""
    told = stages(clock, [0.5] * 20, total=6000)
    assert told[0] == Stage("Playing EZ Baccarat", "shoes")
    assert [stage.left for stage in told[1:6]] == [None] * 5
    assert (told[6].done, told[6].total, told[6].left) == (600, 6000, pytest.approx(27))
    assert told[-1].left == pytest.approx(20)
    assert told[-1].how_far == "2,000 of 6,000 shoes, about 20 s left"


def test_a_long_stage_is_measured_for_a_tenth_of_its_time(clock: Clock) -> None:
    told = stages(clock, [0.5] * 150, step=10)
    assert next(stage.done for stage in told if stage.left is not None) == 1000


def test_what_an_earlier_run_did_is_no_pace(clock: Clock) -> None:
    assert stages(clock, [0.5] * 8, before=8000)[-1].left == pytest.approx(6)


def test_no_time_is_said_while_steps_become_faster(clock: Clock) -> None:
    """A census has such steps: the first ones, with few cards, have few compositions but take long."""
    told = stages(clock, [2.0, 1.5, 1, 0.7, 0.4, 0.2, 0.2] + [0.1] * 300, step=30)
    known = [stage for stage in told if stage.left is not None]
    assert told[30].left is None
    assert len(known) > 10
    assert all(stage.left == pytest.approx((10_000 - stage.done) / 300) for stage in known)


def test_news_come_four_times_a_second_at_most(clock: Clock) -> None:
    told = stages(clock, [0.01] * 100)
    assert len(told) == 5  # the start, three in the second, and the end
    assert told[-1].done == told[-1].total


@pytest.mark.parametrize(
    ("on_terminal", "printed"),
    [
        (True, "Playing EZ Baccarat, 10,000 shoes: about 45 s left, 27 MB on disk.\n"),
        (False, "about 27 MB on disk\n"),
    ],
)
def test_a_terminal_says_once_what_a_stage_takes(
    on_terminal: bool, printed: str, clock: Clock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: on_terminal)
    pace = Pace(Stage("Playing EZ Baccarat", "shoes"), Terminal().follow)
    pace.space(27_000_000)
    for done in range(0, 2000, 100):
        pace(done, 10_000)
        clock.now += 0.5
    assert capsys.readouterr().err == printed


class Application(Host):
    """An application: it keeps the stages that it receives, and stops the work when the test asks it to."""

    def __init__(self, stop: bool = False) -> None:
        super().__init__("counting study ez-baccarat")
        self.told: list[Stage] = []
        self.stop = stop

    def follow(self, stage: Stage) -> None:
        self.told.append(stage)
        if self.stop and stage.done:
            raise InterruptedError


@pytest.mark.usefixtures("undrawn")
def test_an_application_is_told_how_far_the_work_is_and_can_end_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosts, "_OFTEN", 0)
    asked, whole = StudyRequest("ez-baccarat", shoes=60, out=tmp_path), Application()
    with pytest.raises(InterruptedError):
        asked.answered(stopped := Application(stop=True))
    assert asked.answered(whole).folder == tmp_path
    told = [stage for stage in whole.told if stage.subject == "Playing EZ Baccarat"]
    assert told[0] == Stage("Playing EZ Baccarat", "shoes")
    assert {(stage.unit, stage.total) for stage in told if stage.total} == {("shoes", 60)}
    assert told[-1].done == 60
    assert stopped.told[-1].done <= next(stage.done for stage in told if stage.done)
    assert stopped.told[1].size is not None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 s"), (9.1, "10 s"), (42, "40 s"), (57, "55 s"), (58, "1 min"), (130, "2 min 10 s"), (596, "10 min"),
     (3570, "1 h"), (3599, "1 h"), (5000, "1 h 25 min")],
)  # fmt: skip
def test_a_time_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_a_size_in_words() -> None:
    assert [in_bytes(size) for size in (12_300, 4_560_000, 10**10)] == ["12.3 kB", "4.56 MB", "10 GB"]
    edges = [(999_499, "999 kB"), (999_500, "1 MB"), (999_999, "1 MB"), (999_499_999, "999 MB"), (999_900_000, "1 GB"),
             (999_500_000_000, "1 TB"), (10**15, "1,000 TB"), (12_345 * 10**12, "12,300 TB"), (0, "0 kB")]  # fmt: skip
    assert [in_bytes(size) for size, _ in edges] == [words for _, words in edges]


def test_steps_of_different_cost_are_weighed(clock: Clock) -> None:
    """The first half of the units cost three times as much as the second half."""
    told: list[Stage] = []
    pace = Pace(Stage("Playing EZ Baccarat", "shoes"), told.append)
    spent = 0.0
    for done in range(101):
        pace(done, 100, (spent, 200.0))
        cost = 3.0 if done < 50 else 1.0
        clock.now += cost
        spent += cost
    known = {stage.done: stage.left for stage in told}
    assert [known[done] for done in (25, 50, 75)] == pytest.approx([125, 50, 25])
    assert known[100] is None  # what follows the last unit is not known


def test_no_time_is_said_after_one_long_step(clock: Clock) -> None:
    """A fit before the shoes are played is such a step. The time left follows from the later half of the time alone."""
    told = stages(clock, [60.0, *[0.5] * 130], step=50)
    assert all(stage.left is None for stage in told[:100])


def test_brackets_of_different_cost_are_parts_of_one_stage() -> None:
    told: list[tuple[int, int, tuple[float, float] | None]] = []

    def take(done: int, total: int, work: tuple[float, float] | None = None) -> None:
        told.append((done, total, work))

    second = part_of(take, 1, [4.0, 6.0])
    assert second is not None
    second(50, 200, (30, 40))
    second(200, 200)
    assert told == [(250, 400, (8.5, 10.0)), (400, 400, (10.0, 10.0))]
    assert part_of(None, 0, [1.0]) is None
