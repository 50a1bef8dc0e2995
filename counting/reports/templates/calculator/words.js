/* Words and numbers as people read them: cards, percents with their sign, whole numbers in groups of three. */
const words = (() => {
    "use strict";
    const HANDS = { player: "Player", banker: "Banker" };
    const PLACES = ["first", "second", "third"];
    const SUIT_SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
    const SUIT_NAMES = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
    const RANK_NAMES = { A: "ace", J: "jack", Q: "queen", K: "king", 0: "ten or face" };

    const rankNamed = (rank) => RANK_NAMES[rank] ?? rank;
    const signed = (text, number) => (number > 0 ? `+${text}` : number < 0 ? `−${text}` : text);

    /** A share in percent with its sign; a share that is not zero is never printed as zero. */
    function percent(share, digits = 3) {
        const least = 10 ** -digits;
        const size = Math.abs(100 * share);
        if (share !== 0 && size < least) return `${share > 0 ? "+" : "−"}<${least.toFixed(digits)}%`;
        return `${signed(size.toFixed(digits), share)}%`;
    }

    const axisPercent = (share, step) =>
        step === undefined ? percent(share) : percent(share, Math.max(0, Math.ceil(-Math.log10(100 * step) - 1e-9)));

    const fixed = (number, digits) => signed(Math.abs(number).toFixed(digits), number);
    const wholeOf = (number) => String(number).replace("-", "−");
    const grouped = (number) =>
        String(number)
            .replace("-", "−")
            .replace(/\B(?=(\d{3})+(?!\d))/g, " ");
    const plural = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

    function nameOf(card) {
        const rank = card === shoe.TEN_OR_FACE ? "0" : shoe.RANKS[shoe.rankOf(card)];
        const suit = card.slice(-1);
        return `${rankNamed(rank)}${suit in SUIT_SIGNS ? ` of ${SUIT_NAMES[suit]}` : ""}`;
    }

    function faceOf(card) {
        if (card === "?") return "?";
        if (card === shoe.TEN_OR_FACE) return "10–K";
        const suit = card.slice(-1);
        return suit in SUIT_SIGNS ? card.slice(0, -1) + SUIT_SIGNS[suit] : card;
    }

    return { HANDS, PLACES, axisPercent, faceOf, fixed, grouped, nameOf, percent, plural, rankNamed, wholeOf };
})();
