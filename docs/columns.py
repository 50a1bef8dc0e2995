"""The columns of tables that commands print or write, as `docs/reference/columns.md`. Small runs of the commands show
the columns. The meanings are in `docs/meanings/columns.toml`; for Parquet tables and exports they are in the code.

    python docs/columns.py [--check]
"""

from __future__ import annotations

import ast
import csv
import inspect
import io
import json
import os
import shlex
import sys
import tempfile
import tomllib
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import polars as pl
from generated import cell, put, table

import counting
from counting import Dealing, load_game
from counting.cli import main
from counting.io.toml import shipped
from counting.reports import export, verification
from counting.review import every_coup
from counting.review.synthetic import Flat, Patron, deal, log_frames
from counting.sweep import tables
from counting.verify import Check, Extent, Verified

MEANINGS = Path(__file__).parent / "meanings" / "columns.toml"
PIT = (
    'title = "Pit"\ngame = "louisiana"\nside_bets = ["seven-seven-45"]\nmain_bets = ["tie-9"]\ncut = 14\n'
    'most_bet = 100\nbound = "10/hour"\n'
)
CHOICE = '"D D D D D D S S"', '"D D D D D * S S"\nchoices = "D"'
RESULTS = "coup,winner,player_total,banker_total\n" + "".join(f"{at},P,3,{at % 9}\n" for at in range(1, 61))
SWEEP = "sweep ez-baccarat --bets dragon-7 --shoes 300 --system dragon-7 --workers 1 --out kept"
WATCH = (
    'watch ez-baccarat --coups coups.csv --bets bets.csv --rule "cards < 300 for player" --once --journal pit.journal '
    "--format none"
)
COUPS = tables.COUPS.tracking("value", ["NAME"], cards=True)
RANK, CARD = ([*tables.LEFT[knows]] for knows in ("rank", "card"))
ABOUT_COUPS = (
    "These are the columns of a sweep by value, with a system NAME and a bet settled by the hands. If a bet or a "
    f"system needs ranks or suits, there is a column for each rank (`{RANK[0]}` to `{RANK[-1]}`) or card (`{CARD[0]}` "
    f"to `{CARD[-1]}`) in place of `left_0` to `left_9`. `card_1` to `card_6` are there only with a bet settled by the "
    "hands; ranks are numbered from 0 (A) to 12 (K), and suits from 0 to 3 (s, h, d, c). There is a `count_` for each "
    "system.\n\n"
)
SCHEMAS = (COUPS, tables.LEDGER, tables.DEPTH, tables.DEALT, tables.PENETRATION, tables.BETTORS, tables.SPREAD)
# For each table: its command ("" for the command before), and the file that has the table ("" for the printed CSV).
RUN: dict[str, tuple[str, str]] = {
    "games": ("games", ""),
    "bets": ("bets", ""),
    "systems": ("systems dragon-7", ""),
    "layouts": ("layouts", ""),
    "edges": ("edges louisiana", ""),
    "edges --choice each": ("edges house.toml --choice each", ""),
    "effects": ("effects ez-baccarat dragon-7 --decks 1 --system dragon-7 --cards-left 26 --out removed", ""),
    "effects, removal.csv": ("", "removed/removal.csv"),
    "effects, second.csv": ("", "removed/second.csv"),
    "effects, counts.csv": ("", "removed/counts.csv"),
    "effects, depths.csv": ("", "removed/depths.csv"),
    "effects, gains.csv": ("", "removed/gains.csv"),
    "trip": ("trip punto-banco --bet banker-5:100 --coups 80 --discount 10% --out tripped", ""),
    "trip, quantiles.csv": ("", "tripped/quantiles.csv"),
    "trip, break_even.csv": ("", "tripped/break_even.csv"),
    "trip, distribution.csv": ("", "tripped/distribution.csv"),
    "team": ("team ez-baccarat dragon-7 --target 1000 --bankroll 2000 --runs 20 --out teamed", ""),
    "team, runs.csv": ("", "teamed/runs.csv"),
    "watch --report, alerts.csv": (
        "watch ez-baccarat --report pit.journal --out alerted --format none",
        "alerted/alerts.csv",
    ),
    "watch --report, coups.csv": ("", "alerted/coups.csv"),
    "sample": ("sample --rate 10 --compare 10 30 --out sampled", ""),
    "sample, comparison.csv": ("", "sampled/comparison.csv"),
    "results": ("results punto-banco --coups results.csv --out tested", ""),
    "results, counts.csv": ("", "tested/counts.csv"),
    "results, streaks.csv": ("", "tested/streaks.csv"),
    "results, plan.csv": ("", "tested/plan.csv"),
    "results, contradictions.csv": ("", "tested/contradictions.csv"),
    "known": ("known punto-banco --slug v:6,0,2,4,6,8,8,6,0,0 --out foreknown", ""),
    "known, card_edges.csv": ("", "foreknown/card_edges.csv"),
    "known, slug.csv": ("", "foreknown/slug.csv"),
    "simulate": ("simulate punto-banco --coups 10000", ""),
    "census": ("census punto-banco tie-8 --cards 6", ""),
    "census, several bets or a main-bet requirement": ("census punto-banco dragon-7 --cards 6 --tie-in 1", ""),
    "census --system": ("census punto-banco dragon-7 --cards 6 --system dragon-7", ""),
    "census --histogram": ("census punto-banco tie-8 --cards 6 --histogram 5", ""),
    "estimate": ("estimate punto-banco tie-8 --cards 60 --samples 1000 --workers 1", ""),
    "sweep, summary": (SWEEP, ""),
    "summary --by systems": ("summary kept --by systems", ""),
    "summary --by penetration": ("summary kept --by penetration", ""),
    "summary --by cards-left": ("summary kept --by cards-left", ""),
    "summary --by dealing": ("summary kept --by dealing", ""),
    "score": ("score kept --bankroll 20000 --stake 100 --horizon 1000 --check", ""),
    "vulnerability": ("vulnerability ez-baccarat dragon-7 --shoes 300 --workers 1 --out vulnerable", ""),
    "limits, cheapest in limits.json": (
        "limits louisiana --bet seven-seven-45 --main tie-9 --bound 10/hour --most-bet 50 100 --minimum 25 --tie-in 0 "
        "--model sit-out --deepest 16 --shoes 2000 --workers 1 --out limited --format json",
        "",
    ),
    "limits, frontier.csv": ("", "limited/frontier.csv"),
    "limits, mains.csv": ("", "limited/mains.csv"),
    "statement": ("statement pit.toml --shoes 2000 --workers 1 --out stated", ""),
    "compare": ("compare pit.toml louisiana-40 --shoes 2000 --workers 1 --out compared", ""),
    "audit, patrons.csv": ("audit ez-baccarat --coups coups.csv --bets bets.csv --out audited", ""),
    "audit, errors.csv": ("", "audited/errors.csv"),
    "audit, rates.csv": ("", "audited/rates.csv"),
    "audit, costs.csv": ("", "audited/costs.csv"),
    "audit, remarks.csv": ("", "audited/remarks.csv"),
    "shuffle": ("shuffle coups.csv --draws 999 --out shuffled", ""),
    "chemin solve": ("chemin solve", ""),
    "chemin solve --commission": ("chemin solve --model A1 --commission 0.05", ""),
    "chemin table": ("chemin table", ""),
    "chemin own --cards": ("chemin own --cards 6", ""),
    "chemin removal": ("chemin removal", ""),
    "chemin decks": ("chemin decks 1:2", ""),
    "chemin bank": ("chemin bank", ""),
    "chemin banque": ("chemin banque --model A1 --theta 1/2", ""),
    "chemin banque --apart": ("chemin banque --model A1 --apart", ""),
    "chemin gains": ("chemin gains 6", ""),
    "chemin macao": ("chemin macao", ""),
    "chemin macao --simulate": ("chemin macao --simulate 1000", ""),
    "chemin banque --cells": ("chemin banque --model A1 --theta 1/2 --cells", ""),
    "chemin own": ("chemin own louisiana", ""),
}


