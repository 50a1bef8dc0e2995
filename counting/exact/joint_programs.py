"""Programs of sums and products for the kernel of the joint distribution.

A slot holds one number for each shoe of a block. A row is a run of neighbouring slots, mostly ten. A program starts
with a row of counts and rows of constants (`COUNTS`, `ONE`, `ZERO`). Each step makes a new row from earlier rows; a row
may consist of several lines of ten slots. `ProgramSteps` collects the steps.

`laid_out` leaves out steps that no result needs, and divides the other steps, in their order, into stages. It assigns
slots to rows. When a row is no longer needed, its slots may be assigned to later rows. The kernel does the steps of a
stage by kind, in the order of `_KINDS`, so that its branches are easy to predict.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from counting.exact import _law

Row = int
Slot = tuple[Row, int]
"""A place in a row."""
Addition = tuple[int, int, Slot]
"""A place of the new row, a coefficient and a slot: the coefficient times the slot is added at this place."""

Picked = tuple[Slot, Slot, Sequence[Slot]]
"""A slot for the upper line, a slot for the lower line, and the ten slots by which each of the two is multiplied."""

_Kind = Literal["gather", "scaled", "picked", "line", "tile"]
_KINDS: tuple[_Kind, ...] = ("gather", "scaled", "picked", "line", "tile")

COUNTS, ONE, ZERO = range(3)
"""Rows that every program starts with: the ten counts n_v, a single 1, and twenty zeros."""
_STARTS = (0, _law.ONE, _law.ZERO)
one: Slot = (ONE, 0)
zero: Slot = (ZERO, 0)


class _Piece(NamedTuple):
    """Ten slots of a row from `place` on, or the twenty slots of a tile: an upper line and a lower line of ten. The
    slots get one of these values:

    - `init` plus a sum of terms,
    - ten products, each a coefficient times a slot (`entries`),
    - ten slots (`entries`), each times `scale`.

    A term has a slot for the upper line and a slot for the lower line. Both are multiplied by the same ten slots. The
    ten are neighbours (`terms`), or picked from anywhere (`picked`).
    """

    place: int
    init: Slot = zero
    terms: Sequence[tuple[Slot, Slot, Slot]] = ()
    picked: Sequence[Picked] = ()
    entries: Sequence[tuple[int, Slot]] = ()
    scale: Slot = one

    def slots(self) -> Iterable[Slot]:
        yield from (self.init, self.scale)
        yield from (slot for term in self.terms for slot in term)
        yield from (slot for upper, lower, ten in self.picked for slot in (upper, lower, *ten))
        yield from (slot for _, slot in self.entries)


class _ProgramStep(NamedTuple):
    kind: _Kind
    row: Row
    length: int
    pieces: Sequence[_Piece]
    additions: Sequence[Addition]

    def uses(self) -> set[Row]:
        slots = [slot for piece in self.pieces for slot in piece.slots()] + [slot for *_, slot in self.additions]
        return {row for row, _ in slots}


class ProgramSteps:
    """The steps of a program, in an order in which they can be done."""

    def __init__(self) -> None:
        self.steps: list[_ProgramStep] = []

    def _step(self, kind: _Kind, length: int, pieces: Sequence[_Piece], additions: Iterable[Addition] = ()) -> Row:
        row = len(_STARTS) + len(self.steps)
        self.steps.append(_ProgramStep(kind, row, length, pieces, list(additions)))
        return row

    def scaled(self, slots: Sequence[Slot], scale: Slot) -> Row:
        """Ten slots, each times `scale`."""
        return self._step("scaled", 10, [_Piece(0, entries=[(1, slot) for slot in slots], scale=scale)])

    def gather(self, entries: Sequence[tuple[int, Slot]]) -> Row:
        """For each entry, its coefficient times its slot. Zeros follow up to the next multiple of ten slots."""
        padded = [*entries, *[(0, zero)] * (-len(entries) % 10)]
        tens = [padded[i : i + 10] for i in range(0, len(padded), 10)]
        return self._step("gather", len(padded), [_Piece(10 * i, entries=ten) for i, ten in enumerate(tens)])

    def line(
        self, terms: Iterable[tuple[Slot, Slot]], additions: Iterable[Addition] = (), init: Slot | None = None
    ) -> Row:
        """The ten slots from `init` on, plus a sum over the terms (x, y). A term is slot x times the ten slots from y
        on."""
        return self._step("line", 10, [_Piece(0, init or zero, [(x, zero, y) for x, y in terms])], additions)

    def tiles(
        self,
        terms: Sequence[Sequence[tuple[Slot, Slot, Slot]]],
        additions: Iterable[Addition] = (),
        init: Row | None = None,
    ) -> Row:
        """Two lines for each list of terms, one after another. A term is (x of the upper line, x of the lower line, y).
        Each x is multiplied by the ten slots from y on."""
        pieces = [_Piece(20 * i, _tile_of(init, i), of) for i, of in enumerate(terms)]
        return self._step("tile", 20 * len(terms), pieces, additions)

    def picked(
        self, terms: Sequence[Sequence[Picked]], additions: Iterable[Addition] = (), init: Row | None = None
    ) -> Row:
        """Two lines for each list of picked terms, one after another."""
        pieces = [_Piece(20 * i, _tile_of(init, i), picked=of) for i, of in enumerate(terms)]
        return self._step("picked", 20 * len(terms), pieces, additions)

    def block(
        self,
        terms: Iterable[tuple[Slot, Slot]],
        additions: Iterable[Addition] = (),
        init: Row | None = None,
        lines: Collection[int] = range(10),
    ) -> Row:
        """Ten lines, counted from 0. In line i, each term (x, y) adds slot x + i times the ten slots from y on. Lines 0
        and 1, lines 2 and 3, and so on are pairs; a pair's terms are left out if neither line is in `lines`."""
        terms = list(terms)
        tiles: list[list[tuple[Slot, Slot, Slot]]] = [
            [(_on(x, i), _on(x, i + 1), y) for x, y in terms] if i in lines or i + 1 in lines else []
            for i in range(0, 10, 2)
        ]
        return self.tiles(tiles, additions, init)


