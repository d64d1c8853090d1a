"""A twin of Hugging Face's evaluate for metrics of texts: the same calls, keys and scales, and no download.

    from farthing.compat import evaluate
    evaluate.load("rouge").compute(predictions=["a cat"], references=["the cat"], use_stemmer=True)
    evaluate.combine(["bleu", "chrf"]).compute(predictions=["a cat"], references=["the cat"])

bleu, sacrebleu, chrf, ter, rouge, bertscore and exact_match are answered as evaluate answers them
(:mod:`farthing.compat.evaluate_answers`). Every other metric is loaded by its spec, and answers with its corpus score
by its name, `scores`, its parts and its signature. idf weights always come from the references of the same call; only
the model is kept from one call to the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from farthing.compat.evaluate_answers import ANSWERS, Answer, plain_answer
from farthing.core.errors import UsageError
from farthing.core.frames import texts_of_column
from farthing.core.registry import DEFAULT, load_pairs_metric
from farthing.core.specs import Spec, parse_spec
from farthing.core.texts import Texts, TextTable, reference_rows
from farthing.core.types import Pairs

Reference: TypeAlias = "str | Sequence[str]"
# Where evaluate keeps its files and how it finds its scripts: nothing that changes a score.
_IGNORED = ("cache_dir", "experiment_id", "keep_in_memory", "download_config", "download_mode", "revision", "seed")


class Module:
    """A metric that collects predictions and references, then computes."""

    def __init__(self, name: str, spec: Spec) -> None:
        self.name, self.spec = name, spec
        self._pairs: list[tuple[str, Reference]] = []

    def add(self, *, prediction: str, reference: Reference) -> None:
        """Remember one pair for the next `compute`."""
        self._pairs.append((prediction, reference))

    def add_batch(self, *, predictions: Texts, references: Texts | TextTable) -> None:
        """Remember some pairs for the next `compute`."""
        texts, rows = texts_of_column(predictions, "predictions"), reference_rows(references)
        if len(texts) != len(rows):
            raise UsageError(f"{len(texts)} predictions but {len(rows)} references")
        self._pairs += zip(texts, rows, strict=True)

    def compute(
        self, *, predictions: Texts | None = None, references: Texts | TextTable | None = None, **options: object
    ) -> Answer:
        """Score the pairs that were added before, then the given ones.

        :param options: the options of evaluate's metric of that name, or else those of Farthing's
        """
        if predictions is not None or references is not None:
            self.add_batch(
                predictions=[] if predictions is None else predictions,
                references=[] if references is None else references,
            )
        pairs, self._pairs = self._pairs, []
        given = Pairs.of([text for text, _ in pairs], [reference for _, reference in pairs])
        return ANSWERS.get(self.name, plain_answer)(given, self.spec, options)

    def _feature_names(self) -> list[str]:
        """Answer evaluate's own `combine`, which takes this twin, too."""
        return ["predictions", "references"]


class Combined:
    """Several metrics over the same predictions and references."""

    def __init__(self, modules: Sequence[Module], names: Sequence[str], force_prefix: bool) -> None:
        self.modules, self.names, self.force_prefix = list(modules), list(names), force_prefix

    def add(self, prediction: str, reference: Reference) -> None:
        """Remember one pair for the next `compute`."""
        for module in self.modules:
            module.add(prediction=prediction, reference=reference)

    def add_batch(self, predictions: Texts, references: Texts | TextTable) -> None:
        """Remember some pairs for the next `compute`."""
        texts, rows = texts_of_column(predictions, "predictions"), reference_rows(references)
        for module in self.modules:
            module.add_batch(predictions=texts, references=rows)

    def compute(
        self, predictions: Texts | None = None, references: Texts | TextTable | None = None, **options: object
    ) -> Answer:
        """Let every metric compute; a key that two of them have gets the metric's name as prefix."""
        if predictions is not None and references is not None:
            self.add_batch(predictions, references)
        answers = [module.compute(predictions=None, references=None, **options) for module in self.modules]
        shared = Counter(key for answer in answers for key in answer)
        return {
            f"{prefix}_{key}" if self.force_prefix or shared[key] > 1 else key: value
            for prefix, answer in zip(_prefixes(self.names), answers, strict=True)
            for key, value in answer.items()
        }


def load(path: str, config_name: str | None = None, **settings: object) -> Module:
    """Load a metric by its name in evaluate, or by its spec in Farthing.

    :param settings: where evaluate keeps its files, which does not matter here

    >>> load("chrf").compute(predictions=["the cat"], references=["the cat"])["score"]
    100.0
    """
    if config_name is not None or (unknown := [name for name in settings if name not in _IGNORED]):
        named = "config_name" if config_name is not None else unknown[0]
        raise UsageError(
            f"load takes no {named} here: options are passed to compute, or in a spec such as chrf(beta=1)"
        )
    spec, written = parse_spec(path), path.partition("(")[0].strip()
    name = written if written in ANSWERS else spec.name  # sacrebleu is bleu in a spec, but answers differently
    if name not in ANSWERS:
        load_pairs_metric(spec)  # a wrong name or option is found now, not after hours of generation
    return Module(name, spec)


def compute(metric: str = DEFAULT, *, predictions: Texts, references: Texts | TextTable, **options: object) -> Answer:
    """Load a metric and score pairs; to score often, :func:`load` it once.

    >>> compute("bleu", predictions=["the cat sat on it"], references=["the cat sat on it"])["bleu"]
    1.0
    """
    return load(metric).compute(predictions=predictions, references=references, **options)


def combine(evaluations: Sequence[str | Module] | Mapping[str, str | Module], force_prefix: bool = False) -> Combined:
    """Combine metrics that are computed together.

    :param evaluations: metrics or their names; a map also says what to call them
    :param force_prefix: put the metric's name before every key, not only before those that two metrics have

    >>> combine(["rouge", "exact_match"]).compute(["the cat"], ["the cat"])["exact_match"]
    1.0
    """
    values = evaluations.values() if isinstance(evaluations, Mapping) else evaluations
    modules = [load(one) if isinstance(one, str) else one for one in values]
    names = list(evaluations) if isinstance(evaluations, Mapping) else [module.name for module in modules]
    return Combined(modules, names, force_prefix)


def _prefixes(names: Sequence[str]) -> list[str]:
    """Return the names; those that occur several times with a number.

    >>> _prefixes(["chrf", "bleu", "chrf"])
    ['chrf_0', 'bleu', 'chrf_1']
    """
    return [
        f"{name}_{names[:place].count(name)}" if names.count(name) > 1 else name for place, name in enumerate(names)
    ]
