"""Access tokens: kept, refreshed once for all, and what is said where none can be had."""
import json

import pytest
from commands import run
from person import answer, browser
from postern import VarlinkError, ends_with, free_port, oidc
from signing_in import SignIn, sign_in
from token_server import TokenServer

TOKEN = {"providerID": "demo"}
FRESH = {**TOKEN, "forceRefresh": True}



@pytest.fixture
def counted(make_daemon, make_provider):
    """A daemon that reaches its provider's token endpoint through a server that counts: (daemon, server, issuer, make_provider)."""
    servers = []

    def make(*arguments, **more):
        issuer = make_provider(*arguments)
        server = TokenServer(f"{issuer}/token")
        servers.append(server)
        daemon = make_daemon(oidc(issuer, token_endpoint=server.url), port=free_port(), **more).start()
        return daemon, server, issuer

    yield make
    for server in servers:
        server.close()


def test_a_token_that_is_good_enough_is_handed_out_as_it_is(counted):
    daemon, server, _ = counted()
    credential = sign_in(daemon)["credential"]
    reply = daemon.call("GetAccessToken", TOKEN)
    assert reply["accessToken"] == credential["accessToken"] and reply["uid"] == "demo-1815"
    assert reply["expiresAt"] == credential["expiresAt"] and set(reply["scopes"]) == set(credential["scopes"])
    assert daemon.call("GetAccessToken", {**TOKEN, "uid": "demo-1815", "scopes": ["email"]})["accessToken"] == credential["accessToken"]
    assert server.count("refresh_token") == 0


def test_a_token_too_short_of_time_is_refreshed(counted):
    daemon, server, _ = counted("--access-token-seconds", "100")
    first = sign_in(daemon)["credential"]["accessToken"]
    assert daemon.call("GetAccessToken", TOKEN)["accessToken"] == first
    second = daemon.call("GetAccessToken", {**TOKEN, "minimumValiditySeconds": 101})["accessToken"]
    assert second != first and server.count("refresh_token") == 1
    assert daemon.call("GetAccessToken", TOKEN)["accessToken"] == second
    daemon.kill()
    daemon.start()  # who insists in the same life gets the second, as it was just fetched
    third = daemon.call("GetAccessToken", FRESH)["accessToken"]
    assert third not in (first, second) and server.count("refresh_token") == 2


def test_a_program_that_insists_over_and_over_gets_the_token_just_fetched(counted):
    daemon, server, _ = counted()
    first = sign_in(daemon)["credential"]["accessToken"]
    tokens = {daemon.call("GetAccessToken", FRESH)["accessToken"] for _ in range(50)}
    assert len(tokens) == 1 and first not in tokens and server.count("refresh_token") == 1
    again = sign_in(daemon)["credential"]["accessToken"]
    assert daemon.call("GetAccessToken", FRESH)["accessToken"] not in {again, *tokens}  # what came before a sign-in is forgotten


def test_a_provider_that_fails_again_is_left_alone_for_as_long_as_it_says(counted):
    daemon, server, _ = counted()
    first = sign_in(daemon)["credential"]["accessToken"]
    for _ in range(2):
        server.answer_next(503, "", Retry_After="300")
    for attempt in range(20):
        with ends_with("ProviderUnreachable") as caught:
            daemon.call("GetAccessToken", FRESH)
        assert ("will not be asked again for" in str(caught.value)) == (attempt > 1)
        assert daemon.call("GetAccessToken", TOKEN)["accessToken"] == first
    assert server.count("refresh_token") == 2


def test_a_hundred_callers_at_once_cause_one_refresh(counted):
    daemon, server, _ = counted()
    first = sign_in(daemon)["credential"]["accessToken"]
    server.open.clear()
    clients = [daemon.client() for _ in range(100)]
    for client in clients:
        client.send("GetAccessToken", {**TOKEN, "forceRefresh": True})
    assert server.arrived.acquire(timeout=20)  # the exchange
    assert server.arrived.acquire(timeout=20)  # the refresh
    assert daemon.call("GetStatus")["credentials"] == 1  # all calls before this one have been read, or wait to be
    for client in clients:
        assert client.silent(0)
    late = daemon.client()
    late.send("GetAccessToken", {**TOKEN, "forceRefresh": True})
    daemon.call("GetStatus")
    server.open.set()
    tokens = {client.receive()["accessToken"] for client in [*clients, late]}
    assert len(tokens) == 1 and first not in tokens
    assert server.count("refresh_token") == 1


