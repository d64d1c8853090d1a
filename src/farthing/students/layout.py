"""A student's folder as a type: its kind, its files and its facts; and the table of the kinds.

config.json        the model's configuration; under "farthing" the kind and what else is known of the student: "version"
                   (of its weights, 1 if nothing is said), "reads" (codes of languages), "measured" (codes of languages
                   for which there are figures, if it reads all), "lowest" (the lowest score of the calibration set),
                   "characters" (the scale of texts that it cannot read), "focus" (the scales of precision and recall),
                   "against" ("source" if it compares with sources, not with references), "features" (the groups of
                   features that its head reads), "encoder" (the name of the folder beside this one whose encoder and
                   tokenizer it shares, unless it has its own), "tokenizer" (the same for tokenizer.json alone),
                   "weights" (its weights among the graph's outputs) and "estimator" (the shape of an estimator)
tokenizer.json     and, if the model has one, tokenizer_config.json
model.onnx         kind cross: the exported graph; without it, a Hugging Face folder with model.safetensors
                   kind estimator: the exported encoder; without it, an encoder's folder with model.safetensors
encoder.onnx       kind match: the encoder of token vectors; encoder.fp32.onnx, if there is one, in full precision
lower.onnx         the embeddings and lowest layers, if several students share them; encoder.onnx has the layers above
tokens.safetensors kind static: the tables of token vectors
head.safetensors   kinds match and static: what turns differences into a score
                   kind estimator: the mix of layers, and the head over the vectors of whole texts
adapter/           kind estimator: the adapter that it learned, if it learned one; it is part of the weights already
card.md            what a reader should know
card.json          the facts that card.md was written from, if they are not in config.json
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from farthing.core.digest import digest_files
from farthing.core.errors import MissingInput, ModelError
from farthing.core.types import Need, Pairs
from farthing.encoders.backends.embedded import FILES as ENCODERS
from farthing.encoders.backends.embedded import lower_graph
from farthing.encoders.folder.layout import CONFIG, GRAPH, WEIGHTS
from farthing.encoders.tokens.tokenize import longest_input, part_of, read_json
from farthing.students.student import PairOptions, Student
from farthing.text.languages import foreign
from farthing.text.split import SplitTexts

HEAD, CARD, CARD_FACTS = "head.safetensors", "card.md", "card.json"
FACTS = "farthing"  #: the part of config.json that is about the student
TOKENIZER = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt")
#: The groups of features beside those of the aligned tokens.
SURFACE, LANGUAGES, ORDER, CASE, EDITS = "surface", "languages", "order", "case", "edits"
GROUPS = (SURFACE, LANGUAGES, ORDER, CASE, EDITS)  #: in this order in a head; the first is always there
PLAIN = "cross"  #: the kind of a folder that does not tell one: a model with a head of one output
USUAL = PairOptions()
# Nats of evidence against a single text. A run is scored only if most of its references are readable, so a text among
# them that is not is rare, and must be clearer than one of a run of which nothing is known.
SINGLE_CLEAR = 10.0


class StudentKind(NamedTuple):
    """One kind of student: which files hold its weights, and which class runs it, as "module:class"."""

    files: tuple[str, ...]
    target: str


KINDS = {
    "cross": StudentKind((GRAPH,), "farthing.students.cross:CrossStudent"),
    "match": StudentKind((ENCODERS["match"], HEAD), "farthing.students.match:MatchStudent"),
    "static": StudentKind((ENCODERS["static"], HEAD), "farthing.students.match:MatchStudent"),
    "estimator": StudentKind((GRAPH, HEAD), "farthing.students.estimator:EstimatorStudent"),
}


@dataclass(frozen=True, slots=True)
class StudentFolder:
    """What a student's folder holds.

    :param kind: a name of :data:`KINDS`
    :param config: all of config.json
    :param facts: its part "farthing": what is known of the student, such as its teacher and its training
    """

    path: Path
    kind: str
    config: Mapping[str, object]
    facts: Mapping[str, object]

    @classmethod
    def read(cls, path: Path) -> StudentFolder:
        """Read a folder's configuration; an unknown kind raises a sentence."""
        config = read_json(path / CONFIG)
        told = config.get(FACTS)
        facts: dict[str, object] = told if isinstance(told, dict) else {}
        kind = str(facts.get("kind", PLAIN))
        if kind not in KINDS:
            known = ", ".join(KINDS)
            raise ModelError(f"{path} is a student of the unknown kind {kind!r} (this version knows: {known})")
        return cls(path, kind, config, facts)

    @property
    def name(self) -> str:
        """The folder's own name."""
        return self.path.resolve().name

    @property
    def version(self) -> int:
        """The version of the weights."""
        told = self.facts.get("version", 1)
        if not isinstance(told, int) or told < 1:
            raise ModelError(f"{self.path / CONFIG}: version={told!r} is not a whole number from 1 on")
        return told

    @property
    def exported(self) -> bool:
        """Tell whether the student runs without torch."""
        return all(self._place(name).is_file() for name in KINDS[self.kind].files)

    @property
    def weights(self) -> tuple[Path, ...]:
        """The files whose content makes the scores, besides the tokenizer; those that it shares included."""
        names = KINDS[self.kind].files
        if not self.exported:
            names = tuple(WEIGHTS if name == GRAPH else name for name in names)
        lower = lower_graph(self.path) if self.kind in ENCODERS else None
        own, *rest = map(self._place, names)
        return (own, lower, *rest) if lower else (own, *rest)

    @property
    def tokenizer(self) -> Path:
        """Where its tokenizer.json is: in this folder, or in one beside it."""
        return part_of(self.path, TOKENIZER[0])

    def _place(self, name: str) -> Path:
        """Return where a file of weights is; a head is never that of another student."""
        return self.path / name if name == HEAD else part_of(self.path, name)

    @property
    def digest(self) -> str:
        """Name the content of the weights by twelve digits; "unknown" if they are in several numbered files."""
        return digest_files(self.weights) if all(path.is_file() for path in self.weights) else "unknown"

    @property
    def precision(self) -> str:
        """How the weights are stored: fp32, fp16 or int8."""
        return str(self.facts.get("precision", "int8" if self.kind in ENCODERS else "fp32"))

    @property
    def reads(self) -> tuple[str, ...]:
        """The codes of the languages that the student reads; empty if the folder does not tell."""
        told = self.facts.get("reads")
        return tuple(map(str, told)) if isinstance(told, list) else ()

    @property
    def against(self) -> Need:
        """What the student compares candidates with."""
        return "source" if self.facts.get("against") == "source" else "reference"

    def compared(self, pairs: Pairs) -> Pairs:
        """Return pairs whose references are the texts that the student compares with."""
        if self.against == "reference":
            return pairs
        if pairs.sources is None:
            raise MissingInput(
                f"{self.name} compares with sources: give them (-s on the command line, sources= in Python)"
            )
        return Pairs(pairs.candidates, [[source] for source in pairs.sources], system=pairs.system)

    @property
    def features(self) -> tuple[str, ...]:
        """The groups of features that the head reads after the differences of the aligned tokens."""
        told = self.facts.get("features", [SURFACE])
        names = tuple(map(str, told)) if isinstance(told, list) else ()
        if names != tuple(name for name in GROUPS if name in (SURFACE, *names)):
            known = ", ".join(GROUPS)
            raise ModelError(
                f"{self.path} has the unknown features {told!r} (this version knows, in this order: {known}; the first "
                "of them is always there)"
            )
        return names

    def foreign(self, texts: Sequence[str], split: SplitTexts | None = None) -> frozenset[str]:
        """Return the texts that are clearly in none of the languages that the student reads.

        :param split: the words of the texts, if they are known already
        """
        return _outside(self.reads, texts, split)

    def unmeasured(self, texts: Sequence[str], split: SplitTexts | None = None) -> frozenset[str]:
        """Return the texts that are clearly in none of the languages for which there are figures, if any are told."""
        told = self.facts.get("measured")
        return _outside(tuple(map(str, told)) if isinstance(told, list) else (), texts, split)

    @property
    def limit(self) -> int:
        """The most tokens of an input, special tokens included."""
        return longest_input(self.config, read_json(part_of(self.path, TOKENIZER[1]), missing_ok=True))

    @property
    def bytes(self) -> int:
        """The size of its own files but the card."""
        return sum(path.stat().st_size for path in self.path.iterdir() if path.name not in (CARD, CARD_FACTS))


