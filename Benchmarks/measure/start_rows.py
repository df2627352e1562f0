"""From the fork of a daemon that its socket starts to the whole first answer."""
import statistics
import subprocess

import setting
from table import Figure

USERS = 10_000


def first_answers(build, message, *servers):
    """The median of each server's starts, by turns."""
    taken = [[] for _ in servers]
    for _ in range(build.times(20)):
        for times, arguments in zip(taken, servers, strict=True):
            times.append(float(build.run("first-answer", build.work / "first", message, *arguments)))
    return [statistics.median(times) for times in taken]


class Start:
    NIO, EPOLL = "a bare NIO server", "a bare C server"
    token = Figure("cold start to the first token, with a store", "ms", NIO, "ratio", 6)
    status = Figure("cold start to the first `GetStatus`", "ms", EPOLL, "ratio", 6)

    def __init__(self, build):
        self.build, self.daemon = build, build.stored("start")

    def round(self):
        bare = [[self.build.programs["bare-nio-server"], "1199"], [self.build.programs["echo-server"], "-", "1199"]]
        token, nio, _ = first_answers(self.build, setting.TOKEN_CALL, self.daemon.arguments, *bare)
        status, _, epoll = first_answers(self.build, setting.STATUS_CALL, self.daemon.arguments, *bare)
        return {self.token: (token, nio), self.status: (status, epoll)}

    def close(self):
        pass


class Large:
    """The same token out of a store with one user and out of one with many."""

    ONE = "1 user"
    token = Figure(f"cold start to the first token, {USERS:,} users and {4 * USERS:,} credentials", "ms", ONE, "ratio", 1.2, "ratio")
    status = Figure(f"cold start to the first `GetStatus`, {USERS:,} users and {4 * USERS:,} credentials", "ms", ONE, "ratio", 1.2, "ratio")

    def __init__(self, build):
        self.build, self.daemons = build, []
        for users in (USERS, 1):
            daemon = setting.Daemon(build.programs, build.work / f"users-{users}", build.provider.config)
            subprocess.run(
                [build.programs["store-seeder"], str(daemon.state), str(users), "1", "with-credentials"], check=True,
                stdout=subprocess.DEVNULL)
            daemon.start()
            setting.sign_in(daemon)
            daemon.stop()
            self.daemons.append(daemon)

    def round(self):
        servers = [daemon.arguments for daemon in self.daemons]
        return {
            figure: tuple(first_answers(self.build, message, *servers))
            for figure, message in ((self.token, setting.TOKEN_CALL), (self.status, setting.STATUS_CALL))}

    def close(self):
        pass