def test_one_who_leaves_does_not_spoil_the_refresh_for_the_others(counted):
    daemon, server, _ = counted()
    sign_in(daemon)
    server.open.clear()
    leaving, staying = daemon.client(), daemon.client()
    for client in (leaving, staying):
        client.send("GetAccessToken", {**TOKEN, "forceRefresh": True})
    for _ in range(2):
        assert server.arrived.acquire(timeout=20)
    leaving.close()
    server.open.set()
    assert staying.receive()["accessToken"]


def test_a_rotated_refresh_token_is_on_disk_before_its_access_token_is_known(counted):
    daemon, server, _ = counted()
    sign_in(daemon)
    tokens = set()
    for _ in range(10):  # the provider takes each refresh token once, and ends them all when one comes twice
        tokens.add(daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})["accessToken"])
        daemon.kill()
        daemon.start()
    last = daemon.call("GetAccessToken", TOKEN)["accessToken"]
    assert len(tokens) == 10 and last in tokens
    refresh_tokens = [form["refresh_token"] for form in server.forms if "refresh_token" in form]
    assert len(set(refresh_tokens)) == len(refresh_tokens) == 10


def test_a_refresh_token_that_is_refused_is_not_tried_again(counted):
    daemon, server, _ = counted()
    sign_in(daemon)
    server.answer_next(400, '{"error":"invalid_grant","error_description":"it was revoked"}')
    for attempt in range(2):
        with ends_with("SignInRequired") as caught:
            daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})
        assert caught.value.parameters["providerID"] == "demo" and caught.value.parameters["reason"]
        assert server.count("refresh_token") == 1
    assert daemon.call("ListCredentials")["credentials"][0]["refreshable"] is False
    assert daemon.call("GetAccessToken", TOKEN)["accessToken"]  # the one that is kept is still good
    sign_in(daemon)
    assert daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})["accessToken"]


@pytest.mark.parametrize("status, headers, body", [
    (429, {"Retry_After": "7"}, '{"error":"slow_down"}'), (500, {}, "<html>oops</html>"), (503, {"Retry_After": "120"}, ""), (502, {}, "Bad Gateway")])
def test_a_provider_that_cannot_answer_now_costs_no_credential(counted, status, headers, body):
    daemon, server, _ = counted()
    first = sign_in(daemon)["credential"]["accessToken"]
    server.answer_next(status, body, **headers)
    with ends_with("ProviderUnreachable") as caught:
        daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})
    assert str(status) in str(caught.value)
    if "Retry_After" in headers:
        assert headers["Retry_After"] in str(caught.value)
    assert daemon.call("ListSessions")["sessions"][1:] == []  # no page by itself
    assert daemon.call("GetAccessToken", FRESH)["accessToken"] != first


SENSELESS = {
    "400 and empty": (400, ""), "401 and empty": (401, ""), "an error outside RFC 6749": (403, '{"error":"invalid_code"}'),
    "no JSON": (200, "not json"), "nothing in it": (200, "{}"), "a number for a token": (200, '{"access_token":7,"token_type":"Bearer"}'),
    "two tokens": (200, '{"access_token":"a","access_token":"b","token_type":"Bearer"}'), "deep": (200, "[" * 3000),
    "a line feed in the token": (200, '{"access_token":"a\\nb","token_type":"Bearer"}'), "another type": (200, '{"access_token":"a","token_type":"mac"}'),
    "a redirect": (302, ""), "more than a mebibyte": (200, '{"access_token":"' + "x" * 1_100_000 + '"}'),
}


@pytest.mark.parametrize("name", SENSELESS)
def test_a_token_answer_that_makes_no_sense_is_an_error_and_costs_no_credential(counted, name):
    daemon, server, _ = counted()
    status, body = SENSELESS[name]
    first = sign_in(daemon)["credential"]["accessToken"]
    server.answer_next(status, body)
    with pytest.raises(VarlinkError) as caught:
        daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})
    assert caught.value.short in ("ExchangeFailed", "ProviderUnreachable", "SignInRequired"), caught.value
    assert daemon.call("GetAccessToken", TOKEN)["accessToken"] == first


@pytest.mark.parametrize("status, words", [(401, "refused: invalid_client"), (503, "cannot answer now (status 503")])
def test_a_token_endpoint_that_gives_nothing_is_named_once(counted, status, words):
    daemon, server, _ = counted()
    server.answer_next(status, '{"error":"invalid_client"}')
    pending = SignIn(daemon)
    browser().get(answer(pending.url))
    with pytest.raises(VarlinkError) as caught:
        pending.completed()
    sign_in(daemon)
    server.answer_next(status, '{"error":"invalid_client"}')
    ended = run(daemon, "token", "demo", "--refresh")
    assert ended.returncode == 1
    log = daemon.log.read_text().splitlines()
    lines = [caught.value.parameters["message"], ended.stderr]
    lines += [line for beginning in ("sign-in ended: ", "no fresh access token: ") for line in log if beginning in line]
    assert len(lines) == 4
    for line in lines:
        assert line.count("of demo ") == 1 and f"the token endpoint of demo {words}" in line, line


