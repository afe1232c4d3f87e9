"""The server's state: a workspace with its checks for each folder, and what the editor is told of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from rulewright import __version__
from rulewright.base.diagnostics import Diagnostic
from rulewright.base.spans import Span
from rulewright.editor.project.checks import Diagnostics
from rulewright.editor.project.workspace import PUZZLE, RULES, Workspace

from .check_queue import CheckQueue
from .convert import TextPlaces, diagnostic_of, path_of, uri_of

NAME = "rulewright"


class EditorServer(LanguageServer):
    """A language server of rules and puzzles."""

    def __init__(self) -> None:
        super().__init__(NAME, __version__, types.TextDocumentSyncKind.Incremental)
        self.queues: dict[Path, CheckQueue] = {}

    def queue_of(self, path: Path) -> CheckQueue:
        """The checks of the workspace that a file belongs to: of the innermost folder of the editor, else of its own."""
        folders = [folder for one in self.workspace.folders.values() if (folder := path_of(one.uri)) is not None]
        if not folders and self.workspace.root_uri and (root := path_of(self.workspace.root_uri)):
            folders = [root]
        around = [folder for folder in folders if path.is_relative_to(folder)]
        folder = max(around, key=lambda one: len(one.parts)) if around else path.parent
        if folder not in self.queues:
            self.queues[folder] = CheckQueue(Workspace(folder), self._publish, self._report)
        return self.queues[folder]

    def workspace_of(self, path: Path) -> Workspace:
        """The workspace that a file belongs to."""
        return self.queue_of(path).workspace

    def file_of(self, uri: str) -> Path | None:
        """The file of a URI, where it is one of ours."""
        path = path_of(uri)
        return path if path is not None and path.suffix in (RULES, PUZZLE) else None

    def places(self, path: Path) -> TextPlaces:
        """The places of the newest text of a file."""
        return TextPlaces(self.workspace_of(path).text(path).split("\n"), self.workspace.position_codec)

    def location(self, span: Span) -> types.Location | None:
        """Where a span is; None where its file cannot be read."""
        path = Path(span.source)
        try:
            return types.Location(uri_of(path), self.places(path).range(span))
        except Exception:
            return None

    def stop_checks(self) -> None:
        """Check nothing more."""
        for queue in self.queues.values():
            queue.stop()

    def _publish(self, path: Path, diagnostics: Diagnostics) -> None:
        try:
            places = self.places(path)
        except Exception:
            places = TextPlaces((), self.workspace.position_codec)
        uri = uri_of(path)
        document = self.workspace.text_documents.get(uri)
        found = [diagnostic_of(diagnostic, places, self._elsewhere(diagnostic)) for diagnostic in diagnostics]
        version = document.version if document is not None else None
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    def _elsewhere(self, diagnostic: Diagnostic) -> Sequence[types.DiagnosticRelatedInformation]:
        labels = ((self.location(label.span), label.text) for label in diagnostic.labels[1:])
        return [types.DiagnosticRelatedInformation(place, text or "here") for place, text in labels if place is not None]

    def _report(self, path: Path, error: Exception) -> None:
        message = f"{path.name}: {type(error).__name__}: {error}; this is a bug in us, please report it with the files"
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, message))
