"""The units, the installer and the daemon under a real service manager of a user."""
import json
import os

import pytest

from machine import HOME, RUNTIME, SOURCE, Failed, wait_until
from package import CONFIGURATION, GATE, PROVIDER, PUBLIC, SOCKETS, UNITS, daemon_runs, drop_in, install, process, stat

# A secret that is not there before somebody opens the gate: it holds a reading of the configuration for as long as a test wants.
GATED = PROVIDER + f'client-secret = {{ command = ["{HOME}/gated-secret"] }}\n'

# As browsers do, it stays; and it chatters.
BROWSER = """#!/bin/sh
{ cat /proc/self/cgroup; grep -E '^(NoNewPrivs|Seccomp_filters|PPid):' /proc/self/status; ulimit -c; umask; echo "$1"; } >~/browser.new
mv ~/browser.new ~/browser.saw
echo chatter; echo chatter >&2
exec sleep 1000
"""


def gated(machine):
    machine.write(f"{HOME}/gated-secret", f"#!/bin/sh\n[ ! -p {GATE} ] || cat {GATE}\necho secret\n", 0o700)
    machine.write(CONFIGURATION, GATED)


def close_gate(machine):
    machine.run("mkfifo", GATE)


def open_gate(machine):
    machine.run("sh", "-c", f"echo >{GATE}")
    machine.run("rm", GATE)


# Activation


def test_sockets_listen_before_the_daemon_runs(installed):
    assert [installed.systemctl("is-enabled", unit).stdout.strip() for unit in SOCKETS] == ["enabled", "enabled"]
    assert [installed.show("SubState", unit) for unit in SOCKETS] == ["listening", "listening"]
    assert installed.show("ActiveState") == "inactive"
    socket = installed.path(f"{RUNTIME}/postern/io.postern").stat()
    assert socket.st_mode & 0o777 == 0o600 and installed.path(f"{RUNTIME}/postern").stat().st_mode & 0o777 == 0o700


def test_systemds_tools_find_the_socket_while_it_listens(installed):
    link = installed.path(f"{RUNTIME}/varlink/registry/io.postern")
    assert os.readlink(link) == f"{RUNTIME}/postern/io.postern"
    assert installed.path(f"{RUNTIME}/varlink/registry").stat().st_mode & 0o777 == 0o700
    call = "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.sendall(b'{\"method\":\"io.postern.GetStatus\"}\\0'); print(s.recv(65536))"
    assert "version" in installed.run("python3", "-c", call, f"{RUNTIME}/varlink/registry/io.postern").stdout
    installed.systemctl("stop", "postern.service", "postern.socket")
    assert not os.path.lexists(link) and not installed.path(f"{RUNTIME}/postern/io.postern").exists()
    # What somebody else left at its place keeps no socket from listening.
    installed.run("touch", f"{RUNTIME}/varlink/registry/io.postern")
    installed.systemctl("start", "postern.socket")
    assert "version" in installed.call("GetStatus")
    installed.systemctl("stop", "postern.service", "postern.socket")
    installed.run("rm", "-f", f"{RUNTIME}/varlink/registry/io.postern")


def test_a_call_starts_the_daemon(installed):
    status = installed.call("GetStatus")
    assert status["callbackURLs"] == ["http://127.0.0.1:7678/__/auth/handler"]
    assert daemon_runs(installed)


def test_a_port_overridden_by_the_sockets_is_reported(installed):
    """In the words of the real `systemctl show`."""
    assert "ignored" not in installed.run("postern", "doctor").stdout
    installed.write(CONFIGURATION, f"[callback]\nport = 9000\n{PUBLIC}")
    doctor = installed.run("postern", "doctor", "--json").stdout
    found = [finding for finding in json.loads(doctor)["findings"] if finding["title"] == "callback" and finding["level"] == "warn"]
    assert [finding["detail"] for finding in found] == [
        "callback.port (9000) is ignored: systemd has the sockets, and their units say to listen at port 7678"]


def test_a_callback_starts_the_daemon(installed):
    assert installed.get("/__/auth/handler?code=x&state=y") == 400
    assert daemon_runs(installed)


