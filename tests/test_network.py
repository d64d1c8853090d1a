"""The whole suite runs without the network: sockets to other machines are blocked in every process of it."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1"])
def test_other_machines_cannot_be_reached(address: str) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as one, pytest.raises(OSError, match="a test has tried to reach"):
        one.connect((address, 80))
    with pytest.raises(OSError, match=r"a test has tried to look up 'example\.org'"):
        socket.getaddrinfo("example.org", 443)


def test_processes_that_tests_start_cannot_reach_them_either() -> None:
    code = "import socket; socket.create_connection(('93.184.216.34', 80), timeout=1)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    assert "a test has tried to reach" in done.stderr


def test_this_machine_can() -> None:
    with socket.socket() as server, socket.socket() as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        client.connect(server.getsockname())
