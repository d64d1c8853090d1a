"""One window: pieces of several requests, scored together so that each distinct text is encoded once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeAlias

from farthing.core.digest import digest_json
from farthing.core.metric import Metric
from farthing.core.types import Pairs, Scores
from farthing.scoring.engine import Ready, StretchScores, score_stretch
from farthing.service.work import ScoringWork, WorkPiece

PieceOf: TypeAlias = tuple[ScoringWork, WorkPiece]


class Share(NamedTuple):
    """The metrics of a request that read the texts in one pass, for one of its pieces.

    :param places: where the metrics stand in the request
    """

    number: int
    places: tuple[int, ...]
    systems: list[Pairs]


def score_window(pieces: Sequence[PieceOf]) -> list[StretchScores]:
    """Score pieces of several requests: for each piece `[metric][system]`.

    Metrics score systems beside each other and encode a text that they share once; here the systems of all requests
    that ask for the same metric stand beside each other. A score does not depend on what is scored beside it.
    """
    groups: dict[Hashable, tuple[list[Metric], list[Share]]] = {}
    for number, (work, piece) in enumerate(pieces):
        systems = work.stretch(piece)
        for key, places in shared_passes(work.ready).items():
            metrics = [work.ready[place].metric for place in places]
            groups.setdefault(key, (metrics, []))[1].append(Share(number, places, systems))
    found: list[dict[int, list[Scores]]] = [{} for _ in pieces]
    for metrics, shares in groups.values():
        together = score_stretch(metrics, [pairs for share in shares for pairs in share.systems])
        start = 0
        for share in shares:
            stop = start + len(share.systems)
            for place, row in zip(share.places, together, strict=True):
                found[share.number][place] = row[start:stop]
            start = stop
    return [[scores[place] for place in range(len(scores))] for scores in found]


def shared_passes(ready: Sequence[Ready]) -> dict[Hashable, tuple[int, ...]]:
    """Group the metrics of a request by the pass over the texts in which they are scored.

    The key is equal for the same metrics in the same state, whichever request asks for them.
    """
    passes: dict[Hashable, list[int]] = {}
    for place, one in enumerate(ready):
        key = one.metric.sharing()
        passes.setdefault(("alone", place) if key is None else (one.metric.normaliser, key), []).append(place)
    return {tuple(_identity(ready[place]) for place in places): tuple(places) for places in passes.values()}


def _identity(ready: Ready) -> tuple[str, str]:
    return ready.spec, "" if ready.state is None else digest_json(ready.state)
