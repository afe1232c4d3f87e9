"""Text to tree: the grammar of rule modules and puzzles. Knows no game and no meaning."""
