/* The rows of the tables and the sentence above them, from prices and counts. */
const tables = (() => {
    "use strict";
    const { faceOf, fixed, grouped, nameOf, percent, wholeOf } = words;

    function make(tag, attributes = {}, ...children) {
        const element = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes)) {
            if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
        }
        element.append(...children);
        return element;
    }

    function cardChip(card) {
        const suit = card.slice(-1);
        return make(
            "span",
            { class: `card${suit === "h" || suit === "d" ? " red" : ""}`, "aria-label": nameOf(card), role: "img" },
            faceOf(card),
        );
    }

    /** A bet's row and, if asked for, the edge as a fraction below it. `isShort`: too few cards are left. */
    function betRows(bet, price, full, withFraction, isShort) {
        const title = bet.meter ? `${bet.title} (meter ${bet.meter})` : bet.title;
        if (!price) {
            const why = isShort ? "too few cards" : `needs every card's ${bet.knows === "card" ? "suit" : "rank"}`;
            return [
                make("tr", {}, make("th", { scope: "row" }, title), make("td", { colspan: 4, class: "note" }, why)),
            ];
        }
        const fraction = `${grouped(price.numerator)} / ${grouped(price.denominator)}`;
        const sign = price.numerator > 0n ? "positive" : "";
        const row = make(
            "tr",
            { class: sign },
            make("th", { scope: "row" }, title),
            make("td", { class: "edge", title: fraction }, percent(price.edge)),
            make("td", { class: "mark" }, price.numerator > 0n ? "▲ positive" : price.numerator === 0n ? "zero" : ""),
            make("td", { class: "wide" }, percent(full.edge)),
            make("td", { class: "wide" }, `${(100 * price.wins).toFixed(3)}%`),
        );
        if (!withFraction) return [row];
        return [row, make("tr", { class: "exact" }, make("td", { colspan: 5 }, fraction))];
    }

    /** The answer: whether a bet has a positive edge, and the best bet. */
    function verdict(game, coup, prices) {
        if (!prices) return "Too few cards are left for another coup.";
        const known = game.bets.map((bet, i) => ({ title: bet.title, price: prices[i] })).filter(({ price }) => price);
        if (!known.length) return "No bet can be priced: a card lacks the rank or suit that the bets need.";
        known.sort((a, b) => b.price.edge - a.price.edge);
        const positive = known.filter(({ price }) => price.numerator > 0n).length;
        const best = `${known[0].title} (${percent(known[0].price.edge)})`;
        const bets = positive === 1 ? "one bet" : positive ? `${positive} bets` : "no bet";
        const which = known.length < game.bets.length ? " that can be priced" : "";
        return `Coup ${coup}: ${bets}${which} ${positive > 1 ? "are" : "is"} positive. The best is ${best}.`;
    }

    /** A row for each trigger of a system; `count` is null if the count is not known. */
    function countRows(system, count) {
        return system.triggers.map((trigger, i) =>
            make(
                "tr",
                { class: count?.reached[i] ? "positive" : "" },
                make(
                    "th",
                    { scope: "row" },
                    system.title,
                    trigger.for ? make("span", { class: "for" }, ` for ${trigger.for}`) : "",
                ),
                make("td", {}, count ? wholeOf(count.running) : "needs ranks"),
                make("td", {}, count && system.count === "true" ? fixed(count.value, 2) : "–"),
                make("td", {}, wholeOf(trigger.at) + (trigger.from ? ` away from ${wholeOf(trigger.from)}` : "")),
                make("td", { class: "mark" }, count?.reached[i] ? "▲ yes" : count ? "no" : ""),
            ),
        );
    }

    return { betRows, cardChip, countRows, make, verdict };
})();
