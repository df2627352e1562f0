"""The executable source of Google's external accounts, with Google's own library against a token service on loopback."""
import json
import shlex
import stat
import time

import pytest
from commands import POSTERN
from fake import Server
from helper_programs import helper, signed_in

pluggable = pytest.importorskip("google.auth.pluggable")
exceptions = pytest.importorskip("google.auth.exceptions")
transport = pytest.importorskip("google.auth.transport.requests")

TYPE = "urn:ietf:params:oauth:token-type:id_token"


class TokenService(Server):
    """RFC 8693, as Google's answers."""

    def answer(self, request):
        return 200, {"access_token": "google-token", "issued_token_type": "urn:ietf:params:oauth:token-type:access_token", "token_type": "Bearer", "expires_in": 3600}


@pytest.fixture
def service():
    service = TokenService()
    yield service
    service.close()


def credentials(service, account="demo", **executable):
    return pluggable.Credentials(
        audience="//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/postern", subject_token_type=TYPE,
        token_url=f"{service.origin}/v1/token",
        credential_source={"executable": {"command": shlex.join([POSTERN, "helper", "google", account]), "timeout_millis": 30000, **executable}})


@pytest.fixture
def allowed(monkeypatch):
    """What the library wants set, and the daemon that the helper is to ask."""
    monkeypatch.setenv("GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES", "1")
    return lambda daemon: monkeypatch.setenv("POSTERN_SOCKET", str(daemon.path))


def test_the_library_exchanges_an_id_token(make_daemon, demo_provider, service, allowed):
    daemon = signed_in(make_daemon, demo_provider, "https://api.example.org")
    allowed(daemon)
    mine = credentials(service)
    mine.refresh(transport.Request())
    assert mine.token == "google-token"
    [request] = service.sent("/v1/token")
    assert request.form["subject_token"] == daemon.call("GetIDToken", {"providerID": "demo"})["idToken"]
    assert request.form["subject_token_type"] == TYPE


def test_the_file_is_asked_first(make_daemon, demo_provider, service, allowed, tmp_path):
    daemon = signed_in(make_daemon, demo_provider, "https://api.example.org")
    allowed(daemon)
    file = tmp_path / "kept"
    credentials(service, output_file=str(file)).refresh(transport.Request())
    kept = json.loads(file.read_text())
    assert kept["success"] and kept["expiration_time"] > time.time() and stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("kept")] == ["kept"]
    # Without the program, from the file.
    again = credentials(service, account="nobody", output_file=str(file))
    again.refresh(transport.Request())
    assert again.token == "google-token" and len(service.sent("/v1/token")) == 2


def test_the_library_says_what_to_run(make_daemon, service, allowed):
    daemon = make_daemon('[provider.work]\nkind = "oidc"\nissuer = "https://login.example.org"\nclient-id = "c"\n').start()
    allowed(daemon)
    with pytest.raises(exceptions.RefreshError, match="code: 401, message: .*postern sign-in work"):
        credentials(service, account="work").refresh(transport.Request())
    assert service.requests == []


def test_without_a_daemon(make_daemon, service, allowed):
    allowed(make_daemon())
    with pytest.raises(exceptions.RefreshError, match="code: 503, message: the daemon cannot be reached"):
        credentials(service).refresh(transport.Request())


def test_nothing_is_on_standard_error(make_daemon):
    """The library reads it as part of the answer."""
    daemon = make_daemon().start()
    for arguments, more in [(["demo"], {}), ([], {}), (["demo"], {"GOOGLE_EXTERNAL_ACCOUNT_REVOKE": "1"}),
                            (["demo"], {"GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE": "urn:ietf:params:oauth:token-type:saml2"})]:
        status, out, words = helper(daemon, "google", *arguments, **more)
        answer = json.loads(out)
        assert (status, words) == (0, "") and answer["success"] is False and answer["version"] == 1 and answer["code"] and answer["message"]


def test_a_file_of_somebody_elses_choice(make_daemon, demo_provider, tmp_path):
    """Only a regular file is replaced, and the answer stands without it."""
    daemon = signed_in(make_daemon, demo_provider, "https://api.example.org")
    target = tmp_path / "precious"
    target.write_text("precious")
    (tmp_path / "link").symlink_to(target)
    for path in (tmp_path / "link", tmp_path, tmp_path / "none" / "file", "/dev/null"):
        status, out, words = helper(daemon, "google", "demo", GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE=str(path))
        assert (status, words) == (0, "") and json.loads(out)["success"]
    assert target.read_text() == "precious" and (tmp_path / "link").is_symlink()
