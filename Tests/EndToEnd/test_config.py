"""`postern config`: the person's files keep what they are, and the daemon takes a change up."""
import json
import os
import stat
import subprocess

import pytest
from commands import Command, run
from postern import BIN, wait_for

TEXT = '# mine\n[sign-in]\ntimeout = "10m"   # long enough\n\n[provider.work]\nkind = "oidc"\nissuer = "https://login.example.com"\nclient-id = "one"\n'


@pytest.fixture
def system(tmp_path):
    root = tmp_path / "system"
    (root / "etc/postern/config.d").mkdir(parents=True)
    (root / "usr/share/postern/providers.d").mkdir(parents=True)
    return root


@pytest.fixture
def daemon(make_daemon, system):
    daemon = make_daemon(environment={"POSTERN_SYSTEM_ROOT": str(system)})
    daemon.config.write_text(TEXT + '[callback]\nport = 0\n[store]\nkey = "file"\n')
    return daemon.start()


def config(daemon, *arguments, **more):
    return run(daemon, "config", *arguments, "--config", str(daemon.config), POSTERN_SYSTEM_ROOT=daemon.environment["POSTERN_SYSTEM_ROOT"], **more)


def clients(daemon):
    return {p["providerID"]: p["displayName"] for p in daemon.call("ListProviders")["providers"]}


def test_a_change_keeps_the_rest_and_is_taken_up(daemon):
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


def test_what_would_not_be_taken_is_refused_with_its_line(daemon):
    before = daemon.config.read_text()
    for key, value, word in [
        ("callback.port", "99999", ":10: port in [callback] must be from 0 to 65535"), ("callback.port", "abc", "must be an integer"),
        ("sign-in.timout", "5m", "did you mean timeout?"), ("sign-in", "5m", "is a table"), ("sign-in.timeout.x", "1", "not a table"),
        ("provider.work.issuer", "nonsense", "issuer in [provider.work]"), ("a b", "1", "not a key"),
    ]:
        result = config(daemon, "set", key, value)
        assert result.returncode != 0 and word in result.stderr, (key, result.stderr)
    assert daemon.config.read_text() == before


def test_no_secret_is_taken_or_shown(daemon, tmp_path):
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


def test_what_a_package_may_not_say_is_left_out_and_told(daemon, system):
    """A client of one's own keeps its server, and nobody's configuration is refused for a package's sake."""
    own = daemon.config.read_text() + '[account.tool]\nprovider = "work"\n[provider."github.com"]\nclient-id = "mine"\n'
    daemon.config.write_text(own)
    path = system / "usr/share/postern/providers.d/tool.toml"
    evil = "http://127.0.0.1:18992/"
    new = f'kind = "oidc"\nissuer = "{evil}"\nclient-id = "x"\n'
    for text, line in [
        ('[callback]\nport = 1\n', 1), ('[provider.x]\nclient-secret = { command = ["true"] }\n', 2), ('[provider.x]\nbrowser = ["evil"]\n', 2),
        (f'[provider."github.com"]\ntoken-endpoint = "{evil}token"\n', 2), (f'[provider.tool]\n{new}', 1), ('[provider.x\n', 1),
    ]:
        path.write_text(text)
        shown = config(daemon, "show")
        assert shown.returncode == 0 and "tool.toml" not in shown.stdout and "18992" not in shown.stdout
        checked = subprocess.run(
            [BIN / "posternd", "--check-config", "--config", daemon.config], env={**os.environ, **daemon.environment}, capture_output=True, text=True, timeout=60)
        assert checked.returncode == 0 and f"{path}:{line}: " in checked.stderr and "left out" in checked.stderr, checked.stderr
        daemon.call("Reload")
        wait_for(lambda: f"{path}:{line}: " in daemon.log.read_text(), what="the warning")
    path.write_text(f'[provider.work]\n{new}revocation-endpoint = "{evil}"\nserves = ["{evil}"]\n')
    daemon.call("Reload")
    shown = config(daemon, "show")
    assert shown.returncode == 0 and "18992" not in shown.stdout


