"""Parsers for the fields of a log. A parser turns a text into a value, or into None. It also gives the reason for a
remark, or None."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from counting.cards import MOST_DECKS
from counting.logs.cards import NO_CARD, UNREAD, CardWords, card_code, hand_codes, is_no_card, whole_numbers
from counting.logs.remarks import SKIPPED, Reason, short
from counting.logs.values import without_point
from counting.numbers import MOST_MONEY

Parser = Callable[[str], tuple[object, Reason | None]]

MOST_TEXT = 80
MOST_COUPS = 999
MOST_NUMBER = 10**15  # if coups are numbered anew, the file's numbers are below this
MOST_HAND = 8  # the most cards of a hand
MOST_LISTED_CARDS = 52
ZERO = "zero"  # the kind of remark on a coup numbered 0
NONE = "none"  # the kind of remark on a hand without cards

WINNERS = {
    word: winner
    for winner, words in {
        "player": "player p punto ponte spieler joueur jugador jogador giocatore игрок 闲 閒 闲家 閒家 闲赢 閒贏 "
                  "プレイヤー プレーヤー 플레이어 플 người-chơi",
        "banker": "banker b bank bankier banco banque banca banquier банк банкир 庄 莊 庄家 莊家 庄赢 莊贏 "
                  "バンカー 뱅커 뱅 nhà-cái",
        "tie": "tie t draw egalite egalité égalité empate pareggio unentschieden gleichstand standoff stand-off push "
               "ничья 和 和局 和牌 タイ 타이 무 hòa",
    }.items()
    for word in words.split()
}  # fmt: skip
_TWO_NUMBERS = re.compile(r"[0-9]{1,6}[-/_:][0-9]{1,4}")  # such as 13-41
_SPLIT = (
    "; a shoe and a coup in one field are split by a layout: [file] split = "
    "{ FIELD = '(?P<shoe>[0-9]+)-(?P<coup>[0-9]+)' }, [coups] shoe = 'shoe', coup = 'coup'"
)
_WON = re.compile(r"\b(wins?|won|winner|hand|side|result)\b|[!.:_]")
# Dates: a spreadsheet turns a hand such as 9-3 or 9/3/5 into a date.
_DATE = re.compile(r"(?i)\b(19|20)[0-9]{2}\b|(?<![a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?![a-z])")
_CODES = (
    "USD|EUR|GBP|HKD|MOP|PHP|CNY|RMB|KRW|JPY|AUD|CAD|SGD|THB|VND|CHF|MXN|MYR|NZD|TWD|INR|IDR|KHR|SEK|NOK|DKK|PLN|CZK|"
    "HUF|BRL|ARS|CLP|COP|PEN|ZAR|RUB|TRY|UAH|kr|zł|Kč|Ft"
)
_CURRENCY = rf"(?:[$£¥฿₠-₿＄￡￥￦元円圓원]|[A-Z]{{1,3}}\$|R[sp][.,]?|RM(?![A-Za-z])|(?:{_CODES})(?!\w))"
_CODE = {  # of signs that stand for one currency
    "HK$": "HKD", "US$": "USD", "MOP$": "MOP", "A$": "AUD", "C$": "CAD", "S$": "SGD", "NT$": "TWD", "NZ$": "NZD",
    "R$": "BRL", "€": "EUR", "£": "GBP", "￡": "GBP", "₩": "KRW", "￦": "KRW", "₱": "PHP", "₫": "VND", "฿": "THB",
    "₹": "INR", "₽": "RUB", "RMB": "CNY", "RM": "MYR",
}  # fmt: skip
_MARK = re.compile(_CURRENCY)
_OPEN = frozenset(
    ["", "$", "＄", "¥", "￥", "元", "円", "圓", "원", "kr", "R", "Rs", "Rp"]
)  # signs of several currencies
# A whole number: without groups, in groups of three, or with two digits in each group except the last, as in India.
_GROUPS = r"[0-9]{1,12}|[1-9][0-9]{0,2}(?:[,'_\u2019 \u00a0\u202f][0-9]{3}){1,3}|[1-9][0-9]?(?:,[0-9]{2}){1,3},[0-9]{3}"
_THOUSAND = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2}\.[0-9]{3}(?![0-9.,])")  # ambiguous: thousands, or three decimals
# Amounts with only one meaning: a comma and a point occur, one of them occurs twice, as in 1,000,000, or `,-` ends the
# amount.
_COMMA_LAST = re.compile(
    r"(?<![0-9.,])(?:[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{1,2}|[0-9]{1,3}(?:\.[0-9]{3}){2,3}|[0-9.]{1,15},-{1,2})(?![0-9.,])"
)
_POINT_LAST = re.compile(
    r"(?<![0-9.,])[0-9]{1,3}(?:(?:,[0-9]{2,3})*,[0-9]{3}\.[0-9]{1,2}|(?:,[0-9]{2,3})+,[0-9]{3})(?![0-9.,])"
)
_MONEY = re.compile(
    rf"(?P<sign>[+-]?)\s?(?:{_CURRENCY}\s?)?(?P<inner>[+-]?)(?P<whole>{_GROUPS})"
    rf"(?:\.(?P<part>[0-9]+)|\.-{{1,2}}|[eE]\+?(?P<power>[0-9]{{1,2}}))?(?P<back>\s?-)?(?:\s?{_CURRENCY})?"
)
_CLOCK = re.compile(
    r"(?:[^:]*[ T])?([0-9]{1,2}):([0-9]{2})(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?\s?(?:([AaPp])\.?[Mm]\.?)?"
    r"\s?(?:Z|UTC|[+-][0-9]{2}:?[0-9]{2})?"
)
_LOST = re.compile(rf"(?:{_CURRENCY}\s?)?\((.*)\)")
_SHORTENED = re.compile(r"(?i)[0-9]\s?([km]|mio|mln|[.,][0-9]+e\+?[0-9]+)\b")  # an amount such as 1.5k


def name(text: str) -> tuple[str | None, Reason | None]:
    """The name of a table, shoe or patron. Spreadsheets write a whole number as 3.0; this becomes 3."""
    if 1 <= len(text) <= MOST_TEXT and text.isprintable():
        return without_point(text), None
    return None, Reason("name", f"should be 1 to {MOST_TEXT} printable characters; {SKIPPED}")


def dealer(text: str) -> tuple[str | None, Reason | None]:
    """The dealer's name; None if it is not logged."""
    named, wrong = name(text) if text else (None, None)
    return named, wrong and Reason(wrong.kind, f"should be 1 to {MOST_TEXT} printable characters; read as not logged")


