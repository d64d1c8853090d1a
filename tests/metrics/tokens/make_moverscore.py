"""Make moverscore_v2.json: the scores of the published code on 100 made-up pairs.

Run it where the published moverscore_v2.py (https://github.com/AIPHES/emnlp19-moverscore, commit 0459a3b, with
`np.float` replaced by `float` and the device by "cpu") and pyemd can be imported, over the encoder of the tests:

    MOVERSCORE_MODEL=~/.cache/dev-models/bert-tiny python tests/metrics/make_moverscore.py
"""

from __future__ import annotations

import json
import random
from pathlib import Path

WORDS = (  # noqa: SIM905
    "the a an old young farmer physicist sold bought measured forgot three seventy-two oscilloscopes apples, grey "
    "horses. unbelievably quickly; near under behind Zagreb's quay river (perhaps) while because nobody everyone "
    "believed counterintuitive results! rain fell on roofs? electroencephalograms “quoted” 1,024 times and then -- "
    "suddenly stopped: it was late, cold, and untranslatable"
).split()


def pairs() -> tuple[list[str], list[str]]:
    """Candidates and references: sentences of random words, and the same with some words changed."""
    generator = random.Random(7)
    references, candidates = [], []
    for _ in range(100):
        words = generator.choices(WORDS, k=generator.randint(1, 30))
        changed = [generator.choice(WORDS) if generator.random() < 0.3 else word for word in words]
        references.append(" ".join(words))
        candidates.append(" ".join(changed[: generator.randint(1, 35)]))
    return candidates, references


def main() -> None:
    from collections import defaultdict

    from moverscore_v2 import get_idf_dict, word_mover_score

    candidates, references = pairs()
    weights = get_idf_dict(references), get_idf_dict(candidates)
    equal = defaultdict(lambda: 1.0), defaultdict(lambda: 1.0)
    found = {
        "idf": word_mover_score(references, candidates, *weights, batch_size=16),
        "equal": word_mover_score(references, candidates, *equal, batch_size=1),
    }
    text = json.dumps({name: [round(float(score), 8) for score in scores] for name, scores in found.items()})
    Path(__file__).with_name("moverscore_v2.json").write_text(text.replace("], ", "],\n ") + "\n")


if __name__ == "__main__":
    main()
