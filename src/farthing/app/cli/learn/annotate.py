"""`farthing learn annotate`: every pair gets the teacher's score."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

from farthing.app.cli import typed
from farthing.app.cli.common import Quiet
from farthing.app.cli.learn.common import say
from farthing.core.progress import Progress
from farthing.report.progress import bars


def annotate(
    pairs: Annotated[Path, typed.Argument(help="What farthing learn pairs wrote.")],
    teacher: Annotated[
        str, typed.Option("--teacher", help="A metric, or a weighted mean: 0.7*bertscore(…) + 0.3*chrf")
    ],
    output: Annotated[Path, typed.Option("-o", "--output", help="The Parquet file to write.")] = Path("scored.parquet"),
    source: Annotated[
        str | None, typed.Option("--source", help="Column of the sources, for teachers that want one.")
    ] = None,
    standardise: Annotated[
        bool, typed.Option("--standardise", help="Bring several teachers to the same scale before their mean.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Score pairs with a teacher. A run that was stopped goes on where it ended.

    Example: farthing learn annotate pairs.parquet --teacher "bertscore(model=FOLDER, layer=5)" -o scored.parquet
    """
    from farthing.learn.annotate import annotate as annotated
    from farthing.learn.teacher import Teacher

    chosen = Teacher(teacher, standardise=standardise)
    with ExitStack() as stack:
        opened: list[Progress] = []

        def start(total: int) -> None:
            opened.append(stack.enter_context(bars(quiet)("scoring", total)))

        table = annotated(
            pairs, output, chosen, source_column=source, start=start, progress=lambda done: opened[0](done)
        )
    scores = table.scores
    say(f"{len(table)} pairs in {output}: mean {scores.mean():.4f}, deviation {scores.std():.4f}")
