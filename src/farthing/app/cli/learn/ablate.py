"""`farthing learn ablate`: which source of pairs is worth it?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from farthing.app.cli import typed
from farthing.app.cli.common import Quiet, show
from farthing.app.cli.learn import common
from farthing.tables.aligned import aligned


def ablate(
    pairs: Annotated[Path, typed.Argument(help="Annotated pairs of at least two sources.")],
    student: common.StudentStart = "tiny",
    output: common.Target = Path("ablation"),
    human: Annotated[list[str] | None, typed.Option("--human", help="Judged pairs; may be given again.")] = None,
    only: Annotated[
        str | None, typed.Option("--only", help="The groups (language pairs) that end so, such as -en.")
    ] = None,
    size: Annotated[
        int | None, typed.Option("--size", help="Pairs a run; by default as many as possible.", min=4)
    ] = None,
    layers: common.Layers = None,
    tokenizer: common.TokenizerOption = None,
    epochs: common.Epochs = 3,
    batch: common.Batch = 32,
    rate: common.Rate = 3e-5,
    limit: common.Limit = 256,
    standardise: common.Standardise = False,
    seed: common.Seed = 1,
    threads: common.Threads = None,
    quiet: Quiet = False,
) -> None:
    """Leave out each source of pairs in turn, train, and print the change (the paper's Figure 1).

    Example: farthing learn ablate scored.parquet --student /models/bert-tiny --human wmt16.jsonl -o ablation
    """
    from farthing.learn.cross.settings import CrossSettings
    from farthing.learn.cross.start import Start
    from farthing.learn.data.humans import read_judged
    from farthing.learn.study import ablate as learn

    settings = CrossSettings(
        epochs=epochs, batch=batch, rate=rate, limit=limit, standardise=standardise, seed=seed, threads=threads
    )
    found = learn.ablate(
        pairs,
        output,
        Start(student, layers, tokenizer),
        settings,
        human=[read_judged(path, only=only) for path in human or ()],
        size=size,
        say=(lambda text: None) if quiet else common.say,
    )
    change = {"": 0.0, **learn.changes(found)}
    rows = [
        {
            "left out": one.source or "nothing",
            "pairs": str(one.pairs),
            "with people": "-" if one.human is None else f"{one.human:.4f}",
            "with the teacher": f"{one.teacher:.4f}",
            "change %": f"{change[one.source]:+.2f}" if one.source else "",
        }
        for one in found
    ]
    show(aligned(rows))