def test_a_connection_to_the_mcp_socket_starts_the_bridge_which_exits_when_idle(installed):
    folder = f"{HOME}/.config/systemd/user/postern-mcp.service.d"
    installed.write(f"{folder}/idle.conf", f"[Service]\nExecStart=\nExecStart={HOME}/.local/bin/postern-mcp serve --idle 1\n")
    ask = ("import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); "
           "s.sendall(b'GET /nowhere HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n'); print(s.makefile().read())")
    try:
        installed.systemctl("daemon-reload")
        installed.systemctl("start", "postern-mcp.socket")
        path = installed.path(f"{RUNTIME}/postern-mcp/mcp.sock")
        assert path.stat().st_mode & 0o777 == 0o600 and path.parent.stat().st_mode & 0o777 == 0o700
        for _ in range(2):
            answer = installed.run("python3", "-c", ask, f"{RUNTIME}/postern-mcp/mcp.sock").stdout
            # It has asked the daemon, which that has started.
            assert answer.startswith("HTTP/1.1 404 ") and "nowhere" in answer and daemon_runs(installed), answer
            assert installed.show("SubState", "postern-mcp.service") == "running"
            status = stat(installed, installed.show("MainPID", "postern-mcp.service"))
            assert status["NoNewPrivs"] == "1" and int(status["Seccomp_filters"]) > 1
            wait_until(lambda: installed.show("SubState", "postern-mcp.service") == "dead", "the end of the bridge")
            assert installed.show("Result", "postern-mcp.service") == "success"
            assert installed.show("SubState", "postern-mcp.socket") == "listening"
        said = [entry["MESSAGE"] for entry in installed.journal("_SYSTEMD_USER_UNIT=postern-mcp.service")]
        assert said == [], said
    finally:
        installed.systemctl("stop", "postern-mcp.socket", "postern-mcp.service")
        installed.run("rm", "-r", folder)
        installed.systemctl("daemon-reload")


def test_the_timer_starts_the_daemon(installed):
    """As shipped it is not enabled, and waits for a time of the day: here for now."""
    assert installed.systemctl("is-enabled", "postern-keep-fresh.timer", check=False).stdout.strip() == "disabled"
    timer = f"{HOME}/.config/systemd/user/postern-keep-fresh.timer.d"
    installed.write(f"{timer}/now.conf", "[Timer]\nOnCalendar=\nOnActiveSec=0\nRandomizedDelaySec=0\nAccuracySec=1ms\n")
    try:
        installed.systemctl("daemon-reload")
        assert not daemon_runs(installed)
        installed.systemctl("start", "postern-keep-fresh.timer")
        wait_until(lambda: daemon_runs(installed), "the daemon")
    finally:
        installed.systemctl("stop", "postern-keep-fresh.timer")
        installed.run("rm", "-r", timer)
        installed.systemctl("daemon-reload")


def test_the_service_is_ready_only_when_both_sockets_serve(installed):
    gated(installed)
    close_gate(installed)
    starting = installed.start("systemctl", "--user", "start", "postern.service")
    early = installed.ask("GetStatus")
    wait_until(lambda: installed.show("ActiveState") == "activating", "the start")
    assert starting.poll() is None and early.poll() is None
    open_gate(installed)
    assert starting.wait(30) == 0 and daemon_runs(installed)
    assert "version" in early.communicate(timeout=30)[0]
    assert installed.get("/") == 404
    assert installed.show("NRestarts") == "0"


def test_the_daemon_serves_on_the_managers_sockets(installed):
    installed.call("GetStatus")
    manager = installed.run("systemctl", "show", "-P", "MainPID", "user@1000.service", user="root").stdout.strip()
    listening = [
        {os.readlink(link) for link in installed.path(f"/proc/{pid}/fd").iterdir() if os.readlink(link).startswith("socket:")}
        for pid in (manager, process(installed))]
    assert len(listening[0] & listening[1]) >= 2


