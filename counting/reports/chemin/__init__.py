"""Output of the commands on chemin de fer, banque, macao and Victoria: sentences, tables and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.reports.chemin.apart import apart_data as apart_data
    from counting.reports.chemin.apart import apart_heading as apart_heading
    from counting.reports.chemin.apart import apart_play_rows as apart_play_rows
    from counting.reports.chemin.apart import apart_rows as apart_rows
    from counting.reports.chemin.apart import apart_sentences as apart_sentences
    from counting.reports.chemin.apart import each_alone as each_alone
    from counting.reports.chemin.banque import banque_cells as banque_cells
    from counting.reports.chemin.banque import banque_data as banque_data
    from counting.reports.chemin.banque import banque_heading as banque_heading
    from counting.reports.chemin.banque import banque_rows as banque_rows
    from counting.reports.chemin.banque import banque_sentences as banque_sentences
    from counting.reports.chemin.banque import play_rows as play_rows
    from counting.reports.chemin.banque import together as together
    from counting.reports.chemin.banque import two_cell as two_cell
    from counting.reports.chemin.chemin_de_fer import banker_cell as banker_cell
    from counting.reports.chemin.chemin_de_fer import course_rows as course_rows
    from counting.reports.chemin.chemin_de_fer import folded_rows as folded_rows
    from counting.reports.chemin.chemin_de_fer import heading as heading
    from counting.reports.chemin.chemin_de_fer import mixed_cells as mixed_cells
    from counting.reports.chemin.chemin_de_fer import own_data as own_data
    from counting.reports.chemin.chemin_de_fer import own_rows as own_rows
    from counting.reports.chemin.chemin_de_fer import own_sentence as own_sentence
    from counting.reports.chemin.chemin_de_fer import own_table as own_table
    from counting.reports.chemin.chemin_de_fer import player_cell as player_cell
    from counting.reports.chemin.chemin_de_fer import plays_data as plays_data
    from counting.reports.chemin.chemin_de_fer import sentences as sentences
    from counting.reports.chemin.chemin_de_fer import setting as setting
    from counting.reports.chemin.chemin_de_fer import shoe_text as shoe_text
    from counting.reports.chemin.chemin_de_fer import solution_data as solution_data
    from counting.reports.chemin.chemin_de_fer import strategy_rows as strategy_rows
    from counting.reports.chemin.commission import commission_data as commission_data
    from counting.reports.chemin.commission import commission_sentences as commission_sentences
    from counting.reports.chemin.commission import equilibria_sentences as equilibria_sentences
    from counting.reports.chemin.commission import equilibrium_data as equilibrium_data
    from counting.reports.chemin.comparisons import deck_rows as deck_rows
    from counting.reports.chemin.comparisons import removal_rows as removal_rows
    from counting.reports.chemin.macao import LEGEND as LEGEND
    from counting.reports.chemin.macao import changes as changes
    from counting.reports.chemin.macao import distribution_rows as distribution_rows
    from counting.reports.chemin.macao import headline as headline
    from counting.reports.chemin.macao import macao_data as macao_data
    from counting.reports.chemin.macao import reply_rows as reply_rows
    from counting.reports.chemin.macao import state_rows as state_rows
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "apart": "apart_data apart_heading apart_play_rows apart_rows apart_sentences each_alone",
            "banque": "banque_cells banque_data banque_heading banque_rows banque_sentences play_rows together "
            "two_cell",
            "chemin_de_fer": "banker_cell course_rows folded_rows heading mixed_cells own_data own_rows own_sentence "
            "own_table player_cell plays_data sentences setting shoe_text solution_data strategy_rows",
            "commission": "commission_data commission_sentences equilibria_sentences equilibrium_data",
            "comparisons": "deck_rows removal_rows",
            "macao": "LEGEND changes distribution_rows headline macao_data reply_rows state_rows",
        },
    )
