"""Options that several commands share, and how they become a plan."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from cyclopts import Parameter, Token

from counting.errors import InputError, Mistakes, whole
from counting.numbers import MOST_MONEY, cards, exact, hint, whole_number, without_currency

if TYPE_CHECKING:
    from counting.cards import Shoe
    from counting.games import Game
    from counting.sweep import Plan, Progress, Sweep


def wholes(_: object, tokens: Sequence[Token]) -> list[int]:
    """Whole numbers, as people write them."""
    return [whole_number(token.value) for token in tokens]


def one_whole(kind: object, tokens: Sequence[Token]) -> int:
    return wholes(kind, tokens)[0]


def cuts(_: object, tokens: Sequence[Token]) -> list[int]:
    """Numbers of cards, or of decks: 14, or 1.5d."""
    return [cards(token.value) for token in tokens]


def one_cut(kind: object, tokens: Sequence[Token]) -> int:
    return cuts(kind, tokens)[0]


def _decimal(text: str, what: str, percent: bool = False) -> float:
    value = exact(text.removeprefix("-"), percent)
    if value is None:
        raise ValueError(f"{text!r} should be {what}{hint(text, percent)}")
    return float(value) * (-1 if text.startswith("-") else 1)


def one_amount(_: object, tokens: Sequence[Token]) -> float:
    """A number, or an amount of money with its currency sign."""
    return _decimal(without_currency(tokens[0].value), "a number, as 70, 2.5 or 20,000")


def one_share(_: object, tokens: Sequence[Token]) -> float:
    return _decimal(tokens[0].value, "a share, as 0.05 or 5%", percent=True)


def bet_names(_: object, tokens: Sequence[Token]) -> list[str]:
    """Names of bets, several by commas or one each."""
    return [name for token in tokens for name in map(str.strip, token.value.split(",")) if name]


_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")  # variables of which a browser needs one
Value = TypeVar("Value")
Whole = Annotated[int, Parameter(converter=one_whole)]
Wholes = Annotated[list[int], Parameter(consume_multiple=True, negative="", converter=wholes)]
Cut = Annotated[int, Parameter(converter=one_cut)]
Cuts = Annotated[list[int], Parameter(consume_multiple=True, negative="", converter=cuts)]
Amount = Annotated[float, Parameter(converter=one_amount)]
Share = Annotated[float, Parameter(converter=one_share)]


def values_of(values: Sequence[Value] | None, option: str) -> Sequence[Value]:
    """The values of an option; an option without a value is a mistake."""
    if values is not None and len(values) == 0:
        raise InputError(f"{option}: should be followed by one value or more")
    return values or ()


def numbers_of(text: str, option: str, what: str, example: str) -> range:
    """Numbers of cards or decks: 30, a range 6:40, or in steps 60:200:20; both ends are included."""
    parts = [exact(part) for part in text.split(":")]
    wholes = [int(part) for part in parts if part is not None and part.denominator == 1 and part <= 9999]
    if len(wholes) != len(parts) or len(parts) > 3:
        raise InputError(f"{option} {text}: should be a number of {what}, or a range like {example}")
    first, last, step = wholes[0], wholes[1 % len(wholes)], wholes[2] if len(wholes) == 3 else 1
    if last < first or step < 1:
        raise InputError(f"{option} {text}: should rise, like {example}")
    return range(first, last + 1, step)


def card_numbers(cards: str) -> range:
    """The numbers of `--cards`."""
    return numbers_of(cards, "--cards", "cards", "6:40 or 60:200:20")


def asked_shoe(shoe: str | None, decks: int | None, default: int, most: int | None = None) -> Shoe:
    """The unseen cards by `--shoe` or by `--decks`, `most` at most; by default a full shoe of `default` decks."""
    from counting.cards import Shoe

    if decks is not None and most is not None:
        whole(decks, "decks", 1, most)
    if shoe is not None and decks is not None:
        raise InputError(f"--decks {decks} and --shoe {shoe}: should be one or the other")
    return Shoe.parse(shoe) if shoe is not None else Shoe.decks(default if decks is None else decks)


def shoe_of(game: Game, shoe: str | None, decks: int | None) -> Shoe:
    """The unseen cards of a game by `--shoe` or by `--decks`; by default a full shoe of the game's decks. A shoe
    written as decks and cards removed has these decks."""
    unseen = asked_shoe(shoe, decks, game.decks)
    written = re.match(r"([0-9]+)d", (shoe or "").replace(" ", "").lower())
    game.dealt_from(int(written[1]) if written else decks)
    return unseen


def of_model(shoe: str | None, decks: int | None, model: str) -> Shoe:
    """The unseen cards by `--shoe` or `--decks`; a model that draws with replacement takes neither."""
    from counting.chemin import MODELS

    if model in MODELS and MODELS[model].with_replacement:
        for option, value in (("--shoe", shoe), ("--decks", decks)):
            if value is not None:
                raise InputError(f"{option} {value}: should be left out, model {model} draws with replacement")
    return asked_shoe(shoe, decks, 6)


def per_hour(coups: float) -> float:
    """The coups per hour of `--coups-per-hour`."""
    if not 0 < coups <= MOST_MONEY:
        raise InputError(f"--coups-per-hour {coups:g}: should be more than 0, at most {MOST_MONEY:,}")
    return coups


def _own_files() -> list[str]:
    return sorted(file.name for file in Path().glob("*.toml"))


def known_games(_: object) -> list[str]:
    """For completion: the shipped games, and TOML files here."""
    from counting.io.toml import shipped

    return [*shipped("games"), *_own_files()]


def known_bets(_: object) -> list[str]:
    """For completion: the bets of the catalog and of the shipped games."""
    from counting.games import catalog, load_game
    from counting.io.toml import shipped

    own = [name for game in shipped("games") for name in load_game(game).bet_names]
    return list(dict.fromkeys((*own, *catalog())))


def known_systems(_: object) -> list[str]:
    """For completion: the counts of the library, and TOML files here."""
    from counting.systems import library

    return [*(system.name for system in library()), *_own_files()]


def known_rules(_: object) -> list[str]:
    """For completion: the shipped house rules, and TOML files here."""
    from counting.io.toml import shipped

    return [*shipped("bounds/houses"), *_own_files()]


GameName = Annotated[str, Parameter(completer=known_games)]
BetName = Annotated[str, Parameter(completer=known_bets)]
SystemName = Annotated[str, Parameter(completer=known_systems)]
RulesName = Annotated[str, Parameter(completer=known_rules)]
BETS = Parameter(
    name=("--bet", "--bets"), consume_multiple=True, negative="", converter=bet_names, completer=known_bets
)
SYSTEMS = Parameter(consume_multiple=True, negative="", completer=known_systems)
SEVERAL = Parameter(consume_multiple=True, negative="")
NO_NEGATIVE = Parameter(negative="")
OPEN = Parameter(name="--open", negative="", help="Open the page in the browser.")
SHOE = Parameter(help="The unseen cards, as 6d-7-7-K or v: and ten counts; by default full decks, see --decks.")
DECKS = Parameter(help="Full decks; by default six.")


@contextmanager
def resumable() -> Iterator[None]:
    """For work that is kept as it is done: after Ctrl-C the error line says that the command can be resumed."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt("the same command resumes where it stopped") from None


