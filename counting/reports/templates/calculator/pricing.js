/* Exact counts of the ordered six-card deals of a shoe, and the edges of bets as fractions of whole numbers.

   A coup is dealt by its tableau: every pair of first hands by point values, then every third card. Each product is a
   whole number, 0 or more. All products add up to the number of all deals, which is below 2^53 for up to 458 cards.
   So doubles make no rounding error. Bets on ranks and suits are sums of products, which were compiled to trees. Their
   terms have signs, so the sum of their sizes is kept too. If this sum is below 2^53, nothing was rounded. Otherwise
   the sum is done again in BigInt. */
const pricing = (() => {
    "use strict";
    const LEAST = 6; // cards that settle a coup
    const MOST_EXACT = 2 ** 53;
    const TEN = 10;

    const codeOf = (player, banker, playerCards, bankerCards) =>
        player * 40 + banker * 4 + (playerCards - 2) * 2 + (bankerCards - 2);

    const sum = (counts) => counts.reduce((total, count) => total + count, 0);

    function deals(cards) {
        let product = 1;
        for (let i = 0; i < LEAST; i++) product *= cards - i;
        return product;
    }

    /** How many ordered six-card deals give each outcome, by the outcome's code. `values`: the unseen cards by value, 0
      to 9. */
    function outcomeCounts(values, tableau) {
        const out = new Float64Array(400);
        const left = [...values];
        const cards = sum(values);
        const fifth = cards - 5;
        const fifthAndSixth = (cards - 4) * fifth;

        function settle(p, q, ways) {
            if (shoe.ends(tableau, p, q)) {
                out[codeOf(p, q, 2, 2)] += ways * fifthAndSixth;
            } else if (tableau.player[p]) {
                for (let z = 0; z < TEN; z++) {
                    if (left[z] === 0) continue;
                    const five = ways * left[z];
                    const total = (p + z) % TEN;
                    if (!tableau.banker[q]?.[z]) {
                        out[codeOf(total, q, 3, 2)] += five * fifth;
                        continue;
                    }
                    left[z]--;
                    for (let y = 0; y < TEN; y++) out[codeOf(total, (q + y) % TEN, 3, 3)] += five * left[y];
                    left[z]++;
                }
            } else if (tableau.banker[q]?.[TEN]) {
                for (let y = 0; y < TEN; y++) out[codeOf(p, (q + y) % TEN, 2, 3)] += ways * left[y] * fifth;
            } else {
                out[codeOf(p, q, 2, 2)] += ways * fifthAndSixth;
            }
        }

        /** Call `use` for every pair of values, with its total and the number of ways to draw it in either order. */
        function pairs(ways, use) {
            for (let a = 0; a < TEN; a++) {
                const first = ways * left[a];
                if (first === 0) continue;
                left[a]--;
                for (let b = a; b < TEN; b++) {
                    const both = first * left[b] * (a === b ? 1 : 2);
                    if (both === 0) continue;
                    left[b]--;
                    use((a + b) % TEN, both);
                    left[b]++;
                }
                left[a]++;
            }
        }

        pairs(1, (p, ofPlayer) => pairs(ofPlayer, (q, ways) => settle(p, q, ways)));
        return out;
    }

    /** The sums of a tree in doubles; null if one of them may have been rounded. */
    function sumsInDoubles(tree, counts, bases) {
        const sums = new Float64Array(tree.slots);
        const sizes = new Float64Array(tree.slots);
        const path = new Float64Array(8);
        for (let i = 0; i < tree.depth.length; i++) {
            const depth = tree.depth[i];
            path[depth] = depth === 0 ? bases[tree.draw[i]] : path[depth - 1] * (counts[tree.draw[i]] - tree.less[i]);
            for (let k = tree.first[i]; k < tree.first[i + 1]; k++) {
                const term = tree.weight[k] * path[depth];
                sums[tree.slot[k]] += term;
                sizes[tree.slot[k]] += Math.abs(term);
            }
        }
        return sizes.every((size) => size < MOST_EXACT) ? Array.from(sums) : null;
    }

    function sumsInBigInts(tree, counts, bases) {
        const sums = new Array(tree.slots).fill(0n);
        const path = [];
        for (let i = 0; i < tree.depth.length; i++) {
            const depth = tree.depth[i];
            path[depth] =
                depth === 0
                    ? BigInt(bases[tree.draw[i]])
                    : path[depth - 1] * BigInt(counts[tree.draw[i]] - tree.less[i]);
            for (let k = tree.first[i]; k < tree.first[i + 1]; k++)
                sums[tree.slot[k]] += BigInt(tree.weight[k]) * path[depth];
        }
        return sums;
    }

    /** The exact sums of a tree, as numbers, or as BigInts if doubles may have been rounded. */
    function treeSums(tree, counts, bases) {
        const small = bases.every((base) => typeof base === "number") && sumsInDoubles(tree, counts, bases);
        return small || sumsInBigInts(tree, counts, bases);
    }

    /** How many ordered six-card deals meet each line of a bet that is settled by the cards of the hands. */
    function lineCountsOfHands(hands, unseen) {
        const kinds = new Array(hands.kinds).fill(0);
        unseen[hands.knows].forEach((count, entry) => (kinds[hands.kind_of[entry]] += count));
        const cards = sum(unseen.value);
        const bases = treeSums(hands.by_kind, kinds, [1]);
        const byDealt = treeSums(hands.by_value, [...unseen.value, cards], bases);
        const sizes = hands.by_value.slots / hands.lines; // sums per line, by the number of cards that matter, two to six
        const undealt = new Array(LEAST + 1).fill(1n);
        for (let dealt = LEAST - 1; dealt >= 2; dealt--) undealt[dealt] = undealt[dealt + 1] * BigInt(cards - dealt);
        return Array.from({ length: hands.lines }, (_, line) => {
            let total = 0n;
            for (let i = 0; i < sizes; i++) total += BigInt(byDealt[line * sizes + i]) * undealt[2 + i];
            return total;
        });
    }

    /** The same for a bet that is settled by totals and numbers of cards, from the counts of outcomes. */
    function lineCountsOfOutcomes(bet, outcomes, counts) {
        const totals = new Float64Array(bet.lines.length);
        bet.line_of.forEach((line, i) => {
            if (line >= 0) totals[line] += counts[outcomes[i]];
        });
        return Array.from(totals, BigInt);
    }

    function gcd(a, b) {
        while (b) [a, b] = [b, a % b];
        return a < 0n ? -a : a;
    }

    /** A bet's price from the counts of its lines: the edge is numerator / denominator, in lowest terms. */
    function settled(bet, counts, all) {
        const units = bet.lines.reduce((least, line) => {
            const denominator = BigInt(line.pay[1]);
            return (least * denominator) / gcd(least, denominator);
        }, 1n);
        let numerator = -units * all;
        let wins = 0n;
        bet.lines.forEach((line, i) => {
            const pay = BigInt(line.pay[0]) * (units / BigInt(line.pay[1]));
            numerator += (pay + units) * counts[i];
            if (pay > 0n) wins += counts[i];
        });
        const common = gcd(numerator, units * all);
        return {
            counts,
            numerator: numerator / common,
            denominator: (units * all) / common,
            edge: Number(numerator) / Number(units * all),
            wins: Number(wins) / Number(all),
        };
    }

    /** Why a shoe is not priced, in one line; empty for a shoe that is priced. */
    function refusal(values, most) {
        const cards = sum(values);
        if (values.some((count) => !Number.isInteger(count) || count < 0))
            return `shoe v:${values}: counts should be whole numbers, 0 or more`;
        if (cards < LEAST || cards > most)
            return `shoe of ${cards} cards: should be ${LEAST} to ${most}, which doubles count exactly`;
        return "";
    }

    /** The prices of a game's bets. `unseen`: counts of the unseen cards by value, and by rank and by card if these are
      known. The price is null for a bet that needs more than is known. */
    function price(game, unseen) {
        const wrong = refusal(unseen.value, game.most_cards);
        if (wrong) throw new RangeError(wrong);
        const counts = outcomeCounts(unseen.value, game.tableau);
        const all = BigInt(deals(sum(unseen.value)));
        const prices = game.bets.map((bet) => {
            if (!unseen[bet.knows]) return null;
            const ofLines = bet.hands
                ? lineCountsOfHands(bet.hands, unseen)
                : lineCountsOfOutcomes(bet, game.outcomes, counts);
            return settled(bet, ofLines, all);
        });
        return { deals: all, prices };
    }

    /** A game whose progressive bets stand at these meters. `meters`: in units of the stake, by the bets' names. */
    const atMeters = (game, meters) => ({
        ...game,
        bets: game.bets.map((bet) => {
            const meter = meters[bet.name];
            if (!meter) return bet;
            const lines = bet.lines.map((line) =>
                line.share ? { ...line, pay: [line.share[0] * meter, line.share[1]] } : line,
            );
            return { ...bet, meter, lines };
        }),
    });

    return { atMeters, codeOf, price, refusal, sum };
})();
