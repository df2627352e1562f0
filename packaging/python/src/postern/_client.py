"""The clients, which programs use."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from typing import AsyncGenerator, Callable, Collection, Dict, Generator, List, Mapping, Optional, TypeVar, Union

from . import _wire
from ._account_token import AccountToken, account_token, kept_account, scopes_to_request
from ._aio import AsyncConnection, AsyncReplies
from ._connection import Connection, Replies
from ._errors import ConnectionLost, DaemonUnreachable, TimedOut
from ._interface import AuthResult, Credential, GetAccessTokenReply, Intent, ScopeNotGranted, SignInEvent, SignInRequired
from ._methods import AsyncMethods, Methods
from ._places import Deadline, Place, checked_timeout
from ._sign_in import AttendedNotice, PageNotice, Wait, account_of, credential_of, result_of
from ._values import Reader
from ._wire import Reply

T = TypeVar("T")


class Settings:
    """What both clients are made with."""

    def __init__(
        self,
        app: str = "default",
        *,
        socket_path: Optional[Union[str, os.PathLike[str]]] = None,
        servers: Optional[Collection[int]] = None,
        timeout: Optional[float] = 120,
    ) -> None:
        self.app = app
        self.socket_path = os.fspath(socket_path) if socket_path is not None else _wire.socket_path(os.environ)
        self.servers = frozenset([os.geteuid()] if servers is None else servers)
        self.timeout = timeout

    @property
    def timeout(self) -> Optional[float]:
        """In seconds; None for no limit."""
        return self._timeout

    @timeout.setter
    def timeout(self, timeout: Optional[float]) -> None:
        self._timeout = checked_timeout(timeout)


class Client(Settings, Methods):
    """Gives programs tokens of the person's accounts, and signs users in, through this user's daemon.

    `token_or_sign_in` is the call for a tool that works with the person's own account. An app that has users of its own signs them in
    with `sign_in`.

    Each call has its own connection, and any thread may make it. At most 64 calls of a process are made at once, and further ones wait for
    their turn; that does not include those that wait for a person.

    `app` names the app whose users are meant: each app has its own current user. `servers` are the numeric IDs of the users whose
    daemon is accepted, by default this process's own user alone; nothing is sent to any other user's daemon. `timeout`, in seconds and
    more than 0, applies to the calls that wait for no person, from the call to its answer; None is no limit.

    `token_or_sign_in`, `sign_in`, `link`, `reauthenticate` and `credential` open a page and wait for the user; `on_event` is called with
    each event. The first has the address of the page, or the code to type on another device if the provider or the configuration uses the
    device flow. Without `on_event` the code is written to standard error, and so is the address if no browser shows the page, as with
    `browser = "none"` in the configuration.
    """

    def token_or_sign_in(
        self,
        provider_id: str,
        *,
        account: Optional[str] = None,
        scopes: Optional[List[str]] = None,
        minimum_validity_seconds: Optional[int] = None,
        timeout_seconds: Optional[int] = None,
        on_event: Optional[Callable[[SignInEvent], None]] = None,
    ) -> AccountToken:
        """A token of an account of the person, who signs in first if there is none.

        It concerns no user of the program's `app`: the account is the person's own, kept for all their programs. The result says which it
        is. No page is opened if a token is there, or can be renewed.

        `provider_id` is the name of a provider, or of an account in the configuration. Of several accounts at a provider, `account`
        chooses one by its name, its address or its user name; without it the error is `AmbiguousAccount`, unless the configuration says
        which is meant. `scopes` are what the token must be good for; a sign-in for more of them also asks for those that the account has.

        Programs that ask for the same meanwhile share the page, and each gets its token. If no browser shows the page, its address or the
        code to type on another device is written to standard error, if the program has a terminal; if it has none, the error is raised
        that a token could not be had without (`SignInRequired`, `ScopeNotGranted`), at once. `on_event` takes the place of that. If the
        person declines, the error is `SignInDenied`, and what is stored stays. A locked store is `StoreLocked`, and opens no page.

        `get_access_token` never opens a page: it is for programs that run unattended.
        """
        try:
            return self._account_token(provider_id, None, account, scopes, minimum_validity_seconds)
        except (SignInRequired, ScopeNotGranted) as error:
            needed = error
        asked = scopes
        if scopes is not None:
            stored, providers = self.list_credentials(), self.list_providers()
            asked = scopes_to_request(scopes, needed, provider_id, account, stored, providers)
        notify = on_event or AttendedNotice(needed)
        kept = kept_account(self._completed(provider_id, "keep", asked, None, account, timeout_seconds, notify))
        if account is None:
            return self._account_token(kept.provider_id, kept.uid, None, scopes, minimum_validity_seconds)
        # Another one may have signed in.
        return self._account_token(provider_id, None, account, scopes, minimum_validity_seconds)

    def _account_token(
        self, provider_id: str, uid: Optional[str], account: Optional[str], scopes: Optional[List[str]], validity: Optional[int]
    ) -> AccountToken:
        reply = self.get_access_token(provider_id, uid=uid, account=account, scopes=scopes, minimum_validity_seconds=validity)
        return account_token(reply, provider_id, self.list_credentials())

    def sign_in(
        self,
        provider_id: str,
        *,
        scopes: Optional[List[str]] = None,
        custom_parameters: Optional[Dict[str, str]] = None,
        login_hint: Optional[str] = None,
        timeout_seconds: Optional[int] = None,
        on_event: Optional[Callable[[SignInEvent], None]] = None,
    ) -> AuthResult:
        """Opens the provider's page in the browser, waits for the user to sign in, and makes them the app's current user."""
        event = self._completed(provider_id, "signIn", scopes, custom_parameters, login_hint, timeout_seconds, on_event)
        return result_of(event)

    def link(
        self,
        provider_id: str,
        *,
        scopes: Optional[List[str]] = None,
        custom_parameters: Optional[Dict[str, str]] = None,
        login_hint: Optional[str] = None,
        timeout_seconds: Optional[int] = None,
        on_event: Optional[Callable[[SignInEvent], None]] = None,
    ) -> AuthResult:
        """Opens the provider's page, and links the account that the user signs in with to the current user."""
        event = self._completed(provider_id, "link", scopes, custom_parameters, login_hint, timeout_seconds, on_event)
        return result_of(event)

    def reauthenticate(
        self,
        provider_id: str,
        *,
        scopes: Optional[List[str]] = None,
        custom_parameters: Optional[Dict[str, str]] = None,
        login_hint: Optional[str] = None,
        timeout_seconds: Optional[int] = None,
        on_event: Optional[Callable[[SignInEvent], None]] = None,
    ) -> AuthResult:
        """Opens the provider's page; the person who signs in must be the current user. Some calls need this in the last five minutes."""
        event = self._completed(provider_id, "reauthenticate", scopes, custom_parameters, login_hint, timeout_seconds, on_event)
        return result_of(event)

    def credential(
        self,
        provider_id: str,
        *,
        scopes: Optional[List[str]] = None,
        custom_parameters: Optional[Dict[str, str]] = None,
        login_hint: Optional[str] = None,
        timeout_seconds: Optional[int] = None,
        on_event: Optional[Callable[[SignInEvent], None]] = None,
    ) -> Credential:
        """Obtains a credential from the provider without signing anybody in."""
        event = self._completed(provider_id, "credential", scopes, custom_parameters, login_hint, timeout_seconds, on_event)
        return credential_of(event)

    def access_token_of(
        self,
        result: AuthResult,
        *,
        scopes: Optional[List[str]] = None,
        minimum_validity_seconds: Optional[int] = None,
        force_refresh: Optional[bool] = None,
    ) -> GetAccessTokenReply:
        """A token of the account that the user has just signed in with, however many others are stored for its provider."""
        account = account_of(result)
        return self.get_access_token(
            account.provider_id,
            uid=account.uid,
            scopes=scopes,
            minimum_validity_seconds=minimum_validity_seconds,
            force_refresh=force_refresh,
        )

    def _completed(
        self,
        provider_id: str,
        intent: Intent,
        scopes: Optional[List[str]],
        custom_parameters: Optional[Dict[str, str]],
        login_hint: Optional[str],
        timeout_seconds: Optional[int],
        on_event: Optional[Callable[[SignInEvent], None]],
    ) -> SignInEvent:
        wait, notify = Wait(), on_event or PageNotice()

        def begin() -> Replies[SignInEvent]:
            if wait.session_id is not None:
                return self.attach_session(wait.session_id)
            return self.sign_in_events(
                provider_id,
                intent=intent,
                scopes=scopes,
                custom_parameters=custom_parameters,
                login_hint=login_hint,
                timeout_seconds=timeout_seconds,
            )

        # An error that `notify` raises ends the call, whatever its type: only those inside the generator are the connection's.
        with contextlib.closing(_events(begin, wait)) as events:
            for event in events:
                notify(event)
        return wait.completed()

    def _call(self, method: str, parameters: Mapping[str, object], read: Reader[T]) -> T:
        deadline = Deadline(self.timeout)
        with Place() as place:
            place.wait(deadline)
            connection = Connection(self.socket_path, self.servers, method, parameters, False, deadline)
            try:
                return read(connection.receive().parameters, "")
            finally:
                connection.close()

    def _stream(self, method: str, parameters: Mapping[str, object], read: Reader[T]) -> Replies[T]:
        return Replies(Connection(self.socket_path, self.servers, method, parameters, True, Deadline(None)), read)


