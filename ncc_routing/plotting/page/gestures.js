// Mouse, fingers and keys on the map.

const CLICK_REACH = 5; // pixels that a click may slip
const HOVER_REACH = 14;
const TOUCH_REACH = 26;
const STEP = 60;

// `onHover(point)` and `onPick(point)` get a point, or -1 for none.
function followGestures(map, onHover, onPick, onEscape) {
  const { canvas } = map;
  const fingers = new Map();
  let pressed = null;

  function placeOf(event) {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  function hover(place) {
    onHover(map.pointAt(place.x, place.y, HOVER_REACH));
  }

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    const place = placeOf(event);
    fingers.set(event.pointerId, place);
    pressed = fingers.size === 1 ? place : null;
  });

  canvas.addEventListener("pointermove", (event) => {
    const place = placeOf(event);
    const before = fingers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === "mouse") hover(place);
      return;
    }
    if (pressed && Math.hypot(place.x - pressed.x, place.y - pressed.y) <= CLICK_REACH) return;
    pressed = null;
    canvas.classList.add("dragging");
    onHover(-1);
    fingers.set(event.pointerId, place);
    if (fingers.size === 1) {
      map.pan(place.x - before.x, place.y - before.y);
      return;
    }
    const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
    const spread = (a) => Math.hypot(a.x - other.x, a.y - other.y) || 1;
    map.pan((place.x - before.x) / 2, (place.y - before.y) / 2);
    map.zoom(spread(place) / spread(before), (place.x + other.x) / 2, (place.y + other.y) / 2);
  });

  function release(event) {
    fingers.delete(event.pointerId);
    if (fingers.size === 0) canvas.classList.remove("dragging");
    if (!pressed || event.type !== "pointerup") return;
    const reach = event.pointerType === "mouse" ? HOVER_REACH : TOUCH_REACH;
    onPick(map.pointAt(pressed.x, pressed.y, reach));
    pressed = null;
  }
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => onHover(-1));

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const place = placeOf(event);
    const lines = event.deltaMode === 1 ? 16 : 1; // Firefox counts lines
    map.zoom(Math.exp(-clamp(event.deltaY * lines, -300, 300) * 0.0022), place.x, place.y);
    hover(place);
  }, { passive: false });

  canvas.addEventListener("dblclick", (event) => {
    const place = placeOf(event);
    map.zoom(2, place.x, place.y);
  });

  const keys = {
    ArrowLeft: () => map.pan(STEP, 0),
    ArrowRight: () => map.pan(-STEP, 0),
    ArrowUp: () => map.pan(0, STEP),
    ArrowDown: () => map.pan(0, -STEP),
    "+": () => map.zoom(1.4),
    "=": () => map.zoom(1.4),
    "-": () => map.zoom(1 / 1.4),
    0: () => map.fit(),
    Escape: onEscape,
  };
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
}
