"""Text to text by a pretrained model: translation, summaries, reconstruction. Batched, and each answer kept.

Answers are the same whatever the batch mates are up to rounding, since decoding is greedy or by beams.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from farthing.core.errors import MissingExtra, ModelError, OutputError, UsageError
from farthing.core.threads import thread_count
from farthing.encoders.backends.torch import quiet
from farthing.encoders.batching import batches, unique
from farthing.encoders.folder.locate import locate

Progress = Callable[[int], None]
TOKENS = 2048  # input tokens a batch


class Generations:
    """Answers that were given before, in one SQLite file: a run that is killed starts where it ended.

    :param path: the file, or None to remember nothing
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def find(self, key: str, texts: Sequence[str]) -> dict[str, str]:
        """The known answers to some texts."""
        if self.path is None or not self.path.exists():
            return {}
        with self._opened() as store:
            rows = (
                (text, store.execute("SELECT answer FROM answers WHERE key=?", [_key(key, text)])) for text in texts
            )
            return {text: answer[0] for text, row in rows if (answer := row.fetchone())}

    def keep(self, key: str, answers: dict[str, str]) -> None:
        """Remember some answers."""
        if self.path is None:
            return
        rows = [(_key(key, text), answer) for text, answer in answers.items()]
        with self._opened() as store, store:
            store.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", rows)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(str(self.path), timeout=60)) as store:
                store.execute("CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, answer TEXT) WITHOUT ROWID")
                yield store
        except sqlite3.Error as error:
            raise OutputError(f"{self.path}: the store of generated texts cannot be used: {error}") from error


def _key(settings: str, text: str) -> bytes:
    return hashlib.sha256(f"{settings}\0{text}".encode()).digest()


class Seq2Seq:
    """A seq2seq model that answers many texts.

    :param model: a folder or a name
    :param beams: 1 decodes greedily, as the paper does
    :param longest: the most tokens of an answer
    :param cache: a file that keeps the answers
    """

    def __init__(
        self, model: str, *, beams: int = 1, longest: int = 256, cache: Path | None = None, threads: int | None = None
    ) -> None:
        if beams < 1 or longest < 1:
            raise UsageError("beams and the longest answer must be at least 1")
        self.folder = locate(model)
        self.name = Path(model).name
        self.beams, self.longest, self.threads = beams, longest, thread_count(threads)
        self.cache = Generations(cache)
        self.key = json.dumps([self.name, _fingerprint(self.folder), beams, longest])
        self._loaded: tuple[Any, Any] | None = None

    @property
    def mask_token(self) -> str | None:
        """What stands for text that is missing, where the model knows such a thing."""
        token = getattr(self._load()[1], "mask_token", None)
        return str(token) if token else None

    def generate(self, texts: Sequence[str], progress: Progress = lambda done: None) -> list[str]:
        """One answer a text, equal texts answered once.

        :param progress: called with the number of distinct texts that were just answered
        """
        distinct, places = unique(texts)
        answers = self.cache.find(self.key, distinct)
        progress(len(answers))
        missing = [text for text in distinct if text not in answers]
        for batch in self._batches(missing):
            fresh = dict(zip(batch, self._answers(batch), strict=True))
            self.cache.keep(self.key, fresh)
            answers |= fresh
            progress(len(fresh))
        return [answers[distinct[place]] for place in places]

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        if not texts:
            return iter(())
        tokenizer = self._load()[1]
        lengths = [len(row) for row in tokenizer(list(texts), truncation=True)["input_ids"]]
        return ([texts[row] for row in rows] for rows in batches(lengths, tokens=TOKENS, slack=0.5))

    def _answers(self, texts: Sequence[str]) -> list[str]:
        import torch

        model, tokenizer = self._load()
        inputs = tokenizer(list(texts), return_tensors="pt", padding=True, truncation=True)
        inputs.pop("token_type_ids", None)
        room = getattr(model.config, "max_position_embeddings", None) or self.longest + 2
        longest = min(self.longest, room - 2)  # the decoder has places for so many tokens
        with torch.inference_mode():
            answers = model.generate(
                **inputs, num_beams=self.beams, do_sample=False, max_length=None, max_new_tokens=longest
            )
        return [str(text).strip() for text in tokenizer.batch_decode(answers, skip_special_tokens=True)]

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            self._loaded = load_generator(self.folder, self.threads, "AutoModelForSeq2SeqLM")
        return self._loaded


class MaskFiller:
    """A masked language model that puts words where a text has masks, all of a text at once.

    :param model: a folder or a name
    """

    def __init__(self, model: str, *, cache: Path | None = None, threads: int | None = None) -> None:
        self.folder, self.name = locate(model), Path(model).name
        self.threads, self.cache = thread_count(threads), Generations(cache)
        self.key = json.dumps(["fill", self.name, _fingerprint(self.folder)])
        self._loaded: tuple[Any, Any] | None = None

    @property
    def mask_token(self) -> str:
        """What stands for one missing token."""
        return str(self._load()[1].mask_token)

    def generate(self, texts: Sequence[str], progress: Progress = lambda done: None) -> list[str]:
        """The texts with the likeliest token at every mask."""
        distinct, places = unique(texts)
        answers = self.cache.find(self.key, distinct)
        progress(len(answers))
        for text in distinct:
            if text not in answers:
                answers[text] = self._filled(text)
                self.cache.keep(self.key, {text: answers[text]})
                progress(1)
        return [answers[distinct[place]] for place in places]

    def _filled(self, text: str) -> str:
        import torch

        model, tokenizer = self._load()
        inputs = tokenizer(text, return_tensors="pt", truncation=True)
        ids = inputs["input_ids"]
        with torch.inference_mode():
            logits = model(**inputs).logits
            logits[..., tokenizer.all_special_ids] = -torch.inf
            filled = torch.where(ids == tokenizer.mask_token_id, logits.argmax(-1), ids)
        return str(tokenizer.decode(filled[0], skip_special_tokens=True)).strip()

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            self._loaded = load_generator(self.folder, self.threads, "AutoModelForMaskedLM")
            if self._loaded[1].mask_token is None:
                raise ModelError(f"{self.folder} has no mask token: give a masked language model")
        return self._loaded


def load_generator(folder: Path, threads: int, kind: str) -> tuple[Any, Any]:
    """A model and its tokenizer, ready to answer."""
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtra("generating text", "learn") from error
    from safetensors import SafetensorError

    torch.set_num_threads(threads)
    loader = getattr(transformers, kind)
    options = {"use_safetensors": True, "output_loading_info": True, "local_files_only": True}
    try:
        with quiet(transformers), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # Marian's tokenizer advertises a package
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model, report = loader.from_pretrained(folder, **options)
    except (OSError, ValueError, ImportError, KeyError, RuntimeError, SafetensorError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelError(f"{folder} cannot be loaded to generate text: {reason}") from error
    missing = [name for name in report["missing_keys"] if "position" not in name]
    if missing:
        raise ModelError(f"{folder} is no such model: it has no weights for {sorted(missing)[0]}")
    if tokenizer.model_max_length > 10**6:  # transformers' way of saying that nobody knows
        tokenizer.model_max_length = getattr(model.config, "max_position_embeddings", 512)
    return model.eval(), tokenizer


def _fingerprint(folder: Path) -> str:
    """Changes when the weights do: their sizes and the configuration's text, which is quick to read."""
    digest = hashlib.sha256()
    for path in sorted([*folder.glob("*.json"), *folder.glob("*.safetensors")]):
        digest.update(f"{path.name}:{path.stat().st_size}".encode())
        if path.suffix == ".json":
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
