"""Data flows one way: a room imports only rooms before it."""

import ast
from pathlib import Path

import counting

ROOMS = [
    "version", "errors", "output", "folders", "cards", "cluster", "workers", "config", "coup", "bets", "rules", "forms",
    "counter", "known", "pairs",
    "exact", "export", "reference",
    "systems", "tags", "effects", "shoe", "simulate",
    "stakes", "means", "bounds",
    "frames", "bettors", "tally", "plan", "parts", "swept", "sweep", "penetration",
    "polynomials", "compositions", "estimates", "aims", "rare", "upper", "efficiency", "profile", "summary", "score",
    "bankroll", "seats", "continuation", "brackets", "terms", "limits", "largest_bets", "house",
    "permutations", "remarks", "logfiles", "logs", "conduct", "fits", "unseen", "coming", "arrangements", "follows",
    "foreknown", "staked", "told_by", "tested", "reading", "audit", "patrons",
    "plots", "report", "frontiers", "statement", "audit_words", "audited", "study", "vulnerability", "chance",
    "checks", "trials", "choices", "verify", "verification",
    "options", "verbs_pricing", "verbs_census", "verbs_playing", "verbs_limiting", "verbs_checking", "verbs_chemin",
    "verbs_choices",
    "cli",
]  # fmt: skip
COMPILED = {"_bettors", "_census", "_forms", "_pairs", "_settle", "_deal", "_tally", "_permute", "_coming"}
CHEMIN = [  # a side room, with rooms of its own
    "models", "certificate", "banque_check", "game", "saddle", "optima", "solve", "commission", "adjust", "bank",
    "own", "banque", "words", "beside", "commission_words", "banque_words", "macao", "reply", "punter", "played",
    "macao_words",
]  # fmt: skip
HOME = Path(counting.__file__).parent


def imported(room: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse((HOME / f"{room}.py").read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "counting":
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("counting."):
            names.add(node.module.split(".")[1])
    return names


def test_the_list_of_rooms_is_complete() -> None:
    assert {file.stem for file in HOME.glob("*.py")} == {*ROOMS, "__init__"}


def test_a_room_imports_only_rooms_before_it() -> None:
    for i, room in enumerate(ROOMS):
        aside = {"chemin"} if room in ("choices", "verbs_chemin", "verbs_choices") else set()
        assert imported(room) <= {*ROOMS[:i], *COMPILED, *aside}, room


def test_chemin_de_fer_needs_few_rooms_and_none_needs_it() -> None:
    assert {file.stem for file in (HOME / "chemin").glob("*.py")} == {*CHEMIN, "__init__"}
    for room in CHEMIN:
        assert imported(f"chemin/{room}") <= {
            "errors",
            "cards",
            "config",
            "coup",
            "rules",
            "exact",
            "chemin",
            "_chemin",
        }
    for i, room in enumerate(CHEMIN):
        assert imported_of_chemin(room) <= set(CHEMIN[:i]), room


def imported_of_chemin(room: str) -> set[str]:
    tree = ast.parse((HOME / "chemin" / f"{room}.py").read_text())
    modules = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return {module.split(".")[2] for module in modules if module.startswith("counting.chemin.")}


def test_the_check_of_a_certificate_shares_no_code_with_the_solver() -> None:
    assert imported_of_chemin("certificate") == {"models"}
    assert imported_of_chemin("banque_check") == {"models", "certificate"}


def test_dealt_coups_of_macao_share_no_code_with_its_exact_law() -> None:
    assert imported_of_chemin("played") == {"macao", "reply"}
    assert imported_of_chemin("reply") == {"macao"}


def test_the_twin_shares_no_code_with_the_evaluator() -> None:
    assert imported("reference") == {"bets", "cards", "coup", "rules"}


def test_rooms_up_to_the_dealing_need_no_frames_and_no_figures() -> None:
    for room in ROOMS[: ROOMS.index("frames")]:
        source = (HOME / f"{room}.py").read_text()
        assert "import polars" not in source
        assert "matplotlib" not in source
