"""The installer where it is less easy: homes with odd names, a port that is taken, an upgrade, and what a purge takes."""
import json
import os
import pathlib
import subprocess

import pytest

from machine import HOME, PACKAGE, SOURCE, USER, wait_until
from package import CONFIGURATION, PUBLIC, UNITS, install

ODD = ["with a space", "with%h and %%", "with#hash&and", "with\\x41back\\slash", "with'quotes\"", "with$HOME${HOME}", "ümläut"]


@pytest.mark.parametrize("name", ODD)
def test_the_units_are_well_formed_for_any_home(tmp_path, bin_dir, name):
    home = tmp_path / name
    home.mkdir()
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    command = ["sh", PACKAGE / "packaging/install.sh", "--no-enable", "--bin-dir", bin_dir]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    units = home / ".config/systemd/user"
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", "--man=no", *[units / unit for unit in UNITS]],
        env={**environment, "XDG_RUNTIME_DIR": str(tmp_path)}, capture_output=True, text=True)
    # It looks whether the program is there, too.
    assert done.stdout + done.stderr == ""
    assert "ExecStart=" in (units / "postern.service").read_text()
    subprocess.run([*command, "--uninstall"], env=environment, check=True, capture_output=True)
    assert [path for path in home.rglob("*") if path.is_file()] == []


@pytest.mark.skipif(os.path.exists("/run/systemd/system"), reason="systemd runs here")
@pytest.mark.parametrize("name", ["home", *ODD])
def test_without_systemd_the_installer_prints_a_shell_command_for_the_daemon(tmp_path, bin_dir, name):
    home = tmp_path / name
    home.mkdir()
    installed = subprocess.run(
        ["sh", PACKAGE / "packaging/install.sh", "--bin-dir", bin_dir], env={"HOME": str(home), "PATH": os.environ["PATH"]}, check=True,
        capture_output=True, text=True)
    said = installed.stdout + installed.stderr
    assert "systemctl" not in said, said
    [line] = [line.strip() for line in said.splitlines() if "nohup" in line]
    told = line.replace("nohup ", "set -- ").replace(" &", "")
    shown = subprocess.run(["sh", "-c", told.replace(">/dev/null 2>&1", "") + '; printf %s "$*"'], capture_output=True, text=True)
    assert shown.stdout == f"{home}/.local/bin/posternd" and not shown.stderr, line


def test_a_home_that_a_unit_cannot_express_is_refused(tmp_path, bin_dir):
    home = tmp_path / "two\nlines"
    home.mkdir()
    command = ["sh", PACKAGE / "packaging/install.sh", "--no-enable", "--bin-dir", bin_dir]
    done = subprocess.run(command, env={"HOME": str(home), "PATH": os.environ["PATH"]}, capture_output=True, text=True)
    assert done.returncode == 1 and "line feed" in done.stderr
    assert list(home.iterdir()) == []


@pytest.fixture
def small_disk(tmp_path):
    """A home on a disk of its own, of 3 MiB."""
    if os.geteuid() != 0:
        pytest.skip("only root mounts a disk")
    home = tmp_path / "home"
    home.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "none", home], check=True)
    yield home
    subprocess.run(["umount", home], check=True)


def programs_of_a_release(directory, mark, size):
    """Programs that do nothing, of this many bytes each."""
    directory.mkdir()
    for program in ("posternd", "postern", "postern-mcp", "postern-demo-provider"):
        (directory / program).write_text(f"#!/bin/sh\nexit 1 # {mark}\n".ljust(size))
        (directory / program).chmod(0o755)
    return directory


def files_below(home):
    return {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()}


def test_a_nearly_full_disk_keeps_the_installed_version(tmp_path, small_disk):
    environment = {"HOME": str(small_disk), "PATH": os.environ["PATH"]}
    command = ["sh", PACKAGE / "packaging/install.sh", "--no-enable", "--bin-dir"]
    old = programs_of_a_release(tmp_path / "old", "old", 150_000)
    subprocess.run([*command, old], env=environment, check=True, capture_output=True)
    before = files_below(small_disk)
    disk = os.statvfs(small_disk)
    # There is room for one of the new ones, or two.
    for share in (0.6, 0.4):
        new = programs_of_a_release(tmp_path / f"new-{share}", "new", int(disk.f_bavail * disk.f_frsize * share))
        done = subprocess.run([*command, new], env=environment, capture_output=True, text=True)
        assert done.returncode != 0 and "No space left" in done.stderr and done.stderr.endswith("install.sh: nothing was changed\n"), done.stderr
        assert files_below(small_disk) == before
    # What was killed had no time to tidy up.
    for name in (".local/bin/.posternd.new", ".local/bin/.git-credential-postern.new", ".config/systemd/user/.postern.socket.new",
                 ".local/share/man/man1/.postern-token.1.new", ".local/share/bash-completion/completions/.postern.new",
                 ".local/share/doc/.postern.new/docs/README.md", ".local/share/man/man1/.git-credential-postern.1.new"):
        (small_disk / name).parent.mkdir(parents=True, exist_ok=True)
        (small_disk / name).touch()
    subprocess.run([*command, old, "--uninstall"], env=environment, check=True, capture_output=True)
    assert files_below(small_disk) == {}


