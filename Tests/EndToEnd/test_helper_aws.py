"""credential_process with Amazon's own library, against a Security Token Service on loopback."""
import re
import shlex
import shutil
import time

import pytest
from commands import POSTERN
from fake import Server
from helper_programs import helper, signed_in

botocore = pytest.importorskip("botocore.session")
exceptions = pytest.importorskip("botocore.exceptions")

ROLE = "arn:aws:iam::123456789012:role/deploy"
NAMESPACE = "https://sts.amazonaws.com/doc/2011-06-15/"


class TokenService(Server):
    """Answers as the API reference of AWS says; `refusal` is a code and a sentence."""

    def __init__(self):
        super().__init__()
        self.refusal = None

    def answer(self, request):
        if self.refusal:
            code, message = self.refusal
            return 403, f'<ErrorResponse xmlns="{NAMESPACE}"><Error><Type>Sender</Type><Code>{code}</Code><Message>{message}</Message></Error></ErrorResponse>'
        end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600))
        return 200, f"""<AssumeRoleWithWebIdentityResponse xmlns="{NAMESPACE}"><AssumeRoleWithWebIdentityResult>
  <SubjectFromWebIdentityToken>ada</SubjectFromWebIdentityToken><Audience>postern</Audience>
  <Credentials><SessionToken>session/token+1==</SessionToken><SecretAccessKey>secret/key</SecretAccessKey>
  <Expiration>{end}</Expiration><AccessKeyId>ASIAEXAMPLE{len(self.requests)}</AccessKeyId></Credentials>
</AssumeRoleWithWebIdentityResult><ResponseMetadata><RequestId>c0</RequestId></ResponseMetadata></AssumeRoleWithWebIdentityResponse>"""


@pytest.fixture
def service():
    service = TokenService()
    yield service
    service.close()


@pytest.fixture
def profile(tmp_path, monkeypatch):
    """A session of botocore whose profile runs the helper."""
    config = tmp_path / "aws"
    monkeypatch.setenv("AWS_CONFIG_FILE", str(config))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)

    def make(daemon, service, *more, account="demo"):
        monkeypatch.setenv("POSTERN_SOCKET", str(daemon.path))
        command = shlex.join([POSTERN, "helper", "aws", account, "--role-arn", ROLE, "--sts-endpoint", f"{service.origin}/", *more])
        config.write_text(f"[profile p]\ncredential_process = {command}\n")
        return botocore.Session(profile="p")

    return make


def test_the_library_gets_keys_for_an_id_token(make_daemon, demo_provider, service, profile):
    daemon = signed_in(make_daemon, demo_provider, "https://api.example.org")
    keys = profile(daemon, service, "--session-name", "ada@desk", "--duration", "7200").get_credentials().get_frozen_credentials()
    assert (keys.access_key, keys.secret_key, keys.token) == ("ASIAEXAMPLE1", "secret/key", "session/token+1==")
    [request] = service.requests
    assert request.form == {
        "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleArn": ROLE, "RoleSessionName": "ada@desk",
        "DurationSeconds": "7200", "WebIdentityToken": daemon.call("GetIDToken", {"providerID": "demo"})["idToken"]}


def test_the_id_token_is_no_argument(make_daemon, demo_provider, service, tmp_path):
    """A curl of the test notes how it is called, and calls the real one."""
    daemon = signed_in(make_daemon, demo_provider, "https://api.example.org")
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "curl").write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >{tmp_path}/arguments\nenv >{tmp_path}/environment\nexec {shutil.which("curl")} "$@"\n')
    (programs / "curl").chmod(0o755)
    status, out, words = helper(
        daemon, "aws", "demo", "--role-arn", ROLE, "--sts-endpoint", f"{service.origin}/", PATH=f"{programs}:/usr/bin:/bin")
    assert status == 0 and out and words == ""
    token = service.requests[0].form["WebIdentityToken"]
    for name in ("arguments", "environment"):
        assert token not in (tmp_path / name).read_text()
    assert (tmp_path / "arguments").read_text().startswith("--disable\n")


def test_a_refusal_reaches_the_person(make_daemon, demo_provider, service, profile):
    daemon = signed_in(make_daemon, demo_provider, "https://api.example.org")
    service.refusal = ("AccessDenied", "Not authorized to perform sts:AssumeRoleWithWebIdentity")
    with pytest.raises(exceptions.CredentialRetrievalError, match=re.escape("(AccessDenied): Not authorized to perform")):
        profile(daemon, service).get_credentials()
    token = service.requests[0].form["WebIdentityToken"]
    service.refusal = ("InvalidIdentityToken", f"bad: {token}")
    status, out, words = helper(daemon, "aws", "demo", "--role-arn", ROLE, "--sts-endpoint", f"{service.origin}/")
    assert status == 1 and out == b"" and "InvalidIdentityToken" in words and token not in words


@pytest.mark.parametrize("status, body", [
    (200, "<html>welcome</html>"), (200, "{}"), (500, ""), (302, ""), (200, "<a>" * 1000), (200, "x" * 200_000),
], ids=lambda value: str(value)[:20])
def test_an_answer_of_something_else_gives_no_keys(make_daemon, demo_provider, service, status, body):
    daemon = signed_in(make_daemon, demo_provider, "https://api.example.org")
    service.next = [("/", status, body)]
    ended, out, words = helper(daemon, "aws", "demo", "--role-arn", ROLE, "--sts-endpoint", f"{service.origin}/")
    assert ended == 1 and out == b"" and service.origin in words


def test_nobody_there(make_daemon, demo_provider, service, profile):
    daemon = signed_in(make_daemon, demo_provider, "https://api.example.org")
    service.close()
    status, out, words = helper(daemon, "aws", "demo", "--role-arn", ROLE, "--sts-endpoint", f"{service.origin}/")
    assert status == 1 and out == b"" and "could not be reached" in words
    status, out, words = helper(daemon, "aws", "demo", "--role-arn", ROLE, "--sts-endpoint", f"{service.origin}/", PATH="/nowhere")
    assert status == 1 and out == b"" and "curl is needed" in words


def test_a_person_is_told_what_to_run(make_daemon, service, profile):
    daemon = make_daemon('[provider.work]\nkind = "oidc"\nissuer = "https://login.example.org"\nclient-id = "c"\n').start()
    with pytest.raises(exceptions.CredentialRetrievalError, match="postern sign-in work"):
        profile(daemon, service, account="work").get_credentials()
    assert service.requests == []


@pytest.mark.parametrize("endpoint", ["http://sts.example.org/", "https://sts.amazonaws.com@evil.example/", "file:///etc/passwd", "-oX"])
def test_an_id_token_goes_nowhere_without_encryption(make_daemon, endpoint):
    daemon = make_daemon().start()
    status, out, words = helper(daemon, "aws", "demo", "--role-arn", ROLE, "--sts-endpoint", endpoint)
    assert status == 64 and out == b"" and "--sts-endpoint" in words
