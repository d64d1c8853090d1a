"""Make captioning systems of known quality: human captions, damaged for a growing share of the images.

    python papers/scripts/captions.py multi30k_5captions_en.jsonl.gz 300 > captions.jsonl

Every image has five captions: the first is the candidate, the other four are the references. Two kinds of damage make
the systems: another image's caption, and a caption whose last words are missing. `whole` is the share of images whose
caption a system left as it was: what M1, the share of captions as good as a human one, would be.
"""

from __future__ import annotations

import gzip
import json
import sys

import numpy as np

SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)


def cut(captions: list[str], place: int) -> str:
    words = captions[place].split()
    return " ".join(words[: max(1, len(words) // 2)])


def of_another_image(captions: list[str], place: int) -> str:
    return captions[(place + 7) % len(captions)]


def main() -> None:
    path, count = sys.argv[1], int(sys.argv[2])
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        images = [json.loads(line)["captions"] for _, line in zip(range(count), lines, strict=False)]
    firsts = [captions[0] for captions in images]
    random = np.random.default_rng(0)
    for kind, damage in (("another image", of_another_image), ("cut", cut)):
        for share in SHARES:
            damaged = set(random.permutation(count)[: round(share * count)].tolist())
            for place, captions in enumerate(images):
                candidate = damage(firsts, place) if place in damaged else captions[0]
                row = {"kind": kind, "system": f"{share:g} damaged", "segment_id": place, "candidate": candidate}
                print(json.dumps({**row, "reference": captions[1:], "whole": 1 - share}, ensure_ascii=False))


if __name__ == "__main__":
    main()
