"""What others call the columns of a log: a field for a heading, whatever its case, blanks and hyphens.

A heading is compared without these: `hand_number`, `Hand Number` and `handNumber` are one. In records it may be the end
of a path. What is found so is a guess, which is shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

FIELDS: Mapping[str, str] = {
    "table": "table tbl table_id table_name table_no table_number table_nr table_num tisch mesa tavolo desk pit 桌 桌号 桌號 "
             "台 台号 台號 стол テーブル 테이블 bàn",
    "shoe": "shoe shoe_id shoe_no shoe_num shoe_number shoe_nr shoe_index shoe_count shoe_name boot boot_no boot_num "
            "boot_id boot_number schuh schlitten sabot sabot_no zapato scarpa sapato deck_id 靴 靴号 靴號 靴次 シュー 슈 giày "
            "башмак шуз",
    "coup": "coup coup_no coup_num coup_number coup_id hand hand_no hand_num hand_number hand_nr hand_index hand_id round "
            "round_no round_num round_number round_nr round_index round_id rounds game_no game_num game_number game_nr "
            "game_index game_round game_id deal deal_no deal_num deal_number deal_id play play_no coup_nr spiel_nr "
            "spiel_nummer spiel runde partie manche mano mano_no ronda rodada partita giro 局 局号 局號 局数 局數 回合 口 手 "
            "ゲーム 게임 ván раздача номер game counter seq sequence number num nr no index idx count id",
    "player": "player player_cards player_hand player_card p_cards p_hand p_card player_hand_cards player_card_list punto "
              "punto_cards punter ponto cards_player hand_player player_s_hand player_s_cards spieler spieler_karten "
              "joueur cartes_joueur jugador cartas_jugador giocatore jogador cartas_do_jogador 闲 閒 闲家 閒家 闲牌 閒牌 "
              "プレイヤー プレーヤー 플레이어 игрок p",
    "banker": "banker banker_cards banker_hand banker_card b_cards b_hand b_card banker_hand_cards banker_card_list bank "
              "bank_cards bank_hand banco banco_cards cards_banker hand_banker banker_s_hand banker_s_cards dealer_cards "
              "dealer_hand bank_karten banque cartes_banque banquier banca cartas_banca banqueiro banchiere 庄 莊 庄家 莊家 "
              "庄牌 莊牌 バンカー 뱅커 банк банкир b",
    "cards": "cards card_list all_cards dealt_cards cards_dealt karten cartes cartas carte 牌 カード 카드 карты bài",
    "winner": "winner result outcome win winning_side winning_hand winning_bet win_side who_won game_result round_result "
              "hand_result gewinner ergebnis resultat gagnant vainqueur ganador resultado vincitore risultato vencedor "
              "结果 結果 赢家 贏家 勝者 결과 승자 победитель результат res w",
    "burn": "burn burned burnt burn_cards burned_cards burnt_cards 烧牌 燒牌",
    "player_total": "player_total player_score player_points player_value player_sum p_total p_score p_points p_sum "
                    "p_value punto_total player_hand_value player_hand_total player_hand_score 闲点 閒點 闲点数 閒點數",
    "banker_total": "banker_total banker_score banker_points banker_value banker_sum b_total b_score b_points b_sum "
                    "b_value bank_total bank_score bank_points banker_hand_value banker_hand_total banker_hand_score 庄点 "
                    "莊點 庄点数 莊點數",
    "player_pair": "player_pair p_pair is_player_pair player_has_pair 闲对 閒對",
    "banker_pair": "banker_pair b_pair is_banker_pair bank_pair banker_has_pair 庄对 莊對",
    "decks": "decks num_decks deck_count number_of_decks n_decks",
    "exposed": "exposed exposed_cards",
    "event": "event",
    "dealer": "dealer dealer_name dealer_id croupier croupier_name 荷官 ディーラー 딜러",
}  # fmt: skip
BET_FIELDS: Mapping[str, str] = {
    **{field: FIELDS[field] for field in ("table", "shoe", "coup", "dealer")},
    "patron": "patron patron_id patron_name player player_id player_name customer customer_id customer_name client "
              "client_id guest guest_id member member_id member_no member_number account account_id user user_id "
              "user_name kunde spieler joueur jugador cliente seat seat_no position card_no card_number 客 客户 客戶 玩家 "
              "会员 會員 고객 khách клиент",
    "bet": "bet bet_type bet_name wager wager_type market selection side side_bet bet_on bet_option pari apuesta puntata "
           "aposta 注 注项 投注 베팅 cược ставка spot",
    "amount": "amount stake stakes bet_amount bet_size wager_amount wagered einsatz mise importe monto importo valor value "
              "金额 金額 注额 注額 금액 tiền сумма",
    "won": "won win net net_win net_result payout profit pnl win_loss win_lose gewinn gain ganancia vincita ganho 输赢 輸贏 "
           "결과금액 выигрыш",
}  # fmt: skip
_SIDES = {
    "player": r"(?:players?|pl|p|punto|ponto|spieler|joueur|jugador|giocatore|jogador|闲家?|閒家?|플레이어|プレイヤー|игрок)",
    "banker": r"(?:bankers?|bank|bk|b|banco|banca|banque|banquier|banchiere|庄家?|莊家?|뱅커|バンカー|банкир)",
}
_CARD = r"(?:cards?|c|hand|handcards?|karte|carte|carta|牌|카드|カード|карта)?"
_ORDINALS = {"1": "1|first|1st|one|第一", "2": "2|second|2nd|two|第二", "3": "3|third|3rd|three|draw|extra|第三"}
_RANK = r"(?:rank|r|face|value|val|v|num|number|rang|点|點|点数|數字)"
_SUIT = r"(?:suit|s|suite|kind|colou?r|farbe|couleur|palo|seme|naipe|花色|무늬)"
_MARKS = re.compile(r"[\s_.\-/#:()\[\]]+")


def squeezed(heading: str) -> str:
    """A heading in small letters without blanks, hyphens and the like."""
    return _MARKS.sub("", heading).lower()


@lru_cache(maxsize=2)
def _fields(bets: bool) -> Mapping[str, Mapping[str, int]]:
    """Of each field its headings with their rank, the surest first."""
    fields = BET_FIELDS if bets else FIELDS
    return {field: {squeezed(word): at for at, word in enumerate(words.split())} for field, words in fields.items()}


@lru_cache(maxsize=2)
def synonyms(bets: bool = False) -> frozenset[str]:
    """Every heading that means a field, in small letters, with each mark that may stand between its words."""
    fields = BET_FIELDS if bets else FIELDS
    words = [word for words in fields.values() for word in words.split()]
    if not bets:
        words += [f"{side}_{card}{at}" for side in ("player", "banker", "p", "b", "bank", "punto", "banco")
                  for card in ("card_", "card", "") for at in range(1, 4)]  # fmt: skip
    return frozenset(word.replace("_", mark) for word in words for mark in ("_", "", " ", "-"))


def _ends(heading: str) -> list[str]:
    """How a heading may be compared: whole, and where it is a path by its last parts."""
    parts = heading.split(".")
    return list(dict.fromkeys(squeezed("".join(parts[at:])) for at in range(len(parts))))


def columns_of(field: str, names: Sequence[str], bets: bool = False) -> list[str]:
    """Those of a file's columns that may be a field, the likeliest first."""
    words = _fields(bets).get(field, {})
    ranked = sorted(
        (min(words[end] + 1000 * depth for depth, end in enumerate(_ends(name)) if end in words), at)
        for at, name in enumerate(names) if any(end in words for end in _ends(name))
    )  # fmt: skip
    return [names[at] for _, at in ranked]


