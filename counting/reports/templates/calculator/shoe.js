/* A shoe as it is dealt: from cards in the order in which they are seen to hands, coups and the unseen cards.

   A card is a text: a rank with its suit (`9h`), without it (`9`, `K`), or `0`, a ten or face of unknown
   rank. What happened is a list of events, from which `follow` works out everything else:
     "9h"                               a card that was dealt, or shown and burned at the start
     {burn: ["8d", "?", "?"]}           cards burned before the first coup; "?" was not seen
     {exposed: ["9h"]}                  cards that left the shoe between coups
     {coup: {player: [...], banker: [...]}}  a coup that was not dealt by the drawing rules */
const shoe = (() => {
    "use strict";
    const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
    const SUITS = ["s", "h", "d", "c"];
    const VALUE_OF_RANK = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0];
    const TEN_OR_FACE = "0";
    const DECK = 52;
    const LEAST = 6; // cards with which a coup may begin
    const NATURAL = 8; // a total of this or more, on two cards
    const STOOD = 10; // the column of Banker's table for a Player who stood

    const suitOf = (card) => SUITS.indexOf(card.slice(-1));
    const rankOf = (card) => RANKS.indexOf(suitOf(card) < 0 ? card : card.slice(0, -1));
    const valueOf = (card) => (card === TEN_OR_FACE ? 0 : VALUE_OF_RANK[rankOf(card)]);
    const totalOf = (hand) => hand.reduce((total, card) => total + valueOf(card), 0) % 10;
    const knowsOf = (card) => (card === TEN_OR_FACE ? "value" : suitOf(card) < 0 ? "rank" : "card");

    /** The unseen cards of a shoe by card, rank and value: full decks less the cards seen. */
    class Unseen {
        constructor(decks) {
            this.decks = decks;
            this.card = new Array(DECK).fill(decks);
            this.rank = new Array(RANKS.length).fill(4 * decks);
            this.value = [16 * decks, ...new Array(9).fill(4 * decks)];
            this.knows = { card: true, rank: true };
        }

        /** How many of the cards left may be this card. */
        left(card) {
            const rank = rankOf(card);
            const ofValue = this.value[valueOf(card)];
            if (rank < 0) return ofValue;
            const ofRank = Math.min(ofValue, this.rank[rank]);
            return suitOf(card) < 0 ? ofRank : Math.min(ofRank, this.card[4 * rank + suitOf(card)]);
        }

        take(card) {
            if (this.left(card) < 1) {
                const decks = `${this.decks} deck${this.decks > 1 ? "s" : ""}`;
                throw new RangeError(`card ${card}: none is left in a shoe of ${decks}`);
            }
            const rank = rankOf(card);
            this.value[valueOf(card)]--;
            if (rank >= 0) this.rank[rank]--;
            if (suitOf(card) >= 0) this.card[4 * rank + suitOf(card)]--;
            if (suitOf(card) < 0) this.knows.card = false;
            if (rank < 0) this.knows.rank = false;
        }

        /** The present counts. Counts by card or rank are null if a card was seen without its suit or rank. */
        counts() {
            return {
                card: this.knows.card && this.knows.rank ? [...this.card] : null,
                rank: this.knows.rank ? [...this.rank] : null,
                value: [...this.value],
            };
        }
    }

    /** Whether the two-card totals end the coup, because one is a natural after which nobody draws. A hand with a
      natural never draws. */
    const ends = (tableau, p, q) => (p >= NATURAL && tableau.ending[0]) || (q >= NATURAL && tableau.ending[1]);

    /** The hand to which the tableau deals the next card, "player" or "banker"; null if the coup is over. */
    function nextHand(tableau, player, banker) {
        if (banker.length < 2) return player.length === banker.length ? "player" : "banker";
        const p = totalOf(player.slice(0, 2));
        const q = totalOf(banker.slice(0, 2));
        if (ends(tableau, p, q)) return null;
        if (tableau.player[p] && player.length < 3) return "player";
        const third = player.length > 2 ? valueOf(player[2]) : STOOD;
        return tableau.banker[q]?.[third] && banker.length < 3 ? "banker" : null;
    }

    /** Whether the tableau deals exactly these hands. */
    function isByRules(tableau, player, banker) {
        const hands = { player: [], banker: [] };
        for (;;) {
            const next = nextHand(tableau, hands.player, hands.banker);
            const of = next === "player" ? player : banker;
            if (next === null) return hands.player.length === player.length && hands.banker.length === banker.length;
            if (hands[next].length >= of.length) return false;
            hands[next].push(of[hands[next].length]);
        }
    }

    /** The cards of a coup in the order in which they are dealt. */
    const inOrder = (player, banker) =>
        [player[0], banker[0], player[1], banker[1], ...player.slice(2), ...banker.slice(2)].filter(Boolean);

    const winnerOf = (player, banker) => {
        const margin = totalOf(player) - totalOf(banker);
        return margin > 0 ? "player" : margin < 0 ? "banker" : "tie";
    };

    /** The numbers of cards that a burn procedure takes: shown, and unseen. */
    function burnOf(burn) {
        if (burn === "first-card") return { shown: 1, hidden: 0 };
        const [number, shown] = burn.split("-");
        const cards = burn === "none" ? 0 : Number(number);
        return shown ? { shown: cards, hidden: 0 } : { shown: 0, hidden: cards };
    }

    /** The largest number of cards behind the cut card with which coup `at` (from 0) is still dealt. */
    function lastCut(undealt, at, [inside, first]) {
        return at < inside ? undealt[0] : undealt[at - inside] - (inside - first);
    }

    /** The state of a shoe after these events. Throws RangeError, with one line, for an impossible event. */
    function follow(game, settings, events) {
        const unseen = new Unseen(settings.decks);
        const coups = [];
        const undealtAt = [];
        let hands = { player: [], banker: [] };
        let start = null;
        let dealt = 0;
        let hidden = 0;
        const burn = events.length && events[0].burn ? { shown: 0, hidden: 0 } : burnOf(settings.burn);
        const burned = [];
        const exposed = [];

        const undealt = () => DECK * settings.decks - dealt - hidden;
        const before = () => ({ unseen: unseen.counts(), cards: undealt() + hidden, undealt: undealt(), hidden });
        const see = (card) => {
            if (undealt() < 1) throw new RangeError(`card ${card}: the shoe is empty`);
            unseen.take(card);
            dealt++;
        };
        const hide = (cards) => {
            if (undealt() < cards) throw new RangeError(`burn: ${cards} to be burned, the shoe has ${undealt()}`);
            hidden += cards;
        };
        const begin = () => {
            if (undealt() < LEAST)
                throw new RangeError(`coup ${coups.length + 1}: fewer than six cards are left in the shoe`);
            start = before();
            undealtAt.push(undealt());
        };
        const finish = (byRules) => {
            const { player, banker } = hands;
            const code = byRules
                ? pricing.codeOf(totalOf(player), totalOf(banker), player.length, banker.length)
                : null;
            const winner = winnerOf(player, banker);
            coups.push({ number: coups.length + 1, player, banker, winner, code, byRules, before: start });
            hands = { player: [], banker: [] };
            start = null;
        };
        const deal = (card) => {
            if (start === null) begin();
            const to = nextHand(game.tableau, hands.player, hands.banker);
            see(card);
            hands[to].push(card);
            if (nextHand(game.tableau, hands.player, hands.banker) === null) finish(true);
        };
        const leave = (cards, list) => {
            if (start !== null) throw new RangeError("burn: a coup is in progress, cards leave the shoe between coups");
            cards.forEach((card) => (card === "?" ? hide(1) : see(card)));
            list.push({ before: coups.length + 1, cards });
        };
        const burnShown = (card) => {
            see(card);
            burn.shown--;
            const after = settings.burn === "first-card" ? valueOf(card) || 10 : 0;
            hide(after);
            if (!burned.length) burned.push({ before: 1, cards: [] });
            burned[0].cards.push(card, ...new Array(after).fill("?"));
        };

        if (burn.hidden) {
            hide(burn.hidden);
            burned.push({ before: 1, cards: new Array(burn.hidden).fill("?") });
        }
        events.forEach((event, i) => {
            if (event.burn) {
                if (i > 0) throw new RangeError("burn: should come before the first card");
                leave(event.burn, burned);
            } else if (burn.shown && typeof event !== "string") {
                throw new RangeError(
                    `burn: ${burn.shown} to be shown, should be tapped, or listed with the first coup`,
                );
            } else if (event.exposed) {
                leave(event.exposed, exposed);
            } else if (event.coup) {
                if (start !== null)
                    throw new RangeError("coup: another coup is in progress, should be finished or taken back");
                begin();
                inOrder(event.coup.player, event.coup.banker).forEach(see);
                hands = { player: [...event.coup.player], banker: [...event.coup.banker] };
                finish(false);
            } else if (burn.shown) {
                burnShown(event);
            } else {
                deal(event);
            }
        });

        const at = coups.length;
        const cutOf = (coup, now) => lastCut([...undealtAt.slice(0, coup), now], coup, settings.after_cut);
        return {
            unseen,
            coups,
            hands,
            exposed: [...burned, ...exposed],
            inProgress: start !== null,
            before: start ?? before(),
            burning: burn.shown,
            undealt: undealt(),
            toCut: undealt() - settings.cut,
            next: burn.shown ? "burn" : nextHand(game.tableau, hands.player, hands.banker),
            over: start === null && undealt() < LEAST,
            beyondCut: start === null && cutOf(at, undealt()) < settings.cut,
        };
    }

    return {
        RANKS,
        SUITS,
        TEN_OR_FACE,
        Unseen,
        ends,
        follow,
        inOrder,
        isByRules,
        knowsOf,
        nextHand,
        rankOf,
        suitOf,
        totalOf,
        valueOf,
        winnerOf,
    };
})();
