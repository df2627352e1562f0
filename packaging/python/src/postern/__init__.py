"""Sign-in for programs of one user: the client of the Postern daemon.

import postern

client = postern.Client(app="my-tool")
result = client.sign_in("github.com")
print("hello,", result.user.display_name or result.user.uid)
print(client.access_token_of(result).access_token)

`AsyncClient` is the same for asyncio. Errors are of type `PosternError`, whose text is a sentence for the user; each error of the
interface is a subclass.
"""

from ._aio import AsyncReplies as AsyncReplies
from ._client import AsyncClient as AsyncClient
from ._client import Client as Client
from ._connection import Replies as Replies
from ._errors import *  # noqa: F403
from ._interface import *  # noqa: F403

__version__ = "0.1.0"