def test_leftovers_of_an_installation_do_not_replace_another_program(tmp_path):
    home = tmp_path / "home"
    directory = home / ".local/bin"
    directory.mkdir(parents=True)
    (directory / "git-credential-postern").write_text("another")
    (directory / ".git-credential-postern.new").symlink_to("postern")
    new = programs_of_a_release(tmp_path / "new", "new", 100)
    done = subprocess.run(
        ["sh", PACKAGE / "packaging/install.sh", "--no-enable", "--bin-dir", new], env={"HOME": str(home), "PATH": os.environ["PATH"]},
        check=True, capture_output=True, text=True)
    assert "git-credential-postern is another program, and stays" in done.stderr
    assert (directory / "git-credential-postern").read_text() == "another" and list(directory.glob(".*")) == []
    assert (directory / "docker-credential-postern").readlink() == pathlib.Path("postern")
    assert "nothing was changed" not in done.stderr and "not everything" not in done.stderr


def test_a_system_wide_installation_is_readable_by_all_whatever_the_umask(tmp_path):
    new = programs_of_a_release(tmp_path / "new", "new", 100)
    prefix = tmp_path / "prefix"
    subprocess.run(
        ["sh", PACKAGE / "packaging/install.sh", "--no-enable", "--prefix", prefix, "--bin-dir", new], umask=0o077,
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]}, check=True, capture_output=True)
    installed = [prefix, *prefix.rglob("*")]
    closed = [str(path) for path in installed if not path.is_symlink() and path.stat().st_mode & (0o055 if path.is_dir() else 0o044) == 0]
    assert closed == [] and len([path for path in installed if path.is_file()]) > 12
    for program in ("posternd", "postern", "postern-mcp", "postern-demo-provider"):
        assert (prefix / "bin" / program).stat().st_mode & 0o777 == 0o755


def test_a_per_user_installation_keeps_the_users_umask(tmp_path):
    new = programs_of_a_release(tmp_path / "new", "new", 100)
    home = tmp_path / "home"
    home.mkdir()
    subprocess.run(
        ["sh", PACKAGE / "packaging/install.sh", "--no-enable", "--bin-dir", new], umask=0o077,
        env={"HOME": str(home), "PATH": os.environ["PATH"]}, check=True, capture_output=True)
    assert {path.stat().st_mode & 0o777 for path in (home / ".local", home / ".config", home / ".local/bin")} == {0o700}


def everything_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize("mode", ["user", "prefix"])
def test_documents_and_manuals_named_in_messages_are_installed(tmp_path, bin_dir, mode):
    home, prefix = tmp_path / "home", tmp_path / "prefix"
    home.mkdir()
    command = ["sh", PACKAGE / "packaging/install.sh", "--no-enable", "--bin-dir", bin_dir, *(["--prefix", prefix] if mode == "prefix" else [])]
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    share = (prefix if mode == "prefix" else home / ".local") / "share"
    documents = share / "doc/postern"
    for _ in range(2):
        said = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stderr
        assert f"documents in {documents}\n" in said
        sources = [path.relative_to(PACKAGE) for path in (PACKAGE / "docs").rglob("*.md")] + ["README.md", "packaging/relay/index.html"]
        assert len(sources) > 50 and all((documents / path).read_bytes() == (PACKAGE / path).read_bytes() for path in sources)
        assert [path for path in documents.rglob("*") if path.is_file() and path.stat().st_mode & 0o111 or ".build" in path.parts] == []
        assert not (documents / "docs/of-an-earlier-version.md").exists() and list(documents.parent.glob(".*")) == []
        # An upgrade leaves none.
        (documents / "docs/of-an-earlier-version.md").touch()
    for page in ("man7/postern-helpers.7", "man7/postern-providers.7", "man7/postern-relay.7", "man5/postern.toml.5", "man1/git-credential-postern.1"):
        found = subprocess.run(["man", "-w", "-M", share / "man", page.split("/")[1].rsplit(".", 1)[0]], capture_output=True, text=True).stdout
        assert found.strip() == str((share / "man" / page).resolve()), page
    subprocess.run([*command, "--uninstall"], env=environment, check=True, capture_output=True)
    assert everything_below(home) == [] and not prefix.exists()


