"""Syntax tree to game: linking, semantics over several algebras, play, static analysis."""
