"""Text to text by a pretrained model: translation, summaries, reconstruction. Batched, and each answer kept.

Answers do not depend on the other texts of a batch up to rounding, since decoding is greedy or by beams.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from farthing.core.digest import digest_files
from farthing.core.errors import ModelError, UsageError
from farthing.core.progress import Progress, counted, phase, silent
from farthing.core.threads import thread_count
from farthing.encoders.batching import batches, unique
from farthing.encoders.folder.locate import locate
from farthing.language.generations import Generations
from farthing.language.model import LanguageModel, load_language_model

TOKENS = 2048  # input tokens per batch


class Seq2Seq:
    """A seq2seq model that answers many texts.

    :param model: a folder or a name
    :param beams: the number of beams; 1 decodes greedily
    :param longest: the most tokens of an answer
    :param cache: a file that keeps the answers
    """

    def __init__(
        self, model: str, *, beams: int = 1, longest: int = 256, cache: Path | None = None, threads: int | None = None
    ) -> None:
        if beams < 1 or longest < 1:
            raise UsageError("beams and the longest answer must be at least 1")
        self.folder, self.name = locate(model), Path(model).name
        self.beams, self.longest, self.threads = beams, longest, thread_count(threads)
        self.cache = Generations(cache)

    @cached_property
    def key(self) -> str:
        """What makes the answers: the content of the folder and the settings."""
        return json.dumps([self.name, _content(self.folder), self.beams, self.longest])

    @property
    def mask_token(self) -> str | None:
        """What stands for missing text, or None if the model does not know such a thing."""
        token = getattr(self._loaded.tokenizer, "mask_token", None)
        return str(token) if token else None

    def generate(self, texts: Sequence[str], progress: Progress = silent) -> list[str]:
        """Return one answer per text; equal texts are answered once.

        :param progress: is told the number of distinct texts that were just answered
        """
        distinct, places = unique(texts)
        answers = self.cache.find(self.key, distinct)
        progress(len(answers))
        missing = [text for text in distinct if text not in answers]
        with phase("generating", len(missing)) as shown:
            for batch in self._batches(missing):
                fresh = dict(zip(batch, self._answers(batch), strict=True))
                self.cache.keep(self.key, fresh)
                answers |= fresh
                progress(len(fresh))
                shown(len(fresh))
        return [answers[distinct[place]] for place in places]

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        if not texts:
            return iter(())
        lengths = [len(row) for row in self._loaded.tokenizer(list(texts), truncation=True)["input_ids"]]
        return ([texts[row] for row in rows] for rows in batches(lengths, tokens=TOKENS, slack=0.5))

    def _answers(self, texts: Sequence[str]) -> list[str]:
        import torch

        model, tokenizer = self._loaded
        inputs = tokenizer(list(texts), return_tensors="pt", padding=True, truncation=True)
        inputs.pop("token_type_ids", None)
        room = getattr(model.config, "max_position_embeddings", None) or self.longest + 2
        longest = min(self.longest, room - 2)  # the most tokens that the decoder has positions for
        with torch.inference_mode():
            answers = model.generate(
                **inputs, num_beams=self.beams, do_sample=False, max_length=None, max_new_tokens=longest
            )
        return [str(text).strip() for text in tokenizer.batch_decode(answers, skip_special_tokens=True)]

    @cached_property
    def _loaded(self) -> LanguageModel:
        return load_language_model(self.folder, "seq2seq", self.threads)


class MaskFiller:
    """A masked language model that puts words in the place of masks, all masks of a text at once.

    :param model: a folder or a name
    :param cache: a file that keeps the answers
    """

    def __init__(self, model: str, *, cache: Path | None = None, threads: int | None = None) -> None:
        self.folder, self.name = locate(model), Path(model).name
        self.threads, self.cache = thread_count(threads), Generations(cache)

    @cached_property
    def key(self) -> str:
        """What makes the answers: the content of the folder."""
        return json.dumps(["fill", self.name, _content(self.folder)])

    @property
    def mask_token(self) -> str:
        """What stands for one missing token."""
        return str(self._loaded.tokenizer.mask_token)

    def generate(self, texts: Sequence[str], progress: Progress = silent) -> list[str]:
        """Return the texts with the likeliest token in the place of every mask."""
        distinct, places = unique(texts)
        answers = self.cache.find(self.key, distinct)
        progress(len(answers))
        for text in counted("generating", distinct):
            if text not in answers:
                answers[text] = self._filled(text)
                self.cache.keep(self.key, {text: answers[text]})
                progress(1)
        return [answers[distinct[place]] for place in places]

    def _filled(self, text: str) -> str:
        import torch

        model, tokenizer = self._loaded
        inputs = tokenizer(text, return_tensors="pt", truncation=True)
        ids = inputs["input_ids"]
        with torch.inference_mode():
            logits = model(**inputs).logits
            logits[..., tokenizer.all_special_ids] = -torch.inf
            filled = torch.where(ids == tokenizer.mask_token_id, logits.argmax(-1), ids)
        return str(tokenizer.decode(filled[0], skip_special_tokens=True)).strip()

    @cached_property
    def _loaded(self) -> LanguageModel:
        loaded = load_language_model(self.folder, "masked", self.threads)
        if loaded.tokenizer.mask_token is None:
            raise ModelError(f"{self.folder} has no mask token: give a masked language model")
        return loaded


def _content(folder: Path) -> str:
    """Name what makes a model's answers: its weights and its JSON files."""
    return digest_files(sorted([*folder.glob("*.json"), *folder.glob("*.safetensors")]))
