"""`[accounts] authority = "firebase"`: the tables in `firebase/`, and what does not fit into one."""
import concurrent.futures
import subprocess
import threading

import pytest
from firebase_tables import TABLES, Play, all_cases
from identity_toolkit import TOOLKIT, IdentityToolkit, totp
from person import consent
from postern import BIN, VarlinkError, ends_with, oidc, wait_for
from signing_in import SignIn


@pytest.mark.parametrize("case", all_cases(), ids=str)
def test_table(case, make_daemon):
    Play(case, make_daemon).run()


def test_every_number_of_the_emulators_cases_is_played_or_has_its_reason():
    numbers = {str(case).split(": ", 1)[1].split()[0] for case in all_cases()}
    for line in (TABLES / "not-applicable.txt").read_text().splitlines():
        if not line.startswith("#"):
            span, _, reason = line.partition(" ")
            first, _, last = span.partition("-")
            assert reason.strip(), line
            skipped = {str(number) for number in range(int(first), int(last or first) + 1)}
            assert not skipped & numbers, line
            numbers |= skipped
    wanted = {str(number) for number in range(1, 109)}
    assert wanted <= numbers, sorted(wanted - numbers, key=int)


@pytest.fixture
def project():
    server = IdentityToolkit()
    yield server
    server.close()


@pytest.fixture
def daemon(make_daemon, project, demo_provider):
    return make_daemon(project.configuration() + oidc(demo_provider)).start()


def sign_in(daemon, **parameters):
    pending = SignIn(daemon, **parameters)
    consent(pending.url)
    return pending.completed()


def test_a_sign_in_in_the_browser_ends_at_the_project(daemon, project):
    event = sign_in(daemon)
    user = event["result"]["user"]
    assert user["uid"] in project.users and event["result"]["additionalUserInfo"]["isNewUser"]
    assert daemon.call("GetCurrentUser")["user"] == user
    # What the provider gave stays here.
    [credential] = daemon.call("ListCredentials")["credentials"]
    assert credential["providerID"] == "demo" and daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
    # And nobody of the project's is a user of this machine's.
    assert daemon.call("GetStatus")["users"] == 0
    assert sign_in(daemon)["result"]["user"]["uid"] == user["uid"]


def test_a_sign_in_in_the_browser_that_the_project_does_not_take(daemon, project):
    daemon.call("SignInAnonymously", {"app": "b"})
    sign_in(daemon)
    with pytest.raises(VarlinkError) as failure:
        sign_in(daemon, intent="link", app="b")
    assert failure.value.short == "CredentialAlreadyInUse" and failure.value.parameters["code"] == 17025
    handle = failure.value.parameters["credential"]["handle"]
    assert daemon.call("SignInWithCredential", {"credential": {"handle": handle}, "app": "b"})["result"]["user"]["providerData"]


def test_the_providers_credential_survives_a_project_that_cannot_be_reached(daemon, project):
    project.next.append((TOOLKIT + "v1/accounts:signInWithIdp", 503, ""))
    with pytest.raises(VarlinkError) as failure:
        sign_in(daemon)
    assert failure.value.short == "ProviderUnreachable" and failure.value.parameters["providerID"] == "firebase"
    assert "user" not in daemon.call("GetCurrentUser")
    assert daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]


def test_one_handle_signs_in_once(daemon, project):
    handle = sign_in(daemon, intent="credential")["credential"]["handle"]

    def use(_):
        try:
            return daemon.call("SignInWithCredential", {"credential": {"handle": handle}})["result"]["operation"]
        except VarlinkError as error:
            return error.short

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(use, range(4))) == ["InvalidCredential"] * 3 + ["signIn"]
    assert len(project.sent(TOOLKIT + "v1/accounts:signInWithIdp")) == 1


def test_a_hundred_programs_cause_one_renewal(daemon, project):
    project.lifetime = 0
    daemon.call("SignInAnonymously")
    project.lifetime = 3600
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        tokens = set(pool.map(lambda _: daemon.call("GetUserToken", {"audience": "demo-project"})["idToken"], range(100)))
    assert len(tokens) == 1 and len(project.sent("/securetoken.googleapis.com/v1/token")) == 1


def test_two_links_of_one_account_at_once(daemon, project):
    for app in "ab":
        daemon.call("SignInAnonymously", {"app": app})
    handles = {app: sign_in(daemon, intent="credential")["credential"]["handle"] for app in "ab"}

    def link(app):
        try:
            daemon.call("SignInWithCredential", {"credential": {"handle": handles[app]}, "intent": "link", "app": app})
            return "linked"
        except VarlinkError as error:
            return error.short

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(link, "ab")) == ["CredentialAlreadyInUse", "linked"]


