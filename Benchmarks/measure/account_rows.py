"""Calls that look a user up, in a store with many users and in one with one."""
import contextlib
import json
import statistics
import subprocess
import time

import setting
from table import Figure

USERS, ROUNDS = 10_000, 5


class Store:
    def __init__(self, build, users, handles):
        self.users = users
        self.daemon = setting.Daemon(build.programs, build.work / f"accounts-{users}")
        seeded = subprocess.run(
            [build.programs["store-seeder"], str(self.daemon.state), str(users), str(2 * handles)], capture_output=True, text=True, check=True)
        printed = seeded.stdout.split()
        self.known, self.unknown, self.asked = iter(printed[::2]), iter(printed[1::2]), 0
        self.client = self.daemon.start().client()
        self.client.call("GetStatus")

    def sign_in(self, handle):
        return "SignInWithCredential", {"credential": {"handle": handle}}

    def fetch(self):
        self.asked += 1
        return "FetchProviders", {"email": f"person{self.asked * 7919 % self.users}@example.com"}


class Accounts:
    ONE = "1 user"
    KINDS = {
        Figure(f"`SignInWithCredential` of a known account, {USERS:,} users", "µs", ONE, "ratio"): lambda store: store.sign_in(next(store.known)),
        Figure(f"`SignInWithCredential` of a new account, {USERS:,} users", "µs", ONE, "ratio"): lambda store: store.sign_in(next(store.unknown)),
        Figure(f"`FetchProviders`, {USERS:,} users", "µs", ONE, "ratio"): lambda store: store.fetch(),
    }

    def __init__(self, build):
        self.build, self.calls = build, build.times(80)
        self.stores = [Store(build, users, self.calls * ROUNDS) for users in (USERS, 1)]

    def taken(self, store, kind):
        method, parameters = kind(store)
        message = json.dumps({"method": f"io.postern.{method}", "parameters": parameters})
        begin = time.perf_counter()
        store.client.send(message)
        reply = store.client.receive()
        taken = time.perf_counter() - begin
        if reply.startswith(b'{"error'):
            raise RuntimeError(reply)
        return taken * 1e6

    def round(self):
        samples = {}
        for figure, kind in self.KINDS.items():
            # By turns, so that whatever else the machine does falls on both.
            pairs = [[self.taken(store, kind) for store in self.stores] for _ in range(self.calls)]
            samples[figure] = tuple(statistics.median(side) for side in zip(*pairs, strict=True))
        return samples

    def close(self):
        for store in self.stores:
            with contextlib.suppress(OSError):
                store.client.close()
            store.daemon.stop()
