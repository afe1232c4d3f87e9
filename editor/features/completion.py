"""Completion at a place: words that the grammar accepts there, names in scope by kind, snippets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from rulewright.base.records import define, frozen
from rulewright.editor.project.name_index import NameIndex, Place, Visible
from rulewright.editor.texts.cursor import Cursor, cursor_at
from rulewright.editor.texts.symbols import OF_ITEMS, NameKind, Namespace, Symbol
from rulewright.grammar.explain import titles
from rulewright.grammar.parsing.line_kinds import LineKind
from rulewright.grammar.parsing.read_looks import WORDS
from rulewright.rules.clauses.citations import catalogues_for
from rulewright.rules.linking.functions.call import FUNCTION_FORMS
from rulewright.rules.linking.project import SHIPPED
from rulewright.rules.merging.rulebook import ItemKind
from rulewright.rules.spaces import square

from .hover import declaration_text
from .likelihood import likelihood

# Snippets -------------------------------------------------------------------------------------------------------------
# For items, lines and entries, with placeholders: `${1:name}`, and `$0` for the final cursor.


@frozen
class Snippet:
    """A text offered for the word it begins with; `about` describes it."""

    word: str
    about: str
    body: str


@cache
def snippets() -> Mapping[LineKind, Sequence[Snippet]]:
    """The snippets by the kind of line they start, from `snippets.txt`, where a heading names the kind, the word and what it is
    about."""
    found: dict[LineKind, list[Snippet]] = {}
    for text in Path(__file__).with_name("snippets.txt").read_text("utf-8").split("== ")[1:]:
        heading, body = text.removesuffix("\n").split("\n", maxsplit=1)
        kind, word, about = heading.split(" | ")
        found.setdefault(LineKind[kind.upper()], []).append(Snippet(word, about, body))
    return found


# Completion at a place ------------------------------------------------------------------------------------------------


BUILT_IN = ("players", "player_count", "player", "box", "nothing", "tiles", "score", "yes", "no")
"""Built-in names of expressions."""

_DOT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)((?:\.[A-Za-z_][A-Za-z0-9_]*)*)\.$")
_BOUND = re.compile(r"\b([A-Za-z_][A-Za-z0-9_]*) +in\b|\blet +([A-Za-z_][A-Za-z0-9_]*) *=")
_HEAD = re.compile(r"(?:define|rule|action|procedure) +[A-Za-z_][A-Za-z0-9_]*\(([^=:]*)\)")
_EDITED = re.compile(r"(?:replace|drop)\s+$")

TILES = {NameKind.TILE, NameKind.TILE_SET}
WORDS_OF_TILES = {NameKind.TERRAIN, NameKind.MARKER}
STATE = {NameKind.VARIABLE, NameKind.SPACE}
WITH_VALUE = {NameKind.DEFINITION, NameKind.SCORE, NameKind.INVARIANT, NameKind.PARTITION}
POINTS = {NameKind.POINT, NameKind.PHASE}


@frozen
class Completion:
    """A completion. `kind` is a `NameKind`'s value, `keyword`, `function` or `snippet`; lower `rank` sorts first, and 0
    whatever its type.

    `text` is the text to insert, with placeholders for a snippet.
    """

    label: str
    kind: str
    detail: str = ""
    text: str = ""
    is_snippet: bool = False
    rank: int = 5
    declared_at: Place | None = None


def completions(index: NameIndex, path: Path, offset: int) -> list[Completion]:
    """The completions at an offset of a text that have the letters already typed in their order, the likeliest first: those
    that begin so, by rank, which another type than the expected lowers, and by distance."""
    workspace = index.workspace
    reading, names = workspace.reading(path), index.names(path)
    cursor = cursor_at(reading, names, offset, lambda text: workspace.read_another(text, path))
    if cursor is None:
        return []
    typed = re.compile(".*".join(cursor.word), re.IGNORECASE)
    found: dict[tuple[str, str], Completion] = {}
    for one in _Completer(index, path, cursor, index.visible(path)).all():
        if typed.search(one.label):
            found.setdefault((one.label, one.kind if one.is_snippet else ""), one)
    likely = likelihood(cursor, reading.source.position(offset)[0], names.occurrences, workspace.game_around(path))

    def order(one: Completion) -> tuple[bool, int, int, str]:
        is_other, distance = likely.of(one.label, one.kind)
        rank = one.rank + 2 * is_other if one.rank else 0
        return not one.label.startswith(cursor.word), rank, distance, one.label

    return sorted(found.values(), key=order)


def documentation(index: NameIndex, completion: Completion) -> str:
    """The documentation of a completion, in Markdown."""
    if completion.declared_at is not None:
        return f"```rules\n{declaration_text(index, completion.declared_at)}\n```"
    return "\n\n".join(f"`{form.call}: {form.result}` {form.meaning}" for form in FUNCTION_FORMS.get(completion.label, ()))


@define
class _Completer:
    index: NameIndex
    path: Path
    cursor: Cursor
    visible: Visible

    def all(self) -> Iterator[Completion]:
        """Everything that fits, most likely first."""
        before = self.cursor.before
        if dotted := _DOT.search(before):
            yield from self.behind_dot(dotted[1], dotted[2].lstrip("."))
            return
        if self.cursor.kind is not None and not before.strip():
            for snippet in snippets().get(self.cursor.kind, ()):
                yield Completion(snippet.word, "snippet", snippet.about, snippet.body, True, 1)
            if self.cursor.kind is LineKind.ITEM and self.path.suffix == ".puzzle":
                return
        for word in self.cursor.keywords:
            yield Completion(word, "keyword", rank=4)
        if self.cursor.takes_name:
            yield from self.names()

    # Names by the text before them

    def names(self) -> Iterator[Completion]:  # noqa: PLR0912
        """The names valid here."""
        before, kind = self.cursor.before.rstrip(), self.cursor.kind
        last = before.rpartition(" ")[2]
        match kind:
            case None:
                yield from self.declared({Namespace.VALUE}, TILES)
            case LineKind.HEADER | LineKind.ENTRY if before.startswith(("extends", "rules")):
                yield from self.modules()
            case _ if last == "cite":
                yield from self.clauses_of_rulebooks()
            case LineKind.ITEM if before in ("change", "drop"):
                yield from (Completion(word.value, "keyword", rank=6) for word in ItemKind)
                yield from self.declared(set(OF_ITEMS), rank=2)
            case LineKind.ITEM if before.startswith(("change ", "drop ")) and ":" not in before:
                yield from self.declared(set(OF_ITEMS), {kind for kind in NameKind if kind.value == last})
            case LineKind.ITEM if before.startswith("expect") and " of" not in before:
                yield from (Completion(code, "keyword", title) for code, title in titles().items())
            case LineKind.ITEM if before.startswith(("look", "change look")):
                yield from self.looks(":" in before)
            case LineKind.EDIT if _EDITED.search(self.cursor.before):
                yield from self.edited()
            case LineKind.EDIT if not before:
                yield from self.declared({Namespace.VALUE}, {NameKind.TILE})
                yield from self.owned(Namespace.COLUMN, self.cursor.scope.item)
            case LineKind.TILE:
                yield from self.declared({Namespace.VALUE}, WORDS_OF_TILES)
                yield from self.directions()
            case LineKind.FLOW | LineKind.EDIT if re.search(r"\bchoose\b[^:]*(?:choose|,|or)$", before):
                yield from self.declared({Namespace.ACTION})
            case _ if last in ("like", "add") or before.endswith("choose"):
                yield from self.declared({Namespace.ACTION})
            case LineKind.FLOW if not before or before.endswith(":"):
                yield from self.declared({Namespace.FLOW}, {NameKind.PROCEDURE, NameKind.PHASE, NameKind.NEED})
            case _ if last == "do":
                yield from self.declared({Namespace.FLOW}, {NameKind.PROCEDURE, NameKind.NEED})
            case _ if last == "per":
                yield from self.declared({Namespace.FLOW}, POINTS)
            case LineKind.STATE if "=" not in before:
                yield from self.types(last == "of")
            case _ if last in ("before", "after", "to", "from") and kind in (LineKind.ACTION, LineKind.EDIT):
                yield from self.declared({Namespace.FLOW})
                yield from self.values()
            case LineKind.ENTRY:
                yield from self.entries(before)
            case LineKind.PATTERN | LineKind.TABLE_HEAD | LineKind.PUZZLE:
                pass
            case _:
                yield from self.values()

    def entries(self, before: str) -> Iterator[Completion]:
        """Names in the lines of a puzzle."""
        if not before:
            yield from self.declared({Namespace.VALUE}, STATE)
        elif before.startswith("start"):
            yield from self.declared({Namespace.FLOW}, POINTS)
        elif before.startswith(("accept", "refuse", "plan")):
            yield from self.declared({Namespace.ACTION}, rank=2)
            yield from self.declared({Namespace.VALUE}, TILES)
            yield from self.directions()
        elif before.startswith("ask"):
            yield from self.values()
        else:
            yield from self.declared({Namespace.VALUE}, TILES | WORDS_OF_TILES | {NameKind.MEMBER, NameKind.NODE})
            yield from self.directions()

    def types(self, behind_of: bool) -> Iterator[Completion]:
        """The types and indices of a variable."""
        yield from self.declared({Namespace.VALUE}, {NameKind.ENUM, NameKind.SPACE} if behind_of else {NameKind.ENUM})
        words = ("player", "tiles") if behind_of else ("player", "tile", "terrain", "marker")
        yield from (Completion(word, "keyword", rank=3) for word in words)

    def values(self) -> Iterator[Completion]:
        """The names valid in an expression: local names first, then declarations of the rules, then functions."""
        for name in self.cursor.scope.locals:
            yield Completion(name, NameKind.LOCAL.value, rank=0)
        for found in _BOUND.finditer(self.cursor.before):
            yield Completion(found[1] or found[2], NameKind.LOCAL.value, rank=0)
        if head := _HEAD.search(self.cursor.before):  # the line cannot be read yet
            names = (part.split()[0] for part in head[1].split(",") if part.strip())
            yield from (Completion(name, NameKind.PARAMETER.value, rank=0) for name in names)
        for item in self.cursor.scope.parameters_of:
            yield from self.owned(Namespace.PARAMETER, item, rank=0)
        if self.cursor.scope.in_pattern:
            yield from self.declared({Namespace.ROLE}, rank=0)
        yield from self.declared({Namespace.VALUE}, rank=2)
        for name, forms in FUNCTION_FORMS.items():
            yield Completion(name, "function", f"{forms[0].call}: {forms[0].result}", rank=3)
        yield from (Completion(name, "keyword", rank=4) for name in BUILT_IN)
        yield from self.directions()

    def directions(self) -> Iterator[Completion]:
        return (Completion(name, "keyword", rank=6) for name in square.WORDS)

    def declared(self, namespaces: set[Namespace], kinds: set[NameKind] | None = None, rank: int = 2) -> Iterator[Completion]:
        for symbol, places in self.visible.declarations.items():
            kind = places[0].occurrence.declares
            if symbol.namespace in namespaces and kind is not None and (kinds is None or kind in kinds):
                yield Completion(symbol.name, kind.value, kind.value, rank=rank, declared_at=places[0])

    def owned(self, namespace: Namespace, owner: str, rank: int = 1) -> Iterator[Completion]:
        """The names inside an item, or inside the action it is like."""
        tried: set[str] = set()
        while owner and owner not in tried:
            tried.add(owner)
            for symbol, places in self.visible.declarations.items():
                if symbol.namespace is namespace and symbol.owner == owner:
                    yield Completion(symbol.name, namespace.value, f"of {owner}", rank=rank, declared_at=places[0])
            owner = self.visible.like.get(owner, "")

    def edited(self) -> Iterator[Completion]:
        """The targets of `replace` and `drop`: clauses of the changed item, points of the flow, tiles."""
        scope = self.cursor.scope
        if scope.is_flow:
            yield from self.declared({Namespace.FLOW}, rank=1)
            return
        yield from self.owned(Namespace.CLAUSE, scope.path or scope.item)
        meaning = self.visible.find(Symbol(Namespace.VALUE, scope.item))
        if meaning is not None and meaning.kind in WITH_VALUE:
            yield Completion("value", NameKind.CLAUSE.value, "the default", rank=1)
        if meaning is not None and meaning.kind is NameKind.TILE_SET:
            yield from self.declared({Namespace.VALUE}, {NameKind.TILE})

    def behind_dot(self, first: str, rest: str) -> Iterator[Completion]:
        """The names after a dot: columns of a table, roles of a place, exceptions inside an exception, the rest of a
        module's name."""
        if self.cursor.before.lstrip().startswith(("extends", "rules")):
            yield from self.modules(".".join(filter(None, (first, rest))) + ".")
        elif self.cursor.before.rstrip(".").rpartition(" ")[0].endswith("cite"):
            yield from self.clauses_of_rulebooks(".".join(filter(None, (first, rest))) + ".")
        elif self.cursor.kind is LineKind.EDIT and self.cursor.scope.changes and self.cursor.before.split()[0] != "require":
            path = ".".join(filter(None, (self.cursor.scope.path or self.cursor.scope.item, first, rest)))
            yield from self.owned(Namespace.CLAUSE, path)
        else:
            yield from self.owned(Namespace.COLUMN, first)
            yield from self.declared({Namespace.ROLE})

    def modules(self, begun: str = "") -> Iterator[Completion]:
        for name in self.index.workspace.modules():
            if name.startswith(begun):
                yield Completion(name.removeprefix(begun), NameKind.MODULE.value, "module", rank=1)

    def clauses_of_rulebooks(self, begun: str = "") -> Iterator[Completion]:
        root = SHIPPED if self.path.is_relative_to(SHIPPED) else self.index.workspace.folder
        for name, entry in catalogues_for(self.path, root).items():
            if name.startswith(begun):
                yield Completion(name.removeprefix(begun), Namespace.CITATION.value, entry.statement[:80], rank=1)

    def looks(self, behind_colon: bool) -> Iterator[Completion]:
        if behind_colon:
            yield from (Completion(word, "keyword", field, rank=1) for field, words in WORDS.items() for word in words)
        else:
            yield from self.declared({Namespace.VALUE})