def test_the_key_goes_to_the_project_and_nowhere_else(daemon, project):
    project.next.append((TOOLKIT + "v1/accounts:signUp", 400,
                         {"error": {"message": f"WEAK_PASSWORD : {project.key}", "code": 400}}))
    with pytest.raises(VarlinkError) as failure:
        daemon.call("CreateUser", {"email": "a@x.example", "password": "secret-of-a"})
    assert project.key not in str(failure.value.parameters)
    daemon.call("CreateUser", {"email": "a@x.example", "password": "secret-of-a"})
    daemon.call("GetUserToken", {"audience": "demo-project"})
    token = daemon.call("GetUserToken", {"audience": "demo-project"})["idToken"]
    log = daemon.log.read_text()
    assert project.key not in log and "secret-of-a" not in log and token not in log
    assert all("key" not in request.query for request in project.requests)
    assert all(project.key.encode() not in path.read_bytes() for path in (daemon.directory / "state").iterdir())


def test_the_authority_changes_at_the_next_start_and_keeps_its_own(make_daemon, project):
    daemon = make_daemon(project.configuration()).start()
    uid = daemon.call("SignInAnonymously")["result"]["user"]["uid"]
    daemon.write("")
    daemon.call("Reload")
    assert "[accounts] authority takes effect at the next start" in daemon.log.read_text()
    assert daemon.call("GetCurrentUser")["user"]["uid"] == uid
    daemon.stop()
    daemon.start()
    assert "user" not in daemon.call("GetCurrentUser")
    daemon.stop()
    daemon.write(project.configuration())
    daemon.start()
    assert daemon.call("GetCurrentUser")["user"]["uid"] == uid


def test_another_projects_users_are_nobody(make_daemon, project):
    daemon = make_daemon(project.configuration()).start()
    daemon.call("SignInAnonymously")
    daemon.write(project.configuration().replace(project.key, "another-key"))
    daemon.call("Reload")
    assert "user" not in daemon.call("GetCurrentUser")
    with ends_with("ProviderNotConfigured"):
        daemon.call("SignInAnonymously")


def test_tokens_of_another_project_than_the_configured_one_are_refused(make_daemon, project):
    daemon = make_daemon(project.configuration(project_id="another-project")).start()
    with pytest.raises(VarlinkError) as failure:
        daemon.call("SignInAnonymously")
    assert failure.value.parameters["code"] == 17002 and "user" not in daemon.call("GetCurrentUser")


def test_without_its_key_the_rest_still_serves(make_daemon, project, demo_provider):
    accounts = f'[accounts]\nauthority = "firebase"\napi-key = {{ env = "NO_SUCH_KEY" }}\nemulator = "{project.origin}"\n'
    daemon = make_daemon(accounts + oidc(demo_provider)).start()
    with pytest.raises(VarlinkError) as failure:
        daemon.call("SignInAnonymously")
    assert failure.value.short == "ProviderNotConfigured" and "NO_SUCH_KEY" in failure.value.parameters["message"]
    assert sign_in(daemon, intent="credential")["credential"]["accessToken"]


