"""The real `postern` against the real daemon."""
import json
import os
import pathlib
import re
import select
import signal
import subprocess

import pytest
from commands import POSTERN, URL, Command, environment, run
from person import answer, consent, parameters
from postern import BIN, oidc, wait_for
from signing_in import SignIn, browser_command, sign_in


# ---- Signing in -------------------------------------------------------------


def test_a_pasted_address_completes_it(demo):
    command = Command(demo, "sign-in", "demo", "--no-browser")
    callback = answer(command.read_until(URL.pattern))
    command.type("http://127.0.0.1:1/wrong?state=x&code=y\n")
    command.read_until("was rejected")
    command.type(f"  {callback}  \n")
    status, out = command.end()
    assert status == 0 and "Ada Lovelace" in out + command.text
    assert not re.search(r"[A-Za-z0-9_-]{43}", out)


def test_without_display_or_input_another_command_can_deliver_the_redirect(demo):
    with subprocess.Popen([POSTERN, "sign-in", "demo", "--timeout", "5m"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=environment(demo), text=True, start_new_session=True) as process:
        told = ""
        while "Waiting until" not in told:
            line = process.stderr.readline()
            assert line, told
            told += line
        assert "ssh -L" in told and "postern open-url -" in told and "--timeout" in told and "paste" not in told
        assert run(demo, "open-url", "-", stdin=answer(re.search(URL, told)[0])).returncode == 0
        out, _ = process.communicate(timeout=20)
    assert process.returncode == 0 and "Ada Lovelace" in out
    assert run(demo, "open-url", "http://127.0.0.1/__/auth/handler?state=x&code=y").returncode == 1


def test_the_whole_answer_as_json(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), browser=browser_command("ada")).start()
    result = run(daemon, "sign-in", "demo", "--json", "--app", "mail", "--scope", "openid", "--scope", "email", DISPLAY=":99")
    event = json.loads(result.stdout)["event"]
    assert result.returncode == 0 and event["state"] == "completed" and event["result"]["user"]["email"] == "ada@example.com"
    assert event["credential"]["scopes"] == ["openid", "email"]
    assert json.loads(run(daemon, "whoami", "--app", "mail", "--json").stdout)["user"]["email"] == "ada@example.com"


def test_control_c_does_not_cancel_for_programs_that_join_while_the_command_is_stopped(demo):
    """The command is stopped, so that it sees who joined only when it is interrupted already."""
    command = Command(demo, "sign-in", "--app", "default", "demo", "--no-browser")
    command.read_until(URL.pattern)
    os.kill(command.process.pid, signal.SIGSTOP)
    other = SignIn(demo)
    for stop in (signal.SIGINT, signal.SIGCONT):
        os.kill(command.process.pid, stop)
    assert command.end()[0] == 2
    consent(other.url)
    assert other.completed()["state"] == "completed"


def test_a_sign_in_can_be_listed_attached_to_and_cancelled(demo):
    pending = SignIn(demo)
    pending.client.close()
    assert pending.id in run(demo, "sessions").stdout
    assert json.loads(run(demo, "sessions", "--json").stdout)["sessions"][0]["sessionID"] == pending.id
    command = Command(demo, "attach", pending.id)
    own = lambda url: {name: value for name, value in parameters(url).items() if name != "state"}
    assert own(command.read_until(URL.pattern)) == own(pending.url)
    consent(pending.url)
    assert command.end()[0] == 0
    second = SignIn(demo)
    assert run(demo, "cancel", second.id).returncode == 0
    assert run(demo, "cancel", second.id).returncode == 1


# ---- What is stored ---------------------------------------------------------


def test_standard_output_has_only_the_token(demo):
    token = sign_in(demo)["credential"]["accessToken"]
    result = run(demo, "token", "demo")
    assert (result.returncode, result.stdout, result.stderr) == (0, token + "\n", "")
    fresh = run(demo, "token", "demo", "--refresh").stdout.strip()
    assert fresh and fresh != token
    assert json.loads(run(demo, "token", "demo", "--json", "--account", "demo-1815").stdout)["accessToken"] == fresh
    assert run(demo, "token", "demo", "--min-validity", "59m").stdout.strip() == fresh


def test_whoami_and_credentials_show_the_user_and_the_stored_credentials(demo):
    nobody = run(demo, "whoami", "--json")
    assert nobody.returncode == 3 and "nobody is signed in" in nobody.stderr
    document = json.loads(nobody.stdout)
    assert (document["error"], document["status"]) == ("signInNeeded", 3) and "nobody is signed in" in document["message"]
    assert "nothing is stored" in run(demo, "credentials").stderr
    sign_in(demo)
    whoami = run(demo, "whoami")
    assert whoami.returncode == 0 and "Ada Lovelace" in whoami.stdout and "demo-1815" in whoami.stdout
    listed = run(demo, "credentials")
    assert "demo-1815" in listed.stdout and "Ada Lovelace" in listed.stdout
    assert json.loads(run(demo, "credentials", "--json").stdout)["credentials"][0]["uid"] == "demo-1815"
    revoked = run(demo, "revoke", "demo")
    assert revoked.returncode == 0 and "revoked at demo" in revoked.stderr
    assert run(demo, "revoke", "demo").returncode == 3
    assert run(demo, "sign-out", "--app", "default").returncode == 0
    assert run(demo, "whoami").returncode == 3


