// The canvas: how the model looks from a view of it.
//
// Routes and points are drawn on a hidden canvas and copied to the screen.
// While many of them move, the copy is shifted and scaled, and drawn anew once
// the movement rests.

const LABEL_SPACING = 36; // pixels between points that get numbers
const MOST_LABELS = 300;
const MANY_POINTS = 1000; // more than this many take long to draw
const LIGHTNESS = { light: [0.56, 0.66, 0.5], dark: [0.74, 0.82, 0.66] };

class PictureMap extends View {
  constructor(canvas, model) {
    super(canvas, model);
    this.screen = canvas.getContext("2d", { alpha: false });
    this.hidden = document.createElement("canvas").getContext("2d", { alpha: false });
    this.context = this.screen; // what is drawn on
    this.layers = { areas: model.hulls, ends: true, numbers: true };
    this.selected = -1; // a group
    this.marked = -1; // a point
    this.hovered = -1; // a point
    this.tiles = new Map(); // images by their addresses
    this.isDue = false; // a frame is ordered
    this.drawn = null; // the view of the hidden canvas
    this.numDrawn = 0; // points on it
    this.readTheme();
    this.resize();
    this.fit();
    new ResizeObserver(() => this.resize()).observe(canvas);
  }

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const wasFitted = this.isFitted;
    this.width = this.canvas.clientWidth || 1;
    this.height = this.canvas.clientHeight || 1;
    for (const { canvas } of [this.screen, this.hidden]) {
      canvas.width = Math.round(this.width * ratio);
      canvas.height = Math.round(this.height * ratio);
    }
    this.drawn = null;
    this.ratio = ratio;
    this.fullScale = this.scaleOf(this.model.box);
    if (wasFitted) this.fit();
    this.draw(); // at once: a new size has emptied the canvas
  }

  readTheme() {
    const style = getComputedStyle(document.documentElement);
    this.ground = style.getPropertyValue("--ground").trim();
    this.text = style.getPropertyValue("--text").trim();
    this.warning = style.getPropertyValue("--warning").trim();
    const chosen = document.documentElement.dataset.theme;
    const isDark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    const tiers = LIGHTNESS[isDark ? "dark" : "light"];
    for (const group of this.model.groups) {
      group.colour = `oklch(${tiers[group.tier]} 0.16 ${group.hue.toFixed(1)})`;
    }
    this.redraw();
  }

  // Something looks different.
  redraw() {
    this.drawn = null;
    this.order();
  }

  // A frame for what differs in the view or above the routes alone.
  order() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.draw();
    });
  }

  draw() {
    const shown = this.model.groups.filter((group) => group.isVisible && group.members.length > 0);
    const chosen = shown.filter((group) => group.index === this.selected);
    if (!this.isReusable()) this.drawHidden(shown, chosen);
    this.copy();
    const isFew = this.model.numPoints <= MANY_POINTS;
    const directed = chosen.length > 0 || !isFew ? chosen : shown;
    for (const group of directed) this.drawDirection(group);
    if (this.layers.numbers && this.spacing > LABEL_SPACING) {
      this.drawNumbers(chosen.length > 0 ? chosen : shown);
    }
    for (const point of this.model.reasonsOf.keys()) this.drawUnserved(point);
    for (const depot of this.model.depots) this.drawDepot(depot);
    this.drawRing(this.marked, 3);
    this.drawRing(this.hovered, 2);
  }

  // Whether the hidden canvas still serves: unmoved, or not moved far.
  isReusable() {
    if (!this.drawn) return false;
    const factor = this.scale / this.drawn.scale;
    const place = this.toScreen(this.drawn.x, this.drawn.y);
    const dx = Math.abs(place.x - this.width / 2);
    const dy = Math.abs(place.y - this.height / 2);
    if (factor === 1 && dx === 0 && dy === 0) return true;
    return this.isMoving && this.numDrawn > MANY_POINTS && factor > 0.4 && factor < 2.5
      && dx < this.width / 2 && dy < this.height / 2;
  }

  begin(context) {
    this.context = context;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = this.ground;
    context.fillRect(0, 0, this.width, this.height);
  }

  copy() {
    this.begin(this.screen);
    const factor = this.scale / this.drawn.scale;
    const place = this.toScreen(this.drawn.x, this.drawn.y);
    const [width, height] = [this.width * factor, this.height * factor];
    this.screen.lineJoin = "round";
    this.screen.drawImage(
      this.hidden.canvas, place.x - width / 2, place.y - height / 2, width, height,
    );
  }

  drawHidden(shown, chosen) {
    const { spacing } = this;
    this.begin(this.hidden);
    if (this.model.tiles) this.drawTiles();
    const { context } = this;
    this.drawn = { ...this.center, scale: this.scale };
    this.numDrawn = 0;
    this.lineWidth = clamp(spacing * 0.06, 0.6, 2);
    this.radius = clamp(spacing * 0.13, 0.9, 4.5);
    context.lineJoin = this.lineWidth > 1 ? "round" : "bevel";
    const others = shown.filter((group) => group.index !== this.selected);
    context.globalAlpha = chosen.length > 0 ? 0.22 : 1;
    this.drawGroups(others);
    context.globalAlpha = 1;
    this.lineWidth = Math.max(1.4 * this.lineWidth, 1.8);
    this.radius = Math.max(this.radius, 2.4);
    this.drawGroups(chosen);
  }

  // The base map below everything; a tile that is not there yet comes later.
  drawTiles() {
    const { context, model, scale } = this;
    const zoom = clamp(Math.round(Math.log2((scale * 360) / 256)), 0, 19);
    const side = 360 / 2 ** zoom; // degrees
    const corners = [this.toModel(0, 0), this.toModel(this.width, this.height)];
    const [left, right] = corners.map(({ x }) => Math.floor((x + 180) / side));
    const [top, bottom] = corners.map(({ y }) => (
      clamp(Math.floor((y + 180) / side), 0, 2 ** zoom - 1)));
    context.globalAlpha = 0.8;
    for (let row = top; row <= bottom; row += 1) {
      for (let column = left; column <= right; column += 1) {
        const image = this.tile(zoom, column - Math.floor(column / 2 ** zoom) * 2 ** zoom, row);
        const { x, y } = this.toScreen(column * side - 180, row * side - 180);
        if (image.complete && image.naturalWidth > 0) {
          context.drawImage(image, x, y, side * scale + 0.5, side * scale + 0.5);
        }
      }
    }
    context.globalAlpha = 1;
  }

  tile(z, x, y) {
    const parts = { s: "a", z, x, y };
    const address = this.model.tiles.replace(/\{([szxy])\}/g, (_, name) => parts[name]);
    if (!this.tiles.has(address)) {
      const image = new Image();
      image.onload = () => this.redraw();
      image.src = address;
      this.tiles.set(address, image);
    }
    return this.tiles.get(address);
  }

  drawGroups(groups) {
    const near = groups.filter((group) => this.isNear(group.box));
    if (this.layers.areas) near.forEach((group) => this.drawArea(group));
    if (this.layers.ends) this.drawEnds(groups);
    if (this.model.isRoutes) near.forEach((group) => this.drawLine(group));
    near.forEach((group) => this.drawPoints(group));
    if (!this.model.isRoutes) near.forEach((group) => this.drawCenter(group));
  }

  drawArea(group) {
    const { context } = this;
    const alpha = context.globalAlpha;
    context.beginPath();
    for (const corner of group.hull) {
      const place = this.toScreen(corner.x, corner.y);
      context.lineTo(place.x, place.y);
    }
    context.closePath();
    context.fillStyle = group.colour;
    context.strokeStyle = group.colour;
    context.lineWidth = 1;
    context.globalAlpha = alpha * 0.14;
    context.fill();
    context.globalAlpha = alpha * 0.5;
    context.stroke();
    context.globalAlpha = alpha;
  }

  // From the depot to both ends of each route, or from the centers outwards.
  drawEnds(groups) {
    const { context, model } = this;
    const alpha = context.globalAlpha;
    context.globalAlpha = alpha * (model.isRoutes ? clamp(15 / groups.length, 0.1, 0.45) : 0.4);
    context.lineWidth = 0.7 * this.lineWidth;
    for (const group of groups) {
      if (!this.isNear(group.wideBox)) continue;
      const { members } = group;
      const place = (i) => ({ x: model.xs[i], y: model.ys[i] });
      const legs = model.isRoutes
        ? [[place(group.ends[0]), place(members[0])],
          [place(group.ends[1]), place(members[members.length - 1])]]
          .filter((_, at) => group.ends[at] !== null)
        : members.map((i) => [group.center, place(i)]);
      context.beginPath();
      for (const leg of legs) {
        const [start, end] = leg.map(({ x, y }) => this.toScreen(x, y));
        context.moveTo(start.x, start.y);
        context.lineTo(end.x, end.y);
      }
      context.strokeStyle = group.colour;
      context.stroke();
    }
    context.globalAlpha = alpha;
  }

  drawLine(group) {
    const { context, model, scale } = this;
    const left = this.width / 2 - this.center.x * scale;
    const top = this.height / 2 - this.center.y * scale;
    context.beginPath();
    for (const i of group.members) {
      context.lineTo(model.xs[i] * scale + left, model.ys[i] * scale + top);
    }
    context.strokeStyle = group.colour;
    context.lineWidth = this.lineWidth;
    context.stroke();
  }

  drawPoints(group) {
    const { context, model, scale, radius } = this;
    const left = this.width / 2 - this.center.x * scale;
    const top = this.height / 2 - this.center.y * scale;
    const isTiny = radius < 1.5;
    context.fillStyle = group.colour;
    context.beginPath();
    for (const i of group.members) {
      const x = model.xs[i] * scale + left;
      const y = model.ys[i] * scale + top;
      if (x < -9 || y < -9 || x > this.width + 9 || y > this.height + 9) continue;
      this.numDrawn += 1;
      let size = radius;
      if (!model.isRoutes) size *= Math.sqrt(clamp(model.weights[i] / model.meanWeight, 0.15, 5));
      if (isTiny) {
        context.fillRect(x - size, y - size, 2 * size, 2 * size);
      } else {
        context.moveTo(x + size, y);
        context.arc(x, y, size, 0, 7);
      }
    }
    if (!isTiny) context.fill();
  }

  drawCenter(group) {
    const { context } = this;
    const { x, y } = this.toScreen(group.center.x, group.center.y);
    const size = clamp(1.4 * this.radius, 3, 6);
    context.beginPath();
    context.moveTo(x - size, y - size);
    context.lineTo(x + size, y + size);
    context.moveTo(x - size, y + size);
    context.lineTo(x + size, y - size);
    context.strokeStyle = this.ground;
    context.lineWidth = 5;
    context.stroke();
    context.strokeStyle = this.text;
    context.lineWidth = 2.2;
    context.stroke();
  }

  // Arrows on the legs of a route that are long enough to carry one.
  drawDirection(group) {
    if (!this.model.isRoutes) return;
    const { context, model } = this;
    const stops = group.nodes
      .map((i) => this.toScreen(model.xs[i], model.ys[i]));
    context.fillStyle = group.colour;
    for (let leg = 1; leg < stops.length; leg += 1) {
      const [from, to] = [stops[leg - 1], stops[leg]];
      const length = Math.hypot(to.x - from.x, to.y - from.y);
      if (length < 26) continue;
      const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
      const [x, y] = [(from.x + to.x) / 2 + 5 * dx, (from.y + to.y) / 2 + 5 * dy];
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x - 10 * dx - 5 * dy, y - 10 * dy + 5 * dx);
      context.lineTo(x - 10 * dx + 5 * dy, y - 10 * dy - 5 * dx);
      context.fill();
    }
  }

  // As many numbers as have room, beginning with the first groups.
  drawNumbers(groups) {
    const { context, model } = this;
    context.font = "11px system-ui, sans-serif";
    context.lineWidth = 3;
    context.strokeStyle = this.ground;
    context.fillStyle = this.text;
    const written = [];
    for (const group of groups) {
      if (!this.isNear(group.box)) continue;
      for (const i of group.members) {
        const place = this.toScreen(model.xs[i], model.ys[i]);
        if (place.x < 0 || place.y < 0 || place.x > this.width || place.y > this.height) continue;
        const gap = i === this.marked ? 9 : 2; // outside of its ring
        const [x, y] = [place.x + this.radius + gap, place.y - 3];
        const label = model.labelOf(i);
        const width = 7 * label.length;
        const isTaken = written.some((other) => (
          Math.abs(other.y - y) < 11 && x < other.x + other.width && other.x < x + width));
        if (isTaken) continue;
        written.push({ x, y, width });
        if (written.length > MOST_LABELS) return;
        context.strokeText(label, x, y);
        context.fillText(label, x, y);
      }
    }
  }

  drawUnserved(i) {
    const { context, model } = this;
    const { x, y } = this.toScreen(model.xs[i], model.ys[i]);
    context.beginPath();
    for (const side of [-5, 5]) {
      context.moveTo(x - side, y - 5);
      context.lineTo(x + side, y + 5);
    }
    context.strokeStyle = this.ground;
    context.lineWidth = 6;
    context.stroke();
    context.strokeStyle = this.warning;
    context.lineWidth = 3;
    context.stroke();
  }

  drawDepot(depot) {
    const { context, model } = this;
    const { x, y } = this.toScreen(model.xs[depot], model.ys[depot]);
    context.fillStyle = this.ground;
    context.fillRect(x - 8, y - 8, 16, 16);
    context.fillStyle = this.text;
    context.fillRect(x - 6, y - 6, 12, 12);
    context.font = "600 12px system-ui, sans-serif";
    context.lineWidth = 4;
    context.strokeStyle = this.ground;
    const isRoomy = x + 52 < this.width;
    context.textAlign = isRoomy ? "left" : "right";
    context.strokeText("Depot", x + (isRoomy ? 11 : -11), y + 4);
    context.fillText("Depot", x + (isRoomy ? 11 : -11), y + 4);
    context.textAlign = "left";
  }

  drawRing(i, width) {
    if (i < 0) return;
    const { context, model } = this;
    const { x, y } = this.toScreen(model.xs[i], model.ys[i]);
    context.beginPath();
    context.arc(x, y, this.radius + 5, 0, 7);
    context.strokeStyle = this.ground;
    context.lineWidth = width + 3;
    context.stroke();
    context.strokeStyle = this.text;
    context.lineWidth = width;
    context.stroke();
  }
}
