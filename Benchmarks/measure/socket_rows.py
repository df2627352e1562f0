"""GetAccessToken of a stored token, 400 bytes in and 1,200 out, beside a C epoll server that answers with as many."""
import os

import setting
from table import Figure

ECHO = "C echo"


def processor_time(pid):
    """Microseconds that the process has run."""
    return sum(int(open(f"/proc/{pid}/task/{task}/schedstat").read().split()[0]) for task in os.listdir(f"/proc/{pid}/task")) / 1000


class RoundTrips:
    def __init__(self, build):
        self.build = build

    def ask(self, path, mode, clients, calls):
        p50, _, rate, size = self.build.run("round-trips", path, mode, clients, self.build.times(calls), setting.TOKEN_CALL).split()
        if abs(int(size) - 1200) > 12:
            raise RuntimeError(f"an answer of {size} bytes, and not of about 1,200")
        return float(p50), float(rate)

    def close(self):
        pass


class Kept(RoundTrips):
    figure = Figure("`GetAccessToken`, kept connection, p50", "µs", ECHO, "ratio", 1.3, "ratio")

    def round(self):
        return {self.figure: tuple(self.ask(path, "kept", 1, 20_000)[0] for path in (self.build.daemon.path, self.build.echo.path))}


class Connection(RoundTrips):
    figure = Figure("the same, a connection a call, p50", "µs", ECHO, "ratio", 1.5, "ratio")

    def round(self):
        return {self.figure: tuple(self.ask(path, "percall", 1, 10_000)[0] for path in (self.build.daemon.path, self.build.echo.path))}


class Clients(RoundTrips):
    rate = Figure("64 clients, calls a second", "", ECHO, "ratio", 120_000, more=True)
    cost = Figure("64 clients, the server's processor time a call", "µs", ECHO, "ratio", 7)

    def one(self, path, pid):
        calls, before = 100_000, processor_time(pid)
        rate = self.ask(path, "kept", 64, calls)[1]
        # With those that warm it up, and the last ones.
        return rate, (processor_time(pid) - before) / (self.build.times(calls) * 1.1 + 64)

    def round(self):
        daemon, echo = self.build.daemon, self.build.echo
        ours, control = self.one(daemon.path, daemon.process.pid), self.one(echo.path, echo.process.pid)
        return {self.rate: (ours[0], control[0]), self.cost: (ours[1], control[1])}
