"""Wall time from a fresh interpreter to the first score of the embedded student, and how much of it is loading.

python benchmarks/students_start.py
"""

from __future__ import annotations

import subprocess
import sys
import time

CODE = """
import time; began = time.perf_counter()
import farthing
metric = farthing.load("frugalscore(size={size})"); loaded = time.perf_counter()
metric.score(farthing.Pairs.of(["The cat sat on the mat."], ["A cat was sitting on the mat."]))
print(f"{{loaded - began:.3f}}")
"""


def main() -> None:
    for size in sys.argv[1:] or ("small",):
        best = (9.0, 9.0)
        for _ in range(5):
            began = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-c", CODE.format(size=size)], capture_output=True, text=True, check=True
            )
            best = min(best, (time.perf_counter() - began, float(done.stdout)))
        print(f"{size}: {best[0]:.2f} s to the first score, of which importing and loading {best[1]:.2f} s")


if __name__ == "__main__":
    main()
