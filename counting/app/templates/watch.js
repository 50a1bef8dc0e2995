/* Shows alerts as they come, and the list of watches as it changes, and fills the rule's field. A page is whole without it: reload to see more. */

import { hear, pageOf } from "/app.js";

const part = () => document.querySelector("[data-watch]"), list = () => document.getElementById("watches");
const place = () => `/table/${encodeURIComponent(part().dataset.watch)}`;

/** Replace the alerts by what the server shows now; their order and the focus stay. */
async function renew(old) {
  const made = (await pageOf(`${place()}/alerts${location.search}`))?.querySelector("[data-watch]");
  if (!made) return;
  const heads = [...old.querySelectorAll("thead th")], column = heads.findIndex((head) => head.ariaSort);
  const clicks = column < 0 ? 0 : heads[column].ariaSort === "descending" ? 1 : 2;
  const at = document.activeElement, inside = old.contains(at) && at !== old, head = heads.indexOf(at.closest("th"));
  old.replaceWith(document.adoptNode(made));
  const open = made.dataset.open, title = document.title.replace(/^\(\d+\) /, "");
  document.title = open === "0" ? title : `(${open}) ${title}`;
  const sorter = document.createElement("script"); // the reports' own, for the new table
  sorter.src = "/tables.js";
  sorter.addEventListener("load", () => {
    const button = (number) => made.querySelectorAll("thead th")[number]?.querySelector("button");
    for (let i = 0; i < clicks; i++) button(column)?.click();
    if (inside) (document.getElementById(at.id) ?? button(head) ?? made).focus({ preventScroll: true });
  });
  document.head.append(sorter);
}

/** What a state says of alerts: its last word is the time of the page. */
const alerts = (state) => state.replace(/ \d+$/, "");

/** Show what has changed; a page of the tables that somebody reads stays. */
function show(told) {
  const here = part(), frame = document.querySelector("iframe"), before = here.dataset.state;
  const reads = document.activeElement === frame, page = told.slice(alerts(told).length);
  here.dataset.state = reads ? alerts(told) + before.slice(alerts(before).length) : told;
  if (alerts(told) !== alerts(before)) renew(here);
  if (!reads && !before.endsWith(page)) frame.src = `${place()}/now`;
}

/** Show the list of watches anew where one of them has changed. */
async function showAll(told) {
  const states = JSON.stringify(Object.entries(told).map(([name, state]) => [name, alerts(state)]));
  if (list().dataset.states === states) return;
  list().dataset.states = states;
  const made = (await pageOf(location.href))?.getElementById("watches");
  if (made) list().replaceChildren(...document.adoptNode(made).childNodes);
}

hear(() => part() || list(), ({ watches }) => { if (part()) show(watches[part().dataset.watch]); else showAll(watches); });
for (const button of document.querySelectorAll("[data-rule]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const field = document.getElementById("rule"), counts = document.getElementById("system");
    const count = counts.value.split(",")[0].trim(), text = button.dataset.rule;
    if (text.includes("COUNT") && !count) {
      counts.placeholder = "Choose a count here, then the rule";
      return counts.focus();
    }
    field.value = [field.value.trimEnd(), text.replace("COUNT", count)].filter(Boolean).join("\n");
    return field.focus();
  });
}
