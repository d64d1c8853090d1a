"""`farthing learn`: from a corpus to a cheap metric, one file per step."""

from __future__ import annotations

from farthing.app.cli.learn.ablate import ablate
from farthing.app.cli.learn.annotate import annotate
from farthing.app.cli.learn.distil import distil
from farthing.app.cli.learn.distil_tokens import distil_tokens
from farthing.app.cli.learn.export import export
from farthing.app.cli.learn.finetune import finetune
from farthing.app.cli.learn.pairs import pairs
from farthing.app.cli.learn.regress import regress
from farthing.app.cli.learn.remap import remap
from farthing.app.cli.learn.student import student
from farthing.app.cli.learn.table import table
from farthing.app.cli.typed import Commands

learn = Commands(
    help="Learn a cheap version of any metric: pairs, annotate, distil, export; then -m 'frugalscore(model=FOLDER)'.",
    members={
        "pairs": pairs,
        "annotate": annotate,
        "distil": distil,
        "distil-tokens": distil_tokens,
        "finetune": finetune,
        "regress": regress,
        "export": export,
        "ablate": ablate,
        "table": table,
        "remap": remap,
        "student": student,
    },
)
