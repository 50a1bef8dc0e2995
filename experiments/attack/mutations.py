"""Plant mistakes in the code: does a test of the same package find each mistake?

The source tree is copied once, with its built kernels. Each mutation is made in the copy, its tests are run until one
fails, and the file is restored. At the end, the tests that failed are run on the unchanged copy; a test that fails
there too has not found the mutation. Prints a line for each mutation: the test that failed, and the CPU seconds until
then, or SURVIVED. With `notes`, the table in `notes.md` is updated. WORD: only mutations whose file or description
contains this word. `--by FILE` runs other tests instead, and does not change the notes.

    python -m experiments.attack.mutations [notes] [WORD ...]
    python -m experiments.attack.mutations --by tests/verify/test_run.py _tally
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
NOTES = Path(__file__).with_name("notes.md")
HEAD = "| file | slip | killed by | CPU, s |\n| --- | --- | --- | --- |\n"
MINUTE = 60
MOST = 600  # the most CPU seconds for the tests of a mutation
_LEFT = shutil.ignore_patterns(".git", "__pycache__", ".*_cache", "build", "*.egg-info")


class Mutation(NamedTuple):
    """A planted mistake. The text `old`, which occurs once in the file, is replaced by `new`. `tests`: the tests to
    run, all in the folder for the file's package."""

    slip: str
    file: str
    old: str
    new: str
    tests: str

    @property
    def folder(self) -> str:
        """The folder of tests for the file's package or, for a module at the root, the file of tests."""
        part = self.file.removeprefix("ext/").split("/")[1]
        return f"tests/test_{part}" if part.endswith(".py") else f"tests/{part}"

    @property
    def row(self) -> str:
        """The first two cells of the mutation's row in the notes."""
        return f"| `{self.file}` | {self.slip} |"


