"""ID tokens of this machine's users: made by the daemon, verified by programs that are not ours."""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import time
import warnings

import pytest
import requests
from authlib.deprecate import AuthlibDeprecationWarning
from commands import run
from postern import ROOT, VarlinkError, ends_with, free_port, oidc
from signing_in import sign_in

AUDIENCE = "https://notes.example"


def get(url, **more):
    with requests.Session() as session:
        session.trust_env = False
        return session.get(url, timeout=10, **more)


def token_of(daemon, audience=AUDIENCE, **parameters):
    return daemon.call("GetUserToken", {"audience": audience, **parameters})["idToken"]


def keys_of(daemon):
    discovery = get(f"{daemon.origin}/.well-known/openid-configuration").json()
    return get(discovery["jwks_uri"]).json()


def verified(daemon, token, audience=AUDIENCE):
    """As a service does it with Authlib: discovery, keys, signature, claims. Any failure is an exception."""
    with warnings.catch_warnings():
        # Authlib's own JOSE is to be gone with its version 2; until then many services use it.
        warnings.simplefilter("ignore", AuthlibDeprecationWarning)
        from authlib.jose import JsonWebKey, JsonWebToken
        from authlib.oidc.core import IDToken

    discovery = get(f"{daemon.origin}/.well-known/openid-configuration").json()
    keys = JsonWebKey.import_key_set(get(discovery["jwks_uri"]).json())
    options = {
        "iss": {"essential": True, "value": discovery["issuer"]}, "aud": {"essential": True, "value": audience},
        "sub": {"essential": True}, "auth_time": {"essential": True},
    }
    algorithms = discovery["id_token_signing_alg_values_supported"]
    claims = JsonWebToken(algorithms).decode(token, keys, claims_cls=IDToken, claims_options=options)
    claims.validate()
    return claims


def test_a_service_verifies_who_is_signed_in(demo):
    before = int(time.time())
    signed_in = sign_in(demo, app="notes")
    reply = demo.call("GetUserToken", {"audience": AUDIENCE, "app": "notes"})
    claims = verified(demo, reply["idToken"])
    assert claims.header["alg"] == "ES256" and claims.header["typ"] == "JWT"
    user = signed_in["result"]["user"]
    assert claims["sub"] == claims["user_id"] == user["uid"]
    assert claims["iss"] == demo.origin and claims["aud"] == AUDIENCE and claims["app"] == "notes"
    assert before <= claims["auth_time"] <= claims["iat"] <= time.time() and claims["exp"] == claims["iat"] + 3600
    assert reply["expiresAt"] == time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(claims["exp"]))
    assert claims["name"] == user["displayName"] and claims["email"] == user["email"]
    assert claims["email_verified"] == user["emailVerified"]
    assert claims["firebase"]["sign_in_provider"] == "demo"
    assert claims["firebase"]["identities"]["demo"] == [user["providerData"][0]["uid"]]
    assert claims["firebase"]["identities"]["email"] == [user["email"]]
    assert "sign_in_second_factor" not in claims["firebase"]


def test_each_call_returns_a_new_token_and_fails_without_a_user(demo):
    with ends_with("NoCurrentUser") as refusal:
        demo.call("GetUserToken", {"audience": AUDIENCE, "app": "notes"})
    assert refusal.value.parameters["app"] == "notes"
    sign_in(demo)
    assert len({token_of(demo) for _ in range(5)}) == 5
    for audience in [{}, {"audience": ""}, {"audience": 7}]:
        with pytest.raises(VarlinkError) as refusal:
            demo.call("GetUserToken", audience)
        assert refusal.value.name == "org.varlink.service.InvalidParameter" and refusal.value.parameters == {"parameter": "audience"}
    with ends_with("NoCurrentUser"):
        token_of(demo, app="another")
    demo.call("SignOut")
    with ends_with("NoCurrentUser"):
        token_of(demo)


def test_the_discovery_documents_contain_no_private_key_and_allow_no_web_origin(demo):
    sign_in(demo)
    token_of(demo)
    for name in ("openid-configuration", "jwks.json"):
        answer = get(f"{demo.origin}/.well-known/{name}", headers={"Origin": "https://example.com"})
        assert answer.status_code == 200 and answer.headers["Content-Type"] == "application/json"
        assert answer.headers["Cache-Control"] == "public, max-age=300" and answer.headers["X-Content-Type-Options"] == "nosniff"
        assert not [header for header in answer.headers if header.lower().startswith("access-control-")]
    (key,) = keys_of(demo)["keys"]
    assert set(key) == {"kty", "crv", "x", "y", "kid", "use", "alg"}
    from joserfc.jwk import ECKey
    assert key["kid"] == ECKey.import_key(key).thumbprint()
    demo.stop()
    log = demo.log.read_text()
    assert "PRIVATE" not in log and "eyJ" not in log
    assert not [file for file in (demo.directory / "state").iterdir() if b"PRIVATE KEY" in file.read_bytes()]


def test_keys_fetched_before_the_first_token_include_the_signing_key(demo):
    """A service that starts before the first token keeps the keys for five minutes."""
    sign_in(demo)
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        sets = [pool.submit(keys_of, demo) for _ in range(8)]
        tokens = [pool.submit(token_of, demo) for _ in range(8)]
        kids = {key["kid"] for future in sets for key in future.result()["keys"]}
        assert len(kids) == 1
        assert all(verified(demo, future.result()).header["kid"] in kids for future in tokens)


