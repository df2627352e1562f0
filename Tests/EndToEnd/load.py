"""Load: many connections that call all methods in turn, some of them wrongly, and a slow provider. Every reply is checked."""
import asyncio
import collections
import contextlib
import json
import pathlib
import random
import threading
import time
import urllib.parse

import fake
from postern import oauth2

CONNECTIONS, MONITORS, BRIEF = 256, 16, 24
# Accounts whose tokens are requested and renewed, and others that sign in repeatedly.
HELD, SIGNING_IN = 8, 8


class Provider(fake.Server):
    """A token endpoint that answers after up to 100 ms; a refresh token is valid for one request."""

    def __init__(self, seed):
        self.random, self.lock = random.Random(seed), threading.Lock()
        self.issued, self.renewed, self.reused = collections.Counter(), 0, []
        super().__init__()

    def config(self):
        return oauth2(
            "work", client_authentication="none", authorization_endpoint=f"{self.origin}/authorize", token_endpoint=f"{self.origin}/token",
            userinfo_endpoint=f"{self.origin}/userinfo", scopes=["read"]) + 'profile = { uid = "sub", email = "email" }\n'

    def answer(self, request):
        if request.path == "/userinfo":
            subject = request.headers["Authorization"].split()[1].split(".")[1]
            return 200, {"sub": subject, "email": f"{subject}@example.com"}
        with self.lock:
            # The code contains the account, and a refresh token its number.
            subject, number = (request.form.get("code") or request.form.get("refresh_token")).split(".")[1:3]
            if "refresh_token" in request.form:
                self.renewed += 1
                if int(number) != self.issued[subject]:
                    self.reused.append(request.form["refresh_token"])
                    return 400, {"error": "invalid_grant"}
            self.issued[subject] += 1
            number, delay = self.issued[subject], self.random.uniform(0, 0.1)
        time.sleep(delay)
        # A call needs a validity of at least a minute: the token is renewed every other second.
        return 200, {"access_token": f"access.{subject}.{number}", "refresh_token": f"refresh.{subject}.{number}", "token_type": "Bearer",
                     "expires_in": 62}


class Connection:
    """One connection to the socket; a call is answered before the next is sent."""

    def __init__(self, path):
        self.path = str(path)

    async def __aenter__(self):
        self.reader, self.writer = await asyncio.open_unix_connection(self.path, limit=1 << 20)
        return self

    async def __aexit__(self, *_):
        self.writer.close()

    def send(self, method, parameters=None, **flags):
        self.writer.write(json.dumps({"method": f"io.postern.{method}", "parameters": parameters or {}, **flags}).encode() + b"\0")

    async def receive(self):
        return json.loads((await self.reader.readuntil(b"\0"))[:-1])

    async def call(self, method, parameters=None, **flags):
        self.send(method, parameters, **flags)
        reply = await self.receive()
        assert "error" not in reply, reply
        return reply["parameters"]

    async def refused(self):
        """The name of the error that ends the calls."""
        while "error" not in (reply := await self.receive()):
            assert reply.get("continues"), reply
        return reply["error"].rsplit(".", 1)[-1]


