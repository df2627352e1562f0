"""MCP servers that nobody here wrote, found by their URL: signed in to, renewed, asked for more, and left."""
import json
import re
import socket
import subprocess

import pytest
from agreeing import visit
from commands import DISPLAY, Command, environment, run
from helper_programs import helper
from mcp_servers import AGREES, SDKS, ClientSite, client_document, mcp, proxy_server, sdk_server, tool, verifying_server
from postern import ends_with, free_port
from signing_in import SignIn

pytestmark = pytest.mark.skipif(not all(path is None or path.exists() for path in SDKS.values()), reason="the earlier SDKs are not installed")
WORK = {"providerID": "work"}


@pytest.fixture(scope="module")
def servers():
    """`servers(kind)`: the SDK's server of that revision, started once."""
    started = {}

    def of(revision="2026-07-28"):
        if revision not in started:
            started[revision] = sdk_server(revision)
        started[revision].set(person="ada", seconds=3600, forgotten=[], refused=[])
        return started[revision]

    yield of
    for server in started.values():
        server.stop()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    site = ClientSite(tmp_path_factory.mktemp("site"))
    yield site
    site.close()


@pytest.fixture(scope="module")
def strict(site):
    """A strict issuer, and a server that takes its tokens."""
    from authlib_issuer import Issuer

    issuer = Issuer(trust=site)
    server = verifying_server(issuer)
    yield issuer, server
    server.stop()
    issuer.close()


@pytest.fixture
def unknown(strict):
    """The issuer does not announce that it takes documents, and starts with nothing."""
    issuer, server = strict
    issuer.requests.clear()
    issuer.trust, trust = None, issuer.trust
    yield issuer, server
    issuer.trust = trust


def added(daemon, server, name="work", *more, **environment):
    done = run(daemon, "mcp", "add", server.url, "--as", name, "--yes", *more, **{**DISPLAY, **environment})
    assert done.returncode == 0, done.stderr
    return done


def headers(daemon, server, name="work"):
    """As a client's helper asks, with the URL beside the name."""
    status, out, words = helper(daemon, "mcp-headers", name, "--url", server.url)
    assert (status, words) == (0, ""), words
    return json.loads(out)


def count(server, path):
    return len(server.requests(path))


def sign_in(daemon, **parameters):
    """With a page that the test opens."""
    pending = SignIn(daemon, **{**WORK, "intent": "keep", **parameters})
    page = visit(pending.url)
    assert page.startswith("200 "), page
    return pending, pending.completed()


# ---- From a URL to a tool ------------------------------------------------------


@pytest.mark.parametrize("revision", SDKS)
def test_adding_a_server_needs_only_its_url(make_daemon, servers, revision):
    server = servers(revision)
    before = len(server.requests())
    daemon = make_daemon(browser=AGREES, port=free_port()).start()
    added(daemon, server)
    resource = f"{server.origin}/" if revision == "2025-06-18" else server.url
    said, agreed = tool(server.url, headers=headers(daemon, server))
    assert agreed == revision and said.startswith(f"ada at {resource} with tools:use"), said

    came = server.requests()[before:]
    asked, = [each for each in came if each["path"] == "/register"]
    redirect, = asked["json"]["redirect_uris"]
    assert asked["json"]["application_type"] == "native" and re.fullmatch(re.escape(f"{daemon.origin}/__/auth/handler/") + r"[\w-]{22}", redirect), redirect
    assert {"authorization_code", "refresh_token"} <= set(asked["json"]["grant_types"])
    # For all that the issuer has, since such servers grant a registered client no other scope later.
    assert {"tools:use", "tools:admin"} <= set(asked["json"]["scope"].split())
    page, = [each["query"] for each in came if each["path"] == "/authorize"]
    assert page["resource"] == resource and page["code_challenge_method"] == "S256" and page["client_id"] == asked["answer"]["client_id"]
    assert set(page["scope"].split()) == {"tools:use", "offline_access"} and page["prompt"] == "consent"

    # The code, and each renewal; one client for all of them, in each life of the daemon.
    daemon.kill()
    daemon.start()
    assert daemon.call("GetAccessToken", {**WORK, "forceRefresh": True})["accessToken"]
    assert tool(server.url, headers=headers(daemon, server))[0] == said
    tokens = [each["form"] for each in server.requests()[before:] if each["path"] == "/token"]
    assert [each["grant_type"] for each in tokens] == ["authorization_code", "refresh_token"]
    assert {each["resource"] for each in tokens} == {resource} and {each["client_id"] for each in tokens} == {asked["answer"]["client_id"]}
    sign_in(daemon)
    assert sum(each["path"] == "/register" for each in server.requests()[before:]) == 1
    assert server.state()["thefts"] == 0

    checked = run(daemon, "mcp", "check", "work")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    levels = {finding["level"] for finding in json.loads(run(daemon, "mcp", "check", "work", "--json").stdout)["findings"]}
    # The oldest names its origin as what the tokens are for, which is more than the URL.
    assert "fail" not in levels and (revision != "2025-06-18" or "warn" in levels), checked.stdout