def log() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Coups and bets of three shoes at a table."""
    game = load_game("ez-baccarat")
    patrons: dict[str, Patron] = {"P-1": Flat("player", 25), "P-2": Flat("dragon-7", 5, 0.3)}
    return log_frames(deal(game, Dealing(burn="first-card"), 1, 0, 3), patrons, game, 1)


def printed(line: str) -> str:
    """What a command prints as CSV."""
    words = shlex.split(line)
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(words if "--format" in words else [*words, "--format", "csv"])
    if status:
        raise SystemExit(f"counting {line}: {err.getvalue()}")
    return out.getvalue()


def columns() -> dict[str, list[str]]:
    """The columns of every table in `RUN`."""
    found = {}
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        os.environ["COUNTING_CACHE"] = folder
        Path("pit.toml").write_text(PIT)
        Path("results.csv").write_text(RESULTS)
        Path("house.toml").write_text(shipped("games")["punto-banco"].read_text().replace(*CHOICE))
        for name, frame in zip(("coups.csv", "bets.csv"), log(), strict=True):
            frame.write_csv(name)
        printed(WATCH)
        for name, (line, file) in RUN.items():
            said = printed(line) if line else ""
            text = Path(file).read_text("utf-8-sig") if file else said
            of_json = "--format json" in line
            found[name] = list(json.loads(text)["cheapest"][0]) if of_json else next(csv.reader([text.split("\n")[0]]))
    return found


def meaning(about: dict[str, Any], name: str, column: str) -> str:
    """What a column of a table means. The meaning is looked up by the table, the command, the column, then a
    pattern."""
    command = name.split(",", maxsplit=1)[0]
    for section in (about.get("table", {}).get(name, {}), about.get("table", {}).get(command, {}), about["column"]):
        if column in section:
            return cell(section[column])
    for pattern, words in about["pattern"].items():
        head, _, tail = pattern.partition("*")
        if len(column) > len(pattern) - 1 and column.startswith(head) and column.endswith(tail):
            return cell(words)
    raise SystemExit(f"{MEANINGS.name}: no meaning of the column {column} of {name}")


def check_names() -> set[str]:
    """The names that `verify` gives its checks."""
    files = (Path(counting.__file__).parent / "verify").glob("*_checks.py")
    calls = (node for file in files for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call))
    made = [call for call in calls if ast.unparse(call.func).split(".")[-1] in ("check", "Check", "by_chance")]
    return {ast.literal_eval(call.args[0]) for call in made}


def verified(about: dict[str, Any]) -> str:
    """The columns of `verify`, and its checks."""
    (row,) = verification.rows(Verified((), Extent(), 1, (Check("name", "subject", 1, 0.0),), ()))
    if differ := sorted(check_names() ^ {*about["check"]}):
        raise SystemExit(f"{MEANINGS.name}: should have a meaning for each check, and no other: {', '.join(differ)}")
    text = "\n## counting verify\n\n" + table(
        ["column", "meaning"], [[f"`{each}`", meaning(about, "verify", each)] for each in row]
    )
    text += "\n### Checks\n\nThe names in the column `check`, and what is compared.\n\n"
    return text + table(["check", "meaning"], [[f"`{name}`", cell(words)] for name, words in about["check"].items()])


def parquet() -> str:
    """The tables of a sweep's folder, in the words of their schemas."""
    text = ""
    for schema in SCHEMAS:
        text += f"\n### {schema.name}\n\n" + ABOUT_COUPS * (schema is COUPS)
        rows = [[f"`{name}`", column.dtype.__name__, cell(column.about)] for name, column in schema.columns.items()]
        text += table(["column", "type", "meaning"], rows)
    return text


