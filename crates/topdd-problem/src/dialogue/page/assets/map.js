function drawn(name, attributes) {
  const made = document.createElementNS(byId("map").querySelector("svg").namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// The curves of all edges.
function allCurves() {
  const byEnds = new Map();
  for (const [edge, ends] of map.edges.entries()) {
    const key = String([Math.min(...ends), Math.max(...ends)]);
    byEnds.set(key, [...(byEnds.get(key) || []), edge]);
  }
  return map.edges.map((ends, edge) => curve(edge, byEnds.get(String([Math.min(...ends), Math.max(...ends)]))));
}

// The curve of an edge with points on it, its middle, and its direction there: straight, or bent if other edges have the
// same ends.
function curve(edge, same) {
  const [a, b] = map.edges[edge];
  const [[x1, y1], [x2, y2]] = [map.points[a], map.points[b]];
  const turn = (same.indexOf(edge) - (same.length - 1) / 2) * (a < b ? 1 : -1);
  const steps = [...Array(33).keys()].map((step) => step / 32);
  if (a === b) {
    const size = 24 + 14 * same.indexOf(edge);
    const path = `M ${x1} ${y1} C ${x1 - size} ${y1 - 2 * size} ${x1 + size} ${y1 - 2 * size} ${x1} ${y1}`;
    const samples = steps.map((t) => [x1 + 3 * t * (1 - t) * (2 * t - 1) * size, y1 - 6 * t * (1 - t) * size]);
    return { path, samples, x: x1, y: y1 - 1.5 * size, direction: [1, 0], side: 1 };
  }
  const x = (x1 + x2) / 2 - turn * (y2 - y1) * 0.35;
  const y = (y1 + y2) / 2 + turn * (x2 - x1) * 0.35;
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const on = (t, from, by, to) => (1 - t) * (1 - t) * from + 2 * t * (1 - t) * by + t * t * to;
  return {
    path: `M ${x1} ${y1} Q ${x} ${y} ${x2} ${y2}`,
    samples: steps.map((t) => [on(t, x1, x, x2), on(t, y1, y, y2)]),
    x: on(0.5, x1, x, x2),
    y: on(0.5, y1, y, y2),
    direction: [(x2 - x1) / length, (y2 - y1) / length],
    // The outer side of a bent edge.
    side: Math.sign(turn) || 1,
  };
}

// Where the name of a vertex can be: to the right or left of it, and above or below.
const CORNERS = [[1, -1], [1, 1], [-1, -1], [-1, 1]];

// For each vertex, the corner for its name that is farthest from its edges. The weight of a vertex is below it.
function allCorners() {
  const corners = map.of_edges || !writesWeights() ? CORNERS : CORNERS.filter(([, down]) => down < 0);
  const directions = map.points.map(() => []);
  const direction = ([x1, y1], [x2, y2]) => {
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    return [(x2 - x1) / length, (y2 - y1) / length];
  };
  for (const [edge, [a, b]] of map.edges.entries()) {
    const { samples } = map.curves[edge];
    directions[a].push(direction(samples.at(0), samples.at(4)));
    directions[b].push(direction(samples.at(-1), samples.at(-5)));
  }
  // The middle of a name is more aside than above or below.
  const nearness = (edges, [across, down]) => Math.max(...edges.map(([x, y]) => 0.9 * across * x + 0.4 * down * y));
  // Of equal corners, the first; rounding errors make no difference.
  const better = (edges) => (best, corner) => (nearness(edges, corner) < nearness(edges, best) - 1e-6 ? corner : best);
  return directions.map((edges) => corners.reduce(better(edges)));
}

// The arrowhead of a directed edge, at its middle.
function arrow({ x, y, direction: [dx, dy] }) {
  const corner = (along, across) => `${x + along * dx - across * dy} ${y + along * dy + across * dx}`;
  return drawn("path", { class: "arrow", d: `M ${corner(8, 0)} L ${corner(-5, 6)} L ${corner(-5, -6)} Z` });
}

// Returns the groups of the edges or vertices that can be chosen.
function elementsOfMap() {
  return [...byId("map").querySelectorAll(".element")];
}

// An element of the graph, which is clicked like the cell of its value 1.
function mapElement(row, shapes) {
  const group = drawn("g", { class: "element", role: "button", tabindex: "-1" });
  group.append(...shapes, drawn("title", {}));
  const press = (pressed) => {
    goTo({ row: pressed, col: map.coloured ? at.col : 1 });
    elementsOfMap().find((other) => Number(other.dataset.row) === pressed).focus({ preventScroll: true });
    act(() => (map.coloured ? paintNext(pressed) : click({ row: pressed, col: 1 })));
  };
  // A click by a key or an assistive technology has no position: it is on this element.
  group.addEventListener("click", (event) => press(event.detail > 0 ? nearest(event, row) : row));
  group.addEventListener("keydown", (event) => {
    if (event.repeat || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    press(row);
  });
  group.dataset.row = row;
  return group;
}

// Gives a vertex the next colour that is possible, or makes it free again. If its colour is forced, the reason is shown.
async function paintNext(row) {
  if (!(await reveal(row))) return;
  const own = state.decisions.find((decision) => decision.command.startsWith("choose ") && decision.cells.some(([r]) => r === row));
  const colour = own ? own.cells[0][1] : -1;
  const others = decisions.filter((command) => !own || command !== own.command);
  const found = own ? await ask(others) : state;
  if (!found) return;
  const statuses = found.cells[row - found.first];
  if (!own && statuses.includes("f")) {
    const forced = { row, col: statuses.indexOf("f") };
    if (at.row === row) goTo(forced);
    return askAbout("why", forced);
  }
  const next = statuses.indexOf(".", colour + 1);
  if (next < 0) return takeBack(own);
  if (at.row === row) goTo({ row, col: next });
  return change(others, "choose " + nameOf(row, next));
}

// Returns the row of the element that is nearest to the pointer. Wide hit areas overlap at vertices, so that the topmost
// element, of `row`, may be another one.
function nearest(event, row) {
  const groups = document.elementsFromPoint(event.clientX, event.clientY).map((shape) => shape.closest("#map .element"));
  const rows = [row, ...groups.filter(Boolean).map((group) => Number(group.dataset.row))];
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(byId("map").querySelector("svg").getScreenCTM().inverse());
  const distances = rows.map((under) => distance(point, map.order[under]));
  return rows[distances.indexOf(Math.min(...distances))];
}

// The distance of a point to an edge or vertex.
function distance({ x, y }, index) {
  if (!map.of_edges) return Math.hypot(x - map.points[index][0], y - map.points[index][1]);
  const { samples } = map.curves[index];
  const parts = samples.slice(1).map(([x2, y2], before) => {
    const [x1, y1] = samples[before];
    const [dx, dy] = [x2 - x1, y2 - y1];
    const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
  });
  return Math.min(...parts);
}

// Returns the share of the solutions left that have an edge or vertex, and its weight, in words.
function usage(row) {
  const share = state.shares && statusOf(row, 1) === "." ? ", in " + (state.shares[row] / 10).toFixed(1) + " % of the solutions left" : "";
  return share + (map.weights ? ", weight " + map.weights[row] : "");
}

// Marks the element of the place that keys act on.
function markPlace() {
  for (const group of elementsOfMap()) group.classList.toggle("here", Number(group.dataset.row) === at.row);
}

// Shows a state on the map.
function drawMap() {
  markPlace();
  for (const group of elementsOfMap()) {
    const row = Number(group.dataset.row);
    const [colour, status] = map.coloured ? state.colours[row] || [null, "."] : [null, statusOf(row, 1)];
    const text = map.labels[row] + ": " + (colour === null ? "" : "colour " + colour + ", ") + WORDS[status] + (map.coloured ? "" : usage(row));
    group.dataset.status = status;
    group.classList.toggle("reason", state.because.some(([r]) => r === row));
    group.querySelector("title").textContent = text;
    group.setAttribute("aria-label", text);
    group.setAttribute("aria-pressed", String(status === "c" || status === "f"));
    if (map.coloured) {
      group.querySelector("circle").style.fill = colour === null ? "" : paint(colour);
      group.querySelector(".colour").textContent = colour === null ? "" : colour;
    } else {
      drawShare(group, status, state.shares ? state.shares[row] / 1000 : null);
    }
  }
}

// Draws the share of the solutions left that have a free edge, as its width, or a free vertex, as its opacity.
function drawShare(group, status, share) {
  const [line, circle] = [group.querySelector(".line"), group.querySelector("circle")];
  if (line) line.style.strokeWidth = status === "." ? 1 + 6 * (share === null ? 0.3 : share) : "";
  if (circle) circle.style.fillOpacity = status === "." && share !== null ? 0.15 + 0.85 * share : 1;
}

// The paint of a colour. The turn by the golden angle makes colours differ.
function paint(colour) {
  return `hsl(${(colour * 137.5) % 360} 65% 55%)`;
}

// A sign of the map beside its meaning.
function mapSign(status) {
  const svg = drawn("svg", { class: "map sign", viewBox: "0 0 40 20", "aria-hidden": "true" });
  const group = drawn("g", { class: "element", "data-status": status });
  group.append(map.of_edges ? drawn("path", { class: "line", d: "M 2 10 H 38" }) : drawn("circle", { cx: 20, cy: 10, r: 8 }));
  if (map.of_edges && status === ".") group.firstChild.style.strokeWidth = 3;
  svg.append(group);
  return svg;
}

// Weights are written on the map only if it has at most this many edges or vertices. The tooltip always shows them.
const MAX_WEIGHTS = 80;

// The bounds of the graph with the names of vertices, whose letters have this width. A name with its distance from the
// vertex is as high as 2.7 letters are wide.
function boundsOfMap(texts, letter) {
  const xs = [...map.points.map(([x]) => x), ...map.curves.map(({ x }) => x)];
  const ys = [...map.points.map(([, y]) => y), ...map.curves.map(({ y }) => y)];
  // The end of each name that is farthest from its vertex.
  const ends = map.points.map(([x, y], vertex) => {
    const [across, down] = map.corners[vertex];
    return [x + across * (8 + letter * (1.2 + texts[vertex].length)), y + down * (6 + 2.7 * letter)];
  });
  const across = [Math.min(...xs) - 40, Math.max(...xs) + 40, ...ends.map(([x]) => x)];
  const down = [Math.min(...ys) - 40, Math.max(...ys) + 40, ...ends.map(([, y]) => y)];
  const [x, y] = [Math.min(...across), Math.min(...down)];
  return { x, y, width: Math.max(...across) - x, height: Math.max(...down) - y };
}

// The names of vertices, with their roles.
function names() {
  const roles = new Map(map.roles);
  return map.names.map((name, vertex) => (roles.has(vertex) ? name + " (" + roles.get(vertex) + ")" : name));
}

// Draws the graph. `make` makes an element of the graph of its row and its shapes.
function drawGraph(svg, make) {
  const isMini = svg.classList.contains("mini");
  const roles = new Map(isMini ? [] : map.roles);
  const texts = isMini ? map.names : names();
  const rowOf = new Map(map.order.map((index, row) => [index, row]));
  const lines = map.curves.map((curve, edge) => {
    const shapes = [drawn("path", { class: "line", d: curve.path }), ...(map.directed ? [arrow(curve)] : [])];
    if (map.of_edges && rowOf.has(edge)) return make(rowOf.get(edge), [...shapes, drawn("path", { class: "hit", d: curve.path })]);
    const group = drawn("g", {});
    group.append(...shapes);
    return group;
  });
  const circles = map.points.map(([cx, cy], vertex) => {
    const circle = drawn("circle", { cx, cy, r: map.of_edges ? 5 : map.coloured && isMini ? 18 : 11 });
    if (roles.has(vertex)) circle.classList.add("role");
    const colour = map.coloured ? [label("", { x: cx, y: cy + (isMini ? 9 : 4.5), class: "colour" })] : [];
    return map.of_edges || !rowOf.has(vertex) ? circle : make(rowOf.get(vertex), [circle, ...colour]);
  });
  // A coloured miniature shows colours in place of names.
  const named = isMini && map.coloured ? [] : map.points;
  const [aside, off] = map.of_edges ? [0, 0] : [8, 6];
  const labels = named.map(([x, y], vertex) => {
    const [across, down] = map.corners[vertex];
    const corner = (across < 0 ? " before" : "") + (down > 0 ? " below" : "");
    return label(texts[vertex], { x: x + across * aside, y: y + down * off, class: "name" + corner });
  });
  svg.replaceChildren(...lines, ...labels, ...circles, ...(isMini ? [] : weightLabels(rowOf)));
}

function label(text, attributes) {
  const made = drawn("text", attributes);
  made.textContent = text;
  return made;
}

function writesWeights() {
  return map.weights && map.order.length <= MAX_WEIGHTS;
}

// The weights beside the elements, if there are few.
function weightLabels(rowOf) {
  if (!writesWeights()) return [];
  return map.order.map((index) => {
    const [px, py] = map.of_edges ? [] : map.points[index];
    const { x, y, direction: [dx, dy], side } = map.of_edges ? map.curves[index] : { x: px, y: py + 22, direction: [0, 0], side: 0 };
    // Not on the arrowhead.
    const aside = map.directed ? 14 * side : 0;
    return label(map.weights[rowOf.get(index)], { x: x - aside * dy, y: y + aside * dx + 4, class: "weight" });
  });
}

// Gives the map a frame with room for the names. Letters have the same size at each scale, so their room depends on it. An
// enlarged part stays as it is.
function fitMap() {
  let scale = 1;
  // Each round reaches a smaller scale, with ever smaller steps.
  for (let round = 0; round < 12; round++) {
    const bounds = boundsOfMap(names(), 7.5 / scale);
    // Limits the scale, so that circles and lines of a small graph stay small.
    if (round === 0) byId("map").style.maxWidth = 1.5 * bounds.width + "px";
    scale = mapViewer.shape(bounds);
  }
  mapViewer.show();
}

// Draws the graph once; `drawMap` shows a state on it. The table goes beside it.
function prepareMap() {
  map.curves = allCurves();
  map.corners = allCorners();
  byId("map-place").hidden = false;
  drawGraph(byId("map").querySelector("svg"), mapElement);
  fitMap();
  byId("help").before(byId("pages"), byId("rows"));
  byId("moves").hidden = false;
  byId("ones").hidden = map.coloured;
  byId("colours").hidden = !map.coloured;
}
