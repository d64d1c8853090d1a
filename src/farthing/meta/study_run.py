"""The folder of a study: scores of single metrics while they are made, then all outputs with all scores, and results.

Each metric's scores of each group are an ordinary run in the folder `parts`, so that an interrupted study goes on where
it was, and another question about the same scores is answered at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from farthing.core.digest import digest_json
from farthing.core.specs import Spec
from farthing.files.journal import Journal
from farthing.files.rows import close_rows, keep_columns, open_rows, resumable
from farthing.files.run_folder import PARTS
from farthing.meta.judgements import Judgements
from farthing.meta.read.external import score_path
from farthing.meta.scored import Scored
from farthing.scoring.identity import content, contents, versions

STUDY = "scores of a study"  #: what the rows of such a run are


@dataclass(frozen=True, slots=True)
class StudyRun:
    """A study that is kept on disk."""

    journal: Journal

    @classmethod
    def open(
        cls,
        folder: Path,
        judgements: Judgements,
        specs: Sequence[Spec],
        files: Sequence[str] = (),
        *,
        overwrite: bool = False,
    ) -> StudyRun:
        """Start a study in a folder, or resume one of the same judgements and metrics.

        :param files: scores made elsewhere, as `name=path` or `name=path:column`
        """
        about = {
            **versions(),
            "metrics": {str(spec): contents(spec) for spec in specs},
            "score_files": {text: content(score_path(text)) for text in files},
            "input": _fingerprint(judgements),
        }
        return cls(open_rows(folder, STUDY, about, overwrite=overwrite))

    @property
    def parts(self) -> Path:
        """Where the runs of single metrics are."""
        return self.journal.folder / PARTS

    def resumable(self) -> AbstractContextManager[None]:
        """Tell whoever interrupts the study that it can be resumed."""
        return resumable(self.journal.folder)

    def keep(self, judgements: Judgements, metrics: Sequence[Scored] = ()) -> None:
        """Write one row per judged output: who made it, what people said, and every metric's score."""
        people = {f"human:{name}": values for name, values in judgements.scores.items()}
        own = {metric.name: metric.values for metric in metrics}
        places = {"group": judgements.groups, "system": judgements.systems, "segment": judgements.items}
        keep_columns(self.journal, {**places, **people, **own})

    def close(self, document: Mapping[str, object]) -> None:
        """Write what was computed from all rows; the study is complete."""
        close_rows(self.journal, document)


def _fingerprint(judgements: Judgements) -> str:
    """Identify the outputs and what people said of them."""
    texts = judgements.texts
    people = {name: np.asarray(values, dtype=float).tolist() for name, values in judgements.scores.items()}
    whole = {
        name: sorted([*key, score] for key, score in scores.items())
        for name, scores in judgements.system_scores.items()
    }
    rows = [judgements.groups, judgements.systems, judgements.items, texts.candidates, texts.references, texts.sources]
    return digest_json([rows, people, whole])
