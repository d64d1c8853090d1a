"""The answers of Hugging Face's evaluate: for each of its metrics the same keys, on the same scale.

An answer is a function of pairs, a spec and the keyword arguments of `compute`. Metrics that evaluate does not have
are answered by :func:`plain_answer`.
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from farthing.core.errors import UsageError
from farthing.core.metric import Metric
from farthing.core.registry import load_pairs_metric
from farthing.core.specs import Spec, Value
from farthing.core.types import Pairs, Scores
from farthing.files.inputs import Given
from farthing.scoring.score import Chosen, score

if TYPE_CHECKING:
    import torch

    from farthing.compat.bert_score import BERTScorer

Options: TypeAlias = Mapping[str, object]
Answer: TypeAlias = dict[str, object]
Split: TypeAlias = Callable[[str], Iterable[str]]
_LISTS = ("precision", "recall", "f1")
_COUNTS = ("counts", "totals", "precisions", "bp", "sys_len", "ref_len")


def plain_answer(pairs: Pairs, spec: Spec, options: Options) -> Answer:
    """Return a metric's corpus score by its name, `scores` with one score per pair, its parts and its signature."""
    scores = _scored(pairs, spec, options)
    segments = None if scores.segments is None else scores.segments.tolist()
    parts = {name: np.asarray(part).tolist() for name, part in scores.parts.items()}
    return {scores.metric: scores.corpus, "scores": segments, **parts, "signature": str(scores.signature)}


def bleu_answer(pairs: Pairs, spec: Spec, options: Options) -> Answer:
    """BLEU from 0 to 1, without smoothing unless it is asked for; the shortest reference sets the length."""
    if "tokenize" in spec.options:
        raise UsageError(
            "evaluate's bleu takes a function, compute(tokenizer=…): for a tokenizer by name load sacrebleu"
        )
    order = int(cast(int, options.get("max_order", 4)))
    words = _split_pairs(pairs, cast("Split | None", options.get("tokenizer")) or _split_13a)
    counted = Spec("bleu", {**spec.options, "tokenize": "none", "max_ngram_order": order})
    total = _total(_scored(words, counted, _without(options, "max_order", "smooth", "tokenizer")))
    one = float(bool(options.get("smooth")))
    counts = zip(total[2 : 2 + order], total[2 + order :], strict=True)
    precisions = [(matches + one) / (possible + one) if possible + one else 0.0 for matches, possible in counts]
    length = sum(min(len(text.split()) for text in row) for row in words.references)
    ratio = total[0] / length if length else math.inf
    penalty = 1.0 if ratio > 1 else math.exp(1 - 1 / ratio) if ratio else 0.0
    mean = math.exp(sum(map(math.log, precisions)) / order) if min(precisions) > 0 else 0.0
    return {
        "bleu": mean * penalty,
        "precisions": precisions,
        "brevity_penalty": penalty,
        "length_ratio": ratio,
        "translation_length": int(total[0]),
        "reference_length": length,
    }


def sacrebleu_answer(pairs: Pairs, spec: Spec, options: Options) -> Answer:
    """BLEU from 0 to 100 with the counts that it comes from, as sacrebleu gives them."""
    from sacrebleu.metrics import BLEU

    given = _renamed(_without(options, "force"), use_effective_order="effective_order")
    settings = {**spec.options, **{name: value for name, value in given.items() if value is not None}}
    total = [int(number) for number in _total(_scored(pairs, Spec("bleu"), settings))]
    order = (len(total) - 2) // 2
    names = ("smooth_method", "smooth_value", "effective_order")
    smoothing = {"smooth_method": "exp", **{name: settings[name] for name in names if name in settings}}
    found = BLEU.compute_bleu(
        total[2 : 2 + order], total[2 + order :], total[0], total[1], max_ngram_order=order, **smoothing
    )
    return {name: getattr(found, name) for name in ("score", *_COUNTS)}


def chrf_answer(pairs: Pairs, spec: Spec, options: Options) -> Answer:
    """chrF from 0 to 100, and its settings."""
    settings = {"char_order": 6, "word_order": 0, "beta": 2, **spec.options, **options}
    return {"score": _scored(pairs, spec, options).corpus} | {
        name: settings[name] for name in ("char_order", "word_order", "beta")
    }


def ter_answer(pairs: Pairs, spec: Spec, options: Options) -> Answer:
    """TER in percent, and its counts."""
    scores = _scored(pairs, spec, _renamed(options, ignore_punct="no_punct", support_zh_ja_chars="asian_support"))
    edits, length = _total(scores)
    return {"score": scores.corpus, "num_edits": int(edits), "ref_length": length}


