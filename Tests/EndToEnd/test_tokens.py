"""Access tokens as they are renewed at a real provider that takes each refresh token once: on a disk that fills up, by a daemon that is killed or ends."""
import json
import subprocess

import pytest
from person import answer, browser
from postern import BIN, FullDisk, VarlinkError, ends_with, free_port, oidc, wait_for
from signing_in import SignIn, sign_in
from token_server import TokenServer

TOKEN = {"providerID": "demo"}
FRESH = {**TOKEN, "forceRefresh": True}
MAIL, FILES = "https://mail.example/", "https://files.example/"


@pytest.fixture
def counted(make_daemon, demo_provider):
    """A daemon that reaches its provider's token endpoint through a server that counts: (daemon, server)."""
    server = TokenServer(f"{demo_provider}/token")
    yield make_daemon(oidc(demo_provider, token_endpoint=server.url), port=free_port()).start(), server
    server.close()


def test_a_rotated_refresh_token_is_stored_before_its_access_token_is_returned(counted):
    daemon, server = counted
    sign_in(daemon)
    tokens = set()
    for _ in range(10):  # the provider takes each refresh token once, and ends them all when one comes twice
        tokens.add(daemon.call("GetAccessToken", FRESH)["accessToken"])
        daemon.kill()
        daemon.start()
    last = daemon.call("GetAccessToken", TOKEN)["accessToken"]
    assert len(tokens) == 10 and last in tokens
    refresh_tokens = [form["refresh_token"] for form in server.forms if "refresh_token" in form]
    assert len(set(refresh_tokens)) == len(refresh_tokens) == 10


SENSELESS = {
    "400 and empty": (400, ""), "401 and empty": (401, ""), "an error outside RFC 6749": (403, '{"error":"invalid_code"}'),
    "no JSON": (200, "not json"), "nothing in it": (200, "{}"), "a number for a token": (200, '{"access_token":7,"token_type":"Bearer"}'),
    "two tokens": (200, '{"access_token":"a","access_token":"b","token_type":"Bearer"}'), "deep": (200, "[" * 3000),
    "a line feed in the token": (200, '{"access_token":"a\\nb","token_type":"Bearer"}'), "another type": (200, '{"access_token":"a","token_type":"mac"}'),
    "a redirect": (302, ""), "more than a mebibyte": (200, '{"access_token":"' + "x" * 1_100_000 + '"}'),
}


def test_a_malformed_token_response_is_an_error_and_keeps_the_credential(counted):
    daemon, server = counted
    for name, (status, body) in SENSELESS.items():
        # After a sign-in the provider is asked again, whatever failed before.
        first = sign_in(daemon)["credential"]["accessToken"]
        server.answer_next(status, body)
        with pytest.raises(VarlinkError) as caught:
            daemon.call("GetAccessToken", FRESH)
        assert caught.value.short in ("ExchangeFailed", "ProviderUnreachable", "SignInRequired"), (name, caught.value)
        assert daemon.call("GetAccessToken", TOKEN)["accessToken"] == first and not server.answers, name


def test_a_code_is_sent_once_even_if_the_response_is_lost(counted):
    daemon, server = counted
    for lose_after in (False, True):
        pending = SignIn(daemon)
        if lose_after:
            server.lose_after = True
        else:
            server.answers.append("close")
        page = browser().get(answer(pending.url))
        with pytest.raises(VarlinkError) as caught:
            pending.completed()
        assert caught.value.short in ("ExchangeFailed", "ProviderUnreachable")
        assert page.status_code == 200
    assert server.count("authorization_code") == 2
    codes = [form["code"] for form in server.forms]
    assert len(set(codes)) == 2