def test_a_code_is_sent_once_though_its_answer_was_lost(counted):
    daemon, server, _ = counted()
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


def test_a_refresh_is_sent_once_though_its_answer_was_lost(counted):
    daemon, server, _ = counted()
    sign_in(daemon)
    server.answers.append("close")
    with ends_with("ProviderUnreachable"):
        daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})
    assert server.count("refresh_token") == 1


def test_a_refresh_token_that_was_spent_by_a_lost_answer_is_told_as_that(counted):
    daemon, server, _ = counted()
    sign_in(daemon)
    server.lose_after = True
    with ends_with("ProviderUnreachable"):
        daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})
    assert len(server.lost) == 1  # the provider has rotated
    server.lose_after = False
    with pytest.raises(VarlinkError) as caught:
        daemon.call("GetAccessToken", FRESH)
    message = caught.value.parameters["message"]
    assert caught.value.short == "SignInRequired" and "invalid_grant" in message
    assert "the answer to the previous renewal never arrived" in message and message.endswith("run `postern sign-in demo`")
    with pytest.raises(VarlinkError) as caught:
        daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})
    assert "there is no refresh token to renew it with" in caught.value.parameters["message"]


def test_where_nothing_was_sent_no_answer_is_said_to_be_lost(counted):
    daemon, server, _ = counted()
    sign_in(daemon)
    server.refuse_connections()
    with ends_with("ProviderUnreachable"):
        daemon.call("GetAccessToken", FRESH)
    server.accept_connections()
    server.answer_next(400, '{"error":"invalid_grant"}')
    with ends_with("SignInRequired") as caught:
        daemon.call("GetAccessToken", FRESH)
    assert "invalid_grant" in str(caught.value) and "never arrived" not in str(caught.value)


def test_a_sign_in_forgets_that_an_answer_was_lost(counted):
    daemon, server, _ = counted()
    sign_in(daemon)
    server.answers.append("close")
    with ends_with("ProviderUnreachable"):
        daemon.call("GetAccessToken", FRESH)
    sign_in(daemon)
    server.answer_next(400, '{"error":"invalid_grant"}')
    with ends_with("SignInRequired") as caught:
        daemon.call("GetAccessToken", FRESH)
    assert "invalid_grant" in str(caught.value) and "never arrived" not in str(caught.value)


def test_a_renewal_is_told_once(make_daemon, make_provider):
    daemon = make_daemon(oidc(make_provider()) + '[daemon]\nlog-level = "debug"\n').start()
    sign_in(daemon)
    monitor = daemon.client()
    monitor.send("Monitor", more=True)
    assert daemon.call("GetAccessToken", FRESH)
    assert daemon.call("RevokeCredential", TOKEN)
    told = []
    while not told or told[-1]["kind"] != "credentialRevoked":
        told.append(monitor.receive())
    [refreshed] = [event for event in told if event["kind"] == "tokenRefreshed"]
    assert refreshed["message"] == "demo renewed the access token" and refreshed["providerID"] == "demo"
    assert daemon.log.read_text().count(refreshed["message"]) == 1
    assert daemon.log.read_text().count("refreshed") == 0


def test_a_sign_in_begins_once(make_daemon, make_provider):
    daemon = make_daemon(oidc(make_provider()) + '[daemon]\nlog-level = "debug"\n').start()
    monitor = daemon.client()
    monitor.send("Monitor", more=True)
    first, second = SignIn(daemon), SignIn(daemon)  # the second joins
    assert first.id == second.id
    browser().get(answer(first.url))
    first.completed()
    told = []
    while not told or told[-1]["kind"] != "resultDelivered":
        told.append(monitor.receive())
    [began] = [event for event in told if event["kind"] == "signInStarted"]
    assert "demo" in began["message"] and len([event for event in told if event["kind"] == "signInJoined"]) == 1
    log = daemon.log.read_text()
    assert log.count("sign-in requested") == 1 and log.count("joined the same sign-in") == 1
    assert "demo: sign-in requested by pid" in log


