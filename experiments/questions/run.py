"""Answer the field's questions. For each question: a command, the part of its output that answers the question, the
seconds it takes, and the answer of a second program.

Writes `questions.csv` after each question, and the tables of `notes.md` at the end. Seconds are CPU time on all cores.
All commands together take forty seconds, and the second program takes a minute.

    python -m experiments.questions.run [QUESTION ...]
"""

from __future__ import annotations

import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from experiments._notes import put
from experiments.questions import checks, logs

HERE = Path(__file__).parent
CSV, NOTES = HERE / "questions.csv", HERE / "notes.md"
FILES = ("progressive.toml", "player-dragon.toml", "lucky-6.toml")
FIELD, FOUND = 16, 5
COMMAND = "from counting.cli import main; raise SystemExit(main())"


@dataclass(frozen=True)
class Question:
    """A question, and the command that answers it (none if it is outside the subject). `answer`: patterns. The answer
    is the text that they match in the output or, if they have groups, the text of the groups. `checked`: what the
    second program does, or where else the check is."""

    number: str
    asked: str
    command: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()
    checked: str = ""


def _question(number: str, asked: str, command: str, answer: str, checked: str) -> Question:
    return Question(number, asked, tuple(shlex.split(command)), tuple(answer.split(" | ")), checked)


QUESTIONS = (
    _question(
        "1", "Eight-deck EZ Baccarat, one deck cut off, Dragon 7 to 25: what do I lose per shift?",
        "vulnerability ez-baccarat dragon-7 --cut 1d --stake 25 --hours 8 --shoes 20000",
        "^One table, over a shift.*", "plain dealing of 600 shoes",
    ),
    _question(
        "2", "Is the commission-free game that pays half on 6 exploitable?",
        "vulnerability no-commission banker --dealing jacobson --shoes 20000",
        "^Banker, a winning six pays half.*", "plain dealing of 400 shoes",
    ),
    _question("3", "The first card is known: what is it worth?", "known punto-banco",
              "^A patron who knows.*", "a sum over all coups, places 1, 2, 5 and 6"),
    _question("4", "Both hands' cards are sorted high and low: what is it worth?", "known punto-banco --sorted 6-9",
              "^The backs of both hands.*", "a sum over all coups"),
    _question("5", "Seven cards were exposed: what is the edge now?", 'edges punto-banco --remove "9 9 9 8 8 K K"',
              r"^player +\S+ | ^banker-5 +\S+ | ^tie-8 +\S+", "a sum over all coups: Player, Banker, Tie"),
    _question("5b", "7, 8 and 9 are marked: what is the first card's back worth?", "known punto-banco --sorted 7-9",
              r"^Player's first card .* (Player 1 of 1.*)", "a sum over all coups: Player, when the card is marked"),
    _question("6", "A nine is steered to the first card: what is it worth?", "edges punto-banco --known P1=9",
              "^Best.*", "a sum over all coups"),
    _question("7", "The sixth card is known: what is the Dragon 7 worth?", "known ez-baccarat --bet dragon-7",
              "^The sixth card is.*", "a sum over all coups"),
    _question("8", "Was shoe 4 stacked?", "shuffle stacked.csv", "^Shoe 4.*", "the log, counted"),
    _question("9", "A false shuffle left a slug of 50 cards: where?", "shuffle slug.csv", "^Shoe 9.*",
              "the log, compared with the racks"),
    _question(
        "10", "Three players, the maximum on a few late coups, a large win: luck?",
        "audit ez-baccarat --coups late-coups.csv --bets late-bets.csv --cut 14 --burn first-card",
        "Patrons: [^:]*together | ^K-1 seems [^;]* | ^K-2 seems [^;]* | ^K-3 seems [^;]*", "the log, counted",
    ),
    _question("11", "A loss rebate of 10%: when does it pay the patron?",
              "trip punto-banco --bet banker-5:10000 --coups 960 --discount 10%",
              "^With the discount, a patron.* | ^Up to.*", "the play between the two exits, followed step by step"),
    _question("12", "A patron bets 10,000 for three days of eight hours at 40 coups an hour: how bad may it be?",
              "trip punto-banco --bet banker-5:10000 --coups 960", "^The patron's result is.*",
              "a convolution, coup by coup"),
    _question("13", "A team at three tables: how long to win a target?",
              "team ez-baccarat dragon-7 --tables 3 --target 10000 --bankroll 20000 --runs 500", "^Simulated: .*",
              "[teams](../teams/notes.md), a target of 5,000: six figures of a second program, "
              "each within 0.8 standard errors"),
    _question("14", "A progressive: at what meter has it no house edge?", "edges progressive.toml --bet nines",
              r"(least_meter)\n^nines +6000 .* (\d+)$", "a sum over all coups"),
    _question("15", "Dealing errors per million coups, and which dealer?", "audit punto-banco --coups errors.csv",
              "^42 of.* | ^Dealer D-3.*", "the log, counted; Clopper and Pearson's interval by sums"),
    Question("16", "A chip walk"),
    _question(
        "17", "Ahead by 4 million after 5,000 dead chips of 100,000 with 1.6% back: luck?",
        "trip punto-banco --bet banker-5:100000@50% player:100000@50% --dead-chips 1.6% --coups 11055 --result 4000000",
        "^At the end.*", "the mean and variance of a coup",
    ),
    _question(
        "18", "Player's Dragon Bonus: what does a published count win?",
        "vulnerability punto-banco dragon-bonus-player --dealing jacobson --shoes 20000 --system player-dragon.toml",
        "^Dragon Bonus.*", "plain dealing of 200 shoes",
    ),
    _question(
        "19", "Lucky 6 at 12 and 23 to 1: what does a published count win?",
        "vulnerability no-commission lucky-6-23 --dealing jacobson --shoes 20000 --system lucky-6.toml",
        "^Lucky 6.*", "plain dealing of 600 shoes",
    ),
    _question("20", "A casino charges 4%: what is Banker's edge?", "edges punto-banco --commission 4%",
              r"^banker-4 +\S+", "a sum over all coups"),
    _question("21", "Banker won thirteen times in a row: is the shoe odd?", "results punto-banco --coups streak.txt",
              r"^NOT FLAGGED.* | ^(longest streak) +all coups +80 +(\S+)", "all arrangements, counted"),
)  # fmt: skip


