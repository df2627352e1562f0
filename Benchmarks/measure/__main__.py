"""What Benchmarks/run.sh measures; see Benchmarks/README.md.

  measure PROGRAMS [--quick] [--rounds N] [--against OTHER-PROGRAMS] [ROW…]
"""
import argparse
import os
import pathlib
import shutil
import sys
import tempfile

from account_rows import Accounts
from bridge_rows import Bridge
from build import Build
from idle_rows import Memory, WakeUps
from process_rows import Commands, Sizes
from sign_in_rows import Callback, SignIns
from socket_rows import Clients, Connection, Kept
from start_rows import Large, Start
from table import Table
from view_rows import View

ROWS = {
    "kept": Kept, "connection": Connection, "clients": Clients, "commands": Commands, "start": Start, "large": Large, "memory": Memory,
    "sizes": Sizes, "callback": Callback, "sign-ins": SignIns, "wake-ups": WakeUps, "accounts": Accounts, "view": View, "bridge": Bridge,
}
LEAST_ROUNDS = 5


def measure(row, builds, rounds, table):
    """The builds by turns, round by round."""
    groups = [ROWS[row](build) for build in builds]
    try:
        for number in range(rounds):
            # Neither is always the first.
            for index in sorted(range(len(groups)), reverse=bool(number % 2)):
                table.add(groups[index].round(), other=index == 1)
        return getattr(groups[0], "missing", [])
    finally:
        for group in groups:
            group.close()


def main():
    parser = argparse.ArgumentParser(prog="Benchmarks/run.sh")
    parser.add_argument("programs")
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--quick", action="store_true", help="a tenth of the calls")
    parser.add_argument("--rounds", type=int, default=LEAST_ROUNDS)
    parser.add_argument("--against", metavar="DIRECTORY", help="another build, measured by turns with this one")
    arguments = parser.parse_intermixed_args()
    unknown = [row for row in arguments.rows if row not in ROWS]
    if unknown:
        parser.error(f"there is no row {unknown[0]}; the rows are {', '.join(ROWS)}")
    work = pathlib.Path(tempfile.mkdtemp(prefix="figures-"))
    builds = [Build(arguments.programs, work / "this", arguments.quick)]
    if arguments.against:
        builds.append(Build(arguments.against, work / "other", arguments.quick))
    table, missing, rounds = Table(arguments.against), [], max(arguments.rounds, LEAST_ROUNDS)
    try:
        for row in arguments.rows or ROWS:
            print(f"{row} …", file=sys.stderr, flush=True)
            missing += measure(row, builds, rounds, table)
    finally:
        for build in builds:
            build.close()
        shutil.rmtree(work)
    print("\n".join(table.lines()))
    print(f"\nMedians of {rounds} rounds, with the lowest and the highest; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors.")
    for reason in missing:
        print(f"Not measured: {reason}.")


main()
