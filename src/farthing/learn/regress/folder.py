"""Write a trained estimator: as an encoder's folder with a head, or as a graph if its adapter cannot be merged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from farthing.files.folders import new_folder, write_json
from farthing.learn.adapters.adapter import Adapter
from farthing.learn.adapters.folder import copy_tokenizer_files, write_adapted_encoder
from farthing.learn.adapters.store import save_adapter
from farthing.learn.regress.model import EstimatorModel
from farthing.learn.train.history import History
from farthing.learn.train.plots import plot_history
from farthing.students.estimator_card import estimator_card
from farthing.students.layout import CARD, HEAD, StudentFolder, add_facts
from farthing.students.regressor import SHAPE

KIND = "estimator"
ADAPTER = "adapter"  # the folder of the adapter alone


@dataclass(frozen=True, slots=True)
class TrainedEstimator:
    """What a training gave.

    :param start: the folder that it started from, whose tokenizer it has
    :param origin: the facts of the encoder that the adapter is for
    """

    model: EstimatorModel
    start: Path
    adapter: Adapter | None = None
    origin: Mapping[str, object] | None = None


def write_estimator(
    target: Path, trained: TrainedEstimator, facts: Mapping[str, object], history: History, overwrite: bool = False
) -> None:
    """Write the folder, whole or not at all; the model is changed if an adapter is merged into it."""
    from safetensors.numpy import save_file

    model, adapter = trained.model, trained.adapter
    with new_folder(target, overwrite) as folder:
        copy_tokenizer_files(trained.start, folder)
        method: dict[str, object] = {}
        if adapter is not None:
            save_adapter(adapter, folder / ADAPTER, trained.origin or {})
            method = {"method": adapter.method, "parameters": adapter.count, "merged": adapter.mergeable}
            write_adapted_encoder(model.encoder, adapter, trained.start, folder)
        else:
            model.encoder.save_pretrained(folder)
        save_file(model.arrays(), folder / HEAD)
        describe_estimator(folder, target.name, model, {**facts, **({"adapter": method} if method else {})})
        write_json(folder / "history.json", dict(history.facts()))
        plot_history(history, folder / "loss.png")


def describe_estimator(folder: Path, name: str, model: EstimatorModel, facts: Mapping[str, object]) -> None:
    """Write the facts into the configuration, and the card."""
    against = {} if "reference" in model.shape.inputs else {"against": "source"}
    add_facts(folder, kind=KIND, **{SHAPE: model.shape.facts()}, **against, **facts)
    (folder / CARD).write_text(estimator_card(name, StudentFolder.read(folder).facts), encoding="utf-8")
