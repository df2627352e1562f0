"""A second proof after the first: codes of a program that is not ours, and codes that go to a telephone."""
import concurrent.futures
import json
import ssl
import subprocess
import time
import urllib.parse

import pytest
from fake import Server
from person import consent
from postern import VarlinkError, ends_with, free_port, oidc
from sealed import make_sign_ins_old
from second_factors import enroll, oathtool, required, resolve, telephone, user, wrong  # noqa: F401 fixtures
from signing_in import SignIn, handle_of, sign_in

NUMBER = "+819012341234"


@pytest.fixture
def ada(make_daemon, demo_provider):
    """A daemon with Ada signed in."""
    daemon = make_daemon(oidc(demo_provider, trust_email=True)).start()
    sign_in(daemon)
    return daemon


# ---- Programs that make codes -------------------------------------------------


def test_a_code_of_oathtool_enrolls_and_signs_in_once(ada):
    before = user(ada)
    assert before["secondFactors"] == []
    reply = ada.call("EnrollSecondFactor", {"factorID": "totp", "displayName": "Ada's telephone"})
    uri = urllib.parse.urlsplit(reply["provisioningURI"])
    query = dict(urllib.parse.parse_qsl(uri.query))
    assert (uri.scheme, uri.netloc, urllib.parse.unquote(uri.path)) == ("otpauth", "totp", "/Postern:ada@example.com")
    assert query == {"secret": reply["secret"], "issuer": "Postern", "algorithm": "SHA1", "digits": "6", "period": "30"}
    assert user(ada)["secondFactors"] == []

    used = oathtool(reply["secret"])
    after = ada.call("ConfirmSecondFactor", {"enrollmentID": reply["enrollmentID"], "verificationCode": used})["user"]
    assert after == user(ada)
    (factor,) = after["secondFactors"]
    assert factor["factorID"] == "totp" and factor["displayName"] == "Ada's telephone" and "phoneNumber" not in factor
    with ends_with("InvalidCredential"):
        ada.call("ConfirmSecondFactor", {"enrollmentID": reply["enrollmentID"], "verificationCode": used})

    ada.call("SignOut")
    resolver, hints = required(lambda: sign_in(ada))
    assert hints == [factor]
    assert user(ada) is None, "nobody is signed in by one factor"
    with ends_with("InvalidVerificationCode"):
        resolve(ada, resolver, factor["uid"], used)
    code = oathtool(reply["secret"], 1)
    result = resolve(ada, resolver, factor["uid"], f"{code[:3]} {code[3:]}")
    assert result["operation"] == "signIn" and result["user"]["uid"] == before["uid"] == user(ada)["uid"]
    assert result["credential"]["accessToken"] and result["credential"]["idToken"]
    info = result["additionalUserInfo"]
    assert info["providerID"] == "demo" and not info["isNewUser"] and info["profile"]["email"] == "ada@example.com"
    with ends_with("InvalidCredential"):
        resolve(ada, resolver, factor["uid"], oathtool(reply["secret"], 1))


def test_nothing_of_the_first_factor_is_applied_before_the_second(ada):
    enroll(ada)
    ada.call("RevokeCredential", {"providerID": "demo"})
    ada.call("SignOut")
    required(lambda: sign_in(ada))
    assert ada.call("ListCredentials")["credentials"] == []


@pytest.mark.parametrize("way", ["session", "handle"])
@pytest.mark.parametrize("intent", ["signIn", "reauthenticate"])
def test_a_second_factor_is_asked_for_by_every_way_and_intent(ada, way, intent):
    uid = user(ada)["uid"]
    secret = enroll(ada)
    if way == "session":
        resolver, hints = required(lambda: sign_in(ada, intent=intent))
    else:
        handle = handle_of(ada)
        resolver, hints = required(lambda: ada.call("SignInWithCredential", {"credential": {"handle": handle}, "intent": intent}))
    result = resolve(ada, resolver, hints[0]["uid"], oathtool(secret, 1))
    assert result["operation"] == intent and result["user"]["uid"] == uid


def test_reauthentication_is_decided_anew_when_the_code_comes(ada):
    secret = enroll(ada)
    resolver, hints = required(lambda: sign_in(ada, intent="reauthenticate"))
    sign_in(ada, "grace")
    with ends_with("UserMismatch"):
        resolve(ada, resolver, hints[0]["uid"], oathtool(secret, 1))
    assert user(ada)["email"] == "grace@example.org"


