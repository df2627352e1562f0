"""Light when idle: what a busy daemon leaves behind when its work is done."""
import os
import socket
import urllib.error
import urllib.request

import pytest
from signing_in import sign_in


def threads(daemon):
    folder = f"/proc/{daemon.process.pid}/task"
    return sorted(open(f"{folder}/{name}/comm").read().strip() for name in os.listdir(folder))


def test_no_part_of_a_sign_in_runs_on_the_default_executor(demo):
    """Its threads would wake the process once a second for as long as it lives."""
    sign_in(demo)
    demo.call("GetAccessToken", {"providerID": "demo", "forceRefresh": True})
    demo.call("Reload")
    demo.call("RevokeCredential", {"providerID": "demo"})
    names = threads(demo)
    assert not [name for name in names if "qos" in name or "dispatch" in name], names


def test_short_connections_leak_no_memory(demo):
    def anonymous():
        for line in open(f"/proc/{demo.process.pid}/status"):
            if line.startswith("RssAnon"):
                return int(line.split()[1])

    def calls(count):
        for _ in range(count):
            demo.call("GetStatus")

    calls(1000)
    before = anonymous()
    calls(4000)
    # Half a kilobyte for each would be two thousand.
    assert anonymous() - before < 1000


def test_the_http_thread_starts_with_the_first_request(demo):
    client = demo.client()
    client.call("GetStatus")
    assert not [name for name in threads(demo) if name.startswith("NIO")], threads(demo)
    for _ in range(2):
        with pytest.raises(urllib.error.HTTPError) as answer:
            urllib.request.urlopen(f"{demo.origin}/nothing", timeout=20)
        assert answer.value.code == 404
        answer.value.close()
    assert len([name for name in threads(demo) if name.startswith("NIO")]) == 1, threads(demo)
    client.close()


def test_simultaneous_first_requests_are_all_answered(demo):
    host, port = demo.origin.removeprefix("http://").split(":")
    browsers = [socket.create_connection((host, int(port)), timeout=20) for _ in range(40)]
    for browser in browsers:
        browser.sendall(f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
    for browser in browsers:
        assert browser.recv(4096).startswith(b"HTTP/1.1 404")
        browser.close()
