"""Users with an address and a password, over the socket."""
import hashlib
import pathlib
import select

import pytest
from local_users import PASSWORD, at_once, create, current, long_ago, providers, sign_in_with
from postern import VarlinkError, ends_with
from sealed import SealedColumn, decoded, encoded
from signing_in import sign_in


@pytest.fixture
def daemon(make_daemon):
    return make_daemon().start()





# ---- Making, and signing in ---------------------------------------------------


def test_a_user_is_made_and_signs_in_again(daemon):
    made = create(daemon, "Ada@Example.com", displayName="Ada", app="one")
    user = made["user"]
    assert made["additionalUserInfo"] == {"providerID": "password", "isNewUser": True, "profile": {}} and made["operation"] == "signIn"
    assert (user["email"], user["emailVerified"], user["displayName"], user["isAnonymous"]) == ("ada@example.com", False, "Ada", False)
    assert user["providerData"] == [{"providerID": "password", "uid": "ada@example.com", "displayName": "Ada", "email": "ada@example.com"}]
    assert current(daemon, "one")["uid"] == user["uid"] and current(daemon, "two") is None

    again = sign_in_with(daemon, "ADA@example.COM", app="two")
    assert again["user"]["uid"] == user["uid"] and again["additionalUserInfo"]["isNewUser"] is False and "credential" not in again
    assert current(daemon, "two")["uid"] == user["uid"]


def test_a_user_outlives_the_daemon(daemon):
    uid = create(daemon)["user"]["uid"]
    daemon.kill()
    daemon.start()
    assert current(daemon)["uid"] == uid and sign_in_with(daemon, app="two")["user"]["uid"] == uid


@pytest.mark.parametrize("email", [
    "", "ada", "@", "ada@", " ada@example.com", "ada@example.com\n", "a b@example.com", "a@b@c", "a\u202e@b"])
def test_what_is_no_address_is_refused(daemon, email):
    fetch = lambda: daemon.call("FetchProviders", {"email": email})  # noqa: E731
    for call in (lambda: create(daemon, email), lambda: sign_in_with(daemon, email), fetch):
        with ends_with("InvalidEmail") as error:
            call()
        assert error.value.parameters["code"] == 17008
    assert daemon.call("GetStatus")["users"] == 0


@pytest.mark.parametrize("password, reason", [
    ("", "there is none"), ("short", "fewer than 6"), ("x" * 1025, "more than 1024"), ("Ada@Example.com", "address or name"),
    ("Countess", "address or name"), ("password", "commonest")])
def test_a_weak_password_is_refused_with_the_reason(daemon, password, reason):
    with ends_with("WeakPassword") as error:
        create(daemon, password=password, displayName="Countess")
    assert reason in error.value.parameters["reason"] and error.value.parameters["code"] == 17026
    assert daemon.call("GetStatus")["users"] == 0


def test_an_address_has_one_user_in_any_case(daemon):
    create(daemon)
    with ends_with("EmailAlreadyInUse") as error:
        create(daemon, "ADA@EXAMPLE.COM", "another password")
    assert (error.value.parameters["code"], error.value.parameters["email"]) == (17007, "ada@example.com")


def test_the_address_of_a_providers_user_is_taken_too(demo):
    sign_in(demo)
    with ends_with("EmailAlreadyInUse"):
        create(demo)


def test_where_addresses_may_be_shared_a_providers_is_no_users_own(make_daemon, demo_provider):
    from postern import oidc

    daemon = make_daemon("[accounts]\none-account-per-email = false\n" + oidc(demo_provider)).start()
    uid = sign_in(daemon)["result"]["user"]["uid"]
    assert create(daemon)["user"]["uid"] != uid
    assert daemon.call("FetchProviders", {"email": "ada@example.com"})["providerIDs"] == ["password"]
    with ends_with("EmailAlreadyInUse"):
        create(daemon)


