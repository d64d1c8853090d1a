"""One door to human judgements in every format that people publish them in.

- a table of outputs and scores (:mod:`farthing.meta.read.human`), or one whose scores are in a second table
  (:mod:`farthing.meta.read.join`);
- a table of errors that experts marked (:mod:`farthing.meta.read.mqm`);
- a table of better and worse outputs, or of better and worse systems (:mod:`farthing.meta.read.preferences`);
- a folder as WMT publishes it (:mod:`farthing.meta.read.wmt`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from farthing.files.read import records
from farthing.meta.judgements import Judgements
from farthing.meta.read.human import HumanColumns, read_table
from farthing.meta.read.join import join_scores
from farthing.meta.read.mqm import is_mqm, read_mqm
from farthing.meta.read.preferences import are_preferences, read_preferences
from farthing.meta.read.wmt import read_folder


def read_judgements(
    path: str,
    columns: HumanColumns | None = None,
    *,
    judgements: str | None = None,
    preferences: str | None = None,
    references: str | None = None,
    groups: Sequence[str] = (),
) -> Judgements:
    """Read human judgements of any format; the format is recognised by itself.

    :param columns: which columns hold what; those that are not named are guessed
    :param judgements: a table of human scores for the outputs in `path`, by system and segment
    :param preferences: a table that names, per segment, the better and the worse system of the outputs in `path`
    :param references: a file of references for a table of MQM errors, whose line n belongs to seg_id n
    :param groups: the groups to keep, with wildcards; all if empty
    """
    wanted = columns or HumanColumns()
    found = _outputs(path, replace(wanted, scores=()) if judgements else wanted, references)
    if judgements:
        found = join_scores(found, judgements, HumanColumns(scores=wanted.scores))
    if preferences:
        found = read_preferences(preferences, outputs=found)
    return found.only(groups) if groups else found


def _outputs(path: str, columns: HumanColumns, references: str | None) -> Judgements:
    if Path(path).is_dir():
        return read_folder(path, columns)
    first = _first_record(path)
    if is_mqm(first):
        return read_mqm(path, references)
    return read_preferences(path, columns) if are_preferences(first) else read_table(path, columns)


def only_prefers(path: str) -> bool:
    """True for a table in which people only said which of two outputs is better."""
    return not Path(path).is_dir() and are_preferences(_first_record(path))


def _first_record(path: str) -> Mapping[str, object]:
    return next((record for _, record in records(path, "jsonl")), {})
