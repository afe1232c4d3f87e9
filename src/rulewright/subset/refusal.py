"""Errors of the compiler: a construct outside the subset, or a program that cannot be compiled, or not in time."""

from __future__ import annotations


class CannotCompile(Exception):
    """The program needs a feature that compiled code lacks, is too large, or was not compiled in time."""


class NotInSubset(Exception):
    """A construct outside the subset: a bug in Rulewright."""
