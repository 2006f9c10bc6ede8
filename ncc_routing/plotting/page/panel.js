// The side panel: facts, search and the list of groups.

function element(tag, options = {}, children = []) {
  const made = Object.assign(document.createElement(tag), options);
  made.append(...children);
  return made;
}

function byId(id) {
  return document.getElementById(id);
}

class Panel {
  // `actions` says what a choice of the reader does: see main.js.
  constructor(model, layers, actions) {
    this.model = model;
    this.actions = actions;
    this.rows = [];
    this.writeHead(layers);
    this.writeList();
    this.writeUnserved();
    byId("changes").hidden = model.changes.length === 0;
    byId("changes").append(...this.listChanges());
    this.followSearch();
    byId("all").addEventListener("click", () => actions.show(() => true));
    byId("none").addEventListener("click", () => actions.show(() => false));
    byId("print").hidden = !model.isRoutes;
    byId("print").addEventListener("click", () => window.print());
    window.addEventListener("beforeprint", () => this.writeSheets());
  }

  writeHead(layers) {
    const { model } = this;
    byId("name").textContent = model.name;
    for (const [label, value] of model.summary()) {
      const term = element("dt", { textContent: label });
      byId("summary").append(element("div", {}, [term, element("dd", { textContent: value })]));
    }
    const names = {
      ends: model.isRoutes ? "Depot legs" : `To the ${model.centerWord}`,
      areas: "Areas",
      numbers: "Numbers",
    };
    for (const [layer, label] of Object.entries(names)) {
      const box = element("input", { type: "checkbox", checked: layers[layer] });
      box.addEventListener("change", () => this.actions.toggleLayer(layer, box.checked));
      byId("layers").append(element("label", {}, [box, label]));
    }
  }

  // ---- the list

  writeList() {
    const { model } = this;
    const orders = {
      Number: (group) => group.number,
      Load: (group) => -group.load,
      [model.words.points]: (group) => -group.count,
      Cost: (group) => -group.cost,
    };
    for (const name of Object.keys(orders)) byId("sort").append(element("option", { textContent: name }));
    this.rows = model.groups.map((group) => this.rowOf(group));
    const sort = () => {
      const key = orders[byId("sort").value];
      const sorted = [...model.groups].sort((a, b) => key(a) - key(b) || a.number - b.number);
      byId("groups").replaceChildren(...sorted.map((group) => this.rows[group.index]));
    };
    byId("sort").addEventListener("change", sort);
    sort();
    this.colour();
  }

  rowOf(group) {
    const { actions } = this;
    const box = element("input", { type: "checkbox", checked: true, ariaLabel: `Show ${group.name}` });
    box.addEventListener("change", () => actions.show((other) => (
      other === group ? box.checked : other.isVisible)));
    const [count, load, cost] = this.model.groupFacts(group);
    const level = element("span");
    level.style.width = `${Math.min(100, (100 * group.load) / (group.capacity ?? Infinity) || 0)}%`;
    const pick = element("button", { className: "pick" }, [
      element("span", {}, [
        element("span", { className: "title", textContent: group.name }),
        element("span", { className: "fact", textContent: cost }),
      ]),
      element("span", { className: "fact" }, [count, load].map((textContent) => (
        element("span", { textContent })))),
      element("span", { className: "bar" }, [level]),
    ]);
    pick.addEventListener("click", () => actions.pickGroup(group.index));
    const only = element("button", {
      className: "only", textContent: "only", ariaPressed: "false", ariaLabel: `Only ${group.name}`,
    });
    only.addEventListener("click", () => {
      const isOn = only.ariaPressed === "true";
      actions.show((other) => isOn || other === group);
    });
    return element("li", { className: "group" }, [box, pick, only]);
  }

  writeUnserved() {
    const { model } = this;
    const points = [...model.reasonsOf.keys()];
    byId("unserved").hidden = points.length === 0;
    const rows = points.map((point) => {
      const row = element("button", {}, [
        element("span", { className: "title", textContent: model.pointName(point) }),
        element("span", { className: "fact", textContent: model.reasonsOf.get(point).join(" or ") }),
      ]);
      row.addEventListener("click", () => this.actions.pickPoint(point));
      return row;
    });
    byId("unserved").append(element("h2", { textContent: model.unservedTitle }), ...rows);
  }

  // What each driver must know, after another plan.
  listChanges() {
    return this.model.changes.flatMap(([driver, lines]) => [
      element("h3", { textContent: driver }),
      element("ul", {}, lines.map((textContent) => element("li", { textContent }))),
    ]);
  }

  colour() {
    for (const group of this.model.groups) {
      this.rows[group.index].style.setProperty("--colour", group.colour);
    }
  }

  // Tick what is visible, and say which group is the only one.
  tick() {
    const visible = this.model.groups.filter((group) => group.isVisible);
    for (const group of this.model.groups) {
      const row = this.rows[group.index];
      const isOnly = visible.length === 1 && visible[0] === group;
      row.classList.toggle("off", !group.isVisible);
      row.querySelector("input").checked = group.isVisible;
      row.querySelector(".only").ariaPressed = String(isOnly);
    }
  }

