"""The bridge's Unix socket, for MCP clients that speak HTTP over one: the same engine, and nothing of OAuth on it."""
import collections
import http.client
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from awkward_mcp import json_of, once, stream_of
from bridge_fixtures import daemon, gate, place, server, servers, sign_in, text_of, unused  # noqa: F401
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
def test_the_sdk_sees_the_same_over_the_socket_as_at_the_server(make_daemon, tmp_path):
    server = sdk_server("2025-11-25", features=True, resumes=True, settings={"open": False})
    service = None
    try:
        own = make_daemon(mcp(server.url), port=free_port()).start()
        sign_in(own, "work")
        service = SocketService(own, tmp_path / "mcp.sock")
        parts = ["plain", "lists", "routed", "resources", "prompts", "steps", "sampling", "elicitation", "level", "changes", "apart", "cancel"]
        token = run(own, "token", "work").stdout.strip()
        control = Recording(server, "2025-11-25", {"url": server.url, "headers": {"Authorization": f"Bearer {token}"}}, parts=parts)
        # What a client says of its own is not passed on.
        said = {"Authorization": "Bearer of the client", "Cookie": "a=b"}
        ours = Recording(server, "2025-11-25", {"url": "http://localhost/work", "socket": service.path, "headers": said}, parts=parts)
        assert ours.results == control.results and "error" not in ours.results
        assert sorted(comparable(ours.received)) == sorted(comparable(control.received))
        assert {each["headers"]["authorization"] for each in ours.requests} == {f"Bearer {token}"}
        assert not any("cookie" in each["headers"] for each in ours.requests)
    finally:
        if service:
            service.stop()
        server.stop()


@pytest.mark.parametrize("status", [None, 401, 403])
def test_what_needs_a_person_is_no_refusal_of_the_socket(service, daemon, place, status):
    """A missing sign-in, and a token that is not enough: 401 and 403 would start the client's own sign-in."""
    if status:
        place.plays(ping=lambda visit: visit.send(status, b"", ("WWW-Authenticate", 'Bearer error="insufficient_scope", scope="write"')))
        sign_in(daemon, place.name)
    # No first request of a client, which would wait for the person.
    status, fields, body = service.request("POST", f"/{place.name}", PING, Mcp_Protocol_Version="2026-07-28")
    message = json.loads(body)
    assert status == 200 and "www-authenticate" not in fields and message["id"] == 7
    assert f"postern sign-in {place.name}" in message["error"]["message"] and not -32768 <= message["error"]["code"] <= -32000


def test_the_servers_response_is_passed_on_without_its_cookies(service, server):
    server.plays(ping=lambda visit: visit.send(
        429, b"later", ("Retry-After", "7"), ("Set-Cookie", "a=b"), ("WWW-Authenticate", "Bearer"), ("Cache-Control", "no-store"), ("X-Other", "1")))
    status, fields, body = service.request("POST", f"/{server.name}", PING, Cookie="a=b", X_Own="1")
    assert (status, body, fields["retry-after"], fields["cache-control"]) == (429, b"later", "7", "no-store")
    assert not {"set-cookie", "www-authenticate"} & set(fields)
    came = server.came("ping")[-1].headers
    assert not {"cookie", "x-own"} & set(came) and came["host"] == server.servers.origin.removeprefix("http://")


def called(name, id=7):
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": {}}}


@pytest.mark.parametrize("answer", [stream_of, json_of])
def test_an_answer_that_is_cut_is_whole_or_seen_to_be_cut(service, server, answer):
    server.plays(tools__call=lambda visit: (visit.write(answer(visit.id)[:int(visit.body["params"]["name"])]), visit.cut()))
    whole = answer(1000)
    head = whole.index(b"\r\n\r\n") + 4
    for number, at in enumerate([0, 1, head - 1, head, head + 30, len(whole) - 1, len(whole)], 1000):
        try:
            status, _, body = service.request("POST", f"/{server.name}", called(str(at), number))
        except http.client.IncompleteRead:
            assert head <= at < len(whole), at
        else:
            # Nothing of the answer has passed yet, or all of it.
            assert status == 200 and (at < head and "may have been carried out" in json.loads(body)["error"]["message"]
                                      or at == len(whole) and b'"result": {"n": 1}' in body), (at, body)
    once(server)


def test_killing_or_stopping_each_process_loses_no_call_silently(make_daemon, place, gate, tmp_path):
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


def test_a_call_to_a_killed_server_is_visibly_truncated(make_daemon, tmp_path):
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
        for _ in range(2):  # the first may cross the end of a kept connection on its way
            status, _, body = service.request("POST", "/work", PING, **session)
            error = json.loads(body)["error"]["message"]
        assert status == 200 and "127.0.0.1" in error and "may have been" not in error, error
    finally:
        service.stop()
        server.stop()


def test_the_service_exits_when_idle(daemon, server, tmp_path):
    service = SocketService(daemon, tmp_path / "mcp.sock", "--idle", "1")
    try:
        assert service.request("POST", f"/{server.name}", PING)[0] == 200
        assert service.process.wait(20) == 0
    finally:
        service.stop()
