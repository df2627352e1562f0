"""The bridge as an MCP client starts it: by the SDK's client, or line by line, with every byte of the test's choice."""
import contextlib
import functools
import http.client
import json
import os
import queue
import re
import select
import socket
import subprocess
import sys
import threading
import time

from commands import POSTERN, environment
from mcp_servers import HERE, SDKS
from postern import BIN, listens, wait_for

# What a connection has of its own, or the one who sends.
OWN_FIELDS = {"host", "accept-encoding", "connection", "user-agent", "authorization", "content-length", "transfer-encoding", "mcp-session-id"}
BODY_FIELDS = {"content-type", "accept", "cache-control"}


def work_environment(daemon):
    """What the SDK's client does not hand on by itself."""
    return {"POSTERN_SOCKET": str(daemon.path)}


@functools.cache
def sdk_client(sdk):
    """The program with the SDK's client of that revision, whose start takes longer than all that it does; it ends with the tests."""
    env = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
    if SDKS[sdk]:
        env["PYTHONPATH"] = str(SDKS[sdk])
    return subprocess.Popen([sys.executable, str(HERE / "mcp_script.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)


def script(sdk, options):
    """The SDK's client of that revision does the parts of `options`; see mcp_script.py."""
    process = sdk_client(sdk)
    process.stdin.write(json.dumps(options) + "\n")
    process.stdin.flush()
    printed = process.stdout.readline()
    assert printed, f"the client of {sdk} ended with {process.wait(30)}"
    return json.loads(printed)


def without_chance(body):
    """The state that a client brings back unread is sealed anew each time."""
    if isinstance(body, dict) and "requestState" in (body.get("params") or {}):
        return {**body, "params": {**body["params"], "requestState": ""}}
    return body


def fields_of(request, ignoring):
    """Without a body, what is said of bodies is left out; events are numbered for all streams of a server."""
    ignored = OWN_FIELDS | set(ignoring) | (BODY_FIELDS if request["json"] is None else set())
    kept = {name: text for name, text in request["headers"].items() if name not in ignored}
    return {name: "" if name == "last-event-id" else text for name, text in kept.items()}


def comparable(received):
    """Messages of one order, without what is made by chance: the state that a client brings back unread is sealed anew each time."""
    return [re.sub(r'"requestState":"[^"]*"', '"requestState":""', text) for text in received]


class Recording:
    """What a client of the SDK saw, and what the server saw of it."""

    def __init__(self, server, sdk, how, **options):
        before = len(server.requests())
        said = script(sdk, {**how, **options})
        self.received, self.results = said["received"], said["results"]
        self.requests = [each for each in server.requests()[before:] if each["path"] == "/mcp"]

    def asked(self, *, ignoring=()):
        """Requests without what may differ, in one order: some are under way at once."""
        made = [{"method": each["method"], "fields": fields_of(each, ignoring), "session": "mcp-session-id" in each["headers"],
                 "body": without_chance(each["json"]), "status": each["status"]} for each in self.requests]
        return sorted(made, key=lambda each: json.dumps(each, sort_keys=True))


class Bridge:
    """`postern mcp run` with the test as its client."""

    def __init__(self, daemon, *arguments, name="work", program=(POSTERN, "mcp", "run"), **more):
        self.process = subprocess.Popen([*program, *arguments, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=environment(daemon, **more))
        self.lines, self.words, self.number = queue.Queue(), b"", 0
        self.waiting = []
        self.reader = None

    @property
    def pid(self):
        return self.process.pid

    def read(self):
        """From now on lines are taken as they come."""
        if self.reader is None:
            self.reader = threading.Thread(target=self.take, daemon=True)
            self.reader.start()
            threading.Thread(target=self.hear, daemon=True).start()
        return self

    def take(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def hear(self):
        for line in self.process.stderr:
            self.words += line

    def send(self, *messages):
        self.write(b"".join(json.dumps(each).encode() + b"\n" for each in messages))

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def line(self, seconds=30):
        """The next line, as bytes without its end; None at the end of the output."""
        self.read()
        line = self.lines.get(timeout=seconds)
        if line is None:
            self.lines.put(None)
            return None
        assert line.endswith(b"\n") and b"\r" not in line, line[-100:]
        return line[:-1]

    def message(self, seconds=30):
        line = self.line(seconds)
        assert line is not None, f"the bridge has ended: {self.words.decode()}"
        return json.loads(line)

    def request(self, method, params=None, id=None):
        """Sends it; returns its ID."""
        self.number += 1
        made = {"jsonrpc": "2.0", "id": self.number if id is None else id, "method": method, **({} if params is None else {"params": params})}
        self.send(made)
        return made["id"]

    def answer(self, id, seconds=30):
        """The answer to that request; what else comes is kept in `waiting`."""
        for kept in self.waiting:
            if kept.get("id") == id and "method" not in kept:
                self.waiting.remove(kept)
                return kept
        end = time.monotonic() + seconds
        while True:
            message = self.message(max(end - time.monotonic(), 0.01))
            if message.get("id") == id and "method" not in message:
                return message
            self.waiting.append(message)

    def ask(self, method, params=None, seconds=30):
        return self.answer(self.request(method, params), seconds)

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})})

    def initialize(self, revision="2025-11-25", **capabilities):
        answer = self.ask("initialize", {"protocolVersion": revision, "capabilities": capabilities, "clientInfo": {"name": "test", "version": "1"}})
        if "result" in answer:
            self.notify("notifications/initialized")
        return answer

    def call(self, name, arguments=None, **meta):
        return self.request("tools/call", {"name": name, "arguments": arguments or {}, **({"_meta": meta} if meta else {})})

    def modern(self, method, params=None, id=None):
        """A request of 2026-07-28; returns its ID."""
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
        return self.request(method, {**(params or {}), "_meta": meta}, id)

    def close(self, seconds=5):
        """Closes standard input; how many seconds later it had ended, and with what status."""
        begin = time.monotonic()
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        status = self.process.wait(seconds)
        return time.monotonic() - begin, status

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            with contextlib.suppress(Exception):
                self.close()
            if self.process.poll() is None:
                self.kill()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(Exception):
                stream.close()

    def memory(self, field="Private_Dirty"):
        """Kilobytes of its own."""
        for line in open(f"/proc/{self.pid}/smaps_rollup"):
            if line.startswith(f"{field}:"):
                return int(line.split()[1])
        raise AssertionError(f"no {field}")

    def readable(self, seconds):
        return bool(select.select([self.process.stdout], [], [], seconds)[0])


class SocketService:
    """`postern-mcp serve` on a socket of the test's, as systemd would start it."""

    def __init__(self, daemon, path, *arguments):
        self.path = str(path)
        self.process = subprocess.Popen([str(BIN / "postern-mcp"), "serve", "--listen", self.path, *arguments], stdin=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True, env=environment(daemon))
        wait_for(lambda: listens(self.path) or self.process.poll() is not None, what="the socket")
        assert self.process.poll() is None, self.process.stderr.read()

    def request(self, method, path, body=None, **fields):
        """One request on a connection of its own: status, fields, and body."""
        connection = http.client.HTTPConnection("localhost", timeout=30)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(30)
        connection.sock.connect(self.path)
        with contextlib.closing(connection):
            headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json",
                       **{name.replace("_", "-"): text for name, text in fields.items()}}
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, {name.lower(): text for name, text in answer.getheaders()}, answer.read()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)
        self.process.stderr.close()