def test_a_sign_in_of_the_same_user_meanwhile_does_no_harm(ada):
    secret = enroll(ada, step=-1) if time.time() % 30 < 20 else enroll(ada)
    first, hints = required(lambda: sign_in(ada, app="one"))
    second, _ = required(lambda: sign_in(ada, app="two"))
    resolve(ada, second, hints[0]["uid"], oathtool(secret, 1))
    assert user(ada, "two") and user(ada, "one") is None
    # The same code is used up for every sign-in of the user, and that costs the other one a try, no more.
    with ends_with("InvalidVerificationCode") as caught:
        resolve(ada, first, hints[0]["uid"], oathtool(secret, 0))
    assert "4 tries" in caught.value.parameters["message"]


def test_wrong_codes_are_limited_in_a_sign_in_and_over_all_also_after_a_kill(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider, trust_email=True), port=free_port()).start()
    sign_in(daemon)
    secret = enroll(daemon)
    code = wrong(secret)
    for last in [0, 1800]:
        resolver, hints = required(lambda: sign_in(daemon))
        for left in [4, 3, 2, 1]:
            with ends_with("InvalidVerificationCode") as caught:
                resolve(daemon, resolver, hints[0]["uid"], code)
            assert caught.value.parameters["code"] == 17044
        if last == 0:
            daemon.kill()
            daemon.start()
        with ends_with("TooManyAttempts") as caught:
            resolve(daemon, resolver, hints[0]["uid"], code)
        assert caught.value.parameters["code"] == 17010
        assert last - 60 <= caught.value.parameters["retryAfterSeconds"] <= last
        with ends_with("InvalidCredential"):
            resolve(daemon, resolver, hints[0]["uid"], oathtool(secret, 1))
    daemon.kill()
    daemon.start()
    resolver, hints = required(lambda: sign_in(daemon))
    with ends_with("TooManyAttempts") as caught:
        resolve(daemon, resolver, hints[0]["uid"], oathtool(secret, 1))
    assert 1500 < caught.value.parameters["retryAfterSeconds"] <= 1800


def test_a_first_factor_survives_a_kill_between_the_two(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider, trust_email=True)).start()
    sign_in(daemon)
    secret = enroll(daemon)
    resolver, hints = required(lambda: sign_in(daemon))
    daemon.kill()
    daemon.start()
    assert resolve(daemon, resolver, hints[0]["uid"], oathtool(secret, 1))["credential"]["accessToken"]
    daemon.kill()
    daemon.start()
    # Neither the resolver nor the code came back to life.
    again, _ = required(lambda: sign_in(daemon))
    for spent, error in [(resolver, "InvalidCredential"), (again, "InvalidVerificationCode")]:
        with ends_with(error):
            resolve(daemon, spent, hints[0]["uid"], oathtool(secret, 0))


def test_of_two_programs_that_resolve_at_once_one_wins(ada):
    secret = enroll(ada)
    resolver, hints = required(lambda: sign_in(ada))
    code = oathtool(secret, 1)

    def attempt(_):
        try:
            return resolve(ada, resolver, hints[0]["uid"], code)["operation"]
        except VarlinkError as error:
            return error.short

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        outcomes = sorted(pool.map(attempt, range(8)))
    assert outcomes == ["InvalidCredential"] * 7 + ["signIn"]


def test_programs_that_wait_for_one_sign_in_each_get_a_resolver(ada):
    secret = enroll(ada)
    pending = SignIn(ada)
    others = [ada.client() for _ in range(3)]
    for client in others:
        client.send("SignIn", {"providerID": "demo", "presentation": "client"}, more=True)
        assert client.receive()["event"]["sessionID"] == pending.id
    consent(pending.url)

    def ending(client):
        while True:
            client.receive()

    resolvers = [required(lambda: ending(client)) for client in [pending.client, *others]]
    assert len({resolver for resolver, _ in resolvers}) == 4
    factor = resolvers[0][1][0]["uid"]
    assert resolve(ada, resolvers[2][0], factor, oathtool(secret, 1))["operation"] == "signIn"
    with ends_with("InvalidVerificationCode"):
        resolve(ada, resolvers[0][0], factor, oathtool(secret, 1))


