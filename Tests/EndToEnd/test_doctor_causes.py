"""What `postern doctor` finds wrong that only the daemon knows, or that nothing else shows: each with what to do, and nothing about what works."""
import contextlib
import json
import os
import subprocess

import pytest
from commands import POSTERN, environment, run
from other_user import needs_root
from postern import BIN, oidc


def findings(daemon, **variables):
    """What is not well: (level, a line, the fix) of each finding."""
    result = subprocess.run(
        [POSTERN, "doctor", "--json"], capture_output=True, text=True, timeout=60, env={**environment(daemon), **variables})
    return [(f["level"], f"{f['title']}: {f['detail']}", f.get("fix") or "") for f in json.loads(result.stdout)["findings"] if f["level"] != "ok"]


def about(daemon, *words, **variables):
    """The findings with one of the words."""
    return [finding for finding in findings(daemon, **variables) if any(word in finding[1] for word in words)]


# ---- What depends on the daemon's environment ------------------------------------------


def secret(name, source):
    return f'[provider."{name}"]\nclient-id = "c"\nclient-secret = {source}\n'


def test_secrets_that_only_the_daemon_can_read_are_no_failure(make_daemon):
    config = secret("github.com", '{ env = "ONLY_THE_DAEMON_HAS_IT" }') + secret(
        "google.com", """{ command = ["sh", "-c", 'echo "${ONLY_THE_DAEMON_HAS_IT:?}"'] }""")
    daemon = make_daemon(config, environment={"ONLY_THE_DAEMON_HAS_IT": "shh"}).start()
    assert about(daemon, "secret", "ONLY_THE_DAEMON") == []
    # Nor is it enough that the shell has it.
    daemon.stop()
    del daemon.environment["ONLY_THE_DAEMON_HAS_IT"]
    daemon.start()
    found = {line.split(": ")[1]: (level, line, fix) for level, line, fix in about(daemon, "secret", ONLY_THE_DAEMON_HAS_IT="shh")}
    assert set(found) == {"github.com", "google.com"}, found
    level, line, fix = found["github.com"]
    assert level == "fail" and line.endswith("the environment variable ONLY_THE_DAEMON_HAS_IT is not set")
    # A reload gives a process no other environment.
    assert "reload" not in fix and ("EnvironmentFile=" in fix or "where posternd is started" in fix)
    assert found["google.com"][0] == "fail" and "ended with status" in found["google.com"][1]
    # Nobody can tell while no daemon runs with it, which is no reason to call it wrong.
    daemon.stop()
    unchecked = about(daemon, "depends on the daemon's environment", XDG_CONFIG_HOME=str(daemon.directory / "xdg"))
    assert unchecked == []
    (daemon.directory / "xdg").mkdir()
    (daemon.directory / "xdg" / "postern").symlink_to(daemon.directory)
    unchecked = about(daemon, "depends on the daemon's environment", XDG_CONFIG_HOME=str(daemon.directory / "xdg"))
    assert [level for level, _, _ in unchecked] == ["warn", "warn"] and "github.com: its client secret" in unchecked[0][1]


def test_a_browser_found_only_in_the_daemons_path_is_no_failure(make_daemon, tmp_path):
    browser = tmp_path / "tools" / "own-browser"
    browser.parent.mkdir()
    browser.write_text("#!/bin/sh\n")
    browser.chmod(0o755)
    daemon = make_daemon(browser='["own-browser"]', environment={"PATH": f"{browser.parent}:{os.environ['PATH']}"}).start()
    assert about(daemon, "browser") == []


def test_an_unusable_proxy_is_found_with_its_setting_but_not_its_value(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), environment={"HTTPS_PROXY": "socks5://user:shh@proxy.example:1080"}).start()
    [(level, line, fix)] = about(daemon, "HTTPS_PROXY")
    assert level == "fail" and "requests to providers are not sent: the setting HTTPS_PROXY is not an http:// proxy" in line
    assert "correct or unset it where the daemon is started" in fix and "reload" not in fix and "shh" not in line + fix
    assert "HTTPS_PROXY" in run(daemon, "status").stdout
    # The shell's is not the daemon's.
    other = make_daemon(oidc(demo_provider)).start()
    assert about(other, "proxy", HTTPS_PROXY="socks5://proxy.example:1080") == []


# ---- The callback certificate ----------------------------------------------------------


