"""Wall time from a fresh interpreter to the first score of an embedded student, and how much of it is loading.

python benchmarks/students_start.py [SIZE …]
"""

from __future__ import annotations

import subprocess
import sys
import time

CODE = """
import time; began = time.perf_counter()
import farthing
metric = farthing.load("frugalscore(size={size})"); loaded = time.perf_counter()
metric.score(farthing.Pairs.of(["The cat sat on the mat."], {against}))
print(f"{{loaded - began:.3f}}")
"""
REFERENCE = "[['A cat was sitting on the mat.']]"
AGAINST = {
    "multi": "[['A gata estava sentada no tapete.']]",
    "source": "None, ['Die Katze saß auf der Matte.']",
}


def main() -> None:
    for size in sys.argv[1:] or ("small",):
        best, code = (float("inf"), 0.0), CODE.format(size=size, against=AGAINST.get(size, REFERENCE))
        for _ in range(5):
            began = time.perf_counter()
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
            best = min(best, (time.perf_counter() - began, float(done.stdout)))
        print(f"{size}: {best[0]:.2f} s to the first score, of which importing and loading {best[1]:.2f} s")


if __name__ == "__main__":
    main()