def rouge_answer(pairs: Pairs, spec: Spec, options: Options) -> Answer:
    """F-measures from 0 to 1: their means, or with `use_aggregator=False` one per pair.

    evaluate takes the median of 1,000 resampled means, which is the mean but for chance.
    """
    from farthing.metrics.rouge import TYPES

    given = _renamed(_without(options, "rouge_types", "use_aggregator"), use_stemmer="stemmer")
    parts = _scored(pairs, spec, given).parts
    wanted = cast("Sequence[str]", options.get("rouge_types") or TYPES)
    if unknown := [name for name in wanted if name not in parts]:
        raise UsageError(f"there is no rouge type {unknown[0]!r}: take some of {', '.join(TYPES)}")
    if options.get("use_aggregator", True):
        return {name: float(np.mean(parts[name])) for name in wanted}
    return {name: np.asarray(parts[name]).tolist() for name in wanted}


def bertscore_answer(pairs: Pairs, spec: Spec, options: Options) -> Answer:
    """Lists of precisions, recalls and F-measures: by a spec, or with the arguments of evaluate and bert_score."""
    if options:
        scorer = _bert_scorer(tuple(sorted(_without(options, "verbose").items())))
        if scorer.idf:
            scorer.compute_idf([text for row in pairs.references for text in row])
        found = cast("Sequence[torch.Tensor]", scorer.score(pairs.candidates, pairs.references))
        lists, told = [part.tolist() for part in found], scorer.hash
    else:
        scores = _scored(pairs, spec, options)
        parts = (scores.parts["precision"], scores.parts["recall"], scores.segments)
        lists, told = [np.asarray(part).tolist() for part in parts], str(scores.signature)
    return {**dict(zip(_LISTS, lists, strict=True)), "hashcode": told}


def exact_match_answer(pairs: Pairs, spec: Spec, options: Options) -> Answer:
    """The share of predictions that are equal to their reference, or to one of them."""
    known = ("regexes_to_ignore", "ignore_case", "ignore_punctuation", "ignore_numbers")
    if unknown := _without(options, *known):
        raise UsageError(f"exact_match has no option {next(iter(unknown))!r}: it takes {', '.join(known)}")
    if not len(pairs):
        raise UsageError("exact_match has nothing to score: there are no predictions")
    rows = zip(pairs.candidates, pairs.references, strict=True)
    equal = [any(_bared(text, options) == _bared(one, options) for one in row) for text, row in rows]
    return {"exact_match": sum(equal) / len(equal)}


ANSWERS: dict[str, Callable[[Pairs, Spec, Options], Answer]] = {
    "bleu": bleu_answer,
    "sacrebleu": sacrebleu_answer,
    "chrf": chrf_answer,
    "ter": ter_answer,
    "rouge": rouge_answer,
    "bertscore": bertscore_answer,
    "exact_match": exact_match_answer,
}


@lru_cache(maxsize=8)
def _metric(canonical: str) -> Metric:
    return load_pairs_metric(canonical)


@lru_cache(maxsize=2)
def _bert_scorer(options: tuple[tuple[str, object], ...]) -> BERTScorer:
    from farthing.compat.bert_score import BERTScorer

    try:
        return cast("Callable[..., BERTScorer]", BERTScorer)(**dict(options))
    except TypeError as error:
        raise UsageError(f"bertscore of evaluate: {error}") from error


def _scored(pairs: Pairs, spec: Spec, options: Options) -> Scores:
    """Score pairs by a metric with the options of its spec and those of the call."""
    whole = str(Spec(spec.name, {**spec.options, **cast("Mapping[str, Value]", options)}))
    chosen = Chosen(whole, _metric(whole))
    return score([chosen], Given([pairs]), keep_statistics=True).rows[0].cells[0].scores


def _total(scores: Scores) -> list[float]:
    """Return the sums that a corpus score comes from."""
    return [] if scores.statistics is None else [float(number) for number in scores.statistics.sum(axis=0)]


def _without(options: Options, *names: str) -> dict[str, object]:
    return {name: value for name, value in options.items() if name not in names}


def _renamed(options: Options, **names: str) -> dict[str, object]:
    """Return options under the names that they have in Farthing."""
    return {names.get(name, name): value for name, value in options.items()}


def _split_pairs(pairs: Pairs, split: Split) -> Pairs:
    """Return the texts with single spaces between their words, and nowhere else."""
    rows = [[_joined(split, text) for text in row] for row in pairs.references]
    return Pairs([_joined(split, text) for text in pairs.candidates], rows)


def _joined(split: Split, text: str) -> str:
    return " ".join(re.sub(r"\s", "\u2581", word) for word in split(text))


def _split_13a(text: str) -> list[str]:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    return str(Tokenizer13a()(text)).split()


def _bared(text: str, options: Options) -> str:
    """Return a text without what is to be ignored."""
    for pattern in cast("Sequence[str]", options.get("regexes_to_ignore") or ()):
        text = re.sub(pattern, "", text)
    ignored = (string.punctuation if options.get("ignore_punctuation") else "") + (
        string.digits if options.get("ignore_numbers") else ""
    )
    text = text.lower() if options.get("ignore_case") else text
    return text.translate(str.maketrans("", "", ignored))
