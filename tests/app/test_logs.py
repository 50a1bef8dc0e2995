"""A log in the application: dropped, read as the command line reads it, corrected by columns, and asked about."""

import asyncio
import http.client
import json
import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from shutil import copy
from time import monotonic, sleep
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import polars as pl
import pytest
from app.conftest import Served
from extent import long_or
from starlette.requests import Request
from twins.exports import EXPORTS, as_csv, titled
from twins.other_logs import BY_RANK, BY_VALUE, LISTS, SAME, frames, workbook
from twins.seen_logs import HEADED, ONE_TABLE, WHOLE

import counting
from counting import Dealing, InputError, load_game
from counting.app import uploads
from counting.app.jobs import request_class
from counting.app.logs import corrected
from counting.app.studies import Studies
from counting.logs import Log, load_layout, read_log
from counting.logs.drafting import drafted_layout
from counting.logs.rows import hand_text
from counting.review.synthetic import Flat, deal, log_frames

EZ = load_game("ez-baccarat")


@pytest.fixture(scope="module")
def logged() -> tuple[pl.DataFrame, pl.DataFrame]:
    coups, bets = log_frames(deal(EZ, Dealing(), 7, 0, 3), {"Ann": Flat("dragon-7", 25, 0.4)}, EZ, 1)
    return coups.select("table", "shoe", "coup", "player", "banker", "winner"), bets


def send(served: Served, name: str, content: bytes) -> tuple[int, str]:
    """Drop a file on the page. Returns the status and the text of the answer."""
    status, _, text = served.ask("PUT", f"/upload/{quote(name, safe='')}", content, {"Origin": f"http://{served.host}"})
    return status, text.strip()


def dropped(served: Served, *files: Path) -> str:
    """Drop these files. Returns the address of the page that shows them."""
    paths = []
    for file in files:
        status, path = send(served, file.name, file.read_bytes())
        assert status == 200, path
        paths.append(("file", path))
    status, headers, _ = served.ask("GET", f"/log?{urlencode(paths)}")
    assert status == 303
    return headers["location"]


def shown(page: str) -> list[dict[str, str]]:
    """The first coups on a page."""
    table = page.partition("<h2>The first coups</h2>")[2].partition("</table>")[0]
    cells = [re.findall('<td data-label="(.*?)" class="left">(.*?)</td>', row) for row in table.split("<tr>")[2:]]
    return [{name: unescape(cell) for name, cell in row} for row in cells]


def first_of(log: Log) -> list[dict[str, str]]:
    rows = log.coups.head(5).to_dicts()
    key = [{name: str(row[name]) for name in ("table", "shoe", "coup")} for row in rows]
    hands = [{hand: hand_text(row, hand) for hand in ("player", "banker")} for row in rows]
    return [{**k, **h, "winner": row["winner"] or ""} for k, h, row in zip(key, hands, rows, strict=True)]


def results(folder: Path, coups: pl.DataFrame) -> tuple[Path, str | None]:
    coups.drop("player", "banker").write_csv(folder / "results.csv")
    return folder / "results.csv", None


def card_rows(folder: Path, coups: pl.DataFrame) -> tuple[Path, str | None]:
    """The coups as CSV, and their cards as Parquet: a Parquet file is tried in another process each time."""
    rows, layout = SAME["card rows"](folder, coups)
    pl.read_parquet(rows).write_csv(rows.with_suffix(".csv"))
    rows.unlink()
    return rows.with_suffix(".csv"), layout


KINDS = (SAME, BY_VALUE, BY_RANK, LISTS, WHOLE, HEADED, ONE_TABLE)
EVERY: dict[str, Callable[[Path, pl.DataFrame], tuple[Path, str | None]]] = {
    **{name: writer for kind in KINDS for name, writer in list(kind.items())[: long_or(None, 2)]},
    "card rows": card_rows,
    "titles and groups": EXPORTS["titles and groups"],
    "headings that say nothing": as_csv(lambda coups: [["a", "b", "c", "d", "e", "f"], *titled()(coups)[1:]]),
    "frames": frames,
    "results": results,
}


