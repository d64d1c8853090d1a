"""Does a student know a bad output in any language?

    python benchmarks/languages_robustness.py SHARED "frugalscore(size=multi)" --json FILE
    python benchmarks/languages_robustness.py SHARED "frugalscore(size=source)" --json FILE

Four questions: how do unrelated texts score in more than twenty scripts (for a metric that compares outputs with their
sources: unrelated texts in two languages); is a bad output (empty, a copy of the source, the source with a word less,
in a third language, about something else) strictly below a real translation; does a text in an unmeasured language get
a note; does a score depend on what is scored beside it. Texts of real people stand for most scripts, made-up words for
the rest. The exit code is 1 if an answer is not good enough.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from everyday_robustness import words
from farthing.core.metric import Metric
from farthing.core.registry import load_pairs_metric
from farthing.learn.study.bad_outputs import (
    BadOutput,
    TranslationCase,
    batch_difference,
    left_as_it_was,
    middle_output,
    ordered,
    paired,
    parallel_cases,
    shortened,
    unrelated,
    unrelated_pairs,
    useful,
)
from farthing.learn.study.languages import needs_source

SAME, MEAN, SHARE = 1e-9, 15.0, 0.99
TEXTS = 400  # sentences per script
UNMEASURED = "unmeasured"  # the kind of the note
MADE_UP = (
    "Amharic", "Armenian", "Cherokee", "Georgian", "Kannada", "Khmer", "Lao", "Malayalam", "Myanmar", "Tibetan",
)  # fmt: skip


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def parallel(shared: Path) -> list[dict[str, str]]:
    """XNLI's premises in fifteen languages; each is there with three hypotheses."""
    found = {}
    for row in rows(shared / "data" / "corpora" / "xnli_parallel15.jsonl.gz"):
        if row["premise"] and row["split"] == "test":
            found[row["premise"]["en"]] = row["premise"]
    return list(found.values())


def texts_by_script(shared: Path, random: np.random.Generator) -> dict[str, list[str]]:
    """Sentences of real people by script, and made-up ones of scripts for which there are none."""
    human, found = shared / "data" / "human", {}
    names = {"ar": "Arabic", "bg": "Cyrillic", "el": "Greek", "en": "Latin", "hi": "Devanagari", "th": "Thai"}
    for row in parallel(shared):
        for code, name in names.items():
            found.setdefault(name, []).append(row[code])
    sets = (
        ("qe_indic_da", "lp", "en-gu", "candidate", "Gujarati"), ("qe_indic_da", "lp", "en-ta", "candidate", "Tamil"),
        ("qe_indic_da", "lp", "en-te", "candidate", "Telugu"), ("mlqe_pe_da", "lp", "si-en", "source", "Sinhala"),
        ("pawsx", "lang", "ko", "reference", "Hangul"), ("stsb_multi", "lang", "ja", "reference", "Japanese"),
        ("stsb_multi", "lang", "zh", "reference", "Chinese"),
    )  # fmt: skip
    for file, column, value, side, name in sets:
        texts = (str(row[side]) for row in rows(human / f"{file}.jsonl.gz") if row[column] == value)
        found[name] = list(dict.fromkeys(texts))
    for pair in rows(shared / "data" / "corpora" / "wmt21_22_outputs.jsonl.gz"):
        if pair["lp"] == "hi-bn":
            found["Bengali"] = list(pair["reference"])
    with gzip.open(shared / "data" / "corpora" / "tatoeba_parallel.tsv.gz", "rt", encoding="utf-8") as lines:
        found["Hebrew"] = [line.split("\t")[1] for line in lines if line.startswith("heb\t")]
    found = {name: list(random.permutation(texts)[:TEXTS]) for name, texts in found.items()}
    for name in MADE_UP:
        found[name] = [" ".join(words(name, int(random.integers(3, 12)), random)) for _ in range(TEXTS)]
    return found


