#!/usr/bin/env python3
"""Links a provider to the app's user. If the account there has a user of its own, makes one user of the two.

usage: merge-users.py [--app APP] [--from UID] PROVIDER DIRECTORY

DIRECTORY is what a program stores for its users: a directory for each, named by uid. The user that the account belongs to stays, and
gets the files of the other, which is deleted. If both have a file, that of the user who stays is kept. If this is interrupted, the
files are where they were: sign in as the user that stays, and pass --from with the uid that is gone.
"""
import argparse
import json
import os
import pathlib
import shutil
import socket
import sys


class Refused(Exception):
    def __init__(self, reply):
        self.name, self.parameters = reply["error"].rsplit(".", 1)[-1], reply["parameters"]
        super().__init__(self.parameters.get("message", reply["error"]))


def call(method, **parameters):
    runtime = os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"
    path = os.environ.get("POSTERN_SOCKET") or f"{runtime}/postern/io.postern"
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(json.dumps({"method": f"io.postern.{method}", "parameters": parameters}).encode() + b"\0")
        connection.shutdown(socket.SHUT_WR)
        reply = connection.makefile("rb").read().rstrip(b"\0")
    if not reply:
        raise ConnectionError("posternd closed the connection")
    reply = json.loads(reply)
    if "error" in reply:
        raise Refused(reply)
    return reply["parameters"]


def sign_in(app, provider, intent):
    """Opens the page and waits for the user."""
    return call("SignIn", providerID=provider, intent=intent, app=app)["event"]["result"]["user"]


def become(app, handle):
    """Signs in with the credential that could not be linked. It is valid once; a second factor may be required as well."""
    try:
        return call("SignInWithCredential", credential={"handle": handle}, app=app)["result"]["user"]
    except Refused as refusal:
        if refusal.name != "SecondFactorRequired":
            raise
        resolver, factor = refusal.parameters["resolver"], refusal.parameters["hints"][0]
        if factor["factorID"] == "phone":
            call("StartSecondFactor", resolver=resolver, uid=factor["uid"])
        code = input(f"code of {factor.get('displayName') or factor['factorID']}: ")
        return call("ResolveSecondFactor", resolver=resolver, uid=factor["uid"], verificationCode=code)["result"]["user"]


def delete(app, user):
    """A permanent user can be deleted only within five minutes of signing in."""
    try:
        call("DeleteUser", app=app)
    except Refused as refusal:
        if refusal.name != "RequiresRecentSignIn":
            raise
        sign_in(app, user["providerData"][0]["providerID"], "reauthenticate")
        call("DeleteUser", app=app)


def move(directory, old, new):
    """Moves the files of one user to the other."""
    source, target = pathlib.Path(directory, old), pathlib.Path(directory, new)
    if not source.is_dir():
        return
    for file in sorted(path for path in source.rglob("*") if path.is_file()):
        place = target / file.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            shutil.move(file, place)
    shutil.rmtree(source)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("provider")
    parser.add_argument("directory")
    parser.add_argument("--app", default="default")
    parser.add_argument("--from", dest="gone", metavar="UID", help="take up a merge that was interrupted")
    options = parser.parse_args()
    app = options.app

    before = call("GetCurrentUser", app=app).get("user")
    if before is None:
        raise SystemExit(f"nobody is signed in to the app {app}")
    if options.gone:
        move(options.directory, options.gone, before["uid"])
        return print(before["uid"])
    try:
        return print(sign_in(app, options.provider, "link")["uid"])
    except Refused as refusal:
        if refusal.name != "CredentialAlreadyInUse":
            raise
        handle = refusal.parameters["credential"]["handle"]

    # The data of the deleted user is in its directory, and stays there until the other one has it.
    delete(app, before)
    after = become(app, handle)
    move(options.directory, before["uid"], after["uid"])
    linked = {data["providerID"] for data in after["providerData"]}
    for data in before["providerData"]:
        if data["providerID"] not in linked | {"password"}:
            sign_in(app, data["providerID"], "link")
    print(after["uid"])


if __name__ == "__main__":
    try:
        main()
    except Refused as refusal:
        sys.exit(f"{refusal.name}: {refusal}")
    except OSError as error:
        sys.exit(f"posternd cannot be reached: {error}" if error.filename is None else str(error))
