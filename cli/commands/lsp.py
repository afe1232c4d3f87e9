"""`rulewright lsp`: the language server."""

from __future__ import annotations

from rulewright.cli.executors import require_extra
from rulewright.cli.views.output import Exit


def serve() -> int:
    """Serve an editor over standard input and output until it disconnects."""
    require_extra("the language server", "editor", "pygls")
    from rulewright.editor.server.language_server import serve as serve_editor

    serve_editor()
    return Exit.YES
