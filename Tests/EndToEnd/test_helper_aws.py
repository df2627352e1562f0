"""credential_process with Amazon's own library, against a Security Token Service on loopback."""
import re
import shlex
import shutil
import time

import pytest
from commands import POSTERN
from fake import Server
from helper_programs import helper, shared

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


@pytest.fixture(scope="module")
def daemon(tmp_path_factory):
    with shared(tmp_path_factory.mktemp("daemon"), "https://api.example.org") as daemon:
        yield daemon


@pytest.fixture
def session(tmp_path, monkeypatch, daemon, service):
    """`session(*more)`: one of botocore, whose profile runs the helper with these arguments."""
    import botocore.session

    config = tmp_path / "aws"
    monkeypatch.setenv("AWS_CONFIG_FILE", str(config))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("POSTERN_SOCKET", str(daemon.path))
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)

    def make(*more):
        command = shlex.join([POSTERN, "helper", "aws", "demo", "--role-arn", ROLE, "--sts-endpoint", f"{service.origin}/", *more])
        config.write_text(f"[profile p]\ncredential_process = {command}\n")
        return botocore.session.Session(profile="p")

    return make


def ask(daemon, service, **more):
    return helper(daemon, "aws", "demo", "--role-arn", ROLE, "--sts-endpoint", f"{service.origin}/", **more)


def test_the_library_gets_keys_for_an_id_token(daemon, service, session):
    keys = session("--session-name", "ada@desk", "--duration", "7200").get_credentials().get_frozen_credentials()
    assert (keys.access_key, keys.secret_key, keys.token) == ("ASIAEXAMPLE1", "secret/key", "session/token+1==")
    [request] = service.requests
    assert request.form == {
        "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleArn": ROLE, "RoleSessionName": "ada@desk",
        "DurationSeconds": "7200", "WebIdentityToken": daemon.call("GetIDToken", {"providerID": "demo"})["idToken"]}


def test_the_library_says_why_there_are_none(service, session):
    from botocore.exceptions import CredentialRetrievalError

    service.refusal = ("AccessDenied", "Not authorized to perform sts:AssumeRoleWithWebIdentity")
    with pytest.raises(CredentialRetrievalError, match=re.escape("(AccessDenied): Not authorized to perform")):
        session().get_credentials()


def test_the_id_token_is_not_passed_as_an_argument(daemon, service, tmp_path):
    """A curl of the test notes how it is called, and calls the real one."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "curl").write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >{tmp_path}/arguments\nenv >{tmp_path}/environment\nexec {shutil.which("curl")} "$@"\n')
    (programs / "curl").chmod(0o755)
    status, out, words = ask(daemon, service, PATH=f"{programs}:/usr/bin:/bin")
    assert status == 0 and out and words == ""
    token = service.requests[0].form["WebIdentityToken"]
    for name in ("arguments", "environment"):
        assert token not in (tmp_path / name).read_text()
    assert (tmp_path / "arguments").read_text().startswith("--disable\n")


def test_without_an_answer_of_the_service_there_are_no_keys(daemon, service):
    service.next = [("/", 200, "x" * 200_000)]
    status, out, words = ask(daemon, service)
    assert status == 1 and out == b"" and service.origin in words
    service.close()
    status, out, words = ask(daemon, service)
    assert status == 1 and out == b"" and "could not be reached" in words
    status, out, words = ask(daemon, service, PATH="/nowhere")
    assert status == 1 and out == b"" and "curl is needed" in words
