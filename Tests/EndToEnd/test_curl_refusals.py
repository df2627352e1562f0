"""`postern curl` beside curl: a refusal is held back, remedied where that is possible, and else passed on as curl gives it."""
import json
import os
import pathlib
import re
import signal
import subprocess
import threading

import loopback
import pytest
from commands import POSTERN, Command, environment, run
from fake_service import Refusal, Service
from postern import oidc, wait_for
from signing_in import sign_in
from terminal import shown

INVALID = 'Bearer error="invalid_token", resource_metadata="https://example.org/x"'
MORE = 'Bearer error="insufficient_scope", scope="admin repo"'
STEP_UP = Refusal("StepUpRequired", providerID="acme", scopes=["admin", "repo"], acrValues=[])
BINARY = b"\0\x1b[2J\xff no text\r\n" * 50
ACCOUNT = {"providerID": "acme", "uid": "7", "displayName": "Ada Lovelace", "scopes": ["read"], "refreshable": True, "state": "good", "keptBy": [""]}
SIGNED_IN = {"event": {"sessionID": "s1", "state": "completed", "expiresAt": "2026-11-21T06:24:00Z", "account": ACCOUNT}}


class API(loopback.Listener):
    """`answers` by the bearer token: (status, headers, body); 200 for every other one."""

    def __init__(self, **answers):
        self.answers = answers
        self.seen = []                      # (method, token, body)
        self.came, self.gate = threading.Event(), threading.Event()
        api = self

        class Handler(loopback.Handler):
            def do_GET(self):
                body = self.body()
                token = (self.headers.get("Authorization") or "").partition(" ")[2]
                api.seen.append((self.command, token, body.decode()))
                api.came.set()
                if self.path == "/gated":
                    return api.stream(self)
                status, headers, data = api.answers.get(token, (200, [], b"the result\n"))
                self.send(status, b"" if self.command == "HEAD" else data, *headers)

            do_POST = do_PUT = do_HEAD = do_GET

        super().__init__(Handler)

    def stream(self, handler):
        """The first bytes, and the others after the gate has opened."""
        parts = 1024
        handler.send_response(200)
        handler.send_header("Content-Length", str(65536 * parts + 6))
        handler.end_headers()
        handler.wfile.write(b"first\n")
        handler.wfile.flush()
        self.gate.wait(20)
        for _ in range(parts):
            handler.wfile.write(b"x" * 65536)

    def tokens(self):
        return [token for _, token, _ in self.seen]

    def close(self):
        self.gate.set()
        super().close()


@pytest.fixture
def make_api():
    made = []

    def make(**answers):
        made.append(API(**answers))
        return made[-1]

    yield make
    for api in made:
        api.close()


@pytest.fixture
def make_fake(tmp_path):
    made = []

    def make(*authorizations, **answers):
        """Each call of AuthorizeRequest is answered with the next one: a token, or an error; the last one for all that follow."""
        rest = list(authorizations)

        def authorize(parameters):
            answer = rest.pop(0) if len(rest) > 1 else rest[0]
            return answer if isinstance(answer, Refusal) else {"headers": {"Authorization": f"Bearer {answer}"}, "providerID": "acme", "uid": "7"}

        made.append(Service(tmp_path, **{"AuthorizeRequest": authorize, "ListCredentials": {"credentials": [ACCOUNT]}, "SignIn": SIGNED_IN, **answers}))
        return made[-1]

    yield make
    for fake in made:
        fake.close()


def curl(daemon, *arguments, stdin=b"", **more):
    return subprocess.run([POSTERN, "curl", *arguments], input=stdin, capture_output=True, timeout=60, env=environment(daemon, **more))


def plain(token, *arguments):
    return subprocess.run(["curl", "-q", "-H", f"Authorization: Bearer {token}", *arguments], capture_output=True, timeout=60)


# ---- What the daemon remedies -----------------------------------------------