@pytest.mark.parametrize("name", ["postern", ".postern.new"])
def test_a_link_at_the_documents_path_is_replaced_and_not_followed(tmp_path, name):
    new = programs_of_a_release(tmp_path / "new", "new", 100)
    prefix, victim = tmp_path / "prefix", tmp_path / "victim"
    (victim / "docs").mkdir(parents=True)
    (victim / "docs/README.md").write_text("mine")
    (prefix / "share/doc").mkdir(parents=True)
    (prefix / "share/doc" / name).symlink_to(victim)
    command = ["sh", PACKAGE / "packaging/install.sh", "--no-enable", "--prefix", prefix, "--bin-dir", new]
    for words in ([], ["--uninstall"]):
        subprocess.run([*command, *words], env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]}, check=True, capture_output=True)
        assert everything_below(victim) == ["docs", "docs/README.md"] and (victim / "docs/README.md").read_text() == "mine"
        assert not (prefix / "share/doc/postern").is_symlink() and (prefix / "share/doc/postern/docs").is_dir() == (words == [])
    assert not prefix.exists()


# What a user and a daemon have made by then.
MADE = (".config/postern/config.toml", ".config/postern/config.d/work.toml", ".local/state/postern/postern.db", "run/postern/io.postern",
        ".config/systemd/user/postern-callback.socket.d/override.conf", ".local/share/applications/postern-url-com.example.app.desktop")
# And what is other programs'.
OTHERS = (".local/bin/other", ".config/fish/completions/other.fish", ".local/share/doc/other/README", "run/other", ".config/systemd/user/other.service.d/a.conf")


@pytest.mark.parametrize("others", [(), OTHERS], ids=["alone", "beside others"])
def test_a_purge_leaves_a_home_as_it_was(tmp_path, others):
    home = tmp_path / "home"
    (home / "run").mkdir(parents=True)

    def make(names):
        for name in names:
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).touch()

    make(others)
    before = everything_below(home)
    new = programs_of_a_release(tmp_path / "new", "new", 100)
    command = ["sh", PACKAGE / "packaging/install.sh", "--no-enable", "--bin-dir", new]
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": str(home / "run")}
    for words in ([], ["--uninstall"], [], ["--uninstall", "--purge"]):
        if words[1:]:
            make(MADE)
        subprocess.run([*command, *words], env=environment, check=True, capture_output=True)
        if words:
            assert everything_below(home) == before
    # Without the purge the data stays, and the user's changes of the units.
    subprocess.run(command, env=environment, check=True, capture_output=True)
    make(MADE)
    subprocess.run([*command, "--uninstall"], env=environment, check=True, capture_output=True)
    assert all((home / name).exists() for name in MADE[:-1])


def test_system_directories_are_kept(tmp_path):
    new = programs_of_a_release(tmp_path / "new", "new", 100)
    command = ["sh", PACKAGE / "packaging/install.sh", "--no-enable", "--bin-dir", new, "--prefix", "/usr/local", "--destdir", tmp_path / "system"]
    for words in ([], ["--uninstall", "--purge"]):
        subprocess.run([*command, *words], env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]}, check=True, capture_output=True)
    assert everything_below(tmp_path / "system") == [
        "usr", "usr/local", "usr/local/bin", "usr/local/lib", "usr/local/share", "usr/local/share/doc"]


PLACES = ("bin/posternd", "bin/git-credential-postern", "lib/systemd/user/postern.service", "share/applications/io.postern.Postern.desktop")


@pytest.mark.parametrize("aim", ["file", "directory", "nothing"])
@pytest.mark.parametrize("is_staged", [False, True], ids=["in its place", "beside it"])
def test_a_link_at_an_installed_files_path_is_replaced_and_not_followed(tmp_path, is_staged, aim):
    new = programs_of_a_release(tmp_path / "new", "new", 100)
    prefix, victims = tmp_path / "prefix", tmp_path / "victims"
    victims.mkdir()
    for number, place in enumerate(PLACES):
        victim, link = victims / str(number), prefix / place
        if aim == "file":
            victim.write_text("mine")
            victim.chmod(0o600)
        elif aim == "directory":
            victim.mkdir()
        link.parent.mkdir(parents=True, exist_ok=True)
        (link.with_name(f".{link.name}.new") if is_staged else link).symlink_to(victim)

    def state():
        return {str(path): (path.lstat().st_mode, path.is_file() and path.read_bytes()) for path in victims.rglob("*")}

    before = state()
    subprocess.run(
        ["sh", PACKAGE / "packaging/install.sh", "--no-enable", "--prefix", prefix, "--bin-dir", new],
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]}, check=True, capture_output=True)
    assert state() == before
    assert all((prefix / place).is_file() and (prefix / place).resolve().is_relative_to(prefix) for place in PLACES)
    assert not any(path.name.endswith(".new") for path in prefix.rglob("*"))


