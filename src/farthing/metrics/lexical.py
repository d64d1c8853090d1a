"""BLEU, chrF and TER with the scores of sacrebleu, and with statistics that can be resampled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import numpy as np

from farthing.core.arrays import Statistics
from farthing.core.errors import ModelError
from farthing.core.metric import Metric, check_pairs, check_positive, empty_notes
from farthing.core.progress import counted
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import MetricInfo, Pairs, Scores

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric as SacrebleuMetric

    from farthing.core.nbest import NBest

Tokenization = Literal[
    "13a", "intl", "zh", "char", "none", "ja-mecab", "ko-mecab", "flores101", "flores200", "spBLEU-1K"
]


class SacreMetric(Metric):
    """A metric of sacrebleu: statistics per segment, and scores from sums of statistics.

    :param whole: computes corpus scores
    :param single: computes the scores of segments; it differs from `whole` for BLEU only
    :param fields: what changes the scores and is not in sacrebleu's own signature
    """

    holds_lock = True

    def __init__(
        self, whole: SacrebleuMetric, single: SacrebleuMetric, fields: Mapping[str, Value] | None = None
    ) -> None:
        self.whole, self.single, self.fields = whole, single, fields or {}

    def score_pairs(self, pairs: Pairs) -> Scores:
        """Score every pair and the whole corpus."""
        check_pairs(self.info, pairs)
        return self._scores(pairs, self._statistics(pairs))

    def score_crossed(self, lists: Sequence[NBest]) -> Scores:
        """Score every candidate against every reference; each reference is cut into n-grams once."""
        from farthing.core.nbest import crossed_pairs

        metric, rows = self.whole, list[list[float]]()
        for one in lists:
            candidates, references = (
                map(metric._preprocess_segment, side) for side in (one.candidates, one.references)
            )
            told = [metric._extract_reference_info([text]) for text in references]
            rows += [metric._compute_segment_statistics(text, reference) for text in candidates for reference in told]
        return self._scores(crossed_pairs(lists), np.array(rows, dtype=np.float64))

    def _scores(self, pairs: Pairs, statistics: Statistics) -> Scores:
        segments = np.array([_value(self.single, row) for row in statistics.tolist()])
        return Scores(
            corpus=self.aggregate(statistics.sum(axis=0)),
            segments=segments,
            statistics=statistics,
            notes=empty_notes(pairs),
            signature=Signature(self.info.name, self._fields(pairs)),
            system=pairs.system,
        )

    def aggregate(self, total: Statistics) -> float:
        """Compute the corpus score from a sum of statistics."""
        return _value(self.whole, total.tolist())

    def _statistics(self, pairs: Pairs) -> Statistics:
        # sacrebleu takes one list per reference; None stands for a reference that a row does not have.
        width = max(len(row) for row in pairs.references)
        streams = [[row[i] if i < len(row) else None for row in pairs.references] for i in range(width)]
        candidates = counted(self.info.name, pairs.candidates)  # sacrebleu takes them one by one
        return np.array(self.whole._extract_corpus_statistics(candidates, streams), dtype=np.float64)

    def _fields(self, pairs: Pairs) -> Mapping[str, Value]:
        """Return the fields of sacrebleu's own signature, in its order, beginning with the number of references."""
        counts = {len(row) for row in pairs.references}
        self.whole.num_refs = counts.pop() if len(counts) == 1 else -1
        own = (item.split(":", 1) for item in str(self.whole.get_signature()).split("|"))
        return {**dict(own), **self.fields}


def _value(metric: SacrebleuMetric, statistics: list[float]) -> float:
    return float(metric._compute_score_from_stats(statistics).score)


