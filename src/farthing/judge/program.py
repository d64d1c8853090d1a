"""A judge that is a program: it gets one JSON object per line, and answers with one per line, in any order.

A question is `{"id": 7, "prompt": "…", "candidate": "…", "reference": "…", "source": "…"}`, an answer
`{"id": 7, "answer": "85"}` or `{"id": 7, "score": 85}`.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import threading
from collections.abc import Mapping
from queue import Empty, Queue

from farthing.judge.reply import JudgeError, JudgeQuestion, Reply, RowRefused, TryAgain


class Program:
    """Runs a command for as long as questions come.

    :param command: the program and its arguments, as a shell would take them; no shell runs them
    :param timeout: seconds after which an answer is given up
    """

    def __init__(self, command: str, timeout: float = 60.0) -> None:
        self.words, self.timeout = shlex.split(command), timeout
        if not self.words:
            raise JudgeError("judge: command is empty: give a program that reads and writes JSON lines")
        self._waiting: dict[int, Queue[Mapping[str, object] | None]] = {}
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._count = 0

    def ask(self, question: JudgeQuestion) -> Reply:
        """Write one line and wait for the line with the same id."""
        answers: Queue[Mapping[str, object] | None] = Queue()
        with self._lock:
            process = self._started()
            self._count += 1
            number = self._count
            self._waiting[number] = answers
            self._write(process, {"id": number, "prompt": _prompt(question), **question.fields})
        try:
            answer = answers.get(timeout=self.timeout)
        except Empty:
            raise TryAgain(f"no answer within {self.timeout:g} seconds") from None
        finally:
            self._waiting.pop(number, None)
        if answer is None:
            raise JudgeError(f"the judge {self.words[0]} ended before it had answered")
        return _reply(answer)

    def close(self) -> None:
        """Let the program end."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin:
            process.stdin.close()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            try:
                self._process = subprocess.Popen(
                    self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", errors="replace"
                )
            except OSError as error:
                raise JudgeError(f"the judge {self.words[0]} cannot be started: {error.strerror}") from error
            threading.Thread(target=self._listen, args=(self._process,), daemon=True).start()
        return self._process

    def _write(self, process: subprocess.Popen[str], question: Mapping[str, object]) -> None:
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
        except OSError:
            raise JudgeError(f"the judge {self.words[0]} ended before it had read the question") from None

    def _listen(self, process: subprocess.Popen[str]) -> None:
        """Hand every answer to who waits for it; when the program ends, tell all."""
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                answer = _object(line)
                number = answer.get("id")
                waiting = self._waiting.get(number) if isinstance(number, int) else None
                if waiting is not None:
                    waiting.put(answer)
        for waiting in list(self._waiting.values()):
            waiting.put(None)


def _object(line: str) -> dict[str, object]:
    try:
        answer = json.loads(line)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


def _prompt(question: JudgeQuestion) -> str:
    return "\n\n".join(message["content"] for message in question.messages)


def _reply(answer: Mapping[str, object]) -> Reply:
    if "error" in answer:
        raise RowRefused(str(answer["error"]))
    told = answer.get("answer", answer.get("score"))
    if told is None:
        raise TryAgain("the answer has neither answer nor score")
    return Reply(told if isinstance(told, str) else json.dumps(told))
