"""The one loader of transformers' models: nothing unsafe, nothing printed, one sentence for what fails."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import transformers

from farthing.core.errors import ModelError
from farthing.encoders.backends.pretrained import load_config, load_pretrained, load_tokenizer, quietly


@pytest.fixture
def folder(tiny_model: Callable[..., Path], tmp_path: Path) -> Path:
    """A tiny BERT that a test may damage."""
    shutil.copytree(tiny_model("bert"), tmp_path / "model")
    return tmp_path / "model"


def test_the_model_is_the_one_that_was_saved(folder: Path) -> None:
    expected = transformers.BertModel.from_pretrained(folder).state_dict()
    model = load_pretrained(folder)
    assert not model.training
    assert all(torch.equal(value, expected[name]) for name, value in model.state_dict().items())
    assert (
        load_tokenizer(folder)("rain")["input_ids"]
        == transformers.AutoTokenizer.from_pretrained(folder)("rain")["input_ids"]
    )


def test_pickles_are_never_read(folder: Path) -> None:
    torch.save({}, folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="cannot be loaded as an encoder"):
        load_pretrained(folder)


def test_code_of_a_folder_is_never_run(folder: Path) -> None:
    (folder / "evil.py").write_text(f"open({str(folder / 'ran')!r}, 'w')\nclass C: ...\nclass M: ...\n")
    config = json.loads((folder / "config.json").read_text())
    mapped = {"AutoConfig": "evil.C", "AutoModel": "evil.M"}
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "evil", "auto_map": mapped}))
    with pytest.raises(ModelError):
        load_pretrained(folder)
    assert not (folder / "ran").exists()


def test_a_head_that_is_missing_is_new_or_refused(folder: Path) -> None:
    config = load_config(folder, num_labels=1, hidden_dropout_prob=0.0, no_such_field=3)
    assert not hasattr(config, "no_such_field")
    model = load_pretrained(folder, "classifier", config=config)
    assert model.classifier.out_features == 1
    assert model.config.hidden_dropout_prob == 0
    with pytest.raises(ModelError, match=r"is not a cross-encoder: it has no weights for .*`farthing learn distil`"):
        load_pretrained(folder, "classifier", config=config, complete=True)
    model.save_pretrained(folder)
    again = load_pretrained(folder, "classifier", complete=True)
    assert torch.equal(again.classifier.weight, model.classifier.weight)


def test_numbers_keep_their_type_unless_full_precision_is_asked_for(folder: Path) -> None:
    transformers.BertModel.from_pretrained(folder, dtype=torch.float16).save_pretrained(folder)
    assert load_pretrained(folder).dtype == torch.float16
    assert load_pretrained(folder, full_precision=True).dtype == torch.float32


@pytest.mark.parametrize(("task", "what"), [("seq2seq", "a seq2seq model"), ("causal", "a causal language model")])
def test_what_cannot_be_loaded_is_one_sentence(tmp_path: Path, task: str, what: str) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "vit"}')
    with pytest.raises(ModelError, match=f"cannot be loaded as {what}: ") as caught:
        load_pretrained(tmp_path, task)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    with pytest.raises(ModelError, match="cannot be loaded as a tokenizer"):
        load_tokenizer(tmp_path)


def test_nothing_is_printed_and_settings_come_back(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    logging = transformers.utils.logging
    before = logging.get_verbosity(), logging.is_progress_bar_enabled()
    with quietly():
        assert not logging.is_progress_bar_enabled()
    load_pretrained(folder, "classifier")  # a new head, which transformers would report
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == before
    assert capfd.readouterr() == ("", "")
