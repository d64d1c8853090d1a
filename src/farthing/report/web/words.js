/** Words of any language, which words two texts do not share, and runs of words. */

// Scripts that put no spaces between words are cut at every character.
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]|[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*|[^\s]/gu;
const MOST_CELLS = 4_000_000; // of the table of common subsequences; longer texts are compared as sets of words

/** The words of a text, punctuation included. */
export function wordsOf(text) {
  return text.match(WORD) ?? [];
}

/** Cut a text into pieces `[text, isWord]` that make up the whole text again. */
function pieces(text) {
  const found = [];
  let place = 0;
  for (const match of text.matchAll(WORD)) {
    if (place < match.index) found.push([text.slice(place, match.index), false]);
    found.push([match[0], true]);
    place = match.index + match[0].length;
  }
  if (place < text.length) found.push([text.slice(place), false]);
  return found;
}

/** Both texts in pieces `[text, changed]`: a word is changed if it is outside their longest common subsequence. */
export function wordDifferences(first, second) {
  const cut = [pieces(first), pieces(second)];
  const [ours, theirs] = cut.map((some) => some.filter(([, isWord]) => isWord).map(([word]) => word.toLowerCase()));
  const kept = ours.length * theirs.length > MOST_CELLS ? sharedWords(ours, theirs) : commonWords(ours, theirs);
  return cut.map((some, side) => {
    let place = -1;
    return some.map(([text, isWord]) => [text, isWord && !kept[side].has((place += 1))]);
  });
}

/** The places, in both lists, of the words of a longest common subsequence. */
function commonWords(ours, theirs) {
  const wide = theirs.length + 1;
  const longest = new Uint16Array((ours.length + 1) * wide);
  for (let i = ours.length - 1; i >= 0; i -= 1) {
    for (let j = theirs.length - 1; j >= 0; j -= 1) {
      longest[i * wide + j] =
        ours[i] === theirs[j]
          ? longest[(i + 1) * wide + j + 1] + 1
          : Math.max(longest[(i + 1) * wide + j], longest[i * wide + j + 1]);
    }
  }
  const kept = [new Set(), new Set()];
  for (let i = 0, j = 0; i < ours.length && j < theirs.length; ) {
    if (ours[i] === theirs[j]) {
      kept[0].add(i++);
      kept[1].add(j++);
    } else if (longest[(i + 1) * wide + j] >= longest[i * wide + j + 1]) i += 1;
    else j += 1;
  }
  return kept;
}

function sharedWords(ours, theirs) {
  const inside = (words, others) => new Set(words.flatMap((word, place) => (others.has(word) ? [place] : [])));
  return [inside(ours, new Set(theirs)), inside(theirs, new Set(ours))];
}

/** How often each run of 1 to `longest` words occurs, in lower case: a Map from the run to its count. */
export function countRuns(text, longest) {
  const words = wordsOf(text.toLowerCase());
  const counts = new Map();
  for (let start = 0; start < words.length; start += 1) {
    let run = "";
    for (let length = 1; length <= longest && start + length <= words.length; length += 1) {
      run = length === 1 ? words[start] : `${run} ${words[start + length - 1]}`;
      counts.set(run, (counts.get(run) ?? 0) + 1);
    }
  }
  return counts;
}
