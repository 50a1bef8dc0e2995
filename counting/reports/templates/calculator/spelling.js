/* Cards as a log writes them. A rank and a suit are read in either order, and a suit may be a letter or a sign: 9h, h9,
   H.9, 9♥, 🂹. The meaning of digits alone depends on the log: cards (1 to 10), values (0 or 10 is a ten or face), ranks
   (11 is a jack) or codes (1 to 52, thirteen for each suit, which is not stated). */
const spelling = (() => {
    "use strict";
    const CARDS = "cards as 9h or h9, 9, K, 0 (a ten or face)";
    const RANK = "(10|11|12|13|[0-9ATJQK])";
    const SUIT = "([shdc♠♥♦♣♤♡♢♧])\ufe0f?";
    const RANK_FIRST = new RegExp(`^${RANK}[. ]?${SUIT}$`, "i");
    const SUIT_FIRST = new RegExp(`^${SUIT}[. ]?${RANK}$`, "i");
    const JOINED = [
        [new RegExp(`^(?:${RANK}${SUIT})+$`, "i"), new RegExp(`${RANK}${SUIT}`, "gi")],
        [new RegExp(`^(?:${SUIT}${RANK})+$`, "i"), new RegExp(`${SUIT}${RANK}`, "gi")],
        [/^(?=.*[ATJQK])(?:10|[1-9ATJQK])+$/i, /10|[1-9ATJQK]/gi],
        [/^[\u{1f0a1}-\u{1f0de}]+$/u, /./gu],
    ];
    const DIGITS = /^[0-9]{1,2}$/;
    const TWO_OR_THREE = /^(?:10|[0-9]){2,3}$/;
    const PLAYING_CARDS = 0x1f0a0; // Unicode has sixteen for each suit; the twelfth is a knight, which no deck here has
    const RANK_NAMES = { T: "10", 1: "A", 0: "10", 11: "J", 12: "Q", 13: "K" };
    const SUIT_SIGNS = ["♠♤", "♥♡", "♦♢", "♣♧"];
    const BETWEEN = /[\s,;/|+&_[\](){}"'-]+/;
    const FLOAT = /(?<![0-9A-Za-z.])([0-9]{1,2})\.0+(?![0-9A-Za-z.])/g; // a table with empty cells writes 9 as 9.0
    const NO_CARDS = /(?<![^\s,;/|[\](){}"'])(?:-1|n\/a|<na>)(?![^\s,;/|[\](){}"'])/gi;

    const rankNamed = (text) => RANK_NAMES[text.toUpperCase()] ?? text.toUpperCase();
    const suitNamed = (text) => {
        const sign = SUIT_SIGNS.findIndex((signs) => signs.includes(text));
        return sign < 0 ? text.toLowerCase() : shoe.SUITS[sign];
    };

    function playingCard(word) {
        const at = word.codePointAt(0) - PLAYING_CARDS;
        const place = at % 16;
        const rank = place > 12 ? place - 2 : place - 1;
        if (at < 0 || at >= 64 || place === 12 || rank < 0 || rank > 12) return null;
        return shoe.RANKS[rank] + shoe.SUITS[Math.floor(at / 16)];
    }

    function ofDigits(word, by) {
        const number = Number(word);
        if (by.none.has(word) || (word.length > 1 && word[0] === "0" && by.written !== "values")) return null;
        switch (by.written) {
            case "values":
                return number % 10 === 0 && number <= 10 ? shoe.TEN_OR_FACE : number < 10 ? shoe.RANKS[number - 1] : null;
            case "ranks":
                return shoe.RANKS[number - 1] ?? null;
            case "codes": {
                const code = number - by.firstCode;
                return code >= 0 && code < 52 ? shoe.RANKS[code % 13] : null;
            }
            default:
                return number === 0 ? shoe.TEN_OR_FACE : number <= 10 ? shoe.RANKS[number - 1] : null;
        }
    }

    /** The card that a word names; "?" for a card that was not read, and null for no card. */
    function cardOf(word, by) {
        if (word === "?" || word === "??" || word.toUpperCase() === "X") return "?";
        let match = RANK_FIRST.exec(word);
        if (match) return rankNamed(match[1]) + suitNamed(match[2]);
        match = SUIT_FIRST.exec(word);
        if (match) return rankNamed(match[2]) + suitNamed(match[1]);
        if (DIGITS.test(word)) return ofDigits(word, by);
        if (!/^[ATJQK]$/i.test(word)) return playingCard(word);
        return by.written === "values" && word.toUpperCase() !== "A" ? shoe.TEN_OR_FACE : rankNamed(word);
    }

    const isNoCard = (word, by) => by.none.has(word) || by.noCard.has(word.toLowerCase());

    const split = (text) => text.replace(FLOAT, "$1").replace(NO_CARDS, " ").split(BETWEEN).filter(Boolean);

    /** The words of a text, without the words that mean no card. */
    const wordsOf = (text, by) => split(text).filter((word) => !isNoCard(word, by));

    /** The cards of a word that joins several without a gap; otherwise the word itself. */
    function partsOf(word, by) {
        if (by.joined && TWO_OR_THREE.test(word)) {
            if (by.written === "values") return [...word];
            return /^(?:10|[1-9])+$/.test(word) ? word.match(/10|[1-9]/g) : [word];
        }
        const joined = JOINED.find(([whole]) => whole.test(word));
        return joined ? word.match(joined[1]) : [word];
    }

    /** The cards of a text. Throws RangeError for a word that is no card. */
    function cardsOf(text, column, by) {
        if (by.isUnclear && text.includes("10"))
            throw new RangeError(`${column}: ${text}, should be cards with a gap between: 10 is one card or two`);
        return wordsOf(text, by).flatMap((word) =>
            partsOf(word, by).map((part) => {
                const card = cardOf(part, by);
                if (card === null) throw new RangeError(`${column}: ${part}, should be ${CARDS}`);
                return card;
            }),
        );
    }

    /** What digits alone mean in a log with these words. */
    function writtenIn(all, hasLetters) {
        const numbers = all.filter((word) => DIGITS.test(word)).map(Number);
        const most = Math.max(0, ...numbers);
        if (hasLetters || !numbers.length) return "cards";
        if (most > 13) return "codes";
        if (most > 10) return "ranks";
        return numbers.includes(0) || most === 10 ? "values" : "cards";
    }

    /** The ways in which a log may write its cards, the likelier first. There are two if 0 may mean no card. `first`:
      the texts of hands, or of the columns of first and second cards; `thirds`: the texts of the columns of third
      cards; `asked`: what the layout states; `noCard`: words that mean no card. */
    function waysOf(first, thirds, areHands, asked, noCard) {
        const blank = { none: new Set(asked.none), noCard: new Set(noCard) };
        const words = first.flatMap((text) => wordsOf(text, blank));
        const last = thirds.flatMap((text) => wordsOf(text, blank));
        const all = [...words, ...last];
        const hasLetters = all.some((word) => /[^0-9?]/.test(word) && !/^[ax]$/i.test(word));
        const hands = first.map((text) => wordsOf(text, blank)).filter((hand) => hand.length);
        const joined =
            areHands && hands.length > 0 && hands.every((hand) => hand.length === 1) && all.some((w) => TWO_OR_THREE.test(w));
        const written =
            asked.written ??
            (!joined || hasLetters
                ? writtenIn(all, hasLetters)
                : all.some((word) => word.replaceAll("10", "").includes("0"))
                  ? "values"
                  : "cards");
        const isUnclear = joined && !hasLetters && written === "cards";
        const codes = { firstCode: written === "codes" && words.includes("0") && !all.includes("52") ? 0 : 1 };
        const plain = { ...blank, ...codes, written, joined, isUnclear };
        const zeroIsNone = { ...plain, none: new Set([...blank.none, "0"]) };
        if (blank.none.has("0") || words.includes("0") || !last.includes("0")) return [plain];
        return written === "values" && asked.written === null ? [zeroIsNone, plain] : [zeroIsNone];
    }

    /** How the cards are written, in words; `example`: a card of the log. */
    const described = (by, example) =>
        ({
            cards: `cards as ${example}`,
            values: "cards by value, 0 or 10 for a ten or face",
            ranks: "ranks as numbers, 11 for a jack",
            codes: `codes of cards from ${by.firstCode} to ${by.firstCode + 51}, suits not known`,
        })[by.written];

    return { CARDS, cardsOf, described, split, waysOf };
})();
