"""The request for limits: which house rules keep counters under a bound, and what the rules cost."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from counting.errors import InputError, keyword, whole
from counting.io.folders import claimed
from counting.numbers import money, per_hour, positive, share
from counting.requests.answers import Answer, published
from counting.requests.pits import PitArguments, refuse_units
from counting.requests.played import PlayedArguments
from counting.requests.request import (
    Amount,
    Arguments,
    BetNames,
    Cards,
    File,
    GameLike,
    Request,
    Several,
    Whole,
    Written,
    as_whole,
    asked_game,
    exact_text,
    given_bets,
    given_texts,
)
from counting.requests.studies import choices_taken, play

if TYPE_CHECKING:
    from counting.bounds import HouseRules, LimitsAnswer, LimitsQuestion, Patronage
    from counting.requests.hosts import Host
    from counting.sweep import TableLimits
else:
    LimitsAnswer = object


@dataclass(frozen=True, kw_only=True)
class PatronageArguments(Arguments):
    """The ordinary players who bring the theoretical win.

    Parameters
    ----------
    players
        Ordinary players at the table, for the theoretical win.
    average_bet
        The ordinary players' average main bet, in money; by default twice the minimum, or 50 without a minimum.
    average_side_bet
        The ordinary players' average side bet, in money, on every coup and on each side bet.
    """

    players: Whole = 6
    average_bet: Written | None = None
    average_side_bet: Written = "10"

    def patronage(self, minimum: Fraction) -> Patronage:
        """The ordinary players at a table. `minimum`: the table's least main bet."""
        from counting.bounds import Patronage

        main_bet = 2 * minimum or Fraction(50)
        if self.average_bet is not None:
            main_bet = positive(exact_text(self.average_bet), keyword("average_bet"))
        side_bet = positive(exact_text(self.average_side_bet), keyword("average_side_bet"))
        return Patronage(as_whole(self.players, "players"), float(main_bet), float(side_bet))