def test_two_names_hold_two_accounts_at_one_server(make_daemon, servers):
    server = servers()
    daemon = make_daemon(mcp(server.url, "ada") + mcp(server.url, "grace"), port=free_port()).start()
    for name in ("ada", "grace"):
        server.set(person=name)
        sign_in(daemon, providerID=name)
    for name in ("ada", "grace"):
        assert tool(server.url, headers=headers(daemon, server, name))[0].startswith(f"{name} at ")
    # A check by name is of this account, and not of the other at the same URL.
    assert run(daemon, "revoke", "grace", "--yes").returncode == 0
    said = {name: run(daemon, "mcp", "check", name).stdout for name in ("ada", "grace")}
    assert "signed in: " in said["ada"] and "signed in: " not in said["grace"]


def post(server, headers):
    """A call of a tool, as plain as it can be: the answer of the guard in front of the server."""
    import httpx2

    with httpx2.Client(trust_env=False, timeout=30) as http:
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "whoami", "arguments": {}}}
        return http.post(server.url, json=call, headers={**headers, "Accept": "application/json, text/event-stream"})


# ---- More scope -----------------------------------------------------------------


def test_curl_steps_up_on_a_terminal_and_repeats_the_request(make_daemon, servers):
    server = servers()
    daemon = make_daemon(mcp(server.url), browser=AGREES, port=free_port()).start()
    sign_in(daemon)
    call = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "admin", "arguments": {}}})
    fields = [word for field in ("Content-Type: application/json", "Accept: application/json, text/event-stream") for word in ("-H", field)]
    done = run(daemon, "curl", "-sS", "-w", "%{http_code}", "-d", call, *fields, server.url, **DISPLAY)
    assert done.stdout.startswith('{"error": "insufficient_scope"}') and done.stdout.endswith("403"), done
    assert "tools:admin" in done.stderr and "postern sign-in work" in done.stderr
    curl = Command(daemon, "curl", "--step-up", "-sS", "-d", call, *fields, server.url, terminal=True, **DISPLAY)
    status, out = curl.end()
    text = curl.text + out
    # An SDK server wants a session before a tool; what counts is that it took the token.
    assert status == 0 and "tools:admin" in text and "insufficient_scope" not in text, text
    asked = server.requests("/authorize")[-1]["query"]
    assert set(asked["scope"].split()) == {"tools:use", "tools:admin", "offline_access"} and asked["resource"] == server.url
    assert tool(server.url, "admin", headers=headers(daemon, server))[0] == "done"


def test_a_sign_in_asks_before_it_replaces_the_account(make_daemon, servers):
    """Nothing says who signs in, so it may be somebody else."""
    server = servers()
    daemon = make_daemon(mcp(server.url), browser=AGREES, port=free_port()).start()
    sign_in(daemon)
    first, pages = run(daemon, "token", "work").stdout, count(server, "/authorize")
    for answer, replaced in (("n\n", False), ("\n", False), ("y\n", True)):
        asked = Command(daemon, "sign-in", "work", terminal=True, **DISPLAY)
        asked.read_until(r"Replace it\? \[y/N\]")
        asked.type(answer)
        assert (asked.end()[0] == 0) == replaced
        assert (run(daemon, "token", "work").stdout != first) == replaced and (count(server, "/authorize") > pages) == replaced


def test_a_challenge_without_scopes_means_those_of_the_resource(make_daemon):
    """The SDK's own, for the whole server: here the configuration wants less than the server does."""
    server = sdk_server("2026-07-28", scopes=["tools:use", "tools:admin"])
    try:
        daemon = make_daemon(mcp(server.url, scopes=["tools:use"]), port=free_port()).start()
        sign_in(daemon)
        refusal = post(server, headers(daemon, server))
        challenge = {"challenge": refusal.headers.get_list("www-authenticate")}
        assert refusal.status_code == 403 and "insufficient_scope" in challenge["challenge"][0] and "scope=" not in challenge["challenge"][0]
        with ends_with("StepUpRequired") as caught:
            daemon.call("AuthorizeRequest", {"method": "POST", "url": server.url, **WORK, **challenge})
        assert caught.value.parameters["scopes"] == ["tools:use", "tools:admin"]
        sign_in(daemon, **challenge)
        assert tool(server.url, headers=headers(daemon, server))[0].startswith("ada at ")
    finally:
        server.stop()


# ---- Who Postern is there -------------------------------------------------------