def test_what_is_unknown_or_not_meant_is_refused_and_said(ada):
    secret = enroll(ada)
    resolver, hints = required(lambda: sign_in(ada))
    with ends_with("InvalidCredential"):
        resolve(ada, resolver, "nobody", oathtool(secret, 1))
    with ends_with("InvalidCredential"):
        resolve(ada, "unknown", hints[0]["uid"], oathtool(secret, 1))
    with ends_with("SecondFactorAlreadyEnrolled"):
        ada.call("EnrollSecondFactor", {"factorID": "totp"})
    with ends_with("InvalidCredential"):
        ada.call("RemoveSecondFactor", {"uid": "nobody"})
    for method in ["EnrollSecondFactor", "RemoveSecondFactor", "ConfirmSecondFactor"]:
        call = {"factorID": "totp"} if method.startswith("E") else {"uid": "x"} if method.startswith("R") else {
            "enrollmentID": "x", "verificationCode": "000000"}
        with ends_with("NoCurrentUser") as caught:
            ada.call(method, {**call, "app": "other"})
        assert caught.value.parameters["app"] == "other"
    for parameters in [{"factorID": "totp", "phoneNumber": NUMBER}, {"factorID": "phone"}, {"factorID": "totp", "displayName": "a\nb"},
                       {"factorID": "totp", "displayName": ""}, {"factorID": "totp", "displayName": "x" * 129}]:
        with ends_with("InvalidParameter"):
            ada.call("EnrollSecondFactor", parameters)


def test_a_user_without_a_verified_address_enrolls_nothing(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider, trust_email=True, scopes=("openid", "profile"))).start()
    sign_in(daemon)
    with ends_with("InvalidEmail") as caught:
        daemon.call("EnrollSecondFactor", {"factorID": "totp"})
    assert "that a provider trusted for it (trust-email) has verified" in caught.value.parameters["message"]


def test_only_who_was_there_a_moment_ago_changes_second_factors(ada):
    secret = enroll(ada)
    factor = user(ada)["secondFactors"][0]["uid"]
    ada.stop()
    make_sign_ins_old(ada)
    ada.start()
    for method, parameters in [("EnrollSecondFactor", {"factorID": "totp"}), ("RemoveSecondFactor", {"uid": factor})]:
        with ends_with("RequiresRecentSignIn") as caught:
            ada.call(method, parameters)
        assert caught.value.parameters["code"] == 17014
    resolver, _ = required(lambda: sign_in(ada, intent="reauthenticate"))
    with ends_with("RequiresRecentSignIn"):
        ada.call("RemoveSecondFactor", {"uid": factor})
    resolve(ada, resolver, factor, oathtool(secret, 1))
    assert ada.call("RemoveSecondFactor", {"uid": factor})["user"]["secondFactors"] == []


def test_an_enrollment_is_its_apps_and_users_and_its_tries_are_limited(ada):
    sign_in(ada, app="other")
    reply = ada.call("EnrollSecondFactor", {"factorID": "totp"})
    confirm = {"enrollmentID": reply["enrollmentID"], "verificationCode": oathtool(reply["secret"])}
    with ends_with("InvalidCredential"):
        ada.call("ConfirmSecondFactor", {**confirm, "app": "other"})
    sign_in(ada, "grace")
    with ends_with("InvalidCredential"):
        ada.call("ConfirmSecondFactor", confirm)
    sign_in(ada)
    # An enrolment is no first factor.
    with ends_with("InvalidCredential"):
        resolve(ada, reply["enrollmentID"], "x", confirm["verificationCode"])
    for error in ["InvalidVerificationCode"] * 4 + ["TooManyAttempts", "InvalidCredential"]:
        with ends_with(error):
            ada.call("ConfirmSecondFactor", {**confirm, "verificationCode": wrong(reply["secret"])})
    assert user(ada)["secondFactors"] == []
    enroll(ada)


def test_a_sign_in_from_before_the_second_factor_does_not_change_it(make_daemon, demo_provider, telephone):
    command, messages = telephone
    daemon = make_daemon(oidc(demo_provider, trust_email=True) + command).start()
    sign_in(daemon)
    sign_in(daemon, app="two")
    begun = daemon.call("EnrollSecondFactor", {"factorID": "phone", "phoneNumber": NUMBER, "app": "two"})
    ((message, _, _),) = messages()
    enroll(daemon)
    (factor,) = user(daemon)["secondFactors"]
    for method, parameters in [
        ("RemoveSecondFactor", {"uid": factor["uid"]}), ("EnrollSecondFactor", {"factorID": "phone", "phoneNumber": "+819012345678"}),
        ("ConfirmSecondFactor", {"enrollmentID": begun["enrollmentID"], "verificationCode": message["code"]}),
    ]:
        with ends_with("RequiresRecentSignIn"):
            daemon.call(method, {**parameters, "app": "two"})
    assert user(daemon)["secondFactors"] == [factor]


