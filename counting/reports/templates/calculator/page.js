/* The page: what is tapped, typed or pasted becomes events of the shoe; all that is shown follows from them. */
const page = (() => {
    "use strict";
    const written = JSON.parse(document.getElementById("game").textContent);
    const { HANDS, PLACES, axisPercent, faceOf, nameOf, plural, rankNamed } = words;
    const { cardChip, make } = tables;
    const at = (id) => document.getElementById(id);
    const KEYS = { ...Object.fromEntries([..."A23456789JQK"].map((key) => [key, key])), 0: "10", T: "10", F: "0" };

    const priced = new Map(); // prices by composition
    const past = []; // what Undo goes back to
    let game = written; // its progressive bets are at the typed meters
    let now = { settings: { ...game.dealing }, events: [], meters: {} };
    let state = shoe.follow(game, now.settings, now.events);
    let bySuit = game.bets.some((bet) => bet.knows === "card");
    let pending = ""; // a rank that waits for its suit
    let drawn = ""; // what the tables and the strip show
    let isOut = false; // the next card leaves the shoe without a coup
    let shown = 0; // the bet of the strip
    let looked = 0; // the coup whose edges are shown, 0 for the coming coup

    // Prices

    const keyOf = ({ unseen }) => `${unseen.card ?? ""};${unseen.rank ?? ""};${unseen.value}`;

    function pricesOf(before) {
        const key = keyOf(before);
        if (!priced.has(key)) priced.set(key, pricing.price(game, before.unseen));
        return priced.get(key);
    }

    /** The prices before a coup; null if too few cards are left. */
    const pricesBefore = ({ before }) =>
        pricing.refusal(before.unseen.value, game.most_cards) ? null : pricesOf(before);

    /** The coming coup, or the coup in progress. */
    const coming = () => ({ number: state.coups.length + 1, before: state.before, winner: null });

    const ofFullShoe = () => pricesOf({ unseen: new shoe.Unseen(now.settings.decks).counts() }).prices;

    /** The bet that wins least often, as it depends most on the cards left. Of several, the bet with the best edge. */
    function rarestBet() {
        const full = ofFullShoe();
        const rarer = (a, b) => full[a].wins - full[b].wins || full[b].edge - full[a].edge;
        return [...full.keys()].sort(rarer)[0];
    }

    // The shoe is kept if the page is reloaded in the same window. A page that embeds this page is sent the shoe,
    // and can open it in another window by the address

    function keep() {
        const kept = JSON.stringify(now);
        if (window.parent !== window) window.parent.postMessage(kept, "*");
        try {
            sessionStorage.setItem(game.key, kept);
        } catch {
            window.name = game.key + kept; // a sandboxed page has no storage, but its window keeps its name
        }
    }

    function restore() {
        try {
            const named = window.name.startsWith(game.key) ? window.name.slice(game.key.length) : "";
            const kept = JSON.parse(named || decodeURIComponent(location.hash.slice(1)) || sessionStorage.getItem(game.key));
            if (!kept) return;
            state = shoe.follow(game, kept.settings, kept.events);
            become({ meters: {}, ...kept });
        } catch {
            // nothing that can be read was kept
        }
    }

    // What happens

    function complain(message, where = "message") {
        at(where).textContent = message;
        return false;
    }

    /** Go to other settings or events, if they are possible. The state before is kept for Undo. */
    function go(next, where) {
        try {
            state = shoe.follow(game, next.settings, next.events);
        } catch (error) {
            if (error instanceof RangeError) return complain(error.message, where);
            throw error;
        }
        past.push(now);
        become(next);
        pending = "";
        show();
        return true;
    }

    /** Take these settings, events and meters as the current ones. */
    function become(next) {
        if (JSON.stringify(next.meters) !== JSON.stringify(now.meters)) {
            priced.clear();
            game = pricing.atMeters(written, next.meters);
        }
        now = next;
    }

    function undo() {
        if (pending) pending = "";
        else if (past.length) {
            become(past.pop());
            state = shoe.follow(game, now.settings, now.events);
        }
        show();
    }

    function tap(card) {
        const leaves = isOut && !state.burning;
        const events = [...now.events, leaves ? { exposed: [card] } : card];
        if (go({ ...now, events }) && leaves) {
            isOut = false;
            show();
        }
    }

    function rankTyped(rank) {
        if (bySuit && rank !== shoe.TEN_OR_FACE) {
            pending = rank;
            show();
        } else tap(rank);
    }

    function typed(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.target.closest("input, textarea, select")) return;
        const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
        if (key === "Backspace") undo();
        else if (pending && "SHDC".includes(key)) tap(pending + key.toLowerCase());
        else if (pending && key === "-") tap(pending);
        else if (pending && key === "Escape") undo();
        else if (key in KEYS) rankTyped(KEYS[key]);
        else return;
        event.preventDefault();
    }

    function read() {
        const before = now;
        try {
            const { events, remarks, how } = log.eventsOf(at("lines").value, game, now.settings, now.events);
            go({ ...now, events });
            const coups = state.coups.length - shoe.follow(game, before.settings, before.events).coups.length;
            complain([`${plural(coups, "coup")} read.`, how, ...remarks].join(" "), "read-message");
        } catch (error) {
            if (!(error instanceof RangeError)) throw error;
            complain(error.message, "read-message");
        }
    }

    // What is shown

    function showHands() {
        const last = state.coups.at(-1);
        const isDealing = state.inProgress;
        const hands = isDealing || !last ? state.hands : last;
        for (const hand of ["player", "banker"]) {
            const cards = hands[hand].map(cardChip);
            for (let i = cards.length; i < 2; i++)
                cards.push(make("span", { class: "card empty", "aria-hidden": "true" }));
            at(`${hand}-cards`).replaceChildren(...cards);
            at(`${hand}-total`).textContent = hands[hand].length ? shoe.totalOf(hands[hand]) : "–";
        }
        const result = { player: "Player won", banker: "Banker won", tie: "a tie" };
        at("coup-title").textContent =
            isDealing || !last ? `Coup ${state.coups.length + 1}` : `Coup ${last.number}: ${result[last.winner]}`;
        at("next").textContent = nextWords();
        const seen = 52 * now.settings.decks - state.undealt;
        const toCut = state.toCut > 0 ? `${state.toCut} to the cut card` : "the cut card is out";
        at("cards-left").textContent =
            `${plural(seen, "card")} dealt or burned, ${state.undealt} in the shoe, ${toCut}.`;
    }

    function nextWords() {
        if (pending) return `${rankNamed(pending)}: type S, H, D or C for its suit, or - if the suit is not known.`;
        if (state.burning)
            return `Next: ${state.burning === 1 ? "the card" : `${state.burning} cards`} to burn, face up.`;
        if (state.over) return "The shoe is over: fewer than six cards are left.";
        if (isOut) return "Next: a card that leaves the shoe without a coup.";
        const cards = state.hands[state.next].length;
        const next = `Next: ${HANDS[state.next]}'s ${PLACES[cards]} card.`;
        return state.beyondCut ? `The cut card has ended this shoe. ${next}` : next;
    }

    function showTaps() {
        const cards = bySuit ? shoe.SUITS.map((suit) => shoe.RANKS.map((rank) => rank + suit)) : [shoe.RANKS];
        const isClosed = state.over && !state.burning && !isOut;
        const focused = document.activeElement?.dataset?.card;
        const rows = cards.map((row) => make("div", { class: "taps" }, ...row.map((card) => tapOf(card, isClosed))));
        rows.push(make("div", { class: "taps other" }, tapOf(shoe.TEN_OR_FACE, isClosed), outTap(), unseenTap()));
        at("taps").replaceChildren(...rows);
        const again = focused && at("taps").querySelector(`[data-card="${focused}"]`);
        if (again) again.focus();
        at("undo").disabled = !past.length && !pending;
    }

    function tapOf(card, isClosed) {
        const left = state.unseen.left(card);
        const red = card.endsWith("h") || card.endsWith("d") ? " red" : "";
        const button = make(
            "button",
            {
                type: "button",
                class: `tap${red}${pending && card.startsWith(pending) ? " pending" : ""}`,
                "data-card": card,
                "aria-label": `${nameOf(card)}, ${left} left`,
                disabled: isClosed || left < 1,
            },
            make("span", { class: "face" }, faceOf(card)),
            make("span", { class: "left" }, String(left)),
        );
        button.addEventListener("click", () => tap(card));
        return button;
    }

    function outTap() {
        const button = make(
            "button",
            {
                type: "button",
                class: "tap word",
                "data-card": "out",
                "aria-pressed": String(isOut),
                disabled: state.inProgress || state.burning > 0,
            },
            "Exposed card",
        );
        button.addEventListener("click", () => {
            isOut = !isOut;
            show();
        });
        return button;
    }

    function unseenTap() {
        const button = make(
            "button",
            { type: "button", class: "tap word", "data-card": "?", disabled: !isOut },
            "Burned unseen",
        );
        button.addEventListener("click", () => tap("?"));
        return button;
    }

    function showBets() {
        const coup = looked ? state.coups[looked - 1] : coming();
        const prices = pricesBefore(coup)?.prices;
        const full = ofFullShoe();
        const options = [coming(), ...[...state.coups].reverse()].map(({ number, winner }) =>
            make(
                "option",
                { value: winner ? number : 0, selected: number === coup.number },
                `${number}${winner ? "" : ", the coming coup"}`,
            ),
        );
        at("look").replaceChildren(...options);
        at("bets").replaceChildren(
            ...game.bets.flatMap((bet, i) =>
                tables.betRows(bet, prices && prices[i], full[i], at("exact").checked, !prices),
            ),
        );
        showCounts(coup);
    }

    function showCounts({ before }) {
        at("counts-part").hidden = !game.systems.length;
        const { decks } = now.settings;
        at("counts").replaceChildren(
            ...game.systems.flatMap((system) => tables.countRows(system, counts.read(system, decks, before))),
        );
    }

    function showHistory() {
        const rows = [...state.coups, coming()].map((coup) => {
            const price = pricesBefore(coup)?.prices[shown];
            const edge = price ? price.edge : null;
            return { number: coup.number, winner: coup.winner, edge, positive: price && price.numerator > 0n };
        });
        const bet = game.bets[shown];
        const positive = rows.filter((row) => row.positive).length;
        const title = `${bet.title}: edge before each of ${plural(rows.length, "coup")}, positive before ${positive}`;
        at("strip").replaceChildren(chart.strip(rows, title, axisPercent, at("strip").clientWidth));
        at("strip").scrollLeft = at("strip").scrollWidth;
        const wins = ["player", "banker", "tie"].map(
            (hand) => state.coups.filter((coup) => coup.winner === hand).length,
        );
        at("strip-words").textContent =
            `${bet.title} is positive before ${positive} of ${plural(rows.length, "coup")}, the coming coup included. ` +
            `Results: Player ${wins[0]}, Banker ${wins[1]}, Tie ${wins[2]}.`;
    }

    function showSettings() {
        const { settings } = now;
        at("decks").value = settings.decks;
        at("burn").value = settings.burn;
        at("cut").value = settings.cut;
        at("after-cut").value = settings.after_cut.join(",");
        at("by-suit").checked = bySuit;
        at("dealing").textContent =
            `${plural(settings.decks, "deck")}, burn ${settings.burn}, ${plural(settings.cut, "card")} behind the cut card`;
    }

    // Meters of progressive bets

    const metered = () => game.bets.filter((bet) => bet.meter);

    function metersOffered() {
        at("meters").hidden = !metered().length;
        for (const bet of metered()) {
            const input = make("input", { id: `meter-${bet.name}`, inputmode: "numeric", autocomplete: "off" });
            input.addEventListener("change", () => meterTyped(bet, input));
            at("meters").append(make("label", { for: input.id }, `Meter of ${bet.title}`, input));
        }
    }

    function showMeters() {
        for (const bet of metered()) at(`meter-${bet.name}`).value = bet.meter;
    }

    function meterTyped(bet, input) {
        const text = input.value.trim();
        const meter = /^[0-9]+$|^[0-9]{1,3}(,[0-9]{3})+$/.test(text) ? Number(text.replaceAll(",", "")) : 0;
        if (meter >= 1 && meter <= game.most_meter) {
            go({ ...now, meters: { ...now.meters, [bet.name]: meter } });
            return;
        }
        showMeters();
        const most = game.most_meter.toLocaleString("en");
        complain(
            `meter: ${text || "nothing"}, should be a whole number of units of the stake, 1 to ${most}`,
            "meters-message",
        );
    }

    function show() {
        complain("");
        complain("", "settings-message");
        complain("", "meters-message");
        showHands();
        showTaps();
        showSettings();
        showMeters();
        keep();
        const lines = log.linesOf(state, game.game);
        const follows = [lines, JSON.stringify([now.settings, now.meters]), keyOf(state.before), state.before.undealt].join();
        if (follows === drawn) return; // a card within a coup changes no edge
        drawn = follows;
        looked = 0;
        at("print").value = lines;
        at("printed").textContent = lines; // a text field would be cut off in print
        at("verdict").textContent = tables.verdict(game, state.coups.length + 1, pricesBefore(coming())?.prices);
        showBets();
        showHistory();
    }

    /** The settings of the form. Throws RangeError for impossible settings. */
    function settingsTyped() {
        const burn = at("burn").value.trim();
        const cut = at("cut").value.trim();
        const decks = Number(at("decks").value);
        if (!/^(none|first-card|([1-9]|[1-4][0-9]|5[0-2])(-shown)?)$/.test(burn))
            throw new RangeError(
                `burn: ${burn || "nothing"}, should be none, first-card, or 1 to 52 cards, as 3 or 3-shown`,
            );
        if (!/^[0-9]{1,3}$/.test(cut) || Number(cut) > 52 * decks)
            throw new RangeError(`cut: ${cut || "nothing"}, should be 0 to ${52 * decks} cards`);
        return { decks, burn, cut: Number(cut), after_cut: at("after-cut").value.split(",").map(Number) };
    }

    function settingsChanged() {
        try {
            if (go({ ...now, settings: settingsTyped() }, "settings-message")) return;
        } catch (error) {
            if (!(error instanceof RangeError)) throw error;
            complain(error.message, "settings-message");
        }
        const { textContent } = at("settings-message");
        showSettings();
        complain(textContent, "settings-message");
    }

    function copy() {
        at("print").select();
        const isCopied = document.execCommand("copy"); // navigator.clipboard is refused within another page
        complain(isCopied ? "Copied." : "Selected: copy it with Ctrl+C.", "print-message");
    }

    function save() {
        const link = make("a", {
            href: URL.createObjectURL(new Blob([at("print").value], { type: "text/csv" })),
            download: `${game.game}-shoe.csv`,
        });
        link.click();
        URL.revokeObjectURL(link.href);
    }

    function begin() {
        restore();
        shown = rarestBet();
        metersOffered();
        for (const decks of game.decks_allowed) at("decks").append(make("option", { value: decks }, String(decks)));
        for (const pair of game.after_cuts)
            at("after-cut").append(make("option", { value: pair.join(",") }, pair.join(",")));
        game.bets.forEach((bet, i) =>
            at("strip-bet").append(make("option", { value: i, selected: i === shown }, bet.title)),
        );
        at("strip-bet").addEventListener("change", (event) => {
            shown = Number(event.target.value);
            showHistory();
        });
        at("look").addEventListener("change", (event) => {
            looked = Number(event.target.value);
            showBets();
        });
        for (const id of ["decks", "burn", "cut", "after-cut"]) at(id).addEventListener("change", settingsChanged);
        at("by-suit").addEventListener("change", (event) => {
            bySuit = event.target.checked;
            pending = "";
            show();
        });
        at("exact").addEventListener("change", showBets);
        at("undo").addEventListener("click", undo);
        at("new-shoe").addEventListener("click", () => go({ ...now, events: [] }));
        at("read").addEventListener("click", read);
        at("copy").addEventListener("click", copy);
        at("save").addEventListener("click", save);
        document.addEventListener("keydown", typed);
        window.addEventListener("resize", showHistory);
        show();
    }

    begin();
    return { game: written, state: () => state, prices: () => pricesBefore(coming()) };
})();