def authority(directory, name):
    key, certificate = directory / f"{name}.key", directory / f"{name}.crt"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", f"/CN={name}",
         "-addext", "basicConstraints=critical,CA:TRUE", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return key, certificate


def certificate(directory, names, days, issuer, directory_name="tls"):
    """A listener's certificate and key, as the configuration names them, beside an authority that need not be its issuer."""
    place = directory / directory_name
    place.mkdir()
    (key_of_issuer, issuer_file) = authority(place, "issuer")
    _, other = authority(place, "other")
    (issuer_file if issuer == "ours" else other).rename(place / "loopback-authority.crt")
    issuer_file = place / ("loopback-authority.crt" if issuer == "ours" else "issuer.crt")
    request, extensions = place / "request", place / "extensions"
    extensions.write_text(f"subjectAltName={names}\nextendedKeyUsage=serverAuth\n")
    subprocess.run(
        ["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=listener", "-keyout",
         place / "loopback.key", "-out", request], check=True, capture_output=True)
    subprocess.run(
        ["openssl", "x509", "-req", "-in", request, "-CA", issuer_file, "-CAkey", key_of_issuer, "-CAcreateserial", "-days", str(days),
         "-extfile", extensions, "-out", place / "loopback.crt"], check=True, capture_output=True)
    (place / "loopback.key").chmod(0o600)
    return f'certificate = "{place / "loopback.crt"}"\nkey = "{place / "loopback.key"}"'


LOOPBACK = "IP:127.0.0.1,IP:::1,DNS:localhost"


@pytest.mark.parametrize("names, days, issuer, level, words", [
    (LOOPBACK, 10, "ours", "warn", "ends within 1"),
    ("DNS:localhost", 400, "ours", "fail", "is not for 127.0.0.1, so browsers refuse it"),
    (LOOPBACK, 400, "another", "warn", "was issued by 'CN=issuer', which neither this system nor loopback-authority.crt beside it vouches for"),
], ids=["ends soon", "foreign", "unknown authority"])
def test_a_callback_certificate_that_browsers_refuse_is_found(make_daemon, tmp_path, names, days, issuer, level, words):
    daemon = make_daemon(callback=certificate(tmp_path, names, days, issuer)).start()
    found = about(daemon, "the callback listener's certificate")
    [(found_level, line, fix)] = found
    assert found_level == level and words in line and str(tmp_path / "tls" / "loopback.crt") in line
    # The listener shows what it read when it was opened.
    assert "postern provider certificate --replace" in fix and "reload" not in fix


def test_a_replaced_certificate_is_checked_as_still_served_until_a_restart(make_daemon, tmp_path):
    daemon = make_daemon(callback=certificate(tmp_path, LOOPBACK, -1, "ours")).start()
    certificate(tmp_path, LOOPBACK, 400, "ours", "new")
    for name in ("loopback.crt", "loopback.key", "loopback-authority.crt"):
        (tmp_path / "new" / name).rename(tmp_path / "tls" / name)
    [(level, line, _)] = about(daemon, "the callback listener's certificate")
    assert level == "fail" and "ended on" in line
    daemon.stop()
    daemon.start()
    assert about(daemon, "the callback listener's certificate") == []


# ---- Directories and files -------------------------------------------------------------


def test_a_parent_directory_of_the_configuration_writable_by_others_is_found(make_daemon, tmp_path):
    daemon = make_daemon().start()
    assert about(daemon, "put something else in the place of") == []
    tmp_path.chmod(0o777)
    try:
        [(level, line, fix)] = about(daemon, "put something else in the place of")
        assert level == "fail" and f"{tmp_path} (mode 0777)" in line and str(daemon.directory) in line
        assert fix == f"chmod go-w {tmp_path}"
        [(level, line, fix)] = about(daemon, "your home directory", HOME=str(tmp_path))
        assert level == "fail" and f"others can write to your home directory {tmp_path} (mode 0777)" in line
        # As /tmp: there nobody can rename what is another's.
        tmp_path.chmod(0o1777)
        assert about(daemon, "put something else in the place of") == []
    finally:
        tmp_path.chmod(0o700)


