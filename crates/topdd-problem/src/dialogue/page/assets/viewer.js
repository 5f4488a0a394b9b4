// An SVG in a frame that is moved and enlarged by keys, the wheel, the pointer and buttons. `id` is the id of the frame,
// and the start of the ids of its buttons; `fit` is called when the frame has another size.
class Viewer {
  constructor(id, fit = () => this.show()) {
    this.holder = byId(id);
    // The size of the SVG, and the part of it that is shown; null for all of it.
    this.bounds = null;
    this.part = null;
    const { holder } = this;
    holder.addEventListener("keydown", (event) => {
      const action = this.keys[event.key];
      if (event.target !== holder || event.ctrlKey || event.altKey || event.metaKey || !action) return;
      // What is shown as a whole is not moved.
      if (!this.part && !"+-".includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      action();
    });
    // The wheel scrolls the page; it zooms with Ctrl, or if the frame has the focus.
    holder.addEventListener("wheel", (event) => {
      if (!this.bounds || !(event.ctrlKey || document.activeElement === holder)) return;
      event.preventDefault();
      // A wheel turns by lines or pixels, and trackpads by few of them.
      const unit = event.deltaMode ? 0.05 : event.ctrlKey ? 0.01 : 0.002;
      this.zoom(Math.min(1.25, Math.max(0.8, Math.exp(-event.deltaY * unit))), ...this.shares(event));
    }, { passive: false });
    // The pointers that are down, each with its last place: one moves the picture, and two change its size.
    const pointers = new Map();
    const drop = (event) => pointers.delete(event.pointerId);
    holder.addEventListener("pointerdown", (event) => {
      if (event.button === 0) pointers.set(event.pointerId, event);
    });
    // Prevents the browser from zooming the page.
    holder.addEventListener("touchstart", (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
    holder.addEventListener("pointermove", (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) return;
      if (!event.buttons) return drop(event);
      const distance = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      const other = [...pointers].find(([id]) => id !== event.pointerId);
      // What is shown as a whole is not moved, and a click may move a little.
      if (!this.part && !other) return;
      if (!holder.hasPointerCapture(event.pointerId) && distance(event, last) < 5) return;
      holder.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, event);
      if (other) return this.zoom(distance(event, other[1]) / Math.max(1, distance(last, other[1])), ...this.shares(other[1]));
      const [[x, y], [across, down]] = [this.shares(last), this.shares(event)];
      this.pan(x - across, y - down);
    });
    for (const end of ["pointerup", "pointercancel"]) holder.addEventListener(end, drop);
    // Fitting may change the size once more, which must not happen within an observer of it.
    new ResizeObserver(() => requestAnimationFrame(() => this.bounds && fit())).observe(holder);
    byId(id + "-closer").addEventListener("click", () => this.zoom(1.25));
    byId(id + "-farther").addEventListener("click", () => this.zoom(0.8));
    byId(id + "-whole").addEventListener("click", () => this.whole());
  }

  keys = {
    ArrowUp: () => this.pan(0, -0.1), ArrowDown: () => this.pan(0, 0.1), ArrowLeft: () => this.pan(-0.1, 0), ArrowRight: () => this.pan(0.1, 0),
    PageUp: () => this.pan(0, -0.8), PageDown: () => this.pan(0, 0.8), Home: () => this.whole(),
    "+": () => this.zoom(1.25), "-": () => this.zoom(0.8), 0: () => this.whole(),
  };

  // Shows the SVG of these bounds. Returns whether the shown part was reset, because the picture has another size.
  open(bounds) {
    const isNear = (a, b) => Math.abs(a - b) < 0.01 * b;
    const same = this.bounds && isNear(this.bounds.width, bounds.width) && isNear(this.bounds.height, bounds.height);
    if (!same) this.part = null;
    this.shape(bounds);
    this.show();
    return !same;
  }

  // Gives the frame the shape of these bounds. Returns the scale at which all of them is shown.
  shape(bounds) {
    this.bounds = bounds;
    this.holder.style.aspectRatio = bounds.width + " / " + bounds.height;
    return this.scale(bounds);
  }

  // Pixels for each unit of the SVG, where this part is shown.
  scale({ width, height }) {
    return Math.min(this.holder.clientWidth / width, this.holder.clientHeight / height) || 1;
  }

  show() {
    // The centre stays inside.
    const within = (start, size, from, all) => Math.min(Math.max(start + size / 2, from), from + all) - size / 2;
    if (this.part) {
      this.part.x = within(this.part.x, this.part.width, this.bounds.x, this.bounds.width);
      this.part.y = within(this.part.y, this.part.height, this.bounds.y, this.bounds.height);
    }
    const { x, y, width, height } = this.part || this.bounds;
    const svg = this.holder.querySelector("svg");
    svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    // The style of the map divides its sizes of letters by the scale, so that names keep theirs.
    svg.style.setProperty("--scale", this.scale({ width, height }));
    this.holder.classList.toggle("enlarged", this.part !== null);
  }

  // Makes the picture larger by a factor. The point at these shares of its width and height stays where it is.
  zoom(factor, across = 0.5, down = 0.5) {
    if (!this.bounds) return;
    const { x, y, width, height } = this.part || this.bounds;
    const [w, h] = [width / factor, height / factor];
    if (factor > 1 ? w < 40 : w > 4 * this.bounds.width) return;
    this.part = { x: x + (width - w) * across, y: y + (height - h) * down, width: w, height: h };
    this.show();
  }

  // Moves the picture by shares of its width and height.
  pan(across, down) {
    if (!this.bounds) return;
    const { x, y, width, height } = this.part || this.bounds;
    this.part = { x: x + across * width, y: y + down * height, width, height };
    this.show();
  }

  whole() {
    if (!this.bounds) return;
    this.part = null;
    this.show();
  }

  // The place of a pointer as shares of the width and height of the shown part.
  shares(event) {
    const { x, y, width, height } = this.part || this.bounds;
    const svg = this.holder.querySelector("svg");
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [(point.x - x) / width, (point.y - y) / height];
  }
}
