"""What requests and answers look like, for checks and for the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from farthing.scoring.resampling import SEED


def whole_text(text: str) -> str:
    """Return a text, or raise an error if it has half a character, as JSON can write it but nobody can read it."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise ValueError("a text has half a character (a lone surrogate): send whole ones") from error
    return text


Text = Annotated[str, AfterValidator(whole_text)]
Specs = Annotated[
    list[Text],
    Field(description="Specs such as chrf or chrf(word_order=2), of GET /v1/metrics; the default metric if empty."),
]
OneSpec = Annotated[Text, Field(description="A spec, of GET /v1/metrics; the default metric if empty.")]

WholeNumber = BeforeValidator(lambda value: int(value) if isinstance(value, float) and value.is_integer() else value)
SegmentReferences = Annotated[list[Text], Field(description="The references of one segment.")]


class Body(BaseModel):
    """A JSON object that has no other keys and no values of other types."""

    model_config = ConfigDict(strict=True, extra="forbid")


class PairBody(Body):
    """A text to judge and what it is compared with: references, or the source that it was made from."""

    candidate: Text
    references: SegmentReferences = []
    source: Text | None = None


class ScoreBody(Body):
    """Texts to score."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"pairs": [{"candidate": "the cat sat", "references": ["a cat sat down"]}]}}
    )
    pairs: Annotated[list[PairBody], Field(min_length=1)]
    metrics: Specs = []


class CompareBody(Body):
    """Outputs of systems for the same segments."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "systems": {"a": ["the cat sat"], "b": ["a dog"]},
                "references": [["a cat sat down"]],
                "metrics": ["chrf"],
            }
        }
    )
    systems: Annotated[dict[Text, Annotated[list[Text], Field(min_length=1)]], Field(min_length=1)]
    references: list[SegmentReferences] | None = None
    sources: list[Text] | None = None
    metrics: Specs = []
    test: Literal["bootstrap", "randomization", "none"] = "none"
    intervals: Annotated[bool, Field(description="Add 95 % bootstrap intervals; a test has them anyway.")] = False
    baseline: Annotated[Text | None, Field(description="The system that others are tested against.")] = None
    resamples: Annotated[int, Field(ge=0, description="0 takes the usual number."), WholeNumber] = 0
    seed: Annotated[int, Field(ge=0, lt=2**32), WholeNumber] = SEED


class AlignBody(Body):
    """Two texts whose tokens are aligned."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"candidate": "the cat sat", "reference": "a cat sat down"}}
    )
    candidate: Text
    reference: Text
    metric: OneSpec = ""


class ListBody(Body):
    """Candidates for one segment, and what they are compared with."""

    candidates: Annotated[list[Text], Field(min_length=1)]
    references: SegmentReferences = []
    source: Text | None = None


class RerankBody(Body):
    """Lists of candidates of which the best are chosen."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"lists": [{"candidates": ["the cat sat", "dogs"], "references": ["a cat sat down"]}]}
        }
    )
    lists: Annotated[list[ListBody], Field(min_length=1)]
    metric: OneSpec = ""
    top: Annotated[int, Field(ge=1, le=1000, description="How many candidates to keep per segment."), WholeNumber] = 1


class ErrorAnswer(BaseModel):
    """What went wrong, and what to do about it."""

    error: Annotated[str, Field(description="One sentence.")]


class NoteAnswer(BaseModel):
    """Something that the reader of a score should know, and the rows (from 0) that it concerns."""

    kind: str
    message: str
    rows: list[int]


class ResultAnswer(BaseModel):
    """One system under one metric."""

    system: str
    metric: str
    signature: str
    corpus: float | None
    ci: list[float | None] | None
    segments: list[float | None] | None
    parts: dict[str, list[float | None] | list[list[float | None]] | float | None]
    notes: list[NoteAnswer]
    difference: float | None = None
    p_value: float | None = None


class ScoreAnswer(BaseModel):
    """What `farthing score --format json` or `farthing compare --format json` prints."""

    farthing: str
    results: list[ResultAnswer]
    test: dict[str, str | int | None] | None = None
    findings: dict[str, object] | None = None


class RankedAnswer(BaseModel):
    """A candidate with its score and its place in the list, from 0."""

    text: str
    score: float
    place: int


class ChoiceAnswer(RankedAnswer):
    """The choice for one segment."""

    id: str | None
    ranking: list[RankedAnswer]


class RerankAnswer(BaseModel):
    """One choice per segment."""

    signature: str
    choices: list[ChoiceAnswer]


class MarkAnswer(BaseModel):
    """A word, by its characters, and the probability that it is wrong or missing."""

    start: int
    end: int
    probability: float


class AlignAnswer(BaseModel):
    """Which token matches which, and which words are likely wrong or missing."""

    candidate: list[str]
    reference: list[str]
    similarity: list[list[float]]
    matches: list[int]
    back_matches: list[int]
    candidate_weights: list[float]
    reference_weights: list[float]
    errors: list[MarkAnswer] | None = None
    omissions: list[MarkAnswer] | None = None


class OptionAnswer(BaseModel):
    """One option of a metric: its choices, or the numbers between which it may be."""

    name: str
    help: str
    default: str | int | float | bool | None
    choices: list[str | int | float | bool | None] | None
    low: float | None
    high: float | None


class MetricAnswer(BaseModel):
    """One metric that is offered."""

    name: str
    summary: str
    paper: str
    range: list[float | None]
    higher_is_better: bool
    needs: list[str]
    or_source: bool
    level: Literal["segment", "set"]
    aligns: bool
    options: list[OptionAnswer]


class MetricsAnswer(BaseModel):
    """The metrics that are offered, and which is the default."""

    default: str
    metrics: list[MetricAnswer]


class ReadAnswer(BaseModel):
    """The texts of a file."""

    systems: dict[str, list[str]]
    references: list[list[str]] | None
    sources: list[str] | None


class HealthAnswer(BaseModel):
    """Whether the service works."""

    status: Literal["ok"]
    farthing: str
