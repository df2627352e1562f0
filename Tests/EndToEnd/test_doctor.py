"""What `postern doctor` finds at the addresses that providers send people to."""
import contextlib
import http.server
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading

import pytest
from commands import POSTERN, environment, run
from loopback import Handler
from other_user import AS_NOBODY, NOBODY, needs_root, open_to_others
from postern import BIN, free_port, oidc

CLIENTS = '[provider."microsoft.com"]\nclient-id = "client"\n'
HAS_IPV6 = os.path.exists("/proc/net/if_inet6") and "00000000000000000000000000000001" in pathlib.Path("/proc/net/if_inet6").read_text()
with_ipv6 = pytest.mark.skipif(not HAS_IPV6, reason="this machine has no ::1")


class Foreign(http.server.ThreadingHTTPServer):
    """A program that is not Postern, at [::1]."""
    address_family = socket.AF_INET6
    daemon_threads = True

    class Answer(Handler):
        def do_GET(self):
            self.send(200, b"not Postern")

    def __init__(self, port):
        super().__init__(("::1", port), self.Answer)
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.shutdown()
        self.server_close()


def callback(daemon, prefix=()):
    """The doctor's findings about callbacks: (level, detail, fix) of each."""
    result = subprocess.run([*prefix, POSTERN, "doctor", "--json"], capture_output=True, text=True, timeout=60, env=environment(daemon))
    return [(f["level"], f["detail"], f.get("fix") or "") for f in json.loads(result.stdout)["findings"] if f["title"] == "callback"]


@with_ipv6
def test_another_program_at_the_other_localhost_address_is_found(make_daemon):
    port = free_port()
    foreign = Foreign(port)
    try:
        daemon = make_daemon(CLIENTS, port=port).start()
        (plain, at, _), (level, detail, fix) = callback(daemon)
        assert plain == "ok" and at == f"http://127.0.0.1:{port} answers"
        assert level == "fail" and f"[::1]:{port}" in detail and "another program of yours" in detail and "Microsoft" in detail
        assert f"(process {os.getpid()}) has the port" in fix and "the daemon takes the port with the next call" in fix and "systemctl" not in fix
        assert run(daemon, "doctor").returncode == 1
    finally:
        foreign.close()
    # Free again: the daemon takes it when it is asked, and it answers there.
    assert [(level, detail) for level, detail, _ in callback(daemon)] == [
        ("ok", f"http://127.0.0.1:{port} answers"), ("ok", f"http://[::1]:{port} answers")]


@with_ipv6
def test_another_program_at_the_other_localhost_address_is_ignored_if_none_needs_it(make_daemon):
    port = free_port()
    foreign = Foreign(port)
    try:
        daemon = make_daemon('[provider."github.com"]\nclient-id = "c"\nclient-secret = "s"\n', port=port).start()
        assert [(level, detail) for level, detail, _ in callback(daemon)] == [("ok", f"http://127.0.0.1:{port} answers")]
    finally:
        foreign.close()


