"""Ten thousand questions to an endpoint that misbehaves in every way, some processes killed in between.

    python benchmarks/judge_endurance.py [--rows 10000] [--kills 3] [--seed 1]

A server on loopback answers with rate limits (Retry-After), errors, half answers, garbage, chatter, empty messages,
dropped connections, silence and single slow bytes. Checked at the end: every row has its right score, no row was
answered twice (but for those under way at a kill), calls counted on disk are at least those that the server saw, a
budget holds to the call, and the key is in no file that was written.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import ModuleType
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
CONCURRENCY = 32
KEY = "sk-endurance-0123456789"


def helper(name: str) -> ModuleType:
    """Import a module of the tests."""
    spec = importlib.util.spec_from_file_location(name, PROJECT / "tests" / "judge" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ask(url: str, folder: str, rows: int, calls: int) -> None:
    """Ask all questions in this process, and print how many were answered and what was spent."""
    from farthing.judge.budget import Budget
    from farthing.judge.endpoint import Endpoint
    from farthing.judge.inquiry import AskingSettings, Inquiry
    from farthing.judge.reply import JudgeQuestion
    from farthing.judge.rules import AnswerRule
    from farthing.judge.store import JudgeIdentity, VerdictStore

    identity = JudgeIdentity("host", "m", "p", "d", {})
    settings = AskingSettings(concurrency=CONCURRENCY, retries=12, readings=6, pause=0.005)
    asking = Inquiry(
        Endpoint(url, "m", "ENDURANCE_KEY", timeout=10),
        AnswerRule("number"),
        settings,
        VerdictStore(Path(folder), identity),
    )
    questions = []
    for row in range(rows):
        fields = {"candidate": f"text #{row}#"}
        message = {"role": "user", "content": f"Rate #{row}#"}
        questions.append(JudgeQuestion(identity.key(fields, 0), fields, (message,)))
    purse = asking.purse(Budget(calls=calls), "run")
    found = asking.verdicts(questions, purse)
    right = sum(one.score == row % 101 for row, one in enumerate(found))
    print(right, purse.spent.calls)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ask", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.ask:
        ask(given.ask[0], given.ask[1], int(given.ask[2]), int(given.ask[3]))
        return
    conftest, tests = helper("conftest"), helper("test_inquiry")
    server = conftest.JudgeServer(tests.seeded(given.seed, 0.3), 12.0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        check(server, folder, given.rows, given.kills)
    server.shutdown()


def check(server: Any, folder: str, rows: int, kills: int) -> None:
    """Run, kill, resume, and compare what the server saw with what was kept."""
    environment = {**os.environ, "ENDURANCE_KEY": KEY}

    def start(calls: int) -> subprocess.Popen[str]:
        arguments = [sys.executable, __file__, "--ask", server.url, folder, str(rows), str(calls)]
        return subprocess.Popen(arguments, stdout=subprocess.PIPE, encoding="utf-8", env=environment)

    budget = rows // 10
    output, _ = start(budget).communicate()
    assert server.requests == budget, (server.requests, budget)
    print(f"budget of {budget} calls: the server saw {server.requests}; answered and spent: {output.strip()}")
    for number in range(kills):
        process, goal = start(100 * rows), server.requests + rows // (kills + 2)
        while server.requests < goal and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        print(f"killed {number + 1} times after {server.requests} requests")
    process = start(100 * rows)
    output, _ = process.communicate()
    right, spent = map(int, output.split())
    twice = sum(count - 1 for count in server.paid.values())
    held = [path for path in Path(folder).iterdir() if KEY.encode() in path.read_bytes()]
    print(f"right answers {right} of {rows}; calls on disk {spent}, requests {server.requests}; ")
    print(
        f"answered twice {twice} (at most {kills * CONCURRENCY} were under way at kills); "
        f"files with the key {len(held)}"
    )
    assert right == rows
    assert spent >= server.requests
    assert twice <= kills * CONCURRENCY
    assert not held


if __name__ == "__main__":
    main()