def test_the_status_text_shows_the_pending_sign_ins(installed):
    installed.write(f"{HOME}/browser", "#!/bin/sh\n", 0o700)
    installed.write(CONFIGURATION, f'[sign-in]\nbrowser = ["{HOME}/browser"]\n{PUBLIC}')
    installed.systemctl("start", "postern.service")
    assert installed.show("StatusText") == "serving"
    asking = installed.ask("SignIn", providerID="legacy", intent="credential", more=True)
    session = json.loads(asking.stdout.readline())["parameters"]["event"]["sessionID"]
    wait_until(lambda: installed.show("StatusText") == "serving; 1 sign-in waits", "the status")
    installed.call("CancelSession", sessionID=session)
    wait_until(lambda: installed.show("StatusText") == "serving", "the status")
    asking.communicate(timeout=30)


# Ends, wanted and unwanted


def test_a_daemon_that_hangs_is_replaced(installed):
    drop_in(installed, "WatchdogSec=1s\n")
    installed.call("GetStatus")
    before = process(installed)
    installed.run("kill", "-STOP", str(before))
    wait_until(lambda: installed.show("NRestarts") == "1" and daemon_runs(installed), "another daemon")
    assert process(installed) != before
    assert installed.call("GetStatus") and installed.get("/") == 404
    assert any("Watchdog timeout" in entry["MESSAGE"] for entry in installed.journal("-n", "200"))


def test_a_working_daemon_keeps_its_watchdog_fed(installed):
    drop_in(installed, "WatchdogSec=500ms\n")
    installed.call("GetStatus")
    before = process(installed)
    fed = {installed.show("WatchdogTimestampMonotonic")}
    # Four times fed: longer than the manager waits for one.
    wait_until(lambda: fed.add(installed.show("WatchdogTimestampMonotonic")) or len(fed) > 4, "the feeding of the watchdog")
    assert process(installed) == before


def test_a_killed_daemon_comes_back_with_its_sockets(installed):
    installed.call("GetStatus")
    before = process(installed)
    installed.systemctl("kill", "-s", "KILL", "postern.service")
    assert installed.call("GetStatus") and process(installed) != before
    assert [installed.systemctl("is-active", unit).stdout.strip() for unit in SOCKETS] == ["active", "active"]


def test_stopping_is_clean_and_the_next_call_starts_it_again(installed):
    installed.call("GetStatus")
    installed.systemctl("stop", "postern.service")
    assert installed.show("Result") == "success" and installed.show("ExecMainStatus") == "0"
    assert [installed.show("SubState", unit) for unit in SOCKETS] == ["listening", "listening"]
    assert installed.call("GetStatus")


def test_an_idle_daemon_exits_and_its_sockets_stay(installed):
    installed.write(CONFIGURATION, '[daemon]\nidle-exit = "1s"\n' + PUBLIC)
    installed.call("GetStatus")
    wait_until(lambda: installed.show("ActiveState") == "inactive", "the idle end", 30)
    assert installed.show("Result") == "success"
    assert [installed.show("SubState", unit) for unit in SOCKETS] == ["listening", "listening"]
    assert installed.get("/") == 404
    wait_until(lambda: installed.show("ActiveState") == "inactive", "the idle end after a request", 40)
    assert installed.call("GetStatus")


def test_a_waiting_client_keeps_the_daemon_running(installed):
    installed.write(CONFIGURATION, '[daemon]\nidle-exit = "1s"\n' + PUBLIC)
    monitoring = installed.ask("Monitor", more=True)
    wait_until(lambda: daemon_runs(installed), "the start")
    before = process(installed)
    # Another daemon that idles as long would have ended: its own end is the clock here.
    installed.run("systemd-run", "--user", "--wait", "-q", "sleep", "3")
    assert process(installed) == before and monitoring.poll() is None
    monitoring.kill()
    monitoring.wait()
    installed.run("pkill", "-f", "ask.py call io.postern.Monitor", check=False)
    wait_until(lambda: installed.show("ActiveState") == "inactive", "the idle end", 30)


# The configuration


