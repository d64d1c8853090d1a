"""A judge behind an address: any endpoint that speaks the chat protocol of OpenAI, with the standard library alone.

The key comes from an environment variable, goes into one header of the requests, and is taken out of every text that an
endpoint sends back. Redirects are not followed, since they would carry the key elsewhere.
"""

from __future__ import annotations

import http.client
import json
import math
import os
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from functools import cached_property
from typing import IO
from urllib.parse import urlsplit

from farthing.core.errors import SpecError
from farthing.judge.chat import chat_reply
from farthing.judge.reply import JudgeError, JudgeQuestion, Reply, RowRefused, TryAgain

KEY = "OPENAI_API_KEY"  # the environment variable that most endpoints' users have set
_LARGEST = 8 << 20  # bytes of an answer
_SHOWN = 200  # characters of an endpoint's complaint
_LONGEST_WAIT = 600.0  # seconds that an endpoint may ask for


@dataclass(frozen=True)
class Endpoint:
    """Asks a model at an address.

    :param url: what stands before `/chat/completions`
    :param key_name: the environment variable that holds the key; an endpoint without a key ignores it
    :param settings: further fields of every request, such as the temperature
    :param timeout: seconds after which an answer that is not complete is given up
    """

    url: str
    model: str
    key_name: str = KEY
    settings: Mapping[str, object] = field(default_factory=dict)
    timeout: float = 60.0

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SpecError(f"judge: url={self.url.partition('?')[0]} is no address such as https://api.example.com/v1")
        if parts.username or parts.password or parts.query:
            raise SpecError(
                f"judge: the url of {parts.hostname} holds a name, a password or a query: "
                "give the key by an environment variable, key=NAME_OF_THE_VARIABLE"
            )

    @property
    def host(self) -> str:
        """The host, and the port if it is not the usual one."""
        return urlsplit(self.url).netloc

    def ask(self, question: JudgeQuestion) -> Reply:
        """Send one request and read the whole answer."""
        body = {"model": self.model, "messages": list(question.messages), "stream": False, **self.settings}
        deadline = time.monotonic() + self.timeout
        try:
            with self._opener.open(self._request(body), timeout=self.timeout) as response:
                content = _whole(response, deadline)
        except urllib.error.HTTPError as error:
            with error:
                raise self._failure(error) from None
        except TimeoutError:
            raise TryAgain(f"no answer within {self.timeout:g} seconds") from None
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise TryAgain(f"no answer within {self.timeout:g} seconds") from None
            raise TryAgain(f"{self.host} cannot be reached: {error.reason}", unreachable=True) from None
        except (http.client.HTTPException, OSError) as error:
            raise TryAgain(f"the connection broke: {type(error).__name__}") from None
        return chat_reply(content)

    def close(self) -> None:
        """Do nothing: no connection is kept."""

    @cached_property
    def _opener(self) -> urllib.request.OpenerDirector:
        return urllib.request.build_opener(_NoRedirect)

    def _request(self, body: Mapping[str, object]) -> urllib.request.Request:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "farthing"}
        if key := self._key():
            headers["Authorization"] = f"Bearer {key}"
        address = f"{self.url.rstrip('/')}/chat/completions"
        return urllib.request.Request(address, json.dumps(body).encode(), headers, method="POST")

    def _key(self) -> str:
        key = os.environ.get(self.key_name, "").strip()
        if not key.isprintable() or not key.isascii():
            raise JudgeError(f"the key in ${self.key_name} holds characters that no key has")
        return key

    def _failure(self, error: urllib.error.HTTPError) -> Exception:
        """Return what an HTTP status means for the run."""
        code, told = error.code, self._complaint(error)
        if code in (401, 403):
            held = f"the key in ${self.key_name}" if self._key() else f"requests without a key: set ${self.key_name}"
            return JudgeError(f"{self.host} does not accept {held} (HTTP {code})")
        if code in (408, 409, 425, 429) or code >= 500:
            return TryAgain(f"HTTP {code}{told}", _asked_wait(error.headers.get("Retry-After")))
        if 300 <= code < 400:
            return JudgeError(f"{self.host} sends calls on to another address (HTTP {code}): give that one as url=…")
        if code == 404:
            return JudgeError(f"{self.host} knows neither this address nor the model {self.model!r} (HTTP 404){told}")
        if code in (400, 413, 422):
            return RowRefused(f"{self.host} refuses the request (HTTP {code}){told}")
        return JudgeError(f"{self.host} refuses to work (HTTP {code}){told}")

    def _complaint(self, error: urllib.error.HTTPError) -> str:
        """Return what the endpoint says, shortened and without the key."""
        try:
            text = error.read(4096).decode("utf-8", "replace")
        except (http.client.HTTPException, OSError):
            return ""
        text = _told(text)
        text = " ".join(self.redacted(text).split())[:_SHOWN]
        return "" if text in ("", "{}") or text.startswith("<") else f": {text}"  # a page in HTML tells nothing

    def redacted(self, text: str) -> str:
        """Return a text without the key."""
        key = self._key()
        return text.replace(key, f"${self.key_name}") if key else text


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Takes a redirect for a failure."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> None:
        return None


def _whole(response: http.client.HTTPResponse, deadline: float) -> bytes:
    """Read all bytes; give up if they are too many or come too slowly."""
    parts: list[bytes] = []
    size = 0
    while part := response.read1(1 << 16):
        parts.append(part)
        size += len(part)
        if size > _LARGEST:
            raise TryAgain("the answer is too large")
        if time.monotonic() > deadline:
            raise TryAgain("the answer came too slowly")
    wanted = response.headers.get("Content-Length", "")
    if wanted.isdigit() and size < int(wanted):
        raise TryAgain("the answer ends in the middle")
    return b"".join(parts)


def _told(content: str) -> str:
    """Return the message of a complaint in JSON, which endpoints put into different places; else all of it."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return content
    for name in ("error", "detail", "message"):
        if isinstance(found, Mapping) and name in found:
            found = found[name]
    return found if isinstance(found, str) else content


def _asked_wait(header: str | None) -> float | None:
    """Return the seconds that an endpoint asks for, which come as a number or a date."""
    if not header:
        return None
    try:
        wait = float(header)
    except ValueError:
        try:
            wait = parsedate_to_datetime(header).timestamp() - time.time()
        except (ValueError, TypeError):
            return None
    return min(max(wait, 0.0), _LONGEST_WAIT) if math.isfinite(wait) else None
