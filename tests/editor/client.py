"""An editor for the tests: it starts `rulewright lsp` as a process and speaks the protocol with it."""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

Result = TypeVar("Result")

PATIENCE = 120.0
"""Seconds for an answer: a busy machine is no failure."""


class EditorError(Exception):
    """The server answered with an error."""


class Editor:
    """One end of the protocol. `diagnostics` are the newest of each file, `notifications` all others that came."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.diagnostics: dict[Path, list[dict[str, Any]]] = {}
        self.published = 0
        self.notifications: list[dict[str, Any]] = []
        self.capabilities: dict[str, Any] = {}
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._versions: dict[Path, int] = {}
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, folder: Path, **more: Any) -> Editor:
        """A server for a folder, initialised."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "rulewright", "lsp"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=folder,
            limit=1 << 26,
        )
        editor = cls(process)
        folders = [{"uri": folder.as_uri(), "name": folder.name}]
        capabilities = {"workspace": {"workspaceEdit": {"documentChanges": True}}, "textDocument": {}, "window": {}}
        params = {"processId": None, "rootUri": folder.as_uri(), "workspaceFolders": folders, "capabilities": capabilities}
        editor.capabilities = (await editor.request("initialize", params | more))["capabilities"]
        await editor.notify("initialized", {})
        return editor

    async def request(self, method: str, params: Any) -> Any:
        """The answer to a request. Raises `EditorError`."""
        number = next(self._numbers)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        await self._write({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return await asyncio.wait_for(self._waiting[number], PATIENCE)

    async def notify(self, method: str, params: Any) -> None:
        await self._write({"jsonrpc": "2.0", "method": method, "params": params})

    async def idle(self) -> None:
        """Wait until everything is checked."""
        await self.request("rulewright/idle", {})

    async def open(self, path: Path, text: str | None = None) -> None:
        text = path.read_text("utf-8") if text is None else text
        self._versions[path] = 1
        document = {"uri": path.as_uri(), "languageId": "rulewright", "version": 1, "text": text}
        await self.notify("textDocument/didOpen", {"textDocument": document})

    async def change(self, path: Path, text: str) -> None:
        """Give a document another text, as a whole."""
        await self.edit(path, {"text": text})

    async def edit(self, path: Path, *changes: dict[str, Any]) -> None:
        """Change parts of a document."""
        self._versions[path] += 1
        document = {"uri": path.as_uri(), "version": self._versions[path]}
        await self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    async def close(self, path: Path) -> None:
        await self.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})

    async def at(self, method: str, path: Path, line: int, character: int, **more: Any) -> Any:
        """The answer to a request about a place, both numbers from 0."""
        place = {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": character}}
        return await self.request(f"textDocument/{method}", place | more)

    async def of(self, method: str, path: Path, **more: Any) -> Any:
        """The answer to a request about a document."""
        return await self.request(f"textDocument/{method}", {"textDocument": {"uri": path.as_uri()}} | more)

    async def stop(self) -> int:
        """Shut the server down; its exit status."""
        await self.request("shutdown", None)
        await self.notify("exit", None)
        status = await asyncio.wait_for(self.process.wait(), PATIENCE)
        await asyncio.wait([self._reader])
        return status

    def codes(self, path: Path) -> list[str]:
        """The codes of the newest diagnostics of a file."""
        return [one["code"] for one in self.diagnostics.get(path, [])]

    async def _write(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        await self.process.stdin.drain()

    async def _read(self) -> None:
        assert self.process.stdout is not None
        while header := await self.process.stdout.readline():
            length = int(header.split(b":")[1])
            while (await self.process.stdout.readline()).strip():
                pass
            await self._take(json.loads(await self.process.stdout.readexactly(length)))

    async def _take(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            waiting = self._waiting.pop(message["id"])
            if "error" in message:
                waiting.set_exception(EditorError(message["error"]["message"]))
            else:
                waiting.set_result(message["result"])
        elif message["method"] == "textDocument/publishDiagnostics":
            self.published += 1
            path = Path(message["params"]["uri"].removeprefix("file://"))
            self.diagnostics[path] = message["params"]["diagnostics"]
        else:
            self.notifications.append(message)
            if "id" in message:
                result = {"applied": True} if message["method"] == "workspace/applyEdit" else None
                await self._write({"jsonrpc": "2.0", "id": message["id"], "result": result})


def in_editor(folder: Path, work: Callable[[Editor], Awaitable[Result]]) -> Result:
    """What some work with an editor comes to; the server must end in peace."""

    async def run() -> Result:
        editor = await Editor.start(folder)
        try:
            result = await work(editor)
            assert await editor.stop() == 0
            return result
        finally:
            if editor.process.returncode is None:
                editor.process.kill()
                await editor.process.wait()

    return asyncio.run(run())
