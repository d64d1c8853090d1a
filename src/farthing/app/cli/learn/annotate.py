"""`farthing learn annotate`: give every pair the teacher's score."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from farthing.app.cli.common import CandidateColumn, Overwrite, Quiet, ReferenceColumns
from farthing.app.cli.learn.options import say
from farthing.app.cli.typed import Argument, Option


def annotate(
    pairs: Annotated[Path, Argument(help="What farthing learn pairs wrote, or any table of pairs.")],
    teacher: Annotated[
        str,
        Option("--teacher", help="A metric, or a weighted mean: '0.7*bertscore(…) + 0.3*chrf'", completes="metric"),
    ],
    output: Annotated[Path, Option("-o", "--output", help="The Parquet file to write, or a folder (run/).")] = Path(
        "scored.parquet"
    ),
    source: Annotated[
        str | None, Option("--source", help="Column of the sources, for teachers that need them.")
    ] = None,
    candidate: CandidateColumn = None,
    reference: ReferenceColumns = None,
    standardise: Annotated[
        bool, Option("--standardise", help="Bring several teachers to the same scale before their mean.")
    ] = False,
    licence: Annotated[
        str | None, Option("--licence", help="The teacher's licence; else what the folders of its models say.")
    ] = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
) -> None:
    """Score pairs with a teacher. The same command resumes an interrupted run.

    Example: farthing learn annotate pairs.parquet --teacher "bertscore(model=FOLDER, layer=5)" -o scored.parquet
    """
    from farthing.core.columns import Columns
    from farthing.files.inputs import split
    from farthing.learn.annotate import annotate as annotated
    from farthing.learn.teacher import Teacher

    chosen = Teacher(teacher, standardise=standardise)
    columns = Columns(candidate, tuple(split(reference)))
    table = annotated(
        pairs, output, chosen, source_column=source, text_columns=columns, licence=licence, overwrite=overwrite
    )
    scores = table.scores
    say(f"{len(table)} pairs in {output}: mean {scores.mean():.4f}, deviation {scores.std():.4f}")
