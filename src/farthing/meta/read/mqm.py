"""Multidimensional quality metrics (MQM): the errors that experts marked become one score per segment."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from farthing.core.errors import InputError
from farthing.files.lines import lines
from farthing.files.read import records
from farthing.meta.judgements import Judgements
from farthing.meta.read.cells import number_of
from farthing.meta.read.human import HumanColumns, judgements_of

_SPAN = re.compile(r"</?v>")


def is_mqm(record: Mapping[str, object]) -> bool:
    """True for a row of a table of MQM errors."""
    return {"severity", "category", "target"} <= {name.lower() for name in record}


def read_mqm(path: str, references: str | None = None) -> Judgements:
    """Read a table with one row per error; a segment's score is minus its weighted errors, averaged over raters.

    :param references: a file whose line n is the reference of seg_id n
    """
    penalties: dict[tuple[str, str], dict[str, float]] = {}
    outputs: dict[tuple[str, str], dict[str, object]] = {}
    texts = [text for _, text in lines(references)] if references else []
    for number, given in records(path):
        record = {name.lower(): value for name, value in given.items()}
        missing = [name for name in ("system", "seg_id", "rater", "target") if name not in record]
        if missing:
            raise InputError(f"no column {missing[0]!r} in this table of MQM errors", path=path, line=number)
        key = (str(record["system"]), str(record["seg_id"]))
        by_rater = penalties.setdefault(key, {})
        rater = str(record["rater"])
        by_rater[rater] = by_rater.get(rater, 0.0) + penalty(str(record["category"]), str(record["severity"]))
        outputs.setdefault(key, _mqm_output(record, texts, path, number))
    found = [{**output, "mqm": -float(np.mean(list(penalties[key].values())))} for key, output in outputs.items()]
    return judgements_of(enumerate(found, start=1), path, HumanColumns(scores=("mqm",)))


def penalty(category: str, severity: str) -> float:
    """Return the weight of one MQM error: 25 for no translation at all, 5 major, 1 minor, 0.1 minor punctuation."""
    kind, weight = category.lower(), severity.lower()
    if weight == "major":
        return 25.0 if kind.startswith("non-translation") else 5.0
    if weight == "minor":
        return 0.1 if kind == "fluency/punctuation" else 1.0
    return 0.0


def _mqm_output(record: Mapping[str, object], references: list[str], path: str, line: int) -> dict[str, object]:
    """Return the columns of an output; the marks of an error's span are removed from its texts."""
    output = {
        "system": record["system"],
        "segment_id": record["seg_id"],
        "source": _SPAN.sub("", str(record.get("source", ""))),
        "candidate": _SPAN.sub("", str(record["target"])),
    }
    if references:
        place = int(number_of(record["seg_id"], path, line, "seg_id"))
        if not 1 <= place <= len(references):
            raise InputError(f"seg_id {place}, but there are {len(references)} references", path=path, line=line)
        output["reference"] = references[place - 1]
    return output
