"""Several modules become one rulebook: trees in, trees out, conflicts found."""
