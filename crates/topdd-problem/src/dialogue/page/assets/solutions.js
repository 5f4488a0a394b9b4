// The order in which solutions are shown, and the page after and before the shown one, by its first solution.
let order = "listed";
let nextPage = null;
let previousPage = null;

// Turning pages is queued: each turn starts from the page before.
const turns = queue();

// Shows the solutions from a place on.
async function listSolutions(wanted, from) {
  order = wanted;
  // Ranks are among the solutions after these decisions.
  const base = decisions;
  const found = await load("solutions", { order, from, draw: draws });
  if (!found) return;
  [nextPage, previousPage] = [found.next, found.previous];
  const focused = byId("gallery").contains(document.activeElement);
  byId("gallery").replaceChildren(...found.solutions.map((solution) => solutionItem(solution, base)));
  const many = found.solutions.length;
  byId("solutions-status").textContent = found.count === "1" ? "The only solution that is left." : order === "random"
    ? many + " of " + found.count + " solutions, drawn at random. A click decides a solution as a whole."
    : "Solutions " + found.first + " to " + found.last + " of " + found.count +
      (order === "best" ? ", the best first" : "") + ". A click decides a solution as a whole.";
  enable("next", nextPage !== null);
  enable("previous", previousPage !== null);
  for (const [id, name] of [["listed", "listed"], ["random", "random"], ["weighed", "best"]]) {
    byId(id).setAttribute("aria-pressed", String(order === name));
  }
  if (focused && many > 0) byId("gallery").querySelector("button").focus();
}

// Shows the page that `page` returns.
function turnSolutions(page) {
  turns(() => (byId("solutions").hidden || page() === null ? null : listSolutions(order, page())));
}

// The arrows move from solution to solution.
function prepareSolutions() {
  const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
  byId("gallery").addEventListener("keydown", (event) => {
    const buttons = [...byId("gallery").querySelectorAll("button")];
    const ends = { Home: buttons[0], End: buttons[buttons.length - 1] };
    if (event.altKey || event.ctrlKey || event.metaKey || !(steps[event.key] || ends[event.key])) return;
    event.preventDefault();
    event.stopPropagation();
    const next = ends[event.key] || buttons[buttons.indexOf(document.activeElement) + steps[event.key]];
    if (next) next.focus();
  });
}

// A solution after some decisions as a button: its picture, its place and its weight.
function solutionItem(solution, base) {
  const button = element("button");
  button.type = "button";
  button.dataset.rank = solution.rank;
  const weight = solution.weight === null ? "" : ", weight " + solution.weight;
  button.title = solution.text;
  button.setAttribute("aria-label", "solution " + solution.place + weight + ": " + solution.text);
  button.append(miniature(solution), element("span", solution.place + weight));
  const message = "completed as solution " + solution.place + weight;
  button.addEventListener("click", () => act(() => change(base, "nth " + solution.rank, message)));
  const item = element("li");
  item.append(button);
  return item;
}

// A solution, drawn as the board or the map is.
function miniature(solution) {
  const chosen = new Set(solution.cells.map(([row, col]) => row + " " + col));
  if (map) {
    const svg = drawn("svg", { class: "map mini" });
    const colours = new Map(solution.cells);
    drawGraph(svg, (row, shapes) => {
      const status = map.coloured || chosen.has(row + " 1") ? "c" : "-";
      const group = drawn("g", { class: "element", "data-status": status });
      if (map.coloured) {
        shapes[0].style.fill = paint(colours.get(row));
        shapes[1].textContent = colours.get(row);
      }
      group.append(...shapes);
      return group;
    });
    const { x, y, width, height } = boundsOfMap(map.coloured ? map.names.map(() => "") : map.names, 11);
    svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    return svg;
  }
  if (!isBoard()) return element("code", solution.text);
  const board = element("span");
  board.className = "board mini";
  board.style.setProperty("--cols", state.col_names.length);
  for (const row of rowsShown()) {
    for (let col = 0; col < state.col_names.length; col++) {
      const status = chosen.has(row + " " + col) ? "c" : ".";
      const square = element("span", sign(status, ""));
      square.className = (row + col) % 2 === 0 ? "square dark" : "square";
      board.append(square);
    }
  }
  return board;
}
