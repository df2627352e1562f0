"""MCP servers that nobody here wrote, each a process of its own, and the `mcp` SDK's client as the judge of what the rules mean.

The SDK is imported where it is used: that takes longer than reading all test modules, most of which need none of it.
"""
import asyncio
import json
import os
import pathlib
import subprocess
import sys
import urllib.parse

import loopback
from agreeing import visit
from elsewhere import Elsewhere
from foreign import session
from postern import ROOT

HERE = pathlib.Path(__file__).resolve().parent
# The kinds of servers by the revision of MCP, and where the SDK of each is; the last one is among the tests' own packages.
SDKS = {"2025-06-18": ROOT / ".venv-mcp-2025-06-18", "2025-11-25": ROOT / ".venv-mcp-2025-11-25", "2026-07-28": None}
AGREES = json.dumps([sys.executable, str(HERE / "agreeing.py")])      # a browser whose user agrees to everything
REDIRECT = "http://127.0.0.1:7799/callback"


class Server:
    """A process that ends at the end of its standard input, so with whoever started it."""

    def __init__(self, program, options, path=None, **environment):
        env = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / program), json.dumps(options)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**env, **({"PYTHONPATH": str(path)} if path else {}), **environment})
        line = self.process.stdout.readline().split()
        assert line and line[0] == "listening", f"{program} ended with {self.process.wait(10)}"
        self.origin = line[1]
        self.url = f"{self.origin}/mcp"

    def requests(self, path=None, **form):
        """What came, in order; only to this path, and with these fields in its form."""
        came = session().get(f"{self.origin}/test/requests", timeout=30).json()
        return [each for each in came if path in (None, each["path"]) and form.items() <= each["form"].items()]

    def state(self):
        return session().get(f"{self.origin}/test/state", timeout=30).json()

    def set(self, **settings):
        session().post(f"{self.origin}/test/set", json=settings, timeout=30).raise_for_status()

    def stop(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(30)


def mcp(url, name="work", **settings):
    """The configuration of a server; underscores stand for dashes."""
    return "\n".join([f"[mcp.{name}]", f'url = "{url}"', *(f"{key.replace('_', '-')} = {json.dumps(value)}" for key, value in settings.items())]) + "\n"


def sdk_server(revision, **options):
    """The SDK's server of that revision, with its own OAuth; for the oldest kind, the resource is the origin."""
    if revision == "2025-06-18":
        options.setdefault("resource", "")
    return Server("mcp_sdk_server.py", options, SDKS[revision])


def proxy_server(upstream, trust=None, **options):
    """fastmcp's proxy in front of an OpenID provider. `trust`: the `Elsewhere` through which it fetches client documents, a setting of its own."""
    if trust is None:
        return Server("fastmcp_server.py", {"upstream": upstream, **options})
    return Server("fastmcp_server.py", {"upstream": upstream, "certificate": str(trust.certificate), **options},
                  FASTMCP_SSRF_TRUST_PROXY="true", HTTPS_PROXY=trust.origin)


def verifying_server(issuer):
    """fastmcp's token verifier: the tokens are of a strict issuer elsewhere, which it asks about each (RFC 7662)."""
    server = Server("fastmcp_server.py", {"issuer": issuer.issuer, "client": issuer.resource_server})
    issuer.resources.append(server.url)
    return server


class ClientSite(Elsewhere):
    """The site at which a client's document is published, for whoever asks through this proxy."""

    host = "client.example"
    url = f"https://{host}/postern/client.json"

    def __init__(self, folder, *redirect_uris, **more):
        self.document = client_document(self.url, *redirect_uris, **more)
        self.status, self.asked = 200, 0
        site = self

        class Handler(loopback.Handler):
            def do_GET(self):
                site.asked += 1
                self.send(site.status, site.document, ("Content-Type", "application/json"), ("Location", "/postern/elsewhere.json"))

        super().__init__(Handler, folder, self.host)


def client_document(client_id, *redirect_uris, **more):
    return json.dumps({"client_id": client_id, "client_name": "Of the tests", "redirect_uris": redirect_uris, "response_types": ["code"],
                       "grant_types": ["authorization_code", "refresh_token"], "token_endpoint_auth_method": "none", "application_type": "native", **more}).encode()


# ---- The judge ------------------------------------------------------------------


class Memory:
    """Where the SDK's client keeps what it got."""

    def __init__(self):
        self.tokens = self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


def sdk_sign_in(url, kept, document=None, redirect=REDIRECT):
    """The SDK's own OAuth; a person agrees to everything."""
    from mcp.client.auth import OAuthClientProvider
    from mcp.client.auth.oauth2 import AuthorizationCodeResult
    from mcp.shared.auth import OAuthClientMetadata

    opened = []

    async def open_page(address):
        opened.append(await asyncio.to_thread(visit, address, redirect))

    async def called_back():
        back = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(opened[-1]).query))
        assert "code" in back, opened[-1]
        return AuthorizationCodeResult(code=back["code"], state=back.get("state"), iss=back.get("iss"))

    metadata = OAuthClientMetadata(client_name="The judge", redirect_uris=[redirect], token_endpoint_auth_method="none",
                                   grant_types=["authorization_code", "refresh_token"], response_types=["code"])
    return OAuthClientProvider(url, metadata, kept, open_page, called_back, client_metadata_url=document)


async def call(url, tool, headers=None, auth=None):
    """What the tool said, and the revision that both agreed on."""
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    async with httpx2.AsyncClient(headers=headers, auth=auth, trust_env=False, timeout=30) as http, Client(streamable_http_client(url, http_client=http)) as client:
        result = await client.call_tool(tool, {})
        return result.content[0].text, client.protocol_version


def tool(url, name="whoami", headers=None, auth=None):
    return asyncio.run(asyncio.wait_for(call(url, name, headers, auth), 60))
