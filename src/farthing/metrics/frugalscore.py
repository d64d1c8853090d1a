"""FrugalScore: a small model that learnt the scores of a large metric (Kamal Eddine et al. 2022).

Without a size and a model, it chooses among Farthing's own students, once per run and for all systems alike, by the
texts of the first stretch: English references go to `small`, other or mixed languages to `multi`, and texts without
references to `source`, which compares with the sources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from farthing.core.errors import MissingInput, UsageError
from farthing.core.explanation import Explanation
from farthing.core.metric import Metric, State, check_pairs, empty_notes
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import Alignment, MetricInfo, Need, Note, Pairs, Scores
from farthing.encoders.backends.embedded import FULL_GRAPH
from farthing.encoders.folder.layout import CONFIG
from farthing.encoders.folder.locate import EMBEDDED, find_local, find_student, locate, versioned_name
from farthing.students.layout import USUAL, StudentFolder, open_student
from farthing.students.names import PUBLISHED, Size, full_name, is_size, missing_size, size_told
from farthing.students.student import WINDOWS, Focus, LongPairs, PairOptions, PairScores, Student
from farthing.text.languages import foreign, is_english, listed

if TYPE_CHECKING:
    from farthing.core.nbest import NBest

SHORT = 36  # pairs of a list; with fewer, pair by pair is faster than all at a time
ENGLISH, MANY, REFERENCE_FREE = "small", "multi", "source"  #: what the default chooses among
LOOKED_AT = 1000  #: references by which a run's language is decided
OTHER_SIDE = {"reference": "sources", "source": "references"}
OWN_RANGE = (None, 100.0)  # of Farthing's own students


class FrugalScore(Metric):
    """Scores pairs with a student, whatever its teacher cost.

    A student of the kind `cross` reads both texts of a pair as one. The kinds `match` and `static`, Farthing's
    own ones among them, read each text alone and show which token matched which. The default chooses one of Farthing's
    own by the texts; before it has seen any, it stands for what English gets.
    """

    about = MetricInfo(
        name="frugalscore",
        summary="A small model that learnt the scores of a large metric.",
        paper="Kamal Eddine et al. 2022, https://aclanthology.org/2022.acl-long.93",
        range=(None, None),
        or_source=True,
    )

    def __init__(
        self,
        *,
        size: Annotated[
            str | None,
            "which of Farthing's own students: nano, tiny, small, multi, source, or base (pip install farthing-base), "
            "or a version of one, such as small@1; without size and model, the texts decide",
        ] = None,
        model: Annotated[str | None, "an exported folder, a Hugging Face folder, or a published name"] = None,
        symmetric: Annotated[bool, "mean of both orders of a pair"] = False,
        long: Annotated[
            LongPairs | None,
            "texts over the limit: truncate, read in windows (the default of students that match tokens), or an error",
        ] = None,
        limit: Annotated[int | None, "most tokens of a pair; by default what the model can read"] = None,
        compat: Annotated[Literal["evaluate"] | None, "evaluate: 128 tokens per pair, as the published code"] = None,
        focus: Annotated[
            Focus, "the score of students that match tokens: all that they learned, or one side of the alignment"
        ] = "balanced",
        precision: Annotated[Literal["fp32"] | None, "fp32: the graph in full precision, for a paper"] = None,
        threads: Annotated[int | None, "how many cores to use"] = None,
    ) -> None:
        self.chooses = size is None and model is None
        self.model = model or size or ENGLISH
        self._options, self._threads = PairOptions(long, limit, symmetric, compat, focus, precision), threads
        self._opened: dict[str, Student] = {}  # copies share it, so that every student is opened once
        self._decided = False
        if model is None and size is not None and own_folder(size) is None:
            raise missing_size(size)
        if not self.chooses or self._options != USUAL:
            self._open()  # what is wrong with a folder or an option is said now, not when there are texts

    @property
    def student(self) -> Student:
        """The student, which is opened when it is first needed."""
        return self._opened.get(self.model) or self._open()

    def _open(self) -> Student:
        folder = own_folder(self.model, self._options.precision) or locate(full_name(self.model))
        student = open_student(folder, self._options, threads=self._threads)
        self._opened[self.model] = student
        return student

    @property
    def reads(self) -> tuple[str, ...]:
        """The codes of the languages that the student reads; empty if nothing says so."""
        return self.student.reads or (("en",) if full_name(self.model) in PUBLISHED else ())

    @property
    def undecided(self) -> bool:
        """Whether the texts will decide which student scores them."""
        return self.chooses and not self._decided

    @property
    def info(self) -> MetricInfo:
        """What this metric needs, and which way is up; students that match tokens have an upper bound."""
        if self.undecided:
            return replace(self.about, range=OWN_RANGE, or_source=own_folder(REFERENCE_FREE) is not None)
        return replace(self.about, range=self.student.range, needs=self.student.needs, or_source=False)

    @classmethod
    def assets(cls, options: Mapping[str, Value]) -> list[str]:
        """Return the folders of the students that these options may choose, or a name that is not on this machine."""
        named = options.get("model") or options.get("size")
        sizes = [size for size in (ENGLISH, MANY, REFERENCE_FREE) if own_folder(size)]
        names = [full_name(str(named))] if named else sizes
        full: Literal["fp32"] | None = "fp32" if options.get("precision") else None
        found = ((name, own_folder(name, full) or find_local(name)) for name in names)
        places = (_parts(folder) if folder else [name] for name, folder in found)
        return list(dict.fromkeys(place for some in places for place in some))

    @classmethod
    def options_told(cls, fields: Mapping[str, str]) -> dict[str, Value]:
        """Return the student that a signature names; only students of the kind cross have a limit that can be set."""
        model = fields.get("model", ENGLISH)
        chosen: dict[str, Value] = {"size": size_told(model), "model": None} if is_size(model) else {"model": model}
        if fields.get("kind") is None:  # of the kind cross, whose precision is that of its folder
            chosen["precision"] = None
        return chosen if fields.get("kind") == "cross" else {**chosen, "limit": None}

    def prepare(self, stretches: Iterable[Sequence[Pairs]]) -> State | None:
        """Decide by the texts of the first stretch which student scores this run; if it cannot, raise a sentence."""
        return {"model": self._deciding(next(iter(stretches), ())).model}

    def prepared(self, state: State) -> FrugalScore:
        """Return the metric for a run that was decided: a later stretch can neither stop nor change it any more."""
        decided = copy(self)
        decided.model = str(state["model"]) if self.chooses else self.model
        decided._decided, decided.holds_lock = True, decided.student.explains  # who matches tokens does so in Python
        return decided

    def learned(self) -> State | None:
        """Return what another process must know of the run: which student scores it."""
        return {"model": self.model} if self._decided else None

    def _deciding(self, systems: Sequence[Pairs]) -> FrugalScore:
        """Return the metric for these systems; the first decision holds."""
        if self._decided:
            return self
        decided = self.prepared({"model": self._chosen(systems) if self.chooses else self.model})
        if not (self.chooses and own_folder(MANY)):
            decided._check_languages(looked_at(systems, decided.student.against))
        return decided

    def _chosen(self, systems: Sequence[Pairs]) -> str:
        """Choose a student by the texts; sizes that this installation lacks are not chosen."""
        if any(map(len, systems)) and not any(pairs.has_references for pairs in systems):
            check_pairs(self.info, systems[0])
            return REFERENCE_FREE
        return MANY if own_folder(MANY) and not is_english(looked_at(systems)) else ENGLISH

    def _check_languages(self, texts: Sequence[str]) -> None:
        """Raise a sentence if the student cannot read most of the references or sources."""
        languages = Counter(filter(None, foreign(texts, self.reads))) if self.reads else Counter()
        if 2 * languages.total() <= len(texts):
            return
        [(most, _)] = languages.most_common(1)
        advice = "use chrf, or bertscore with a multilingual encoder"
        if own_folder(MANY):
            advice = f"leave out the {self._option}, or pass size=multi"
        raise UsageError(
            f"{self.model} reads only {listed(self.reads)}, but {languages.total()} of {len(texts)} "
            f"{self.student.against}s look like something else (mostly {most}): {advice}"
        )

    @property
    def _option(self) -> str:
        """The option that named the student."""
        return "size" if is_size(self.model) else "model"

    def score_pairs(self, pairs: Pairs) -> Scores:
        """Score every pair; with several references the best one counts."""
        return self.score_systems([pairs])[0]

    def score_systems(self, systems: Sequence[Pairs]) -> list[Scores]:
        """Score several systems; a text that they share, such as a reference, is read once."""
        ready = self._deciding(systems)
        for pairs in systems:
            ready._check_sides(pairs)
        return list(map(ready._gathered, systems, ready.student.score_systems(systems)))

    def _check_sides(self, pairs: Pairs) -> None:
        """Raise a sentence if there is not what the student compares with."""
        against = self.student.against
        there = pairs.has_references if against == "reference" else pairs.sources is not None
        if len(pairs) and not there and not self.chooses and own_folder(REFERENCE_FREE):
            instead = "pass size=source" if against == "reference" else f"leave out the {self._option}"
            raise MissingInput(
                f"{Path(self.model).name} compares with {against}s, and there are none: give them (-{against[0]} on "
                f"the command line, {against}s= in Python), or {instead} to compare with {OTHER_SIDE[against]}"
            )
        check_pairs(self.info, pairs)

    def score_crossed(self, lists: Sequence[NBest]) -> Scores:
        """Score every candidate against every reference; a student that matches tokens reads each text once."""
        from farthing.core.nbest import crossed_pairs
        from farthing.students.match import MatchStudent

        ready = self if self._decided else self._deciding([crossed_pairs(lists)])
        short = sum(one.size for one in lists) < SHORT * len(lists)
        if short or not isinstance(ready.student, MatchStudent):
            return super(FrugalScore, ready).score_crossed(lists)
        from farthing.metrics.crossed import crossed_empty_notes
        from farthing.students.crossed import crossed_scores

        scored = crossed_scores(ready.student, lists)
        notes = (*crossed_empty_notes(lists), *scored.notes)
        signature, parts = ready._signature_with(notes), dict(scored.parts)
        return Scores(float(scored.segments.mean()), scored.segments, signature, parts=parts, notes=notes)

    def _gathered(self, pairs: Pairs, scored: PairScores) -> Scores:
        return Scores(
            corpus=float(scored.segments.mean()),
            segments=scored.segments,
            signature=self._signature_with(scored.notes),
            parts=dict(scored.parts),
            notes=(*empty_notes(pairs, self.student.against), *scored.notes),
            system=pairs.system,
        )

    def align(self, candidate: str, reference: str) -> Alignment:
        """Return which token matched which, for students that match tokens."""
        model = self._chosen([Pairs([candidate], [[reference]])]) if self.undecided else self.model
        return self.prepared({"model": model}).student.align(candidate, reference)

    @property
    def explains(self) -> bool:
        """Whether the student matches tokens; each that the default chooses among does."""
        return self.undecided or self.student.explains

    def explain_pairs(self, pairs: Pairs) -> list[Explanation]:
        """Say which words are likely wrong or missing, for students that match tokens."""
        ready = self.prepared({"model": self._chosen([pairs]) if self.undecided else self.model})
        ready._check_sides(pairs)
        return ready.student.explain(pairs)

    @property
    def signature(self) -> Signature:
        """All that changes a score."""
        name = Path(self.model).name if Path(self.model).is_dir() else self.model
        if own_folder(self.model):
            name = f"{self.model.partition('@')[0]}@{self.student.version}"
        return Signature(self.about.name, {"model": name, **self.student.fields()})

    def _signature_with(self, notes: Sequence[Note]) -> Signature:
        """Return a signature that tells of windows only if a text was read in them: all others score the same."""
        windows = {"long": "window"} if any(note.kind == WINDOWS for note in notes) else {}
        return replace(self.signature, fields={**self.signature.fields, **windows})


def own_folder(size: str, precision: Literal["fp32"] | None = None) -> Path | None:
    """Return the folder of one of Farthing's own students, None if it is none or if this machine lacks it.

    :param precision: a folder with a graph of this precision comes before others of the same version
    """
    folder = EMBEDDED / size if size in get_args(Size) else find_student(size)
    if folder is None or not folder.is_dir():
        return None
    full = find_student(versioned_name(size, folder), FULL_GRAPH) if precision else None
    return full or folder


def looked_at(systems: Sequence[Pairs], against: Need = "reference") -> list[str]:
    """Return some of the references or sources, evenly spread; those that systems share are looked at once."""
    columns: list[Sequence[Sequence[str]]] = []
    for pairs in systems:
        column = pairs.references if against == "reference" else [pairs.sources or []]
        if column not in columns:
            columns.append(column)
    texts = ([text for some in column for text in some if text.strip()] for column in columns)
    return [text for column in texts for text in column[:: 1 + len(column) // LOOKED_AT]]


def _parts(folder: Path) -> list[str]:
    """The folder of a student and what it shares: the folder of an encoder, the file of a tokenizer."""
    if not (folder / CONFIG).is_file():
        return [str(folder)]
    student = StudentFolder.read(folder)
    folders = [folder, *(file.parent for file in student.weights)]
    shared = [] if student.tokenizer.parent in folders else [student.tokenizer]
    return list(dict.fromkeys(map(str, [*folders, *shared])))
