/* Pasted lines as tables with a row for each coup. The lines may be fields with a mark between them, JSON records,
   frames of an electronic shoe, or coups with their cards in a second table.

   A table has these fields:
     head     the names of its columns in lower case
     rows     each with its line, its fields and, if it cannot be read, the reason
     isNamed  whether the names are separate from the rows; otherwise the first row may have them
     of       its layout, if no other layout is possible
     how      the form of the text, in words
     remarks  in words */
const sources = (() => {
    "use strict";
    const MARKS = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" };
    const [START, END] = [0x05, 0x03]; // around a frame's ASCII digit, letter and data; two check digits follow
    const MOST_DATA = 16; // bytes between the letter and the end
    const AGAIN = 4; // a frame equal to one of the last four is the same frame, sent again
    const SIDES = { player: 8, banker: 9 }; // the high half of the byte that gives a card's place
    const FIRST_SUIT = 9;
    const WINNERS = { 0xc: "banker", 0x9: "player", 0xa: "tie" }; // by the high half of a result's byte
    const SHOE_EVENTS = { D: "", S: "", P: "", R: "card returned", E: "error" };
    const FRAMES_HEAD = ["coup", "player", "banker", "winner", "event"];

    const unreadable = (line, reason) => ({ line, fields: [], reason });
    const lowered = (fields) => fields.map((field) => field.toLowerCase());

    /** The value that a function returns, or the reason in its RangeError. */
    function tried(make) {
        try {
            return { value: make() };
        } catch (error) {
            if (!(error instanceof RangeError)) throw error;
            return { reason: error.message };
        }
    }

    // Fields separated by a mark

    /** The fields of a line. A field in double quotes may have the mark in it, and a quote written twice. */
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

    /** The lines as tables, one for each mark that is in the first line. */
    function partedTables(lines) {
        const marks = Object.keys(MARKS).filter((mark) => lines[0].text.includes(mark));
        return (marks.length ? marks : [","]).map((mark) => {
            const rows = lines.map(({ line, text }) => {
                const { value, reason } = tried(() => fieldsOf(text, mark));
                return reason === undefined ? { line, fields: value } : unreadable(line, reason);
            });
            const how = rows[0].fields.length > 1 ? `fields separated by ${MARKS[mark]}` : "";
            return { head: lowered(rows[0].fields), unit: "line", rows, how, remarks: [] };
        });
    }

    // JSON

    /** A record's values as texts, by their paths. In a list of plain values, an item's path ends in its place. */
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

    function jsonOf(text, reason) {
        try {
            return JSON.parse(text);
        } catch {
            throw new RangeError(reason);
        }
    }

    /** Records of JSON as a table, from one record per line or from a list; null for other texts. */
    function recordTable(lines) {
        if (!/^[[{]/.test(lines[0].text)) return null;
        const whole = tried(() => [jsonOf(lines.map(({ text }) => text).join("\n"), "not one value")].flat());
        const records = whole.value
            ? whole.value.map((value, i) => ({ line: i + 1, value }))
            : lines.map(({ line, text }) => ({
                  line,
                  ...tried(() => jsonOf(text, "not JSON, should be a record in braces")),
              }));
        const read = records.map(({ line, value, reason }) => ({ line, reason, texts: reason ? {} : flattened(value) }));
        const names = [...new Set(read.flatMap(({ texts }) => Object.keys(texts)))];
        const rows = read.map(({ line, reason, texts }) =>
            reason ? unreadable(line, reason) : { line, fields: names.map((name) => texts[name] ?? "") },
        );
        const unit = whole.value ? "record" : "line";
        return { head: lowered(names), unit, rows, isNamed: true, isJson: true, how: "JSON", remarks: [] };
    }

    // The frames of an electronic shoe

    /** The bytes of a line in hex, with or without gaps; null for other texts. */
    function bytesOf(text) {
        const plain = text.replaceAll(",", " ").replaceAll("0x", "").trim();
        if (!/^(?:[0-9a-f]{2}\s*)+$/i.test(plain)) return null;
        return plain.match(/[0-9a-f]{2}/gi).map((byte) => parseInt(byte, 16));
    }

    const hex = (byte) => byte.toString(16).padStart(2, "0");
    const isDigit = (byte) => byte >= 0x30 && byte <= 0x39;
    const isLetter = (byte) => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);

    /** The length of the frame with right check digits that begins here; 0 if there is none. */
    function frameAt(bytes, at) {
        if (bytes[at] !== START || !isDigit(bytes[at + 1]) || !isLetter(bytes[at + 2])) return 0;
        for (let end = at + 3; end <= at + 3 + MOST_DATA && end + 2 < bytes.length; end += 1) {
            if (bytes[end] !== END) continue;
            const check = bytes.slice(at + 1, end + 1).reduce((sum, byte) => sum ^ byte, 0);
            if (String.fromCharCode(bytes[end + 1], bytes[end + 2]) === hex(check).toUpperCase()) return end + 3 - at;
        }
        return 0;
    }

    /** The frames of a line. Throws RangeError for bytes that are no frame. */
    function framesOf(text) {
        const bytes = bytesOf(text);
        if (!bytes) throw new RangeError("not bytes in hex");
        const frames = [];
        for (let at = 0; at < bytes.length; at += frames.at(-1).length) {
            const length = frameAt(bytes, at);
            if (!length) throw new RangeError("not a frame: 05, digit, letter, data, 03, two check digits");
            frames.push(bytes.slice(at, at + length));
        }
        return frames;
    }

    function cardOf(code, { suits }) {
        const rank = shoe.RANKS[(code & 15) - 1];
        const suit = (code >> 4) - FIRST_SUIT;
        return rank && suit >= 0 && suit < 4 ? rank + (suits[suit] ?? "") : "?";
    }

    /** Frames as a table: a row for each result, with its line; `event` is what the shoe reported in the coup. A frame
      with a small letter repeats the frame with the capital letter, and is skipped. */
    function frameTable(lines, layout) {
        const rows = [];
        let coup = { cards: new Map(), events: [] };
        let number = 0;
        let last = [];
        for (const { line, text } of lines) {
            const { value, reason } = tried(() => framesOf(text));
            if (reason) rows.push(unreadable(line, reason));
            for (const frame of value ?? []) {
                const kind = String.fromCharCode(frame[2]);
                const [first, second] = frame.slice(3, -3);
                if (kind !== kind.toUpperCase() || last.includes(frame.join())) continue;
                last = [...last, frame.join()].slice(-AGAIN);
                if (kind === "I") coup.cards.set(first, cardOf(second, layout.frames));
                else if (kind !== "G") {
                    const event = SHOE_EVENTS[kind] ?? `frame ${kind}`;
                    const code = kind === "E" ? (layout.frames.errors[hex(first)] ?? `${event} ${hex(first)}`) : event;
                    if (code) coup.events.push(code);
                } else {
                    const places = [...coup.cards.keys()].sort((a, b) => a - b);
                    const hands = Object.values(SIDES).map((side) =>
                        places.filter((place) => place >> 4 === side).map((place) => coup.cards.get(place)).join(" "),
                    );
                    const winner = WINNERS[first >> 4] ?? hex(first);
                    rows.push({ line, fields: [String(++number), ...hands, winner, coup.events.join(", ")] });
                    coup = { cards: new Map(), events: [] };
                }
            }
        }
        const remarks = coup.cards.size ? ["Cards after the last result belong to no coup and are left out."] : [];
        return { head: FRAMES_HEAD, unit: "line", rows, isNamed: true, of: layout, how: "frames in hex", remarks };
    }

    // Coups whose cards are in a second table

    const hasAll = (head, names) => names.every((name) => head.includes(name));

    /** The columns of a table with a row for each card. */
    const cardColumns = ({ of, hand, place, card, rank, suit }) =>
        lowered([of, hand, place, card, rank, suit].filter((name) => name !== null));

    /** Whether a line has these names among its fields. */
    const isHead = ({ text }, names) =>
        Object.keys(MARKS).some((mark) => hasAll(lowered(tried(() => fieldsOf(text, mark)).value ?? []), names));

    /** The lines of coups and the lines of cards, in either order; each part begins with a line of column names. Null if
      there is no such table of cards. */
    function linesApart(lines, form) {
        const from = lines.findIndex((line) => isHead(line, cardColumns(form)));
        if (from < 0) return null;
        const next = lines.findIndex((line, i) => i > from && isHead(line, [form.id.toLowerCase()]));
        const to = next < 0 ? lines.length : next;
        return { cards: lines.slice(from, to), coups: [...lines.slice(0, from), ...lines.slice(to)] };
    }

    /** The table of coups and the table of cards; null if there is no table of cards. */
    function tablesApart(lines, form) {
        const names = cardColumns(form);
        const records = recordTable(lines);
        if (records) {
            if (!hasAll(records.head, names)) return null;
            const of = records.head.indexOf(form.of.toLowerCase());
            const isCard = ({ fields }) => Boolean(fields[of]);
            const isCoup = (row) => !isCard(row);
            return [isCoup, isCard].map((isOf) => ({ ...records, rows: records.rows.filter(isOf) }));
        }
        const apart = linesApart(lines, form);
        if (!apart) return null;
        const first = apart.coups[0];
        if (!first || !isHead(first, [form.id.toLowerCase()]))
            throw new RangeError(
                `line ${apart.cards[0].line}: cards alone, should be with the table of their coups above or below, ` +
                    `which has the column ${form.id} and a line of column names`,
            );
        return Object.values({ coups: apart.coups, cards: apart.cards }).map((part, i) => {
            const wanted = i ? names : [form.id.toLowerCase()];
            const table = partedTables(part).find(({ head }) => hasAll(head, wanted));
            return { ...table, rows: table.rows.slice(1) };
        });
    }

    const plainId = (text) => text.replace(/^([0-9]+)\.0+$/, "$1");

    /** A card's coup, hand, place and text. Throws RangeError for a card without a hand or place. */
    function cardIn(row, head, form) {
        if (row.reason) throw new RangeError(row.reason);
        if (row.fields.length !== head.length)
            throw new RangeError(`${row.fields.length} fields, should be ${head.length}: ${head.join(",")}`);
        const textOf = (name) => (name === null ? "" : row.fields[head.indexOf(name.toLowerCase())]);
        const [hand, place] = [textOf(form.hand), textOf(form.place)];
        const side = form.hands[hand.toLowerCase()];
        if (!side) throw new RangeError(`${form.hand}: ${hand || "nothing"}, should be player or banker`);
        if (form.place !== null && !/^[0-9]+(\.[0-9]+)?$/.test(place))
            throw new RangeError(`${form.place}: ${place || "nothing"}, should be a number`);
        const card = form.card === null ? textOf(form.rank) + textOf(form.suit) : textOf(form.card);
        return { of: plainId(textOf(form.of)), side, place: form.place === null ? row.line : Number(place), card: card || "?" };
    }

    /** A table of the coups with the cards of a second table, and the lines of cards that cannot be read. Null if there is
      no second table. */
    function joinedTable(lines, layout) {
        const form = layout.card_rows;
        const apart = tablesApart(lines, form);
        if (!apart) return null;
        const [coups, cards] = apart;
        const id = coups.head.indexOf(form.id.toLowerCase());
        const hands = new Map();
        const bad = [];
        const broken = new Set(); // coups whose cards have unreadable lines
        const ofAt = cards.head.indexOf(form.of.toLowerCase());
        for (const row of cards.rows) {
            const { reason } = tried(() => {
                const { of, side, place, card } = cardIn(row, cards.head, form);
                if (!hands.has(of)) hands.set(of, { player: new Map(), banker: new Map() });
                const hand = hands.get(of)[side];
                if (hand.has(place)) throw new RangeError(`coup ${of}: two cards at place ${place} of ${side}`);
                hand.set(place, card);
            });
            if (reason) {
                bad.push(unreadable(row.line, reason));
                broken.add(plainId(row.fields[ofAt] ?? ""));
            }
        }
        const textOf = (hand) => [...hand].sort(([a], [b]) => a - b).map(([, card]) => card).join(" ");
        const used = new Set();
        const rows = coups.rows.flatMap((row) => {
            if (row.reason || row.fields.length !== coups.head.length) return [row];
            const of = plainId(row.fields[id]);
            used.add(of);
            if (broken.has(of)) return [];
            const { player, banker } = hands.get(of) ?? { player: [], banker: [] };
            return [{ line: row.line, fields: [...row.fields, textOf(player), textOf(banker)] }];
        });
        const others = [...hands].filter(([of]) => !used.has(of)).length;
        const remarks = others ? [`Cards of ${others} other coup${others > 1 ? "s" : ""} left out.`] : [];
        const head = [...coups.head, "player", "banker"];
        const how = `${coups.how}, cards in a table of their own`;
        return { head, unit: coups.unit, rows: [...rows, ...bad], isNamed: true, of: layout, how, remarks };
    }

    // All kinds of texts

    /** The tables that a text's lines may be. */
    function tablesOf(lines, shipped) {
        const framed = shipped.filter(({ frames }) => frames);
        if (framed.length && lines.some(({ text }) => frameAt(bytesOf(text) ?? [], 0)))
            return framed.map((layout) => frameTable(lines, layout));
        const joined = shipped.filter(({ card_rows: rows }) => rows).map((layout) => joinedTable(lines, layout));
        const tables = joined.filter(Boolean);
        if (tables.length) return tables;
        const records = recordTable(lines);
        return records ? [records] : partedTables(lines);
    }

    /** One row for each coup. A log may have a row after each card; the coup's last row with cards in both hands is
      taken. `falls`: the shoe's column counts what was dealt, so a new shoe begins when the count falls, and shoes are
      numbered here. */
    function lastRows(rows, at, falls) {
        const held = new Map();
        const shoes = new Map();
        let empty = 0;
        const others = [];
        for (const { line, fields, reason } of rows) {
            const text = (field) => (field in at ? (fields[at[field]] ?? "") : "");
            const count = falls ? Number(text("shoe")) : 0;
            if (reason) others.push(unreadable(line, reason));
            else if (!text("player") || !text("banker")) empty++;
            else if (falls && !/^[0-9]{1,15}(\.0+)?$/.test(text("shoe")))
                others.push(unreadable(line, `shoe: ${text("shoe") || "nothing"}, should be a whole number`));
            else {
                const last = shoes.get(text("table")) ?? { number: 1, count };
                const number = last.number + (count < last.count ? 1 : 0);
                shoes.set(text("table"), { number, count });
                const named = falls ? fields.with(at.shoe, String(number)) : fields;
                held.set([text("table"), named[at.shoe], text("coup")].join("\t"), { line, fields: named });
            }
        }
        const remarks = empty ? [`${empty} state${empty > 1 ? "s" : ""} without cards in both hands left out.`] : [];
        return { rows: [...held.values(), ...others], remarks };
    }

    return { lastRows, tablesOf, tried };
})();
