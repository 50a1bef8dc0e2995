/* Shows alerts and the list of watches as they change, and fills the rule's field. Without this script, reload the
   page. */

import { hear, pageOf, renew } from "/app.js";

const part = () => document.querySelector("[data-watch]"), list = () => document.getElementById("watches");
const place = () => `/table/${encodeURIComponent(part().dataset.watch)}`;

/** Show the present alerts. Their order and the focus stay. */
async function showAlerts(old) {
  const page = await pageOf(place() + location.search);
  const heads = [...old.querySelectorAll("thead th")], column = heads.findIndex((head) => head.ariaSort);
  const clicks = column < 0 ? 0 : heads[column].ariaSort === "descending" ? 1 : 2;
  const at = document.activeElement, inside = old.contains(at) && at !== old, head = heads.indexOf(at.closest("th"));
  const made = renew(old, page);
  if (!made) return;
  document.title = page.title;
  const sorter = document.createElement("script"); // the script of reports, for the new table
  sorter.src = "/tables.js";
  sorter.addEventListener("load", () => {
    const button = (number) => made.querySelectorAll("thead th")[number]?.querySelector("button");
    for (let i = 0; i < clicks; i++) button(column)?.click();
    if (inside) (document.getElementById(at.id) ?? button(head) ?? made).focus({ preventScroll: true });
  });
  document.head.append(sorter);
}

/** The part of a state about alerts: all but the last word, which is the time of the page. */
const alerts = (state) => state.replace(/ \d+$/, "");

/** Show what has changed. If somebody is reading the page of the tables, it stays. */
function show(told) {
  const here = part(), frame = document.querySelector("iframe"), before = here.dataset.state;
  const reads = document.activeElement === frame, page = told.slice(alerts(told).length);
  here.dataset.state = reads ? alerts(told) + before.slice(alerts(before).length) : told;
  if (alerts(told) !== alerts(before)) showAlerts(here);
  if (!reads && !before.endsWith(page)) frame.src = `${place()}/now`;
}

let listed = "";

/** Show the list of watches again if a watch has changed. */
async function showAll(told) {
  const states = JSON.stringify(Object.entries(told).map(([name, state]) => [name, alerts(state)]));
  if (listed === states) return;
  listed = states;
  renew(list(), await pageOf(location.href));
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
