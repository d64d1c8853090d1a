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
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parents[1]


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
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """A tiny random model of a family such as "bert" or "t5", made in a moment; see tests/tiny.py."""
    spec = importlib.util.spec_from_file_location("tiny", PROJECT / "tests" / "tiny.py")
    assert spec is not None
    assert spec.loader is not None
    tiny = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tiny)
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
def without_source(with_every_size: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an installation have no student that compares with sources during a test."""
    (tmp_path / "own").mkdir()
    for size in ("small", "tiny", "nano", "multi"):
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
def tiny_generator(tiny_model: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Write a random language model with the tokenizer of the tiny RoBERTa, made of that tokenizer."""

    def write(make: Callable[[Any], Any]) -> Path:
        import torch
        import transformers

        folder = tmp_path_factory.mktemp("generator")
        for path in tiny_model("roberta").glob("tokenizer*.json"):
            shutil.copy(path, folder)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        torch.manual_seed(0)
        make(tokenizer).save_pretrained(folder)
        return folder

    return write


@pytest.fixture(scope="session")
def tiny_gpt(tiny_generator: Callable[..., Path]) -> Path:
    """A random GPT-2 with the tokenizer of the tiny RoBERTa."""
    from transformers import GPT2Config, GPT2LMHeadModel

    return tiny_generator(
        lambda tokenizer: GPT2LMHeadModel(
            GPT2Config(
                vocab_size=len(tokenizer), n_embd=16, n_layer=2, n_head=2, n_positions=64, initializer_range=0.5,
                bos_token_id=tokenizer.cls_token_id, eos_token_id=tokenizer.sep_token_id,
            )
        )
    )  # fmt: skip


@pytest.fixture(scope="session")
def tiny_bart(tiny_generator: Callable[..., Path]) -> Path:
    """A random BART with the tokenizer of the tiny RoBERTa, small enough to generate in a moment."""
    from transformers import BartConfig, BartForConditionalGeneration

    return tiny_generator(
        lambda tokenizer: BartForConditionalGeneration(
            BartConfig(
                vocab_size=len(tokenizer), d_model=16, encoder_layers=2, decoder_layers=2, encoder_ffn_dim=24,
                decoder_ffn_dim=24, encoder_attention_heads=2, decoder_attention_heads=2, max_position_embeddings=64,
                init_std=0.5,
                bos_token_id=tokenizer.cls_token_id, pad_token_id=tokenizer.pad_token_id,
                eos_token_id=tokenizer.sep_token_id, decoder_start_token_id=tokenizer.sep_token_id,
                forced_eos_token_id=tokenizer.sep_token_id,
            )
        )
    )  # fmt: skip


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
