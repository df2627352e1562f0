#!/usr/bin/env python3
"""What Benchmarks/run.sh measures, in one table each. The argument is a directory with the programs."""
import html.parser
import http.client
import json
import os
import pathlib
import signal
import socket
import statistics
import subprocess
import sys
import time
import urllib.parse

WORK = pathlib.Path(sys.argv[1])
CONFIG = '[callback]\nport = 0\n[sign-in]\nbrowser = "none"\n[store]\nkey = "file"\n[daemon]\nlog-level = "error"\n'


def call(path, method, parameters=None, **flags):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(str(path))
    connection.sendall(json.dumps({"method": f"io.postern.{method}", "parameters": parameters or {}, **flags}).encode() + b"\0")
    buffer = b""
    while not buffer.endswith(b"\0"):
        data = connection.recv(65536)
        if not data:
            raise EOFError
        buffer += data
    connection.close()
    return json.loads(buffer[:-1])


class Daemon:
    def __init__(self, name, config=""):
        self.directory = WORK / name
        self.directory.mkdir()
        self.config = self.directory / "config.toml"
        self.config.write_text(CONFIG + config)
        self.config.chmod(0o600)
        self.socket = self.directory / "s"
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [WORK / "posternd", "--config", self.config, "--socket", self.socket, "--state-directory", self.directory / "state"])
        while True:
            try:
                call(self.socket, "GetStatus")
                return self
            except OSError:
                time.sleep(0.0005)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def latency(path, mode, clients, message):
    calls = max(20000 // clients, 200)
    out = subprocess.run([WORK / "latency", path, mode, str(clients), str(calls), message], capture_output=True, text=True, check=True).stdout
    p50, p99, rate, _, size = out.split()
    return float(p50), float(p99), float(rate), int(size)


def round_trips(daemon, title, message):
    size = latency(daemon.socket, "kept", 1, message)[3]
    echo = subprocess.Popen([WORK / "echo-server", WORK / "echo", str(size - 1)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    echo.stdout.readline()
    print(f"\n{title}: {len(message) + 1} bytes in, {size} out (µs; calls/s)")
    print(f"{'':22}{'C echo p50':>11}{'p99':>8}{'calls/s':>9}{'postern p50':>13}{'p99':>8}{'calls/s':>9}{'ratio p50':>11}")
    for mode, words in (("kept", "kept connection"), ("percall", "connection a call")):
        for clients in (1, 8, 64):
            rounds = [(latency(WORK / "echo", mode, clients, message), latency(daemon.socket, mode, clients, message)) for _ in range(5)]
            control, ours = ([statistics.median(r[side][i] for r in rounds) for i in range(3)] for side in (0, 1))
            ratio = statistics.median(r[1][0] / r[0][0] for r in rounds)
            print(f"{words + f', {clients}':22}{control[0]:11.1f}{control[1]:8.1f}{control[2]:9.0f}{ours[0]:13.1f}{ours[1]:8.1f}{ours[2]:9.0f}{ratio:11.2f}")
    echo.stdin.close()
    echo.wait()


class Form(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.fields = {}

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "input" and values.get("type") == "hidden":
            self.fields[values["name"]] = values["value"]


def get(url, method="GET", body=None):
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc)
    headers = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
    connection.request(method, parts.path + ("?" + parts.query if parts.query else ""), body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.getheader("Location"), text


def sign_in(path):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(str(path))
    connection.sendall(json.dumps({"method": "io.postern.SignIn", "parameters": {"providerID": "demo", "presentation": "client"}, "more": True}).encode() + b"\0")
    file = connection.makefile("rb")

    def event():
        message = b""
        while not message.endswith(b"\0"):
            message += file.read(1)
        return json.loads(message[:-1])

    page = event()["parameters"]["event"]["authorizationURL"]
    form = Form()
    form.feed(get(page)[2])
    decision = urllib.parse.urljoin(page, "/authorize/decision")
    callback = get(decision, "POST", urllib.parse.urlencode({**form.fields, "person": "ada"}))[1]
    start = time.perf_counter()
    get(callback)
    while "error" not in (reply := event()) and reply.get("continues"):
        pass
    if "error" in reply:
        raise RuntimeError(reply)
    connection.close()
    return time.perf_counter() - start


def main():
    provider = subprocess.Popen([WORK / "postern-demo-provider", "--port", "0", "--exit-with-stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    issuer = provider.stdout.readline().split()[1]
    config = f'[provider.demo]\nkind = "oidc"\nissuer = "{issuer}"\nclient-id = "postern-demo"\nserves = ["{issuer}"]\n'
    daemon = Daemon("daemon", config).start()

    times, begin = [], time.perf_counter()
    for _ in range(50):
        times.append(sign_in(daemon.socket))
    seconds = time.perf_counter() - begin
    print(f"whole sign-ins against the demo provider: {50 / seconds:.0f} a second; from the callback's GET to the client's token: "
          f"p50 {statistics.median(times) * 1000:.1f} ms, the provider's own time and the disk's within")

    round_trips(daemon, "GetStatus", '{"method":"io.postern.GetStatus"}')
    round_trips(daemon, "GetAccessToken, cached", '{"method":"io.postern.GetAccessToken","parameters":{"providerID":"demo"}}')

    print("\nwhole processes, 40 runs each (ms, p50)")
    environment = {**os.environ, "POSTERN_SOCKET": str(daemon.socket)}
    # What git asks, and what the helper that comes with git answers out of its own daemon's memory.
    origin = urllib.parse.urlsplit(issuer)
    question = f"protocol={origin.scheme}\nhost={origin.netloc}\n"
    cache = ["git", "credential-cache", "--socket", WORK / "cache" / "socket"]
    (WORK / "cache").mkdir(mode=0o700)
    subprocess.run([*cache, "store"], input=question + "username=u\npassword=p\n", text=True, check=True)
    commands = {
        "/bin/true": (["/bin/true"], ""), "postern token demo": ([WORK / "postern", "token", "demo"], ""),
        "postern helper git get": ([WORK / "postern", "helper", "git", "get"], question),
        "the same, without a daemon": ([WORK / "postern", "helper", "git", "get"], question),
        "git credential-cache get": ([*cache, "get"], question), "postern status": ([WORK / "postern", "status"], ""),
        # What a shell runs at TAB.
        "completing postern token": ([WORK / "postern", "---completion", "token", "--", "positional@0", "2", "0", "postern", "token", ""], ""),
        "completing postern attach": ([WORK / "postern", "---completion", "attach", "--", "positional@0", "2", "0", "postern", "attach", ""], ""),
    }
    taken = {name: [] for name in commands}
    for _ in range(40):
        for name, (command, stdin) in commands.items():
            nowhere = {"POSTERN_SOCKET": str(WORK / "nowhere")} if "without" in name else {}
            begin = time.perf_counter()
            done = subprocess.run(command, env={**environment, **nowhere}, input=stdin, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            taken[name].append((time.perf_counter() - begin) * 1000)
            if (done.returncode != 0) != bool(nowhere) or ("password=" in done.stdout) != ("get" in name and not nowhere):
                raise RuntimeError(f"{name}: {done}")
    subprocess.run([*cache, "exit"], check=True)
    for name, values in taken.items():
        print(f"  {name:28}{statistics.median(values):6.1f}")

    fresh = Daemon("fresh")
    starts = []
    for _ in range(20):
        begin = time.perf_counter()
        fresh.start()
        starts.append((time.perf_counter() - begin) * 1000)
        fresh.stop()
    print(f"\nfrom the start of the process to the first answer: p50 {statistics.median(starts[1:]):.1f} ms (with a new store: {starts[0]:.1f} ms)")

    for name, target in (("idle, fresh", fresh.start()), ("idle, after the above", daemon)):
        pid = target.process.pid
        rollup = dict(line.split(":") for line in open(f"/proc/{pid}/smaps_rollup").read().splitlines()[1:])
        threads = os.listdir(f"/proc/{pid}/task")

        def switches():
            return sum(int(line.split()[1]) for t in threads for line in open(f"/proc/{pid}/task/{t}/status") if line.startswith("voluntary_ctxt"))

        before = switches()
        time.sleep(20)
        wakes = (switches() - before) * 3
        print(f"{name}: PSS {rollup['Pss'].split()[0]} kB, private dirty {rollup['Private_Dirty'].split()[0]} kB, anonymous "
              f"{rollup['Anonymous'].split()[0]} kB, {len(threads)} threads, {wakes} wake-ups a minute")
        target.stop()
    provider.stdin.close()
    provider.wait()


if __name__ == "__main__":
    main()