def clock(text: str) -> tuple[int | None, Reason | None]:
    """The minute of the day, 0 to 1439, of a time such as 21:04 or 9:04:30 PM, with or without a date. None for a
    number, which may be seconds since some date."""
    if not text or re.fullmatch(r"[0-9]{5,15}(\.[0-9]{1,9})?", text):
        return None, None
    match = _CLOCK.fullmatch(text) if len(text) <= MOST_TEXT else None
    if match:
        hour, minute, half = int(match[1]), int(match[2]), (match[3] or "").upper()
        if minute < 60 and (1 <= hour <= 12 if half else hour < 24):
            return (hour % 12 + 12 * (half == "P") if half else hour) * 60 + minute, None
    return None, Reason("time", "should be a time as 21:04:30 or 2026-03-01 21:04:30; read as not logged")


def bet(names: Mapping[str, str]) -> Parser:
    """A parser for the names of bets. `names`: the game's word for each of the log's words."""

    def parse(text: str) -> tuple[str | None, Reason | None]:
        plain = names.get(text) or "-".join(text.lower().split())
        return name(plain if plain.isascii() else WINNERS.get(plain, plain))

    return parse


def coup_number(first: int) -> Parser:
    """A parser for the numbers of coups. The first coup of a shoe has the number `first` in the file, and gets the
    number 1."""

    def parse(text: str) -> tuple[int | None, Reason | None]:
        match = re.fullmatch(r"0{0,9}([0-9]{1,3})(\.0{1,9})?", text)  # spreadsheets write 3.0
        if match and 1 <= int(match[1]) - first + 1 <= MOST_COUPS:
            return int(match[1]) - first + 1, None
        kind = ZERO if re.fullmatch(r"0+(\.0+)?", text) else "number"
        two = _SPLIT * bool(_TWO_NUMBERS.fullmatch(text) and kind != ZERO)
        return None, Reason(kind, f"should be a whole number from {first} to {MOST_COUPS + first - 1}{two}; {SKIPPED}")

    return parse


def running_number(text: str) -> tuple[int | None, Reason | None]:
    """A whole number of at most 15 digits, such as a coup's number that runs on from shoe to shoe."""
    match = re.fullmatch(r"([0-9]{1,15})(\.0{1,9})?", text)
    if match:
        return int(match[1]), None
    return None, Reason("number", f"should be a whole number below {MOST_NUMBER:,}; {SKIPPED}")


