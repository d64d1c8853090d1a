"""Perplexity: how much a causal language model is surprised by a text."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from farthing.core.arrays import Statistics
from farthing.core.metric import Metric, check_pairs, check_positive, empty_notes
from farthing.core.signature import Signature
from farthing.core.types import MetricInfo, Note, Pairs, Scores
from farthing.language.causal import LIMIT, CausalLanguageModel


class Perplexity(Metric):
    """The exponential of the mean negative log-likelihood per token; lower is better.

    The corpus score is per token of the whole corpus, not the mean of the texts. The part `tokens` says how many tokens
    each text has.
    """

    about = MetricInfo(
        name="perplexity",
        summary="How much a causal language model is surprised per token; no reference.",
        paper="Jelinek et al. 1977, https://doi.org/10.1121/1.2016299",
        range=(1, None),
        higher_is_better=False,
        needs=frozenset(),
        extra="torch",
    )

    def __init__(
        self,
        *,
        model: Annotated[str, "name or folder of a causal language model"] = "gpt2",
        start: Annotated[bool, "put the begin token before every text, so that its first token counts, too"] = True,
        limit: Annotated[int, "most tokens of a text that are read"] = LIMIT,
        threads: Annotated[int | None, "how many cores; else $FARTHING_THREADS, $OMP_NUM_THREADS, all"] = None,
        device: Annotated[str, "where torch runs: cpu, cuda, mps; auto takes a GPU if there is one"] = "auto",
    ) -> None:
        check_positive("perplexity", limit=limit)
        self.model = CausalLanguageModel(model, start=start, limit=limit, threads=threads, device=device)

    def score_pairs(self, pairs: Pairs) -> Scores:
        """Score every candidate; references and sources are not looked at."""
        check_pairs(self.info, pairs)
        found = self.model.likelihoods(pairs.candidates)
        statistics = np.column_stack([found.means * found.tokens, found.tokens]).astype(np.float64)
        return Scores(
            corpus=self.aggregate(statistics.sum(axis=0)),
            segments=np.exp(-found.means),
            parts={"tokens": found.tokens.astype(np.float64)},
            statistics=statistics,
            notes=(*empty_notes(pairs), *self._cut_note(found.cut)),
            signature=Signature("perplexity", {**self.model.fields(), "limit": self.model.limit}),
            system=pairs.system,
        )

    def aggregate(self, total: Statistics) -> float:
        """Compute the perplexity from a sum of log-likelihoods and a number of tokens."""
        likelihood, tokens = total
        return float(np.exp(-likelihood / tokens if tokens else -self.model.blind))

    def _cut_note(self, rows: tuple[int, ...]) -> tuple[Note, ...]:
        message = f"a text is longer than {self.model.limit} tokens and lost its end"
        return (Note("truncated", message, rows),) if rows else ()
