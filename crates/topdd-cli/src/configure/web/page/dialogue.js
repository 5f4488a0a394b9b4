"use strict";
const byId = (id) => document.getElementById(id);
const WORDS = { c: "chosen", f: "forced", ".": "free", x: "forbidden", "-": "impossible" };
const NOBODY = { ended: "topdd does not answer: does it still run?" };
const PIECES = { Q: "♛♕", K: "♚♔", R: "♜♖", B: "♝♗", N: "♞♘" };

// The decisions are commands of a script, such as "choose a1". `past` and `future` are lists of them.
let decisions = [];
let past = [];
let future = [];
let state = null;
// The graph whose edges or vertices are decided, if there is one.
let map = null;
// The row and the column of the place that has the focus, and the first row that is shown.
let at = { row: 0, col: 0 };
let first = 0;
// Counts the requests, so that a late answer is not shown. `answered` is the last one with an answer.
let asked = 0;
let answered = 0;
// The name of the place whose opposing decisions are on show.
let offered = null;

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

function toAddress() {
  const fragment = decisions.map(encodeURIComponent).join(",");
  history.replaceState(null, "", fragment ? "#" + fragment : location.pathname);
}

function say(text, refused) {
  byId("said").textContent = text;
  byId("said").classList.toggle("refused", Boolean(refused));
}

// Asks for the state after these decisions and a command. The result is null if the server refuses, or a
// newer request was made.
async function ask(wanted, command) {
  const number = ++asked;
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
    if (number !== asked) return null;
    if (!response.ok) {
      say(await response.text(), true);
      return null;
    }
    return await response.json();
  } catch {
    if (number === asked) say(NOBODY.ended, true);
    return null;
  } finally {
    clearTimeout(slow);
    if (number === asked) byId("place").removeAttribute("aria-busy");
    // After the caller has shown the answer.
    setTimeout(() => { answered = number; });
  }
}

function commands(found) {
  return found.decisions.map((decision) => decision.command);
}

// Shows a state. Its decisions become the present ones, and the former ones can be restored by `undo`.
function show(found, remember) {
  const before = decisions;
  state = found;
  decisions = commands(found);
  if (remember && String(before) !== String(decisions)) {
    past.push(before);
    future = [];
  }
  toAddress();
  draw();
}

async function change(wanted, command) {
  offered = null;
  const found = await ask(wanted, command);
  if (found) show(found, true);
  return found;
}

async function go(from, to) {
  if (from.length === 0) return;
  offered = null;
  const found = await ask(from[from.length - 1]);
  if (!found) return;
  from.pop();
  to.push(decisions);
  show(found, false);
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
  if (found) show(found, false);
  return found;
}

// Takes the place although decisions oppose it. They are shown first; the second time, they go.
async function anyway() {
  const name = nameOf(at.row, at.col);
  if (offered === name) return change(decisions, "anyway " + name);
  const found = await askAbout("opposing");
  if (!found || found.because.length === 0) return found;
  offered = name;
  say(found.message + ". Once more to do it.");
}

