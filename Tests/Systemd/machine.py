"""A booted systemd with a user whose service manager runs, in namespaces of its own; nothing of it is left when it ends."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

from tree import UID, USER, cache_directory, debian_tree

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE.parent.parent
RUNTIME = f"/run/user/{UID}"
HOME = f"/home/{USER}"
# Where a copy of the package's own files lies in the machine, as after a build.
SOURCE = "/opt/postern"

# Mounts are made in a mount namespace that ends with the machine, so that none can stay behind.
BOOT = """
set -eu
echo $$ >"$GROUP/cgroup.procs"
mount -t overlay overlay -o "lowerdir=$TREE,upperdir=$WORK/upper,workdir=$WORK/work" "$WORK/root"
umount -R /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount -t tmpfs tmpfs /run -o mode=755
exec setpriv --pdeathsig TERM systemd-nspawn --quiet --register=no --keep-unit --private-network \
    --machine=postern-tests --directory="$WORK/root" --boot --console=read-only
"""


class Failed(Exception):
    """A call was answered with an error."""

    def __init__(self, error, parameters):
        super().__init__(f"{error}: {parameters}")
        self.error = error
        self.parameters = parameters


def wait_until(condition, what, seconds=20):
    """What the condition gives back once it is true; it is looked at again and again, since nothing announces it."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.02)


