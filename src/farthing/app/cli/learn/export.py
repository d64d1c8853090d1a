"""`farthing learn export`: write a student that scores without torch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from farthing.app.cli.learn import options
from farthing.app.cli.typed import Argument, Option
from farthing.core.progress import phase


def export(
    student: Annotated[
        str, Argument(help="The folder that farthing learn distil, finetune or regress wrote, or a published name.")
    ],
    people: options.PeopleOptions,
    output: options.TargetFolder = Path("exported"),
    precision: Annotated[
        Literal["fp32", "fp16", "int8"], Option("--precision", help="Of the weights; int8 computes with integers.")
    ] = "fp32",
    pairs: Annotated[
        Path | None, Option("--pairs", help="Pairs to check on; annotated ones give the agreement with the teacher.")
    ] = None,
    judgements: Annotated[
        str | None, Option("--judgements", help="A file of judged pairs, to measure the agreement with people.")
    ] = None,
    licence: Annotated[str | None, Option("--licence", help="The licence, for the card.")] = None,
    overwrite: options.Overwrite = False,
) -> None:
    """Export a student to ONNX with its tokenizer and card, checked against torch.

    Example: farthing learn export student -o student-int8 --precision int8 --pairs scored.parquet
    """
    from farthing.learn.exporting import against_of, export_student

    judged = people.read([judgements], options.say, against_of(student))[0] if judgements else None
    with phase("exporting"):
        found = export_student(
            student, output, precision=precision, pairs=pairs, human=judged, licence=licence, overwrite=overwrite
        )
    options.say(
        f"{output}: {precision}, largest difference to torch {found.difference:.2g}, Pearson {found.pearson:.5f}, "
        f"{found.speed:.0f} pairs per second on one core"
    )
