"""BERTScore: how well the tokens of candidate and reference match, by the vectors an encoder gives them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self, cast

import numpy as np

from farthing.core.arrays import Floats
from farthing.core.explanation import Explanation
from farthing.core.nbest import NBest, crossed_pairs
from farthing.core.specs import Value
from farthing.core.types import Alignment, MetricInfo, Note, Pairs, Part, Scores
from farthing.encoders.backends.early_exit import exiting
from farthing.encoders.load import name_of
from farthing.encoders.protocol import EncodedText, Encoder, checked_layers
from farthing.metrics.bertscore.alignment import ShownTokens, align_tokens
from farthing.metrics.bertscore.baselines import Baseline, find_baseline, known_baseline
from farthing.metrics.bertscore.compat import CompatRules
from farthing.metrics.bertscore.match import PaperRules, Rules
from farthing.metrics.bertscore.published import model_for
from farthing.metrics.bertscore.setup import LayerChoice, choose_encoder
from farthing.metrics.bertscore.switches import SwitchedRules, Switches
from farthing.metrics.crossed import crossed_empty_notes
from farthing.metrics.tokens.base import cut_note
from farthing.metrics.tokens.clouds import Clouds
from farthing.metrics.tokens.encoded import EncodedRow
from farthing.metrics.tokens.idf import IdfMetric, IdfPlan, SidedIdf
from farthing.metrics.tokens.results import REMARKS
from farthing.text.idf import Idf

LAYER_PARTS = ("layers_precision", "layers_recall", "layers_f1")


@dataclass(kw_only=True, eq=False)
class BertScore(IdfMetric[object]):
    """Greedy matching of contextual token vectors (Zhang et al. 2020).

    The score is F1; precision and recall are parts. `layer=all` adds the parts `layers_precision`,
    `layers_recall` and `layers_f1`, with one row per layer.
    """

    about: ClassVar[MetricInfo] = MetricInfo(
        name="bertscore",
        summary="Greedy matching of the contextual vectors of tokens.",
        paper="Zhang et al. 2020, BERTScore: Evaluating Text Generation with BERT",
        range=(-1, 1),
    )

    model: Annotated[str | None, "name or folder of an encoder; else the published one of lang"] = None
    lang: Annotated[str, "language: chooses the model and the baseline"] = "en"
    layer: Annotated[LayerChoice, "which layer; else the published one of the model"] = None  # type: ignore[assignment]  # also "all"
    idf: Annotated[bool | str, "weigh rare tokens more: true, a .json of counts, or a text file"] = False
    candidate_idf: Annotated[bool, "weigh candidates by their own counts"] = False
    drop_punctuation: Annotated[bool, "leave out tokens without letters and digits"] = False
    drop_subwords: Annotated[bool, "leave out all but the first token of a word"] = False
    power_means: Annotated[int, "so many layers, up to the chosen one, joined by min, mean and max"] = 1
    early_exit: Annotated[float | None, "stop encoding a text once a layer changes it less than this"] = None
    baseline: Annotated[bool | str, "rescale: true or a file with the header LAYER,P,R,F"] = False
    compat: Annotated[Literal["bert_score"] | None, "reproduce bert_score 0.3.13"] = None
    leading_space: Annotated[bool, "a space before the first word for byte-level tokenizers"] = True
    scored_layer: int = field(init=False, repr=False)  #: the layer that the score is of
    guessed: bool = field(init=False, repr=False)  #: the layer was neither given nor published
    switches: Switches = field(init=False, repr=False)
    clouds: Clouds | None = field(init=False, repr=False, default=None)
    rescaling: Baseline | None = field(init=False, repr=False)
    rules: Rules[object] = field(init=False, repr=False)
    batch: int = field(init=False, repr=False, default=64)  #: pairs that bert_score compares at a time (compat only)

    def __post_init__(self) -> None:
        """Check the options, load the encoder, and read counts and baseline from their files."""
        self.switches = Switches(self.candidate_idf, self.drop_punctuation, self.drop_subwords, self.power_means)
        self.switches.check(
            compat=bool(self.compat), every_layer=self.layer == "all", baseline=bool(self.baseline), idf=self.idf
        )
        super().__post_init__()
        self.rescaling = self._load_baseline()

    @property
    def model_name(self) -> str:
        """The name or folder of the encoder: the option, else the published one of the language."""
        return self.model or model_for(self.lang)

    @classmethod
    def assets(cls, options: Mapping[str, Value]) -> list[str]:
        """Return the models and files that these options name, the published model and baseline included."""
        language = str(options.get("lang", "en"))
        model = str(options.get("model") or model_for(language))
        assets = super().assets({**options, "model": model})
        path = known_baseline(name_of(model), language) if options.get("baseline") is True else None
        return assets if path is None else [*assets, str(path)]

    def make_encoder(self) -> Encoder:
        """Load the encoder, with early exit if asked for, and choose the layer."""
        chosen = choose_encoder(
            self.model_name,
            self.layer,
            self.backend,
            compat=bool(self.compat),
            space=self.leading_space,
            device=self.device,
        )
        self.scored_layer, self.guessed = chosen.layer, chosen.guessed
        if self.early_exit is None:
            return chosen.encoder
        encoder = exiting(chosen.encoder, self.early_exit)
        [self.scored_layer], self.guessed = encoder.layers, False
        return encoder

    def choose_layers(self) -> tuple[int, ...]:
        """Return the layers to encode: all, those whose power means are taken, or one."""
        encoder = self.engine.encoder
        if self.layer == "all":
            return encoder.layers
        if self.switches.active:
            self.clouds = self.switches.clouds(encoder, self.scored_layer)
            return self.clouds.layers
        return checked_layers(encoder, [self.scored_layer])

    def make_plan(self) -> IdfPlan:
        """Return what the options say about idf; bert_score counts special tokens, too."""
        return IdfPlan(self.engine, self.idf, self.candidate_idf, specials=bool(self.compat))

    def _load_baseline(self) -> Baseline | None:
        if self.baseline is False:
            return None
        found = find_baseline(name_of(self.model_name), self.lang) if self.baseline is True else Path(self.baseline)
        return Baseline.load(found)

    def count_idf(self, documents: Iterable[str]) -> Idf:
        """Count in how many of some documents each token occurs, as this model cuts them into tokens."""
        return self.plan.count(documents)

    def with_idf(self, idf: Idf | None) -> Self:
        """Return the metric with other token weights; None weighs all tokens the same."""
        return self.with_counts(SidedIdf(idf))

    def with_batch(self, size: int) -> Self:
        """Return the metric as bert_score would compare this many pairs at a time, which moves its scores."""
        changed = copy(self)
        changed.batch = size
        return changed

    def for_system(self, system: str) -> Self:
        """Return the metric with the rules for one system's candidates."""
        view = super().for_system(system)
        view.rules = view.make_rules()
        return view

    def make_rules(self) -> Rules[object]:
        """Return how one candidate is compared with its references."""
        rules: object = PaperRules(self.layers, self.reference_weights)
        if self.compat:
            rules = CompatRules(self.layers, self.reference_weights, self.engine.encoder.tokenizer, self.batch)
        elif self.clouds:
            rules = SwitchedRules(self.clouds, self.reference_weights, self.candidate_weights)
        return cast("Rules[object]", rules)  # each reads only the results that it made

    def row(self, texts: EncodedRow) -> object:
        """Compare the candidate with its references."""
        return self.rules.row(texts)

    def gathered(self, pairs: Pairs, results: Sequence[object], notes: tuple[Note, ...]) -> Scores:
        """Make the scores of all rows."""
        values = self.rules.finished(results, self._baseline_rows()).astype(np.float64)
        place = 0 if self.clouds else self.layers.index(self.scored_layer)
        precision, recall, segments = np.moveaxis(values[place], -1, 0)
        parts: dict[str, Part] = {"precision": precision, "recall": recall}
        if self.layer == "all":
            parts |= {name: values[..., side] for side, name in enumerate(LAYER_PARTS)}
        return self.scores(pairs, segments, parts, (*notes, *self.rules.notes(results), *self._layer_note()))

    def score_crossed(self, lists: Sequence[NBest]) -> Scores:
        """Score every candidate against every reference; by the paper's rules, each text is encoded once."""
        if self.counts is None:
            return self.ready([crossed_pairs(lists)]).score_crossed(lists)
        view = self.for_system(Pairs.of([]).system)
        if not isinstance(view.rules, PaperRules) or len(self.layers) > 1 or self.early_exit is not None:
            return super().score_crossed(lists)
        from farthing.metrics.bertscore.crossed import match_crossed

        found = match_crossed(self.engine, view.rules, lists)
        values, baseline = found.values, self._baseline_rows()
        if baseline is not None:
            values = np.where(found.fixed[:, None], values, (values - baseline) / (1 - baseline))
        parts: dict[str, Part] = {"precision": values[:, 0], "recall": values[:, 1]}
        flat = (Note("idf", REMARKS["idf"], found.flat),) if found.flat else ()
        notes = (*crossed_empty_notes(lists), *cut_note(found.cut, self.engine.encoder.tokenizer.room), *flat)
        sample = Pairs(lists[0].candidates[:1], [lists[0].references[:1]])
        return view.scores(sample, values[:, 2], parts, (*notes, *self._layer_note()))

    def align(self, candidate: str, reference: str) -> Alignment:
        """Show which token matched which, and how strongly; special tokens are shown in compat only."""
        encoded = dict(self.engine.encode([candidate, reference], self.layers))
        pair = Pairs([candidate], [[reference]])
        ready = self.ready([pair]).for_system(pair.system)
        scores = ready.score(pair)
        left = ready._shown(encoded[candidate], ready.candidate_weights)
        right = ready._shown(encoded[reference], ready.reference_weights)
        parts = {name: float(np.mean(scores.parts[name])) for name in ("precision", "recall")}
        return align_tokens(left, right, self.engine.encoder.tokenizer.token, {**parts, "f1": scores.corpus})

    @property
    def explains(self) -> bool:
        """Whether every word has a token that counts, which is not so if some are left out or joined."""
        return self.clouds is None

    def explain_pairs(self, pairs: Pairs) -> list[Explanation]:
        """Mark words by how far their tokens are from the nearest ones; nothing has learned what an error is."""
        if not self.explains:
            return super().explain_pairs(pairs)
        from farthing.metrics.bertscore.marks import explain_by_distance

        return explain_by_distance(self.ready([pairs]), self.engine, self.scored_layer, pairs)

    def _shown(self, text: EncodedText, idf: Idf | None) -> ShownTokens:
        """Return the tokens of a text that count."""
        if self.clouds:
            cloud = self.clouds(text, idf)
            return ShownTokens(text.ids[self.clouds.places(text)[0]], cloud.points, cloud.weights)
        span, weights = slice(None) if self.compat else text.content, np.zeros(len(text.ids), dtype=np.float32)
        weights[text.content] = PaperRules([self.scored_layer], idf).weights(text)[0]
        return ShownTokens(text.ids[span], text.unit(self.scored_layer)[span], weights[span])

    def _baseline_rows(self) -> Floats | None:
        if self.rescaling is None:
            return None
        layers = [self.scored_layer] if self.clouds else self.layers
        return np.stack([self.rescaling.row(layer) for layer in layers])

    def _layer_note(self) -> tuple[Note, ...]:
        if not self.guessed:
            return ()
        taken = f"no layer is published for {self.model_name}; layer {self.scored_layer} was taken"
        return (Note("layer", f"{taken} (farthing models tune-layer finds the best)"),)

    def fields(self) -> dict[str, Value]:
        """Return what of the options belongs in the signature."""
        return {
            "layer": self.scored_layer,
            **self.idf_fields(),
            **self.switches.fields(),
            "baseline": self.rescaling.hash if self.rescaling else False,
            "compat": self.compat or "none",
        }
