"""Signing in, from a program's call to its answer, against the demo provider."""

import pytest
from person import answer, browser, consent, parameters
from postern import VarlinkError, ends_with, free_port, oauth2, oidc, wait_for
from signing_in import SignIn, browser_command, handle_of, sign_in

# ---- The whole way ----------------------------------------------------------


def test_a_program_follows_a_sign_in_event_by_event(demo, demo_provider):
    pending = SignIn(demo)
    asked = parameters(pending.url)
    assert pending.url.startswith(demo_provider) and asked["code_challenge_method"] == "S256" and asked["redirect_uri"] == demo.origin + "/__/auth/handler"
    page = consent(pending.url)
    exchanging, completed = pending.rest()
    assert (exchanging["state"], completed["state"]) == ("exchanging", "completed")
    assert "authorizationURL" not in exchanging and "authorizationURL" not in completed
    assert page.url.startswith(f"{demo.origin}/__/auth/done?page=") and page.status_code == 200
    assert "Ada Lovelace" in page.text and "code=" not in page.url

    result, credential = completed["result"], completed["credential"]
    assert result["operation"] == "signIn" and result["additionalUserInfo"]["isNewUser"] is True
    assert result["additionalUserInfo"]["profile"]["sub"] == "demo-1815" and result["additionalUserInfo"]["username"] == "ada"
    user = result["user"]
    assert (user["displayName"], user["email"], user["isAnonymous"]) == ("Ada Lovelace", "ada@example.com", False)
    assert [(p["providerID"], p["uid"]) for p in user["providerData"]] == [("demo", "demo-1815")]
    assert credential["accessToken"] and credential["idToken"].count(".") == 2 and credential["rawNonce"] and "handle" not in credential
    assert set(credential["scopes"]) >= {"openid", "email", "profile"} and credential["tokenType"].lower() == "bearer"
    assert demo.call("GetStatus") | {"sessions": 0, "users": 1, "credentials": 1} == demo.call("GetStatus")


def test_no_secret_of_a_sign_in_is_in_the_log_or_on_disk(demo, make_daemon, demo_provider):
    noisy = make_daemon(oidc(demo_provider) + '[daemon]\nlog-level = "debug"\n').start()
    monitor = noisy.client()
    monitor.send("Monitor", {}, more=True)
    pending = SignIn(noisy)
    callback = answer(pending.url)
    browser().get(callback)
    completed = pending.completed()
    access = noisy.call("GetAccessToken", {"providerID": "demo", "forceRefresh": True})["accessToken"]
    handle = handle_of(noisy, "grace")
    asked, answered, credential = parameters(pending.url), parameters(callback), completed["credential"]
    secrets = [asked["state"], asked["nonce"], answered["code"], credential["accessToken"], credential["idToken"], credential["rawNonce"],
               access, handle, *credential["idToken"].split(".")[1:]]
    personal = ["ada@example.com", "Lovelace", "demo-1815", "grace@example.org"]
    noisy.kill()  # what a backup takes of a running daemon: the write-ahead log, too
    log = noisy.log.read_bytes()
    assert b"signed in" in log
    for secret in secrets:
        assert secret.encode() not in log
    files = [path for path in (noisy.directory / "state").rglob("*") if path.is_file()]
    assert any(path.name == "postern.db" for path in files)
    for path in files:
        data = path.read_bytes()
        assert path.stat().st_mode & 0o077 == 0, path
        for text in secrets + personal:
            assert text.encode() not in data, (path, text)
    kinds = b""
    with pytest.raises(EOFError):
        while True:
            kinds += repr(monitor.receive_raw()).encode()
    assert b"signInCompleted" in kinds
    for secret in secrets:
        assert secret.encode() not in kinds


def test_a_program_that_only_waits_gets_the_last_event_alone(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), browser=browser_command("grace")).start()
    event = daemon.call("SignIn", {"providerID": "demo"})["event"]
    assert event["state"] == "completed" and event["result"]["user"]["email"] == "grace@example.org"


def test_the_daemon_opens_the_page_for_a_program_that_follows_too(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), browser=browser_command()).start()
    client = daemon.client()
    client.send("SignIn", {"providerID": "demo", "presentation": "daemon"}, more=True)
    states = [client.receive()["event"]["state"] for _ in range(3)]
    assert states == ["authorizationPending", "exchanging", "completed"]


