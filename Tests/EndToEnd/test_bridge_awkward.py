"""The bridge at servers that do what they like, with every byte of both sides in the test's hand."""
import contextlib
import json
import re
import shlex
import subprocess
import threading

import pytest
from awkward_mcp import USUAL
from bridge_fixtures import NAMES, bridge, bridges, daemon, place, server, servers, shared, sign_in, text_of, unused  # noqa: F401
from bridges import Bridge, script
from commands import DISPLAY, POSTERN, environment, run, with_codex_environment
from mcp_servers import AGREES, mcp
from notifications import Desktop
from person import browser
from postern import free_port, wait_for
from signing_in import SignIn
from strict_provider import StrictProvider, configuration


def said(answer, *words, code=True):
    """The message of an error that a person reads, with one of our own codes."""
    error = answer["error"]
    assert not code or not -32768 <= error["code"] <= -32000, error
    for word in words:
        assert word in error["message"], error
    return error["message"]


# ---- What passes ----------------------------------------------------------------

ODD = ('{"params" : {"arguments":{"n":1e400,"m":0.10,"big":123456789012345678901234567890,"e":"\\u00e9\\ud83d\\ude00/\\/","z":-0,"a":[ ],"": null},'
       '"name":"x\\u0000"},  "id":%s ,"jsonrpc":"2.0","method":"tools/call"}')


@pytest.mark.parametrize("id", ['7', '"seven"', '""', '9007199254740993', '-1', '"\\u0007\\ud83d\\ude00"'])
def test_json_passes_both_ways_as_it_is(shared, bridges, id):
    server = shared("JSON")
    pretty = '{\r\n  "jsonrpc": "2.0",\n\t"id": %s,\r"result": {"n": 1E-400, "t": "\\r\\n \u2028\u2029 é", "k": 1, "k": 2}\n}\n' % id
    server.plays(tools__call=lambda visit: visit.send(200, pretty.encode(), ("Content-Type", "application/json; charset=utf-8")))
    bridge = bridges(server)
    bridge.initialize()
    bridge.write((ODD % id).encode() + b"\n")
    line = bridge.line()
    assert server.came("tools/call")[-1].raw == (ODD % id).encode()
    # Line breaks between tokens are blanks, or gone; nothing else has changed.
    assert line.decode().translate({ord(" "): None, ord("\t"): None}) == re.sub("[\r\n \t]", "", pretty), line


STREAMS = {
    "CRLF": b'event: message\r\nid: 1\r\ndata: %s\r\n\r\n',
    "CR": b'data: %s\r\r',
    "a BOM": b'\xef\xbb\xbfdata: %s\n\n',
    "comments": b': ping\n\n:\ndata: %s\n: more\n\n',
    "no blank": b'data:%s\n\n',
    "other fields": b'foo: bar\nretry: x\nid: \x00\ndata: %s\n\n',
}


def stream_in(visit, form, bytewise=False):
    message = json.dumps({"jsonrpc": "2.0", "id": visit.id, "result": {"content": [{"type": "text", "text": "é" + form}]}}, ensure_ascii=False)
    data = STREAMS[form] % message.encode()
    visit.stream()
    for part in ([data[at:at + 1] for at in range(len(data))] if bytewise else [data]):
        visit.chunk(part)
    visit.end()


@pytest.mark.parametrize("form", STREAMS)
@pytest.mark.parametrize("bytewise", [False, True], ids=["whole", "byte by byte"])
def test_streams_of_every_form_are_read(shared, bridges, form, bytewise):
    server = shared("streams")

    server.plays(tools__call=lambda visit: stream_in(visit, form, bytewise))
    bridge = bridges(server)
    bridge.initialize()
    assert text_of(bridge.answer(bridge.call("x"))) == "é" + form


def test_the_sdk_reads_these_streams_too(shared, daemon):
    """The judge of the table: its own client, with the token in a header. It waits for ever at a BOM, which the rules of event streams skip."""
    server, forms = shared("streams"), [form for form in STREAMS if form != "a BOM"]
    left = iter(forms)
    server.plays(tools__call=lambda visit: stream_in(visit, next(left)))
    token = run(daemon, "token", server.name).stdout.strip()
    said = script("2025-11-25", {"url": server.url, "headers": {"Authorization": f"Bearer {token}"}, "parts": ["whoami"], "times": len(forms)})
    assert said["results"]["whoami"] == [f"é{form}" for form in forms], said


