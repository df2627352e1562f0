"""Sign-ins at a provider that answers at once, with userinfo; what is answered is on the disk."""
import contextlib
import os
import socket
import statistics
import time
import urllib.parse

import setting
from table import Figure

REQUESTS = (
    b"POST /token HTTP/1.1\r\nHost: provider\r\nContent-Length: 0\r\n\r\n", b"GET /userinfo HTTP/1.1\r\nHost: provider\r\n\r\n")


class Callback:
    token = Figure("callback's GET to the client's token, less the provider's time", "ms", "one `fdatasync`", "above", 3)
    page = Figure("callback's GET to the browser's answer, less the provider's time", "ms")

    def __init__(self, build):
        self.build = build
        self.file = os.open(build.work / "written", os.O_CREAT | os.O_WRONLY)
        setting.sign_in(build.daemon)

    def provider_time(self):
        """Both requests, on a new connection, as a client asks that does nothing else."""
        parts = urllib.parse.urlsplit(self.build.provider.url)
        begin = time.perf_counter()
        with socket.create_connection((parts.hostname, parts.port)) as connection:
            for request in REQUESTS:
                connection.sendall(request)
                connection.recv(65536)
        return time.perf_counter() - begin

    def disk_time(self):
        begin = time.perf_counter()
        os.pwrite(self.file, os.urandom(4096), 0)
        os.fdatasync(self.file)
        return time.perf_counter() - begin

    def round(self):
        times = [(*setting.sign_in(self.build.daemon), self.provider_time(), self.disk_time()) for _ in range(self.build.times(40))]
        token, page, provider, disk = (statistics.median(column) * 1000 for column in zip(*times, strict=True))
        return {self.token: (token - provider, disk), self.page: (page - provider, None)}

    def close(self):
        os.close(self.file)


class SignIns:
    one = Figure("whole sign-ins a second, one after the other", "", aim=300, more=True)
    eight = Figure("whole sign-ins a second, eight programs at once", "")

    def __init__(self, build):
        self.build = build
        setting.sign_in(build.daemon)

    def round(self):
        count = self.build.times(80)
        begin = time.perf_counter()
        for _ in range(count):
            setting.sign_in(self.build.daemon)
        alone = count / (time.perf_counter() - begin)
        begin = time.perf_counter()
        for _ in range(count // 8 + 1):
            self.together(8)
        return {self.one: (alone, None), self.eight: ((count // 8 + 1) * 8 / (time.perf_counter() - begin), None)}

    def together(self, count):
        with contextlib.ExitStack() as stack:
            clients = [stack.enter_context(contextlib.closing(self.build.daemon.client())) for _ in range(count)]
            sign_ins = [setting.SignIn(client, app=f"app-{number}") for number, client in enumerate(clients)]
            browsers = [stack.enter_context(sign_in.come_back()) for sign_in in sign_ins]
            for sign_in, browser in zip(sign_ins, browsers, strict=True):
                sign_in.wait()
                sign_in.read_page(browser)

    def close(self):
        pass