def test_a_refused_token_is_renewed_and_only_the_second_response_is_shown(make_daemon, demo_provider, make_api):
    api = make_api()
    daemon = make_daemon(oidc(demo_provider, serves=[api.origin])).start()
    sign_in(daemon)
    old = daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
    api.answers[old] = (401, [("WWW-Authenticate", INVALID)], b"refused\n")
    done = curl(daemon, "-sSf", "-w", "%{http_code}\n", "-d", "a=1", f"{api.origin}/x")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"the result\n200\n", b"")
    new = daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
    assert api.seen == [("POST", old, "a=1"), ("POST", new, "a=1")] and old != new


def test_the_daemon_gets_the_servers_challenge_verbatim(make_fake, make_api):
    api = make_api(old=(401, [("WWW-Authenticate", INVALID), ("WWW-Authenticate", "Basic")], b"refused\n"))
    fake = make_fake("old", "new")
    done = curl(fake, "--account", "acme", "--scope", "read", "-i", f"{api.origin}/x")
    assert done.returncode == 0 and done.stdout.startswith(b"HTTP/1.1 200 ") and done.stdout.endswith(b"\r\n\r\nthe result\n")
    asked = {"method": "GET", "url": f"{api.origin}/x", "providerID": "acme", "scopes": ["read"]}
    assert fake.called("AuthorizeRequest") == [asked, {**asked, "forceRefresh": True, "challenge": [INVALID, "Basic"]}]


def test_a_request_is_tried_at_most_twice(make_fake, make_api):
    api = make_api(**{f"t{number}": (401, [("WWW-Authenticate", INVALID)], b"refused\n") for number in range(9)})
    fake = make_fake(*(f"t{number}" for number in range(9)))
    done = curl(fake, "-sf", api.origin)
    assert (done.returncode, done.stdout, done.stderr) == (22, b"", b"") and api.tokens() == ["t0", "t1", "t2"]


def test_a_refused_token_that_is_unchanged_is_not_resent(make_fake, make_api):
    api = make_api(old=(403, [("WWW-Authenticate", MORE)], b"refused\n"))
    done = curl(make_fake("old"), "-sS", api.origin)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"refused\n", b"") and api.tokens() == ["old"]


def test_an_output_file_has_only_the_second_response(make_fake, make_api, tmp_path):
    api = make_api(old=(401, [], b"refused, in more words than the result\n" * 9))
    assert curl(make_fake("old", "new"), "-sSo", str(tmp_path / "out"), api.origin).returncode == 0
    assert (tmp_path / "out").read_bytes() == b"the result\n" and api.tokens() == ["old", "new"]


def test_a_very_long_refusal_does_not_block_the_result(make_fake, make_api):
    """Its body is longer than pipes and sockets hold."""
    api = make_api(old=(401, [("WWW-Authenticate", INVALID)], b"x" * (64 << 20)))
    done = curl(make_fake("old", "new"), "-sS", api.origin)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"the result\n", b"")


@pytest.mark.parametrize("arguments, stdin, sent", [
    (["-d", "@-"], b"a=1", ("POST", "old", "a=1")), (["-D", "/dev/null"], b"", ("GET", "old", ""))])
def test_a_request_that_cannot_be_repeated_is_sent_once(make_fake, make_api, arguments, stdin, sent):
    api = make_api(old=(401, [("WWW-Authenticate", INVALID)], b"refused\n"))
    fake = make_fake("old", STEP_UP)
    done = curl(fake, "-sS", *arguments, f"{api.origin}/x", stdin=stdin)
    assert (done.returncode, done.stdout) == (0, b"refused\n") and api.seen == [sent]
    if "-D" in arguments:  # nothing is known of the answer
        return
    assert done.stderr.decode().splitlines() == [
        "postern: the words of StepUpRequired", "  to be asked for it: postern sign-in acme --scope read --scope admin --scope repo"]
    assert fake.called("AuthorizeRequest")[1]["challenge"] == [INVALID]


# ---- What is passed on ------------------------------------------------------


@pytest.mark.parametrize("arguments", [
    ["-s"], ["-sS", "-i"], ["-sSf"], ["-sS", "--fail-with-body"], ["-sS", "-w", "%{http_code} %{size_download}\n"], ["-sSI"], ["-sS", "-o", "OUT"],
    ["-sS", "-fo", "OUT"], ["-sS", "-D", "OUT"], ["-sS", "--stderr", "OUT", "-f"], ["-sS", "-o", "OUT", "-w", "%{stderr}%{http_code}\n"]], ids=" ".join)
