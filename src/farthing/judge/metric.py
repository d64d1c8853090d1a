"""The metric `judge`: a large language model, a program, or verdicts that are known already."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.errors import MissingInput, SpecError, UsageError
from farthing.core.metric import Metric, check_pairs, check_positive
from farthing.core.registry import load
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import MetricInfo, Note, Pairs, Scores
from farthing.judge.budget import Budget, Purse
from farthing.judge.endpoint import KEY, Endpoint
from farthing.judge.inquiry import OUT_OF_BUDGET, AskingSettings, Inquiry
from farthing.judge.program import Program
from farthing.judge.prompt import Prompt, prompt_path, read_prompt
from farthing.judge.questions import row_fields
from farthing.judge.replay import Replay
from farthing.judge.reply import Asker, JudgeError, JudgeQuestion, JudgeVerdict
from farthing.judge.rules import AnswerRule
from farthing.judge.store import JudgeIdentity, VerdictStore

ANY_NUMBER = AnswerRule("number", low=-np.inf, high=np.inf)  # of verdicts and programs without a prompt
_ALTERNATIVES = 20  # the most that endpoints give
_ROOM = {"number": 16, "expected": 16, "json": 256, "errors": 1024}  # tokens of an answer by its rule


@dataclass(kw_only=True, eq=False)
class JudgeMetric(Metric):
    """Asks an expensive judge for every output; every verdict is kept, so that none is paid for twice."""

    about = MetricInfo(
        "judge",
        "A large language model, a program, or known verdicts.",
        "Kocmi and Federmann 2023, https://aclanthology.org/2023.eamt-1.19",
        (None, None),
        needs=frozenset(),
    )
    compares_outputs: ClassVar[bool] = False  #: True if the prompt shows two outputs
    url: Annotated[str | None, "address of an endpoint with the chat protocol: https://api.example.com/v1"] = None
    model: Annotated[str | None, "the model that the endpoint is asked for"] = None
    prompt: Annotated[str | None, "a shipped prompt (direct, stars, errors …) or a file"] = None
    command: Annotated[str | None, "a program that reads and writes JSON lines"] = None
    replay: Annotated[str | None, "a table of texts with verdicts"] = None
    column: Annotated[str | None, "the column of the verdicts in that table, such as judges.gpt4"] = None
    key: Annotated[str, "the environment variable that holds the key"] = KEY
    temperature: Annotated[float, "how much answers may vary"] = 0.0
    max_tokens: Annotated[int | None, "the most tokens of an answer; by default as the prompt's rule needs"] = None
    request: Annotated[
        str | None, 'further fields of requests as JSON, such as {"seed": 1}; null leaves out a usual one'
    ] = None
    timeout: Annotated[float, "seconds after which a call is given up"] = 60.0
    concurrency: Annotated[int, "questions that are open at a time"] = 8
    retries: Annotated[int, "how often a call that failed is made again"] = 6
    rate: Annotated[float | None, "the most calls per minute"] = None
    budget: Annotated[int | None, "the most calls of a run"] = None
    sample: Annotated[int, "a number; the same row with another one is asked again"] = 0
    verdicts: Annotated[str | None, "folder that keeps the verdicts; by default in the user's cache"] = None
    _purse: Purse = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if sum(one is not None for one in (self.url, self.command, self.replay)) != 1:
            raise SpecError(
                "judge needs one of url=… (with model= and prompt=), command=… (a program) and replay=… (a table)"
            )
        if self.url is not None and not (self.model and self.prompt):
            raise SpecError("judge: an endpoint needs model=… and prompt=…, such as prompt=direct")
        if self.column is not None and self.replay is None:
            raise SpecError("judge: column= names a column of the table replay=…")
        check_positive("judge", timeout=self.timeout, concurrency=self.concurrency, rate=self.rate or 1)
        check_positive("judge", or_zero=True, temperature=self.temperature, retries=self.retries, sample=self.sample)
        self._purse = Purse(Budget(self.budget))
        _ = self.asked  # what is wrong with a prompt or a file is said now, before anybody is asked
        if self.asked is not None and self.asked.compares != self.compares_outputs:
            what = "compares two outputs: it is" if self.asked.compares else "shows one output: it is not"
            raise SpecError(f"judge: the prompt {self.prompt} {what} for farthing meta consistency --preference")
        _ = self.inquiry

    @cached_property
    def asked(self) -> Prompt | None:
        """The prompt, if there is one."""
        return None if self.prompt is None else read_prompt(self.prompt)

    @property
    def rule(self) -> AnswerRule:
        """How answers are read; verdicts that are known are numbers."""
        return self.asked.rule if self.asked is not None and self.replay is None else ANY_NUMBER

    @property
    def info(self) -> MetricInfo:
        """What the prompt needs, and its scale."""
        if self.asked is None:
            return self.about
        low, high = self.asked.rule.low, self.asked.rule.high
        up = self.asked.rule.higher_is_better
        return replace(self.about, range=(low, high), higher_is_better=up, needs=self.asked.needs)

    @classmethod
    def assets(cls, options: Mapping[str, Value]) -> list[str]:
        """Return the files that verdicts depend on: the prompt's and the table's."""
        prompt, replay = options.get("prompt"), options.get("replay")
        files = [str(prompt_path(prompt))] if isinstance(prompt, str) else []
        return [*files, *([replay] if isinstance(replay, str) else [])]

    @cached_property
    def identity(self) -> JudgeIdentity:
        """What must be equal for a verdict to be used again."""
        prompt = self.asked
        source = self.command or ("" if self.url is None else Endpoint(self.url, "").host)
        return JudgeIdentity(
            source, self.model or "", self.prompt or "", "" if prompt is None else prompt.digest, self._sent()
        )

    def _sent(self) -> dict[str, object]:
        """Return what is sent with every request."""
        if self.url is None:
            return {}
        sent: dict[str, object] = {"temperature": self.temperature, "max_tokens": self._room()}
        if self.rule.rule == "expected":
            sent |= {"logprobs": True, "top_logprobs": _ALTERNATIVES}
        wanted = sent | _further_fields(self.request)
        return {name: value for name, value in wanted.items() if value is not None}

    def _room(self) -> int:
        """The most tokens of an answer, which a budget sets aside."""
        further = _further_fields(self.request)
        told = [further.get(name) for name in ("max_completion_tokens", "max_tokens")]
        return max((one for one in told if isinstance(one, int)), default=self.max_tokens or _ROOM[self.rule.rule])

    @cached_property
    def inquiry(self) -> Inquiry:
        """The judge, ready to be asked; it is not asked anything yet."""
        settings = AskingSettings(
            self.concurrency, self.retries, rate=self.rate, most_out=self._room(), probes=self.replay is None
        )
        return Inquiry(self._asker(), self.rule, settings, None if self.replay else self._store())

    def _asker(self) -> Asker:
        if self.replay is not None:
            return Replay(self.replay, self.column)
        if self.command is not None:
            return Program(self.command, self.timeout)
        return Endpoint(self.url or "", self.model or "", self.key, self._sent(), self.timeout)

    def _store(self) -> VerdictStore:
        if self.verdicts is not None:
            return VerdictStore(Path(self.verdicts), self.identity)
        from platformdirs import user_cache_path

        return VerdictStore(user_cache_path("farthing") / "verdicts", self.identity)

    def questions(self, pairs: Pairs, sample: int | None = None) -> list[JudgeQuestion]:
        """Return one question per row."""
        number = self.sample if sample is None else sample
        return [self.question(fields, number) for fields in row_fields(pairs)]

    def question(self, fields: Mapping[str, str], sample: int = 0) -> JudgeQuestion:
        """Return the question about some texts; only those that the prompt shows matter, if there is one."""
        prompt = self.asked
        shown = fields if prompt is None else {name: fields[name] for name in prompt.fields if name in fields}
        messages = () if prompt is None else tuple(prompt.filled(fields))
        return JudgeQuestion(self.identity.key(shown, sample), fields, messages, sample)

    def score_pairs(self, pairs: Pairs) -> Scores:
        """Ask for every row."""
        return self.score_systems([pairs])[0]

    def score_systems(self, systems: Sequence[Pairs]) -> list[Scores]:
        """Ask for the rows of all systems together; equal questions are asked once."""
        for pairs in systems:
            check_pairs(self.info, pairs)
        questions = [self.questions(pairs) for pairs in systems]
        found = self.inquiry.verdicts([one for some in questions for one in some], self._purse)
        unpaid = sum(verdict.reason == OUT_OF_BUDGET for verdict in found)
        if unpaid:
            raise JudgeError(
                f"the budget of {self.budget} calls is spent, and {unpaid} rows have no verdict: raise it (what was "
                "paid for is kept), or let farthing judge choose the rows that matter"
            )
        parts = iter(found)
        return [self._scores(pairs, [next(parts) for _ in range(len(pairs))]) for pairs in systems]

    def _scores(self, pairs: Pairs, verdicts: Sequence[JudgeVerdict]) -> Scores:
        segments, notes = filled_scores(verdicts)
        return Scores(float(segments.mean()), segments, self.signature, notes=notes, system=pairs.system)

    @property
    def signature(self) -> Signature:
        """Who judged, and how; never an address or a key."""
        if self.replay is not None:
            from farthing.core.digest import digest_files

            fields: dict[str, Value] = {"replay": digest_files([Path(self.replay)]), "column": self.column or "score"}
            return Signature("judge", fields)
        named = {"host" if self.url else "command": self.identity.source, "model": self.identity.model}
        prompt = {} if self.asked is None else {"prompt": Path(self.prompt or "").stem, "text": self.asked.digest}
        sent: dict[str, Value] = {}
        if self.url:
            sent = {"temperature": self.temperature, "max_tokens": self._room(), "rule": self.rule.rule}
        if self.request is not None:
            sent["request"] = self.request
        sample = {"sample": self.sample} if self.sample else {}
        return Signature(
            "judge", {name: value for name, value in (named | prompt | sent | sample).items() if value != ""}
        )


def _further_fields(text: str | None) -> dict[str, object]:
    """Read fields of requests; those that make up the question itself cannot be replaced."""
    if text is None:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or {"model", "messages", "stream"} & {*found}:
        raise SpecError(
            f'judge: request={text} is no JSON object of further fields, such as {{"seed": 1, "max_tokens": null}}'
        )
    return found


def load_judge(spec: str) -> JudgeMetric:
    """Load a judge by its spec; any other metric is a mistake."""
    found = load(spec)
    if not isinstance(found, JudgeMetric):
        raise UsageError(f"--judge {spec} is no judge: give judge(url=…), judge(command=…) or judge(replay=…)")
    return found


def filled_scores(verdicts: Sequence[JudgeVerdict]) -> tuple[Segments, tuple[Note, ...]]:
    """Return the scores; a row without one counts as the mean of the others, and is noted with the reason."""
    scores = np.array([np.nan if one.score is None else one.score for one in verdicts])
    missing = np.isnan(scores)
    if missing.all():
        raise MissingInput(f"the judge gave no score for any row: {verdicts[0].reason}")
    scores[missing] = scores[~missing].mean()
    reasons: dict[str, list[int]] = {}
    for row in np.flatnonzero(missing).tolist():
        reasons.setdefault(verdicts[row].reason, []).append(row)
    notes = (
        Note("rejected", f"{reason}; the row counts as the mean of the others", tuple(rows))
        for reason, rows in reasons.items()
    )
    return scores, tuple(notes)
