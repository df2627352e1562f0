"""One build of Postern under measurement, with what its rows share."""
import pathlib
import subprocess

import setting


class Build:
    def __init__(self, directory, work, quick):
        self.programs, self.work, self.quick = setting.Programs(directory), pathlib.Path(work), quick
        self.work.mkdir(parents=True, exist_ok=True)
        self.parts = {}

    def times(self, usual):
        """How often something is done in a round."""
        return max(usual // 10, 5) if self.quick else usual

    def shared(self, name, make):
        if name not in self.parts:
            self.parts[name] = make()
        return self.parts[name]

    @property
    def provider(self):
        return self.shared("provider", lambda: setting.Provider(self.programs))

    @property
    def daemon(self):
        """One that runs, with one user and one token."""
        def make():
            daemon = setting.Daemon(self.programs, self.work / "daemon", self.provider.config).start()
            setting.sign_in(daemon)
            return daemon
        return self.shared("daemon", make)

    @property
    def echo(self):
        """The path of the C server that answers with as many bytes as GetAccessToken."""
        return self.shared("echo", lambda: Echo(self.programs, self.work / "echo", 1200))

    def stored(self, name, config=""):
        """A daemon that does not run, with one user and one token in its store."""
        daemon = setting.Daemon(self.programs, self.work / name, self.provider.config + config).start()
        setting.sign_in(daemon)
        daemon.stop()
        return daemon

    def environment(self, **more):
        return self.programs.environment(self.work, **more)

    def run(self, program, *arguments, **more):
        """What one of the clients in C printed."""
        done = subprocess.run(
            [self.programs[program], *map(str, arguments)], env=self.environment(**more), capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{program} {arguments}: {done.stderr}")
        return done.stdout

    def close(self):
        for part in reversed(self.parts.values()):
            part.stop()


class Echo:
    def __init__(self, programs, path, size):
        self.path = path
        self.process = subprocess.Popen([programs["echo-server"], str(path), str(size - 1)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process.stdout.readline()

    def stop(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
