"""The bridge's Unix socket, for MCP clients that speak HTTP over one: the same engine, and nothing of OAuth on it."""
import collections
import http.client
import json
import os
import signal
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from awkward_mcp import json_of, once, stream_of
from bridge_fixtures import daemon, gate, place, server, servers, shared, sign_in, text_of, unused  # noqa: F401
from bridges import Recording, SocketService, comparable
from commands import run
from mcp_servers import AGREES, SDKS, mcp, sdk_server
from postern import free_port, wait_for

PING = {"jsonrpc": "2.0", "id": 7, "method": "ping"}
BEGIN = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
         "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}


@pytest.fixture(scope="module")
def service(daemon, tmp_path_factory):
    service = SocketService(daemon, tmp_path_factory.mktemp("mcp") / "mcp.sock", "--idle", "600")
    yield service
    service.stop()


@pytest.mark.skipif(not all(path is None or path.exists() for path in SDKS.values()), reason="the earlier SDKs are not installed")
@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_the_sdk_sees_over_the_socket_what_it_sees_at_the_server(make_daemon, tmp_path, revision):
    server = sdk_server(revision, features=True, resumes=revision == "2025-11-25", settings={"open": False})
    service = None
    try:
        own = make_daemon(mcp(server.url), port=free_port()).start()
        sign_in(own, "work")
        service = SocketService(own, tmp_path / "mcp.sock")
        parts = ["plain", "lists", "routed", "resources", "prompts", "steps", "sampling", "elicitation",
                 *(["level", "changes", "apart"] if revision == "2025-11-25" else ["listen"]), "cancel"]
        token = run(own, "token", "work").stdout.strip()
        control = Recording(server, revision, {"url": server.url, "headers": {"Authorization": f"Bearer {token}"}}, parts=parts)
        # What a client says of its own is not passed on.
        said = {"Authorization": "Bearer of the client", "Cookie": "a=b"}
        ours = Recording(server, revision, {"url": "http://localhost/work", "socket": service.path, "headers": said}, parts=parts)
        assert ours.results == control.results and "error" not in ours.results
        assert sorted(comparable(ours.received)) == sorted(comparable(control.received))
        assert {each["headers"]["authorization"] for each in ours.requests} == {f"Bearer {token}"}
        assert not any("cookie" in each["headers"] for each in ours.requests)
        # The other way of cancelling closes the stream, which the service passes on.
        wait_for(lambda: (server.state()["cancelled"], server.state()["waiting"]) == (2, 0), what="the end of both calls")
    finally:
        if service:
            service.stop()
        server.stop()


REFUSALS = [401, 403]


@pytest.fixture(scope="module", autouse=True)
def unanswered(service, daemon, servers, unused):
    """By what stands in the way: the server, and its answer to a request, which comes after a wait for a person. They wait together, from the first test on."""
    places = {reason: servers.place(next(unused)) for reason in ("no sign-in", *REFUSALS)}
    for status in REFUSALS:
        places[status].plays(ping=lambda visit, status=status: visit.send(
            status, b"", ("WWW-Authenticate", 'Bearer error="insufficient_scope", scope="write"')))
        sign_in(daemon, places[status].name)
    with ThreadPoolExecutor() as pool:
        yield {reason: (place, pool.submit(service.request, "POST", f"/{place.name}", PING)) for reason, place in places.items()}


def is_our_own(answer, name):
    """401 and 403 would start the client's own sign-in."""
    status, fields, body = answer
    message = json.loads(body)
    assert status == 200 and "www-authenticate" not in fields and message["id"] == 7
    assert f"postern sign-in {name}" in message["error"]["message"] and not -32768 <= message["error"]["code"] <= -32000


def test_a_sign_in_that_is_missing_is_no_401(service, daemon, unanswered):
    place, answer = unanswered["no sign-in"]
    is_our_own(answer.result(), place.name)
    sign_in(daemon, place.name)
    status, _, body = service.request("POST", f"/{place.name}", PING)
    assert (status, json.loads(body)) == (200, {"jsonrpc": "2.0", "id": 7, "result": {}})


@pytest.mark.parametrize("status", REFUSALS)
def test_a_refusal_of_the_server_is_none_of_the_socket(unanswered, status):
    place, answer = unanswered[status]
    is_our_own(answer.result(), place.name)


@pytest.mark.parametrize("path", ["/", "/nobody", "/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/{}",
                                  "/.well-known/oauth-authorization-server/{}", "/.well-known/openid-configuration", "/{}/../{}", "/{}/more", "//{}"])
def test_nothing_else_is_on_it(service, shared, path):
    server = shared("paths")
    before = len(server.visits)
    status, fields, _ = service.request("GET", path.replace("{}", server.name))
    assert status in (400, 404) and "www-authenticate" not in fields and len(server.visits) == before


def test_the_answer_of_the_server_passes_as_it_is(service, shared):
    server = shared("answers")
    server.plays(ping=lambda visit: visit.send(
        429, b"later", ("Retry-After", "7"), ("Set-Cookie", "a=b"), ("WWW-Authenticate", "Bearer"), ("Cache-Control", "no-store"), ("X-Other", "1")))
    status, fields, body = service.request("POST", f"/{server.name}", PING, Cookie="a=b", X_Own="1")
    assert (status, body, fields["retry-after"], fields["cache-control"]) == (429, b"later", "7", "no-store")
    assert not {"set-cookie", "www-authenticate"} & set(fields)
    came = server.came("ping")[-1].headers
    assert not {"cookie", "x-own"} & set(came) and came["host"] == server.servers.origin.removeprefix("http://")


def test_a_page_of_a_browser_gets_nothing(service, shared):
    server = shared("answers")
    before = len(server.visits)
    status, _, body = service.request("POST", f"/{server.name}", PING, Origin="https://elsewhere.example")
    assert 400 <= status < 500 and b"jsonrpc" not in body and len(server.visits) == before


