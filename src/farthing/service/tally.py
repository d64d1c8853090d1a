"""What a service has done so far, as numbers and in the text format of Prometheus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from threading import Lock

BUCKETS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
UNMEASURED = 2_000.0  # tokens per second, until something was measured
LATELY = 0.2  # the weight of the last window in the measured speed
HELP = {
    "farthing_pairs_total": "Scored pairs of a candidate and its references.",
    "farthing_tokens_total": "Scored tokens, as estimated from the bytes of the texts.",
    "farthing_windows_total": "Windows of texts that were scored together.",
    "farthing_busy_seconds_total": "Seconds in which the scoring thread worked.",
    "farthing_queue_tokens": "Tokens that wait.",
    "farthing_queue_requests": "Requests that wait or are being scored.",
}


class Tally:
    """Counts, and the speed that was measured lately."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: Counter[str] = Counter()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._buckets: Counter[float] = Counter()
        self._busy = self._seconds = 0.0
        self.speed = UNMEASURED  #: tokens per second

    def scored(self, pairs: int, tokens: int, seconds: float) -> None:
        """Count a window."""
        with self._lock:
            self._counts["farthing_pairs_total"] += pairs
            self._counts["farthing_tokens_total"] += tokens
            self._counts["farthing_windows_total"] += 1
            self._busy += seconds
            if tokens and seconds > 0:
                self.speed = (1 - LATELY) * self.speed + LATELY * tokens / seconds

    def answered(self, path: str, status: int, seconds: float) -> None:
        """Count a request."""
        with self._lock:
            self._requests[path, status] += 1
            self._buckets.update(bucket for bucket in BUCKETS if seconds <= bucket)
            self._seconds += seconds

    def wait(self, tokens: int) -> float:
        """Return the seconds that so many tokens take, by the measured speed."""
        return tokens / self.speed

    def prometheus(self, waiting: int, requests: int) -> str:
        """Return all numbers in the text format of Prometheus.

        :param waiting: tokens in the queue
        :param requests: requests in the queue
        """
        with self._lock:
            return "\n".join([*self._plain(waiting, requests), *self._by_path(), *self._histogram(), ""])

    def _plain(self, waiting: int, requests: int) -> Iterator[str]:
        known = {
            "farthing_busy_seconds_total": round(self._busy, 6),
            "farthing_queue_tokens": waiting,
            "farthing_queue_requests": requests,
        }
        for name, text in HELP.items():
            kind = "counter" if name.endswith("_total") else "gauge"
            yield from (
                f"# HELP {name} {text}",
                f"# TYPE {name} {kind}",
                f"{name} {known.get(name, self._counts[name])}",
            )

    def _by_path(self) -> Iterator[str]:
        name = "farthing_requests_total"
        yield from (f"# HELP {name} Answered requests by path and status.", f"# TYPE {name} counter")
        for (path, status), number in sorted(self._requests.items()):
            yield f'{name}{{path="{path}",status="{status}"}} {number}'

    def _histogram(self) -> Iterator[str]:
        name, total = "farthing_request_seconds", self._requests.total()
        yield from (f"# HELP {name} Seconds from a request to the end of its answer.", f"# TYPE {name} histogram")
        yield from (f'{name}_bucket{{le="{bucket:g}"}} {self._buckets[bucket]}' for bucket in BUCKETS)
        yield from (f'{name}_bucket{{le="+Inf"}} {total}', f"{name}_sum {self._seconds:.6f}", f"{name}_count {total}")
