"""What is refused: a program that cannot be compiled, or not in time."""

from __future__ import annotations


class CannotCompile(Exception):
    """The program needs something that compiled code does not have, would be too large, or was not compiled in time."""
