"""What a person at a terminal is asked about passwords, second factors and deletion, by the real `postern` and a service of the test."""
import json
import os
import signal
import termios
import time

import pytest
from commands import Command, run
from fake_service import Refusal, Service
from postern import wait_for
from terminal import read_qr

TOTP = {"factorID": "totp", "uid": "f1", "displayName": "my telephone", "enrolledAt": "2026-11-20T06:24:00Z"}
PHONE = {"factorID": "phone", "uid": "f2", "phoneNumber": "+********5678", "enrolledAt": "2026-11-21T06:24:00Z"}
PASSWORD = {"providerID": "password", "uid": "ada@example.com", "email": "ada@example.com"}
ADA = {"uid": "u1", "isAnonymous": False, "displayName": "Ada Lovelace", "email": "ada@example.com", "emailVerified": True,
       "providerData": [PASSWORD], "secondFactors": [], "createdAt": "2026-11-20T06:24:00Z", "lastSignInAt": "2026-11-21T06:24:00Z"}


def result(operation="signIn", **more):
    return {"result": {"user": {**ADA, **more}, "operation": operation}}


@pytest.fixture
def service(tmp_path):
    services = []

    def make(**answers):
        services.append(Service(tmp_path, **{"GetCurrentUser": {"user": ADA}, **answers}))
        return services[-1]

    yield make
    for made in services:
        made.close()


def in_turn(*answers):
    """One answer a call; the last one for all that follow."""
    rest = list(answers)
    return lambda parameters: rest.pop(0) if len(rest) > 1 else rest[0]


# ---- Passwords --------------------------------------------------------------


def test_a_new_password_is_typed_twice_and_not_echoed(service):
    fake = service(CreateUser=in_turn(Refusal("WeakPassword", reason="six letters are wanted"), result()))
    command = Command(fake, "create-user", "ada@example.com", "--name", "Ada Lovelace", "--app", "mail", terminal=True)
    for first, second in [("short", "short"), ("correct horse", "correct hose"), ("correct horse ", "correct horse ")]:
        command.read_until("New password for ada@example.com:")
        assert not termios.tcgetattr(command.master)[3] & termios.ECHO
        command.type(first + "\n")
        command.read_until("Repeat the password:")
        command.type(second + "\n")
        if first != second:
            command.read_until("They do not match")
        elif first == "short":
            command.read_until("That password is too weak")
        assert "short" not in command.text and "horse" not in command.text
    status, out = command.end()
    assert (status, out) == (0, "created, and signed in as, Ada Lovelace <ada@example.com>\n"), command.text
    assert fake.called("CreateUser")[-1] == {
        "email": "ada@example.com", "password": "correct horse ", "displayName": "Ada Lovelace", "app": "mail"}


def test_control_c_restores_the_terminals_echo(service):
    command = Command(service(), "create-user", "ada@example.com", terminal=True)
    command.read_until("New password")
    os.kill(command.process.pid, signal.SIGINT)
    assert command.process.wait(20) == 2
    assert termios.tcgetattr(command.master)[3] & termios.ECHO
    command.end()


def test_without_a_terminal_the_password_is_one_line_of_standard_input(service):
    fake = service(CreateUser=result(), SignInWithCredential=result())
    assert run(fake, "create-user", "ada@example.com", stdin="correct horse\nmore\n").returncode == 0
    assert run(fake, "sign-in", "--email", "ada@example.com", stdin="correct horse").returncode == 0
    assert fake.called("CreateUser")[0]["password"] == "correct horse"
    assert fake.called("SignInWithCredential")[0] == {
        "credential": {"email": "ada@example.com", "password": "correct horse"}, "intent": "signIn", "app": "default"}
    for stdin in ("", "\n"):
        ended = run(fake, "create-user", "ada@example.com", stdin=stdin)
        assert ended.returncode == 64 and "no password" in ended.stderr
    assert len(fake.called("CreateUser")) == 1


