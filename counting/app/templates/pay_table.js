/* Prices the pay table as it is typed, by the form's own answer. The page is whole without it: by its button. */

const form = document.getElementById("pay-table");
let isAsking = false, hasChanged = false;

/** Take from an answer its prices and mistakes, rows that are not here yet, and the lists of the fields. */
function take(page) {
  for (const made of page.querySelectorAll("#pay-table .help[id], #priced"))
    document.getElementById(made.id)?.replaceChildren(...made.childNodes);
  for (const made of page.querySelectorAll("#pay-table [data-in]"))
    if (!document.getElementById(made.id)) document.getElementById(made.dataset.in).append(made);
  for (const made of page.querySelectorAll("#pay-table input"))
    for (const name of ["list", "aria-invalid"]) {
      const here = document.getElementById(made.id), value = made.getAttribute(name);
      if (value === null) here.removeAttribute(name);
      else if (here.getAttribute(name) !== value) here.setAttribute(name, value);
    }
}

/** Ask for the price, once at a time; what is typed meanwhile is asked for after it. */
async function price() {
  hasChanged = true;
  if (isAsking) return;
  isAsking = true;
  try {
    while (hasChanged) {
      hasChanged = false;
      const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
      take(new DOMParser().parseFromString(await answer.text(), "text/html"));
    }
  } finally {
    isAsking = false;
  }
}

form.addEventListener("input", price);
