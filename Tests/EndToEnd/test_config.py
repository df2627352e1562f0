"""`postern config`: the person's files keep what they are, and the daemon takes a change up."""
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import stat
import struct
import subprocess

import pytest
from commands import POSTERN, Command, environment, run
from other_user import NOBODY, needs_root
from postern import BIN, wait_for

TEXT = '# mine\n[sign-in]\ntimeout = "10m"   # long enough\n\n[provider.work]\nkind = "oidc"\nissuer = "https://login.example.com"\nclient-id = "one"\n'


@pytest.fixture
def daemon(make_daemon, system):
    daemon = make_daemon(environment={"POSTERN_SYSTEM_ROOT": str(system)})
    daemon.config.write_text(TEXT + '[callback]\nport = 0\n[store]\nkey = "file"\n')
    return daemon.start()


def config(daemon, *arguments, **more):
    return run(daemon, "config", *arguments, "--config", str(daemon.config), POSTERN_SYSTEM_ROOT=daemon.environment["POSTERN_SYSTEM_ROOT"], **more)


def clients(daemon):
    return {p["providerID"]: p["displayName"] for p in daemon.call("ListProviders")["providers"]}


def test_a_change_keeps_the_rest_of_the_file_and_takes_effect(daemon):
    daemon.config.chmod(0o640)
    assert config(daemon, "set", "sign-in.timeout", "5m").returncode == 0
    assert config(daemon, "set", "provider.work.display-name", "Work & Co").returncode == 0
    # What looks like a number is text where text is wanted.
    assert config(daemon, "set", "provider.work.client-id", "123").returncode == 0
    text = daemon.config.read_text()
    assert text.startswith('# mine\n[sign-in]\ntimeout = "5m"   # long enough\n\n[provider.work]\n')
    assert 'client-id = "123"\ndisplay-name = "Work & Co"\n' in text
    assert stat.S_IMODE(daemon.config.stat().st_mode) == 0o640
    assert clients(daemon)["work"] == "Work & Co"
    assert config(daemon, "get", "sign-in.timeout").stdout == "5m\n"
    assert config(daemon, "unset", "provider.work.display-name").returncode == 0
    assert clients(daemon)["work"] == "work"
    assert config(daemon, "unset", "provider.work").returncode == 0 and "work" not in clients(daemon)
    assert config(daemon, "unset", "provider.work").returncode == 1


def test_an_invalid_change_is_refused_with_its_line(daemon):
    before = daemon.config.read_text()
    for arguments, word in [
        (("set", "callback.port", "99999"), ":10: port in [callback] must be from 0 to 65535"), (("set", "sign-in", "5m"), "is a table"),
        (("set", "sign-in.timeout.x", "1"), "not a table"), (("set", "a b", "1"), "not a key"),
        (("get", "sign-in.timout"), "did you mean timeout?"), (("unset", "provider.wrok.client-id"), "did you mean provider.work.client-id?"),
    ]:
        result = config(daemon, *arguments)
        assert result.returncode != 0 and word in result.stderr, (arguments, result.stderr)
    assert daemon.config.read_text() == before


def test_a_key_in_an_unparsable_file_is_not_reported_as_missing(daemon, system):
    (system / "etc/postern/config.toml").write_text("[sign-in]\nflow = = 1\n")
    result = config(daemon, "unset", "sign-in.flow")
    assert result.returncode == 1 and f"{system}/etc/postern/config.toml:2: " in result.stderr, result.stderr