def test_a_provider_that_is_down_opens_no_page(counted, make_provider, tmp_path):
    opened = tmp_path / "opened"
    daemon, server, issuer = counted(browser=json.dumps(["/bin/sh", "-c", f'echo "$0" >> {opened}']))
    sign_in(daemon)
    server.close()
    with ends_with("ProviderUnreachable"):
        daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})
    assert daemon.call("GetAccessToken", TOKEN)["accessToken"]
    assert not opened.exists() and all(s["state"] == "completed" for s in daemon.call("ListSessions")["sessions"])


def test_a_provider_that_is_down_from_the_start_is_told(make_daemon):
    daemon = make_daemon(oidc(f"http://127.0.0.1:{free_port()}")).start()
    with ends_with("ProviderUnreachable"):
        daemon.call("SignIn", TOKEN, more=True)
    assert [s["state"] for s in daemon.call("ListSessions")["sessions"]] in ([], ["failed"])


@pytest.mark.parametrize("asked, error", [
    (TOKEN, "SignInRequired"), ({**TOKEN, "uid": "demo-1906"}, "SignInRequired"), ({"providerID": "nobody"}, "ProviderNotFound")])
def test_without_a_credential_there_is_no_token(demo, asked, error):
    with ends_with(error):
        demo.call("GetAccessToken", asked)
    if error == "SignInRequired":
        with ends_with(error):
            demo.call("RevokeCredential", {key: value for key, value in asked.items()})


def test_an_answer_without_a_refresh_token_keeps_the_old_one(make_daemon, demo_provider):
    server = TokenServer(f"{demo_provider}/token")
    daemon = make_daemon(oidc(demo_provider, token_endpoint=server.url)).start()
    sign_in(daemon)
    server.answer_next(200, json.dumps({"access_token": "short", "token_type": "Bearer", "expires_in": 30}))
    assert daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})["accessToken"] == "short"
    assert daemon.call("GetAccessToken", {**TOKEN, "minimumValiditySeconds": 5})["accessToken"] == "short"
    assert daemon.call("ListCredentials")["credentials"][0]["refreshable"] is True  # RFC 6749 section 6
    assert daemon.call("GetAccessToken", TOKEN)["accessToken"] != "short"
    server.close()


def test_scopes_that_were_not_granted_are_named(demo):
    sign_in(demo, scopes=["openid", "email"])
    with ends_with("ScopeNotGranted") as caught:
        demo.call("GetAccessToken", {**TOKEN, "scopes": ["email", "profile", "calendar"]})
    assert caught.value.parameters["missing"] == ["profile", "calendar"]
    assert demo.call("GetAccessToken", {**TOKEN, "scopes": ["email"]})["accessToken"]


def test_of_two_accounts_one_must_be_named(demo):
    tokens = {person: sign_in(demo, person)["credential"]["accessToken"] for person in ("ada", "grace")}
    with ends_with("AmbiguousAccount") as caught:
        demo.call("GetAccessToken", TOKEN)
    assert sorted(caught.value.parameters["uids"]) == ["demo-1815", "demo-1906"]
    assert demo.call("GetAccessToken", {**TOKEN, "uid": "demo-1906"})["accessToken"] == tokens["grace"]
    listed = demo.call("ListCredentials")["credentials"]
    assert [(c["uid"], c["displayName"], c["refreshable"]) for c in listed] == [("demo-1815", "Ada Lovelace", True), ("demo-1906", "Grace Hopper", True)]
    with ends_with("AmbiguousAccount"):
        demo.call("RevokeCredential", TOKEN)


def test_a_credential_is_taken_back_at_the_provider_and_forgotten(make_daemon, demo_provider):
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


def test_a_credential_is_forgotten_though_its_provider_is_down(make_daemon, make_provider):
    issuer = make_provider()
    daemon = make_daemon(oidc(issuer)).start()
    sign_in(daemon)
    process = make_provider.processes[issuer]
    process.terminate()
    process.wait(10)
    assert daemon.call("RevokeCredential", TOKEN)["revokedAtProvider"] is False
    assert daemon.call("ListCredentials") == {"credentials": []}


def test_a_credential_revoked_while_it_is_refreshed_stays_revoked(counted):
    daemon, server, _ = counted()
    sign_in(daemon)
    server.open.clear()
    client = daemon.client()
    client.send("GetAccessToken", {**TOKEN, "forceRefresh": True})
    for _ in range(2):
        assert server.arrived.acquire(timeout=20)
    revoking = daemon.client()
    revoking.send("RevokeCredential", TOKEN)
    revoking.receive()
    server.open.set()
    with ends_with("SignInRequired"):
        client.receive()
    assert daemon.call("ListCredentials") == {"credentials": []}
