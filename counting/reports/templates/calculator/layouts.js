/* The layout of pasted lines: the mark between fields, which column is which field of a coup, and how cards are written.

   Every layout whose columns are there is tried, and the one that reads most lines is taken; without a line of column
   names, the orders of fields below. Nothing is left out unnamed: a line that is not read is returned with its reason. */
const layouts = (() => {
    "use strict";
    const MARKS = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" };
    const OWN = "table shoe coup player banker winner burn".split(" ");
    const CARD_COLUMNS = "player_1 player_2 player_3 banker_1 banker_2 banker_3".split(" ");
    // The fields of lines without a line of column names, by their number; of the same number the likelier first.
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
    const SAMPLE = 200; // lines by which layouts are compared
    const LIST_MARKS = /[,;|/]/; // between the cards of a list, where an empty place may be
    const WON = /\b(wins?|won|winner|hand|side|result)\b|[!.:_]/g;
    const NO_WRITING = { written: null, order: "dealt", none: [] };
    const HANDS = { player: "Player", banker: "Banker" };

    /** The fields of a line; a field in double quotes may hold the mark, and a quote twice. */
    function fieldsOf(line, mark) {
        const fields = [];
        let rest = line;
        for (;;) {
            const quoted = /^\s*"((?:[^"]|"")*)"\s*/.exec(rest);
            const end = quoted ? quoted[0].length : rest.indexOf(mark);
            if (quoted && end < rest.length && rest[end] !== mark) throw new RangeError("text stands beside a quote");
            if (!quoted && rest.trim().startsWith('"')) throw new RangeError("a quote is not closed");
            fields.push((quoted ? quoted[1].replaceAll('""', '"') : end < 0 ? rest : rest.slice(0, end)).trim());
            if (end < 0 || end >= rest.length) return fields;
            rest = rest.slice(end + 1);
        }
    }

    const isRefused = (error) => {
        if (!(error instanceof RangeError)) throw error;
        return true;
    };

    /** What a function gives, or the reason why it refused. */
    function tried(make) {
        try {
            return { value: make() };
        } catch (error) {
            return isRefused(error) && { reason: error.message };
        }
    }

    /** A record of JSON as texts by the paths of its values; what is listed has its place in the path too. */
    function flattened(value, path = "", texts = {}) {
        if (value === null || typeof value !== "object") {
            texts[path] = texts[path] ? `${texts[path]} ${value ?? ""}` : String(value ?? "");
        } else if (Array.isArray(value)) {
            const isPlain = value.every((each) => each === null || typeof each !== "object");
            if (isPlain) texts[path] = value.map((each) => each ?? "").join(" ");
            value.forEach((each, i) => flattened(each, isPlain ? `${path}.${i}` : path, texts));
        } else {
            for (const [name, each] of Object.entries(value)) flattened(each, path ? `${path}.${name}` : name, texts);
        }
        return texts;
    }

    const namesHead = (fields) => fields.map((field) => field.toLowerCase());

    /** Records of JSON, one a line or all in a list, as a table; null for other texts. */
    function recordsOf(lines) {
        if (!/^[[{]/.test(lines[0].text)) return null;
        const whole = tried(() => {
            try {
                return [JSON.parse(lines.map(({ text }) => text).join("\n"))].flat();
            } catch {
                throw new RangeError("not one value");
            }
        });
        const records = (whole.value ?? lines).map((each, i) => {
            if (whole.value) return { line: i + 1, record: each };
            try {
                return { line: each.line, record: JSON.parse(each.text) };
            } catch {
                return { line: each.line, reason: "not JSON, should be a record in braces" };
            }
        });
        const rows = records.map(({ record, ...row }) => ({ ...row, texts: record === undefined ? {} : flattened(record) }));
        const names = [...new Set(rows.flatMap(({ texts }) => Object.keys(texts)))];
        return {
            mark: "JSON",
            head: namesHead(names),
            unit: whole.value ? "record" : "line",
            rows: rows.map(({ texts, ...row }) => ({ ...row, fields: names.map((name) => texts[name] ?? "") })),
        };
    }

    /** The lines as tables, one for each mark between fields that is in the first line. */
    function tablesOf(lines) {
        const records = recordsOf(lines);
        if (records) return [records];
        const marks = Object.keys(MARKS).filter((mark) => lines[0].text.includes(mark));
        return (marks.length ? marks : [","]).map((mark) => {
            const rows = lines.map(({ line, text }) => {
                const { value, reason } = tried(() => fieldsOf(text, mark));
                return { line, fields: value ?? [], reason };
            });
            return { mark: MARKS[mark], head: namesHead(rows[0].fields), unit: "line", rows };
        });
    }

    /** The place of each field of a coup in a table with these column names; null where the layout lacks the hands. */
    function placed(layout, head) {
        const at = {};
        for (const [field, column] of Object.entries(layout.columns)) {
            const columns = [column].flat();
            columns.forEach((name, i) => {
                const place = head.indexOf(name.toLowerCase());
                if (place >= 0) at[Array.isArray(column) ? `${field}_${i + 1}` : field] = place;
            });
        }
        const hasHand = (hand) => hand in at || (`${hand}_1` in at && `${hand}_2` in at);
        return "cards" in at || (hasHand("player") && hasHand("banker")) ? at : null;
    }

    const ofOrder = (names) => Object.fromEntries(names.map((name, i) => [name, i]));

    /** The layouts that a table may have: where each field is, and from which row on. */
    function placingsOf(table, shipped) {
        const named = shipped
            .map((layout) => ({ layout, at: placed(layout, table.head), names: table.head, from: 1 }))
            .filter(({ at }) => at);
        if (table.mark === "JSON") return named.map((placing) => ({ ...placing, from: 0 }));
        if (named.length) {
            const twice = table.head.find((name, i) => name && table.head.indexOf(name) < i);
            if (twice) throw new RangeError(`line ${table.rows[0].line}: column ${twice}: there twice, should be there once`);
            return named;
        }
        return ORDERS.filter((names) => names.length === table.head.length).map((names) => ({
            layout: { name: names.join(","), writing: NO_WRITING },
            at: ofOrder(names),
            names,
            from: 0,
        }));
    }

    /** Player's and Banker's cards of one list of a coup: by the totals logged, where one split alone has them, else by the
      drawing rules. */
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
        throw new RangeError(`cards: ${cards.join(" ")}, which hand has the fifth is not clear without the totals`);
    }

    /** A hand's cards: two or three that were seen. */
    function seenHand(cards, text, column) {
        if (cards.includes("?")) throw new RangeError(`${column}: ${text}, should be cards that were seen`);
        if (cards.length < 2 || cards.length > 3)
            throw new RangeError(`${column}: ${text || "nothing"}, should be two or three cards, ${spelling.CARDS}`);
        return cards;
    }

    /** The texts of a list's places, empty ones too. */
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

    function coupOf(row, placing, by, game) {
        const { at, names } = placing;
        if (row.reason) throw new RangeError(row.reason);
        if (row.fields.length !== names.length)
            throw new RangeError(`${row.fields.length} fields, should be ${names.length}: ${names.join(",")}`);
        const texts = Object.fromEntries(Object.entries(at).map(([field, place]) => [field, row.fields[place]]));
        if (texts.event) throw new RangeError(`event: ${texts.event}, should be empty: only coups are read`);
        const totals = Object.keys(HANDS).map((hand) => totalOf(texts[`${hand}_total`], `${hand}_total`));
        const [player, banker] = handsOf(texts, at, by, placing.order, totals, game.tableau);
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
        };
    }

    /** A placing with the ways in which its cards may be written: each a reading of the table. */
    function readingsOf(table, placing, game) {
        const { layout, at, from } = placing;
        const rows = table.rows.slice(from, from + SAMPLE).filter(({ fields }) => fields.length === placing.names.length);
        const textsOf = (fields) => fields.filter((field) => field in at).flatMap((f) => rows.map((row) => row.fields[at[f]]));
        const writing = layout.writing;
        const isList = "cards" in at;
        const hands = textsOf(isList ? ["cards"] : ["player", "banker"]);
        const first = [...hands, ...textsOf(isList ? [] : CARD_COLUMNS.filter((name) => !name.endsWith("3")))];
        const thirds = textsOf(isList ? [] : ["player_3", "banker_3"]);
        const hasPlaces = writing.order === "places" && hands.some((text) => LIST_MARKS.test(text));
        const order = writing.order === "places" && !hasPlaces ? "dealt" : writing.order;
        const ways = spelling.waysOf(first, thirds, hands.length > 0, writing, game.words.no_card);
        const example = first.flatMap((text) => spelling.split(text))[0] ?? "";
        return ways.map((by) => ({ table, placing: { ...placing, order }, by, example }));
    }

    function rowsRead({ table, placing, by }, game, most = Infinity) {
        const coups = [];
        const unread = [];
        for (const row of table.rows.slice(placing.from, placing.from + most)) {
            const { value, reason } = tried(() => coupOf(row, placing, by, game));
            if (value) coups.push(value);
            else unread.push({ line: row.line, reason });
        }
        return { coups, unread };
    }

    /** How good a reading is: lines read, coups that the drawing rules deal, columns that it knows. */
    function merits(reading, game) {
        const { coups, unread } = rowsRead(reading, game, SAMPLE);
        const lawful = coups.filter(({ player, banker }) => shoe.isByRules(game.tableau, player, banker)).length;
        return [coups.length / Math.max(1, coups.length + unread.length), lawful, Object.keys(reading.placing.at).length];
    }

    const isBetter = (a, b) => {
        const i = a.findIndex((merit, k) => merit !== b[k]);
        return i >= 0 && a[i] > b[i];
    };

    function words({ table, placing, by, example }) {
        const { layout, names, at, from } = placing;
        const isNamed = from === 1 || table.mark === "JSON";
        const unused = isNamed ? names.filter((name, i) => name && !Object.values(at).includes(i)) : [];
        const parts = [
            isNamed ? `Layout ${layout.name}` : `No column names, read as ${layout.name}`,
            table.mark === "JSON" ? "JSON" : names.length > 1 ? `fields parted by ${table.mark}` : "",
            spelling.described(by, example),
        ].filter(Boolean);
        return `${parts.join(", ")}.${unused.length ? ` Columns not used: ${unused.join(", ")}.` : ""}`;
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
            `9h Kd 3s or 9 K 3, or below the column names of a layout: ${game.layouts.map(({ name }) => name).join(", ")}`;
        if (!lines.length) throw new RangeError(`line 1: no coup, should be ${allowed}`);
        let best = null;
        for (const table of tablesOf(lines))
            for (const placing of placingsOf(table, game.layouts))
                for (const reading of readingsOf(table, placing, game)) {
                    const merit = merits(reading, game);
                    if (best === null || isBetter(merit, best.merit)) best = { reading, merit };
                }
        const { line } = lines[0];
        if (best === null) {
            const { head, rows } = tablesOf(lines)[0];
            const fields = `${head.length} field${head.length === 1 ? "" : "s"}, should be ${allowed}`;
            throw new RangeError(`line ${line}: ${rows[0].reason ?? fields}`);
        }
        const rows = rowsRead(best.reading, game);
        if (!rows.coups.length && !rows.unread.length) throw new RangeError(`line ${line}: no coup, should be ${allowed}`);
        return { ...rows, unit: best.reading.table.unit, layout: best.reading.placing.layout, how: words(best.reading) };
    }

    

    return { COLUMNS: OWN, HANDS, read };
})();
