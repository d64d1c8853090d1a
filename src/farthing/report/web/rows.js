/** The rows of a report: blocks of texts that are unpacked when they are needed, columns of scores, and a search. */

const NONE = 65535; // stands for a score that is missing
const BETWEEN = "\u0000"; // stands between the texts of a row, so that nothing is found across them

/** Unpack what `packing.py` packed: gzip in base64. */
async function unpacked(text) {
  const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Take the content of an element that holds data; the element goes, so that nothing is in memory twice. */
function taken(id) {
  const place = document.getElementById(id);
  const text = place.textContent;
  place.remove();
  return text;
}

/** One segment: its texts, and the marks of its words per measure and system. */
class Row {
  constructor([id, source, references, candidates, marks]) {
    Object.assign(this, { id: id || "", source: source || "", references, candidates, marks: marks || [] });
  }
}

/** Marks as `markedText` takes them. */
export function spreadMarks(flat) {
  const found = [];
  for (let at = 0; at < flat.length; at += 3) {
    found.push({ start: flat[at], end: flat[at] + flat[at + 1], probability: flat[at + 2] / 100 });
  }
  return found;
}

export class Rows {
  constructor(about) {
    Object.assign(this, { about, count: about.count, size: about.block, blocks: [], waiting: [], haystacks: [], cache: new Map() });
  }

  /** Read the columns of numbers; everything else is read later. */
  async open() {
    const { count, measures, systems } = this.about;
    const bytes = await unpacked(taken("numbers"));
    const column = (place) => {
      const start = 2 * place * count;
      return Uint16Array.from({ length: count }, (_, row) => bytes[start + row] * 256 + bytes[start + count + row]);
    };
    this.lengths = column(0);
    this.columns = measures.map((_, measure) => systems.map((_, system) => column(1 + measure * systems.length + system)));
    this.places = this.about.chosen ? JSON.parse(new TextDecoder().decode(await unpacked(taken("chosen")))) : null;
  }

  /** The number of a row in the run, from 1. */
  number(row) {
    return this.places ? this.places[row] : row + 1;
  }

  /** The row with a number in the run; -1 if it is not shown. */
  find(number) {
    if (this.places) return this.places.indexOf(number);
    return number >= 1 && number <= this.count ? number - 1 : -1;
  }

  /** All scores of one system by one measure, NaN where there is none. */
  scores(measure, system) {
    const key = `${measure} ${system}`;
    if (!this.cache.has(key)) {
      const { low, digits } = this.about.measures[measure];
      const unit = 10 ** digits;
      this.cache.set(key, Float64Array.from(this.columns[measure][system], (number) => (number === NONE ? NaN : (low + number) / unit)));
    }
    return this.cache.get(key);
  }

  /** The texts of a row, or null while its block is unpacked; `ready` is called then. */
  row(row, ready) {
    const block = this.blocks[Math.floor(row / this.size)];
    if (block) return block[row % this.size];
    this.load(Math.floor(row / this.size)).then(ready);
    return null;
  }

  /** Unpack a block, once. */
  load(number) {
    this.waiting[number] ??= unpacked(taken(`block-${number}`)).then((bytes) => {
      this.blocks[number] = JSON.parse(new TextDecoder().decode(bytes)).map((given) => new Row(given));
    });
    return this.waiting[number];
  }

  /** Unpack all blocks, with pauses in which the page can react, and make them ready for a search. */
  async loadAll() {
    this.everything ??= (async () => {
      for (let number = 0; number * this.size < this.count; number += 1) {
        await this.load(number);
        this.haystacks[number] = haystack(this.blocks[number]);
        await new Promise((done) => setTimeout(done));
      }
    })();
    return this.everything;
  }

  /** Which rows contain a text, whatever the case of its letters: one byte per row. */
  search(text) {
    const hits = new Uint8Array(this.count);
    const needle = text.toLowerCase();
    this.haystacks.forEach(({ whole, ends }, number) => {
      let row = 0;
      for (let at = whole.indexOf(needle); at >= 0; at = whole.indexOf(needle, ends[row])) {
        while (ends[row] <= at) row += 1;
        hits[number * this.size + row] = 1;
      }
    });
    return hits;
  }
}

function haystack(block) {
  let end = 0;
  const ends = new Uint32Array(block.length);
  const texts = block.map(({ id, source, references, candidates }, row) => {
    const text = `${[id, source, ...references, ...candidates].join(BETWEEN)}${BETWEEN}`.toLowerCase();
    end += text.length;
    ends[row] = end;
    return text;
  });
  return { whole: texts.join(""), ends };
}

/** Read the alignments: a function from measure, system and row to one, or null. */
export async function readAlignments() {
  const known = new Map();
  if (document.getElementById("alignments")) {
    for (const [measure, system, row, ...rest] of JSON.parse(new TextDecoder().decode(await unpacked(taken("alignments"))))) {
      known.set(`${measure} ${system} ${row}`, rest);
    }
  }
  return (measure, system, row) => {
    const found = known.get(`${measure} ${system} ${row}`);
    if (!found) return null;
    const [counted, candidate, reference, percents, matches, back_matches] = found;
    const similarity = percents.map((line) => line.map((value) => value / 100));
    return { counted, candidate, reference, similarity, matches, back_matches };
  };
}
