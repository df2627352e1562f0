#!/usr/bin/env python3
"""The Debian packages on a booted Debian, from their installation to their purge.

  Tests/Packages/lifecycle.py SUITE OLDER NEWER     two directories with packages, of which the first has the lower version

Says what it does, and ends with status 1 at the first thing that does not hold. Nothing is downloaded: what the packages depend on is in
the tree that Tests/Systemd/tree.py makes.
"""
import os
import pathlib
import re
import select
import shutil
import sys
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Systemd"))

from machine import HOME, UID, USER, Machine, wait_until  # noqa: E402

PACKAGES = "/opt/packages"
# The second user logs in; the third never does, but her units run from the boot on.
OLGA = {"user": "olga", "uid": 1001, "home": "/home/olga"}
LENA = {"user": "lena", "uid": 1003, "home": "/home/lena"}
PORT = "127.0.0.1:7678"
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
# Its redirect URI is compared to the last digit.
FIXED = """
[provider.fixed]
kind = "oidc"
display-name = "Fixed Provider"
issuer = "{issuer}"
client-id = "postern-demo"
any-port = false
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

    def state(self, unit, **who):
        return self.machine.systemctl("show", "-P", "ActiveState", unit, **who).stdout.strip()

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
        self.several_users()
        self.shadows()
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
            shown = self.state("postern.socket", user=name, uid=uid, home=f"/home/{name}")
            assert shown == expected, f"{name}: {shown}"
        self.root("systemctl", "stop", f"user@{robot}.service")
        self.say("a second user has the socket from the login on; a user of the system has none")
        self.root("useradd", "-m", "-u", "1003", "lena")
        # As a unit of the machine: what comes in from outside is in no control group of it, and logind of systemd 257 refuses that.
        self.root("systemd-run", "--quiet", "--wait", "--collect", "loginctl", "enable-linger", "lena")
        wait_until(machine.path("/run/user/1003/systemd/private").exists, "the service manager of lena", 60)
        assert self.root("loginctl", "show-user", "lena", "-P", "Linger").strip() == "yes"
        # From systemd 256 on, the service manager itself counts as one.
        for session in self.root("loginctl", "show-user", "lena", "-P", "Sessions").split():
            assert self.root("loginctl", "show-session", session, "-P", "Class").startswith("manager")
        assert "version" in self.run("postern", "status", **LENA).stdout
        assert self.state("postern.service", **LENA) == "active"
        self.say("a third user, who has no session but lingers, has a daemon that answers")

    def sign_in(self):
        machine = self.machine
        provider = machine.start("postern-demo-provider", "--port", "0", "--lifetime", "600")
        issuer = next(line.split()[1] for line in provider.stdout if line.startswith("listening "))
        self.issuer = issuer
        machine.write(f"{HOME}/.config/postern/config.toml", CONFIGURATION.format(issuer=issuer))
        self.run("postern", "reload")
        self.sign_in_with("demo", issuer)
        self.token = self.run("postern", "token", "demo").stdout
        assert len(self.token) > 10
        assert "is disabled" not in self.run("postern", "doctor").stdout
        self.say(f"{USER} has signed in and has a token")

    def sign_in_with(self, provider, issuer, person="ada", **who):
        """Where the browser was sent back to."""
        # There is no display: the person takes the page's address from the command's words.
        sign_in = self.machine.start("postern", "sign-in", provider, "--no-browser", "--timeout", "50s", **who)
        said, pages = [], []
        for line in sign_in.stdout:
            said.append(line)
            if line.strip().startswith(issuer):
                pages.append(line.strip())
                self.machine.run("python3", f"{PACKAGES}/person.py", line.strip(), person, **who)
        print(f"          $ postern sign-in {provider} --no-browser\n" + "".join(f"          {line[:100].rstrip()}\n" for line in said), end="")
        assert sign_in.wait(60) == 0 and f"signed in as {person.capitalize()}" in said[-1], said
        return urllib.parse.parse_qs(urllib.parse.urlsplit(pages[0]).query)["redirect_uri"][0]

    def several_users(self):
        """The port is one user's; the others sign in at a free one, are told whose it is, and take it once it is free."""
        machine = self.machine
        callbacks = ("postern-callback.socket", "postern-callback-ipv6.socket")
        assert [self.state(unit) for unit in callbacks] == ["active", "active"]
        holder = f"in use by a program of {USER}"
        machine.write(f"{OLGA['home']}/.config/postern/config.toml", (CONFIGURATION + FIXED).format(issuer=self.issuer), **OLGA)
        assert f"{PORT} is {holder}" in self.run("postern", "status", **OLGA).stdout
        redirected = self.sign_in_with("demo", self.issuer, **OLGA)
        assert redirected.startswith("http://127.0.0.1:") and not redirected.startswith(f"http://{PORT}/"), redirected
        assert len(self.run("postern", "token", "demo", **OLGA).stdout) > 10
        self.say(f"olga has signed in, and the provider sent her browser to {redirected}")
        doctor = self.run("postern", "doctor", check=False, **OLGA)
        assert holder in doctor.stdout and f"user {UID} ({USER}) has the port" in doctor.stdout, doctor.stdout
        assert "has failed" not in doctor.stdout
        refused = self.run("postern", "sign-in", "fixed", "--no-browser", check=False, **OLGA)
        assert refused.returncode != 0 and f"a program of {USER} has {PORT}" in refused.stderr, refused.stderr
        self.say("status, doctor and the provider that takes one address alone have told her who has the port")

        for who in (OLGA, LENA) * 5:
            machine.systemctl("restart", "postern.service", **who)
        # As when a daemon crashes.
        before = machine.systemctl("show", "-P", "MainPID", "postern.service", **OLGA).stdout
        machine.systemctl("kill", "-s", "KILL", "postern.service", **OLGA)
        wait_until(lambda: self.is_another_daemon(before), "the daemon after the one that was killed")
        assert [self.state("postern.socket", **who) for who in ({}, OLGA, LENA)] == ["active"] * 3
        assert [self.state("postern.service", **who) for who in ({}, OLGA, LENA)] == ["active"] * 3
        for who in (OLGA, LENA):
            assert "version" in machine.run("postern", "status", **who).stdout
        self.say("after five restarts and a kill the sockets of all three are there, and their daemons answer")

        daemon = machine.systemctl("show", "-P", "MainPID", "postern.service", **OLGA).stdout
        machine.systemctl("stop", "postern.service", *callbacks)
        wait_until(lambda: f"http://{PORT}" in machine.run("postern", "status", **OLGA).stdout, "the port that olga's daemon takes")
        status = self.run("postern", "status", **OLGA).stdout
        assert "in use by" not in status, status
        assert machine.systemctl("show", "-P", "MainPID", "postern.service", **OLGA).stdout == daemon
        assert self.sign_in_with("fixed", self.issuer, "grace", **OLGA).startswith(f"http://{PORT}/")
        doctor = self.run("postern", "doctor", check=False, **OLGA)
        assert not re.search("^fail", doctor.stdout, re.MULTILINE), doctor.stdout
        self.say("the first user's daemon has ended: the one of olga, which ran on, has the port, and the second provider, too")
        assert f"{PORT} is in use by a program of olga" in self.run("postern", "status").stdout
        machine.systemctl("stop", "postern.service", *callbacks, **OLGA)
        wait_until(lambda: f"http://{PORT}" in machine.run("postern", "status").stdout, "the port that the first user takes again")
        self.say("olga's has ended: the first user has it again")

    def is_another_daemon(self, before):
        shown = self.machine.systemctl("show", "-P", "MainPID", "-P", "ActiveState", "postern.service", **OLGA).stdout.split()
        return "active" in shown and before.strip() not in shown and "0" not in shown

    def shadows(self):
        """What stands in the package's place in a home is told."""
        machine, home = self.machine, OLGA["home"]
        unit = f"{home}/.config/systemd/user/postern.service"
        packaged = machine.path("/usr/lib/systemd/user/postern.service").read_text()
        machine.write(unit, packaged.replace("/usr/bin/posternd", f"{home}/.local/bin/posternd"), 0o644, **OLGA)
        machine.run("sh", "-c", "mkdir -p ~/.local/bin && cp /usr/bin/postern /usr/bin/posternd ~/.local/bin", **OLGA)
        machine.systemctl("daemon-reload", **OLGA)
        doctor = self.run("/usr/bin/postern", "doctor", check=False, **OLGA).stdout
        for sentence in (
                f"{unit} is used in place of the package's /usr/lib/systemd/user/postern.service",
                f"{home}/.local/bin/postern is used in place of the package's /usr/bin/postern",
                f"{home}/.local/bin/posternd is used in place of the package's /usr/bin/posternd",
                f"postern.service starts {home}/.local/bin/posternd, and this command belongs to /usr/bin/posternd"):
            assert sentence in doctor, f"{sentence}: {doctor}"
        machine.run("rm", "-r", unit, f"{home}/.local/bin", **OLGA)
        machine.systemctl("daemon-reload", **OLGA)
        assert "in place of the package's" not in self.run("postern", "doctor", check=False, **OLGA).stdout
        self.say("doctor has told of the unit and of the programs in a home that stood in the package's place")

    def upgrade(self):
        old = self.daemon()
        assert old > 0
        # A daemon whose program was replaced may end in any quiet second: this client keeps it busy.
        watching = self.machine.start("sh", "-c", "echo $$; exec postern monitor")
        client = watching.stdout.readline().strip()
        # It is there once it is told of what happens.
        wait_until(
            lambda: self.run("postern", "reload") and select.select([watching.stdout], [], [], 0.2)[0], "an event for the client that watches")
        self.install("newer")
        assert self.daemon() == old and self.executable(old) == "/usr/bin/posternd (deleted)"
        self.say("the daemon of before runs on")
        done = self.run("postern", "status")
        assert "an older posternd is running" in done.stderr, done.stderr
        self.root("kill", client)
        watching.wait(20)
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
        machine = self.machine
        # Units whose files are gone while they run, as where a service manager could not be reached.
        machine.run("cp", "/usr/bin/postern", "/opt/kept", user="root")
        folder = machine.path("/usr/lib/systemd/user")
        units = [path.name for path in folder.iterdir() if path.name.startswith("postern")]
        self.run("postern", "status", **OLGA)
        for name in units:
            (folder / name).rename(machine.path("/opt") / name)
        machine.systemctl("daemon-reload", **OLGA)
        doctor = self.run("/opt/kept", "doctor", check=False, **OLGA).stdout
        assert "postern.socket runs, but its file was removed in the meantime" in doctor, doctor
        for name in units:
            (machine.path("/opt") / name).rename(folder / name)
        machine.systemctl("daemon-reload", **OLGA)
        # Without its file the manager has lost what the unit listens at.
        machine.systemctl("restart", "postern.socket", **OLGA)
        self.run("postern", "status", **OLGA)
        self.say("doctor has told of units that run without their files")
        by_hand = machine.start("posternd", "--socket", f"{HOME}/own.socket", "--state-directory", f"{HOME}/own", "--listen", "127.0.0.1:0")
        wait_until(machine.path(f"{HOME}/own.socket").exists, "the daemon that was started by hand")
        said = self.root("sh", "-c", "dpkg --remove postern postern-demo 2>&1")
        assert f"postern: a posternd of {USER} still runs; to end it: kill " in said, said
        assert said.count("still runs") == 1 and "still there" not in said, said
        self.root("kill", re.search(r"kill (\d+)", said)[1])
        by_hand.wait(20)
        self.say("removed, which told of the one daemon that no unit ended")
        for who in ({}, OLGA, LENA):
            wait_until(
                lambda who=who: {self.state(unit, **who) for unit in ("postern.service", *SOCKETS)} <= {"inactive", "failed"},
                "the end of the units that ran")
        self.say("the units of all three users have ended")
        # An administrator has made the directories, and no file in them.
        self.root("mkdir", "-p", "/etc/postern/config.d")
        self.root("dpkg", "--purge", "postern", "postern-demo")
        assert not machine.path("/etc/postern").exists()
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
