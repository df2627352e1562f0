"""The bridge at servers that do what they like, with every byte of both sides in the test's hand."""
import contextlib
import re
import shlex
import subprocess
import threading

from awkward_mcp import USUAL
from bridge_fixtures import bridge, bridges, daemon, place, server, servers, sign_in, text_of, unused  # noqa: F401
from bridges import Bridge
from commands import DISPLAY, POSTERN, environment, run, with_codex_environment
from person import browser
from postern import free_port
from signing_in import SignIn
from strict_provider import StrictProvider, configuration


def said(answer, *words):
    """The message of an error that a person reads, with one of our own codes."""
    error = answer["error"]
    assert not -32768 <= error["code"] <= -32000, error
    for word in words:
        assert word in error["message"], error
    return error["message"]


# ---- What passes ----------------------------------------------------------------

ODD = ('{"params" : {"arguments":{"n":1e400,"m":0.10,"big":123456789012345678901234567890,"e":"\\u00e9\\ud83d\\ude00/\\/","z":-0,"a":[ ],"": null},'
       '"name":"x\\u0000"},  "id":%s ,"jsonrpc":"2.0","method":"tools/call"}')


def test_json_passes_both_ways_as_it_is(server, bridge):
    id = '"\\u0007\\ud83d\\ude00"'
    pretty = '{\r\n  "jsonrpc": "2.0",\n\t"id": %s,\r"result": {"n": 1E-400, "t": "\\r\\n \u2028\u2029 é", "k": 1, "k": 2}\n}\n' % id
    server.plays(tools__call=lambda visit: visit.send(200, pretty.encode(), ("Content-Type", "application/json; charset=utf-8")))
    bridge.write((ODD % id).encode() + b"\n")
    line = bridge.line()
    assert server.came("tools/call")[-1].raw == (ODD % id).encode()
    # Line breaks between tokens are blanks, or gone; nothing else has changed.
    assert line.decode().translate({ord(" "): None, ord("\t"): None}) == re.sub("[\r\n \t]", "", pretty), line


def test_a_stream_that_comes_byte_by_byte_is_read(server, bridge):
    def answer(visit):
        visit.stream()
        message = b'data: {"jsonrpc": "2.0",\r\ndata: "id": %d,\r\ndata: "result": {"content": [{"type": "text",\r\ndata: "text": "\xc3\xa9"}]}}' % visit.id
        data = b": ping\r\n\r\nevent: message\r\nid: 1\r\n" + message + b"\r\n\r\n"
        for at in range(len(data)):
            visit.chunk(data[at:at + 1])
        visit.end()

    server.plays(tools__call=answer)
    assert text_of(bridge.answer(bridge.call("x"))) == "é"


def test_standard_output_has_only_messages_and_no_token_is_shown(daemon, server, bridge):
    bridge.answer(bridge.call("x"))
    token = run(daemon, "token", server.name).stdout.strip()
    assert server.came("tools/call")[0].token == token
    bridge.close()
    assert token not in bridge.words.decode() and bridge.line() is None
    assert server.came("DELETE")


# ---- Answers that only the bridge sees -------------------------------------------


def command_in(sentence, name):
    """The command that a sentence names, as a person takes it from there."""
    found = re.search(rf"postern sign-in {name}[^'`\"»”.,;]*", sentence)
    assert found, sentence
    return shlex.split(found[0])