def time_of_day(text: str) -> tuple[int | None, Reason | None]:
    """A number that rises with the time, as long as the texts have the same form. The text is a clock time, with or
    without a date, or a count such as Unix seconds."""
    match = re.fullmatch(
        r"(?:([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})[ T])?([0-9]{1,2}):([0-9]{2})"
        r"(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?",
        text,
    )
    if match:
        year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
        if month <= 12 and day <= 31 and hour < 24 and minute < 60 and second < 61:
            days = (year * 13 + month) * 32 + day  # not the true number of days; it only has to rise with the date
            micro = int((match[7] or "").ljust(6, "0")[:6])
            return (((days * 24 + hour) * 60 + minute) * 61 + second) * 10**6 + micro, None
    if re.fullmatch(r"[0-9]{5,15}(\.0{1,9})?", text):
        return int(text.partition(".")[0]), None
    return None, Reason("time", f"should be a time as 21:04:30 or 2026-03-01 21:04:30; {SKIPPED}")


def money(sign: bool, comma: bool, lost: str = SKIPPED, thousands: bool = False) -> Parser:
    """A parser for amounts, in hundredths. `sign`: an amount may be 0 or negative, or empty. `comma`: the decimal sign
    is a comma. `thousands`: a point may separate thousands; 1.000 is then ambiguous and is not read. `lost`: how a
    remark ends, such as "line skipped". An amount in another currency than the first amount with one is not read."""
    second = _second_currency(lost)

    def parse(text: str) -> tuple[int | None, Reason | None]:
        if not text and sign:
            return None, None
        if other := second(text):
            return None, other
        by_comma = _by_comma(text, comma)
        open_point = thousands and not by_comma and _THOUSAND.search(text) is not None
        hundredths = None if open_point else _hundredths(text, by_comma)
        if hundredths is not None and abs(hundredths) <= 100 * MOST_MONEY and (sign or hundredths > 0):
            return hundredths, None
        what = f"an amount from -{MOST_MONEY:,}" if sign else "a positive amount"
        return None, Reason(
            "amount", f"should be {what} to {MOST_MONEY:,} as 25 or 12.50{_hint(text, open_point)}; {lost}"
        )

    return parse


def one_currency() -> Parser:
    """A parser for the currency of an amount, by its code or sign. Only the first currency is read. Other words, such
    as the name of a currency, are read as they are."""
    second = _second_currency(SKIPPED)

    def parse(text: str) -> tuple[str | None, Reason | None]:
        reason = second(text.upper())
        return (text if reason is None else None), reason

    return parse


def _second_currency(lost: str) -> Callable[[str], Reason | None]:
    """A function that gives a reason for a text in another currency than the first text with a currency."""
    first: dict[str, str] = {}  # the currency of the first text that has one

    def reason(text: str) -> Reason | None:
        currency = _currency(text)
        if not currency or currency == first.setdefault("currency", currency):
            return None
        before = f"{currency} after amounts in {first['currency']}"
        return Reason("currency", f"{before}, should be in one currency, as amounts are added up; {lost}")

    return reason


def _currency(text: str) -> str:
    """The currency of an amount, by its code; empty if the amount has none, or a sign of several currencies."""
    mark = _MARK.search(text)
    sign = mark[0].rstrip(".,") if mark else ""
    return "" if sign in _OPEN else _CODE.get(sign, sign)


def _by_comma(text: str, comma: bool) -> bool:
    """Whether a comma is the decimal sign of this amount. The amount may decide this itself, as 1.000,50 does.
    Otherwise the file's decimal sign, given by `comma`, decides."""
    return _COMMA_LAST.search(text) is not None or (comma and _POINT_LAST.search(text) is None)


def _hint(text: str, open_point: bool) -> str:
    if open_point:
        return '; its point may separate thousands, so a layout should have decimal = "." or ","'
    if _SHORTENED.search(text):
        return ", with all of its digits, as 1500 for 1.5k or 1.5E+03"
    if "," in text or "'" in text:
        return ', thousands in threes and a decimal point, or a layout with decimal = ","'
    if re.search("[^0-9.,'() eE+-]", text):
        return ", with a currency sign or code that is known, or none"
    return ""


def _hundredths(text: str, comma: bool) -> int | None:
    """The hundredths of an amount such as `$1,000.00`, `1,00,000`, `(25.00)`, `25-` or `732.4499999999999`. With
    `comma`, the decimal sign is a comma, as in `12,50`. None for any other text."""
    text = text.strip().replace("\u2212", "-")
    if comma:
        text = text.translate({ord(","): ".", ord("."): ","})
    lost = _LOST.fullmatch(text)
    match = _MONEY.fullmatch(lost[1].strip() if lost else text)
    signs = [] if match is None else [sign.strip() for sign in match.group("sign", "inner", "back") if sign]
    if match is None or len(signs) + bool(lost) > 1:
        return None
    whole, part = re.sub("[^0-9]", "", match["whole"]), match["part"] or ""
    if comma and len(part) == 3:  # a comma before three digits may separate thousands
        return None
    hundredths = _rounded(int(whole) * 10 ** int(match["power"] or 0), part)
    if hundredths is None:
        return None
    return -hundredths if lost or signs == ["-"] else hundredths


