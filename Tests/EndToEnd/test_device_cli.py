"""`postern sign-in` and its ladder: a code for another device, and changing the way while a sign-in waits."""
import re
import signal
import subprocess

from commands import URL, Command, environment
from device_server import TOKEN
from devices import Device, demo, provider, server, type_code  # noqa: F401 fixtures
from person import consent
from postern import BIN, wait_for
from signing_in import SignIn
from terminal import read_qr

CODE = r"[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}"


def test_without_a_terminal_the_code_is_printed_as_text(demo, provider):
    command = Command(demo, "sign-in", "demo", "--device")
    code = re.search(CODE, command.read_until(rf"type the code {CODE} there"))[0]
    command.read_until("Waiting until")
    text = command.text
    assert f"  {provider}/device\n" in text and "█" not in text and "\x1b" not in text
    type_code(f"{provider}/device", "grace", user_code=code)
    assert command.end() == (0, "signed in as Grace Hopper at demo (account grace@example.org)\n")


def test_a_terminal_shows_a_qr_code(demo, provider, tmp_path):
    command = Command(demo, "sign-in", "demo", "--device", terminal=True)
    command.read_until("Waiting until")
    code = re.search(CODE, command.text)[0]
    address = read_qr(command.text, tmp_path)
    assert address == f"{provider}/device?user_code={code}"
    type_code(address)
    assert command.end()[0] == 0


def test_the_user_can_switch_to_a_code_while_another_program_uses_the_page(demo, provider):
    command = Command(demo, "sign-in", "--app", "default", "demo", terminal=True)
    command.read_until("Or press d and Enter")
    url = URL.search(command.text)[0]
    other = SignIn(demo)
    assert other.url == url
    command.type("d\n")
    command.read_until("Waiting until[^\0]*Waiting until")
    code = re.search(CODE, command.text)[0]
    assert other.client.receive()["event"]["userCode"] == code
    assert len(demo.call("ListSessions")["sessions"]) == 1
    type_code(f"{provider}/device", user_code=code)
    assert command.end()[0] == 0 and other.completed()["result"]["user"]["email"] == "ada@example.com"


def test_the_user_can_switch_from_a_code_to_a_page(demo):
    command = Command(demo, "sign-in", "demo", "--device", terminal=True)
    command.read_until("Or press u and Enter")
    command.type("u\n")
    url = command.read_until(URL.pattern)
    consent(url)
    status, out = command.end()
    assert (status, out) == (0, "signed in as Ada Lovelace at demo (account ada@example.com)\n")


def test_a_failed_request_for_a_code_keeps_the_page(make_daemon, server):
    daemon = make_daemon(server.configuration()).start()
    server.code_answers = [(403, {"error": "device_flow_disabled"})]
    command = Command(daemon, "sign-in", "legacy", terminal=True)
    command.read_until("Or press d and Enter")
    command.type("d\n")
    command.read_until("that is not available: .*disabled")
    # Again, and now there is one.
    command.type("D\n")
    command.read_until("WDJB-MJHT")
    server.usual = (200, TOKEN)
    assert command.end()[0] == 0


def test_nothing_is_asked_without_a_terminal(demo):
    command = Command(demo, "sign-in", "demo")
    command.read_until("start with --device")
    command.type("d\n")
    command.read_until("was rejected")
    command.process.send_signal(signal.SIGINT)
    assert command.end()[0] == 2
    assert "press d" not in command.text and "type the code" not in command.text


def test_control_c_after_a_switch_cancels_a_sign_in_that_nobody_else_uses(demo):
    command = Command(demo, "sign-in", "demo", terminal=True)
    command.read_until("Or press d and Enter")
    command.type("d\n")
    command.read_until(CODE)
    command.process.send_signal(signal.SIGINT)
    assert command.end()[0] == 2
    [session] = demo.call("ListSessions")["sessions"]
    assert session["state"] == "failed"


def test_attach_shows_the_code_again(demo, provider):
    waiting = Device(demo)
    command = Command(demo, "attach", waiting.id)
    command.read_until(rf"type the code {waiting.code} there")
    type_code(waiting.event["verificationURIComplete"])
    assert command.end()[0] == 0


def test_the_demo_provider_has_a_device_flow(demo):
    result = subprocess.run(
        [str(BIN / "postern"), "demo", "--device", "--headless"], capture_output=True, text=True, timeout=60, env=environment(demo))
    assert result.returncode == 0, result.stderr
    assert re.search(rf"type the code {CODE} there", result.stderr) and "left over  nothing" in result.stderr
    # The story is all; the document is for who asks for it.
    assert result.stdout == "" and result.stderr.splitlines()[-1].startswith("left over  nothing"), result.stderr
    assert wait_for(lambda: demo.call("ListSessions") == {"sessions": []}, what="nothing in the daemon of others")
