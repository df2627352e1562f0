"""`postern exec --proxy`: a command uses an account, and never has its token."""
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

import loopback
import pytest
from api_server import certificate
from commands import POSTERN, environment, run
from elsewhere import Elsewhere
from git_server import GitServer
from helper_programs import shared
from npm_registry import Registry, npm
from other_user import AS_NOBODY, looks_inside, needs_root
from package_index import package_index
from postern import ROOT, free_port, oidc, wait_for
from proxied_api import CUT, ProxiedAPI
from sandboxes import bubblewrap
from signing_in import sign_in
from strict_provider import StrictProvider, configuration, signed_in as sign_in_bound


@pytest.fixture(scope="module")
def server():
    server = ProxiedAPI()
    yield server
    server.close()


@pytest.fixture
def api(server):
    """It has seen nothing."""
    server.seen.clear()
    server.gate.clear()
    server.came.clear()
    return server


@pytest.fixture(scope="module")
def daemon(server, tmp_path_factory):
    with shared(tmp_path_factory.mktemp("daemon"), f"{server.origin}/v1") as daemon:
        yield daemon


@pytest.fixture
def token(daemon):
    return run(daemon, "token", "demo").stdout.strip()


@pytest.fixture
def runtime():
    """Its path is short: a socket's has at most 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="postern-run") as path:
        yield pathlib.Path(path)


class Behind:
    """A command behind the proxy that only waits, so that the test does what a command would."""

    def __init__(self, daemon, runtime, *options, account="demo=ACME"):
        self.runtime = runtime
        text = "import json, os, sys; print(json.dumps(dict(os.environ)), os.getpid(), flush=True); sys.stdin.read()"
        self.process = subprocess.Popen(
            [POSTERN, "exec", "--proxy", account, *options, "--", sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=environment(daemon, XDG_RUNTIME_DIR=str(runtime)), start_new_session=True)
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read()
        words, _, pid = line.rpartition(" ")
        self.environment, self.pid = json.loads(words), int(pid)
        self.url, self.socket = self.environment["ACME_BASE_URL"], self.environment["ACME_SOCKET"]
        parts = urllib.parse.urlsplit(self.url)
        self.port, self.path = parts.port, parts.path

    def request(self, method, rest, body=None, headers={}, path=None):
        """(status, headers, body)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path or self.path + rest, body, headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def get(self, rest, **headers):
        return self.request("GET", rest, headers=headers)

    def raw(self, text, over=None):
        """What comes for these bytes until the end of the connection."""
        if over is None:
            connection = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        else:
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(30)
            connection.connect(over)
        with connection:
            connection.sendall(text if isinstance(text, bytes) else text.encode())
            parts = []
            while part := connection.recv(65536):
                parts.append(part)
            return b"".join(parts)

    def head(self, target, method="GET", host=None, more=""):
        return f"{method} {target} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{self.port}'}\r\nConnection: close\r\n{more}\r\n"

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(20) == 0, self.process.stderr.read()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()


@pytest.fixture
def behind(daemon, runtime):
    running = []

    def start(*options, **more):
        running.append(Behind(daemon, runtime, *options, **more))
        return running[-1]

    yield start
    for each in running:
        each.close()


def proxied(daemon, runtime, *options, command, account="demo=ACME", **more):
    return subprocess.run(
        [POSTERN, "exec", "--proxy", account, *options, "--", *command], capture_output=True, text=True, timeout=60,
        env=environment(daemon, XDG_RUNTIME_DIR=str(runtime), **more))


# ---- what the command gets ----------------------------------------------------------


