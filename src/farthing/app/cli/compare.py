"""`farthing compare`: is one system really better than another?"""

from __future__ import annotations

from typing import Annotated

from farthing.app.cli import common, typed
from farthing.app.cli.common import check_choice, check_output, emit, load_metrics, make_inputs, progress_bar
from farthing.core import registry
from farthing.core.errors import UsageError
from farthing.meta.resampling import Test


def compare(
    systems: common.Systems,
    references: common.References = None,
    source_file: common.SourceFile = None,
    metrics: common.Metrics = registry.DEFAULT,
    test: Annotated[Test, typed.Option("--test", help="The paired test.")] = "bootstrap",
    baseline: Annotated[str | None, typed.Option("--baseline", help="The system to test against; the first.")] = None,
    samples: Annotated[
        int, typed.Option("--samples", min=0, help="Resamples; 0: 1000 bootstrap, 10000 randomization.")
    ] = 0,
    output_format: common.Format = "table",
    output: common.Output = None,
    candidate: common.CandidateColumn = None,
    reference: common.ReferenceColumns = None,
    source: common.SourceColumn = None,
    names: common.Names = None,
    stdin_format: common.StdinFormat = "txt",
    cache: common.CacheFolder = None,
    seed: common.Seed = 12345,
    quiet: common.Quiet = False,
) -> None:
    """Compare two or more systems on the same segments.

    Example: farthing compare a.txt b.txt -r ref.txt -m bleu,chrf --test randomization
    """
    from farthing.meta.comparison import compare_systems
    from farthing.metrics.together import score_together

    check_output(output_format, output)
    if len(systems) < 2:
        raise UsageError("compare needs at least two systems (farthing score takes one)")
    inputs = make_inputs(systems, references, source_file, candidate, reference, source, names, stdin_format)
    if baseline is not None:
        check_choice("baseline", baseline, inputs.names)
    loaded, specs = load_metrics(metrics, cache=cache)
    with progress_bar("scoring", quiet) as progress:
        scores = score_together(loaded, inputs.stretches, progress=progress)
    found = compare_systems(loaded, scores, baseline=baseline, test=test, samples=samples, seed=seed, labels=specs)
    emit(found, output_format, output)
