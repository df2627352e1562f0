"""A network of its own with public and private addresses and names for them: a public MCP server, and what stands where nothing of it may go.

Run as a program in that network, with a folder to work in: prints what came of each server, as JSON.
"""
import json
import pathlib
import socket
import ssl
import subprocess
import sys
import threading

from commands import run
from elsewhere import certificate
from hostile_mcp import HostileServers, Row
from mcp_servers import mcp
from person import browser, parameters
from postern import Daemon, VarlinkError, free_port
from signing_in import SignIn

# Somebody's on the Internet, which this network is not on: the addresses for documentation are not public.
PUBLIC = "193.0.14.129"
HOST = "files.test"
INSIDE = {"private": "10.77.0.5", "shared": "100.64.0.9", "metadata": "169.254.169.254", "loopback": "127.0.0.1", "local": "fd00:77::5",
          "mapped": "::ffff:10.77.0.5", "translated": "64:ff9b::10.77.0.5"}


def literal(address):
    return f"https://[{address}]" if ":" in address else f"https://{address}"


# Who issues the tokens of the public server, and where its endpoints are; {} is the row's own base.
ISSUERS = {**{f"{name} by name": f"https://{name}.inside.test" for name in INSIDE}, **{f"{name} by address": literal(address) for name, address in INSIDE.items()}}
ENDPOINTS = ("registration_endpoint", "token_endpoint")
ROWS = {**{name.replace(" ", "-"): Row(resource={"authorization_servers": [f"{issuer}/x"]}) for name, issuer in ISSUERS.items()},
        **{name: Row(issuer={name: f"https://shared.inside.test/{name}"}) for name in ENDPOINTS}, "honest": Row(),
        "named": Row(resource={"authorization_servers": ["https://private.inside.test/x"]}),
        "redirect": Row(moved={"resource": "https://private.inside.test/document"})}


def inside(folder):
    """What `unshare` runs: the network, then this program."""
    hosts = folder / "hosts"
    hosts.write_text("".join(f"{address} {name}\n" for address, name in [("127.0.0.1", "localhost"), (PUBLIC, HOST),
                                                                       *((address, f"{name}.inside.test") for name, address in INSIDE.items())]))
    addresses = [PUBLIC, *(address for address in INSIDE.values() if address != "127.0.0.1" and not address.startswith("::ffff"))]
    script = "\n".join(["ip link set lo up", "echo 0 >/proc/sys/net/ipv6/conf/lo/disable_ipv6 || true",
                        *(f"ip address add {address}/{128 if ':' in address else 32} dev lo" for address in addresses),
                        f"mount --bind '{hosts}' /etc/hosts", 'exec "$@"'])
    return ["unshare", "--net", "--mount", "--propagation", "private", "sh", "-ec", script, "network", sys.executable, __file__, str(folder)]


def outcomes(folder):
    done = subprocess.run(inside(folder), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


class PublicServers(HostileServers):
    """The table's servers at a public address, by https."""

    def __init__(self, made, key):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(made, key)
        super().__init__(ROWS)
        self.origin = f"https://{HOST}"

    def listen(self, port):
        super().listen(port)
        outside = socket.create_server((PUBLIC, 443))

        def accept():
            while True:
                connection, address = outside.accept()
                threading.Thread(target=self.talk, args=(connection, address), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()

    def talk(self, connection, address):
        try:
            with self.context.wrap_socket(connection, server_side=True) as inside:
                self.handler(inside, address, self.server)
        except OSError:
            pass


def count(address, came):
    """Notes who connects; nobody gets an answer."""
    with socket.create_server((address, 443), family=socket.AF_INET6 if ":" in address else socket.AF_INET) as listener:
        while True:
            connection, _ = listener.accept()
            came.append(address)
            connection.close()


def main(folder):
    made, key = certificate(folder, HOST)
    PublicServers(made, key)
    came = []
    for address in INSIDE.values():
        if not address.startswith("::ffff"):    # the same socket as its IPv4 address
            threading.Thread(target=count, args=(address, came), daemon=True).start()
    # Who agrees to a host does not agree to any address of it.
    agreed = {name: {"endpoint_hosts": ["shared.inside.test"]} for name in ENDPOINTS}
    text = "".join(mcp(f"https://{HOST}/{name}/mcp", name.replace("_", "-"), ca_file=str(made), **agreed.get(name, {})) for name in ROWS if name != "named")
    text += mcp(f"https://{HOST}/named/mcp", "named", ca_file=str(made), issuer="https://private.inside.test/x")
    daemon = Daemon(folder / "daemon", text, port=free_port()).start()
    results = {}
    try:
        for name in ROWS:
            came.clear()
            done = run(daemon, "mcp", "check", name.replace("_", "-"))
            results[name] = {"status": done.returncode, "said": done.stdout + done.stderr, "connections": list(came)}
        for name in ENDPOINTS:
            came.clear()
            results[name] |= {"signed in": sign_in(daemon, name.replace("_", "-")), "connections": list(came)}
    finally:
        daemon.stop()
    json.dump(results, sys.stdout)


def sign_in(daemon, name):
    """What is said in the end; the page is not opened, but answered as its server would."""
    try:
        pending = SignIn(daemon, providerID=name, intent="keep")
        asked = parameters(pending.url)
        browser().get(asked["redirect_uri"], params={"code": "c", "state": asked["state"], "iss": f"https://{HOST}/{name.replace('-', '_')}"}, timeout=30)
        return str(pending.completed())
    except VarlinkError as error:
        return str(error)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
