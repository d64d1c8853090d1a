"""`farthing meta label-next`: which rows are worth a label?"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from farthing.app.cli import common, typed
from farthing.core.registry import DEFAULT
from farthing.files.inputs import Inputs


def label_next(
    texts: common.TextOptions,
    labels: common.LabelOptions,
    metric: Annotated[str, common.MetricsOption] = DEFAULT,
    count: Annotated[int, typed.Option("--count", min=1, help="How many rows to label next.")] = 50,
    interval: Annotated[
        float | None, typed.Option("--interval", min=0, help="Say how many labels an interval of this width needs.")
    ] = None,
    output: Annotated[
        str | None, typed.Option("-o", "--output", help="Write the rows to label to a .jsonl, .csv or .tsv file.")
    ] = None,
    seed: Annotated[int, typed.Option("--seed", min=0, help="Seed of the draw.")] = 0,
    quiet: common.Quiet = False,
) -> str:
    """Choose the rows whose labels shrink the interval of the mean most.

    Fill in the column score of the file that is written, and pass it to farthing score --judgements: it tells how
    likely each row was to be chosen.

    Examples:
      farthing meta label-next hyp.txt -r ref.txt --count 50 -o few.jsonl
      farthing meta label-next hyp.txt -r ref.txt --judgements few.jsonl --count 30 -o more.jsonl
    """
    from farthing.files.write import check_not_input, check_table_path, write_table
    from farthing.judge.labelling import Labelling
    from farthing.scoring.score import choose, score

    files = Inputs.named(**asdict(texts))
    if output:
        check_table_path(output)
        check_not_input(output, [*files.paths(), labels.judgements or ""])
    found = Labelling.of(score(choose(metric), files), files.pairs(), labels.judgements, labels.human)
    chosen = found.next(count, seed)
    if output:
        write_table(output, found.columns(chosen))
    return "\n".join(found.told(chosen, interval, output))
