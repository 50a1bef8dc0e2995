"""Random command lines and calls with harmful values. They are made from the definitions of the commands and from the
signatures of the functions."""

from __future__ import annotations

import os

for _variable in ("OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(_variable, "1")

import inspect
import random
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

ROOMS = ("counting.cli", "counting.reports.study", "counting.reports.statement", "counting.reports.vulnerability", "counting.reports.limits",
         "counting.review.review", "counting.reports.audit", "counting.reports.export", "counting.verify.run", "counting.review.synthetic.patrons",
         "counting.sweep.runner", "counting.sweep.result", "counting.bounds.frontiers", "counting.bounds.questions", "counting.bounds.statements", "counting.reports.plots", "counting.chemin")  # fmt: skip

TEXTS = (
    "", " ", "-", "--", "-1", "x", "a\nb", "\x1b[2J", "\u202e", "\u2028", "\udcff", "=1+1", "x" * 3000, "../x", "nan", "inf",
    "1e999", "-inf", "1/0", "0x10", "\u0661\u0662", "1_000", "NULL", "None", "%s", "{0}", "\\", "'", '"', "*", "~", "$HOME", "a,b",
)  # fmt: skip
WHOLES = ("1", "2", "7", "14", "0", "-1", "+1", "01", "52", "416", "417", "65536", str(2**31), str(2**63), str(2**64),
          "9" * 30, "9" * 5000, "1.5", "1e3", " 8", "８")  # fmt: skip
NUMBERS = ("0.5", "0.01", "25", "100", "0", "1", "-1", "1/3", "1/4", "1e-9", "1e300", "1e999", "nan", "inf", "-inf", "1/0", "1:2",
           "0.1234567", "5%", "minimum", "9" * 400)  # fmt: skip
GAMES = ("punto-banco", "ez-baccarat", "louisiana", "punto", "mine.toml", "empty.toml", "binary.toml", "deep.toml", ".",
         "nothing.toml", "pit.toml", "macao", "victoria", "lines.toml", "wide.toml")  # fmt: skip
BETS = ("player", "banker", "tie-8", "tie-9", "dragon-7", "panda-8", "seven-seven-45", "player-pair", "perfect-pair",
        "either-pair", "banker-5", "suited-tie", "dragon7", "all", "king-queen", "one-colour", "first-three")  # fmt: skip
SYSTEMS = ("dragon-7", "panda-8", "dragon-7-level-1", "dragon-7-level-4", "tie-8-level-2", "own.toml", "empty.toml",
           "nothing", "binary.toml")  # fmt: skip
FOLDERS = ("swept", "new", "newer", "new/deep/er", "torn", "unfinished", "letter.txt", "empty.toml", ".", "..", "/", "/proc/none",
           "/dev/null", "nothing", "")  # fmt: skip
LOGS = ("coups.csv", "bets.csv", "empty.toml", "binary.toml", "nothing.csv", "swept", "torn.csv", "/dev/null",
        "swept/manifest.json")  # fmt: skip
SHOES = ("8d", "1d", "8d-7-7-K", "8d-7h-Ks", "r:4,1,3,2,5,0,3,2,4,2,3,1,4", "v:5,3,2,2,4,1,3,2,2,2", "v:0,0,0,0,0,0,0,0,0,6",
         "v:0", "r:" + ",".join(["9" * 12] * 13), "0d", "-1d", "27d", "99999999999d", "8d-" + "7-" * 33 + "7", "8d+7",
         "v:" + ",".join(["1"] * 10), "1d-A-2-3-4-5-6-7-8-9", "d", "8d--7")  # fmt: skip
KNOWN = ("P1=9", "P1=6-9", "B2=?", "P1=", "P9=1", "P1=9 B2=6-9", "P1=9h", "P1=9 P1=8", "=", "5=K", "P1=1-1000000")
CARDS = (
    "6",
    "6:9",
    "6:12:3",
    "7",
    "0",
    "5",
    "61",
    "9:6",
    "6:12:0",
    "7:",
    ":7",
    "416",
    "417",
    "60:60:1",
    "9999",
    "6:9:9999",
)
RULES = ("free", "modern", "punto-banco", "chemin.toml", "empty.toml", "binary.toml", "nothing")

# Values for options, first by the option's name, then by its type in the command. Valid numbers of shoes and samples
# are small.
VALUES: dict[str, tuple[str, ...]] = {
    "--game": GAMES, "--bet": BETS, "--bets": BETS, "--main": BETS, "--system": SYSTEMS, "--out": FOLDERS, "--dir": FOLDERS,
    "--shoe": SHOES, "--known": KNOWN, "--coups": LOGS, "--remove": ("7", "7h", "7 7 K", "x", "7" * 50, "", "7,7"),
    "--figure": ("f.svg", "f.png", "letter.txt/f.svg", "", "swept"), "--cards": CARDS, "--numbers": ("1", "1:3", "8", "0", "13"),
    "--shoes": ("201", "450", "2", "2000", "0", "1", "-1", "1e3", "x", str(10**10), "9" * 30),
    "--samples": ("1000", "1500", "1001", "1200", "0", "999", "-1", str(10**12), "9" * 40), "--fit": ("500", "501", "600", "700", "0", "200", "-1", "9" * 20),
    "--simulate": ("1", "1000", "7", "100", "0", "-1", str(10**13), "9" * 40), "--horizon": ("1", "1000", "10", "400", "0", "100000000", "-1", "9" * 30),
    "--decks": ("1", "2", "6", "8", "0", "-1", "27", "13", "99", "9" * 30, "x"),
    "--cut": ("14", "20", "52", "40", "0", "5", "6", "104", "405", "416", "417", "-1", "9" * 30),
    "--burn": ("none", "first-card", "first", ""), "--after-cut": ("0,0", "1,0", "1,1", "2,2", "2", "9,9", "1,", "-1,0", "x"),
    "--dealing": ("seventh-last", "jacobson", "louisiana-75", "jacob", ""), "--format": ("table", "json", "csv", "xml"),
    "--by": ("bets", "systems", "penetration", "cards-left", "dealing", "x"), "--model": (
        "A1", "A2", "B1", "B2", "B3", "a2", "C9", "", "sit-out", "skip-3", "play-all", "no-entry", "skip-0", "skip-17",
        "play-all:1", "skip-2:minimum", "skip-2:any", "no-entry:x", "skip-" + "9" * 30,
    ),
    "--rules": (*RULES, "pit.toml", "louisiana-45-quarter", "mine.toml"), "--bound": (
        "10/hour", "0.05/shoe", "0.1/100-coups", "0/shoe", "-1/shoe", "1e9/hour", "10", "10/day", "nan/shoe", "", "9" * 60 + "/hour",
    ),
    "--workers": ("1", "2", "3", "4", "0", "-1", "1024", "1025", "9" * 30), "--rows-every": ("1", "7", "2", "100", "0", "-1", str(10**9), "9" * 30),
    "--seed": ("0", "1", "2", "3", "-1", str(2**63), str(2**64 - 1), str(2**64), "9" * 30), "--sees": ("hand", "total", "x"),
    "--bound-covers": ("all", "side", "x"), "--theta": ("0", "1/4", "1", "1/2", "2", "-1", "1/0", "nan"),
    "--commission": ("0", "0.05", "1/20", "1", "2", "-1", "nan", "9" * 40), "--chart": ("D" * 10, "0:D", "x", "5=D", ""),
    "--histogram": ("1", "10", "7", "100", "0", "-1", "1000000", "9" * 30), "--team": ("1", "3", "2", "7", "0", "-1", "9" * 30),
    "--wins": ("1", "3", "2", "7", "0", "-1", "1000", "9" * 30), "--deepest": ("20", "60", "30", "40", "0", "-1", "156", "417", "9" * 30),
    "--cards-left": ("6", "52", "104", "30", "0", "5", "415", "416", "417", "-1", "9" * 30),
}  # fmt: skip
LEFT_OUT = {
    "--cluster",
    "--long",
    "--version",
    "--help",
    "*",
}  # the reasons: needs a cluster's scheduler; takes twenty minutes; prints everything
# Values that a command gets if none was drawn, so that it does not take long.
SHORT = {
    ("sweep",): {"--shoes": "201"}, ("study",): {"--shoes": "201"}, ("vulnerability",): {"--shoes": "201"},
    ("limits",): {"--shoes": "2000", "--deepest": "20"}, ("statement",): {"--shoes": "2000", "--fit": "200"},
    ("verify",): {"--shoes": "x"}, ("census",): {"--cards": "6:8"}, ("estimate",): {"--cards": "60", "--samples": "1000"},
    ("chemin", "decks"): {"--numbers": "1"},
}  # fmt: skip
SELDOM = 0.15  # how often commands that take seconds are chosen, relative to others
ENDLESS = ("app",)  # commands that run until they are ended
PLAYS = ("study", "report", "vulnerability", "limits", "statement", "chemin", "effects", "export")
TAME = 0.6  # the share of command lines with mostly the first four values of an option, most of which are valid
LIKELY = 0.75  # the chance that a value is from its option's list, and not just any text


@cache
def commands() -> dict[tuple[str, ...], list[Any]]:
    """The arguments of every command, as cyclopts defines them, by the words of the command."""
    from counting.cli import app_for

    def within(app: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
        for name in app:
            if not name.startswith("-") and name not in ENDLESS:
                one = app[name]
                if one.default_command is None:
                    yield from within(one, (*words, name))
                else:
                    yield (*words, name), [a for a in one.assemble_argument_collection() if a.names[0] not in LEFT_OUT]

    return dict(within(app_for(), ()))


def a_value(name: str, hint: str, tame: bool, rng: random.Random) -> str:
    own = VALUES.get(name)
    if own is None:
        own = WHOLES if "int" in hint else NUMBERS
    if name == "--bets" and "Path" in hint:
        own = LOGS[1:]
    if name == "--coups" and "int" in hint:
        own = ("100", "2000", "1", "7", "0", "-1", "9" * 30, "1e3")
    if tame:
        return rng.choice(own[:4])
    return rng.choice(
        own if rng.random() < LIKELY or name in ("--shoes", "--samples", "--cards", "--numbers") else TEXTS
    )


def command_line(rng: random.Random) -> list[str]:
    """A random command line: a command with some of its options, in any order. Some options are wrong, occur twice, or
    lack a value."""
    every = commands()
    (words,) = rng.choices(list(every), [SELDOM if words[0] in PLAYS else 1 for words in every])
    front: list[list[str]] = []
    line: list[list[str]] = []
    tame = rng.random() < TAME
    named = set()
    for one in every[words]:
        name, hint = rng.choice(one.names), str(one.hint)
        at_first = "POSITIONAL" in one.field_info.kind.name
        if rng.random() > (0.97 if one.required else 0.22):
            continue
        named.add(one.names[0])
        if "bool" in hint:
            line.append([name])
            continue
        several = rng.choice((1, 1, 2, 3)) if "list" in hint else 1
        values = [a_value(one.names[0], hint, tame and rng.random() < 0.97, rng) for _ in range(several)]
        if at_first and rng.random() < 0.8:
            front.append(values)
        elif rng.random() < 0.1:
            line.append([f"{name}={values[0]}"])
        else:
            line.append([name, *values] if rng.random() < 0.98 else [name])
    line += [[name, value] for name, value in SHORT.get(words, {}).items() if name not in named]
    if words == ("verify",):  # verify takes a minute, so only its options are tried
        line = [one for one in line if one[0].split("=")[0] != "--shoes"] + [
            ["--shoes", rng.choice(("0", "x", "-1", "9" * 20))]
        ]
    chance = rng.random()
    rng.shuffle(line)
    line = front + line
    if tame:
        pass
    elif chance < 0.03:
        line.append([rng.choice(TEXTS)])
    elif chance < 0.05 and line:
        line.append(rng.choice(line))
    elif chance < 0.06:
        line.append([rng.choice(("--help", "--version", "-h", "--", "--nothing"))])
    elif chance < 0.07:
        words = (*words[:-1], rng.choice(TEXTS))
    return [*words, *(word for one in line for word in one)]


# Bets settled by the hands that depend on values, ranks or cards; and bets whose lines depend on too many cards.
LINES = """
[[bets]]
name = "first-three"
pays = [{ player_first_total = 3, banker_third_value = 8, odds = "40:1" }]
[[bets]]
name = "king-queen"
pays = [{ player_first_two = "K Q", odds = "30:1" }, { any = [{ pairs_of_one_rank = true }, { pairs = 2 }], odds = "9:1" }]
[[bets]]
name = "one-colour"
pays = [{ colour = ["red", "black"], odds = "22:1" }, { not = [{ winner = "tie" }, { player_pair = true }], odds = "push" }]
"""
WIDE = """
[[bets]]
name = "numbers"
pays = [{ number_of = { A = 1, 2 = 1, 3 = 1, 4 = 1, 5 = 1, face = [0, 1], red = [0, 3], hearts = 1 }, odds = "2:1" }]
[[bets]]
name = "colours"
pays = [{ any = [{ player_colour = "red" }, { banker_suit = "clubs" }, { number_of = { 9 = 2, face = 3 } }], odds = "2:1" }]
"""


def put_files(folder: Path) -> None:
    """Write the files that command lines and calls name: valid, damaged, empty and foreign files, and complete, damaged
    and unfinished sweeps."""
    import shutil

    from counting import load_game
    from counting.io.toml import shipped
    from counting.review.synthetic import Flat, deal, log_frames
    from counting.simulation import Dealing
    from counting.sweep import Plan, run
    from counting.systems import load_system

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mine.toml").write_text(shipped("games")["punto-banco"].read_text())
    (folder / "own.toml").write_text(shipped("systems")["dragon-7"].read_text())
    (folder / "pit.toml").write_text(
        'title = "Pit"\ngame = "ez-baccarat"\nside_bets = ["dragon-7"]\ncut = 20\nminimum = 25\nmost_bet = 100\n'
    )
    mine = (folder / "mine.toml").read_text()
    (folder / "lines.toml").write_text(mine + LINES)
    (folder / "wide.toml").write_text(mine + WIDE)
    (folder / "empty.toml").touch()
    (folder / "binary.toml").write_bytes(bytes(range(256)))
    (folder / "deep.toml").write_text("a = " + "[" * 5000)
    (folder / "letter.txt").write_text("mine")
    game = load_game("ez-baccarat")
    coups, bets = log_frames(deal(game, Dealing(8), 1, 0, 3), {"a": Flat("dragon-7", 25.0, 0.3)}, game, 1)
    coups.write_csv(folder / "coups.csv")
    bets.write_csv(folder / "bets.csv")
    (folder / "torn.csv").write_bytes((folder / "coups.csv").read_bytes()[:-30] + b'"\xff\0,,,')
    plan = Plan(game, Dealing(), 20, 1, (load_system("dragon-7"),), ("dragon-7", "player"))
    for name in ("swept", "torn", "unfinished"):
        run(plan, folder / name)
    (folder / "unfinished" / "manifest.json").unlink()
    for part in (folder / "torn").glob("ledger/*"):
        part.write_bytes(part.read_bytes()[:-9])
    shutil.rmtree(folder / "torn" / "depth")


# Calls of the functions in the documentation, by the types of their parameters

DOORS = """
exact.many_shoes:edges exact.one_shoe:exact_edges exact.one_shoe:events exact.one_shoe:probabilities
exact.one_shoe:with_replacement exact.one_shoe:edges_after_seeing exact.censuses:census simulation.estimates:estimate
games.game:load_game games.game:Game.bet games.game:Game.also games.game:Game.mains games.game:Game.only
cards:Shoe.decks cards:Shoe.parse cards:Shoe.from_ranks cards:Shoe.from_values cards:Shoe.without cards:rank_of
cards:card_of simulation.dealing:as_after_cut simulation.dealing:Dealing simulation.dealing:Dealing.named simulation.shoes:play
simulation.shoes:play_orders simulation.shoes:arranged simulation.shoes:play_with_replacement sweep.plan:Plan
sweep.runner:run sweep.runner:threads sweep.runner:play_batch sweep.runner:encode_batch sweep.result:open_sweep
sweep.result:Sweep.retally analysis.summary:by_bet analysis.summary:by_system analysis.summary:price
analysis.summary:quantiles analysis.scores:score analysis.scores:results exact.effects:Effects.of
exact.effects:Effects.gain exact.effects:Effects.tags exact.effects:Effects.break_even
exact.effects:Effects.correlation exact.effects:Effects.kept exact.effects:Effects.variance exact.efficiency:exact_gain
exact.efficiency:gain_at_trigger exact.efficiency:perfect_gain exact.efficiency:by_count simulation.simulator:simulate
systems.shipped:load_system systems.shipped:library systems.shipped:counts_for systems.system:System.on
bounds.house_rules:load_house review.synthetic.dealt_table:deal review.synthetic.patrons:Flat
review.synthetic.patrons:Visitor review.synthetic.patrons:Progressive review.synthetic.patrons:Trend
review.synthetic.patrons:Counter review.synthetic.patrons:Sorter review.synthetic.log_of_table:log_frames
simulation.rare_gains:deal_weighted simulation.rare_gains:prove_bound simulation.aims:depths_for simulation.aims:aim_at
bounds.brackets:bracket sweep.bettors:CountingBettor analysis.bankroll:Bankroll bounds.bounds:Bound.parse logs.log:read_log
review.review:audit review.dealing.dealer_errors:dealing_errors reports.export:export exact.known_cards:KnownCards.parse
bounds.counter_models:CounterModel.parse sweep.stakes:Stakes.of bounds.seats:Seat exact.tag_search:best_tags
io.toml:read_toml io.toml:find analysis.penetration:by_penetration reports.effects:profile review.patrons:PatronSettings
chemin:solve chemin:load_rules chemin.macao:load_macao chemin:own_cards chemin.banque:banque chemin:adjusted
chemin:equilibria chemin:BankCourse chemin:BankCourse.lasts chemin:BankCourse.after chemin.macao:best_reply
errors:printable errors:nearest requests:numbers_of io.tables:as_json io.tables:cell io.folders:default_folder
""".split()

SMALL = (0, 1, 2, 3, 5, 6, 8, 9, 14, 20, 52)
BEYOND = (-1, -7, 2**63, 2**64, -(2**63), 10**30, -(10**5000), 10**5000)
REALS = (0.0, 1.0, 0.5, 0.01, -0.5, 2.0, 25.0, 1e-300, 1e308, -1e308, float("nan"), float("inf"), float("-inf"), -0.0)
WRONG = (None, "8", "", b"8", 1.5, float("nan"), [], {}, (), object(), True)
LONG = {"census": {"cards_left": (6, 7)}, "estimate": {"samples": (1000, 1001)}, "weighted": {"shoes": (1000, 1001)},
        "proved": {"compositions": (1000, 1001)}, "bracket": {"shoes": (2, 9, 50), "fitted": (500,)}}  # fmt: skip


@cache
def things() -> dict[str, tuple[Any, ...]]:
    """Valid values of the types that are not plain Python types."""
    from counting import chemin, load_game
    from counting.bounds import Seat
    from counting.cards import Shoe
    from counting.exact import Effects, KnownCards
    from counting.logs import Layout, read_log
    from counting.review import PatronSettings, Rounding, Shifts
    from counting.review.synthetic import Counter, Flat, Sorter, Trend, deal
    from counting.simulation import Dealing, aims
    from counting.sweep import CountingBettor, Plan, Stakes, open_sweep
    from counting.systems import load_system

    games = (load_game("ez-baccarat"), load_game("punto-banco").also(["tie-8"]), load_game("louisiana"))
    shoes = (
        *(Shoe.decks(n) for n in (1, 2, 8)),
        *(Shoe.parse(t) for t in ("v:0,0,0,0,0,0,0,0,0,6", "8d-7h-Ks", "1d-7-7")),
    )
    dealings = (Dealing(1), Dealing(1, 20, "first-card"), Dealing(8, 400), Dealing(27, 1400, "none", (2, 2)))
    systems = tuple(map(load_system, ("dragon-7", "panda-8", "tie-on-7", "dragon-7-level-1")))
    one = Shoe.decks(1)
    sweep, stakes = open_sweep(Path("swept")), Stakes.of(("tie-8",), ("player",))
    log = read_log(Path("coups.csv"), Path("bets.csv"))
    return {
        "Game": games, "Shoe": shoes, "Dealing": dealings, "System": systems, "Sweep": (sweep,), "Log": (log,),
        "Plan": (Plan(games[0], dealings[0], 3), Plan(games[1], dealings[1], 7, 2, keep_rows=0)),
        "Effects": (Effects.of(games[1], "tie-8", one), Effects.of(games[0], "dragon-7", one)),
        "Tableau": (games[0].tableau,), "Layout": (Layout(),), "Stakes": (stakes, Stakes.of(("tie-8",), ())), "PatronSettings": (PatronSettings(),),
        "Seat": (Seat(games[1], dealings[0], stakes, None), Seat(games[1], dealings[1], stakes, 2)),
        "Bettor": (CountingBettor("a", ("tie-8",), "tie-on-7"), CountingBettor("b", ("dragon-7",), "dragon-7", skips=1)), "Aim": (
            aims.aim_at(games[1], aims.Unit("tie-8"), [30], 1),
        ), "Worth": (aims.Unit("tie-8"), aims.Unit("x")), "DealtTable": (deal(games[0], dealings[0], 1, 0, 2),),
        "Patron": (Flat("player", 5.0), Counter("dragon-7", 5.0, systems[0]), Trend(("player",), 1.0), Sorter("tie-9", 1.0)),
        "Solution": (chemin.solve(one, "A1"),), "CheminRules": (chemin.CLASSICAL, chemin.MODERN),
        "Macao": (chemin.macao.load_macao("macao"), chemin.macao.load_macao("victoria")), "BankCourse": (chemin.BankCourse(Fraction(1, 2), Fraction(1, 9), Fraction(2)),),
        "pl.LazyFrame": (sweep.ledger, sweep.tallies[1], sweep.coups), "Executor": (None,), "Progress": (None,),
        "Rounding": (Rounding(Fraction(1, 2)), Rounding(Fraction(1), "patron")), "Shifts": (Shifts(), Shifts((0,))),
        "KnownCards": (KnownCards.parse("P1=9"), KnownCards.parse("B2=6-9")), "dict[str, Any]": (sweep.plan.to_dict(), systems[0].to_dict(), {}),
    }  # fmt: skip


def a_whole(rng: random.Random) -> Any:
    chance = rng.random()
    if chance < 0.6:
        return rng.choice(SMALL)
    if chance < 0.75:
        kind = rng.choice((np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64))
        return kind(rng.choice((*SMALL, np.iinfo(kind).max if kind in (np.int8, np.uint8) else 8)))
    return rng.choice(BEYOND if chance < 0.92 else WRONG)


def an_array(rng: random.Random) -> Any:
    kind = rng.choice((np.int8, np.uint8, np.int32, np.int64, np.uint64, np.float64, np.object_, np.bool_))
    shape = rng.choice(
        ((0,), (10,), (13,), (52,), (1, 10), (2, 13), (3, 52), (0, 10), (2, 0), (1, 416), (2, 10, 2), ())
    )
    made: Any = np.full(shape, rng.choice((0, 1, 4, 8, 30, 127)), kind)
    if made.size and rng.random() < 0.3:
        made.flat[0] = {"f": float("nan"), "i": -1, "u": 255}.get(made.dtype.kind, True)
    return rng.choice(
        (made, made, made[::-1] if shape else made, made.tolist(), made.byteswap().view(made.dtype.newbyteorder()))
    )


def a_thing(kind: str, name: str, rng: random.Random) -> Any:
    """A random value for a parameter with this name and type."""
    kinds = re.split(r" \| (?![^\[]*\])", kind)
    kind = rng.choice(kinds)
    if outer := re.fullmatch(r"(tuple|Sequence|Iterable|list|Collection)\[(.*?)(, \.\.\.|, \w+)?\](?: \| None)?", kind):
        made = [a_thing(outer[2], name, rng) for _ in range(rng.choice((0, 1, 1, 2, 2, 5, 10, 13)))]
        return made if rng.random() < 0.5 else tuple(made)
    if kind in things():
        return rng.choice(things()[kind])
    if "NDArray" in kind or kind in ("ArrayLike", "Tags", "Ints", "Floats"):
        return an_array(rng)
    if kind == "int":
        return a_whole(rng)
    if kind in ("float", "Amount"):
        return rng.choice(REALS) if rng.random() < 0.9 else rng.choice(WRONG)
    if kind == "bool":
        return rng.random() < 0.5
    if kind in ("Fraction", "Decimal"):
        return rng.choice(
            (Fraction(1, 2), Fraction(0), Fraction(-1), Fraction(10**400), Fraction(1, 10**400), Fraction(2), 1, 0.5)
        )
    if kind == "Path":
        return Path(rng.choice((*FOLDERS, *LOGS, "pit.toml")).replace("\0", ""))
    if kind == "None":
        return None
    if kind == "Encode":
        return import_module("counting.sweep.runner").encode_batch
    if kind == "Mapping[str, Patron]":
        return {rng.choice(("a", "", "x" * 99)): rng.choice(things()["Patron"]) for _ in range(rng.choice((0, 1, 2)))}
    if kind == "Mapping[str, Any]":
        return rng.choice(({}, {"game": rng.choice(GAMES)}, {"game": "louisiana", "cut": rng.choice(BEYOND)}, {"x": 1}))
    if kind == "Mapping[str, float]":
        return {rng.choice(SYSTEMS): rng.choice((*REALS, *WRONG)) for _ in range(rng.choice((0, 1, 2)))}
    if kind == "Sequence[Collection[int]]":
        return [[a_whole(rng) for _ in range(2)] for _ in range(rng.choice((0, 1, 3)))]
    if kind in ("str | Sequence[str] | None", "str | Sequence[str]", "str | Iterable[str]"):
        return rng.choice((rng.choice(TOLD.get(name, BETS)), rng.choice(BETS), [rng.choice(BETS)], (), [""]))
    if kind in ("str", "object", "Knows", "Burn", "Any", "Seat"):
        return rng.choice(TEXTS) if rng.random() < 0.2 else rng.choice(TOLD.get(name, TOLD["text"]))
    raise ValueError(f"{name}: no values of the type {kind}")


TOLD = {
    "text": (*SHOES, *KNOWN, *NUMBERS, "10/hour", "skip-3", "1,0", *CARDS), "name_or_path": (*GAMES, *SYSTEMS), "game": GAMES,
    "bet": BETS, "bets": BETS, "names": BETS, "main": BETS, "sides": BETS, "knows": ("value", "rank", "card", "x"), "system": SYSTEMS,
    "model": ("A1", "A2", "B1", "B2", "B3", "x"), "burn": ("none", "first-card", "x"), "sees": ("hand", "total", "x"),
    "card": ("7h", "7", "T", "10", "x"), "cards": ("7 7 K", "7h", "9" * 50), "hand": ("player", "banker", "x"),
    "known": KNOWN, "seat": ("any", "main", "x"), "theta": NUMBERS, "commission": NUMBERS, "version": ("0.1.0", "x"),
    "text, bound": ("10/hour",), "room": ("games", "systems", "houses"), "main_on_count": BETS, "tie_in": NUMBERS,
}  # fmt: skip


def call(rng: random.Random) -> tuple[str, Callable[[], object]]:
    """A random call of a public function: its text, and a function that makes the call."""
    door = rng.choice(DOORS)
    room, _, name = door.partition(":")
    path = name.split(".")
    target: Any = import_module(f"counting.{room}")
    owner = None
    for part in path:
        owner, target = target, getattr(target, part)
    of_object = inspect.isclass(owner) and inspect.isfunction(target)
    given: list[Any] = [rng.choice(things()[path[0]])] if of_object else []
    named: dict[str, Any] = {}
    for one in list(inspect.signature(target).parameters.values())[of_object:]:
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) or one.name in ("executor", "progress", "space", "cache"):
            continue
        if one.default is not one.empty and rng.random() < 0.5 and one.name not in LONG.get(path[-1], {}):
            continue
        own = LONG.get(path[-1], {}).get(one.name)
        value = rng.choice(own) if own and rng.random() < 0.7 else a_thing(str(one.annotation), one.name, rng)
        if own and "Iterable" in str(one.annotation) and isinstance(value, int):
            value = [value]
        if one.kind is one.KEYWORD_ONLY or one.default is not one.empty:
            named[one.name] = value
        else:
            given.append(value)
    words = f"{door}({', '.join([*map(short, given), *(f'{k}={short(v)}' for k, v in named.items())])})"
    return words, lambda: target(*given, **named)


def short(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # a whole number may have too many digits to be printed
        text = "a longer number"
    return text if len(text) < 120 else f"{text[:120]} ..."
