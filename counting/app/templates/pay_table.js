/* Prices the pay table while it is typed, by sending the form. Without this script, use the form's button. */

const form = document.getElementById("pay-table"), priced = document.getElementById("priced");
let isAsking = false, hasChanged = false;

/** Take over from an answer: rows that are not here yet, the price, the mistakes, and the lists of the fields. */
function take(page) {
  for (const row of page.querySelectorAll("#pay-table [data-in]"))
    if (!document.getElementById(row.id)) document.getElementById(row.dataset.in).append(row.cloneNode(true));
  for (const here of [priced, ...form.querySelectorAll(".help[id]")])
    here.replaceChildren(...(page.getElementById(here.id)?.childNodes ?? []));
  for (const here of form.querySelectorAll("input"))
    for (const name of ["list", "aria-invalid"]) {
      const value = page.getElementById(here.id)?.getAttribute(name) ?? "";
      if (value !== (here.getAttribute(name) ?? "")) here.setAttribute(name, value);
    }
}

/** Ask for the price, one request at a time. If more is typed meanwhile, another request follows. */
async function price() {
  hasChanged = true;
  if (isAsking) return;
  isAsking = true;
  priced.ariaBusy = "true";
  try {
    while (hasChanged) {
      hasChanged = false;
      const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
      take(new DOMParser().parseFromString(await answer.text(), "text/html"));
    }
  } catch {
    priced.textContent = "No price: the application does not answer.";
  }
  isAsking = false;
  priced.ariaBusy = "false";
}

form.addEventListener("input", price);
