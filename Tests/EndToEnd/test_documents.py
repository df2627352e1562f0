"""What the pages of docs/ say of single answers, tried: which error comes, which comes first, which status a program ends with."""
import os
import re
import shutil
import subprocess

import pytest
from commands import run
from postern import BIN, ROOT, VarlinkError, ends_with, oidc
from second_factors import enroll, required, resolve, telephone, user, wrong  # noqa: F401 fixture
from signing_in import sign_in


# Neither a desktop nor a session bus of the machine's.
ENVIRONMENT = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


def page(name):
    return (ROOT / "docs" / name).read_text()


def checked(tmp_path, text):
    file = tmp_path / "checked.toml"
    file.write_text(text)
    file.chmod(0o600)
    return subprocess.run([BIN / "posternd", "--check-config", "--config", file], capture_output=True, text=True, timeout=30)


# ---- exit-statuses.md ---------------------------------------------------------


def test_each_exit_status_is_as_documented(make_daemon, demo_provider):
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


def test_the_daemons_exit_statuses_are_as_documented(make_daemon, tmp_path):
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


def test_a_check_with_only_warnings_succeeds(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider) + oidc("http://127.0.0.1:9", name="gone")).start()
    warned, failed = run(daemon, "provider", "check", "demo"), run(daemon, "provider", "check", "gone")
    assert warned.returncode == 0 and "warn" in warned.stdout, warned.stdout + warned.stderr
    assert failed.returncode == 1, failed.stdout + failed.stderr


# ---- accounts-and-browsers.md --------------------------------------------------


def test_without_a_browser_a_program_must_use_more(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), browser='"none"').start()
    with pytest.raises(VarlinkError, match=r"^org\.varlink\.service\.ExpectedMore"):
        daemon.call("SignIn", {"providerID": "demo"})
    client = daemon.client()
    client.send("SignIn", {"providerID": "demo"}, more=True)
    assert client.receive()["event"]["authorizationURL"].startswith(demo_provider)
    assert "org.varlink.service.ExpectedMore" in page("use/accounts-and-browsers.md")


# ---- second-factors.md ---------------------------------------------------------


@pytest.fixture
def ada(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider, trust_email=True)).start()
    sign_in(daemon)
    return daemon


def test_retry_after_is_zero_for_a_used_up_resolver(ada):
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


def test_enrollment_errors_are_checked_in_the_documented_order(make_daemon, demo_provider, telephone):  # noqa: F811
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


def test_a_missing_sms_configuration_is_reported_first(ada):
    with ends_with("ProviderNotConfigured"):
        ada.call("StartSecondFactor", {"resolver": "nope", "uid": "nope"})


# ---- provider-extensions.md -----------------------------------------------------
def test_a_token_for_one_service_needs_an_account_first(make_daemon):
    daemon = make_daemon('[provider."github.com"]\nclient-id = "c"\nclient-secret = "s"\n').start()
    with ends_with("SignInRequired"):
        daemon.call("GetAccessToken", {"providerID": "github.com", "resource": "https://api.example/"})


# ---- accounts.md ----------------------------------------------------------------


def test_weak_passwords_are_refused_with_a_reason(demo):
    for password, reason in [
        ("PassW0rd", "commonest"), ("short", "6"), ("x" * 1025, "1024"), ("Ada@Example.org", "address"), ("Lovelace", "name"),
    ]:
        with ends_with("WeakPassword") as caught:
            demo.call("CreateUser", {"email": "ada@example.org", "password": password, "displayName": "Lovelace"})
        assert reason in caught.value.parameters["reason"]


def test_at_a_sign_in_a_common_password_is_merely_wrong(demo):
    demo.call("CreateUser", {"email": "ada@example.org", "password": "correct horse"})
    with ends_with("WrongPassword"):
        demo.call("SignInWithCredential", {"credential": {"providerID": "password", "email": "ada@example.org", "password": "password"}})


# ---- url-schemes.md -------------------------------------------------------------


@pytest.mark.skipif(not all(map(shutil.which, ["xdg-mime", "gio"])), reason="needs xdg-utils and libglib2.0-bin")
def test_the_line_left_in_mimeapps_has_no_effect(make_daemon, tmp_path):
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
