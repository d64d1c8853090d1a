"""Print Farthing's correlations beside published ones: sentence-level BLEU and chrF on WMT16, whole systems on WMT18.

    python benchmarks/meta_published.py FOLDER [--systems] [--scores DIR]

FOLDER contains wmt16_da_seg.jsonl.gz and, for --systems (takes some minutes), wmt18_toen_systems.jsonl.gz. The
published values are those of tables 11 and 18 of Zhang et al. 2020 (BERTScore), who took them from the metrics tasks.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from farthing.core.specs import parse_specs
from farthing.meta.kept import ScoreStore
from farthing.meta.question import Question
from farthing.meta.read.formats import read_judgements
from farthing.meta.scored import score_judgements
from farthing.meta.study import study

SENTENCES = {  # sentBLEU and CHRF2, Pearson
    "bleu": {"cs-en": 0.557, "de-en": 0.448, "fi-en": 0.484, "ro-en": 0.499, "ru-en": 0.502, "tr-en": 0.532},
    "chrf": {"cs-en": 0.658, "de-en": 0.457, "fi-en": 0.469, "ro-en": 0.581, "ru-en": 0.534, "tr-en": 0.556},
}
SYSTEMS = {  # BLEU, Pearson of whole systems
    "bleu": {
        "cs-en": 0.970, "de-en": 0.971, "et-en": 0.986, "fi-en": 0.973, "ru-en": 0.979, "tr-en": 0.657, "zh-en": 0.978,
    },
}  # fmt: skip


def compare(path: Path, published: dict[str, dict[str, float]], question: Question, store: ScoreStore) -> None:
    """Print our correlation and the published one for every metric and language pair."""
    pairs = list(next(iter(published.values())))
    data = read_judgements(str(path)).only(pairs)
    specs = parse_specs(",".join(published))
    metrics = [score_judgements(data, spec, store) for spec in specs]
    found = study(data, metrics, question)
    for metric in metrics:
        print(metric.signature)
        for pair in pairs:
            cell = found.cells[metric.name][pair].found
            ours, theirs = (cell.value if cell else float("nan")), published[metric.name][pair]
            difference = abs(ours) - theirs  # the tables print absolute values
            print(f"  {pair}  ours {ours:.3f}  published {theirs:.3f}  difference {difference:+.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--systems", action="store_true", help="use the whole systems of WMT18 instead")
    parser.add_argument("--scores", type=Path, help="folder that keeps scores")
    options = parser.parse_args()
    store = ScoreStore(options.scores) if options.scores else ScoreStore.usual()
    if options.systems:
        compare(options.folder / "wmt18_toen_systems.jsonl.gz", SYSTEMS, Question(level="system"), store)
    else:
        compare(options.folder / "wmt16_da_seg.jsonl.gz", SENTENCES, Question(), store)


if __name__ == "__main__":
    main()
