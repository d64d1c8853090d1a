"""`farthing score`: how good is each system?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from farthing.app.cli import common, typed
from farthing.app.cli.common import check_output, emit, load_metrics, make_inputs
from farthing.core import registry


def score(
    systems: common.Systems,
    references: common.References = None,
    source_file: common.SourceFile = None,
    metrics: common.Metrics = registry.DEFAULT,
    ci: Annotated[bool, typed.Option("--ci", help="95 % bootstrap intervals (1000 samples).")] = False,
    output_format: common.Format = "table",
    output: common.Output = None,
    plot: Annotated[
        Path | None, typed.Option("--plot", help="Draw quality against diversity (set metrics): png, pdf, svg.")
    ] = None,
    encoder: Annotated[
        str | None, typed.Option("--encoder", help="Model of the set metrics that do not name one.")
    ] = None,
    candidate: common.CandidateColumn = None,
    reference: common.ReferenceColumns = None,
    source: common.SourceColumn = None,
    names: common.Names = None,
    stdin_format: common.StdinFormat = "txt",
    cache: common.CacheFolder = None,
    seed: common.Seed = 12345,
    quiet: common.Quiet = False,
) -> None:
    """Score one or more systems with one or more metrics.

    Example: farthing score hyp.txt -r ref.txt -m bleu,chrf --ci
    """
    from farthing.app.cli.sets import check_sets, draw, score_all
    from farthing.meta.comparison import scored_systems

    check_output(output_format, output)
    inputs = make_inputs(systems, references, source_file, candidate, reference, source, names, stdin_format)
    loaded, specs = load_metrics(metrics, encoder, cache=cache)
    check_sets(loaded, inputs, output, plot)
    scores = score_all(loaded, inputs, intervals=ci, seed=seed, quiet=quiet)
    found = scored_systems(loaded, scores, intervals=ci, seed=seed, labels=specs)
    draw(found, plot)
    emit(found, output_format, output)