def test_a_message_over_several_data_lines_is_one_line(server, bridge):
    def answer(visit):
        visit.stream()
        visit.chunk(b'data: {"jsonrpc": "2.0",\ndata: "id": %d,\ndata: "result": {"content": [{"type": "text",\ndata: "text": "whole"}]}}\n\n' % visit.id)
        visit.end()

    server.plays(tools__call=answer)
    assert text_of(bridge.answer(bridge.call("x"))) == "whole"


def test_lines_that_are_no_messages_are_answered_and_nothing_is_sent(server, bridge):
    before = len(server.visits)
    for line in (b"nonsense", b'{"jsonrpc":"2.0","id":', b"[1, 2]", b'"text"', b"null", b"\xff\xfe"):
        bridge.write(line + b"\n")
        answer = bridge.message()
        assert answer["error"]["code"] in (-32700, -32600), (line, answer)
    bridge.write(b"\n   \n\r\n")
    assert bridge.ask("ping")["result"] == {}
    assert [visit.call for visit in server.visits[before:] if visit.method == "POST" and visit.call != "notifications/initialized"] == ["ping"]


def test_a_message_that_is_too_long_is_refused_and_the_next_one_passes(server, bridge):
    line = b'{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"x","arguments":{"t":"' + b"x" * (16 << 20) + b'"}}}\n'
    threading.Thread(target=lambda: contextlib.suppress(OSError).__enter__() or bridge.write(line), daemon=True).start()
    answer = bridge.message()
    assert "error" in answer and "16" in answer["error"]["message"], answer
    assert bridge.ask("ping")["result"] == {} and not server.came("tools/call")


def test_an_answer_that_is_too_long_is_an_error_of_its_call_alone(server, bridge):
    def answer(visit):
        if visit.body["params"]["name"] == "short":
            return visit.text("short")
        visit.text("x" * (17 << 20))

    server.plays(tools__call=answer)
    assert "16" in said(bridge.answer(bridge.call("long")), code=False)
    assert text_of(bridge.answer(bridge.call("short"))) == "short"


def test_nothing_but_messages_is_on_standard_output_and_no_token_anywhere(daemon, server, bridge):
    bridge.answer(bridge.call("x"))
    token = run(daemon, "token", server.name).stdout.strip()
    assert server.came("tools/call")[0].token == token
    bridge.close()
    assert token not in bridge.words.decode() and bridge.line() is None
    assert server.came("DELETE")


# ---- Answers that only the bridge sees -------------------------------------------


def older(daemon):
    """A token of the last minute is taken for the one that replaced what a server refused."""
    daemon.kill()
    daemon.start_ahead("+90s")


@pytest.fixture
def own(make_daemon, place):
    """A daemon of the test's own, signed in to that server."""
    daemon = make_daemon(mcp(place.url, place.name), browser=AGREES, port=free_port()).start()
    sign_in(daemon, place.name)
    return daemon


def test_a_token_that_is_refused_is_renewed_and_the_client_sees_nothing_of_it(servers, own, place, bridges):
    bridge = bridges(place, of=own)
    bridge.initialize()
    older(own)
    token = place.came("initialize")[-1].token
    servers.granted.pop(token)
    assert text_of(bridge.answer(bridge.call("again"))) == "again"
    calls = place.came("tools/call")
    assert [visit.token == token for visit in calls] == [True, False] and calls[0].raw == calls[1].raw
    assert calls[0].headers.get("mcp-session-id") == calls[1].headers.get("mcp-session-id")


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


def test_more_scope_is_a_sentence_and_after_it_the_same_call_succeeds(servers, daemon, server, bridge):
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


def test_a_403_without_a_challenge_is_an_error_and_no_sign_in(server, bridge):
    server.plays(tools__call=lambda visit: visit.send(403, b"no", ("Content-Type", "text/plain")))
    assert "403" in said(bridge.answer(bridge.call("x")), code=False)
    assert len(server.came("tools/call")) == 1


def test_a_client_that_starts_first_waits_for_the_sign_in(daemon, place, bridges):
    """Some clients give up at the first error."""
    bridge = bridges(place)
    id = bridge.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
    sign_in(daemon, place.name)
    assert bridge.answer(id)["result"]["serverInfo"]["name"] == "awkward"


@pytest.fixture(scope="module")
def never(servers, daemon):
    """Started with the first test, read by the last: nobody signs in, and that takes its time."""
    bridge = Bridge(daemon, name=NAMES[-1]).read()
    bridge.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
    yield servers.place(NAMES[-1]), bridge
    bridge.stop()


@pytest.fixture(autouse=True)
def started(never):
    pass


