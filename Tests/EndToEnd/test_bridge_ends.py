"""The bridge where something ends in the middle: an answer, a process, a pipe, a reader's patience. No call without an answer, none twice."""
import collections
import ctypes
import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import pytest
from awkward_mcp import json_of, once, stream_of
from bridge_fixtures import bridge, bridges, daemon, gate, place, server, servers, sign_in, text_of, unused  # noqa: F401
from bridges import Bridge
from commands import POSTERN, environment
from mcp_servers import AGREES, Server, mcp
from other_user import looks_inside
from postern import BIN, FAKETIME, free_port, wait_for

KIB = 1024


def may_have_happened(answer):
    assert "may have been carried out" in answer["error"]["message"], answer
    return answer


# ---- Cut ---------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [stream_of, json_of])
def test_an_answer_that_is_cut_is_one_answer_or_one_error(server, bridge, answer):
    """Before its end, within its head and its body, and nowhere."""
    server.plays(tools__call=lambda visit: (visit.write(answer(visit.id)[:visit.body["params"]["arguments"]["at"]]), visit.cut()))
    bridge.number = 999         # numbers of four digits, so that all answers are of one length
    whole = answer(1000)
    head = whole.index(b"\r\n\r\n") + 4
    for at in [0, 1, head - 1, head, head + 30, len(whole) - 40, len(whole)]:
        id = bridge.call("x", {"at": at})
        got = bridge.answer(id)
        if at == len(whole):
            assert got["result"] == {"n": 1}
        else:
            may_have_happened(got)
        assert not bridge.readable(0)
    once(server)


def test_a_stream_with_event_ids_is_resumed_wherever_it_is_cut(server, bridge):
    """At the end of an event, and within one: the client misses none, and has none twice."""
    events = {}

    def text(number, id, last):
        done = {"jsonrpc": "2.0", "id": id, "result": {"n": 3}}
        progress = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": id, "progress": number}}
        return f"id: {id}-{number}\nretry: 1\ndata: {json.dumps(done if last else progress)}\n\n"

    def all_of(id):
        return [f"id: {id}-0\nretry: 1\ndata: \n\n", *(text(number, id, number == 3) for number in range(1, 4))]

    def call(visit):
        events[str(visit.id)] = all_of(visit.id)
        whole = "".join(all_of(visit.id)).encode()[:visit.body["params"]["arguments"]["at"]]
        visit.stream()
        if whole:
            visit.chunk(whole)
        visit.cut()

    def get(visit):
        if "last-event-id" not in visit.headers:
            return visit.send(405)
        id, number = visit.headers["last-event-id"].split("-")
        visit.stream()
        visit.chunk("".join(events[id][int(number) + 1:]).encode())
        visit.end()

    server.plays(tools__call=call, GET=get)
    bridge.number = 999
    first, second, third, last = itertools.accumulate(map(len, all_of(1000)))
    for at in [0, first - 1, first, first + 20, second, third - 1, third, last]:
        id, numbers = bridge.call("x", {"at": at}), []
        while "method" in (message := bridge.message()):
            numbers.append(message["params"]["progress"])
        assert message["id"] == id
        if at >= first:
            assert (message.get("result"), numbers) == ({"n": 3}, [1, 2]), (at, message)
        else:
            may_have_happened(message)
    once(server)


def test_a_connection_closed_by_the_server_is_not_reused(server, bridge):
    """As servers close idle ones: the next call comes on a new connection, and is not lost."""
    server.plays(ping=lambda visit: (visit.result(), visit.cut()))
    for number in range(3):
        assert bridge.ask("ping")["result"] == {}
        # A call that crosses the end on its way has an error: the server may have carried it out.
        assert server.came("ping")[-1].ended.wait(20)
        assert text_of(bridge.answer(bridge.call(f"n{number}"))) == f"n{number}"
    once(server)


# ---- Full pipes and slow readers -------------------------------------------------


def stands(done):
    """Whether nothing is added any more. That something waits cannot be seen from outside; it is asked for again until it does."""
    before = len(done)
    time.sleep(0.2)
    return before and before == len(done)


