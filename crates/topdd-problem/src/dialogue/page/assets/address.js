// The decisions in the address, behind the #, and in the history of the browser.

// The maximum numbers of undo steps and of redo steps that survive a reload.
const MAX_KEPT = 100;
// The maximum number of decisions of an address that are tried one by one.
const MAX_TRIED = 200;

function fromAddress() {
  const commands = location.hash.slice(1).split(",").map((command) => {
    try {
      return decodeURIComponent(command).trim();
    } catch {
      // The server says that this is no decision.
      return command;
    }
  });
  return commands.filter(Boolean);
}

// Writes the decisions into the address: as a new entry in the history of the browser if they have changed, so that
// going back and forward restores them. What can be undone is stored with the entry, so that reloading keeps it.
function toAddress(replaces) {
  const fragment = decisions.map(encodeURIComponent).join(",");
  const write = replaces || fragment === location.hash.slice(1) ? "replaceState" : "pushState";
  for (const most of [MAX_KEPT, 1]) {
    try {
      const entry = { past: past.slice(-most), future: future.slice(-most) };
      return history[write](entry, "", fragment ? "#" + fragment : location.pathname);
    } catch {
      // The entry is too large, or browsers allow no more entries for a while. A later one has the decisions as well.
    }
  }
}

// Shows the decisions of the address. An entry of the history that the page has written says what can be undone.
async function arrive() {
  const [wanted, entry] = [fromAddress(), history.state];
  const visit = visits;
  let { found, refusal, lost } = await request(wanted);
  if (visit === visits && !lost && (refusal || (found.refused && wanted.length > 0))) {
    ({ found, refusal, lost } = await salvage(wanted));
  }
  if (visit !== visits) return;
  if (!found) return say(refusal, true);
  if (!entry) return showChanged(found, true);
  [past, future] = [entry.past, entry.future];
  show(found, true);
}

// The state after those decisions that are possible. An address may have decisions of another problem.
async function salvage(wanted) {
  const visit = visits;
  let last = await request([]);
  const leftOut = wanted.slice(MAX_TRIED);
  for (const command of wanted.slice(0, MAX_TRIED)) {
    if (!last.found || visit !== visits) return last;
    const next = await request([...commands(last.found), command]);
    if (next.lost) return next;
    if (next.found && !next.found.refused) last = next;
    else leftOut.push(command);
  }
  const more = leftOut.length > 5 ? " and " + (leftOut.length - 5) + " more" : "";
  if (last.found) last.found.message = "Not possible here, and left out of the address: " + leftOut.slice(0, 5).join(", ") + more;
  return last;
}
