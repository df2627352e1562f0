"""What the pages of docs/ say of single answers, tried: which error comes, which comes first, which status a program ends with."""
import http.server
import json
import os
import re
import shutil
import subprocess
import threading

import pytest
from commands import run
from person import browser
from plain_provider import PlainProvider
from postern import BIN, ROOT, VarlinkError, ends_with, oidc
from second_factors import enroll, required, resolve, telephone, user, wrong  # noqa: F401 fixture
from signing_in import SignIn, sign_in


# Neither a desktop nor a session bus of the machine's.
ENVIRONMENT = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


def page(name):
    return (ROOT / "docs" / name).read_text()


@pytest.fixture
def plain_provider():
    provider = PlainProvider()
    yield provider
    provider.close()


# ---- configuration.md ---------------------------------------------------------


def checked(tmp_path, text):
    file = tmp_path / "checked.toml"
    file.write_text(text)
    file.chmod(0o600)
    return subprocess.run([BIN / "posternd", "--check-config", "--config", file], capture_output=True, text=True, timeout=30)


@pytest.mark.parametrize("name, is_taken", [
    ("a", True), ("a" * 64, True), ("a" * 65, False), ("x.y", True), ("-x", True), ("_", True), ("7", True), ("", False), (".x", False), ("X", False),
    ("x/y", False), ("password", False), ("anonymous", False), ("phone", False), ("custom", False), ("firebase", False)])
def test_a_name_has_the_characters_that_the_page_says(tmp_path, name, is_taken):
    provider = checked(tmp_path, f'[provider."{name}"]\nkind = "oidc"\nissuer = "https://id.example"\nclient-id = "c"\n')
    account = checked(tmp_path, f'[account."{name}"]\nprovider = "google.com"\n')
    assert [provider.returncode, account.returncode] == ([0, 0] if is_taken else [78, 78]), provider.stderr + account.stderr


@pytest.mark.parametrize("kind, status", [("oidc", 0), ("oauth2", 78), ("oauth1", 78)])
def test_another_kind_under_a_built_in_name_is_refused(tmp_path, kind, status):
    done = checked(tmp_path, f'[provider."google.com"]\nkind = "{kind}"\nclient-id = "c"\n')
    assert done.returncode == status, done.stderr
    assert status == 0 or "kind" in done.stderr and "built in" in done.stderr


def test_an_account_has_no_name_of_a_provider(tmp_path):
    assert checked(tmp_path, '[account."github.com"]\nprovider = "google.com"\n').returncode == 78


# ---- exit-statuses.md ---------------------------------------------------------


def test_each_status_is_the_one_of_the_page(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider)).start()
    statuses = {
        "done": run(daemon, "status"), "failed": run(daemon, "token", "nope"), "the user must sign in first": run(daemon, "token", "demo"),
        "wrong usage": run(daemon, "token", "demo", "--nope")}
    timed_out = run(daemon, "sign-in", "demo", "--no-browser", "--timeout", "1s")
    daemon.stop()
    statuses["the daemon cannot be reached"] = run(daemon, "status")
    told = {what.split(";")[0]: int(status) for status, what in re.findall(r"^\| (\d+) \| (.+) \|$", page("programs/exit-statuses.md"), re.M)}
    assert told.pop("access was denied, the sign-in was cancelled, or time ran out") == timed_out.returncode == 2, timed_out.stderr
    assert {what: done.returncode for what, done in statuses.items()} == told
    assert all(done.stderr for what, done in statuses.items() if what != "done")


def test_the_daemon_ends_with_the_statuses_of_the_page(make_daemon, tmp_path):
    daemon = make_daemon().start()
    posternd = [BIN / "posternd", "--socket", tmp_path / "socket", "--state-directory", daemon.directory / "state"]
    assert subprocess.run([*posternd, "--nope"], capture_output=True, timeout=30).returncode == 64
    assert subprocess.run([*posternd, "--config", daemon.config], capture_output=True, timeout=30).returncode == 1  # the state is another one's
    broken = tmp_path / "broken.toml"
    broken.write_text("nope")
    assert subprocess.run([*posternd, "--config", broken], capture_output=True, timeout=30).returncode == 78
    assert checked(tmp_path, "").returncode == 0 and checked(tmp_path, "nope").returncode == 78
    secret = '[provider."github.com"]\nclient-id = "c"\nclient-secret = { file = "missing" }\n'
    assert checked(tmp_path, secret).returncode == 1


def test_a_check_that_only_warns_ends_well(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider) + oidc("http://127.0.0.1:9", name="gone")).start()
    warned, failed = run(daemon, "provider", "check", "demo"), run(daemon, "provider", "check", "gone")
    assert warned.returncode == 0 and "warn" in warned.stdout, warned.stdout + warned.stderr
    assert failed.returncode == 1, failed.stdout + failed.stderr


# ---- accounts-and-browsers.md, relay.md ----------------------------------------


