"""The dialogues that take a password, a code or a recent sign-in: the real `postern` and the real daemon."""
import re

import pytest
from commands import DISPLAY, Command, run, user_of
from postern import ends_with, oidc
from sealed import make_sign_ins_old
from second_factors import oathtool, telephone, wrong  # noqa: F401 fixtures
from signing_in import browser_command, sign_in
from terminal import read_qr

PASSWORD, NEW = "correct horse battery", "another horse battery"
ADA = "ada@example.com"


@pytest.fixture
def two(make_daemon, make_provider, telephone):  # noqa: F811
    """A daemon that knows two providers, a browser in which Ada says yes to both, and a program that sends codes to telephones."""
    config = oidc(make_provider(), "first", display_name="First", trust_email=True) + oidc(make_provider(), "second", display_name="Second")
    settings, messages = telephone
    daemon = make_daemon(config + settings, browser=browser_command()).start()
    daemon.messages = messages
    return daemon


def create(daemon, email=ADA, *arguments):
    ended = run(daemon, "create-user", email, "--name", "Ada Lovelace", *arguments, stdin=PASSWORD + "\n")
    assert ended.returncode == 0, ended.stderr


def providers(daemon):
    return [data["providerID"] for data in user_of(daemon)["providerData"]]


def answer(command, question, text):
    command.read_until(question)
    command.type(text + "\n")


def long_ago(daemon):
    daemon.stop()
    make_sign_ins_old(daemon)
    daemon.start()


# ---- Passwords --------------------------------------------------------------


def test_the_owner_of_an_address_gives_the_password_and_the_new_account_is_linked(two):
    create(two)
    uid = user_of(two)["uid"]
    two.call("SignOut")
    command = Command(two, "sign-in", "--app", "default", "second", terminal=True, **DISPLAY)
    answer(command, r"\[Y/n\]", "y")
    answer(command, f"Password of {ADA}:", PASSWORD)
    assert command.end() == (0, f"Second is linked to Ada Lovelace <{ADA}>\n"), command.text
    assert user_of(two)["uid"] == uid and sorted(providers(two)) == ["password", "second"]
    two.call("SignOut")
    assert sign_in(two, providerID="second")["result"]["user"]["uid"] == uid


def test_the_owner_chooses_between_two_ways_to_sign_in(two):
    sign_in(two, providerID="first")
    assert run(two, "link", "password", "--email", ADA, stdin=PASSWORD + "\n").returncode == 0
    uid = user_of(two)["uid"]
    two.call("SignOut")
    command = Command(two, "sign-in", "--app", "default", "second", terminal=True, **DISPLAY)
    answer(command, r"Sign in with which one, and link Second to it\? \[1–2, n to cancel\]", "2")
    answer(command, f"Password of {ADA}:", PASSWORD)
    assert command.end() == (0, f"Second is linked to Ada Lovelace <{ADA}>\n"), command.text
    assert user_of(two)["uid"] == uid and sorted(providers(two)) == ["first", "password", "second"]


# ---- Second factors ---------------------------------------------------------


def test_an_authenticator_enrolled_from_the_qr_code_is_required_from_then_on(two, tmp_path):
    sign_in(two, providerID="first")
    command = Command(two, "second-factor", "add", "totp", "--name", "my telephone", terminal=True)
    command.read_until("Code:")
    uri = read_qr(command.text, tmp_path)
    secret = re.search(r"secret=([A-Z2-7]+)", uri)[1]
    assert uri.startswith("otpauth://totp/")
    command.type(wrong(secret) + "\n")
    answer(command, "Wrong code", oathtool(secret, 0))
    assert command.end()[0] == 0, command.text
    two.call("SignOut")

    command = Command(two, "sign-in", "--app", "default", "second", terminal=True, **DISPLAY)
    # The address is the user's: first who has it signs in, which takes the code as well.
    answer(command, r"\[Y/n\]", "y")
    command.read_until("my telephone")
    answer(command, "Code:", wrong(secret))
    command.read_until("Wrong code")
    code = oathtool(secret, 1)
    command.type(f"{code[:3]} {code[3:]}\n")
    assert command.end() == (0, f"Second is linked to Ada Lovelace <{ADA}>\n"), command.text
    assert providers(two) == ["first", "second"]


def test_a_phone_is_enrolled_and_receives_its_code(two):
    sign_in(two, providerID="first")
    command = Command(two, "second-factor", "add", "phone", "+819012341234", terminal=True)
    command.read_until(r"A code was sent to \+819012341234")
    command.type(two.messages()[-1][0]["code"] + "\n")
    assert command.end()[0] == 0, command.text
    two.call("SignOut")
    command = Command(two, "sign-in", "--app", "default", "first", terminal=True, **DISPLAY)
    command.read_until("A code was sent to your phone")
    assert len(two.messages()) == 2
    command.type(two.messages()[-1][0]["code"] + "\n")
    assert command.end()[0] == 0 and user_of(two)["email"] == ADA, command.text
    factor = user_of(two)["secondFactors"][0]["uid"]
    assert run(two, "second-factor", "remove", factor).returncode == 0 and user_of(two)["secondFactors"] == []


# ---- Recent sign-ins --------------------------------------------------------


def test_changing_the_address_asks_for_a_recent_sign_in_and_then_continues(two):
    create(two)
    long_ago(two)
    ended = run(two, "update-user", "--email", "countess@example.com")
    assert ended.returncode == 1 and "postern reauthenticate password" in ended.stderr and user_of(two)["email"] == ADA
    command = Command(two, "update-user", "--email", "countess@example.com", terminal=True)
    answer(command, r"Sign in again with a password, and go on\? \[Y/n\]", "")
    answer(command, f"Password of {ADA}:", PASSWORD)
    assert command.end() == (0, "changed: Ada Lovelace <countess@example.com> in the app default\n"), command.text
    assert user_of(two)["email"] == "countess@example.com"


def test_a_provider_user_is_deleted_after_a_new_sign_in_there(two):
    sign_in(two, providerID="first")
    long_ago(two)
    with ends_with("RequiresRecentSignIn"):
        two.call("DeleteUser")
    command = Command(two, "delete-user", terminal=True, **DISPLAY)
    answer(command, f"Type {ADA} to delete it:", ADA)
    answer(command, r"Sign in again with First, and go on\? \[Y/n\]", "y")
    status, out = command.end()
    assert (status, out) == (0, f"deleted: Ada Lovelace <{ADA}> in the app default\n"), command.text
    assert "revoked a credential" in command.text and two.call("GetStatus") == {**two.call("GetStatus"), "users": 0, "credentials": 0}
