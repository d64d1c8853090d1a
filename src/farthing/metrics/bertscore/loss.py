"""BERTScore that gradients flow through, for use as a training loss (torch)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from farthing.core.errors import UsageError
from farthing.encoders.backends.torch import TorchEncoder
from farthing.metrics.bertscore.bertscore import BertScore

if TYPE_CHECKING:
    import torch

SoftScores: TypeAlias = "tuple[torch.Tensor, torch.Tensor, torch.Tensor]"  #: precision, recall and F1


def soft_scores(
    candidate: torch.Tensor,
    reference: torch.Tensor,
    candidate_weights: torch.Tensor,
    reference_weights: torch.Tensor,
) -> SoftScores:
    """Compute precision, recall and F1 of a batch of token vectors, differentiable in all arguments.

    :param candidate: texts by tokens by dimension, of any length each
    :param candidate_weights: texts by tokens, 0 for special tokens and padding: they neither weigh nor match
    """
    import torch

    left, right = (torch.nn.functional.normalize(states, dim=-1) for states in (candidate, reference))
    similarity = left @ right.transpose(1, 2)
    lowest = torch.finfo(similarity.dtype).min
    forward = similarity.masked_fill((reference_weights <= 0)[:, None, :], lowest).amax(dim=2)
    backward = similarity.masked_fill((candidate_weights <= 0)[:, :, None], lowest).amax(dim=1)
    precision, recall = (
        torch.where(weights > 0, best * weights, torch.zeros_like(best)).sum(dim=1) / weights.sum(dim=1)
        for best, weights in ((forward, candidate_weights), (backward, reference_weights))
    )
    harmonic = 2 * precision * recall / (precision + recall)
    both = (precision > 0) & (recall > 0)
    return precision, recall, torch.where(both, harmonic, torch.minimum(precision, recall))


class BertScoreLoss:
    """1 - F1 between what a model would write and references, with gradients to the model.

    The model that learns must share the vocabulary of the metric's encoder. What it would write is given as a
    distribution over tokens at each place, and enters the encoder as the mean of their embeddings.

    :param metric: a BERTScore on torch, not in compat; its layer and idf weights are used
    """

    def __init__(self, metric: BertScore) -> None:
        encoder = metric.engine.encoder
        if not isinstance(encoder, TorchEncoder) or metric.compat:
            raise UsageError("the loss needs bertscore(backend=torch) without compat and early_exit")
        self.metric, self.encoder = metric, encoder

    def __call__(self, probabilities: torch.Tensor, references: list[str]) -> torch.Tensor:
        """Compute the mean loss of a batch.

        :param probabilities: texts by places by vocabulary; each place sums to 1, an unused place to 0
        """
        import torch

        table = self.encoder.model.get_input_embeddings().weight
        used = probabilities.detach().sum(dim=-1) > 0.5
        losses = [
            1 - self._pair(row[keep] @ table, row[keep].argmax(dim=-1), text)
            for row, keep, text in zip(probabilities, used, references, strict=True)
        ]
        return torch.stack(losses).mean()

    def _pair(self, written: torch.Tensor, likeliest: torch.Tensor, reference: str) -> torch.Tensor:
        import torch

        tokenizer, table = self.encoder.tokenizer, self.encoder.model.get_input_embeddings()
        before, after = (torch.tensor(ids, dtype=torch.long) for ids in (tokenizer.prefix, tokenizer.suffix))
        wrapped = torch.cat([table(before), written[: tokenizer.room], table(after)])[None]
        content = tokenizer.cut(tokenizer.contents([reference])[0])
        with torch.no_grad():
            ids = torch.tensor([tokenizer.wrapped(content)])
            other = self._states({"input_ids": ids})[0, len(before) : ids.shape[1] - len(after)]
        states = self._states({"inputs_embeds": wrapped})[0, len(before) : wrapped.shape[1] - len(after)]
        weights = [self._weights(list(map(int, ids))) for ids in (likeliest[: tokenizer.room], content)]
        return soft_scores(states[None], other[None], weights[0], weights[1])[2][0]

    def _states(self, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
        layer = self.metric.scored_layer
        states: torch.Tensor = self.encoder.states(inputs, [layer])[layer]
        return states

    def _weights(self, ids: list[int]) -> torch.Tensor:
        import torch

        idf = self.metric.reference_weights
        if idf is None:
            return torch.ones(1, len(ids))
        weights = torch.from_numpy(idf.weights(ids))[None]
        return weights if weights.sum() > 0 else torch.ones(1, len(ids))
