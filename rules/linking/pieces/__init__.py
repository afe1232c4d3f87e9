"""Pieces of several cells: what a set of them declares, the functions about them, and what effects do to them."""