def test_systemctl_reload_shows_reloading_until_it_is_done(installed):
    gated(installed)
    installed.call("GetStatus")
    before = process(installed)
    close_gate(installed)
    reloading = installed.start("systemctl", "--user", "reload", "postern.service")
    wait_until(lambda: installed.show("ActiveState") == "reloading", "the reload")
    # Served in the meantime.
    assert installed.call("GetStatus")
    open_gate(installed)
    assert reloading.wait(30) == 0
    wait_until(lambda: daemon_runs(installed), "the reload's end")
    assert process(installed) == before and installed.show("StatusText") == "serving"


def test_the_reload_method_shows_reloading_until_it_is_done(installed):
    gated(installed)
    installed.call("GetStatus")
    close_gate(installed)
    reloading = installed.ask("Reload")
    wait_until(lambda: installed.show("ActiveState") == "reloading", "the reload")
    open_gate(installed)
    assert json.loads(reloading.communicate(timeout=30)[0]) == {"parameters": {}}
    wait_until(lambda: daemon_runs(installed), "the reload's end")


@pytest.mark.parametrize("way", ["systemctl", "method"])
def test_a_broken_configuration_keeps_the_old_one(installed, way):
    providers = installed.call("ListProviders")["providers"]
    installed.write(CONFIGURATION, PUBLIC + "no-such-key = true\n")
    if way == "systemctl":
        installed.systemctl("reload", "postern.service")
        wait_until(
            lambda: any("no-such-key" in entry["MESSAGE"] for entry in installed.journal("-u", "postern.service", "-n", "50")), "the complaint")
    else:
        with pytest.raises(Failed) as failed:
            installed.call("Reload")
        assert failed.value.error == "io.postern.ConfigurationInvalid" and failed.value.parameters["file"] == CONFIGURATION
    wait_until(lambda: daemon_runs(installed), "the reload's end")
    assert installed.call("ListProviders")["providers"] == providers


def test_a_broken_configuration_at_startup_keeps_the_sockets_open(installed):
    installed.write(CONFIGURATION, "no-such-key = true\n")
    for _ in range(8):
        with pytest.raises(Failed, match="ConfigurationInvalid"):
            installed.call("GetCurrentUser")
    assert installed.call("GetStatus") and installed.get("/") == 503
    assert "no-such-key" in installed.show("StatusText") and installed.show("NRestarts") == "0"
    installed.write(CONFIGURATION, PUBLIC)
    assert installed.call("GetCurrentUser") is not None and installed.get("/") == 404
    assert [installed.show("ActiveState", unit) for unit in SOCKETS] == ["active", "active"]


def test_a_missing_credential_keeps_the_sockets_open(installed):
    drop_in(installed, "LoadCredential=legacy-secret:%h/no-such.secret\n")
    waiting = installed.ask("GetStatus")
    wait_until(lambda: int(installed.show("NRestarts")) >= 6, "more starts than the usual limit allows", 60)
    assert [installed.show("ActiveState", unit) for unit in SOCKETS] == ["active", "active"]
    installed.write(f"{HOME}/no-such.secret", "s3cret\n")
    assert "version" in waiting.communicate(timeout=30)[0]
    installed.run("rm", f"{HOME}/no-such.secret")


def test_a_default_replaces_a_missing_credential(installed):
    drop_in(installed, "LoadCredential=legacy-secret:%h/no-such.secret\nSetCredential=legacy-secret:\\n\n")
    installed.write(CONFIGURATION, PROVIDER + 'client-secret = { credential = "legacy-secret" }\n')
    listed = installed.call("ListProviders")["providers"]
    assert [provider["configured"] for provider in listed if provider["providerID"] == "legacy"] == [False]


def test_credentials_reach_the_daemon(installed):
    installed.write(f"{HOME}/legacy.secret", "s3cret\n")
    installed.write(CONFIGURATION, PROVIDER + 'client-secret = { credential = "legacy-secret" }\n')
    listed = installed.call("ListProviders")["providers"]
    assert [provider["configured"] for provider in listed if provider["providerID"] == "legacy"] == [False]
    installed.systemctl("stop", "postern.service")
    drop_in(installed, "LoadCredential=legacy-secret:%h/legacy.secret\n")
    listed = installed.call("ListProviders")["providers"]
    assert [provider["configured"] for provider in listed if provider["providerID"] == "legacy"] == [True]


