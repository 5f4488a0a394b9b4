// The sections below the board: the solutions that are left, and the diagram. They show the present decisions.

// The requests of each view, one at a time, and the number of the newest one: the others are left out.
const loads = { solutions: queue(), diagram: queue() };
const newest = { solutions: 0, diagram: 0 };
// The decisions that the views show.
let viewed = null;

// Asks for the content of a view after the present decisions. The result is null if the server refuses, or a newer
// request was made.
function load(view, body) {
  const number = ++newest[view];
  const asked = { decisions, ...body };
  const tell = (text) => { byId(view + "-status").textContent = text; };
  return loads[view](async () => {
    if (number !== newest[view]) return null;
    const { found, refusal } = await post(view, asked, byId(view), tell);
    if (number !== newest[view]) return null;
    if (refusal) tell(refusal);
    return found || null;
  });
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