@pytest.mark.parametrize("status", [401, 404])
def test_a_response_without_a_remedy_is_byte_for_byte_curls(make_fake, make_api, tmp_path, status, arguments):
    api = make_api(old=(status, [("WWW-Authenticate", MORE), ("Date", "never"), ("X-Odd", "\t a  b")], BINARY))
    out = tmp_path / "out"
    words = [str(out) if word == "OUT" else word for word in arguments] + [f"{api.origin}/x"]
    expected = plain("old", *words)
    file = out.read_bytes() if out.exists() else None
    out.unlink(missing_ok=True)
    done = curl(make_fake("old", STEP_UP), *words)
    # Each answer has the moment of its own.
    same = lambda data: data and re.sub(rb"Date: [^\r]*GMT", b"", data)  # noqa: E731
    assert (done.returncode, same(done.stdout)) == (expected.returncode, same(expected.stdout))
    assert same(out.read_bytes() if out.exists() else None) == same(file)
    said = "" if status == 404 or "-D" in arguments else "postern: the words of StepUpRequired\n  to sign in at once, on a terminal: postern curl --step-up …\n"
    assert done.stderr.decode() == expected.stderr.decode() + said


def test_a_refusal_that_a_sign_in_cannot_fix_proposes_none(make_fake, make_api):
    api = make_api(old=(403, [("WWW-Authenticate", MORE)], b"refused\n"))
    done = curl(make_fake("old", Refusal("ScopeNotGranted", missing=["admin"])), "-s", api.origin)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"refused\n", b"postern: the words of ScopeNotGranted\n")


def test_without_a_remedy_the_daemons_message_follows(make_fake, make_api):
    api = make_api(old=(401, [], b"refused\n"))
    done = curl(make_fake("old", Refusal("SignInRequired", providerID="acme", reason="it was revoked")), "-s", api.origin)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"refused\n", b"postern: the words of SignInRequired\n")


