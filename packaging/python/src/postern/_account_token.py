"""A token of one of the person's accounts, and the account."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Optional, Union

from ._errors import MalformedReply
from ._interface import GetAccessTokenReply, Provider, ScopeNotGranted, SignInEvent, SignInRequired, StoredCredential

__all__ = ["AccountToken"]


@dataclass(frozen=True)
class AccountToken:
    """An access token, and the account of the person that it belongs to."""

    access_token: str = field(repr=False)
    #: Whose it is: `provider_id` and `uid` identify the account, and `get_access_token` gives further tokens of it.
    account: StoredCredential
    token_type: str
    scopes: List[str]
    #: The token secret of OAuth 1.0a.
    secret: Optional[str] = field(default=None, repr=False)
    expires_at: Optional[str] = None

    @property
    def who(self) -> str:
        """What the person calls the account: its address, else its name."""
        return self.account.email or self.account.display_name or self.account.uid


def account_token(reply: GetAccessTokenReply, name: str, stored: List[StoredCredential]) -> AccountToken:
    """`name` is that of a provider, or of an account in the configuration."""
    owners = [each for each in stored if each.uid == reply.uid]
    # Two providers may have an account of the same identifier.
    called = [each for each in owners if name in (each.provider_id, each.account)] or owners
    if not called:
        reason = "the account was signed out"
        message = f"the account of this token at {name} was signed out meanwhile; run `postern sign-in {name}`"
        raise SignInRequired({"code": 0, "message": message, "providerID": name, "reason": reason})
    return AccountToken(reply.access_token, called[0], reply.token_type, reply.scopes, reply.secret, reply.expires_at)


def kept_account(event: SignInEvent) -> StoredCredential:
    if event.account is None:
        raise MalformedReply("a completed sign-in without its account")
    return event.account


def scopes_to_request(
    scopes: List[str],
    needed: Union[SignInRequired, ScopeNotGranted],
    name: str,
    account: Optional[str],
    stored: List[StoredCredential],
    providers: List[Provider],
) -> List[str]:
    """What the account has already, or else what the provider is usually asked for, and the program's. A sign-in that names scopes gets
    these and no others, and other programs use the account, too."""
    mine = [each for each in stored if name in (each.provider_id, each.account)]
    if account is not None:
        mine = [each for each in mine if account in (each.account, each.email, each.uid)]
    present = [scope for each in mine for scope in each.scopes] if len(mine) == 1 else []
    if not mine:
        asked_at = needed.provider_id if isinstance(needed, SignInRequired) else name
        present = [scope for each in providers if each.provider_id == asked_at for scope in each.scopes]
    return present + [scope for scope in scopes if scope not in present]
