"""`farthing score`: how good is each system?"""

from __future__ import annotations

from typing import Annotated

from farthing.app.cli import common, typed
from farthing.app.cli.common import check_output, emit, load_metrics, make_inputs, progress_bar
from farthing.core import registry


def score(
    systems: common.Systems,
    references: common.References = None,
    source_file: common.SourceFile = None,
    metrics: common.Metrics = registry.DEFAULT,
    ci: Annotated[bool, typed.Option("--ci", help="95 % bootstrap intervals (1000 samples).")] = False,
    output_format: common.Format = "table",
    output: common.Output = None,
    candidate: common.CandidateColumn = None,
    reference: common.ReferenceColumns = None,
    source: common.SourceColumn = None,
    names: common.Names = None,
    stdin_format: common.StdinFormat = "txt",
    seed: common.Seed = 12345,
    quiet: common.Quiet = False,
) -> None:
    """Score one or more systems with one or more metrics.

    Example: farthing score hyp.txt -r ref.txt -m bleu,chrf --ci
    """
    from farthing.meta.comparison import scored_systems
    from farthing.metrics.together import score_together

    check_output(output_format, output)
    inputs = make_inputs(systems, references, source_file, candidate, reference, source, names, stdin_format)
    loaded, specs = load_metrics(metrics)
    with progress_bar("scoring", quiet) as progress:
        scores = score_together(loaded, inputs.stretches, keep_statistics=ci, progress=progress)
    found = scored_systems(loaded, scores, intervals=ci, seed=seed, labels=specs)
    emit(found, output_format, output)
