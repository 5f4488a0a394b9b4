// The smallest scale at which the picture of a diagram is opened, so that its letters can be read.
const LEGIBLE = 0.7;

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
  for (const part of parsed.querySelectorAll(".panel, .title, svg > title")) part.remove();
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
  const { x, y, width, height } = svg.getBBox();
  const bounds = { x: x - 10, y: y - 10, width: width + 20, height: height + 20 };
  // After another decision on the same diagram, the picture stays where it is.
  if (!picture.open(bounds)) return;
  const shown = { width: byId("picture").clientWidth / LEGIBLE, height: byId("picture").clientHeight / LEGIBLE };
  if (shown.width > bounds.width && shown.height > bounds.height) return;
  // A large one opens at its root.
  const root = svg.querySelector(".node");
  const top = root && shown.width < bounds.width ? root.getBBox() : bounds;
  picture.part = { x: top.x + (top.width - shown.width) / 2, y: bounds.y, ...shown };
  picture.show();
}
