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
  return location.hash.slice(1).split(",").filter(Boolean).map(decodeURIComponent);
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

function sign(status, value) {
  const [chosen, forced] = isBoard() ? PIECES[state.piece] || [state.piece, state.piece.toLowerCase()] : [value, value];
  return { c: chosen, f: forced, ".": isBoard() ? "" : value, x: "✕", "-": isBoard() ? "·" : "–" }[status];
}

function element(name, text) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
}

function cell(row, col) {
  const status = statusOf(row, col);
  const button = element("button", sign(status, String(col)));
  button.type = "button";
  button.className = "cell";
  button.dataset.status = status;
  button.dataset.name = nameOf(row, col);
  button.tabIndex = row === at.row && col === at.col ? 0 : -1;
  button.title = nameOf(row, col) + ": " + WORDS[status];
  button.setAttribute("aria-label", button.title);
  button.setAttribute("aria-pressed", String(status === "c" || status === "f"));
  const reason = state.because.some(([r, c]) => r === row && c === col);
  button.classList.toggle("reason", reason);
  button.addEventListener("click", () => click(row, col));
  button.addEventListener("focus", () => { at = { row, col }; });
  const place = element("td");
  place.setAttribute("role", "gridcell");
  if ((row + col) % 2 === 0) place.className = "dark";
  place.append(button);
  return place;
}

// The rows from the top: of a board, the last one first.
function rowsShown() {
  const rows = state.cells.map((_, index) => state.first + index);
  return isBoard() ? rows.reverse() : rows;
}

function drawTable(focused) {
  const table = byId("table");
  table.className = isBoard() ? "board" : "list";
  table.style.setProperty("--cols", state.col_names.length);
  const rows = rowsShown();
  if (!rows.includes(at.row)) at = { row: rows[0] || 0, col: 0 };
  const body = element("tbody");
  for (const row of rows) {
    const line = element("tr");
    const head = element("th", state.row_names[row - state.first]);
    head.scope = "row";
    line.append(head);
    for (let col = 0; col < state.cells[row - state.first].length; col++) line.append(cell(row, col));
    body.append(line);
  }
  const parts = [body];
  if (isBoard()) {
    const line = element("tr");
    line.append(element("td"), ...state.col_names.map((name) => element("th", name)));
    const foot = element("tfoot");
    foot.append(line);
    parts.push(foot);
  }
  table.replaceChildren(...parts);
  if (focused) focus();
}

