"""`farthing learn remap`: bring the vectors of one language to those of another, for reference-free metrics."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from farthing.app.cli import typed
from farthing.app.cli.common import Quiet
from farthing.app.cli.learn.common import Threads, say
from farthing.report.progress import bars


def remap(
    source: Annotated[str, typed.Argument(help="Sentences in the language to be moved, one a line.")],
    target: Annotated[str, typed.Argument(help="Their translations, line by line.")],
    model: Annotated[str, typed.Option("--model", help="A multilingual encoder: its folder or name.")],
    output: Annotated[Path, typed.Option("-o", "--output", help="The file to write.")] = Path("remap.safetensors"),
    method: Annotated[
        Literal["clp", "umd"], typed.Option("--method", help="clp turns the space, umd takes one direction away.")
    ] = "clp",
    layer: Annotated[int | None, typed.Option("--layer", help="Which layer; else the last.")] = None,
    alignment: Annotated[
        str | None, typed.Option("--alignment", help="Word alignments (0-0 1-2 …), one line a pair of sentences.")
    ] = None,
    limit: Annotated[int, typed.Option("--limit", help="Use so many sentences from the start.", min=1)] = 2000,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Learn a cross-lingual remapping from parallel sentences, for xmoverscore(remap=FILE).

    Words are paired where they are each other's nearest, or as an alignment file says.

    Examples:
      farthing learn remap train.de train.en --model FOLDER --method umd -o de-en.safetensors
    """
    from itertools import islice

    from farthing.core.errors import UsageError
    from farthing.encoders.engine import Engine
    from farthing.encoders.load import load_encoder
    from farthing.files.read import lines
    from farthing.learn.remap import learn_remap, read_links
    from farthing.metrics.tokens.layers import last_layers

    left, right = ([line for _, line in islice(lines(path), limit)] for path in (source, target))
    links = list(islice(read_links(alignment), limit)) if alignment else None
    if links is not None and len(links) != len(left):
        raise UsageError(f"{len(left)} sentences but {len(links)} lines of alignment: give one line a sentence")
    engine = Engine(load_encoder(model), threads=threads)
    [chosen] = last_layers(engine.encoder, layer)
    with bars(quiet)("remap", len(left)) as progress:
        learned, words = learn_remap(
            engine, left, right, layer=chosen, method=method, links=links, progress=lambda done: progress(done)
        )
    learned.save(output)
    say(f"{method} learned from {words} pairs of words in {len(left)} sentences: {output}")
