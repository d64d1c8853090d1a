/** Segments: which are shown and in which order, a row of the list, one segment in full, and what is exported. */
import { element } from "./dom.js";
import { heatMap } from "./heatmap.js";
import { LIKELY, comparedText, markedText, marksLegend } from "./marks.js";
import { spreadMarks } from "./rows.js";
import { wordDifferences } from "./words.js";

/** The orders in which segments can be shown: a name, and from scores and lengths to a key per row, smallest first. */
export const ORDERS = {
  differ: ["most different first", ({ ours, theirs }) => (row) => -Math.abs(ours[row] - theirs[row])],
  first: ["A furthest ahead first", ({ ours, theirs, sign }) => (row) => sign * (theirs[row] - ours[row])],
  second: ["B furthest ahead first", ({ ours, theirs, sign }) => (row) => sign * (ours[row] - theirs[row])],
  worst: ["worst of A first", ({ ours, sign }) => (row) => sign * ours[row]],
  best: ["best of A first", ({ ours, sign }) => (row) => -sign * ours[row]],
  short: ["shortest first", ({ lengths }) => (row) => lengths[row]],
  long: ["longest first", ({ lengths }) => (row) => -lengths[row]],
  input: ["as in the input", () => (row) => row],
};

/** All rows in an order; rows without a key come last, equal ones stay as in the input. */
export function ordered(data, view) {
  const ours = data.scores(view.m, view.a);
  const theirs = view.b === null ? ours : data.scores(view.m, view.b);
  const key = ORDERS[view.sort][1]({ ours, theirs, lengths: data.lengths, sign: data.about.measures[view.m].higher ? 1 : -1 });
  const keys = new Float64Array(data.count);
  const order = new Uint32Array(data.count);
  for (let row = 0; row < data.count; row += 1) {
    const value = key(row);
    keys[row] = Number.isNaN(value) ? Infinity : value;
    order[row] = row;
  }
  return order.sort((x, y) => keys[x] - keys[y] || x - y);
}

/** The rows of an order that pass the filters. */
export function filtered(data, order, view) {
  const hits = view.q ? data.search(view.q) : null;
  const scores = bounded(data, view);
  const [shortest, longest] = [view.from === "" ? 0 : Number(view.from), view.to === "" ? Infinity : Number(view.to)];
  return order.filter((row) => (!hits || hits[row]) && data.lengths[row] >= shortest && data.lengths[row] <= longest && scores(row));
}

function bounded(data, view) {
  if (view.low === "" && view.high === "") return () => true;
  const [low, high] = [view.low === "" ? -Infinity : Number(view.low), view.high === "" ? Infinity : Number(view.high)];
  const ours = data.scores(view.m, view.of === "b" && view.b !== null ? view.b : view.a);
  const theirs = view.of === "d" && view.b !== null ? data.scores(view.m, view.b) : null;
  return (row) => {
    const value = theirs ? ours[row] - theirs[row] : ours[row];
    return value >= low && value <= high;
  };
}

/** A score with the decimals of its measure. */
export function scoreText(measure, value) {
  return Number.isNaN(value) ? "–" : value.toFixed(Math.max(0, measure.digits));
}

/** A difference with its sign. */
export function leadText(measure, value) {
  return Number.isNaN(value) ? "–" : `${value > 0 ? "+" : ""}${value.toFixed(Math.max(0, measure.digits))}`;
}

/** The marks of a system's output by the chosen measure, or by the first that has any; null if there are none. */
export function marksOf(data, view, row, system) {
  const { marked } = data.about;
  const place = Math.max(0, marked.indexOf(view.m));
  const found = row.marks[place]?.[system];
  if (!found) return null;
  const [errors, omissions, counted, text, other] = found;
  return {
    text: text ?? row.candidates[system],
    other: other ?? (counted < 0 ? row.source : row.references[counted]),
    errors: spreadMarks(errors),
    omissions: spreadMarks(omissions),
    counted,
  };
}

function output(data, view, row, system) {
  const marks = marksOf(data, view, row, system);
  return marks ? markedText(marks.text, marks.errors) : [row.candidates[system]];
}

/** What a row of the list shows: number, id and scores, then the outputs (or the output and its reference). */
export function listRow(data, view, place, ready) {
  const { systems, measures } = data.about;
  const measure = measures[view.m];
  const shown = [view.a, ...(view.b === null ? [] : [view.b])];
  const scores = shown.map((system) => data.scores(view.m, system)[place]);
  const row = data.row(place, ready);
  const head = [element("b", {}, String(data.number(place))), row?.id ?? "", ...scores.map((score, at) => `${systems[shown[at]]} ${scoreText(measure, score)}`)];
  if (shown.length > 1) head.push(`Δ ${leadText(measure, scores[0] - scores[1])}`);
  const lines = [element("div", { class: "head" }, head.filter((part) => part !== "").map((part) => element("span", {}, part)))];
  if (!row) return [...lines, element("div", { class: "line" }, "…")];
  for (const system of shown) {
    lines.push(element("div", { class: `line c${system % 8}`, dir: "auto", "data-name": systems[system] }, output(data, view, row, system)));
  }
  if (shown.length === 1) lines.push(element("div", { class: "line", dir: "auto", "data-name": "reference" }, row.references[0] ?? row.source));
  return lines;
}

