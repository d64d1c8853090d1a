"""BARTScore: how likely a seq2seq model finds one text after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from farthing.core.errors import SpecError
from farthing.core.metric import Metric, check_pairs, check_positive, empty_notes
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import MetricInfo, Note, Pairs, Scores
from farthing.language.likelihood import TOKENS, Likelihood
from farthing.metrics.tokens.base import reference_count

Direction = Literal["f", "precision", "recall", "faithfulness"]


class BartScore(Metric):
    """Mean log-likelihood of one text given the other (Yuan et al. 2021); at most 0, higher is better.

    `precision` is the candidate after the reference, `recall` the reference after the candidate, `f` their mean,
    `faithfulness` the candidate after the source.
    """

    about: ClassVar[MetricInfo] = MetricInfo(
        name="bartscore",
        summary="Log-likelihood of one text given the other, under any seq2seq model.",
        paper="Yuan et al. 2021, BARTScore: Evaluating Generated Text as Text Generation",
        range=(None, 0),
        extra="torch",
    )

    def __init__(
        self,
        *,
        model: Annotated[str, "name or folder of a seq2seq model"] = "facebook/bart-large-cnn",
        direction: Annotated[
            Direction, "which text is predicted from which; faithfulness is source to candidate"
        ] = "f",
        references: Annotated[Literal["max", "mean"], "several references: the best, or the mean over all"] = "max",
        prompts: Annotated[list[str] | None, "words to put between the texts, one run each, averaged"] = None,
        prompt_side: Annotated[
            Literal["source", "target"], "prompts end the text given, or begin the predicted"
        ] = "source",
        tokens: Annotated[int, "tokens a batch; halved where memory runs out"] = TOKENS,
        threads: Annotated[int | None, "how many cores; else $FARTHING_THREADS, $OMP_NUM_THREADS, all"] = None,
        device: Annotated[str, "where torch runs, such as cpu or cuda"] = "cpu",
    ) -> None:
        check_positive("bartscore", tokens=tokens)
        if prompts is not None and not prompts:
            raise SpecError("bartscore: prompts=[] is empty: give at least one prompt, or leave it out")
        self.direction, self.references = direction, references
        self.prompts, self.prompt_side = list(prompts or []), prompt_side
        self.model = Likelihood(model, threads=threads, device=device, tokens=tokens)

    @property
    def info(self) -> MetricInfo:
        """What this metric needs: faithfulness compares with the source."""
        faithful = self.direction == "faithfulness"
        return replace(self.about, needs=frozenset({"source"})) if faithful else self.about

    def score(self, pairs: Pairs) -> Scores:
        """Score every pair and the whole."""
        return self.score_systems([pairs])[0]

    def score_systems(self, systems: Sequence[Pairs]) -> list[Scores]:
        """Score several systems; equal pairs of texts are run once."""
        for pairs in systems:
            check_pairs(self.info, pairs)
        return [self._scored(pairs) for pairs in systems]

    def _scored(self, pairs: Pairs) -> Scores:
        parts: dict[str, Any] = {}
        if self.direction == "faithfulness":
            segments, cut = self._likelihoods(list(pairs.sources or []), list(pairs.candidates))
        else:
            segments, parts, cut = self._with_references(pairs)
        kind: Literal["source", "reference"] = "source" if self.direction == "faithfulness" else "reference"
        return Scores(
            corpus=float(segments.mean()),
            segments=segments,
            parts=parts,
            notes=(*empty_notes(pairs, kind), *self._cut_note(cut)),
            signature=Signature(self.info.name, self._fields(pairs)),
            system=pairs.system,
        )

    def _with_references(self, pairs: Pairs) -> tuple[np.ndarray, dict[str, Any], list[int]]:
        rows = [row for row, references in enumerate(pairs.references) for _ in references]
        candidates = [pairs.candidates[row] for row in rows]
        references = [text for row in pairs.references for text in row]
        found: dict[str, np.ndarray] = {}
        cut: set[int] = set()
        for name, (given, predicted) in {
            "precision": (references, candidates),
            "recall": (candidates, references),
        }.items():
            if self.direction in ("f", name):
                found[name], more = self._likelihoods(given, predicted)
                cut |= {rows[place] for place in more}
        both = np.mean(list(found.values()), axis=0)
        ends = np.cumsum([len(row) for row in pairs.references])
        starts = [0, *ends[:-1]]
        pick = np.array([self._chosen(both[start:end], start) for start, end in zip(starts, ends, strict=True)])
        if self.references == "max":
            return both[pick], _only_f({name: values[pick] for name, values in found.items()}), sorted(cut)
        counts = np.diff([0, *ends])
        means = {name: np.add.reduceat(values, starts) / counts for name, values in {**found, "": both}.items()}
        return means.pop(""), _only_f(means), sorted(cut)

    def _chosen(self, values: np.ndarray, start: int) -> int:
        return start + int(values.argmax())

    def _likelihoods(self, given: list[str], predicted: list[str]) -> tuple[np.ndarray, list[int]]:
        """The likelihoods of one direction, averaged over the prompts, and the rows that were cut."""
        runs = [
            ([f"{text.rstrip()} {prompt}" for text in given], predicted)
            if self.prompt_side == "source"
            else (given, [f"{prompt} {text.lstrip()}" for text in predicted])
            for prompt in self.prompts
        ] or [(given, predicted)]
        found = [self.model.scores(*run) for run in runs]
        return np.mean([values for values, _ in found], axis=0), sorted({row for _, cut in found for row in cut})

    def _cut_note(self, rows: list[int]) -> tuple[Note, ...]:
        message = f"a text is longer than the {self.model.limit} tokens the model reads and lost its end"
        return (Note("truncated", message, tuple(rows)),) if rows else ()

    def _fields(self, pairs: Pairs) -> dict[str, Value]:
        prompts: dict[str, Value] = {"prompts": list(self.prompts), "prompt_side": self.prompt_side}
        return {
            "nrefs": reference_count(pairs),
            **self.model.fields(),
            "direction": self.direction,
            "references": self.references,
            **(prompts if self.prompts else {}),
        }


def _only_f(parts: dict[str, np.ndarray]) -> dict[str, Any]:
    """Precision and recall, where both were asked for."""
    return dict(parts) if len(parts) == 2 else {}
