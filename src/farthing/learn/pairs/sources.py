"""The table of sources of training pairs: what a recipe may name, for cross-encoders and matching students alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from farthing.core.options import checked_options, options_of
from farthing.core.registry import Registry
from farthing.core.specs import Value
from farthing.learn.pairs.base import PairSource

SourceClass: TypeAlias = Callable[..., PairSource]

# One line per source; nothing is imported before it is asked for.
SOURCES: Registry[SourceClass] = Registry(
    "source",
    {
        # made from a corpus, all pairs of each text's variants
        "summaries": "farthing.learn.pairs.summaries:Summaries",
        "backtranslation": "farthing.learn.pairs.backtranslation:Backtranslation",
        "denoising": "farthing.learn.pairs.denoising:Denoising",
        "perturbation": "farthing.learn.pairs.perturbation:PerturbedPairs",
        "random": "farthing.learn.pairs.random_pairs:RandomPairs",
        # drawn from a corpus, one pair at a time and without end
        "perturbed": "farthing.learn.pairs.sentences:PerturbedSentences",
        "damaged": "farthing.learn.pairs.damaged:DamagedSentences",
        "unrelated": "farthing.learn.pairs.sentences:UnrelatedSentences",
        "equal": "farthing.learn.pairs.sentences:EqualSentences",
        # drawn from texts in several languages, without end
        "parallel": "farthing.learn.pairs.parallel:ParallelTexts",
        "translated": "farthing.learn.pairs.translated:TranslatedPairs",
        # read from files of texts that belong together already
        "outputs": "farthing.learn.pairs.outputs:Outputs",
        "systems": "farthing.learn.pairs.systems:Systems",
        "captions": "farthing.learn.pairs.systems:Captions",
        "given": "farthing.learn.pairs.given:GivenPairs",
        "paraphrases": "farthing.learn.pairs.given:Paraphrases",
        # segments: a paraphrase and damaged texts for each reference
        "contrasts": "farthing.learn.pairs.damaged:Contrasts",
        # segments: an output of a system and what a broken system says instead
        "spoiled": "farthing.learn.pairs.spoiled:SpoiledOutputs",
    },
)


def make_source(name: str, options: Mapping[str, object]) -> PairSource:
    """Build a source from what a recipe says about it; a wrong option is a sentence."""
    build = SOURCES.get(name)
    return build(**checked_options(name, cast(Mapping[str, Value], options), options_of(build)))


def file_option(name: str) -> str:
    """Return the option by which a source takes its input: `corpus` for texts, `file` for what is grouped already."""
    return "corpus" if "corpus" in options_of(SOURCES.get(name)) else "file"