@dataclass(frozen=True, kw_only=True)
class LimitsRequest(PatronageArguments, PitArguments, PlayedArguments, Request[LimitsAnswer]):
    """Which cut card, main-bet requirement and largest bet keep counters under a bound, and the cheapest of these
    rules.

    The perfect counter knows every edge and makes the best bets within the rules; --system adds counters who know only
    a count. The bound is MET if no counter of the model wins more than the bound (99% confidence), NOT MET if some
    counter does, and otherwise UNDECIDED. Figures are for one table; a counter who moves between K equal tables wins at
    most K times the figure. The cheapest rule gives up the least theoretical win per shoe.

    In place of the game, you can give a file of house rules (see `counting new`). Its rules, side bets and bound are
    used; options override them. The file also decides whether the counter may skip any coup or must hold the seat. Each
    side bet is judged alone; --together judges all side bets at once, as a statement does.

    Example: counting limits louisiana --bet seven-seven-45 --bound 0.05/shoe

    Example: counting limits pit.toml --most-bet 25 50 100 --cut 20

    Parameters
    ----------
    game
        A game's name or the path of a TOML file, of a game or of house rules.
    bet
        Side bets, as dragon-7: from the game or the catalog (see `counting bets`), or written out; by default the side
        bets of the house rules.
    bound
        The most that a counter may win: in units of the side bet as 0.05/shoe or 0.1/100-coups, or in money as 25/hour.
        By default the bound of the house rules.
    tie_in
        Main-bet requirements to compare, as 0 1 2, in units on the main bets for each unit of the side bet; by default
        0 to 8.
    in_force
        The main-bet requirement in force now, in units; by default 0. The costs of other rules are measured from this
        requirement and the cut in force, which is --cut.
    model
        Counters: sit-out (back-counting: any coup may be skipped), play-all (no coup may be skipped), skip-3 (3 coups
        in a row may be skipped; a fourth loses the seat), no-entry (no mid-shoe entry: the counter plays every coup
        until leaving). If the counter does not make the full side bet on a coup, the seat is held by the required main
        bets, or by the minimum if that is more. An ending changes what holds the seat: with play-all:1, one unit; with
        play-all:minimum, the table's minimum; with play-all:any, any bet. By default sit-out, play-all and play-all:1;
        with house rules, the one counter that the rules allow.
    main
        Main bets; by default the game's first bets on Player, Banker and Tie. A system's counter makes the first of
        them.
    most_bet
        The largest allowed side bet, in money, as 100; or several amounts to compare, as 25 50 100: the largest of them
        is in force now. By default there is no largest bet, and minimums do not matter.
    minimum
        The least main bet at the table, in money; by default 0.
    maximum
        The largest main bet at the table, in money.
    least_bet
        The least side bet, in money; by default 1.
    bound_covers
        Which main bets the bound covers. all: main bets up to --maximum. side (the default): main bets no larger than
        the requirement or the minimum.
    side_share
        The largest side bet as a share of the main bets, as 1/4; by default no limit.
    together
        Judge all side bets of the command together, under one requirement.
    missed
        The share of dealt cards that a system's counter misses, as 0.05.
    main_on_count
        The main bet that a system's counter makes together with a side bet; by default the first of --main.
    rebate
        The share of every unit staked that is paid back, as 0.005.
    loss_rebate
        The share of a shoe's net loss that is paid back, as 0.1. The figures then give a lower and an upper limit for a
        perfect counter's win, not one value.
    stand
        After a push, main bets must stay for the next coup.
    coups_per_hour
        Coups per hour at the table, for a bound per hour; by default 70.
    team
        Number of counters at one table.
    deepest
        The largest number of cards behind the cut card to consider, as 104, or decks, as 3d; by default 156.
    out
        The folder for the sweep, the frontier, the page with its figures, and limits.json. The command's default is the
        game's name with -limits; if that folder has limits of another plan, digits are added to the name.
    """

    game: GameLike = field(kw_only=False)
    bet: BetNames | None = None
    bound: str | None = None
    tie_in: Several | None = None
    in_force: Written | None = None
    model: Several | None = None
    main: Several | None = None
    most_bet: Several | None = None
    minimum: Written | None = None
    maximum: Written | None = None
    least_bet: Written | None = None
    bound_covers: Literal["all", "side"] | None = None
    side_share: Written | None = None
    together: bool = False
    missed: Written = "0"
    main_on_count: str | None = None
    rebate: Written | None = None
    loss_rebate: Written | None = None
    stand: bool = False
    coups_per_hour: Amount | None = None
    team: Whole = 1
    deepest: Cards | None = None
    out: File | None = None

    def question(self, host: Host) -> LimitsQuestion:
        """The question for the solver, with all texts read as values."""
        from counting.bounds import house_if_named

        rules = house_if_named(self.game)
        of_house = {} if rules is None else _of_house(rules, self.dealing)
        options = {name: getattr(self, name) for name in self.arguments()}
        given = {name: value for name, value in options.items() if value is not None and value is not False}
        values = _DEFAULTS | of_house | given | {"game": of_house.get("game", self.game)}
        return replace(self, **values)._question(host, rules)

    def _question(self, host: Host, rules: HouseRules | None) -> LimitsQuestion:
        """The question, after the values of the house rules have been put into the request."""
        from counting.bounds import MODELS, Bound, CounterModel, LimitsQuestion, Per, Terms
        from counting.games import units_of

        game = asked_game(self.game, self.commission)  # first, to point out a bet given in place of a game
        for name in ("bet", "bound"):
            if getattr(self, name) is None:
                raise InputError(
                    f"{keyword(name)}: missing, should be given, or GAME should be a file of house rules that has it"
                )
        target = Bound.parse(str(self.bound))
        in_force = exact_text(self.in_force)
        tie_ins = tuple(sorted({units_of(text) for text in (*given_texts(self.tie_in, "tie_in"), in_force)}))
        if self.tie_in is None:
            tie_ins = tuple(sorted({*map(Fraction, range(9)), *tie_ins}))
        models = tuple(dict.fromkeys(map(CounterModel.parse, given_texts(self.model, "model")))) or MODELS
        pit = self.pit()
        refuse_units(pit, target.per, f"a bound per hour, as {keyword('bound')} 25/hour")
        coups_per_hour = per_hour(self.coups_per_hour or 0, keyword("coups_per_hour"))
        table = self._table()
        if rules:
            table = replace(table, main_needed=rules.limits.main_needed, seat=rules.limits.seat)
        amounts = sorted({positive(text, keyword("most_bet")) for text in given_texts(self.most_bet, "most_bet")})
        if target.per is Per.HOUR and not amounts:
            raise InputError(f"{keyword('most_bet')}: missing, should be an amount for a bound in money")
        game, bets = given_bets(self.bet, "bet", game)
        plan = replace(self, commission=None).plan(game, bets, keep_rows=1)
        host.say(*choices_taken(plan.game))
        terms = Terms(
            bets=bets,
            main=plan.game.mains(given_texts(self.main, "main") or None),
            tie_ins=tie_ins,
            models=models,
            together=self.together,
            most_bets=tuple(amounts) or (None,),
            table=table,
            systems=plan.systems,
            missed=share(exact_text(self.missed), keyword("missed")),
            main_on_count=None if self.main_on_count is None else plan.game.mains([self.main_on_count])[0],
            rebate=share(exact_text(self.rebate), keyword("rebate")),
            loss_rebate=share(exact_text(self.loss_rebate), keyword("loss_rebate")),
            stand=self.stand,
        )
        if self.least_bet is not None:
            terms.refuse_least_bet()
        compared: tuple[int, ...] = ()
        if self.deepest is not None:
            cuts = plan.dealing.cuts.tolist()
            last = whole(as_whole(self.deepest, "deepest", "cards"), keyword("deepest"), cuts[0], cuts[-1])
            compared = tuple(cut for cut in cuts if cut <= last)
        return LimitsQuestion(
            plan=plan,
            terms=terms,
            bound=target,
            in_force=float(units_of(in_force)),
            compared=compared,
            coups_per_hour=coups_per_hour,
            team=as_whole(self.team, "team"),
            patronage=self.patronage(table.minimum),
            pit=pit,
        )

    def _table(self) -> TableLimits:
        """The least and the largest bets at the table."""
        from counting.sweep import TableLimits

        minimum = money(exact_text(self.minimum), keyword("minimum"))
        maximum = None if self.maximum is None else positive(exact_text(self.maximum), keyword("maximum"))
        least = Fraction(1) if self.least_bet is None else positive(exact_text(self.least_bet), keyword("least_bet"))
        of_main = None
        if self.side_share is not None:
            of_main = positive(exact_text(self.side_share), keyword("side_share"), read=share)
        table = TableLimits(
            minimum=minimum, maximum=maximum, least_bet=least, side_share=of_main, covers=self.bound_covers or "side"
        )
        if self.bound_covers == "all" and (maximum is None or not self.most_bet):
            lacking = keyword("maximum" if maximum is None else "most_bet")
            what = f"{keyword('bound_covers')} all: needs {lacking}"
            raise InputError(f"{what}: without it the main bets have no largest size in units")
        if maximum is not None and maximum < minimum:
            raise InputError(f"{keyword('maximum')} {self.maximum}: should be the minimum, {self.minimum}, or more")
        return table

    def answered(self, host: Host) -> Answer[LimitsAnswer]:
        from counting.analysis import remarks
        from counting.bounds import answer as judge
        from counting.bounds import held_brackets
        from counting.reports.limits import KIND, report
        from counting.sweep import folder_for

        question = self.question(host)
        plan = question.played
        name = Path(self.game).stem if isinstance(self.game, str | Path) else plan.game.name
        folder = host.folder(self.out, lambda: folder_for(plan, f"{name}-limits", KIND))
        with self.pool(host.say) as pool, claimed(folder, KIND, {}, was="sweep"):
            sweep = play(host, plan, folder / "sweep", pool)
            with host.stage("Bounding counters who hold a seat", after=2) as progress:
                brackets = held_brackets(question, sweep.plan, folder, progress, **pool)
            with host.stage("Working out the limits", "limits", after=2):
                judged = judge(question, sweep, brackets, pool.get("workers"))
            answer = published(
                host,
                folder,
                report(judged, host.command),
                judged,
                partial(claimed, kind=KIND, settings={}, was="sweep"),
                named=("report", "limits"),
            )
        host.say(*remarks(sweep, of_bettors=True))
        return answer


