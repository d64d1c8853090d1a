"""Train estimators on an encoder and compare them with BERTScore over the same encoder on WMT16, never trained on.

    python benchmarks/estimators_quality.py SHARED MODEL WORK [--inputs reference] [--taught 8000] [--seeds 1]

Two stages, both reported: the estimator learns a teacher's scores of WMT18's outputs, then people's scores (WMT15, the
training split of WMT21's MQM, the post-edits of MLQE). Prints Pearson and Kendall per language pair of WMT16, and how
often each kind of damaged output scores below its undamaged twin. WORK keeps data and trained folders: the same call
resumes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from farthing.core.metric import Metric
from farthing.core.registry import load_pairs_metric
from farthing.core.types import Need, Pairs
from farthing.files.read import records
from farthing.learn.annotate import annotate
from farthing.learn.data.humans import Judged
from farthing.learn.data.judgements import read_judged
from farthing.learn.regress.augment import KINDS, twins
from farthing.learn.regress.regress import RegressPlan, regress
from farthing.learn.regress.settings import RegressSettings
from farthing.learn.study.measure import segment_scores
from farthing.learn.teacher import Teacher
from farthing.meta.coefficients import kendall, pearson
from farthing.meta.layers import tune_layer
from farthing.meta.read.formats import read_judgements
from farthing.metrics.bertscore.bertscore import BertScore
from farthing.students.regressor import EstimatorShape
from farthing.tables.grid import NumberTable, grid_text

TEACHER = "frugalscore(size=small)"
FIRST = RegressSettings(
    epochs=1.5, batch=32, rate=5e-4, encoder_rate=1e-4, frozen=0.1, checks=3, patience=None, limit=128, falling=True
)
SECOND = replace(FIRST, rate=2e-4, encoder_rate=5e-5)
PEOPLE: dict[str, dict[str, str]] = {
    "wmt15_da_seg": {},
    "wmt21_mqm_seg": {"split": "train"},
    "mlqe_pe_da": {"split": "train"},
}
MOST = 1200  # rows of each set of judgements
OUTPUTS = 4  # of each segment that the teacher scores
TWINS = 500  # outputs whose damaged forms are scored


def taught_rows(shared: Path, count: int, seed: int = 1) -> Iterator[dict[str, str]]:
    """Draw segments of WMT18 into English, each with the outputs of a few systems; what they share is encoded once."""
    random = np.random.default_rng(seed)
    segments = [
        (str(record["lp"]), reference, source, outputs)
        for _, record in records(str(shared / "data" / "human" / "wmt18_toen_systems.jsonl.gz"))
        for reference, source, *outputs in zip(record["reference"], record["source"], *_outputs(record), strict=True)  # type: ignore[call-overload]
        if reference.strip()
    ]
    for place in random.permutation(len(segments))[: count // OUTPUTS]:
        pair, reference, source, outputs = segments[place]
        distinct = [text for text in dict.fromkeys(outputs) if text.strip()]
        for number in random.permutation(len(distinct))[:OUTPUTS]:
            yield {"candidate": distinct[number], "reference": reference, "source": source, "lp": pair}


def _outputs(record: dict[str, object]) -> list[list[str]]:
    systems = record["systems"]
    assert isinstance(systems, dict)
    return [one.get("output", []) if isinstance(one, dict) else one for one in systems.values()]


def taught(shared: Path, work: Path, count: int, inputs: Sequence[Need]) -> Judged:
    """Let the teacher score the outputs, once."""
    plain, scored = work / f"outputs-{count}.jsonl", work / f"taught-{count}.parquet"
    if not scored.exists():
        plain.write_text("".join(json.dumps(row) + "\n" for row in taught_rows(shared, count)), encoding="utf-8")
        annotate(plain, scored, Teacher(TEACHER))
    return replace(read_judged(scored, by="lp", needs=inputs), name="teacher")


def people(shared: Path, names: Sequence[str], inputs: Sequence[Need], groups: Sequence[str]) -> list[Judged]:
    """Read the judgements of people; of the larger sets a part."""
    human = shared / "data" / "human"
    named = {name: PEOPLE[name] for name in names}
    sets = [
        read_judged(
            human / f"{name}.jsonl.gz",
            groups=groups,
            only=only,
            needs=inputs,
            by="lp",
            without=[human / "wmt16_da_seg.jsonl.gz"],
        )
        for name, only in named.items()
    ]
    return [_compared(_some(one, MOST)) for one in sets]


def _some(data: Judged, count: int) -> Judged:
    """Draw about so many rows by chance, all outputs for one reference together."""
    members: dict[str, list[int]] = {}
    for row, texts in enumerate(data.references):
        members.setdefault(texts[0], []).append(row)
    order = np.random.default_rng(1).permutation(len(members))
    rows = [row for texts in (list(members.values())[place] for place in order) for row in texts]
    return data.taking(rows[:count])


def _compared(data: Judged) -> Judged:
    """Let experts' scores compare the outputs for one segment: over all segments they mostly follow length."""
    if not data.name.startswith("wmt21_mqm"):
        return data
    return replace(data, groups=[texts[0] for texts in data.references])


