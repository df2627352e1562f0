"""`postern curl`: the real curl, with the authorization of the account, and never elsewhere."""
import http.server
import json
import pathlib
import subprocess
import threading
import urllib.parse

import loopback
import pytest
from commands import POSTERN, environment, run
from other_user import looks_inside
from postern import oidc
from signing_in import sign_in
from strict_provider import StrictProvider, configuration, signed_in as sign_in_bound
from twitter import Twitter, sign_in as sign_in_at_x


AWKWARD = [("status", "Ladies + Gentlemen, a café & 100% \u2603"), ("empty", ""), ("a", "1"), ("a", "0"), ("b=c", "~-._")]


class Resources:
    """An API: notes what comes, and redirects where /to?… says."""

    def __init__(self):
        self.seen = []                      # (method, path, headers, body)
        self.gate = threading.Event()       # clear: whoever asks waits
        self.gate.set()
        self.came = threading.Event()
        resources = self

        class Handler(http.server.BaseHTTPRequestHandler):
            # It lets curl send a body at once.
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                resources.seen.append((self.command, self.path, dict(self.headers), body))
                resources.came.set()
                resources.gate.wait(20)
                path, _, query = self.path.partition("?")
                leads = path == "/to"
                self.send_response(302 if leads else 200)
                if leads:
                    self.send_header("Location", urllib.parse.unquote(query))
                self.send_header("Content-Length", "3")
                self.end_headers()
                self.wfile.write(b"ok\n")

            do_POST = do_PUT = do_DELETE = do_CONNECT = do_GET

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.port = self.http.server_address[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()

    def authorizations(self):
        return [headers.get("Authorization") for _, _, headers, _ in self.seen]

    def close(self):
        self.gate.set()
        self.http.shutdown()
        self.http.server_close()


@pytest.fixture
def api():
    server = Resources()
    yield server
    server.close()


@pytest.fixture
def other():
    server = Resources()
    yield server
    server.close()


@pytest.fixture
def daemon(make_daemon, demo_provider, api):
    daemon = make_daemon(oidc(demo_provider, serves=[api.origin])).start()
    sign_in(daemon)
    return daemon


@pytest.fixture
def bearer(daemon):
    return "Bearer " + daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]


def curl(daemon, *arguments, stdin="", **more):
    return run(daemon, "curl", *arguments, stdin=stdin, **more)


# ---- Where the header goes ----------------------------------------------------------


@pytest.mark.parametrize("account", [[], ["--account", "demo"]])
def test_the_header_is_sent_to_the_server_that_the_account_serves(daemon, api, bearer, account):
    result = curl(daemon, *account, "-sSf", f"{api.origin}/a?b=c")
    assert result.returncode == 0 and result.stdout == "ok\n" and result.stderr == ""
    assert api.seen[0][:2] == ("GET", "/a?b=c") and api.authorizations() == [bearer]


@looks_inside
def test_the_token_is_in_no_argument_and_no_environment_variable(daemon, api, bearer):
    api.gate.clear()
    process = subprocess.Popen([POSTERN, "curl", "-s", api.origin], stdout=subprocess.PIPE, env=environment(daemon))
    assert api.came.wait(20)
    [child] = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    names = ("comm", "cmdline", "environ")
    found = [pathlib.Path(f"/proc/{number}/{name}").read_bytes() for number in (child, process.pid) for name in names]
    api.gate.set()
    assert process.communicate(timeout=20)[0] == b"ok\n" and process.returncode == 0
    assert found[0] == b"curl\n" and bearer.encode()[7:] not in b"".join(found)


def test_nothing_is_sent_where_no_account_serves(daemon, api, other, bearer):
    for url in (other.origin, f"http://localhost:{api.port}/", "http://evil.example/", "https://evil.example/", f"{api.origin}/../x"):
        for account in ([], ["--account", "demo"]):
            result = curl(daemon, *account, "-s", url)
            assert result.returncode == 1 and result.stdout == ""
            assert "no token is for this URL: " in result.stderr or " tokens " in result.stderr
    for url in (f"http://127.0.0.1:{api.port}@{other.origin[7:]}/", f"{api.origin}\\@{other.origin[7:]}", f"{api.origin}/[1-2]", f"{other.origin}#{api.origin}"):
        assert curl(daemon, "-s", url).returncode == 64
    # What `postern token` takes.
    assert "; an account is given with --account\n" in curl(daemon, "demo", api.origin).stderr
    # One that is served does not vouch for another.
    assert curl(daemon, "-s", api.origin, other.origin).returncode == 1
    assert api.seen == other.seen == []