def test_without_a_page_a_program_has_to_ask_for_events(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), browser='"none"').start()
    with pytest.raises(VarlinkError, match=r"^org\.varlink\.service\.ExpectedMore"):
        daemon.call("SignIn", {"providerID": "demo"})
    client = daemon.client()
    client.send("SignIn", {"providerID": "demo"}, more=True)
    assert client.receive()["event"]["authorizationURL"].startswith(demo_provider)
    assert "org.varlink.service.ExpectedMore" in page("use/accounts-and-browsers.md")


def test_the_status_names_the_listener_and_the_provider_the_relay(make_daemon, plain_provider):
    relay = "https://app.example.com/__/auth/handler"
    daemon = make_daemon(plain_provider.configuration(redirect_uri=relay, own_callback_path=True)).start()
    listener = f"{daemon.origin}/__/auth/handler"
    assert re.search(rf"^callbacks at +{re.escape(listener)}$", run(daemon, "status").stdout, re.M)
    shown = run(daemon, "provider", "show", "demo").stdout
    assert relay in shown and daemon.origin not in shown
    pending = SignIn(daemon)
    answer = browser().get(pending.url, allow_redirects=False).headers["Location"].split("?", 1)[1]
    assert browser().get(f"{listener}?{answer}").status_code == 400
    assert browser().get(f"{listener}/demo?{answer}").status_code == 200
    assert pending.completed()["state"] == "completed"


# ---- second-factors.md ---------------------------------------------------------


@pytest.fixture
def ada(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider, trust_email=True)).start()
    sign_in(daemon)
    return daemon


def test_the_retry_of_a_resolver_that_is_used_up_is_zero(ada):
    secret = enroll(ada)
    [factor] = user(ada)["secondFactors"]
    ada.call("SignOut")
    resolver, _ = required(lambda: sign_in(ada))
    code = wrong(secret)
    for _ in range(4):
        with ends_with("InvalidVerificationCode"):
            resolve(ada, resolver, factor["uid"], code)
    with ends_with("TooManyAttempts") as caught:
        resolve(ada, resolver, factor["uid"], code)
    assert caught.value.parameters["retryAfterSeconds"] == 0
    with ends_with("InvalidCredential"):
        resolve(ada, resolver, factor["uid"], code)

    # Another sign-in follows at once. With five more wrong codes it is the user who has to wait.
    resolver, _ = required(lambda: sign_in(ada))
    for _ in range(4):
        with ends_with("InvalidVerificationCode"):
            resolve(ada, resolver, factor["uid"], code)
    with ends_with("TooManyAttempts") as caught:
        resolve(ada, resolver, factor["uid"], code)
    assert caught.value.parameters["retryAfterSeconds"] > 1700
    resolver, _ = required(lambda: sign_in(ada))
    with ends_with("InvalidCredential"):  # the uid is looked at before the count
        resolve(ada, resolver, "nope", code)
    with ends_with("TooManyAttempts"):
        resolve(ada, resolver, factor["uid"], code)


def test_the_first_thing_that_is_wrong_with_an_enrollment_is_the_answer(make_daemon, demo_provider, telephone):  # noqa: F811
    configuration, messages = telephone
    daemon = make_daemon(oidc(demo_provider)).start()

    def enrolls_with(name, app, **parameters):
        with ends_with(name):
            daemon.call("EnrollSecondFactor", {"app": app, **parameters})

    totp, phone, wrong_number = {"factorID": "totp"}, {"factorID": "phone", "phoneNumber": "+819012341234"}, {"factorID": "phone", "phoneNumber": "12"}
    enrolls_with("ProviderNotConfigured", "nobody", **wrong_number)
    daemon.write(oidc(demo_provider) + configuration)
    daemon.call("Reload")
    enrolls_with("InvalidCredential", "nobody", **wrong_number)
    enrolls_with("NoCurrentUser", "nobody", **phone)
    daemon.call("SignInAnonymously", {"app": "anonymous"})
    enrolls_with("InvalidCredential", "anonymous", **totp)
    daemon.call("CreateUser", {"app": "unproved", "email": "eve@example.org", "password": "correct horse"})
    enrolls_with("InvalidEmail", "unproved", **totp)
    assert messages() == []


def test_no_code_is_sent_before_it_is_known_how(ada):
    with ends_with("ProviderNotConfigured"):
        ada.call("StartSecondFactor", {"resolver": "nope", "uid": "nope"})


# ---- provider-extensions.md -----------------------------------------------------