def test_curl_uses_the_account_through_port_or_socket_with_a_dummy_token(daemon, runtime, api, token):
    line = (
        'curl -fsS -H "Authorization: Bearer $ACME_TOKEN" "$ACME_BASE_URL/users?a=b" && '
        'curl -fsS --unix-socket "$ACME_SOCKET" -u "x:$ACME_TOKEN" -H "X-Api-Key: $ACME_TOKEN" -d 12345 http://acme/users')
    result = proxied(daemon, runtime, command=["sh", "-c", line])
    assert result.returncode == 0, result
    assert '"/v1/users?a=b"' in result.stdout and '"length": 5' in result.stdout
    for _, _, headers, _ in api.seen:
        names = [name.lower() for name, _ in headers]
        assert dict(headers)["Authorization"] == f"Bearer {token}" and names.count("authorization") == 1
        assert "postern-proxy" not in str(headers) and "x-api-key" not in names
        assert dict(headers)["Host"] == api.origin.removeprefix("http://")
    assert not list(runtime.iterdir())


def test_variables_under_the_programs_own_names_can_be_set(behind):
    command = behind("--set", "OPENAI_BASE_URL={url}/v1", "--set", "OPENAI_API_KEY={dummy}", "--set", "S={socket}")
    known = command.environment
    assert known["OPENAI_BASE_URL"] == known["ACME_BASE_URL"] + "/v1" and known["OPENAI_API_KEY"] == known["ACME_TOKEN"]
    assert known["S"] == known["ACME_SOCKET"] and known["ACME_TOKEN"].startswith("postern-proxy-")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[A-Za-z0-9_-]{43}", known["ACME_BASE_URL"])
    place = pathlib.Path(known["ACME_SOCKET"])
    assert place.parent.parent == command.runtime and place.parent.stat().st_mode & 0o777 == 0o700
    assert place.stat().st_mode & 0o777 == 0o600


def test_with_several_urls_the_path_begins_with_the_host(make_daemon, demo_provider, runtime, api):
    other = ProxiedAPI()
    try:
        daemon = make_daemon(oidc(demo_provider, serves=[f"{api.origin}/v1", other.origin])).start()
        sign_in(daemon)
        hosts = [server.origin.removeprefix("http://") for server in (api, other)]
        line = f'for h in {hosts[0]}/v1 {hosts[1]}/a; do curl -fsS "$DEMO_BASE_URL/$h/x"; done; curl -sS "$DEMO_BASE_URL/{hosts[0]}/v2"'
        result = proxied(daemon, runtime, command=["sh", "-c", line], account="demo")
        assert '"/v1/x"' in result.stdout and '"/a/x"' in result.stdout and "the account has no URL for this path" in result.stdout
        assert [len(api.seen), len(other.seen)] == [1, 1]
        # A URL in place of the account is that URL alone.
        line = 'curl -fsS "$U_BASE_URL/x"; curl -sS "$U_BASE_URL/../x" --path-as-is'
        result = proxied(daemon, runtime, command=["sh", "-c", line], account=f"{other.origin}/b=U")
        assert '"/b/x"' in result.stdout and len(other.seen) == 2
    finally:
        other.close()


def test_with_no_port_only_the_socket_is_available(behind, api):
    command = behind("--no-port")
    assert command.url == "http://localhost"
    answer = command.raw(command.head("/users", host="localhost"), over=command.socket)
    assert answer.startswith(b"HTTP/1.1 200") and api.seen[-1][1] == "/v1/users"
    listening = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True, timeout=20).stdout
    assert "postern-mcp" not in listening


# ---- it does not begin --------------------------------------------------------------


def test_without_a_sign_in_the_command_is_not_started(make_daemon, demo_provider, runtime, tmp_path):
    daemon = make_daemon(oidc(demo_provider, serves=["http://127.0.0.1:9/"])).start()
    for account, status, words in (("demo", 3, "postern sign-in demo"), ("nobody", 1, "nobody"), ("https://a.example", 1, "a.example")):
        result = proxied(daemon, runtime, account=account, command=["touch", str(tmp_path / "ran")])
        assert result.returncode == status and words in result.stderr, result
    assert not (tmp_path / "ran").exists()
    wait_for(lambda: not list(runtime.iterdir()), what="the end of the directory")


