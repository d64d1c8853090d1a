"""A judge's endpoint on loopback that speaks the chat protocol, and misbehaves as it is told."""

from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

KEY = "sk-secret-0123456789abcdef"


class JudgeServer(ThreadingHTTPServer):
    """Answers with the number that a question holds; `fault` says what goes wrong, by question and attempt."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, fault: Callable[[str, int], str], wait: float = 0.3) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.fault, self.wait_time = fault, wait
        self.lock = threading.Lock()
        self.requests = 0
        self.attempts: Counter[str] = Counter()
        self.paid: Counter[str] = Counter()  # complete, readable answers by question
        self.bodies: list[dict[str, Any]] = []
        self.keys: set[str] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Stay quiet about callers that went away."""


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: JudgeServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = body["messages"][0]["content"]
        row = (re.findall(r"#(\d+)#", text) or ["0"])[0]
        server = self.server
        with server.lock:
            server.requests += 1
            server.attempts[row] += 1
            attempt = server.attempts[row]
            server.keys.add(self.headers.get("Authorization", ""))
            if len(server.bodies) < 100:
                server.bodies.append(body)
        getattr(self, f"fault_{server.fault(row, attempt)}")(row)

    def send(self, content: bytes, code: int = 200, headers: dict[str, str] | None = None, length: int = -1) -> None:
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content) if length < 0 else length))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def answer(self, text: str, **more: Any) -> bytes:
        choice = {"message": {"role": "assistant", "content": text}, **more}
        return json.dumps({"choices": [choice], "usage": {"prompt_tokens": 20, "completion_tokens": 1}}).encode()

    def fault_ok(self, row: str) -> None:
        with self.server.lock:
            self.server.paid[row] += 1
        self.send(self.answer(str(int(row) % 101)))

    def fault_rate(self, row: str) -> None:
        self.send(b"{}", 429, {"Retry-After": "0.01"})

    def fault_error(self, row: str) -> None:
        self.send(b"oops", 500)

    def fault_half(self, row: str) -> None:
        content = self.answer("50")
        self.send(content[: len(content) // 2], length=len(content))
        self.close_connection = True

    def fault_garbage(self, row: str) -> None:
        self.send(b"<html>not json")

    def fault_chat(self, row: str) -> None:
        self.send(self.answer("What a lovely text! I would not want to put a number on it."))

    def fault_slow(self, row: str) -> None:
        content = self.answer("50")
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        for byte in content:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            time.sleep(self.server.wait_time / 40)

    def fault_hang(self, row: str) -> None:
        time.sleep(self.server.wait_time)
        self.close_connection = True

    def fault_empty(self, row: str) -> None:
        self.send(json.dumps({"choices": [{"message": {"content": None}}]}).encode())

    def fault_drop(self, row: str) -> None:
        self.close_connection = True
        self.connection.close()

    def fault_key(self, row: str) -> None:
        told = {"error": {"message": f"Incorrect key provided: {self.headers.get('Authorization')}"}}
        self.send(json.dumps(told).encode(), 401)

    def fault_wrong(self, row: str) -> None:
        told = {"error": {"message": f"no such parameter, says {self.headers.get('Authorization')}"}}
        self.send(json.dumps(told).encode(), 400)

    def fault_detail(self, row: str) -> None:
        self.send(b'{"detail": "unexpected fields"}', 422)

    def fault_page(self, row: str) -> None:
        self.send(b"<html>Bad gateway</html>", 502)

    def fault_missing(self, row: str) -> None:
        self.send(b"{}", 404)

    def fault_move(self, row: str) -> None:
        self.send(b"", 302, {"Location": "http://127.0.0.1:9/elsewhere"})

    def fault_logprobs(self, row: str) -> None:
        top = [{"token": "4", "logprob": -0.6931471805599453}, {"token": "2", "logprob": -1.3862943611198906},
               {"token": "x", "logprob": -1.3862943611198906}]  # fmt: skip
        tokens = [{"token": " ", "top_logprobs": []}, {"token": "4", "top_logprobs": top}]
        self.send(self.answer(" 4", logprobs={"content": tokens}))


@pytest.fixture
def judge_server() -> Iterator[Callable[..., JudgeServer]]:
    """Start endpoints that misbehave as told; they stop with the test."""
    started: list[JudgeServer] = []

    def start(fault: Callable[[str, int], str] = lambda row, attempt: "ok", wait: float = 0.3) -> JudgeServer:
        server = JudgeServer(fault, wait)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        started.append(server)
        return server

    yield start
    for server in started:
        server.shutdown()
        server.server_close()


@pytest.fixture
def with_key(monkeypatch: pytest.MonkeyPatch) -> str:
    """A key in the environment."""
    monkeypatch.setenv("TEST_JUDGE_KEY", KEY)
    return "TEST_JUDGE_KEY"