class Machine:
    def __init__(self, binaries, suite="bookworm"):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="machine-", dir=cache_directory()))
        self.group = None
        self.process = None
        self.leader = None
        try:
            for name in ("upper", "work", "root"):
                (self.work / name).mkdir(mode=0o755)
            tree = debian_tree(suite)
            self._furnish(tree, pathlib.Path(binaries))
            self._boot(tree)
        except BaseException:
            self.close()
            raise

    def _furnish(self, tree, binaries):
        upper = self.work / "upper"
        source = upper / SOURCE.lstrip("/")
        for folder in ("packaging", "systemd", "docs"):
            shutil.copytree(PACKAGE / folder, source / folder, ignore=shutil.ignore_patterns(".build"))
        shutil.copy(HERE / "ask.py", source / "ask.py")
        shutil.copy(HERE / "probe.py", source / "probe.py")
        release = source / ".build" / "release"
        release.mkdir(parents=True)
        libraries = source / "lib"
        libraries.mkdir()
        for name in ("posternd", "postern", "postern-mcp", "postern-demo-provider"):
            shutil.copy(binaries / name, release / name)
            # A debug build wants Swift's libraries, which a Debian does not have.
            for line in subprocess.run(["ldd", binaries / name], check=True, capture_output=True, text=True).stdout.splitlines():
                words = line.split()
                if len(words) >= 3 and words[1] == "=>" and words[2].startswith("/"):
                    known = [tree / folder / words[0] for folder in ("usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu")]
                    if not any(path.exists() for path in known) and not (libraries / words[0]).exists():
                        shutil.copy(os.path.realpath(words[2]), libraries / words[0])
        configuration = upper / "etc" / "ld.so.conf.d"
        configuration.mkdir(parents=True)
        (configuration / "postern.conf").write_text(f"{SOURCE}/lib\n")

    def _boot(self, tree):
        with open("/proc/self/mounts") as mounts:
            groups = next((words[1] for words in map(str.split, mounts) if words[2] == "cgroup2"), None)
        assert groups, "no cgroup2 is mounted here"
        self.group = pathlib.Path(groups) / f"postern-tests-{os.getpid()}"
        self.group.mkdir(exist_ok=True)
        environment = dict(
            os.environ, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY="1", GROUP=str(self.group), TREE=str(tree), WORK=str(self.work))
        self.console = self.work / "console.log"
        with open(self.console, "wb") as console:
            self.process = subprocess.Popen(
                ["unshare", "--mount", "--propagation", "private", "bash", "-c", BOOT], env=environment, stdin=subprocess.DEVNULL,
                stdout=console, stderr=subprocess.STDOUT, start_new_session=True)
        self.leader = wait_until(self._find_leader, "the machine's first process", 30)
        wait_until(lambda: self._alive() and self.path(f"{RUNTIME}/systemd/private").exists(), "the user's service manager", 60)
        self.run("ldconfig", user="root")

    def _alive(self):
        status = self.process.poll()
        assert status is None, f"the machine ended with {status}:\n{self.console.read_text(errors='replace')}"
        return True

    def _find_leader(self):
        self._alive()
        process = self.process.pid
        for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split():
            with contextlib.suppress(OSError):
                if pathlib.Path(f"/proc/{child}/comm").read_text().strip() == "systemd":
                    return int(child)
        return None

    def close(self):
        if self.process is not None:
            # With its first process everything in a PID namespace ends, at once; systemd-nspawn follows.
            with contextlib.suppress(ProcessLookupError):
                if self.leader is not None:
                    os.kill(self.leader, signal.SIGKILL)
                else:
                    self.process.terminate()
            self.process.wait(60)
        if self.group is not None and self.group.exists():
            folders = [pathlib.Path(folder) for folder, _, _ in os.walk(self.group, topdown=False)]
            wait_until(lambda: all(map(_removed, folders)), "the end of the machine's control groups")
        shutil.rmtree(self.work, ignore_errors=True)

    # What happens inside.

    def path(self, inside):
        return pathlib.Path(f"/proc/{self.leader}/root") / str(inside).lstrip("/")

    def command(self, *words, user=USER, uid=UID, home=HOME):
        enter = ["nsenter", "-t", str(self.leader), "-a", "--"]
        if user == "root":
            return enter + ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LANG=C.UTF-8", *words]
        return enter + [
            "runuser", "-u", user, "--", "env", "-i", f"PATH={home}/.local/bin:/usr/bin:/bin", f"HOME={home}", f"USER={user}", "LANG=C.UTF-8",
            f"XDG_RUNTIME_DIR=/run/user/{uid}", f"DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/{uid}/bus", *words]

    def run(self, *words, check=True, timeout=60, **who):
        """Ends before this returns; who runs it, where it is not the user of most tests: `user`, `uid` and `home`."""
        done = subprocess.run(
            self.command(*words, **who), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=timeout)
        assert not check or done.returncode == 0, f"{' '.join(words)} ended with {done.returncode}: {done.stdout}{done.stderr}"
        return done

    def start(self, *words, **who):
        return subprocess.Popen(
            self.command(*words, **who), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def systemctl(self, *words, **options):
        return self.run("systemctl", "--user", *words, **options)

    def show(self, name, unit="postern.service"):
        return self.systemctl("show", "-P", name, unit).stdout.strip()

    def write(self, inside, text, mode=0o600, **who):
        """A file of the user's, or another's."""
        folder = os.path.dirname(inside)
        self.run("mkdir", "-p", "-m", "700", folder, **who)
        path = self.path(inside)
        path.write_text(text)
        path.chmod(mode)
        owner = who.get("uid", UID)
        os.chown(path, owner, owner)

    def journal(self, *matches):
        lines = self.run("journalctl", "--user", "--no-pager", "-o", "json", *matches).stdout.splitlines()
        return [json.loads(line) for line in lines]

    # Talking to the daemon.

    def ask(self, method, more=False, **parameters):
        """A call under way; each line of its output is a message."""
        words = ["python3", f"{SOURCE}/ask.py", "call", method if "." in method else f"io.postern.{method}", json.dumps(parameters)]
        return self.start(*words, *(["more"] if more else []))

    def call(self, method, **parameters):
        output, _ = self.ask(method, **parameters).communicate(timeout=60)
        return _reply(output)

    def get(self, path="/", host="127.0.0.1:7678"):
        """The status of the answer to a request."""
        done = self.run("python3", f"{SOURCE}/ask.py", "get", host, path, check=False)
        return int(done.stdout.split()[0]) if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


def _reply(line):
    try:
        message = json.loads(line)
    except ValueError:
        raise AssertionError(f"no answer: {line}") from None
    if "error" in message:
        raise Failed(message["error"], message.get("parameters", {}))
    return message["parameters"]


def _removed(folder):
    with contextlib.suppress(FileNotFoundError):
        try:
            folder.rmdir()
        except OSError:
            return False
    return True
