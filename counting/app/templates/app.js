/* Shows the progress of jobs, and what a choice changes. Without this script, reload the page or use its button. */

/** The page at an address; null if it is refused. */
export async function pageOf(address) {
  const answer = await fetch(address);
  return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
}

/** Replace a part of this page by the same part of another. Returns the new part. */
export function renew(old, page) {
  const made = page?.getElementById(old.id);
  if (made) old.replaceWith(document.adoptNode(made));
  return made;
}

/** Listen for changes while the page is visible and `isOpen` holds: a browser opens few connections to an address. */
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

/** Show the state of a panel's job that the server has sent. */
async function show(here, told) {
  const state = told.jobs[here.dataset.job], running = told.running[here.dataset.job];
  if (state !== undefined && state !== here.dataset.state) {
    here.dataset.state = state;
    renew(here, await pageOf(location.href));
    return;
  }
  const bar = here.querySelector("progress"), words = here.querySelector(".words");
  if (bar && words && running) {
    words.textContent = running.words;
    if (running.total) Object.assign(bar, { max: running.total, value: running.done });
    else bar.removeAttribute("value");
  }
}

let chosen = "";

/** Show the page for the choices in a form, as its button would. Only the last choice counts. */
async function choose(form) {
  const address = `${form.dataset.shows}?${new URLSearchParams(new FormData(form))}`;
  chosen = address;
  const page = await pageOf(address);
  if (address !== chosen) return;
  if (!page) {
    if (form.method === "get") form.submit(); // the page that follows has the reason
    return;
  }
  for (const old of document.querySelectorAll("[data-shown]")) renew(old, page);
  if (!panels().length) history.replaceState(null, "", address); // the address of a job stays
}

for (const form of document.querySelectorAll("[data-shows]"))
  form.addEventListener("change", ({ target }) => { if (target.matches("select")) choose(form); });

/** The calculator sends its shoe. The link to a separate window takes the shoe there. */
window.addEventListener("message", ({ data, source }) => {
  const link = document.getElementById("own-window");
  if (link && source === document.querySelector("iframe").contentWindow) link.hash = encodeURIComponent(data);
});

hear(
  () => panels().some((here) => /^(waiting|running)/.test(here.dataset.state)),
  (told) => { for (const here of panels()) show(here, told); },
);
