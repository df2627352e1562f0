"""A person's accounts by `postern`: kept at sign-in for no app, ended at sign-out, beside the users of apps."""
import json

import pytest
from commands import DISPLAY, URL, Command, run, user_of, user_of_nobody
from fake_service import Refusal, Service
from person import browser, consent, parameters
from postern import oidc, wait_for
from signing_in import SignIn, browser_command, sign_in

ADA, GRACE = "Ada Lovelace at First (account ada@example.com)", "Grace Hopper at First (account grace@example.org)"


@pytest.fixture
def two(make_daemon, make_provider):
    """A daemon that knows two providers, and a browser in which Ada says yes to both."""
    issuer = make_provider()
    daemon = make_daemon(oidc(issuer, "first", display_name="First") + oidc(make_provider(), "second", display_name="Second"), browser=browser_command())
    daemon.issuer = issuer
    return daemon.start()


def keep(daemon, provider="first", person="ada"):
    sign_in(daemon, person, providerID=provider, intent="keep")


def kept(daemon):
    return [(each["providerID"], each["email"], each["keptBy"]) for each in daemon.call("ListCredentials")["credentials"]]


def answers(issuer, token):
    return browser(Authorization=f"Bearer {token}").get(f"{issuer}/userinfo").status_code


def ended(done, status, *words):
    assert done.returncode == status and all(word in done.stderr for word in words), (done.returncode, done.stdout, done.stderr)


# ---- Signing in -------------------------------------------------------------


def test_the_same_address_at_two_providers_makes_two_accounts_and_no_user(two):
    for provider, name in [("first", "First"), ("second", "Second")]:
        done = run(two, "sign-in", provider, **DISPLAY)
        assert (done.returncode, done.stdout) == (0, f"signed in as Ada Lovelace at {name} (account ada@example.com)\n"), done.stderr
    assert kept(two) == [("first", "ada@example.com", [""]), ("second", "ada@example.com", [""])]
    assert two.call("GetStatus")["users"] == 0 and user_of_nobody(two)


def test_the_json_document_has_the_account_and_no_result(two):
    event = json.loads(run(two, "sign-in", "first", "--json", **DISPLAY).stdout)["event"]
    assert event["account"]["email"] == "ada@example.com" and event["account"]["keptBy"] == [""] and not {"result", "credential"} & event.keys()


def test_without_a_user_of_the_app_whoami_lists_the_accounts(two):
    keep(two)
    done = run(two, "whoami")
    ended(done, 3, f"  {ADA}\n", "nobody is signed in to the app default", "postern sign-in --app default PROVIDER")
    assert done.stdout == ""
    ended(run(two, "link", "second"), 3, "postern sign-in --app default PROVIDER")
    run(two, "sign-in", "--app", "default", "first", **DISPLAY)
    assert "  app " in run(two, "whoami").stdout and kept(two) == [("first", "ada@example.com", ["", "default"])]


def test_a_terminal_shows_the_token_command_for_this_account(two):
    keep(two, person="grace")
    for arguments, words in [(("first",), r"postern token ada\s"), (("second",), r"postern token second\s")]:
        command = Command(two, "sign-in", *arguments, terminal=True, **DISPLAY)
        if arguments == ("first",):  # Grace is signed in there
            command.read_until(r"with another account\? \[1–2")
            command.type("2\n")
        command.read_until(words)
        assert command.end()[0] == 0


ACCOUNT = {"providerID": "work", "uid": "7", "displayName": "Grace Hopper", "account": "grace", "scopes": [], "refreshable": True, "state": "good", "keptBy": [""]}


