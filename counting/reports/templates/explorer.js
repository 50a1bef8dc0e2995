"use strict";
// The what-if controls of a page (counting/reports/explorer.py): a sentence, a table and a figure follow the settings.
(() => {
  const UNITS = { hour: "per hour", shoe: "units per shoe", "100-coups": "units per 100 coups" };
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const unique = (values) => [...new Set(values)];
  const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

  // A course's estimates with their errors, and its limits, at the cut with the index `place` and in the unit `per`.
  const gains = (course, place, per, scale) => {
    const columns = per === "shoe" ? course.per_shoe : course.per_100_coups;
    const at = (name) => {
      const value = columns[name]?.[place];
      return value === null || value === undefined ? null : value * scale;
    };
    const lower = "value" in columns ? "value" : "lower", upper = "value" in columns ? "value" : "upper";
    const error = (name) => (name === "value" ? at("error") : at(`${name}_error`));
    return {
      lower: at(lower), lowerError: error(lower), upper: at(upper), upperError: error(upper),
      least: at("least"), most: at("most"), limits: "most" in columns,
    };
  };

  const verdict = (gain, bound) => {
    if (gain.most !== null && (gain.most < bound || gain.most <= 0)) return "MET";
    return gain.least !== null && gain.least > bound ? "NOT MET" : "UNDECIDED";
  };

  const explore = (root, data, first) => {
    const { courses, cuts } = data;
    const set = {
      bet: courses[0].bet, counter: courses[0].counter, requirement: data.requirement, cut: cuts.indexOf(data.cut),
      stake: data.stake, coups: data.coups_per_hour, team: data.team, bound: data.bound?.[0] ?? null,
    };
    const atStart = { ...set };
    const fields = {};
    let ready = false;  // the address is read before it is written

    const of = (...keys) => courses.filter((course) => keys.every((key) => course[key] === set[key]));
    // Keep to settings for which there are figures. A setting that does not fit the settings before it is replaced.
    const settle = () => {
      for (const [key, before] of [["counter", ["bet"]], ["requirement", ["bet", "counter"]]]) {
        if (!of(...before).some((course) => course[key] === set[key])) set[key] = of(...before)[0][key];
      }
      const rule = of("bet", "counter", "requirement");
      const stakes = rule.map((course) => course.stake).filter((stake) => stake !== null);
      if (stakes.length && !stakes.includes(set.stake)) set.stake = stakes[stakes.length - 1];
      return stakes.length ? rule.find((course) => course.stake === set.stake) : rule[0];
    };

    const controls = make("form", { class: "controls" });
    controls.addEventListener("submit", (event) => event.preventDefault());
    const field = (key, label, input, output) => {
      const id = `explore-${key}`;
      input.id = id;
      fields[key] = { input, output, box: make("div", { class: "control" }, make("label", { for: id }, label), input) };
      if (output) {
        output.setAttribute("for", id);
        fields[key].box.append(output);
      }
      controls.append(fields[key].box);
    };
    const choose = (key, label) => {
      const input = make("select");
      input.addEventListener("change", () => show({ [key]: input.value }));
      field(key, label, input);
    };
    const slide = (key, label, read) => {
      const input = make("input", { type: "range", min: 0, step: 1 });
      input.addEventListener("input", () => show(read(Number(input.value))));
      field(key, label, input, make("output"));
    };
    const number = (key, label, least, whole) => {
      const input = make("input", { type: "number", min: least, step: whole ? 1 : "any", inputmode: "decimal" });
      input.addEventListener("input", () => {
        const value = Number(input.value), good = input.value !== "" && value >= least && (!whole || value % 1 === 0);
        input.setAttribute("aria-invalid", String(!good));
        if (good && Number.isFinite(value)) show({ [key]: value }, input);
      });
      field(key, label, input);
    };
    const requirements = () => unique(of("bet", "counter").map((course) => course.requirement)).sort((a, b) => a - b);
    const stakesOf = () => of("bet", "counter", "requirement").map((course) => course.stake);

    choose("bet", "bet");
    choose("counter", "counter");
    slide("cut", "cards behind the cut card", (place) => ({ cut: place }));
    slide("requirement", "main-bet requirement", (place) => ({ requirement: requirements()[place] }));
    if (courses.every((course) => course.stake === null)) {
      number("stake", "largest bet", 0, false);
    } else {
      const input = make("select");
      input.addEventListener("change", () => show({ stake: Number(input.value) }));
      field("stake", "largest bet", input);
    }
    number("coups", "coups (hands) per hour", 0, false);
    number("team", "counters at the table", 1, true);
    if (data.bound) number("bound", `limit, ${UNITS[data.bound[1]]}`, 0, false);
    const reset = make("button", { type: "button", class: "reset" }, "as in this report");
    reset.addEventListener("click", () => show(atStart));
    controls.append(reset);

    const sentence = make("p", { class: "result", "aria-live": "polite" });
    const body = make("tbody");
    const table = make("table", { class: "facts" }, body);
    const drawing = make("div", { class: "plot", role: "img" });
    const legend = make("p", { class: "note" });
    root.append(controls, sentence, drawing, legend, table, ...data.notes.map((note) => make("p", { class: "note" }, note)));

    const options = (input, listed, chosen, words = (name) => name) => {
      input.replaceChildren(...listed.map((name) => make("option", { value: name }, words(name))));
      input.value = chosen;
    };
    const per = data.bound ? data.bound[1] : "hour";
    const scaleOf = (unit, course) => (unit === "hour" ? (set.team * (course.unit ?? set.stake) * set.coups) / 100 : set.team);

    const words = (course) => {
      const gain = gains(course, set.cut, per, scaleOf(per, course)), unit = UNITS[per], limit = set.bound;
      const name = data.names[set.bet], cut = cuts[set.cut];
      const share = (100 * (1 - cut / data.cards)).toFixed(1);
      const requirement = set.requirement ? `, a main-bet requirement of ${set.requirement}` : "";
      const bets = per === "hour" || course.stake !== null ? ` and bets of up to ${set.stake.toLocaleString("en-US", { maximumFractionDigits: 9 })}` : " and bets";
      const at = per === "hour" ? ` at ${set.coups.toLocaleString("en-US", { maximumFractionDigits: 9 })} coups per hour` : "";
      const many = set.team > 1 ? `${set.team} counters` : "one counter";
      const rule = `With ${plural(cut, "card")} behind the cut card (${share}% penetration)${requirement}${bets} on "${name}"${at}, `;
      const kind = `(${set.counter})`, wins = set.team > 1 ? "win" : "wins";
      const place = `${unit}${set.team > 1 ? " together" : ""} at this table`;
      if (!gain.limits) {
        const value = gain.lower === null ? "not known" : Numbers.figure(gain.lower, gain.lowerError);
        return { text: `${rule}${many} ${kind} ${wins} ${value} ${place}.`, word: "" };
      }
      const word = verdict(gain, limit);
      const others = set.team > 1 ? `no team of ${set.team}` : "no counter of this kind";
      const some = gain.least !== null && gain.least > 0 ? `${many} ${kind} ${wins} ${Numbers.leastWords(gain.least, limit)} ${place}` : "";
      const most = gain.most === null ? "" : `more than ${Numbers.amount(gain.most, true, limit)}`;
      // The same wording as in counting/reports/verdicts.py.
      const won =
        gain.most === null && some ? `${some} (99% confidence), but what others win at most is not known`
        : gain.most === null ? `it is not known what ${many} ${kind} ${wins} at most`
        : gain.most <= 0 ? `${others} ${kind} wins anything, and staying away is best`
        : word === "MET" ? `${others} ${kind} wins ${most} ${place} (99% confidence)`
        : some ? `${some}, and ${others} wins ${most} (each with 99% confidence)`
        : `no winning way to play was found, and ${others} ${kind} wins ${most} ${place} (99% confidence)`;
      const between = course.worked_out.length && !course.worked_out[set.cut];
      const bounds = between ? " (these bounds are from the neighbouring cuts, because this cut was not worked out)" : "";
      return { text: `${rule}${won}${bounds}. The limit is ${limit.toLocaleString("en-US", { maximumFractionDigits: 9 })} ${unit}.`, word };
    };

    const rows = (course) => {
      const listed = [];
      const add = (name, value) => listed.push(make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, value)));
      for (const unit of ["hour", "100-coups", "shoe"]) {
        const gain = gains(course, set.cut, unit, scaleOf(unit, course));
        const print = (value, error) => (value === null ? "not known" : Numbers.figure(value, error));
        const low = print(gain.lower, gain.lowerError), high = print(gain.upper, gain.upperError);
        const both = low === high ? low : `${low} to ${high}`;
        const upper = gain.most === null ? "the upper limit is not known" : `at most ${Numbers.amount(gain.most, true, unit === per ? set.bound : null)} (99% confidence)`;
        const most = gain.limits ? `; ${upper}` : "";
        add(`${set.team > 1 ? "all counters win" : "the counter wins"}, ${unit === "hour" ? "money per hour" : UNITS[unit]}`, both + most);
      }
      const frequency = course.frequency[set.cut];
      if (frequency !== undefined && frequency !== null) add("bet frequency", `${(100 * frequency).toFixed(2)}% of coups`);
      const coups = data.coups[set.cut], before = data.coups[cuts.indexOf(data.cut)];
      add("coups per shoe", coups.toFixed(1));
      add("change in coups per shoe from this report's cut card", (coups - before).toFixed(1));
      return listed;
    };

    let plot = null;
    const draw = (course) => {
      const unit = per === "hour" ? "money per hour" : UNITS[per];
      const at = cuts.map((_, place) => gains(course, place, per, scaleOf(per, course)));
      const two = !("value" in course.per_shoe);
      const columns = [at.map((gain) => gain.lower)];
      const names = [two ? "a counter wins" : "the counter wins"];
      const errors = [at.map((gain) => gain.lowerError)];
      if (at[0].limits) {
        columns.push(at.map((gain) => gain.most));
        names.push("no counter wins more than (99%)");
        errors.push(null);
      }
      if (set.bound !== null) {
        columns.push(cuts.map(() => set.bound));
        names.push("limit");
        errors.push(null);
      }
      const colours = ["--line-1", "--line-2", "--line-3"], dashes = [[], [2, 3], [8, 4]];
      const series = names.map((label, i) => ({
        label, stroke: () => css(colours[i]), width: 2, dash: dashes[i], points: { show: false },
        value: (_, value, __, place) =>
          value === null || place === null ? "–" : errors[i] ? Numbers.figure(value, errors[i][place]) : Numbers.amount(value, i === 1, set.bound),
      }));
      const axis = (label) => ({ label, stroke: () => css("--ink"), grid: { stroke: () => css("--faint") }, ticks: { stroke: () => css("--line") } });
      const width = Math.max(280, Math.min(drawing.clientWidth || 900, 1000));
      plot?.destroy();
      plot = new uPlot(
        {
          width, height: 300, scales: { x: { time: false } },
          axes: [axis("cards behind the cut card"), { ...axis(unit), size: 70 }],
          series: [{ label: "cards behind the cut card", value: (_, value) => (value === null ? "–" : String(value)) }, ...series],
          hooks: { draw: [mark] },
        },
        [cuts, ...columns], drawing,
      );
      plot.over.addEventListener("click", () => {
        if (plot.cursor.idx !== null) show({ cut: plot.cursor.idx });
      });
    };
    // Draw a line and a point at the chosen cut.
    const mark = (chart) => {
      const x = chart.valToPos(cuts[set.cut], "x", true), value = chart.data[1][set.cut], pen = chart.ctx;
      pen.save();
      pen.strokeStyle = pen.fillStyle = css("--ink");
      pen.setLineDash([]);
      pen.beginPath();
      pen.moveTo(x, chart.bbox.top);
      pen.lineTo(x, chart.bbox.top + chart.bbox.height);
      pen.stroke();
      if (value !== null && value !== undefined) {
        pen.beginPath();
        pen.arc(x, chart.valToPos(value, "y", true), 5 * devicePixelRatio, 0, 2 * Math.PI);
        pen.fill();
      }
      pen.restore();
    };

    const show = (change, typing = null) => {
      Object.assign(set, change);
      const course = settle();
      options(fields.bet.input, unique(courses.map((each) => each.bet)), set.bet, (bet) => data.names[bet]);
      options(fields.counter.input, unique(of("bet").map((each) => each.counter)), set.counter);
      fields.bet.box.hidden = fields.bet.input.options.length < 2;
      fields.counter.box.hidden = fields.counter.input.options.length < 2;
      const listed = requirements();
      fields.requirement.box.hidden = listed.length < 2;
      fields.requirement.input.max = listed.length - 1;
      fields.requirement.input.value = listed.indexOf(set.requirement);
      fields.requirement.output.textContent = set.requirement;
      fields.cut.input.max = cuts.length - 1;
      fields.cut.input.value = set.cut;
      fields.cut.output.textContent = cuts[set.cut];
      if (fields.stake.input.tagName === "SELECT") options(fields.stake.input, stakesOf(), set.stake);
      for (const key of ["stake", "coups", "team", "bound"]) {
        const input = fields[key]?.input;
        if (input && input !== typing && input.tagName !== "SELECT") {
          input.value = set[key];
          input.setAttribute("aria-invalid", "false");
        }
      }
      const { text, word } = words(course);
      sentence.replaceChildren(...(word ? [make("strong", {}, `${word}. `)] : []), text);
      body.replaceChildren(...rows(course));
      draw(course);
      drawing.setAttribute("aria-label", `${text} The figure shows every number of cards behind the cut card.`);
      legend.textContent = changed() ? "These figures follow your settings, not the settings at the start." : "";
      if (first && ready) keep();
      ready = true;
    };
    const changed = () => Object.keys(atStart).some((key) => atStart[key] !== set[key]);
    // Write the changed settings into the page's address, so that a reader can send them. The cut is a number of cards.
    const keep = () => {
      const given = Object.keys(atStart).filter((key) => atStart[key] !== set[key]);
      const query = new URLSearchParams(given.map((key) => [key, key === "cut" ? cuts[set.cut] : set[key]]));
      if (location.hash.slice(1) !== String(query)) history.replaceState(null, "", given.length ? `#${query}` : location.pathname + location.search);
    };
    const asked = () => {
      const query = new URLSearchParams(location.hash.slice(1)), change = {};
      for (const [key, text] of query) {
        const value = Number(text);
        if (!Object.hasOwn(atStart, key) || text === "") continue;
        if (key === "counter" || (key === "bet" && courses.some((course) => course.bet === text))) change[key] = text;
        else if (key === "cut" && cuts.includes(value)) change.cut = cuts.indexOf(value);
        else if (fields[key]?.input.type === "number" && value >= Number(fields[key].input.min) && Number.isFinite(value) && (key !== "team" || value % 1 === 0)) change[key] = value;
        else if (["requirement", "stake"].includes(key) && Number.isFinite(value)) change[key] = value;
      }
      return change;
    };

    root.hidden = false;
    Object.assign(atStart, { ...set, requirement: (settle(), set.requirement), counter: set.counter, stake: set.stake });
    show(first ? asked() : {});
    for (const media of ["(prefers-color-scheme: dark)", "print"]) matchMedia(media).addEventListener("change", () => show({}));
    addEventListener("resize", () => show({}));
  };

  const listed = JSON.parse(document.getElementById("explorers").textContent);
  document.querySelectorAll(".explorer").forEach((root, i) => explore(root, listed[i], i === 0));
})();
