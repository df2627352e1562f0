#!/usr/bin/env python3
"""Writes what the programs are made of, as CycloneDX 1.6 has it.

  packaging/sbom.py --version VERSION --resolved Package.resolved --swift VERSION [--output FILE]

Every Swift package that was resolved is linked into the programs, and so are Swift's own library, libstdc++ and libgcc; swift-nio brings
three works of others. The shared libraries are the system's. Of the same input come the same bytes: the time is that of SOURCE_DATE_EPOCH,
and there is no random number.
"""

import argparse
import datetime
import json
import os
import pathlib
import sys

EXCEPTION = "Apache-2.0 WITH Swift-exception"
# The licences of packages; SwiftPM gives only the location and the version.
LICENCES = {"swift-nio": "Apache-2.0"}
# The works included in swift-nio, by its NOTICE.txt.
WITHIN_NIO = [
    ("llhttp", "MIT", "pkg:github/nodejs/llhttp"),
    ("cpp_magic.h", "MIT", "pkg:github/18sg/uSHET"),
    ("sha1", "BSD-3-Clause", "pkg:github/freebsd/freebsd-src#sys/crypto/sha1.c"),
]
# Parts of the installed compiler, linked from its archives.
RUNTIME = [
    ("libstdc++", "GPL-3.0-with-GCC-exception", "pkg:generic/libstdc%2B%2B"), ("libgcc", "GPL-3.0-with-GCC-exception", "pkg:generic/libgcc"),
]
# Linked at the start, and updated by the distribution.
SYSTEM = [
    ("libssl", "3", "Apache-2.0"), ("libcrypto", "3", "Apache-2.0"), ("libsystemd", "0", "LGPL-2.1-or-later"), ("libsqlite3", "0", "blessing"),
    ("libc", "6", "LGPL-2.1-or-later"),
]


def licence(expression):
    return [{"expression": expression}] if " " in expression else [{"license": {"id": expression}}]


def component(name, version, expression, purl=None, **more):
    made = {"type": "library", "bom-ref": purl or f"{name}@{version}", "name": name, "licenses": licence(expression), **more}
    if version:
        made["version"] = version
    if purl:
        made["purl"] = purl
    return made


def package(pin):
    name, state = pin["identity"], pin["state"]
    place = pin["location"].removeprefix("https://").removesuffix(".git")
    version = state.get("version") or state["revision"]
    return component(
        name, version, LICENCES.get(name, EXCEPTION), f"pkg:swift/{place}@{version}",
        externalReferences=[{"type": "vcs", "url": pin["location"], "comment": state["revision"]}])


def bill(version, pins, swift, moment):
    own = f"pkg:swift/github.com/postern/postern@{version}"
    linked = sorted((package(pin) for pin in pins), key=lambda one: one["name"])
    linked.append(component("swift", swift, EXCEPTION, f"pkg:github/swiftlang/swift@{swift}"))
    linked += [component(name, None, expression, purl) for name, expression, purl in [*RUNTIME, *WITHIN_NIO]]
    shared = [
        component(f"{name}.so", so, expression, scope="required", description="of the system, linked at the start")
        for name, so, expression in SYSTEM]
    nio = next((one["bom-ref"] for one in linked if one["name"] == "swift-nio"), None)
    within = [purl for _, _, purl in WITHIN_NIO]
    direct = [one["bom-ref"] for one in [*linked, *shared] if one["bom-ref"] not in within]
    dependencies = [{"ref": own, "dependsOn": sorted(direct)}]
    if nio:
        dependencies.append({"ref": nio, "dependsOn": sorted(within)})
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {
            "timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application", "bom-ref": own, "name": "postern", "version": version, "purl": own, "licenses": licence("Apache-2.0")}},
        "components": [*linked, *shared], "dependencies": dependencies}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", required=True, help="of Postern")
    parser.add_argument("--resolved", type=pathlib.Path, required=True, help="the Package.resolved of the build")
    parser.add_argument("--swift", required=True, help="the version of the Swift that built it")
    parser.add_argument("--output", type=pathlib.Path)
    given = parser.parse_args()
    moment = datetime.datetime.fromtimestamp(
        int(os.environ.get("SOURCE_DATE_EPOCH") or datetime.datetime.now().timestamp()), datetime.timezone.utc)
    text = json.dumps(bill(given.version, json.loads(given.resolved.read_text())["pins"], given.swift, moment), indent=2) + "\n"
    if given.output:
        given.output.write_text(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
