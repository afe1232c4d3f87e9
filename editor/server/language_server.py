"""The language server over standard input and output."""

from __future__ import annotations

import os
import sys

from . import commands, documents, edits, hierarchy, lenses, navigation
from .editor_server import EditorServer


def make_server() -> EditorServer:
    """A server with all that it answers."""
    server = EditorServer()
    for room in (documents, navigation, hierarchy, edits, lenses, commands):
        room.register(server)
    return server


def serve() -> None:
    """Answer an editor until it ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # What anything else might print would not be of the protocol.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    make_server().start_io(sys.stdin.buffer, answers)