@pytest.mark.parametrize("name", EVERY)
def test_a_dropped_log_is_recognised_as_the_command_line_recognises_it(
    served: Served, logged: tuple[pl.DataFrame, pl.DataFrame], tmp_path: Path, name: str
) -> None:
    file, layout = EVERY[name](tmp_path, logged[0].filter(shoe=logged[0]["shoe"][0]))
    beside = [path for path in file.parent.iterdir() if name == "card rows" and path != file]
    address = dropped(served, file, *beside)
    query = {key: values[0] for key, values in parse_qs(urlsplit(address).query).items()}
    assert query["coups"].startswith(f"logs/{file.stem}")
    layout = None if name in (*WHOLE, *HEADED, *ONE_TABLE) else layout  # the application drafts these layouts itself
    if layout and layout.endswith(".toml"):
        copy(layout, served.folder / "layouts")
        query["layout"] = f"layouts/{Path(layout).name}"
    elif layout:
        query["layout"] = layout
    try:
        log = read_log(file, None, load_layout(layout) if layout else None)
    except InputError:
        (tmp_path / "draft.toml").write_text(drafted_layout(file).text)
        log = read_log(file, None, load_layout(tmp_path / "draft.toml"))
        drafted = True
    else:
        drafted = False
    page = served.get(f"/log?{urlencode({'coups': query['coups'], 'layout': query.get('layout', '')})}")
    assert shown(page) == first_of(log)
    assert f"{log.coups.height} coups are read, {log.skipped['coups']} lines skipped." in page
    looks = [look.partition("; for a layout")[0].replace(str(file), query["coups"]) for look in log.looks]
    assert [look for look in looks if look not in unescape(page)] == []
    assert ("A layout was drafted from the file" in page) == drafted
    assert ("Columns were found by what they hold" in page) == (name == "headings that say nothing")
    assert ("Review, and check the shuffle" in page) != drafted


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (
            ["shoe,round,result", *(f"1,{at},{('left', 'right')[at % 2]}" for at in range(1, 40))],
            "say under [winner] which word",
        ),
        ([f"coup {at}: 9h Kd against 5c 2s" for at in range(1, 200)], "Shoe 1 has 199 coups, and eight decks have"),
    ],
    ids=["words for winners", "a long shoe"],
)
def test_a_draft_that_must_be_wrong_is_shown_open_and_says_what_to_complete(
    served: Served, tmp_path: Path, lines: list[str], says: str
) -> None:
    (tmp_path / "to-complete.csv").write_text("\n".join([*lines, ""]))
    page = unescape(served.get(dropped(served, tmp_path / "to-complete.csv")))
    assert "A layout was drafted from the file" in page
    assert says in page
    assert "<details open><summary>The layout</summary>" in page


