"""Which numbers training computes with."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

TRIAL = "import torch; one = torch.ones(64, 64, dtype=torch.bfloat16); one @ one"


@cache
def has_bfloat16() -> bool:
    """Tell whether products in bfloat16 are faster here: if there is a GPU, or if the processor has matrix units.

    Some virtual machines announce matrix units that end a process at its first product, so a child process tries them.
    Processors that only have bfloat16's scalar products are no faster with it.
    """
    import torch

    if torch.cuda.is_available():
        return True
    if not (torch.ops.mkldnn._is_mkldnn_bf16_supported() and torch.cpu._is_amx_tile_supported()):
        return False
    return subprocess.run([sys.executable, "-c", TRIAL], capture_output=True, check=False).returncode == 0
