"""Logs for TensorBoard, if it is installed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from farthing.learn.train.processes import is_first_process

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter


class Board:
    """Writes figures to a folder; does nothing without a folder, without TensorBoard, or in another process."""

    def __init__(self, folder: Path | None) -> None:
        self.writer: SummaryWriter | None = None
        if folder is None or not is_first_process():
            return
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            return
        self.writer = SummaryWriter(str(folder))

    def add(self, kind: str, step: int, figures: Mapping[str, float]) -> None:
        """Note some figures after a step, under `kind/name`."""
        if self.writer is not None:
            for name, value in figures.items():
                self.writer.add_scalar(f"{kind}/{name}", value, step)

    def close(self) -> None:
        """Write what is left."""
        if self.writer is not None:
            self.writer.close()
