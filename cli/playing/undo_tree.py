"""An undo tree of every line of play tried: undone plies stay, are listed in numbered rows, and can be revisited."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.records import define, field
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.puzzles.plan_replay import Ply


@define(eq=False)
class Node:
    """A position reached by `ply` from `parent`, both None at the start; numbered in the order of reaching."""

    number: int
    ply: Ply | None = None
    parent: Node | None = None
    children: list[Node] = field(factory=list, init=False)
    latest: Node | None = field(default=None, init=False)
    """The child visited last."""


@define
class UndoTree:
    """The positions reached, and the current one."""

    nodes: list[Node] = field(factory=lambda: [Node(0)], init=False)
    current: Node = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.current = self.nodes[0]

    @property
    def plies(self) -> list[Ply]:
        """The plies from the start to the current position."""
        found: list[Ply] = []
        node: Node | None = self.current
        while node is not None and node.ply is not None:
            found.append(node.ply)
            node = node.parent
        return found[::-1]

    def add(self, ply: Ply) -> None:
        """Advance by a ply, to the existing child if this ply was taken here before."""
        known = next((child for child in self.current.children if child.ply == ply), None)
        if known is None:
            known = Node(len(self.nodes), ply, self.current)
            self.nodes.append(known)
            self.current.children.append(known)
        self.current.latest = known
        self.current = known

    def undo(self) -> bool:
        """Go back by one ply; False at the start."""
        if self.current.parent is None:
            return False
        self.current = self.current.parent
        return True

    def redo(self) -> bool:
        """Advance to the child visited last; False if there is none."""
        if self.current.latest is None:
            return False
        self.current = self.current.latest
        return True

    def go_to(self, number: int) -> bool:
        """Go to a position by its number; False if there is none. `redo` then follows the path that leads there."""
        if not 0 <= number < len(self.nodes):
            return False
        self.current = node = self.nodes[number]
        while node.parent is not None:
            node.parent.latest = node
            node = node.parent
        return True

    def rows(self) -> Iterator[tuple[int, Node]]:
        """Every position with its depth in the tree, in the order of annotated games: a position, then its alternatives, one
        deeper, then its continuation."""
        waiting: list[tuple[int, Node, tuple[Node, ...]]] = [(0, self.nodes[0], ())]
        while waiting:
            depth, node, instead = waiting.pop()
            yield depth, node
            if node.children:
                first, *others = node.children
                waiting.append((depth, first, tuple(others)))
            waiting += [(depth + 1, other, ()) for other in reversed(instead)]


# As lines -------------------------------------------------------------------------------------------------------------

SHORTEST_GAP = 6
"""The least number of consecutive unremarkable positions that become one row."""


def branch_rows(tree: UndoTree, has_score: bool) -> Iterator[tuple[Node | None, Line]]:
    """A row for each position reached; for a long line of play, only its ends and branch points."""
    width = len(str(len(tree.nodes) - 1))
    for depth, nodes in _runs(tree):
        if len(nodes) >= SHORTEST_GAP:
            yield None, line(" " * (width + 2), "  " * depth, Styled(f"… {counted(len(nodes), 'action')}", Style.FAINT))
            continue
        for node in nodes:
            here = node is tree.current
            row = line(
                Styled(f"{node.number:>{width}}{'*' if here else ' '} ", Style.STRONG if here else Style.PLAIN),
                "  " * depth,
                Styled("the start" if node.ply is None else escape(node.ply.text), Style.STRONG if here else Style.PLAIN),
                Styled(f"   score {node.ply.score}" if node.ply is not None and has_score else "", Style.FAINT),
            )
            yield node, row


def _runs(tree: UndoTree) -> Iterator[tuple[int, list[Node]]]:
    """The positions in order, consecutive unremarkable ones together."""
    waiting: list[Node] = []
    level = 0
    for depth, node in tree.rows():
        if _is_worth_a_row(tree, node) or depth != level:
            if waiting:
                yield level, waiting
            waiting = []
        if _is_worth_a_row(tree, node):
            yield depth, [node]
        else:
            waiting.append(node)
        level = depth


def _is_worth_a_row(tree: UndoTree, node: Node) -> bool:
    is_one_of_several = node.parent is None or len(node.parent.children) > 1
    return node is tree.current or is_one_of_several or len(node.children) != 1
