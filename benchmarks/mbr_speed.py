"""Minimum Bayes risk over lists of candidates: time per pair against `score`, and against the package mbrs.

    OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/mbr_speed.py students [--segments 100] [--candidates 100]
    OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/mbr_speed.py mbrs MODEL [--exported FOLDER] [--segments 5]

`students` chooses by `nano` and `small` among all lists. It scores all pairs of some of the same lists (`--sample`) by
one call of `score` per list, and some of these pairs (`--singles`) by one call each. The contenders take turns list by
list; times are per pair. `mbrs` chooses by BERTScore over the encoder in the folder MODEL with both
programs; it needs the package mbrs. CPU time of one core. The lists are outputs of systems at WMT21 and WMT22 for one
segment, and more texts that are spliced from them, until there are enough different ones.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

import farthing
from farthing.core.nbest import NBest, crossed_pairs
from farthing.metrics.frugalscore import FrugalScore
from farthing.scoring.choose import choose_by_risk
from farthing.students.crossed import crossed_differences
from farthing.students.match import MatchStudent
from timing import SHARED

LAYER = 5  # of the encoder for BERTScore


def nbest_lists(shared: Path, segments: int, size: int, seed: int = 0) -> list[list[str]]:
    """Make lists of different candidates for segments of 10 to 40 words."""
    chance, pools = random.Random(seed), []
    with gzip.open(shared / "data" / "corpora" / "wmt21_22_outputs.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["lp"].endswith("-en"):
                outputs = [system["output"] for system in row["systems"].values()]
                fit = [place for place, text in enumerate(row["reference"]) if 10 <= len(text.split()) <= 40]
                pools += [[output[place] for output in outputs] for place in fit]
    return [spliced(pool, size, chance) for pool in chance.sample(pools, segments)]


def spliced(pool: Sequence[str], size: int, chance: random.Random) -> list[str]:
    """Add texts that begin as one candidate and end as another, or have another one's word, until there are enough."""
    words, found = [text.split() for text in pool if text.split()], dict.fromkeys(pool)
    while len(found) < size:
        own, other = list(chance.choice(words)), chance.choice(words)
        place = chance.randrange(len(own))
        if chance.random() < 0.5:
            own[place] = chance.choice(other)
        else:
            own = [*own[:place], *other[place:]]
        if own:
            words.append(own)
            found[" ".join(own)] = None
    return list(found)[:size]


def seconds(run: Callable[[], object]) -> float:
    began = time.process_time()
    run()
    return time.process_time() - began


@dataclass
class Costs:
    """CPU seconds per pair of the whole choice and of its part after encoding, and of `score` and its same part."""

    whole: float = 0.0
    after: float = 0.0
    scored: float = 0.0
    scored_after: float = 0.0
    single: float = 0.0
    deviation: float = 0.0