def test_an_account_without_serves_is_refused_with_advice(make_daemon, demo_provider, runtime):
    daemon = make_daemon(oidc(demo_provider)).start()
    sign_in(daemon)
    result = proxied(daemon, runtime, account="demo", command=["true"])
    assert result.returncode == 1 and "postern config set provider.demo.serves" in result.stderr, result


# ---- what passes, and what does not -------------------------------------------------


def test_what_is_no_request_below_the_account_is_refused(behind, api):
    """One for each rule of its own, by the port and by the socket."""
    command = behind("--methods", "get,PROPFIND")
    post = f"POST {command.path}/a HTTP/1.1\r\nHost: 127.0.0.1:{command.port}\r\n"
    for text, status, over in (
        (command.head(command.path + "/%2e%2e/secret"), 400, None), (command.head("/a/../../secret"), 400, command.socket), (command.head(command.path[:-1] + "/a"), 404, None),
        (command.head("evil.example:443", method="CONNECT"), 400, None), (command.head(f"{command.path}/a", host="evil.example"), 421, None),
        (command.head(f"{command.path}/a", more="Upgrade: websocket\r\n").replace("Connection: close", "Connection: Upgrade"), 501, None),
        (post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, None), (post + "Content-Length: 0\r\nConnection: close\r\n\r\n", 405, None)):
        answer = command.raw(text, over)
        assert answer.startswith(f"HTTP/1.1 {status}".encode()), (text, answer)
    assert api.seen == []
    assert command.get("/a")[0] == 200 and command.request("PROPFIND", "/a")[0] == 200


# ---- answers ------------------------------------------------------------------------


def test_the_head_of_an_answer_leads_back_and_has_no_token(behind, api, token):
    command = behind()
    for location, passed in ((f"{api.origin}/v1/b?c", f"{command.url}/b?c"), ("/v2", f"{api.origin}/v2")):
        status, headers, _ = command.get(f"/to?{urllib.parse.quote(location)}")
        assert (status, headers["Location"]) == (302, passed)
    assert len(api.seen) == 2, "no redirect is followed"
    status, headers, body = command.get("/echo")
    assert status == 200 and token not in str(headers) and "it was" in headers["X-Echo"] and headers["Set-Cookie"] is None
    # The gap that the page names.
    assert body == f"body {token}".encode()


def test_bodies_are_streamed(behind, api):
    command = behind()
    connection = http.client.HTTPConnection("127.0.0.1", command.port, timeout=30)
    connection.request("GET", command.path + "/stream")
    response = connection.getresponse()
    assert response.readline() == b"first\n"
    api.gate.set()
    assert response.read() == b"last\n"
    # The same connection serves the next request.
    local = connection.sock
    api.came.clear()

    def parts():
        yield b"x" * 1000
        # The first part has arrived before there is a second one.
        assert api.came.wait(20)
        yield b"y" * 100_000

    connection.request("PUT", command.path + "/upload", parts(), encode_chunked=True, headers={"Transfer-Encoding": "chunked"})
    answer = connection.getresponse()
    assert json.loads(answer.read())["length"] == 101_000 and connection.sock is local is not None
    connection.close()
    status, _, body = command.get("/big?50000000")
    assert status == 200 and len(body) == 50_000_000
    status, _, body = command.request("POST", "/upload", b"z" * 30_000_000)
    assert json.loads(body)["length"] == 30_000_000


@pytest.mark.parametrize("form", CUT)
def test_an_answer_that_is_cut_is_whole_or_seen_to_be_cut(behind, api, form):
    """Before its end, within its head and its body, and nowhere."""
    command = behind()
    whole = CUT[form]
    head = whole.index(b"\r\n\r\n") + 4
    places = [0, 1, head - 1, head, head + 13, len(whole) - 1, len(whole)]
    for at in places:
        try:
            status, _, body = command.get(f"/cut?{form}&{at}")
        except http.client.HTTPException as error:
            assert head <= at < len(whole) and isinstance(error, http.client.IncompleteRead), (at, error)
        else:
            assert (status, body) == (200, b"0123456789" * 2) if at == len(whole) else at < head and status == 502 and b"may have been carried out" in body, (at, status, body)
    paths = [path for _, path, _, _ in api.seen]
    assert len(paths) == len(set(paths)) == len(places), "none was sent twice"