def test_a_browser_that_cannot_be_started_is_told_at_once(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), browser='["/nonexistent/browser"]').start()
    with ends_with("InternalError") as caught:
        daemon.call("SignIn", {"providerID": "demo"})
    assert "/nonexistent/browser" in str(caught.value)


@pytest.mark.parametrize("listen, index", [('["127.0.0.1", "::1"]', 0), ('["::1"]', 0), ('["127.0.0.1", "::1"]', 1)])
def test_either_loopback_address_takes_the_redirect(make_daemon, demo_provider, listen, index):
    daemon = make_daemon(oidc(demo_provider), callback=f"addresses = {listen}").start()
    urls = daemon.call("GetStatus")["callbackURLs"]
    assert len(urls) == listen.count('"') // 2
    pending = SignIn(daemon)
    callback = answer(pending.url)
    arrives = urls[index] + "?" + callback.split("?", 1)[1]
    assert "Ada Lovelace" in browser().get(arrives).text
    assert pending.completed()["state"] == "completed"


def test_a_provider_with_a_callback_path_of_its_own_is_answered_there_and_nowhere_else(make_daemon, make_provider):
    provider = make_provider("--redirect-uri", "http://127.0.0.1/__/auth/handler/demo")
    daemon = make_daemon(oidc(provider, own_callback_path=True)).start()
    pending = SignIn(daemon)
    callback = answer(pending.url)
    assert "/__/auth/handler/demo?" in callback
    for elsewhere in [callback.replace("/handler/demo?", "/handler?"), callback.replace("/handler/demo?", "/handler/work?")]:
        assert browser().get(elsewhere).status_code in (400, 404)
    assert browser().get(callback).status_code == 200
    assert pending.completed()["state"] == "completed"
    redirects = {p["providerID"]: p.get("redirectURI") for p in daemon.call("ListProviders")["providers"]}
    assert redirects["demo"].endswith("/__/auth/handler/demo")


# ---- Credentials and users --------------------------------------------------


def test_a_credential_is_handed_over_and_its_handle_signs_in_once(demo):
    event = sign_in(demo, intent="credential")
    assert "result" not in event and event["credential"]["handleExpiresAt"]
    assert demo.call("GetCurrentUser") == {} and demo.call("GetStatus")["users"] == 0
    handle = event["credential"]["handle"]
    result = demo.call("SignInWithCredential", {"credential": {"handle": handle}})["result"]
    assert result["user"]["email"] == "ada@example.com" and result["additionalUserInfo"]["isNewUser"] is True
    with ends_with("InvalidCredential"):
        demo.call("SignInWithCredential", {"credential": {"handle": handle}})
    with ends_with("InvalidCredential"):
        demo.call("SignInWithCredential", {"credential": {"handle": "A" * 43}})


def test_a_handle_outlives_a_killed_daemon_and_so_does_its_use(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), port=free_port()).start()
    handle, spent = handle_of(daemon), handle_of(daemon)
    daemon.call("SignInWithCredential", {"credential": {"handle": spent}})
    daemon.kill()
    daemon.start()
    with ends_with("InvalidCredential"):
        daemon.call("SignInWithCredential", {"credential": {"handle": spent}})
    assert daemon.call("SignInWithCredential", {"credential": {"handle": handle}})["result"]["additionalUserInfo"]["isNewUser"] is False


def test_of_many_who_use_one_handle_at_once_one_signs_in(demo):
    handle = handle_of(demo)
    clients = [demo.client() for _ in range(8)]
    for client in clients:
        client.send("SignInWithCredential", {"credential": {"handle": handle}})
    replies = [client.receive_raw() for client in clients]
    assert sorted("error" in reply for reply in replies) == [False] + [True] * 7


def test_each_app_has_a_current_user_of_its_own(demo):
    ada = sign_in(demo, "ada", app="mail")["result"]["user"]["uid"]
    grace = sign_in(demo, "grace", app="news")["result"]["user"]["uid"]
    assert ada != grace
    assert demo.call("GetCurrentUser", {"app": "mail"})["user"]["uid"] == ada
    assert demo.call("GetCurrentUser", {"app": "news"})["user"]["uid"] == grace
    assert demo.call("GetCurrentUser") == {}
    demo.call("SignOut", {"app": "mail"})
    assert demo.call("GetCurrentUser", {"app": "mail"}) == {}
    assert demo.call("GetCurrentUser", {"app": "news"})["user"]["uid"] == grace
    demo.call("SignOut", {"app": "mail"})  # nobody was signed in, nobody is


