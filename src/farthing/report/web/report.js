/** The page of a report: reads its data, follows the controls, and keeps the view in the address. */
import { readAddress, writeAddress } from "./address.js";
import { Scatter } from "./charts.js";
import { announce, byId, copyText, countText, download, element, fillChoices, settled } from "./dom.js";
import { aheadTable, factList, MOST_ROWS, runsTable, runsWonAndLost, tally } from "./head_to_head.js";
import { VirtualList } from "./list.js";
import { readAlignments, Rows } from "./rows.js";
import { asCsv, filtered, leadText, listRow, ordered, ORDERS, records, scoreText, segmentPanel, smallest } from "./segments.js";
import { copyButtons, sortable } from "./tables.js";

const FIELDS = ["q", "from", "to", "low", "high", "of", "sort"]; // controls whose ids are the names in the address
const START = { q: "", from: "", to: "", low: "", high: "", of: "a", sort: "differ" };
const ROW_HEIGHT = 78;
const VISIBLE = 7; // rows that are seen first
const LISTED_SEGMENTS = 5; // of those in which one system is furthest ahead

class Page {
  constructor(data, aligned) {
    const { systems } = data.about;
    this.data = data;
    this.aligned = aligned;
    this.view = { ...START, a: 0, b: systems.length > 1 ? 1 : null, m: 0, seg: -1, sort: systems.length > 1 ? "differ" : "worst" };
    this.list = new VirtualList(byId("list"), {
      height: ROW_HEIGHT,
      label: "Segments",
      render: (index) => listRow(data, this.view, this.shown[index], () => this.list.later()),
      choose: (index) => this.choose(this.shown[index]),
    });
    this.scatter = systems.length > 1 ? new Scatter(byId("scatter"), { choose: (row) => this.choose(row, true) }) : null;
    this.shown = [];
  }

  async start() {
    const { systems, measures } = this.data.about;
    fillChoices(byId("a"), systems);
    fillChoices(byId("b"), systems);
    fillChoices(byId("m"), measures.map(({ label }) => label));
    byId("sort").replaceChildren(...this.orders().map(([name, [label]]) => element("option", { value: name }, this.named(label))));
    this.listen();
    this.follow();
    byId("interactive").hidden = false;
    await this.update({ order: true });
    const first = Math.max(0, this.list.active);
    const visible = Array.from(this.shown.slice(first, first + VISIBLE), (row) => this.data.load(Math.floor(row / this.data.size)));
    await Promise.all(visible);
    if (this.list.active >= 0) this.list.reveal(this.list.active);
    this.list.draw();
    performance.measure("first rows", { start: 0 });
  }

  orders() {
    const single = this.data.about.systems.length < 2;
    return Object.entries(ORDERS).filter(([name]) => !single || !["differ", "first", "second"].includes(name));
  }

  /** The label of an order with the names of the systems. */
  named(label) {
    const { systems } = this.data.about;
    const { a, b } = this.view;
    return label.replace(/\bA\b/, systems[a]).replace(/\bB\b/, b === null ? "" : systems[b]);
  }

  listen() {
    for (const id of ["a", "b", "m"]) byId(id).addEventListener("change", () => this.change({ [id]: byId(id).selectedIndex }, true));
    for (const id of ["of", "sort"]) byId(id).addEventListener("change", () => this.change({ [id]: byId(id).value }, id === "sort"));
    for (const id of ["q", "from", "to", "low", "high"]) byId(id).addEventListener("input", settled(() => this.change({ [id]: byId(id).value }, false)));
    byId("swap").addEventListener("click", () => this.change({ a: this.view.b, b: this.view.a }, true));
    byId("clear").addEventListener("click", () => this.change({ ...START, sort: this.view.sort }, false));
    byId("csv").addEventListener("click", () => this.save("csv"));
    byId("jsonl").addEventListener("click", () => this.save("jsonl"));
    byId("link").addEventListener("click", () => copyText(location.href, "a link to this view"));
    byId("runs").addEventListener("toggle", () => this.countRuns());
    window.addEventListener("hashchange", () => {
      this.follow();
      this.update({ order: true });
    });
    window.addEventListener("beforeprint", () => this.list.drawForPrint());
    window.addEventListener("afterprint", () => this.list.printed());
    document.addEventListener("click", (event) => {
      const number = event.target.closest?.("[data-segment]")?.dataset.segment;
      if (!number) return;
      event.preventDefault();
      this.choose(this.data.find(Number(number)), true);
    });
  }

