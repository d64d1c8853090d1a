"""BLEU, chrF and TER: sacrebleu's numbers, with statistics that can be resampled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np

from farthing.core.metric import Metric, check_pairs, check_positive, empty_notes
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import MetricInfo, Pairs, Scores

Tokenizer = Literal["13a", "intl", "zh", "char", "none", "ja-mecab", "ko-mecab", "flores101", "flores200", "spBLEU-1K"]


class SacreMetric(Metric):
    """A metric of sacrebleu's: per-segment statistics first, scores from sums of them.

    `whole` scores a sum of statistics as sacrebleu's corpus score does, `single` one segment as its
    sentence score does; they differ for BLEU only.
    """

    def __init__(self, whole: Any, single: Any) -> None:
        self.whole, self.single = whole, single

    def score(self, pairs: Pairs) -> Scores:
        """Score every pair and the whole."""
        check_pairs(self.info, pairs)
        statistics = self._statistics(pairs)
        segments = np.array([_value(self.single, row) for row in statistics.tolist()])
        return Scores(
            corpus=self.aggregate(statistics.sum(axis=0)),
            segments=segments,
            statistics=statistics,
            notes=empty_notes(pairs),
            signature=Signature(self.info.name, self._fields(pairs)),
            system=pairs.system,
        )

    def aggregate(self, total: np.ndarray) -> float:
        """The corpus score that belongs to a sum of statistics."""
        return _value(self.whole, total.tolist())

    def _statistics(self, pairs: Pairs) -> np.ndarray:
        # sacrebleu wants one stream a reference; None marks a row that has fewer.
        width = max(len(row) for row in pairs.references)
        streams = [[row[i] if i < len(row) else None for row in pairs.references] for i in range(width)]
        return np.array(self.whole._extract_corpus_statistics(pairs.candidates, streams), dtype=np.float64)

    def _fields(self, pairs: Pairs) -> Mapping[str, Value]:
        """sacrebleu's own signature, in its order, number of references first."""
        counts = {len(row) for row in pairs.references}
        self.whole.num_refs = counts.pop() if len(counts) == 1 else -1
        return dict(item.split(":", 1) for item in str(self.whole.get_signature()).split("|"))


def _value(metric: Any, statistics: list[float]) -> float:
    return float(metric._compute_score_from_stats(statistics).score)


class Bleu(SacreMetric):
    """BLEU. The corpus score is sacrebleu's `corpus_bleu`, a segment's its `sentence_bleu`."""

    about = MetricInfo(
        name="bleu",
        summary="Word n-gram precision with a brevity penalty.",
        paper="Papineni et al. 2002, https://aclanthology.org/P02-1040; Post 2018, https://aclanthology.org/W18-6319",
        range=(0, 100),
    )

    def __init__(
        self,
        *,
        tokenize: Annotated[Tokenizer, "sacrebleu's tokenizer; flores and spm ones fetch a model"] = "13a",
        lowercase: Annotated[bool, "compare without case"] = False,
        smooth_method: Annotated[Literal["exp", "floor", "add-k", "none"], "for n-grams that never match"] = "exp",
        smooth_value: Annotated[float | None, "for floor and add-k"] = None,
        max_ngram_order: Annotated[int, "longest n-gram"] = 4,
        effective_order: Annotated[
            bool, "corpus score, too, leaves out orders that no text is long enough for"
        ] = False,
    ) -> None:
        from sacrebleu.metrics import BLEU

        check_positive("bleu", max_ngram_order=max_ngram_order)
        settings: dict[str, Any] = {
            "lowercase": lowercase,
            "smooth_method": smooth_method,
            "smooth_value": smooth_value,
            "max_ngram_order": max_ngram_order,
            "tokenize": tokenize,
            "force": True,  # no warning about input that looks tokenised: a library does not print
        }
        super().__init__(BLEU(effective_order=effective_order, **settings), BLEU(effective_order=True, **settings))


class Chrf(SacreMetric):
    """chrF, and chrF++ with `word_order=2`."""

    about = MetricInfo(
        name="chrf",
        summary="Character n-gram F-score, with word n-grams as chrF++.",
        paper="Popović 2015, https://aclanthology.org/W15-3049; 2017, https://aclanthology.org/W17-4770",
        range=(0, 100),
    )

    def __init__(
        self,
        *,
        char_order: Annotated[int, "longest character n-gram"] = 6,
        word_order: Annotated[int, "longest word n-gram; 2 makes chrF++"] = 0,
        beta: Annotated[int, "weight of recall against precision"] = 2,
        lowercase: Annotated[bool, "compare without case"] = False,
        whitespace: Annotated[bool, "count spaces as characters"] = False,
        eps_smoothing: Annotated[bool, "smooth as chrF++.py, NLTK and Moses do"] = False,
    ) -> None:
        from sacrebleu.metrics import CHRF

        check_positive("chrf", char_order=char_order, beta=beta)
        check_positive("chrf", or_zero=True, word_order=word_order)
        metric = CHRF(
            char_order=char_order,
            word_order=word_order,
            beta=beta,
            lowercase=lowercase,
            whitespace=whitespace,
            eps_smoothing=eps_smoothing,
        )
        super().__init__(metric, metric)


class Ter(SacreMetric):
    """Translation edit rate: edits, shifts among them, for each word of the reference. Lower is better."""

    about = MetricInfo(
        name="ter",
        summary="Edits (with shifts of phrases) needed, in percent of the reference's words.",
        paper="Snover et al. 2006, https://aclanthology.org/2006.amta-papers.25",
        range=(0, None),
        higher_is_better=False,
    )

    def __init__(
        self,
        *,
        normalized: Annotated[bool, "split off punctuation first"] = False,
        no_punct: Annotated[bool, "drop punctuation"] = False,
        asian_support: Annotated[bool, "split Asian characters"] = False,
        case_sensitive: Annotated[bool, "tell upper from lower case"] = False,
    ) -> None:
        from sacrebleu.metrics import TER

        metric = TER(
            normalized=normalized, no_punct=no_punct, asian_support=asian_support, case_sensitive=case_sensitive
        )
        super().__init__(metric, metric)
