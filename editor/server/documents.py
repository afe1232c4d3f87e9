"""Document synchronisation: texts opened, changed, saved and closed, and files changed on disk by others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types

from .convert import path_of
from .editor_server import EditorServer


def register(server: EditorServer) -> None:
    """Register the handlers of the editor's texts."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: EditorServer, params: types.DidOpenTextDocumentParams) -> None:
        _take_text(ls, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: EditorServer, params: types.DidChangeTextDocumentParams) -> None:
        _take_text(ls, params.text_document.uri)
        if path := ls.file_of(params.text_document.uri):
            _forget_evidence(ls, [path])

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: EditorServer, params: types.DidSaveTextDocumentParams) -> None:
        if path := ls.file_of(params.text_document.uri):
            ls.queue_of(path).files_changed()
            _forget_evidence(ls, [path])

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: EditorServer, params: types.DidCloseTextDocumentParams) -> None:
        if path := ls.file_of(params.text_document.uri):
            queue = ls.queue_of(path)
            queue.workspace.open.pop(path, None)
            queue.files_changed()
            queue.text_changed(path)
            ls.answers.text_changed(path)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(ls: EditorServer, params: types.DidChangeWatchedFilesParams) -> None:
        paths = [path for change in params.changes if (path := ls.file_of(change.uri))]
        for queue in dict.fromkeys(map(ls.queue_of, paths)):
            queue.files_changed()
        for path in paths:
            ls.answers.text_changed(path)
        _forget_evidence(ls, paths)

    @server.feature(types.INITIALIZE)
    def choose(ls: EditorServer, params: types.InitializeParams) -> None:
        options = params.initialization_options
        ls.answers.is_on = not isinstance(options, dict) or options.get("answers", True) is not False

    @server.feature(types.INITIALIZED)
    def begin(ls: EditorServer, params: types.InitializedParams) -> None:
        _watch_files(ls)
        for folder in [path for one in ls.workspace.folders.values() if (path := path_of(one.uri))]:
            ls.queue_of(folder / "any.rules").files_changed()

    @server.feature("rulewright/idle")
    async def idle(ls: EditorServer, params: object) -> None:
        """Answer once nothing is left to check."""
        for queue in list(ls.queues.values()):
            await queue.idle()

    @server.feature("rulewright/settled")
    async def settled(ls: EditorServer, params: object) -> None:
        """Answer once nothing is left to check and no answer to search for."""
        await ls.answers.idle()

    @server.feature(types.SHUTDOWN)
    def shut_down(ls: EditorServer, params: None) -> None:
        ls.stop_checks()


def _take_text(ls: EditorServer, uri: str) -> None:
    path: Path | None = ls.file_of(uri)
    if path is not None:
        queue = ls.queue_of(path)
        queue.workspace.open[path] = ls.workspace.get_text_document(uri).source
        queue.text_changed(path)
        ls.answers.text_changed(path)


def _forget_evidence(ls: EditorServer, changed: Sequence[Path]) -> None:
    """Where a puzzle has changed, it is not known any more which of them show a clause."""
    if ls.evidence and any(path.suffix != ".rules" for path in changed):
        ls.evidence.clear()
        ls.refresh_lenses()


def _watch_files(ls: EditorServer) -> None:
    """Ask the editor to report changes of files on disk, if it can."""
    workspace = ls.client_capabilities.workspace
    watched = workspace.did_change_watched_files if workspace else None
    if not (watched and watched.dynamic_registration):
        return
    watchers = [types.FileSystemWatcher("**/*.{rules,puzzle}")]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    wanted = types.Registration("rulewright-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    ls.client_register_capability(types.RegistrationParams([wanted]))
