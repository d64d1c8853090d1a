"""`farthing rerank`: which candidate scores best?"""

from __future__ import annotations

from typing import Annotated

from farthing.app.cli import common, lists, typed
from farthing.core.errors import UsageError
from farthing.core.nbest import with_sides
from farthing.core.registry import DEFAULT
from farthing.files.inputs import split
from farthing.files.lines import lines
from farthing.scoring.choose import choose_by_score


def rerank(
    candidates: lists.ListOptions,
    written: lists.ChoiceOptions,
    metric: lists.OneMetric = DEFAULT,
    references: Annotated[
        list[str] | None,
        typed.Option("-r", "--ref", help="A file of references, one per segment; may be given again."),
    ] = None,
    reference: common.ReferenceColumns = None,
    cache: common.CacheFolder = None,
    quiet: common.Quiet = False,
) -> str | None:
    """Choose the candidate that scores best: against its source, or against references (an oracle).

    Examples:
      farthing rerank nbest.txt -s source.txt -o best.txt
      farthing rerank nbest.txt -s source.txt -m "bartscore(model=./bart)" --top 3 -o best.jsonl
    """
    written.check(candidates.lists, candidates.source_file, *(references or ()))
    found = candidates.read(tuple(split(reference)))
    if references:
        found = with_sides(found, references=_columns(references))
    choices = choose_by_score(lists.load_one(metric, cache), found, top=written.top)
    return written.written(choices, quiet)


def _columns(paths: list[str]) -> list[list[str]]:
    """Read files of references: one list per segment."""
    columns = [[text for _, text in lines(path)] for path in paths]
    counts = {len(column) for column in columns}
    if len(counts) > 1:
        raise UsageError(
            f"the files of references have different numbers of lines: {', '.join(map(str, sorted(counts)))}"
        )
    return [list(row) for row in zip(*columns, strict=True)]