def test_no_spelling_of_a_literal_secret_is_shown(daemon):
    text = daemon.config.read_text()
    for section in [
        'inl = { kind = "oidc", issuer = "https://a.example", client-id = "a", client-secret = "HUSH" }',
        '[provider.inl]\nkind = "oidc"\nissuer = "https://a.example"\nclient-id = "a"\nclient-secret = """\nHUSH"""\n',
        '[provider.inl]\nkind = "oidc"\nissuer = "https://a.example"\nclient-id = "a"\n"client-\\u0073ecret" = \'\'\'\nHUSH\'\'\' # HUSH\n',
    ]:
        daemon.config.write_text(text + section if section.startswith("[") else text.replace("[provider.work]", f"[provider]\n{section}\n\n[provider.work]"))
        daemon.config.chmod(0o600)
        for arguments in [("set", "provider.inl.display-name", "Inl"), ("set", "provider.inl.client-id", "b"), ("unset", "provider.inl")]:
            result = config(daemon, *arguments)
            assert result.returncode == 0 and "HUSH" not in result.stdout + result.stderr, result.stderr


def test_a_link_goes_on_leading_to_the_file(daemon, tmp_path):
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


def test_edit_puts_in_place_what_is_right(daemon, tmp_path):
    kept = daemon.config.read_text()
    assert "nothing was changed" in config(daemon, "edit", EDITOR="true").stderr
    assert config(daemon, "edit", EDITOR="false").returncode == 1
    wrong = editor(tmp_path, 'sed -i "s/timeout = .*/timeout = 5/" "$1"')
    result = config(daemon, "edit", EDITOR=wrong)
    assert result.returncode == 2 and "config.toml:3: timeout in [sign-in] must be a string" in result.stderr
    assert daemon.config.read_text() == kept
    # On a terminal it can be edited again: the second time it is right.
    second = editor(tmp_path, f'if [ -e {tmp_path}/once ]; then sed -i -e "s/timeout = .*/timeout = \\"3m\\"/" -e /nonsense/d "$1"; else touch {tmp_path}/once; echo "nonsense" >> "$1"; fi')
    command = Command(daemon, "config", "edit", "--config", str(daemon.config), terminal=True, EDITOR=second, POSTERN_SYSTEM_ROOT=daemon.environment["POSTERN_SYSTEM_ROOT"])
    command.read_until("Edit again")
    command.type("e\n")
    assert command.end()[0] == 0, command.text
    assert 'timeout = "3m"' in daemon.config.read_text() and "nonsense" not in daemon.config.read_text()


def test_it_needs_no_daemon(daemon):
    daemon.stop()
    result = config(daemon, "set", "sign-in.timeout", "5m")
    assert result.returncode == 0 and "the daemon is not running" in result.stderr
    assert wait_for(lambda: '"5m"' in daemon.config.read_text())


def test_a_misspelt_key_is_told_whatever_is_done_with_it(daemon):
    for verb in ("get", "unset"):
        result = config(daemon, verb, "sign-in.timout")
        assert result.returncode == 1 and "did you mean timeout?" in result.stderr
        result = config(daemon, verb, "provider.wrok.client-id")
        assert result.returncode == 1 and "did you mean provider.work.client-id?" in result.stderr


def test_a_key_goes_where_its_section_is_and_an_empty_section_goes_with_its_last_key(daemon):
    part = daemon.directory / "config.d" / "play.toml"
    part.parent.mkdir(exist_ok=True)
    part.write_text('[provider.play]\nkind = "oidc"\nissuer = "https://play.example"\n')
    before = daemon.config.read_text()
    assert config(daemon, "set", "provider.play.client-id", "x").returncode == 0
    assert daemon.config.read_text() == before and part.read_text().endswith('client-id = "x"\n')
    assert config(daemon, "unset", "sign-in.timeout").returncode == 0
    assert "[sign-in]" in daemon.config.read_text()     # a comment speaks of it
    assert config(daemon, "unset", "store.key").returncode == 0
    assert "[store]" not in daemon.config.read_text()
