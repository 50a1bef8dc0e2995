"""Reads the log of a table, in any layout: finds the layout, reads each line by itself, and reports what could not be
read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.logs.bets import TWICE as TWICE
    from counting.logs.card_words import NOTHING as NOTHING
    from counting.logs.cards import NO_CARD as NO_CARD
    from counting.logs.cards import TEN_OR_FACE as TEN_OR_FACE
    from counting.logs.cards import UNREAD as UNREAD
    from counting.logs.cards import card_name as card_name
    from counting.logs.fields import WINNERS as WINNERS
    from counting.logs.fields import ZERO as ZERO
    from counting.logs.fitting import PLACES as PLACES
    from counting.logs.joined import cards_beside as cards_beside
    from counting.logs.joined import sides as sides
    from counting.logs.layouts import CONSTANT as CONSTANT
    from counting.logs.layouts import DRAFT as DRAFT
    from counting.logs.layouts import LAYOUTS as LAYOUTS
    from counting.logs.layouts import OWN as OWN
    from counting.logs.layouts import CardRows as CardRows
    from counting.logs.layouts import Layout as Layout
    from counting.logs.layouts import load_layout as load_layout
    from counting.logs.layouts import own_layout as own_layout
    from counting.logs.layouts import shipped_layouts as shipped_layouts
    from counting.logs.log import Log as Log
    from counting.logs.log import read_log as read_log
    from counting.logs.remarks import MOST_LISTED as MOST_LISTED
    from counting.logs.remarks import REMARKS as REMARKS
    from counting.logs.rows import BETS as BETS
    from counting.logs.rows import COUPS as COUPS
    from counting.logs.rows import card_codes as card_codes
    from counting.logs.rows import coup_rows as coup_rows
    from counting.logs.rows import decks_by_shoe as decks_by_shoe
    from counting.logs.rows import missing_coups as missing_coups
    from counting.logs.rows import repeated as repeated
    from counting.logs.rows import shoe_numbers as shoe_numbers
    from counting.logs.rows import shoe_starts as shoe_starts
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "bets": "TWICE",
            "card_words": "NOTHING",
            "cards": "NO_CARD TEN_OR_FACE UNREAD card_name",
            "fields": "WINNERS ZERO",
            "joined": "cards_beside sides",
            "layouts": "CONSTANT DRAFT LAYOUTS OWN CardRows Layout load_layout own_layout shipped_layouts",
            "fitting": "PLACES",
            "log": "Log read_log",
            "remarks": "MOST_LISTED REMARKS",
            "rows": "BETS COUPS card_codes coup_rows decks_by_shoe missing_coups repeated shoe_numbers shoe_starts",
        },
    )
