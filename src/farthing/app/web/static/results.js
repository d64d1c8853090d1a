/** The results: a table of systems and metrics, charts, downloads. */
import { posted } from "./client.js";
import { Scatter, barChart } from "./charts.js";
import { countText, download, element } from "./dom.js";
import { shown } from "./metric_form.js";
import { Segments } from "./segment_list.js";
import { copyButtons, sortable } from "./tables.js";

const BINS = 20;

/** Show results below the form. */
export class Results {
  /**
   * @param asked    what was scored: systems, references, sources
   * @param found    what the service answered
   * @param metrics  the metrics by name
   */
  constructor(place, asked, found, metrics, refused) {
    Object.assign(this, { asked, found, metrics, refused });
    this.names = Object.keys(asked.systems);
    const perSystem = found.results.length / this.names.length;
    this.columns = found.results.slice(0, perSystem).map((one, at) => ({ name: one.metric, metric: metrics[one.metric], label: asked.metrics[at] ?? one.metric }));
    this.cells = this.names.map((_, row) => found.results.slice(row * perSystem, (row + 1) * perSystem));
    const table = this.table();
    place.replaceChildren(
      element("h2", { id: "results-title", tabindex: "-1" }, "Results"),
      element("div", { class: "scrolls", tabindex: "0", role: "region", "aria-labelledby": "results-title" }, table),
      this.tools(table),
      this.notes(),
      this.charts(),
    );
    const rows = this.columns.map((column, at) => ({ ...column, at })).filter(({ at }) => this.cells[0][at].segments);
    if (rows.length) new Segments(place, this, rows);
    this.scatters.forEach((draw) => draw());
    place.hidden = false;
  }

  table() {
    const heads = this.columns.map(({ label, metric }) => element("th", { scope: "col" }, `${label} ${metric?.higher_is_better === false ? "↓" : "↑"}`));
    const rows = this.names.map((name, row) => element("tr", {}, element("th", { scope: "row" }, name), this.cells[row].map((cell, at) => this.cell(cell, at))));
    const table = element("table", { id: "summary" }, element("caption", {}, `Scores of ${countText(this.asked.systems[this.names[0]].length)} segments`), element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "system"), heads)), element("tbody", {}, rows));
    sortable(table);
    return table;
  }

  cell(cell, at) {
    const { metric } = this.columns[at];
    const values = this.cells.map((row) => row[at].corpus);
    const best = metric?.higher_is_better === false ? Math.min(...values) : Math.max(...values);
    const score = shown(cell.corpus, metric);
    const interval = cell.ci ? element("small", {}, ` [${shown(cell.ci[0], metric)}, ${shown(cell.ci[1], metric)}]`) : null;
    const test = cell.p_value === undefined || cell.p_value === null ? null : element("small", {}, ` ${cell.p_value < 0.05 ? "" : "≈"}p=${cell.p_value.toFixed(3)}`);
    return element("td", { "data-value": cell.corpus }, cell.corpus === best && values.length > 1 ? element("b", {}, score) : score, interval, test);
  }

  tools(table) {
    const button = (label, act) => element("button", { type: "button", onclick: act }, label);
    const json = () => download("scores.json", `${JSON.stringify(this.found, null, 1)}\n`, "application/json");
    const made = copyButtons(table);
    made.append(button("Download JSON", json), button("Download CSV", () => download("scores.csv", this.csv(), "text/csv")), button("Download HTML", (event) => this.html(event.target)));
    return made;
  }

  /** One line per system and segment. */
  csv() {
    const quoted = (value) => (/[",\n\r]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value);
    const kept = this.columns.map((column, at) => [column.label, at]).filter(([, at]) => this.cells[0][at].segments);
    const lines = this.names.flatMap((name, row) => this.asked.systems[name].map((text, segment) => [name, segment + 1, text, ...kept.map(([, at]) => this.cells[row][at].segments[segment])]));
    return [["system", "row", "candidate", ...kept.map(([label]) => label)], ...lines].map((line) => line.map(quoted).join(",")).join("\n") + "\n";
  }

  async html(button) {
    button.disabled = true;
    try {
      const answer = await posted("v1/report", this.asked, { accept: "text/html" });
      download("report.html", await answer.text(), "text/html");
    } catch (error) {
      this.refused(error);
    }
    button.disabled = false;
  }

  notes() {
    const notes = this.found.results.flatMap((one) => one.notes.map((note) => `${one.system}, ${one.metric}: ${note.message}${note.rows.length ? ` (${countText(note.rows.length)} rows)` : ""}`));
    const signatures = this.cells[0].map((cell) => cell.signature);
    return element("details", {}, element("summary", {}, `Signatures${notes.length ? ` and ${notes.length} notes` : ""}`), element("pre", {}, [...signatures, ...notes].join("\n")));
  }

  charts() {
    this.scatters = [];
    const at = this.columns.findIndex((_, place) => this.cells[0][place].segments);
    if (at < 0 || this.cells[0][at].segments.length < 2) return element("div");
    const every = this.cells.flatMap((row) => row[at].segments).filter((value) => value !== null);
    const [low, high] = [Math.min(...every), Math.max(...every)];
    const { label, metric } = this.columns[at];
    const charts = this.names.slice(0, 4).map((name, row) => histogram(this.cells[row][at].segments, low, high, `${label} of the segments of ${name}, from ${shown(low, metric)} to ${shown(high, metric)}`));
    const both = this.names.length > 1 ? [this.scatter(at, [low, high])] : [];
    return element("div", { class: "columns" }, element("div", {}, charts), both);
  }

  scatter(at, range) {
    const [xs, ys] = [0, 1].map((row) => this.cells[row][at].segments.map((value) => value ?? Number.NaN));
    const title = `${this.columns[at].label} of every segment: ${this.names[0]} (across) and ${this.names[1]} (up); click on a segment to see it.`;
    const canvas = element("canvas", { role: "img", "aria-label": title });
    const frame = element("div", {}, canvas);
    const scatter = new Scatter(canvas, { choose: (segment) => this.segments?.open(segment) });
    this.scatters.push(() => scatter.show({ xs, ys, labels: this.names.slice(0, 2), range }));
    return element("figure", { class: "chart" }, frame, element("figcaption", {}, title));
  }
}

function histogram(values, low, high, title) {
  const counts = new Array(BINS).fill(0);
  for (const value of values) if (value !== null) counts[Math.min(BINS - 1, Math.floor(((value - low) / (high - low || 1)) * BINS))] += 1;
  const ends = (place) => (place === 0 ? low : place === BINS - 1 ? high : null);
  return barChart(counts.map((value, place) => ({ label: ends(place) === null ? "" : Number(ends(place).toPrecision(3)).toString(), value })), { title });
}
