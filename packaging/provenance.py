#!/usr/bin/env python3
"""Writes where the files of a release come from, as an in-toto statement with SLSA's provenance.

  packaging/provenance.py --tag TAG --commit COMMIT --resolved Package.resolved --swift VERSION [--builder URI] [--run URI]
                          [--output FILE] DIRECTORY

The subjects are the files of DIRECTORY with their digests. The statement is not signed by itself: SHA256SUMS has its digest, and a host
that signs (a DSSE envelope, or GitHub's attestations) names itself with --builder, and the run that built the files with --run. Of the
same input come the same bytes: there is no time in it.
"""

import argparse
import hashlib
import json
import pathlib
import sys

REPOSITORY = "https://github.com/postern/postern"
# Who built it if nobody else says so: whoever ran the script, on a machine that nobody vouches for.
BY_HAND = f"{REPOSITORY}/blob/main/packaging/release.sh#by-hand"


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def source(pin):
    state = pin["state"]
    version = state.get("version") or state["revision"]
    return {"uri": f"git+{pin['location'].removesuffix('.git')}@{version}", "name": pin["identity"], "digest": {"gitCommit": state["revision"]}}


def statement(given):
    subjects = [{"name": path.name, "digest": {"sha256": digest(path)}} for path in sorted(given.directory.iterdir())]
    pins = sorted(json.loads(given.resolved.read_text())["pins"], key=lambda pin: pin["identity"])
    own = {"uri": f"git+{REPOSITORY}@refs/tags/{given.tag}", "name": "postern", "digest": {"gitCommit": given.commit}}
    run = {"builder": {"id": given.builder}}
    if given.run:
        run["metadata"] = {"invocationId": given.run}
    return {
        "_type": "https://in-toto.io/Statement/v1", "subject": subjects, "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": f"{REPOSITORY}/blob/main/docs/operate/packaging.md#provenance",
                "externalParameters": {"repository": REPOSITORY, "tag": given.tag},
                "internalParameters": {"swift": given.swift},
                "resolvedDependencies": [own, *map(source, pins)]},
            "runDetails": run}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tag", required=True)
    parser.add_argument("--commit", required=True, help="of the tag")
    parser.add_argument("--resolved", type=pathlib.Path, required=True, help="the Package.resolved of the build")
    parser.add_argument("--swift", required=True, help="the version of the Swift that built it")
    parser.add_argument("--builder", default=BY_HAND, help="the URI of who built it (default: by hand)")
    parser.add_argument("--run", help="the URI of the run that built it")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("directory", type=pathlib.Path)
    given = parser.parse_args()
    text = json.dumps(statement(given), indent=2) + "\n"
    if given.output:
        given.output.write_text(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
