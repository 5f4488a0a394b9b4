"use strict";
const byId = (id) => document.getElementById(id);
const WORDS = { c: "chosen", f: "forced", ".": "free", x: "forbidden", "-": "impossible" };
const NO_ANSWER = "topdd does not answer: does it still run?";
const PIECES = { Q: "♛♕", K: "♚♔", R: "♜♖", B: "♝♗", N: "♞♘" };

// The decisions are commands of a script, such as "choose a1". `past` and `future` are stacks of such lists, for undo and
// redo.
let decisions = [];
let past = [];
let future = [];
let state = null;
// The graph whose edges or vertices are decided, if there is one.
let map = null;
// The row and the column of the current place, on which keys act.
let at = { row: 0, col: 0 };
// The name of the place whose opposing decisions are on show.
let offered = null;
// The number of samples so far. It is sent as the stream of the random generator, so that each sample differs.
let draws = 0;
// The number of times that the browser went to another entry of its history.
let visits = 0;

// A queue of works, each of which starts when the one before is done.
function queue() {
  let last = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

// Actions are queued: each acts on the state after the one before. Going back or forward in the browser drops those that
// wait.
const actions = queue();
function act(action) {
  const visit = visits;
  return actions(() => (visit === visits ? action() : null));
}

function say(text, refused) {
  byId("said").textContent = text;
  byId("said").classList.toggle("refused", Boolean(refused));
}

// Sends a request. Returns `{ found }`, or `{ refusal, lost }`: `lost` is false if the server refused the request itself. After
// 150 ms, marks `section` as busy, and shows by `tell` that it takes a while.
async function post(path, body, section, tell) {
  const slow = setTimeout(() => {
    section.setAttribute("aria-busy", "true");
    tell("Computing …");
  }, 150);
  try {
    const response = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    if (response.ok) return { found: await response.json() };
    return { refusal: await response.text(), lost: response.status !== 400 };
  } catch {
    return { refusal: NO_ANSWER, lost: true };
  } finally {
    clearTimeout(slow);
    section.removeAttribute("aria-busy");
  }
}

// Sends a request for the state after these decisions and a command, with the page of this row.
function request(wanted, command, row = state ? state.first : 0) {
  return post("state", { decisions: wanted, command, first: row, draw: draws }, byId("place"), say);
}

// Requests a state. Returns null if the request fails, after a message, or if the user went back or forward meanwhile.
async function ask(wanted, command, row) {
  const visit = visits;
  const { found, refusal } = await request(wanted, command, row);
  if (visit !== visits) return null;
  if (refusal) say(refusal, true);
  return found || null;
}

function commands(found) {
  return found.decisions.map((decision) => decision.command);
}

// Shows a state, whose decisions become the present ones.
function show(found, replaces) {
  state = found;
  offered = null;
  decisions = commands(found);
  toAddress(replaces);
  draw();
}

// Shows a state after a change. The decisions before it can be restored by `undo`.
function showChanged(found, replaces) {
  if (state && String(decisions) !== String(commands(found))) {
    past.push(decisions);
    future = [];
  }
  show(found, replaces);
}

// Changes the decisions. `message` replaces the message of the server.
async function change(wanted, command, message) {
  const found = await ask(wanted, command);
  if (!found) return;
  if (found.refused) {
    // What was to be replaced stays.
    return show({ ...state, message: found.message, refused: true, because: found.because });
  }
  if (message) found.message = message;
  showChanged(found);
}

// Restores the decisions before the present ones, or those that were undone.
async function go(from, to, message) {
  if (from.length === 0) return say("There is nothing to " + (from === past ? "undo." : "redo."), true);
  const found = await ask(from[from.length - 1]);
  if (!found) return;
  from.pop();
  to.push(decisions);
  found.message = message;
  show(found);
}

function isBoard() {
  return state.piece !== null;
}

function nameOf(row, col) {
  if (map) return map.labels[row] + "=" + col;
  const name = state.row_names[row - state.first];
  return isBoard() ? state.col_names[col] + name : name + "=" + valueName(row, col);
}

// The name of a value of a variable in a table.
function valueName(row, col) {
  return state.value_names ? state.value_names[row - state.first][col] : String(col);
}

function statusOf(row, col) {
  if (state.ones && col === 1) return state.ones[row];
  return (state.cells[row - state.first] || "")[col];
}

function decisionAt(row, col) {
  return state.decisions.find((decision) => decision.cells.some(([r, c]) => r === row && c === col));
}

function isShown(row) {
  return row >= state.first && row < state.first + state.cells.length;
}

// Requests the rows that contain this one, unless they are shown. Returns whether it is shown.
async function reveal(row) {
  if (state.rows === 0) say("There is nothing to decide.", true);
  if (state.rows === 0 || isShown(row)) return isShown(row);
  const found = await ask(decisions, undefined, row);
  if (found) show(found);
  return Boolean(found);
}

function takeBack(decision) {
  return change(decisions.filter((command) => command !== decision.command), undefined, "taken back: " + decision.text);
}

// A click: a free place is chosen, a chosen one forbidden, a forbidden one free again. For others, the reason
// is shown.
async function click(place) {
  if (!(await reveal(place.row))) return;
  const { row, col } = place;
  const status = statusOf(row, col);
  const own = decisionAt(row, col);
  const others = decisions.filter((command) => !own || command !== own.command);
  if (status === ".") return change(decisions, "choose " + nameOf(row, col));
  if (status === "c") return change(others, "forbid " + nameOf(row, col));
  if (status === "x" && own) return takeBack(own);
  return askAbout("why", place);
}

async function forbid(place) {
  if (!(await reveal(place.row))) return;
  const { row, col } = place;
  const own = decisionAt(row, col);
  const others = decisions.filter((command) => !own || command !== own.command);
  if (statusOf(row, col) === "x" && own) return takeBack(own);
  return change(others, "forbid " + nameOf(row, col));
}

// Asks about a place, without a change.
async function askAbout(word, place) {
  if (!(await reveal(place.row))) return null;
  const found = await ask(decisions, word + " " + nameOf(place.row, place.col));
  if (found) show(found);
  return found;
}

// Takes a place although decisions oppose it. They are shown first; the second time, they go.
async function anyway(place) {
  if (!(await reveal(place.row))) return;
  const name = nameOf(place.row, place.col);
  if (offered === name) return change(decisions, "anyway " + name);
  const found = await askAbout("opposing", place);
  if (!found || found.refused) return;
  if (found.because.length === 0) return change(decisions, "anyway " + name);
  offered = name;
  say(found.message + ". Take it anyway once more to confirm.");
}