def test_without_a_registration_the_error_says_what_to_register(make_daemon, unknown):
    issuer, server = unknown
    daemon = make_daemon(browser=AGREES, port=free_port()).start()
    done = run(daemon, "mcp", "add", server.url, "--as", "work", "--yes", **DISPLAY)
    assert done.returncode == 1 and issuer.requests == []
    assert f"{daemon.origin}/__/auth/handler" in done.stderr and "--client-id" in done.stderr and issuer.issuer in done.stderr, done.stderr
    known = issuer.add_client(f"{daemon.origin}/__/auth/handler")
    # One that is made at random may begin with a dash.
    added(daemon, server, "work", f"--client-id={known}")
    assert tool(server.url, headers=headers(daemon, server))[0] == "ada with tools:use offline_access"
    assert issuer.asked("/authorize")[0]["client_id"] == known
    # It revokes, too, and all that came of the sign-in ends there.
    assert daemon.call("RevokeCredential", WORK)["revokedAtProvider"] is True
    assert all(token.ended for token in issuer.refresh_tokens.values() if token.client_id == known)


def documented(make_daemon, site, server=None, **settings):
    """A daemon that knows the site through a proxy, and trusts its certificate."""
    section = f'[registration]\nclient-document = "{site.url}"\n'
    return make_daemon(section + (mcp(server.url, ca_file=str(site.certificate)) if server else ""),
                       environment={"https_proxy": site.origin, "SSL_CERT_FILE": str(site.certificate)}, **settings)


def test_a_strict_issuer_accepts_the_printed_client_document(make_daemon, strict, site):
    issuer, server = strict
    daemon = documented(make_daemon, site, server, port=free_port()).start()
    printed = run(daemon, "mcp", "document", "--url", site.url)
    assert printed.returncode == 0, printed.stderr
    site.document = printed.stdout.encode()
    assert len(site.document) <= 5120
    sign_in(daemon)
    asked = issuer.asked("/authorize")[-1]
    assert asked["client_id"] == site.url and asked["redirect_uri"] == f"{daemon.origin}/__/auth/handler"
    assert tool(server.url, headers=headers(daemon, server))[0].startswith("ada with tools:use")
    assert issuer.asked("/token", "authorization_code")[-1]["client_id"] == site.url
    daemon.call("GetAccessToken", {**WORK, "forceRefresh": True})
    renewed = issuer.asked("/token", "refresh_token")[-1]
    assert renewed["client_id"] == site.url and renewed["resource"] == server.url


def test_a_port_in_use_is_reported_before_a_page_opens(make_daemon, strict, site):
    issuer, server = strict
    with socket.socket() as other:
        other.bind(("127.0.0.1", free_port()))
        other.listen()
        port = other.getsockname()[1]
        site.document = client_document(site.url, f"http://127.0.0.1:{port}/__/auth/handler")
        daemon = documented(make_daemon, site, server, port=port).start()
        assert not daemon.origin.endswith(f":{port}")
        pages = len(issuer.asked("/authorize"))
        done = run(daemon, "sign-in", "work", "--no-browser")
        assert done.returncode == 1 and f"127.0.0.1:{port}" in done.stderr, done.stderr
        assert len(issuer.asked("/authorize")) == pages


def test_fastmcps_proxy_accepts_both_ways_of_registration(make_daemon, site):
    from oidc_provider_mock import User, run_server_in_thread

    with run_server_in_thread(user_claims=[User(sub="grace", claims={})]) as upstream:
        server = proxy_server(f"http://localhost:{upstream.server_port}", site)
        try:
            plain = make_daemon(browser=AGREES, port=free_port()).start()
            added(plain, server)
            assert tool(server.url, headers=headers(plain, server))[0] == "grace with openid"
            assert count(server, "/register") == 1
            daemon = documented(make_daemon, site, server, port=free_port()).start()
            site.document = run(daemon, "mcp", "document", "--url", site.url).stdout.encode()
            sign_in(daemon)
            assert tool(server.url, headers=headers(daemon, server))[0] == "grace with openid"
            assert count(server, "/register") == 1 and server.requests("/authorize")[-1]["query"]["client_id"] == site.url
            daemon.call("GetAccessToken", {**WORK, "forceRefresh": True})
            assert tool(server.url, headers=headers(daemon, server))[0] == "grace with openid"
        finally:
            server.stop()


# ---- What a client sees ---------------------------------------------------------


def test_the_printed_client_configuration_works(make_daemon, servers):
    """The block for Claude Code: its command, run as that client runs it, gives the header that the server takes."""
    server = servers()
    daemon = make_daemon(mcp(server.url), port=free_port()).start()
    sign_in(daemon)
    printed = run(daemon, "mcp", "config", "claude-code", "work", "--headers")
    assert printed.returncode == 0 and "Bearer" not in printed.stdout, printed.stderr
    assert helper(daemon, "mcp-headers", "--url", server.url)[1] == helper(daemon, "mcp-headers", "work", "--url", server.url)[1] != b""
    block = json.loads(printed.stdout[printed.stdout.index("{"):printed.stdout.rindex("}") + 1])["mcpServers"]["work"]
    assert block["type"] == "http" and block["url"] == server.url
    given = environment(daemon, CLAUDE_CODE_MCP_SERVER_NAME="work", CLAUDE_CODE_MCP_SERVER_URL=server.url)
    done = subprocess.run(["sh", "-c", block["headersHelper"]], env=given, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    assert tool(server.url, headers=json.loads(done.stdout))[0].startswith("ada at ")
