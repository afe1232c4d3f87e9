"""What is refused: a construct that the subset does not have, a program that cannot be compiled, or not in time."""

from __future__ import annotations


class CannotCompile(Exception):
    """The program needs something that compiled code does not have, would be too large, or was not compiled in time."""


class NotInSubset(Exception):
    """A construct that the subset does not have: an error in us."""