def test_a_killed_daemon_causes_errors_until_it_is_restarted(behind, daemon, api):
    command = behind()
    assert command.get("/a")[0] == 200
    daemon.kill()
    status, _, body = command.get("/b")
    assert status == 502 and b"the daemon cannot be reached" in body, (status, body)
    daemon.start()
    assert command.get("/c")[0] == 200 and [path for _, path, _, _ in api.seen] == ["/v1/a", "/v1/c"]


def test_a_stopped_proxy_resumes_and_a_killed_one_refuses_connections(behind, api):
    command = behind()
    [proxy] = [pid for pid in children(command.process.pid) if pid != command.pid]
    os.kill(proxy, signal.SIGSTOP)
    threading.Timer(0.2, os.kill, (proxy, signal.SIGCONT)).start()
    assert command.get("/a")[0] == 200
    os.kill(proxy, signal.SIGKILL)
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        command.get("/b")


def test_a_bound_token_works_with_the_servers_nonce(make_daemon, runtime):
    """What a server refuses, and the daemon can put right, the command does not see: --env cannot give such a token at all."""
    provider = StrictProvider()
    try:
        daemon = make_daemon(configuration(provider, serves=[provider.issuer])).start()
        sign_in_bound(daemon, provider)
        before = len(provider.requests)
        result = proxied(daemon, runtime, command=["sh", "-c", 'curl -sSf "$ACME_BASE_URL/me" && curl -sSf "$ACME_BASE_URL/me" -H "DPoP: mine"'])
        assert result.returncode == 0 and result.stdout.count('"Ada"') == 2, result
        assert len(provider.requests) - before >= 3
    finally:
        provider.close()


def test_a_needed_sign_in_is_reported_to_the_program_and_the_user(behind, daemon):
    command = behind()
    assert run(daemon, "sign-out", "demo", "--yes").returncode == 0
    status, _, body = command.get("/a")
    assert status == 403 and b"postern sign-in demo" in body
    assert "postern sign-in demo" in command.process.stderr.readline()
    sign_in(daemon)
    assert command.get("/a")[0] == 200


# ---- programs -----------------------------------------------------------------------


def test_a_server_behind_a_proxy_is_verified_with_the_accounts_ca_file(make_daemon, demo_provider, runtime, tmp_path):
    """The bridge has both from the daemon: it reads no file, and the command's own proxy is not for it."""
    seen = []

    class Site(loopback.Handler):
        def do_GET(self):
            seen.append(self.headers["Authorization"])
            self.send(200, b"through")

    site = Elsewhere(Site, tmp_path, "api.example.com")
    try:
        serves, ca = ["https://api.example.com/v1"], str(site.certificate)
        daemon = make_daemon(oidc(demo_provider, serves=serves, ca_file=ca), environment={"https_proxy": site.origin}).start()
        sign_in(daemon)
        result = proxied(daemon, runtime, command=["sh", "-c", 'curl -sS -w " %{http_code}" "$ACME_BASE_URL/users"'], https_proxy="http://127.0.0.1:9")
        assert result.stdout == "through 200", result
        assert len(seen) == 1 and seen[0].startswith("Bearer ") and site.refused == []
    finally:
        site.close()