  // ---- what is chosen

  describe(point, index) {
    const { model } = this;
    const group = model.groups[index];
    for (const row of this.rows) row.classList.remove("selected");
    const details = byId("details");
    details.hidden = !group && point < 0;
    if (details.hidden) return;
    const close = element("button", { className: "close", textContent: "×", ariaLabel: "Clear the choice" });
    close.addEventListener("click", () => this.actions.clear());
    const texts = point < 0 ? [] : this.linesOf(point);
    texts.push(...(model.notes[point] ?? []));
    if (group) texts.push(...(point < 0 ? this.groupLines(group) : [model.groupFacts(group).join(" · ")]));
    details.replaceChildren(close, ...texts.map((text, line) => (
      element("div", { className: line === 0 ? "title" : "fact", textContent: text }))));
    details.style.setProperty("--colour", group ? group.colour : "");
    if (!group) return;
    this.rows[index].classList.add("selected");
    const seen = PHONE.matches ? details : this.rows[index];
    seen.scrollIntoView({ block: "nearest" });
  }

  groupLines(group) {
    return [group.name, this.model.groupFacts(group).join(" · "), ...this.model.breaksOf(group)];
  }

  linesOf(point) {
    const { model } = this;
    return [model.pointName(point), ...model.pointFacts(point)];
  }

  // ---- on paper

  // A sheet for the driver of each route that is shown.
  writeSheets() {
    const { model } = this;
    if (!model.isRoutes) return;
    const shown = model.groups.filter((group) => group.isVisible);
    byId("sheets").replaceChildren(...shown.map((group) => {
      const { headings, rows, areTexts } = model.timetable(group);
      const line = (tag, texts) => element("tr", {}, texts.map((textContent, place) => (
        element(tag, { textContent, className: areTexts[place] ? "given" : "" }))));
      const head = element("thead", {}, [line("th", headings)]);
      const body = element("tbody", {}, rows.map((row) => line("td", row)));
      return element("article", {}, [
        element("h2", { textContent: `${model.name}: ${group.head[0]}` }),
        element("p", { textContent: [...group.head.slice(1), ...model.groupFacts(group).slice(1)].join(" · ") }),
        element("table", {}, [head, body]),
      ]);
    }));
    if (model.changes.length > 0) {
      const title = element("h2", { textContent: `${model.name}: changes` });
      byId("sheets").prepend(element("article", {}, [title, ...this.listChanges()]));
    }
    if (model.reasonsOf.size === 0) return;
    const left = [...model.reasonsOf].map(([point, reasons]) => {
      const texts = [model.pointName(point), reasons.join(" or "), ...model.told(point), ...model.given(point)];
      return element("li", { textContent: texts.filter(Boolean).join(" · ") });
    });
    byId("sheets").append(element("article", {}, [
      element("h2", { textContent: `${model.name}: ${model.unservedTitle}` }), element("ul", {}, left),
    ]));
  }

  // ---- search

  followSearch() {
    const { words } = this.model;
    const field = byId("search");
    const key = this.model.ids ? "number or id" : "number";
    field.placeholder = `${words.point} or ${words.group.toLowerCase()} by ${key}`;
    field.ariaLabel = field.placeholder;
    field.addEventListener("input", () => this.offer(this.find(field.value)));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") byId("results").querySelector("button")?.click();
      if (event.key === "Escape") {
        field.value = "";
        this.offer(null);
      }
    });
  }

  // What a text may mean: "17" is a point or a group, "r17" or "route 17"
  // a group, "c17" or "customer 17" a point. Where there are ids, a point has
  // no other number: how its id begins finds it, first of all. Null where
  // nothing is asked.
  find(text) {
    if (!text.trim()) return null;
    const named = this.model.withId(text.trim());
    const found = named < 0 ? [] : [this.offerOf(named)];
    return [...found, ...this.numbered(text)];
  }

  offerOf(point) {
    return { label: this.model.pointName(point), act: () => this.actions.pickPoint(point) };
  }

  // What a text means as a number.
  numbered(text) {
    const wanted = text.trim().toLowerCase().match(/^([a-z]*)[\s#]*(\d*)$/);
    if (!wanted || !wanted[2]) return [];
    const { model } = this;
    const { words } = model;
    const isFor = (word) => word.toLowerCase().startsWith(wanted[1]);
    const number = Number(wanted[2]);
    const found = [];
    if (isFor(words.point) && model.isPoint(number) && !model.ids) {
      found.push(this.offerOf(number));
    }
    const group = model.groups.find((one) => one.number === number);
    if (isFor(words.group) && group) {
      found.push({ label: group.name, act: () => this.actions.pickGroup(group.index, true) });
    }
    return found;
  }

  offer(found) {
    const buttons = (found ?? []).map(({ label, act }) => {
      const button = element("button", { textContent: label });
      button.addEventListener("click", act);
      return button;
    });
    if (found && found.length === 0) {
      const key = this.model.ids ? "number or id" : "number";
      buttons.push(element("p", { textContent: `Nothing has that ${key}.` }));
    }
    byId("results").replaceChildren(...buttons);
    if (found && found.length > 0) found[0].act();
  }
}
