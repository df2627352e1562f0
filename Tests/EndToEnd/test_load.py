"""An hour's worth of calls in a short time. POSTERN_LOAD_CALLS=200000 is the long form; this one is over in about a minute."""
import asyncio
import collections
import os

import pytest
from load import HELD, Load, Provider, anonymous_memory
from other_user import looks_inside
from postern import wait_for

CALLS = int(os.environ.get("POSTERN_LOAD_CALLS", "4000"))
# What is kept of sign-ins, connections and answers has reached its limits after so many calls; a leak goes on.
# Of those that wait at the same time nothing is kept: what is freed is given back when clients no longer come and go.
WARM_UP, GROWTH_KIB = 4000, 4096


@pytest.fixture
def provider():
    provider = Provider(seed=1)
    yield provider
    provider.close()


def descriptors(daemon):
    return len(os.listdir(f"/proc/{daemon.process.pid}/fd"))


async def settled_memory(daemon, enough=0):
    """KiB: the lowest of some seconds, while all connections stay and nothing is asked; or the first that is below what is enough."""
    lowest = anonymous_memory(daemon)
    for _ in range(40):
        if lowest < enough:
            break
        await asyncio.sleep(0.1)
        lowest = min(lowest, anonymous_memory(daemon))
    return lowest


@looks_inside
def test_256_connections_get_correct_replies_and_leak_no_memory(make_daemon, provider):
    daemon = make_daemon(provider.config()).start()
    load = Load(daemon, provider, seed=2)

    async def everything():
        # For a daemon that answers no more; no figure.
        async with asyncio.timeout(300 + CALLS / 10):
            await load.prepare()
            await load.run(WARM_UP)
            warm = await settled_memory(daemon)
            await load.run(CALLS)
            after = await settled_memory(daemon, warm + GROWTH_KIB)
            await load.finish()
            return warm, after

    quiet = descriptors(daemon)
    warm, after = asyncio.run(everything())
    print(f"{load.done.total()} calls; anonymous memory {warm} KiB after {WARM_UP} calls, {after} KiB at the end")
    assert load.done.total() == WARM_UP + CALLS
    assert after < warm + GROWTH_KIB

    # All monitors saw the same, and what happened.
    assert all(events == load.events[0] for events in load.events)
    kinds = collections.Counter(kind for kind, _, _ in load.events[0])
    assert kinds["signInCompleted"] == kinds["callbackReceived"] == kinds["resultDelivered"] == load.done["sign_in"]
    # Beside the cancelled ones, those whose clients went and that gave way to others.
    assert load.done["cancelled"] <= kinds["signInFailed"] <= load.done["cancelled"] + load.done["leave"]

    # Each refresh token went to the provider once, however many wanted a new token.
    assert not provider.reused
    assert HELD <= kinds["tokenRefreshed"] == provider.renewed

    # Some connections to the provider are kept for the next request.
    wait_for(lambda: descriptors(daemon) <= quiet + 8, what="the end of all connections")
    assert daemon.call("GetStatus")["users"] == daemon.call("GetStatus")["credentials"]
