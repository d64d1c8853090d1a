/** Texts in which words are marked: likely errors, or words that only one of two texts has. */
import { element } from "./dom.js";

export const LIKELY = 0.15; // a word is shaded from this probability on
const SURE = 0.3; // and underlined from this one on

/**
 * A text whose words are the redder, the more likely they are wrong.
 *
 * @param marks  objects with `start`, `end` (in characters, as Python counts them) and `probability`, in order
 * @param what   what a shaded word likely is: "wrong" or "missing"
 */
export function markedText(text, marks, what = "wrong") {
  const letters = /[\ud800-\udfff]/.test(text) ? Array.from(text) : null; // two units, one character
  const cut = (start, end) => (letters ? letters.slice(start, end).join("") : text.slice(start, end));
  const pieces = [];
  let place = 0;
  for (const { start, end, probability } of marks) {
    if (probability < LIKELY) continue;
    pieces.push(cut(place, start), markedWord(cut(start, end), probability, what));
    place = end;
  }
  pieces.push(cut(place));
  return pieces;
}

function markedWord(word, probability, what) {
  const title = `likely ${what}: ${Math.round(100 * probability)} %`;
  const made = element("mark", { title, class: probability >= SURE ? "sure" : null }, word);
  made.style.setProperty("--strength", Math.min(1, 1.6 * probability - 0.16).toFixed(2));
  return made;
}

/** What the shades mean. */
export function marksLegend() {
  const sample = (probability) => markedWord(`${Math.round(100 * probability)} %`, probability, "wrong or missing");
  return element("p", { class: "legend" }, "Likely wrong or missing: ", sample(0.15), " ", sample(0.3), " ", sample(0.6));
}

/** A text in pieces `[word, changed]`, with the changed words set apart. */
export function comparedText(pieces, kind) {
  return pieces.map(([word, changed]) => (changed ? element("span", { class: `only ${kind}` }, word) : word));
}
