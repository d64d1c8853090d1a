/** Copy a table as Markdown or LaTeX, and sort its rows. */
import { copyText, element } from "./dom.js";

const MEANING = { "\\": "\\textbackslash{}", "↑": "$\\uparrow$", "↓": "$\\downarrow$", "–": "--", "≈": "$\\approx$" };

function cellTexts(row) {
  return [...row.cells].map((cell) => ({ text: cell.innerText.replace(/\s+/g, " ").trim(), strong: Boolean(cell.querySelector("b")) }));
}

/** The table as Markdown. What the table itself brings in `data-markdown` comes first. */
export function tableAsMarkdown(table) {
  if (table.dataset.markdown) return table.dataset.markdown;
  const cell = ({ text, strong }) => (strong ? `**${text.replaceAll("|", "\\|")}**` : text.replaceAll("|", "\\|"));
  const lines = [...table.rows].map((row) => `| ${cellTexts(row).map(cell).join(" | ")} |`);
  const rule = `|---${"|--:".repeat(table.rows[0].cells.length - 1)}|`;
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}

/** The table for LaTeX with booktabs. What the table itself brings in `data-latex` comes first. */
export function tableAsLatex(table) {
  if (table.dataset.latex) return table.dataset.latex;
  const escaped = (text) => text.replace(/[&%$#_{}]/g, "\\$&").replace(/[\\↑↓–≈](?![&%$#_{}])/g, (letter) => MEANING[letter]);
  const cell = ({ text, strong }) => (strong ? `\\textbf{${escaped(text)}}` : escaped(text));
  const lines = [...table.rows].map((row) => `${cellTexts(row).map(cell).join(" & ")} \\\\`);
  const kind = `l${"r".repeat(table.rows[0].cells.length - 1)}`;
  return [`\\begin{tabular}{${kind}}`, "\\toprule", lines[0], "\\midrule", ...lines.slice(1), "\\bottomrule", "\\end{tabular}"].join("\n");
}

/** Two buttons that copy a table. */
export function copyButtons(table) {
  const name = table.caption?.innerText || table.getAttribute("aria-label") || "the table";
  const button = (label, make) =>
    element("button", { type: "button", class: "quiet", "aria-label": `Copy ${name} as ${label}`, onclick: () => copyText(make(table), `the table as ${label}`) }, `Copy ${label}`);
  return element("div", { class: "tools" }, button("Markdown", tableAsMarkdown), button("LaTeX", tableAsLatex));
}

/** Let a click on the head of a column sort the table by it. */
export function sortable(table) {
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    const button = element("button", { type: "button", class: "sorts", onclick: () => sortRows(table, place) });
    button.append(...head.childNodes);
    head.append(button);
  });
}

function sortRows(table, place) {
  const head = table.tHead.rows[0].cells[place];
  const down = head.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const value = (row) => row.cells[place].dataset.value ?? row.cells[place].innerText;
  const order = new Intl.Collator("en", { numeric: true });
  const compare = (one, other) => {
    const [a, b] = [Number(value(one)), Number(value(other))];
    return Number.isNaN(a) || Number.isNaN(b) ? order.compare(value(one), value(other)) : a - b;
  };
  const rows = [...table.tBodies[0].rows].sort(compare);
  table.tBodies[0].append(...(down ? rows.reverse() : rows));
}
