"""systemd's varlinkctl calls the daemon as docs/programs/programs.md says."""
import json
import re
import shlex

import pytest
from person import consent
from postern import ROOT, oidc
from signing_in import browser_command, sign_in
from varlinkctl import reason_to_skip, varlinkctl

pytestmark = pytest.mark.skipif(reason_to_skip() is not None, reason=reason_to_skip() or "")
SECTION = (ROOT / "docs" / "programs" / "programs.md").read_text().split("### With varlinkctl")[1].split("\n## ")[0]
INTROSPECT, SIGN_IN, EVENTS, TOKEN = [
    shlex.split(line.partition(" | ")[0].replace("github.com", "demo"), comments=True)[1:] for line in re.findall(r"^varlinkctl .*", SECTION, re.M)]


def run(daemon, words, **options):
    process = varlinkctl(daemon, *words, **options)
    out, error = process.communicate(timeout=60)
    return process.returncode, out, error


def test_the_interface_is_described(demo):
    code, out, _ = run(demo, INTROSPECT)
    assert code == 0 and "GetAccessToken" in out and "SecondFactorRequired" in out


def test_varlinkctl_signs_in_and_gets_a_token(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider) + f"browser = {browser_command('ada')}\n").start()
    code, out, error = run(daemon, SIGN_IN)
    assert code == 0 and json.loads(out)["event"]["result"]["user"]["displayName"] == "Ada Lovelace", error
    code, out, error = run(daemon, TOKEN)
    assert code == 0 and json.loads(out)["accessToken"] == daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]


def test_varlinkctl_receives_every_event(demo):
    process = varlinkctl(demo, *EVENTS[:1], "--json=short", *EVENTS[1:])
    line = process.stdout.readline().lstrip("\x1e")
    assert consent(json.loads(line)["event"]["authorizationURL"]).status_code == 200
    out, error = process.communicate(timeout=30)
    assert process.returncode == 0 and "completed" in out, error


def test_an_error_has_a_name_and_an_exit_status(demo, tmp_path):
    code, out, error = run(demo, TOKEN)
    assert code == 1 and "io.postern.SignInRequired" in error and "demo" in json.loads(out)["message"]
    demo.kill()
    code, out, error = run(demo, TOKEN)
    assert code != 0 and out == "" and "onnection refused" in error


def test_parameters_can_be_read_from_standard_input(demo, tmp_path):
    sign_in(demo)
    parameters = tmp_path / "parameters"
    parameters.write_text('{"providerID": "demo"}')
    with open(parameters) as stdin:
        code, out, error = run(demo, [word for word in TOKEN if not word.startswith("{")], stdin=stdin)
    assert code == 0 and json.loads(out)["accessToken"], error
