/* Shows watches and alerts as they come, and fills the rule's field. A page is whole without it: reload to see more. */

const part = () => document.querySelector("[data-part]");

/** Replace the part by what the server shows now; the order and the focus stay. */
async function renew(old) {
  const answer = await fetch(old.dataset.part + location.search);
  if (!answer.ok) return;
  const made = document.adoptNode(new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-part]"));
  const heads = [...old.querySelectorAll("thead th")], column = heads.findIndex((head) => head.ariaSort);
  const clicks = column < 0 ? 0 : heads[column].ariaSort === "descending" ? 1 : 2;
  const at = document.activeElement, inside = old.contains(at) && at !== old, place = heads.indexOf(at.closest("th"));
  const name = at.id;
  old.replaceWith(made);
  const again = () => {
    const head = (number) => made.querySelectorAll("thead th")[number]?.querySelector("button");
    for (let i = 0; i < clicks; i++) head(column)?.click();
    if (inside) (document.getElementById(name) ?? head(place) ?? made).focus({ preventScroll: true });
  };
  if (!made.dataset.watch) return;
  const sorter = document.createElement("script"); // the reports' own, for the new table
  sorter.addEventListener("load", again);
  sorter.src = "/tables.js";
  document.head.append(sorter);
}

let stream = null;

let written = "0"; // when the page of the tables was

/** Show what has changed; a page of the tables that somebody reads stays. */
function show(told) {
  const here = part(), frame = document.querySelector("iframe"), split = (text) => text.split(/ (?=\d+$)/);
  const of = here.dataset.watch ? [told[here.dataset.watch]] : Object.values(told);
  const state = of.map((text) => split(text)[0]).join(" ");
  if (state !== here.dataset.state) {
    here.dataset.state = state;
    renew(here);
  }
  const now = frame && split(of[0])[1];
  if (frame && now !== written && document.activeElement !== frame) {
    written = now;
    frame.src = frame.dataset.src;
  }
}

/** Listen while the page is seen. */
function listen() {
  if (!document.hidden && part() && !stream) {
    stream = new EventSource("/events");
    stream.onmessage = (event) => show(JSON.parse(event.data).watches);
  } else if (document.hidden && stream) {
    stream.close();
    stream = null;
  }
}

document.addEventListener("visibilitychange", listen);
listen();
for (const button of document.querySelectorAll("[data-rule]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const field = document.getElementById("rule"), counts = document.getElementById("system");
    const count = counts.value.split(",")[0].trim(), text = button.dataset.rule;
    if (text.includes("COUNT") && !count) return counts.focus();
    field.value = [field.value.trimEnd(), text.replace("COUNT", count)].filter(Boolean).join("\n");
    return field.focus();
  });
}
