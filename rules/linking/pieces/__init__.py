"""Pieces of several cells: what a set of them declares, functions on them, and effects on them."""
