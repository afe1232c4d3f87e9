"""Scenarios: positions, plans, questions, and the puzzles that ship."""
