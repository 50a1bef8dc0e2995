"""The linter of prose finds its faults, and documents and public docstrings have none of them."""

from pathlib import Path

import pytest
from documents import DOCS, ROOT

TEXT = """# A heading of words, that of many

A sentence. Another one
on two lines, with `code that of`, $a b c$ and a [link](that-of.md).

```text
those of a block
```

| those of | a table |
| --- | --- |

- An item whose figures are
  those of another.
- {long}
"""


@pytest.fixture
def prose(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.syspath_prepend(DOCS)
    import prose

    return prose


@pytest.mark.long
def test_pages_and_public_docstrings_have_no_fault(prose: object, capsys: pytest.CaptureFixture[str]) -> None:
    status = prose.main([])  # type: ignore[attr-defined]
    assert (capsys.readouterr().out, status) == ("", 0)


def test_a_fault_has_its_file_line_words_and_remedy(
    prose: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (page := tmp_path / "page.md").write_text(TEXT.format(long="Word " * 40 + "end."))
    assert prose.main([str(page)]) == 1  # type: ignore[attr-defined]
    heading, phrase, long = capsys.readouterr().out.splitlines()
    assert heading.startswith(f'{page}:1: "that of": write the noun again')
    assert phrase.startswith(f'{page}:13: "those of": write the noun again')
    assert long == f'{page}:15: 41 words: "Word Word Word Word Word Word ...": write 40 at most'
    right = TEXT.replace("those of another", "another's").replace("words, that of many", "many words")
    page.write_text(right.format(long="Word " * 39 + "end."))
    assert prose.main([str(page)]) == 0  # type: ignore[attr-defined]


def test_amounts_in_dollars_hide_no_words(prose: object) -> None:
    [of, like] = prose.faults("page.md", "It was $12 or those of $5.\n\nA formula $a + b$ and the like.")  # type: ignore[attr-defined]
    assert (of.line, of.wrong) == (1, '"those of"')
    assert (like.line, like.wrong) == (3, '"and the like"')


def test_every_page_is_read(prose: object) -> None:
    pages = prose.pages()  # type: ignore[attr-defined]
    assert {ROOT / "README.md", ROOT / "CONTRIBUTING.md", DOCS / "methods.md", DOCS / "index.md"} <= {*pages}
    assert {ROOT / "CHANGELOG.md", ROOT / "experiments" / "README.md"} <= {*pages}
    assert {page.parent.name for page in pages if page.name == "notes.md"} > {"attack", "audit", "watch"}
    assert len(pages) > 60
    assert {DOCS / "reference" / "commands.md", DOCS / "reference" / "commands" / "limits.md"} <= {*pages}
    assert len([*prose.docstrings()]) > 40  # type: ignore[attr-defined]
