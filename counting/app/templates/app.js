/* Shows how jobs get on. A page is whole without it: reload to see what has changed. */

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

document.addEventListener("visibilitychange", listen);
listen();
for (const form of document.querySelectorAll(".panel form")) {
  const from = document.createElement("input");
  Object.assign(from, { type: "hidden", name: "from", value: location.pathname + location.search });
  if (!form.querySelector("[name=from]")) form.append(from);
}
