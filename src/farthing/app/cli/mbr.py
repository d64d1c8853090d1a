"""`farthing mbr`: which candidate agrees most with the others?"""

from __future__ import annotations

from typing import Annotated

from farthing.app.cli import common, lists, typed
from farthing.core.registry import DEFAULT
from farthing.files.nbest import read_nbest
from farthing.scoring.choose import choose_by_risk


def mbr(
    candidates: lists.ListOptions,
    written: lists.ChoiceOptions,
    metric: lists.OneMetric = DEFAULT,
    pseudo: Annotated[
        str | None, typed.Option("--pseudo", help="A file with lists of pseudo-references, if not the candidates.")
    ] = None,
    itself: Annotated[
        bool, typed.Option("--itself", help="Count every candidate among its own pseudo-references.")
    ] = False,
    cache: common.CacheFolder = None,
    quiet: common.Quiet = False,
) -> str | None:
    """Choose the candidate with the best expected score against the others (minimum Bayes risk).

    Example: farthing mbr samples.jsonl -m "frugalscore(size=nano)" -o best.txt
    """
    written.check(candidates.lists, candidates.source_file, pseudo)
    found = candidates.read()
    others = None
    if pseudo:
        others = read_nbest(pseudo, size=candidates.size, segments=len(found), stdin_format=candidates.stdin_format)
    judge = lists.load_one(metric, cache)
    choices = choose_by_risk(judge, found, others, top=written.top, itself=itself)
    return written.written(choices, quiet)
