"""Many questions to a judge that misbehaves in every way."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farthing.judge.budget import Budget, Cost
from farthing.judge.endpoint import Endpoint
from farthing.judge.inquiry import OUT_OF_BUDGET, AskingSettings, Inquiry
from farthing.judge.reply import JudgeError, JudgeQuestion, Reply
from farthing.judge.rules import AnswerRule
from farthing.judge.store import JudgeIdentity, VerdictStore

Start = Callable[..., Any]
IDENTITY = JudgeIdentity("host", "m", "p", "d", {})
FAULTS, ENDLESS = ("rate", "error", "half", "garbage", "chat", "empty", "drop"), ("slow", "hang")
PATIENCE = 5.0  # seconds; even a busy machine answers within them, so that only endless answers are given up


def question(row: int) -> JudgeQuestion:
    fields = {"candidate": f"text #{row}#"}
    return JudgeQuestion(IDENTITY.key(fields, 0), fields, ({"role": "user", "content": f"Rate #{row}#"},))


def seeded(seed: int, often: float) -> Callable[[str, int], str]:
    """Rows fail in some ways, one after the other, and then are answered; few of them by never ending."""

    def fault(row: str, attempt: int) -> str:
        chance = random.Random(f"{seed} {row} {attempt}")
        if int(row) % 60 == 59 and attempt == 1:
            return chance.choice(ENDLESS)
        return chance.choice(FAULTS) if attempt <= 4 and chance.random() < often else "ok"

    return fault


def inquiry(server: Any, store: VerdictStore | None, key: str = "NO_KEY", **changes: Any) -> Inquiry:
    settings = AskingSettings(**{"concurrency": 16, "pause": 0.001, "readings": 4, **changes})
    return Inquiry(Endpoint(server.url, "m", key, timeout=PATIENCE), AnswerRule("number"), settings, store)


def test_nothing_is_lost_and_nothing_is_paid_twice(judge_server: Start, tmp_path: Path, with_key: str) -> None:
    server = judge_server(seeded(1, 0.3), wait=PATIENCE + 1)
    asking = inquiry(server, VerdictStore(tmp_path, IDENTITY), with_key)
    purse = asking.purse(Budget(calls=100_000), "run")
    rows = [*range(250), *range(50)]
    found = asking.verdicts([question(row) for row in rows], purse)
    assert [one.score for one in found] == [row % 101 for row in rows]
    assert {*server.paid.values()} == {1}
    assert purse.spent.calls == server.requests == VerdictStore(tmp_path, IDENTITY).spent("run").calls
    again = inquiry(server, VerdictStore(tmp_path, IDENTITY), with_key)
    before = server.requests
    assert [one.score for one in again.verdicts([question(row) for row in rows], again.purse(Budget()))] == [
        one.score for one in found
    ]
    assert server.requests == before
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"secret" not in written


@pytest.mark.parametrize("calls", [1, 17, 60])
def test_the_budget_is_never_exceeded_by_one_call(judge_server: Start, tmp_path: Path, calls: int) -> None:
    server = judge_server(seeded(2, 0.3))
    asking = inquiry(server, VerdictStore(tmp_path, IDENTITY))
    found = asking.verdicts([question(row) for row in range(100)], asking.purse(Budget(calls=calls), "run"))
    assert server.requests == calls
    assert any(one.reason == OUT_OF_BUDGET for one in found)
    again = inquiry(server, VerdictStore(tmp_path, IDENTITY))  # the budget of the run is spent, not only this process's
    again.verdicts([question(row) for row in range(100)], again.purse(Budget(calls=calls), "run"))
    assert server.requests == calls


def test_a_budget_in_tokens_holds_too(judge_server: Start) -> None:
    server = judge_server()
    asking = inquiry(server, None)
    purse = asking.purse(Budget(tokens=1000))
    asking.verdicts([question(row) for row in range(100)], purse)
    assert 1000 - asking.most(question(0).messages).tokens - 21 <= purse.spent.tokens <= 1000


RUN = """
    import sys
    from pathlib import Path
    from farthing.judge.budget import Budget
    from farthing.judge.endpoint import Endpoint
    from farthing.judge.inquiry import AskingSettings, Inquiry
    from farthing.judge.reply import JudgeQuestion
    from farthing.judge.rules import AnswerRule
    from farthing.judge.store import JudgeIdentity, VerdictStore

    identity = JudgeIdentity("host", "m", "p", "d", {})
    settings = AskingSettings(concurrency=4, pause=0.001, readings=4)
    asking = Inquiry(Endpoint(sys.argv[1], "m", timeout=60), AnswerRule("number"), settings,
                     VerdictStore(Path(sys.argv[2]), identity))
    questions = []
    for row in range(int(sys.argv[3])):
        fields = {"candidate": f"text #{row}#"}
        message = {"role": "user", "content": f"Rate #{row}#"}
        questions.append(JudgeQuestion(identity.key(fields, 0), fields, (message,)))
    purse = asking.purse(Budget(calls=10_000), "run")
    found = asking.verdicts(questions, purse)
    print(sum(one.score is not None for one in found), purse.spent.calls)