@pytest.fixture
def unsure(tmp_path):
    """A service whose provider does not say whether the account is the one that the name `grace` is for."""
    credential = {"handle": "h", "providerID": "work", "signInMethod": "work", "scopes": []}
    refusal = Refusal("AccountNotConfirmed", account="grace@example.org", uid="7", credential=credential)

    def sign_in(parameters):
        if parameters.get("confirmation") != "h":
            raise refusal
        return {"event": {"sessionID": "s", "state": "completed", "expiresAt": "2026-11-21T06:24:00Z", "account": ACCOUNT}}

    def attach(parameters):
        raise refusal

    session = {
        "sessionID": "s", "providerID": "work", "account": "grace", "app": "", "intent": "keep", "state": "authorizationPending",
        "startedAt": "2026-11-21T06:24:00Z", "expiresAt": "2026-11-21T06:34:00Z"}
    service = Service(
        tmp_path, SignIn=sign_in, AttachSession=attach, ListSessions={"sessions": [session]}, ListCredentials={"credentials": [ACCOUNT]})
    yield service
    service.close()


def test_an_account_confirmed_by_the_user_is_stored_without_another_page(unsure):
    command = Command(unsure, "sign-in", "grace", terminal=True)
    command.read_until(r"Is grace@example\.org \(7\) yours, and the one to keep as grace\? \[y/N\]")
    command.type("y\n")
    status, out = command.end()
    assert (status, out) == (0, "signed in as Grace Hopper at work (account grace)\n") and "postern token grace" in command.text, command.text
    assert unsure.called("SignIn")[-1] == {"providerID": "grace", "intent": "keep", "confirmation": "h"}


def test_an_unconfirmed_account_is_not_stored(unsure):
    command = Command(unsure, "sign-in", "grace", terminal=True)
    command.read_until(r"\[y/N\]")
    command.type("n\n")
    assert command.end()[0] == 2 and run(unsure, "sign-in", "grace").returncode == 1 and len(unsure.called("SignIn")) == 2


@pytest.mark.parametrize("answer, end", [("y\n", (0, "signed in as Grace Hopper at work (account grace)\n")), ("n\n", (2, ""))])
def test_an_attached_sign_in_asks_for_the_confirmation_too(unsure, answer, end):
    command = Command(unsure, "attach", "s", terminal=True)
    command.read_until(r"Is grace@example\.org \(7\) yours, and the one to keep as grace\? \[y/N\]")
    command.type(answer)
    assert command.end() == end, command.text
    assert unsure.called("SignIn") == ([{"providerID": "grace", "intent": "keep", "confirmation": "h"}] if end[0] == 0 else [])
    assert run(unsure, "attach", "s").returncode == 1, "nobody can be asked"


# ---- What is asked for, and by which name ---------------------------------------


def test_a_program_that_requests_one_scope_does_not_drop_the_others(two):
    def asked(*arguments):
        command = Command(two, "sign-in", "first", "--no-browser", *arguments)
        url = command.read_until(URL.pattern)
        assert consent(url).status_code == 200 and command.end()[0] == 0, command.text
        return set(parameters(url)["scope"].split())

    usual = {"openid", "email", "profile", "offline_access"}
    assert asked("--scope", "openid") == {"openid"}
    assert asked() == usual
    assert asked("--scope", "openid") == usual
    pending = SignIn(two, providerID="first", scopes=["openid"])
    assert set(parameters(pending.url)["scope"].split()) == {"openid"}, "an app's is its own"


def test_an_address_selects_its_account_unless_several_have_it(two):
    keep(two)
    done = run(two, "token", "Ada@example.com")
    assert done.returncode == 0 and done.stdout == run(two, "token", "first").stdout, done.stderr
    assert run(two, "token", "eve@example.com").returncode == 1 and run(two, "token", "ada").returncode == 1
    keep(two, person="grace")
    assert run(two, "token", "ada@example.com").stdout == done.stdout
    keep(two, "second")
    several = run(two, "token", "ada@example.com")
    ended(several, 64, "ada@example.com is the address of 2 accounts", "say which: first --account ada@example.com, second")
    assert several.stdout == ""


