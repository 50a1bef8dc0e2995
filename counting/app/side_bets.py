"""The pages of side bets: the catalog, and the editor of pay tables. The editor saves a bet as an ordinary file of a
game."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from counting.app.application import Application, Form
from counting.app.archive import refuse_closed
from counting.app.asking import of_files
from counting.app.forms import Field, mistake_of, offers, unplaced
from counting.app.studies import Studies, file_name, slug
from counting.cards import Shoe
from counting.errors import InputError, Mistakes, printable
from counting.exact import price_shoe
from counting.games import Game, condition_choices, condition_value, load_game, odds_of
from counting.io.outputs import Kind, Output
from counting.io.toml import read_toml, shipped
from counting.numbers import exact
from counting.requests import CalculatorArguments

GAMES = tuple(shipped("games"))
MOST_LINES, MOST_CONDITIONS = 25, 8
_ODDS = re.compile(r"[0-9]+:[0-9]+|push|lose")
_HEAD = "# Written by the application's pay table editor, which opens it again unless it was changed by hand.\n"
_REPLACE = "Replace it"
_MEANINGS = {
    "title": "What the table calls the bet.",
    "name": "For commands and the file: small letters, digits and hyphens. By default it is made from the title.",
    "game": "The game sets how coups are dealt, and which other bets there are.",
    "decks": "Decks in the shoe; by default the game's.",
}


def catalog(application: Application, request: Request, _form: Form) -> Response:
    """The page of side bets: the catalog's bets that have the words of a search, priced in a game, and the bets that
    the user wrote."""
    from counting.reports.catalog import catalog_rows

    words, game = request.query_params.get("words", ""), request.query_params.get("game", "punto-banco")
    of_files(application.studies, CalculatorArguments, {"game": game})
    rows = catalog_rows(load_game(game))
    texts = [" ".join(row[key] for key in ("bet", "title", "family", "source")).casefold() for row in rows]
    found = [
        row for row, text in zip(rows, texts, strict=True) if all(word in text for word in words.casefold().split())
    ]
    own = [Path(file) for file in application.studies.files("games", ".toml") if KIND.is_one(Path(file))]
    field = Field(name="game", label="In the game", help=_MEANINGS["game"], offers="games", value=game)
    return application.show(
        "side_bet.html", found=found, rows=rows, words=words, game=field, own=own,
        offers=offers(application.studies, [field]),
    )  # fmt: skip


def editor(application: Application, request: Request, form: Form) -> Response:
    """The page of a pay table, typed or from a file, with its price. The form may ask to save the pay table."""
    file, saves = request.query_params.get("file", ""), form.get("do") in ("save", "replace")
    kept = form_of_file(application.studies.file(file, "games")) if file and not form else form
    typed = {"game": "punto-banco", "name": "", "title": "", "decks": ""} | {k: v.strip() for k, v in kept.items()}
    typed["name"] = typed["name"] or (slug(typed["title"]) if typed["title"] else "")
    lines, mistakes, priced, chances = lines_of(typed), Mistakes(), None, {}
    with mistakes.gathered():
        if saves:
            return RedirectResponse(f"/side-bet/own?file={quote(_saved(application.studies, typed))}", 303)
        if lines:
            game = game_of({**typed, "name": typed["name"] or "own-bet"})
            priced = price_shoe(game, Shoe.decks(game.decks), bets=[game.bets[-1].name])
            (settled,) = priced.game.settlement.values()
            chances = {i: priced.probabilities[event] for i, (event, _) in zip(lines, settled, strict=True)}
    top = [
        Field(name=name, label=name.capitalize(), help=meaning, value=typed[name],
              offers="games" if name == "game" else "", mistake=mistake_of(name, mistakes))
        for name, meaning in _MEANINGS.items()
    ]  # fmt: skip
    return application.show(
        "pay_table.html", 400 if saves else 200, top=top, lines=lines, priced=priced, chances=chances, file=file,
        offers={"games": {name: load_game(name).title for name in GAMES}}, bet=typed["name"],
        choices=condition_choices(), most=MOST_CONDITIONS,
        replace=_REPLACE * any(_REPLACE in each for each in mistakes),
        said={i: mistake_of(f"line {i}", mistakes) for i in range(1, min(max(lines, default=0) + 1, MOST_LINES) + 1)},
        mistakes=[each for each in unplaced(mistakes, top) if not each.startswith("line ")],
    )  # fmt: skip


def _saved(studies: Studies, typed: Form) -> str:
    """Write the game's file, and return its path. If a file with this name has another bet, it is replaced only if the
    form asks for it."""
    if not typed["name"]:
        raise InputError("name: missing, should be lower case letters and digits with hyphens, as 'lucky-nine'")
    game = game_of(typed)
    path = Path("games", file_name(f"{game.name}.toml"))
    refuse_closed(studies, path.as_posix())
    text = file_text(typed, game)
    if KIND.is_one(path) and typed.get("do") != "replace" and path.read_text(encoding="utf-8") != text:
        raise InputError(f"name: {path.as_posix()} is there already, should be another name; or press {_REPLACE}")
    Output(path, KIND, "name:").write(text.encode())
    return path.as_posix()


def lines_of(form: Mapping[str, str]) -> dict[int, tuple[str, list[tuple[str, str]]]]:
    """The lines of a form that are not empty, by their numbers. A line has the odds, and a pair for each condition: its
    key and its words."""
    lines = {}
    for i in range(1, MOST_LINES + 1):
        pairs = [(form.get(f"key-{i}-{j}", ""), form.get(f"value-{i}-{j}", "")) for j in range(1, MOST_CONDITIONS + 1)]
        lines[i] = form.get(f"odds-{i}", ""), [pair for pair in pairs if any(pair)]
    return {i: line for i, line in lines.items() if any(line)}


def game_of(form: Mapping[str, str]) -> Game:
    """The base game with the form's bet added as the last bet. Raises `InputError` with a line for each mistake. A line
    about the pay table begins with "line" and its number in the form."""
    if form["game"] not in GAMES:
        raise InputError(f"game: {form['game']!a}, should be one of {', '.join(GAMES)}")
    lines, mistakes, pays = lines_of(form), Mistakes(), []
    for i, line in lines.items():
        with mistakes.gathered():
            pays.append(_pay(f"line {i}", *line))
    mistakes.report()
    base, name, title, decks = load_game(form["game"]), form["name"], form["title"], form["decks"]
    data = base.to_dict() | {"name": name, "title": f"{base.title} with {title or name}", "tableau": base.name}
    data["decks"] = int(decks) if re.fullmatch("[0-9]{1,3}", decks) else decks or base.decks
    data["bets"].append({"name": name, **({"title": title} if title else {}), "pays": pays})
    try:
        return Game.from_dict(data)
    except InputError as error:
        prefix = rf"({re.escape(name)}: )?(bets {len(data['bets'])}( \({re.escape(printable(name))}\))?[,:] )?"
        said = [re.sub(f"^{prefix}", "", line) for line in str(error).split("\n")]
        numbers = list(lines)
        said = [re.sub("^pays ([0-9]+)[,:]", lambda of: f"line {numbers[int(of[1]) - 1]}:", line) for line in said]
        raise InputError("\n".join(said)) from None


def _pay(line: str, odds: str, conditions: list[tuple[str, str]]) -> dict[str, Any]:
    """A pay table line, as in a file. `line`: its name in error lines."""
    given, odds = odds, odds_of(odds)
    if not _ODDS.fullmatch(odds):
        amount = exact(re.sub("(:| to )1$", "", given))
        meant = f"; did you mean {amount.numerator}:{amount.denominator}?" if amount else ""
        raise InputError(f"{line}: odds {given!r}, should be odds as 40:1, 40 to 1 or 19:20, push or lose{meant}")
    keys = [key for key, _ in conditions]
    for key, words in conditions:
        if key not in condition_choices():
            raise InputError(f"{line}: {words!r}, should have its condition from the list")
        if keys.count(key) > 1:
            raise InputError(f"{line}: {key} occurs twice, should occur once, with several values separated by commas")
    return {**{key: condition_value(key, words) for key, words in conditions}, "odds": odds}


def file_text(form: Mapping[str, str], game: Game) -> str:
    """The text of the file for a form's game."""
    data = game.to_dict() | {"tableau": form["game"]}
    head = [f"{key} = {_toml(value)}\n" for key, value in data.items() if key not in ("name", "bets")]
    bets = ["".join(f"{key} = {_toml(value)}\n" for key, value in bet.items()) for bet in data["bets"]]
    return "".join([_HEAD, *head, *(f"\n[[bets]]\n{bet}" for bet in bets)])


