"""Waits for the end of a sign-in, which survives a restart of the daemon, as does the wait."""

from __future__ import annotations

import os
import sys
from typing import Optional

from ._errors import InvalidArgument, MalformedReply, PosternError
from ._interface import AuthResult, Credential, ProviderData, SignInEvent

#: How long a daemon may be absent before the wait is given up, in seconds.
RECONNECT_SECONDS = 15.0


class Wait:
    """Makes the decisions; the clients do the rest. All times are of one clock, in seconds."""

    def __init__(self) -> None:
        self._last: Optional[SignInEvent] = None
        self._since: Optional[float] = None

    def heard(self, event: SignInEvent) -> None:
        self._last, self._since = event, None

    def pause(self, error: PosternError, now: float) -> float:
        """How long to wait before attaching to the session again; raises the error if there is nothing to wait for."""
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
    """Shows the user the address of a page that no browser shows, and the code to type on another device; each once, if the program
    handles no events."""

    def __init__(self) -> None:
        self._told = False
        self._code: Optional[str] = None

    def __call__(self, event: SignInEvent) -> None:
        if not self._told and event.page_problem is not None and event.authorization_url is not None:
            self._told = True
            self._say(f"no browser shows the page ({event.page_problem}); open this page to sign in: {event.authorization_url}")
            # The command has the other ways: a forwarded port, a pasted answer, a code.
            self._say(f"with a browser on another machine: postern attach {event.session_id}")
        # A code that arrives while a browser shows the page belongs to another caller, who requested it.
        if event.user_code in (None, self._code) or not (event.authorization_url is None or self._told):
            return
        self._code = event.user_code
        self._say(f"open {event.verification_uri} on any device and type this code there to sign in: {event.user_code}")

    def _say(self, text: str) -> None:
        print("".join(letter if letter.isprintable() else " " for letter in text), file=sys.stderr, flush=True)


class AttendedNotice(PageNotice):
    """The same for a program that wants a token and may run where nobody sees what it writes: then the sign-in is given up at once, with
    the error that it was for."""

    def __init__(self, needed: PosternError) -> None:
        super().__init__()
        self._needed = needed

    def _say(self, text: str) -> None:
        # Any of the three: a person at a terminal may have redirected the others.
        if not any(os.isatty(descriptor) for descriptor in range(3)):
            raise self._needed
        super()._say(text)


def result_of(event: SignInEvent) -> AuthResult:
    if event.result is None:
        raise MalformedReply("a completed sign-in without its result")
    return event.result


def credential_of(event: SignInEvent) -> Credential:
    if event.credential is None:
        raise MalformedReply("a completed sign-in without its credential")
    return event.credential


def account_of(result: AuthResult) -> ProviderData:
    for account in result.user.provider_data:
        if result.credential is not None and account.provider_id == result.credential.provider_id:
            return account
    raise InvalidArgument("this was not signed in with a provider, and only a provider gives access tokens")
