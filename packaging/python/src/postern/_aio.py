"""One call on one connection, for asyncio. Cancelling the task closes the connection."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import AsyncIterator, Collection, Generic, Mapping, Optional, Tuple, Type, TypeVar

from . import _wire
from ._connection import PAUSE
from ._errors import ConnectionLost
from ._values import Reader

T = TypeVar("T")


class AsyncConnection:
    """Connects at `open`, or else at the first `receive`."""

    def __init__(self, path: str, servers: Collection[int], method: str, parameters: Mapping[str, object], more: bool) -> None:
        self._path, self._servers = path, servers
        self._message = _wire.encode(method, parameters, more)
        self._replies = _wire.Replies()
        self._streams: Optional[Tuple[asyncio.StreamReader, asyncio.StreamWriter]] = None
        self._closed = False

    async def open(self) -> Tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            if self._closed:
                raise ConnectionLost("it was closed from this side")
            self._streams = await self._open()
        return self._streams

    async def _open(self) -> Tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        # Not with asyncio's own connect, which mistakes a full queue for a connection.
        connection = _wire.connect(self._path, self._servers)
        while connection is None:
            await asyncio.sleep(PAUSE)
            connection = _wire.connect(self._path, self._servers)
        try:
            reader, writer = await asyncio.open_unix_connection(sock=connection)
        except BaseException:
            connection.close()
            raise
        writer.write(self._message)
        return reader, writer

    async def receive(self) -> _wire.Reply:
        try:
            reader, _ = await self.open()
            while True:
                reply = self._replies.next()
                if reply is not None:
                    return reply
                self._replies.take(await reader.read(65536))
        except OSError as error:
            raise _wire.lost(error) from error

    def close(self) -> None:
        """Closes at once, without waiting for unsent data."""
        self._closed = True
        if self._streams is not None:
            self._streams[1].transport.abort()

    @property
    def closed(self) -> bool:
        return self._closed


class AsyncReplies(Generic[T]):
    """The replies to one call as they arrive, to be iterated over once. The call is made at `async with`, or else at the first step.

    `aclose`, the end of an `async with` block, an exception or the end of the task closes the connection, which gives up this program's
    share of a sign-in.
    """

    def __init__(self, connection: AsyncConnection, read: Reader[T]) -> None:
        self._connection, self._read, self._over = connection, read, False

    def __aiter__(self) -> AsyncIterator[T]:
        return self

    async def __anext__(self) -> T:
        if self._over:
            raise StopAsyncIteration
        try:
            reply = await self._connection.receive()
            self._over = not reply.continues
            value = self._read(reply.parameters, "")
        except ConnectionLost:
            if self._over:
                # This side closed it during the wait.
                raise StopAsyncIteration from None
            await self.aclose()
            raise
        except BaseException:
            await self.aclose()
            raise
        if self._over:
            self._connection.close()
        return value

    async def aclose(self) -> None:
        self._over = True
        self._connection.close()

    async def __aenter__(self) -> AsyncReplies[T]:
        await self._connection.open()
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]
    ) -> None:
        await self.aclose()
