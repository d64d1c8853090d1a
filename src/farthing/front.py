"""The front door in Python: load a metric, score one system, compare several, read a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from farthing.core import registry
from farthing.core.errors import MissingInput
from farthing.core.specs import Spec, parse_spec
from farthing.core.types import Pairs, Scores, Sets

if TYPE_CHECKING:
    from farthing.meta.comparison import Comparison
    from farthing.meta.resampling import Test

References = Sequence[str | Sequence[str]]


def load(spec: str | Spec) -> Any:
    """Load a metric by its spec; it keeps its model, so load once and score often.

    >>> load("bleu(lowercase=true)").info.name
    'bleu'
    """
    return registry.load(spec)


@lru_cache(maxsize=8)
def _kept(canonical: str) -> Any:
    return registry.load(canonical)


def score(
    candidates: Sequence[str],
    references: References | None = None,
    sources: Sequence[str] | None = None,
    metric: str = registry.DEFAULT,
) -> Scores:
    """Score one system's outputs.

    :param candidates: the texts to judge
    :param references: for each candidate one reference or a list of them
    :param sources: for each candidate the text it was made from, for metrics that look at it
    :param metric: a metric's spec; the loaded metric is kept for the next call

    >>> score(["the cat sat"], ["the cat sat down"], metric="ter").corpus
    25.0
    """
    judge = _kept(str(parse_spec(metric)))
    if judge.info.level == "set":
        return _score_set(judge, candidates, references)
    found: Scores = judge.score(Pairs.of(candidates, references, sources))
    return found


def _score_set(judge: Any, generated: Any, corpus: Any) -> Scores:
    """Judge a set; a corpus may be vectors, texts, or lists of texts, which are taken together."""
    if corpus is None:
        raise MissingInput(f"{judge.info.name} needs a corpus to judge against (references= in Python)")
    if not hasattr(corpus, "dtype"):
        corpus = [text for entry in corpus for text in ([entry] if isinstance(entry, str) else entry)]
    found: Scores = judge.score_sets(Sets(generated, corpus))
    return found


def compare(
    systems: Mapping[str, Sequence[str]],
    references: References | None = None,
    sources: Sequence[str] | None = None,
    metrics: str = registry.DEFAULT,
    baseline: str | None = None,
    test: Test = "bootstrap",
    samples: int = 0,
    seed: int = 12345,
) -> Comparison:
    """Compare systems on the same segments, with a paired significance test against a baseline.

    :param systems: name of each system to its outputs
    :param metrics: one spec or several with commas between them
    :param baseline: the system that the others are tested against; the first by default

    >>> result = compare({"a": ["the cat"], "b": ["a dog"]}, ["the cat"], metrics="chrf")
    >>> [row.system for row in result.rows]
    ['a', 'b']
    """
    from farthing.core.specs import parse_specs
    from farthing.meta.comparison import compare_systems
    from farthing.metrics.together import score_together

    pairs = [Pairs.of(texts, references, sources, name) for name, texts in systems.items()]
    specs = [str(spec) for spec in parse_specs(metrics)]
    loaded = [_kept(spec) for spec in specs]
    scores = score_together(loaded, lambda: iter([pairs]))
    return compare_systems(loaded, scores, baseline=baseline, test=test, samples=samples, seed=seed, labels=specs)


def read(
    data: Any,
    *,
    candidate: str | None = None,
    reference: str | Sequence[str] = (),
    source: str | None = None,
    system: str = "system",
) -> Pairs:
    """Pairs from a table file, or from anything with rows: a Hugging Face dataset, a list of dicts.

    :param data: a path (txt, tsv, csv, jsonl, each also .gz, or parquet), or an iterable of dicts
    :param candidate: the column of candidates; usual names are guessed, for the others as well

    >>> read([{"mt": "a b", "ref1": "a c", "ref2": "b"}]).references
    [('a c', 'b')]
    """
    from farthing.files.columns import Columns
    from farthing.files.inputs import Inputs, pairs_of_records

    columns = Columns(candidate, (reference,) if isinstance(reference, str) else tuple(reference), source)
    if isinstance(data, str) or hasattr(data, "__fspath__"):
        return Inputs([str(data)], columns=columns, names=[system]).pairs()[0]
    return pairs_of_records(data, columns, system)