def test_a_removed_factor_is_not_asked_for_any_more(ada):
    enroll(ada)
    factor = user(ada)["secondFactors"][0]["uid"]
    resolver, _ = required(lambda: sign_in(ada))
    assert ada.call("RemoveSecondFactor", {"uid": factor})["user"]["secondFactors"] == []
    assert sign_in(ada)["result"]["user"]["secondFactors"] == []
    with ends_with("InvalidCredential"):
        resolve(ada, resolver, factor, "000000")


# ---- Telephones ---------------------------------------------------------------


def enroll_phone(daemon, messages, number=NUMBER):
    """A telephone of the app's user; its factor."""
    reply = daemon.call("EnrollSecondFactor", {"factorID": "phone", "phoneNumber": number, "displayName": "Pocket"})
    assert "secret" not in reply and "provisioningURI" not in reply
    code = messages()[-1][0]["code"]
    confirmed = daemon.call("ConfirmSecondFactor", {"enrollmentID": reply["enrollmentID"], "verificationCode": code})
    return confirmed["user"]["secondFactors"][-1]


def test_a_code_sent_by_a_script_enrolls_and_signs_in(make_daemon, demo_provider, telephone):
    config, messages = telephone
    daemon = make_daemon(oidc(demo_provider, trust_email=True) + config).start()
    uid = sign_in(daemon)["result"]["user"]["uid"]
    factor = enroll_phone(daemon, messages)
    assert factor["phoneNumber"] == "+81 ***-***-1234" and factor["displayName"] == "Pocket"
    (message, arguments, environment), = messages()
    assert message["to"] == NUMBER and message["code"] in message["text"] and len(message["code"]) == 6
    assert arguments == ["--quick"] and message["code"] not in json.dumps(environment) and NUMBER not in json.dumps(environment)
    with ends_with("SecondFactorAlreadyEnrolled"):
        daemon.call("EnrollSecondFactor", {"factorID": "phone", "phoneNumber": NUMBER})

    resolver, hints = required(lambda: sign_in(daemon))
    assert hints == [factor]
    start = {"resolver": resolver, "uid": factor["uid"]}
    # Nothing goes out by itself, and the code of the enrolment is none of this sign-in's.
    assert len(messages()) == 1
    with ends_with("InvalidVerificationCode"):
        resolve(daemon, resolver, factor["uid"], message["code"])
    assert daemon.call("StartSecondFactor", start) == {}
    first = messages()[-1][0]["code"]
    assert daemon.call("StartSecondFactor", start) == {}
    second = messages()[-1][0]["code"]
    if first != second:
        with ends_with("InvalidVerificationCode"):
            resolve(daemon, resolver, factor["uid"], first)
    assert resolve(daemon, resolver, factor["uid"], second)["user"]["uid"] == uid
    with ends_with("InvalidCredential"):
        daemon.call("StartSecondFactor", start)
    log = daemon.log.read_text()
    assert all(code not in log for code in (first, second, NUMBER))


def test_messages_are_limited_also_over_a_restart(make_daemon, demo_provider, telephone):
    config, messages = telephone
    daemon = make_daemon(oidc(demo_provider, trust_email=True) + config).start()
    sign_in(daemon)
    factor = enroll_phone(daemon, messages)["uid"]
    resolver, _ = required(lambda: sign_in(daemon))
    for _ in range(4):
        daemon.call("StartSecondFactor", {"resolver": resolver, "uid": factor})
    daemon.kill()
    daemon.start()
    for call in [lambda: daemon.call("StartSecondFactor", {"resolver": resolver, "uid": factor})]:
        with ends_with("TooManyAttempts") as caught:
            call()
        assert 0 < caught.value.parameters["retryAfterSeconds"] <= 600
    assert len(messages()) == 5
    # The last one that was sent is good still.
    assert resolve(daemon, resolver, factor, messages()[-1][0]["code"])["operation"] == "signIn"
    # Another number has a limit of its own, until there were too many in all.
    for number in range(15):
        daemon.call("EnrollSecondFactor", {"factorID": "phone", "phoneNumber": f"+8190{number:08}"})
    with ends_with("TooManyAttempts"):
        daemon.call("EnrollSecondFactor", {"factorID": "phone", "phoneNumber": "+819099999999"})
    assert len(messages()) == 20


def test_either_of_two_factors_will_do(make_daemon, demo_provider, telephone):
    config, messages = telephone
    daemon = make_daemon(oidc(demo_provider, trust_email=True) + config).start()
    sign_in(daemon)
    secret = enroll(daemon)
    phone = enroll_phone(daemon, messages)
    totp = user(daemon)["secondFactors"][0]
    resolver, hints = required(lambda: sign_in(daemon))
    assert hints == [totp, phone]
    with ends_with("InvalidCredential"):
        daemon.call("StartSecondFactor", {"resolver": resolver, "uid": totp["uid"]})
    assert resolve(daemon, resolver, totp["uid"], oathtool(secret, 1))["operation"] == "signIn"