def test_one_command_names_an_account_that_needs_a_name(two):
    keep(two)
    keep(two, person="grace")
    done = run(two, "sasl", "xoauth2", "first")
    advice = "postern accounts rename ACCOUNT NAME, where ACCOUNT is ada@example.com or grace@example.org; then use NAME in place of first"
    ended(done, 1, "several accounts at First are stored here: ada@example.com, grace@example.org; name one of them", advice)
    assert run(two, "accounts", "rename", "grace@example.org", "navy").returncode == 0
    assert run(two, "sasl", "xoauth2", "navy").returncode == 0


def test_on_a_terminal_user_token_names_its_app(two):
    sign_in(two, providerID="first")
    for arguments, says in [((), True), (("--app", "default"), False), (("--quiet",), False)]:
        command = Command(two, "user-token", "--audience", "notes.example", *arguments, terminal=True)
        status, out = command.end()
        assert status == 0 and out.count("\n") == 1 and ("about the user of the app default" in command.text) is says, command.text


# ---- Signing in, taken up again -----------------------------------------------


@pytest.mark.parametrize("more, words", [
    ({"intent": "keep"}, f"signed in as {ADA}\n"), ({"app": "mail"}, "signed in as Ada Lovelace <ada@example.com> with First in the app mail\n"),
    ({"intent": "credential"}, "First gave a credential\n")])
def test_an_attached_sign_in_reports_its_own_kind_of_result(two, more, words):
    pending = SignIn(two, providerID="first", **more)
    pending.client.close()
    command = Command(two, "attach", pending.id)
    consent(command.read_until(URL.pattern))
    assert command.end() == (0, words), command.text


def test_a_page_that_nobody_saw_is_not_reused_after_its_callers_left(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), browser='["/nonexistent/browser"]').start()
    first = daemon.client()
    first.send("SignIn", {"providerID": "demo", "intent": "keep"}, more=True)
    event = first.receive()["event"]
    while "pageProblem" not in event:
        event = first.receive()["event"]
    joined = daemon.client()
    joined.send("SignIn", {"providerID": "demo", "intent": "keep"}, more=True)
    assert joined.receive()["event"]["sessionID"] == event["sessionID"]
    for client in (first, joined):
        client.close()
    def is_own():
        next_one = SignIn(daemon, intent="keep")
        next_one.client.close()
        return next_one.id != event["sessionID"]

    # As soon as the daemon has seen them go.
    wait_for(is_own, what="a sign-in of its own")


# ---- Signing out --------------------------------------------------------------


def test_sign_out_removes_the_account_and_revokes_it_at_the_provider(two):
    keep(two)
    token = run(two, "token", "first").stdout.strip()
    assert answers(two.issuer, token) == 200
    ended(run(two, "sign-out", "first"), 0, f"{ADA}: revoked at First, and forgotten here")
    assert kept(two) == [] and run(two, "token", "first").returncode == 3 and answers(two.issuer, token) == 401


@pytest.mark.parametrize("command", ["sign-out", "logout", "revoke"])
def test_an_account_can_be_named_by_its_address_and_kept_at_the_provider(two, command):
    keep(two)
    keep(two, person="grace")
    token = run(two, "token", "first", "--account", "grace@example.org").stdout.strip()
    ended(run(two, command, "grace@example.org", "--keep-grant"), 0, f"{GRACE}: forgotten here; what was granted stays granted at First")
    assert [email for _, email, _ in kept(two)] == ["ada@example.com"] and answers(two.issuer, token) == 200


def test_the_apps_that_use_the_account_are_named_before_and_after(two):
    keep(two)
    for app in ("mail", "notes"):
        sign_in(two, providerID="first", app=app)
    command = Command(two, "sign-out", "first", terminal=True)
    command.read_until(r"This forgets Ada Lovelace at First \(account ada@example\.com\) here, and revokes its tokens at First\.")
    command.read_until(r"Users of the apps mail and notes have it, too, and lose its tokens\.")
    command.read_until(r"Sign out\? \[y/N\]")
    command.type("\n")
    assert command.end()[0] == 2 and len(kept(two)) == 1
    ended(run(two, "sign-out", "first", "--yes"), 0, "revoked at First", "users of the apps mail and notes had it, too")
    assert kept(two) == [] and user_of(two, "mail")["email"] == "ada@example.com"


