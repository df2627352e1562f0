"""Second factors: an independent authenticator program, and a telephone that is a script."""
import json
import subprocess
import sys
import time

import pytest
from postern import ends_with


def oathtool(secret, step=0):
    """The current code, or the one a number of 30 s steps later."""
    arguments = ["oathtool", "--totp", "--base32", f"--now=@{int(time.time()) + 30 * step}", secret]
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout.strip()


def wrong(secret):
    """A code that is wrong for the next minutes."""
    near = {oathtool(secret, step) for step in range(-4, 20)}
    return next(code for code in (f"{number:06}" for number in range(100)) if code not in near)


def enroll(daemon, **parameters):
    """Enrols an authenticator program for the app's user; returns its secret."""
    reply = daemon.call("EnrollSecondFactor", {"factorID": "totp", **parameters})
    app = {"app": parameters["app"]} if "app" in parameters else {}
    code = oathtool(reply["secret"])
    daemon.call("ConfirmSecondFactor", {"enrollmentID": reply["enrollmentID"], "verificationCode": code, **app})
    return reply["secret"]


def required(action):
    """The resolver and the hints of the error that the action raises."""
    with ends_with("SecondFactorRequired") as caught:
        action()
    assert caught.value.parameters["code"] == 17078
    return caught.value.parameters["resolver"], caught.value.parameters["hints"]


def resolve(daemon, resolver, factor, code):
    return daemon.call("ResolveSecondFactor", {"resolver": resolver, "uid": factor, "verificationCode": code})["result"]


def user(daemon, app="default"):
    return daemon.call("GetCurrentUser", {"app": app}).get("user")


@pytest.fixture
def telephone(tmp_path):
    """A "gateway" that is a script: writes every message, and how it was called, to a file. Returns its configuration, and the messages."""
    path = tmp_path / "messages"
    script = tmp_path / "send.py"
    script.write_text(
        "import json, os, sys\n"
        "line = sys.stdin.readline()\n"
        "assert sys.stdin.read() == ''\n"
        f"with open({str(path)!r}, 'a') as file:\n"
        "    file.write(json.dumps([json.loads(line), sys.argv[1:], dict(os.environ)]) + '\\n')\n")
    command = json.dumps([sys.executable, str(script), "--quick"])

    def messages():
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    return f"[second-factor.phone]\ncommand = {command}\n", messages
