"""`[accounts] authority = "firebase"`, with a daemon's process and a project that is asked over HTTP.

The tables, and what they mean, are with FirebaseTableTests.swift, which plays all of them; here it is those marked `end-to-end`.
"""
import shlex
import subprocess

import pytest
from identity_toolkit import TOKEN, TOOLKIT, IdentityToolkit
from person import consent
from postern import BIN, ROOT, VarlinkError, ends_with, oidc
from signing_in import SignIn


@pytest.fixture
def project():
    server = IdentityToolkit()
    yield server
    server.close()


@pytest.fixture
def daemon(make_daemon, project, demo_provider):
    return make_daemon(project.configuration() + oidc(demo_provider)).start()


def cases():
    for path in sorted((ROOT / "Tests/PosternApplicationTests/Tables/Firebase").glob("*.txt")):
        for text in path.read_text().split("\n== ")[1:]:
            title, *steps = [line for line in text.splitlines() if line]
            if steps[0] == "end-to-end":
                yield pytest.param(steps[1:], id=f"{path.stem}-{title}")


class Play:
    def __init__(self, daemon, project):
        self.daemon, self.project, self.names, self.tokens = daemon, project, {}, 0

    def step(self, line):
        head, _, tail = line.partition(" -> ")
        action, *words = shlex.split(head)
        outcome, *checks = shlex.split(tail) or ["ok"]
        try:
            result, error = self.act(action, words, dict(word.split("=", 1) for word in words if "=" in word)) or {}, "ok"
        except VarlinkError as failure:
            result, error = failure.parameters, failure.short
        assert error == outcome.replace("COUNT", "ok"), f"{line}: {error}, {result}"
        for name, expected in (check.split("=", 1) for check in checks):
            found = self.look(result, error == "ok")[name]
            if expected.startswith("@"):
                expected = self.names.setdefault(expected, found)
                assert found, line
            if expected.startswith("~"):
                assert expected[1:] in found, f"{line}: {name} is {found}"
            else:
                assert str(found) == {"true": "True", "false": "False"}.get(expected, expected), f"{line}: {name} is {found}"

    def act(self, action, words, given):
        call = TOKEN if words[:1] == ["token"] else TOOLKIT + "v1/accounts:" + "".join(words[:1])
        if action == "server":
            self.project.lifetime = int(given["lifetime"])
        elif action == "fails":
            self.project.next.append((call, int(given["status"]), ""))
        elif action == "asked":
            return {"n": len(self.project.sent(call))}
        elif action == "restart":
            self.daemon.kill()
            self.daemon.start()
        elif action == "google":
            self.tokens += 1
            nonce = f"nonce-{self.tokens}-0123456789"
            verified = {"email_verified": given.pop("verified") == "true"} if "verified" in given else {}
            token = self.project.provider_keys.token(nonce=nonce, jti=str(self.tokens), **given, **verified)
            return self.daemon.call("SignInWithCredential", {"credential": {"providerID": "google.com", "idToken": token, "rawNonce": nonce}})
        else:
            methods = {"anonymous": "SignInAnonymously", "current": "GetCurrentUser", "token": "GetUserToken", "create": "CreateUser"}
            return self.daemon.call(methods[action], {{"name": "displayName"}.get(name, name): text for name, text in given.items()})

    def look(self, result, is_user):
        answer = result.get("result", result)
        user = answer.get("user") or {}
        return {
            **answer, "uid": user.get("uid"), "name": user.get("displayName"), "verified": user.get("emailVerified"),
            "new": answer.get("additionalUserInfo", {}).get("isNewUser"), "email": (user if is_user else result).get("email"),
            "linked": ",".join(data["providerID"] for data in user.get("providerData", [])),
            "credential": answer.get("credential", {}).get("providerID"),
        }


@pytest.mark.parametrize("steps", cases())
def test_case(steps, make_daemon, project):
    play = Play(make_daemon(project.configuration()).start(), project)
    for line in steps:
        play.step(line)


def sign_in(daemon, **parameters):
    pending = SignIn(daemon, **parameters)
    consent(pending.url)
    return pending.completed()


def test_a_browser_sign_in_completes_at_the_project(daemon, project):
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


def test_the_api_key_is_sent_only_to_the_project(daemon, project):
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


def test_without_its_api_key_everything_else_works(make_daemon, project, demo_provider):
    accounts = f'[accounts]\nauthority = "firebase"\napi-key = {{ env = "NO_SUCH_KEY" }}\nemulator = "{project.origin}"\n'
    daemon = make_daemon(accounts + oidc(demo_provider)).start()
    with pytest.raises(VarlinkError) as failure:
        daemon.call("SignInAnonymously")
    assert failure.value.short == "ProviderNotConfigured" and "NO_SUCH_KEY" in failure.value.parameters["message"]
    assert sign_in(daemon, intent="credential")["credential"]["accessToken"]


def test_an_oversized_response_is_refused(make_daemon, project):
    daemon = make_daemon(project.configuration()).start()
    project.next.append((TOOLKIT + "v1/accounts:signUp", 200, '{"idToken": "' + "x" * (2 << 20) + '"}'))
    with ends_with("ProviderUnreachable"):
        daemon.call("SignInAnonymously")
    assert daemon.call("SignInAnonymously")["result"]["user"]["isAnonymous"]


def test_check_config_reports_an_unreadable_api_key(make_daemon, project):
    daemon = make_daemon('[accounts]\nauthority = "firebase"\napi-key = { env = "NO_SUCH_KEY" }\n')
    check = subprocess.run([BIN / "posternd", "--config", daemon.config, "--check-config"], capture_output=True, text=True)
    assert check.returncode == 1 and "accounts: its api-key cannot be read" in check.stderr and "NO_SUCH_KEY" in check.stderr