# The journal


def test_journal_entries_have_their_fields(installed):
    installed.write(CONFIGURATION, '[sign-in]\nbrowser = "none"\n' + PUBLIC)
    asking = installed.ask("SignIn", providerID="legacy", intent="credential", presentation="client", more=True)
    session = json.loads(asking.stdout.readline())["parameters"]["event"]["sessionID"]
    installed.call("CancelSession", sessionID=session)
    asking.communicate(timeout=30)
    entries = wait_until(lambda: installed.journal(f"POSTERN_SESSION={session}"), "the sign-in's entries")
    assert {entry["POSTERN_PROVIDER"] for entry in entries} == {"legacy"}
    assert all(len(entry["MESSAGE_ID"]) == 32 for entry in entries)
    for entry in entries:
        assert entry["_SYSTEMD_USER_UNIT"] == "postern.service" and entry["_TRANSPORT"] == "journal"
        assert entry["SYSLOG_IDENTIFIER"] == "posternd" and int(entry["PRIORITY"]) <= 6
    started = installed.journal("MESSAGE_ID=5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b10")
    assert started and "127.0.0.1:7678" in started[-1]["MESSAGE"]


def test_the_journal_names_the_units_that_asked_and_joined(installed):
    installed.write(CONFIGURATION, '[sign-in]\nbrowser = "none"\n[daemon]\nlog-level = "info"\n' + PUBLIC)
    words = {"providerID": "legacy", "intent": "credential", "presentation": "client"}
    ask = ["python3", f"{SOURCE}/ask.py", "call", "io.postern.SignIn", json.dumps(words), "more"]
    asking = [
        installed.start("systemd-run", "--user", "--pipe", "--quiet", f"--unit=asker-{name}", *ask) for name in ("first", "second")]
    sessions = {json.loads(process.stdout.readline())["parameters"]["event"]["sessionID"] for process in asking}
    assert len(sessions) == 1, "both wait for one sign-in"
    session = sessions.pop()
    processes = {f"asker-{name}.service": installed.show("MainPID", f"asker-{name}.service") for name in ("first", "second")}
    installed.call("CancelSession", sessionID=session)
    for process in asking:
        process.communicate(timeout=30)

    def requests():
        entries = installed.journal(f"POSTERN_SESSION={session}")
        found = [entry for entry in entries if "POSTERN_REQUESTER_PID" in entry]
        return found if len(found) == 2 else None

    entries = wait_until(requests, "the entries of both")
    assert {entry["POSTERN_REQUESTER_UNIT"]: entry["POSTERN_REQUESTER_PID"] for entry in entries} == processes
    python = installed.run("readlink", "-f", "/usr/bin/python3").stdout.strip()
    assert {entry["POSTERN_REQUESTER_EXE"] for entry in entries} == {python}
    assert {entry["POSTERN_PROVIDER"] for entry in entries} == {"legacy"}


# The browser


def test_the_browser_runs_outside_the_daemons_unit(installed):
    installed.write(f"{HOME}/browser", BROWSER, 0o700)
    installed.write(CONFIGURATION, f'[sign-in]\nbrowser = ["{HOME}/browser", "--new-window"]\n{PUBLIC}')
    asking = installed.ask("SignIn", providerID="legacy", intent="credential", more=True)
    saw = installed.path(f"{HOME}/browser.saw")
    wait_until(saw.exists, "the browser")
    rest = saw.read_text().splitlines()
    group = next(line for line in rest if line.startswith("0::"))
    limits = dict(line.split(":\t") for line in rest if ":\t" in line)
    unit = group.rsplit("/", 1)[1]
    assert "postern.service" not in group and unit.startswith("postern-page-")
    assert limits["NoNewPrivs"] == "0" and limits["Seccomp_filters"] == stat(installed, 1)["Seccomp_filters"]
    assert "--new-window" in rest and "0077" not in rest
    browser = installed.show("MainPID", unit)
    assert stat(installed, browser)["PPid"] != str(process(installed))
    installed.systemctl("stop", "postern.service")
    asking.communicate(timeout=30)
    assert installed.show("ActiveState", unit) == "active" and installed.path(f"/proc/{browser}").exists()