def _outside(codes: Collection[str], texts: Sequence[str], split: SplitTexts | None) -> frozenset[str]:
    if not codes:
        return frozenset()
    languages = foreign(texts, codes, SINGLE_CLEAR, split)
    return frozenset(text for text, language in zip(texts, languages, strict=True) if language)


def rows_with(texts: Collection[str], pairs: Pairs) -> tuple[int, ...]:
    """Return the rows that have one of these texts."""
    if not texts:
        return ()
    rows = enumerate(zip(pairs.candidates, pairs.references, strict=True))
    return tuple(row for row, (candidate, given) in rows if any(text in texts for text in (candidate, *given)))


def add_facts(folder: Path, **facts: object) -> None:
    """Write what is known of a student into its configuration, where :class:`StudentFolder` finds it."""
    config = read_json(folder / CONFIG)
    config[FACTS] = {**config.get(FACTS, {}), **facts}
    (folder / CONFIG).write_text(json.dumps(config, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def open_student(folder: Path, options: PairOptions = USUAL, *, threads: int | None = None) -> Student:
    """Open the student in a folder, whatever its kind.

    :param options: how pairs are read; not every kind takes every option
    :param threads: how many cores to use
    """
    layout = StudentFolder.read(folder)
    module, _, name = KINDS[layout.kind].target.partition(":")
    build: Callable[..., Student] = getattr(import_module(module), name)
    return build(layout, options, threads=threads)