def test_a_wrong_password_may_be_retyped_a_limited_number_of_times(service):
    fake = service(SignInWithCredential=in_turn(Refusal("WrongPassword"), result()))
    command = Command(fake, "sign-in", "password", terminal=True)
    command.read_until("Address:")
    command.type("ada@example.com\n")
    for word in ("first", "second"):
        command.read_until("Password of ada@example.com:")
        command.type(word + "\n")
    assert command.end() == (0, "signed in as Ada Lovelace <ada@example.com> with a password in the app default\n")
    fake.answers["SignInWithCredential"] = Refusal("WrongPassword")
    command = Command(fake, "reauthenticate", "password", terminal=True)
    for _ in range(3):
        command.read_until("Password of ada@example.com:")
        command.type("x\n")
    status, out = command.end()
    assert status == 1 and out == "" and "the words of WrongPassword" in command.text


def test_json_never_prompts_for_a_password_on_a_terminal(service):
    command = Command(service(), "sign-in", "--email", "ada@example.com", "--json", terminal=True)
    status, out = command.end()
    assert status == 64 and json.loads(out)["error"] == "wrongUsage" and "standard input" in command.text


def test_an_anonymous_user_is_signed_in_without_a_question(service):
    fake = service(SignInAnonymously=result(isAnonymous=True, displayName=None, email=None, providerData=[]))
    ended = run(fake, "sign-in", "anonymous", "--app", "mail")
    assert (ended.returncode, ended.stdout) == (0, "signed in as an anonymous user\n")
    assert fake.called("SignInAnonymously") == [{"app": "mail"}]


# ---- Second factors ---------------------------------------------------------


def test_the_code_is_asked_for_until_it_is_correct(service):
    required = Refusal("SecondFactorRequired", resolver="r1", hints=[TOTP])
    fake = service(SignInWithCredential=required, ResolveSecondFactor=in_turn(Refusal("InvalidVerificationCode"), result()))
    command = Command(fake, "sign-in", "--email", "ada@example.com", terminal=True)
    command.read_until("Password of")
    command.type("correct horse\n")
    command.read_until("from your authenticator app “my telephone”")
    command.read_until("Code:")
    command.type("000 000\n")
    command.read_until("Wrong code")
    command.type("123-456\n")
    assert command.end() == (0, "signed in as Ada Lovelace <ada@example.com> with a password in the app default\n"), command.text
    assert [call["verificationCode"] for call in fake.called("ResolveSecondFactor")] == ["000000", "123456"]
    assert fake.called("StartSecondFactor") == []


def test_the_user_chooses_the_factor_and_a_phone_receives_its_code(service):
    required = Refusal("SecondFactorRequired", resolver="r1", hints=[TOTP, PHONE])
    fake = service(SignIn=required, StartSecondFactor={}, ResolveSecondFactor=result("reauthenticate"))
    command = Command(fake, "reauthenticate", "work", terminal=True)
    command.read_until(r"Which one\? \[1–2, n to cancel\]")
    command.type("2\n")
    command.read_until(r"A code was sent to your phone \+\*{8}5678")
    command.type("\n")
    command.read_until("A code was sent")
    command.type("123456\n")
    assert command.end() == (0, "still Ada Lovelace <ada@example.com>, confirmed with work in the app default\n"), command.text
    assert fake.called("StartSecondFactor") == [{"resolver": "r1", "uid": "f2"}] * 2
    assert fake.called("ResolveSecondFactor") == [{"resolver": "r1", "uid": "f2", "verificationCode": "123456"}]


def test_too_many_wrong_codes_end_the_sign_in(service):
    required = Refusal("SecondFactorRequired", resolver="r1", hints=[TOTP])
    fake = service(SignIn=required, ResolveSecondFactor=Refusal("TooManyAttempts", retryAfterSeconds=60))
    command = Command(fake, "sign-in", "--app", "default", "work", terminal=True)
    command.read_until("Code:")
    command.type("000000\n")
    status, out = command.end()
    assert status == 1 and out == "" and "the words of TooManyAttempts" in command.text


def test_without_a_terminal_a_required_second_factor_is_reported(service):
    fake = service(SignIn=Refusal("SecondFactorRequired", resolver="secret-resolver", hints=[TOTP]))
    ended = run(fake, "sign-in", "--app", "default", "work")
    # The daemon's sentence says what to do, and nothing says it again.
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", "postern: the words of SecondFactorRequired\n")


