"""A daemon that has answered once and is asked no more."""
import os
import time

import setting
from table import Figure


def memory(pid):
    """MB: anonymous, private dirty."""
    rollup = dict(line.split(":") for line in open(f"/proc/{pid}/smaps_rollup").read().splitlines()[1:])
    return [int(rollup[name].split()[0]) * 1024 / 1e6 for name in ("Anonymous", "Private_Dirty")]


def switches(pid):
    """How often its threads have waited."""
    return sum(
        int(line.split()[1]) for task in os.listdir(f"/proc/{pid}/task") for line in open(f"/proc/{pid}/task/{task}/status")
        if line.startswith("voluntary_ctxt"))


class Memory:
    anonymous = Figure("idle, anonymous memory", "MB", "a bare C server", "above", 1.5)
    dirty = Figure("idle, private dirty memory", "MB", "a bare C server", "above", 2)

    def __init__(self, build):
        self.build, self.daemon = build, build.stored("memory")

    def round(self):
        self.daemon.start()
        client = self.daemon.client()
        client.send(setting.TOKEN_CALL)
        client.receive()
        client.close()
        # What it does after the first answers, it has done by then.
        time.sleep(3)
        ours, control = memory(self.daemon.process.pid), memory(self.build.echo.process.pid)
        self.daemon.stop()
        return {self.anonymous: (ours[0], control[0]), self.dirty: (ours[1], control[1])}

    def close(self):
        pass


class WakeUps:
    """One minute in all: five rounds of 12 s."""

    figure = Figure("wake-ups a minute, idle", "", "a bare C server", "above", 0)

    def __init__(self, build):
        self.build, self.daemon = build, build.stored("idle").start()
        self.daemon.call("GetStatus")
        build.echo  # noqa: B018 - it is started here, and idle from then on
        # What follows the last call is over: the rest of the store is read, freed memory is given back.
        time.sleep(4)

    def round(self):
        seconds = 2 if self.build.quick else 12
        pids = (self.daemon.process.pid, self.build.echo.process.pid)
        before = [switches(pid) for pid in pids]
        time.sleep(seconds)
        return {self.figure: tuple((switches(pid) - first) * 60 / seconds for pid, first in zip(pids, before, strict=True))}

    def close(self):
        self.daemon.stop()
