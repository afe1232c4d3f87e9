"""`rulewright lsp`: the language server."""

from __future__ import annotations

from importlib.util import find_spec

from rulewright.base.usage_errors import usage_error
from rulewright.cli.views.output import Exit


def serve() -> int:
    """Serve an editor over standard input and output until it disconnects."""
    if find_spec("pygls") is None:
        raise usage_error("the language server needs pygls", 'install it: `pip install "rulewright[editor]"`')
    from rulewright.editor.server.language_server import serve as serve_editor

    serve_editor()
    return Exit.YES
