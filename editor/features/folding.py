"""Foldable ranges: blocks, and runs of comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.grammar.parsing.lines import LogicalLine
from rulewright.grammar.readings import Reading


def folds(reading: Reading) -> list[tuple[int, int, bool]]:
    """The first and last line (from 1) of each fold, and whether it is a comment."""
    return sorted({*_blocks(reading, reading.roots), *_comments(reading)})


def _blocks(reading: Reading, lines: Sequence[LogicalLine]) -> Iterator[tuple[int, int, bool]]:
    for line in lines:
        first, last = reading.source.position(line.start)[0], reading.source.position(line.last)[0]
        if last > first:
            yield first, last, False
        yield from _blocks(reading, line.block)


def _comments(reading: Reading) -> Iterator[tuple[int, int, bool]]:
    first = last = -1
    for line in [*(comment.line for comment in reading.source.comments if comment.alone), 0]:
        if line != last + 1:
            if last > first:
                yield first, last, True
            first = line
        last = line
