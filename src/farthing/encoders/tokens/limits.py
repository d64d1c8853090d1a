"""How many tokens a model can really read: from its config, never from a tokenizer's 1e30."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# These families count positions from the padding id + 1, so two of their 514 positions are never used.
_OFFSET_FAMILIES = frozenset(
    [
        *("roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "mpnet", "longformer", "roberta-prelayernorm"),
        *("data2vec-text", "ibert", "luke", "mluke", "xmod", "markuplm", "bertweet", "esm"),
    ]
)
_POSITION_KEYS = ("max_position_embeddings", "n_positions", "max_source_positions", "seq_length")
_NONSENSE = 1_000_000_000  # a tokenizer that was never told its limit says 1e30
USUAL = 512  # relative positions have no end, but attention's cost is quadratic and training stopped here


def longest_input(config: Mapping[str, Any], tokenizer_config: Mapping[str, Any] | None = None) -> int:
    """The most tokens, special ones included, that a text may have.

    >>> longest_input({"model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 1})
    512
    >>> longest_input({"model_type": "t5"}, {"model_max_length": 1e30})
    512
    """
    limits = [limit for limit in (_positions(config), _told(tokenizer_config or {})) if limit]
    return min(limits) if limits else USUAL


def _positions(config: Mapping[str, Any]) -> int | None:
    for key in _POSITION_KEYS:
        value = config.get(key)
        if isinstance(value, int) and value > 0:
            offset = (config.get("pad_token_id") or 0) + 1 if config.get("model_type") in _OFFSET_FAMILIES else 0
            return value - offset
    return None


def _told(tokenizer_config: Mapping[str, Any]) -> int | None:
    value = tokenizer_config.get("model_max_length")
    return int(value) if isinstance(value, int | float) and 0 < value < _NONSENSE else None
