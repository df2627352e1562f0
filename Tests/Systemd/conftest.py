import os
import pathlib
import shutil

import pytest

PACKAGE = pathlib.Path(__file__).resolve().parent.parent.parent


def binaries():
    folder = pathlib.Path(os.environ.get("POSTERN_BIN_DIR", PACKAGE / ".build" / "debug"))
    if not (folder / "posternd").exists():
        pytest.fail(f"there is no posternd in {folder}: build it, or set POSTERN_BIN_DIR")
    return folder


@pytest.fixture(scope="session")
def bin_dir():
    return binaries()


@pytest.fixture(scope="session")
def machine():
    """A booted Debian 12 with a user whose service manager runs."""
    if os.environ.get("POSTERN_SKIP_MACHINE") == "1":
        pytest.skip("POSTERN_SKIP_MACHINE=1")
    if os.geteuid() != 0:
        pytest.skip("a machine is booted by root only")
    for program, package in (("debootstrap", "debootstrap"), ("systemd-nspawn", "systemd-container"), ("nsenter", "util-linux")):
        if shutil.which(program) is None:
            pytest.fail(f"{program} is missing: install {package}, or set POSTERN_SKIP_MACHINE=1")
    from machine import Machine

    booted = Machine(binaries())
    yield booted
    booted.close()


@pytest.fixture
def installed(machine):
    """Installed, its sockets listening, the daemon not running, and nothing left of an earlier test."""
    import package

    package.put_back(machine)
    return machine