def about_something_else(metric: Metric, shared: Path, count: int) -> dict[str, float]:
    """Score unrelated texts of one language each, or, against sources, of two languages."""
    random, sourced = np.random.default_rng(1), needs_source(metric)
    texts = texts_by_script(shared, random)
    each, scores, noted, every = -(-count // len(texts)), [], 0, []
    for number, (name, own) in enumerate(texts.items()):
        pairs = unrelated_pairs(own, each, random)
        if sourced:
            other = list(texts.values())[(number + 1) % len(texts)]
            pairs = [(first, str(random.choice(other))) for first, _ in pairs]
        found = metric.score(paired(sourced, [a for a, _ in pairs], [b for _, b in pairs]))
        segments = np.asarray(found.segments)
        noted += len({row for note in found.notes if note.kind == UNMEASURED for row in note.rows}) * (name in MADE_UP)
        scores.append(segments)
        every.append(f"{name} {segments.mean():.0f}")
    summary = unrelated(np.concatenate(scores))
    print(f"{sum(map(len, scores))} unrelated pairs in {len(texts)} scripts: mean {summary.mean:.1f}, "
          f"{summary.high} above 60, {summary.alike} above 99")  # fmt: skip
    print(" ", ", ".join(every))
    share = noted / (each * len(MADE_UP))
    print(f"  {share:.3f} of the pairs in scripts that were not measured have a note", flush=True)
    return {"mean": summary.mean, "above 60": summary.high, "above 99": summary.alike, "noted": share}


def outputs(shared: Path, count: int, random: np.random.Generator) -> list[TranslationCase]:
    """Cases of real systems: the middle output of up to six; texts in a third language if the source has them."""
    pairs = list(rows(shared / "data" / "corpora" / "wmt21_22_outputs.jsonl.gz"))
    elsewhere: dict[str, dict[str, str]] = {}
    for pair in pairs:
        for source, reference in zip(pair["source"], pair["reference"], strict=True):
            elsewhere.setdefault(source, {})[str(pair["lp"])[-2:]] = reference
    chrf, cases = load_pairs_metric("chrf"), []
    while len(cases) < count:
        pair = pairs[len(cases) % len(pairs)]
        language, sources, references = str(pair["lp"])[-2:], pair["source"], pair["reference"]
        one, other = random.choice(len(sources), 2, replace=False)
        source, reference = sources[one], references[one]
        system_outputs = [system["output"][one] for system in pair["systems"].values()]
        bad: dict[BadOutput, str] = {**left_as_it_was(source, random), "unrelated": references[other]}
        third = [text for code, text in elsewhere[source].items() if code != language]
        if third:
            bad["other language"] = str(random.choice(third))
        case = TranslationCase(language, source, middle_output(reference, system_outputs, chrf), bad, reference)
        if useful(case):
            cases.append(case)
    return cases


def judged(shared: Path, file: str, split: str, count: int, random: np.random.Generator) -> list[TranslationCase]:
    """Cases of translations that people found better than usual, with a post-edit for a reference if there is one."""
    by_pair: dict[str, list[dict[str, Any]]] = {}
    for row in rows(shared / "data" / "human" / f"{file}.jsonl.gz"):
        if row["split"] == split and row["score"] > 0.3:
            by_pair.setdefault(str(row["lp"]), []).append(row)
    cases: list[TranslationCase] = []
    names = sorted(by_pair)
    while len(cases) < count:
        name = names[len(cases) % len(names)]
        one, other = (by_pair[name][place] for place in random.choice(len(by_pair[name]), 2, replace=False))
        source, real = one["source"], one["candidate"]
        bad: dict[BadOutput, str] = {**left_as_it_was(source, random), "unrelated": other["candidate"]}
        case = TranslationCase(name[-2:], source, real, bad, shortened_reference(one, random))
        if useful(case):
            cases.append(case)
    return cases


def shortened_reference(row: dict[str, Any], random: np.random.Generator) -> str:
    """The post-edit of a candidate; a word less if nothing was edited."""
    reference: str = row.get("reference") or ""
    return shortened(reference, random) if reference == row["candidate"] else reference


def in_order(metric: Metric, shared: Path, count: int) -> dict[str, dict[str, float]]:
    """Compare bad outputs with real translations."""
    random, sourced = np.random.default_rng(2), needs_source(metric)
    part = count // 4
    origins = {"MLQE-PE": judged(shared, "mlqe_pe_da", "test", part, random)}
    if sourced:
        origins["QE23"] = judged(shared, "qe_indic_da", "dev", part, random)
    origins["WMT21/22"] = outputs(shared, part, random)
    rest = count - sum(map(len, origins.values()))
    origins["XNLI"] = parallel_cases(parallel(shared), rest, random)
    cases = [case for some in origins.values() for case in some]
    found = ordered(metric, cases, sourced=sourced)
    print(f"bad outputs strictly below the real translation, {len(cases)} cases:")
    print(" ", ", ".join(f"{kind} {share:.4f}" for kind, share in found.kinds.items()))
    print(" ", ", ".join(f"{language} {share:.3f}" for language, share in found.languages.items()), flush=True)
    for origin, some in origins.items():  # a recipe may draw sentences of XNLI, but none of the others
        wrong = sum(case in some for _, case in found.wrong)
        print(f"  {origin}: {1 - wrong / sum(len(case.bad) for case in some):.4f}")
    for kind, case in found.wrong[:: max(1, len(found.wrong) // 8)][:8]:
        against = case.source if sourced else case.reference
        print(f"    {kind}: {case.bad[kind][:60]!r} not below {case.real[:60]!r}, against {against[:60]!r}")
    return {"ordered": found.kinds, "languages": found.languages}


def beside(metric: Metric, shared: Path) -> float:
    """Ask whether a score depends on the batch, with texts of many languages and lengths."""
    random, sourced = np.random.default_rng(3), needs_source(metric)
    cases = parallel_cases(parallel(shared), 60, random)
    against = [case.source if sourced else case.reference for case in cases]
    found = batch_difference(metric, paired(sourced, [case.real for case in cases], against))
    print(f"largest difference of a score in another batch or order: {found:g}", flush=True)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("metric")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--json", type=Path, help="add the numbers to this file")
    given = parser.parse_args()
    metric = load_pairs_metric(given.metric)
    assert isinstance(metric, Metric)
    others = about_something_else(metric, given.shared, given.count)
    found = {"unrelated": others, **in_order(metric, given.shared, given.count)}
    difference = beside(metric, given.shared)
    if given.json:
        kept = json.loads(given.json.read_text()) if given.json.exists() else {}
        given.json.write_text(json.dumps({**kept, given.metric: found}, indent=2) + "\n")
    good = others["mean"] < MEAN and not others["above 99"] and difference < SAME
    return int(not (good and min(found["ordered"].values()) >= SHARE))


if __name__ == "__main__":
    raise SystemExit(main())
