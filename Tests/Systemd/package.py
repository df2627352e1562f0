"""The package as its installer puts it into the machine: what the tests of this folder share."""
from machine import HOME, SOURCE

UNITS = (
    "postern.service", "postern.socket", "postern-callback.socket", "postern-callback-ipv6.socket", "postern-keep-fresh.timer",
    "postern-mcp.socket", "postern-mcp.service")
# Those that are enabled; the last one comes with the second.
SOCKETS = UNITS[1:3]
CONFIGURATION = f"{HOME}/.config/postern/config.toml"
DROP_INS = f"{HOME}/.config/systemd/user/postern.service.d"

# Nothing answers at these addresses, and nothing needs to: a page is opened before anybody is asked.
PROVIDER = """
[provider.legacy]
kind = "oauth2"
authorization-endpoint = "http://127.0.0.1:9/authorize"
token-endpoint = "http://127.0.0.1:9/token"
userinfo-endpoint = "http://127.0.0.1:9/userinfo"
client-id = "postern"
"""
PUBLIC = PROVIDER + 'client-authentication = "none"\n'
# What a test that holds up a reading of the configuration waits behind.
GATE = f"{HOME}/gate"


def install(machine, *words, **options):
    return machine.run("sh", f"{SOURCE}/packaging/install.sh", *words, **options)


def daemon_runs(machine):
    return machine.show("ActiveState") == "active"


def process(machine):
    return int(machine.show("MainPID"))


def stat(machine, pid):
    """The status of a process in the machine, by field."""
    lines = machine.path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, value in (line.split(":", 1) for line in lines)}


def put_back(machine):
    """Installed, its sockets listening, the daemon not running, and nothing left of an earlier test."""
    if not all(machine.path(f"{HOME}/.config/systemd/user/{unit}").exists() for unit in UNITS):
        install(machine)
    machine.systemctl("stop", *UNITS, "postern-page-*")
    machine.run("sh", "-c", f"rm -rf {DROP_INS} {CONFIGURATION} {GATE} ~/browser.saw ~/.local/state/postern")
    machine.write(CONFIGURATION, PUBLIC)
    machine.systemctl("daemon-reload")
    machine.systemctl("reset-failed")
    machine.systemctl("start", *SOCKETS)


def drop_in(machine, text):
    machine.write(f"{DROP_INS}/test.conf", "[Service]\n" + text)
    machine.systemctl("daemon-reload")