def listed(made_by: Callable[..., object]) -> list[str]:
    """The items of the list in the docstring of a function."""
    paragraph = (inspect.getdoc(made_by) or "").split("\n\n")[1]
    return [" ".join(each.split()) for each in f"\n{paragraph}".split("\n- ")[1:]]


def exported() -> str:
    """The files of an export, in the words of the function that makes their rows."""
    files = (each.split(": ", 1) for each in listed(export.tables))
    return "".join(f"- `{name}`: {words}\n" for name, words in files)


def page() -> str:
    """The reference: the words of every column, by command."""
    about = tomllib.loads(MEANINGS.read_text())
    text = (
        "# Columns\n\nGenerated by `docs/columns.py` from what the commands print.\n\n" + about["text"].strip() + "\n"
    )
    for name, names in columns().items():
        command, _, rest = name.partition(",")
        text += f"\n## counting {command}{',' + rest if rest else ''}\n\n"
        text += table(["column", "meaning"], [[f"`{each}`", meaning(about, name, each)] for each in names])
    text += verified(about)
    for title, section in about["page"].items():
        text += f"\n## {title}\n\n" + table(["column", "meaning"], [[f"`{k}`", cell(v)] for k, v in section.items()])
    text += "\n## counting audit --coups-out\n\nParquet, a row for each coup of the log.\n\n"
    text += "".join(f"- {each}\n" for each in listed(every_coup))
    text += "\n## Tables of a sweep's folder\n\nParquet, one folder of parts each.\n" + parquet()
    return text + "\n## Files of an export\n\nCSV, with a manifest of digests.\n\n" + exported()


if __name__ == "__main__":
    sys.exit(put({"columns.md": page()}, "columns", sys.argv[1:]))
