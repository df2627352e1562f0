"""The SDK's own client at work, run as a program: `PYTHONPATH=SDK python mcp_script.py`, over stdio or HTTP.

For each line of options it does what they say, the same in both cases, and prints what came: every message as text, in the order of its
arrival, and what the SDK made of it.
"""
import asyncio
import itertools
import json
import os
import queue
import sys
import threading

received = []
try:
    import httpx2 as httpx
    import mcp.client.subscriptions
    import mcp_types as types
    from mcp import Client
    MODERN = True
except ImportError:
    import httpx
    from mcp import ClientSession, types
    MODERN, LATEST = False, types.LATEST_PROTOCOL_VERSION

import mcp.client.stdio  # noqa: E402
import mcp.client.streamable_http  # noqa: E402
from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: E402
from pydantic import AnyUrl  # noqa: E402


def note(text):
    received.append(text.decode() if isinstance(text, bytes) else text)


def record():
    """Every message is noted where the SDK parses it, as the text that it is."""
    if not MODERN:
        parse = types.JSONRPCMessage.model_validate_json

        def model_validate_json(text, *more, **named):
            note(text)
            return parse(text, *more, **named)

        types.JSONRPCMessage.model_validate_json = model_validate_json
        return

    class Noting:
        def validate_json(self, text, **named):
            note(text)
            return types.jsonrpc_message_adapter.validate_json(text, **named)

    class Types:
        jsonrpc_message_adapter = Noting()

        def __getattr__(self, name):
            return getattr(types, name)

    mcp.client.stdio.types = Types()
    mcp.client.streamable_http.jsonrpc_message_adapter = Noting()


