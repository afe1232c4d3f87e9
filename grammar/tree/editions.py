"""The tree of `edition 1`, which modules and puzzles share."""

from __future__ import annotations

from rulewright.base.records import frozen
from rulewright.base.spans import Located


@frozen
class Edition(Located):
    """`edition 1`: the edition of the language that a text is written in."""

    number: int
