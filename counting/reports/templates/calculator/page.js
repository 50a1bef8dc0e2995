/* The page: what is tapped, typed or pasted becomes events of the shoe; all that is shown follows from them. */
const page = (() => {
  "use strict";
  const game = JSON.parse(document.getElementById("game").textContent);
  const at = (id) => document.getElementById(id);
  const HANDS = { player: "Player", banker: "Banker" };
  const PLACES = ["first", "second", "third"];
  const SUIT_SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
  const SUIT_NAMES = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
  const RANK_NAMES = { A: "ace", J: "jack", Q: "queen", K: "king", 0: "ten or face" };
  const KEYS = { ...Object.fromEntries([..."A23456789JQK"].map((key) => [key, key])), 0: "10", T: "10", F: "0" };

  const priced = new Map(); // prices by composition
  const past = []; // what Undo goes back to
  let now = { settings: { ...game.dealing }, events: [] };
  let state = shoe.follow(game, now.settings, now.events);
  let bySuit = game.bets.some((bet) => bet.knows === "card");
  let pending = ""; // a rank that waits for its suit
  let drawn = ""; // what the tables and the strip show
  let isOut = false; // the next card leaves the shoe without a coup
  let shown = game.bets.length ? defaultBet() : 0; // the bet of the strip

  function defaultBet() {
    const counted = game.systems.flatMap((system) => system.triggers.map((trigger) => trigger.for));
    return Math.max(game.bets.findIndex((bet) => counted.includes(bet.title)), 0);
  }

  // Words and numbers

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children);
    return element;
  }

  const signed = (text, number) => (number > 0 ? `+${text}` : number < 0 ? `−${text}` : text);

  /** A share in percent with its sign; a share that is not zero never reads as zero. */
  function percent(share, digits = 3) {
    const least = 10 ** -digits;
    const size = Math.abs(100 * share);
    if (share !== 0 && size < least) return `${share > 0 ? "+" : "−"}<${least.toFixed(digits)}%`;
    return `${signed(size.toFixed(digits), share)}%`;
  }

  const axisPercent = (share, step) =>
    step === undefined ? percent(share) : percent(share, Math.max(0, Math.ceil(-Math.log10(100 * step) - 1e-9)));

  const fixed = (number, digits) => signed(Math.abs(number).toFixed(digits), number);
  const wholeOf = (number) => String(number).replace("-", "−");
  const grouped = (number) => String(number).replace("-", "−").replace(/\B(?=(\d{3})+(?!\d))/g, " ");
  const plural = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

  function nameOf(card) {
    const rank = card === shoe.TEN_OR_FACE ? "0" : shoe.RANKS[shoe.rankOf(card)];
    const suit = card.slice(-1);
    return `${RANK_NAMES[rank] ?? rank}${suit in SUIT_SIGNS ? ` of ${SUIT_NAMES[suit]}` : ""}`;
  }

  function faceOf(card) {
    if (card === "?") return "?";
    if (card === shoe.TEN_OR_FACE) return "10–K";
    const suit = card.slice(-1);
    return suit in SUIT_SIGNS ? card.slice(0, -1) + SUIT_SIGNS[suit] : card;
  }

  // Prices

  const keyOf = ({ unseen }) => `${unseen.card ?? ""};${unseen.rank ?? ""};${unseen.value}`;

  function pricesOf(before) {
    const key = keyOf(before);
    if (!priced.has(key)) priced.set(key, pricing.price(game, before.unseen));
    return priced.get(key);
  }

  /** The prices before the coming coup or the one in progress; null when too few cards are left. */
  const current = () => (pricing.refusal(state.before.unseen.value, game.most_cards) ? null : pricesOf(state.before));

  // What happens

  function complain(message, where = "message") {
    at(where).textContent = message;
    return false;
  }

  /** Go to other settings or events, if they can be; what was before is kept for Undo. */
  function go(next, where) {
    try {
      state = shoe.follow(game, next.settings, next.events);
    } catch (error) {
      if (error instanceof RangeError) return complain(error.message, where);
      throw error;
    }
    past.push(now);
    now = next;
    pending = "";
    show();
    return true;
  }

  function undo() {
    if (pending) pending = "";
    else if (past.length) {
      now = past.pop();
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
      const { events, remarks } = log.eventsOf(at("lines").value, game, now.settings, now.events);
      go({ ...now, events });
      const coups = state.coups.length - shoe.follow(game, before.settings, before.events).coups.length;
      complain([`${plural(coups, "coup")} read.`, ...remarks].join(" "), "read-message");
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      complain(error.message, "read-message");
    }
  }

  // What is shown

  function cardChip(card) {
    const suit = card.slice(-1);
    return make("span", { class: `card${suit === "h" || suit === "d" ? " red" : ""}`, "aria-label": nameOf(card), role: "img" }, faceOf(card));
  }

  function showHands() {
    const last = state.coups.at(-1);
    const isDealing = state.inProgress;
    const hands = isDealing || !last ? state.hands : last;
    for (const hand of ["player", "banker"]) {
      const cards = hands[hand].map(cardChip);
      for (let i = cards.length; i < 2; i++) cards.push(make("span", { class: "card empty", "aria-hidden": "true" }));
      at(`${hand}-cards`).replaceChildren(...cards);
      at(`${hand}-total`).textContent = hands[hand].length ? shoe.totalOf(hands[hand]) : "–";
    }
    const result = { player: "Player won", banker: "Banker won", tie: "a tie" };
    at("coup-title").textContent =
      isDealing || !last ? `Coup ${state.coups.length + 1}` : `Coup ${last.number}: ${result[last.winner]}`;
    at("next").textContent = nextWords();
    const seen = 52 * now.settings.decks - state.undealt;
    const toCut = state.toCut > 0 ? `${state.toCut} to the cut card` : "the cut card is out";
    at("cards-left").textContent = `${plural(seen, "card")} dealt or burned, ${state.undealt} in the shoe, ${toCut}.`;
  }

  function nextWords() {
    if (pending) return `${RANK_NAMES[pending] ?? pending}: type its suit, S H D or C, or - without one.`;
    if (state.burning) return `Next: ${state.burning === 1 ? "the card" : `${state.burning} cards`} to burn, face up.`;
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
    const button = make("button", { type: "button", class: "tap word", "data-card": "out", "aria-pressed": String(isOut), disabled: state.inProgress || state.burning > 0 }, "Exposed card");
    button.addEventListener("click", () => {
      isOut = !isOut;
      show();
    });
    return button;
  }

  function unseenTap() {
    const button = make("button", { type: "button", class: "tap word", "data-card": "?", disabled: !isOut }, "Burned unseen");
    button.addEventListener("click", () => tap("?"));
    return button;
  }

  function showBets() {
    const prices = current();
    const coup = state.coups.length + 1;
    at("bets-title").textContent = `Edges before coup ${coup}`;
    const full = pricesOf({ unseen: new shoe.Unseen(now.settings.decks).counts() }).prices;
    const rows = game.bets.flatMap((bet, i) => betRows(bet, prices && prices.prices[i], full[i]));
    at("bets").replaceChildren(...rows);
    at("verdict").textContent = verdict(coup, prices && prices.prices);
  }

  function betRows(bet, price, full) {
    const title = bet.meter ? `${bet.title} (meter ${bet.meter})` : bet.title;
    if (!price) {
      const why = { rank: "needs every card's rank", card: "needs every card's suit", value: "too few cards" }[bet.knows];
      return [make("tr", {}, make("th", { scope: "row" }, title), make("td", { colspan: 4, class: "note" }, why))];
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
    if (!at("exact").checked) return [row];
    return [row, make("tr", { class: "exact" }, make("td", { colspan: 5 }, fraction))];
  }

  function verdict(coup, prices) {
    if (!prices) return "Too few cards are left for another coup.";
    const known = game.bets.map((bet, i) => ({ title: bet.title, price: prices[i] })).filter(({ price }) => price);
    if (!known.length) return "No bet can be priced: a card was entered without what the bets look at.";
    known.sort((a, b) => b.price.edge - a.price.edge);
    const positive = known.filter(({ price }) => price.numerator > 0n).length;
    const best = `${known[0].title} (${percent(known[0].price.edge)})`;
    if (!positive) return `Coup ${coup}: no bet is positive. The best is ${best}.`;
    return `Coup ${coup}: ${positive === 1 ? "one bet is" : `${positive} bets are`} positive. The best is ${best}.`;
  }

  function showCounts() {
    at("counts-part").hidden = !game.systems.length;
    const rows = game.systems.flatMap((system) => {
      const read = counts.read(system, now.settings.decks, state.before);
      return system.triggers.map((trigger, i) =>
        make(
          "tr",
          { class: read?.reached[i] ? "positive" : "" },
          make("th", { scope: "row" }, system.title, trigger.for ? make("span", { class: "for" }, ` for ${trigger.for}`) : ""),
          make("td", {}, read ? wholeOf(read.running) : "needs ranks"),
          make("td", {}, read && system.count === "true" ? fixed(read.value, 2) : "–"),
          make("td", {}, wholeOf(trigger.at)),
          make("td", { class: "mark" }, read?.reached[i] ? "▲ reached" : "not reached"),
        ),
      );
    });
    at("counts").replaceChildren(...rows);
  }

  function showHistory() {
    const all = [...state.coups, { number: state.coups.length + 1, before: state.before, winner: null }];
    const rows = all.map((coup) => {
      const refused = pricing.refusal(coup.before.unseen.value, game.most_cards);
      const price = refused ? null : pricesOf(coup.before).prices[shown];
      return { number: coup.number, winner: coup.winner, edge: price && price.edge, positive: price && price.numerator > 0n };
    });
    const bet = game.bets[shown];
    const positive = rows.filter((row) => row.positive).length;
    const words = `${bet.title}: edge before each of ${plural(rows.length, "coup")}, positive before ${positive}`;
    at("strip").replaceChildren(chart.strip(rows, words, axisPercent, at("strip").clientWidth));
    at("strip").scrollLeft = at("strip").scrollWidth;
    const wins = ["player", "banker", "tie"].map((hand) => state.coups.filter((coup) => coup.winner === hand).length);
    at("strip-words").textContent =
      `${bet.title} is positive before ${positive} of ${plural(rows.length, "coup")}, the coming one included. ` +
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
      `${plural(settings.decks, "deck")}, burn ${settings.burn}, ${settings.cut} cards behind the cut card`;
  }

  function show() {
    complain("");
    complain("", "settings-message");
    showHands();
    showTaps();
    showSettings();
    const lines = log.linesOf(state, game.game);
    const follows = [lines, JSON.stringify(now.settings), keyOf(state.before), shown].join();
    if (follows === drawn) return; // a card within a coup changes no edge
    drawn = follows;
    at("print").value = lines;
    showBets();
    showCounts();
    showHistory();
  }

  /** The settings of the form. Throws RangeError for what cannot be. */
  function settingsTyped() {
    const burn = at("burn").value.trim();
    const cut = at("cut").value.trim();
    const decks = Number(at("decks").value);
    if (!/^(none|first-card|([1-9]|[1-4][0-9]|5[0-2])(-shown)?)$/.test(burn))
      throw new RangeError(`burn: ${burn || "nothing"}, should be none, first-card, or 1 to 52 cards, as 3 or 3-shown`);
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

  async function copy() {
    at("print").select();
    try {
      await navigator.clipboard.writeText(at("print").value);
      complain("Copied.", "print-message");
    } catch {
      complain("Selected: copy it with Ctrl+C.", "print-message");
    }
  }

  function save() {
    const link = make("a", { href: URL.createObjectURL(new Blob([at("print").value], { type: "text/csv" })), download: `${game.game}-shoe.csv` });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  function begin() {
    for (const decks of game.decks_allowed) at("decks").append(make("option", { value: decks }, String(decks)));
    for (const pair of game.after_cuts) at("after-cut").append(make("option", { value: pair.join(",") }, pair.join(",")));
    game.bets.forEach((bet, i) => at("strip-bet").append(make("option", { value: i, selected: i === shown }, bet.title)));
    at("strip-bet").addEventListener("change", (event) => {
      shown = Number(event.target.value);
      show();
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
  return { game, state: () => state, prices: current };
})();
