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
    back.addEventListener("click", () => act(() => change(decisions.filter((command) => command !== decision.command))));
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
  if (state.weight) {
    const weight = element("b", state.weight);
    weight.title = "The weight of a solution is the sum of the weights of its parts: those of the file of weights, or of the graph, or 1 each.";
    byId("left").append(", ", weight);
  }
  say(state.message, state.refused);
  drawTable(focused);
  if (map) (map.coloured ? drawColours : drawMap)();
  drawDecisions();
  byId("undo").disabled = past.length === 0;
  byId("redo").disabled = future.length === 0;
  byId("best").hidden = byId("weighed").hidden = !state.has_weights;
  byId("clear").disabled = decisions.length === 0;
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
  byId("legend").replaceChildren(...signs);
  if (!map || !state.shares) return;
  const [more, place] = map.of_edges ? ["thicker", "edge"] : ["darker", "vertex"];
  byId("legend").append(element("p", `The ${more} a free ${place}, the more of the solutions left have it.`));
}

async function turn(by) {
  first = Math.max(0, state.first + by * Math.max(1, state.cells.length));
  const found = await ask(decisions);
  if (found) show(found);
}

function move(rows, cols) {
  const shown = rowsShown();
  const index = Math.min(Math.max(shown.indexOf(at.row) + rows, 0), shown.length - 1);
  const row = shown[index];
  const last = state.cells[row - state.first].length - 1;
  goTo(row, Math.min(Math.max(at.col + cols, 0), last));
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
  undo: () => go(past, future, "undone"),
  redo: () => go(future, past, "done again"),
  sample: () => change(decisions, "sample"),
  best: () => state.has_weights && change(decisions, "best"),
  clear: () => change([]),
  script: saveScript,
  earlier: () => turn(-1),
  later: () => turn(1),
};
// What changes the views only, at once.
const VIEWS = {
  list: () => toggle("solutions", "list", () => listSolutions(order, "0")),
  listed: () => listSolutions("listed", "0"),
  random: () => { sample++; listSolutions("random", "0"); },
  weighed: () => listSolutions("best", "0"),
  next: () => turnSolutions(nextPage),
  previous: () => turnSolutions(previousPage),
  nodes: () => toggle("diagram", "nodes", drawDiagram),
};
const KEYS = {
  ArrowUp: () => move(-1, 0), ArrowDown: () => move(1, 0), ArrowLeft: () => move(0, -1), ArrowRight: () => move(0, 1),
  Home: () => move(-Infinity, 0), End: () => move(Infinity, 0), PageUp: () => move(-10, 0), PageDown: () => move(10, 0),
  w: ACTIONS.why, "?": ACTIONS.why, a: anyway, "!": anyway, u: ACTIONS.undo, r: ACTIONS.redo, s: ACTIONS.sample, b: ACTIONS.best,
  c: ACTIONS.clear, x: () => forbid(at.row, at.col), Delete: () => forbid(at.row, at.col),
};
const VIEW_KEYS = {
  l: VIEWS.list, d: VIEWS.nodes, n: VIEWS.next, p: VIEWS.previous,
  "+": () => viewer().keys["+"](), "-": () => viewer().keys["-"](), 0: () => viewer().keys["0"](),
};
const [picture, mapViewer] = [new Viewer("picture"), new Viewer("map")];

// What plus, minus and 0 enlarge.
function viewer() {
  return byId("diagram").hidden ? mapViewer : picture;
}

for (const [id, action] of Object.entries(ACTIONS)) byId(id).addEventListener("click", () => state && act(action));
for (const [id, action] of Object.entries(VIEWS)) byId(id).addEventListener("click", () => state && action());
document.addEventListener("keydown", (event) => {
  if (!state || event.ctrlKey || event.altKey || event.metaKey) return;
  // On a button, these keys press it.
  const presses = event.key === "Enter" || event.key === " ";
  if (presses && document.activeElement === document.body) {
    event.preventDefault();
    act(() => click(at.row, at.col));
  }
  if (!KEYS[event.key] && !VIEW_KEYS[event.key]) return;
  event.preventDefault();
  if (KEYS[event.key]) act(KEYS[event.key]);
  else VIEW_KEYS[event.key]();
});
window.addEventListener("popstate", (event) => {
  const wanted = fromAddress();
  act(() => arrive(wanted, event.state));
});

(async () => {
  if (!(await built())) return;
  map = await fetch("map").then((response) => response.json()).catch(() => null);
  if (map) prepareMap();
  act(() => arrive(fromAddress(), history.state));
})();
