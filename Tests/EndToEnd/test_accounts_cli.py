"""Linking, proving who one is, and what a person is asked where the account rules say no: the real `postern` and the real daemon."""
import json

import pytest
from commands import DISPLAY, URL, Command, run, user_of, user_of_nobody
from person import consent
from postern import oidc, wait_for
from signing_in import browser_command, sign_in

@pytest.fixture
def two(make_daemon, make_provider):
    """A daemon that knows two providers, and a browser in which Ada says yes to both."""
    config = oidc(make_provider(), "first", display_name="First") + oidc(make_provider(), "second", display_name="Second")
    return make_daemon(config, browser=browser_command()).start()


def link_by_page(daemon, *arguments, who="ada"):
    """A command whose page the test opens itself, as somebody."""
    command = Command(daemon, *arguments, "--no-browser")
    consent(command.read_until(URL.pattern), who)
    return command.end()


# ---- Linking and proving ----------------------------------------------------


def test_a_second_provider_is_linked_and_signs_in_as_the_same_user(two):
    status, _ = link_by_page(two, "sign-in", "--app", "default", "first")
    assert status == 0
    uid = user_of(two)["uid"]
    result = run(two, "link", "second", **DISPLAY)
    assert (result.returncode, result.stdout) == (0, "Second is linked to Ada Lovelace <ada@example.com> in the app default\n")
    assert [data["providerID"] for data in user_of(two)["providerData"]] == ["first", "second"]
    assert run(two, "sign-out", "--app", "default").returncode == 0
    _, out = link_by_page(two, "sign-in", "--app", "default", "second", "--json")
    assert json.loads(out)["event"]["result"]["user"]["uid"] == uid
    shown = run(two, "whoami").stdout
    assert "Ada Lovelace <ada@example.com>" in shown and "first (" in shown and "second (" in shown and "since" in shown


def test_reauthenticate_confirms_the_current_user(two):
    sign_in(two, providerID="first")
    result = run(two, "reauthenticate", "first", **DISPLAY)
    assert (result.returncode, result.stdout) == (0, "still Ada Lovelace <ada@example.com>, confirmed with First in the app default\n")


def test_without_a_user_no_page_is_shown(two):
    result = run(two, "link", "first", "--no-browser")
    assert result.returncode == 3 and "http" not in result.stderr and "postern sign-in --app default PROVIDER" in result.stderr


def test_linking_a_linked_provider_says_so_and_succeeds(two):
    sign_in(two, providerID="first")
    sign_in(two, providerID="second", intent="link")
    before = user_of(two)
    for provider, name in [("second", "Second"), ("first", "First")]:
        result = run(two, "link", provider, **DISPLAY)
        assert (result.returncode, result.stdout) == (0, f"{name} was linked to Ada Lovelace <ada@example.com> already in the app default\n")
    assert user_of(two)["providerData"] == before["providerData"]


def test_linking_another_account_of_a_provider_names_the_linked_one(two):
    sign_in(two, providerID="first")
    before = user_of(two)
    sign_in(two, providerID="second", intent="link")
    command = Command(two, "link", "second", "--no-browser")
    consent(command.read_until(URL.pattern), "grace")
    status, out = command.end()
    assert status == 1 and out == "" and "ada@example.com" in command.text and "postern unlink second" in command.text, command.text
    assert user_of(two)["uid"] == before["uid"] and len(user_of(two)["providerData"]) == 2


# ---- An address that belongs to a user --------------------------------------


def test_without_a_terminal_the_commands_for_linking_are_named(two):
    sign_in(two, providerID="first")
    two.call("SignOut")
    result = run(two, "sign-in", "--app", "default", "second", **DISPLAY)
    assert result.returncode == 1 and result.stdout == ""
    assert "postern sign-in --app default first" in result.stderr and "postern link second" in result.stderr
    assert user_of_nobody(two)


def test_with_json_nothing_is_asked_even_on_a_terminal(two):
    sign_in(two, providerID="first")
    two.call("SignOut")
    command = Command(two, "sign-in", "--app", "default", "second", "--json", terminal=True, **DISPLAY)
    status, out = command.end()
    assert status == 1 and json.loads(out)["error"] == "io.postern.AccountExistsWithDifferentCredential" and "[Y/n]" not in command.text


def test_on_a_terminal_the_old_sign_in_is_offered_and_the_new_one_linked(two):
    sign_in(two, providerID="first")
    uid = user_of(two)["uid"]
    two.call("SignOut")
    command = Command(two, "sign-in", "--app", "default", "second", terminal=True, **DISPLAY)
    command.read_until(r"Sign in with First and link Second to it\? \[Y/n\]")
    assert "ada@example.com belongs to a user who signs in with First" in command.text
    command.type("\n")
    status, out = command.end()
    assert (status, out) == (0, "Second is linked to Ada Lovelace <ada@example.com>\n"), command.text
    assert "signed in as Ada Lovelace <ada@example.com> with First" in command.text
    assert user_of(two)["uid"] == uid and [data["providerID"] for data in user_of(two)["providerData"]] == ["first", "second"]


def test_answering_no_changes_nothing(two):
    sign_in(two, providerID="first")
    two.call("SignOut")
    command = Command(two, "sign-in", "--app", "default", "second", terminal=True, **DISPLAY)
    command.read_until(r"\[Y/n\]")
    command.type("what\n")
    command.read_until(r"\[Y/n\]")
    command.type("n\n")
    status, out = command.end()
    assert status == 2 and out == "" and "nothing was changed" in command.text and user_of_nobody(two)


def test_signing_in_as_somebody_else_links_nothing(two):
    sign_in(two, providerID="first")
    two.call("SignOut")
    command = Command(two, "sign-in", "--app", "default", "second", "--no-browser", terminal=True)
    consent(command.read_until(URL.pattern))
    command.read_until(r"\[Y/n\]")
    command.type("y\n")
    wait_for(lambda: two.call("ListSessions")["sessions"][-1]["providerID"] == "first", what="the other page")
    consent(command.read_until(URL.pattern), "grace")
    status, out = command.end()
    assert status == 1 and "Second was not linked" in command.text and "Grace Hopper" in command.text
    assert [data["providerID"] for data in user_of(two)["providerData"]] == ["first"]


# ---- An account that belongs to a user --------------------------------------


@pytest.fixture
def taken(two):
    """Ada signed in with `second`; now Grace is here."""
    two.uid = sign_in(two, providerID="second")["result"]["user"]["uid"]
    two.call("SignOut")
    sign_in(two, "grace", providerID="first")
    return two


def test_signing_in_as_the_accounts_user_is_offered(taken):
    command = Command(taken, "link", "second", terminal=True, **DISPLAY)
    command.read_until(r"That account of Second belongs to another user here\.")
    command.read_until(r"Sign in as that user instead\? \[y/N\]")
    command.type("y\n")
    status, out = command.end()
    assert (status, out) == (0, "signed in as Ada Lovelace <ada@example.com> with Second in the app default\n"), command.text
    assert user_of(taken)["uid"] == taken.uid


def test_another_users_account_is_unchanged_without_confirmation(taken):
    command = Command(taken, "link", "second", terminal=True, **DISPLAY)
    command.read_until(r"\[y/N\]")
    command.type("\n")
    status, out = command.end()
    assert status == 2 and out == "" and user_of(taken)["displayName"] == "Grace Hopper"
