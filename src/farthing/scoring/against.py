"""Compare new outputs with a system of a stored run: references, sources and metrics come from the run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from farthing.core.errors import UnknownName, UsageError
from farthing.core.registry import load_pairs_metric
from farthing.core.specs import parse_specs
from farthing.core.types import Pairs, Scores
from farthing.files.inputs import Given, Inputs
from farthing.files.run import Run
from farthing.scoring.comparison import Comparison, compared
from farthing.scoring.documents import numbered
from farthing.scoring.resampling import SEED, PairedTest
from farthing.scoring.score import Chosen, score


def compare_against(
    run: Run,
    inputs: Inputs,
    *,
    metrics: str | None = None,
    baseline: str | None = None,
    test: PairedTest = "bootstrap",
    all_pairs: bool = False,
    resamples: int = 0,
    seed: int = SEED,
) -> Comparison:
    """Test new outputs against a stored system, which is not scored again.

    :param inputs: the new outputs; references or sources in them must be those of the run
    :param metrics: some of the run's metrics; all of them if not given
    :param baseline: the stored system; needed if the run has several
    """
    chosen = [Chosen(spec, load_pairs_metric(spec)) for spec in _specs(run, metrics)]
    stored = run.pairs()[run.systems.index(_system(run, baseline))]
    new = [_checked(run, stored, pairs) for pairs in inputs.pairs()]
    found = score(chosen, Given(new), keep_statistics=True)
    name = f"{run.folder.name}/{stored.system}"
    columns = []
    for place, one in enumerate(chosen):
        old = replace(run.scores(one.spec, stored.system), system=name)
        fresh = [row.cells[place].scores for row in found.rows]
        _check_signatures(run, old, fresh)
        columns.append([old, *fresh])
    return compared(
        [one.metric for one in chosen], columns, specs=[one.spec for one in chosen], test=test, baseline=name,
        resamples=resamples, seed=seed, documents=numbered(stored.documents or new[0].documents),
        all_pairs=all_pairs,
    )  # fmt: skip


def _specs(run: Run, metrics: str | None) -> list[str]:
    if not run.complete:
        raise UsageError(f"{run.folder}: the run is incomplete; run its command again to resume it")
    if not run.metrics:
        raise UsageError(f"{run.folder}: the run has no metric of pairs, so nothing in it can be tested")
    wanted = [str(spec) for spec in parse_specs(metrics)] if metrics else run.metrics
    for spec in wanted:
        if spec not in run.metrics:
            raise UnknownName(f"metric of {run.folder}", spec, run.metrics)
    return wanted


def _system(run: Run, system: str | None) -> str:
    if system is None and len(run.systems) > 1:
        raise UsageError(f"{run.folder} has several systems: name one with --baseline ({', '.join(run.systems)})")
    if system is not None and system not in run.systems:
        raise UnknownName(f"system of {run.folder}", system, run.systems)
    return system or run.systems[0]


def _checked(run: Run, stored: Pairs, pairs: Pairs) -> Pairs:
    """Return new outputs with the references and sources of the run; raise an error if they come with others."""
    if len(pairs) != len(stored):
        raise UsageError(f"{pairs.system} has {len(pairs)} outputs, but {run.folder} has {len(stored)} segments")
    if pairs.has_references:
        _check_same(
            "references", [list(row) for row in pairs.references], [list(row) for row in stored.references], run
        )
    if pairs.sources is not None and stored.sources is not None:
        _check_same("sources", list(pairs.sources), list(stored.sources), run)
    return replace(pairs, references=stored.references, sources=stored.sources)


def _check_same(what: str, given: Sequence[object], stored: Sequence[object], run: Run) -> None:
    for number, (one, other) in enumerate(zip(given, stored, strict=True), start=1):
        if one != other:
            raise UsageError(
                f"the {what} differ from those of {run.folder} in row {number}: "
                "omit them, or score the old outputs again"
            )


def _check_signatures(run: Run, old: Scores, fresh: Sequence[Scores]) -> None:
    for one in fresh:
        if not one.signature.agrees(old.signature):
            raise UsageError(
                f"{run.folder} was scored by another metric, so the scores cannot be compared: {old.signature} there, "
                f"{one.signature} here; score the old outputs again"
            )