def card_columns(hand: str, names: Sequence[str]) -> tuple[str, ...]:
    """The columns of a hand's cards, one or two each: a card, or a rank and a suit with a plus between; none where the
    first two are not there."""
    columns = []
    for ordinal in _ORDINALS.values():
        whole, rank, suit = (
            next((name for name in names if any(pattern.fullmatch(end) for end in _ends(name))), None)
            for pattern in _patterns(hand, ordinal)
        )
        column = f"{rank}+{suit}" if rank is not None and suit is not None else whole or rank
        if column is None:
            break
        columns.append(column)
    return tuple(columns) if len(columns) >= 2 else ()


@lru_cache(maxsize=8)
def _patterns(hand: str, ordinal: str) -> tuple[re.Pattern[str], ...]:
    """Patterns for the heading of a card, of its rank and of its suit."""
    side = _SIDES[hand]
    card = rf"(?:{side}{_CARD}(?:{ordinal}){_CARD}|(?:{ordinal}){side}{_CARD}|{_CARD}(?:{ordinal}){side})"
    return tuple(
        re.compile(text)
        for text in (
            card,
            rf"{card}{_RANK}|{side}{_RANK}(?:{ordinal})|{_RANK}{side}(?:{ordinal})",
            rf"{card}{_SUIT}|{side}{_SUIT}(?:{ordinal})|{_SUIT}{side}(?:{ordinal})",
        )
    )
