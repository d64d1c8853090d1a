"""Summaries without a model: sentences that are taken from the document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from farthing.core.errors import MissingExtra
from farthing.text.sentences import sentences

_WORD = re.compile(r"\w+")


def lead(parts: Sequence[str], count: int) -> list[int]:
    """Choose the first sentences, which is hard to beat on news."""
    return list(range(min(count, len(parts))))


def graph(parts: Sequence[str], count: int) -> list[int]:
    """Choose the sentences that are central in the graph of shared words (TextRank, Mihalcea and Tarau 2004)."""
    try:
        import networkx
    except ImportError as error:
        raise MissingExtra("graph-based summaries", "learn") from error
    words = [set(_words(part)) for part in parts]
    votes = networkx.Graph()
    votes.add_nodes_from(range(len(parts)))
    for first in range(len(parts)):
        for second in range(first):
            shared = len(words[first] & words[second])
            if shared:
                size = np.log(len(words[first]) + 1) + np.log(len(words[second]) + 1)
                votes.add_edge(first, second, weight=shared / size)
    ranks = networkx.pagerank(votes)
    return _best([ranks[place] for place in range(len(parts))], count)


def frequency(parts: Sequence[str], count: int) -> list[int]:
    """Choose the sentences whose words are frequent in the document (SumBasic, Nenkova and Vanderwende 2005)."""
    counts = Counter(word for part in parts for word in _words(part))
    return _best([float(np.mean([counts[word] for word in _words(part)] or [0])) for part in parts], count)


EXTRACTORS: dict[str, Callable[[Sequence[str], int], list[int]]] = {
    "lead": lead,
    "graph": graph,
    "frequency": frequency,
}


def extracted(document: str, extractor: str, count: int) -> str:
    """Build a summary of `count` sentences, in the order of the document.

    >>> extracted("One came. Two left. Three stayed.", "lead", 2)
    'One came. Two left.'
    """
    parts = sentences(document)
    return " ".join(parts[place] for place in sorted(EXTRACTORS[extractor](parts, count)))


def _words(sentence: str) -> list[str]:
    return [word for word in _WORD.findall(sentence.lower()) if len(word) > 3]  # shorter ones are mostly grammar


def _best(values: Sequence[float], count: int) -> list[int]:
    return [int(place) for place in np.argsort(-np.asarray(values), kind="stable")[:count]]
