"""The server's state: a workspace with its checks for each folder, and what it publishes to the editor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.input_files import SUFFIXES
from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.base.version import __version__

from .checked_protocol import CheckedProtocol
from .convert import TextPlaces, diagnostic_of, path_of, uri_of
from .solving import AnswerWatch

if TYPE_CHECKING:
    from rulewright.editor.features.clause_evidence import ClauseEvidence
    from rulewright.editor.project.checks import Diagnostics
    from rulewright.editor.project.name_index import NameIndex
    from rulewright.editor.project.workspace import Closure, Workspace

    from .check_queue import CheckQueue

    ServerErrors = type[PyglsError] | type[JsonRpcException]

NAME = "rulewright"

REQUEST_FAILED = -32803
"""The protocol's code of a valid request that cannot be granted."""


START = types.Position(0, 0)
"""The place of a request about a whole text."""

Answer = TypeVar("Answer", bound=Callable[..., object])


@frozen
class Located:
    """A place in a text, line and column from 1, with its context."""

    index: NameIndex
    path: Path
    line: int
    column: int
    places: TextPlaces

    @property
    def workspace(self) -> Workspace:
        return self.index.workspace

    @property
    def offset(self) -> int:
        """The place as an offset of the text."""
        return sum(len(line) + 1 for line in self.places.lines[: self.line - 1]) + self.column - 1

    @property
    def as_data(self) -> dict[str, Any]:
        """The place as data that an editor can send back."""
        position = self.places.position(self.line, self.column)
        return {"uri": uri_of(self.path), "line": position.line, "character": position.character}


