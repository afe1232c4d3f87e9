"""New puzzles: positions by play, reduced, proved, graded and written."""
