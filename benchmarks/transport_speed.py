"""Compare exact transport with pyemd, and metrics over one encoder with each other: CPU time, in turns, in one run.

    python benchmarks/transport_speed.py solver
    python benchmarks/transport_speed.py metrics --model minilm-l6 --rows 300

The solver benchmark needs pyemd. CPU time is measured instead of wall-clock time, which grows on a busy machine.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Mapping

import numpy as np

from farthing.align.transport import by_simplex, distances, transport
from farthing.core.registry import load
from farthing.core.types import Pairs
from farthing.scoring.engine import score_stretches
from transport_data import dev_model, judged


def cpu_seconds(contenders: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median CPU seconds of each contender over rounds in which each runs once."""
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, run in contenders.items():
            start = time.process_time()
            run()
            seconds[name].append(time.process_time() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}


def solver(rounds: int) -> None:
    """Solve the same problems, from weights and costs to distance and plan, as MoverScore needs them."""
    from pyemd import emd, emd_with_flow

    for size, count, bar in ((30, 200, 4.0), (120, 20, 1.8)):
        ours, theirs = [], []
        for seed in range(count):
            generator = np.random.default_rng(seed)
            points = generator.normal(size=(2 * size, 64))
            points /= np.linalg.norm(points, axis=1, keepdims=True)
            left, right = generator.random(size), generator.random(size)
            left, right = left / left.sum(), right / right.sum()
            cost = distances(points, points)
            ours.append((left, right, np.ascontiguousarray(cost[:size, size:])))
            zeros = np.zeros(size)
            theirs.append((np.concatenate([left, zeros]), np.concatenate([zeros, right]), cost))
        found = cpu_seconds(
            {
                "ours": lambda ours=ours: [transport(*problem) for problem in ours],
                "without POT": lambda ours=ours: [by_simplex(*problem) for problem in ours],
                "linear program": lambda ours=ours: [program_cost(*problem) for problem in ours[:5]],
                "pyemd": lambda theirs=theirs: [emd(*problem) for problem in theirs],
                "pyemd with flow": lambda theirs=theirs: [emd_with_flow(*problem) for problem in theirs],
            },
            rounds,
        )
        error = max(abs(transport(*a).cost - emd(*b)) for a, b in zip(ours, theirs, strict=True))
        print(f"{size} x {size}: {1e3 * found['ours'] / count:.3f} ms per problem; largest difference {error:.1e}")
        apart = max(abs(by_simplex(*problem).cost - transport(*problem).cost) for problem in ours)
        program = found["linear program"] * count / 5
        alone = found["without POT"]
        print(f"  without POT {1e3 * alone / count:.2f} ms per problem; largest difference {apart:.1e}")
        print(f"  without POT {program / alone:.1f} times as fast as a linear program by HiGHS")
        for peer in ("pyemd", "pyemd with flow"):
            print(f"  {found[peer] / found['ours']:.2f} times as fast as {peer}; bar: {bar} for pyemd")


def program_cost(left: np.ndarray, right: np.ndarray, cost: np.ndarray) -> float:
    """Find the least cost by scipy's linear programs, another way without POT."""
    from scipy.optimize import linprog
    from scipy.sparse import eye_array, kron, vstack

    rows, columns = cost.shape
    sums = [kron(eye_array(rows), np.ones((1, columns))), kron(np.ones((1, rows)), eye_array(columns))]
    return float(linprog(cost.ravel(), A_eq=vstack(sums), b_eq=np.concatenate([left, right])).fun)


def metrics(model: str, rows: int, rounds: int) -> None:
    """Measure BERTScore, MoverScore and BaryScore alone, each from raw texts, and all three together."""
    folder = dev_model(model)
    pairs = [pairs for pairs, _ in judged("wmt16_da_seg").values()]
    candidates = [text for one in pairs for text in one.candidates][:: max(1, 3360 // rows)][:rows]
    references = [row[0] for one in pairs for row in one.references][:: max(1, 3360 // rows)][:rows]
    texts = Pairs.of(candidates, references)
    deepest = load(f"moverscore(model={folder})").layers[-1]
    specs = {
        "bertscore": f"bertscore(model={folder}, layer={deepest})",
        "moverscore": f"moverscore(model={folder})",
        "baryscore": f"baryscore(model={folder})",
    }
    loaded = {name: load(spec) for name, spec in specs.items()}

    def run(*names: str) -> Callable[[], object]:
        return lambda: score_stretches([loaded[name] for name in names], lambda: iter([[texts]]))

    contenders = {**{name: run(name) for name in specs}, "together": run(*specs)}
    cpu_seconds(contenders, 1)
    found = cpu_seconds(contenders, rounds)
    for name, seconds in found.items():
        print(f"{name:<12} {1e3 * seconds / rows:7.2f} ms per pair")
    slowest = max(found[name] for name in specs)
    print(f"moverscore costs {found['moverscore'] / found['bertscore']:.2f} times bertscore; bar: 1.35")
    print(f"all three together cost {found['together'] / slowest:.2f} times the slowest alone; bar: 1.5")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["solver", "metrics"])
    parser.add_argument("--model", default="minilm-l6")
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if options.what == "solver":
        solver(options.rounds)
    else:
        metrics(options.model, options.rows, options.rounds)


if __name__ == "__main__":
    main()
