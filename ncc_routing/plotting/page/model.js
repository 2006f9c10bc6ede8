// The data of the page and what follows from them. Knows no element.

const WORDS = {
  routes: {
    group: "Route", groups: "Routes", point: "Customer", points: "Customers",
    weight: "demand",
  },
  clusters: {
    group: "Cluster", groups: "Clusters", point: "Point", points: "Points",
    weight: "weight",
  },
};
const OBJECTIVES = {
  cost: "Cost", inertia: "Inertia", cccp: "Sum of distances",
  cpmp: "Sum of distances",
};
const TIMES = {
  arrival: "arrival", waiting: "wait", service_start: "start", departure: "departure",
};
// Steps of the golden angle: groups that follow each other differ much.
const GOLDEN_ANGLE = 137.50776;

const KILOMETRES = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const WHOLE = new Intl.NumberFormat("en");
const REAL = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });

const MONEY = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

// Null stands for what is infinite: the cost of a forbidden arc. A text is a
// time of a clock.
function format(value) {
  if (value === null) return "-";
  if (typeof value === "string") return value;
  return (Number.isInteger(value) ? WHOLE : REAL).format(value);
}

function boxOf(xs, ys, members) {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const i of members) {
    box.left = Math.min(box.left, xs[i]);
    box.right = Math.max(box.right, xs[i]);
    box.top = Math.min(box.top, ys[i]);
    box.bottom = Math.max(box.bottom, ys[i]);
  }
  return box;
}

// Points in square cells, to find the nearest one fast.
class Grid {
  constructor(xs, ys, box) {
    this.xs = xs;
    this.ys = ys;
    this.box = box;
    const width = Math.max(box.right - box.left, box.bottom - box.top) || 1;
    this.side = Math.max(1, Math.ceil(Math.sqrt(xs.length)));
    this.cell = (width * 1.0001) / this.side;
    this.cells = new Map();
    for (let i = 0; i < xs.length; i += 1) {
      const key = this.key(this.column(xs[i]), this.row(ys[i]));
      if (this.cells.has(key)) this.cells.get(key).push(i);
      else this.cells.set(key, [i]);
    }
  }

  column(x) { return Math.floor((x - this.box.left) / this.cell); }

  row(y) { return Math.floor((y - this.box.top) / this.cell); }

  key(column, row) { return row * this.side + column; }

  // The nearest point within `reach` for which `accepts` is true, or -1.
  nearest(x, y, reach, accepts) {
    let best = -1;
    let least = reach * reach;
    const last = this.side - 1;
    const rows = [this.row(y - reach), this.row(y + reach)];
    const columns = [this.column(x - reach), this.column(x + reach)];
    for (let row = Math.max(0, rows[0]); row <= Math.min(last, rows[1]); row += 1) {
      for (let column = Math.max(0, columns[0]); column <= Math.min(last, columns[1]); column += 1) {
        for (const i of this.cells.get(this.key(column, row)) ?? []) {
          const far = (this.xs[i] - x) ** 2 + (this.ys[i] - y) ** 2;
          if (far <= least && accepts(i)) {
            best = i;
            least = far;
          }
        }
      }
    }
    return best;
  }
}

class Model {
  constructor(data) {
    Object.assign(this, data);
    this.words = WORDS[data.kind];
    this.isRoutes = data.kind === "routes";
    this.centerWord = data.objective === "cpmp" ? "medoid" : "center";
    this.xs = Float64Array.from(data.x);
    this.ys = Float64Array.from(data.y, (y) => this.flip(y));
    this.size = this.xs.length;
    this.firstPoint = data.depots.length > 0 ? 1 : 0;
    this.groupOf = new Int32Array(this.size).fill(-1);
    this.positionOf = new Int32Array(this.size);
    this.box = boxOf(this.xs, this.ys, this.xs.keys());
    this.groups = data.groups.map((group, index) => this.derive(group, index));
    this.grid = new Grid(this.xs, this.ys, this.box);
    this.chooseHues();
    this.notes = data.notes; // lines by point
    this.changes = Object.entries(data.changes); // lines by driver
    this.reasonsOf = new Map(data.unserved.map(({ point, reasons }) => [point, reasons]));
    this.meanWeight =
      data.weights.reduce((sum, weight) => sum + weight, 0) / this.numPoints || 1;
  }

  // On a screen y grows downwards.
  flip(y) { return -y * this.aspect; }

  // Customers come between the first depot and the others.
  get numPoints() { return this.size - this.depots.length; }

