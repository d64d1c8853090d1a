/** Which token matches which: a table whose cells are the darker, the more similar two tokens are. */
import { element } from "./dom.js";

/**
 * @param found  an alignment as `farthing align --format json` prints it: `candidate`, `reference` (tokens),
 *               `similarity` (one row per token of the candidate), `matches` and `back_matches` (-1 for none)
 */
export function heatMap(found, names = ["the candidate", "the reference"]) {
  const head = element("tr", {}, element("td"), found.reference.map((token) => column(token)));
  const rows = found.candidate.map((token, row) =>
    element("tr", {}, element("th", { scope: "row" }, token), found.similarity[row].map((value, place) => cell(found, value, row, place))),
  );
  const told = `Tokens of ${names[0]} (rows) and of ${names[1]} (columns); a frame is the best match of its row, a line below that of its column.`;
  const label = `Alignment of ${names[0]} with ${names[1]}`;
  const table = element("table", { class: "heat", "aria-label": label }, element("thead", {}, head), element("tbody", {}, rows));
  const frame = element("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": label }, table);
  return element("div", {}, element("p", { class: "legend" }, told), frame);
}

function column(token) {
  return element("th", { scope: "col" }, element("span", {}, token));
}

function cell(found, value, row, place) {
  const best = [found.matches[row] === place ? "best" : "", found.back_matches[place] === row ? "back" : ""];
  const made = element(
    "td",
    { class: best.filter(Boolean).join(" ") || null, title: `${found.candidate[row]} – ${found.reference[place]}: ${value.toFixed(3)}` },
    value.toFixed(2).replace("0.", "."),
  );
  made.style.setProperty("--strength", Math.max(0, Math.min(1, value)).toFixed(2));
  return made;
}
