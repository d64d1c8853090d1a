/** The segments of a result: filtered, sorted, and opened with their alignment. */
import { Refused, posted } from "./client.js";
import { byId, countText, element, fillChoices, settled } from "./dom.js";
import { VirtualList } from "./list.js";
import { shown } from "./metric_form.js";
import { alignmentView } from "./pair_tab.js";

const ROW = 78; // pixels

/** The list of segments, and one of them with its alignment. */
export class Segments {
  constructor(place, results, columns) {
    Object.assign(this, { results, columns, chosen: -1 });
    results.segments = this;
    const { names, asked } = results;
    this.texts = names.map((name) => asked.systems[name]);
    const metric = element("select", { id: "by-metric", onchange: () => this.update() });
    fillChoices(metric, columns.map((column) => column.label), columns[0].label);
    const order = element("select", { id: "by-order", onchange: () => this.update() });
    fillChoices(order, ["worst first", "best first", ...(names.length > 1 ? ["largest difference first"] : []), "in order"], "worst first");
    const filter = element("input", { id: "by-text", type: "search", oninput: settled(() => this.update()) });
    Object.assign(this, { metric, order, filter, status: element("p", { class: "soft", role: "status" }), frame: element("div", { id: "segment-list", class: "list" }), detail: element("div", { id: "segment", class: "panel stays" }) });
    place.append(
      element("h2", {}, "Segments"),
      element("div", { class: "fields" }, element("label", { class: "wide" }, "Filter by text", filter), element("label", {}, "Metric", metric), element("label", {}, "Order", order)),
      this.status,
      element("div", { class: "columns" }, this.frame, this.detail),
    );
    this.list = new VirtualList(this.frame, { height: ROW, label: "Segments", render: (index) => this.row(this.order_[index]), choose: (index) => this.open(this.order_[index]) });
    this.detail.append(element("p", { class: "soft" }, "Choose a segment to see which words match."));
    this.update();
  }

  at() {
    return this.columns[this.metric.selectedIndex].at;
  }

  /** The score of a segment of a system. */
  score(row, segment) {
    return this.results.cells[row][this.at()].segments[segment];
  }

  update() {
    const wanted = this.filter.value.trim().toLowerCase();
    const { references } = this.results.asked;
    const holds = (segment) => [...this.texts.map((texts) => texts[segment]), ...(references?.[segment] ?? [])].some((text) => text.toLowerCase().includes(wanted));
    const found = this.texts[0].map((_, segment) => segment).filter((segment) => !wanted || holds(segment));
    const better = this.results.columns[this.at()].metric?.higher_is_better === false ? -1 : 1;
    const keys = { "worst first": (one) => better * this.score(0, one), "best first": (one) => -better * this.score(0, one), "largest difference first": (one) => -Math.abs(this.score(0, one) - this.score(1, one)), "in order": (one) => one };
    const key = keys[this.order.value];
    this.order_ = found.sort((one, other) => key(one) - key(other) || one - other);
    this.status.textContent = `${countText(found.length)} of ${countText(this.texts[0].length)} segments`;
    this.list.show(found.length, this.order_.indexOf(this.chosen));
  }

  row(segment) {
    const { names, columns } = this.results;
    const scores = names.map((name, row) => element("b", {}, shown(this.score(row, segment), columns[this.at()].metric)));
    const line = (row) => element("div", { class: `line c${row % 8}`, "data-name": names.length > 1 ? names[row] : "" }, this.texts[row][segment]);
    return [element("div", { class: "head" }, `${segment + 1}`, scores), ...names.slice(0, 2).map((_, row) => line(row))];
  }

  /** Show a segment and ask for its alignment. */
  async open(segment) {
    this.chosen = segment;
    const { names, asked, refused } = this.results;
    const compared = asked.references?.[segment]?.[0] ?? asked.sources?.[segment] ?? "";
    const title = element("h3", {}, `Segment ${segment + 1}`);
    const references = (asked.references?.[segment] ?? []).map((text) => element("p", { class: "text", "data-name": "reference" }, text));
    const source = asked.sources ? [element("p", { class: "text", "data-name": "source" }, asked.sources[segment])] : [];
    const places = names.map((name, row) => element("section", { "aria-label": name }, element("h3", {}, name), element("p", { class: "text" }, this.texts[row][segment])));
    this.detail.replaceChildren(title, ...source, ...references, ...places);
    refused(null);
    await Promise.all(places.map((place, row) => this.align(place, names[row], this.texts[row][segment], compared, segment)));
  }

  async align(place, name, candidate, compared, segment) {
    const column = this.columns[this.metric.selectedIndex];
    const metric = column.metric?.aligns ? column.label : "";
    if (!candidate.trim() || !compared.trim()) return;
    try {
      const found = await (await posted("v1/align", { candidate, reference: compared, metric })).json();
      if (this.chosen === segment) place.replaceChildren(element("h3", {}, name), ...alignmentView(found, candidate, compared));
    } catch (error) {
      if (this.chosen === segment) place.append(element("p", { class: "soft" }, error instanceof Refused ? error.message : String(error)));
    }
    byId("segment").scrollTop = 0;
  }
}