/** One segment in full. */
export function segmentPanel(data, view, place, row, aligned) {
  const parts = [scoreTable(data, place)];
  if (row.source) parts.push(textLine("source", row.source));
  row.references.forEach((text, number) => parts.push(textLine(row.references.length > 1 ? `reference ${number + 1}` : "reference", text)));
  const shown = [view.a, ...(view.b === null ? [] : [view.b])];
  const others = data.about.systems.map((_, system) => system).filter((system) => !shown.includes(system));
  for (const system of shown) parts.push(...systemLines(data, view, row, system));
  if (others.length) {
    parts.push(element("details", {}, element("summary", {}, `${others.length} other ${others.length > 1 ? "systems" : "system"}`), others.flatMap((system) => systemLines(data, view, row, system))));
  }
  if (data.about.marked.length) parts.push(marksLegend());
  if (shown.length > 1) parts.push(...differences(data, row, shown));
  for (const system of shown) {
    const found = data.about.measures.map((_, measure) => measure).map((measure) => aligned(measure, system, place)).find(Boolean);
    if (found) {
      const against = found.counted < 0 ? "the source" : row.references.length > 1 ? `reference ${found.counted + 1}` : "the reference";
      parts.push(element("h4", {}, `Which tokens of ${data.about.systems[system]} match`), heatMap(found, [data.about.systems[system], against]));
    }
  }
  return parts;
}

function textLine(name, pieces, kind = "") {
  return element("p", { class: `text ${kind}`, dir: "auto", "data-name": name }, pieces);
}

function systemLines(data, view, row, system) {
  const lines = [textLine(data.about.systems[system], output(data, view, row, system), `c${system % 8}`)];
  const marks = marksOf(data, view, row, system);
  const missing = marks ? marks.omissions.filter(({ probability }) => probability >= LIKELY) : [];
  if (missing.length) {
    const letters = Array.from(marks.other);
    const words = missing.map(({ start, end, probability }) => `${letters.slice(start, end).join("")} (${Math.round(100 * probability)} %)`);
    lines.push(element("p", { class: "soft missing" }, `likely missing: ${words.join(", ")}`));
  }
  return lines;
}

function differences(data, row, [first, second]) {
  const [ours, theirs] = wordDifferences(row.candidates[first], row.candidates[second]);
  const line = (pieces, system) => textLine(data.about.systems[system], comparedText(pieces, `c${system % 8}`), `c${system % 8}`);
  return [element("h4", {}, "Words that only one of the two has"), line(ours, first), line(theirs, second)];
}

function scoreTable(data, place) {
  const { systems, measures } = data.about;
  const head = element("tr", {}, element("th", { scope: "col" }, "system"), measures.map(({ label }) => element("th", { scope: "col" }, label)));
  const line = (name, system) =>
    element("tr", {}, element("th", { scope: "row" }, name), measures.map((measure, at) => element("td", {}, scoreText(measure, data.scores(at, system)[place]))));
  return element("div", { class: "scrolls" }, element("table", { "aria-label": "Scores of the segment" }, element("thead", {}, head), element("tbody", {}, systems.map(line))));
}

/** The rows with the smallest keys, at most `count` of them and in order; rows without a key are left out. */
export function smallest(rows, key, count) {
  const found = [];
  for (let row = 0; row < rows; row += 1) {
    const value = key(row);
    if (Number.isNaN(value) || (found.length === count && value >= found[count - 1].value)) continue;
    const place = found.findIndex((one) => one.value > value);
    found.splice(place < 0 ? found.length : place, 0, { row, value });
    found.length = Math.min(found.length, count);
  }
  return found;
}

/** The shown segments as records for export: numbers, texts, and the scores of all systems by all measures. */
export function records(data, rows) {
  const { systems, measures } = data.about;
  return Array.from(rows, (place) => {
    const row = data.row(place);
    const scores = systems.flatMap((system, at) => measures.map((measure, number) => [`${system}:${measure.label}`, numberOrNull(data.scores(number, at)[place])]));
    return {
      row: data.number(place),
      ...(row.id && { id: row.id }),
      ...(row.source && { source: row.source }),
      references: row.references,
      ...Object.fromEntries(systems.map((system, at) => [system, row.candidates[at]])),
      ...Object.fromEntries(scores),
    };
  });
}

function numberOrNull(value) {
  return Number.isNaN(value) ? null : value;
}

/** Records as CSV; several references stand in one cell, one per line. */
export function asCsv(some) {
  if (!some.length) return "";
  const names = Object.keys(some[0]);
  const cell = (value) => {
    const text = Array.isArray(value) ? value.join("\n") : value === null || value === undefined ? "" : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `${[names, ...some.map((one) => names.map((name) => one[name]))].map((line) => line.map(cell).join(",")).join("\n")}\n`;
}