def signs_in_as_told(daemon, sentence, name):
    """The command of the sentence, run at a desktop whose user agrees."""
    words = command_in(sentence, name)
    done = subprocess.run([POSTERN, *words[1:]], env=environment(daemon, **DISPLAY), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_a_token_that_stays_refused_is_an_error_that_names_the_command(servers, daemon, server, bridge):
    servers.granted.pop(server.came("initialize")[-1].token)
    servers.codes.clear()       # nothing can be renewed
    sentence = said(bridge.answer(bridge.call("x")), server.name)
    signs_in_as_told(daemon, sentence, server.name)
    assert text_of(bridge.answer(bridge.call("x"))) == "x"
    assert bridge.process.poll() is None


def test_a_demand_for_more_scopes_names_the_command_and_the_call_then_succeeds(servers, daemon, server, bridge):
    def answer(visit):
        if "write" not in servers.granted[visit.token]:
            metadata = f"{servers.origin}/.well-known/oauth-protected-resource/{server.name}/mcp"
            return visit.json({}, ("WWW-Authenticate", f'Bearer error="insufficient_scope", scope="read write", resource_metadata="{metadata}"'), status=403)
        visit.text("written")

    server.plays(tools__call=answer)
    sentence = said(bridge.answer(bridge.call("x")), server.name)
    assert "--scope" in sentence and "write" in sentence
    assert len(server.came("tools/call")) == 1, "no other token could help"
    signs_in_as_told(daemon, sentence, server.name)
    assert text_of(bridge.answer(bridge.call("x"))) == "written"


def test_a_client_that_starts_first_waits_for_the_sign_in(daemon, place, bridges):
    """Some clients give up at the first error."""
    bridge = bridges(place)
    id = bridge.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
    sign_in(daemon, place.name)
    assert bridge.answer(id)["result"]["serverInfo"]["name"] == "awkward"


def test_with_interactive_the_page_opens_at_once(place, bridges):
    bridge = bridges(place, "--interactive", **DISPLAY)
    assert "result" in bridge.initialize()
    assert [visit.status for visit in place.came("initialize")] == [200], "nothing is sent before there is a token"


def test_the_environment_of_codex_is_enough(daemon, server, bridges):
    bridge = bridges(server, program=[*with_codex_environment(daemon), POSTERN, "mcp", "run"])
    assert "result" in bridge.initialize() and text_of(bridge.answer(bridge.call("one"))) == "one"


def test_a_proof_has_the_nonce_that_the_server_wants(servers, make_daemon, place, bridges):
    """RFC 9449, section 9: each request has its own proof, and one that lacks the newest nonce is refused before it is carried out."""
    provider, nonces = StrictProvider(), ["first"]
    refused, has_listened = [], threading.Event()

    def absent(visit):
        USUAL["GET"](visit)
        has_listened.set()

    def guarded(answer):
        def answer_with_proof(visit):
            claims, _ = provider.proof(visit.headers["dpop"], visit.method, place.url)
            if claims.get("nonce") == nonces[-1]:
                return answer(visit)
            refused.append(visit)
            visit.send(401, b"", ("WWW-Authenticate", 'DPoP error="use_dpop_nonce"'), ("DPoP-Nonce", nonces[-1]))
        return answer_with_proof

    with contextlib.closing(provider):
        daemon = make_daemon(configuration(provider, serves=[place.url]), port=free_port()).start()
        pending = SignIn(daemon, intent="keep")
        browser().get(provider.authorize(pending.url), timeout=30)
        pending.completed()
        servers.granted.update((f"DPoP {token}", {"a"}) for token in provider.bound)
        place.script = {name: guarded(answer) for name, answer in {**USUAL, "GET": absent}.items()}
        bridge = bridges(place, of=daemon, name=place.url)
        bridge.initialize()
        assert text_of(bridge.answer(bridge.call("one"))) == "one"
        assert [visit.call for visit in refused] == ["initialize"]
        # The bridge has asked for the stream of the server's own messages, too, so that the next request is the call.
        assert has_listened.wait(20)
        nonces.append("second")
        assert text_of(bridge.answer(bridge.call("two"))) == "two"
        calls = place.came("tools/call")
        assert len(refused) == 2 and [visit.body["params"]["name"] for visit in calls] == ["one", "two", "two"]
        assert calls[1].raw == calls[2].raw


def test_an_answer_that_is_none_is_an_error_of_its_call_and_never_tried_again(server, bridge):
    for number, (status, body) in enumerate([(503, b"<html>Bad</html>"), (200, b"<html>"), (302, b"")], 1):
        server.plays(tools__call=lambda visit, status=status, body=body: visit.send(
            status, body, ("Content-Type", "text/html"), ("Retry-After", "7"), ("Location", "https://bank.example/")))
        message = said(bridge.answer(bridge.call("x")))
        assert "<html>" not in message and len(server.came("tools/call")) == number, message
        assert bridge.ask("ping")["result"] == {}


def test_a_lost_session_is_restarted_once(server, bridge):
    first = server.sessions[-1]
    server.next("GET")      # nothing else is under way
    server.gone.add(first)
    assert text_of(bridge.answer(bridge.call("x"))) == "x"
    assert [visit.headers.get("mcp-session-id") for visit in server.came("tools/call")] == [first, server.sessions[-1]] and server.sessions[-1] != first
    assert len({visit.raw for visit in server.came("initialize")}) == 1 and len(server.came("initialize")) == 2
    assert len(server.came("notifications/initialized")) == 2
    assert not [message for message in bridge.waiting if message.get("id") == 1], "the client has its answer already"


def test_an_unknown_account_is_answered_with_a_message(daemon):
    """A client shows what is on standard error late or never, so each of its requests is answered; it is for a person at a terminal to see an end."""
    bridge = Bridge(daemon, name="nobody")
    try:
        for _ in range(2):
            said(bridge.ask("ping"), "nobody", "postern mcp")
        assert bridge.close()[1] != 0
    finally:
        bridge.stop()


# ---- 2026-07-28 ------------------------------------------------------------------

TOOL = {"name": "route", "inputSchema": {"type": "object", "properties": {
    "region": {"type": "string", "x-mcp-header": "Region"}, "deep": {"type": "object", "properties": {"n": {"type": "integer", "x-mcp-header": "N"}}},
    "yes": {"type": "boolean", "x-mcp-header": "Yes"}}}}
DISCOVERED = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
MODERN = {"server__discover": lambda visit: visit.result(DISCOVERED), "tools__list": lambda visit: visit.result({"tools": [TOOL]})}


def test_a_call_of_an_unknown_tool_is_resent_with_its_headers(server, bridges):
    def answer(visit):
        if "mcp-param-region" not in visit.headers:
            return visit.error(400, -32020, "header and body differ")
        visit.text("routed")

    server.plays(**MODERN, tools__call=answer)
    bridge = bridges(server)
    arguments = {"region": "Hello, 世界", "deep": {"n": -7}, "yes": True}
    id = bridge.modern("tools/call", {"name": "route", "arguments": arguments})
    assert text_of(bridge.answer(id)) == "routed"
    calls = server.came("tools/call")
    assert [visit.raw for visit in calls] == [calls[0].raw] * 2 and len(server.came("tools/list")) == 1
    fields = {name: text for name, text in calls[1].headers.items() if name.startswith("mcp-")}
    assert fields == {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "route",
                      "mcp-param-region": "=?base64?SGVsbG8sIOS4lueVjA==?=", "mcp-param-n": "-7", "mcp-param-yes": "true"}
    # Known from now on; `null` has no header.
    id = bridge.modern("tools/call", {"name": "route", "arguments": {"region": "eu", "deep": None, "yes": None}})
    assert text_of(bridge.answer(id)) == "routed" and len(server.came("tools/call")) == 3
    assert not any(name in server.came("tools/call")[-1].headers for name in ("mcp-param-n", "mcp-param-yes", "mcp-session-id"))
