"""What a user may do with itself: profile, ways in, anonymity, and the end."""
import random
import threading

import pytest
from local_users import PASSWORD, at_once, create, current, long_ago, providers, sign_in_with
from person import consent
from postern import VarlinkError, ends_with, wait_for
from signing_in import SignIn, handle_of, sign_in


@pytest.fixture
def daemon(make_daemon):
    return make_daemon().start()


# ---- Profile -------------------------------------------------------------------


def test_a_name_and_a_photo_come_and_go(daemon):
    create(daemon)
    user = daemon.call("UpdateUser", {"displayName": "Ada", "photoURL": "https://example.com/ada.png"})["user"]
    assert (user["displayName"], user["photoURL"]) == ("Ada", "https://example.com/ada.png")
    assert daemon.call("UpdateUser", {})["user"] == user
    user = daemon.call("UpdateUser", {"displayName": "", "photoURL": ""})["user"]
    assert "displayName" not in user and "photoURL" not in user
    with ends_with("NoCurrentUser") as error:
        daemon.call("UpdateUser", {"displayName": "Ada", "app": "two"})
    assert error.value.parameters["app"] == "two"


@pytest.mark.parametrize("parameter, value", [
    ("displayName", "a\nb"), ("displayName", "\x1b[31m"), ("displayName", "\u202eada"), ("displayName", "x" * 256),
    ("photoURL", "javascript:alert(1)"), ("photoURL", "data:image/png;base64,AA"), ("photoURL", "https://example.com/a b"),
    ("photoURL", "https://" + "x" * 2048)])
def test_what_is_not_fit_to_be_shown_is_no_profile(daemon, parameter, value):
    before = create(daemon)["user"]
    with ends_with("InvalidParameter") as error:
        daemon.call("UpdateUser", {parameter: value})
    assert error.value.parameters["parameter"] == parameter
    assert current(daemon) == before


def test_an_address_changes_and_is_not_verified_then(demo):
    user = sign_in(demo)["result"]["user"]
    sign_in(demo, app="two")
    changed = demo.call("UpdateUser", {"email": "New@Example.com"})["user"]
    assert (changed["uid"], changed["email"], changed["emailVerified"]) == (user["uid"], "new@example.com", False)
    assert current(demo, "two") is None
    # The account at the provider still says the old one, and both lead to it.
    for email in ("new@example.com", "ada@example.com"):
        assert demo.call("FetchProviders", {"email": email})["providerIDs"] == ["demo"]
    assert sign_in(demo)["result"]["user"]["uid"] == user["uid"]


def test_an_address_is_not_taken_from_another(daemon):
    create(daemon, "grace@example.com", app="other")
    create(daemon)
    with ends_with("EmailAlreadyInUse"):
        daemon.call("UpdateUser", {"email": "Grace@Example.com", "displayName": "Grace"})
    with ends_with("InvalidEmail"):
        daemon.call("UpdateUser", {"email": ""})
    assert current(daemon)["email"] == "ada@example.com" and "displayName" not in current(daemon)


# ---- Ways in ---------------------------------------------------------------------


def test_a_provider_is_unlinked_but_not_the_last(demo):
    user = sign_in(demo)["result"]["user"]
    with ends_with("InvalidCredential") as error:
        demo.call("UnlinkProvider", {"providerID": "demo"})
    assert error.value.parameters["code"] == 17004
    with ends_with("NoSuchProvider") as error:
        demo.call("UnlinkProvider", {"providerID": "password"})
    assert error.value.parameters == {**error.value.parameters, "code": 17016, "providerID": "password"}

    sign_in_with(demo, intent="link")
    unlinked = demo.call("UnlinkProvider", {"providerID": "demo"})["user"]
    assert providers(unlinked) == ["password"] and unlinked["email"] == "ada@example.com"
    assert sign_in_with(demo, app="two")["user"]["uid"] == user["uid"]


