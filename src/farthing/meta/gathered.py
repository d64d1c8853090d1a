"""The metrics of a study: computed, kept from before, or read from files that were made elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from farthing.core.errors import UnknownName, UsageError
from farthing.core.progress import phase
from farthing.core.registry import DEFAULT, METRICS
from farthing.core.specs import Spec, parse_specs
from farthing.meta.judged_sets import judges_sets, score_judged_sets
from farthing.meta.judgements import Judgements
from farthing.meta.kept import ScoreStore
from farthing.meta.read.external import read_scored
from farthing.meta.scored import Scored, score_judgements


def wanted_metrics(metrics: str | None, files: Sequence[str] = ()) -> list[Spec]:
    """Return the metrics to compute: those asked for, else the default one unless there are score files."""
    if metrics is None and files:
        return []
    specs = parse_specs(metrics or DEFAULT)
    for spec in specs:
        METRICS.get(spec.name)  # raises for an unknown name, before any data are read
    return specs


def gather_scores(
    judgements: Judgements,
    specs: Sequence[Spec],
    files: Sequence[str],
    lower: Sequence[str],
    store: ScoreStore,
) -> list[Scored]:
    """Score the judged outputs with every metric, and read the scores that were made elsewhere.

    :param files: scores made elsewhere, as `name=path` or `name=path:column`
    :param lower: the names of score files in which lower is better
    """
    _check_names(specs, files, lower)
    read = [read_scored(text, judgements, lower) for text in files]
    sets = [spec for spec in specs if judges_sets(spec)]
    with phase("scoring", len(judgements) * len(specs)) as progress:
        computed = score_judged_sets(judgements, sets, progress) if sets else {}
        computed |= {spec: score_judgements(judgements, spec, store, progress) for spec in specs if spec not in sets}
    return [*(computed[spec] for spec in specs), *read]


def _check_names(specs: Sequence[Spec], files: Sequence[str], lower: Sequence[str]) -> None:
    own = [text.partition("=")[0] for text in files]
    names = [*map(str, specs), *own]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice:
        raise UsageError(f"the metric {twice} is given twice")
    for name in lower:
        if name not in own:
            raise UnknownName("score file in --lower", name, own)
