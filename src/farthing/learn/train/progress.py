"""What a training run says while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def talker(say: Callable[[str], None] | None) -> tuple[Any, ...]:
    """A callback that says at every check how far a run is, how well it does and how long it will take.

    :param say: where the lines go; None is silent
    """
    if say is None:
        return ()
    from transformers import TrainerCallback

    tell = say

    class Talk(TrainerCallback):  # type: ignore[misc]
        def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            self.began, self.first = time.monotonic(), state.global_step

        def on_evaluate(self, args: Any, state: Any, control: Any, metrics: Any = None, **kwargs: Any) -> None:
            if not state.is_world_process_zero or not metrics:
                return
            done = max(1, state.global_step - self.first)
            left = (time.monotonic() - self.began) / done * (state.max_steps - state.global_step)
            tell(
                f"step {state.global_step}/{state.max_steps}: held-out loss {metrics['eval_loss']:.5f}, "
                f"Pearson {metrics['eval_pearson']:.4f}, Spearman {metrics['eval_spearman']:.4f}; "
                f"about {left / 60:.0f} min left"
            )

    return (Talk(),)
