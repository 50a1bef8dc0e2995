/* Shows how jobs get on, and what a choice changes. A page is whole without it: reload, or use its button. */

const panels = () => [...document.querySelectorAll("[data-job]")];

/** Replace the panel by what the server shows now, and keep the focus in the page. */
async function renew(old) {
  const answer = await fetch(`/jobs/${old.dataset.job}/panel`);
  if (!answer.ok) return;
  const made = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-job]");
  for (const field of made.querySelectorAll("form")) {
    const from = document.createElement("input");
    Object.assign(from, { type: "hidden", name: "from", value: location.pathname + location.search });
    field.append(from);
  }
  old.replaceWith(document.adoptNode(made));
}

/** Show the state of a panel's job, as the server tells it. */
function show(here, told) {
  const state = told.jobs[here.dataset.job];
  if (state !== undefined && state !== here.dataset.state) {
    here.dataset.state = state;
    renew(here);
    return;
  }
  const bar = here.querySelector("progress"), words = here.querySelector(".words");
  if (bar && words) {
    words.textContent = told.words;
    if (told.total) Object.assign(bar, { max: told.total, value: told.done });
    else bar.removeAttribute("value");
  }
}

let stream = null;

/** Listen while the page is seen and a job of it is not over: a browser holds few connections to one address. */
function listen() {
  const open = panels().some((here) => /^(waiting|running)/.test(here.dataset.state)) && !document.hidden;
  if (open && !stream) {
    stream = new EventSource("/events");
    stream.onmessage = (event) => { for (const here of panels()) show(here, JSON.parse(event.data)); listen(); };
  } else if (!open && stream) {
    stream.close();
    stream = null;
  }
}

let chosen = "";

/** Show what the page says with the choices of a form, as its button would; the last choice counts. */
async function choose(form) {
  const address = `${form.dataset.shows}?${new URLSearchParams(new FormData(form))}`;
  chosen = address;
  const answer = await fetch(address);
  if (!answer.ok || address !== chosen) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const old of document.querySelectorAll("[data-shown]")) old.replaceWith(document.adoptNode(page.getElementById(old.id)));
  if (!panels().length) history.replaceState(null, "", address); // the address of a job stays
}

for (const form of document.querySelectorAll("[data-shows]"))
  form.addEventListener("change", ({ target }) => { if (target.matches("select")) choose(form); });

/** The calculator tells its shoe, which its link takes to a window of its own. */
window.addEventListener("message", ({ data, source }) => {
  const link = document.getElementById("own-window");
  if (link && source === document.querySelector("iframe").contentWindow) link.hash = encodeURIComponent(data);
});

document.addEventListener("visibilitychange", listen);
listen();
for (const form of document.querySelectorAll(".panel form")) {
  const from = document.createElement("input");
  Object.assign(from, { type: "hidden", name: "from", value: location.pathname + location.search });
  if (!form.querySelector("[name=from]")) form.append(from);
}
