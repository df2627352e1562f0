"""The executable source of Google's external accounts, with Google's own library against a token service on loopback."""
import json
import shlex
import stat
import time

import pytest
from commands import POSTERN
from fake import Server
from helper_programs import helper, shared

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


@pytest.fixture(scope="module")
def daemon(tmp_path_factory):
    work = '[provider.work]\nkind = "oidc"\nissuer = "https://login.example.org"\nclient-id = "c"\n'
    with shared(tmp_path_factory.mktemp("daemon"), "https://api.example.org", more=work) as daemon:
        yield daemon


@pytest.fixture
def refreshed(monkeypatch, daemon, service):
    """`refreshed(account)`: credentials of Google's library, refreshed by the helper."""
    from google.auth import pluggable
    from google.auth.transport.requests import Request

    monkeypatch.setenv("GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES", "1")
    monkeypatch.setenv("POSTERN_SOCKET", str(daemon.path))

    def refresh(account="demo", **executable):
        credentials = pluggable.Credentials(
            audience="//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/postern", subject_token_type=TYPE,
            token_url=f"{service.origin}/v1/token",
            credential_source={"executable": {"command": shlex.join([POSTERN, "helper", "google", account]), "timeout_millis": 30000, **executable}})
        credentials.refresh(Request())
        return credentials

    return refresh


def test_the_library_exchanges_an_id_token(daemon, service, refreshed):
    assert refreshed().token == "google-token"
    [request] = service.sent("/v1/token")
    assert request.form["subject_token"] == daemon.call("GetIDToken", {"providerID": "demo"})["idToken"]
    assert request.form["subject_token_type"] == TYPE


def test_the_library_reads_the_output_file_first(service, refreshed, tmp_path):
    file = tmp_path / "kept"
    refreshed(output_file=str(file))
    kept = json.loads(file.read_text())
    assert kept["success"] and kept["expiration_time"] > time.time() and stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("kept")] == ["kept"]
    # Without the program, from the file.
    assert refreshed(account="nobody", output_file=str(file)).token == "google-token" and len(service.sent("/v1/token")) == 2


def test_the_library_says_what_to_run(service, refreshed):
    from google.auth.exceptions import RefreshError

    with pytest.raises(RefreshError, match="code: 401, message: .*postern sign-in work"):
        refreshed(account="work")
    assert service.requests == []


def test_the_helper_writes_nothing_to_standard_error(daemon):
    """The library reads it as part of the answer."""
    status, out, words = helper(daemon, "google", "work")
    assert (status, words) == (0, "") and json.loads(out)["success"] is False
