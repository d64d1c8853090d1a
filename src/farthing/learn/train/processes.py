"""One process or several that a launcher started: who writes, who waits, and what training needs."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from farthing.core.errors import MissingExtra, OutputError

if TYPE_CHECKING:
    from accelerate import Accelerator


def check_training_extra() -> None:
    """Raise a sentence that names the extra if a library that training needs is missing."""
    try:
        import accelerate  # noqa: F401
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError as error:
        raise MissingExtra("training", "learn") from error


def make_accelerator(unused: bool) -> Accelerator:
    """Join the other processes, if there are any.

    :param unused: some parameters get no gradient in some steps
    """
    check_training_extra()
    from accelerate import Accelerator, DistributedDataParallelKwargs

    return Accelerator(kwargs_handlers=[DistributedDataParallelKwargs(find_unused_parameters=unused)])


def is_first_process() -> bool:
    """Return True in the only process of a run, or in the first of those that a launcher started."""
    return os.environ.get("RANK", "0") == "0"


def wait_for(path: Path, seconds: float = 600) -> None:
    """Wait until the first process has made a file."""
    end = time.monotonic() + seconds
    while not path.exists():
        if time.monotonic() > end:
            raise OutputError(f"{path}: the first process did not write it; see its messages")
        time.sleep(0.2)


def quiet_transformers() -> None:
    """Stop transformers and tokenizers from writing into a command's output."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
