"""Decides which messages of a page reach the language server: those about files that the page may see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.base.records import frozen
from rulewright.base.refusals import Refused, texts_in
from rulewright.editor.server.convert import path_of
from rulewright.studio.folder.studio_folder import StudioFolder

PLACES = ("uri", "rootUri", "oldUri", "newUri", "targetUri", "baseUri", "rootPath")
"""The keys of messages that hold the address of a file. Under any other key but `text` an address is recognised by its form."""

ABOUT_FILES = ("rulewright.score", "rulewright.trace")
"""The commands whose argument is the address of a file. Whatever else a lens offers, the page does itself."""

ABOUT_WORDS = ("rulewright.explain", "rulewright.seen")
"""The commands whose argument is a word or a text."""


@frozen
class LanguageFilter:
    """The messages to a language server about the files of a folder."""

    folder: StudioFolder

    def check(self, message: dict[str, Any]) -> None:
        """Raise `Refused` unless the message may pass."""
        if message.get("method") == "workspace/executeCommand":
            self._check_command(message.get("params"))
        for address in _addresses(message):
            self._check_address(address)

    def _check_command(self, params: object) -> None:
        if not isinstance(params, dict) or params.get("command") not in (*ABOUT_FILES, *ABOUT_WORDS):
            raise Refused("the page has no such command")
        if params["command"] in ABOUT_FILES:
            for argument in texts_in(params, "arguments"):
                self._check_address(argument)

    def _check_address(self, address: str) -> None:
        path = path_of(address)
        if path is None or (path != self.folder.root and (".." in path.parts or self.folder.name_of(path) is None)):
            raise Refused("the page has no access to this file")


def _addresses(value: Any, key: str = "") -> Iterator[str]:
    """The texts in a message that name files, or might."""
    match value:
        case str():
            if key in PLACES or (key != "text" and value.lstrip().lower().startswith("file:")):
                yield value
        case dict():
            for name, inner in value.items():
                yield from _addresses(name)
                yield from _addresses(inner, name)
        case list():
            for inner in value:
                yield from _addresses(inner, key)