def test_the_browser_gets_its_arguments_and_the_page_unchanged(installed):
    words = ["$HOME", "${HOME}", "$$", "a$HOME", "%h", "%%", "two words", "\\x41", "'quoted'", '"', ";", "~", "日本"]
    installed.write(f"{HOME}/browser", "#!/bin/sh\nprintf '%s\\0' \"$@\" >~/browser.new\nmv ~/browser.new ~/browser.saw\n", 0o700)
    command = json.dumps([f"{HOME}/browser", *words], ensure_ascii=False)
    provider = PUBLIC.replace("/authorize", "/$HOME/%24/$$/%25h")
    installed.write(CONFIGURATION, f"[sign-in]\nbrowser = {command}\n{provider}")
    asking = installed.ask("SignIn", providerID="legacy", intent="credential", more=True)
    started = json.loads(asking.stdout.readline())["parameters"]["event"]
    saw = installed.path(f"{HOME}/browser.saw")
    wait_until(saw.exists, "the browser")
    assert saw.read_text().split("\0")[:-1] == [*words, started["authorizationURL"]]
    assert "/$HOME/%24/" in started["authorizationURL"] and "/$$/" in started["authorizationURL"]
    installed.call("CancelSession", sessionID=started["sessionID"])
    asking.communicate(timeout=30)


# What just-in-time compilers and sandboxes need, and the daemon's unit forbids; it tells its words and variables, and leaves a program running.
COMPILER = """#!/usr/bin/python3
import ctypes, json, mmap, os, subprocess, sys
mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
assert ctypes.CDLL(None).unshare(0x10000000) == 0, "no user namespace"
keeper = subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
home = os.path.expanduser("~")
status = [line.split()[1] for line in open("/proc/self/status") if line.startswith(("NoNewPrivs:", "Umask:"))]
saw = {"words": sys.argv[1:], "variables": dict(os.environ), "status": status, "keeper": keeper.pid, "input": sys.stdin.read()}
with open(home + "/command.new", "w") as file:
    json.dump(saw, file)
os.rename(home + "/command.new", home + "/command.saw")
print("s3cret")
"""


def test_a_configured_command_has_none_of_the_daemons_limits(installed):
    words = ["$HOME", "${HOME}", "$$", "%h", "two words", "'quoted'", ";", "日本"]
    command = json.dumps([f"{HOME}/compiler", *words], ensure_ascii=False)
    installed.write(f"{HOME}/compiler", COMPILER, 0o700)
    installed.write(f"{HOME}/hung", "#!/bin/sh\nsleep 1000 &\necho $! >~/hung.saw\nwait\n", 0o700)
    installed.write(f"{HOME}/legacy.secret", "s3cret\n")
    drop_in(installed, "Environment=GIVEN=two\\x20words\nLoadCredential=legacy:%h/legacy.secret\n")
    installed.write(CONFIGURATION, PROVIDER + f"client-secret = {{ command = {command} }}\n")
    (legacy,) = [each for each in installed.call("ListProviders")["providers"] if each["providerID"] == "legacy"]
    assert legacy["configured"], legacy
    saw = json.loads(installed.path(f"{HOME}/command.saw").read_text())
    assert saw["words"] == words and saw["input"] == "" and saw["status"] == ["0077", "0"]
    variables = saw["variables"]
    assert variables["GIVEN"] == "two words" and "NOTIFY_SOCKET" not in variables and "LISTEN_FDS" not in variables
    assert installed.path(variables["CREDENTIALS_DIRECTORY"] + "/legacy").read_text() == "s3cret\n"
    # Like an agent, what it started outlives it; its words are in no log.
    assert installed.path(f"/proc/{saw['keeper']}").exists()
    installed.run("kill", str(saw["keeper"]))
    assert not [entry for entry in installed.journal() if "two words" in str(entry.get("MESSAGE"))]
    # One that hangs is ended with what it started.
    installed.write(CONFIGURATION, PROVIDER + f'client-secret = {{ command = ["{HOME}/hung"] }}\n')
    installed.call("Reload")
    (legacy,) = [each for each in installed.call("ListProviders")["providers"] if each["providerID"] == "legacy"]
    assert not legacy["configured"] and "took longer than 10 s" in legacy["problem"]
    hung = installed.path(f"{HOME}/hung.saw").read_text().strip()
    wait_until(lambda: not installed.path(f"/proc/{hung}").exists(), "the end of what hung")
    wait_until(lambda: not installed.systemctl("list-units", "--plain", "--no-legend", "postern-command-*").stdout, "the end of the units")


