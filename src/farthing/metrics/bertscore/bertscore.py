"""BERTScore: how well the tokens of candidate and reference match, by the vectors an encoder gives them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np

from farthing.core.metric import State
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import Alignment, MetricInfo, Note, Pairs, Scores
from farthing.encoders.backends.early_exit import exiting
from farthing.encoders.cache import open_cache
from farthing.encoders.engine import Engine, Long
from farthing.encoders.load import Backend, name_of
from farthing.encoders.protocol import EncodedText, checked_layers
from farthing.metrics.bertscore.baselines import Baseline, find_baseline
from farthing.metrics.bertscore.compat import CompatRules
from farthing.metrics.bertscore.match import PaperRules
from farthing.metrics.bertscore.published import model_for
from farthing.metrics.bertscore.setup import choose_encoder, in_blocks, read_documents
from farthing.metrics.bertscore.switches import SwitchedRules, Switches
from farthing.metrics.tokens.encoded import TokenMetric, score_encoded
from farthing.metrics.tokens.over_encoder import exit_notes, last_exit_note
from farthing.metrics.tokens.sided_idf import IdfPlan, SidedIdf
from farthing.text.idf import Idf


class BertScore(TokenMetric):
    """Greedy matching of contextual token vectors (Zhang et al. 2020).

    The score is F1; precision and recall are parts. `layer=all` adds the parts `layers_precision`,
    `layers_recall` and `layers_f1`, one row a layer.
    """

    about: ClassVar[MetricInfo] = MetricInfo(
        name="bertscore",
        summary="Greedy matching of the contextual vectors of tokens.",
        paper="Zhang et al. 2020, BERTScore: Evaluating Text Generation with BERT",
        range=(-1, 1),
    )

    def __init__(
        self,
        *,
        model: Annotated[str | None, "name or folder of an encoder; else the published one of lang"] = None,
        lang: Annotated[str, "language: chooses the model and the baseline"] = "en",
        layer: Annotated[int | Literal["all"] | None, "which layer; else the published one of the model"] = None,
        idf: Annotated[bool | str, "weigh rare tokens more: true, a .json of counts, or a text file"] = False,
        candidate_idf: Annotated[bool, "weigh candidates by their own counts"] = False,
        drop_punctuation: Annotated[bool, "leave out tokens without letters and digits"] = False,
        drop_subwords: Annotated[bool, "leave out all but the first token of a word"] = False,
        power_means: Annotated[int, "so many layers, up to the chosen one, joined by min, mean and max"] = 1,
        early_exit: Annotated[float | None, "stop encoding a text once a layer changes it less than this"] = None,
        baseline: Annotated[bool | str, "rescale: true or a file with the header LAYER,P,R,F"] = False,
        long: Annotated[Long, "texts over the model's limit"] = "truncate",
        compat: Annotated[Literal["bert_score"] | None, "reproduce bert_score 0.3.13"] = None,
        backend: Annotated[Backend, "what runs the model; auto takes what its folder holds"] = "auto",
        leading_space: Annotated[bool, "a space before the first word for byte-level tokenizers"] = True,
        threads: Annotated[int | None, "how many cores; else $FARTHING_THREADS, $OMP_NUM_THREADS, all"] = None,
        device: Annotated[str, "where torch runs, such as cpu or cuda"] = "cpu",
        cache: Annotated[str | None, "folder in which to keep encodings"] = None,
    ) -> None:
        self.compat, self._idf_option, self._every_layer = compat, idf, layer == "all"
        self.model = model or model_for(lang)
        encoder, self.layer, self._guessed = choose_encoder(
            self.model, layer, backend, compat=bool(compat), space=leading_space, device=device
        )
        if early_exit is not None:
            encoder = exiting(encoder, early_exit)
            [self.layer], self._guessed = encoder.layers, False
        self.switches = Switches(candidate_idf, drop_punctuation, drop_subwords, power_means)
        self.switches.check(compat=bool(compat), every_layer=self._every_layer, baseline=bool(baseline), idf=idf)
        self.engine = Engine(encoder, long=long, threads=threads, cache=open_cache(cache))
        self.layers = encoder.layers if self._every_layer else checked_layers(encoder, [self.layer])
        self.clouds = self.switches.clouds(encoder, self.layer) if self.switches.active else None
        if self.clouds:
            self.layers = self.clouds.layers
        self.candidate_idf, self.system = dict[str, Idf | None](), ""
        self.idf = self._given_idf(idf)
        self.baseline, self._baseline_file = self._given_baseline(baseline, lang)
        self.batch = 64  # pairs that bert_score compares at a time, which moves its scores

    def _given_idf(self, idf: bool | str) -> Idf | None:
        if isinstance(idf, bool):
            return None
        if idf.endswith(".json"):
            return Idf.load(idf, self.engine.encoder.tokenizer.hash)
        return self.count_idf(read_documents(idf))

    def _given_baseline(self, baseline: bool | str, lang: str) -> tuple[Baseline | None, str]:
        if baseline is False:
            return None, ""
        path = find_baseline(name_of(self.model), lang) if baseline is True else Path(baseline)
        return Baseline.load(path), str(path)

    def count_idf(self, documents: Iterable[str]) -> Idf:
        """The idf counts of some documents, as this model cuts them into tokens."""
        tokenizer = self.engine.encoder.tokenizer
        end = None if self.engine.long == "window" else tokenizer.room
        contents = (content[:end] for block in in_blocks(documents) for content in tokenizer.contents(block))
        return Idf.of(map(tokenizer.wrapped, contents) if self.compat else contents, tokenizer.hash)

    def prepare(self, stretches: Iterable[Sequence[Pairs]]) -> State | None:
        """Count the idf of all references with `idf=true`, and of the candidates if they have their own."""
        if self.switches.candidate_idf:
            if self.candidate_idf:
                return None
            return IdfPlan(self.engine, self._idf_option, own=True).counted(stretches).state()
        if self._idf_option is not True or self.idf is not None:
            return None
        references = (text for systems in stretches for row in systems[0].references for text in row)
        return SidedIdf(self.count_idf(references)).state()

    def prepared(self, state: State) -> BertScore:
        """Return the metric with these counts."""
        counted = SidedIdf.of_state(state)
        ready = self.with_idf(counted.references)
        ready.candidate_idf = dict(counted.candidates)
        return ready

    def _ready(self, systems: Sequence[Pairs]) -> BertScore:
        state = self.prepare([systems])
        return self if state is None else self.prepared(state)

    def with_idf(self, idf: Idf | None, batch: int | None = None) -> BertScore:
        """The same metric with other token weights.

        :param batch: how many pairs bert_score would compare at a time (compat only)
        """
        changed = copy(self)
        changed.__dict__.pop("rules", None)
        changed.idf, changed.batch = idf, batch or self.batch
        return changed

    @cached_property
    def rules(self) -> PaperRules | CompatRules:
        """How one candidate is compared with its references."""
        if self.compat:
            return CompatRules(self.layers, self.idf, self.engine.encoder.tokenizer, self.batch)
        if self.clouds:
            return SwitchedRules(self.clouds, self.idf, self.candidate_idf.get(self.system, self.idf))
        return PaperRules(self.layers, self.idf)

    def for_system(self, system: str) -> BertScore:
        """The metric as it weighs one system's candidates."""
        if not self.candidate_idf:
            return self
        view = self.with_idf(self.idf)
        view.system = system
        return view

    def score(self, pairs: Pairs) -> Scores:
        """Score every pair and the whole."""
        return self.score_systems([pairs])[0]

    def score_systems(self, systems: Sequence[Pairs]) -> list[Scores]:
        """Score several systems, encoding each text once."""
        return score_encoded([self._ready(systems)], systems)[0]

    def score_row(self, candidate: EncodedText, references: Sequence[EncodedText]) -> Any:
        """What must be remembered of one row."""
        return self.rules.row(candidate, references)

    def gathered(self, pairs: Pairs, rows: Sequence[Any], notes: tuple[Note, ...]) -> Scores:
        """The scores of all rows."""
        values = self.rules.finished(rows, self._baseline_rows()).astype(np.float64)
        precision, recall, segments = np.moveaxis(
            values[self.layers.index(self.layer) if not self.clouds else 0], -1, 0
        )
        parts: dict[str, Any] = {"precision": precision, "recall": recall}
        if self._every_layer:
            names = ("layers_precision", "layers_recall", "layers_f1")
            parts |= {name: values[..., side] for side, name in enumerate(names)}
        return Scores(
            corpus=float(segments.mean()),
            segments=segments,
            parts=parts,
            notes=(*notes, *self.rules.notes(rows), *self._layer_note(), *exit_notes(self.engine)),
            signature=Signature(self.info.name, self._fields(pairs)),
            system=pairs.system,
        )

    def finish(self, scores: Scores) -> Scores:
        """The scores of all stretches."""
        return last_exit_note(scores, self.engine)

    def align(self, candidate: str, reference: str) -> Alignment:
        """Who matched whom, and how strongly; special tokens are left out unless in compat."""
        encoded = dict(self.engine.encode([candidate, reference], self.layers))
        pair = Pairs([candidate], [[reference]])
        ready = self._ready([pair]).for_system(pair.system)
        left, right = ready._shown(encoded[candidate], own=True), ready._shown(encoded[reference])
        similarity = left.points @ right.points.T
        token, scores = self.engine.encoder.tokenizer.token, ready.score(pair)
        precision, recall = (float(np.mean(scores.parts[name])) for name in ("precision", "recall"))
        return Alignment(
            candidate_tokens=tuple(token(int(number)) for number in left.ids),
            reference_tokens=tuple(token(int(number)) for number in right.ids),
            similarity=similarity,
            matches=_best(similarity),
            back_matches=_best(similarity.T),
            candidate_weights=left.weights,
            reference_weights=right.weights,
            parts={"precision": precision, "recall": recall, "f1": scores.corpus},
        )

    def _shown(self, text: EncodedText, *, own: bool = False) -> Shown:
        """The tokens of a text that count.

        :param own: it is a candidate, which may have an idf of its own
        """
        idf = self.candidate_idf.get(self.system, self.idf) if own else self.idf
        if self.clouds:
            cloud = self.clouds(text, idf)
            return Shown(text.ids[self.clouds.places(text)[0]], cloud.points, cloud.weights)
        span, weights = slice(None) if self.compat else text.content, np.zeros(len(text.ids), dtype=np.float32)
        weights[text.content] = PaperRules([self.layer], idf).weights(text)[0]
        return Shown(text.ids[span], text.unit(self.layer)[span], weights[span])

    def _baseline_rows(self) -> np.ndarray | None:
        if self.baseline is None:
            return None
        layers = [self.layer] if self.clouds else self.layers
        return np.stack([self.baseline.row(layer, self._baseline_file) for layer in layers])

    def _layer_note(self) -> tuple[Note, ...]:
        if not self._guessed:
            return ()
        remedy = "farthing models tune-layer finds the best"
        return (Note("layer", f"no layer is published for {self.model}; layer {self.layer} was taken ({remedy})"),)

    def _fields(self, pairs: Pairs) -> dict[str, Value]:
        counts = {len(row) for row in pairs.references}
        return {
            "nrefs": counts.pop() if len(counts) == 1 else "var",
            **self.engine.fields(),
            "layer": self.layer,
            "idf": self.idf.hash if self.idf else False,
            **({"candidate_idf": own.hash} if (own := self.candidate_idf.get(pairs.system)) else {}),
            **self.switches.fields(),
            "baseline": self.baseline.hash if self.baseline else False,
            "compat": self.compat or "none",
        }


class Shown(NamedTuple):
    """Tokens as an alignment shows them: their ids, their vectors and what they weigh."""

    ids: np.ndarray
    points: np.ndarray
    weights: np.ndarray


def _best(similarity: np.ndarray) -> np.ndarray:
    rows, columns = similarity.shape
    best: np.ndarray = similarity.argmax(axis=1) if columns else np.full(rows, -1)
    return best
