"""The Python package against the built daemon, blocking and with asyncio; and against answers that the daemon never gives."""
import ast
import asyncio
import contextlib
import fractions
import json
import os
import pickle
import re
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import threading
import zipfile

import pytest
from commands import START
from device_server import TOKEN, DeviceServer
from other_user import AS_NOBODY, NOBODY, foreign_server, needs_root, open_to_others  # noqa: F401
from person import answer, browser, consent
from postern import ROOT, free_port, oidc, wait_for
from python_package import FOLDER, SOURCES, Asyncio, Blocking, Script, build, install, load, message, package
from signing_in import SignIn, browser_command, sign_in

places, wire = sys.modules["postern_package._places"], sys.modules["postern_package._wire"]
generate = load(FOLDER / "generate.py", "generate_python")
DESCRIPTION = (ROOT / "Sources" / "PosternInterface" / "io.postern.varlink").read_text()
DEFINITIONS = generate.Reader(DESCRIPTION).definitions()
ERRORS = [each for each in DEFINITIONS if each.kind == "error"]
both = pytest.mark.parametrize("client", [Blocking, Asyncio], ids=["blocking", "asyncio"])


# ---- Signing in ---------------------------------------------------------------


@both
def test_a_user_signs_in_and_the_program_gets_the_token(make_daemon, demo_provider, client):
    # One page a provider is opened within five seconds.
    people = {"demo": "ada", "work": "ada", "other": "grace"}
    config = "".join(oidc(demo_provider, name) + f"browser = {browser_command(person)}\n" for name, person in people.items())
    daemon = make_daemon(config).start()
    result = client.call(daemon.path, "sign_in", "demo", options={"app": "mine"})
    assert isinstance(result, package.AuthResult) and result.operation == "signIn"
    assert (result.user.display_name, result.user.email, result.user.is_anonymous) == ("Ada Lovelace", "ada@example.com", False)
    assert result.additional_user_info.profile["name"] == "Ada Lovelace" and result.user.provider_data[0].provider_id == "demo"
    assert client.call(daemon.path, "get_current_user", options={"app": "mine"}) == result.user
    assert client.call(daemon.path, "get_current_user") is None
    token = client.call(daemon.path, "get_access_token", "demo", minimum_validity_seconds=300)
    assert token.access_token == daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
    assert token.access_token not in repr(token) and result.credential.id_token not in repr(result)
    linked = client.call(daemon.path, "link", "work", options={"app": "mine"})
    assert (linked.operation, [data.provider_id for data in linked.user.provider_data]) == ("link", ["demo", "work"])
    handle = client.call(daemon.path, "credential", "other").handle
    given = client.call(daemon.path, "sign_in_with_credential", package.CredentialInput(handle=handle), options={"app": "other"})
    assert given.user.display_name == "Grace Hopper" and handle not in repr(given)
    client.call(daemon.path, "sign_out", options={"app": "mine"})
    assert client.call(daemon.path, "get_current_user", options={"app": "mine"}) is None


@both
def test_a_program_shows_the_page_itself(demo, client):
    def seen(event):
        if event.authorization_url:
            assert consent(event.authorization_url).status_code == 200

    events, error = client.stream(demo.path, "sign_in_events", "demo", presentation="client", seen=seen)
    assert error is None and [event.state for event in events] == ["authorizationPending", "exchanging", "completed"]
    assert events[-1].result.user.display_name == "Ada Lovelace"


