"""BARTScore: the likelihood of one text given the other, under a seq2seq model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Literal

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.errors import SpecError
from farthing.core.metric import Metric, check_pairs, check_positive, empty_notes
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import MetricInfo, Need, Note, Pairs, Part, Scores
from farthing.language.batches import TOKENS
from farthing.language.likelihood import Likelihood
from farthing.metrics.tokens.base import reference_count

Direction = Literal["f", "precision", "recall", "faithfulness"]


class BartScore(Metric):
    """Mean log-likelihood of one text given the other (Yuan et al. 2021); at most 0, higher is better.

    `precision` is the likelihood of the candidate given the reference, `recall` that of the reference given the
    candidate, `f` their mean, and `faithfulness` the likelihood of the candidate given the source.
    """

    about = MetricInfo(
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
            Direction, "which text is predicted from which; faithfulness: the candidate from the source"
        ] = "f",
        references: Annotated[Literal["max", "mean"], "of several references take the best, or the mean"] = "max",
        prompts: Annotated[
            list[str] | None, "texts to insert between the two texts; the score is the mean over all prompts"
        ] = None,
        prompt_side: Annotated[
            Literal["source", "target"], "whether a prompt ends the given text or begins the predicted text"
        ] = "source",
        tokens: Annotated[int, "tokens per batch; halved if memory runs out"] = TOKENS,
        threads: Annotated[
            int | None, "number of threads, else $FARTHING_THREADS, $OMP_NUM_THREADS, or all cores"
        ] = None,
        device: Annotated[str, "where torch runs: cpu, cuda, mps; auto takes a GPU if there is one"] = "auto",
    ) -> None:
        check_positive("bartscore", tokens=tokens)
        if prompts is not None and not prompts:
            raise SpecError("bartscore: prompts=[] is empty: give at least one prompt, or omit the option")
        self.direction, self.references = direction, references
        self.prompts, self.prompt_side = list(prompts or []), prompt_side
        self.model = Likelihood(model, threads=threads, device=device, tokens=tokens)

    @property
    def info(self) -> MetricInfo:
        """What this metric needs: faithfulness needs sources instead of references."""
        faithful = self.direction == "faithfulness"
        return replace(self.about, needs=frozenset({"source"})) if faithful else self.about

    def score_pairs(self, pairs: Pairs) -> Scores:
        """Score every pair; the corpus score is the mean of the segments."""
        return self.score_systems([pairs])[0]

    def score_systems(self, systems: Sequence[Pairs]) -> list[Scores]:
        """Score several systems, one after the other."""
        for pairs in systems:
            check_pairs(self.info, pairs)
        return [self._scored(pairs) for pairs in systems]

    def _scored(self, pairs: Pairs) -> Scores:
        kind: Need = "source" if self.direction == "faithfulness" else "reference"
        parts: dict[str, Part] = {}
        if kind == "source":
            segments, cut = self._likelihoods(list(pairs.sources or []), list(pairs.candidates))
        else:
            segments, parts, cut = self._with_references(pairs)
        return Scores(
            corpus=float(segments.mean()),
            segments=segments,
            parts=parts,
            notes=(*empty_notes(pairs, kind), *self._cut_note(cut)),
            signature=Signature(self.info.name, self._fields(pairs)),
            system=pairs.system,
        )

    def _with_references(self, pairs: Pairs) -> tuple[Segments, dict[str, Part], list[int]]:
        """Return the scores, their parts and the rows that were cut."""
        rows = [row for row, references in enumerate(pairs.references) for _ in references]
        candidates = [pairs.candidates[row] for row in rows]
        references = [text for row in pairs.references for text in row]
        likelihoods: dict[str, Segments] = {}
        cut: set[int] = set()
        for name, (given, predicted) in {
            "precision": (references, candidates),
            "recall": (candidates, references),
        }.items():
            if self.direction in ("f", name):
                likelihoods[name], more = self._likelihoods(given, predicted)
                cut |= {rows[place] for place in more}
        both = np.mean(list(likelihoods.values()), axis=0)
        ends = np.cumsum([len(row) for row in pairs.references])
        starts = [0, *ends[:-1]]
        if self.references == "max":
            best = np.array([start + int(both[start:end].argmax()) for start, end in zip(starts, ends, strict=True)])
            return both[best], _only_f({name: values[best] for name, values in likelihoods.items()}), sorted(cut)
        counts = np.diff([0, *ends])
        means = {name: np.add.reduceat(values, starts) / counts for name, values in likelihoods.items()}
        return np.add.reduceat(both, starts) / counts, _only_f(means), sorted(cut)

    def _likelihoods(self, given: list[str], predicted: list[str]) -> tuple[Segments, list[int]]:
        """Return the likelihoods of one direction, averaged over the prompts, and the rows that were cut."""
        runs = [
            ([f"{text.rstrip()} {prompt}" for text in given], predicted)
            if self.prompt_side == "source"
            else (given, [f"{prompt} {text.lstrip()}" for text in predicted])
            for prompt in self.prompts
        ] or [(given, predicted)]
        results = [self.model.scores(*run) for run in runs]
        return np.mean([values for values, _ in results], axis=0), sorted({row for _, cut in results for row in cut})

    def _cut_note(self, rows: list[int]) -> tuple[Note, ...]:
        message = f"a text was truncated to the {self.model.limit} tokens that the model can read"
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


def _only_f(parts: Mapping[str, Segments]) -> dict[str, Part]:
    """Return precision and recall if the score is made of both, nothing otherwise."""
    return dict(parts) if len(parts) == 2 else {}