def test_files_that_look_like_configuration_but_are_not_read_are_found(make_daemon):
    ca = '[provider.work]\nkind = "oidc"\nissuer = "https://work.example"\nclient-id = "c"\nclient-secret = { file = "work.conf" }\n'
    daemon = make_daemon(ca)
    parts = daemon.directory / "config.d"
    parts.mkdir()
    for name, text in {"config.toml~": "", "github.toml": "", "postern.conf": "", "README": "", "config.d/a.conf": "", "config.d/b.toml": "",
                       "config.d/.c.toml": "", "config.d/c.toml.bak": "", "work.conf": "shh"}.items():
        (daemon.directory / name).write_text(text)
        (daemon.directory / name).chmod(0o600)
    daemon.start()
    found = about(daemon, "nothing reads")
    assert [level for level, _, _ in found] == ["warn"] * 3
    assert [line.removeprefix("configuration: nothing reads ").split(":")[0] for _, line, _ in found] == [
        str(daemon.directory / name) for name in ("github.toml", "postern.conf", "config.d/a.conf")]
    # What is advised works.
    for _, _, fix in found:
        steps = fix.removeprefix("if it is meant to be read: ").split("; then: ")
        assert steps[1] == "postern reload"
        subprocess.run(["sh", "-ec", steps[0]], check=True)
    assert about(daemon, "nothing reads") == []
    assert sorted(path.name for path in parts.glob("*.toml")) == [".c.toml", "a.toml", "b.toml", "github.toml", "postern.toml"]


@contextlib.contextmanager
def read_only(place):
    for words in (["mount", "--bind", place, place], ["mount", "-o", "remount,bind,ro", place]):
        if subprocess.run(words, capture_output=True).returncode != 0:
            pytest.skip("nothing can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


@contextlib.contextmanager
def immutable(place):
    if subprocess.run(["chattr", "+i", place], capture_output=True).returncode != 0:
        pytest.skip("this file system, or this user, knows no immutable directories")
    try:
        yield
    finally:
        subprocess.run(["chattr", "-i", place], check=True)


@needs_root
@pytest.mark.parametrize("closed, words, fix", [
    (read_only, "is on a read-only file system", "findmnt -T"), (immutable, "is immutable (chattr +i)", "chattr -i")])
def test_an_unwritable_state_directory_is_found(make_daemon, closed, words, fix):
    daemon = make_daemon().start()
    state = daemon.directory / "state"
    assert about(daemon, "nothing can be kept") == []
    with closed(state):
        [(level, line, said)] = about(daemon, "nothing can be kept")
        assert level == "fail" and line == f"store: nothing can be kept: {state} {words}" and fix in said
    # A change of the configuration says the same of its directory.
    with closed(daemon.directory):
        result = run(daemon, "config", "set", "--config", str(daemon.config), "sign-in.timeout", "5m")
        assert result.returncode == 1 and f"{daemon.directory} {words}" in result.stderr and fix in result.stderr, result.stderr
    assert about(daemon, "nothing can be kept") == []


def test_a_relative_runtime_directory_is_found(make_daemon, tmp_path):
    daemon = make_daemon().start()
    [(level, line, fix)] = about(daemon, "XDG_RUNTIME_DIR", XDG_RUNTIME_DIR="run")
    assert level == "fail" and line == "runtime directory: XDG_RUNTIME_DIR is 'run', which is not an absolute path" and "export XDG_RUNTIME_DIR=" in fix
    command = subprocess.run([POSTERN, "status"], capture_output=True, text=True, timeout=60, env={
        "HOME": str(tmp_path), "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": "run"})
    assert command.returncode == 4 and "XDG_RUNTIME_DIR is 'run', which is not an absolute path" in command.stderr, command.stderr
    assert "systemctl" not in command.stderr
    done = subprocess.run(
        [BIN / "posternd", "--state-directory", str(tmp_path / "state")], capture_output=True, text=True, timeout=60,
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": "run"}, stdin=subprocess.DEVNULL)
    assert done.returncode == 1 and "XDG_RUNTIME_DIR is 'run', which is not an absolute path" in done.stderr, done.stderr


def test_a_socket_path_writable_by_others_is_found_even_without_a_daemon(make_daemon, tmp_path):
    daemon = make_daemon()
    daemon.path.parent.mkdir()
    daemon.path.parent.chmod(0o700)
    daemon.directory.chmod(0o777)
    [(level, line, fix)] = [found for found in findings(daemon, HOME=str(tmp_path / "home")) if "put something else" in found[1]]
    assert level == "fail" and line.startswith(f"socket: others can write to {daemon.directory} (mode 0777)")
    assert fix == f"chmod go-w {daemon.directory}"
    assert daemon.start(wait=False).process.wait(30) == 1 and fix in daemon.log.read_text()
