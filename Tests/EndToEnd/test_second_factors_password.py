"""A second factor after a password, and what ends a first factor that was given."""
import pytest
from postern import ends_with, oidc
from second_factors import enroll, oathtool, required, resolve, user
from signing_in import sign_in

PASSWORD = {"email": "ada@example.com", "password": "correct horse battery staple"}


@pytest.fixture
def ada(make_daemon, demo_provider):
    """A daemon with Ada signed in, who has a password too."""
    daemon = make_daemon(oidc(demo_provider, trust_email=True)).start()
    sign_in(daemon)
    daemon.call("UpdateUser", {"password": PASSWORD["password"]})
    return daemon


@pytest.mark.parametrize("intent", ["signIn", "reauthenticate"])
def test_a_password_alone_does_not_do(ada, intent):
    secret = enroll(ada)
    uid = user(ada)["uid"]
    resolver, hints = required(lambda: ada.call("SignInWithCredential", {"credential": PASSWORD, "intent": intent}))
    result = resolve(ada, resolver, hints[0]["uid"], oathtool(secret, 1))
    assert result["user"]["uid"] == uid and result["operation"] == intent
    assert result["additionalUserInfo"]["providerID"] == "password" and "credential" not in result


def test_another_password_makes_a_first_factor_worthless(ada):
    secret = enroll(ada)
    resolvers = [required(lambda: ada.call("SignInWithCredential", {"credential": PASSWORD, "app": "other"}))[0],
                 required(lambda: sign_in(ada, app="other"))[0]]
    factor = user(ada)["secondFactors"][0]["uid"]
    ada.call("UpdateUser", {"password": "another horse battery staple"})
    for resolver in resolvers:
        with ends_with("InvalidCredential"):
            resolve(ada, resolver, factor, oathtool(secret, 1))


def test_a_user_who_is_gone_has_no_resolver(ada):
    secret = enroll(ada)
    resolver, hints = required(lambda: sign_in(ada, app="other"))
    ada.call("DeleteUser")
    with ends_with("InvalidCredential"):
        resolve(ada, resolver, hints[0]["uid"], oathtool(secret, 1))
    assert sign_in(ada)["result"]["additionalUserInfo"]["isNewUser"]


def test_an_anonymous_user_has_no_second_factor(ada):
    ada.call("SignInAnonymously", {"app": "guest"})
    with ends_with("InvalidCredential"):
        ada.call("EnrollSecondFactor", {"factorID": "totp", "app": "guest"})


def test_a_user_whose_address_is_not_verified_enrolls_nothing(ada):
    ada.call("CreateUser", {"email": "grace@example.org", "password": PASSWORD["password"], "app": "grace"})
    with ends_with("InvalidEmail"):
        ada.call("EnrollSecondFactor", {"factorID": "totp", "app": "grace"})


def test_a_provider_is_linked_by_who_has_a_second_factor_already(ada):
    """Linking proves nothing about the user, so it asks for no second factor; the current user has given it."""
    enroll(ada)
    providers = [data["providerID"] for data in user(ada)["providerData"]]
    assert providers == ["demo", "password"]
    assert [data["providerID"] for data in ada.call("UnlinkProvider", {"providerID": "demo"})["user"]["providerData"]] == ["password"]
    assert sign_in(ada, intent="link")["result"]["operation"] == "link"