class Bleu(SacreMetric):
    """BLEU: `corpus_bleu` of sacrebleu for the corpus, `sentence_bleu` for segments."""

    about = MetricInfo(
        name="bleu",
        summary="Word n-gram precision with a brevity penalty.",
        paper="Papineni et al. 2002, https://aclanthology.org/P02-1040; Post 2018, https://aclanthology.org/W18-6319",
        range=(0, 100),
    )

    def __init__(
        self,
        *,
        tokenize: Annotated[Tokenization, "tokenizer of sacrebleu; flores and spBLEU need a model"] = "13a",
        lowercase: Annotated[bool, "ignore case"] = False,
        smooth_method: Annotated[Literal["exp", "floor", "add-k", "none"], "for n-grams without a match"] = "exp",
        smooth_value: Annotated[float | None, "parameter of the smoothing by floor and add-k"] = None,
        max_ngram_order: Annotated[int, "length of the longest n-gram"] = 4,
        effective_order: Annotated[
            bool, "leave out n-grams that are longer than all texts, for the corpus score, too"
        ] = False,
    ) -> None:
        from sacrebleu.metrics import BLEU

        check_positive("bleu", max_ngram_order=max_ngram_order)
        check_tokenizer(tokenize)
        settings: dict[str, object] = {
            "lowercase": lowercase,
            "smooth_method": smooth_method,
            "smooth_value": smooth_value,
            "max_ngram_order": max_ngram_order,
            "tokenize": tokenize,
            "force": True,  # no warning about input that looks tokenised
        }
        super().__init__(
            BLEU(effective_order=effective_order, **settings),
            BLEU(effective_order=True, **settings),
            {} if max_ngram_order == 4 else {"max_ngram_order": max_ngram_order},
        )

    @classmethod
    def options_told(cls, fields: Mapping[str, str]) -> dict[str, Value]:
        """Return the options that sacrebleu's fields stand for."""
        smooth, _, value = fields.get("smooth", "exp").rstrip("]").partition("[")
        told = fields.get("tok", "13a")  # may be followed by the version of a dictionary
        return {
            "tokenize": next((one for one in get_args(Tokenization) if f"{told}-".startswith(f"{one}-")), told),
            "lowercase": fields.get("case") == "lc",
            "effective_order": fields.get("eff") == "yes",
            "smooth_method": smooth,
            "smooth_value": float(value) if value else None,
        }


def check_tokenizer(name: Tokenization) -> None:
    """Raise an error if sacrebleu would download the model of a tokenizer without being allowed to."""
    if name not in ("flores101", "flores200", "spBLEU-1K"):
        return
    from sacrebleu.tokenizers.tokenizer_spm import SPM_MODELS
    from sacrebleu.utils import SACREBLEU_DIR

    from farthing.core.network import is_online

    model = Path(SACREBLEU_DIR) / "models" / Path(SPM_MODELS[name]["url"]).name
    if not model.exists() and not is_online():
        raise ModelError(
            f"the tokenizer {name!r} needs a model that is not on this machine: "
            "allow sacrebleu to download it with --online or FARTHING_ONLINE=1"
        )


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
        char_order: Annotated[int, "length of the longest character n-gram"] = 6,
        word_order: Annotated[int, "length of the longest word n-gram; 2 gives chrF++"] = 0,
        beta: Annotated[int, "weight of recall relative to precision"] = 2,
        lowercase: Annotated[bool, "ignore case"] = False,
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
        super().__init__(metric, metric, {} if beta == 2 else {"beta": beta})

    @classmethod
    def options_told(cls, fields: Mapping[str, str]) -> dict[str, Value]:
        """Return the options that sacrebleu's fields stand for."""
        return {
            "char_order": int(fields.get("nc", 6)),
            "word_order": int(fields.get("nw", 0)),
            "lowercase": fields.get("case") == "lc",
            "whitespace": fields.get("space") == "yes",
            "eps_smoothing": fields.get("eff") == "no",
        }


class Ter(SacreMetric):
    """Translation edit rate: edits, including shifts of phrases, per word of the reference. Lower is better."""

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
        normalized: Annotated[bool, "separate punctuation from words first"] = False,
        no_punct: Annotated[bool, "remove punctuation"] = False,
        asian_support: Annotated[bool, "separate Asian characters"] = False,
        case_sensitive: Annotated[bool, "distinguish upper and lower case"] = False,
    ) -> None:
        from sacrebleu.metrics import TER

        metric = TER(
            normalized=normalized, no_punct=no_punct, asian_support=asian_support, case_sensitive=case_sensitive
        )
        super().__init__(metric, metric)

    @classmethod
    def options_told(cls, fields: Mapping[str, str]) -> dict[str, Value]:
        """Return the options that sacrebleu's fields stand for."""
        return {
            "normalized": fields.get("norm") == "yes",
            "no_punct": fields.get("punct") == "no",
            "asian_support": fields.get("asian") == "yes",
            "case_sensitive": fields.get("case") == "mixed",
        }