def _rounded(whole: int, part: str) -> int | None:
    """The hundredths of the number with digits `whole` before the point and `part` after it. The rounding error of a
    float, as in 732.4499999999999, is removed. None for an amount that is not whole hundredths."""
    exact = part[2:].rstrip("0")
    hundredths = 100 * whole + int(part[:2].ljust(2, "0"))
    if not exact:
        return hundredths
    if len(str(whole)) + len(part) < 15:  # too few digits for a rounding error: 0.005 is half a cent
        return None
    beyond = int(exact.ljust(6, "0")[:6])
    return hundredths if beyond == 0 else hundredths + 1 if beyond == 999_999 else None


def winner(words: Mapping[str, str]) -> Parser:
    """A parser for the winner. The log's own `words` are tried first, then the words of many languages."""

    def parse(text: str) -> tuple[str | None, Reason | None]:
        if not text:
            return None, None
        plain = _WON.sub(" ", text.lower().replace("_", " ")).strip()
        won = words.get(text) or words.get(text.lower()) or WINNERS.get("-".join(plain.split()))
        if won:
            return won, None
        return None, Reason("winner", "should be player, banker or tie (P, B, T); read as not logged")

    return parse


def total(text: str) -> tuple[int | None, Reason | None]:
    """A hand's total, 0 to 9."""
    if not text or is_no_card(text):
        return None, None
    match = re.fullmatch(r"0?([0-9])(\.0+)?", text)
    return (int(match[1]), None) if match else (None, Reason("total", "should be 0 to 9; read as not logged"))


def decks(text: str) -> tuple[int | None, Reason | None]:
    """The number of decks in the shoe."""
    match = re.fullmatch(r"([0-9]{1,2})(\.0+)?", text)
    if match and 1 <= int(match[1]) <= MOST_DECKS:
        return int(match[1]), None
    reason = f"should be a whole number from 1 to {MOST_DECKS}; read as not logged"
    return None, Reason("decks", reason) if text else None


def flag(text: str) -> tuple[bool | None, Reason | None]:
    """True for a yes, False for a no; None if it is not logged."""
    plain = text.lower()
    if plain in ("true", "1", "yes", "y", "t", "1.0", "pair"):
        return True, None
    if plain in ("false", "0", "no", "n", "f", "0.0"):
        return False, None
    return None, None if not plain else Reason("flag", "should be true or false, 1 or 0; read as not logged")


def _no_cards(words: list[str]) -> Reason | None:
    if not words:
        return None
    named = ", ".join(short(word, 8) for word in dict.fromkeys(words[:4]))
    return Reason("card", f"{named}: should be a card as 9h, 9 or 10, or ? where it could not be read; read as ?")


def hand(by: CardWords) -> Parser:
    """A parser for a hand. The value is one integer: each card is a byte, its code plus 3, with the first card in the
    lowest byte."""

    def parse(text: str) -> tuple[int | None, Reason | None]:
        if not by.joined and re.fullmatch(r"[0-9]{3,}(\.[0-9]*)?", text):
            reason = f"a number, should be cards as 9h Kd; made by a spreadsheet?; {SKIPPED}"
            return None, Reason("number", reason)
        if _DATE.search(text):
            return None, Reason("date", f"a date, should be cards as 9h Kd; made by a spreadsheet?; {SKIPPED}")
        codes, bad = hand_codes(text, by)
        if not codes:
            return None, Reason(NONE, f"the cards are missing, should be as 9h Kd or ? ?; {SKIPPED}")
        if len(codes) > MOST_HAND:
            return None, Reason("many", f"has {len(codes)} cards, should be at most {MOST_HAND}; {SKIPPED}")
        return packed(codes), _no_cards(bad)

    return parse


def packed(codes: list[int]) -> int:
    return int.from_bytes(bytes([code + 3 for code in codes]), "little")


def one_card(by: CardWords) -> Parser:
    """A parser for a column with a single card."""

    def parse(text: str) -> tuple[int | None, Reason | None]:
        text = whole_numbers(text)
        if is_no_card(text, by):
            return NO_CARD, None
        codes, bad = hand_codes(text, by)
        code = card_code(text, by)
        if code is not None:
            return code, None
        return codes[0] if len(codes) == 1 and not bad else UNREAD, _no_cards(bad or [text])

    return parse


def cards(by: CardWords) -> Parser:
    """A parser for a list of cards, such as the burned cards."""

    def parse(text: str) -> tuple[list[int] | None, Reason | None]:
        codes, bad = hand_codes(text, by)
        if len(codes) > MOST_LISTED_CARDS:
            reason = f"has {len(codes)} cards, should be at most {MOST_LISTED_CARDS}; read as not logged"
            return None, Reason("many", reason)
        return codes or None, _no_cards(bad)

    return parse
