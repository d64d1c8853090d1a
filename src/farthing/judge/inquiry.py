"""Ask a judge many questions: several at a time, again after failures, within a budget, keeping every answer."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import count
from uuid import uuid4

from farthing.core.progress import phase
from farthing.judge.budget import Budget, Cost, Purse
from farthing.judge.pacing import CallPace, back_off
from farthing.judge.reply import Asker, JudgeError, JudgeQuestion, JudgeVerdict, Message, Reply, RowRefused, TryAgain
from farthing.judge.rules import AnswerRule
from farthing.judge.store import VerdictStore

PROBES = 3  # first questions after which a judge that answered none is given up
OUT_OF_BUDGET = "the budget is spent"
_PER_MESSAGE = 64  # tokens that an endpoint may add to a message
_SHOWN = 80  # characters of an answer that a message quotes


@dataclass(frozen=True, slots=True)
class AskingSettings:
    """How a judge is asked.

    :param concurrency: how many questions are open at a time
    :param retries: how often a call that failed is made again
    :param readings: how often a judge whose answer cannot be read is asked again
    :param pause: seconds to wait after the first failure; twice as long after the next
    :param rate: the most calls per minute
    :param most_out: the most tokens of an answer
    :param probes: ask the first questions one by one, and stop if none is answered
    """

    concurrency: int = 8
    retries: int = 6
    readings: int = 2
    pause: float = 1.0
    rate: float | None = None
    most_out: int = 16
    probes: bool = True


class Inquiry:
    """A judge that is being asked.

    :param store: where answers are kept; None keeps nothing
    """

    def __init__(self, asker: Asker, rule: AnswerRule, settings: AskingSettings, store: VerdictStore | None) -> None:
        self.asker, self.rule, self.settings, self.store = asker, rule, settings, store
        self._pace, self._stop = CallPace(settings.rate), threading.Event()
        self._proved = not settings.probes
        self._run, self._numbers, self._process = "", count(), uuid4().hex[:12]

    def purse(self, budget: Budget, run: str = "") -> Purse:
        """Return a purse for a budget; with the name of a run, what it has spent before is counted."""
        self._run = run
        return Purse(budget, self.store.spent(run) if self.store and run else None)

    def kept(self, question: JudgeQuestion) -> JudgeVerdict | None:
        """Return the verdict of an answer that was kept."""
        reply = self.store.answer(question.key) if self.store else None
        return None if reply is None else self._verdict(reply)

    def verdicts(self, questions: Sequence[JudgeQuestion], purse: Purse) -> list[JudgeVerdict]:
        """Answer every question; equal ones are asked once."""
        found: dict[str, JudgeVerdict] = {}
        waiting: dict[str, JudgeQuestion] = {}
        for question in questions:
            if question.key in found or question.key in waiting:
                continue
            if kept := self.kept(question):
                found[question.key] = kept
            else:
                waiting[question.key] = question
        with phase("judging", len(waiting)) as progress:
            rest = list(waiting.values())
            if rest and not self._proved:
                rest = self._probed(rest, purse, found)
                progress(len(waiting) - len(rest))
            for key, verdict in self._asked(rest, purse):
                found[key] = verdict
                progress(1)
        return [found[question.key] for question in questions]

    def _probed(
        self, questions: list[JudgeQuestion], purse: Purse, found: dict[str, JudgeVerdict]
    ) -> list[JudgeQuestion]:
        """Ask until there is a first score; return the questions that are left."""
        reasons: list[str] = []
        while questions and not self._proved:
            question = questions.pop(0)
            verdict = found[question.key] = self._answered(question, purse)
            self._proved = verdict.score is not None
            if verdict.reason == OUT_OF_BUDGET and not verdict.failure:
                break
            if verdict.score is None:
                reasons.append(verdict.failure or verdict.reason)
            if len(reasons) == PROBES or (reasons and not self._proved and (not questions or verdict.failure)):
                raise JudgeError(f"the judge gives no scores: {reasons[0]}")
        return questions

    def _asked(self, questions: Sequence[JudgeQuestion], purse: Purse) -> list[tuple[str, JudgeVerdict]]:
        """Ask several questions at a time; the first error that concerns all of them stops the others."""
        if not questions:
            return []
        self._stop.clear()
        pool = ThreadPoolExecutor(min(self.settings.concurrency, len(questions)))
        try:
            futures = [(one.key, pool.submit(self._guarded, one, purse)) for one in questions]
            return [(key, future.result()) for key, future in futures]
        except BaseException:
            self._stop.set()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def _guarded(self, question: JudgeQuestion, purse: Purse) -> JudgeVerdict:
        if self._stop.is_set():
            return JudgeVerdict(None, reason="stopped")
        try:
            return self._answered(question, purse)
        except BaseException:
            self._stop.set()
            raise

    def _answered(self, question: JudgeQuestion, purse: Purse) -> JudgeVerdict:
        """Ask one question until there is a score, or no hope or budget is left."""
        failures, unread, paid, asked, failure = 0, 0, 0, question, ""
        while not self._stop.is_set():
            self._pace.wait(self._stop)
            if (reply := self._called(asked, purse)) is None:
                return JudgeVerdict(None, reason=OUT_OF_BUDGET, paid=paid, failure=failure)
            paid += 1
            if isinstance(reply, RowRefused):
                return JudgeVerdict(None, reason=str(reply), paid=paid)
            if isinstance(reply, TryAgain):
                failures, failure = failures + 1, reply.reason
                if failures > self.settings.retries or (reply.unreachable and not self._proved):
                    return self._given_up(reply, failures, paid)
                self._rest(reply, failures)
                continue
            verdict = replace(self._verdict(reply), paid=paid)
            unread += verdict.score is None
            if verdict.score is not None or unread > self.settings.readings:
                if self.store:
                    self.store.add(question, reply, verdict.score)
                return verdict
            asked, failure = replace(question, messages=self._reminded(question, reply)), verdict.reason
        return JudgeVerdict(None, reason="stopped", paid=paid)

    def _called(self, question: JudgeQuestion, purse: Purse) -> Reply | TryAgain | RowRefused | None:
        """Make one call; None if the budget does not allow it. What it costs is on disk before it begins."""
        most = self.most(question.messages)
        if not purse.take(most):
            return None
        number, cost = f"{self._process}-{next(self._numbers)}", Cost(1)
        try:
            if self.store and self._run:
                self.store.begin_call(self._run, number, most)
            reply = self.asker.ask(question)
            cost = self._cost(question.messages, reply)
            return reply
        except (TryAgain, RowRefused) as failure:
            return failure
        finally:
            purse.settle(most, cost)
            if self.store and self._run:
                self.store.end_call(self._run, number, cost)

    def most(self, messages: Sequence[Message]) -> Cost:
        """Return what a call may cost at most: no tokenizer makes more tokens than there are bytes."""
        size = sum(len(one["content"].encode()) + _PER_MESSAGE for one in messages)
        return Cost(1, size, self.settings.most_out)

    def _cost(self, messages: Sequence[Message], reply: Reply) -> Cost:
        """Return what a call did cost; an endpoint that does not count is counted for."""
        if reply.tokens_in or reply.tokens_out or not messages:
            return Cost(1, reply.tokens_in, reply.tokens_out)
        return Cost(1, sum(estimated_tokens(one["content"]) for one in messages), estimated_tokens(reply.text))

    def _verdict(self, reply: Reply) -> JudgeVerdict:
        score = self.rule.read(reply)
        shown = " ".join(reply.text.split())[:_SHOWN]
        reason = "" if score is not None else f"the answer {shown!r} has no score from {self.rule.bounds}"
        return JudgeVerdict(score, reply.text, reason)

    def _reminded(self, question: JudgeQuestion, reply: Reply) -> tuple[Message, ...]:
        """Return the messages with the answer that could not be read, and what is wanted instead."""
        answer = {"role": "assistant", "content": reply.text[: 8 * self.settings.most_out]}
        return (*question.messages, answer, {"role": "user", "content": self.rule.reminder})

    def _given_up(self, failure: TryAgain, failures: int, paid: int) -> JudgeVerdict:
        if failure.unreachable:
            raise JudgeError(failure.reason)
        return JudgeVerdict(None, reason=f"{failures} calls failed, the last one: {failure.reason}", paid=paid)

    def _rest(self, failure: TryAgain, failures: int) -> None:
        """Wait after a failure: as long as the judge asks, with all calls, or by our own rule, with this one."""
        if failure.wait is not None:
            self._pace.pause(failure.wait)
        else:
            self._stop.wait(back_off(failures - 1, self.settings.pause))


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text has: one per four letters, or per letter that is not of the Latin script.

    >>> estimated_tokens("a cat sat down"), estimated_tokens("猫")
    (4, 1)
    """
    wide = sum(letter > "ɏ" for letter in text)
    return wide + -(-(len(text) - wide) // 4)
