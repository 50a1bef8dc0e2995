"""Try again the kinds of verdicts that were wrong in version 0.2, on logs from a program that shares no code with the
package.

    python -m experiments.verdicts.run FOLDER now=.venv/bin/counting [0.2=OTHER/bin/counting] [TABLE ...]

Each named command gets the same logs. The logs and the answers stay in FOLDER. Writes all tables of notes.md, or only
the tables that are named.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from experiments._notes import put
from experiments.verdicts import pit

NOTES = Path(__file__).parent / "notes.md"
HONEST: dict[str, Callable[[], pit.Play]] = {
    "flat": lambda: pit.flat("player"),
    "random": pit.at_random,
    "doubler": pit.doubler,
    "late": lambda: pit.late("dragon-7", 45),
    "seldom": lambda: pit.seldom("dragon-7", 0.1),
    "raises": pit.raises_on_losses,
    "streaks": lambda: pit.after_results("banker", "banker", 3),
    "ties": lambda: pit.late("tie-8", 20),
}
FACES: dict[str, Callable[[], pit.Play]] = {
    "sevens are due": pit.sevens_are_due,
    "after a nine with a picture": pit.after_a_picture_nine,
}


def shoes_of(rng: Random, number: int) -> list[list[pit.Coup]]:
    return [pit.deal_shoe(pit.shuffled(rng))[0] for _ in range(number)]


def log(folder: Path, seed: int, shoes: int, patrons: dict[str, pit.Play], **unread: Any) -> dict[str, float]:
    """Write the log of a table into a folder. Returns what each patron won."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = Random(seed)
    dealt = shoes_of(rng, shoes)
    won = pit.write_bets(folder / "bets.csv", rng, dealt, patrons)
    pit.write_coups(folder / "coups.csv", dealt, **{name: make(rng, dealt) for name, make in unread.items()})
    return won


def unread_when_lost(rng: Random, shoes: Sequence[Sequence[pit.Coup]]) -> Callable[[int, int], bool]:
    """A function for `unread`: Player's first card is not read in three of ten coups that Player lost."""
    hidden = {
        (shoe, number)
        for shoe, coups in enumerate(shoes, 1)
        for number, coup in enumerate(coups, 1)
        if coup.winner == "banker" and rng.random() < 0.3
    }
    return lambda shoe, coup: (shoe, coup) in hidden


def gathered(folder: Path, seed: int, shoes: int, riffles: int, gather: Any, last_on_top: bool) -> None:
    """Write a log of shoes. Each shoe is the shoe before, gathered, riffled and cut."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = Random(seed)
    shoe, dealt = pit.shuffled(rng), []
    for _ in range(shoes):
        coups, hidden = pit.deal_shoe(shoe)
        dealt.append(coups)
        shoe = pit.rack(coups, gather, last_on_top) + hidden
        for _ in range(riffles):
            shoe = pit.riffle(rng, shoe)
        shoe = pit.cut(rng, shoe)
    pit.write_coups(folder / "coups.csv", dealt)


def with_slug(folder: Path, seed: int, gather: Any, last_on_top: bool, cards: int = 50, shoes: int = 20) -> None:
    """Write a log of well shuffled shoes, except that `cards` cards went from the rack into shoe 9 in unchanged
    order."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = Random(seed)
    dealt: list[list[pit.Coup]] = []
    for number in range(1, shoes + 1):
        shoe = pit.shuffled(rng)
        if number == 9:
            pile = pit.rack(dealt[-1], gather, last_on_top)
            at = rng.randrange(len(pile) - cards)
            slug = pile[at : at + cards]
            rest = pit.new_shoe()
            for card in slug:
                rest.remove(card)
            rng.shuffle(rest)
            into = rng.randrange(40, 200)
            shoe = rest[:into] + slug + rest[into:]
        dealt.append(pit.deal_shoe(shoe)[0])
    pit.write_coups(folder / "coups.csv", dealt)


class Version(NamedTuple):
    name: str
    command: Path


