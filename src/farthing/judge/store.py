"""Verdicts that were paid for, kept on disk: nothing is paid for twice, and a killed run resumes.

A store is a folder. Each judge (its model, prompt and settings) has a table of verdicts in it, one JSON object per
line with the texts, the answer and the score: an ordinary file of scores, from which a student can learn. A second file
has one line per call and counts what a run has spent, failures included.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from farthing.core.digest import digest_json
from farthing.core.errors import OutputError
from farthing.judge.budget import Cost
from farthing.judge.reply import JudgeQuestion, Reply


@dataclass(frozen=True, slots=True)
class JudgeIdentity:
    """What must be equal for a verdict to be used again.

    :param source: the host of an endpoint, or the command of a program
    :param prompt: its name, for people
    :param prompt_digest: its content
    :param settings: what is sent with every request
    """

    source: str
    model: str
    prompt: str
    prompt_digest: str
    settings: Mapping[str, object]

    @property
    def digest(self) -> str:
        """Twelve digits that identify the judge."""
        return digest_json([self.source, self.model, self.prompt_digest, dict(self.settings)])

    @property
    def file_name(self) -> str:
        """A name for its table that people can read."""
        words = re.sub(r"[^A-Za-z0-9._-]+", "-", f"{self.model or 'judge'}-{Path(self.prompt).stem or 'no-prompt'}")
        return f"{words.strip('-.')}-{self.digest}"

    def key(self, fields: Mapping[str, str], sample: int) -> str:
        """Return what identifies a question to this judge."""
        return self.digest + digest_json([dict(fields), sample])


class VerdictStore:
    """The kept answers of one judge; several threads may add to it."""

    def __init__(self, folder: Path, identity: JudgeIdentity) -> None:
        self.identity = identity
        self.path = folder / f"{identity.file_name}.jsonl"
        self.calls_path = folder / f"{identity.file_name}.calls"
        self._lock = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{folder}: cannot keep verdicts there: {error.strerror}") from error
        self._answers = {str(line["key"]): _reply(line) for line in _lines(self.path) if "key" in line}

    def answer(self, key: str) -> Reply | None:
        """Return a kept answer."""
        return self._answers.get(key)

    def add(self, question: JudgeQuestion, reply: Reply, score: float | None) -> None:
        """Keep an answer, whether it could be read or not."""
        line: dict[str, object] = {
            **question.fields,
            "score": score,
            # Plain names such as model, prompt and answer mean columns of texts and systems to readers of tables.
            "judge_answer": reply.text,
            "judge_model": self.identity.model,
            "judge_prompt": self.identity.prompt,
            "judge_date": datetime.now(UTC).strftime("%Y-%m-%d"),
            "sample": question.sample,
            "tokens_in": reply.tokens_in,
            "tokens_out": reply.tokens_out,
            "alternatives": [list(one) for one in reply.alternatives],
            "key": question.key,
        }
        with self._lock:
            self._answers[question.key] = reply
            _append(self.path, line)

    def begin_call(self, run: str, number: str, most: Cost) -> None:
        """Write down that a call begins and what it may cost."""
        with self._lock:
            _append(self.calls_path, {"run": run, "call": number, "cost": [most.tokens_in, most.tokens_out]})

    def end_call(self, run: str, number: str, cost: Cost) -> None:
        """Write down what a call did cost."""
        self.begin_call(run, number, cost)

    def spent(self, run: str) -> Cost:
        """Return what the calls of a run have cost; a call whose end is unknown has cost all that it might."""
        costs: dict[str, Cost] = {}
        for line in _lines(self.calls_path):
            cost = line.get("cost")
            if line.get("run") == run and isinstance(cost, list):
                costs[str(line["call"])] = Cost(1, *map(int, cost))
        return sum(costs.values(), Cost())


def _reply(line: Mapping[str, object]) -> Reply:
    alternatives = line.get("alternatives")
    told = alternatives if isinstance(alternatives, list) else []
    return Reply(str(line.get("judge_answer", "")), tuple((str(text), float(chance)) for text, chance in told))


def _lines(path: Path) -> Iterator[dict[str, object]]:
    """Yield the complete lines of a file; a process that was killed may have left half a line."""
    if not path.exists():
        return
    with path.open(encoding="utf-8", errors="replace") as stream:
        for text in stream:
            try:
                line = json.loads(text)
            except ValueError:
                continue
            if isinstance(line, dict):
                yield line


def _append(path: Path, line: Mapping[str, object]) -> None:
    """Add a line in one piece; if the file ends in half a line, begin a new one."""
    text = (json.dumps(line, ensure_ascii=False) + "\n").encode()
    try:
        with path.open("ab+", buffering=0) as stream:
            if stream.seek(0, os.SEEK_END):
                stream.seek(-1, os.SEEK_END)
                text = text if stream.read(1) == b"\n" else b"\n" + text
            stream.write(text)
    except OSError as error:
        raise OutputError(f"{path}: a verdict cannot be kept: {error.strerror}") from error
