"use strict";
// Format numbers as counting/reports/numbers.py does.
const Numbers = (() => {
  const least = 0.0001, mostBesideABound = 30;
  // A tie is rounded to the even digit, as in Python. Only numbers of few binary digits can be ties.
  const fixed = (value, digits, most = 9) => {
    const places = Math.min(Math.max(digits, 0), most), scaled = Math.abs(value) * 10 ** places, low = Math.floor(scaled);
    const tie = scaled - low === 0.5 && Number.isInteger(value * 2 ** (places + 1));
    const text = (tie ? (low + (low % 2)) / 10 ** places : Math.abs(value)).toFixed(places);
    const [whole, rest] = text.split(".");
    const sign = value < 0 || Object.is(value, -0) ? "-" : "";
    return sign + whole.replace(/\B(?=(\d{3})+$)/g, ",") + (rest ? `.${rest}` : "");
  };
  const small = (value) => (Math.abs(value) > 0 && Math.abs(value) < least ? (value > 0 ? `< ${least}` : `> -${least}`) : "");
  const rounded = (value, digits, up) => {
    const step = 10 ** -digits, steps = value / step, bits = Math.min(1e-9, 2e-15 * Math.abs(steps));
    return (up ? -Math.floor(bits - steps) : Math.floor(steps + bits)) * step + 0; // never -0
  };
  const figure = (value, error) => {
    if (value === 0) return "0";
    if (error === null || !(error > 0)) return small(value) || fixed(value, 3 - Math.floor(Math.log10(Math.abs(value))));
    if (Math.abs(value) + 2 * error < least) return small(value);
    const digits = 1 - Math.floor(Math.log10(error));
    return `${fixed(value, digits)} ± ${fixed(error, digits)}`;
  };
  const at = (value, digits, up) => {
    const shown = up === null ? value : rounded(value, digits, up);
    return Number(fixed(shown, digits, mostBesideABound).replace(/,/g, ""));
  };
  const crosses = (shown, value, bound) => value > bound !== shown > bound || value < bound !== shown < bound;
  const amount = (value, up = null, bound = null) => {
    if (value === 0) return "0";
    if (up === null && value !== 0 && Math.abs(value) < least) return value > 0 ? `less than ${least}` : small(value);
    let digits = Math.abs(value) >= 1 ? 2 : Math.abs(value) >= 0.1 ? 3 : 4, shown = at(value, digits, up);
    while (bound !== null && digits < mostBesideABound && crosses(shown, value, bound)) {
      digits += 1;
      shown = digits < mostBesideABound ? at(value, digits, up) : value;
    }
    return fixed(shown, digits, mostBesideABound);
  };
  const leastWords = (value, bound = null) =>
    value < least && !(bound !== null && 0 < bound && bound < value) ? "more than 0" : `at least ${amount(value, false, bound)}`;
  const money = (value, bound = null, up = null) => {
    const near = bound !== null && Math.abs(value - bound) < 1;
    return Math.abs(value) < 10 || near ? amount(value, up, bound) : fixed(at(value, 0, up), 0);
  };
  return { figure, amount, leastWords, money };
})();
