"""Is `farthing serve` still serving after schemathesis with all of its checks and ten thousand damaged bodies?

    python benchmarks/serve_fuzz.py --bodies 10000 --examples 200

The bodies are good ones of every path that were damaged: bytes replaced, parts cut out, values exchanged for others of
every type, deep nesting. Each must be answered by a sentence, or by scores if the damage made no difference.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import httpx

from serve_load import Server

EXPECTED = {200, 400, 403, 409, 413, 422, 429}
GOOD: dict[str, object] = {
    "/v1/score": {"pairs": [{"candidate": "the cat sat", "references": ["a cat"], "source": "x"}], "metrics": ["chrf"]},
    "/v1/compare": {
        "systems": {"a": ["the cat"], "b": ["a dog"]}, "references": [["the cat"]], "metrics": ["bleu"],
        "test": "bootstrap", "resamples": 10, "seed": 1, "baseline": "a",
    },
    "/v1/align": {"candidate": "the cat", "reference": "a cat", "metric": "frugalscore(size=nano)"},
    "/v1/rerank": {"lists": [{"candidates": ["a cat", "dogs"], "references": ["the cat"]}], "metric": "chrf", "top": 1},
}  # fmt: skip
ODD: list[object] = [
    None, True, -1, 10**30, 1e308, "", "\0", "😀" * 50, "judge", "chrf(word_order=99)",
    "frugalscore(model=/etc/passwd)",
    [], {}, [[]], ["x"] * 40, {"": ""}, "\u202eabc", "a" * 3000,
]  # fmt: skip


def damaged(value: object, chance: random.Random) -> object:
    """Exchange some parts of a value for odd ones."""
    if chance.random() < 0.15:
        return chance.choice(ODD)
    if isinstance(value, dict):
        kept = {key: damaged(one, chance) for key, one in value.items() if chance.random() > 0.05}
        return {**kept, "more": 1} if chance.random() < 0.05 else kept
    return [damaged(one, chance) for one in value] if isinstance(value, list) else value


def bodies(count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield paths and damaged bodies."""
    chance = random.Random(seed)
    for _ in range(count):
        path = chance.choice(list(GOOD))
        raw = bytearray(json.dumps(damaged(GOOD[path], chance), ensure_ascii=chance.random() < 0.5).encode())
        if chance.random() < 0.4:
            for _ in range(chance.randint(1, 5)):
                raw[chance.randrange(len(raw))] = chance.randrange(256)
        if chance.random() < 0.1:
            raw = raw[: chance.randrange(len(raw))]
        if chance.random() < 0.01:
            raw = bytearray(b"[" * 50_000)
        yield path, bytes(raw)


def sent(url: str, count: int, seed: int) -> Counter[int]:
    """Send bodies, eight at a time, and count the statuses of the answers."""
    statuses: Counter[int] = Counter()
    waiting = bodies(count, seed)

    async def send(client: httpx.AsyncClient) -> None:
        for path, body in waiting:
            answer = await client.post(url + path, content=body, headers={"Content-Type": "application/json"})
            statuses[answer.status_code] += 1
            told = answer.json()
            if answer.status_code not in EXPECTED or ("error" in told) != (answer.status_code != 200):
                raise SystemExit(f"{path} {body[:300]!r} was answered by {answer.status_code} {answer.text[:300]}")

    async def run() -> None:
        async with httpx.AsyncClient(timeout=120) as client:
            await asyncio.gather(*(send(client) for _ in range(8)))

    asyncio.run(run())
    return statuses


def main() -> None:
    """Fuzz a service of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bodies", type=int, default=10_000)
    parser.add_argument("--examples", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    server = Server()
    good = {"pairs": [{"candidate": "the cat sat", "references": ["a cat sat down"]}]}
    before = httpx.post(f"{server.url}/v1/score", json=good, timeout=60).json()
    checks = [sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/openapi.json"]
    options = ["--max-examples", str(given.examples), "--seed", str(given.seed), "--no-color"]
    done = subprocess.run([*checks, *options], capture_output=True, text=True, check=False)
    print("\n".join(done.stdout.splitlines()[-25:]))
    statuses = sent(server.url, given.bodies, given.seed)
    print(f"\n{statuses.total()} damaged bodies: answers {dict(sorted(statuses.items()))}")
    after = httpx.post(f"{server.url}/v1/score", json=good, timeout=60).json()
    server.process.terminate()
    print(f"the same scores as before: {before == after}; exit code {server.process.wait(60)}; {server.url} is closed")
    assert done.returncode == 0, "schemathesis found failures"
    assert before == after


if __name__ == "__main__":
    main()