def test_who_comes_back_is_the_same_user(demo):
    first, again = sign_in(demo)["result"], sign_in(demo, app="other")["result"]
    assert (first["additionalUserInfo"]["isNewUser"], again["additionalUserInfo"]["isNewUser"]) == (True, False)
    assert first["user"]["uid"] == again["user"]["uid"]
    assert again["user"]["createdAt"] == first["user"]["createdAt"]
    assert demo.call("GetStatus")["users"] == 1 and demo.call("GetStatus")["credentials"] == 1


def test_a_login_hint_and_further_parameters_reach_the_provider(demo):
    pending = SignIn(demo, loginHint="grace@example.org", customParameters={"prompt": "login", "ui_locales": "ja it"}, scopes=["openid", "email"])
    asked = parameters(pending.url)
    assert (asked["login_hint"], asked["prompt"], asked["ui_locales"]) == ("grace@example.org", "login", "ja it")
    assert asked["scope"].split() == ["openid", "email"]


def test_offline_access_is_asked_for_with_consent_until_there_is_a_refresh_token(demo):
    def prompt(**more):
        pending = SignIn(demo, **more)
        demo.call("CancelSession", {"sessionID": pending.id})
        return parameters(pending.url).get("prompt")

    assert prompt() == "consent" and prompt(customParameters={"prompt": "login consent"}) == "login consent"
    sign_in(demo)
    assert prompt() is None
    demo.stop()
    demo.start()
    assert prompt() is None
    demo.call("RevokeCredential", {"providerID": "demo"})
    assert prompt() == "consent"


# ---- Other ends -------------------------------------------------------------


def test_who_says_no_has_denied(demo):
    pending = SignIn(demo)
    page = consent(pending.url, None)
    with ends_with("SignInDenied") as caught:
        pending.completed()
    assert caught.value.parameters["error"] == "access_denied" and caught.value.parameters["providerID"] == "demo"
    assert page.status_code == 200 and demo.call("GetStatus")["users"] == 0


def test_time_runs_out(demo):
    pending = SignIn(demo, timeoutSeconds=1)
    callback = answer(pending.url)
    with ends_with("SignInTimedOut") as caught:
        pending.completed()
    assert caught.value.parameters["sessionID"] == pending.id
    assert browser().get(callback).status_code == 400


@pytest.mark.parametrize("seconds", [0, -1, 3601, 2**40])
def test_a_time_that_is_none_is_refused(demo, seconds):
    with pytest.raises(VarlinkError, match="InvalidParameter"):
        demo.call("SignIn", {"providerID": "demo", "timeoutSeconds": seconds}, more=True)


def test_a_sign_in_is_cancelled(demo):
    pending = SignIn(demo)
    callback = answer(pending.url)
    assert demo.call("CancelSession", {"sessionID": pending.id}) == {}
    with ends_with("SignInCancelled"):
        pending.completed()
    assert browser().get(callback).status_code == 400
    with ends_with("SessionNotFound"):
        demo.call("CancelSession", {"sessionID": pending.id})
    with ends_with("SessionNotFound"):
        demo.call("CancelSession", {"sessionID": "nonsense"})


def test_a_sign_in_cancelled_while_its_code_is_exchanged_keeps_nothing(make_daemon, make_provider):
    daemon = make_daemon(oidc(make_provider("--delay-token-ms", "700"))).start()
    pending = SignIn(daemon)
    callback = answer(pending.url)
    assert browser().get(callback, allow_redirects=False).status_code == 303
    assert pending.client.receive()["event"]["state"] == "exchanging"
    daemon.call("CancelSession", {"sessionID": pending.id})
    with ends_with("SignInCancelled"):
        pending.completed()
    again = sign_in(daemon, "grace")  # by then the answer of the first has come and gone
    assert again["result"]["user"]["email"] == "grace@example.org"
    status = daemon.call("GetStatus")
    assert (status["users"], status["credentials"]) == (1, 1)


def test_at_most_64_sign_ins_wait(demo):
    pending = [SignIn(demo, app=f"app{number}") for number in range(64)]
    assert all(each.id.isalnum() for each in pending)  # `postern cancel -x` would be an option
    with ends_with("TooManySessions") as caught:
        SignIn(demo, app="one-more")
    assert caught.value.parameters["limit"] == 64
    assert len(demo.call("ListSessions")["sessions"]) == 64
    joined = SignIn(demo, app="app7")  # a further program at one that waits is no further one
    assert joined.id == pending[7].id
    demo.call("CancelSession", {"sessionID": pending[0].id})
    SignIn(demo, app="one-more")


