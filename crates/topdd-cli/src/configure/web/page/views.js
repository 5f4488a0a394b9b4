// The sections below the board: the solutions that are left, and the diagram. They show the present decisions.

// The number of the newest request of each view, so that a late answer is not shown.
const newest = { solutions: 0, diagram: 0 };
// The decisions that the views show.
let viewed = null;

// The requests of each view: one at a time.
const loads = { solutions: queue(), diagram: queue() };

// Asks for the content of a view after the present decisions. The result is null if the server refuses, or a newer
// request was made.
function load(view, body) {
  const number = ++newest[view];
  const request = JSON.stringify({ decisions, ...body });
  return loads[view](() => (number === newest[view] ? loadNow(view, number, request) : null));
}

async function loadNow(view, number, request) {
  const section = byId(view);
  const status = byId(view + "-status");
  const slow = setTimeout(() => {
    section.setAttribute("aria-busy", "true");
    status.textContent = "Computing …";
  }, 150);
  try {
    const response = await fetch(view, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: request,
    });
    const found = response.ok ? await response.json() : await response.text();
    if (number !== newest[view]) return null;
    if (response.ok) return found;
    status.textContent = found;
    return null;
  } catch {
    if (number === newest[view]) status.textContent = NOBODY.ended;
    return null;
  } finally {
    clearTimeout(slow);
    if (number === newest[view]) section.removeAttribute("aria-busy");
  }
}

// Opens or closes a view. `button` is the button that does so.
async function toggle(view, button, fill) {
  const open = byId(view).hidden;
  byId(view).hidden = !open;
  byId(button).setAttribute("aria-expanded", String(open));
  if (!open) return;
  await fill();
  byId(view).scrollIntoView({ block: "nearest" });
}

// Shows the present decisions in the views that are open.
function refreshViews() {
  const now = decisions.join();
  if (now === viewed) return;
  viewed = now;
  if (!byId("solutions").hidden) listSolutions(order, "0");
  if (!byId("diagram").hidden) drawDiagram();
}
