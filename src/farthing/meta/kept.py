"""Scores that are kept on disk, so that a second analysis of the same texts is instant.

One metric's scores of one corpus are a run (see :mod:`farthing.files.run`). The name of its folder is a digest of all
that makes the scores: the spec, the versions, the content of the weights that the spec resolves to, and the texts.
So a model that was trained again under its old name is scored again. A complete run is read without loading the
metric, an interrupted one is resumed, and a broken one counts as absent.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from farthing.core.arrays import Segments, Statistics
from farthing.core.digest import digest_json
from farthing.core.errors import FarthingError, OutputError
from farthing.core.metric import Metric
from farthing.core.progress import Bar, Progress, no_bar, watched, watching
from farthing.core.registry import load_pairs_metric
from farthing.core.specs import Spec
from farthing.core.types import Pairs, Scores
from farthing.files.inputs import Given, fingerprint
from farthing.files.run import Run, read_run
from farthing.scoring.identity import identity
from farthing.scoring.score import Chosen, score

_LOG = logging.getLogger("farthing")


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """One metric's scores of one corpus, one system's rows after the other's."""

    segments: Segments
    statistics: Statistics | None
    signature: str
    higher_is_better: bool

    @classmethod
    def of(cls, scores: Sequence[Scores], higher_is_better: bool) -> Kept:
        """Join the scores of several systems."""
        segments = np.concatenate([np.asarray(one.segments, dtype=float) for one in scores])
        statistics = [one.statistics for one in scores if one.statistics is not None]
        whole = np.concatenate(statistics) if len(statistics) == len(scores) else None
        return cls(segments, whole, str(scores[0].signature), higher_is_better)


class ScoreStore:
    """A folder of kept scores.

    :param folder: where they are; None keeps nothing
    :param fresh: score again even if there are scores
    """

    def __init__(self, folder: Path | None, fresh: bool = False) -> None:
        self.folder, self.fresh = folder, fresh

    @classmethod
    def usual(cls, fresh: bool = False) -> ScoreStore:
        """Return the store in the user's cache folder."""
        import platformdirs

        return cls(Path(platformdirs.user_cache_dir("farthing")) / "scores", fresh)

    def of(self, spec: Spec) -> KeptMetric:
        """Return the metric of a spec, which scores only what is not kept."""
        return KeptMetric(spec, self)


class KeptMetric:
    """A metric that is loaded only if some of its scores are not kept."""

    def __init__(self, spec: Spec, store: ScoreStore) -> None:
        self.spec, self.store = spec, store

    @cached_property
    def metric(self) -> Metric:
        """The loaded metric."""
        return load_pairs_metric(self.spec)

    @cached_property
    def identity(self) -> dict[str, object]:
        """All that makes the metric's scores."""
        return identity(self.spec)

    def scores(self, corpus: Sequence[Pairs], progress: Progress) -> Kept:
        """Return the kept scores of a corpus, or score it and keep the scores.

        :param corpus: one `Pairs` per system, all with the same number of rows
        """
        texts = fingerprint(Given(corpus))
        folder = self._folder(texts)
        kept = None if folder is None else self._read(folder, texts)
        if kept is None:
            return self._score(corpus, folder, progress)
        progress(len(kept.segments))
        return kept

    def _folder(self, texts: str) -> Path | None:
        if self.store.folder is None:
            return None
        return self.store.folder / f"{self.spec.name}-{digest_json([str(self.spec), self.identity, texts])}"

    def _read(self, folder: Path, texts: str) -> Kept | None:
        """Read a complete run of these texts; a folder that cannot be used is removed."""
        if not folder.exists():
            return None
        try:
            run = None if self.store.fresh else read_run(folder)
            if run is not None and self._is_ours(run, texts):
                return self._of_run(run)
        except (FarthingError, LookupError, ValueError, TypeError):
            pass  # broken, whatever it is that broke it
        shutil.rmtree(folder, ignore_errors=True)
        return None

    def _is_ours(self, run: Run, texts: str) -> bool:
        about = run.journal.about
        return about["metrics"] == {str(self.spec): self.identity["assets"]} and about["input"] == texts

    def _of_run(self, run: Run) -> Kept | None:
        """Join the shards; None for a run that must be resumed first."""
        scores = run.all_scores(str(self.spec))  # raises if a shard is broken, even if the run is not complete
        higher = run.higher_is_better(str(self.spec))
        return Kept.of(scores, higher) if run.complete else None

    def _score(self, corpus: Sequence[Pairs], folder: Path | None, progress: Progress) -> Kept:
        try:
            return self._scored(corpus, folder, progress)
        except (OSError, OutputError) as error:
            if folder is None:
                raise
            _LOG.warning("scores are not kept: %s", error)
            return self._scored(corpus, None, progress)

    def _scored(self, corpus: Sequence[Pairs], folder: Path | None, progress: Progress) -> Kept:
        counted = Counted(progress, len(corpus))
        chosen = Chosen(str(self.spec), self.metric)
        with watching(counted.bar if counted.outer else None):
            found = score([chosen], Given(corpus), keep_statistics=True, run=folder, overwrite=self.store.fresh)
        counted.rest(sum(map(len, corpus)))
        return Kept.of([row.cells[0].scores for row in found.rows], self.metric.info.higher_is_better)


class Counted:
    """Passes on the progress of rows that several systems share, and counts it; other phases are shown as they are."""

    def __init__(self, progress: Progress, systems: int) -> None:
        self.progress, self.systems, self.told, self.outer = progress, systems, 0, watched()

    @property
    def bar(self) -> Bar:
        """What the scoring opens to report its progress."""
        return self._open

    @contextmanager
    def _open(self, title: str, total: int | None = None) -> Iterator[Progress]:
        if title == "scoring":
            yield lambda rows: self._tell(rows * self.systems)
        else:
            with (self.outer or no_bar)(title, total) as progress:
                yield progress

    def rest(self, total: int) -> None:
        """Report the rows that were complete before."""
        self._tell(total - self.told)

    def _tell(self, outputs: int) -> None:
        self.told += outputs
        self.progress(outputs)
