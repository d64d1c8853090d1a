"""Which numbers training computes with."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

TRIAL = "import torch; one = torch.ones(64, 64, dtype=torch.bfloat16); one @ one"


@cache
def has_bfloat16() -> bool:
    """Tell whether products in bfloat16 are faster here: if there is a GPU, or if the processor has units for them.

    Processors without such units imitate these products and are slower with them. Some virtual machines announce units
    that end a process at its first product, so a child process tries them.
    """
    import torch

    if torch.cuda.is_available():
        return True
    if not (torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported()):
        return False
    return subprocess.run([sys.executable, "-c", TRIAL], capture_output=True, check=False).returncode == 0
