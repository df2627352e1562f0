"""A server of the `mcp` SDK with the SDK's own OAuth routes, run as a program: `PYTHONPATH=SDK python mcp_sdk_server.py OPTIONS`.

The SDK leaves to its users what it calls the provider: who is signed in, and which tokens there are. Here the person (`person`) agrees to
everything, and refresh tokens rotate: a spent one ends all that came of its sign-in, unless it comes again within `grace` seconds.
The SDK has no step-up for one tool; the guard in front of `admin` is ours, and answers as the specification has it.
With `features` it has what mcp_features.py adds; with `json` its answers are JSON and no streams, and with `resumes` a stream can be taken up again.
"""
import inspect
import secrets
import time

import mcp_features
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken, AuthorizationCode, RefreshToken, TokenError, construct_redirect_uri
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.shared.auth import OAuthToken
from mcp_recorder import Recorder, serve

try:
    from mcp.server.mcpserver import MCPServer  # 2.x
    MODERN = True
except ImportError:
    from mcp.server.fastmcp import FastMCP as MCPServer
    MODERN = False

SCOPES = ["tools:use", "tools:admin", "offline_access"]


class Code(AuthorizationCode):
    person: str
    resource: str | None = None


class Refresh(RefreshToken):
    person: str
    family: str
    resource: str | None = None


class Access(AccessToken):
    person: str
    family: str
    resource: str | None = None


class Provider:
    def __init__(self, settings):
        self.settings = settings
        self.clients, self.codes, self.tokens, self.refresh_tokens, self.spent = {}, {}, {}, {}, {}
        self.thefts = 0     # how often a spent refresh token came again, too late to be a lost answer

    def state(self):
        return {"clients": list(self.clients), "thefts": self.thefts, "refresh_tokens": len(self.refresh_tokens),
                "tokens": [token.token for token in self.tokens.values() if token.expires_at > time.time()]}

    async def get_client(self, client_id):
        return None if client_id in self.settings["forgotten"] else self.clients.get(client_id)

    async def register_client(self, client):
        self.clients[client.client_id] = client

    async def authorize(self, client, asked):
        code = Code(code=secrets.token_urlsafe(24), scopes=asked.scopes or [], expires_at=time.time() + 60, client_id=client.client_id,
                    code_challenge=asked.code_challenge, redirect_uri=asked.redirect_uri,
                    redirect_uri_provided_explicitly=asked.redirect_uri_provided_explicitly, resource=asked.resource, person=self.settings["person"])
        self.codes[code.code] = code
        # Written out: construct_redirect_uri of some versions loses what the address has already.
        return construct_redirect_uri(str(asked.redirect_uri), code=code.code, state=asked.state)

    async def load_authorization_code(self, client, code):
        return self.codes.get(code)

    async def exchange_authorization_code(self, client, code):
        del self.codes[code.code]
        return self.issue(client, code.scopes, code, secrets.token_hex(8))

    async def load_refresh_token(self, client, token):
        if token in self.spent:
            at, refresh, _ = self.spent[token]
            if time.time() - at <= self.settings["grace"]:
                return refresh
            self.thefts += 1
            self.end(refresh.family)
        return self.refresh_tokens.get(token)

    async def exchange_refresh_token(self, client, refresh, scopes):
        if refresh.token in self.spent:     # within the time of grace: the answer that was lost
            return self.spent[refresh.token][2]
        if not self.refresh_tokens.pop(refresh.token, None):
            raise TokenError("invalid_grant", "no such refresh token")
        made = self.issue(client, scopes or refresh.scopes, refresh, refresh.family)
        self.spent[refresh.token] = (time.time(), refresh, made)
        return made

    def issue(self, client, scopes, origin, family):
        more = {"client_id": client.client_id, "scopes": scopes, "resource": origin.resource, "person": origin.person, "family": family}
        seconds = self.settings["seconds"]
        access = Access(token=f"at-{secrets.token_urlsafe(24)}", expires_at=int(time.time() + seconds), **more)
        refresh = Refresh(token=f"rt-{secrets.token_urlsafe(24)}", **more)
        self.tokens[access.token], self.refresh_tokens[refresh.token] = access, refresh
        return OAuthToken(access_token=access.token, token_type="Bearer", expires_in=seconds, scope=" ".join(scopes), refresh_token=refresh.token)

    def end(self, family):
        for tokens in (self.tokens, self.refresh_tokens):
            for name in [name for name, token in tokens.items() if token.family == family]:
                del tokens[name]

    async def load_access_token(self, token):
        found = self.tokens.get(token)
        return found if found and found.expires_at > time.time() and token not in self.settings["refused"] else None

    async def revoke_token(self, token):
        self.end(token.family)


def make(base, options):
    settings = {"person": "ada", "seconds": 3600, "grace": 0, "forgotten": [], "refused": [], "lose": None, **options.get("settings", {})}
    provider = Provider(settings)
    resource = base + options.get("resource", "/mcp")
    auth = {"issuer_url": base, "resource_server_url": resource, "required_scopes": options.get("scopes", ["tools:use"]),
            "client_registration_options": ClientRegistrationOptions(enabled=options.get("register", True), valid_scopes=SCOPES),
            "revocation_options": RevocationOptions(enabled=True)}
    if "validate_token_resource" in AuthSettings.model_fields:
        auth["validate_token_resource"] = True
    # How the server answers is an argument of the server before 2.x, and of its application since.
    ways = {"json_response": options.get("json", False)}
    if options.get("resumes"):
        ways |= {"event_store": mcp_features.Store(), "retry_interval": 10}
    taken = inspect.signature(MCPServer.streamable_http_app if MODERN else MCPServer.__init__).parameters
    ways = {name: value for name, value in ways.items() if name in taken}
    server = MCPServer("of the tests", auth_server_provider=provider, auth=AuthSettings(**auth), **({} if MODERN else ways))
    state = {}
    if options.get("features"):
        mcp_features.add(server, settings, state)

    @server.tool()
    def whoami() -> str:
        token = get_access_token()
        return f"{token.person} at {token.resource} with {' '.join(token.scopes)}"

    @server.tool()
    def admin() -> str:
        return "done"

    def guard(request):
        call = request["json"] or {}
        if request["path"] != "/mcp" or not isinstance(call, dict) or call.get("method") != "tools/call" or call["params"]["name"] != "admin":
            return None
        token = provider.tokens.get(request["headers"].get("authorization", "").removeprefix("Bearer "))
        if token is None or "tools:admin" in token.scopes:
            return None
        return 403, {"error": "insufficient_scope"}, 'Bearer error="insufficient_scope", scope="tools:admin"'

    return Recorder(server.streamable_http_app(**(ways if MODERN else {})), settings, lambda: {**provider.state(), **state}, guard)


if __name__ == "__main__":
    serve(make)