def test_with_interactive_the_page_opens_at_once(place, bridges):
    bridge = bridges(place, "--interactive", **DISPLAY)
    assert "result" in bridge.initialize()
    assert [visit.status for visit in place.came("initialize")] == [200], "nothing is sent before there is a token"


def test_the_button_of_the_notification_lets_the_first_request_go_on(make_daemon, place, bridges, tmp_path):
    desktop = Desktop(tmp_path / "desktop")
    with contextlib.closing(desktop):
        own = make_daemon(mcp(place.url, place.name), browser=AGREES, port=free_port(), environment=desktop.environment).start()
        bridge = bridges(place, of=own)
        pressed = threading.Thread(target=lambda: wait_for(lambda: desktop.shown, what="a notification") and desktop.press())
        pressed.start()
        begun = bridge.initialize()
        pressed.join()
        if "error" in begun:        # a slow desktop: the request did not wait long enough
            said(begun, f"postern sign-in {place.name}")
            wait_for(lambda: "result" in bridge.initialize(), what="the sign-in")
        assert text_of(bridge.answer(bridge.call("one"))) == "one"
        (summary, body), = desktop.shown
        assert place.name in summary + body and "sign" in summary.lower(), (summary, body)


def test_with_interactive_it_opens_in_the_middle_of_a_session_too(daemon, server, bridges):
    bridge = bridges(server, "--interactive", **DISPLAY)
    bridge.initialize()
    assert run(daemon, "sign-out", server.name).returncode == 0
    said(bridge.answer(bridge.call("one")), f"postern sign-in {server.name}")
    wait_for(lambda: "result" in bridge.answer(bridge.call("two")), what="the sign-in")
    assert [visit.body["params"]["name"] for visit in server.came("tools/call")] == ["two"]


def test_the_environment_that_codex_leaves_is_enough(daemon, server, bridges):
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


def test_who_asks_often_gets_the_answer_of_the_server(server, bridge):
    """429 and 503 with a time: it was not carried out, and may be sent later, by whoever counts the attempts."""
    for status in (429, 503):
        server.plays(tools__call=lambda visit, status=status: visit.send(status, b"later", ("Retry-After", "7")))
        before = len(server.came("tools/call"))
        message = said(bridge.answer(bridge.call("x")), code=False)
        assert "7" in message and len(server.came("tools/call")) == before + 1, message


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_failure_of_the_server_is_never_tried_again(shared, bridges, status):
    server = shared("failures")
    server.plays(tools__call=lambda visit: visit.send(status, b"<html>Bad</html>", ("Content-Type", "text/html")))
    bridge = bridges(server)
    bridge.initialize()
    before = len(server.came("tools/call"))
    message = said(bridge.answer(bridge.call("x")), code=False)
    assert str(status) in message and "<html>" not in message
    assert len(server.came("tools/call")) == before + 1
    assert bridge.ask("ping")["result"] == {}


ERRORS = {
    "with its ID": ({"jsonrpc": "2.0", "id": 2, "error": {"code": -32602, "message": "no such", "data": {"a": 1}}}, 400),
    "without an ID": ({"jsonrpc": "2.0", "error": {"code": -32602, "message": "no such", "data": {"a": 1}}}, 400),
    "with no ID": ({"jsonrpc": "2.0", "id": None, "error": {"code": -32602, "message": "no such", "data": {"a": 1}}}, 400),
    "in 404": ({"jsonrpc": "2.0", "id": 2, "error": {"code": -32602, "message": "no such", "data": {"a": 1}}}, 404),
}


@pytest.mark.parametrize("form", ERRORS)
def test_an_error_in_a_refusal_is_passed_on(shared, bridges, form):
    server = shared("errors")
    document, status = ERRORS[form]
    server.plays(initialize=lambda visit: visit.result({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "a", "version": "1"}}),
                 tools__call=lambda visit: visit.json(document, status=status))
    bridge = bridges(server)
    bridge.initialize()
    answer = bridge.answer(bridge.call("x"))
    assert answer["error"] == document["error"]


@pytest.mark.parametrize("status, body", [(200, b"<html>"), (200, b'{"jsonrpc":"2.0","id":1000,"result":{}}'), (202, b""), (204, b""), (200, b""), (302, b"")])
def test_an_answer_that_is_none_is_an_error(shared, bridges, status, body):
    server = shared("none")
    server.plays(tools__call=lambda visit: visit.send(status, body, ("Content-Type", "application/json"), ("Location", "https://bank.example/")))
    bridge = bridges(server)
    bridge.initialize()
    before = len(server.came("tools/call"))
    assert "error" in bridge.answer(bridge.call("x"))
    assert len(server.came("tools/call")) == before + 1
    assert bridge.ask("ping")["result"] == {}


