// The part of the picture that is shown: its upper left corner, and its size; null for all of it.
let frame = null;
// The bounds of the picture.
let bounds = null;

// Shows the levels, and the picture if it is small enough. Solutions that are left are marked.
async function drawDiagram() {
  const found = await load("diagram", {});
  if (!found) return;
  const names = found.levels.map((level) => level.name);
  byId("diagram-status").textContent = found.nodes + (found.nodes === 1 ? " node" : " nodes") + "; the solutions left pass through " +
    found.left + " of them." + (found.picture ? "" : " Only diagrams of up to " + found.most + " nodes and " + 2 * found.most + " edges are drawn.") +
    (names.length < found.variables ? " The first " + names.length + " of " + found.variables + " levels are listed." : "");
  byId("level-rows").tBodies[0].replaceChildren(...levelRows(found.levels));
  byId("frame").hidden = found.picture === null;
  if (found.picture !== null) drawPicture(found.picture, names);
}

function levelRows(levels) {
  const most = Math.max(1, ...levels.map((level) => level.nodes));
  return levels.map((level) => {
    const line = element("tr");
    const head = element("th", level.name);
    head.scope = "row";
    const bar = element("span");
    bar.className = "bar";
    bar.style.width = (100 * level.nodes) / most + "%";
    const part = element("span");
    part.className = "part";
    part.style.width = level.nodes === 0 ? "0" : (100 * level.left) / level.nodes + "%";
    bar.append(part);
    const place = element("td");
    place.append(bar);
    const count = element("td", level.left + " of " + level.nodes);
    line.title = level.name + ": the solutions left pass through " + level.left + " of " + level.nodes + " nodes";
    line.append(head, place, count);
    return line;
  });
}

// The picture has the style of the page, and the names of variables.
function drawPicture(text, names) {
  const plain = text.replace(/<style>.*?<\/style>/s, "");
  const parsed = new DOMParser().parseFromString(plain, "image/svg+xml").documentElement;
  for (const part of parsed.querySelectorAll(".card, .title, svg > title")) part.remove();
  for (const label of parsed.querySelectorAll(".variable, circle > title")) {
    label.textContent = label.textContent.replace(/^x(\d+)/, (found, variable) => names[variable] || found);
  }
  // On a board with a variable for each row, values are columns.
  const columns = isBoard() && names.some((name) => name.startsWith("row ")) ? parsed.querySelectorAll(".value") : [];
  for (const label of columns) {
    label.textContent = label.textContent.replace(/\d+/g, (value) => state.col_names[value] || value);
  }
  const svg = document.importNode(parsed, true);
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  byId("picture").replaceChildren(svg);
  const box = svg.getBBox();
  const now = { x: box.x - 10, y: box.y - 10, width: box.width + 20, height: box.height + 20 };
  // After another decision on the same diagram, the picture stays where it is.
  if (bounds === null || bounds.width !== now.width || bounds.height !== now.height) frame = null;
  bounds = now;
  const width = byId("picture").clientWidth;
  byId("picture").style.height = Math.min(Math.max(192, (width * bounds.height) / bounds.width), 640) + "px";
  showFrame();
}

function isDrawn() {
  return bounds !== null && !byId("diagram").hidden;
}

function showFrame() {
  const { x, y, width, height } = frame || bounds;
  const svg = byId("picture").querySelector("svg");
  if (svg) svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
}

// Makes the picture larger by a factor. The point at these shares of its width and height stays where it is.
function zoom(factor, across = 0.5, down = 0.5) {
  if (!isDrawn()) return;
  const { x, y, width, height } = frame || bounds;
  const [w, h] = [width / factor, height / factor];
  if (w < 40 || w > 4 * bounds.width) return;
  frame = { x: x + (width - w) * across, y: y + (height - h) * down, width: w, height: h };
  showFrame();
}

// Moves the picture by shares of its width and height.
function pan(across, down) {
  if (!isDrawn()) return;
  const { x, y, width, height } = frame || bounds;
  frame = { x: x + across * width, y: y + down * height, width, height };
  showFrame();
}

function showWhole() {
  if (!isDrawn()) return;
  frame = null;
  showFrame();
}

const PICTURE_KEYS = {
  ArrowUp: () => pan(0, -0.1), ArrowDown: () => pan(0, 0.1), ArrowLeft: () => pan(-0.1, 0), ArrowRight: () => pan(0.1, 0),
  PageUp: () => pan(0, -0.8), PageDown: () => pan(0, 0.8), "+": () => zoom(1.25), "-": () => zoom(0.8), 0: showWhole, Home: showWhole,
};

// The place of a pointer as shares of the width and height of the shown part.
function shares(event) {
  const svg = byId("picture").querySelector("svg");
  const { x, y, width, height } = frame || bounds;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [(point.x - x) / width, (point.y - y) / height];
}

// The keys, the wheel and the pointer move the picture.
function preparePicture() {
  const picture = byId("picture");
  picture.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !PICTURE_KEYS[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    PICTURE_KEYS[event.key]();
  });
  picture.addEventListener("wheel", (event) => {
    if (!bounds) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, ...shares(event));
  }, { passive: false });
  let last = null;
  picture.addEventListener("pointerdown", (event) => {
    if (!bounds) return;
    last = shares(event);
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointermove", (event) => {
    if (!last) return;
    const [across, down] = shares(event);
    pan(last[0] - across, last[1] - down);
  });
  for (const end of ["pointerup", "pointercancel"]) picture.addEventListener(end, () => { last = null; });
}
