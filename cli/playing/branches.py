"""The lines of play tried, as numbered rows to return to."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line

from .undo_tree import Node, UndoTree

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