class EditorServer(LanguageServer):
    """A language server of rules and puzzles. `solving` is the current cancellable work, `runs` counts such work.

    `evidence` holds the evidence for the clauses of modules, each with the texts it was found for.
    """

    protocol: CheckedProtocol

    def __init__(self) -> None:
        sync = types.TextDocumentSyncKind.Incremental
        super().__init__(NAME, __version__, sync, protocol_cls=CheckedProtocol)
        self.queues: dict[Path, CheckQueue] = {}
        self.solving: set[asyncio.Future[Any]] = set()
        self.runs = 0
        self.evidence: dict[Path, tuple[Closure, tuple[ClauseEvidence, ...]]] = {}
        self.answers = AnswerWatch(self)
        self._indexes: dict[Path, NameIndex] = {}

    def queue_of(self, path: Path) -> CheckQueue:
        """The checks of a file's workspace: that of the editor's innermost folder around it, else of its own folder."""
        folders = [folder for one in self.workspace.folders.values() if (folder := path_of(one.uri)) is not None]
        if not folders and self.workspace.root_uri and (root := path_of(self.workspace.root_uri)):
            folders = [root]
        around = [folder for folder in folders if path.is_relative_to(folder)]
        folder = max(around, key=lambda one: len(one.parts)) if around else path.parent
        if folder not in self.queues:
            # Loaded with the first text, so that the editor gets its first answer sooner.
            from rulewright.editor.project.workspace import Workspace

            from .check_queue import CheckQueue

            workspace = Workspace(folder)
            self.queues[folder] = CheckQueue(
                workspace, self._publish, self._report, lambda: self._index(workspace).read_ahead()
            )
        return self.queues[folder]

    def workspace_of(self, path: Path) -> Workspace:
        """The workspace of a file."""
        return self.queue_of(path).workspace

    def indexes(self) -> list[NameIndex]:
        """The name index of every workspace."""
        return [self._index(queue.workspace) for queue in self.queues.values()]

    def _index(self, workspace: Workspace) -> NameIndex:
        from rulewright.editor.project.name_index import NameIndex

        return self._indexes.setdefault(workspace.folder, NameIndex(workspace))

    def request(self, name: str, none: object = None, options: object = None) -> Callable[[Answer], Answer]:
        """Register the answer to a request about a place in a text; `none` is answered where there is no such place."""

        def registered(answer: Answer) -> Answer:
            @self.feature(name, options)
            def answered(ls: EditorServer, params: Any) -> object:
                at = ls.located(params)
                return none if at is None else answer(ls, at, params)

            return answer

        return registered

    def located(self, params: Any) -> Located | None:
        """The place that a request is about, or the start of its text; None as for `located_at`."""
        place = getattr(params, "position", START)
        return self.located_at(params.text_document.uri, place.line, place.character)

    def located_at(self, uri: str, line: int = 0, character: int = 0) -> Located | None:
        """A place in a text, in protocol coordinates; None if the server does not handle its file, or cannot open it."""
        if (path := self.file_of(uri)) is None:
            return None
        try:
            places, workspace = self.places(path), self.workspace_of(path)
            workspace.reading(path)
        except (OSError, RulesError):
            return None
        return Located(self._index(workspace), path, *places.place(types.Position(line, character)), places)

    def located_again(self, data: object) -> Located | None:
        """The place in the data that an editor sends back; None if it is no such data."""
        match data:
            case {"uri": str(uri), "line": int(line), "character": int(character)}:
                return self.located_at(uri, line, character)
        return None

    def diagnostics_at(self, at: Located) -> list[Diagnostic]:
        """The known diagnostics at a place."""
        found = self.queue_of(at.path).published.get(at.path, ())
        return [one for one in found if one.span is not None and _holds(one.span, at.line, at.column)]

    def say(self, text: str) -> str:
        """Show a text, which is what a command comes to."""
        self.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))
        return text

    def workspace_edit(self, edits: Mapping[Path, Sequence[tuple[Span, str]]]) -> types.WorkspaceEdit:
        """Edits in protocol form, for the current texts."""
        changes: dict[str, Sequence[types.TextEdit]] = {}
        for path, changed in edits.items():
            places = self.places(path)
            changes[uri_of(path)] = [places.edit(span, new) for span, new in changed]
        return types.WorkspaceEdit(changes)

    def refusal(self, message: str) -> Exception:
        """The error of a request that cannot be granted, with the reason for the user."""
        return JsonRpcException(message, REQUEST_FAILED)

    def file_of(self, uri: str) -> Path | None:
        """The file of a URI, if the server handles it."""
        path = path_of(uri)
        return path if path is not None and path.suffix in SUFFIXES else None

    def places(self, path: Path) -> TextPlaces:
        """The places of the latest text of a file."""
        workspace = self.workspace_of(path)
        return TextPlaces(workspace.text(path).split("\n"), self.workspace.position_codec, workspace.line_end(path))

    def location(self, span: Span) -> types.Location | None:
        """The location of a span; None if its file cannot be read."""
        path = Path(span.source)
        try:
            return types.Location(uri_of(path), self.places(path).range(span))
        except (OSError, RulesError):
            return None

    def publish_again(self, path: Path) -> None:
        """Republish the diagnostics of a file, after its answer was confirmed or refuted."""
        self._publish(path, self.queue_of(path).published.get(path, ()))

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """Answer what is not JSON; report other errors as pygls does."""
        if isinstance(error, ValueError | RecursionError) and source is JsonRpcException:
            self.protocol.refuse(None, types.ErrorCodes.ParseError, "the message is not valid JSON")
        else:
            super().report_server_error(error, source)

    def refresh_lenses(self) -> None:
        """Have the editor ask for lenses again, if it can."""
        workspace = self.client_capabilities.workspace
        if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    def stop_checks(self) -> None:
        """Stop all checks."""
        self.answers.stop()
        for queue in self.queues.values():
            queue.stop()
        for work in self.solving:
            work.cancel()

    def _publish(self, path: Path, diagnostics: Diagnostics) -> None:
        try:
            places = self.places(path)
        except (OSError, RulesError):
            places = TextPlaces((), self.workspace.position_codec)
        uri = uri_of(path)
        document = self.workspace.text_documents.get(uri)
        found = [
            diagnostic_of(diagnostic, places, self._elsewhere(diagnostic))
            for diagnostic in (*diagnostics, *self.answers.of(path))
        ]
        version = document.version if document is not None else None
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    def _elsewhere(self, diagnostic: Diagnostic) -> Sequence[types.DiagnosticRelatedInformation]:
        labels = ((self.location(label.span), label.text) for label in diagnostic.labels[1:])
        return [types.DiagnosticRelatedInformation(place, text or "here") for place, text in labels if place is not None]

    def _report(self, path: Path, error: Exception) -> None:
        message = f"{path.name}: {type(error).__name__}: {error}; this is a bug in Rulewright: please report it with your files"
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, message))


def _holds(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)
