"""The pages of side bets: the catalog, and the editor of pay tables, whose bets are ordinary files of games."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from counting.app.forms import Field, about, unplaced
from counting.app.pay_tables import KIND, MOST_CONDITIONS, MOST_LINES, file_text, form_of_file, game_of, label, lines_of
from counting.app.studies import file_name, slug
from counting.app.views import Answering, Application, Form, of_files
from counting.cards import Shoe
from counting.errors import InputError, Mistakes
from counting.exact import price_shoe
from counting.games import condition_choices, load_game
from counting.io.outputs import Output
from counting.io.toml import shipped
from counting.requests import CalculatorArguments


def catalog(application: Application, request: Request, _form: Form) -> Response:
    """The bets of the catalog in a game, found by words, and the folder's own."""
    from counting.reports.catalog import catalog_rows

    words, game = request.query_params.get("words", ""), request.query_params.get("game", "punto-banco")
    of_files(application.studies, CalculatorArguments, {"game": game})
    rows = catalog_rows(load_game(game))
    texts = [" ".join(row[key] for key in ("bet", "title", "family", "source")).casefold() for row in rows]
    found = [
        row for row, text in zip(rows, texts, strict=True) if all(word in text for word in words.casefold().split())
    ]
    own = [Path(file) for file in application.studies.files("games", ".toml") if KIND.is_one(Path(file))]
    games = application.studies.games()
    return application.show("side_bet.html", found=found, rows=rows, words=words, game=game, games=games, own=own)


def editor(application: Application, request: Request, form: Form) -> Response:
    """A pay table as it is typed, or as its file has it, with its price; saved as a game's file if the form says so."""
    file, saves, games = request.query_params.get("file", ""), form.get("do") == "save", list(shipped("games"))
    kept = form_of_file(application.studies.file(file, "games")) if file and not form else form
    typed = {"game": "punto-banco", "name": "", "title": "", "decks": ""} | {k: v.strip() for k, v in kept.items()}
    typed["name"] = typed["name"] or (slug(typed["title"]) if typed["title"] else "")
    lines, mistakes, priced, chances = lines_of(typed), Mistakes(), None, {}
    with mistakes.gathered():
        if typed["game"] not in games:
            raise InputError(f"game: {typed['game']!a}, should be one of {', '.join(games)}")
        if saves and not typed["name"]:
            raise InputError("name: missing, should be lower case letters and digits with hyphens, as 'lucky-nine'")
        if lines or saves:
            game = game_of({**typed, "name": typed["name"] or "own-bet"})
            bet = game.bets[-1].name
            priced = price_shoe(game, Shoe.decks(game.decks), bets=[bet])
            numbers = [i for i, line in enumerate(lines, 1) if any(line)]
            settled = zip(numbers, priced.game.settlement[bet], strict=True)
            chances = {i: priced.probabilities[event] for i, (event, _) in settled}
            if saves:
                path = Path("games", file_name(f"{bet}.toml"))
                Output(path, KIND, "name:").write(file_text(typed, game).encode())
                return RedirectResponse(f"/side-bet/own?file={quote(path.as_posix())}", 303)
    top = [
        Field(name=name, label=name.capitalize(), kind="text", help=meaning, value=typed[name],
              choices=games if name == "game" else (), needed=name == "game", mistake=about(mistakes, name))
        for name, meaning in _MEANINGS.items()
    ]  # fmt: skip
    by_line = {i: about(mistakes, f"line {i}") for i in range(1, MOST_LINES + 1)}
    left = [each for each in unplaced(mistakes, top) if each not in by_line.values()]
    return application.show(
        "pay_table.html", 400 if saves else 200, top=top, lines=[*lines, ("", [])][:MOST_LINES], by_line=by_line,
        mistakes=left, priced=priced, chances=chances, file=file, choices=condition_choices(), label=label,
        most=MOST_CONDITIONS, called=typed["name"],
        decks=priced and game.decks,
    )  # fmt: skip


_MEANINGS = {
    "title": "What the table calls the bet.",
    "name": "For commands, and of the file: small letters, digits and hyphens; by default made from the title.",
    "game": "How the coups are dealt; the new game has its bets too.",
    "decks": "In the shoe; by default the game's.",
}
GET: Mapping[str, Answering] = {"/side-bet": catalog, "/side-bet/own": editor}
POST: Mapping[str, Answering] = {"/side-bet/own": editor}
