"""Which features of two texts mean the same in every language? Heads that learned from English, asked about Russian.

    python benchmarks/languages_features.py SHARED MODELS

SHARED is the folder with the developers' data, MODELS that with multilingual-e5-small. A linear head over the eighth
layer, which stays as it is, is fitted to all language pairs of WMT15 but one (ridge regression) and measured on that
one: segment Pearson.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.data.judgements import read_judged
from farthing.learn.match.model import MATCHING, Judge, JudgeHead
from farthing.learn.match.prepared import Prepared
from farthing.learn.match.tokens import ContextualTokens, load_transformer
from farthing.students.surface import NAMES

GROUPS = ("surface", "languages", "order")
AT_A_TIME = 32
LENGTHS = [MATCHING + NAMES.index(name) for name in ("characters", "characters, absolute")]
SURFACE = list(range(MATCHING, MATCHING + len(NAMES)))
LANGUAGES = [SURFACE[-1] + 1, SURFACE[-1] + 2]
ORDER = [LANGUAGES[-1] + 1]
ALIGNED = list(range(MATCHING))
CHOICES = {
    "aligned tokens": ALIGNED,
    "… and the surface": ALIGNED + SURFACE,
    "… and lengths": ALIGNED + LENGTHS,
    "… and lengths, order": ALIGNED + LENGTHS + ORDER,
    "… and lengths, order, languages": ALIGNED + LENGTHS + ORDER + LANGUAGES,
}


@torch.no_grad()
def features_of(folder: Path, candidates: list[str], references: list[str]) -> torch.Tensor:
    """All features of some pairs, before anything is learned."""
    judge = Judge(ContextualTokens(load_transformer(folder, 8)), 1, GROUPS).eval()
    prepared = Prepared(Tokenizer(folder), candidates, references, GROUPS)
    order = np.argsort(prepared.lengths).tolist()
    runs = [order[begin : begin + AT_A_TIME] for begin in range(0, len(order), AT_A_TIME)]
    found = torch.cat([judge.features(*prepared.batch(run)) for run in runs])
    return found[torch.from_numpy(np.argsort(order))]


def asked(features: torch.Tensor, targets: torch.Tensor, own: np.ndarray) -> float:
    """Fit a head to all pairs but some, and correlate what it says of those with people."""
    head = JudgeHead(features.shape[1], 1)
    head.start(features[~own], targets[~own], ridge=100.0)
    return float(np.corrcoef(head(features[own]).detach().numpy(), targets[own].numpy())[0, 1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("models", type=Path)
    given = parser.parse_args()
    data = read_judged(given.shared / "data" / "human" / "wmt15_da_seg.jsonl.gz", by="lp", least=1)
    candidates, references, _ = data.flat()
    features = features_of(given.models / "multilingual-e5-small", candidates, references)
    targets, groups = torch.from_numpy(data.standardised()).float(), np.array(data.groups)
    print(f"{'':34}", "  ".join(sorted(set(groups))))
    for name, columns in CHOICES.items():
        values = [asked(features[:, columns], targets, groups == one) for one in sorted(set(groups))]
        print(f"{name:34}", "  ".join(f"{value:5.3f}" for value in values), flush=True)


if __name__ == "__main__":
    main()
