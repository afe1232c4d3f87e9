"""The pytest plugin for authors' puzzles and saved games."""
