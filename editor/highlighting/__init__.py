"""Colours of rules and puzzles, for what colours texts without asking a server: one list of patterns, in three dialects."""
