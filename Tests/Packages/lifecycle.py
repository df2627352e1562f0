#!/usr/bin/env python3
"""The Debian packages on a booted Debian, from their installation to their purge.

  Tests/Packages/lifecycle.py SUITE OLDER NEWER     two directories with packages, of which the first has the lower version

Says what it does, and ends with status 1 at the first thing that does not hold. Nothing is downloaded: what the packages depend on is in
the tree that Tests/Systemd/tree.py makes.
"""
import os
import pathlib
import re
import shutil
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Systemd"))

from machine import HOME, USER, Machine, wait_until  # noqa: E402

PACKAGES = "/opt/packages"
SOCKETS = ("postern.socket", "postern-callback.socket", "postern-callback-ipv6.socket")
# What the package manager, the journal and the start of a user manager write by themselves.
OTHERS = re.compile(
    r"^(/var/(log|cache|tmp|lib/(dpkg|apt|systemd(?!/deb-systemd-)|private|dbus))|/home|/opt|/etc/(group|gshadow|passwd|shadow|subuid|subgid)-?$)")
CONFIGURATION = """
[store]
key = "file"
[provider.demo]
kind = "oidc"
display-name = "Demo Provider"
issuer = "{issuer}"
client-id = "postern-demo"
scopes = ["openid", "email", "profile", "offline_access"]
"""


class Packaged(Machine):
    """A machine with packages at hand, and without anything of the source."""

    def _furnish(self, tree, packages):
        shutil.copytree(packages, self.work / "upper" / PACKAGES.lstrip("/"))


