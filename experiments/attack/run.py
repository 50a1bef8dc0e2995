"""Attack the software: kill it at random moments, flip bits in its files, and try random command lines and calls.

Each case is determined by its number, so a case that fails can be tried again. `notes.md` lists what was tried and what
failed.

- `kills`: nine commands are killed at random moments, two to five times in a folder. Eight of them write folders, and
  one writes a cache. Then each command is run again. It must end with status 0, and with the same files as an
  undisturbed run, byte for byte, and no others.
- `flips`: N bits are flipped in every file of sweeps, brackets and statements, and in two files of studies. After each
  flip, the file must be repaired, or the damage must be named in an error line.
- `commands` and `calls`: N random command lines or calls (`attack_inputs`). Each must end with a documented status or
  error, in less than 20 s and 2 GB.
- `readme`: the commands of the README and of the documents are run in one folder, each twice, and then with one option
  changed.

    python -m experiments.attack.run kills|flips|commands|calls|readme [N [FIRST]]
"""

from __future__ import annotations

import os

for _variable in ("OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(_variable, "1")

import contextlib
import hashlib
import io
import random
import re
import resource
import shlex
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from multiprocessing import connection, get_context
from pathlib import Path
from typing import Any

from experiments.attack import attack_inputs

ROOT = Path(__file__).parents[2]
SECONDS, MEMORY = 20, 2 * 10**9
PROCESSES = 2
CONTEXT = get_context("forkserver")  # the server of this context has imported everything, and started no thread
CONTEXT.set_forkserver_preload(["experiments.attack.attack_inputs", "counting.cli", *attack_inputs.ROOMS])

PIT = """title = "Pit"
game = "louisiana"
side_bets = ["seven-seven-45"]
cut = 20
minimum = 25
most_bet = 100
bound = "10/hour"
"""
COMMANDS = {
    "sweep": "sweep punto-banco --shoes 3000 --out in",
    "study": "study punto-banco --shoes 400 --out in",
    "report": "report played --out in",
    "vulnerability": "vulnerability ez-baccarat panda-8 --shoes 400 --system panda-8 --out in",
    "limits": "limits louisiana --bet seven-seven-45 --bound 0.05/shoe --shoes 2000 --deepest 40 --out in",
    "statement": "statement pit.toml --shoes 2000 --fit 500 --out in",
    "audit": "audit ez-baccarat --coups coups.csv --bets bets.csv --out in",
    "export": "export punto-banco --out in",
    "census": "census punto-banco tie-8 --cards 6:16",
}


# A separate process for each case or command


def quiet(work: Callable[[], int | None]) -> tuple[int | None, str, str]:
    """Run a function, and return its status, its standard output and its standard error."""
    out, told = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(told):
        try:
            status = work()
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else 2
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    return status, *(stream.buffer.getvalue().decode(errors="replace") for stream in (out, told))  # type: ignore[attr-defined]


def given(command: list[str], folder: Path, told: Path | None = None) -> None:
    """Run a command line in this process, and end the process with its status. Upper limits are from the shoes that are
    played, even if these have few bets, because the search for rare bets is not attacked here."""
    import counting.bounds.confidence_limits
    from counting.cli import main

    os.chdir(folder)
    os.environ["COUNTING_CACHE"] = "cache"
    counting.bounds.confidence_limits.FEW_BETS, counting.bounds.confidence_limits.FEW_PER_SHOE = 0, 0.0  # type: ignore[misc]
    sys.argv = ["counting", *command]
    status, _, said = quiet(lambda: main(command))
    if told is not None:
        told.write_text(said)
    os._exit(status or 0)


# Kills


def contents(folder: Path) -> dict[str, str]:
    """The digest of every file but locks. For a file of records, the order of lines does not matter."""
    found = {}
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.name != ".lock":
            content = file.read_bytes()
            if file.name == ".sha256":
                content = b"".join(sorted(content.splitlines(keepends=True)))
            found[str(file.relative_to(folder))] = hashlib.sha256(content).hexdigest()
    return found


def prepared(folder: Path) -> None:
    """Write the files that the commands read: rules, logs and a sweep."""
    from counting import load_game
    from counting.review.synthetic import Flat, deal, log_frames
    from counting.simulation import Dealing

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pit.toml").write_text(PIT)
    game = load_game("ez-baccarat")
    coups, bets = log_frames(deal(game, Dealing(8), 1, 0, 3), {"a": Flat("dragon-7", 25.0, 0.3)}, game, 1)
    coups.write_csv(folder / "coups.csv")
    bets.write_csv(folder / "bets.csv")
    start(["sweep", "punto-banco", "--shoes", "300", "--out", "played"], folder).join()


def start(command: list[str], folder: Path, told: Path | None = None) -> Any:
    process = CONTEXT.Process(target=given, args=(command, folder, told))
    process.start()
    return process


def kills(number: int, first: int) -> int:
    """Kill commands `number` times, in two folders at the same time. Returns the number of runs that went wrong."""
    work = Path(tempfile.mkdtemp(prefix="kills-"))
    prepared(work / "first")
    whole, seconds = {}, {}
    for name, command in COMMANDS.items():
        shutil.copytree(work / "first", folder := work / f"whole-{name}")
        begun = time.monotonic()
        process = start(shlex.split(command), folder, work / "told")
        process.join()
        seconds[name] = time.monotonic() - begun
        whole[name] = contents(folder)
        print(f"{name:15} {seconds[name]:6.2f} s, {len(whole[name])} files, status {process.exitcode}", flush=True)
        assert process.exitcode == 0, (work / "told").read_text()
    done, late, bad = Counter[str](), Counter[str](), 0
    running: list[Iterator[tuple[str, int, int, str] | None]] = []
    names = iter(list(COMMANDS) * number)
    while running or done.total() < number:
        while len(running) < PROCESSES and done.total() < number:
            name = next(names)
            running.append(killed_round(name, first, work, seconds[name], whole[name]))
            first += 1
        for one in list(running):
            step = next(one, "over")
            if step == "over":
                running.remove(one)
            elif isinstance(step, tuple):
                name, killed, ended, fault = step
                done[name] += killed
                late[name] += ended
                bad += bool(fault)
                print(f"{name}: {fault}" if fault else f"{done.total()} kills", flush=True)
        time.sleep(0.002)
    print(f"{done.total()} kills ({late.total()} more came after the end): {dict(done)}; {bad} runs not as they should")
    shutil.rmtree(work)
    return bad


def killed_round(
    name: str, number: int, work: Path, seconds: float, whole: Mapping[str, str]
) -> Iterator[tuple[str, int, int, str] | None]:
    """Kill a command up to five times in a folder, and then run it to its end. Yields None while it waits."""
    rng, folder = random.Random(f"{name} {number}"), work / f"{name}-{number}"
    shutil.copytree(work / "first", folder)
    killed = ended = 0
    command = shlex.split(COMMANDS[name])
    for _ in range(rng.randint(2, 5)):
        process = start(command, folder)
        until = time.monotonic() + rng.uniform(0, seconds)
        while time.monotonic() < until and process.exitcode is None:
            yield None
        process.kill()
        process.join()
        killed += process.exitcode == -9
        ended += process.exitcode != -9
    process = start(command, folder, work / f"told-{name}-{number}")
    while process.exitcode is None:
        yield None
    fault = ""
    if process.exitcode:
        fault = f"round {number}: status {process.exitcode}: {(work / f'told-{name}-{number}').read_text()}"
    elif (found := contents(folder)) != whole:
        stray = sorted(set(found) - set(whole))
        lost = sorted(set(whole) - set(found))
        other = sorted(file for file in found if file in whole and found[file] != whole[file])
        fault = f"round {number}: stray {stray}, lost {lost}, different {other}"
    shutil.rmtree(folder)
    yield name, killed, ended, fault


# Flipped bits


def flips(number: int, first: int) -> int:
    """Flip `number` bits in every file of the folders; in the folder of a study, only in two files. Returns the number
    of flips that were neither repaired nor named."""
    from counting import InputError

    bad, done = 0, Counter[str]()
    work = Path(tempfile.mkdtemp(prefix="flips-"))
    for name, (there, again) in flipped_folders(work).items():
        whole = contents(there.parent / f"{there.name}-whole")
        files = sorted(file for file in there.rglob("*") if file.is_file() and file.stat().st_size)
        for file in [file for file in files if "study" not in name or file.name in (".counting.json", "plan.json")]:
            place, right = file.relative_to(there), file.read_bytes()
            for at in range(number):
                rng = random.Random(f"{name} {place} {first + at}")
                shutil.copytree(there, into := work / "into")
                flipped = bytearray(right)
                flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
                (into / place).write_bytes(flipped)
                fault = ""
                try:
                    again(into)
                except InputError as error:
                    done[f"{name}: named"] += 1
                    fault = "" if "\n" not in str(error) else f"more than a line: {error}"
                except BaseException:
                    fault = traceback.format_exc()
                else:
                    done[f"{name}: healed"] += 1
                    if (found := contents(into)) != whole:
                        fault = f"different: {[one for one in {**found, **whole} if found.get(one) != whole.get(one)]}"
                if fault:
                    bad += 1
                    print(f"{name}, {place}, flip {first + at}: {fault}", flush=True)
                shutil.rmtree(into)
    print(f"{done.total()} flips: {dict(done)}; {bad} neither healed nor named")
    shutil.rmtree(work)
    return bad


def flipped_folders(work: Path) -> dict[str, tuple[Path, Callable[[Path], object]]]:
    """The folders, by name. Each has a function that continues the work in the folder. The right result is in a second
    folder, which has -whole after its name."""
    from counting import load_game
    from counting.bounds import Seat, bracket, load_house, state, statement_settings, statements, upper_limits
    from counting.io.folders import claimed
    from counting.reports import statement, study
    from counting.reports.publish import publish
    from counting.simulation import Dealing
    from counting.sweep import Plan, Stakes, run
    from counting.systems import load_system

    known: dict[str, Any] = {}  # limits take seconds, and are needed several times

    def limits(game: Any, dealing: Any, worth: Any, *how: Any, **also: Any) -> Any:
        key = repr((worth.stakes.key, worth.rebate))
        known[key] = known.get(key) or upper_limits(game, dealing, worth, *how, **also)
        return known[key]

    statements.upper_limits = limits
    game = load_game("ez-baccarat")
    plan = Plan(game, Dealing(), 12, 1, (load_system("dragon-7"),), ("dragon-7", "player"), blocks_of=5)
    usual = Plan(game, Dealing(1), 250, 1, (), ("dragon-7",), keep_rows=50)
    seat = Seat(game, Dealing(1, 20), Stakes.of(("dragon-7",), ("player",)), 1)
    (work / "pit.toml").write_text(PIT.replace("cut = 20", "cut = 300"))
    rules = load_house(work / "pit.toml")

    def stopped(done: int, shoes: int) -> None:
        if done > shoes // 2:
            raise KeyboardInterrupt

    def sweep(of: Plan) -> Callable[..., object]:
        return lambda folder, **how: run(of, folder, workers=1, **how)

    def stated(folder: Path) -> None:
        shoes = rules.plan(2000, 1)
        with claimed(folder, "statement", statement_settings(rules, shoes, None), was="brackets"):
            publish(statement.report(state(rules, shoes, folder, workers=1)), folder, "statement")

    def studied(folder: Path) -> None:
        with claimed(folder, study.KIND, {}, was="sweep"):
            publish(study.report(run(Plan(game, Dealing(), 30), folder / "sweep", workers=1)), folder)

    ways: dict[str, Callable[..., object]] = {
        "sweep": sweep(plan),
        "sweep in usual blocks": sweep(usual),
        "bracket": lambda folder, **how: bracket(seat, 600, 1, folder, fitted=500, workers=1, **how),
        "statement": stated,
        "study": studied,
    }
    found: dict[str, tuple[Path, Callable[[Path], object]]] = {}
    for name, way in ways.items():
        way(whole := work / f"finished {name}-whole")
        shutil.copytree(whole, there := work / f"finished {name}")
        found[f"finished {name}"] = there, way
        if name.startswith(("sweep", "bracket")):
            there = work / f"unfinished {name}"
            with contextlib.suppress(KeyboardInterrupt):
                way(there, progress=stopped)
            shutil.copytree(whole, work / f"unfinished {name}-whole")
            found[f"unfinished {name}"] = there, way
    return found


# Random command lines and calls


def one_command(rng: random.Random, folder: Path) -> tuple[str, Callable[[], tuple[str, str]]]:
    from counting.cli import main

    line = attack_inputs.command_line(rng)

    def tried() -> tuple[str, str]:
        status, printed, told = quiet(lambda: main(line))
        fault = ""
        if status not in (0, 1, 2):
            fault = "no documented status"
        elif status == 2 and not (told or printed):
            fault = "status 2 without a word"
        elif odd := [one for one in told.split("\n") if one and not one.isprintable()]:
            fault = f"told what does not print: {odd}"
        elif "Traceback" in told or "panicked" in told:
            fault = told
        return f"status {status}", fault

    return repr(line), tried


def one_call(rng: random.Random, folder: Path) -> tuple[str, Callable[[], tuple[str, str]]]:
    words, call = attack_inputs.call(rng)

    def tried() -> tuple[str, str]:
        quiet(call)
        return "returned", ""

    return words, tried


def in_a_process(kind: str, numbers: range, folder: Path, to: Any) -> None:
    """Try cases one after the other. Each is reported before it begins, and again at its end, with its fault, seconds
    and memory."""
    from counting import InputError

    cases = {"commands": one_command, "calls": one_call}[kind]
    resource.setrlimit(resource.RLIMIT_AS, (8 * 10**9,) * 2)
    os.environ["COUNTING_CACHE"] = str(folder / "cache")
    attack_inputs.put_files(folder)
    os.chdir(folder)
    for number in numbers:
        words, tried = cases(random.Random(f"{kind} {number}"), folder)
        to.send((number, words))
        Path("/proc/self/clear_refs").write_text("5")  # resets the peak of memory
        begun = time.process_time()  # CPU time, as other programs may run too
        try:
            outcome, fault = tried()
        except BaseException as error:
            outcome, fault = type(error).__name__, traceback.format_exc()
            named = isinstance(error, InputError | TypeError) or (isinstance(error, OSError) and error.filename)
            if kind == "calls" and named:
                fault = ""
        (peak,) = re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
        to.send((number, outcome, fault, time.process_time() - begun, int(peak) * 1024))
        if any(not one.exists() for one in (folder / "swept", folder / "torn", folder / "letter.txt")):
            to.send((number, "", f"a file is gone: {words}", 0, 0))


def tries(kind: str, number: int, first: int) -> int:
    """Try `number` cases of a kind, up to 250 in each process. Returns the number of cases that failed."""
    work = Path(tempfile.mkdtemp(prefix=f"{kind}-"))
    waiting = [range(at, min(at + 250, first + number)) for at in range(first, first + number, 250)][::-1]
    running: dict[Any, list[Any]] = {}  # by pipe: process, numbers, present number, words, begin
    failed, done, longest, largest = 0, Counter[str](), (0.0, ""), (0, "")
    while waiting or running:
        while waiting and len(running) < PROCESSES:
            numbers = waiting.pop()
            here, there = CONTEXT.Pipe(duplex=False)
            process = CONTEXT.Process(target=in_a_process, args=(kind, numbers, work / str(numbers.start), there))
            process.start()
            there.close()
            running[here] = [process, numbers, numbers.start, "", time.monotonic()]
        for here in connection.wait(list(running), 1):
            try:
                got = here.recv()  # type: ignore[union-attr]
            except EOFError:
                got = None
            one = running[here]
            if got is None:
                process, numbers, at, words, _ = running.pop(here)
                process.join()
                shutil.rmtree(work / str(numbers.start), ignore_errors=True)
                if words or process.exitcode:
                    failed += 1
                    print(f"{kind} {at}: ended its process with {process.exitcode}: {words}", flush=True)
                    waiting.append(range(at + 1, numbers.stop))
            elif len(got) == 2:
                one[2:] = [*got, time.monotonic()]
            else:
                at, outcome, fault, seconds, memory = got
                done[outcome] += 1
                longest, largest = max(longest, (seconds, one[3])), max(largest, (memory, one[3]))
                if done.total() % 500 == 0:
                    print(f"{done.total()} {kind} so far", flush=True)
                fault = fault or f"{seconds:.0f} s" * (seconds > SECONDS) or f"{memory:,} bytes" * (memory > MEMORY)
                if fault:
                    failed += 1
                    print(f"{kind} {at}: {one[3]}: {fault}", flush=True)
                one[3], one[4] = "", time.monotonic()
        for one in running.values():
            if one[3] and time.monotonic() - one[4] > 6 * SECONDS:
                one[0].kill()
    print(
        f"{done.total()} {kind}, {dict(done)}; longest {longest[0]:.1f} s of CPU, {longest[1]}; largest "
        f"{largest[0]:,} bytes, {largest[1]}"
    )
    print(f"{failed} failed")
    shutil.rmtree(work)
    return failed


# The README


def readme(number: int, first: int) -> int:
    """Run the commands of the README and of the documents in one folder, beginning with the command `first`. Each
    command runs twice, and then with one option changed. Sweeps have at most `number` shoes."""
    patterns = ("tutorials/*.md", "how-to/*.md", "reference/questions.md", "reference/formats.md")
    pages = [page for pattern in patterns for page in sorted((ROOT / "docs").glob(pattern))]
    text = "\n".join(page.read_text() for page in (ROOT / "README.md", *pages))
    work = Path(tempfile.mkdtemp(prefix="readme-"))
    files = {"pit": "EZ Baccarat, main floor", "lucky": "Lucky Bonus", "house": "House chemin", "my-count": "My Dragon"}
    for name, title in files.items():
        (found,) = re.findall(rf'```toml\n(title = "[^"]*{title}.*?)```', text, re.DOTALL)
        (work / f"{name}.toml").write_text(found)
    shutil.copy(ROOT / "counting" / "games" / "punto-banco.toml", work / "mine.toml")
    for name, block in zip(
        ("coups.csv", "bets.csv"), re.findall(r"```text\n(table,.*?)```", text, re.DOTALL), strict=True
    ):
        (work / name).write_text(block)
    lines = dict.fromkeys(re.findall(r"^(?:\| `)?(counting [a-z]+[^`\n]*)", text, re.MULTILINE))
    lines |= dict.fromkeys(re.findall(r"`(counting [a-z]+ [^`\n]*)`", text))
    bad = done = 0
    for line in list(lines)[first:]:
        command = shlex.split(line)[1:]
        if command[-1] == "..." or command[0].isupper() or "BET" in command:
            continue
        for given_as in (shortened(command, number), shortened(command, number), changed(shortened(command, number))):
            process = start(given_as, work, work / "told")
            process.join()
            done += 1
            expected = (0, 2) if given_as[0] == "audit" else (0,)  # the log has nine cards, and one is not read
            print(f"{process.exitcode} {shlex.join(given_as)}", flush=True)
            if process.exitcode not in expected:
                bad += 1
                print(f"{shlex.join(given_as)}: status {process.exitcode}: {(work / 'told').read_text()}", flush=True)
    print(f"{done} commands of {len(lines)} lines; {bad} failed")
    shutil.rmtree(work)
    return bad


def shortened(command: list[str], shoes: int) -> list[str]:
    """The same command, with fewer shoes, coups, cards or samples if it would take long."""
    short = {"--shoes": str(shoes), "--coups": str(100 * shoes), "--cards": "6:9"}
    found = list(command)
    for option, value in short.items():
        if option in found and command[0] != "audit":
            found[found.index(option) + 1] = value
    if command[0] in ("sweep", "study", "vulnerability", "limits", "statement", "verify") and "--shoes" not in found:
        found += ["--shoes", str(shoes)]
    return found


def changed(command: list[str]) -> list[str]:
    """The command with one option changed or added. It also gets another folder, because a folder holds the results of
    only one plan."""
    command = [f"{word}-2" if last == "--out" else word for last, word in zip(["", *command], command, strict=False)]
    for option, value in (
        ("--cut", "30"),
        ("--out", "another"),
        ("--shoes", "2100"),
        ("--decks", "6"),
        ("--cards", "7:10"),
    ):
        if option in command and not (option == "--cut" and command[0] == "audit"):
            return [*command[: (at := command.index(option) + 1)], value, *command[at + 1 :]]
    return [*command[:-1], "json"] if command[-2] == "--format" else [*command, "--format", "json"]


def main() -> int:
    kind, *numbers = sys.argv[1:]
    number, first = int(numbers[0]) if numbers else 2000, int(numbers[1]) if len(numbers) > 1 else 0
    if kind in ("commands", "calls"):
        return tries(kind, number, first)
    return {"kills": kills, "flips": flips, "readme": readme}[kind](number, first)


if __name__ == "__main__":
    sys.exit(bool(main()))
