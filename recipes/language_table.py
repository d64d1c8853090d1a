"""Make the table of letter trigrams by which Farthing tells languages in Latin letters apart.

    python recipes/language_table.py ../shared/data src/farthing/text/languages.safetensors

The table is the mean of two: the logarithms of each trigram's probability in every language (naive Bayes), and the
weights of a softmax regression that starts from them. The first knows more about languages that are not here, the
second is right more often about those that are. The column "other" stands for languages that the table does not have.
The regression learns it by hiding the true language of a part of the texts.

Texts whose digest is divisible by five are held out; the command prints how well the table does on those of Tatoeba.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save

from farthing.core.digest import digest
from farthing.students.layout import SINGLE_CLEAR
from farthing.text import languages
from farthing.text.languages import OTHER, foreign
from farthing.text.trigrams import BUCKETS, UNIT, trigrams

LATIN = (
    "en", "cs", "de", "es", "et", "fi", "fr", "ha", "hr", "is", "it", "lt", "lv", "nl", "pl", "pt", "ro", "sw", "tr",
    "vi",
)  # fmt: skip
TATOEBA = {
    "ces": "cs", "deu": "de", "est": "et", "fin": "fi", "fra": "fr", "ita": "it", "lav": "lv", "lit": "lt", "nld": "nl",
    "pol": "pl", "por": "pt", "ron": "ro", "spa": "es", "tur": "tr",
}  # fmt: skip
MOST, MOST_ENGLISH = 12_000, 120_000  # texts per language
LOWERED = 30_000  # English texts that are seen in small letters, too
LEAST = 6_000  # a language with fewer texts repeats them
HIDDEN = 0.3  # the share of texts whose true language is hidden, so that "other" is right
EPOCHS, BATCH, RATE, DECAY = 2, 512, 0.02, 1e-6
SMOOTHING = 0.5

Texts = dict[str, list[str]]


def read(path: Path) -> Iterator[str]:
    """The lines of a compressed file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from (line.rstrip("\n") for line in lines)


def tatoeba(data: Path) -> Iterator[tuple[str, str]]:
    """Every sentence with its language: a code of ours if it is in Latin letters, else Tatoeba's own."""
    for line in read(data / "corpora" / "tatoeba_parallel.tsv.gz"):
        language, text, english = line.split("\t")[:3]
        yield TATOEBA.get(language, language), text
        yield "en", english


def others(data: Path) -> Iterator[tuple[str, str]]:
    """Texts of the other corpora with their languages."""
    corpora = data / "corpora"
    for row in map(json.loads, read(corpora / "xnli_parallel15.jsonl.gz")):
        for side in ("premise", "hypothesis"):
            yield from (row[side] or {}).items()
    for line in read(corpora / "multi30k_parallel_en_de_fr_cs.tsv.gz"):
        yield from zip(("en", "de", "fr", "cs"), line.split("\t")[1:], strict=False)
    for line in read(corpora / "corpus_en.tsv.gz"):
        yield "en", line.partition("\t")[2]
    for row in map(json.loads, read(corpora / "wmt21_22_outputs.jsonl.gz")):
        source, target = row["lp"].split("-")
        yield from ((source, text) for text in row["source"])
        if target in ("ha", "hr", "is"):  # of which there is little else
            yield from ((target, text) for system in row["systems"].values() for text in system)


def split(data: Path) -> tuple[Texts, Texts]:
    """The texts to learn from, and those of Tatoeba to test with."""
    learned: dict[str, dict[str, None]] = {language: {} for language in LATIN}
    tested: dict[str, dict[str, None]] = {}
    for language, text in tatoeba(data):
        if int(digest(text), 16) % 5 == 0:
            tested.setdefault(language, {})[text] = None
        elif language in learned:
            learned[language][text] = None
    for language, text in others(data):
        if language in learned and int(digest(text), 16) % 5:
            learned[language][text] = None
    return {name: list(texts) for name, texts in learned.items()}, {name: list(texts) for name, texts in tested.items()}


