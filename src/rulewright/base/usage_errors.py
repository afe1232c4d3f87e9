"""Usage errors: diagnostics without a place in a text, whose codes have no explanation page."""

from __future__ import annotations

from rulewright.base.diagnostics import Diagnostic, RulesError


def usage_error(message: str, help: str = "") -> RulesError:
    """The arguments are wrong."""
    return _error("usage", message, help)


def file_error(message: str, help: str = "") -> RulesError:
    """A file or folder is missing, in the way, or unreadable."""
    return _error("file", message, help)


def internal_error(message: str) -> RulesError:
    """A defect of the program itself."""
    return _error("internal", message, "")


def _error(code: str, message: str, help: str) -> RulesError:
    return RulesError((Diagnostic(code, message, help=help),))