def test_each_resource_has_its_own_token_in_memory(counted):
    daemon, server = counted
    sign_in(daemon)
    first = daemon.call("GetAccessToken", TOKEN)["accessToken"]
    tokens = [daemon.call("GetAccessToken", {**TOKEN, "resource": resource})["accessToken"] for resource in (MAIL, FILES, MAIL, FILES)]
    assert tokens[:2] == tokens[2:] and len({first, *tokens}) == 3
    assert daemon.call("GetAccessToken", TOKEN)["accessToken"] == first
    assert [form.get("resource") for form in server.forms] == [None, MAIL, FILES]
    id_token = daemon.call("GetIDToken", TOKEN)["idToken"]
    for arguments, token in [(("--resource", MAIL), tokens[0]), (("--id-token",), id_token)]:
        done = subprocess.run(
            [str(BIN / "postern"), "token", "demo", *arguments, "--socket", str(daemon.path)], capture_output=True, text=True, timeout=30)
        assert (done.returncode, done.stdout.strip()) == (0, token), done.stderr
    daemon.kill()
    daemon.start()
    assert daemon.call("GetAccessToken", {**TOKEN, "resource": MAIL})["accessToken"] not in tokens
    assert daemon.call("GetAccessToken", TOKEN)["accessToken"] == first


def test_a_full_disk_during_a_refresh_loses_no_refresh_token(counted):
    daemon, server = counted
    first = sign_in(daemon)["credential"]["accessToken"]
    with FullDisk(daemon):
        for _ in range(3):
            with ends_with("StoreDamaged"):
                daemon.call("GetAccessToken", FRESH)
    assert server.count("refresh_token") == 1  # the second and third tried to write what the first got
    assert daemon.call("GetAccessToken", TOKEN)["accessToken"]
    daemon.kill()  # with that call it was written
    daemon.start()
    assert daemon.call("GetAccessToken", FRESH)["accessToken"] != first
    assert server.count("refresh_token") == 2


def test_an_orderly_shutdown_waits_for_a_refresh_and_starts_nothing_new(counted):
    daemon, server = counted
    sign_in(daemon)
    server.open.clear()
    asking, other = daemon.client(), daemon.client()
    other.call("GetStatus")
    asking.send("GetAccessToken", FRESH)
    wait_for(lambda: server.count("refresh_token") == 1, what="the refresh")
    daemon.process.terminate()
    wait_for(lambda: "ending" in daemon.log.read_text(), what="the end")
    with ends_with("InternalError"):
        other.call("GetAccessToken", FRESH)
    server.open.set()
    assert asking.receive()["accessToken"]
    assert daemon.process.wait(20) == 0
    daemon.start()
    assert daemon.call("GetAccessToken", FRESH)["accessToken"]


def test_a_provider_that_is_down_opens_no_page_and_keeps_no_credential_from_being_forgotten(make_daemon, make_provider, tmp_path):
    opened = tmp_path / "opened"
    issuer = make_provider()
    daemon = make_daemon(oidc(issuer), browser=json.dumps(["/bin/sh", "-c", f'echo "$0" >> {opened}'])).start()
    sign_in(daemon)
    process = make_provider.processes[issuer]
    process.terminate()
    process.wait(10)
    with ends_with("ProviderUnreachable"):
        daemon.call("GetAccessToken", FRESH)
    assert daemon.call("GetAccessToken", TOKEN)["accessToken"]
    assert not opened.exists() and all(s["state"] == "completed" for s in daemon.call("ListSessions")["sessions"])
    assert daemon.call("RevokeCredential", TOKEN)["revokedAtProvider"] is False
    assert daemon.call("ListCredentials") == {"credentials": []}


def test_a_credential_is_revoked_at_the_provider_and_removed(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), port=free_port()).start()
    access = sign_in(daemon)["credential"]["accessToken"]
    whoami = lambda: browser(Authorization=f"Bearer {access}").get(f"{demo_provider}/userinfo").status_code
    assert whoami() == 200
    assert daemon.call("RevokeCredential", TOKEN) == {"revokedAtProvider": True, "apps": ["default"]}
    assert whoami() == 401
    assert daemon.call("ListCredentials") == {"credentials": []}
    with ends_with("SignInRequired"):
        daemon.call("GetAccessToken", TOKEN)
    assert daemon.call("GetCurrentUser")["user"]["email"] == "ada@example.com"  # who is signed in stays so
    daemon.kill()
    daemon.start()
    assert daemon.call("ListCredentials") == {"credentials": []}
