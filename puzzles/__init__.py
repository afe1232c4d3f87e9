"""Positions, plans, saved games: from text and back; the puzzles that ship."""
