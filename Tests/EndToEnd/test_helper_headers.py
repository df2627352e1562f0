"""Helpers that give header fields: Bazel, Go, pnpm and MCP clients. None of the programs is in Debian 12 in a version that has these, so each is
called as its documentation says, and answered byte for byte."""
import json
import subprocess

import pytest
from commands import POSTERN, with_codex_environment
from helper_programs import helper, signed_in, token_of

API = "https://api.example.org/v1"
#: What must not be taken for the API's address.
HOSTILE = [
    "http://api.example.org/v1", "https://api.example.org:8443/v1", "https://api.example.org/", "https://api.example.org/v10",
    "https://api.example.org/v1/../x", "https://api.example.org/v1/%2e%2e/x", "https://api.example.org/v1/..%2fx", "https://API.example.org/V1",
    "https://api.example.org.evil.example/v1", "https://evil.example/https://api.example.org/v1", "https://api.example.org@evil.example/v1",
    "https://api.example.org:443@evil.example/v1", "https://api.example.org\\@evil.example/v1", "https://evilapi.example.org/v1",
    "https://api.example.org/v1\nHost: evil.example", "https://api.example.org/v1\r", "https://api.example.org./v1", "https://\u0430pi.example.org/v1",
    "https://xn--pi-6kc.example.org/v1", "https://api\uff0eexample.org/v1", "//api.example.org/v1", "api.example.org/v1", "file:///v1", "",
    "https://api.example.org/v1/" + "a" * 65536,
]


def short(value):
    """The name of a case: a long one would be a file name that is too long."""
    return ascii(value)[:60]


@pytest.fixture
def daemon(make_daemon, demo_provider):
    return signed_in(make_daemon, demo_provider, API)


@pytest.fixture
def absent(make_daemon):
    """A daemon that does not run."""
    return make_daemon()


@pytest.fixture
def stranger(make_daemon):
    """Nobody has signed in."""
    return make_daemon(f'[provider.work]\nkind = "oidc"\nissuer = "https://login.example.org"\nclient-id = "c"\nserves = ["{API}"]\n').start()


def bazel(daemon, uri, *arguments):
    return helper(daemon, "bazel", *arguments, "get", stdin=json.dumps({"uri": uri}).encode())


# ---- Bazel ---------------------------------------------------------------------------


@pytest.mark.parametrize("uri", [f"{API}/file?x=y", API, "grpcs://api.example.org/v1/x"])
def test_bazel(daemon, uri):
    status, out, words = bazel(daemon, uri)
    answer = json.loads(out)
    assert status == 0 and words == "" and out.endswith(b"}\n")
    assert answer["headers"] == {"Authorization": [f"Bearer {token_of(daemon)}"]} and answer["expires"].endswith("Z")


@pytest.mark.parametrize("uri", [*HOSTILE, "grpc://api.example.org/v1"], ids=short)
def test_bazel_with_another_address(daemon, uri):
    for arguments in [], ["--account", "demo"]:
        status, out, words = bazel(daemon, uri, *arguments)
        assert (status, out) == (0, b"{}\n")
        # It may say what comes near, on one line, and never the token.
        assert words == "" or (words.startswith("postern: ") and words.count("\n") == 1 and token_of(daemon) not in words)


@pytest.mark.parametrize(
    "request_", [b"", b"{}", b"[]", b'{"uri":1}', b"[" * 100_000, b"a" * 200_000, b'{"uri":"https://a/","uri":"https://b/"}', b"\xff"], ids=short)
def test_bazel_without_a_request(daemon, request_):
    status, out, words = helper(daemon, "bazel", "get", stdin=request_)
    assert status == 64 and out == b"" and words.startswith("postern: ")


def test_bazel_without_a_token(stranger, absent):
    status, out, words = bazel(stranger, API)
    assert status == 3 and out == b"" and "postern sign-in work" in words
    assert bazel(stranger, "https://other.example.org/") == (0, b"{}\n", "")
    status, out, words = bazel(absent, API)
    assert status == 4 and out == b"" and "the daemon cannot be reached" in words


# ---- Go ------------------------------------------------------------------------------