def test_a_server_that_floods_key_updates_is_disconnected(make_daemon, demo_provider, runtime, tmp_path):
    """Each demand is answered, and the server reads none of the answers."""
    made, key = certificate(tmp_path)
    port = free_port()
    command = ["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-cert", str(made), "-key", str(key), "-tls1_3"]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    client = None
    try:
        assert any(line == b"ACCEPT\n" for line in server.stdout)
        daemon = make_daemon(oidc(demo_provider, serves=[f"https://127.0.0.1:{port}"], ca_file=str(made))).start()
        sign_in(daemon)
        client = subprocess.Popen(
            [POSTERN, "exec", "--proxy", "demo=ACME", "--", "sh", "-c", 'curl -sSN "$ACME_BASE_URL/x"'], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=environment(daemon, XDG_RUNTIME_DIR=str(runtime)))
        assert any(line.startswith(b"GET /x") for line in server.stdout)
        threading.Thread(target=server.stdout.read, daemon=True).start()
        server.stdin.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        server.stdin.flush()
        assert client.stdout.read(5) == "hello"
        end = time.monotonic() + 60
        while client.poll() is None and time.monotonic() < end:
            server.stdin.write(b"K\n")
            server.stdin.flush()
            # The program takes one for each of its reads.
            time.sleep(0.003)
        assert client.poll() == 18, "curl's status for an answer that is cut"
    finally:
        for process in filter(None, (client, server)):
            process.kill()
            process.wait()


def test_git_clones_and_pushes(make_daemon, demo_provider, runtime, tmp_path):
    server = GitServer(tmp_path / "repositories")
    server.folder.mkdir()
    try:
        server.repository("group/project.git")
        daemon = make_daemon(oidc(demo_provider, serves=[server.origin])).start()
        sign_in(daemon)
        good = run(daemon, "token", "demo").stdout.strip()
        server.accepts = lambda token, path: token == good
        line = (
            f'git clone -q {server.origin}/group/project.git {tmp_path}/clone && cd {tmp_path}/clone && '
            'head -c 3000000 /dev/urandom > big && git add big && git -c user.name=t -c user.email=t@example.com commit -qm big && git push -q origin HEAD:main')
        result = proxied(
            daemon, runtime, "--set", "GIT_CONFIG_COUNT=1", "--set", "GIT_CONFIG_KEY_0=url.{url}/.insteadOf", "--set", f"GIT_CONFIG_VALUE_0={server.origin}/",
            command=["sh", "-c", line], HOME=str(tmp_path), GIT_TERMINAL_PROMPT="0", GIT_CONFIG_NOSYSTEM="1")
        assert result.returncode == 0, result
        assert set(server.tokens()) == {good}
        assert good not in (tmp_path / "clone/.git/config").read_text()
    finally:
        server.close()


def test_pip_installs_from_an_index(make_daemon, demo_provider, runtime, tmp_path):
    with package_index(tmp_path / "index") as index:
        index.links = "../../files/"
        daemon = make_daemon(oidc(demo_provider, serves=[index.origin])).start()
        sign_in(daemon)
        index.secret = run(daemon, "token", "demo").stdout.strip()
        install = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-cache-dir", "--target", str(tmp_path / "out"), "thing"]
        result = proxied(
            daemon, runtime, "--set", "PIP_INDEX_URL={url}/simple/", command=install, HOME=str(tmp_path), PIP_CONFIG_FILE="/dev/null")
        assert result.returncode == 0, result
        assert (tmp_path / "out/thing.py").exists()


def test_npm_installs_from_a_registry_that_names_its_files_by_its_own_address(make_daemon, demo_provider, runtime, tmp_path):
    (tmp_path / "bin").mkdir()
    npm(tmp_path / "bin")
    registry = Registry(lambda header: header == f"Bearer {run(daemon, 'token', 'demo').stdout.strip()}")
    try:
        daemon = make_daemon(oidc(demo_provider, serves=[registry.origin])).start()
        sign_in(daemon)
        result = proxied(
            daemon, runtime, "--set", "npm_config_registry={url}/", "--set", "npm_config_replace_registry_host=always",
            command=["npm", "install", "--prefix", str(tmp_path), "--no-audit", "--no-fund", "thing"], HOME=str(tmp_path), NO_UPDATE_NOTIFIER="1",
            PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}")
        assert result.returncode == 0, result.stderr
        assert json.loads((tmp_path / "node_modules/thing/package.json").read_text())["name"] == "thing"
        assert [path for path, _ in registry.seen if path.endswith(".tgz")]
    finally:
        registry.close()