class Script:
    def __init__(self, options):
        self.options = options
        self.results = {}
        self.came = asyncio.Condition()     # something came that is no answer

    # ---- What the client is asked ------------------------------------------------

    async def sample(self, context, asked):
        said = asked.messages[0].content
        text = (said[0] if isinstance(said, list) else said).text
        return types.CreateMessageResult(role="assistant", content=types.TextContent(type="text", text=f"back: {text}"), model="none")

    async def elicit(self, context, asked):
        return types.ElicitResult(action="accept", content={"color": "blue é"})

    async def roots(self, context):
        return types.ListRootsResult(roots=[types.Root(uri="file:///one"), types.Root(uri="file:///two%20words")])

    async def logged(self, message):
        await self.notify()

    async def handled(self, message):
        await self.notify()

    async def progressed(self, progress, total, message):
        await self.notify()

    async def notify(self):
        async with self.came:
            self.came.notify_all()

    async def until(self, *words):
        """Messages that have these words have come, one for each."""
        async with self.came:
            while not all(any(word in text for text in received) for word in words):
                await self.came.wait()

    # ---- The client --------------------------------------------------------------

    @property
    def callbacks(self):
        return {"sampling_callback": self.sample, "elicitation_callback": self.elicit, "list_roots_callback": self.roots,
                "logging_callback": self.logged, "message_handler": self.handled}

    async def over_http(self, go):
        """By TCP, or as some clients can by a Unix socket."""
        timeout = httpx.Timeout(30, read=60)
        by = {"transport": httpx.AsyncHTTPTransport(uds=self.options["socket"])} if "socket" in self.options else {}
        if MODERN:
            async with httpx.AsyncClient(headers=self.options["headers"], trust_env=False, timeout=timeout, **by) as http:
                await go(mcp.client.streamable_http.streamable_http_client(self.options["url"], http_client=http))
            return

        def make(headers=None, auth=None, **more):
            return httpx.AsyncClient(headers=headers, auth=auth, trust_env=False, follow_redirects=True, **by, **more)

        await go(mcp.client.streamable_http.streamablehttp_client(self.options["url"], headers=self.options["headers"], httpx_client_factory=make))

    async def over_stdio(self, go):
        command = self.options["command"]
        await go(stdio_client(StdioServerParameters(command=command[0], args=command[1:], env=self.options["env"])))

    async def connect(self, transport):
        if MODERN:
            mcp.client.subscriptions._listen_ids = itertools.count(1)       # of the process, and each client is to begin anew
            async with Client(transport, mode=self.options.get("mode", "auto"), log_level=self.options.get("log_level"), cache=None,
                              **self.callbacks) as client:
                self.results["agreed"] = client.protocol_version
                await self.run(client)
            return
        mcp.client.session.LATEST_PROTOCOL_VERSION = types.LATEST_PROTOCOL_VERSION = self.options.get("revision", LATEST)
        async with transport as (read, write, *_), ClientSession(read, write, **self.callbacks) as client:
            begun = await client.initialize()
            self.results["agreed"] = begun.protocolVersion
            await self.run(client)

    async def run(self, client):
        # The stream of the server's own messages is there before anything asks for one.
        for part in self.options["parts"]:
            try:
                self.results[part] = await asyncio.wait_for(getattr(self, part.replace("-", "_"))(client), 45)
            except Exception as error:
                self.results[part] = f"{type(error).__name__}: {error}"

    async def main(self):
        try:
            await (self.over_stdio if "command" in self.options else self.over_http)(self.connect)
        except BaseException as error:      # an exception group, or what came before a connection
            self.results["error"] = innermost(error)
        return {"received": received, "results": self.results}

    # ---- The parts ---------------------------------------------------------------

    async def called(self, client, name, arguments=None, **more):
        result = await client.call_tool(name, arguments or {}, **more)
        return result.content[0].text

    async def plain(self, client):
        text = "ünïcödé \u2028 \"quoted\" \\ \u0000 and\nlines 👍"
        return [await self.called(client, "echo", {"text": text}), len(await self.called(client, "echo", {"text": "é" * 200_000})),
                (await client.call_tool("nothing", {})).content[0].text if not MODERN else None]

    async def lists(self, client):
        tools = await client.list_tools()
        return [sorted(tool.name for tool in tools.tools), len((await client.list_prompts()).prompts),
                len((await client.list_resources()).resources)]

    async def routed(self, client):
        return [await self.called(client, "routed", {"region": region, "count": 7, "text": "more"})
                for region in ("eu", "Hello, 世界", " blanks ", "=?base64?literal?=", "")]

    async def resources(self, client):
        make = str if MODERN else AnyUrl
        read = [await client.read_resource(make(uri)) for uri in ("note://one", "note://bytes", "note://by/ada")]
        return [getattr(each.contents[0], "text", None) or each.contents[0].blob for each in read]

    async def prompts(self, client):
        got = await client.get_prompt("greet", {"name": "Ada é"})
        ref = types.PromptReference(type="ref/prompt", name="greet")
        return [got.messages[0].content.text, (await client.complete(ref, {"name": "name", "value": "x"})).completion.values]

    async def steps(self, client):
        return await self.called(client, "steps", {"count": 5}, progress_callback=self.progressed)

    async def apart(self, client):
        return await self.called(client, "apart", progress_callback=self.progressed)

    async def sampling(self, client):
        return await self.called(client, "sample")

    async def elicitation(self, client):
        return await self.called(client, "elicit")

    async def listed_roots(self, client):
        return await self.called(client, "roots")

    async def level(self, client):
        await client.set_logging_level("debug")

    async def changes(self, client):
        """Notices on the stream that a GET opened: whether it is there is known when one comes."""
        await client.subscribe_resource(AnyUrl("note://one") if not MODERN else "note://one")
        said = await self.called(client, "change")
        await self.until("notifications/tools/list_changed", "notifications/resources/updated")
        await client.unsubscribe_resource(AnyUrl("note://one") if not MODERN else "note://one")
        return said

    async def listen(self, client):
        async with client.listen(tools_list_changed=True, resource_subscriptions=["note://one"]) as events:
            said = await self.called(client, "change")
            await self.until("notifications/tools/list_changed", "notifications/resources/updated")
            got = [type(await anext(events)).__name__ for _ in range(2)]
        return [said, sorted(got)]

    async def cancel(self, client):
        """A call that is under way, and another one after it."""
        before = len(received)
        call = asyncio.create_task(self.called(client, "wait", progress_callback=self.progressed))
        async with self.came:
            while not any('"waiting"' in text for text in received[before:]):
                await self.came.wait()
        if MODERN:
            call.cancel()
            ended = (await asyncio.gather(call, return_exceptions=True))[0]
            return type(ended).__name__
        params = types.CancelledNotificationParams(requestId=client._request_id - 1, reason="the test wants it")
        await client.send_notification(types.ClientNotification(types.CancelledNotification(method="notifications/cancelled", params=params)))
        ended = (await asyncio.gather(call, return_exceptions=True))[0]
        return str(ended)

    async def admin(self, client):
        return await self.called(client, "admin")

    async def whoami(self, client):
        said = [await self.called(client, "whoami") for _ in range(self.options.get("times", 1))]
        return said if "times" in self.options else said[0]

    async def many(self, client):
        """64 at once. The SDK lists the tools with the first call."""
        await self.called(client, "echo", {"text": "first"})
        texts = [f"number {number} {'x' * number * 100}" for number in range(64)]
        return await asyncio.gather(*(self.called(client, "echo", {"text": text}) for text in texts)) == texts


def innermost(error):
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


def lines():
    """Those of standard input. At its end the program ends, too, and so with whoever started it."""
    read = queue.Queue()

    def watch():
        for line in sys.stdin:
            read.put(line)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    while True:
        yield read.get()


if __name__ == "__main__":
    record()
    for line in lines():
        received.clear()
        print(json.dumps(asyncio.run(Script(json.loads(line)).main())), flush=True)
