"""The servers that the other tests of MCP use: whether they do what they are for is judged by the SDK's own client, without Postern."""
import asyncio

import pytest
from foreign import session
from hostile_mcp import ROWS, HostileServers
from mcp_servers import REDIRECT, ClientSite, Memory, client_document, proxy_server, sdk_server, sdk_sign_in, tool, verifying_server


@pytest.fixture
def running():
    """Servers that end with the test: `running(server)` returns it."""
    servers = []

    def add(server):
        servers.append(server)
        return server

    yield add
    for server in servers:
        server.stop() if hasattr(server, "stop") else server.close()


def refresh(url, kept, resource):
    form = {"grant_type": "refresh_token", "refresh_token": kept.tokens.refresh_token, "client_id": kept.client.client_id, "resource": resource}
    return session().post(url, data=form, timeout=30)


def test_a_server_of_the_sdk_signs_its_client_in(running):
    server, kept = running(sdk_server("2026-07-28")), Memory()
    said, agreed = tool(server.url, auth=sdk_sign_in(server.url, kept))
    assert agreed == "2026-07-28" and said == f"ada at {server.url} with tools:use offline_access"
    assert [each["path"] for each in server.requests()][:6] == [
        "/mcp", "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server", "/register", "/authorize", "/token"]
    assert server.requests("/authorize")[0]["query"]["resource"] == server.requests("/token")[0]["form"]["resource"] == server.url
    bearer = {"Authorization": f"Bearer {kept.tokens.access_token}"}
    assert tool(server.url, headers=bearer)[0] == said
    # The guard of one tool, which no SDK has. The client was registered for less, so that the SDK's server refuses it more.
    with pytest.raises(ExceptionGroup):
        tool(server.url, "admin", auth=sdk_sign_in(server.url, kept))
    refused = [each for each in server.requests("/mcp") if each["status"] == 403]
    assert [each["challenge"] for each in refused] == ['Bearer error="insufficient_scope", scope="tools:admin"']
    assert set(server.requests("/authorize")[-1]["query"]["scope"].split()) == {"tools:use", "tools:admin", "offline_access"}
    # A spent refresh token is taken again in time, and otherwise for theft.
    server.set(grace=60)
    first, second = (refresh(f"{server.origin}/token", kept, server.url).json() for _ in range(2))
    assert first == second and first["refresh_token"] != kept.tokens.refresh_token
    server.set(grace=0)
    assert refresh(f"{server.origin}/token", kept, server.url).json()["error"] == "invalid_grant"
    assert server.state()["thefts"] == 1 and server.state()["refresh_tokens"] == 0


def test_fastmcps_proxy_accepts_registrations_and_client_documents(running, tmp_path):
    from oidc_provider_mock import User, run_server_in_thread

    site = running(ClientSite(tmp_path, REDIRECT))
    with run_server_in_thread(user_claims=[User(sub="grace", claims={})]) as upstream:
        server = running(proxy_server(f"http://localhost:{upstream.server_port}", site))
        assert tool(server.url, auth=sdk_sign_in(server.url, Memory())) == ("grace with openid", "2026-07-28")
        assert len(server.requests("/register")) == 1 and site.asked == 0
        assert tool(server.url, auth=sdk_sign_in(server.url, Memory(), site.url))[0] == "grace with openid"
        assert len(server.requests("/register")) == 1 and site.asked == 1
        assert server.requests("/authorize")[-1]["query"]["client_id"] == site.url
        with pytest.raises(ExceptionGroup):
            tool(server.url, auth=sdk_sign_in(server.url, Memory(), f"https://{site.host}/other.json"))
        assert server.requests("/authorize")[-1]["status"] == 400, "its own check: the document is of another URL"


def test_the_strict_issuer_accepts_only_known_clients(running, tmp_path):
    from authlib_issuer import Issuer

    site = running(ClientSite(tmp_path, REDIRECT))
    issuer = running(Issuer(trust=site))
    server = running(verifying_server(issuer))
    kept = Memory()
    assert tool(server.url, auth=sdk_sign_in(server.url, kept, site.url)) == ("ada with tools:use offline_access", "2026-07-28")
    assert issuer.asked("/authorize")[0]["resource"] == issuer.asked("/token", "authorization_code")[0]["resource"] == server.url
    # One port is not another, and the answer is a page.
    site.document = client_document(site.url, "http://127.0.0.1/callback")
    with pytest.raises(ExceptionGroup) as caught:
        tool(server.url, auth=sdk_sign_in(server.url, Memory(), site.url))
    assert "is not supported by client" in str(innermost(caught.value))
    with pytest.raises(ExceptionGroup):
        tool(server.url, auth=sdk_sign_in(server.url, Memory()))    # no registration
    site.document = client_document(site.url, REDIRECT)
    refused = refresh(f"{issuer.issuer}/token", kept, "https://elsewhere.example/mcp")
    assert refused.status_code == 400 and refused.json()["error"] == "invalid_target" and issuer.refreshed == 0
    issuer.grace = 60
    first, second = (refresh(f"{issuer.issuer}/token", kept, server.url).json() for _ in range(2))
    assert first == second and (issuer.refreshed, issuer.replayed, issuer.thefts) == (1, 1, 0)
    issuer.grace = 0
    assert refresh(f"{issuer.issuer}/token", kept, server.url).json()["error"] == "invalid_grant"
    assert (issuer.refused, issuer.thefts) == (1, 1)
    with pytest.raises(ExceptionGroup):
        tool(server.url, headers={"Authorization": f"Bearer {first['access_token']}"})


def innermost(error):
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


@pytest.fixture(scope="module")
def hostile():
    servers = HostileServers()
    yield servers
    servers.close()


def judged(url):
    """Whether the SDK's client gets an answer from the server in the end."""
    import httpx2

    async def post():
        async with httpx2.AsyncClient(auth=sdk_sign_in(url, Memory()), trust_env=False, timeout=30) as http:
            return (await http.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers={"MCP-Protocol-Version": "2026-07-28"})).status_code
    return asyncio.run(asyncio.wait_for(post(), 60))


def test_the_sdk_accepts_the_honest_server(hostile):
    assert judged(hostile.url("honest")) == 200
    assert {"resource", "issuer", "register", "authorize", "token", "mcp"} == {place for row, place, _ in hostile.requests if row == "honest"}


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.judge])
def test_the_sdk_refuses_the_hostile_servers_too(hostile, name):
    """What only Postern refuses is not here: the SDK's client knows no limit of size, for example."""
    with pytest.raises(Exception) as caught:
        assert judged(hostile.url(name)) == 200
    assert not isinstance(caught.value, KeyError), "a mistake of the table's server itself"
    assert hostile.asked(name), "the row was met"
    assert not hostile.asked(name, "token") or ROWS[name].reaches == "/token"