def test_a_file_is_kept_once_under_its_own_name(served: Served, tmp_path: Path) -> None:
    logs = served.folder / "logs"
    for _ in range(2):
        assert send(served, "night shift.csv", b"a") == (200, "logs/night shift.csv")
    assert send(served, "night shift.csv", b"b") == (200, "logs/night shift (2).csv")
    assert send(served, "night shift.csv", b"c") == (200, "logs/night shift (3).csv")
    assert send(served, "night shift.csv", b"b") == (200, "logs/night shift (2).csv")
    assert [(logs / f"night shift{mark}.csv").read_bytes() for mark in ("", " (2)", " (3)")] == [b"a", b"b", b"c"]
    assert send(served, "nothing.csv", b"")[0] == 400
    assert not [path for path in logs.iterdir() if path.name[0] == "." or path.name == "nothing.csv"]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../x1.csv", "x1.csv"), ("..\\..\\x2.csv", "x2.csv"), ("/etc/x3.csv", "x3.csv"), (".hidden", "hidden"),
        ("Übersicht Tisch 7 – März.csv", "Übersicht Tisch 7 - März.csv"), ("桌七.csv", "桌七.csv"),
        ("<img src=x onerror=alert(1)>.csv", "img src-x onerror-alert(1).csv"), ("NUL.csv", "log-NUL.csv"),
        ("com¹.csv", "log-com¹.csv"), ("LPT³.txt", "log-LPT³.txt"),
    ],
)  # fmt: skip
def test_a_name_leads_nowhere_else(served: Served, name: str, kept: str) -> None:
    before = {path for path in served.folder.parent.rglob("*") if served.folder / "logs" not in path.parents}
    assert send(served, name, name.encode()) == (200, f"logs/{kept}")
    assert (served.folder / "logs" / kept).read_bytes() == name.encode()
    assert {path for path in served.folder.parent.rglob("*") if served.folder / "logs" not in path.parents} == before


def test_a_gigabyte_is_refused_before_it_is_sent(served: Served) -> None:
    started = monotonic()
    connection = http.client.HTTPConnection(served.host, timeout=10)
    connection.putrequest("PUT", "/upload/big.csv")
    for name, value in (("Cookie", served.cookie), ("Origin", f"http://{served.host}"), ("Content-Length", 1 << 30)):
        connection.putheader(name, str(value))
    connection.endheaders()
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (413, b"big.csv: should have at most 256 MB; it may be packed by gzip\n")
    assert monotonic() - started < 5
    connection.close()
    assert "big.csv" not in os.listdir(served.folder / "logs")


def test_half_an_upload_leaves_nothing(served: Served) -> None:
    connection = http.client.HTTPConnection(served.host, timeout=10)
    connection.putrequest("PUT", "/upload/half.csv")
    for name, value in (("Cookie", served.cookie), ("Origin", f"http://{served.host}"), ("Content-Length", 1000)):
        connection.putheader(name, str(value))
    connection.endheaders(b"x" * 10)

    def names() -> list[str]:
        return [name for name in os.listdir(served.folder / "logs") if name[0] == "." or name.startswith("half")]

    until = monotonic() + 10
    while not names() and monotonic() < until:
        sleep(0.02)
    assert len(names()) == 1
    connection.close()
    while names() and monotonic() < until:
        sleep(0.02)
    assert names() == []


