"""Many processes that ask for one server's token, whose refresh tokens rotate, and a daemon that is killed: what the issuer counts then.

Run as a program it takes its time, and prints the counts; `--help` says how. test_mcp_rotation.py is the same in less time.
"""
import argparse
import asyncio
import collections
import contextlib
import json
import logging
import multiprocessing
import pathlib
import tempfile
import threading
import time

from agreeing import visit
from commands import run
from mcp_servers import REDIRECT, Memory, mcp, sdk_sign_in, verifying_server
from postern import Daemon, free_port, wait_for
from signing_in import SignIn

WORK = {"providerID": "work"}
SIZE = 20
# Exit statuses of `postern token`: a token; a person is needed; no daemon, while it is killed.
TOKEN, REFUSED, AWAY = 0, 3, 4


class Crowd:
    """So many at once that each start one `postern token work` after another."""

    def __init__(self, daemon, *arguments, size=SIZE):
        self.daemon, self.arguments = daemon, arguments
        self.statuses, self.tokens, self.words = collections.Counter(), set(), set()
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self.ask, daemon=True) for _ in range(size)]

    def ask(self):
        while not self.over.is_set():
            done = run(self.daemon, "token", "work", *self.arguments)
            self.statuses[done.returncode] += 1
            if done.returncode == TOKEN:
                self.tokens.add(done.stdout.strip())
            elif done.returncode != AWAY:
                self.words.add(done.stderr)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join(90)


class Setting:
    """A strict issuer, a server that takes its tokens, and a daemon that is signed in there."""

    def __init__(self, folder):
        from authlib_issuer import Issuer

        self.issuer = Issuer()
        self.server = verifying_server(self.issuer)
        port = free_port()
        client = self.issuer.add_client(f"http://127.0.0.1:{port}/__/auth/handler", REDIRECT)
        self.client = client
        self.daemon = Daemon(pathlib.Path(folder) / "daemon", mcp(self.server.url, client_id=client, issuer=self.issuer.issuer), port=port).start()

    def close(self):
        self.issuer.open.set()
        self.daemon.stop()
        self.server.stop()
        self.issuer.close()

    def sign_in(self):
        """Anew; what was counted is forgotten."""
        self.issuer.open.set()
        pending = SignIn(self.daemon, **WORK, intent="keep")
        assert visit(pending.url).startswith("200 ")
        pending.completed()
        self.issuer.refreshed = self.issuer.replayed = self.issuer.thefts = self.issuer.refused = 0
        self.issuer.requests.clear()

    @property
    def sent(self):
        """The refresh tokens that came, each as often as it did."""
        return [form["refresh_token"] for form in self.issuer.asked("/token", "refresh_token")]

    def counts(self):
        issuer = self.issuer
        return {"refreshed": issuer.refreshed, "sent twice": len(self.sent) - len(set(self.sent)), "replayed in time": issuer.replayed,
                "theft": issuer.thefts, "refused": issuer.refused}

    def restart(self):
        self.daemon.kill()
        self.daemon.start()

    def killed_between(self, renewals, crowd_arguments=(), size=SIZE, seconds=60):
        """After so many renewals each, whenever none is under way."""
        with Crowd(self.daemon, *crowd_arguments, size=size) as crowd:
            for renewal in range(1, renewals + 1):
                wait_for(lambda: self.issuer.refreshed >= renewal, seconds, what="a renewal")
                # Written, since it is given out: the daemon answers nobody before.
                known = set(crowd.tokens)
                wait_for(lambda: crowd.tokens - known or len(crowd.tokens) > renewal, seconds, what="its token")
                self.restart()
        return crowd

    def killed_during(self):
        """While the answer of a renewal, which has happened, is on its way."""
        self.restart()  # in one life, whoever insists a moment after a renewal gets its token
        while self.issuer.answering.acquire(blocking=False):
            pass
        self.issuer.open.clear()
        with contextlib.closing(self.daemon.client()) as client:
            client.send("GetAccessToken", {**WORK, "forceRefresh": True})
            assert self.issuer.answering.acquire(timeout=30)
            self.daemon.kill()
        self.issuer.open.set()
        self.daemon.start()


# ---- The SDK's client, which keeps its tokens in a file ---------------------------


class File(Memory):
    """The store that the SDK's documentation has its users write: a file, read at the start and written after each answer."""

    def __init__(self, path):
        self.path = pathlib.Path(path)

    def read(self):
        return json.loads(self.path.read_text()) if self.path.exists() else {}

    def write(self, **members):
        self.path.write_text(json.dumps({**self.read(), **members}))

    async def get_tokens(self):
        from mcp.shared.auth import OAuthToken

        kept = self.read().get("tokens")
        return OAuthToken.model_validate(kept) if kept else None

    async def set_tokens(self, tokens):
        self.write(tokens=tokens.model_dump(mode="json"))

    async def get_client_info(self):
        from mcp.shared.auth import OAuthClientInformationFull

        kept = self.read().get("client")
        return OAuthClientInformationFull.model_validate(kept) if kept else None

    async def set_client_info(self, client):
        self.write(client=client.model_dump(mode="json"))


