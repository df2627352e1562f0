"""The store's key as a credential of the service."""
import base64
import os

import pytest

from machine import HOME, UID, Failed
from package import CONFIGURATION, PUBLIC, drop_in

STATE = f"{HOME}/.local/state/postern"
KEYS = {
    "with a NUL first": b"\0" + os.urandom(31),
    "with a line feed first": b"\n" + os.urandom(31),
    "with a line feed last": os.urandom(31) + b"\n",
    "no text": b"\xff\xfe" + os.urandom(30),
    "the line of a key file": b"postern-key-1 " + base64.urlsafe_b64encode(os.urandom(32)).rstrip(b"=") + b"\n",
    "the line without its end": b"postern-key-1 " + base64.urlsafe_b64encode(os.urandom(32)).rstrip(b"="),
}


def give(machine, key):
    path = machine.path(f"{HOME}/store.key")
    path.write_bytes(key)
    path.chmod(0o600)
    os.chown(path, UID, UID)


def configure(machine, choice):
    machine.write(CONFIGURATION, f'[store]\nkey = "{choice}"\n{PUBLIC}')
    drop_in(machine, "LoadCredential=postern-key:%h/store.key\n")


def state(machine):
    """Besides the names that shells complete."""
    return set(os.listdir(machine.path(STATE))) - {"names"}


@pytest.mark.parametrize("choice", ["auto", "credential"])
@pytest.mark.parametrize("form", KEYS)
def test_a_systemd_credential_is_used_as_the_key_byte_for_byte(installed, choice, form):
    give(installed, KEYS[form])
    configure(installed, choice)
    assert installed.call("GetStatus")["locked"] is False
    installed.call("SignInAnonymously")
    assert "postern.db" in state(installed) and "key" not in state(installed)
    installed.systemctl("stop", "postern.service")
    status = installed.call("GetStatus")
    assert (status["locked"], status["users"]) == (False, 1)


@pytest.mark.parametrize("choice", ["auto", "credential"])
@pytest.mark.parametrize("key", [b"", b"x" * 31, b"x" * 33, b"postern-key-1 short\n"], ids=["empty", "31 bytes", "33 bytes", "a short line"])
def test_an_invalid_key_credential_is_reported_and_not_replaced(installed, choice, key):
    give(installed, key)
    configure(installed, choice)
    assert installed.call("GetStatus")["locked"] is True
    with pytest.raises(Failed) as failed:
        installed.call("SignInAnonymously")
    assert failed.value.error == "io.postern.StoreLocked" and "the systemd credential postern-key" in failed.value.parameters["message"]
    assert state(installed) == {"lock"}
    installed.systemctl("stop", "postern.service")
    give(installed, os.urandom(32))
    installed.call("SignInAnonymously")
    assert "postern.db" in state(installed) and "key" not in state(installed)
