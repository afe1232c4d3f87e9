"""Positions as other programs write them, by the formats that modules declare: text to puzzles and back."""