def students(size: str, lists: Sequence[Sequence[str]], sample: int, singles: int) -> None:
    """Print how one student compares with `score`."""
    metric = farthing.load(f"frugalscore(size={size}, threads=1)")
    assert isinstance(metric, FrugalScore)
    choose_by_risk(metric, [NBest(lists[0][:5])])
    costs, count = Costs(), len(lists[0]) ** 2
    sampled = range(0, len(lists), max(1, len(lists) // sample))
    for number, texts in enumerate(lists):
        one = NBest(texts, texts)
        costs.whole += seconds(partial(choose_by_risk, metric, [NBest(texts)])) / count / len(lists)
        costs.after += after_encoding(metric, one) / count / len(lists)
        if number in sampled:
            compare(metric, one, costs, count * len(sampled), singles * len(sampled))
    print(
        f"{size}: {count * len(lists)} pairs, {1e6 * costs.whole:.1f} µs each; {1e6 * costs.after:.1f} after encoding"
    )
    print(f"  score, on {len(sampled)} of the {len(lists)} lists: {1e6 * costs.scored:.1f} µs, "
          f"{1e6 * costs.scored_after:.1f} after encoding, {1e6 * costs.single:.0f} if called per pair")  # fmt: skip
    print(f"  largest difference of a score: {costs.deviation:.1e} (bar: 1e-6)")
    print(f"  the part after encoding: {costs.scored / costs.after:.1f} times as fast as score (bar: 20), "
          f"{costs.scored_after / costs.after:.1f} times as fast as score's part after encoding")  # fmt: skip
    bar = {"nano": "15", "small": "2.5"}.get(size, "none")
    print(f"  the whole: {costs.scored / costs.whole:.1f} times as fast as a score call per list (bar: {bar}), "
          f"{costs.single / costs.whole:.0f} times as a score call per pair (bar: 20)", flush=True)  # fmt: skip


def after_encoding(metric: FrugalScore, one: NBest) -> float:
    """Return the seconds that one list takes if its texts were read before."""
    student = metric.student
    assert isinstance(student, MatchStudent)
    texts = student.read(one.candidates)
    return seconds(lambda: [student.judged(*part) for part in crossed_differences(one, texts)])


def compare(metric: FrugalScore, one: NBest, costs: Costs, pairs: int, singles: int) -> None:
    """Score the pairs of one list by one call, without encoding, and some of them by one call each."""
    student, crossed = metric.student, crossed_pairs([one])
    assert isinstance(student, MatchStudent)
    candidates, references = list(crossed.candidates), [row[0] for row in crossed.references]
    scored: list[farthing.Scores] = []
    costs.scored += seconds(lambda: scored.append(metric.score(candidates, references))) / pairs
    costs.scored_after += seconds(partial(student.scores, crossed, student.read(one.candidates))) / pairs
    found, expected = metric.score_crossed([one]).segments, scored[0].segments
    costs.deviation = max(costs.deviation, float(np.abs(np.subtract(found, expected)).max()))
    for place in random.Random(1).sample(range(len(candidates)), singles // (pairs // len(candidates))):
        costs.single += seconds(partial(metric.score, [candidates[place]], [references[place]])) / singles


def mbrs(model: str, ours_from: str, lists: Sequence[Sequence[str]]) -> None:
    """Print how BERTScore compares with that of the package mbrs on the same encoder."""
    import torch
    from mbrs.decoders import DecoderMBR
    from mbrs.metrics import MetricBERTScore

    torch.set_num_threads(1)
    config = MetricBERTScore.Config(model_type=model, num_layers=LAYER, batch_size=64, cpu=True)
    decoder = DecoderMBR(DecoderMBR.Config(), MetricBERTScore(config))
    metric = farthing.load(f"bertscore(model={ours_from}, layer={LAYER}, threads=1)")
    ours = theirs = same = 0.0
    for texts in [lists[0][:5], *lists]:
        found: list[str] = []
        best: list[str] = []
        theirs_now = seconds(lambda: found.append(decoder.decode(texts, texts).sentence[0]))  # noqa: B023  runs at once
        ours_now = seconds(lambda: best.extend(choose_by_risk(metric, [NBest(texts)], itself=True).texts))  # noqa: B023
        if len(texts) == len(lists[0]):
            ours, theirs, same = ours + ours_now, theirs + theirs_now, same + (found[0] == best[0])
    print(f"BERTScore, {len(lists)} lists of {len(lists[0])}: {theirs / ours:.1f} times as fast as mbrs (bar: 3)")
    print(f"  {ours:.1f} s, mbrs {theirs:.1f} s; the same candidate in {same:.0f} of {len(lists)} lists")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("students", "mbrs"))
    parser.add_argument("model", nargs="?", help="the folder of an encoder, for mbrs")
    parser.add_argument("--exported", help="what farthing models export made of the same encoder, for our side")
    parser.add_argument("--sizes", default="nano,small")
    parser.add_argument("--segments", type=int, default=100)
    parser.add_argument("--candidates", type=int, default=100)
    parser.add_argument("--sample", type=int, default=10, help="lists whose pairs `score` scores, too")
    parser.add_argument("--singles", type=int, default=20, help="pairs of each of these lists that are scored alone")
    parser.add_argument("--shared", type=Path, default=SHARED)
    arguments = parser.parse_args()
    lists = nbest_lists(arguments.shared, arguments.segments, arguments.candidates)
    if arguments.what == "mbrs":
        mbrs(arguments.model, arguments.exported or arguments.model, lists)
        return
    for size in arguments.sizes.split(","):
        students(size, lists, arguments.sample, arguments.singles)


if __name__ == "__main__":
    main()
