"""Compare start-up times: importing farthing with importing numpy, `farthing score` with the sacrebleu command.

python benchmarks/startup_speed.py
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
from pathlib import Path

from timing import SHARED, command, interleaved, ratio


def pairs(count: int) -> tuple[list[str], list[str]]:
    """Return real translations and their references."""
    with gzip.open(SHARED / "data" / "human" / "wmt16_da_seg.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["lp"].endswith("en")][:count]
    return [row["candidate"] for row in rows], [row["reference"] for row in rows]


def main() -> None:
    found = interleaved(
        {name: command([sys.executable, "-c", f"import {name}"]) for name in ("farthing", "numpy")}, rounds=15
    )
    ratio("import farthing and import numpy", found["farthing"], found["numpy"], "at most 3")
    scripts = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / name) for name in ("hyp.txt", "ref.txt")]
        for name, texts in zip(files, pairs(1000), strict=True):
            Path(name).write_text("\n".join(texts) + "\n", encoding="utf-8")
        found = interleaved(
            {
                "farthing": command([str(scripts / "farthing"), "score", files[0], "-r", files[1], "-m", "chrf"]),
                "sacrebleu": command([str(scripts / "sacrebleu"), files[1], "-i", files[0], "-m", "chrf"]),
            },
            rounds=9,
        )
    ratio("farthing score and sacrebleu, chrF of 1,000 pairs", found["farthing"], found["sacrebleu"], "at most 1.3")


if __name__ == "__main__":
    main()