def test_a_missing_browser_is_reported(installed):
    installed.write(CONFIGURATION, f'[sign-in]\nbrowser = ["{HOME}/no-such-browser"]\n{PUBLIC}')
    monitoring = installed.ask("Monitor", more=True)
    asking = installed.ask("SignIn", providerID="legacy", intent="credential", more=True)
    session = json.loads(asking.stdout.readline())["parameters"]["event"]["sessionID"]
    for line in monitoring.stdout:
        event = json.loads(line)["parameters"]
        if event["kind"] == "pageNotOpened":
            break
    assert "no-such-browser" in event["message"]
    installed.call("CancelSession", sessionID=session)
    asking.communicate(timeout=30)
    installed.run("pkill", "-f", "ask.py call io.postern.Monitor", check=False)
    monitoring.communicate(timeout=30)


# The units


def test_systemd_analyze_verify_finds_nothing(installed):
    folder = f"{HOME}/.config/systemd/user"
    done = installed.run("systemd-analyze", "--user", "verify", "--man=no", *[f"{folder}/{unit}" for unit in UNITS])
    assert (done.stdout, done.stderr) == ("", "")


def test_every_sandbox_limit_takes_effect(installed):
    installed.call("GetStatus")
    status = stat(installed, process(installed))
    assert (status["NoNewPrivs"], status["Seccomp"], status["Umask"]) == ("1", "2", "0077")
    # The machine has filters of its own.
    assert int(status["Seccomp_filters"]) > int(stat(installed, 1)["Seccomp_filters"])
    # The same limits, on a program that tries what they forbid.
    unit = installed.path(f"{HOME}/.config/systemd/user/postern.service").read_text()
    section = unit.split("[Service]")[1].split("[Install]")[0]
    kept = ("Type=", "Exec", "Sockets=", "WatchdogSec=", "Restart", "TimeoutStopSec=", "#")
    limits = [line for line in section.splitlines() if line and not line.startswith(kept)]
    properties = [word for line in limits for word in ("-p", line)]
    run = ("systemd-run", "--user", "--wait", "--pipe", "--collect", "-q")
    probe = ("python3", f"{SOURCE}/probe.py")
    free = json.loads(installed.run(*run, *probe).stdout)
    held = json.loads(installed.run(*run, *properties, *probe).stdout)
    needed = ("unix", "internet", "socket diagnosis")
    # Not forbidden by the machine, so that it is the unit that forbids them.
    assert [name for name in (*needed, "personality", "writable code", "set-user-ID", "debugging") if not free[name]] == []
    assert [name for name in needed if not held[name]] == []
    refused = ("other families", "namespaces", "personality", "writable code", "set-user-ID", "debugging", "core")
    assert [name for name in refused if held[name]] == []


def test_the_security_exposure_stays_below_its_bound(installed, record_property):
    done = installed.run("systemd-analyze", "--user", "security", "--no-pager", "postern.service")
    verdict = done.stdout.strip().splitlines()[-1]
    record_property("exposure", verdict)
    print(verdict)
    level = float(verdict.split(":")[1].split()[0])
    # A user's manager cannot take file systems and capabilities away, which is most of what is counted.
    assert level <= 7.5, verdict


# The installer


