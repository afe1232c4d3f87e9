"""Every line of play that was tried: what is taken back stays, and can be gone to again."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field

from rulewright.base.records import define
from rulewright.puzzles.plan_replay import Ply


@define(eq=False)
class Node:
    """A position that was reached: by `ply` from `parent`, None of both at the start; numbered in the order of reaching."""

    number: int
    ply: Ply | None = None
    parent: Node | None = None
    children: list[Node] = field(factory=list, init=False)
    latest: Node | None = field(default=None, init=False)
    """The child that was gone to last."""


@define
class UndoTree:
    """The positions that were reached, and the current one."""

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
        """Go on by a ply: to the position that it led to before, where it was taken here already."""
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
        """Go on as the last time; False where nothing came after."""
        if self.current.latest is None:
            return False
        self.current = self.current.latest
        return True

    def go_to(self, number: int) -> bool:
        """Go to a position by its number; False where there is none such. `redo` then follows the way that leads there."""
        if not 0 <= number < len(self.nodes):
            return False
        self.current = node = self.nodes[number]
        while node.parent is not None:
            node.parent.latest = node
            node = node.parent
        return True

    def rows(self) -> Iterator[tuple[int, Node]]:
        """Every position with its depth in the tree, as annotated games are written down: a position, then what was tried in
        its place, one deeper, then how it goes on."""
        waiting: list[tuple[int, Node, tuple[Node, ...]]] = [(0, self.nodes[0], ())]
        while waiting:
            depth, node, instead = waiting.pop()
            yield depth, node
            if node.children:
                first, *others = node.children
                waiting.append((depth, first, tuple(others)))
            waiting += [(depth + 1, other, ()) for other in reversed(instead)]
