"""What an MCP server can have, for whichever revision the SDK is of: `add(server, settings, state)` gives it all of this.

The SDK of 2026-07-28 asks a client by the results of its tools, the earlier ones by requests of their own.
"""
import asyncio
import typing

from pydantic import BaseModel, Field

try:
    import mcp_types as types
    from mcp.server.mcpserver import Context, Elicit, ListRoots, Resolve, Sample
    MODERN = True
except ImportError:
    from mcp import types
    from mcp.server.fastmcp import Context
    MODERN = False

Region = typing.Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})]
Count = typing.Annotated[int, Field(json_schema_extra={"x-mcp-header": "Count"})]
NOTE = "note://one"
TEXT = "ünïcödé \u2028 \"quoted\" \\ and\nlines"


class Answer(BaseModel):
    color: str


class Store:
    """Events by the stream on which they were sent, as the SDK wants them for a client that comes back."""

    def __init__(self):
        self.events = []

    async def store_event(self, stream_id, message):
        self.events.append((stream_id, message))
        return str(len(self.events))

    async def replay_events_after(self, last_event_id, send_callback):
        from mcp.server.streamable_http import EventMessage
        stream_id = self.events[int(last_event_id) - 1][0]
        for number, (stream, message) in enumerate(self.events[int(last_event_id):], int(last_event_id) + 1):
            if stream == stream_id and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream_id


def question():
    return types.SamplingMessage(role="user", content=types.TextContent(type="text", text=TEXT))


def add(server, settings, state):
    settings.setdefault("open", True)       # until then, `wait` waits
    state.update(cancelled=0, calls=0, waiting=0)

    @server.tool()
    def echo(text: str) -> str:
        state["calls"] += 1
        return text

    @server.tool()
    def routed(region: Region, count: Count, text: str = "") -> str:
        """Its arguments are repeated in headers where the revision has them."""
        return f"{region} {count} {text}"

    @server.tool()
    async def steps(count: int, ctx: Context) -> str:
        for number in range(count):
            await ctx.report_progress(number + 1, count, f"step {number + 1}")
            await ctx.info(f"after step {number + 1}")
        return "done"

    @server.tool()
    async def wait(ctx: Context) -> str:
        """It says when it has begun."""
        state["waiting"] += 1
        await ctx.report_progress(0, 1, "waiting")
        try:
            while not settings["open"]:
                await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            state["cancelled"] += 1
            raise
        finally:
            state["waiting"] -= 1
        return "waited"

    @server.tool()
    async def apart(ctx: Context) -> str:
        """Closes the stream of its own answer, and goes on; the client takes it up again."""
        await ctx.report_progress(1, 2, "before")
        await ctx.close_sse_stream()
        await ctx.report_progress(2, 2, "after")
        return "together"

    @server.tool()
    async def change(ctx: Context) -> str:
        """Notices on the server's own stream."""
        if MODERN and ctx.protocol_version == "2026-07-28":
            await ctx.notify_tools_changed()
            await ctx.notify_resource_updated(NOTE)
        else:
            await ctx.session.send_tool_list_changed()
            await ctx.session.send_resource_updated(types.ResourceUpdatedNotificationParams.model_validate({"uri": NOTE}).uri)
        return "changed"

    @server.resource(NOTE)
    def note() -> str:
        return TEXT

    @server.resource("note://bytes", mime_type="application/octet-stream")
    def octets() -> bytes:
        return bytes(range(256))

    @server.resource("note://by/{name}")
    def named(name: str) -> str:
        return f"by {name}"

    @server.prompt()
    def greet(name: str) -> str:
        return f"Greet {name}, in {TEXT}"

    @server.completion()
    async def complete(ref, argument, context):
        return types.Completion(values=[argument.value + "a", argument.value + "b"])

    ask_today(server) if MODERN else ask_before(server)


def ask_before(server):
    lowlevel = server._mcp_server

    @server.tool()
    async def sample(ctx: Context) -> str:
        answer = await ctx.session.create_message([question()], max_tokens=100, related_request_id=ctx.request_id)
        return f"it said {answer.content.text}"

    @server.tool()
    async def elicit(ctx: Context) -> str:
        answer = await ctx.elicit("Which color?", Answer)
        return f"{answer.action} {answer.data.color}"

    @server.tool()
    async def roots(ctx: Context) -> str:
        return " ".join(str(root.uri) for root in (await ctx.session.list_roots()).roots)

    @lowlevel.set_logging_level()
    async def level(_):
        pass

    @lowlevel.subscribe_resource()
    async def subscribe(_):
        pass

    @lowlevel.unsubscribe_resource()
    async def unsubscribe(_):
        pass


def ask_today(server):
    def asked() -> Sample:
        return Sample([question()], max_tokens=100)

    def color() -> Elicit[Answer]:
        return Elicit("Which color?", Answer)

    def places() -> ListRoots:
        return ListRoots()

    @server.tool()
    def sample(answer: typing.Annotated[types.CreateMessageResult, Resolve(asked)]) -> str:
        return f"it said {answer.content.text}"

    @server.tool()
    def elicit(answer: typing.Annotated[Answer, Resolve(color)]) -> str:
        return f"accept {answer.color}"

    @server.tool()
    def roots(answer: typing.Annotated[types.ListRootsResult, Resolve(places)]) -> str:
        return " ".join(str(root.uri) for root in answer.roots)
