"""The errors. Each error's text is a sentence for the user, safe to log."""

from __future__ import annotations

import os
from typing import Any, Dict, Mapping, Optional, Tuple, Type


class PosternError(Exception):
    """Why a call failed."""


class InvalidArgument(PosternError, ValueError):
    """A value of the program's that cannot be used. Nothing was sent."""


def _has_systemd() -> bool:
    """As sd_booted(3)."""
    return os.path.isdir("/run/systemd/system")


class DaemonUnreachable(PosternError):
    """Nothing answers at the socket."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path, self.reason = path, reason

    def __str__(self) -> str:
        return (
            f"the daemon cannot be reached at {self.path}: {self.reason}; start it with: "
            + ("systemctl --user start postern.socket, or run posternd" if _has_systemd() else "nohup posternd >/dev/null 2>&1 &")
        )


class ForeignDaemon(PosternError):
    """The socket belongs to another user, who denies access or whose process answers there. Nothing was sent to it."""

    def __init__(self, path: str, user_id: int) -> None:
        super().__init__(path, user_id)
        self.path, self.user_id = path, user_id

    def __str__(self) -> str:
        return f"{self.path} belongs to user {self.user_id} and not to this one ({os.geteuid()}); nothing was sent"


class ConnectionLost(PosternError):
    """The daemon stopped before it answered. A sign-in can be resumed with its session ID."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"the daemon went away before it had answered: {self.reason}"


class TimedOut(PosternError):
    """The daemon did not answer within the client's `timeout`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds

    def __str__(self) -> str:
        return f"the daemon did not answer within {self.seconds:g} s"


class MalformedReply(PosternError):
    """A reply that is not valid."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"the daemon's answer is invalid: {self.reason}"


class ReplyError(PosternError):
    """An error reply of the daemon: a subclass, or this class for an error without one."""

    #: The error's name on the wire.
    error_name: str = ""
    #: The corresponding Firebase AuthErrorCode number, or 0.
    code: int
    #: A sentence for the user.
    message: str
    #: As received. They may contain secrets, if the interface says so.
    parameters: Dict[str, Any]

    def __init__(self, parameters: Mapping[str, Any], name: Optional[str] = None) -> None:
        if name is not None:
            self.error_name = name
        self.parameters = dict(parameters)
        message, code = self.parameters.get("message"), self.parameters.get("code")
        self.message = message if isinstance(message, str) and message else self._sentence()
        self.code = code if isinstance(code, int) else 0
        super().__init__(self.message)
        self._take(self.parameters)

    def _take(self, members: Mapping[str, object]) -> None:
        """Reads the members that only this error has."""

    def _sentence(self) -> str:
        return f"the daemon answered with the error {self.error_name}"

    def __reduce__(self) -> Tuple[Any, ...]:
        return (type(self), (self.parameters, self.error_name))


class ServiceError(ReplyError):
    """An error of `org.varlink.service`: usually daemon and package are of different versions."""


class InterfaceNotFound(ServiceError):
    """The daemon does not have the interface."""

    error_name = "org.varlink.service.InterfaceNotFound"

    def _sentence(self) -> str:
        return f"this daemon does not know the interface {self.parameters.get('interface', '?')}"


class MethodNotFound(ServiceError):
    """The daemon does not have the method."""

    error_name = "org.varlink.service.MethodNotFound"

    def _sentence(self) -> str:
        return f"this daemon does not know the method {self.parameters.get('method', '?')}"


class MethodNotImplemented(ServiceError):
    """The daemon knows the method, but does not implement it yet."""

    error_name = "org.varlink.service.MethodNotImplemented"

    def _sentence(self) -> str:
        return f"this daemon does not have the method {self.parameters.get('method', '?')} yet"


class InvalidParameter(ServiceError):
    """A parameter is not accepted, or not with this value."""

    error_name = "org.varlink.service.InvalidParameter"

    def _sentence(self) -> str:
        return f"the daemon does not take {self.parameters.get('parameter', '?')}, or not with this value"


class PermissionDenied(ServiceError):
    """The daemon refuses this user, or has too many calls under way."""

    error_name = "org.varlink.service.PermissionDenied"

    def _sentence(self) -> str:
        message = self.parameters.get("message")
        return message if isinstance(message, str) else "the daemon refuses this user"


class ExpectedMore(ServiceError):
    """The method replies more than once and was called without `more`."""

    error_name = "org.varlink.service.ExpectedMore"

    def _sentence(self) -> str:
        return "this method answers more than once and must be called so"


SERVICE_ERRORS: Dict[str, Type[ReplyError]] = {
    each.error_name: each
    for each in (InterfaceNotFound, MethodNotFound, MethodNotImplemented, InvalidParameter, PermissionDenied, ExpectedMore)
}

__all__ = [
    "ConnectionLost",
    "DaemonUnreachable",
    "ExpectedMore",
    "ForeignDaemon",
    "InterfaceNotFound",
    "InvalidArgument",
    "InvalidParameter",
    "MalformedReply",
    "MethodNotFound",
    "MethodNotImplemented",
    "PermissionDenied",
    "PosternError",
    "ReplyError",
    "ServiceError",
    "TimedOut",
]
