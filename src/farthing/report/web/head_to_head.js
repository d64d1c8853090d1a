/** Two systems head to head: who wins how often, where they differ most, and which runs of words each finds. */
import { countText, element } from "./dom.js";
import { copyButtons } from "./tables.js";
import { countRuns } from "./words.js";

export const LONGEST = 3; // words of a run
export const MOST_ROWS = 10_000; // in which runs of words are counted
const LISTED = 12;
const HAS_LETTER = /[\p{L}\p{N}]/u;

/** How often each of two columns is better. */
export function tally(ours, theirs, higher) {
  const counts = { first: 0, second: 0, equal: 0, known: 0 };
  for (let row = 0; row < ours.length; row += 1) {
    const difference = (ours[row] - theirs[row]) * (higher ? 1 : -1);
    if (Number.isNaN(difference)) continue;
    counts.known += 1;
    counts[difference > 0 ? "first" : difference < 0 ? "second" : "equal"] += 1;
  }
  return counts;
}

/** Facts as a list of terms. */
export function factList(facts) {
  const shown = facts.filter(([, value]) => value !== null);
  return element("dl", { class: "facts" }, shown.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
}

/**
 * Count the runs of words that outputs share with their references.
 *
 * @param rows    the row numbers to look at; at most MOST_ROWS of them, evenly spread, are counted
 * @returns       `{counted, first, second}`: runs `[run, matches of the first, of the second]`, most difference first
 */
export async function runsWonAndLost(data, rows, first, second) {
  const step = Math.max(1, rows.length / MOST_ROWS);
  const totals = new Map();
  let counted = 0;
  for (let at = 0; Math.floor(at) < rows.length && counted < MOST_ROWS; at += step) {
    const row = rows[Math.floor(at)];
    await data.load(Math.floor(row / data.size));
    addMatches(totals, data.row(row), first, second);
    counted += 1;
    if (counted % 500 === 0) await new Promise((done) => setTimeout(done));
  }
  const found = [...totals].filter(([run, [a, b]]) => a !== b && HAS_LETTER.test(run)).map(([run, counts]) => [run, ...counts]);
  const order = (sign) => (x, y) => sign * (y[1] - y[2] - x[1] + x[2]) || y[0].length - x[0].length || (x[0] < y[0] ? -1 : 1);
  const top = (sign) => found.filter(([, a, b]) => sign * (a - b) > 0).sort(order(sign)).slice(0, LISTED);
  return { counted, first: top(1), second: top(-1) };
}

function addMatches(totals, row, first, second) {
  const wanted = new Map();
  for (const reference of row.references) {
    for (const [run, count] of countRuns(reference, LONGEST)) wanted.set(run, Math.max(count, wanted.get(run) ?? 0));
  }
  [first, second].forEach((system, place) => {
    for (const [run, count] of countRuns(row.candidates[system], LONGEST)) {
      if (!wanted.has(run)) continue;
      if (!totals.has(run)) totals.set(run, [0, 0]);
      totals.get(run)[place] += Math.min(count, wanted.get(run));
    }
  });
}

/** A table of runs of words that one system finds more often. */
export function runsTable(runs, winner, names) {
  const head = element("tr", {}, ["words", ...names, "difference"].map((name) => element("th", { scope: "col" }, name)));
  const line = ([run, a, b]) =>
    element("tr", {}, element("td", { class: "text", dir: "auto" }, run), [a, b, Math.abs(a - b)].map((count) => element("td", {}, countText(count))));
  const table = element("table", {}, element("caption", {}, `Found more often by ${winner}`), element("thead", {}, head), element("tbody", {}, runs.map(line)));
  return element("div", {}, element("div", { class: "scrolls" }, table), copyButtons(table));
}

/** A table of the segments in which one system is furthest ahead. */
export function aheadTable(rows, winner, names) {
  const head = element("tr", {}, ["segment", ...names, "difference"].map((name) => element("th", { scope: "col" }, name)));
  const line = ({ number, scores }) =>
    element("tr", {}, element("td", {}, element("a", { href: `#seg=${number}`, "data-segment": number }, `${number}`)), scores.map((score) => element("td", {}, score)));
  const table = element("table", { class: "ahead" }, element("caption", {}, `${winner} is furthest ahead`), element("thead", {}, head), element("tbody", {}, rows.map(line)));
  return element("div", {}, element("div", { class: "scrolls" }, table), copyButtons(table));
}