@pytest.mark.parametrize("asked, error", [
    ({"providerID": "nobody"}, "ProviderNotFound"),
    ({"providerID": "DEMO"}, "ProviderNotFound"),
    ({"providerID": "half"}, "ProviderNotConfigured"),
    ({"providerID": "codes", "flow": "device"}, "UnsupportedFlow"),
    ({"flow": "carrier pigeon"}, "InvalidParameter"),
    ({"customParameters": {"state": "x"}}, "ReservedParameter"),
    ({"customParameters": {"State": "x"}}, "ReservedParameter"),
    ({"customParameters": {"REDIRECT_URI": "x"}}, "ReservedParameter"),
    ({"customParameters": {"code_Challenge_Method": "plain"}}, "ReservedParameter"),
    ({"customParameters": {"redirect.uri": "x"}}, "ReservedParameter"),
    ({"customParameters": {"oauth_callback": "x"}}, "ReservedParameter"),
    ({"customParameters": {"prompt": "a\nb"}}, "InvalidParameter"),
    ({"intent": "marry"}, "InvalidParameter"),
    ({"scopes": ["a b"]}, "InvalidParameter"),
    ({"app": "x" * 5000}, "InvalidParameter"),
    ({"app": "mail\u202egpj.exe"}, "InvalidParameter"),
    ({"app": "a\u2028b"}, "InvalidParameter"),
    ({"app": "a\x1b[2J"}, "InvalidParameter"),
    ({"colour": "red"}, "InvalidParameter"),
])
def test_what_cannot_be_asked_is_told_by_name(make_daemon, demo_provider, asked, error):
    endpoints = {f"{name}_endpoint": f"{demo_provider}/{name}" for name in ("authorization", "token", "userinfo")}
    config = oidc(demo_provider) + oauth2("codes", **endpoints) + '[provider.half]\nkind = "oidc"\nissuer = "http://127.0.0.1:1"\n'
    daemon = make_daemon(config).start()
    with ends_with(error):
        daemon.call("SignIn", {"providerID": "demo", **asked}, more=True)
    assert daemon.call("ListSessions")["sessions"] == []


@pytest.mark.parametrize("asked", [{"presentation": "client"}, {}])
def test_who_would_never_learn_of_the_page_is_told_to_ask_with_more(demo, asked):
    with ends_with("ExpectedMore"):
        demo.call("SignIn", {"providerID": "demo", **asked})


# ---- Taking up again --------------------------------------------------------


@pytest.mark.parametrize("page", ["old", "new"])
def test_a_lost_connection_leaves_the_sign_in_to_who_attaches_with_a_page_of_its_own(demo, page):
    pending = SignIn(demo)
    pending.client.close()
    client = demo.client()
    client.send("AttachSession", {"sessionID": pending.id}, more=True)
    event = client.receive()["event"]
    assert event["state"] == "authorizationPending" and event["authorizationURL"] != pending.url
    old, new = parameters(pending.url), parameters(event["authorizationURL"])
    assert {name for name in old if old[name] != new[name]} == {"state"}
    consent(pending.url if page == "old" else event["authorizationURL"])
    assert [client.receive()["event"]["state"] for _ in range(2)] == ["exchanging", "completed"]
    with ends_with("SessionNotFound"):  # it was delivered
        demo.call("AttachSession", {"sessionID": pending.id})


def test_a_result_that_nobody_waited_for_is_fetched_later_once(demo):
    pending = SignIn(demo)
    pending.client.close()
    consent(pending.url)
    event = demo.call("AttachSession", {"sessionID": pending.id})["event"]
    assert event["state"] == "completed" and event["result"]["user"]["email"] == "ada@example.com"
    delivered = lambda: "SessionNotFound" in error_of(demo, "AttachSession", {"sessionID": pending.id})
    wait_for(delivered, what="the delivery")


def error_of(daemon, method, parameters):
    try:
        daemon.call(method, parameters)
        return ""
    except VarlinkError as error:
        return error.name


@pytest.mark.parametrize("intent", ["signIn", "credential"])
def test_of_several_who_fetch_one_result_at_once_one_gets_it_and_all_are_answered(demo, intent):
    pending = SignIn(demo, intent=intent)
    pending.client.close()
    consent(pending.url)
    clients = [demo.client(timeout=10) for _ in range(4)]
    for client in clients:
        client.send("AttachSession", {"sessionID": pending.id})
    replies = [client.receive_raw() for client in clients]
    assert sum("error" not in reply for reply in replies) == 1
    assert {reply["error"] for reply in replies if "error" in reply} == {"io.postern.SessionNotFound"}