def test_an_authenticator_is_enrolled_with_a_qr_code(service, tmp_path):
    uri = "otpauth://totp/Postern:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Postern&algorithm=SHA1&digits=6&period=30"
    fake = service(
        EnrollSecondFactor={"enrollmentID": "e1", "secret": "JBSWY3DPEHPK3PXP", "provisioningURI": uri},
        ConfirmSecondFactor=in_turn(Refusal("InvalidVerificationCode"), {"user": {**ADA, "secondFactors": [TOTP]}}))
    command = Command(fake, "second-factor", "add", "totp", "--name", "my telephone", terminal=True)
    command.read_until("Code:")
    assert read_qr(command.text, tmp_path) == uri
    assert "JBSW Y3DP EHPK 3PXP" in command.text
    for slip in ("1", "12345x", "1234567", "１２３４５６"):
        command.type(slip + "\n")
        command.read_until("It was not tried")
    assert not fake.called("ConfirmSecondFactor")
    command.type("000 000\n")
    command.read_until("Wrong code")
    command.type("123456\n")
    status, out = command.end()
    assert status == 0 and "also asks for a code" in out
    assert fake.called("EnrollSecondFactor") == [{"factorID": "totp", "displayName": "my telephone", "app": "default"}]
    assert fake.called("ConfirmSecondFactor")[1] == {"enrollmentID": "e1", "verificationCode": "123456", "app": "default"}


def test_with_json_an_enrollment_is_left_to_the_program_to_confirm(service):
    enrollment = {"enrollmentID": "e1", "secret": "JBSWY3DPEHPK3PXP", "provisioningURI": "otpauth://totp/x"}
    fake = service(EnrollSecondFactor=enrollment)
    assert json.loads(run(fake, "second-factor", "add", "totp", "--json").stdout) == enrollment
    ended = run(fake, "second-factor", "add", "totp")
    assert ended.returncode == 64 and "ConfirmSecondFactor" in ended.stderr and len(fake.called("EnrollSecondFactor")) == 1


def test_the_factors_are_listed(service):
    fake = service(GetCurrentUser={"user": {**ADA, "secondFactors": [TOTP, PHONE]}})
    assert json.loads(run(fake, "second-factor", "list", "--json").stdout) == {"secondFactors": [TOTP, PHONE]}
    table = run(fake, "second-factor", "list").stdout
    assert "my telephone" in table and "+********5678" in table
    shown = run(fake, "whoami").stdout
    assert "ada@example.com, verified" in shown and "provider       password" in shown and "+********5678" in shown
    assert "since          2026-11-20T06:24:00Z" in shown
    fake.answers["GetCurrentUser"] = {"user": None}
    assert run(fake, "second-factor", "list").returncode == 3


# ---- The user ---------------------------------------------------------------


def test_a_change_that_needs_a_recent_sign_in_asks_for_one_and_continues(service):
    fake = service(
        UpdateUser=in_turn(Refusal("RequiresRecentSignIn"), {"user": {**ADA, "email": "ada@example.org"}}),
        SignInWithCredential=result("reauthenticate"))
    command = Command(fake, "update-user", "--email", "ada@example.org", terminal=True)
    command.read_until(r"Sign in again with a password, and go on\? \[Y/n\]")
    command.type("\n")
    command.read_until("Password of ada@example.com:")
    command.type("correct horse\n")
    assert command.end() == (0, "changed: Ada Lovelace <ada@example.org> in the app default\n"), command.text
    assert fake.called("SignInWithCredential")[0]["intent"] == "reauthenticate"
    assert fake.called("UpdateUser") == [{"app": "default", "email": "ada@example.org"}] * 2


def test_control_c_ends_a_pending_call(service):
    fake = service(UnlinkProvider=lambda parameters: time.sleep(60))
    command = Command(fake, "unlink", "work")
    wait_for(lambda: fake.called("UnlinkProvider"), what="the call")
    os.kill(command.process.pid, signal.SIGINT)
    assert command.end()[0] == 2


