"""Refuses malformed messages of an editor with an error response, before any handler sees them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol

from rulewright.base.records import define, field
from rulewright.base.refusals import Refused, checked_message, number_of, texts_in

from .convert import LONGEST, is_address

MOST_MESSAGE = 1 << 26
"""The maximum size of a message, in bytes: many files of the largest size."""

MOST_HEADER = 1 << 12

MOST_PLACE = 2**31 - 1
"""The largest line or character of a position (the protocol's `uinteger`)."""

_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*0*([0-9]+)[ \t]*\r?\n$", re.IGNORECASE)

NO_MESSAGE = b"null"
"""Stands for a message that is too large; it is refused as no message."""


@define
class Frames:
    """The input of a server, as the loop of pygls reads it: header lines, and contents by their length.

    A length is found even behind bytes left over from a message of another length than it said.
    """

    stream: BinaryIO
    _is_too_large: bool = field(default=False, init=False)

    def readline(self) -> bytes:
        """A header line, or a part of a longer one."""
        line = self.stream.readline(MOST_HEADER)
        found = _LENGTH.search(line)
        if found is None:
            return line
        self._is_too_large = len(found[1]) > len(str(MOST_MESSAGE)) or int(found[1]) > MOST_MESSAGE
        return b"Content-Length: %d\r\n" % (len(NO_MESSAGE) if self._is_too_large else int(found[1]))

    def read(self, size: int) -> bytes:
        """The content of a message. What is too large is left to be read as header lines that mean nothing."""
        return NO_MESSAGE if self._is_too_large else self.stream.read(size)


class CheckedProtocol(LanguageServerProtocol):
    """The protocol of pygls for editors that cannot be relied on."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """An object inside a message as it is; `handle_message` reads the whole."""
        return data

    def handle_message(self, message: Any) -> None:
        """Answer a message, or refuse it with an error."""
        try:
            structured = self._structured(checked_message(message))
        except Refused as refused:
            self.refuse(message, types.ErrorCodes.InvalidRequest, refused.text)
        except JsonRpcException as error:
            self.refuse(message, error.code, error.message)
        else:
            super().handle_message(structured)

    def refuse(self, message: Any, code: int, what: str) -> None:
        """Answer a message with an error; of a notification, only log it."""
        if isinstance(message, dict) and "method" in message and "id" not in message:
            said = types.LogMessageParams(types.MessageType.Warning, f"a notification was ignored: {what}")
            self.notify(types.WINDOW_LOG_MESSAGE, said)
            return
        # As a plain object: the converter would leave out a number that is null.
        self._send_data({"jsonrpc": self.VERSION, "id": number_of(message), "error": {"code": code, "message": what}})

    def _structured(self, message: dict[str, Any]) -> Any:
        """A message as an object of the protocol. Raises `Refused` and `JsonRpcException`."""
        if message.get("jsonrpc") != self.VERSION:
            raise Refused(f"the message is not one of JSON-RPC {self.VERSION}")
        if "id" in message and number_of(message) is None:
            raise Refused("the `id` of a message must be a number or a text")
        method = message.get("method")
        if method is not None:
            if not isinstance(method, str):
                raise Refused("the `method` of a message must be a text")
            self._check_order(method)
            _check_values(message.get("params"))
            if method == types.WORKSPACE_EXECUTE_COMMAND:
                _check_arguments(message.get("params"))
            message = {"params": None, **message}
        elif "id" not in message or not ("result" in message or "error" in message):
            raise Refused("the message is neither a request nor a response")
        try:
            structured = super().structure_message(message)
        except JsonRpcException:
            raise JsonRpcInvalidParams(f"the parameters of `{method}` are not valid") from None
        if "id" in message and not hasattr(structured, "id"):
            raise Refused(f"`{method}` is a notification and has no `id`")
        if isinstance(structured, types.DidChangeTextDocumentNotification):
            document = structured.params.text_document
            if document.uri not in self.workspace.text_documents:
                raise Refused(f"`{document.uri[:LONGEST]}` is not open")
        return structured

    def _check_order(self, method: str) -> None:
        if method.startswith("notebookDocument/"):
            raise Refused("the server has no notebooks")
        if self._shutdown and method != types.EXIT:
            raise Refused("the server was shut down")
        if self._workspace is not None and method == types.INITIALIZE:
            raise Refused("the server is already initialized")
        if self._workspace is None and method not in (types.INITIALIZE, types.EXIT):
            raise JsonRpcException("the server is not initialized", types.ErrorCodes.ServerNotInitialized)


def _check_values(params: Any) -> None:
    """Refuse positions that are none, and addresses that name no file. Raises `JsonRpcInvalidParams`."""
    for name, value in _named_values(params):
        if name in ("line", "character"):
            if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_PLACE:
                raise JsonRpcInvalidParams(f"`{name}` must be a number from 0 to {MOST_PLACE}")
        elif name.lower().endswith("uri") and value is not None and not (isinstance(value, str) and is_address(value)):
            raise JsonRpcInvalidParams(f"`{name}` is not a valid address")
        elif name in ("id", "token") and number_of({"id": value}) is None:
            raise JsonRpcInvalidParams(f"`{name}` must be a number or a text")


def _check_arguments(params: Any) -> None:
    """Refuse a command without its one argument. Raises `Refused` and `JsonRpcInvalidParams`."""
    if not isinstance(params, dict) or len(texts_in(params, "arguments")) != 1:
        raise JsonRpcInvalidParams("a command has one argument, a text")


def _named_values(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield from value.items()
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _named_values(inner)
