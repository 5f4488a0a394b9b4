function focus(options) {
  const button = byId("table").querySelector('.cell[tabindex="0"]');
  if (button) button.focus(options);
}

// Takes a decision back. The focus goes to the next one.
async function takeBack(command) {
  const index = decisions.indexOf(command);
  await change(decisions.filter((other) => other !== command));
  const buttons = byId("decisions").querySelectorAll("button");
  if (buttons.length > 0) buttons[Math.min(index, buttons.length - 1)].focus();
  else focus();
}

function drawDecisions() {
  const items = state.decisions.map((decision) => {
    const item = element("li", decision.text);
    const back = element("button", "take back");
    back.type = "button";
    back.setAttribute("aria-label", "take back: " + decision.text);
    back.addEventListener("click", () => act(() => takeBack(decision.command)));
    item.append(back);
    return item;
  });
  byId("decisions").replaceChildren(...items);
  byId("none").hidden = items.length > 0;
  if (items.length > 0 && !byId("help").dataset.read) {
    byId("help").dataset.read = "yes";
    byId("help").open = false;
  }
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
  byId("solved").hidden = state.solution === null;
  byId("solved").textContent = state.solution === null ? "" : "The only solution left: " + state.solution;
  drawTable(focused);
  if (map) (map.coloured ? drawColours : drawMap)();
  markPlace();
  drawDecisions();
  for (const [id, works] of [["undo", past.length], ["redo", future.length], ["clear", decisions.length]]) {
    // It keeps the focus, and says that there is nothing to do.
    byId(id).setAttribute("aria-disabled", String(works === 0));
  }
  byId("best").hidden = byId("weighed").hidden = !state.has_weights;
  byId("pages").hidden = state.cells.length === state.rows;
  byId("range").textContent = "rows " + (state.first + 1) + " to " + (state.first + state.cells.length) + " of " + state.rows;
  byId("earlier").disabled = state.first === 0;
  byId("later").disabled = state.first + state.cells.length >= state.rows;
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
  const reason = element("span");
  const sample = element("span", "");
  sample.className = "cell reason";
  reason.append(sample, "a reason");
  byId("legend").replaceChildren(...signs, reason);
  if (!map || !state.shares) return;
  const [more, place] = map.of_edges ? ["thicker", "edge"] : ["fuller", "vertex"];
  byId("legend").append(element("p", `The ${more} a free ${place}, the more of the solutions left have it.`));
}

function turn(by) {
  const last = Math.max(0, state.rows - 1);
  return reveal(Math.min(Math.max(0, by > 0 ? state.first + state.cells.length : state.first - state.cells.length), last));
}

function move(rows, cols) {
  const shown = rowsShown();
  const index = Math.min(Math.max(shown.indexOf(at.row) + rows, 0), shown.length - 1);
  const row = shown[index];
  const last = state.cells[row - state.first].length - 1;
  goTo({ row, col: Math.min(Math.max(at.col + cols, 0), last) });
  focus();
}

function saveScript() {
  const link = element("a");
  link.href = URL.createObjectURL(new Blob([decisions.map((line) => line + "\n").join("")], { type: "text/plain" }));
  link.download = "decisions.txt";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  say("Saved as decisions.txt. Your command with --script < decisions.txt in place of --web makes the same decisions.");
}

// Actions on the decisions, by the ids of their buttons. They get the place that had the focus.
const ACTIONS = {
  why: (place) => askAbout("why", place),
  anyway,
  undo: () => go(past, future, "undone"),
  redo: () => go(future, past, "done again"),
  sample: () => { draws++; return change(decisions, "sample"); },
  best: () => state.has_weights && change(decisions, "best"),
  clear: () => (decisions.length > 0 ? change([]) : say("Nothing is decided.", true)),
  script: saveScript,
  earlier: () => turn(-1),
  later: () => turn(1),
};
// What changes the views only, at once.
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
const COMMAND_KEYS = { z: ACTIONS.undo, Z: ACTIONS.redo, y: ACTIONS.redo };
// What is not queued. The keys that may be held down are moves.
const MOVES = {
  ArrowUp: () => move(-1, 0), ArrowDown: () => move(1, 0), ArrowLeft: () => move(0, -1), ArrowRight: () => move(0, 1),
  Home: () => move(-Infinity, 0), End: () => move(Infinity, 0), PageUp: () => move(-10, 0), PageDown: () => move(10, 0),
  "+": () => viewer().keys["+"](), "-": () => viewer().keys["-"](), 0: () => viewer().keys["0"](),
};
const VIEW_KEYS = {
  l: () => VIEWS.list().then(() => enter("solutions")), d: () => VIEWS.nodes().then(() => enter("diagram")), n: VIEWS.next, p: VIEWS.previous,
};
const [picture, mapViewer] = [new Viewer("picture"), new Viewer("map")];

// Moves the focus into a view that was opened, and back after it was closed.
function enter(view) {
  if (byId(view).hidden) return focus();
  byId(view).querySelector(view === "diagram" ? "#picture" : "#gallery button, button").focus();
}

// What plus, minus and 0 enlarge.
function viewer() {
  return byId("diagram").hidden || byId("frame").hidden ? mapViewer : picture;
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
  const isCommand = event.ctrlKey || event.metaKey;
  const keys = isCommand ? COMMAND_KEYS : KEYS;
  const [action, now] = [keys[event.key], isCommand ? null : MOVES[event.key] || VIEW_KEYS[event.key]];
  if (!action && !now) return;
  event.preventDefault();
  const place = at;
  if (event.repeat && !MOVES[event.key]) return;
  if (action) act(() => action(place));
  else now();
});
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