@looks_inside
def test_64_mb_for_a_slow_reader_are_not_held_in_memory(server, bridge):
    count, size = 1024, 64 * KIB
    body, sent = "x" * size, []

    def answer(visit):
        visit.stream()
        for number in range(count):
            visit.progress(number, body)
            sent.append(number)
        visit.done()
        visit.end()

    server.plays(tools__call=answer)
    bridge.ask("ping")
    before = bridge.memory()
    id, took = bridge.call("x"), 0

    most = 0
    while "method" in (message := bridge.message()):
        assert message["params"]["progress"] == took and len(message["params"]["message"]) == size
        took += 1
        if took % 64 == 0:
            most = max(most, bridge.memory())
            time.sleep(0.02)        # slower than the server
    assert message["id"] == id and took == count
    assert most - before < 8 * KIB, f"{before} KiB before, {most} KiB while it passed"


@looks_inside
def test_a_client_that_stops_reading_pauses_the_server_and_loses_nothing(daemon, server, bridges):
    """No reader at first, then one that takes a byte now and then, then a byte at a time, then all."""
    count, body, sent = 256, "x" * 64 * KIB, []

    def answer(visit):
        visit.stream()
        for number in range(count):
            visit.progress(number, body)
            sent.append(number)
        visit.done()
        visit.end()

    server.plays(tools__call=answer)
    bridge = bridges(server)
    output = bridge.process.stdout.fileno()
    bridge.send({"jsonrpc": "2.0", "id": 1, "method": "initialize",
                 "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}})
    line = b""
    while not line.endswith(b"\n"):
        line += os.read(output, 1)
    bridge.notify("notifications/initialized")
    bridge.send({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "x", "arguments": {}}})

    wait_for(lambda: stands(sent), what="a server that waits for the client")
    assert len(sent) < count / 2, "it was all taken into memory, though nobody reads"
    held = bridge.memory()
    line = bytearray()
    for _ in range(5):
        line += os.read(output, 1)
        time.sleep(0.05)
    assert len(sent) < count / 2
    for _ in range(5000):
        line += os.read(output, 1)
    while b"\n" not in line:
        line += os.read(output, KIB)
    begin = line.index(b"\n") + 1
    assert json.loads(line[:begin])["params"]["progress"] == 0
    rest = bytearray(line[begin:])
    while not rest.endswith(b'"}]}}\n'):
        rest += os.read(output, 1 << 20)
    messages = [json.loads(each) for each in rest.splitlines()]
    assert [each["params"]["progress"] for each in messages[:-1]] == list(range(1, count)) and messages[-1]["id"] == 2
    assert held < 40 * KIB, f"{held} KiB"


@looks_inside
def test_a_server_that_stops_reading_pauses_the_client_and_loses_nothing(server, bridges, gate):
    """Back-pressure the other way: requests of 1 MiB to a server that does not answer at first."""

    def answer(visit):
        gate.wait(60)
        visit.text(str(len(visit.raw)))

    server.plays(tools__call=answer)
    bridge = bridges(server)
    bridge.initialize()
    before = bridge.memory()
    ids = []

    def send():
        for _ in range(100):
            ids.append(bridge.call("x", {"t": "x" * (1 << 20)}))

    sender = threading.Thread(target=send, daemon=True)
    sender.start()

    wait_for(lambda: stands(ids), what="a client that waits")
    assert len(ids) < 100 and bridge.memory() - before < 90 * KIB
    gate.set()
    got = [bridge.message() for _ in range(100)]
    sender.join(20)
    assert sorted(each["id"] for each in got) == sorted(ids)
    assert not [each for each in got if "result" not in each]
    once(server)


# ---- The end of a client ---------------------------------------------------------


def busy(server, bridge):
    """A call under way, and the server's stream."""
    def wait(visit):
        visit.stream()
        visit.progress(1)
        visit.until_gone()

    server.plays(tools__call=wait, GET=lambda visit: visit.stream().until_gone())
    bridge.initialize()
    server.next("GET")
    bridge.call("x")
    assert bridge.message()["method"] == "notifications/progress"


def test_the_bridge_exits_at_end_of_input_and_ends_the_session(server, bridges):
    bridge = bridges(server)
    busy(server, bridge)
    seconds, status = bridge.close()
    assert seconds < 1 and status == 0
    ended = server.next("DELETE")
    assert ended.headers["mcp-session-id"] == server.sessions[-1]
    assert bridge.line() is None


CLIENT = """
import subprocess, sys, time
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
child.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\\n')
child.stdin.flush()
print(child.pid, flush=True)
time.sleep(60)
"""


def test_no_bridge_survives_a_killed_client(daemon, server):
    client = subprocess.Popen([sys.executable, "-c", CLIENT, POSTERN, "mcp", "run", server.name], stdout=subprocess.PIPE, text=True, env=environment(daemon))
    pid = int(client.stdout.readline())
    server.next("ping")
    children = descendants(pid)
    client.kill()
    client.wait()
    client.stdout.close()
    wait_for(lambda: not any(alive(each) for each in {pid, *children}), what="the end of the bridge")


def descendants(pid):
    found = set()
    for each in os.listdir("/proc"):
        if each.isdigit():
            try:
                parent = int(open(f"/proc/{each}/stat").read().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
            if parent == pid:
                found |= {int(each), *descendants(int(each))}
    return found


def alive(pid):
    try:
        return open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


# ---- kill -9 of each in turn ------------------------------------------------------


def test_killing_the_daemon_and_the_bridge_in_turn_loses_no_call_silently(make_daemon, place, gate):
    """The daemon, the bridge, and again; the server is told each call once."""
    own = make_daemon(mcp(place.url, place.name), browser=AGREES, port=free_port()).start()
    sign_in(own, place.name)
    bridge = Bridge(own, name=place.name)
    try:
        bridge.initialize()
        assert text_of(bridge.answer(bridge.call("before"))) == "before"
        own.kill()
        answer = bridge.answer(bridge.call("without"))
        assert "error" in answer and not [visit for visit in place.came("tools/call") if visit.id == answer["id"]]
        own.start()
        assert text_of(bridge.answer(bridge.call("after"))) == "after"
        # In the middle of a call.
        place.plays(tools__call=lambda visit: (gate.wait(60), visit.text("held")))
        id = bridge.call("held")
        place.next("tools/call")
        while place.visits[-1].body["params"]["name"] != "held":
            place.next("tools/call")
        own.kill()
        gate.set()
        assert text_of(bridge.answer(id)) == "held", "a call under way does not need the daemon"
        own.start()
        # The bridge: its client sees the end of the output, and nothing else ever comes for that call.
        gate.clear()
        id = bridge.call("lost")
        wait_for(lambda: any(visit.body["params"]["name"] == "lost" for visit in place.came("tools/call")), what="the call")
        os.kill(bridge.pid, signal.SIGKILL)
        assert bridge.line() is None
        gate.set()
        again = Bridge(own, name=place.name)
        try:
            again.initialize()
            place.plays()
            assert text_of(again.answer(again.call("anew"))) == "anew"
        finally:
            again.stop()
        names = collections.Counter(visit.body["params"]["name"] for visit in place.came("tools/call"))
        assert set(names.values()) == {1}, names
    finally:
        bridge.stop()


def test_calls_in_progress_fail_when_the_server_is_killed(make_daemon):
    port = free_port()
    options = {"features": True, "port": port, "settings": {"open": False}}
    started = Server("mcp_sdk_server.py", options)
    own = make_daemon(mcp(started.url), browser=AGREES, port=free_port()).start()
    sign_in(own, "work")
    bridge = Bridge(own)
    try:
        calls = [bridge.modern("tools/call", {"name": "wait", "arguments": {}}) for _ in range(3)]
        wait_for(lambda: started.state()["waiting"] == 3, what="three calls")
        started.process.kill()
        started.process.wait()
        for id in calls:
            may_have_happened(bridge.answer(id))
        message = bridge.answer(bridge.modern("tools/call", {"name": "echo", "arguments": {"text": "x"}}))["error"]["message"]
        assert "may have been" not in message and str(port) in message, "it was not there: nothing was sent"
    finally:
        bridge.stop()
        started.process.stdin.close()
        started.process.stdout.close()


# ---- A machine that sleeps ---------------------------------------------------------


def test_a_stopped_bridge_continues_where_it_was(server, bridge):
    """In a stream, and with connections that the server has closed meanwhile."""
    count, sent, go = 200, [], threading.Event()

    def answer(visit):
        visit.stream()
        for number in range(count):
            visit.progress(number, "x" * 16 * KIB)
            sent.append(number)
        visit.done()
        visit.end()
        visit.cut()
        go.set()

    server.plays(tools__call=answer)
    bridge.ask("ping")
    os.kill(bridge.pid, signal.SIGSTOP)
    id = bridge.call("x")
    os.kill(bridge.pid, signal.SIGCONT)
    assert bridge.message()["params"]["progress"] == 0
    os.kill(bridge.pid, signal.SIGSTOP)
    time.sleep(0.2)         # what a laptop's sleep is; nothing is waited for
    os.kill(bridge.pid, signal.SIGCONT)
    assert [bridge.message()["params"]["progress"] for _ in range(count - 1)] == list(range(1, count))
    assert text_of(bridge.answer(id)) == "done" and go.wait(20)
    server.plays()
    assert text_of(bridge.answer(bridge.call("awake"))) == "awake"
    once(server)


def test_a_clock_that_runs_too_fast_changes_nothing(server, bridges):
    """Every second is an hour of the clock that people see; what the bridge waits for is counted by the one that nobody sets."""
    bridge = bridges(server, program=("env", str(BIN / "postern-mcp"), "stdio"), LD_PRELOAD=FAKETIME, FAKETIME="-400d x3600", FAKETIME_DONT_FAKE_MONOTONIC="1")
    bridge.initialize()

    def answer(visit):
        visit.stream()
        for number in range(5):
            visit.progress(number)
            time.sleep(0.05)        # three minutes
        visit.done()
        visit.end()

    server.plays(tools__call=answer)
    id = bridge.call("x")
    assert [bridge.message()["params"]["progress"] for _ in range(5)] == list(range(5))
    assert text_of(bridge.answer(id)) == "done"
    server.plays()
    assert text_of(bridge.answer(bridge.call("later"))) == "later"
    once(server)


# ---- What it gives up -----------------------------------------------------------------

# Runs in the program, and does on SIGUSR2 what it has given up.
PROBE = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <errno.h>

static char path[4096];

static int error_of(long result) { return result < 0 ? errno : 0; }

static void probe(int number) {
    char line[100];
    char *const none[] = {NULL};
    int read = error_of(open(path, O_RDONLY)), run = error_of(execve("/bin/true", none, none)), ring = error_of(syscall(425, 1, NULL));
    int length = snprintf(line, sizeof line, "probe %d %d %d\n", read, run, ring);
    write(2, line, length);
}

__attribute__((constructor)) static void install(void) {
    snprintf(path, sizeof path, "%s/notes", getenv("HOME"));
    struct sigaction action = {.sa_handler = probe, .sa_flags = SA_RESTART};
    sigaction(SIGUSR2, &action, NULL);
}
"""


def test_the_bridge_reads_no_user_files_and_starts_no_program(server, bridges, tmp_path):
    (tmp_path / "notes").write_text("mine")
    (tmp_path / "probe.c").write_text(PROBE)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(tmp_path / "probe.so"), str(tmp_path / "probe.c")], check=True)
    bridge = bridges(server, program=(str(BIN / "postern-mcp"), "stdio"), HOME=str(tmp_path), LD_PRELOAD=str(tmp_path / "probe.so"))
    assert "result" in bridge.initialize()
    status = dict(line.split(":\t") for line in pathlib.Path(f"/proc/{bridge.pid}/status").read_text().splitlines() if ":\t" in line)
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    os.kill(bridge.pid, signal.SIGUSR2)
    wait_for(lambda: b"probe" in bridge.words and bridge.words.endswith(b"\n"))
    read, run, ring = map(int, bridge.words.split()[-3:])
    assert (run, ring) == (1, 1)        # EPERM
    # EACCES; a kernel without Landlock cannot refuse it.
    assert read == 13 or ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1) < 1
