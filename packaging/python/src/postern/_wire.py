"""Varlink on a Unix socket, without the waiting: finds the daemon, checks whose it is, and encodes and decodes messages."""

from __future__ import annotations

import errno
import json
import os
import socket
import struct
from typing import Any, Collection, Dict, List, Mapping, NamedTuple, NoReturn, Optional

from ._errors import (
    SERVICE_ERRORS,
    ConnectionLost,
    DaemonUnreachable,
    ForeignDaemon,
    InvalidArgument,
    MalformedReply,
    PosternError,
    ReplyError,
)
from ._interface import ERRORS

#: No reply of the daemon is nearly as long, in bytes; a longer one is not from the daemon.
LIMIT = 16 * 1024 * 1024


def socket_path(environment: Mapping[str, str]) -> str:
    """`$POSTERN_SOCKET`, else `$XDG_RUNTIME_DIR/postern/io.postern`, else the same below `/run/user/UID`. Empty counts as unset."""
    if environment.get("POSTERN_SOCKET"):
        return environment["POSTERN_SOCKET"]
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    # The XDG Base Directory Specification says to ignore a relative path.
    if not runtime.startswith("/"):
        runtime = f"/run/user/{os.getuid()}"
    return runtime + "/postern/io.postern"


def connect(path: str, servers: Collection[int]) -> Optional[socket.socket]:
    """A connected non-blocking socket; None if the daemon's queue is full, to be tried again shortly."""
    try:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    except OSError as error:
        raise DaemonUnreachable(path, error.strerror or str(error)) from error
    try:
        connection.setblocking(False)
        connection.connect(path)
        # The kernel says who listens there. What is sent may be a password, and must not reach another user, not even root.
        _, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
        if user not in servers:
            raise ForeignDaemon(path, user)
    except BlockingIOError:
        connection.close()
        return None
    except BaseException as error:
        connection.close()
        if isinstance(error, OSError):
            owner = foreign_owner(path) if error.errno == errno.EACCES else None
            if owner is not None and owner not in servers:
                raise ForeignDaemon(path, owner) from error
            raise DaemonUnreachable(path, error.strerror or str(error)) from error
        if isinstance(error, ValueError):
            raise DaemonUnreachable(path, str(error)) from error
        raise
    return connection


def foreign_owner(path: str) -> Optional[int]:
    """The other user whose socket it is, or whose directory keeps this one from looking; None if there is none."""
    while True:
        try:
            owner = os.lstat(path).st_uid
        except PermissionError:
            path = os.path.dirname(path)
            if not path or path == "/":
                return None
        except OSError:
            return None
        else:
            return None if owner == os.geteuid() else owner


def lost(error: OSError) -> ConnectionLost:
    return ConnectionLost("it closed the connection" if error.errno in (errno.EPIPE, errno.ECONNRESET) else error.strerror or str(error))


def encode(method: str, parameters: Mapping[str, object], more: bool) -> bytes:
    """JSON escapes U+0000, so no message contains the byte that ends it."""
    call: Dict[str, object] = {"method": f"io.postern.{method}", "parameters": dict(parameters)}
    if more:
        call["more"] = True
    try:
        return json.dumps(call, allow_nan=False).encode("ascii") + b"\0"
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidArgument(f"the arguments of {method} cannot be sent as JSON: {error}") from error


class Reply(NamedTuple):
    parameters: Dict[str, Any]
    continues: bool


class Replies:
    """Splits the received bytes into replies."""

    def __init__(self) -> None:
        # In parts, so that a large reply that arrives in small pieces is joined only once.
        self._parts: List[bytes] = []
        self._size = 0
        self._rest = b""

    def take(self, data: bytes) -> None:
        """Adds received data; empty data means the end of the connection."""
        if not data:
            raise ConnectionLost("it closed the connection")
        self._size += len(data)
        if self._size > LIMIT:
            raise MalformedReply(f"it is longer than {LIMIT} bytes")
        if b"\0" in data:
            self._rest = b"".join([*self._parts, data])
            self._parts = []
        else:
            self._parts.append(data)

    def next(self) -> Optional[Reply]:
        """The next complete reply; an error reply is raised."""
        message, end, rest = self._rest.partition(b"\0")
        if not end:
            return None
        self._rest, self._parts, self._size = (rest, [], len(rest)) if b"\0" in rest else (b"", [rest], len(rest))
        return decode(message)


def decode(message: bytes) -> Reply:
    try:
        reply = json.loads(message.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise MalformedReply("it is not JSON") from error
    if not isinstance(reply, dict):
        raise MalformedReply("it is not a JSON object")
    parameters, name = reply.get("parameters"), reply.get("error")
    if parameters is None:
        parameters = {}
    if not isinstance(parameters, dict):
        raise MalformedReply("its parameters are not a JSON object")
    if name is not None:
        fail(name, parameters)
    return Reply(parameters, reply.get("continues") is True)


def fail(name: object, parameters: Dict[str, Any]) -> NoReturn:
    if not isinstance(name, str):
        raise MalformedReply("its error has no name")
    kind = ERRORS.get(name) or SERVICE_ERRORS.get(name)
    error: PosternError = kind(parameters) if kind else ReplyError(parameters, name)
    raise error
