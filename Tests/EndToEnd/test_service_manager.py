"""A service manager that is slow to read what it is told."""
import signal
import socket
import time

from postern import wait_for


def test_a_service_manager_that_does_not_read_blocks_nothing_and_is_notified_later(make_daemon, tmp_path):
    path = str(tmp_path / "notify")
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(path)
    manager.setblocking(False)
    others = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    others.setblocking(False)
    try:
        for _ in range(100_000):
            others.sendto(b"STATUS=somebody else", path)
        raise AssertionError("the queue has no end here")
    except BlockingIOError:
        pass

    def told():
        messages = []
        try:
            while True:
                messages.append(manager.recv(4096).decode())
        except BlockingIOError:
            return [message for message in messages if "somebody else" not in message]

    daemon = make_daemon(environment={"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "200000"}).start()
    # Longer than the watchdog's interval, which blocked the loop as well.
    end = time.monotonic() + 1
    while time.monotonic() < end:
        assert daemon.client(timeout=5).call("GetStatus")["version"]
        daemon.process.send_signal(signal.SIGHUP)
        time.sleep(0.02)
    heard = told()
    wait_for(lambda: heard.extend(told()) or any(m.startswith("READY=1") for m in heard), what="READY=1")
    wait_for(lambda: heard.extend(told()) or heard.count("WATCHDOG=1") > 1, what="WATCHDOG=1")
    daemon.process.send_signal(signal.SIGTERM)
    assert daemon.process.wait(20) == 0
    heard.extend(told())
    assert "STOPPING=1" in heard
    reloads = [m.split("=")[0] for m in heard if m.startswith(("RELOADING", "READY"))]
    assert reloads[-1] == "READY", reloads