def taken(folder: Path, name: str, pieces: list[bytes]) -> tuple[int, str]:
    """The endpoint's answer, status and text, to an upload whose body comes in pieces and without a length."""
    (folder / "logs").mkdir(exist_ok=True)
    messages = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    waiting = iter([*messages, {"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Any:
        return next(waiting)

    request = Request({"type": "http", "method": "PUT", "headers": [], "path_params": {"name": name}}, receive)
    with ThreadPoolExecutor() as apart:  # in this thread the browser of another test may run an event loop
        answer = apart.submit(asyncio.run, uploads.upload(Studies(folder), request)).result()
    return answer.status_code, bytes(answer.body).decode().strip()


def test_a_body_without_a_length_is_refused_where_it_passes_the_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MOST_BYTES", 1 << 20)
    half = b"x" * (1 << 19)
    assert taken(tmp_path, "a.csv", [half, half]) == (200, "logs/a.csv")
    status, line = taken(tmp_path, "b.csv", [half, half, b"x"])
    assert (status, line) == (413, "b.csv: should have at most 1 MB; it may be packed by gzip")
    assert os.listdir(tmp_path / "logs") == ["a.csv"]


def test_the_logs_hold_so_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_FILES", 2)
    assert [taken(tmp_path, f"{number}.csv", [b"x"])[0] for number in range(3)] == [200, 200, 400]
    assert sorted(os.listdir(tmp_path / "logs")) == ["0.csv", "1.csv"]


def write(folder: Path, logged: tuple[pl.DataFrame, pl.DataFrame], name: str = "night") -> tuple[Path, Path]:
    coups, bets = folder / f"{name}-coups.csv", folder / f"{name}-bets.csv"
    logged[0].write_csv(coups)
    logged[1].write_csv(bets)
    return coups, bets


def test_the_reader_finds_which_file_has_the_bets(
    served: Served, logged: tuple[pl.DataFrame, pl.DataFrame], tmp_path: Path
) -> None:
    coups, bets = write(tmp_path, logged)
    both = "/log?coups=logs%2Fnight-coups.csv&bets=logs%2Fnight-bets.csv"
    assert dropped(served, coups, bets) == dropped(served, bets, coups) == both
    assert dropped(served, bets) == "/log?bets=logs%2Fnight-bets.csv"
    assert (
        served.ask("GET", dropped(served, bets))[2].count(
            "this file has bets only, should come with the file of the coups"
        )
        == 1
    )
    newer = tmp_path / "newer.csv"
    newer.write_bytes(coups.read_bytes())
    assert dropped(served, newer, coups, bets) == both.replace("night-coups", "newer")


@pytest.mark.long
@pytest.mark.usefixtures("few_weighted")  # as in the application
def test_both_answers_are_the_commands_own(
    served: Served, logged: tuple[pl.DataFrame, pl.DataFrame], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    coups, bets = write(tmp_path, logged, "own")
    address = dropped(served, coups, bets)
    form = {"coups": "logs/own-coups.csv", "bets": "logs/own-bets.csv", "cut": "14", "level": "0.2"}
    page = served.get(address)
    assert re.search(r"fits? this log .*EZ Baccarat is chosen|EZ Baccarat fits this log best", page)
    assert served.post("/ask/log", form)[0] == 400
    game = re.search('<option value="([^"]*)" selected>', page.partition('id="game"')[2])
    assert game is not None
    assert game[1] == "ez-baccarat"
    status, location, _ = served.post("/ask/log", {**form, "game": game[1]})
    numbers = [int(number) for number in parse_qs(urlsplit(location).query)["job"]]
    assert (status, len(numbers), location.startswith(address)) == (303, 2, True)
    _, usual, _ = served.post("/ask/log", {**form, "level": "0.01", "game": game[1]})  # the usual level of an audit
    asked = parse_qs(urlsplit(usual).query)["job"]
    for job in asked:  # both wait for the two that run
        served.post(f"/jobs/{job}/cancel", {})
    kept = json.loads((served.folder / f"jobs/{int(asked[1]):05}.json").read_text())
    command = request_class("shuffle")(**kept["arguments"]).command
    assert command == "counting shuffle logs/own-coups.csv --bets logs/own-bets.csv --level 0.01"
    panels = [served.finished(number) for number in numbers]
    assert "counting audit ez-baccarat --coups logs/own-coups.csv --bets logs/own-bets.csv --cut 14" in panels[0]
    assert "counting shuffle logs/own-coups.csv --bets logs/own-bets.csv --level 0.2" in panels[1]
    assert "If nothing is wrong, the chance that the review flags any patron is at most this number." in page
    page = served.get(location)
    assert [f'data-job="{number}"' in page for number in numbers] == [True, True]
    monkeypatch.chdir(served.folder)
    files = {"coups": "logs/own-coups.csv", "bets": "logs/own-bets.csv"}
    audited = counting.audit("ez-baccarat", **files, cut=14, level=0.2)
    tested = counting.shuffle(files["coups"], bets=files["bets"], level=0.2)
    for verb, answer in (("audit", audited), ("shuffle", tested)):
        name = "ez-baccarat-own-coups-audit" if verb == "audit" else "own-coups-shuffle"
        written = json.loads((served.folder / "reports" / name / "report.json").read_text())
        assert written == json.loads(json.dumps(answer.data))


def fields_of(page: str) -> dict[str, str]:
    """The fields of the layout's form, with the values that it shows."""
    form = page.partition('action="/log/layout"')[2]
    hidden = dict(re.findall('<input type="hidden" name="(.*?)" value="(.*?)">', form))
    text = form.partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0]
    made = {name: unescape(value) for name, value in hidden.items()} | {"text": unescape(text)}
    return made | {name.removeprefix("was."): value for name, value in made.items() if name.startswith("was.")}


def test_columns_are_corrected_and_the_layout_is_saved_for_the_command_too(
    served: Served, logged: tuple[pl.DataFrame, pl.DataFrame], tmp_path: Path
) -> None:
    coups, bets = write(tmp_path, logged, "odd")
    frame = logged[0].with_row_index("hand_number", 1200)
    frame.rename({"table": "Gaming Table", "coup": "round_no"}).write_csv(coups)
    page = served.get(dropped(served, coups, bets))
    assert "0 bets are read" in page  # the coups are read as table 1 with running numbers, so no bet fits
    assert "No bet is on a coup that was read: choose" in page
    form = {**fields_of(page), "coups.table": "Gaming Table", "coups.coup": "round_no", "name": "Saal Ost"}
    status, _, page = served.post("/log/layout", form)
    assert status == 200
    assert f"{logged[1].height} bets are read, 0 lines skipped." in page
    assert shown(page)[0]["table"] == logged[0]["table"][0]
    assert "Review, and check the shuffle" not in page  # not offered with a layout that is not saved
    assert not (served.folder / "layouts/saal-ost.toml").exists()
    status, location, _ = served.post("/log/layout", {**fields_of(page), "name": "Saal Ost", "do": "save"})
    assert (status, parse_qs(urlsplit(location).query)["layout"]) == (303, ["layouts/saal-ost.toml"])
    assert "Review, and check the shuffle" in served.get(location)
    layout = load_layout(served.folder / "layouts/saal-ost.toml")
    assert read_log(coups, bets, layout).bets.height == logged[1].height
    kept = (served.folder / "layouts/saal-ost.toml").read_bytes()
    for changed, line in (
        ({"coups.winner": ""}, "name: layouts/saal-ost.toml exists with other contents"),
        ({"text": "title = 3", "name": "new"}, "layout, title = 3"),
        ({"text": "[coups]\ntabel = 'x'", "name": "new"}, "layout, coups, tabel = "),
    ):
        status, _, page = served.post("/log/layout", {**form, **changed, "do": "save"})
        assert (status, f"<li>{line}" in page) == (400, True), line
    assert (served.folder / "layouts/saal-ost.toml").read_bytes() == kept
    assert not (served.folder / "layouts/new.toml").exists()


def test_a_chat_is_read_by_its_drafted_lines_which_can_be_edited(
    served: Served, logged: tuple[pl.DataFrame, pl.DataFrame], tmp_path: Path
) -> None:
    page = served.get(dropped(served, ONE_TABLE["chat"](tmp_path, logged[0])[0]))
    form = fields_of(page)
    assert "coups.table" not in form
    assert "(?P&lt;player&gt;" in page
    assert shown(page)[0]["table"] == "1"
    edited = form["text"].replace('table = "constant"', 'table = "constant: T9"')
    page = served.post("/log/layout", {**form, "text": edited})[2]
    assert shown(page)[0]["table"] == "T9"


def test_nothing_of_a_file_is_markup(served: Served, tmp_path: Path) -> None:
    mark = "<script>alert(1)</script>"
    (tmp_path / "marked.csv").write_text(
        f'table,shoe,coup,player,banker,{mark}\n"<img src=x onerror=alert(1)>",1,1,9h Kd,8s 9d,x\n'
        f'7,"</textarea>",1,{mark},8s 9d,x\n7,1,2,9h Kd,8s 9d,x\n'
    )
    page = served.get(dropped(served, tmp_path / "marked.csv"))
    assert not re.search("<script>|<img|</textarea>.*</textarea>", page, re.DOTALL)
    assert "<option>&lt;script&gt;alert(1)&lt;/script&gt;</option>" in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page


def test_what_is_no_log_and_what_is_not_there_is_told_in_a_line(served: Served, tmp_path: Path) -> None:
    (tmp_path / "holiday.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40)
    status, _, page = served.ask("GET", dropped(served, tmp_path / "holiday.csv"))
    assert (status, page.count("<li>logs/holiday.csv"), "Review, and check" in page) == (400, 1, False)
    for query, line in (
        ("coups=logs/none.csv", "coups: logs/none.csv: is not there"),
        ("coups=../x.csv", "coups: &#39;../x.csv&#39;: should be a file in"),
        ("coups=logs/holiday.csv&layout=/etc/passwd", "layout: &#39;/etc/passwd&#39;: should be a file in"),
        ("file=/etc/passwd", "&#39;/etc/passwd&#39;: should be a file in logs"),
    ):
        status, _, page = served.ask("GET", f"/log?{query}")
        assert (status, line in page) == (400, True), query


def test_a_question_of_a_log_is_completed_from_the_folder(served: Served) -> None:
    send(served, "listed.csv", b"table,shoe,coup\n")
    (served.folder / "layouts/listed.toml").write_text('title = "listed"\n')
    page = served.get("/shuffle")
    assert [f'list="list-{name}"' in page for name in ("logs", "layouts")] == [True, True]
    assert all(f'<option value="{name}">' in page for name in ("logs/listed.csv", "layouts/listed.toml", "korean"))
    assert 'href="/log"' in page


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ('[coups]\ntable = "a"\n[cards]\n', {"coups.table": 'b "c"'}, '[coups]\ntable = "b \\"c\\""\n[cards]\n'),
        ('[coups]\ntable = "a"\n', {"coups.table": r"\1"}, '[coups]\ntable = "\\\\1"\n'),
        ('[coups]\n# winner = "w"  # seen\n', {"coups.winner": "w"}, '[coups]\nwinner = "w"\n'),
        ('[coups]  # two\nwinner = "w"\n', {"coups.winner": ""}, "[coups]  # two\n"),
        ('[coups]\ntable = "a"\n', {"bets.amount": "x"}, '[coups]\ntable = "a"\n\n[bets]\namount = "x"\n'),
        ("[coups]\n", {"coups.player.1": "a", "coups.player.2": "b"}, '[coups]\nplayer = ["a", "b"]\n'),
        ('[coups]\nplayer = ["a", "b"]\n', {"coups.player.1": "c"}, '[coups]\nplayer = "c"\n'),
        ('[coups]\ntable = "a"\n', {}, '[coups]\ntable = "a"\n'),
    ],
)
def test_a_chosen_column_is_a_line_of_the_layout(text: str, form: dict[str, str], expected: str) -> None:
    was = {f"was.{name}": "w" if name == "coups.winner" and "# winner" not in text else "" for name in form}
    assert corrected({**was, **form, "text": text.replace("\n", "\r\n")}) == expected


def test_a_log_that_fits_several_games_says_which_is_chosen(
    served: Served, logged: tuple[pl.DataFrame, pl.DataFrame], tmp_path: Path
) -> None:
    logged[0].write_csv(tmp_path / "alike.csv")
    page = served.get(dropped(served, tmp_path / "alike.csv"))
    assert re.search('<option value="([^"]*)" selected>', page.partition('id="game"')[2])[1] == "ez-baccarat"  # type: ignore[index]
    said = "EZ Baccarat, No-commission baccarat and Punto banco fit this log equally well. "
    assert said + "EZ Baccarat is chosen: change it if that is wrong." in page
    chosen = served.get("/log?coups=logs/alike.csv&game=punto-banco")
    assert '<option value="punto-banco" selected>' in chosen
    assert said not in chosen


def test_every_column_that_is_read_can_be_chosen(
    served: Served, logged: tuple[pl.DataFrame, pl.DataFrame], tmp_path: Path
) -> None:
    coups = logged[0].with_columns(pl.lit("5h ? ?").alias("Ausgebrannt"))
    coups.write_csv(tmp_path / "burned.csv")
    page = served.get(dropped(served, tmp_path / "burned.csv"))
    fields = re.findall(r'<select id="coups[.]([^"]*)"', page)
    assert fields[:4] == ["table", "shoe", "coup", "player.1"]
    assert {"burn", "player_total", "decks", "exposed", "event", "dealer"} < {*fields[fields.index("winner") :]}
    text = unescape(page.partition('<textarea id="text"')[2].partition(">")[2].partition("</textarea>")[0])
    corrections = {"was.coups.burn": "", "coups.burn": "Ausgebrannt"}
    form = {"coups": "logs/burned.csv", "text": text, "name": "burned", "do": "save", **corrections}
    status, location, _ = served.post("/log/layout", form)
    assert (status, location) == (303, "/log?coups=logs%2Fburned.csv&layout=layouts%2Fburned.toml")
    log = read_log(served.folder / "logs/burned.csv", None, load_layout(served.folder / "layouts/burned.toml"))
    assert log.coups["burn"].null_count() == 0


def test_a_workbook_has_bets_on_another_sheet_under_a_title(
    served: Served, logged: tuple[pl.DataFrame, pl.DataFrame], tmp_path: Path
) -> None:
    coups, bets = (frame.cast(pl.String) for frame in logged)
    address = dropped(served, workbook(tmp_path, coups, bets, "Casino export")[0])
    query = {key: values[0] for key, values in parse_qs(urlsplit(address).query).items()}
    assert query == {"coups": "logs/hands.xlsx", "bets": "logs/hands.xlsx"}
    page = served.get(address)
    assert f"{coups.height:,} coups are read, 0 lines skipped." in page
    assert f"{bets.height:,} bets are read, 0 lines skipped." in page


def test_one_unknown_column_of_bets_leaves_the_others_chosen(
    served: Served, logged: tuple[pl.DataFrame, pl.DataFrame], tmp_path: Path
) -> None:
    logged[0].write_csv(tmp_path / "known.csv")
    logged[1].rename({"bet": "kind of play", "amount": "Einsatz"}).write_csv(tmp_path / "unknown.csv")
    send(served, "known.csv", (tmp_path / "known.csv").read_bytes())
    send(served, "unknown.csv", (tmp_path / "unknown.csv").read_bytes())
    _, _, page = served.ask("GET", "/log?coups=logs/known.csv&bets=logs/unknown.csv")
    assert "column bet missing" in page
    assert "press “Read again”" in page
    chosen = dict(re.findall('name="was.bets.([a-z]+)" value="(.*?)"', page))
    assert {name: chosen[name] for name in ("table", "shoe", "coup", "patron", "bet", "amount")} == {
        "table": "table", "shoe": "shoe", "coup": "coup", "patron": "patron", "bet": "", "amount": "Einsatz",
    }  # fmt: skip


def test_lines_of_another_encoding_have_one_remark(
    served: Served, logged: tuple[pl.DataFrame, pl.DataFrame], tmp_path: Path
) -> None:
    text = logged[1].with_columns(patron=pl.lit("Müller")).write_csv()
    logged[0].write_csv(tmp_path / "encoded.csv")
    send(served, "encoded.csv", (tmp_path / "encoded.csv").read_bytes())
    send(served, "windows.csv", text.encode("cp1252"))  # the letter's place in its line depends on the coup's number
    _, _, page = served.ask("GET", "/log?coups=logs/encoded.csv&bets=logs/windows.csv")
    assert page.count("read as Windows-1252") == 1
