/* Sends the dropped or chosen files of a log to the folder, and shows how they are read. */

const drop = document.querySelector(".drop"), chosen = drop.querySelector("input"), told = drop.querySelector("[role=status]");

/** Show the progress, or what is wrong. */
function tell(line, isWrong = false) {
  told.textContent = line;
  told.classList.toggle("wrong", isWrong);
}

/** Send one file. Returns its path in the folder. */
async function sent(file) {
  tell(`Sending ${file.name} …`);
  if (file.size > drop.dataset.most) throw new Error(`${file.name}: should have at most ${drop.dataset.most >> 20} MB; it may be packed by gzip`);
  const cannot = () => { throw new Error(`${file.name}: cannot be sent, should be a file that can be read`); };
  const answer = await fetch(`/upload/${encodeURIComponent(file.name)}`, { method: "PUT", body: file }).catch(cannot);
  const line = (await answer.text()).trim();
  if (!answer.ok) throw new Error(line);
  return line;
}

/** Send the files, and go to the page that shows them and the files that were there already. */
async function take(files) {
  try {
    if (files.length < 1 || files.length > 2) throw new Error("Should be one file or two: the coups, and perhaps the bets.");
    const paths = [];
    for (const file of files) paths.push(await sent(file));
    paths.push(...["coups", "bets"].map((id) => document.getElementById(id).value).filter(Boolean));
    tell("Reading the log …");
    location.assign(`/log?${new URLSearchParams([...new Set(paths)].map((path) => ["file", path]))}`);
  } catch (error) {
    tell(error.message, true);
  }
}

chosen.addEventListener("change", () => take([...chosen.files]));
for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", name === "dragenter" || name === "dragover");
    if (name === "drop") take([...event.dataTransfer.files]);
  });
}