@both
def test_a_caller_waiting_for_the_result_can_receive_each_event(demo, client):
    # The configuration opens no browser: the address must be shown.
    events = []

    def heard(event):
        # The page is told once more where no browser shows it.
        if event.state in events:
            return
        events.append(event.state)
        if event.state == "authorizationPending":
            assert consent(event.authorization_url).status_code == 200

    assert client.call(demo.path, "sign_in", "demo", on_event=heard).user.display_name == "Ada Lovelace"
    assert events == ["authorizationPending", "exchanging", "completed"]


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_page_that_no_browser_shows_is_printed_to_standard_error(demo, asynchronous):
    """As the five lines of the documentation are written, which listen to no event."""
    call = "asyncio.run(postern.AsyncClient().sign_in('demo'))" if asynchronous else "postern.Client().sign_in('demo')"
    script = f"import asyncio, postern; print(({call}).user.display_name)"
    environment = {**os.environ, "POSTERN_SOCKET": str(demo.path), "PYTHONPATH": str(SOURCES)}
    with subprocess.Popen(
        [sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        line = process.stderr.readline()
        assert line.startswith('no browser shows the page (browser is "none"); open this page to sign in: http'), line
        assert process.stderr.readline().startswith("with a browser on another machine: postern attach ")
        assert consent(line.split()[-1]).status_code == 200
        assert process.communicate(timeout=60) == ("Ada Lovelace\n", "")


@both
def test_an_endless_stream_is_closed_at_the_end_of_its_block(demo, client):
    def blocking():
        with package.Client(socket_path=str(demo.path)).monitor() as events:
            sign_in(demo)
            return next(events)

    async def asynchronous():
        async with package.AsyncClient(socket_path=str(demo.path)).monitor() as events:
            await asyncio.get_running_loop().run_in_executor(None, sign_in, demo)
            return await events.__anext__()

    event = blocking() if client is Blocking else asyncio.run(asynchronous())
    assert isinstance(event, package.MonitorReply) and event.provider_id == "demo" and event.message


@both
def test_more_calls_than_the_daemon_has_connections_all_succeed(demo, client):
    """The daemon has 256."""
    count = 400
    if client is Blocking:
        found = []
        shared = package.Client(socket_path=str(demo.path))
        together = threading.Barrier(count)

        def call():
            together.wait(60)
            found.append(shared.list_providers())

        threads = [threading.Thread(target=call) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    else:
        async def many():
            shared = package.AsyncClient(socket_path=str(demo.path))
            return await asyncio.gather(*(shared.list_providers() for _ in range(count)))

        found = asyncio.run(many())
    assert len(found) == count and all("demo" in [provider.provider_id for provider in providers] for providers in found)


@both
def test_each_method_passes_its_intent_and_app(client):
    with Script(message(error="io.postern.SignInCancelled", parameters={"code": 17058, "message": "cancelled", "sessionID": "s"})) as server:
        for method in ("sign_in", "link", "reauthenticate", "credential"):
            with pytest.raises(package.SignInCancelled):
                client.call(server.path, method, "demo", options={"app": "mine"}, scopes=["a"], login_hint="ada@example.com", timeout_seconds=5)
    asked = {"providerID": "demo", "app": "mine", "scopes": ["a"], "loginHint": "ada@example.com", "timeoutSeconds": 5}
    assert server.calls == [{"method": "io.postern.SignIn", "parameters": {**asked, "intent": intent}, "more": True}
                            for intent in ("signIn", "link", "reauthenticate", "credential")]


@both
def test_access_token_of_returns_the_token_of_the_results_account(make_daemon, demo_provider, client):
    daemon = make_daemon(oidc(demo_provider) + f"browser = {browser_command('ada')}\n").start()
    sign_in(daemon, "grace")
    result = client.call(daemon.path, "sign_in", "demo")
    with pytest.raises(package.AmbiguousAccount) as caught:
        client.call(daemon.path, "get_access_token", "demo")
    assert sorted(caught.value.uids) == ["demo-1815", "demo-1906"]
    assert client.call(daemon.path, "access_token_of", result, minimum_validity_seconds=60).uid == "demo-1815"
    with pytest.raises(ValueError, match="only a provider"):
        client.call(daemon.path, "access_token_of", client.call(daemon.path, "sign_in_anonymously"))


@both
def test_a_code_for_another_device_is_shown(make_daemon, capfd, client):
    provider = DeviceServer()
    provider.usual = (200, TOKEN)
    try:
        daemon = make_daemon(provider.configuration("demo", flow="device")).start_fast(10)
        assert client.call(daemon.path, "sign_in", "demo").user.display_name == "Octo"
    finally:
        provider.close()
    assert capfd.readouterr().err.splitlines()[-1] == f"open {provider.origin}/device on any device and type this code there to sign in: WDJB-MJHT"


# ---- A daemon that goes, and one that is not there --------------------------------


@both
def test_without_a_daemon_the_error_names_the_socket(make_daemon, tmp_path, client):
    with pytest.raises(package.DaemonUnreachable, match=f"No such file or directory.*{re.escape(START)}") as caught:
        client.call(tmp_path / "none", "get_status")
    assert caught.value.path == str(tmp_path / "none")
    items, error = client.stream(tmp_path / "none", "monitor")
    assert items == [] and isinstance(error, package.DaemonUnreachable)
    with pytest.raises(package.DaemonUnreachable, match="No such file or directory"):
        client.call(tmp_path / "none", "sign_in", "demo")
    daemon = make_daemon().start()
    daemon.kill()
    with pytest.raises(package.DaemonUnreachable, match="Connection refused"):
        client.call(daemon.path, "get_status")
    with pytest.raises(package.DaemonUnreachable, match="too long"):
        client.call("/" + "x" * 200, "get_status")


@both
def test_a_lost_connection_ends_a_stream_with_an_error(demo, client):
    events, error = client.stream(demo.path, "sign_in_events", "demo", presentation="client", seen=lambda event: demo.kill())
    assert [event.state for event in events] == ["authorizationPending"] and isinstance(error, package.ConnectionLost)
    assert "went away" in str(error)


@both
def test_a_sign_in_continues_after_the_daemon_restarts(make_daemon, demo_provider, tmp_path, client):
    page = tmp_path / "page"
    shown = json.dumps([sys.executable, "-c", "import os, sys; open(sys.argv[1] + '.new', 'w').write(sys.argv[2]); os.rename(sys.argv[1] + '.new', sys.argv[1])",
                        str(page)])
    daemon = make_daemon(oidc(demo_provider) + f"browser = {shown}\n", port=free_port()).start()
    results = []
    waiting = threading.Thread(target=lambda: results.append(client.call(daemon.path, "sign_in", "demo")))
    waiting.start()
    wait_for(page.exists, what="the page")
    callback = answer(page.read_text())
    daemon.kill()
    daemon.start()
    assert browser().get(callback).status_code == 200
    waiting.join(30)
    assert results[0].user.display_name == "Ada Lovelace"


def test_the_wait_for_a_stopped_daemon_is_short():
    wait = load(SOURCES / "postern" / "_sign_in.py", "postern_package._sign_in").Wait()
    error = package.ConnectionLost("it closed the connection")
    with pytest.raises(package.ConnectionLost):
        wait.pause(error, 0)
    event = package.SignInEvent(session_id="s", state="authorizationPending", expires_at="2030-01-01T00:00:00Z")
    wait.heard(event)
    assert [wait.pause(error, now) for now in (100, 107.5, 115)] == [0.05] * 3
    wait.heard(event)
    assert wait.pause(error, 200) == 0.05 and wait.session_id == "s"
    with pytest.raises(package.ConnectionLost):
        wait.pause(error, 216)
    with pytest.raises(package.MalformedReply):
        wait.completed()


@both
def test_a_restarted_daemon_answers_the_same_client(make_daemon, demo_provider, client):
    daemon = make_daemon(oidc(demo_provider)).start()
    shared = package.Client(socket_path=str(daemon.path)) if client is Blocking else package.AsyncClient(socket_path=str(daemon.path))

    async def status():
        found = shared.get_status()
        return await found if client is Asyncio else found

    assert asyncio.run(status()).users == 0
    daemon.stop()
    daemon.start()
    assert asyncio.run(status()).users == 0


@needs_root
@pytest.mark.parametrize("mode", [0o700, 0o755], ids=["closed directory", "open directory"])
def test_an_inaccessible_socket_is_reported_with_its_owner(make_daemon, mode):
    daemon = make_daemon().start()
    daemon.path.parent.chmod(mode)
    open_to_others(daemon.path.parent)
    script = "import sys; sys.path[:0] = [sys.argv[1]]\nimport postern\n" \
        "try: postern.Client(socket_path=sys.argv[2]).get_status()\n" \
        "except postern.PosternError as error: print(type(error).__name__, error)"
    # The user may not be allowed to read the checkout.
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        shutil.copytree(SOURCES / "postern", f"{folder}/postern", ignore=shutil.ignore_patterns("__pycache__"))
        said = subprocess.run(
            [*AS_NOBODY, "/usr/bin/python3", "-c", script, folder, str(daemon.path)], capture_output=True, text=True, timeout=60)
    assert said.stdout == f"ForeignDaemon {daemon.path} belongs to user 0 and not to this one ({NOBODY}); nothing was sent\n", said


@needs_root
@both
def test_another_users_daemon_is_sent_nothing(foreign_server, client):  # noqa: F811
    daemon, told = foreign_server
    with pytest.raises(package.ForeignDaemon, match="belongs to user 65534"):
        client.call(daemon.path, "unlock", passphrase="correct horse battery staple")
    wait_for(lambda: b"gone" in told.read_bytes(), what="the end of the connection")
    assert b"horse" not in told.read_bytes()
    assert client.call(daemon.path, "get_current_user", options={"servers": [65534]}) is None


# ---- Giving up ------------------------------------------------------------------


EVENT = {"sessionID": "s", "state": "authorizationPending", "expiresAt": "2030-01-01T00:00:00Z"}
PENDING = message(parameters={"event": EVENT}, continues=True)


@pytest.mark.parametrize("method", ["sign_in", "get_access_token"])
def test_cancelling_a_task_closes_the_connection(method):
    async def run(server):
        task = asyncio.ensure_future(getattr(package.AsyncClient(socket_path=str(server.path)), method)("demo"))
        while not server.calls:
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with Script(*([PENDING] if method == "sign_in" else []), stays=True) as server:
        asyncio.run(run(server))
        assert server.gone.wait(10)


def test_leaving_the_event_loop_closes_the_connection():
    async def run(server):
        async with package.AsyncClient(socket_path=str(server.path)).sign_in_events("demo") as events:
            async for event in events:
                return event

    with Script(PENDING, stays=True) as server:
        assert asyncio.run(run(server)).session_id == "s"
        assert server.gone.wait(10)


def test_another_thread_can_end_the_wait():
    with Script(PENDING, stays=True) as server:
        events = package.Client(socket_path=str(server.path)).sign_in_events("demo")
        assert next(events).session_id == "s"
        rest = []
        reading = threading.Thread(target=lambda: rest.append(list(events)))
        reading.start()
        events.close()
        reading.join(10)
        assert rest == [[]] and server.gone.wait(10)


def test_ctrl_c_closes_the_connection():
    with Script(PENDING, stays=True) as server:
        code = "import postern\ntry: postern.Client().sign_in('demo')\nexcept KeyboardInterrupt: print('closed'); input()"
        environment = {**os.environ, "PYTHONPATH": str(SOURCES), "POSTERN_SOCKET": str(server.path)}
        with subprocess.Popen([sys.executable, "-c", code], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            wait_for(lambda: server.calls, what="the call")
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == b"closed\n" and server.gone.wait(10)
            process.communicate(b"\n", timeout=30)


@both
def test_a_call_without_a_free_connection_waits_until_its_timeout(client):
    """And one that gave up keeps none."""
    taken = [places.Place() for _ in range(places.LIMIT)]
    with Script(message(parameters={})) as server:
        try:
            with pytest.raises(package.TimedOut, match="0.2 s"):
                client.call(server.path, "get_status", options={"timeout": 0.2})
            assert server.calls == []
            taken.pop().close()
            assert client.call(server.path, "cancel_session", "s") is None
            taken.append(places.Place())
            assert taken[-1].future.done()
        finally:
            for place in taken:
                place.close()
    assert [call["method"] for call in server.calls] == ["io.postern.CancelSession"]


def test_the_longest_waiting_call_is_served_first():
    taken = [places.Place() for _ in range(places.LIMIT)]
    first, second, third = (places.Place() for _ in range(3))
    first.close()
    taken.pop().close()
    assert [place.future.done() for place in (second, third)] == [True, False]
    second.close()
    assert third.future.done()
    for place in [third, *taken]:
        place.close()
    assert all(place.future.done() for place in [places.Place() for _ in range(places.LIMIT)])
    places.PLACES.reset()


def test_a_child_process_has_all_connections_available():
    """Its parent's calls are not its own."""
    script = "import os, postern\nfrom postern._places import LIMIT, Place\ntaken = [Place() for _ in range(LIMIT)]\n" \
        "if os.fork() == 0: print(Place().future.done(), flush=True)\nelse: os.wait(); print(Place().future.done())"
    done = subprocess.run([sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(SOURCES)}, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("True\nFalse\n", "")


def test_an_invalid_timeout_is_refused_at_once():
    for timeout in (0, 0.0, -1, float("nan"), float("-inf"), -10**5000, "5", True, [], b"1", 1j):
        for kind in (package.Client, package.AsyncClient):
            with pytest.raises(package.PosternError, match="^timeout must be a number of seconds greater than 0, or None for no limit; it is "):
                kind(timeout=timeout)
            client = kind()
            with pytest.raises(ValueError, match="timeout"):
                client.timeout = timeout
            assert client.timeout == 120


@both
def test_a_timeout_may_be_long_or_absent(client):
    with Script(message(parameters={})) as server:
        for timeout in (None, float("inf"), 1e300, 10**5000, 1e10, 60, fractions.Fraction(61, 2)):
            assert client.call(server.path, "cancel_session", "s", options={"timeout": timeout}) is None


@both
def test_an_argument_that_json_cannot_express_is_refused_at_once(client):
    with Script() as server:
        for value in (float("nan"), b"1", {1}, object(), {(1,): 1}):
            for method, arguments in (("cancel_session", [value]), ("sign_in", [value])):
                with pytest.raises(package.InvalidArgument, match="cannot be sent as JSON"):
                    client.call(server.path, method, *arguments)
    assert server.calls == []


def test_running_out_of_file_descriptors_is_reported():
    script = "import asyncio, postern, resource\n" \
        "client, other = postern.Client(socket_path='/nowhere'), postern.AsyncClient(socket_path='/nowhere')\n" \
        "loop = asyncio.new_event_loop()\nresource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))\n" \
        "for call in (client.get_status, lambda: loop.run_until_complete(other.get_status())):\n" \
        "    try: call()\n    except postern.DaemonUnreachable as error: print(error.reason)"
    done = subprocess.run([sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(SOURCES)}, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("Too many open files\n" * 2, "")


@both
@pytest.mark.parametrize("error", [package.ConnectionLost("of on_event"), package.DaemonUnreachable("/nowhere", "of on_event"), KeyError("of on_event")],
                         ids=lambda error: type(error).__name__)
def test_an_error_in_on_event_ends_the_call(client, error):
    heard = []

    def fail(event):
        heard.append(event)
        if len(heard) > 3:
            raise SystemError("called again")
        raise error

    with Script(PENDING, stays=True) as server:
        with pytest.raises(type(error), match="of on_event"):
            client.call(server.path, "sign_in", "demo", on_event=fail)
        assert server.gone.wait(10)
    assert len(heard) == 1 and len(server.calls) == 1


def test_a_reply_that_arrives_byte_by_byte_does_not_extend_the_timeout():
    with Script(stays=True) as server:
        def drip(connection):
            with contextlib.suppress(OSError):
                while not server.gone.is_set():
                    connection.sendall(b" ")

        server.answer = drip
        with pytest.raises(package.TimedOut, match="0.1 s"):
            package.Client(socket_path=server.path, timeout=0.1).get_status()
        server.gone.set()


@both
@pytest.mark.parametrize("parts", [[], [b'{"parameters": {}']], ids=["silent", "half an answer"])
def test_the_wait_for_a_reply_times_out(client, parts):
    with Script(*parts, stays=True) as server:
        with pytest.raises(package.TimedOut, match="0.3 s"):
            client.call(server.path, "get_status", options={"timeout": 0.3})
        assert server.gone.wait(10)


@both
def test_a_connection_to_a_full_queue_waits_until_the_timeout(tmp_path, client):
    path = tmp_path / "full"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen(0)
        waiting = []
        while True:
            waiting.append(socket.socket(socket.AF_UNIX))
            waiting[-1].setblocking(False)
            try:
                waiting[-1].connect(str(path))
            except BlockingIOError:
                break
        with pytest.raises((package.DaemonUnreachable, package.TimedOut), match="0.3 s"):
            client.call(path, "get_status", options={"timeout": 0.3})
        for each in waiting:
            each.close()


# ---- What the daemon answers -------------------------------------------------------


def sample(kind):
    """A value of a type of the description."""
    if kind.kind in ("optional", "array", "map"):
        element = sample(kind.element)
        return {"optional": element, "array": [element], "map": {"key": element}}[kind.kind]
    if kind.kind == "enum":
        return kind.words[0]
    if kind.kind in ("string", "int", "bool", "object"):
        return {"string": "text", "int": 7, "bool": True, "object": {"a": 1}}[kind.kind]
    named = next(each for each in DEFINITIONS if each.kind == "type" and each.name == kind.kind)
    return named.words[0] if named.words else {member.name: sample(member.type) for member in named.members}


def test_every_error_has_its_class():
    for error in ERRORS:
        parameters = {member.name: sample(member.type) for member in error.members} | {"code": 17000, "message": "what went wrong"}
        with pytest.raises(package.ReplyError, match="what went wrong") as caught:
            wire.decode(json.dumps({"error": f"io.postern.{error.name}", "parameters": parameters}).encode())
        found = caught.value
        assert type(found) is getattr(package, error.name) and (found.code, found.message) == (17000, "what went wrong")
        for member in error.members:
            value = getattr(found, generate.snake(member.name))
            assert type(value).__module__.startswith("postern_package") or isinstance(value, list) or value == parameters[member.name]
        assert found.parameters == parameters and repr(found) == f"{error.name}('what went wrong')"
        again = pickle.loads(pickle.dumps(found))
        assert type(again) is type(found) and again.parameters == found.parameters


@both
def test_the_daemons_own_errors_are_classes(demo, client):
    with pytest.raises(package.ProviderNotFound, match="nope") as caught:
        client.call(demo.path, "sign_in", "nope")
    assert caught.value.provider_id == "nope" and caught.value.code == 17071
    with pytest.raises(package.SignInRequired) as caught:
        client.call(demo.path, "get_access_token", "demo")
    assert caught.value.provider_id == "demo" and caught.value.reason
    with pytest.raises(package.NoCurrentUser) as caught:
        client.call(demo.path, "delete_user", options={"app": "mine"})
    assert caught.value.app == "mine"
    with pytest.raises(package.ReservedParameter) as caught:
        client.call(demo.path, "sign_in", "demo", custom_parameters={"state": "mine"})
    assert caught.value.name == "state"
    with pytest.raises(package.InvalidParameter, match="timeoutSeconds"):
        client.call(demo.path, "sign_in", "demo", timeout_seconds=0)
    items, error = client.stream(demo.path, "attach_session", "none")
    assert items == [] and isinstance(error, package.SessionNotFound)
    pending = SignIn(demo)
    client.call(demo.path, "cancel_session", pending.id)
    pending = SignIn(demo)
    consent(pending.url, None)
    items, error = client.stream(demo.path, "attach_session", pending.id)
    assert items == [] and isinstance(error, (package.SignInDenied, package.SessionNotFound))


def test_errors_of_varlink_itself_have_a_sentence():
    for name, parameters, text in [
            ("MethodNotFound", {"method": "io.postern.X"}, "io.postern.X"), ("MethodNotImplemented", {"method": "io.postern.X"}, "io.postern.X yet"),
            ("InterfaceNotFound", {"interface": "io.x"}, "io.x"), ("InvalidParameter", {"parameter": "uid"}, "take uid"), ("PermissionDenied", {}, "this user"),
            ("PermissionDenied", {"message": "too many calls are under way"}, "^too many calls"),
            ("ExpectedMore", {}, "more than once")]:
        with pytest.raises(package.ServiceError, match=text) as caught:
            wire.decode(json.dumps({"error": f"org.varlink.service.{name}", "parameters": parameters}).encode())
        assert type(caught.value) is getattr(package, name)
    with pytest.raises(package.ReplyError, match="com.example.Other") as caught:
        wire.decode(b'{"error": "com.example.Other"}')
    assert type(caught.value) is package.ReplyError and pickle.loads(pickle.dumps(caught.value)).error_name == "com.example.Other"


@both
def test_replies_may_arrive_in_pieces_of_any_size(client):
    events = [message(parameters={"event": {**EVENT, "sessionID": name}}, continues=name != "ü\0") for name in ("a", "b", "ü\0")]
    whole = b"".join(events)
    for name, parts in {"at once": [whole], "by bytes": [whole[i:i + 1] for i in range(len(whole))], "across": [whole[:-20], whole[-20:]]}.items():
        with Script(*parts) as server:
            found, error = client.stream(server.path, "attach_session", "s\0")
        assert error is None and [event.session_id for event in found] == ["a", "b", "ü\0"]
        assert server.calls == [{"method": "io.postern.AttachSession", "parameters": {"sessionID": "s\0"}, "more": True}]


@both
def test_a_large_reply_is_read_but_an_endless_one_is_refused(client):
    with Script(message(parameters={"providerIDs": ["x" * 50] * 100_000})) as server:
        assert len(client.call(server.path, "fetch_providers", "ada@example.com")) == 100_000
    with Script(*[b"x" * 1_000_000] * 20, stays=True) as server:
        with pytest.raises(package.MalformedReply, match="longer than 16777216 bytes"):
            client.call(server.path, "get_status")


@both
def test_a_malformed_reply_is_reported(client):
    for reply in (
            b"no\0", b"\xff\0", b"[]\0", b'{"parameters":[]}\0', b'{"error":1}\0', b"[" * 100_000 + b"\0", b'{"parameters":{}}\0', b"\0",
            b'{"parameters":{"providers":{}}}\0', b'{"parameters":{"providers":[1]}}\0', b'{"parameters":{"providers":[{"providerID":7}]}}\0'):
        with Script(reply, stays=True) as server:
            with pytest.raises(package.MalformedReply):
                client.call(server.path, "list_providers")
            assert server.gone.wait(10)


@both
def test_an_unknown_enum_value_is_an_error_but_a_new_member_is_not(client):
    with Script(message(parameters={"event": {**EVENT, "state": "resting"}}, continues=True)) as server:
        items, error = client.stream(server.path, "attach_session", "s")
    assert items == [] and isinstance(error, package.MalformedReply) and "same version" in str(error)
    with Script(message(parameters={"event": {**EVENT, "new": 1, "result": None}})) as server:
        assert client.stream(server.path, "attach_session", "s")[0][0].result is None


@both
def test_a_call_too_large_for_the_daemon_ends_with_an_error(demo, client):
    with pytest.raises((package.ReplyError, package.ConnectionLost)):
        client.call(demo.path, "fetch_providers", "x" * 10_000_000)
    assert client.call(demo.path, "get_status").users == 0


# ---- Where the daemon is -------------------------------------------------------------


def test_the_socket_path_is_the_same_as_the_commands(monkeypatch):
    usual = f"/run/user/{os.getuid()}/postern/io.postern"
    for environment, path in [
            ({"POSTERN_SOCKET": "/a/b", "XDG_RUNTIME_DIR": "/c"}, "/a/b"), ({"POSTERN_SOCKET": "", "XDG_RUNTIME_DIR": "/c"}, "/c/postern/io.postern"),
            ({}, usual), ({"XDG_RUNTIME_DIR": ""}, usual), ({"XDG_RUNTIME_DIR": "relative"}, usual)]:
        assert wire.socket_path(environment) == path
    monkeypatch.setenv("POSTERN_SOCKET", "/a/b")
    assert package.Client().socket_path == "/a/b" == package.AsyncClient().socket_path


# ---- The package -----------------------------------------------------------------


@pytest.mark.parametrize("name", ["_interface.py", "_methods.py"])
def test_the_generated_files_in_the_tree_are_current(name):
    assert generate.files(DESCRIPTION)[name] == (SOURCES / "postern" / name).read_text(), "run packaging/python/generate.py"


def test_every_method_type_and_error_is_exported():
    for each in DEFINITIONS:
        if each.kind == "method":
            name = generate.NAMES.get(each.name, generate.snake(each.name))
            assert hasattr(package.Client, name) and hasattr(package.AsyncClient, name)
        else:
            assert hasattr(package, each.name)


def test_secrets_are_not_shown():
    for each in DEFINITIONS:
        if each.kind == "type" and not each.words:
            value = getattr(package, each.name)._read(sample(generate.Type(each.name)), "")
            shown = re.findall(r"(\w+)=", repr(value))
            assert [generate.snake(member.name) for member in each.members if member.secret and generate.snake(member.name) in shown] == []


@pytest.mark.parametrize("text, reason", [
    ("# Secret: nope.\nmethod A() -> ()", "nope"), ("type A (b: (c: string))", "structure without a name"), ("thing A ()", "thing"), ("type A (b: !)", "cannot read")])
def test_a_mistake_in_the_interface_description_stops_the_generator(text, reason):
    with pytest.raises(generate.Mistake, match=reason):
        generate.Reader(f"interface a.b\n{text}\n").definitions()


def test_names_follow_python_conventions():
    names = {"providerIDs": "provider_ids", "GetIDToken": "get_id_token", "callbackURLs": "callback_urls", "photoURL": "photo_url",
             "verificationURIComplete": "verification_uri_complete", "uid": "uid", "from": "from_", "isAnonymous": "is_anonymous"}
    assert {name: generate.snake(name) for name in names} == names


@pytest.mark.release
def test_type_checker_and_linter_find_nothing(tmp_path):
    for command in (["mypy", "--strict", "--cache-dir", str(tmp_path), "src", "generate.py"], ["ruff", "check", "--no-cache", "."]):
        done = subprocess.run([sys.executable, "-m", *command], cwd=FOLDER, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.release
def test_a_program_is_checked_against_the_types(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import postern\nclient = postern.Client()\nname: str = client.sign_in('demo').user.uid\nclient.link(5)\nclient.sign_in_events('x', flow='post')\n"
                       "client.get_access_token('x').access_tokn\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(program)], cwd=tmp_path,
                          env={**os.environ, "MYPYPATH": str(SOURCES)}, capture_output=True, text=True, timeout=300)
    assert re.findall(r"program.py:(\d): error", done.stdout) == ["4", "5", "6"], done.stdout + done.stderr


def test_the_package_parses_as_python_3_9():
    for file in (SOURCES / "postern").glob("*.py"):
        ast.parse(file.read_text(), feature_version=(3, 9))


@pytest.mark.release
def test_the_sdist_and_the_wheel_are_complete(tmp_path):
    """The sdist, and the wheel that is built of it; nothing is fetched."""
    with tarfile.open(build("sdist", FOLDER, tmp_path)) as archive:
        archive.extractall(tmp_path, filter="data")
    source, = [path for path in tmp_path.iterdir() if path.is_dir()]
    wheel = build("wheel", source, tmp_path)
    assert (source / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = archive.read(next(name for name in names if name.endswith("/METADATA"))).decode()
        points = archive.read(next(name for name in names if name.endswith("/entry_points.txt"))).decode()
    assert {f"postern/{path.name}" for path in (SOURCES / "postern").iterdir() if path.is_file()} == {name for name in names if name.startswith("postern/")}
    assert "postern/py.typed" in names and wheel.name.endswith("-py3-none-any.whl")
    assert "Requires-Python: >=3.9\n" in metadata and "Requires-Dist" not in metadata
    assert points == "[keyring.backends]\npostern = postern.keyring\n"
    install(wheel, tmp_path / "site")
    script = f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r}); import postern; print(postern.__file__)"
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == f"{tmp_path}/site/postern/__init__.py\n", done.stderr


def test_the_readme_is_true(tmp_path, make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider) + f"browser = {browser_command('ada')}\n").start_fast(10)
    blocks = [text.replace("github.com", "demo") for text in re.findall(r"^```python\n(.*?)^```$", (FOLDER / "README.md").read_text(), re.M | re.S)]
    assert len(blocks) == 3
    environment = {**os.environ, "PYTHONPATH": str(SOURCES), "POSTERN_SOCKET": str(daemon.path)}
    for block, first in zip(blocks, ["the account is ada@example.com", "hello, Ada Lovelace"]):
        done = subprocess.run([sys.executable, "-c", block], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        token = daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{first}\n{token}\n", "")
    shown = subprocess.Popen([sys.executable, "-u", "-c", f"import postern\nclient = postern.Client()\n{blocks[2]}"], env=environment, cwd=tmp_path,
                             stdout=subprocess.PIPE, text=True)
    assert consent(shown.stdout.readline().split()[-1]).status_code == 200
    assert shown.wait(30) == 0
    shown.stdout.close()