MUTATIONS = tuple(Mutation(*each) for each in (
    # games
    ("Banker's natural ends the coup on a tableau that draws against any natural", "counting/games/tableau.py",
     'self.drawn_on not in ("banker", "both")', 'self.drawn_on != "banker"', "tests/games/test_drawn_on.py"),
    ("a share of 100% of the meter is refused", "counting/games/bets.py",
     "if 0 < share <= 1 else", "if 0 < share < 1 else", "tests/games/test_game.py tests/games/test_catalog.py"),
    ("two successive numbers are named as a range", "counting/games/conditions.py",
     "len(wanted) > 2", "len(wanted) > 1", "tests/games/test_game.py tests/games/test_catalog.py"),
    ("only an 8 is a natural", "counting/games/coup.py",
     "total >= 8 and cards == 2", "total == 8 and cards == 2", "tests/games/test_game.py"),
    ("a stake may not stand for the next coup after a push", "counting/games/bets.py",
     'line.odds.startswith("x") or line.odds == "lose")', 'line.odds.startswith("x") or line.odds in ("push", "lose"))',
     "tests/games/test_game.py tests/games/test_catalog.py"),
    # systems
    ("half a step of an estimate rounds down", "counting/systems/system.py",
     "(2 * cards + step) // (2 * step)", "(2 * cards + step - 1) // (2 * step)", "tests/systems/test_system.py"),
    ("a distance of 0 is not scored as a trigger", "counting/systems/system.py",
     "self.distance_from is None or trigger >= 0", "self.distance_from is None or trigger > 0",
     "tests/systems/test_both_ends.py"),
    ("a count whose pivot is at the highest trigger is taken to drift", "counting/systems/system.py",
     "<= end - (self.distance_from or 0) <= self.scored[-1]", "<= end - (self.distance_from or 0) < self.scored[-1]",
     "tests/systems/test_system.py"),
    ("an estimate of the cards left is at least two steps", "counting/systems/system.py",
     "np.maximum(steps, 1) * step", "np.maximum(steps, 2) * step", "tests/systems/test_system.py"),
    ("the lowest trigger scored is not taken for an end of the range", "counting/systems/system.py",
     "trigger in (self.scored[0], self.scored[-1])", "trigger == self.scored[-1]", "tests/systems"),
    # exact
    ("pairs are counted among all cards but one, instead of all but two", "counting/exact/effects.py",
     "math.comb(full - 2, 2)", "math.comb(full - 1, 2)", "tests/exact/test_effects.py"),
    ("of equally good tags, the tags with the largest squares are chosen", "counting/exact/tag_search.py",
     "sum(cards) * squares - total**2), -squares", "sum(cards) * squares - total**2), squares",
     "tests/exact/test_effects.py"),
    ("a bet that pays exactly the least amount is taken for lost", "counting/exact/next_coup.py",
     "float(pay) >= least", "float(pay) > least", "tests/exact/test_next_coup.py"),
    ("the efficiency beyond a count adds bets at the count's best sum twice", "counting/exact/efficiency.py",
     "np.array(tags) <= most", "np.array(tags) < most", "tests/exact/test_efficiency.py"),
    ("the settling kernel does not carry from the low words", "ext/counting/exact/_settle.pyx",
     "                hi += lo >> 32\n                lo &= LOW\n", "", "tests/exact/test_many_shoes.py"),
    ("a counter at its trigger does not bet", "counting/exact/efficiency.py",
     "edges[reached > system.scored.index(", "edges[reached > 1 + system.scored.index(",
     "tests/exact/test_efficiency.py"),
    ("a break-even count is given even if higher counts are worse", "counting/exact/effects.py",
     "if slope is None or slope <= 0 or", "if slope is None or slope == 0 or", "tests/exact/test_effects.py"),
    # simulation
    ("one coup too many is taken for certain", "counting/simulation/dealing.py",
     "(self.least_undealt - COUP) // COUP + 1)", "self.least_undealt // COUP + 1)", "tests/simulation/test_dealing.py"),
    ("a coup that begins with the cut card is taken for one in progress", "counting/simulation/rare_gains.py",
     "cut + (inside - first) - COUP * inside", "cut - (inside - first) - COUP * inside",
     "tests/simulation/test_rare_gains.py"),
    ("the first burned card is seen with the wrong value", "counting/simulation/rare_gains.py",
     "[b % 10 for b in burned]", "[b - 1 for b in burned]", "tests/simulation/test_rare_gains.py"),
    ("cards missed in the shoe before are still missed in the next", "counting/simulation/shoes.py",
     "self.left + before - before[first]", "self.left + before", "tests/simulation/test_dealing.py"),
    ("the dealing kernel deals one coup too many if a coup begins with the cut card",
     "ext/counting/simulation/_deal.pyx",
     "- (after_inside - after_first)\n                if", "\n                if", "tests/simulation/test_dealing.py"),
    ("a burned ten burns nine cards more, not ten", "counting/simulation/dealing.py",
     "MOST_BURNED = 11", "MOST_BURNED = 10", "tests/simulation/test_dealing.py"),
    ("half of the shoe is not a usual cut", "counting/simulation/dealing.py",
     "half + 1, DECK // 2)", "half, DECK // 2)", "tests/simulation/test_dealing.py"),
    ("errors are divided by the number of shoes, not by this number less one", "counting/simulation/rare_gains.py",
     ".clip(0) / (shoes - 1)", ".clip(0) / shoes", "tests/simulation/test_rare_gains.py"),
    ("the binomials of a tilt have the chance of a card in place of its opposite", "ext/counting/simulation/_tilts.pyx",
     "power *= 1 - chances[v]", "power *= chances[v]", "tests/simulation/test_estimates.py"),
    ("a fit takes the cards of the last value for the shares of the tilts", "counting/simulation/importance.py",
     "np.maximum(sums[:, -1], 1e-9)", "np.maximum(sums[:, -2], 1e-9)", "tests/simulation/test_fits.py"),
    # sweep
    ("the coup of a system's last bet is kept as the coup of its first bet", "ext/counting/sweep/_tally.pyx",
     "cell[t * CELL + FIRST] < run[FIRST]", "cell[t * CELL + FIRST] > run[FIRST]", "tests/sweep/test_tally.py"),
    ("sums of squares by cut are scaled like gains", "ext/counting/sweep/_tally.pyx",
     "llrint(squares[b, row] * scale[1, b])", "llrint(squares[b, row] * scale[0, b])", "tests/sweep/test_tally.py"),
    ("a coup is counted in the spread at the number of cards left after it, not before it",
     "ext/counting/sweep/_tally.pyx",
     "spread[b, cards_left[row] >> FOURS, step]", "spread[b, (cards_left[row] - 4) >> FOURS, step]",
     "tests/sweep/test_spread.py"),
    ("a main bet that stands after a push is lowered to the requirement, not raised to it",
     "ext/counting/sweep/_bettor.pyx",
     "staked[row] == 1 and tie_in > units", "staked[row] == 1 and tie_in < units", "tests/sweep/test_bettors.py"),
    ("the largest main bet must hold the seat, instead of the sum of main bets", "counting/sweep/vertices.py",
     "_at_least(points[:, s:].sum(axis=1), float(kept_up))", "_at_least(points[:, s:].max(axis=1), float(kept_up))",
     "tests/sweep/test_stakes.py"),
    ("the unit of a bettor's gains leaves out the rebate on units staked", "counting/sweep/bettors.py",
     "most += self.loss_rebate * most + self.rebate * (len(self.sides) + on_main)", "most += self.loss_rebate * most",
     "tests/sweep/test_bettors.py"),
    ("a number at the end of a column's range is refused", "counting/sweep/tables.py",
     "return end is not None and side(end, bound)", "return end is not None and (side(end, bound) or end == bound)",
     "tests/sweep/test_runner.py"),
    ("an edge equal to the best odds has no step of the spread", "counting/sweep/spread.py",
     "- LOWEST + 1\n\n\ndef no_coups", "- LOWEST\n\n\ndef no_coups", "tests/sweep/test_spread.py"),
    ("a value below a column's range is accepted", "counting/sweep/tables.py",
     "_beyond(values.min(), column.low, lt)", "_beyond(values.max(), column.low, lt)", "tests/sweep/test_runner.py"),
    ("a coup is counted at the next cut", "counting/sweep/tally.py",
     'np.arange(DECK * scoring.decks + 1), side="right") - 1', 'np.arange(DECK * scoring.decks + 1), side="left")',
     "tests/sweep/test_tally.py"),
    # analysis
    ("of equally good triggers, the lowest is chosen", "counting/analysis/scores.py",
     '.then(pl.col("trigger")).max()', '.then(pl.col("trigger")).min()', "tests/analysis/test_scores.py"),
    ("a net result of 0 counts as being ahead", "counting/analysis/bankroll.py",
     "enough = floor(n / (1 + self.win) + _ROUNDING) + 1", "enough = ceil(n / (1 + self.win) - _ROUNDING)",
     "tests/analysis/test_bankroll.py"),
    ("the first coup is put at the beginning of its place, not in the middle", "counting/analysis/summary.py",
     "(before[-1] - 1) + 0.5", "(before[-1] - 1)", "tests/analysis/test_summary.py"),
    ("errors from parts lack Bessel's correction", "counting/analysis/summary.py",
     "varied((parts / (parts - 1) * spread).sqrt()", "varied(spread.sqrt()", "tests/analysis/test_standard_errors.py"),
    ("a bet that always loses is taken to have a win", "counting/analysis/bankroll.py",
     "if mean <= -1:", "if mean < -1:", "tests/analysis/test_bankroll.py"),
    ("N0 is in hundreds of coups", "counting/analysis/scores.py",
     "variance / (gain / coups) ** 2)", "variance / (100 * gain / coups) ** 2)", "tests/analysis/test_scores.py"),
    ("the sum over cuts leaves out the coups of the cut itself", "counting/analysis/penetration.py",
     "cumsum(axis=0)[::-1][1:]", "cumsum(axis=0)[::-1][:-1]", "tests/analysis/test_penetration.py"),
    # limits
    ("a limit equal to the bound meets it", "counting/bounds/bounds.py",
     "if upper < bound or", "if upper <= bound or", "tests/bounds/test_frontiers.py"),
    ("exactly 1,000 bets are too few for a limit", "counting/bounds/confidence_limits.py",
     "self.bets < least_bets", "self.bets <= least_bets", "tests/bounds/test_confidence_limits.py"),
    ("the win exit is a step too low", "counting/bounds/rebates.py",
     "net[gains[-1] + 1]", "net[gains[-1]]", "tests/bounds/test_rebates.py"),
    ("a largest bet is rounded to the nearest step, not down", "counting/bounds/largest_bets.py",
     "round(floor(bet / step + 1e-9) * step,", "round(round(bet / step) * step,", "tests/bounds/test_frontiers.py"),
    ("independent errors are added, not their squares", "counting/bounds/means.py",
     "sqrt(self.error**2 + error**2)", "(self.error + error)", "tests/bounds/test_means.py"),
    ("a side bet equal to the table's least bet is not allowed", "counting/bounds/theoretical_win.py",
     "allowed < float(table.least_bet)", "allowed <= float(table.least_bet)", "tests/bounds/test_theoretical_win.py"),
    ("a chord that touches the bound is not taken to cross it", "counting/bounds/largest_bets.py",
     "above = [i for i, value in enumerate(money) if value >= bound]",
     "above = [i for i, value in enumerate(money) if value > bound]", "tests/bounds/test_frontiers.py"),
    ("a counter with a seat may skip one coup fewer than allowed", "counting/bounds/seats.py",
     "min(self.most_skipped, MOST_SKIPPED) + 1", "min(self.most_skipped, MOST_SKIPPED)", "tests/bounds/test_seats.py"),
    # audit
    ("a payment that is short by a whole unit is taken for right", "counting/review/dealing/payments.py",
     "bad = (off > 0) | (off <= -step) | unit_off", "bad = (off > 0) | (off < -step) | unit_off",
     "tests/review/test_records.py"),
    ("a coup that begins with six cards is reported as one too many", "counting/review/dealing/shoe_ends.py",
     "(last_cut < dealing.cut) | (undealt < COUP)", "(last_cut < dealing.cut) | (undealt <= COUP)",
     "tests/review/dealing"),
    ("the observed sum is not counted among the sums drawn", "counting/review/significance.py",
     "(large + 1) / (drawn + 1)", "max(large, 1) / drawn", "tests/review/test_significance.py"),
    ("a stake between two coups gets the edge of the coup after it, not before it",
     "counting/review/patrons/permutation_test.py",
     "for i in range(1, places):\n        gap = np.isnan(table[:, i])\n        table[gap, i] = table[gap, i - 1]",
     "for i in range(places - 1, 0, -1):\n        gap = np.isnan(table[:, i - 1])\n"
     "        table[gap, i - 1] = table[gap, i]",
     "tests/review/patrons/test_permutation_test.py"),
    ("the second place of a repeated stretch is numbered from 0", "counting/review/shuffle/repeated_stretches.py",
     "int(place[b]) + 1)", "int(place[b]))", "tests/review/shuffle/test_repeated_stretches.py"),
    ("only a 9 is a natural in runs of coups", "counting/review/shuffle/coolers.py",
     "np.asarray(two >= 8)", "np.asarray(two > 8)", "tests/review/shuffle/test_coolers.py"),
    ("a Poisson number equal to its mean is taken for rare", "counting/review/significance.py",
     "if number <= mean:", "if number < mean:", "tests/review/test_significance.py"),
    ("the e-value of a group is divided by a number that is too small by one", "counting/review/significance.py",
     "patrons == 1, 1, patrons + 1", "patrons == 1, 1, patrons", "tests/review/test_significance.py"),
    ("a fifth card that Banker drew is taken for Player's", "counting/review/winning_streaks.py",
     "np.where(player[2] != NO_CARD, player[2], banker[2])", "player[2]", "tests/review/test_hand_lines.py"),
    ("bets on a repeated coup keep the old number of the coup", "counting/review/repeats.py",
     'coup=pl.col("number").fill_null(pl.col("coup"))', 'coup=pl.col("coup")', "tests/review/test_records.py"),
    ("the edges of a bet are read from the place of the next bet", "counting/review/patrons/kept_edges.py",
     "seek((i - 1) * edges.nbytes)", "seek(i * edges.nbytes)", "tests/review/patrons/test_streamed.py"),
    # chemin
    ("the commission is charged on ties too", "counting/chemin/bank_limits.py",
     "rate * (1 - ties) / 2", "rate * (1 + ties) / 2", "tests/chemin/test_bank_limits.py"),
    ("the two ends of the house's profit are exchanged", "counting/chemin/commission.py",
     "house=(-ends[0][1] - ends[1][1], -ends[0][0] - ends[1][0])",
     "house=(-ends[0][0] - ends[1][0], -ends[0][1] - ends[1][1])", "tests/chemin/test_commission.py"),
    ("a cell with one best move is treated as a cell that mixes", "counting/chemin/commission.py",
     '"<=" if ends == {0} else', '"=" if ends == {0} else', "tests/chemin/test_commission.py"),
    ("the bank pays the commission on ties, with the wrong sign", "counting/chemin/adjust.py",
     "net - a * _at(tied, x)", "net + a * _at(tied, x)", "tests/chemin/test_adjust.py"),
    ("two cards of the same value are counted in two orders", "counting/chemin/certificate.py",
     "n * m * (1 if a == b else 2)", "n * m * 2", "tests/chemin/test_solution.py"),
    ("the bank's side of its score has no commission", "counting/chemin/bank_limits.py",
     "rate.denominator, rate.denominator - rate.numerator", "rate.denominator, rate.denominator",
     "tests/chemin/test_bank_limits.py"),
    # review/winners
    ("a streak goes on over a missing coup", "counting/review/winners/order.py",
     "joined = segment[1:] == segment[:-1]",
     "joined = draw[1:] == draw[:-1]", "tests/review/winners/test_order.py"),
    ("a repeated stretch may go on over a missing coup", "counting/review/winners/order.py",
     "whole = self._segment[:last] == self._segment[coups - 1 :]",
     "whole = self.shoe[:last] == self.shoe[coups - 1 :]", "tests/review/winners/test_order.py"),
    ("blanks are left out even if only marks are logged", "counting/review/winners/features.py",
     "if not only_marks(coups, self.name):",
     "if coups.height:", "tests/review/winners/test_results_review.py"),
    ("a total of 8 on three cards is a natural", "counting/review/winners/features.py",
     "(shown[:, 2:4] == 2)",
     "(shown[:, 2:4] >= 2)", "tests/review/winners/test_results_review.py"),
    ("the chance of a pair counts the first card itself", "counting/review/winners/features.py",
     "(4 * decks - 1) / (DECK",
     "4 * decks / (DECK", "tests/review/winners/test_results_review.py"),
    ("the shoe before may be from another table", "counting/review/winners/results_review.py",
     "np.where(table[1:] == table[:-1], np.arange(len(self.starts) - 1), -1)",
     "np.arange(len(self.starts) - 1)", "tests/review/winners/test_results_review.py"),
    ("a shift begins a minute late", "counting/review/shifts.py",
     'times.fill_null(0).to_numpy(), "right")',
     'times.fill_null(0).to_numpy(), "left")', "tests/review/dealing/test_error_rates.py"),
    ("all shoes are counted together, whatever their number of decks", "counting/review/winners/results_review.py",
     "(self.decks_of == decks) & (sizes > 0)], return_counts",
     "(self.decks_of > 0) & (sizes > 0)], return_counts", "tests/review/winners/test_results_review.py"),
    ("a plan gives each test the whole level", "counting/review/winners/plan.py",
     "for level in (self.level, self.level / self.tests)",
     "for level in (self.level, self.level)", "tests/review/winners/test_results_review.py"),
    ("the last results of a shoe move too", "counting/review/winners/order.py",
     "rng.permuted(codes[:, first : end - IN_PLACE], axis=1, out=codes[:, first : end - IN_PLACE])",
     "rng.permuted(codes[:, first:end], axis=1, out=codes[:, first:end])", "tests/review/winners/test_order.py"),
    # logs
    ("12 p.m. is read as midnight", "counting/logs/fields.py",
     'hour % 12 + 12 * (half == "P") if half', "hour % 12 if half", "tests/logs/test_roads.py"),
    ("a blank line does not begin a shoe", "counting/logs/roads.py",
     "return not line.strip() or _HEADING.match(line) is not None", "return _HEADING.match(line) is not None",
     "tests/logs/test_roads.py"),
    ("shoes with the same name at a table are taken for one", "counting/logs/roads.py",
     'f"{shoe} ({begun[table, shoe]})" if begun[table, shoe] > 1 else shoe', "shoe", "tests/logs/test_roads.py"),
    ("lines within an open quote are joined though one is a row itself", "counting/logs/row_breaks.py",
     "and all(len(each) != width for each in alone)", "and (all(len(each) >= 0 for each in alone))",
     "tests/logs/test_row_breaks.py"),
    ("a row that begins at the end of a piece of the file is not held back", "counting/logs/row_breaks.py",
     "closing - opening <= MOST and not is_last", "closing - opening < 0 and not is_last",
     "tests/logs/test_row_breaks.py"),
    ("a draft may have more coups in a shoe than the decks have cards for", "counting/logs/drafting.py",
     "_MOST_COUPS = 8 * MOST", "_MOST_COUPS = 32 * MOST", "tests/logs/test_exports.py"),
    ("headings in two rows lose the upper row", "counting/logs/heading_rows.py",
     'f"{group} {part}" if group and lower.count(part) > 1 else part', "part", "tests/logs/test_exports.py"),
    ("a row of the log is taken for headings", "counting/logs/heading_rows.py",
     "not _holds_data(row) and _fits_below", "_fits_below", "tests/logs/test_exports.py"),
    ("a group's name may be above its middle", "counting/logs/heading_rows.py",
     "not _in_order(joined) or ", "", "tests/logs/test_exports.py"),
    ("headings in a later row are preferred to the first row's", "counting/logs/heading_rows.py",
     "row.known >= _SURE or (row.tells", "(row.tells", "tests/logs/test_exports.py"),
    ("a total is a lost row", "counting/logs/files.py",
     "return texts.filter(~(is_empty & is_word))", "return texts", "tests/logs/test_exports.py"),
    ("two columns of cards are hands, whatever the drawing rules say", "counting/logs/contents.py",
     "if most < _LAWFUL:", "if not ways:", "tests/logs/test_exports.py"),
    ("a column that changes more often than the shoe names the shoe", "counting/logs/contents.py",
     "(changes ^ begins).sum()", "(begins & ~changes).sum()", "tests/logs/test_exports.py"),
    ("a second currency of bets is read", "counting/logs/fields.py",
     "if not currency or currency ==", "if currency or currency ==", "tests/logs/test_log.py"),
    ("minute 60 is accepted", "counting/logs/fields.py",
     "minute < 60 and second", "minute <= 60 and second", "tests/logs/test_fields.py"),
    ("a number of fourteen digits is read as a float", "counting/logs/fields.py",
     "len(str(whole)) + len(part) < 15", "len(str(whole)) + len(part) < 14", "tests/logs/test_fields.py"),
    ("the place just beyond the end of a list is read", "counting/logs/values.py",
     "if int(part) < len(record) else None", "if int(part) <= len(record) else None",
     "tests/logs/test_values.py"),
    ("a hand is taken for complete although Banker may still draw", "counting/logs/deal_order.py",
     "third = STOOD if len(player) == 2 else values[0][2] or 0", "third = STOOD", "tests/logs/test_layouts.py"),
    ("coup 999 is refused as too large a number", "counting/logs/fields.py",
     "1 <= int(match[1]) - first + 1 <= MOST_COUPS", "1 <= int(match[1]) - first + 1 < MOST_COUPS",
     "tests/logs/test_fields.py"),
    ("a hand of eight cards is refused as too long", "counting/logs/fields.py",
     "if len(codes) > MOST_HAND", "if len(codes) >= MOST_HAND", "tests/logs/test_fields.py tests/logs/test_hands.py"),
    ("an amount of a thousand million is refused as too large", "counting/logs/fields.py",
     "abs(hundredths) <= 100 * MOST_MONEY", "abs(hundredths) < 100 * MOST_MONEY", "tests/logs/test_fields.py"),
    ("the last group of an amount in lakhs may have two digits", "counting/logs/fields.py",
     "[1-9][0-9]?(?:,[0-9]{2}){1,3},[0-9]{3}", "[1-9][0-9]?(?:,[0-9]{2}){1,3},[0-9]{2,3}", "tests/logs/test_fields.py"),
    ("a minus sign behind an amount is ignored", "counting/logs/fields.py",
     '"sign", "inner", "back")', '"sign", "inner")', "tests/logs/test_fields.py"),
    ("a line that begins a shoe has the number of the shoe before", "counting/logs/shoe_lines.py",
     "number = 1 + self", "number = self", "tests/logs/test_chat_logs.py"),
    ("a shoe that begins at one table begins at all tables", "counting/logs/shoe_lines.py",
     "self._begun.get(without_point(table)) or", "", "tests/logs/test_chat_logs.py"),
    ("marks of both hands are read as a win of Player", "counting/logs/patterns.py",
     "tie | (player & banker)", "tie", "tests/logs/test_chat_logs.py"),
    # watch
    ("a coup that is late by exactly one is taken for new", "counting/live/shoes.py",
     '"late" if number < self.last else', '"late" if number < self.last - 1 else', "tests/live/test_watching.py"),
    ("cards burned before a coup are not seen when it begins", "counting/live/shoes.py",
     "dealt.burn if at <= number", "dealt.burn if at < number", "tests/live/test_watching.py"),
    ("a median is taken of only two earlier stakes", "counting/live/shoes.py",
     "number < LEAST_STAKES", "number < LEAST_STAKES - 1", "tests/live/test_watching.py"),
    ("a coup that began later is passed on with one that began earlier", "counting/live/gathering.py",
     "each.first < begun.first", "each.first != begun.first", "tests/live/test_lines.py"),
    ("an edge of 1 without the percent sign is read as 100%", "counting/live/rules.py",
     'and value >= 1 and not number.endswith("%")', 'and value > 1 and not number.endswith("%")',
     "tests/live/test_rules.py"),
    ("a dead game with the number of the last coup is reported as missing", "counting/live/shoes.py",
     "if dead and dead < self.last}", "if dead and dead < self.last - 1}", "tests/live/test_watching.py"),
    ("a patron's first bet is not counted as an earlier bet", "counting/live/judging.py",
     "range(number - 1, -1, -1)", "range(number - 1, 0, -1)", "tests/live/test_watching.py"),
    ("a bet on the last coup is not late", "counting/live/shoes.py",
     "late = number <= self.last if is_late", "late = number < self.last if is_late", "tests/live/test_watching.py"),
    ("a shoe is over as soon as the next shoe has one coup", "counting/live/tables.py",
     "_OVER = 2", "_OVER = 1", "tests/live/test_watching.py"),
    ("a shoe may go on with its last coup a second time", "counting/live/shoes.py",
     "number > last - isinstance(event, StakedBet)", "number >= last - isinstance(event, StakedBet)",
     "tests/live/test_watching.py"),
    ("a shoe that is set aside is forgotten when another name comes", "counting/live/tables.py",
     "_MOST_ASIDE = 3", "_MOST_ASIDE = 1", "tests/live/test_watching.py"),
    ("a shoe that repeats an earlier one is counted as evidence twice", "counting/live/knowing.py",
     "if shoe.again is None and number", "if number", "tests/live/test_knowing.py"),
    ("a shoe of few cards is taken for a repeat of an earlier one", "counting/live/shoes.py",
     "if known < SURELY_AGAIN", "if known < 0", "tests/live/test_watching.py"),
    # reports
    ("an amount exactly 1 from its bound is printed with cents", "counting/reports/numbers.py",
     "abs(value - bound) < 1", "abs(value - bound) <= 1", "tests/reports/test_printed_figures.py"),
    ("an upper limit is rounded down", "counting/reports/numbers.py",
     "return _limit(value, bound, True, currency)", "return _limit(value, bound, False, currency)",
     "tests/reports/test_statement_sentences.py"),
    ("a bound between 0 and a small limit is ignored", "counting/reports/numbers.py",
     "bound is None or not 0 < bound < value", "bound is None or not 0 < value < bound",
     "tests/reports/test_statement_sentences.py"),
    ("a small percentage loses a digit", "counting/reports/bet_facts.py",
     "_SIGNIFICANT - 1 - floor(log10", "_SIGNIFICANT - 2 - floor(log10", "tests/reports/test_bet_facts.py"),
    ("a number is printed to three digits of its error, not two", "counting/reports/numbers.py",
     "digits = 1 - floor(log10(error))", "digits = 2 - floor(log10(error))", "tests/reports/test_printed_figures.py"),
    ("a suit is named in the plural", "counting/reports/bet_facts.py",
     "SUIT_NAMES[suit][:-1]", "SUIT_NAMES[suit]", "tests/reports/test_bet_facts.py"),
    # cli
    ("a range leaves out its last number", "counting/requests/unseen.py",
     "return range(first, last + 1, step)", "return range(first, last, step)", "tests/requests/test_unseen.py"),
    ("a range of one number is refused", "counting/requests/unseen.py",
     "if last < first or step < 1", "if last <= first or step < 1", "tests/requests/test_unseen.py"),
    ("negative shares lose their sign", "counting/cli/options.py",
     'return float(value) * (-1 if text.startswith("-") else 1)', "return float(value)", "tests/cli/test_commands.py"),
    ("0 coups per hour are accepted", "counting/numbers.py",
     "if not 0 < coups <= MOST_MONEY", "if not 0 <= coups <= MOST_MONEY", "tests/test_numbers.py"),
    # io
    ("a tab is not taken for the beginning of a formula", "counting/io/tables.py",
     'tuple(FORMULA + "\\t\\r")', 'tuple(FORMULA + "\\r")', "tests/io"),
    ("an empty file is refused as a file of another kind", "counting/io/outputs.py",
     "if self.path.stat().st_size and not", "if not", "tests/io/test_outputs.py"),
    ("two differing settings are shown as one", "counting/io/folders.py",
     "if len(keys) == 1 and", "if len(keys) <= 2 and", "tests/io/test_folders.py"),
    ("a new line is written behind a line that was cut short", "counting/io/outputs.py",
     'is_torn = file.read() not in (b"", b"\\n")', "is_torn = False", "tests/io/test_folders.py"),
    ("one column too many is printed on a terminal", "counting/io/tables.py",
     "for kept in names) - 2 > width", "for kept in names) - 4 > width", "tests/io/test_narrow_tables.py"),
    # verify
    ("the smallest of many chances is not multiplied by their number", "counting/verify/check.py",
     "min(1.0, len(deviations) * least)", "min(1.0, least)", "tests/verify/test_run.py"),
    ("a chi-square that is too small is not reported", "counting/verify/tails.py",
     "2 * min(below, _gamma_above(freedom / 2, square / 2))", "_gamma_above(freedom / 2, square / 2)",
     "tests/verify/test_tails.py"),
    ("Lentz's continued fraction lacks its first step", "counting/verify/tails.py",
     "for i in range(1, 100_000)", "for i in range(2, 100_000)", "tests/verify/test_tails.py"),
    ("a difference that is not a number is taken for agreement", "counting/verify/check.py",
     "if not abs(difference) <= self.worst:", "if abs(difference) > self.worst:", "tests/verify/test_run.py"),
    ("the check by hand sums the squares of coups, not of bets", "counting/verify/sweep_checks.py",
     "n**2 for n in number.values()", "n**2 for n in dealt.values()", "tests/verify/test_run.py"),
    ("in the check by hand, a coup that begins with the cut card counts as a coup inside which the card comes out",
     "counting/verify/reference.py", "(first if undealt == cut else inside)", "inside", "tests/verify/test_run.py"),
    ("in the check by hand, the cut card comes out in the coup that ends just before it",
     "counting/verify/reference.py", "if undealt - taken < cut:", "if undealt - taken <= cut:",
     "tests/verify/test_run.py"),
))  # fmt: skip


