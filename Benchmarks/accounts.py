#!/usr/bin/env python3
"""Ten thousand users with forty thousand identities, beside a store with one user. The argument is a directory with the programs."""
import json
import pathlib
import shutil
import socket
import statistics
import subprocess
import tempfile
import time

import measure

USERS, CALLS = 10_000, 400


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))

    def time(self, method, parameters):
        """Seconds; None where the daemon answers with an error."""
        message = json.dumps({"method": f"io.postern.{method}", "parameters": parameters}).encode() + b"\0"
        begin = time.perf_counter()
        self.socket.sendall(message)
        reply = b""
        while not reply.endswith(b"\0"):
            data = self.socket.recv(65536)
            if not data:
                raise EOFError
            reply += data
        taken = time.perf_counter() - begin
        return None if "error" in json.loads(reply[:-1]) else taken


class Store:
    def __init__(self, work, name, users, *more):
        self.users, begin = users, time.perf_counter()
        self.daemon = measure.Daemon.__new__(measure.Daemon)
        directory = self.daemon.directory = pathlib.Path(work) / name
        directory.mkdir()
        self.daemon.config, self.daemon.socket = directory / "config.toml", directory / "s"
        self.daemon.config.write_text(measure.CONFIG)
        self.daemon.config.chmod(0o600)
        seeded = subprocess.run(
            [measure.WORK / "store-seeder", directory / "state", str(users), str(2 * CALLS), *more], capture_output=True, text=True, check=True)
        handles = seeded.stdout.split()
        self.known, self.unknown = handles[::2], handles[1::2]
        self.seeding = time.perf_counter() - begin
        begin = time.perf_counter()
        self.daemon.start()
        self.start = time.perf_counter() - begin
        self.client = Connection(self.daemon.socket)

    def memory(self):
        rollup = dict(line.split(":") for line in open(f"/proc/{self.daemon.process.pid}/smaps_rollup").read().splitlines()[1:])
        return f"PSS {rollup['Pss'].split()[0]} kB, anonymous {rollup['Anonymous'].split()[0]} kB"

    def questions(self):
        """Each kind of call, as a function of its number."""
        return {
            "SignInWithCredential, known": lambda i: ("SignInWithCredential", {"credential": {"handle": self.known[i]}}),
            "SignInWithCredential, new": lambda i: ("SignInWithCredential", {"credential": {"handle": self.unknown[i]}}),
            "FetchProviders": lambda i: ("FetchProviders", {"email": f"person{i * 7919 % self.users}@example.com"}),
        }


def compare(title, small, large):
    print(f"\n{title} (µs)\n{'':30}{'1 user p50':>12}{'p99':>9}{f'{USERS} p50':>12}{'p99':>9}{'ratio p50':>11}")
    for kind in small.questions():
        asked = [(store, store.questions()[kind]) for store in (small, large)]
        # By turns, so that whatever else the machine does falls on both.
        pairs = [[store.client.time(*question(i)) for store, question in asked] for i in range(CALLS)]
        if any(taken is None for pair in pairs for taken in pair):
            print(f"{kind:30}  not answered by this daemon")
            continue
        (first, first99), (second, second99) = (
            (statistics.median(side) * 1e6, statistics.quantiles(side, n=100)[98] * 1e6) for side in zip(*pairs, strict=True))
        print(f"{kind:30}{first:12.0f}{first99:9.0f}{second:12.0f}{second99:9.0f}{second / first:11.2f}")


def main():
    places = [("on disk", measure.WORK / "accounts")]
    if pathlib.Path("/dev/shm").is_dir():
        places.append(("in memory: without what the disk takes", pathlib.Path(tempfile.mkdtemp(dir="/dev/shm"))))
    for title, place in places:
        place.mkdir(exist_ok=True)
        try:
            small, large = Store(place, "small", 1), Store(place, "large", USERS)
            if title == "on disk":
                print(f"\n{USERS} users, {4 * USERS} identities: made in {large.seeding:.1f} s, "
                      f"{(place / 'large/state/postern.db').stat().st_size / 1e6:.0f} MB")
                for store in (small, large):
                    print(f"  {store.users} users: first answer after {store.start * 1000:.0f} ms; {store.memory()}")
            compare(title, small, large)
            if title == "on disk":
                print("\nafter all calls: " + "; ".join(f"{store.users} users: {store.memory()}" for store in (small, large)))
                full = Store(place, "full", USERS, "with-credentials")
                print(f"with a credential for each identity: first answer after {full.start * 1000:.0f} ms; {full.memory()}")
                full.daemon.stop()
            for store in (small, large):
                store.daemon.stop()
        finally:
            shutil.rmtree(place)


main()