def test_an_unlinked_password_is_none_and_the_address_stays_with_the_provider(demo):
    sign_in(demo)
    sign_in_with(demo, intent="link")
    user = demo.call("UnlinkProvider", {"providerID": "password"})["user"]
    assert providers(user) == ["demo"] and user["email"] == "ada@example.com"
    with ends_with("WrongPassword"):
        sign_in_with(demo)


def test_an_address_that_nobody_has_has_no_providers(daemon):
    assert daemon.call("FetchProviders", {"email": "nobody@example.com"})["providerIDs"] == []


# ---- Anonymous users ---------------------------------------------------------------


def test_an_anonymous_user_is_who_it_was(daemon):
    first = daemon.call("SignInAnonymously")["result"]
    assert first["user"]["isAnonymous"] and first["additionalUserInfo"]["isNewUser"] and first["user"]["providerData"] == []
    again = daemon.call("SignInAnonymously")["result"]
    assert again["user"] == first["user"] and not again["additionalUserInfo"]["isNewUser"]
    assert daemon.call("SignInAnonymously", {"app": "two"})["result"]["user"]["uid"] != first["user"]["uid"]
    with ends_with("InvalidParameter"):
        daemon.call("SignInAnonymously", {"app": "a\nb"})


def test_anonymous_users_that_nobody_can_come_back_to_are_bounded(daemon):
    held = daemon.call("SignInAnonymously", {"app": "held"})["result"]["user"]["uid"]
    for _ in range(130):
        daemon.call("SignInAnonymously")
        daemon.call("SignOut")
    assert daemon.call("GetStatus")["users"] <= 102
    assert current(daemon, "held")["uid"] == held


# ---- The end ----------------------------------------------------------------------


def test_a_deleted_user_is_gone_from_everywhere(demo):
    feed = demo.client()
    feed.send("Monitor", more=True)
    uid = sign_in(demo)["result"]["user"]["uid"]
    sign_in(demo, app="two")
    handle = handle_of(demo)
    sign_in_with(demo, intent="link")
    demo.call("DeleteUser")
    for app in ("default", "two"):
        assert current(demo, app) is None
    assert demo.call("GetStatus") == {**demo.call("GetStatus"), "users": 0, "credentials": 0}
    assert demo.call("ListCredentials")["credentials"] == []
    assert demo.call("FetchProviders", {"email": "ada@example.com"})["providerIDs"] == []
    with ends_with("InvalidCredential"):
        demo.call("SignInWithCredential", {"credential": {"handle": handle}})
    with ends_with("UserNotFound"):
        sign_in_with(demo)
    with ends_with("SignInRequired"):
        demo.call("GetAccessToken", {"providerID": "demo"})
    with ends_with("NoCurrentUser"):
        demo.call("DeleteUser")
    kinds = []
    while "credentialRevoked" not in kinds:
        event = feed.receive()
        kinds.append(event["kind"])
    assert "revoked a credential" in event["message"] and "userDeleted" in kinds
    assert sign_in(demo)["result"]["user"]["uid"] != uid


def test_a_result_that_waits_for_its_program_goes_with_the_user(demo):
    sign_in(demo)
    pending = SignIn(demo, app="two")
    pending.client.close()
    consent(pending.url)
    wait_for(lambda: current(demo, "two"))
    demo.call("DeleteUser")
    with ends_with("SessionNotFound"):
        demo.call("AttachSession", {"sessionID": pending.id})


def test_a_page_that_was_open_when_the_user_went_links_nothing(demo):
    create(demo, "grace@example.com")
    pending = SignIn(demo, intent="link")
    demo.call("DeleteUser")
    with ends_with("NoCurrentUser"):
        pending.completed()
    assert consent(pending.url).status_code == 400
    assert demo.call("GetStatus")["users"] == 0


