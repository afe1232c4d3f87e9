"""Assembles the items of a module, each from its line and the block below."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from rulewright.base.records import define, evolve, frozen
from rulewright.base.spans import Located, Span
from rulewright.grammar.tree import declarations
from rulewright.grammar.tree import modules as tree
from rulewright.grammar.tree.statements import Labelled

from . import read_modules
from .assemble_blocks import Assembler
from .line_kinds import LineKind
from .lines import LogicalLine
from .node_builder import Property
from .read_statements import ElseLine, LabelHead

# Lines whose block continues their condition, with arbitrary line breaks.
_JOINED = ("invariant", "score", "partition", "require", "add require")

ItemT = TypeVar("ItemT", bound=Located)

_NOTES = frozenset(("text", "cite"))


@frozen
class Block:
    """The block of an item: the kind of its lines, the field that lists their nodes by class, and the fields it may give once.

    `refused` is the message for any other line, and the help.
    """

    kind: LineKind
    lists: Mapping[type, str]
    given: frozenset[str] = _NOTES
    refused: tuple[str, str] = ("", "")


_ROWS: Mapping[type, str] = dict.fromkeys((tree.PatternRow, read_modules.PatternLevel), "rows")

BLOCKS: Mapping[type, Block] = {
    tree.Pattern: Block(LineKind.PATTERN, {**_ROWS, tree.Requirement: "requirements"}),
    tree.Pieces: Block(LineKind.PIECE, {tree.PieceLine: "lines"}),
    tree.PieceLine: Block(
        LineKind.PATTERN, _ROWS, frozenset(), ("this is not a row of a drawing", "move it to an action or a rule")
    ),
    read_modules.PatternLevel: Block(
        LineKind.PATTERN, {tree.PatternRow: "rows"}, frozenset(), ("this is not a row of a level", "indent it less")
    ),
    tree.Tiles: Block(LineKind.TILE, {tree.TileLine: "lines"}),
    tree.State: Block(LineKind.STATE, {tree.StateLine: "lines"}),
    tree.Case: Block(LineKind.CASE, {tree.Case: "exceptions"}),
    tree.Rank: Block(LineKind.RANK, {tree.RankLine: "lines"}),
    tree.Format: Block(
        LineKind.FORMAT,
        {declarations.Glyph: "glyphs", declarations.Field: "fields"},
        _NOTES | {"letters", "between", "runs"},
    ),
    tree.Action: Block(
        LineKind.ACTION,
        {tree.Requirement: "requirements", tree.Effect: "effects", read_modules.EffectHead: "effects"},
        _NOTES | {"notation", "once", "like"},
    ),
    tree.Rule: Block(
        LineKind.ACTION,
        {tree.Requirement: "requirements"},
        refused=("a rule can contain only requirements", "write `require LABEL: …`"),
    ),
}


@define
class ModuleAssembler(Assembler):
    """Reads a `*.rules` file."""

    def module(self, lines: list[LogicalLine]) -> tree.Module | None:
        """The module, if its header and all of its items could be read; else None."""
        header: tree.Header | None = None
        items: list[tree.Item] = []
        for line in lines:
            node = self.read(line, LineKind.ITEM, self._joined(line))
            match node:
                case None:
                    pass
                case tree.Header() if header is not None:
                    self.sink.error("RW008", "a file can contain only one module", node.span, help="move it to its own file")
                case tree.Header():
                    if items:
                        self.sink.error(
                            "RW007", "the `module` line must come first", node.span, help="move it to the top of the file"
                        )
                    header = self._header(node, line)
                case _:
                    items.append(self._item(node, line))
        if header is None:
            first = lines[0] if lines else LogicalLine(0, 0, 0, False)
            if not self.sink.errors:
                span = self.source.span(first.start, first.end)
                self.sink.error("RW007", "the file has no `module` line", span, help="add `module NAME:` as its first line")
            return None
        last = lines[-1].last
        return tree.Module(header, tuple(items), span=self.source.span(lines[0].start, last))

    def _joined(self, line: LogicalLine) -> bool:
        return self.source.code.startswith(_JOINED, line.start) and bool(line.block)

    def _header(self, header: tree.Header, line: LogicalLine) -> tree.Header:
        said: dict[str, Any] = {}
        extends: tuple[tuple[str, Span], ...] = ()
        for child, node in self.read_all(line.block, LineKind.HEADER):
            if node.field == "extends":
                extends += node.value
            else:
                self.keep(said, node.field, node.value, child)
        return evolve(header, extends=extends, span=self.span(line), **said)

    def _item(self, node: tree.Item, line: LogicalLine) -> tree.Item:
        span = self.span(line)
        match node:
            case tree.Tiles():
                tiles = self._filled(node, line)
                self._check_kinds(tiles.lines)
                return tiles
            case tree.Table():
                return self._table(node, line)
            case tree.Define():
                return self._define(node, line)
            case tree.Procedure() | tree.Whenever():
                said: dict[str, Any] = {}
                return evolve(node, body=self.statements(line.block, said), span=span, **said)
            case tree.Phase():
                texts: dict[str, Any] = {}
                return evolve(node, body=self.flow(line.block, texts), span=span, **texts)
            case tree.Flow():
                return evolve(node, body=self.flow(line.block), span=span)
            case tree.Space():
                if line.block and node.shape is not tree.Shape.GRAPH:
                    self.sink.error(
                        "RW010",
                        "only a graph can have a block of edges",
                        node.span,
                        help="delete the block, or declare the space as a `graph`",
                    )
                edges = tuple(edge for _, edges in self.read_all(line.block, LineKind.EDGE) for edge in edges)
                return evolve(node, edges=edges, span=span)
            case tree.Change():
                return self._change(node, line)
            case _:
                return self._filled(node, line) if type(node) in BLOCKS else node

    def _filled(self, node: ItemT, line: LogicalLine) -> ItemT:
        """A node with the lines of its block."""
        block, said = BLOCKS[type(node)], dict[str, Any]()
        found: dict[str, list[Any]] = {field: [] for field in block.lists.values()}
        for child in line.block:
            part = self.read(child, block.kind, tree.Requirement in block.lists and self._joined(child))
            if isinstance(part, tree.Notation):
                part = Property("notation", part, span=part.span)
            if type(part) in block.lists:
                found[block.lists[type(part)]] += self._whole(part, child)
            elif isinstance(part, Property) and part.field in block.given:
                self.keep(said, part.field, self._with_edits(part.value, child), child)
            elif part is not None:
                message, help = block.refused
                self.sink.error("RW010", message, part.span, help=help)
        known: dict[str, Any] = {field: value for field, value in said.items() if hasattr(node, field)}
        return evolve(node, **{field: tuple(parts) for field, parts in found.items()}, **known, span=self.span(line))

    def _with_edits(self, value: Any, line: LogicalLine) -> Any:
        """What a line says of an action; `like` with the edits of its block."""
        is_like = isinstance(value, tree.Like)
        return evolve(value, edits=self.edits(line.block), span=self.span(line)) if is_like else value

    def _piece(self, piece: tree.PieceLine, line: LogicalLine) -> tree.PieceLine:
        if not line.block:
            return piece
        if piece.rows:
            help = "draw it either on its line or in the block below, not both"
            self.sink.error("RW063", f"`{piece.name}` is drawn twice", piece.span, help=help)
        return self._filled(piece, line)

    def _check_kinds(self, tiles: tuple[tree.TileLine, ...]) -> None:
        if len(tiles) > self.limits.tile_kinds:
            span = tiles[self.limits.tile_kinds].span
            self.sink.error(
                "RW056", f"there are more than {self.limits.tile_kinds} kinds of tiles", span, help="use fewer kinds"
            )

    def _table(self, table: tree.Table, line: LogicalLine) -> tree.Table:
        if not line.block:
            return table
        head = self.read(line.block[0], LineKind.TABLE_HEAD)
        rows = tuple(row for _, row in self.read_all(line.block[1:], LineKind.TABLE_ROW))
        if head is None:
            return table
        for row in rows:
            if len(row.values) != len(head.columns):
                self.sink.error(
                    "RW019",
                    f"wrong number of values in this row: expected {len(head.columns)}, found {len(row.values)}",
                    row.span,
                    help="give one value for each column, and put longer expressions in parentheses",
                )
        if head.key != table.key:
            message = f"the first column is `{head.key}`, but the table is declared by `{table.key}`"
            self.sink.error("RW020", message, head.span, help=f"write `{table.key}:`")
        return evolve(table, columns=head.columns, rows=rows, span=self.span(line))

    def _define(self, define: tree.Define, line: LogicalLine) -> tree.Define:
        if not line.opens:
            return define
        said: dict[str, Any] = {}
        cases: list[tree.Case] = []
        before = len(self.sink.errors)
        for child, node in self.without_notes(self.read_all(line.block, LineKind.DEFINE), said):
            if isinstance(node, tree.Case):
                cases.append(self._filled(node, child))
                continue
            self.keep(said, "default", node.value, child)
            if node.cite:
                said["cite"] = node.cite
        value = said.pop("default", None)
        if value is None:
            if len(self.sink.errors) == before:  # otherwise it may be the line that could not be read
                self.sink.error(
                    "RW021", f"`{define.name}` has no default value", define.span, help="add a line `= …` to its block"
                )
            return define
        return evolve(define, value=value, cases=tuple(cases), span=self.span(line), **said)

    def _effect(self, node: tree.Effect | read_modules.EffectHead, line: LogicalLine) -> list[tree.Effect]:
        inner = LabelHead(node.label, span=node.span) if isinstance(node, read_modules.EffectHead) else node.labelled
        return [tree.Effect(labelled, span=labelled.span) for labelled in self.labelled(line, inner)]

    # Changes

    def _change(self, change: tree.Change, line: LogicalLine) -> tree.Change:
        if not line.opens:
            return change
        if change.target == "flow" or change.kind == "phase":
            edits = self.flow_edits(line.block)
        else:
            edits = tuple(self._whole(change.edits[0], line)) if change.edits else self.edits(line.block)
        return evolve(change, edits=edits, span=self.span(line))

    def edits(self, lines: list[LogicalLine]) -> tuple[tree.Edit, ...]:
        """The edits of a block."""
        edits: list[tree.Edit] = []
        for line in lines:
            node = self.read(line, LineKind.EDIT, self._joined(line) or self._joined_replace(line))
            if isinstance(node, ElseLine):
                self._else_of_edit(edits, line, node)
            elif node is not None:
                edits.extend(self._whole(node, line))
        return tuple(edits)

    def flow_edits(self, lines: list[LogicalLine]) -> tuple[tree.Edit, ...]:
        """The edits of the flow, in which the replacement of a point is also flow."""
        edits: list[tree.Edit] = []
        for line, node in self.read_all(lines, LineKind.EDIT):
            match node:
                case ElseLine():
                    self.stray_else(node.span)
                case read_modules.ReplaceHead(point):
                    edits.append(tree.ReplacePoint(point, self.flow(line.block), span=self.span(line)))
                case tree.InsertFlow():
                    edits.append(evolve(node, body=self.flow(line.block), span=self.span(line)))
                case _:
                    edits.extend(self._whole(node, line))
        return tuple(edits)

    def _joined_replace(self, line: LogicalLine) -> bool:
        """Whether a replacement's block is one condition, not a statement with a block of its own."""
        words = self.source.code[line.start : line.end].removesuffix(":").split()
        bare = len(words) == 2 and words[0] == "replace"
        return bare and bool(line.block) and not any(child.opens for child in line.block)

    def _whole(self, node: Any, line: LogicalLine) -> list[Any]:
        """The nodes of a line and its block."""
        match node:
            case read_modules.PatternLevel(level):
                return [evolve(row, level=level) for row in self._filled(node, line).rows]
            case read_modules.EffectHead() | tree.Effect():
                return list(self._effect(node, line))
            case LabelHead() | Labelled():
                return list(self.labelled(line, node))
            case tree.Case():
                return [self._filled(node, line)]
            case tree.PieceLine():
                return [self._piece(node, line)]
            case tree.AddPiece(piece):
                return [tree.AddPiece(self._piece(piece, line), span=self.span(line))]
            case read_modules.ReplaceHead(label):
                head = read_modules.EffectHead(label, span=node.span)
                return [tree.Replace(label, e, span=e.span) for e in self._effect(head, line)]
            case tree.Replace(label, tree.Effect() as effect):
                return [tree.Replace(label, e, span=e.span) for e in self._effect(effect, line)]
            case tree.Replace(label, tree.Case() as case):
                return [tree.Replace(label, self._filled(case, line), span=self.span(line))]
            case _:
                return [node]

    def _else_of_edit(self, edits: list[tree.Edit], line: LogicalLine, node: ElseLine) -> None:
        last = edits[-1] if edits else None
        if not isinstance(last, Labelled):
            self.stray_else(node.span)
            return
        body = [last]
        self._attach_else(body, line, node)
        edits[-1] = body[0]