  /** Take the view from the address. */
  follow() {
    const address = readAddress();
    const { systems, measures } = this.data.about;
    const place = (names, name, usual) => (names.includes(name) ? names.indexOf(name) : usual);
    const labels = measures.map(({ label }) => label);
    for (const field of FIELDS) if (field in address) this.view[field] = address[field];
    if (!(this.view.sort in Object.fromEntries(this.orders()))) this.view.sort = this.orders()[0][0];
    this.view.a = place(systems, address.a, this.view.a);
    this.view.m = place(labels, address.m, this.view.m);
    if (this.view.b !== null) this.view.b = place(systems, address.b, this.view.b);
    if (address.seg) this.view.seg = this.data.find(Number(address.seg));
  }

  /** Change the view; `order` says whether the rows must be put in order again. */
  change(some, order) {
    Object.assign(this.view, some);
    this.update({ order });
  }

  async update({ order }) {
    const { view, data } = this;
    this.control();
    if (order || !this.order) this.order = ordered(data, view);
    if (view.q) await this.searchable();
    const start = performance.now();
    this.shown = filtered(data, this.order, view);
    this.list.show(this.shown.length, view.seg < 0 ? -1 : this.shown.indexOf(view.seg));
    byId("count").textContent = `${countText(this.shown.length)} of ${countText(data.count)} segments`;
    performance.measure("filter", { start });
    if (order) this.compare();
    this.drawLater();
    this.countRuns();
    this.remember();
    await this.open(view.seg);
  }

  async searchable() {
    if (document.documentElement.dataset.ready !== "all") byId("count").textContent = "reading all texts …";
    await this.data.loadAll();
  }

  control() {
    const { view } = this;
    byId("a").selectedIndex = view.a;
    byId("m").selectedIndex = view.m;
    if (view.b !== null) byId("b").selectedIndex = view.b;
    for (const field of FIELDS) if (byId(field).value !== view[field]) byId(field).value = view[field];
    [...byId("sort").options].forEach((option) => (option.textContent = this.named(ORDERS[option.value][0])));
    const { systems } = this.data.about;
    const of = [systems[view.a], view.b === null ? "" : systems[view.b], "the difference"];
    [...byId("of").options].forEach((option, place) => (option.textContent = of[place]));
  }

  remember() {
    const { view, data } = this;
    const { systems, measures } = data.about;
    const changed = Object.fromEntries(FIELDS.filter((field) => view[field] !== START[field]).map((field) => [field, view[field]]));
    const seg = view.seg < 0 ? "" : data.number(view.seg);
    const pair = systems.length > 1 ? { a: systems[view.a], b: systems[view.b] } : {};
    writeAddress({ seg, ...pair, m: measures.length > 1 ? measures[view.m].label : "", ...changed });
  }

  /** Who wins, and where the two differ most. */
  compare() {
    const { view, data } = this;
    if (view.b === null) return;
    const { systems, measures } = data.about;
    const measure = measures[view.m];
    const names = [systems[view.a], systems[view.b]];
    const [ours, theirs] = [data.scores(view.m, view.a), data.scores(view.m, view.b)];
    const counts = tally(ours, theirs, measure.higher);
    const part = (count) => `${countText(count)} (${((100 * count) / Math.max(1, counts.known)).toFixed(1)} %)`;
    const test = measure.tests.find(([better, worse]) => names.includes(better) && names.includes(worse) && better !== worse);
    byId("facts").replaceChildren(
      factList([
        [`${measure.label} of ${names[0]}`, measure.corpus[view.a] ?? "–"],
        [`${measure.label} of ${names[1]}`, measure.corpus[view.b] ?? "–"],
        [`segments won by ${names[0]}`, part(counts.first)],
        [`segments won by ${names[1]}`, part(counts.second)],
        ["equal", part(counts.equal)],
        [test?.[3] ?? "", test ? test[2] : null],
      ]),
    );
    const sign = measure.higher ? 1 : -1;
    const told = (row) => [scoreText(measure, ours[row]), scoreText(measure, theirs[row]), leadText(measure, ours[row] - theirs[row])];
    const ahead = (side) =>
      smallest(data.count, (row) => side * sign * (theirs[row] - ours[row]), LISTED_SEGMENTS)
        .filter(({ value }) => value < 0)
        .map(({ row }) => ({ number: data.number(row), scores: told(row) }));
    byId("ahead").replaceChildren(aheadTable(ahead(1), names[0], names), aheadTable(ahead(-1), names[1], names));
  }

