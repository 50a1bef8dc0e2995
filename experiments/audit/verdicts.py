"""Tables with eight honest patrons: how many verdicts name one of them.

Eight patrons bet by time, money, results or chance at 15 tables of 200 shoes. Each table is audited, and the sentences
are searched for the names of the patrons. To try another version, put its folder on `PYTHONPATH` and a copy of this
file in it.

    python -m experiments.audit.verdicts
"""

from __future__ import annotations

from counting.reports.audit_text import sentences
from counting.review import PatronSettings, audit
from counting.review.synthetic import Flat, Patron, Progressive, Trend, Visitor, deal, log_frames
from experiments.audit.habits import DRAGON
from experiments.audit.run import DEALING, GAME, LEVEL, SIDE, as_log

TABLES, SHOES, SEED = 15, 200, 8111
HONEST: dict[str, Patron] = {
    "Ada comes late": Visitor(SIDE, 25, 50),
    "Ben comes at first": Visitor(SIDE, 25, 1, 30),
    "Cid hits and runs": DRAGON["stops after a win (hit and run)"],
    "Dan doubles": Progressive("banker", 25, 2, 800),
    "Eve bets when it is due": DRAGON["when it is due"],
    "Fay follows the winner": Trend(("player", "banker", SIDE), 25),
    "Gus bets now and then": Flat(SIDE, 25, 0.3),
    "Hal raises after losses": Progressive(SIDE, 10, 1.3, 400),
}


def named(number: int) -> list[str]:
    """The sentences in the audit of one table that name a patron."""
    table = deal(GAME, DEALING, SEED, number * SHOES, SHOES)
    log = as_log(table, log_frames(table, HONEST, GAME, SEED, "table 1")[1])
    told = sentences(audit(log, GAME, 8, None, PatronSettings(LEVEL, number)))
    return [sentence for sentence in told if any(name in sentence for name in HONEST)]


def main() -> None:
    of_tables = [named(number) for number in range(TABLES)]
    print(f"{sum(map(bool, of_tables))} of {TABLES} verdicts name a patron who does not count")
    for number, told in enumerate(of_tables):
        for sentence in told:
            print(f"table {number}: {sentence}")


if __name__ == "__main__":
    main()
