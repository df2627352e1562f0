"""`[accounts] authority = "firebase"`: the tables in `firebase/`, and what does not fit into one."""
import concurrent.futures

import pytest
from firebase_tables import Play, all_cases
from identity_toolkit import IdentityToolkit
from person import consent
from postern import VarlinkError, ends_with, oidc
from test_sign_in import SignIn


@pytest.mark.parametrize("case", all_cases(), ids=str)
def test_table(case, make_daemon):
    Play(case, make_daemon).run()


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
    project.next.append(("/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp", 503, ""))
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
    assert len(project.sent("/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp")) == 1


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
    project.next.append(("/identitytoolkit.googleapis.com/v1/accounts:signUp", 400,
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
    daemon = make_daemon(
        f'[accounts]\nauthority = "firebase"\napi-key = {{ env = "NO_SUCH_KEY" }}\nemulator = "{project.origin}"\n' + oidc(demo_provider)).start()
    with pytest.raises(VarlinkError) as failure:
        daemon.call("SignInAnonymously")
    assert failure.value.short == "ProviderNotConfigured" and "NO_SUCH_KEY" in failure.value.parameters["message"]
    assert sign_in(daemon, intent="credential")["credential"]["accessToken"]