@needs_root
def test_a_secret_in_the_administrators_files_is_refused_with_working_advice(tmp_path):
    """Every user's daemon has to read that file: what closes it for others closes it for all of them."""
    home, root = tmp_path / "home", tmp_path / "root"
    file, secret = root / "etc/postern/config.toml", root / "etc/postern/github.secret"
    home.mkdir()
    file.parent.mkdir(parents=True)
    os.chown(home, NOBODY, NOBODY)
    for directory in (*home.parents, root, *file.parents):
        if directory.stat().st_mode & 1 == 0:
            directory.chmod(directory.stat().st_mode | 0o11)
    section = '[provider."github.com"]\nclient-id = "c"\n'
    text = section + 'client-secret = "hush"\n'
    secret.write_text("hush\n")

    def check(content, mode):
        file.write_text(content)
        file.chmod(mode)
        return subprocess.run(
            ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", str(BIN / "posternd"), "--check-config"], text=True,
            capture_output=True, timeout=60, env={"HOME": str(home), "PATH": os.environ["PATH"], "POSTERN_SYSTEM_ROOT": str(root)})

    said = check(text, 0o644)
    assert said.returncode == 0 and "users must be able to read this file" in said.stderr and "chmod" not in said.stderr, said.stderr
    own = re.search(r'client-secret = \{ file = "~/.config/postern/NAME.secret" \}', said.stderr).group()
    said = check(text, 0o600)
    assert said.returncode == 0 and "permission denied; users must be able to read it" in said.stderr, said.stderr
    for mode, word in [(0o600, "permission denied"), (0o644, "belongs to another user")]:
        secret.chmod(mode)
        said = check(section + 'client-secret = { file = "github.secret" }\n', mode=0o644)
        assert said.returncode == 1 and word in said.stderr and "put the secret into a file of your own" in said.stderr, said.stderr
        assert "chmod" not in said.stderr
    (home / ".config/postern").mkdir(parents=True)
    (home / ".config/postern/NAME.secret").write_text("hush\n")
    (home / ".config/postern/NAME.secret").chmod(0o600)
    for path in (home, *home.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    said = check(section + own + "\n", 0o644)
    assert said.returncode == 0 and "ready: github.com" in said.stdout, said.stderr
    (root / "etc/postern/config.d").mkdir(mode=0o700)
    said = check(section + own + "\n", 0o644)
    assert said.returncode == 0 and "config.d: the directory cannot be read: permission denied; users must be able to" in said.stderr


@needs_root
@pytest.mark.parametrize("named", [True, False], ids=["named", "usual"])
def test_an_inaccessible_configuration_is_not_reported_as_missing(tmp_path, named):
    place = tmp_path / "config/postern"
    place.mkdir(parents=True)
    (place / "config.toml").write_text(TEXT)
    for directory in place.parents:
        if directory.stat().st_mode & 1 == 0:
            directory.chmod(directory.stat().st_mode | 0o11)
    place.chmod(0o700)
    done = subprocess.run(
        ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", BIN / "posternd", "--check-config",
         *(["--config", place / "config.toml"] if named else [])],
        text=True, capture_output=True, timeout=60, env={"HOME": "/", "PATH": os.environ["PATH"], "XDG_CONFIG_HOME": str(tmp_path / "config")})
    assert done.returncode == 78 and "permission denied" in done.stderr, done.stderr
    assert "does not exist" not in done.stderr and "not found" not in done.stderr


def test_secrets_are_neither_accepted_nor_shown(daemon, tmp_path):
    for key, value in [("provider.work.client-secret", "hush"), ("provider.work.client-secret", '"hush"'), ("provider.new", '{ client-secret = "hush" }')]:
        result = config(daemon, "set", key, value)
        assert result.returncode == 1 and "is a secret" in result.stderr and "hush" not in result.stderr
    assert "hush" not in daemon.config.read_text()
    (tmp_path / "secret").write_text("hush\n")
    (tmp_path / "secret").chmod(0o600)
    place = f'{{ file = "{tmp_path}/secret" }}'
    assert config(daemon, "set", "provider.work.client-secret", place).returncode == 0
    assert config(daemon, "get", "provider.work.client-secret").stdout == place + "\n"
    daemon.config.write_text(daemon.config.read_text().replace(place, '"hush"'))
    daemon.config.chmod(0o600)
    assert "hush" not in config(daemon, "show").stdout + config(daemon, "show", "--json").stdout + config(daemon, "set", "provider.work.client-id", "3").stderr
    result = config(daemon, "get", "provider.work.client-secret")
    assert result.returncode == 1 and "hush" not in result.stdout + result.stderr