@pytest.mark.parametrize("intent", ["signIn", "credential"])
def test_a_result_outlives_a_killed_daemon(make_daemon, demo_provider, intent):
    daemon = make_daemon(oidc(demo_provider), port=free_port()).start()
    pending = SignIn(daemon, intent=intent)
    pending.client.close()
    consent(pending.url)
    daemon.kill()
    daemon.start()
    event = daemon.call("AttachSession", {"sessionID": pending.id})["event"]
    assert event["state"] == "completed" and event["credential"]["accessToken"]
    if intent == "credential":
        assert daemon.call("SignInWithCredential", {"credential": {"handle": event["credential"]["handle"]}})["result"]["user"]


def test_a_page_from_before_a_kill_still_signs_in(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), port=free_port()).start()
    pending = SignIn(daemon)
    callback = answer(pending.url)
    daemon.kill()
    with pytest.raises(EOFError):
        pending.completed()
    daemon.start()
    assert [s["sessionID"] for s in daemon.call("ListSessions")["sessions"]] == [pending.id]
    client = daemon.client()
    client.send("AttachSession", {"sessionID": pending.id})
    page = browser().get(callback)
    assert page.status_code == 200
    assert client.receive()["event"]["state"] == "completed"
    assert "Ada Lovelace" in browser().get(page.url).text


def test_who_attaches_after_a_kill_gets_a_page_that_works_and_so_does_the_old_one(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), port=free_port()).start()
    first, second = SignIn(daemon, app="a"), SignIn(daemon, app="b")
    daemon.kill()
    daemon.start()
    for pending, use_old in [(first, True), (second, False)]:
        client = daemon.client()
        client.send("AttachSession", {"sessionID": pending.id}, more=True)
        url = client.receive()["event"]["authorizationURL"]
        assert url != pending.url
        consent(pending.url if use_old else url)
        assert [client.receive()["event"]["state"] for _ in range(2)] == ["exchanging", "completed"]


def test_sessions_are_listed_until_they_are_forgotten(demo):
    pending = SignIn(demo, app="mail")
    done = sign_in(demo, app="news", intent="credential")
    sessions = {s["sessionID"]: s for s in demo.call("ListSessions")["sessions"]}
    assert sessions[pending.id] | {"app": "mail", "intent": "signIn", "state": "authorizationPending", "providerID": "demo"} == sessions[pending.id]
    assert sessions[done["sessionID"]]["state"] == "completed"
    assert set(sessions[pending.id]) == {"sessionID", "providerID", "app", "intent", "state", "startedAt", "expiresAt"}


# ---- Redirects that come by hand --------------------------------------------


def test_a_pasted_redirect_completes_the_sign_in(demo):
    pending = SignIn(demo)
    callback = answer(pending.url)
    assert demo.call("DeliverRedirect", {"url": callback}) == {"sessionID": pending.id}
    assert pending.completed()["state"] == "completed"
    assert demo.call("DeliverRedirect", {"url": callback}) == {"sessionID": pending.id}  # once more changes nothing


def test_a_pasted_refusal_denies(demo):
    pending = SignIn(demo)
    demo.call("DeliverRedirect", {"url": answer(pending.url, None)})
    with ends_with("SignInDenied"):
        pending.completed()


@pytest.mark.parametrize("change", [
    lambda url: url.replace("state=", "state=A"),
    lambda url: url.split("?")[0],
    lambda url: url.replace("state=", "estate="),
    lambda url: url + "&state=again",
    lambda url: url.replace("/__/auth/handler", "/__/auth/handler/other"),
    lambda url: "",
    lambda url: "not a url",
    lambda url: "http://127.0.0.1:1/elsewhere?state=x&code=y",
    lambda url: url.replace("code=", "code=%zz"),
    lambda url: "x" * 60000,
])
def test_a_wrong_redirect_is_not_recognised_and_changes_nothing(demo, change):
    pending = SignIn(demo)
    callback = answer(pending.url)
    with ends_with("RedirectNotRecognised") as caught:
        demo.call("DeliverRedirect", {"url": change(callback)})
    assert parameters(callback)["state"] not in str(caught.value) and parameters(callback)["code"] not in str(caught.value)
    demo.call("DeliverRedirect", {"url": callback})
    assert pending.completed()["state"] == "completed"
