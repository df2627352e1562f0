#!/usr/bin/env python3
"""Counts the instructions of the release build and holds them against the recorded counts; see Benchmarks/README.md.

  instructions.py DIRECTORY                     DIRECTORY has what Benchmarks/programs.sh makes
  instructions.py DIRECTORY --junit FILE        writes the results as JUnit does, too
  instructions.py DIRECTORY --record            writes the counts to Benchmarks/instructions.txt
  instructions.py DIRECTORY --only NAME         counts one thing, and says nothing about the record
"""
import argparse
import ctypes
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import xml.sax.saxutils

import setting

RECORD = pathlib.Path(__file__).resolve().parents[1] / "instructions.txt"
BOUND = 0.05
CALLS, SIGN_INS = 1000, 20

# Nothing of these depends on the machine or the hour but through what `surroundings` tells.
ENVIRONMENT = {"SWIFT_DETERMINISTIC_HASHING": "1"}

COUNTED = {
    "start": "a cold start, its first token, and the end",
    "token": "a stored token on a kept connection, a call",
    "connection": "a stored token on a connection of its own, a call",
    "authorize": "AuthorizeRequest with a stored token on a kept connection, a call",
    "status": "GetStatus on a kept connection, a call",
    "sign-in": "a whole sign-in in the daemon",
    "postern-token": "postern token, the process",
    "postern-status": "postern status, the process",
    "postern-git": "postern helper git get, the process",
    "postern-help": "postern --help, the process",
}