def asked(version: Version, folder: Path, *arguments: str) -> tuple[Any, str]:
    """Run a command. Returns its answer as JSON, or None, and what it printed on standard error."""
    run = subprocess.run(
        [version.command, *arguments, "--format", "json", "--out", f"answer-{version.name}"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return (json.loads(run.stdout) if run.stdout.startswith("{") else None), run.stderr


AUDIT = ("audit", "ez-baccarat", "--coups", "coups.csv", "--bets", "bets.csv", "--cut", "14", "--burn", "first-card")


def flagged(answer: Any) -> set[str]:
    return {row["patron"] for row in answer["patrons"] if row["flagged"]}


def knowers(folder: Path, versions: Sequence[Version]) -> Iterator[list[str]]:
    """Rows on patrons who make few informed bets among many small bets, alone or as a team that divides the coups."""
    for name, team in (("each on coups of their choice", False), ("a team, each on a third of the coups", True)):
        here = folder / ("team" if team else "knowers")
        patrons: dict[str, pit.Play] = {
            f"K{i}": pit.KnowsFirstCard(3, mine=(lambda coup, i=i: coup % 3 == i) if team else (lambda coup: True))
            for i in range(3)
        }
        won = log(here, 1, 40, patrons | {name: make() for name, make in HONEST.items()})
        together = sum(won[name] for name in patrons)
        for version in versions:
            answer, _ = asked(version, here, *AUDIT)
            least = min(row["p_knows"] for row in answer["patrons"] if row["patron"] in patrons)
            others = ", ".join(sorted(flagged(answer) - set(patrons))) or "nobody"
            found = f"{len(flagged(answer) & set(patrons))} of 3"
            yield [name, f"{together:,.0f}", version.name, found, f"{least:.2g}", others]


def unread(folder: Path, versions: Sequence[Version], logs: int = 24) -> Iterator[list[str]]:
    """Rows on an honest patron, if some cards are not read depending on the result."""
    for version in versions:
        named, least = 0, 1.0
        for i in range(logs):
            here = folder / f"unread-{i}"
            if not here.exists():
                log(here, 100 + i, 40, {"flat": pit.flat("player", 100)}, unread=unread_when_lost)
            answer, _ = asked(version, here, *AUDIT, "--allow-unread", "0.1")
            named += bool(flagged(answer))
            least = min(least, *(row["p_knows"] for row in answer["patrons"]))
        yield [version.name, f"{named} of {logs}", f"{least:.2g}"]


def honest(folder: Path, versions: Sequence[Version], tables: int = 15) -> Iterator[list[str]]:
    """Rows on tables with eight honest patrons: how many verdicts name one of them in their first lines."""
    for version in versions:
        named = flags = 0
        for i in range(tables):
            here = folder / f"honest-{i}"
            if not here.exists():
                log(here, 200 + i, 40, {name: make() for name, make in HONEST.items()})
            answer, _ = asked(version, here, *AUDIT)
            first = " ".join(answer["answer"][:3])
            named += any(name in first.replace(",", " ").split() for name in HONEST)
            flags += bool(flagged(answer))
        yield [version.name, f"{named} of {tables}", f"{flags} of {tables}"]


def faces(folder: Path, versions: Sequence[Version], logs: int = 20) -> Iterator[list[str]]:
    """Rows on patrons who watch the faces of cards, in logs of 200 shoes."""
    for name, make in FACES.items():
        for version in versions:
            low = flags = counts = 0
            for i in range(logs):
                here = folder / f"{name.replace(' ', '-')}-{i}"
                if not here.exists():
                    log(here, 300 + i, 200, {"F": make()})
                answer, _ = asked(version, here, *AUDIT)
                low += min(row["p_follows"] for row in answer["patrons"]) <= 0.01
                flags += bool(flagged(answer))
                counts += "described by" in " ".join(answer["answer"])
            yield [name, version.name, f"{low} of {logs}", f"{flags} of {logs}", f"{counts} of {logs}"]


def shuffles(folder: Path, versions: Sequence[Version], logs: int = 20) -> Iterator[list[str]]:
    """Rows on bad shuffles of discards as they come out of a rack."""
    for what, shoes, riffles in (("5 riffles, 5 shoes", 5, 5), ("7 riffles, 8 shoes", 8, 7), ("fair, 5 shoes", 5, 0)):
        for version in versions:
            found = 0
            for i in range(logs):
                here = folder / f"riffles-{riffles}-{i}"
                if not here.exists():
                    if riffles:
                        gathered(here, 400 + i, shoes, riffles, pit.hand_by_hand, last_on_top=True)
                    else:
                        log(here, 400 + i, shoes, {})
                answer, _ = asked(version, here, "shuffle", "coups.csv")
                found += suspicious(answer)
            yield [what, version.name, f"{found} of {logs}"]


def suspicious(answer: Any) -> bool:
    if "findings" in answer:
        return bool(answer["findings"])
    return any(test["p_holm"] <= 0.05 for test in answer["tests"])


def slugs(folder: Path, versions: Sequence[Version], logs: int = 5) -> Iterator[list[str]]:
    """Rows on a slug of 50 cards, for four ways to gather discards. Each row counts the logs with a finding, the logs
    in which shoe 9 is named, and the logs in which another shoe is named."""
    ways = [(gather, on_top) for gather in (pit.hand_by_hand, pit.banker_first) for on_top in (False, True)]
    for number, (gather, last_on_top) in enumerate(ways):
        for version in versions:
            signs = right = others = 0
            for i in range(logs):
                here = folder / f"slug-{number}-{i}"
                if not here.exists():
                    with_slug(here, 500 + logs * number + i, gather, last_on_top)
                answer, _ = asked(version, here, "shuffle", "coups.csv")
                named = {str(row["shoe"]) for row in answer.get("findings", []) if row["shoe"] is not None}
                signs += suspicious(answer)
                right += "9" in named
                others += bool(named - {"9"})
            yield [
                gather.__name__.replace("_", " ") + (", last coup on top" if last_on_top else ""),
                version.name,
                *(f"{count} of {logs}" for count in (signs, right, others)),
            ]


TABLES: dict[str, tuple[Any, list[str]]] = {
    "knowers": (
        knowers,
        ["three who know Player's first card", "won", "version", "flagged", "least p", "others flagged"],
    ),
    "unread": (unread, ["version", "logs in which the honest patron is flagged", "least p"]),
    "honest": (honest, ["version", "verdicts that name an honest patron", "logs with a flag"]),
    "faces": (faces, ["habit", "version", "p of following at most 0.01", "flagged", "a count named"]),
    "shuffles": (shuffles, ["log", "version", "logs with a finding"]),
    "slugs": (slugs, ["gathered", "version", "logs with a finding", "shoe 9 named", "another shoe named"]),
}


def main(folder: Path, versions: list[Version], only: list[str]) -> None:
    for name, (rows, columns) in TABLES.items():
        if only and name not in only:
            continue
        table = []
        for row in rows(folder / name, versions):
            print(name, *row, sep=" | ", flush=True)
            table.append(row)
        put(NOTES, columns, table, name)


if __name__ == "__main__":
    named = [argument.partition("=") for argument in sys.argv[2:]]
    tried = [Version(name, Path(path).absolute()) for name, is_version, path in named if is_version]
    main(Path(sys.argv[1]).absolute(), tried, [name for name, is_version, _ in named if not is_version])