# The words of the reference's section 9, with the error and the number that each must have.
WORDS = """
USER_NOT_FOUND UserNotFound 17011
EMAIL_NOT_FOUND UserNotFound 17011
INVALID_IDENTIFIER InvalidEmail 17008
INVALID_EMAIL InvalidEmail 17008
INVALID_ID_TOKEN SignInRequired 17017
TOKEN_EXPIRED SignInRequired 17021
CREDENTIAL_TOO_OLD_LOGIN_AGAIN RequiresRecentSignIn 17014
EMAIL_EXISTS EmailAlreadyInUse 17007
OPERATION_NOT_ALLOWED ProviderNotConfigured 17006
PASSWORD_LOGIN_DISABLED ProviderNotConfigured 17006
USER_DISABLED InvalidCredential 17005
INVALID_PASSWORD WrongPassword 17009
INVALID_IDP_RESPONSE InvalidCredential 17004
INVALID_PENDING_TOKEN InvalidCredential 17004
INVALID_LOGIN_CREDENTIALS InvalidCredential 17004
CREDENTIAL_MISMATCH InvalidCredential 17002
INVALID_CUSTOM_TOKEN InvalidCredential 17000
WEAK_PASSWORD WeakPassword 17026
PASSWORD_DOES_NOT_MEET_REQUIREMENTS WeakPassword 17211
TOO_MANY_ATTEMPTS_TRY_LATER TooManyAttempts 17010
EXPIRED_OOB_CODE InvalidCredential 17029
INVALID_OOB_CODE InvalidCredential 17030
MISSING_MFA_PENDING_CREDENTIAL InvalidCredential 17081
MISSING_MFA_ENROLLMENT_ID InvalidCredential 17082
INVALID_MFA_PENDING_CREDENTIAL InvalidCredential 17083
MFA_ENROLLMENT_NOT_FOUND InvalidCredential 17084
ADMIN_ONLY_OPERATION ProviderNotConfigured 17085
UNVERIFIED_EMAIL InternalError 17086
SECOND_FACTOR_EXISTS SecondFactorAlreadyEnrolled 17087
SECOND_FACTOR_LIMIT_EXCEEDED InternalError 17088
UNSUPPORTED_FIRST_FACTOR InternalError 17089
EMAIL_CHANGE_NEEDS_VERIFICATION InternalError 17090
INVALID_PROVIDER_ID ProviderNotFound 17071
MISSING_OR_INVALID_NONCE InvalidIDToken 17094
TENANT_ID_MISMATCH InternalError 17072
UNSUPPORTED_TENANT_OPERATION InternalError 17073
INVALID_CODE InvalidVerificationCode 17044
INVALID_SESSION_INFO InvalidCredential 17046
SESSION_EXPIRED InvalidVerificationCode 17051
QUOTA_EXCEEDED TooManyAttempts 17052
BLOCKING_FUNCTION_ERROR_RESPONSE InternalError 17105
FEDERATED_USER_ID_ALREADY_LINKED InternalError 17025
NEVER_HEARD_OF InternalError 17999
"""


def test_every_word_of_the_project_has_its_error_and_number(make_daemon, project):
    daemon = make_daemon(project.configuration()).start()
    for word, name, number in (line.split() for line in WORDS.strip().splitlines()):
        project.next.append((TOOLKIT + "v1/accounts:signUp", 400, {"error": {"code": 400, "message": f"{word} : a detail"}}))
        with pytest.raises(VarlinkError) as failure:
            daemon.call("SignInAnonymously")
        assert (failure.value.short, failure.value.parameters["code"]) == (name, int(number)), word


def test_an_answer_without_end_is_refused(make_daemon, project):
    daemon = make_daemon(project.configuration()).start()
    project.next.append((TOOLKIT + "v1/accounts:signUp", 200, '{"idToken": "' + "x" * (2 << 20) + '"}'))
    with ends_with("ProviderUnreachable"):
        daemon.call("SignInAnonymously")
    assert daemon.call("SignInAnonymously")["result"]["user"]["isAnonymous"]


class Held:
    """A project that keeps its answer to one call until it is let go; the call was carried out by then."""

    def __init__(self, project, path):
        self.arrived, self.go = threading.Event(), threading.Event()
        answer = project.answer

        def hold(request):
            result = answer(request)
            if request.path == TOOLKIT + path and not self.go.is_set():
                self.arrived.set()
                self.go.wait(30)
            return result

        project.answer = hold


def test_who_signs_out_during_a_link_stays_signed_out(daemon, project):
    daemon.call("SignInAnonymously")
    handle = sign_in(daemon, intent="credential")["credential"]["handle"]
    held = Held(project, "v1/accounts:signInWithIdp")
    client = daemon.client()
    client.send("SignInWithCredential", {"credential": {"handle": handle}, "intent": "link"})
    assert held.arrived.wait(30)
    daemon.call("SignOut")
    held.go.set()
    # The handle has ended with the sign-in that it was for.
    with ends_with("InvalidCredential"):
        client.receive()
    assert "user" not in daemon.call("GetCurrentUser")


def test_a_daemon_that_is_killed_during_a_link_links_at_the_next_try(daemon, project):
    uid = daemon.call("SignInAnonymously")["result"]["user"]["uid"]
    handle = sign_in(daemon, intent="credential")["credential"]["handle"]
    held = Held(project, "v1/accounts:signInWithIdp")
    client = daemon.client()
    client.send("SignInWithCredential", {"credential": {"handle": handle}, "intent": "link"})
    assert held.arrived.wait(30)
    daemon.kill()
    held.go.set()
    daemon.start()
    # Linked there, and unknown here: the handle is still good, and leads to the same user.
    assert daemon.call("GetCurrentUser")["user"]["uid"] == uid
    with pytest.raises(VarlinkError) as failure:
        daemon.call("SignInWithCredential", {"credential": {"handle": handle}, "intent": "link"})
    assert failure.value.short == "CredentialAlreadyInUse"
    handle = failure.value.parameters["credential"]["handle"]
    assert daemon.call("SignInWithCredential", {"credential": {"handle": handle}})["result"]["user"]["uid"] == uid


