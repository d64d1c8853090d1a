/** Two sentences, scored and aligned as somebody types. */
import { Refused, posted } from "./client.js";
import { byId, element, fillChoices, settled } from "./dom.js";
import { heatMap } from "./heatmap.js";
import { markedText, marksLegend } from "./marks.js";

const EXAMPLE = ["The cat sat on a mat.", "A cat was sitting on the mat."];

/** Show what an alignment says: scores, both texts with their marks, and the heat map. */
export function alignmentView(found, candidate, reference) {
  const facts = ["score", "f1", "precision", "recall"].filter((name) => typeof found[name] === "number");
  const fact = (name) => element("div", {}, element("dt", {}, name), element("dd", {}, found[name].toFixed(name === "score" ? 2 : 3)));
  const text = (name, value, marks, what) => element("p", { class: "text", "data-name": name }, markedText(value, marks ?? [], what));
  return [
    element("dl", { class: "facts" }, facts.map(fact)),
    text("candidate", candidate, found.errors, "wrong"),
    text("reference", reference, found.omissions, "missing"),
    found.errors ? marksLegend() : null,
    ...(found.notes ?? []).map((note) => element("p", { class: "soft" }, note)),
    heatMap(found),
  ].filter(Boolean);
}

/** The tab with two text fields. */
export class PairTab {
  constructor({ metrics, default: usual }, refused) {
    this.refused = refused;
    this.fields = ["pair-candidate", "pair-reference"].map(byId);
    this.metric = byId("pair-metric");
    fillChoices(this.metric, metrics.filter((one) => one.aligns).map((one) => one.name), usual);
    const later = settled(() => this.update(), 250);
    this.fields.forEach((field, place) => {
      field.value = EXAMPLE[place];
      field.addEventListener("input", later);
    });
    this.metric.addEventListener("change", () => this.update());
  }

  /** Ask for the alignment of what is there now; an answer to what was there before is not waited for. */
  async update() {
    this.waiting?.abort();
    this.waiting = new AbortController();
    const [candidate, reference] = this.fields.map((field) => field.value);
    const place = byId("pair-result");
    this.refused(null);
    if (!candidate.trim() || !reference.trim()) {
      place.replaceChildren(element("p", { class: "soft" }, "Write something into both fields."));
      return;
    }
    try {
      const body = { candidate, reference, metric: this.metric.value };
      const found = await (await posted("v1/align", body, { signal: this.waiting.signal })).json();
      place.replaceChildren(...alignmentView(found, candidate, reference));
    } catch (error) {
      if (error.name === "AbortError") return;
      place.replaceChildren();
      this.refused(error instanceof Refused ? error : new Refused(String(error), 0));
    }
  }
}