def test_a_response_is_streamed_at_once_without_using_memory(make_fake, make_api):
    api = make_api()
    process = subprocess.Popen([POSTERN, "curl", "-s", f"{api.origin}/gated"], stdout=subprocess.PIPE, env=environment(make_fake("old")))
    # The rest is sent only after these have arrived.
    assert process.stdout.read(6) == b"first\n"
    peak = int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())[1])
    api.gate.set()
    count = 0
    while count < 60 << 20:
        count += len(process.stdout.read(1 << 20))
    after = int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())[1])
    count += len(process.stdout.read())
    assert process.wait(20) == 0 and count == 64 << 20 and after - peak < 8 << 10
    process.stdout.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_postern_and_curl(make_fake, make_api, number):
    api = make_api()
    process = subprocess.Popen([POSTERN, "curl", "-s", f"{api.origin}/gated"], stdout=subprocess.PIPE, env=environment(make_fake("old")), start_new_session=True,
        # Whoever runs the tests may ignore a signal (nohup), and a program would, too.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    assert process.stdout.read(6) == b"first\n"
    os.kill(process.pid, number)
    assert process.wait(20) == -number
    process.stdout.close()
    wait_for(lambda: not any(session(entry) == process.pid for entry in pathlib.Path("/proc").glob("[0-9]*")), what="the end of curl")


def session(entry):
    try:
        state, _, _, number, *_ = (entry / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    # The machine may take its time to collect one that has ended.
    return None if state == "Z" else int(number)


def test_curl_reports_a_closed_output(make_fake, make_api):
    api = make_api()
    process = subprocess.Popen([POSTERN, "curl", "-sS", f"{api.origin}/gated"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(make_fake("old")))
    assert process.stdout.read(6) == b"first\n"
    process.stdout.close()
    api.gate.set()
    assert process.wait(20) == 23 and b"curl: (23)" in process.stderr.read()
    process.stderr.close()


def test_a_terminal_gets_only_text_as_from_curl(make_fake, make_api):
    api, tokens = make_api(old=(401, [], BINARY), binary=(200, [], b"a\0b\n")), ["old"]
    fake = make_fake("old", AuthorizeRequest=lambda _: {"headers": {"Authorization": f"Bearer {tokens.pop()}"}, "providerID": "acme", "uid": "7"})
    # No progress beside it.
    tokens[:] = ["new", "old"]
    assert shown(fake, 100, "curl", api.origin) == (0, "the result\n")
    tokens[:] = ["binary"]
    status, text = shown(fake, 100, "curl", api.origin)
    assert status == 23 and "--output - prints it" in text and "\0" not in text
    tokens[:] = ["binary"]
    assert "\0" in shown(fake, 100, "curl", "-o", "-", f"{api.origin}/x")[1]


# ---- Stepping up ------------------------------------------------------------


def test_a_step_up_on_a_terminal_signs_in_and_repeats_the_request(make_fake, make_api):
    api = make_api(old=(403, [("WWW-Authenticate", MORE)], b"refused\n"))
    fake = make_fake("old", STEP_UP, "new")
    command = Command(fake, "curl", "--step-up", "-sSf", api.origin, terminal=True)
    command.read_until("acme asks for: admin, repo")
    assert command.end() == (0, "the result\n"), command.text
    [asked] = fake.called("SignIn")
    assert asked["providerID"] == "acme" and asked["intent"] == "keep" and asked["challenge"] == [MORE] and "scopes" not in asked
    # What is asked for is shown first, and what the daemon has heard already is not said again.
    methods = [method for method, _ in fake.calls]
    assert methods.index("SignIn") > 1 and "challenge" not in fake.called("AuthorizeRequest")[2] and api.tokens() == ["old", "new"]


@pytest.mark.parametrize("outcome, words", [
    (Refusal("SignInDenied", providerID="acme", error="access_denied"), "the words of SignInDenied"), (SIGNED_IN, "the words of StepUpRequired")])
def test_a_failed_step_up_asks_once_and_passes_on_the_last_response(make_fake, make_api, outcome, words):
    api = make_api(old=(403, [("WWW-Authenticate", MORE)], b"refused\n"), new=(403, [("WWW-Authenticate", MORE)], b"still refused\n"))
    fake = make_fake("old", STEP_UP, "new", STEP_UP, SignIn=outcome)
    command = Command(fake, "curl", "--step-up", "-s", "--fail-with-body", api.origin, terminal=True)
    command.read_until(words)
    assert command.end() == (22, "refused\n" if outcome is not SIGNED_IN else "still refused\n"), command.text
    assert len(fake.called("SignIn")) == 1 and len(api.seen) == (1 if outcome is not SIGNED_IN else 2)


@pytest.mark.parametrize("options", [[], ["--step-up"]])
def test_without_a_terminal_no_page_is_opened(make_fake, make_api, options):
    api = make_api(old=(403, [("WWW-Authenticate", MORE)], b"refused\n"))
    fake = make_fake("old", STEP_UP)
    done = curl(fake, *options, "-s", api.origin)
    assert (done.returncode, done.stdout) == (0, b"refused\n") and b"the words of StepUpRequired" in done.stderr
    assert fake.called("SignIn") == [] and len(api.seen) == 1


# ---- The commands that help -------------------------------------------------


@pytest.mark.parametrize("arguments", [["token", "acme"], ["exec", "--env", "A=acme", "--", "true"]])
def test_token_names_the_command_that_helps_and_exits_with_status_3(make_fake, arguments):
    done = run(make_fake("old", GetAccessToken=STEP_UP), *arguments)
    assert (done.returncode, done.stdout) == (3, "")
    command = "postern sign-in acme --scope read --scope admin --scope repo"
    assert done.stderr == f"postern: the words of StepUpRequired\n  to be asked for it: {command}\n"


def test_the_json_document_of_a_failure_contains_the_demanded_scopes(make_fake):
    done = run(make_fake("old", GetAccessToken=STEP_UP), "token", "acme", "--json")
    document = json.loads(done.stdout)
    assert document["error"] == "io.postern.StepUpRequired" and document["status"] == 3 and document["parameters"]["scopes"] == ["admin", "repo"]
