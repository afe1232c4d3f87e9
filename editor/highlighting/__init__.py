"""Syntax highlighting without a language server: one list of patterns, in three dialects."""
