"""Whole processes, above /bin/true."""
import os
import pathlib
import shutil
import statistics
import subprocess

from table import Figure

GIT = "protocol=https\nhost=git.example.com\n"


class Commands:
    TRUE = "`/bin/true`"

    def __init__(self, build):
        self.build, self.environment = build, {"POSTERN_SOCKET": str(build.daemon.path)}
        question = build.work / "question"
        question.write_text(GIT)
        postern = build.programs["postern"]
        self.commands = {}
        self.add("postern token", [postern, "token", "work"], 0.7)
        self.add("postern helper git get", [f"<{question}", postern, "helper", "git", "get"], 2.5)
        for command in ("status", "credentials", "whoami", "sessions", "provider list"):
            self.add(f"postern {command}", [postern, *command.split()], 2.5)
        # What a shell runs at TAB.
        self.add("completing `postern token`", [postern, "---completion", "fish", "2", "postern", "token", ""], 2.5)
        self.missing = []
        self.add_cache(question)
        self.add_pizauth()

    def add(self, words, command, aim=None):
        named = words if "`" in words else f"`{words}`"
        self.commands[Figure(f"{named}, whole process", "ms", self.TRUE, "above", aim, "above")] = command

    def add_cache(self, question):
        """The helper that comes with git answers out of its own daemon's memory."""
        program = shutil.which("git-credential-cache", path="/usr/lib/git-core:/usr/libexec/git-core")
        if not program:
            self.missing.append("git-credential-cache is not installed")
            return
        directory = self.build.work / "cache"
        directory.mkdir(mode=0o700)
        arguments = [program, "--socket", str(directory / "socket")]
        subprocess.run([*arguments, "store"], input=GIT + "username=u\npassword=p\n", text=True, check=True)
        self.cache = arguments
        self.add("git-credential-cache get", [f"<{question}", *arguments, "get"])

    def add_pizauth(self):
        """With the user's own daemon and account, since it has no other way to a token than a sign-in."""
        program, account = shutil.which("pizauth"), os.environ.get("POSTERN_PIZAUTH_ACCOUNT")
        if program and account:
            self.add("pizauth show", [program, "show", account])
            self.environment.update({name: value for name, value in os.environ.items() if name.startswith(("XDG_", "HOME"))})
        else:
            self.missing.append("POSTERN_PIZAUTH_ACCOUNT names no account of pizauth" if program else "pizauth is not installed")

    def round(self):
        arguments = [";", "/bin/true"]
        for command in self.commands.values():
            arguments += [";", *command]
        printed = self.build.run("processes", self.build.times(20), *arguments, **self.environment)
        true, *taken = (statistics.median(map(float, line.split())) for line in printed.splitlines())
        return {figure: (value, true) for figure, value in zip(self.commands, taken, strict=True)}

    def close(self):
        if hasattr(self, "cache"):
            subprocess.run([*self.cache, "exit"], check=False, stderr=subprocess.DEVNULL)


class Sizes:
    AIMS = {"posternd": 14, "postern": 8, "postern-demo-provider": 14}

    def __init__(self, build):
        self.build = build

    def round(self):
        return {
            Figure(f"stripped size of `{name}`", "MB", aim=aim): (pathlib.Path(self.build.programs[name]).stat().st_size / 1e6, None)
            for name, aim in self.AIMS.items()}

    def close(self):
        pass
