"""Hostile values in records of every form: do they ever cause more than a remark or an error line?

Each file has 300 good coups and 1,000 hostile records (`tests/twins/hostile.py`). It is read by `audit`, `shuffle` and
`watch`, and `layouts --draft` drafts a layout for it. All this runs in one process, whose memory is measured. All good
coups must be read correctly. No call may raise anything but `InputError`, take 20 CPU seconds, or use 2 GB. A good coup
may be lost only if a hostile record has the same table, shoe and number, because the two records then differ. In a
watch, a good coup may also be lost if a hostile record begins another shoe at its table. Both reasons are checked for
every lost coup.

A file is determined by its form and number. Its result is added as a line to `files.jsonl` in the folder, so that an
interrupted run can continue. A table is printed at the end.

    python -m experiments.attack.records FOLDER [RECORDS]
"""

from __future__ import annotations

import os

for _variable in ("OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(_variable, "1")

import json
import random
import resource
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import polars as pl

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from twins.hostile import FORMS, LAYOUTS, OTHERS, a_record, good_rows, kind_of, written

from counting import InputError, load_game
from counting.live import COUPS, Watch, WatchSettings, open_input
from counting.logs import NO_CARD, PLACES, Layout, card_name, read_log
from counting.logs.drafting import draft
from counting.logs.fields import coup_number, name
from counting.logs.records import field_text
from counting.review import ShuffleSettings, audit, shuffle_review

GAME = load_game("ez-baccarat")
HANDS = [("9h Kd", "5c 2s", "player"), ("2h 3d 4s", "9c Kc 2d", "player"), ("4h Ad 3s", "10c Js 2d", "player"),
         ("8h 8d", "6c 2h 9s", "banker")]  # fmt: skip
GOOD = [{"table": "1", "shoe": str(at // 60), "coup": at % 60 + 1, **dict(zip(("player", "banker", "winner"),
         HANDS[at % 4], strict=True))} for at in range(300)]  # fmt: skip
A_FILE = 1000  # hostile records in a file
DRAWS = 83  # the fewest draws that `shuffle` accepts at the level used here
SECONDS, GIGABYTES = 20, 2
EVERY = (*FORMS, *OTHERS)
CALLS = ("audit", "shuffle", "watch", "layouts")
LINES = ("csv", "jsonl")  # the forms that a watch reads

Key = tuple[str, int]  # the shoe and the number of a coup, at the table of the good coups


class Written(NamedTuple):
    """A file with its layout. `good`: the good coups by key, as they should be read. `named`: the keys of hostile
    records. `hostile`: the lines of hostile records."""

    file: Path
    form: str
    layout: Layout | None
    good: dict[Key, tuple[str, ...]]
    named: frozenset[Key]
    hostile: frozenset[int]


class Read(NamedTuple):
    """How many good coups were lost, that is, not read correctly. `named`: how many of these have the key of a hostile
    record. `ended`: how many others were lost because a hostile record ended their shoe."""

    lost: int
    named: int = 0
    ended: int = 0


def a_file(folder: Path, form: str, number: int) -> Written:
    rng = random.Random(f"{form} {number}")
    rows = good_rows(form, GOOD)
    is_hostile = [False] * len(rows)
    for _ in range(A_FILE):
        at = rng.randrange(len(rows))
        rows.insert(at, a_record(rng, form))
        is_hostile.insert(at, True)
    kind = kind_of(form)
    shown = ("winner",) if kind == "results" else ("player", "banker")
    good = {(coup["shoe"], coup["coup"]): tuple(coup[name] for name in shown) for coup in GOOD}
    named = frozenset(key for row, bad in zip(rows, is_hostile, strict=True) if bad for key in _key(row))
    top = 2 if form.endswith("csv") else 1
    hostile = frozenset(top + at for at, bad in enumerate(is_hostile) if bad)
    layout = Layout.model_validate(LAYOUTS[kind]) if kind in LAYOUTS else None
    return Written(written(folder, form, rows), form, layout, good, named, hostile)


def _key(row: dict[str, Any]) -> Iterable[Key]:
    """The key of a record, if it names a coup at the table of the good coups; otherwise nothing."""
    table, shoe = (name(field_text(row.get(field)))[0] for field in ("table", "shoe"))
    number = coup_number(1)(field_text(row.get("coup")))[0]
    if table == "1" and isinstance(shoe, str) and isinstance(number, int):
        yield shoe, number


def _hands(words: Sequence[int]) -> str:
    return " ".join(card_name(code) for code in words if code != NO_CARD)


def audited(of: Written) -> Read:
    log = read_log(of.file, None, of.layout)
    audit(log, GAME, 8)
    read: dict[Key, tuple[str, ...]] = {}
    for row in log.coups.filter(pl.col("table") == "1").to_dicts():
        codes = [[row[place] for place in PLACES if place.startswith(hand)] for hand in ("player", "banker")]
        shown = (str(row["winner"]),) if kind_of(of.form) == "results" else tuple(map(_hands, codes))
        read[str(row["shoe"]), row["coup"]] = shown
    lost = {key for key, shown in of.good.items() if read.get(key) != shown}
    return Read(len(lost), len(lost & of.named))


