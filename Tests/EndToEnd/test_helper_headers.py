"""Helpers that give header fields: Bazel, Go, pnpm and MCP clients. None of the programs is in Debian 12 in a version that has these, so each is
called as its documentation says, and answered byte for byte."""
import json
import subprocess

import pytest
from commands import POSTERN, with_codex_environment
from helper_programs import helper, shared, token_of

API = "https://api.example.org/v1"
# A user name before the host, which no helper asks about; a path that leads elsewhere, another host and another port, which the daemon refuses.
ELSEWHERE = [
    "https://api.example.org@evil.example/v1", "https://api.example.org/v1/%2e%2e/x", "https://api.example.org.evil.example/v1",
    "https://api.example.org:8443/v1"]


@pytest.fixture(scope="module")
def daemon(tmp_path_factory):
    with shared(tmp_path_factory.mktemp("daemon"), API) as daemon:
        yield daemon


@pytest.fixture(scope="module")
def token(daemon):
    return token_of(daemon)


def bazel(daemon, uri, *arguments):
    return helper(daemon, "bazel", *arguments, "get", stdin=json.dumps({"uri": uri}).encode())


def test_each_has_its_own_form(daemon, token):
    status, out, words = bazel(daemon, "grpcs://api.example.org/v1/x")
    answer = json.loads(out)
    assert status == 0 and words == "" and out.endswith(b"}\n")
    assert answer["headers"] == {"Authorization": [f"Bearer {token}"]} and answer["expires"].endswith("Z")
    block = f"{API}\n\nAuthorization: Bearer {token}\n\n".encode()
    assert helper(daemon, "goauth", "--origin", "https://other.example.org", "--origin", API) == (0, block, "")
    assert helper(daemon, "goauth", f"{API}/mod/@v/list", stdin=b"HTTP/1.1 401 Unauthorized\r\n\r\n") == (0, block, "")
    assert helper(daemon, "pnpm", "demo") == (0, f"Bearer {token}\n".encode(), "")
    given = {"CLAUDE_CODE_MCP_SERVER_NAME": "work", "CLAUDE_CODE_MCP_SERVER_URL": f"{API}/mcp"}
    assert helper(daemon, "mcp-headers", "demo", **given) == (0, f'{{"Authorization":"Bearer {token}"}}\n'.encode(), "")


@pytest.mark.parametrize("url", ELSEWHERE)
def test_another_address_gets_no_token(daemon, token, url):
    for arguments in [], ["--account", "demo"]:
        status, out, words = bazel(daemon, url, *arguments)
        assert (status, out) == (0, b"{}\n") and token not in words
    status, out, words = helper(daemon, "goauth", url)
    assert out == b"" and token not in words
    # Go shows with -x what comes near.
    assert (status, words) == (0, "") or status == 1 and f"those of demo are for {API}" in words
    status, out, _ = helper(daemon, "mcp-headers", "demo", CLAUDE_CODE_MCP_SERVER_URL=url)
    assert status != 0 and out == b""


def test_mcp_works_in_the_environment_of_codex(daemon, token):
    """Its helper gets no variable of ours, of the session or of the server; only the command line says which server it is."""

    def ask(*arguments):
        command = [*with_codex_environment(daemon), POSTERN, "helper", "mcp-headers", *arguments]
        return subprocess.run(command, capture_output=True, timeout=60, check=False)

    done = ask("demo", "--url", f"{API}/mcp")
    assert (done.returncode, done.stdout) == (0, f'{{"Authorization":"Bearer {token}"}}\n'.encode()), done.stderr
    done = ask("demo", "--url", "https://evil.example/mcp")
    assert done.returncode != 0 and done.stdout == b"" and done.stderr
