"""A store whose key is in the desktop's keyring: gnome-keyring, on a bus of the test's own."""
import os
import re
import shutil
import sqlite3
import subprocess

import pytest
from commands import run
from desktop import Desktop
from postern import BIN, ROOT, ends_with


@pytest.fixture
def desktop(tmp_path):
    desktop = Desktop(tmp_path / "desktop")
    yield desktop
    desktop.close()


@pytest.fixture
def daemon_with(make_daemon, desktop):
    """Makes daemons on the desktop's bus; the argument is `store.key`."""
    def make(key="secret-service"):
        daemon = make_daemon(environment=desktop.environment)
        daemon.config.write_text(daemon.config.read_text().replace('key = "file"', f'key = "{key}"'))
        return daemon

    return make


def users(daemon):
    status = daemon.call("GetStatus")
    return None if status["locked"] else status["users"]


def with_a_user(daemon):
    daemon.call("SignInAnonymously")
    daemon.stop()
    return daemon


def item(daemon):
    """Which item of the keyring the store names; to be called while no daemon has it open."""
    connection = sqlite3.connect(daemon.directory / "state" / "postern.db")
    (word,) = connection.execute("SELECT value FROM meta WHERE name = 'key_source'").fetchone()
    connection.close()
    assert re.fullmatch(r"secret-service:[A-Za-z0-9_-]{22}", word), word
    return word.split(":")[1]


def test_each_store_has_its_own_keyring_item(daemon_with, desktop):
    daemons = [with_a_user(daemon_with(key).start()) for key in ("auto", "secret-service")]
    assert desktop.stores() == sorted(map(item, daemons)) and len(set(desktop.stores())) == 2
    assert sorted(os.listdir(daemons[0].directory / "state")) == ["lock", "names", "postern.db"]
    for daemon in daemons:
        assert users(daemon.start()) == 1


def test_simultaneous_first_starts_end_with_the_right_keys(daemon_with, desktop):
    daemons = [daemon_with() for _ in range(6)]
    for daemon in daemons:
        daemon.start(wait=False)
    for daemon in daemons:
        daemon.wait()
        with_a_user(daemon)
    assert [users(daemon.start()) for daemon in daemons] == [1] * 6
    for daemon in daemons:
        daemon.stop()
    assert desktop.stores() == sorted(map(item, daemons)) and len(set(desktop.stores())) == 6


def test_a_moved_directory_and_a_backup_still_open_with_their_item(daemon_with, desktop):
    daemon = with_a_user(daemon_with().start())
    shutil.copytree(daemon.directory / "state", daemon.directory / "backup")
    with_a_user(daemon.start())
    shutil.rmtree(daemon.directory / "state")
    os.rename(daemon.directory / "backup", daemon.directory / "state")
    assert users(daemon.start()) == 1
    assert len(desktop.stores()) == 1


def forget(daemon):
    words = [BIN / "posternd", "--forget-key", "--state-directory", daemon.directory / "state"]
    return subprocess.run(words, env={**os.environ, **daemon.environment}, capture_output=True, text=True, timeout=30)


def test_forgetting_the_key_of_one_store_keeps_the_others(daemon_with, desktop):
    gone, kept = (with_a_user(daemon_with().start()) for _ in range(2))
    kept.start()
    busy = forget(kept)
    assert busy.returncode == 1 and "another daemon" in busy.stderr
    kept.stop()
    done = forget(gone)
    assert (done.returncode, done.stdout) == (0, "the store's key was removed from the keyring\n")
    assert desktop.stores() == [item(kept)]
    assert forget(gone).stdout == "the store's key is no longer in the keyring\n"
    gone.start()
    with ends_with("StoreLocked") as caught:
        gone.call("GetCurrentUser")
    assert f"store-key={item(gone)}" in caught.value.parameters["message"]
    assert users(kept.start()) == 1


def test_the_command_that_removes_a_key_by_hand_works_for_every_name(daemon_with, desktop):
    daemon = with_a_user(daemon_with().start())
    desktop.lock()
    refused = forget(daemon)
    desktop.unlock()
    command = refused.stderr.strip().rpartition("then: ")[2]
    assert refused.returncode == 1 and command == f"secret-tool clear -- application postern store-key {item(daemon)}", refused.stderr
    desktop.run("secret-tool", "store", "--label=Postern", "--", "application", "postern", "store-key", "-a", input="a")
    desktop.run(*command.replace(item(daemon), "-a").split())
    assert desktop.stores() == [item(daemon)]
    desktop.run(*command.split())
    assert desktop.stores() == []


