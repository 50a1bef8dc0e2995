"""Make commands from requests. The options of a command are the arguments of its request, and then its own options."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from cyclopts import Parameter

from counting.cli.options import (
    BETS,
    NO_NEGATIVE,
    SEVERAL,
    SYSTEMS,
    Amount,
    BetName,
    Cut,
    GameName,
    RulesName,
    Share,
    Whole,
    command,
    in_browser,
    refuse_no_page,
    say,
)
from counting.io.tables import Format, prose, put
from counting.numbers import in_bytes
from counting.requests import Answer, Arguments, Host, Request, Stage, split_docstring

Result = TypeVar("Result")
_LONG = 5  # a stage is long if it has at least this number of seconds left
_OPTIONS: dict[str, Any] = {
    "game": GameName,
    "bet": BetName,
    "bets": Annotated[list[str], BETS],
    "systems": Annotated[list[str], SYSTEMS],
    "rules": RulesName,
    "file": Path,
    "shoe": str,
    "sweep": Path,
    "stream": Annotated[str, Parameter(allow_leading_hyphen=True)],
    "written": str,
    "several": Annotated[list[str], SEVERAL],
    "whole": Whole,
    "cards": Cut,
    "amount": Amount,
    "share": Share,
}
"""For each kind of argument (`counting.requests.KINDS`), the type of its option."""


class Terminal(Host):
    """The host for the command line. Lines for a person are printed on stderr at once. Results go to the folder
    `--out`, or to a default folder in the current folder."""

    def __init__(self) -> None:
        super().__init__(command(sys.argv), progress=True)
        self._told = ""

    def follow(self, stage: Stage) -> None:
        """Print once what a stage needs: on a terminal, the time and the disk space of a long stage; elsewhere, the
        disk space of any stage."""
        if stage.subject == self._told:
            return
        if sys.stderr.isatty():
            line = stage.expected if (stage.left or 0) >= _LONG else ""
        else:
            line = "" if stage.size is None else f"about {in_bytes(stage.size)} on disk"
        if line:
            self._told = stage.subject
            say(line)

    def say(self, *lines: str) -> None:
        say(*lines)

    def tell(self, line: str) -> None:
        say(line)

    def folder(self, out: Path | str | None, default: Callable[[], Path]) -> Path:
        return default() if out is None else Path(out)


@dataclass(frozen=True, kw_only=True)
class Handed(Arguments):
    """Options on what else to do with a page.

    Parameters
    ----------
    open
        Open the page in the browser.
    xlsx
        Write an Excel workbook beside the page: the answer, then a sheet for each table.
    pdf
        Print the page to a PDF file beside it, by an installed browser.
    """

    open: bool = False
    xlsx: bool = False
    pdf: bool = False

    def check(self, out: object) -> None:
        """Raise `InputError` if one of these options is given and no page is written."""
        refuse_no_page(out, **{option: getattr(self, option) for option in self.arguments()})

    def over(self, answer: Answer[Result]) -> Answer[Result]:
        """Write the workbook and the PDF, and open the page, as the options ask. Returns the answer."""
        if answer.page is not None:
            if self.xlsx:
                say(f"The workbook: {answer.to_xlsx(answer.page.with_suffix('.xlsx'))}")
            if self.pdf:
                say(f"The PDF: {answer.to_pdf(answer.page.with_suffix('.pdf'))}")
            in_browser(answer.page, self.open)
        return answer


def answered(request: Request[Result], handed: Handed) -> Answer[Result]:
    """Answer a request on the command line, and do what the options in `handed` ask for."""
    return handed.over(request.answered(Terminal()))


def print_answer(
    answer: Answer[Result], titles: Collection[str], format: Format, rows: Callable[[], Sequence[Mapping[str, Any]]]
) -> None:
    """Print an answer in a format. A table has the page's tables with these titles, the page's sentences without the
    remarks, and the page's path. CSV has what `rows` returns. JSON has the answer's data."""
    if format != "table":
        put(rows(), answer.data, format)
        return
    from counting.reports.terminal import tables_of

    page = answer.report
    print(prose(f"{page.title}. {page.procedure}"))
    print(f"\n{tables_of(page, titles)}")
    print(prose(*(line for line in answer.sentences if line not in answer.remarks)))
    if answer.page is not None:
        print(f"\nThe page: {answer.page}")


def asked(run: Callable[..., Any]) -> Callable[..., Any]:
    """Make a command from a function. Each parameter whose type is a class of `Arguments` is replaced by the options of
    this class; the other parameters follow. The help begins with the docstring of the first of these classes, and goes
    on with the docstring of the function."""
    parameters = inspect.signature(run, eval_str=True).parameters.values()
    groups = {each.name: each.annotation for each in parameters if _are_arguments(each.annotation)}
    options = [option for kind in groups.values() for option in _options(kind)]
    own = [each for each in parameters if each.name not in groups]
    ordered = sorted([*options, *own], key=lambda each: each.kind)
    signature = inspect.Signature(ordered)

    def command(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs).arguments
        made = {
            group: kind(**{name: given.pop(name) for name in kind.arguments() if name in given})
            for group, kind in groups.items()
        }
        return run(**made, **given)

    command.__signature__ = signature  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in ordered}
    command.__name__ = run.__name__
    own_words, of_own = split_docstring(run.__doc__)
    meanings = {name: text for kind in groups.values() for name, text in kind.meanings().items()} | of_own
    words, mark, examples = split_docstring(next(iter(groups.values())).__doc__)[0].partition("Example: ")
    listed = "".join(f"{each.name}\n    {meanings[each.name]}\n" for each in ordered)
    command.__doc__ = f"{words}{own_words}{mark}{examples}Parameters\n----------\n{listed}"
    return command


def _are_arguments(annotation: Any) -> bool:
    return inspect.isclass(annotation) and issubclass(annotation, Arguments)


def _options(kind: type[Arguments]) -> list[inspect.Parameter]:
    """The arguments of a class of `Arguments`, as parameters of the command."""
    known, hints = inspect.signature(kind).parameters, get_type_hints(kind, include_extras=True)
    return [_parameter(known[name], hints[name]) for name in kind.arguments()]


def _parameter(known: inspect.Parameter, hint: Any) -> inspect.Parameter:
    """An argument as a parameter of the command. If it takes several values, its default is a list."""
    option, default = _option(hint, known.default), known.default
    in_list = get_origin(get_args(option)[0] if get_origin(option) is Annotated else option) is list
    if in_list and isinstance(default, str):
        option, default = Annotated[option, Parameter(show_default=" ".join)], [default]
    return known.replace(annotation=option, default=default)


def _option(hint: Any, default: Any = None) -> Any:
    """The type that an option gets on the command line, from the type of its argument. A switch has a form with `--no-`
    only if it is on by default."""
    if get_origin(hint) is Annotated:
        return _OPTIONS[get_args(hint)[1]]
    if hint is bool:
        return bool if default is True else Annotated[bool, NO_NEGATIVE]
    if get_origin(hint) in (Union, type(int | str)):
        kinds = dict.fromkeys(_option(each) for each in get_args(hint) if each is not type(None))
        return (str if len(kinds) > 1 else next(iter(kinds))) | None
    return hint
