"""Fifty specs and data sets with their scores to the last digit: do two versions of Farthing give the same numbers?

    python benchmarks/scores_table.py SHARED MODELS before.json                    # with the one version
    python benchmarks/scores_table.py SHARED MODELS after.json --against before.json

MODELS is the folder of the developers' models (minilm-l6, e5-small, bert-tiny). Each row has the corpus score in full,
a digest of the segments and of every part, and the signature. The exit code is 1 if a number differs.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np

import farthing
from farthing.core.digest import digest

LEXICAL = ("bleu", "chrf", "chrf(word_order=2, lowercase=true)", "ter", "rouge")
SETS = (
    "markevaluate(k=[1, 3], model={tiny})",
    "impar(model={tiny})",
    "fid(model={tiny})",
    "prd(model={tiny}, clusters=5)",
    "markevaluate(model={tiny}, samples=word, sample=60)",
)
TOKENS = (
    ("bertscore(model={mini}, layer=4)", "wmt16"),
    ("bertscore(model={mini}, layer=4, idf=true)", "wmt16"),
    ("bertscore(model={mini}, layer=5, compat=bert_score)", "bagel"),
    (
        "bertscore(model={tiny}, idf=true, candidate_idf=true, drop_punctuation=true, drop_subwords=true, "
        "power_means=2, layer=2)",
        "bagel",
    ),
    ("bertscore(model={tiny}, layer=all)", "odd"),
    ("bertscore(model={e5}, layer=8)", "stsb"),
    ("bertscore(model={tiny}, layer=2, early_exit=0.2)", "wmt16"),
    ("moverscore(model={tiny})", "wmt16"),
    ("moverscore(model={tiny}, variant=v1, ngram=2)", "bagel"),
    ("moverscore(model={tiny}, variant=effeval, distance=rwmd)", "odd"),
    ("moverscore(model={tiny}, compat=moverscore_v2)", "wmt16"),
    ("moverscore(model={tiny}, distance=wcd, compat=effeval)", "bagel"),
    ("baryscore(model={tiny}, last=2)", "bagel"),
    ("baryscore(model={tiny}, last=2, form=sinkhorn)", "odd"),
    ("xmoverscore(model={tiny}, layer=2)", "mlqe"),
    ("xmoverscore(model={tiny}, layer=2, compat=xmoverscore)", "mlqe"),
    ("sentsim(model={tiny})", "mlqe"),
    ("sentsim(model={tiny}, combine=published, words=wmd)", "mlqe"),
)


def rows(
    shared: Path, name: str, count: int, keep: Callable[[dict[str, str]], bool] = lambda row: True
) -> farthing.Pairs:
    """Some rows of a file of judgements."""
    with gzip.open(shared / "data" / "human" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        chosen = list(islice((row for row in map(json.loads, lines) if keep(row)), count))
    sources = [row.get("source") or "" for row in chosen] if chosen[0].get("source") else None
    return farthing.Pairs.of([row["candidate"] for row in chosen], [row["reference"] for row in chosen], sources)


def data(shared: Path) -> dict[str, farthing.Pairs]:
    """The data sets by name."""
    odd = farthing.Pairs.of(
        ["", "a", "the cat", "the cat the cat", "Äpfel & 2,5 %"],
        ["x", "a", "", "the cat", ["Apfel", "apples and 2.5 %"]],
    )
    return {
        "wmt16": rows(shared, "wmt16_da_seg", 120, lambda row: row["lp"].endswith("-en")),
        "en-ru": rows(shared, "wmt16_da_seg", 60, lambda row: row["lp"] == "en-ru"),
        "bagel": rows(shared, "d2t_bagel", 80),
        "stsb": rows(shared, "stsb_en", 150),
        "mlqe": rows(shared, "mlqe_pe_da", 60, lambda row: row["lp"] == "en-de" and bool(row.get("reference"))),
        "odd": odd,
    }


def cases() -> Iterator[tuple[str, str]]:
    """Specs, with places for the models, and the names of their data."""
    yield from ((spec, name) for name in ("wmt16", "bagel", "odd") for spec in LEXICAL)
    sizes = ("nano", "tiny", "small")
    yield from ((f"frugalscore(size={size})", name) for name in ("wmt16", "stsb", "odd", "en-ru") for size in sizes)
    yield from TOKENS
    yield from ((spec, "sets") for spec in SETS)


def scored(spec: str, pairs: farthing.Pairs) -> farthing.Scores:
    """The scores of one case."""
    metric = farthing.load(spec)
    if isinstance(metric, farthing.SetMetric):
        return metric.score_sets(farthing.Sets(list(pairs.candidates), [t for row in pairs.references for t in row]))
    return metric.score(pairs)


def one_row(spec: str, filled: str, name: str, pairs: farthing.Pairs) -> dict[str, object]:
    """One row of the table: the scores of one case, or the sentence with which it is refused."""
    try:
        return row(spec, name, scored(filled, pairs))
    except farthing.UsageError as error:
        return {"spec": spec, "data": name, "corpus": str(error), "segments": None, "parts": {}, "signature": ""}


def row(spec: str, name: str, scores: farthing.Scores) -> dict[str, object]:
    """One row of the table."""

    def digits(values: object) -> str:
        return digest(np.ascontiguousarray(np.asarray(values, dtype=np.float64)).tobytes())

    return {
        "spec": spec,
        "data": name,
        "corpus": repr(scores.corpus),
        "segments": None if scores.segments is None else digits(scores.segments),
        "parts": {part: digits(values) for part, values in scores.parts.items()},
        "signature": str(scores.signature),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("models", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--against", type=Path)
    given = parser.parse_args()
    texts = data(given.shared)
    models = {"mini": "minilm-l6", "e5": "e5-small", "tiny": "bert-tiny"}
    found = []
    for spec, name in cases():
        filled = spec
        for key, folder in models.items():
            filled = filled.replace(f"{{{key}}}", str(given.models / folder))
        found.append(one_row(spec, filled, name, texts["wmt16" if name == "sets" else name]))
    given.output.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return differences(json.loads(given.against.read_text(encoding="utf-8")), found) if given.against else 0


def differences(before: list[dict[str, object]], after: list[dict[str, object]]) -> int:
    """Print which rows differ; 1 if a number does."""
    numbers = [
        (b, a) for b, a in zip(before, after, strict=True) if any(b[k] != a[k] for k in ("corpus", "segments", "parts"))
    ]
    signatures = [(b, a) for b, a in zip(before, after, strict=True) if b["signature"] != a["signature"]]
    for b, a in numbers:
        print(f"{a['spec']} on {a['data']}: {b['corpus']} -> {a['corpus']}")
    for b, a in signatures:
        print(f"{b['signature']}\n  -> {a['signature']}")
    print(f"{len(after)} cases, {len(numbers)} with other numbers, {len(signatures)} with another signature")
    return int(bool(numbers))


if __name__ == "__main__":
    raise SystemExit(main())
