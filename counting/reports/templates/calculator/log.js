/* The lines of a table's log: read into the events of a shoe, and written from its coups. */
const log = (() => {
    "use strict";
    const DAY = 24 * 3600 + 1; // seconds, and a leap second
    const CLOCK =
        /^(?:([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})[ T])?([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?$/;
    const RUNNING = 1000; // from this first number on, coups are taken to be numbered on from shoe to shoe

    /** What to add to a log's numbers to get the numbers of coups. A log may number from 0, or number on from shoe to
      shoe. */
    function offsetOf(number, due, { first, order }) {
        const isFromZero = first === 0 || (first === null && due === 1 && number === 0);
        return isFromZero && number === due - 1 ? 1 : number >= RUNNING || order === "running" ? due - number : 0;
    }

    const numberOf = (text) => (/^[0-9]{1,15}(\.0+)?$/.test(text) ? Math.trunc(Number(text)) : null);

    /** A number of seconds that rises with the time, from a clock time with or without a date, or from a count; null
      for other texts. */
    function timeOf(text) {
        const match = CLOCK.exec(text);
        if (!match) return /^[0-9]{5,15}(\.0+)?$/.test(text) ? Number(text) : null;
        const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0));
        if (month > 12 || day > 31 || hour > 23 || minute > 59 || second > 60) return null;
        const days = (year * 13 + month) * 32 + day;
        return days * DAY + hour * 3600 + minute * 60 + second + Number(`0.${match[7] ?? 0}`);
    }

    /** Clock times in the order of play. The shoe's day begins after the longest pause, so a shoe may pass midnight. */
    function throughMidnight(times) {
        const sorted = [...new Set(times)].sort((a, b) => a - b);
        if (sorted.at(-1) >= DAY) return times;
        const pauses = sorted.map((time, i) => (i ? time - sorted[i - 1] : time + DAY - sorted.at(-1)));
        const start = sorted[pauses.indexOf(Math.max(...pauses))];
        return times.map((time) => (time - start + DAY) % DAY);
    }

    /** The coups' numbers in the shoe, from `due` on (null for a coup without a number), and remarks. Throws RangeError
      with the line for a text that is no number, or not in order. */
    function numbered(coups, due, { numbers: by }) {
        const texts = coups.map(({ number }) => number);
        const at = (i) => `line ${coups[i].line}: coup ${texts[i]}`;
        if (by.order === "time" || (by.order === null && texts.some((text) => text.includes(":")))) {
            const times = texts.map(timeOf);
            const none = times.indexOf(null);
            if (none >= 0) throw new RangeError(`${at(none)}, should be a time as 21:04:30`);
            const passed = throughMidnight(times);
            const early = passed.findIndex((time, i) => i > 0 && time < passed[i - 1]);
            if (early > 0) throw new RangeError(`${at(early)}, should not be earlier than the line before`);
            return [texts.map(() => null), ["Coups are numbered by a clock: a missing coup cannot be detected."]];
        }
        const wrong = texts.findIndex((text) => text && numberOf(text) === null);
        if (wrong >= 0) throw new RangeError(`${at(wrong)}, should be a number from 1`);
        const numbers = texts.map((text) => (text ? numberOf(text) : null));
        const first = numbers.find((number) => number !== null) ?? due;
        const offset = offsetOf(first, due, by);
        const remark = `The log numbers its coups from ${first}. They are read as coups from ${due}.`;
        return [numbers.map((number) => (number === null ? null : number + offset)), offset ? [remark] : []];
    }

    /** The unread lines in words. Neighbouring lines with the same reason are joined. */
    function unreadWords(unread, unit) {
        const groups = [];
        for (const { line, reason } of unread) {
            const last = groups.at(-1);
            if (last && last.reason === reason && last.to === line - 1) last.to = line;
            else groups.push({ from: line, to: line, reason });
        }
        return groups.map(({ from, to, reason }) => `${unit} ${from}${to > from ? ` to ${to}` : ""}: ${reason}`);
    }

    /** The coups that are from another shoe than the first coup, each with its line and a reason to refuse it. */
    function otherShoes(coups) {
        const [table, number] = coups.length ? coups[0].place : [];
        return coups
            .filter(({ place }) => place[0] !== table || place[1] !== number)
            .map(({ line, place }) => ({
                line,
                reason: `table ${place[0]}, shoe ${place[1]}: should be one shoe, as the lines before: ${table}, ${number}`,
            }));
    }

    /** Remarks on a coup: what the shoe reported, and a logged winner or total that the cards contradict. */
    function remarksOn(due, coup, winner) {
        const remarks = coup.event ? [`Coup ${due}: the shoe reported ${coup.event}.`] : [];
        if (coup.winner && coup.winner !== winner)
            remarks.push(`Coup ${due}: the winner is ${coup.winner} in the log, but ${winner} by the cards.`);
        Object.entries(layouts.HANDS).forEach(([hand, name], i) => {
            const total = shoe.totalOf(coup[hand]);
            if (coup.totals[i] !== null && coup.totals[i] !== total)
                remarks.push(`Coup ${due}: ${name}'s total is ${coup.totals[i]} in the log, but ${total} by the cards.`);
        });
        return remarks;
    }

    /** The events of a shoe and then of a text's coups, `how` the text was read, and remarks on coups that were read but
      are wrong. If a coup cannot be read or dealt, no coup is taken, and RangeError is thrown: it lists the unread lines
      or, if all lines were read, names the first coup that cannot be dealt. */
    function eventsOf(text, game, settings, events) {
        const all = [...events];
        const begun = shoe.follow(game, settings, all);
        let due = begun.coups.length + 1;
        if (begun.inProgress) throw new RangeError(`coup ${due}: in progress, should be finished or taken back first`);
        const { coups, unread, unit, layout, how } = layouts.read(text, game);
        const refused = [...unread, ...otherShoes(coups)].sort((a, b) => a.line - b.line);
        if (refused.length) throw new RangeError([...unreadWords(refused, unit), `No coup was taken. ${how}`].join("\n"));
        const [numbers, remarks] = numbered(coups, due, layout);
        coups.forEach((coup, i) => {
            try {
                if (numbers[i] !== null && numbers[i] !== due)
                    throw new RangeError(
                        `coup ${coup.number}, should be ${Number(coup.number) + due - numbers[i]}: every coup of the shoe is ` +
                            "needed, in order",
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
                remarks.push(...remarksOn(due, coup, winner));
                due++;
            } catch (error) {
                if (!(error instanceof RangeError)) throw error;
                throw new RangeError(`${unit} ${coup.line}: ${error.message}\nNo coup was taken. ${how}`, { cause: error });
            }
        });
        return { events: all, remarks, how };
    }

    /** A card as a log has it. A ten of unknown suit is T, as 10 is any ten or face in a log by values. */
    const written = (card) => (card === "10" ? "T" : card);

    /** The finished coups of a shoe as CSV, which `eventsOf` reads back. */
    function linesOf(state, table) {
        const rows = state.coups.map((coup) => {
            const burned = state.exposed.filter((left) => left.before === coup.number).flatMap((left) => left.cards);
            const cards = [coup.player, coup.banker, burned].map((hand) => hand.map(written).join(" "));
            return [table, "1", coup.number, cards[0], cards[1], coup.winner, cards[2]].join(",");
        });
        return `${[layouts.COLUMNS.join(","), ...rows].join("\n")}\n`;
    }

    return { eventsOf, linesOf };
})();