def test_a_session_is_the_clients_own(service, shared):
    """It is passed both ways, and its loss is an answer: the client begins anew."""
    server = shared("sessions")
    server.plays()
    status, fields, _ = service.request("POST", f"/{server.name}", BEGIN)
    assert (status, fields["mcp-session-id"]) == (200, server.sessions[-1])
    assert service.request("POST", f"/{server.name}", PING, Mcp_Session_Id=server.sessions[-1])[0] == 200
    server.gone.add(server.sessions[-1])
    assert service.request("POST", f"/{server.name}", PING, Mcp_Session_Id=server.sessions[-1])[0] == 404
    assert service.request("DELETE", f"/{server.name}", Mcp_Session_Id="x")[0] == 204 and server.came("DELETE")


def called(name, id=7):
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": {}}}


@pytest.mark.parametrize("answer", [stream_of, json_of])
def test_an_answer_cut_at_every_byte_is_whole_or_seen_to_be_cut(service, shared, answer):
    server = shared(f"cut {answer.__name__}")
    server.plays(tools__call=lambda visit: (visit.write(answer(visit.id)[:int(visit.body["params"]["name"])]), visit.cut()))
    length = len(answer(1000))

    def ask(at):
        try:
            return service.request("POST", f"/{server.name}", called(str(at), 1000 + at))
        except http.client.HTTPException as error:
            return error

    with ThreadPoolExecutor(16) as pool:
        got = list(pool.map(ask, range(length + 1)))
    head = answer(1000).index(b"\r\n\r\n") + 4
    for at, each in enumerate(got):
        if at < head:
            # Nothing of the answer has passed yet.
            assert each[0] == 200 and "may have been carried out" in json.loads(each[2])["error"]["message"], (at, each)
        elif at < length:
            assert isinstance(each, http.client.IncompleteRead), (at, each)
        else:
            assert each[0] == 200 and b'"result": {"n": 1}' in each[2]
    once(server)


def test_each_is_killed_or_stopped_in_turn_and_no_call_is_lost_without_an_error(make_daemon, place, gate, tmp_path):
    own = make_daemon(mcp(place.url, place.name), browser=AGREES, port=free_port()).start()
    sign_in(own, place.name)
    service = SocketService(own, tmp_path / "mcp.sock")

    def ask(name):
        return service.request("POST", f"/{place.name}", called(name))

    def result(answer):
        status, _, body = answer
        return status == 200 and text_of(json.loads(body))

    def begun(name):
        call = pool.submit(ask, name)
        wait_for(lambda: any(visit.body["params"]["name"] == name for visit in place.came("tools/call")), what=name)
        return call

    place.plays(tools__call=lambda visit: (
        gate.wait(60) if visit.body["params"]["name"].startswith("held") else None, visit.text(visit.body["params"]["name"])))
    with ThreadPoolExecutor() as pool:
        try:
            assert result(ask("before")) == "before"
            own.kill()
            status, _, body = ask("without")
            assert status == 200 and "error" in json.loads(body)
            own.start()
            assert result(ask("after")) == "after"
            held = begun("held by the daemon")
            own.kill()
            own.start()
            stopped = begun("held by a stop")
            service.process.send_signal(signal.SIGSTOP)
            gate.set()
            service.process.send_signal(signal.SIGCONT)
            assert [result(each.result(60)) for each in (held, stopped)] == ["held by the daemon", "held by a stop"]
            gate.clear()
            lost = begun("held by the bridge")
            service.process.kill()
            assert isinstance(lost.exception(60), (http.client.HTTPException, ConnectionError))
            service.stop()
            os.unlink(service.path)
            service = SocketService(own, tmp_path / "mcp.sock")
            assert result(ask("anew")) == "anew"
        finally:
            gate.set()
            service.stop()
    names = collections.Counter(visit.body["params"]["name"] for visit in place.came("tools/call"))
    assert set(names.values()) == {1} and "without" not in names, names


def test_a_call_of_a_server_that_is_killed_is_seen_to_be_cut(make_daemon, tmp_path):
    server = sdk_server("2025-11-25", features=True, settings={"open": False})
    own = make_daemon(mcp(server.url), port=free_port()).start()
    sign_in(own, "work")
    service = SocketService(own, tmp_path / "mcp.sock")
    try:
        _, fields, _ = service.request("POST", "/work", BEGIN)
        session = {"Mcp_Session_Id": fields["mcp-session-id"], "Mcp_Protocol_Version": "2025-11-25"}
        service.request("POST", "/work", {"jsonrpc": "2.0", "method": "notifications/initialized"}, **session)
        with ThreadPoolExecutor() as pool:
            call = pool.submit(service.request, "POST", "/work", called("wait"), **session)
            wait_for(lambda: server.state()["waiting"] == 1, what="the call at the server")
            server.process.kill()
            assert isinstance(call.exception(60), (http.client.HTTPException, ConnectionError))
        status, _, body = service.request("POST", "/work", PING, **session)
        error = json.loads(body)["error"]["message"]
        assert status == 200 and "127.0.0.1" in error and "may have been" not in error, error
    finally:
        service.stop()
        server.stop()


def test_the_socket_is_the_users_alone(service):
    assert stat.S_IMODE(os.stat(service.path).st_mode) & 0o077 == 0


def test_it_ends_when_nobody_uses_it(daemon, shared, tmp_path):
    server = shared("idle")
    service = SocketService(daemon, tmp_path / "mcp.sock", "--idle", "1")
    try:
        assert service.request("POST", f"/{server.name}", PING)[0] == 200
        assert service.process.wait(20) == 0
    finally:
        service.stop()
