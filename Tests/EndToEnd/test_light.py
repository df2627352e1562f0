"""Light when idle: what a busy daemon leaves behind when its work is done."""
import os
from signing_in import sign_in



def threads(daemon):
    folder = f"/proc/{daemon.process.pid}/task"
    return sorted(open(f"{folder}/{name}/comm").read().strip() for name in os.listdir(folder))


def test_nothing_of_a_sign_in_runs_on_the_default_executor(demo):
    """Its threads would wake the process once a second for as long as it lives."""
    sign_in(demo)
    demo.call("GetAccessToken", {"providerID": "demo", "forceRefresh": True})
    demo.call("Reload")
    demo.call("RevokeCredential", {"providerID": "demo"})
    names = threads(demo)
    assert not [name for name in names if "qos" in name or "dispatch" in name], names


def test_short_connections_leave_no_memory_behind(demo):
    def anonymous():
        for line in open(f"/proc/{demo.process.pid}/status"):
            if line.startswith("RssAnon"):
                return int(line.split()[1])

    def calls(count):
        for _ in range(count):
            demo.call("GetStatus")

    calls(1000)
    before = anonymous()
    calls(4000)
    # Half a kilobyte for each would be two thousand.
    assert anonymous() - before < 1000