def test_a_password_is_linked_after_a_recent_sign_in(service):
    fake = service(SignInWithCredential=in_turn(Refusal("RequiresRecentSignIn"), result("reauthenticate"), result("link")))
    command = Command(fake, "link", "password", "--email", "ada@example.org", terminal=True)
    for _ in range(2):
        command.read_until("New password for ada@example.org:")
        command.type("correct horse\n")
        command.read_until("Repeat the password:")
        command.type("correct horse\n")
        if len(fake.called("SignInWithCredential")) < 2:
            command.read_until(r"Sign in again with a password, and go on\? \[Y/n\]")
            command.type("y\n")
            command.read_until("Password of ada@example.com:")
            command.type("battery staple\n")
    assert command.end() == (0, "a password is linked to Ada Lovelace <ada@example.com> in the app default\n"), command.text
    assert [call["intent"] for call in fake.called("SignInWithCredential")] == ["link", "reauthenticate", "link"]


def test_a_name_and_a_password_can_be_changed(service):
    fake = service(UpdateUser={"user": ADA})
    assert run(fake, "update-user", "--name", "Ada", "--photo", "").returncode == 0
    assert run(fake, "update-user", "--password", stdin="correct horse\n").returncode == 0
    assert fake.called("UpdateUser") == [
        {"app": "default", "displayName": "Ada", "photoURL": ""}, {"app": "default", "password": "correct horse"}]


def test_a_provider_is_unlinked(service):
    fake = service(UnlinkProvider=in_turn({"user": ADA}, Refusal("NoSuchProvider", providerID="work")))
    ended = run(fake, "unlink", "work")
    assert (ended.returncode, ended.stdout) == (0, "work is unlinked from Ada Lovelace <ada@example.com> in the app default; left: a password\n")
    ended = run(fake, "unlink", "work")
    assert ended.returncode == 1 and "postern whoami" in ended.stderr


CREDENTIAL = {"providerID": "work", "uid": "w1", "scopes": [], "refreshable": True, "state": "good"}


def deletion(service):
    user = {**ADA, "providerData": [{"providerID": "work", "uid": "w1"}]}
    others = {**CREDENTIAL, "uid": "another"}
    user["providerData"].append({"providerID": "kept", "uid": "k1"})
    kept = {**CREDENTIAL, "providerID": "kept", "uid": "k1"}
    fake = service(GetCurrentUser={"user": user}, ListCredentials={"credentials": [CREDENTIAL, others, kept]})

    def delete(parameters):
        fake.tell("credentialRevoked", "Elsewhere revoked a credential", providerID="elsewhere")
        fake.tell("credentialRevoked", "Work revoked a credential", providerID="work")
        fake.tell("credentialKept", "the tokens of kept stay", providerID="kept")
        return {}

    fake.answers["DeleteUser"] = delete
    return fake


def test_a_user_is_deleted_after_typing_the_address_and_revocations_are_reported(service):
    fake = deletion(service)
    command = Command(fake, "delete-user", terminal=True)
    command.read_until("Type ada@example.com to delete it:")
    command.type("ADA@example.com\n")
    status, out = command.end()
    assert (status, out) == (0, "deleted: Ada Lovelace <ada@example.com> in the app default\n"), command.text
    assert "Work revoked a credential" in command.text and "Elsewhere" not in command.text
    assert "the tokens of kept stay" in command.text and "has not answered" not in command.text


def test_typing_anything_else_keeps_the_user(service):
    fake = deletion(service)
    command = Command(fake, "delete-user", terminal=True)
    command.read_until("to delete it:")
    command.type("yes\n")
    assert command.end()[0] == 2 and fake.called("DeleteUser") == []


def test_without_a_terminal_a_user_is_deleted_only_with_yes(service):
    fake = deletion(service)
    ended = run(fake, "delete-user", "--app", "mail")
    assert ended.returncode == 64 and "postern delete-user --yes --app mail" in ended.stderr and fake.called("DeleteUser") == []
    ended = run(fake, "delete-user", "--app", "mail", "--yes")
    assert ended.returncode == 0 and "Work revoked a credential" in ended.stderr and fake.called("DeleteUser") == [{"app": "mail"}]
    assert run(fake, "delete-user", "--yes", "--json").stdout == "{}\n"
