"""House rules: the questions of `counting new` as a form, which is saved as the file that commands read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from counting.app.application import Answering, Application, Form
from counting.app.archive import refuse_closed
from counting.app.asking import add_job, checked_request
from counting.app.forms import Field, asked_values, form_of, in_words, label_of, mistake_of, typed_values, unplaced
from counting.app.jobs import Job
from counting.app.offered import offers, rules_offered
from counting.app.studies import Studies, slug
from counting.app.subjects import BY_ADDRESS
from counting.app.working import asked_job, panel_values, to_job
from counting.errors import InputError, Mistakes
from counting.io.outputs import Output, marked
from counting.io.toml import read_toml, shipped
from counting.requests import StatementRequest
from counting.requests.table_questions import MORE, QUESTIONS, answers_of, rules_text, title_of

_KIND = marked("house rules that the application or counting new wrote", "# House rules of a table.")
_OF_STATEMENT = ("shoes", "seed", "fit")
_OFFERS = {"game": "games", "side_bets": "bets"}
_DEFAULTS = {"maximum": "", "currency": "", "casino": "", "table": "", "date": "today"}
_EMPTY = {
    "decks": "the game's", "minimum": "no minimum", "most_bet": "no limit", "maximum": "no limit", "bound": "no bound",
    "mid_shoe_entry": "yes", **dict.fromkeys(("burn", "currency", "casino", "table", "date"), "none"),
}  # fmt: skip
_HELP = {"maximum": "Asked where there are no side bets: the unit is then the largest main bet."}


def rules_page(
    application: Application, request: Request, form: Form | None = None, mistakes: list[str] | None = None
) -> Response:
    """The form with a file's rules, shipped rules or the defaults; the saved rules, and the statement."""
    studies, query = application.studies, request.query_params
    job = asked_job(application, query.get("job"))
    named = form.get("was", "") if form is not None else query.get("rules", "")
    told = {**_last_typed(application, named, job), **_told(studies, named)}
    if form is not None:
        told = dict(form)
    fields = _fields(told, mistakes or [])
    statement = form_of(StatementRequest, _OF_STATEMENT, told, mistakes or [])
    listed = offers(studies, fields)
    return application.show(
        "rules.html",
        400 if mistakes else 200,
        subject=BY_ADDRESS["rules"],
        named=named if named in studies.files("rules") else "",
        written=_is_written(studies, named),
        chosen=named,
        offered=rules_offered(studies),
        name=told.get("name", Path(named).stem if named in studies.files("rules") else ""),
        first=fields[: len(QUESTIONS)],
        more=[*fields[len(QUESTIONS) :], *statement],
        mistakes=unplaced(mistakes or [], [*fields, *statement]),
        offers=listed,
        bets=_of_bets(told, listed["bets"]) if named else {},
        **panel_values(application, job),
    )


def _last_typed(application: Application, named: str, job: Job | None) -> dict[str, str]:
    """The typed values of a statement: the job's, or else the values of the last job on these rules."""
    last = job or next((each for each in [*application.jobs][::-1] if each.arguments.get("rules") == named), None)
    return typed_values(last.arguments) if last is not None and last.verb == "statement" else {}


def _of_bets(told: Form, known: Mapping[str, str]) -> dict[str, str]:
    """For each side bet of these rules that has an entry in `known`, by its title: the address that judges it alone."""
    shared = ("game", "decks", "cut", "burn", "after_cut", "coups_per_hour", "bound")
    given = {name: told[name] for name in shared if told.get(name)} | {"stake": told.get("most_bet", "")}
    bets = [name for name in told.get("side_bets", "").split(", ") if name in known]
    return {known[bet] or bet: f"/bet?{urlencode({**given, 'bet': bet})}" for bet in bets}


def save(application: Application, request: Request, form: Form) -> Response:
    """Save the rules, and begin their statement unless the form asks only to save."""
    studies = application.studies
    try:
        path, mistakes, keys = Path("rules") / f"{slug(form.get('name', ''))}.toml", Mistakes(), dict[str, Any]()
        if not form.get("name", "").strip():
            mistakes.append("name: missing, should be a name for these rules, as pit 3")
        elif path.as_posix() != form.get("was") and (studies.folder / path).exists():
            mistakes.append(f"name: {path} is there already, should be another name; or choose it above to change it")
        with mistakes.gathered():
            refuse_closed(studies, path.as_posix())
        with mistakes.gathered():
            keys |= _keys(studies, path, form)
        mistakes.report()
        output = Output(path, _KIND, "name")
        output.write(rules_text(path, keys).encode())
        form = {**form, "was": path.as_posix()}
        if form.get("only"):
            return RedirectResponse(f"/rules?rules={path}", 303)
        given = {name: text for name, text in form.items() if name in _OF_STATEMENT}
        arguments = asked_values(StatementRequest, {**given, "rules": path.as_posix()})
        checked_request(StatementRequest, arguments)
        job = add_job(application, "statement", arguments)
    except InputError as error:
        return rules_page(application, request, form, str(error).split("\n"))
    return to_job(f"/rules?rules={path}", job)