# ---- nobody else, nothing left, no token --------------------------------------------


def memory(pid):
    """Everything that the process has in memory."""
    parts = []
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", buffering=0) as content:
        for line in maps:
            area, mode, *_ = line.split()
            if "r" not in mode or line.rstrip().endswith(("[vvar]", "[vsyscall]", "[vvar_vclock]")):
                continue
            start, end = (int(number, 16) for number in area.split("-"))
            try:
                content.seek(start)
                parts.append(content.read(end - start))
            except OSError:
                continue
    return b"".join(parts)


def files_of_process(pid):
    """All of /proc that can be read of a process, but for its memory, by their names."""
    shown = {}
    for folder, folders, names in os.walk(f"/proc/{pid}"):
        # Those of a thread are the same again, and behind these are the system's files, of which the open ones are looked at.
        folders[:] = [name for name in folders if name not in ("task", "root", "cwd", "map_files")]
        for name in names:
            place = os.path.join(folder, name)
            if name in ("mem", "pagemap", "clear_refs") or not (os.path.isfile(place) or os.path.islink(place)):
                continue
            try:
                shown[os.path.relpath(place, f"/proc/{pid}")] = open(place, "rb").read() if os.path.isfile(place) else os.readlink(place).encode()
            except OSError:
                continue
    return shown