@Parameter(name="*")
@dataclass
class Shoes:
    """How many shoes are played, and on what."""

    shoes: Annotated[int, Parameter(converter=one_whole, help="Number of shoes.")] = 100_000
    seed: Annotated[
        int, Parameter(converter=one_whole, help="A shoe's cards depend only on the seed and the shoe's number.")
    ] = 1
    workers: Annotated[
        int | None, Parameter(converter=one_whole, help="Threads, by default one per core; they change no result.")
    ] = None
    cluster: Annotated[
        str | None,
        Parameter(
            help="A Dask scheduler's address, tcp://host:8786, to play there instead; the results are identical."
        ),
    ] = None

    @contextmanager
    def pool(self) -> Iterator[dict[str, Any]]:
        """The workers, as arguments of `counting.sweep.run`."""
        if self.cluster is None:
            with resumable():
                yield {"workers": self.workers}
            return
        from counting.cluster import ClusterError, cluster

        if self.workers is not None:
            raise InputError(f"--workers {self.workers} and --cluster {self.cluster}: should be one or the other")
        try:
            with resumable(), cluster(self.cluster, waiting) as (executor, threads):
                yield {"executor": executor, "shared": False, "workers": threads}
        except ClusterError as error:
            raise InputError(
                f"{error}; the same command, with --cluster or without, resumes where it stopped"
            ) from error