def test_deletion_takes_a_recent_sign_in_but_of_anonymous_users(daemon):
    create(daemon)
    daemon.call("SignInAnonymously", {"app": "two"})
    long_ago(daemon)
    with ends_with("RequiresRecentSignIn"):
        daemon.call("DeleteUser")
    daemon.call("DeleteUser", {"app": "two"})
    sign_in_with(daemon, intent="reauthenticate")
    daemon.call("DeleteUser")
    assert daemon.call("GetStatus")["users"] == 0


def test_a_provider_that_does_not_answer_keeps_no_user(make_daemon, make_provider):
    from postern import oidc

    issuer = make_provider()
    daemon = make_daemon(oidc(issuer)).start()
    sign_in(daemon)
    process = make_provider.processes[issuer]
    process.kill()
    process.wait()
    daemon.call("DeleteUser")
    assert daemon.call("GetStatus")["users"] == 0 and daemon.call("ListCredentials")["credentials"] == []


def test_a_sign_in_and_a_deletion_at_once_end_in_one_of_the_two_orders(daemon):
    for _ in range(4):
        uid = create(daemon)["user"]["uid"]
        signed_in, deleted = at_once(lambda: sign_in_with(daemon, app="two"), lambda: daemon.call("DeleteUser"))
        assert deleted == {} and (signed_in == "UserNotFound" or signed_in["user"]["uid"] == uid)
        # Whichever came first: nobody is signed in as a user that is gone.
        assert current(daemon, "two") is None and daemon.call("GetStatus")["users"] == 0


# ---- kill -9 ------------------------------------------------------------------------


def test_what_was_answered_survives_a_kill_between_any_two_answers(daemon):
    dice = random.Random(4)
    for turn in range(6):
        email, answered = f"user{turn}@example.com", []

        def work():
            try:
                answered.append(create(daemon, email)["user"]["uid"])
                daemon.call("UpdateUser", {"displayName": "named"})
                answered.append("named")
                daemon.call("UpdateUser", {"password": "another password"})
                answered.append("password")
                daemon.call("DeleteUser")
                answered.append("deleted")
            except (EOFError, OSError):
                pass

        wanted = dice.randrange(1, 4)
        thread = threading.Thread(target=work)
        thread.start()
        wait_for(lambda: len(answered) >= wanted or not thread.is_alive())
        daemon.kill()
        thread.join()
        daemon.start()
        user = current(daemon)
        if "deleted" in answered:
            assert user is None
        elif user is not None:
            assert user["uid"] == answered[0]
            assert "named" not in answered or user["displayName"] == "named"
            good = [password for password in (PASSWORD, "another password") if works(daemon, email, password)]
            assert len(good) == 1 and ("password" not in answered or good == ["another password"])
            daemon.call("SignOut")
        else:
            # The deletion was under way: all of it happened.
            assert "password" in answered
            with ends_with("UserNotFound"):
                sign_in_with(daemon, email)


def works(daemon, email, password):
    try:
        return bool(sign_in_with(daemon, email, password, app="probe"))
    except VarlinkError as error:
        assert error.short == "WrongPassword", error
        return False


def test_a_page_links_to_the_user_it_was_opened_for_also_after_a_kill(make_daemon, demo_provider):
    from postern import free_port, oidc

    daemon = make_daemon(oidc(demo_provider), port=free_port()).start()
    create(daemon, "mary@example.com")
    pending = SignIn(daemon, intent="link")
    again = SignIn(daemon, intent="link")
    assert again.id == pending.id
    create(daemon, "grace@example.org")
    other = SignIn(daemon, intent="link")
    assert other.id != pending.id, "another user's is another page"
    daemon.kill()
    daemon.start()
    assert consent(pending.url).status_code == 400
    with ends_with("UserMismatch"):
        daemon.call("AttachSession", {"sessionID": pending.id})
    assert providers(current(daemon)) == ["password"]
    consent(other.url)
    assert providers(daemon.call("AttachSession", {"sessionID": other.id})["event"]["result"]["user"]) == ["demo", "password"]
