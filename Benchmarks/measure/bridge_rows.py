"""A client's call through the bridge, beside the same call through nginx as a relay with the same TLS, and through mcp-proxy with a fixed header."""
import statistics
import time

import bridge_setting
from table import Figure

NGINX, PROXY = "nginx as a relay", "mcp-proxy"
MCP_PROXY = str(bridge_setting.ROOT / ".venv-benchmarks/bin/mcp-proxy")
UNDER_WAY = 64


def middle(way, calls):
    """Microseconds of a call, the median."""
    for _ in range(max(calls // 10, 2)):
        way.call()
    times = []
    for _ in range(calls):
        begin = time.perf_counter()
        way.call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times) * 1e6


class Bridge:
    """Added time is above that of the same client on a TLS connection of its own."""

    beside_nginx = Figure("a call through the bridge, added time, p50", "µs", NGINX, "ratio", 300)
    beside_proxy = Figure("the same, beside a proxy for stdio", "µs", PROXY, "ratio", 1 / 3, "ratio")
    rate = Figure("64 calls under way, calls a second", "", NGINX, "ratio", more=True)
    start = Figure("from its start to the first answer", "ms", PROXY, "ratio", 30)
    memory = Figure("private memory, at most, while 1 GB passes in messages of 64 KiB", "MB", aim=8)
    small = Figure("the same, in messages of 1 KiB", "MB", aim=8)

    def __init__(self, build):
        self.build = build
        self.server = build.shared("mcp", lambda: bridge_setting.Server(build))
        self.ways = {"direct": self.server.direct(), "bridge": self.server.bridge(), NGINX: self.server.relayed(), PROXY: self.proxy()}

    def proxy(self):
        return self.server.mcp_proxy(MCP_PROXY)

    def round(self):
        calls = self.build.times(3000)
        took = {name: middle(way, calls // 10 if name == PROXY else calls) for name, way in self.ways.items()}
        added = {name: value - took["direct"] for name, value in took.items()}
        figures = {self.beside_nginx: (added["bridge"], added[NGINX]), self.beside_proxy: (added["bridge"], added[PROXY])}
        count = self.build.times(20_000)
        relays = [self.server.relayed() for _ in range(UNDER_WAY)]
        figures[self.rate] = (count / self.ways["bridge"].flood(count, UNDER_WAY), count / bridge_setting.flood(relays, count))
        for each in relays:
            each.close()
        figures[self.start] = (self.first(self.server.bridge), self.first(self.proxy))
        figures[self.memory] = (self.most(64 << 10), 0)
        figures[self.small] = (self.most(1 << 10), 0)
        return figures

    def first(self, make):
        """Milliseconds, the median of some starts."""
        times = []
        for _ in range(5):
            way = make()
            times.append(way.first * 1000)
            way.close()
        return statistics.median(times)

    def most(self, size):
        way, seen = self.server.bridge(), []
        way.call()
        count = self.build.times((1 << 30) // size)
        passed = way.stream(count, size, lambda: seen.append(way.memory()))
        way.close()
        if passed < count * (size - 16):
            raise RuntimeError(f"only {passed} bytes passed")
        return max(seen)

    def close(self):
        for way in self.ways.values():
            way.close()
