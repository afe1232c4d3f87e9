"""The items of a module, each from its line and the block below."""

from __future__ import annotations

from typing import Any

import attrs

from . import modules as m
from . import read_modules as r
from .assembling import Assembler
from .classes import define
from .expressions import Expression
from .layout import Line
from .read_statements import Cite, LabelHead, Otherwise, Text
from .spans import Span
from .statements import Labelled
from .syntax import Kind

# Lines whose block is the rest of their condition, broken at will.
_JOINED = ("invariant", "score", "partition", "require", "add require")


@define
class ModuleAssembler(Assembler):
    """Reads a `*.rules` file."""

    def module(self, lines: list[Line]) -> m.Module | None:
        """The module, when its header and all of its items could be read."""
        header: m.Header | None = None
        items: list[m.Item] = []
        for line in lines:
            node = self.read(line, Kind.ITEM, self._joined(line))
            match node:
                case None:
                    pass
                case m.Header() if header is not None:
                    self.sink.error("RW008", "a file holds one module", node.span, help="put it in a file of its own")
                case m.Header():
                    if items:
                        self.sink.error("RW007", "the `module` line must stand first", node.span, help="move it to the top")
                    header = self._header(node, line)
                case _:
                    items.append(self._item(node, line))
        if header is None:
            first = lines[0] if lines else Line(0, 0, 0, False)
            if not self.sink.errors:
                span = self.source.span(first.start, first.end)
                self.sink.error("RW007", "the file does not begin with a module", span, help="begin it with `module name:`")
            return None
        last = lines[-1].last
        return m.Module(header, tuple(items), span=self.source.span(lines[0].start, last))

    def _joined(self, line: Line) -> bool:
        return self.source.code.startswith(_JOINED, line.start) and bool(line.block)

    def _header(self, header: m.Header, line: Line) -> m.Header:
        text = ""
        extends: tuple[tuple[str, Span], ...] = ()
        for child, node in self.read_all(line.block, Kind.HEADER):
            match node:
                case Text(said):
                    self.once(text, child, "the text")
                    text = said
                case r.Extends(modules):
                    extends += modules
                case Cite():
                    self.sink.error("RW010", "a module has no `cite`", node.span, help="cite the clause at an item")
        return attrs.evolve(header, text=text, extends=extends, span=self.span(line))

    def _item(self, node: m.Item, line: Line) -> m.Item:
        span = self.span(line)
        match node:
            case m.Tiles():
                tiles = tuple(tile for _, tile in self.read_all(line.block, Kind.TILE))
                self._check_kinds(tiles)
                return attrs.evolve(node, lines=tiles, span=span)
            case m.Table():
                return self._table(node, line)
            case m.State():
                return attrs.evolve(node, lines=tuple(n for _, n in self.read_all(line.block, Kind.STATE)), span=span)
            case m.Define():
                return self._define(node, line)
            case m.Action():
                return self._action(node, line)
            case m.Procedure():
                body, text, cite = self.statements(line.block)
                return attrs.evolve(node, body=body, text=text, cite=cite, span=span)
            case m.Flow():
                return attrs.evolve(node, body=self.flow(line.block), span=span)
            case m.Rank():
                return self._rank(node, line)
            case m.Space():
                if line.block and node.shape is not m.Shape.GRAPH:
                    self.sink.error("RW010", "only a graph has edges", node.span, help="delete the block, or write `graph`")
                edges = tuple(edge for _, edges in self.read_all(line.block, Kind.EDGE) for edge in edges)
                return attrs.evolve(node, edges=edges, span=span)
            case m.Change():
                return self._change(node, line)
            case _:
                return node

    def _check_kinds(self, tiles: tuple[m.TileLine, ...]) -> None:
        if len(tiles) > self.limits.tile_kinds:
            span = tiles[self.limits.tile_kinds].span
            self.sink.error("RW056", f"there are more than {self.limits.tile_kinds} kinds of tiles", span, help="merge kinds")

    def _table(self, table: m.Table, line: Line) -> m.Table:
        if not line.block:
            return table
        head = self.read(line.block[0], Kind.TABLE_HEAD)
        rows = tuple(row for _, row in self.read_all(line.block[1:], Kind.TABLE_ROW))
        if head is None:
            return table
        for row in rows:
            if len(row.values) != len(head.columns):
                self.sink.error(
                    "RW019",
                    f"the number of values is {len(row.values)}, but the number of columns is {len(head.columns)}",
                    row.span,
                    help="give one value for each column; put longer expressions in parentheses",
                )
        if head.key != table.key:
            message = f"the first column is `{head.key}`, but the table is by `{table.key}`"
            self.sink.error("RW020", message, head.span, help=f"write `{table.key}:`")
        return attrs.evolve(table, columns=head.columns, rows=rows, span=self.span(line))

    def _rank(self, rank: m.Rank, line: Line) -> m.Rank:
        cite = ""
        ranks: list[m.RankLine] = []
        for child, node in self.read_all(line.block, Kind.RANK):
            match node:
                case Cite(clause):
                    self.once(cite, child, "the cite")
                    cite = clause
                case m.RankLine():
                    ranks.append(node)
        return attrs.evolve(rank, lines=tuple(ranks), cite=cite, span=self.span(line))

    def _define(self, define: m.Define, line: Line) -> m.Define:
        if not line.opens:
            return define
        value: Expression | None = None
        cases: list[m.Case] = []
        text = cite = ""
        before = len(self.sink.errors)
        for child, node in self.read_all(line.block, Kind.DEFINE):
            match node:
                case Text(said):
                    self.once(text, child, "the text")
                    text = said
                case Cite(clause):
                    self.once(cite, child, "the cite")
                    cite = clause
                case r.Default():
                    self.once(value, child, "the default")
                    value, cite = node.value, node.cite or cite
                case m.Case():
                    cases.append(self._case(node, child))
        if value is None:
            if len(self.sink.errors) == before:  # otherwise it may be the line that could not be read
                self.sink.error("RW021", f"`{define.name}` has no default", define.span, help="add a line `= …` below it")
            return define
        return attrs.evolve(define, value=value, cases=tuple(cases), text=text, cite=cite, span=self.span(line))

    def _case(self, case: m.Case, line: Line) -> m.Case:
        exceptions = tuple(self._case(node, child) for child, node in self.read_all(line.block, Kind.CASE))
        return attrs.evolve(case, exceptions=exceptions, span=self.span(line))

    def _action(self, action: m.Action, line: Line) -> m.Action:
        said: dict[str, Any] = {}
        requirements: list[m.Requirement] = []
        effects: list[m.Effect] = []

        def keep(field: str, value: object, child: Line) -> None:
            self.once(field in said, child, f"the {field}")
            said[field] = value

        for child in line.block:
            node = self.read(child, Kind.ACTION, self._joined(child))
            match node:
                case Text(text):
                    keep("text", text, child)
                case Cite(clause):
                    keep("cite", clause, child)
                case m.Notation():
                    keep("notation", node, child)
                case r.Once(point):
                    keep("once", point, child)
                case m.Like():
                    keep("like", attrs.evolve(node, edits=self.edits(child.block), span=self.span(child)), child)
                case m.Requirement():
                    requirements.append(node)
                case m.Effect() | r.EffectHead():
                    effects.extend(self._effect(node, child))
        return attrs.evolve(action, requirements=tuple(requirements), effects=tuple(effects), span=self.span(line), **said)

    def _effect(self, node: m.Effect | r.EffectHead, line: Line) -> list[m.Effect]:
        inner = LabelHead(node.label, node.span) if isinstance(node, r.EffectHead) else node.labelled
        return [m.Effect(labelled, span=labelled.span) for labelled in self.labelled(line, inner)]

    # Changes

    def _change(self, change: m.Change, line: Line) -> m.Change:
        if not line.opens:
            return change
        if change.target == "flow":
            edits = self.flow_edits(line.block)
        else:
            edits = tuple(self._edit(change.edits[0], line)) if change.edits else self.edits(line.block)
        return attrs.evolve(change, edits=edits, span=self.span(line))

    def edits(self, lines: list[Line]) -> tuple[m.Edit, ...]:
        """The edits of a block."""
        edits: list[m.Edit] = []
        for line in lines:
            node = self.read(line, Kind.EDIT, self._joined(line) or self._joined_replace(line))
            if isinstance(node, Otherwise):
                self._else_of_edit(edits, line, node)
            elif node is not None:
                edits.extend(self._edit(node, line))
        return tuple(edits)

    def flow_edits(self, lines: list[Line]) -> tuple[m.Edit, ...]:
        """The edits of the flow, where what replaces a point is flow too."""
        edits: list[m.Edit] = []
        for line, node in self.read_all(lines, Kind.EDIT):
            match node:
                case Otherwise():
                    self.stray_else(node.span)
                case r.ReplaceHead(point):
                    edits.append(m.ReplacePoint(point, self.flow(line.block), span=self.span(line)))
                case m.InsertFlow():
                    edits.append(attrs.evolve(node, body=self.flow(line.block), span=self.span(line)))
                case _:
                    edits.extend(self._edit(node, line))
        return tuple(edits)

    def _joined_replace(self, line: Line) -> bool:
        """A replacement whose block is one condition, not a statement with a block of its own."""
        words = self.source.code[line.start : line.end].removesuffix(":").split()
        bare = len(words) == 2 and words[0] == "replace"
        return bare and bool(line.block) and not any(child.opens for child in line.block)

    def _edit(self, node: m.Edit | LabelHead | r.EffectHead | r.ReplaceHead, line: Line) -> list[m.Edit]:
        match node:
            case r.EffectHead() | m.Effect():
                return list(self._effect(node, line))
            case LabelHead() | Labelled():
                return list(self.labelled(line, node))
            case m.Case():
                return [self._case(node, line)]
            case r.ReplaceHead(label):
                return [m.Replace(label, e, span=e.span) for e in self._effect(r.EffectHead(label, node.span), line)]
            case m.Replace(label, m.Effect() as effect):
                return [m.Replace(label, e, span=e.span) for e in self._effect(effect, line)]
            case m.Replace(label, m.Case() as case):
                return [m.Replace(label, self._case(case, line), span=self.span(line))]
            case _:
                return [node]

    def _else_of_edit(self, edits: list[m.Edit], line: Line, node: Otherwise) -> None:
        last = edits[-1] if edits else None
        if not isinstance(last, Labelled):
            self.stray_else(node.span)
            return
        body = [last]
        self._attach_else(body, line, node)
        edits[-1] = body[0]
