"""`farthing meta`: how good is a metric?"""

from __future__ import annotations

from farthing.app.cli.meta.consistency import consistency
from farthing.app.cli.meta.correlate import correlate
from farthing.app.cli.meta.disagree import disagree
from farthing.app.cli.meta.diversity import diversity
from farthing.app.cli.meta.hybrids import hybrids
from farthing.app.cli.meta.label_next import label_next
from farthing.app.cli.meta.robustness import robustness
from farthing.app.cli.meta.select import select
from farthing.app.cli.typed import Commands

commands = Commands(
    "How well do metrics agree with people, and what do they miss?",
    {
        "correlate": correlate,
        "disagree": disagree,
        "hybrids": hybrids,
        "select": select,
        "robustness": robustness,
        "diversity": diversity,
        "consistency": consistency,
        "label-next": label_next,
    },
)
