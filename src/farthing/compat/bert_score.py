"""A twin of the package bert_score: same arguments, same results, faster and in bounded memory.

    from farthing.compat.bert_score import BERTScorer, score

Results are those of bert_score 0.3.13 (see :mod:`farthing.metrics.bertscore.compat`). Some faults are corrected: a
missing baseline raises an error instead of passing raw scores off as rescaled, `lang` may be in capitals, `batch_size`
of the constructor is used, several references with `all_layers` work, NaN becomes 0, and nothing is printed
but the progress that `verbose` asks for, on standard error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from farthing.core.arrays import Indices, Weights
from farthing.core.errors import MissingExtra, UsageError
from farthing.core.frames import texts_of_column
from farthing.core.progress import watching
from farthing.core.registry import load
from farthing.core.texts import Texts, reference_rows
from farthing.core.types import Pairs, Part
from farthing.core.version import __version__
from farthing.files.inputs import Given
from farthing.metrics.bertscore.bertscore import LAYER_PARTS, BertScore
from farthing.metrics.bertscore.published import model_for
from farthing.report.progress import requested_bars
from farthing.scoring.score import Chosen
from farthing.scoring.score import score as score_all
from farthing.text.idf import Idf

if TYPE_CHECKING:
    import torch

Triple: TypeAlias = "tuple[torch.Tensor, torch.Tensor, torch.Tensor]"  #: precision, recall and F1
Answer: TypeAlias = "Triple | tuple[Triple, str]"  #: with the hash if it was asked for


class GivenIdf(Idf):
    """Weights that the caller computed: token ids to numbers, the rest as the mapping's default says."""

    def __init__(self, weights: Mapping[int, float]) -> None:
        super().__init__(0, {})
        default = getattr(weights, "default_factory", None)
        self._given, self._rest = dict(weights), float(default()) if default else 1.0

    def weights(self, ids: Sequence[int] | Indices) -> Weights:
        """Return the weight of every token."""
        return np.array([self._given.get(int(token), self._rest) for token in ids], dtype=np.float32)

    @property
    def hash(self) -> str:
        """Twelve digits that name these weights."""
        return Idf(0, {key: hash(value) for key, value in self._given.items()}).hash


class BERTScorer:
    """The class of that name: load once, score often."""

    def __init__(
        self,
        model_type: str | None = None,
        num_layers: int | None = None,
        batch_size: int = 64,
        nthreads: int = 4,
        all_layers: bool = False,
        idf: bool = False,
        idf_sents: Texts | None = None,
        device: str | None = None,
        lang: str | None = None,
        rescale_with_baseline: bool = False,
        baseline_path: str | None = None,
        use_fast_tokenizer: bool = False,
    ) -> None:
        if lang is None and model_type is None:
            raise UsageError("give lang or model_type")
        if rescale_with_baseline and lang is None and baseline_path is None:
            raise UsageError("rescaling with a baseline needs lang or baseline_path")
        self.lang, self.idf, self.batch_size, self.all_layers = lang, idf, batch_size, all_layers
        self.model_type = model_type or model_for(lang or "en")
        self.rescale_with_baseline, self.baseline_path = rescale_with_baseline, baseline_path
        self.use_fast_tokenizer = use_fast_tokenizer
        metric = load(
            "bertscore",  # by its spec, so that a scorer can be sent to another process
            model=self.model_type,
            lang=lang or "en",
            layer="all" if all_layers else num_layers,
            baseline=(baseline_path or True) if rescale_with_baseline else False,
            compat="bert_score",
            leading_space=not use_fast_tokenizer,  # the fast tokenizers had none
            device=device or "auto",
        )
        self._metric = cast(BertScore, metric)
        self.num_layers = num_layers if num_layers is not None else self._metric.scored_layer
        if idf_sents is not None:
            self.compute_idf(idf_sents)

    def compute_idf(self, sents: Texts) -> None:
        """Weigh tokens by how rare they are in these sentences."""
        self._metric = self._metric.with_idf(self._metric.count_idf(texts_of_column(sents, "sents")))

    @property
    def hash(self) -> str:
        """What bert_score calls a hash: the settings in one line."""
        idf = "_idf" if self.idf else "_no-idf"
        rescaled = "-custom-rescaled" if self.baseline_path else "-rescaled"
        fast = "_fast-tokenizer" if self.use_fast_tokenizer else ""
        told = f"{self.model_type}_L{self.num_layers}{idf}_version=0.3.13(farthing={__version__})"
        return told + (rescaled if self.rescale_with_baseline else "") + fast

    def score(
        self,
        cands: Texts,
        refs: Texts,
        verbose: bool = False,
        batch_size: int | None = None,
        return_hash: bool = False,
    ) -> Answer:
        """Return precision, recall and F1 as tensors with one value per candidate; `all_layers` adds rows per layer."""
        if self.idf and self._metric.reference_weights is None:
            raise UsageError("there are no idf weights yet: give idf_sents or call compute_idf(sentences)")
        weights = self._metric.reference_weights if self.idf else None
        metric = self._metric.with_idf(weights).with_batch(batch_size or self.batch_size)
        given = Given([Pairs.of(cands, refs)])
        with watching(requested_bars() if verbose else None):
            scores = score_all([Chosen("bertscore", metric)], given).rows[0].cells[0].scores
        if self.all_layers:
            found = _tensors(*(scores.parts[name] for name in LAYER_PARTS))
        else:
            found = _tensors(scores.parts["precision"], scores.parts["recall"], np.asarray(scores.segments))
        return (found, self.hash) if return_hash else found

    def plot_example(self, candidate: str, reference: str, fname: str = "") -> None:
        """Draw which token matched which into a file."""
        from farthing.report.alignment import write_alignment

        if not fname:
            raise UsageError("plot_example needs fname, a .png, .pdf or .svg file")
        write_alignment(fname, self._metric.align(candidate, reference), "Similarity Matrix")


def score(
    cands: Texts,
    refs: Texts,
    model_type: str | None = None,
    num_layers: int | None = None,
    verbose: bool = False,
    idf: bool | Mapping[int, float] = False,
    device: str | None = None,
    batch_size: int = 64,
    nthreads: int = 4,
    all_layers: bool = False,
    lang: str | None = None,
    return_hash: bool = False,
    rescale_with_baseline: bool = False,
    baseline_path: str | None = None,
    use_fast_tokenizer: bool = False,
) -> Answer:
    """Do what the function of that name does; the model is kept for the next call."""
    cands, refs = texts_of_column(cands, "cands"), reference_rows(refs, "refs")
    if len(cands) != len(refs):
        raise UsageError(f"{len(cands)} candidates but {len(refs)} references")
    scorer = BERTScorer(
        model_type, num_layers, batch_size, nthreads, all_layers, bool(idf), None, device, lang,
        rescale_with_baseline, baseline_path, use_fast_tokenizer,
    )  # fmt: skip
    if isinstance(idf, Mapping):
        scorer._metric = scorer._metric.with_idf(GivenIdf(idf))
    elif idf:
        scorer.compute_idf([text for row in refs for text in row])
    return scorer.score(cands, refs, verbose, batch_size, return_hash)


def _tensors(precision: Part, recall: Part, harmonic: Part) -> Triple:
    try:
        import torch
    except ImportError as error:
        raise MissingExtra("the twin of bert_score, which returns tensors,", "torch") from error
    one, two, three = (torch.from_numpy(np.asarray(part, dtype=np.float32)) for part in (precision, recall, harmonic))
    return one, two, three
