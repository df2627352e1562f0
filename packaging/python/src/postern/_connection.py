"""One call on one connection, which blocks the calling thread."""

from __future__ import annotations

import socket
import time
from types import TracebackType
from typing import Collection, Generic, Iterator, Mapping, Optional, Type, TypeVar

from . import _wire
from ._errors import DaemonUnreachable, PosternError
from ._places import Deadline
from ._values import Reader

T = TypeVar("T")

#: How long a client waits before it tries a full queue again, in seconds.
PAUSE = 0.01


class Connection:
    """A call that has been sent. `close` may be called from any thread."""

    def __init__(
        self, path: str, servers: Collection[int], method: str, parameters: Mapping[str, object], more: bool, deadline: Deadline
    ) -> None:
        message = _wire.encode(method, parameters, more)
        self._deadline = deadline
        self._replies = _wire.Replies()
        self._closed = False
        self._socket = self._connect(path, servers)
        try:
            self._socket.settimeout(deadline.left())
            self._socket.sendall(message)
        except socket.timeout as error:
            self.close()
            raise deadline.passed() from error
        except OSError:
            # The daemon may have said why it stopped reading: its reply is read.
            pass
        except BaseException:
            self.close()
            raise

    def _connect(self, path: str, servers: Collection[int]) -> socket.socket:
        while True:
            connection = _wire.connect(path, servers)
            if connection is not None:
                return connection
            if self._deadline.has_passed:
                raise DaemonUnreachable(path, f"its queue has been full for {self._deadline.seconds:g} s")
            time.sleep(PAUSE)

    def receive(self) -> _wire.Reply:
        try:
            while True:
                reply = self._replies.next()
                if reply is not None:
                    return reply
                # The deadline does not move, even if a reply arrives byte by byte.
                self._socket.settimeout(self._deadline.left())
                self._replies.take(self._socket.recv(65536))
        except socket.timeout as error:
            raise self._deadline.passed() from error
        except OSError as error:
            raise _wire.lost(error) from error

    def close(self) -> None:
        """Closes the connection, and ends another thread's wait on it."""
        self._closed = True
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            # The daemon has closed it first, or it is closed already.
            pass
        self._socket.close()

    @property
    def closed(self) -> bool:
        return self._closed


class Replies(Generic[T]):
    """The replies to one call as they arrive, to be iterated over once.

    `close`, the end of a `with` block or an exception closes the connection, which gives up this program's share of a sign-in. `close` may
    be called from another thread; the iteration then ends.
    """

    def __init__(self, connection: Connection, read: Reader[T]) -> None:
        self._connection, self._read, self._over = connection, read, False

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        if self._over or self._connection.closed:
            raise StopIteration
        try:
            reply = self._connection.receive()
            self._over = not reply.continues
            value = self._read(reply.parameters, "")
        except PosternError:
            if self._connection.closed:
                raise StopIteration from None
            self.close()
            raise
        except BaseException:
            self.close()
            raise
        if self._over:
            self._connection.close()
        return value

    def close(self) -> None:
        self._over = True
        self._connection.close()

    def __enter__(self) -> Replies[T]:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_connection"):
            self._connection.close()
