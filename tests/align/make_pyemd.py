"""Make pyemd.json. Run it where pyemd and numpy are installed: python tests/align/make_pyemd.py"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np


def main() -> None:
    from pyemd import emd

    cases = []
    for number, (rows, columns) in enumerate([(2, 3), (12, 12), (30, 30), (60, 25), (7, 110), (120, 120), (119, 120)]):
        generator = np.random.default_rng(number)
        x, y = generator.normal(size=(rows, 16)), generator.normal(size=(columns, 16))
        left, right = generator.random(rows), generator.random(columns)
        both = np.concatenate([x, y])
        distance = np.sqrt(((both[:, None] - both) ** 2).sum(axis=-1))
        first = np.concatenate([left / left.sum(), np.zeros(columns)])
        second = np.concatenate([np.zeros(rows), right / right.sum()])
        cases.append({"rows": rows, "columns": columns, "seed": number, "emd": emd(first, second, distance)})
    Path(__file__).with_name("pyemd.json").write_text(json.dumps(cases, indent=1) + "\n")


if __name__ == "__main__":
    main()
