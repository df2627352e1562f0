"""Documents that `postern` prints: on a terminal they cannot act on it, in a pipe they are what the daemon wrote."""
import json
import os
import pty
import re
import subprocess
import threading

import pytest
from commands import POSTERN, environment
from fake_service import Service

# DEL, C1 with its own CSI and OSC, both separators, and the marks that change the direction of writing.
STEERING = [*range(0x7F, 0xA0), 0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)]
HOSTILE = "a\x1b[2J\r" + "".join(map(chr, STEERING)) + "z"
EVENT = {
    "state": "completed", "sessionID": "s1", "providerID": "work", "expiresAt": "2026-11-21T06:24:00Z",
    "credential": {"providerID": "work", "signInMethod": "work", "scopes": [HOSTILE]}}
ANSWERS = {
    "AttachSession": {"event": EVENT},
    "GetStatus": {
        "version": HOSTILE, "startedAt": "2026-11-21T06:24:00Z", "callbackURLs": [HOSTILE], "locked": False, "sessions": 0, "users": 0,
        "credentials": 0},
    "ListProviders": {"providers": []},
}


@pytest.fixture
def service(tmp_path):
    service = Service(tmp_path, **ANSWERS)
    yield service
    service.close()


def on_a_terminal(service, *arguments):
    """All that a command shows on a terminal that is its standard output."""
    master, slave = pty.openpty()
    with subprocess.Popen([POSTERN, *arguments], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, env=environment(service)) as process:
        os.close(slave)
        shown = b""
        while True:
            try:
                data = os.read(master, 65536)
            except OSError:  # everybody at the other end has gone
                break
            if not data:
                break
            shown += data
            if arguments[0] == "monitor" and b"\n" in shown:
                process.terminate()
        process.wait(20)
    os.close(master)
    return shown.decode()


def tell(service):
    """To a monitor, as soon as it listens."""
    threading.Thread(target=service.tell, args=("tokenRefreshed", HOSTILE), daemon=True).start()


COMMANDS = [
    ("attach", "s1", "--json"), ("call", "GetStatus"), ("call", "GetStatus", "--more"), ("status", "--json"), ("monitor", "--json"),
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_json_on_a_terminal_escapes_control_characters(service, arguments):
    if arguments[0] == "monitor":
        tell(service)
    shown = on_a_terminal(service, *arguments)
    assert not re.search("[^\\n -~]", shown.replace("\r\n", "\n")), repr(shown)
    for code in STEERING:
        assert f"\\u{code:04x}" in shown
    # Another spelling of the same: nothing is lost.
    assert HOSTILE in strings(json.loads(shown))


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_json_in_a_pipe_is_not_changed(service, arguments):
    if arguments[0] == "monitor":
        tell(service)
    with subprocess.Popen([POSTERN, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment(service)) as process:
        line = process.stdout.readline().decode()
        process.terminate()
    assert HOSTILE[6:] in line and "\\u009b" not in line
    assert HOSTILE in strings(json.loads(line))


def strings(value):
    """Every text in a document."""
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for part in parts for text in strings(part)]