@pytest.fixture
def server():
    """Metadata of an OpenID provider that takes proofs by RS256 alone, and whatever answer is set to a registration."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

        def answer(self, status, document):
            body = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            names = {"authorization_endpoint": "a", "token_endpoint": "t", "userinfo_endpoint": "u", "jwks_uri": "k", "registration_endpoint": "r"}
            self.answer(200, {"issuer": server.issuer, **{name: f"{server.issuer}/{path}" for name, path in names.items()},
                              "dpop_signing_alg_values_supported": ["RS256"], "response_types_supported": ["code"]})

        def do_POST(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.answer(*server.registration)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.issuer = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def begins_with(error, daemon, **parameters):
    """The sign-in ends with this error before there is a page."""
    with ends_with(error):
        SignIn(daemon, **parameters)
    assert daemon.call("ListSessions") == {"sessions": []}


def test_what_cannot_be_asked_is_refused_before_a_page_opens(make_daemon, demo_provider, server):
    daemon = make_daemon(oidc(demo_provider) + oidc(server.issuer, name="proofs", dpop=True)).start()
    begins_with("ReservedParameter", daemon, customParameters={"resource": "https://api.example/"})
    begins_with("ProviderNotConfigured", daemon, customParameters={"max_age": "soon"})
    begins_with("ProviderNotConfigured", daemon, providerID="proofs")


@pytest.mark.parametrize("status, document, error", [
    (400, {"error": "invalid_client_metadata"}, "ProviderNotConfigured"), (401, {"error": "invalid_token"}, "ProviderNotConfigured"),
    (503, {}, "ProviderUnreachable"), (429, {}, "ProviderUnreachable"),
    (201, {"client_id": "c", "client_secret": "s", "token_endpoint_auth_method": "client_secret_post"}, "ProviderNotConfigured")])
def test_a_registration_that_fails_is_told_with_the_error_of_the_page(make_daemon, server, status, document, error):
    daemon = make_daemon(oidc(server.issuer, client=None, client_authentication="client_secret_basic")).start()
    server.registration = (status, document)
    begins_with(error, daemon)


def test_a_token_for_one_service_needs_an_account_first(make_daemon):
    daemon = make_daemon('[provider."github.com"]\nclient-id = "c"\nclient-secret = "s"\n').start()
    with ends_with("SignInRequired"):
        daemon.call("GetAccessToken", {"providerID": "github.com", "resource": "https://api.example/"})


# ---- accounts.md ----------------------------------------------------------------


@pytest.mark.parametrize("password, reason", [
    ("password", "commonest"), ("PassW0rd", "commonest"), ("short", "6"), ("x" * 1025, "1024"), ("Ada@Example.org", "address"), ("ada.lovelace", None)])
def test_weak_passwords_are_refused_with_a_reason(demo, password, reason):
    parameters = {"email": "ada@example.org", "password": password}
    if reason is None:
        assert demo.call("CreateUser", parameters)["result"]["operation"] == "signIn"
        return
    with ends_with("WeakPassword") as caught:
        demo.call("CreateUser", parameters)
    assert reason in caught.value.parameters["reason"]


def test_so_are_the_mailbox_and_the_name(demo):
    for more in ({"email": "lovelace@example.org"}, {"email": "a@example.org", "displayName": "Lovelace"}):
        with ends_with("WeakPassword"):
            demo.call("CreateUser", {"password": "LoveLace", **more})


def test_a_common_password_is_only_a_wrong_one_where_somebody_signs_in(demo):
    demo.call("CreateUser", {"email": "ada@example.org", "password": "correct horse"})
    with ends_with("WrongPassword"):
        demo.call("SignInWithCredential", {"credential": {"providerID": "password", "email": "ada@example.org", "password": "password"}})


# ---- url-schemes.md -------------------------------------------------------------


@pytest.mark.skipif(not all(map(shutil.which, ["xdg-mime", "gio"])), reason="needs xdg-utils and libglib2.0-bin")
def test_the_line_in_mimeapps_stays_and_does_nothing(make_daemon, tmp_path):
    daemon = make_daemon().start()
    places = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / ".config"), "XDG_DATA_HOME": str(tmp_path / ".local" / "share")}
    (tmp_path / ".config").mkdir()
    scheme = "com.example.app"
    entry = tmp_path / ".local/share/applications" / f"postern-url-{scheme}.desktop"
    line = f"x-scheme-handler/{scheme}={entry.name}"

    def handler():
        query = ["xdg-mime", "query", "default", f"x-scheme-handler/{scheme}"]
        done = subprocess.run(query, env={**ENVIRONMENT, **places}, capture_output=True, text=True, timeout=30)
        return done.stdout.strip()

    assert run(daemon, "url-scheme", "register", scheme, "--provider", "work", **places).returncode == 0
    mimeapps = tmp_path / ".config" / "mimeapps.list"
    assert entry.exists() and line in mimeapps.read_text() and handler() == entry.name
    assert run(daemon, "url-scheme", "remove", scheme, **places).returncode == 0
    assert not entry.exists() and line in mimeapps.read_text() and handler() == ""


# ---- locking.md -----------------------------------------------------------------


def test_an_open_store_takes_an_unlock_without_a_passphrase(make_daemon):
    daemon = make_daemon()
    daemon.config.write_text(daemon.config.read_text().replace('key = "file"', 'key = "passphrase"'))
    daemon.start()
    with ends_with("WeakPassword"):
        daemon.call("Unlock")
    right = {"passphrase": "correct horse, battery staple"}
    assert daemon.call("Unlock", right) == daemon.call("Unlock", right) == daemon.call("Unlock") == {}
    with ends_with("WrongPassword"):
        daemon.call("Unlock", {"passphrase": "another horse"})
    daemon.call("Lock")
    with pytest.raises(VarlinkError, match="InvalidParameter.*passphrase"):
        daemon.call("Unlock")
