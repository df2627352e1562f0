"""Sign-in for programs of one user: the client of the Postern daemon.

import postern

client = postern.Client()
token = client.token_or_sign_in("github.com")  # opens the page in the browser if there is no token
print("the account is", token.who)
print(token.access_token)

`AsyncClient` is the same for asyncio. Errors are of type `PosternError`, whose text is a sentence for the user; each error of the
interface is a subclass.
"""

from ._account_token import AccountToken as AccountToken
from ._aio import AsyncReplies as AsyncReplies
from ._client import AsyncClient as AsyncClient
from ._client import Client as Client
from ._connection import Replies as Replies
from ._errors import *  # noqa: F403
from ._interface import *  # noqa: F403

__version__ = "0.1.0"