def test_go(daemon):
    block = f"{API}\n\nAuthorization: Bearer {token_of(daemon)}\n\n".encode()
    head = b"HTTP/1.1 401 Unauthorized\r\nWww-Authenticate: Bearer\r\n\r\n"
    assert helper(daemon, "goauth") == (0, b"", "")
    assert helper(daemon, "goauth", "--origin", API) == (0, block, "")
    assert helper(daemon, "goauth", f"{API}/mod/@v/list", stdin=head) == (0, block, "")
    assert helper(daemon, "goauth", "--account", "demo", "--origin", "https://other.example.org", f"{API}/mod", stdin=head) == (0, block, "")
    assert helper(daemon, "goauth", "--origin", "https://other.example.org", "--origin", API) == (0, block, "")


@pytest.mark.parametrize("url", HOSTILE, ids=short)
def test_go_with_another_address(daemon, url):
    status, out, words = helper(daemon, "goauth", url)
    # It may say what comes near, which Go shows with -x.
    assert out == b"" and token_of(daemon) not in words
    assert (status, words) == (0, "") or status == 1 and words.startswith("postern: ") and words.count("\n") == 1


def test_go_is_told_what_comes_near_and_nothing_about_strangers(daemon):
    status, out, words = helper(daemon, "goauth", f"{API}:8443/mod")
    assert (status, out) == (1, b"") and f"those of demo are for {API}" in words, words
    assert helper(daemon, "goauth", "https://proxy.golang.org/") == helper(daemon, "goauth", "--origin", f"{API}:8443") == (0, b"", "")


def test_go_without_a_token(stranger, absent):
    assert helper(stranger, "goauth", "--origin", API) == (0, b"", "")
    status, out, words = helper(stranger, "goauth", API)
    assert status == 3 and out == b"" and "postern sign-in work" in words
    assert helper(absent, "goauth", "--origin", API) == (0, b"", "")
    assert helper(absent, "goauth", API)[:2] == (4, b"")


# ---- pnpm, and clients of the Model Context Protocol -----------------------------------


def test_pnpm(daemon, stranger, absent):
    assert helper(daemon, "pnpm", "demo") == (0, f"Bearer {token_of(daemon)}\n".encode(), "")
    for account, of in (("nobody", daemon), ("work", stranger), ("demo", absent)):
        status, out, words = helper(of, "pnpm", account)
        assert status != 0 and out == b"" and words


def test_mcp(daemon, stranger, absent):
    given = {"CLAUDE_CODE_MCP_SERVER_NAME": "work", "CLAUDE_CODE_MCP_SERVER_URL": f"{API}/mcp"}
    assert helper(daemon, "mcp-headers", "demo", **given) == (0, f'{{"Authorization":"Bearer {token_of(daemon)}"}}\n'.encode(), "")
    for account, of in (("nobody", daemon), ("work", stranger), ("demo", absent)):
        status, out, words = helper(of, "mcp-headers", account, **given)
        assert status != 0 and out == b"" and words
    assert helper(daemon, "mcp-headers", "demo")[:2] == (64, b"")


def test_mcp_in_the_environment_that_codex_leaves(daemon):
    """Its helper gets no variable of ours, of the session or of the server; only the command line says which server it is."""
    header = f'{{"Authorization":"Bearer {token_of(daemon)}"}}\n'.encode()

    def ask(*arguments):
        command = [*with_codex_environment(daemon), POSTERN, "helper", "mcp-headers", *arguments]
        return subprocess.run(command, capture_output=True, timeout=60, check=False)

    done = ask("demo", "--url", f"{API}/mcp")
    assert (done.returncode, done.stdout) == (0, header), done.stderr
    assert ask("--url", f"{API}/mcp").stdout == header
    for words in ["demo", "--url", "https://evil.example/mcp"], ["demo"], []:
        done = ask(*words)
        assert done.returncode != 0 and done.stdout == b"" and done.stderr


def test_mcp_goes_by_the_server_that_asks(daemon):
    """What stands on the command line, a project's file may say."""
    evil = {"CLAUDE_CODE_MCP_SERVER_URL": "https://evil.example/"}
    status, out, words = helper(daemon, "mcp-headers", "demo", "--url", f"{API}/mcp", **evil)
    assert status == 1 and out == b"" and "evil.example" in words


@pytest.mark.parametrize("url", [url for url in HOSTILE if url], ids=short)
def test_mcp_with_another_server(daemon, url):
    """A project's own file names the server, so that the account's name alone gives nothing."""
    if len(url) > 20_000:
        url = url[:20_000]
    status, out, _ = helper(daemon, "mcp-headers", "demo", CLAUDE_CODE_MCP_SERVER_URL=url)
    assert status != 0 and out == b""