def test_a_sign_in_in_the_browser_waits_for_its_second_factor(daemon, project):
    user = sign_in(daemon)["result"]["user"]
    record = project.users[user["uid"]]
    record["emailVerified"] = True
    secret = daemon.call("EnrollSecondFactor", {"factorID": "totp"})
    daemon.call("ConfirmSecondFactor", {"enrollmentID": secret["enrollmentID"], "verificationCode": totp(secret["secret"])})
    with pytest.raises(VarlinkError) as failure:
        sign_in(daemon, app="b")
    assert failure.value.short == "SecondFactorRequired" and "user" not in daemon.call("GetCurrentUser", {"app": "b"})
    given = failure.value.parameters
    result = daemon.call("ResolveSecondFactor", {
        "resolver": given["resolver"], "uid": given["hints"][0]["uid"], "verificationCode": totp(secret["secret"])})["result"]
    assert result["user"]["uid"] == user["uid"] and result["credential"]["accessToken"] and result["additionalUserInfo"]["profile"]
    assert daemon.call("GetCurrentUser", {"app": "b"})["user"]["uid"] == user["uid"]


def test_a_lock_waits_for_what_the_project_was_asked(daemon, project):
    held = Held(project, "v1/accounts:signUp")
    client, locking = daemon.client(), daemon.client(60)
    client.send("SignInAnonymously")
    assert held.arrived.wait(30)
    locking.send("Lock")
    # Nothing new begins from the first moment.
    wait_for(lambda: refusal(daemon, "SignInAnonymously", app="b") == "StoreLocked", what="the lock")
    assert locking.silent(0.2)
    held.go.set()
    user = client.receive()["result"]["user"]
    assert locking.receive() == {}
    daemon.call("Unlock")
    assert daemon.call("GetCurrentUser")["user"] == user


def refusal(daemon, method, **parameters):
    try:
        daemon.call(method, parameters)
    except VarlinkError as error:
        return error.short


def test_what_one_project_gave_is_shown_to_no_other(make_daemon, project):
    daemon = make_daemon(project.configuration()).start()
    held = Held(project, "v1/accounts:signUp")
    client = daemon.client()
    client.send("SignInAnonymously")
    assert held.arrived.wait(30)
    other = IdentityToolkit("another-key-0123")
    try:
        daemon.write(other.configuration())
        daemon.call("Reload")
        held.go.set()
        with ends_with("ProviderUnreachable"):
            client.receive()
        assert not other.requests and "user" not in daemon.call("GetCurrentUser")
        assert daemon.call("SignInAnonymously")["result"]["user"]["uid"] in other.users
    finally:
        other.close()


def test_a_code_that_one_project_waits_for_is_no_other_projects(make_daemon, project):
    daemon = make_daemon(project.configuration()).start()
    uid = daemon.call("CreateUser", {"email": "ada@example.com", "password": "correct horse"})["result"]["user"]["uid"]
    project.users[uid]["emailVerified"] = True
    secret = daemon.call("EnrollSecondFactor", {"factorID": "totp"})
    daemon.call("ConfirmSecondFactor", {"enrollmentID": secret["enrollmentID"], "verificationCode": totp(secret["secret"])})
    with pytest.raises(VarlinkError) as failure:
        daemon.call("SignInWithCredential", {"credential": {"email": "ada@example.com", "password": "correct horse"}, "app": "b"})
    given = failure.value.parameters
    other = IdentityToolkit("another-key-0123")
    try:
        daemon.write(other.configuration())
        daemon.call("Reload")
        with ends_with("InvalidCredential"):
            daemon.call("ResolveSecondFactor", {
                "resolver": given["resolver"], "uid": given["hints"][0]["uid"], "verificationCode": "123456"})
        assert not other.requests
    finally:
        other.close()


def test_a_key_that_cannot_be_had_is_told_before_the_start(make_daemon, project):
    daemon = make_daemon('[accounts]\nauthority = "firebase"\napi-key = { env = "NO_SUCH_KEY" }\n')
    check = subprocess.run([BIN / "posternd", "--config", daemon.config, "--check-config"], capture_output=True, text=True)
    assert check.returncode == 1 and "accounts: its api-key cannot be read" in check.stderr and "NO_SUCH_KEY" in check.stderr