def test_installing_again_changes_nothing_and_keeps_the_sockets(installed):
    installed.call("GetStatus")
    listing = ("sh", "-c", "cd && find .local/bin .config/systemd -type f -o -type l | sort; sha256sum .config/systemd/user/postern* .local/bin/*")
    before = installed.run(*listing).stdout
    daemon = process(installed)
    install(installed)
    assert installed.run(*listing).stdout == before
    # The new program runs, behind the same sockets.
    assert daemon_runs(installed) and process(installed) != daemon
    assert installed.call("GetStatus")


def test_uninstalling_removes_everything_but_the_data(installed):
    installed.call("GetStatus")
    install(installed, "--uninstall")
    found = installed.run("sh", "-c", "cd && find . -name '*postern*' -prune").stdout.split()
    assert sorted(found) == ["./.config/postern", "./.local/state/postern"]
    assert installed.path(f"{HOME}/.local/state/postern/postern.db").exists()
    assert installed.systemctl("list-units", "--all", "--no-legend", "postern*").stdout == ""
    assert installed.get("/") != 404 and not installed.path(f"{RUNTIME}/postern/io.postern").exists()
    install(installed)
    assert installed.call("GetStatus")


def test_purging_removes_the_data_too(installed):
    installed.call("GetStatus")
    install(installed, "--uninstall", "--purge")
    assert installed.run("sh", "-c", "cd && find . -name '*postern*' -o -path './.config/*' -type d -empty -o -path './.local/*' -type d -empty").stdout == ""
    assert not installed.path(f"{RUNTIME}/postern").exists()


def test_installed_for_all_each_user_enables_it(installed):
    install(installed, "--uninstall")
    install(installed, "--prefix", "/usr/local", user="root")
    try:
        installed.systemctl("daemon-reload")
        installed.systemctl("enable", "--now", *SOCKETS)
        assert installed.call("GetStatus")
        assert installed.run("readlink", f"/proc/{process(installed)}/exe", user="root").stdout.strip() == "/usr/local/bin/posternd"
        installed.systemctl("disable", "--now", *UNITS)
    finally:
        install(installed, "--prefix", "/usr/local", "--uninstall", user="root")
        installed.systemctl("daemon-reload")
    assert installed.run("find", "/usr/local", "-name", "*postern*", user="root").stdout == ""


def test_packagers_can_install_into_a_destdir(installed):
    units = installed.path(f"{HOME}/.config/systemd/user/postern.service").read_text()
    install(installed, "--prefix", "/usr", "--destdir", f"{HOME}/package")
    found = installed.run("sh", "-c", "cd ~/package && find . -type f | sort").stdout.split()
    programs = [f"./usr/bin/{name}" for name in ("postern", "postern-demo-provider", "postern-mcp", "posternd")]
    shared = [path for path in found if path.startswith("./usr/share/")]
    assert [path for path in found if path not in shared] == programs + sorted(f"./usr/lib/systemd/user/{unit}" for unit in UNITS)
    assert {"./usr/share/applications/io.postern.Postern.desktop", "./usr/share/metainfo/io.postern.Postern.metainfo.xml"} <= set(shared)
    assert "ExecStart=/usr/bin/posternd\n" in installed.path(f"{HOME}/package/usr/lib/systemd/user/postern.service").read_text()
    assert "ConditionUser=!@system\n" in installed.path(f"{HOME}/package/usr/lib/systemd/user/postern.socket").read_text()
    install(installed, "--prefix", "/usr", "--destdir", f"{HOME}/package", "--uninstall")
    assert installed.run("sh", "-c", "cd ~/package && find . -type f").stdout == ""
    # Root's manager, and a greeter's, are left out where it is for all; who installs for themselves knows.
    assert "ConditionUser=" not in units
    # What is installed for the user is as it was.
    assert installed.path(f"{HOME}/.config/systemd/user/postern.service").read_text() == units
    assert [installed.show("ActiveState", unit) for unit in SOCKETS] == ["active", "active"]


@pytest.mark.parametrize("words", [["--prefix"], ["--prefix", "relative"], ["--no-such-word"], ["--bin-dir", "/no/such/folder"]])
def test_the_installer_refuses_contradictory_options(installed, words):
    done = install(installed, *words, check=False)
    assert done.returncode in (1, 64) and done.stderr.startswith("install.sh: ")
