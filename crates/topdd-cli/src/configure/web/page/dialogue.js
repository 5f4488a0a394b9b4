"use strict";
const byId = (id) => document.getElementById(id);
const WORDS = { c: "chosen", f: "forced", ".": "free", x: "forbidden", "-": "impossible" };
const NOBODY = { ended: "topdd does not answer: does it still run?" };
const PIECES = { Q: "♛♕", K: "♚♔", R: "♜♖", B: "♝♗", N: "♞♘" };

// The decisions are commands of a script, such as "choose a1". `past` and `future` are lists of them: those before, and
// those that were undone.
let decisions = [];
let past = [];
let future = [];
let state = null;
// The graph whose edges or vertices are decided, if there is one.
let map = null;
// The row and the column of the place that has the focus, and the first row that is shown.
let at = { row: 0, col: 0 };
let first = 0;
// The name of the place whose opposing decisions are on show.
let offered = null;

// The most lists of decisions before the present ones that reloading keeps, and the most decisions of an address that
// are tried one by one.
const KEPT = 100;
const TRIED = 200;

// A queue of works, each of which starts when the one before is done.
function queue() {
  let last = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

// Actions are queued: each acts on the state after the one before. `waiting` counts those that are not done.
let waiting = 0;
const actions = queue();
function act(action) {
  waiting++;
  return actions(action).finally(() => { waiting--; });
}

function fromAddress() {
  return location.hash.slice(1).split(",").filter(Boolean).map((command) => {
    try {
      return decodeURIComponent(command);
    } catch {
      // The server says that this is no decision.
      return command;
    }
  });
}

// Writes the decisions into the address: as a new entry in the history of the browser if they have changed, so that
// going back and forward restores them. What can be undone is stored with the entry, so that reloading keeps it.
function toAddress(replaces) {
  const fragment = decisions.map(encodeURIComponent).join(",");
  const entry = { past: past.slice(-KEPT), future: future.slice(-KEPT) };
  const write = replaces || fragment === location.hash.slice(1) ? "replaceState" : "pushState";
  try {
    history[write](entry, "", fragment ? "#" + fragment : location.pathname);
  } catch {
    // Browsers limit the number of entries in a time. The next one has the decisions.
  }
}

function say(text, refused) {
  byId("said").textContent = text;
  byId("said").classList.toggle("refused", Boolean(refused));
}

// Asks for the state after these decisions and a command. The result is null if the server refuses.
async function ask(wanted, command) {
  const slow = setTimeout(() => {
    byId("place").setAttribute("aria-busy", "true");
    say("Computing …");
  }, 150);
  try {
    const response = await fetch("state", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ decisions: wanted, command, first }),
    });
    if (response.ok) return await response.json();
    say(await response.text(), true);
  } catch {
    say(NOBODY.ended, true);
  } finally {
    clearTimeout(slow);
    byId("place").removeAttribute("aria-busy");
  }
  return null;
}

function commands(found) {
  return found.decisions.map((decision) => decision.command);
}

// Shows a state, whose decisions become the present ones.
function show(found, replaces) {
  state = found;
  decisions = commands(found);
  toAddress(replaces);
  draw();
}

// Changes the decisions. The former ones can be restored by `undo`.
async function change(wanted, command) {
  offered = null;
  const found = await ask(wanted, command);
  if (!found) return;
  if (String(decisions) !== String(commands(found))) {
    past.push(decisions);
    future = [];
  }
  show(found);
}

// Restores the decisions before the present ones, or those that were undone.
async function go(from, to, message) {
  offered = null;
  if (from.length === 0) return say("There is nothing to " + (from === past ? "undo." : "do again."), true);
  const found = await ask(from[from.length - 1]);
  if (!found) return;
  from.pop();
  to.push(decisions);
  found.message = message;
  show(found);
}

// Shows the decisions of an address, with what its entry in the history has, if anything: one that was typed has none.
async function arrive(wanted, entry) {
  offered = null;
  let found = await ask(wanted);
  if (wanted.length > 0 && (!found || found.refused)) found = await salvage(wanted);
  if (!found) return;
  if (entry) {
    [past, future] = [entry.past, entry.future];
  } else if (state && String(decisions) !== String(commands(found))) {
    past.push(decisions);
    future = [];
  }
  show(found, true);
}

// Makes those decisions that are possible. An address may have decisions of another problem.
async function salvage(wanted) {
  let found = await ask([]);
  const leftOut = [];
  for (const command of wanted.slice(0, TRIED)) {
    if (!found) return null;
    const next = await ask([...commands(found), command]);
    if (next && !next.refused) found = next;
    else leftOut.push(command);
  }
  leftOut.push(...wanted.slice(TRIED));
  const more = leftOut.length > 5 ? " and " + (leftOut.length - 5) + " more" : "";
  if (found) found.message = "Not possible here, and left out of the address: " + leftOut.slice(0, 5).join(", ") + more;
  return found;
}

function isBoard() {
  return state.piece !== null;
}

function nameOf(row, col) {
  if (map) return map.labels[row] + "=" + col;
  const name = state.row_names[row - state.first];
  return isBoard() ? state.col_names[col] + name : name + "=" + col;
}

function statusOf(row, col) {
  if (state.ones && col === 1) return state.ones[row];
  return (state.cells[row - state.first] || "")[col];
}

function decisionAt(row, col) {
  return state.decisions.find((decision) => decision.cells.some(([r, c]) => r === row && c === col));
}

// A click: a free place is chosen, a chosen one forbidden, a forbidden one free again. For others, the reason
// is shown.
function click(row, col) {
  at = { row, col };
  const status = statusOf(row, col);
  const own = decisionAt(row, col);
  const others = decisions.filter((command) => !own || command !== own.command);
  if (status === ".") return change(decisions, "choose " + nameOf(row, col));
  if (status === "c") return change(others, "forbid " + nameOf(row, col));
  if (status === "x" && own) return change(others);
  return askAbout("why");
}

function forbid(row, col) {
  const own = decisionAt(row, col);
  const others = decisions.filter((command) => !own || command !== own.command);
  if (statusOf(row, col) === "x" && own) return change(others);
  return change(others, "forbid " + nameOf(row, col));
}

// Asks about the place with the focus, without a change.
async function askAbout(word) {
  const found = await ask(decisions, word + " " + nameOf(at.row, at.col));
  if (found) show(found);
  return found;
}

// Takes the place although decisions oppose it. They are shown first; the second time, they go.
async function anyway() {
  const name = nameOf(at.row, at.col);
  if (offered === name) return change(decisions, "anyway " + name);
  const found = await askAbout("opposing");
  if (!found || found.refused) return;
  if (found.because.length === 0) return change(decisions, "anyway " + name);
  offered = name;
  say(found.message + ". Once more to do it.");
}

