"""No socket but those of this machine: every process of the tests imports this, so that nothing can use the network."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

_connect, _connect_ex, _getaddrinfo = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo


class NetworkBlocked(OSError):
    """Something has tried to reach another machine."""


def _is_local(host: object) -> bool:
    text = host.decode() if isinstance(host, bytes) else str(host or "")
    if text in ("", "localhost", socket.gethostname()):
        return True
    try:
        return ipaddress.ip_address(text.partition("%")[0]).is_loopback
    except ValueError:
        return False


def check_address(family: int, address: Any) -> None:
    """Raise an error for the address of another machine; AF_UNIX is this one."""
    if family in (socket.AF_INET, socket.AF_INET6) and not _is_local(address[0]):
        raise NetworkBlocked(f"a test has tried to reach {address!r}")


def _guarded(original: Any) -> Any:
    def connect(self: socket.socket, address: Any) -> Any:
        check_address(self.family, address)
        return original(self, address)

    return connect


def _guarded_lookup(host: object, *rest: Any, **options: Any) -> Any:
    if not _is_local(host) and not str(host).replace(".", "").isdigit():
        raise NetworkBlocked(f"a test has tried to look up {host!r}")
    return _getaddrinfo(host, *rest, **options)  # type: ignore[arg-type]


def block() -> None:
    """Block every socket to another machine, in this process."""
    socket.socket.connect = _guarded(_connect)  # type: ignore[method-assign]
    socket.socket.connect_ex = _guarded(_connect_ex)  # type: ignore[method-assign]
    socket.getaddrinfo = _guarded_lookup  # type: ignore[assignment]


block()
