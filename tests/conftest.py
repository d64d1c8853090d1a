"""Fixtures for everybody: the shared material of the developers, and real models assembled from it."""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings

PROJECT = Path(__file__).resolve().parents[1]
SOCKETS = PROJECT / "tests" / "sockets"

settings.register_profile("farthing", deadline=None)  # a time in a test says nothing
settings.load_profile("farthing")


def _block_network() -> None:
    """Let no test reach another machine, nor a process that it starts: Python imports sitecustomize at its start."""
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(SOCKETS), os.environ.get("PYTHONPATH")]))
    found = importlib.util.spec_from_file_location("sitecustomize", SOCKETS / "sitecustomize.py")
    assert found is not None
    assert found.loader is not None
    found.loader.exec_module(importlib.util.module_from_spec(found))


_block_network()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of human judgements and corpora that lies beside the project, where there is one."""
    folder = Path(os.environ.get("FARTHING_SHARED", PROJECT.parent / "shared"))
    if not (folder / "README.md").exists():
        pytest.skip("the shared data are not here: set FARTHING_SHARED")
    return folder


@pytest.fixture(scope="session")
def human(shared: Path) -> Callable[[str], list[dict[str, Any]]]:
    """Read a file of human judgements by its name, such as "wmt16_da_seg"."""

    def read(name: str) -> list[dict[str, Any]]:
        with gzip.open(shared / "data" / "human" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    return read


@pytest.fixture(scope="session")
def dev_model(shared: Path) -> Callable[[str], Path]:
    """A real pretrained model as a folder, assembled on first use."""

    def get(name: str) -> Path:
        script = shared / "models" / "assemble.py"
        done = subprocess.run([sys.executable, str(script), name], capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"{name} cannot be assembled here: {done.stderr.strip().splitlines()[-1]}")
        return Path(done.stdout.strip().splitlines()[-1])

    return get


@pytest.fixture(scope="session")
def tiny() -> ModuleType:
    """The module tests/tiny.py, which writes tiny random models."""
    spec = importlib.util.spec_from_file_location("tiny", PROJECT / "tests" / "tiny.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def tiny_model(tiny: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """A tiny random model of a family such as "bert" or "t5", made in a moment; see tests/tiny.py."""
    root = tmp_path_factory.mktemp("tiny")
    made: dict[Any, Path] = {}

    def get(family: str, **options: Any) -> Path:
        key = (family, *sorted(options.items()))
        if key not in made:
            # the number stands first: bert_score takes every path with "t5" in it, such as bert5, for a T5
            made[key] = tiny.write_tiny(root / f"{len(made)}-{family}", family, **options)
        return made[key]

    return get


@pytest.fixture(scope="session")
def made_bench() -> ModuleType:
    """Judged sentences and a bench of them, without measuring anything; see tests/made_bench.py."""
    spec = importlib.util.spec_from_file_location("made_bench", PROJECT / "tests" / "made_bench.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def bench_result(made_bench: ModuleType, tmp_path: Path) -> Any:
    """A bench of two metrics and a command, as if it had been measured."""
    return made_bench.made_result(tmp_path)


@pytest.fixture(scope="session")
def every_size(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of Farthing's own students in all sizes; what this installation lacks is made of the parts of tiny."""
    from farthing.encoders.folder.locate import EMBEDDED
    from farthing.students.layout import FACTS

    root = tmp_path_factory.mktemp("sizes")
    for folder in filter(Path.is_dir, EMBEDDED.iterdir()):
        (root / folder.name).symlink_to(folder)
    parts = ("tokenizer.json", "tokenizer_config.json", "encoder.onnx", "head.safetensors")
    told = {"multi": {"measured": ["en", "de", "ru"]}, "source": {"against": "source", "encoder": "multi"}}
    config = json.loads((EMBEDDED / "tiny" / "config.json").read_text(encoding="utf-8"))
    for size, facts in told.items():
        if (root / size).exists():
            continue
        (root / size).mkdir()
        for part in parts if size == "multi" else parts[-1:]:
            owner = "small" if part == "tokenizer.json" else "tiny"  # which shares that of small
            (root / size / part).symlink_to(EMBEDDED / owner / part)
        own = {name: value for name, value in config[FACTS].items() if name not in ("reads", "tokenizer")}
        content = {**config, FACTS: {**own, "size": size, **facts}}
        (root / size / "config.json").write_text(json.dumps(content), encoding="utf-8")
    return root


