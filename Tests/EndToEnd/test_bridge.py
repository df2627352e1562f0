"""The SDKs' own clients at their own servers, over HTTP with a token and through the bridge: the same calls, and the same bytes."""
import asyncio
import json

import pytest
from agreeing import visit
from bridges import Recording, comparable, work_environment
from commands import POSTERN, run
from mcp_servers import SDKS, mcp, sdk_server, verifying_server
from postern import Daemon, free_port, wait_for
from signing_in import SignIn

pytestmark = pytest.mark.skipif(not all(path is None or path.exists() for path in SDKS.values()), reason="the earlier SDKs are not installed")

PLAIN = ["plain", "lists", "routed", "resources", "prompts"]
ASKING = ["sampling", "elicitation", "listed-roots"]
STREAMS = ["steps", *ASKING]
# Revision: the SDK, what it is told, and what else the script does.
REVISIONS = {
    "2025-03-26": ("2025-06-18", {"revision": "2025-03-26"}, ["plain", "lists", "steps", "changes", "cancel"]),
    "2025-06-18": ("2025-06-18", {}, [*PLAIN, *STREAMS, "level", "changes", "cancel"]),
    "2025-11-25": ("2025-11-25", {}, [*PLAIN, *STREAMS, "level", "changes", "apart", "many", "cancel"]),
    "2026-07-28": ("2026-07-28", {"log_level": "debug"}, [*PLAIN, *STREAMS, "listen", "cancel"]),
}
# Messages that have no place among the others: those on a stream of their own, and the answers to calls that are under way together.
APART = ["notifications/tools/list_changed", "notifications/resources/updated", "notifications/subscriptions/acknowledged", '"number ']


@pytest.fixture(scope="module")
def servers():
    """`servers(sdk, **options)`: the SDK's server with everything that it can have, started once."""
    started = {}

    def of(sdk, **options):
        key = (sdk, json.dumps(options))
        if key not in started:
            started[key] = sdk_server(sdk, features=True, settings={"open": False}, **options)
        return started[key]

    yield of
    for server in started.values():
        server.stop()


def sign_in(daemon):
    pending = SignIn(daemon, providerID="work", intent="keep")
    assert visit(pending.url).startswith("200 ")
    pending.completed()


@pytest.fixture(scope="module")
def signed_in(tmp_path_factory):
    """`signed_in(server)`: a daemon that has a token for it, as `work`; one for each server."""
    daemons = {}

    def of(server):
        if server.url not in daemons:
            daemon = daemons[server.url] = Daemon(tmp_path_factory.mktemp("daemon"), mcp(server.url), port=free_port()).start()
            sign_in(daemon)
        return daemons[server.url]

    yield of
    for daemon in daemons.values():
        daemon.stop()


def direct(daemon, server):
    return {"url": server.url, "headers": {"Authorization": f"Bearer {run(daemon, 'token', 'work').stdout.strip()}"}}


def bridged(daemon):
    return {"command": [POSTERN, "mcp", "run", "work"], "env": work_environment(daemon)}


def both(daemon, server, sdk, **options):
    control = Recording(server, sdk, direct(daemon, server), **options)
    assert "error" not in control.results, control.results
    ours = Recording(server, sdk, bridged(daemon), **options)
    assert ours.results == control.results
    return control, ours


