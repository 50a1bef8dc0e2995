"""The pages of side bets: the catalog, and the editor of pay tables. A bet of the editor is an ordinary file of a
game."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from counting.app.application import Application, Form
from counting.app.archive import refuse_closed
from counting.app.asking import of_files
from counting.app.forms import Field, mistake_of, unplaced
from counting.app.offered import offers
from counting.app.pay_tables import (
    GAMES,
    KIND,
    MOST_CONDITIONS,
    MOST_LINES,
    file_text,
    form_of_file,
    game_of,
    lines_of,
)
from counting.app.studies import Studies, file_name, slug
from counting.cards import Shoe
from counting.errors import InputError, Mistakes
from counting.exact import price_shoe
from counting.games import condition_choices, load_game
from counting.io.outputs import Output
from counting.requests import CalculatorArguments


def catalog(application: Application, request: Request, _form: Form) -> Response:
    """The catalog's bets in a game that have the words of the search, and the folder's own bets."""
    from counting.reports.catalog import catalog_rows

    words, game = request.query_params.get("words", ""), request.query_params.get("game", "punto-banco")
    of_files(application.studies, CalculatorArguments, {"game": game})
    rows = catalog_rows(load_game(game))
    texts = [" ".join(row[key] for key in ("bet", "title", "family", "source")).casefold() for row in rows]
    found = [
        row for row, text in zip(rows, texts, strict=True) if all(word in text for word in words.casefold().split())
    ]
    own = [Path(file) for file in application.studies.files("games", ".toml") if KIND.is_one(Path(file))]
    field = Field(name="game", label="In the game", kind="game", help=_MEANINGS["game"], offers="games", value=game)
    return application.show(
        "side_bet.html", found=found, rows=rows, words=words, game=field, own=own,
        offers=offers(application.studies, [field]),
    )  # fmt: skip


def editor(application: Application, request: Request, form: Form) -> Response:
    """A pay table, typed or from its file, with its price. It is saved as a game's file if the form asks for it."""
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
        Field(name=name, label=name.capitalize(), kind="text", help=meaning, value=typed[name],
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
    """Write the game's file. Another bet of its name is replaced if the form says so. Returns its path."""
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


_REPLACE = "Replace it"
_MEANINGS = {
    "title": "What the table calls the bet.",
    "name": "For commands, and of the file: small letters, digits and hyphens; by default made from the title.",
    "game": "How coups are dealt, and what else is bet on.",
    "decks": "In the shoe; by default the game's.",
}
