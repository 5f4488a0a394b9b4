// Shows how far the diagram is built. A last message, if there is one, is read aloud.
function showBuild(build) {
  const text = build.ended || build.reached;
  if (build.ended) byId("reached").setAttribute("role", "alert");
  byId("reached").textContent = build.ended ? text : "The diagram is being built: " + text;
  byId("stop").hidden = Boolean(build.ended);
  byId("levels").hidden = Boolean(build.ended);
  if (build.all) {
    byId("levels").max = build.all;
    byId("levels").value = build.done;
  } else {
    byId("levels").removeAttribute("value");
  }
}

// Waits until the diagram is built. The result is false if it will not be.
async function built() {
  let stopped = null;
  byId("stop").addEventListener("click", async () => {
    stopped = await fetch("stop", { method: "POST" }).then((response) => response.json()).catch(() => null);
    if (stopped) showBuild(stopped);
  });
  while (!stopped) {
    const build = await fetch("build").then((response) => response.json()).catch(() => ({ ended: NO_ANSWER }));
    if (stopped) break;
    if (build === null) {
      byId("build").hidden = true;
      byId("bar").hidden = false;
      document.querySelector("main").hidden = false;
      return true;
    }
    showBuild(build);
    if (build.ended) break;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return false;
}
