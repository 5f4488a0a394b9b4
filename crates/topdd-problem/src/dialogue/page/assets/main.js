function focus(options) {
  const button = byId("table").querySelector('.cell[tabindex="0"]');
  if (button) button.focus(options);
}

// Sets `aria-disabled`, as a button with `disabled` would lose the focus.
function enable(id, works) {
  byId(id).setAttribute("aria-disabled", String(!works));
}

function drawDecisions() {
  const index = [...byId("decisions").querySelectorAll("button")].indexOf(document.activeElement);
  const items = state.decisions.map((decision) => {
    const item = element("li", decision.text);
    const back = element("button", "take back");
    back.type = "button";
    back.setAttribute("aria-label", "take back: " + decision.text);
    back.addEventListener("click", () => act(() => takeBack(decision)));
    item.append(back);
    return item;
  });
  byId("decisions").replaceChildren(...items);
  // The focus goes to the next one.
  const next = items[Math.min(index, items.length - 1)];
  if (index >= 0 && next) next.querySelector("button").focus();
  else if (index >= 0) focus();
  byId("none").hidden = items.length > 0;
}

function draw() {
  const focused = byId("table").contains(document.activeElement);
  document.title = state.title + " – topdd";
  byId("title").textContent = state.title;
  const count = element("b", state.left);
  byId("left").replaceChildren(count, " of " + state.all + (state.all === "1" ? " solution left" : " solutions left"));
  if (state.weight) {
    const weight = element("b", state.weight);
    weight.title = "The weight of a solution is the sum of the weights of its parts: those of the file of weights, or of the graph, or 1 each.";
    byId("left").append(", ", weight);
  }
  say(state.message, state.refused);
  byId("solved").textContent = state.solution === null ? "" : "The only solution left: " + state.solution;
  drawTable(focused);
  if (map) drawMap();
  drawDecisions();
  enable("undo", past.length > 0);
  enable("redo", future.length > 0);
  enable("clear", decisions.length > 0);
  byId("best").hidden = byId("weighed").hidden = !state.has_weights;
  byId("pages").hidden = state.cells.length === state.rows;
  byId("range").textContent = "rows " + (state.first + 1) + " to " + (state.first + state.cells.length) + " of " + state.rows;
  enable("earlier", state.first > 0);
  enable("later", state.first + state.cells.length < state.rows);
  drawLegend();
  refreshViews();
}

// The signs of the map, or else of the board or table.
function drawLegend() {
  const signs = Object.keys(WORDS).map((status) => {
    const shown = element("span");
    if (map && !map.coloured) {
      shown.append(mapSign(status), WORDS[status]);
      return shown;
    }
    const small = element("span", sign(status, "1"));
    small.className = "cell";
    small.dataset.status = status;
    shown.append(small, WORDS[status]);
    return shown;
  });
  const others = [["reason", "reason in the message"], ["here", "current place"]].map(([name, meaning]) => {
    const shown = element("span");
    const sample = element("span");
    sample.className = "cell " + name;
    shown.append(sample, meaning);
    return shown;
  });
  byId("legend").replaceChildren(...signs, ...others);
  if (!map || !state.shares) return;
  const more = map.of_edges ? "thicker a free edge is" : "stronger the colour of a free vertex is";
  byId("legend").append(element("p", `The ${more}, the more of the solutions left contain it.`));
}

// Shows the rows after or before those that are shown, if there are any.
async function turn(by) {
  const row = by > 0 ? state.first + state.cells.length : state.first - 1;
  if (row >= 0 && row < state.rows && (await reveal(row))) goTo({ row: state.first, col: 0 });
}

// Moves by rows on the screen and by columns.
function move(rows, cols) {
  if (state.rows === 0) return;
  const row = Math.min(Math.max(at.row + (isBoard() ? -rows : rows), 0), state.rows - 1);
  const col = Math.max(0, at.col + cols);
  if (isShown(row)) {
    goTo({ row, col: Math.min(col, state.cells[row - state.first].length - 1) });
    return focus();
  }
  // The keys act on this place at once, and until its row is shown, no cell has the focus.
  document.activeElement.blur();
  goTo({ row, col: Number.isFinite(col) ? col : at.col });
  act(async () => { if (await reveal(at.row)) move(0, 0); });
}

function saveScript() {
  const link = element("a");
  link.href = URL.createObjectURL(new Blob([decisions.map((line) => line + "\n").join("")], { type: "text/plain" }));
  link.download = "decisions.txt";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  say("Saved as decisions.txt. To make the same decisions in a terminal, run your command with --script < decisions.txt instead of --web.");
}

