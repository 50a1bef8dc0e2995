"""Who gets an answer: only the browser with the token, and only when the application's own pages ask."""

import http.client
import socket
from pathlib import Path

import pytest
from app.conftest import Served

from counting.app.studies import ROOMS, Studies
from counting.cli import main


@pytest.mark.parametrize(
    ("headers", "status", "words"),
    [
        ({"Cookie": ""}, 403, "lacks its token"),
        ({"Cookie": "counting-1=x"}, 403, "lacks its token"),
        ({"Host": "rebound.example"}, 421, "is not 'rebound.example'"),
        ({"Host": "127.0.0.1"}, 421, "is not '127.0.0.1'"),
        ({"Origin": "http://evil.example"}, 403, "another site, 'http://evil.example'"),
        ({"Origin": "null"}, 403, "another site, 'null'"),
    ],
)
def test_other_sites_and_browsers_are_refused(served: Served, headers: dict[str, str], status: int, words: str) -> None:
    for path in ("/", "/bet", "/events", "/files/rules/a.toml", "/style.css"):
        answer = served.ask("GET", path, headers=headers)
        assert (answer[0], words in answer[2]) == (status, True), path


def test_a_form_without_an_origin_is_refused(served: Served) -> None:
    assert served.ask("POST", "/ask/bet", b"game=louisiana")[0] == 403
    assert served.ask("PUT", "/upload/a.csv", b"x")[0] == 403


def test_a_wrong_token_gives_no_cookie(served: Served) -> None:
    status, headers, _ = served.ask("GET", "/?token=guess", headers={"Cookie": ""})
    assert (status, "set-cookie" in headers) == (403, False)


def test_the_cookie_is_for_this_site_and_hidden_from_scripts(served: Served) -> None:
    given = served.ask("GET", served.address.removeprefix(f"http://{served.host}"), headers={"Cookie": ""})[1]
    assert given["set-cookie"].endswith("; HttpOnly; Path=/; SameSite=strict")
    assert given["location"] == "/"


def test_only_the_loopback_listens(served: Served) -> None:
    port = int(served.host.rpartition(":")[2])
    others = {each[4][0] for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
    for address in others:
        with pytest.raises(OSError, match="refused"), socket.create_connection((address, port), timeout=2):
            pass


@pytest.mark.parametrize(
    "path",
    [
        "/files/../.counting.json", "/files/rules/../../x", "/files/.counting.json", "/files/jobs",
        "/files//etc/passwd",
        "/files/rules/%2e%2e/%2e%2e/secret.txt", "/files/rules/..%5c..%5csecret.txt", "/files/elsewhere/x.html",
        "/files/reports/.lock", "/files/rules/a%00.toml", "/answers/rules/x", "/answers/reports/..",
        "/answers/reports/%2e%2e%2f%2e%2e", "/files/rules/link.html", "/files/reports/away/report.html",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_folder(served: Served, path: str) -> None:
    outside = served.folder.parent / "secret.txt"
    outside.write_text("secret")
    link, away = served.folder / "rules/link.html", served.folder / "reports/away"
    if not link.is_symlink():
        link.symlink_to(outside)
        (served.folder.parent / "elsewhere").mkdir()
        (served.folder.parent / "elsewhere/report.html").write_text("<h1>secret</h1>")
        away.symlink_to(served.folder.parent / "elsewhere")
    connection = http.client.HTTPConnection(served.host, timeout=10)
    connection.request("GET", path, headers={"Cookie": served.cookie})  # the path as written, not normalized
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    assert (answer.status in (400, 404, 405), "secret" in text.replace("secret.txt", "")) == (True, False), text


def test_every_page_says_what_it_may_load(served: Served) -> None:
    policies = {
        path: served.ask("GET", path)[1]["content-security-policy"] for path in ("/", "/bet", "/none", "/app.js")
    }
    assert len(set(policies.values())) == 1
    assert "default-src 'none'" in policies["/"]
    assert "unsafe" not in policies["/"]
    (served.folder / "reports/page.html").write_text("<script>alert(1)</script>")
    headers = served.ask("GET", "/files/reports/page.html")[1]
    assert headers["content-security-policy"].startswith("sandbox allow-scripts; default-src 'none'")
    assert headers["x-content-type-options"] == "nosniff"


def test_a_form_of_more_than_a_megabyte_is_refused(served: Served) -> None:
    own = {"Origin": f"http://{served.host}"}
    status, _, text = served.ask("POST", "/ask/bet", b"game=" + b"x" * (1 << 20), own)
    assert (status, "a form has 1,048,576 bytes at most" in text) == (413, True)
    status, _, text = served.ask("POST", "/ask/bet", b"&".join(b"a%d=1" % i for i in range(501)), own)
    assert (status, "a form has 500 fields at most" in text) == (400, True)


def test_markup_in_every_field_stays_text(served: Served) -> None:
    markup = '"><script>alert(1)</script>'
    for path, fields in {
        "/ask/bet": ("game", "bet", "cut", "stake", "bound", "system"),
        "/ask/shuffle": ("coups",),
    }.items():
        status, _, text = served.post(path, dict.fromkeys(fields, markup))
        assert (status, "<script>alert" in text) == (400, False)
        assert "&lt;script&gt;alert" in text


def test_a_folder_of_others_is_refused_and_one_of_its_own_is_opened_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    others = tmp_path / "others"
    others.mkdir()
    (others / "diary.txt").write_text("mine")
    assert main(["app", str(others), "--no-open"]) == 2
    assert "holds other files, should be a new or empty folder" in capsys.readouterr().err
    assert [path.name for path in others.iterdir()] == ["diary.txt"]
    for _ in range(2):
        with (studies := Studies(tmp_path / "own")).opened():
            assert [(studies.folder / room).is_dir() for room in ROOMS] == [True] * len(ROOMS)