@Parameter(name="*")
@dataclass
class Played(Shoes):
    """Options of the commands that play shoes."""

    decks: Annotated[int | None, Parameter(converter=one_whole, help="Decks in the shoe; by default the game's.")] = (
        None
    )
    cut: Annotated[
        int | None, Parameter(converter=one_cut, help="Cards behind the cut card, or decks as 1.5d; by default 14.")
    ] = None
    burn: Annotated[
        str | None,
        Parameter(
            help="none; first-card: the first card is shown, then its value in cards is burned unseen; or a number of "
            "cards, as 3, burned unseen, or 3-shown."
        ),
    ] = None
    after_cut: Annotated[
        str | None,
        Parameter(
            help="Coups dealt after the coup in which the cut card comes out, and after a coup that begins with it: "
            "0,0, 1,0 (the default), 1,1, 2,1 or 2,2."
        ),
    ] = None
    dealing: Annotated[
        str | None,
        Parameter(
            help="A procedure by name: seventh-last (first card burned, 7 cards behind the cut card, after-cut 0,0), "
            "jacobson (first card burned, 14 cards, 1,0) or louisiana-75 (a quarter of the shoe, 1,0). "
            "--cut, --burn and --after-cut override it."
        ),
    ] = None
    system: Annotated[
        list[str] | None,
        SYSTEMS,
        Parameter(help="Counting systems to score: names or TOML files."),
    ] = None

    def plan(
        self,
        game: str,
        bets: Sequence[str] = (),
        keep_rows: int = 1,
        penetration: bool = True,
        spread: bool = False,
    ) -> Plan:
        from counting.games import load_game
        from counting.simulation import Dealing, as_after_cut, preset
        from counting.sweep import Plan, check_size
        from counting.systems import load_system

        mistakes = Mistakes()
        loaded, systems, base, after = None, [], Dealing(), None
        with mistakes.gathered():
            loaded = load_game(game)
        decks = self.decks if self.decks is not None else loaded.decks if loaded else 8
        with mistakes.gathered():
            base = Dealing(decks) if self.dealing is None else preset(self.dealing, decks)
        with mistakes.gathered():
            after = base.after_cut if self.after_cut is None else as_after_cut(self.after_cut)
        with mistakes.gathered():
            dealing = Dealing(
                base.decks,
                base.cut if self.cut is None else self.cut,
                base.burn if self.burn is None else self.burn,
                after or base.after_cut,
            )
        for name in values_of(self.system, "--system"):
            with mistakes.gathered():
                systems.append(load_system(name))
        check_size(self, mistakes)
        mistakes.report()
        assert loaded is not None
        priced = tuple(dict.fromkeys(bets))
        return Plan(
            loaded, dealing, self.shoes, self.seed, tuple(systems), priced, keep_rows, penetration, spread=spread
        )


@contextmanager
def bar(what: str, unit: str = "blocks of shoes", after: float = 0) -> Iterator[Progress | None]:
    """A progress bar with an estimate of the time left, on a terminal only, and if the work takes more than `after`
    seconds."""
    if not sys.stderr.isatty():
        yield None
        return
    import rich.progress
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(f"{unit}, left"),
        TimeRemainingColumn(),
    )
    shown = rich.progress.Progress(*columns, console=Console(stderr=True))
    task = shown.add_task(what, total=None)
    begin = Timer(after, shown.start)
    begin.daemon = True
    begin.start()
    try:
        yield lambda done, total: shown.update(task, completed=done, total=total)
    finally:
        begin.cancel()
        begin.join()
        shown.stop()


def on_disk(needed: int) -> None:
    """Print how much disk space a sweep takes."""
    from counting.sweep import in_bytes

    print(f"about {in_bytes(needed)} on disk", file=sys.stderr)


def refuse_no_page(browse: bool, out: Path | None) -> None:
    """Refuse `--open` where no page is written."""
    if browse and out is None:
        raise InputError("--open: needs --out, the folder for the page")


def note_choices(game: Game) -> None:
    """Print how prices take a game's choices, where what is printed has no heading that says so."""
    if game.tableau.choices:
        print(f"{game.name}{game.tableau.taken}:{game.caveat}", file=sys.stderr)


def remark(sweep: Sweep, of_bettors: bool = False) -> None:
    """Print what is to be said of the starts and triggers of a sweep's counts, or `of_bettors` who use them."""
    from counting.analysis import remarks

    for line in remarks(sweep, of_bettors):
        print(line, file=sys.stderr)


def widen(sweep: Sweep, progress: Progress | None, workers: Mapping[str, Any]) -> Sweep:
    """The sweep with wider triggers, where a count's best one is at an end of those scored; prints which."""
    from counting.analysis import widened

    wider = widened(sweep, progress=progress, **workers)
    for own, other in zip(sweep.plan.systems, wider.plan.systems, strict=True):
        if own != other:
            low, high = other.scored[0], other.scored[-1]
            again = f"scored again at {len(other.scored)} triggers, {low:g} to {high:g}"
            print(f"{own.name}: its best trigger was the lowest or the highest scored; {again}", file=sys.stderr)
    return wider


def in_browser(page: Path, browse: bool) -> None:
    """With `--open`, open a page in the browser; where there is none, print the page's path."""
    if not browse:
        return
    import webbrowser

    has_display = sys.platform in ("darwin", "win32") or any(map(os.environ.get, _DISPLAYS))
    if not (has_display and webbrowser.open(page.resolve().as_uri())):
        print(f"counting: --open: no browser here; the page: {page}", file=sys.stderr)


def waiting(line: str) -> None:
    """Print what a command is waiting for."""
    print(line, file=sys.stderr)


def command(argv: list[str]) -> str:
    """The command line as typed, but for the folders of absolute paths, which say where its user keeps files."""
    import shlex

    parts = [argument.rpartition("=") for argument in argv[1:]]
    return shlex.join(
        ["counting", *(f"{option}{mark}{os.path.basename(value) if os.path.isabs(value) else value}"
                       for option, mark, value in parts)]
    )  # fmt: skip