def _tile_of(row: Row | None, i: int) -> Slot:
    return zero if row is None else (row, 20 * i)


def _on(slot: Slot, by: int) -> Slot:
    return slot[0], slot[1] + by


class LanePrograms(NamedTuple):
    """A program for each entry of `_law.LANES`; the slots of the results; and the number of vector operations that a
    block of shoes takes."""

    programs: tuple[_law.Program, ...]
    slots: list[int]
    work: int


def laid_out(rows: ProgramSteps, results: Sequence[Slot]) -> LanePrograms:
    needed, steps = {row for row, _ in results}, []
    for step in reversed(rows.steps):
        if step.row in needed:
            steps.append(step)
            needed |= step.uses()
    steps.reverse()
    last_use = {row: i for i, step in enumerate(steps) for row in step.uses()}
    length = {step.row: step.length for step in steps}
    ended: dict[int, list[Row]] = {}
    for row in length.keys() - {row for row, _ in results}:
        ended.setdefault(last_use[row], []).append(row)

    start, slots = dict(enumerate(_STARTS)), _Slots(_law.FREE)
    added: set[Row] = set()  # rows that the additions at the end of this stage read
    done: list[Row] = []  # of these rows, the rows that are used for the last time
    writer = _Writer(start)
    for i, step in enumerate(steps):
        if writer.begins_stage(step):
            for old in done:
                slots.give_back(start[old], length[old])
            added, done = set(), []
            writer.new_stage()
        start[step.row] = slots.take(step.length)
        writer.write(step)
        added |= {row for *_, (row, _) in step.additions}
        for old in ended.get(i, []):
            if old in added:
                done.append(old)
            else:
                slots.give_back(start[old], length[old])
    return LanePrograms(writer.programs(slots.end), [start[row] + place for row, place in results], writer.work())


class _Slots:
    """The slots that rows take. Slots that are given back are used again, because the nearest cache has no room for the
    slots of all rows."""

    def __init__(self, first: int) -> None:
        self.end = first  # the end of all slots
        self._free: list[tuple[int, int]] = []  # the first slot and the end of each gap, in order

    def take(self, length: int) -> int:
        """Take `length` neighbouring slots, in the smallest gap that has room or at the end. Returns the first of
        them."""
        gaps = [(end - first, first, end) for first, end in self._free if end - first >= length]
        if not gaps:
            first = self._free.pop()[0] if self._free and self._free[-1][1] == self.end else self.end
            self.end = first + length
            return first
        _, first, end = min(gaps)
        at = self._free.index((first, end))
        self._free[at : at + 1] = [(first + length, end)] * (end - first > length)
        return first

    def give_back(self, first: int, length: int) -> None:
        insort(self._free, (first, first + length))
        for at in range(len(self._free) - 1, 0, -1):
            if self._free[at - 1][1] == self._free[at][0]:
                self._free[at - 1 : at + 1] = [(self._free[at - 1][0], self._free[at][1])]


