"use strict";
// A page of watched tables reloads itself. Its reader may stop this, for example to sort a table.
(() => {
  const seconds = Number(document.body.dataset.refresh), button = document.createElement("button");
  let timer = null;
  const run = (on) => {
    clearTimeout(timer);
    timer = on ? setTimeout(() => location.reload(), 1000 * seconds) : null;
    button.textContent = on ? "Pause" : "Go on";
    button.title = on ? `This page reloads every ${seconds} s.` : "This page no longer reloads.";
  };
  button.type = "button";
  button.className = "pause";
  button.addEventListener("click", () => run(timer === null));
  document.querySelector("header").append(button);
  run(true);
})();