def test_an_unknown_address_costs_as_much_work_as_a_wrong_password(daemon):
    def work(email):
        """Of the processor, in ticks: what else the machine does has no part in it."""
        def ticks():
            return sum(map(int, open(f"/proc/{daemon.process.pid}/stat").read().rsplit(")")[-1].split()[11:13]))

        before = ticks()
        for _ in range(4):
            with pytest.raises(VarlinkError):
                sign_in_with(daemon, email, "another password")
        return ticks() - before

    create(daemon)
    known, unknown = work("ada@example.com"), work("nobody@example.com")
    assert known > 10 and known / 2 < unknown < known * 2


def test_wrong_is_told_apart(daemon):
    create(daemon)
    with ends_with("WrongPassword") as error:
        sign_in_with(daemon, password="another password")
    assert error.value.parameters["code"] == 17009
    with ends_with("UserNotFound") as error:
        sign_in_with(daemon, "nobody@example.com")
    assert error.value.parameters["code"] == 17011
    for password in ("", "x" * 1025):
        with ends_with("WrongPassword"):
            sign_in_with(daemon, password=password)


def test_a_providers_user_has_no_password(demo):
    sign_in(demo)
    with ends_with("WrongPassword"):
        sign_in_with(demo)


def test_one_of_two_who_take_an_address_at_once_gets_it(daemon):
    outcomes = at_once(*[lambda app=app: create(daemon, app=f"app{app}") for app in range(4)])
    assert sorted(isinstance(outcome, dict) for outcome in outcomes) == [False, False, False, True]
    assert [outcome for outcome in outcomes if not isinstance(outcome, dict)] == ["EmailAlreadyInUse"] * 3
    assert daemon.call("GetStatus")["users"] == 1


def test_the_work_of_a_guess_is_kept_with_the_hash_and_raised_at_a_sign_in(daemon):
    uid = create(daemon)["user"]["uid"]
    daemon.stop()
    column = SealedColumn(daemon, "passwords", "sealed", "uid")
    first = column.read(uid)

    def scrypt(kept, password=PASSWORD):
        cost, size, lanes = kept["cost"], kept["blockSize"], kept["parallelization"]
        return encoded(hashlib.scrypt(password.encode(), salt=decoded(kept["salt"]), n=cost, r=size, p=lanes, maxmem=1 << 28, dklen=32))

    work = {"cost": 1 << 15, "blockSize": 8, "parallelization": 3}
    assert {name: first[name] for name in work} == work and scrypt(first) == first["hash"]
    # As a version that asks for less work keeps it.
    weak = {**first, "cost": 1 << 10, "parallelization": 1}
    weak["hash"] = scrypt(weak)
    column.write(uid, weak)
    daemon.start()
    with ends_with("WrongPassword"):
        sign_in_with(daemon, password="another password")
    daemon.stop()
    assert column.read(uid) == weak
    daemon.start()
    assert sign_in_with(daemon)["user"]["uid"] == uid
    daemon.stop()
    raised = column.read(uid)
    assert {name: raised[name] for name in work} == work and scrypt(raised) == raised["hash"]
    # It is no other password: nobody is signed out for it.
    assert raised["salt"] != weak["salt"] and raised["changedAt"] == first["changedAt"]
    daemon.start()
    assert sign_in_with(daemon)["user"]["uid"] == uid


# ---- Linking and proving --------------------------------------------------------


def test_an_anonymous_user_gets_a_password_and_keeps_its_uid(daemon):
    uid = daemon.call("SignInAnonymously")["result"]["user"]["uid"]
    linked = sign_in_with(daemon, intent="link")
    assert linked["operation"] == "link" and linked["user"]["uid"] == uid and linked["user"]["isAnonymous"] is False
    assert sign_in_with(daemon, app="two")["user"]["uid"] == uid
    with ends_with("ProviderAlreadyLinked") as error:
        sign_in_with(daemon, "other@example.com", intent="link")
    assert error.value.parameters["providerID"] == "password"


def test_linking_takes_no_address_of_another_and_needs_a_user(daemon):
    with ends_with("NoCurrentUser") as error:
        sign_in_with(daemon, intent="link", app="two")
    assert error.value.parameters["app"] == "two"
    create(daemon)
    uid = daemon.call("SignInAnonymously", {"app": "two"})["result"]["user"]["uid"]
    with ends_with("EmailAlreadyInUse"):
        sign_in_with(daemon, intent="link", app="two")
    with ends_with("WeakPassword"):
        sign_in_with(daemon, "new@example.com", "short", intent="link", app="two")
    assert current(daemon, "two") == {**current(daemon, "two"), "uid": uid, "isAnonymous": True}


