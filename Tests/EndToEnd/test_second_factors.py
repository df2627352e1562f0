"""A second proof after the first: codes of a program that is not ours, and codes that go to a telephone."""
import json
import ssl
import subprocess
import urllib.parse

import pytest
from fake import Server
from postern import ends_with, oidc
from second_factors import oathtool, required, resolve, telephone, user  # noqa: F401 fixture
from signing_in import sign_in

NUMBER = "+819012341234"


def test_a_code_of_oathtool_enrolls_and_signs_in_once(make_daemon, demo_provider):
    ada = make_daemon(oidc(demo_provider, trust_email=True)).start()
    sign_in(ada)
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


# ---- Telephones ---------------------------------------------------------------


def enroll_phone(daemon, messages):
    """A telephone of the app's user; its factor."""
    reply = daemon.call("EnrollSecondFactor", {"factorID": "phone", "phoneNumber": NUMBER, "displayName": "Pocket"})
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
    resolver, hints = required(lambda: sign_in(daemon))
    assert hints == [factor]
    assert daemon.call("StartSecondFactor", {"resolver": resolver, "uid": factor["uid"]}) == {}
    code = messages()[-1][0]["code"]
    assert resolve(daemon, resolver, factor["uid"], code)["user"]["uid"] == uid
    log = daemon.log.read_text()
    assert code not in log and NUMBER not in log


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


def test_a_code_is_sent_through_a_gateway(make_daemon, demo_provider, gateway):
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
    daemon.write(oidc(demo_provider, trust_email=True) + config.replace('"hunter2"', "{ file = \"/nonexistent\" }"))
    daemon.call("Reload")
    with ends_with("ProviderNotConfigured") as caught:
        daemon.call("StartSecondFactor", {"resolver": resolver, "uid": factor["uid"]})
    assert "gateway-token" in caught.value.parameters["message"]
