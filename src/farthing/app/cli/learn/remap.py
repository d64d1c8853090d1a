"""`farthing learn remap`: bring the vectors of one language to those of another, for reference-free metrics."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from farthing.app.cli.common import Quiet
from farthing.app.cli.learn.options import Threads, say
from farthing.app.cli.typed import Argument, Option
from farthing.core.progress import phase


def remap(
    source: Annotated[str, Argument(help="Sentences in the language to be moved, one per line.")],
    target: Annotated[str, Argument(help="Their translations, line by line.")],
    model: Annotated[str, Option("--model", help="A multilingual encoder: its folder or name.")],
    output: Annotated[Path, Option("-o", "--output", help="The file to write.")] = Path("remap.safetensors"),
    method: Annotated[
        Literal["clp", "umd"], Option("--method", help="clp rotates the space, umd removes one direction.")
    ] = "clp",
    layer: Annotated[int | None, Option("--layer", help="Layer of the encoder; by default the last.")] = None,
    alignment: Annotated[
        str | None, Option("--alignment", help="Word alignments (0-0 1-2 …), one line per pair of sentences.")
    ] = None,
    sentences: Annotated[
        int, Option("--sentences", help="Use so many sentences, from the start of the files.", min=1)
    ] = 2000,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Learn a cross-lingual remapping from parallel sentences, for xmoverscore(remap=FILE).

    Words are paired if they are each other's nearest neighbours, or as an alignment file says.

    Example: farthing learn remap train.de train.en --model FOLDER --method umd -o de-en.safetensors
    """
    from farthing.encoders.engine import Engine
    from farthing.encoders.load import load_encoder
    from farthing.learn.remap import learn_remap, read_parallel
    from farthing.metrics.tokens.layers import last_layers

    parallel = read_parallel(source, target, alignment, sentences)
    engine = Engine(load_encoder(model), threads=threads)
    [chosen] = last_layers(engine.encoder, layer)
    with phase("remap", len(parallel.sources)) as progress:
        learned, words = learn_remap(
            engine, parallel.sources, parallel.targets, layer=chosen, method=method, links=parallel.links,
            progress=progress,
        )  # fmt: skip
    learned.save(output)
    say(f"{method} learned from {words} pairs of words in {len(parallel.sources)} sentences: {output}")
