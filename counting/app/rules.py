"""The page of house rules: a form with the questions of `counting new`. The answers are saved as a file of house rules,
which commands read too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from counting.app.answers import asked_job, panel_values, to_job
from counting.app.application import Application, Form
from counting.app.archive import refuse_closed
from counting.app.asking import add_job, checked_values, form_page
from counting.app.forms import Field, form_of, in_words, label_of, mistake_of, offers, rules_offered, typed_values
from counting.app.jobs import Job
from counting.app.studies import Studies, slug
from counting.app.subjects import BY_ADDRESS
from counting.errors import InputError, Mistakes
from counting.io.outputs import Output, marked
from counting.io.toml import read_toml, shipped
from counting.requests import StatementRequest
from counting.requests.table_questions import MORE, QUESTIONS, answers_of, game_file, loaded, rules_text, title_of

_KIND = marked("house rules that the application or counting new wrote", "# House rules of a table.")
_OF_STATEMENT = ("shoes", "seed", "fit")
_OFFERS = {"game": "games", "side_bets": "bets"}
_DEFAULTS = {"maximum": "", "currency": "", "casino": "", "table": "", "date": "today"}
_EMPTY = {
    "decks": "the game's", "minimum": "no minimum", "most_bet": "no limit", "maximum": "no limit", "bound": "no bound",
    "mid_shoe_entry": "yes", **dict.fromkeys(("burn", "currency", "casino", "table", "date"), "none"),
}  # fmt: skip
_HELP = {"maximum": "Asked only if there are no side bets; one unit is then the largest main bet."}


def rules_page(application: Application, request: Request, form: Form, mistakes: Sequence[str] = ()) -> Response:
    """The page with the form. The form shows a file's rules, shipped rules or the defaults. The page also has the list
    of saved rules, and the statement."""
    studies, query = application.studies, request.query_params
    job = asked_job(application, query.get("job"))
    named = form["was"] if "was" in form else query.get("rules", "")
    told = dict(form) or {**_last_typed(application, named, job), **_told(studies, named)}
    fields, statement = _fields(told, mistakes), form_of(StatementRequest, _OF_STATEMENT, told, mistakes)
    groups = {"first": fields[: len(QUESTIONS)], "more": [*fields[len(QUESTIONS) :], *statement]}
    is_saved = named in studies.files("rules")
    return form_page(
        application, "rules.html", BY_ADDRESS["rules"], groups, mistakes,
        named=named if is_saved else "",
        written=not is_saved or _KIND.is_one(studies.folder / named),
        chosen=named,
        offered=rules_offered(studies),
        name=told.get("name", Path(named).stem if is_saved else ""),
        bets=_of_bets(told, offers(studies, fields)["bets"]) if named else {},
        **panel_values(application, job),
    )  # fmt: skip


def _last_typed(application: Application, named: str, job: Job | None) -> dict[str, str]:
    """The typed values of a statement on these rules, from `job` or else from the last job on the rules."""
    last = job or next((each for each in [*application.jobs][::-1] if each.arguments.get("rules") == named), None)
    return typed_values(last.arguments) if last is not None and last.verb == "statement" else {}


def _of_bets(told: Form, known: Mapping[str, str]) -> dict[str, str]:
    """For each side bet of these rules that is in `known`: its title, and the address of a page on this bet alone."""
    shared = ("game", "decks", "cut", "burn", "after_cut", "coups_per_hour", "bound")
    given = {name: told[name] for name in shared if told.get(name)} | {"stake": told.get("most_bet", "")}
    bets = [name for name in told.get("side_bets", "").split(", ") if name in known]
    return {known[bet] or bet: f"/bet?{urlencode({**given, 'bet': bet})}" for bet in bets}


def save(application: Application, _request: Request, form: dict[str, str]) -> Response:
    """Save the rules. Unless the form asks for saving only, begin a statement on them."""
    studies, path = application.studies, Path("rules") / f"{slug(form.get('name', ''))}.toml"
    mistakes, keys = Mistakes(), dict[str, Any]()
    if not form.get("name", "").strip():
        mistakes.append("name: missing, should be a name for these rules, as pit 3")
    elif path.as_posix() != form.get("was") and (studies.folder / path).exists():
        mistakes.append(f"name: {path} is there already, should be another name; or choose it above to change it")
    with mistakes.gathered():
        refuse_closed(studies, path.as_posix())
    with mistakes.gathered():
        keys |= _keys(studies, path, form)
    mistakes.report()
    Output(path, _KIND, "name").write(rules_text(path, keys).encode())
    form["was"] = path.as_posix()  # if the form appears again, it is about the saved rules
    if form.get("only"):
        return RedirectResponse(f"/rules?rules={path}", 303)
    given = {name: text for name, text in form.items() if name in _OF_STATEMENT} | {"rules": path.as_posix()}
    job = add_job(application, "statement", checked_values(studies, "statement", given))
    return to_job(f"/rules?rules={path}", job)


def _told(studies: Studies, named: str) -> dict[str, str]:
    """The values that a person would type for these rules, which are shipped rules or a file; empty without rules."""
    if not named:
        return {}
    preset = shipped("bounds/houses").get(named)
    told = answers_of(read_toml(preset or studies.folder / studies.file(named, "rules")))
    if told.get("game", "").startswith("../games/"):
        told["game"] = told["game"].removeprefix("../")
    return told


def _fields(told: Form, mistakes: Sequence[str]) -> list[Field]:
    """The fields: one for each question, then one for each further rule."""
    from counting.games import load_game

    game, fields = load_game("ez-baccarat"), []
    for each in QUESTIONS:
        words, _, rest = in_words(each.words).partition("?")
        help = rest.strip() or _HELP.get(each.key, "")
        default = _DEFAULTS.get(each.key, each.default(game))
        fields.append(
            Field(name=each.key, label=f"{words}?", help=help, default=default, usual=_EMPTY.get(each.key, ""))
        )
    for name, (default, note) in MORE.items():
        usual, choices = default.strip('"').replace("false", "no"), ("no", "yes") * (default == "false")
        help = note.removeprefix("true: ")
        fields.append(Field(name=name, label=label_of(name), help=help, choices=choices, usual=usual))
    return [
        replace(
            each,
            help=each.help and f"{each.help[:1].upper()}{each.help[1:].rstrip('.')}.",
            offers=_OFFERS.get(each.name, ""),
            default="" if told and each.name not in told else each.default,
            value=told.get(each.name, ""),
            mistake=mistake_of(each.name, mistakes),
            usual=each.usual and f"Empty: {each.usual}",
        )
        for each in fields
    ]


def _keys(studies: Studies, path: Path, form: Form) -> Mapping[str, Any]:
    """The keys for the file of house rules, from the typed values. Raises `InputError` for all mistakes at once."""
    from counting.games import load_game

    mistakes, keys = Mistakes(), dict[str, Any]()
    for question in QUESTIONS:
        text = form.get(question.key, "").strip()
        if text and question.asked({"side_bets": (), **keys}):
            with mistakes.gathered():
                try:
                    keys |= question.keys(text)
                except ValueError as error:
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
    choices = {"yes": True, "no": False}
    keys |= {name: choices.get(text, text) for name in MORE if (text := form.get(name, "").strip())}
    own = keys.get("title", "")
    if not own or own.endswith("house rules"):
        named = {key: keys[key] for key in ("casino", "table") if keys.get(key)}
        game = load_game(game_file(keys["game"], path))
        keys["title"] = title_of(game, named or {"casino": form.get("name", "").strip()})
    return loaded(keys, path)
