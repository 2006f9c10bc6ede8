// From where the model is seen: center and scale, and how they move.

// Pixels around everything, with room for the buttons.
const MARGINS = { left: 58, right: 30, top: 30, bottom: 30 };
const MARGINS_OF_PHONE = { left: 18, right: 18, top: 18, bottom: 58 };
const PHONE = matchMedia("(max-width: 720px)"); // as in page.css
const DEEPEST = 4000; // times as near as at first
const REST = 120; // milliseconds without a movement

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

// What inherits draws: `order()` asks for a frame, `redraw()` for one in which
// nothing old is used.
class View {
  constructor(canvas, model) {
    this.canvas = canvas;
    this.model = model;
    this.center = { x: 0, y: 0 };
    this.scale = 1;
    this.isMoving = false;
  }

  // Pixels between neighbours, were the points spread evenly over the box, or
  // along it where they are on a line.
  get spacing() {
    const { box, numPoints } = this.model;
    const [across, down] = [box.right - box.left, box.bottom - box.top];
    const gap = Math.max(Math.sqrt((across * down) / numPoints), Math.max(across, down) / numPoints);
    return (gap || 1e-9) * this.scale;
  }

  get margins() { return PHONE.matches ? MARGINS_OF_PHONE : MARGINS; }

  scaleOf(box) {
    const { left, right, top, bottom } = this.margins;
    const across = (this.width - left - right) / (box.right - box.left || 1e-9);
    const down = (this.height - top - bottom) / (box.bottom - box.top || 1e-9);
    return Math.max(Math.min(across, down, 1e9), 1e-12);
  }

  fit(box = this.model.box) {
    const { left, right, top, bottom } = this.margins;
    this.scale = Math.min(this.scaleOf(box), this.fullScale * DEEPEST);
    this.center = {
      x: (box.left + box.right) / 2 - (left - right) / 2 / this.scale,
      y: (box.top + box.bottom) / 2 - (top - bottom) / 2 / this.scale,
    };
    this.isFitted = box === this.model.box;
    this.redraw();
  }

  toScreen(x, y) {
    return {
      x: (x - this.center.x) * this.scale + this.width / 2,
      y: (y - this.center.y) * this.scale + this.height / 2,
    };
  }

  toModel(x, y) {
    return {
      x: (x - this.width / 2) / this.scale + this.center.x,
      y: (y - this.height / 2) / this.scale + this.center.y,
    };
  }

  pan(dx, dy) {
    this.center.x -= dx / this.scale;
    this.center.y -= dy / this.scale;
    this.move();
  }

  // Zoom so that what lies under a place of the screen stays there.
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const before = this.toModel(x, y);
    this.scale = clamp(this.scale * factor, this.fullScale / 3, this.fullScale * DEEPEST);
    const after = this.toModel(x, y);
    this.center.x += before.x - after.x;
    this.center.y += before.y - after.y;
    this.move();
  }

  move() {
    this.isFitted = false;
    this.isMoving = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.isMoving = false;
      this.order();
    }, REST);
    this.order();
  }

  // Bring a point into view, near enough to tell it from its neighbours.
  show(i) {
    const { xs, ys } = this.model;
    const place = this.toScreen(xs[i], ys[i]);
    const { left, right, top, bottom } = this.margins;
    const isInside = place.x >= left && place.x <= this.width - right
      && place.y >= top && place.y <= this.height - bottom;
    const near = (14 / this.spacing) * this.scale;
    if (isInside && this.scale >= near) return this.redraw();
    this.scale = Math.max(this.scale, near);
    this.center = { x: xs[i], y: ys[i] };
    this.isFitted = false;
    return this.redraw();
  }

  // The point under a place of the screen, or -1.
  pointAt(x, y, reach) {
    const place = this.toModel(x, y);
    const accepts = (i) => this.model.isVisible(i);
    return this.model.grid.nearest(place.x, place.y, reach / this.scale, accepts);
  }

  isNear(box) {
    const low = this.toModel(-20, -20);
    const high = this.toModel(this.width + 20, this.height + 20);
    return box.left <= high.x && box.right >= low.x && box.top <= high.y && box.bottom >= low.y;
  }
}
