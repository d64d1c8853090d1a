"""The folder of a judged run: the student's scores until all is known, then every output with its score and origin.

Verdicts are kept by the judge itself (see :mod:`farthing.judge.store`), so that a killed run pays for none twice.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

from farthing.core.digest import digest_files
from farthing.files.fingerprint import fingerprint
from farthing.files.inputs import Given
from farthing.files.journal import Journal
from farthing.files.rows import close_rows, drop_parts, keep_columns, open_rows, resumable
from farthing.files.run_folder import BILL, PARTS
from farthing.files.write import write_text
from farthing.judge.earlier import read_earlier
from farthing.judge.flow import JudgeFlow
from farthing.judge.judged import JudgedRun
from farthing.judge.routing import RoutingPlan
from farthing.scoring.identity import contents, versions

JUDGED = "judged outputs"  #: what the rows of such a run are


def judge_into(
    folder: Path, flow: JudgeFlow, plan: RoutingPlan, earlier: str | None = None, *, overwrite: bool = False
) -> JudgedRun:
    """Judge in a folder that keeps the run; the same call resumes an interrupted one.

    :param earlier: the file of earlier verdicts, if there is one
    """
    journal = open_rows(folder, JUDGED, _about(flow, plan, earlier), overwrite=overwrite)
    flow.parts = folder / PARTS
    with resumable(folder):
        found = flow.run(plan, read_earlier(earlier) if earlier else None)
    keep_judged(journal, found)
    return found


def _about(flow: JudgeFlow, plan: RoutingPlan, earlier: str | None) -> dict[str, object]:
    allowance = asdict(replace(flow.allowance, price=None))  # another price changes the bill, not the rows
    return {
        **versions(),
        "systems": [pairs.system for pairs in flow.systems],
        "judge": str(flow.judge.signature),
        "student": {flow.spec: contents(flow.spec)},
        "plan": {**asdict(replace(plan, earlier=None)), "budget": allowance},
        "earlier": digest_files([Path(earlier)]) if earlier else "",
        "input": fingerprint(Given(flow.systems)),
    }


def keep_judged(journal: Journal, found: JudgedRun) -> None:
    """Write all outputs, the systems' means and the bill, and say that the run is complete.

    The bill has a file of its own: calls that were under way when a run was killed have to be paid for, too.
    """
    results = found.to_dict()
    keep_columns(journal, found.columns())
    write_text(journal.folder / BILL, json.dumps(results.pop("bill"), indent=1) + "\n")
    close_rows(journal, results)
    drop_parts(journal)
