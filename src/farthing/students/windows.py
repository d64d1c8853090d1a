"""Texts beyond a student's limit, read whole: in overlapping windows, of which every token is taken once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from farthing.encoders.backends.token_texts import Tokens
from farthing.encoders.tokens.tokenize import Ids
from farthing.encoders.tokens.windows import Window, windows


def read_whole(
    encode: Callable[[Sequence[Ids]], Sequence[Tokens]], contents: Sequence[Ids], room: int
) -> Iterator[Tokens]:
    """Yield the tokens of every text, as many as it has ids; a text within the limit is read as ever.

    A token comes from the window in which it is furthest from an end.

    :param encode: reads ids without special tokens, at most `room` of them
    """
    plans = [windows(len(content), room) for content in contents]
    pieces = iter(
        encode(
            [
                content[window.start : window.stop]
                for content, plan in zip(contents, plans, strict=True)
                for window in plan
            ]
        )
    )
    return (_joined(plan, [next(pieces) for _ in plan]) for plan in plans)


def _joined(plan: Sequence[Window], pieces: Sequence[Tokens]) -> Tokens:
    if len(plan) == 1:
        return pieces[0]
    kept = [slice(window.keep_from - window.start, window.keep_to - window.start) for window in plan]
    both = list(zip(pieces, kept, strict=True))
    return Tokens(
        np.concatenate([piece.vectors[some] for piece, some in both]),
        np.concatenate([piece.weights[some] for piece, some in both]),
    )