class Gateway(Server):
    status = 200

    def answer(self, request):
        return self.status, {}


@pytest.fixture
def gateway(tmp_path):
    """An https server that takes messages; its configuration, and the server."""
    certificate, key = tmp_path / "gateway.crt", tmp_path / "gateway.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", "/CN=gateway",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    server = Gateway()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.server.socket = context.wrap_socket(server.server.socket, server_side=True)
    origin = server.origin.replace("http:", "https:")
    yield (f'[second-factor.phone]\ngateway = "{origin}/send"\ngateway-token = "hunter2"\nca-file = "{certificate}"\n'), server
    server.close()


def test_a_code_goes_out_by_a_gateway(make_daemon, demo_provider, gateway):
    config, server = gateway
    daemon = make_daemon(oidc(demo_provider, trust_email=True) + config).start()
    sign_in(daemon)
    factor = enroll_phone(daemon, lambda: [[json.loads(request.body)] for request in server.requests])
    (request,) = server.requests
    assert (request.method, request.path) == ("POST", "/send")
    assert request.headers["Authorization"] == "Bearer hunter2" and request.headers["Content-Type"] == "application/json"
    assert json.loads(request.body)["to"] == NUMBER
    resolver, _ = required(lambda: sign_in(daemon))
    server.status = 503
    with ends_with("ProviderUnreachable") as caught:
        daemon.call("StartSecondFactor", {"resolver": resolver, "uid": factor["uid"]})
    assert "503" in caught.value.parameters["message"] and "hunter2" not in daemon.log.read_text()


@pytest.mark.parametrize("script, words", [
    ("exit 1", "ended with status 1"), ("sleep 1000", "took longer than 1 s"), ("exec yes", "wrote more than"), ("kill -9 $$", "signal 9")])
def test_a_program_that_does_harm_costs_its_own_message_alone(make_daemon, demo_provider, script, words):
    command = json.dumps(["/bin/sh", "-c", script, "argument-0"])
    daemon = make_daemon(oidc(demo_provider, trust_email=True) + f'[second-factor.phone]\ncommand = {command}\ntimeout = "1s"\n').start()
    sign_in(daemon)
    waiting = daemon.client()
    waiting.send("EnrollSecondFactor", {"factorID": "phone", "phoneNumber": NUMBER})
    # Meanwhile everybody else is served.
    assert user(daemon)["email"] == "ada@example.com"
    with ends_with("ProviderUnreachable") as caught:
        waiting.receive()
    message = caught.value.parameters["message"]
    assert words in message and "argument-0" not in message and caught.value.parameters["providerID"] == "phone"
    assert user(daemon)["secondFactors"] == []


def test_without_a_way_to_telephones_it_says_which_key_to_set(make_daemon, demo_provider, telephone):
    daemon = make_daemon(oidc(demo_provider, trust_email=True)).start()
    sign_in(daemon)
    with ends_with("ProviderNotConfigured") as caught:
        daemon.call("EnrollSecondFactor", {"factorID": "phone", "phoneNumber": NUMBER})
    assert "[second-factor.phone]" in caught.value.parameters["message"] and caught.value.parameters["code"] == 17006
    config, messages = telephone
    daemon.write(oidc(demo_provider, trust_email=True) + config)
    daemon.call("Reload")
    for number in ["090-1234-1234", "+0901234", "819012341234", "+81 90 1234 1234"]:
        with ends_with("InvalidCredential"):
            daemon.call("EnrollSecondFactor", {"factorID": "phone", "phoneNumber": number})
    assert messages() == []
    assert enroll_phone(daemon, messages)["factorID"] == "phone"


def test_a_gateway_without_its_token_is_said_when_a_code_is_to_go_out(make_daemon, demo_provider, tmp_path):
    config = f'[second-factor.phone]\ngateway = "https://127.0.0.1:1/"\ngateway-token = {{ file = "{tmp_path}/none" }}\n'
    daemon = make_daemon(oidc(demo_provider, trust_email=True) + config).start()
    sign_in(daemon)
    with ends_with("ProviderNotConfigured") as caught:
        daemon.call("EnrollSecondFactor", {"factorID": "phone", "phoneNumber": NUMBER})
    assert "gateway-token" in caught.value.parameters["message"]