def _told(studies: Studies, named: str) -> dict[str, str]:
    """The answers that rules give: shipped rules by name, or a file's; without rules, the defaults."""
    if not named:
        return {}
    preset = shipped("bounds/houses").get(named)
    told = answers_of(read_toml(preset or studies.folder / studies.file(named, "rules")))
    if told.get("game", "").startswith("../games/"):
        told["game"] = told["game"].removeprefix("../")
    return told


def _is_written(studies: Studies, named: str) -> bool:
    """Whether rules can be saved: new rules, or a file that the application or `counting new` wrote."""
    return named not in studies.files("rules") or _KIND.is_one(studies.folder / named)


def _fields(told: Form, mistakes: list[str]) -> list[Field]:
    """A field for each question, then a field for each further rule."""
    from counting.games import load_game

    game = load_game("ez-baccarat")

    def made(name: str, label: str, help: str, empty: str, default: str = "", choices: Sequence[str] = ()) -> Field:
        return Field(
            name=name,
            label=label,
            kind="choice" if choices else "text",
            help=help and f"{help[:1].upper()}{help[1:].rstrip('.')}.",
            choices=choices,
            offers=_OFFERS.get(name, ""),
            default="" if told and name not in told else default,
            value=told.get(name, ""),
            mistake=mistake_of(name, mistakes),
            usual=f"Empty: {empty}" if empty else "",
        )

    asked = []
    for each in QUESTIONS:
        words, _, rest = in_words(each.words).partition("?")
        default = _DEFAULTS.get(each.key, each.default(game))
        help = rest.strip() or _HELP.get(each.key, "")
        asked.append(made(each.key, f"{words}?", help, _EMPTY.get(each.key, ""), default))
    more = [
        made(name, label_of(name), note.removeprefix("true: "), default.strip('"').replace("false", "no"),
             choices=("no", "yes") * (default == "false"))
        for name, (default, note) in MORE.items()
    ]  # fmt: skip
    return [*asked, *more]


def _keys(studies: Studies, path: Path, form: Form) -> Mapping[str, Any]:
    """The keys of the file from the typed values. Raises `InputError` for all mistakes at once."""
    from counting.bounds import house_of
    from counting.games import load_game

    mistakes, keys = Mistakes(), dict[str, Any]()
    for question in QUESTIONS:
        text = form.get(question.key, "").strip()
        if text and question.asked({"side_bets": (), **keys}):
            with mistakes.gathered():
                try:
                    keys |= question.keys(text)
                except (InputError, ValueError) as error:
                    raise InputError(f"{question.key}: {error}") from None
    mistakes.report()
    if keys.get("game", "").startswith("games/"):
        keys["game"] = f"../{studies.file(keys['game'], 'games').as_posix()}"
    elif keys.get("game") not in shipped("games"):
        raise InputError(
            f"game: {keys.get('game', '')!a}, should be one of {', '.join(shipped('games'))}, or games/NAME.toml"
        )
    was = form.get("was", "")
    if was in studies.files("rules"):
        known = {*(question.key for question in QUESTIONS), *MORE, "most_skipped"}
        keys |= {key: value for key, value in read_toml(studies.folder / was).items() if key not in known}
    keys |= {name: _value(text) for name in MORE if (text := form.get(name, "").strip())}
    game = load_game(studies.folder / "rules" / keys["game"] if keys["game"][0] == "." else keys["game"])
    own = keys.get("title", "")
    if not own or own.endswith("house rules"):
        named = {key: keys[key] for key in ("casino", "table") if keys.get(key)}
        keys["title"] = title_of(game, named or {"casino": form.get("name", "").strip()})
    try:
        house = house_of(keys, path).house.model_dump(mode="json")
    except InputError as error:
        raise InputError(str(error).replace(f"{path}: ", "")) from None
    return {key: house[key] for key in keys}


def _value(text: str) -> object:
    """A rule's value from its text."""
    return {"true": True, "yes": True, "false": False, "no": False}.get(text.lower(), text)


GET: Mapping[str, Answering] = {"/rules": lambda application, request, _: rules_page(application, request)}
POST: Mapping[str, Answering] = {"/rules": save}
