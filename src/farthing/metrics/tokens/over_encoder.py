"""What metrics over an encoder need before they start: the engine and the layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from farthing.core.errors import SpecError
from farthing.core.types import Note, Scores
from farthing.encoders.cache import open_cache
from farthing.encoders.engine import Engine, Long
from farthing.encoders.load import Backend, load_encoder
from farthing.encoders.protocol import EncodedText, Encoder, checked_layers

EXIT = "early exit"  # the kind of the note that says what leaving early has saved


def make_engine(
    model: str,
    backend: Backend = "auto",
    *,
    long: Long = "truncate",
    threads: int | None = None,
    device: str = "cpu",
    cache: str | None = None,
    exit: float | None = None,
) -> Engine:
    """An encoder, ready to take texts.

    :param exit: stop encoding a text once a layer changes its vectors less than this
    """
    encoder = load_encoder(model, backend, device=device)
    if exit is not None:
        from farthing.encoders.backends.early_exit import exiting

        encoder = exiting(encoder, exit)
    return Engine(encoder, long=long, threads=threads, cache=open_cache(cache))


def last_layers(encoder: Encoder, layer: int | None, count: int = 1, *, embeddings: bool = False) -> tuple[int, ...]:
    """The layer that was asked for, else the last, and so many before it that there are `count`.

    Where a model has fewer layers than that, all of them but the embeddings; static vectors have only one.

    :param embeddings: the embeddings are a layer, too
    """
    top = encoder.layers[-1] if layer is None else layer
    checked_layers(encoder, [top])
    below = [known for known in encoder.layers if known <= top and (known > 0 or known == top or embeddings)]
    if count < 1:
        raise SpecError("the number of layers to join must be at least 1")
    return tuple(below[-count:])


def layers_used(engine: Engine, texts: Sequence[EncodedText]) -> float:
    """How many blocks some texts were given on average, where they may leave early; else 0."""
    used = getattr(engine.encoder, "used", None)
    return float(np.mean([used(text.ids) for text in texts])) if used else 0.0


def exit_parts(engine: Engine, layers: Sequence[float]) -> dict[str, Any]:
    """The part `layers` of a result, where texts may leave early."""
    return {"layers": np.array(layers)} if hasattr(engine.encoder, "report") else {}


def last_exit_note(scores: Scores, engine: Engine) -> Scores:
    """Scores of several stretches with one note about early exit, the one that counts all of them."""
    kept = [note for note in scores.notes if note.kind != EXIT]
    return replace(scores, notes=(*kept, *exit_notes(engine)))


def exit_notes(engine: Engine) -> tuple[Note, ...]:
    """What leaving early has saved."""
    report = getattr(engine.encoder, "report", None)
    return (Note(EXIT, str(report())),) if report else ()