def prepared(folder: Path) -> None:
    """Write the files that the commands need into a folder."""
    for name in FILES:
        shutil.copy(HERE / name, folder)
    for write in (logs.stacked, logs.slug, logs.late, logs.errors, logs.streak):
        write(folder)


def answered(question: Question, folder: Path) -> tuple[str, float]:
    """Run a question's command. Returns the answer, and the CPU seconds."""
    if not question.command:
        return "outside the subject", 0.0
    out = ("--out", f"answer-{question.number}") if question.command[0] in ("vulnerability", "audit") else ()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(
        [sys.executable, "-c", COMMAND, *question.command, *out], cwd=folder, capture_output=True,
        text=True, check=True, env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"},
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = [re.search(pattern, run.stdout, re.M) for pattern in question.answer]
    answer = "; ".join(" ".join(each.groups() or [each[0]]) for each in found if each)
    return " ".join(
        answer.replace(".; ", ". ").split()
    ), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def figures(number: str, folder: Path) -> str:
    """The answer of the second program, if it is in this experiment."""
    if number in checks.OF_LOGS:
        return checks.OF_LOGS[number](folder)
    return checks.ALL[number]() if number in checks.ALL else ""


def noted(rows: list[dict[str, str]]) -> list[list[str]]:
    """The cells of the notes' table, with a row for each question."""
    return [
        [
            row["number"], row["question"], f"`counting {row['command']}`" if row["command"] else "none",
            row["answer"], row["seconds"] or "none",
            ": ".join(filter(None, (row["checked"], row["figures"]))) or "none",
        ]
        for row in rows
    ]  # fmt: skip


def main(only: list[str]) -> None:
    done = (
        {row["number"]: row for row in pl.read_csv(CSV, infer_schema=False).fill_null("").to_dicts()}
        if CSV.is_file()
        else {}
    )
    with TemporaryDirectory() as name:
        folder = Path(name)
        prepared(folder)
        for question in QUESTIONS:
            if only and question.number not in only:
                continue
            answer, seconds = answered(question, folder)
            done[question.number] = {
                "number": question.number, "question": question.asked, "command": shlex.join(question.command),
                "answer": answer, "seconds": f"{seconds:.1f}" if question.command else "", "checked": question.checked,
                "figures": figures(question.number, folder),
            }  # fmt: skip
            rows = [done[each.number] for each in QUESTIONS if each.number in done]
            pl.DataFrame(rows).write_csv(CSV)
            print(question.number, answer, done[question.number]["figures"], sep="\n  ", flush=True)
    columns = ("", "question", "command", "answer", "seconds", "checked by")
    field = [row for row in rows if int(row["number"].rstrip("b")) <= FIELD]
    put(NOTES, columns, noted(field), "field")
    put(NOTES, columns, noted(rows[len(field) :]), "found")


if __name__ == "__main__":
    main(sys.argv[1:])
