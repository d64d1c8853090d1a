"""Make the numbers that the tests of estimators and adapters compare with, by the published programs themselves.

    python tests/learn/parity/make.py FOLDER

makes an environment in FOLDER (Python 3.11 or 3.12; torch, unbabel-comet and adapters at pinned versions, which pull
an older transformers and numpy, so it is never the environment of Farthing), runs itself there, and writes
comet.safetensors and adapters.safetensors beside this file.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PINNED = ["setuptools<81", "torch==2.13.0", "unbabel-comet==2.2.7", "adapters==1.3.0"]
INSIDE = "--inside"
ADAPTERS = {"pfeiffer": "seq_bn", "houlsby": "double_seq_bn", "parallel": "par_bn", "compacter": "compacter",
            "ia3": "ia3", "lora": "lora"}  # fmt: skip
ESTIMATORS = [
    {"form": form, "transform": transform, "layer_norm": norm, "pool": pool}
    for form, transform, norm, pool in [
        ("both", "softmax", False, "avg"),
        ("both", "sparsemax", False, "avg"),
        ("both", "softmax", True, "avg"),
        ("both", "sparsemax", True, "max"),
        ("both", "softmax", False, "cls"),
        ("source", "softmax", False, "avg"),
        ("source", "sparsemax", True, "avg"),
        ("source", "sparsemax", False, "max"),
    ]
]


def main() -> None:
    if INSIDE in sys.argv:
        make_comet()
        make_adapters()
        return
    folder = Path(sys.argv[1])
    if not (folder / "bin" / "python").exists():
        venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", *PINNED], check=True)
    subprocess.run([python, __file__, INSIDE], check=True)


def tiny_model() -> Any:
    """A BERT with the weights of tiny_bert."""
    import torch
    import transformers
    from tiny_bert import SHAPE, filled

    model = transformers.BertModel(transformers.BertConfig(**SHAPE), add_pooling_layer=False).eval()
    shapes = {name: value.shape for name, value in model.named_parameters()}
    with torch.no_grad():
        for name, value in filled(shapes).items():
            model.get_parameter(name).copy_(torch.from_numpy(value))
    return model


def make_comet() -> None:
    """Write the scores and the sentence vectors of COMET's two kinds of estimators, and the names in a checkpoint."""
    from safetensors.numpy import save_file

    arrays, notes = {}, {}
    with tempfile.TemporaryDirectory() as place:
        write_folder(Path(place))
        for number, case in enumerate(ESTIMATORS):
            outputs, facts = estimated(Path(place), case)
            arrays |= {f"{number}.{name}": value for name, value in outputs.items()}
            notes[str(number)] = json.dumps({**case, **facts})
    save_file(arrays, HERE / "comet.safetensors", metadata=notes)


def write_folder(place: Path) -> None:
    """Write what COMET needs of a pretrained model: a configuration and a vocabulary."""
    import transformers
    from tiny_bert import SHAPE, VOCABULARY

    transformers.BertConfig(**SHAPE).save_pretrained(place)
    (place / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n")
    transformers.BertTokenizerFast(str(place / "vocab.txt")).save_pretrained(place)


def estimated(place: Path, case: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Run one estimator with known weights; the mix and the head have large ones."""
    import torch
    from comet.models import ReferencelessRegression, RegressionMetric
    from tiny_bert import CANDIDATES, REFERENCES, SOURCES, filled, padded

    kind = RegressionMetric if case["form"] == "both" else ReferencelessRegression
    model = kind(
        encoder_model="BERT", pretrained_model=str(place), load_pretrained_weights=False, local_files_only=True,
        pool=case["pool"], layer="mix", layer_transformation=case["transform"], layer_norm=case["layer_norm"],
        hidden_sizes=[48, 24], activations="Tanh", final_activation=None, dropout=0.1,
    ).eval()  # fmt: skip
    model.encoder.model.pooler = None
    shapes = {name: tuple(value.shape) for name, value in model.named_parameters()}
    given = filled({name: shape for name, shape in shapes.items() if not name.startswith("encoder.")}, sigma=0.5)
    encoder = {name: shape for name, shape in shapes.items() if name.startswith("encoder.model.")}
    plain = filled({name.removeprefix("encoder.model."): shape for name, shape in encoder.items()})
    given |= {f"encoder.model.{name}": value for name, value in plain.items()}
    with torch.no_grad():
        for name, value in given.items():
            model.get_parameter(name).copy_(torch.from_numpy(value))
    rows = {"src": SOURCES, "mt": CANDIDATES} | ({"ref": REFERENCES} if case["form"] == "both" else {})
    tensors = {side: [torch.from_numpy(part) for part in padded(texts)] for side, texts in rows.items()}
    inputs = {f"{side}_{name}": part for side, parts in tensors.items()
              for name, part in zip(("input_ids", "attention_mask"), parts, strict=True)}  # fmt: skip
    with torch.inference_mode():
        scores = model(**inputs).score
        vectors = {f"vectors.{side}": model.get_sentence_embedding(*parts) for side, parts in tensors.items()}
    outputs = {"scores": scores, **vectors}
    facts = {"names": sorted(model.state_dict()), "hparams": {**model.hparams, "pretrained_model": "tiny"}}
    return {name: value.contiguous().numpy() for name, value in outputs.items()}, facts


def make_adapters() -> None:
    """Write what a model with each adapter says, and the names and sizes of the parameters that learn."""
    from safetensors.numpy import save_file

    arrays, notes = {}, {}
    for name, config in ADAPTERS.items():
        outputs, facts = adapted(config)
        arrays |= {f"{name}.{key}": value for key, value in outputs.items()}
        notes[name] = json.dumps(facts)
    save_file(arrays, HERE / "adapters.safetensors", metadata=notes)


def adapted(config: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Run the tiny model with one adapter whose weights are random (sigma .1), around 1 if they multiply."""
    import adapters
    import torch
    from tiny_bert import CANDIDATES, padded, values

    model = tiny_model()
    adapters.init(model)
    model.add_adapter("one", config=config)
    model.train_adapter("one")
    model.eval()
    trained = {name: part for name, part in model.named_parameters() if part.requires_grad}
    multiplied = config == "ia3"
    with torch.no_grad():
        for name, part in trained.items():
            part.copy_(torch.from_numpy(values(name, part.shape) + (1.0 if multiplied else 0.0)))
    ids, mask = (torch.from_numpy(one) for one in padded(CANDIDATES))
    arrays = {}
    with torch.inference_mode():
        arrays["states"] = model(input_ids=ids, attention_mask=mask).last_hidden_state.clone()
    facts = {"trainable": sum(part.numel() for part in trained.values()),
             "shapes": {name: list(part.shape) for name, part in trained.items()}}  # fmt: skip
    return {name: value.contiguous().numpy() for name, value in arrays.items()}, facts


if __name__ == "__main__":
    main()