def test_tokens_stay_valid_after_kill_9(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), port=free_port()).start()
    sign_in(daemon)
    tokens = [token_of(daemon)]
    for _ in range(3):
        # Killed in the midst of further ones.
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            further = [pool.submit(token_of, daemon) for _ in range(8)]
            tokens.append(further[0].result())
            daemon.kill()
            for future in further:
                try:
                    tokens.append(future.result())
                except (OSError, EOFError):
                    pass
        daemon.start()
    assert len({verified(daemon, token).header["kid"] for token in tokens}) == 1


def test_the_first_key_is_complete_or_absent_after_kill_9(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), port=free_port()).start()
    sign_in(daemon)
    tokens = []
    client = daemon.client()
    client.send("GetUserToken", {"audience": AUDIENCE})
    daemon.kill()
    try:
        tokens.append(client.receive()["idToken"])
    except (OSError, EOFError):
        pass
    daemon.start()
    tokens.append(token_of(daemon))
    for token in tokens:
        verified(daemon, token)


def test_without_the_store_the_keys_are_unavailable_and_no_reason_is_disclosed(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), port=free_port()).start()
    sign_in(daemon)
    token = token_of(daemon)
    daemon.stop()
    key = daemon.directory / "state" / "key"
    key.rename(key.with_suffix(".away"))
    daemon.start()
    answer = get(f"{daemon.origin}/.well-known/jwks.json")
    assert answer.status_code == 503 and answer.headers["Cache-Control"] == "no-store" and answer.headers["Retry-After"]
    assert answer.json()["error"] == "temporarily_unavailable" and str(daemon.directory) not in answer.text
    # What does not hang on the store is told all the same.
    assert get(f"{daemon.origin}/.well-known/openid-configuration").json()["issuer"] == daemon.origin
    with ends_with("StoreLocked"):
        token_of(daemon)
    key.with_suffix(".away").rename(key)
    daemon.call("Reload")
    verified(daemon, token)


def test_the_issuer_is_the_first_address_whatever_host_is_requested(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), callback='addresses = ["127.0.0.1", "::1"]').start()
    sign_in(daemon)
    origins = [url.split("/__/")[0] for url in daemon.call("GetStatus")["callbackURLs"]]
    assert len(origins) == 2
    for origin in [*origins, origins[0].replace("127.0.0.1", "localhost")]:
        assert get(f"{origin}/.well-known/openid-configuration").json()["issuer"] == origins[0]
    assert verified(daemon, token_of(daemon))["iss"] == origins[0]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_another_user_is_refused(demo):
    """The daemon of this test is root's, so that the user called nobody is somebody else."""
    script = f"import urllib.request as r, urllib.error as e\ntry: print(r.urlopen('{demo.origin}/.well-known/jwks.json').status)\nexcept e.HTTPError as x: print(x.code)\nexcept OSError: print('closed')"
    done = subprocess.run(
        ["/usr/bin/env", "python3", "-c", script], capture_output=True, text=True, timeout=30, user=65534, env={"PATH": os.environ["PATH"]})
    assert done.stdout.strip() == "closed", done


def test_the_guides_example_runs(demo, tmp_path):
    text = (ROOT / "docs" / "programs" / "identity-for-services.md").read_text()
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    example = tmp_path / "verify.py"
    example.write_text(program)

    def verify(*arguments):
        environment = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
        return subprocess.run([sys.executable, str(example), *arguments], capture_output=True, text=True, timeout=60, env=environment)

    user = sign_in(demo)["result"]["user"]
    token = token_of(demo)
    done = verify(demo.origin, AUDIENCE, token)
    assert done.returncode == 0 and done.stdout.strip() == user["uid"], done.stderr
    assert verify(demo.origin, "https://other.example", token).returncode != 0
    assert verify(demo.origin.replace("127.0.0.1", "localhost"), AUDIENCE, token).returncode != 0
    header, body, signature = token.split(".")
    assert verify(demo.origin, AUDIENCE, f"{header}.{body}.{signature[::-1]}").returncode != 0

    (line,) = [line for line in re.findall(r"```sh\n(.*?)\n\s*```", text, re.DOTALL)]
    status = run(demo, "call", "GetStatus").stdout
    asked = subprocess.run(["sh", "-c", line.split("|", 1)[1]], input=status, capture_output=True, text=True, timeout=60)
    assert asked.stdout.strip() == demo.origin, asked.stderr


def test_the_command_prints_only_the_token(demo):
    done = run(demo, "user-token", "--audience", AUDIENCE)
    assert done.returncode == 3 and not done.stdout and "sign in" in done.stderr
    sign_in(demo)
    done = run(demo, "user-token", "--audience", AUDIENCE)
    assert done.returncode == 0 and not done.stderr
    verified(demo, done.stdout.strip())
    assert done.stdout.count("\n") == 1
    document = json.loads(run(demo, "user-token", "--audience", AUDIENCE, "--json").stdout)
    assert set(document) == {"idToken", "expiresAt"}
    assert run(demo, "user-token", "--audience", AUDIENCE, "--app", "other").returncode == 3
    refused = run(demo, "user-token", "--audience", "x" * 256)
    assert refused.returncode == 1 and "--audience takes" in refused.stderr
    empty = run(demo, "user-token", "--audience", "")
    assert empty.returncode == 64 and "--audience is empty" in empty.stderr
