"""What an adapter saves in training an estimator: speed forward and backward, memory per token, and what it costs.

    python benchmarks/estimators_adapters.py SHARED MODEL [--repeats 5] [--trained 0] [--seeds 1] [--work W]

Every method does the same steps in turn, interleaved, and the medians are printed beside EffEval's published gains (its
Tables 1 and 2). Seconds are those of the processor. Memory per token is what a step keeps for the backward pass, plus
gradients and the optimiser's moments, over the tokens of a batch; it is counted, not sampled. With --trained N every
method is also trained on N judgements of WMT15, and Kendall on WMT16 is printed; W keeps the results, so that the
same call resumes.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

import numpy as np
import torch

from farthing.core.registry import load_pairs_metric
from farthing.learn.adapters.methods import METHODS, AdapterMethod
from farthing.learn.data.humans import Judged
from farthing.learn.data.judgements import read_judged
from farthing.learn.regress.model import EstimatorModel
from farthing.learn.regress.objective import estimator_groups, grouped_kendall, squared_errors
from farthing.learn.regress.regress import RegressPlan, prepared_estimator, regress
from farthing.learn.regress.rows import ScoredRows, TokenRows
from farthing.learn.regress.settings import RegressSettings
from farthing.learn.study.measure import segment_scores
from farthing.students.regressor import EstimatorShape
from farthing.tables.grid import NumberTable, grid_text

FULL = "all layers"
SETTINGS = RegressSettings(
    epochs=3, batch=32, rate=3e-4, encoder_rate=5e-5, frozen=0.1, checks=3, patience=None, limit=128, falling=True
)
ADAPTER_RATE = 1e-3  # adapters start from nothing and bear a higher rate
SHAPE = EstimatorShape(inputs=("reference",))
PUBLISHED = "EffEval: backward +37 to +102 %, memory -26 to -32 % against training all layers"


@dataclass(slots=True)
class Measured:
    """One method: its model, what learns, and the seconds of its passes."""

    model: EstimatorModel
    parameters: list[torch.nn.Parameter]
    forward: list[float] = field(default_factory=list)
    backward: list[float] = field(default_factory=list)
    kept: int = 0


def prepared(folder: Path, method: AdapterMethod | None) -> Measured:
    """Make the model of a method, ready to learn."""
    model, adapter, _ = prepared_estimator(folder, SHAPE, SETTINGS, method)
    groups = list(estimator_groups(model, SETTINGS, adapter))
    return Measured(model.train(), [part for group in groups for part in group.parameters])


def step(one: Measured, rows: TokenRows, numbers: list[int]) -> None:
    """Do one step, and note its seconds and the bytes that it keeps for the backward pass."""
    seen: dict[int, int] = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        seen[storage.data_ptr()] = storage.nbytes()
        return tensor

    owned = {part.untyped_storage().data_ptr() for part in one.model.parameters()}
    batch = rows.batch(numbers)
    began = time.process_time()
    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        loss = squared_errors(one.model, batch)
    one.forward.append(time.process_time() - began)
    began = time.process_time()
    loss.backward()
    one.backward.append(time.process_time() - began)
    one.model.zero_grad()
    one.kept = sum(size for place, size in seen.items() if place not in owned)


def speed_table(folder: Path, rows: TokenRows, repeats: int) -> tuple[dict[str, list[float]], int]:
    """Measure every method on the same batch, interleaved."""
    numbers = list(range(min(len(rows), SETTINGS.batch)))
    tokens = int(rows.batch(numbers).mask.sum())
    methods = {FULL: prepared(folder, None), **{method: prepared(folder, method) for method in METHODS}}
    for _ in range(repeats + 1):  # the first round only warms up
        for one in methods.values():
            step(one, rows, numbers)
    table = {}
    for name, one in methods.items():
        learning = sum(part.numel() for part in one.parameters)
        state = 3 * 4 * learning  # gradients and two moments, in four bytes each
        forward, backward = median(one.forward[1:]), median(one.backward[1:])
        table[name] = [learning, tokens / forward, tokens / backward, (one.kept + state) / tokens / 1e3]
    return table, tokens


def with_gains(table: dict[str, list[float]]) -> list[tuple[str, list[float]]]:
    """Add what each method gains over training all layers, in percent."""
    _, forward, backward, memory = table[FULL]
    return [
        (name, [*row, 100 * (row[1] / forward - 1), 100 * (row[2] / backward - 1), 100 * (row[3] / memory - 1)])
        for name, row in table.items()
    ]


def kendalls(options: argparse.Namespace, work: Path) -> Iterator[tuple[str, list[float]]]:
    """Train every method with every seed, and yield the mean and the spread of Kendall on WMT16."""
    human = options.shared / "data" / "human"
    learned, tested = (
        read_judged(human / f"{name}_da_seg.jsonl.gz", groups=["*-en"], by="lp", needs=SHAPE.inputs)
        for name in ("wmt15", "wmt16")
    )
    some = learned.taking(np.random.default_rng(1).permutation(len(learned))[: options.trained])
    for method in (None, *METHODS):
        found = []
        for seed in range(1, options.seeds + 1):
            kept = work / f"{Path(options.model).name}-{method or 'all'}-{options.trained}-{seed}.json"
            if not kept.exists():
                kept.write_text(json.dumps(trained_kendall(options.model, some, tested, method, seed, work)))
            found.append(json.loads(kept.read_text()))
        print(f"  {method or FULL}: {np.mean(found):.3f}", flush=True)
        yield method or FULL, [float(np.mean(found)), float(np.std(found))]


def trained_kendall(
    model: str, learned: Judged, tested: Judged, method: AdapterMethod | None, seed: int, work: Path
) -> float:
    """Train one estimator, and return its Kendall on other judgements."""
    settings = replace(SETTINGS, seed=seed, encoder_rate=ADAPTER_RATE if method else SETTINGS.encoder_rate)
    place = work / f"{Path(model).name}-{method or 'all'}-{seed}"
    made = regress(model, [learned], place, SHAPE, settings, RegressPlan(adapter=method), overwrite=True)
    scores = segment_scores(load_pairs_metric(f"comet(model={made.folder})"), tested.pairs)
    return grouped_kendall(tested.scores, scores, tested.groups)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("shared", type=Path)
    parser.add_argument("model")
    parser.add_argument("--rows", type=int, default=256)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--trained", type=int, default=0, help="judgements to train every method on; 0 for none")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--work", type=Path, help="the folder that keeps trained estimators and their Kendall")
    options = parser.parse_args()
    data = read_judged(options.shared / "data" / "human" / "wmt15_da_seg.jsonl.gz", groups=["*-en"], by="lp")
    rows = TokenRows(
        Path(options.model), ScoredRows.judged(data.taking(range(options.rows)), SHAPE.inputs), SETTINGS.limit
    )
    table, tokens = speed_table(Path(options.model), rows, options.repeats)
    columns = [
        "learn",
        "forward, tokens/s",
        "backward, tokens/s",
        "kB per token",
        "forward %",
        "backward %",
        "memory %",
    ]
    notes = [f"batches of {tokens} tokens, median of {options.repeats} interleaved steps", PUBLISHED]
    print(
        grid_text(NumberTable(Path(options.model).name, columns, with_gains(table), notes=notes, decimals=1)),
        flush=True,
    )
    if options.trained:
        with tempfile.TemporaryDirectory() as scratch:
            work = options.work or Path(scratch)
            work.mkdir(parents=True, exist_ok=True)
            table_rows = list(kendalls(options, work))
        print(grid_text(NumberTable("Kendall, WMT16 to English", ["mean", "deviation"], table_rows, decimals=3)))


if __name__ == "__main__":
    main()