"""


def test_a_killed_run_resumes(judge_server: Start, tmp_path: Path) -> None:
    server = judge_server(lambda row, attempt: "error" if attempt == 1 and int(row) % 5 == 0 else "ok")
    command = [sys.executable, "-c", textwrap.dedent(RUN), server.url, str(tmp_path), "200"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    while server.requests < 80:
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    answered, spent = map(int, done.stdout.split())
    assert answered == 200
    # a call is counted before it is sent, so those that were under way when it was killed may not have arrived
    assert 0 <= spent - server.requests <= 4
    assert sum(count - 1 for count in server.paid.values()) <= 4  # answers that were under way when it was killed


def test_a_model_that_only_chats_is_given_up_at_once(judge_server: Start) -> None:
    server = judge_server(lambda row, attempt: "chat")
    with pytest.raises(
        JudgeError, match=r"gives no scores: the answer 'What a lovely text!.*' has no score from 0 to 100"
    ):
        inquiry(server, None, readings=2).verdicts(
            [question(row) for row in range(500)], inquiry(server, None).purse(Budget())
        )
    assert server.requests == 9
    last = server.bodies[-1]["messages"][-1]["content"]
    assert last == "Answer only with one number from 0 to 100."


@pytest.mark.parametrize(("fault", "sentence"), [("key", "does not accept"), ("missing", "404"), ("wrong", "refuses")])
def test_what_concerns_all_rows_stops_before_money_is_spent(judge_server: Start, fault: str, sentence: str) -> None:
    server = judge_server(lambda row, attempt: fault)
    asking = inquiry(server, None)
    with pytest.raises(JudgeError, match=sentence):
        asking.verdicts([question(row) for row in range(500)], asking.purse(Budget()))
    assert server.requests <= 3


def test_a_budget_that_failures_eat_up_names_the_failure(judge_server: Start) -> None:
    asking = inquiry(judge_server(lambda row, attempt: "garbage"), None)
    with pytest.raises(JudgeError, match="gives no scores: the answer is no JSON"):
        asking.verdicts([question(row) for row in range(9)], asking.purse(Budget(2)))


def test_nobody_is_there(judge_server: Start) -> None:
    server = judge_server()
    server.shutdown()
    server.server_close()
    with pytest.raises(JudgeError, match="cannot be reached"):
        inquiry(server, None).verdicts([question(1)], inquiry(server, None).purse(Budget()))


def test_an_error_in_the_middle_stops_the_others(judge_server: Start) -> None:
    server = judge_server(lambda row, attempt: "key" if int(row) == 40 else "ok")
    asking = inquiry(server, None, concurrency=2)
    with pytest.raises(JudgeError, match="does not accept"):
        asking.verdicts([question(row) for row in range(2000)], asking.purse(Budget()))
    assert server.requests < 1000


def test_rows_that_stay_unanswered_are_rejected_with_a_reason(judge_server: Start, tmp_path: Path) -> None:
    server = judge_server(lambda row, attempt: {"3": "error", "5": "chat", "7": "wrong"}.get(row, "ok"))
    asking = inquiry(server, VerdictStore(tmp_path, IDENTITY), retries=2, readings=1)
    found = asking.verdicts([question(row) for row in range(10)], asking.purse(Budget()))
    assert [row for row, one in enumerate(found) if one.score is None] == [3, 5, 7]
    assert found[3].reason == "3 calls failed, the last one: HTTP 500: oops"
    assert "has no score" in found[5].reason
    assert "refuses" in found[7].reason
    assert server.attempts["5"] == 2
    again = inquiry(server, VerdictStore(tmp_path, IDENTITY), retries=0)
    again.verdicts([question(5)], again.purse(Budget()))
    assert server.attempts["5"] == 2  # an answer that cannot be read was paid for, too


def test_a_kept_answer_is_read_by_the_rule_of_today(tmp_path: Path) -> None:
    store = VerdictStore(tmp_path, IDENTITY)
    store.add(question(1), Reply("I say 7"), None)

    class Nobody:
        def ask(self, question: JudgeQuestion) -> Reply:
            raise AssertionError("nobody is asked")

        def close(self) -> None: ...

    asking = Inquiry(Nobody(), AnswerRule("number", high=10), AskingSettings(), store)
    purse = asking.purse(Budget())
    assert asking.verdicts([question(1)], purse)[0].score == 7
    assert purse.spent == Cost()
