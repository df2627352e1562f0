#!/usr/bin/env python3
"""Sums callgrind's profiles up by topic, as a Markdown table.

  profile.py DIRECTORY [DIRECTORY]     what scripts/check-instructions.sh --profile left there; of a second build beside it
"""
import collections
import re
import subprocess
import sys

# The first that fits. A function counts where it stands, not where it was called from.
TOPICS = [
    ("dynamic linking", r"\[\S*/ld-linux|elf/"),
    ("OpenSSL", r"\[\S*/lib(crypto|ssl)"),
    ("SQLite", r"\[\S*/libsqlite3"),
    ("the C library: allocation", r"malloc|_int_free|calloc|realloc|[: ]free\b|operator (new|delete)"),
    ("the C library: the rest", r"\[\S*/lib(c|m|gcc_s|stdc\+\+|systemd|pthread)\b"),
    ("types looked up at run time", r"onforms?To|Conformance|swift_getTypeByMangled|Demangle|Mangled|Metadata|dynamicCast|_cast|getCache|equalContexts|TargetContext"),
    ("retain, release and copies", r"[rR]etain|[rR]elease|RefCount|HeapObject|swift_(alloc|dealloc|deinit)|outlined |initializeWith|destroy for|arrayDestroy|slow(All|Deall)oc|isUniquely"),
    ("exclusivity checks", r"AccessSet|swift_(begin|end)Access"),
    ("reading URLs", r"EndpointURL|URLPrefix"),
    ("reading JSON", r"JSONParser|JSONReader|JSONScanner"),
    ("writing JSON", r"JSON|serialize"),
    ("strings", r"[sS]tring|Substring|UTF8|Unicode|_allASCII|Character"),
    ("hashing and collections", r"Hash|Dictionary|Set[.<]|Array|Collection|Sequence"),
    ("NIO", r"NIO|Pending\w*Writes|Channel|EventLoop|ByteBuffer|Selector|Selectable|SocketAddress|Bootstrap"),
    ("Swift's tasks and actors", r"swift_task|Task|Actor|Executor|swift_job|Job"),
    ("the interface's description", r"Description"),
]
OTHER = "the rest of Postern"
# What is taken off, and by how much the difference is divided.
PARTS = {"token": ("start", 1000), "connection": ("start", 1000), "sign-in": ("start", 20), "start": (None, 1), "postern-token": (None, 1)}


def functions(path):
    said = subprocess.run(["callgrind_annotate", "--threshold=100", "--auto=no", path], capture_output=True, text=True, check=True).stdout
    plain = subprocess.run(["swift", "demangle", "--simplified"], input=said, capture_output=True, text=True, check=True).stdout
    counts = collections.Counter()
    for line in plain.splitlines():
        if (found := re.match(r"\s*([\d,]+) \([ \d.]+%\)\s+(.+)", line)) and "PROGRAM TOTALS" not in line:
            counts[found[2]] += int(found[1].replace(",", ""))
    return counts


def topics(directory, name):
    less, times = PARTS[name]
    counts = functions(f"{directory}/{name}.callgrind")
    if less:
        counts.subtract(functions(f"{directory}/{less}.callgrind"))
    sums = collections.Counter()
    for function, count in counts.items():
        sums[next((topic for topic, pattern in TOPICS if re.search(pattern, function)), OTHER)] += count / times
    return sums


def main():
    for name in PARTS:
        columns = [topics(directory, name) for directory in sys.argv[1:]]
        print(f"\n| {name} | " + " | ".join(sys.argv[1:]) + " |\n| --- |" + " ---: |" * len(columns))
        for topic in sorted({topic for column in columns for topic in column}, key=lambda topic: -columns[0][topic]):
            if any(column[topic] > sum(column.values()) / 200 for column in columns):
                print(f"| {topic} | " + " | ".join(f"{column[topic]:,.0f}" for column in columns) + " |")
        print("| all | " + " | ".join(f"{sum(column.values()):,.0f}" for column in columns) + " |")


main()
