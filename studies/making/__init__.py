"""Makes new puzzles: positions from play, reduced, proved, graded and written."""
