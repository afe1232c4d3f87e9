"""Texts of one kind in a folder and in the library that ships, found by the names that they declare."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from .cache import kept, look_of
from .diagnostics import Diagnostic, Label, RulesError, did_you_mean
from .input_files import SUFFIXES, files_below, first_line, is_within, paths_below, read_text, require_regular
from .limits import DEFAULT_LIMITS, Limits
from .records import define, field, frozen
from .spans import Span


@frozen
class TextKind:
    """A kind of text: the word before its name, the end of its files' names, the folder of those that ship.

    `missing`, `ambiguous` and `outside` are the codes of its errors.
    """

    word: str
    suffix: str
    shipped: Path
    missing: str
    ambiguous: str
    outside: str

    @cached_property
    def header(self) -> re.Pattern[str]:
        """The line that declares a name."""
        return re.compile(rf"^{self.word}\s+([A-Za-z_][A-Za-z0-9_.]*)\s*:", re.MULTILINE)

    @cached_property
    def library(self) -> Mapping[str, tuple[Path, ...]]:
        """The files of each name in the library, read once: what ships does not change while a process runs. Their names are
        kept until one of them is touched: to read seven hundred first lines takes longer than most puzzles."""
        files = tuple(paths_below(self.shipped, self.suffix))
        parts = [self.word, *map(look_of, files)]

        def read() -> dict[str, list[str]]:
            return {name: [*map(str, paths)] for name, paths in self.by_name(map(Path, files)).items()}

        return {name: (*map(Path, paths),) for name, paths in kept("library", ("rulewright.base",), parts, read).items()}

    def by_name(self, files: Iterable[Path], limits: Limits = DEFAULT_LIMITS) -> dict[str, tuple[Path, ...]]:
        """The files of each name that one declares."""
        found: dict[str, tuple[Path, ...]] = {}
        for path in files:
            if header := self.header.match(first_line(path, limits)):
                found[header[1]] = (*found.get(header[1], ()), path)
        return found


@define
class Texts:
    """The texts of a folder and of the library; files are searched and read when first needed.

    `named` are files elsewhere that an argument names by path; they are found, and those beside them by each other. `given`
    stand in for files, or are more of them; if `is_whole`, nothing of the folder is read.
    """

    kind: TextKind
    folder: Path
    limits: Limits = DEFAULT_LIMITS
    named: tuple[Path, ...] = ()
    given: Mapping[Path, str] = field(factory=dict)
    is_whole: bool = False
    _under: Texts | None = field(default=None, init=False, repr=False)

    def over(self, given: Mapping[Path, str]) -> Texts:
        """These texts with others in some files. The folder is not searched again."""
        other = Texts(self.kind, self.folder, self.limits, self.named, given, self.is_whole)
        other._under = self
        return other

    def portable(self, more: Iterable[Path] = ()) -> Texts:
        """The same, and more files, without the folder: for another process or machine.

        Unreadable files are left out: whoever needs one has already seen its error.
        """
        given = {}
        for path in dict.fromkeys((*(path for paths in self.found.values() for path in paths), *self.named, *more)):
            if not is_within(path, self.kind.shipped):
                with suppress(OSError, RulesError):
                    given[path] = self.text(path)
        return Texts(self.kind, self.folder, self.limits, self.named, given, is_whole=True)

    def text(self, path: Path) -> str:
        """A text, with `\\n` line ends. Raises `OSError` and `RulesError` as `read_text` does."""
        given = self.given.get(path)
        return read_text(path, self.limits) if given is None else given.replace("\r\n", "\n")

    def below(self, suffix: str) -> Iterator[Path]:
        """The files of the folder, of whatever kind, with a suffix."""
        if self.is_whole:
            return (path for path in self.given if path.suffix == suffix)
        return files_below(self.folder, suffix, self.limits)

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """The files of the folder, and those given."""
        return tuple(dict.fromkeys((*self._searched, *(path for path in self.given if path.suffix == self.kind.suffix))))

    @cached_property
    def found(self) -> Mapping[str, tuple[Path, ...]]:
        """The files of each name: those of the folder, else those of the library. A text that declares none, as while its first
        line is edited, keeps the name it has in the folder."""
        own = {name: left for name, paths in self._own.items() if (left := self._not_given(paths))}
        before = {path: name for name, paths in self._own.items() for path in paths}
        for path, text in self.given.items():
            header = self.kind.header.search(text)
            if path.suffix == self.kind.suffix and (name := header[1] if header else before.get(path)):
                own[name] = (*own.get(name, ()), path)
        return {name: left for name, paths in self.kind.library.items() if (left := self._not_given(paths))} | own

    @cached_property
    def _searched(self) -> tuple[Path, ...]:
        if self._under is not None:
            return self._under._searched
        return () if self.is_whole else tuple(files_below(self.folder, self.kind.suffix, self.limits))

    @cached_property
    def _own(self) -> Mapping[str, tuple[Path, ...]]:
        return self.kind.by_name(self._searched, self.limits) if self._under is None else self._under._own

    @cached_property
    def _beside_named(self) -> Mapping[str, tuple[Path, ...]]:
        folders = dict.fromkeys(path.resolve().parent for path in self.named)
        beside = (path for folder in folders for path in sorted(folder.glob(f"*{self.kind.suffix}")))
        return self.kind.by_name(beside, self.limits)

    def _not_given(self, paths: Iterable[Path]) -> tuple[Path, ...]:
        return tuple(path for path in paths if path not in self.given)

    def find(self, argument: str | Path, span: Span | None = None, beside: Path | None = None) -> Path:
        """The file that an argument names, by path or by name; of several with a name, the one in the folder `beside`.

        Raises `RulesError` with a code of the kind: there is none, there are two, it is outside of the project.
        """
        if isinstance(argument, Path) or is_path(argument):
            return self.inside(Path(argument), span)
        files = self.found.get(argument, ())
        near = [path for path in files if path.parent == beside]
        if not near and self.named and beside is not None:
            near = [path for path in self._beside_named.get(argument, ()) if path.parent == beside.resolve()]
        near = near or list(files)
        word = self.kind.word
        if not near:
            help = did_you_mean(argument, list(self.found)) or f"`rulewright list` shows all {word}s"
            raise text_error(self.kind.missing, f"there is no {word} `{argument}`", span, help)
        if len(near) > 1:
            message = f"two files declare the {word} `{argument}`: `{near[0]}` and `{near[1]}`"
            raise text_error(self.kind.ambiguous, message, span, "rename one of them, or give the path of the one you mean")
        return near[0]

    def inside(self, path: Path, span: Span | None = None) -> Path:
        """A file by its path, relative to the working folder, else to the project's folder.

        Raises `RulesError`: RW026 (not a regular file), and the codes of the kind.
        """
        if path in self.given:
            return path
        # Spelled as in `found`, so that a file is parsed once and reported once.
        spelled = Path.cwd() / path if path.is_file() else self.folder / path
        require_regular(path)
        require_regular(spelled)
        if not spelled.is_file():
            names = {file.name for files in self.found.values() for file in files}
            help = did_you_mean(path.name, names, self.kind.suffix)
            raise text_error(self.kind.missing, f"there is no file `{path}`", span, help)
        if not any(is_within(spelled, root) for root in (self.folder, self.kind.shipped, *self.named)):
            message = f"`{path}` is outside of the project folder `{self.folder}`"
            raise text_error(self.kind.outside, message, span, "copy it into the project folder, or work in its own folder")
        return spelled


def is_path(argument: str) -> bool:
    """Whether an argument is a path rather than a name."""
    return argument.endswith(SUFFIXES) or "/" in argument or os.sep in argument


def text_error(code: str, message: str, span: Span | None, help: str) -> RulesError:
    """An error about a named text."""
    return RulesError((Diagnostic(code, message, (Label(span),) if span else (), help),))