  isPoint(i) { return i >= this.firstPoint && i < this.firstPoint + this.numPoints; }

  derive(group, index) {
    group.members.forEach((i, position) => {
      this.groupOf[i] = index;
      this.positionOf[i] = position;
    });
    const number = this.isRoutes ? index + 1 : index;
    const [start = null, end = null] = group.ends ?? [];
    const nodes = [start, ...group.members, end].filter((i) => i !== null);
    return {
      ...group,
      nodes,
      first: start === null ? 0 : 1, // place of the first stop among the nodes
      index,
      number,
      // Without reloads, and customers who have cancelled.
      count: group.members.filter((i) => this.isPoint(i) && !this.passed.includes(i)).length,
      name: group.title ?? `${this.words.group} ${number}`,
      center: group.center && { x: group.center[0], y: this.flip(group.center[1]) },
      hull: group.hull.map(([x, y]) => ({ x, y: this.flip(y) })),
      box: boxOf(this.xs, this.ys, group.members),
      wideBox: boxOf(this.xs, this.ys, nodes),
      isVisible: true,
    };
  }

  // Around the depot, or the middle, neighbours get hues far apart.
  chooseHues() {
    const middle = this.isRoutes
      ? { x: this.xs[0], y: this.ys[0] }
      : { x: (this.box.left + this.box.right) / 2, y: (this.box.top + this.box.bottom) / 2 };
    const angle = ({ box }) => Math.atan2(
      (box.top + box.bottom) / 2 - middle.y, (box.left + box.right) / 2 - middle.x,
    ) || 0; // of an empty group
    [...this.groups].sort((a, b) => angle(a) - angle(b)).forEach((group, rank) => {
      group.hue = (255 + rank * GOLDEN_ANGLE) % 360;
      group.tier = rank % 3;
    });
  }

  isVisible(i) {
    const group = this.groups[this.groupOf[i]];
    return group ? group.isVisible : this.reasonsOf.has(i);
  }

  // What stands beside a point on the map: the number of its stop.
  labelOf(i) {
    return String(this.isRoutes && this.isPoint(i) ? this.positionOf[i] + 1 : i);
  }

  // What the input tells a driver of a point: its address, phone, remarks. Its
  // name stands behind its id.
  told(i) {
    return this.columns
      .filter(({ cells, says }) => says && says !== "name" && cells[i] !== null)
      .map(({ cells }) => String(cells[i]));
  }

  // Titles and texts of what else it says.
  given(i) {
    return this.columns
      .filter(({ cells, says }) => !says && cells[i] !== null)
      .map(({ title, cells }) => `${title}: ${cells[i]}`);
  }

  money(cost) {
    return this.isRoutes && cost !== null ? MONEY.format(cost) : format(cost);
  }

  length(value) {
    if (value === null || !this.inMetres) return format(value);
    return `${KILOMETRES.format(value / 1000)} km`;
  }

  // "Customer 5", by the id that the user gave it, where there are ids, and the
  // name.
  pointName(i) {
    const names = this.columns
      .filter(({ cells, says }) => says === "name" && cells[i] !== null)
      .map(({ cells }) => String(cells[i]))
      .filter((name) => name !== this.ids?.[i]);
    return [`${this.words.point} ${this.ids?.[i] ?? i}`, ...names].join(", ");
  }

  // The point of an id, or the first one whose id begins with a text, or -1.
  withId(text) {
    const names = (this.ids ?? []).map((id) => id.toLowerCase());
    const wanted = text.toLowerCase();
    const find = (accepts) => names.findIndex((id, i) => this.isPoint(i) && accepts(id));
    const exact = find((id) => id === wanted);
    return exact >= 0 ? exact : find((id) => id.startsWith(wanted));
  }

  summary() {
    const { words } = this;
    return [
      [OBJECTIVES[this.objective], this.money(this.cost)],
      [words.groups, format(this.groups.length)],
      [words.points, format(this.numPoints)],
      ["Capacity", this.capacity === null ? "no limit" : format(this.capacity)],
      ...(this.reasonsOf.size > 0 ? [["Unserved", format(this.reasonsOf.size)]] : []),
    ];
  }

  groupFacts(group) {
    const { count } = group;
    const noun = count === 1 ? this.words.point : this.words.points;
    const limit = group.capacity === null ? "" : ` of ${format(group.capacity)}`;
    return [
      `${format(count)} ${noun.toLowerCase()}`,
      `load ${format(group.load)}${limit}`,
      `${this.isRoutes ? "cost" : OBJECTIVES[this.objective].toLowerCase()} ${this.money(group.cost)}`,
      ...(group.vehicle && group.vehicle !== group.name ? [group.vehicle] : []),
    ];
  }

