function sign(status, value) {
  const [chosen, forced] = isBoard() ? PIECES[state.piece] || [state.piece, state.piece.toLowerCase()] : [value, value];
  const name = state.value_names ? " " + value : "";
  return { c: chosen, f: forced, ".": isBoard() ? "" : value, x: "×" + name, "-": "–" + name }[status];
}

function element(name, text) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
}

function cell(row, col) {
  const status = statusOf(row, col);
  const button = element("button", sign(status, isBoard() ? "" : valueName(row, col)));
  button.type = "button";
  button.className = "cell";
  button.dataset.status = status;
  button.dataset.name = nameOf(row, col);
  if (map && map.coloured) button.style.setProperty("--paint", paint(col));
  const current = isShown(at.row) ? at : { row: state.first, col: 0 };
  button.tabIndex = row === current.row && col === current.col ? 0 : -1;
  const label = nameOf(row, col) + ": " + WORDS[status] + (map && !map.coloured && col === 1 ? usage(row) : "");
  button.title = label + (status === "f" || status === "-" ? "; a click shows why" : "");
  button.setAttribute("aria-label", label);
  button.setAttribute("aria-pressed", String(status === "c" || status === "f"));
  const reason = state.because.some(([r, c]) => r === row && c === col);
  button.classList.toggle("reason", reason);
  button.addEventListener("click", () => {
    goTo({ row, col });
    act(() => click({ row, col }));
  });
  button.addEventListener("focus", () => goTo({ row, col }));
  const place = element("td");
  place.setAttribute("role", "gridcell");
  if ((row + col) % 2 === 0) place.className = "dark";
  place.append(button);
  return place;
}

// Makes a place the one that keys act on.
function goTo(place) {
  if (place.row !== at.row || place.col !== at.col) offered = null;
  at = place;
  markPlace();
  for (const button of byId("table").querySelectorAll(".cell")) {
    button.tabIndex = button.dataset.name === nameOf(at.row, at.col) ? 0 : -1;
  }
}

// The rows from the top: of a board, the last one first.
function rowsShown() {
  const rows = state.cells.map((_, index) => state.first + index);
  return isBoard() ? rows.reverse() : rows;
}

function drawTable(focused) {
  const table = byId("table");
  table.className = isBoard() ? "board" : map && map.coloured ? "list coloured" : "list";
  table.style.setProperty("--cols", state.col_names.length);
  const rows = rowsShown();
  if (at.row >= state.rows) at = { row: 0, col: 0 };
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