def in_order(texts, word="", without=()):
    return [text for text in texts if word in text and not any(each in text for each in without)]


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_feature_gives_the_same_bytes(servers, signed_in, revision):
    """To the client, and to the server; what a connection has of its own aside."""
    sdk, told, parts = REVISIONS[revision]
    server = servers(sdk, resumes=revision == "2025-11-25")
    before, daemon = server.state()["cancelled"], signed_in(server)
    control, ours = both(daemon, server, sdk, parts=parts, **told)
    # A call that is cancelled has ended at the server, too, each way.
    wait_for(lambda: (server.state()["cancelled"], server.state()["waiting"]) == (before + 2, 0), what="the end of both calls")
    assert ours.results["agreed"] == revision
    theirs, mine = comparable(control.received), comparable(ours.received)
    assert sorted(mine) == sorted(theirs)
    # The earliest SDK sends progress on the server's own stream.
    apart = [*APART, *(["notifications/progress"] if sdk == "2025-06-18" else [])]
    assert in_order(mine, without=apart) == in_order(theirs, without=apart)
    assert in_order(mine, "notifications/progress") == in_order(theirs, "notifications/progress")
    assert "many" not in parts or ours.results["many"] is True
    # That revision has no such field, and its SDK sends it.
    ignoring = ["mcp-protocol-version"] if revision == "2025-03-26" else []
    assert ours.asked(ignoring=ignoring) == control.asked(ignoring=ignoring)
    assert all("text/event-stream" in each["headers"]["accept"] for each in ours.requests if each["method"] == "GET")
    token = run(daemon, "token", "work").stdout.strip()
    assert {each["headers"]["authorization"] for each in ours.requests} == {f"Bearer {token}"}
    assert not any(name in each["headers"] for each in ours.requests for name in ("origin", "cookie"))


def test_answers_in_json_are_the_same(servers, signed_in):
    """What a client is asked in 2026-07-28 is in the results, and so in JSON as well."""
    sdk, told, _ = REVISIONS["2026-07-28"]
    server = servers(sdk, json=True)
    control, ours = both(signed_in(server), server, sdk, parts=[*PLAIN, *ASKING], **told)
    assert comparable(ours.received) == comparable(control.received)


def test_a_current_client_falls_back_for_an_older_server(servers, signed_in):
    """It asks in its own way first, and the bridge lets the server refuse that."""
    server = servers("2025-11-25", resumes=True)
    control, ours = both(signed_in(server), server, "2026-07-28", parts=[*PLAIN, *STREAMS, "changes"])
    assert ours.results["agreed"] == "2025-11-25"
    # Of the refusal the SDK makes an error of its own over HTTP.
    known = [[text for text in each.received if '"error"' not in text] for each in (control, ours)]
    assert sorted(comparable(known[1])) == sorted(comparable(known[0]))


def test_fastmcps_client_sees_the_same_at_its_own_server(make_daemon):
    from authlib_issuer import Issuer
    from fastmcp import Client as FastClient
    from fastmcp.client.transports import StdioTransport, StreamableHttpTransport

    issuer, port = Issuer(), free_port()
    server = verifying_server(issuer)
    try:
        known = issuer.add_client(f"http://127.0.0.1:{port}/__/auth/handler")
        daemon = make_daemon(mcp(server.url, client_id=known, issuer=issuer.issuer), port=port).start()
        sign_in(daemon)

        async def ask(transport):
            progress = []

            async def progressed(*now):
                progress.append(now)

            async with FastClient(transport, progress_handler=progressed) as client:
                asked = [client.list_tools(), client.list_resources(), client.list_resource_templates(), client.list_prompts(),
                         client.read_resource("note://one"), client.read_resource("note://by/ada"), client.get_prompt("greet", {"name": "Ada é"}),
                         client.call_tool("steps", {"count": 3}), client.call_tool("nothing", {}, raise_on_error=False)]
                return [repr(await each) for each in asked], progress, (await client.call_tool("whoami", {})).content[0].text

        token = run(daemon, "token", "work").stdout.strip()
        control = asyncio.run(ask(StreamableHttpTransport(server.url, headers={"Authorization": f"Bearer {token}"})))
        ours = asyncio.run(ask(StdioTransport(POSTERN, ["mcp", "run", "work"], env=work_environment(daemon), keep_alive=False)))
        assert ours == control and control[2] == "ada with tools:use offline_access"
        assert [number for number, _, _ in control[1]] == [0, 1, 2] and "by ada" in control[0][5], control
    finally:
        server.stop()
        issuer.close()
