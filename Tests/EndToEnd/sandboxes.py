"""Programs in sandboxes: of Flatpak, with an application and a runtime that are made here, and of bubblewrap, on which Flatpak is based."""
import os
import platform
import subprocess

from postern import ROOT

APP = "org.example.Tool"
RUNTIME = f"org.example.Runtime/{platform.machine()}/1"
METADATA = f"""[Application]
name={APP}
runtime={RUNTIME}
sdk={RUNTIME}
command=sign-in
"""


class Flatpak:
    """A user's installation, in a directory, with docs/programs/examples/sign-in.c as its application. It has no permissions at all."""

    def __init__(self, directory):
        self.directory, self.runtime = directory, directory / "run"
        self.runtime.mkdir(mode=0o700)
        repository = directory / "repository"
        # Flatpak calls the runtime's ldconfig before each start; Debian's needs no library, and the application is built likewise.
        (directory / "runtime" / "usr" / "bin").mkdir(parents=True)
        (directory / "runtime" / "files").mkdir()
        (directory / "runtime" / "metadata").write_text(f"[Runtime]\nname={RUNTIME.split('/')[0]}\nruntime={RUNTIME}\nsdk={RUNTIME}\n")
        subprocess.run(["cp", "/sbin/ldconfig", str(directory / "runtime" / "usr" / "bin")], check=True)
        (directory / "app" / "files" / "bin").mkdir(parents=True)
        (directory / "app" / "export").mkdir()
        (directory / "app" / "metadata").write_text(METADATA)
        programs = directory / "app" / "files" / "bin"
        (directory / "print-token.c").write_text('#include <stdio.h>\n#include <stdlib.h>\nint main() { puts(getenv("TOKEN")); }\n')
        for name, source in {"sign-in": ROOT / "docs" / "programs" / "examples" / "sign-in.c", "print-token": directory / "print-token.c"}.items():
            subprocess.run(["cc", "-static", "-o", str(programs / name), str(source), "-ljansson"], check=True, timeout=60)
        self.check("build-export", "--disable-sandbox", "--runtime", repository, directory / "runtime", "1")
        self.check("build-export", "--disable-sandbox", repository, directory / "app", "1")
        self.check("remote-add", "--user", "--no-gpg-verify", "local", repository)
        self.check("install", "--user", "--noninteractive", "local", f"{APP}//1")

    @property
    def environment(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "DBUS_"))}
        return environment | {"HOME": str(self.directory), "XDG_RUNTIME_DIR": f"/run/user/{os.getuid()}"}

    def session(self, *words):
        """A command in a session of the user: the sandbox sees the directory at the session's path, which must be the usual one."""
        script = f'mount -t tmpfs none /run && mkdir -p "$XDG_RUNTIME_DIR" && mount --bind {self.runtime} "$XDG_RUNTIME_DIR" && exec "$@"'
        return ["unshare", "--mount", "--propagation", "private", "sh", "-ec", script, "session", *map(str, words)]

    def call(self, *words):
        return subprocess.run(self.session("flatpak", *words), env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)

    def check(self, *words):
        done = self.call(*words)
        assert done.returncode == 0, f"flatpak {words}: {done.stdout}{done.stderr}"
        return done


def bubblewrap(*options):
    """The beginning of a command that runs in its own namespaces, with the system's programs and nothing of the user's."""
    system = [word for path in ("/usr", "/etc", "/bin", "/lib", "/lib64", "/root/.pyenv") if os.path.exists(path) for word in ("--ro-bind", path, path)]
    return ["bwrap", *system, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--unshare-all", "--new-session", "--die-with-parent", *map(str, options)]
