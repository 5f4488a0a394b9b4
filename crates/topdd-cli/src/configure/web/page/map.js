function drawn(name, attributes) {
  const made = document.createElementNS(byId("map").querySelector("svg").namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// The curves of all edges, and their middles.
function allCurves() {
  const byEnds = new Map();
  for (const [edge, ends] of map.edges.entries()) {
    const key = String([Math.min(...ends), Math.max(...ends)]);
    byEnds.set(key, [...(byEnds.get(key) || []), edge]);
  }
  return map.edges.map((ends, edge) => curve(edge, byEnds.get(String([Math.min(...ends), Math.max(...ends)]))));
}

// The curve of an edge: straight, or bent if other edges have the same ends.
function curve(edge, same) {
  const [a, b] = map.edges[edge];
  const [[x1, y1], [x2, y2]] = [map.points[a], map.points[b]];
  const turn = (same.indexOf(edge) - (same.length - 1) / 2) * (a < b ? 1 : -1);
  if (a === b) {
    const size = 24 + 14 * same.indexOf(edge);
    const path = `M ${x1} ${y1} C ${x1 - size} ${y1 - 2 * size} ${x1 + size} ${y1 - 2 * size} ${x1} ${y1}`;
    return { path, x: x1, y: y1 - 1.5 * size };
  }
  const x = (x1 + x2) / 2 - turn * (y2 - y1) * 0.35;
  const y = (y1 + y2) / 2 + turn * (x2 - x1) * 0.35;
  return { path: `M ${x1} ${y1} Q ${x} ${y} ${x2} ${y2}`, x: (x1 + 2 * x + x2) / 4, y: (y1 + 2 * y + y2) / 4 };
}

// An element of the graph, which is clicked like the cell of its value 1.
function mapElement(row, parts) {
  const group = drawn("g", { class: "element", role: "button", tabindex: "-1" });
  group.append(...parts, drawn("title", {}));
  group.addEventListener("click", () => act(() => (map.coloured ? visit(row) : click(row, 1))));
  group.dataset.row = row;
  return group;
}

// Moves the focus to the colours of a vertex in the table.
async function visit(row) {
  if (row < state.first || row >= state.first + state.cells.length) {
    first = row;
    const found = await ask(decisions);
    if (!found) return;
    show(found);
  }
  at = { row, col: Math.max(0, state.cells[row - state.first].search(/[cf.]/)) };
  drawTable(true);
}

// The paint of a colour. The turn by the golden angle makes colours differ.
function paint(colour) {
  return `hsl(${(colour * 137.5) % 360} 65% 55%)`;
}

// Shows the colours that are chosen or forced.
function drawColours() {
  for (const group of byId("map").querySelectorAll(".element")) {
    const row = Number(group.dataset.row);
    const [colour, status] = state.colours[row] || [null, "."];
    group.dataset.status = status;
    group.querySelector("circle").style.fill = colour === null ? "" : paint(colour);
    group.querySelector("title").textContent =
      map.labels[row] + ": " + (colour === null ? WORDS[status] : "colour " + colour + ", " + WORDS[status]);
    group.setAttribute("aria-label", group.querySelector("title").textContent);
  }
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

// The most edges whose weights are written on the map. Of others, the pointer shows them.
const MAX_WEIGHTS = 80;

// Draws the graph, and returns its bounds. `element` makes an element of the graph of its row and its parts.
function drawGraph(svg, element) {
  const [xs, ys] = [0, 1].map((axis) => map.points.map((point) => point[axis]));
  const [left, top] = [Math.min(...xs) - 40, Math.min(...ys) - 40];
  const isMini = svg.classList.contains("mini");
  const parts = new Map(map.parts);
  const nameOf = (vertex) => map.names[vertex] + (parts.has(vertex) && !isMini ? " (" + parts.get(vertex) + ")" : "");
  // Of the letters of the names.
  const letter = isMini ? 11 : 7.5;
  const right = Math.max(...xs.map((x, vertex) => x + 12 + letter * nameOf(vertex).length), Math.max(...xs) + 40);
  const bounds = { x: left, y: top, width: right - left, height: Math.max(...ys) + 40 - top };
  svg.setAttribute("viewBox", `${left} ${top} ${bounds.width} ${bounds.height}`);
  const rowOf = new Map(map.order.map((index, row) => [index, row]));
  const lines = map.edges.map((_, edge) => {
    const line = drawn("path", { class: "line", d: map.curves[edge].path });
    if (!map.of_edges || !rowOf.has(edge)) return line;
    return element(rowOf.get(edge), [line, drawn("path", { class: "hit", d: map.curves[edge].path })]);
  });
  const circles = map.points.map(([cx, cy], vertex) => {
    const circle = drawn("circle", { cx, cy, r: map.of_edges ? 5 : 11 });
    if (parts.has(vertex)) circle.classList.add("part");
    return map.of_edges || !rowOf.has(vertex) ? circle : element(rowOf.get(vertex), [circle]);
  });
  const names = map.points.map(([x, y], vertex) => {
    const text = drawn("text", { x: x + 8, y: y - 8 });
    text.textContent = nameOf(vertex);
    return text;
  });
  const weights = isMini || !map.of_edges || !map.weights || map.edges.length > MAX_WEIGHTS ? [] : map.edges.map((_, edge) => {
    const text = drawn("text", { x: map.curves[edge].x, y: map.curves[edge].y + 4, class: "weight" });
    text.textContent = rowOf.has(edge) ? map.weights[rowOf.get(edge)] : "";
    return text;
  });
  svg.replaceChildren(...lines, ...circles, ...weights, ...names);
  return bounds;
}

// Draws the graph once; `drawMap` shows a state on it.
function prepareMap() {
  map.curves = allCurves();
  byId("map-place").hidden = false;
  const bounds = drawGraph(byId("map").querySelector("svg"), mapElement);
  // A small graph is not drawn with large letters.
  byId("map").style.maxWidth = 1.5 * bounds.width + "px";
  mapViewer.open(bounds);
  byId("ones").hidden = map.coloured;
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
    const weight = map.weights ? ", weight " + map.weights[row] : "";
    group.querySelector("title").textContent = map.labels[row] + ": " + WORDS[status] + used + weight;
    group.setAttribute("aria-label", group.querySelector("title").textContent);
    const line = group.querySelector(".line");
    if (line) line.style.strokeWidth = status === "." ? 1 + 6 * (share === null ? 0.3 : share) : "";
    const circle = group.querySelector("circle");
    if (circle) circle.style.fillOpacity = status === "." && share !== null ? 0.15 + 0.85 * share : 1;
  }
}