def test_a_redirect_to_another_server_is_followed_without_the_header(daemon, api, other, bearer):
    here, there = f"{api.origin}/end", f"{other.origin}/end"
    for target in (here, there, f"http://localhost:{api.port}/end", f"{other.origin}/to?{urllib.parse.quote(here)}"):
        assert curl(daemon, "-sSL", f"{api.origin}/to?{urllib.parse.quote(target)}").stdout == "ok\n"
    kept = [(path, headers["Host"], headers.get("Authorization")) for _, path, headers, _ in api.seen if path == "/end"]
    assert kept == [("/end", api.origin[7:], bearer), ("/end", f"localhost:{api.port}", None), ("/end", api.origin[7:], bearer)]
    assert other.authorizations() == [None, None]


def test_redirects_are_refused_for_an_account_that_serves_only_a_path(make_daemon, demo_provider, api):
    """curl keeps the header where only the path is another."""
    daemon = make_daemon(oidc(demo_provider, serves=[f"{api.origin}/mine"])).start()
    sign_in(daemon)
    assert curl(daemon, "-s", f"{api.origin}/mine/to").returncode == 0
    assert curl(daemon, "-s", f"{api.origin}/yours").returncode == 1
    result = curl(daemon, "-sL", f"{api.origin}/mine/to")
    assert result.returncode == 64 and "--location" in result.stderr and len(api.seen) == 1


def test_proxy_variables_and_curlrc_are_ignored(daemon, api, other, bearer, tmp_path):
    (tmp_path / ".curlrc").write_text(f'url = "{other.origin}/rc"\nlocation-trusted\nproxy = "{other.origin}"\n')
    result = curl(daemon, "-s", api.origin, HOME=str(tmp_path), CURL_HOME=str(tmp_path), http_proxy=other.origin, ALL_PROXY=other.origin)
    assert result.stdout == "ok\n" and other.seen == [] and api.authorizations() == [bearer]


def test_options_that_could_disclose_the_token_are_refused(daemon, api):
    result = curl(daemon, "-H", "Host:\u0301x", api.origin)
    assert result.returncode == 64 and result.stderr.startswith("postern: ") and api.seen == []


# ---- What is passed on --------------------------------------------------------------


def test_method_body_output_and_standard_input_work_as_in_curl(daemon, api, bearer, tmp_path):
    assert curl(daemon, "-s", "-d", "@-", "-o", str(tmp_path / "out"), api.origin, stdin="a=b").returncode == 0
    assert (tmp_path / "out").read_text() == "ok\n"
    assert curl(daemon, "-sX", "DELETE", f"{api.origin}/x").returncode == 0
    (tmp_path / "file").write_text("text")
    assert curl(daemon, "-sT", str(tmp_path / "file"), f"{api.origin}/x").returncode == 0
    assert curl(daemon, "-sG", "--data-urlencode", "q=a b&c", "-d", "d=1", f"{api.origin}/x?y").returncode == 0
    assert curl(daemon, "-s", "-H", "X-One: 1", "-A", "me", f"{api.origin}/1", f"{api.origin}/2").stdout == "ok\nok\n"
    # Versions of curl differ in how they write a space here.
    seen = [(method, path.replace("%20", "+"), body) for method, path, _, body in api.seen]
    assert seen == [("POST", "/", "a=b"), ("DELETE", "/x", ""), ("PUT", "/x", "text"), ("GET", "/x?y&q=a+b%26c&d=1", ""), ("GET", "/1", ""), ("GET", "/2", "")]
    assert set(api.authorizations()) == {bearer} and api.seen[-1][2]["X-One"] == "1" and api.seen[-1][2]["User-Agent"] == "me"


def test_the_exit_status_is_curls(daemon, api):
    port = api.port
    api.close()
    assert curl(daemon, "-s", f"http://127.0.0.1:{port}/").returncode == 7


def test_without_a_token_curl_is_not_started(daemon, api):
    daemon.call("RevokeCredential", {"providerID": "demo"})
    result = curl(daemon, api.origin)
    assert result.returncode == 3 and "postern sign-in" in result.stderr and api.seen == []


def test_an_unknown_account_name_is_reported_with_advice(daemon, api):
    for arguments in (["curl", "--account", "demo-1815", api.origin], ["exec", "--env", "A=demo-1815", "--", "true"], ["token", "demo-1815"]):
        result = run(daemon, *arguments)
        sentence, *more = result.stderr.splitlines()
        assert result.returncode == 1 and 'there is no provider called "demo-1815"' in sentence and result.stdout == "", arguments
        assert more == ["  demo-1815 is an account at demo; use demo"], arguments
    assert api.seen == []