class Load:
    """`calls` pieces of work by all connections together, in an order that the seed determines."""

    # The share of each piece of work, in per cent.
    MIX = {
        "token": 64, "status": 10, "credentials": 4, "renewal": 2, "cancelled": 4, "sign_in": 3,
        "wrong": 2, "garbage": 4, "leave": 5, "leave_renewal": 2,
    }

    def __init__(self, daemon, provider, seed):
        self.daemon, self.provider, self.random = daemon, provider, random.Random(seed)
        self.done, self.newest, self.apps = collections.Counter(), collections.Counter(), 0
        self.events = [[] for _ in range(MONITORS)]

    async def prepare(self):
        for number in range(HELD + SIGNING_IN):
            async with Connection(self.daemon.path) as connection:
                await self.whole_sign_in(connection, f"person{number}", f"app{number}")
        self.brief = asyncio.Semaphore(BRIEF)
        self.stack = contextlib.AsyncExitStack()
        monitors = [await self.stack.enter_async_context(Connection(self.daemon.path)) for _ in range(MONITORS)]
        for monitor in monitors:
            monitor.send("Monitor", more=True)
        self.monitors = [asyncio.create_task(self.watch(monitor, events)) for monitor, events in zip(monitors, self.events, strict=True)]
        # The rest is for short-lived connections; a closed one counts until its work has ended.
        count = CONNECTIONS - MONITORS - 2 * BRIEF
        self.kept = [await self.stack.enter_async_context(Connection(self.daemon.path)) for _ in range(count)]
        for connection in self.kept:
            await connection.call("GetStatus")

    async def run(self, calls):
        work = iter(self.random.choices(list(self.MIX), self.MIX.values(), k=calls))

        async def use(connection):
            # One iterator for all: a free connection takes the next piece.
            for name in work:
                await getattr(self, name)(connection)
                self.done[name] += 1

        async with asyncio.TaskGroup() as group:
            for connection in self.kept:
                group.create_task(use(connection))

    async def finish(self):
        """Every monitor received the same events, up to a final one."""
        last = await self.kept[0].call("SignOut", {"app": "app0"})
        assert last == {}
        for task in self.monitors:
            await asyncio.wait_for(task, 60)
        for connection in self.kept:
            await connection.call("GetStatus")
        await self.stack.aclose()

    async def watch(self, monitor, events):
        while True:
            reply = await monitor.receive()
            assert reply.get("continues"), reply
            event = reply["parameters"]
            events.append((event["kind"], event.get("sessionID"), event.get("app")))
            if event["kind"] == "signedOut":
                return

    # ---- Correct clients

    async def token(self, connection, **more):
        subject = f"person{self.random.randrange(HELD)}"
        newest = self.newest[subject]
        reply = await connection.call("GetAccessToken", {"providerID": "work", "uid": subject, **more})
        _, whose, number = reply["accessToken"].split(".")
        # Never another account's, and never one older than a client already has.
        assert whose == subject and newest <= int(number) <= self.provider.issued[subject], (reply, subject, newest)
        self.newest[subject] = max(self.newest[subject], int(number))

    async def renewal(self, connection):
        await self.token(connection, forceRefresh=True)

    async def status(self, connection):
        status = await connection.call("GetStatus")
        assert status["users"] == status["credentials"] == HELD + SIGNING_IN and not status.get("problems"), status

    async def credentials(self, connection):
        listed = (await connection.call("ListCredentials"))["credentials"]
        assert sorted(credential["uid"] for credential in listed) == sorted(f"person{n}" for n in range(HELD + SIGNING_IN))

    def new_app(self):
        """A new app each time: two sign-ins of one app would be joined."""
        self.apps += 1
        return f"load{self.apps % 200}"

    async def begin(self, connection, app):
        connection.send("SignIn", {"providerID": "work", "presentation": "client", "app": app, "timeoutSeconds": 600}, more=True)
        event = (await connection.receive())["parameters"]["event"]
        assert event["state"] == "authorizationPending", event
        return event

    async def cancelled(self, connection):
        async with self.brief, Connection(self.daemon.path) as waiting:
            event = await self.begin(waiting, self.new_app())
            await connection.call("CancelSession", {"sessionID": event["sessionID"]})
            assert await waiting.refused() == "SignInCancelled"

    async def sign_in(self, _):
        async with self.brief, Connection(self.daemon.path) as waiting:
            await self.whole_sign_in(waiting, f"person{self.random.randrange(HELD, HELD + SIGNING_IN)}", self.new_app())

    async def whole_sign_in(self, connection, subject, app):
        asked = urllib.parse.parse_qs(urllib.parse.urlsplit((await self.begin(connection, app))["authorizationURL"]).query)
        redirect = urllib.parse.urlsplit(asked["redirect_uri"][0])
        query = urllib.parse.urlencode({"code": f"code.{subject}.0", "state": asked["state"][0]})
        reader, writer = await asyncio.open_connection(redirect.hostname, redirect.port)
        writer.write(f"GET {redirect.path}?{query} HTTP/1.1\r\nHost: {redirect.netloc}\r\nConnection: close\r\n\r\n".encode())
        while (event := (await connection.receive())["parameters"]["event"])["state"] != "completed":
            pass
        assert event["credential"]["accessToken"].startswith(f"access.{subject}."), event
        assert event["result"]["user"]["email"] == f"{subject}@example.com", event
        answer = await reader.read()
        assert answer.startswith((b"HTTP/1.1 200", b"HTTP/1.1 303")), answer[:100]
        writer.close()

    # ---- Other clients

    async def wrong(self, connection):
        """Invalid calls; the connection stays open."""
        for message, error in (
            (b'{"method":3}', "InvalidParameter"), (b'{"method":"io.postern.Nothing"}', "MethodNotFound"),
            (b'{"method":"io.postern.GetAccessToken","parameters":{"providerID":1}}', "InvalidParameter"),
            (b'{"method":"io.postern.GetAccessToken","parameters":{"providerID":"work","uid":"nobody"}}', "SignInRequired"),
        ):
            connection.writer.write(message + b"\0")
            assert await connection.refused() == error, message

    async def garbage(self, _):
        message = self.random.choice([b"GET / HTTP/1.1\r\n\r\n\0", b"[1]\0", b"\xff\xfe\0", b"[" * 2000 + b"\0", b"x" * 70_000])
        async with self.brief, Connection(self.daemon.path) as connection:
            connection.writer.write(message)
            answered = []
            # The daemon may close the connection before all of it is sent.
            with contextlib.suppress(ConnectionError):
                answered = (await connection.reader.read()).split(b"\0")
            for reply in answered[:-1]:
                assert json.loads(reply)["error"] == "org.varlink.service.InvalidParameter", reply

    async def leave(self, _):
        """Disconnects in the middle of a message, with a reply under way, or during a sign-in."""
        async with self.brief, Connection(self.daemon.path) as connection:
            how = self.random.randrange(4)
            if how == 0:
                connection.writer.write(b'{"method":"io.postern.GetSta')
            elif how == 1:
                connection.send("GetAccessToken", {"providerID": "work", "uid": "person0"})
            elif how == 2:
                connection.send("Monitor", more=True)
            else:
                connection.send("SignIn", {"providerID": "work", "presentation": "client", "app": self.new_app()}, more=True)
            await connection.writer.drain()

    async def leave_renewal(self, kept):
        """Disconnects during a renewal, which continues. A call that needs it, or follows it, gets the new token."""
        async with self.brief:
            async with Connection(self.daemon.path) as connection:
                connection.send("GetAccessToken", {"providerID": "work", "uid": f"person{self.random.randrange(HELD)}", "forceRefresh": True})
                await connection.writer.drain()
            await self.renewal(kept)


def anonymous_memory(daemon):
    """In KiB."""
    rollup = pathlib.Path(f"/proc/{daemon.process.pid}/smaps_rollup").read_text()
    return int(rollup.split("Anonymous:")[1].split()[0])