def test_without_apps_enter_confirms_and_yes_skips_the_question(two):
    for arguments, answer in [((), "\n"), (("--yes",), None)]:
        keep(two)
        command = Command(two, "sign-out", "first", *arguments, terminal=True)
        if answer:
            command.read_until(r"Sign out\? \[Y/n\]")
            command.type(answer)
        status, _ = command.end()
        assert status == 0 and "forgotten here" in command.text and ("[Y/n]" in command.text) == bool(answer) and kept(two) == []


def test_with_several_accounts_a_user_is_asked_and_a_script_must_choose(two):
    keep(two)
    # With the same identifier, which says nothing about the first.
    keep(two, "second")
    keep(two, person="grace")
    ended(run(two, "sign-out", "first"), 64, "--account ada@example.com, --account grace@example.org")
    command = Command(two, "sign-out", "first", terminal=True)
    number = command.read_until(r"\d  Grace Hopper at First")[0]
    command.read_until(r"Which one\?")
    command.type(f"{number}\n")
    command.read_until(r"Sign out\?")
    command.type("y\n")
    assert command.end()[0] == 0 and [email for _, email, _ in kept(two)] == ["ada@example.com"] * 2, command.text


def test_an_address_at_two_providers_is_ambiguous(two):
    keep(two)
    keep(two, "second")
    ended(run(two, "sign-out", "ada@example.com"), 64, "could mean several accounts", "use first or second")
    assert len(kept(two)) == 2


def test_signing_out_an_apps_user_keeps_the_tokens(two):
    sign_in(two, providerID="first", app="mail")
    ended(run(two, "sign-out", "--app", "mail"), 0, "signed out of the app mail; tokens stay")
    assert run(two, "whoami", "--app", "mail").returncode == 3 and kept(two) == [("first", "ada@example.com", ["mail"])]
    assert run(two, "sign-out", "--app", "mail").returncode == 0
    assert json.loads(run(two, "sign-out", "--app", "mail", "--json").stdout) == {}


def test_an_ambiguous_sign_out_without_arguments_only_lists_the_possibilities(two):
    words = {"first": ["postern sign-out first"], "second": ["Ada Lovelace at Second", "postern sign-out second"],
             "mail": ["the user Ada Lovelace <ada@example.com> of the app mail", "postern sign-out --app mail"]}

    def names(*meanings):
        before = kept(two)
        for arguments in ([], ["--yes"]):
            ended(run(two, "sign-out", *arguments), 64, ADA, *(word for meaning in meanings for word in words[meaning]))
        command = Command(two, "logout", terminal=True)
        assert command.end()[0] == 64 and kept(two) == before

    keep(two)
    sign_in(two, providerID="first", app="mail")
    names("first", "mail")
    keep(two, "second")
    names("first", "second", "mail")
    two.call("SignOut", {"app": "mail"})
    names("first", "second")


def test_an_unambiguous_sign_out_without_arguments_asks_and_proceeds(two):
    ended(run(two, "sign-out"), 0, "there is nothing to sign out of")
    keep(two)
    ended(run(two, "sign-out"), 64, "there is no terminal", "postern sign-out first")
    command = Command(two, "sign-out", terminal=True)
    command.read_until(r"This forgets Ada Lovelace at First")
    command.read_until(r"Sign out\? \[Y/n\]")
    command.type("y\n")
    assert command.end()[0] == 0 and kept(two) == []
    two.call("SignInAnonymously")
    command = Command(two, "sign-out", terminal=True)
    command.read_until(r"Sign an anonymous user out of the app default\? Tokens stay\. \[Y/n\]")
    command.type("n\n")
    assert command.end()[0] == 2 and not user_of_nobody(two)
    ended(run(two, "sign-out", "--yes"), 0, "signed out of the app default")
    assert user_of_nobody(two)
