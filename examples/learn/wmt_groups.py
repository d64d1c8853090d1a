"""Turn a file of machine translation systems' outputs into groups for the source `outputs` of `farthing learn pairs`.

Input: one JSON object per language pair, {"lp": …, "reference": [text, …], "systems": {name: {"output": [text, …]}}}.
Output: one JSON object per segment, {"id": …, "texts": {"reference": text, name: text, …}}.

    python wmt_groups.py wmt18_toen_systems.jsonl.gz groups.jsonl
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path


def main(source: str, target: str) -> None:
    """Write one group per segment."""
    with gzip.open(source, "rt", encoding="utf-8") as lines, Path(target).open("w", encoding="utf-8") as out:
        for line in lines:
            record = json.loads(line)
            outputs = {name: system["output"] for name, system in record["systems"].items()}
            for place, reference in enumerate(record["reference"]):
                texts = {"reference": reference, **{name: texts[place] for name, texts in outputs.items()}}
                out.write(json.dumps({"id": f"{record['lp']}-{place + 1}", "texts": texts}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