def form_of_file(path: Path) -> dict[str, str]:
    """The form from which a file was written. Raises `InputError` if the editor would not write exactly this file from
    the form."""
    try:
        data = read_toml(path)
        bet = data["bets"][-1]
        form = {
            "game": data["tableau"],
            "decks": str(data["decks"]),
            "name": bet["name"],
            "title": bet.get("title", ""),
        }
        for i, line in enumerate(bet["pays"], 1):
            form[f"odds-{i}"] = line.pop("odds")
            for j, (key, value) in enumerate(line.items(), 1):
                form |= {f"key-{i}-{j}": key, f"value-{i}-{j}": _words(value)}
        if file_text(form, game_of(form)).encode() == path.read_bytes():
            return form
    except (InputError, LookupError, TypeError, AttributeError, ValueError):
        pass
    raise InputError(
        f"{path.as_posix()}: not made by the pay table editor, or changed by hand since, should be edited as a file"
    )


def _is_own(path: Path) -> bool:
    try:
        return bool(form_of_file(path))
    except InputError:
        return False


KIND = Kind("one that the pay table editor wrote and nobody changed", _is_own)


def _words(value: Any) -> str:
    """A condition's value in words, as true, 7,9 or A=2 red=1,3. `condition_value` reads these words."""
    if isinstance(value, bool):
        return str(value).lower()
    pairs = isinstance(value[0], list)
    return " ".join(f"{of}={_words(numbers)}" for of, numbers in value) if pairs else ",".join(map(str, value))


def _toml(value: Any) -> str:
    """A value in TOML. In a list of tables, each table is on a separate line."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_toml(each)}' for key, each in value.items())} }}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "\n".join(["[", *(f"  {_toml(each)}," for each in value), "]"])
    return json.dumps(value, ensure_ascii=False)