def test_show_says_where_each_value_comes_from(daemon, system):
    (system / "usr/share/postern/providers.d/tool.toml").write_text('[provider."github.com"]\nclient-id = "packaged"\nscopes = ["repo"]\n')
    (system / "etc/postern/config.toml").write_text('[provider."github.com"]\ndisplay-name = "Ours"\n')
    (system / "etc/postern/config.d/10.toml").write_text('[sign-in]\ntimeout = "1m"\nlanguages = ["it"]\n')
    lines = config(daemon, "show").stdout.split("\n")
    assert f'provider."github.com".display-name = "Ours"   # {system}/etc/postern/config.toml:2' in lines
    assert f'provider."github.com".scopes = ["repo"]   # {system}/usr/share/postern/providers.d/tool.toml:3' in lines
    assert f'sign-in.languages = ["it"]   # {system}/etc/postern/config.d/10.toml:3' in lines
    assert f'sign-in.timeout = "10m"   # {daemon.config}:3' in lines
    result = config(daemon, "unset", "provider.github.com.display-name")
    assert result.returncode == 1 and "not yours" in result.stderr
    # A value of one's own goes over it, and without it the other is back.
    assert config(daemon, "set", "provider.github.com.display-name", "Mine").returncode == 0
    assert config(daemon, "get", "provider.github.com.display-name").stdout == "Mine\n"
    assert '"Ours", from' in config(daemon, "unset", "provider.github.com.display-name").stderr
    files = json.loads(config(daemon, "path", "--json").stdout)["files"]
    assert [os.path.basename(f) for f in files] == ["tool.toml", "config.toml", "10.toml", "config.toml"]
    daemon.call("Reload")


def test_keys_that_a_package_may_not_set_are_ignored_and_reported(daemon, system):
    """A client of one's own keeps its server, and nobody's configuration is refused for a package's sake."""
    own = daemon.config.read_text() + '[account.tool]\nprovider = "work"\n[provider."github.com"]\nclient-id = "mine"\n'
    daemon.config.write_text(own)
    path = system / "usr/share/postern/providers.d/tool.toml"
    path.write_text('[provider."github.com"]\ntoken-endpoint = "http://127.0.0.1:18992/token"\n')
    shown = config(daemon, "show")
    assert shown.returncode == 0 and "tool.toml" not in shown.stdout and "18992" not in shown.stdout
    checked = subprocess.run(
        [BIN / "posternd", "--check-config", "--config", daemon.config], env={**os.environ, **daemon.environment}, capture_output=True, text=True, timeout=60)
    assert checked.returncode == 0 and f"{path}:2: " in checked.stderr and "left out" in checked.stderr, checked.stderr
    daemon.call("Reload")
    wait_for(lambda: f"{path}:2: " in daemon.log.read_text(), what="the warning")


def test_a_symbolic_link_to_the_file_is_kept(daemon, tmp_path):
    real = tmp_path / "dotfiles.toml"
    os.rename(daemon.config, real)
    daemon.config.symlink_to(real)
    assert config(daemon, "set", "sign-in.timeout", "5m").returncode == 0
    assert daemon.config.is_symlink() and '"5m"' in real.read_text()


def editor(tmp_path, script):
    path = tmp_path / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_simultaneous_changes_are_all_kept(daemon):
    """Read, changed and written without another command in between."""
    count = 12
    root = daemon.environment["POSTERN_SYSTEM_ROOT"]
    started = [
        Command(daemon, "config", "set", f"account.a{number}.provider", "work", "--config", str(daemon.config), POSTERN_SYSTEM_ROOT=root)
        for number in range(count)]
    ends = [command.end()[0] for command in started]
    text = daemon.config.read_text()
    assert ends == [0] * count and all(f"[account.a{number}]" in text for number in range(count)), text


@pytest.mark.parametrize("mode, locked", [(0o700, "."), (0o755, ".lock")])
def test_a_change_waits_for_another_command_and_keeps_its_changes(daemon, mode, locked):
    daemon.directory.chmod(mode)
    assert config(daemon, "set", "sign-in.timeout", "6m").returncode == 0
    lock = daemon.directory / locked
    directory = os.open(lock, os.O_RDONLY)
    fcntl.flock(directory, fcntl.LOCK_EX)
    command = Command(
        daemon, "config", "set", "sign-in.timeout", "5m", "--config", str(daemon.config), POSTERN_SYSTEM_ROOT=daemon.environment["POSTERN_SYSTEM_ROOT"])
    mine = pathlib.Path(f"/proc/{command.process.pid}/fd")

    def waits():
        assert command.process.poll() is None, "it did not wait"
        return any(opened(descriptor) == os.path.realpath(lock) for descriptor in mine.iterdir())

    def opened(descriptor):
        try:
            return os.path.realpath(descriptor)
        except FileNotFoundError:
            # It was closed since it was listed.
            return None

    wait_for(waits, what="the other command to come to the lock")
    assert '"5m"' not in daemon.config.read_text()
    daemon.config.write_text(daemon.config.read_text() + "# by another\n")
    os.close(directory)
    assert command.end()[0] == 0, command.text
    assert '"5m"' in daemon.config.read_text() and daemon.config.read_text().endswith("# by another\n")


