/* The layout of pasted lines: the mark between fields, which column is which field of a coup, and how cards are written.

   Every layout whose columns are there is tried. Without a line of column names, the orders of fields below are tried.
   The layout that reads most lines is taken. A line that is not read is returned with its reason. */
const layouts = (() => {
    "use strict";
    const OWN = "table shoe coup player banker winner burn".split(" ");
    const CARD_COLUMNS = "player_1 player_2 player_3 banker_1 banker_2 banker_3".split(" ");
    // The fields of lines without column names. Of the orders with the same number of fields, the likelier comes first.
    const ORDERS = [
        ...[5, 6, 7].map((fields) => OWN.slice(0, fields)),
        ["player", "banker"],
        ["player", "banker", "winner"],
        CARD_COLUMNS,
        [...CARD_COLUMNS, "winner"],
        [...OWN.slice(0, 3), ...CARD_COLUMNS],
        [...OWN.slice(0, 3), ...CARD_COLUMNS, "winner"],
        ["cards"],
    ];
    const SAMPLE = 200; // layouts are compared on this number of lines
    const LIST_MARKS = /[,;|/]/; // between the cards of a list, which may have empty places
    const WON = /\b(wins?|won|winner|hand|side|result)\b|[!.:_]/g;
    const UNNAMED = {
        writing: { written: null, order: "dealt", none: [] },
        numbers: { first: null, order: null, new_shoe: null, repeated: null },
    };
    const HANDS = { player: "Player", banker: "Banker" };

    /** The place of the column with this name; in JSON, also of the only path with this ending. */
    function placeOf(name, { head, isJson }) {
        const plain = name.toLowerCase();
        const ends = isJson ? head.filter((path) => path.endsWith(`.${plain}`)) : [];
        return head.includes(plain) || ends.length !== 1 ? head.indexOf(plain) : head.indexOf(ends[0]);
    }

    /** The place of each field of a coup in a table; null if the table lacks the layout's hands. */
    function placed(layout, table) {
        if (table.of ? table.of !== layout : layout.frames || layout.card_rows) return null;
        const at = {};
        for (const [field, column] of Object.entries(layout.columns)) {
            const columns = [column].flat();
            columns.forEach((name, i) => {
                const place = placeOf(name, table);
                if (place >= 0) at[Array.isArray(column) ? `${field}_${i + 1}` : field] = place;
            });
        }
        const hasHand = (hand) => hand in at || (`${hand}_1` in at && `${hand}_2` in at);
        return "cards" in at || (hasHand("player") && hasHand("banker")) ? at : null;
    }

    const ofOrder = (names) => Object.fromEntries(names.map((name, i) => [name, i]));

    /** A layout's fields in a table, and the rows of the table that are to be read. */
    function placing(layout, at, names, table) {
        const all = table.isNamed || names !== table.head ? table.rows : table.rows.slice(1);
        const { repeated, new_shoe: newShoe } = layout.numbers;
        const { rows, remarks } = repeated ? sources.lastRows(all, at, newShoe === "falls") : { rows: all, remarks: [] };
        return { layout, at, names, rows, isNamed: names === table.head, remarks: [...table.remarks, ...remarks] };
    }

    /** The layouts that fit a table, each with its fields and rows. */
    function placingsOf(table, shipped) {
        const named = shipped.map((layout) => [layout, placed(layout, table)]).filter(([, at]) => at);
        if (named.length && !table.isJson) {
            const twice = table.head.find((name, i) => name && table.head.indexOf(name) < i);
            if (twice) throw new RangeError(`line ${table.rows[0].line}: column ${twice}: occurs twice, should occur once`);
        }
        if (named.length || table.isNamed) return named.map(([layout, at]) => placing(layout, at, table.head, table));
        return ORDERS.filter((names) => names.length === table.head.length).map((names) =>
            placing({ name: names.join(","), ...UNNAMED }, ofOrder(names), names, table),
        );
    }

    /** Player's and Banker's cards from a coup's single list. The list is split by the logged totals if only one split
      has these totals, otherwise by the drawing rules. */
    function parted(cards, order, totals, tableau) {
        if (cards.length < 4 || cards.length > 6)
            throw new RangeError(`cards: ${cards.join(" ") || "nothing"}, should be four to six cards`);
        const places = (hand, third) => hand.concat(third).map((i) => cards[i]);
        const dealt = order === "dealt";
        const split = (three) =>
            dealt
                ? [places([0, 2], three[0] ? [4] : []), places([1, 3], three[1] ? [three[0] ? 5 : 4] : [])]
                : [cards.slice(0, three[0] ? 3 : 2), cards.slice(three[0] ? 3 : 2)];
        if (cards.length !== 5) return split(cards.length === 6 ? [true, true] : [false, false]);
        const both = [split([true, false]), split([false, true])];
        const logged = totals.some((total) => total !== null);
        const fits = both.filter((hands) =>
            hands.every((hand, i) => totals[i] === null || shoe.totalOf(hand) === totals[i]),
        );
        if (logged && fits.length === 1) return fits[0];
        const lawful = both.filter((hands) => shoe.isByRules(tableau, ...hands));
        if (lawful.length === 1) return lawful[0];
        if (dealt) return both[shoe.nextHand(tableau, ...split([false, false])) === "player" ? 0 : 1];
        throw new RangeError(`cards: ${cards.join(" ")}, which hand has the fifth card is not clear without the totals`);
    }

    /** A hand's two or three cards. Throws RangeError for a card that was not seen, or another number of cards. */
    function seenHand(cards, text, column) {
        if (cards.includes("?")) throw new RangeError(`${column}: ${text}, should be cards that were seen`);
        if (cards.length < 2 || cards.length > 3)
            throw new RangeError(`${column}: ${text || "nothing"}, should be two or three cards, ${spelling.CARDS}`);
        return cards;
    }

    /** The texts of a list's places, including empty places. */
    const listed = (text) => text.replace(/^[[{("']+|[\])}"']+$/g, "").split(LIST_MARKS);

    /** Player's and Banker's cards of a row. */
    function handsOf(texts, at, by, order, totals, tableau) {
        if ("cards" in at) {
            const inPlaces = order === "places";
            const [player, banker] = inPlaces
                ? [0, 1].map((hand) =>
                      listed(texts.cards).flatMap((text, i) => (i % 2 === hand ? spelling.cardsOf(text, "cards", by) : [])),
                  )
                : parted(spelling.cardsOf(texts.cards, "cards", by), order, totals, tableau);
            return [seenHand(player, texts.cards, "cards"), seenHand(banker, texts.cards, "cards")];
        }
        return Object.keys(HANDS).map((hand) => {
            if (hand in at) return seenHand(spelling.cardsOf(texts[hand], hand, by), texts[hand], hand);
            const columns = [1, 2, 3].map((i) => `${hand}_${i}`).filter((name) => name in at);
            const each = columns.map((name) => spelling.cardsOf(texts[name], name, by));
            const several = columns.find((name, i) => each[i].length > 1);
            if (several) throw new RangeError(`${several}: ${texts[several]}, should be one card`);
            return seenHand(each.flat(), columns.map((name) => texts[name]).join(" ").trim(), hand);
        });
    }

    function winnerOf(text, winners) {
        if (!text) return "";
        const plain = text.toLowerCase().replaceAll("_", " ").replace(WON, " ").trim().split(/\s+/).join("-");
        const winner = winners[plain];
        if (!winner) throw new RangeError(`winner: ${text}, should be player, banker or tie`);
        return winner;
    }

    function totalOf(text, column) {
        if (!text || text === "-1") return null;
        if (!/^0?[0-9](\.0+)?$/.test(text)) throw new RangeError(`${column}: ${text}, should be 0 to 9`);
        return Math.trunc(Number(text));
    }

    function coupOf(row, { layout, at, names, order }, by, game) {
        if (row.reason) throw new RangeError(row.reason);
        if (row.fields.length !== names.length)
            throw new RangeError(`${row.fields.length} fields, should be ${names.length}: ${names.join(",")}`);
        const texts = Object.fromEntries(Object.entries(at).map(([field, place]) => [field, row.fields[place]]));
        if (texts.event && !layout.frames)
            throw new RangeError(`event: ${texts.event}, should be empty: only coups are read`);
        const totals = Object.keys(HANDS).map((hand) => totalOf(texts[`${hand}_total`], `${hand}_total`));
        const [player, banker] = handsOf(texts, at, by, order, totals, game.tableau);
        const left = ["burn", "exposed"].filter((field) => texts[field]);
        return {
            line: row.line,
            place: [texts.table ?? "", texts.shoe ?? ""],
            number: texts.coup ?? "",
            player,
            banker,
            totals,
            winner: winnerOf(texts.winner, game.words.winners),
            burn: left.flatMap((field) => spelling.cardsOf(texts[field], field, by)),
            event: texts.event ?? "",
        };
    }

    /** The readings of a table by a layout: one for each way in which its cards may be written. */
    function readingsOf(table, fields, game) {
        const { layout, at, names } = fields;
        const rows = fields.rows.slice(0, SAMPLE).filter((row) => row.fields.length === names.length);
        const textsOf = (wanted) => wanted.filter((field) => field in at).flatMap((f) => rows.map((row) => row.fields[at[f]]));
        const writing = layout.writing;
        const isList = "cards" in at;
        const hands = textsOf(isList ? ["cards"] : ["player", "banker"]);
        const first = [...hands, ...textsOf(isList ? [] : CARD_COLUMNS.filter((name) => !name.endsWith("3")))];
        const thirds = textsOf(isList ? [] : ["player_3", "banker_3"]);
        const hasPlaces = writing.order === "places" && hands.some((text) => LIST_MARKS.test(text));
        const order = writing.order === "places" && !hasPlaces ? "dealt" : writing.order;
        const ways = spelling.waysOf(first, thirds, hands.length > 0, writing, game.words.no_card);
        const example = first.flatMap((text) => spelling.split(text))[0] ?? "";
        return ways.map((by) => ({ table, placing: { ...fields, order }, by, example }));
    }

    function rowsRead(reading, game, most = Infinity) {
        const coups = [];
        const unread = [];
        for (const row of reading.placing.rows.slice(0, most)) {
            const { value, reason } = sources.tried(() => coupOf(row, reading.placing, reading.by, game));
            if (value) coups.push(value);
            else unread.push({ line: row.line, reason });
        }
        return { coups, unread };
    }

    /** How good a reading is: lines read, coups that follow the drawing rules, and columns that are used. */
    function merits(reading, game) {
        const { coups, unread } = rowsRead(reading, game, SAMPLE);
        const lawful = coups.filter(({ player, banker }) => shoe.isByRules(game.tableau, player, banker)).length;
        return [coups.length / Math.max(1, coups.length + unread.length), lawful, Object.keys(reading.placing.at).length];
    }

    const isBetter = (a, b) => {
        const i = a.findIndex((merit, k) => merit !== b[k]);
        return i >= 0 && a[i] > b[i];
    };

    function words(reading) {
        const { layout, names, at, isNamed, remarks } = reading.placing;
        const used = new Set(Object.values(at).map((i) => names[i]));
        const isUsed = (name) => used.has(name) || used.has(name.replace(/\.[0-9]+$/, "")); // a part of a used list
        const unused = isNamed ? names.filter((name) => name && !isUsed(name)) : [];
        const parts = [
            isNamed ? `Layout ${layout.name}` : `No column names, read as ${layout.name}`,
            reading.table.how,
            reading.example && spelling.described(reading.by, reading.example),
        ].filter(Boolean);
        const notes = [...(unused.length ? [`Columns not used: ${unused.join(", ")}.`] : []), ...remarks];
        return [`${parts.join(", ")}.`, ...notes].join(" ");
    }

    /** The coups of a text, the lines that cannot be read with the reason for each, and the layout in words. Throws
      RangeError for a text that has no layout. */
    function read(text, game) {
        const lines = text
            .replace(/^\ufeff/, "")
            .split(/\r?\n/)
            .map((line, i) => ({ line: i + 1, text: line.trim() ? line : "" }))
            .filter((line) => line.text);
        const allowed =
            "a coup as table,shoe,coup,player,banker,winner,burn or player,banker or a column a card, with cards as " +
            `9h Kd 3s or 9 K 3, or in a layout with its column names: ${game.layouts.map(({ name }) => name).join(", ")}`;
        if (!lines.length) throw new RangeError(`line 1: no coup, should be ${allowed}`);
        const tables = sources.tablesOf(lines, game.layouts);
        let best = null;
        for (const table of tables)
            for (const fields of placingsOf(table, game.layouts))
                for (const reading of readingsOf(table, fields, game)) {
                    const merit = merits(reading, game);
                    if (best === null || isBetter(merit, best.merit)) best = { reading, merit };
                }
        const { line } = lines[0];
        if (best === null) {
            const [{ head, rows }] = tables;
            const fields = `${head.length} field${head.length === 1 ? "" : "s"}, should be ${allowed}`;
            throw new RangeError(`line ${line}: ${rows[0].reason ?? fields}`);
        }
        const rows = rowsRead(best.reading, game);
        if (!rows.coups.length && !rows.unread.length) throw new RangeError(`line ${line}: no coup, should be ${allowed}`);
        return { ...rows, unit: best.reading.table.unit, layout: best.reading.placing.layout, how: words(best.reading) };
    }

    return { COLUMNS: OWN, HANDS, read };
})();
