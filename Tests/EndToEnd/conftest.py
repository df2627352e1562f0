import contextlib
import os
import subprocess
import sys

import pytest

from postern import BIN, Daemon


@pytest.fixture
def make_daemon(tmp_path):
    """Daemons of a test, ended with it."""
    daemons = []

    def make(config="", **options):
        daemon = Daemon(tmp_path / f"daemon{len(daemons)}", config, **options)
        daemons.append(daemon)
        return daemon

    yield make
    for daemon in daemons:
        with contextlib.suppress(Exception):
            daemon.stop()


@pytest.fixture
def demo_provider():
    """The demo provider as a process; its issuer."""
    process = subprocess.Popen(
        [str(BIN / "postern-demo-provider"), "--port", "0", "--exit-with-stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline().split()
    assert line and line[0] == "listening", line
    yield line[1]
    process.stdin.close()
    process.wait(10)
