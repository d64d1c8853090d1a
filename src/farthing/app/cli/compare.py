"""`farthing compare`: is one system really better than another?"""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from typing import Annotated

from farthing.app.cli import common, typed
from farthing.core.errors import UnknownName, UsageError
from farthing.core.registry import DEFAULT
from farthing.files.inputs import Inputs
from farthing.scoring.comparison import Comparison
from farthing.scoring.resampling import PairedTest
from farthing.scoring.score import choose, score
from farthing.tables.sheet import terminal_width

_KEEPS_NOTHING = (
    "--against compares and keeps nothing: omit -o, --explain, --align, --resegment and --judgements, or use "
    "farthing score"
)


@dataclass(frozen=True, slots=True)
class TestOptions:
    """What is tested, and how."""

    test: Annotated[PairedTest, typed.Option("--test", help="The paired test.")] = "bootstrap"
    baseline: Annotated[str | None, typed.Option("--baseline", help="The system to test against; the first.")] = None
    all_pairs: Annotated[
        bool,
        typed.Option("--all-pairs", help="Rank by tests of all pairs; done for 3 or more systems without --baseline."),
    ] = False
    resamples: Annotated[
        int, typed.Option("--resamples", min=0, help="Resamples; 0: 1000 bootstrap, 10000 randomization.")
    ] = 0
    seed: common.Seed = 12345


def compare(
    texts: common.TextOptions,
    tests: TestOptions,
    labels: common.LabelOptions,
    kept: common.KeptOptions,
    engine: common.EngineOptions,
    rows: common.RowOptions,
    metrics: common.Metrics = DEFAULT,
    against: Annotated[
        str | None, typed.Option("--against", help="A run (score -o RUN/) whose system is the baseline.")
    ] = None,
    fail_if_worse: Annotated[
        bool, typed.Option("--fail-if-worse", help="Exit with code 3 if a system is significantly worse.")
    ] = False,
    output_format: common.Format = "table",
    digits: common.Digits = None,
    output: common.Output = None,
    with_texts: common.WithTexts = False,
    resegment: common.Resegment = False,
    encoder: common.EncoderName = None,
    cache: common.CacheFolder = None,
    quiet: common.Quiet = False,
) -> str:
    """Compare two or more systems on the same segments, or new outputs with a stored run.

    Example: farthing compare a.txt b.txt -r ref.txt -m bleu,chrf --test randomization
    """
    files = Inputs.named(**asdict(texts))
    if against and (output or resegment or labels.judgements or kept.explain or kept.align):
        raise UsageError(_KEEPS_NOTHING)
    if against:
        found = _against(against, files, tests, None if metrics == DEFAULT else metrics)
    else:
        _check_systems(files.names, tests.baseline)
        chosen = choose(metrics, encoder=encoder, cache=cache)
        target = kept.target(output, chosen, files, with_texts)
        inputs = common.resegmented(files) if resegment else files
        found = score(chosen, inputs, **asdict(tests), **asdict(kept), run=target.run)
        rows.keep(target)
        target.write(found, inputs)
        if labels.judgements:
            return labels.printed(found, inputs, output_format, terminal_width(), digits)
    printed = found.printed(output_format, color=sys.stdout.isatty(), width=terminal_width(), digits=digits)
    if fail_if_worse:
        from farthing.scoring.gate import check_not_worse

        check_not_worse(found, printed)
    return printed


def _against(folder: str, inputs: Inputs, tests: TestOptions, metrics: str | None) -> Comparison:
    from farthing.files.run import read_run
    from farthing.scoring.against import compare_against

    return compare_against(read_run(folder), inputs, metrics=metrics, **asdict(tests))


def _check_systems(names: list[str], baseline: str | None) -> None:
    if len(names) < 2:
        raise UsageError("compare needs at least two systems (farthing score takes one, --against RUN/ adds one)")
    if baseline is not None and baseline not in names:
        raise UnknownName("baseline", baseline, names)