  /** Draw the scatter plot after the list, which people wait for. */
  drawLater() {
    clearTimeout(this.drawing);
    this.drawing = setTimeout(() => this.draw());
  }

  draw() {
    const { view, data } = this;
    if (!this.scatter || view.b === null) return;
    const [xs, ys] = [data.scores(view.m, view.a), data.scores(view.m, view.b)];
    let dim = null;
    if (this.shown.length < data.count) {
      dim = new Uint8Array(data.count).fill(1);
      for (const row of this.shown) dim[row] = 0;
    }
    const { systems, measures } = data.about;
    this.scatter.show({ xs, ys, dim, active: view.seg, labels: [systems[view.a], systems[view.b]], range: measures[view.m].range });
  }

  /** Count runs of words of the shown segments, if somebody looks. */
  async countRuns() {
    const { view, data } = this;
    if (!byId("runs").open || view.b === null) return;
    const mine = (this.counting = {});
    byId("won").replaceChildren(element("p", { class: "soft" }, "counting …"));
    const found = await runsWonAndLost(data, this.shown, view.a, view.b);
    if (this.counting !== mine) return; // the view has changed meanwhile
    const names = [data.about.systems[view.a], data.about.systems[view.b]];
    const limit = this.shown.length > MOST_ROWS ? `, evenly spread over ${countText(this.shown.length)}` : "";
    byId("won").replaceChildren(runsTable(found.first, names[0], names), runsTable(found.second, names[1], names));
    byId("counted").textContent = `Runs of 1 to 3 words that an output shares with its references, in ${countText(found.counted)} segments${limit}.`;
  }

  /** Show a segment. */
  choose(row, far = false) {
    if (row < 0) return;
    this.view.seg = row;
    const index = this.shown.indexOf(row);
    this.list.active = index;
    if (index >= 0) this.list.reveal(index);
    this.drawLater();
    this.remember();
    this.open(row, far);
  }

  async open(row, far = false) {
    const panel = byId("segment");
    if (row < 0) return;
    const { data, view } = this;
    await data.load(Math.floor(row / data.size));
    if (view.seg !== row) return;
    const found = data.row(row);
    byId("segment-title").textContent = `Segment ${data.number(row)}${found.id ? ` (${found.id})` : ""}`;
    panel.replaceChildren(...segmentPanel(data, view, row, found, this.aligned));
    if (far) byId("segments").scrollIntoView({ block: "start" });
  }

  async save(kind) {
    await this.data.loadAll();
    const some = records(this.data, this.shown);
    if (kind === "csv") download("segments.csv", asCsv(some), "text/csv");
    else download("segments.jsonl", some.map((one) => `${JSON.stringify(one)}\n`).join(""), "application/x-ndjson");
    announce(`Saved ${countText(some.length)} segments.`);
  }
}

/** Let links to sections scroll without changing the address, which holds the view. */
function keepAddress() {
  for (const link of document.querySelectorAll("a[data-section]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      document.querySelector(link.hash).scrollIntoView();
    });
  }
}

async function start() {
  keepAddress();
  for (const table of document.querySelectorAll("table.copies")) table.closest(".scrolls").after(copyButtons(table));
  for (const table of document.querySelectorAll("table.sortable")) sortable(table);
  for (const button of document.querySelectorAll("[data-copies]")) {
    button.hidden = false;
    button.addEventListener("click", () => copyText(byId(button.dataset.copies).textContent, button.dataset.what));
  }
  if (!byId("about")) return;
  const data = new Rows(JSON.parse(byId("about").textContent));
  await data.open();
  const page = new Page(data, await readAlignments());
  await page.start();
  document.documentElement.dataset.ready = "rows";
  await data.loadAll();
  document.documentElement.dataset.ready = "all";
}

start().catch((error) => {
  const place = byId("problem");
  place.hidden = false;
  place.textContent = `This browser cannot show the segments (${error.message}). The tables are complete; a browser of 2023 or later shows everything.`;
});