# ---- The service ------------------------------------------------------------


def test_status_and_reload_report_the_state_of_the_daemon(demo):
    status = run(demo, "status")
    assert status.returncode == 0 and f"{demo.origin}/__/auth/handler" in status.stdout
    assert json.loads(run(demo, "status", "--json").stdout) == demo.call("GetStatus")


def test_providers_are_listed_shown_and_checked(demo):
    assert "demo" in run(demo, "provider", "list").stdout
    assert f"{demo.origin}/__/auth/handler" in run(demo, "provider", "show", "demo").stdout
    assert run(demo, "provider", "show", "nobody").returncode == 1
    shown = run(demo, "provider", "show", "github.com").stdout
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs/use/providers/github.com.md").read_text()
    secret = re.search(r'client-secret = \{ file = "([^"]+)" \}', shown)[0]
    assert "github.secret" in secret and secret in page
    check = run(demo, "provider", "check", "demo")
    assert check.returncode == 0, check.stdout + check.stderr
    # Though it puts its name into each answer, so that nobody else can make one up.
    assert re.search(r"^ok +client: the provider accepts", check.stdout, re.M) and re.search(r"^ok +keys: 1 .*ES256", check.stdout, re.M), check.stdout
    assert demo.call("GetStatus")["sessions"] == 0


def test_the_configuration_shown_for_a_provider_is_valid(demo, tmp_path):
    for provider in ("apple.com", "facebook.com", "github.com", "gitlab.com", "google.com", "microsoft.com", "twitter.com", "x.com"):
        shown = run(demo, "provider", "show", provider).stdout
        copied = tmp_path / "config.toml"
        copied.write_text(re.search(r"^  \[provider.*\n(?:  \S.*\n)+", shown, re.M)[0].replace("  ", "").replace("…", "ABCDE12345"))
        copied.chmod(0o600)
        check = check_config(copied)
        assert check.returncode != 78, copied.read_text() + check.stderr


def check_config(path, **environment):
    return subprocess.run([BIN / "posternd", "--config", path, "--check-config"], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env={"HOME": str(path.parent), "PATH": os.environ["PATH"], **environment})


def test_the_configuration_is_checked_together_with_its_secrets(tmp_path):
    path = tmp_path / "config.toml"
    good, exposed = tmp_path / "good.secret", tmp_path / "exposed.secret"
    for file, mode in ((good, 0o600), (exposed, 0o644)):
        file.write_text("hush-hush\n")
        file.chmod(mode)

    def write(**secrets):
        path.write_text("".join(
            f'[provider.{name}]\nkind = "oidc"\nissuer = "https://{name}.example"\nclient-id = "x"\nclient-secret = {secret}\n'
            for name, secret in secrets.items()))
        path.chmod(0o600)

    write(a=f'{{ file = "{good}" }}', b='{ command = ["echo", "hush-hush"] }', c='"hush-hush"', d='{ env = "HUSH" }', e='{ credential = "e" }')
    check = check_config(path, HUSH="hush-hush")
    assert check.returncode == 0 and "e: the credential e was not checked" in check.stderr and "secret cannot be read" not in check.stderr
    assert "hush-hush" not in check.stdout + check.stderr

    write(a=f'{{ file = "{exposed}" }}', b='{ command = ["false", "hush-hush"] }', c=f'{{ file = "{good}" }}', d='{ env = "HUSH" }', e='{ credential = "e" }')
    check = check_config(path, CREDENTIALS_DIRECTORY=str(tmp_path))
    assert check.returncode == 1
    assert re.findall(r"^posternd: (\w+): its client secret cannot be read: ", check.stderr, re.M) == ["a", "b", "d", "e"], check.stderr
    assert str(exposed) in check.stderr and "HUSH" in check.stderr and "hush-hush" not in check.stdout + check.stderr


def test_check_config_reports_only_what_the_configuration_mentions(tmp_path):
    path = tmp_path / "config.toml"
    check = check_config(path)
    assert check.returncode == 78 and f"{path}: not found; check the path behind --config" in check.stderr
    usual = subprocess.run([BIN / "posternd", "--check-config"], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                           env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]})
    assert usual.returncode == 0 and "does not exist; using defaults" in usual.stderr and "github.com" not in usual.stdout + usual.stderr
    path.write_text("[callback]\nport = 70000\nsame-user = 1\n")
    path.chmod(0o600)
    check = check_config(path)
    assert check.returncode == 78 and sorted(re.findall(r"config\.toml:(\d)", check.stderr)) == ["2", "3"], check.stderr
    path.write_text('[provider.work]\nkind = "oidc"\nissuer = "https://login.example.com"\nclient-id = "a"\n[provider."x.com"]\n')
    path.chmod(0o600)
    check = check_config(path)
    assert check.returncode == 0 and check.stdout == "the configuration is valid; ready: work\n"
    assert re.fullmatch(r"posternd: x\.com: client-id is missing.*\n", check.stderr), check.stderr
    path.write_text('[callback]\ncertificate = "no.crt"\nkey = "no.key"\n[provider.work]\nkind = "oidc"\n'
                    'issuer = "https://login.example.com"\nclient-id = "a"\nca-file = "no.pem"\n')
    check = check_config(path)
    assert check.returncode == 1 and "no.crt" in check.stderr and "work: its ca-file cannot be used" in check.stderr, check.stderr