// The queued actions, by the ids of their buttons. Their argument is the current place.
const ACTIONS = {
  why: (place) => askAbout("why", place),
  anyway,
  undo: () => go(past, future, "undone"),
  redo: () => go(future, past, "redone"),
  sample: () => { draws++; return change(decisions, "sample"); },
  best: () => state.has_weights && change(decisions, "best"),
  clear: () => (decisions.length > 0 ? change([], undefined, "all decisions are taken back") : say("Nothing is decided.", true)),
  script: saveScript,
  earlier: () => turn(-1),
  later: () => turn(1),
};
// The actions on the views, which are not queued.
const VIEWS = {
  list: () => toggle("solutions", "list", () => listSolutions(order, "0")),
  listed: () => listSolutions("listed", "0"),
  random: () => { draws++; listSolutions("random", "0"); },
  weighed: () => listSolutions("best", "0"),
  next: () => turnSolutions(() => nextPage),
  previous: () => turnSolutions(() => previousPage),
  nodes: () => toggle("diagram", "nodes", drawDiagram),
};
const KEYS = {
  w: ACTIONS.why, "?": ACTIONS.why, a: anyway, "!": anyway, u: ACTIONS.undo, r: ACTIONS.redo, s: ACTIONS.sample, b: ACTIONS.best,
  c: ACTIONS.clear, x: forbid, Delete: forbid,
};
// With Ctrl, or the command key.
const COMMAND_KEYS = { z: ACTIONS.undo, "shift z": ACTIONS.redo, y: ACTIONS.redo };
// Keys that repeat while they are held down, and are not queued.
const MOVES = {
  ArrowUp: () => move(-1, 0), ArrowDown: () => move(1, 0), ArrowLeft: () => move(0, -1), ArrowRight: () => move(0, 1),
  Home: () => move(-Infinity, 0), End: () => move(Infinity, 0), PageUp: () => move(-10, 0), PageDown: () => move(10, 0),
  "+": () => viewer().keys["+"](), "-": () => viewer().keys["-"](), 0: () => viewer().keys["0"](),
};
const VIEW_KEYS = {
  l: () => enter("solutions", VIEWS.list), d: () => enter("diagram", VIEWS.nodes), n: VIEWS.next, p: VIEWS.previous,
};
prepareSolutions();
const [picture, mapViewer] = [new Viewer("picture"), new Viewer("map", () => fitMap())];

// Opens or closes a view, and moves the focus into it, or into the table, unless it has moved since.
async function enter(view, toggle) {
  const before = document.activeElement;
  await toggle();
  if (document.activeElement !== before && document.activeElement !== document.body) return;
  const inside = byId(view).hidden ? null : byId(view).querySelector("#gallery button, #picture");
  // `offsetParent` is null if the element is hidden.
  if (inside && inside.offsetParent) inside.focus();
  else focus();
}

// Returns the viewer on which plus, minus and 0 act.
function viewer() {
  const isDrawn = !byId("diagram").hidden && !byId("frame").hidden;
  return isDrawn && (!map || byId("diagram").contains(document.activeElement)) ? picture : mapViewer;
}

for (const [id, action] of Object.entries(ACTIONS)) {
  byId(id).addEventListener("click", () => {
    const place = at;
    if (state) act(() => action(place));
  });
}
for (const [id, action] of Object.entries(VIEWS)) byId(id).addEventListener("click", () => state && action());
document.addEventListener("keydown", (event) => {
  if (!state || event.altKey) return;
  // A key that is held down presses a button once.
  if (event.repeat && (event.key === "Enter" || event.key === " ")) return event.preventDefault();
  const isCommand = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? (isCommand && event.shiftKey ? "shift " : "") + event.key.toLowerCase() : event.key;
  const [action, now] = isCommand ? [COMMAND_KEYS[key]] : [KEYS[key], MOVES[key] || VIEW_KEYS[key]];
  if (!action && !now) return;
  event.preventDefault();
  const place = at;
  if (event.repeat && !MOVES[key]) return;
  if (action) act(() => action(place));
  else now();
});
// What is below the bar begins there.
new ResizeObserver(() => {
  document.documentElement.style.setProperty("--bar", byId("bar").offsetHeight + "px");
}).observe(byId("bar"));
window.addEventListener("popstate", () => {
  visits++;
  act(arrive);
});

(async () => {
  if (!(await built())) return;
  map = await fetch("map").then((response) => response.json()).catch(() => null);
  if (map && map.points.length === 0) map = null;
  if (map) prepareMap();
  await act(arrive);
  // Enter and the arrows work at once.
  if (state) focus({ preventScroll: true });
})();
