"""Assembles the items of a module, each from its line and the block below."""

from __future__ import annotations

from typing import Any

import attrs

from rulewright.base.records import define
from rulewright.base.spans import Span
from rulewright.grammar.tree import declarations
from rulewright.grammar.tree import modules as tree
from rulewright.grammar.tree.editions import Edition
from rulewright.grammar.tree.statements import Labelled

from . import read_modules
from .assemble_blocks import Assembler
from .line_kinds import LineKind
from .lines import LogicalLine
from .read_formats import RowsLine, RunsLine
from .read_statements import CiteLine, ElseLine, LabelHead, TextLine

# Lines whose block continues their condition, with arbitrary line breaks.
_JOINED = ("invariant", "score", "partition", "require", "add require")


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
            match node:
                case TextLine(text):
                    self.keep(said, "text", text, child)
                case read_modules.ExtendsLine(modules):
                    extends += modules
                case CiteLine(name):
                    self.keep(said, "cite", name, child)
                case Edition():
                    self.keep(said, "edition", node, child)
        return attrs.evolve(header, extends=extends, span=self.span(line), **said)

    def _item(self, node: tree.Item, line: LogicalLine) -> tree.Item:  # noqa: PLR0912
        span = self.span(line)
        match node:
            case tree.Pattern():
                return self._pattern(node, line)
            case tree.Pieces():
                return self._pieces(node, line)
            case tree.Tiles():
                tiles = tuple(tile for _, tile in self.read_all(line.block, LineKind.TILE))
                self._check_kinds(tiles)
                return attrs.evolve(node, lines=tiles, span=span)
            case tree.Table():
                return self._table(node, line)
            case tree.State():
                return attrs.evolve(node, lines=tuple(n for _, n in self.read_all(line.block, LineKind.STATE)), span=span)
            case tree.Define():
                return self._define(node, line)
            case tree.Action():
                return self._action(node, line)
            case tree.Procedure() | tree.Whenever():
                said: dict[str, Any] = {}
                return attrs.evolve(node, body=self.statements(line.block, said), span=span, **said)
            case tree.Rule():
                return self._rule(node, line)
            case tree.Phase():
                texts: dict[str, Any] = {}
                return attrs.evolve(node, body=self.flow(line.block, texts), span=span, **texts)
            case tree.Flow():
                return attrs.evolve(node, body=self.flow(line.block), span=span)
            case tree.Rank():
                return self._rank(node, line)
            case tree.Space():
                if line.block and node.shape is not tree.Shape.GRAPH:
                    self.sink.error(
                        "RW010",
                        "only a graph can have a block of edges",
                        node.span,
                        help="delete the block, or declare the space as a `graph`",
                    )
                edges = tuple(edge for _, edges in self.read_all(line.block, LineKind.EDGE) for edge in edges)
                return attrs.evolve(node, edges=edges, span=span)
            case tree.Change():
                return self._change(node, line)
            case tree.Format():
                return self._format(node, line)
            case _:
                return node

    def _format(self, format: tree.Format, line: LogicalLine) -> tree.Format:
        said: dict[str, Any] = {}
        glyphs: list[declarations.Glyph] = []
        fields: list[declarations.Field] = []
        for child, node in self.without_notes(self.read_all(line.block, LineKind.FORMAT), said):
            match node:
                case declarations.Glyph():
                    glyphs.append(node)
                case declarations.Field():
                    fields.append(node)
                case declarations.Letters():
                    self.keep(said, "letters", node, child)
                case RowsLine(between):
                    self.keep(said, "between", between, child)
                case RunsLine():
                    self.keep(said, "runs", True, child)
        said.pop("cite", None)
        return attrs.evolve(format, glyphs=tuple(glyphs), fields=tuple(fields), span=self.span(line), **said)

    def _pattern(self, pattern: tree.Pattern, line: LogicalLine) -> tree.Pattern:
        said: dict[str, Any] = {}
        rows: list[tree.PatternRow] = []
        requirements: list[tree.Requirement] = []
        nodes = ((child, self.read(child, LineKind.PATTERN, self._joined(child))) for child in line.block)
        for child, node in self.without_notes(nodes, said):
            match node:
                case tree.PatternRow():
                    rows.append(node)
                case tree.Requirement():
                    requirements.append(node)
                case read_modules.PatternLevel(level):
                    rows += self._rows_of_level(level, child)
        return attrs.evolve(pattern, rows=tuple(rows), requirements=tuple(requirements), span=self.span(line), **said)

    def _pieces(self, pieces: tree.Pieces, line: LogicalLine) -> tree.Pieces:
        said: dict[str, Any] = {}
        nodes = self.without_notes(self.read_all(line.block, LineKind.PIECE), said)
        lines = tuple(self._piece(node, child) for child, node in nodes if isinstance(node, tree.PieceLine))
        return attrs.evolve(pieces, lines=lines, span=self.span(line), **said)

    def _piece(self, piece: tree.PieceLine, line: LogicalLine) -> tree.PieceLine:
        if not line.block:
            return piece
        if piece.rows:
            help = "draw it either on its line or in the block below, not both"
            self.sink.error("RW063", f"`{piece.name}` is drawn twice", piece.span, help=help)
        rows: list[tree.PatternRow] = []
        for child, node in self.read_all(line.block, LineKind.PATTERN):
            match node:
                case tree.PatternRow():
                    rows.append(node)
                case read_modules.PatternLevel(level):
                    rows += self._rows_of_level(level, child)
                case _:
                    self.sink.error("RW010", "this is not a row of a drawing", node.span, help="move it to an action or a rule")
        return attrs.evolve(piece, rows=tuple(rows), span=self.span(line))

    def _rows_of_level(self, level: int, line: LogicalLine) -> list[tree.PatternRow]:
        found: list[tree.PatternRow] = []
        for _, node in self.read_all(line.block, LineKind.PATTERN):
            if isinstance(node, tree.PatternRow):
                found.append(attrs.evolve(node, level=level))
            else:
                self.sink.error("RW010", "this is not a row of a level", node.span, help="indent it less")
        return found

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
        return attrs.evolve(table, columns=head.columns, rows=rows, span=self.span(line))

    def _rank(self, rank: tree.Rank, line: LogicalLine) -> tree.Rank:
        said: dict[str, Any] = {}
        ranks = tuple(node for _, node in self.without_notes(self.read_all(line.block, LineKind.RANK), said))
        return attrs.evolve(rank, lines=ranks, span=self.span(line), **said)

    def _define(self, define: tree.Define, line: LogicalLine) -> tree.Define:
        if not line.opens:
            return define
        said: dict[str, Any] = {}
        cases: list[tree.Case] = []
        before = len(self.sink.errors)
        for child, node in self.without_notes(self.read_all(line.block, LineKind.DEFINE), said):
            if isinstance(node, tree.Case):
                cases.append(self._case(node, child))
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
        return attrs.evolve(define, value=value, cases=tuple(cases), span=self.span(line), **said)

    def _case(self, case: tree.Case, line: LogicalLine) -> tree.Case:
        exceptions = tuple(self._case(node, child) for child, node in self.read_all(line.block, LineKind.CASE))
        return attrs.evolve(case, exceptions=exceptions, span=self.span(line))

    def _action(self, action: tree.Action, line: LogicalLine) -> tree.Action:
        said: dict[str, Any] = {}
        requirements: list[tree.Requirement] = []
        effects: list[tree.Effect] = []
        nodes = ((child, self.read(child, LineKind.ACTION, self._joined(child))) for child in line.block)
        for child, node in self.without_notes(nodes, said):
            match node:
                case tree.Notation():
                    self.keep(said, "notation", node, child)
                case read_modules.OnceLine(point):
                    self.keep(said, "once", point, child)
                case tree.Like():
                    like = attrs.evolve(node, edits=self.edits(child.block), span=self.span(child))
                    self.keep(said, "like", like, child)
                case tree.Requirement():
                    requirements.append(node)
                case tree.Effect() | read_modules.EffectHead():
                    effects.extend(self._effect(node, child))
        return attrs.evolve(action, requirements=tuple(requirements), effects=tuple(effects), span=self.span(line), **said)

    def _rule(self, rule: tree.Rule, line: LogicalLine) -> tree.Rule:
        said: dict[str, Any] = {}
        requirements: list[tree.Requirement] = []
        nodes = ((child, self.read(child, LineKind.ACTION, self._joined(child))) for child in line.block)
        for _, node in self.without_notes(nodes, said):
            if isinstance(node, tree.Requirement):
                requirements.append(node)
            elif node is not None:
                self.sink.error("RW010", "a rule can contain only requirements", node.span, help="write `require LABEL: …`")
        return attrs.evolve(rule, requirements=tuple(requirements), span=self.span(line), **said)

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
            edits = tuple(self._edit(change.edits[0], line)) if change.edits else self.edits(line.block)
        return attrs.evolve(change, edits=edits, span=self.span(line))

    def edits(self, lines: list[LogicalLine]) -> tuple[tree.Edit, ...]:
        """The edits of a block."""
        edits: list[tree.Edit] = []
        for line in lines:
            node = self.read(line, LineKind.EDIT, self._joined(line) or self._joined_replace(line))
            if isinstance(node, ElseLine):
                self._else_of_edit(edits, line, node)
            elif node is not None:
                edits.extend(self._edit(node, line))
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
                    edits.append(attrs.evolve(node, body=self.flow(line.block), span=self.span(line)))
                case _:
                    edits.extend(self._edit(node, line))
        return tuple(edits)

    def _joined_replace(self, line: LogicalLine) -> bool:
        """Whether a replacement's block is one condition, not a statement with a block of its own."""
        words = self.source.code[line.start : line.end].removesuffix(":").split()
        bare = len(words) == 2 and words[0] == "replace"
        return bare and bool(line.block) and not any(child.opens for child in line.block)

    def _edit(
        self, node: tree.Edit | LabelHead | read_modules.EffectHead | read_modules.ReplaceHead, line: LogicalLine
    ) -> list[tree.Edit]:
        match node:
            case read_modules.EffectHead() | tree.Effect():
                return list(self._effect(node, line))
            case LabelHead() | Labelled():
                return list(self.labelled(line, node))
            case tree.Case():
                return [self._case(node, line)]
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
                return [tree.Replace(label, self._case(case, line), span=self.span(line))]
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
