"""The view of all accounts, in a store where apps have many users."""
import fcntl
import os
import pty
import statistics
import struct
import subprocess
import termios
import time

import setting
from table import Figure

USERS = 10_000


class View:
    STATUS = "`postern status`"
    accounts = Figure(f"`postern accounts` on a terminal, {USERS:,} users and {4 * USERS:,} credentials", "ms", STATUS, "ratio", 1.2, "ratio")

    def __init__(self, build):
        self.build, self.postern = build, build.programs["postern"]
        self.daemon = setting.Daemon(build.programs, build.work / "view", build.provider.config)
        subprocess.run(
            [build.programs["store-seeder"], str(self.daemon.state), str(USERS), "1", "with-credentials"], check=True, stdout=subprocess.DEVNULL)
        self.daemon.start()
        setting.sign_in(self.daemon, keeps=True)
        # Until all are in memory.
        self.daemon.call("ListCredentials")

    def taken(self, command):
        """In milliseconds, with a terminal of its own."""
        ours, theirs = pty.openpty()
        # Without a size it is no screen that thousands of lines could fill.
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        begin = time.perf_counter()
        environment = {**os.environ, "POSTERN_SOCKET": str(self.daemon.path), "TERM": "xterm"}
        process = subprocess.Popen([self.postern, command], stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
        os.close(theirs)
        try:
            while os.read(ours, 1 << 16):
                pass
        except OSError:
            pass
        status = process.wait()
        taken = time.perf_counter() - begin
        os.close(ours)
        if status:
            raise RuntimeError(f"postern {command} ended with {status}")
        return taken * 1e3

    def round(self):
        pairs = [[self.taken(command) for command in ("accounts", "status")] for _ in range(self.build.times(20))]
        return {self.accounts: tuple(statistics.median(times) for times in zip(*pairs, strict=True))}

    def close(self):
        self.daemon.stop()
