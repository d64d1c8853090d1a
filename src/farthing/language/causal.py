"""How likely a text is by itself: the mean log-likelihood of its tokens under a causal language model."""

from __future__ import annotations

import contextlib
import io
import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from farthing.core.errors import MissingExtra, ModelError
from farthing.core.specs import Value
from farthing.core.threads import thread_count
from farthing.encoders.backends.torch import quiet
from farthing.encoders.folder.locate import locate
from farthing.encoders.protocol import file_hash
from farthing.language.likelihood import TOKENS, Ids, load_quietly, run_batches

LIMIT = 1024  # longer texts lose their end


class CausalLanguageModel:
    """A causal language model that says how fluent texts are.

    :param model: a folder with safetensors, or with one GGUF file
    :param start: put the model's begin token before every text, so that its first token is predicted, too;
        without it a text of one token has nothing to predict
    """

    def __init__(self, model: str, *, start: bool = True, threads: int | None = None, device: str = "cpu") -> None:
        self.folder, self.name, self.device = locate(model), Path(model).name, device
        self.model, self.tokenizer = _load(self.folder, thread_count(threads))
        self.model.to(device)
        self.limit = min(LIMIT, int(self.tokenizer.model_max_length))
        begin = self.tokenizer.bos_token_id
        begin = self.tokenizer.eos_token_id if begin is None else begin
        self.start: Ids = [begin] if start and begin is not None else []

    def scores(self, texts: Sequence[str]) -> np.ndarray:
        """The mean log-likelihood (natural, at most 0) of the tokens of every text.

        A text with nothing to predict gets that of a blind guess, -ln(vocabulary).
        """
        distinct = list(dict.fromkeys(texts))
        contents = self.tokenizer(distinct, add_special_tokens=False)["input_ids"] if distinct else []
        rows = [[*self.start, *content][: self.limit] for content in contents]
        found = np.full(len(rows), -math.log(self.model.config.vocab_size))
        places = [number for number, row in enumerate(rows) if len(row) > 1]
        if places:
            chosen = [rows[place] for place in places]
            found[places] = run_batches(
                lambda batch: self._run([chosen[row] for row in batch]), [len(row) for row in chosen], TOKENS
            )
        known = dict(zip(distinct, found, strict=True))
        return np.array([known[text] for text in texts])

    def _run(self, rows: list[Ids]) -> Sequence[float]:
        import torch

        from farthing.encoders.batching import padded

        ids, mask = (torch.from_numpy(array).to(self.device) for array in padded(rows, 0))
        with torch.inference_mode():
            logits = self.model(input_ids=ids, attention_mask=mask).logits[:, :-1]
            chosen = logits.float().log_softmax(dim=-1).gather(-1, ids[:, 1:, None]).squeeze(-1)
            counted = mask[:, 1:]
            means = (chosen * counted).sum(dim=1) / counted.sum(dim=1)
        return [float(value) for value in means.cpu()]

    @cached_property
    def weights_hash(self) -> str:
        """Twelve digits of the hash of the weight files."""
        return file_hash(*sorted([*self.folder.glob("*.safetensors"), *self.folder.glob("*.gguf")]))

    def fields(self) -> dict[str, Value]:
        """The model's part of a score's signature."""
        return {"lm": self.name, "lm_weights": self.weights_hash, "lm_start": bool(self.start)}


def _load(folder: Path, threads: int) -> tuple[Any, Any]:
    packed = sorted(folder.glob("*.gguf"))
    if any(folder.glob("*.safetensors")) or not packed:
        return load_quietly(folder, threads, "AutoModelForCausalLM")
    try:
        import gguf  # noqa: F401
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtra("reading a GGUF model", "gguf") from error
    torch.set_num_threads(threads)
    # the bar of the conversion heeds no setting of transformers
    with quiet(transformers), contextlib.redirect_stderr(io.StringIO()):
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, gguf_file=packed[0].name)
            model = transformers.AutoModelForCausalLM.from_pretrained(folder, gguf_file=packed[0].name)
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise ModelError(f"{packed[0]} cannot be loaded: {str(error).strip().splitlines()[0]}") from error
    return model.eval(), tokenizer
