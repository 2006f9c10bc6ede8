// Puts model, map and panel together.

const model = new Model(JSON.parse(byId("data").textContent));
const map = new PictureMap(byId("map"), model);
byId("map").ariaLabel =
  `Map of ${model.words.groups.toLowerCase()}: arrow keys move, + and - zoom, 0 shows everything`;

function choose(point, group) {
  map.marked = point;
  map.selected = group;
  panel.describe(point, group);
  map.redraw();
}

// Beside the point, and inside the map.
function showTooltip(point) {
  map.hovered = point;
  map.order();
  const tooltip = byId("tooltip");
  tooltip.hidden = point < 0;
  if (tooltip.hidden) return;
  tooltip.replaceChildren(...panel.linesOf(point).map((text, line) => (
    element("div", { className: line === 0 ? "title" : "fact", textContent: text }))));
  const place = map.toScreen(model.xs[point], model.ys[point]);
  const right = place.x + 16 + tooltip.offsetWidth < map.width
    ? place.x + 16 : place.x - 16 - tooltip.offsetWidth;
  const left = clamp(right, 4, Math.max(4, map.width - tooltip.offsetWidth - 4));
  const top = clamp(place.y - 20, 4, Math.max(4, map.height - tooltip.offsetHeight - 4));
  tooltip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}

const actions = {
  show(isShown) {
    model.groups.map(isShown).forEach((shown, index) => {
      model.groups[index].isVisible = shown;
    });
    panel.tick();
    map.redraw();
  },

  toggleLayer(layer, isOn) {
    map.layers[layer] = isOn;
    map.redraw();
  },

  pickGroup(index, isSearched = false) {
    const group = model.groups[index];
    if (map.selected === index && map.marked < 0 && !isSearched) {
      actions.clear();
      return;
    }
    if (!group.isVisible) actions.show((other) => other.isVisible || other === group);
    choose(-1, index);
    if (!map.isNear(group.box) || isSearched) map.fit(group.wideBox);
  },

  pickPoint(point) {
    const index = model.groupOf[point];
    if (index >= 0 && !model.isVisible(point)) {
      actions.show((other) => other.isVisible || other.index === index);
    }
    choose(point, index);
    map.show(point);
  },

  clear() {
    choose(-1, -1);
    showTooltip(-1);
  },
};

const panel = new Panel(model, map.layers, actions);

if (model.tiles) {
  const { host } = new URL(model.tiles.replace("{s}.", ""));
  byId("credit").textContent = host.includes("openstreetmap")
    ? "© OpenStreetMap contributors" : `Map: ${host}`;
  byId("credit").hidden = false;
}

followGestures(
  map,
  (point) => point !== map.hovered && showTooltip(point),
  (point) => choose(point, point < 0 ? -1 : model.groupOf[point]),
  actions.clear,
);

byId("zoom-in").addEventListener("click", () => map.zoom(1.5));
byId("zoom-out").addEventListener("click", () => map.zoom(1 / 1.5));
byId("fit").addEventListener("click", () => map.fit());

function repaint() {
  map.readTheme();
  panel.colour();
  panel.describe(map.marked, map.selected);
}
byId("theme").addEventListener("click", () => {
  const isDark = getComputedStyle(document.documentElement).colorScheme === "dark"
    || (!document.documentElement.dataset.theme
      && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = isDark ? "light" : "dark";
  repaint();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);

document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== byId("search")) {
    event.preventDefault();
    byId("search").focus();
  }
});

// For a look from the console.
window.picture = { model, map, panel, actions };
