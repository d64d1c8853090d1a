"""Compare the time to the first score: `farthing score` with an ONNX encoder and the `bert-score` command, in turns.

    python benchmarks/bertscore_start.py MODEL [--layer 5] [--rounds 5]

MODEL is a Hugging Face folder; the script exports it to ONNX. The bar: at most a tenth. CPU seconds are printed beside
wall-clock seconds, which grow on a busy machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from farthing.encoders.folder.export import export_onnx

BIN = Path(sys.executable).parent


def cost(arguments: list[str]) -> tuple[float, float]:
    """Run a command and return its wall-clock seconds and its CPU seconds."""
    start = time.perf_counter()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(arguments)} failed")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--layer", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        export_onnx(Path(options.model), folder / "onnx", name="onnx", layers=[options.layer])
        for name, text in (("hyp", "the weather is cold today\n"), ("ref", "it is freezing today\n")):
            (folder / name).write_text(text)
        hyp, ref = str(folder / "hyp"), str(folder / "ref")
        spec = f"bertscore(model={folder / 'onnx'}, layer={options.layer})"
        ours = [str(BIN / "farthing"), "score", hyp, "-r", ref, "-m", spec]
        theirs = [str(BIN / "bert-score"), "-r", ref, "-c", hyp, "-m", options.model, "-l", str(options.layer)]
        rounds = [(cost(ours), cost(theirs)) for _ in range(options.rounds)]
    for place, what in enumerate(("clock", "CPU")):
        our, their = (statistics.median(row[side][place] for row in rounds) for side in (0, 1))
        print(f"{what:<6} {our:6.2f} s against {their:6.2f} s: {our / their:.3f} of bert-score; bar: at most 0.100")


if __name__ == "__main__":
    main()