@pytest.fixture
def with_every_size(every_size: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let Farthing's own students be those of :func:`every_size` during a test."""
    for module in ("farthing.encoders.folder.locate", "farthing.metrics.frugalscore"):
        monkeypatch.setattr(f"{module}.EMBEDDED", every_size)
    return every_size


@pytest.fixture
def with_english_only(with_every_size: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an installation have the three English students only during a test."""
    (tmp_path / "own").mkdir()
    for size in ("small", "tiny", "nano"):
        (tmp_path / "own" / size).symlink_to(with_every_size / size)
    for module in ("farthing.encoders.folder.locate", "farthing.metrics.frugalscore"):
        monkeypatch.setattr(f"{module}.EMBEDDED", tmp_path / "own")


@pytest.fixture
def made_up_wordnet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A WordNet of a few words for NLTK, instead of the real one; see tests/wordnet.py."""
    nltk = pytest.importorskip("nltk", reason="nltk is not installed")
    from farthing.text.wordnet import find_synonyms

    spec = importlib.util.spec_from_file_location("wordnet", PROJECT / "tests" / "wordnet.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(nltk.data, "path", [str(module.write_wordnet(tmp_path / "nltk_data"))])
    reader = nltk.corpus.util.LazyCorpusLoader(
        "wordnet", nltk.corpus.reader.WordNetCorpusReader, None, nltk_data_subdir="corpora"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it has no words of other languages
        reader.ensure_loaded()
    monkeypatch.setattr(nltk.corpus, "wordnet", reader)
    find_synonyms.cache_clear()
    yield
    find_synonyms.cache_clear()
    for file in reader._data_file_map.values():  # NLTK leaves them open
        file.close()


@pytest.fixture(scope="session")
def tiny_gpt(tiny: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random GPT-2 with the tokenizer of the tiny RoBERTa."""
    return tiny.write_gpt(tmp_path_factory.mktemp("generator"))


@pytest.fixture(scope="session")
def tiny_bart(tiny: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random BART with the tokenizer of the tiny RoBERTa, small enough to generate in a moment."""
    return tiny.write_bart(tmp_path_factory.mktemp("generator"))


@pytest.fixture(scope="session")
def edits() -> Callable[[Sequence[object], Sequence[object]], int]:
    """Levenshtein's distance by its definition."""

    def distance(first: Sequence[object], second: Sequence[object]) -> int:
        row = list(range(len(second) + 1))
        for i, one in enumerate(first, start=1):
            last, row[0] = row[0], i
            for j, other in enumerate(second, start=1):
                last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (one != other))
        return row[-1]

    return distance


@pytest.fixture(scope="session")
def parity() -> Any:
    """The module tests/learn/parity/tiny_bert.py: the model on which the published programs were run."""
    spec = importlib.util.spec_from_file_location("tiny_bert", PROJECT / "tests" / "learn" / "parity" / "tiny_bert.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def published(parity: Any) -> Callable[[str], tuple[dict[str, Any], dict[str, Any]]]:
    """What the published programs said ("comet" or "adapters"): arrays, and the notes beside them."""

    def read(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
        from safetensors import safe_open

        with safe_open(PROJECT / "tests" / "learn" / "parity" / f"{name}.safetensors", "numpy") as file:
            notes = {key: json.loads(value) for key, value in file.metadata().items()}
            return {key: file.get_tensor(key) for key in file.keys()}, notes  # noqa: SIM118  # it is no dict

    return read


@pytest.fixture(scope="session")
def given_head(parity: Any) -> Callable[..., dict[str, Any]]:
    """The numbers that the script of tests/learn/parity gave COMET's mix and head, under our names."""
    import numpy as np

    def arrays(features: int, hidden: Sequence[int] = (48, 24)) -> dict[str, Any]:
        widths = [features, *hidden, 1]
        depth = parity.SHAPE["num_hidden_layers"] + 1
        mix = [parity.values(f"layerwise_attention.scalar_parameters.{layer}", [1], 0.5) for layer in range(depth)]
        found = {
            "mix.weights": np.concatenate(mix),
            "mix.gamma": parity.values("layerwise_attention.gamma", [1], 0.5)[0],
        }
        for place, (before, after) in enumerate(pairwise(widths)):
            name = f"estimator.ff.{3 * place}"
            found[f"dense.{place}.weight"] = parity.values(f"{name}.weight", [after, before], 0.5)
            found[f"dense.{place}.bias"] = parity.values(f"{name}.bias", [after], 0.5)
        return {name: np.asarray(value) for name, value in found.items()}

    return arrays


@pytest.fixture(scope="session")
def estimator_folder(
    parity: Any,
    parity_encoder: Path,
    given_head: Callable[..., dict[str, Any]],
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[..., Path]:
    """A folder of an estimator with the weights that COMET itself was run with; arguments change its shape."""
    from safetensors.numpy import save_file

    from farthing.students.layout import HEAD, add_facts
    from farthing.students.regressor import EstimatorShape

    def make(**changes: Any) -> Path:
        shape = EstimatorShape(**{"hidden": (48, 24), **changes})
        folder = tmp_path_factory.mktemp("estimator") / "estimator"
        shutil.copytree(parity_encoder, folder)
        save_file(given_head(shape.width(parity.SHAPE["hidden_size"])), folder / HEAD)
        against = {} if "reference" in shape.inputs else {"against": "source"}
        add_facts(folder, kind="estimator", estimator=shape.facts(), **against)
        return folder

    return make


@pytest.fixture(scope="session")
def parity_texts(parity: Any) -> dict[str, list[str]]:
    """The texts on which COMET itself was run: candidates, references and sources."""
    sides = {"candidates": parity.CANDIDATES, "references": parity.REFERENCES, "sources": parity.SOURCES}
    return {
        side: [" ".join(parity.VOCABULARY[number] for number in row[1:-1]) for row in rows]
        for side, rows in sides.items()
    }


@pytest.fixture(scope="session")
def parity_encoder(parity: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model of tests/learn/parity as a folder; its tokenizer reads words such as w7."""
    import tokenizers as tk
    import torch
    import transformers

    folder = tmp_path_factory.mktemp("parity")
    model = transformers.BertModel(transformers.BertConfig(**parity.SHAPE), add_pooling_layer=False)
    shapes = {name: tuple(part.shape) for name, part in model.named_parameters()}
    with torch.no_grad():
        for name, value in parity.filled(shapes).items():
            model.get_parameter(name).copy_(torch.from_numpy(value))
    model.save_pretrained(folder)
    numbers = {token: number for number, token in enumerate(parity.VOCABULARY)}
    tokenizer = tk.Tokenizer(tk.models.WordLevel(numbers, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tk.pre_tokenizers.WhitespaceSplit()
    tokenizer.add_special_tokens(list(parity.SPECIALS))
    around = [("[CLS]", numbers["[CLS]"]), ("[SEP]", numbers["[SEP]"])]
    tokenizer.post_processor = tk.processors.TemplateProcessing("[CLS] $A [SEP]", "[CLS] $A [SEP] $B [SEP]", around)
    tokenizer.save(str(folder / "tokenizer.json"))
    told = {"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "[PAD]", "unk_token": "[UNK]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(told))
    return folder
