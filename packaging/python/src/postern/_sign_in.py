"""How the end of a sign-in is waited for: it outlives a restart of the daemon, and so does the wait."""

from __future__ import annotations

import sys
from typing import Optional

from ._errors import MalformedReply, PosternError
from ._interface import AuthResult, Credential, SignInEvent

#: How long a daemon may be absent before the wait is given up, in seconds.
RECONNECT_SECONDS = 15.0


class Wait:
    """Decides; the clients do the rest. Times are of one clock, in seconds."""

    def __init__(self) -> None:
        self._last: Optional[SignInEvent] = None
        self._since: Optional[float] = None

    def heard(self, event: SignInEvent) -> None:
        self._last, self._since = event, None

    def pause(self, error: PosternError, now: float) -> float:
        """How long to wait before the session is attached to; raises the error where there is nothing to wait for."""
        if self._last is None:
            raise error
        if self._since is None:
            self._since = now
        elif now - self._since > RECONNECT_SECONDS:
            raise error
        return 0.05

    @property
    def session_id(self) -> Optional[str]:
        return None if self._last is None else self._last.session_id

    def completed(self) -> SignInEvent:
        if self._last is None or self._last.state != "completed":
            raise MalformedReply("the last event of a sign-in is not its completion")
        return self._last


class PageNotice:
    """Tells the user the address of a page that no browser shows, once, where the program listens to no events."""

    def __init__(self) -> None:
        self._told = False

    def __call__(self, event: SignInEvent) -> None:
        if self._told or event.page_problem is None or event.authorization_url is None:
            return
        self._told = True
        text = f"no browser shows the page ({event.page_problem}); open this page to sign in: {event.authorization_url}"
        print("".join(letter if letter.isprintable() else " " for letter in text), file=sys.stderr, flush=True)


def result_of(event: SignInEvent) -> AuthResult:
    if event.result is None:
        raise MalformedReply("a completed sign-in without its result")
    return event.result


def credential_of(event: SignInEvent) -> Credential:
    if event.credential is None:
        raise MalformedReply("a completed sign-in without its credential")
    return event.credential
