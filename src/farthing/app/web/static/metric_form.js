/** The form of the metrics, made from what the service says of them. */
import { element } from "./dom.js";

/** How a value stands in a spec, such as none or true. */
export function specValue(value) {
  return value === null ? "none" : String(value);
}

/** A list of metrics to choose from, each with its options. */
export class MetricForm {
  constructor(place, { metrics, default: usual }) {
    this.rows = metrics.map((metric) => new MetricRow(metric, metric.name === usual));
    place.append(element("div", { class: "metrics" }, this.rows.map((row) => row.box)));
  }

  /** The specs of the chosen metrics. */
  specs() {
    return this.rows.filter((row) => row.chosen.checked).map((row) => row.spec());
  }
}

class MetricRow {
  constructor(metric, chosen) {
    this.metric = metric;
    this.chosen = element("input", { type: "checkbox", checked: chosen, onchange: () => this.update() });
    this.inputs = metric.options.map((option) => [option, optionInput(option)]);
    const fields = this.inputs.map(([option, input]) => element("label", { title: option.help }, option.name, input));
    const needs = metric.or_source ? "references or sources" : metric.needs.map((one) => `${one}s`).join(" and ") || "nothing else";
    this.more = element(
      "details",
      { hidden: !chosen },
      element("summary", {}, "Options"),
      element("p", { class: "soft" }, `${metric.summary} ${metric.level === "set" ? "Judges a whole set. " : ""}Needs ${needs}.`),
      element("div", { class: "fields" }, fields),
    );
    const arrow = element("span", { class: "soft", title: metric.higher_is_better ? "higher is better" : "lower is better" }, metric.higher_is_better ? " ↑" : " ↓");
    this.box = element("div", { class: "metric" }, element("label", { title: metric.summary }, this.chosen, ` ${metric.name}`, arrow), this.more);
  }

  update() {
    this.more.hidden = !this.chosen.checked;
  }

  /** The spec: the name, and the options that differ from their defaults. */
  spec() {
    const given = this.inputs.filter(([option, input]) => input.value !== specValue(option.default));
    const told = given.map(([option, input]) => `${option.name}=${input.value}`);
    return told.length ? `${this.metric.name}(${told.join(", ")})` : this.metric.name;
  }
}

function optionInput({ choices, low, high, default: usual }) {
  if (choices === null) return element("input", { type: "number", min: low, max: high, value: specValue(usual), step: Number.isInteger(low) ? 1 : "any", required: true });
  const options = choices.map((choice) => element("option", { value: specValue(choice), selected: choice === usual }, specValue(choice)));
  return element("select", {}, options);
}

/** The decimals that a scale asks for. */
export function shown(value, metric) {
  if (value === null || value === undefined) return "–";
  const top = metric?.range?.[1] ?? (metric?.name === "frugalscore" ? 100 : null);
  return value.toFixed(top !== null && top < 10 ? 4 : 2);
}