def test_a_providers_user_links_a_password(demo):
    user = sign_in(demo)["result"]["user"]
    linked = sign_in_with(demo, intent="link")["user"]
    assert providers(linked) == ["demo", "password"] and linked["emailVerified"] == user["emailVerified"]
    assert sign_in_with(demo, app="two")["user"]["uid"] == user["uid"]
    assert demo.call("FetchProviders", {"email": "ADA@example.com"})["providerIDs"] == ["demo", "password"]


def test_only_the_current_user_reauthenticates(daemon):
    with ends_with("NoCurrentUser"):
        sign_in_with(daemon, intent="reauthenticate")
    create(daemon, "grace@example.com", app="other")
    uid = create(daemon)["user"]["uid"]
    proved = sign_in_with(daemon, intent="reauthenticate")
    assert proved["operation"] == "reauthenticate" and proved["user"]["uid"] == uid
    for email in ("grace@example.com", "nobody@example.com"):
        with ends_with("UserMismatch"):
            sign_in_with(daemon, email, intent="reauthenticate")
    with ends_with("WrongPassword"):
        sign_in_with(daemon, password="another password", intent="reauthenticate")
    assert current(daemon)["uid"] == uid


# ---- Guessing --------------------------------------------------------------------


def test_guessing_is_slowed_also_at_once_and_after_a_kill(daemon):
    create(daemon)
    outcomes = at_once(*[lambda guess=guess: sign_in_with(daemon, password=f"guess number {guess}") for guess in range(14)])
    assert sorted(outcomes) == ["TooManyAttempts"] * 4 + ["WrongPassword"] * 10
    daemon.kill()
    daemon.start()
    with ends_with("TooManyAttempts") as error:
        sign_in_with(daemon)
    assert error.value.parameters["code"] == 17010 and 0 < error.value.parameters["retryAfterSeconds"] <= 300
    # Nobody else is shut out by that.
    create(daemon, "grace@example.com")
    assert sign_in_with(daemon, "grace@example.com")


def test_an_address_that_nobody_has_is_slowed_alike(daemon):
    outcomes = at_once(*[lambda: sign_in_with(daemon, "nobody@example.com") for _ in range(12)])
    assert sorted(outcomes) == ["TooManyAttempts"] * 2 + ["UserNotFound"] * 10


def test_the_right_password_wipes_the_wrong_ones(daemon):
    create(daemon)
    for _ in range(2):
        for guess in range(9):
            with ends_with("WrongPassword"):
                sign_in_with(daemon, password=f"guess number {guess}")
        sign_in_with(daemon)


def test_a_flood_of_passwords_is_bounded_and_holds_up_nobody_else(daemon):
    daemon.call("GetStatus")
    clients = [daemon.client(120) for _ in range(60)]
    for number, client in enumerate(clients):
        client.send("CreateUser", {"email": f"user{number}@example.com", "password": PASSWORD})
    other = daemon.client()
    other.call("GetStatus")
    outcomes = []
    for client in clients:
        try:
            client.receive()
            outcomes.append("made")
        except VarlinkError as error:
            outcomes.append(error.short)
    # Two at a time, and sixteen that wait; more where some are done before the last are asked for.
    assert set(outcomes) == {"made", "TooManyAttempts"} and 18 <= outcomes.count("made") < 60
    assert daemon.call("GetStatus")["users"] == outcomes.count("made")


def test_the_memory_of_a_hash_is_given_back(daemon):
    def anonymous():
        for line in open(f"/proc/{daemon.process.pid}/status"):
            if line.startswith("RssAnon"):
                return int(line.split()[1])

    create(daemon)
    before = anonymous()
    for _ in range(4):
        sign_in_with(daemon)
    assert anonymous() - before < 4096


# ---- Changing ----------------------------------------------------------------------