def test_a_url_of_a_provider_not_yet_set_up_names_the_setup_command(daemon, api):
    result = curl(daemon, "https://api.github.com/user")
    assert result.returncode == 1 and "GitHub" in result.stderr and "`postern setup github.com`" in result.stderr
    result = curl(daemon, "https://api.example.com/user")
    assert result.returncode == 1 and "`serves`" in result.stderr and "postern setup" not in result.stderr


# ---- Authorizations for one request -------------------------------------------------


@pytest.fixture
def twitter():
    server = Twitter()
    yield server
    server.close()


@pytest.fixture
def x(make_daemon, twitter):
    daemon = make_daemon(twitter.configuration(f'serves = ["{twitter.origin}/1.1/"]')).start()
    sign_in_at_x(daemon)
    return daemon


def test_a_request_is_signed(x, twitter):
    result = curl(x, "--account", "twitter.com", "-sSf", f"{twitter.origin}/1.1/search/tweets.json?{urllib.parse.urlencode(AWKWARD)}")
    assert json.loads(result.stdout) == {"person": "ada", "query": [list(pair) for pair in AWKWARD], "form": []}
    encoded = [word for name, value in AWKWARD for word in ("--data-urlencode", f"{urllib.parse.quote(name)}={value}")]
    asked = curl(x, "-sSfG", *encoded, f"{twitter.origin}/1.1/search/tweets.json?z=1")
    assert json.loads(asked.stdout)["query"] == [["z", "1"], *map(list, AWKWARD)], asked


def test_the_form_is_signed(x, twitter):
    encoded = [word for name, value in AWKWARD for word in ("--data-urlencode", f"{urllib.parse.quote(name)}={value}")]
    result = curl(x, "-sSf", *encoded, "-d", "d=1+2&e=%26", f"{twitter.origin}/1.1/statuses/update.json")
    assert json.loads(result.stdout)["form"] == [*map(list, AWKWARD), ["d", "1 2"], ["e", "&"]], result


def test_options_that_repeat_a_signed_request_are_refused(x, twitter):
    url, count = f"{twitter.origin}/1.1/search/tweets.json?q=1", len(twitter.requests)
    for arguments in (["-L", url], [url, url], ["--retry", "3", url], ["-d", "@/etc/hostname", f"{twitter.origin}/1.1/statuses/update.json"]):
        result = curl(x, "-s", *arguments)
        assert result.returncode == 64 and result.stdout == "", result
    assert len(twitter.requests) == count


@pytest.fixture
def make_strict(make_daemon):
    made = []

    def make(**options):
        provider = StrictProvider(**options)
        made.append(provider)
        daemon = make_daemon(configuration(provider, serves=[provider.issuer])).start()
        sign_in_bound(daemon, provider)
        return daemon, provider

    yield make
    for provider in made:
        provider.close()


@pytest.mark.parametrize("nonces", [False, True])
def test_a_request_proves_the_key_with_the_nonce_that_the_server_wants(make_strict, nonces):
    daemon, provider = make_strict(nonces=nonces)
    before = len(provider.requests)
    result = curl(daemon, "-sSf", f"{provider.issuer}/me")
    # The answer that asked for the nonce is nobody's result.
    assert result.returncode == 0 and json.loads(result.stdout) == {"id": "7", "name": "Ada"} and result.stderr == ""
    assert len(provider.requests) - before == (2 if nonces else 1)


class Trailing(loopback.Listener):
    """Its answers have more behind the body than a pipe holds."""

    trailers = [f"X-{number}: {'a' * 900}" for number in range(100)]

    def __init__(self):
        self.seen = []
        server = self

        class Handler(loopback.Handler):
            def do_GET(self):
                server.seen.append(self.headers.get("Authorization"))
                self.send_response(200)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                body = b"text" * 40000
                self.wfile.write(b"%x\r\n%s\r\n0\r\n%s\r\n\r\n" % (len(body), body, "\r\n".join(server.trailers).encode()))

        super().__init__(Handler)


def test_trailers_do_not_block_the_command(make_daemon):
    """With a proof curl writes the head of the answer, and what comes behind it, into a pipe that this command reads."""
    provider, server = StrictProvider(), Trailing()
    try:
        daemon = make_daemon(configuration(provider, serves=[server.origin])).start()
        sign_in_bound(daemon, provider)
        result = curl(daemon, "-sSf", server.origin)
        assert result.returncode == 0 and result.stderr == "" and result.stdout == "text" * 40000
        assert len(server.seen) == 1 and server.seen[0].startswith("DPoP ")
    finally:
        provider.close()
        server.close()
