"""The seven subjects of the first screen, and the arguments that each asks for first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Subject:
    """A subject. `wish`: what a person wants to do. `question`: the question behind the wish. `first`: the arguments
    that the form shows at once; the others are under "More rules". `command`: the command behind the subject, if its
    name is not the address."""

    address: str
    wish: str
    question: str
    first: tuple[str, ...] = ()
    command: str = ""

    @property
    def verb(self) -> str:
        """The command whose form and answer the subject shows; empty if the subject has a different page."""
        return self.command or (self.address if self.first else "")


SUBJECTS = (
    Subject(
        "rules",
        "Set a table's rules",
        "What can a counter win under these rules? Which cut card and which largest bet are enough?",
    ),
    Subject(
        "bet",
        "Judge one bet",
        "How exposed is the bet to counting, which count does best, and up to which stake is the bet safe?",
        ("game", "bet", "cut", "burn", "stake", "bound"),
        "vulnerability",
    ),
    Subject("side-bet", "Offer a side bet", "What is the bet's edge, and what is the bet worth to a counter?"),
    Subject(
        "log",
        "Review a log",
        "Was the table dealt and paid by the rules? Does anybody's betting follow the edge?",
        ("game", "decks", "cut", "burn", "level"),
        "audit",
    ),
    Subject(
        "shuffle",
        "Check the shuffle",
        "Were the shoes of a log shuffled at random?",
        ("coups", "bets", "pickup", "decks"),
    ),
    Subject("table", "Watch a table", "What is the edge of every bet now? Alerts come while the table deals."),
    Subject("shoe", "Price a shoe", "What is the edge of every bet at this moment?"),
)
RELATED = (
    Subject(
        "limits",
        "Which limits are enough?",
        "Which cut card, main-bet requirement and largest bet keep counters under a bound? Which of these costs least?",
        ("game", "most_bet", "tie_in", "bound", "bet"),
    ),
    Subject(
        "compare",
        "Compare two sets of rules",
        "What changes for a counter, and how does theoretical win change?",
        ("first", "second", "players", "average_bet"),
    ),
    Subject(
        "study",
        "Study a whole game",
        "Which of the game's bets is most exposed to counting, and when does each bet turn positive?",
        ("game", "cut", "burn", "shoes"),
    ),
    Subject(
        "trip",
        "Judge a patron's result",
        "Is the result unusual, which results are likely, and what does a discount or a chip programme cost?",
        ("game", "bet", "coups", "result", "discount", "dead_chips"),
    ),
    Subject(
        "team",
        "Follow a team of counters",
        "How long does a team need to win a target, if it counts at several tables and calls a player in?",
        ("game", "bet", "target", "tables", "stake", "bankroll", "system"),
    ),
    Subject(
        "sample",
        "Plan a review of dealing",
        "How many coups, and how many hours, does it take to bound a rate of errors or to tell two dealers apart?",
        ("rate", "errors", "compare", "coups_per_hour"),
    ),
    Subject(
        "results",
        "Test results without cards",
        "Do the winners on a board or in a log fit the game's exact chances, by table, dealer and shift?",
        ("game", "coups", "decks", "shifts", "level"),
    ),
    Subject(
        "known",
        "What are known cards worth?",
        "Which bets gain from a card that was seen, from backs that can be read or from a slug? How often, how much?",
        ("game", "bet", "sorted", "slug"),
    ),
)
"""Subjects of the second row."""
BY_ADDRESS = {each.address: each for each in (*SUBJECTS, *RELATED)}
HIDDEN = ("out", "workers", "cluster", "coups_out")
"""Arguments that the application sets, and does not ask for."""