@pytest.fixture
def without_ipv6():
    """The words before a command that have it run in a network of its own, without IPv6."""
    if os.geteuid() != 0:
        pytest.skip("a network of its own needs root")
    made = subprocess.Popen(
        ["unshare", "--net", "sh", "-c", "ip link set lo up && echo 1 >/proc/sys/net/ipv6/conf/lo/disable_ipv6; echo done; exec cat"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if made.stdout.readline() != "done\n":
        pytest.skip("no network of its own can be had")
    yield ["nsenter", f"--net=/proc/{made.pid}/ns/net"]
    made.send_signal(signal.SIGKILL)
    made.wait()


def test_a_machine_without_ipv6_has_no_failure(make_daemon, without_ipv6):
    daemon = make_daemon(CLIENTS, port=free_port()).start(prefix=without_ipv6)
    assert [(level, detail) for level, detail, _ in callback(daemon, without_ipv6)] == [("ok", f"http://127.0.0.1:{daemon.port} answers")]


# ---- What else is wrong ----------------------------------------------------------------


def failures(daemon, *arguments, **variables):
    """What fails: the status, and a line for each finding."""
    result = subprocess.run(
        [POSTERN, "doctor", "--json", *arguments], capture_output=True, text=True, timeout=60, env={**environment(daemon), **variables})
    return result.returncode, [f"{f['title']}: {f['detail']}" for f in json.loads(result.stdout)["findings"] if f["level"] == "fail"]


def test_a_configuration_that_the_next_start_cannot_use_is_found(demo):
    assert failures(demo) == (0, [])
    demo.config.write_text(demo.config.read_text() + "\n[callbak]\nport = 1\n")
    question = "did you mean callback?"     # nothing follows it
    status, found = failures(demo)
    assert status == 1 and len(found) == 1 and "config.toml" in found[0] and found[0].endswith(question) and "the next start" in found[0]
    # Once a reload has refused it the daemon says so itself, in `status` as well.
    reload = run(demo, "reload")
    assert reload.returncode == 1 and reload.stderr.endswith(f"{question}\n"), reload.stderr
    status, found = failures(demo)
    assert status == 1 and len(found) == 1 and found[0].startswith("configuration: ") and found[0].endswith(question)
    problems = demo.call("GetStatus")["problems"]
    assert len(problems) == 1 and "the configuration was rejected" in problems[0] and problems[0].endswith(question)
    assert "the configuration was rejected" in run(demo, "status").stdout
    demo.config.write_text(demo.config.read_text().replace("\n[callbak]\nport = 1\n", ""))
    assert run(demo, "reload").returncode == 0 and failures(demo) == (0, []) and "problem" not in run(demo, "status").stdout


def test_a_socket_activated_daemon_with_an_invalid_configuration_has_one_problem(make_daemon):
    daemon = make_daemon("[colour]\nred = 1\n")
    daemon.path.parent.mkdir(parents=True)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(daemon.path))
        daemon.path.chmod(0o600)
        listener.listen(8)
        process = subprocess.Popen(
            ["sh", "-c", 'export LISTEN_PID=$$; exec "$0" --config "$1"', str(BIN / "posternd"), str(daemon.config)], close_fds=False,
            env={**environment(daemon), "LISTEN_FDS": "1", "LISTEN_FDNAMES": "varlink"}, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: (os.dup2(listener.fileno(), 3), os.set_inheritable(3, True)))
        try:
            status, found = failures(daemon)
        finally:
            process.terminate()
            process.wait(timeout=30)
    assert status == 1 and len(found) == 1 and "colour" in found[0] and "the daemon cannot use the configuration: " in found[0], found


def test_a_port_in_use_is_found_with_the_program_that_uses_it(make_daemon):
    """The daemon goes on without it, at a free one."""
    port = free_port()
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", port))
        taken.listen()
        daemon = make_daemon(port=port).start()
        result = json.loads(run(daemon, "doctor", "--json").stdout)["findings"]
        [found] = [finding for finding in result if finding["level"] == "fail"]
        assert f"127.0.0.1:{port} is in use by another program of yours" in found["detail"]
        assert f"(process {os.getpid()}) has the port" in found["fix"]
        assert f":{port}/" not in daemon.call("GetStatus")["callbackURLs"][0]
    # Free again, it is taken.
    assert f":{port}/" in daemon.call("GetStatus")["callbackURLs"][0] and failures(daemon) == (0, [])


@needs_root
def test_another_users_program_at_the_port_is_a_warning_with_its_user(make_daemon, demo_provider):
    """As for everybody but the first who uses Postern on a machine."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        daemon = make_daemon(oidc(demo_provider) + "any-port = true\n", port=port)
        for path in (daemon.directory, *daemon.directory.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        open_to_others(daemon.directory)
        daemon.start(prefix=AS_NOBODY)
        done = subprocess.run([*AS_NOBODY, POSTERN, "doctor", "--json"], capture_output=True, text=True, timeout=60, env=environment(daemon))
        [found] = [finding for finding in json.loads(done.stdout)["findings"] if f"127.0.0.1:{port}" in finding["detail"]]
        assert found["level"] == "warn" and f"127.0.0.1:{port} is in use by a program of root" in found["detail"], done.stdout
        assert "a program of user 0 (root) has the port; " in found["fix"] and done.returncode == 0


def test_paths_are_reported_as_absolute(make_daemon):
    daemon = make_daemon()
    daemon.process = subprocess.Popen(
        [str(BIN / "posternd"), "--config", "config.toml", "--socket", "run/io.postern", "--state-directory", "state"],
        cwd=daemon.directory, env={"HOME": str(daemon.directory), "PATH": os.environ["PATH"]}, stdin=subprocess.DEVNULL)
    daemon.wait()
    status = daemon.call("GetStatus")
    assert status["stateDirectory"] == str(daemon.directory / "state") and status["configurationFile"] == str(daemon.config)


@pytest.mark.parametrize("way", ["file", "directory"])
def test_a_daemon_whose_program_was_replaced_is_found_at_once(make_daemon, tmp_path, way):
    """Whatever the clock says, whichever program lies beside the command, and also where a link is led to the new one and the old one stays."""
    daemon = make_daemon()
    older, newer = tmp_path / "1" / "posternd", tmp_path / "2" / "posternd"
    link = tmp_path / "current" if way == "directory" else None
    program = link / "posternd" if link else older
    for file in (older, newer):
        file.parent.mkdir()
    shutil.copy(BIN / "posternd", older)
    newer.write_text("#!/bin/sh\n")
    newer.chmod(0o755)
    if link:
        link.symlink_to(older.parent)
    daemon.process = subprocess.Popen(
        [program, "--config", str(daemon.config), "--socket", str(daemon.path), "--state-directory", str(daemon.directory / "state")],
        env={**os.environ, **environment(daemon)}, stdin=subprocess.DEVNULL)
    daemon.wait()

    def told():
        found = json.loads(run(daemon, "doctor", "--json").stdout)["findings"]
        return ["an older posternd is running" in text for text in (run(daemon, "status").stderr, *(
            finding["detail"] for finding in found if finding["title"] == "daemon" and finding["level"] == "warn"))]

    assert told() == [False] and "replaced" not in daemon.call("GetStatus")
    if link:
        new_link = link.with_name("new")
        new_link.symlink_to(newer.parent)
        new_link.rename(link)
    else:
        newer.rename(older)
    assert told() == [True, True] and daemon.call("GetStatus")["replaced"] is True


def test_an_address_from_the_command_line_that_is_in_use_prevents_the_start(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = subprocess.run(
            [str(BIN / "posternd"), "--listen", "127.0.0.1:%d" % taken.getsockname()[1], "--socket", str(tmp_path / "s"),
             "--state-directory", str(tmp_path / "state")], env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
            capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert done.returncode == 1 and "cannot listen on 127.0.0.1" in done.stderr


def test_the_socket_left_by_a_dead_daemon_is_found(demo):
    demo.kill()
    status, found = failures(demo)
    assert status == 4 and any("a daemon that has ended left" in line for line in found)


def test_a_browser_that_does_not_exist_is_found(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider) + 'browser = ["/nonexistent/browser"]\n', browser='["no-such-browser", "--new-window"]').start()
    status, found = failures(daemon)
    assert status == 1 and any("browser in [sign-in]: there is no program no-such-browser" in line for line in found)
    assert any("browser in [provider.demo]: there is no program /nonexistent/browser" in line for line in found)


def test_a_configuration_in_config_d_alone_is_valid(make_daemon, tmp_path):
    """As `postern setup` leaves it: without a main file."""
    daemon = make_daemon()
    part = tmp_path / "postern" / "config.d" / "store.toml"
    part.parent.mkdir(parents=True)
    part.write_text('[store]\nkey = "file"\n[callback]\nport = 0\n')
    part.chmod(0o600)
    variables = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    daemon.process = subprocess.Popen(
        [str(BIN / "posternd"), "--socket", str(daemon.path), "--state-directory", str(daemon.directory / "state")],
        env={"PATH": os.environ["PATH"], **variables}, stdin=subprocess.DEVNULL)
    daemon.wait()
    assert failures(daemon, **variables) == (0, [])


def test_a_missing_configuration_file_prevents_the_start(tmp_path):
    done = subprocess.run(
        [str(BIN / "posternd"), "--config", str(tmp_path / "typo.toml"), "--socket", str(tmp_path / "s"), "--state-directory", str(tmp_path)],
        capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert done.returncode == 78 and "typo.toml: not found" in done.stderr


def test_a_configuration_directory_writable_by_others_is_found(demo):
    parts = demo.directory / "config.d"
    parts.mkdir(exist_ok=True)
    parts.chmod(0o777)
    status, found = failures(demo)
    assert status == 1 and found == [f"configuration: others can write to {parts} (mode 0777), and change what the daemon does"]
    parts.chmod(0o755)
    assert failures(demo) == (0, [])


@contextlib.contextmanager
def small_disk(place):
    """A file system with room for a store and not for much more."""
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=80m,mode=700", "tmpfs", place], capture_output=True).returncode != 0:
        pytest.skip("nothing can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_a_full_disk_is_found(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider))
    state = daemon.directory / "state"
    with small_disk(state):
        daemon.start()
        assert failures(daemon) == (0, [])
        (state / "ballast").write_bytes(b"x" * (77 << 20))
        status, found = failures(daemon)
        assert status == 1 and [line.split(":")[0] for line in found] == ["disk"] and str(state) in found[0], found
        (state / "ballast").unlink()
        assert failures(daemon) == (0, [])
        daemon.stop()