class Life:
    def __init__(self, machine):
        self.machine = machine
        self.started = time.monotonic()

    def say(self, sentence):
        print(f"[{time.monotonic() - self.started:5.1f} s] {sentence}", flush=True)

    def root(self, *words, **options):
        return self.machine.run(*words, user="root", **options).stdout

    def run(self, *words, **options):
        """As the user, by the search path of a login."""
        done = self.machine.run(*words, **options)
        print("".join(f"          $ {' '.join(words)}\n") + "".join(
            f"          {line}\n" for line in (done.stdout + done.stderr).splitlines() if "token" not in words), end="", flush=True)
        return done

    def state(self, unit):
        return self.machine.show("ActiveState", unit)

    def files(self):
        """Every path of the system but for homes, and for what others write."""
        root = self.machine.path("/")
        found = set()
        for top in ("etc", "usr", "var", "srv", "root"):
            for folder, folders, names in os.walk(root / top):
                inside = "/" + os.path.relpath(folder, root)
                folders[:] = [name for name in folders if not OTHERS.match(f"{inside}/{name}")]
                found.update(path for name in [*folders, *names] if not OTHERS.match(path := f"{inside}/{name}"))
        return found

    def install(self, version):
        self.root("sh", "-c", f"DEBIAN_FRONTEND=noninteractive dpkg --install {PACKAGES}/{version}/*.deb")
        said = self.root("dpkg", "--audit")
        assert said == "", said
        self.say(f"installed postern {self.version()}")

    def version(self):
        return self.root("dpkg-query", "-W", "-f", "${Version}", "postern")

    def daemon(self):
        return int(self.machine.show("MainPID"))

    def executable(self, pid):
        return self.root("readlink", f"/proc/{pid}/exe").strip()

    # What is checked.

    def everything(self):
        before = self.files()
        self.install("older")
        wanted = self.machine.path("/etc/systemd/user/sockets.target.wants")
        assert sorted(path.name for path in wanted.iterdir() if "postern" in path.name) == ["postern.socket"]
        self.sessions()
        self.sign_in()
        self.upgrade()
        self.removal(before)

    def sessions(self):
        """Who has a session gets the socket by one command, who logs in later by none, and a user of the system not at all."""
        machine = self.machine
        self.run("systemctl", "--user", "start", "postern.socket")
        assert (self.state("postern.socket"), self.state("postern-callback.socket")) == ("active", "inactive")
        self.run("postern", "status")
        assert [self.state(unit) for unit in SOCKETS[:2]] == ["active", "active"]
        assert self.executable(self.daemon()) == "/usr/bin/posternd"
        self.say("the socket started the daemon, and the daemon the callback socket")
        self.root("useradd", "-m", "-u", "1001", "olga")
        self.root("useradd", "-r", "-m", "-d", "/home/robot", "robot")
        robot = int(self.root("id", "-u", "robot"))
        for uid, name, expected in ((1001, "olga", "active"), (robot, "robot", "inactive")):
            self.root("systemctl", "start", f"user@{uid}.service")
            wait_until(machine.path(f"/run/user/{uid}/systemd/private").exists, f"the service manager of {name}", 60)
            shown = machine.systemctl("show", "-P", "ActiveState", "postern.socket", user=name, uid=uid, home=f"/home/{name}")
            assert shown.stdout.strip() == expected, f"{name}: {shown.stdout}"
        second = self.machine.run("postern", "status", user="olga", uid=1001, home="/home/olga")
        assert "version" in second.stdout, second.stderr
        self.say("a second user has the socket from the login on, and a daemon beside the first one's; a user of the system has none")
        self.root("systemctl", "stop", "user@1001.service", f"user@{robot}.service")

    def sign_in(self):
        machine = self.machine
        provider = machine.start("postern-demo-provider", "--port", "0", "--lifetime", "600")
        issuer = next(line.split()[1] for line in provider.stdout if line.startswith("listening "))
        machine.write(f"{HOME}/.config/postern/config.toml", CONFIGURATION.format(issuer=issuer))
        self.run("postern", "reload")
        # There is no display: the person takes the page's address from the command's words.
        sign_in = machine.start("postern", "sign-in", "demo", "--no-browser", "--timeout", "50s")
        said = []
        for line in sign_in.stdout:
            said.append(line)
            if line.strip().startswith(issuer):
                machine.run("python3", f"{PACKAGES}/person.py", line.strip())
        print("          $ postern sign-in demo --no-browser\n" + "".join(f"          {line[:100].rstrip()}\n" for line in said), end="")
        assert sign_in.wait(60) == 0 and "signed in as Ada" in said[-1], said
        self.token = self.run("postern", "token", "demo").stdout
        assert len(self.token) > 10
        assert "is disabled" not in self.run("postern", "doctor").stdout
        self.say(f"{USER} has signed in and has a token")

    def upgrade(self):
        old = self.daemon()
        assert old > 0
        self.install("newer")
        assert self.daemon() == old and self.executable(old) == "/usr/bin/posternd (deleted)"
        self.say("the daemon of before runs on")
        done = self.run("postern", "status")
        assert "an older posternd is running" in done.stderr, done.stderr
        wait_until(lambda: self.daemon() != old, "the end of the daemon whose program was replaced")
        self.say("it ended once it was idle")
        assert self.run("postern", "token", "demo").stdout == self.token
        new = self.daemon()
        assert self.executable(new) == "/usr/bin/posternd"
        assert "an older posternd" not in self.run("postern", "status").stderr
        self.say("the next call started the new one, which has the token still")
        # What an administrator turned off stays so.
        self.root("systemctl", "--global", "disable", "postern.socket")
        self.install("newer")
        assert not self.machine.path("/etc/systemd/user/sockets.target.wants/postern.socket").exists()
        self.say("disabled for all users, it stays so over another installation")

    def removal(self, before):
        self.root("dpkg", "--remove", "postern", "postern-demo")
        wait_until(
            lambda: [self.state(unit) for unit in ("postern.service", *SOCKETS)] == ["inactive"] * 4, "the end of the units that ran")
        self.say("removed, which ended the units that ran")
        self.root("dpkg", "--purge", "postern", "postern-demo")
        left = sorted(self.files() - before)
        assert left == [], f"left behind: {left}"
        for kept in (".config/postern/config.toml", ".local/state/postern/postern.db"):
            assert self.machine.path(f"{HOME}/{kept}").exists(), kept
        self.say("purged; nothing is left but what is in the home")


def main():
    suite, older, newer = sys.argv[1:]
    started = time.monotonic()
    packages = pathlib.Path(newer).parent / f"for-{suite}"
    shutil.rmtree(packages, ignore_errors=True)
    packages.mkdir()
    shutil.copytree(older, packages / "older")
    shutil.copytree(newer, packages / "newer")
    shutil.copy(HERE / "person.py", packages)
    machine = Packaged(packages, suite)
    try:
        life = Life(machine)
        print(f"{suite} is up after {time.monotonic() - started:.1f} s: " + life.root("systemctl", "--version").splitlines()[0])
        life.everything()
    finally:
        machine.close()


main()
