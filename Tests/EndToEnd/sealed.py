"""The sealed values of a store whose key is a file, read and written by an independent program."""
import base64
import hashlib
import hmac
import json
import os
import sqlite3
from contextlib import closing

from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class SealedColumn:
    """One column of the store of a daemon that is not running. Each value is a JSON object.

    `row` is the column that identifies a row; `bound` are others that are sealed with the value."""

    def __init__(self, daemon, table, column, row, bound=()):
        state = daemon.directory / "state"
        self.path, self.table, self.column, self.row = state / "postern.db", table, column, row
        self.bound = bound
        line = (state / "key").read_text()
        self.cipher = AESGCM(hmac.digest(decoded(line.split()[1]), b"postern sealing 1", hashlib.sha256))

    def place(self, row):
        parts = [b"postern store 1", f"{self.table}.{self.column}".encode(), row.encode()]
        if self.bound:
            with closing(sqlite3.connect(self.path)) as database:
                found = database.execute(f"SELECT {', '.join(self.bound)} FROM {self.table} WHERE {self.row} = ?", [row]).fetchone()
            parts += [value.encode() for value in found]
        return b"".join(len(part).to_bytes(8, "big") + part for part in parts)

    def read(self, row):
        with closing(sqlite3.connect(self.path)) as database:
            (sealed,) = database.execute(f"SELECT {self.column} FROM {self.table} WHERE {self.row} = ?", [row]).fetchone()
        return json.loads(self.cipher.decrypt(sealed[:12], sealed[12:], self.place(row)))

    def write(self, row, value):
        nonce = os.urandom(12)
        sealed = nonce + self.cipher.encrypt(nonce, json.dumps(value).encode(), self.place(row))
        with closing(sqlite3.connect(self.path)) as database:
            assert database.execute(f"UPDATE {self.table} SET {self.column} = ? WHERE {self.row} = ?", [sealed, row]).rowcount == 1
            database.commit()


def make_sign_ins_old(daemon):
    """Nobody was there a moment ago: the sign-ins of all apps were decades ago. The daemon is not running."""
    column = SealedColumn(daemon, "current_users", "sealed", "app", bound=["uid"])
    with closing(sqlite3.connect(column.path)) as database:
        apps = [app for (app,) in database.execute("SELECT app FROM current_users")]
    assert apps
    for app in apps:
        column.write(app, {**column.read(app), "authenticatedAt": 0})