def quality(metric: Metric, data: Judged) -> tuple[list[float], list[float]]:
    """Return Pearson and Kendall of every language pair, then their means."""
    scores, groups = segment_scores(metric, data.pairs), np.array(data.groups)
    parts = [groups == group for group in dict.fromkeys(data.groups)]
    values = [
        [float(one(data.scores[rows][None], scores[rows][None])[0]) for rows in parts] for one in (pearson, kendall)
    ]
    return [*values[0], float(np.mean(values[0]))], [*values[1], float(np.mean(values[1]))]


def damaged(metric: Metric, data: Judged) -> list[float]:
    """Return for each kind of damage the share of outputs that score below their undamaged twins, in percent."""
    some = data.taking(np.random.default_rng(5).permutation(len(data))[:TWINS])
    whole = segment_scores(metric, some.pairs)
    shares = []
    for kind in KINDS:
        places, texts = zip(*twins(some.candidates, kind), strict=True)
        part = some.taking(list(places)).pairs
        scores = segment_scores(metric, Pairs(texts, part.references, part.sources))
        shares.append(100 * float(np.mean(scores < whole[list(places)])))
    return shares


def train_all(options: argparse.Namespace, inputs: tuple[Need, ...], groups: Sequence[str]) -> dict[str, str]:
    """Train both stages with every seed; return the specs of the estimators by name."""
    shape, work = EstimatorShape(inputs=inputs, hidden=(384, 128)), options.work
    sets = people(options.shared, options.sets, inputs, groups)
    specs = {}
    for seed in range(1, options.seeds + 1):
        name = f"{Path(options.model).name}-{'-'.join(inputs)}-{seed}"
        first, second = work / f"{name}-teacher", work / f"{name}-people"
        start = options.model
        if options.taught:
            if not first.exists():
                rows = taught(options.shared, work, options.taught, inputs)
                plan = RegressPlan(augment=True, facts={"teacher": TEACHER})
                regress(options.model, [rows], first, shape, replace(FIRST, seed=seed), plan, log=say)
            start = str(first)
            specs[f"estimator, teacher only, seed {seed}"] = f"comet(model={first})"
        if not second.exists():
            regress(start, sets, second, shape, replace(SECOND, seed=seed), RegressPlan(augment=True), log=say)
        specs[
            f"estimator, teacher and people, seed {seed}" if options.taught else f"estimator, people, seed {seed}"
        ] = f"comet(model={second})"
    return specs


def say(line: str) -> None:
    """Print how far the training is."""
    print(f"  {line}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("shared", type=Path)
    parser.add_argument("model")
    parser.add_argument("work", type=Path)
    parser.add_argument("--inputs", default="reference", choices=["reference", "source", "reference+source"])
    parser.add_argument("--taught", type=int, default=8_000, help="outputs that the teacher scores; 0 for none")
    parser.add_argument("--sets", nargs="+", default=list(PEOPLE), choices=list(PEOPLE), help="judgements of people")
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    inputs: tuple[Need, ...] = tuple(options.inputs.split("+"))
    groups = ["*-en"] if inputs == ("reference",) else []
    human = options.shared / "data" / "human"
    wmt16 = read_judged(human / "wmt16_da_seg.jsonl.gz", groups=["*-en"], by="lp")
    specs = train_all(options, inputs, groups)
    wmt15 = read_judgements(str(human / "wmt15_da_seg.jsonl.gz"))
    english = wmt15.only([group for group in wmt15.group_names if group.endswith("-en")])
    layer = tune_layer(BertScore(model=options.model, layer="all"), english).best
    specs |= {
        f"BERTScore, layer {layer} (best on WMT15)": f"bertscore(model={options.model}, layer={layer})",
        "chrF": "chrf",
    }
    names = [*dict.fromkeys(wmt16.groups), "mean"]
    found = {}
    for name, spec in specs.items():
        found[name] = quality(load_pairs_metric(spec), wmt16)
        say(f"{name}: Pearson {found[name][0][-1]:.3f}, Kendall {found[name][1][-1]:.3f}")
    for place, title in enumerate(("Pearson", "Kendall")):
        rows = [(name, values[place]) for name, values in found.items()]
        print(grid_text(NumberTable(f"{title}, WMT16", names, rows, decimals=3)), flush=True)
    estimators = {name: spec for name, spec in specs.items() if name.startswith("estimator")}
    shares = [(name, damaged(load_pairs_metric(spec), wmt16)) for name, spec in estimators.items()]
    print(grid_text(NumberTable("below the twin, %", list(KINDS), shares, decimals=1)))


if __name__ == "__main__":
    main()
