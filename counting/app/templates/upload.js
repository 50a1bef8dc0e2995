/* Takes the files of a log that are dropped or chosen into the folder, and shows how they are read. */

const drop = document.querySelector(".drop"), chosen = drop.querySelector("input"), told = drop.querySelector("[role=status]");

/** Say how far it is, or what is wrong. */
function tell(line, isWrong = false) {
  told.textContent = line;
  told.classList.toggle("wrong", isWrong);
}

/** Send one file; its path in the folder, or null where it was refused. */
async function sent(file) {
  tell(`${file.name} is sent …`);
  try {
    if (file.size > drop.dataset.most) throw new Error(`${file.name}: should have at most ${drop.dataset.most >> 20} MB; pack it by gzip`);
    const answer = await fetch(`/upload/${encodeURIComponent(file.name)}`, { method: "PUT", body: file });
    const line = (await answer.text()).trim();
    if (!answer.ok) throw new Error(line);
    return line;
  } catch (error) {
    tell(error instanceof TypeError ? `${file.name}: could not be sent, should be a file` : error.message, true);
    return null;
  }
}

/** Send the files, and go to the page that shows them with those that are there already. */
async function take(files) {
  if (files.length < 1 || files.length > 2) return tell("Should be one file or two: that of coups, and perhaps that of bets.", true);
  const paths = [];
  for (const file of files) paths.push(await sent(file));
  if (paths.includes(null)) return;
  for (const id of ["coups", "bets"]) paths.push(document.getElementById(id).value);
  tell("The log is read …");
  location.assign(`/log?${new URLSearchParams([...new Set(paths)].filter(Boolean).map((path) => ["file", path]))}`);
}

chosen.addEventListener("change", () => take([...chosen.files]));
for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", name.startsWith("drage") || name === "dragover");
    if (name === "drop") take([...event.dataTransfer.files]);
  });
}
