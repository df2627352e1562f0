"""What every measurement stands on: the programs, a provider that answers at once, a daemon that is started through its socket, a client."""
import contextlib
import json
import pathlib
import signal
import socket
import subprocess
import time
import urllib.parse

# A call of 400 bytes whose answer has 1,200, with their ends: four scopes as long as Google's, and a token as long as a signed one.
SCOPES = [f"https://provider.example.com/auth/{name}" for name in ("calendar.events.readonly", "contacts.readonly", "drive.metadata", "mail.read")]
TOKEN_BYTES = 868
TOKEN_CALL = json.dumps(
    {"method": "io.postern.GetAccessToken", "parameters": {"providerID": "work", "uid": "1000000001", "scopes": SCOPES}}).ljust(399)
AUTHORIZE_CALL = '{"method":"io.postern.AuthorizeRequest","parameters":{"method":"GET","url":"https://git.example.com/a","providerID":"work"}}'
STATUS_CALL = '{"method":"io.postern.GetStatus"}'

CONFIG = """[callback]
port = {port}
[sign-in]
browser = "none"
[store]
key = "file"
[daemon]
log-level = "error"
idle-exit = "never"
[attention]
notify = false
"""
PROVIDER = """[provider.work]
kind = "oauth2"
client-id = "bench"
client-authentication = "none"
authorization-endpoint = "{0}/authorize"
token-endpoint = "{0}/token"
userinfo-endpoint = "{0}/userinfo"
scopes = {1}
serves = ["https://git.example.com"]
profile = {{ uid = "sub", display-name = "name", email = "email", photo = "picture" }}
"""


class Programs:
    """A directory with all programs, and an environment that is the same on every machine."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)

    def __getitem__(self, name):
        return str(self.directory / name)

    @staticmethod
    def environment(home, **more):
        return {"PATH": "/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8", "TZ": "UTC", **more}


class Client:
    """A connection on the socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(120)
        self.socket.connect(str(path))
        self.buffer = b""

    def send(self, message):
        self.socket.sendall(message.encode() + b"\0")

    def receive(self):
        while (end := self.buffer.find(b"\0")) < 0:
            data = self.socket.recv(65536)
            if not data:
                raise EOFError("the daemon closed the connection")
            self.buffer += data
        reply, self.buffer = self.buffer[:end], self.buffer[end + 1:]
        return reply

    def call(self, method, parameters=None, **flags):
        self.send(json.dumps({"method": f"io.postern.{method}", "parameters": parameters or {}, **flags}))
        return self.event()

    def event(self):
        reply = json.loads(self.receive())
        if "error" in reply:
            raise RuntimeError(f"{reply['error']}: {reply.get('parameters')}")
        return reply.get("parameters") or {}

    def close(self):
        self.socket.close()


class Provider:
    """A token endpoint and a userinfo endpoint whose answers are fixed."""

    def __init__(self, programs):
        self.process = subprocess.Popen([programs["provider"], str(TOKEN_BYTES)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = f"http://127.0.0.1:{int(self.process.stdout.readline())}"

    @property
    def config(self):
        return PROVIDER.format(self.url, json.dumps(SCOPES))

    def stop(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class Daemon:
    """posternd in a directory of its own, with a socket that was there before it, as systemd starts it."""

    def __init__(self, programs, directory, config="", prefix=(), port=0):
        self.programs, self.directory, self.prefix = programs, pathlib.Path(directory), list(prefix)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.config, self.path, self.state = (self.directory / name for name in ("config.toml", "s", "state"))
        self.config.write_text(CONFIG.format(port=port) + config)
        self.config.chmod(0o600)
        self.process = None

    @property
    def arguments(self):
        return [self.programs["posternd"], "--config", str(self.config), "--state-directory", str(self.state)]

    def start(self, **environment):
        """The process is there; it may not have answered yet."""
        self.path.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.path))
            listener.listen(256)
            number = listener.fileno()
            shell = f'exec 3<&{number}' + (f" {number}<&-" if number != 3 else "") + '; LISTEN_PID=$$ exec "$@"'
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", shell, "sh", *self.prefix, *self.arguments], pass_fds=[number], stdin=subprocess.DEVNULL,
                env=self.programs.environment(self.directory, LISTEN_FDS="1", LISTEN_FDNAMES="varlink", **environment))
        return self

    def client(self):
        return Client(self.path)

    def call(self, method, parameters=None):
        with contextlib.closing(self.client()) as client:
            return client.call(method, parameters)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(120):
            raise RuntimeError(f"posternd ended with {self.process.returncode}")

    def kill(self):
        self.process.kill()
        self.process.wait()


class SignIn:
    """One sign-in of a client that opens the page itself. The person and the provider's page are left out: the browser comes back at once."""

    def __init__(self, client, app="default", keeps=False):
        self.client = client
        parameters = {"providerID": "work", "presentation": "client", **({"intent": "keep"} if keeps else {"app": app})}
        client.send(json.dumps({"method": "io.postern.SignIn", "parameters": parameters, "more": True}))
        asked = urllib.parse.parse_qs(urllib.parse.urlsplit(client.event()["event"]["authorizationURL"]).query)
        self.redirect = asked["redirect_uri"][0] + "?" + urllib.parse.urlencode({"code": "code-0123456789", "state": asked["state"][0]})

    def come_back(self):
        """The browser's connection, with its request sent."""
        parts = urllib.parse.urlsplit(self.redirect)
        browser = socket.create_connection((parts.hostname, parts.port), 60)
        browser.sendall(
            f"GET {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\nSec-Fetch-Mode: navigate\r\n"
            "Sec-Fetch-Dest: document\r\nConnection: close\r\n\r\n".encode())
        return browser

    def wait(self):
        """Until the client has its token."""
        while self.client.event()["event"]["state"] != "completed":
            pass

    @staticmethod
    def read_page(browser):
        answer = b""
        while data := browser.recv(65536):
            answer += data
        # To the page that shows the outcome.
        if not answer.startswith(b"HTTP/1.1 303"):
            raise RuntimeError(answer[:200])


def sign_in(daemon, keeps=False):
    """Seconds from the browser's request to the client's token, and to the end of the browser's answer."""
    with contextlib.closing(daemon.client()) as client:
        sign_in = SignIn(client, keeps=keeps)
        begin = time.perf_counter()
        with sign_in.come_back() as browser:
            sign_in.wait()
            token = time.perf_counter() - begin
            sign_in.read_page(browser)
        return token, time.perf_counter() - begin
