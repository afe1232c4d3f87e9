"""The address of a studio: a port and a token, remembered for each folder, so that an open page finds its server again.

They are stored in a signed file that only the user can read. If it is missing, or others could have read or written it, they
are new.
"""

from __future__ import annotations

import json
import re
import secrets
import socket
import sys
from pathlib import Path

from rulewright.base.cache import Cache
from rulewright.base.records import frozen

TOKEN_BYTES = 32
"""Bytes of a token."""

MOST_KEPT = 64
"""The number of most recently used folders whose addresses are stored."""

_TOKEN = re.compile(rf"[A-Za-z0-9_-]{{{TOKEN_BYTES},{4 * TOKEN_BYTES}}}")


@frozen
class Address:
    """The address of a folder's page."""

    port: int
    token: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/{self.token}/"


def listen(folder: Path, port: int) -> tuple[socket.socket, Address]:
    """A socket on this machine only, and its address: the folder's previous one, if its port is free.

    A given port is used as is. Raises `OSError` if it is taken.
    """
    known = _remembered(folder)
    for wanted in dict.fromkeys((port,) if port else (known.port if known else 0, 0)):
        opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if sys.platform != "win32":
                opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            opened.bind(("127.0.0.1", wanted))
            opened.listen(64)
        except OSError:
            opened.close()
            if wanted in (port, 0):
                raise
            continue
        at = opened.getsockname()[1]
        token = known.token if known is not None and known.port == at else secrets.token_urlsafe(TOKEN_BYTES)
        address = Address(at, token)
        _remember(folder, address)
        return opened, address
    raise AssertionError("the last attempt either listens or raises")


def _remembered(folder: Path) -> Address | None:
    cache = Cache.opened("studio")
    try:
        kept = json.loads((None if cache is None else cache.recall(_name_of(cache, folder), private=True)) or b"")
        address = Address(int(kept["port"]), str(kept["token"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return address if _TOKEN.fullmatch(address.token) and 1024 <= address.port < 65536 else None


def _remember(folder: Path, address: Address) -> None:
    """Keep an address, if that can be: without it a page cannot reconnect after a restart; everything else works."""
    if (cache := Cache.opened("studio")) is not None:
        cache.keep(_name_of(cache, folder), json.dumps({"port": address.port, "token": address.token}).encode(), MOST_KEPT)


def _name_of(cache: Cache, folder: Path) -> str:
    return cache.name((str(folder),))