def shuffled(of: Written) -> Read:
    shuffle_review(read_log(of.file, None, of.layout), 8, ShuffleSettings(0.5, DRAWS, 1), 0.9)
    return Read(0)


def watched(of: Written) -> Read:
    """Let a watch read the file. A watch does not accept coups of a shoe that is over."""
    watch = Watch(WatchSettings(GAME, 8), of.layout, {COUPS: of.file.name})
    source = open_input(str(of.file), COUPS)
    read: dict[Key, tuple[str, ...]] = {}
    shoe, ended, old = "", dict[str, bool](), set[Key]()  # ended: by shoe, whether a hostile record ended it
    with closing(source):
        lines = source.read()
        while lines or not source.idle:
            for answer in watch.take(lines):
                record = answer.record
                if record.get("table") != "1":
                    continue
                key = record["shoe"], record["coup"]
                if record["did"] == "old":
                    old |= {key} if ended[record["shoe"]] else set()
                    continue
                if record["shoe"] != shoe:
                    ended[shoe], shoe = record["line"] in of.hostile, record["shoe"]
                if record["did"] in ("coup", "late", "replaced"):
                    read[key] = (record["player"], record["banker"])
            lines = source.read()
    watch.end()
    if kind_of(of.form) == "results":
        lost = {key for key in of.good if key not in read}
    else:
        lost = {key for key, shown in of.good.items() if read.get(key) != shown}
    return Read(len(lost), len(lost & of.named), len(lost & old - of.named))


def drafted(of: Written) -> Read:
    draft(of.file)
    return Read(0)


DO: dict[str, Callable[[Written], Read]] = dict(zip(CALLS, (audited, shuffled, watched, drafted), strict=True))


def attack(folder: Path, form: str, number: int) -> dict[str, Any]:
    """Pass one file to all calls. Returns the CPU seconds and the result of each call."""
    of = a_file(folder, form, number)
    result: dict[str, Any] = {"form": form, "number": number, "bytes": of.file.stat().st_size}
    for call, do in DO.items():
        begun = time.process_time()
        try:
            read = do(of)
            result[call] = {"came": "read", **read._asdict()}
        except InputError as error:
            result[call] = {"came": "refused", "said": str(error)[:300]}
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            result[call] = {"came": "FAILED", "said": f"{type(error).__name__}: {traceback.format_exc()[-400:]}"}
        result[call]["seconds"] = round(time.process_time() - begun, 2)
    result["gigabytes"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2)
    return result


def faults(result: dict[str, Any]) -> list[str]:
    """The faults in the result of a file."""
    wrong = []
    for call in CALLS:
        of = result[call]
        may_refuse = call == "watch" and result["form"].rpartition(".")[2] not in LINES
        if of["came"] == "FAILED" or (of["came"] == "refused" and not may_refuse):
            wrong.append(f"{call}: {of['came']}: {of['said']}")
        if of["came"] == "read" and of["lost"] > of["named"] + of["ended"]:
            wrong.append(f"{call}: {of['lost'] - of['named'] - of['ended']} good coups lost")
        if of["seconds"] > SECONDS:
            wrong.append(f"{call}: {of['seconds']} s")
    if result["gigabytes"] > GIGABYTES:
        wrong.append(f"{result['gigabytes']} GB")
    return wrong


def table(results: Sequence[dict[str, Any]]) -> str:
    """The table, with a row for each form. A row gives the number of records, the faults, the good coups lost for a
    valid reason, and the seconds of the longest call of each kind."""
    heads = ["form", "hostile records", "faults", "coups named by a hostile record, lost by `audit` and `watch`",
             "coups that `watch` did not take, because a hostile record ended their shoe",
             *(f"`{call}`, s" for call in CALLS)]  # fmt: skip
    lines = [f"| {' | '.join(heads)} |"]
    lines.append("| --- " * len(heads) + "|")
    for form in EVERY:
        of = [result for result in results if result["form"] == form]
        if not of:
            continue
        calls = [[result[call] for result in of] for call in CALLS]
        named = [sum(each.get("named", 0) for each in calls[at]) for at in (0, 2)]
        ended = sum(each.get("ended", 0) for each in calls[2])
        most = [f"{max(each['seconds'] for each in some):.1f}" if any(each["came"] == "read" for each in some)
                else "refused" for some in calls]  # fmt: skip
        wrong = sum(len(faults(result)) for result in of)
        cells = [form, f"{A_FILE * len(of):,}", wrong, f"{named[0]}, {named[1]}", ended, *most]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def main() -> None:
    folder = Path(sys.argv[1])
    records = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / "files.jsonl"
    results = list(map(json.loads, kept.read_text().splitlines())) if kept.exists() else []
    done = {(result["form"], result["number"]) for result in results}
    with TemporaryDirectory() as scratch, kept.open("a") as out:
        for number in range(-(-records // (A_FILE * len(EVERY)))):
            for form in EVERY:
                if (form, number) in done:
                    continue
                results.append(attack(Path(scratch), form, number))
                out.write(json.dumps(results[-1]) + "\n")
                out.flush()
                for wrong in faults(results[-1]):
                    print(f"{form} {number} {wrong}", flush=True)
    print(table(results))
    print(f"\nmemory at most {max(result['gigabytes'] for result in results):.2f} GB")


if __name__ == "__main__":
    main()
