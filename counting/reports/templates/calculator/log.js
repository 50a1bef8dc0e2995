/* The lines of a table's log: read into the events of a shoe, and written from its coups.

   A line is a coup: table, shoe, coup, player, banker and, if they were logged, winner and burn, under a line of column
   names in any order; or without one in this order; or Player's and Banker's cards alone. */
const log = (() => {
    "use strict";
    const COLUMNS = ["table", "shoe", "coup", "player", "banker", "winner", "burn"];
    const ALLOWED =
        "a coup as table,shoe,coup,player,banker,winner,burn or player,banker, with cards as 9h Kd 3s or 9 K 3";
    const CARDS = "cards as 9h or h9, 9, K, 0 (a ten or face)";
    const MARKS = [",", ";", "\t", "|"];
    const WINNERS = { player: "player", p: "player", banker: "banker", b: "banker", tie: "tie", t: "tie" };
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
    const PLAYING_CARDS = 0x1f0a0; // Unicode's, sixteen a suit: a knight, the twelfth, is no card of ours
    const RANK_NAMES = { T: "10", 1: "A", 0: "10", 11: "J", 12: "Q", 13: "K" };
    const SUIT_SIGNS = ["♠♤", "♥♡", "♦♢", "♣♧"];
    const BETWEEN = /[\s,;/|+&_[\](){}"'-]+/;

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

    /** The card that a word names; null for none. */
    function cardOf(word) {
        if (word === "?" || word === "??" || word.toUpperCase() === "X") return "?";
        let match = RANK_FIRST.exec(word);
        if (match) return rankNamed(match[1]) + suitNamed(match[2]);
        match = SUIT_FIRST.exec(word);
        if (match) return rankNamed(match[2]) + suitNamed(match[1]);
        if (word === "0") return shoe.TEN_OR_FACE;
        return /^([1-9TJQKA]|10)$/i.test(word) ? rankNamed(word) : playingCard(word);
    }

    /** The cards of a field. Throws RangeError for a word that is none. */
    function cardsOf(text, column) {
        const cards = [];
        for (const word of text.split(BETWEEN).filter(Boolean)) {
            const joined = JOINED.find(([whole]) => whole.test(word));
            for (const part of joined ? word.match(joined[1]) : [word]) {
                const card = cardOf(part);
                if (card === null) throw new RangeError(`${column}: ${part}, should be ${CARDS}`);
                cards.push(card);
            }
        }
        return cards;
    }

    /** The fields of a line; a field in double quotes may hold the mark, and a quote twice. */
    function fieldsOf(line, mark) {
        const fields = [];
        let rest = line;
        for (;;) {
            const quoted = /^\s*"((?:[^"]|"")*)"\s*/.exec(rest);
            const end = quoted ? quoted[0].length : rest.indexOf(mark);
            if (quoted && end < rest.length && rest[end] !== mark) throw new RangeError("text stands beside a quote");
            if (!quoted && rest.trim().startsWith('"')) throw new RangeError("a quote is not closed");
            fields.push(quoted ? quoted[1].replaceAll('""', '"') : (end < 0 ? rest : rest.slice(0, end)).trim());
            if (end < 0 || end >= rest.length) return fields;
            rest = rest.slice(end + 1);
        }
    }

    const markOf = (line) =>
        MARKS.reduce((best, mark) => (line.split(mark).length > line.split(best).length ? mark : best));

    /** The column names: of the first line where it has them, else by the number of its fields. */
    function namesOf(fields) {
        const names = fields.map((field) => field.toLowerCase());
        if (names.includes("player") && names.includes("banker")) {
            const twice = names.find((name, i) => name && names.indexOf(name) < i);
            if (twice) throw new RangeError(`column ${twice}: there twice, should be there once`);
            return { names, isHead: true };
        }
        if (fields.length === 2) return { names: ["player", "banker"], isHead: false };
        if (fields.length >= 5 && fields.length <= 7) return { names: COLUMNS.slice(0, fields.length), isHead: false };
        throw new RangeError(`${fields.length} field${fields.length > 1 ? "s" : ""}, should be ${ALLOWED}`);
    }

    /** A hand's cards: two or three that were seen. */
    function handOf(text, column) {
        const cards = cardsOf(text, column);
        if (cards.includes("?")) throw new RangeError(`${column}: ${text}, should be cards that were seen`);
        if (cards.length < 2 || cards.length > 3)
            throw new RangeError(`${column}: ${text || "nothing"}, should be two or three cards, ${CARDS}`);
        return cards;
    }

    /** The coups of a text. Throws RangeError that names the line. */
    function coupsOf(text) {
        const coups = [];
        let columns = null;
        let mark = ",";
        let key = null;
        text.split(/\r?\n/).forEach((line, i) => {
            if (!line.replace("\ufeff", "").trim()) return;
            try {
                if (columns === null) mark = markOf(line);
                const fields = fieldsOf(line.replace("\ufeff", ""), mark);
                if (columns === null) {
                    columns = namesOf(fields);
                    if (columns.isHead) return;
                }
                const { names } = columns;
                if (fields.length !== names.length)
                    throw new RangeError(`${fields.length} fields, should be ${names.length}: ${names.join(",")}`);
                const row = Object.fromEntries(names.map((name, at) => [name, fields[at]]));
                if (row.event) throw new RangeError(`event: ${row.event}, should be empty: only coups are read`);
                const place = [row.table ?? "", row.shoe ?? ""];
                key ??= place;
                if (place.join("\n") !== key.join("\n"))
                    throw new RangeError(
                        `table ${place[0]}, shoe ${place[1]}: should be one shoe, as the lines before: ${key[0]}, ${key[1]}`,
                    );
                const winner = row.winner ? WINNERS[row.winner.toLowerCase()] : "";
                if (winner === undefined)
                    throw new RangeError(`winner: ${row.winner}, should be player, banker or tie`);
                if (row.coup && !/^[0-9]{1,4}$/.test(row.coup))
                    throw new RangeError(`coup: ${row.coup}, should be a number from 1`);
                coups.push({
                    line: i + 1,
                    number: row.coup ? Number(row.coup) : null,
                    player: handOf(row.player, "player"),
                    banker: handOf(row.banker, "banker"),
                    winner,
                    burn: row.burn ? cardsOf(row.burn, "burn") : [],
                });
            } catch (error) {
                if (error instanceof RangeError)
                    throw new RangeError(`line ${i + 1}: ${error.message}`, { cause: error });
                throw error;
            }
        });
        if (!coups.length) throw new RangeError(`line 1: no coup, should be ${ALLOWED}`);
        return coups;
    }

    /** The events of a text's coups after those of a shoe, and remarks on coups that were read but are wrong. Throws
      RangeError, one line that names the text's line, for what cannot be read or cannot be. */
    function eventsOf(text, game, settings, events) {
        const all = [...events];
        const remarks = [];
        const begun = shoe.follow(game, settings, all);
        let dealt = begun.coups.length;
        if (begun.inProgress)
            throw new RangeError(`coup ${dealt + 1}: in progress, should be finished or taken back first`);
        for (const coup of coupsOf(text)) {
            const due = dealt + 1;
            try {
                if (coup.number !== null && coup.number !== due)
                    throw new RangeError(
                        `coup ${coup.number}, should be ${due}: every coup of the shoe is needed, in order`,
                    );
                if (due === 1 && !coup.burn.length && shoe.follow(game, settings, all).burning)
                    throw new RangeError(
                        "burn: empty, should be the cards burned before the first coup, or burn set to none",
                    );
                if (coup.burn.length) all.push(all.length ? { exposed: coup.burn } : { burn: coup.burn });
                const { player, banker } = coup;
                if (shoe.isByRules(game.tableau, player, banker)) all.push(...shoe.inOrder(player, banker));
                else {
                    all.push({ coup: { player, banker } });
                    remarks.push(`Coup ${due} was not dealt by the drawing rules.`);
                }
                const { winner } = shoe.follow(game, settings, all).coups[due - 1];
                if (coup.winner && coup.winner !== winner)
                    remarks.push(`Coup ${due}: the log has ${coup.winner} as winner, the cards give ${winner}.`);
                dealt = due;
            } catch (error) {
                if (error instanceof RangeError)
                    throw new RangeError(`line ${coup.line}: ${error.message}`, { cause: error });
                throw error;
            }
        }
        return { events: all, remarks };
    }

    /** The finished coups of a shoe as CSV, which `eventsOf` reads back. */
    function linesOf(state, table) {
        const rows = state.coups.map((coup) => {
            const burned = state.exposed.filter((left) => left.before === coup.number).flatMap((left) => left.cards);
            const cards = [coup.player, coup.banker].map((hand) => hand.join(" "));
            return [table, "1", coup.number, ...cards, coup.winner, burned.join(" ")].join(",");
        });
        return `${[COLUMNS.join(","), ...rows].join("\n")}\n`;
    }

    return { eventsOf, linesOf };
})();