def test_call_can_invoke_any_method(demo):
    result = run(demo, "call", "GetStatus")
    assert json.loads(result.stdout)["version"]
    assert json.loads(run(demo, "call", "org.varlink.service.GetInfo").stdout)["interfaces"]
    assert json.loads(run(demo, "call", "GetCurrentUser", "-", stdin='{"app": "x"}').stdout) == {}
    refused = run(demo, "call", "GetAccessToken", '{"providerID": "nobody"}')
    assert refused.returncode == 1 and "io.postern.ProviderNotFound" in refused.stderr
    assert run(demo, "call", "GetStatus", "{").returncode == 64
    unknown = run(demo, "call", "NoSuchMethod")
    assert unknown.returncode == 1 and "MethodNotFound" in unknown.stderr
    assert "no such method; list them with: man io.postern" in unknown.stderr
    several = run(demo, "call", "Monitor")
    assert several.returncode == 1 and "this method replies more than once: add --more" in several.stderr and "doctor" not in several.stderr
    assert "no such method; did you mean GetStatus?" in run(demo, "call", "GetStatsu").stderr


def test_call_with_more_prints_each_reply_on_a_line(demo):
    command = Command(demo, "call", "--more", "SignIn", '{"providerID": "demo", "presentation": "client"}')
    first = json.loads(command.process.stdout.readline())["event"]
    consent(first["authorizationURL"])
    status, rest = command.end()
    states = [json.loads(line)["event"]["state"] for line in rest.splitlines()]
    assert status == 0 and states == ["exchanging", "completed"]


def test_monitor_prints_each_event(demo):
    command = Command(demo, "monitor", "--json")
    sign_in(demo)

    def lines_until(kind):
        seen = []
        while True:
            line = command.process.stdout.readline()
            assert line, seen
            seen.append(json.loads(line)["kind"])
            if kind in seen:
                return seen

    # What happened before it was there is not told: signing out is done until it is seen.
    for _ in range(50):
        demo.call("SignOut")
        if select.select([command.process.stdout], [], [], 0.1)[0]:
            break
    assert lines_until("signedOut")
    # The kind that the example in the help waits for is one.
    example = re.search(r'select\(\.kind == "(\w[\w-]*)"\)', run(demo, "monitor", "--help").stdout)[1]
    sign_in(demo)
    assert lines_until(example)
    os.kill(command.process.pid, signal.SIGINT)
    command.end()


def processes():
    """Command lines of all that runs."""
    lines = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines[path.parent.name] = path.read_bytes().decode(errors="replace")
        except OSError:
            pass
    return lines


@pytest.mark.parametrize("interrupted", [False, True])
def test_the_demo_leaves_nothing_behind(demo, tmp_path, interrupted):
    """Neither a process nor a file; the person's own daemon has no part in it."""
    own = tmp_path / "own"
    for name in ("tmp", "home", "runtime"):
        (own / name).mkdir(parents=True)
    (own / "runtime").chmod(0o700)
    more = {"TMPDIR": str(own / "tmp"), "HOME": str(own / "home"), "XDG_RUNTIME_DIR": str(own / "runtime")}
    before = demo.call("GetStatus")
    if interrupted:
        command = Command(demo, "demo", "--headless", **more)
        command.read_until(r"\n")
        os.kill(command.process.pid, signal.SIGINT)
        assert command.end()[0] in (0, 2)
    else:
        result = run(demo, "demo", "--headless", "--json", **more)
        assert result.returncode == 0, result.stderr
        assert "accessToken" in result.stdout and json.loads(result.stdout)
        # Each step-up names what is asked for, and its request then succeeds.
        assert "GET /demo/reports: 403" in result.stderr and re.search(r"asks for: .*\breports\b", result.stderr), result.stderr
        assert "GET /demo/vault: 401" in result.stderr and "demo:twice" in result.stderr, result.stderr
        assert re.findall(r"GET (\S+): 200", result.stderr) == ["/demo/reports", "/demo/vault"], result.stderr
    wait_for(lambda: not [line for line in processes().values() if str(own) in line], what="the end of the demo's processes")
    assert [str(path) for path in own.rglob("*") if path.is_file() or path.is_socket()] == []
    assert sorted(path.name for path in own.rglob("*")) == ["home", "runtime", "tmp"]
    assert demo.call("GetStatus") == before
