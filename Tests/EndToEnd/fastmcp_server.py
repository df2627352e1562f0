"""A server of fastmcp, run as a program: behind its proxy for an OpenID provider, or with its verifier for the tokens of an issuer elsewhere."""
import os
import tempfile

# Read while fastmcp is imported: its proxy keeps what it knows in a folder of the home directory.
os.environ["FASTMCP_HOME"] = tempfile.mkdtemp(prefix="fastmcp-")

import httpcore2  # noqa: E402
from fastmcp import Context, FastMCP  # noqa: E402
from fastmcp.server.auth import RemoteAuthProvider  # noqa: E402
from fastmcp.server.auth.oidc_proxy import OIDCProxy  # noqa: E402
from fastmcp.server.auth.providers.introspection import IntrospectionTokenVerifier  # noqa: E402
from fastmcp.server.dependencies import get_access_token  # noqa: E402
from mcp_recorder import Recorder, serve  # noqa: E402


def trust(certificate):
    """What fetches client documents trusts this too: no setting of fastmcp adds a certificate to the public ones."""
    public = httpcore2.default_ssl_context

    def more(**settings):
        context = public(**settings)
        context.load_verify_locations(cafile=certificate)
        return context

    httpcore2.default_ssl_context = more


def features(server):
    """What a server of fastmcp has besides; it asks clients of 2026-07-28 for nothing."""
    @server.tool
    async def steps(count: int, context: Context) -> str:
        for number in range(count):
            await context.report_progress(number, count, f"step é {number}")
        return "done"

    @server.resource("note://one")
    def one() -> str:
        return "note é"

    @server.resource("note://by/{name}")
    def by(name: str) -> str:
        return f"by {name}"

    @server.prompt
    def greet(name: str) -> str:
        return f"Hello {name}"


def make(base, options):
    if "certificate" in options:
        trust(options["certificate"])
    if "upstream" in options:
        auth = OIDCProxy(config_url=f"{options['upstream']}/.well-known/openid-configuration", client_id="fastmcp", client_secret="of fastmcp",
                         base_url=base, verify_id_token=True, extra_authorize_params={"scope": "openid"}, required_scopes=["openid"],
                         fastmcp_access_token_expiry_seconds=options.get("seconds"), enable_cimd="certificate" in options)
    else:
        verifier = IntrospectionTokenVerifier(introspection_url=f"{options['issuer']}/introspect", client_id=options["client"][0],
                                              client_secret=options["client"][1], required_scopes=["tools:use"], audience=f"{base}/mcp")
        auth = RemoteAuthProvider(verifier, [options["issuer"]], base, scopes_supported=["tools:use"])
    server = FastMCP("of the tests", auth=auth)

    @server.tool
    def whoami() -> str:
        token = get_access_token()
        return f"{token.claims.get('sub')} with {' '.join(token.scopes)}"

    features(server)
    return Recorder(server.http_app(path="/mcp"), {"lose": None}, dict)


if __name__ == "__main__":
    serve(make)
