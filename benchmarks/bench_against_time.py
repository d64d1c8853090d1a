"""Compare the memory and CPU time that `farthing bench` reports with what GNU time says of `farthing score`.

    python benchmarks/bench_against_time.py JUDGED [SPEC …] [--rows 2000] [--rounds 3]

JUDGED is a table with candidates and references. GNU time (`apt-get install time`) is an independent program that
measures an independent command on the same texts, in turns with the bench. The bar: both within 10 %.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from farthing.bench.bench import WORKER
from farthing.bench.data import read_bench_data
from farthing.bench.exchange import Measured, Request, write_texts
from farthing.bench.process import run_worker
from farthing.core.types import Pairs
from farthing.meta.read.human import HumanColumns

SCORE = [sys.executable, "-c", "from farthing.app.cli.main import main; main()", "score"]


def gnu_time(spec: str, folder: Path) -> tuple[float, float]:
    """CPU seconds and peak bytes of a plain score."""
    command = [*SCORE, str(folder / "candidates.txt"), "-r", str(folder / "references.txt"), "-m", spec]
    done = subprocess.run(["/usr/bin/time", "-v", *command], capture_output=True, text=True, check=True)
    told = dict(re.findall(r"\t(.*?) \((?:seconds|kbytes)\): ([\d.]+)", done.stderr))
    return float(told["User time"]) + float(told["System time"]), 1024 * float(told["Maximum resident set size"])


def ours(spec: str, folder: Path) -> tuple[float, float]:
    """CPU seconds and peak bytes as the bench measures them."""
    request = Request(spec, str(folder / "texts.json"), 1, (), (), False, False, str(folder))
    found = run_worker(WORKER, spec, request, Measured)
    return found.cpu, float(found.memory)


def write(folder: Path, pairs: Pairs) -> None:
    references = [row[0] for row in pairs.references]
    write_texts(folder / "texts.json", Pairs.of(pairs.candidates, references))
    for name, texts in (("candidates", pairs.candidates), ("references", references)):
        lines = [" ".join(text.split()) for text in texts]
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("judged")
    parser.add_argument("specs", nargs="*", default=["chrf", "frugalscore(size=nano)", "frugalscore(size=small)"])
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    data = read_bench_data(options.judged, HumanColumns(), limit=options.rows, groups=["*-en"])
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write(folder, data.judgements.texts)
        for spec in options.specs:
            pairs = [(ours(spec, folder), gnu_time(spec, folder)) for _ in range(options.rounds)]
            cpu, memory = (
                [statistics.median(side[which] for side in sides) for sides in zip(*pairs, strict=True)]
                for which in (0, 1)
            )
            print(
                f"{spec}: CPU {cpu[0]:.2f} s, GNU time {cpu[1]:.2f} s, ratio {cpu[0] / cpu[1]:.3f}; "
                f"peak {memory[0] / 1e6:.1f} MB, GNU time {memory[1] / 1e6:.1f} MB, ratio {memory[0] / memory[1]:.3f}; "
                "bar: 0.9 to 1.1",
                flush=True,
            )


if __name__ == "__main__":
    main()
