"""Which words BERTScore finds far from all others: marks that nobody has taught it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from farthing.core.explanation import Explanation
from farthing.core.metric import Metric, check_pairs
from farthing.core.types import Pairs
from farthing.encoders.backends.token_texts import Tokens
from farthing.encoders.engine import Engine
from farthing.students.explain import Marker
from farthing.text.places import ComposedText

ROWS = 64  # rows whose vectors are in memory together


def explain_by_distance(metric: Metric, engine: Engine, layer: int, pairs: Pairs) -> list[Explanation]:
    """Mark the words of every row by how far their tokens are from the nearest ones of the best reference.

    :param metric: what says which reference is the best one, ready to score
    """
    check_pairs(metric.info, pairs)
    counted = _best_references(metric, pairs)
    explanations: list[Explanation] = []
    for start in range(0, len(pairs), ROWS):
        part = pairs.part(start, start + ROWS)
        marker = Marker(engine.encoder.tokenizer.spans, _tokens(engine, layer, part), None)
        places = counted[start : start + ROWS]
        explanations += map(marker, part.candidates, part.references, places)
    return explanations


def _tokens(engine: Engine, layer: int, pairs: Pairs) -> Mapping[str, Tokens | None]:
    texts = [ComposedText.of(text).text for text in pairs.texts()]
    read = ((text, one.unit(layer)[one.content]) for text, one in engine.encode(texts, [layer]))
    return {text: Tokens(vectors, np.ones(len(vectors))) if len(vectors) else None for text, vectors in read}


def _best_references(metric: Metric, pairs: Pairs) -> list[int]:
    if all(len(row) == 1 for row in pairs.references):
        return [0] * len(pairs)
    _, candidates, references = pairs.single_references()
    scores = metric.score_pairs(Pairs(candidates, [[one] for one in references], system=pairs.system)).segments
    values = iter([] if scores is None else scores.tolist())
    return [int(np.argmax([next(values) for _ in row])) for row in pairs.references]