def test_a_purge_removes_only_the_key_of_its_store(daemon_with, desktop, tmp_path):
    """As the installer does it, for a user with a desktop."""
    kept, home = with_a_user(daemon_with().start()), tmp_path / "home"
    home.mkdir()
    environment = {**os.environ, **desktop.environment, "HOME": str(home)}
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        environment.pop(name, None)
    gone = daemon_with()
    with_a_user(gone.start())
    (home / ".local/state").mkdir(parents=True)
    os.rename(gone.directory / "state", home / ".local/state/postern")
    install = ["sh", ROOT / "packaging/install.sh", "--no-enable", "--bin-dir", BIN]

    def run(*words):
        return subprocess.run([*install, *words], env=environment, check=True, capture_output=True, text=True).stderr

    run()
    run("--uninstall")
    assert len(desktop.stores()) == 2
    run()
    assert "the store's key was removed from the keyring" in run("--uninstall", "--purge")
    assert desktop.stores() == [item(kept)]
    assert not (home / ".local/state/postern").exists()


def test_a_key_outside_the_keyring_is_not_removed(daemon_with, make_daemon, desktop):
    daemon = daemon_with("file")
    assert forget(daemon).stdout.startswith("there is no store in ")
    assert not (daemon.directory / "state").exists()
    with_a_user(daemon.start())
    assert forget(daemon).stdout == "the store's key is not in the keyring, but in the key file\n"
    assert users(daemon.start()) == 1


# A keyring that does not open


def refusal(daemon):
    with ends_with("StoreLocked") as caught:
        daemon.call("GetCurrentUser")
    assert daemon.call("GetStatus")["locked"] is True
    return caught.value.parameters["message"]


@pytest.mark.parametrize("is_new", [False, True])
def test_the_first_call_after_unlocking_the_keyring_succeeds(daemon_with, desktop, is_new):
    daemon = daemon_with()
    if not is_new:
        with_a_user(daemon.start())
    desktop.lock()
    process = daemon.start().process
    for message in (refusal(daemon), refusal(daemon)):
        assert "the keyring is locked" in message and "unlock the keyring; the next call opens the store" in message, message
        assert "restart" not in message
    desktop.unlock()
    assert daemon.call("GetCurrentUser").get("user", {}) is not None
    assert users(daemon) == (0 if is_new else 1)
    assert daemon.process is process and process.poll() is None
    assert len(desktop.stores()) == 1


def test_locking_the_keyring_later_does_not_close_the_store(daemon_with, desktop):
    daemon = daemon_with().start()
    daemon.call("SignInAnonymously")
    desktop.lock()
    assert users(daemon) == 1 and daemon.call("GetCurrentUser")["user"]["isAnonymous"]


def test_the_command_says_what_to_do_about_a_locked_keyring(daemon_with, desktop):
    daemon = with_a_user(daemon_with().start())
    desktop.lock()
    daemon.start()
    said = run(daemon, "whoami")
    assert said.returncode == 1 and "unlock the keyring" in said.stderr and "restart" not in said.stderr, said
    found = run(daemon, "doctor").stdout
    assert "the keyring is locked" in found, found
    desktop.unlock()
    assert run(daemon, "whoami").returncode == 0


def test_a_keyring_without_a_default_collection_has_its_own_error(make_daemon, tmp_path):
    """As it is before the first login with a password has made the login keyring."""
    desktop = Desktop(tmp_path / "desktop", has_keyring=False)
    try:
        daemon = make_daemon(environment=desktop.environment)
        daemon.config.write_text(daemon.config.read_text().replace('key = "file"', 'key = "secret-service"'))
        message = refusal(daemon.start())
        assert "no default collection" in message and "is locked" not in message and "the next call opens the store" in message, message
        desktop.make_keyring()
        daemon.call("SignInAnonymously")
        assert users(daemon) == 1 and len(desktop.stores()) == 1
    finally:
        daemon.stop()
        desktop.close()