def test_a_lost_session_is_begun_anew_once(server, bridge):
    first = server.sessions[-1]
    server.next("GET")      # nothing else is under way
    server.gone.add(first)
    assert text_of(bridge.answer(bridge.call("x"))) == "x"
    assert [visit.headers.get("mcp-session-id") for visit in server.came("tools/call")] == [first, server.sessions[-1]] and server.sessions[-1] != first
    assert len({visit.raw for visit in server.came("initialize")}) == 1 and len(server.came("initialize")) == 2
    assert len(server.came("notifications/initialized")) == 2
    assert not [message for message in bridge.waiting if message.get("id") == 1], "the client has its answer already"
    # For ever lost: each call is an error in the end, after one attempt.
    server.plays(initialize=lambda visit: (USUAL["initialize"](visit), server.gone.add(server.sessions[-1])))
    server.gone.add(server.sessions[-1])
    assert "error" in bridge.answer(bridge.call("y"))
    assert len(server.came("initialize")) <= 4


def test_64_calls_are_under_way_at_once(server, bridge):
    together = threading.Barrier(64)

    def answer(visit):
        together.wait(30)
        visit.text(visit.body["params"]["name"])

    server.plays(tools__call=answer)
    ids = {bridge.call(f"n{number}"): f"n{number}" for number in range(64)}
    got = {}
    while len(got) < 64:
        message = bridge.message()
        assert message["id"] not in got
        got[message["id"]] = text_of(message)
    assert got == ids and len(server.came("tools/call")) == 64


def test_an_account_that_is_not_there_is_a_sentence(daemon):
    """A client shows what is on standard error late or never, so each of its requests is answered; it is for a person at a terminal to see an end."""
    bridge = Bridge(daemon, name="nobody")
    try:
        for _ in range(2):
            said(bridge.ask("ping"), "nobody", "postern mcp")
        assert bridge.close()[1] != 0
    finally:
        bridge.stop()


def test_the_old_transport_is_refused_with_a_sentence(server, bridges):
    def get(visit):
        visit.stream()
        visit.chunk(b"event: endpoint\ndata: /messages?session=1\n\n")
        visit.until_gone()

    server.plays(initialize=lambda visit: visit.send(405, b""), GET=get)
    bridge = bridges(server)
    assert "SSE" in said(bridge.initialize(), code=False)


def test_a_redirect_is_followed_only_below_the_url(servers, server, bridge, unused):
    other = servers.place(next(unused))

    def moves(target):
        server.plays(tools__call=lambda visit: visit.text("below") if visit.handler.path.endswith("/below") else visit.send(307, b"", ("Location", target)))
        return bridge.answer(bridge.call("x"))

    for target in (f"{servers.origin}/{other.name}/mcp", "https://bank.example/mcp", server.url, f"{servers.origin}/{server.name}/mcpx"):
        assert "error" in moves(target), target
        assert bridge.ask("ping")["result"] == {}
    assert text_of(moves(f"{server.url}/below")) == "below"
    assert not other.visits


# ---- Batches --------------------------------------------------------------------

BATCH = [{"jsonrpc": "2.0", "id": "a", "method": "ping"}, {"jsonrpc": "2.0", "method": "notifications/x"}, {"jsonrpc": "2.0", "id": "b", "method": "ping"}]


def batch(bridge):
    bridge.write(json.dumps(BATCH).encode() + b"\n")


@pytest.mark.parametrize("way", ["JSON", "SSE"])
def test_a_batch_passes_in_the_revision_that_has_it(shared, bridges, way):
    server = shared("batches")
    answers = [{"jsonrpc": "2.0", "id": each["id"], "result": {}} for each in BATCH if "id" in each]

    def answer(visit):
        if way == "JSON":
            return visit.json(answers)
        visit.stream()
        for each in answers:
            visit.event(each)
        visit.end()

    server.plays(batch=answer)
    bridge = bridges(server)
    bridge.initialize("2025-03-26")
    batch(bridge)
    got = []
    while len(got) < 2:
        message = bridge.message()
        got += message if isinstance(message, list) else [message]
    assert sorted(got, key=lambda each: each["id"]) == answers
    assert server.came("batch")[-1].raw == json.dumps(BATCH).encode()


def test_a_batch_is_refused_in_every_other(server, bridge):
    batch(bridge)
    assert "error" in bridge.message()
    assert not server.came("batch") and bridge.ask("ping")["result"] == {}


# ---- 2026-07-28 ------------------------------------------------------------------

