"""Documents are correct: examples run, commands are understood, and links lead somewhere."""

import ast
import csv
import doctest
import json
import os
import re
import runpy
import shlex
import socketserver
import subprocess
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Thread

import left_out
import pytest
from documents import DOCS, DOCUMENTS, NOTEBOOKS, PAGES, ROOT, TUTORIALS, blocks, name, of_kind
from extent import LONG, long_or

from counting import Shoe, vulnerability
from counting.chemin.macao import Macao
from counting.cli import app_for, main
from counting.exact import load_lightning
from counting.sweep import open_sweep

LENGTHY_EXAMPLES = r"(limits|shuffle)\b"
NOT_OURS = ("python", "pip", "apt", "pytest", "nox", "dask", "openssl", "cat", "sphinx-build", ".ci/")


@pytest.mark.parametrize(
    "page",
    [page for page in DOCUMENTS if any(">>>" in text for text in of_kind(page, "python")) and page.stem != "errata"],
    ids=name,
)
@pytest.mark.usefixtures("few_weighted")
def test_python_examples_print_what_they_say(page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`test_errata.py` runs the examples of the errata. By default, examples of `limits` and `shuffle` are left out, as
    they take seconds."""
    left_out.figures(monkeypatch)
    left_out.depths(monkeypatch)
    monkeypatch.chdir(tmp_path)
    examples = [text for text in of_kind(page, "python") if ">>>" in text]
    test = doctest.DocTestParser().get_doctest("\n".join(examples), {}, page.stem, str(page), 0)
    test.examples = [each for each in test.examples if LONG or not re.match(LENGTHY_EXAMPLES, each.source)]
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert results.attempted >= 2
    assert results.failed == 0


def test_many_pages_have_python_examples() -> None:
    examples = [text for page in DOCUMENTS for text in of_kind(page, "python") if ">>>" in text]
    assert sum(text.count(">>> ") for text in examples) >= 40


@pytest.mark.long
def test_the_example_with_processes_runs(tmp_path: Path) -> None:
    page = DOCS / "tutorials" / "04-python.md"
    (example,) = (text for text in of_kind(page, "python") if "ProcessPoolExecutor" in text)
    (tmp_path / "example.py").write_text(example.replace("shoes=2000", f"shoes={(shoes := long_or(2000, 400))}"))
    subprocess.run([sys.executable, "-P", "example.py"], cwd=tmp_path, check=True, timeout=120)
    assert open_sweep(tmp_path / "two-processes").plan.shoes == shoes


ALERT = {"text": "ALERT 1: table 7", "alert": 1}


def run_recipe(text: str, folder: Path, **env: str) -> subprocess.CompletedProcess[bytes]:
    (folder / "recipe").write_text(text)
    return subprocess.run(
        [sys.executable, "-P", "recipe"], cwd=folder, input=json.dumps(ALERT).encode(), capture_output=True,
        env={**os.environ, **env}, timeout=60, check=False,
    )  # fmt: skip


def test_the_recipes_for_alerts_send_them_and_fail_where_nobody_answers(tmp_path: Path) -> None:
    mail, chat = of_kind(DOCS / "how-to" / "alerts.md", "python")
    got: list[bytes] = []
    answers = {b"data": b"354 go on\r\n", b"quit": b"221 bye\r\n"}

    class Mail(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 mail\r\n")
            for line in self.rfile:
                got.append(line)
                if got[-1] == b".\r\n" or not in_content(got):
                    self.wfile.write(answers.get(line[:4].lower(), b"250 ok\r\n"))

    class Chat(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    def in_content(lines: list[bytes]) -> bool:
        return b"data\r\n" in [line.lower() for line in lines[:-1]] and b".\r\n" not in lines

    for handler, recipe in ((Mail, mail), (Chat, chat)):
        with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
            Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
            port = server.server_address[1]
            there = recipe.replace('"mail.casino.example"', f'"127.0.0.1", {port}')
            done = run_recipe(there, tmp_path, PIT_HOOK=f"http://127.0.0.1:{port}/x")
            assert done.returncode == 0, done.stderr
            server.shutdown()
        assert run_recipe(there, tmp_path, PIT_HOOK=f"http://127.0.0.1:{port}/x").returncode == 1
    assert b"Subject: ALERT 1: table 7\r\n" in got
    assert json.loads(got[-1]) == {"text": ALERT["text"]}


def command_lines(page: Path) -> list[str]:
    """The commands of a page: those in blocks of code, and those in the first cells of tables."""
    in_blocks = [line for text in of_kind(page, "sh") for line in text.splitlines() if line.startswith("counting ")]
    return in_blocks + re.findall(r"(?m)^\| `(counting [a-z]+[^`\n]*)", page.read_text())


LINES = [(page, line) for page in PAGES for line in command_lines(page)]


@pytest.mark.parametrize(("page", "line"), LINES, ids=[f"{name(page)}: {line[:60]}" for page, line in LINES])
def test_every_command_in_them_is_understood(page: Path, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    words = shlex.split(re.sub(r" [<>] [^\s\"]+$", "", line))[1:]
    command, bound, _ = app_for(words[0]).parse_args(words, exit_on_error=False, print_error=False)
    assert command.__name__ in words[:2]
    assert bound.arguments or line in (
        *(f"counting {verb}" for verb in ("app", "games", "layouts", "bets", "systems", "verify", "example", "help")),
        *(f"counting chemin {child}" for child in ("solve", "table", "removal", "bank", "banque", "macao")),
    )


def test_every_block_of_commands_is_ours_or_the_systems() -> None:
    for page in DOCUMENTS:
        for text in of_kind(page, "sh"):
            for line in text.splitlines():
                assert line.removeprefix("COUNTING_PICTURES=1 ").startswith(("counting ", *NOT_OURS, "experiments/")), (
                    f"{name(page)}: {line}"
                )


# Links


def slug(heading: str) -> str:
    """The anchor of a heading, made as repository browsers and MyST do."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    return {slug(heading) for heading in re.findall(r"(?m)^#{1,6} (.+)$", text)}


def linked(page: Path) -> list[tuple[str, str]]:
    """The file and the anchor of each relative link on a page."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    return [(file, anchor) for file, _, anchor in (target.partition("#") for target in targets) if "//" not in file]


@pytest.mark.parametrize("page", [*DOCUMENTS, *NOTEBOOKS], ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for file, anchor in linked(page):
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{file}: no such file"
        assert target.is_relative_to(ROOT)
        assert not anchor or anchor in anchors(target), f"{file}#{anchor}: no such heading"


def test_there_are_links_and_anchors_to_follow() -> None:
    every = [link for page in DOCUMENTS for link in linked(page)]
    assert len(every) >= 150
    assert sum(bool(anchor) for _, anchor in every) >= 30


def test_every_page_is_once_in_the_tables_of_contents() -> None:
    listed = [
        (page.parent / line).resolve().relative_to(DOCS).as_posix()
        for page in PAGES
        for tree in re.findall(r"```\{toctree\}(.*?)```", page.read_text(), re.DOTALL)
        for line in re.findall(r"(?m)^([\w/-]+)$", tree)
    ]
    assert sorted(listed) == sorted({*listed})
    pages = {page.relative_to(DOCS).with_suffix("").as_posix() for page in [*PAGES, *NOTEBOOKS]}
    assert pages - {*listed} == {"index"}


# Printed numbers


def test_the_figures_in_print_are_as_many_and_as_the_page_says() -> None:
    rows = list(csv.DictReader((ROOT / "tests" / "golden" / "published.csv").read_text().splitlines()))
    text = (DOCS / "how-to" / "check-the-figures.md").read_text()
    assert f"has {len(rows)} published figures" in text
    assert f"{sum(row['kind'].startswith('exact') for row in rows)} of them are exact" in text
    (printed,) = (row["value"] for row in rows if (row["item"], row["quantity"]) == ("dragon 7", "house_edge_percent"))
    assert f"house edge of {printed}% for the Dragon 7" in text
    assert f"| `dragon-7` | Dragon 7, 40 to 1 | {printed}% |" in (DOCS / "reference" / "bets.md").read_text()


def test_what_to_cite_is_as_the_citation_file_has_it() -> None:
    title = re.search(r'(?m)^title: "(.+)"$', (ROOT / "CITATION.cff").read_text())
    assert title is not None
    cited = (DOCS / "research" / "what-we-found.md").read_text().partition("## To cite")[2]
    assert f"The counting developers, *{title[1]}*" in " ".join(cited.split())


def test_the_python_line_on_a_count_has_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = DOCS / "how-to" / "own-count.md"
    monkeypatch.chdir(tmp_path)
    (count,) = of_kind(page, "toml")
    Path("my-count.toml").write_text(count)
    line = re.search(r"`counting\.vulnerability\((.+)\)\.tables\[\"best\"\]`", page.read_text())
    assert line is not None
    answer = eval(f"vulnerability({line[1]}, shoes={long_or(2000, 300)})", {"vulnerability": vulnerability})
    best = answer.tables["best"]
    assert {"units_per_100_coups", "units_per_100_coups_se", "units_per_shoe", "units_per_shoe_se"} <= {*best.columns}
    assert "my-count" in best["system"].to_list()


# Results of 100,000 shoes


REPORT = "vulnerability ez-baccarat dragon-7 --burn first-card"
FIGURES = {  # for each result of the report: where each page has it
    "how-to/cut-card.md": r"answer is (\d+) cards behind .*? costs ([\d.]+) coups .*? bet of ([\d.]+) does",
    "how-to/largest-bet.md": r"up to ([\d.]+)\. Round .*? wins more than ([\d.]+) per hour .*? limit is ([\d.]+)\. ",
    "tutorials/01-first-report.md": r"wins (\d+%) of what .*? up to ([\d.]+) no .*? changed, (\d+) .*? costs ([\d.]+) ",
}
PRINTED = [
    (page, command.text.strip(), text.text)
    for page in (
        DOCS / "how-to" / "largest-bet.md",
        DOCS / "how-to" / "team.md",
        DOCS / "tutorials" / "01-first-report.md",
    )
    for command, text in zip(blocks(page), blocks(page)[1:], strict=False)
    if (command.kind, text.kind) == ("sh", "text")
]


@pytest.mark.skipif(not LONG, reason="plays 100,000 shoes")
def test_pages_have_the_figures_of_one_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(REPORT.split()) == 0
    printed = capsys.readouterr().out
    for page, pattern in FIGURES.items():
        found = re.search(pattern, " ".join((DOCS / page).read_text().split()))
        assert found is not None, page
        assert [each for each in found.groups() if not re.search(rf"(?<![\d.]){each}(?!\d)", printed)] == [], page
    kept = re.search(r"(?m)^dragon-7 .* ([\d.]+) ± [\d.]+% *$", printed)
    assert kept is not None
    assert f"Dragon 7 count wins {float(kept[1]):.0f}%;" in (DOCS / "tutorials" / "01-first-report.md").read_text()


@pytest.mark.skipif(not LONG, reason="plays 100,000 shoes")
@pytest.mark.parametrize(("page", "command", "shown"), PRINTED, ids=[command[:40] for _, command, _ in PRINTED])
def test_a_how_to_shows_what_its_command_prints(
    page: Path,
    command: str,
    shown: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(command)[1:]) == 0
    assert agrees(shown, capsys.readouterr().out), name(page)


# Tests of text that was once in the README


def test_the_error_message_is_the_real_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "counting" / "games" / "punto-banco.toml").read_text()
    (tmp_path / "mine.toml").write_text(text.replace('"19:20"', '"5%"'))
    assert main(["edges", "mine.toml"]) == 2
    assert capsys.readouterr().err in "".join(of_kind(DOCS / "how-to" / "own-side-bet.md", "text"))


@pytest.mark.usefixtures("undrawn")
def test_the_logs_it_shows_are_dealt_and_paid_by_the_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = DOCS / "reference" / "formats.md"
    coups, bets = (text for text in of_kind(page, "text") if text.startswith("table,shoe,coup,"))
    (tmp_path / "coups.csv").write_text(coups)
    (tmp_path / "bets.csv").write_text(bets)
    command = ["audit", "ez-baccarat", "--coups", "coups.csv", "--bets", "bets.csv"]
    assert main(command) == 2  # one of nine cards is not read
    assert capsys.readouterr().out.startswith(
        "No verdict: the log cannot be relied on. Too much is missing or in doubt: cards not read, 1 of 9"
    )
    assert main([*command, "--allow-unread", "0.2"]) == 0
    said = capsys.readouterr().out
    assert "Dealing: no error in 2 coups of 1 shoe" in said
    assert "The reading of the files gave 0 remarks" in said


def test_the_rules_of_chemin_de_fer_it_shows_are_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = DOCS / "how-to" / "chemin-de-fer.md"
    (text,) = (text for text in of_kind(page, "toml") if 'player = "DDDDD*SS"' in text)
    (file := tmp_path / "house.toml").write_text(text)
    assert main(["chemin", "solve", "--rules", str(file)]) == 0
    assert capsys.readouterr().out.startswith(
        "House chemin de fer, model B3, shoe 6d: Player has 2^5 pure strategies, and Banker has 2^"
    )


def test_every_key_of_macao_is_explained() -> None:
    section = (DOCS / "reference" / "keys.md").read_text().partition("## Rules of macao and Victoria")[2]
    explained = re.findall(r"(?m)^\| `(\w+)`", section)
    assert set(Macao.model_fields) <= set(explained)


def test_the_pay_tables_it_shows_are_bets(tmp_path: Path) -> None:
    game = (ROOT / "counting" / "games" / "punto-banco.toml").read_text()
    tables = [text for text in of_kind(DOCS / "how-to" / "own-side-bet.md", "toml") if "[[bets]]" in text]
    assert len(tables) >= 4
    (lightning,) = (text for text in tables if "multipliers" in text)
    (like,) = (text for text in tables if text.startswith("like"))
    tables.remove(lightning)
    tables.remove(like)
    (file := tmp_path / "like.toml").write_text(like)
    assert main(["edges", str(file), "--bets", "banker-2-5", "big-tie"]) == 0
    (file := tmp_path / "table.toml").write_text(lightning)
    returned = [price.returned for price in load_lightning(file).prices(Shoe.decks(8)).values()]
    assert [round(float(share), 4) for share in returned] == [0.9086, 0.7072]  # as the page prints them later
    (file := tmp_path / "mine.toml").write_text(game + "\n".join(["", *tables]))
    assert main(["edges", str(file), "--bets", "six-cards-doubled", "nines"]) == 0


def test_the_choices_it_shows_are_worth_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page, game = DOCS / "how-to" / "choices.md", (ROOT / "counting" / "games" / "punto-banco.toml").read_text()
    (tableau,) = of_kind(page, "toml")
    monkeypatch.chdir(tmp_path)
    house = game.replace("[tableau]\n", tableau).replace('player = "D D D D D D S S"\n', "")
    Path("house.toml").write_text(house)
    command, printed = of_kind(page, "text")
    assert main(command.split()[1:]) == 0
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == printed.splitlines()
    for shoe, edge in (("8d-8", "+0.08691%"), ("8d-8-9", "+0.60411%")):
        assert main(f"edges house.toml --bet dragon-7 --choice stand --shoe {shoe}".split()) == 0
        assert edge in capsys.readouterr().out


# Tutorials and notebooks


FEWER = {
    "study": "--shoes 300",
    "vulnerability": "--shoes 300",
    "statement": "--shoes 2000 --fit 200",
    "sweep": "--shoes 300",
    "shuffle": "--level 0.5 --draws 99",
}
LENGTHY = {"limits", "compare", *long_or((), ("shuffle",))}
"""Commands that take seconds even with few shoes or draws. `docs/columns.py` runs them on another game or log."""


def shortened(words: list[str]) -> list[str]:
    """A command with fewer shoes or draws."""
    fewer = FEWER.get(words[0])
    if fewer is None:
        return words
    if "--shoes" in words:
        at = words.index("--shoes")
        words = words[:at] + words[at + 2 :]
    return [*words, *fewer.split()]


def agrees(shown: str, printed: str) -> bool:
    """Whether the text on a page was printed. Line breaks do not matter, and `[...]` stands for omitted text."""
    text = " ".join(printed.split())
    return all(" ".join(part.split()) in text for part in shown.split("[...]"))


def test_a_page_may_break_lines_and_leave_words_out() -> None:
    assert agrees("a b\nc [...] e", "a b c d e")
    assert not agrees("a b\nc [...] f", "a b c d e")


@pytest.mark.long
def test_tutorials_run_in_order_in_one_folder(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    few_weighted: None,
) -> None:
    """Commands with shoes or draws run with fewer of them than on the page, so their output is not compared. Long
    commands are left out."""
    left_out.figures(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("counting.bounds.statements.LEAST_SHOES", long_or(2000, 400))  # if a seat must be held
    done = compared = 0
    for page in TUTORIALS:
        last: str | None = None
        for block in blocks(page):
            if block.file:
                Path(block.file).write_text(block.text)
            if block.kind == "sh":
                last = ""
                for line in block.text.splitlines():
                    words = shlex.split(line)[1:]
                    if words[0] in LENGTHY:
                        last = None
                        continue
                    status = main(shortened(words))
                    said = capsys.readouterr()
                    assert status == 0, f"{name(page)}: {line}: {said.err}"
                    last = None if last is None or words[0] in FEWER else last + said.out
                    done += 1
            elif block.kind == "text" and last is not None:
                assert agrees(block.text, last), f"{name(page)}: {block.text}\nprinted was:\n{last}"
                compared += 1
                last = None
            elif block.kind == "python" and ">>>" not in block.text and "ProcessPoolExecutor" not in block.text:
                exec(compile(block.text, name(page), "exec"), {"__name__": "__main__"})
                done += 1
    assert done >= 14
    assert compared >= 2


def run_cells(book: Path, show: Callable[[object], object]) -> int:
    """Run the cells of a notebook in one namespace, and call `show` with the value of each cell. Returns the number of
    cells."""
    names: dict[str, object] = {"__name__": "__main__"}
    cells = [cell for cell in json.loads(book.read_text())["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells):
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"{book.name} {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            show(eval(compile(ast.Expression(last.value), f"{book.name} {number}", "eval"), names))
    return len(cells)


@pytest.mark.long
@pytest.mark.parametrize("book", NOTEBOOKS, ids=lambda book: book.stem)
def test_notebooks_run(book: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    shown: list[str] = []
    assert run_cells(book, lambda value: shown.append(repr(value))) >= 5
    assert len(shown) >= 4
    assert all("source/" not in text for text in shown)


def test_notebooks_keep_no_output() -> None:
    assert len(NOTEBOOKS) == 3
    for book in NOTEBOOKS:
        for cell in json.loads(book.read_text())["cells"]:
            assert cell["cell_type"] == "markdown" or (not cell["outputs"] and cell["execution_count"] is None)


# Generated references


@pytest.mark.parametrize("script", ["bets", "commands", "keys", "columns", "python_names"])
def test_a_generated_reference_is_as_the_code_has_it(
    script: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    few_weighted: None,
) -> None:
    left_out.figures(monkeypatch)
    left_out.depths(monkeypatch)
    monkeypatch.setattr("counting.bounds.statements.LEAST_SHOES", long_or(2000, 400))  # if a seat must be held
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(DOCS)
    monkeypatch.setattr("sys.argv", [f"{script}.py", "--check"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(DOCS / f"{script}.py"), run_name="__main__")
    assert capfd.readouterr().err == ""
    assert not ended.value.code


def test_the_scripts_of_references_run_by_themselves(tmp_path: Path) -> None:
    script = DOCS / "keys.py"
    done = subprocess.run([sys.executable, script, "--check"], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
