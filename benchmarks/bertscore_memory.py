"""Measure the peak memory of `farthing score -m bertscore` on 10,000 and 100,000 pairs, all texts distinct.

    python benchmarks/bertscore_memory.py MODEL [--shared ../shared]

MODEL is the folder of any encoder; a small one makes the run short. The bar: at most 1.2 times the memory.
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path


def write_pairs(shared: Path, folder: Path, count: int) -> tuple[Path, Path]:
    """Write sentences of the English corpus, in turns as candidates and as references."""
    with gzip.open(shared / "data" / "corpora" / "corpus_en.tsv.gz", "rt", encoding="utf-8") as lines:
        texts = [line.rstrip("\n").partition("\t")[2] for line in islice(lines, 2 * count)]
    paths = folder / f"candidates{count}.txt", folder / f"references{count}.txt"
    for path, part in zip(paths, (texts[::2], texts[1::2]), strict=True):
        path.write_text("\n".join(part) + "\n", encoding="utf-8")
    return paths


def peak_megabytes(arguments: list[str]) -> float:
    """Run a command and return its peak memory."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(arguments)} failed")
    return usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    options = parser.parse_args()
    peaks = {}
    with tempfile.TemporaryDirectory() as scratch:
        for count in (10_000, 100_000):
            candidates, references = write_pairs(options.shared, Path(scratch), count)
            command = [sys.executable, "-c", "from farthing.app.cli.main import main; main()", "score", str(candidates)]
            command += ["-r", str(references), "-m", f"bertscore(model={options.model}, layer=1)"]
            peaks[count] = peak_megabytes(command)
            print(f"{count:>7} pairs: {peaks[count]:.0f} MB", flush=True)
    print(f"100,000 pairs take {peaks[100_000] / peaks[10_000]:.2f} times the memory of 10,000; bar: at most 1.2")


if __name__ == "__main__":
    main()