class _Writer:
    """The arrays of a program, stage by stage; `start` is the first slot of each row."""

    def __init__(self, start: dict[Row, int]) -> None:
        self.start = start
        self.rows: dict[str, list[list[int]]] = {kind: [] for kind in (*_KINDS, "add")}
        self.coefficients: list[list[int]] = []
        self.terms: list[list[int]] = []
        self.picked: list[list[int]] = []
        self.stages = [[0] * (len(_KINDS) + 1)]
        self.additions: list[Addition] = []
        self.kind = 0
        self.unfinished: set[Row] = set()  # rows of this stage to which something is still to be added

    def at(self, slot: Slot) -> int:
        return self.start[slot[0]] + slot[1]

    def begins_stage(self, step: _ProgramStep) -> bool:
        return _KINDS.index(step.kind) < self.kind or not self.unfinished.isdisjoint(step.uses())

    def new_stage(self) -> None:
        """Put the additions at the end of the stage, with additions to the same slot far apart."""
        times: dict[int, int] = {}
        ordered = []
        for to, coefficient, slot in self.additions:
            times[to] = times.get(to, 0) + 1
            ordered.append((times[to], to, coefficient, self.at(slot)))
        ordered.sort(key=lambda addition: addition[0])
        self.rows["add"] += [[to, slot, coefficient] for _, to, coefficient, slot in ordered]
        self.stages.append([len(self.rows[kind]) for kind in (*_KINDS, "add")])
        self.additions, self.unfinished, self.kind = [], set(), 0

    def write(self, step: _ProgramStep) -> None:
        self.kind = _KINDS.index(step.kind)
        for piece in step.pieces:
            to = self.start[step.row] + piece.place
            if piece.entries:
                slots = [self.at(slot) for _, slot in piece.entries]
                if step.kind == "scaled":
                    self.rows["scaled"].append([to, self.at(piece.scale), *slots])
                else:
                    self.rows["gather"].append([to, *slots])
                    self.coefficients.append([coefficient for coefficient, _ in piece.entries])
            elif step.kind == "picked":
                first = len(self.picked)
                self.picked += [[self.at(slot) for slot in (upper, lower, *ten)] for upper, lower, ten in piece.picked]
                self.rows["picked"].append([to, self.at(piece.init), first, len(self.picked)])
            else:
                first = len(self.terms)
                self.terms += [[self.at(slot) for slot in term] for term in piece.terms]
                self.rows[step.kind].append([to, self.at(piece.init), first, len(self.terms)])
        self.additions += [(self.start[step.row] + place, k, slot) for place, k, slot in step.additions]
        if step.additions:
            self.unfinished.add(step.row)

    def programs(self, slots: int) -> tuple[_law.Program, ...]:
        self.new_stage()
        # Each array gets one unused row, so that none is empty.
        widths = {"gather": 11, "scaled": 12, "picked": 4, "line": 4, "tile": 4, "add": 3}
        gather, scaled, picked, line, tile, add = (
            np.array([*self.rows[kind], [0] * width], np.int32) for kind, width in widths.items()
        )
        term, pick = np.array([*self.terms, [0] * 3], np.int32), np.array([*self.picked, [0] * 12], np.int32)
        stages = np.array(self.stages, np.int32)
        of_gather, of_add = np.array([*self.coefficients, [0] * 10], np.int64), add[:, 2].astype(np.int64)
        coefficients = of_gather, of_add, of_gather.astype(float), of_add.astype(float)
        made = []
        for lanes in _law.LANES:
            of_row = np.array([lanes, lanes, 1, 1], np.int32)
            rows = gather * lanes, scaled * lanes, picked * of_row, line * of_row, tile * of_row
            places = *rows, pick * lanes, term * lanes, add[:, :2] * lanes
            made.append(_law.Program(lanes, slots, stages, *places, *coefficients))
        return tuple(made)

    def work(self) -> int:
        lines, tiles = (sum(row[3] - row[2] for row in self.rows[kind]) for kind in ("line", "tile"))
        tiles += len(self.picked)
        return 10 * (lines + len(self.rows["gather"]) + len(self.rows["scaled"])) + 20 * tiles + len(self.rows["add"])
