"""A few judged sentences, and a bench of them as if it had been measured: for tests of the bench and of its reports."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from farthing.bench.bench import BenchResult
from farthing.bench.contenders import contenders, expanded
from farthing.bench.cost import Spent
from farthing.bench.data import BenchData, read_bench_data
from farthing.bench.exchange import Measured, PassCost
from farthing.bench.machine import this_machine
from farthing.bench.peers import Peer, PeerRun
from farthing.bench.plan import BenchPlan
from farthing.bench.rows import metric_row, peer_row
from farthing.bench.spread import Spread
from farthing.bench.training_rows import TrainingRow
from farthing.meta.read.human import HumanColumns

REFERENCES = [
    "the cat sat on the mat and looked at the rain",
    "a dog was lying on the carpet, watching it pour outside",
    "shares fell by three percent after the warning on Tuesday",
    "nobody expected the old bridge to survive another winter",
    "please send me the report before the meeting tomorrow",
    "she has studied the migration of birds for twenty years",
]
CANDIDATES = [
    "the cat sat on a mat and looked at rain",
    "one dog lay on the carpet and watched the rain outside",
    "shares dropped three percent on Tuesday",
    "no one thought that bridge would last the winter",
    "send the report tomorrow",
    "birds have studied her for years",
]
SCORES = [90, 80, 70, 75, 40, 10]


def write_judged(path: Path, changes: Mapping[int, Mapping[str, object]] | None = None) -> str:
    """Write the sentences as a table, with changes of single rows."""
    rows = [
        {"lp": "de-en" if place < 3 else "fr-en", "candidate": one, "reference": two, "score": score}
        for place, (one, two, score) in enumerate(zip(CANDIDATES, REFERENCES, SCORES, strict=True))
    ]
    for place, change in (changes or {}).items():
        rows[place] |= change
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def made_data(folder: Path) -> BenchData:
    return read_bench_data(write_judged(folder / "judged.jsonl"), HumanColumns())


def made_answer(pace: float = 1.0, memory: int = 100 << 20, scores: Sequence[float] = (6, 5, 4, 3, 2, 1)) -> Measured:
    """Return an answer of a worker with round numbers; `pace` makes all of its times longer."""

    def cost(seconds: float) -> Spent:
        return Spent(pace * seconds, pace * seconds, memory)

    return Measured(
        load=cost(2.0),
        cold=cost(0.6),
        warm=cost(0.3),
        cpu=pace * 3,
        memory=memory,
        device_memory=None,
        scores=tuple(map(float, scores)),
        higher_is_better=True,
        signature={},
        batches=(PassCost("1", 4, cost(4.0)), PassCost("4", 4, cost(2.0))),
        steps=(PassCost("encode", 4, Spent(pace, pace)), PassCost("rest", 4, Spent(pace, pace))),
        tricks=(PassCost("5 systems", 20, cost(10.0)),),
        notes=("empty: the candidate has no text (row 1)",),
    )


def made_result(folder: Path) -> BenchResult:
    """Return a bench of two metrics and a command."""
    plan, data = BenchPlan(repeats=3, part=4), made_data(folder)
    first, second, third = contenders(expanded("chrf,bleu"), [Peer.of("mine=run {candidates}")], [data])
    rows = (
        metric_row(first, [made_answer(pace) for pace in (1.0, 3.0, 2.0)], plan),
        metric_row(second, [made_answer(4.0, 200 << 20, (1, 2, 3, 4, 5, 6))], plan),
        peer_row(third, "run {candidates}", [PeerRun(Spent(1, 1, 5), Spent(7, 6, 50 << 20), 1.2, None)], plan),
    )
    spread = Spread.of([10.0, 30.0, 20.0])
    faster = Spread.of([25.0])
    training = (
        TrainingRow("tiny, all parameters", "tiny", "all parameters", 16, 1000, 1000, spread, spread, spread),
        TrainingRow("tiny, lora", "tiny", "lora", 16, 1010, 10, faster, faster, spread),
    )
    return BenchResult(plan, this_machine(), (data,), rows, training)