@looks_inside
def test_the_token_is_nowhere_in_the_command(daemon, runtime, token, tmp_path):
    text = (
        "import json, os, sys, urllib.request\n"
        "answer = urllib.request.urlopen(os.environ['ACME_BASE_URL'] + '/users')\n"
        "print(os.getpid(), answer.read(), answer.headers, flush=True)\n"
        "sys.stdin.read()")
    process = subprocess.Popen(
        [POSTERN, "exec", "--proxy", "demo=ACME", "--", sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path,
        env=environment(daemon, XDG_RUNTIME_DIR=str(runtime)))
    try:
        pid = int(process.stdout.readline().split()[0])
        known = memory(pid)
        # The search finds what is there.
        assert b"postern-proxy-" in known and token.encode() not in known and token.encode()[:40] not in known
        shown = files_of_process(pid)
        assert {"environ", "cmdline", "stat", "maps"} <= set(shown) and b"postern-proxy-" in shown["environ"]
        assert not [name for name, text in shown.items() if token.encode() in text]
        # Neither in what anybody can see of the others.
        for each in (process.pid, *children(process.pid)):
            for name in ("environ", "cmdline"):
                assert token.encode() not in pathlib.Path(f"/proc/{each}/{name}").read_bytes()
        (tmp_path / "left").write_text("by the command")
        left = [place for folder in (runtime, tmp_path) for place in folder.rglob("*") if place.is_file()]
        assert left and not [place for place in left if token.encode() in place.read_bytes()]
    finally:
        process.communicate(timeout=20)
    assert process.returncode == 0


@needs_root
def test_the_token_is_not_in_the_launching_processs_memory_either(behind, token):
    command = behind()
    assert command.get("/a")[0] == 200
    known = memory(command.process.pid)
    # The search finds what is there.
    assert [secret.encode() in known for secret in (command.environment["ACME_TOKEN"], token)] == [True, False]


def children(pid):
    return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@looks_inside
def test_the_proxys_secrets_are_in_no_argument_and_no_environment_variable(behind):
    command = behind()
    proxies = [pid for pid in children(command.process.pid) if pid != command.pid]
    assert len(proxies) == 1
    for name in ("cmdline", "environ"):
        shown = pathlib.Path(f"/proc/{proxies[0]}/{name}").read_bytes()
        assert command.path[1:].encode() not in shown and command.environment["ACME_TOKEN"].encode() not in shown


@needs_root
def test_another_user_reaches_neither_the_port_nor_the_socket(behind, api):
    command = behind()
    for words in (["curl", "-sS", "--noproxy", "*", f"{command.url}/a"], ["curl", "-sS", "--unix-socket", command.socket, "http://acme/a"]):
        result = subprocess.run([*AS_NOBODY, *words], capture_output=True, text=True, timeout=30)
        assert result.returncode != 0 and result.stdout == "", result
    assert api.seen == [] and command.get("/a")[0] == 200


def gone(command, proxy):
    wait_for(lambda: not os.path.exists(f"/proc/{proxy}"), what="the end of the proxy")
    wait_for(lambda: not list(command.runtime.iterdir()), what="the end of its directory")
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", command.port), timeout=5)


def proxy_of(command):
    [proxy] = [pid for pid in children(command.process.pid) if pid != command.pid]
    return proxy


def test_the_proxy_ends_with_the_command(behind):
    command = behind()
    proxy = proxy_of(command)
    command.end()
    gone(command, proxy)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_proxy_ends_when_postern_is_signalled(behind, number):
    command = behind()
    proxy = proxy_of(command)
    command.process.send_signal(number)
    assert command.process.wait(20) == -number
    gone(command, proxy)


def test_the_exit_status_is_that_of_the_command(daemon, runtime):
    assert proxied(daemon, runtime, command=["sh", "-c", "exit 77"]).returncode == 77
    assert proxied(daemon, runtime, command=["sh", "-c", "kill -KILL $$"]).returncode == -signal.SIGKILL
    missing = proxied(daemon, runtime, command=["no-such-program"])
    assert missing.returncode == 127 and "no-such-program cannot be run" in missing.stderr
    wait_for(lambda: not list(runtime.iterdir()), what="the end of the directories")


# ---- a sandbox ----------------------------------------------------------------------


def test_an_agent_without_network_can_use_only_the_socket(daemon, runtime, api, token, tmp_path):
    """The recipe of docs/use/exec-proxy.md, as it stands there."""
    probe = subprocess.run([*bubblewrap(), "true"], capture_output=True, text=True, timeout=30)
    if probe.returncode != 0:
        pytest.skip(f"bubblewrap may not make namespaces here: {probe.stderr.strip()}")
    recipe = (ROOT / "docs/use/exec-proxy.md").read_text().split("```sh\n")[2].split("```")[0]
    assert "bwrap" in recipe and "exec --proxy acme " in recipe
    agent = tmp_path / "agent"
    agent.write_text(
        "#!/bin/bash\n"
        "socat TCP-LISTEN:8080,bind=127.0.0.1,fork,reuseaddr UNIX-CONNECT:/run/acme.sock &\n"
        "for i in 1 2 3 4 5 6 7 8 9; do curl -fsS http://127.0.0.1:8080/users 2>/dev/null && break; sleep 0.2; done\n"
        "curl -fsS --unix-socket /run/acme.sock http://acme/direct\n"
        f"curl -sS -m 5 {api.origin}/v1/past || echo no network\n"
        "ls /run; env; kill %1\n")
    agent.chmod(0o755)
    result = subprocess.run(
        ["sh", "-ec", recipe.replace("--proxy acme ", "--proxy demo=ACME ")], capture_output=True, text=True, timeout=60, cwd=tmp_path,
        env=environment(daemon, XDG_RUNTIME_DIR=str(runtime), PATH=f"{pathlib.Path(POSTERN).parent}:{os.environ['PATH']}"))
    assert '"/v1/users"' in result.stdout and '"/v1/direct"' in result.stdout and "no network" in result.stdout, result
    assert [path for _, path, _, _ in api.seen] == ["/v1/users", "/v1/direct"] and token not in result.stdout + result.stderr
