/* Shows how jobs get on, and what a choice changes. A page is whole without it: reload, or use its button. */

/** The page of an address; null where it is refused. */
export async function pageOf(address) {
  const answer = await fetch(address);
  return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
}

/** Hear of changes while the page is seen and `isOpen`: a browser holds few connections to one address. */
export function hear(isOpen, take) {
  let stream = null;
  const look = () => {
    const open = isOpen() && !document.hidden;
    if (open && !stream) {
      stream = new EventSource("/events");
      stream.onmessage = (event) => { take(JSON.parse(event.data)); look(); };
    } else if (!open && stream) {
      stream.close();
      stream = null;
    }
  };
  document.addEventListener("visibilitychange", look);
  look();
}

const panels = () => [...document.querySelectorAll("[data-job]")];

/** Replace the panel by what the server shows now, and keep the focus in the page. */
async function renew(old) {
  const made = (await pageOf(`/jobs/${old.dataset.job}/panel`))?.querySelector("[data-job]");
  if (made) old.replaceWith(document.adoptNode(made));
  comeBack();
}

/** The forms of the panels come back to this page. */
function comeBack() {
  for (const form of document.querySelectorAll(".panel form:not(:has([name=from]))")) {
    const from = document.createElement("input");
    Object.assign(from, { type: "hidden", name: "from", value: location.pathname + location.search });
    form.append(from);
  }
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

let chosen = "";

/** Show what the page says with the choices of a form, as its button would; the last choice counts. */
async function choose(form) {
  const address = `${form.dataset.shows}?${new URLSearchParams(new FormData(form))}`;
  chosen = address;
  const page = await pageOf(address);
  if (address !== chosen) return;
  if (!page) {
    if (form.method === "get") form.submit(); // which says why
    return;
  }
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

hear(
  () => panels().some((here) => /^(waiting|running)/.test(here.dataset.state)),
  (told) => { for (const here of panels()) show(here, told); },
);
comeBack();