  pointFacts(i) {
    const group = this.groups[this.groupOf[i]];
    const told = this.told(i);
    const given = this.given(i);
    const weight = [this.words.weight, format(this.weights[i])];
    const facts = given.includes(weight.join(": ")) ? [] : [weight.join(" ")];
    if (!group) {
      const reasons = this.reasonsOf.get(i);
      const why = reasons ? ["unserved", ...reasons].join(": ") : `in no ${this.words.group.toLowerCase()}`;
      return [...told, ...facts, why, ...given];
    }
    const position = this.positionOf[i];
    if (!this.isRoutes) {
      const far = format(group.distances[position]);
      return [...facts, group.name, `${far} from its ${this.centerWord}`];
    }
    const place = position + group.first;
    const travelled = group.distances
      .slice(0, place)
      .reduce((sum, distance) => sum + distance, 0);
    const origin = position === 0 ? "the depot" : "the stop before";
    const ways = place === 0 ? [] : [
      `${this.length(group.distances[place - 1])} from ${origin}`,
      `${this.length(travelled)} since the ${group.first ? "depot" : "first stop"}`];
    return [
      ...told,
      ...facts,
      `${group.name}, stop ${position + 1} of ${group.members.length}`,
      ...ways,
      ...this.breaksOf(group, place),
      ...this.timesAt(group, place).map(([name, time]) => `${name} ${time}`),
      ...given,
    ];
  }

  // Words and times at a place of a route, its depot being the first one.
  timesAt(group, place) {
    if (!group.times) return [];
    const waits = group.times.waiting[place] !== 0;
    return Object.entries(group.times)
      .filter(([name]) => waits || name === "arrival" || name === "departure")
      .map(([name, times]) => [TIMES[name], format(times[place])]);
  }

  // Lines for the breaks of a route, or for those before one of its places.
  breaksOf(group, place) {
    return (group.breaks ?? [])
      .filter(([before]) => place === undefined || before === place)
      .map(([_, begin, end]) => `break ${format(begin)} to ${format(end)}`);
  }

  // Headings and rows of texts from depot to depot, for a driver. A column
  // without anything is left out.
  timetable(group) {
    const { nodes } = group;
    const nameOf = (i) => this.ids?.[i] ?? (this.isPoint(i) ? `${i}` : "Depot");
    let travelled = 0;
    const far = nodes.map((_, place) => {
      travelled += place > 0 ? group.distances[place - 1] : 0;
      return this.length(travelled);
    });
    const { arrival, service_start, waiting, departure } = group.times ?? {};
    const waits = waiting?.some((wait) => wait !== null && wait !== 0);
    const { delivered, picked_up, load } = group.amounts;
    const ours = (columns) => Object.entries(columns)
      .filter(([, cells]) => cells)
      .map(([name, cells]) => [TIMES[name] ?? name.replace("_", " "), cells.map(format)]);
    const isRepeated = (cells) => nodes.every((i, place) => (
      !this.isPoint(i) || Number(cells[i]) === group.amounts.delivered[place]));
    const texts = (isTold) => this.columns
      .filter(({ says }) => Boolean(says) === isTold)
      .map(({ title, cells }) => (
        [title, nodes.map((i) => (isRepeated(cells) ? "" : cells[i] ?? "")), true]));
    const columns = [
      ["stop", nodes.map((_, place) => place + 1 - group.first)],
      ...ours({ arrival, service_start: waits && service_start }),
      ["customer", nodes.map(nameOf), true],
      ...texts(true),
      ...ours({ delivered, picked_up, departure, load }),
      ["distance", far],
      ...texts(false),
    ];
    const kept = columns.filter(([name, cells]) => (
      name === "stop" || cells.some((cell) => cell !== "" && cell !== "0")));
    const rows = nodes.map((_, place) => kept.map(([, cells]) => cells[place]));
    for (const [place, arrival, departure, isThere] of [...(group.breaks ?? [])].reverse()) {
      const own = { customer: "break", arrival: format(arrival), departure: format(departure) };
      rows.splice(place + Number(isThere), 0, kept.map(([name]) => own[name] ?? ""));
    }
    return { headings: kept.map(([name]) => name), rows, areTexts: kept.map((one) => one[2]) };
  }
}