class Page(Exception):
    """A person would have to sign in."""


def sdk_process(url, path, seconds, knows_end, counted):
    """One client that stays, and sends a request whenever it has an answer. A page is not opened, and the client goes on.

    `knows_end`: the program tells the client when the token in the file ends, which the client itself does not keep.
    """
    import httpx2

    logging.disable(logging.CRITICAL)
    statuses = collections.Counter()

    async def ask():
        auth = sdk_sign_in(url, File(path))

        async def page(_):
            raise Page

        auth.context.redirect_handler = page
        if knows_end:
            await auth._initialize()
            auth.context.update_token_expiry(auth.context.current_tokens)
        end = time.monotonic() + seconds
        async with httpx2.AsyncClient(auth=auth, trust_env=False, timeout=30) as http:
            while time.monotonic() < end:
                try:
                    reply = await http.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "ping"}, headers={"Accept": "application/json, text/event-stream"})
                    statuses["refused" if reply.status_code == 401 else "answered"] += 1
                except Page:
                    statuses["page"] += 1
                except Exception as error:
                    statuses[type(error).__name__] += 1
                await asyncio.sleep(0.05)

    asyncio.run(ask())
    counted.put(dict(statuses))


def sdk_crowd(setting, folder, seconds, knows_end, size=SIZE):
    import httpx2
    from mcp.shared.auth import OAuthClientInformationFull

    path = pathlib.Path(folder) / "tokens.json"
    path.unlink(missing_ok=True)

    async def begin():
        store = File(path)
        await store.set_client_info(OAuthClientInformationFull(client_id=setting.client, redirect_uris=[REDIRECT], token_endpoint_auth_method="none",
                                                               grant_types=["authorization_code", "refresh_token"], issuer=setting.issuer.issuer))
        async with httpx2.AsyncClient(auth=sdk_sign_in(setting.server.url, store), trust_env=False, timeout=30) as http:
            await http.post(setting.server.url, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})

    asyncio.run(begin())
    assert File(path).read()["tokens"]
    setting.issuer.requests.clear()
    setting.issuer.refreshed = setting.issuer.replayed = setting.issuer.thefts = setting.issuer.refused = 0
    context = multiprocessing.get_context("fork")
    counted = context.Queue()
    processes = [context.Process(target=sdk_process, args=(setting.server.url, path, seconds, knows_end, counted)) for _ in range(size)]
    for process in processes:
        process.start()
    total = sum((collections.Counter(counted.get(timeout=seconds + 60)) for _ in processes), collections.Counter())
    for process in processes:
        process.join(30)
    return total


def main():
    parser = argparse.ArgumentParser(description="Counts what an issuer with rotating refresh tokens sees of Postern, and of the SDK's own client.")
    parser.add_argument("--seconds", type=int, default=120, help="of the first measurement (120)")
    parser.add_argument("--valid", type=int, default=300, help="seconds for which a token is valid (300)")
    parser.add_argument("--every", type=int, default=10, help="seconds after which a token is too old for those who ask (10)")
    given = parser.parse_args()
    wanted = ("--min-validity", f"{given.valid - given.every}s")

    def show(title, setting, said):
        print(f"{title}: {dict(said)}; the issuer: {setting.counts()}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        setting = Setting(folder)
        setting.issuer.seconds = given.valid
        try:
            setting.sign_in()
            with Crowd(setting.daemon, *wanted) as crowd:
                time.sleep(given.seconds)
            show(f"{SIZE} processes, {given.seconds} s", setting, {"tokens": len(crowd.tokens), "exit statuses": dict(crowd.statuses)})
            setting.sign_in()
            crowd = setting.killed_between(6, wanted, seconds=6 * given.every)
            show("killed between renewals, 6 times", setting, {"tokens": len(crowd.tokens), "exit statuses": dict(crowd.statuses)})
            for grace in (60, 0):
                setting.issuer.grace = grace
                setting.sign_in()
                statuses = collections.Counter()
                words = set()
                for _ in range(5):
                    setting.killed_during()
                    for _ in range(3):
                        done = run(setting.daemon, "token", "work", "--refresh")
                        statuses[done.returncode] += 1
                        words |= {done.stderr.strip()} if done.returncode else set()
                    if statuses[REFUSED]:
                        break
                show(f"killed during renewals, {grace} s of grace", setting, {"exit statuses": dict(statuses), "said": words})
            # This client looks at nothing but the end of a token, so its tokens must end within the time.
            setting.issuer.grace, setting.issuer.seconds = 0, given.every
            for knows_end, which in ((False, "as it is"), (True, "told when its token ends")):
                show(f"the SDK's client {which}, {SIZE} processes with one file, {given.seconds} s", setting,
                     sdk_crowd(setting, folder, given.seconds, knows_end))
        finally:
            setting.close()


if __name__ == "__main__":
    main()
