import contextlib
import os
import signal
import subprocess

import pytest

from postern import BIN, Daemon, oidc

# A shell that runs the tests in the background ignores Ctrl-C, and the programs that they start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Files of more than half a minute. They come first, so that none of them is left for the end, when nothing runs beside it.
LONG = (
    "device", "unresponsive", "lock", "exec", "canaille", "accounts", "mcp",
    "python_package", "accounts_cli", "moving_from", "url_scheme", "bridge", "browser", "attention", "many_clients", "completion", "crash")


def pytest_collection_modifyitems(config, items):
    # What only a release needs, and an ordinary change does not break.
    if not os.environ.get("POSTERN_RELEASE"):
        left_out = [item for item in items if item.get_closest_marker("release")]
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)
    rank = {f"test_{name}": number for number, name in enumerate(LONG)}
    items.sort(key=lambda item: rank.get(item.path.stem, len(rank)))


@pytest.fixture
def make_daemon(tmp_path):
    """Starts a test's daemons, which end with it."""
    daemons = []

    def make(config="", **options):
        daemon = Daemon(tmp_path / f"daemon{len(daemons)}", config, **options)
        daemons.append(daemon)
        return daemon

    yield make
    for daemon in daemons:
        with contextlib.suppress(Exception):
            daemon.stop()


@pytest.fixture
def make_provider():
    """Starts a test's demo providers; each is a process that exits at the end of its standard input."""
    processes = []

    def make(*arguments):
        process = subprocess.Popen(
            [str(BIN / "postern-demo-provider"), "--port", "0", "--exit-with-stdin", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        processes.append(process)
        line = process.stdout.readline().split()
        assert line and line[0] == "listening", line
        make.processes[line[1]] = process
        return line[1]

    make.processes = {}
    yield make
    for process in processes:
        process.stdin.close()
        process.wait(10)


@pytest.fixture
def demo_provider(make_provider):
    """The issuer of a demo provider without options."""
    return make_provider()


@pytest.fixture
def confidential_provider(make_provider, tmp_path):
    """The issuer of a demo provider whose client has the secret `right`."""
    secret = tmp_path / "in.secret"
    secret.write_text("right\n")
    secret.chmod(0o600)
    return make_provider("--client-secret-file", str(secret))


@pytest.fixture
def demo(make_daemon, demo_provider):
    """A running daemon that knows the demo provider as `demo`."""
    return make_daemon(oidc(demo_provider)).start()


@pytest.fixture
def system(tmp_path):
    root = tmp_path / "system"
    (root / "etc/postern/config.d").mkdir(parents=True)
    (root / "usr/share/postern/providers.d").mkdir(parents=True)
    return root


@pytest.fixture(scope="module")
def chromium():
    """A real headless browser: one for all tests of a module, since it starts slowly."""
    import chromium as browsers

    if not browsers.AVAILABLE:
        pytest.skip("needs Debian's chromium and chromium-driver")
    with browsers.chromium() as driver:
        yield driver
