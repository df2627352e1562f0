"""`token_or_sign_in` of the Python package: a token where there is one, or else one page, and whose account it is."""
import os
import pty
import subprocess
import sys
import threading

import pytest
from person import consent, parameters
from postern import oidc
from python_package import SOURCES, Asyncio, Blocking, Script, message, package
from signing_in import SignIn, browser_command, sign_in

both = pytest.mark.parametrize("client", [Blocking, Asyncio], ids=["blocking", "asyncio"])


def token(daemon, client, name="demo", **parameters):
    return client.call(daemon.path, "token_or_sign_in", name, **parameters)


def keep(daemon, person="ada", **parameters):
    return sign_in(daemon, person, intent="keep", **parameters)["account"]


def sign_ins(daemon):
    return [each["intent"] for each in daemon.call("ListSessions")["sessions"]]


def unexpected(event):
    raise AssertionError(f"a page was opened: {event}")


@both
def test_only_the_first_call_opens_a_page(make_daemon, demo_provider, client):
    daemon = make_daemon(oidc(demo_provider) + f"browser = {browser_command('ada')}\n").start()
    first = token(daemon, client, minimum_validity_seconds=60)
    assert isinstance(first, package.AccountToken) and first.token_type == "Bearer" and first.expires_at
    assert (first.who, first.account.provider_id, first.account.uid, first.account.kept_by) == ("ada@example.com", "demo", "demo-1815", [""])
    assert first.access_token == daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"] and first.access_token not in repr(first)
    assert token(daemon, client, on_event=unexpected) == first
    assert sign_ins(daemon) == ["keep"] and daemon.call("GetStatus")["users"] == 0, "it is the person's account, and no app's user"


@both
def test_a_configured_account_name_selects_its_account(make_daemon, demo_provider, client):
    config = oidc(demo_provider) + f"browser = {browser_command('ada')}\n" + '[account.poet]\nprovider = "demo"\nlogin = "ada@example.com"\n'
    daemon = make_daemon(config).start()
    keep(daemon, "grace")
    got = token(daemon, client, "poet")
    assert (got.who, got.account.account, got.account.uid) == ("ada@example.com", "poet", "demo-1815")
    assert token(daemon, client, "poet", on_event=unexpected) == got


@both
def test_with_several_accounts_the_caller_must_choose_and_no_page_opens(demo, client):
    keep(demo, "ada"), keep(demo, "grace")
    with pytest.raises(package.AmbiguousAccount, match="ada@example.com.*grace@example.org|grace@example.org.*ada@example.com") as caught:
        token(demo, client, on_event=unexpected)
    assert sorted(caught.value.uids) == ["demo-1815", "demo-1906"]
    assert token(demo, client, account="grace@example.org", on_event=unexpected).account.uid == "demo-1906"
    with pytest.raises(package.AmbiguousAccount, match="nobody@example.com"):
        token(demo, client, account="nobody@example.com", on_event=unexpected)


@both
def test_a_token_of_another_account_than_requested_is_never_returned(make_daemon, demo_provider, client):
    daemon = make_daemon(oidc(demo_provider) + f"browser = {browser_command('grace')}\n").start()
    with pytest.raises(package.UserMismatch, match="grace@example.org"):
        token(daemon, client, account="ada@example.com")
    assert daemon.call("ListCredentials")["credentials"] == []


@both
def test_a_user_who_refuses_is_not_asked_again_and_keeps_the_account(demo, client):
    keep(demo, scopes=["openid", "email"])
    with pytest.raises(package.SignInDenied):
        token(demo, client, scopes=["profile"], on_event=lambda event: event.state == "authorizationPending" and consent(event.authorization_url, None))
    assert sign_ins(demo) == ["keep", "keep"]
    assert token(demo, client, on_event=unexpected).scopes == ["openid", "email"]


@both
def test_a_locked_store_opens_no_page(demo, client):
    keep(demo)
    demo.call("Lock")
    with pytest.raises(package.StoreLocked):
        token(demo, client, on_event=unexpected)
    demo.call("Unlock")
    assert sign_ins(demo) == ["keep"]


@both
def test_additional_scopes_are_requested_together_with_the_granted_ones(make_daemon, demo_provider, client):
    """Other programs use the account, too."""
    daemon = make_daemon(oidc(demo_provider, scopes=("openid", "email"))).start()
    asked = []

    def heard(event):
        if event.state == "authorizationPending" and event.authorization_url not in asked:
            asked.append(event.authorization_url)
            assert consent(event.authorization_url).status_code == 200

    def last():
        return sorted(parameters(asked[-1])["scope"].split())

    assert "profile" in token(daemon, client, scopes=["profile"], on_event=heard).scopes and last() == ["email", "openid", "profile"]
    token(daemon, client, scopes=["profile", "email"], on_event=unexpected)
    token(daemon, client, scopes=["offline_access"], on_event=heard)
    assert last() == ["email", "offline_access", "openid", "profile"] and len(asked) == 2


