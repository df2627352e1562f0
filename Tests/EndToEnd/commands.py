"""The `postern` command as tests run it: to its end, or observed while it runs."""
import codecs
import fcntl
import json
import os
import pty
import re
import select
import shlex
import subprocess
import termios
import time

from postern import BIN

POSTERN = str(BIN / "postern")
# Never opened or used: it only has to exist.
DISPLAY = {"DISPLAY": ":99"}
# OSC 8: an address, or an empty one after its text.
LINK = re.compile("\x1b]8;;([^\x1b]*)\x1b\\\\")
UNFINISHED_LINK = re.compile("(\x1b(](8(;(;([^\x1b]*\x1b?)?)?)?)?)?)?\\Z")
URL = re.compile(r"http://127\.0\.0\.1:\d+/authorize[^\s\x1b]+")


# What a message proposes where no daemon runs: systemctl only where systemd runs (sd_booted(3)).
START = "systemctl --user start postern.socket" if os.path.isdir("/run/systemd/system") else "nohup posternd >/dev/null 2>&1 &"


def environment(daemon, **more):
    """Without a display or a network login, whatever the machine of the test has."""
    gone = ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY", "NO_COLOR", "POSTERN_SOCKET")
    kept = {k: v for k, v in os.environ.items() if k not in gone and not k.lower().endswith("_proxy")}
    return {**kept, "POSTERN_SOCKET": str(daemon.path), "TERM": "xterm", **more}


def with_codex_environment(daemon):
    """What begins a command line whose program gets what Codex leaves of the environment."""
    # Its socket is below /run/user/UID; a test may have to make that, for itself alone.
    place = "mount -t tmpfs none /run && directory=/run/user/$(id -u)/postern && mkdir -p $directory"
    script = f'{place} && ln -s {shlex.quote(str(daemon.path))} $directory/io.postern && exec "$@"'
    cleared = [f"{name}={os.environ[name]}" for name in ("HOME", "PATH")] + ["SHELL=/bin/sh", "LANG=C.UTF-8"]
    return ["env", "-i", *cleared, "unshare", *(["--map-root-user"] if os.getuid() else []), "--mount", "sh", "-c", script, "sh"]


def run(daemon, *arguments, stdin="", **more):
    return subprocess.run([POSTERN, *arguments], input=stdin, capture_output=True, text=True, timeout=60, env=environment(daemon, **more))


class Command:
    """A `postern` that runs while the test observes it: with pipes, or on a terminal."""

    def __init__(self, daemon, *arguments, terminal=False, controlling=True, prefix=(), **more):
        self.master, slave = pty.openpty() if terminal else (None, None)

        def take_terminal():
            """Does what a shell does: makes a session with this as its terminal. Some editors and runners omit the second."""
            os.setsid()
            if controlling:
                fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [*prefix, POSTERN, *arguments], stdin=slave if terminal else subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=slave if terminal else subprocess.PIPE, env=environment(daemon, **more),
            preexec_fn=take_terminal if terminal else os.setsid)
        if terminal:
            os.close(slave)
        self.source = self.master if terminal else self.process.stderr.fileno()
        self.decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.raw = ""       # the beginning of a link whose end has not come
        self.text = ""
        self.found = 0      # where the last thing that was read until ends in it
        self.links = []     # addresses that could be clicked

    def take(self, data):
        """Adds output, as a person sees it: a link is its text."""
        self.raw += self.decoder.decode(data)
        self.links += [address for address in LINK.findall(self.raw) if address]
        self.raw = LINK.sub("", self.raw)
        whole = UNFINISHED_LINK.search(self.raw).start()
        self.text, self.raw = self.text + self.raw[:whole], self.raw[whole:]

    def read_until(self, pattern, seconds=20, after=None):
        """
        Waits for a match after the previous one: a question that is asked again has to appear again.
        `after`: another position in the text to start from.
        """
        start = self.found if after is None else after
        end = time.monotonic() + seconds
        while True:
            found = re.compile(pattern).search(self.text, start)
            if found and found.end() < len(self.text):
                break
            assert found or time.monotonic() < end, f"no {pattern} in {self.text[start:]!r} behind {self.text[:start]!r}"
            if select.select([self.source], [], [], 0.2)[0]:
                try:
                    data = os.read(self.source, 65536)
                except OSError:  # the terminal has nobody at its other end any more
                    data = b""
                if not data:
                    assert found, f"no {pattern} in {self.text[start:]!r} behind {self.text[:start]!r}"
                    break
                self.take(data)
            elif found:  # at the end of what has come: an address may have come in two pieces
                break
        self.found = max(self.found, found.end())
        return found[0]

    def type(self, text):
        if self.master is not None:
            os.write(self.master, text.encode())
        else:
            self.process.stdin.write(text.encode())
            self.process.stdin.flush()

    def end(self):
        """The exit status and the standard output."""
        try:
            assert select.select([self.process.stdout], [], [], 20)[0], f"it does not end: {self.text!r}"
            out = self.process.stdout.read().decode()
            status = self.process.wait(20)
            while select.select([self.source], [], [], 0)[0]:
                data = os.read(self.source, 65536)
                if not data:
                    break
                self.take(data)
        except OSError:
            status = self.process.wait(20)
        finally:
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                if stream:
                    stream.close()
            if self.master is not None:
                os.close(self.master)
        return status, out


def user_of(daemon, app="default"):
    return json.loads(run(daemon, "whoami", "--app", app, "--json").stdout)["user"]


def user_of_nobody(daemon):
    return run(daemon, "whoami").returncode == 3
