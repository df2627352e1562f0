"""An account whose tokens are for a server of the test, and the helpers of programs that use it."""
import contextlib
import os
import pathlib
import subprocess

from commands import POSTERN, environment, run
from helpers import links
from postern import BIN, Daemon, oidc
from signing_in import sign_in


@contextlib.contextmanager
def shared(folder, *serves, more="", name="demo"):
    """A daemon that has ada's tokens of a demo provider, for those URLs; one for all tests of a module that change nothing there."""
    provider = subprocess.Popen(
        [str(BIN / "postern-demo-provider"), "--port", "0", "--exit-with-stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    issuer = provider.stdout.readline().split()[1]
    daemon = Daemon(folder, oidc(issuer, name, **({"serves": list(serves)} if serves else {})) + more).start()
    daemon.issuer = issuer
    try:
        sign_in(daemon, providerID=name)
        yield daemon
    finally:
        daemon.stop()
        provider.stdin.close()
        provider.wait(10)


def signed_in(make_daemon, issuer, *serves, more=""):
    """A daemon that has ada's tokens of the demo provider, for those URLs."""
    daemon = make_daemon(oidc(issuer, serves=list(serves)) + more).start()
    sign_in(daemon)
    return daemon


def token_of(daemon):
    return run(daemon, "token", "demo").stdout.strip()


def link(directory, name):
    """Links `postern` under the name by which another program looks for its helper."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    return links(directory, name) / name


def helper(daemon, *arguments, stdin=b"", **more):
    """Runs `postern helper` once: the exit status, bytes of standard output, text of standard error."""
    done = subprocess.run([POSTERN, "helper", *arguments], input=stdin, capture_output=True, timeout=60, env=environment(daemon, **more))
    return done.returncode, done.stdout, done.stderr.decode()


def at_home(daemon, home, *directories, **more):
    """The environment of another program: its own home, and directories that come first in its search path."""
    home = pathlib.Path(home)
    home.mkdir(exist_ok=True)
    return environment(daemon, HOME=str(home), PATH=":".join([*map(str, directories), os.environ["PATH"]]), **more)