class Counter:
    """Runs programs under callgrind. The counts of one build on one machine differ by less than a thousandth."""

    def __init__(self, directory, profiles=None):
        self.programs = setting.Programs(directory)
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="count-", dir="/tmp"))
        self.profiles = profiles
        self.provider = setting.Provider(self.programs)
        self.daemon = setting.Daemon(self.programs, self.work, self.provider.config).start()
        setting.sign_in(self.daemon)
        self.daemon.stop()
        self.cold = None

    def close(self):
        self.provider.stop()
        subprocess.run(["rm", "-rf", str(self.work)], check=True)

    def callgrind(self, name):
        profile = f"{self.profiles}/{name}.callgrind" if self.profiles else "/dev/null"
        return ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", f"--log-file={self.work}/log"]

    def collected(self):
        log = (self.work / "log").read_text()
        found = re.search(r"Collected : (\d+)", log)
        if not found:
            raise RuntimeError(f"valgrind counted nothing: {log}")
        return int(found[1])

    def in_daemon(self, name, work):
        """From the daemon's start to its end, with what `work` does between."""
        self.daemon.prefix = self.callgrind(name)
        self.daemon.start(**ENVIRONMENT)
        client = self.daemon.client()
        self.ask(client, setting.TOKEN_CALL)
        work(client)
        self.daemon.stop()
        self.daemon.prefix = []
        return self.collected()

    def above_start(self, name, times, work):
        """One of `times` pieces of work: the rest of a daemon's life is taken off."""
        if self.cold is None:
            self.cold = self.in_daemon("start", lambda client: None)
        return (self.in_daemon(name, work) - self.cold) // times

    @staticmethod
    def ask(client, message):
        client.send(message)
        if not client.receive().startswith(b'{"parameters":{'):
            raise RuntimeError("the daemon answered with an error")

    def ask_often(self, message):
        return lambda client: [self.ask(client, message) for _ in range(CALLS)]

    def ask_anew(self, _):
        for _ in range(CALLS):
            client = self.daemon.client()
            self.ask(client, setting.TOKEN_CALL)
            client.close()

    def in_command(self, name, arguments, given=""):
        self.daemon.start()
        try:
            command = [*self.callgrind(name), self.programs["postern"], *arguments]
            environment = self.programs.environment(self.work, POSTERN_SOCKET=str(self.daemon.path), **ENVIRONMENT)
            done = subprocess.run(command, env=environment, input=given, text=True, capture_output=True, check=False)
            if done.returncode or not done.stdout:
                raise RuntimeError(f"postern {' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
        finally:
            self.daemon.stop()
        return self.collected()

    def count(self, name):
        if name == "start":
            self.cold = self.in_daemon(name, lambda client: None)
            return self.cold
        if name == "sign-in":
            return self.above_start(name, SIGN_INS, lambda _: [setting.sign_in(self.daemon) for _ in range(SIGN_INS)])
        if name == "connection":
            return self.above_start(name, CALLS, self.ask_anew)
        if message := {"token": setting.TOKEN_CALL, "status": setting.STATUS_CALL, "authorize": setting.AUTHORIZE_CALL}.get(name):
            return self.above_start(name, CALLS, self.ask_often(message))
        arguments, given = {
            "postern-token": (["token", "work"], ""), "postern-status": (["status"], ""),
            "postern-git": (["helper", "git", "get"], "protocol=https\nhost=git.example.com\n"),
            "postern-help": (["--help"], ""),
        }[name]
        return self.in_command(name, arguments, given)


# ---- What the counts depend on -----------------------------------------------


def library(name, function, restype=ctypes.c_char_p, *arguments):
    call = getattr(ctypes.CDLL(name), function)
    call.restype = restype
    return call(*arguments).decode()


def surroundings():
    """Whatever changes the counts although the sources are the same. Counts of other surroundings are not compared."""
    def said(*command):
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def first(pattern, text):
        return re.search(pattern, text)[1]

    flags = pathlib.Path("/proc/cpuinfo").read_text().split("\nflags", 1)[1].split("\n", 1)[0].split()
    systemd = os.path.realpath(first(r"libsystemd\.so\.0 .*=> (\S+)", said("/sbin/ldconfig", "-p")))
    return {
        "swift": first(r"Swift version (\d+\.\d+)", said("swift", "--version")),
        "glibc": first(r"(\d+\.\d+)", os.confstr("CS_GNU_LIBC_VERSION")),
        "openssl": first(r"(\d+\.\d+)", library("libcrypto.so.3", "OpenSSL_version", ctypes.c_char_p, 0)),
        "sqlite": first(r"(\d+\.\d+)", library("libsqlite3.so.0", "sqlite3_libversion")),
        "libsystemd": first(r"so\.(.*)", systemd),
        "valgrind": first(r"(\d+\.\d+)", said("valgrind", "--version")),
        # The C library and OpenSSL choose their functions by what valgrind passes on of the processor.
        "processor": f"{platform.machine()}-{'avx2' if 'avx2' in flags else 'avx' if 'avx' in flags else 'sse'}",
    }


# ---- The record --------------------------------------------------------------


def read_record():
    there, counts = {}, {}
    for line in RECORD.read_text().splitlines() if RECORD.exists() else []:
        fields = line.split()
        if len(fields) == 3 and fields[0] == "with":
            there[fields[1]] = fields[2]
        elif len(fields) == 2 and not line.startswith("#"):
            counts[fields[0]] = int(fields[1])
    return there, counts


def write_record(there, counts):
    lines = ["# Instructions of the release build, as callgrind counts them. Written by scripts/check-instructions.sh --record,",
             "# which also says what each one is; a count may rise by 5 % before the tests fail."]
    lines += [f"with {name} {value}" for name, value in there.items()]
    lines += [f"{name} {count}" for name, count in counts.items()]
    RECORD.write_text("\n".join(lines) + "\n")


def judge(name, count, recorded):
    """(outcome, sentence); the outcomes are ok, low, high and new."""
    if recorded is None:
        return "new", f"{count:,} instructions, and none recorded: run scripts/check-instructions.sh --record"
    change = count / recorded - 1
    words = f"{count:,} instructions, recorded {recorded:,} ({change:+.2%})"
    if change > BOUND:
        return "high", f"{words}: more than {BOUND:.0%} above. Find out why (Benchmarks/README.md says how), or record it with the reason"
    if change < -BOUND:
        return "low", f"{words}: the record can be lowered, with scripts/check-instructions.sh --record"
    return "ok", words


def write_results(path, cases):
    """As JUnit does. `cases`: (name, kind, words), with a kind of None, "failure" or "skipped"."""
    text = "".join(
        f"<testcase classname=\"instructions\" name={xml.sax.saxutils.quoteattr(name)}>"
        + (f"<{kind} message={xml.sax.saxutils.quoteattr(words)}/>" if kind else "") + "</testcase>"
        for name, kind, words in cases)
    pathlib.Path(path).write_text(
        f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites><testsuite name="check-instructions">{text}</testsuite></testsuites>\n')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory")
    parser.add_argument("--junit")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--only", choices=COUNTED)
    parser.add_argument("--profiles", help="a directory for callgrind's profiles")
    arguments = parser.parse_args()
    here = surroundings()
    there, recorded = read_record()
    sentence = {name: f"{words}: at most {BOUND:.0%} more instructions than recorded" for name, words in COUNTED.items()}
    differs = [f"{name} {here.get(name)} and not {value}" for name, value in there.items() if here.get(name) != value]
    if differs and not arguments.record and not arguments.only:
        reason = f"the counts were recorded with others: here is {', '.join(differs)}"
        print(f"skipped: {reason}; scripts/check-instructions.sh --record takes them here", file=sys.stderr)
        if arguments.junit:
            write_results(arguments.junit, [(words, "skipped", reason) for words in sentence.values()])
        return 0
    counter = Counter(arguments.directory, arguments.profiles)
    try:
        counts = {}
        for name in [arguments.only] if arguments.only else COUNTED:
            counts[name] = counter.count(name)
            outcome, words = judge(name, counts[name], recorded.get(name))
            if arguments.record:
                words = f"{counts[name]:,} instructions, before {recorded[name]:,}" if name in recorded else f"{counts[name]:,} instructions"
            elif outcome in ("high", "new"):
                words = f"NOT OK: {words}"
            print(f"{name} ({COUNTED[name]}): {words}", file=sys.stderr)
    finally:
        counter.close()
    if arguments.only:
        print(counts[arguments.only])
        return 0
    if arguments.record:
        write_record(here, counts)
        return 0
    outcomes = {name: judge(name, count, recorded.get(name)) for name, count in counts.items()}
    if arguments.junit:
        write_results(arguments.junit, [
            (sentence[name], "failure" if outcome in ("high", "new") else None, words) for name, (outcome, words) in outcomes.items()])
    return int(any(outcome in ("high", "new") for outcome, _ in outcomes.values()))


if __name__ == "__main__":
    sys.exit(main())