def test_a_changed_password_replaces_the_old_one_and_signs_other_apps_out(daemon):
    uid = create(daemon)["user"]["uid"]
    sign_in_with(daemon, app="two")
    assert daemon.call("UpdateUser", {"password": "another password"})["user"]["uid"] == uid
    assert current(daemon)["uid"] == uid and current(daemon, "two") is None
    with ends_with("WrongPassword"):
        sign_in_with(daemon)
    sign_in_with(daemon, password="another password")
    with ends_with("WeakPassword"):
        daemon.call("UpdateUser", {"password": "short"})


def test_a_password_that_changes_while_it_is_tried_is_not_good_any_more(daemon):
    create(daemon)
    for turn in range(4):
        old, new = (PASSWORD, "another password") if turn % 2 == 0 else ("another password", PASSWORD)
        signed_in, changed = at_once(
            lambda: sign_in_with(daemon, password=old, app="two"), lambda: daemon.call("UpdateUser", {"password": new}))
        assert isinstance(changed, dict)
        # Before the change it was right, and the change signed it out; after it, it was wrong.
        assert signed_in == "WrongPassword" or isinstance(signed_in, dict)
        assert current(daemon, "two") is None
        sign_in_with(daemon, password=new)


def test_a_password_takes_a_recent_sign_in(daemon):
    create(daemon)
    long_ago(daemon)
    for change in ({"password": "another password"}, {"email": "new@example.com"}):
        with ends_with("RequiresRecentSignIn") as error:
            daemon.call("UpdateUser", change)
        assert error.value.parameters["code"] == 17014
    daemon.call("UpdateUser", {"displayName": "Ada"})
    sign_in_with(daemon, intent="reauthenticate")
    daemon.call("UpdateUser", {"password": "another password"})


def test_a_provider_user_sets_a_password_and_an_anonymous_one_needs_an_address(demo):
    sign_in(demo)
    assert providers(demo.call("UpdateUser", {"password": PASSWORD})["user"]) == ["demo", "password"]
    sign_in_with(demo, app="two")
    uid = demo.call("SignInAnonymously", {"app": "three"})["result"]["user"]["uid"]
    with ends_with("InvalidEmail"):
        demo.call("UpdateUser", {"password": PASSWORD, "app": "three"})
    user = demo.call("UpdateUser", {"email": "New@example.com", "password": PASSWORD, "app": "three"})["user"]
    assert (user["uid"], user["isAnonymous"], user["email"]) == (uid, False, "new@example.com")


def test_no_password_and_no_address_reaches_the_log_or_the_feed(daemon):
    feed = daemon.client()
    feed.send("Monitor", more=True)
    create(daemon, "secret-person@example.com")
    for email, password in (("secret-person@example.com", "wrong horse"), ("secret-nobody@example.com", PASSWORD)):
        with pytest.raises(VarlinkError):
            sign_in_with(daemon, email, password)
    sign_in_with(daemon, "secret-person@example.com")
    daemon.call("UpdateUser", {"password": "battery staple"})
    told = ""
    while "changed" not in told:
        told += str(feed.receive())
    text = told + pathlib.Path(daemon.log).read_text()
    for secret in (PASSWORD, "wrong horse", "battery staple", "secret-"):
        assert secret not in text


def test_who_finds_a_program_open_links_no_password(demo):
    sign_in(demo)
    long_ago(demo)
    with ends_with("RequiresRecentSignIn"):
        sign_in_with(demo, intent="link")
    assert providers(current(demo)) == ["demo"]


def test_programs_that_make_users_without_end_leave_others_their_sign_in(daemon):
    create(daemon)
    made = [daemon.client(timeout=120) for _ in range(40)]
    for number, client in enumerate(made):
        client.send("CreateUser", {"email": f"{number}@example.com", "password": PASSWORD, "app": f"app {number}"})
    # Refused where no place is left, so the others wait by now.
    assert select.select([client.socket for client in made], [], [], 30)[0]
    # Its turn comes after the passwords that are being hashed, which takes a busy machine a while.
    client = daemon.client(timeout=120)
    credential = {"email": "ada@example.com", "password": PASSWORD}
    result = client.call("SignInWithCredential", {"credential": credential, "intent": "signIn", "app": "two"})["result"]
    assert result["operation"] == "signIn"
    for client in [client, *made]:
        client.close()