_DEFAULTS: dict[str, Any] = {
    "in_force": "0",
    "minimum": "0",
    "rebate": "0",
    "loss_rebate": "0",
    "bound_covers": "side",
    "coups_per_hour": 70.0,
}


def _of_house(rules: HouseRules, dealing: object) -> dict[str, Any]:
    """The arguments of `LimitsRequest` that house rules give. The cut card, the burn and the coups after the cut card
    are included if no dealing procedure is named."""
    house = rules.house
    if not rules.side_bets:
        raise InputError(
            "side_bets = []: limits compares side bets, should be one or more; a statement takes main bets"
        )
    for name in ("loss_rebate_above", "loss_rebate_over"):
        if getattr(house, name) is not None:
            raise InputError(
                f"{name}: limits supports a rebate on the whole loss of each shoe only, should be left out"
            )
    written = {
        name: None if amount is None else amount.written
        for name in ("minimum", "maximum", "most_bet", "least_bet", "side_share", "rebate", "loss_rebate", "bound")
        for amount in [getattr(house, name)]
    }
    held = f"skip-{house.most_skipped}:any" if house.most_skipped else "no-entry:any"
    dealt = {"cut": house.cut, "burn": house.burn, "after_cut": house.after_cut} if dealing is None else {}
    return {
        **written,
        "game": rules.game,
        "bet": rules.side_bets,
        "main": rules.main or None,
        "in_force": exact_text(rules.limits.tie_in),
        "model": held if house.kept_up else "sit-out",
        "bound_covers": house.covers,
        "coups_per_hour": float(house.coups_per_hour),
        "together": house.together,
        "stand": house.stand,
        "decks": rules.dealing.decks,
        "hours": None if house.hours is None else house.hours.written,
        "tables": house.tables,
        **dealt,
    }