def chosen(learned: Texts, random: np.random.Generator) -> tuple[list[str], np.ndarray]:
    """The texts of the regression, some of them cut to a few words, and the place of their languages."""
    texts: list[str] = []
    places: list[int] = []
    for place, language in enumerate(LATIN):
        some = learned[language]
        some = [some[row] for row in random.permutation(len(some))[: MOST_ENGLISH if language == "en" else MOST]]
        some = some * max(1, LEAST // len(some)) + (
            [text.lower() for text in some[:LOWERED]] if language == "en" else []
        )
        texts += some
        places += [place] * len(some)
    return [shortened(text, random) for text in texts], np.array(places)


def shortened(text: str, random: np.random.Generator) -> str:
    """The text, or two to six of its words."""
    words = text.split()
    if len(words) < 4 or random.random() < 0.6:
        return text
    count = int(random.integers(2, 7))
    start = int(random.integers(0, max(1, len(words) - count)))
    return " ".join(words[start : start + count])


def bayes(learned: Texts) -> np.ndarray:
    """Logarithms of the probability of every bucket in each language, and in the mean of all but English."""
    counts = [np.bincount(trigrams(learned[name]).buckets, minlength=BUCKETS) + SMOOTHING for name in LATIN]
    shares = np.stack([count / count.sum() for count in counts], axis=1)
    return centred(np.log(np.concatenate([shares, shares[:, 1:].mean(axis=1, keepdims=True)], axis=1)))


def centred(table: np.ndarray) -> np.ndarray:
    """The same table with a mean of 0 in every row, which changes no comparison of languages."""
    return table - table.mean(axis=1, keepdims=True)


def regression(start: np.ndarray, texts: list[str], places: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The weights of a softmax regression over counts of trigrams."""
    given = trigrams(texts)
    sizes = np.diff(given.bounds)
    bag = torch.nn.EmbeddingBag.from_pretrained(torch.tensor(start / 2, dtype=torch.float32), freeze=False, mode="sum")
    optimiser = torch.optim.Adam(bag.parameters(), lr=RATE)
    rows = np.flatnonzero(sizes)
    batches = [batch for _ in range(EPOCHS) for batch in np.array_split(random.permutation(rows), len(rows) // BATCH)]
    for step, batch in enumerate(batches):
        optimiser.param_groups[0]["lr"] = RATE * (1 - step / len(batches))
        ids = np.concatenate([given.buckets[given.bounds[row] : given.bounds[row + 1]] for row in batch])
        starts = np.cumsum(sizes[batch]) - sizes[batch]
        scores, truth = bag(torch.from_numpy(ids), torch.from_numpy(starts)), places[batch].copy()
        hidden = np.flatnonzero((random.random(len(batch)) < HIDDEN) & (truth > 0))
        scores[torch.from_numpy(hidden), torch.from_numpy(truth[hidden])] = -1e9
        truth[hidden] = len(LATIN)
        loss = torch.nn.functional.cross_entropy(scores, torch.from_numpy(truth)) + DECAY * bag.weight.square().sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return centred(bag.weight.detach().numpy().astype(np.float64))


def report(tested: Texts) -> None:
    """Print how many of the held-out sentences of twenty and more characters are recognised as English or not."""
    right = total = 0
    for language, texts in sorted(tested.items()):
        long = [text for text in texts if len(text) >= 20]
        if not long:
            continue
        good = sum((name == "") == (language == "en") for name in foreign(long, {"en"}))
        right, total = right + good, total + len(long)
        print(f"{language:<9} {good:>6} of {len(long):>6}  {good / len(long):.4f}")
    print(f"{'all':<9} {right:>6} of {total:>6}  {right / total:.4f}")
    other = [text for name in LATIN[1:] for text in tested.get(name, ()) if len(text) >= 20]
    missed = foreign(other, {"en"}, SINGLE_CLEAR).count("")
    print(f"as a single row, {missed} of {len(other)} in other languages and Latin letters are missed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("output", type=Path)
    given = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    random = np.random.default_rng(1)
    learned, tested = split(given.data)
    start = bayes(learned)
    table = (start + regression(start, *chosen(learned, random), random)) / 2
    whole = np.clip(np.round(table * UNIT), -127, 127).astype(np.int8)
    given.output.write_bytes(save({" ".join([*LATIN, OTHER]): whole}))
    print(f"{given.output}: {given.output.stat().st_size} bytes")
    languages.TABLE = given.output
    report(tested)


if __name__ == "__main__":
    main()