function drawn(name, attributes) {
  const made = document.createElementNS(byId("map").namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// The curve of an edge: straight, or bent if other edges have the same ends.
function curve(edge) {
  const [a, b] = map.edges[edge];
  const [[x1, y1], [x2, y2]] = [map.points[a], map.points[b]];
  const same = map.edges.map((_, other) => other).filter((other) => {
    const [c, d] = map.edges[other];
    return (c === a && d === b) || (c === b && d === a);
  });
  const turn = (same.indexOf(edge) - (same.length - 1) / 2) * (a < b ? 1 : -1);
  if (a === b) {
    const size = 24 + 14 * same.indexOf(edge);
    return `M ${x1} ${y1} C ${x1 - size} ${y1 - 2 * size} ${x1 + size} ${y1 - 2 * size} ${x1} ${y1}`;
  }
  const x = (x1 + x2) / 2 - turn * (y2 - y1) * 0.35;
  const y = (y1 + y2) / 2 + turn * (x2 - x1) * 0.35;
  return `M ${x1} ${y1} Q ${x} ${y} ${x2} ${y2}`;
}

// An element of the graph, which is clicked like the cell of its value 1.
function mapElement(row, parts) {
  const group = drawn("g", { class: "element", role: "button", tabindex: "-1" });
  group.append(...parts, drawn("title", {}));
  group.addEventListener("click", () => (map.coloured ? visit(row) : click(row, 1)));
  group.dataset.row = row;
  return group;
}

// Moves the focus to the colours of a vertex in the table.
async function visit(row) {
  if (row < state.first || row >= state.first + state.cells.length) {
    first = row;
    const found = await ask(decisions);
    if (!found) return;
    show(found, false);
  }
  at = { row, col: Math.max(0, state.cells[row - state.first].search(/[cf.]/)) };
  drawTable(true);
}

// Shows the colours that are chosen or forced. The turn by the golden angle makes colours differ.
function drawColours() {
  for (const group of byId("map").querySelectorAll(".element")) {
    const row = Number(group.dataset.row);
    const [colour, status] = state.colours[row] || [null, "."];
    group.dataset.status = status;
    group.querySelector("circle").style.fill = colour === null ? "" : `hsl(${(colour * 137.5) % 360} 65% 55%)`;
    group.querySelector("title").textContent =
      map.labels[row] + ": " + (colour === null ? WORDS[status] : "colour " + colour + ", " + WORDS[status]);
    group.setAttribute("aria-label", group.querySelector("title").textContent);
  }
}

// Draws the graph once; `drawMap` shows a state on it.
function prepareMap() {
  const svg = byId("map");
  const [xs, ys] = [0, 1].map((axis) => map.points.map((point) => point[axis]));
  const [left, top] = [Math.min(...xs) - 40, Math.min(...ys) - 40];
  const width = Math.max(...xs) + 60 - left;
  svg.setAttribute("viewBox", `${left} ${top} ${width} ${Math.max(...ys) + 40 - top}`);
  // A small graph is not drawn with large letters.
  svg.style.maxWidth = 1.5 * width + "px";
  const rowOf = new Map(map.order.map((index, row) => [index, row]));
  const lines = map.edges.map((_, edge) => {
    const parts = [drawn("path", { class: "line", d: curve(edge) })];
    if (!map.of_edges || !rowOf.has(edge)) return parts[0];
    return mapElement(rowOf.get(edge), [...parts, drawn("path", { class: "hit", d: curve(edge) })]);
  });
  const circles = map.points.map(([cx, cy], vertex) => {
    const circle = drawn("circle", { cx, cy, r: map.of_edges ? 5 : 11 });
    return map.of_edges || !rowOf.has(vertex) ? circle : mapElement(rowOf.get(vertex), [circle]);
  });
  const names = map.points.map(([x, y], vertex) => {
    const text = drawn("text", { x: x + 8, y: y - 8 });
    text.textContent = map.names[vertex];
    return text;
  });
  svg.replaceChildren(...lines, ...circles, ...names);
  svg.removeAttribute("hidden");
}

// The width of a free edge says how many of the solutions have it.
function drawMap() {
  for (const group of byId("map").querySelectorAll(".element")) {
    const row = Number(group.dataset.row);
    const status = statusOf(row, 1);
    const share = state.shares ? state.shares[row] / 1000 : null;
    group.dataset.status = status;
    group.classList.toggle("reason", state.because.some(([r]) => r === row));
    const used = share === null || status !== "." ? "" : ", in " + (share * 100).toFixed(1) + " % of the solutions";
    group.querySelector("title").textContent = map.labels[row] + ": " + WORDS[status] + used;
    group.setAttribute("aria-label", group.querySelector("title").textContent);
    const line = group.querySelector(".line");
    if (line) line.style.strokeWidth = status === "." ? 1 + 6 * (share === null ? 0.3 : share) : "";
    const circle = group.querySelector("circle");
    if (circle) circle.style.fillOpacity = status === "." && share !== null ? 0.15 + 0.85 * share : 1;
  }
}

function focus() {
  const button = byId("table").querySelector('.cell[tabindex="0"]');
  if (button) button.focus();
}

function drawDecisions() {
  const items = state.decisions.map((decision) => {
    const item = element("li", decision.text);
    const back = element("button", "take back");
    back.type = "button";
    back.setAttribute("aria-label", "take back: " + decision.text);
    back.addEventListener("click", () => change(decisions.filter((command) => command !== decision.command)));
    item.append(back);
    return item;
  });
  byId("decisions").replaceChildren(...items);
  byId("none").hidden = items.length > 0;
}

function draw() {
  const focused = byId("table").contains(document.activeElement);
  document.title = state.title + " – topdd";
  byId("title").textContent = state.title;
  const count = element("b", state.left);
  byId("left").replaceChildren(count, " of " + state.all + (state.all === "1" ? " solution left" : " solutions left"));
  say(state.message, state.refused);
  drawTable(focused);
  if (map) (map.coloured ? drawColours : drawMap)();
  drawDecisions();
  byId("undo").disabled = past.length === 0;
  byId("redo").disabled = future.length === 0;
  byId("clear").disabled = decisions.length === 0;
  byId("pages").hidden = state.cells.length === state.rows;
  byId("range").textContent = "rows " + (state.first + 1) + " to " + (state.first + state.cells.length) + " of " + state.rows;
  byId("earlier").disabled = state.first === 0;
  byId("later").disabled = state.first + state.cells.length >= state.rows;
  const signs = Object.keys(WORDS).map((status) => {
    const shown = element("span");
    const small = element("span", sign(status, "1"));
    small.className = "cell";
    small.dataset.status = status;
    shown.append(small, WORDS[status]);
    return shown;
  });
  byId("legend").replaceChildren(...signs);
}

async function turn(by) {
  first = Math.max(0, state.first + by * Math.max(1, state.cells.length));
  const found = await ask(decisions);
  if (found) show(found, false);
}

function move(rows, cols) {
  const shown = rowsShown();
  const index = Math.min(Math.max(shown.indexOf(at.row) + rows, 0), shown.length - 1);
  const row = shown[index];
  const last = state.cells[row - state.first].length - 1;
  at = { row, col: Math.min(Math.max(at.col + cols, 0), last) };
  for (const button of byId("table").querySelectorAll(".cell")) {
    button.tabIndex = button.dataset.name === nameOf(at.row, at.col) ? 0 : -1;
  }
  focus();
}

function saveScript() {
  const link = element("a");
  link.href = URL.createObjectURL(new Blob([decisions.map((line) => line + "\n").join("")], { type: "text/plain" }));
  link.download = "decisions.txt";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  say("Saved as decisions.txt, for `topdd configure … --script`.");
}

const ACTIONS = {
  why: () => askAbout("why"),
  anyway,
  undo: () => go(past, future),
  redo: () => go(future, past),
  sample: () => change(decisions, "sample"),
  clear: () => change([]),
  script: saveScript,
  earlier: () => turn(-1),
  later: () => turn(1),
};
const KEYS = {
  ArrowUp: () => move(-1, 0), ArrowDown: () => move(1, 0), ArrowLeft: () => move(0, -1), ArrowRight: () => move(0, 1),
  Home: () => move(-Infinity, 0), End: () => move(Infinity, 0), PageUp: () => move(-10, 0), PageDown: () => move(10, 0),
  w: ACTIONS.why, "?": ACTIONS.why, a: anyway, "!": anyway, u: ACTIONS.undo, r: ACTIONS.redo, s: ACTIONS.sample,
  c: ACTIONS.clear, x: () => forbid(at.row, at.col), Delete: () => forbid(at.row, at.col),
};
for (const [id, action] of Object.entries(ACTIONS)) byId(id).addEventListener("click", () => state && action());
document.addEventListener("keydown", (event) => {
  if (!state || event.ctrlKey || event.altKey || event.metaKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});
window.addEventListener("hashchange", () => change(fromAddress()));

(async () => {
  if (!(await built())) return;
  map = await fetch("map").then((response) => response.json()).catch(() => null);
  if (map) prepareMap();
  let found = await ask(fromAddress());
  // An address may have decisions of another problem.
  if (!found && location.hash) {
    const refusal = byId("said").textContent;
    found = await ask([]);
    if (found) found.message = "The decisions in the address were left out: " + refusal;
  }
  if (found) show(found, false);
})();