TOOL = {"name": "route", "inputSchema": {"type": "object", "properties": {
    "region": {"type": "string", "x-mcp-header": "Region"}, "deep": {"type": "object", "properties": {"n": {"type": "integer", "x-mcp-header": "N"}}},
    "yes": {"type": "boolean", "x-mcp-header": "Yes"}}}}
DISCOVERED = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
MODERN = {"server__discover": lambda visit: visit.result(DISCOVERED), "tools__list": lambda visit: visit.result({"tools": [TOOL]}),
          "initialize": lambda visit: visit.error(400, -32022, "only 2026-07-28", {"supported": ["2026-07-28"], "requested": "2025-11-25"})}


def test_a_call_of_an_unknown_tool_is_sent_again_with_its_headers(server, bridges):
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


def test_headers_that_never_agree_are_an_error(server, bridges):
    server.plays(**MODERN, tools__call=lambda visit: visit.error(400, -32020, "header and body differ"))
    bridge = bridges(server)
    answer = bridge.answer(bridge.modern("tools/call", {"name": "route", "arguments": {"region": "eu"}}))
    assert answer["error"]["code"] == -32020 and len(server.came("tools/call")) == 2


def test_a_cancelled_call_of_2026_is_a_stream_that_is_closed(server, bridges):
    gone = threading.Event()

    def answer(visit):
        visit.stream()
        visit.progress(1)
        if visit.until_gone():
            gone.set()

    server.plays(**MODERN, tools__call=answer)
    bridge = bridges(server)
    id = bridge.modern("tools/call", {"name": "x", "arguments": {}})
    assert bridge.message()["method"] == "notifications/progress"
    bridge.notify("notifications/cancelled", {"requestId": id})
    assert gone.wait(20)
    assert bridge.answer(bridge.modern("tools/list"))["result"]["tools"] == [TOOL]
    assert not server.came("notifications/cancelled")
    assert not [message for message in bridge.waiting if message.get("id") == id]


def test_a_broken_subscription_is_an_error_of_its_request(server, bridges):
    def answer(visit):
        visit.stream()
        visit.event({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
                     "params": {"_meta": {"io.modelcontextprotocol/subscriptionId": visit.id}, "notifications": {}}})
        visit.cut()

    server.plays(**MODERN, subscriptions__listen=answer)
    bridge = bridges(server)
    id = bridge.modern("subscriptions/listen", {"notifications": {}}, id="sub-1")
    assert "error" in bridge.answer(id) and bridge.waiting[0]["method"] == "notifications/subscriptions/acknowledged"
    assert len(server.came("subscriptions/listen")) == 1


@pytest.mark.parametrize("status, code", [(404, -32601), (400, -32021), (400, -32022), (400, -32602)])
def test_errors_of_2026_are_passed_on(shared, bridges, status, code):
    server = shared("errors of 2026")
    server.plays(**MODERN, tools__call=lambda visit: visit.error(status, code, "as it is", {"supported": ["2026-07-28"], "requested": "x"}))
    bridge = bridges(server)
    answer = bridge.answer(bridge.modern("tools/call", {"name": "x", "arguments": {}}))
    assert answer["error"] == {"code": code, "message": "as it is", "data": {"supported": ["2026-07-28"], "requested": "x"}}


def test_a_client_of_2025_is_told_that_the_server_is_newer(server, bridges):
    server.plays(**MODERN)
    bridge = bridges(server)
    answer = bridge.initialize()
    assert "2026-07-28" in json.dumps(answer["error"])
    assert len(server.came("initialize")) == 1


def test_a_client_of_2026_is_told_that_the_server_is_older(server, bridges):
    def missing(visit):
        visit.send(400, b"Bad Request: Missing session ID")

    server.plays(server__discover=missing, tools__call=missing)
    bridge = bridges(server)
    for method, params in (("server/discover", {}), ("tools/call", {"name": "x", "arguments": {}})):
        message = json.dumps(bridge.answer(bridge.modern(method, params))["error"])
        assert "2026-07-28" in message, message
    # It may begin in the other way, with the same bridge.
    assert "result" in bridge.initialize()
    server.plays()
    assert text_of(bridge.answer(bridge.call("old"))) == "old"


# ---- Last ------------------------------------------------------------------------


def test_who_waits_for_nobody_gets_the_sentence(never, daemon):
    place, bridge = never
    sentence = said(bridge.answer(1), place.name)
    assert re.search(rf"postern sign-in {place.name}\b", sentence)
    signs_in_as_told(daemon, sentence, place.name)
    assert "result" in bridge.initialize()


