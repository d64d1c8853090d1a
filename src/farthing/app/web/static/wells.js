/** Places into which texts are dropped, chosen as files, or pasted. */
import { countText, element } from "./dom.js";
import { sentFile } from "./client.js";

const KINDS = {
  outputs: { title: "Outputs", hint: "One file per system, or a table with references.", many: true },
  references: { title: "References", hint: "One text per line; several files are several references.", many: true },
  sources: { title: "Sources", hint: "Only for metrics that look at them.", many: false },
};

/** The texts of one role: files and what was pasted. */
export class Well {
  /**
   * @param role     outputs, references or sources
   * @param changed  (well, what a file held) => void; a table of outputs may hold references and sources, too
   * @param refused  (error) => void
   */
  constructor(place, role, { changed, refused }) {
    Object.assign(this, { role, changed, refused, parts: [] });
    const { title, hint, many } = KINDS[role];
    const picked = element("input", { type: "file", id: `file-${role}`, multiple: many, class: "unseen", accept: ".txt,.tsv,.csv,.jsonl,.json,text/*", onchange: (event) => this.take(event.target) });
    this.pasted = element("textarea", { id: `text-${role}`, rows: 3, spellcheck: "false", placeholder: "… or paste: one text per line", "aria-label": `${title}, one per line`, oninput: () => this.changed(this) });
    this.list = element("ul", { class: "parts", "aria-label": `Files of ${role}` });
    place.className = "well panel";
    place.append(
      element("h2", {}, title),
      element("p", { class: "soft" }, hint),
      picked,
      element("label", { for: `file-${role}`, class: "drop" }, "Drop files here, or choose them"),
      this.list,
      this.pasted,
    );
    place.addEventListener("dragover", (event) => (event.preventDefault(), place.classList.add("over")));
    place.addEventListener("dragleave", () => place.classList.remove("over"));
    place.addEventListener("drop", (event) => {
      event.preventDefault();
      place.classList.remove("over");
      this.read([...event.dataTransfer.files]);
    });
  }

  async take(input) {
    const files = [...input.files];
    input.value = "";
    await this.read(files);
  }

  async read(files) {
    this.refused(null);
    for (const file of files) {
      try {
        const found = await sentFile(file, this.role);
        this.add(file.name, found);
      } catch (error) {
        this.refused(error);
      }
    }
  }

  /** Take the texts of a file. */
  add(name, found) {
    if (!KINDS[this.role].many) this.parts = [];
    if (this.role === "outputs") this.parts.push(...Object.entries(found.systems).map(([system, texts]) => ({ name: system, texts })));
    else this.parts.push({ name, texts: found[this.role] });
    this.show();
    this.changed(this, found, name);
  }

  show() {
    const row = (part) =>
      element(
        "li",
        {},
        element("span", {}, part.name),
        element("span", { class: "soft" }, ` ${countText(part.texts.length)} ${part.texts.length === 1 ? "text" : "texts"} `),
        element("button", { type: "button", class: "quiet", "aria-label": `Remove ${part.name}`, onclick: () => this.remove(part) }, "✕"),
      );
    this.list.replaceChildren(...this.parts.map(row));
  }

  remove(part) {
    this.parts = this.parts.filter((one) => one !== part);
    this.show();
    this.changed(this);
  }

  /** All parts, with what was pasted as one of them. */
  all() {
    const lines = this.pasted.value.replace(/\n$/, "").split("\n");
    return this.pasted.value.trim() ? [...this.parts, { name: "pasted", texts: this.role === "references" ? lines.map((line) => [line]) : lines }] : this.parts;
  }
}

/** What is to be scored, as /v1/compare takes it. */
export function gathered({ outputs, references, sources }) {
  const systems = {};
  for (const { name, texts } of outputs.all()) {
    let [unique, number] = [name, 2];
    while (unique in systems) unique = `${name} (${number++})`;
    systems[unique] = texts;
  }
  const columns = references.all().map((part) => part.texts);
  const rows = columns.length ? columns[0].map((_, row) => columns.flatMap((column) => column[row] ?? [])) : null;
  const wrong = columns.find((column) => column.length !== columns[0].length);
  if (wrong) throw new Error(`The files of references have ${columns[0].length} and ${wrong.length} lines: they must have as many.`);
  const given = sources.all();
  return { systems, references: rows, sources: given.length ? given[0].texts : null };
}
