"""The language server over standard input and output."""

from __future__ import annotations

import os
import sys
from typing import BinaryIO, cast

from . import commands, documents, edits, lenses, navigation
from .checked_protocol import Frames
from .editor_server import EditorServer


def make_server() -> EditorServer:
    """A server with all requests registered."""
    server = EditorServer()
    for room in (documents, navigation, edits, lenses, commands):
        room.register(server)
    return server


def serve() -> None:
    """Serve an editor until it disconnects."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Any other output would corrupt the protocol.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    make_server().start_io(cast(BinaryIO, Frames(sys.stdin.buffer)), answers)