class Result(NamedTuple):
    """The test that failed, empty if none did, and the CPU seconds."""

    killer: str
    seconds: float


class Tree:
    """A copy of the source tree, for one mutation at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "tree"
        shutil.copytree(ROOT, self._folder, ignore=_LEFT)
        self._environment = os.environ | {"PYTHONPATH": str(self._folder), "OPENBLAS_NUM_THREADS": "1"}

    def tried(self, mutation: Mutation, tests: Sequence[str]) -> Result:
        """Run tests on the copy with a mutation, until one fails."""
        source = self._folder / mutation.file
        kept = {file: file.with_name(f"{file.name}.kept") for file in (source, self._module(source))}
        for file, copy in kept.items():
            shutil.copy2(file, copy)
        try:
            source.write_text(source.read_text().replace(mutation.old, mutation.new))
            if source.suffix != ".py":
                self._build(source)
            return self.tested(tests)
        finally:
            for file, copy in kept.items():
                copy.replace(file)

    def _module(self, source: Path) -> Path:
        """The file that is imported: the source file or, for a kernel, the compiled module."""
        if source.suffix == ".py":
            return source
        (module,) = (self._folder / source.relative_to(self._folder / "ext").parent).glob(f"{source.stem}.*.so")
        return module

    def _build(self, source: Path) -> None:
        """Build one kernel, in a separate folder."""
        with TemporaryDirectory() as folder:
            alone, module = Path(folder), self._module(source)
            shutil.copytree(self._folder / "ext", alone / "ext", ignore=shutil.ignore_patterns("*.pyx", "_[a-z]*.c"))
            shutil.copy(source, alone / source.relative_to(self._folder))
            shutil.copy(self._folder / "setup.py", alone)
            shutil.copy(self._folder / "ext/counting/_memoryviews.c", alone / "ext/counting")
            self._run("setup.py", "-q", "build_ext", "--build-lib", "built", of=alone).check_returncode()
            shutil.copy(alone / "built" / module.relative_to(self._folder), module)

    def tested(self, tests: Sequence[str], *options: str) -> Result:
        """Run tests until one fails. Raises `RuntimeError` if they cannot be run."""
        before = _cpu()
        done = self._run("-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *options, *tests)
        failed = re.search(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
        if done.returncode not in (0, 1) or (done.returncode == 1) != bool(failed):
            raise RuntimeError(f"pytest ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return Result(failed[1] if failed else "", _cpu() - before)

    def _run(self, *arguments: str, of: Path | None = None) -> subprocess.CompletedProcess[str]:
        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_CPU, (MOST, MOST))

        command = [sys.executable, *arguments]
        return subprocess.run(
            command, cwd=of or self._folder, env=self._environment, preexec_fn=limit, capture_output=True, text=True,
            check=False,
        )  # fmt: skip


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def tried(mutations: Iterable[Mutation], by: str = "") -> Iterator[tuple[Mutation, Result]]:
    """Try mutations, with their tests or with the tests `by`. Raises `AssertionError` if a test that failed also fails
    on the unchanged tree."""
    killers = []
    with TemporaryDirectory() as folder:
        tree = Tree(Path(folder))
        for mutation in mutations:
            result = tree.tried(mutation, by.split() or mutation.tests.split())
            killers += [result.killer] * bool(result.killer)
            yield mutation, result
        failed = tree.tested([*dict.fromkeys(killers)]).killer if killers else ""
        assert not failed, f"{failed} fails without a mutation"


def note(results: Sequence[tuple[Mutation, Result]]) -> None:
    """Write results into the table of the notes, in the order of the mutations. Other rows are not changed."""
    before, head, rest = NOTES.read_text().partition(HEAD)
    table, blank, after = f"\n{rest}".partition("\n\n")
    held = {mutation.row: row for mutation in MUTATIONS for row in table.splitlines() if row.startswith(mutation.row)}
    held |= {mutation.row: f"{mutation.row} {_killed(result)} | {result.seconds:.0f} |" for mutation, result in results}
    rows = "".join(f"{held[mutation.row]}\n" for mutation in MUTATIONS if mutation.row in held)
    NOTES.write_text(f"{before}{head}{rows}{blank[1:]}{after}")


def _killed(result: Result) -> str:
    name = result.killer.removeprefix("tests/").replace("|", "\\|")
    return f"`{name}`" if name else "SURVIVED"


def main(arguments: list[str]) -> int:
    by = ""
    if arguments[:1] == ["--by"]:
        by, arguments = arguments[1], arguments[2:]
    words = [word for word in arguments if word != "notes"]
    chosen = [each for each in MUTATIONS if not words or any(word in each.row for word in words)]
    results = []
    for mutation, result in tried(chosen, by):
        results.append(result)
        print(f"{mutation.file}, {mutation.slip}: {result.killer or 'SURVIVED'}, {result.seconds:.1f} s", flush=True)
        if "notes" in arguments and not by:
            note([(mutation, result)])
    alive = sum(not result.killer for result in results)
    late = sum(bool(result.killer) and result.seconds > MINUTE for result in results)
    print(f"{len(results)} mutations, {alive} survived, {late} killed after more than {MINUTE} s")
    return int(alive + late > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
