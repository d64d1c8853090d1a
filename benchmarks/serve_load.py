"""What does it cost to score over HTTP? 64 clients ask `farthing serve` for a minute; the peer is `farthing score`.

Both score the same texts with the embedded default, one thread each, in processes of their own; the clients are a third
process. The bar is on the server's CPU seconds per pair: at most 1.4 times those of the command line, with 32 pairs per
request. Then the clients send single pairs, for the time that one of them waits; and the service is asked to stop in
the middle of it.

    python benchmarks/serve_load.py ../shared --seconds 60
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import httpx

CLIENTS = 64
BAR = 1.4
SCORED = "farthing_pairs_total"
COMMAND = [sys.executable, "-c", "from farthing.app.cli.main import main; main()"]
ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
Pair = dict[str, object]


@dataclass
class Load:
    """What the clients saw."""

    pairs: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def late(self, share: float) -> float:
        """Return the seconds within which this share of the requests was answered."""
        return sorted(self.seconds)[max(0, round(share * len(self.seconds)) - 1)] if self.seconds else float("nan")


def texts(shared: Path, count: int) -> list[Pair]:
    """Read pairs of WMT16 into English."""
    with gzip.open(shared / "data" / "human" / "wmt16_da_seg.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    english = [row for row in rows if row["lp"].endswith("-en")]
    return [{"candidate": row["candidate"], "references": [row["reference"]]} for row in english[:count]]


def command_line(pairs: list[Pair]) -> float:
    """Return the CPU seconds per pair of `farthing score`, its start included."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.jsonl"
        rows = ({"candidate": one["candidate"], "reference": one["references"][0]} for one in pairs)  # type: ignore[index]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*COMMAND, "score", str(path)], env=ONE_THREAD, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / len(pairs)


class Server:
    """`farthing serve` in a process of its own."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = subprocess.Popen([*COMMAND, "serve", "--quiet", "--port", str(self.port)], env=ONE_THREAD)
        for _ in range(600):
            try:
                httpx.get(f"{self.url}/healthz")
                return
            except httpx.TransportError:
                time.sleep(0.1)
        raise SystemExit("the service did not start")

    def cpu(self) -> float:
        """Return the CPU seconds that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Return the megabytes that it has in memory."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024

    def count(self, name: str = "farthing_queue_tokens") -> float:
        """Return one of the numbers that it counts, by default the tokens in its queue."""
        lines = httpx.get(f"{self.url}/metrics", timeout=60).text.splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith(name))


def clients(url: str, pairs: list[Pair], size: int, seconds: float, count: int = CLIENTS) -> Load:
    """Ask from many clients at a time, each as soon as it has its last answer; this runs in a process of its own."""
    load, places = Load(), iter(range(0, 10**9, size))

    async def ask(client: httpx.AsyncClient, end: float) -> None:
        while time.monotonic() < end:
            start = next(places) % (len(pairs) - size + 1)
            begun = time.monotonic()
            try:
                answer = await client.post(f"{url}/v1/score", json={"pairs": pairs[start : start + size]})
            except httpx.TransportError as error:
                load.statuses[type(error).__name__] += 1
                return
            load.seconds.append(time.monotonic() - begun)
            load.statuses[str(answer.status_code)] += 1
            load.pairs += size if answer.status_code == 200 else 0
            if answer.status_code == 429:
                await asyncio.sleep(float(answer.headers["retry-after"]))

    async def run() -> None:
        limits = httpx.Limits(max_connections=count, max_keepalive_connections=count)
        async with httpx.AsyncClient(timeout=900, limits=limits) as client:
            await asyncio.gather(*(ask(client, time.monotonic() + seconds) for _ in range(count)))

    asyncio.run(run())
    return load


def minute(server: Server, pool: ProcessPoolExecutor, pairs: list[Pair], size: int, seconds: float) -> Load:
    """Load the service and print what it cost."""
    before, scored, memory = server.cpu(), server.count(SCORED), [server.memory()]
    running = pool.submit(clients, server.url, pairs, size, seconds)
    while not running.done():
        time.sleep(seconds / 6)
        memory.append(server.memory())
    load = running.result()
    server_cpu = (server.cpu() - before) / (server.count(SCORED) - scored)
    print(
        f"\n{CLIENTS} clients, {size} pairs per request, {seconds:.0f} s: "
        f"{load.pairs} pairs, answers {dict(load.statuses)}"
    )
    print(f"  CPU per pair      {1000 * server_cpu:.2f} ms")
    print(f"  a request waits   p50 {load.late(0.5):.2f} s, p99 {load.late(0.99):.2f} s")
    print(f"  memory            {', '.join(f'{one:.0f}' for one in memory)} MB")
    load.cpu = server_cpu  # type: ignore[attr-defined]
    return load


def stopped(server: Server, pool: ProcessPoolExecutor, pairs: list[Pair]) -> None:
    """Send SIGTERM while requests are open: each of them is answered."""
    running = pool.submit(clients, server.url, pairs, 32, 2.0, 16)
    while not server.count():
        time.sleep(0.05)
    server.process.send_signal(signal.SIGTERM)
    load, code = running.result(), server.process.wait(120)
    print(f"\nSIGTERM with 16 open requests: answers {dict(load.statuses)}, exit code {code}")


def left(server: Server, pairs: list[Pair]) -> None:
    """Close the connection of a large request: its tokens leave the queue."""
    body = json.dumps({"pairs": pairs}).encode()
    head = (
        f"POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    )
    with socket.create_connection(("127.0.0.1", server.port)) as sent:
        sent.sendall(head.encode() + b"\r\n\r\n" + body)
        while not (waiting := server.count()):
            time.sleep(0.02)
    begun = time.monotonic()
    while server.count():
        time.sleep(0.02)
    print(f"\na client that leaves: {waiting:.0f} waiting tokens are gone {time.monotonic() - begun:.2f} s later")


def main() -> None:
    """Load the service and the command line with the same texts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pairs", type=int, default=2048)
    given = parser.parse_args()
    pairs = texts(given.shared, given.pairs)
    server = Server()
    with ProcessPoolExecutor(1) as pool:
        clients_warm = pool.submit(clients, server.url, pairs, 32, 1.0, 2).result()
        assert clients_warm.pairs
        first = command_line(pairs)
        many = minute(server, pool, pairs, 32, given.seconds)
        second = command_line(pairs)
        minute(server, pool, pairs, 1, given.seconds / 3)
        left(server, pairs)
        stopped(server, pool, pairs)
    command = (first + second) / 2
    ratio = many.cpu / command  # type: ignore[attr-defined]
    print(f"\nCPU per pair of farthing score: {1000 * first:.2f} ms before, {1000 * second:.2f} ms after")
    print(f"the service needs {ratio:.2f} times the CPU of the command line (bar: {BAR})")
    assert ratio <= BAR
    assert set(many.statuses) <= {"200", "429"}


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    main()