@both
def test_simultaneous_programs_share_the_page(demo, client):
    heard, results = {}, []
    together = threading.Barrier(3)

    def ask(number):
        def on_event(event):
            if number not in heard:
                heard[number] = event
                together.wait(60)

        results.append(token(demo, client, on_event=on_event))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    together.wait(60)
    assert heard[0].authorization_url == heard[1].authorization_url
    assert consent(heard[0].authorization_url).status_code == 200
    for thread in threads:
        thread.join(60)
    assert len(results) == 2 and results[0] == results[1] and results[0].who == "ada@example.com"


@both
def test_the_call_joins_another_programs_sign_in(demo, client):
    pending = SignIn(demo, intent="keep")
    heard = []

    def on_event(event):
        heard.append(event.session_id)
        if event.state == "authorizationPending" and len(heard) == 1:
            assert consent(event.authorization_url).status_code == 200

    assert token(demo, client, on_event=on_event).who == "ada@example.com"
    assert set(heard) == {pending.id} and pending.completed()["account"]["uid"] == "demo-1815"


@both
def test_an_account_signed_out_during_the_call_is_signed_in_again(demo, client, monkeypatch):
    keep(demo)
    events = []
    original = {each: each.list_credentials for each in (package.Client, package.AsyncClient)}

    def forgotten(self):
        if not events:
            demo.call("RevokeCredential", {"providerID": "demo"})
        return original[type(self)](self)

    monkeypatch.setattr(package.Client, "list_credentials", forgotten)
    monkeypatch.setattr(package.AsyncClient, "list_credentials", forgotten)

    def on_event(event):
        if not events:
            assert consent(event.authorization_url).status_code == 200
        events.append(event)

    assert token(demo, client, on_event=on_event).who == "ada@example.com"


PROGRAM = "import postern, sys\ntry:\n    {call}\nexcept postern.PosternError as error:\n    sys.exit(f'{{type(error).__name__}}: {{error}}')\nprint(token.who)\n"
CALLS = {"blocking": "token = postern.Client().token_or_sign_in('demo'{})", "asyncio": "import asyncio; token = asyncio.run(postern.AsyncClient().token_or_sign_in('demo'{}))"}


def start(daemon, call, stdin=subprocess.DEVNULL):
    environment = {**os.environ, "POSTERN_SOCKET": str(daemon.path), "PYTHONPATH": str(SOURCES)}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(call=call)], env=environment, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_without_a_browser_the_page_address_is_shown_on_the_terminal(demo, call):
    main, terminal = pty.openpty()
    try:
        process = start(demo, call.format(""), terminal)
        line = process.stderr.readline()
        assert line.startswith('no browser shows the page (browser is "none"); open this page to sign in: http'), line
        assert process.stderr.readline().startswith("with a browser on another machine: postern attach ")
        assert consent(line.split()[-1]).status_code == 200
        assert process.communicate(timeout=60) == ("ada@example.com\n", "") and process.returncode == 0
    finally:
        os.close(main), os.close(terminal)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_without_a_browser_or_terminal_the_call_fails_at_once(demo, call):
    process = start(demo, call.format(""))
    out, error = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, "") and error == "SignInRequired: nobody has signed in at demo yet; run `postern sign-in demo`\n", error
    keep(demo)
    process = start(demo, call.format(", scopes=['repo']"))
    out, error = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, "") and error.startswith("ScopeNotGranted: demo has not granted repo"), error


@both
def test_the_call_concerns_no_app(client):
    refusal = message(error="io.postern.SignInRequired", parameters={"code": 0, "message": "sign in", "providerID": "demo", "reason": "none"})
    with Script(refusal) as server, pytest.raises(package.SignInRequired):
        client.call(server.path, "token_or_sign_in", "demo", account="ada", timeout_seconds=5, options={"app": "mine"})
    assert server.calls == [
        {"method": "io.postern.GetAccessToken", "parameters": {"providerID": "demo", "account": "ada"}},
        {"method": "io.postern.SignIn", "parameters": {"providerID": "demo", "intent": "keep", "loginHint": "ada", "timeoutSeconds": 5}, "more": True}]
