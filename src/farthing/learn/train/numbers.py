"""Which numbers training computes with."""

from __future__ import annotations


def has_bfloat16() -> bool:
    """Tell whether products in bfloat16 are faster here: twice as fast if the processor has them, far slower if not."""
    import torch

    return bool(torch.cuda.is_available() or torch.ops.mkldnn._is_mkldnn_bf16_supported())
