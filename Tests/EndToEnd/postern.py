"""What the end-to-end tests share: the built daemon as a process, and a client that is not ours."""
import contextlib
import json
import os
import pathlib
import random
import resource
import select
import signal
import socket
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("POSTERN_BIN_DIR") or ROOT / ".build" / "debug")
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"

# Does what systemd does for a socket unit.
ACTIVATE = """
import os, socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen()
if listener.fileno() != 3:
    os.dup2(listener.fileno(), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", LISTEN_FDNAMES="varlink")
os.execv(sys.argv[2], sys.argv[2:])
"""


class VarlinkError(Exception):
    def __init__(self, name, parameters):
        super().__init__(f"{name}: {parameters.get('message', parameters)}")
        self.name, self.parameters = name, parameters

    @property
    def short(self):
        return self.name.rsplit(".", 1)[-1]


class Client:
    """One connection, with as little code as a tool's author would write."""

    def __init__(self, path, timeout=30):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(str(path))
        self.buffer = b""

    def send(self, method, parameters=None, **flags):
        method = method if "." in method else f"io.postern.{method}"
        self.socket.sendall(json.dumps({"method": method, "parameters": parameters or {}, **flags}).encode() + b"\0")

    def receive_raw(self):
        while b"\0" not in self.buffer:
            data = self.socket.recv(65536)
            if not data:
                raise EOFError("the daemon closed the connection")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def receive(self):
        reply = self.receive_raw()
        if "error" in reply:
            raise VarlinkError(reply["error"], reply.get("parameters") or {})
        return reply.get("parameters") or {}

    def call(self, method, parameters=None, **flags):
        self.send(method, parameters, **flags)
        return self.receive()

    def silent(self, seconds):
        """True if nothing arrives within the time."""
        return not self.buffer and not select.select([self.socket], [], [], seconds)[0]

    def close(self):
        self.socket.close()


class Daemon:
    """posternd in its own directory."""

    def __init__(self, directory, config="", port=0, browser='"none"', environment=None, callback=""):
        self.directory = pathlib.Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.path = self.directory / "run" / "io.postern"
        self.config = self.directory / "config.toml"
        self.environment = environment or {}
        self.port, self.browser, self.callback = port, browser, callback
        self.write(config)
        self.process = None
        self.log = self.directory / "log"

    def write(self, config):
        self.config.write_text(
            f'[callback]\nport = {self.port}\n{self.callback}\n[sign-in]\nbrowser = {self.browser}\n[store]\nkey = "file"\n{config}'
        )
        self.config.chmod(0o600)

    def start(self, *arguments, wait=True, prefix=()):
        env = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
        env.update({"HOME": str(self.directory), "XDG_CONFIG_HOME": str(self.directory / "xdg"), **self.environment})
        self.process = subprocess.Popen(
            [*prefix, str(BIN / "posternd"), "--config", str(self.config), "--socket", str(self.path), "--state-directory",
             str(self.directory / "state"), *arguments],
            stdout=subprocess.DEVNULL, stderr=open(self.log, "ab"), stdin=subprocess.DEVNULL, env=env)
        if wait:
            self.wait()
        return self

    def start_ahead(self, offset):
        """With a clock that is ahead for this daemon alone, such as +1 (seconds) or +4d."""
        self.environment |= {"LD_PRELOAD": FAKETIME, "FAKETIME": offset, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        # The library sets a variable in the first program that loads it, before Swift looks for its arguments beside the environment.
        return self.start(prefix=["env"])

    def start_fast(self, factor, offset="+0"):
        """With clocks that run so many times as fast for this daemon alone."""
        self.environment |= {"LD_PRELOAD": FAKETIME, "FAKETIME": f"{offset} x{factor}"}
        return self.start(prefix=["env"])

    def wait(self, seconds=20):
        """Until the socket answers."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise AssertionError(f"posternd ended with {self.process.returncode}: {self.log.read_text()}")
            try:
                with contextlib.closing(Client(self.path)) as client:
                    client.call("org.varlink.service.GetInfo")
                return
            except (EOFError, ConnectionResetError):
                # It accepts connections, but none of this user's.
                return
            except OSError:
                time.sleep(0.005)
        raise AssertionError(f"posternd does not answer: {self.log.read_text()}")

    def client(self, timeout=30):
        return Client(self.path, timeout)

    def call(self, method, parameters=None, **flags):
        client = self.client()
        try:
            return client.call(method, parameters, **flags)
        finally:
            client.close()

    @property
    def origin(self):
        return self.call("GetStatus")["callbackURLs"][0].split("/__/")[0]

    def kill(self):
        """kill -9, and waits for its end."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()
                raise AssertionError("posternd did not end when asked to")
        return self.process.returncode if self.process else None


class FullDisk:
    """No file of the daemon can grow."""

    def __init__(self, daemon):
        self.pid = daemon.process.pid

    def __enter__(self):
        self.limits = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (0, self.limits[1]))

    def __exit__(self, *error):
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, self.limits)


def wait_for(condition, seconds=20, what="the condition"):
    """Waits for an event, by frequent polling; never for a fixed time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError(f"{what} did not come about in {seconds} s")


def listens(path):
    """Whether somebody takes connections at the socket; its file is there before that."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return False
    return True


def free_port():
    """A port that is free now; for daemons that are killed and need it again after a restart.

    It is below the range that the kernel uses for port 0: other tests request such ports all the time.
    """
    lowest = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", random.randrange(20_000, lowest) if lowest > 22_000 else 0))
            return probe.getsockname()[1]


def oidc(issuer, name="demo", client="postern-demo", scopes=("openid", "email", "profile", "offline_access"), **more):
    """The configuration of an OpenID provider; underscores in further keys stand for dashes. If the client is None, it registers itself."""
    client_lines = ["register = true"] if client is None else [f'client-id = "{client}"']
    lines = [f'[provider.{name}]', 'kind = "oidc"', f'issuer = "{issuer}"', *client_lines, f"scopes = {json.dumps(list(scopes))}"]
    return "\n".join(lines + [f"{key.replace('_', '-')} = {json.dumps(value)}" for key, value in more.items()]) + "\n"


def oauth2(name, client="postern-demo", **more):
    """The configuration of an OAuth 2.0 server without discovery; underscores stand for dashes."""
    lines = [f"[provider.{name}]", 'kind = "oauth2"', f'client-id = "{client}"']
    return "\n".join(lines + [f"{key.replace('_', '-')} = {json.dumps(value)}" for key, value in more.items()]) + "\n"


def ends_with(name):
    """Expects the error of that name, as a context for the call that raises it."""
    return pytest.raises(VarlinkError, match=rf"\.{name}:")
