"""`farthing learn export`: a student that scores without torch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from farthing.app.cli import typed
from farthing.app.cli.learn import common


def export(
    student: Annotated[str, typed.Argument(help="What farthing learn distil or finetune wrote, or a published name.")],
    output: common.Target = Path("exported"),
    precision: Annotated[
        Literal["fp32", "fp16", "int8"],
        typed.Option("--precision", help="Of the weights; int8 computes with integers."),
    ] = "fp32",
    pairs: Annotated[
        Path | None,
        typed.Option("--pairs", help="Pairs to check on; annotated ones give the agreement with the teacher."),
    ] = None,
    human: Annotated[str | None, typed.Option("--human", help="Judged pairs: the agreement with people.")] = None,
    only: Annotated[str | None, typed.Option("--only", help="Of --human the groups that end so, such as -en.")] = None,
    licence: Annotated[str | None, typed.Option("--licence", help="The licence, for the card.")] = None,
    overwrite: common.Overwrite = False,
) -> None:
    """Export a student to ONNX with its tokenizer and card, checked against torch.

    Example: farthing learn export student -o student-int8 --precision int8 --pairs scored.parquet
    """
    from farthing.learn.cross.export.export import export as exported
    from farthing.learn.data.humans import read_judged

    extra = {"licence": licence} if licence else {}
    judged = read_judged(human, only=only) if human else None
    found = exported(student, output, precision=precision, pairs=pairs, human=judged, overwrite=overwrite, **extra)
    common.say(
        f"{output}: {precision}, largest difference to torch {found.difference:.2g}, Pearson {found.pearson:.5f}, "
        f"{found.speed:.0f} pairs a second on one core"
    )
