"""Diagnostics as data: what is wrong, where, why, and how to fix it. Rendering is separate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .records import define, field, frozen
from .spans import Span

MOST_LISTED = 10  # names that a help may list
MOST_DIAGNOSTICS = 100  # more are not read, and a hostile text must not cause a million


@frozen
class Label:
    """A place that belongs to a diagnostic, with a text about it."""

    span: Span
    text: str = ""


@frozen
class Diagnostic:
    """One finding. `code` is `RW` and three digits; `help` says what to do next."""

    code: str
    message: str
    labels: tuple[Label, ...] = ()
    help: str = ""
    warning: bool = False

    @property
    def span(self) -> Span | None:
        """The primary location."""
        return self.labels[0].span if self.labels else None


class RulesError(Exception):
    """An error in a text; carries every diagnostic of the stage that stopped."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = diagnostics

    @property
    def summary(self) -> str:
        """The codes and messages on one line, without places."""
        return "; ".join(f"{each.code}: {each.message}" for each in self.diagnostics)

    def __str__(self) -> str:
        """The diagnostics with their places in the texts, as the command line shows them."""
        from .render_diagnostics import rendered

        return rendered(self.diagnostics)

    def __reduce__(self) -> tuple[type[RulesError], tuple[tuple[Diagnostic, ...]]]:
        return RulesError, (self.diagnostics,)


@define
class Sink:
    """Collects the diagnostics of one stage; `stop` raises at the end of the stage if any is an error.

    The hundredth diagnostic raises at once.
    """

    diagnostics: list[Diagnostic] = field(factory=list)

    def error(self, code: str, message: str, span: Span, *more: Label, label: str = "", help: str = "") -> None:
        """Report an error with primary location `span`."""
        self._add(Diagnostic(code, message, (Label(span, label), *more), help))

    def warn(self, code: str, message: str, span: Span, *more: Label, label: str = "", help: str = "") -> None:
        """Report a warning, which does not stop the run."""
        self._add(Diagnostic(code, message, (Label(span, label), *more), help, warning=True))

    def _add(self, diagnostic: Diagnostic) -> None:
        if diagnostic not in self.diagnostics:
            self.diagnostics.append(diagnostic)
            if len(self.diagnostics) >= MOST_DIAGNOSTICS:
                self.stop()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if not d.warning)

    def stop(self) -> None:
        """Raise `RulesError` if an error has been collected."""
        if self.errors:
            raise RulesError(tuple(self.diagnostics))

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.diagnostics)


def suggest(name: str, candidates: Iterable[str], otherwise: str = "") -> str:
    """A help text: the nearest candidate, else all of them if they are few, else `otherwise`."""
    known = sorted(candidates)
    if close := did_you_mean(name, known):
        return close
    if 0 < len(known) <= MOST_LISTED:
        return f"there is: {', '.join(f'`{one}`' for one in known)}"
    return otherwise


def did_you_mean(name: str, candidates: Iterable[str], suffix: str = "") -> str:
    """A help text that names the nearest candidate, one that ends with the name after a dot before all others; empty if none is
    near. The suffix of files is not compared."""
    import difflib

    stem, stems = name.removesuffix(suffix), {one.removesuffix(suffix): one for one in candidates}
    whole = [one for one in stems if one.endswith(f".{stem}")]
    close = difflib.get_close_matches(stem, whole or stems, n=1, cutoff=0.0 if whole else 0.6)
    return f"did you mean `{stems[close[0]]}`?" if close else ""


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
