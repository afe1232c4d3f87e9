"""Mangled messages to a language server: it must answer each request, call none of it a bug, and go on."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from attrs import define, field

from tests.editor.client import PATIENCE
from tests.editor.ponds import GAME, PUZZLE, make_project

from .mangled import as_json, mangled, mangled_bytes

INTERNAL_ERROR = -32603
BATCH = 25

PLACE = {"line": 14, "character": 12}
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 40, "character": 0}}


@define
class Talk:
    """A conversation with a server; `faults` are answers that call something a bug."""

    process: subprocess.Popen[bytes]
    folder: Path
    faults: list[str] = field(factory=list)
    refusals: int = 0
    answered: set[Any] = field(factory=set)
    number: int = 0

    def send(self, content: bytes, length: int | None = None) -> None:
        assert self.process.stdin is not None
        size = len(content) if length is None else length
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % size + content)
        self.process.stdin.flush()

    def ask(self, method: str, params: Any) -> Any:
        """The result of a valid request, or its error."""
        self.number += 1
        number = f"sound-{self.number}"
        self.send(as_json({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
        while True:
            heard = self.hear()
            if heard.get("id") == number and "method" not in heard:
                return heard.get("result", heard.get("error"))

    def tell(self, method: str, params: Any) -> None:
        self.send(as_json({"jsonrpc": "2.0", "method": method, "params": params}))

    def hear(self) -> dict[str, Any]:
        """The next message of the server."""
        stream = self.process.stdout
        assert stream is not None
        length = 0
        while (line := stream.readline()).strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if not line:
            raise AssertionError(f"the server ended: {self.process.wait()}")
        heard = cast(dict[str, Any], json.loads(stream.read(length)))
        if "method" not in heard:
            self.answered.add(heard.get("id"))
            self.refusals += "error" in heard
            if heard.get("error", {}).get("code") == INTERNAL_ERROR:
                self.faults.append(str(heard["error"])[-1500:])
        elif heard["method"] in ("window/showMessage", "window/logMessage"):
            said = heard["params"]["message"]
            if "bug" in said or "Error" in said:
                self.faults.append(said)
        return heard


@contextmanager
def server_of(folder: Path, *, initialized: bool = True, seconds: float = PATIENCE) -> Iterator[Talk]:
    """A server, ended at the end, or after so many seconds: it may owe an answer."""
    command = [sys.executable, "-m", "rulewright", "lsp"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder)
    watch = threading.Timer(seconds, process.kill)
    watch.start()
    try:
        talk = Talk(process, folder)
        if initialized:
            talk.ask("initialize", initialize(folder))
            talk.tell("initialized", {})
        yield talk
    finally:
        watch.cancel()
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            stream.close()


def initialize(folder: Path) -> dict[str, Any]:
    folders = [{"uri": folder.as_uri(), "name": folder.name}]
    capabilities = {"workspace": {"applyEdit": True}, "textDocument": {"hover": {"contentFormat": ["markdown"]}}, "window": {}}
    options = {"answers": False}
    found = {"processId": None, "rootUri": folder.as_uri(), "rootPath": str(folder), "capabilities": capabilities}
    return {**found, "workspaceFolders": folders, "initializationOptions": options}


def sound_messages(folder: Path) -> list[dict[str, Any]]:
    """A valid message of each kind; requests have an id."""
    uri, puzzle = (folder / "ponds.rules").as_uri(), (folder / "one_hop.puzzle").as_uri()
    document = {"uri": uri}
    at = {"textDocument": document, "position": PLACE}
    item = {"name": "hop", "kind": 6, "uri": uri, "range": WHOLE, "selectionRange": WHOLE}
    requests: list[tuple[str, Any]] = [
        *((f"textDocument/{method}", at) for method in ("hover", "definition", "documentHighlight", "completion")),
        *((f"textDocument/{method}", at) for method in ("signatureHelp", "prepareRename", "prepareCallHierarchy")),
        ("textDocument/references", {**at, "context": {"includeDeclaration": True}}),
        ("textDocument/rename", {**at, "newName": "other"}),
        ("textDocument/formatting", {"textDocument": document, "options": {"tabSize": 4, "insertSpaces": True}}),
        ("textDocument/onTypeFormatting", {**at, "ch": "\n", "options": {"tabSize": 4, "insertSpaces": True}}),
        ("textDocument/codeAction", {"textDocument": document, "range": WHOLE, "context": {"diagnostics": []}}),
        *((f"textDocument/{method}", {"textDocument": document}) for method in ("codeLens", "semanticTokens/full")),
        *((f"textDocument/{method}", {"textDocument": document}) for method in ("foldingRange", "documentSymbol")),
        ("textDocument/inlayHint", {"textDocument": document, "range": WHOLE}),
        ("workspace/symbol", {"query": "hop"}),
        ("callHierarchy/incomingCalls", {"item": item}),
        ("callHierarchy/outgoingCalls", {"item": item}),
        ("completionItem/resolve", {"label": "near", "data": {"uri": uri, **PLACE}}),
        *(("workspace/executeCommand", {"command": f"rulewright.{name}", "arguments": [puzzle]}) for name in ("score", "show")),
        *(
            ("workspace/executeCommand", {"command": f"rulewright.{name}", "arguments": ["RW001"]})
            for name in ("explain", "seen")
        ),
        ("rulewright/idle", {}),
        ("workspace/nothing", {"x": 1}),
        ("initialize", initialize(folder)),
    ]
    text = {"uri": uri, "languageId": "rulewright", "version": 1, "text": GAME}
    change = {"textDocument": {"uri": uri, "version": 2}}
    notifications: list[tuple[str, Any]] = [
        ("textDocument/didOpen", {"textDocument": text}),
        ("textDocument/didOpen", {"textDocument": {**text, "uri": puzzle, "text": PUZZLE}}),
        ("textDocument/didChange", {**change, "contentChanges": [{"text": GAME}]}),
        ("textDocument/didChange", {**change, "contentChanges": [{"range": WHOLE, "text": "x"}, {"text": GAME}]}),
        ("textDocument/didClose", {"textDocument": document}),
        ("textDocument/didSave", {"textDocument": document}),
        ("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]}),
        ("workspace/didChangeWorkspaceFolders", {"event": {"added": [{"uri": uri, "name": "x"}], "removed": []}}),
        ("$/cancelRequest", {"id": 3}),
        ("$/setTrace", {"value": "off"}),
        ("window/workDoneProgress/cancel", {"token": "x"}),
        ("notebookDocument/didChange", {"notebookDocument": {"uri": uri, "version": 1}, "change": {}}),
        ("initialized", {}),
    ]
    numbered = [{"jsonrpc": "2.0", "id": 0, "method": method, "params": params} for method, params in requests]
    told = [{"jsonrpc": "2.0", "method": method, "params": params} for method, params in notifications]
    answers = [{"jsonrpc": "2.0", "id": 1, "result": None}, {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}}]
    return [*numbered, *told, *answers]


def mangle(talk: Talk, cases: range) -> None:
    """Send so many mangled messages, and now and then ask whether all is well."""
    sound = sound_messages(talk.folder)
    opened = next(one for one in sound if one["method"] == "textDocument/didOpen")
    expected: dict[str, bytes] = {}
    for case in cases:
        chance = random.Random(case)
        message = mangled(chance.choice(sound), chance)
        number = f"case-{case}"
        if isinstance(message, dict) and "id" in message and chance.random() < 0.9:
            message["id"] = number
        content = as_json(message)
        if chance.random() < 0.2:
            content = mangled_bytes(content, chance)
        elif isinstance(message, dict) and message.get("id") == number and "method" in message:
            expected[number] = content
        if chance.random() < 0.05:
            # The length is wrong: what follows is lost up to the next header.
            expected.pop(number, None)
            talk.send(content + b" " * 300, max(1, len(content) + chance.randrange(-50, 50)))
        else:
            talk.send(content)
        if case % BATCH == BATCH - 1 or case == cases[-1]:
            talk.ask("rulewright/idle", {})
            lost = [content[:300] for number, content in expected.items() if number not in talk.answered]
            assert not lost, f"not answered: {lost}"
            expected.clear()
            talk.tell("textDocument/didOpen", opened["params"])
            assert isinstance(talk.ask("textDocument/documentSymbol", {"textDocument": opened["params"]["textDocument"]}), list)


def project(folder: Path) -> Path:
    folder = folder.resolve()
    make_project(folder)
    return folder
