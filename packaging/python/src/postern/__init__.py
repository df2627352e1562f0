"""Sign-in for programs of one user: the client of the Postern daemon.

import postern

client = postern.Client(app="my-tool")
user = client.sign_in("github.com").user
print("hello,", user.display_name or user.uid)
print(client.get_access_token("github.com").access_token)

`AsyncClient` is the same for asyncio. What goes wrong is a `PosternError`, whose text is a sentence for the user; each error of the
interface is a class below it.
"""

from ._aio import AsyncReplies as AsyncReplies
from ._client import AsyncClient as AsyncClient
from ._client import Client as Client
from ._connection import Replies as Replies
from ._errors import *  # noqa: F403
from ._interface import *  # noqa: F403

__version__ = "0.1.0"