class AsyncClient(Settings, AsyncMethods):
    """`Client` for asyncio: its methods are coroutines, with the same parameters. Cancelling the task closes the connection of its call."""

    async def token_or_sign_in(
        self,
        provider_id: str,
        *,
        account: Optional[str] = None,
        scopes: Optional[List[str]] = None,
        minimum_validity_seconds: Optional[int] = None,
        timeout_seconds: Optional[int] = None,
        on_event: Optional[Callable[[SignInEvent], None]] = None,
    ) -> AccountToken:
        """As `Client.token_or_sign_in`: a token of an account of the person, who signs in first if there is none."""
        try:
            return await self._account_token(provider_id, None, account, scopes, minimum_validity_seconds)
        except (SignInRequired, ScopeNotGranted) as error:
            needed = error
        asked = scopes
        if scopes is not None:
            stored, providers = await self.list_credentials(), await self.list_providers()
            asked = scopes_to_request(scopes, needed, provider_id, account, stored, providers)
        notify = on_event or AttendedNotice(needed)
        kept = kept_account(await self._completed(provider_id, "keep", asked, None, account, timeout_seconds, notify))
        if account is None:
            return await self._account_token(kept.provider_id, kept.uid, None, scopes, minimum_validity_seconds)
        # Another one may have signed in.
        return await self._account_token(provider_id, None, account, scopes, minimum_validity_seconds)

    async def _account_token(
        self, provider_id: str, uid: Optional[str], account: Optional[str], scopes: Optional[List[str]], validity: Optional[int]
    ) -> AccountToken:
        reply = await self.get_access_token(provider_id, uid=uid, account=account, scopes=scopes, minimum_validity_seconds=validity)
        return account_token(reply, provider_id, await self.list_credentials())

    async def sign_in(
        self,
        provider_id: str,
        *,
        scopes: Optional[List[str]] = None,
        custom_parameters: Optional[Dict[str, str]] = None,
        login_hint: Optional[str] = None,
        timeout_seconds: Optional[int] = None,
        on_event: Optional[Callable[[SignInEvent], None]] = None,
    ) -> AuthResult:
        """Opens the provider's page in the browser, waits for the user to sign in, and makes them the app's current user."""
        event = await self._completed(provider_id, "signIn", scopes, custom_parameters, login_hint, timeout_seconds, on_event)
        return result_of(event)

    async def link(
        self,
        provider_id: str,
        *,
        scopes: Optional[List[str]] = None,
        custom_parameters: Optional[Dict[str, str]] = None,
        login_hint: Optional[str] = None,
        timeout_seconds: Optional[int] = None,
        on_event: Optional[Callable[[SignInEvent], None]] = None,
    ) -> AuthResult:
        """Opens the provider's page, and links the account that the user signs in with to the current user."""
        event = await self._completed(provider_id, "link", scopes, custom_parameters, login_hint, timeout_seconds, on_event)
        return result_of(event)

    async def reauthenticate(
        self,
        provider_id: str,
        *,
        scopes: Optional[List[str]] = None,
        custom_parameters: Optional[Dict[str, str]] = None,
        login_hint: Optional[str] = None,
        timeout_seconds: Optional[int] = None,
        on_event: Optional[Callable[[SignInEvent], None]] = None,
    ) -> AuthResult:
        """Opens the provider's page; the person who signs in must be the current user. Some calls need this in the last five minutes."""
        event = await self._completed(provider_id, "reauthenticate", scopes, custom_parameters, login_hint, timeout_seconds, on_event)
        return result_of(event)

    async def credential(
        self,
        provider_id: str,
        *,
        scopes: Optional[List[str]] = None,
        custom_parameters: Optional[Dict[str, str]] = None,
        login_hint: Optional[str] = None,
        timeout_seconds: Optional[int] = None,
        on_event: Optional[Callable[[SignInEvent], None]] = None,
    ) -> Credential:
        """Obtains a credential from the provider without signing anybody in."""
        event = await self._completed(provider_id, "credential", scopes, custom_parameters, login_hint, timeout_seconds, on_event)
        return credential_of(event)

    async def access_token_of(
        self,
        result: AuthResult,
        *,
        scopes: Optional[List[str]] = None,
        minimum_validity_seconds: Optional[int] = None,
        force_refresh: Optional[bool] = None,
    ) -> GetAccessTokenReply:
        """A token of the account that the user has just signed in with, however many others are stored for its provider."""
        account = account_of(result)
        return await self.get_access_token(
            account.provider_id,
            uid=account.uid,
            scopes=scopes,
            minimum_validity_seconds=minimum_validity_seconds,
            force_refresh=force_refresh,
        )

    async def _completed(
        self,
        provider_id: str,
        intent: Intent,
        scopes: Optional[List[str]],
        custom_parameters: Optional[Dict[str, str]],
        login_hint: Optional[str],
        timeout_seconds: Optional[int],
        on_event: Optional[Callable[[SignInEvent], None]],
    ) -> SignInEvent:
        wait, notify = Wait(), on_event or PageNotice()

        def begin() -> AsyncReplies[SignInEvent]:
            if wait.session_id is not None:
                return self.attach_session(wait.session_id)
            return self.sign_in_events(
                provider_id,
                intent=intent,
                scopes=scopes,
                custom_parameters=custom_parameters,
                login_hint=login_hint,
                timeout_seconds=timeout_seconds,
            )

        events = _async_events(begin, wait)
        try:
            async for event in events:
                notify(event)
        finally:
            await events.aclose()
        return wait.completed()

    async def _call(self, method: str, parameters: Mapping[str, object], read: Reader[T]) -> T:
        connection = AsyncConnection(self.socket_path, self.servers, method, parameters, more=False)

        async def answer(place: Place) -> Reply:
            await asyncio.wrap_future(place.future)
            return await connection.receive()

        with Place() as place:
            try:
                reply = await asyncio.wait_for(answer(place), self.timeout)
            except asyncio.TimeoutError as error:
                raise TimedOut(self.timeout or 0) from error
            finally:
                connection.close()
        return read(reply.parameters, "")

    def _stream(self, method: str, parameters: Mapping[str, object], read: Reader[T]) -> AsyncReplies[T]:
        return AsyncReplies(AsyncConnection(self.socket_path, self.servers, method, parameters, more=True), read)


def _events(begin: Callable[[], Replies[SignInEvent]], wait: Wait) -> Generator[SignInEvent, None, None]:
    """The events of a sign-in to its end, also across a restart of the daemon."""
    while True:
        try:
            with begin() as events:
                for event in events:
                    wait.heard(event)
                    yield event
            return
        except (ConnectionLost, DaemonUnreachable) as error:
            pause = wait.pause(error, time.monotonic())
        time.sleep(pause)


async def _async_events(begin: Callable[[], AsyncReplies[SignInEvent]], wait: Wait) -> AsyncGenerator[SignInEvent, None]:
    while True:
        try:
            async with begin() as events:
                async for event in events:
                    wait.heard(event)
                    yield event
            return
        except (ConnectionLost, DaemonUnreachable) as error:
            pause = wait.pause(error, time.monotonic())
        await asyncio.sleep(pause)
