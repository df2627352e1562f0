"""Third-party providers, each a process with its state in a directory of the test."""
import os
import signal
import subprocess
import time
import urllib.parse

import requests
from postern import free_port

SECRET = "not-a-secret"
REDIRECTS = (301, 302, 303, 307)


class Server:
    """A provider on loopback; it is ended by its process ID."""

    def __init__(self, directory):
        self.directory = directory
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.process = None

    def run(self, command, ready, **environment):
        log = self.directory / "log"
        env = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
        self.process = subprocess.Popen(
            [str(word) for word in command], cwd=self.directory, stdin=subprocess.DEVNULL, stdout=open(log, "ab"), stderr=subprocess.STDOUT,
            env={**env, "HOME": str(self.directory), **environment})
        end = time.monotonic() + 60
        while time.monotonic() < end:
            assert self.process.poll() is None, f"{command[0]} ended: {log.read_text()[-2000:]}"
            try:
                if session().get(self.base + ready, timeout=5).status_code < 500:
                    return
            except (requests.ConnectionError, requests.Timeout):
                time.sleep(0.05)
        raise AssertionError(f"{command[0]} does not answer: {log.read_text()[-2000:]}")

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def session():
    """Without the proxies of the machine."""
    made = requests.Session()
    made.trust_env = False
    return made


def follow(browser, reply, until):
    """Follows redirects itself; returns (the last response or None, the address that begins with `until` or None)."""
    for _ in range(15):
        if reply.status_code not in REDIRECTS:
            return reply, None
        address = urllib.parse.urljoin(reply.url, reply.headers["Location"])
        if address.startswith(until):
            return None, address
        reply = browser.get(address, allow_redirects=False, timeout=30)
    raise AssertionError("too many redirects")
