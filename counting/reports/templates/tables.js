"use strict";
// A click on a heading sorts a table: numbers by value, words by alphabet. A third click restores the first order.
(() => {
  const value = (row, column) => {
    const text = row.cells[column].textContent.trim();
    const number = text.replace(/,/g, "").match(/^[<>]?\s*([+-]?\d+(\.\d+)?(e[+-]?\d+)?)/);
    return { text, number: number ? Number(number[1]) : NaN };
  };
  const compare = (a, b) => {
    if (!Number.isNaN(a.number) && !Number.isNaN(b.number)) return a.number - b.number;
    if (Number.isNaN(a.number) !== Number.isNaN(b.number)) return Number.isNaN(a.number) ? 1 : -1;
    return a.text.localeCompare(b.text);
  };
  for (const table of document.querySelectorAll("table.data")) {
    const body = table.tBodies[0], first = [...body.rows];
    if (first.length < 3 || ![...body.querySelectorAll("td")].some((cell) => cell.textContent.trim())) continue;
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (!head.textContent.trim()) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const next = { none: "descending", descending: "ascending", ascending: "none" }[head.ariaSort ?? "none"];
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        const sign = next === "ascending" ? 1 : -1;
        const rows = [...first];
        if (next !== "none") {
          head.ariaSort = next;
          rows.sort((a, b) => sign * compare(value(a, column), value(b, column)));
        }
        body.append(...rows);
      });
    });
  }
})();
