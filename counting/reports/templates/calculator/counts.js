/* Counting systems: the running count, the true count as the project defines it, and whether a trigger is reached. */
const counts = (() => {
    "use strict";
    const DECK = 52;
    const TO_ZERO = "to-zero";

    /** The number by which the running count is divided: 1, or the number of cards left, exact or in whole steps (at
      least one). */
    function divisor(system, before) {
        if (system.count === "running") return 1;
        const cards = system.per === "unseen" ? before.cards : before.undealt;
        if (!system.step) return cards;
        const steps =
            system.rounding === "nearest"
                ? Math.floor((2 * cards + system.step) / (2 * system.step))
                : Math.floor(cards / system.step);
        return Math.max(steps, 1) * system.step;
    }

    /** A system's count before a coup; null if it counts ranks or suits and these are not known. Triggers are compared
      in whole numbers: count * scale against trigger * scale * divisor. */
    function read(system, decks, before) {
        const unseen = before.unseen[system.knows];
        if (!unseen) return null;
        const tags = system.knows === "value" ? [system.tags[12], ...system.tags.slice(0, 9)] : system.tags;
        const left = unseen.reduce((total, count, i) => total + count * tags[i], 0);
        const alike = DECK / system.tags.length; // cards of a deck for each entry of `tags`
        const full = alike * decks * system.tags.reduce((total, tag) => total + tag, 0);
        const running = (system.start === TO_ZERO ? 0 : system.start + full) - left;
        const by = divisor(system, before);
        const count = running * system.scale * (system.count === "true" ? DECK : 1);
        const scaled = system.centre === null ? count : Math.abs(count - system.centre * by);
        return {
            running,
            divisor: by,
            value: Math.floor((running * DECK * 100) / by) / 100, // the true count, rounded down to hundredths
            reached: system.triggers.map((trigger) => scaled >= trigger.scaled * by),
        };
    }

    return { read };
})();
