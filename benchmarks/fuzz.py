"""Random texts through every metric, and broken files through every reader: no crash, no NaN, no wrong order.

    python benchmarks/fuzz.py [bleu chrf … readers] [--texts 200000] [--others 5000] [--files 20000] [--seed 0]

A sentence of `farthing.FarthingError` is an answer; any other error is a failure, and so is a score that is no number
or a row that has another row's score. The numbers of inputs tried and of failures are printed, by metric. Metrics of
language models and estimators are given tiny random models. `tests/test_fuzz.py` runs a small version of it.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet

from farthing.core.errors import FarthingError
from farthing.core.metric import SetMetric
from farthing.core.registry import load, load_pairs_metric
from farthing.core.types import Pairs, Sets
from farthing.files.inputs import Inputs
from farthing.files.vectors import read_vectors
from farthing.metrics.frugalscore import FrugalScore

PROJECT = Path(__file__).resolve().parents[1]
FAST = ("bleu", "chrf", "ter", "rouge", "exact_match", "token_f1", "meteor", "frugalscore(size=nano)")
OTHERS = (
    "frugalscore(size=tiny)", "frugalscore(size=small)", "bertscore(model=nano)", "bertscore(model=tiny, idf=true)",
    "moverscore(model=nano)", "baryscore(model=nano)", "xmoverscore(model=nano, monolingual=true)",
    "sentsim(model=nano, monolingual=true)", "row_sets(model=nano)", "bartscore", "perplexity", "comet",
)  # fmt: skip
SETS = (
    "distinct", "self_bleu", "markevaluate(model=nano)", "fid(model=nano)", "prd(model=nano)", "impar(model=nano)",
    "mauve(model=nano)",
)  # fmt: skip
READERS = "readers"
EVERYTHING = (*FAST, *OTHERS, *SETS, READERS)
WRITTEN = {"bartscore": "write_bart", "perplexity": "write_gpt", "comet": "write_estimator"}  # in tests/tiny.py
WORDS = {"ter": 5_000}  # of the longest texts of words; sacrebleu searches for shifts in longer ones for minutes
BATCH, SMALLEST = 250, 30  # texts of one side that are scored together
PLANES = ((0, 0x80), (0x80, 0x800), (0x800, 0xD800), (0xD800, 0xE000), (0xE000, 0x10000), (0x10000, 0x110000))
SCRIPTS = (
    "the cat sat",
    "кошка сидит",
    "猫が座った",
    "القط جلس",
    "बिल्ली बैठी",
    "แมวนั่ง",
    "고양이",
    "🐈‍⬛ 👩‍👩‍👧",
    "e\u0301 \u202e",
)
CONTROLS = "\x00\x01\x07\x0b\x0c\x1b\x7f\x85\u200b\u2028\u2029\ufeff\ufffe\uffff\t\r\n"


class Random:
    """Texts of all kinds, the same for the same seed."""

    def __init__(self, seed: int, longest: int = 1_000_000, wordy: int | None = None) -> None:
        self.random, self.longest = np.random.default_rng(seed), longest
        self.wordy = longest // 10 if wordy is None else wordy

    def text(self) -> str:
        kind = self.random.random()
        if kind < 0.02:
            return ""
        if kind < 0.0204:
            return self.characters(1) * int(self.random.integers(self.longest // 2, self.longest))
        if kind < 0.0206:
            return " ".join(self.random.choice(SCRIPTS, self.wordy // 8))[: self.wordy]
        if kind < 0.4:
            return " ".join(self.random.choice(SCRIPTS) for _ in range(self.random.integers(1, 6)))
        if kind < 0.5:
            return "".join(self.random.choice(list(CONTROLS)) for _ in range(self.random.integers(1, 20)))
        return self.characters(int(self.random.integers(1, 60)))

    def characters(self, count: int) -> str:
        planes = self.random.integers(len(PLANES), size=count)
        return "".join(chr(self.random.integers(*PLANES[plane])) for plane in planes)

    def pairs(self, count: int) -> Pairs:
        candidates = [self.text() for _ in range(count)]
        references = [[self.text() if self.random.random() < 0.7 else text] for text in candidates]
        return Pairs(candidates, references, [self.text() for _ in candidates])


def fuzz_texts(spec: str, count: int, seed: int, longest: int = 1_000_000) -> tuple[int, list[str]]:
    """Score random texts; each batch is scored again in another order. Return the texts tried and the failures."""
    metric, tried, failures = load_pairs_metric(spec), 0, []
    random = Random(seed, longest, min(WORDS.get(spec, longest), longest // 10))
    if isinstance(metric, FrugalScore):  # not refused because most texts are in no language that it reads
        metric = metric.prepared({"model": metric.model})
    while tried < count:
        pairs = random.pairs(min(BATCH, -(-(count - tried) // 2)))
        tried += 2 * len(pairs)
        try:
            segments = np.asarray(metric.score_pairs(pairs).segments)
            if not np.isfinite(segments).all():
                failures.append(f"{spec}: not a number at row {np.flatnonzero(~np.isfinite(segments))[0]} of {tried}")
            if not metric.needs_all_rows and "idf" not in spec:
                order = random.random.permutation(len(pairs))
                mixed = Pairs(
                    *(
                        [column[place] for place in order]
                        for column in (pairs.candidates, pairs.references, pairs.sources)
                    )
                )
                again = np.asarray(metric.score_pairs(mixed).segments)
                if not np.allclose(again, segments[order], atol=1e-4, equal_nan=True):
                    failures.append(f"{spec}: a row has another row's score at {tried}")
        except FarthingError:
            pass
        except Exception as error:
            failures.append(f"{spec}: {type(error).__name__}: {str(error)[:200]}")
    return tried, failures


def fuzz_sets(spec: str, count: int, seed: int, longest: int) -> tuple[int, list[str]]:
    """Compare sets of random texts. Return the texts tried and the failures."""
    metric, random, tried, failures = load(spec), Random(seed, longest), 0, []
    assert isinstance(metric, SetMetric)
    while tried < count:
        size = max(SMALLEST, min(BATCH, -(-(count - tried) // 2)))
        sets = [[random.text() for _ in range(size)] for _ in range(2)]
        tried += 2 * size
        try:
            corpus = metric.score_sets(Sets(*sets)).corpus
            if not np.isfinite(corpus):
                failures.append(f"{spec}: not a number at {tried}")
        except FarthingError:
            pass
        except Exception as error:
            failures.append(f"{spec}: {type(error).__name__}: {str(error)[:200]}")
    return tried, failures


def with_model(name: str, folder: Path) -> str:
    """Return the spec of a metric that needs a model, with a tiny random one."""
    sys.path.append(str(PROJECT / "tests"))
    import tiny

    return f"{name}(model={getattr(tiny, WRITTEN[name])(folder / name)})"


def _csv(rows: list[tuple[str, str]], mark: str) -> bytes:
    return "\n".join(
        mark.join(cell.replace(mark, " ").replace("\n", " ") for cell in row) for row in [("mt", "ref"), *rows]
    ).encode("utf-8", "replace")


def _parquet(rows: list[tuple[str, str]]) -> bytes:
    sink = io.BytesIO()
    texts = [[cell.encode("utf-8", "replace").decode() for cell in column] for column in zip(*rows, strict=True)]
    pyarrow.parquet.write_table(pyarrow.table({"mt": texts[0], "ref": texts[1]}), sink)
    return sink.getvalue()


def _npy(rows: list[tuple[str, str]]) -> bytes:
    sink = io.BytesIO()
    np.save(sink, np.arange(6.0 * len(rows)).reshape(len(rows), 6))
    return sink.getvalue()


WRITERS: dict[str, Callable[[list[tuple[str, str]]], bytes]] = {
    "txt": lambda rows: "\n".join(mt for mt, _ in rows).encode("utf-8", "replace"),
    "tsv": lambda rows: _csv(rows, "\t"),
    "csv": lambda rows: _csv(rows, ","),
    "jsonl": lambda rows: "\n".join(json.dumps({"mt": mt, "ref": ref}) for mt, ref in rows).encode(),
    "json": lambda rows: json.dumps([{"mt": mt, "ref": ref} for mt, ref in rows]).encode(),
    "jsonl.gz": lambda rows: gzip.compress(WRITERS["jsonl"](rows)),
    "parquet": _parquet,
    "npy": _npy,
}


def damaged(content: bytes, random: np.random.Generator) -> bytes:
    """Flip bits, cut, repeat, insert or nest."""
    kind, place = random.random(), int(random.integers(len(content) + 1))
    if kind < 0.5:
        flipped = bytearray(content)
        for _ in range(int(random.integers(1, 9))):
            flipped[int(random.integers(len(flipped)))] ^= 1 << int(random.integers(8))
        return bytes(flipped)
    if kind < 0.65:
        return content[:place]
    if kind < 0.75:
        return content[:place] + content[place // 2 :]
    if kind < 0.95:
        return content[:place] + random.bytes(int(random.integers(1, 40))) + content[place:]
    return content[:place] + random.choice([b"[", b'{"a":', b'"', b"\x00", b"("]) * 30_000 + content[place:]


def fuzz_files(count: int, seed: int) -> tuple[int, list[str]]:
    """Read damaged files of every format. Return the files tried and the failures."""
    random, texts, failures = np.random.default_rng(seed), Random(seed), []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            suffix = list(WRITERS)[number % len(WRITERS)]
            rows = [(texts.characters(8), texts.characters(8)) for _ in range(6)]
            path = Path(folder) / f"a.{suffix}"
            path.write_bytes(damaged(WRITERS[suffix](rows), random))
            try:
                if suffix == "npy":
                    read_vectors(str(path))
                else:
                    inputs = Inputs([str(path)])
                    inputs.vectors()
                    list(inputs.stretches())
            except FarthingError as error:
                if "\n" in str(error):
                    failures.append(f"{suffix} {number}: more than a line: {str(error)[:200]}")
            except Exception as error:
                failures.append(f"{suffix} {number}: {type(error).__name__}: {str(error)[:200]}")
    return count, failures


def fuzz(
    texts: int, others: int, files: int, seed: int, longest: int = 1_000_000, chosen: Sequence[str] = EVERYTHING
) -> Iterator[tuple[str, int, list[str]]]:
    """Yield what was tried, how often, and the failures.

    :param texts: how many are tried with each of the fast metrics
    :param others: how many are tried with each other metric
    """
    with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        for name in chosen:
            if name in FAST:
                yield name, *fuzz_texts(name, texts, seed, longest)
            elif name in SETS:
                yield name, *fuzz_sets(name, others, seed, longest // 20)
            elif name == READERS:
                yield name, *fuzz_files(files, seed)
            else:
                spec = with_model(name, Path(folder)) if name in WRITTEN else name
                yield name, *fuzz_texts(spec, others, seed, longest // 20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chosen", nargs="*", default=EVERYTHING, help="metrics, and readers; by default all")
    parser.add_argument("--texts", type=int, default=200_000, help="for each of the fast metrics")
    parser.add_argument("--others", type=int, default=5_000, help="for each of the other metrics")
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--longest", type=int, default=1_000_000, help="characters of the longest texts")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    tried = failed = 0
    for what, count, failures in fuzz(given.texts, given.others, given.files, given.seed, given.longest, given.chosen):
        tried, failed = tried + count, failed + len(failures)
        print(f"{what}: {count} inputs, {len(failures)} failures", flush=True)
        for failure in failures[:5]:
            print(f"  {failure}")
    print(f"{tried} inputs (seed {given.seed}), {failed} failures")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
