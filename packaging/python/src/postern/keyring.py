"""A backend for the package `keyring`: twine, poetry and pip get a token for a URL as the password there.

`keyring` finds it by its entry point. Which account a URL belongs to is decided as by `postern helper keyring`: a URL is looked up in the
daemon first, so that a token is only given out for its own URLs, and among several accounts nothing is chosen by chance.
"""

from __future__ import annotations

import logging
import os
import re
import shlex
from typing import List, Optional, Tuple, Type

from keyring.backend import KeyringBackend
from keyring.credentials import Credential, SimpleCredential
from keyring.errors import PasswordDeleteError, PasswordSetError

from ._client import Client
from ._errors import DaemonUnreachable, InvalidParameter, PosternError
from ._interface import (
    AmbiguousAccount,
    FindAccountReply,
    GetAccessTokenReply,
    NoCurrentUser,
    OriginNotServed,
    ProviderNotConfigured,
    ProviderNotFound,
    ScopeNotGranted,
    ServedAccount,
    SignInRequired,
)
from ._wire import socket_path

log = logging.getLogger(__name__)

#: How long a program waits for a URL to be looked up, in seconds: most are none of ours.
PATIENCE = 10.0
#: How long for a token that may have to be refreshed. The daemon limits its own waits to less.
TOKEN_PATIENCE = 90.0
#: In bytes; the daemon's limit.
LONGEST_URL = 8192

#: The user names that accompany a token, where the provider's services require one; `oauth2` at all others.
NAMES = {
    "google.com": "oauth2accesstoken",
    "github.com": "x-access-token",
    "microsoft.com": "00000000-0000-0000-0000-000000000000",
}
#: Names that only say that a token follows, and not whose it is. twine asks again by the name that it was told.
PLACEHOLDERS = {"", "git", "oauth2", "x-oauth-basic", "x-token-auth", "__token__", "token", "VssSessionToken", *NAMES.values()}

#: A host name or address and a port, before a path. Nothing that can be read in two ways: the daemon alone decides what a URL matches.
URL = re.compile(r"https?://([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(?=[/?#]|\Z)[!-\[\]-~]*")


class ReadOnlyError(NotImplementedError):
    """`keyring` asks its next backend to store a password if this one raises NotImplementedError; a program that uses this one alone
    expects an error of `keyring`."""


class CannotSet(ReadOnlyError, PasswordSetError):
    """Raised for each password to be stored."""


class CannotDelete(ReadOnlyError, PasswordDeleteError):
    """Raised for each password to be deleted."""


class Priority:
    """A property of the class."""

    def __get__(self, backend: Optional[KeyringBackend], kind: Optional[Type[KeyringBackend]] = None) -> float:
        path = socket_path(os.environ)
        if not os.path.exists(path):
            # `keyring` then has one backend less, and programs know that no password can be stored if it was the only one.
            raise RuntimeError(f"there is no daemon of Postern at {path}")
        # Before those that store passwords: a locked one of these would end the search.
        return 9


class PosternBackend(KeyringBackend):
    """Answers for the URLs that an account's tokens are for, and has nothing else."""

    priority = Priority()

    def get_password(self, service: str, username: Optional[str]) -> Optional[str]:
        found = self.get_credential(service, username)
        return None if found is None else found.password

    def get_credential(self, service: str, username: Optional[str]) -> Optional[Credential]:
        # A host alone does not say whether the password would be sent encrypted.
        if len(service) > LONGEST_URL or not URL.fullmatch(service):
            return None
        user = None if username is None or username in PLACEHOLDERS else username
        try:
            found = Client(timeout=PATIENCE).find_account(service)
        except (DaemonUnreachable, InvalidParameter, OriginNotServed) as error:
            # Whether an account is meant is not known, or no token can be for this URL.
            log.debug("no token for %s: %s", service, error)
            return None
        except PosternError as error:
            log.warning("no token for %s: %s", service, error)
            return None
        for account, login in candidates(found, user, service):
            token = token_of(account, login)
            if token is not None and (login is None or token.uid in uids(found.accounts, account.provider_id)):
                return SimpleCredential(username or NAMES.get(account.provider_id, "oauth2"), token.access_token)
        return None

    def set_password(self, service: str, username: str, password: str) -> None:
        raise CannotSet("postern stores no password of another program; it answers for the URLs that an account's tokens are for")

    def delete_password(self, service: str, username: str) -> None:
        raise CannotDelete("postern stores no password of another program; postern revoke removes an account's tokens")


def candidates(found: FindAccountReply, user: Optional[str], url: str) -> List[Tuple[ServedAccount, Optional[str]]]:
    """The accounts to request a token of, until one has it; with the user name, if the daemon has to interpret that."""
    fitting = accounts = found.accounts
    # If nobody has signed in yet, no name is known.
    if user is not None and any(account.signed_in for account in accounts):
        fitting = [account for account in accounts if user in (account.account, account.uid, account.display_name)]
        if not fitting:
            # The daemon may know the account's user name.
            named = {account.provider_id: (account, user) for account in reversed(accounts) if account.uid is not None}
            return list(named.values())
    if not fitting:
        # Most programs ask about servers that nobody configured; there is a reason only if something comes near.
        level = logging.WARNING if found.reason else logging.DEBUG
        log.log(level, "no token for %s: %s", url, found.reason or "no account's tokens are for it")
        return []
    closest = min(account.rank for account in fitting)
    nearest = [account for account in fitting if account.rank == closest]
    signed_in = {(account.provider_id, account.uid): account for account in reversed(nearest) if account.signed_in}
    if len(signed_in) > 1:
        names = ", ".join(account.account or account.display_name or account.uid or account.provider_id for account in signed_in.values())
        # The daemon compared all of them.
        reason = found.reason if len(fitting) == len(accounts) else None
        log.warning("%s", reason or f"the tokens of several accounts are equally for {url}: {names}")
        return []
    return [(next(iter(signed_in.values()), nearest[0]), None)]


def uids(accounts: List[ServedAccount], provider_id: str) -> List[Optional[str]]:
    return [account.uid for account in accounts if account.provider_id == provider_id]


def token_of(account: ServedAccount, login: Optional[str]) -> Optional[GetAccessTokenReply]:
    """Nothing if there is none now; why is logged, as a program asks its next backend, and then the user."""
    # A named account contains more than its identifier: its scopes, and the purpose of its tokens.
    name = account.provider_id if login is not None else account.account or account.provider_id
    uid = account.uid if login is None and account.account is None else None
    try:
        token = Client(timeout=TOKEN_PATIENCE).get_access_token(name, uid=uid, account=login)
    except AmbiguousAccount as error:
        log.log(logging.DEBUG if login is not None else logging.WARNING, "%s", error)
        return None
    except (ProviderNotFound, ProviderNotConfigured) as error:
        log.debug("%s", error)
        return None
    except (SignInRequired, ScopeNotGranted, NoCurrentUser) as error:
        log.log(logging.DEBUG if login is not None else logging.WARNING, "%s; sign in with: postern sign-in %s", error, shlex.quote(name))
        return None
    except PosternError as error:
        log.warning("no token of %s: %s", name, error)
        return None
    # A proof or a signature is made for each request, and its key stays with the daemon.
    if token.token_type.lower() == "dpop" or token.secret is not None:
        log.warning("the tokens of %s are useless without a signature on each request", name)
        return None
    if not re.fullmatch(r"[!-~]+", token.access_token):
        log.warning("the token of %s has characters that are not allowed in a password", name)
        return None
    return token
