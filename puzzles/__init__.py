"""Positions, plans and saved games: reading and writing their text; the puzzle library."""