class Other:
    """A second user of the machine, in a home with an odd name."""

    def __init__(self, machine):
        self.machine = machine
        self.who = {"user": "olga", "uid": 1001, "home": "/home/ol ga %h #&\\x41'$HOME"}
        machine.run("useradd", "-m", "-u", "1001", "-d", self.who["home"], "olga", user="root")
        machine.run("loginctl", "enable-linger", "olga", user="root")
        wait_until(machine.path("/run/user/1001/systemd/private").exists, "the other user's service manager", 60)

    def run(self, *words, **options):
        return self.machine.run(*words, **self.who, **options)

    def install(self, *words):
        return self.run("sh", f"{SOURCE}/packaging/install.sh", *words)

    def show(self, name, unit):
        return self.run("systemctl", "--user", "show", "-P", name, unit).stdout.strip()


@pytest.fixture(scope="module")
def other(machine):
    return Other(machine)


def test_a_port_in_use_is_reported_and_the_rest_is_installed_in_any_home(installed, other):
    said = other.install().stderr
    assert f"127.0.0.1:7678 is taken by a program of the user {USER}" in said and "systemctl --user edit postern-callback.socket" in said
    assert (other.show("ActiveState", "postern.socket"), other.show("ActiveState", "postern-callback.socket")) == ("active", "failed")
    assert [other.show("UnitFileState", unit) for unit in UNITS[1:]] == ["enabled", "enabled", "static", "disabled", "disabled", "static"]
    # What it says to do once the port is free.
    installed.systemctl("stop", *UNITS)
    other.run("systemctl", "--user", "stop", "postern.service")
    other.run("systemctl", "--user", "start", "postern-callback.socket")
    answer = other.run("python3", f"{SOURCE}/ask.py", "call", "io.postern.GetStatus", "{}").stdout
    assert json.loads(answer)["parameters"]["callbackURLs"] == ["http://127.0.0.1:7678/__/auth/handler"]
    daemon = other.show("MainPID", "postern.service")
    program = installed.run("readlink", f"/proc/{daemon}/exe", user="root").stdout.rstrip("\n")
    assert program == f"{other.who['home']}/.local/bin/posternd"
    # Again, while it runs.
    assert "NOT enabled" not in other.install().stderr
    assert (other.show("ActiveState", "postern.service"), other.show("NRestarts", "postern.service")) == ("active", "0")
    assert other.show("MainPID", "postern.service") != daemon
    other.install("--uninstall", "--purge")
    assert other.run("sh", "-c", "cd && find . -name '*postern*'").stdout == ""


def test_an_upgrade_says_that_it_locked_a_store_with_a_passphrase(installed):
    installed.write(CONFIGURATION, f'[store]\nkey = "passphrase"\n{PUBLIC}')
    installed.call("Unlock", passphrase="correct horse, battery staple")
    assert installed.call("GetStatus")["locked"] is False
    assert "LOCKED THE STORE: its key is a passphrase. Open it with: postern unlock" in install(installed).stderr
    assert installed.call("GetStatus")["locked"] is True
    # Nothing new: it was locked before.
    assert "LOCKED" not in install(installed).stderr


def test_an_upgrade_says_nothing_if_the_store_opens_again(installed):
    installed.call("SignInAnonymously")
    assert "LOCKED" not in install(installed).stderr
    assert installed.call("GetStatus")["users"] == 1


def test_a_system_wide_purge_removes_no_users_data(installed):
    installed.call("GetStatus")
    roots = ("/root/.local/state/postern", "/root/.config/postern")
    installed.run("mkdir", "-p", *roots, user="root")
    try:
        said = install(installed, "--prefix", "/usr/local", "--uninstall", "--purge", user="root").stderr
        assert "no user data was removed" in said and "purged" not in said
        assert all(installed.path(folder).exists() for folder in (*roots, f"{HOME}/.local/state/postern", f"{HOME}/.config/postern"))
    finally:
        installed.run("rm", "-r", *roots, user="root")