def test_another_user_who_can_read_the_directory_cannot_block_a_change(daemon):
    daemon.directory.chmod(0o755)
    # Another user has this descriptor, and no other.
    directory = os.open(daemon.directory, os.O_RDONLY)
    fcntl.flock(directory, fcntl.LOCK_EX)
    assert config(daemon, "set", "sign-in.timeout", "5m").returncode == 0
    assert (daemon.directory / ".lock").stat().st_mode & 0o777 == 0o600
    os.close(directory)


@needs_root
def test_a_setgid_directory_does_not_change_the_files_group(daemon):
    os.chown(daemon.directory, -1, NOBODY)
    daemon.directory.chmod(0o2755)
    os.chown(daemon.config, -1, os.getegid())
    daemon.config.chmod(0o640)
    assert config(daemon, "set", "sign-in.timeout", "5m").returncode == 0
    status = daemon.config.stat()
    assert (status.st_gid, status.st_mode & 0o777) == (os.getegid(), 0o640)


def access_list(*entries):
    """As the kernel has it (acl(5)): tag, rights and ID of each entry."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


NOBODY_MAY_READ = access_list((1, 6, 2**32 - 1), (2, 4, NOBODY), (4, 0, 2**32 - 1), (16, 4, 2**32 - 1), (32, 0, 2**32 - 1))


def test_extended_attributes_and_access_lists_are_kept(daemon):
    def attributes():
        return {name: os.getxattr(daemon.config, name) for name in os.listxattr(daemon.config) if not name.startswith("security.")}

    os.setxattr(daemon.config, "user.origin", b"chezmoi")
    os.setxattr(daemon.config, "system.posix_acl_access", NOBODY_MAY_READ)
    before, mode = attributes(), daemon.config.stat().st_mode
    assert len(before) == 2
    assert config(daemon, "set", "sign-in.timeout", "5m").returncode == 0
    assert attributes() == before and daemon.config.stat().st_mode == mode
    # The directory gives new files a list, and this one has none.
    os.removexattr(daemon.config, "system.posix_acl_access")
    daemon.config.chmod(0o640)
    os.setxattr(daemon.directory, "system.posix_acl_default", NOBODY_MAY_READ)
    assert config(daemon, "set", "sign-in.timeout", "6m").returncode == 0
    assert attributes() == {"user.origin": b"chezmoi"} and stat.S_IMODE(daemon.config.stat().st_mode) == 0o640


@needs_root
def test_a_file_owned_by_its_user_but_roots_group_can_be_changed(tmp_path):
    """As `chown "$USER" FILE` does, which the daemon advises: the group stays that of root."""
    file = tmp_path / "home/.config/postern/config.toml"
    file.parent.mkdir(parents=True)
    for directory in file.parents:
        if directory.stat().st_mode & 1 == 0:
            directory.chmod(directory.stat().st_mode | 0o11)

    def change(mode, timeout):
        file.write_text("")
        file.chmod(mode)
        for path in (tmp_path / "home").rglob("*"):
            os.chown(path, NOBODY, 0 if path == file else NOBODY)
        return subprocess.run(
            ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", str(BIN / "postern"), "config", "set", "sign-in.timeout", timeout],
            text=True, capture_output=True, timeout=60, env={"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"]})

    for mode, kept, noted in [(0o644, 0o644, False), (0o640, 0o600, True), (0o600, 0o600, False)]:
        done = change(mode, "5m")
        assert done.returncode == 0 and ("you are not in its group 0" in done.stderr) == noted, done.stderr
        assert stat.S_IMODE(file.stat().st_mode) == kept and '"5m"' in file.read_text()


def test_a_word_that_is_not_utf8_is_refused_and_not_changed(daemon):
    before = daemon.config.read_text()
    for words in [
        (b"config", b"set", b"provider.work.display-name", b"caf\xe9"), (b"config", b"path", b"--config", b"/tmp/caf\xe9"), (b"token", b"caf\xe9"),
        (b"helper", b"git", b"caf\xe9"), (b"exec", b"--", b"printf", b"caf\xe9"),
    ]:
        done = subprocess.run([os.fsencode(POSTERN), *words], capture_output=True, timeout=60, env=environment(daemon))
        assert (done.returncode, done.stdout) == (64, b"") and b"argument %d is not UTF-8" % len(words) in done.stderr, done.stderr
    assert daemon.config.read_text() == before
    done = subprocess.run([BIN / "posternd", "--check-config", "--config", b"/tmp/caf\xe9"], capture_output=True, timeout=60)
    assert done.returncode == 64 and b"argument 3 is not UTF-8" in done.stderr, done.stderr


def test_edited_text_that_cannot_be_installed_is_kept_and_no_copy_is_left(daemon, tmp_path):
    place = tmp_path / "tmp"
    place.mkdir()

    def copies():
        return sorted(place.rglob("config.toml"))

    def on_terminal(script):
        return Command(
            daemon, "config", "edit", "--config", str(daemon.config), terminal=True, EDITOR=editor(tmp_path, script), TMPDIR=str(place),
            POSTERN_SYSTEM_ROOT=daemon.environment["POSTERN_SYSTEM_ROOT"])

    kept = daemon.config.read_text()
    for script, status, words in [
        (f'echo "# by another" >> {daemon.config}; echo "# mine" >> "$1"', 1, "has changed in the meantime"),
        ('echo "# mine" >> "$1"; echo nonsense >> "$1"', 1, "the file stays as it was"),
    ]:
        done = config(daemon, "edit", EDITOR=editor(tmp_path, script), TMPDIR=str(place))
        assert done.returncode == status and words in done.stderr, done.stderr
        (copy,) = copies()
        assert f"your text is in {copy}" in done.stderr and "# mine" in copy.read_text() and copy.stat().st_mode & 0o77 == 0
        shutil.rmtree(copy.parent)
        daemon.config.write_text(kept)
    gone = config(daemon, "edit", EDITOR="rm", TMPDIR=str(place))
    assert gone.returncode == 1 and "left no file" in gone.stderr and "your text" not in gone.stderr and not list(place.iterdir()), gone.stderr
    for answer in ("d\n", "\x03"):
        command = on_terminal('echo nonsense >> "$1"')
        command.read_until("Edit again")
        assert copies()
        command.type(answer)
        assert command.end()[0] == 2 and not list(place.iterdir()), command.text
    # Ctrl-C is for the editor while that runs, however often; what asks to end ends it.
    # Without its parent it would read the closed terminal for ever.
    command = on_terminal(
        'exec >&2; trap "echo nonsense >> \\"$1\\"; exit 0" TERM; trap : INT; echo editing; '
        'while read x || kill -0 $PPID; do echo "read $x"; done')
    command.read_until("editing")
    for _ in range(4):
        command.type("\x03")
        command.type("on\n")
        command.read_until("read on")
    command.process.terminate()
    (child,) = pathlib.Path(f"/proc/{command.process.pid}/task/{command.process.pid}/children").read_text().split()
    os.kill(int(child), signal.SIGTERM)
    # The editor's end, or the request to end: whichever is seen first.
    assert command.end()[0] in (1, 2) and not list(place.iterdir()), command.text
    assert daemon.config.read_text() == kept


def test_edit_installs_only_a_valid_file(daemon, tmp_path):
    kept = daemon.config.read_text()
    assert "nothing was changed" in config(daemon, "edit", EDITOR="true").stderr
    assert config(daemon, "edit", EDITOR="false").returncode == 1
    wrong = editor(tmp_path, 'sed -i "s/timeout = .*/timeout = 5/" "$1"')
    result = config(daemon, "edit", EDITOR=wrong, TMPDIR=str(tmp_path))
    assert result.returncode == 1 and "config.toml:3: timeout in [sign-in] must be a string" in result.stderr
    assert daemon.config.read_text() == kept
    # On a terminal it can be edited again: the second time it is right.
    second = editor(tmp_path, f'if [ -e {tmp_path}/once ]; then sed -i -e "s/timeout = .*/timeout = \\"3m\\"/" -e /nonsense/d "$1"; else touch {tmp_path}/once; echo "nonsense" >> "$1"; fi')
    command = Command(daemon, "config", "edit", "--config", str(daemon.config), terminal=True, EDITOR=second, POSTERN_SYSTEM_ROOT=daemon.environment["POSTERN_SYSTEM_ROOT"])
    command.read_until("Edit again")
    command.type("e\n")
    assert command.end()[0] == 0, command.text
    assert 'timeout = "3m"' in daemon.config.read_text() and "nonsense" not in daemon.config.read_text()


def test_each_key_says_when_its_change_takes_effect(daemon, tmp_path):
    # systemd's part is played by a program that answers what it is told to.
    tools = tmp_path / "tools"
    tools.mkdir()
    systemctl = tools / "systemctl"

    def answering(command):
        systemctl.write_text(f'#!/bin/sh\nexec test "$*" = "--user {command}"\n')
        systemctl.chmod(0o755)

    def said(*words, **more):
        result = config(daemon, *words, PATH=f"{tools}:{os.environ['PATH']}", **more)
        assert result.returncode == 0, result.stderr
        return result.stderr

    answering("nothing")
    restart = "the change takes effect after a restart: stop posternd, and start it again: nohup posternd >/dev/null 2>&1 &\n"
    assert said("set", "daemon.idle-exit", "9m").endswith("the change is in effect\n")
    assert said("set", "callback.same-user", "false").endswith(restart)
    both = editor(tmp_path, 'sed -i -e "s/same-user = false/same-user = true/" -e "s/9m/8m/" "$1"')
    assert said("edit", EDITOR=both).endswith("the change is in effect\ncallback.same-user" + restart.removeprefix("the change"))
    answering("is-active --quiet postern-callback.socket")
    port = said("set", "callback.port", "7700")
    assert "callback.port is ignored: systemd has the sockets" in port and "systemctl --user edit postern-callback.socket" in port
    assert "after a restart" not in port and "in effect" not in port
    answering("show --property=Version")
    assert said("unset", "callback.port").endswith("the change takes effect after a restart: systemctl --user restart postern.service\n")


def test_a_change_to_a_file_the_daemon_does_not_read_is_not_called_in_effect(daemon, tmp_path):
    other = tmp_path / "other.toml"
    other.write_text("")
    link = tmp_path / "elsewhere"
    link.symlink_to(daemon.directory)
    root = daemon.environment["POSTERN_SYSTEM_ROOT"]
    result = run(daemon, "config", "set", "sign-in.timeout", "4m", "--config", str(other), POSTERN_SYSTEM_ROOT=root)
    assert result.returncode == 0 and f"the running daemon does not read this: its configuration is {daemon.config}" in result.stderr, result.stderr
    assert '"4m"' in other.read_text() and "in effect" not in result.stderr
    same = run(daemon, "config", "set", "sign-in.timeout", "4m", "--config", str(link / daemon.config.name), POSTERN_SYSTEM_ROOT=root)
    assert same.returncode == 0 and same.stderr.endswith("the change is in effect\n"), same.stderr


def test_config_needs_no_daemon(daemon):
    daemon.stop()
    result = config(daemon, "set", "sign-in.timeout", "5m")
    assert result.returncode == 0 and f"the daemon is not running; one that is started with --config {daemon.config} reads this" in result.stderr
    usual = run(daemon, "config", "set", "sign-in.timeout", "5m", XDG_CONFIG_HOME=str(daemon.directory), POSTERN_SYSTEM_ROOT=daemon.environment["POSTERN_SYSTEM_ROOT"])
    assert usual.returncode == 0 and "the daemon is not running; at its start it reads this" in usual.stderr, usual.stderr
    assert wait_for(lambda: '"5m"' in daemon.config.read_text())
